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

/// The set that every processor has which may run the code of the crate where this stands (`-C target-cpu`, `-C target-feature`). A macro,
/// since the features are those of the crate that it is expanded in.
#[macro_export]
#[doc(hidden)]
macro_rules! __crate_isa {
    () => {{
        const AVX2: bool = ::core::cfg!(all(
            target_arch = "x86_64",
            target_feature = "avx2",
            target_feature = "bmi1",
            target_feature = "bmi2",
            target_feature = "fma",
            target_feature = "f16c",
            target_feature = "lzcnt",
            target_feature = "popcnt",
            target_feature = "movbe"
        ));
        const AVX512: bool = ::core::cfg!(all(
            target_feature = "avx512f",
            target_feature = "avx512bw",
            target_feature = "avx512cd",
            target_feature = "avx512dq",
            target_feature = "avx512vl"
        ));
        match (AVX2, AVX512) {
            (true, true) => $crate::host::Isa::Avx512,
            (true, false) => $crate::host::Isa::Avx2,
            (false, _) => $crate::host::Isa::Baseline,
        }
    }};
}

/// A function as it is compiled for each of them. Methods of a trait, since the compiler puts these into the units of the modules that
/// implement it, which are compiled side by side; those of a function with parameters would all be in one unit.
pub(super) trait Compiled: Function {
    /// Runs the function for a part, as it was compiled for the instructions of the part.
    fn dispatch(part: &mut Part<'_>) {
        #[cfg(target_arch = "x86_64")]
        match part.isa().min(Isa::detected()) {
            // SAFETY: all these features were detected.
            Isa::Avx512 => unsafe { Self::avx512(part) },
            // SAFETY: as above.
            Isa::Avx2 => unsafe { Self::avx2(part) },
            Isa::Baseline => Self::run(part),
        }
        #[cfg(not(target_arch = "x86_64"))]
        Self::run(part);
    }

    /// The same of a crate that is compiled for AVX2.
    fn dispatch_above_avx2(part: &mut Part<'_>) {
        #[cfg(target_arch = "x86_64")]
        if part.isa().min(Isa::detected()) == Isa::Avx512 {
            // SAFETY: all these features were detected.
            return unsafe { Self::avx512(part) };
        }
        Self::run(part);
    }

    /// The function for a processor that has these features.
    ///
    /// # Safety
    ///
    /// The processor must have them.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl")]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,f16c,lzcnt,popcnt,movbe")]
    unsafe fn avx512(part: &mut Part<'_>) {
        Self::run(part);
    }

    /// The same.
    ///
    /// # Safety
    ///
    /// As above.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,fma,f16c,lzcnt,popcnt,movbe")]
    unsafe fn avx2(part: &mut Part<'_>) {
        Self::run(part);
    }
}

impl<F: Function> Compiled for F {}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Isa {
    Isa::Baseline
}

/// Looks for the features that the methods of [`Compiled`] need.
#[cfg(target_arch = "x86_64")]
fn detect() -> Isa {
    macro_rules! all {
        ($($feature:tt)*) => { true $(&& is_x86_feature_detected!($feature))* };
    }
    if !all!("avx2" "bmi1" "bmi2" "fma" "f16c" "lzcnt" "popcnt" "movbe") {
        Isa::Baseline
    } else if all!("avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl") {
        Isa::Avx512
    } else {
        Isa::Avx2
    }
}
