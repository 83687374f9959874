//! Memory: where intermediate values are kept.

use crate::arith::ArithExpr;
use crate::ir::{Arg, Expr, Kind, Lambda, Memory, Order, Param, Place, Prim, Type};
use crate::rewrite::layout::{as_layout, as_map, is_parameter, is_view};
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::nd;
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::scope::{occurrences, replace};

pub static TILE_TO_LOCAL: Rule = Rule {
    name: "tile_to_local",
    about: "Each element of an array of arrays is copied to local memory before a function works on it.",
    equation: "map(|t| e) = map(|t| e[t := to_local(map^d(id, t))])",
    when: "for a d-dimensional t",
    apply: |e, _| tile_to(Memory::Local, e),
};

pub static PARTS_TO_LOCAL: Rule = Rule {
    name: "parts_to_local",
    about: "The same for each array of a tuple.",
    equation: "map(|t| e) = map(|t| e[t.i := to_local(map^d(id, t.i))])",
    when: "for each part t.i of a tuple t that is a d-dimensional array",
    apply: |e, _| with_copies(e, parts_to_local),
};

pub static TILE_TO_PRIVATE: Rule = Rule {
    name: "tile_to_private",
    about: "A work-item reads the array, or each part of the tuple, that its function works on before it computes anything.",
    equation: "map(|t| e) = map(|t| e[t := to_private(t)])",
    when: "for an array t or a tuple of arrays",
    apply: |e, _| tile_to_private(e),
};

pub static LET_TO_PRIVATE: Rule = Rule {
    name: "let_to_private",
    about: "A work-item computes an array before it reads any of it.",
    equation: "{ let x = v; e } = { let x = to_private(v); e }",
    when: "for an array whose lengths are numbers",
    apply: |e, _| {
        let Kind::Let(x, v, body) = e.kind() else { return None };
        let is_known = v.ty().shape().0.iter().all(|n| n.as_const().is_some());
        if !matches!(v.ty(), Type::Array(..)) || !is_known || matches!(v.as_prim(), Some((Prim::Store(_), _)))
        {
            return None;
        }
        Some(Expr::let_(x.clone(), Expr::store(Memory::Private, v.clone()), body.clone()))
    },
};

pub static ROWS_TO_PRIVATE: Rule = Rule {
    name: "rows_to_private",
    about: "A loop reads what does not move along before it computes anything.",
    equation: "map_seq(|(x, w)| e) . zip(xs, slide_seq(ws)) = map_seq(|(x, w)| e[x := to_private(x)]) . zip(xs, slide_seq(ws))",
    when: "for each part that is an array and no window",
    apply: |e, _| rows_to_private(e),
};

pub static WINDOWS_TO_LOCAL: Rule = Rule {
    name: "windows_to_local",
    about: "Windows of what was computed are windows of what is stored in local memory.",
    equation: "slide^d(n, s) = slide^d(n, s) . to_local . map^d(id)",
    when: "for scalars; without map^d(id) on what a map computes",
    apply: |e, _| {
        let (Prim::Slide, [size, step, Arg::Data(xs)]) = e.as_prim()? else { return None };
        Some(Expr::prim(Prim::Slide, vec![size.clone(), step.clone(), Arg::Data(local_below(xs)?)]))
    },
};

/// What is only arranged in windows, stored before it is.
fn local_below(xs: &Expr) -> Option<Expr> {
    match as_map(xs) {
        Some((f, inner)) if is_view(&f.body) && !is_parameter(&f.body, f) => {
            Some(Expr::map(f.clone(), local_below(inner)?))
        }
        computed => {
            let (lens, Type::Scalar(_)) = xs.ty().shape() else { return None };
            if matches!(xs.as_prim(), Some((Prim::Store(Memory::Local), _))) {
                return None;
            }
            let all = if computed.is_some() { xs.clone() } else { nd::copy_nd(lens.len(), xs.clone()) };
            Some(Expr::store(Memory::Local, all))
        }
    }
}
pub static ROW_TO_PRIVATE: Rule = Rule {
    name: "row_to_private",
    about: "A loop with an accumulator reads a row before it computes anything from it.",
    equation: "fold(|a, (r, x)| e, z) = fold(|a, (r, x)| e[x := to_private(x)], z)",
    when: "for each part of an element that is an array",
    apply: |e, _| {
        let (Order::Left, f, z, xs) = e.as_reduction()? else { return None };
        let [_, t] = f.params.as_slice() else { return None };
        let arrays: Vec<bool> = match &t.ty {
            Type::Tuple(parts) => parts.iter().map(|part| matches!(part, Type::Array(..))).collect(),
            ty => vec![matches!(ty, Type::Array(..))],
        };
        let kept = arrays.contains(&true).then(|| kept(f, t, &arrays))??;
        Some(Expr::reduce(Order::Left, kept, z.clone(), xs.clone()))
    },
};

pub static TRANSPOSED_TILE: Rule = Rule {
    name: "transposed_tile",
    about: "A tile lies in local memory column by column.",
    equation: "to_local = transpose . to_local . map^2(id) . transpose",
    when: "",
    apply: |e, _| {
        let tile = as_layout(e, Prim::Store(Memory::Local))?;
        tile.ty().as_array()?.0.as_array()?;
        let copy = nd::copy_nd(2, Expr::transpose(tile.clone()));
        Some(Expr::transpose(Expr::store(Memory::Local, copy)))
    },
};

pub static WIDER_ROWS: Rule = Rule {
    name: "wider_rows",
    about: "Rows in local memory are `W` elements apart, such as one, so that columns lie in different banks.",
    equation: "to_local = increase2d(0, 0, 0, W) . to_local",
    when: "in two dimensions",
    apply: |e, cx| {
        let tile = as_layout(e, Prim::Store(Memory::Local))?;
        tile.ty().as_array()?.0.as_array()?;
        Some(wider(cx.size("W"), e.clone()))
    },
};

/// Rows in local memory that lie so many elements apart.
pub fn wider(apart: ArithExpr, rows: Expr) -> Expr {
    let amounts = [ArithExpr::zero(), ArithExpr::zero(), ArithExpr::zero(), apart].map(Arg::Size);
    let args = amounts.into_iter().chain([Arg::Data(rows)]).collect();
    Expr::prim(Prim::Increase(2), args)
}

fn tile_to_private(e: &Expr) -> Option<Expr> {
    let (prim, args) = e.as_prim()?;
    let at = args.iter().position(|arg| arg.fun().is_some())?;
    let Arg::Fun(f) = &args[at] else { return None };
    let ([t], true) = (f.params.as_slice(), prim.is_map()) else { return None };
    let all = match &t.ty {
        Type::Array(..) => vec![true],
        Type::Tuple(parts) if parts.iter().all(|part| matches!(part, Type::Array(..))) => {
            vec![true; parts.len()]
        }
        Type::Scalar(_) | Type::Tuple(_) => return None,
    };
    let mut args = args.to_vec();
    args[at] = Arg::Fun(kept(f, t, &all)?);
    Some(Expr::prim(prim, args))
}

fn rows_to_private(e: &Expr) -> Option<Expr> {
    let (Prim::Map(Place::Sequential), [Arg::Fun(f), Arg::Data(xs)]) = e.as_prim()? else { return None };
    let ((Prim::Zip, parts), [t]) = (xs.as_prim()?, f.params.as_slice()) else { return None };
    let moves = |part: &Arg| matches!(part.data().and_then(Expr::as_prim), Some((Prim::SlideSeq, _)));
    let rows = |(i, part): (usize, &Arg)| {
        let is_array = matches!(Expr::field(Expr::param(t), i).ty(), Type::Array(..));
        is_array && !moves(part)
    };
    let rows: Vec<bool> = parts.iter().enumerate().map(rows).collect();
    if !parts.iter().any(moves) || !rows.contains(&true) {
        return None;
    }
    Some(Expr::map_in(Place::Sequential, kept(f, t, &rows)?, xs.clone()))
}

/// The function that keeps its parameter, or these parts of it, before it works on it.
fn kept(f: &Lambda, t: &Param, chosen: &[bool]) -> Option<Lambda> {
    let known = |part: &Expr| part.ty().shape().0.iter().all(|n| n.as_const().is_some());
    let unknown = parts_of(t).iter().zip(chosen).any(|(part, chosen)| *chosen && !known(part));
    if unknown || occurrences(&f.body, t.id).count == 0 {
        return None;
    }
    let private = |part| Expr::store(Memory::Private, part);
    Some(stored(f, t, chosen, &|_| t.name.to_string(), &private))
}

fn parts_of(t: &Param) -> Vec<Expr> {
    match &t.ty {
        Type::Tuple(parts) => (0..parts.len()).map(|i| Expr::field(Expr::param(t), i)).collect(),
        Type::Array(..) | Type::Scalar(_) => vec![Expr::param(t)],
    }
}

/// The function with its parameter, or these parts of it, stored somewhere first.
pub fn stored(
    f: &Lambda,
    t: &Param,
    chosen: &[bool],
    name: &dyn Fn(usize) -> String,
    store: &dyn Fn(Expr) -> Expr,
) -> Lambda {
    let mut own: Vec<(Param, Expr)> = Vec::new();
    let mut now: Vec<Expr> = Vec::new();
    for (i, (part, chosen)) in parts_of(t).into_iter().zip(chosen).enumerate() {
        if *chosen {
            let value = store(part);
            let param = Param::new(&name(i), value.ty().clone());
            now.push(Expr::param(&param));
            own.push((param, value));
        } else {
            now.push(part);
        }
    }
    let by = match (&t.ty, now.as_slice()) {
        (Type::Array(..), [one]) => one.clone(),
        _ => Expr::tuple(now),
    };
    let body = replace(&f.body, t.id, &by);
    let body = own.into_iter().rev().fold(body, |body, (param, value)| Expr::let_(param, value, body));
    Lambda { params: f.params.clone(), body }
}

pub fn tile_to(memory: Memory, e: &Expr) -> Option<Expr> {
    with_copies(e, |f, t| {
        let copy = copied(memory, Expr::param(t))?;
        if occurrences(&f.body, t.id).at_most_once() {
            return Some(replace(&f.body, t.id, &copy));
        }
        let local = Param::new(&t.name, copy.ty().clone());
        let body = replace(&f.body, t.id, &Expr::param(&local));
        Some(Expr::let_(local, copy, body))
    })
}

/// What uses copies of all parts of `t` that can be copied.
fn parts_to_local(f: &Lambda, t: &Param) -> Option<Expr> {
    let Type::Tuple(parts) = &t.ty else { return None };
    let mut own: Vec<(Param, Expr)> = Vec::new();
    let part = |i: usize| {
        let part = Expr::field(Expr::param(t), i);
        let Some(copy) = copied(Memory::Local, part.clone()) else { return part };
        let local = Param::new(&t.name, copy.ty().clone());
        let now = Expr::param(&local);
        own.push((local, copy));
        now
    };
    let now: Vec<Expr> = (0..parts.len()).map(part).collect();
    if own.is_empty() {
        return None;
    }
    let body = replace(&f.body, t.id, &Expr::tuple(now));
    Some(own.into_iter().rev().fold(body, |body, (param, value)| Expr::let_(param, value, body)))
}

/// A map with another body of its function, which uses what it is applied to.
fn with_copies(e: &Expr, body: impl FnOnce(&Lambda, &Param) -> Option<Expr>) -> Option<Expr> {
    let (prim, args) = e.as_prim()?;
    let at = args.iter().position(|arg| arg.fun().is_some())?;
    let Arg::Fun(f) = &args[at] else { return None };
    let ([t], true) = (f.params.as_slice(), prim.is_map()) else { return None };
    if occurrences(&f.body, t.id).count == 0 {
        return None;
    }
    let mut args = args.to_vec();
    args[at] = Arg::Fun(Lambda { params: f.params.clone(), body: body(f, t)? });
    Some(Expr::prim(prim, args))
}

/// `to_local(map^d(id, t))`, or the like, for an array of scalars, or of tuples of such.
fn copied(memory: Memory, t: Expr) -> Option<Expr> {
    let dims = match t.ty().shape() {
        (lens, element) if !lens.is_empty() && is_flat(element) => lens.len(),
        _ => return None,
    };
    Some(Expr::store(memory, nd::copy_nd(dims, t)))
}
