//! The versions of one kernel against each other: a 17×17 convolution, by the device's own clock.
//!
//! `LIFT_DEVICE` chooses the device, `LIFT_BENCH_SIZE` the number of rows and columns.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lift::prelude::*;
use ndarray::Array2;

lift!(
    fn weigh(weights: [[f32; 17]; 17], nbh: [[f32; 17]; 17]) -> f32 {
        zip(weights.join(), nbh.join()).map(mul).reduce(add, 0.0)
    }

    #[kernel]
    pub fn Convolve<H, W>(weights: [[f32; 17]; 17], image: [[f32; W]; H]) -> [[f32; W]; H] {
        image.pad2d(8, 8, clamp).slide2d(17, 1).map2d(weigh(weights))
    }
);

fn variants(criterion: &mut Criterion) {
    let device = Device::best().expect("an OpenCL device");
    let queue = device.queue().expect("a queue");
    let size = std::env::var("LIFT_BENCH_SIZE").ok().and_then(|s| s.parse().ok()).unwrap_or(512);
    let weights = device.upload(&Array2::from_elem((17, 17), 1.0_f32 / 289.0)).expect("an upload");
    let image = Array2::from_shape_fn((size, size), |(row, col)| ((row * 31 + col * 17) % 255) as f32);
    let image = device.upload(&image).expect("an upload");
    let mut out = device.alloc::<f32, 2>([size, size]).expect("an allocation");

    let mut group = criterion.benchmark_group(format!("convolve 17x17 {size}x{size} on {}", device.name()));
    group.throughput(Throughput::Elements((size * size) as u64)).sample_size(10);
    for variant in Convolve::VARIANTS {
        let convolve = Convolve::on(&device).and_then(|k| k.variant(&variant.name)).expect("a variant");
        // The first launch builds the program.
        convolve.launch(&queue, &weights, &image, &mut out).and_then(|e| e.wait()).expect("a launch");
        group.bench_function(&*variant.name, |bencher| {
            bencher.iter_custom(|runs| {
                let time = |_| {
                    let event = convolve.launch(&queue, &weights, &image, &mut out).expect("a launch");
                    event.kernel_time().expect("profiling")
                };
                (0..runs).map(time).sum::<Duration>()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, variants);
criterion_main!(benches);
