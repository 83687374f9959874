//! How much of the processor other programs take, where the system tells (Linux: `/proc`).

use std::fs::read_to_string;
use std::time::Instant;

/// The processor's time up to a moment, in the system's ticks.
#[derive(Debug, Clone)]
pub struct Load {
    /// These and this program are not others.
    children: Vec<u32>,
    at: Instant,
    /// All of it, what anybody took, and what our processes took.
    ticks: Option<[u64; 3]>,
}

impl Load {
    /// From now on. What these child processes take is no foreign load.
    #[must_use]
    pub fn start(children: &[u32]) -> Load {
        Load { children: children.to_vec(), at: Instant::now(), ticks: ticks(children) }
    }

    /// Seconds since the start.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.at.elapsed().as_secs_f64()
    }

    /// The share of the whole processor that others took since the start; nothing if the system does not tell.
    #[must_use]
    pub fn foreign(&self) -> Option<f64> {
        let ([all, busy, own], [all_now, busy_now, own_now]) = (self.ticks?, ticks(&self.children)?);
        let others = busy_now.saturating_sub(busy).saturating_sub(own_now.saturating_sub(own));
        Some(others as f64 / all_now.saturating_sub(all).max(1) as f64)
    }
}

fn ticks(children: &[u32]) -> Option<[u64; 3]> {
    let text = read_to_string("/proc/stat").ok()?;
    // Guests are counted as users, too.
    let states: Vec<u64> =
        text.lines().next()?.split_whitespace().skip(1).take(8).flat_map(str::parse).collect();
    let all = states.iter().sum::<u64>();
    let idle = states.get(3)? + states.get(4)?;
    let mut own = of_process("self")?;
    for child in children {
        own += of_process(&child.to_string()).unwrap_or(0);
    }
    Some([all, all - idle, own])
}

/// What a process took, in its own name and in the kernel's.
fn of_process(id: &str) -> Option<u64> {
    let text = read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name, in parentheses, may have any characters; the state and ten numbers follow.
    let (_, fields) = text.rsplit_once(')')?;
    let times: Vec<u64> = fields.split_whitespace().skip(11).take(2).flat_map(str::parse).collect();
    Some(times.iter().sum())
}
