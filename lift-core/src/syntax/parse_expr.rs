//! Expressions and blocks: from syn's trees to ours.
//!
//! Rust that Lift does not have is reported with what Lift has instead, and [`ExprKind::Error`] takes its
//! place.

use proc_macro2::Span as TokenSpan;
use syn::spanned::Spanned;

use super::ast::{Expr, ExprKind, Ident, Let, Pattern, PatternKind, Statement};
use super::parse_item::macro_fault;
use super::parse_match::is_of_numbers;
use super::parse_pattern::loses_names;
use super::parser::{Parser, ends};
use super::resolve::elsewhere;
use super::{error, error_rust};
use crate::diag::Diagnostic;
use crate::ir::scalar::{BinaryOp, UnaryOp};
use crate::span::Span;

/// A node: its shape, its first and its last token.
type Node = (ExprKind, TokenSpan, TokenSpan);

impl Parser<'_> {
    /// An expression.
    pub(super) fn expr(&mut self, expr: &syn::Expr) -> Expr {
        if !self.enter(|| ends(expr)) {
            return Expr { kind: ExprKind::Error, span: Span::default() };
        }
        let (kind, first, last) = self.node(expr);
        let span = self.span(first, last);
        self.leave();
        Expr { kind, span }
    }

    fn boxed(&mut self, expr: &syn::Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    fn exprs<'e>(&mut self, list: impl IntoIterator<Item = &'e syn::Expr>) -> Vec<Expr> {
        list.into_iter().map(|expr| self.expr(expr)).collect()
    }

    /// The arguments of a call, which are given by position.
    fn arguments<'e>(&mut self, list: impl IntoIterator<Item = &'e syn::Expr>) -> Vec<Expr> {
        let argument = |expr: &syn::Expr| match expr {
            syn::Expr::Assign(assign) => match word(&assign.left) {
                Some(name) => {
                    let span = self.whole(expr);
                    self.fault(Expr::error(span), error_rust::named_argument(span, &name))
                }
                None => self.expr(expr),
            },
            _ => self.expr(expr),
        };
        list.into_iter().map(argument).collect()
    }

    /// `[value; n]` is `repeat(n, value)`.
    fn repeat(&mut self, array: &syn::ExprRepeat) -> Node {
        let (first, last) = (array.bracket_token.span.open(), array.bracket_token.span.close());
        let function = Expr { kind: ExprKind::Name("repeat".into()), span: self.span(first, last) };
        let arguments = vec![self.expr(&array.len), self.expr(&array.expr)];
        (ExprKind::Call(Box::new(function), arguments), first, last)
    }

    fn node(&mut self, expr: &syn::Expr) -> Node {
        match expr {
            syn::Expr::Group(group) => self.node(&group.expr),
            syn::Expr::Paren(paren) => {
                let inner = self.node(&paren.expr).0;
                (inner, paren.paren_token.span.open(), paren.paren_token.span.close())
            }
            syn::Expr::Array(array) => {
                let kind = ExprKind::ArrayLiteral(self.exprs(&array.elems));
                (kind, array.bracket_token.span.open(), array.bracket_token.span.close())
            }
            syn::Expr::Repeat(array) => self.repeat(array),
            syn::Expr::Tuple(tuple) if tuple.elems.len() >= 2 => {
                let kind = ExprKind::Tuple(self.exprs(&tuple.elems));
                (kind, tuple.paren_token.span.open(), tuple.paren_token.span.close())
            }
            syn::Expr::Lit(lit) => {
                let token = lit.lit.span();
                let span = self.span(token, token);
                let literal = self.literal(&lit.lit, span);
                (literal.map_or(ExprKind::Error, ExprKind::Literal), token, token)
            }
            syn::Expr::Path(path) if path.qself.is_none() => self.path(expr, &path.path),
            syn::Expr::Unary(unary) => self.unary(expr, unary),
            syn::Expr::Binary(binary) => self.binary(expr, binary),
            syn::Expr::Call(call) => {
                let (function, arguments) = (self.boxed(&call.func), self.arguments(&call.args));
                let first = self.first(function.span);
                (ExprKind::Call(function, arguments), first, call.paren_token.span.close())
            }
            syn::Expr::MethodCall(call) => self.method_call(call),
            syn::Expr::Field(field) => {
                let base = self.boxed(&field.base);
                let first = self.first(base.span);
                match &field.member {
                    syn::Member::Named(ident) => {
                        let name = self.ident(ident);
                        (ExprKind::Dot(base, name, None), first, ident.span())
                    }
                    syn::Member::Unnamed(index) => {
                        (ExprKind::Field(base, index.index as usize), first, index.span)
                    }
                }
            }
            syn::Expr::Index(index) => {
                let base = self.boxed(&index.expr);
                let first = self.first(base.span);
                let kind = match &*index.index {
                    range @ syn::Expr::Range(_) => {
                        let span = self.whole(range);
                        self.fault(ExprKind::Error, error::range_index(span))
                    }
                    other => ExprKind::Index(base, self.boxed(other)),
                };
                (kind, first, index.bracket_token.span.close())
            }
            syn::Expr::Cast(cast) => {
                let inner = self.boxed(&cast.expr);
                let ty = self.ty(&cast.ty);
                let (first, last) = (self.first(inner.span), self.last(ty.span));
                (ExprKind::Cast(inner, ty), first, last)
            }
            syn::Expr::Struct(value) => {
                let (first, _) = ends(expr);
                (self.struct_value(value), first, value.brace_token.span.close())
            }
            syn::Expr::Closure(closure) => self.closure(closure),
            syn::Expr::Block(block) if block.label.is_none() => self.block(&block.block),
            syn::Expr::If(branch) => self.branch(expr, branch),
            syn::Expr::Match(matching) if matching.arms.iter().all(|arm| is_of_numbers(&arm.pat)) => {
                let (first, last) = ends(expr);
                let value = self.expr(&matching.expr);
                let span = self.span(first, last);
                (self.matching(value, &matching.arms, span), first, last)
            }
            _ => self.refuse(expr),
        }
    }

    fn method_call(&mut self, call: &syn::ExprMethodCall) -> Node {
        // What is no function here has no types either.
        if let Some(turbofish) = &call.turbofish
            && !elsewhere::knows(&call.method.to_string())
        {
            self.report_at(turbofish, error::turbofish);
        }
        let (receiver, name) = (self.boxed(&call.receiver), self.ident(&call.method));
        let arguments = self.arguments(&call.args);
        let first = self.first(receiver.span);
        let last = call.paren_token.span.close();
        (ExprKind::Dot(receiver, name, Some(arguments)), first, last)
    }

    /// A name with its place.
    pub(super) fn ident(&mut self, ident: &syn::Ident) -> Ident {
        Ident { name: ident.to_string(), span: self.span(ident.span(), ident.span()) }
    }

    fn path(&mut self, expr: &syn::Expr, path: &syn::Path) -> Node {
        let (first, last) = match path.get_ident() {
            Some(ident) => (ident.span(), ident.span()),
            None => ends(expr),
        };
        if path.segments.iter().any(|segment| !segment.arguments.is_none()) {
            let span = self.span(first, last);
            return (self.fault(ExprKind::Error, error::turbofish(span)), first, last);
        }
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        (ExprKind::Name(names.join("::")), first, last)
    }

    fn unary(&mut self, expr: &syn::Expr, unary: &syn::ExprUnary) -> Node {
        let op = match unary.op {
            syn::UnOp::Neg(_) => UnaryOp::Neg,
            syn::UnOp::Not(_) => UnaryOp::Not,
            _ => return self.refuse(expr),
        };
        let inner = self.boxed(&unary.expr);
        let last = self.last(inner.span);
        (ExprKind::Unary(op, inner), unary.op.span(), last)
    }

    fn binary(&mut self, expr: &syn::Expr, binary: &syn::ExprBinary) -> Node {
        let op = match binary.op {
            syn::BinOp::Shl(_) => None,
            syn::BinOp::Shr(_) => {
                // A number of bits is a `u32`, whatever is shifted.
                let bits = match &*binary.right {
                    syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) => {
                        Some(n.base10_digits().to_string())
                    }
                    _ => word(&binary.right),
                };
                let (left, right) = (word(&binary.left), bits);
                return self.refuse_as(expr, |span| error::shift(span, left.as_deref(), right.as_deref()));
            }
            _ => match binary_op(&binary.op) {
                Some(op) => Some(op),
                None => return self.refuse(expr),
            },
        };
        if let (Some(BinaryOp::Mul), syn::Expr::Unary(power)) = (op, &*binary.right)
            && let syn::UnOp::Deref(second) = &power.op
            && binary.op.span().end() == second.span().start()
        {
            let (base, exponent) = (word(&binary.left), word(&power.expr));
            return self.refuse_as(expr, |span| error::power(span, base.as_deref(), exponent.as_deref()));
        }
        let (left, right) = (self.boxed(&binary.left), self.boxed(&binary.right));
        let (first, last) = (self.first(left.span), self.last(right.span));
        let kind = match op {
            Some(op) => ExprKind::Binary(op, left, right),
            None => ExprKind::Apply(left, right),
        };
        (kind, first, last)
    }

    fn closure(&mut self, closure: &syn::ExprClosure) -> Node {
        let first = closure.inputs_begin.span();
        let words = [
            closure.constness.as_ref().map(|word| (word.span(), "const")),
            closure.asyncness.as_ref().map(|word| (word.span(), "async")),
            closure.capture.as_ref().map(|word| (word.span(), "move")),
        ];
        for (place, word) in words.into_iter().flatten() {
            let span = self.span(place, place);
            self.report(error_rust::qualifier(span, format!("`{word}`"), "`|x| …`"));
        }
        let params: Vec<Pattern> = closure.inputs.iter().map(|pat| self.pattern(pat)).collect();
        let mut body = self.boxed(&closure.body);
        let last = self.last(body.span);
        if closure.inputs.iter().any(loses_names) {
            // The body may use names that could not be declared.
            body.kind = ExprKind::Error;
        }
        if let syn::ReturnType::Type(_, ty) = &closure.output {
            // `|x| -> T { e }` is `|x| { let result: T = e; result }`.
            let (span, name) = (body.span, "result".to_string());
            let pattern = Pattern { kind: PatternKind::Name(name.clone()), ty: Some(self.ty(ty)), span };
            let result = Box::new(Expr { kind: ExprKind::Name(name), span });
            let kind = ExprKind::Block(vec![Let { pattern, value: *body }], result);
            body = Box::new(Expr { kind, span });
        }
        (ExprKind::Closure(params, body), first, last)
    }

    fn branch(&mut self, expr: &syn::Expr, branch: &syn::ExprIf) -> Node {
        let first = branch.if_token.span();
        if let syn::Expr::Let(value) = &*branch.cond {
            return self.refuse_as(expr, |span| matched(span, &value.expr, [&*value.pat]));
        }
        let before = self.errors();
        let condition = match &*branch.cond {
            assign @ syn::Expr::Assign(_) => {
                let span = self.whole(assign);
                Box::new(self.fault(Expr::error(span), error_rust::assignment_as_condition(span)))
            }
            condition => self.boxed(condition),
        };
        let then = self.block_expr(&branch.then_branch);
        let Some((_, otherwise)) = &branch.else_branch else {
            // `if c { return x; }` is a mistake of its own.
            if self.errors() > before {
                return (ExprKind::Error, first, self.last(then.span));
            }
            return self.refuse_as(expr, error::if_without_else);
        };
        let otherwise = self.boxed(otherwise);
        let last = self.last(otherwise.span);
        (ExprKind::If(condition, Box::new(then), otherwise), first, last)
    }

    /// A block as an expression.
    pub(super) fn block_expr(&mut self, block: &syn::Block) -> Expr {
        let (kind, first, last) = self.block(block);
        let span = self.span(first, last);
        Expr { kind, span }
    }

    fn block(&mut self, block: &syn::Block) -> Node {
        let (first, last) = (block.brace_token.span.open(), block.brace_token.span.close());
        let span = self.span(first, last);
        (self.statements(&block.stmts, span), first, last)
    }

    /// The statements of a block, the value last.
    pub(super) fn statements(&mut self, statements: &[syn::Stmt], span: Span) -> ExprKind {
        let (mut read, mut result, mut failed) = (Vec::new(), None, false);
        let mut entered = 0;
        for (i, statement) in statements.iter().enumerate() {
            let last = i + 1 == statements.len();
            match statement {
                syn::Stmt::Local(local) => match &local.init {
                    Some(init) if init.diverge.is_none() => {
                        entered += 1;
                        if !self.enter_let(|| ends(statement)) {
                            failed = true;
                            break;
                        }
                        let value = self.expr(&init.expr);
                        read.push(Statement::Let(Let { pattern: self.pattern(&local.pat), value }));
                        failed |= loses_names(&local.pat);
                    }
                    Some(init) => {
                        failed =
                            self.refuse_statement(statement, |span| matched(span, &init.expr, [&local.pat]));
                    }
                    None => failed = self.refuse_statement(statement, error::let_without_value),
                },
                syn::Stmt::Expr(expr, None) if last => result = Some(self.expr(expr)),
                syn::Stmt::Expr(expr, _) => {
                    let effect = called(expr).and_then(|name| {
                        let span = self.whole(expr);
                        error_rust::effect_call(span, &name)
                    });
                    if let Some(fault) = effect {
                        failed = self.fault(true, fault);
                        continue;
                    }
                    // A loop or an assignment is a mistake of its own.
                    let before = self.errors();
                    let value = self.expr(expr);
                    if value.as_update().is_some() {
                        read.push(Statement::Update(value));
                        continue;
                    }
                    failed = true;
                    if self.errors() == before {
                        self.report(if last {
                            error::value_thrown_away(value.span)
                        } else {
                            error::statement(value.span)
                        });
                    }
                }
                syn::Stmt::Item(_) => failed = self.refuse_statement(statement, error_rust::inner_item),
                syn::Stmt::Macro(called) => {
                    failed = self.refuse_statement(statement, |span| macro_fault(span, &called.mac));
                }
            }
        }
        self.leave_lets(entered);
        if failed {
            return ExprKind::Error;
        }
        if read.iter().any(|statement| matches!(statement, Statement::Update(_))) {
            return ExprKind::Updates(read, result.map(Box::new));
        }
        let lets: Vec<Let> = read
            .into_iter()
            .filter_map(|statement| match statement {
                Statement::Let(binding) => Some(binding),
                Statement::Update(_) => None,
            })
            .collect();
        match result {
            Some(result) if lets.is_empty() => result.kind,
            Some(result) => ExprKind::Block(lets, Box::new(result)),
            None => self.fault(ExprKind::Error, error::no_value(span)),
        }
    }

    fn refuse_statement(&mut self, statement: &syn::Stmt, fault: impl FnOnce(Span) -> Diagnostic) -> bool {
        let span = self.whole(statement);
        self.fault(true, fault(span))
    }

    fn refuse_as(&mut self, expr: &syn::Expr, fault: impl FnOnce(Span) -> Diagnostic) -> Node {
        let (first, last) = ends(expr);
        let span = self.span(first, last);
        (self.fault(ExprKind::Error, fault(span)), first, last)
    }

    /// Rust that Lift does not have.
    fn refuse(&mut self, expr: &syn::Expr) -> Node {
        let fault = |span| match expr {
            syn::Expr::ForLoop(_) => error_rust::looping(span),
            syn::Expr::While(_) | syn::Expr::Loop(_) => error_rust::looping_with_state(span),
            syn::Expr::Assign(assign) => assigned(span, &assign.left),
            syn::Expr::Binary(binary) => assigned(span, &binary.left),
            syn::Expr::Return(_) => error_rust::early_exit(span),
            syn::Expr::Break(_) | syn::Expr::Continue(_) => error_rust::loop_exit(span),
            syn::Expr::Try(_) => error_rust::question_mark(span),
            syn::Expr::Reference(_) | syn::Expr::RawAddr(_) | syn::Expr::Unary(_) => {
                error_rust::reference(span)
            }
            syn::Expr::Match(matching) => {
                matched(span, &matching.expr, matching.arms.iter().map(|arm| &arm.pat))
            }
            syn::Expr::Let(matching) => matched(span, &matching.expr, [&*matching.pat]),
            syn::Expr::Macro(called) => macro_fault(span, &called.mac),
            syn::Expr::Unsafe(_) => error_rust::effect_block(span, "unsafe"),
            syn::Expr::Async(_) => error_rust::effect_block(span, "async"),
            syn::Expr::Await(_) => error_rust::effect_block(span, ".await"),
            syn::Expr::Const(_) => error_rust::effect_block(span, "const"),
            syn::Expr::TryBlock(_) => error_rust::effect_block(span, "try"),
            syn::Expr::Yield(_) => error_rust::effect_block(span, "yield"),
            syn::Expr::Range(_) => error::range(span),
            syn::Expr::Infer(_) => error::underscore(span),
            syn::Expr::Block(_) => error::label(span),
            syn::Expr::Path(_) => error::turbofish(span),
            syn::Expr::Tuple(tuple) => error::short_tuple(span, tuple.elems.len().min(1), "value"),
            _ => error::unsupported(span),
        };
        self.refuse_as(expr, fault)
    }
}

/// A value that is compared with patterns.
fn matched<'p>(
    span: Span,
    value: &syn::Expr,
    patterns: impl IntoIterator<Item = &'p syn::Pat>,
) -> Diagnostic {
    let name = word(value);
    let option = patterns.into_iter().find_map(|pattern| {
        let path = match pattern {
            syn::Pat::TupleStruct(variant) => &variant.path,
            syn::Pat::Path(variant) => &variant.path,
            _ => return None,
        };
        let name = path.segments.last()?.ident.to_string();
        matches!(name.as_str(), "Some" | "None" | "Ok" | "Err").then_some(name)
    });
    match option {
        Some(variant) => error_rust::option_pattern(span, &variant, name.as_deref().unwrap_or("x")),
        None => error_rust::matching(span, name.as_deref().unwrap_or("k")),
    }
}

/// An expression of one word: a name or a literal.
pub(super) fn word(expr: &syn::Expr) -> Option<String> {
    match expr {
        syn::Expr::Path(path) => path.path.get_ident().map(syn::Ident::to_string),
        syn::Expr::Lit(lit) => match &lit.lit {
            syn::Lit::Int(literal) => Some(literal.to_string()),
            syn::Lit::Float(literal) => Some(literal.to_string()),
            syn::Lit::Bool(literal) => Some(literal.value.to_string()),
            _ => None,
        },
        syn::Expr::Paren(paren) => word(&paren.expr),
        syn::Expr::Group(group) => word(&group.expr),
        _ => None,
    }
}

/// An expression of words and operators.
pub(super) fn words(expr: &syn::Expr) -> Option<String> {
    match expr {
        syn::Expr::Binary(binary) => {
            let symbol = binary_op(&binary.op)?.symbol();
            Some(format!("{} {symbol} {}", words(&binary.left)?, words(&binary.right)?))
        }
        _ => word(expr),
    }
}

/// The name of the function that is called.
fn called(expr: &syn::Expr) -> Option<String> {
    if let syn::Expr::Call(call) = expr { word(&call.func) } else { None }
}

/// What is said of an assignment to `target`.
fn assigned(span: Span, target: &syn::Expr) -> Diagnostic {
    let mut base = target;
    while let syn::Expr::Index(index) = base {
        base = &index.expr;
    }
    let name = word(base);
    match name {
        Some(name) if !std::ptr::eq(base, target) => error_rust::element_assignment(span, &name),
        name => error_rust::assignment(span, name.as_deref()),
    }
}

fn binary_op(op: &syn::BinOp) -> Option<BinaryOp> {
    Some(match op {
        syn::BinOp::Add(_) => BinaryOp::Add,
        syn::BinOp::Sub(_) => BinaryOp::Sub,
        syn::BinOp::Mul(_) => BinaryOp::Mul,
        syn::BinOp::Div(_) => BinaryOp::Div,
        syn::BinOp::Rem(_) => BinaryOp::Rem,
        syn::BinOp::And(_) => BinaryOp::And,
        syn::BinOp::Or(_) => BinaryOp::Or,
        syn::BinOp::BitXor(_) => BinaryOp::BitXor,
        syn::BinOp::BitAnd(_) => BinaryOp::BitAnd,
        syn::BinOp::BitOr(_) => BinaryOp::BitOr,
        syn::BinOp::Eq(_) => BinaryOp::Eq,
        syn::BinOp::Lt(_) => BinaryOp::Lt,
        syn::BinOp::Le(_) => BinaryOp::Le,
        syn::BinOp::Ne(_) => BinaryOp::Ne,
        syn::BinOp::Ge(_) => BinaryOp::Ge,
        syn::BinOp::Gt(_) => BinaryOp::Gt,
        _ => return None,
    })
}
