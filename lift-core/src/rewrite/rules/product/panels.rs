//! Products in wide vectors.
//!
//! Of a panel of columns, which is two vectors wide, and a few rows, all results are kept in registers, while one row of the panel after the
//! other is read once for all of them. What every result adds up stays in order. Panels may be copied first, into memory that they have for
//! themselves: where rows of a matrix are far apart, and by a power of two, the places of a panel's rows in a cache are few.
//! The last panels and rows may stand over, as squares do.

use super::{Operand, Product};
use crate::arith::Facts;
use crate::ir::{Expr, Memory, Order, Param, Place, Scalar};
use crate::machine::panels::{ROWS, VECTORS};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::build::{repeat, with, zip};

/// Vectors of 8 and 16 elements, in this order, a work-item for so many rows of a panel.
pub static PRODUCT_IN_VECTORS: [(i64, Rule); 2] = [
    (8, product_in_vectors::<8>("product_in_vectors(8)")),
    (16, product_in_vectors::<16>("product_in_vectors(16)")),
];

const fn product_in_vectors<const WIDTH: i64>(name: &'static str) -> Rule {
    Rule {
        name,
        about: "A work-item for so many rows of a panel of columns.",
        equation: "map(|x| map(|y| h(reduce(f, z, map(g, zip(x, y)))), ys), xs) = take^2 . join^2 . transpose . map_workgroup(|ys| map_workgroup(|xs| \
                   map_vec^2(h) . reduce_seq(|acc, (x, y)| map_seq^2(map_vec(f(acc, g(x, y)))), z) . zip(xs, ys))) . split^2 . pad^2(clamp)",
        when: "for 8 rows and 2 vectors of w columns",
        apply: |e, cx| in_vectors(e, cx.facts, WIDTH),
    }
}

/// The same, a group of one work-item for each panel, which it copies to local memory first.
pub static PRODUCT_IN_PANELS: [(i64, Rule); 2] = [
    (8, product_in_panels::<8>("product_in_panels(8)")),
    (16, product_in_panels::<16>("product_in_panels(16)")),
];

const fn product_in_panels<const WIDTH: i64>(name: &'static str) -> Rule {
    Rule {
        name,
        about: "The same, a group of one work-item for each panel, which it copies to local memory first.",
        equation: "map(|x| map(|y| h(reduce(f, z, map(g, zip(x, y)))), ys), xs) = take^2 . join^2 . transpose . map_workgroup(|ys| map_seq(|xs| \
                   map_vec^2(h) . reduce_seq(|acc, (x, y)| map_seq^2(map_vec(f(acc, g(x, y)))), z) . zip(xs, to_local(ys)))) . split^2 . pad^2(clamp)",
        when: "for 8 rows and 2 vectors of w columns",
        apply: |e, cx| in_panels(e, cx.facts, WIDTH),
    }
}

fn in_vectors(e: &Expr, facts: &Facts, width: i64) -> Option<Expr> {
    let product = Product::find(e).filter(Product::has_lanes)?;
    let panels = Panels { product: &product, width };
    // Groups next to each other in time share a panel.
    let results = panels.each(facts, 1, |panel, blocks| {
        with(Place::Group(0), "block", blocks, |block| panels.block(block, &panel))
    });
    Some(product.together(Expr::transpose(results), panels.groups(), facts))
}

fn in_panels(e: &Expr, facts: &Facts, width: i64) -> Option<Expr> {
    let product = Product::find(e).filter(Product::has_lanes)?;
    let panels = Panels { product: &product, width };
    let results = panels.each(facts, 0, |panel, blocks| {
        let copied = with(Place::Sequential, "row", panel, |row| {
            let vectors = Expr::split(width.into(), row);
            Expr::join(with(Place::Sequential, "vector", vectors, |vector| {
                with(Place::Lanes, "x", vector, |x| x)
            }))
        });
        let copied = Expr::store(Memory::Local, copied);
        let own = Param::new("panel", copied.ty().clone());
        let all = with(Place::Sequential, "block", blocks, |block| panels.block(block, &Expr::param(&own)));
        Expr::let_(own, copied, all)
    });
    Some(product.together(Expr::transpose(results), panels.groups(), facts))
}

impl Product {
    /// Whether vectors have lanes of what is added up.
    fn has_lanes(&self) -> bool {
        self.is_of_scalars() && self.z.ty().as_scalar().is_some_and(|scalar| scalar != Scalar::Bool)
    }
}

/// A product in panels of columns, in vectors of so many elements.
struct Panels<'a> {
    product: &'a Product,
    width: i64,
}

impl Panels<'_> {
    /// So many rows and columns are computed together.
    fn groups(&self) -> [i64; 2] {
        [ROWS, VECTORS * self.width]
    }

    /// A function of each panel, row by row, in a group of its own in a dimension, and of all blocks of rows, with what is read beside their results.
    fn each(&self, facts: &Facts, dim: usize, f: impl FnOnce(Expr, Expr) -> Expr) -> Expr {
        let product = self.product;
        let [height, width] = self.groups();
        let by_element = |(kind, groups): (Operand, Expr)| match kind {
            Operand::Turned => groups,
            Operand::Rows => Expr::map_with("rows", groups, Expr::transpose),
        };
        let rows = by_element(Product::operand(&product.rows, &product.counts[0], (height, 1), facts));
        let panels = by_element(Product::operand(&product.columns, &product.counts[1], (width, 1), facts));
        match product.beside_of_groups(self.groups(), facts) {
            Some(beside) => with(Place::Group(dim), "panel", zip(panels, Expr::transpose(beside)), |t| {
                f(Expr::field(t.clone(), 0), zip(rows, Expr::field(t, 1)))
            }),
            None => with(Place::Group(dim), "panel", panels, |panel| f(panel, rows)),
        }
    }

    /// The results of a block of rows, with what is read beside them if there is anything.
    fn block(&self, block: Expr, panel: &Expr) -> Expr {
        let product = self.product;
        let has_beside = !product.beside.is_empty();
        let (rows, beside) = match has_beside {
            true => (Expr::field(block.clone(), 0), Some(Expr::field(block, 1))),
            false => (block, None),
        };
        let vectors = |row: Expr| Expr::split(self.width.into(), row);
        let start = repeat(ROWS, repeat(VECTORS, repeat(self.width, product.z.clone())));
        let sums = Expr::reduce_with(
            Order::Sequential,
            ["acc", "pair"],
            start,
            zip(rows, panel.clone()),
            |sums, pair| {
                let row = Expr::field(pair.clone(), 1);
                with(Place::Unrolled, "row", zip(sums, Expr::field(pair, 0)), |t| {
                    let (sums, x) = (Expr::field(t.clone(), 0), Expr::field(t, 1));
                    with(Place::Unrolled, "vector", zip(sums, vectors(row)), |t| {
                        let lanes = zip(Expr::field(t.clone(), 0), Expr::field(t, 1));
                        with(Place::Lanes, "lane", lanes, |lane| {
                            product.added(&Expr::field(lane.clone(), 0), &x, &Expr::field(lane, 1))
                        })
                    })
                })
            },
        );
        // In an array of their own, sums can be finished in a loop: each of them in the text would make it long where rows end anywhere.
        let own = with(Place::Unrolled, "row", sums, |row| {
            with(Place::Unrolled, "vector", row, |vector| with(Place::Lanes, "x", vector, |x| x))
        });
        let own = Expr::store(Memory::Local, own);
        let sums = Param::new("sums", own.ty().clone());
        let pair = |e: Expr| match has_beside {
            true => zip(Expr::field(e.clone(), 0), Expr::field(e, 1)),
            false => e,
        };
        let all = match beside {
            Some(beside) => zip(Expr::param(&sums), Expr::map_with("row", beside, vectors)),
            None => Expr::param(&sums),
        };
        let results = with(Place::Sequential, "row", all, |row| {
            Expr::join(with(Place::Sequential, "vector", pair(row), |vector| {
                with(Place::Lanes, "lane", pair(vector), |lane| product.after(&lane))
            }))
        });
        Expr::let_(sums, own, results)
    }
}
