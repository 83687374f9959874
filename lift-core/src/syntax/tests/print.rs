//! Prints resolved programs, and checks that they are what their types promise.

use std::collections::BTreeSet;

use crate::ir::{Fold, Prim};
use crate::syntax::ast::{Literal, SizeExpr, SizeKind, SizeOp, Type, TypeKind};
use crate::syntax::term::{
    Arg, BinderId, Boundary, Closure, Function, Pattern, PatternKind, Program, Term, TermKind,
};

/// The functions of the user, one a line.
pub(super) fn program(program: &Program) -> String {
    let printer = Printer { program };
    let functions = program.functions.iter().filter(|function| !function.prelude);
    let lines: Vec<String> = functions.map(|function| printer.function(function)).collect();
    lines.join("\n")
}

/// Checks that binders are unique and every local is bound where it is used.
pub(super) fn check(program: &Program) {
    let mut seen = BTreeSet::new();
    for constant in &program.consts {
        Checker { seen: &mut seen, scope: Vec::new() }.term(&constant.value);
    }
    for function in &program.functions {
        let mut checker = Checker { seen: &mut seen, scope: Vec::new() };
        function.params.iter().for_each(|param| checker.bind(param.binder.id));
        checker.term(&function.body);
    }
}

struct Printer<'a> {
    program: &'a Program,
}

impl Printer<'_> {
    fn function(&self, function: &Function) -> String {
        let params: Vec<String> = function
            .params
            .iter()
            .map(|param| {
                let ty = param.ty.as_ref().map(|ty| format!(": {}", print_type(ty)));
                format!("{}{}", param.binder.name, ty.unwrap_or_default())
            })
            .collect();
        let result = function.result.as_ref().map(|ty| format!(" -> {}", print_type(ty)));
        let body = self.term(&function.body);
        format!("fn {}({}){} = {body}", function.name, params.join(", "), result.unwrap_or_default())
    }

    fn term(&self, term: &Term) -> String {
        // Names may hide others, so the printer trusts the checker.
        match &term.kind {
            TermKind::Local(id) => self.local(*id),
            TermKind::Literal(literal) => print_literal(literal),
            TermKind::Size(size) => print_size(size),
            TermKind::Const(index) => self.program.consts[*index].name.clone(),
            TermKind::Unary(op, a) => format!("{}{}", op.symbol(), self.term(a)),
            TermKind::Binary(op, a, b) => format!("({} {} {})", self.term(a), op.symbol(), self.term(b)),
            TermKind::Math(function, args) => format!("{}({})", function.name(), self.terms(args)),
            TermKind::Cast(a, ty) => format!("({} as {})", self.term(a), print_type(ty)),
            TermKind::If(c, a, b) => {
                format!("if {} {{ {} }} else {{ {} }}", self.term(c), self.term(a), self.term(b))
            }
            TermKind::Tuple(parts) => format!("({})", self.terms(parts)),
            TermKind::Struct(index, parts) => {
                format!("{}({})", self.program.structs[*index].name, self.terms(parts))
            }
            TermKind::Named(a, name) => format!("{}.{name}", self.term(a)),
            TermKind::Field(a, index) => format!("{}.{index}", self.term(a)),
            TermKind::ArrayLiteral(parts) => format!("[{}]", self.terms(parts)),
            TermKind::Let(pattern, value, body) => {
                format!("{{ let {} = {}; {} }}", print_pattern(pattern), self.term(value), self.term(body))
            }
            TermKind::Prim(Prim::At, args) => match args.as_slice() {
                [Arg::Data(index), Arg::Data(base)] => format!("{}[{}]", self.term(base), self.term(index)),
                args => format!("at({})", self.args(args)),
            },
            TermKind::Prim(prim, args) => format!("{}({})", prim.name(), self.args(args)),
            TermKind::Call(id, args) => {
                format!("{}({})", self.program.functions[id.0 as usize].name, self.args(args))
            }
            TermKind::CallLocal(id, args) => format!("{}({})", self.local(*id), self.terms(args)),
            TermKind::Error => "ERROR".to_string(),
        }
    }

    fn terms(&self, terms: &[Term]) -> String {
        let texts: Vec<String> = terms.iter().map(|term| self.term(term)).collect();
        texts.join(", ")
    }

    fn args(&self, args: &[Arg]) -> String {
        let texts: Vec<String> = args
            .iter()
            .map(|arg| match arg {
                Arg::Data(term) => self.term(term),
                Arg::Function(closure) => self.closure(closure),
                Arg::Size(size) => print_size(size),
                Arg::Boundary(boundary, _) => match boundary {
                    Boundary::Negated(fold) => format!("negated({})", fold.name()),
                    Boundary::Fold(Fold::Clamp) => "clamp".to_string(),
                    Boundary::Fold(Fold::Mirror) => "mirror".to_string(),
                    Boundary::Fold(Fold::Reflect) => "reflect".to_string(),
                    Boundary::Fold(Fold::Wrap) => "wrap".to_string(),
                    Boundary::Index(closure) => self.closure(closure),
                    Boundary::Value(closure) => format!("value({})", self.closure(closure)),
                    Boundary::Constant(value) => format!("constant({})", self.term(value)),
                    Boundary::Local(id) => self.local(*id),
                },
            })
            .collect();
        texts.join(", ")
    }

    fn closure(&self, closure: &Closure) -> String {
        let params: Vec<String> = closure.params.iter().map(print_pattern).collect();
        format!("|{}| {}", params.join(", "), self.term(&closure.body))
    }

    fn local(&self, id: BinderId) -> String {
        self.program
            .functions
            .iter()
            .find_map(|f| name_in_function(f, id))
            .unwrap_or_else(|| "UNBOUND".into())
    }
}

fn name_in_function(function: &Function, id: BinderId) -> Option<String> {
    let params = function.params.iter().map(|param| &param.binder);
    let param = params.clone().find(|binder| binder.id == id).map(|binder| binder.name.clone());
    param.or_else(|| name_in_term(&function.body, id))
}

fn name_in_pattern(pattern: &Pattern, id: BinderId) -> Option<String> {
    match &pattern.kind {
        PatternKind::Bind(binder) => (binder.id == id).then(|| binder.name.clone()),
        PatternKind::Wild => None,
        PatternKind::Tuple(parts) | PatternKind::Array(parts) | PatternKind::Struct(_, parts) => {
            parts.iter().find_map(|part| name_in_pattern(part, id))
        }
    }
}

fn name_in_term(term: &Term, id: BinderId) -> Option<String> {
    let here = match &term.kind {
        TermKind::Let(pattern, ..) => name_in_pattern(pattern, id),
        TermKind::Prim(_, args) | TermKind::Call(_, args) => args.iter().find_map(|arg| match arg {
            Arg::Function(closure) => closure.params.iter().find_map(|param| name_in_pattern(param, id)),
            Arg::Data(_) | Arg::Size(_) | Arg::Boundary(..) => None,
        }),
        _ => None,
    };
    here.or_else(|| children(term).into_iter().find_map(|child| name_in_term(child, id)))
}

fn children(term: &Term) -> Vec<&Term> {
    match &term.kind {
        TermKind::Local(_)
        | TermKind::Literal(_)
        | TermKind::Size(_)
        | TermKind::Const(_)
        | TermKind::Error => Vec::new(),
        TermKind::Unary(_, a) | TermKind::Cast(a, _) | TermKind::Field(a, _) | TermKind::Named(a, _) => {
            vec![a]
        }
        TermKind::Binary(_, a, b) | TermKind::Let(_, a, b) => vec![a, b],
        TermKind::If(a, b, c) => vec![a, b, c],
        TermKind::Math(_, parts)
        | TermKind::Tuple(parts)
        | TermKind::Struct(_, parts)
        | TermKind::ArrayLiteral(parts)
        | TermKind::CallLocal(_, parts) => parts.iter().collect(),
        TermKind::Prim(_, args) | TermKind::Call(_, args) => args
            .iter()
            .filter_map(|arg| match arg {
                Arg::Data(term) => Some(term),
                Arg::Boundary(Boundary::Constant(term), _) => Some(&**term),
                Arg::Function(closure) => Some(&*closure.body),
                Arg::Size(_) | Arg::Boundary(..) => None,
            })
            .collect(),
    }
}

pub(super) fn print_type(ty: &Type) -> String {
    match &ty.kind {
        TypeKind::Name(name) => name.clone(),
        TypeKind::Boundary(inner) => format!("Boundary<{}>", print_type(inner)),
        TypeKind::Array(element, size) => format!("[{}; {}]", print_type(element), print_size(size)),
        TypeKind::Tuple(parts) => {
            format!("({})", parts.iter().map(print_type).collect::<Vec<_>>().join(", "))
        }
        TypeKind::Function(inputs, result) => {
            let inputs: Vec<String> = inputs.iter().map(print_type).collect();
            format!("fn({}) -> {}", inputs.join(", "), print_type(result))
        }
        TypeKind::Infer => "_".to_string(),
    }
}

pub(super) fn print_size(size: &SizeExpr) -> String {
    match &size.kind {
        SizeKind::Const(value) => value.to_string(),
        SizeKind::Name(name) => name.clone(),
        SizeKind::Binary(op, a, b) => {
            let (a, b) = (print_size(a), print_size(b));
            match op {
                SizeOp::Add => format!("({a} + {b})"),
                SizeOp::Sub => format!("({a} - {b})"),
                SizeOp::Mul => format!("({a} * {b})"),
                SizeOp::Div => format!("({a} / {b})"),
                SizeOp::Mod => format!("({a} % {b})"),
                SizeOp::Min => format!("min({a}, {b})"),
                SizeOp::Max => format!("max({a}, {b})"),
                SizeOp::DivCeil => format!("div_ceil({a}, {b})"),
            }
        }
    }
}

fn print_literal(literal: &Literal) -> String {
    match literal {
        Literal::Int(value, suffix) => format!("{value}{}", suffix.as_deref().unwrap_or("")),
        Literal::Float(value, suffix) => format!("{value:?}{}", suffix.as_deref().unwrap_or("")),
        Literal::Bool(value) => value.to_string(),
    }
}

fn print_pattern(pattern: &Pattern) -> String {
    let text = match &pattern.kind {
        PatternKind::Bind(binder) => binder.name.clone(),
        PatternKind::Wild => "_".to_string(),
        PatternKind::Tuple(parts) | PatternKind::Array(parts) | PatternKind::Struct(_, parts) => {
            format!("({})", parts.iter().map(print_pattern).collect::<Vec<_>>().join(", "))
        }
    };
    match &pattern.ty {
        Some(ty) => format!("{text}: {}", print_type(ty)),
        None => text,
    }
}

struct Checker<'a> {
    seen: &'a mut BTreeSet<BinderId>,
    scope: Vec<BinderId>,
}

impl Checker<'_> {
    fn bind(&mut self, id: BinderId) {
        assert!(self.seen.insert(id), "{id:?} is bound twice");
        self.scope.push(id);
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match &pattern.kind {
            PatternKind::Bind(binder) => self.bind(binder.id),
            PatternKind::Wild => {}
            PatternKind::Tuple(parts) | PatternKind::Array(parts) | PatternKind::Struct(_, parts) => {
                parts.iter().for_each(|part| self.pattern(part));
            }
        }
    }

    fn closure(&mut self, closure: &Closure) {
        let mark = self.scope.len();
        closure.params.iter().for_each(|param| self.pattern(param));
        self.term(&closure.body);
        self.scope.truncate(mark);
    }

    fn term(&mut self, term: &Term) {
        match &term.kind {
            TermKind::Local(id) | TermKind::CallLocal(id, _) => {
                assert!(self.scope.contains(id), "{id:?} is used where it is not bound");
            }
            _ => {}
        }
        match &term.kind {
            TermKind::Let(pattern, value, body) => {
                self.term(value);
                let mark = self.scope.len();
                self.pattern(pattern);
                self.term(body);
                self.scope.truncate(mark);
            }
            TermKind::Prim(_, args) | TermKind::Call(_, args) => {
                for arg in args {
                    match arg {
                        Arg::Data(term) => self.term(term),
                        Arg::Boundary(Boundary::Constant(term), _) => self.term(term),
                        Arg::Function(closure) => self.closure(closure),
                        Arg::Size(_) | Arg::Boundary(..) => {}
                    }
                }
            }
            _ => children(term).into_iter().for_each(|child| self.term(child)),
        }
    }
}
