use lift::prelude::*;

lift!(
    #[kernel]
    pub fn First<N>(xs: [f32; N]) -> [f32; N] {
        xs.mpa(|x| x + 1.0)
    }

    #[kernel]
    pub fn Second(xs: [f32; 10]) -> [[f32; 3]; 3] {
        xs.split(3)
    }

    #[kernel]
    pub fn Third<N>(xs: [i32; N]) -> [f32; N] {
        xs.map(|x| x * 0.5)
    }
);

// The launchers exist all the same: only the three mistakes are reported.
fn main() -> lift::Result<()> {
    let device = Device::best()?;
    let first = First::on(&device)?;
    first.run(&[1.0, 2.0])?;
    Second::on(&device)?;
    Third::on(&device)?;
    Ok(())
}
