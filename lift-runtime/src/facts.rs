//! What a device says about itself, and what can be said when there is none.

use std::fmt;
#[cfg(feature = "opencl")]
use std::path::Path;

#[cfg(feature = "opencl")]
use opencl3::device as info;

#[cfg(feature = "opencl")]
use crate::backend::opencl;
#[cfg(feature = "opencl")]
use crate::error::Error;

/// What a device says about itself.
#[derive(Debug)]
pub(crate) struct Facts {
    pub(crate) name: String,
    pub(crate) vendor: String,
    pub(crate) platform: String,
    #[cfg(feature = "opencl")]
    pub(crate) platform_version: String,
    /// `pocl#0`: the platform's short name and the position among its devices.
    pub(crate) label: String,
    pub(crate) kind: Kind,
    pub(crate) compute_units: usize,
    pub(crate) max_work_group_size: usize,
    pub(crate) max_work_item_sizes: Vec<usize>,
    pub(crate) local_mem_bytes: u64,
    /// 0 if it is not known.
    pub(crate) global_mem_bytes: u64,
    pub(crate) max_alloc_bytes: u64,
    /// Whether the device has 64-bit and 16-bit floats.
    pub(crate) has_f64: bool,
    pub(crate) has_f16: bool,
    /// Whether it can round quotients and square roots of 32-bit floats correctly.
    #[cfg(feature = "opencl")]
    pub(crate) rounds_quotients: bool,
    /// The version of OpenCL; on the host, the instructions that are used.
    pub(crate) version: String,
    pub(crate) driver: String,
}

/// The classes of devices, the most promising last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    #[cfg(feature = "opencl")]
    Other,
    /// A CPU with a driver.
    #[cfg(feature = "opencl")]
    Cpu,
    /// The CPU that the program runs on, without a driver.
    Host,
    #[cfg(feature = "opencl")]
    Accelerator,
    #[cfg(feature = "opencl")]
    Gpu,
}

impl Kind {
    /// Whether a user who says `text` means such devices; nothing if the word is about something else.
    pub(crate) fn is_called(self, text: &str) -> Option<bool> {
        match (text, self) {
            #[cfg(feature = "opencl")]
            ("gpu", _) => Some(self == Kind::Gpu),
            #[cfg(feature = "opencl")]
            ("accelerator", _) => Some(self == Kind::Accelerator),
            #[cfg(feature = "opencl")]
            ("cpu", _) => Some(matches!(self, Kind::Cpu | Kind::Host)),
            #[cfg(not(feature = "opencl"))]
            ("gpu" | "accelerator", _) => Some(false),
            #[cfg(not(feature = "opencl"))]
            ("cpu", _) => Some(true),
            ("host", _) => Some(self == Kind::Host),
            _ => None,
        }
    }

    pub(crate) fn is_gpu(self) -> bool {
        self.is_called("gpu") == Some(true)
    }
}

/// The bit of what a device says about 32-bit floats: quotients and square roots are rounded correctly if a build asks for it.
#[cfg(feature = "opencl")]
const ROUNDS_QUOTIENTS: u64 = 1 << 7;

#[cfg(feature = "opencl")]
impl Facts {
    /// Asks a device about itself; the error is the reason to pass it over.
    ///
    /// `siblings` counts the devices that come before this one and have the same short name of a platform.
    pub(crate) fn query(
        id: opencl::DeviceId,
        platform: &str,
        platform_version: &str,
        siblings: impl Fn(&str) -> usize,
    ) -> Result<Facts, String> {
        let text = |what| id.text(what).map_err(|error| error.to_string());
        let number = |what| id.number(what).map_err(|error| error.to_string());
        let count = |what| number(what).map(|value| usize::try_from(value).unwrap_or(usize::MAX));
        let name = text(info::CL_DEVICE_NAME)?;
        if number(info::CL_DEVICE_AVAILABLE)? == 0 {
            return Err(format!("{name} is not available"));
        }
        if number(info::CL_DEVICE_COMPILER_AVAILABLE)? == 0 {
            return Err(format!("{name} has no compiler"));
        }
        let kind = match number(info::CL_DEVICE_TYPE)? {
            bits if bits & info::CL_DEVICE_TYPE_GPU != 0 => Kind::Gpu,
            bits if bits & info::CL_DEVICE_TYPE_ACCELERATOR != 0 => Kind::Accelerator,
            bits if bits & info::CL_DEVICE_TYPE_CPU != 0 => Kind::Cpu,
            _ => Kind::Other,
        };
        let extensions = text(info::CL_DEVICE_EXTENSIONS)?;
        let has = |extension: &str| extensions.split_whitespace().any(|name| name == extension);
        let short = short_name(platform);
        let label = format!("{short}#{}", siblings(&short));
        Ok(Facts {
            name,
            vendor: text(info::CL_DEVICE_VENDOR)?,
            platform: platform.to_string(),
            platform_version: platform_version.to_string(),
            label,
            kind,
            compute_units: count(info::CL_DEVICE_MAX_COMPUTE_UNITS)?,
            max_work_group_size: count(info::CL_DEVICE_MAX_WORK_GROUP_SIZE)?.max(1),
            max_work_item_sizes: id
                .words(info::CL_DEVICE_MAX_WORK_ITEM_SIZES)
                .map_err(|error| error.to_string())?,
            local_mem_bytes: number(info::CL_DEVICE_LOCAL_MEM_SIZE)?,
            global_mem_bytes: number(info::CL_DEVICE_GLOBAL_MEM_SIZE)?,
            max_alloc_bytes: number(info::CL_DEVICE_MAX_MEM_ALLOC_SIZE)?,
            has_f64: has("cl_khr_fp64"),
            has_f16: has("cl_khr_fp16"),
            rounds_quotients: number(info::CL_DEVICE_SINGLE_FP_CONFIG)? & ROUNDS_QUOTIENTS != 0,
            version: text(info::CL_DEVICE_VERSION)?,
            driver: text(info::CL_DRIVER_VERSION)?,
        })
    }
}

/// A word for a platform that one would type.
#[cfg(feature = "opencl")]
fn short_name(platform: &str) -> String {
    let lower = platform.to_lowercase();
    let known = [
        ("portable computing language", "pocl"),
        ("nvidia", "nvidia"),
        ("amd", "amd"),
        ("intel", "intel"),
        ("apple", "apple"),
        ("rusticl", "rusticl"),
        ("clover", "clover"),
        ("arm", "arm"),
    ];
    match known.iter().find(|(part, _)| lower.contains(part)) {
        Some((_, short)) => (*short).to_string(),
        None => lower.split_whitespace().next().unwrap_or("device").replace('#', ""),
    }
}

/// The error for "the loader knows no driver", with what can be seen from here about the reason.
#[cfg(feature = "opencl")]
pub(crate) fn no_platform() -> Error {
    let searched = ["OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"]
        .iter()
        .find_map(|variable| std::env::var(variable).ok())
        .unwrap_or_else(|| "/etc/OpenCL/vendors".to_string());
    Error::NoPlatform { searched, unregistered: unregistered_driver() }
}

/// A driver's library that is on this machine, whether the loader knows it or not. A GPU container often has it without the one-line
/// file that announces it.
#[cfg(feature = "opencl")]
pub(crate) fn unregistered_driver() -> Option<String> {
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];
    let libraries = ["libnvidia-opencl.so.1", "libamdocl64.so"];
    let paths =
        folders.iter().flat_map(|folder| libraries.iter().map(move |library| format!("{folder}/{library}")));
    paths.into_iter().find(|path| Path::new(path).exists())
}

/// `pocl#0  pthread-haswell  2 CU  21.0 GiB  OpenCL 3.0  driver 3.1`, and
/// `host#0  AMD EPYC 7R13  2 threads  21.0 GiB  AVX2`
impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.kind == Kind::Host {
            return self.host(f);
        }
        let Facts { label, name, compute_units, global_mem_bytes, version, driver, .. } = self;
        let version = version.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
        // Packagers append their own mark: `3.1+debian`.
        let driver = driver.split('+').next().unwrap_or(driver);
        let gib = gib(*global_mem_bytes);
        write!(f, "{label}  {name}  {compute_units} CU  {gib:.1} GiB  {version}  driver {driver}")
    }
}

impl Facts {
    fn host(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Facts { label, name, compute_units, global_mem_bytes, version, .. } = self;
        let threads = if *compute_units == 1 { "thread" } else { "threads" };
        write!(f, "{label}  {name}  {compute_units} {threads}")?;
        if *global_mem_bytes > 0 {
            write!(f, "  {:.1} GiB", gib(*global_mem_bytes))?;
        }
        write!(f, "  {version}")
    }
}

fn gib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1u32 << 30)
}

#[cfg(all(test, feature = "opencl"))]
mod tests {
    use super::*;

    #[test]
    fn platforms_have_short_names() {
        assert_eq!(short_name("Portable Computing Language"), "pocl");
        assert_eq!(short_name("NVIDIA CUDA"), "nvidia");
        assert_eq!(short_name("AMD Accelerated Parallel Processing"), "amd");
        assert_eq!(short_name("Some#thing Else"), "something");
        assert_eq!(short_name(""), "device");
    }

    #[test]
    fn gpus_rank_before_everything() {
        assert!(Kind::Gpu > Kind::Accelerator && Kind::Accelerator > Kind::Host);
        assert!(Kind::Host > Kind::Cpu && Kind::Cpu > Kind::Other);
    }
}
