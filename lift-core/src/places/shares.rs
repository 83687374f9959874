//! What the items of a group share out between them is read by those who have it.
//!
//! An array in registers that `map_local` computes is kept in parts: each item has the elements that it computed. So only a
//! `map_local` in the same dimension may go through it, also zipped with others. Here every expression gets a
//! [`Share`], which says in which of its dimensions items have only their own elements.

use std::collections::BTreeMap;

use crate::diag::Diagnostics;
use crate::ir::{Arg, Expr, Kernel, Kind, Lambda, Memory, Order, Place, Prim, Type};
use crate::places::error;
use crate::span::Span;

/// Who has what of a value.
#[derive(Clone, PartialEq)]
enum Share {
    /// Everybody has everything.
    All,
    /// An array: whether items have only their own elements, in this dimension of the group, and who has what of
    /// an element.
    Array(Option<usize>, Box<Share>),
    /// A tuple.
    Tuple(Vec<Share>),
}

impl Share {
    fn array(own: Option<usize>, element: Share) -> Share {
        match (own, element) {
            (None, Share::All) => Share::All,
            (own, element) => Share::Array(own, Box::new(element)),
        }
    }

    fn tuple(parts: Vec<Share>) -> Share {
        if parts.iter().all(|part| *part == Share::All) { Share::All } else { Share::Tuple(parts) }
    }

    fn field(&self, i: usize) -> Share {
        match self {
            Share::Tuple(parts) => parts.get(i).cloned().unwrap_or(Share::All),
            Share::All | Share::Array(..) => Share::All,
        }
    }

    /// The dimension in which elements are shared out, and an element.
    fn elements(&self) -> (Option<usize>, Share) {
        match self {
            Share::Array(own, element) => (*own, Share::clone(element)),
            Share::All | Share::Tuple(_) => (None, Share::All),
        }
    }

    /// Whether somebody lacks something.
    fn lacks(&self) -> bool {
        *self != Share::All
    }
}

/// Reports what is read by items that do not have it.
pub(super) fn check(kernel: &Kernel, body: &Expr, diags: &mut Diagnostics) {
    let mut checker = Checker { kernel, env: BTreeMap::new(), diags };
    let share = checker.share(body);
    checker.stored(body, &share);
}

/// The local maps that compute an array, outermost first: their dimensions and types.
pub(super) fn local_maps(e: &Expr) -> Vec<(usize, &Type)> {
    match e.kind() {
        Kind::Let(_, _, body) => local_maps(body),
        Kind::Prim(Prim::Map(Place::Local(d)), args) => match args.as_slice() {
            [Arg::Fun(f), _] => [vec![(*d, e.ty())], local_maps(&f.body)].concat(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Who has what of an array that local maps compute.
fn shared_out(e: &Expr) -> Share {
    local_maps(e).into_iter().rev().fold(Share::All, |element, (d, _)| Share::array(Some(d), element))
}

/// Whether this is a reduction to an array.
fn is_accumulator(e: &Expr) -> bool {
    match e.kind() {
        Kind::Let(_, _, body) => is_accumulator(body),
        _ => {
            matches!(e.as_prim(), Some((Prim::Reduce(Order::Sequential | Order::Unrolled), _)))
                && matches!(e.ty(), Type::Array(..))
        }
    }
}

struct Checker<'d> {
    kernel: &'d Kernel,
    env: BTreeMap<u32, Share>,
    diags: &'d mut Diagnostics,
}

impl Checker<'_> {
    /// A value that is stored for others than those who have it. Of an accumulator, each item stores its part.
    fn stored(&mut self, e: &Expr, share: &Share) {
        if share.lacks() && !is_accumulator(e) {
            self.diags.push(error::own_part(e.span()));
        }
    }

    /// An array whose elements others than those who have them read.
    fn elements(&mut self, span: Span, share: &Share) -> Share {
        let (own, element) = share.elements();
        if own.is_some() {
            self.diags.push(error::own_part(span));
        }
        element
    }

    fn bind(&mut self, f: &Lambda, args: Vec<Share>) -> Share {
        for (param, share) in f.params.iter().zip(args) {
            self.env.insert(param.id, share);
        }
        self.share(&f.body)
    }

    /// What local maps compute and registers keep.
    fn kept(&mut self, e: &Expr) -> Share {
        let maps = local_maps(e);
        for (d, ty) in &maps {
            let items = self.kernel.options.work_group.get(*d);
            let Some((_, len)) = ty.as_array() else { continue };
            if len.as_const().is_none_or(|len| items.is_some_and(|items| len > *items)) {
                self.diags.push(error::shared_length(e.span(), *d, &len.to_string(), items.copied()));
            }
        }
        shared_out(e)
    }

    /// An element of a window, each part of it where it is kept.
    fn window(&mut self, e: &Expr) -> Share {
        match e.kind() {
            Kind::Let(x, value, body) => {
                let share = self.share(value);
                self.env.insert(x.id, share);
                self.window(body)
            }
            Kind::Tuple(parts) => Share::tuple(parts.iter().map(|x| self.window(x)).collect()),
            Kind::Prim(Prim::Store(Memory::Local) | Prim::Increase(_) | Prim::Store(Memory::Private), _) => {
                self.share(e)
            }
            // The part that the item has goes on to the window.
            Kind::Param(_) => self.share(e),
            _ => {
                let share = self.share(e);
                self.stored(e, &share);
                self.kept(e)
            }
        }
    }

    fn share(&mut self, e: &Expr) -> Share {
        match e.kind() {
            Kind::Param(p) => self.env.get(&p.id).cloned().unwrap_or(Share::All),
            Kind::Let(x, value, body) => {
                let share = self.share(value);
                self.env.insert(x.id, share);
                self.share(body)
            }
            Kind::If(c, a, b) => {
                self.share(c);
                let (first, second) = (self.share(a), self.share(b));
                if first != second {
                    self.stored(a, &first);
                    self.stored(b, &second);
                }
                first
            }
            Kind::Tuple(parts) => Share::tuple(parts.iter().map(|x| self.share(x)).collect()),
            Kind::Field(x, i) => self.share(x).field(*i),
            Kind::Prim(prim, args) => self.prim(e, *prim, args),
            _ => {
                for x in e.children() {
                    let share = self.share(x);
                    self.stored(x, &share);
                }
                Share::All
            }
        }
    }

    fn prim(&mut self, e: &Expr, prim: Prim, args: &[Arg]) -> Share {
        match (prim, args) {
            (Prim::Store(Memory::Private), [Arg::Data(x)]) => {
                let share = self.share(x);
                self.stored(x, &share);
                self.kept(x)
            }
            (Prim::Map(Place::Local(d)), [Arg::Fun(f), Arg::Data(xs)]) => {
                let (own, element) = self.share(xs).elements();
                if own.is_some() && own != Some(d) {
                    self.diags.push(error::own_part(xs.span()));
                }
                let share = self.bind(f, vec![element]);
                self.stored(&f.body, &share);
                Share::All
            }
            (Prim::Map(Place::View), [Arg::Fun(f), Arg::Data(xs)]) => {
                let (own, element) = self.share(xs).elements();
                let share = self.bind(f, vec![element]);
                Share::array(own, share)
            }
            (Prim::Zip, args) => self.zip(args),
            (Prim::Unzip, [Arg::Data(xs)]) => {
                let (own, element) = self.share(xs).elements();
                let part = |i| Share::array(own, element.field(i));
                Share::tuple((0..e.ty().arity()).map(part).collect())
            }
            (Prim::At, [Arg::Data(i), Arg::Data(xs)]) => {
                self.share(i);
                let share = self.share(xs);
                self.elements(xs.span(), &share)
            }
            (Prim::SlideSeq, [_, _, Arg::Data(xs)]) => {
                let element = match xs.as_prim() {
                    Some((Prim::Map(Place::Sequential), [Arg::Fun(f), Arg::Data(ys)])) => {
                        let share = self.share(ys);
                        let element = self.elements(ys.span(), &share);
                        f.params.iter().for_each(|p| {
                            self.env.insert(p.id, element.clone());
                        });
                        self.window(&f.body)
                    }
                    _ => {
                        let share = self.share(xs);
                        self.elements(xs.span(), &share)
                    }
                };
                Share::array(None, Share::array(None, element))
            }
            (Prim::Slide | Prim::Split, [.., Arg::Data(xs)]) => {
                let share = self.share(xs);
                let element = self.elements(xs.span(), &share);
                Share::array(None, Share::array(None, element))
            }
            (Prim::Take | Prim::Drop | Prim::Pad, [.., Arg::Data(xs)]) => {
                let share = self.share(xs);
                let element = self.elements(xs.span(), &share);
                Share::array(None, element)
            }
            (Prim::Transpose, [Arg::Data(xs)]) => {
                let (outer, row) = self.share(xs).elements();
                let (inner, element) = row.elements();
                Share::array(inner, Share::array(outer, element))
            }
            (
                Prim::Reduce(Order::Sequential | Order::Unrolled),
                [Arg::Fun(f), Arg::Data(z), Arg::Data(xs)],
            ) if matches!(e.ty(), Type::Array(..)) => {
                self.share(z);
                let share = self.share(xs);
                let element = self.elements(xs.span(), &share);
                // An accumulator may have more elements than the group has items: then they take turns.
                let own = shared_out(&f.body);
                self.bind(f, vec![own.clone(), element]);
                own
            }
            (prim, args) => self.others(prim, args),
        }
    }

    /// Arrays side by side have the same owners.
    fn zip(&mut self, args: &[Arg]) -> Share {
        let shares: Vec<(&Expr, Share)> =
            args.iter().filter_map(Arg::data).map(|x| (x, self.share(x))).collect();
        let own = shares.iter().find_map(|(_, share)| share.elements().0);
        for (x, share) in &shares {
            if share.elements().0.is_some_and(|d| Some(d) != own) {
                self.diags.push(error::own_part(x.span()));
            }
        }
        Share::array(own, Share::tuple(shares.iter().map(|(_, share)| share.elements().1).collect()))
    }

    /// What other primitives read, they read as a whole.
    fn others(&mut self, prim: Prim, args: &[Arg]) -> Share {
        for arg in args {
            match arg {
                Arg::Data(x) => {
                    let share = self.share(x);
                    let stores = matches!(prim, Prim::Store(Memory::Local | Memory::Temporary));
                    if share.lacks() && !prim.is_map() && !(stores && is_accumulator(x)) {
                        self.diags.push(error::own_part(x.span()));
                    }
                }
                Arg::Fun(f) => {
                    let element = match args.last() {
                        Some(Arg::Data(xs)) if prim.is_map() => {
                            let share = self.share(xs);
                            self.elements(xs.span(), &share)
                        }
                        _ => Share::All,
                    };
                    let share = self.bind(f, vec![element]);
                    self.stored(&f.body, &share);
                }
                arg => {
                    if let Some(x) = arg.expr() {
                        self.share(x);
                    }
                }
            }
        }
        Share::All
    }
}
