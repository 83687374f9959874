//! Programs as users write them, at small and awkward sizes: what every version computes on a device is what the loops compute.

use lift_laws::effort;
use lift_suite::check::device;
use lift_suite::natural::programs;

#[test]
fn all_programs_compute_what_loops_compute() {
    let device = device().expect("a device");
    let mut wrong = Vec::new();
    let (mut ran, mut all) = (0, 0);
    for (number, program) in programs().enumerate() {
        let turns = program.small.len();
        all += turns;
        // The programs take turns with their sizes.
        for (_, &sizes) in
            program.small.iter().enumerate().filter(|(i, _)| effort::has_turn(number, (*i, turns), 0))
        {
            ran += 1;
            let checked =
                (program.make)(&device, sizes).map_err(|error| error.to_string()).and_then(|mut work| {
                    let versions = work.versions().to_vec();
                    work.check(&versions)
                });
            if let Err(error) = checked {
                wrong.push(format!("{} {sizes:?}: {error}", program.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    effort::report("programs as users write them, sizes", ran, all);
}

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = programs().map(|program| program.name).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}
