//! Programs with little arithmetic at the sizes of a GPU: what counts is how often they read and write their arrays.

use std::fmt::Write;
use std::time::Duration;

use lift::{Device, DeviceArray, prelude::*};

use super::rows::{LayerNorm, Softmax};
use super::scans::{IntegralImage, PrefixSum};
use crate::input::uniform;

lift!(
    /// What the others are compared with.
    #[kernel]
    pub fn Copy<N>(xs: [f32; N]) -> [f32; N] {
        xs.map(id)
    }

    #[kernel]
    pub fn RowPrefixes<N, M>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows.map(scan(add, 0.0))
    }

    #[kernel]
    pub fn ColumnPrefixes<N, M>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows.transpose().map(scan(add, 0.0)).transpose()
    }

    #[kernel]
    pub fn Transposed<N, M>(rows: [[f32; M]; N]) -> [[f32; N]; M] {
        rows.transpose()
    }

    #[kernel]
    pub fn WithTransposed<N, M>(a: [[f32; M]; N], b: [[f32; N]; M]) -> [[f32; M]; N] {
        zip2d(a, b.transpose()).map2d(add)
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

    fn blur<N>(line: [f32; N]) -> [f32; N] {
        line.pad(2, 2, clamp).slide(5, 1).map(|w| (w[0] + 4.0 * w[1] + 6.0 * w[2] + 4.0 * w[3] + w[4]) / 16.0)
    }

    #[kernel]
    pub fn BlurredRows<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        image.map(blur)
    }

    #[kernel]
    pub fn BlurredColumns<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        image.transpose().map(blur).transpose()
    }

    /// First the rows, and then the columns.
    #[kernel]
    pub fn Blurred<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
        image.map(blur).transpose().map(blur).transpose()
    }

    #[kernel]
    pub fn ColumnSoftmax<N, M>(rows: [[f32; M]; N]) -> [[f32; M]; N] {
        rows.transpose()
            .map(|column| {
                let top = column.reduce(max, f32::NEG_INFINITY);
                let powers = column.map(|x| exp(x - top));
                let sum = powers.reduce(add, 0.0);
                powers.map(|x| x / sum)
            })
            .transpose()
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

type Measure = fn(&Device, [usize; 2], usize, bool) -> lift::Result<Vec<(&'static str, Duration)>>;

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
        shape: [usize; 2],
        runs: usize,
        all: bool,
    ) -> Result<Vec<Measured>, String> {
        let times = (self.run)(device, shape, runs, all).map_err(|error| error.to_string())?;
        let bytes = (self.bytes)(shape.iter().product::<usize>() as u64);
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

/// How far results may be apart, relative to the largest: sums are regrouped, and one of four million products that is added up in order is off by 0.002.
const TOLERANCE: f64 = 4e-3;

fn assert_same(version: &str, a: &[f64], b: &[f64]) {
    let scale = b.iter().fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()));
    let worst =
        a.iter().zip(b).position(|(x, y)| (x - y).abs() > TOLERANCE * scale || x.is_nan() != y.is_nan());
    assert!(a.len() == b.len() && worst.is_none(), "{version}: element {worst:?} differs");
}

macro_rules! program {
    ($name:literal, $kernel:ident, $bytes:expr, |$device:ident, $rows:ident, $columns:ident| $args:expr, ($($arg:ident),+)) => {
        Program {
            name: $name,
            bytes: $bytes,
            run: |$device, [$rows, $columns], runs, all| {
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
                    let tried = kernel.launch(&queue, $(&$arg,)+ &mut out);
                    if let (Err(error), true) = (&tried, version != chosen) {
                        eprintln!("without {version}: {error}");
                        continue;
                    }
                    tried?.wait()?;
                    let mut times = Vec::new();
                    for _ in 0..runs + 1 {
                        times.push(kernel.launch(&queue, $(&$arg,)+ &mut out)?.kernel_time()?);
                    }
                    let result = out.download()?.iter().map(|x| x.number()).collect::<Vec<f64>>();
                    if expected.is_none() && chosen != "naive" {
                        $kernel::on($device)?.variant("naive")?.launch(&queue, $(&$arg,)+ &mut out)?;
                        expected = Some(out.download()?.iter().map(|x| x.number()).collect::<Vec<f64>>());
                    }
                    assert_same(version, &result, expected.get_or_insert_with(|| result.clone()));
                    // The first one warms up, too.
                    times.remove(0);
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

fn matrix(device: &Device, rows: usize, columns: usize) -> lift::Result<DeviceArray<f32, 2>> {
    device.upload(&uniform(7, 0.0..1.0, (rows, columns)))
}

fn bytes(device: &Device, len: usize, most: f32) -> lift::Result<DeviceArray<u8, 1>> {
    device.upload(&uniform(8, 0.0..most, len).mapv(|x| x as u8))
}

/// A program of an array that has four times as many elements as a matrix.
macro_rules! of_vector {
    ($name:literal, $kernel:ident, $bytes:expr) => {
        program!($name, $kernel, $bytes, |device, rows, columns| (vector(device, 4 * rows * columns)?,), (xs))
    };
}

/// A program of a matrix.
macro_rules! of_matrix {
    ($name:literal, $kernel:ident, $bytes:expr) => {
        program!($name, $kernel, $bytes, |device, rows, columns| (matrix(device, rows, columns)?,), (xs))
    };
}

/// All programs.
#[must_use]
pub fn programs() -> Vec<Program> {
    vec![
        of_vector!("copy", Copy, |n| 32 * n),
        of_vector!("prefix sum", PrefixSum, |n| 32 * n),
        of_matrix!("prefixes of rows", RowPrefixes, |n| 8 * n),
        of_matrix!("prefixes of columns", ColumnPrefixes, |n| 8 * n),
        of_matrix!("integral image", IntegralImage, |n| 8 * n),
        of_matrix!("transposed", Transposed, |n| 8 * n),
        program!(
            "sum with a transposed matrix",
            WithTransposed,
            |n| 12 * n,
            |device, rows, columns| (matrix(device, rows, columns)?, matrix(device, columns, rows)?),
            (a, b)
        ),
        of_matrix!("sums of rows", RowSums, |n| 4 * n),
        of_matrix!("sums of columns", ColumnSums, |n| 4 * n),
        program!(
            "Aᵀx",
            TransposedTimesVector,
            |n| 4 * n,
            |device, rows, columns| (matrix(device, rows, columns)?, vector(device, rows)?),
            (a, x)
        ),
        of_matrix!("softmax", Softmax, |n| 8 * n),
        program!(
            "layer norm",
            LayerNorm,
            |n| 8 * n,
            |device, rows, columns| {
                (matrix(device, rows, columns)?, vector(device, columns)?, vector(device, columns)?)
            },
            (xs, gain, bias)
        ),
        of_matrix!("softmax of columns", ColumnSoftmax, |n| 8 * n),
        of_matrix!("blur of rows", BlurredRows, |n| 8 * n),
        of_matrix!("blur of columns", BlurredColumns, |n| 8 * n),
        of_matrix!("blur of rows, then of columns", Blurred, |n| 8 * n),
        of_vector!("largest", Largest, |n| 16 * n),
        of_vector!("where the largest is", WhereLargest, |n| 16 * n),
        program!(
            "histogram",
            Histogram,
            |n| 4 * n,
            |device, rows, columns| (bytes(device, 4 * rows * columns, 256.0)?,),
            (xs)
        ),
        program!(
            "lowest by key",
            Lowest,
            |n| 5 * n,
            |device, rows, columns| {
                (bytes(device, rows * columns, 64.0)?, vector(device, rows * columns)?)
            },
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
