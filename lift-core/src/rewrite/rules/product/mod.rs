//! Products: a reduction over the pairs of every row with every column.

pub mod blocks;
pub mod contraction;
mod pair;
pub mod panels;
pub mod turned;

use crate::arith::{ArithExpr, Facts};
use crate::bug;
use crate::ir::{Arg, Boundary, Expr, Fold, Kind, Lambda, Order, Param, Prim, Type};
use crate::rewrite::layout::{as_layout, as_map, is_parameter, is_view};
use crate::rewrite::rules::nd;
use crate::rewrite::rules::reduction::{as_reduce, fresh, is_flat};
use crate::rewrite::scope::{occurrences, replace};

/// A product: `map(|x| map(|y| h(x, y, reduce(f, z, map(g, zip(row, column)))), ys), xs)`.
#[derive(Debug, Clone)]
pub struct Product {
    /// What is reduced with, and what a pair is before.
    f: Lambda,
    z: Expr,
    g: Lambda,
    /// Which of the pair belongs to the outer map.
    rows_first: bool,
    /// The rows, one for each element of the outer map, and the columns.
    rows: Expr,
    columns: Expr,
    /// What a reduction reads of the element of the inner map.
    column: Expr,
    /// What becomes of a reduction, with the elements that are read beside it.
    h: Lambda,
    /// These elements, for every result.
    beside: Vec<Expr>,
    /// Numbers of results, and of pairs.
    pub counts: [ArithExpr; 2],
    /// The length of rows and columns.
    pub length: ArithExpr,
    /// The size of the largest scalar of them, in bytes.
    bytes: i64,
    /// The size of what is added up, in bytes.
    sum_bytes: i64,
}

impl Product {
    /// The product that `e` is.
    pub fn find(e: &Expr) -> Option<Product> {
        let (outer, xs) = as_map(e)?;
        let (inner, ys) = as_map(&outer.body)?;
        let ([x], [y]) = (outer.params.as_slice(), inner.params.as_slice()) else { return None };
        let scalar = is_flat(inner.body.ty()).then(|| reduction(&inner.body)).flatten()?;
        let (f, z, pairs) = as_reduce(scalar)?;
        let (g, zipped) = as_map(pairs)?;
        let (Prim::Zip, [Arg::Data(a), Arg::Data(b)]) = zipped.as_prim()? else { return None };
        let uses = |e: &Expr, p: &Param| occurrences(e, p.id).count > 0;
        let closed = [&f.body, z, &g.body].into_iter().all(|e| !uses(e, x) && !uses(e, y));
        let rows_first = uses(a, x) && !uses(a, y);
        let (row, column) = if rows_first { (a, b) } else { (b, a) };
        let apart = uses(row, x) && !uses(row, y) && uses(column, y) && !uses(column, x);
        let rows = part(x, row, xs);
        let columns = part(y, column, ys);
        if !closed || !apart || uses(&columns, x) {
            return None;
        }
        let elements = [row, column].map(|e| e.ty().as_array().map(|(element, _)| element.clone()));
        let [row_element, column_element] = elements;
        let types = [scalar.ty().clone(), row_element?, column_element?];
        if !types.iter().all(is_flat) {
            return None;
        }
        let sum_bytes = scalar.ty().leaves().iter().map(|(_, scalar)| scalar.bytes()).sum();
        let bytes = types.iter().flat_map(Type::leaves).map(|(_, scalar)| scalar.bytes()).max()?;
        let mut beside = Beside { x, y, reduction: scalar, read: Vec::new(), apart: true };
        let acc = Param::new("sum", scalar.ty().clone());
        let body = beside.outside(&inner.body, &Expr::param(&acc));
        if !beside.apart {
            return None;
        }
        let (params, beside): (Vec<Param>, Vec<Expr>) = beside.read.into_iter().unzip();
        let beside = beside.iter().map(|read| {
            let inner = Lambda { params: inner.params.clone(), body: read.clone() };
            let of_row = short(Expr::map(inner, ys.clone()));
            short(Expr::map(Lambda { params: outer.params.clone(), body: of_row }, xs.clone())).refresh()
        });
        Some(Product {
            f: f.clone(),
            z: z.clone(),
            g: g.clone(),
            rows_first,
            rows,
            columns: columns.refresh(),
            column: column.clone(),
            beside: beside.collect(),
            h: Lambda { params: [vec![acc], params].concat(), body },
            counts: [xs.ty().as_array()?.1.clone(), ys.ty().as_array()?.1.clone()],
            length: zipped.ty().as_array()?.1.clone(),
            bytes,
            sum_bytes,
        })
    }

    /// The size of the largest scalar that is read or added up, in bytes.
    pub fn bytes(&self) -> i64 {
        self.bytes
    }

    /// The size of what is added up for a result, in bytes.
    pub fn sum_bytes(&self) -> i64 {
        self.sum_bytes
    }

    /// Whether rows, columns and results are of scalars.
    pub fn is_of_scalars(&self) -> bool {
        let element = |e: &Expr| e.ty().shape().1.as_scalar().is_some();
        element(&self.rows) && element(&self.columns) && self.z.ty().as_scalar().is_some()
    }

    /// An operand, cut into so many rows for each group; the last rows are read again where some are missing. Where it is stored as columns, the last of so many side by
    /// side are read again together: a vector of them is one where as many columns are whole vectors.
    fn operand(
        rows: &Expr,
        count: &ArithExpr,
        (group, vector): (i64, i64),
        facts: &Facts,
    ) -> (Operand, Expr) {
        let padded = |missing: ArithExpr, xs: Expr| {
            let missing = facts.simplify(&missing);
            match facts.eq(&missing, &ArithExpr::zero()).is_yes() {
                true => xs,
                false => Expr::pad(ArithExpr::zero(), missing, Boundary::Fold(Fold::Clamp), xs),
            }
        };
        let (group, side_by_side) = (ArithExpr::cst(group), ArithExpr::cst(vector));
        let whole = missing(count, &group);
        let Some(turned) = turned(rows) else {
            return (Operand::Rows, Expr::split(group, padded(whole, rows.clone())));
        };
        let vectors = count.div_ceil(&side_by_side);
        let missing_vectors = count.div_ceil(&group) * group.div(&side_by_side) - &vectors;
        let cut = Expr::map_with("row", turned, |row| {
            if vector == 1 || facts.eq(&whole, &ArithExpr::zero()).is_yes() {
                return Expr::split(group.clone(), padded(whole.clone(), row));
            }
            let all = Expr::split(side_by_side.clone(), padded(missing(count, &side_by_side), row));
            Expr::split(group.clone(), Expr::join(padded(missing_vectors.clone(), all)))
        });
        (Operand::Turned, Expr::transpose(cut))
    }

    /// What is read beside the reductions, cut like the results.
    fn beside_of_groups(&self, groups: [i64; 2], facts: &Facts) -> Option<Expr> {
        let all = match self.beside.as_slice() {
            [] => return None,
            [one] => one.clone(),
            several => nd::zip_nd(2, several.to_vec()),
        };
        let [height, width] = groups.map(ArithExpr::cst);
        let amounts = self.counts.iter().zip([&height, &width]);
        let amounts = amounts.map(|(n, group)| (ArithExpr::zero(), facts.simplify(&missing(n, group))));
        let all = nd::pad_nd(&amounts.collect::<Vec<_>>(), &Boundary::Fold(Fold::Clamp), all);
        Some(Expr::map_with("rows", Expr::split(height, all), |rows| {
            let cut = Expr::map_with("row", rows, |row| Expr::split(width, row));
            Expr::transpose(cut)
        }))
    }

    /// What becomes of a reduction, or of a reduction and what is read beside it.
    fn after(&self, e: &Expr) -> Expr {
        let args = match self.beside.len() {
            0 => vec![e.clone()],
            1 => vec![Expr::field(e.clone(), 0), Expr::field(e.clone(), 1)],
            count => {
                let beside = Expr::field(e.clone(), 1);
                let fields = (0..count).map(|i| Expr::field(beside.clone(), i));
                std::iter::once(Expr::field(e.clone(), 0)).chain(fields).collect()
            }
        };
        self.h.apply(&args)
    }

    /// All groups of results as one array, without what was computed too much.
    fn together(&self, results: Expr, groups: [i64; 2], facts: &Facts) -> Expr {
        let joined = nd::join_nd(2, results);
        let whole =
            self.counts.iter().zip(groups).all(|(n, group)| facts.multiple_of(n, &group.into()).is_yes());
        if whole { joined } else { nd::take_nd(&self.counts, joined) }
    }

    /// What a pair adds to an accumulator.
    fn added(&self, acc: &Expr, row: &Expr, column: &Expr) -> Expr {
        let (a, b) = if self.rows_first { (row, column) } else { (column, row) };
        let pair = Expr::tuple(vec![a.clone(), b.clone()]);
        let product = fresh(&self.g).apply(&[pair]);
        let f = fresh(&self.f);
        let [sum, x] = f.params.as_slice() else { bug!("a reduction with {} operands", f.params.len()) };
        let body = replace(&f.body, sum.id, acc);
        match occurrences(&body, x.id).at_most_once() {
            true => replace(&body, x.id, &product),
            false => Expr::let_(x.clone(), product, body),
        }
    }
}

/// How the rows of an operand lie in memory: as they are, or as columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operand {
    Rows,
    Turned,
}

/// How many are missing to a multiple of `group`.
fn missing(count: &ArithExpr, group: &ArithExpr) -> ArithExpr {
    count.div_ceil(group) * group - count
}

/// The only reduction in an expression that is not in a function, if there is one.
fn reduction(e: &Expr) -> Option<&Expr> {
    match reductions(e).as_slice() {
        [one] => Some(one),
        _ => None,
    }
}

/// The reductions in an expression that are not in functions.
fn reductions(e: &Expr) -> Vec<&Expr> {
    fn all<'a>(e: &'a Expr, found: &mut Vec<&'a Expr>) {
        match e.as_prim() {
            Some((Prim::Reduce(Order::Any), _)) => found.push(e),
            Some(_) => {}
            None => e.children().into_iter().for_each(|x| all(x, found)),
        }
    }
    let mut found = Vec::new();
    all(e, &mut found);
    found
}

/// The elements that a function of `x` and `y` reads beside a reduction.
struct Beside<'a> {
    x: &'a Param,
    y: &'a Param,
    reduction: &'a Expr,
    read: Vec<(Param, Expr)>,
    /// Whether it needs nothing else of them.
    apart: bool,
}

impl Beside<'_> {
    /// Whether this is an element of `x` or `y` at an index that does not depend on them.
    fn is_access(&self, e: &Expr) -> bool {
        match (e.kind(), e.as_prim()) {
            (Kind::Param(_), _) => true,
            (Kind::Field(x, _), _) => self.is_access(x),
            (_, Some((Prim::At, [Arg::Data(i), Arg::Data(xs)]))) => {
                let own = [self.x, self.y].into_iter().any(|p| occurrences(i, p.id).count > 0);
                !own && self.is_access(xs)
            }
            _ => false,
        }
    }

    /// The function, with `acc` for the reduction, and variables for what is read.
    fn outside(&mut self, e: &Expr, acc: &Expr) -> Expr {
        if e.is_same(self.reduction) {
            return acc.clone();
        }
        let own = [self.x, self.y].into_iter().any(|p| occurrences(e, p.id).count > 0);
        if !own {
            return e.clone();
        }
        if (is_view(e) || self.is_access(e)) && e.ty().as_scalar().is_some() {
            if let Some((param, _)) = self.read.iter().find(|(_, read)| read == e) {
                return Expr::param(param);
            }
            let param = Param::new("c", e.ty().clone());
            self.read.push((param.clone(), e.clone()));
            return Expr::param(&param);
        }
        if matches!(e.kind(), Kind::Param(_) | Kind::Prim(..) | Kind::Field(..)) {
            self.apart = false;
            return e.clone();
        }
        e.map_children(&mut |x| self.outside(x, acc))
    }
}

/// `map(|x| of(x), xs)`, without the detour where `x` is one of a `zip`.
fn part(x: &Param, of: &Expr, xs: &Expr) -> Expr {
    short(Expr::map(Lambda { params: vec![x.clone()], body: of.clone() }, xs.clone()))
}

/// A map over the only array of a `zip` that its function needs, or this array itself.
fn short(e: Expr) -> Expr {
    let Some((f, xs)) = as_map(&e) else { return e };
    if is_parameter(&f.body, f) {
        return xs.clone();
    }
    only_part(f, xs).map_or_else(|| e.clone(), short)
}

/// `map(|t| f(t.i), zip(x0, x1, …)) = map(f, xi)`
fn only_part(f: &Lambda, xs: &Expr) -> Option<Expr> {
    let ((Prim::Zip, parts), [t]) = (xs.as_prim()?, f.params.as_slice()) else { return None };
    let mut fields: Vec<usize> = Vec::new();
    f.body.visit(&mut |e| match e.kind() {
        Kind::Field(of, i) if matches!(of.kind(), Kind::Param(p) if p == t) => fields.push(*i),
        _ => {}
    });
    let i = *fields.first()?;
    let is_only = fields.len() == occurrences(&f.body, t.id).count && fields.iter().all(|j| *j == i);
    let xs = is_only.then(|| parts.get(i)?.data().cloned())??;
    let own = Param::new("x", xs.ty().as_array()?.0.clone());
    let body = with_field(&f.body, t, &Expr::param(&own));
    Some(Expr::map(Lambda { params: vec![own], body }, xs))
}

/// The expression with `x` for each field of `t`.
fn with_field(e: &Expr, t: &Param, x: &Expr) -> Expr {
    match e.kind() {
        Kind::Field(of, _) if matches!(of.kind(), Kind::Param(p) if p == t) => x.clone(),
        _ => e.map_children(&mut |child| with_field(child, t, x)),
    }
}

/// The rows of which these are the columns: what is transposed, or the same part of each of its columns.
fn turned(rows: &Expr) -> Option<Expr> {
    if let Some(turned) = as_layout(rows, Prim::Transpose) {
        return Some(turned.clone());
    }
    let (f, xs) = as_map(rows)?;
    let [x] = f.params.as_slice() else { return None };
    part_of(&f.body, x, &turned(xs)?)
}

/// A part of `xs`, which is as long as `x`: the same elements as in `e`, a part of `x`.
fn part_of(e: &Expr, x: &Param, xs: &Expr) -> Option<Expr> {
    if matches!(e.kind(), Kind::Param(p) if p == x) {
        return Some(xs.clone());
    }
    match e.as_prim()? {
        (Prim::At, [Arg::Data(i), Arg::Data(e)]) if occurrences(i, x.id).count == 0 => {
            let all = part_of(e, x, xs)?;
            Some(Expr::prim(Prim::At, vec![Arg::Data(i.clone()), Arg::Data(all)]))
        }
        (Prim::Take, [Arg::Size(n), Arg::Data(e)]) => Some(Expr::take(n.clone(), part_of(e, x, xs)?)),
        (Prim::Drop, [Arg::Size(n), Arg::Data(e)]) => Some(Expr::drop(n.clone(), part_of(e, x, xs)?)),
        (Prim::Split, [Arg::Size(n), Arg::Data(e)]) => Some(Expr::split(n.clone(), part_of(e, x, xs)?)),
        _ => None,
    }
}
