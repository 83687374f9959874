//! Temporaries are used again when nobody needs what is in them any more.

use std::collections::BTreeMap;

use crate::arith::Facts;
use crate::program::schedule::{Slot, Temporary};
use crate::program::{Step, fits};

/// The same program with fewer temporaries.
pub(super) fn share(
    temporaries: Vec<Temporary>,
    steps: Vec<Step>,
    facts: &Facts,
) -> (Vec<Temporary>, Vec<Step>) {
    let mut spans = Spans { uses: BTreeMap::new(), time: 0, loops: Vec::new() };
    spans.steps(&steps);
    let Spans { uses, loops, .. } = spans;
    let mut order: Vec<(usize, (usize, usize))> = uses.into_iter().collect();
    for (_, (first, last)) in &mut order {
        // What crosses the border of a loop is needed in all its rounds. Inner loops come first.
        for (start, end) in &loops {
            let inside = |time: usize| (*start..=*end).contains(&time);
            if inside(*first) != inside(*last) {
                *first = (*first).min(*start);
                *last = (*last).max(*end);
            }
        }
    }
    order.sort_by_key(|(id, (first, _))| (*first, *id));
    let mut kept: Vec<(Temporary, usize)> = Vec::new();
    let mut names = BTreeMap::new();
    for (id, (first, last)) in order {
        let own = &temporaries[id];
        let free = kept.iter().position(|(other, until)| *until < first && fits(own, other, facts));
        let place = free.unwrap_or(kept.len());
        match free {
            Some(place) => kept[place].1 = last,
            None => kept.push((own.clone(), last)),
        }
        names.insert(id, place);
    }
    let name = |slot: Slot| match slot {
        Slot::Temporary(id) => Slot::Temporary(names.get(&id).copied().unwrap_or(id)),
        Slot::Param(_) | Slot::Result(_) | Slot::Status | Slot::Claims(_) => slot,
    };
    let steps = Step::renamed(&steps, &|stage| stage, &name);
    (kept.into_iter().map(|(own, _)| own).collect(), steps)
}

/// When temporaries are used first and last.
struct Spans {
    uses: BTreeMap<usize, (usize, usize)>,
    time: usize,
    /// Start and end of every loop, inner ones first.
    loops: Vec<(usize, usize)>,
}

impl Spans {
    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            self.time += 1;
            match step {
                Step::Launch(launch) => {
                    for slot in launch.inputs.iter().chain(&launch.outputs) {
                        if let Slot::Temporary(id) = slot {
                            self.used(*id);
                        }
                    }
                }
                Step::Repeat(_, steps) => {
                    let start = self.time;
                    // What is swapped is needed in all rounds.
                    let swapped: Vec<usize> = steps
                        .iter()
                        .flat_map(|step| match step {
                            Step::Swap(a, b) => vec![*a, *b],
                            Step::Launch(_) | Step::Leave(_) | Step::Repeat(..) => Vec::new(),
                        })
                        .collect();
                    swapped.iter().for_each(|id| self.used(*id));
                    self.steps(steps);
                    self.time += 1;
                    swapped.iter().for_each(|id| self.used(*id));
                    self.loops.push((start, self.time));
                }
                Step::Leave(id) => self.used(*id),
                Step::Swap(a, b) => {
                    self.used(*a);
                    self.used(*b);
                }
            }
        }
    }

    fn used(&mut self, id: usize) {
        let time = self.time;
        self.uses.entry(id).and_modify(|(_, last)| *last = time).or_insert((time, time));
    }
}
