//! The driver: calls the stages in order, stops at the first that reports mistakes, and does nothing else.

use std::fmt;

use proc_macro2::TokenStream;

use crate::arith::{ArithExpr, Facts};
use crate::budget::{self, Abandoned};
use crate::diag::{Diagnostic, Diagnostics};
use crate::explore::targets::{self, Class};
use crate::explore::variant::NAMES;
use crate::explore::{self, Tunable, Variant, separated, strategies};
use crate::ir::typed::typed;
use crate::ir::walk::is_placed;
use crate::ir::{Backends, Expr, Kernel, Prim, Scalar, build, parallel, print};
use crate::program::chosen::{self, Chosen};
use crate::program::{self, Program, in_columns, rows_first, too_large};
use crate::rewrite::by_column;
use crate::rewrite::from_indices::from_indices;
use crate::rewrite::rules::contract::CONTRACT;
use crate::rewrite::{self, Rule, Strategy, Trace, normal};
use crate::span::{Span, SpanTable};
use crate::syntax::{self, ast, attributes, term};
use crate::typecheck::{self, PatternType, Typed};
use crate::{generate, opencl, partition, places};

/// What became of one macro call.
#[derive(Debug)]
pub struct Compilation {
    /// What the user wrote, as far as it could be read: functions that are kept as Rust, and launchers that
    /// are emitted even if there are mistakes.
    pub block: ast::Block,
    /// The kernels that were wanted, if there are no mistakes.
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
    /// For people: the expression with the type after every step.
    pub types: String,
    /// The macro that carries each size variable into the text, in the order of [`Kernel::sizes`].
    pub defines: Vec<String>,
    /// Its versions, the naive one first. There are none if it is not compiled to OpenCL.
    pub versions: Vec<Version>,
    /// The versions for the host: they are Rust, and have no OpenCL text.
    pub host: Vec<Version>,
    /// Names of versions, the most promising first, on a GPU.
    pub gpu_order: Vec<&'static str>,
    /// The same on a CPU.
    pub cpu_order: Vec<&'static str>,
    /// The names of versions that were left out, for no one wants their texts.
    pub left_out: Vec<&'static str>,
    /// What the compiler calls versions that this kernel does not have, and why.
    pub missing: Vec<(&'static str, String)>,
    /// For a step in time: how its arrays are cut into parts, or why they are not.
    pub cuts: Option<Result<partition::Cuts, String>>,
    /// The steps that it took: of cutting it into launches, and of all its versions.
    pub steps: [u64; 2],
}

/// One version of a kernel and its text.
#[derive(Debug)]
pub struct Version {
    /// `naive`, `tiled`, …
    pub name: &'static str,
    /// Parameters that the launcher chooses.
    pub tunables: Vec<Tunable>,
    /// The kernel's facts and the ranges of the tunables.
    pub facts: Facts,
    /// Whether sums or products of floats are regrouped on the way, so that they are rounded elsewhere than those of the kernel.
    pub regroups: bool,
    /// Extents, and so many that each should have at least: with fewer, other versions are tried first.
    pub least: Vec<(ArithExpr, i64)>,
    /// How rewriting got here from the user's expression.
    pub derivation: Derivation,
    /// The OpenCL text and how to launch it.
    pub generated: generate::Compiled,
}

/// A derivation as text, step by step; printed, it reads like a calculation.
#[derive(Debug, Clone)]
pub struct Derivation(pub Vec<Step>);

/// A step of a [`Derivation`].
#[derive(Debug, Clone)]
pub struct Step {
    /// The rule's name; empty for the expression everything starts from.
    pub rule: String,
    /// The rule's law.
    pub law: String,
    /// The whole expression after the step.
    pub after: String,
}

impl Derivation {
    fn of(trace: &Trace) -> Derivation {
        let (rules, all): (Vec<_>, Vec<&Expr>) = trace.expressions().unzip();
        let steps = rules.into_iter().zip(print::texts(&all));
        let step = |(rule, after): (Option<&Rule>, String)| Step {
            rule: rule.map_or_else(String::new, |rule| rule.name.into()),
            law: rule.map_or_else(String::new, Rule::law),
            after,
        };
        Derivation(steps.map(step).collect())
    }
}

impl fmt::Display for Derivation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Step { rule, law, after } in &self.0 {
            if !rule.is_empty() {
                writeln!(f, "= {{ {rule}: {law} }}")?;
            }
            writeln!(f, "    {}", after.replace('\n', "\n    "))?;
        }
        Ok(())
    }
}

/// Steps that cutting a kernel into launches may take, and all versions of it.
pub const LIMITS: [u64; 2] = [16_000_000, 20_000_000];

/// Says of a kernel and the name of a version whether its text is wanted.
pub type Wanted<'a> = &'a (dyn Fn(&Kernel, &str) -> bool + Sync);

/// Compiles the body of one `lift!` call.
pub fn compile(tokens: TokenStream) -> Compilation {
    Checked::of(tokens).compile(|_| true)
}

/// What is wrong with the body of one `lift!` call, as far as that can be said without compiling it.
pub fn check(tokens: TokenStream) -> Vec<Diagnostic> {
    let checked = Checked::of(tokens);
    checked.diags.finish(&checked.spans)
}

/// The body of one `lift!` call, read and checked: types and sizes are known, and nothing is compiled yet.
#[derive(Debug)]
pub struct Checked {
    /// What the user wrote, as far as it could be read.
    pub block: ast::Block,
    /// The kernels with types and sizes. If there are mistakes, some may be missing.
    pub kernels: Vec<Kernel>,
    /// The types of patterns, for editors.
    pub patterns: Vec<PatternType>,
    /// Where the spans of these lie.
    pub spans: SpanTable,
    diags: Diagnostics,
    /// Whether kernels get no versions but those of their strategies.
    only_strategies: bool,
}

impl Checked {
    /// Reads and checks.
    pub fn of(tokens: TokenStream) -> Checked {
        build::reset_ids();
        let mut spans = SpanTable::new();
        let mut diags = Diagnostics::new();
        let block = syntax::parse(tokens.clone(), &mut spans, &mut diags);
        // What was refused may be nested more deeply than the stack allows.
        if diags.errors() == 0 {
            spans.read(tokens);
        }
        let program = syntax::resolve(&block, &mut diags);
        // Terms are as deep as programs are long.
        let Typed { kernels, patterns } = parallel::deep(|| checked(&program, &mut diags));
        Checked { block, kernels, patterns, spans, diags, only_strategies: false }
    }

    /// Whether there are mistakes.
    pub fn has_errors(&self) -> bool {
        self.diags.errors() > 0
    }

    /// Compiles kernels to the versions that their strategies lead to, and to no others.
    pub fn only_strategies(&mut self) {
        self.only_strategies = true;
    }

    /// Compiles to no more than this. A kernel of which nothing is left is a mistake.
    pub fn restrict(&mut self, offered: Backends) {
        for kernel in &mut self.kernels {
            let wanted = kernel.options.backends;
            let left = wanted.among(offered);
            if left.is_empty() {
                let word = if wanted.opencl { "opencl" } else { "host" };
                let span = wanted.written.unwrap_or_default();
                self.diags.push(attributes::not_offered(span, &kernel.name, word));
            }
            kernel.options.backends = left;
        }
    }

    /// Compiles the kernels that are wanted. If there are mistakes, it compiles none.
    pub fn compile(self, is_wanted: impl Fn(&Kernel) -> bool) -> Compilation {
        self.compile_versions(is_wanted, &|_, _| true)
    }

    /// Compiles the versions that are wanted, given their kernels and names, of the kernels that are. There are texts of no others.
    pub fn compile_versions(
        self,
        is_wanted: impl Fn(&Kernel) -> bool,
        is_text_wanted: Wanted<'_>,
    ) -> Compilation {
        let Checked { block, kernels: typed, spans, diags, only_strategies, .. } = self;
        let result = block.result.as_ref().map_or_else(Span::default, |result| result.span);
        let names: Vec<Span> = block.functions.iter().map(|function| function.name.span).collect();
        let span = |kernel: &Kernel| kernel.source.map_or(result, |i| names[i]);
        let wanted = typed.into_iter().filter(is_wanted).collect();
        let (mut kernels, diags) =
            parallel::deep(|| kernels(wanted, (only_strategies, is_text_wanted), span, diags));
        let versions =
            kernels.iter_mut().flat_map(|kernel| kernel.versions.iter_mut().chain(&mut kernel.host));
        for site in versions.flat_map(|version| &mut version.generated.sites) {
            site.written = spans.call(site.span).unwrap_or_default();
        }
        Compilation { block, kernels, diagnostics: diags.finish(&spans), spans }
    }
}

/// The kernels of a program, with types and sizes.
fn checked(program: &term::Program, diags: &mut Diagnostics) -> Typed {
    let typed = typecheck::check(program, diags);
    typed.kernels.iter().for_each(|kernel| places::check(kernel, diags));
    typed.kernels.iter().for_each(|kernel| strategies::check(kernel, diags));
    typed
}

/// Compiles kernels, unless there are mistakes. `span` is where a kernel is declared.
fn kernels(
    kernels: Vec<Kernel>,
    (only_strategies, is_text_wanted): (bool, Wanted<'_>),
    span: impl Fn(&Kernel) -> Span + Sync,
    mut diags: Diagnostics,
) -> (Vec<Compiled>, Diagnostics) {
    let too_large = |kernel: &Kernel, why: Abandoned| too_large::error(kernel, span(kernel), why);
    if diags.errors() > 0 {
        return (Vec::new(), diags);
    }
    let start = |kernel: Kernel| {
        budget::within(LIMITS[0], || Start::of(kernel.clone())).map_err(|why| too_large(&kernel, why))
    };
    let mut chosen: Vec<(Start, u64, Vec<Chosen>)> = Vec::new();
    for start in parallel::map(kernels, start) {
        let choose = |(start, steps): (Start, u64)| {
            let found =
                budget::within(LIMITS[0], || chosen::choose(&start.kernel, &start.program, &mut diags));
            found.map(|(found, _)| (start.clone(), steps, found)).map_err(|why| too_large(&start.kernel, why))
        };
        match start.and_then(choose) {
            Ok(one) => chosen.push(one),
            Err(error) => diags.push(error),
        }
    }
    if diags.errors() > 0 {
        return (Vec::new(), diags);
    }
    let compiled = parallel::map(chosen, |(start, cutting, chosen)| {
        let kernel = start.kernel.clone();
        let done = budget::within(LIMITS[1], || match only_strategies {
            true => own_versions(start.clone(), &chosen),
            false => versions(start.clone(), &chosen, is_text_wanted),
        });
        let (compiled, steps) = done.map_err(|why| too_large(&kernel, why))?;
        let host = on_host(&start);
        if compiled.versions.is_empty() && compiled.left_out.is_empty() && host.is_empty() {
            let needs_f16 = kernel.optional_scalars().contains(&Scalar::F16);
            let why = if needs_f16 { "it computes with `f16`" } else { "it becomes too large" };
            return Err(attributes::nothing_left(span(&kernel), &kernel.name, why));
        }
        Ok(Compiled { steps: [cutting, steps], host, ..compiled })
    });
    let mut kernels = Vec::new();
    for compiled in compiled {
        match compiled {
            Ok(compiled) => kernels.push(compiled),
            Err(error) => diags.push(error),
        }
    }
    if diags.errors() > 0 {
        kernels.clear();
    }
    (kernels, diags)
}

/// All versions of a kernel without strategies.
pub fn generate(kernel: Kernel) -> Compiled {
    let start = Start::of(kernel);
    Compiled { host: on_host(&start), ..versions(start, &[], &|_, _| true) }
}

/// What versions are made of.
#[derive(Clone)]
struct Start {
    kernel: Kernel,
    program: Program,
    /// How the kernel came to be what it is, if it is not as the user wrote it: with other weights, which the user allows, and contracted.
    before: Option<Trace>,
    /// For people: the expression that the user wrote, with its types.
    types: String,
    /// How the arrays of a step in time are cut into parts.
    cuts: Option<Result<partition::Cuts, String>>,
}

impl Start {
    fn of(kernel: Kernel) -> Start {
        let kernel = Kernel { facts: kernel.facts.fork(), ..kernel };
        // What the user allows is what the kernel means from here on.
        let (kernel, weights) = match explore::approximated(&kernel) {
            Some((nearly, trace)) => (nearly, Some(trace)),
            None => (kernel, None),
        };
        let types = typed(&kernel.body, &kernel.facts);
        let (kernel, weights) = match indexed(&kernel, weights.as_ref()) {
            Some((mapped, trace)) => (mapped, Some(trace)),
            None => (kernel, weights),
        };
        let (kernel, weights) = match by_column(&kernel, weights.as_ref()) {
            Some((columns, trace)) => (columns, Some(trace)),
            None => (kernel, weights),
        };
        // So is which products are rounded.
        let (kernel, before) = match contracted(&kernel, weights.as_ref()) {
            Some((contracted, trace)) => (contracted, Some(trace)),
            None => (kernel, weights),
        };
        let cuts = kernel.step.is_some().then(|| partition::cuts(&kernel));
        Start { program: program::cut(&kernel), kernel, before, types, cuts }
    }
}

/// The kernel with maps in place of arrays that are generated from indices, if there are any that matter, and how it came about. Who says where
/// things run has written what is meant.
fn indexed(kernel: &Kernel, before: Option<&Trace>) -> Option<(Kernel, Trace)> {
    let is_decided = is_placed(&kernel.body) || !kernel.options.work_group.is_empty();
    if is_decided || !kernel.body.contains(Prim::Array) {
        return None;
    }
    rewritten(kernel, before, from_indices)
}

/// The kernel with a reduction of each column in place of those of rows, if there are any that combine rows element by element, and how it came about.
fn by_column(kernel: &Kernel, before: Option<&Trace>) -> Option<(Kernel, Trace)> {
    if is_placed(&kernel.body) {
        return None;
    }
    rewritten(kernel, before, by_column::by_column)
}

/// The kernel with a normalised body in which products are contracted, if there are any, and how it came about.
fn contracted(kernel: &Kernel, before: Option<&Trace>) -> Option<(Kernel, Trace)> {
    rewritten(kernel, before, |d| Strategy::Rule(&CONTRACT).apply(d))
}

/// The kernel with a normalised body that was rewritten, if it was, and how it came about, from what came before on.
fn rewritten(
    kernel: &Kernel,
    before: Option<&Trace>,
    rewrite: impl FnOnce(&mut rewrite::Derivation) -> bool,
) -> Option<(Kernel, Trace)> {
    let mut derivation = rewrite::Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut derivation);
    if !rewrite(&mut derivation) {
        return None;
    }
    let (body, _, mut trace) = derivation.finish();
    if let Some(before) = before {
        trace = before.clone().then(trace);
    }
    Some((Kernel { body, ..kernel.clone() }, trace))
}

/// All versions of a kernel of which the text is wanted. There are no user errors from here on.
fn versions(start: Start, chosen: &[Chosen], is_text_wanted: Wanted<'_>) -> Compiled {
    let Start { kernel, program, before, types, cuts } = start;
    let (host, steps, defines) = (Vec::new(), [0; 2], opencl::defines(&kernel.sizes));
    if !kernel.options.backends.opencl {
        let (versions, missing, gpu_order, cpu_order) = Default::default();
        return Compiled {
            types,
            defines,
            kernel,
            versions,
            host,
            gpu_order,
            cpu_order,
            left_out: Vec::new(),
            missing,
            cuts,
            steps,
        };
    }
    let own: Vec<&'static str> = chosen.iter().map(|chosen| chosen.name).collect();
    let compiled = |program: &Program, mut version: program::versions::Version| {
        // What the user asks for is tried first at all sizes.
        if own.contains(&version.name) {
            version.least = Vec::new();
        }
        compiled(&kernel, before.as_ref(), program, version)
    };
    let (passes, not_in_passes) = program::passes::in_passes(&kernel);
    let rows_first = rows_first::cut(&kernel, rows_first::Which::All);
    let not_in_local = rows_first::cut(&kernel, rows_first::Which::NotInLocal);
    let in_columns = in_columns::cut(&kernel);
    let two_stage = program::two_stage::cuts(&kernel);
    let (plain, mut missing) = program::versions::all(&program, chosen);
    let plain = plain.into_iter().map(|version| (&program, version));
    let mut versions: Vec<(&Program, program::versions::Version)> = plain.collect();
    versions.extend(passes.iter().map(|p| (&p.program, program::versions::of_passes(p))));
    versions.extend(rows_first.iter().map(|it| (&it.program, it.version(rows_first::NAME))));
    versions.extend(in_columns.iter().map(|it| (&it.program, it.version())));
    if let Ok(it) = &not_in_local {
        versions.retain(|(_, version)| version.name != separated::NAME);
        versions.push((&it.program, it.version(separated::NAME)));
    }
    versions.extend(two_stage.iter().flatten().map(|it| (&it.program, program::versions::of_stages(it))));
    versions.extend(chosen.iter().filter_map(program::versions::own));
    let (versions, left_out): (Vec<_>, Vec<_>) =
        versions.into_iter().partition(|(_, version)| is_text_wanted(&kernel, version.name));
    let left_out: Vec<&'static str> = left_out.into_iter().map(|(_, version)| version.name).collect();
    let versions = parallel::map(versions, |(program, version)| compiled(program, version));
    let names = versions.iter().map(|version| version.name).filter(|name| !own.contains(name));
    let names: Vec<&'static str> = names.collect();
    missing.extend(not_in_passes.into_iter().map(|it| (it.name, it.reason.to_string())));
    missing.extend(rows_first.err().map(|reason| (rows_first::NAME, reason.to_string())));
    missing.extend(in_columns.err().map(|reason| (in_columns::NAME, reason.to_string())));
    missing.extend(
        two_stage
            .err()
            .iter()
            .flat_map(|reason| program::two_stage::NAMES.map(|name| (name, reason.to_string()))),
    );
    missing.retain(|(name, _)| !names.contains(name) && !left_out.contains(name));
    missing.sort_by_key(|(name, _)| NAMES.iter().position(|known| known == name));
    debug_assert!(names.iter().all(|name| NAMES.contains(name)), "{names:?}");
    let gpu_order = [own.clone(), targets::order(Class::Gpu, &program.stages, &names)].concat();
    let cpu_order = [own, targets::order(Class::Cpu, &program.stages, &names)].concat();
    Compiled { types, defines, kernel, versions, host, gpu_order, cpu_order, left_out, missing, cuts, steps }
}

/// The versions of a kernel that its strategies lead to.
fn own_versions(start: Start, chosen: &[Chosen]) -> Compiled {
    let Start { kernel, program, before, types, cuts } = start;
    let names: Vec<&'static str> = chosen.iter().map(|chosen| chosen.name).collect();
    let plain =
        program::versions::of_strategies(&program, chosen).into_iter().map(|version| (&program, version));
    let own = chosen.iter().filter_map(program::versions::own);
    let versions: Vec<(&Program, program::versions::Version)> = plain.chain(own).collect();
    let versions = parallel::map(versions, |(program, version)| Version {
        least: Vec::new(),
        ..compiled(&kernel, before.as_ref(), program, version)
    });
    let defines = opencl::defines(&kernel.sizes);
    let (host, missing, steps) = (Vec::new(), Vec::new(), [0; 2]);
    Compiled {
        types,
        defines,
        kernel,
        versions,
        host,
        gpu_order: names.clone(),
        cpu_order: names,
        left_out: Vec::new(),
        missing,
        cuts,
        steps,
    }
}

/// A version with its text; `before` is how the kernel came to be what it is.
fn compiled(
    kernel: &Kernel,
    before: Option<&Trace>,
    program: &Program,
    version: program::versions::Version,
) -> Version {
    Version {
        name: version.name,
        generated: generate::compile(&kernel.name, program, &version.variants),
        derivation: after(before, derivation(program, &version.variants)),
        regroups: regroups(program, &version.variants),
        least: version.least,
        tunables: version.tunables,
        facts: version.facts,
    }
}

/// The versions for the host. There is none for types that it does not have, nor of what becomes too large.
fn on_host(start: &Start) -> Vec<Version> {
    let Start { kernel, program, before, .. } = start;
    if !kernel.options.backends.host {
        return Vec::new();
    }
    let done = budget::within(LIMITS[1], || {
        let own = program::cut_for_host(kernel, program);
        let usual = for_host(kernel, explore::host::NAME, own.as_ref().unwrap_or(program), before.as_ref())?;
        let sized = |name, (program, least): (Program, Vec<(ArithExpr, i64)>)| {
            let version = for_host(kernel, name, &program, before.as_ref())?;
            Some(Version { least, ..version })
        };
        let staged =
            program::two_stage::for_host(kernel).and_then(|found| sized(explore::host::IN_CHUNKS, found));
        let turned =
            || program::turned::for_host(kernel).and_then(|found| sized(explore::host::TURNED, found));
        // Functions of both programs have names of their own.
        let own = Kernel { name: format!("{}RowsFirst", kernel.name), ..kernel.clone() };
        let apart = || rows_first::cut(&own, rows_first::Which::All).ok();
        let apart = || apart().and_then(|it| sized(explore::host::ROWS_FIRST, (it.program, it.least)));
        Some(staged.or_else(turned).or_else(apart).into_iter().chain([usual]).collect())
    });
    done.ok().and_then(|(versions, _): (Option<Vec<Version>>, _)| versions).unwrap_or_default()
}

fn for_host(
    kernel: &Kernel,
    name: &'static str,
    program: &Program,
    before: Option<&Trace>,
) -> Option<Version> {
    if kernel.optional_scalars().contains(&Scalar::F16) {
        return None;
    }
    let variants: Vec<Vec<Variant>> = program.stages.iter().map(explore::host::variants).collect();
    let (generated, variants) = generate::compile_for_host(&kernel.name, program, &variants)?;
    let facts = match (variants.as_slice(), program.stages.as_slice()) {
        ([variant], _) => variant.facts.clone(),
        (_, stages) => stages.first().map(|stage| stage.facts.clone()).unwrap_or_default(),
    };
    let (derivation, regroups) =
        (after(before, derivation(program, &variants)), regroups(program, &variants));
    let (least, tunables) = (Vec::new(), Vec::new());
    Some(Version { name, generated, derivation, regroups, least, tunables, facts })
}

/// Whether anything is regrouped, in the program or in a launch.
fn regroups(program: &Program, variants: &[Variant]) -> bool {
    program.trace.iter().chain(variants.iter().map(|variant| &variant.trace)).any(Trace::regroups)
}

/// A derivation from where another one ends.
fn after(first: Option<&Trace>, then: Derivation) -> Derivation {
    let Some(first) = first else { return then };
    let mut steps = Derivation::of(first).0;
    steps.extend(then.0.into_iter().skip(1));
    Derivation(steps)
}

/// First the kernel's, then that of each launch.
fn derivation(program: &Program, variants: &[Variant]) -> Derivation {
    let Some(trace) = &program.trace else {
        return Derivation(variants.iter().flat_map(|variant| Derivation::of(&variant.trace).0).collect());
    };
    let mut steps = Derivation::of(trace).0;
    for (stage, variant) in program.stages.iter().zip(variants) {
        let mut own = Derivation::of(&variant.trace).0;
        if let Some(start) = own.first_mut() {
            start.rule = "launch".into();
            start.law = format!("{}: {}", stage.name, stage.type_text());
        }
        steps.extend(own);
    }
    Derivation(steps)
}
