//! Tests that run again with Oclgrind as the device, which watches every access to memory.

use std::process::Command;

/// Runs a test of this file in a process of its own, with these variables in its environment; it must pass, and Oclgrind must
/// have found nothing. Reads of uninitialised memory are found where statements are run (`statements.rs`, for cases of few elements): to look for
/// them takes Oclgrind as long as everything else, and it reports buffers that an earlier launch has written.
pub fn run(test: &str, variables: &[(&str, &str)]) {
    let library = "/usr/lib/oclgrind/liboclgrind-rt-icd.so";
    assert!(
        std::path::Path::new(library).exists(),
        "the tests need Oclgrind: run scripts/install-opencl --tests"
    );
    let folder = std::env::temp_dir().join(format!("lift-oclgrind-{test}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the loader's configuration");
    std::fs::write(folder.join("oclgrind.icd"), library).expect("the loader's configuration");
    let log = folder.join("log");
    let checks = ["DATA_RACES", "CHECK_API", "UNIFORM_WRITES"];
    let output = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env("OCL_ICD_VENDORS", &folder)
        .env_remove("OCL_ICD_FILENAMES")
        .env("LIFT_DEVICE", "oclgrind")
        .envs(variables.iter().copied())
        .envs(checks.map(|check| (format!("OCLGRIND_{check}"), "1")))
        .env("OCLGRIND_LOG", &log)
        // More than the largest group of the tests needs.
        .env("OCLGRIND_LOCAL_MEM_SIZE", "131072")
        // It knows no `freeze`, to which optimisation turns `i / 3` beside `i % 3`.
        .env("OCLGRIND_BUILD_OPTIONS", "-cl-opt-disable")
        .output()
        .expect("the child process");
    let findings = std::fs::read_to_string(&log).unwrap_or_default();
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {text}", output.status);
    assert!(text.contains("1 passed"), "the kernels did not run: {text}");
    assert!(findings.trim().is_empty(), "{findings}");
}

/// Whether this is such a process.
pub fn is_device() -> bool {
    std::env::var("LIFT_DEVICE").is_ok_and(|name| name == "oclgrind")
}

/// What such a process has been told so far.
pub fn findings() -> String {
    std::env::var("OCLGRIND_LOG").ok().and_then(|log| std::fs::read_to_string(log).ok()).unwrap_or_default()
}
