//! Whether the user's crate, and with it what is compiled to Rust, is built with optimisation.
//!
//! Nothing in the crate can tell: debug assertions are another setting of profiles. The compiler in which this macro runs was told.

/// Whether it is: level 1 inlines, but makes no vectors. Where nobody can say, such as in an editor, it is.
pub(crate) fn is_optimised() -> bool {
    told(std::env::args_os().filter_map(|arg| arg.into_string().ok()))
}

/// The same of the arguments of a compiler.
fn told(args: impl Iterator<Item = String>) -> bool {
    let (mut is_rustc, mut level) = (false, "0".to_string());
    let mut last = String::new();
    for arg in args {
        is_rustc |= arg == "--crate-name" || arg.starts_with("--crate-name=");
        let option = match last.as_str() {
            "-C" | "--codegen" => arg.as_str(),
            _ => arg.strip_prefix("-C").or_else(|| arg.strip_prefix("--codegen=")).unwrap_or_default(),
        };
        if arg == "-O" {
            level = "3".to_string();
        } else if let Some(found) = option.strip_prefix("opt-level=") {
            level = found.to_string();
        }
        last = arg;
    }
    !is_rustc || !matches!(level.as_str(), "0" | "1")
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn levels_are_among_the_arguments() {
        let told = |text: &str| told(text.split_whitespace().map(String::from));
        assert!(!told("rustc --crate-name program --edition=2024 src/main.rs -C debuginfo=2"));
        assert!(!told("rustc --crate-name program -C opt-level=0"));
        assert!(!told("rustc --crate-name=program -Copt-level=3 --codegen opt-level=0"));
        assert!(!told("rustc --crate-name program -C opt-level=1 -C debuginfo=2"));
        assert!(told("rustc --crate-name program -C opt-level=2 -C debuginfo=2"));
        assert!(told("rustc --crate-name program -O"));
        assert!(told("rustc --crate-name program --codegen=opt-level=s"));
        assert!(told("an-editor --serve"));
    }
}
