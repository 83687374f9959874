//! What a device can do at best: the speeds of kernels that do one thing each.

use std::time::{Duration, Instant};

use lift::prelude::*;
use lift::{DeviceArg, DeviceOut, Kernel};

use crate::Result;

lift!(
    /// Reads every element and writes another one.
    #[kernel]
    fn Scaled<N>(xs: [f32; N]) -> [f32; N] {
        xs.map(|x| 2.0 * x)
    }

    /// Eight chains of multiply-adds, so that none waits for another one.
    fn chains(
        x: f32,
        a: f32,
        b: f32,
        c: f32,
        d: f32,
        e: f32,
        f: f32,
        g: f32,
        h: f32,
    ) -> (f32, f32, f32, f32, f32, f32, f32, f32) {
        (a * x + x, b * x + x, c * x + x, d * x + x, e * x + x, f * x + x, g * x + x, h * x + x)
    }

    /// All chains together.
    fn sum(t: (f32, f32, f32, f32, f32, f32, f32, f32)) -> f32 {
        t.0 + t.1 + t.2 + t.3 + t.4 + t.5 + t.6 + t.7
    }

    /// Where chains start: at different numbers, so that no two are the same.
    fn start(x: f32) -> (f32, f32, f32, f32, f32, f32, f32, f32) {
        (x, x + 0.1, x + 0.2, x + 0.3, x + 0.4, x + 0.5, x + 0.6, x + 0.7)
    }

    /// Many multiply-adds for every element: nothing beside reading and writing it. GPUs are fastest.
    #[kernel]
    fn Long<N>(xs: [f32; N]) -> [f32; N] {
        xs.map(|x| sum(iterate(512, chains(x), start(x))))
    }

    fn four(x: f32, a: f32) -> f32 {
        let b = a * x + x;
        let c = b * x + x;
        let d = c * x + x;
        d * x + x
    }

    fn sixteen(x: f32, a: f32) -> f32 {
        four(x, four(x, four(x, four(x, a))))
    }

    /// Sixteen rounds without a loop: drivers for CPUs make vectors of work-items.
    #[kernel]
    fn Short<N>(xs: [f32; N]) -> [f32; N] {
        xs.map(|x| {
            let (a, b, c, d, e, f, g, h) = start(x);
            let low = sixteen(x, a) + sixteen(x, b) + sixteen(x, c) + sixteen(x, d);
            low + sixteen(x, e) + sixteen(x, f) + sixteen(x, g) + sixteen(x, h)
        })
    }
);

/// Operations of a round for each element: two for every multiply-add.
const ROUND: usize = 2 * 8;

/// Launches that count; one more comes before them.
const RUNS: usize = 9;

/// Elements of copies that caches may hold: which of them do depends on the device.
const CACHED: [usize; 4] = [1 << 16, 1 << 18, 1 << 20, 1 << 22];

/// A kernel's best version and its median time.
#[derive(Debug, Clone)]
pub(crate) struct Best {
    /// The version.
    pub(crate) version: &'static str,
    /// Between start and end on the device, without the time of a launch that does nothing.
    pub(crate) time: Duration,
    /// How much is done in this time: bytes, or operations.
    pub(crate) amount: f64,
}

impl Best {
    /// The same without what a launch costs that does nothing, which is half of a copy in a GPU's caches. Where it is nearly all, what
    /// is left would be noise.
    fn without(self, launch: Duration) -> Best {
        if 2 * self.time < 3 * launch { self } else { Best { time: self.time - launch, ..self } }
    }

    /// How much is done in a second.
    pub(crate) fn rate(&self) -> f64 {
        self.amount / self.time.as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

/// The ceilings of a device.
#[derive(Debug, Clone)]
pub(crate) struct Ceilings {
    /// A copy of more than caches hold.
    pub(crate) copy: Best,
    /// A copy in caches, of the size that is fastest.
    pub(crate) cached: Best,
    /// Multiply-adds in `f32`, each of which is two operations.
    pub(crate) multiply_adds: Best,
    /// A launch of one element, on the device.
    pub(crate) launch: Duration,
    /// The same from the call until the program knows that it is done.
    pub(crate) waited: Duration,
}

/// Measures a device. It takes a few seconds at most.
///
/// # Errors
///
/// When a kernel cannot be built or run.
pub(crate) fn measure(device: &Device) -> Result<Ceilings> {
    let each = if device.is_gpu() { 1 << 15 } else { 1 << 13 };
    let scaled = Scaled::on(device)?;
    let launch = best(&scaled, device, 1, 1.0)?.time;
    let copy = |n: usize| {
        best(&scaled, device, n, (2 * n * size_of::<f32>()) as f64).map(|best| best.without(launch))
    };
    let cached = CACHED.into_iter().map(copy).collect::<Result<Vec<_>>>()?;
    let n = each * device.compute_units();
    let operations = |n: usize, rounds: usize| (n * rounds * ROUND) as f64;
    let multiply_adds = [
        best(&Long::on(device)?, device, n, operations(n, 512))?.without(launch),
        best(&Short::on(device)?, device, 8 * n, operations(8 * n, 16))?.without(launch),
    ];
    Ok(Ceilings {
        copy: copy(large(device))?,
        cached: fastest(cached)?,
        multiply_adds: fastest(multiply_adds)?,
        launch,
        waited: waited(&scaled, device)?,
    })
}

/// The bytes that a copy of more than caches hold reads and writes in a second.
///
/// # Errors
///
/// When the copy cannot be built or run.
pub(crate) fn copy(device: &Device) -> Result<f64> {
    let n = large(device);
    Ok(best(&Scaled::on(device)?, device, n, (2 * n * size_of::<f32>()) as f64)?.rate())
}

/// So many elements are more than caches hold: an eighth of the memory for two arrays at most, where it is known.
fn large(device: &Device) -> usize {
    let large = if device.is_gpu() { 1 << 26 } else { 1 << 24 };
    match usize::try_from(device.global_mem_bytes() / 64).unwrap_or(large) {
        0 => large,
        most => large.min(most),
    }
}

fn fastest(all: impl IntoIterator<Item = Best>) -> Result<Best> {
    let fastest = all.into_iter().max_by(|one, other| one.rate().total_cmp(&other.rate()));
    fastest.ok_or_else(|| "the kernel has no version".into())
}

/// The fastest version of a kernel that makes one array of another one, with `n` elements each.
fn best(kernel: &impl Kernel, device: &Device, n: usize, amount: f64) -> Result<Best> {
    let queue = device.queue()?;
    let xs = device.upload(&vec![0.37f32; n])?;
    let mut out = device.alloc::<f32, 1>([n])?;
    let mut all = Vec::new();
    for version in kernel.launcher().variant_names() {
        let launcher = kernel.launcher().variant(version)?.specialise(true);
        let mut launch = || {
            let event = launcher.launch(&queue, &[DeviceArg::array(&xs)], &[DeviceOut::array(&mut out)])?;
            event.kernel_time()
        };
        all.push(Best { version, time: median(&mut launch)?, amount });
    }
    fastest(all)
}

/// How long a launch of one element takes until the program goes on.
fn waited(scaled: &Scaled, device: &Device) -> Result<Duration> {
    let queue = device.queue()?;
    let xs = device.upload(&[0.37f32])?;
    let mut out = scaled.output(&xs)?;
    median(&mut || {
        let start = Instant::now();
        scaled.launch(&queue, &xs, &mut out)?.wait()?;
        Ok(start.elapsed())
    })
}

fn median(run: &mut impl FnMut() -> lift::Result<Duration>) -> Result<Duration> {
    run()?;
    let mut times = (0..RUNS).map(|_| run()).collect::<lift::Result<Vec<_>>>()?;
    times.sort();
    Ok(times[RUNS / 2])
}
