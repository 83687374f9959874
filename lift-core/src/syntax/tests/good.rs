//! Programs without mistakes, and what they resolve to.

use super::resolved;

#[test]
fn the_guide_s_first_kernel() {
    let text = r#"
        /// Weighted sum of one neighbourhood.
        fn weigh(weights: [f32; 289], nbh: [[f32; 17]; 17]) -> f32 {
            zip(weights, nbh.join()).map(mul).reduce(add, 0.0)
        }
        /// 17×17 convolution with clamped edges.
        #[kernel]
        pub fn Convolve<N, M>(weights: [f32; 289], image: [[f32; M]; N]) -> [[f32; M]; N] {
            image.pad2d(8, 8, clamp).slide2d(17, 1).map2d(weigh(weights))
        }
    "#;
    insta::assert_snapshot!(resolved(text), @r#"
    fn weigh(weights: [f32; 289], nbh: [[f32; 17]; 17]) -> f32 = reduce(|x, y| (x + y), 0.0, map(|x, y| (x * y), zip(weights, join(nbh))))
    fn Convolve(weights: [f32; 289], image: [[f32; M]; N]) -> [[f32; M]; N] = map2d(|nbh| weigh(weights, nbh), slide2d(17, 1, pad2d(8, 8, clamp, image)))
    "#);
}

#[test]
fn the_expression_form() {
    let text = r#"
        {
            fn f(nbh: [[f32; 17]; 17]) -> f32 { (reduce(add, 0.0) . join)(nbh) / 289.0 }
            map(map(f)) . slide2d(17, 1) . pad2d(8, 8, clamp)
        }
    "#;
    insta::assert_snapshot!(resolved(text), @r#"
    fn f(nbh: [[f32; 17]; 17]) -> f32 = (reduce(|x, y| (x + y), 0.0, join(nbh)) / 289.0)
    fn Kernel(x) = map(|xs| map(|nbh| f(nbh), xs), slide2d(17, 1, pad2d(8, 8, clamp, x)))
    "#);
}

#[test]
fn a_typed_closure() {
    let text = r#"
        fn mean(nbh: [[f32; 3]; 3]) -> f32 { nbh.join().reduce(add, 0.0) / 9.0 }
        |image: [[f32; W]; H]| image.pad2d(1, 1, wrap).slide2d(3, 1).map2d(mean)
    "#;
    insta::assert_snapshot!(resolved(text), @r#"
    fn mean(nbh: [[f32; 3]; 3]) -> f32 = (reduce(|x, y| (x + y), 0.0, join(nbh)) / 9.0)
    fn Kernel(image: [[f32; W]; H]) = map2d(|nbh| mean(nbh), slide2d(3, 1, pad2d(1, 1, wrap, image)))
    "#);
}

#[test]
fn partial_application_and_direct_application_agree() {
    let text = r#"
        #[kernel] fn A(xs: [f32; N]) -> [f32; N] { map(sqrt)(xs) }
        #[kernel] fn B(xs: [f32; N]) -> [f32; N] { map(sqrt, xs) }
        #[kernel] fn C(xs: [f32; N]) -> [f32; N] { map(sqrt) << xs }
        #[kernel] fn D(xs: [f32; N]) -> [f32; N] { xs.map(sqrt) }
        #[kernel] fn E(xs: [f32; N]) -> [f32; N] { xs.map(|x| x.sqrt()) }
        #[kernel] fn F(xs: [f32; N]) -> [f32; N] { xs.map(f32::sqrt) }
    "#;
    insta::assert_snapshot!(resolved(text), @r#"
    fn A(xs: [f32; N]) -> [f32; N] = map(|x| sqrt(x), xs)
    fn B(xs: [f32; N]) -> [f32; N] = map(|x| sqrt(x), xs)
    fn C(xs: [f32; N]) -> [f32; N] = map(|x| sqrt(x), xs)
    fn D(xs: [f32; N]) -> [f32; N] = map(|x| sqrt(x), xs)
    fn E(xs: [f32; N]) -> [f32; N] = map(|x| sqrt(x), xs)
    fn F(xs: [f32; N]) -> [f32; N] = map(|x| sqrt(x), xs)
    "#);
}

#[test]
fn composition_is_right_to_left_and_methods_left_to_right() {
    let text = r#"
        #[kernel] fn A(xs: [f32; N]) -> [f32; N] { (join . map(map(sqrt)) . split(4))(xs) }
        #[kernel] fn B(xs: [f32; N]) -> [f32; N] { join . map(map(sqrt)) . split(4) << xs }
        #[kernel] fn C(xs: [f32; N]) -> [f32; N] { xs.split(4).map(map(sqrt)).join() }
        #[kernel] fn D(a: [f32; N], b: [f32; N]) -> [f32; N] { map(mul) . zip(a, b) }
        #[kernel] fn E(a: [f32; N], b: [f32; N]) -> [f32; N] { map(|(a, b)| a * b) . zip(a, b) }
        #[kernel] fn F(a: [f32; N], b: [f32; N]) -> [f32; N] { (map(mul) . zip)(a, b) }
    "#;
    insta::assert_snapshot!(resolved(text), @r#"
    fn A(xs: [f32; N]) -> [f32; N] = join(map(|xs| map(|x| sqrt(x), xs), split(4, xs)))
    fn B(xs: [f32; N]) -> [f32; N] = join(map(|xs| map(|x| sqrt(x), xs), split(4, xs)))
    fn C(xs: [f32; N]) -> [f32; N] = join(map(|xs| map(|x| sqrt(x), xs), split(4, xs)))
    fn D(a: [f32; N], b: [f32; N]) -> [f32; N] = map(|x, y| (x * y), zip(a, b))
    fn E(a: [f32; N], b: [f32; N]) -> [f32; N] = map(|(a, b)| (a * b), zip(a, b))
    fn F(a: [f32; N], b: [f32; N]) -> [f32; N] = map(|x, y| (x * y), zip(a, b))
    "#);
}

#[test]
fn zip_takes_its_receiver_first_and_any_number_of_arrays() {
    let text = r#"
        #[kernel] fn A(a: [f32; N], b: [f32; N], c: [f32; N]) -> [f32; N] { a.zip(b, c).map(|(x, y, z)| x * y + z) }
        #[kernel] fn B(a: [f32; N], b: [f32; N], c: [f32; N]) -> [f32; N] { zip(a, b, c).map(mul_add) }
        #[kernel] fn C(a: [f32; N], b: [f32; N]) -> [f32; N] { zip((a, b)).map(|p| p.0 - p.1) }
        #[kernel] fn D(a: [[f32; N]; M], b: [[f32; N]; M]) -> [[f32; N]; M] { zip2d(a, b).map2d(sub) }
        #[kernel] fn E(a: [[f32; N]; M], b: [[f32; N]; M]) -> [[f32; N]; M] { a.zip2d(b, a).map2d(|(x, y, z)| x) }
        #[kernel] fn F(a: [f32; N], b: [f32; N]) -> [f32; N] { zip(a, b, a, b, a, b, a, b, a).unzip().8 }
    "#;
    insta::assert_snapshot!(resolved(text), @r#"
    fn A(a: [f32; N], b: [f32; N], c: [f32; N]) -> [f32; N] = map(|(x, y, z)| ((x * y) + z), zip(a, b, c))
    fn B(a: [f32; N], b: [f32; N], c: [f32; N]) -> [f32; N] = map(|x, y, z| mul_add(x, y, z), zip(a, b, c))
    fn C(a: [f32; N], b: [f32; N]) -> [f32; N] = map(|p| (p.0 - p.1), zip(a, b))
    fn D(a: [[f32; N]; M], b: [[f32; N]; M]) -> [[f32; N]; M] = map2d(|x, y| (x - y), zip2d(a, b))
    fn E(a: [[f32; N]; M], b: [[f32; N]; M]) -> [[f32; N]; M] = map2d(|(x, y, z)| x, zip2d(a, b, a))
    fn F(a: [f32; N], b: [f32; N]) -> [f32; N] = unzip(zip(a, b, a, b, a, b, a, b, a)).8
    "#);
}

#[test]
fn scalar_functions_take_the_receiver_first() {
    let text = r#"
        fn a(x: f32, y: f32) -> f32 { x.powi(2) + x.min(y).sub(1.0) - sub((x, y)) + max(x, y).clamp(0.0, 1.0) }
        fn b(x: i32) -> i32 { neg(x) + id(x) }
        fn c(x: bool) -> bool { not(x) && !x.not() }
        fn d(x: f32) -> f32 { x * f32::consts::PI + std::f32::consts::TAU - f32::MAX * f32::NEG_INFINITY }
        fn e(x: i32) -> i32 { if x == i32::MIN { i32::MAX } else { x as f32 as i32 } }
        fn f(x: u8) -> u8 { x ^ b'a' & 0x0fu8 | u8::MAX }
    "#;
    insta::assert_snapshot!(resolved(text), @"
    fn a(x: f32, y: f32) -> f32 = (((powi(x, 2) + (min(x, y) - 1.0)) - (x - y)) + clamp(max(x, y), 0.0, 1.0))
    fn b(x: i32) -> i32 = (-x + x)
    fn c(x: bool) -> bool = (!x && !!x)
    fn d(x: f32) -> f32 = (((x * 3.141592653589793f32) + 6.283185307179586f32) - (3.4028234663852886e38f32 * -inff32))
    fn e(x: i32) -> i32 = if (x == (-2147483647i32 - 1i32)) { 2147483647i32 } else { ((x as f32) as i32) }
    fn f(x: u8) -> u8 = ((x ^ (97u8 & 15u8)) | 255u8)
    ");
}

#[test]
fn sizes_are_values_and_arguments() {
    let text = r#"
        const R: usize = 2;
        type Image = [[f32; W]; H];
        #[size(N % 128 == 0, N >= 17, 2 * N > M)]
        #[kernel] fn A<N>(xs: [f32; N], _ys: [f32; M]) -> [usize; N] { xs.map(|x| N * M + R) }
        #[kernel] fn B(image: Image) -> [[f32; W + 2 * R]; H + 2 * R] { image.pad2d(R, R, constant(0.0)) }
        #[kernel] fn C(xs: [f32; N]) -> [[f32; 4]; N.div_ceil(4)] { xs.pad(0, div_ceil(N, 4) * 4 - N, mirror).split(min(4, 4)) }
        fn window(k: Nat, xs: [f32; N]) -> [[f32; k]; N - k + 1] { xs.slide(k, 1) }
        #[kernel] fn D(xs: [f32; N]) -> [[f32; 3]; N - 2] { xs.window(3) }
    "#;
    insta::assert_snapshot!(resolved(text), @r#"
    fn A(xs: [f32; N], _ys: [f32; M]) -> [usize; N] = map(|x| ((N * M) + R), xs)
    fn B(image: [[f32; W]; H]) -> [[f32; (W + (2 * R))]; (H + (2 * R))] = pad2d(R, R, constant(0.0), image)
    fn C(xs: [f32; N]) -> [[f32; 4]; div_ceil(N, 4)] = split(min(4, 4), pad(0, ((div_ceil(N, 4) * 4) - N), mirror, xs))
    fn window(k: Nat, xs: [f32; N]) -> [[f32; k]; ((N - k) + 1)] = slide(k, 1, xs)
    fn D(xs: [f32; N]) -> [[f32; 3]; (N - 2)] = window(3, xs)
    "#);
}

#[test]
fn boundaries_are_passed_on() {
    let text = r#"
        fn padded(b: Boundary<f32>, n: Nat, xs: [f32; N]) -> [f32; n + N + n] { xs.pad(n, n, b) }
        #[kernel] fn A(xs: [f32; N], c: f32) -> [f32; N + 2] { xs.padded(constant(c * 2.0), 1) }
        #[kernel] fn B(xs: [f32; N]) -> [f32; N + 2] { xs.padded(clamp, 1) }
        #[kernel] fn C(xs: [f32; N]) -> [f32; N + 2] { let clamp = reflect1(xs); clamp.padded(reflect, 1) }
        fn reflect1(xs: [f32; N]) -> [f32; N] { xs }
    "#;
    insta::assert_snapshot!(resolved(text), @r#"
    fn padded(b: Boundary<f32>, n: Nat, xs: [f32; N]) -> [f32; ((n + N) + n)] = pad(n, n, b, xs)
    fn A(xs: [f32; N], c: f32) -> [f32; (N + 2)] = padded(constant((c * 2.0)), 1, xs)
    fn B(xs: [f32; N]) -> [f32; (N + 2)] = padded(clamp, 1, xs)
    fn C(xs: [f32; N]) -> [f32; (N + 2)] = { let clamp = reflect1(xs); padded(reflect, 1, clamp) }
    fn reflect1(xs: [f32; N]) -> [f32; N] = xs
    "#);
}

#[test]
fn function_parameters_are_applied_and_passed_on() {
    let text = r#"
        fn twice(f: fn(f32) -> f32, x: f32) -> f32 { f(f(x)) }
        fn each(f: fn(f32) -> f32, xs: [f32; N]) -> [f32; N] { xs.map(f) }
        fn both(f: fn(f32, f32) -> f32, x: f32) -> f32 { x.f(x) + f(x)(x) }
        #[kernel] fn A(xs: [f32; N]) -> [f32; N] { xs.each(twice(|x| x * 2.0)).map(both(add)) }
        #[kernel] fn B(n: [f32; N]) -> [f32; N] { array(N, |i| n[i]).map(twice(sqrt . abs)) }
        #[kernel] fn C() -> [[usize; 3]; 4] { array2d(4, 3, |i, j| i + j) }
    "#;
    insta::assert_snapshot!(resolved(text), @r#"
    fn twice(f: fn(f32) -> f32, x: f32) -> f32 = f(f(x))
    fn each(f: fn(f32) -> f32, xs: [f32; N]) -> [f32; N] = map(|x| f(x), xs)
    fn both(f: fn(f32, f32) -> f32, x: f32) -> f32 = (f(x, x) + f(x, x))
    fn A(xs: [f32; N]) -> [f32; N] = map(|x| both(|x, y| (x + y), x), each(|x| twice(|x| (x * 2.0), x), xs))
    fn B(n: [f32; N]) -> [f32; N] = map(|x| twice(|x| sqrt(abs(x)), x), array(N, |i| n[i]))
    fn C() -> [[usize; 3]; 4] = array2d(4, 3, |i, j| (i + j))
    "#);
}

#[test]
fn closures_are_applied_by_let() {
    let text = r#"
        fn a(x: f32) -> f32 { (|y| y * y)(x + 1.0) }
        fn b(x: f32) -> f32 { (|y, z| y * z)((x, x + 1.0)) }
        fn c(x: f32) -> f32 { (|y| |z| y * z)(x)(2.0) }
        fn d(x: f32) -> f32 { (|y, z| y * z)(x)(2.0) }
        fn e(xs: [f32; N]) -> f32 { xs.reduce(|a| |b| a + b, 0.0) }
        fn f(x: f32) -> f32 { let pair = |p: f32| (p, p); (sub . pair)(x) }
    "#;
    insta::assert_snapshot!(resolved(text), @r#"
    fn a(x: f32) -> f32 = { let y = (x + 1.0); (y * y) }
    fn b(x: f32) -> f32 = { let y = x; { let z = (x + 1.0); (y * z) } }
    fn c(x: f32) -> f32 = { let y = x; { let z = 2.0; (y * z) } }
    fn d(x: f32) -> f32 = { let y = x; { let z = 2.0; (y * z) } }
    fn e(xs: [f32; N]) -> f32 = reduce(|a, b| (a + b), 0.0, xs)
    fn f(x: f32) -> f32 = { let (x, y) = { let p: f32 = x; (p, p) }; (x - y) }
    "#);
}

#[test]
fn functions_bound_by_let_are_substituted() {
    let text = r#"
        fn a(x: f32) -> f32 { let f = |y| y * x; f(1.0) + f(f(2.0)) }
        fn b(xs: [f32; N]) -> f32 { let sum = reduce(add, 0.0); sum(xs) + xs.sum() }
        fn c(xs: [f32; N], w: f32) -> [f32; N] { let scale = mul(w * 2.0); xs.map(scale).map(scale) }
        fn d(xs: [f32; N]) -> [f32; N] { let k = 2.0; let f = { let m = k * 2.0; |x| x * m }; xs.map(f) }
        fn e(xs: [f32; N]) -> [f32; N] { let g = map(sqrt) . map(abs); (g . g)(xs) }
        fn f(xs: [f32; N]) -> [f32; N] { xs.map({ let k = 3.0; |x| x * k }) }
    "#;
    insta::assert_snapshot!(resolved(text), @r#"
    fn a(x: f32) -> f32 = ({ let y = 1.0; (y * x) } + { let y = { let y = 2.0; (y * x) }; (y * x) })
    fn b(xs: [f32; N]) -> f32 = (reduce(|x, y| (x + y), 0.0, xs) + reduce(|x, y| (x + y), 0.0, xs))
    fn c(xs: [f32; N], w: f32) -> [f32; N] = { let x = (w * 2.0); map(|y| (x * y), map(|y| (x * y), xs)) }
    fn d(xs: [f32; N]) -> [f32; N] = { let k = 2.0; { let m = (k * 2.0); map(|x| (x * m), xs) } }
    fn e(xs: [f32; N]) -> [f32; N] = map(|x| sqrt(x), map(|x| abs(x), map(|x| sqrt(x), map(|x| abs(x), xs))))
    fn f(xs: [f32; N]) -> [f32; N] = { let k = 3.0; map(|x| (x * k), xs) }
    "#);
}

#[test]
fn shadowing_is_fine() {
    let text = r#"
        fn a(map: f32) -> f32 { let map = map + 1.0; let map = map * 2.0; map }
        fn b(xs: [f32; N]) -> [f32; N] { xs.map(|xs| xs + 1.0) }
        fn c(max: f32, x: f32) -> f32 { x.max(max) }
        fn crop(_l: Nat, _r: Nat, xs: [f32; N]) -> [f32; N] { xs }
        fn d(xs: [f32; N]) -> [f32; N] { xs.crop(1, 1) }
        fn e(x: f32) -> f32 { let (a, (b, _)) = (x, (x, x)); a + b }
    "#;
    insta::assert_snapshot!(resolved(text), @r#"
    fn a(map: f32) -> f32 = { let map = (map + 1.0); { let map = (map * 2.0); map } }
    fn b(xs: [f32; N]) -> [f32; N] = map(|xs| (xs + 1.0), xs)
    fn c(max: f32, x: f32) -> f32 = max(x, max)
    fn crop(_l: Nat, _r: Nat, xs: [f32; N]) -> [f32; N] = xs
    fn d(xs: [f32; N]) -> [f32; N] = crop(1, 1, xs)
    fn e(x: f32) -> f32 = { let (a, (b, _)) = (x, (x, x)); (a + b) }
    "#);
}

#[test]
fn expression_form_parameters_get_names() {
    let text = r#"
        |_, (a, b): (f32, f32)| map(|x| a * b + x)
    "#;
    insta::assert_snapshot!(resolved(text), @r#"fn Kernel(_0, x: (f32, f32), y) = { let (a, b): (f32, f32) = x; map(|x| ((a * b) + x), y) }"#);
}

#[test]
fn expression_form_of_a_primitive() {
    let text = r#"
        fn zip_sum(a: [f32; N], b: [f32; N]) -> [f32; N] { zip(a, b).map(add) }
        reduce(add, 0.0) . zip_sum
    "#;
    insta::assert_snapshot!(resolved(text), @r#"
    fn zip_sum(a: [f32; N], b: [f32; N]) -> [f32; N] = map(|x, y| (x + y), zip(a, b))
    fn Kernel(x, y) = reduce(|x, y| (x + y), 0.0, zip_sum(x, y))
    "#);
}

#[test]
fn expression_form_with_lets() {
    let text = r#"
        let k = 3.0;
        let f = |x| x * k;
        map(f) . map(f)
    "#;
    insta::assert_snapshot!(resolved(text), @r#"fn Kernel(x) = { let k = 3.0; map(|x| (x * k), map(|x| (x * k), x)) }"#);
}

#[test]
fn a_value_is_a_kernel_without_parameters() {
    let text = r#"
        array(16, |i| i * i)
    "#;
    insta::assert_snapshot!(resolved(text), @r#"fn Kernel() = array(16, |i| (i * i))"#);
}

#[test]
fn an_array_of_weights() {
    let text = r#"
        const W: [f32; 3] = [0.25, 0.5, -0.25];
        #[kernel] fn Blur(xs: [f32; N]) -> [f32; N] { xs.pad(1, 1, clamp).slide(3, 1).map(|nbh| zip(W, nbh).map(mul).reduce(add, 0.0)) }
    "#;
    insta::assert_snapshot!(resolved(text), @r#"fn Blur(xs: [f32; N]) -> [f32; N] = map(|nbh| reduce(|x, y| (x + y), 0.0, map(|x, y| (x * y), zip(W, nbh))), slide(3, 1, pad(1, 1, clamp, xs)))"#);
}

#[test]
fn partial_overloads() {
    let text = r#"
        map2d(map2d(sqrt)) . slide2d(3, 1, 5, 2) . pad2d(1, 1, 2, 2, clamp, wrap)
    "#;
    insta::assert_snapshot!(resolved(text), @r#"fn Kernel(x) = map2d(|xs| map2d(|x| sqrt(x), xs), slide2d(3, 1, 5, 2, pad2d(1, 1, 2, 2, clamp, wrap, x)))"#);
}

#[test]
fn closure_result_type() {
    let text = r#"
        |xs: [f32; N]| -> [f32; N] { xs.map(sqrt) }
    "#;
    insta::assert_snapshot!(resolved(text), @r#"fn Kernel(xs: [f32; N]) = { let result: [f32; N] = map(|x| sqrt(x), xs); result }"#);
}

#[test]
fn bare_overloads_as_arguments() {
    let text = r#"
        #[kernel] fn A(xs: [[[[f32; 4]; 4]; N]; M]) -> [[f32; N * 4]; M * 4] { xs.join2d() }
        #[kernel] fn B(a: [[f32; N]; M], b: [[f32; N]; M]) -> [[(f32, f32); N]; M] { zip(a, b).map(zip) }
        #[kernel] fn C(a: [[f32; N]; M], i: usize) -> [f32; M] { a.map(at(i)).map(add(1.0)) }
    "#;
    insta::assert_snapshot!(resolved(text), @r#"
    fn A(xs: [[[[f32; 4]; 4]; N]; M]) -> [[f32; (N * 4)]; (M * 4)] = join2d(xs)
    fn B(a: [[f32; N]; M], b: [[f32; N]; M]) -> [[(f32, f32); N]; M] = map(|a, b| zip(a, b), zip(a, b))
    fn C(a: [[f32; N]; M], i: usize) -> [f32; M] = map(|y| (1.0 + y), map(|xs| xs[i], a))
    "#);
}

#[test]
fn structs_have_their_fields_in_order() {
    let text = r#"
        type Real = f32;
        struct Pair { a: Real, b: Inner }
        struct Inner { c: (i32, f32) }
        type Two = Pair;
        fn a(p: Pair) -> f32 { let Pair { b: Inner { c: (_, y) }, a } = p; a + y + p.b.c.1 }
        fn b(x: f32) -> Two { let b = Inner { c: (1, x) }; Two { b, a: x } }
        fn c(ps: [Pair; N]) -> [f32; N] { ps.map(|Pair { a, .. }| a) }
    "#;
    insta::assert_snapshot!(resolved(text), @"
    fn a(p: Pair) -> f32 = { let (a, ((_, y))) = p; ((a + y) + p.b.c.1) }
    fn b(x: f32) -> Pair = { let b = Inner((1, x)); Pair(x, b) }
    fn c(ps: [Pair; N]) -> [f32; N] = map(|(a, _)| a, ps)
    ");
}

#[test]
fn a_kernel_for_each_choice_of_types() {
    let text = r#"
        #[kernel] #[types(T = f32, i16; U = u8)]
        fn A<T, U, N>(x: [T; N], f: U) -> [(U, T); N] {
            x.map(|v: T| { let (a, b): (U, T) = (v as U, T::MAX.min(v)); (a + f, b) })
        }
        #[kernel] #[types(T = f64)] fn B<T>(x: [f32; N]) -> [T; N] { x.map(|v| v as T) }
    "#;
    insta::assert_snapshot!(resolved(text), @"
    fn A<f32, u8>(x: [f32; N], f: u8) -> [(u8, f32); N] = map(|v: f32| { let (a, b): (u8, f32) = ((v as u8), min(3.4028234663852886e38f32, v)); ((a + f), b) }, x)
    fn A<i16, u8>(x: [i16; N], f: u8) -> [(u8, i16); N] = map(|v: i16| { let (a, b): (u8, i16) = ((v as u8), min(32767i16, v)); ((a + f), b) }, x)
    fn B<f64>(x: [f32; N]) -> [f64; N] = map(|v| (v as f64), x)
    ");
}

#[test]
fn storing_what_a_function_computes_is_a_composition() {
    let text = r#"
        #[kernel] fn A(xs: [[f32; 4]; N]) -> [f32; N] { map_global(0, reduce_seq(add, 0.0) . to_private(map_seq(sqrt))) << xs }
        #[kernel] fn B(xs: [[f32; 4]; N]) -> [f32; N] { map_global(0, reduce_seq(add, 0.0) . to_private . map_seq(sqrt)) << xs }
        #[kernel] fn C(xs: [f32; 4]) -> [f32; 4] { to_local(map_seq(sqrt))(xs) }
        #[kernel] fn D(xs: [f32; 4]) -> [f32; 4] { to_local(map_seq(sqrt), xs) }
        #[kernel] fn E(xs: [f32; 4]) -> [f32; 4] { xs.to_local(map_seq(sqrt)) }
        #[kernel] fn F(xs: [f32; 4]) -> [f32; 4] { xs.map_seq(sqrt).to_local() }
        #[kernel] fn G(xs: [f32; N]) -> [f32; N] { let twice = |x| 2.0 * x; xs.map(to_private(twice)) }
        #[kernel] fn H(xs: [f32; N], ys: [f32; N]) -> [f32; N] { zip(xs, ys).map(to_private(add)) }
        #[kernel] fn I(xs: [f32; N]) -> [(f32, f32); N] { xs.map(|x| to_private((x, x))) }
    "#;
    insta::assert_snapshot!(resolved(text), @"
    fn A(xs: [[f32; 4]; N]) -> [f32; N] = map_global(0, |xs| reduce_seq(|x, y| (x + y), 0.0, to_private(map_seq(|x| sqrt(x), xs))), xs)
    fn B(xs: [[f32; 4]; N]) -> [f32; N] = map_global(0, |xs| reduce_seq(|x, y| (x + y), 0.0, to_private(map_seq(|x| sqrt(x), xs))), xs)
    fn C(xs: [f32; 4]) -> [f32; 4] = to_local(map_seq(|x| sqrt(x), xs))
    fn D(xs: [f32; 4]) -> [f32; 4] = to_local(map_seq(|x| sqrt(x), xs))
    fn E(xs: [f32; 4]) -> [f32; 4] = to_local(map_seq(|x| sqrt(x), xs))
    fn F(xs: [f32; 4]) -> [f32; 4] = to_local(map_seq(|x| sqrt(x), xs))
    fn G(xs: [f32; N]) -> [f32; N] = map(|x| to_private((2.0 * x)), xs)
    fn H(xs: [f32; N], ys: [f32; N]) -> [f32; N] = map(|x, y| to_private((x + y)), zip(xs, ys))
    fn I(xs: [f32; N]) -> [(f32, f32); N] = map(|x| to_private((x, x)), xs)
    ");
}
