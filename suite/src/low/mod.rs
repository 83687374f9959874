//! The workloads written by hand in the low-level language: who computes what, what is kept in registers, what is read
//! and written together. They compute what their counterparts beside this module do.

pub mod algebra;
pub mod plane;
pub mod room;
pub mod rows;
pub mod vectors;
pub mod volume;
