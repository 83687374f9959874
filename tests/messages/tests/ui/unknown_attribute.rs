use lift::prelude::*;

lift!(
    #[kernal]
    pub fn Same<N>(xs: [f32; N]) -> [f32; N] {
        xs
    }
);

fn main() -> lift::Result<()> {
    // The launcher is there all the same.
    let same = Same::on(&lift::Device::find("any")?)?;
    same.run(&[1.0_f32, 2.0])?;
    Ok(())
}
