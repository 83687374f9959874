//! What is written by hand for the members of the classes: templates in OpenCL, in several shapes.

pub mod columns;
mod join;
mod launches;
mod lines;
pub mod moves;
pub mod pairs;
pub mod products;
pub mod rows;
pub mod scans;
pub mod stencils;
