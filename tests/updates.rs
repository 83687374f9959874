//! Kernels that update in place, gather and scatter, as users write them, on a device.

mod common;

use lift::ndarray::{Array2, arr2};
use lift::prelude::*;

lift!(
    /// One step of particles: both arrays are read as they were before.
    #[kernel]
    fn Step<N>(dt: i32, x: &mut [i32; N], v: &mut [i32; N], force: [i32; N]) {
        let next = zip(v, force).map(|(v, f)| v + dt * f);
        write_to(v, next);
        write_to(x, zip(x, next).map(|(x, v)| x + dt * v));
    }

    #[kernel]
    fn Swap<N>(a: &mut [i32; N], b: &mut [i32; N]) {
        a.write_to(b);
        b.write_to(a);
    }

    /// The mean of the neighbours, and the sum of what was there.
    #[kernel]
    fn Relax<N, M>(grid: &mut [[i32; M]; N]) -> i32 {
        write_to(grid, grid.pad2d(1, 1, wrap).slide2d(3, 1).map2d(|w| w[0][1] + w[2][1] + w[1][0] + w[1][2]));
        grid.reduce2d(add, 0)
    }

    #[kernel]
    fn Turn<N, M>(grid: &mut [[i32; M]; N]) {
        write_to(grid, grid.reverse().map(reverse));
    }

    #[kernel]
    fn Deposit<N, M>(cells: &mut [i32; N], at: [i32; M], amount: [i32; M]) {
        scatter_to(cells, at, zip(gather(at, cells), amount).map(add));
    }

    #[kernel]
    fn Rows<N, M, K>(table: &mut [[i32; M]; N], at: [u8; K], rows: [[i32; M]; K]) {
        table.scatter_to(at, rows.map(|row| row.map(|v| 2 * v)));
    }

    /// The old contents are needed at other places than they are written.
    #[kernel]
    fn Mix<N, M>(cells: &mut [i32; N], at: [i32; M]) {
        scatter_to(cells, at, gather(at.reverse(), cells));
    }

    #[kernel]
    fn Replaced<N, M>(xs: [i32; N], at: [i64; M], values: [i32; M]) -> [i32; N] {
        scatter_to(xs, at, values).map(|v| v + 1)
    }

    #[kernel]
    fn Pick<N, M>(xs: [f32; N], at: [i32; M]) -> [f32; M] {
        gather(at, xs)
    }
);

fn ints(n: usize, seed: i32) -> Vec<i32> {
    (0..n as i32).map(|i| (i * 37 + seed * 11) % 101 - 50).collect()
}

/// Lengths that are awkward.
const LENGTHS: [usize; 4] = [1, 2, 33, 1000];

#[test]
fn everything_is_read_as_it_was() {
    let (step, swap) = (Step::on(&common::device()).unwrap(), Swap::on(&common::device()).unwrap());
    for n in LENGTHS {
        let (mut x, mut v, force) = (ints(n, 1), ints(n, 2), ints(n, 3));
        let next: Vec<i32> = v.iter().zip(&force).map(|(v, f)| v + 3 * f).collect();
        let moved: Vec<i32> = x.iter().zip(&next).map(|(x, v)| x + 3 * v).collect();
        step.run(3, &mut x, &mut v, &force).unwrap();
        assert_eq!((&v, &x), (&next, &moved));
        swap.run(&mut x, &mut v).unwrap();
        assert_eq!((&x, &v), (&next, &moved));
    }
}

#[test]
fn neighbours_are_read_as_they_were() {
    let (relax, turn) = (Relax::on(&common::device()).unwrap(), Turn::on(&common::device()).unwrap());
    for (n, m) in [(1, 1), (2, 3), (17, 33)] {
        let start = Array2::from_shape_fn((n, m), |(i, j)| ((i * 37 + j * 11) % 101) as i32);
        let at = |i: usize, j: usize| start[[i % n, j % m]];
        let expected = Array2::from_shape_fn((n, m), |(i, j)| {
            at(i + n - 1, j) + at(i + 1, j) + at(i, j + m - 1) + at(i, j + 1)
        });
        let mut grid = start.clone();
        assert_eq!(relax.run(&mut grid).unwrap(), start.sum());
        assert_eq!(grid, expected);
        turn.run(&mut grid).unwrap();
        assert_eq!(grid, Array2::from_shape_fn((n, m), |(i, j)| expected[[n - 1 - i, m - 1 - j]]));
    }
}

#[test]
fn only_the_elements_at_the_indices_change() {
    let device = common::device();
    let mut cells = ints(10, 0);
    let before = cells.clone();
    Deposit::on(&device).unwrap().run(&mut cells, &vec![7, 0, 3], &vec![100, 200, 300]).unwrap();
    let mut expected = before.clone();
    (expected[7], expected[0], expected[3]) = (before[7] + 100, before[0] + 200, before[3] + 300);
    assert_eq!(cells, expected);
    Mix::on(&device).unwrap().run(&mut cells, &vec![7, 1, 3]).unwrap();
    expected.swap(7, 3);
    assert_eq!(cells, expected);
    let found = Replaced::on(&device).unwrap().run(&cells, &vec![9_i64, 2], &vec![5, 6]).unwrap();
    (expected[9], expected[2]) = (5, 6);
    assert_eq!(found.to_vec(), expected.iter().map(|v| v + 1).collect::<Vec<_>>());
    let mut table = arr2(&[[1, 2], [3, 4], [5, 6]]);
    Rows::on(&device).unwrap().run(&mut table, &vec![2_u8, 0], &arr2(&[[10, 20], [30, 40]])).unwrap();
    assert_eq!(table, arr2(&[[60, 80], [3, 4], [20, 40]]));
}

#[test]
fn a_bad_index_is_an_error_that_names_it() {
    let device = common::device();
    for bad in [5, -1, i32::MIN] {
        let error =
            Pick::on(&device).unwrap().run(&vec![1.0, 2.0, 3.0, 4.0, 5.0], &vec![0, bad]).unwrap_err();
        let expected = (1, i64::from(bad), 5);
        assert!(
            matches!(error, lift::Error::IndexOutOfRange { operation: "gather", indices: "at", position, index, len, .. }
                if (position, index, len as i64) == (expected.0, expected.1, expected.2)),
            "{error:?}"
        );
        let mut cells = ints(5, 0);
        let result = Deposit::on(&device).unwrap().run(&mut cells, &vec![bad, 2], &vec![1, 1]);
        assert!(
            matches!(result, Err(lift::Error::IndexOutOfRange { operation: "scatter_to", position: 0, .. })),
            "{result:?}"
        );
        // What the user has is as it was.
        assert_eq!(cells, ints(5, 0));
    }
    let fine = Pick::on(&device).unwrap().unchecked().run(&vec![1.0, 2.0], &vec![1, 0]).unwrap();
    assert_eq!(fine.to_vec(), [2.0, 1.0]);
}
