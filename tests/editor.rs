//! An editor inside of macro calls: rust-analyzer is asked what it knows of programs, right ones and half-typed ones.

mod editor {
    pub mod client;
}

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use editor::client::Editor;
use lift_laws::effort;
use serde_json::json;

/// A folder with a project in which these are the roots of programs.
fn project(name: &str, roots: &[PathBuf]) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output().expect("rustc").stdout;
    let sysroot = PathBuf::from(String::from_utf8(sysroot).expect("a path").trim());
    let host = ["feature=\"host\"", "feature=\"opencl\""];
    let mut crates = vec![
        json!({"display_name": "lift_macros", "root_module": root.join("lift-macros/src/lib.rs"), "edition": "2024",
            "deps": [], "is_proc_macro": true, "proc_macro_dylib_path": macros(), "is_workspace_member": false}),
        json!({"display_name": "lift_runtime", "root_module": root.join("lift-runtime/src/lib.rs"), "edition": "2024",
            "deps": [], "cfg": host, "is_workspace_member": false}),
        json!({"display_name": "lift", "root_module": root.join("src/lib.rs"), "edition": "2024", "cfg": host,
            "deps": [{"crate": 0, "name": "lift_macros"}, {"crate": 1, "name": "lift_runtime"}], "is_workspace_member": false}),
    ];
    crates.extend(roots.iter().map(|root| {
        json!({"display_name": "program", "root_module": root, "edition": "2024",
            "deps": [{"crate": 2, "name": "lift"}], "is_workspace_member": true})
    }));
    let sources = sysroot.join("lib/rustlib/src/rust/library");
    assert!(sources.exists(), "the library's sources, which `rustup component add rust-src` installs");
    let project = json!({"sysroot": sysroot, "sysroot_src": sources, "crates": crates});
    fs::write(folder.join("rust-project.json"), project.to_string()).expect("a file");
    folder
}

/// The newest library with the macro.
fn macros() -> PathBuf {
    let tests = std::env::current_exe().expect("this program");
    let built = fs::read_dir(tests.parent().expect("a folder")).expect("a folder").filter_map(Result::ok);
    let is_macro = |path: &PathBuf| {
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        name.contains("lift_macros-") && name.ends_with(std::env::consts::DLL_SUFFIX)
    };
    let age = |path: &PathBuf| path.metadata().and_then(|it| it.modified()).ok();
    built.map(|it| it.path()).filter(is_macro).max_by_key(age).expect("the macro")
}

#[test]
#[ignore = "needs rust-analyzer"]
fn kernels_are_known_to_editors() {
    let folder = project("editor", &[PathBuf::from("program.rs")]);
    let text = include_str!("editor/program.rs");
    let file = folder.join("program.rs");
    fs::write(&file, text).expect("a file");
    let mut editor = Editor::open(&folder);
    editor.show(&file, text);
    assert_eq!(editor.mistakes(&file), []);

    let mut shown = |marker: &str, nth: usize, wanted: &str| {
        let found = editor.hover(&file, marker, nth);
        assert!(found.contains(wanted), "{marker}: {found}");
    };
    // Types with sizes at that point.
    shown("image.map", 0, "image: Array<Array<f32, M>, N>");
    shown("padded", 0, "let padded: Array<Array<f32, M_plus_2>, N>");
    shown("padded.map", 0, "let padded: Array<Array<f32, M_plus_2>, N>");
    shown("row.slide", 0, "row: Array<f32, M_plus_2>");
    shown("half {", 0, "let half: f32");
    shown("w[1][1] - p", 0, "w: Array<Array<f32, _3>, _3>");
    shown("p + zip", 0, "p: f32");
    shown("at\n", 0, "let at: usize");
    shown("f(x)", 0, "f: fn(T) -> T");
    shown("f[0]", 0, "f: [f32; 3]");
    // What primitives are, what helpers are, what steps are.
    shown("slide(RADIUS", 0, "xs[i * step + j]");
    shown("zip(weights", 0, "Pairs the elements");
    shown("map2d(|(w", 0, "`map` over rows");
    shown("sqrt)", 0, "A function of scalars");
    shown("constant(0.0)", 0, "beyond the edge");
    shown("weigh(weights)", 0, "The weighted sum of a window.");
    shown("weigh(weights)", 0, "fn weigh(weights: [f32; K], window: [f32; K]) -> f32");
    shown("to_private", 0, "registers");
    shown("Blur::on", 0, "Type: `(image: [[f32; M]; N], weights: [f32; 3]) -> [[f32; M]; N]`");

    let line = |part: &str| text[..text.find(part).expect("a part")].matches('\n').count() as u64 + 1;
    let mut defined = |marker: &str, nth: usize, file_name: &str, wanted: Option<u64>| {
        let found = editor.definitions(&file, marker, nth);
        assert_eq!(found.len(), 1, "{marker}: {found:?}");
        assert!(found[0].0.ends_with(file_name), "{marker}: {found:?}");
        assert!(wanted.is_none_or(|line| line == found[0].1), "{marker}: {found:?}");
    };
    defined("padded.map", 0, "program.rs", Some(line("let padded")));
    defined("weigh(weights)", 0, "program.rs", Some(line("fn weigh")));
    defined("RADIUS, 1", 0, "program.rs", Some(line("const RADIUS")));
    defined("square(x)", 0, "program.rs", Some(line("fn square")));
    defined("slide(RADIUS", 0, "language/primitives.rs", None);

    let mut renamed = |marker: &str, nth: usize, name: &str, from: &[(&str, &str)]| {
        let wanted = from.iter().fold(text.to_string(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        });
        assert_eq!(editor.renamed(&file, marker, nth, name), wanted.trim_end(), "{marker}");
    };
    renamed("padded", 1, "wide", &[("padded", "wide")]);
    renamed("weigh(weights)", 0, "sum", &[("fn weigh(", "fn sum("), ("map(weigh(", "map(sum(")]);
    renamed("RADIUS", 0, "WIDTH", &[("RADIUS", "WIDTH")]);
    renamed("Blur::on", 0, "Soft", &[("fn Blur", "fn Soft"), ("Blur::on", "Soft::on")]);
    renamed(
        "N >= 3",
        0,
        "H",
        &[
            ("N >= 3", "H >= 3"),
            ("Blur<N, M>(image: [[f32; M]; N]", "Blur<H, M>(image: [[f32; M]; H]"),
            ("[f32; RADIUS]) -> [[f32; M]; N]", "[f32; RADIUS]) -> [[f32; M]; H]"),
        ],
    );

    // Half-typed programs.
    let mut completed = |after: &str, typed: &str, wanted: &[&str]| {
        let half = text.replacen(after, &format!("{after}{typed}"), 1);
        editor.show(&file, &half);
        let found = editor.completions(&file, &format!("{after}{typed}"));
        for name in wanted {
            assert!(found.iter().any(|it| it == name), "{after}{typed}: no {name} in {found:?}");
        }
    };
    completed("row.pad(1, 1, clamp)", ".", &["slide", "map", "reduce"]);
    completed("let padded = image", ".", &["pad2d", "transpose"]);
    completed("padded.map(|row| row", ".sl", &["slide"]);
    completed("let half: f32 = ", "pad", &["padded"]);
    completed("if x > half { x } else { ", "squ", &["square"]);
    completed("row.pad(1, 1, ", "mir", &["mirror"]);
    completed("tile2d(2, 4).to_private()", ".", &["march", "vectorize"]);
    // Nothing else is lost while a program is half typed.
    let half = text.replace("let half: f32 = padded.join()", "let half: f32 = padded.");
    editor.show(&file, &half);
    assert!(editor.hover(&file, "slide(RADIUS", 0).contains("xs[i * step + j]"));
    assert!(editor.hover(&file, "Blur::on", 0).contains("struct Blur"));
}

/// The lines of macro calls.
fn calls(text: &str) -> Vec<std::ops::RangeInclusive<u64>> {
    let mut found = Vec::new();
    for (start, _) in text.match_indices("lift!(").chain(text.match_indices("lift! {")) {
        let mut depth = 0;
        let end = text[start..].find(|sign: char| {
            depth += i32::from("([{".contains(sign));
            depth -= i32::from(")]}".contains(sign));
            depth == 0 && ")]}".contains(sign)
        });
        let line = |at: usize| text[..at].matches('\n').count() as u64 + 1;
        found.push(line(start)..=line(start + end.unwrap_or_default()));
    }
    found
}

/// The Rust files in a folder and below.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").filter_map(Result::ok) {
        let path = entry.path();
        match path.is_dir() {
            true => sources(&path, found),
            false => found.extend(Some(path).filter(|it| it.extension().is_some_and(|it| it == "rs"))),
        }
    }
}

#[test]
#[ignore = "needs rust-analyzer"]
fn right_programs_have_no_mistakes_in_editors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<PathBuf> = Vec::new();
    sources(&root.join("suite/src"), &mut files);
    let mut examples = Vec::new();
    sources(&root.join("examples"), &mut examples);
    let mut roots = vec![root.join("suite/src/lib.rs")];
    roots.extend(examples.iter().filter(|it| it.parent() == Some(&root.join("examples"))).cloned());
    files.extend(examples);
    // A sample, unless everything is asked for.
    let step = if effort::everything() { 1 } else { 4 };
    files.sort();
    let mut editor = Editor::open(&project("right", &roots));
    let (mut looked_at, mut found) = (0, Vec::new());
    effort::report("files of programs that an editor is shown", files.len().div_ceil(step), files.len());
    for file in files.into_iter().step_by(step) {
        let text = fs::read_to_string(&file).expect("a text");
        let calls = calls(&text);
        if calls.is_empty() {
            continue;
        }
        looked_at += calls.len();
        editor.show(&file, &text);
        // What crates outside of this project are, the editor was not told.
        let mistakes = editor.mistakes(&file).into_iter();
        let inside = mistakes.filter(|(line, _)| calls.iter().any(|call| call.contains(line)));
        found.extend(inside.map(|(line, message)| format!("{}:{line}: {message}", file.display())));
    }
    assert!(looked_at > 10, "{looked_at}");
    assert_eq!(found, Vec::<String>::new());
}
