//! The example: every filter with every boundary in every variant, against double precision on the host.

#[path = "../examples/blur/filters.rs"]
mod filters;
#[path = "../examples/blur/host.rs"]
mod host;

use clap::ValueEnum;
use filters::{Boundary, Filter};
use lift_laws::effort;

fn largest_error(height: usize, width: usize, radius: usize, variant: &str) -> f64 {
    let device = common::device();
    let queue = device.queue().expect("a queue");
    let mut data = common::Data::new(7);
    let pixels: Vec<u8> = (0..height * width).map(|_| data.next() as u8).collect();
    let plane = device.upload((pixels.as_slice(), [height, width])).expect("an upload");
    let host_plane = host::Plane { pixels: &pixels, height, width };
    let mut worst = 0.0_f64;
    for &filter in Filter::value_variants() {
        for &boundary in Boundary::value_variants() {
            let weights = filters::weights(filter, radius, radius as f32 / 3.0);
            let ready =
                filters::prepare(&device, filter, boundary, Some(variant), &weights).expect("a filter");
            assert!(ready.source.contains("global const uchar* restrict image"), "{}", ready.source);
            let (out, _) = ready.run(&queue, &plane).expect("a launch");
            let expected = host::filter(&host_plane, filter, boundary, &weights);
            let scale = expected.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
            for (found, expected) in out.download().expect("a download").iter().zip(&expected) {
                worst = worst.max((f64::from(*found) - expected).abs() / scale);
            }
        }
    }
    worst
}

#[test]
fn every_filter_boundary_and_variant() {
    let (variants, sizes) = (["naive", "tiled"], [(1, 1, 3), (2, 7, 8), (31, 37, 5), (20, 67, 8)]);
    let mut tried = 0;
    for (turn, variant) in variants.into_iter().enumerate() {
        // Sizes take turns, which both variants have at large ones.
        for (_, (height, width, radius)) in
            sizes.into_iter().enumerate().filter(|(i, _)| effort::has_turn(i.div_ceil(2), (turn, 2), 0))
        {
            tried += 1;
            let worst = largest_error(height, width, radius, variant);
            assert!(worst < 1e-5, "{variant}, {height}×{width}, radius {radius}: {worst:e}");
        }
    }
    effort::report("sizes of the filters of `blur`", tried, 2 * sizes.len());
}

#[test]
fn the_largest_and_the_smallest_radius() {
    for variant in ["naive", "tiled"] {
        for radius in [1, 32] {
            let worst = largest_error(11, 19, radius, variant);
            assert!(worst < 1e-5, "{variant}, radius {radius}: {worst:e}");
        }
    }
}
