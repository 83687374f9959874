//! What appears on a user's terminal: the text of an error that `main` returns, and nothing that a driver has to say.
//!
//! Each test runs itself again, in a process whose standard error it reads.

#![cfg(feature = "opencl")]

mod kernels;

use std::process::{Command, ExitCode, Termination};

use kernels::{Remarkable, Saxpy};

/// Set in the process that is looked at.
const INSIDE: &str = "LIFT_TEST_INSIDE";

/// What `inside` writes to standard error, in a process that runs this test alone.
fn stderr_of(test: &str, inside: impl FnOnce()) -> Option<String> {
    if std::env::var_os(INSIDE).is_some() {
        inside();
        return None;
    }
    // PoCL keeps what it has built, and says nothing when it finds it again.
    let cache = std::env::temp_dir().join(format!("lift-terminal-{}-{test}", std::process::id()));
    std::fs::create_dir_all(&cache).expect("a folder for PoCL");
    let mut process = Command::new(std::env::current_exe().expect("the path of this program"));
    let process =
        process.args(["--exact", test, "--nocapture"]).env(INSIDE, "1").env("POCL_CACHE_DIR", &cache);
    let output = process.output().expect("a second process");
    std::fs::remove_dir_all(&cache).expect("the folder");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    Some(text)
}

#[test]
fn main_prints_the_text_of_an_error() {
    let main = || -> lift_runtime::Result<()> {
        Saxpy::on(&kernels::opencl())?.run(1.0, &[0.0; 100], &[0.0; 99])?;
        Ok(())
    };
    // What the standard library does with the result of `main`.
    let printed =
        stderr_of("main_prints_the_text_of_an_error", || assert_eq!(main().report(), ExitCode::FAILURE));
    if let Some(printed) = printed {
        assert_eq!(printed, "Error: Saxpy: `y` has 99 elements, expected N = 100 (from `x`)\n");
    }
}

#[test]
fn drivers_print_nothing() {
    let run = || {
        let remarkable = Remarkable::on(&kernels::opencl()).unwrap();
        assert_eq!(remarkable.run(&[1.0, 2.0]).unwrap().to_vec(), [1.0, 2.0]);
    };
    if let Some(printed) = stderr_of("drivers_print_nothing", run) {
        assert_eq!(printed, "");
    }
}
