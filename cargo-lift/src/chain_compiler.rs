//! Versions of a kernel that chains of steps lead to, made by the compiler as a library.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use lift::spec::KernelSpec;
use lift::tune::{Alternative, Chains};
use lift::{Device, Launcher};
use lift_core::describe::describe;
use lift_core::diag::Severity;
use lift_core::ir::Backends;
use lift_core::pipeline::{Checked, Compilation};
use lift_core::syntax::annotate::with_strategies;
use proc_macro2::TokenStream;

use crate::chains::Applicable;

/// The versions that chains lead to, of one kernel on one device.
pub struct ChainCompiler {
    tokens: TokenStream,
    kernel: String,
    device: Device,
    applicable: Applicable,
}

impl ChainCompiler {
    /// Those of a kernel in the body of a `lift!` call.
    #[must_use]
    pub fn of(tokens: TokenStream, kernel: &str, device: &Device) -> ChainCompiler {
        let applicable = Applicable::of(|steps| version(&tokens, kernel, "tried", steps).is_ok());
        ChainCompiler { kernel: kernel.to_string(), device: device.clone(), applicable, tokens }
    }

    /// The description of the kernel with nothing but the version that these steps lead to, by this name.
    ///
    /// # Errors
    ///
    /// Why there is none.
    pub fn version(&self, name: &str, steps: &str) -> Result<&'static KernelSpec, String> {
        version(&self.tokens, &self.kernel, name, steps)
    }
}

impl Chains for ChainCompiler {
    fn alternatives(&self) -> Vec<Alternative> {
        self.applicable.alternatives()
    }

    fn steps(&self, chain: usize, values: &[i64]) -> Option<String> {
        self.applicable.steps(chain, values)
    }

    fn launcher(&self, version: &str, steps: &str) -> Result<Launcher, String> {
        launcher(self.version(version, steps)?, &self.device).map_err(|error| error.to_string())
    }
}

/// The kernel that the compiler describes, on a device.
///
/// # Errors
///
/// When the device cannot run it.
#[allow(unsafe_code, reason = "what the compiler describes is not part of a user's program here")]
pub fn launcher(spec: &'static KernelSpec, device: &Device) -> lift::Result<Launcher> {
    // SAFETY: the compiler has just made the description and its texts, of each other.
    unsafe { Launcher::new(spec, device) }
}

fn version(
    tokens: &TokenStream,
    kernel: &str,
    name: &str,
    steps: &str,
) -> Result<&'static KernelSpec, String> {
    let of =
        |other: &str| if other == kernel { vec![(name.to_string(), steps.to_string())] } else { Vec::new() };
    let tokens = with_strategies(tokens.clone(), of);
    let compile = || {
        let mut checked = Checked::of(tokens);
        checked.restrict(Backends { host: false, ..Backends::default() });
        checked.only_strategies();
        checked.compile(|it| it.name == kernel)
    };
    let Compilation { kernels, diagnostics, .. } =
        catch_unwind(AssertUnwindSafe(compile)).map_err(|panic| failure(&*panic))?;
    if let Some(error) = diagnostics.iter().find(|it| it.severity == Severity::Error) {
        return Err(error.text().lines().next().unwrap_or_default().to_string());
    }
    let spec = kernels.first().map(describe).filter(|spec| spec.variants.iter().any(|it| it.name == name));
    spec.map(|spec| &*Box::leak(Box::new(spec))).ok_or_else(|| "the steps lead to no version".to_string())
}

/// What the macro says when the compiler fails.
#[must_use]
pub fn failure(panic: &(dyn Any + Send)) -> String {
    let known = panic.downcast_ref::<String>().map(String::as_str);
    let text = known.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("unknown cause");
    format!("[L0000] the compiler failed: {text}\nnote: this is a bug of Lift for Rust, not of this program")
}
