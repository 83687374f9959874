//! Rooms on a grid: which points are inside, and which of them are next to a wall.

use ndarray::{Array1, Array3};

/// A room. The outermost points of its grid are outside.
pub struct Room {
    /// How many of a point's six neighbours are inside; 0 for a point that is itself outside.
    pub neighbours: Array3<i32>,
    /// The points next to a wall.
    pub walls: Walls,
}

/// Points next to a wall: inside, with less than six neighbours that are inside too.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Walls {
    /// The point's number in the grid, counted along the rows first.
    pub index: Array1<i32>,
    /// How many of the point's neighbours are inside.
    pub neighbours: Array1<i32>,
    /// What the wall is made of: [`FLOOR`], [`CEILING`] or [`SIDE`].
    pub material: Array1<i32>,
}

/// The material of the floor.
pub const FLOOR: i32 = 0;
/// The material of the ceiling.
pub const CEILING: i32 = 1;
/// The material of all other walls.
pub const SIDE: i32 = 2;

/// Number of materials.
pub const MATERIALS: usize = 3;

impl Room {
    /// A box that fills its grid.
    pub fn cuboid(shape: (usize, usize, usize)) -> Room {
        Room::new(shape, |_| true)
    }

    /// Half of an ellipsoid that fills its grid, with the flat side down.
    pub fn dome((height, depth, width): (usize, usize, usize)) -> Room {
        Room::new((height, depth, width), |[z, y, x]| {
            let up = z as f64 / (height as f64 - 1.0);
            let back = (2.0 * y as f64 - (depth as f64 - 1.0)) / (depth as f64 - 1.0);
            let right = (2.0 * x as f64 - (width as f64 - 1.0)) / (width as f64 - 1.0);
            up * up + back * back + right * right <= 1.0
        })
    }

    /// All points inside; those at the edge of the grid never are.
    fn new((n, m, o): (usize, usize, usize), within: impl Fn([usize; 3]) -> bool) -> Room {
        let inside = Array3::from_shape_fn((n, m, o), |(z, y, x)| {
            let edge = z == 0 || y == 0 || x == 0 || z + 1 == n || y + 1 == m || x + 1 == o;
            !edge && within([z, y, x])
        });
        let mut neighbours = Array3::zeros((n, m, o));
        let (mut index, mut near, mut material) = (Vec::new(), Vec::new(), Vec::new());
        for ((z, y, x), _) in inside.indexed_iter().filter(|(_, inside)| **inside) {
            let around =
                [[z - 1, y, x], [z + 1, y, x], [z, y - 1, x], [z, y + 1, x], [z, y, x - 1], [z, y, x + 1]];
            let open = around.map(|point| inside[point]);
            let count = open.into_iter().map(i32::from).sum();
            neighbours[[z, y, x]] = count;
            if (1..6).contains(&count) {
                index.push(((z * m + y) * o + x) as i32);
                near.push(count);
                material.push(if !open[0] {
                    FLOOR
                } else if !open[1] {
                    CEILING
                } else {
                    SIDE
                });
            }
        }
        Room {
            neighbours,
            walls: Walls { index: index.into(), neighbours: near.into(), material: material.into() },
        }
    }
}

impl Walls {
    /// The points at walls of a material that the condition chooses.
    pub fn of(&self, material: impl Fn(i32) -> bool) -> Walls {
        let choose = |values: &Array1<i32>| {
            let chosen = values.iter().zip(&self.material).filter(|(_, m)| material(**m));
            chosen.map(|(value, _)| *value).collect()
        };
        Walls {
            index: choose(&self.index),
            neighbours: choose(&self.neighbours),
            material: choose(&self.material),
        }
    }
}
