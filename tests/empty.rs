//! Arrays without elements, as users meet them: results where there are some, and what a launch says where there are none.

mod common;

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
