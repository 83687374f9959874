//! `#[types(T = f32, f64)]`: one kernel for each choice of types.
//!
//! Before: a kernel with type variables. After: a kernel for each combination, in which the variables are
//! replaced; its name tells them apart, `Blur<f32>`.

use super::ast::{Block, Expr, ExprKind, Function, Let, Pattern, PatternKind, Statement, Type, TypeKind};
use super::attributes::{TypeChoice, twice};
use super::parser::Parser;
use crate::diag::faults;
use crate::ir::scalar::Scalar;
use crate::span::Span;

/// Kernels that one attribute may make.
const MAX_INSTANCES: usize = 32;
/// Type variables of one kernel.
const MAX_VARIABLES: usize = 3;

impl Parser<'_> {
    /// Adds the instances of a kernel to the block.
    pub(super) fn instances(
        &mut self,
        function: Function,
        span: Span,
        choices: &[TypeChoice],
        block: &mut Block,
    ) {
        let before = self.errors();
        for (i, TypeChoice { variable, .. }) in choices.iter().enumerate() {
            let name = &variable.name;
            if choices[..i].iter().any(|other| other.variable.name == *name) {
                self.report(twice(variable.span, name));
            } else if !function.generics.iter().any(|generic| generic.name == *name) {
                self.report(not_declared(variable.span, name, &function.name.name));
            } else if !Replacement::one(name, Scalar::F32).occurs(&function) {
                self.report(never_used(variable.span, name));
            }
        }
        let count = choices.iter().fold(1_usize, |n, choice| n.saturating_mul(choice.types.len()));
        if count > MAX_INSTANCES || choices.len() > MAX_VARIABLES {
            self.report(too_many(span));
        }
        if self.errors() > before
            || !function.kernel
            || choices.is_empty()
            || choices.iter().any(|c| c.types.is_empty())
        {
            block.broken.push(function.name.name.clone());
            block.functions.push(unusable(function, choices));
            return;
        }
        let mut combinations: Vec<Vec<(String, Scalar)>> = vec![Vec::new()];
        for choice in choices {
            let longer = combinations.iter().flat_map(|chosen| {
                choice.types.iter().map(move |scalar| {
                    [chosen.as_slice(), &[(choice.variable.name.clone(), *scalar)]].concat()
                })
            });
            combinations = longer.collect();
        }
        for instance in combinations {
            let mut kernel = function.clone();
            Replacement { types: instance.clone(), found: false }.function(&mut kernel);
            let types: Vec<&str> = instance.iter().map(|(_, scalar)| scalar.name()).collect();
            kernel.name.name = format!("{}<{}>", function.name.name, types.join(", "));
            kernel.generics.retain(|generic| instance.iter().all(|(name, _)| *name != generic.name));
            kernel.instance = instance;
            block.functions.push(kernel);
        }
    }
}

/// The kernel without what cannot be checked: only its launcher is left, which stands for all instances.
fn unusable(mut function: Function, choices: &[TypeChoice]) -> Function {
    let is_type = |name: &str| {
        choices.iter().any(|choice| choice.variable.name == name)
            || Replacement::one(name, Scalar::F32).occurs(&function)
    };
    let variables = function.generics.iter().filter(|generic| is_type(&generic.name));
    function.instance = variables.map(|generic| (generic.name.clone(), Scalar::F32)).collect();
    function.body.kind = ExprKind::Error;
    for param in &mut function.params {
        param.ty.kind = TypeKind::Infer;
    }
    function.result.kind = TypeKind::Infer;
    function.generics.clear();
    function
}

/// Puts scalar types in the place of type variables.
struct Replacement {
    types: Vec<(String, Scalar)>,
    /// Whether there was anything to replace.
    found: bool,
}

impl Replacement {
    fn one(name: &str, scalar: Scalar) -> Replacement {
        Replacement { types: vec![(name.to_string(), scalar)], found: false }
    }

    fn occurs(mut self, function: &Function) -> bool {
        self.function(&mut function.clone());
        self.found
    }

    fn name(&mut self, name: &str) -> Option<Scalar> {
        let scalar = self.types.iter().find(|(variable, _)| variable == name)?.1;
        self.found = true;
        Some(scalar)
    }

    fn function(&mut self, function: &mut Function) {
        function.params.iter_mut().for_each(|param| self.ty(&mut param.ty));
        self.ty(&mut function.result);
        self.expr(&mut function.body);
    }

    fn ty(&mut self, ty: &mut Type) {
        match &mut ty.kind {
            TypeKind::Infer => {}
            TypeKind::Name(name) => {
                if let Some(scalar) = self.name(name) {
                    *name = scalar.name().to_string();
                }
            }
            TypeKind::Array(inner, _) | TypeKind::Boundary(inner) => self.ty(inner),
            TypeKind::Tuple(parts) => parts.iter_mut().for_each(|part| self.ty(part)),
            TypeKind::Function(inputs, result) => {
                inputs.iter_mut().for_each(|input| self.ty(input));
                self.ty(result);
            }
        }
    }

    fn pattern(&mut self, pattern: &mut Pattern) {
        if let Some(ty) = &mut pattern.ty {
            self.ty(ty);
        }
        match &mut pattern.kind {
            PatternKind::Name(_) | PatternKind::Wild => {}
            PatternKind::Tuple(parts) | PatternKind::Array(parts) => {
                parts.iter_mut().for_each(|part| self.pattern(part))
            }
            PatternKind::Struct(_, fields, _) => fields.iter_mut().for_each(|(_, part)| self.pattern(part)),
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Literal(_) | ExprKind::Error => {}
            // `T::MAX`
            ExprKind::Name(name) => {
                if let Some((variable, rest)) = name.split_once("::")
                    && let Some(scalar) = self.name(variable)
                {
                    *name = format!("{scalar}::{rest}");
                }
            }
            ExprKind::Unary(_, x) | ExprKind::Field(x, _) | ExprKind::Dot(x, _, None) => self.expr(x),
            ExprKind::Binary(_, a, b) | ExprKind::Apply(a, b) | ExprKind::Index(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Call(f, args) | ExprKind::Dot(f, _, Some(args)) => {
                self.expr(f);
                args.iter_mut().for_each(|arg| self.expr(arg));
            }
            ExprKind::Closure(params, body) => {
                params.iter_mut().for_each(|param| self.pattern(param));
                self.expr(body);
            }
            ExprKind::Block(lets, result) => {
                for statement in lets {
                    self.pattern(&mut statement.pattern);
                    self.expr(&mut statement.value);
                }
                self.expr(result);
            }
            ExprKind::Updates(statements, result) => {
                for statement in statements {
                    match statement {
                        Statement::Let(Let { pattern, value }) => {
                            self.pattern(pattern);
                            self.expr(value);
                        }
                        Statement::Update(update) => self.expr(update),
                    }
                }
                result.iter_mut().for_each(|result| self.expr(result));
            }
            ExprKind::If(c, a, b) => [c, a, b].into_iter().for_each(|x| self.expr(x)),
            ExprKind::Cast(x, ty) => {
                self.expr(x);
                self.ty(ty);
            }
            ExprKind::Tuple(parts) | ExprKind::ArrayLiteral(parts) => {
                parts.iter_mut().for_each(|part| self.expr(part));
            }
            ExprKind::Struct(_, fields) => fields.iter_mut().for_each(|(_, value)| self.expr(value)),
        }
    }
}

faults! { pub(super),
    "L0147" not_declared(variable, kernel): "`{kernel}` has no type variable `{variable}`",
        help "declare it: `fn {kernel}<{variable}, …>(…)`";
    "L0147" never_used(variable): "the kernel never mentions `{variable}`, so all its instances would be the same",
        help "use it, for example as the type of elements: `x: [{variable}; N]`";
    "L0147" too_many(): "these are more than {MAX_INSTANCES} combinations of types, or more than {MAX_VARIABLES} \
     variables",
        help "each is a kernel of its own: list the ones you need";
}
