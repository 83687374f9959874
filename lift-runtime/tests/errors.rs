//! What users read when something does not fit.

#![cfg(feature = "opencl")]

mod kernels;

use kernels::{Blur, Odd, Saxpy, Sums, Total, Windows};
use lift_runtime::spec::ScalarType;
use lift_runtime::{Device, Error, HostArg, Kernel};
use ndarray::Array2;

fn device() -> Device {
    kernels::opencl()
}

fn text<T: std::fmt::Debug>(result: lift_runtime::Result<T>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn extents_that_do_not_fit() {
    let saxpy = Saxpy::on(&device()).unwrap();
    assert_eq!(
        text(saxpy.run(1.0, &[0.0; 100], &[0.0; 99])),
        "Saxpy: `y` has 99 elements, expected N = 100 (from `x`)"
    );
    assert_eq!(
        text(saxpy.run(1.0, &[0.0; 2], &[0.0; 1])),
        "Saxpy: `y` has 1 element, expected N = 2 (from `x`)"
    );
    let blur = Blur::on(&device()).unwrap();
    let (image, mask) = (Array2::<f32>::zeros((512, 512)), Array2::<f32>::zeros((512, 500)));
    assert_eq!(
        text(blur.run(&image, &mask, &[0.0; 3])),
        "Blur: `mask` is 512×500, but Blur takes [[f32; W]; H] with H = 512, W = 512 (from `image`)"
    );
    assert_eq!(
        text(blur.run(&image, &mask, &[0.0; 4])),
        "Blur: 2 of 3 arguments do not fit: `mask` is 512×500, but Blur takes [[f32; W]; H] with H = 512, \
         W = 512 (from `image`); `weights` has 4 elements, but no R makes 2 * R + 1 equal 4"
    );
    assert_eq!(
        text(blur.run(&image, &image, &[0.0; 0])),
        "Blur: `weights` has 0 elements, but no R makes 2 * R + 1 equal 0"
    );
}

#[test]
fn constant_and_unsolvable_extents() {
    let odd = Odd::on(&device()).unwrap();
    assert_eq!(text(odd.run(&[0.0; 6], &[0.0; 9])), "Odd: `seven` has 6 elements, expected 7");
    assert_eq!(text(odd.run(&[0.0; 7], &[0.0; 9])), "Odd: the size `K` cannot be told from the arguments");
}

#[test]
fn facts_are_checked_in_their_order() {
    let sums = Sums::on(&device()).unwrap();
    assert_eq!(
        text(sums.run(&[0; 130], &[0])),
        "Sums: `split(128)` needs a length that 128 divides, but `N` is 130"
    );
    assert_eq!(
        text(sums.run(&[0; 256], &[0])),
        "Sums: `x` has 256 elements, but `marks` promises 128 (M = 1)"
    );
    let blur = Blur::on(&device()).unwrap();
    assert_eq!(
        text(blur.run(&[[0.0]], &[[0.0]], &[0.0; 203])),
        "Blur: the window is at most 100 on each side, but `R` is 101"
    );
}

#[test]
fn nothing_to_compute_from() {
    assert_eq!(
        text(Total::on(&device()).unwrap().run(&[0.0; 0])),
        "Total: `x` has no elements, so there is nothing to compute the result from (N = 0)"
    );
    // An array that is shorter than a window has none.
    assert_eq!(Windows::on(&device()).unwrap().run(&[1.0]).unwrap().len(), 0);
}

#[test]
fn slices_that_are_not_as_long_as_said() {
    let blur = Blur::on(&device()).unwrap();
    let pixels = [0.0; 18];
    assert_eq!(
        text(blur.run((&pixels, [4, 5]), (&pixels, [4, 5]), &[1.0; 3])),
        "`image` is said to be 4×5, which is 20 elements, but has 18"
    );
}

#[test]
fn names_that_do_not_exist() {
    let sums = Sums::on(&device()).unwrap();
    assert_eq!(
        text(sums.variant("tiled")),
        "Sums has no variant `tiled`; it has `naive`, `grouped`, `greedy`, `crowded`, `broken`"
    );
    assert_eq!(text(sums.with("TILE", 3)), "Sums has no tunable `TILE`; it has `GROUP`");
    assert_eq!(
        text(sums.variant("naive").unwrap().with("GROUP", 3)),
        "variant `naive` of Sums has no tunable `GROUP`; it has none"
    );
    assert_eq!(
        text(sums.with("GROUP", 3).unwrap().variant("naive")),
        "variant `naive` of Sums has no tunable `GROUP`; it has none"
    );
    assert_eq!(
        text(sums.with("GROUP", 0)),
        format!("Sums: `GROUP` of variant `grouped` must be in 1..={}, but 0 was given", 1u64 << 40)
    );
}

#[test]
fn variants_that_do_not_fit_the_device() {
    let device = device();
    let sums = Sums::on(&device).unwrap();
    let (label, local) = (device.label(), device.local_mem_bytes());
    assert_eq!(
        text(sums.variant("greedy").unwrap().run(&[0; 128], &[0])),
        format!("Sums: variant `greedy` needs 1099511627776 bytes of local memory, but {label} has {local}")
    );
    let (group, items) = (device.max_work_group_size(), device.max_work_item_sizes()[0]);
    assert_eq!(
        text(sums.variant("crowded").unwrap().run(&[0; 128], &[0])),
        format!(
            "Sums: variant `crowded` needs work-groups of 1048576, but {label} allows {group} work-items and \
             at most {items}"
        )
    );
    // Tunables restrict the choice to one variant, whose reason is the one to report.
    let error = sums.with("GROUP", 1 << 40).unwrap().run(&[0; 128], &[0]).unwrap_err();
    assert!(matches!(error, Error::TooManyLocalBytes { variant: "grouped", .. }), "{error}");
}

#[test]
fn a_failed_build_shows_the_line() {
    let device = device();
    let broken = Sums::on(&device).unwrap().variant("broken").unwrap();
    let error = broken.run(&[0; 128], &[0]).unwrap_err();
    let text = error.to_string();
    let Error::Build { log, lines, .. } = error else { panic!("{text}") };
    let [line] = &lines[..] else { panic!("{log}") };
    assert_eq!((line.line, &line.text[..]), (2, "    out[0] = foo[x[0]];"), "{log}");
    assert!(line.message.contains("foo"));
    let first = text.lines().next().unwrap();
    let start = format!("Sums: the driver of {} could not build variant `broken`: ", device.label());
    assert!(first.starts_with(&start) && first.contains("'foo'"), "{first}");
    assert!(text.contains("  2 |     out[0] = foo[x[0]];\n    |              ^ "), "{text}");
    assert!(text.ends_with(&log));
}

#[test]
fn erased_arguments_are_checked_too() {
    let saxpy = Saxpy::on(&device()).unwrap();
    let launcher = saxpy.launcher();
    let (a, x) = (1.0f32, &[0.0f32; 3]);
    let args = [HostArg::scalar(a), HostArg::array(&x)];
    assert_eq!(text(launcher.run::<f32, 1>(&args)), "Saxpy: 2 arguments were passed, but it takes 3");
    let args = [HostArg::scalar(a), HostArg::array(&x), HostArg::scalar(a)];
    assert_eq!(text(launcher.run::<f32, 1>(&args)), "Saxpy: `y` is [f32; N], but a scalar f32 was passed");
    let args = [HostArg::scalar(1), HostArg::array(&x), HostArg::array(&x)];
    assert_eq!(text(launcher.run::<f32, 1>(&args)), "Saxpy: `a` is f32, but a scalar i32 was passed");
    let args = || [HostArg::scalar(a), HostArg::array(&x), HostArg::array(&x)];
    assert_eq!(
        text(launcher.run::<f32, 2>(&args())),
        "Saxpy: its result has rank 1, but rank 2 was asked for"
    );
    assert_eq!(
        text(launcher.run::<i32, 1>(&args())),
        "Saxpy: its result is made of f32, but i32 was asked for"
    );
    assert_eq!(ScalarType::Bool.to_string(), "bool");
}

#[test]
fn types_that_a_device_lacks() {
    let error = |used: &[&'static str], others: &[&str]| Error::MissingType {
        kernel: "Blur",
        ty: ScalarType::F16,
        device: "nvidia#0".to_string(),
        used: used.to_vec(),
        others: others.iter().map(ToString::to_string).collect(),
    };
    assert_eq!(
        error(&["image", "out"], &["pocl#0"]).to_string(),
        "Blur computes with `f16`, which nvidia#0 does not have: `image`, `out` are made of it; compute with `f32`, or on a \
         device that has it (pocl#0 has it)"
    );
    assert_eq!(
        error(&[], &[]).to_string(),
        "Blur computes with `f16`, which nvidia#0 does not have: it occurs inside the kernel; compute with `f32`, or on a \
         device that has it (no device here has it)"
    );
}

#[test]
fn errors_travel() {
    fn travels<T: std::error::Error + Send + Sync + 'static>() {}
    travels::<Error>();
    let error = Error::NoLibrary;
    let start = "no OpenCL library: `libOpenCL.so.1` was not found; install the GPU's driver, or PoCL";
    assert!(error.to_string().starts_with(start), "{error}");
}
