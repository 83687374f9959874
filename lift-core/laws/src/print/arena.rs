//! Kernels as text, for people: an operation a line, with its operands below it, or on the line if all of it fits.

use std::fmt::{self, Display, Formatter};

use lift_core::arith::ArithExpr;
use lift_core::ir::{Output, Prim, UnaryOp};
use lift_core::low::{Geometry, Kernel, Kind, Lambda, LoopStyle, Memory, NodeId};

use crate::print::Shown;

/// Longer lines are broken.
const WIDTH: usize = 100;

impl Display for Shown<'_, Kernel> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let kernel = self.0;
        writeln!(f, "kernel {}: {}", kernel.name, geometry(&kernel.geometry))?;
        for param in &kernel.params {
            writeln!(f, "    {}: {}", param.name, param.ty)?;
        }
        for output in &kernel.outputs {
            match output {
                Output::Result => writeln!(f, "    -> {}", kernel.ty(kernel.root))?,
                Output::Update(i) => writeln!(f, "    -> {}", kernel.params[*i].name)?,
            }
        }
        lines(kernel, kernel.root).iter().try_for_each(|line| writeln!(f, "    {line}"))
    }
}

fn geometry(geometry: &Geometry) -> String {
    let list = |all: &[ArithExpr]| all.iter().map(ArithExpr::to_string).collect::<Vec<_>>().join(", ");
    match geometry {
        Geometry::Items(items) => format!("items {}", list(items)),
        Geometry::Shaped { items, local } => format!("items {} in groups of {}", list(items), list(local)),
        Geometry::Groups { groups, local } => format!("groups {} of {}", list(groups), list(local)),
    }
}

/// A node with all below it.
fn lines(kernel: &Kernel, id: NodeId) -> Vec<String> {
    let (head, parts) = head(kernel, id);
    let mut below: Vec<Vec<String>> = Vec::new();
    if let Some(f) = kernel.kind(id).function() {
        let mut body = lines(kernel, f.body);
        body[0] = format!("{}{}", parameters(f), body[0]);
        below.push(body);
    }
    below.extend(parts.into_iter().map(|x| lines(kernel, x)));
    let length: usize = below.iter().flatten().map(|line| line.len() + 2).sum();
    if below.is_empty() {
        return vec![head];
    }
    if below.iter().all(|lines| lines.len() == 1) && head.len() + length < WIDTH {
        let below: Vec<String> = below.into_iter().flatten().collect();
        return vec![format!("{head}({})", below.join(", "))];
    }
    let indented = below.into_iter().flatten().map(|line| format!("    {line}"));
    std::iter::once(head).chain(indented).collect()
}

/// What a node does, and its operands but for functions.
fn head(kernel: &Kernel, id: NodeId) -> (String, Vec<NodeId>) {
    let kind = kernel.kind(id);
    let head = match kind {
        Kind::Param(param) => name_of(kernel, *param),
        Kind::Literal(x) => x.to_string(),
        Kind::Size(n) => format!("size {n}"),
        Kind::Unary(UnaryOp::Neg, _) => "neg".to_string(),
        Kind::Unary(UnaryOp::Not, _) => "not".to_string(),
        Kind::Binary(op, ..) => op.symbol().to_string(),
        Kind::Math(f, _) => f.name().to_string(),
        Kind::Cast(to, _) => to.to_string(),
        Kind::If(..) => "if".to_string(),
        Kind::Tuple(_) => "tuple".to_string(),
        Kind::Field(_, i) => format!("field {i}"),
        Kind::ArrayLiteral(_) => "array".to_string(),
        Kind::Let(binder, ..) => format!("let {}", binder.name),
        Kind::Map { place, var, .. } => format!("map {}{}", place, var.name()),
        Kind::Reduce { style, unrolled, var, .. } => {
            let window = match style {
                LoopStyle::Window(d) => format!("window {d} "),
                LoopStyle::Plain => String::new(),
            };
            let unrolled = if *unrolled { "unrolled " } else { "" };
            format!("reduce {unrolled}{window}{}", var.name())
        }
        Kind::Iterate { .. } => "iterate".to_string(),
        Kind::Scan { emits: true, var, .. } => format!("scan_with {}", var.name()),
        Kind::Scan { place, var, .. } => format!("scan {}{}", place, var.name()),
        Kind::ByKey(by_key) => match &by_key.copies {
            Some(copies) => format!("by_key in {copies} copies"),
            None => "by_key".to_string(),
        },
        Kind::Layout(layout, _) => layout.to_string(),
        Kind::SlideSeq { name, size, step, .. } => format!("slide_seq {name} {size} by {step}"),
        Kind::Generate(_) => "generate".to_string(),
        Kind::At(..) => "at".to_string(),
        Kind::Store { memory: Memory::Private, name, .. } => format!("to_private {name}"),
        Kind::Store { memory, .. } => Prim::Store(*memory).name().to_string(),
    };
    (head, kind.operands())
}

/// What a variable is called where it is bound.
fn name_of(kernel: &Kernel, id: u32) -> String {
    if let Some(param) = kernel.params.iter().find(|param| param.id == id) {
        return param.name.to_string();
    }
    let binders = kernel.nodes.iter().flat_map(|node| {
        let own = match &node.kind {
            Kind::Let(binder, ..) => Some(binder),
            _ => None,
        };
        own.into_iter().chain(node.kind.function().into_iter().flat_map(|f| &f.params))
    });
    let name = binders.into_iter().find(|binder| binder.id == id).map(|binder| binder.name.clone());
    name.unwrap_or_else(|| format!("#{id}"))
}
fn parameters(f: &Lambda) -> String {
    let names: Vec<&str> = f.params.iter().map(|binder| binder.name.as_str()).collect();
    format!("|{}| ", names.join(", "))
}
