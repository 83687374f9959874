//! Hagedorn: «An Extension of a Functional Intermediate Language for Parallelizing Stencil Computations and its
//! Optimizing GPU Implementation using OpenCL», chapter 2.

use lift::ndarray::{Array1, Array2, arr1};
use lift::prelude::*;

use crate::{assert_close, every_version, random};

/// What the host's loops read outside an array.
#[derive(Clone, Copy)]
enum Outside {
    Clamp,
    Mirror,
    Wrap,
}

impl Outside {
    fn index(self, i: isize, n: usize) -> usize {
        let n = n as isize;
        let j = match self {
            Outside::Clamp => i.clamp(0, n - 1),
            Outside::Mirror if i.rem_euclid(2 * n) < n => i.rem_euclid(2 * n),
            Outside::Mirror => 2 * n - 1 - i.rem_euclid(2 * n),
            Outside::Wrap => i.rem_euclid(n),
        };
        j as usize
    }
}

/// Definition 2.13, as a loop.
fn convolved(outside: Outside, k: &[f32], xs: &Array1<f32>) -> Array1<f64> {
    let (n, r) = (xs.len(), (k.len() / 2) as isize);
    Array1::from_shape_fn(n, |x| {
        let term =
            |i: isize| f64::from(xs[outside.index(x as isize + i, n)]) * f64::from(k[(i + r) as usize]);
        (-r..=r).map(term).sum()
    })
}

/// Definition 2.17, as loops; the weights are flattened row by row.
fn convolved2d(outside: Outside, [ry, rx]: [isize; 2], k: &[f32], xs: &Array2<f32>) -> Array2<f64> {
    let (m, n) = xs.dim();
    Array2::from_shape_fn((m, n), |(y, x)| {
        let mut sum = 0.0;
        for j in -ry..=ry {
            for i in -rx..=rx {
                let element = xs[[outside.index(y as isize + j, m), outside.index(x as isize + i, n)]];
                sum += f64::from(element) * f64::from(k[((j + ry) * (2 * rx + 1) + i + rx) as usize]);
            }
        }
        sum
    })
}

/// Lengths to try.
const LENGTHS: [usize; 5] = [1, 2, 3, 8, 301];

/// Rows and columns to try.
const SHAPES: [(usize, usize); 5] = [(1, 1), (1, 7), (6, 2), (17, 19), (40, 67)];

/// Example 2.6.
#[test]
#[rustfmt::skip]
fn example_2_6_three_point_jacobi() {
    let jacobi = lift!({ fn f(nbh: [f32; 3]) -> f32 { (reduce(add, 0.0))(nbh) }
        map(f) . slide(3, 1) . pad(1, 1, clamp) });
    let jacobi = jacobi.on(&common::device()).expect("a launcher");
    // The thesis's numbers.
    let found = jacobi.run(&[1.0, 2.0, 3.0, 4.0, 5.0]).expect("a result");
    assert_eq!(found, arr1(&[4.0, 6.0, 9.0, 12.0, 14.0]));
    for n in LENGTHS {
        let xs = random(n, 26);
        assert_close(&jacobi.run(&xs).expect("a result"), &convolved(Outside::Clamp, &[1.0; 3], &xs));
    }
}

// Example 2.7: heat flows along a bar.
lift! {
    fn heat(cs: [f32; 3], nbh: [f32; 3]) -> f32 { (reduce(add, 0.0) . map(mul) . zip)(cs, nbh) }

    #[kernel]
    fn HeatDiff<N>(cs: [f32; 3], ts: [f32; N]) -> [f32; N] {
        (map(heat(cs)) . slide(3, 1) . pad(1, 1, clamp))(ts)
    }
}

#[test]
fn example_2_7_heat_diffusion() {
    let c = 0.2;
    for n in LENGTHS {
        let ts = random(n, 27);
        // The equation for one time step.
        let t = |i: isize| f64::from(ts[Outside::Clamp.index(i, n)]);
        let step = |i: usize| {
            let i = i as isize;
            t(i) + f64::from(c) * (t(i - 1) - 2.0 * t(i) + t(i + 1))
        };
        every_version!(HeatDiff(&[c, 1.0 - 2.0 * c, c], &ts), &Array1::from_shape_fn(n, step));
    }
}

// Definition 2.14, and example 2.8 in terms of it. The boundary is a parameter, as in the thesis; so is the radius,
// from which the number of weights follows.
lift! {
    fn conv<n>(k: [f32; n], nbh: [f32; n]) -> f32 { (reduce(add, 0.0) . map(mul) . zip)(k, nbh) }

    fn convolution1d<n>(r: Nat, b: Boundary<f32>, k: [f32; 2 * r + 1], omega: [f32; n]) -> [f32; n] {
        (map(conv(k)) . slide(2 * r + 1, 1) . pad(r, r, b))(omega)
    }

    #[kernel]
    fn Convolution1d<R, N>(k: [f32; 2 * R + 1], omega: [f32; N]) -> [f32; N] {
        convolution1d(R, wrap, k, omega)
    }

    #[kernel]
    fn HeatDiffusion<N>(c: f32, xs: [f32; N]) -> [f32; N] {
        convolution1d(1, clamp, [c, 1.0 - 2.0 * c, c], xs)
    }

    #[kernel]
    fn Convolution17<N>(ws: [f32; 17], xs: [f32; N]) -> [f32; N] {
        convolution1d(8, mirror, ws, xs)
    }
}

#[test]
fn definition_2_14_convolution1d() {
    for radius in [1, 2, 9] {
        let weights = random(2 * radius + 1, 14);
        for n in LENGTHS {
            let xs = random(n, 214);
            let expected = convolved(Outside::Wrap, weights.as_slice().expect("in order"), &xs);
            every_version!(Convolution1d(&weights, &xs), &expected);
        }
    }
}

#[test]
fn example_2_8_heat_diffusion_as_convolution() {
    let c = 0.15;
    for n in LENGTHS {
        let xs = random(n, 28);
        every_version!(HeatDiffusion(c, &xs), &convolved(Outside::Clamp, &[c, 1.0 - 2.0 * c, c], &xs));
    }
}

#[test]
fn after_example_2_8_convolution_of_17_points() {
    let weights = random(17, 8);
    for n in LENGTHS {
        let xs = random(n, 280);
        let expected = convolved(Outside::Mirror, weights.as_slice().expect("in order"), &xs);
        every_version!(Convolution17(&weights, &xs), &expected);
    }
}

/// Examples 2.9 and 2.10.
#[test]
#[rustfmt::skip]
fn example_2_9_nine_point_jacobi() {
    let jacobi = lift!({ fn f(nbh: [[f32; 3]; 3]) -> f32 { reduce(add, 0.0) . join << nbh }
        map(map(f)) . slide2d(3, 1) . pad2d(1, 1, mirror) });
    let jacobi = jacobi.on(&common::device()).expect("a launcher");
    for shape in SHAPES {
        let xs = random(shape, 29);
        let expected = convolved2d(Outside::Mirror, [1, 1], &[1.0; 9], &xs);
        for name in ["naive", "tiled"] {
            let found = jacobi.variant(name).expect("the variant").run(&xs).expect("a result");
            assert_close(&found, &expected);
        }
    }
}

// Example 2.11, with the states 0 and 1. `survive` is also an ordinary function.
lift! {
    fn survive(x: i32) -> i32 { if 1 < x && x < 4 { 1 } else { 0 } }

    fn evolution(nbh: [[i32; 3]; 3]) -> i32 { survive . reduce(add, 0) . join << nbh }

    #[kernel]
    fn GameOfLife<N, M>(cells: [[i32; M]; N]) -> [[i32; M]; N] {
        map(map(evolution)) . slide2d(3, 1) . pad2d(1, 1, mirror) << cells
    }
}

#[test]
fn example_2_11_game_of_life() {
    let life = GameOfLife::on(&common::device()).expect("a launcher");
    for (rows, columns) in SHAPES {
        let mut cells = random((rows, columns), 211).map(|x| i32::from(*x > 0.3));
        // A few generations.
        for _ in 0..4 {
            let expected = Array2::from_shape_fn((rows, columns), |(i, j)| {
                let mut alive = 0;
                for di in -1..=1 {
                    for dj in -1..=1 {
                        let row = Outside::Mirror.index(i as isize + di, rows);
                        alive += cells[[row, Outside::Mirror.index(j as isize + dj, columns)]];
                    }
                }
                i32::from(alive == 2 || alive == 3)
            });
            for variant in GameOfLife::VARIANTS {
                let found = life.variant(&variant.name).expect("the variant").run(&cells).expect("a result");
                assert_eq!(found, expected, "{}", variant.name);
            }
            cells = expected;
        }
    }
    assert_eq!([0, 1, 2, 3, 4, 9].map(survive), [0, 0, 1, 1, 0, 0]);
}

// Definitions 2.15 to 2.18 and 2.20, and example 2.12 in terms of them. The weights are flattened. (Definition 2.17
// prints `K(i + j · rx)`; meant is the width of a row of weights, `2 rx + 1`.)
lift! {
    fn pad2d_thesis<n, m>(
        top: Nat, bottom: Nat, left: Nat, right: Nat, b1: Boundary<f32>, b2: Boundary<f32>, xs: [[f32; m]; n],
    ) -> [[f32; left + m + right]; top + n + bottom] {
        transpose . pad(left, right, b2) . transpose . pad(top, bottom, b1) << xs
    }

    fn slide2d_thesis<n, m>(size_y: Nat, step_y: Nat, size_x: Nat, step_x: Nat, xs: [[f32; m]; n])
        -> [[[[f32; size_x]; size_y]; (m - size_x + step_x) / step_x]; (n - size_y + step_y) / step_y]
    {
        map(map(transpose) . slide(size_x, step_x) . transpose) . slide(size_y, step_y) << xs
    }

    fn f<ny, nx>(k: [f32; ny * nx], nbh: [[f32; nx]; ny]) -> f32 { (reduce(add, 0.0) . map(mul) . zip)(k, join(nbh)) }

    fn convolution2d<m, n>(
        ry: Nat, rx: Nat, b: Boundary<f32>, k: [f32; (2 * ry + 1) * (2 * rx + 1)], omega: [[f32; n]; m],
    ) -> [[f32; n]; m] {
        (map(map(f(k))) . slide2d(2 * ry + 1, 1, 2 * rx + 1, 1) . pad2d(ry, rx, b))(omega)
    }

    #[kernel]
    fn Convolution2d<M, N>(k: [f32; 15], omega: [[f32; N]; M]) -> [[f32; N]; M] {
        convolution2d(1, 2, wrap, k, omega)
    }

    // The same from the definitions of the thesis instead of those of the language.
    #[kernel]
    fn Convolution2dThesis<M, N>(k: [f32; 15], omega: [[f32; N]; M]) -> [[f32; N]; M] {
        map(map(f(k))) . slide2d_thesis(3, 1, 5, 1) . pad2d_thesis(1, 1, 2, 2, wrap, wrap) << omega
    }

    #[kernel]
    fn GaussianBlur<M, N>(k_gauss: [f32; 9], omega: [[f32; N]; M]) -> [[f32; N]; M] {
        convolution2d(1, 1, clamp, k_gauss, omega)
    }

    fn weigh(k: [f32; 289], nbh: [[f32; 17]; 17]) -> f32 { (reduce(add, 0.0) . map(mul) . zip)(join(nbh), k) }

    #[kernel]
    fn Convolution17x17<M, N>(k: [f32; 289], omega: [[f32; N]; M]) -> [[f32; N]; M] {
        (map(map(weigh(k))) . slide2d(17, 1) . pad2d(8, 8, mirror))(omega)
    }
}

#[test]
fn definitions_2_15_to_2_18_convolution2d() {
    let weights = random(15, 18);
    for shape in SHAPES {
        let omega = random(shape, 218);
        let expected = convolved2d(Outside::Wrap, [1, 2], weights.as_slice().expect("in order"), &omega);
        every_version!(Convolution2d(&weights, &omega), &expected);
        every_version!(Convolution2dThesis(&weights, &omega), &expected);
    }
}

#[test]
fn definition_2_20_gaussian_blur() {
    // Definition 2.19 for the radius 1 and the deviation 1.
    let gauss = |i: i32, j: i32| (-f64::from(i * i + j * j) / 2.0).exp() / (2.0 * std::f64::consts::PI);
    let weights: Vec<f32> = (0..9).map(|k| gauss(k % 3 - 1, k / 3 - 1) as f32).collect();
    for shape in SHAPES {
        let omega = random(shape, 220);
        every_version!(
            GaussianBlur(&weights, &omega),
            &convolved2d(Outside::Clamp, [1, 1], &weights, &omega)
        );
    }
}

#[test]
fn example_2_12_convolution_of_17_by_17_points() {
    let weights = random(289, 12);
    for shape in SHAPES {
        let omega = random(shape, 212);
        let expected = convolved2d(Outside::Mirror, [8, 8], weights.as_slice().expect("in order"), &omega);
        every_version!(Convolution17x17(&weights, &omega), &expected);
    }
}
