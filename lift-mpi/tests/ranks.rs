//! Programs that MPI starts: the same results on any number of ranks, and nobody who waits for the dead.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// An example, which is built together with the tests.
fn example(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("a path");
    let folder = own.parent().and_then(Path::parent).expect("a folder").join("examples");
    let found = folder.join(name);
    assert!(found.exists(), "{} is not built: run `cargo test --package lift-mpi`", found.display());
    found
}

/// A program on so many ranks of this machine, which may be more than it has cores.
fn on_ranks(ranks: usize, name: &str) -> Command {
    let mut command = Command::new("mpirun");
    let version = Command::new("mpirun").arg("--version").output().expect("mpirun, see lift-mpi/README.md");
    // Others take neither.
    if String::from_utf8_lossy(&version.stdout).contains("Open MPI") {
        command.args(["--allow-run-as-root", "--oversubscribe"]);
    }
    command.args(["-n", &ranks.to_string()]).arg(example(name));
    command.env("LIFT_DEVICE", "host").stdin(Stdio::null());
    command
}

fn success(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{errors}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("lift-mpi-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn a_room_sounds_the_same_on_any_number_of_ranks() {
    let folder = folder("room");
    let mut heard = Vec::new();
    for ranks in [1, 2, 3, 4, 8] {
        let file = folder.join(format!("{ranks}.wav"));
        let mut room = on_ranks(ranks, "room_on_ranks");
        room.args(["--size", "48", "--seconds", "0.05", "--shape", "ellipsoid", "--output"]).arg(&file);
        success(&room.output().expect("mpirun"));
        heard.push(std::fs::read(file).expect("a recording"));
    }
    assert!(heard[0].len() > 1000 && heard.iter().all(|other| *other == heard[0]));
    std::fs::remove_dir_all(folder).expect("a folder");
}

#[test]
fn what_is_too_small_is_said_by_the_ranks() {
    let mut room = on_ranks(6, "room_on_ranks");
    let output = room.args(["--size", "8", "--output", "/dev/null"]).output().expect("mpirun");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(errors.contains("Room cannot be computed in 6 parts: Z = 4 gives each 0 rows"), "{errors}");
}

#[test]
fn nobody_waits_for_a_rank_that_does_something_else() {
    let same = "all ranks must make the same calls in the same order";
    for (what, expected) in [
        ("first", format!("rank 1: rank 0: it has ended, but rank 1 waits for it; {same}")),
        ("last", format!("rank 0: rank 1: it has ended, but rank 0 waits for it; {same}")),
        ("steps", format!("rank 0: rank 1: it sent 8 bytes where rank 0 waits for 32000; {same}")),
        ("fail", "rank 1: rank 1: out of luck".to_string()),
        ("panic", "out of luck".to_string()),
        ("exit", String::new()),
    ] {
        let started = Instant::now();
        let output = on_ranks(2, "leave").arg(what).output().expect("mpirun");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(&expected), "{what}: {errors}");
        assert!(started.elapsed() < Duration::from_secs(60), "{what}");
    }
    success(&on_ranks(2, "leave").output().expect("mpirun"));
}

/// How often a rank is killed.
fn times() -> usize {
    std::env::var("LIFT_MPI_KILLS").ok().and_then(|times| times.parse().ok()).unwrap_or(5)
}

#[test]
fn a_rank_that_is_killed_ends_all_and_the_last_checkpoint_is_whole() {
    let folder = folder("killed");
    let saved = folder.join("saved");
    let run = |ranks: usize, every: &str, steps: &str| {
        let mut command = on_ranks(ranks, "checkpoints");
        command.args(["--size", "96", "--every", every, "--steps", steps, "--folder"]).arg(&saved);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    for round in 0..times() {
        let before = saved_text(&saved);
        let mut child = run(2 + round % 2, "5", "200000").spawn().expect("mpirun");
        let started = Instant::now();
        while saved_text(&saved) == before {
            assert!(started.elapsed() < Duration::from_secs(60), "nothing is saved");
            std::thread::sleep(Duration::from_millis(1));
        }
        // At moments that differ, some of which are within a checkpoint.
        std::thread::sleep(Duration::from_micros((round as u64).wrapping_mul(7_919) % 60_000));
        let ranks = children(child.id());
        let rank = &ranks[round % ranks.len()];
        assert!(Command::new("kill").args(["-9", rank]).status().expect("kill").success());
        let killed = Instant::now();
        while child.try_wait().expect("a status").is_none() {
            assert!(killed.elapsed() < Duration::from_secs(20), "mpirun waits for a rank that is dead");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!child.wait().expect("a status").success());
        assert!(children(child.id()).is_empty());
    }
    // The last one is as if nothing had happened.
    let steps = steps_saved(&saved) + 5;
    let after = success(&run(3, "5", &steps.to_string()).output().expect("mpirun"));
    std::fs::remove_dir_all(&saved).expect("a folder");
    let at_once = success(&run(1, "1000000", &steps.to_string()).output().expect("mpirun"));
    assert_eq!(after, at_once);
    assert!(after.starts_with(&format!("{steps} steps, heat ")), "{after}");
    std::fs::remove_dir_all(folder).expect("a folder");
}

/// What is written about a saved simulation, if there is one.
fn saved_text(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("manifest.json")).unwrap_or_default()
}

/// The steps of a saved simulation.
fn steps_saved(folder: &Path) -> u64 {
    let text = saved_text(folder);
    let (_, rest) = text.split_once("\"steps\": ").expect("a checkpoint");
    rest.chars().take_while(char::is_ascii_digit).collect::<String>().parse().expect("a number")
}

/// The processes that a process has started, of which none is left when it has ended.
fn children(parent: u32) -> Vec<String> {
    let output = Command::new("pgrep").args(["-P", &parent.to_string()]).output().expect("pgrep");
    String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_string).collect()
}
