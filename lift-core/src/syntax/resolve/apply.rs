//! Application: a function and arguments become a value, or a function of the arguments that are missing.

use super::Resolver;
use super::fun::{Callee, Fun, FunKind, Item, Kind, Slot, prim_slots};
use super::variadic::variadic_slots;
use crate::ir::{Memory, Prim};
use crate::span::Span;
use crate::syntax::ast::{Expr, ExprKind};
use crate::syntax::error_name as error;
use crate::syntax::term::{Arg, Pattern, PatternKind, Term, TermKind};

/// An argument before it is known what it is for.
#[derive(Debug, Clone)]
pub(super) enum Given<'e> {
    /// As the user wrote it.
    Source(&'e Expr),
    /// A value.
    Done(Term),
}

impl Given<'_> {
    /// Where it stands.
    pub(super) fn span(&self) -> Span {
        match self {
            Given::Source(expr) => expr.span,
            Given::Done(term) => term.span,
        }
    }
}

/// How a function gets its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `f(a, b)`: some may be missing.
    Call,
    /// `xs.f(a)`: the array to work on is there, so nothing may be missing.
    Method,
    /// `(f . g)(x)`: the one value is all there is.
    Composed,
}

/// The values that `let`s around a function bind.
pub(super) type Lets = Vec<(Pattern, Term)>;

impl Resolver {
    /// Applies a function. `span` is the whole application.
    pub(super) fn apply(&mut self, fun: Fun, given: Vec<Given<'_>>, form: Form, span: Span) -> Item {
        match fun.kind {
            FunKind::Lets(lets, inner) => {
                let item = self.apply(*inner, given, form, span);
                wrap(lets, item)
            }
            FunKind::Compose(outer, inner) => match self.apply(*inner, given, Form::Call, span) {
                Item::Value(Term { kind: TermKind::Error, span }) => Item::error(span),
                Item::Value(value) => {
                    self.composed.push(outer.span);
                    self.apply(*outer, vec![Given::Done(value)], Form::Composed, span)
                }
                Item::Fun(inner) => {
                    Item::Fun(Fun { kind: FunKind::Compose(outer, Box::new(inner)), span: fun.span })
                }
            },
            FunKind::Closure(params, body) => self.apply_closure(params, *body, fun.span, given, form, span),
            FunKind::Named(
                Callee::Prim(prim @ Prim::Store(Memory::Local | Memory::Private | Memory::Global)),
                args,
            ) if args.is_empty() => self.apply_storage(prim, fun.span, given, form, span),
            FunKind::Named(callee, args) => self.apply_named(callee, args, fun.span, given, form),
        }
    }

    /// `to_local(e)` stores a value; `to_local(f)` is `to_local . f`, and so `to_local(f, x)` is `to_local(f(x))`.
    fn apply_storage(
        &mut self,
        prim: Prim,
        place: Span,
        mut given: Vec<Given<'_>>,
        form: Form,
        span: Span,
    ) -> Item {
        let named = Fun { kind: FunKind::Named(Callee::Prim(prim), Vec::new()), span: place };
        if let Some(Given::Source(expr)) = given.first() {
            match self.item(expr) {
                Item::Value(term) => given[0] = Given::Done(term),
                Item::Fun(inner) => {
                    given.remove(0);
                    let kind = FunKind::Compose(Box::new(named), Box::new(inner));
                    let composition = Fun { kind, span };
                    return match given.is_empty() {
                        true => Item::Fun(composition),
                        false => self.apply(composition, given, form, span),
                    };
                }
            }
        }
        self.apply_named(Callee::Prim(prim), Vec::new(), place, given, form)
    }

    fn apply_closure(
        &mut self,
        mut params: Vec<Pattern>,
        body: Item,
        place: Span,
        mut given: Vec<Given<'_>>,
        form: Form,
        span: Span,
    ) -> Item {
        if let [Given::Source(Expr { kind: ExprKind::Tuple(parts), .. })] = given.as_slice()
            && parts.len() == params.len()
        {
            given = parts.iter().map(Given::Source).collect();
        }
        if form == Form::Composed && params.len() > 1 && given.len() == 1 {
            // The one value is a tuple; the type checker sees to that.
            let parts = Pattern { kind: PatternKind::Tuple(params), ty: None, span: place };
            params = vec![parts];
        }
        let extra = given.split_off(given.len().min(params.len()));
        if let Some(first) = extra.first()
            && matches!(body, Item::Value(_))
        {
            let count = extra.len();
            self.report(error::too_many_for_closure(first.span(), params.len(), count));
            return Item::error(span);
        }
        let rest = params.split_off(given.len());
        let mut lets = Lets::new();
        for (param, argument) in params.into_iter().zip(given) {
            lets.push((param, self.given_value(argument)));
        }
        let item = if !rest.is_empty() {
            Item::Fun(Fun { kind: FunKind::Closure(rest, Box::new(body)), span: place })
        } else {
            match body {
                Item::Fun(inner) if !extra.is_empty() => self.apply(inner, extra, form, span),
                Item::Value(mut term) => {
                    term.span = span;
                    Item::Value(term)
                }
                item @ Item::Fun(_) => item,
            }
        };
        wrap(lets, item)
    }

    fn apply_named(
        &mut self,
        callee: Callee,
        mut args: Vec<Arg>,
        place: Span,
        mut given: Vec<Given<'_>>,
        form: Form,
    ) -> Item {
        let parts = match given.as_slice() {
            [Given::Source(Expr { kind: ExprKind::Tuple(parts), .. })] => parts.len(),
            given => given.len(),
        };
        let mut forms = self.forms(&callee, args.len() + parts);
        forms.retain(|slots| slots.len() >= args.len());
        let exact = |forms: &[Vec<Slot>], total: usize| forms.iter().any(|slots| slots.len() == total);
        // `sub((a, b))` is `sub(a, b)`.
        if let [Given::Source(Expr { kind: ExprKind::Tuple(parts), .. })] = given.as_slice()
            && !exact(&forms, args.len() + 1)
            && forms.iter().any(|slots| {
                slots.len() == args.len() + parts.len()
                    && slots[args.len()..].iter().all(|slot| slot.kind.is_data())
            })
        {
            given = parts.iter().map(Given::Source).collect();
        }
        let total = args.len() + given.len();
        if form == Form::Composed && !exact(&forms, total) {
            return self.apply_to_tuple(callee, args, place, given);
        }
        let most = forms.iter().map(Vec::len).max().unwrap_or(0);
        if total > most {
            let slots = forms.into_iter().max_by_key(Vec::len).unwrap_or_default();
            let extra = total - slots.len();
            // Where the array before the dot comes last, it is not the one too many.
            let last = usize::from(form == Form::Method && !self.receiver_first(&callee));
            let extra_at = given.len().saturating_sub(extra + last);
            let span = given.get(extra_at).map_or(place, Given::span);
            let name = self.callee_name(&callee);
            let method = (form == Form::Method).then(|| {
                let receiver = if last == 0 { slots.first() } else { slots.last() };
                let owner = std::mem::take(&mut self.wrote).owner;
                owner.or_else(|| receiver.map(|slot| slot.name.clone())).unwrap_or_default()
            });
            self.report(error::too_many(span, &name, &slots, extra, (method.as_deref(), last == 0)));
            return Item::error(place);
        }
        let Some(slots) = choose(&forms, total, form) else {
            return self.too_few(&callee, total, form, place, &given);
        };
        let mut lets = Lets::new();
        let mut right = true;
        for (slot, argument) in slots[args.len()..].to_vec().iter().zip(given) {
            match self.argument(&callee, slot, &slots, argument, &mut lets) {
                Ok(Some(arg)) => args.push(arg),
                Ok(None) => right = false,
                // In the wrong place: what follows would be as well.
                Err(diagnostic) => return self.fault(Item::error(place), *diagnostic),
            }
        }
        if !right {
            return Item::error(place);
        }
        let item = if args.len() == slots.len() {
            Item::Value(self.saturate(&callee, args, place))
        } else {
            let callee = self.settle(callee, slots.len());
            Item::Fun(Fun { kind: FunKind::Named(callee, args), span: place })
        };
        wrap(lets, item)
    }

    /// One value for several parameters: it is a tuple of them, where that is what functions take.
    fn apply_to_tuple(&mut self, callee: Callee, args: Vec<Arg>, place: Span, given: Vec<Given<'_>>) -> Item {
        let takes_tuples = match &callee {
            Callee::Scalar(..) | Callee::Local(..) | Callee::Prim(Prim::Zip | Prim::Concat) => true,
            Callee::Functions(ids) => {
                self.nested_zip(ids).is_some() || ids.iter().all(|id| id.0 as usize >= self.prelude_functions)
            }
            Callee::Prim(_) => false,
        };
        let fun = Fun { kind: FunKind::Named(callee.clone(), args.clone()), span: place };
        let missing = self.missing(&fun);
        if !takes_tuples || missing.is_empty() || missing.iter().any(|slot| !slot.kind.is_data()) {
            return self.too_few(&callee, args.len() + given.len(), Form::Composed, place, &given);
        }
        let mut lets = Lets::new();
        let (mut patterns, mut parts) = (Vec::new(), Vec::new());
        for slot in &missing {
            let (pattern, term) = self.fresh(&slot.name, place);
            patterns.push(pattern);
            parts.push(Given::Done(term));
        }
        for argument in given {
            let value = self.given_value(argument);
            let pattern =
                Pattern { kind: PatternKind::Tuple(std::mem::take(&mut patterns)), ty: None, span: place };
            lets.push((pattern, value));
        }
        let item = self.apply_named(callee, args, place, parts, Form::Call);
        wrap(lets, item)
    }

    /// Reports missing arguments.
    fn too_few(
        &mut self,
        callee: &Callee,
        total: usize,
        form: Form,
        place: Span,
        given: &[Given<'_>],
    ) -> Item {
        let first = given.first().and_then(|given| match given {
            Given::Source(Expr { kind: ExprKind::Literal(literal), .. }) => Some(literal.clone()),
            Given::Source(_) | Given::Done(_) => None,
        });
        let forms = self.forms(callee, 0);
        let name = self.callee_name(callee);
        let other = match form {
            Form::Call => error::Other::None,
            Form::Method if self.receiver_first(callee) => error::Other::First,
            Form::Method | Form::Composed => error::Other::Last,
        };
        let wrote = total - usize::from(other != error::Other::None);
        let owner = std::mem::take(&mut self.wrote).owner;
        let owner = owner.as_deref();
        let diagnostic = error::too_few(place, &name, &forms, wrote, other, first.as_ref(), owner);
        self.fault(Item::error(place), diagnostic)
    }

    fn given_value(&mut self, given: Given<'_>) -> Term {
        match given {
            Given::Source(expr) => self.value(expr),
            Given::Done(term) => term,
        }
    }

    /// The parameters of every form of a function, shortest first; of one that takes any number of arrays, of
    /// those for two and for `wanted`.
    pub(super) fn forms(&self, callee: &Callee, wanted: usize) -> Vec<Vec<Slot>> {
        match callee {
            Callee::Prim(prim @ (Prim::Zip | Prim::Concat)) => variadic_slots(*prim, wanted),
            Callee::Functions(ids) if self.nested_zip(ids).is_some() => variadic_slots(Prim::Zip, wanted),
            Callee::Prim(prim) => vec![prim_slots(*prim, 0)],
            Callee::Functions(ids) => {
                let mut forms: Vec<Vec<Slot>> =
                    ids.iter().map(|id| self.signatures[id.0 as usize].slots.clone()).collect();
                forms.sort_by_key(Vec::len);
                forms
            }
            Callee::Scalar(function, _) => vec![values(function.arity())],
            Callee::Local(_, _, arity) => vec![values(*arity)],
        }
    }

    /// Leaves only the form with so many parameters.
    fn settle(&self, callee: Callee, arity: usize) -> Callee {
        match callee {
            Callee::Functions(mut ids) if self.nested_zip(&ids).is_none() => {
                ids.retain(|id| self.signatures[id.0 as usize].slots.len() == arity);
                Callee::Functions(ids)
            }
            callee => callee,
        }
    }

    /// Whether `x.f(y)` is `f(x, y)` and not `f(y, x)`.
    pub(super) fn receiver_first(&self, callee: &Callee) -> bool {
        match callee {
            Callee::Scalar(..) | Callee::Prim(Prim::Zip | Prim::Concat | Prim::ScatterTo) => true,
            Callee::Functions(ids) => self.nested_zip(ids).is_some(),
            Callee::Prim(_) | Callee::Local(..) => false,
        }
    }

    /// What the user calls it.
    pub(super) fn callee_name(&self, callee: &Callee) -> String {
        match callee {
            Callee::Prim(prim) => prim.name().to_string(),
            Callee::Functions(ids) => {
                ids.first().map(|id| self.signatures[id.0 as usize].name.clone()).unwrap_or_default()
            }
            Callee::Scalar(_, name) => (*name).to_string(),
            Callee::Local(_, name, _) => name.clone(),
        }
    }

    /// Something with a name and all its arguments.
    pub(super) fn saturate(&mut self, callee: &Callee, args: Vec<Arg>, span: Span) -> Term {
        let data = |args: Vec<Arg>| -> Vec<Term> {
            let term = |arg| if let Arg::Data(term) = arg { Some(term) } else { None };
            args.into_iter().filter_map(term).collect()
        };
        let kind = match callee {
            Callee::Prim(prim) => TermKind::Prim(*prim, args),
            Callee::Scalar(function, _) => return function.saturate(data(args), span),
            Callee::Local(id, ..) => TermKind::CallLocal(*id, data(args)),
            Callee::Functions(ids) => {
                let arity = args.len();
                let id = ids.iter().find(|id| self.signatures[id.0 as usize].slots.len() == arity);
                match (id, self.nested_zip(ids)) {
                    (Some(id), _) => {
                        self.call(*id, span);
                        TermKind::Call(*id, args)
                    }
                    (None, Some(name)) => TermKind::Call(self.widened(name, arity), args),
                    (None, None) => TermKind::Error,
                }
            }
        };
        Term { kind, span }
    }

    /// The parameters for which a function still waits.
    pub(super) fn missing(&self, fun: &Fun) -> Vec<Slot> {
        match &fun.kind {
            FunKind::Lets(_, inner) | FunKind::Compose(_, inner) => self.missing(inner),
            FunKind::Closure(params, _) => {
                let name = |param: &Pattern| match &param.kind {
                    PatternKind::Bind(binder) => binder.name.clone(),
                    PatternKind::Wild
                    | PatternKind::Tuple(_)
                    | PatternKind::Array(_)
                    | PatternKind::Struct(..) => "x".to_string(),
                };
                params.iter().map(|param| Slot { name: name(param), kind: Kind::Value }).collect()
            }
            FunKind::Named(callee, args) => {
                let mut forms = self.forms(callee, args.len() + 1).into_iter();
                let form = forms.find(|slots| slots.len() > args.len());
                form.map(|slots| slots[args.len()..].to_vec()).unwrap_or_default()
            }
        }
    }
}

fn values(count: usize) -> Vec<Slot> {
    let names = ["x", "y", "z"];
    let name = |i: usize| names.get(i).map_or_else(|| format!("x{i}"), |name| (*name).to_string());
    (0..count).map(|i| Slot { name: name(i), kind: Kind::Value }).collect()
}

/// The form that is meant by so many arguments.
fn choose(forms: &[Vec<Slot>], total: usize, form: Form) -> Option<Vec<Slot>> {
    let with = |arity: usize| forms.iter().find(|slots| slots.len() == arity).cloned();
    if form != Form::Call {
        return with(total);
    }
    let longer: Vec<&Vec<Slot>> = forms.iter().filter(|slots| slots.len() > total).collect();
    with(total).or_else(|| with(total + 1)).or_else(|| match longer.as_slice() {
        [one] => Some((*one).clone()),
        _ => None,
    })
}

/// `let`s around a value or function.
pub(super) fn wrap(lets: Lets, item: Item) -> Item {
    if lets.is_empty() {
        return item;
    }
    match item {
        Item::Value(body) => Item::Value(wrap_term(lets, body)),
        Item::Fun(inner) => {
            let span = inner.span;
            Item::Fun(Fun { kind: FunKind::Lets(lets, Box::new(inner)), span })
        }
    }
}

/// `let`s around a value.
pub(super) fn wrap_term(lets: Lets, body: Term) -> Term {
    lets.into_iter().rev().fold(body, |body, (pattern, value)| {
        let span = body.span;
        Term { kind: TermKind::Let(pattern, Box::new(value), Box::new(body)), span }
    })
}
