//! All versions of generated programs, and what is written by hand for each of them, compute the same.

use lift::Device;
use lift_laws::effort;
use lift_regret::case::Case;
use lift_regret::classes::CLASSES;

/// Members of each class: one, or four where everything is asked for.
fn cases() -> usize {
    if effort::everything() { 4 } else { 1 }
}

/// The device of the tests: PoCL, or what `LIFT_DEVICE` says. Without a device, tests fail.
fn device() -> Device {
    let wanted = std::env::var("LIFT_DEVICE").unwrap_or_else(|_| "pocl".into());
    Device::find(&wanted).unwrap_or_else(|e| panic!("the tests need an OpenCL device: {e}"))
}

#[test]
fn versions_and_opponents_agree() {
    let device = device();
    for number in 0..cases() * CLASSES.len() {
        let case = Case::of(7, number);
        let sizes = case.program.small();
        let (title, found) = (case.title(&sizes), case.run(&device, &sizes, 1));
        let found = found.unwrap_or_else(|error| panic!("{title}: {error}"));
        assert!(found.out.is_empty(), "{title}: {:?}", found.out);
        assert!(!found.opponents.is_empty(), "{title}");
    }
    effort::report("members of classes of generated programs", cases() * CLASSES.len(), 4 * CLASSES.len());
}

#[test]
fn cases_depend_on_the_seed_alone() {
    let of = |seed: u64, number: usize| {
        let case = Case::of(seed, number);
        case.title(&case.program.sizes())
    };
    let titles = |seed: u64| (0..40).map(|number| of(seed, number)).collect::<Vec<_>>();
    assert_eq!(titles(3), titles(3));
    assert_ne!(titles(3), titles(4));
    let held_out = (0..40).filter(|number| Case::of(3, *number).is_held_out()).count();
    assert_eq!(held_out, 16);
}
