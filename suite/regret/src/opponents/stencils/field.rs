//! What all kernels of a stencil have in common: its axes, the elements outside of the array, and how arrays are read.

use crate::classes::stencils::{Boundary, Stencil};

/// An axis of the arrays.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    /// Which number of a work-item counts along it. Axes without one have a single element.
    id: Option<usize>,
    /// The macro with the extent of the array that is read.
    name: &'static str,
    /// That extent.
    pub(super) from: usize,
    /// The extent of the results.
    pub(super) to: usize,
    /// How far the first element of a window is from the element that is computed.
    pub(super) shift: isize,
}

impl Axis {
    const MISSING: Axis = Axis { id: None, name: "1", from: 1, to: 1, shift: 0 };

    /// The extent of the results, as a text.
    pub(super) fn end(&self) -> String {
        match self.from - self.to {
            0 => self.name.to_string(),
            less => format!("({} - {less})", self.name),
        }
    }

    /// Whether there is such an axis.
    pub(super) fn is_there(&self) -> bool {
        self.id.is_some()
    }

    /// Where a work-item's block begins.
    pub(super) fn start(&self, block: usize) -> String {
        match (self.id, block) {
            (None, _) => "0".into(),
            (Some(id), 1) => format!("get_global_id({id})"),
            (Some(id), _) => format!("get_global_id({id}) * {block}"),
        }
    }

    /// Where the last block begins.
    pub(super) fn last(&self, block: usize) -> isize {
        ((self.to - 1) / block * block) as isize
    }

    /// A coordinate of the array, so far from where a block of this extent begins.
    pub(super) fn place(&self, start: &str, offset: isize, block: usize) -> Place {
        if !self.is_there() {
            return Place { text: "0".into(), low: 0, high: 0 };
        }
        let low = offset + self.shift;
        Place { text: plus(start, low), low, high: self.last(block) + low }
    }
}

/// A coordinate that may be outside of the array.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The text.
    pub(super) text: String,
    /// The least value.
    pub(super) low: isize,
    /// The largest value.
    pub(super) high: isize,
}

/// A point and its number.
#[derive(Debug, Clone)]
pub(super) struct Point {
    /// The number, which says what the weights are.
    index: usize,
    /// Where it is, the coordinate along a row first.
    pub(super) at: [isize; 3],
}

/// A stencil with certain extents.
pub(super) struct Field<'a> {
    /// The stencil.
    pub(super) stencil: &'a Stencil,
    /// The axes, the one along a row first. Kernels march along the last one.
    pub(super) axes: [Axis; 3],
    /// All points.
    pub(super) points: Vec<Point>,
}

impl Field<'_> {
    /// Kernels that march take the rows of a plane for planes of one row.
    pub(super) fn of<'a>(stencil: &'a Stencil, sizes: &[usize], marching: bool) -> Field<'a> {
        let dims = stencil.dims;
        let shift = if stencil.boundary == Boundary::None { stencil.radius } else { 0 };
        let order = match (dims, marching) {
            (2, false) => [Some(0), Some(1), None],
            (2, true) => [Some(0), None, Some(1)],
            _ => [Some(0), Some(1), Some(2)],
        };
        let axis = |id: usize| {
            let (name, from) = (["N", "M", "O"][dims - 1 - id], sizes[dims - 1 - id]);
            Axis { id: Some(id), name, from, to: from - 2 * shift, shift: shift as isize }
        };
        let axes = order.map(|id| id.map_or(Axis::MISSING, axis));
        let points = stencil.points().into_iter().enumerate().map(|(index, point)| Point {
            index,
            at: order.map(|id| id.map_or(0, |id| point[dims - 1 - id])),
        });
        Field { stencil, axes, points: points.collect() }
    }

    /// The radius.
    pub(super) fn radius(&self) -> isize {
        self.stencil.radius as isize
    }

    /// The type of so many elements.
    pub(super) fn vector(&self, width: usize) -> String {
        let element = if self.stencil.double { "double" } else { "float" };
        if width == 1 { element.into() } else { format!("{element}{width}") }
    }

    /// The beginning of a program.
    pub(super) fn head(&self) -> String {
        let element = self.vector(1);
        let pragma = if self.stencil.double { "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" } else { "" };
        let input = |name: String| format!("__global const {element}* restrict {name}, ");
        let inputs: String = ["x".into()]
            .into_iter()
            .chain((0..self.stencil.grids).map(|i| format!("c{i}")))
            .map(input)
            .collect();
        let results: Vec<String> =
            (0..self.stencil.results).map(|i| format!("__global {element}* restrict out{i}")).collect();
        format!("{pragma}__kernel void stencil({inputs}{}) {{\n", results.join(", "))
    }

    /// Adds a point to the sums for all results.
    pub(super) fn add(&self, sum: &str, point: &Point, value: &str) -> String {
        let add = |i: usize| {
            format!("{sum}_{i} += {} * {value};\n", self.number(self.stencil.weight(point.index, i)))
        };
        (0..self.stencil.results).map(add).collect()
    }

    /// A number of the element type.
    pub(super) fn number(&self, value: f64) -> String {
        if self.stencil.double { format!("{value:?}") } else { format!("{value:?}f") }
    }

    /// Where a row of the array begins.
    pub(super) fn row(&self, z: &Place, y: &Place) -> String {
        let [x_axis, y_axis, z_axis] = &self.axes;
        let (z, y) =
            (inside(self.stencil.boundary, z_axis, z, 1), inside(self.stencil.boundary, y_axis, y, 1));
        match (z_axis.is_there(), y_axis.is_there()) {
            (false, _) => format!("{y} * {}", x_axis.name),
            (_, false) => format!("{z} * {}", x_axis.name),
            _ => format!("({z} * {} + {y}) * {}", y_axis.name, x_axis.name),
        }
    }

    /// Where an element of the results is.
    pub(super) fn target(&self, z: &str, y: &str) -> String {
        let [x_axis, y_axis, _] = self.axes.each_ref().map(Axis::end);
        match (self.axes[2].is_there(), self.axes[1].is_there()) {
            (false, _) => format!("({y}) * {x_axis} + X"),
            (_, false) => format!("({z}) * {x_axis} + X"),
            _ => format!("(({z}) * {y_axis} + {y}) * {x_axis} + X"),
        }
    }

    /// What holds where a coordinate is inside, if there are zeros outside.
    pub(super) fn conditions(&self, axis: usize, place: &Place) -> Vec<String> {
        let Axis { name, from, .. } = &self.axes[axis];
        let mut all = Vec::new();
        if self.stencil.boundary == Boundary::Zero {
            all.extend((place.low < 0).then(|| format!("{} >= 0", place.text)));
            all.extend((place.high >= *from as isize).then(|| format!("{} < {name}", place.text)));
        }
        all
    }

    /// So many elements of a row of the array. The extent of a row is a multiple of them.
    pub(super) fn read(&self, row: &str, place: &Place, width: usize, conditions: &[String]) -> String {
        let axis = &self.axes[0];
        let vector = self.vector(width);
        let at = |index: &str| match width {
            1 => format!("x[{row} + {index}]"),
            _ => format!("*(__global const {vector}*)(x + {row} + {index})"),
        };
        match self.stencil.boundary {
            Boundary::Clamp if width > 1 => {
                let mut text = at(&place.text);
                if place.high >= axis.from as isize {
                    let last = format!("({vector})(x[{row} + {} - 1])", axis.name);
                    text = format!("({} < {} ? {text} : {last})", place.text, axis.name);
                }
                match place.low < 0 {
                    true => format!("({} >= 0 ? {text} : ({vector})(x[{row}]))", place.text),
                    false => text,
                }
            }
            Boundary::Zero => {
                let mut all = conditions.to_vec();
                all.extend(self.conditions(0, place));
                match all.is_empty() {
                    true => at(&place.text),
                    false => format!(
                        "({} ? {} : ({vector})({}))",
                        all.join(" && "),
                        at(&place.text),
                        self.number(0.0)
                    ),
                }
            }
            boundary => at(&inside(boundary, axis, place, width)),
        }
    }
}

/// A coordinate that is not outside: another one, if elements outside are copies of others.
fn inside(boundary: Boundary, axis: &Axis, place: &Place, width: usize) -> String {
    let Place { text, low, high } = place;
    let (from, name) = (axis.from as isize, axis.name);
    let after = *high >= from;
    let most = |text: String| format!("min({text}, {name} - {width})");
    match boundary {
        Boundary::Zero => bracketed(text),
        Boundary::Clamp | Boundary::None => {
            let text = if *low < 0 { format!("max({text}, 0)") } else { text.clone() };
            if after { most(text) } else { bracketed(&text) }
        }
        Boundary::Wrap => {
            let text = match (*low < 0, after) {
                (false, false) => bracketed(text),
                (true, false) => format!("({text} < 0 ? {text} + {name} : {text})"),
                (false, true) => format!("({text} < {name} ? {text} : {text} - {name})"),
                (true, true) => {
                    format!("({text} < 0 ? {text} + {name} : {text} < {name} ? {text} : {text} - {name})")
                }
            };
            // Blocks at the end may be only partly needed.
            if *high >= 2 * from { most(text) } else { text }
        }
    }
}

/// A sum as an operand.
fn bracketed(text: &str) -> String {
    if text.contains(' ') && !text.ends_with(')') { format!("({text})") } else { text.into() }
}

/// A coordinate so far from another.
pub(super) fn plus(start: &str, offset: isize) -> String {
    match offset {
        0 => start.into(),
        1.. => format!("{start} + {offset}"),
        _ => format!("{start} - {}", -offset),
    }
}

/// An offset as a part of a name.
pub(super) fn name(prefix: &str, offset: isize) -> String {
    if offset < 0 { format!("{prefix}m{}", -offset) } else { format!("{prefix}{offset}") }
}
