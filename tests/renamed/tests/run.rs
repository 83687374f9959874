//! Kernels run whatever the facade is called.

use gpu::{Device, f16, lift};
use lift_renamed::exported::{Sum, Twice};
use lift_renamed::{Half, Move, Point, PointArrays, Wave};

#[test]
fn kernels_run_under_another_name() -> gpu::Result<()> {
    let device = Device::best()?;
    let points = PointArrays { x: vec![1.0f32, 2.0], y: vec![3.0f32, 4.0] };
    let moved = Move::on(&device)?.run(points.each_ref(), Point { x: 1.0, y: -1.0 })?;
    assert_eq!((moved.x.to_vec(), moved.y.to_vec()), (vec![2.0, 3.0], vec![2.0, 3.0]));
    assert_eq!(Half::<f32>::on(&device)?.run(&[3.0f32])?.to_vec(), [1.5]);
    assert_eq!(size_of::<f16>(), 2);
    let mut wave = Wave::on(&device)?.start(&[1.0f32], &[0.5f32])?;
    wave.run(2)?;
    assert_eq!(wave.p()?.to_vec(), [2.0]);
    Ok(())
}

#[test]
fn kernels_of_exported_macros_run() -> gpu::Result<()> {
    let device = Device::best()?;
    assert_eq!(Sum::on(&device)?.run(&[1.0f32], &[2.0f32])?.to_vec(), [3.0]);
    assert_eq!(Twice::on(&device)?.run(&[4])?.to_vec(), [8]);
    Ok(())
}

#[test]
fn expressions_run_in_all_delimiters() -> gpu::Result<()> {
    let device = Device::best()?;
    let sum = lift!(|xs: [f32; 3]| xs.reduce(add, 0.0)).on(&device)?;
    assert_eq!(sum.run(&[1.0f32, 2.0, 3.0])?, 6.0);
    let most = lift! { |xs: [i32; 3]| xs.reduce(max, i32::MIN) }.on(&device)?;
    assert_eq!(most.run(&[1, 3, 2])?, 3);
    let next = lift_exports::lift![|xs: [i32; 2]| xs.map(|x| x + 1)].on(&device)?;
    assert_eq!(next.run(&[1, 2])?.to_vec(), [2, 3]);
    Ok(())
}

/// The entry in this crate's `lift-tune.toml` names the steps of a version that the compiler does not make by itself.
#[test]
fn versions_that_tuning_found_are_built_in() -> gpu::Result<()> {
    assert!(Sum::VARIANTS.iter().any(|variant| variant.name == "tuned_four"));
    let spec = <Sum as gpu::Kernel>::SPEC;
    let [tuned] = &*spec.tuned else { panic!("{:?}", spec.tuned) };
    assert_eq!((&*tuned.device, &*tuned.sizes), ("A device that nobody has", &[1_000_000][..]));
    // Nobody else takes it by itself.
    assert!([&spec.gpu_order, &spec.cpu_order].iter().all(|order| !order.contains(&"tuned_four".into())));
    let sum = Sum::on(&Device::all()?.remove(0))?.variant("tuned_four")?;
    let (xs, ys): (Vec<f32>, Vec<f32>) = (0..37).map(|i| (i as f32, 1.0)).unzip();
    assert_eq!(sum.run(&xs, &ys)?.to_vec(), (1..38).map(|i| i as f32).collect::<Vec<_>>());
    Ok(())
}
