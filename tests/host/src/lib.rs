//! The functions of kernels that tests run on the CPU. The same kernels are compiled again by the tests; what rustc made of their
//! functions is found here by the functions' texts.

#![forbid(unsafe_code)]

use lift_runtime::host;

#[allow(
    dead_code,
    unused,
    non_camel_case_types,
    non_snake_case,
    reason = "as `lift!` allows it in what it emits"
)]
#[allow(clippy::all, clippy::pedantic, reason = "as above")]
mod functions {
    use super::host;

    /// The function as it is compiled for every processor, whatever this one has.
    pub(super) struct Once<F>(std::marker::PhantomData<F>);

    impl<F: host::Function> host::Function for Once<F> {
        fn run(part: &mut host::Part<'_>) {
            Self::once(part);
        }
    }

    impl<F: host::Function> Once<F> {
        #[inline(never)]
        fn once(part: &mut host::Part<'_>) {
            F::run(part);
        }
    }

    // Neither lints nor documentation say anything about it.
    #[cfg(not(any(clippy, doc)))]
    include!(concat!(env!("OUT_DIR"), "/functions.rs"));

    #[cfg(any(clippy, doc))]
    static FUNCTIONS: &[(u64, fn(&'static str) -> host::Entry)] = &[];

    pub(super) fn all() -> &'static [(u64, fn(&'static str) -> host::Entry)] {
        FUNCTIONS
    }
}

mod key;

/// The entry of this name of the function with this text, whose type has this name.
#[must_use]
pub fn function(entry: &'static str, text: &str, ty: &str) -> Option<host::Entry> {
    let (all, key) = (functions::all(), key::key(text, ty));
    all.binary_search_by_key(&key, |(key, _)| *key).ok().map(|found| all[found].1(entry))
}
