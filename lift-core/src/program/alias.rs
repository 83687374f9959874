//! Updates in place: may the new contents of an array be written while the old ones are read?
//!
//! One launch computes an element of the result in one work-item, in any order. So it may write to the array
//! that it reads if each element is read only for the element that replaces it. [`is_pointwise`] says so where it
//! can be seen; where it cannot, the answer is no, and the new contents are stored elsewhere first.

use std::collections::BTreeMap;

use crate::ir::{Arg, Expr, Kind, Lambda, Param, Prim, Type};
use crate::rewrite::scope::same;

/// Whether `value` reads element `i` of the array `target` for its own element `i` only. If `value` is
/// `scatter_to(target, idx, xs)`, which writes the elements at `idx` only, they may be read for what replaces them:
/// `xs` may read `gather(idx, target)`, element by element.
pub(super) fn is_pointwise(value: &Expr, target: &Param) -> bool {
    let mut known = BTreeMap::new();
    let mut current = value;
    let whole = Source::Elements(0, Part::Target.into());
    known.insert(target.id, whole);
    loop {
        match (current.kind(), current.as_prim()) {
            (Kind::Let(param, value, body), _) => {
                let source = Reader::new(target, known.clone()).source(value, 0);
                known.insert(param.id, source);
                current = body;
            }
            (_, Some((Prim::ScatterTo, [Arg::Data(dst), Arg::Data(idx), Arg::Data(xs)]))) if matches!(dst.kind(), Kind::Param(p) if p == target) =>
            {
                let mut reader = Reader { target, idx: None, known };
                let free = reader.source(idx, 0) == Source::Free;
                reader.idx = Some(idx);
                return free && reader.source(xs, 0).is_safe(0);
            }
            _ => return Reader::new(target, known).source(current, 0).is_safe(0),
        }
    }
}

/// What a value depends on, inside so many maps, each of which goes through one dimension of the result.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Source {
    /// Not on the target.
    Free,
    /// A value that depends on the one element of the target that it replaces.
    Point,
    /// An array of which only the element at the index of the next map, after so many, is what that says.
    Elements(usize, Box<Part>),
    /// One of two, chosen without looking at the target, or at that one element only.
    Either(Box<Source>, Box<Source>),
    /// A tuple.
    Tuple(Vec<Source>),
    /// On the target in some other way.
    Other,
}

/// An element of such an array.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    /// The element of the target at these indices, of any rank.
    Target,
    /// Something else.
    Of(Source),
}

impl Part {
    /// Whether it says nothing about maps inside of the one that goes through the elements.
    fn is_flat(&self) -> bool {
        match self {
            Part::Target => true,
            Part::Of(source) => source.is_flat(),
        }
    }
}

impl Source {
    /// The target, where it is enough that each element of the outermost dimension is read for what replaces that element: a work-item
    /// computes one of these, and stores after it has read. Scalars beside it were read before.
    pub(super) fn rows(ty: &Type) -> Source {
        match ty {
            Type::Scalar(_) => Source::Free,
            Type::Array(..) => Source::Elements(0, Part::Of(Source::Point).into()),
            Type::Tuple(parts) => Source::Tuple(parts.iter().map(Source::rows).collect()),
        }
    }

    fn is_flat(&self) -> bool {
        match self {
            Source::Free | Source::Point => true,
            Source::Tuple(parts) => parts.iter().all(Source::is_flat),
            Source::Elements(..) | Source::Either(..) | Source::Other => false,
        }
    }

    /// Whether a result of this kind may be written, after so many maps.
    pub(super) fn is_safe(&self, depth: usize) -> bool {
        match self {
            Source::Free | Source::Point => true,
            Source::Elements(at, part) => {
                *at == depth
                    && match &**part {
                        Part::Target => true,
                        Part::Of(source) => source.is_safe(depth + 1),
                    }
            }
            Source::Either(a, b) => a.is_safe(depth) && b.is_safe(depth),
            Source::Tuple(parts) => parts.iter().all(|part| part.is_safe(depth)),
            Source::Other => false,
        }
    }

    /// What a computation depends on that uses both.
    fn and(self, other: Source) -> Source {
        match (self.merged(), other.merged()) {
            (Source::Free, Source::Free) => Source::Free,
            (Source::Free | Source::Point, Source::Free | Source::Point) => Source::Point,
            _ => Source::Other,
        }
    }

    /// What all parts of a tuple together depend on.
    fn merged(self) -> Source {
        match self {
            Source::Tuple(parts) => parts.into_iter().fold(Source::Free, Source::and),
            Source::Free | Source::Point | Source::Elements(..) | Source::Either(..) | Source::Other => self,
        }
    }
}

pub(super) struct Reader<'a> {
    target: &'a Param,
    /// The indices of the elements that are written, if these are not all.
    idx: Option<&'a Expr>,
    /// What variables stand for.
    pub(super) known: BTreeMap<u32, Source>,
}

impl Reader<'_> {
    /// All elements are written.
    pub(super) fn new(target: &Param, known: BTreeMap<u32, Source>) -> Reader<'_> {
        Reader { target, idx: None, known }
    }

    /// What an expression depends on that is evaluated inside so many maps.
    pub(super) fn source(&mut self, e: &Expr, depth: usize) -> Source {
        match (e.kind(), e.as_prim()) {
            (Kind::Param(param), _) if param == self.target && self.idx.is_some() => Source::Other,
            (Kind::Param(param), _) => self.known.get(&param.id).cloned().unwrap_or(Source::Free),
            (Kind::Tuple(parts), _) => {
                let parts: Vec<Source> = parts.iter().map(|part| self.source(part, depth)).collect();
                if parts.iter().all(|part| *part == Source::Free) {
                    Source::Free
                } else {
                    Source::Tuple(parts)
                }
            }
            (Kind::Field(x, i), _) => match self.source(x, depth) {
                Source::Tuple(parts) => parts[*i].clone(),
                source @ (Source::Free | Source::Point) => source,
                Source::Elements(..) | Source::Either(..) | Source::Other => Source::Other,
            },
            (Kind::Let(param, value, body), _) => {
                let value = self.source(value, depth);
                self.known.insert(param.id, value);
                self.source(body, depth)
            }
            (Kind::If(c, a, b), _) => {
                let (c, a, b) = (self.source(c, depth), self.source(a, depth), self.source(b, depth));
                match c {
                    _ if e.ty().as_scalar().is_some() => c.and(a).and(b),
                    Source::Free | Source::Point if a == b => a,
                    Source::Free | Source::Point => Source::Either(a.into(), b.into()),
                    Source::Elements(..) | Source::Either(..) | Source::Tuple(_) | Source::Other => {
                        Source::Other
                    }
                }
            }
            (_, Some((Prim::Map(_), [Arg::Fun(f), Arg::Data(xs)]))) => self.mapped(f, xs, depth),
            // The order of elements is that of the indices of all maps around them, whatever the rows.
            (_, Some((Prim::Split, [_, Arg::Data(xs)]))) => match self.source(xs, depth) {
                source @ (Source::Free | Source::Point) => source,
                Source::Elements(at, part) if at == depth && part.is_flat() => {
                    Source::Elements(depth, Part::Of(Source::Elements(depth + 1, part)).into())
                }
                Source::Elements(..) | Source::Either(..) | Source::Tuple(_) | Source::Other => Source::Other,
            },
            (_, Some((Prim::Join, [Arg::Data(xs)]))) => match self.source(xs, depth) {
                source @ (Source::Free | Source::Point) => source,
                Source::Elements(at, part) if at == depth => match *part {
                    Part::Of(Source::Elements(inner, part)) if inner == depth + 1 && part.is_flat() => {
                        Source::Elements(depth, part)
                    }
                    Part::Of(_) | Part::Target => Source::Other,
                },
                Source::Elements(..) | Source::Either(..) | Source::Tuple(_) | Source::Other => Source::Other,
            },
            (_, Some((Prim::Unzip, [Arg::Data(xs)]))) => match self.source(xs, depth) {
                Source::Elements(at, part) => match *part {
                    Part::Of(Source::Tuple(parts)) => {
                        let of = |part| Source::Elements(at, Part::Of(part).into());
                        Source::Tuple(parts.into_iter().map(of).collect())
                    }
                    Part::Of(_) | Part::Target => Source::Other,
                },
                source @ (Source::Free | Source::Point) => source,
                Source::Either(..) | Source::Tuple(_) | Source::Other => Source::Other,
            },
            (_, Some((Prim::Zip, args))) => self.zipped(args, depth),
            (_, Some((Prim::Gather, [Arg::Data(idx), Arg::Data(xs)])))
                if depth == 0
                    && self.idx.is_some_and(|own| same(own, idx))
                    && matches!(xs.kind(), Kind::Param(p) if p == self.target) =>
            {
                Source::Elements(0, Part::Target.into())
            }
            _ => {
                let mut all = Source::Free;
                for child in e.children() {
                    all = all.and(self.source(child, depth));
                }
                all
            }
        }
    }

    fn mapped(&mut self, f: &Lambda, xs: &Expr, depth: usize) -> Source {
        let xs = self.source(xs, depth);
        let Some(element) = element(&xs, depth, &f.params[0].ty) else { return Source::Other };
        self.known.insert(f.params[0].id, element);
        match self.source(&f.body, depth + 1) {
            Source::Free => Source::Free,
            Source::Other => Source::Other,
            // The one element was chosen outside.
            body if matches!(xs, Source::Free | Source::Point) && body.is_flat() => body.merged(),
            body => Source::Elements(depth, Part::Of(body).into()),
        }
    }

    fn zipped(&mut self, args: &[Arg], depth: usize) -> Source {
        let mut parts = Vec::new();
        // What the one element that was chosen outside gives.
        let mut all = Source::Free;
        for x in args.iter().filter_map(Arg::data) {
            let source = self.source(x, depth);
            let ty = x.ty().as_array().map(|(ty, _)| ty);
            match ty.and_then(|ty| element(&source, depth, ty)) {
                Some(element) => parts.push(element),
                None => return Source::Other,
            }
            all = all.and(source);
        }
        if all != Source::Other {
            return all;
        }
        Source::Elements(depth, Part::Of(Source::Tuple(parts)).into())
    }
}

/// The element of an array of that kind which a map at this depth gets; it is of type `ty`.
fn element(array: &Source, depth: usize, ty: &Type) -> Option<Source> {
    match array {
        Source::Free => Some(Source::Free),
        Source::Point => Some(Source::Point),
        Source::Elements(at, part) if *at == depth => Some(match &**part {
            Part::Target if ty.as_array().is_some() => Source::Elements(depth + 1, Part::Target.into()),
            // Each part is written by itself, before others are read.
            Part::Target if ty.contains_array() => Source::Other,
            Part::Target => Source::Point,
            Part::Of(source) => source.clone(),
        }),
        Source::Either(a, b) => match (element(a, depth, ty)?, element(b, depth, ty)?) {
            (a @ (Source::Free | Source::Point), b @ (Source::Free | Source::Point)) => Some(a.and(b)),
            (a, b) => Some(Source::Either(a.into(), b.into())),
        },
        Source::Elements(..) | Source::Tuple(_) | Source::Other => None,
    }
}

#[cfg(test)]
mod tests {
    use super::is_pointwise;
    use crate::diag::Diagnostics;
    use crate::rewrite::normal;
    use crate::span::SpanTable;
    use crate::{syntax, typecheck};

    /// Whether the first parameter of a kernel, which is updated, can be written while it is read.
    fn pointwise(body: &str) -> bool {
        let (x, c) = ("x: &mut [[i32; M]; N]", "c: &mut [(i32, [i32; M]); N]");
        let updated = if body.starts_with("write_to(c") { c } else { x };
        let text = format!(
            "#[kernel] fn K<N, M>({updated}, y: [[i32; M]; N], i: [i32; 3], r: [[i32; M]; 3]) {{ {body} }}"
        );
        let (mut spans, mut diags) = (SpanTable::new(), Diagnostics::new());
        let block = syntax::parse(text.parse().expect("tokens"), &mut spans, &mut diags);
        let program = syntax::resolve(&block, &mut diags);
        let kernels = typecheck::check(&program, &mut diags).kernels;
        assert_eq!(diags.errors(), 0, "{text}");
        is_pointwise(&normal::normalise(&kernels[0]), &kernels[0].params[0])
    }

    #[test]
    fn elements_may_be_read_for_what_replaces_them() {
        for body in [
            "write_to(x, x);",
            "write_to(x, y);",
            "write_to(x, x.map2d(|v| v + 1));",
            "write_to(x, zip2d(x, y).map2d(|(a, b)| if a > b { a } else { b }));",
            "write_to(x, zip(x, y).map(|(a, b)| zip(a, b).map(|(a, b)| a * b)));",
            "write_to(x, x.map2d(|v| i.map(|w| v * w).reduce(add, 0)));",
            "write_to(x, y.reverse().transpose().transpose());",
            "write_to(x, if N > 3 { x } else { y });",
            "write_to(x, x.map(|row| if N > 3 { row.map(|v| v + 1) } else { row }));",
            "scatter_to(x, i, r);",
            "scatter_to(x, i, zip2d(gather(i, x), r).map2d(add));",
            "write_to(x, x.map_global(0, map_seq(|v| v + 1)));",
            "write_to(x, zip(x, y).map(|(a, b)| zip(a, b).split(1).map(map(|(a, b)| a - b)).join()));",
        ] {
            assert!(pointwise(body), "{body}");
        }
    }

    #[test]
    fn elements_may_not_be_read_for_others() {
        for body in [
            "write_to(x, x.reverse());",
            "write_to(x, x.map(|row| row.reverse()));",
            "write_to(x, x.map(|row| row.map(|v| v - row[0])));",
            "write_to(x, x.map(|row| row.pad(1, 0, wrap).take(M)));",
            "write_to(x, zip2d(x, x.pad(1, 0, clamp).take(N)).map2d(add));",
            "write_to(x, y.map2d(|v| v + x[0][0]));",
            "write_to(c, c.map(|(v, f)| (v, f.reverse())));",
            "write_to(c, c.map(|(v, f)| (-v, f.map(|w| w + v))));",
            "write_to(x, x.map(|row| { let s = row.reduce(add, 0); row.map(|v| v - s) }));",
            "write_to(x, x.transpose().transpose().split(1).join().drop(0).map(|row| row.rotate()));",
            "write_to(x, x.split(1).map(|c| c.map(|row| row.map(|v| v + c[0][0]))).join());",
            "write_to(x, x.split(1).transpose().map(map(map(|v| v + 1))).transpose().reverse().join());",
            "write_to(x, x.join().reverse().split(M));",
            "scatter_to(x, i, gather(i.reverse(), x));",
            "scatter_to(x, i, x.pad(0, 3, clamp).take(3));",
            "scatter_to(x, x.join().pad(0, 3, clamp).take(3), r);",
        ] {
            assert!(!pointwise(&body.replace("row.rotate()", "row.reorder(|i, n| (i + 1) % n)")), "{body}");
        }
    }
}
