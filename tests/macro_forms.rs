//! The macro as users write it: every form, on a device.

use lift::Kernel as _;
use lift::f16;
use lift::ndarray::{Array1, Array2, arr1};
use lift::prelude::*;

fn device() -> Device {
    common::device()
}

fn picture(rows: usize, columns: usize) -> Array2<f32> {
    Array2::from_shape_fn((rows, columns), |(i, j)| ((i * 37 + j * 11) % 101) as f32 - 50.0)
}

/// Mean of each clamped 17×17 neighbourhood, written from the definition.
fn box_blur(image: &Array2<f32>) -> Array2<f32> {
    let (rows, columns) = image.dim();
    let clamp = |i: usize, d: usize, n: usize| (i + d).saturating_sub(8).min(n - 1);
    Array2::from_shape_fn((rows, columns), |(i, j)| {
        let mut sum = 0.0_f64;
        for di in 0..17 {
            for dj in 0..17 {
                sum += f64::from(image[[clamp(i, di, rows), clamp(j, dj, columns)]]);
            }
        }
        (sum / 289.0) as f32
    })
}

fn assert_close(a: &Array2<f32>, b: &Array2<f32>) {
    assert_eq!(a.dim(), b.dim());
    for (x, y) in a.iter().zip(b) {
        assert!((x - y).abs() < 1e-3, "{x} and {y}");
    }
}

#[test]
#[rustfmt::skip]
fn the_papers_notation_as_written() {
    let blur = lift!({ fn f(nbh: [[f32; 17]; 17]) -> f32 { (reduce(add, 0.0) . join)(nbh) / 289.0 }
        map(map(f)) . slide2d(17, 1) . pad2d(8, 8, clamp) });
    let image = picture(23, 31);
    let found = blur.on(&device()).expect("a launcher").run(&image).expect("a result");
    assert_close(&found, &box_blur(&image));
}

#[test]
fn the_same_from_left_to_right() {
    let blur = lift!({
        fn f(nbh: [[f32; 17]; 17]) -> f32 {
            nbh.join().reduce(add, 0.0) / 289.0
        }
        |image: [[f32; W]; H]| image.pad2d(8, 8, clamp).slide2d(17, 1).map(map(f))
    });
    let blur = blur.on(&device()).expect("a launcher");
    let image = picture(9, 40);
    for name in blur.launcher().variant_names() {
        let found = blur.variant(name).expect("the variant").run(&image).expect("a result");
        assert_close(&found, &box_blur(&image));
    }
}

lift!(
    const HALF: f32 = 0.5;
    const WIDTH: usize = 3;

    /// Used by the kernel and by the test.
    fn soften(x: f32, y: f32) -> f32 {
        let mean = (x + y) * 0.5;
        if mean > 10.0 { mean.sqrt() } else { mean }
    }

    const QUARTER: f32 = HALF * HALF;

    /// Mentions constants, of which one mentions another, and one of Rust.
    fn lessen(x: f32) -> f32 {
        if x > WIDTH as f32 { QUARTER * x } else { x.min(f32::MAX) }
    }

    #[kernel]
    fn Lessen<N>(x: [f32; N]) -> [f32; N] {
        x.map(lessen)
    }

    /// A documented kernel.
    #[kernel]
    pub(crate) fn Soften<N>(x: [f32; N], y: [f32; N]) -> [f32; N] {
        zip(x, y).map(soften)
    }

    #[kernel]
    #[size(N % 4 == 0, N >= 8)]
    fn Chunked<N>(x: [i32; N]) -> [i32; N / 4] {
        x.split(4).map(reduce(add, 0))
    }

    #[cfg(any())]
    #[kernel]
    fn Absent<N>(x: [f32; N]) -> [f32; N] {
        x.map(|v| 2.0 * v)
    }

    #[cfg(not(any()))]
    #[kernel]
    #[allow(clippy::all, reason = "attributes are passed on")]
    fn Windows<N>(x: [f32; N]) -> [f32; N - WIDTH + 1] {
        x.slide(WIDTH, 1).map(|w| HALF * (w[0] + w[WIDTH - 1]))
    }
);

/// There is no kernel of this name: its condition does not hold.
#[derive(Debug, PartialEq)]
struct Absent;

#[test]
fn kernels_may_be_conditional() {
    assert_eq!(Absent, Absent);
    assert_eq!(Windows::TYPE, "[f32; N] -> [f32; N - 2]");
}

#[test]
fn helpers_over_scalars_are_rust_functions() {
    assert_eq!(soften(1.0, 2.0), 1.5);
    assert_eq!(soften(16.0, 16.0), 4.0);
    let out = Soften::on(&device()).expect("a launcher").run(&[1.0, 16.0], &[2.0, 16.0]).expect("a result");
    assert_eq!(out, arr1(&[1.5, 4.0]));
    assert_eq!(Soften::TYPE, "([f32; N], [f32; N]) -> [f32; N]");
}

/// It has nothing to do with the constant of the same name in the block.
const QUARTER: u8 = 25;

#[test]
fn they_have_the_constants_that_they_mention() {
    assert_eq!((lessen(8.0), lessen(2.0), QUARTER), (2.0, 2.0, 25));
    assert_eq!(
        Lessen::on(&device()).expect("a launcher").run(&[8.0, 2.0]).expect("a result"),
        arr1(&[2.0, 2.0])
    );
}

#[test]
fn constants_and_promises() {
    let windows = Windows::on(&device()).expect("a launcher");
    assert_eq!(windows.run(&[1.0, 2.0, 5.0, 8.0]).expect("a result"), arr1(&[3.0, 5.0]));

    let chunked = Chunked::on(&device()).expect("a launcher");
    assert_eq!(chunked.run(&[1, 2, 3, 4, 5, 6, 7, 8]).expect("a result"), arr1(&[10, 26]));
    let message = |x: &[i32]| chunked.run(x).expect_err("a broken promise").to_string();
    assert!(message(&[1; 10]).contains("N % 4 == 0"), "{}", message(&[1; 10]));
    assert!(message(&[1; 4]).contains("N >= 8"), "{}", message(&[1; 4]));
}

#[test]
fn sizes_are_solved_and_checked_before_anything_runs() {
    lift!(
        #[kernel]
        fn Smooth<R, N>(weights: [f32; 2 * R + 1], x: [f32; N]) -> [f32; N] {
            x.pad(R, R, wrap).slide(2 * R + 1, 1).map(|w| zip(w, weights).map(mul).reduce(add, 0.0))
        }
    );
    let smooth = Smooth::on(&device()).expect("a launcher");
    let x = Array1::from_iter((0..10).map(|i| i as f32));
    let y = smooth.run(&[0.0, 0.0, 0.0, 0.0, 1.0], &x).expect("a result");
    assert_eq!(y[0], 2.0);
    assert_eq!(y[9], 1.0);
    let error = smooth.run(&[0.0; 4], &x).expect_err("an even window").to_string();
    assert!(error.contains("`weights`") && error.contains("2*R + 1"), "{error}");
}

#[test]
fn macros_may_pass_parts_of_a_program() {
    macro_rules! padded {
        ($name:ident, $boundary:expr, $t:ty) => {
            lift!(
                #[kernel]
                fn $name<N>(x: [$t; N]) -> [$t; N + 2] {
                    x.pad(1, 1, $boundary)
                }
            );
        };
    }
    padded!(Mirrored, mirror, i32);
    padded!(Framed, constant(7), u8);
    let mirrored = Mirrored::on(&device()).expect("a launcher").run(&[1, 2, 3]).expect("a result");
    assert_eq!(mirrored.to_vec(), [1, 1, 2, 3, 3]);
    let framed = Framed::on(&device()).expect("a launcher").run(&[1_u8]).expect("a result");
    assert_eq!(framed.to_vec(), [7, 1, 7]);
}

#[test]
fn launchers_can_be_inspected() {
    let names: Vec<&str> = Soften::VARIANTS.iter().map(|v| &*v.name).collect();
    assert_eq!(names, ["naive", "strided"]);
    let source = Soften::VARIANTS[0].source.text();
    assert!(source.contains("kernel void soften("), "{source}");
    // The rules, and the expressions at both ends.
    for variant in Soften::VARIANTS {
        let Some(([first, between @ ..], last)) =
            variant.derivation.split_last().map(|(last, all)| (all, last))
        else {
            panic!("{} has no steps", variant.name)
        };
        assert!(
            first.rule.is_empty() && !first.after.is_empty() && !last.after.is_empty(),
            "{}",
            variant.name
        );
        assert!(
            between.iter().all(|step| !step.rule.is_empty() && step.after.is_empty()),
            "{}",
            variant.name
        );
    }
}

lift!(
    fn spread(low: i16, high: i16) -> u16 {
        high.abs_diff(low)
    }

    #[kernel]
    fn Spread<N>(low: [i16; N], high: [i16; N]) -> [u16; N] {
        zip(low, high).map(spread)
    }

    #[kernel]
    fn Mean<N>(x: [f64; N]) -> f64 {
        x.reduce(add, 0.0) / N as f64
    }

    fn double(x: f16) -> f16 {
        x * 2.0
    }

    #[kernel]
    fn Doubled<N>(x: [f16; N], y: f16) -> [f16; N] {
        x.map(|v| double(v) + y)
    }
);

#[test]
fn all_scalar_types_cross_the_border() {
    let device = device();
    assert_eq!(spread(i16::MIN, i16::MAX), u16::MAX);
    let spread = Spread::on(&device).expect("a launcher");
    assert_eq!(spread.run(&[-32768, 5], &[32767, 3]).expect("a result"), arr1(&[65535_u16, 2]));
    let mean = Mean::on(&device).expect("a launcher");
    assert_eq!(mean.run(&[1e300, 3e300]).expect("a result"), 2e300);
    match Doubled::on(&device) {
        Ok(doubled) => {
            let [x, y, z] = [1.5, 0.25, 3.25].map(f16::from_f32);
            assert_eq!(doubled.run(&[x], y).expect("a result"), arr1(&[z]));
        }
        Err(error) => {
            assert!(matches!(&error, lift::Error::MissingType { kernel: "Doubled", .. }), "{error}");
            assert!(!device.supports(lift::spec::ScalarType::F16));
        }
    }
}

lift!(
    /// A point in the plane.
    #[derive(Clone, Default)]
    pub struct Point {
        /// From left to right.
        pub x: f32,
        /// From bottom to top.
        pub y: Height,
    }

    type Height = f64;

    struct Halves {
        low: f16,
    }

    fn low(h: Halves) -> f16 {
        h.low
    }

    fn reach(p: Point) -> f64 {
        p.x as f64 + p.y
    }

    fn mirrored(p: Point) -> Point {
        let Point { x, y } = p;
        Point { y: -y, x }
    }

    #[kernel]
    fn Reach<N>(x: [f32; N], y: [f64; N]) -> [f64; N] {
        zip(x, y).map(|(x, y)| reach(mirrored(Point { x, y })))
    }

    #[kernel]
    fn Low<N>(x: [f16; N]) -> [f16; N] {
        x.map(|v| low(Halves { low: v }))
    }
);

#[test]
fn structs_are_rust_structs() {
    let p = Point { x: 1.5, ..Point::default() };
    let q = p;
    assert_eq!((reach(Point { y: 2.0, ..p }), q == p), (3.5, true));
    assert_eq!(format!("{:?}", mirrored(Point { x: 1.0, y: 2.0 })), "Point { x: 1.0, y: -2.0 }");
    assert_eq!(Halves { low: f16::ONE }.low, f16::ONE);
    let reach = Reach::on(&device()).expect("a launcher");
    assert_eq!(reach.run(&[1.0], &[3.0]).expect("a result"), arr1(&[-2.0]));
}

lift!(
    /// The mean of three neighbours.
    #[kernel]
    #[types(T = f32, f64)]
    pub fn Smooth<T, N>(x: [T; N]) -> [T; N] {
        x.pad(1, 1, clamp).slide(3, 1).map(|w| scaled(w[0] + w[1] + w[2], 1.0 / 3.0).min(T::MAX))
    }

    fn scaled<T>(x: T, factor: T) -> T {
        x * factor
    }

    /// Converts with a limit.
    #[kernel]
    #[types(From = i32, f32; To = u8, i16, f16)]
    fn Convert<From, To, N>(x: [From; N], limit: From) -> [To; N] {
        x.map(|v: From| v.min(limit) as To)
    }
);

fn type_of_smooth<T: SmoothTypes>() -> &'static str {
    &<Smooth<T> as lift::Kernel>::SPEC.ty
}

#[test]
fn one_kernel_for_several_types() {
    let device = device();
    let single = Smooth::<f32>::on(&device).expect("a launcher");
    assert_eq!(single.run(&[3.0, 6.0, 9.0]).expect("a result"), arr1(&[4.0_f32, 6.0, 8.0]));
    let double: Smooth<f64> = SmoothF64::on(&device).expect("a launcher");
    assert_eq!(double.run(&[3e300]).expect("a result"), arr1(&[3e300]));
    let wrong = double.launch(
        &device.queue().expect("a queue"),
        &device.upload(&[1.0, 2.0]).expect("an array"),
        &mut device.alloc([3]).expect("an array"),
    );
    assert!(wrong.expect_err("a mistake").to_string().starts_with("Smooth<f64>: "));
    assert_eq!(type_of_smooth::<f64>(), "[f64; N] -> [f64; N]");
    let bytes = Convert::<f32, u8>::on(&device).expect("a launcher");
    assert_eq!(bytes.run(&[-1.0, 2.9, 300.0], 77.0).expect("a result"), arr1(&[0_u8, 2, 77]));
    let words = Convert::<i32, i16>::on(&device).expect("a launcher");
    assert_eq!(words.run(&[-1, 65535], 65535).expect("a result"), arr1(&[-1_i16, -1]));
}

lift!(
    /// A body in the plane.
    pub struct Body {
        /// Where it is.
        pub at: Place,
        /// How heavy.
        pub mass: f32,
    }

    /// A place in the plane, and something that tells them apart.
    pub struct Place {
        /// From left to right.
        pub x: f32,
        /// From bottom to top.
        pub y: f32,
        r#type: (u8, i16),
    }

    fn moved(by: f32, body: Body) -> Body {
        let Place { x, y, r#type } = body.at;
        Body { at: Place { x: x + by, y, r#type }, mass: body.mass }
    }

    fn heavier(a: Body, b: Body) -> Body {
        if b.mass > a.mass { b } else { a }
    }

    /// The bodies, each moved, and the heaviest of all and of a first one.
    #[kernel]
    pub fn Moved<N>(first: Body, by: f32, bodies: [Body; N]) -> ([Body; N], Body) {
        (bodies.map(moved(by)), heavier(first, bodies.reduce(heavier, first)))
    }

    /// The heaviest in every row.
    #[kernel]
    pub fn Heaviest<N, M>(rows: [[Body; M]; N], least: Body) -> [Body; N] {
        rows.map(reduce(heavier, least))
    }

    #[kernel]
    fn Shift<N>(by: f32, bodies: &mut [Body; N]) -> f32 {
        bodies.write_to(bodies.map(moved(by)));
        bodies.map(|b| b.mass).reduce(add, 0.0)
    }

    #[kernel]
    #[step(bodies)]
    fn Drift<N>(bodies: [Body; N], wind: Body) -> [Body; N] {
        bodies.map(|body| moved(wind.mass, body))
    }
);

fn bodies() -> [Body; 3] {
    let body = |x: f32, mass: f32| Body { at: Place { x, y: -x, r#type: (x as u8, -3) }, mass };
    [body(1.0, 2.0), body(2.0, 8.0), body(3.0, 4.0)]
}

/// In memory, as launchers take them.
type Columns = BodyArrays<Vec<f32>, Vec<f32>, Vec<u8>, Vec<i16>, Vec<f32>>;

#[test]
fn structs_cross_the_border_as_themselves() {
    let device = device();
    let all = bodies();
    let mut columns: Columns = all.into_iter().collect();
    assert_eq!((&columns.at.y, &columns.at.r#type.0), (&vec![-1.0, -2.0, -3.0], &vec![1, 2, 3]));
    let moved = Moved::on(&device).expect("a launcher");
    assert_eq!(Moved::TYPE, "(Body, f32, [Body; N]) -> ([Body; N], Body)");
    let (after, heaviest) = moved.run(all[0], 10.0, columns.each_ref()).expect("a result");
    let (x, kind, mass) = (arr1(&[11.0, 12.0, 13.0]), arr1(&[-3, -3, -3]), arr1(&[2.0, 8.0, 4.0]));
    assert_eq!((&after.at.x, &after.at.r#type.1, &after.mass), (&x, &kind, &mass));
    let after: Vec<Body> = after.into_iter().collect();
    assert_eq!((heaviest, after.len()), (all[1], 3));
    assert_eq!(after[2], Body { at: Place { x: 13.0, ..all[2].at }, ..all[2] });

    columns.mass.pop();
    let error = moved.run(all[0], 0.0, columns.each_ref()).expect_err("a mistake");
    let expected = "Moved: `bodies.mass` has 2 elements, expected N = 3 (from `bodies.at.x`)";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn arrays_of_structs_are_on_the_device_what_they_are_on_the_host() {
    let device = device();
    let all = bodies();
    let BodyArrays { at: PlaceArrays { x, y, r#type: (a, b) }, mass }: Columns = all.into_iter().collect();
    let uploaded = |values: &[f32]| device.upload(values).expect("an array");
    let tags = (device.upload(&a).expect("an array"), device.upload(&b).expect("an array"));
    let at = PlaceArrays { x: uploaded(&x), y: uploaded(&y), r#type: tags };
    let mut columns = BodyArrays { at, mass: uploaded(&mass) };

    let moved = Moved::on(&device).expect("a launcher");
    let (mut next, mut best) = moved.output(all[0], 1.0, columns.each_ref()).expect("memory");
    let out = (next.each_mut(), best.each_mut());
    let queue = device.queue().expect("a queue");
    moved.launch(&queue, all[0], 1.0, columns.each_ref(), out).expect("an event");
    assert_eq!(next.at.x.download().expect("a result"), arr1(&[2.0, 3.0, 4.0]));
    assert_eq!(best.mass.download().expect("a result")[()], 8.0);
    let (extents, one) = moved.output_shape(all[0], 1.0, columns.each_ref()).expect("extents");
    assert_eq!((extents.at.r#type, one.mass), (([3], [3]), []));

    let shift = Shift::on(&device).expect("a launcher");
    let mut sum = shift.output(0.5, columns.each_ref()).expect("memory");
    shift.launch(&queue, 0.5, columns.each_mut(), &mut sum).expect("an event");
    assert_eq!(columns.at.x.download().expect("an array"), arr1(&[1.5, 2.5, 3.5]));
}

#[test]
fn structs_in_rows_and_updates() {
    let device = device();
    let all = bodies();
    let mut columns: Columns = all.into_iter().collect();
    let shift = Shift::on(&device).expect("a launcher");
    let sum = shift.run(0.5, columns.each_mut()).expect("a result");
    assert_eq!((sum, columns.at.x.as_slice()), (14.0, [1.5, 2.5, 3.5].as_slice()));

    let row = |values: &[f32]| Array2::from_shape_vec((1, 3), values.to_vec()).expect("a shape");
    let tags = (
        Array2::from_shape_vec((1, 3), columns.at.r#type.0).expect("a shape"),
        Array2::from_shape_vec((1, 3), columns.at.r#type.1).expect("a shape"),
    );
    let at = PlaceArrays { x: row(&columns.at.x), y: row(&columns.at.y), r#type: tags };
    let rows = BodyArrays { at, mass: row(&columns.mass) };
    let heaviest = Heaviest::on(&device).expect("a launcher").run(rows.each_ref(), all[0]);
    assert_eq!(heaviest.expect("a result").at.x, arr1(&[2.5]));
}

#[test]
fn structs_are_states_of_simulations() {
    let columns: Columns = bodies().into_iter().collect();
    let wind = |mass: f32| Body { mass, ..bodies()[0] };
    let drift = Drift::on(&device()).expect("a launcher");
    let mut drift = drift.start(columns.each_ref(), wind(0.25)).expect("a simulation");
    drift.run(4).expect("steps");
    drift.set_wind(wind(1.0)).expect("a value");
    drift.run(1).expect("a step");
    assert_eq!(drift.bodies().expect("a state").at.x, arr1(&[3.0, 4.0, 5.0]));
}

lift!(
    #[kernel]
    #[backends(host)]
    fn Here<N>(xs: [f32; N]) -> [f32; N] {
        xs.map(|x| 2.0 * x)
    }

    #[kernel]
    #[backends(opencl)]
    fn There<N>(xs: [f32; N]) -> [f32; N] {
        xs.map(|x| 2.0 * x)
    }
);

#[test]
fn a_kernel_says_where_it_runs() {
    let devices = Device::all().expect("devices");
    let (opencl, host): (Vec<_>, Vec<_>) = devices.iter().partition(|device| **device != Device::cpu());
    assert!(Here::VARIANTS.is_empty() && !There::VARIANTS.is_empty());
    for device in host {
        assert_eq!(Here::on(device).expect("it runs").run(&[1.5]).expect("a result"), arr1(&[3.0]));
        let error = There::on(device).expect_err("it does not run").to_string();
        assert!(error.starts_with("There has no version for the CPU without OpenCL; it runs on "), "{error}");
    }
    for device in opencl {
        assert_eq!(There::on(device).expect("it runs").run(&[1.5]).expect("a result"), arr1(&[3.0]));
        let error = Here::on(device).expect_err("it does not run").to_string();
        let (label, end) = (device.label(), "it runs on host#0, which is `Device::cpu()`");
        assert_eq!(error, format!("Here has no OpenCL version for {label}; {end}"));
    }
}
