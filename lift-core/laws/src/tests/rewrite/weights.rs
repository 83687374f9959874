//! Constants as numbers.

use lift_core::rewrite::normalise;
use lift_core::rewrite::weights::matrix;

use crate::testing::kernel;

/// The rows of a constant of two rows and three columns.
fn rows(constant: &str, scalar: &str) -> Option<String> {
    let text = format!("#[kernel] fn Constant() -> [[{scalar}; 3]; 2] {{ {constant} }}");
    let rows = matrix(&normalise(&kernel(&text)))?;
    Some(rows.iter().map(|row| row.iter().map(|x| format!("{x} ")).collect::<String>() + "/ ").collect())
}

#[test]
fn constants_are_what_the_four_operations_make_of_numbers() {
    for (text, scalar, expected) in [
        (
            "[[1.0, -2.5, 0.1], [1.0 / 3.0, 2.0 * 0.1, 0.1 + 0.2]]",
            "f32",
            "1.0 -2.5 0.1 / 0.33333334 0.2 0.3 / ",
        ),
        ("[[1, 2, 3], [4, 5, 6]]", "u8", "1 2 3 / 4 5 6 / "),
        ("[[200 + 100, 16 * 17, 3 - 4], [4, 5, 6]]", "u8", "44 16 255 / 4 5 6 / "),
        ("[1, 2, 3, 4, 5, 6].split(3)", "i64", "1 2 3 / 4 5 6 / "),
        ("[[1, 2], [3, 4], [5, 6]].transpose()", "i16", "1 3 5 / 2 4 6 / "),
        ("[[1, 2], [3, 4], [5, 6]].join().split(3)", "i16", "1 2 3 / 4 5 6 / "),
        ("array(2, |i| array(3, |j| (i * 3 + j) as f64 - 1.0))", "f64", "-1.0 0.0 1.0 / 2.0 3.0 4.0 / "),
        (
            "array(2, |i| array(3, |j| { let k = i + j; [2, 3, 5, 7][k] * [2, 3, 5, 7][k] }))",
            "i32",
            "4 9 25 / 9 25 49 / ",
        ),
    ] {
        assert_eq!(rows(text, scalar).as_deref(), Some(expected), "{text}");
    }
    assert_eq!(rows("array(2, |i| array(3, |j| ((i + j) as f32).sqrt()))", "f32"), None);
}
