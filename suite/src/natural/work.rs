//! A program with data: what Lift makes of it on a device, and the same as a loop.

use std::ops::Range;

use lift::ndarray::{Array, Dim, Dimension};
use lift::{Device, DeviceArray, Scalar};

/// A program that is measured.
pub struct Program {
    /// What it is called in tables.
    pub name: &'static str,
    /// What is measured; the loop takes 0.2 to 50 ms on one thread.
    pub sizes: &'static [usize],
    /// What is tested: awkward sizes.
    pub small: &'static [&'static [usize]],
    /// Makes data of these sizes, and all that is needed to compute with it.
    pub make: fn(&Device, &[usize]) -> lift::Result<Work>,
}

/// Launches of a kernel on data that is on a device.
pub(super) struct Ours {
    /// All versions that the device can run.
    pub(super) versions: Vec<&'static str>,
    pub(super) launch: Launch,
}

/// Launches this version and waits, and gives all elements of the result; without a version, launches the one that is chosen, and
/// gives its name.
type Launch = Box<dyn FnMut(Option<&'static str>) -> lift::Result<(&'static str, Vec<f64>)>>;

/// Runs the loop on so many threads; all elements of the result if they are asked for.
type Plain = Box<dyn FnMut(usize, bool) -> Vec<f64>>;

/// A program with data.
pub struct Work {
    pub(super) ours: Ours,
    pub(super) plain: Plain,
    tolerance: f64,
    stray: f64,
}

impl Work {
    /// A kernel's launches beside a loop that fills `result`.
    pub(super) fn new<T: Part + 'static>(
        ours: Ours,
        mut result: Vec<T>,
        mut plain: impl FnMut(usize, &mut [T]) + 'static,
    ) -> Work {
        let plain = Box::new(move |threads, look| {
            plain(threads, &mut result);
            if look { T::values(&result) } else { Vec::new() }
        });
        Work { ours, plain, tolerance: 1e-4, stray: 0.0 }
    }

    /// The same where rows of the result are computed independently of each other: `row(i, out)`.
    pub(super) fn of_rows<T: Part + Send + 'static>(
        ours: Ours,
        result: Vec<T>,
        width: usize,
        row: impl Fn(usize, &mut [T]) + Sync + 'static,
    ) -> Work {
        Work::new(ours, result, move |threads, out| rows(threads, out, width, &row))
    }

    /// Relative to an element, and to the mean of all.
    pub(super) fn within(mut self, tolerance: f64) -> Work {
        self.tolerance = tolerance;
        self
    }

    /// So large a part of the elements may be something else: what is rounded differently may be decided differently.
    pub(super) fn with_strays(mut self, part: f64) -> Work {
        self.stray = part;
        self
    }

    /// The version of the kernel that is chosen.
    ///
    /// # Errors
    ///
    /// A text that says why it cannot be launched.
    pub fn chosen(&mut self) -> Result<&'static str, String> {
        let (version, _) = (self.ours.launch)(None).map_err(|error| error.to_string())?;
        Ok(version)
    }

    /// All versions of the kernel that the device can run.
    pub fn versions(&self) -> &[&'static str] {
        &self.ours.versions
    }

    /// Whether these versions of the kernel and the loop, on one thread and on two, come to the same.
    ///
    /// # Errors
    ///
    /// A text that says where they do not, or why the kernel cannot be launched.
    pub fn check(&mut self, versions: &[&'static str]) -> Result<(), String> {
        let expected = (self.plain)(1, true);
        let on_two = (self.plain)(2, true);
        self.compare("two threads", &on_two, &expected)?;
        for version in versions {
            let (_, found) =
                (self.ours.launch)(Some(version)).map_err(|error| format!("{version}: {error}"))?;
            self.compare(version, &found, &expected)?;
        }
        Ok(())
    }

    fn compare(&self, who: &str, found: &[f64], expected: &[f64]) -> Result<(), String> {
        if found.len() != expected.len() {
            return Err(format!("{who}: {} elements, expected {}", found.len(), expected.len()));
        }
        let mean = expected.iter().map(|x| x.abs()).sum::<f64>() / expected.len().max(1) as f64;
        // Not of NaN.
        let agree = |a: f64, b: f64| (a - b).abs() <= self.tolerance * (b.abs() + mean);
        let mut wrong = found.iter().zip(expected).enumerate().filter(|(_, (a, b))| !agree(**a, **b));
        let Some((at, (a, b))) = wrong.next() else { return Ok(()) };
        let strays = 1 + wrong.count();
        if strays as f64 <= self.stray * expected.len() as f64 {
            return Ok(());
        }
        Err(format!("{who}: {strays} of {} elements differ, first {at}: {a}, expected {b}", expected.len()))
    }
}

/// An element of a loop's result.
pub(super) trait Part: Copy {
    /// All numbers in the order in which a device has them.
    fn values(all: &[Self]) -> Vec<f64>;
}

macro_rules! scalars {
    ($($scalar:ty),*) => {$(
        impl Part for $scalar {
            fn values(all: &[$scalar]) -> Vec<f64> {
                all.iter().map(|&x| x.into()).collect()
            }
        }
    )*};
}

scalars!(f32, f64, i32, u8, u32);

/// Tuples and structs: on a device, each part is an array of its own.
impl<T: Part, const N: usize> Part for [T; N] {
    fn values(all: &[[T; N]]) -> Vec<f64> {
        (0..N).flat_map(|part| T::values(&all.iter().map(|x| x[part]).collect::<Vec<T>>())).collect()
    }
}

/// All elements of an array on a device.
pub(super) fn download<T: Scalar + Into<f64>, const D: usize>(
    array: &DeviceArray<T, D>,
) -> lift::Result<Vec<f64>>
where
    Dim<[usize; D]>: Dimension,
{
    Ok(array.download()?.iter().map(|&x| x.into()).collect())
}

/// Launches of a kernel on a device, `ours!(device, Kernel(&x, 2.0) -> y)`: what is uploaded has been, and `y`, or
/// `(y, z)` or `PointArrays { y, z }`, are names of results.
macro_rules! ours {
    ($device:expr, $kernel:ident($($arg:expr),*) -> $result:ident) => {
        ours!(@parts $device, $kernel, [$($arg),*], mut $result, &mut $result, [$result])
    };
    ($device:expr, $kernel:ident($($arg:expr),*) -> ($($result:ident),*)) => {
        ours!(@parts $device, $kernel, [$($arg),*], ($(mut $result),*), ($(&mut $result),*), [$($result),*])
    };
    ($device:expr, $kernel:ident($($arg:expr),*) -> $arrays:ident { $($result:ident),* }) => {
        ours!(@parts $device, $kernel, [$($arg),*], $arrays { $(mut $result),* }, $arrays { $($result: &mut $result),* }, [$($result),*])
    };
    (@parts $device:expr, $kernel:ident, [$($arg:expr),*], $whole:pat, $parts:expr, [$($result:ident),*]) => {{
        let (kernel, queue) = ($kernel::on($device)?, $device.queue()?);
        let $whole = kernel.output($($arg),*)?;
        let versions = kernel.variant_names();
        let launch = Box::new(move |version: Option<&'static str>| {
            // One program for all sizes: drivers take their time for each.
            let chosen = version.map(|version| Ok::<_, lift::Error>(kernel.variant(version)?.specialise(false)));
            let chosen = chosen.transpose()?;
            let event = chosen.as_ref().unwrap_or(&kernel).launch(&queue, $($arg,)* $parts)?;
            event.wait()?;
            let mut values = Vec::new();
            if version.is_some() {
                $(values.extend($crate::natural::work::download(&$result)?);)*
            }
            Ok((event.variant(), values))
        });
        $crate::natural::work::Ours { versions, launch }
    }};
}

pub(super) use ours;

/// The elements of an array, row by row.
pub(super) fn flat<T, D: Dimension>(array: Array<T, D>) -> Vec<T> {
    array.into_raw_vec_and_offset().0
}

/// As many contiguous parts as there are threads.
pub(super) fn parts(threads: usize, n: usize) -> impl Iterator<Item = Range<usize>> {
    let each = n.div_ceil(threads).max(1);
    (0..threads).map(move |t| (t * each).min(n)..((t + 1) * each).min(n))
}

/// `row(i, out)` for all rows of a result, a part of them by each thread.
pub(super) fn rows<T: Send>(
    threads: usize,
    out: &mut [T],
    width: usize,
    row: impl Fn(usize, &mut [T]) + Sync,
) {
    let each = (out.len() / width).div_ceil(threads).max(1);
    chunks(threads, out, each * width, |t, out| {
        out.chunks_exact_mut(width).enumerate().for_each(|(i, out)| row(t * each + i, out));
    });
}

/// `chunk(i, out)` for all pieces of so many elements, each by a thread.
pub(super) fn chunks<T: Send>(
    threads: usize,
    out: &mut [T],
    size: usize,
    chunk: impl Fn(usize, &mut [T]) + Sync,
) {
    if threads == 1 {
        return out.chunks_mut(size).enumerate().for_each(|(i, out)| chunk(i, out));
    }
    std::thread::scope(|scope| {
        for (i, out) in out.chunks_mut(size).enumerate() {
            let chunk = &chunk;
            scope.spawn(move || chunk(i, out));
        }
    });
}

/// `strip(first, rows)` for strips of neighbouring columns, one for each thread: the number of its first column, and its piece of every row.
pub(super) fn strips<T: Send>(
    threads: usize,
    out: &mut [T],
    width: usize,
    strip: impl Fn(usize, &mut [&mut [T]]) + Sync,
) {
    let mut all: Vec<(usize, Vec<&mut [T]>)> =
        parts(threads, width).map(|part| (part.start, Vec::new())).collect();
    for mut row in out.chunks_exact_mut(width) {
        for (part, (_, strip)) in parts(threads, width).zip(&mut all) {
            let (piece, rest) = row.split_at_mut(part.len());
            strip.push(piece);
            row = rest;
        }
    }
    std::thread::scope(|scope| {
        for (first, mut rows) in all {
            let strip = &strip;
            let mut work = move || strip(first, &mut rows);
            if threads == 1 {
                work();
            } else {
                scope.spawn(work);
            }
        }
    });
}

/// What each thread makes of its part of `n` elements, in order.
pub(super) fn each<T: Send>(threads: usize, n: usize, part: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    if threads == 1 {
        return vec![part(0..n)];
    }
    std::thread::scope(|scope| {
        let started: Vec<_> = parts(threads, n).map(|range| scope.spawn(|| part(range))).collect();
        started.into_iter().map(|thread| thread.join().expect("a loop does not panic")).collect()
    })
}

/// A picture with a border, so that loops over windows need not look where they are.
pub(super) struct Padded {
    pixels: Vec<f32>,
    width: usize,
    border: usize,
}

impl Padded {
    /// Room for a picture of this size and a border.
    pub(super) fn new(height: usize, width: usize, border: usize) -> Padded {
        let all = width + 2 * border;
        Padded { pixels: vec![0.0; (height + 2 * border) * all], width: all, border }
    }

    /// A picture whose outermost pixels are repeated.
    pub(super) fn fill(&mut self, threads: usize, picture: &[f32]) {
        let (border, all) = (self.border, self.width);
        let width = all - 2 * border;
        let last = picture.len() / width - 1;
        rows(threads, &mut self.pixels, all, |y, out| {
            let y = y.saturating_sub(border).min(last);
            let row = &picture[y * width..][..width];
            out[..border].fill(row[0]);
            out[border..][..width].copy_from_slice(row);
            out[border + width..].fill(row[width - 1]);
        });
    }

    /// The `K` rows that windows around row `y` have.
    pub(super) fn rows<const K: usize>(&self, y: usize) -> [&[f32]; K] {
        std::array::from_fn(|k| &self.pixels[(y + k) * self.width..][..self.width])
    }

    /// `f` of every window of `K` by `K` pixels, which gets the window's rows and its column.
    pub(super) fn windows<const K: usize>(
        &mut self,
        threads: usize,
        picture: &[f32],
        out: &mut [f32],
        f: impl Fn(&[&[f32]; K], usize) -> f32 + Sync,
    ) {
        self.fill(threads, picture);
        let width = self.width - 2 * self.border;
        let padded = &*self;
        rows(threads, out, width, |y, out| {
            let window = padded.rows::<K>(y);
            for (x, out) in out.iter_mut().enumerate() {
                *out = f(&window, x);
            }
        });
    }
}
