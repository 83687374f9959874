//! What is compiled by itself, without a device: the texts of tests, and kernels that are derived from others.

use lift_core::explore::reductions::GROUP;
use lift_core::ir::{Backends, Kernel};
use lift_core::pipeline::{Checked, Compilation, Compiled, generate};
use lift_core::rewrite::Derivation;
use lift_core::rewrite::rules::place;
use lift_laws::effort;
use lift_laws::products::FOUR;
use lift_laws::reductions::SEVEN;
use lift_laws::rules::warps;

use super::cases::Case;
use super::{
    algebra, cases, channels, contractions, early, empties, forms, groups, in_order, keys, lanes, large,
    layouts, low, neighbours, pages, passes, quotients, shared, strategies, streams, weights,
};

/// The kernels of a text, which must be without mistakes.
pub fn compile(text: &str) -> Vec<Compiled> {
    without_mistakes(text, compile_to(text, Backends::default()))
}

/// The same without functions for the CPU: where only devices of OpenCL are compared, they would be made for nothing.
pub fn to_opencl(text: &str) -> Vec<Compiled> {
    without_mistakes(text, compile_to(text, Backends { host: false, ..Backends::default() }))
}

/// The same, with the texts of those versions for whose kernels and names this holds.
pub fn to_opencl_versions(text: &str, is_wanted: &(dyn Fn(&str, &str) -> bool + Sync)) -> Vec<Compiled> {
    let checked = checked_for(text, Backends { host: false, ..Backends::default() });
    without_mistakes(
        text,
        checked.compile_versions(|_| true, &|kernel, version| is_wanted(&kernel.name, version)),
    )
}

/// Compiles to the CPU's code, without OpenCL, which takes most of the time, unless a kernel has no version for the CPU.
pub fn to_host(text: &str) -> Vec<Compiled> {
    let compilation = compile_to(text, Backends { opencl: false, ..Backends::default() });
    if compilation.diagnostics.iter().any(|d| d.code == "L0196") {
        return compile(text);
    }
    without_mistakes(text, compilation)
}

fn compile_to(text: &str, backends: Backends) -> Compilation {
    checked_for(text, backends).compile(|_| true)
}

fn checked_for(text: &str, backends: Backends) -> Checked {
    let mut checked = Checked::of(text.parse().unwrap_or_else(|e| panic!("{e}: {text}")));
    checked.restrict(backends);
    checked
}

fn without_mistakes(text: &str, compilation: Compilation) -> Vec<Compiled> {
    let errors: Vec<String> = compilation.diagnostics.iter().map(|d| d.text()).collect();
    assert!(errors.is_empty(), "{text}\n{}", errors.join("\n"));
    compilation.kernels
}

/// Whether the functions of this program are in the sample of those that rustc compiles for the CPU.
pub fn is_on_host(text: &str) -> bool {
    effort::is_sampled(text, 2)
}

/// All cases that are compared with the interpreter.
pub fn all() -> Vec<Case> {
    let collections = [
        cases::stencils(),
        algebra::algebra(),
        cases::control(),
        early::cases(),
        cases::edges(),
        cases::lazy(),
        large::cases(),
        contractions::cases(),
        channels::cases(),
        weights::cases(),
        cases::others(),
        cases::scalars(),
        cases::halves(),
        cases::programs(),
        shared::cases(),
        low::low(),
        streams::streams(),
        strategies::strategies(),
        pages::cases(),
        cases::borders(),
        layouts::layouts(),
        keys::keys(),
        quotients::quotients(),
        layouts::gathers(),
        layouts::scatters(),
        lanes::lanes(),
        empties::empties(),
        forms::forms(),
        groups::groups(),
        neighbours::neighbours(),
        passes::passes(),
        in_order::in_order(),
    ];
    collections.concat()
}

/// Those that are compared for all sets of instructions of processors.
pub fn on_every_level() -> Vec<Case> {
    [cases::stencils(), layouts::gathers(), layouts::scatters()].concat()
}

/// One of the functions above.
pub type Compile = fn(&str) -> Vec<Compiled>;

/// A kernel that a strategy has made of another one, and the sizes to try.
pub struct Derived {
    /// The kernel.
    pub compiled: Compiled,
    /// Values of the size variables.
    pub sizes: Vec<Vec<(&'static str, i64)>>,
}

fn derived(plain: &Compiled, derivation: &Derivation, sizes: Vec<Vec<(&'static str, i64)>>) -> Derived {
    let kernel = Kernel { body: derivation.expr().clone(), ..plain.kernel.clone() };
    Derived { compiled: generate(kernel), sizes }
}

/// What strategies derive from a sum, each a step further than the one before.
pub fn reductions(compile: Compile) -> Vec<Derived> {
    let of = |strategy: &lift_laws::reductions::Reduction| {
        let (name, part) = (strategy.name, strategy.part);
        let text = format!(
            "#[kernel] #[size(N % {part} == 0)] #[work_group({GROUP})] fn {name}<N>(x: [f32; N]) -> f32 {{ x.reduce(add, 0.0) }}"
        );
        let sizes = [1, 3].map(|parts| vec![("N", parts * part)]);
        let one = |plain: Compiled| {
            derived(&plain, &strategy.derive(&plain.kernel).expect("a derivation"), sizes.to_vec())
        };
        compile(&text).into_iter().map(one).collect::<Vec<_>>()
    };
    SEVEN.iter().flat_map(of).collect()
}

/// What macro rules derive from a product: blocks of rows, blocks, tiles, and tiles of blocks.
pub fn products(compile: Compile) -> Vec<Derived> {
    let of = |product: &lift_laws::products::Product| {
        let sizes = product
            .sizes
            .iter()
            .map(|sizes| ["N", "M", "K"].into_iter().zip(sizes.iter().copied()).collect());
        let sizes: Vec<Vec<(&'static str, i64)>> = sizes.collect();
        let one = |plain: Compiled| {
            derived(&plain, &product.derive(&plain.kernel).expect("a derivation"), sizes.clone())
        };
        compile(&product.text()).into_iter().map(one).collect::<Vec<_>>()
    };
    FOUR.iter().flat_map(of).collect()
}

/// Rows of a group that a strategy gives to lanes, of which the last warp may stand over.
pub fn rows_in_warps(compile: Compile) -> Vec<Derived> {
    let text = "#[kernel] fn Lanes<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] { x.map(|row| row.map(|v| 2.0 * v - 1.0)) }";
    let one = |plain: Compiled| {
        let mut derivation = Derivation::new(&plain.kernel.body, &plain.kernel.facts);
        assert!(warps::placed(&mut derivation, &[], &place::WORKGROUP[0]));
        warps::by_warps(&mut derivation, &[0]).expect("a map in a group");
        let sizes = [1, 32, 70, 300].map(|columns| vec![("N", 3), ("M", columns)]);
        derived(&plain, &derivation, sizes.to_vec())
    };
    compile(text).into_iter().map(one).collect()
}
