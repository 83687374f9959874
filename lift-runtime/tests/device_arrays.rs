//! Arrays that stay on the device, queues and events.

#![cfg(feature = "opencl")]

mod kernels;

use kernels::{Blur, Large, Saxpy, Sums, Total, Windows};
use lift_runtime::{Device, DeviceArray, Error};
use ndarray::{Array1, Array2, arr1, arr2};

fn device() -> Device {
    kernels::opencl()
}

#[test]
fn arrays_of_every_type_come_back() {
    let device = device();
    assert_eq!(device.upload(&[1.5f32]).unwrap().download().unwrap(), arr1(&[1.5]));
    assert_eq!(device.upload(&[[-1, 2], [3, 4]]).unwrap().download().unwrap(), arr2(&[[-1, 2], [3, 4]]));
    assert_eq!(device.upload(&[7u8; 3]).unwrap().download().unwrap(), arr1(&[7u8; 3]));
    assert_eq!(device.upload(&[true, false]).unwrap().download().unwrap(), arr1(&[true, false]));
    assert_eq!(device.upload(&[usize::MAX, 0]).unwrap().download().unwrap(), arr1(&[usize::MAX, 0]));
    let view = arr2(&[[1, 2, 3], [4, 5, 6]]);
    assert_eq!(device.upload(view.t()).unwrap().download().unwrap(), view.t());
}

#[test]
fn arrays_without_elements_exist() {
    let device = device();
    let mut empty = device.upload(&Array2::<f32>::zeros((0, 5))).unwrap();
    assert_eq!(empty.shape(), [0, 5]);
    assert_eq!(empty.download().unwrap().shape(), [0, 5]);
    empty.write(&Array2::zeros((0, 5))).unwrap();
    let none = device.alloc::<i32, 3>([3, 0, 1]).unwrap();
    assert_eq!(none.download().unwrap().len(), 0);
}

#[test]
fn writing_replaces_everything() {
    let mut array = device().upload(&[1, 2, 3]).unwrap();
    array.write(&[4, 5, 6]).unwrap();
    assert_eq!(array.download().unwrap(), arr1(&[4, 5, 6]));
    let error = array.write(&[4, 5]).unwrap_err();
    assert_eq!(error.to_string(), "the device array is 3 elements, but the data written to it is 2 elements");
    assert_eq!(array.download().unwrap(), arr1(&[4, 5, 6]));
}

#[test]
fn a_launch_gives_an_event_with_a_time() {
    let device = device();
    let queue = device.queue().unwrap();
    let sums = Sums::on(&device).unwrap();
    let (x, marks) = (device.upload(&[1i32; 1280]).unwrap(), device.upload(&[0i32; 10]).unwrap());
    let mut out = sums.output(&x, &marks).unwrap();
    assert_eq!(sums.output_shape(&x, &marks).unwrap(), [10]);
    let event = sums.launch(&queue, &x, &marks, &mut out).unwrap();
    event.wait().unwrap();
    assert!(event.kernel_time().unwrap() > std::time::Duration::ZERO);
    // The device's order names two variants first that no device can run.
    assert_eq!(event.variant(), "grouped");
    assert_eq!(format!("{event:?}"), "Event(Sums grouped, done)");
    assert_eq!(out.download().unwrap(), arr1(&[128; 10]));
}

#[test]
fn a_single_value_is_an_array_of_rank_zero() {
    let device = device();
    let total = Total::on(&device).unwrap();
    let x = device.upload(&[1.0, 2.0, 4.0]).unwrap();
    let mut out = total.output(&x).unwrap();
    assert_eq!(total.output_shape(&x).unwrap(), [0usize; 0]);
    total.launch(&device.queue().unwrap(), &x, &mut out).unwrap();
    assert_eq!(out.download().unwrap()[()], 7.0);
}

#[test]
fn empty_launches_are_done_at_once() {
    let device = device();
    let queue = device.queue().unwrap();
    let windows = Windows::on(&device).unwrap();
    let x = device.upload(&[1.0, 2.0]).unwrap();
    let mut out = windows.output(&x).unwrap();
    let event = windows.launch(&queue, &x, &mut out).unwrap();
    event.wait().unwrap();
    assert_eq!(event.kernel_time().unwrap(), std::time::Duration::ZERO);
    assert_eq!(out.download().unwrap().len(), 0);
}

#[test]
fn shapes_are_checked_before_anything_is_enqueued() {
    let device = device();
    let queue = device.queue().unwrap();
    let saxpy = Saxpy::on(&device).unwrap();
    let (x, y) = (device.upload(&[0.0; 100]).unwrap(), device.upload(&[0.0; 99]).unwrap());
    let mut out = device.alloc([64]).unwrap();
    let error = saxpy.launch(&queue, 1.0, &x, &y, &mut out).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Saxpy: 2 of 3 arguments do not fit: `y` has 99 elements, expected N = 100 (from `x`); `out` has 64 \
         elements, expected N = 100 (from `x`)"
    );
    let blur = Blur::on(&device).unwrap();
    let image = device.alloc::<f32, 2>([512, 512]).unwrap();
    let mut out = device.alloc([512, 500]).unwrap();
    let weights = device.upload(&[1.0]).unwrap();
    let error = blur.launch(&queue, &image, &image, &weights, &mut out).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Blur: `out` is 512×500, but Blur returns [[f32; W]; H] with H = 512, W = 512 (from `image`)"
    );
}

/// Many dependent launches that alternate between queues: each must see what the one before wrote.
#[test]
fn queues_wait_for_each_other() {
    let device = device();
    let queues = [device.queue().unwrap(), device.new_queue().unwrap(), device.new_queue().unwrap()];
    let saxpy = Saxpy::on(&device).unwrap();
    let n = 100_003;
    let one = device.upload(&vec![1.0; n]).unwrap();
    let mut arrays = [device.upload(&vec![0.0; n]).unwrap(), device.alloc([n]).unwrap()];
    for step in 0..60 {
        let [from, to]: &mut [DeviceArray<f32, 1>; 2] = &mut arrays;
        saxpy.launch(&queues[step % 3], 1.0, from, &one, to).unwrap();
        arrays.swap(0, 1);
    }
    assert_eq!(arrays[0].download().unwrap(), Array1::from_elem(n, 60.0));
    queues.iter().for_each(|queue| queue.finish().unwrap());
}

/// A driver may copy a few bytes aside and write them later. Whatever comes next, on any queue, must see them.
#[test]
fn what_is_written_is_seen_by_all_queues() {
    let device = device();
    let queue = device.new_queue().unwrap();
    let mut to = device.alloc([2]).unwrap();
    for round in 0..300 {
        let from = device.upload(&[round, -round]).unwrap();
        to.copy_from(&queue, &from).unwrap();
        assert_eq!(to.download().unwrap(), arr1(&[round, -round]));
        to.write(&[7, 7]).unwrap();
        let mut again = device.alloc([2]).unwrap();
        again.copy_from(&queue, &to).unwrap();
        assert_eq!(again.download().unwrap(), arr1(&[7, 7]), "round {round}");
    }
}

/// The driver still needs arrays, queues and kernels that the program has already dropped.
#[test]
fn everything_may_be_dropped_right_after_a_launch() {
    let device = device();
    for round in 0..50 {
        let mut out = device.alloc([50_000]).unwrap();
        {
            let queue = device.new_queue().unwrap();
            let x = device.upload(&vec![round as f32; 50_000]).unwrap();
            let saxpy = Saxpy::on(&device).unwrap();
            saxpy.launch(&queue, 2.0, &x, &x, &mut out).unwrap();
            saxpy.launch(&queue, 2.0, &x, &x, &mut device.alloc([50_000]).unwrap()).unwrap();
        }
        assert_eq!(out.download().unwrap()[49_999], 3.0 * round as f32);
    }
}

#[test]
fn truth_is_any_byte_but_zero() {
    let device = device();
    let x = device.upload(&[2u8, 200]).unwrap();
    let mut out = device.alloc([2]).unwrap();
    Large::on(&device).unwrap().launch(&device.queue().unwrap(), &x, &mut out).unwrap();
    assert_eq!(out.download().unwrap(), arr1(&[false, true]));
}

#[test]
fn arrays_that_cannot_exist_are_errors() {
    let device = device();
    let error = device.alloc::<f32, 2>([usize::MAX, 2]).unwrap_err();
    assert_eq!(error.to_string(), format!("an array of {}×2 elements is too large to exist", usize::MAX));
    let error = device.alloc::<usize, 1>([1 << 50]).unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { bytes: 9_007_199_254_740_992, .. }), "{error:?}");
    let error = device.upload((&[1.0f32; 3], [2, 2])).unwrap_err();
    assert_eq!(error.to_string(), "`the data` is said to be 2×2, which is 4 elements, but has 3");
}

#[test]
fn debug_output_is_short() {
    let device = device();
    let array = device.upload(&[[1.0f32]]).unwrap();
    assert_eq!(format!("{array:?}"), format!("DeviceArray(f32 [1, 1] on {})", device.label()));
    assert_eq!(format!("{:?}", device.queue().unwrap()), format!("Queue({})", device.label()));
}

#[test]
fn queues_need_not_measure() {
    let device = device();
    let queue = device.new_untimed_queue().unwrap();
    let x = device.upload(&[1.0]).unwrap();
    let mut out = device.alloc([1]).unwrap();
    let event = Saxpy::on(&device).unwrap().launch(&queue, 1.0, &x, &x, &mut out).unwrap();
    assert_eq!(
        event.kernel_time().unwrap_err().to_string(),
        "Saxpy: clGetEventProfilingInfo failed with CL_PROFILING_INFO_NOT_AVAILABLE (-7)"
    );
    assert_eq!(out.download().unwrap(), arr1(&[2.0]));
}

/// More launches than a queue remembers, from several threads.
#[test]
fn many_launches_on_one_queue() {
    let device = device();
    let queue = device.queue().unwrap();
    let saxpy = Saxpy::on(&device).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let (device, queue, saxpy) = (&device, &queue, &saxpy);
            scope.spawn(move || {
                let one = device.upload(&[1.0; 77]).unwrap();
                let mut arrays = [device.upload(&[thread as f32; 77]).unwrap(), device.alloc([77]).unwrap()];
                for _ in 0..200 {
                    let [from, to] = &mut arrays;
                    saxpy.launch(queue, 1.0, from, &one, to).unwrap();
                    arrays.swap(0, 1);
                }
                assert_eq!(arrays[0].download().unwrap(), arr1(&[200.0 + thread as f32; 77]));
            });
        }
    });
    queue.finish().unwrap();
}
