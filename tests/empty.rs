//! Arrays without elements, as users meet them: results where there are some, and what a launch says where there are none.

use common::device;
use lift::prelude::*;

lift!(
    #[kernel]
    pub fn Clamped<N>(x: [i32; N]) -> [i32; N] {
        x.drop(1).pad(1, 0, clamp)
    }

    #[kernel]
    pub fn Wrapped<N, K>(x: [i32; N], idx: [i32; K]) -> ([i32; N + 1], [i32; K]) {
        (x.drop(1).pad(1, 1, wrap), gather(idx, x.take(N - 1)))
    }

    #[kernel]
    pub fn Bent<N>(x: [i32; N]) -> [i32; N] {
        x.drop(1).pad(0, 1, |i, n| if i < n { 0 } else { n - 1 })
    }

    #[kernel]
    pub fn Sums<N>(x: [i32; N], y: [i32; N - 1]) -> (i32, i32, [i32; N - 1]) {
        (x.take(N - 1).reduce(add, 0), y.map(|v| v * v).reduce(max, 7), x.drop(1).scan(add, 0))
    }

    #[kernel]
    pub fn Parts<N, M>(x: [i32; N], _y: [i32; M]) -> [i32; N / (M - 1)] {
        x.take(N / (M - 1)).map(|v| v + 1)
    }

    #[kernel]
    pub fn Slopes<N>(x: [i32; N]) -> [i32; N - 3] {
        x.slide(4, 1).map(|w| w[3] - w[0])
    }

    #[kernel]
    pub fn Steepest<N>(x: [i32; N]) -> (i32, [i32; max(N - 3, 0)]) {
        let slopes = x.slide(4, 1).map(|w| w[3] - w[0]);
        (slopes.reduce(max, i32::MIN), slopes)
    }

    #[kernel]
    pub fn Beside<N>(x: [i32; N]) -> ([i32; N], [i32; N - 3]) {
        (x.map(|v| v + 1), x.slide(4, 1).map(|w| w[3] - w[0]))
    }

    #[kernel]
    pub fn Blocks<N, M>(x: [[i32; M]; N]) -> [[i32; M - 2]; N - 1] {
        x.slide2d(2, 1, 3, 1).map2d(|w| w.join().reduce(add, 0))
    }

    #[kernel]
    pub fn Every<N>(x: [i32; N]) -> ([i32; max(N - 1, 0) / 2], i32) {
        let sums = x.slide(3, 2).map(reduce(add, 0));
        (sums, sums.reduce(add, 0))
    }

    #[kernel]
    pub fn Framed<N>(x: [i32; N]) -> [i32; max(N - 3, 0) + 2] {
        x.slide(4, 1).map(|w| w[3] - w[0]).pad(1, 1, constant(7))
    }

    #[kernel]
    pub fn Repeated<N>(x: [i32; N]) -> [i32; max(N - 3, 0) + 2] {
        x.slide(4, 1).map(|w| w[3] - w[0]).pad(1, 1, clamp)
    }

    #[kernel]
    pub fn Into<N>(x: [i32; N], y: &mut [i32; N - 3]) {
        write_to(y, x.slide(4, 1).map(|w| w[3] - w[0]));
    }

    fn slopes<n>(x: [i32; n]) -> [i32; n - 3] {
        x.slide(4, 1).map(|w| w[3] - w[0])
    }

    #[kernel]
    pub fn Called<N>(x: [i32; N]) -> [i32; N - 3] {
        slopes(x)
    }

    #[kernel]
    pub fn Longer<N>(x: [i32; N + 3]) -> [i32; N + 1] {
        x.take(N).pad(1, 0, clamp)
    }
);

/// A boundary that repeats elements is checked at launch where there may be none.
#[test]
fn boundaries_need_an_element_to_repeat() {
    let clamped = Clamped::on(&device()).unwrap();
    assert_eq!(clamped.run(&[1, 2]).unwrap().to_vec(), [2, 2]);
    let error = clamped.run(&[1]).unwrap_err();
    assert_eq!(error.to_string(), "Clamped: `pad` needs an element to repeat, but its array has N - 1 = 0");
    let wrapped = Wrapped::on(&device()).unwrap();
    assert_eq!(wrapped.run(&[1, 2], &[0]).unwrap().0.to_vec(), [2, 2, 2]);
    let error = wrapped.run(&[1], &[0]).unwrap_err();
    assert_eq!(error.to_string(), "Wrapped: `pad` needs an element to repeat, but its array has N - 1 = 0");
    let bent = Bent::on(&device()).unwrap();
    assert_eq!(bent.run(&[1, 2, 3]).unwrap().to_vec(), [2, 3, 3]);
    let error = bent.run(&[1]).unwrap_err();
    assert_eq!(error.to_string(), "Bent: `pad` needs an element to repeat, but its array has N - 1 = 0");
}

/// Whole arrays without elements are reduced to the start, and have no prefixes; an argument may be one.
#[test]
fn reductions_of_nothing_are_their_start() {
    let sums = Sums::on(&device()).unwrap();
    let (sum, largest, prefixes) = sums.run(&[5], &[]).unwrap();
    assert_eq!((sum, largest, prefixes.to_vec()), (0, 7, vec![]));
    let (sum, largest, prefixes) = sums.run(&[5, 6, 7], &[2, 3]).unwrap();
    assert_eq!((sum, largest, prefixes.to_vec()), (11, 9, vec![6, 13]));
}

#[test]
fn sizes_are_divided_by_one_at_least() {
    let parts = Parts::on(&device()).unwrap();
    assert_eq!(parts.run(&[1, 2, 3], &[0, 0, 0]).unwrap().to_vec(), [2]);
    let error = parts.run(&[1, 2, 3], &[0]).unwrap_err();
    assert_eq!(error.to_string(), "Parts: a size is divided by M - 1 = 0");
}

/// Everything is proved for sizes from 1 on, also where an array of a smaller one has elements.
#[test]
fn sizes_are_one_at_least() {
    let longer = Longer::on(&device()).unwrap();
    assert_eq!(longer.run(&[1, 2, 3, 4]).unwrap().to_vec(), [1, 1]);
    let error = longer.run(&[1, 2, 3]).unwrap_err();
    assert_eq!(error.to_string(), "Longer: N must be at least 1, but `x` is so short that it is 0");
}

/// An array that is shorter than a window has none, and of no windows nothing is written.
#[test]
fn there_are_no_windows_in_what_is_shorter() {
    let slopes = Slopes::on(&device()).unwrap();
    for (x, expected) in [(vec![1], vec![]), (vec![1, 2, 3], vec![]), (vec![1, 2, 3, 9, 4], vec![8, 2])] {
        assert_eq!(slopes.run(&x).unwrap().to_vec(), expected, "{x:?}");
    }
    let called = Called::on(&device()).unwrap();
    assert!(called.run(&[1]).unwrap().is_empty());
    assert_eq!(called.run(&[1, 2, 3, 9]).unwrap().to_vec(), [8]);
    let blocks = Blocks::on(&device()).unwrap();
    assert_eq!(blocks.run(&[[1]]).unwrap().shape(), [0, 0]);
    assert_eq!(blocks.run(&[[1], [2], [3]]).unwrap().shape(), [2, 0]);
    assert_eq!(blocks.run(&[[1, 2, 3, 4]]).unwrap().shape(), [0, 2]);
    assert_eq!(blocks.run(&[[1, 2, 3], [4, 5, 6]]).unwrap().into_raw_vec_and_offset().0, [21]);
    let closure = lift!(|x: [i32; N]| x.slide(4, 1).map(|w| w[3] - w[0])).on(&device()).unwrap();
    assert!(closure.run(&[1, 2]).unwrap().is_empty());
    assert_eq!(closure.run(&[1, 2, 3, 9]).unwrap().to_vec(), [8]);
    let into = Into::on(&device()).unwrap();
    let mut y = vec![0; 1];
    into.run(&[1, 2, 3, 9], &mut y).unwrap();
    assert_eq!(y, [8]);
}

/// What else a kernel computes of them is that of an array without elements.
#[test]
fn no_windows_are_an_array_without_elements() {
    let steepest = Steepest::on(&device()).unwrap();
    for (x, most, expected) in
        [(vec![1], i32::MIN, vec![]), (vec![1, 2, 3], i32::MIN, vec![]), (vec![1, 2, 3, 9, 4], 8, vec![8, 2])]
    {
        let (found, slopes) = steepest.run(&x).unwrap();
        assert_eq!((found, slopes.to_vec()), (most, expected), "{x:?}");
    }
    let every = Every::on(&device()).unwrap();
    for (x, sum, expected) in [
        (vec![1], 0, vec![]),
        (vec![1, 2], 0, vec![]),
        (vec![1, 2, 3], 6, vec![6]),
        (vec![1, 2, 3, 4, 5], 18, vec![6, 12]),
    ] {
        let (sums, found) = every.run(&x).unwrap();
        assert_eq!((found, sums.to_vec()), (sum, expected), "{x:?}");
    }
    let error = every.run(&[1, 2, 3, 4]).unwrap_err();
    assert_eq!(error.to_string(), "Every: `slide(3, 2)` over N elements would leave 1 of them out (N = 4)");
    let framed = Framed::on(&device()).unwrap();
    assert_eq!(framed.run(&[1]).unwrap().to_vec(), [7, 7]);
    assert_eq!(framed.run(&[1, 2, 3, 9]).unwrap().to_vec(), [7, 8, 7]);
    let repeated = Repeated::on(&device()).unwrap();
    assert_eq!(repeated.run(&[1, 2, 3, 9]).unwrap().to_vec(), [8, 8, 8]);
    let error = repeated.run(&[1]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Repeated: `pad` needs an element to repeat, but its array has max(N - 3, 0) = 0"
    );
    let beside = Beside::on(&device()).unwrap();
    let (next, slopes) = beside.run(&[1, 2, 3]).unwrap();
    assert_eq!((next.to_vec(), slopes.to_vec()), (vec![2, 3, 4], vec![]));
    let error = beside.run(&[1]).unwrap_err();
    assert_eq!(error.to_string(), "Beside: the result would have N - 3 = -2 elements, with N = 1");
}
