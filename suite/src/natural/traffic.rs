//! Programs with little arithmetic at the sizes of a GPU: what counts is how often they read and write their arrays.

use std::fmt::Write;
use std::time::Duration;

use lift::{Device, DeviceArray, prelude::*};

use crate::input::uniform;

lift!(
    /// What the others are compared with.
    #[kernel]
    pub fn Copy<N>(xs: [f32; N]) -> [f32; N] {
        xs.map(id)
    }

    #[kernel]
    pub fn PrefixSum<N>(xs: [f32; N]) -> [f32; N] {
        xs.scan(add, 0.0)
    }

    #[kernel]
    pub fn RowPrefixes<N, M>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows.map(scan(add, 0.0))
    }

    #[kernel]
    pub fn ColumnPrefixes<N, M>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows.transpose().map(scan(add, 0.0)).transpose()
    }

    /// The sum of all pixels above and left of each.
    #[kernel]
    pub fn Integral<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        image.map(scan(add, 0.0)).transpose().map(scan(add, 0.0)).transpose()
    }

    #[kernel]
    pub fn Transposed<N, M>(rows: [[f32; M]; N]) -> [[f32; N]; M] {
        rows.transpose()
    }

    /// The symmetric part of a matrix.
    #[kernel]
    pub fn Symmetric<N>(a: [[f32; N]; N]) -> [[f32; N]; N] {
        zip2d(a, a.transpose()).map2d(|(x, y)| 0.5 * (x + y))
    }

    #[kernel]
    pub fn RowSums<N, M>(rows: [[f32; M]; N]) -> [f32; N] {
        rows.map(reduce(add, 0.0))
    }

    #[kernel]
    pub fn ColumnSums<N, M>(rows: [[f32; M]; N]) -> [f32; M] {
        rows.transpose().map(reduce(add, 0.0))
    }

    /// `Aᵀx`
    #[kernel]
    pub fn TransposedTimesVector<N, M>(a: [[f32; M]; N], x: [f32; N]) -> [f32; M] {
        a.transpose().map(|column| zip(column, x).map(mul).reduce(add, 0.0))
    }

    #[kernel]
    pub fn Softmax<N, M>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows.map(|row| {
            let most = row.reduce(max, f32::NEG_INFINITY);
            let powers = row.map(|x| (x - most).exp());
            let sum = powers.reduce(add, 0.0);
            powers.map(|p| p / sum)
        })
    }

    #[kernel]
    pub fn LayerNorm<N, M>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows.map(|row| {
            let mean = row.reduce(add, 0.0) / M as f32;
            let variance = row.map(|x| (x - mean) * (x - mean)).reduce(add, 0.0) / M as f32;
            let scale = 1.0 / (variance + 1e-5).sqrt();
            row.map(|x| (x - mean) * scale)
        })
    }

    #[kernel]
    pub fn Largest<N>(xs: [f32; N]) -> [f32; 1] {
        [xs.reduce(max, f32::NEG_INFINITY)]
    }

    /// Where the largest element is.
    #[kernel]
    pub fn WhereLargest<N>(xs: [f32; N]) -> [u32; 1] {
        [xs.argmax().0 as u32]
    }

    #[kernel]
    pub fn Histogram<N>(bytes: [u8; N]) -> [u32; 256] {
        bytes.histogram(256)
    }

    /// The lowest price of each of 64 products.
    #[kernel]
    pub fn Lowest<N>(products: [u8; N], prices: [f32; N]) -> [f32; 64] {
        reduce_by_key(64, min, f32::INFINITY, products, prices)
    }
);

type Measure = fn(&Device, usize, usize, bool) -> lift::Result<Vec<(&'static str, Duration)>>;

/// A program.
pub struct Program {
    /// What it is called.
    pub name: &'static str,
    /// How many bytes it must read and write for a matrix of so many elements.
    bytes: fn(u64) -> u64,
    /// How long its versions take: the chosen one first.
    run: Measure,
}

/// How long a version of a program takes.
pub struct Measured {
    name: &'static str,
    version: &'static str,
    time: Duration,
    bytes: u64,
}

impl Program {
    /// Whether this is what the others are compared with.
    #[must_use]
    pub fn is_copy(&self) -> bool {
        self.name == "copy"
    }

    /// Runs a program, compares its result with that of the version `naive`, and measures it.
    ///
    /// # Errors
    ///
    /// A text that says why it cannot run, or that its result is wrong.
    pub fn measure(
        &self,
        device: &Device,
        size: usize,
        runs: usize,
        all: bool,
    ) -> Result<Vec<Measured>, String> {
        let times = (self.run)(device, size, runs, all).map_err(|error| error.to_string())?;
        let bytes = (self.bytes)((size * size) as u64);
        Ok(times
            .into_iter()
            .map(|(version, time)| Measured { name: self.name, version, time, bytes })
            .collect())
    }
}

/// Numbers as they are compared.
trait Number {
    fn number(&self) -> f64;
}

impl Number for f32 {
    fn number(&self) -> f64 {
        f64::from(*self)
    }
}

impl Number for u32 {
    fn number(&self) -> f64 {
        f64::from(*self)
    }
}

/// How far results may be apart, relative to the largest: sums are regrouped.
const TOLERANCE: f64 = 1e-3;

fn assert_same(version: &str, a: &[f64], b: &[f64]) {
    let scale = b.iter().fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()));
    let worst =
        a.iter().zip(b).position(|(x, y)| (x - y).abs() > TOLERANCE * scale || x.is_nan() != y.is_nan());
    assert!(a.len() == b.len() && worst.is_none(), "{version}: element {worst:?} differs");
}

macro_rules! program {
    ($name:literal, $kernel:ident, $bytes:expr, |$device:ident, $size:ident| $args:expr, ($($arg:ident),+)) => {
        Program {
            name: $name,
            bytes: $bytes,
            run: |$device, $size, runs, all| {
                let ($($arg,)+) = $args;
                let queue = $device.queue()?;
                let kernel = $kernel::on($device)?;
                let mut out = kernel.output($(&$arg),+)?;
                let chosen = kernel.launch(&queue, $(&$arg,)+ &mut out)?.variant();
                let names = kernel.variant_names();
                let others = names.into_iter().filter(|name| all && *name != chosen);
                let mut expected = None;
                let mut found = Vec::new();
                for version in std::iter::once(chosen).chain(others) {
                    let kernel = kernel.variant(version)?;
                    let mut times = Vec::new();
                    for _ in 0..runs + 2 {
                        times.push(kernel.launch(&queue, $(&$arg,)+ &mut out)?.kernel_time()?);
                    }
                    let result = out.download()?.iter().map(|x| x.number()).collect::<Vec<f64>>();
                    if expected.is_none() && chosen != "naive" {
                        $kernel::on($device)?.variant("naive")?.launch(&queue, $(&$arg,)+ &mut out)?;
                        expected = Some(out.download()?.iter().map(|x| x.number()).collect::<Vec<f64>>());
                    }
                    assert_same(version, &result, expected.get_or_insert_with(|| result.clone()));
                    // The first two warm up.
                    times.drain(..2);
                    times.sort();
                    found.push((version, times[times.len() / 2]));
                }
                Ok(found)
            },
        }
    };
}

fn vector(device: &Device, len: usize) -> lift::Result<DeviceArray<f32, 1>> {
    device.upload(&uniform(7, 0.0..1.0, len))
}

fn matrix(device: &Device, size: usize) -> lift::Result<DeviceArray<f32, 2>> {
    device.upload(&uniform(7, 0.0..1.0, (size, size)))
}

fn bytes(device: &Device, len: usize, most: f32) -> lift::Result<DeviceArray<u8, 1>> {
    device.upload(&uniform(8, 0.0..most, len).mapv(|x| x as u8))
}

/// All programs.
#[must_use]
pub fn programs() -> Vec<Program> {
    vec![
        program!("copy", Copy, |n| 32 * n, |device, size| (vector(device, 4 * size * size)?,), (xs)),
        program!(
            "prefix sum",
            PrefixSum,
            |n| 32 * n,
            |device, size| (vector(device, 4 * size * size)?,),
            (xs)
        ),
        program!("prefixes of rows", RowPrefixes, |n| 8 * n, |device, size| (matrix(device, size)?,), (rows)),
        program!(
            "prefixes of columns",
            ColumnPrefixes,
            |n| 8 * n,
            |device, size| (matrix(device, size)?,),
            (rows)
        ),
        program!("integral image", Integral, |n| 8 * n, |device, size| (matrix(device, size)?,), (rows)),
        program!("transposed", Transposed, |n| 8 * n, |device, size| (matrix(device, size)?,), (rows)),
        program!("symmetric part", Symmetric, |n| 8 * n, |device, size| (matrix(device, size)?,), (rows)),
        program!("sums of rows", RowSums, |n| 4 * n, |device, size| (matrix(device, size)?,), (rows)),
        program!("sums of columns", ColumnSums, |n| 4 * n, |device, size| (matrix(device, size)?,), (rows)),
        program!(
            "Aᵀx",
            TransposedTimesVector,
            |n| 4 * n,
            |device, size| (matrix(device, size)?, vector(device, size)?),
            (a, x)
        ),
        program!("softmax", Softmax, |n| 8 * n, |device, size| (matrix(device, size)?,), (rows)),
        program!("layer norm", LayerNorm, |n| 8 * n, |device, size| (matrix(device, size)?,), (rows)),
        program!("largest", Largest, |n| 16 * n, |device, size| (vector(device, 4 * size * size)?,), (xs)),
        program!(
            "where the largest is",
            WhereLargest,
            |n| 16 * n,
            |device, size| (vector(device, 4 * size * size)?,),
            (xs)
        ),
        program!(
            "histogram",
            Histogram,
            |n| 4 * n,
            |device, size| (bytes(device, 4 * size * size, 256.0)?,),
            (xs)
        ),
        program!(
            "lowest by key",
            Lowest,
            |n| 5 * n,
            |device, size| { (bytes(device, size * size, 64.0)?, vector(device, size * size)?) },
            (products, prices)
        ),
    ]
}

/// A table in Markdown.
#[must_use]
pub fn table(measured: &[Measured]) -> String {
    let mut text =
        String::from("| program | version | ms | GB/s | copy / ours |\n| --- | --- | ---: | ---: | ---: |\n");
    let rate = |it: &Measured| it.bytes as f64 / it.time.as_secs_f64() / 1e9;
    let copy = measured.first().map_or(f64::NAN, rate);
    for it in measured {
        let (ms, rate) = (it.time.as_secs_f64() * 1e3, rate(it));
        let _ = writeln!(text, "| {} | {} | {ms:.3} | {rate:.0} | {:.2} |", it.name, it.version, rate / copy);
    }
    text
}
