//! Programs of several launches, several results, arrays that are updated in place, and bad indices.

#![allow(unsafe_code, reason = "one kernel is launched without checks")]

mod kernels;

use kernels::programs::{Bump, Fall, Line, LineArrays, Parts, Stages, Turns};
use lift_runtime::Error;
use ndarray::{Array1, arr1, arr2};

/// What `Turns` means.
fn turned(mut x: Vec<f32>, times: usize) -> Array1<f32> {
    for _ in 0..times {
        x.rotate_left(1);
        x.iter_mut().for_each(|element| *element += 1.0);
    }
    x.into()
}

fn numbers(n: usize) -> Vec<f32> {
    (0..n).map(|i| (i * i % 17) as f32).collect()
}

#[test]
fn a_temporary_carries_data_from_one_launch_to_the_next() {
    for device in kernels::devices() {
        let stages = Stages::on(&device).unwrap();
        for n in [2, 3, 64, 1000] {
            let x = numbers(n);
            let expected = Array1::from_iter(x.windows(2).map(|it| it[0] * it[0] + it[1] * it[1]));
            assert_eq!(stages.run(&x).unwrap(), expected);
        }
        // The result is empty, so nothing happens.
        assert_eq!(stages.run(&[1.0]).unwrap().len(), 0);
    }
}

#[test]
fn host_loops_run_as_often_as_an_argument_says() {
    for device in kernels::devices() {
        let turns = Turns::on(&device).unwrap();
        for k in [0, 1, 2, 7] {
            assert_eq!(turns.run(&numbers(10), k).unwrap(), turned(numbers(10), k), "{k}");
        }
        // More than a queue remembers.
        assert_eq!(turns.run(&numbers(10), 3001).unwrap(), turned(numbers(10), 3001));
    }
}

#[test]
fn host_loops_run_as_often_as_a_size_says() {
    for device in kernels::devices() {
        let turns = Turns::on(&device).unwrap().variant("all").unwrap();
        for n in [1, 2, 5] {
            assert_eq!(turns.run(&numbers(n), 0).unwrap(), turned(numbers(n), n), "{n}");
        }
    }
}

#[test]
fn host_loops_end_when_a_temporary_says_so() {
    for device in kernels::devices() {
        let turns = Turns::on(&device).unwrap().variant("until").unwrap();
        let mut ended = 0;
        for (n, k) in [(1, 100), (10, 100), (10, 3), (10, 0), (257, 2000)] {
            let is_far = |times: &usize| turned(numbers(n), *times)[0] > 20.0;
            let times = (0..k).find(is_far).unwrap_or(k);
            ended += usize::from(times < k);
            assert_eq!(turns.run(&numbers(n), k).unwrap(), turned(numbers(n), times), "{n} {k}");
        }
        assert_eq!(ended, 3);
    }
}

/// Temporaries are shared by all launches on a device, which must not notice.
#[test]
fn launches_on_several_queues_do_not_disturb_each_other() {
    for device in kernels::devices() {
        let turns = Turns::on(&device).unwrap();
        let queues =
            [device.queue().unwrap(), device.new_queue().unwrap(), device.new_untimed_queue().unwrap()];
        let n = 20_000;
        let mut launched = Vec::new();
        for round in 0..30 {
            let x = device.upload(&vec![round as f32; n]).unwrap();
            let mut out = turns.output(&x, 0).unwrap();
            let event = turns.launch(&queues[round % 3], &x, round, &mut out).unwrap();
            launched.push((event, out));
        }
        for (round, (event, out)) in launched.iter().enumerate() {
            assert_eq!(out.download().unwrap(), arr1(&vec![2.0 * round as f32; n]), "{round}");
            event.wait().unwrap();
        }
        assert!(launched[1].0.kernel_time().unwrap() > std::time::Duration::ZERO);
    }
}

#[test]
fn tuples_and_structs_travel_as_their_parts() {
    for device in kernels::devices() {
        let parts = Parts::on(&device).unwrap();
        let (line, pair) = (Line { slope: 2.0, start: 10 }, (0.5, 3u8));
        let ((y, m), (first, next)) = parts.run((&[1.0, 2.0], &[5, 6]), line, pair).unwrap();
        assert_eq!((y, m), (arr1(&[2.5, 4.5]), arr1(&[18, 19])));
        assert_eq!((first, next), (1.0, Line { slope: 3.0, start: 11 }));

        let (x, n) = (device.upload(&[1.0, 2.0]).unwrap(), device.upload(&[5, 6]).unwrap());
        assert_eq!(
            parts.output_shape((&x, &n), line, pair).unwrap(),
            (([2], [2]), ([], LineArrays { slope: [], start: [] }))
        );
        let ((mut y, mut m), (mut first, LineArrays { mut slope, mut start })) =
            parts.output((&x, &n), line, pair).unwrap();
        let out = ((&mut y, &mut m), (&mut first, LineArrays { slope: &mut slope, start: &mut start }));
        parts.launch(&device.queue().unwrap(), (&x, &n), line, pair, out).unwrap();
        assert_eq!((y.download().unwrap(), m.download().unwrap()), (arr1(&[2.5, 4.5]), arr1(&[18, 19])));
        assert_eq!((slope.download().unwrap()[()], start.download().unwrap()[()]), (3.0, 11));

        let error = parts.run((&[1.0, 2.0], &[5]), line, pair).unwrap_err();
        assert_eq!(error.to_string(), "Parts: `points.1` has 1 element, expected N = 2 (from `points.0`)");
    }
}

#[test]
fn arrays_are_updated_in_place() {
    for device in kernels::devices() {
        let fall = Fall::on(&device).unwrap();
        let (mut x, mut table) = (vec![0.0, 10.0], arr2(&[[1.0, 7.0], [2.0, 7.0]]));
        fall.run((&mut x, table.column_mut(0)), 0.5).unwrap();
        fall.run((&mut x, table.column_mut(0)), 0.5).unwrap();
        assert_eq!((&x[..], table), (&[1.5, 13.5][..], arr2(&[[0.0, 7.0], [1.0, 7.0]])));

        let mut bodies = (device.upload(&x).unwrap(), device.upload(&[0.0, 1.0]).unwrap());
        let queue = device.queue().unwrap();
        for _ in 0..100 {
            fall.launch(&queue, (&mut bodies.0, &mut bodies.1), 0.0).unwrap();
        }
        assert_eq!(bodies.0.download().unwrap(), arr1(&[1.5, 113.5]));
        // Nothing is there to update.
        fall.run((&mut [], &mut []), 0.5).unwrap();
    }
}

#[test]
fn a_failed_run_leaves_its_arguments_alone() {
    for device in kernels::devices() {
        let bump = Bump::on(&device).unwrap();
        let mut cells = [1.0, 2.0, 3.0];
        assert_eq!(bump.run(&mut cells, &[2, 0]).unwrap(), arr1(&[3.0, 1.0]));
        assert_eq!(cells, [2.0, 2.0, 4.0]);
        let error = bump.run(&mut cells, &[2, 0, 1, -7]).unwrap_err();
        assert_eq!(
            error,
            Error::IndexOutOfRange {
                kernel: "Bump",
                operation: "gather",
                written: "cells.gather(which)",
                indices: "which",
                position: vec![3],
                index: -7,
                len: 3
            }
        );
        assert_eq!(
            error.to_string(),
            "Bump: `which[3]` is -7, but `cells.gather(which)` takes indices in 0..3"
        );
        assert_eq!(cells, [2.0, 2.0, 4.0]);
        // Positions have 64 bits.
        let error = bump.variant("far").unwrap().run(&mut cells, &[0]).unwrap_err().to_string();
        assert_eq!(error, "Bump: `which[4294967303]` is 9, but `cells.gather(which)` takes indices in 0..3");
        // The same program is fine afterwards.
        bump.run(&mut cells, &[1]).unwrap();
        assert_eq!(cells, [2.0, 3.0, 4.0]);
    }
}

#[test]
fn a_bad_index_is_reported_by_whoever_asks_first() {
    for device in kernels::devices() {
        let queue = device.queue().unwrap();
        let (bump, fall) = (Bump::on(&device).unwrap(), Fall::on(&device).unwrap());
        let mut cells = device.upload(&[0.0; 4]).unwrap();
        let (good, bad) = (device.upload(&[0, 1]).unwrap(), device.upload(&[0, 4]).unwrap());
        let mut out = device.alloc([2]).unwrap();
        bump.launch(&queue, &mut cells, &good, &mut out).unwrap().wait().unwrap();
        assert_eq!(cells.download().unwrap(), arr1(&[1.0, 1.0, 0.0, 0.0]));

        let event = bump.launch(&queue, &mut cells, &bad, &mut out).unwrap();
        let error = event.wait().unwrap_err();
        assert!(
            matches!(&error, Error::IndexOutOfRange { position, index: 4, len: 4, .. } if position == &[1]),
            "{error}"
        );
        assert_eq!(out.download().unwrap_err(), error);
        assert_eq!(cells.download().unwrap_err(), error);

        // What is computed from that is not to be trusted either, on whatever queue, nor is a copy.
        let mut speeds = device.upload(&[0.0; 4]).unwrap();
        let other = device.new_queue().unwrap();
        fall.launch(&other, (&mut cells, &mut speeds), 1.0).unwrap();
        assert_eq!(speeds.download().unwrap_err(), error);
        let mut copy = device.alloc([4]).unwrap();
        copy.copy_from(&queue, &speeds).unwrap();
        assert_eq!(copy.download().unwrap_err(), error);
        // New data is.
        cells.write(&[5.0; 4]).unwrap();
        assert_eq!(cells.download().unwrap(), arr1(&[5.0; 4]));
        bump.launch(&queue, &mut cells, &good, &mut out).unwrap();
        assert_eq!(out.download().unwrap(), arr1(&[5.0, 5.0]));
    }
}

#[test]
fn unchecked_kernels_do_not_check() {
    for device in kernels::devices() {
        // SAFETY: the text uses the nearest index.
        let bump = unsafe { Bump::on(&device).unwrap().unchecked() };
        let mut cells = [1.0, 2.0];
        assert_eq!(bump.run(&mut cells, &[9]).unwrap(), arr1(&[2.0]));
        assert_eq!(cells, [1.0, 3.0]);
    }
}

#[test]
#[cfg(feature = "opencl")]
fn errors_name_the_function() {
    let wrong = kernels::programs::Wrong::on(&kernels::opencl()).unwrap();
    let text = wrong.run(&[1.0]).unwrap_err().to_string();
    assert_eq!(text, "Wrong (in `less`): clSetKernelArg failed with CL_INVALID_ARG_INDEX (-49)");
    let text = wrong.variant("swapped").unwrap().run(&[1.0]).unwrap_err().to_string();
    assert_eq!(
        text,
        "Wrong: the kernel's description is malformed: variant `swapped`: it swaps a temporary that does not exist"
    );
    let text = wrong.variant("left").unwrap().run(&[1.0]).unwrap_err().to_string();
    assert!(text.ends_with("a temporary decides that does not exist"), "{text}");
    let text = wrong.variant("counted").unwrap().run(&[1.0]).unwrap_err().to_string();
    assert!(text.ends_with("a number of repetitions is not an integer parameter"), "{text}");
}
