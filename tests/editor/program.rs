//! A program for an editor.

use lift::prelude::*;

lift!(
    /// The weighted sum of a window.
    fn weigh(weights: [f32; K], window: [f32; K]) -> f32 {
        zip(weights, window).map(|w, x| w * x).reduce(add, 0.0)
    }

    fn square(x: f32) -> f32 {
        let twice = x * x;
        if x > 0.0 || x < -1.0 { twice } else { 0.0 }
    }

    fn scale(factor: f32, x: f32) -> f32 {
        factor * x
    }

    fn each<T, n>(f: fn(T) -> T, xs: [T; n]) -> [T; n] {
        let once = xs.map(f);
        once.map(|x| f(x))
    }

    type Row = [f32; M];

    pub struct Cell {
        pub f: [f32; 3],
        pub wall: bool,
    }

    fn turned(cell: Cell, rows: [Row; N]) -> [Row; N] {
        let f = if cell.wall { cell.f.reverse() } else { [0.0, 1.0, 2.0] };
        let next = Cell { f, wall: cell.wall };
        let first = next.f[0];
        if first > 0.0 { rows.reverse() } else { rows.map(|row| row.map(scale(2.0))) }
    }

    const RADIUS: usize = 3;
    const WEIGHTS: [[f32; 3]; 3] = [[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]];

    /// A blur.
    #[kernel]
    #[size(N >= 3)]
    #[strategy(tall: tile2d(2, 4).to_private())]
    pub fn Blur<N, M>(image: [[f32; M]; N], weights: [f32; RADIUS]) -> [[f32; M]; N] {
        let padded = image.map(|row| row.pad(1, 1, clamp));
        let half: f32 = padded.join().reduce(add, 0.0);
        padded.map(|row| row.slide(RADIUS, 1).map(weigh(weights)).map(|x| if x > half { x } else { square(x) }))
    }

    #[kernel]
    #[step(u, before)]
    pub fn Wave<N, M>(u: [[f32; M]; N], before: [[f32; M]; N]) -> [[f32; M]; N] {
        let windows = u.pad2d(1, 1, 1, 1, constant(0.0), clamp).slide2d(3, 1);
        zip2d(windows, before).map2d(|(w, p)| w[1][1] - p + zip(WEIGHTS.join(), w.join()).map(mul).reduce(add, 0.0))
    }

    #[kernel]
    #[types(T = f32, f64)]
    pub fn Mean<T, N>(x: [T; N]) -> T {
        each(|v| v * v, x).map(|v| if v > T::MAX { 0.0 } else { v }).reduce(add, 0.0) / N as T
    }

    #[kernel]
    pub fn Largest<N>(x: &mut [f32; N]) -> usize {
        let (at, best) = x.argmax();
        write_to(x, x.map(|it| it / best));
        at
    }
);

fn main() -> lift::Result<()> {
    let device = Device::best()?;
    let blur = Blur::on(&device)?;
    let four = square(2.0);
    let squares = lift!(|xs: [i32; N]| xs.map(|x| x * x)).on(&device)?;
    let roots = lift!(map(sqrt) . pad(3, 1, clamp)).on(&device)?;
    Ok(())
}
