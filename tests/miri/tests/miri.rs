//! What small kernels compute, and that Miri finds nothing in it.

#![forbid(unsafe_code)]

use lift::ndarray::{Array2, arr1, arr2};
use lift::{Device, Error};
use lift_miri_tests::*;

/// Longer than a strip of vectors, and not a multiple of one.
const LONG: usize = 133;

/// Enough for several parts, which threads share.
const IN_PARTS: usize = 3001;

#[test]
fn elements_of_work_items() {
    for n in [1, LONG, IN_PARTS] {
        let (x, y): (Vec<f32>, Vec<f32>) = (0..n).map(|i| (i as f32, 2.0 * i as f32)).unzip();
        let found = Saxpy::on(&Device::cpu()).unwrap().run(3.0, &x, &y).unwrap();
        assert!(found.iter().enumerate().all(|(i, v)| *v == 5.0 * i as f32), "{found}");
        let flags: Vec<bool> = (0..n).map(|i| i % 2 == 0).collect();
        let doubles: Vec<f64> = (0..n).map(|i| i as f64 - 3.0).collect();
        let found = Positive::on(&Device::cpu()).unwrap().run(&doubles, &flags).unwrap();
        assert!(found.iter().enumerate().all(|(i, v)| *v == (i > 3 && i % 2 == 0)), "{found}");
    }
}

#[test]
fn interiors_and_edges() {
    for (n, m) in [(1, 1), (3, 40)] {
        let x = Array2::from_shape_fn((n, m), |(i, j)| (i * 5 + j % 7) as f32);
        let found = Blur::on(&Device::cpu()).unwrap().run(&x).unwrap();
        let at = |i: usize, j: usize| x[[i.clamp(1, n) - 1, j.clamp(1, m) - 1]];
        let expected =
            Array2::from_shape_fn((n, m), |(i, j)| (0..9).map(|k| at(i + k / 3, j + k % 3)).sum::<f32>());
        assert_eq!(found, expected);
    }
    let found =
        Product::on(&Device::cpu()).unwrap().run(&arr2(&[[1.0, 2.0]]), &arr2(&[[3.0, 4.0], [5.0, 6.0]]));
    assert_eq!(found.unwrap(), arr2(&[[13.0, 16.0]]));
}

#[test]
fn several_launches() {
    let x: Vec<i32> = (0..LONG as i32).collect();
    assert_eq!(Sum::on(&Device::cpu()).unwrap().run(&x).unwrap(), 133 * 66);
    let mut sim = Heat::on(&Device::cpu()).unwrap().start(&[0.0, 4.0, 0.0]).unwrap();
    sim.run(2).unwrap();
    assert_eq!(sim.u().unwrap(), arr1(&[1.25, 1.5, 1.25]));
}

#[test]
fn columns_of_work_items() {
    let x = Array2::from_shape_fn((3, 20), |(i, j)| (i * 20 + j) as i32);
    let found = Turned::on(&Device::cpu()).unwrap().run(&x).unwrap();
    assert_eq!(found, x.t().mapv(|v| 2 * v));
    for m in [1, 20, LONG] {
        let x = Array2::from_shape_fn((3, m), |(i, j)| (i * m + j) as i32);
        let found = Down::on(&Device::cpu()).unwrap().run(&x).unwrap();
        let sum = |i: usize, j: usize| (0..=i).map(|k| x[[k, j]]).sum::<i32>();
        assert_eq!(found, Array2::from_shape_fn((3, m), |(i, j)| sum(i, j)));
    }
}

#[test]
fn arrays_that_all_write() {
    let found = Joined::on(&Device::cpu()).unwrap().run(&[2, 3], &[7, 8]).unwrap();
    assert_eq!(found.to_vec(), [-1, 4, 9, 7, 8]);
}

#[test]
fn places_from_data() {
    let pick = Pick::on(&Device::cpu()).unwrap();
    assert_eq!(pick.run(&[5, 6, 7], &[2, 0]).unwrap().to_vec(), [7, 5]);
    assert!(matches!(pick.run(&[5, 6, 7], &[3]), Err(Error::IndexOutOfRange { .. })));
    let deposit = Deposit::on(&Device::cpu()).unwrap().check_duplicates(true);
    let mut cells = vec![1, 2, 3];
    deposit.run(&mut cells, &[2, 0], &[10, 20]).unwrap();
    assert_eq!(cells, [21, 2, 13]);
    assert!(matches!(deposit.run(&mut cells, &[1, 1], &[1, 1]), Err(Error::DuplicateIndex { .. })));
    assert_eq!(cells, [21, 2, 13]);
}

#[test]
fn arrays_are_replaced() {
    let mut line: Vec<i32> = vec![1, 2, 3, 4];
    assert_eq!(Relax::on(&Device::cpu()).unwrap().run(&mut line).unwrap(), 10);
    assert_eq!(line, [6, 4, 6, 4]);
}
