//! Host data in, host data out, over sizes that are awkward for work-groups.

#![cfg(feature = "opencl")]

mod kernels;

use kernels::{Blur, Large, Mixed, Saxpy, Sums, Swap, Total, Windows};
use lift_runtime::{Device, Kernel, Unbound};
use ndarray::{Array1, Array2, Array3, arr1, s};

/// One, primes, and both sides of powers of two.
const LENGTHS: [usize; 9] = [1, 2, 7, 31, 32, 33, 257, 1021, 4096];

fn device() -> Device {
    kernels::opencl()
}

#[test]
fn saxpy_of_every_length() {
    let saxpy = Saxpy::on(&device()).unwrap();
    for n in LENGTHS {
        let x = Array1::from_iter((0..n).map(|i| i as f32));
        let y = Array1::from_iter((0..n).map(|i| 0.5 * i as f32));
        assert_eq!(saxpy.run(2.0, &x, &y).unwrap(), 2.0 * &x + &y, "{n}");
    }
}

#[test]
fn blur_of_every_shape_and_radius() {
    let blur = Blur::on(&device()).unwrap();
    for (h, w) in [(1, 1), (1, 97), (97, 1), (13, 17), (64, 64), (33, 257)] {
        for radius in [1usize, 2, 3] {
            let image = Array2::from_shape_fn((h, w), |(y, x)| ((7 * y + 3 * x) % 11) as f32);
            let mask = Array2::from_shape_fn((h, w), |(y, x)| ((y + x) % 2) as f32);
            let weights = Array1::from_iter((0..2 * radius + 1).map(|i| i as f32));
            let expected = Array2::from_shape_fn((h, w), |(y, x)| {
                let taps = (0..2 * radius + 1).filter(|tap| (radius..w + radius).contains(&(x + tap)));
                mask[[y, x]] * taps.map(|tap| weights[tap] * image[[y, x + tap - radius]]).sum::<f32>()
            });
            assert_eq!(blur.run(&image, &mask, &weights).unwrap(), expected, "{h}×{w}, {radius}");
        }
    }
}

#[test]
fn three_dimensions() {
    let swap = Swap::on(&device()).unwrap();
    for shape in [(1, 1, 1), (2, 3, 5), (7, 1, 33), (5, 31, 1)] {
        let x = Array3::from_shape_fn(shape, |(n, m, l)| (10_000 * n + 100 * m + l) as i32);
        let expected = x.clone().permuted_axes([1, 0, 2]);
        assert_eq!(swap.run(&x).unwrap(), expected);
        // A view in another order is read in the order of its own indices.
        assert_eq!(swap.run(x.view().permuted_axes([1, 0, 2])).unwrap(), x);
    }
    assert_eq!(swap.run(&[[[1, 2], [3, 4]]]).unwrap(), ndarray::arr3(&[[[1, 2]], [[3, 4]]]));
}

#[test]
fn strided_views_and_slices() {
    let saxpy = Saxpy::on(&device()).unwrap();
    let matrix = Array2::from_shape_fn((5, 4), |(row, column)| (10 * row + column) as f32);
    let column = matrix.column(2);
    let result = saxpy.run(1.0, column, matrix.slice(s![..;-1, 0])).unwrap();
    assert_eq!(result, arr1(&[42.0, 42.0, 42.0, 42.0, 42.0]));
    let vector = vec![1.0f32, 2.0];
    assert_eq!(saxpy.run(3.0, &vector, &vector[..]).unwrap(), arr1(&[4.0, 8.0]));
    assert_eq!(saxpy.run(3.0, &[1.0, 2.0], (&vector, [2])).unwrap(), arr1(&[4.0, 8.0]));
    let blur = Blur::on(&device()).unwrap();
    let (pixels, ones) = ([1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [[1.0f32; 2]; 3]);
    let result = blur.run((&pixels[..], [3, 2]), &ones, &[0.0, 2.0, 0.0]).unwrap();
    assert_eq!(result, ndarray::arr2(&[[2.0, 4.0], [6.0, 8.0], [10.0, 12.0]]));
}

#[test]
fn a_single_value() {
    let sum = Total::on(&device()).unwrap();
    for n in LENGTHS {
        assert_eq!(sum.run(&vec![1.0; n]).unwrap(), n as f32);
    }
}

#[test]
fn groups_with_local_memory_and_a_tunable() {
    let sums = Sums::on(&device()).unwrap();
    for m in [1usize, 2, 5, 37] {
        let x = Array1::from_iter((0..128 * m).map(|i| i as i32 % 1000));
        let marks = Array1::from_iter((0..m).map(|i| 1_000_000 * i as i32));
        let expected =
            Array1::from_iter((0..m).map(|i| marks[i] + x.slice(s![128 * i..128 * (i + 1)]).sum()));
        assert_eq!(sums.run(&x, &marks).unwrap(), expected);
        for variant in ["naive", "grouped"] {
            assert_eq!(sums.variant(variant).unwrap().run(&x, &marks).unwrap(), expected, "{variant}");
        }
        for group in [1, 3, 64, 128] {
            assert_eq!(sums.with("GROUP", group).unwrap().run(&x, &marks).unwrap(), expected, "{group}");
        }
    }
}

#[test]
fn all_scalar_types() {
    let mixed = Mixed::on(&device()).unwrap();
    let result = mixed.run(&[1, 2], &[true, false], &[100_000, usize::MAX - 5000], 3, true, 7, -1).unwrap();
    assert_eq!(result, arr1(&[101_000 + 7 + 3 + 10 + 20 - 1, usize::MAX - 5000 + 2000 + 7 + 3 + 20 - 1]));
    let large = Large::on(&device()).unwrap();
    assert_eq!(large.run(&[0, 3, 4, 255]).unwrap(), arr1(&[false, false, true, true]));
}

#[test]
fn empty_results_need_no_device() {
    let saxpy = Saxpy::on(&device()).unwrap();
    assert_eq!(saxpy.run(1.0, &[0.0; 0], &[0.0; 0]).unwrap().len(), 0);
    assert_eq!(Windows::on(&device()).unwrap().run(&[1.0, 2.0]).unwrap().len(), 0);
    let swap = Swap::on(&device()).unwrap();
    assert_eq!(swap.run(&Array3::zeros((0, 3, 4))).unwrap().shape(), [3, 0, 4]);
}

#[test]
fn each_combination_is_built_once() {
    let device = device();
    let zeros = Array2::<f32>::zeros((19, 23));
    let run = || {
        let blur = Blur::on(&device).unwrap();
        blur.run(&zeros, &zeros, &[1.0; 3]).unwrap();
        blur.launcher().built_on_device()
    };
    let before = run();
    // Launchers share what was built. Other tests build on the same device meanwhile, but not that much.
    for _ in 0..200 {
        run();
    }
    assert!(run() < before + 100);
}

#[test]
fn launchers_are_values() {
    fn is_value<T: Clone + Send + Sync + std::fmt::Debug + 'static>(_: &T) {}
    let device = device();
    let sums = Sums::on(&device).unwrap();
    is_value(&sums);
    let tuned = sums.variant("grouped").unwrap().with("GROUP", 64).unwrap();
    assert_eq!(tuned.selected(), Some("grouped"));
    assert_eq!(sums.selected(), None);
    assert_eq!(format!("{tuned:?}"), format!("Sums on {}, variant grouped, GROUP = 64", device.label()));
    assert!(tuned.source().contains("__local"));
    assert!(Sums::VARIANTS[0].source.text().contains("m * 128 + i"));
    assert_eq!(Sums::VARIANTS.len(), 5);
    assert_eq!(Saxpy::TYPE, "(f32, [f32; N], [f32; N]) -> [f32; N]");
    assert_eq!(tuned.device(), &device);
    let unbound = Unbound::<Saxpy>::new();
    assert_eq!(unbound.on(&device).unwrap().run(1.0, &[1.0], &[2.0]).unwrap(), arr1(&[3.0]));
}

#[test]
fn one_launcher_in_many_threads() {
    let saxpy = Saxpy::on(&device()).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let saxpy = &saxpy;
            scope.spawn(move || {
                for n in 1..40 {
                    let x = Array1::from_elem(n, thread as f32);
                    assert_eq!(saxpy.run(n as f32, &x, &x).unwrap(), (n + 1) as f32 * &x);
                }
            });
        }
    });
}

#[test]
fn launchers_may_be_private_and_local() {
    lift_runtime::__kernel! {
        attrs: [], vis: [], name: Here, ty: "", spec: unsafe { kernels::TOTAL }, params: [(x: array f32, 1)], result: (scalar f32)
    }
    assert_eq!(Here::on(&device()).unwrap().run(&[1.0, 2.0]).unwrap(), 3.0);
}
