use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Double<N>(xs: [f32; N]) -> [f32; N] {
        xs.map(|x| 2.0 * x)
    }
);

fn main() -> lift::Result<()> {
    let double = Double::on(&Device::best()?)?;
    double.run(&[[1.0_f32, 2.0], [3.0, 4.0]])?;
    Ok(())
}
