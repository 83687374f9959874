use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Broken<N>(xs: [f32; N]) -> [f32; N] {
        xs.map(|x| x + )
    }
);

fn main() -> lift::Result<()> {
    // The name is known although the text cannot be parsed.
    let _: Option<Broken> = None;
    Ok(())
}
