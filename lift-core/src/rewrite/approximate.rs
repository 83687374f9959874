//! A matrix that is nearly a short sum of columns times rows.
//!
//! The sum with the least squares of errors is made of singular vectors, which rotations of pairs of columns lead to (one-sided Jacobi): when
//! all columns are orthogonal, they are those of the sum, and the rotations together its rows. The errors are counted with
//! the numbers as the type of the weights has them.

use crate::ir::{Literal, Scalar};
use crate::rewrite::factor::{Factors, SHORT, is_worth_while};

/// Rotations of all pairs; they are orthogonal long before.
const SWEEPS: usize = 40;

/// Pairs of columns with a smaller cosine are orthogonal.
const ORTHOGONAL: f64 = 1e-15;

/// Factors of floats nearly like these, as few as possible: none differs by more than this part of the largest of them. None if
/// more work would remain than there was.
pub fn approximate(w: &[Vec<Literal>], tolerance: f64) -> Option<Factors> {
    let scalar = w.first()?.first()?.scalar();
    let numbers = |row: &Vec<Literal>| row.iter().map(|x| x.as_float().filter(|x| x.is_finite())).collect();
    let w: Vec<Vec<f64>> = w.iter().map(numbers).collect::<Option<_>>()?;
    let width = w.first()?.len();
    let largest = w.iter().flatten().fold(0.0, |largest: f64, x| largest.max(x.abs()));
    let products = products(&w, scalar);
    let worth_while = (1..=SHORT.min(products.len())).filter(|rank| is_worth_while(*rank, w.len(), width));
    worth_while.map(|rank| &products[..rank]).find(|sum| error(&w, sum) <= tolerance * largest).map(|sum| {
        Factors {
            columns: sum.iter().map(|(column, _)| literals(column, scalar)).collect(),
            rows: sum.iter().map(|(_, row)| literals(row, scalar)).collect(),
        }
    })
}

fn literals(xs: &[f64], scalar: Scalar) -> Vec<Literal> {
    xs.iter().map(|x| Literal::float(*x, scalar)).collect()
}

/// The largest difference between the matrix and a sum of products.
fn error(w: &[Vec<f64>], sum: &[(Vec<f64>, Vec<f64>)]) -> f64 {
    let difference = |(i, row): (usize, &Vec<f64>)| {
        let each = row
            .iter()
            .enumerate()
            .map(|(k, x)| (x - sum.iter().map(|(a, b)| a[i] * b[k]).sum::<f64>()).abs());
        each.fold(0.0, f64::max)
    };
    w.iter().enumerate().map(difference).fold(0.0, f64::max)
}

/// Columns and rows, the largest products first, rounded to the type.
fn products(w: &[Vec<f64>], scalar: Scalar) -> Vec<(Vec<f64>, Vec<f64>)> {
    let width = w.first().map_or(0, Vec::len);
    let mut columns: Vec<Vec<f64>> = (0..width).map(|k| w.iter().map(|row| row[k]).collect()).collect();
    let mut turns: Vec<Vec<f64>> =
        (0..width).map(|k| (0..width).map(|i| f64::from(i == k)).collect()).collect();
    for _ in 0..SWEEPS {
        let mut turned = false;
        for p in 0..width {
            for q in p + 1..width {
                let (long, other) = (dot(&columns[p], &columns[p]), dot(&columns[q], &columns[q]));
                let both = dot(&columns[p], &columns[q]);
                if both == 0.0 || both.abs() <= ORTHOGONAL * (long * other).sqrt() {
                    continue;
                }
                turned = true;
                let ratio = (other - long) / (2.0 * both);
                let tangent = 1.0_f64.copysign(ratio) / (ratio.abs() + ratio.hypot(1.0));
                let cosine = 1.0 / tangent.hypot(1.0);
                for vectors in [&mut columns, &mut turns] {
                    turn(vectors, (p, q), cosine, cosine * tangent);
                }
            }
        }
        if !turned {
            break;
        }
    }
    let mut products: Vec<(f64, Vec<f64>, Vec<f64>)> = columns
        .into_iter()
        .zip(turns)
        .map(|(column, row)| (dot(&column, &column).sqrt(), column, row))
        .collect();
    products.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rounded = |x: f64| Literal::float(x, scalar).as_float().unwrap_or(x);
    let balanced = |(size, column, row): (f64, Vec<f64>, Vec<f64>)| {
        // Both factors are about as large, and the largest number of the row is positive.
        let largest = row.iter().copied().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(1.0);
        let scale = size.sqrt().copysign(largest);
        let column = column.iter().map(|x| rounded(x / scale)).collect();
        (column, row.iter().map(|x| rounded(x * scale)).collect())
    };
    products.into_iter().filter(|(size, ..)| *size > 0.0).map(balanced).collect()
}

/// Rotates two of the vectors.
fn turn(vectors: &mut [Vec<f64>], (p, q): (usize, usize), cosine: f64, sine: f64) {
    for i in 0..vectors[p].len() {
        let (x, y) = (vectors[p][i], vectors[q][i]);
        vectors[p][i] = cosine * x - sine * y;
        vectors[q][i] = sine * x + cosine * y;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(n: usize, m: usize, weight: impl Fn(f64, f64) -> f64) -> Vec<Vec<f64>> {
        let at = |i: usize, n: usize| i as f64 - (n as f64 - 1.0) / 2.0;
        (0..n).map(|i| (0..m).map(|k| weight(at(i, n), at(k, m))).collect()).collect()
    }

    fn found(w: &[Vec<f64>], scalar: Scalar, tolerance: f64) -> Option<usize> {
        let literals: Vec<Vec<Literal>> = w.iter().map(|row| literals(row, scalar)).collect();
        let factors = approximate(&literals, tolerance)?;
        let value = |x: &Literal| x.as_float().unwrap();
        let largest = w.iter().flatten().fold(0.0, |largest: f64, x| largest.max(x.abs()));
        for (i, row) in literals.iter().enumerate() {
            for (k, x) in row.iter().enumerate() {
                let products =
                    factors.columns.iter().zip(&factors.rows).map(|(a, b)| value(&a[i]) * value(&b[k]));
                assert!((products.sum::<f64>() - value(x)).abs() <= tolerance * largest);
            }
        }
        Some(factors.rows.len())
    }

    #[test]
    fn bells_are_a_product_up_to_rounding() {
        let bell = matrix(17, 17, |x, y| (-(x * x + y * y) / 18.0).exp());
        assert_eq!(found(&bell, Scalar::F32, 1e-6), Some(1));
        assert_eq!(found(&bell, Scalar::F16, 1e-6), None);
        assert_eq!(found(&bell, Scalar::F16, 2e-3), Some(1));
        assert_eq!(found(&bell, Scalar::F64, 1e-13), Some(1));
        let difference =
            matrix(9, 11, |x, y| 2.0 * (-(x * x + y * y) / 4.0).exp() - (-(x * x + y * y) / 9.0).exp());
        assert_eq!(found(&difference, Scalar::F32, 1e-6), Some(2));
        assert_eq!(found(&difference, Scalar::F32, 0.5), Some(1));
        // A disc takes many products, and fewer the less it matters.
        let disc = matrix(17, 17, |x, y| f64::from(u8::from(x * x + y * y < 64.0)));
        assert_eq!(found(&disc, Scalar::F32, 1e-3), None);
        assert_eq!(found(&disc, Scalar::F32, 0.9), Some(1));
        assert_eq!(found(&matrix(7, 7, |_, _| 0.0), Scalar::F32, 0.1), None);
    }

    #[test]
    fn all_products_together_are_the_matrix() {
        let mut seed = 9_u64;
        for (n, m) in [(1, 1), (3, 7), (7, 3), (12, 12)] {
            let mut number = || {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                ((seed >> 33) % 2001) as f64 / 1000.0 - 1.0
            };
            let w: Vec<Vec<f64>> = (0..n).map(|_| (0..m).map(|_| number()).collect()).collect();
            assert!(error(&w, &products(&w, Scalar::F64)) < 1e-13);
        }
    }
}
