//! Several results that are computed element by element from the same arrays, by one map.
//!
//! A work-item per element then reads everything once and computes a part of each result: the pressure at a point of a
//! wall, and the state of the wall there.

use std::collections::BTreeMap;

use crate::arith::{ArithExpr, Facts};
use crate::ir::{Arg, Expr, Kind, Lambda, Param, Prim, Type};
use crate::rewrite::layout::as_map;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::nd;
use crate::rewrite::rules::reduction::is_flat;
use crate::rewrite::scope::{occurrences, replace, same};
use crate::rewrite::spread::{innermost, outermost};

pub static MAPS_TOGETHER: Rule = Rule {
    name: "maps_together",
    about: "The results are parts of one map's.",
    equation: "{ let y = map(f, xs); (map(g, zip(xs, y)), y) } = unzip . map(|x| { let y = f(x); (g(x, y), y) }) $ xs",
    when: "for any number of definitions and results of one length, each in a layout that can be followed when writing, of which one has scalars as elements",
    apply: |e, cx| {
        let mut defs = Vec::new();
        let mut end = e;
        while let Kind::Let(param, value, body) = end.kind() {
            defs.push((param.clone(), value.clone()));
            end = body;
        }
        let Kind::Tuple(parts) = end.kind() else { return None };
        let inner: Vec<&Expr> = parts.iter().map(innermost).collect();
        // Without a scalar for each, elements are arrays that may be long.
        let is_scalars = |e: &&Expr| e.ty().as_array().is_some_and(|(element, _)| is_flat(element));
        if parts.len() < 2 || !inner.iter().any(is_scalars) {
            return None;
        }
        let joined = together(&defs, &inner, cx.facts)?;
        let all = Param::new("all", joined.value.ty().clone());
        let parts = parts.iter().zip(&joined.parts).map(|(part, path)| {
            let own = path.iter().fold(Expr::param(&all), |e, i| Expr::field(nd::unzip_nd(1, e), *i));
            relaid(part, own)
        });
        let body = Expr::let_(all.clone(), joined.value, Expr::tuple(parts.collect()));
        let outside = defs.into_iter().rev().fold(body, |body, (param, value)| {
            if occurrences(&body, param.id).count > 0 { Expr::let_(param, value, body) } else { body }
        });
        Some(outside)
    },
};

pub static MAPS_OF_ONE: Rule = Rule {
    name: "maps_of_one",
    about: "Results that are computed element by element from one array, which nobody else reads, are parts of one map, which then computes the array as well.",
    equation: "{ let y = v; (map(f, y), map(g, y)) } = unzip . map(|x| (f(x), g(x))) $ v",
    when: "for a map v, and any number of results, in any number of dimensions, whose elements are scalars or tuples of such",
    apply: |e, _| {
        let Kind::Let(y, v, body) = e.kind() else { return None };
        let Kind::Tuple(parts) = body.kind() else { return None };
        let all = maps_of(&Expr::param(y), parts)?;
        let is_fused = as_map(v).is_some() && occurrences(body, y.id).count == parts.len();
        (parts.len() > 1 && is_fused).then(|| replace(&all, y.id, v))
    },
};

/// The parts, if all are maps over these elements, as those of one map.
fn maps_of(xs: &Expr, parts: &[Expr]) -> Option<Expr> {
    let maps: Vec<(&Lambda, &Expr)> = parts.iter().map(as_map).collect::<Option<_>>()?;
    let (element, _) = xs.ty().as_array()?;
    let x = Param::new("x", Type::clone(element));
    let of_element = |(f, of): &(&Lambda, &Expr)| match f.params.as_slice() {
        [param] if same(of, xs) => Some(replace(&f.body, param.id, &Expr::param(&x))),
        _ => None,
    };
    let bodies: Vec<Expr> = maps.iter().map(of_element).collect::<Option<_>>()?;
    let body = match bodies.iter().all(|body| is_flat(body.ty())) {
        true => Expr::tuple(bodies),
        false => maps_of(&Expr::param(&x), &bodies)?,
    };
    Some(nd::unzip_nd(1, Expr::map(Lambda { params: vec![x], body }, xs.clone())))
}

/// A map whose elements are tuples, and the fields that lead to each part.
struct Joined {
    value: Expr,
    parts: Vec<Vec<usize>>,
}

/// One map for arrays of one length, given definitions that they are computed from.
fn together(defs: &[(Param, Expr)], arrays: &[&Expr], facts: &Facts) -> Option<Joined> {
    let (_, len) = arrays.first()?.ty().as_array()?;
    let mut items = Items { len, facts, sources: Vec::new(), rows: BTreeMap::new() };
    let mut lets: Vec<(Param, Expr)> = Vec::new();
    for (param, value) in defs {
        if let Some(element) = items.element(value) {
            let own = Param::new(&param.name, element.ty().clone());
            items.rows.insert(param.id, Expr::param(&own));
            lets.push((own, element));
        }
    }
    let elements: Vec<Expr> = arrays.iter().map(|e| items.element(e)).collect::<Option<_>>()?;
    // What is an array of each element is one map as well.
    let (flat, rows): (Vec<usize>, Vec<usize>) =
        (0..elements.len()).partition(|i| is_flat(elements[*i].ty()));
    let mut tuple: Vec<Expr> = flat.iter().map(|i| elements[*i].clone()).collect();
    let mut parts: Vec<Vec<usize>> = vec![Vec::new(); elements.len()];
    for (position, i) in flat.iter().enumerate() {
        parts[*i] = vec![position];
    }
    match rows.as_slice() {
        [] => {}
        [only] => {
            parts[*only] = vec![tuple.len()];
            tuple.push(elements[*only].clone());
        }
        several => {
            let inner: Vec<&Expr> = several.iter().map(|i| &elements[*i]).collect();
            let joined = together(&lets, &inner, facts)?;
            for (i, path) in several.iter().zip(joined.parts) {
                parts[*i] = [vec![tuple.len()], path].concat();
            }
            tuple.push(nd::unzip_nd(1, joined.value));
        }
    }
    let body = lets.into_iter().rev().fold(Expr::tuple(tuple), |body, (param, value)| {
        if occurrences(&body, param.id).count > 0 { Expr::let_(param, value, body) } else { body }
    });
    Some(Joined { value: items.map(body)?, parts })
}

/// The elements of arrays, in terms of those of the arrays that they are computed from.
struct Items<'a> {
    len: &'a ArithExpr,
    facts: &'a Facts,
    /// What is read, and a variable for an element of each.
    sources: Vec<(Expr, Param)>,
    /// The elements of definitions.
    rows: BTreeMap<u32, Expr>,
}

impl Items<'_> {
    fn fits(&self, e: &Expr) -> bool {
        e.ty().as_array().is_some_and(|(_, n)| self.facts.eq(n, self.len).is_yes())
    }

    /// Any element of an array. None if it is no such array.
    fn element(&mut self, e: &Expr) -> Option<Expr> {
        if !self.fits(e) {
            return None;
        }
        match (e.kind(), e.as_prim()) {
            (Kind::Param(param), _) if self.rows.contains_key(&param.id) => self.rows.get(&param.id).cloned(),
            (_, Some((Prim::Zip, parts))) => {
                let parts: Option<Vec<Expr>> = parts.iter().map(|part| self.element(part.data()?)).collect();
                Some(Expr::tuple(parts?))
            }
            _ => match as_map(e) {
                Some((f, xs)) => {
                    let x = self.element(xs)?;
                    Some(Lambda { params: f.params.clone(), body: f.body.refresh() }.apply(&[x]))
                }
                None => self.source(e),
            },
        }
    }

    /// An element of an array that is read. What is computed element by element lies nowhere.
    fn source(&mut self, e: &Expr) -> Option<Expr> {
        if self.rows.keys().any(|id| occurrences(e, *id).count > 0) {
            return None;
        }
        if let Some((_, param)) = self.sources.iter().find(|(x, _)| same(x, e)) {
            return Some(Expr::param(param));
        }
        let (element, _) = e.ty().as_array()?;
        let param = Param::new("x", Type::clone(element));
        self.sources.push((e.clone(), param.clone()));
        Some(Expr::param(&param))
    }

    /// The map with this body.
    fn map(self, body: Expr) -> Option<Expr> {
        match self.sources.as_slice() {
            [] => None,
            [(xs, param)] => Some(Expr::map(Lambda { params: vec![param.clone()], body }, xs.clone())),
            several => {
                let zipped =
                    Expr::prim(Prim::Zip, several.iter().map(|(xs, _)| Arg::Data(xs.clone())).collect());
                Some(Expr::map_with("item", zipped, |item| {
                    several.iter().enumerate().fold(body, |body, (i, (_, param))| {
                        replace(&body, param.id, &Expr::field(item.clone(), i))
                    })
                }))
            }
        }
    }
}

/// The same layouts of something else.
fn relaid(e: &Expr, other: Expr) -> Expr {
    let Some(inner) = outermost(e) else { return other };
    let mut other = Some(relaid(inner, other));
    e.map_children(&mut |x| match other.take_if(|_| std::ptr::eq(x, inner)) {
        Some(other) => other,
        None => x.clone(),
    })
}
