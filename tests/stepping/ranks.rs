//! Simulations on several ranks: what they have in common, and what goes wrong.

use lift::ndarray::Array2;
use lift::{Error, Ranks, Result};

use super::Heat;
use common::device;

fn plate(h: usize, w: usize) -> Array2<f32> {
    Array2::from_shape_fn((h, w), |(y, x)| ((7 * y + 3 * x) % 11) as f32 * 0.125)
}

fn heat(ranks: &Ranks) -> Result<Heat> {
    Ok(Heat::on(&device())?.across(ranks))
}

/// The messages of the errors of all ranks.
fn errors(ranks: usize, run: impl Fn(&Ranks) -> Result<()> + Sync) -> Vec<String> {
    let run = |ranks: &Ranks| run(ranks).expect_err("an error").to_string();
    Ranks::in_threads(ranks, run)
}

#[test]
fn ranks_must_start_the_same() {
    let others = errors(3, |ranks| {
        let rate = if ranks.rank() == 2 { 0.25 } else { 0.2 };
        heat(ranks)?.start(&plate(12, 5), rate).map(drop)
    });
    assert_eq!(others, ["rank 2: it starts Heat with a `rate` other than rank 0"; 3]);
    let others = errors(2, |ranks| {
        let mut u = plate(12, 5);
        u[[7, 1]] += ranks.rank() as f32;
        heat(ranks)?.start(&u, 0.2).map(drop)
    });
    assert_eq!(others, ["rank 1: it starts Heat with a `u` other than rank 0"; 2]);
    let others = errors(2, |ranks| heat(ranks)?.start(&plate(12, 5 + ranks.rank()), 0.2).map(drop));
    assert_eq!(others, ["rank 1: it starts Heat with a size W other than rank 0: 6 and 5"; 2]);
    let others =
        errors(2, |ranks| heat(ranks)?.exchange_every(1 + ranks.rank()).start(&plate(12, 5), 0.2).map(drop));
    assert_eq!(others, ["rank 1: it starts Heat with an interval of exchanges other than rank 0"; 2]);
}

#[test]
fn nobody_waits_for_a_rank_that_leaves() {
    let found = Ranks::in_threads(3, |ranks| {
        let mut heat = heat(ranks)?.start(&plate(12, 5), 0.2)?;
        heat.run(2)?;
        if ranks.rank() == 1 {
            return Ok(());
        }
        heat.u().map(drop)
    });
    assert!(found[1].is_ok());
    for other in [0, 2] {
        let error = found[other].as_ref().expect_err("an error");
        assert!(matches!(error, Error::Ranks { .. }), "{error}");
        assert!(
            error.to_string().contains("all ranks must make the same calls in the same order"),
            "{error}"
        );
    }
}

#[test]
fn parts_that_are_too_small_are_refused_on_all_ranks() {
    let found = errors(4, |ranks| heat(ranks)?.start(&plate(7, 3), 0.2).map(drop));
    let expected = "Heat cannot be computed in 4 parts: H = 7 gives each 1 rows, and a part needs at least 2, because it reads 1 \
                    before and 1 after its own";
    assert_eq!(found, [expected; 4]);
}

#[test]
fn the_first_value_that_is_not_finite_is_found_on_every_rank() {
    let found = errors(3, |ranks| {
        let mut u = Array2::<f32>::zeros((20, 4));
        u[[13, 2]] = f32::MAX;
        let mut it = heat(ranks)?.start(&u, 3.0)?;
        it.check_finite(true)?;
        it.run(10)
    });
    let mut whole = Heat::on(&device())
        .unwrap()
        .start(
            &{
                let mut u = Array2::<f32>::zeros((20, 4));
                u[[13, 2]] = f32::MAX;
                u
            },
            3.0,
        )
        .unwrap();
    whole.check_finite(true).unwrap();
    let expected = whole.run(10).unwrap_err().to_string();
    assert_eq!(found, [expected.as_str(); 3]);
}

#[test]
fn a_saved_simulation_goes_on_with_other_numbers_of_ranks() {
    let folder = std::env::temp_dir().join(format!("lift-ranks-{}", std::process::id()));
    let run = |ranks: &Ranks, is_new: bool| {
        let mut it = if is_new {
            let mut it = heat(ranks)?.start(&plate(24, 5), 0.2)?;
            it.source([8, 1], &[1.0, 2.0, 3.0, 4.0, 5.0])?;
            it.probe_line([0, 1], 0)?;
            it.probe([7, 4])?;
            it.run(3)?;
            it
        } else {
            heat(ranks)?.restore(&folder)?
        };
        if is_new {
            it.save(&folder)?;
        }
        it.run(4)?;
        let change = it.max_change()?.to_bits();
        let probes = it.probes::<f32>();
        let samples = probes.into_iter().map(|probe| it.samples(probe)).collect::<Result<Vec<_>>>()?;
        Ok::<_, Error>((it.u()?, samples, change))
    };
    let whole = run(&Ranks::alone(), true).expect("a whole");
    for (saved, restored) in [(1, 3), (3, 1), (2, 4), (4, 2)] {
        for found in Ranks::in_threads(saved, |ranks| run(ranks, true)) {
            assert_eq!(found.expect("ranks"), whole, "{saved} ranks");
        }
        for found in Ranks::in_threads(restored, |ranks| run(ranks, false)) {
            assert_eq!(found.expect("ranks"), whole, "{saved} ranks, then {restored}");
        }
    }
    std::fs::remove_dir_all(folder).expect("a folder");
}
