//! Expressions of vectors as text.
//!
//! A vector of truth values is one of `int`, in which -1 stands for `true` and 0 for `false`. Where values of
//! another width are chosen or compared, it is converted: OpenCL C wants masks as wide as those values.

use crate::arith::ArithExpr;
use crate::imp::ast::Expr;
use crate::ir::{BinaryOp, Scalar, UnaryOp};
use crate::memory::{BufferId, Space};
use crate::opencl::print::Printer;
use crate::opencl::{Text, prec, type_name};

/// Bytes of the widest vector that the host aligns for certain.
const WIDEST_ALIGNED: i64 = 16;

/// Bytes of an element of a mask.
const MASK: i64 = 4;

impl Printer<'_> {
    /// An operation on vectors, where it is written in another way than that on scalars.
    pub(super) fn of_vectors(&mut self, e: &Expr) -> Option<Text> {
        let lanes = match e {
            Expr::Unary(..) | Expr::Binary(..) | Expr::Cast(..) | Expr::Select(..) => e.lanes(),
            // Those are written like scalars.
            Expr::Math(..) | Expr::Vector(..) | Expr::Local(_) | Expr::Pack(_) => 1,
            Expr::Literal(_)
            | Expr::Index(_)
            | Expr::Cond(_)
            | Expr::Load(..)
            | Expr::Lane(..)
            | Expr::All(_) => 1,
        };
        if lanes == 1 {
            return None;
        }
        if e.scalar() == Scalar::Bool {
            return Some(self.mask(e, MASK));
        }
        match e {
            Expr::Unary(UnaryOp::Neg, scalar, _) if scalar.is_integer() => {
                Some(self.wrapping(e, *scalar, lanes))
            }
            Expr::Unary(UnaryOp::Not, _, x) => {
                Some(Text::new(prec::UNARY, format!("~{}", self.expr(x).at(prec::UNARY))))
            }
            Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, scalar, ..)
                if scalar.is_integer() && scalar.is_signed() =>
            {
                Some(self.wrapping(e, *scalar, lanes))
            }
            Expr::Binary(BinaryOp::Rem, scalar, ..) if scalar.is_float() => None,
            Expr::Binary(op, _, a, b) => Some(self.infix(*op, a, b)),
            Expr::Cast(to, x) => {
                let ty = vector_type(*to, lanes);
                let saturated = if x.scalar().is_float() && to.is_integer() { "_sat" } else { "" };
                let x = self.expr(x).text;
                Some(self.call(&format!("convert_{ty}{saturated}"), &[x]))
            }
            Expr::Select(c, a, b) => Some(self.choice_of(c, a, b, e.scalar().bytes(), |p, x| p.expr(x))),
            _ => None,
        }
    }

    /// `as_int4(as_uint4(a) + as_uint4(b))`: signed numbers must not overflow in C.
    fn wrapping(&mut self, e: &Expr, scalar: Scalar, lanes: u8) -> Text {
        let result = self.unsigned(e, scalar, lanes).text;
        self.call(&format!("as_{}", vector_type(scalar, lanes)), &[result])
    }

    /// The same bits as unsigned numbers.
    fn unsigned(&mut self, e: &Expr, scalar: Scalar, lanes: u8) -> Text {
        let ty = vector_type(scalar.unsigned(), lanes);
        match e {
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), _, a, b) => {
                let (a, b) = (self.unsigned(a, scalar, lanes), self.unsigned(b, scalar, lanes));
                let p = if *op == BinaryOp::Mul { prec::MUL } else { prec::ADD };
                Text::new(p, format!("{} {} {}", a.at(p), op.symbol(), b.at(p + 1)))
            }
            Expr::Unary(UnaryOp::Neg, _, x) => {
                let x = self.unsigned(x, scalar, lanes);
                Text::new(prec::UNARY, format!("-{}", x.at(prec::ATOM)))
            }
            e => {
                let x = self.expr(e).text;
                self.call(&format!("as_{ty}"), &[x])
            }
        }
    }

    /// `c ? a : b`, lane by lane if `c` is a vector.
    fn choice_of(
        &mut self,
        c: &Expr,
        a: &Expr,
        b: &Expr,
        bytes: i64,
        mut operand: impl FnMut(&mut Self, &Expr) -> Text,
    ) -> Text {
        let c = if c.lanes() == 1 { self.expr(c) } else { self.mask(c, bytes) };
        let (a, b) = (operand(self, a), operand(self, b));
        let text = format!("{} ? {} : {}", c.at(prec::OR), a.at(prec::OR), b.at(prec::SELECT));
        Text::new(prec::SELECT, text)
    }

    /// Truth values as integers of so many bytes.
    fn mask(&mut self, e: &Expr, bytes: i64) -> Text {
        let lanes = e.lanes();
        let (text, own) = match e {
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), _, a, b) => {
                let (symbol, p) =
                    if *op == BinaryOp::And { ('&', prec::BIT_AND) } else { ('|', prec::BIT_OR) };
                let [a, b] = [a, b].map(|x| self.mask(x, bytes).at(prec::UNARY));
                return Text::new(p, format!("{a} {symbol} {b}"));
            }
            Expr::Unary(UnaryOp::Not, _, x) => {
                let x = self.mask(x, bytes);
                return Text::new(prec::UNARY, format!("~{}", x.at(prec::UNARY)));
            }
            Expr::Select(c, a, b) => return self.choice_of(c, a, b, bytes, |p, x| p.mask(x, bytes)),
            Expr::Pack(parts) => return self.masks(parts, bytes),
            Expr::Binary(op, scalar, a, b) => (self.infix(*op, a, b), scalar.bytes().max(mask_of(*scalar))),
            e => (self.expr(e), MASK),
        };
        if own == bytes {
            return text;
        }
        self.call(&format!("convert_{}{lanes}", mask_type(bytes)), &[text.text])
    }

    /// A mask of scalars.
    fn masks(&mut self, parts: &[Expr], bytes: i64) -> Text {
        let ty = format!("{}{}", mask_type(bytes), parts.len());
        let texts: Vec<String> = distinct(parts)
            .iter()
            .map(|x| match self.expr(x) {
                Text { text, .. } if text == "true" => "-1".to_string(),
                Text { text, .. } if text == "false" => "0".to_string(),
                text => format!("{} ? -1 : 0", text.at(prec::OR)),
            })
            .collect();
        Text::new(prec::UNARY, format!("({ty})({})", texts.join(", ")))
    }

    /// A vector of scalars.
    pub(super) fn pack(&mut self, parts: &[Expr]) -> Text {
        let scalar = parts.first().map_or(Scalar::Bool, Expr::scalar);
        if scalar == Scalar::Bool {
            return self.masks(parts, MASK);
        }
        let ty = vector_type(scalar, parts.len() as u8);
        let texts: Vec<String> = distinct(parts).iter().map(|x| self.expr(x).text).collect();
        Text::new(prec::UNARY, format!("({ty})({})", texts.join(", ")))
    }

    /// Neighbouring elements of a buffer.
    pub(super) fn vector_load(
        &mut self,
        buffer: BufferId,
        scalar: Scalar,
        lanes: u8,
        index: &[ArithExpr],
    ) -> Text {
        let place = self.place(buffer, index);
        if lanes == 3 {
            return self.call("vload3", &["0".into(), place.text]);
        }
        let space = self.space(buffer);
        let constant = if space == "constant " { "" } else { "const " };
        let ty = self.vector_type_at(buffer, scalar, lanes, index);
        Text::new(prec::UNARY, format!("*({space}{constant}{ty}*){}", place.at(prec::UNARY)))
    }

    /// Neighbouring elements of a buffer that are written.
    pub(super) fn vector_target(
        &mut self,
        buffer: BufferId,
        scalar: Scalar,
        lanes: u8,
        index: &[ArithExpr],
    ) -> String {
        let place = self.place(buffer, index);
        let space = self.space(buffer);
        let ty = self.vector_type_at(buffer, scalar, lanes, index);
        format!("*({space}{ty}*){}", place.at(prec::UNARY))
    }

    /// The statement that writes three neighbours: a vector of them occupies four.
    pub(super) fn store_three(&mut self, buffer: BufferId, index: &[ArithExpr], value: &Expr) -> String {
        let place = self.place(buffer, index);
        format!("vstore3({}, 0, {});", self.expr(value).text, place.text)
    }

    /// Whether vectors go past the caches to this buffer.
    pub(super) fn is_streamed(&self, buffer: BufferId) -> bool {
        self.kernel.streams && self.kernel.buffer(buffer).space == Space::Output
    }

    /// The statement that writes neighbours past the caches.
    pub(super) fn streamed(
        &mut self,
        buffer: BufferId,
        lanes: u8,
        index: &[ArithExpr],
        value: &Expr,
    ) -> String {
        let place = self.place(buffer, index);
        let helper = self.helpers.stream(value.scalar(), lanes);
        format!("{helper}({}, &{});", place.text, self.expr(value).at(prec::ATOM))
    }

    /// A pointer to an element of a buffer.
    fn place(&self, buffer: BufferId, index: &[ArithExpr]) -> Text {
        let name = self.names.array(buffer);
        match index {
            [i] if i.as_const() == Some(0) => Text::new(prec::ATOM, name),
            [i] => Text::new(prec::ADD, format!("{name} + {}", self.index(i).at(prec::ADD))),
            several => {
                let index: String = several.iter().map(|i| format!("[{}]", self.index(i).text)).collect();
                Text::new(prec::UNARY, format!("&{name}{index}"))
            }
        }
    }

    fn space(&self, buffer: BufferId) -> &'static str {
        match self.kernel.buffer(buffer).space {
            Space::Input | Space::Output | Space::Global => "global ",
            Space::Local => "local ",
            Space::Constant => "constant ",
            Space::Private => "",
        }
    }

    /// The type of a vector from an index on: not all lie where C expects them.
    fn vector_type_at(&mut self, buffer: BufferId, scalar: Scalar, lanes: u8, index: &[ArithExpr]) -> String {
        let place = self.kernel.buffer(buffer);
        let fixed = !matches!(place.space, Space::Constant | Space::Private);
        let aligned = self.definitions.is_aligned(place, i64::from(lanes), index, &self.facts);
        if fixed && aligned && scalar.bytes() * i64::from(lanes) <= WIDEST_ALIGNED {
            vector_type(scalar, lanes)
        } else {
            self.helpers.unaligned(scalar, lanes)
        }
    }
}

/// `float4`
pub(super) fn vector_type(scalar: Scalar, lanes: u8) -> String {
    match (scalar, lanes) {
        (scalar, 1) => type_name(scalar).to_string(),
        (Scalar::Bool, lanes) => format!("{}{lanes}", mask_type(MASK)),
        (scalar, lanes) => format!("{}{lanes}", type_name(scalar)),
    }
}

/// Integers of so many bytes.
fn mask_type(bytes: i64) -> &'static str {
    match bytes {
        1 => "char",
        2 => "short",
        8 => "long",
        _ => "int",
    }
}

/// Bytes of an element of what a comparison of this type yields, where that is not those of the type.
fn mask_of(scalar: Scalar) -> i64 {
    if scalar == Scalar::Bool { MASK } else { 0 }
}

/// One part if all are the same.
fn distinct(parts: &[Expr]) -> &[Expr] {
    if parts.windows(2).all(|pair| pair[0] == pair[1]) { &parts[..parts.len().min(1)] } else { parts }
}
