//! One line on the terminal that says how far a simulation has come.

use std::io::{IsTerminal, Write as _, stderr};
use std::time::Instant;

/// The line. It is removed in the end.
pub(super) struct Progress {
    total: u64,
    started: Instant,
    shown: bool,
}

impl Progress {
    pub(super) fn new(total: u64) -> Progress {
        Progress { total, started: Instant::now(), shown: false }
    }

    /// After so many steps it should be shown again.
    pub(super) fn period(&self) -> u64 {
        (self.total / 200).max(1)
    }

    pub(super) fn show(&mut self, done: u64) {
        if stderr().is_terminal() {
            // A progress line that cannot be written is no reason to stop a simulation.
            let _ =
                write!(stderr(), "\r{}\x1b[K", line(done, self.total, self.started.elapsed().as_secs_f64()));
            self.shown = true;
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

/// `[=====>    ]  50 %  500 of 1000 steps, 250 per second, 2 s left`
fn line(done: u64, total: u64, seconds: f64) -> String {
    const WIDTH: usize = 24;
    let part = done as f64 / total.max(1) as f64;
    let filled = ((part * WIDTH as f64) as usize).min(WIDTH);
    let bar = format!("{}{}", "=".repeat(filled), " ".repeat(WIDTH - filled));
    let rate = done as f64 / seconds.max(1e-9);
    let left = (total - done.min(total)) as f64 / rate.max(1e-9);
    format!("[{bar}] {:3.0} %  {done} of {total} steps, {rate:.0} per second, {left:.0} s left", 100.0 * part)
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn a_line_says_how_far_and_how_long() {
        assert_eq!(
            line(500, 1000, 2.0),
            "[============            ]  50 %  500 of 1000 steps, 250 per second, 2 s left"
        );
        assert!(line(0, 0, 0.0).starts_with("[                        ]   0 %  0 of 0 steps"));
    }
}
