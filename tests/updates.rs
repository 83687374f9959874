//! Kernels that update in place, gather and scatter, as users write them, on a device.

use lift::Kernel as _;
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

    /// Each row has indices of its own.
    #[kernel]
    fn WithinRows<N, M, K>(x: [[i32; M]; N], at: [[i32; K]; N], v: [[i32; K]; N]) -> [[i32; M]; N] {
        zip(x, at, v).map(|(row, at, v)| scatter_to(row, at, v.map(|v| v + 1)))
    }

    /// Every index is in range.
    #[kernel]
    fn Slots<N, M>(slots: &mut [i32; N], keys: [usize; M]) {
        scatter_to(slots, keys.map(|k| k % N), keys.map(|k| k as i32));
    }

    /// One launch updates both, in a layout of its own each, and has a result.
    #[kernel]
    #[work_group(16)]
    fn Both<N>(x: &mut [i32; N], y: &mut [[i32; N]; 2]) -> [i32; N] {
        let (a, b, c) = zip(x, y.transpose())
            .map_global(0, |(v, w)| {
                let sum = v + w[0] - 2 * w[1];
                (sum, w.map_seq_unroll(|u| u + sum * v), sum * w[1])
            })
            .unzip();
        write_to(x, a);
        write_to(y, b.transpose());
        c
    }

    /// The same where other work-items replace what one reads.
    #[kernel]
    fn Others<N>(x: &mut [i32; N], y: &mut [[i32; N]; 2]) {
        let (a, b) = zip(x.reverse(), y.transpose().reverse())
            .map_global(0, |(v, w)| (v + w[0], w.map_seq_unroll(|u| u - v)))
            .unzip();
        write_to(x, a);
        write_to(y, b.transpose());
    }

    /// One launch updates some elements of both.
    #[kernel]
    fn Points<N, M>(at: [u16; M], x: &mut [i32; N], y: &mut [i32; N]) {
        let (a, b) = zip(x.gather(at), y.gather(at)).map_global(0, |(v, w)| (v + w, v - w)).unzip();
        scatter_to(x, at, a);
        scatter_to(y, at, b);
    }

    /// A row has as many elements as it may have, and an index for each.
    #[kernel]
    fn Sparse<N, M, K>(columns: [[u32; K]; N], values: [[f32; K]; N], xs: [f32; M]) -> [f32; N] {
        zip(columns, values).map(|(c, v)| zip(gather(c, xs), v).map(mul).reduce(add, 0.0))
    }

    #[kernel]
    fn Even<N, M>(xs: [f32; N], keys: [i32; M]) -> [f32; M] {
        xs.gather(keys.map(|k| 2 * k))
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
fn one_launch_updates_several() {
    let device = common::device();
    for n in LENGTHS {
        let (mut x, old) = (ints(n, 1), ints(2 * n, 2));
        let mut y = Array2::from_shape_vec((2, n), old.clone()).unwrap();
        let both = Both::on(&device).unwrap();
        // What is compiled to Rust has no text.
        assert!(both.source().matches("\nkernel ").count() <= 1, "{}", both.source());
        let c = both.run(&mut x, &mut y).unwrap();
        for (i, v) in ints(n, 1).into_iter().enumerate() {
            let w = [old[i], old[n + i]];
            let sum = v + w[0] - 2 * w[1];
            assert_eq!((x[i], y[[0, i]], y[[1, i]]), (sum, w[0] + sum * v, w[1] + sum * v), "{i} of {n}");
            assert_eq!(c[i], sum * w[1], "{i} of {n}");
        }
        let (mut x, mut y) = (ints(n, 1), Array2::from_shape_vec((2, n), old.clone()).unwrap());
        Others::on(&device).unwrap().run(&mut x, &mut y).unwrap();
        for i in 0..n {
            let j = n - 1 - i;
            let v = ints(n, 1)[j];
            assert_eq!((x[i], y[[0, i]], y[[1, i]]), (v + old[j], old[j] - v, old[n + j] - v), "{i} of {n}");
        }
        let at: Vec<u16> = (0..n as u16).rev().step_by(3).collect();
        let (mut x, mut y) = (ints(n, 1), ints(n, 2));
        Points::on(&device).unwrap().run(&at, &mut x, &mut y).unwrap();
        for (i, (v, w)) in ints(n, 1).into_iter().zip(ints(n, 2)).enumerate() {
            let hit = at.contains(&(i as u16));
            assert_eq!((x[i], y[i]), if hit { (v + w, v - w) } else { (v, w) }, "{i} of {n}");
        }
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
        let expected = (vec![1], i64::from(bad), 5);
        assert!(
            matches!(&error, lift::Error::IndexOutOfRange { operation: "gather", indices: "at", position, index, len, .. }
                if (position, *index, *len as i64) == (&expected.0, expected.1, expected.2)),
            "{error:?}"
        );
        let mut cells = ints(5, 0);
        let result = Deposit::on(&device).unwrap().run(&mut cells, &vec![bad, 2], &vec![1, 1]);
        assert!(
            matches!(&result, Err(lift::Error::IndexOutOfRange { operation: "scatter_to", position, .. }) if position == &[0]),
            "{result:?}"
        );
        // What the user has is as it was.
        assert_eq!(cells, ints(5, 0));
    }
    // SAFETY: the indices are in range.
    let unchecked = unsafe { Pick::on(&device).unwrap().unchecked() };
    let fine = unchecked.run(&vec![1.0, 2.0], &vec![1, 0]).unwrap();
    assert_eq!(fine.to_vec(), [2.0, 1.0]);
}

/// The element of the caller's array is named, with its row, and what was written.
#[test]
fn bad_indices_are_found_in_rows() {
    let device = common::device();
    let (mut columns, values) = (Array2::from_elem((3, 4), 1_u32), Array2::from_elem((3, 4), 2.0));
    columns[[2, 1]] = 9;
    let any = Sparse::on(&device).unwrap();
    for name in any.launcher().variant_names() {
        let sparse = any.variant(name).unwrap();
        let error = sparse.run(&columns, &values, &vec![1.0; 5]).unwrap_err().to_string();
        assert_eq!(
            error, "Sparse: `columns[2][1]` is 9, but `gather(c, xs)` takes indices in 0..5",
            "{name}"
        );
    }
    let error = Even::on(&device).unwrap().run(&vec![1.0; 5], &vec![0, 1, 2, 5]).unwrap_err().to_string();
    assert_eq!(error, "Even: index 3 of `xs.gather(keys.map(|k| 2 * k))` is 10, but must be in 0..5");
}

/// The index that occurs twice, and where in an array of one dimension.
fn duplicate<T: std::fmt::Debug>(result: lift::Result<T>, name: &str) -> (i64, [u64; 2]) {
    match result {
        Err(lift::Error::DuplicateIndex { operation: "scatter_to", indices, index, positions, .. }) => {
            assert_eq!(indices, name);
            (index, positions.map(|position| position.iter().sum()))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn duplicates_are_reported() {
    let device = common::device();
    let deposit = Deposit::on(&device).unwrap();
    let mut cells = ints(5, 0);
    let result = deposit.run(&mut cells, &vec![3, 1, 4, 1], &vec![10, 20, 30, 40]);
    assert_eq!(
        result.clone().unwrap_err().to_string(),
        "Deposit: `at[1]` and `at[3]` are both 1, but `scatter_to(cells, at, zip(gather(at, cells), amount).map(add))` \
         takes distinct indices"
    );
    assert_eq!(duplicate(result, "at"), (1, [1, 3]));
    // What the user has is as it was.
    assert_eq!(cells, ints(5, 0));

    let replaced = Replaced::on(&device).unwrap().run(&cells, &vec![0_i64, 4, 2, 4], &vec![5, 6, 7, 8]);
    assert_eq!(duplicate(replaced, "at"), (4, [1, 3]));

    let mut table = Array2::from_elem((4, 33), 1);
    let rows = Array2::from_elem((3, 33), 2);
    let result = Rows::on(&device).unwrap().run(&mut table, &vec![0_u8, 3, 0], &rows);
    assert_eq!(duplicate(result, "at"), (0, [0, 2]));

    // Many claims are zeroed in another way than few.
    let mut cells = ints(5000, 0);
    let at: Vec<i32> = (0..5000).map(|i| i * 7 % 5000).collect();
    deposit.run(&mut cells, &at, &vec![1; 5000]).unwrap();
    let at: Vec<i32> = at.iter().map(|k| if *k == 4999 { 4998 } else { *k }).collect();
    let twice = [at.iter().position(|k| *k == 4998), at.iter().rposition(|k| *k == 4998)];
    let result = deposit.run(&mut cells, &at, &vec![1; 5000]);
    assert_eq!(duplicate(result, "at"), (4998, twice.map(|position| position.unwrap() as u64)));

    let mut slots = ints(7, 0);
    let result = Slots::on(&device).unwrap().run(&mut slots, &vec![7_usize, 5, 14]);
    // These are computed.
    assert_eq!(duplicate(result, ""), (0, [0, 2]));
}

#[test]
fn the_same_index_in_other_rows_is_no_duplicate() {
    let device = common::device();
    let kernel = WithinRows::on(&device).unwrap();
    let (x, v) = (arr2(&[[1, 2, 3], [4, 5, 6]]), arr2(&[[10, 20], [30, 40]]));
    let found = kernel.run(&x, &arr2(&[[2, 0], [0, 2]]), &v).unwrap();
    assert_eq!(found, arr2(&[[21, 2, 11], [31, 5, 41]]));
}

#[test]
fn what_an_earlier_launch_wrote_is_no_duplicate() {
    let device = common::device();
    let (queue, deposit) = (device.queue().unwrap(), Deposit::on(&device).unwrap());
    let mut cells = device.upload(&[0; 3]).unwrap();
    let amount = device.upload(&[1, 10]).unwrap();
    for at in [[0, 1], [1, 0], [2, 1]] {
        let at = device.upload(&at).unwrap();
        deposit.launch(&queue, &mut cells, &at, &amount).unwrap();
    }
    assert_eq!(cells.download().unwrap().to_vec(), [11, 21, 1]);
    let bad = device.upload(&[2, 2]).unwrap();
    let event = deposit.launch(&queue, &mut cells, &bad, &amount).unwrap();
    assert_eq!(duplicate(event.wait(), "at"), (2, [0, 1]));
    assert_eq!(duplicate(cells.download(), "at"), (2, [0, 1]));
}

#[test]
fn duplicates_are_looked_for_on_request_only() {
    let device = common::device();
    let replaced = Replaced::on(&device).unwrap();
    let (xs, at, values) = (vec![0, 0, 0], vec![2_i64, 2], vec![5, 6]);
    // SAFETY: the indices are in range.
    let unchecked = unsafe { replaced.unchecked() };
    for kernel in [replaced.check_duplicates(false), unchecked.clone()] {
        let found = kernel.run(&xs, &at, &values).unwrap().to_vec();
        assert!(found == [1, 1, 6] || found == [1, 1, 7], "{found:?}");
    }
    let checked = unchecked.check_duplicates(true).run(&xs, &at, &values);
    assert_eq!(duplicate(checked, "at"), (2, [0, 1]));
    // Indices out of range are another matter.
    let result = replaced.check_duplicates(false).run(&xs, &vec![0_i64, 3], &values);
    assert!(
        matches!(&result, Err(lift::Error::IndexOutOfRange { position, index: 3, .. }) if position == &[1]),
        "{result:?}"
    );
    let mut slots = vec![0; 7];
    Slots::on(&device).unwrap().check_duplicates(false).run(&mut slots, &vec![7_usize, 5, 14]).unwrap();
    assert!(slots == [7, 0, 0, 0, 0, 5, 0] || slots == [14, 0, 0, 0, 0, 5, 0], "{slots:?}");
}
