//! Expressions of vectors as text: values of the runtime's type for so many lanes.

use crate::arith::ArithExpr;
use crate::host::expr::has_polynomial;
use crate::host::names::Kind;
use crate::host::print::{Array, Printer, stored};
use crate::imp::ast::Expr;
use crate::ir::{BinaryOp, MathFn, Scalar, UnaryOp};
use crate::memory::BufferId;

/// The type of a variable.
pub(super) fn type_name(scalar: Scalar, lanes: u8) -> String {
    if lanes == 1 { scalar.to_string() } else { format!("host::simd::V<{scalar}, {lanes}>") }
}

impl Printer<'_> {
    /// An expression in so many lanes; a scalar stands in all of them.
    pub(super) fn lanes(&mut self, e: &Expr, lanes: u8) -> String {
        if e.lanes() == 1 {
            let x = self.expr(e);
            return format!("host::simd::V::<{}, {lanes}>::splat({x})", e.scalar());
        }
        self.vector(e)
    }

    /// An expression of several lanes.
    pub(super) fn vector(&mut self, e: &Expr) -> String {
        let lanes = e.lanes();
        match e {
            Expr::Local(local) => self.names.of(Kind::Variable, local.id, &local.name),
            Expr::Vector(id, scalar, lanes, index) if self.piece(*id, *lanes, index).is_some() => {
                let (piece, place) = self.piece(*id, *lanes, index).unwrap_or_default();
                format!("host::simd::V::<{}, {lanes}>::load({piece}, {place})", stored(*scalar))
            }
            Expr::Vector(id, _, lanes, index) if self.reached(*id) == Some(Array::Columns) => {
                let (name, place) = (self.array(*id), self.column(*id, &index[0]));
                format!("{name}.load::<{lanes}>({place})")
            }
            Expr::Vector(id, scalar, lanes, index) => {
                let (array, index) = self.elements(*id, index);
                format!("host::simd::V::<{}, {lanes}>::load(&{array}, {index})", stored(*scalar))
            }
            Expr::Pack(parts) if parts.windows(2).all(|pair| pair[0] == pair[1]) => {
                let x = self.expr(&parts[0]);
                format!("host::simd::V::<{}, {lanes}>::splat({x})", e.scalar())
            }
            Expr::Pack(parts) => {
                let parts: Vec<String> = parts.iter().map(|x| self.expr(x)).collect();
                format!("host::simd::V([{}])", parts.join(", "))
            }
            Expr::Unary(op, _, x) => {
                let x = self.vector(x);
                format!("({}{x})", if *op == UnaryOp::Neg { "-" } else { "!" })
            }
            Expr::Binary(op, _, a, b) => {
                let (a, b) = (self.lanes(a, lanes), self.lanes(b, lanes));
                match op {
                    BinaryOp::Lt => format!("{a}.lt({b})"),
                    BinaryOp::Le => format!("{a}.le({b})"),
                    BinaryOp::Gt => format!("{a}.gt({b})"),
                    BinaryOp::Ge => format!("{a}.ge({b})"),
                    BinaryOp::Eq => format!("{a}.eq({b})"),
                    BinaryOp::Ne => format!("{a}.ne({b})"),
                    BinaryOp::And => format!("({a} & {b})"),
                    BinaryOp::Or => format!("({a} | {b})"),
                    BinaryOp::Unrounded => format!("({a} * {b})"),
                    op => format!("({a} {} {b})", op.symbol()),
                }
            }
            Expr::Math(f, scalar, args) => self.vector_math(*f, *scalar, args, lanes),
            Expr::Cast(to, x) => {
                let (from, x) = (x.scalar(), self.vector(x));
                match (from, to) {
                    (Scalar::Bool, to) if to.is_float() => format!("{x}.map(|x| x as u8 as {to})"),
                    (_, Scalar::Bool) => format!("{x}.map(|x| x != 0 as {from})"),
                    (_, to) => format!("{x}.map(|x| x as {to})"),
                }
            }
            Expr::Select(c, a, b) if c.lanes() == 1 => {
                let (c, a, b) = (self.expr(c), self.lanes(a, lanes), self.lanes(b, lanes));
                format!("(if {c} {{ {a} }} else {{ {b} }})")
            }
            Expr::Select(c, a, b) => {
                let (c, a, b) = (self.vector(c), self.lanes(a, lanes), self.lanes(b, lanes));
                format!("{c}.select({a}, {b})")
            }
            Expr::Literal(_)
            | Expr::Index(_)
            | Expr::Cond(_)
            | Expr::Load(..)
            | Expr::Lane(..)
            | Expr::All(_) => {
                crate::bug!("a scalar in the place of a vector")
            }
        }
    }

    fn vector_math(&mut self, f: MathFn, scalar: Scalar, args: &[Expr], lanes: u8) -> String {
        let texts: Vec<String> = args.iter().map(|x| self.lanes(x, lanes)).collect();
        let call = |name: &str| format!("{}.{name}({})", texts[0], texts[1..].join(", "));
        match (f, texts.len()) {
            (
                MathFn::MulAdd
                | MathFn::Clamp
                | MathFn::Min
                | MathFn::Max
                | MathFn::RemEuclid
                | MathFn::DivEuclid,
                _,
            ) => call(f.name()),
            (MathFn::Abs, _) if !scalar.is_float() => format!("{}.map(|x| x.wrapping_abs())", texts[0]),
            (MathFn::Pow, _) => format!("{}.zip({}, |x, y| x.wrapping_pow(y))", texts[0], texts[1]),
            (f, 1) if has_polynomial(f) => format!("{}.map(host::functions::{})", texts[0], f.name()),
            (f, 2) if has_polynomial(f) => {
                format!("{}.zip({}, host::functions::{})", texts[0], texts[1], f.name())
            }
            (_, 1) => format!("{}.map(|x| x.{}())", texts[0], f.name()),
            _ => format!("{}.zip({}, |x, y| x.{}(y))", texts[0], texts[1], f.name()),
        }
    }

    /// The innermost array around an element, and the index in it.
    pub(super) fn elements(&mut self, id: BufferId, index: &[ArithExpr]) -> (String, String) {
        let name = self.array(id);
        let Some((last, outer)) = index.split_last() else { crate::bug!("an access without an index") };
        let last = self.index(last);
        match self.reached(id) {
            Some(Array::Own) => (format!("*{name}"), format!("{last} - {name}_first")),
            Some(_) => (format!("*{name}"), last),
            None => {
                let outer: String = outer.iter().map(|e| format!("[{}]", self.place(e))).collect();
                (format!("{name}{outer}"), last)
            }
        }
    }
}
