//! What to install where OpenCL is missing: every system has packages of its own.

/// What is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Missing {
    /// The library, and so every driver.
    Library,
    /// A driver.
    Driver,
}

/// The library's name on this system.
pub(crate) fn library() -> &'static str {
    match std::env::consts::OS {
        "windows" => "OpenCL.dll",
        "macos" => "OpenCL.framework",
        _ => "libOpenCL.so.1",
    }
}

/// What to do about it on this system, as the rest of a sentence.
pub(crate) fn advice(missing: Missing) -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    advice_on(std::env::consts::OS, &release, missing)
}

/// Families of Linux systems by their names in `/etc/os-release`: the command that installs, the library, PoCL.
const FAMILIES: &[(&[&str], &str, &str, &str)] = &[
    (&["debian", "ubuntu"], "apt install", "ocl-icd-libopencl1", "pocl-opencl-icd"),
    (&["fedora", "rhel"], "dnf install", "ocl-icd", "pocl"),
    (&["arch"], "pacman -S", "ocl-icd", "pocl"),
    (&["suse", "opensuse"], "zypper install", "libOpenCL1", "pocl"),
    (&["alpine"], "apk add", "opencl-icd-loader", "pocl"),
];

fn advice_on(os: &str, release: &str, missing: Missing) -> String {
    let command = match os {
        "windows" => {
            return "install the GPU's driver, or Intel's CPU runtime for OpenCL to run on the CPU"
                .to_string();
        }
        "macos" => Some("brew install pocl".to_string()),
        _ => FAMILIES.iter().find(|(names, ..)| names.iter().any(|name| is_like(release, name))).map(
            |(_, install, library, pocl)| match missing {
                Missing::Library => format!("{install} {library} {pocl}"),
                Missing::Driver => format!("{install} {pocl}"),
            },
        ),
    };
    match command {
        Some(command) => format!("install the GPU's driver, or PoCL to run on the CPU (`{command}`)"),
        None => "install the GPU's driver, or PoCL (portablecl.org) to run on the CPU".to_string(),
    }
}

/// Whether a system is called so in its `/etc/os-release`, or says that it is like one that is.
fn is_like(release: &str, name: &str) -> bool {
    let values = release.lines().filter_map(|line| {
        line.strip_prefix("ID=")
            .or_else(|| line.strip_prefix("ID_LIKE="))
            .map(|it| it.trim().trim_matches(['"', '\'']))
    });
    values.flat_map(str::split_whitespace).any(|word| word.split('-').next() == Some(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_system_has_its_packages() {
        let on = |release: &str| {
            let text = advice_on("linux", release, Missing::Library);
            assert!(text.starts_with("install the GPU's driver, or PoCL"), "{text}");
            text.split('`').nth(1).unwrap_or_default().to_string()
        };
        let debian = "apt install ocl-icd-libopencl1 pocl-opencl-icd";
        assert_eq!(on("PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n"), debian);
        assert_eq!(on("ID=ubuntu\nID_LIKE=debian\n"), debian);
        assert_eq!(on("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"), debian);
        assert_eq!(on("NAME=\"Fedora Linux\"\nID=fedora\n"), "dnf install ocl-icd pocl");
        assert_eq!(on("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n"), "dnf install ocl-icd pocl");
        assert_eq!(on("ID=arch\n"), "pacman -S ocl-icd pocl");
        assert_eq!(on("ID=manjaro\nID_LIKE=arch\n"), "pacman -S ocl-icd pocl");
        assert_eq!(
            on("ID=\"opensuse-tumbleweed\"\nID_LIKE=\"opensuse suse\"\n"),
            "zypper install libOpenCL1 pocl"
        );
        assert_eq!(on("ID=alpine\n"), "apk add opencl-icd-loader pocl");
        assert_eq!(on("ID=plan9\n"), "");
        assert_eq!(on(""), "");
    }

    #[test]
    fn other_systems() {
        assert!(advice_on("macos", "", Missing::Driver).ends_with("(`brew install pocl`)"));
        assert!(advice_on("windows", "", Missing::Library).contains("Intel's CPU runtime"));
        let debian = advice_on("linux", "ID=debian", Missing::Driver);
        assert_eq!(
            debian,
            "install the GPU's driver, or PoCL to run on the CPU (`apt install pocl-opencl-icd`)"
        );
    }
}
