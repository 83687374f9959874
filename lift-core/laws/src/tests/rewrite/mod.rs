//! Every rule keeps the meaning, and normalisation has one result.

mod contract;
mod factor;
mod movement;
mod page;
mod programs;
mod published;
mod reach;
mod trees;
mod weights;

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use lift_core::arith::{ArithExpr, Facts, Var};
use lift_core::ir::build::fresh_id;
use lift_core::ir::walk::sizes;
use lift_core::ir::{Arg, Expr, Kind, Param, Scalar, Type, UnaryOp, print};
use lift_core::rewrite::layout::as_map;
use lift_core::rewrite::normal;
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::rules::reduction::is_flat;
use lift_core::rewrite::rules::{place, simplify, stencil};
use lift_core::rewrite::scope::occurrences;
use lift_core::rewrite::strategy::{Derivation, Position, Strategy};
use lift_core::rewrite::trace::{Deed, Trace};

use self::programs::program;
use crate::effort;
use crate::replay::replay;
use crate::rules::{self, fission};
use crate::testing::{World, close, kernel, same, well_scoped};

fn runner(cases: u32) -> TestRunner {
    TestRunner::new_with_rng(
        Config { cases, failure_persistence: None, max_shrink_iters: 0, ..Config::default() },
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    )
}

fn positions(e: &Expr) -> Vec<Position> {
    let mut all = vec![Vec::new()];
    for (i, child) in e.children().into_iter().enumerate() {
        all.extend(positions(child).into_iter().map(|p| [vec![i], p].concat()));
    }
    all
}

/// The rules that compute with other numbers on the way, which are rounded: no regrouping of exact sums shows their meaning.
const ROUNDS: &str = "reduce_twice_in_stages";

/// Applies the rule everywhere, one place at a time; how often it fired.
fn check_rule(rule: &'static Rule, seed: u64) -> Result<usize, String> {
    let mut w = World::new(seed);
    w.associative = rules::regroups(rule);
    // Growing copies expressions; afterwards each variable is bound once again.
    let e = program(rule, &mut w).refresh();
    let before = w.eval(&e).map_err(|text| format!("before: {text}\n{e}"))?;
    well_scoped(&e, &w)?;
    let mut fired = 0;
    for position in positions(&e) {
        let mut d = Derivation::new(&e, &w.facts);
        let Some(rewrite) = d.apply(rule, &position) else { continue };
        fired += 1;
        let new: Vec<Var> = sizes(d.expr()).into_iter().filter(|var| !w.sizes.contains_key(var)).collect();
        if new != rewrite.sizes || rewrite.focus.iter().any(|at| d.get(at).is_none()) {
            return Err(format!("{:?} and {:?} are not in\n{}", rewrite.sizes, rewrite.focus, d.expr()));
        }
        let mut world = w.clone();
        for var in sizes(d.expr()) {
            if !world.sizes.contains_key(&var) {
                let tile = world.random.pick(&[1, 2, 3, 4, 5, 8, 16]);
                world.sizes.insert(var, tile);
            }
        }
        let context = || format!("{e}\nbecomes\n{}", d.expr());
        well_scoped(d.expr(), &world).map_err(|text| format!("{text}\n{}", context()))?;
        let after = world.eval(d.expr()).map_err(|text| format!("after: {text}\n{}", context()))?;
        let is_kept = if rule.name.starts_with(ROUNDS) { close(&before, &after) } else { before == after };
        if !is_kept {
            return Err(format!("{before}\nis not\n{after}\n{}", context()));
        }
    }
    Ok(fired)
}

/// Each rule fires at least 10 times, in 12 to 150 programs. For a long run, say how often it is to fire, which rules are
/// (all those with a name that begins like this), and which programs come first:
/// `LIFT_RULE_FIRINGS=10000 LIFT_RULES=reduce LIFT_RULE_SEED=7`.
#[test]
fn every_rule_keeps_the_meaning() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let wanted = effort::count(10, "LIFT_RULE_FIRINGS") as usize;
    let first = number("LIFT_RULE_SEED").unwrap_or(0);
    let prefix = std::env::var("LIFT_RULES").unwrap_or_default();
    let chosen: Vec<_> = rules::all().filter(|rule| rule.name.starts_with(&prefix)).collect();
    assert!(!chosen.is_empty(), "no rule begins with {prefix}");
    std::thread::scope(|scope| {
        for rule in chosen {
            scope.spawn(move || {
                let (mut fired, mut seed) = (0, first);
                for program in 0..wanted.div_ceil(20) * 150 {
                    if program >= 12 && fired >= wanted {
                        break;
                    }
                    seed =
                        seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    fired +=
                        check_rule(rule, seed).unwrap_or_else(|why| panic!("{} ({seed}): {why}", rule.name));
                }
                println!("{} fired {fired} times", rule.name);
                assert!(fired >= wanted, "{} fired {fired} times", rule.name);
            });
        }
    });
}

#[test]
fn names_and_laws_are_unique() {
    let names: BTreeSet<&str> = rules::all().map(|rule| rule.name).collect();
    assert_eq!(names.len(), rules::all().count());
    assert!(rules::all().all(|rule| !rule.law().contains('\n') && rule.equation.contains(" = ")));
}

#[test]
fn normalisation_is_confluent_and_keeps_the_meaning() {
    let result = runner(1000).run(&any::<u64>(), |seed| {
        let mut w = World::new(seed);
        let captured = w.input(Scalar::I32.into());
        let xs = w.array();
        let e = w.grow(xs, 7, &[captured]).refresh();
        let before = w.eval(&e).map_err(TestCaseError::fail)?;
        let mut results = Vec::new();
        for search in [Strategy::once, Strategy::bottom_up] {
            let mut d = Derivation::new(&e, &w.facts);
            normal::strategy(search).apply(&mut d);
            well_scoped(d.expr(), &w).map_err(TestCaseError::fail)?;
            prop_assert_eq!(&before, &w.eval(d.expr()).map_err(TestCaseError::fail)?, "{}\n{}", e, d.expr());
            results.push(d);
        }
        let (one, two) = (&results[0], &results[1]);
        prop_assert!(
            same(one.expr(), two.expr()),
            "from\n{}\n\ntop-down\n{}\n\nbottom-up\n{}",
            e,
            one.expr(),
            two.expr()
        );
        // And it stays.
        let mut again = one.clone();
        normal::strategy(Strategy::once).apply(&mut again);
        prop_assert!(same(one.expr(), again.expr()), "again: {}\n{}", one.expr(), again.expr());
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

#[test]
fn fission_ends_keeps_the_meaning_and_is_undone_by_fusion() {
    let (mut split, mut undone) = (0, 0);
    let rules = [&fission::FISSION, &fission::FISSION_PAIR, &fission::FISSION_ARGUMENT];
    for seed in 0..1000 {
        let mut w = World::new(seed);
        // Random programs have few functions that can be split.
        let e = match rules.get(seed as usize % 4) {
            Some(rule) => program(rule, &mut w),
            None => {
                let captured = w.input(Scalar::I32.into());
                let xs = w.array();
                w.grow(xs, 7, &[captured])
            }
        };
        let e = e.refresh();
        let before = w.eval(&e).unwrap();
        let normal = |e: &Expr, strategy: &Strategy| {
            let mut d = Derivation::new(e, &w.facts);
            strategy.apply(&mut d);
            d
        };
        for search in [Strategy::once, Strategy::bottom_up] {
            let fused = normal(&e, &normal::strategy(search));
            let d = normal(&e, &fission::fissioned(search));
            well_scoped(d.expr(), &w).unwrap();
            assert_eq!(before, w.eval(d.expr()).unwrap(), "{e}\n{}", d.expr());
            let simple = normal(&e, &normal::unfused(Strategy::once));
            let steps = d.trace().steps.iter().filter(|step| step.rule.name.starts_with("fission"));
            let steps: Vec<&Expr> = steps.map(|step| &step.after).collect();
            let mut nodes = 0;
            simple.expr().visit(&mut |_| nodes += 1);
            assert!(steps.len() < nodes, "{} steps from {}", steps.len(), simple.expr());
            split += steps.len();
            let again = normal(d.expr(), &fission::fissioned(search));
            assert!(same(d.expr(), again.expr()), "{}\nbecomes\n{}", d.expr(), again.expr());
            let apart = steps.iter().any(|e| passes_arrays(e));
            if !apart && !defines_in_arguments(fused.expr()) && !defines_in_any_order(fused.expr()) {
                let back = normal(d.expr(), &normal::strategy(search));
                assert!(
                    same(fused.expr(), back.expr()),
                    "{seed}: from\n{e}\nfissioned\n{}\nfused\n{}\nis not\n{}",
                    d.expr(),
                    back.expr(),
                    fused.expr()
                );
                undone += usize::from(!steps.is_empty());
            }
        }
    }
    assert!(split > 1000 && undone > 400, "{split} steps; undone in {undone} cases");
}

/// Whether somewhere an array passes from one traversal to the next that uses it more than once: fusion leaves these
/// apart, because it would be computed more than once, or be kept by someone.
fn passes_arrays(e: &Expr) -> bool {
    let mut found = false;
    e.visit(&mut |e| {
        if let Some((g, ys)) = as_map(e)
            && let (Some((f, _)), [y]) = (as_map(ys), g.params.as_slice())
        {
            found |= !is_flat(f.body.ty()) && !occurrences(&g.body, y.id).at_most_once();
        }
    });
    found
}

/// Whether a definition does not need the one before it, so that they might as well stand the other way round.
fn defines_in_any_order(e: &Expr) -> bool {
    let mut found = false;
    e.visit(&mut |e| {
        if let Kind::Let(x, _, body) = e.kind()
            && let Kind::Let(_, next, _) = body.kind()
        {
            found |= occurrences(next, x.id).count == 0;
        }
    });
    found
}

/// Whether an argument of a primitive begins with a definition, which normalisation leaves there if there are other arguments.
fn defines_in_arguments(e: &Expr) -> bool {
    let mut found = false;
    e.visit(&mut |e| {
        let args = e.as_prim().map_or(&[][..], |(_, args)| args);
        found |= args.iter().filter_map(Arg::data).any(|x| matches!(x.kind(), Kind::Let(..)));
    });
    found
}

#[test]
fn strategies_succeed_or_leave_everything_as_it_was() {
    let mut w = World::new(1);
    let rows = w.input(Type::from(Scalar::I32).with_shape(&[ArithExpr::cst(2), ArithExpr::cst(3)]));
    let transposes = |n: usize| (0..n).fold(rows.clone(), |x, _| Expr::transpose(x));
    let start = |n: usize| Derivation::new(&transposes(n), &w.facts);
    let rule = || Strategy::Rule(&simplify::TRANSPOSE_TRANSPOSE);

    let mut d = start(5);
    assert!(rule().repeat(1).apply(&mut d));
    assert_eq!(*d.expr(), transposes(3));
    assert!(rule().repeat(9).apply(&mut d));
    assert_eq!(*d.expr(), transposes(1));
    assert_eq!(d.trace().rules(), ["transpose_transpose", "transpose_transpose"]);

    // Two steps are possible, three are not.
    let mut d = start(5);
    assert!(!Strategy::Seq(vec![rule(), rule(), rule()]).apply(&mut d));
    assert_eq!(*d.expr(), transposes(5));
    assert!(d.trace().steps.is_empty());
    assert!(Strategy::Seq(vec![rule(), rule().try_(), rule().try_()]).apply(&mut d));
    assert_eq!(*d.expr(), transposes(1));

    let map = Expr::map_with("row", transposes(2), |row| row);
    let mut d = Derivation::new(&map, &w.facts);
    assert!(!rule().apply(&mut d));
    assert!(!rule().at(vec![0]).apply(&mut d));
    assert!(!rule().at(vec![7, 1]).apply(&mut d));
    assert!(Strategy::OrElse(vec![rule(), rule().at(vec![1])]).apply(&mut d));
    assert!(!rule().all().apply(&mut d));
    assert!(Strategy::any(&[&simplify::TRANSPOSE_TRANSPOSE, &simplify::MAP_ID]).apply(&mut d));
    assert_eq!(*d.expr(), rows);
}

#[test]
fn steps_are_done_again_where_they_were_done() {
    let text = "#[kernel] fn Sums<N>(xs: [i32; N]) -> [i32; N] { xs.pad(1, 1, clamp).slide(3, 1).map(|w| w.map(|x| x + 1).reduce(add, 0)) }";
    let kernel = kernel(text);
    let mut d = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut d);
    assert!(Strategy::Rule(&stencil::OVERLAPPED_TILING).once().apply(&mut d));
    let Some(Deed::Apply(_, tiles)) = d.trace().steps.last().map(|step| &step.deed) else {
        panic!("no step")
    };
    let tile = tiles[0].clone();
    d.declare(&tile, 1, 64);
    assert!(Strategy::Rule(&place::WORKGROUP[0]).once().apply(&mut d));
    d.choose(&tile, 4);
    let trace = d.trace();
    let again = replay(trace, &kernel.facts).unwrap_or_else(|stray| panic!("{stray}"));
    assert!(same(again.expr(), d.expr()), "{}\n{}", again.expr(), d.expr());
    assert_eq!(again.trace().rules(), trace.rules());
    assert_eq!(again.trace().to_string(), trace.to_string());
    assert_eq!(again.trace().declared.len(), 1);

    let stray = |change: &dyn Fn(&mut Trace)| {
        let mut changed = trace.clone();
        change(&mut changed);
        replay(&changed, &kernel.facts).map(|_| ()).map_err(|stray| stray.to_string())
    };
    // There is one place for a step.
    let placed = trace.steps.len() - 2;
    let Deed::Apply(place, _) = &trace.steps[placed].deed else { panic!("a choice") };
    let (mut applied, mut failed) = (0, 0);
    for other in positions(&trace.steps[placed - 1].after) {
        let found = stray(&|trace| trace.steps[placed].deed = Deed::Apply(other.clone(), Vec::new()));
        let Err(why) = found else {
            assert_eq!(other, *place);
            continue;
        };
        let step = format!("step {}, `map_workgroup(0)`", placed + 1);
        applied += usize::from(why == format!("{step}, gives something else"));
        failed += usize::from(why == format!("{step}, does not apply where it was applied"));
    }
    assert!(applied > 0 && failed > 0, "{applied} places where the rule applies, {failed} where it does not");
    // Another choice, and one about nothing.
    let chosen = placed + 1;
    let choose =
        |deed: Deed| stray(&|trace| trace.steps[chosen].deed = deed.clone()).expect_err("another choice");
    assert_eq!(
        choose(Deed::Choose(tile.clone(), 5.into())),
        format!("step {}, `choose`, gives something else", chosen + 1)
    );
    let unknown = Deed::Choose(Var::new(fresh_id(), "T"), 4.into());
    assert_eq!(
        choose(unknown),
        format!("step {}, `choose`, is about a size that nothing introduced", chosen + 1)
    );
}

#[test]
fn what_was_searched_in_vain_is_searched_again_when_more_is_known() {
    let k = Var::new(fresh_id(), "k");
    let xs = Expr::param(&Param::new("xs", Type::array(Scalar::I32.into(), ArithExpr::cst(4))));
    let e = Expr::map_with("x", Expr::take(ArithExpr::var(&k), xs.clone()), |x| Expr::unary(UnaryOp::Neg, x));
    let rule = || Strategy::Rule(&simplify::TAKE_ALL);
    for search in [Strategy::once, Strategy::bottom_up, Strategy::all] {
        let mut d = Derivation::new(&e, &Facts::new());
        assert!(!search(rule()).apply(&mut d));
        d.declare(&k, 4, 4);
        assert!(search(rule()).apply(&mut d));
        assert!(!search(rule()).apply(&mut d));
        assert_eq!(d.expr().children()[1], &xs);
    }
}

#[test]
fn together_expressions_have_the_texts_they_have_alone() {
    let xs = Expr::param(&Param::new("many_numbers", Type::array(Scalar::I32.into(), ArithExpr::cst(64))));
    let rows = |e: &Expr| Expr::split(ArithExpr::cst(2), e.clone());
    let nested = (0..8).fold(Expr::map_with("x", rows(&xs), |x| x), |e, _| {
        Expr::join(Expr::map_with("row", rows(&e), |row| {
            Expr::map_with("element", row, |x| Expr::join(rows(&x)))
        }))
    });
    let around = Expr::map_with("x", Expr::transpose(Expr::transpose(nested.clone())), |x| {
        Expr::tuple(vec![x, nested.clone()])
    });
    let all = [&xs, &nested, &around, &nested];
    let alone: Vec<String> = all.iter().map(|e| e.to_string()).collect();
    assert!(alone[2].lines().count() > 10);
    assert_eq!(print::texts(&all), alone);
}
