//! What is said of programs that are built without optimisation.

use std::panic::catch_unwind;
use std::sync::Once;
use std::time::Duration;

/// Who waits for less does not wonder why.
const NOTICEABLE: Duration = Duration::from_millis(100);

/// Says once, of a function that is compiled without optimisation and took so long, why that is.
pub(super) fn unoptimised(name: &str, took: Duration) {
    static SAID: Once = Once::new();
    if took >= NOTICEABLE {
        SAID.call_once(|| {
            let text = text(name, took);
            // Tests show it if they fail, which only this macro sees to. That nobody can be told is no reason to stop.
            let _ = catch_unwind(|| eprintln!("{text}"));
        });
    }
}

fn text(name: &str, took: Duration) -> String {
    format!(
        "lift-kernels: `{name}` took {} ms on the CPU, for lack of optimisation: it is compiled as the crate is that has it; \
         `cargo run --release`, or `opt-level = 3` for the crate in a dev build, makes it many times faster",
        took.as_millis()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_says_what_to_do() {
        let text = text("blur_1", Duration::from_micros(123_456));
        assert!(text.starts_with("lift-kernels: `blur_1` took 123 ms on the CPU, for lack"), "{text}");
        assert!(text.contains("--release") && text.contains("opt-level"), "{text}");
    }
}
