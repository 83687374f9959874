//! Tuning as users do it, with processes that are killed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const MAIN: &str = "lift::lift!(
    #[kernel]
    pub fn Blur<N>(xs: [f32; N]) -> [f32; N] {
        xs.pad(1, 1, clamp).slide(3, 1).map(|w| w[0] + w[1] + w[2])
    }

    #[kernel]
    pub fn Pick<N, M>(at: [i32; N], xs: [f32; M]) -> [f32; N] { gather(at, xs) }
);
";

/// A package in a folder of its own.
fn package(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("src")).expect("a folder");
    let manifest = "[package]\nname = \"tuned\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    fs::write(folder.join("Cargo.toml"), manifest).expect("a file");
    fs::write(folder.join("Cargo.lock"), "").expect("a file");
    fs::write(folder.join("src/main.rs"), MAIN).expect("a file");
    folder
}

fn lift(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-lift"));
    command.arg("lift").args(args).current_dir(folder).env("CARGO_TARGET_DIR", folder.join("target"));
    command
}

/// What it prints when all is well.
fn printed(folder: &Path, args: &[&str]) -> String {
    let output = lift(folder, args).output().expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The points that have ended, and their times, if they have one.
fn ended(folder: &Path) -> Vec<(String, Option<f64>)> {
    let text = fs::read_to_string(folder.join("target/lift-tune/Blur.jsonl")).unwrap_or_default();
    let field = |line: &str, name: &str| {
        let (_, rest) = line.split_once(&format!("\"{name}\":"))?;
        Some(rest.split([',', '}']).next()?.trim_matches('"').to_string())
    };
    // A line that was not finished does not count.
    let lines = text.lines().filter(|line| line.starts_with('{') && line.ends_with('}'));
    let ended = lines.filter_map(|line| {
        let time = field(line, "microseconds").and_then(|time| time.parse().ok());
        (time.is_some() || line.contains("\"failed\"")).then(|| (line.to_string(), time))
    });
    ended.collect()
}

const SIZE: [&str; 4] = ["tune", "Blur", "--size", "N=3001"];

#[test]
fn what_is_found_is_kept_and_found_again() {
    let folder = package("kept");
    let page = folder.join("page.html");
    let args = [&SIZE[..], &["--trials", "6", "--html", page.to_str().expect("a path")]].concat();
    let text = printed(&folder, &args);
    assert!(text.starts_with("Blur at N = 3001 on "), "{text}");
    assert!(text.contains(": 6 of "), "{text}");
    let file = fs::read_to_string(folder.join("lift-tune.toml")).expect("a file");
    assert!(file.contains("kernel = \"Blur\"") && file.contains("sizes = { N = 3001 }"), "{file}");
    assert!(fs::read_to_string(&page).expect("a page").contains("<circle"));
    // Chains of steps are tried as well, and right.
    let text =
        printed(&folder, &[&SIZE[..], &["--trials", "30", "--dry-run", "--search", "random"]].concat());
    assert!(text.contains(": 36 of "), "{text}");
    assert!(!text.contains("where it should have"), "{text}");
    let journal = fs::read_to_string(folder.join("target/lift-tune/Blur.jsonl")).expect("a journal");
    assert!(journal.contains("tile(") && journal.contains("naive"), "{journal}");
    assert_eq!(fs::read_to_string(folder.join("lift-tune.toml")).expect("a file"), file);
    // A copy is not a million times as fast as anything.
    let enough =
        printed(&folder, &["tune", "Blur", "--size", "N=3001", "--fresh", "--dry-run", "--enough", "0.0001"]);
    assert!(enough.contains(": 1 of "), "{enough}");
    let text = printed(&folder, &["bench", "Blur", "--size", "N=3001"]);
    assert!(text.contains("naive") && !text.contains("tile("), "{text}");
    fs::remove_dir_all(folder).expect("its end");
}

#[test]
fn mistakes_are_told() {
    let folder = package("mistakes");
    let told = |args: &[&str]| {
        let output = lift(&folder, args).output().expect("it runs");
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(told(&["tune", "Blue"]).contains("did you mean `Blur`"));
    assert!(told(&["tune", "Blur", "--size", "M=3"]).contains("has no size `M`: it has N"));
    assert!(told(&["tune", "Blur", "--size", "N"]).contains("is not a size"));
    assert!(told(&["tune", "Blur", "--device", "host"]).contains("a device of OpenCL is needed"));
    assert!(told(&["bench", "Blur", "--size", "N=0"]).contains("nothing to tune"));
    fs::remove_dir_all(folder).expect("its end");
}

/// Kills a process that searches at one moment after the other: no record is lost, and what is found in the end was measured.
#[test]
fn nothing_is_lost_when_processes_are_killed() {
    let folder = package("killed");
    let mut known: Vec<(String, Option<f64>)> = Vec::new();
    for moment in 0..20u64 {
        let mut child = lift(&folder, &SIZE)
            .env("LIFT_TUNE_SEARCHES", "60000")
            .stdout(Stdio::null())
            .spawn()
            .expect("it starts");
        sleep(Duration::from_millis(300 + 53 * moment));
        child.kill().expect("its end");
        child.wait().expect("its end");
        let now = ended(&folder);
        assert!(known.iter().all(|line| now.contains(line)), "{known:?}\n{now:?}");
        known = now;
    }
    let text = printed(&folder, &[&SIZE[..], &["--trials", "1"]].concat());
    let all = ended(&folder);
    assert!(known.iter().all(|line| all.contains(line)) && all.len() > known.len(), "{text}");
    let file = fs::read_to_string(folder.join("lift-tune.toml")).expect("a file");
    let line = |key: &str| {
        let found =
            file.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"'));
        found.map(str::to_string)
    };
    let winner = line("strategy").or(line("version")).expect("a version");
    assert!(all.iter().any(|(line, time)| time.is_some() && line.contains(&winner)), "{winner}\n{all:?}");
    fs::remove_dir_all(folder).expect("its end");
}

/// The process that watches goes on with other versions after the one that searches was killed, as by a driver.
#[cfg(target_os = "linux")]
#[test]
fn what_ends_the_process_is_not_tried_again() {
    let folder = package("crashed");
    let start = || {
        lift(&folder, &[&SIZE[..], &["--seconds", "60", "--trials", "4"]].concat())
            .stdout(Stdio::piped())
            .spawn()
    };
    let parent: Child = start().expect("it starts");
    let children = format!("/proc/{0}/task/{0}/children", parent.id());
    let begun = || {
        let text = fs::read_to_string(folder.join("target/lift-tune/Blur.jsonl")).unwrap_or_default();
        text.lines().last().is_some_and(|line| !line.contains("microseconds"))
    };
    let waits = Instant::now();
    while !begun() {
        assert!(waits.elapsed() < Duration::from_secs(60), "nothing is measured");
        sleep(Duration::from_millis(1));
    }
    let pid = fs::read_to_string(children).expect("its children");
    let killed = Command::new("kill").arg("-9").arg(pid.trim()).status().expect("kill");
    assert!(killed.success());
    let output = parent.wait_with_output().expect("its end");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("the process ended: signal: 9"), "{text}");
    fs::remove_dir_all(folder).expect("its end");
}
