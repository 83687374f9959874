//! A crate that forbids `unsafe` can have kernels of all kinds: what the macro writes is no code of the crate's.

#![forbid(unsafe_code)]

use lift::lift;
use lift::prelude::*;
use ndarray::arr1;

lift! {
    /// Position and velocity.
    #[derive(Default)]
    pub struct Body {
        x: f32,
        v: f32,
    }

    const GRAVITY: f32 = 0.5;

    fn twice(x: f32) -> f32 {
        x * 2.0
    }

    #[kernel]
    pub fn Doubled(xs: [f32; N]) -> [f32; N] {
        xs.map(twice)
    }

    #[kernel]
    fn Dropped(bodies: [Body; N]) -> [Body; N] {
        bodies.map(|b| Body { x: b.x + b.v, v: b.v - GRAVITY })
    }

    #[kernel]
    #[types(T = f32, i32)]
    fn Sums<T, N>(pairs: ([T; N], [T; N])) -> ([T; N], [T; N]) {
        let (a, b) = pairs;
        (zip(a, b).map(|(a, b)| a + b), zip(a, b).map(|(a, b)| a - b))
    }

    #[kernel]
    fn Picked(cells: &mut [i32; N], at: [usize; K]) -> [i32; K] {
        cells.write_to(cells.map(|c| c + 1));
        cells.gather(at)
    }

    #[kernel]
    #[step(u)]
    fn Heat(u: [f32; N], c: f32) -> [f32; N] {
        u.pad(1, 1, clamp).slide(3, 1).map(|w| w[1] + c * (w[0] - 2.0 * w[1] + w[2]))
    }
}

#[test]
fn kernels_without_unsafe() -> lift::Result<()> {
    let device = Device::best()?;
    assert_eq!(Doubled::on(&device)?.run(&[1.0, 2.0])?, arr1(&[2.0, 4.0]));
    let bodies = BodyArrays { x: &[1.0], v: &[2.0] };
    assert_eq!(Dropped::on(&device)?.run(bodies)?.v, arr1(&[1.5]));
    let found = Sums::<i32>::on(&device)?.run((&[1, 2], &[3, 5]))?;
    assert_eq!(found, (arr1(&[4, 7]), arr1(&[-2, -3])));
    let mut cells = vec![1, 2, 3];
    assert_eq!(Picked::on(&device)?.run(&mut cells, &[2, 0])?, arr1(&[3, 1]));
    let mut sim = Heat::on(&device)?.start(&[0.0, 1.0, 0.0], 0.25)?;
    sim.run(1)?;
    assert_eq!(sim.u()?, arr1(&[0.25, 0.5, 0.25]));
    let negated = lift!(|xs: [i32; N]| xs.map(|x| -x));
    assert_eq!(negated.on(&device)?.run(&[1, -2])?, arr1(&[-1, 2]));
    Ok(())
}
