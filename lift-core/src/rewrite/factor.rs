//! A matrix as a short sum of columns times rows.
//!
//! Exactly: floats are whole numbers times a power of two, so that rows of whole numbers are all there is to think about. Rows are
//! taken from each other, as in Euclid's algorithm, until few are left that are not zero; what was taken how often are the columns. No
//! number is ever rounded: what does not fit is not factored.

use crate::ir::{Literal, Scalar};

/// Columns and rows: the matrix is the sum of their products, one by one.
#[derive(Debug, Clone, PartialEq)]
pub struct Factors {
    /// One for each product.
    pub columns: Vec<Vec<Literal>>,
    /// One for each product.
    pub rows: Vec<Vec<Literal>>,
}

/// Rows of whole numbers.
type Whole = Vec<Vec<i128>>;

/// So many products are a short sum, at most.
pub const SHORT: usize = 3;

/// The sum of the magnitudes of all products is at most so many times that of the weights: more than that, and
/// differences of large numbers would lose what floats can tell apart.
const MOST_CANCELLED: f64 = 4.0;

/// Whole numbers of more bits are left alone.
const MOST_BITS: u32 = 100;

/// Numbers between 2 to the power of this and of minus this are scaled.
const MOST_EXPONENT: i32 = 1000;

/// Rows are subtracted from each other so many times to make them short, at most.
const MOST_ROUNDS: usize = 64;

/// The exact factors of a matrix, if so few products are less work than the matrix.
pub fn exact(w: &[Vec<Literal>]) -> Option<Factors> {
    let columns = w.first()?.len();
    let most = (1..=SHORT).rev().find(|rank| is_worth_while(*rank, w.len(), columns))?;
    let scalar = w.first()?.first()?.scalar();
    let (whole, exponent) = whole(w, scalar)?;
    if !has_rank(&whole, most) {
        return None;
    }
    let (mut left, mut right) = lattice(whole)?;
    if left.is_empty() {
        return None;
    }
    shorten(&mut left, &mut right)?;
    for (a, b) in left.iter_mut().zip(&mut right) {
        if b.iter().find(|x| **x != 0).is_some_and(|x| *x < 0) {
            a.iter_mut().chain(b).for_each(|x| *x = -*x);
        }
    }
    let literals = |scaled: Vec<(&Vec<i128>, i32)>| -> Option<Vec<Vec<Literal>>> {
        let of = |(xs, k): (&Vec<i128>, i32)| xs.iter().map(|x| literal(*x, k, scalar)).collect();
        scaled.into_iter().map(of).collect()
    };
    // Both factors of a product are about as large.
    let shifts: Vec<i32> =
        left.iter().zip(&right).map(|(a, b)| (bits(a) + exponent - bits(b)).div_euclid(2)).collect();
    let factors = Factors {
        columns: literals(left.iter().zip(&shifts).map(|(a, k)| (a, exponent - k)).collect())?,
        rows: literals(right.iter().zip(&shifts).map(|(b, k)| (b, *k)).collect())?,
    };
    (!scalar.is_float() || is_stable(w, &factors)).then_some(factors)
}

/// Whether so many passes along rows and columns take at most three quarters of the work.
pub fn is_worth_while(rank: usize, rows: usize, columns: usize) -> bool {
    4 * rank * (rows + columns) <= 3 * rows * columns
}

/// The matrix as whole numbers times 2 to the power of the second.
fn whole(w: &[Vec<Literal>], scalar: Scalar) -> Option<(Whole, i32)> {
    if !scalar.is_float() {
        let rows = w.iter().map(|row| row.iter().map(|x| x.as_int()).collect::<Option<_>>());
        return Some((rows.collect::<Option<_>>()?, 0));
    }
    let parts: Vec<Vec<(i128, i32)>> = w
        .iter()
        .map(|row| row.iter().map(|x| x.as_float().and_then(parts)).collect::<Option<_>>())
        .collect::<Option<_>>()?;
    let exponent = parts.iter().flatten().filter(|(m, _)| *m != 0).map(|(_, e)| *e).min()?;
    let shifted = |(m, e): &(i128, i32)| match u32::try_from(e - exponent) {
        _ if *m == 0 => Some(0),
        Ok(k) if k + (128 - m.unsigned_abs().leading_zeros()) <= MOST_BITS => Some(m << k),
        Ok(_) | Err(_) => None,
    };
    let rows = parts.iter().map(|row| row.iter().map(shifted).collect::<Option<_>>());
    Some((rows.collect::<Option<_>>()?, exponent))
}

/// A float as an odd number times a power of two, or zero.
fn parts(x: f64) -> Option<(i128, i32)> {
    if !x.is_finite() {
        return None;
    }
    let (bits, biased) = (x.to_bits(), ((x.to_bits() >> 52) & 0x7ff) as i32);
    let fraction = i128::from(bits & ((1 << 52) - 1));
    let (m, e) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    let zeros = if m == 0 { 0 } else { m.trailing_zeros() };
    let m = m >> zeros;
    Some((if x < 0.0 { -m } else { m }, e + zeros as i32))
}

/// `x` times 2 to the power of `k`, if the type has exactly that.
fn literal(x: i128, k: i32, scalar: Scalar) -> Option<Literal> {
    if !scalar.is_float() {
        // Products and sums of wrapped numbers are the wrapped products and sums.
        return Some(Literal::int(x, scalar));
    }
    if x == 0 {
        return Some(Literal::float(0.0, scalar));
    }
    let zeros = x.trailing_zeros();
    let (odd, k) = (x >> zeros, k + zeros as i32);
    if odd.unsigned_abs() >= 1 << 53 || k.abs() > MOST_EXPONENT {
        return None;
    }
    let value = odd as f64 * 2.0_f64.powi(k);
    let literal = Literal::float(value, scalar);
    // Small numbers that lose digits are as good as zero on some devices.
    let smallest = match scalar {
        Scalar::F16 => 2.0_f64.powi(-14),
        Scalar::F32 => f64::from(f32::MIN_POSITIVE),
        _ => f64::MIN_POSITIVE,
    };
    (literal.as_float() == Some(value) && value.abs() >= smallest).then_some(literal)
}

/// The number of bits of the largest number.
fn bits(xs: &[i128]) -> i32 {
    xs.iter().map(|x| 128 - x.unsigned_abs().leading_zeros() as i32).max().unwrap_or(0)
}

/// The remainders of numbers by this prime make a field.
const PRIME: i128 = (1 << 61) - 1;

/// Whether no more than `most` rows are independent, as far as remainders tell; if more are, they tell.
fn has_rank(w: &[Vec<i128>], most: usize) -> bool {
    // With the column in which each has a one.
    let mut basis: Vec<(usize, Vec<i128>)> = Vec::new();
    for row in w {
        let mut row: Vec<i128> = row.iter().map(|x| x.rem_euclid(PRIME)).collect();
        for (c, known) in &basis {
            let times = row[*c];
            row.iter_mut().zip(known).for_each(|(x, y)| *x = (*x - times * y % PRIME).rem_euclid(PRIME));
        }
        let Some(c) = row.iter().position(|x| *x != 0) else { continue };
        if basis.len() == most {
            return false;
        }
        let inverse = inverse(row[c]);
        row.iter_mut().for_each(|x| *x = *x * inverse % PRIME);
        basis.push((c, row));
    }
    true
}

/// The number with which the product leaves 1.
fn inverse(x: i128) -> i128 {
    let (mut result, mut power, mut left) = (1, x, PRIME - 2);
    while left > 0 {
        if left % 2 == 1 {
            result = result * power % PRIME;
        }
        power = power * power % PRIME;
        left /= 2;
    }
    result
}

/// The rows that are left when multiples of rows are taken from each other as often as possible, and how often each is in every row of
/// the matrix: columns and rows, whose products are the matrix.
fn lattice(mut rows: Whole) -> Option<(Whole, Whole)> {
    let count = rows.len();
    let mut columns: Vec<Vec<i128>> =
        (0..count).map(|i| (0..count).map(|k| i128::from(i == k)).collect()).collect();
    let width = rows.first()?.len();
    let mut done = 0;
    for c in 0..width {
        loop {
            let open = (done..count).filter(|i| rows[*i][c] != 0);
            let Some(pivot) = open.min_by_key(|i| rows[*i][c].unsigned_abs()) else { break };
            rows.swap(done, pivot);
            columns.swap(done, pivot);
            for i in done + 1..count {
                let times = nearest(rows[i][c], rows[done][c])?;
                subtract(&mut rows, &mut columns, i, done, times)?;
            }
            if rows[done + 1..].iter().all(|row| row[c] == 0) {
                done += 1;
                break;
            }
        }
    }
    rows.truncate(done);
    columns.truncate(done);
    Some((columns, rows))
}

/// Takes row `from` from row `i` so many times. The products stay the same together.
fn subtract(
    rows: &mut [Vec<i128>],
    columns: &mut [Vec<i128>],
    i: usize,
    from: usize,
    times: i128,
) -> Option<()> {
    if times == 0 {
        return Some(());
    }
    let (row, column) = (rows[from].clone(), columns[i].clone());
    for (x, y) in rows[i].iter_mut().zip(row) {
        *x = x.checked_sub(y.checked_mul(times)?)?;
    }
    for (x, y) in columns[from].iter_mut().zip(column) {
        *x = x.checked_add(y.checked_mul(times)?)?;
    }
    Some(())
}

/// The whole number nearest to a quotient.
fn nearest(x: i128, by: i128) -> Option<i128> {
    let half = by.checked_abs()? / 2;
    let up = if x < 0 { x.checked_sub(half)? } else { x.checked_add(half)? };
    up.checked_div(by)
}

/// Makes rows shorter by taking others from them, as long as that is possible.
fn shorten(columns: &mut [Vec<i128>], rows: &mut [Vec<i128>]) -> Option<()> {
    for _ in 0..MOST_ROUNDS {
        let pairs =
            (0..rows.len()).flat_map(|i| (0..rows.len()).map(move |k| (i, k))).filter(|(i, k)| i != k);
        let mut step = None;
        for (i, k) in pairs {
            let times = nearest(dot(&rows[i], &rows[k])?, dot(&rows[k], &rows[k])?)?;
            if times != 0 {
                step = Some((i, k, times));
                break;
            }
        }
        let Some((i, k, times)) = step else { break };
        let before = dot(&rows[i], &rows[i])?;
        subtract(rows, columns, i, k, times)?;
        if dot(&rows[i], &rows[i])? >= before {
            subtract(rows, columns, i, k, -times)?;
            break;
        }
    }
    Some(())
}

fn dot(a: &[i128], b: &[i128]) -> Option<i128> {
    a.iter().zip(b).try_fold(0i128, |sum, (x, y)| sum.checked_add(x.checked_mul(*y)?))
}

/// Whether the products are not much larger than what they add up to.
fn is_stable(w: &[Vec<Literal>], factors: &Factors) -> bool {
    let size = |xs: &[Literal]| xs.iter().filter_map(|x| x.as_float()).map(f64::abs).sum::<f64>();
    let products: f64 = factors.columns.iter().zip(&factors.rows).map(|(a, b)| size(a) * size(b)).sum();
    products <= MOST_CANCELLED * w.iter().map(|row| size(row)).sum::<f64>()
}
