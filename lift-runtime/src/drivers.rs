//! The devices of OpenCL's drivers.

use std::io::Write as _;
use std::sync::{Mutex, Once};

use crate::backend::{DeviceId, opencl};
use crate::binaries;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::facts::{Facts, no_platform, unregistered_driver};
use crate::workarounds;

/// All devices of all drivers. A driver that fails is passed over as long as another one works.
pub(crate) fn devices() -> Result<Vec<Device>> {
    // One thread at a time: PoCL finds its devices during the first question, and a second thread which
    // asks meanwhile is told that there are none.
    static KNOWN: Mutex<Vec<Device>> = Mutex::new(Vec::new());
    let known = &mut *crate::lock(&KNOWN);
    let platforms = opencl::PlatformId::all()?;
    if platforms.is_empty() {
        return Err(no_platform());
    }
    let mut devices: Vec<Device> = Vec::new();
    let mut failures = Vec::new();
    for platform in platforms {
        let name = platform.name().unwrap_or_else(|_| "a nameless platform".to_string());
        let version = platform.version().unwrap_or_default();
        match platform.devices() {
            Err(error) => failures.push(format!("{name}: {error}")),
            Ok(ids) if ids.is_empty() => failures.push(format!("{name} has none")),
            Ok(ids) => {
                for id in ids {
                    let siblings = |platform: &str| {
                        let labels = devices.iter().filter_map(|device| device.label().rsplit_once('#'));
                        labels.filter(|(short, _)| *short == platform).count()
                    };
                    match Facts::query(id, &name, &version, siblings) {
                        Ok(facts) => devices.push(shared(known, id, facts)),
                        Err(reason) => failures.push(format!("{name}: {reason}")),
                    }
                }
            }
        }
    }
    if devices.is_empty() { Err(Error::NoDevice { failures }) } else { Ok(devices) }
}

/// The device with this id: the one that an earlier call made, if any.
fn shared(known: &mut Vec<Device>, id: opencl::DeviceId, facts: Facts) -> Device {
    let id = DeviceId::OpenCl(id);
    if let Some(device) = known.iter().find(|device| device.id() == id) {
        return device.clone();
    }
    let keeps = workarounds::keeps_programs(&facts.platform);
    let device = Device::new(id, facts, if keeps { None } else { binaries::folder() });
    known.push(device.clone());
    device
}

/// Says once why kernels run on the CPU, on a machine that seems to have more: there is a driver. Where there is none, nothing is amiss.
pub(crate) fn notice(problem: &Error) {
    static SAID: Once = Once::new();
    let has_driver = match problem {
        Error::NoDevice { .. } => true,
        _ => unregistered_driver().is_some(),
    };
    if has_driver {
        SAID.call_once(|| {
            // That nobody can be told is no reason to stop.
            let _ = writeln!(std::io::stderr(), "lift-kernels: kernels run on the CPU: {problem}");
        });
    }
}
