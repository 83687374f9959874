//! Where a value comes from, for messages: the steps of a chain such as `xs.pad(1, 1, clamp).slide(3, 1)`, and
//! terms in the user's words.
//!
//! Nothing here decides anything; a step that is not understood is left out.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{BinaryOp, Prim, UnaryOp};
use crate::syntax::ast::{Fact, Literal, Relation, SizeExpr, SizeKind, SizeOp};
use crate::syntax::term::{Arg, BinderId, Boundary, Closure, PatternKind, Program, Term, TermKind};
use crate::typecheck::annotation::integer_const;
use crate::typecheck::ty::{Solver, Ty};

/// Texts longer than this do not help.
const MAX_TEXT: usize = 48;

/// What is remembered of the terms that were checked.
#[derive(Debug, Default)]
pub(super) struct Provenance<'a> {
    /// The names of variables.
    pub(super) names: BTreeMap<BinderId, String>,
    /// The parameters of the function that is checked.
    pub(super) params: BTreeSet<BinderId>,
    /// Their types.
    pub(super) param_types: BTreeMap<BinderId, Ty>,
    /// What `let` binds to a name.
    pub(super) lets: BTreeMap<BinderId, &'a Term>,
    /// The types of calls, by the address of their term.
    pub(super) types: BTreeMap<*const Term, Ty>,
    /// What the elements that variables stand for are elements of.
    pub(super) elements: BTreeMap<BinderId, Source<'a>>,
}

/// Where the element that a variable stands for comes from.
#[derive(Debug, Clone)]
pub(super) struct Source<'a> {
    /// The array.
    pub(super) array: &'a Term,
    /// Its type, where nothing paired its elements with others.
    pub(super) ty: Ty,
    /// The function that paired them.
    pub(super) paired: Option<&'static str>,
}

/// One step of a chain.
#[derive(Debug, Clone)]
pub(super) struct Step<'a> {
    /// The function that is applied.
    pub(super) name: String,
    /// Its arguments, the array it works on among them.
    pub(super) args: &'a [Arg],
    /// The step, where it is the value itself.
    pub(super) term: &'a Term,
    /// The outermost dimension that it works on.
    pub(super) depth: usize,
}

/// Extents that a step takes away (`slide`) or adds (`pad`): one pair for each dimension.
pub(super) type Amounts = Vec<(i64, i64)>;

impl Step<'_> {
    /// Its sizes, where all of them are numbers.
    fn sizes(&self, program: &Program) -> Option<Vec<i64>> {
        let size = |arg: &Arg| match arg {
            Arg::Size(size) => Some(number(size, program)),
            Arg::Data(_) | Arg::Function(_) | Arg::Boundary(..) => None,
        };
        self.args.iter().filter_map(size).collect()
    }

    /// Sizes and steps of windows, one pair for each dimension.
    pub(super) fn windows(&self, program: &Program) -> Option<Amounts> {
        let dims = dimensions(&self.name, "slide")?;
        let sizes = self.sizes(program)?;
        match sizes.as_slice() {
            [size, step] => Some(vec![(*size, *step); dims]),
            many => Some(many.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()),
        }
    }

    /// What is added before and after, for each dimension.
    pub(super) fn padding(&self, program: &Program) -> Option<Amounts> {
        let dims = dimensions(&self.name, "pad")?;
        let sizes = self.sizes(program)?;
        match sizes.as_slice() {
            many if many.len() == 2 * dims => {
                Some(many.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
            }
            few => Some(few.iter().map(|amount| (*amount, *amount)).collect()),
        }
    }
}

/// 1 for `slide`, 2 for `slide2d`.
fn dimensions(name: &str, family: &str) -> Option<usize> {
    match name.strip_prefix(family)? {
        "" => Some(1),
        "2d" => Some(2),
        "3d" => Some(3),
        _ => None,
    }
}

fn number(size: &SizeExpr, program: &Program) -> Option<i64> {
    match &size.kind {
        SizeKind::Const(n) => Some(*n),
        SizeKind::Name(name) => integer_const(program, name),
        SizeKind::Binary(..) => None,
    }
}

/// The array that a call works on.
pub(super) fn receiver<'a>(program: &Program, term: &'a Term) -> Option<&'a Term> {
    let (args, name) = match &term.kind {
        TermKind::Prim(Prim::Zip | Prim::At | Prim::Array, _) => return None,
        TermKind::Prim(prim, args) => (args, prim.name()),
        TermKind::Call(id, args) => (args, program.functions.get(id.0 as usize)?.name.as_str()),
        _ => return None,
    };
    match args.last() {
        Some(Arg::Data(inner)) if !name.starts_with("zip") => Some(inner),
        _ => None,
    }
}

/// The name of what a call calls.
pub(super) fn callee<'p>(program: &'p Program, term: &Term) -> Option<&'p str> {
    match &term.kind {
        TermKind::Prim(prim, _) => Some(prim.name()),
        TermKind::Call(id, _) => program.functions.get(id.0 as usize).map(|f| f.name.as_str()),
        _ => None,
    }
}

impl<'a> Provenance<'a> {
    /// The steps that made a value, the first that was taken first.
    pub(super) fn steps(&self, program: &Program, term: &'a Term) -> Vec<Step<'a>> {
        let mut steps = Vec::new();
        self.collect(program, term, 0, &mut steps);
        steps.reverse();
        steps
    }

    fn collect(&self, program: &Program, mut term: &'a Term, depth: usize, steps: &mut Vec<Step<'a>>) {
        // Every turn is one level down a finite tree, or one `let` up.
        loop {
            let args = match &term.kind {
                TermKind::Let(_, _, body) => {
                    term = body;
                    continue;
                }
                TermKind::Local(id) => match self.lets.get(id) {
                    Some(value) => {
                        term = value;
                        continue;
                    }
                    None => return,
                },
                TermKind::Prim(_, args) | TermKind::Call(_, args) => args,
                _ => return,
            };
            let Some(name) = callee(program, term) else { return };
            if let (Some(dims), Some(Arg::Function(f))) = (dimensions(name, "map"), args.first()) {
                self.collect(program, &f.body, depth + dims, steps);
            }
            steps.push(Step { name: name.to_string(), args, term, depth });
            match receiver(program, term) {
                Some(inner) => term = inner,
                None => return,
            }
        }
    }

    /// What a step is called in messages: `slide(3, 1)`.
    pub(super) fn step(&self, program: &Program, step: &Step<'_>) -> String {
        let mut args: Vec<String> = step.args.iter().map(|arg| self.arg(program, arg)).collect();
        if receiver(program, step.term).is_some() {
            args.pop();
        }
        format!("{}({})", step.name, args.join(", "))
    }

    fn arg(&self, program: &Program, arg: &Arg) -> String {
        match arg {
            Arg::Data(term) => self.text(program, term).unwrap_or_else(|| "…".into()),
            Arg::Function(closure) => closure_text(program, closure),
            Arg::Size(size) => size_text(size),
            Arg::Boundary(boundary, _) => match boundary {
                Boundary::Fold(fold) => fold.name().into(),
                Boundary::Negated(fold) => format!("negated({})", fold.name()),
                Boundary::Constant(x) => {
                    let x = self.text(program, x);
                    format!("constant({})", x.as_deref().unwrap_or("…"))
                }
                Boundary::Index(closure) => closure_text(program, closure),
                Boundary::Value(closure) => format!("value({})", closure_text(program, closure)),
                Boundary::Local(_) => "…".into(),
            },
        }
    }

    /// A term as the user wrote it, if it is short and of a simple form.
    pub(super) fn text(&self, program: &Program, term: &Term) -> Option<String> {
        let text = self.simple(program, term, 4)?;
        (text.chars().count() <= MAX_TEXT).then_some(text)
    }

    fn simple(&self, program: &Program, term: &Term, depth: usize) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let inner = |term: &Term| self.simple(program, term, depth);
        Some(match &term.kind {
            TermKind::Local(id) => self.names.get(id)?.clone(),
            TermKind::Literal(literal) => literal.to_string(),
            TermKind::Size(size) => size_text(size),
            TermKind::Const(index) => program.consts.get(*index)?.name.clone(),
            TermKind::Field(x, index) => format!("{}.{index}", inner(x)?),
            TermKind::Named(x, name) => format!("{}.{name}", inner(x)?),
            TermKind::Prim(Prim::At, args) => match args.as_slice() {
                [Arg::Data(i), Arg::Data(xs)] => format!("{}[{}]", inner(xs)?, inner(i)?),
                _ => return None,
            },
            TermKind::Prim(_, args) | TermKind::Call(_, args) => {
                let receiver = inner(receiver(program, term)?)?;
                let args: Vec<String> =
                    args[..args.len() - 1].iter().map(|arg| self.arg(program, arg)).collect();
                let args = args.join(", ");
                if args.contains('…') {
                    return None;
                }
                format!("{receiver}.{}({args})", callee(program, term)?)
            }
            // Anything else would be long.
            _ => return None,
        })
    }

    /// The number that decides the type of a term, if that is all that decides it.
    pub(super) fn literal(&self, program: &Program, term: &Term, float: bool) -> Option<String> {
        let inner = |term: &Term| self.literal(program, term, float);
        match &term.kind {
            TermKind::Literal(Literal::Int(_, None)) if !float => self.text(program, term),
            TermKind::Literal(Literal::Float(_, None)) if float => self.text(program, term),
            TermKind::Unary(UnaryOp::Neg, x) => inner(x).map(|text| format!("-{text}")),
            TermKind::Binary(_, a, b) | TermKind::If(_, a, b) => inner(a).or_else(|| inner(b)),
            TermKind::Let(_, _, body) => inner(body),
            TermKind::Tuple(parts) | TermKind::ArrayLiteral(parts) => parts.iter().find_map(inner),
            TermKind::Local(id) => self.lets.get(id).and_then(|value| inner(value)),
            _ => None,
        }
    }

    /// A function as an argument: its name, or its parameters.
    pub(super) fn function(program: &Program, closure: &Closure) -> String {
        closure_text(program, closure)
    }

    /// What to call an argument in a message.
    pub(super) fn describe(&self, program: &Program, term: &Term) -> String {
        match (self.text(program, term), callee(program, term)) {
            (Some(text), _) => format!("`{text}`"),
            (None, Some(name)) => format!("the result of `{name}`"),
            (None, None) => "one of them".into(),
        }
    }

    /// Remembers what the elements that `closure` is called with are elements of.
    pub(super) fn note_elements(&mut self, program: &Program, closure: &Closure, data: &'a Term, ty: &Ty) {
        let callee = callee(program, data);
        let paired = ["zip", "zip2d", "zip3d"].into_iter().find(|name| callee == Some(*name));
        let args: Vec<&'a Term> = match &data.kind {
            TermKind::Prim(_, args) | TermKind::Call(_, args) if paired.is_some() => args
                .iter()
                .filter_map(|arg| if let Arg::Data(term) = arg { Some(term) } else { None })
                .collect(),
            _ => vec![data],
        };
        let parts = match closure.params.as_slice() {
            [one] => match &one.kind {
                PatternKind::Tuple(parts) => parts.as_slice(),
                PatternKind::Bind(_)
                | PatternKind::Wild
                | PatternKind::Array(_)
                | PatternKind::Struct(..) => closure.params.as_slice(),
            },
            many => many,
        };
        if parts.len() != args.len() {
            return;
        }
        for (part, arg) in parts.iter().zip(args) {
            if let PatternKind::Bind(binder) = &part.kind {
                let ty = if paired.is_some() { Ty::Error } else { ty.clone() };
                self.elements.insert(binder.id, Source { array: arg, ty, paired });
            }
        }
    }
}

impl Provenance<'_> {
    /// Where variables come from: `p: u8` from `img` and so on.
    pub(super) fn origins(
        &self,
        program: &Program,
        parts: &[(&Term, &Ty)],
        solver: &Solver,
    ) -> Option<String> {
        let mut texts = Vec::new();
        let mut through = None;
        for (term, ty) in parts {
            if let TermKind::Local(id) = &term.kind
                && let (Some(name), Some(source)) = (self.names.get(id), self.elements.get(id))
                && let Some(from) = self.text(program, source.array)
            {
                texts.push(format!("`{name}: {}` comes from `{from}`", solver.show(ty)));
                through = source.paired.or(through);
            }
        }
        // Where there was nothing to pair, it can be seen.
        through
            .filter(|_| texts.len() == parts.len())
            .map(|zip| format!("{}, through `{zip}`", crate::text::words(&texts)))
    }
}

/// A function as an argument: its name, or its parameters.
fn closure_text(program: &Program, closure: &Closure) -> String {
    let own = |term: &Term| {
        matches!(&term.kind, TermKind::Local(id)
            if closure.params.iter().any(|p| matches!(&p.kind, PatternKind::Bind(b) if b.id == *id)))
    };
    let data = |arg: &Arg| matches!(arg, Arg::Data(term) if own(term));
    match &closure.body.kind {
        // Only a name that the user wrote stands where the whole closure stands.
        TermKind::Prim(_, args) | TermKind::Call(_, args)
            if args.iter().all(data) && closure.body.span.is(closure.span) =>
        {
            callee(program, &closure.body).unwrap_or("…").to_string()
        }
        TermKind::Binary(op, a, b) if own(a) && own(b) && closure.body.span.is(closure.span) => match op {
            BinaryOp::Add => "add".into(),
            BinaryOp::Sub => "sub".into(),
            BinaryOp::Mul => "mul".into(),
            BinaryOp::Div => "div".into(),
            _ => "…".into(),
        },
        TermKind::Math(f, args) if args.iter().all(own) && closure.body.span.is(closure.span) => {
            f.name().to_string()
        }
        _ => {
            let params: Vec<&str> = closure
                .params
                .iter()
                .map(|p| match &p.kind {
                    PatternKind::Bind(binder) => binder.name.as_str(),
                    PatternKind::Wild => "_",
                    PatternKind::Tuple(_) => "(…)",
                    PatternKind::Array(_) => "[…]",
                    PatternKind::Struct(..) => "{…}",
                })
                .collect();
            format!("|{}| …", params.join(", "))
        }
    }
}

/// A size as the user wrote it.
pub(super) fn size_text(size: &SizeExpr) -> String {
    let part = |size: &SizeExpr| match &size.kind {
        SizeKind::Binary(SizeOp::Min | SizeOp::Max | SizeOp::DivCeil, ..)
        | SizeKind::Const(_)
        | SizeKind::Name(_) => size_text(size),
        SizeKind::Binary(..) => format!("({})", size_text(size)),
    };
    match &size.kind {
        SizeKind::Const(n) => n.to_string(),
        SizeKind::Name(name) => name.clone(),
        SizeKind::Binary(op, a, b) => {
            let symbol = match op {
                SizeOp::Add => "+",
                SizeOp::Sub => "-",
                SizeOp::Mul => "*",
                SizeOp::Div => "/",
                SizeOp::Mod => "%",
                SizeOp::Min => return format!("{}.min({})", part(a), size_text(b)),
                SizeOp::Max => return format!("{}.max({})", part(a), size_text(b)),
                SizeOp::DivCeil => return format!("{}.div_ceil({})", part(a), size_text(b)),
            };
            format!("{} {symbol} {}", part(a), part(b))
        }
    }
}

/// A fact about sizes as users write it: numbers stand on the right.
pub(super) fn fact_text(fact: &Fact) -> String {
    let is_number = |size: &SizeExpr| matches!(size.kind, SizeKind::Const(_));
    let turned = is_number(&fact.left) && !is_number(&fact.right);
    let symbol = match (fact.relation, turned) {
        (Relation::Equal, _) => "==",
        (Relation::AtMost, false) => "<=",
        (Relation::AtMost, true) => ">=",
        (Relation::Below, false) => "<",
        (Relation::Below, true) => ">",
    };
    let (left, right) = if turned { (&fact.right, &fact.left) } else { (&fact.left, &fact.right) };
    format!("{} {symbol} {}", size_text(left), size_text(right))
}

/// The names in a fact, each once.
pub(super) fn size_names(fact: &Fact) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in [fact.left.names(), fact.right.names()].concat() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
