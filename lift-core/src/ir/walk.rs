//! Traversals of expressions: children, rebuilding, substitution, variables.

use std::collections::{BTreeMap, BTreeSet};

use crate::arith::{ArithExpr, Var};
use crate::budget;
use crate::ir::boundary::Boundary;
use crate::ir::expr::{Arg, Expr, Kind, Lambda, Param};
use crate::ir::place::Order;
use crate::ir::prim::{Level, Prim};

impl Expr {
    /// The direct subexpressions, those inside functions and boundaries included.
    pub fn children(&self) -> Vec<&Expr> {
        let children = self.all_children();
        budget::look(children.len());
        children
    }

    /// One of them, found without a list of all.
    pub fn child(&self, index: usize) -> Option<&Expr> {
        match self.kind() {
            Kind::Math(_, xs) | Kind::Tuple(xs) | Kind::ArrayLiteral(xs) => {
                budget::step();
                xs.get(index)
            }
            _ => self.children().get(index).copied(),
        }
    }

    fn all_children(&self) -> Vec<&Expr> {
        match self.kind() {
            Kind::Param(_) | Kind::Literal(_) | Kind::Size(_) => Vec::new(),
            Kind::Unary(_, x) | Kind::Cast(_, x) | Kind::Field(x, _) => vec![x],
            Kind::Binary(_, a, b) | Kind::Let(_, a, b) => vec![a, b],
            Kind::If(c, a, b) => vec![c, a, b],
            Kind::Math(_, xs) | Kind::Tuple(xs) | Kind::ArrayLiteral(xs) => xs.iter().collect(),
            Kind::Prim(_, args) => args.iter().filter_map(Arg::expr).collect(),
        }
    }

    /// The same node with each direct subexpression replaced by `f` of it; the types are computed anew.
    pub fn map_children(&self, f: &mut dyn FnMut(&Expr) -> Expr) -> Expr {
        let rebuilt = match self.kind() {
            Kind::Param(_) | Kind::Literal(_) | Kind::Size(_) => return self.clone(),
            Kind::Unary(op, x) => Expr::unary(*op, f(x)),
            Kind::Cast(scalar, x) => Expr::cast(*scalar, f(x)),
            Kind::Field(x, i) => Expr::field(f(x), *i),
            Kind::Binary(op, a, b) => Expr::binary(*op, f(a), f(b)),
            Kind::Let(param, value, body) => {
                let value = f(value);
                // The variable's type follows the value's, whose lengths may be written differently now.
                Expr::let_(param.clone(), value, f(body))
            }
            Kind::If(c, a, b) => Expr::if_(f(c), f(a), f(b)),
            Kind::Math(fun, xs) => Expr::math(*fun, xs.iter().map(&mut *f).collect()),
            Kind::Tuple(xs) => Expr::tuple(xs.iter().map(&mut *f).collect()),
            Kind::ArrayLiteral(xs) => Expr::array_literal(xs.iter().map(&mut *f).collect()),
            Kind::Prim(prim, args) => {
                let new: Vec<Arg> = args.iter().map(|a| a.map_expr(f)).collect();
                let mut parts = args.iter().zip(&new).map(|(old, new)| (old.expr(), new.expr()));
                if parts.all(|(old, new)| old.map(Expr::ty) == new.map(Expr::ty)) {
                    return self.with_kind(Kind::Prim(*prim, new));
                }
                Expr::prim(*prim, new)
            }
        };
        rebuilt.spanned(self.span())
    }

    /// A copy whose bound variables are all new, with `sizes` and `params` replaced.
    pub fn instantiate(&self, sizes: &BTreeMap<Var, ArithExpr>, params: &BTreeMap<u32, Expr>) -> Expr {
        let rename = |param: &Param, params: &mut BTreeMap<u32, Expr>| {
            let renamed = Param::new(&param.name, param.ty.substitute(sizes));
            params.insert(param.id, Expr::param(&renamed));
            renamed
        };
        let copy = match self.kind() {
            Kind::Param(param) => return params.get(&param.id).cloned().unwrap_or_else(|| self.clone()),
            Kind::Size(n) => Expr::size(n.substitute(sizes)),
            Kind::Let(param, value, body) => {
                let value = value.instantiate(sizes, params);
                let mut inner = params.clone();
                let param = rename(param, &mut inner);
                Expr::let_(param, value, body.instantiate(sizes, &inner))
            }
            Kind::Prim(prim, args) => {
                let function = |f: &Lambda| {
                    let mut inner = params.clone();
                    let renamed = f.params.iter().map(|p| rename(p, &mut inner)).collect();
                    Lambda { params: renamed, body: f.body.instantiate(sizes, &inner) }
                };
                let args = args
                    .iter()
                    .map(|arg| match arg {
                        Arg::Size(n) => Arg::Size(n.substitute(sizes)),
                        arg => arg.map(&mut (), |(), x| x.instantiate(sizes, params), |(), f| function(f)),
                    })
                    .collect();
                Expr::prim(*prim, args)
            }
            Kind::Literal(_)
            | Kind::Unary(..)
            | Kind::Binary(..)
            | Kind::Math(..)
            | Kind::Cast(..)
            | Kind::If(..)
            | Kind::Tuple(_)
            | Kind::Field(..)
            | Kind::ArrayLiteral(_) => self.map_children(&mut |x| x.instantiate(sizes, params)),
        };
        copy.spanned(self.span())
    }

    /// A copy whose bound variables are all new.
    pub fn refresh(&self) -> Expr {
        self.instantiate(&BTreeMap::new(), &BTreeMap::new())
    }

    /// What stands below, which child (as in [`Expr::children`]) at every step.
    pub fn below(&self, path: &[usize]) -> Option<&Expr> {
        path.iter().try_fold(self, |e, i| e.child(*i))
    }

    /// The same expression with something else below.
    pub fn with_below(&self, path: &[usize], new: &Expr) -> Expr {
        let Some((first, rest)) = path.split_first() else { return new.clone() };
        let mut i = 0;
        self.map_children(&mut |child| {
            i += 1;
            if i - 1 == *first { child.with_below(rest, new) } else { child.clone() }
        })
    }

    /// Calls `f` on this expression and everything in it, outermost first.
    pub fn visit(&self, f: &mut dyn FnMut(&Expr)) {
        f(self);
        for child in self.children() {
            child.visit(f);
        }
    }

    /// Whether something holds for this expression, or for anything in it.
    pub fn any(&self, f: &dyn Fn(&Expr) -> bool) -> bool {
        f(self) || self.children().into_iter().any(|child| child.any(f))
    }

    /// Whether a primitive occurs.
    pub fn contains(&self, prim: Prim) -> bool {
        self.any(&|e| matches!(e.as_prim(), Some((found, _)) if found == prim))
    }
}

impl Arg {
    /// The expression inside: the data, the function's body, or the boundary's constant.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Arg::Data(x) | Arg::Boundary(Boundary::Constant(x)) => Some(x),
            arg => arg.function().map(|f| &f.body),
        }
    }

    /// The same argument with the expression inside replaced by `f` of it.
    pub fn map_expr(&self, f: &mut dyn FnMut(&Expr) -> Expr) -> Arg {
        self.map(f, |f, x| f(x), |f, l| l.with_body(f(&l.body)))
    }
}

impl Lambda {
    /// The same parameters with another body.
    pub fn with_body(&self, body: Expr) -> Lambda {
        Lambda { params: self.params.clone(), body }
    }

    /// The body with the parameters replaced by `args`, all bound variables new.
    pub fn apply(&self, args: &[Expr]) -> Expr {
        let params = self.params.iter().zip(args).map(|(p, a)| (p.id, a.clone())).collect();
        self.body.instantiate(&BTreeMap::new(), &params)
    }
}

/// Whether somebody decided how the expression is computed: a low-level primitive occurs. A reduction or scan
/// that is to go from left to right says nothing about places.
pub fn is_placed(e: &Expr) -> bool {
    let places = |prim: Prim| {
        prim.row().level == Level::LowLevel
            && !matches!(prim, Prim::Reduce(Order::Sequential) | Prim::Scan(Order::Sequential))
    };
    e.any(&|x| x.as_prim().is_some_and(|(prim, _)| places(prim)))
}

/// The size variables of an expression.
pub fn sizes(e: &Expr) -> BTreeSet<Var> {
    let mut found = BTreeSet::new();
    e.visit(&mut |e| match e.kind() {
        Kind::Size(n) => found.extend(n.vars()),
        Kind::Prim(_, args) => found.extend(args.iter().filter_map(Arg::size).flat_map(ArithExpr::vars)),
        _ => {}
    });
    found
}
