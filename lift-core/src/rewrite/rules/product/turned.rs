//! Products of rows with rows, as dense layers, distances and Gram matrices are.
//!
//! Vectors along a row of results read neighbours of what lies along the columns. Where columns are rows of a matrix, their neighbours are far apart; once
//! transposed, they lie side by side. Each row of results reads the transposed matrix once, so that a few rows are worth it.

use super::{Product, turned};
use crate::ir::{Expr, Kind, Lambda, Memory, Param};
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::build::zip;
use crate::rewrite::scope::occurrences;

pub static PRODUCT_TURNED: Rule = Rule {
    name: "product_turned",
    about: "Stores the columns of a product transposed, where they are rows of a matrix, so that neighbouring results read what lies side by side.",
    equation: "map(|x| map(|y| h(reduce(f, z, map(g, zip(x, y)))), ys), xs) = { let t = materialize . transpose << ys; \
               map(|x| map(|y| h(reduce(f, z, map(g, zip(x, y)))), transpose(t)), xs) }",
    when: "if ys is not a transposed matrix, or parts of one",
    apply: |e, _| with_turned_columns(e),
};

fn with_turned_columns(e: &Expr) -> Option<Expr> {
    let product = Product::find(e)?;
    if turned(&product.columns).is_some() {
        return None;
    }
    let (outer, xs) = as_map(e)?;
    let (inner, ys) = as_map(&outer.body)?;
    let [y] = inner.params.as_slice() else { return None };
    let stored = Expr::store(Memory::Temporary, Expr::transpose(product.columns.clone()));
    let t = Param::new("turned", stored.ty().clone());
    let columns = Expr::transpose(Expr::param(&t));
    let column = Param::new("column", columns.ty().as_array()?.0.clone());
    let body = product.with_column(&inner.body, y, &Expr::param(&column));
    let is_alone = occurrences(&body, y.id).count == 0;
    let (of, f) = if is_alone {
        (columns, Lambda { params: vec![column], body })
    } else {
        let all = zip(ys.clone(), columns);
        let pair = Param::new("pair", all.ty().as_array()?.0.clone());
        let part = |i| Expr::field(Expr::param(&pair), i);
        let body = Expr::let_(column, part(1), body);
        (all, Lambda { params: vec![pair.clone()], body: Expr::let_(y.clone(), part(0), body) })
    };
    let rows = Expr::map(Lambda { params: outer.params.clone(), body: Expr::map(f, of) }, xs.clone());
    Some(Expr::let_(t, stored, rows).refresh())
}

impl Product {
    /// A function of `y`, with another name for the column that it reduces.
    fn with_column(&self, e: &Expr, y: &Param, column: &Expr) -> Expr {
        if e.is_same(&self.column) {
            return column.clone();
        }
        match e.kind() {
            Kind::Param(_) => e.clone(),
            _ if occurrences(e, y.id).count == 0 => e.clone(),
            _ => e.map_children(&mut |x| self.with_column(x, y, column)),
        }
    }
}
