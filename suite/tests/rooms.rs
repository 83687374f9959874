//! Room acoustics on a device against the definitions.

mod common;

use common::{Volume as Extents, agree};
use lift_suite::check::Bound;
use lift_suite::input::signed;
use lift_suite::rooms::geometry::{FLOOR, Room, Walls};
use lift_suite::rooms::volume::{self, Volume};
use lift_suite::rooms::walls::{Materials, fd_mm, fi_mm, state};

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

#[test]
fn a_box_has_walls_all_around() {
    let room = Room::cuboid((5, 6, 7));
    assert_eq!(room.neighbours.iter().filter(|n| **n > 0).count(), 3 * 4 * 5);
    assert_eq!(room.neighbours[[1, 1, 1]], 3);
    assert_eq!(room.neighbours[[2, 2, 2]], 6);
    // All points but those of the inner box.
    assert_eq!(room.walls.index.len(), 3 * 4 * 5 - 2 * 3);
    assert_eq!(room.walls.of(|m| m == FLOOR).index.len(), 4 * 5);
}

#[test]
fn a_dome_is_narrower_above() {
    let room = Room::dome((10, 21, 21));
    let inside =
        |z: usize| room.neighbours.index_axis(ndarray::Axis(0), z).iter().filter(|n| **n > 0).count();
    assert!(inside(1) > inside(5) && inside(5) > inside(8) && inside(8) > 0);
    assert_eq!(room.neighbours[[1, 1, 1]], 0);
    assert_eq!(room.walls.of(|m| m != FLOOR).of(|m| m == FLOOR), Walls::default());
}

#[test]
fn branches_that_do_nothing_change_nothing() {
    let room = Room::dome((6, 9, 9));
    let mut materials = Materials::new(2);
    materials.b.fill(0.0);
    let (previous, next) = (signed(1, 6 * 9 * 9), signed(2, 6 * 9 * 9));
    let (g, v) = (state(3, 2, &room.walls), state(4, 2, &room.walls));
    let found = fd_mm(0.5, &materials, &room.walls, &previous, (&next, &g, &v));
    assert_eq!(found.0, fi_mm(0.5, &materials.beta, &room.walls, &previous, &next));
    assert_eq!(found.1, g.mapv(f64::from) + v.mapv(|v| 0.5 * f64::from(v)));
    assert!(found.2.iter().all(|v| *v == 0.0));
}
