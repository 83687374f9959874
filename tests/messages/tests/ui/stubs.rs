use lift::prelude::*;

lift!(
    type Row = [f32; 4];

    #[kernel]
    pub fn Typo<N>(x: [f23; N], rows: [Row; N]) -> Vec<f32> {
        x
    }

    #[kernel]
    #[step(p; e)]
    pub fn Step<N>(p: [f32; N], e: i32) -> ([f32; N], f32) {
        (p.map(|v| 2.0 * v), p.reduce(add, 0.0))
    }

    #[kernel]
    pub fn Comma<N>(x: [f32; N] y: f32) -> [f32; N] {
        x
    }

    #[kernel]
    pub fn Nothing<N>(x: [f32; N]) {
        x
    }

    #[kernel]
    #[types(T: f32, f64)]
    pub fn Several<T, N>(x: [T; N]) -> [T; N] {
        x
    }

    #[kernel]
    #[types(A = f32, i32; C = u8)]
    pub fn Pairs<A, B, N>(x: [A; N], y: [B; N]) -> [A; N] {
        x
    }
);

// Each mistake is shown once: what is done with types that it hides is no mistake.
fn main() -> lift::Result<()> {
    let device = Device::best()?;
    let typo = Typo::on(&device)?.variant("naive")?;
    let sum = typo.run(&[1.0], &[[1.0f32; 4]])?;
    println!("{} {}", sum[0], sum.iter().sum::<f32>());
    let mut step = Step::on(&device)?.start(&[1.0f32], 1)?;
    println!("{:?} {}", step.p()?, step.e()? + 1);
    step.set_e(2)?;
    Comma::on(&device)?.run(&[1.0], 3.0)?.to_vec();
    Nothing::on(&device)?.run(&[1.0f32])?.to_vec();
    Several::<f32>::on(&device)?.run(&[1.0f32])?.to_vec();
    Several::<f64>::on(&device)?.run(&[1.0f64])?.to_vec();
    Pairs::<f32, u8>::on(&device)?.run(&[1.0f32], &[1u8])?.to_vec();
    let scale = lift!(|x: [f32; 8], factor| x.map(|v| v * facto)).on(&device)?;
    scale.run(&[1.0f32; 8], 2.0)?.to_vec();
    let blur = lift!(mpa(|w| w.reduce(add, 0.0)).slide(3, 1)).on(&device)?;
    blur.run(&[1.0f32; 8])?.to_vec();
    Ok(())
}
