//! Mistakes in names, and the block as a whole.

use super::report;

#[test]
fn unknown_names() {
    let text = r#"
        fn a(xs: [f32; N]) -> [f32; N] { xs.slid2d(3, 1) }
        fn b(xs: [f32; N]) -> [f32; N] { sldie(3, 1)(xs) }
        fn c(image: f32) -> f32 { imgae * 2.0 }
        fn d(p: f32) -> f32 { lut_lookup(p) }
        fn e(p: f32) -> f32 { crate::tables::lut(p) + f32::MAXIMUM + crate::LIMIT }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:37-43 [L0101] there is no primitive or function called `slid2d`
    help: did you mean `slide2d`?
    error 2:34-39 [L0101] there is no primitive or function called `sldie`
    help: did you mean `slide`?
    error 3:27-32 [L0101] there is nothing called `imgae` here
    help: did you mean `image`?
    error 4:23-33 [L0401] `lut_lookup` is not defined in this `lift!` block
    note: a macro cannot see the body of a function written outside it
    help: move `fn lut_lookup(..)` into the block (without `#[kernel]` it is a helper)
    error 5:23-41 [L0401] `crate::tables::lut` is not defined in this `lift!` block
    note: a macro cannot see the body of a function written outside it
    help: move `fn lut(..)` into the block (without `#[kernel]` it is a helper)
    error 5:47-59 [L0101] `f32::MAXIMUM` is not a constant that Lift knows
    help: define it in this block: `const MAXIMUM: f32 = …;`
    error 5:62-74 [L0401] `crate::LIMIT` is not defined in this `lift!` block
    note: a macro cannot see the value of a constant written outside it
    help: define it in the block, `const LIMIT: f32 = …;`, or pass it as a parameter
    ");
}

#[test]
fn unknown_methods() {
    let text = r#"
        fn f(xs: [f32; N]) -> f32 { xs.frobnicate() }
        fn g(xs: [f32; N]) -> f32 { xs.iter().sum() }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:32-42 [L0101] there is no primitive or function called `frobnicate`
    error 2:32-36 [L0101] there is no primitive or function called `iter`
    help: arrays need no iterator: leave out `.iter()`
    error 2:39-42 [L0101] there is no primitive or function called `sum`
    help: write `xs.reduce(add, 0.0)`, of integers `xs.reduce(add, 0)`; for each row, `xs.map(reduce(add, 0.0))`
    ");
}

#[test]
fn spelling_and_level() {
    let text = r#"
        fn a(xs: [f32; N]) -> [f32; N] { mapGlobal(sqrt)(xs) }
        fn b(xs: [f32; N]) -> [f32; N] { xs.slide2D(3, 1) }
        fn c(xs: [f32; N]) -> [f32; N] { toLocal(xs) }
        fn d(xs: [f32; N]) -> [f32; N] { xs.mapLane(sqrt) }
        fn e(xs: [f32; N]) -> f32 { xs.toGlobal(0.0) }
        fn f(xs: [f32; N]) -> f32 { reduceSeq(add, 0.0, xs) }
        fn g(xs: [f32; N]) -> [f32; N] { xs.map_global(sqrt) }
        fn h(xs: [f32; N]) -> f32 { weighIt(xs) }
        fn weigh_it(xs: [f32; N]) -> f32 { xs[0] }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:34-43 [L0102] `mapGlobal`: Lift for Rust spells it `map_global`
    help: the dimension comes first, 0, 1 or 2: `map_global(0, f)`
    error 2:37-44 [L0102] `slide2D`: Lift for Rust spells it `slide2d`
    error 3:34-41 [L0102] `toLocal`: Lift for Rust spells it `to_local`
    error 4:37-44 [L0102] `mapLane`: Lift for Rust spells it `map_lane`
    error 5:32-40 [L0102] `toGlobal`: Lift for Rust spells it `to_global`
    error 6:29-38 [L0102] `reduceSeq`: Lift for Rust spells it `reduce_seq`
    error 7:37-47 [L0110] `map_global` takes 2 arguments, `map_global(d, f)`, but 1 was given
    help: the dimension comes first, 0, 1 or 2: `map_global(0, f)`
    error 8:29-36 [L0102] `weighIt`: Lift for Rust spells it `weigh_it`
    ");
}

#[test]
fn unknown_types_and_sizes() {
    let text = r#"
        fn a(x: i128) -> f32 { 1.0 }
        fn b(x: folat) -> f32 { 1.0 }
        fn c(x: f3) -> f32 { 1.0 }
        fn c2(x: float) -> f32 { 1.0 }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:9-13 [L0105] there is no type called `i128`
    note: devices have no integers of more than 64 bits
    error 2:9-14 [L0105] there is no type called `folat`
    help: the scalar types are `f16 f32 f64`, `i8 i16 i32 i64`, `u8 u16 u32 u64`, `usize` and `bool`
    error 3:9-11 [L0105] there is no type called `f3`
    help: did you mean `f32`?
    error 4:10-15 [L0105] there is no type called `float`
    help: did you mean `f32`?
    ");
}

#[test]
fn unknown_sizes() {
    let text = r#"
        fn d<N>(xs: [f32; N]) -> [f32; M] { xs }
        fn e<N>(x: f32) -> usize { N }
        fn f(xs: [f32; N]) -> f32 { xs.slide(K, 1) }
        fn g(x: (Nat, f32)) -> f32 { 1.0 }
        type A = [A; 3];
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:32-33 [L0106] there is no size called `M` here
    note: sizes are size variables in the types of parameters, `Nat` parameters and constants
    help: the size here is `N`
    error 2:6-7 [L0106] nothing says how large `N` is: it occurs in no parameter's type
    help: use it in the type of an array that is passed in, or make it a `const`
    error 3:38-39 [L0106] there is no size called `K` here
    note: sizes are size variables in the types of parameters, `Nat` parameters and constants
    help: the size here is `N`
    error 4:10-13 [L0105] a size cannot be part of a value: only a parameter can have this type
    help: add a parameter for what is still missing: with fewer arguments, a call is a function of the others
    error 5:6-7 [L0150] the type `A` contains itself
    ");
}

#[test]
fn recursion() {
    let text = r#"
        fn a(x: f32) -> f32 { a(x) }
        fn b(x: f32) -> f32 { c(x) }
        fn c(x: f32) -> f32 { d(x) }
        fn d(x: f32) -> f32 { b(x) }
        const E: usize = F + 1;
        const F: usize = E;
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:23-24 [L0150] `a` needs itself
    note: there is no recursion: every function is written out where it is used
    help: work on whole arrays: `map` for every element, `reduce` for one result of all; what is done again and again is `iterate(n, f, x)`
    error 2:23-24 [L0150] `b` needs `c`, which needs `d`, which needs `b`
    note: there is no recursion: every function is written out where it is used
    help: work on whole arrays: `map` for every element, `reduce` for one result of all; what is done again and again is `iterate(n, f, x)`
    error 5:18-19 [L0150] `E` needs `F`, which needs `E`
    note: there is no recursion: every function is written out where it is used
    help: work on whole arrays: `map` for every element, `reduce` for one result of all; what is done again and again is `iterate(n, f, x)`
    ");
}

#[test]
fn duplicates() {
    let text = r#"
        fn a(x: f32, x: f32) -> f32 { x }
        fn a(y: f32) -> f32 { y }
        fn b(p: (f32, f32)) -> f32 { let (u, u) = p; u }
        fn c<N, N>(xs: [f32; N]) -> f32 { xs.map(|p, p| p) }
        const D: f32 = 1.0;
        const D: f32 = 2.0;
        type f32 = i32;
    "#;
    insta::assert_snapshot!(report(text), @r#"
    error 1:14-15 [L0160] `x` is the name of two parameters
    help: choose another name
    error 2:4-5 [L0160] `a` is defined twice in this block
    help: choose another name
    error 3:38-39 [L0160] `u` is bound twice in one pattern
    help: choose another name
    error 4:9-10 [L0160] `N` is declared twice
    help: choose another name
    error 4:46-47 [L0160] `p` is bound twice in one pattern
    help: choose another name
    error 6:7-8 [L0160] `D` is defined twice in this block
    help: choose another name
    error 7:6-9 [L0160] `f32` is a type of Lift already
    help: choose another name
    "#);
}

#[test]
fn lints() {
    let text = r#"
        fn a(x: f32, _y: f32, z: f32) -> f32 { z }
        #[kernel] fn B<N, M>(xs: [f32; N], ys: [f32; N]) -> [f32; N] { xs }
        fn c(n: Nat, xs: [f32; n + 1]) -> f32 { xs[0] }
    "#;
    insta::assert_snapshot!(report(text), @"
    warning 1:6-7 [L0170] parameter `x` is never used
    help: remove it, or call it `_x`
    warning 2:19-20 [L0171] size variable `M` is never used
    help: remove it, or call it `_M`
    warning 2:36-38 [L0170] parameter `ys` is never used
    help: remove it, or call it `_ys`
    ");
}

#[test]
fn lints_of_the_expression_form() {
    let text = r#"
        |xs: [f32; N], w: f32| xs.map(sqrt)
    "#;
    insta::assert_snapshot!(report(text), @r#"
    warning 1:16-22 [L0170] parameter `w` is never used
    help: remove it, or call it `_w`
    "#);
}

#[test]
fn one_mistake_one_message() {
    let text = r#"
        fn a(xs: [f32; N]) -> f32 { let y = xs.foo(1); y.map(sqrt).reduce(add, y[0]) + bar(y) }
        fn b(x: f32) -> f32 { let f = nothing; f(x) + f }
        fn broken(x: f32) -> f32 { x + }
        fn c(x: f32) -> f32 { broken(x) }
        fn broken2(x f32) -> f32 { x }
        fn d(x: f32) -> f32 { broken2(x) }
        struct Point(f32);
        fn e(p: Point) -> f32 { 1.0 }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:40-43 [L0101] there is no primitive or function called `foo`
    error 1:80-83 [L0401] `bar` is not defined in this `lift!` block
    note: a macro cannot see the body of a function written outside it
    help: move `fn bar(..)` into the block (without `#[kernel]` it is a helper)
    error 2:31-38 [L0101] there is nothing called `nothing` here
    note: a macro cannot see the variables around it
    help: make it a parameter of the function: `nothing: f32`
    error 3:32-33 [L0100] Lift is written in Rust's grammar, and this is not: unexpected end of input, expected an expression
    help: something is missing before the end of this block or list
    error 5:14-17 [L0100] Lift is written in Rust's grammar, and this is not: expected `:`
    error 7:8-13 [L0124] the fields of the struct `Point` need names
    help: write `struct Point { x: f32, … }`, or use a tuple
    ");
}

#[test]
fn structs() {
    let text = r#"
        struct U;
        struct V {}
        struct W<T> { x: f32 }
        #[kernel] struct X { x: f32 }
        struct Y { x: [(f32, f32); 3] }
        struct Z { y: f32, y: i32 }
        struct f32 { x: i32 }
        struct X { y: f32 }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:8-9 [L0124] the struct `U` has no fields, so it holds nothing
    help: leave it out, or give it fields
    error 2:8-9 [L0124] the struct `V` has no fields, so it holds nothing
    help: leave it out, or give it fields
    error 3:8-9 [L0142] a struct cannot be generic
    help: remove `<…>`
    error 4:1-10 [L0145] `#[kernel]` belongs on a function, not on a struct
    error 5:15-30 [L0124] arrays in structs hold scalars, and `x` of `Y` holds more
    help: make an array of each part: `x_x: [f32; 3], x_y: [f32; 3]`
    error 6:20-21 [L0160] `y` is the name of two fields
    help: choose another name
    error 7:8-11 [L0160] `f32` is a type of Lift already
    help: choose another name
    error 8:8-9 [L0160] `X` is defined twice in this block
    help: choose another name
    ");
}

#[test]
fn structs_and_names() {
    let text = r#"
        struct Point { x: f32, y: f32 }
        struct Loop { next: Other }
        struct Other { inner: (f32, Loop) }
        fn a(p: Piont) -> f32 { 1.0 }
        fn b(x: f32) -> Point { Piont { x, y: x } }
        fn k(p: Loop) -> f32 { p.next.inner.0 }
        fn l(p: Point) -> f32 { let Piont { x, y } = p; x + y }
        fn m(p: Point) -> f32 { a::Point { x: 1.0, y: 2.0 }.x }
        type Point = f32;
    "#;
    insta::assert_snapshot!(report(text), @"
    error 2:8-12 [L0150] the struct `Loop` contains itself
    help: values have a size that is known, so no struct can be a part of itself
    error 3:8-13 [L0150] the struct `Other` contains itself
    help: values have a size that is known, so no struct can be a part of itself
    error 4:9-14 [L0105] there is no type called `Piont`
    help: did you mean `Point`?
    error 5:25-30 [L0105] there is no struct called `Piont` in this block
    help: did you mean `Point`?
    error 7:29-34 [L0105] there is no struct called `Piont` in this block
    help: did you mean `Point`?
    error 8:25-33 [L0105] there is no struct called `a::Point` in this block
    help: structs are defined in the block, without a path
    error 9:6-11 [L0160] `Point` is defined twice in this block
    help: choose another name
    ");
}

#[test]
fn fields() {
    let text = r#"
        struct Point { x: f32, yy: f32 }
        fn c(x: f32) -> Point { Point { x, zz: x } }
        fn d(x: f32) -> Point { Point { x } }
        fn e(x: f32) -> Point { Point { x, yy: x, x: x } }
        fn f(p: Point) -> f32 { p.yyy }
        fn g(p: Point) -> f32 { let Point { x } = p; x }
        fn h(p: Point) -> f32 { let Point { z, .. } = p; z }
        fn i(p: Point) -> f32 { let Point { x, x: y, .. } = p; x + y }
        fn j(p: Point) -> f32 { p.x.sqrt }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 2:36-38 [L0121] the struct `Point` has no field `zz`
    error 3:25-36 [L0122] the field `yy` of `Point` is missing
    error 4:43-44 [L0160] `x` is given twice
    help: choose another name
    error 5:27-30 [L0121] no struct of this block has a field `yyy`
    help: did you mean `yy`?
    error 6:29-40 [L0122] the field `yy` of `Point` is missing
    help: name them all, or end with `..`: `Name { x, .. }`
    error 7:37-38 [L0121] the struct `Point` has no field `z`
    error 8:40-41 [L0160] `x` is given twice
    help: choose another name
    error 9:29-33 [L0114] `sqrt` is applied to a value here, so it needs parentheses
    note: `.` without them composes functions, and the left side is a value
    help: write `.sqrt()`
    ");
}

#[test]
fn types_of_kernels() {
    let text = r#"
        #[kernel] #[types] fn A<T>(x: [T; N]) -> [T; N] { x }
        #[kernel] #[types(f32, f64)] fn B<T>(x: [T; N]) -> [T; N] { x }
        #[types(T = f32, f64)] fn c<T>(x: [T; N]) -> [T; N] { x }
        #[kernel] #[types(T = f32, f46)] fn D<T>(x: [T; N]) -> [T; N] { x }
        #[kernel] #[types(U = f32, f64)] fn E<T>(x: [T; N]) -> [T; N] { x }
        #[kernel] #[types(T = f32, f64; U = u8)] fn F<T, U>(x: [T; N]) -> [T; N] { x }
        #[kernel] #[types(T = f32, f32)] fn G<T>(x: [T; N]) -> [T; N] { x }
        #[types(T = f32)] struct H { x: f32 }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:11-19 [L0147] `#[types]` lists the scalar types that a type variable stands for
    help: write `#[types(T = f32, f64)]`; several variables are separated by `;`
    error 2:11-29 [L0147] `#[types]` lists the scalar types that a type variable stands for
    help: write `#[types(T = f32, f64)]`; several variables are separated by `;`
    error 3:1-23 [L0147] `#[types]` belongs on a kernel, and `c` is none
    help: remove it: a helper with a type variable works for every type it is called with
    error 4:28-31 [L0105] there is no type called `f46`
    help: did you mean `f16`?
    error 5:19-20 [L0147] `E` has no type variable `U`
    help: declare it: `fn E<U, …>(…)`
    error 6:33-34 [L0147] the kernel never mentions `U`, so all its instances would be the same
    help: use it, for example as the type of elements: `x: [U; N]`
    error 7:28-31 [L0147] `f32` is listed twice
    help: leave one out
    error 8:1-18 [L0145] `#[types]` belongs on a function, not on a struct
    ");
}

#[test]
fn types_of_kernels_once_more() {
    let text = r#"
        #[kernel] #[types(T = u8, u16, u32, u64, i8, i16; U = u8, u16, u32, u64, i8, i16)]
        fn A<T, U>(x: [T; N]) -> [U; N] { x.map(|v| v as U) }
        #[kernel] #[types(T = u8; T = u8)] fn B<T>(x: [T; N]) -> [T; N] { x }
        #[kernel] #[types(T = f32, f64)] fn C<T>(x: [T; N]) -> [T; N] { x.map(|v| v + y) }
        #[kernel] #[types(T = f32, f64)] fn D<T, N, M>(x: [T; N], y: f32) -> [T; N] { x }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:11-83 [L0147] these are more than 32 combinations of types, or more than 3 variables
    help: each is a kernel of its own: list the ones you need
    error 3:27-28 [L0147] `T` is listed twice
    help: leave one out
    error 4:79-80 [L0101] there is nothing called `y` here
    note: a macro cannot see the variables around it
    help: make it a parameter of the function: `y: f32`
    ");
}
