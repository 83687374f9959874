//! The impulse response of a room: what receivers hear of a click, one sample for each step in time. From it follows
//! how any sound is heard in the room.
//!
//! Each step is the air ([`super::volume`]), then the walls ([`super::walls`]): floor and ceiling absorb
//! all frequencies alike, all others resonate. Three grids, of the last, this and the next step, change their roles.

use lift::prelude::*;
use ndarray::{Array1, Array2, Array3};

use super::geometry::{CEILING, FLOOR, Room, Walls};
use super::volume::{self, Volume};
use super::walls::{self, FdMm, FiMm, Materials};

lift!(
    /// The pressure at some points.
    #[kernel]
    pub fn Listen<N, R>(receivers: [i32; R], grid: [f32; N]) -> [f32; R] {
        grid.gather(receivers)
    }
);

/// A room with a source and receivers.
pub struct Hall {
    /// The room.
    pub room: Room,
    /// What it is made of.
    pub materials: Materials,
    /// The number of the point where the click is.
    pub source: usize,
    /// The numbers of the points where it is heard.
    pub receivers: Array1<i32>,
    /// The Courant number λ.
    pub courant: f32,
    /// How much the air absorbs.
    pub absorption: f32,
}

impl Hall {
    /// A dome with three receivers on a line from its middle to a side.
    pub fn dome((height, depth, width): (usize, usize, usize), branches: usize) -> Hall {
        let point = |z: usize, y: usize, x: usize| (z * depth + y) * width + x;
        let middle = |x: usize| point(height / 4, depth / 2, x) as i32;
        Hall {
            room: Room::dome((height, depth, width)),
            materials: Materials::new(branches),
            source: point(height / 2, depth / 2, width / 2),
            receivers: [width / 2, width * 5 / 8, width * 3 / 4].map(middle).to_vec().into(),
            courant: 0.57,
            absorption: 0.0001,
        }
    }

    fn absorbing(&self) -> Walls {
        self.room.walls.of(|material| material == FLOOR || material == CEILING)
    }

    fn resonating(&self) -> Walls {
        self.room.walls.of(|material| material != FLOOR && material != CEILING)
    }
}

/// What the receivers hear, a row for each step.
///
/// # Errors
///
/// When the device fails, or has too little memory.
pub fn impulse_response(device: &Device, hall: &Hall, steps: usize) -> lift::Result<Array2<f32>> {
    let (air, listen) = (Volume::on(device)?, Listen::on(device)?);
    let (absorb, resonate) = (FiMm::on(device)?, FdMm::on(device)?);
    let queue = device.queue()?;

    let (n, m, o) = hall.room.neighbours.dim();
    let (volume, points) = ([n, m, o], [n * m * o]);
    let neighbours = device.upload(&hall.room.neighbours)?;
    let receivers = device.upload(&hall.receivers)?;
    let Materials { beta, b, d, i, f } = &hall.materials;
    let (beta, b, d) = (device.upload(beta)?, device.upload(b)?, device.upload(d)?);
    let (i, f) = (device.upload(i)?, device.upload(f)?);
    let absorbing = OnDevice::new(device, &hall.absorbing())?;
    let resonating = OnDevice::new(device, &hall.resonating())?;
    let states = Array2::<f32>::zeros((hall.materials.b.ncols(), resonating.index.shape()[0]));
    let (mut g, mut v) = (device.upload(&states)?, device.upload(&states)?);

    let silence = Array3::<f32>::zeros((n, m, o));
    let mut click = Array1::<f32>::zeros(n * m * o);
    click[hall.source] = 1.0;
    let mut previous = device.upload(&silence)?;
    let mut current = device.upload(&click)?.reshape(volume)?;
    let mut next = device.upload(&silence)?;

    let mut heard = Vec::new();
    for _ in 0..steps {
        air.launch(
            &queue,
            hall.courant * hall.courant,
            hall.absorption,
            &previous,
            &current,
            &neighbours,
            &mut next,
        )?;
        let (before, mut after) = (previous.reshape(points)?, next.reshape(points)?);
        let OnDevice { index, neighbours, material } = &absorbing;
        absorb.launch(&queue, hall.courant, &beta, index, neighbours, material, &before, &mut after)?;
        let OnDevice { index, neighbours, material } = &resonating;
        resonate.launch(
            &queue,
            hall.courant,
            &beta,
            &b,
            &d,
            &i,
            &f,
            index,
            neighbours,
            material,
            &before,
            &mut after,
            &mut g,
            &mut v,
        )?;
        let mut sample = device.alloc::<f32, 1>([hall.receivers.len()])?;
        listen.launch(&queue, &receivers, &after, &mut sample)?;
        heard.push(sample);
        (previous, current, next) = (current, after.reshape(volume)?, before.reshape(volume)?);
    }

    let mut response = Array2::zeros((steps, hall.receivers.len()));
    for (mut row, sample) in response.rows_mut().into_iter().zip(heard) {
        row.assign(&sample.download()?);
    }
    Ok(response)
}

/// Walls in a device's memory.
struct OnDevice {
    index: DeviceArray<i32, 1>,
    neighbours: DeviceArray<i32, 1>,
    material: DeviceArray<i32, 1>,
}

impl OnDevice {
    fn new(device: &Device, walls: &Walls) -> lift::Result<OnDevice> {
        Ok(OnDevice {
            index: device.upload(&walls.index)?,
            neighbours: device.upload(&walls.neighbours)?,
            material: device.upload(&walls.material)?,
        })
    }
}

/// The definition.
pub fn response(hall: &Hall, steps: usize) -> Array2<f64> {
    let shape = hall.room.neighbours.dim();
    let courant = f64::from(hall.courant);
    let (absorbing, resonating) = (hall.absorbing(), hall.resonating());
    let states = Array2::<f64>::zeros((hall.materials.b.ncols(), resonating.index.len()));
    let (mut g, mut v) = (states.clone(), states);
    let mut previous = Array3::<f64>::zeros(shape);
    let mut current = Array3::<f64>::zeros(shape);
    if let Some(source) = current.iter_mut().nth(hall.source) {
        *source = 1.0;
    }
    let mut response = Array2::zeros((steps, hall.receivers.len()));
    for mut sample in response.rows_mut() {
        let after = volume::air(
            courant * courant,
            f64::from(hall.absorption),
            &previous,
            &current,
            &hall.room.neighbours,
        );
        let (before, mut next) = (flat(&previous), flat(&after));
        next = walls::fi_mm(courant, &hall.materials.beta, &absorbing, &before, &next);
        (next, g, v) = walls::fd_mm(courant, &hall.materials, &resonating, &before, (&next, &g, &v));
        for (heard, &receiver) in sample.iter_mut().zip(&hall.receivers) {
            *heard = next[receiver as usize];
        }
        previous = current;
        current = Array3::from_shape_fn(shape, |(z, y, x)| next[(z * shape.1 + y) * shape.2 + x]);
    }
    response
}

fn flat(grid: &Array3<f64>) -> Array1<f64> {
    grid.iter().copied().collect()
}
