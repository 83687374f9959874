//! Room acoustics on a device against the definitions.

mod common;

use common::{Volume as Extents, agree};
use lift_suite::check::Bound;
use lift_suite::input::signed;
use lift_suite::rooms::geometry::Room;
use lift_suite::rooms::volume::{self, Volume};

workloads! {
    volume: [(3, 3, 3), (7, 11, 37)], [(152, 202, 302), (336, 336, 336), (302, 402, 602)];
}

const COURANT_SQUARED: f32 = 0.333;
const ABSORPTION: f32 = 0.001;

fn volume(shape: Extents) {
    // At most 2 + 6·0.334 + 1 + 6·0.334 + 12·0.001 in all.
    for room in [Room::cuboid(shape), Room::dome(shape)] {
        let (previous, current) = (signed(1, shape), signed(2, shape));
        let expected = volume::air(
            f64::from(COURANT_SQUARED),
            f64::from(ABSORPTION),
            &previous,
            &current,
            &room.neighbours,
        );
        agree(
            |k: &Volume| k.run(COURANT_SQUARED, ABSORPTION, &previous, &current, &room.neighbours),
            &expected,
            Bound::new(12, 7.1),
        );
    }
}
