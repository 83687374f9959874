//! The workloads written by hand in the low-level language: who computes what, what is kept in registers, what is read
//! and written together. They compute what their counterparts beside this module do.

pub mod algebra;
pub mod convolution;
pub mod marching;
pub mod plane;
pub mod reductions;
pub mod room;
pub mod rows;
pub mod sound;
pub mod steps;
pub mod time;
pub mod vectors;
pub mod volume;
