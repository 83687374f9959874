//! What is known of the processor that the program runs on.

use crate::facts::{Facts, Kind};
use crate::host::Isa;

/// The facts of the device that every program has.
pub(crate) fn facts() -> Facts {
    let text = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    described(&text("/proc/cpuinfo"), &text("/proc/meminfo"), threads)
}

fn described(cpuinfo: &str, meminfo: &str, threads: usize) -> Facts {
    let name = field(cpuinfo, "model name").unwrap_or_else(|| format!("CPU ({})", std::env::consts::ARCH));
    let bytes = field(meminfo, "MemTotal").and_then(|text| kilobytes(&text)).unwrap_or(0);
    Facts {
        name,
        vendor: field(cpuinfo, "vendor_id").unwrap_or_else(|| "unknown".to_string()),
        platform: "lift-kernels".to_string(),
        #[cfg(feature = "opencl")]
        platform_version: String::new(),
        label: "host#0".to_string(),
        kind: Kind::Host,
        compute_units: threads,
        // Every work-item is a group of its own, so that exactly those are run that there are.
        max_work_group_size: 1,
        max_work_item_sizes: vec![1; 3],
        local_mem_bytes: 0,
        global_mem_bytes: bytes,
        max_alloc_bytes: bytes,
        has_f64: true,
        has_f16: false,
        #[cfg(feature = "opencl")]
        rounds_quotients: true,
        version: Isa::detected().name().to_string(),
        driver: env!("CARGO_PKG_VERSION").to_string(),
    }
}

/// The first value of a name in a file of lines `name : value`, with single spaces.
fn field(text: &str, name: &str) -> Option<String> {
    let values = text.lines().filter_map(|line| line.split_once(':'));
    let value = values.filter(|(key, _)| key.trim() == name).map(|(_, value)| value).next()?;
    let words: Vec<&str> = value.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// `16384256 kB` in bytes.
fn kilobytes(text: &str) -> Option<u64> {
    text.strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_have_names() {
        let cpuinfo = "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC  7R13 \n";
        let known = described(cpuinfo, "MemTotal:       16777216 kB\nMemFree: 1 kB\n", 8);
        assert_eq!((&*known.name, &*known.vendor), ("AMD EPYC 7R13", "AuthenticAMD"));
        let text = known.to_string();
        assert!(text.starts_with("host#0  AMD EPYC 7R13  8 threads  16.0 GiB  "), "{text}");
        let unknown = described("", "", 1);
        assert!(unknown.name.starts_with("CPU (") && unknown.global_mem_bytes == 0);
        let text = unknown.to_string();
        assert!(text.contains(")  1 thread  ") && !text.contains("GiB"), "{text}");
        assert!(facts().compute_units > 0);
    }
}
