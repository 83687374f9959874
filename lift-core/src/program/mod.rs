//! Programs of several launches.

pub mod schedule;
