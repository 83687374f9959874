//! Parts of kernels: rows that are read and added to sums, tiles in local memory, and what is written.

use std::collections::{BTreeMap, BTreeSet};

use super::field::{Place, Point, name, plus};
use super::kernels::Kernel;

/// A sum and a point that is added to it.
pub(super) type Use<'a> = (String, &'a Point);

/// Where the variable `row` begins.
enum Memory<'a> {
    /// In the array; there are zeros where one of these conditions does not hold.
    Global(&'a [String]),
    /// In a tile, at the first element of the block.
    Local,
}

/// Elements of a row.
struct Loaded {
    /// What loads them.
    text: String,
    /// Where vectors begin, and how many elements they have.
    vectors: Vec<(isize, usize)>,
    /// A vector with the elements of the block itself.
    own: Option<String>,
}

/// A part of the array in local memory.
pub(super) struct Tile {
    /// Elements before the first block of a row, and rows before the first row.
    before: [usize; 2],
    /// Elements of a row.
    pitch: usize,
    /// How many rows there are.
    rows: usize,
}

impl Tile {
    /// How many elements it has.
    pub(super) fn len(&self) -> usize {
        self.pitch * self.rows
    }
}

impl Kernel<'_> {
    /// What a row of the array is needed for. `plane` says how far the row is from each plane of sums.
    pub(super) fn uses(&self, planes: usize, plane: impl Fn(usize) -> isize, dy: isize) -> Vec<Use<'_>> {
        let mut uses = Vec::new();
        for k in 0..planes {
            for j in 0..self.block[1] {
                let place = [dy - j as isize, plane(k)];
                let points = self.field.points.iter().filter(|point| point.at[1..] == place);
                uses.extend(points.map(|point| (sum(k, j), point)));
            }
        }
        uses
    }

    /// Reads a row of the array and adds its elements. Those of the block itself may be in a register.
    pub(super) fn global_row(&self, z: &Place, dy: isize, uses: &[Use<'_>], own: Option<&str>) -> String {
        self.in_row(z, dy, |memory| self.added(memory, uses, own))
    }

    /// Reads the elements of the block itself into a register.
    pub(super) fn own_row(&self, z: &Place, dy: isize, into: &str) -> String {
        self.in_row(z, dy, |memory| {
            let loaded = self.loaded(memory, &BTreeSet::from([0]), None);
            format!("{}{into} = {};\n", loaded.text, self.shifted(&loaded, 0))
        })
    }

    fn in_row(&self, z: &Place, dy: isize, text: impl Fn(&Memory<'_>) -> String) -> String {
        let y = self.field.axes[1].place("Y", dy, self.block[1]);
        let mut conditions = self.field.conditions(2, z);
        conditions.extend(self.field.conditions(1, &y));
        let text = text(&Memory::Global(&conditions));
        match text.is_empty() {
            true => text,
            false => format!("{{\nconst int row = {};\n{text}}}\n", self.field.row(z, &y)),
        }
    }

    /// Reads a row of a tile and adds its elements.
    pub(super) fn local_row(&self, tile: &Tile, dy: isize, uses: &[Use<'_>]) -> String {
        if uses.is_empty() {
            return String::new();
        }
        let [width, rows, _] = self.block;
        let down = dy + self.field.axes[1].shift + tile.before[1] as isize;
        let row = format!("(get_local_id(1) * {rows} + {down}) * {}", tile.pitch);
        let row = format!("{row} + get_local_id(0) * {width} + {}", tile.before[0]);
        format!("{{\nconst int row = {row};\n{}}}\n", self.added(&Memory::Local, uses, None))
    }

    /// Loads elements of a row and adds them.
    fn added(&self, memory: &Memory<'_>, uses: &[Use<'_>], own: Option<&str>) -> String {
        let offsets: BTreeSet<isize> = uses.iter().map(|(_, point)| point.at[0]).collect();
        let loaded = self.loaded(memory, &offsets, own);
        let mut text = loaded.text.clone();
        let vector = self.field.vector(self.block[0]);
        for &offset in &offsets {
            text += &format!("const {vector} {} = {};\n", name("v", offset), self.shifted(&loaded, offset));
        }
        for (sum, point) in uses {
            text += &self.field.add(sum, point, &name("v", point.at[0]));
        }
        text
    }

    /// Loads the elements that are so far from those of the block: vectors, and single elements of vectors that have no other use.
    fn loaded(&self, memory: &Memory<'_>, offsets: &BTreeSet<isize>, own: Option<&str>) -> Loaded {
        let axis = &self.field.axes[0];
        let inside = axis.shift..axis.shift + self.block[0] as isize;
        let width = match memory {
            Memory::Global(_) => self.width,
            Memory::Local => self.block[0],
        };
        let mut needed: BTreeMap<isize, BTreeSet<isize>> = BTreeMap::new();
        for at in offsets.iter().flat_map(|offset| inside.clone().map(move |at| at + offset)) {
            if own.is_none() || !inside.contains(&at) {
                needed.entry(at.div_euclid(width as isize)).or_default().insert(at);
            }
        }
        let mut loaded = Loaded { text: String::new(), vectors: Vec::new(), own: own.map(String::from) };
        for (number, elements) in needed {
            let (at, width) = match elements.first() {
                Some(&only) if elements.len() == 1 => (only, 1),
                _ => (number * width as isize, width),
            };
            let vector = self.field.vector(width);
            let value = match memory {
                Memory::Global(conditions) => {
                    let place = axis.place("X", at - axis.shift, self.block[0]);
                    self.field.read("row", &place, width, conditions)
                }
                Memory::Local if width == 1 => format!("tile[{}]", plus("row", at)),
                Memory::Local => format!("*(__local const {vector}*)(tile + {})", plus("row", at)),
            };
            loaded.text += &format!("const {vector} {} = {value};\n", name("p", at));
            loaded.vectors.push((at, width));
        }
        loaded
    }

    /// The elements that are so far from those of the block.
    fn shifted(&self, loaded: &Loaded, offset: isize) -> String {
        let (block, shift) = (self.block[0], self.field.axes[0].shift);
        if let Some(own) = loaded.own.as_ref().filter(|_| offset == 0) {
            return own.clone();
        }
        if loaded.vectors.contains(&(offset + shift, block)) {
            return name("p", offset + shift);
        }
        let element = |i: usize| {
            let at = offset + i as isize;
            match &loaded.own {
                Some(own) if (0..block as isize).contains(&at) => component(own, at as usize, block),
                _ => {
                    let holds = |&&(first, width): &&(isize, usize)| {
                        (first..first + width as isize).contains(&(at + shift))
                    };
                    let (first, width) =
                        loaded.vectors.iter().find(holds).copied().unwrap_or((at + shift, 1));
                    component(&name("p", first), (at + shift - first) as usize, width)
                }
            }
        };
        let elements: Vec<String> = (0..block).map(element).collect();
        format!("({})({})", self.field.vector(block), elements.join(", "))
    }

    /// The tile of a group.
    pub(super) fn tile(&self) -> Tile {
        let ([width, rows, _], r) = (self.block, self.field.stencil.radius);
        let [left, up, right] = match self.field.axes[0].shift {
            0 => [r.next_multiple_of(width), r, r],
            _ => [0, 0, 2 * r],
        };
        let pitch = (left + self.group[0] * width + right).next_multiple_of(width);
        Tile { before: [left, up], pitch, rows: self.group[1] * rows + 2 * r }
    }

    /// Declares local memory.
    pub(super) fn local(&self, name: &str, elements: usize) -> String {
        format!("__local {} {name}[{elements}] __attribute__((aligned(32)));\n", self.field.vector(1))
    }

    /// Fills a tile with a part of this plane, and waits for it.
    pub(super) fn fill(&self, tile: &Tile, z: &Place) -> String {
        let Kernel { field, block, group, width } = self;
        let vector = field.vector(*width);
        let extents = [group[0] * block[0], group[1] * block[1]];
        let [left, up] = tile.before;
        let place = |axis: usize, text: &str, before: usize, count: usize| Place {
            text: text.into(),
            low: -(before as isize),
            high: field.axes[axis].last(extents[axis]) + (count - before) as isize - 1,
        };
        let (x, y) = (place(0, "x0", left, tile.pitch), place(1, "y0", up, tile.rows));
        let mut conditions = field.conditions(2, z);
        conditions.extend(field.conditions(1, &y));
        let count = tile.pitch / width;
        let value = field.read("row", &x, *width, &conditions);
        format!(
            "for (int t = get_local_id(1) * {lanes} + get_local_id(0); t < {all}; t += {items}) {{\n\
             const int x0 = get_group_id(0) * {tx} + t % {count} * {width}{left};\n\
             const int y0 = get_group_id(1) * {ty} + t / {count}{up};\n\
             const int row = {row};\n\
             *(__local {vector}*)(tile + t * {width}) = {value};\n\
             }}\n\
             barrier(CLK_LOCAL_MEM_FENCE);\n",
            lanes = group[0],
            all = count * tile.rows,
            items = group[0] * group[1],
            tx = extents[0],
            ty = extents[1],
            left = plus("", -(left as isize)),
            up = plus("", -(up as isize)),
            row = field.row(z, &y),
        )
    }

    /// Writes the sums of a plane, where these conditions hold.
    pub(super) fn stores(&self, plane: usize, z: &str, conditions: &[String]) -> String {
        (0..self.block[1]).map(|row| self.store(plane, row, z, conditions)).collect()
    }

    fn store(&self, plane: usize, row: usize, z: &str, conditions: &[String]) -> String {
        let Kernel { field, block: [width, rows, _], .. } = self;
        let [x_axis, y_axis, _] = &field.axes;
        let y = plus("Y", row as isize);
        let mut conditions = conditions.to_vec();
        if row > 0 && y_axis.to % rows != 0 {
            conditions.push(format!("{y} < {}", y_axis.end()));
        }
        let condition = match conditions.is_empty() {
            true => String::new(),
            false => format!("if ({}) ", conditions.join(" && ")),
        };
        let mut text = format!("{condition}{{\nconst int at = {};\n", field.target(z, &y));
        // As many elements at once as the rows of the results allow.
        let at_once =
            [4, 2, 1].into_iter().find(|n| width % n == 0 && x_axis.to.is_multiple_of(*n)).unwrap_or(1);
        for i in (0..*width).step_by(at_once) {
            if i > 0 && x_axis.to % width != 0 {
                text += &format!("if ({} < {}) ", plus("X", i as isize), x_axis.end());
            }
            text += &format!("{{\n{}}}\n", self.part(&sum(plane, row), i, at_once));
        }
        text + "}\n"
    }

    /// Multiplies a part of sums by what the grids hold there, and writes it.
    fn part(&self, sum: &str, first: usize, count: usize) -> String {
        let (vector, at) = (self.field.vector(count), plus("at", first as isize));
        let grid = |i: usize| format!("*(__global const {vector}*)(c{i} + {at})");
        let grids: Vec<String> = (0..self.field.stencil.grids).map(grid).collect();
        let (mut text, mut factor) = (String::new(), "");
        if !grids.is_empty() {
            text += &format!("const {vector} g = {};\n", grids.join(" * "));
            factor = "g * ";
        }
        let part = match self.block[0] == count {
            true => String::new(),
            false => (first..first + count).fold(".s".into(), |part, i| format!("{part}{i}")),
        };
        for i in 0..self.field.stencil.results {
            text += &format!("*(__global {vector}*)(out{i} + {at}) = {factor}{sum}_{i}{part};\n");
        }
        text
    }
}

/// The name of a sum without the number of its result.
pub(super) fn sum(plane: usize, row: usize) -> String {
    format!("s{plane}_{row}")
}

/// An element of a vector.
fn component(vector: &str, number: usize, width: usize) -> String {
    if width == 1 { vector.into() } else { format!("{vector}.s{number}") }
}
