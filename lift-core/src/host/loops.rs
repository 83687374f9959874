//! Loops as text: along rows, over blocks of rows, in strips.

use crate::arith::{ArithExpr, Var};
use crate::host::divide::divided;
use crate::host::hoist::hoisted;
use crate::host::interchange::interchanged;
use crate::host::jam::{Jammed, jammed};
use crate::host::names::Kind;
use crate::host::pieces::Passing;
use crate::host::print::{Array, Printer};
use crate::host::residues::{Residues, residues};
use crate::host::rows::{Interior, interior};
use crate::host::strips::{Strip, Strips, strips};
use crate::imp::ast::Stmt;
use crate::machine::host::ROWS;
use crate::memory::BufferId;

/// Shorter loops are not worth stretches of arrays, unless the number of their trips is known.
const FEW_TRIPS: i64 = 16;

/// Shorter loops are not even then.
///
/// On an AMD EPYC, a transform of blocks of 8 by 8 took 0.4 ms with stretches and 2.9 without, one of blocks of 4 by 4 1.0 and 0.6.
pub(super) const FEWEST_TRIPS: i64 = 8;

impl Printer<'_> {
    /// A loop: where it can be, the range of trips without choices comes first, over stretches of arrays.
    pub(super) fn for_loop(&mut self, range: (&Var, &ArithExpr, &ArithExpr), body: &[Stmt], name: &str) {
        let around = std::mem::take(&mut self.pieces);
        self.any_loop(range, body, name);
        self.pieces = around;
    }

    fn any_loop(&mut self, (var, start, bound): (&Var, &ArithExpr, &ArithExpr), body: &[Stmt], name: &str) {
        let arrays = self.arrays.clone();
        let is_slice = |id: BufferId| {
            let array = arrays.iter().find(|(own, _)| *own == id).map(|(_, array)| *array);
            matches!(array, Some(Array::Slice | Array::Own))
        };
        if !is_deep(body)
            && let Some(block) = jammed((var, start, bound), body, &self.facts)
        {
            if *var == self.item {
                self.together = ROWS;
            }
            self.jammed(&block, (start, bound), body, name);
            return;
        }
        if *var != self.item
            && let Some(loops) = interchanged((var, start, bound), body, &self.item)
        {
            self.block(&loops);
            return;
        }
        if self.strip.is_none()
            && let Some(halves) = divided((var, start, bound), body, &self.facts)
        {
            self.block(&halves);
            return;
        }
        if self.strip.is_none()
            && let Some(quotients) = residues((var, start, bound), body, &mut self.facts)
        {
            self.residues(&quotients, body, name);
            return;
        }
        let is_read = |id: BufferId| arrays.contains(&(id, Array::Slice));
        let interior = interior((var, start, bound), body, &self.facts, &is_slice);
        let mut same = Vec::new();
        let interior = interior.map(|mut it| {
            (it.body, same) = hoisted(std::mem::take(&mut it.body), &it.var, &is_read);
            it
        });
        let is_short = |it: &Interior| {
            let least = if it.trips().is_some() { FEWEST_TRIPS } else { FEW_TRIPS };
            (bound - start).as_const().is_some_and(|trips| trips < least)
        };
        let interior = interior.filter(|it| !(is_short(it) || it.reads.is_empty() && it.writes.is_empty()));
        let has_vectors = |id: BufferId| {
            let is_columns = arrays.contains(&(id, Array::Columns));
            is_columns || is_slice(id)
        };
        let strips = match interior {
            Some(_) => None,
            None => strips((var, start, bound), body, (&self.facts, *var == self.item), &has_vectors),
        };
        // Wider ones would have no trips.
        let strips = strips.and_then(|mut it| {
            let fits = |width: i64| (bound - start).as_const().is_none_or(|trips| trips >= width);
            it.widths.retain(|strip| fits(strip.width));
            (!it.widths.is_empty()).then_some(it)
        });
        let [start, bound] = [start, bound].map(|e| self.index(e));
        if let Some(strips) = strips {
            if let Some(narrow) = strips.widths.last().filter(|_| *var == self.item) {
                self.together = narrow.width;
            }
            self.strips(&strips, &bound, *var == self.item);
            self.outside([&start, &bound], body, name);
            return;
        }
        if let Some(interior) = interior {
            self.interior(&interior, &same, &bound);
            self.outside([&start, &bound], body, name);
            return;
        }
        self.line(&format!("for {name} in {start}..{bound} {{"));
        self.nested(|p| {
            if let Some(strip) = p.strip {
                p.pieces(var, body, strip);
            }
            p.block(body);
        });
        self.line("}");
    }

    /// A loop over quotients, between the trips that are not in it.
    fn residues(&mut self, it: &Residues, body: &[Stmt], name: &str) {
        let own = self.names.of(Kind::Variable, it.var.id(), it.var.name());
        self.for_loop((&it.var, &it.start, &it.bound), &it.body, &own);
        for (start, bound) in it.others.iter().flatten() {
            let [start, bound] = [start, bound].map(|e| self.index(e));
            self.line(&format!("for {name} in {start}..{bound} {{"));
            self.nested(|p| p.plain(body));
            self.line("}");
        }
    }

    /// The trips that are not `inside`: at both ends, or all of them.
    fn outside(&mut self, [start, bound]: [&str; 2], body: &[Stmt], name: &str) {
        self.line(&format!("let mut at: isize = {start};"));
        self.line("loop {");
        self.nested(|p| {
            p.line("if at == inside.0 { at = inside.1; }");
            p.line(&format!("if at >= {bound} {{ break; }}"));
            p.line(&format!("let {name}: isize = at;"));
            // Loops in the body have an `at` of their own.
            p.line("at += 1;");
            p.block(body);
        });
        self.line("}");
    }

    /// A loop over blocks of rows; where there are fewer than a block, one over rows.
    fn jammed(
        &mut self,
        block: &Jammed,
        (start, bound): (&ArithExpr, &ArithExpr),
        body: &[Stmt],
        name: &str,
    ) {
        let [start, bound] = [start, bound].map(|e| self.index(e));
        let row = self.names.of(Kind::Variable, block.var.id(), block.var.name());
        let is_loop = |stmt: &Stmt| matches!(stmt, Stmt::For { .. });
        let has_loops =
            body.iter().any(|stmt| matches!(stmt, Stmt::For { body, .. } if body.iter().any(is_loop)));
        self.line(&format!("if {bound} - {start} < {ROWS} {{"));
        self.nested(|p| {
            p.line(&format!("for {name} in {start}..{bound} {{"));
            // Rows of reductions are as long as those of blocks; others are short texts, which compilers make vectors of.
            p.nested(|p| if has_loops { p.block(body) } else { p.plain(body) });
            p.line("}");
        });
        self.line("} else {");
        self.nested(|p| {
            // The last block may begin before the end of the one before.
            p.line(&format!("for block in 0..({bound} - {start} + {}) / {ROWS} {{", ROWS - 1));
            let known = std::mem::replace(&mut p.facts, block.facts.clone());
            p.nested(|p| {
                p.line(&format!(
                    "let {row}: isize = isize::min({start} + {ROWS} * block, {bound} - {ROWS});"
                ));
                p.block(&block.body);
            });
            p.facts = known;
            p.line("}");
        });
        self.line("}");
    }

    /// Statements in which loops are no more than loops.
    fn plain(&mut self, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::For { var, start, bound, body, .. } => {
                    let name = self.names.of(Kind::Variable, var.id(), var.name());
                    let [start, bound] = [start, bound].map(|e| self.index(e));
                    self.line(&format!("for {name} in {start}..{bound} {{"));
                    self.nested(|p| p.plain(body));
                    self.line("}");
                }
                stmt => self.stmt(stmt),
            }
        }
    }

    /// The loops over strips of the interior. After them, `inside` is the range that is done.
    fn strips(&mut self, strips: &Strips, bound: &str, is_outermost: bool) {
        let (first, end) = (self.index(&strips.first), self.index(&strips.end));
        self.line(&format!("let mut inside: (isize, isize) = host::inside({first}, {end}, {bound});"));
        self.line("let mut done: isize = inside.0;");
        for Strip { var, width, body, facts } in &strips.widths {
            let name = self.names.of(Kind::Variable, var.id(), var.name());
            // The last strip may begin before the end of the one before.
            let rest = if strips.may_repeat { width - 1 } else { 0 };
            self.line(&format!("if inside.1 - done >= {width} {{"));
            let known = std::mem::replace(&mut self.facts, facts.clone());
            let around = self.strip.replace(Passing { width: *width, is_outermost });
            self.nested(|p| {
                p.line(&format!("let strips = (inside.1 - done + {rest}) / {width};"));
                p.line("for strip in 0..strips {");
                p.nested(|p| {
                    p.line(&format!("let {name} = isize::min(done + {width} * strip, inside.1 - {width});"));
                    p.block(body);
                });
                p.line("}");
                p.line(&format!("done = isize::min(done + {width} * strips, inside.1);"));
            });
            (self.facts, self.strip) = (known, around);
            self.line("}");
        }
        self.line("inside.1 = done;");
    }
}

/// Whether each trip goes through an array of three dimensions, as that of a batch does: rows inside of it have more in common than trips, which may be
/// few. A convolution of 1 and 4 images took 4.8 and 10.5 ms by rows, and 23.8 and 28.2 by images.
fn is_deep(body: &[Stmt]) -> bool {
    fn depth(body: &[Stmt]) -> usize {
        let depth = |stmt: &Stmt| match stmt {
            Stmt::For { body, .. } => match depth(body) {
                0 if body.iter().all(|stmt| !matches!(stmt, Stmt::Store(..))) => 0,
                below => below + 1,
            },
            _ => 0,
        };
        body.iter().map(depth).max().unwrap_or_default()
    }
    depth(body) >= 3
}
