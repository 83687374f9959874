//! Versions of a whole program.
//!
//! Before: a program, whose stages are explored one by one. After: versions, each with a variant of every
//! stage. A stage that has no variant of a version's name runs as its best one for the same class of devices.

use crate::arith::{ArithExpr, Facts, Var};
use crate::explore::least;
use crate::explore::variant::NAMES;
use crate::explore::{self, Missing, Tunable, Variant, blocked, targets};
use crate::ir::walk::sizes;
use crate::ir::{Kernel, Type};
use crate::program::Program;
use crate::program::chosen::{Chosen, Launches};
use crate::program::passes::Passes;
use crate::program::two_stage::TwoStage;
use crate::rewrite::Derivation;
use crate::text::list;

/// One version.
#[derive(Debug, Clone)]
pub struct Version {
    /// `naive`, `tiled`, …
    pub name: &'static str,
    /// A variant of every stage, in order.
    pub variants: Vec<Variant>,
    /// All tunables of the variants. The names are different.
    pub tunables: Vec<Tunable>,
    /// What is known about sizes and tunables.
    pub facts: Facts,
    /// Extents, and so many that each should have at least: with fewer, other versions are tried first.
    pub least: Vec<(ArithExpr, i64)>,
}

/// All versions; `naive` is always there, and first, and those that the user asks for come last. Then the names of those for
/// which no launch has a variant, and why.
pub fn all(program: &Program, chosen: &[Chosen]) -> (Vec<Version>, Vec<(&'static str, String)>) {
    let (mut explored, missing): (Vec<Vec<Variant>>, Vec<Vec<Missing>>) =
        program.stages.iter().map(explore::explore).map(|all| (all.variants, all.missing)).unzip();
    let usual = chosen.iter().filter_map(|chosen| match &chosen.launches {
        Launches::Usual(variants) => Some(variants),
        Launches::Own(..) | Launches::Steps(_) => None,
    });
    for variants in usual {
        for (explored, variant) in explored.iter_mut().zip(variants) {
            explored.extend(variant.clone());
        }
    }
    let mut names: Vec<&'static str> = Vec::new();
    for variant in explored.iter().flatten() {
        if !names.contains(&variant.name) {
            names.push(variant.name);
        }
    }
    // Its products would run in blocks, as in the versions that are tried before it: with products, a version for short rows is never chosen.
    if program.stages.len() > 1 && blocked::NAMES.iter().any(|name| names.contains(name)) {
        let sized = explored.iter().flatten().filter(|variant| targets::is_for_some_sizes(variant));
        let sized: Vec<&str> = sized.map(|variant| variant.name).collect();
        names.retain(|name| !sized.contains(name));
    }
    let absent = NAMES.iter().filter(|name| !names.contains(name));
    let absent = absent.filter_map(|name| Some((*name, why(name, program, &missing)?))).collect();
    (names.into_iter().map(|name| of(name, program, &explored)).collect(), absent)
}

/// The versions of a program that the user's strategies lead to. Launches are not explored that all of these are about.
pub fn of_strategies(program: &Program, chosen: &[Chosen]) -> Vec<Version> {
    let usual = || {
        chosen.iter().filter_map(|chosen| match &chosen.launches {
            Launches::Usual(variants) => Some((chosen.name, variants)),
            Launches::Own(..) | Launches::Steps(_) => None,
        })
    };
    let of_stage = |(i, stage): (usize, &Kernel)| {
        let own = || usual().map(|(_, variants)| variants.get(i).and_then(|variant| variant.as_ref()));
        let others = if own().all(|it| it.is_some()) { Vec::new() } else { explore::explore(stage).variants };
        others.into_iter().chain(own().flatten().cloned()).collect()
    };
    let explored: Vec<Vec<Variant>> = program.stages.iter().enumerate().map(of_stage).collect();
    usual().map(|(name, _)| of(name, program, &explored)).collect()
}

/// Why no launch has a variant of this name: for each reason the launches that have it, if there are several.
fn why(name: &str, program: &Program, missing: &[Vec<Missing>]) -> Option<String> {
    let mut reasons: Vec<(String, Vec<&str>)> = Vec::new();
    for (stage, missing) in program.stages.iter().zip(missing) {
        let reason = missing.iter().find(|missing| missing.name == name)?.reason.to_string();
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, launches)) => launches.push(&stage.name),
            None => reasons.push((reason, vec![&stage.name])),
        }
    }
    match reasons.as_slice() {
        [] => None,
        [(reason, _)] => Some(reason.clone()),
        several => {
            let several = several.iter().map(|(reason, of)| format!("{}: {reason}", list(of, "and")));
            Some(several.collect::<Vec<_>>().join("; "))
        }
    }
}

/// A version that the user asks for, and its program, if that is another one.
pub fn own(chosen: &Chosen) -> Option<(&Program, Version)> {
    match &chosen.launches {
        Launches::Usual(_) => None,
        Launches::Steps(passes) => Some((&passes.program, of_passes(passes))),
        Launches::Own(program, variants) => {
            let stages = program.stages.iter().zip(variants);
            let explored: Vec<Vec<Variant>> = stages
                .map(|(stage, variant)| match variant {
                    Some(variant) => vec![variant.clone()],
                    None => explore::explore(stage).variants,
                })
                .collect();
            Some((program, of(chosen.name, program, &explored)))
        }
    }
}

/// The version in passes.
pub fn of_passes(passes: &Passes) -> Version {
    let mut explored = explored(&passes.program);
    for variant in explored.iter_mut().flatten() {
        let used = sizes(&variant.body);
        let mut d = Derivation::new(&variant.body, &variant.facts);
        for (height, usual) in passes.heights.iter().filter(|(height, _)| used.contains(height)) {
            d.choose(height, *usual);
        }
        variant.body = d.expr().clone();
        variant.trace.steps.extend(d.trace().steps.iter().cloned());
    }
    Version { name: passes.name, ..of(passes.left_over, &passes.program, &explored) }
}

/// The version in two stages.
pub fn of_stages(staged: &TwoStage) -> Version {
    let explored = explored(&staged.program);
    let launches = |stage: &Kernel| staged.variant_of(stage);
    Version {
        name: staged.name,
        least: staged.least.clone(),
        ..by_stage(&launches, &staged.program, &explored)
    }
}

/// The version of this name.
pub fn version(name: &'static str, program: &Program) -> Version {
    of(name, program, &explored(program))
}

/// The variants of every stage.
fn explored(program: &Program) -> Vec<Vec<Variant>> {
    program.stages.iter().map(|stage| explore::explore(stage).variants).collect()
}

fn of(name: &'static str, program: &Program, explored: &[Vec<Variant>]) -> Version {
    Version { name, ..by_stage(&|_| name, program, explored) }
}

/// A version that prefers a variant of each stage by its name.
fn by_stage(
    preferred: &dyn Fn(&Kernel) -> &'static str,
    program: &Program,
    explored: &[Vec<Variant>],
) -> Version {
    let of_stage = |(stage, variants): (&Kernel, &Vec<Variant>)| {
        let name = preferred(stage);
        let find = |name: &str| variants.iter().find(|variant| variant.name == name);
        let others = variants.iter().filter(|variant| !targets::is_for_some_sizes(variant));
        let names: Vec<&'static str> = others.map(|variant| variant.name).collect();
        let beside = || targets::beside(name, stage, &names).and_then(find);
        match find(name).or_else(beside).or(variants.first()) {
            Some(variant) => variant.clone(),
            None => crate::bug!("a stage without variants"),
        }
    };
    let mut variants: Vec<Variant> = program.stages.iter().zip(explored).map(of_stage).collect();
    if variants.iter().filter(|variant| !variant.tunables.is_empty()).count() > 1 {
        for (i, variant) in variants.iter_mut().enumerate() {
            for tunable in &mut variant.tunables {
                // A variable is its number.
                tunable.var = Var::new(tunable.var.id(), &format!("{}_{}", tunable.var.name(), i + 1));
            }
        }
    }
    let tunables: Vec<Tunable> = variants.iter().flat_map(|variant| variant.tunables.clone()).collect();
    // Launches that have another one's version run at all sizes as they do here.
    let own =
        program.stages.iter().zip(&variants).filter(|(stage, variant)| variant.name == preferred(stage));
    let own = own.map(|(stage, variant)| (elements(stage), variant.least.clone()));
    let least = least::of_most(&own.collect::<Vec<_>>());
    let facts = match (variants.as_slice(), program.stages.as_slice()) {
        ([variant], _) => variant.facts.clone(),
        (_, []) => Facts::new(),
        (_, [stage, ..]) => {
            let mut facts = stage.facts.clone();
            for tunable in &tunables {
                facts.declare(&tunable.var, Some(tunable.min.into()), Some(tunable.max.into()));
            }
            facts
        }
    };
    Version { name: "", variants, tunables, facts, least }
}

/// How many elements a launch reads and writes.
fn elements(stage: &Kernel) -> ArithExpr {
    let of =
        |ty: &Type| ty.leaves().into_iter().map(|(dims, _)| dims.into_iter().product()).sum::<ArithExpr>();
    stage.params.iter().map(|param| of(&param.ty)).sum::<ArithExpr>() + of(stage.body.ty())
}
