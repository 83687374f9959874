//! Several steps of a stencil in one launch, as a wavefront.
//!
//! What several steps make of a block of an array depends on the block and on so much around it as they reach together. So a block is
//! loaded once, with what is around it, and every step but the last needs no memory of the whole array.
//!
//! | file | what it is about |
//! | --- | --- |
//! | `reach` | how far around an element a stencil reads each of its arrays, and what lies beyond the edges of the array |
//! | `step`, `boundary` | one step, at a point of a block that may stand over an edge of the array |
//! | `repetition`, `stages` | which expressions are several steps: the rounds of `iterate`, or different stencils after each other |
//! | `wavefront` | the blocks, how they shrink from step to step, and loops that keep the last rows of every step |
//! | `time_tiling`, `streaming`, `sweeping` | the three schedules: overlapped tiles in time, strips through registers and rings, blocks of whole rows |

mod arrays;
mod boundary;
pub mod reach;
mod repetition;
mod stages;
mod step;
mod streaming;
mod sweeping;
mod time_tiling;
mod wavefront;

use std::rc::Rc;

use crate::arith::Facts;
use crate::ir::{Arg, Expr, Prim};
use crate::rewrite::rule::Context;

pub use arrays::nth;
pub use repetition::{ITERATE_MORE, ITERATE_PARTS};
use step::Step;
pub use streaming::{STREAM, STREAM_STAGES, STREAM_STEPS, STREAMING};
pub use sweeping::{SWEEP_STAGES, SWEEP_STEPS, SWEEPING};
pub use time_tiling::{TILING, TIME_TILING};

/// A way to do several steps in one launch.
pub struct Schedule {
    /// How far such steps together reach at most, so that it pays; none if this step cannot be done in this way.
    farthest: fn(&Step) -> Option<i64>,
    /// Steps through arrays of one shape, one after the other, from this array.
    launch: fn(Vec<Rc<Step>>, &Expr, &Context) -> Option<Expr>,
}

impl Schedule {
    /// How many rounds of a repetition pay at once.
    pub fn steps_at_once(&self, e: &Expr, facts: &Facts) -> Option<i64> {
        let (Prim::Iterate, [_, Arg::Fun(f), _]) = e.as_prim()? else { return None };
        let step = Step::of(f, facts)?;
        Some((self.farthest)(&step)? / step.farthest()).filter(|steps| *steps >= 2)
    }

    /// Whether an expression is different steps after each other that pay at once.
    pub fn is_for_stages(&self, e: &Expr, facts: &Facts) -> bool {
        self.stages(e, facts).is_some()
    }

    fn stages(&self, e: &Expr, facts: &Facts) -> Option<(Vec<Rc<Step>>, Expr)> {
        stages::stages(e, facts).filter(|(steps, _)| {
            let most: Option<Vec<i64>> = steps.iter().map(|step| (self.farthest)(step)).collect();
            most.is_some_and(|most| steps.iter().map(|step| step.farthest()).sum::<i64>() <= most[0])
        })
    }

    /// All rounds of a repetition in one launch.
    fn repeated(&self, e: &Expr, cx: &Context) -> Option<Expr> {
        let (steps, x) = repetition::rounds(e, cx.facts)?;
        (self.launch)(steps, x, cx)
    }

    /// Different steps in one launch.
    fn staged(&self, e: &Expr, cx: &Context) -> Option<Expr> {
        let (steps, x) = self.stages(e, cx.facts)?;
        (self.launch)(steps, &x, cx)
    }
}
