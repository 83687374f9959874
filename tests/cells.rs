//! Arrays in structs, as users meet them: elements, parameters, results and state of simulations, on the host and on the device.

use common::device;
use lift::prelude::*;

lift!(
    const Q: usize = 3;

    /// A point of a gas on a line: what moves left, rests, and moves right.
    pub struct Cell {
        /// How much of each there is.
        pub f: [f32; Q],
        /// Whether nothing gets through.
        pub wall: bool,
        /// Where from, and how fast.
        pub origin: (u8, [i32; 2]),
    }

    /// A matrix, and by how much to move.
    pub struct Motion {
        /// The rows of the matrix.
        pub turn: [[f32; 2]; 2],
        /// To the right, and up.
        pub by: f32,
    }

    fn density(cell: Cell) -> f32 {
        cell.f.reduce(add, 0.0)
    }

    fn relaxed(rate: f32, cell: Cell) -> Cell {
        let mean = density(cell) / 3.0;
        let f = cell.f.map(|x| x + rate * (mean - x));
        Cell { f, wall: cell.wall, origin: cell.origin }
    }

    /// All of them after some time, and all of the gas.
    #[kernel]
    pub fn Relax<N>(rate: f32, cells: [Cell; N]) -> ([Cell; N], f32) {
        (
            cells.map(|cell| if cell.wall { cell } else { relaxed(rate, cell) }),
            cells.map(density).reduce(add, 0.0),
        )
    }

    /// Each part moves to its neighbour; walls send it back.
    #[kernel]
    #[step(cells)]
    pub fn Stream<N>(cells: [Cell; N]) -> [Cell; N] {
        let outside = Cell { f: [0.5, 1.0, 0.5], wall: true, origin: (0, [0, 0]) };
        cells.pad(1, 1, constant(outside)).slide(3, 1).map(|w| {
            let Cell { f, wall, origin } = w[1];
            let moved = [w[2].f[0], f[1], w[0].f[2]];
            Cell { f: if wall { f.reverse() } else { moved }, wall, origin }
        })
    }

    /// One struct goes in, and one comes out.
    #[kernel]
    pub fn Inverse<N>(motion: Motion, points: [[f32; 2]; N]) -> (Motion, [[f32; 2]; N]) {
        let Motion { turn, by } = motion;
        let moved = points.map(|p| turn.map(|row| zip(row, p).map(mul).reduce(add, by)));
        (Motion { turn: turn.transpose(), by: -by }, moved)
    }

    /// The cell with the most gas.
    #[kernel]
    pub fn Fullest<N>(cells: [Cell; N]) -> Cell {
        let nothing = Cell { f: repeat(Q, 0.0), wall: false, origin: (0, [0, 0]) };
        cells.fold(|a, b| if density(b) > density(a) { b } else { a }, nothing)
    }

    /// Cells in place.
    #[kernel]
    pub fn Clear<N>(cells: &mut [Cell; N]) {
        write_to(cells, cells.map(|c| Cell { f: c.f.map(|x| 0.0 * x), wall: !c.wall, origin: c.origin }));
    }
);

fn cell(f: [f32; 3], wall: bool) -> Cell {
    Cell { f, wall, origin: (7, [1, -1]) }
}

fn cells() -> Vec<Cell> {
    vec![cell([1.0, 2.0, 3.0], false), cell([0.0, 4.0, 2.0], true), cell([3.0, 0.0, 0.0], false)]
}

/// Vectors of all parts, as they are collected from structs.
type Owned = CellArrays<Vec<[f32; 3]>, Vec<bool>, Vec<u8>, Vec<[i32; 2]>>;

#[test]
fn arrays_of_structs_with_arrays_are_arrays() {
    let relax = Relax::on(&device()).unwrap();
    let all: Owned = cells().into_iter().collect();
    assert_eq!(all.f, [[1.0, 2.0, 3.0], [0.0, 4.0, 2.0], [3.0, 0.0, 0.0]]);
    let (next, gas) = relax.run(1.0, all.each_ref()).unwrap();
    assert_eq!(gas, 15.0);
    assert_eq!(next.f.shape(), [3, 3]);
    let next: Vec<Cell> = next.into_iter().collect();
    assert_eq!(next, [cell([2.0; 3], false), cell([0.0, 4.0, 2.0], true), cell([1.0; 3], false)]);
    let given_back: Vec<Cell> = all.into_iter().collect();
    assert_eq!(given_back, cells());
}

#[test]
fn a_struct_with_arrays_is_itself() {
    let inverse = Inverse::on(&device()).unwrap();
    let motion = Motion { turn: [[0.0, 1.0], [-1.0, 0.5]], by: 2.0 };
    let (back, moved) = inverse.run(motion, &[[1.0, 2.0], [3.0, 4.0]]).unwrap();
    assert_eq!(back, Motion { turn: [[0.0, -1.0], [1.0, 0.5]], by: -2.0 });
    assert_eq!(moved.into_raw_vec_and_offset().0, [4.0, 2.0, 6.0, 1.0]);
    let fullest = Fullest::on(&device()).unwrap();
    let all: Owned = cells().into_iter().collect();
    assert_eq!(fullest.run(all.each_ref()).unwrap(), cell([1.0, 2.0, 3.0], false));
}

#[test]
fn structs_with_arrays_are_state() {
    let stream = Stream::on(&device()).unwrap();
    let all: Owned = cells().into_iter().collect();
    let mut sim = stream.start(all.each_ref()).unwrap();
    sim.run(1).unwrap();
    let next: Vec<Cell> = sim.cells().unwrap().into_iter().collect();
    assert_eq!(
        next,
        [cell([0.0, 2.0, 0.5], false), cell([2.0, 4.0, 0.0], true), cell([0.5, 0.0, 2.0], false)]
    );
    sim.set_cells(all.each_ref()).unwrap();
    assert_eq!(sim.cells().unwrap().into_iter().collect::<Vec<_>>(), cells());
}

#[test]
fn structs_with_arrays_are_updated() {
    let clear = Clear::on(&device()).unwrap();
    let mut all: Owned = cells().into_iter().collect();
    clear.run(all.each_mut()).unwrap();
    assert_eq!(all.into_iter().collect::<Vec<_>>()[1], cell([0.0; 3], false));
}

#[test]
fn on_the_device_parts_are_arrays() {
    let device = device();
    let inverse = Inverse::on(&device).unwrap();
    let (turn, points) =
        (device.upload(&[[0.0, 1.0], [-1.0, 0.5]]).unwrap(), device.upload(&[[1.0, 2.0]]).unwrap());
    let motion = MotionArrays { turn: &turn, by: 2.0 };
    let (mut back, mut moved) = inverse.output(motion, &points).unwrap();
    let queue = device.queue().unwrap();
    inverse.launch(&queue, motion, &points, (back.each_mut(), &mut moved)).unwrap();
    assert_eq!(back.turn.download().unwrap().into_raw_vec_and_offset().0, [0.0, -1.0, 1.0, 0.5]);
    assert_eq!(moved.download().unwrap().into_raw_vec_and_offset().0, [4.0, 2.0]);
}
