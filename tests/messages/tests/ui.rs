//! Mistakes in `lift!` as rustc shows them. The texts depend on the compiler's layout of messages, so they are
//! compared on the toolchain they were written with.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;
use std::{env, fs};

/// Writes what rustc shows, instead of comparing it: `LIFT_MESSAGES=overwrite`.
const VARIABLE: &str = "LIFT_MESSAGES";

fn changed(path: &Path) -> SystemTime {
    path.metadata().and_then(|it| it.modified()).expect("the time of a file")
}

/// The files in a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|it| it.expect("an entry").path()).collect();
    files.sort();
    files
}

/// The facade as it was built for these tests, and the folder with all that it needs. Builds with other features are there, too: later
/// ones are newer than this program, and before it was built nothing was newer than what it needs.
fn facade() -> (PathBuf, PathBuf) {
    let program = env::current_exe().expect("this program");
    let folder = program.parent().expect("a folder").to_path_buf();
    let is_facade = |path: &PathBuf| {
        let name = path.file_name().and_then(|it| it.to_str()).unwrap_or_default();
        name.starts_with("liblift-") && name.ends_with(".rlib") && changed(path) <= changed(&program)
    };
    let newest = files(&folder).into_iter().filter(is_facade).max_by_key(|path| changed(path));
    (newest.expect("the facade"), folder)
}

/// What rustc shows of a program, which it must refuse, without its last words.
fn shown(program: &Path, (facade, folder): &(PathBuf, PathBuf)) -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let name = program.file_stem().and_then(|it| it.to_str()).expect("a name");
    let output = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=bin", "--emit=metadata", "--color=never", "-Adead_code"])
        .args(["--crate-name", name, "--out-dir", env!("CARGO_TARGET_TMPDIR")])
        .arg(format!("-Ldependency={}", folder.display()))
        .arg(format!("--extern=lift={}", facade.display()))
        .arg(program)
        .output()
        .expect("rustc");
    let shown = String::from_utf8(output.stderr).expect("a text");
    assert!(!output.status.success(), "{} is compiled\n{shown}", program.display());
    let (messages, _) = shown.split_once("error: aborting due to").unwrap_or((&shown, ""));
    format!("{}\n", messages.trim_end())
}

#[test]
fn mistakes() {
    let facade = facade();
    let overwrite = env::var(VARIABLE).is_ok_and(|it| it == "overwrite");
    // From here on, as messages name files.
    let programs = files(Path::new("tests/ui"));
    let programs = programs.iter().filter(|path| path.extension().is_some_and(|it| it == "rs"));
    let mut wrong = Vec::new();
    let mut seen = 0;
    for program in programs {
        let (shown, file) = (shown(program, &facade), program.with_extension("stderr"));
        seen += 1;
        if overwrite {
            fs::write(&file, &shown).expect("a file");
        } else if shown != fs::read_to_string(&file).unwrap_or_default() {
            wrong.push(format!("== {} should be\n{shown}", file.display()));
        }
    }
    assert!(seen > 30, "{seen} programs");
    assert!(wrong.is_empty(), "{}\n{VARIABLE}=overwrite writes these texts", wrong.join("\n"));
}
