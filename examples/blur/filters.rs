//! The filters: one `lift!` block per boundary.
//!
//! A boundary is part of the expression, so that each of them compiles to its own kernels; the macro below
//! only spares writing the block five times.

use lift::prelude::*;

macro_rules! filters {
    ($module:ident, $boundary:expr) => {
        pub mod $module {
            use lift::prelude::*;

            lift!(
                /// Weighted sum of a window. A pixel's weight is that of its row times that of its column.
                fn weigh(weights: [f32; 2 * R + 1], window: [[u8; 2 * R + 1]; 2 * R + 1]) -> f32 {
                    zip(weights, window).map(|(w, row)| w * dot(weights, row)).reduce(add, 0.0)
                }

                fn dot(weights: [f32; K], row: [u8; K]) -> f32 {
                    zip(weights, row).map(|(w, pixel)| w * (pixel as f32)).reduce(add, 0.0)
                }

                /// The length of the brightness gradient: large at edges.
                fn gradient(w: [[u8; 3]; 3]) -> f32 {
                    let right = w[0][2] as f32 + 2.0 * (w[1][2] as f32) + w[2][2] as f32;
                    let left = w[0][0] as f32 + 2.0 * (w[1][0] as f32) + w[2][0] as f32;
                    let below = w[2][0] as f32 + 2.0 * (w[2][1] as f32) + w[2][2] as f32;
                    let above = w[0][0] as f32 + 2.0 * (w[0][1] as f32) + w[0][2] as f32;
                    let (dx, dy) = (right - left, below - above);
                    (dx * dx + dy * dy).sqrt()
                }

                /// Weighted mean of each pixel's neighbourhood.
                #[kernel]
                pub fn Smooth<R, H, W>(weights: [f32; 2 * R + 1], image: [[u8; W]; H]) -> [[f32; W]; H] {
                    image.pad2d(R, R, $boundary).slide2d(2 * R + 1, 1).map2d(weigh(weights))
                }

                /// Each pixel moved away from the mean of its neighbourhood.
                #[kernel]
                pub fn Sharpen<R, H, W>(
                    weights: [f32; 2 * R + 1],
                    amount: f32,
                    image: [[u8; W]; H],
                ) -> [[f32; W]; H] {
                    image.pad2d(R, R, $boundary).slide2d(2 * R + 1, 1).map2d(|window| {
                        let centre = window[R][R] as f32;
                        centre + amount * (centre - weigh(weights, window))
                    })
                }

                /// Edges.
                #[kernel]
                pub fn Sobel<H, W>(image: [[u8; W]; H]) -> [[f32; W]; H] {
                    image.pad2d(1, 1, $boundary).slide2d(3, 1).map2d(gradient)
                }
            );
        }
    };
}

filters!(clamp, clamp);
filters!(mirror, mirror);
filters!(reflect, reflect);
filters!(wrap, wrap);
filters!(constant, constant(0));

/// What to do with the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Filter {
    /// Weights that fall off like a bell.
    Gaussian,
    /// All weights equal.
    Box,
    /// Edges.
    Sobel,
    /// The opposite of blurring.
    Sharpen,
}

/// What lies outside the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Boundary {
    /// The nearest pixel.
    Clamp,
    /// The picture mirrored, the edge repeated.
    Mirror,
    /// The picture mirrored, the edge not repeated.
    Reflect,
    /// The picture again.
    Wrap,
    /// Black.
    Constant,
}

/// Starts a filter on one channel: the result's array, and the event that tells when it is there.
type Run = dyn Fn(&Queue, &DeviceArray<u8, 2>) -> lift::Result<(DeviceArray<f32, 2>, Event)>;

/// A filter on a device, ready to run.
pub struct Ready {
    run: Box<Run>,
    /// The OpenCL text; none where the device runs what is compiled to Rust.
    pub source: String,
}

impl Ready {
    /// Filters one channel.
    pub fn run(
        &self,
        queue: &Queue,
        plane: &DeviceArray<u8, 2>,
    ) -> lift::Result<(DeviceArray<f32, 2>, Event)> {
        (self.run)(queue, plane)
    }
}

macro_rules! prepare {
    ($module:ident, $device:ident, $filter:ident, $variant:ident, $weights:ident) => {{
        let weights = $device.upload($weights)?;
        let device = $device.clone();
        macro_rules! ready {
            ($kernel:ident, |$k:ident, $queue:ident, $plane:ident, $out:ident| $launch:expr) => {{
                let $k = $module::$kernel::on($device)?;
                let $k = match $variant {
                    Some(name) => $k.variant(name)?,
                    None => $k,
                };
                let source = $k.source();
                let run = move |$queue: &Queue, $plane: &DeviceArray<u8, 2>| {
                    let mut $out = device.alloc::<f32, 2>($plane.shape())?;
                    let event = $launch?;
                    Ok(($out, event))
                };
                Ready { run: Box::new(run), source }
            }};
        }
        match $filter {
            Filter::Gaussian | Filter::Box => {
                ready!(Smooth, |k, queue, plane, out| k.launch(queue, &weights, plane, &mut out))
            }
            Filter::Sharpen => {
                ready!(Sharpen, |k, queue, plane, out| k.launch(queue, &weights, 1.0, plane, &mut out))
            }
            Filter::Sobel => ready!(Sobel, |k, queue, plane, out| k.launch(queue, plane, &mut out)),
        }
    }};
}

/// The filter on the device, in the given variant or the one that suits the device.
pub fn prepare(
    device: &Device,
    filter: Filter,
    boundary: Boundary,
    variant: Option<&str>,
    weights: &[f32],
) -> lift::Result<Ready> {
    Ok(match boundary {
        Boundary::Clamp => prepare!(clamp, device, filter, variant, weights),
        Boundary::Mirror => prepare!(mirror, device, filter, variant, weights),
        Boundary::Reflect => prepare!(reflect, device, filter, variant, weights),
        Boundary::Wrap => prepare!(wrap, device, filter, variant, weights),
        Boundary::Constant => prepare!(constant, device, filter, variant, weights),
    })
}

/// The weights of one row of the window: they add up to one.
pub fn weights(filter: Filter, radius: usize, sigma: f32) -> Vec<f32> {
    let weight = |i: usize| match filter {
        Filter::Box | Filter::Sobel => 1.0,
        Filter::Gaussian | Filter::Sharpen => {
            let x = i as f64 - radius as f64;
            (-x * x / (2.0 * f64::from(sigma).powi(2))).exp()
        }
    };
    let raw: Vec<f64> = (0..=2 * radius).map(weight).collect();
    let sum: f64 = raw.iter().sum();
    raw.iter().map(|w| (w / sum) as f32).collect()
}
