//! Every example as its users run it: small, on the processor without OpenCL and on the first device with it, and compared with a
//! plain computation by itself.
//!
//! `cargo test -p lift-examples` builds the examples first; `cargo test --test examples` does not.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lift::ndarray::Array2;
use lift_examples::picture;

/// Runs an example in this folder.
fn example(name: &str, folder: &Path, args: &str) -> Output {
    // This test is `deps/examples-…`, and examples are beside `deps`.
    let test = std::env::current_exe().expect("this test");
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = test.ancestors().nth(2).expect("the folder of all builds").join("examples").join(file);
    let run = Command::new(&path).args(args.split_whitespace()).current_dir(folder).output();
    run.unwrap_or_else(|error| panic!("{}: {error}; cargo build --examples", path.display()))
}

/// What it prints, if all goes well.
fn printed(name: &str, folder: &Path, args: &str) -> String {
    let output = example(name, folder, args);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{name} {args}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// An empty folder with a photograph of 40 rows and 50 columns: `in.png`.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("lift-example-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let coins = picture::grey(None, picture::COINS).expect("the photograph");
    let part = Array2::from_shape_fn((40, 50), |(i, j)| coins[[i + 20, j + 20]]);
    picture::save_grey(&folder.join("in.png"), &part).expect("a picture");
    folder
}

/// Asks the example for help and for the devices, and runs it with these arguments. What it writes must be a picture of
/// so many rows and columns with more than one colour.
fn try_out(name: &str, args: &str, picture: Option<(&str, (usize, usize))>) {
    let folder = folder(name);
    let help = printed(name, &folder, "--help");
    assert!(help.contains("Usage:") && help.contains("--device") && help.contains("--check"), "{help}");
    let devices = printed(name, &folder, "--list-devices");
    assert!(!devices.trim().is_empty() && devices.lines().all(|line| line.contains('#')), "{devices}");
    let wrong = example(name, &folder, "--device there-is-none");
    assert_eq!(wrong.status.code(), Some(1), "{wrong:?}");
    assert!(wrong.stderr.starts_with(b"error: "), "{wrong:?}");

    let labels: Vec<&str> = devices.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let [others @ .., "host#0"] = labels.as_slice() else { panic!("{devices}") };
    for device in ["host"].iter().chain(others.first()) {
        let text = printed(name, &folder, &format!("{args} --check --device {device}"));
        assert!(text.contains("check: "), "{name} on {device}: {text}");
        let Some((file, shape)) = picture else { continue };
        let pixels = picture::grey(Some(&folder.join(file)), &[]).expect("a picture");
        assert_eq!(pixels.dim(), shape, "{name} on {device}");
        let drawn = pixels.iter().any(|pixel| *pixel != pixels[[0, 0]]);
        assert!(drawn, "{name} has drawn nothing on {device}");
        std::fs::remove_file(folder.join(file)).expect("the picture");
    }
    std::fs::remove_dir_all(&folder).expect("the folder");
}

#[test]
fn blur() {
    try_out("blur", "in.png --radius 2", Some(("blur.png", (40, 50))));
}

#[test]
fn canny() {
    try_out("canny", "in.png --sigma 1", Some(("canny.png", (40, 50))));
}

#[test]
fn convolve() {
    try_out("convolve", "--size 40 --runs 1", None);
}

#[test]
fn heat() {
    try_out(
        "heat",
        "--size 30 --steps 25 --every 10 --parts 3 --output out.png",
        Some(("out.png", (30, 30))),
    );
}

#[test]
fn life() {
    let args = "--size 50 --steps 33 --every 10 --pattern glider-gun --output out.png";
    try_out("life", args, Some(("out.png", (100, 100))));
}

#[test]
fn mandelbrot() {
    let args = "--width 50 --height 40 --limit 60 --re -0.75 --im 0.1 --zoom 3000";
    try_out("mandelbrot", args, Some(("mandelbrot.png", (40, 50))));
    try_out("mandelbrot", "--width 50 --height 40 --limit 60", Some(("mandelbrot.png", (40, 50))));
}

#[test]
fn matmul() {
    try_out("matmul", "-n 33 -k 20 -m 47 --runs 1", None);
}

#[test]
fn multigrid() {
    try_out("multigrid", "--levels 5 --cycles 4 --output out.png", Some(("out.png", (63, 63))));
    try_out("multigrid", "--levels 1 --cycles 6 --charges 1", Some(("multigrid.png", (3, 3))));
}

#[test]
fn nbody() {
    try_out("nbody", "--bodies 60 --steps 25 --size 64 --output out.png", Some(("out.png", (64, 64))));
}

#[test]
fn sobel() {
    try_out("sobel", "in.png", Some(("sobel.png", (40, 50))));
}

#[test]
fn room() {
    for shape in ["box", "l", "ellipsoid"] {
        try_out("room", &format!("--shape {shape} --size 24 --seconds 0.01 --parts 2"), None);
    }
    // The recording is the same, whatever the parts.
    let folder = folder("parts");
    let recording = |parts: usize| {
        printed("room", &folder, &format!("--size 40 --seconds 0.01 --parts {parts} --output out.wav"));
        std::fs::read(folder.join("out.wav")).expect("a recording")
    };
    let whole = recording(1);
    // A header, and 80 samples of two channels.
    assert!(whole.len() > 4 * 80 && whole[44..].iter().any(|byte| *byte != 0));
    assert!([2, 3, 4, 8].into_iter().all(|parts| recording(parts) == whole));
}

#[test]
fn srad() {
    let folder = folder("decibels");
    let text = printed("srad", &folder, "in.png --noise 0.25");
    let whole = std::fs::read(folder.join("srad.png")).expect("a picture");
    assert_eq!(printed("srad", &folder, "in.png --noise 0.25 --parts 3"), text);
    assert!(std::fs::read(folder.join("srad.png")).expect("a picture") == whole);
    std::fs::remove_dir_all(&folder).expect("the folder");
    let decibels: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!(matches!(decibels.as_slice(), [before, after] if *after > before + 3.0), "{text}");
    try_out("srad", "in.png --steps 10 --noisy noisy.png", Some(("noisy.png", (40, 50))));
}

#[test]
fn an_animation_has_its_frames() {
    let folder = folder("animation");
    printed("life", &folder, "--size 20 --steps 12 --every 4");
    let bytes = std::fs::read(folder.join("life.gif")).expect("an animation");
    std::fs::remove_dir_all(&folder).expect("the folder");
    let mut animation = gif::DecodeOptions::new().read_info(bytes.as_slice()).expect("an animation");
    assert_eq!((animation.width(), animation.height()), (40, 40));
    let mut frames = 0;
    while animation.read_next_frame().expect("a frame").is_some() {
        frames += 1;
    }
    assert_eq!(frames, 4);
}
