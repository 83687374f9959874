//! Rust that Lift does not have, and mistakes in signatures and attributes.

use super::report;

#[test]
fn loops_and_mutation() {
    let text = r#"
        fn a(x: f32) -> f32 { let mut s = 0.0; for i in 0..10 { s += x; } s }
        fn b(x: f32) -> f32 { while x > 0.0 { x = x - 1.0; } x }
        fn c(x: f32) -> f32 { loop { break x; } }
        fn d(mut x: f32) -> f32 { x }
        fn e(x: f32) -> f32 { return x; }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:27-32 [L0131] `s` cannot be `mut`: nothing changes in Lift
    help: leave out `mut`; bind each new value with its own `let s = …;`
    error 1:40-66 [L0130] Lift has no loops
    help: say what is computed: `xs.map(|x| …)` for every element, `xs.reduce(add, 0.0)` for one result of all, `array(n, |i| …)` for every index
    error 2:23-53 [L0130] Lift has no loops
    help: what changes from round to round is a state: `iterate(n, |s| …, start)` computes the next one n times, and `iterate_until(n, |s| …, |s| …, start)` does so until the first function holds of it
    error 3:23-40 [L0130] Lift has no loops
    help: what changes from round to round is a state: `iterate(n, |s| …, start)` computes the next one n times, and `iterate_until(n, |s| …, |s| …, start)` does so until the first function holds of it
    error 4:6-11 [L0131] `x` cannot be `mut`: nothing changes in Lift
    help: leave out `mut`; bind each new value with its own `let x = …;`
    error 5:23-31 [L0132] a Lift function has one way out: its value
    help: leave out `return`: the last expression is the result; to choose, use `if c { a } else { b }`
    ");
}

#[test]
fn other_rust() {
    let text = r#"
        fn a(x: &f32) -> f32 { *x }
        fn b(x: [f32]) -> f32 { match x { "" => 1.0, _ => 2.0 } }
        fn c(x: f32) -> f32 { println!("{}", x); x? }
        fn d(x: f32) -> f32 { unsafe { x } }
        fn e(x: f32) -> f32 { if x > 0.0 { x } }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:9-13 [L0133] Lift has values only, no references or pointers
    help: write the type of the value, `f32`; nothing is copied for it
    error 1:24-26 [L0133] Lift has values only, no references
    help: leave out the `&`, `ref` or `*`
    error 2:9-14 [L0144] the length of an array is part of its type
    help: write `[f32; N]`: a name that is used for nothing else stands for any length
    error 2:25-56 [L0134] patterns that may not fit are whole numbers and truth values, in a `match`
    help: compare: `if x == 0 { … } else if x == 1 { … } else { … }`
    error 3:23-41 [L0135] nothing can be printed within a kernel
    help: to see a value, return it as a second result, `(result, value)`, and print it on the host
    error 3:42-44 [L0132] nothing fails within Lift, so there is no `?`
    help: values are plain numbers, tuples and arrays; handle errors where the kernel is launched
    error 4:23-35 [L0136] `unsafe` has no meaning here: everything in Lift is pure
    help: leave the word out
    error 5:23-39 [L0138] this `if` has no value when its condition is false
    help: add `else { … }`: `if` is an expression, like everything in Lift
    ");
}

#[test]
fn statements_and_literals() {
    let text = r#"
        fn f(x: f32) -> f32 { x.sqrt(); x }
        fn g(x: f32) -> f32 { x; }
        fn h(x: f32) -> f32 { "text" }
        fn i(x: f32) -> f32 { let y; x }
        fn j(x: f32) -> f32 { let y = x; }
        fn k(x: f32) -> f32 { 1.0f8 }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:23-31 [L0138] this statement computes a value that nobody uses
    help: bind it, `let name = …;`, or remove it: nothing else can come of it
    error 2:23-24 [L0138] the `;` throws the result away
    help: remove the `;`: the last expression is the value
    error 3:23-29 [L0137] Lift has no strings or characters
    help: use numbers; a byte is `b'a'` or `97u8`
    error 4:23-29 [L0138] `let` needs a value: it cannot be given later
    help: write `let name = …;`
    error 5:21-35 [L0138] this block has no value
    help: end it with the expression that is its result, without `;`
    error 6:23-28 [L0137] `f8` is not a number type
    help: the number types are `f16`, `f32` and `f64`, `i8` to `i64`, `u8` to `u64`, and `usize`
    ");
}

#[test]
fn more_rust() {
    let text = r#"
        fn a(xs: [f32; N]) -> f32 { xs[1..3] }
        fn b(x: f32) -> f32 { ..x }
        fn c(x: f32) -> f32 { x.map::<f32>() }
        fn d(x: f32) -> f32 { Point { x: x } }
        fn d2(x: f32) -> f32 { Point { x: x, ..x } }
        fn e(x: f32) -> f32 { 'a: { x } }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:32-36 [L0139] arrays cannot be sliced with a range
    help: `xs.take(n)` keeps the first n elements, `xs.drop(n)` the others, `xs.crop(l, r)` cuts both ends
    error 2:23-26 [L0139] Lift has no ranges
    help: `array(n, |i| i)` is the array `0, 1, …, n - 1`
    error 3:25-28 [L0110] `map` takes 1 argument, `map(f)`, but none was given
    error 3:28-35 [L0146] `::<…>` has no meaning here: types are inferred
    help: remove it; to fix a type, annotate a binding: `let x: f32 = …;`
    error 4:23-28 [L0105] there is no struct called `Point` in this block
    help: define it: `struct Point { … }`
    error 5:38-40 [L0124] the fields of a struct cannot be taken over with `..`
    help: write them out: `x: old.x`
    error 6:23-32 [L0139] labels have no meaning here: there is nothing to break out of
    help: remove the label
    ");
}

#[test]
fn rust_that_is_left() {
    let text = r#"
        fn f(x: f32) -> f32 { move |y| x }
        fn g(x: f32) -> f32 { () }
        fn h(x: f32) -> f32 { 99999999999999999999 }
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:23-27 [L0136] `move` has no meaning here: everything in Lift is pure
    help: write just `|x| …`
    error 1:28-33 [L0140] the body of `f` is a function: it still waits for `y`
    help: give it its last argument, or add a parameter and pass that
    error 2:23-25 [L0139] an empty tuple is no value in Lift: tuples have two or more parts
    help: write the value that is needed here: there is none that stands for nothing
    error 3:23-43 [L0137] this number is too large for every type that Lift has
    ");
}

#[test]
fn signatures() {
    let text = r#"
        fn a(x: f32) { x }
        fn b<T: Copy, const N: usize, 'a>(x: T) -> T where T: Copy { x }
        fn c(&self, (p, q): (f32, f32)) -> f32 { p }
    "#;
    insta::assert_snapshot!(report(text), @r#"
    error 1:4-5 [L0141] `a` does not say what it returns
    help: add the result's type after the parameters: `-> f32`, `-> [f32; N]`
    error 2:6-13 [L0142] `T` needs no bound or default: what it must be able to do is inferred
    help: write `<T>`
    error 2:15-29 [L0142] size variables are declared by their name alone
    help: write `<N>`
    error 2:31-33 [L0142] Lift has values only, so there are no lifetimes
    help: remove it
    error 2:46-59 [L0142] `where` clauses have no meaning here
    help: promise facts about sizes with an attribute: `#[size(N % 128 == 0)]`; types need no bounds
    error 3:6-11 [L0141] functions of a `lift!` block have no `self`
    help: give the parameter a name and a type: `xs: [f32; N]`; `xs.f()` works for every function
    error 3:13-19 [L0143] a function's parameter needs a name: callers and messages use it
    help: name it and take it apart in the body: `let (a, b) = p;`
    "#);
}

#[test]
fn qualifiers() {
    let text = r#"
        async fn d(x: f32) -> f32 { x }
        fn e(x: Vec<f32>) -> f32 { 1.0 }
    "#;
    insta::assert_snapshot!(report(text), @r#"
    error 1:1-6 [L0136] `async` has no meaning here: everything in Lift is pure
    help: write just `fn name(x: T) -> U { … }`
    error 2:9-17 [L0144] `Vec<…>` is not a type that Lift has
    help: arrays are written `[f32; N]`, `[[f32; M]; N]`
    "#);
}

#[test]
fn more_signatures() {
    let text = r#"
        fn a(x: impl Fn(f32) -> f32) -> f32 { 1.0 }
        fn b(x: std::vec::Vec) -> f32 { 1.0 }
        fn c(f: fn(f32)) -> f32 { 1.0 }
        fn d(x: _) -> f32 { 1.0 }
        fn e(x: f32) -> f32;
        fn f(x: [f32; foo(3)]) -> f32 { 1.0 }
        fn g(x: !) -> f32 { 1.0 }
        fn h(x: f32) -> f32 { fn inner() -> f32 { 1.0 } x }
    "#;
    insta::assert_snapshot!(report(text), @r#"
    error 1:9-28 [L0144] traits are not types in Lift
    help: a function parameter is written `f: fn(f32) -> f32`
    error 2:9-22 [L0144] types in Lift have no paths
    help: name a scalar type, such as `f32`, or one that this block defines with `struct` or `type`
    error 3:9-16 [L0144] a function type needs its result
    help: write `fn(f32) -> f32`
    error 4:9-10 [L0141] `x` needs a type: those of functions are not inferred
    help: write `f32`, `[f32; N]`, `[[f32; M]; N]`, …
    error 5:4-5 [L0141] this function has no body
    help: add one: `{ … }`
    error 6:15-21 [L0144] this is not a size
    help: sizes are numbers, size variables, and `+ - * / %`, `min`, `max`, `div_ceil` of sizes
    error 7:9-10 [L0144] this is not a type that Lift has
    help: types are scalars such as `f32`, structs, arrays `[T; n]` and tuples `(T, U)`
    error 8:23-48 [L0134] functions and other items cannot stand within a function
    help: move it out, next to the other functions of the block; or bind a closure, `let f = |x| …;`
    "#);
}

#[test]
fn attributes() {
    let text = r#"
        #[size] fn a(x: f32) -> f32 { x }
        #[size(N)] fn b(x: [f32; N]) -> f32 { x[0] }
        #[size(N == M)] fn c(x: [f32; N]) -> f32 { x[0] }
        #[kernel(fast)] fn d(x: f32) -> f32 { x }
        #[kernel] const E: f32 = 1.0;
        fn f(x: f32) -> f32 { #[allow(unused)] let y = x; y }
        #[kernel] x
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:1-8 [L0145] `#[size]` without a fact
    help: write what holds: `#[size(N % 128 == 0, M >= 17)]`
    error 2:8-9 [L0145] a fact about sizes is a comparison of two sizes
    help: write for example `N % 128 == 0`, `M >= 17` or `N == 512`; several facts are separated by commas
    error 3:13-14 [L0106] there is no size called `M` here
    note: sizes are size variables in the types of parameters, `Nat` parameters and constants
    help: the sizes here are `N` and `E`
    error 4:1-16 [L0145] `#[kernel]` takes no arguments
    help: write `#[kernel]`
    error 4:20-21 [L0160] a `lift!` with a result is one kernel, so it cannot define others
    help: remove `#[kernel]`, or put the kernel into a `lift!` of its own
    error 5:1-10 [L0145] `#[kernel]` belongs on a function, not on a constant
    error 6:23-39 [L0145] attributes and doc comments belong on the items of the block, not on expressions
    help: remove it; an ordinary comment, `// …`, may stand anywhere
    error 7:1-10 [L0145] attributes and doc comments belong on the items of the block, not on expressions
    help: remove it; an ordinary comment, `// …`, may stand anywhere
    ");
}

#[test]
fn items() {
    let text = r#"
        use std::f32::consts::PI;
        static X: f32 = 1.0;
        enum E { A }
        mod m {}
        impl X {}
        macro_rules! m { () => {} }
        pub struct S(f32);
    "#;
    insta::assert_snapshot!(report(text), @"
    error 1:1-26 [L0134] `use` is not in the language yet: a macro cannot see what is defined outside it
    help: write `f32::consts::PI` where it is needed: it needs no `use`
    error 2:1-21 [L0134] Lift has no statics
    help: use `const`
    error 3:1-13 [L0134] Lift has no enums and unions
    help: give each case a number, `const A: u32 = 0;`, and choose with `if e == A { … } else { … }`
    error 4:1-9 [L0134] a `lift!` block has no modules
    help: write the items of the module directly into the block, or into a `lift!` within a Rust module
    error 5:1-10 [L0134] a `lift!` block has no `impl`: its functions stand side by side
    help: write each as a function whose last parameter is the value, `fn f(x: X) -> …`; it can be called as `x.f()`
    error 6:1-28 [L0135] macros are not expanded within `lift!`
    help: write out what the macro stands for, or make it a `fn` of the block
    error 7:12-13 [L0124] the fields of the struct `S` need names
    help: write `struct S { x: f32, … }`, or use a tuple
    ");
}

#[test]
fn empty() {
    let text = r#"

    "#;
    insta::assert_snapshot!(report(text), @r#"
    error 1:1-1 [L0100] this `lift!` is empty
    help: write a kernel, `#[kernel] pub fn Name(xs: [f32; N]) -> [f32; N] { … }`, or an expression, `map(sqrt)`
    "#);
}

#[test]
fn text_after_the_expression() {
    let text = r#"
        map(sqrt) map(abs)
    "#;
    insta::assert_snapshot!(report(text), @r#"
    error 1:11-14 [L0100] the expression is complete before this; nothing may follow it
    help: items (`fn`, `const`, `type`) go before the expression
    "#);
}

#[test]
fn kernels_beside_an_expression() {
    let text = r#"
        #[kernel] fn A(x: f32) -> f32 { x }
        map(sqrt)
    "#;
    insta::assert_snapshot!(report(text), @r#"
    error 1:14-15 [L0160] a `lift!` with a result is one kernel, so it cannot define others
    help: remove `#[kernel]`, or put the kernel into a `lift!` of its own
    "#);
}

#[test]
fn spans_over_several_lines() {
    let text = r#"
        fn a(xs: [f32; N]) -> f32 {
            for x in xs {
                x
            }
        }
    "#;
    insta::assert_snapshot!(report(text), @r#"
    error 2:5-4:6 [L0130] Lift has no loops
    help: say what is computed: `xs.map(|x| …)` for every element, `xs.reduce(add, 0.0)` for one result of all, `array(n, |i| …)` for every index
    "#);
}
