//! Products in blocks.
//!
//! A group computes a square of results. It copies steps of the rows and columns that it needs to local memory, and
//! each of its items adds what a step gives to a block of results in registers. A row of a block is vectors with a stride of
//! one vector for each item of the row, so that neighbouring items read neighbouring vectors. The last squares may stand over: rows are read again there, and what is
//! computed too much is cut off. What is left of the rows when all steps are done is copied like a step, filled up with what is read again, and goes no further than rows do.

use super::{Operand, Product, missing};
use crate::arith::{ArithExpr, Facts};
use crate::ir::{Boundary, Expr, Fold, Memory, Order, Param, Place};
use crate::machine::blocked::{SQUARES, Square, WIDEST};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::build::{kept, repeat, with, zip};
use crate::rewrite::rules::memory::wider;
use crate::rewrite::rules::nd;

/// A product in squares of such a shape.
struct Blocks<'a> {
    product: &'a Product,
    square: &'static Square,
}

impl Blocks<'_> {
    /// Elements of a vector.
    fn vector(&self) -> i64 {
        (WIDEST / self.product.bytes).clamp(1, 4)
    }

    /// What all items of a row or column of them read as one vector each.
    fn part(&self, items: i64) -> ArithExpr {
        ArithExpr::cst(items * self.vector())
    }

    /// What is copied: whole steps.
    fn whole(&self) -> ArithExpr {
        self.product.length.div(&self.square.step.into()) * self.square.step
    }

    /// What is left.
    fn left(&self) -> ArithExpr {
        self.product.length.clone() - self.whole()
    }

    /// `row` cut into the blocks of so many items.
    fn blocks(&self, items: i64, row: Expr) -> Expr {
        let parts = Expr::split(self.part(items), row);
        let vectors = Expr::map_with("part", parts, |part| Expr::split(self.vector().into(), part));
        Expr::map_with("item", Expr::transpose(vectors), Expr::join)
    }

    /// The way back.
    fn unblocked(&self, blocks: Expr) -> Expr {
        let vectors = Expr::map_with("item", blocks, |block| Expr::split(self.vector().into(), block));
        Expr::join(Expr::map_with("part", Expr::transpose(vectors), Expr::join))
    }

    /// The items' blocks of a square: for each item of dimension 1, each of dimension 0.
    fn blocks_2d(&self, square: Expr) -> Expr {
        let [down, across] = self.square.items;
        let rows = Expr::map_with("row", square, |row| self.blocks(across, row));
        Expr::map_with("rows", self.blocks(down, rows), Expr::transpose)
    }

    /// The way back.
    fn unblocked_2d(&self, blocks: Expr) -> Expr {
        let rows = Expr::map_with("items", blocks, |items| {
            Expr::map_with("row", Expr::transpose(items), |row| self.unblocked(row))
        });
        self.unblocked(rows)
    }

    /// One more row and column for an item's block.
    fn step(&self, acc: Expr, row: Expr, column: Expr) -> Expr {
        kept("a", row, |row| {
            kept("b", column, |column| {
                with(Place::Unrolled, "row", zip(acc, row), |pair| {
                    let (acc, x) = (Expr::field(pair.clone(), 0), Expr::field(pair, 1));
                    with(Place::Unrolled, "element", zip(acc, column), |pair| {
                        self.product.added(&Expr::field(pair.clone(), 0), &x, &Expr::field(pair, 1))
                    })
                })
            })
        })
    }

    /// A step for all items of the group: `acc`, with the blocks of rows and columns that each of them reads.
    fn shared(&self, acc: Expr, rows: Expr, columns: &Expr, each: &dyn Fn(Expr, Expr, Expr) -> Expr) -> Expr {
        with(Place::Local(1), "items", zip(acc, rows), |items| {
            let (acc, row) = (Expr::field(items.clone(), 0), Expr::field(items, 1));
            with(Place::Local(0), "item", zip(acc, columns.clone()), |item| {
                each(Expr::field(item.clone(), 0), row, Expr::field(item, 1))
            })
        })
    }

    /// All results of a group, as blocks: first in whole steps, then what is left.
    fn reduced(&self, rows: (Operand, Expr), columns: (Operand, Expr)) -> Expr {
        let Square { items: [down, across], block: [height, width], .. } = *self.square;
        let block = repeat(height, repeat(width, self.product.z.clone()));
        let acc = repeat(down, repeat(across, block));
        let tiles = zip(rows.0.tiles(self, rows.1.clone()), columns.0.tiles(self, columns.1.clone()));
        let kinds = [rows.0, columns.0];
        let whole = Expr::reduce_with(Order::Sequential, ["acc", "tiles"], acc, tiles, |acc, tiles| {
            self.tile_added(acc, kinds, tiles, None)
        });
        let rest = zip(rows.0.rest(self, rows.1.refresh()), columns.0.rest(self, columns.1.refresh()));
        let left = self.left();
        Expr::reduce_with(Order::Sequential, ["acc", "rest"], whole, rest, |acc, tiles| {
            self.tile_added(acc, kinds, tiles, Some(&left))
        })
    }

    /// A step for all items of the group, by way of local memory; of its rows and columns all elements, or so many.
    fn tile_added(&self, acc: Expr, kinds: [Operand; 2], tiles: Expr, left: Option<&ArithExpr>) -> Expr {
        let copied = [0, 1].map(|i| kinds[i].copied(self, Expr::field(tiles.clone(), i)));
        let names = ["rows", "columns"];
        let params = [0, 1].map(|i| Param::new(names[i], copied[i].ty().clone()));
        let [rows, columns] = [0, 1].map(|i| {
            let items = self.square.items[i];
            let all = Expr::param(&params[i]);
            let all = left.map_or(all.clone(), |left| Expr::take(left.clone(), all));
            Expr::transpose(Expr::map_with("row", all, |row| self.blocks(items, row)))
        });
        let added = self.shared(acc, rows, &columns, &|acc, rows, columns| {
            Expr::reduce_with(Order::Sequential, ["acc", "pair"], acc, zip(rows, columns), |acc, pair| {
                self.step(acc, Expr::field(pair.clone(), 0), Expr::field(pair, 1))
            })
        });
        // All of the group copy together, before any of them reads.
        let [first, second] = params;
        let [row, column] = copied;
        Expr::let_(first, row, Expr::let_(second, column, added))
    }

    /// What becomes of the reductions, each with what is read beside it.
    fn finished(&self, reduced: Expr, beside: Option<Expr>) -> Expr {
        let all = match beside {
            Some(beside) => nd::zip_nd(2, vec![reduced, self.blocks_2d(beside)]),
            None => reduced,
        };
        let pair = |e: Expr| match self.product.beside.len() {
            0 => e,
            _ => zip(Expr::field(e.clone(), 0), Expr::field(e, 1)),
        };
        with(Place::Local(1), "items", all, |items| {
            with(Place::Local(0), "item", items, |item| {
                with(Place::Unrolled, "row", pair(item), |row| {
                    with(Place::Unrolled, "element", pair(row), |e| self.product.after(&e))
                })
            })
        })
    }
}

impl Operand {
    /// The whole steps of a group's operand.
    fn tiles(self, blocks: &Blocks, rows: Expr) -> Expr {
        let (whole, step) = (blocks.whole(), ArithExpr::cst(blocks.square.step));
        match self {
            Operand::Turned => Expr::split(step, Expr::take(whole, rows)),
            Operand::Rows => {
                Expr::transpose(Expr::map_with("row", rows, |row| Expr::split(step, Expr::take(whole, row))))
            }
        }
    }

    /// What is left of it: one step, whose last elements are read again, or none.
    fn rest(self, blocks: &Blocks, rows: Expr) -> Expr {
        let step = ArithExpr::cst(blocks.square.step);
        let missing = missing(&blocks.left(), &step);
        let rest = |xs| {
            let left = Expr::drop(blocks.whole(), xs);
            let filled = Expr::pad(ArithExpr::zero(), missing, Boundary::Fold(Fold::Clamp), left);
            Expr::split(step, filled)
        };
        match self {
            Operand::Turned => rest(rows),
            Operand::Rows => Expr::transpose(Expr::map_with("row", rows, rest)),
        }
    }

    /// A step in local memory, by vectors of which every item copies some; for each element of the step, what the rows
    /// have there. Turned rows have room for another vector, so that what is stored together lies in different banks.
    fn copied(self, blocks: &Blocks, tile: Expr) -> Expr {
        let vector = ArithExpr::cst(blocks.vector());
        let cut = Expr::map_with("row", tile, |row| Expr::split(vector.clone(), row));
        let by_items = Expr::split(blocks.square.items[1].into(), Expr::join(cut));
        let copied = with(Place::Local(1), "vectors", by_items, |vectors| {
            with(Place::Local(0), "vector", vectors, |vector| {
                let own = Expr::store(Memory::Private, vector);
                with(Place::Unrolled, "x", own, |x| x)
            })
        });
        let row = match self {
            Operand::Rows => blocks.square.step,
            Operand::Turned => blocks.square.side(),
        };
        let rows = Expr::split(ArithExpr::cst(row / blocks.vector()), Expr::join(copied));
        let rows = Expr::map_with("row", rows, Expr::join);
        let local = |xs| Expr::store(Memory::Local, xs);
        match self {
            Operand::Turned => local(rows),
            Operand::Rows => wider(vector, local(Expr::transpose(rows))),
        }
    }
}

/// One rule for each of [`SQUARES`].
pub static BLOCK_PRODUCT: [Rule; 3] = [
    block_product::<0>("block_product(128)"),
    block_product::<1>("block_product(64)"),
    block_product::<2>("block_product(32)"),
];

const fn block_product<const SQUARE: usize>(name: &'static str) -> Rule {
    Rule {
        name,
        about: "Blocks in registers that share rows and columns in local memory.",
        equation: "map(|x| map(|y| h(reduce(f, z, map(g, zip(x, y)))), ys), xs) = take^2 . join^2 . map_workgroup^2(|(xs, ys)| map_local^2(h) . \
                   reduce_seq(|acc, (x, y)| reduce_seq(|acc, (x, y)| map_local^2(f(acc, g(x, y))), acc) . take(n - n / s * s) . zip(to_local(x), to_local(y)), acc) . zip(rest(xs), rest(ys))) \
                   . split^2 . pad^2(clamp)",
        when: "on n elements of rows and columns, for steps of s, rest = split(s) . pad(0, q, clamp) . drop(n / s * s), where q fills up a step, and acc = reduce_seq(|acc, (x, y)| reduce_seq(|acc, (x, y)| map_local^2(f(acc, g(x, y))), acc) . zip(to_local(x), to_local(y)), z) . \
               zip(steps(xs), steps(ys))",
        apply: |e, cx| in_blocks(e, cx.facts, &SQUARES[SQUARE]),
    }
}

fn in_blocks(e: &Expr, facts: &Facts, square: &'static Square) -> Option<Expr> {
    let product = Product::find(e)?;
    let (blocks, side) = (Blocks { product: &product, square }, square.side());
    let vector = blocks.vector();
    let (kind, rows) = Product::operand(&product.rows, &product.counts[0], (side, vector), facts);
    let (other, columns) = Product::operand(&product.columns, &product.counts[1], (side, vector), facts);
    let group = |rows: Expr, columns: Expr, beside: Option<Expr>| {
        let reduced = blocks.reduced((kind, rows), (other, columns));
        blocks.unblocked_2d(blocks.finished(reduced, beside))
    };
    let squares = match product.beside_of_groups([side; 2], facts) {
        Some(beside) => with(Place::Group(1), "rows", zip(rows, beside), |t| {
            let (rows, beside) = (Expr::field(t.clone(), 0), Expr::field(t, 1));
            with(Place::Group(0), "columns", zip(columns, beside), |t| {
                group(rows, Expr::field(t.clone(), 0), Some(Expr::field(t, 1)))
            })
        }),
        None => with(Place::Group(1), "rows", rows, |rows| {
            with(Place::Group(0), "columns", columns, |columns| group(rows, columns, None))
        }),
    };
    Some(product.together(squares, [side; 2], facts))
}
