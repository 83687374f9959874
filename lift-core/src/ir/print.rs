//! Printing expressions the way a user would write them: `image.pad(1, 1, clamp).slide(3, 1).map(|w| …)`.
//!
//! Long chains are broken, one step a line. The text parses again as the body of a function of the free
//! variables, except that low-level primitives cannot be written by users yet.

use std::fmt;

use crate::ir::expr::{Arg, Boundary, Expr, Kernel, Kind, Lambda, Output};
use crate::ir::prim::Prim;
use crate::ir::scalar::{BinaryOp, UnaryOp};

/// Lines longer than this are broken.
const WIDTH: usize = 100;

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&expr(self, 0))
    }
}

impl fmt::Display for Lambda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&lambda(self, 0))
    }
}

impl Kernel {
    /// The type in mathematical form: `([f32; K], [[f32; M]; N]) -> [[f32; M]; N]`.
    pub fn type_text(&self) -> String {
        let updated = |i: usize| self.outputs.contains(&Output::Update(i));
        let shown = |i: usize| match updated(i) {
            true => format!("&mut {}", self.written_param(i)),
            false => self.written_param(i).to_string(),
        };
        let params: Vec<String> = (0..self.params.len()).map(shown).collect();
        let result = self.written_result().map_or_else(|| "()".to_string(), |it| it.to_string());
        match params.as_slice() {
            [one] => format!("{one} -> {result}"),
            _ => format!("({}) -> {result}", params.join(", ")),
        }
    }
}

impl fmt::Display for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Boundary::Clamp => f.write_str("clamp"),
            Boundary::Mirror => f.write_str("mirror"),
            Boundary::Reflect => f.write_str("reflect"),
            Boundary::Wrap => f.write_str("wrap"),
            Boundary::Constant(c) => write!(f, "constant({c})"),
            Boundary::Index(g) => f.write_str(&lambda(g, 0)),
            Boundary::Value(g) => write!(f, "value({})", lambda(g, 0)),
        }
    }
}

fn lambda(lambda: &Lambda, indent: usize) -> String {
    let params: Vec<&str> = lambda.params.iter().map(|p| &*p.name).collect();
    format!("|{}| {}", params.join(", "), expr(&lambda.body, indent))
}

fn arg(argument: &Arg, indent: usize) -> String {
    match argument {
        Arg::Data(x) => expr(x, indent),
        Arg::Fun(f) => lambda(f, indent),
        Arg::Size(n) => n.to_string(),
        Arg::Boundary(b) => b.to_string(),
    }
}

fn args(arguments: &[Arg], indent: usize) -> String {
    arguments.iter().map(|a| arg(a, indent)).collect::<Vec<_>>().join(", ")
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
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 6,
    }
}

fn operand(e: &Expr, at_least: u8, indent: usize) -> String {
    let text = expr(e, indent);
    if precedence(e) < at_least { format!("({text})") } else { text }
}

fn expr(e: &Expr, indent: usize) -> String {
    match e.kind() {
        Kind::Param(p) => p.name.to_string(),
        Kind::Literal(l) => l.to_string(),
        Kind::Size(n) => n.to_string(),
        Kind::Unary(UnaryOp::Neg, x) => format!("-{}", operand(x, 8, indent)),
        Kind::Unary(UnaryOp::Not, x) => format!("!{}", operand(x, 8, indent)),
        Kind::Binary(op, a, b) => {
            let p = binary_precedence(*op);
            format!("{} {} {}", operand(a, p, indent), op.symbol(), operand(b, p + 1, indent))
        }
        Kind::Math(f, xs) => {
            let rest: Vec<String> = xs[1..].iter().map(|x| expr(x, indent)).collect();
            format!("{}.{}({})", operand(&xs[0], 9, indent), f.name(), rest.join(", "))
        }
        Kind::Cast(s, x) => format!("{} as {s}", operand(x, 7, indent)),
        Kind::If(c, a, b) => {
            format!("if {} {{ {} }} else {{ {} }}", expr(c, indent), expr(a, indent), expr(b, indent))
        }
        Kind::Tuple(xs) => {
            format!("({})", xs.iter().map(|x| expr(x, indent)).collect::<Vec<_>>().join(", "))
        }
        Kind::Field(x, i) => format!("{}.{i}", operand(x, 9, indent)),
        Kind::ArrayLiteral(xs) => {
            format!("[{}]", xs.iter().map(|x| expr(x, indent)).collect::<Vec<_>>().join(", "))
        }
        Kind::Let(p, value, body) => {
            format!("{{ let {} = {}; {} }}", p.name, expr(value, indent), expr(body, indent))
        }
        Kind::Prim(..) => chain(e, indent),
    }
}

/// A chain of primitives, on one line if it fits.
fn chain(e: &Expr, indent: usize) -> String {
    let mut links = Vec::new();
    let mut current = e;
    let head = loop {
        match current.as_prim() {
            Some((prim, [init @ .., Arg::Data(data)])) if !matches!(prim, Prim::Zip | Prim::ScatterTo) => {
                links.push((prim.name(), init));
                current = data;
            }
            Some((prim, arguments)) => break format!("{}({})", prim.name(), args(arguments, indent)),
            None => break operand(current, 9, indent),
        }
    };
    links.reverse();
    let one_line = links
        .iter()
        .fold(head.clone(), |text, (name, arguments)| format!("{text}.{name}({})", args(arguments, indent)));
    if indent + one_line.len() <= WIDTH && !one_line.contains('\n') {
        return one_line;
    }
    let pad = " ".repeat(indent + 4);
    links.iter().fold(head, |text, (name, arguments)| {
        format!("{text}\n{pad}.{name}({})", args(arguments, indent + 4))
    })
}
