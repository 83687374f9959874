//! Mistakes in calls.

use super::report;

#[test]
fn argument_counts() {
    let text = r#"
        fn a(xs: [f32; N]) -> [f32; N] { map(sqrt, xs, 3) }
        fn b(xs: [f32; N]) -> [f32; N] { xs.map(sqrt, 3) }
        fn c(img: [[f32; N]; N]) -> f32 { img.slide2d(17).map2d(sqrt) }
        fn d(img: [[f32; N]; N]) -> f32 { (map2d(sqrt) . slide2d(17))(img) }
        fn e(img: [[f32; N]; N]) -> f32 { slide2d(17) + 1.0 }
        fn f(img: [[f32; N]; N]) -> f32 { img.slide2d(1, 2, 3, 4, 5) }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:48-49 [L0110] `map` takes a function and an array; one argument too many
    help: write `map(f, xs)`
    error 2:47-48 [L0110] `map` takes a function and an array; one argument too many
    help: write `xs.map(f)`
    error 3:39-46 [L0110] `slide2d` takes 2 arguments, `slide2d(size, step)`, but 1 was given
    help: a stencil moves by one element: `slide2d(17, 1)`
    error 4:50-57 [L0110] `slide2d` takes 2 arguments, `slide2d(size, step)`, but 1 was given
    help: a stencil moves by one element: `slide2d(17, 1)`
    error 5:35-42 [L0110] `slide2d` takes 2 arguments, `slide2d(size, step)`, but 1 was given
    help: a stencil moves by one element: `slide2d(17, 1)`
    error 6:59-60 [L0110] `slide2d` takes four sizes and an array; one argument too many
    help: write `img.slide2d(size_y, step_y, size_x, step_x)`
    ");
}

#[test]
fn scalar_argument_counts() {
    let text = r#"
        fn g(x: f32) -> f32 { x.sqrt(1.0) + x.powi() }
        fn h(x: f32) -> f32 { (|y| y)(x, x) }
        fn i(x: f32) -> f32 { powi(x) }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:30-33 [L0110] `sqrt` takes a value; one argument too many
    help: write `x.sqrt()`
    error 1:39-43 [L0110] `powi` takes 1 argument, `powi(y)`, but none was given
    error 2:34-35 [L0110] this closure takes 1 argument; 1 too many
    error 3:23-30 [L0140] the body of `i` is a function: it still waits for `y`
    help: give it its last argument, or add a parameter and pass that
    ");
}

#[test]
fn more_argument_counts() {
    let text = r#"
        fn a(xs: [f32; N]) -> f32 { xs.reduce(add) }
        fn b(xs: [f32; N]) -> f32 { zip2d(xs) }
        fn c(xs: [f32; N]) -> f32 { xs.zip() }
        fn d(xs: [f32; N]) -> f32 { xs.pad2d(8, clamp) }
        fn e(xs: [f32; N]) -> f32 { xs.map(slide(3)) }
        fn f(x: f32) -> f32 { g(x, x) }
        fn g(x: f32) -> f32 { x }
        fn h() -> f32 { h2 + 1.0 }
        fn h2() -> f32 { 1.0 }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:32-38 [L0110] `reduce` takes 2 arguments, `reduce(f, z)`, but 1 was given
    help: the other is the start, which changes nothing: `0.0` for sums, `1.0` for products, `f32::NEG_INFINITY` for `max`, `f32::INFINITY` for `min`
    error 2:29-38 [L0140] the body of `b` is a function: it still waits for `b`
    help: give it its last argument, or add a parameter and pass that
    error 3:32-35 [L0110] `zip` takes 1 argument, `zip(b)`, but none was given
    error 4:32-37 [L0110] `pad2d` takes 3 arguments, `pad2d(rows, columns, b)`, but 2 were given
    help: rows and columns have numbers of their own: `pad2d(8, 8, …)`
    error 5:36-41 [L0110] `slide` takes 2 arguments, `slide(size, step)`, but 1 was given
    error 6:28-29 [L0110] `g` takes a value; one argument too many
    help: write `g(x)`
    error 8:17-19 [L0140] a value is needed here, but `h2` is a function
    help: call it: `h2()`
    ");
}

#[test]
fn kinds_of_arguments() {
    let text = r#"
        fn a(xs: [f32; N]) -> [f32; N] { map(xs, sqrt) }
        fn b(xs: [f32; N]) -> [f32; N] { xs.map(2.0) }
        fn c(xs: [f32; N]) -> [f32; N] { map(sqrt, sqrt) }
        fn d(xs: [f32; N]) -> [f32; N] { map(sqrt, split(4)) }
        fn e(xs: [f32; N]) -> f32 { reduce(0.0, add, xs) }
        fn f(xs: [f32; N], k: usize) -> f32 { xs.split(k) }
        fn g(xs: [f32; N]) -> f32 { xs.split(sqrt) }
        fn h(xs: [f32; N]) -> f32 { let k = 3; xs.split(k + 1) }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:38-40 [L0111] `map` takes a function and an array; `f` is a function, but this is a value
    help: write `map(f, xs)` or `xs.map(f)`
    error 2:41-44 [L0111] `map` takes a function and an array; `f` is a function, but this is a value
    help: write `map(f, xs)` or `xs.map(f)`
    error 3:44-48 [L0111] `map` takes a function and an array; `xs` is an array, but this is a function
    help: write `map(f, xs)` or `xs.map(f)`
    error 4:44-52 [L0111] `map` takes a function and an array; `xs` is an array, but this is a function
    help: write `map(f, xs)` or `xs.map(f)`
    error 5:36-39 [L0111] `reduce` takes a function, a value and an array; `f` is a function, but this is a value
    help: write `reduce(f, z, xs)` or `xs.reduce(f, z)`
    error 6:48-49 [L0112] `k` must be a size known when the kernel is compiled
    note: that is a number, a size variable, a `Nat` parameter or a constant, or `+ - * / %`, `min`, `max`, `div_ceil` of them
    help: declare the parameter as `k: Nat`
    error 7:38-42 [L0112] `sqrt` must be a size known when the kernel is compiled
    note: that is a number, a size variable, a `Nat` parameter or a constant, or `+ - * / %`, `min`, `max`, `div_ceil` of them
    error 8:49-50 [L0112] `k` must be a size known when the kernel is compiled
    note: that is a number, a size variable, a `Nat` parameter or a constant, or `+ - * / %`, `min`, `max`, `div_ceil` of them
    ");
}

#[test]
fn sizes_of_arguments() {
    let text = r#"
        fn a(xs: [f32; N]) -> f32 { xs.split(2.0) }
        fn b(xs: [f32; N]) -> f32 { xs.split(-1) }
        fn c(xs: [f32; N]) -> f32 { xs.split(99999999999) }
        fn d(xs: [f32; N]) -> f32 { xs.split(3i32) }
        fn e(xs: [f32; N]) -> f32 { xs.split(MN) }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:38-41 [L0112] this must be a size known when the kernel is compiled
    note: that is a number, a size variable, a `Nat` parameter or a constant, or `+ - * / %`, `min`, `max`, `div_ceil` of them
    error 2:38-40 [L0112] a size cannot be negative
    help: to leave elements out, write `drop(k)`, `take(k)` or `crop(l, r)`
    error 3:38-49 [L0112] this number cannot be a size
    help: sizes are of type `usize` and stay below 2147483648
    error 4:38-42 [L0112] this number cannot be a size
    help: sizes are of type `usize` and stay below 2147483648
    error 5:38-40 [L0106] there is no size called `MN` here
    note: sizes are size variables in the types of parameters, `Nat` parameters and constants
    help: the size here is `N`
    ");
}

#[test]
fn boundaries() {
    let text = r#"
        fn a(xs: [f32; N]) -> f32 { xs.pad(1, 1, clmp) }
        fn b(xs: [f32; N]) -> f32 { xs.pad(1, 1, 0.0) }
        fn c(xs: [f32; N]) -> f32 { xs.pad(1, 1, constant) }
        fn d(xs: [f32; N]) -> f32 { xs.pad(1, 1, |i, n| i) }
        fn e(xs: [f32; N]) -> f32 { xs.pad(1, 1, value(|i, n| 0.0)) }
        fn f(xs: [f32; N]) -> f32 { mirror }
        fn g(xs: [f32; N], b: Boundary<f32>) -> f32 { b }
        fn h(xs: [f32; N]) -> f32 { xs.pad(1, 1, xs) }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:42-46 [L0113] `clmp` is not a boundary
    help: did you mean `clamp`?
    error 2:42-45 [L0113] a boundary is needed here, not a number
    help: for a fixed value, write `constant(0.0)`
    error 3:42-50 [L0113] `constant` needs the value outside the array
    help: write `constant(0.0)`
    error 6:29-35 [L0113] `mirror` is a boundary: it can only be passed to `pad` and the like
    error 7:47-48 [L0113] `b` is a boundary: it can only be passed to `pad` and the like
    error 8:42-44 [L0113] `xs` is not a boundary
    help: boundaries are `clamp`, `mirror`, `reflect`, `wrap`, `constant(0.0)`, `value(|i, n| …)` and `|i, n| …`
    ");
}

#[test]
fn dots_calls_and_shifts() {
    let text = r#"
        fn a(xs: [f32; N]) -> [f32; N] { xs.join }
        fn b(x: i32) -> i32 { x << 2 }
        fn c(x: i32) -> i32 { x >> 2i32 }
        fn d(x: f32) -> f32 { x(3) }
        fn e(x: f32) -> f32 { (x + 1.0)(3) }
        fn f(x: f32) -> f32 { || x }
        fn g(x: f32) -> f32 { sqrt + x }
        fn h(x: f32) -> f32 { if x > 0.0 { sqrt } else { x } }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:37-41 [L0114] `join` is applied to a value here, so it needs parentheses
    note: `.` without them composes functions, and the left side is a value
    help: write `.join()`
    error 2:23-29 [L0117] `<<` applies a function, and the left side is a value
    help: to shift, write `x.wrapping_shl(n)`
    error 3:23-32 [L0139] Lift has no shift operators: `<<` applies functions
    help: write `x.wrapping_shr(2)`
    error 4:23-24 [L0116] `x` is a value, not a function
    help: to read an element of an array, write `x[i]`
    error 5:23-32 [L0116] this is a value, not a function
    error 6:23-27 [L0115] a function without parameters is a value
    help: leave out `||`
    error 7:23-27 [L0140] a value is needed here, but `sqrt` still waits for `x` (a value)
    help: write `sqrt(x)`
    error 8:34-42 [L0140] a value is needed here, but `sqrt` still waits for `x` (a value)
    help: write `sqrt(x)`
    ");
}

#[test]
fn kernels_that_are_functions() {
    let text = r#"
        #[kernel] pub fn Convolve(weights: [f32; 9], image: [f32; N]) -> [f32; N] { map(weigh(weights)) . slide(9, 1) }
        fn weigh(weights: [f32; 9], nbh: [f32; 9]) -> f32 { zip(weights, nbh).map(mul).reduce(add, 0.0) }
        #[kernel] pub fn A(xs: [f32; N]) -> [f32; N] { xs.map(map(sqrt)).map(|x| map(sqrt)) }
        #[kernel] pub fn B(xs: [f32; N]) -> [f32; N] { zip(xs) }
        #[kernel] pub fn C(xs: [f32; N]) -> [f32; N] { slide(3) }
        #[kernel] pub fn D(f: fn(f32) -> f32, n: Nat) -> f32 { f(1.0) }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:77-110 [L0140] `Convolve` never receives `image`
    note: its body is a function that still waits for an argument
    help: apply it, `… << image`, or start from the data: `image. …`
    error 3:74-77 [L0140] a value is needed here, but `map` still waits for `xs` (an array)
    help: write `map(f, xs)`
    error 4:48-55 [L0140] the body of `B` is a function: it still waits for `b`
    help: give it its last argument, or add a parameter and pass that
    error 5:48-53 [L0110] `slide` takes 2 arguments, `slide(size, step)`, but 1 was given
    error 6:23-37 [L0105] a function cannot be passed to a kernel at run time
    help: parameters of kernels are numbers, tuples and arrays; sizes come from the arrays: `xs: [f32; N]`
    error 6:42-45 [L0105] a size cannot be passed to a kernel at run time
    help: parameters of kernels are numbers, tuples and arrays; sizes come from the arrays: `xs: [f32; N]`
    ");
}

#[test]
fn expression_that_lacks_more_than_arrays() {
    let text = r#"
        slide(3)
    "#;
    insta::assert_snapshot!(report(text), @r#"error 1:1-6 [L0110] `slide` takes 2 arguments, `slide(size, step)`, but 1 was given"#);
}
