//! The driver: calls the stages in order, stops at the first that reports mistakes, and does nothing else.

use proc_macro2::TokenStream;

use crate::diag::{Diagnostic, Diagnostics};
use crate::explore::{self, Variant};
use crate::ir::{Kernel, build};
use crate::opencl;
use crate::span::SpanTable;
use crate::syntax::{self, ast};
use crate::typecheck;

/// What became of one macro call.
#[derive(Debug)]
pub struct Compilation {
    /// What the user wrote, as far as it could be read: functions that are kept as Rust, and launchers that
    /// are emitted even if there are mistakes.
    pub block: ast::Block,
    /// The kernels without mistakes.
    pub kernels: Vec<Compiled>,
    /// The mistakes, in source order, at most [`crate::diag::MAX_REPORTED`].
    pub diagnostics: Vec<Diagnostic>,
    /// Where their spans lie.
    pub spans: SpanTable,
}

/// A kernel with all its versions.
#[derive(Debug)]
pub struct Compiled {
    /// The typed kernel.
    pub kernel: Kernel,
    /// The macro that carries each size variable into the text, in the order of [`Kernel::sizes`].
    pub defines: Vec<String>,
    /// Its versions, the naive one first.
    pub versions: Vec<Version>,
    /// Names of versions, the most promising first, on a GPU.
    pub gpu_order: Vec<&'static str>,
    /// The same on a CPU.
    pub cpu_order: Vec<&'static str>,
}

/// One version of a kernel and its text.
#[derive(Debug)]
pub struct Version {
    /// The low-level expression and its derivation.
    pub variant: Variant,
    /// The OpenCL text and how to launch it.
    pub generated: opencl::Compiled,
}

/// Compiles the body of one `lift!` call.
pub fn compile(tokens: TokenStream) -> Compilation {
    build::reset_ids();
    let mut spans = SpanTable::new();
    let mut diags = Diagnostics::new();
    let block = syntax::parse(tokens, &mut spans, &mut diags);
    let program = syntax::resolve(&block, &mut diags);
    let kernels = typecheck::check(&program, &mut diags);
    let kernels = if diags.errors() == 0 { kernels.into_iter().map(generate).collect() } else { Vec::new() };
    Compilation { block, kernels, diagnostics: diags.finish(&spans), spans }
}

/// All versions of a kernel. There are no user errors from here on.
pub fn generate(kernel: Kernel) -> Compiled {
    let variants = explore::explore(&kernel);
    let gpu_order = explore::cost::gpu_order(&kernel, &variants);
    let cpu_order = explore::cost::cpu_order(&kernel, &variants);
    let versions = variants
        .into_iter()
        .map(|variant| Version { generated: opencl::compile(&kernel, &variant), variant })
        .collect();
    Compiled { defines: opencl::defines(&kernel.sizes), kernel, versions, gpu_order, cpu_order }
}
