//! Host data of types that answer differently each time they are asked: whatever comes of it, no kernel sees fewer
//! elements than it was told, and what is computed is computed from one answer.

#![cfg(feature = "opencl")]

mod kernels;

use std::borrow::Cow;
use std::cell::Cell;

use kernels::Saxpy;
use kernels::programs::{Bump, Fall, Heat, Line, Pair, Parts, Wave};
use lift_runtime::{AnyArray, Device, Error, HostArg, HostArray, HostArrayMut, Result, Shaped};
use ndarray::Array1;

/// So many that a buffer of one element would not do by chance.
const N: usize = 1 << 18;

fn device() -> Device {
    kernels::opencl()
}

/// Ones; but the question of this number is answered as if there was a single element, or two million.
struct Fickle {
    elements: Vec<f32>,
    wrong: usize,
    asked: Cell<usize>,
}

impl Fickle {
    fn new(wrong: usize) -> Fickle {
        Fickle { elements: vec![1.0; N], wrong, asked: Cell::new(0) }
    }

    fn is_wrong(&self) -> bool {
        let asked = self.asked.get();
        self.asked.set(asked + 1);
        asked == self.wrong
    }

    fn answer(&self) -> &[f32] {
        if self.is_wrong() { &self.elements[..1] } else { &self.elements }
    }

    fn extents(&self) -> [usize; 1] {
        if self.is_wrong() { [2_000_000] } else { [N] }
    }
}

impl AsRef<[f32]> for Fickle {
    fn as_ref(&self) -> &[f32] {
        self.answer()
    }
}

impl AsMut<[f32]> for Fickle {
    fn as_mut(&mut self) -> &mut [f32] {
        let len = self.answer().len();
        &mut self.elements[..len]
    }
}

impl Shaped<f32, 1> for &Fickle {
    fn shape(&self) -> [usize; 1] {
        self.extents()
    }
}

impl HostArray<f32, 1> for &Fickle {
    fn contiguous(&self) -> Cow<'_, [f32]> {
        Cow::Borrowed(self.answer())
    }
}

impl AnyArray<f32, 1> for &Fickle {
    fn to_arg(&self) -> HostArg<'_> {
        HostArg::array(self)
    }
}

impl Shaped<f32, 1> for &mut Fickle {
    fn shape(&self) -> [usize; 1] {
        self.extents()
    }
}

impl HostArrayMut<f32, 1> for &mut Fickle {
    fn contiguous(&self) -> Cow<'_, [f32]> {
        // Also as data that are made for the answer.
        if self.wrong.is_multiple_of(2) {
            Cow::Borrowed(self.answer())
        } else {
            Cow::Owned(self.answer().to_vec())
        }
    }

    fn overwrite(&mut self, elements: &[f32]) {
        let len = self.answer().len();
        self.elements[..len].iter_mut().zip(elements).for_each(|(to, from)| *to = *from);
    }
}

/// Uses data that lie at every one of the first questions: the result is that of ones, or an error about lengths.
fn always(expected: f32, mut compute: impl FnMut(&mut Fickle) -> Result<Array1<f32>>) {
    let mut right = 0;
    for wrong in 0..8 {
        match compute(&mut Fickle::new(wrong)) {
            Ok(found) => {
                assert_eq!(found.len(), N, "question {wrong}");
                assert!(
                    found.iter().all(|x| *x == expected),
                    "question {wrong}: {} is not {expected}",
                    found[N - 1]
                );
                right += 1;
            }
            Err(
                Error::SliceLength { .. }
                | Error::Shapes { .. }
                | Error::Arguments { .. }
                | Error::WriteShape { .. },
            ) => {}
            Err(other) => panic!("question {wrong}: {other}"),
        }
    }
    // There are not so many questions.
    assert!(right >= 4);
}

#[test]
fn run() {
    let (saxpy, zeros) = (Saxpy::on(&device()).unwrap(), vec![0.0; N]);
    always(2.0, |x| saxpy.run(2.0, &*x, &zeros));
    always(2.0, |x| saxpy.run(2.0, (&*x, [N]), &zeros));
    let (parts, zeros, line) = (Parts::on(&device()).unwrap(), vec![0; N], Line { slope: 3.0, start: 0 });
    always(3.0, |x| Ok(parts.run((&*x, &zeros), line, (0.0, 0))?.0.0));
    always(3.0, |x| Ok(parts.run(((&*x, [N]), &zeros), line, (0.0, 0))?.0.0));
}

/// The data may lie when they are written, too: the caller's array is then what the caller's type makes of it.
#[test]
fn updates() {
    let (bump, at) = (Bump::on(&device()).unwrap(), Array1::from_iter(0..N as i32));
    always(1.0, |x| bump.run(x, &at));
    always(1.0, |x| bump.run((x, [N]), &at));
    let (fall, v) = (Fall::on(&device()).unwrap(), vec![1.0; N]);
    always(1.0, |x| {
        let mut v = v.clone();
        fall.run((x, &mut v), 0.0)?;
        Ok(v.into())
    });
    always(3.0, |v| {
        let mut x = vec![2.0; N];
        fall.run((&mut x, (v, [N])), 0.0)?;
        Ok(x.into())
    });
}

#[test]
fn start_and_set() {
    let (heat, wave) = (Heat::on(&device()).unwrap(), Wave::on(&device()).unwrap());
    let (pair, fall) = (Pair::on(&device()).unwrap(), Fall::on(&device()).unwrap());
    let ones = vec![1.0; N];
    always(1.0, |x| heat.start(&*x, 0.0)?.p());
    always(1.0, |x| wave.start((&*x, [N]), &ones, 0.0)?.p());
    always(1.0, |x| Ok(pair.start((&ones, &*x))?.uv()?.1));
    always(1.0, |x| Ok(pair.start(((&*x, [N]), &ones))?.uv()?.0));
    always(2.0, |x| {
        let mut sim = fall.start((&ones, &*x), 0.0)?;
        sim.run(1)?;
        Ok(sim.bodies()?.0)
    });
    // Twice the state less the one before.
    let mut sim = wave.start(&ones, &ones, 0.0).unwrap();
    always(1.0, |x| {
        sim.set_p(&*x)?;
        sim.run(1)?;
        sim.p()
    });
    always(1.0, |x| {
        sim.set_p((&*x, [N]))?;
        sim.run(1)?;
        sim.p()
    });
}

#[test]
fn device_arrays() {
    let device = device();
    always(1.0, |x| device.upload(&*x)?.download());
    always(1.0, |x| device.upload((&*x, [N]))?.download());
    let mut array = device.upload(&vec![1.0; N]).unwrap();
    always(1.0, |x| {
        array.write(&*x)?;
        array.download()
    });
    // Only the shape is asked for.
    let (saxpy, zeros) = (Saxpy::on(&device).unwrap(), vec![0.0; N]);
    for wrong in 0..2 {
        let x = Fickle::new(wrong);
        match saxpy.output(1.0, &x, &zeros) {
            Ok(array) => assert_eq!(array.shape(), [N]),
            Err(error) => assert!(matches!(error, Error::Shapes { .. }), "{error}"),
        }
        assert_eq!(x.asked.get(), 1);
    }
}

/// A slice that does not have the shape passed with it is refused wherever data are taken.
#[test]
fn slices_that_are_shorter_than_said() {
    let device = device();
    let (short, long) = ([1.0_f32; 4], vec![1.0_f32; 1000]);
    let said = |error: Error| match error {
        Error::SliceLength { argument, expected: 1000, found: 4, .. } => argument,
        other => panic!("{other}"),
    };
    let mut sim = Wave::on(&device).unwrap().start(&long, &long, 0.0).unwrap();
    assert_eq!(said(sim.set_p((&short, [1000])).unwrap_err()), "p");
    sim.run(1).unwrap();
    assert_eq!(sim.p().unwrap(), Array1::from_elem(1000, 1.0));
    let wave = Wave::on(&device).unwrap();
    assert_eq!(said(wave.start(&long, (&short, [1000]), 0.0).unwrap_err()), "before");
    let bump = Bump::on(&device).unwrap();
    assert_eq!(said(bump.run((&mut short.clone(), [1000]), &[1]).unwrap_err()), "cells");
    assert_eq!(said(device.upload((&short, [1000])).unwrap_err()), "the data");
    let mut array = device.alloc::<f32, 1>([1000]).unwrap();
    assert_eq!(said(array.write((&short, [1000])).unwrap_err()), "the data");
}
