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
