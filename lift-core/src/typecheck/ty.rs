//! Types while they are being inferred: types of data with unknowns, and the unifier.
//!
//! Unknown sizes are arithmetic variables of their own; an equation between sizes that is linear in one of
//! them solves it, all others wait until more is known.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::arith::{ArithExpr, Facts, Truth, Var};
use crate::budget;
use crate::bug;
use crate::ir::types::MOST_PARTS;
use crate::ir::{Scalar, SurfaceType, Type, build::fresh_id};

/// A type with unknowns.
#[derive(Debug, Clone)]
pub(super) enum Ty {
    /// A scalar.
    Scalar(Scalar),
    /// An array.
    Array(Rc<Ty>, ArithExpr),
    /// A tuple.
    Tuple(Rc<[Ty]>),
    /// A struct: equal to itself only. In the typed expression it is the tuple of its fields.
    Struct(Rc<StructTy>),
    /// Not known yet.
    Unknown(usize),
    /// A mistake was reported already; agrees with everything.
    Error,
}

/// A struct of the block.
#[derive(Debug)]
pub(super) struct StructTy {
    /// Its position among the structs.
    pub(super) index: usize,
    /// Its name, for messages.
    pub(super) name: String,
    /// Names and types of the fields. There are no unknowns in them, and lengths of arrays are numbers.
    pub(super) fields: Vec<(String, Ty)>,
}

/// What an unknown type may become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Anything.
    Any,
    /// The type of an integer literal: an integer type, `i32` if nothing else says.
    Integer,
    /// The type of a float literal.
    Float,
}

/// Why two types do not agree.
#[derive(Debug, Clone)]
pub(super) enum Clash {
    /// Two lengths differ.
    Lengths(ArithExpr, ArithExpr),
    /// Something else differs.
    Shapes,
}

/// The unknowns, what is known about them, and the facts about sizes.
#[derive(Debug, Clone, Default)]
pub(super) struct Solver {
    unknowns: Vec<(Option<Ty>, Class)>,
    sizes: BTreeMap<Var, Option<ArithExpr>>,
    waiting: Vec<(ArithExpr, ArithExpr)>,
    /// Equations that neither can be proved nor refuted; they become launch checks.
    pub(super) unproved: Vec<(ArithExpr, ArithExpr)>,
    /// What is known about the size variables.
    pub(super) facts: Facts,
}

impl Solver {
    /// A type not known yet.
    pub(super) fn unknown(&mut self, class: Class) -> Ty {
        self.unknowns.push((None, class));
        Ty::Unknown(self.unknowns.len() - 1)
    }

    /// A size not known yet.
    pub(super) fn unknown_size(&mut self, name: &str) -> ArithExpr {
        let var = Var::new(fresh_id(), name);
        self.sizes.insert(var.clone(), None);
        ArithExpr::var(&var)
    }

    /// The type as far as it is known, at its root.
    pub(super) fn shallow(&self, ty: &Ty) -> Ty {
        budget::step();
        self.known(ty).clone()
    }

    fn known<'a>(&'a self, ty: &'a Ty) -> &'a Ty {
        match ty {
            Ty::Unknown(id) => self.unknowns[*id].0.as_ref().map_or(ty, |known| self.known(known)),
            Ty::Scalar(_) | Ty::Array(..) | Ty::Tuple(_) | Ty::Struct(_) | Ty::Error => ty,
        }
    }

    /// What an unknown may become.
    pub(super) fn class(&self, ty: &Ty) -> Option<Class> {
        match self.shallow(ty) {
            Ty::Unknown(id) => Some(self.unknowns[id].1),
            Ty::Scalar(_) | Ty::Array(..) | Ty::Tuple(_) | Ty::Struct(_) | Ty::Error => None,
        }
    }

    /// The size with everything known put in.
    pub(super) fn size(&self, size: &ArithExpr) -> ArithExpr {
        let known: BTreeMap<Var, ArithExpr> =
            size.vars().into_iter().filter_map(|v| Some((v.clone(), self.sizes.get(&v)?.clone()?))).collect();
        if known.is_empty() { size.clone() } else { self.size(&size.substitute(&known)) }
    }

    /// The same, simplified.
    pub(super) fn simplified(&self, size: &ArithExpr) -> ArithExpr {
        self.facts.simplify(&self.size(size))
    }

    fn unsolved(&self, size: &ArithExpr) -> Vec<Var> {
        size.vars().into_iter().filter(|v| self.sizes.contains_key(v)).collect()
    }

    /// Whether every size in it is known.
    pub(super) fn is_known(&self, size: &ArithExpr) -> bool {
        self.unsolved(&self.size(size)).is_empty()
    }

    /// Makes the two agree.
    pub(super) fn unify(&mut self, a: &Ty, b: &Ty) -> Result<(), Clash> {
        match (self.shallow(a), self.shallow(b)) {
            (Ty::Error, _) | (_, Ty::Error) => Ok(()),
            (Ty::Unknown(a), Ty::Unknown(b)) if a == b => Ok(()),
            (Ty::Unknown(a), Ty::Unknown(b)) => {
                let (ca, cb) = (self.unknowns[a].1, self.unknowns[b].1);
                match (ca, cb) {
                    (Class::Any, Class::Integer | Class::Float) => self.unknowns[a].0 = Some(Ty::Unknown(b)),
                    (Class::Integer | Class::Float, Class::Any) => self.unknowns[b].0 = Some(Ty::Unknown(a)),
                    // The elder stands for both, so that one that agrees with many others does not get further away each time.
                    _ if ca == cb => self.unknowns[a.max(b)].0 = Some(Ty::Unknown(a.min(b))),
                    _ => return Err(Clash::Shapes),
                }
                Ok(())
            }
            (Ty::Unknown(id), ty) | (ty, Ty::Unknown(id)) => self.assign(id, ty),
            (Ty::Scalar(a), Ty::Scalar(b)) if a == b => Ok(()),
            (Ty::Array(a, n), Ty::Array(b, m)) => {
                self.unify(&a, &b)?;
                self.unify_sizes(&n, &m)
            }
            (Ty::Tuple(a), Ty::Tuple(b)) if a.len() == b.len() => {
                a.iter().zip(b.iter()).try_for_each(|(a, b)| self.unify(a, b))
            }
            (Ty::Struct(a), Ty::Struct(b)) if a.index == b.index => Ok(()),
            (Ty::Scalar(_) | Ty::Array(..) | Ty::Tuple(_) | Ty::Struct(_), _) => Err(Clash::Shapes),
        }
    }

    /// Makes the two agree if that settles everything at once: all lengths are known to be equal. Otherwise
    /// nothing changes.
    pub(super) fn unify_fully(&mut self, a: &Ty, b: &Ty) -> bool {
        let before = self.clone();
        let open = |s: &Solver| (s.waiting.len(), s.unproved.len());
        let agree = self.unify(a, b).is_ok() && open(self) == open(&before);
        if !agree {
            *self = before;
        }
        agree
    }

    fn assign(&mut self, id: usize, ty: Ty) -> Result<(), Clash> {
        let fits = match (self.unknowns[id].1, &ty) {
            (Class::Any, _) => !self.occurs(id, &ty),
            (Class::Integer, Ty::Scalar(s)) => s.is_integer(),
            (Class::Float, Ty::Scalar(s)) => s.is_float(),
            (Class::Integer | Class::Float, _) => false,
        };
        if !fits {
            return Err(Clash::Shapes);
        }
        self.unknowns[id].0 = Some(ty);
        Ok(())
    }

    /// Makes two sizes equal, now or later.
    pub(super) fn unify_sizes(&mut self, a: &ArithExpr, b: &ArithExpr) -> Result<(), Clash> {
        let (a, b) = (self.size(a), self.size(b));
        if a == b {
            return Ok(());
        }
        budget::equation();
        let difference = &a - &b;
        let unsolved = self.unsolved(&difference);
        // The youngest first: sizes of results follow from those of arguments.
        for var in unsolved.iter().rev() {
            if let Some(solution) = difference.solve(var, &ArithExpr::zero())
                && !solution.contains(var)
            {
                self.sizes.insert(var.clone(), Some(solution));
                return Ok(());
            }
        }
        if !unsolved.is_empty() {
            self.waiting.push((a, b));
            return Ok(());
        }
        match self.facts.eq(&a, &b) {
            Truth::Yes => Ok(()),
            // Two different polynomials are different sizes, even if they could be equal by chance.
            Truth::Unknown if has_atoms(&a) || has_atoms(&b) => {
                self.unproved.push((a, b));
                Ok(())
            }
            Truth::No | Truth::Unknown => Err(Clash::Lengths(a, b)),
        }
    }

    /// Tries the waiting equations again; the first that cannot hold is returned.
    pub(super) fn settle(&mut self) -> Result<(), Clash> {
        loop {
            let waiting = std::mem::take(&mut self.waiting);
            let before = waiting.len();
            for (a, b) in waiting {
                self.unify_sizes(&a, &b)?;
            }
            if self.waiting.len() >= before {
                return Ok(());
            }
        }
    }

    /// Sizes in the type that nothing determines, in order of occurrence.
    pub(super) fn free_sizes(&self, ty: &Ty, found: &mut Vec<Var>) {
        match self.shallow(ty) {
            Ty::Array(element, len) => {
                for var in self.unsolved(&self.size(&len)) {
                    if !found.contains(&var) {
                        found.push(var);
                    }
                }
                self.free_sizes(&element, found);
            }
            Ty::Tuple(parts) => parts.iter().for_each(|p| self.free_sizes(p, found)),
            Ty::Scalar(_) | Ty::Struct(_) | Ty::Unknown(_) | Ty::Error => {}
        }
    }

    /// Decides an unknown size.
    pub(super) fn set_size(&mut self, var: &Var, value: ArithExpr) {
        self.sizes.insert(var.clone(), Some(value));
    }

    /// The finished type, simplified; literals that nothing decides become `i32` and `f32`.
    pub(super) fn finish(&self, ty: &Ty) -> Type {
        match self.shallow(ty) {
            Ty::Scalar(s) => Type::Scalar(s),
            Ty::Array(element, len) => Type::array(self.finish(&element), self.simplified(&len)),
            Ty::Tuple(parts) => Type::tuple(parts.iter().map(|p| self.finish(p)).collect()),
            Ty::Struct(s) => Type::tuple(s.fields.iter().map(|(_, ty)| self.finish(ty)).collect()),
            Ty::Unknown(id) => match self.unknowns[id].1 {
                Class::Integer => Type::Scalar(Scalar::I32),
                Class::Float | Class::Any => Type::Scalar(Scalar::F32),
            },
            Ty::Error => bug!("a wrong type reached the term"),
        }
    }

    /// The same with the names of structs.
    pub(super) fn written(&self, ty: &Ty) -> SurfaceType {
        match self.shallow(ty) {
            Ty::Array(element, len) => {
                SurfaceType::Array(Box::new(self.written(&element)), self.simplified(&len))
            }
            Ty::Tuple(parts) => SurfaceType::Tuple(parts.iter().map(|part| self.written(part)).collect()),
            Ty::Struct(found) => {
                let fields = found.fields.iter().map(|(name, ty)| (name.clone(), self.written(ty)));
                SurfaceType::Struct(found.name.clone(), fields.collect())
            }
            ty @ (Ty::Scalar(_) | Ty::Unknown(_) | Ty::Error) => SurfaceType::from(&self.finish(&ty)),
        }
    }

    /// Whether any of what a type of data is made of is such a type, structs taken as a whole.
    fn any(&self, ty: &Ty, is: &dyn Fn(&Ty) -> bool) -> bool {
        let ty = self.shallow(ty);
        is(&ty)
            || match &ty {
                Ty::Array(element, _) => self.any(element, is),
                Ty::Tuple(parts) => parts.iter().any(|part| self.any(part, is)),
                Ty::Scalar(_) | Ty::Struct(_) | Ty::Unknown(_) | Ty::Error => false,
            }
    }

    fn occurs(&self, id: usize, ty: &Ty) -> bool {
        self.any(ty, &|ty| matches!(ty, Ty::Unknown(other) if *other == id))
    }

    /// Whether nothing determines a part of the type.
    pub(super) fn is_ambiguous(&self, ty: &Ty) -> bool {
        self.any(ty, &|ty| matches!(ty, Ty::Unknown(id) if self.unknowns[*id].1 == Class::Any))
    }

    /// Whether a mistake was found in a part of the type.
    pub(super) fn is_wrong(&self, ty: &Ty) -> bool {
        let inside = |found: &StructTy| found.fields.iter().any(|(_, field)| self.is_wrong(field));
        self.any(ty, &|ty| match ty {
            Ty::Error => true,
            Ty::Struct(found) => inside(found),
            Ty::Scalar(_) | Ty::Array(..) | Ty::Tuple(_) | Ty::Unknown(_) => false,
        })
    }

    /// Whether there is an array in it.
    pub(super) fn contains_array(&self, ty: &Ty) -> bool {
        let inside = |found: &StructTy| found.fields.iter().any(|(_, field)| self.contains_array(field));
        self.any(ty, &|ty| match ty {
            Ty::Array(..) => true,
            Ty::Struct(found) => inside(found),
            Ty::Scalar(_) | Ty::Tuple(_) | Ty::Unknown(_) | Ty::Error => false,
        })
    }

    /// Whether there are more scalars in the type than may be.
    pub(super) fn has_too_many_parts(&self, ty: &Ty) -> bool {
        fn count(solver: &Solver, ty: &Ty, left: &mut usize) -> bool {
            budget::step();
            match solver.known(ty) {
                Ty::Array(element, _) => count(solver, element, left),
                Ty::Tuple(parts) => parts.iter().all(|part| count(solver, part, left)),
                Ty::Struct(found) => found.fields.iter().all(|(_, ty)| count(solver, ty, left)),
                Ty::Scalar(_) | Ty::Unknown(_) | Ty::Error => {
                    let one = left.checked_sub(1);
                    *left = one.unwrap_or_default();
                    one.is_some()
                }
            }
        }
        !count(self, ty, &mut { MOST_PARTS })
    }

    /// The type for messages.
    pub(super) fn show(&self, ty: &Ty) -> String {
        match self.shallow(ty) {
            Ty::Scalar(s) => s.to_string(),
            Ty::Struct(s) => s.name.clone(),
            Ty::Array(element, len) => format!("[{}; {}]", self.show(&element), self.show_size(&len)),
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.show(p)).collect();
                format!("({})", parts.join(", "))
            }
            Ty::Unknown(id) => match self.unknowns[id].1 {
                Class::Any => "_".into(),
                Class::Integer => "{integer}".into(),
                Class::Float => "{float}".into(),
            },
            Ty::Error => "_".into(),
        }
    }

    /// The size for messages.
    pub(super) fn show_size(&self, size: &ArithExpr) -> String {
        let size = self.simplified(size);
        // As Rust is written.
        if self.unsolved(&size).is_empty() { size.to_string().replace('*', " * ") } else { "_".into() }
    }
}

/// Whether the size is more than a polynomial: rounding, remainders, minima or maxima occur in it.
fn has_atoms(size: &ArithExpr) -> bool {
    !size.is_polynomial()
}
