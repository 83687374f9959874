//! What statements compute: an interpreter for tests.
//!
//! Before: a finished kernel, values for its sizes and tunables, and memory. After: the memory as all work-items leave it, and the
//! least and greatest value of everything that is computed in `index_t`; or what went wrong: an access outside of an array, a
//! division by 0, a race, a barrier that not all of a group come to, an index that its type does not hold. Indices are computed operation
//! by operation as the text does it, but without bounds; scalars mean what [`crate::interp`] says. The items of a group run one after
//! the other from barrier to barrier, in an order that a seed chooses.

mod counts;
mod expr;
mod index;
mod item;
mod memory;
pub mod program;
mod races;

use lift_core::arith::{ArithExpr, Form, Var};
use lift_core::imp::ast::{Kernel, Param};
use lift_core::imp::bounds::Widest;
use lift_core::imp::index_arithmetic::Forms;
use lift_core::ir::Literal;
use lift_core::low::Geometry;
use rustc_hash::FxHashMap;

use crate::interp::Outcome;

pub use counts::Counts;
use index::Indices;
use item::{Item, State};
use memory::Memory;
pub use memory::{Cell, Heap};
use races::Who;

/// What is passed for a parameter.
#[derive(Debug, Clone, Copy)]
pub enum Arg {
    /// An array of the heap.
    Buffer(usize),
    /// A scalar.
    Scalar(Literal),
    /// Nothing: what a kernel records ends the run.
    Record,
}

/// How a kernel is run.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// Values of sizes and tunables.
    pub values: &'a dyn Fn(&Var) -> Option<i128>,
    /// The bits of `index_t`.
    pub index_bits: u32,
    /// The order of work-items.
    pub seed: u64,
}

/// The values that something had which is computed in `index_t`.
#[derive(Debug, Clone, PartialEq)]
pub struct Extreme {
    /// What is computed.
    pub form: Form,
    /// The least value.
    pub least: i128,
    /// The greatest value.
    pub greatest: i128,
}

/// Items of a group that the launcher shapes, in each dimension: enough that some have nothing to do.
const ITEMS: i128 = 4;

/// The kernel that the text has for these sizes.
pub fn chosen<'k>(kernel: &'k Kernel, values: &dyn Fn(&Var) -> Option<i128>) -> &'k Kernel {
    let divides = |(extent, number): &(ArithExpr, i64)| {
        extent.eval(values).is_some_and(|n| n.rem_euclid(i128::from(*number)) == 0)
    };
    let fits = kernel.aligned.iter().find(|aligned| aligned.multiples.iter().all(divides));
    fits.map_or(kernel, |aligned| &aligned.kernel)
}

/// Upper bounds of what the kernel computes in `index_t`.
pub fn bounds(kernel: &Kernel) -> Vec<ArithExpr> {
    Widest::of(&Forms::new(kernel)).into_bounds()
}

/// What a launch did, besides what it left in memory.
#[derive(Debug, Clone)]
pub struct Done {
    /// What was computed in `index_t`.
    pub extremes: Vec<Extreme>,
    /// Operations and traffic.
    pub counts: Counts,
}

/// Runs all work-items of a launch.
pub fn run(kernel: &Kernel, args: &[Arg], heap: &mut Heap, options: &Options<'_>) -> Outcome<Done> {
    let geometry = &kernel.geometry;
    let kernel = chosen(kernel, options.values);
    let forms = Forms::new(kernel);
    let mut indices = Indices::new(&forms, options)?;
    let mut memory = Memory::new(kernel, heap, &indices)?;
    let mut scalars = FxHashMap::default();
    if args.len() != kernel.params.len() {
        return Err(format!("{} arguments for {} parameters", args.len(), kernel.params.len()));
    }
    for (param, arg) in kernel.params.iter().zip(args) {
        match (param, arg) {
            (Param::Buffer(id), Arg::Buffer(at)) => memory.pass(*id, *at)?,
            (Param::Scalar(local), Arg::Scalar(x)) => {
                scalars.insert(local.id, expr::Number::One(Some(*x)));
            }
            (Param::Status | Param::Claims(_), Arg::Record) => {}
            (param, arg) => return Err(format!("{arg:?} for {param:?}")),
        }
    }
    let (groups, shape) = space(geometry, options.values)?;
    let mut order = Order(options.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let names = indices.names();
    for (number, group) in points(&groups).enumerate() {
        memory.new_group();
        memory.who = Who { group: number as u32, item: 0, phase: 0 };
        let item = |local| Item::new(&kernel.body, group, local, &shape, (&names, &scalars));
        let mut items: Vec<Item<'_>> = points(&shape).map(item).collect();
        memory.counts.items += items.len() as u64;
        loop {
            let mut waiting = 0;
            for i in order.permutation(items.len()) {
                memory.who.item = i as u32;
                let state = items[i].run(&mut memory, &mut indices);
                let place = |e| format!("work-item {:?} of group {group:?}: {e}", items[i].local());
                waiting += usize::from(state.map_err(place)? == State::Waits);
            }
            if waiting == 0 {
                break;
            }
            memory.who.phase += 1;
            memory.counts.barriers += 1;
            if waiting < items.len() {
                return Err(format!("{waiting} of {} work-items of group {group:?} wait", items.len()));
            }
        }
    }
    Ok(Done { counts: memory.counts, extremes: indices.extremes() })
}

/// The number of groups and the items of one, in three dimensions.
fn space(geometry: &Geometry, values: &dyn Fn(&Var) -> Option<i128>) -> Outcome<([i128; 3], [i128; 3])> {
    let all = |list: &[ArithExpr]| {
        let mut extents = [1; 3];
        for (extent, e) in extents.iter_mut().zip(list) {
            *extent = e.eval(values).ok_or_else(|| format!("the extent `{e}` is not known"))?;
        }
        Ok::<_, String>(extents)
    };
    let up = |items: [i128; 3], shape: [i128; 3]| {
        std::array::from_fn(|d| (items[d] + shape[d] - 1).div_euclid(shape[d]))
    };
    Ok(match geometry {
        Geometry::Items(items) => {
            let items = all(items)?;
            // Like the launcher's, no wider than the power of two that the items need.
            let shape = items.map(|n| [1, 2].into_iter().find(|shape| n <= *shape).unwrap_or(ITEMS));
            (up(items, shape), shape)
        }
        Geometry::Shaped { items, local } => (up(all(items)?, all(local)?), all(local)?),
        Geometry::Groups { groups, local } => (all(groups)?, all(local)?),
    })
}

/// All points below these extents; the first dimension is the fastest.
fn points(extents: &[i128; 3]) -> impl Iterator<Item = [i128; 3]> + use<> {
    let [x, y, z] = *extents;
    (0..z).flat_map(move |k| (0..y).flat_map(move |j| (0..x).map(move |i| [i, j, k])))
}

/// Random orders.
struct Order(u64);

impl Order {
    fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            all.swap(i, (self.0 % (i as u64 + 1)) as usize);
        }
        all
    }
}
