use lift::prelude::*;

lift!(
    struct Star {
        x: f32,
        y: f32,
    }

    #[kernel]
    pub fn Blend<N, M>(image: [[f32; M]; N], weights: [f32; N]) -> ([f32; N], [f32; N]) {
        zip(image, weights).map(|(row, w)| (row.reduce(add, 0.0), w)).unzip()
    }

    #[kernel]
    pub fn Move<N>(stars: &mut [Star; N], speed: f32) {
        write_to(stars, stars.map(|s| Star { x: s.x + speed, y: s.y }));
    }
);

// What rustc says about arguments points at the parameter that the user declared.
fn main() -> lift::Result<()> {
    let device = Device::best()?;
    let (list, image) = (vec![1.0f32], vec![vec![1.0f32]]);
    let (on_device, rows) = (device.upload(&list)?, device.upload(&[[1.0f32]])?);
    let blend = Blend::on(&device)?;
    blend.run(&image, &list)?;
    blend.run(&[[1.0]], &on_device)?;
    let queue = device.queue()?;
    let (mut first, mut second) = (device.upload(&list)?, device.upload(&list)?);
    blend.launch(&queue, &rows, &on_device, &mut first, &mut second)?;
    blend.launch(&queue, &rows, &list, (&mut first, &mut second))?;
    let mut stars = StarArrays { x: list.clone(), y: list.clone() };
    Move::on(&device)?.run(stars.each_mut())?;
    Ok(())
}
