//! Occurrences of variables, their replacement, and equality up to their names.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use crate::budget;
use crate::ir::{Arg, Boundary, Expr, Kind, Lambda};

/// How a variable occurs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Occurrences {
    /// How often.
    pub count: usize,
    /// Whether one occurrence is inside a function, which may be called many times.
    pub in_function: bool,
}

impl Occurrences {
    /// Whether the value is needed at most once.
    pub fn at_most_once(self) -> bool {
        self.count == 0 || (self.count == 1 && !self.in_function)
    }
}

/// The occurrences of the variable `id` in `e`.
pub fn occurrences(e: &Expr, id: u32) -> Occurrences {
    let mut found = Occurrences::default();
    count(e, id, false, &mut found);
    found
}

fn count(e: &Expr, id: u32, in_function: bool, found: &mut Occurrences) {
    budget::step();
    match e.kind() {
        Kind::Param(param) if param.id == id => {
            found.count += 1;
            found.in_function |= in_function;
        }
        Kind::Prim(_, args) => {
            for arg in args {
                let inside = in_function || arg.function().is_some();
                if let Some(x) = arg.expr() {
                    count(x, id, inside, found);
                }
            }
        }
        _ => e.children().into_iter().for_each(|x| count(x, id, in_function, found)),
    }
}

/// Whether one of these variables is read.
pub fn mentions(e: &Expr, ids: &BTreeSet<u32>) -> bool {
    e.any(&|x| matches!(x.kind(), Kind::Param(param) if ids.contains(&param.id)))
}

/// Replaces a variable by an expression. From the second occurrence on the variables bound in it are renamed,
/// so that each is still bound once.
pub fn replace(e: &Expr, id: u32, by: &Expr) -> Expr {
    let used = Cell::new(false);
    replace_in(e, id, &|| if used.replace(true) { by.refresh() } else { by.clone() })
}

fn replace_in(e: &Expr, id: u32, by: &dyn Fn() -> Expr) -> Expr {
    match e.kind() {
        Kind::Param(param) if param.id == id => by(),
        _ => e.map_children(&mut |x| replace_in(x, id, by)),
    }
}

/// Whether the two differ only in the names of bound variables.
pub fn same(a: &Expr, b: &Expr) -> bool {
    same_in(a, b, &mut BTreeMap::new())
}

fn same_in(a: &Expr, b: &Expr, names: &mut BTreeMap<u32, u32>) -> bool {
    budget::step();
    let all = |xs: &[Expr], ys: &[Expr], names: &mut BTreeMap<u32, u32>| {
        xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| same_in(x, y, names))
    };
    match (a.kind(), b.kind()) {
        (Kind::Param(p), Kind::Param(q)) => names.get(&p.id).copied().unwrap_or(p.id) == q.id,
        (Kind::Let(p, v, x), Kind::Let(q, w, y)) => {
            names.insert(p.id, q.id);
            same_in(v, w, names) && same_in(x, y, names)
        }
        (Kind::Prim(p, xs), Kind::Prim(q, ys)) => {
            p == q
                && xs.len() == ys.len()
                && xs.iter().zip(ys).all(|(x, y)| match (x, y) {
                    (Arg::Fun(f), Arg::Fun(g))
                    | (Arg::Boundary(Boundary::Index(f)), Arg::Boundary(Boundary::Index(g)))
                    | (Arg::Boundary(Boundary::Value(f)), Arg::Boundary(Boundary::Value(g))) => {
                        names.extend(f.params.iter().zip(&g.params).map(|(p, q)| (p.id, q.id)));
                        same_in(&f.body, &g.body, names)
                    }
                    (Arg::Data(x), Arg::Data(y)) => same_in(x, y, names),
                    (Arg::Boundary(Boundary::Constant(x)), Arg::Boundary(Boundary::Constant(y))) => {
                        same_in(x, y, names)
                    }
                    (Arg::Size(n), Arg::Size(m)) => n == m,
                    (x, y) => x == y,
                })
        }
        (Kind::Unary(p, x), Kind::Unary(q, y)) => p == q && same_in(x, y, names),
        (Kind::Cast(p, x), Kind::Cast(q, y)) => p == q && same_in(x, y, names),
        (Kind::Field(x, i), Kind::Field(y, j)) => i == j && same_in(x, y, names),
        (Kind::Binary(p, x, u), Kind::Binary(q, y, v)) => {
            p == q && same_in(x, y, names) && same_in(u, v, names)
        }
        (Kind::If(c, x, u), Kind::If(d, y, v)) => {
            same_in(c, d, names) && same_in(x, y, names) && same_in(u, v, names)
        }
        (Kind::Math(f, xs), Kind::Math(g, ys)) => f == g && all(xs, ys, names),
        (Kind::Tuple(xs), Kind::Tuple(ys)) | (Kind::ArrayLiteral(xs), Kind::ArrayLiteral(ys)) => {
            all(xs, ys, names)
        }
        (x, y) => x == y,
    }
}

/// Whether two functions differ only in the names of bound variables.
pub fn same_function(f: &Lambda, g: &Lambda) -> bool {
    let mut names = f.params.iter().zip(&g.params).map(|(p, q)| (p.id, q.id)).collect();
    f.params.len() == g.params.len() && same_in(&f.body, &g.body, &mut names)
}
