//! Simplification: superfluous variables, identities and inverse pairs go away.
//!
//! Applied until none fits, in any order, the rules end with the same expression. They never make a scalar
//! be computed more often than before.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, Expr, Kind, Lambda, Memory, Param, Prim, Type};
use crate::rewrite::layout::{as_layout, as_map, is_parameter, is_view, is_view_node};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::{control, low_rank, permute, scan};
use crate::rewrite::scope::{occurrences, replace};
use crate::rewrite::weights::is_constant_array;

/// The rules that are applied until none fits. [`LET_ONCE`] and [`LET_PARTS`] are not among them: only when
/// there are no names for mere layout any more is it known how often something is used.
pub static EXHAUSTIVELY: &[&Rule] = &[
    &LET_UNUSED,
    &LET_VIEW,
    &LET_LET,
    &LET_OUT,
    &MAP_ID,
    &low_rank::CONSTANT_MAP,
    &TUPLE_FIELDS,
    &TRANSPOSE_TRANSPOSE,
    &JOIN_SPLIT,
    &SPLIT_JOIN,
    &TAKE_ALL,
    &DROP_NONE,
    &PAD_NONE,
    &permute::REORDER_ID,
    &permute::REORDER_BACK,
    &permute::SCATTER_REORDER,
    &permute::REORDER_SCATTER,
    &permute::MAP_SCATTER,
    &control::ITERATE_NONE,
    &control::ITERATE_ONCE,
    &control::UNTIL_NONE,
    &control::UNTIL_NEVER,
    &control::UNZIP_ZIP,
    &scan::SCAN_WITH,
    &control::CONCAT_CONCAT,
    &control::TAKE_CONCAT,
    &control::DROP_CONCAT,
];

pub static LET_UNUSED: Rule = Rule {
    name: "let_unused",
    about: "A variable nobody reads.",
    equation: "{ let x = v; e } = e",
    when: "if x does not occur in e",
    apply: |e, _| {
        let (x, _, body) = as_let(e)?;
        (occurrences(body, x.id).count == 0).then(|| body.clone())
    },
};

pub static LET_VIEW: Rule = Rule {
    name: "let_view",
    about: "A name for data that is only looked at differently.",
    equation: "{ let x = v; e } = e[x := v]",
    when: "if v only moves data",
    apply: |e, _| {
        let (x, value, body) = as_let(e)?;
        is_view(value).then(|| replace(body, x.id, value))
    },
};

pub static LET_ONCE: Rule = Rule {
    name: "let_once",
    about: "A name for something that is needed once.",
    equation: "{ let x = v; e } = e[x := v]",
    when: "if x occurs once, not in a function, and not in an arm if v is stored",
    apply: |e, _| {
        let (x, value, body) = as_let(e)?;
        let moves = occurrences(body, x.id).at_most_once() && !(is_kept(value) && in_arm(body, x.id));
        moves.then(|| replace(body, x.id, value))
    },
};

/// Whether this is stored once, and not for every element of an arm: all work-items of a group have to compute it
/// together, or a work-item keeps it.
fn is_kept(e: &Expr) -> bool {
    let mut together = false;
    e.visit(&mut |x| together |= matches!(x.as_prim(), Some((Prim::Store(Memory::Local), _))));
    together || matches!(e.as_prim(), Some((Prim::Store(Memory::Private), _)))
}

/// Whether a variable occurs in an arm of an `if`, which may not be computed.
fn in_arm(e: &Expr, id: u32) -> bool {
    match e.kind() {
        Kind::If(c, a, b) => in_arm(c, id) || [a, b].iter().any(|arm| occurrences(arm, id).count > 0),
        _ => e.children().into_iter().any(|x| in_arm(x, id)),
    }
}

pub static LET_LET: Rule = Rule {
    name: "let_let",
    about: "Nested definitions become a sequence.",
    equation: "{ let x = { let y = v; w }; e } = { let y = v; let x = w; e }",
    when: "",
    apply: |e, _| {
        let (x, value, body) = as_let(e)?;
        let (y, v, w) = as_let(value)?;
        Some(Expr::let_(y.clone(), v.clone(), Expr::let_(x.clone(), w.clone(), body.clone())))
    },
};

pub static LET_OUT: Rule = Rule {
    name: "let_out",
    about: "Definitions leave tuples and the data of primitives, so that chains of primitives are not interrupted.",
    equation: "p({ let x = v; e }) = { let x = v; p(e) }",
    when: "for a projection or a primitive of one array",
    apply: |e, _| {
        let (x, value, body) = as_let(only_data(e)?)?;
        let outer = match e.kind() {
            Kind::Field(_, i) => Expr::field(body.clone(), *i),
            Kind::Prim(prim, args) => {
                let with_body =
                    |arg: &Arg| if arg.data().is_some() { Arg::Data(body.clone()) } else { arg.clone() };
                Expr::prim(*prim, args.iter().map(with_body).collect())
            }
            _ => return None,
        };
        Some(Expr::let_(x.clone(), value.clone(), outer))
    },
};

/// The data of a projection or a primitive that has one argument of this kind.
fn only_data(e: &Expr) -> Option<&Expr> {
    match e.kind() {
        Kind::Field(x, _) => Some(x),
        Kind::Prim(_, args) => {
            let mut data = args.iter().filter_map(Arg::data);
            match (data.next(), data.next()) {
                (Some(x), None) => Some(x),
                _ => None,
            }
        }
        _ => None,
    }
}

pub static LET_PARTS: Rule = Rule {
    name: "let_parts",
    about: "What is bound is the computation, not the layout around it: tuples and arrays of given elements come apart, and a window is taken where it is read.",
    equation: "{ let x = layout(v); e } = { let y = v; e[x := layout(y)] }",
    when: "",
    apply: |e, _| {
        let (x, value, body) = as_let(e)?;
        let mut parts = Vec::new();
        let layout = name_parts(value, &x.name, &mut parts);
        let directly = parts.first().is_none_or(|(_, part)| part.is_same(value));
        if directly || occurrences(body, x.id).at_most_once() {
            return None;
        }
        let body = replace(body, x.id, &layout);
        Some(parts.into_iter().rev().fold(body, |body, (param, part)| Expr::let_(param, part, body)))
    },
};

/// `e` with everything that computes replaced by new variables.
fn name_parts(e: &Expr, name: &str, parts: &mut Vec<(Param, Expr)>) -> Expr {
    if is_view(e) {
        return e.clone();
    }
    if let Some((Prim::Reorder, [Arg::Fun(p), Arg::Data(xs)])) = e.as_prim() {
        let xs = name_parts(xs, name, parts);
        return Expr::prim(Prim::Reorder, vec![Arg::Fun(p.clone()), Arg::Data(xs)]);
    }
    if let Kind::ArrayLiteral(elements) = e.kind()
        && !elements.iter().all(is_view)
        && !is_constant_array(e)
    {
        // Without names, an element would be computed wherever it is read.
        return e.map_children(&mut |x| name_parts(x, name, parts));
    }
    if is_view_node(e) {
        // What a function computes cannot be bound outside of it.
        return match e.kind() {
            Kind::Prim(prim, args) => {
                let args = args.iter().map(|arg| match arg.function() {
                    None => arg.map_expr(&mut |x| name_parts(x, name, parts)),
                    Some(_) => arg.clone(),
                });
                Expr::prim(*prim, args.collect()).at(e.span())
            }
            _ => e.map_children(&mut |x| name_parts(x, name, parts)),
        };
    }
    match as_map(e) {
        Some((f, xs)) if is_view(&f.body) => Expr::map(f.clone(), name_parts(xs, name, parts)),
        _ => {
            let param = Param::new(name, e.ty().clone());
            let variable = Expr::param(&param);
            parts.push((param, e.clone()));
            variable
        }
    }
}

pub static MAP_ID: Rule = Rule {
    name: "map_id",
    about: "The identity for every element.",
    equation: "map(|x| x) = id",
    when: "",
    apply: |e, _| {
        let (f, xs) = as_map(e)?;
        is_parameter(&f.body, f).then(|| xs.clone())
    },
};

pub static TUPLE_FIELDS: Rule = Rule {
    name: "tuple_fields",
    about: "A tuple that is taken apart and put together.",
    equation: "(t.0, t.1, …) = t",
    when: "if t only moves data",
    apply: |e, _| {
        let Kind::Tuple(parts) = e.kind() else { return None };
        let Kind::Field(whole, 0) = parts.first()?.kind() else { return None };
        let same =
            |(i, part): (usize, &Expr)| matches!(part.kind(), Kind::Field(t, j) if i == *j && t == whole);
        let Type::Tuple(tys) = whole.ty() else { return None };
        let all = tys.len() == parts.len() && parts.iter().enumerate().all(same);
        (all && is_view(whole)).then(|| whole.clone())
    },
};

pub static TRANSPOSE_TRANSPOSE: Rule = Rule {
    name: "transpose_transpose",
    about: "Twice is not at all.",
    equation: "transpose . transpose = id",
    when: "",
    apply: |e, _| Some(as_layout(as_layout(e, Prim::Transpose)?, Prim::Transpose)?.clone()),
};

pub static JOIN_SPLIT: Rule = Rule {
    name: "join_split",
    about: "Cut and strung together again.",
    equation: "join . split(m) = id",
    when: "",
    apply: |e, _| Some(as_layout(as_layout(e, Prim::Join)?, Prim::Split)?.clone()),
};

pub static SPLIT_JOIN: Rule = Rule {
    name: "split_join",
    about: "Strung together and cut at the same places.",
    equation: "split(m) . join = id",
    when: "on rows of m elements",
    apply: |e, cx| {
        let (Prim::Split, [Arg::Size(m), Arg::Data(joined)]) = e.as_prim()? else { return None };
        let rows = as_layout(joined, Prim::Join)?;
        let (row, _) = rows.ty().as_array()?;
        let (_, len) = row.as_array()?;
        cx.facts.eq(len, m).is_yes().then(|| rows.clone())
    },
};

pub static TAKE_ALL: Rule = Rule {
    name: "take_all",
    about: "All of it.",
    equation: "take(n) = id",
    when: "on n elements",
    apply: |e, cx| {
        let (Prim::Take, [Arg::Size(k), Arg::Data(xs)]) = e.as_prim()? else { return None };
        let (_, len) = xs.ty().as_array()?;
        cx.facts.eq(len, k).is_yes().then(|| xs.clone())
    },
};

pub static DROP_NONE: Rule = Rule {
    name: "drop_none",
    about: "None of it.",
    equation: "drop(0) = id",
    when: "",
    apply: |e, cx| {
        let (Prim::Drop, [Arg::Size(k), Arg::Data(xs)]) = e.as_prim()? else { return None };
        is_zero(k, cx.facts).then(|| xs.clone())
    },
};

pub static PAD_NONE: Rule = Rule {
    name: "pad_none",
    about: "Nothing around it.",
    equation: "pad(0, 0, b) = id",
    when: "",
    apply: |e, cx| {
        let (Prim::Pad, [Arg::Size(l), Arg::Size(r), _, Arg::Data(xs)]) = e.as_prim()? else { return None };
        (is_zero(l, cx.facts) && is_zero(r, cx.facts)).then(|| xs.clone())
    },
};

pub static SIZES: Rule = Rule {
    name: "sizes",
    about: "Sizes, in primitives and in the types of variables.",
    equation: "e[n] = e[m]",
    when: "if n = m follows from what is known about sizes, and m is simpler",
    apply: |e, cx| {
        let mut pass = Sizes { facts: cx.facts, changed: false };
        let simpler = pass.expr(e, &BTreeMap::new());
        pass.changed.then_some(simpler)
    },
};

struct Sizes<'a> {
    facts: &'a Facts,
    changed: bool,
}

impl Sizes<'_> {
    fn size(&mut self, n: &ArithExpr) -> ArithExpr {
        let simpler = self.facts.simplify(n);
        self.changed |= simpler != *n;
        simpler
    }

    /// The variable with a simpler type; its identity stays.
    fn bind(&mut self, param: &Param, scope: &mut BTreeMap<u32, Expr>) -> Param {
        let ty = param.ty.map_sizes(&|n| self.facts.simplify(n));
        self.changed |= ty != param.ty;
        let param = Param { ty, ..param.clone() };
        scope.insert(param.id, Expr::param(&param));
        param
    }

    fn expr(&mut self, e: &Expr, scope: &BTreeMap<u32, Expr>) -> Expr {
        let simpler = match e.kind() {
            Kind::Param(param) => return scope.get(&param.id).unwrap_or(e).clone(),
            Kind::Size(n) => Expr::size(self.size(n)),
            Kind::Let(param, value, body) => {
                let value = self.expr(value, scope);
                let mut inner = scope.clone();
                let param = self.bind(param, &mut inner);
                Expr::let_(param, value, self.expr(body, &inner))
            }
            Kind::Prim(prim, args) => {
                let args = args.iter().map(|arg| match arg {
                    Arg::Size(n) => Arg::Size(self.size(n)),
                    Arg::Fun(f) => {
                        let mut inner = scope.clone();
                        let params = f.params.iter().map(|p| self.bind(p, &mut inner)).collect();
                        Arg::Fun(Lambda { params, body: self.expr(&f.body, &inner) })
                    }
                    Arg::Data(_) | Arg::Boundary(_) => arg.map_expr(&mut |x| self.expr(x, scope)),
                });
                let args = args.collect();
                Expr::prim(*prim, args)
            }
            Kind::Literal(_)
            | Kind::Unary(..)
            | Kind::Binary(..)
            | Kind::Math(..)
            | Kind::Cast(..)
            | Kind::If(..)
            | Kind::Tuple(_)
            | Kind::Field(..)
            | Kind::ArrayLiteral(_) => e.map_children(&mut |x| self.expr(x, scope)),
        };
        simpler.at(e.span())
    }
}

pub(super) fn as_let(e: &Expr) -> Option<(&Param, &Expr, &Expr)> {
    match e.kind() {
        Kind::Let(param, value, body) => Some((param, value, body)),
        _ => None,
    }
}

fn is_zero(n: &ArithExpr, facts: &Facts) -> bool {
    facts.eq(n, &ArithExpr::zero()).is_yes()
}
