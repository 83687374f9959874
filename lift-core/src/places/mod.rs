//! Which places may stand inside which, and what is stored where: checked, because users may write it.
//!
//! Before: typed kernels. After: in the normal form of each,
//!
//! * what a parallel map computes is stored: it is part of the result, or inside a `to_local`;
//! * `map_local` stands inside `map_workgroup` and never inside `map_global`; no dimension is used twice on one
//!   path;
//! * `to_local` stands inside `map_workgroup` and outside `map_local`;
//! * what is written out, in vectors or in registers has a length that is a number;
//! * `slide_seq` feeds a loop.

mod error;

use crate::arith::ArithExpr;
use crate::diag::Diagnostics;
use crate::ir::{Arg, Expr, Kernel, Kind, Prim, Type};
use crate::rewrite::layout::is_placed;
use crate::rewrite::normal::normalise;
use crate::span::Span;

/// The lengths of vectors.
const LANES: [i64; 5] = [2, 3, 4, 8, 16];

/// More elements are not kept in registers.
const MOST_PRIVATE: i64 = 1024;

/// More elements are not written out.
const MOST_UNROLLED: i64 = 4096;

/// More bytes of local memory than any device has.
const MOST_LOCAL: i64 = 1 << 20;

/// Reports every low-level primitive of a kernel that stands where it cannot.
pub fn check(kernel: &Kernel, diags: &mut Diagnostics) {
    if !is_placed(&kernel.body) {
        return;
    }
    let mut checker = Checker { path: Vec::new(), diags };
    checker.stored(&normalise(kernel));
}

struct Checker<'d> {
    /// The parallel maps around, outermost first, with their dimensions.
    path: Vec<(Prim, i64)>,
    diags: &'d mut Diagnostics,
}

impl Checker<'_> {
    /// An expression that is stored piece by piece.
    fn stored(&mut self, e: &Expr) {
        match e.kind() {
            Kind::Let(_, value, body) => {
                self.read(value);
                self.stored(body);
            }
            Kind::If(c, a, b) => {
                self.read(c);
                self.stored(a);
                self.stored(b);
            }
            Kind::Tuple(parts) => parts.iter().for_each(|x| self.stored(x)),
            Kind::Prim(prim, args) => self.stored_prim(e, *prim, args),
            _ => self.read(e),
        }
    }

    fn stored_prim(&mut self, e: &Expr, prim: Prim, args: &[Arg]) {
        match prim {
            Prim::Concat => args.iter().filter_map(Arg::data).for_each(|x| self.stored(x)),
            Prim::Unzip
            | Prim::Split
            | Prim::Join
            | Prim::Transpose
            | Prim::Take
            | Prim::Drop
            | Prim::Scatter
            | Prim::ScatterTo
            | Prim::Materialize => {
                let last = args.len() - 1;
                for (i, arg) in args.iter().enumerate() {
                    match arg {
                        Arg::Data(x) if i == last => self.stored(x),
                        arg => arg.expr().into_iter().for_each(|x| self.read(x)),
                    }
                }
            }
            prim if prim.is_map() => self.map(e, prim, args),
            _ => self.read(e),
        }
    }

    fn map(&mut self, e: &Expr, prim: Prim, args: &[Arg]) {
        let ([.., Arg::Fun(f), Arg::Data(xs)], Type::Array(_, len)) = (args, e.ty()) else { return };
        self.length(e, prim, len);
        match prim {
            // It may only say where elements go.
            Prim::Map => self.stored(xs),
            Prim::MapSeq | Prim::MapSeqUnroll => self.streamed(xs),
            _ => self.read(xs),
        }
        let Some(Arg::Size(d)) = args.first() else { return self.stored(&f.body) };
        let d = d.as_const().unwrap_or(0);
        self.enter(prim, d, e.span());
        self.path.push((prim, d));
        self.stored(&f.body);
        self.path.pop();
    }

    /// Whether a parallel map may stand here.
    fn enter(&mut self, prim: Prim, d: i64, span: Span) {
        let inside = |wanted: Prim| self.path.iter().find(|(prim, _)| *prim == wanted);
        let fault = if self.path.contains(&(prim, d)) {
            Some(error::dimension_twice(span, prim, d))
        } else {
            match prim {
                Prim::MapLocal if inside(Prim::MapWorkgroup).is_none() => {
                    Some(error::local_outside(span, &self.path))
                }
                Prim::MapGlobal => inside(Prim::MapWorkgroup)
                    .or(inside(Prim::MapLocal))
                    .map(|(outer, _)| error::levels(span, prim, *outer)),
                Prim::MapWorkgroup => inside(Prim::MapGlobal)
                    .or(inside(Prim::MapLocal))
                    .map(|(outer, _)| error::levels(span, prim, *outer)),
                _ => None,
            }
        };
        if let Some(fault) = fault {
            self.diags.push(fault);
        }
    }

    /// What a loop goes through.
    fn streamed(&mut self, e: &Expr) {
        match e.as_prim() {
            Some((Prim::Zip, args)) => args.iter().filter_map(Arg::data).for_each(|x| self.streamed(x)),
            Some((Prim::Map, [Arg::Fun(f), Arg::Data(xs)])) => {
                self.read(&f.body);
                self.streamed(xs);
            }
            Some((Prim::SlideSeq, [Arg::Size(size), Arg::Size(step), Arg::Data(xs)])) => {
                if size.as_const().is_none() || step.as_const().is_none() {
                    self.diags.push(error::window_length(e.span()));
                } else if let Some((element, _)) = xs.ty().as_array()
                    && count(element).is_none_or(|n| n > MOST_PRIVATE)
                {
                    self.diags.push(error::private_size(e.span(), &element.to_string()));
                }
                self.read(xs);
            }
            _ => self.read(e),
        }
    }

    /// An expression whose elements are read.
    fn read(&mut self, e: &Expr) {
        let Some((prim, args)) = e.as_prim() else {
            return e.children().into_iter().for_each(|x| self.read(x));
        };
        match prim {
            Prim::ToLocal => {
                if !self.path.iter().any(|(p, _)| *p == Prim::MapWorkgroup) {
                    self.diags.push(error::to_local_outside(e.span()));
                } else if self.path.iter().any(|(p, _)| *p == Prim::MapLocal) {
                    self.diags.push(error::to_local_inside(e.span()));
                } else if bytes(e.ty()).is_some_and(|n| n > MOST_LOCAL) {
                    self.diags.push(error::local_size(e.span(), &e.ty().to_string()));
                }
                return args.iter().filter_map(Arg::data).for_each(|x| self.stored(x));
            }
            Prim::ToPrivate => {
                if count(e.ty()).is_none_or(|n| n > MOST_PRIVATE) {
                    self.diags.push(error::private_size(e.span(), &e.ty().to_string()));
                }
                return args.iter().filter_map(Arg::data).for_each(|x| self.stored(x));
            }
            // A launch of its own.
            Prim::Materialize => {
                let path = std::mem::take(&mut self.path);
                args.iter().filter_map(Arg::data).for_each(|x| self.stored(x));
                self.path = path;
                return;
            }
            Prim::MapGlobal | Prim::MapWorkgroup | Prim::MapLocal => {
                self.diags.push(error::not_stored(e.span(), prim));
                return;
            }
            Prim::MapSeqUnroll | Prim::MapVec => {
                if let Some((_, len)) = e.ty().as_array() {
                    self.length(e, prim, len);
                }
            }
            Prim::ReduceSeqUnroll => {
                let last = args.last().and_then(Arg::data);
                if let Some((_, len)) = last.and_then(|xs| xs.ty().as_array()) {
                    self.length(e, prim, len);
                }
            }
            Prim::SlideSeq => self.diags.push(error::no_loop(e.span())),
            _ => {}
        }
        args.iter().filter_map(Arg::expr).for_each(|x| self.read(x));
    }

    /// Whether a length is what the primitive needs.
    fn length(&mut self, e: &Expr, prim: Prim, len: &ArithExpr) {
        let number = len.as_const();
        match prim {
            Prim::MapVec if number.is_none_or(|n| !LANES.contains(&n)) => {
                self.diags.push(error::lanes(e.span(), &len.to_string()));
            }
            Prim::MapSeqUnroll | Prim::ReduceSeqUnroll if number.is_none_or(|n| n > MOST_UNROLLED) => {
                self.diags.push(error::unrolled(e.span(), prim, &len.to_string()));
            }
            _ => {}
        }
    }
}

/// The number of scalars in a type, if it is known.
fn count(ty: &Type) -> Option<i64> {
    match ty {
        Type::Scalar(_) => Some(1),
        Type::Array(element, len) => count(element)?.checked_mul(len.as_const()?),
        Type::Tuple(parts) => parts.iter().try_fold(0i64, |all, part| all.checked_add(count(part)?)),
    }
}

/// The bytes of a type, if they are known.
fn bytes(ty: &Type) -> Option<i64> {
    match ty {
        Type::Scalar(scalar) => Some(scalar.bytes()),
        Type::Array(element, len) => bytes(element)?.checked_mul(len.as_const()?),
        Type::Tuple(parts) => parts.iter().try_fold(0i64, |all, part| all.checked_add(bytes(part)?)),
    }
}
