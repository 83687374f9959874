//! A crate that exports the macro and the runtime again, as a library over kernels would.

pub use lift::{Device, lift};

pub mod inner {
    //! Not at the root, and under another name.
    pub use lift::lift as kernels;
}
