//! The commands as users call them, on a package that is never built.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MANIFEST: &str = "[package]\nname = \"fixture\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";

/// A stencil, a kernel for two types, an expression form, and what only looks like a kernel.
const MAIN: &str = r#"//! A program.
use lift::prelude::*;

lift!(
    /// The sum of three neighbours.
    #[kernel]
    pub fn Blur<N>(xs: [f32; N]) -> [f32; N] {
        xs.pad(1, 1, clamp).slide(3, 1).map(|w| if w[0] < 0.0 { w[1] } else { w[0] + w[1] + w[2] })
    }
);

mod inner {
    lift::lift! {
        #[kernel]
        #[types(T = f32, i32)]
        fn Twice<T, N>(xs: [T; N]) -> [T; N] { xs.map(|x| x + x) }
    }
}

macro_rules! made { ($name:ident) => { lift!(#[kernel] fn $name<N>(xs: [f32; N]) -> [f32; N] { xs }); } }

fn main() -> lift::Result<()> {
    // lift!(a comment)
    let squares = lift!(|xs: [i32; N]| xs.map(|x| x * x)).on(&Device::cpu())?;
    assert_eq!(squares.run(&[1, 2])?.to_vec(), vec![1, 4], "lift!(a text)");
    Ok(())
}
"#;

/// A kernel with a mistake.
const WRONG: &str = "lift::lift!(
    #[kernel]
    fn Pairs<N, M>(xs: [f32; N], ys: [f32; M]) -> [f32; N] {
        zip(xs, ys).map(add)
    }
);
";

/// A package in a folder of its own, with these files besides.
fn package(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    for (file, text) in [("Cargo.toml", MANIFEST), ("src/main.rs", MAIN)].iter().chain(files) {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

/// Runs `cargo lift` as cargo does.
fn lift(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-lift"));
    command.arg("lift").args(args).current_dir(folder).output().expect("it runs")
}

/// What it prints when all is well.
fn printed(folder: &Path, args: &[&str]) -> String {
    let output = lift(folder, args);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// What it says is wrong.
fn refused(folder: &Path, args: &[&str]) -> String {
    let output = lift(folder, args);
    assert_eq!(output.status.code(), Some(1), "{args:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn kernels_are_listed() {
    let folder = package("list", &[]);
    let list = printed(&folder, &["show"]);
    assert!(list.contains("src/main.rs:7  Blur\n    [f32; N] -> [f32; N]\n    naive, "), "{list}");
    assert!(list.contains("src/main.rs:16  Twice<f32>\n"), "{list}");
    assert!(list.contains("src/main.rs:16  Twice<i32>\n    [i32; N] -> [i32; N]\n"), "{list}");
    assert!(list.contains("src/main.rs:24  squares\n    [i32; N] -> [i32; N]\n"), "{list}");
    assert_eq!(list.lines().count(), 4 * 3, "{list}");
    // The folder is found from below, and from elsewhere.
    let below = printed(&folder.join("src"), &["show"]);
    let manifest = folder.join("Cargo.toml");
    let named = printed(Path::new("/"), &["show", "--manifest-path", &manifest.display().to_string()]);
    for other in [below, named] {
        assert_eq!(other.lines().count(), list.lines().count(), "{other}");
    }
}

#[test]
fn a_kernel_is_shown_with_all_versions() {
    let folder = package("show", &[]);
    let page = printed(&folder, &["show", "Blur"]);
    assert!(page.starts_with("Blur: [f32; N] -> [f32; N]\nsrc/main.rs:7\n"), "{page}");
    for part in ["naive", "tiled", "loops", "TILE_X = ", "Versions that there are not", ".slide(3, 1)"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("get_global_id"), "{page}");
    let steps = printed(&folder, &["show", "Blur", "--steps"]);
    assert!(
        steps.contains("Version tiled: how it was derived") && steps.contains("= { map_global"),
        "{steps}"
    );
    let opencl = printed(&folder, &["show", "Blur", "--opencl", "--version", "naive"]);
    assert_eq!(opencl.matches("kernel void blur(").count(), 1, "{opencl}");
    assert!(!opencl.contains("Version tiled:"), "{opencl}");
    let rust = printed(&folder, &["show", "squares", "--rust"]);
    assert!(rust.contains("Version loops: Rust") && rust.contains("wrapping_mul"), "{rust}");
    let types = printed(&folder, &["show", "Twice<f32>", "--types"]);
    assert!(types.contains(": [f32; N]"), "{types}");
    let version = printed(&folder, &["show", "Blur", "--version", "tiled"]);
    for part in ["how it was derived", "work, memory and barriers", "OpenCL"] {
        assert!(version.contains(&format!("Version tiled: {part}")), "{part}: {version}");
    }
}

#[test]
fn unknown_names_are_refused_with_a_proposal() {
    let folder = package(
        "unknown",
        &[("src/other.rs", "lift!(#[kernel] fn Blur<N>(xs: [f32; N]) -> [f32; N] { xs });")],
    );
    let kernel = refused(&folder, &["show", "squeres"]);
    assert!(kernel.contains("no kernel `squeres`") && kernel.contains("did you mean `squares`?"), "{kernel}");
    let several = refused(&folder, &["show", "Blur"]);
    assert!(several.contains("src/main.rs:7") && several.contains("src/other.rs:1"), "{several}");
    let types = refused(&folder, &["show", "Twice"]);
    assert!(types.contains("`Twice<f32>` or `Twice<i32>`"), "{types}");
    let main = ["show", "Blur", "--file", "src/main.rs"];
    let version = refused(&folder, &[&main[..], &["--version", "tilde"]].concat());
    assert!(version.contains("did you mean `tiled`?"), "{version}");
    let missing = refused(&folder, &[&main[..], &["--version", "marching"]].concat());
    assert!(missing.contains("Blur has no version `marching`: the result has fewer than three"), "{missing}");
    assert!(printed(&folder, &["show", "Blur", "--file", "src/other.rs:1"]).starts_with("Blur: "));
    assert!(refused(&folder, &["show", "--file", "nowhere.rs"]).contains("no file `nowhere.rs`"));
    assert!(
        refused(&folder, &["show", "--manifest-path", "nowhere/Cargo.toml"]).contains("nowhere/Cargo.toml")
    );
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let folder = package("mistakes", &[("examples/wrong.rs", WRONG), ("tests/tokens.rs", "lift!( \" ")]);
    for args in [&["show"][..], &["show", "Pairs"]] {
        let mistake = refused(&folder, args);
        assert!(mistake.contains("error: [L0210] `zip` pairs arrays"), "{mistake}");
        assert!(mistake.contains("--> examples/wrong.rs:4:9\n"), "{mistake}");
        assert!(mistake.contains("4 |         zip(xs, ys).map(add)\n  |         ^^^"), "{mistake}");
        assert!(mistake.contains("= help: "), "{mistake}");
    }
    assert!(refused(&folder, &["show"]).contains("tests/tokens.rs:1:"));
    // Others are shown as ever.
    assert!(printed(&folder, &["show", "squares"]).starts_with("squares: "));
}

#[test]
fn a_page_for_browsers_has_everything() {
    let folder = package("html", &[]);
    let said = printed(&folder, &["show", "Blur", "--html", "blur.html"]);
    assert!(said.contains("blur.html"), "{said}");
    let page = fs::read_to_string(folder.join("blur.html")).expect("a page");
    for part in
        ["naive", "tiled", "loops", "prefers-color-scheme: dark", "if (i &lt; N)", "kernel void blur("]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    for name in ["naive", "tiled"] {
        assert!(page.contains(&format!("Version {name}: OpenCL</h2>")), "{name}: {page}");
    }
    for tag in ["html", "head", "body", "pre", "h2", "table", "tr", "th", "td", "ul", "li", "div", "style"] {
        let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    assert!(!page.contains("<script") && !page.contains("http"), "{page}");
    // Texts have no tags of their own.
    for text in page.split("<pre>").skip(1) {
        let text = text.split("</pre>").next().unwrap_or_default();
        assert!(!text.contains(['<', '>']), "{text}");
    }
    assert!(refused(&folder, &["show", "Blur", "--html", "nowhere/blur.html"]).contains("cannot be written"));
}

#[test]
fn codes_are_explained() {
    let folder = package("explain", &[]);
    let page = printed(&folder, &["explain", "L0210"]);
    assert!(page.starts_with("L0210 `zip` of different lengths\n") && page.contains("fn Dot"), "{page}");
    assert!(!page.contains("\n## ") && !page.contains("\n### "), "{page}");
    assert_eq!(printed(&folder, &["explain", "210"]), page);
    let all = printed(&folder, &["explain"]);
    assert!(all.lines().count() > 40 && all.contains("L0210  `zip` of different lengths\n"), "{all}");
    let unknown = refused(&folder, &["explain", "L0299"]);
    assert!(
        unknown.contains("no error code `L0299`") && unknown.contains("the nearest are `L02"),
        "{unknown}"
    );
    assert!(refused(&folder, &["explain", "zip"]).contains("lists all codes"));
}

#[test]
fn the_doctor_names_drivers_and_devices() {
    let folder = package("doctor", &[]);
    let said = printed(&folder, &["doctor", "--measure", "--device", "pocl"]);
    for part in ["OpenCL library: loaded", "pocl#0  ", "Portable Computing Language", "host#0  "] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!cfg!(target_os = "linux") || said.contains(".icd"), "{said}");
    assert!(said.contains("A program takes ") && said.contains("compute units  "), "{said}");
    let ceilings = said.split("does at best").nth(1).unwrap_or_default();
    for unit in [" GB/s", " GFLOP/s", " µs"] {
        assert!(ceilings.contains(unit), "{unit}: {said}");
    }
    assert!(
        refused(&folder, &["doctor", "--measure", "--device", "abacus"]).contains("no device fits `abacus`")
    );
}

/// The advice is the runtime's.
#[test]
#[cfg(target_os = "linux")]
fn the_doctor_says_what_to_install() {
    let folder = package("install", &[("vendors/own.icd", "libnowhere.so\n")]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-lift"));
    let command = command.args(["doctor"]).current_dir(&folder).env_remove("LIFT_DEVICE");
    let output = command.env("OCL_ICD_VENDORS", folder.join("vendors")).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("own.icd") && said.contains("libnowhere.so  missing"), "{said}");
    assert!(
        said.contains("There is no GPU for OpenCL: ") && said.contains("install the GPU's driver"),
        "{said}"
    );
    assert!(said.contains("A program takes host#0"), "{said}");
}

#[test]
fn every_command_has_help_with_an_example() {
    let folder = package("help", &[]);
    assert!(printed(&folder, &["--help"]).contains("cargo lift <COMMAND>"));
    for command in ["doctor", "show", "explain"] {
        let help = printed(&folder, &[command, "--help"]);
        assert!(help.contains(&format!("For example `cargo lift {command} ")), "{help}");
    }
}
