//! Stencils: every point of a grid becomes a function of its neighbourhood.

pub mod acoustic;
pub mod convolution;
pub mod gaussian;
pub mod gradient;
pub mod heat;
pub mod hotspot;
pub mod jacobi;
pub mod life;
pub mod poisson;
pub mod shoc;
pub mod srad;
