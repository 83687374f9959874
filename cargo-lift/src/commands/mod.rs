//! One command in each file: its arguments, and what it prints.

pub(crate) mod bench;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod show;
pub(crate) mod tune;
