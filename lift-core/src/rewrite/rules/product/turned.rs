//! Products of rows with rows, as dense layers, distances and Gram matrices are.
//!
//! Vectors along a row of results read neighbours of what lies along the columns. Where columns are rows of a matrix, their neighbours are far apart; once
//! transposed, they lie side by side. Each row of results reads the transposed matrix once, so that a few rows are worth it.

use super::{Product, turned};
use crate::bug;
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
    when: "if ys is not a transposed matrix, or parts of one; of a batch of products, those of all are stored",
    apply: |e, _| {
        let Turned { columns, product } = of_batch(e).or_else(|| of_one(e))?;
        let stored = Expr::store(Memory::Temporary, columns);
        let t = Param::new("turned", stored.ty().clone());
        let product = product(&Expr::param(&t));
        Some(Expr::let_(t, stored, product).refresh())
    },
};

/// A product apart from its columns.
struct Turned<'a> {
    /// The columns, transposed.
    columns: Expr,
    /// The product, of columns that are transposed.
    product: Box<dyn Fn(&Expr) -> Expr + 'a>,
}

fn of_one(e: &Expr) -> Option<Turned<'_>> {
    let product = Product::find(e).filter(Product::is_of_scalars)?;
    if turned(&product.columns).is_some() {
        return None;
    }
    let (outer, xs) = as_map(e)?;
    let (inner, ys) = as_map(&outer.body)?;
    let [y] = inner.params.as_slice() else { return None };
    let columns = Expr::transpose(product.columns.clone());
    let of = move |t: &Expr| {
        let columns = Expr::transpose(t.clone());
        let column = Param::new("column", product.column.ty().clone());
        let body = product.with_column(&inner.body, y, &Expr::param(&column));
        let is_alone = occurrences(&body, y.id).count == 0;
        let (of, f) = if is_alone {
            (columns, Lambda { params: vec![column], body })
        } else {
            let all = zip(ys.clone(), columns);
            (all.clone(), of_pairs([y, &column], &all, body))
        };
        Expr::map(outer.with_body(Expr::map(f, of)), xs.clone())
    };
    Some(Turned { columns, product: Box::new(of) })
}

/// A product for each element of an array.
fn of_batch(e: &Expr) -> Option<Turned<'_>> {
    let (f, xs) = as_map(e)?;
    let [x] = f.params.as_slice() else { return None };
    let one = of_one(&f.body)?;
    if occurrences(&one.columns, x.id).count == 0 {
        // All of them have the same columns.
        let product = one.product;
        let of = move |t: &Expr| Expr::map(f.with_body(product(t)), xs.clone());
        return Some(Turned { columns: one.columns, product: Box::new(of) });
    }
    let columns = Expr::map(f.with_body(one.columns.clone()), xs.clone());
    let of = move |t: &Expr| {
        let all = zip(xs.clone(), t.clone());
        let own = Param::new("own", one.columns.ty().clone());
        let body = (one.product)(&Expr::param(&own));
        Expr::map(of_pairs([x, &own], &all, body), all)
    };
    Some(Turned { columns, product: Box::new(of) })
}

/// The function of pairs of an array in which these are both parts.
fn of_pairs([x, y]: [&Param; 2], pairs: &Expr, body: Expr) -> Lambda {
    let element = pairs.ty().as_array().map(|(element, _)| element.clone());
    let Some(element) = element else { bug!("pairs that are {}", pairs.ty()) };
    Lambda::unary("pair", element, |pair| {
        let body = Expr::let_(y.clone(), Expr::field(pair.clone(), 1), body);
        Expr::let_(x.clone(), Expr::field(pair, 0), body)
    })
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
