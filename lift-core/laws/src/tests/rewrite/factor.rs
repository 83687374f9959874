//! Matrices as products.

use lift_core::ir::{Literal, Scalar};
use lift_core::rewrite::factor::{Factors, exact, is_worth_while};

use crate::testing::Random;

fn matrix(scalar: Scalar, rows: &[&[f64]]) -> Vec<Vec<Literal>> {
    let number = |x: &f64| match scalar.is_float() {
        true => Literal::float(*x, scalar),
        false => Literal::int(*x as i128, scalar),
    };
    rows.iter().map(|row| row.iter().map(number).collect()).collect()
}

/// What the products add up to: exact in 64-bit floats for the matrices here.
fn product(factors: &Factors, i: usize, k: usize) -> f64 {
    let value = |x: &Literal| x.as_float().or(x.as_int().map(|x| x as f64)).unwrap();
    factors.columns.iter().zip(&factors.rows).map(|(a, b)| value(&a[i]) * value(&b[k])).sum()
}

fn bells(n: usize) -> Vec<f64> {
    (0..n).scan(1.0, |c, i| Some(std::mem::replace(c, *c * (n - 1 - i) as f64 / (i + 1) as f64))).collect()
}

#[test]
fn binomial_weights_are_a_product() {
    for (n, scalar) in
        [(3, Scalar::F16), (5, Scalar::F32), (9, Scalar::F32), (17, Scalar::F64), (9, Scalar::I32)]
    {
        let bell = bells(n);
        let scale = if scalar.is_float() { 0.5_f64.powi(8) } else { 1.0 };
        let rows: Vec<Vec<f64>> = bell.iter().map(|a| bell.iter().map(|b| a * b * scale).collect()).collect();
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        let factors = exact(&matrix(scalar, &rows)).unwrap();
        assert_eq!(factors.rows.len(), 1);
        for (i, row) in rows.iter().enumerate() {
            for (k, x) in row.iter().enumerate() {
                assert_eq!(product(&factors, i, k), *x, "{scalar:?} {n}");
            }
        }
    }
}

#[test]
fn a_bit_more_is_no_product() {
    let mut rows = [[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]];
    assert!(exact(&matrix(Scalar::F32, &rows.each_ref().map(|row| &row[..]))).is_some());
    rows[1][1] = f64::from(4.0f32.next_up());
    assert_eq!(exact(&matrix(Scalar::F32, &rows.each_ref().map(|row| &row[..]))), None);
    rows[1][1] = f64::NAN;
    assert_eq!(exact(&matrix(Scalar::F32, &rows.each_ref().map(|row| &row[..]))), None);
    // Two passes over three points are more work than nine points.
    let laplace = [[0.0, 1.0, 0.0], [1.0, -4.0, 1.0], [0.0, 1.0, 0.0]];
    assert_eq!(exact(&matrix(Scalar::I32, &laplace.each_ref().map(|row| &row[..]))), None);
    let none = [[0.0; 3]; 3];
    assert_eq!(exact(&matrix(Scalar::F32, &none.each_ref().map(|row| &row[..]))), None);
}

#[test]
fn sharpening_is_two_products() {
    let mut rows = [[-1.0; 7]; 7];
    rows[3][3] = 97.0;
    for scalar in [Scalar::F32, Scalar::I32] {
        let factors = exact(&matrix(scalar, &rows.each_ref().map(|row| &row[..]))).unwrap();
        assert_eq!(factors.rows.len(), 2);
        for (i, row) in rows.iter().enumerate() {
            for (k, x) in row.iter().enumerate() {
                assert_eq!(product(&factors, i, k), *x);
            }
        }
    }
}

#[test]
fn random_sums_of_products_are_found() {
    let mut random = Random::new(5);
    let mut found = [0; 5];
    for _ in 0..400 {
        let rank = 1 + random.below(4) as usize;
        let (n, m) = (3 + random.below(9) as usize, 3 + random.below(9) as usize);
        let mut rows = vec![vec![0.0; m]; n];
        for _ in 0..rank {
            let b: Vec<f64> = (0..m).map(|_| random.below(31) as f64 - 15.0).collect();
            for row in &mut rows {
                let a = random.below(31) as f64 - 15.0;
                row.iter_mut().zip(&b).for_each(|(x, b)| *x += a * b);
            }
        }
        let rows: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
        for scalar in [Scalar::F64, Scalar::I64] {
            let Some(factors) = exact(&matrix(scalar, &rows)) else { continue };
            found[factors.rows.len()] += 1;
            assert!(is_worth_while(factors.rows.len(), n, m));
            for (i, row) in rows.iter().enumerate() {
                for (k, x) in row.iter().enumerate() {
                    assert_eq!(product(&factors, i, k), *x, "{rows:?}");
                }
            }
        }
    }
    assert!(found[1] > 100 && found[2] > 50 && found[3] > 10, "{found:?}");
}
