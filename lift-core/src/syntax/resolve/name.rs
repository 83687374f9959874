//! Names: what they stand for, and what to say when they stand for nothing.

use std::f64::consts as f;

use super::elsewhere::{self, Wrote};
use super::fun::{Callee, Fun, FunKind, Item, ScalarFn, prim_slots};
use super::refresh::Refresh;
use super::scope::Entry;
use super::{Node, Resolver};
use crate::ir::prim::Prim;
use crate::ir::scalar::{BinaryOp, Scalar, UnaryOp};
use crate::span::Span;
use crate::syntax::ast::{Literal, SizeExpr, SizeKind};
use crate::syntax::error_name as error;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::{error_rust, error_struct, error_update};
use crate::text::near_name;

/// The longest path through a function that is substituted.
const MAX_DEPTH: usize = 256;

/// How a name is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    /// `x`
    Value,
    /// `f(…)`, `g . f`
    Function,
    /// `x.f(…)`
    Method,
}

impl Resolver {
    /// What a name stands for.
    pub(super) fn name(&mut self, name: &str, span: Span, used: Use) -> Item {
        let kind = match self.scope.find(name) {
            // A value is no function: `x.max(…)` does not mean the local `max`.
            Some(Entry::Data(_) | Entry::Size(_) | Entry::Boundary(_)) if used == Use::Method => None,
            Some(Entry::Data(id)) => {
                self.used.insert(id);
                Some(TermKind::Local(id))
            }
            Some(Entry::Size(id)) => {
                self.used.insert(id);
                Some(size(name, span))
            }
            Some(Entry::Boundary(id)) => {
                self.used.insert(id);
                self.report(error::boundary_as_value(span, name));
                Some(TermKind::Error)
            }
            Some(Entry::Broken) => Some(TermKind::Error),
            Some(Entry::Function(id, arity)) => {
                self.used.insert(id);
                return named(Callee::Local(id, name.to_string(), arity), span);
            }
            Some(Entry::Let(fun)) => return self.substitute(Fun::clone(&fun), span),
            None if used != Use::Method && self.sizes.contains(name) => {
                self.used_sizes.insert(name.to_string());
                Some(size(name, span))
            }
            None => None,
        };
        if let Some(kind) = kind {
            return Item::Value(Term { kind, span });
        }
        if used != Use::Method && self.consts.contains_key(name) {
            let kind = self.use_const(name, span).map_or(TermKind::Error, TermKind::Const);
            return Item::Value(Term { kind, span });
        }
        if let Some(callee) = self.find_callee(name) {
            return named(callee, span);
        }
        if self.broken.contains(name) {
            return Item::error(span);
        }
        if name.contains("::") {
            return self.path(name, span, used);
        }
        self.unknown(name, span, used);
        Item::error(span)
    }

    /// A function of the block or prelude, a primitive, or a function on scalars.
    pub(super) fn find_callee(&self, name: &str) -> Option<Callee> {
        if let Some(ids) = self.by_name.get(name) {
            return Some(Callee::Functions(ids.clone()));
        }
        if let Some(prim) = Prim::from_name(name) {
            return Some(Callee::Prim(prim));
        }
        ScalarFn::from_name(name).map(|(function, name)| Callee::Scalar(function, name))
    }

    /// A copy of a function bound by `let`.
    fn substitute(&mut self, mut fun: Fun, span: Span) -> Item {
        let mut refresh = Refresh::new(&mut self.next);
        refresh.fun(&mut fun);
        let (nodes, deepest) = (refresh.nodes, refresh.deepest);
        if deepest > MAX_DEPTH {
            self.spend(usize::MAX, span);
            return Item::error(span);
        }
        if !self.spend(nodes, span) {
            return Item::error(span);
        }
        fun.span = span;
        Item::Fun(fun)
    }

    /// `f32::MAX`, `std::f32::consts::PI`, `f32::max`.
    fn path(&mut self, name: &str, span: Span, used: Use) -> Item {
        let short = name.strip_prefix("std::").or_else(|| name.strip_prefix("core::")).unwrap_or(name);
        if let Some(kind) = constant(short, span) {
            return Item::Value(Term { kind, span });
        }
        if let Some((ty, function)) = short.split_once("::")
            && let Some(scalar) = Scalar::from_name(ty)
        {
            if let Some((function, name)) = ScalarFn::from_name(function) {
                return named(Callee::Scalar(function, name), span);
            }
            self.report(match function {
                "from" | "try_from" | "new" => error::conversion(span, name, ty),
                _ => {
                    let near = near_name(
                        function,
                        LIMITS.iter().copied().chain(FLOAT_CONSTANTS.iter().map(|(name, _)| *name)),
                    );
                    let near =
                        near.or_else(|| LIMITS.iter().copied().find(|limit| limit.starts_with(function)));
                    let near = near.filter(|near| scalar.is_float() || LIMITS[..2].contains(near));
                    let near = near.map(|near| match float_constant(near) {
                        Some(_) => format!("{ty}::consts::{near}"),
                        None => format!("{ty}::{near}"),
                    });
                    error::unknown_constant(span, name, scalar.name(), near.as_deref())
                }
            });
            return Item::error(span);
        }
        let (owner, last) = short.rsplit_once("::").unwrap_or(("", short));
        let fault = if let Some(shape) = self.structs.get(owner) {
            error_struct::constructor(span, name, owner, &shape.fields)
        } else if self.by_name.contains_key(owner) {
            error::launcher_within(span, name, owner)
        } else if let Some(help) = elsewhere::proposal(elsewhere::FUNCTIONS, last, &Wrote::default()) {
            error::rust_name(span, name, &help)
        } else {
            error::outside(span, name, used == Use::Value)
        };
        self.report_once(fault);
        Item::error(span)
    }

    /// Reports an unknown name within a size.
    pub(super) fn unknown_size(&mut self, name: &str, span: Span) {
        let known = self.sizes.iter().chain(self.consts.keys()).map(String::as_str);
        let known: Vec<&str> = known.collect();
        let near = near_name(name, known.iter().copied());
        let fault = error::unknown_size(span, name, near, &known);
        self.report_once(fault);
    }

    /// Reports an unknown name.
    fn unknown(&mut self, name: &str, span: Span, used: Use) {
        if name == "write_to" {
            return self.report(error_update::update_as_value(span));
        }
        if let Some(spelled) = self.spelling(name) {
            let slots = Prim::from_name(&spelled).map(|prim| prim_slots(prim, 0)).unwrap_or_default();
            return self.report(error::spelling(span, name, &spelled, &slots));
        }
        if matches!(name, "mirror" | "reflect" | "wrap" | "constant") {
            return self.report(error::boundary_as_value(span, name));
        }
        if matches!(name, "Some" | "None" | "Ok" | "Err") {
            // A result of that type was reported already.
            if !self.unreadable_result {
                self.report(error_rust::option(span, name));
            }
            return;
        }
        if let Some(shape) = self.structs.get(name).filter(|_| used != Use::Method) {
            let fault = error_struct::constructor(span, name, name, &shape.fields);
            return self.report(fault);
        }
        let (rows, wrote) = match used {
            Use::Value => (elsewhere::VALUES, Wrote::default()),
            Use::Function | Use::Method => (elsewhere::FUNCTIONS, std::mem::take(&mut self.wrote)),
        };
        if let Some(help) = elsewhere::proposal(rows, name, &wrote) {
            return self.report(match used {
                Use::Value => error::other_value(span, name, &help),
                Use::Function | Use::Method => error::rust_name(span, name, &help),
            });
        }
        if used != Use::Method && (Scalar::from_name(name).is_some() || self.aliases.contains_key(name)) {
            return self.report(error::type_as_value(span, name, used == Use::Function));
        }
        let near = near_name(name, self.names_in_scope(used)).map(str::to_string);
        let math = float_constant(name).map(|_| format!("f32::consts::{name}"));
        let misspelled = near.is_some();
        let fault = match (used, near) {
            (_, None) if is_kernel_name(name) => error::kernel_outside(span, name),
            (Use::Function, None) => error::outside(span, name, false),
            (Use::Value, _) if math.is_some() => error::other_value(
                span,
                name,
                format!("write `{}`, or `f64::consts::{name}`", math.unwrap_or_default()),
            ),
            (Use::Value, None) if is_constant_name(name) => error::outside(span, name, true),
            (Use::Value, None) => error::free_variable(span, name),
            (Use::Value, near) => error::unknown_value(span, name, near.as_deref()),
            (Use::Function | Use::Method, near) => error::unknown_function(span, name, near.as_deref()),
        };
        // What must be defined is one mistake, a slip at every place another.
        if misspelled { self.report(fault) } else { self.report_once(fault) }
    }

    fn names_in_scope(&self, used: Use) -> Vec<&str> {
        let mut names: Vec<&str> = self.by_name.keys().map(String::as_str).collect();
        names.extend(Prim::written_rows().map(|row| row.name));
        for name in ScalarFn::names() {
            names.push(name);
        }
        names.extend(self.scope.names());
        // Nothing can be made of itself.
        if let Some(Node::Function(current)) = self.current {
            let own = self.signatures[current].name.as_str();
            names.retain(|name| *name != own);
        }
        if used != Use::Method {
            names.extend(self.consts.keys().chain(&self.sizes).map(String::as_str));
        }
        names
    }

    /// The name that is meant by one in the spelling of other languages: `mapGlobal`, `slide2D`.
    fn spelling(&self, name: &str) -> Option<String> {
        let spelled = match name {
            "mapGlb" => "map_global".to_string(),
            "mapWrg" => "map_workgroup".to_string(),
            "mapLcl" => "map_local".to_string(),
            _ => snake_case(name),
        };
        let known = self.is_function_name(&spelled) || Prim::from_name(&spelled).is_some();
        (spelled != name && known).then_some(spelled)
    }
}

/// `GAIN`: what Rust calls its constants.
fn is_constant_name(name: &str) -> bool {
    name.len() > 1 && name.chars().all(|c| c.is_uppercase() || c.is_numeric() || c == '_')
}

/// `Blur`: what this language calls its kernels.
fn is_kernel_name(name: &str) -> bool {
    name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
}

fn named(callee: Callee, span: Span) -> Item {
    Item::Fun(Fun { kind: FunKind::Named(callee, Vec::new()), span })
}

fn size(name: &str, span: Span) -> TermKind {
    TermKind::Size(SizeExpr { kind: SizeKind::Name(name.to_string()), span })
}

/// `mapGlobal` → `map_global`, `slide2D` → `slide2d`.
pub(in crate::syntax) fn snake_case(name: &str) -> String {
    let mut spelled = String::new();
    for c in name.chars() {
        if c.is_uppercase() && spelled.ends_with(|before: char| before.is_lowercase()) {
            spelled.push('_');
        }
        spelled.extend(c.to_lowercase());
    }
    spelled
}

/// The constants of Rust's number types: `f32::MAX`, `f64::consts::PI`, `i16::MIN`.
fn constant(path: &str, span: Span) -> Option<TermKind> {
    let (ty, name) = path.split_once("::")?;
    let scalar = Scalar::from_name(ty)?;
    let suffix = Some(ty.to_string());
    let term = |kind| Box::new(Term { kind, span });
    let negative = |kind| TermKind::Unary(UnaryOp::Neg, term(kind));
    if let Some((low, high)) = scalar.range() {
        let int = |value: i128| {
            u64::try_from(value).ok().map(|n| TermKind::Literal(Literal::Int(n, suffix.clone())))
        };
        return match name {
            "MAX" => int(high),
            "MIN" if low == 0 => int(0),
            // -128 is not the negation of an `i8`.
            "MIN" => Some(TermKind::Binary(BinaryOp::Sub, term(negative(int(high)?)), term(int(1)?))),
            "BITS" => {
                Some(TermKind::Literal(Literal::Int(8 * scalar.bytes() as u64, Some("u32".to_string()))))
            }
            _ => None,
        };
    }
    let (value, is_negative) = match float_limit(scalar, name) {
        Some(limit) => limit,
        None => (float_constant(name.strip_prefix("consts::")?)?, false),
    };
    let literal = TermKind::Literal(Literal::Float(value, suffix));
    (scalar.is_float()).then(|| if is_negative { negative(literal) } else { literal })
}

/// A constant that says what a float type can hold, and whether it is the negative one.
fn float_limit(scalar: Scalar, name: &str) -> Option<(f64, bool)> {
    // Largest finite value, smallest normal one, distance of 1 to the next.
    let (max, min_positive, epsilon) = match scalar {
        Scalar::F16 => (65504.0, 2.0_f64.powi(-14), 2.0_f64.powi(-10)),
        Scalar::F32 => (f32::MAX.into(), f32::MIN_POSITIVE.into(), f32::EPSILON.into()),
        _ => (f64::MAX, f64::MIN_POSITIVE, f64::EPSILON),
    };
    Some(match name {
        "MAX" => (max, false),
        "MIN" => (max, true),
        "MIN_POSITIVE" => (min_positive, false),
        "EPSILON" => (epsilon, false),
        "INFINITY" => (f64::INFINITY, false),
        "NEG_INFINITY" => (f64::INFINITY, true),
        "NAN" => (f64::NAN, false),
        _ => return None,
    })
}

/// The names of [`float_limit`] and those of integers, which come first.
const LIMITS: &[&str] = &["MAX", "MIN", "MIN_POSITIVE", "EPSILON", "INFINITY", "NEG_INFINITY", "NAN"];

/// The constants of `std::f64::consts`; those of the smaller types are the same, rounded.
const FLOAT_CONSTANTS: &[(&str, f64)] = &[
    ("PI", f::PI),
    ("TAU", f::TAU),
    ("E", f::E),
    ("SQRT_2", f::SQRT_2),
    ("FRAC_1_SQRT_2", f::FRAC_1_SQRT_2),
    ("FRAC_2_SQRT_PI", f::FRAC_2_SQRT_PI),
    ("LN_2", f::LN_2),
    ("LN_10", f::LN_10),
    ("LOG2_E", f::LOG2_E),
    ("LOG2_10", f::LOG2_10),
    ("LOG10_E", f::LOG10_E),
    ("LOG10_2", f::LOG10_2),
    ("FRAC_PI_2", f::FRAC_PI_2),
    ("FRAC_PI_3", f::FRAC_PI_3),
    ("FRAC_PI_4", f::FRAC_PI_4),
    ("FRAC_PI_6", f::FRAC_PI_6),
    ("FRAC_PI_8", f::FRAC_PI_8),
    ("FRAC_1_PI", f::FRAC_1_PI),
    ("FRAC_2_PI", f::FRAC_2_PI),
];

fn float_constant(name: &str) -> Option<f64> {
    FLOAT_CONSTANTS.iter().find(|(other, _)| *other == name).map(|(_, value)| *value)
}
