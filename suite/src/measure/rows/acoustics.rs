//! Sound in rooms, and OpenCL for it that is written by hand.

use super::volumes::JACOBI_3D_7;
use super::{VOLUME, lift, low, with};
use crate::low::{room, rows, sound, volume};
use crate::measure::{Given, HandWritten, Row, Tuned, rooms};
use crate::rooms as workloads;
use crate::stencils;

pub(super) const ACOUSTIC: Row = Row {
    name: "acoustic",
    sizes: &[202, 256, 256],
    quick: VOLUME,
    algorithmic: lift::<stencils::acoustic::Acoustic<f32>>(),
    given: &[],
    gpu: low::<volume::Acoustic>(HandWritten::sweep(
        text!("acoustic.cl"),
        "acoustic",
        &[64, 2, 2],
        &[2, 2, 2],
    )),
    cpu: Some(low::<rows::Acoustic>(
        HandWritten::sweep(text!("cpu/rows.cl"), "acoustic", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
            .divisors(&[2]),
    )),
    operations: a_point!(14.0),
    bytes: None,
};

pub(super) const ACOUSTIC_LARGE: Row = Row {
    sizes: &[404, 512, 512],
    gpu: low::<volume::AcousticPlanes>(HandWritten::sweep(
        text!("acoustic_planes.cl"),
        "acoustic",
        &[32, 8, 1],
        &[4, 1, 4],
    )),
    ..ACOUSTIC
};

pub(super) const ACOUSTIC_OTHER: Row = Row { sizes: &[302, 402, 602], ..ACOUSTIC };

pub(super) const ACOUSTIC_DOUBLE: Row = Row {
    name: "acoustic f64",
    sizes: &[302, 402, 602],
    algorithmic: lift::<stencils::acoustic::Acoustic<f64>>(),
    cpu: Some(low::<rows::AcousticDouble>(
        HandWritten::sweep(text!("cpu/doubles.cl"), "acoustic", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
            .divisors(&[2]),
    )),
    gpu: low::<volume::AcousticDouble>(
        HandWritten::sweep(text!("acoustic_f64.cl"), "acoustic", &[32, 4, 1], &[2, 1, 8]).divisors(&[2]),
    ),
    ..ACOUSTIC
};

pub(super) const AIR: Row = Row {
    name: "air of a dome",
    sizes: &[302, 402, 602],
    algorithmic: with::<workloads::volume::Volume>(&[0.3, 0.001]),
    given: &[("neighbours", Given::Numbers(rooms::neighbours))],
    gpu: Tuned {
        scalars: &[0.3, 0.001],
        ..low::<room::Volume>(HandWritten::sweep(text!("air.cl"), "air", &[64, 2, 2], &[2, 2, 2]))
    },
    cpu: Some(Tuned {
        scalars: &[0.3, 0.001],
        ..low::<sound::Volume>(
            HandWritten::sweep(text!("cpu/air.cl"), "air", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
                .divisors(&[2]),
        )
    }),
    operations: a_point!(20.0),
    ..JACOBI_3D_7
};

/// Points at the walls of a dome.
const AT_WALLS: &[(&str, Given)] = &[
    ("index", Given::Numbers(rooms::index)),
    ("neighbours", Given::Numbers(rooms::near)),
    ("material", Given::Numbers(rooms::material)),
];

pub(super) const FI_MM: Row = Row {
    name: "fi-mm walls",
    sizes: rooms::LARGE,
    quick: rooms::QUICK,
    algorithmic: with::<workloads::walls::FiMm>(&[0.5]),
    given: AT_WALLS,
    gpu: Tuned {
        scalars: &[0.5],
        ..low::<room::FiMm>(HandWritten::sweep(text!("walls.cl"), "fi_mm", &[128], &[1]).sharing("index"))
    },
    cpu: Some(Tuned {
        scalars: &[0.5],
        ..low::<sound::FiMm>(
            HandWritten::sweep(text!("cpu/walls.cl"), "fi_mm", &[1], &[4096]).divisors(&[1]).sharing("index"),
        )
    }),
    operations: |sizes| sizes.get(1).map_or(0.0, |&points| points as f64 * 7.0),
    // Three whole numbers, the pressure before, and the next one twice.
    bytes: Some(|sizes| sizes.get(1).map_or(0, |points| points * 24)),
};

pub(super) const FD_MM: Row = Row {
    name: "fd-mm walls",
    sizes: rooms::LARGE_BRANCHES,
    quick: rooms::QUICK_BRANCHES,
    algorithmic: with::<workloads::walls::FdMm>(&[0.5]),
    gpu: Tuned {
        scalars: &[0.5],
        ..low::<room::FdMm>(HandWritten::sweep(text!("walls.cl"), "fd_mm", &[256], &[1]).sharing("index"))
    },
    cpu: Some(Tuned {
        scalars: &[0.5],
        ..low::<sound::FdMm>(
            HandWritten::sweep(text!("cpu/walls.cl"), "fd_mm", &[1], &[4096]).divisors(&[1]).sharing("index"),
        )
    }),
    operations: |sizes| sizes.get(1).map_or(0.0, |&points| points as f64 * (8.0 + 3.0 * 14.0)),
    // As above, and two numbers of each of three branches twice.
    bytes: Some(|sizes| sizes.get(1).map_or(0, |points| points * (24 + 3 * 16))),
    ..FI_MM
};
