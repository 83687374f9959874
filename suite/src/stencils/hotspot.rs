//! Rodinia's `hotspot`: the temperature of a chip from its floor plan's power, in two and in three dimensions
//! (Huang et al., *HotSpot*; *Tiling optimizations for stencil computations*, table 2). The nearest point stands for
//! what is outside.
//!
//! ```text
//! 2D: out = T + Δt/C·(P + (N + S - 2T)/Ry + (E + W - 2T)/Rx + (Tamb - T)/Rz)
//! 3D: out = cc·T + cn·N + cs·S + ce·E + cw·W + ct·(above + Tamb) + cb·below + Δt/C·P
//! ```
//!
//! In 3D, `above` is the next plane and `below` the one before.

use lift::prelude::*;
use ndarray::{Array2, Array3, ShapeBuilder};

use crate::input;
use crate::oracle::{Real, clamped2, clamped3, plane, volume};

lift!(
    const AMBIENT: f32 = 80.0;

    fn heat(step: f32, rx: f32, ry: f32, rz: f32, power: f32, t: [[f32; 3]; 3]) -> f32 {
        let centre = t[1][1];
        let vertical = (t[0][1] + t[2][1] - 2.0 * centre) / ry;
        let horizontal = (t[1][2] + t[1][0] - 2.0 * centre) / rx;
        centre + step * (power + vertical + horizontal + (AMBIENT - centre) / rz)
    }

    /// So many time steps in a plane; `step` is Δt/C.
    #[kernel]
    pub fn IteratedHotspot2d<N, M>(
        steps: usize,
        step: f32,
        rx: f32,
        ry: f32,
        rz: f32,
        power: [[f32; M]; N],
        temperature: [[f32; M]; N],
    ) -> [[f32; M]; N] {
        let warm = |t| zip2d(power, t.pad2d(1, 1, clamp).slide2d(3, 1)).map2d(heat(step, rx, ry, rz));
        iterate(steps, warm, temperature)
    }

    /// One time step in a plane; `step` is Δt/C.
    #[kernel]
    pub fn Hotspot2d<N, M>(
        step: f32,
        rx: f32,
        ry: f32,
        rz: f32,
        power: [[f32; M]; N],
        temperature: [[f32; M]; N],
    ) -> [[f32; M]; N] {
        zip2d(power, temperature.pad2d(1, 1, clamp).slide2d(3, 1)).map2d(heat(step, rx, ry, rz))
    }

    /// One time step in a stack of layers. The coefficients are those of the centre, of north, south, east, west, and
    /// of the layers above and below; `step` is Δt/C.
    #[kernel]
    pub fn Hotspot3d<N, M, O>(
        coefficients: [f32; 7],
        step: f32,
        power: [[[f32; O]; M]; N],
        temperature: [[[f32; O]; M]; N],
    ) -> [[[f32; O]; M]; N] {
        zip3d(power, temperature.pad3d(1, 1, 1, clamp).slide3d(3, 1)).map3d(|(power, t)| {
            let (north, south) = (t[1][0][1], t[1][2][1]);
            let (west, east) = (t[1][1][0], t[1][1][2]);
            let (below, above) = (t[0][1][1], t[2][1][1]);
            let near = [t[1][1][1], north, south, east, west, above + AMBIENT, below];
            step * power + zip(coefficients, near).map(mul).reduce(add, 0.0)
        })
    }
);

/// What the material of a chip makes of a step: Rodinia's constants.
#[derive(Debug, Clone, Copy)]
pub struct Chip {
    /// Δt/C.
    pub step: f32,
    /// Thermal resistance along a row.
    pub rx: f32,
    /// Thermal resistance along a column.
    pub ry: f32,
    /// Thermal resistance to the surroundings, or to the next layer.
    pub rz: f32,
}

impl Chip {
    /// A chip of so many layers. Rodinia's is always 16 mm wide, and its time step too long for more than 2048 points in a
    /// row; here a point is as large as with 512 of them.
    pub fn new(layers: usize) -> Chip {
        const POINT: f64 = 0.016 / 512.0;
        const THICKNESS: f64 = 0.0005;
        const CONDUCTIVITY: f64 = 100.0;
        const HEAT_CAPACITY: f64 = 0.5 * 1.75e6;
        const STEEPEST: f64 = 3.0e6 / (THICKNESS * HEAT_CAPACITY);
        let capacity = HEAT_CAPACITY * THICKNESS * POINT * POINT;
        let resistance = 1.0 / (2.0 * CONDUCTIVITY * THICKNESS);
        let depth = THICKNESS / layers as f64;
        Chip {
            step: (0.001 / STEEPEST / capacity) as f32,
            rx: resistance as f32,
            ry: resistance as f32,
            rz: (depth / (CONDUCTIVITY * POINT * POINT)) as f32,
        }
    }

    /// The coefficients in three dimensions: centre, north, south, east, west, above, below.
    pub fn coefficients(self) -> [f32; 7] {
        let (x, y, z) = (self.step / self.rx, self.step / self.ry, self.step / self.rz);
        [1.0 - (2.0 * x + 2.0 * y + 3.0 * z), y, y, x, x, z, z]
    }
}

/// Temperatures, in degrees.
pub fn temperature<S: ShapeBuilder>(shape: S) -> ndarray::Array<f32, S::Dim> {
    input::uniform(7, 320.0..345.0, shape)
}

/// The power that each point takes, in watts.
pub fn power<S: ShapeBuilder>(shape: S) -> ndarray::Array<f32, S::Dim> {
    input::uniform(8, 0.0..1.0, shape)
}

/// The definition in two dimensions.
pub fn hotspot2d<T: Real>(chip: Chip, power: &Array2<T>, temperature: &Array2<T>) -> Array2<f64> {
    let t = clamped2(temperature);
    let p = clamped2(power);
    let [step, rx, ry, rz] = [chip.step, chip.rx, chip.ry, chip.rz].map(f64::from);
    plane(power.dim(), |i, j| {
        let mut flow = p(i, j) + (80.0 - t(i, j)) / rz;
        flow += (t(i - 1, j) + t(i + 1, j) - 2.0 * t(i, j)) / ry;
        flow += (t(i, j - 1) + t(i, j + 1) - 2.0 * t(i, j)) / rx;
        t(i, j) + step * flow
    })
}

/// The definition in two dimensions, so many times.
pub fn iterated_hotspot2d<T: Real>(
    steps: usize,
    chip: Chip,
    power: &Array2<T>,
    temperature: &Array2<T>,
) -> Array2<f64> {
    let power = power.mapv(|x| x.into());
    (0..steps).fold(temperature.mapv(|x| x.into()), |t, _| hotspot2d(chip, &power, &t))
}

/// The definition in three dimensions.
pub fn hotspot3d<T: Real>(
    coefficients: [f32; 7],
    step: f32,
    power: &Array3<T>,
    temperature: &Array3<T>,
) -> Array3<f64> {
    let t = clamped3(temperature);
    let p = clamped3(power);
    let [cc, cn, cs, ce, cw, ct, cb] = coefficients.map(f64::from);
    volume(power.dim(), |i, j, k| {
        let rows = cn * t(i, j - 1, k) + cs * t(i, j + 1, k);
        let columns = cw * t(i, j, k - 1) + ce * t(i, j, k + 1);
        let layers = cb * t(i - 1, j, k) + ct * (t(i + 1, j, k) + 80.0);
        cc * t(i, j, k) + rows + columns + layers + f64::from(step) * p(i, j, k)
    })
}
