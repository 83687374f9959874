//! Every variant of a dozen kernels means what the kernel means, for awkward sizes and tiles.

use std::collections::BTreeMap;

use lift_core::arith::{ArithExpr, Facts, Var};
use lift_core::explore::targets::{self, Class};
use lift_core::explore::{Variant, explore};
use lift_core::ir::build::{fresh_id, reset_ids};
use lift_core::ir::{
    Arg, BinaryOp, Boundary, Expr, Fold, Kernel, KernelOptions, Lambda, Literal, Order, Param, Prim, Scalar,
    Type,
};
use lift_core::rewrite::rules::nd;
use lift_core::{pipeline, program};

use crate::check;
use crate::interp::{self, Value};
use crate::testing::{kernel, literal, twice_minus};

mod derivations;
mod factored;
mod indices;
mod large;
mod products;
mod warps;

/// A kernel under construction.
struct Builder {
    sizes: Vec<Var>,
    params: Vec<Param>,
}

fn cst(n: i64) -> ArithExpr {
    ArithExpr::cst(n)
}

impl Builder {
    fn new() -> Builder {
        reset_ids();
        Builder { sizes: Vec::new(), params: Vec::new() }
    }

    fn size(&mut self, name: &str) -> ArithExpr {
        let var = Var::new(fresh_id(), name);
        self.sizes.push(var.clone());
        ArithExpr::var(&var)
    }

    fn input(&mut self, name: &str, dims: &[ArithExpr]) -> Expr {
        let param = Param::new(name, Type::from(Scalar::F32).with_shape(dims));
        self.params.push(param.clone());
        Expr::param(&param)
    }

    fn kernel(self, body: Expr) -> Kernel {
        let mut facts = Facts::new();
        for size in &self.sizes {
            facts.declare(size, Some(cst(1)), None);
        }
        let (sizes, params) = (self.sizes, self.params);
        Kernel {
            name: "K".into(),
            sizes,
            facts,
            params,
            outputs: lift_core::ir::results(body.ty()),
            body,
            checks: Vec::new(),
            source: None,
            step: None,
            options: KernelOptions::default(),
            interface: None,
        }
    }
}

fn reduce(xs: Expr, name: &str, f: fn(Expr, Expr) -> Expr) -> Expr {
    accumulated(Prim::Reduce(Order::Any), xs, name, f)
}

fn accumulated(prim: Prim, xs: Expr, name: &str, f: fn(Expr, Expr) -> Expr) -> Expr {
    let ty = xs.ty().as_array().unwrap().0;
    let (a, b) = (Param::new(name, ty.clone()), Param::new("x", ty.clone()));
    let f = Lambda { body: f(Expr::param(&a), Expr::param(&b)), params: vec![a, b] };
    Expr::prim(prim, vec![Arg::Fun(f), Arg::Data(literal(&Scalar::F32.into(), 0)), Arg::Data(xs)])
}

fn add(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinaryOp::Add, a, b)
}

fn zip(a: Expr, b: Expr) -> Expr {
    Expr::prim(Prim::Zip, vec![Arg::Data(a), Arg::Data(b)])
}

/// All elements of a window; their order matters.
fn asymmetric(window: Expr) -> Expr {
    let dims = window.ty().shape().0.len();
    let flat = (1..dims).fold(window, |w, _| Expr::join(w));
    accumulated(Prim::Reduce(Order::Left), flat, "sum", twice_minus)
}

/// `map^d(f, xs)` with `f` given as a Rust function.
fn map_nd(dims: usize, xs: Expr, f: impl FnOnce(Expr) -> Expr) -> Expr {
    let mut ty = xs.ty();
    for _ in 0..dims {
        ty = ty.as_array().unwrap().0;
    }
    let f = Lambda::unary("w", ty.clone(), f);
    nd::map_nd(dims, f, xs)
}

/// `map^d(asymmetric) . slide^d(size, step) . pad^d(before, after, boundary)`
fn stencil(x: Expr, dims: usize, size: i64, step: i64, pads: (i64, i64), boundary: &Boundary) -> Expr {
    let padded = nd::pad_nd(&vec![(cst(pads.0), cst(pads.1)); dims], boundary, x);
    let slid = nd::slide_nd(&vec![(cst(size), cst(step)); dims], padded);
    map_nd(dims, slid, asymmetric)
}

fn boundaries() -> Vec<Boundary> {
    let constant = Boundary::Constant(literal(&Scalar::F32.into(), 5));
    vec![
        Boundary::Fold(Fold::Clamp),
        Boundary::Fold(Fold::Mirror),
        Boundary::Fold(Fold::Reflect),
        Boundary::Fold(Fold::Wrap),
        constant,
    ]
}

/// `weights.zip(window.join()).map(mul).reduce(add, 0.0)`, with a `let` for every argument, as inlining
/// leaves it.
fn convolution(window_size: i64) -> Kernel {
    let mut b = Builder::new();
    let (n, m) = (b.size("N"), b.size("M"));
    let weights = b.input("weights", &[cst(window_size * window_size)]);
    let image = b.input("image", &[n, m]);
    let r = cst(window_size / 2);
    let padded = nd::pad_nd(&[(r.clone(), r.clone()), (r.clone(), r)], &Boundary::Fold(Fold::Clamp), image);
    let xs = Param::new("xs", padded.ty().clone());
    let window = (cst(window_size), cst(1));
    let slid = Expr::let_(xs.clone(), padded, nd::slide_nd(&[window.clone(), window], Expr::param(&xs)));
    let body = map_nd(2, slid, |w| {
        let (a, nbh) = (Param::new("a", weights.ty().clone()), Param::new("nbh", w.ty().clone()));
        let pairs = zip(Expr::param(&a), Expr::join(Expr::param(&nbh)));
        let products = Expr::map_with("p", pairs, |p| {
            Expr::binary(BinaryOp::Mul, Expr::field(p.clone(), 0), Expr::field(p, 1))
        });
        let sum = reduce(products, "sum", add);
        Expr::let_(a, weights.clone(), Expr::let_(nbh, w, sum))
    });
    b.kernel(body)
}

fn value(ty: &Type, sizes: &BTreeMap<Var, i64>, counter: &mut f32) -> Value {
    match ty {
        Type::Array(element, len) => {
            let n = interp::Env::new(sizes).size(len).unwrap();
            Value::Array((0..n).map(|_| value(element, sizes, counter)).collect())
        }
        Type::Scalar(scalar) if !scalar.is_float() => {
            *counter += 1.37;
            Value::Scalar(Literal::number(
                if *counter as i32 % 3 == 0 { -(*counter as i32) } else { *counter as i32 },
                *scalar,
            ))
        }
        Type::Scalar(_) | Type::Tuple(_) => {
            *counter += 1.37;
            Value::from(if *counter as i64 % 3 == 0 { -*counter } else { *counter })
        }
    }
}

/// Interprets the kernel and each of its variants, for all these sizes and for tiles smaller, larger and
/// exactly as large as the array.
fn check_variants(kernel: &Kernel, all_sizes: &[&[i64]]) -> Vec<Variant> {
    check::check(kernel).unwrap();
    let variants = explore(kernel).variants;
    compare(kernel, &variants, all_sizes);
    variants
}

/// The same for variants that are there already.
pub(super) fn compare(kernel: &Kernel, variants: &[Variant], all_sizes: &[&[i64]]) {
    for variant in variants {
        let with_facts = Kernel { facts: variant.facts.clone(), ..kernel.clone() };
        check::check_body(&with_facts, &variant.body)
            .unwrap_or_else(|e| panic!("{}: {e}\n{}", variant.name, variant.body));
    }
    for sizes in all_sizes {
        let sizes: BTreeMap<Var, i64> = kernel.sizes.iter().cloned().zip(sizes.iter().copied()).collect();
        let mut counter = 0.0;
        let inputs: Vec<Value> = kernel.params.iter().map(|p| value(&p.ty, &sizes, &mut counter)).collect();
        let expected = interp::run(kernel, &sizes, &inputs).unwrap();
        for variant in variants {
            let kernel = Kernel { body: variant.body.clone(), ..kernel.clone() };
            let tiles: &[[i64; 3]] = match variant.tunables.len() {
                0 => &[[1, 1, 1]],
                _ => &[[1, 1, 1], [2, 3, 1], [3, 2, 2], [4, 1, 5], [8, 16, 3]],
            };
            for tile in tiles {
                let mut sizes = sizes.clone();
                sizes.extend(variant.tunables.iter().map(|t| t.var.clone()).zip(*tile));
                let found = interp::run(&kernel, &sizes, &inputs)
                    .unwrap_or_else(|e| panic!("{} {sizes:?}: {e}\n{}", variant.name, variant.body));
                assert_eq!(expected, found, "{} {sizes:?}\n{}", variant.name, variant.body);
            }
        }
    }
}

fn names(variants: &[Variant]) -> Vec<&'static str> {
    variants.iter().map(|v| v.name).collect()
}

#[test]
fn one_dimension_with_every_boundary() {
    for boundary in boundaries() {
        for (size, pads) in [(3, (1, 1)), (5, (4, 0)), (2, (0, 3)), (4, (5, 6)), (1, (0, 0))] {
            let mut b = Builder::new();
            let n = b.size("N");
            let x = b.input("x", &[n]);
            let kernel = b.kernel(stencil(x, 1, size, 1, pads, &boundary));
            let variants = check_variants(&kernel, &[&[1], &[2], &[3], &[7], &[16], &[17], &[1041]]);
            assert_eq!(names(&variants), ["naive", "tiled", "registers", "vectors"]);
        }
    }
}

#[test]
fn one_dimension_with_steps() {
    for (size, step) in [(3, 2), (2, 3), (4, 2), (1, 4), (5, 5)] {
        let mut b = Builder::new();
        let n = b.size("N");
        let x = b.input("x", &[(n - 1) * cst(step) + cst(size)]);
        let kernel = b.kernel(stencil(x, 1, size, step, (0, 0), &Boundary::Fold(Fold::Clamp)));
        check_variants(&kernel, &[&[1], &[2], &[5], &[9], &[13]]);
    }
}

#[test]
fn two_dimensions_with_every_boundary() {
    for boundary in boundaries() {
        let mut b = Builder::new();
        let (n, m) = (b.size("N"), b.size("M"));
        let x = b.input("x", &[n, m]);
        let kernel = b.kernel(stencil(x, 2, 4, 1, (2, 1), &boundary));
        let variants =
            check_variants(&kernel, &[&[1, 1], &[1, 6], &[7, 2], &[5, 11], &[8, 8], &[3, 37], &[1, 32]]);
        assert_eq!(names(&variants), ["naive", "tiled", "registers", "vectors"]);
    }
}

#[test]
fn three_dimensions() {
    for boundary in boundaries() {
        let mut b = Builder::new();
        let (n, m, o) = (b.size("N"), b.size("M"), b.size("O"));
        let x = b.input("x", &[n, m, o]);
        let kernel = b.kernel(stencil(x, 3, 3, 1, (1, 1), &boundary));
        let variants = check_variants(&kernel, &[&[1, 1, 1], &[2, 3, 5], &[5, 1, 4], &[1, 2, 50]]);
        assert_eq!(variants[1].local.len(), 3);
        let defaults: Vec<_> = variants[1].tunables.iter().map(|t| (t.var.name(), t.default)).collect();
        assert_eq!(defaults, [("TILE_X", 32), ("TILE_Y", 4), ("TILE_Z", 4)]);
    }
}

#[test]
fn planes_of_points_that_are_named() {
    for boundary in ["reflect", "constant(2.0)"] {
        let kernel = kernel(&format!(
            "#[kernel] fn Planes<N, M, O>(x: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {{
                x.pad3d(1, 1, 1, {boundary}).slide3d(3, 1)
                    .map3d(|w| w[1][1][1] - 0.5 * w[0][1][1] + 0.25 * w[1][2][0] + 2.0 * w[2][1][1])
            }}"
        ));
        let variants = check_variants(&kernel, &[&[2, 3, 5]]);
        assert_eq!(names(&variants), ["naive", "tiled", "registers", "planes", "vectors"]);
    }
}

#[test]
fn planes_of_other_points_are_marched_through() {
    for (parameters, arrays, function) in [
        ("", "x.pad3d(1, 1, 1, clamp).slide3d(3, 1)", "|w| w.map(|plane| plane[1][2])[0] - 2.0 * w[2][0][1]"),
        ("", "x.pad3d(1, 1, 1, wrap).slide3d(3, 1)", "|w| w.join().join().reduce(add, 0.0) - w[0][0][0]"),
        (
            ", y: [[[f32; O + 1]; M + 1]; N + 1], z: [[[i32; O]; M]; N]",
            "zip3d(x.pad3d(1, 1, 1, constant(1.0)).slide3d(3, 1), y.slide3d(2, 1), z)",
            "|w, v, n| if n > 3 { w[0][1][1] + 0.5 * v[1][0][1] } else { w[2][2][0] - v[0][1][0] }",
        ),
    ] {
        let kernel = kernel(&format!(
            "#[kernel] fn Planes<N, M, O>(x: [[[f32; O]; M]; N]{parameters}) -> [[[f32; O]; M]; N] {{
                {arrays}.map3d({function})
            }}"
        ));
        let names = names(&check_variants(&kernel, &[&[1, 1, 1], &[2, 3, 5], &[9, 2, 4]]));
        assert!(names.contains(&"marching") && !names.contains(&"planes"), "{function}: {names:?}");
        let first = |class| targets::order(class, std::slice::from_ref(&kernel), &names)[0];
        assert_eq!([first(Class::Gpu), first(Class::Cpu)], ["registers", "vectors"], "{function}");
    }
}

#[test]
fn different_windows_per_dimension_and_a_symbolic_one() {
    let mut b = Builder::new();
    let (n, m, k) = (b.size("N"), b.size("M"), b.size("K"));
    let x = b.input("x", &[n + &k - 1, (m - 1) * cst(2) + cst(3)]);
    let slid = nd::slide_nd(&[(k, cst(1)), (cst(3), cst(2))], x);
    let kernel = b.kernel(map_nd(2, slid, asymmetric));
    let variants = check_variants(&kernel, &[&[1, 1, 1], &[4, 5, 3], &[7, 3, 6], &[2, 9, 2]]);
    assert_eq!(names(&variants), ["naive", "tiled"]);
    // Nobody knows how large the window is.
    assert_eq!(
        targets::order(Class::Gpu, std::slice::from_ref(&kernel), &names(&variants)),
        ["tiled", "naive"]
    );
}

#[test]
fn two_maps_are_one_stencil() {
    let mut b = Builder::new();
    let (n, m) = (b.size("N"), b.size("M"));
    let x = b.input("x", &[n, m]);
    let blurred = stencil(x, 2, 3, 1, (1, 1), &Boundary::Fold(Fold::Mirror));
    // Used twice, but computed once.
    let kernel = b.kernel(map_nd(2, blurred, |y| {
        Expr::if_(
            Expr::binary(BinaryOp::Lt, y.clone(), literal(y.ty(), 0)),
            y.clone(),
            twice_minus(y.clone(), y),
        )
    }));
    let variants = check_variants(&kernel, &[&[1, 1], &[4, 9], &[5, 2]]);
    assert_eq!(names(&variants), ["naive", "tiled", "registers", "vectors"]);
    let text = variants[0].body.to_string();
    assert_eq!(text.matches("map_global").count(), 2, "{text}");
    assert_eq!(text.matches("reduce_seq").count(), 1, "{text}");
}

#[test]
fn layout_and_definitions_around_a_stencil() {
    let mut b = Builder::new();
    let (n, m) = (b.size("N"), b.size("M"));
    let x = b.input("x", &[n, m]);
    let total = Param::new("total", Scalar::F32.into());
    let sum = reduce(Expr::join(x.clone()), "sum", add);
    let slid = nd::slide_nd(&[(cst(3), cst(1)), (cst(3), cst(1))], {
        nd::pad_nd(&[(cst(1), cst(1)), (cst(1), cst(1))], &Boundary::Fold(Fold::Wrap), x)
    });
    let shifted = map_nd(2, slid, |w| twice_minus(asymmetric(w), Expr::param(&total)));
    let kernel = b.kernel(Expr::let_(total, sum, Expr::join(Expr::transpose(shifted))));
    let variants = check_variants(&kernel, &[&[1, 1], &[4, 9], &[5, 2]]);
    assert_eq!(names(&variants), ["naive", "tiled", "registers", "vectors"]);
    assert!(variants.iter().all(|v| v.body.to_string().starts_with("{ let total = ")));
}

#[test]
fn a_stencil_over_something_computed() {
    let mut b = Builder::new();
    let n = b.size("N");
    let x = b.input("x", &[n]);
    let squares = Expr::map_with("x", x, |x| Expr::binary(BinaryOp::Mul, x.clone(), x));
    let kernel = b.kernel(stencil(squares, 1, 3, 1, (1, 1), &Boundary::Fold(Fold::Reflect)));
    let variants = check_variants(&kernel, &[&[1], &[2], &[10], &[1041]]);
    assert_eq!(names(&variants), ["naive", "tiled", "registers", "vectors"]);
}

#[test]
fn results_that_are_arrays() {
    let mut b = Builder::new();
    let n = b.size("N");
    let x = b.input("x", &[n]);
    let slid = Expr::slide(cst(3), cst(1), Expr::pad(cst(1), cst(1), Boundary::Fold(Fold::Clamp), x));
    let kernel = b.kernel(Expr::map_with("w", slid, |w| {
        let middle = Expr::prim(Prim::At, vec![Arg::Data(Expr::size(cst(1))), Arg::Data(w.clone())]);
        Expr::map_with("x", w, |x| twice_minus(x, middle))
    }));
    let variants = check_variants(&kernel, &[&[1], &[2], &[10]]);
    assert_eq!(names(&variants), ["naive", "tiled"]);
    assert!(variants[1].body.to_string().contains("map_seq"), "{}", variants[1].body);
}

#[test]
fn what_is_no_stencil_has_one_variant() {
    // Rows as elements: a tile of them has no place in local memory.
    let mut b = Builder::new();
    let (n, m) = (b.size("N"), b.size("M"));
    let x = b.input("x", &[n, m]);
    let kernel = b.kernel(Expr::map_with(
        "w",
        Expr::slide(cst(2), cst(1), Expr::pad(cst(0), cst(1), Boundary::Fold(Fold::Wrap), x)),
        |w| asymmetric(Expr::join(w)),
    ));
    assert_eq!(names(&check_variants(&kernel, &[&[1, 1], &[3, 4]])), ["naive"]);

    // Nothing but layout: somebody must write it.
    let mut b = Builder::new();
    let (n, m) = (b.size("N"), b.size("M"));
    let x = b.input("x", &[n, m]);
    let kernel = b.kernel(Expr::transpose(x));
    let variants = check_variants(&kernel, &[&[1, 1], &[3, 4]]);
    insta::assert_snapshot!(variants[0].body, @"x.transpose().map_global(1, |row| row.map_global(0, |x| x))");

    // A single number.
    let mut b = Builder::new();
    let n = b.size("N");
    let x = b.input("x", &[n]);
    let kernel = b.kernel(reduce(x, "sum", add));
    assert_eq!(names(&check_variants(&kernel, &[&[1], &[9]])), ["naive"]);
}

/// The kernel, its variants, and which of them comes first on a GPU.
fn explored(text: &str, sizes: &[&[i64]]) -> (Vec<&'static str>, &'static str) {
    let kernel = kernel(text);
    let names = names(&check_variants(&kernel, sizes));
    let first = targets::order(Class::Gpu, std::slice::from_ref(&kernel), &names)[0];
    (names, first)
}

#[test]
fn products_have_blocks() {
    let sizes: &[&[i64]] = &[&[1, 1, 1], &[3, 4, 18]];
    for (parameters, rows, columns, body) in [
        ("a: [[i64; K]; N], b: [[i64; M]; K]", "a", "b.transpose()", "zip(x, y).map(mul).reduce(add, 0)"),
        (
            "a: [[i32; N]; K], b: [[i32; K]; M]",
            "a.transpose()",
            "b",
            "3 * zip(y, x).map(sub).reduce(max, i32::MIN)",
        ),
    ] {
        let element = &parameters[5..8];
        let text = format!(
            "#[kernel] fn Product<N, M, K>({parameters}) -> [[{element}; M]; N] {{ {rows}.map(|x| {columns}.map(|y| {body})) }}"
        );
        // Blocks of wide numbers are smaller.
        let blocks = ["blocked", "blocked_64", "blocked_32"].split_at(usize::from(element == "i64")).1;
        let names = [&["naive"], blocks, &["panels", "vectors"]].concat();
        assert_eq!(explored(&text, sizes), (names, blocks[0]), "{text}");
    }
    // Short rows are in registers anyway, and a reduction of other things is no product.
    for text in [
        "#[kernel] fn Short<N, M>(a: [[i32; 3]; N], b: [[i32; 3]; M]) -> [[i32; M]; N] {
            a.map(|x| b.map(|y| zip(x, y).map(mul).reduce(add, 0)))
        }",
        "#[kernel] fn First<N, M, K>(a: [[i32; K]; N], b: [[i32; K]; M]) -> [[i32; M]; N] {
            a.map(|x| b.map(|y| zip(x, y).map(|(x, y)| x * y * K as i32).reduce(add, 0) + x[0]))
        }",
    ] {
        let (names, _) = explored(text, &[&[2, 3, 4]]);
        assert_eq!(names.contains(&"blocked"), text.contains("First"), "{text}");
    }
}

#[test]
fn chunks_are_reduced_by_groups_and_in_vectors() {
    let sizes: &[&[i64]] = &[&[1030], &[2048]];
    let mean =
        "let size = N as i32; let mean = level / size; x.map(|v| (v - mean) * (v - mean)).reduce(add, 0)";
    for (body, in_vectors) in [
        ("x.reduce(add, 0)", true),
        ("x.map(|v| v * level).reduce(max, i32::MIN)", true),
        ("zip(x, x).reduce(|a, b| (a.0 + b.0, a.1.max(b.1)), (0, i32::MIN)).1", true),
        ("x.argmin().1", true),
        // What chunks need is defined before.
        (mean, true),
        // Neighbours do not lie side by side, or lanes have no such type.
        ("x.reverse().reduce(add, 0)", false),
        ("x.pad(1, 1, clamp).slide(3, 1).map(|w| w[0] - w[2]).reduce(add, 0)", false),
        ("x.map(|v| (v, v > 3)).reduce(|a, b| (a.0 + b.0, a.1 || b.1), (0, false)).0", false),
    ] {
        let level = if body.contains("level") { ", level: i32" } else { "" };
        let text = format!("#[kernel] fn Whole<N>(x: [i32; N]{level}) -> i32 {{ {body} }}");
        let program = program::cut(&kernel(&text));
        check_variants(&program.stages[0], sizes);
        let stages: Vec<Vec<&str>> =
            program.stages.iter().map(|stage| names(&explore(stage).variants)).collect();
        let chunks = if in_vectors { vec!["naive", "vectors"] } else { vec!["naive"] };
        assert_eq!(stages, [chunks, vec!["naive"]], "{text}");
        let by_groups = |stage| explore(stage).variants[0].body.to_string().contains("map_workgroup");
        assert!(program.stages.iter().all(by_groups), "{text}");
    }
}

#[test]
fn rows_are_reduced_by_groups() {
    let sizes: &[&[i64]] = &[&[1, 1], &[2, 70], &[2, 85], &[2, 513]];
    for (result, body) in [
        ("i32; N", "a.map(reduce(add, 0))"),
        ("i32; N", "zip(a, x).map(|(row, x)| x - row.map(|y| y * x).reduce(add, 0))"),
        ("[i32; M]; N", "a.map(|row| { let all = row.reduce(max, i32::MIN); row.map(|y| y - all) })"),
        ("(i32, i32); N", "a.map(|row| (row.reduce(add, 0), row.reduce(max, i32::MIN)))"),
    ] {
        let text =
            format!("#[kernel] fn Rows<N, M>(a: [[i32; M]; N], _x: [i32; N]) -> [{result}] {{ {body} }}");
        let text = if body.contains("x)") { text.replace("_x", "x") } else { text };
        // Of two arrays, an item has no row in local memory.
        let by_items = if body.contains("zip") { None } else { Some("local_rows") };
        // What becomes no row is not worth a copy of one.
        let held = if result.starts_with('[') { Some("held_rows") } else { None };
        let expected =
            ["naive", "short_rows"].into_iter().chain(by_items).chain(held).chain(["rows", "vectors"]);
        assert_eq!(explored(&text, sizes), (expected.collect(), "short_rows"), "{text}");
    }
    // All items of a group that has one row go the same way.
    let text = "#[kernel] fn Chosen<N, M>(a: [[i32; M]; N]) -> [i32; N] { a.map(|x| if x[0] > 0 { x.reduce(add, 0) } else { 0 }) }";
    assert_eq!(explored(text, sizes).0, ["naive", "local_rows", "rows", "vectors"]);
    // A reduction over the same for all is no row, and windows overlap.
    for text in [
        "fn All<N, M>(x: [i32; N], y: [i32; M]) -> [i32; N] { x.map(|x| y.map(|y| y - x).reduce(max, i32::MIN)) }",
        "fn Windows<N, K>(x: [i32; N + K - 1]) -> [i32; N] { x.slide(K, 1).map(reduce(add, 0)) }",
        "fn Pairs<N, M>(a: [[i32; M]; N], b: [[i32; N]; M]) -> [i32; N] { zip2d(a, b.transpose()).map(|x| x.map(mul).reduce(add, 0)) }",
        "fn Listed<N, M>(a: [[usize; M]; N], x: [i32; N]) -> [i32; N] { a.map(|i| x.gather(i.map(|i| i % N)).reduce(add, 0)) }",
        "fn Short<N, M>(a: [[[i32; 100]; N]; M]) -> [[i32; N]; M] { a.map2d(reduce(add, 0)) }",
    ] {
        let (names, _) = explored(&format!("#[kernel] {text}"), &[&[3, 4]]);
        assert!(!names.contains(&"rows"), "{text}");
    }
}

#[test]
fn strips_of_columns_are_reduced_by_groups() {
    let sizes: &[&[i64]] = &[&[1, 1], &[17, 3], &[33, 40]];
    for (arguments, result, body) in [
        ("", "i32; M", "a.transpose().map(reduce(add, 0))"),
        (", x: [i32; N]", "i32; M", "a.transpose().map(|c| 2 * zip(c, x).map(mul).reduce(add, 0))"),
    ] {
        let text =
            format!("#[kernel] fn Columns<N, M>(a: [[i32; M]; N]{arguments}) -> [{result}] {{ {body} }}");
        let (names, first) = explored(&text, sizes);
        assert!(names.contains(&"rows") && first == "rows", "{text}: {names:?}");
    }
    // Two reductions, and columns that become columns.
    for (result, body) in [
        ("[i32; M]", "a.transpose().map(|c| c.reduce(add, 0) - c.reduce(max, i32::MIN))"),
        (
            "[[i32; M]; N]",
            "a.transpose().map(|c| { let most = c.reduce(max, 0); c.map(|v| most - v) }).transpose()",
        ),
    ] {
        let text = format!("#[kernel] fn Columns<N, M>(a: [[i32; M]; N]) -> {result} {{ {body} }}");
        let (names, _) = explored(&text, sizes);
        assert!(names.contains(&"rows") && names.contains(&"few_columns"), "{text}: {names:?}");
    }
    // An item of a group that is in one arm waits for nobody.
    let text = "#[kernel] fn Columns<N, M>(a: [[i32; M]; N]) -> [i32; M] {
        a.transpose().map(|c| if c[0] > 0 { c.reduce(add, 0) } else { 0 })
    }";
    assert!(!explored(text, &[&[3, 4]]).0.contains(&"rows"), "{text}");
}

#[test]
fn rows_are_scanned_by_groups() {
    let sizes: &[&[i64]] = &[&[1, 1], &[2, 70], &[1, 2049]];
    let rows = vec!["naive", "local_rows", "rows"];
    for (body, names, first) in [
        ("a.map(scan(add, 0))", [rows.clone(), vec!["short_rows"]].concat(), "short_rows"),
        // What is scanned in blocks is not stored in another order.
        ("a.map(|row| row.map(|x| 3 * x).reverse().scan(max, 0).reverse())", rows, "local_rows"),
    ] {
        let text = format!("#[kernel] fn Rows<N, M>(a: [[i32; M]; N]) -> [[i32; M]; N] {{ {body} }}");
        assert_eq!(explored(&text, sizes), (names, first), "{text}");
    }
    for body in
        ["a.map(scan_seq(|x, y| x - y, 0))", "a.transpose().map(scan_seq(|x, y| x - y, 0)).transpose()"]
    {
        let text = format!("#[kernel] fn Rows<N, M>(a: [[i32; M]; N]) -> [[i32; M]; N] {{ {body} }}");
        assert!(!explored(&text, &[&[3, 4]]).0.contains(&"rows"), "{text}");
    }
}

#[test]
fn rows_that_groups_share_should_be_long() {
    let least = |text: &str| -> Vec<String> {
        let all = explore(&kernel(&format!("#[kernel] fn Rows<N, M>{text}"))).variants;
        let rows = all.iter().find(|variant| variant.name == "rows").expect("a version by groups");
        rows.least.iter().map(|(n, least)| format!("{n} >= {least}")).collect()
    };
    assert_eq!(least("(a: [[f32; M]; N]) -> [f32; N] { a.map(reduce(add, 0.0)) }"), ["M >= 128"]);
    assert_eq!(least("(a: [[f32; M]; N]) -> [[f32; M]; N] { a.map(scan(add, 0.0)) }"), ["M >= 128"]);
    assert_eq!(
        least("(a: [[f32; M]; N]) -> [f32; M] { a.transpose().map(reduce(add, 0.0)) }"),
        ["N >= 128", "M >= 6336"]
    );
    // Few rows are shared whatever their length is, and what is known needs no check.
    assert!(least("(a: [[f32; M * N]; 3]) -> [f32; 3] { a.map(reduce(add, 0.0)) }").is_empty());
    assert!(least("(a: [[f32; 200]; N + M]) -> [f32; N + M] { a.map(reduce(add, 0.0)) }").is_empty());
}

/// A cheap scalar that a function of rows defines does not leave each row to one work-item; what costs much, and what is short, does.
/// The text of a version.
fn text_of(text: &str, name: &str) -> String {
    let compiled = pipeline::generate(kernel(text));
    let version = compiled.versions.iter().find(|version| version.name == name);
    version.map(|version| version.generated.source.to_string()).unwrap_or_else(|| panic!("no version {name}"))
}

#[test]
fn what_fills_up_an_array_is_visited_only_if_it_changes_the_result() {
    let filled = |row: &str| {
        let text = format!(
            "#[kernel] fn F<N, M>(x: [[f32; M]; N]) -> [f32; N + 2] {{ x.join().pad(0, 2 * M, constant(0.0)).split(M).map(|r| {row}) }}"
        );
        text_of(&text, "naive").contains('?')
    };
    assert!(!filled("r.reduce(add, 0.0)"));
    assert!(filled("r.reduce(add, 0.0) + r.reduce(max, f32::NEG_INFINITY)"));
    assert!(filled("r.fold(|s, v| 2.0 * s + v, 0.0)"));
}

#[test]
fn pairs_of_a_chunk_are_computed_once() {
    let text = "#[kernel] fn F<N, M>(x: [f32; N], y: [f32; M]) -> ([f32; N], [f32; N]) {
        x.map(|a| y.map(|b| { let d = (a - b) * (a - b) + 0.01; let f = 1.0 / (d * sqrt(d)); (f * (a - b), exp(f) * b) }).reduce(|p, q| (p.0 + q.0, p.1 + q.1), (0.0, 0.0))).unzip()
    }";
    assert_eq!(text_of(text, "two_stage").matches("sqrt(").count(), 1);
}

#[test]
fn cheap_scalars_leave_rows_to_many_items() {
    let dims = |text: &str| {
        let compiled = pipeline::generate(kernel(text));
        let naive =
            compiled.versions.iter().find(|version| version.name == "naive").expect("for every kernel");
        (0..3).filter(|d| naive.generated.source.to_string().contains(&format!("get_global_id({d})"))).count()
    };
    let scaled = |scalar: &str| {
        dims(&format!(
            "#[kernel] fn F<N, M>(x: [[f32; M]; N], s: [f32; N]) -> [[f32; M]; N] {{ zip(x, s).map(|row, s| {{ let t = {scalar}; row.map(|v| t * v) }}) }}"
        ))
    };
    assert_eq!(scaled("2.0 * s"), 2);
    assert_eq!(scaled("sqrt(s) + 1.0 / s"), 2);
    assert_eq!(scaled("{ let u = s + 1.0; u * sqrt(u) }"), 2);
    assert_eq!(scaled("sin(s) + cos(s) + exp(s) + ln(s) + sqrt(s)"), 1);
    assert_eq!(scaled("array(100, |i| s * i as f32).reduce(add, 0.0)"), 1);
    let two = "#[kernel] fn F<N, M>(x: [[f32; M]; N], s: [f32; N]) -> ([[f32; M]; N], [[f32; M]; N]) {
        zip(x, s).map(|row, s| { let t = sqrt(s); (row.map(|v| t * v), row.map(|v| v + t)) }).unzip()
    }";
    assert_eq!(dims(two), 2);
    let short = "#[kernel] fn F<N>(x: [[f32; 9]; N]) -> [[f32; 9]; N] { x.map(|f| { let t = f[0] + f[8]; f.map(|v| t * v) }) }";
    assert_eq!(dims(short), 1);
}

/// A stencil along rows or columns has what stencils in two dimensions have, and both after each other are one launch.
#[test]
fn stencils_along_one_dimension_are_stencils_in_two() {
    let order = |body: &str| {
        let blur = "line.pad(1, 1, clamp).slide(3, 1).map(|w| w[0] + 2.0 * w[1] + w[2])";
        let compiled = pipeline::generate(kernel(&format!(
            "fn blur<N>(line: [f32; N]) -> [f32; N] {{ {blur} }}
            #[kernel] fn Blur<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {{ {body} }}"
        )));
        (compiled.gpu_order[0], compiled.cpu_order[0])
    };
    assert_eq!(order("x.map(blur)"), ("registers", "vectors"));
    assert_eq!(order("x.transpose().map(blur).transpose()"), ("registers", "vectors"));
    assert_eq!(order("x.map(blur).transpose().map(blur).transpose()"), ("passes", "row_passes"));
}

/// Sizes that the program states decide like those that a launch has.
#[test]
fn stated_sizes_decide_between_squares() {
    let tried = |n: usize| -> Vec<&'static str> {
        let compiled = pipeline::generate(kernel(&format!(
            "#[kernel] fn F(a: [[f32; {n}]; {n}], b: [[f32; {n}]; {n}]) -> [[f32; {n}]; {n}] {{
                a.map(|row| b.transpose().map(|column| zip(row, column).map(mul).reduce(add, 0.0)))
            }}"
        )));
        let holds = |name: &&&'static str| {
            let version = compiled.versions.iter().find(|version| version.name == **name);
            let large = |(n, least): &(ArithExpr, i64)| n.as_const().is_some_and(|n| n >= *least);
            version.is_some_and(|version| version.least.iter().all(large))
        };
        compiled.gpu_order.iter().filter(holds).copied().collect()
    };
    assert_eq!(tried(4096)[..2], ["blocked", "blocked_64"]);
    assert_eq!(tried(1024)[..2], ["two_stage", "blocked_64"]);
    assert_eq!(tried(128)[0], "naive");
}

/// Chunks of rows are long, whatever else a launch with so many rows would do.
#[test]
fn chunks_of_rows_have_a_group_each() {
    let compiled = pipeline::generate(kernel(
        "#[kernel] fn F<N, M>(a: [[f32; M]; N]) -> [f32; N] { a.map(reduce(add, 0.0)) }",
    ));
    let text = |name: &str| {
        let version = compiled.versions.iter().find(|version| version.name == name);
        version.map(|version| version.generated.source.to_string()).unwrap_or_default()
    };
    assert!(text("short_rows").contains("reqd_work_group_size(8, 32, 1)"));
    assert!(text("two_stage").contains("reqd_work_group_size(128, 1, 1)"));
    assert!(!text("two_stage").contains("reqd_work_group_size(8, 32, 1)"));
}

/// Which versions a GPU tries first depends on how many results there are, and on how much is reduced to each.
#[test]
fn sizes_decide_how_reductions_are_shared() {
    // A kernel stands in the table once for each of its sizes, and is compiled once.
    let mut known = BTreeMap::new();
    let mut first = |text: &'static str, sizes: &[(&str, i64)]| -> &'static str {
        let (kernel, compiled) = known.entry(text).or_insert_with(|| {
            let kernel = kernel(text);
            (kernel.clone(), pipeline::generate(kernel))
        });
        let value = |v: &Var| {
            let name = kernel.sizes.iter().find(|size| *size == v).map(Var::name)?;
            sizes.iter().find(|(known, _)| *known == name).map(|(_, n)| i128::from(*n))
        };
        let pays = |name: &&&'static str| {
            let version = compiled.versions.iter().find(|version| version.name == **name);
            let holds =
                |(n, least): &(ArithExpr, i64)| n.eval(&value).is_some_and(|n| n >= i128::from(*least));
            version.is_some_and(|version| version.least.iter().all(holds))
        };
        compiled.gpu_order.iter().find(pays).copied().expect("a version for all sizes")
    };
    let rows = "#[kernel] fn F<N, M>(a: [[f32; M]; N]) -> [f32; N] { a.map(reduce(add, 0.0)) }";
    let columns =
        "#[kernel] fn F<N, M>(a: [[f32; M]; N]) -> [f32; M] { a.transpose().map(reduce(add, 0.0)) }";
    let prefixes = "#[kernel] fn F<N, M>(a: [[f32; M]; N]) -> [[f32; M]; N] { a.map(scan(add, 0.0)) }";
    let down = "#[kernel] fn F<N, M>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a.transpose().map(scan(add, 0.0)).transpose()
    }";
    // What is defined between the reductions and the row stands in nobody's way.
    let normalised = "#[kernel] fn F<N, M>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a.map(|row| { let norm = sqrt(row.map(|v| v * v).reduce(add, 0.0)); row.map(|v| v / norm) })
    }";
    let moments = "#[kernel] fn F<N, M>(a: [[f32; M]; N]) -> [(f32, f32); M] {
        a.transpose().map(|c| { let sum = c.reduce(add, 0.0); (sum, c.map(|v| (v - sum) * v).reduce(add, 0.0)) })
    }";
    let of_columns = "#[kernel] fn F<N, M>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a.transpose().map(|c| { let sum = c.reduce(add, 0.0); c.map(|v| v / sum) }).transpose()
    }";
    let pairs = "#[kernel] fn F<N, M>(x: [f32; N], y: [f32; M]) -> [f32; N] {
        x.map(|a| y.map(|b| (a - b) * (a - b)).reduce(min, f32::INFINITY))
    }";
    let places = "#[kernel] fn F<N, M>(a: [[f32; M]; N]) -> [usize; N] { a.map(|row| row.argmax().0) }";
    let elements = "#[kernel] fn F<N, M>(a: [[f32; M]; N]) -> [[f32; M]; N] { a.map2d(|v| v * v + 1.0) }";
    let shifted = "#[kernel] fn F<N, M>(a: [[f32; M]; N]) -> [[f32; M]; N] { a.map(|r| r.pad(1, 0, clamp).take(M).map(|v| v * v + 1.0)) }";
    let bytes = "#[kernel] fn F<N, M>(a: [[u8; M]; N]) -> [[u8; M]; N] { a.map2d(|v| 255 - v) }";
    let reversed = "#[kernel] fn F<N, M>(a: [[f32; M]; N]) -> [[f32; M]; N] { a.map(|r| r.reverse()) }";
    let scaled = "#[kernel] fn F<N, M>(a: [[f32; M]; N], x: [f32; N], y: [f32; M]) -> [[f32; M]; N] {
        zip(a, x).map(|row, p| zip(row, y).map(|v, q| p * v + q))
    }";
    let windows = "#[kernel] fn F<N, M>(a: [[f32; M]; N]) -> [[f32; M]; N] {
        a.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w[0][1] + w[1][0] + w[1][2] + w[2][1])
    }";
    for (text, n, m, expected) in [
        // Groups of a fixed shape would have nothing to do for most of their items.
        (elements, 1 << 20, 4, "strided"),
        (elements, 4096, 4095, "strided"),
        (elements, 4096, 4096, "strided"),
        (reversed, 4096, 4096, "strided"),
        (shifted, 4096, 256, "strided"),
        (shifted, 4096, 255, "naive"),
        (bytes, 1 << 20, 3, "registers"),
        (scaled, 1 << 20, 3, "strided"),
        (scaled, 4096, 4096, "strided"),
        (windows, 1 << 20, 4, "naive"),
        (windows, 4096, 127, "naive"),
        (windows, 4096, 128, "registers"),
        (pairs, 50_000, 25_000, "two_stage"),
        (pairs, 4000, 100_000, "two_stage"),
        (pairs, 500_000, 512, "coarsened"),
        (pairs, 500_000, 16, "naive"),
        (pairs, 1000, 500, "naive"),
        (rows, 16, 1 << 20, "two_stage"),
        (rows, 8192, 8192, "rows"),
        (rows, 1 << 20, 24, "short_rows"),
        (rows, 1 << 20, 23, "local_rows"),
        (rows, 1 << 20, 5, "local_rows"),
        (rows, 1 << 20, 4, "naive"),
        (prefixes, 1 << 20, 2, "local_rows"),
        (prefixes, 1 << 20, 64, "local_rows"),
        (prefixes, 1 << 20, 65, "short_rows"),
        (prefixes, 1 << 14, 1024, "short_rows"),
        (prefixes, 1 << 14, 1025, "rows"),
        (rows, 1 << 14, 511, "short_rows"),
        (rows, 1 << 14, 512, "rows"),
        (rows, 4095, 256, "rows"),
        (places, 8192, 2048, "short_rows"),
        (places, 8192, 2049, "rows"),
        // Wide accumulators are worth two launches earlier.
        (places, 48, (1 << 15) - 1, "rows"),
        (places, 48, 1 << 15, "two_stage"),
        (rows, 48, 1 << 15, "rows"),
        (rows, 48, 1 << 16, "two_stage"),
        (columns, 1 << 20, 4, "two_stage_narrow"),
        (columns, 1 << 20, 5, "two_stage_small"),
        (columns, 1 << 20, 25, "two_stage"),
        (columns, 2048, 24, "few_columns"),
        (columns, 2048, 6335, "few_columns"),
        (columns, 2048, 6336, "rows"),
        (of_columns, 1 << 20, 24, "two_stage_small"),
        (of_columns, 16384, 512, "two_stage"),
        (of_columns, 2048, 1024, "few_columns"),
        (of_columns, 2048, 4096, "rows"),
        (of_columns, 47, 1024, "naive"),
        (moments, 2048, 1024, "few_columns"),
        (down, 1 << 20, 8, "two_stage_small"),
        (down, 1 << 20, 9, "two_stage"),
        (down, 1 << 18, 512, "two_stage"),
        (down, 2048, 4096, "few_columns"),
        (down, 2048, 8192, "rows"),
        (down, 127, 8192, "naive"),
        (columns, 8192, 8192, "rows"),
        (columns, 16, 1 << 20, "naive"),
        (prefixes, 16, 1 << 20, "two_stage"),
        (prefixes, 8192, 8192, "rows"),
        (normalised, 16, 1 << 20, "two_stage"),
        (normalised, 8192, 320, "short_rows"),
        (normalised, 8192, 321, "rows"),
        (normalised, 8192, 4095, "rows"),
        (normalised, 8192, 8192, "held_rows"),
        (normalised, 8192, 11265, "rows"),
    ] {
        assert_eq!(first(text, &[("N", n), ("M", m)]), expected, "{n} x {m}: {text}");
    }
    let product = "#[kernel] fn F<N, M, K>(a: [[f32; K]; N], b: [[f32; M]; K]) -> [[f32; M]; N] {
        a.map(|row| b.transpose().map(|column| zip(row, column).map(mul).reduce(add, 0.0)))
    }";
    for (n, m, k, expected) in [
        (4096, 4096, 4096, "blocked"),
        (4096, 4096, 64, "blocked_64"),
        (2048, 2048, 1024, "blocked"),
        (1400, 1700, 1000, "blocked_64"),
        (1400, 1700, 2100, "two_stage_large"),
        (3872, 1148, 4096, "two_stage_large"),
        (1000, 1000, 100, "blocked_64"),
        (150, 4096, 300, "blocked_32"),
        (20, 65536, 2048, "blocked_32"),
        (256, 256, 65536, "two_stage_large"),
        (6000, 256, 8192, "two_stage_large"),
        (6000, 150, 8192, "two_stage"),
        (64, 4096, 2545, "two_stage"),
        (23, 1442, 2048, "two_stage_small"),
        (2, 2, 65536, "two_stage_small"),
        (100, 100, 100, "naive"),
        (100_000, 8, 64, "naive"),
    ] {
        assert_eq!(first(product, &[("N", n), ("M", m), ("K", k)]), expected, "{n} x {k} x {m}");
    }
}

#[test]
fn transposed_matrices_are_read_in_tiles() {
    let sizes: &[&[i64]] = &[&[1, 1], &[33, 3], &[40, 65]];
    for (arguments, result, body) in [
        ("", "[i32; N]; M", "a.transpose()"),
        (", b: [[i32; N]; M]", "[i32; N]; M", "zip2d(a.transpose(), b).map2d(|x, y| x - y)"),
    ] {
        let text =
            format!("#[kernel] fn Transposed<N, M>(a: [[i32; M]; N]{arguments}) -> [{result}] {{ {body} }}");
        let (names, first) = explored(&text, sizes);
        assert!(names.contains(&"transposed") && first == "transposed", "{text}: {names:?}");
    }
}

#[test]
fn of_deep_nests_the_outermost_are_one() {
    let mut b = Builder::new();
    let n = b.size("N");
    let x = b.input("x", &[n.clone(), n.clone(), cst(2), n.clone(), cst(3)]);
    let kernel = b.kernel(map_nd(5, x, |x| twice_minus(x.clone(), x)));
    let variants = check_variants(&kernel, &[&[1], &[3]]);
    insta::assert_snapshot!(variants[0].body, @r"
    x
        .join()
        .join()
        .map_global(1, |plane| plane.map_global(0, |row| row.map_seq_unroll(|w| 2.0 * w - w)))
        .split(2)
        .split(N)
    ");
}

#[test]
fn blocks_that_may_be_skipped_are_read_if_one_of_their_points_counts() {
    for (body, skips) in [
        ("if n > 0 { w[0] + w[2] } else { 0.0 }", true),
        ("{ let m = n + 1; if m > 3 { w[0] * (m as f32) } else { 0.0 } }", true),
        // Both need the window, or it decides.
        ("if n > 0 { w[0] } else { w[2] }", false),
        ("if w[1] > 0.0 { w[0] + (n as f32) } else { 0.0 }", false),
        ("if n > 0 { w[0] } else { n as f32 }", false),
    ] {
        let text = format!(
            "#[kernel] fn Inside<N>(x: [f32; N], near: [i32; N]) -> [f32; N] {{
                zip(near, x.pad(1, 1, clamp).slide(3, 1)).map(|(n, w)| {body})
            }}"
        );
        let kernel = kernel(&text);
        let variants = check_variants(&kernel, &[&[1], &[4], &[9], &[1070]]);
        let rules = |name: &str| -> Vec<&str> {
            let variant = variants.iter().find(|variant| variant.name == name).expect(name);
            variant.trace.rules()
        };
        let blocks = rules("registers");
        assert_eq!(blocks.contains(&"skip_block"), skips, "{body}");
        assert_eq!(blocks.contains(&"let_into_arm"), skips, "{body}");
        assert_eq!(rules("vectors").contains(&"skip_vector"), skips, "{body}");
        let order = targets::order(Class::Gpu, std::slice::from_ref(&kernel), &names(&variants));
        assert_eq!(order[0], "registers", "{body}");
    }
}

#[test]
fn the_order_depends_on_the_window_and_the_device() {
    for (size, first) in [(3, "registers"), (5, "registers"), (7, "window_rows"), (17, "window_rows")] {
        let kernel = convolution(size);
        let variants = explore(&kernel).variants;
        assert_eq!(targets::order(Class::Gpu, std::slice::from_ref(&kernel), &names(&variants))[0], first);
        assert_eq!(targets::order(Class::Cpu, &[], &names(&variants))[0], "vectors");
        assert_eq!(
            targets::order(Class::Cpu, &[], &["naive", "separated", "rows_first", "vectors"]),
            ["rows_first", "vectors", "naive", "separated"]
        );
    }
}
