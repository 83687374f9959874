//! The kernels: blocks of a work-item that are read from global or from local memory, and marches along the last axis.

use super::field::{Field, Place, plus};
use super::parts::sum;

/// What the work-items and groups of a kernel compute.
pub(super) struct Kernel<'a> {
    /// The stencil.
    pub(super) field: &'a Field<'a>,
    /// The block of a work-item, the extent along a row first.
    pub(super) block: [usize; 3],
    /// The shape of a work-group.
    pub(super) group: [usize; 2],
    /// How many elements of the array are loaded at once.
    pub(super) width: usize,
}

impl Kernel<'_> {
    /// Every work-item computes a block, and reads of each row what it needs only once.
    pub(super) fn direct(&self) -> String {
        let Kernel { field, block, .. } = self;
        let mut text = format!("{}{}{}", field.head(), self.start(), self.leave());
        text += &self.sums(block[2]);
        let r = field.radius();
        for dz in -r..block[2] as isize + r {
            let z = field.axes[2].place("Z", dz, block[2]);
            for dy in -r..block[1] as isize + r {
                text += &self.global_row(&z, dy, &self.uses(block[2], |k| dz - k as isize, dy), None);
            }
        }
        for k in 0..block[2] {
            let z = plus("Z", k as isize);
            let guard =
                (k > 0 && field.axes[2].to % block[2] != 0).then(|| format!("{z} < {}", field.axes[2].end()));
            text += &self.stores(k, &z, guard.as_slice());
        }
        text + "}\n"
    }

    /// The work-items of a group share a tile in local memory.
    pub(super) fn tiled(&self) -> String {
        let Kernel { field, block, .. } = self;
        let (tile, r) = (self.tile(), field.radius());
        let mut text = format!("{}{}{}", field.head(), self.start(), self.local("tile", tile.len()));
        text += &self.fill(&tile, &field.axes[2].place("Z", 0, 1));
        text += &format!("{}{}", self.leave(), self.sums(1));
        for dy in -r..block[1] as isize + r {
            text += &self.local_row(&tile, dy, &self.uses(1, |_| 0, dy));
        }
        format!("{text}{}}}\n", self.stores(0, "Z", &[]))
    }

    /// Marches, and adds what is read of a plane to the sums of all planes that need it.
    pub(super) fn marching(&self) -> String {
        let (field, r) = (self.field, self.field.radius());
        let mut text = format!("{}{}{}", field.head(), self.start(), self.leave());
        text += &format!("{}{}", self.sums(self.planes()), self.end());
        text += &format!("#pragma unroll {}\n", self.planes());
        text += &format!("for (int p = Z - {r}; p < end + {r}; p++) {{\n");
        for dy in -r..self.block[1] as isize + r {
            let uses = self.uses(self.planes(), |q| r - q as isize, dy);
            text += &self.global_row(&self.plane(), dy, &uses, None);
        }
        format!("{text}{}}}\n}}\n", self.finished(None))
    }

    /// The same with tiles in local memory: one is read while the next one is written.
    pub(super) fn marching_tiled(&self) -> String {
        let (field, tile, r) = (self.field, self.tile(), self.field.radius());
        let mut text = format!("{}{}{}", field.head(), self.start(), self.local("tiles", 2 * tile.len()));
        text += &format!("{}{}", self.sums(self.planes()), self.end());
        text += &format!("for (int p = Z - {r}; p < end + {r}; p++) {{\n");
        text += &format!("__local {}* tile = tiles + (p & 1) * {};\n", field.vector(1), tile.len());
        text += &self.fill(&tile, &self.plane());
        for dy in -r..self.block[1] as isize + r {
            let uses = self.uses(self.planes(), |q| r - q as isize, dy);
            text += &self.local_row(&tile, dy, &uses);
        }
        format!("{text}{}}}\n}}\n", self.finished(self.outside()))
    }

    /// Marches along the last axis with a window of registers; all other points of a star are in the plane of the result.
    pub(super) fn window(&self) -> String {
        let (field, r, [width, rows, depth]) = (self.field, self.field.radius(), self.block);
        let own = |q: isize, j: usize| format!("w{q}_{j}");
        let load = |q: isize, z: &Place| -> String {
            (0..rows).map(|j| self.own_row(z, j as isize, &own(q, j))).collect()
        };
        let mut text = format!("{}{}{}", field.head(), self.start(), self.leave());
        let names: Vec<String> = (0..=2 * r).flat_map(|q| (0..rows).map(move |j| own(q, j))).collect();
        text += &format!("{} {};\n", field.vector(width), names.join(", "));
        for q in 0..2 * r {
            text += &load(q, &field.axes[2].place("Z", q - r, depth));
        }
        text += &format!("{}#pragma unroll {}\n", self.end(), self.planes());
        text += "for (int p = Z; p < end; p++) {\n";
        text += &load(2 * r, &field.axes[2].place("p", r, 1));
        text += &self.sums(1);
        let plane = field.axes[2].place("p", 0, 1);
        for dy in -r..rows as isize + r {
            let middle = usize::try_from(dy).ok().filter(|j| *j < rows).map(|j| own(r, j));
            text += &self.global_row(&plane, dy, &self.uses(1, |_| 0, dy), middle.as_deref());
        }
        for point in field.points.iter().filter(|point| point.at[2] != 0) {
            (0..rows).for_each(|j| text += &field.add(&sum(0, j), point, &own(point.at[2] + r, j)));
        }
        text += &self.stores(0, "p", &[]);
        for (q, j) in (1..=2 * r).flat_map(|q| (0..rows).map(move |j| (q, j))) {
            text += &format!("{} = {};\n", own(q - 1, j), own(q, j));
        }
        text + "}\n}\n"
    }

    /// Writes the sums that are complete, unless the work-item is outside, and goes on to the next plane.
    fn finished(&self, outside: Option<String>) -> String {
        let r = self.field.radius();
        let mut conditions = vec![format!("p - {r} >= Z")];
        conditions.extend(outside.map(|outside| format!("!({outside})")));
        let mut text = self.stores(0, &format!("p - {r}"), &conditions);
        let each = |k: usize| {
            (0..self.block[1])
                .flat_map(move |j| (0..self.field.stencil.results).map(move |i| format!("{}_{i}", sum(k, j))))
        };
        for k in 1..self.planes() {
            each(k - 1).zip(each(k)).for_each(|(to, from)| text += &format!("{to} = {from};\n"));
        }
        each(self.planes() - 1).for_each(|last| text += &format!("{last} = {};\n", self.field.number(0.0)));
        text
    }

    /// How many planes a window has.
    fn planes(&self) -> usize {
        2 * self.field.stencil.radius + 1
    }

    /// The plane that is read, in a march.
    fn plane(&self) -> Place {
        let (r, place) = (self.field.radius(), self.field.axes[2].place("p", 0, 1));
        Place { low: place.low - r, high: place.high + r, ..place }
    }

    /// Where a march ends.
    fn end(&self) -> String {
        format!("const int end = min(Z + {}, {});\n", self.block[2], self.field.axes[2].end())
    }

    /// Where the block of a work-item begins.
    fn start(&self) -> String {
        let axes = self.field.axes.iter().zip(["X", "Y", "Z"]).zip(self.block);
        let there = axes.filter(|((axis, _), _)| axis.is_there());
        there.map(|((axis, name), block)| format!("const int {name} = {};\n", axis.start(block))).collect()
    }

    /// When a work-item has nothing to do, if that can be. Groups have one work-item along the last axis.
    fn outside(&self) -> Option<String> {
        let axes = self.field.axes.iter().zip(["X", "Y"]).zip(self.block).zip(self.group);
        let cut = axes.filter(|(((axis, _), block), group)| axis.to % (block * group) != 0);
        let all: Vec<String> =
            cut.map(|(((axis, name), _), _)| format!("{name} >= {}", axis.end())).collect();
        (!all.is_empty()).then(|| all.join(" || "))
    }

    fn leave(&self) -> String {
        self.outside().map(|outside| format!("if ({outside}) return;\n")).unwrap_or_default()
    }

    /// Declares the sums of so many planes.
    fn sums(&self, planes: usize) -> String {
        let (vector, zero) = (self.field.vector(self.block[0]), self.field.number(0.0));
        let mut all = Vec::new();
        for k in 0..planes {
            for j in 0..self.block[1] {
                all.extend((0..self.field.stencil.results).map(|i| format!("{}_{i} = {zero}", sum(k, j))));
            }
        }
        format!("{vector} {};\n", all.join(", "))
    }
}
