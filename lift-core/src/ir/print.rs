//! Printing expressions the way a user would write them: `image.pad(1, 1, clamp).slide(3, 1).map(|w| …)`.
//!
//! Long chains are broken, one step a line.

use std::collections::HashMap;
use std::fmt::{self, Write};
use std::sync::Arc;

use crate::arith::ArithExpr;
use crate::budget;
use crate::bug;
use crate::ir::boundary::Boundary;
use crate::ir::expr::{Arg, Expr, Kernel, Kind, Lambda, Output};
use crate::ir::prim::Prim;
use crate::ir::scalar::{BinaryOp, UnaryOp};

/// Lines longer than this are broken.
const WIDTH: usize = 100;

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text::default();
        text.expr(self, 0)?;
        f.write_str(&text.out)
    }
}

impl fmt::Display for Lambda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text::default();
        text.lambda(self, 0)?;
        f.write_str(&text.out)
    }
}

impl Kernel {
    /// The type in mathematical form: `([f32; K], [[f32; M]; N]) -> [[f32; M]; N]`.
    pub fn type_text(&self) -> String {
        let updated = |i: usize| self.outputs.contains(&Output::Update(i));
        let shown = |i: usize| match updated(i) {
            true => format!("&mut {}", self.surface_param(i)),
            false => self.surface_param(i).to_string(),
        };
        let params: Vec<String> = (0..self.params.len()).map(shown).collect();
        let result = self.surface_result().map_or_else(|| "()".to_string(), |it| it.to_string());
        match params.as_slice() {
            [one] => format!("{one} -> {result}"),
            _ => format!("({}) -> {result}", params.join(", ")),
        }
    }
}

impl fmt::Display for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text::default();
        text.boundary(self)?;
        f.write_str(&text.out)
    }
}

/// Binding strength, for parentheses.
fn precedence(e: &Expr) -> u8 {
    match e.kind() {
        Kind::Binary(op, ..) => binary_precedence(*op),
        Kind::Cast(..) => 7,
        Kind::Unary(..) => 8,
        Kind::If(..) | Kind::Let(..) => 0,
        Kind::Size(n) if n.as_const().is_none() && n.as_var().is_none() => 0,
        Kind::Literal(_)
        | Kind::Param(_)
        | Kind::Size(_)
        | Kind::Math(..)
        | Kind::Tuple(_)
        | Kind::Field(..)
        | Kind::ArrayLiteral(_)
        | Kind::Prim(..) => 9,
    }
}

fn binary_precedence(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => 1,
        BinaryOp::And => 2,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge | BinaryOp::Eq | BinaryOp::Ne => 3,
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => 4,
        BinaryOp::Add | BinaryOp::Sub => 5,
        BinaryOp::Mul | BinaryOp::Unrounded | BinaryOp::Div | BinaryOp::Rem => 6,
    }
}

/// The texts of expressions that have most of their parts in common. What they share is printed once.
pub fn texts(all: &[&Expr]) -> Vec<String> {
    let mut text = Text { known: Some(HashMap::new()), ..Text::default() };
    let one = |e: &&Expr| {
        text.out.clear();
        match text.expr(e, 0) {
            Ok(()) => text.out.clone(),
            Err(fmt::Error) => bug!("there is no end to a line"),
        }
    };
    all.iter().map(one).collect()
}

/// Text in the making.
#[derive(Default)]
struct Text {
    out: String,
    /// Chains that were printed already, by their address and indentation, if they are kept until all is printed.
    known: Option<HashMap<(usize, usize), Arc<str>>>,
    sizes: HashMap<ArithExpr, Arc<str>>,
    /// While one line is tried: where it must end. To write beyond is an error.
    end: Option<usize>,
}

impl Write for Text {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        if self.end.is_some_and(|end| self.out.len() + s.len() > end) {
            return Err(fmt::Error);
        }
        self.out.push_str(s);
        Ok(())
    }
}

impl Text {
    fn expr(&mut self, e: &Expr, indent: usize) -> fmt::Result {
        budget::step();
        match e.kind() {
            Kind::Param(p) => self.write_str(&p.name),
            Kind::Literal(l) => write!(self, "{l}"),
            Kind::Size(n) => self.size(n),
            Kind::Unary(op, x) => {
                self.write_str(match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Not => "!",
                })?;
                self.operand(x, 8, indent)
            }
            Kind::Binary(op, a, b) => {
                let p = binary_precedence(*op);
                self.operand(a, p, indent)?;
                self.parts(&[" ", op.symbol(), " "])?;
                self.operand(b, p + 1, indent)
            }
            Kind::Math(f, xs) => {
                self.operand(&xs[0], 9, indent)?;
                self.parts(&[".", f.name(), "("])?;
                self.list(&xs[1..], |text, x| text.expr(x, indent))?;
                self.write_str(")")
            }
            Kind::Cast(s, x) => {
                self.operand(x, 7, indent)?;
                write!(self, " as {s}")
            }
            Kind::If(c, a, b) => {
                self.write_str("if ")?;
                self.expr(c, indent)?;
                self.write_str(" { ")?;
                self.expr(a, indent)?;
                self.write_str(" } else { ")?;
                self.expr(b, indent)?;
                self.write_str(" }")
            }
            Kind::Tuple(xs) => {
                self.write_str("(")?;
                self.list(xs, |text, x| text.expr(x, indent))?;
                self.write_str(")")
            }
            Kind::Field(x, i) => {
                self.operand(x, 9, indent)?;
                write!(self, ".{i}")
            }
            Kind::ArrayLiteral(xs) => {
                self.write_str("[")?;
                self.list(xs, |text, x| text.expr(x, indent))?;
                self.write_str("]")
            }
            Kind::Let(p, value, body) => {
                self.parts(&["{ let ", &p.name, " = "])?;
                self.expr(value, indent)?;
                self.write_str("; ")?;
                self.expr(body, indent)?;
                self.write_str(" }")
            }
            Kind::Prim(..) => self.chain(e, indent),
        }
    }

    /// A chain of primitives, on one line if it fits.
    fn chain(&mut self, e: &Expr, indent: usize) -> fmt::Result {
        if self.end.is_some() {
            return self.links(e, indent, None);
        }
        let key = (e.address(), indent);
        if let Some(known) = self.known.as_ref().and_then(|known| known.get(&key)) {
            self.out.push_str(known);
            return Ok(());
        }
        let start = self.out.len();
        self.new_chain(e, indent)?;
        if let Some(known) = &mut self.known {
            known.insert(key, self.out[start..].into());
        }
        Ok(())
    }

    fn new_chain(&mut self, e: &Expr, indent: usize) -> fmt::Result {
        let start = self.out.len();
        self.end = Some(start + WIDTH.saturating_sub(indent));
        let fits = self.links(e, indent, None).is_ok();
        self.end = None;
        if fits {
            return Ok(());
        }
        self.out.truncate(start);
        self.links(e, indent, Some(&format!("\n{}", " ".repeat(indent + 4))))
    }

    /// The head of a chain and its links, each after a line break if there is one.
    fn links(&mut self, e: &Expr, indent: usize, line_break: Option<&str>) -> fmt::Result {
        let mut links = Vec::new();
        let mut current = e;
        loop {
            match current.as_prim() {
                Some((prim, [init @ .., Arg::Data(data)]))
                    if !matches!(prim, Prim::Zip | Prim::ScatterTo) =>
                {
                    links.push((prim, init));
                    current = data;
                }
                Some((prim, arguments)) => {
                    self.call(prim, arguments, indent)?;
                    break;
                }
                None => {
                    self.operand(current, 9, indent)?;
                    break;
                }
            }
        }
        let inside = if line_break.is_some() { indent + 4 } else { indent };
        for (prim, arguments) in links.into_iter().rev() {
            self.parts(&[line_break.unwrap_or_default(), "."])?;
            self.call(prim, arguments, inside)?;
        }
        Ok(())
    }

    fn size(&mut self, n: &ArithExpr) -> fmt::Result {
        if n.as_const().is_some() || n.as_var().is_some() {
            return write!(self, "{n}");
        }
        let text = match self.sizes.get(n) {
            Some(text) => text.clone(),
            None => self.sizes.entry(n.clone()).or_insert(n.to_string().into()).clone(),
        };
        self.write_str(&text)
    }

    fn call(&mut self, prim: Prim, arguments: &[Arg], indent: usize) -> fmt::Result {
        self.parts(&[prim.name(), "("])?;
        if let Some(d) = prim.dimension() {
            write!(self, "{d}{}", if arguments.is_empty() { "" } else { ", " })?;
        }
        self.list(arguments, |text, argument| text.arg(argument, indent))?;
        self.write_str(")")
    }

    fn arg(&mut self, argument: &Arg, indent: usize) -> fmt::Result {
        match argument {
            Arg::Data(x) => self.expr(x, indent),
            Arg::Fun(f) => self.lambda(f, indent),
            Arg::Size(n) => self.size(n),
            Arg::Boundary(b) => self.boundary(b),
        }
    }

    fn lambda(&mut self, lambda: &Lambda, indent: usize) -> fmt::Result {
        self.write_str("|")?;
        self.list(&lambda.params, |text, p| text.write_str(&p.name))?;
        self.write_str("| ")?;
        self.expr(&lambda.body, indent)
    }

    fn boundary(&mut self, boundary: &Boundary) -> fmt::Result {
        match boundary {
            Boundary::Fold(fold) => self.write_str(fold.name()),
            Boundary::Constant(c) => {
                self.write_str("constant(")?;
                self.expr(c, 0)?;
                self.write_str(")")
            }
            Boundary::Index(g) => self.lambda(g, 0),
            Boundary::Value(g) => {
                self.write_str("value(")?;
                self.lambda(g, 0)?;
                self.write_str(")")
            }
        }
    }

    /// In parentheses if it binds less than that.
    fn operand(&mut self, e: &Expr, at_least: u8, indent: usize) -> fmt::Result {
        if precedence(e) >= at_least {
            return self.expr(e, indent);
        }
        self.write_str("(")?;
        self.expr(e, indent)?;
        self.write_str(")")
    }

    fn list<T>(&mut self, items: &[T], mut item: impl FnMut(&mut Text, &T) -> fmt::Result) -> fmt::Result {
        for (i, it) in items.iter().enumerate() {
            self.write_str(if i == 0 { "" } else { ", " })?;
            item(self, it)?;
        }
        Ok(())
    }

    fn parts(&mut self, parts: &[&str]) -> fmt::Result {
        parts.iter().try_for_each(|part| self.write_str(part))
    }
}
