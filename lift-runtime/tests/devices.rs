//! Finding devices, on this machine and on one without OpenCL.
//!
//! The loader reads its settings once per process, so every other situation is played in a child process:
//! this program again, with one test selected.

use std::process::Command;

use lift_runtime::spec::ScalarType;
use lift_runtime::{Device, Error};

#[test]
fn there_is_a_device() {
    let all = Device::all().unwrap();
    assert_eq!(all.last(), Some(&Device::cpu()));
    for (position, device) in all.iter().enumerate() {
        assert!(!device.name().is_empty() && !device.vendor().is_empty() && !device.platform().is_empty());
        assert!(device.compute_units() > 0 && device.max_work_group_size() > 0);
        assert!(device.max_work_item_sizes().len() >= 3);
        assert_eq!(&Device::find(&position.to_string()).unwrap(), device);
        assert_eq!(&Device::find(device.label()).unwrap(), device);
        assert_eq!(&Device::find(&device.label().to_uppercase()).unwrap(), device);
        assert!(Device::find(device.name()).is_ok() && Device::find(device.vendor()).is_ok());
        let line = device.to_string();
        assert!(line.starts_with(&format!("{}  {}  ", device.label(), device.name())), "{line}");
        if *device != Device::cpu() {
            assert!(device.local_mem_bytes() >= 1024 && device.global_mem_bytes() > 1 << 20);
            assert!(line.contains(" CU  ") && line.contains(" GiB  OpenCL "), "{line}");
        }
        assert_eq!(format!("{device:?}"), format!("Device({line})"));
    }
    if all[0].is_gpu() {
        assert_eq!(
            (Device::find("gpu").unwrap(), Device::find("gpu#0").unwrap()),
            (all[0].clone(), all[0].clone())
        );
    }
}

#[test]
fn the_processor_is_a_device() {
    let cpu = Device::cpu();
    for wanted in ["cpu", "CPU#0", "host", "host#0", "Host"] {
        assert_eq!(Device::find(wanted).unwrap(), cpu, "{wanted}");
    }
    assert_ne!(Device::find("cpu#1").ok().as_ref(), Some(&cpu));
    assert_eq!((cpu.label(), cpu.is_gpu(), cpu.platform()), ("host#0", false, "lift-kernels"));
    assert!(
        cpu.supports(ScalarType::F64) && !cpu.supports(ScalarType::F16) && cpu.supports(ScalarType::Bool)
    );
    assert!(cpu.to_string().contains(" thread"), "{cpu}");
    // It comes before drivers for CPUs.
    assert!(
        Device::best().unwrap().is_gpu()
            || Device::best().unwrap() == cpu
            || std::env::var("LIFT_DEVICE").is_ok()
    );
}

#[test]
fn devices_that_do_not_exist() {
    let all = Device::all().unwrap();
    let available: Vec<String> = all.iter().map(|it| format!("{} ({})", it.label(), it.name())).collect();
    for wanted in ["abacus", "99", "abacus#0", "#", "pocl#7", "pocl#x"] {
        match Device::find(wanted) {
            Err(error @ Error::DeviceNotFound { .. }) => {
                let start = format!("no device fits `{wanted}`; there ");
                assert!(error.to_string().starts_with(&start), "{error}");
                assert!(error.to_string().contains(&available.join(", ")), "{error}");
            }
            other => panic!("{wanted}: {other:?}"),
        }
    }
}

#[test]
fn handles_of_one_device_go_together() {
    let (first, second) = (Device::best().unwrap(), Device::best().unwrap());
    assert_eq!(first, second);
    let array = first.upload(&[1.0f32]).unwrap();
    assert_eq!(array.device(), &second);
}

/// Runs one of the ignored tests below in a process of its own.
fn play(test: &str, variables: &[(&str, &str)]) {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test, "--ignored", "--nocapture"]).env_remove("LIFT_DEVICE");
    if variables.iter().any(|(name, _)| *name == "OCL_ICD_VENDORS") {
        // It would name drivers in addition.
        child.env_remove("OCL_ICD_FILENAMES");
    }
    let output = child.envs(variables.iter().copied()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
#[cfg(feature = "opencl")]
fn without_a_driver() {
    play("in_child::no_platform", &[("OCL_ICD_VENDORS", "/nonexistent")]);
}

#[test]
#[cfg(all(feature = "opencl", target_os = "linux"))]
fn without_the_library() {
    // A file of that name which is no library hides the real one.
    let folder = std::env::temp_dir().join(format!("lift-no-opencl-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("libOpenCL.so.1"), "this is not a library ".repeat(100)).unwrap();
    play("in_child::no_library", &[("LD_LIBRARY_PATH", folder.to_str().unwrap())]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_device_by_environment() {
    play("in_child::lift_device_is_wrong", &[("LIFT_DEVICE", "abacus")]);
    let last = Device::all().unwrap().pop().unwrap();
    play("in_child::lift_device_is_last", &[("LIFT_DEVICE", last.label())]);
    play(
        "in_child::lift_device_is_last",
        &[("LIFT_DEVICE", &(Device::all().unwrap().len() - 1).to_string())],
    );
}

mod in_child {
    use lift_runtime::Device;
    #[cfg(feature = "opencl")]
    use lift_runtime::Error;

    /// The processor is there in any case, and what asks for more is told why there is nothing else.
    #[cfg(feature = "opencl")]
    fn only_the_processor() -> Error {
        assert_eq!(Device::all(), Ok(vec![Device::cpu()]));
        assert_eq!(Device::best(), Ok(Device::cpu()));
        let error = Device::find("gpu").unwrap_err();
        let start = "no device fits `gpu`; there is only host#0 (";
        assert!(error.to_string().starts_with(start) && error.to_string().contains("PoCL"), "{error}");
        let Error::DeviceNotFound { problem: Some(problem), .. } = error else { panic!("{error}") };
        *problem
    }

    #[test]
    #[cfg(feature = "opencl")]
    #[ignore = "run by `without_a_driver`"]
    fn no_platform() {
        let problem = only_the_processor();
        assert!(
            matches!(&problem, Error::NoPlatform { searched, .. } if searched == "/nonexistent"),
            "{problem}"
        );
        let start = "OpenCL is installed, but no driver is registered in `/nonexistent`";
        assert!(problem.to_string().starts_with(start), "{problem}");
    }

    #[test]
    #[cfg(feature = "opencl")]
    #[ignore = "run by `without_the_library`"]
    fn no_library() {
        assert_eq!(only_the_processor(), Error::NoLibrary);
    }

    #[test]
    #[ignore = "run by `a_device_by_environment`"]
    fn lift_device_is_wrong() {
        let error = Device::best().unwrap_err();
        assert!(error.to_string().starts_with("no device fits `abacus`; there "), "{error}");
    }

    #[test]
    #[ignore = "run by `a_device_by_environment`"]
    fn lift_device_is_last() {
        assert_eq!(Device::best().unwrap(), Device::all().unwrap().pop().unwrap());
    }
}
