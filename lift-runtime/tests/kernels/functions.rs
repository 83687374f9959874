//! The kernels' functions as Rust, as `lift!` would write them, and the versions that launch them.

use std::borrow::Cow::Borrowed;

use lift_runtime::host::{self, Part};
use lift_runtime::spec::{
    Count, Function, Geometry, Launch, Operation, ScalarType, Size, Slot, Temporary, Use, Variant,
};

use super::programs::{OPERATIONS_OF_BUMP, SITES_OF_BUMP, TEMPORARIES_UNTIL, TURN, TURNS, TURNS_UNTIL};
use super::{A, NONE};

const F32: ScalarType = ScalarType::F32;
const I32: ScalarType = ScalarType::I32;
const N_LESS_1: Size = Size::Sum(Borrowed(&[A, Size::Const(-1)]));
const ONE: Size = Size::Const(1);

/// A version that is launched so and has these functions, and other fields than `naive`.
macro_rules! compiled {
    ($operations:expr, $functions:expr $(, $field:ident: $value:expr)* $(,)?) => {
        Variant {
            operations: Borrowed($operations),
            functions: Borrowed($functions),
            $($field: Borrowed($value),)*
            ..Variant::NAIVE
        }
    };
}

macro_rules! function {
    ($entry:literal, $uses:expr $(,)?) => {
        Function { entry: Borrowed($entry), uses: Borrowed($uses) }
    };
}

/// A launch with so many work-items.
macro_rules! launched {
    ($entry:literal, $args:expr, $items:expr $(,)?) => {
        launch!($entry, $args, Geometry::Items(Borrowed(&[$items])))
    };
}

/// What functions do.
macro_rules! functions {
    ($($name:ident |$part:ident| $body:block)*) => {$(
        pub(crate) struct $name;

        impl host::Function for $name {
            #[inline(always)]
            fn run($part: &mut Part<'_>) $body
        }
    )*};
}

/// The elements of an argument with one for each work-item, with their indices.
fn own<'a, T: host::Element>(
    part: &mut Part<'a>,
    position: usize,
) -> impl Iterator<Item = (usize, &'a mut T)> {
    let (elements, start) = part.own::<T>(position);
    (start as usize..).zip(elements)
}

fn at(x: &[f32], i: usize, by: isize) -> f32 {
    i.checked_add_signed(by).and_then(|i| x.get(i)).copied().unwrap_or(0.0)
}

fn curvature(x: &[f32], i: usize) -> f32 {
    at(x, i, -1) - 2.0 * x[i] + at(x, i, 1)
}

functions! {
    SaxpyHost |part| {
        let (a, x, y): (f32, &[f32], &[f32]) = (part.scalar(0), part.read(1), part.read(2));
        own(part, 3).for_each(|(i, out)| *out = a * x[i] + y[i]);
    }
    Squares |part| {
        let x: &[f32] = part.read(0);
        own(part, 1).for_each(|(i, out)| *out = x[i] * x[i]);
    }
    SumsOfTwo |part| {
        let x: &[f32] = part.read(0);
        own(part, 1).for_each(|(i, out)| *out = x[i] + x[i + 1]);
    }
    CopyOf |part| {
        let x: &[f32] = part.read(0);
        own(part, 1).for_each(|(i, out)| *out = x[i]);
    }
    TurnOf |part| {
        let (x, n): (&[f32], isize) = (part.read(0), part.size(0));
        own(part, 1).for_each(|(i, out)| *out = x[(i + 1) % n as usize] + 1.0);
    }
    IsFarOf |part| {
        let x: &[f32] = part.read(0);
        own(part, 1).for_each(|(_, out)| *out = u8::from(x[0] > 20.0));
    }
    PartsHost |part| {
        let (x, n): (&[f32], &[i32]) = (part.read(0), part.read(1));
        let (slope, start, a, b): (f32, i32, f32, u8) = (part.scalar(2), part.scalar(3), part.scalar(4), part.scalar(5));
        own(part, 6).for_each(|(i, y)| *y = x[i] * slope + a);
        own(part, 7).for_each(|(i, m)| *m = n[i] + start + i32::from(b));
        // Where a work-item has no element, there is none to write.
        own(part, 8).for_each(|(_, first)| *first = x[0]);
        own(part, 9).for_each(|(_, s)| *s = slope + 1.0);
        own(part, 10).for_each(|(_, t)| *t = start + 1);
    }
    FallHost |part| {
        let g: f32 = part.scalar(2);
        let ((x, _), (v, _)) = (part.own::<f32>(0), part.own::<f32>(1));
        for (x, v) in x.iter_mut().zip(v) {
            *x += *v;
            *v -= g;
        }
    }
    BumpHost |part| {
        let (cells, which, n) = (part.shared::<f32>(0), part.read::<i32>(1), part.size(0));
        let status = part.status(3);
        for (k, out) in own(part, 2) {
            let i = which[k] as isize;
            let i = status.checked_index(i as u64, n, i.clamp(0, n - 1), 1, k as isize);
            *out = cells.get(i);
            cells.set(i, *out + 1.0);
        }
    }
    BumpFar |part| {
        let _ = part.status(3).checked_index(9, part.size(0), 0, 1, 4_294_967_303);
    }
    WaveHost |part| {
        let (p, before, c): (&[f32], &[f32], f32) = (part.read(0), part.read(1), part.scalar(2));
        own(part, 3).for_each(|(i, out)| *out = 2.0 * p[i] - before[i] + c * curvature(p, i));
    }
    HeatHost |part| {
        let (p, c): (&[f32], f32) = (part.read(0), part.scalar(1));
        own(part, 2).for_each(|(i, out)| *out = p[i] + c * curvature(p, i));
    }
    PairHost |part| {
        let (u, v): (&[f32], &[f32]) = (part.read(0), part.read(1));
        own(part, 2).for_each(|(i, out)| *out = v[i]);
        own(part, 3).for_each(|(i, out)| *out = u[i] + 1.0);
    }
}

pub(crate) const SAXPY: &[Variant] = &[compiled!(
    &[launched!("saxpy", super::THREE, A)],
    &[function!("saxpy", &[Use::Scalar(F32), Use::Read(F32), Use::Read(F32), Use::Own(F32, ONE)])],
)];

const FROM_TO: &[Use] = &[Use::Read(F32), Use::Own(F32, ONE)];

pub(crate) const STAGES: &[Variant] = &[compiled!(
        &[
            launched!("squares", &[Slot::Param(0), Slot::Temporary(0)], A),
            launched!("sums", &[Slot::Temporary(0), Slot::Result(0)], N_LESS_1),
        ],
        &[function!("squares", FROM_TO), function!("sums", FROM_TO)],
    temporaries: &[Temporary { elem: F32, dims: Borrowed(&[A]) }],
)];

const TURNS_HOST: Variant = Variant {
    functions: Borrowed(&[function!("copy", FROM_TO), function!("turn", FROM_TO)]),
    source: Variant::NAIVE.source,
    ..TURNS
};

pub(crate) const ALL_TURNS: &[Variant] = &[
    TURNS_HOST,
    Variant {
        name: Borrowed("all"),
        operations: Borrowed(&[
            launched!("copy", &[Slot::Param(0), Slot::Temporary(0)], A),
            Operation::Repeat(Count::Size(A), Borrowed(TURN)),
            launched!("copy", &[Slot::Temporary(0), Slot::Result(0)], A),
        ]),
        ..TURNS_HOST
    },
    Variant {
        name: Borrowed("until"),
        operations: TURNS_UNTIL,
        temporaries: TEMPORARIES_UNTIL,
        functions: Borrowed(&[
            function!("copy", FROM_TO),
            function!("turn", FROM_TO),
            function!("is_far", &[Use::Read(F32), Use::Own(ScalarType::Bool, ONE)]),
        ]),
        ..TURNS_HOST
    },
];

const PARTS_ARGS: &[Slot] = &[
    Slot::Param(0),
    Slot::Param(1),
    Slot::Param(2),
    Slot::Param(3),
    Slot::Param(4),
    Slot::Param(5),
    Slot::Result(0),
    Slot::Result(1),
    Slot::Result(2),
    Slot::Result(3),
    Slot::Result(4),
];

pub(crate) const PARTS: &[Variant] = &[compiled!(
    &[launched!("parts", PARTS_ARGS, A)],
    &[function!(
        "parts",
        &[
            Use::Read(F32),
            Use::Read(I32),
            Use::Scalar(F32),
            Use::Scalar(I32),
            Use::Scalar(F32),
            Use::Scalar(ScalarType::U8),
            Use::Own(F32, ONE),
            Use::Own(I32, ONE),
            Use::Own(F32, ONE),
            Use::Own(F32, ONE),
            Use::Own(I32, ONE),
        ],
    )],
)];

pub(crate) const FALL: &[Variant] = &[compiled!(
    &[launched!("fall", &[Slot::Param(0), Slot::Param(1), Slot::Param(2)], A)],
    &[function!("fall", &[Use::Own(F32, ONE), Use::Own(F32, ONE), Use::Scalar(F32)])],
)];

const USES_OF_BUMP: &[Use] = &[Use::Shared(F32), Use::Read(I32), Use::Own(F32, ONE), Use::Status];

pub(crate) const BUMP: &[Variant] = &[
    compiled!(OPERATIONS_OF_BUMP, &[function!("bump", USES_OF_BUMP)], sites: SITES_OF_BUMP),
    compiled!(
        &[launched!("far", &[Slot::Param(0), Slot::Param(1), Slot::Result(0), Slot::Status], ONE)],
        &[function!("far", USES_OF_BUMP)],
        name: "far",
        sites: SITES_OF_BUMP,
    ),
];

pub(crate) const WAVE: &[Variant] = &[compiled!(
    &[launched!("wave", super::THREE, A)],
    &[function!("wave", &[Use::Read(F32), Use::Read(F32), Use::Scalar(F32), Use::Own(F32, ONE)])],
)];

pub(crate) const HEAT: &[Variant] = &[compiled!(
    &[launched!("heat", super::TWO, A)],
    &[function!("heat", &[Use::Read(F32), Use::Scalar(F32), Use::Own(F32, ONE)])],
)];

pub(crate) const PAIR: &[Variant] = &[compiled!(
    &[launched!("both", &[Slot::Param(0), Slot::Param(1), Slot::Result(0), Slot::Result(1)], A)],
    &[function!("both", &[Use::Read(F32), Use::Read(F32), Use::Own(F32, ONE), Use::Own(F32, ONE)])],
)];
