//! The instructions that processors have beyond those that a program is compiled for.

use std::sync::OnceLock;

use super::{Function, Part};

/// A set of instructions; each has those of the ones before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isa {
    /// What the program is compiled for.
    Baseline,
    /// Vectors of 32 bytes, and products that are added without rounding.
    Avx2,
    /// Vectors of 64 bytes.
    Avx512,
}

impl Isa {
    /// The greatest set that this processor and its operating system have.
    #[must_use]
    pub fn detected() -> Isa {
        static DETECTED: OnceLock<Isa> = OnceLock::new();
        *DETECTED.get_or_init(detect)
    }

    /// For people.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Isa::Baseline => "baseline",
            Isa::Avx2 => "AVX2",
            Isa::Avx512 => "AVX-512",
        }
    }
}

/// A function, compiled for each set of instructions. These are methods, so that the compiler puts them into the unit of the function's
/// module; functions without a `Self` would all be in one unit, and so be compiled one after the other.
pub(super) trait Compiled: Function {
    /// Runs the function for a part, as it was compiled for the instructions of the part.
    fn dispatch(part: &mut Part<'_>);
}

#[cfg(not(target_arch = "x86_64"))]
impl<F: Function> Compiled for F {
    fn dispatch(part: &mut Part<'_>) {
        F::run(part);
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Isa {
    Isa::Baseline
}

/// Both the function that looks for features and the functions that need them have each list.
#[cfg(target_arch = "x86_64")]
macro_rules! levels {
    ($($isa:ident $name:ident [$($feature:tt)*])*) => {
        fn detect() -> Isa {
            $(if true $(&& is_x86_feature_detected!($feature))* {
                return Isa::$isa;
            })*
            Isa::Baseline
        }

        trait Levels: Function {
            $(
                /// # Safety
                ///
                /// The processor must have all features.
                $(#[target_feature(enable = $feature)])*
                unsafe fn $name(part: &mut Part<'_>) {
                    Self::run(part);
                }
            )*
        }
    };
}

#[cfg(target_arch = "x86_64")]
levels! {
    Avx512 avx512 [
        "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl"
        "avx2" "bmi1" "bmi2" "fma" "f16c" "lzcnt" "popcnt" "movbe"
    ]
    Avx2 avx2 ["avx2" "bmi1" "bmi2" "fma" "f16c" "lzcnt" "popcnt" "movbe"]
}

#[cfg(target_arch = "x86_64")]
impl<F: Function> Levels for F {}

#[cfg(target_arch = "x86_64")]
impl<F: Function> Compiled for F {
    fn dispatch(part: &mut Part<'_>) {
        match part.isa().min(Isa::detected()) {
            // SAFETY: all these features were detected.
            Isa::Avx512 => unsafe { F::avx512(part) },
            // SAFETY: as above.
            Isa::Avx2 => unsafe { F::avx2(part) },
            Isa::Baseline => F::run(part),
        }
    }
}
