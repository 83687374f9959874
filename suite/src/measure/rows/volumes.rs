//! Stencils in a volume, and OpenCL for them that is written by hand.

use super::{CPU_ROW, VOLUME, lift, low, with};
use crate::low::{rows, volume};
use crate::measure::{HandWritten, Row, Tuned};
use crate::stencils;

pub(super) const JACOBI_3D_7: Row = Row {
    name: "jacobi3d 7pt",
    sizes: &[256, 256, 256],
    quick: VOLUME,
    algorithmic: lift::<stencils::jacobi::Jacobi3d7<f32>>(),
    given: &[],
    gpu: low::<volume::Jacobi3d7>(HandWritten::sweep(
        text!("jacobi3d7.cl"),
        "one_plane",
        &[32, 4, 4],
        &[4, 1, 1],
    )),
    cpu: Some(low::<rows::Jacobi3d7>(
        HandWritten::sweep(text!("cpu/jacobi3d7.cl"), "jacobi3d7", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
            .divisors(&[CPU_ROW]),
    )),
    operations: a_point!(13.0),
    bytes: None,
};

pub(super) const JACOBI_3D_7_LARGE: Row = Row {
    sizes: &[512, 512, 512],
    gpu: low::<volume::Jacobi3d7>(HandWritten::sweep(
        text!("jacobi3d7.cl"),
        "two_planes",
        &[16, 8, 2],
        &[4, 1, 2],
    )),
    ..JACOBI_3D_7
};

pub(super) const JACOBI_3D_7_DOUBLE: Row = Row {
    name: "jacobi3d 7pt f64",
    sizes: &[512, 512, 512],
    algorithmic: lift::<stencils::jacobi::Jacobi3d7<f64>>(),
    gpu: low::<volume::Jacobi3d7Double>(HandWritten::sweep(
        text!("jacobi3d7_f64.cl"),
        "jacobi3d7",
        &[16, 8, 2],
        &[2, 1, 1],
    )),
    cpu: Some(low::<rows::Jacobi3d7Double>(
        HandWritten::sweep(text!("cpu/doubles.cl"), "jacobi3d7", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
            .divisors(&[2]),
    )),
    ..JACOBI_3D_7
};

pub(super) const JACOBI_3D_13: Row = Row {
    name: "jacobi3d 13pt",
    sizes: &[256, 256, 256],
    quick: &[24, 12, 320],
    algorithmic: lift::<stencils::jacobi::Jacobi3d13>(),
    given: &[],
    gpu: low::<volume::Jacobi3d13>(
        HandWritten::sweep(text!("jacobi3d13.cl"), "jacobi3d13", &[64, 4, 1], &[4, 1, 8]).divisors(&[4]),
    ),
    cpu: Some(low::<rows::Jacobi3d13>(
        HandWritten::sweep(text!("cpu/rows.cl"), "jacobi3d13", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
            .divisors(&[CPU_ROW]),
    )),
    operations: a_point!(25.0),
    bytes: None,
};

pub(super) const JACOBI_3D_13_LARGE: Row =
    Row { sizes: &[512, 512, 512], gpu: JACOBI_3D_13.gpu.local(&[32, 8, 1]), ..JACOBI_3D_13 };

pub(super) const JACOBI_3D_27: Row = Row {
    name: "jacobi3d 27pt",
    algorithmic: lift::<stencils::jacobi::Jacobi3d27>(),
    gpu: low::<volume::Jacobi3d27>(HandWritten::sweep(
        text!("jacobi3d27.cl"),
        "jacobi3d27",
        &[32, 4, 1],
        &[4, 2, 2],
    )),
    cpu: Some(low::<rows::Jacobi3d27>(
        HandWritten::sweep(text!("cpu/rows.cl"), "jacobi3d27", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
            .divisors(&[CPU_ROW]),
    )),
    operations: a_point!(53.0),
    ..JACOBI_3D_7
};

pub(super) const JACOBI_3D_27_LARGE: Row = Row { sizes: &[512, 512, 512], ..JACOBI_3D_27 };

pub(super) const HEAT: Row = Row {
    name: "heat",
    algorithmic: lift::<stencils::heat::Heat>(),
    gpu: low::<volume::Heat>(HandWritten::sweep(text!("heat.cl"), "one_plane", &[32, 2, 4], &[4, 2, 1])),
    cpu: Some(low::<rows::Heat>(
        HandWritten::sweep(text!("cpu/rows.cl"), "heat", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
            .divisors(&[CPU_ROW]),
    )),
    operations: a_point!(12.0),
    ..JACOBI_3D_7
};

pub(super) const HEAT_LARGE: Row = Row {
    sizes: &[512, 512, 512],
    gpu: low::<volume::Heat>(HandWritten::sweep(text!("heat.cl"), "two_planes", &[64, 2, 2], &[4, 2, 2])),
    ..HEAT
};

pub(super) const POISSON: Row = Row {
    name: "poisson",
    quick: &[24, 12, 192],
    algorithmic: lift::<stencils::poisson::Poisson>(),
    gpu: low::<volume::PoissonPlanes>(HandWritten::sweep(
        text!("poisson.cl"),
        "eight_planes",
        &[64, 2, 1],
        &[4, 1, 8],
    )),
    cpu: Some(low::<rows::Poisson>(
        HandWritten::sweep(text!("cpu/rows.cl"), "poisson", &[1, 1, 1], &[HandWritten::ALL, 1, 1])
            .divisors(&[CPU_ROW]),
    )),
    operations: a_point!(21.0),
    ..JACOBI_3D_7
};

pub(super) const POISSON_LARGE: Row = Row {
    sizes: &[512, 512, 512],
    gpu: low::<volume::Poisson>(HandWritten::sweep(
        text!("poisson.cl"),
        "two_planes",
        &[32, 4, 1],
        &[4, 2, 2],
    )),
    ..POISSON
};

pub(super) const HOTSPOT_3D: Row = Row {
    name: "hotspot3d",
    sizes: &[8, 512, 512],
    quick: &[16, 12, 192],
    algorithmic: with::<stencils::hotspot::Hotspot3d>(&[0.0625]),
    gpu: Tuned {
        scalars: &[0.0625],
        ..low::<volume::Hotspot3d>(
            HandWritten::sweep(text!("hotspot3d.cl"), "hotspot3d", &[32, 4, 1], &[4, 1, 8]).divisors(&[4]),
        )
    },
    cpu: Some(Tuned {
        scalars: &[0.0625],
        ..low::<rows::Hotspot3d>(
            HandWritten::sweep(text!("cpu/rows.cl"), "hotspot3d", &[1, 1, 1], &[HandWritten::ALL, 16, 1])
                .divisors(&[CPU_ROW]),
        )
    }),
    operations: a_point!(16.0),
    ..JACOBI_3D_7
};
