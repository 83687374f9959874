//! GPUs that Linux knows, whether or not they have a driver for OpenCL.

use std::fs;

/// Makers of GPUs by their numbers on the PCI bus. Others are emulated screens.
const MAKERS: [(&str, &str); 3] = [("0x10de", "NVIDIA"), ("0x1002", "AMD"), ("0x8086", "Intel")];

/// The maker of each GPU, and its place on the bus: `NVIDIA (0000:01:00.0)`.
pub(crate) fn adapters() -> Vec<String> {
    let devices = fs::read_dir("/sys/bus/pci/devices").into_iter().flatten().flatten();
    let found = devices.filter_map(|device| {
        let fact = |name| fs::read_to_string(device.path().join(name)).ok();
        // Class 3 is what has to do with pictures, also where nobody looks at them.
        fact("class")?.starts_with("0x03").then_some(())?;
        let vendor = fact("vendor")?;
        let (_, maker) = MAKERS.iter().find(|(number, _)| *number == vendor.trim())?;
        Some(format!("{maker} ({})", device.file_name().to_string_lossy()))
    });
    let mut found: Vec<String> = found.collect();
    found.sort();
    found
}
