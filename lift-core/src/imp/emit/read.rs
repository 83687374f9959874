//! The read side: views of arrays, and their elements.

use std::rc::Rc;

use crate::arith::ArithExpr;
use crate::bug;
use crate::imp::ast::Expr;
use crate::imp::emit::index::{first_of_vector, is_composed};
use crate::imp::emit::use_counts::{self, Uses};
use crate::imp::emit::{Closure, Emitter, Env, Value, View};
use crate::ir::{Literal, Scalar, Type};
use crate::low::{Binder, Kind, Lambda, Memory, NodeId};
use crate::memory::BufferId;
use crate::view::read::Step;
use crate::view::write::WriteView;
use crate::view::{Choice, Cond, DeferredSelect, Path, Shape, leaves, read};

impl Emitter<'_> {
    /// The array that a node stands for.
    pub(super) fn eval_array(&mut self, id: NodeId, env: &Env) -> View {
        match self.eval(id, env) {
            Value::Array(view) => view,
            Value::Scalar(_) | Value::Tuple(_) => bug!("an array that is none"),
        }
    }

    /// The view for a node that rearranges or computes arrays. Operands are evaluated now, elements later.
    pub(super) fn view(&mut self, id: NodeId, env: &Env) -> Value {
        let low = self.low;
        let node = low.node(id);
        let shape = match &node.kind {
            Kind::ArrayLiteral(elements) => Shape::Written(elements.clone(), env.clone()),
            Kind::Map { f, xs, .. } => {
                let closure = Closure { f: f.clone(), env: env.clone() };
                Shape::Mapped(closure, self.eval_array(*xs, env))
            }
            Kind::Layout(layout, xs) => return self.layout(id, layout, xs, env),
            Kind::Scan { .. } => return self.scanned(id, env),
            // Outside of a loop there is nothing to keep.
            Kind::SlideSeq { step, of, .. } => Shape::Pieces(step.clone(), self.eval_array(*of, env)),
            Kind::Generate(f) => Shape::Generated(Closure { f: f.clone(), env: env.clone() }),
            Kind::Store { memory: Memory::Private, .. } => return self.keep(id, env, None),
            Kind::Store { of, .. } => return self.copy_to_shared(id, *of, env),
            kind => bug!("not a view: {kind:?}"),
        };
        Value::Array(View::new(shape))
    }

    /// Stores a node for the group; the result is what lies there.
    fn copy_to_shared(&mut self, id: NodeId, x: NodeId, env: &Env) -> Value {
        let Some(buffers) = self.plan.stored.get(&id).cloned() else { bug!("no memory for {id:?}") };
        let ty = self.low.ty(id);
        let indices = match self.low.kind(id) {
            Kind::Store { memory: Memory::Global, .. } => vec![self.group_number()],
            // The array of a pair that this round writes.
            _ if buffers.iter().any(|id| self.rings.contains_key(id)) => vec![ArithExpr::one()],
            _ => Vec::new(),
        };
        let outer = std::mem::replace(&mut self.copies_written_out, false);
        self.as_part(|e| e.store(x, env, &WriteView::stored(buffers.clone(), indices.clone())));
        self.copies_written_out = outer;
        self.stored(&buffers, &indices, ty)
    }

    /// Element `i` of an array.
    pub(super) fn element(&mut self, view: &View, i: &ArithExpr) -> Value {
        let mut step = view.step(i, &self.facts);
        if let (Step::Deferred(_) | Step::Remap(..), Shape::Padded(_) | Shape::Concat(..)) =
            (&step, view.shape())
        {
            // The index is compared, and then used.
            let i = self.facts.simplify(i);
            if is_composed(&i, &self.facts) {
                step = view.step(&self.named_index(&i), &self.facts);
            }
        }
        match step {
            Step::Stored(buffers, indices, ty) => self.stored(&buffers, &indices, &ty),
            Step::Follow(view, indices) => self.at(Value::Array(view), &indices),
            Step::Fold(fold, len, i, view) => {
                let i = self.folded(fold, &i, &len);
                self.element(&view, &i)
            }
            Step::Remap(f, conds, len, i, view) => {
                let cond = all(&conds);
                let inside = |_: &mut Self| Value::Scalar(Expr::Index(i.clone()));
                let index = self.choose(cond, inside, |e| match e.outside(&f, &i, &len) {
                    Value::Scalar(x) if x.scalar() != Scalar::Usize => {
                        Value::Scalar(Expr::Cast(Scalar::Usize, Box::new(x)))
                    }
                    value => value,
                });
                let Value::Scalar(index) = index else { bug!("an index that is no scalar") };
                let i = self.as_index(index, &len, "j");
                self.element(&view, &i)
            }
            Step::View(view) => Value::Array(view),
            Step::Each(parts) => Value::Tuple(parts.iter().map(|part| self.element(part, i)).collect()),
            Step::Part(index, of) => match self.element(&of, i) {
                Value::Tuple(parts) => parts[index].clone(),
                Value::Scalar(_) | Value::Array(_) => bug!("a part of no tuple"),
            },
            Step::Prefix(scan) => self.prefix(&scan, i),
            Step::Apply(f, of) => {
                let x = self.element(&of, i);
                self.apply(&f, vec![x])
            }
            Step::Gather(gathered) => {
                let k = self.gathered(&gathered, i);
                self.element(&gathered.of, &k)
            }
            Step::Reorder(p, len, of) => {
                let k = self.permuted(&p, &len, i);
                self.element(&of, &k)
            }
            Step::Generate(f) => self.apply(&f, vec![Value::Scalar(Expr::Index(i.clone()))]),
            Step::Written(elements, env) => self.written(&elements, &env, i),
            Step::Deferred(deferred) => self.deferred(deferred),
        }
    }

    /// What a function of the boundary gives for an index outside of an array.
    fn outside(&mut self, f: &Closure, i: &ArithExpr, len: &ArithExpr) -> Value {
        let number = |e: &ArithExpr| {
            let e = Expr::Index(self.facts.simplify(e));
            Value::Scalar(Expr::Cast(Scalar::I64, Box::new(e)))
        };
        let args = vec![number(i), number(len)];
        self.apply(f, args)
    }

    /// Elements of elements.
    pub(super) fn at(&mut self, value: Value, indices: &[ArithExpr]) -> Value {
        indices.iter().fold(value, |value, i| match value {
            Value::Array(view) => self.element(&view, i),
            Value::Scalar(_) | Value::Tuple(_) => bug!("an element of no array"),
        })
    }

    /// What lies in buffers at these indices.
    pub(super) fn stored(&mut self, buffers: &[BufferId], indices: &[ArithExpr], ty: &Type) -> Value {
        match ty {
            Type::Scalar(scalar) => {
                let index = self.address(buffers[0], indices);
                Value::Scalar(Expr::Load(buffers[0], *scalar, index))
            }
            Type::Array(..) => {
                Value::Array(View::new(Shape::Stored(buffers.to_vec(), indices.to_vec(), ty.clone())))
            }
            Type::Tuple(parts) => {
                let mut rest = buffers;
                let mut values = Vec::new();
                for part in parts.iter() {
                    let (own, others) = rest.split_at(leaves(part));
                    values.push(self.stored(own, indices, part));
                    rest = others;
                }
                Value::Tuple(values)
            }
        }
    }

    /// A function of values.
    pub(super) fn apply(&mut self, closure: &Closure, args: Vec<Value>) -> Value {
        let env = self.bind(&closure.f, args, &closure.env);
        self.eval(closure.f.body, &env)
    }

    /// The parameters' values, with a name for what is read more than once.
    pub(super) fn bind(&mut self, f: &Lambda, args: Vec<Value>, env: &Env) -> Env {
        let mut env = env.clone();
        for (param, arg) in f.params.iter().zip(args) {
            let uses = self.uses(param, f.body);
            let value = self.shared(&param.name, arg, &|field| match field {
                Some(i) => uses.field(i),
                None => uses.whole,
            });
            env = env.bind(param.id, value);
        }
        env
    }

    fn uses(&mut self, param: &Binder, body: NodeId) -> Rc<Uses> {
        let low = self.low;
        let known = self.uses.entry((param.id, body));
        Rc::clone(known.or_insert_with(|| Rc::new(Uses::of(param, body, low))))
    }

    fn shared(&mut self, name: &str, value: Value, uses: &dyn Fn(Option<usize>) -> usize) -> Value {
        match value {
            Value::Scalar(e) if uses(None) > 1 => Value::Scalar(self.constant(name, e)),
            Value::Tuple(parts) => {
                let named = parts.into_iter().enumerate().map(|(i, part)| {
                    let times = uses(Some(i));
                    let name = format!("{name}_{i}");
                    self.shared(&name, part, &|_| times)
                });
                Value::Tuple(named.collect())
            }
            value => value,
        }
    }

    /// The environment inside a `let`.
    pub(super) fn let_(&mut self, binder: &Binder, value: NodeId, body: NodeId, env: &Env) -> Env {
        if let Kind::ArrayLiteral(elements) = self.low.kind(value) {
            self.table_names.insert(elements[0], binder.name.clone());
        }
        let result = match self.low.kind(value) {
            Kind::Reduce { .. } => self.reduce(value, env, Some(&binder.name)),
            Kind::Iterate { .. } => self.iterate(value, env, Some(&binder.name)),
            Kind::Store { memory: Memory::Private, .. } => self.keep(value, env, Some(&binder.name)),
            _ => self.eval(value, env),
        };
        let result = match (result, use_counts::indexed(binder, body, self.low)) {
            (Value::Scalar(e), Some(len)) => Value::Scalar(Expr::Index(self.as_index(e, &len, &binder.name))),
            (result, _) => self.constants(&binder.name, result),
        };
        env.bind(binder.id, result)
    }

    /// The same conditions, where all elements of a vector have that of the first.
    fn of_vectors(&self, conds: Vec<Cond>) -> Vec<Cond> {
        let of_first = |cond: Cond| match cond {
            Cond::Less(a, b) => Cond::Less(first_of_vector(&a, &b, &self.facts).unwrap_or(a), b),
            Cond::AtLeast(..) => cond,
        };
        conds.into_iter().map(of_first).collect()
    }

    /// What a choice that is still open comes to. Only for scalars, and tuples of them, is it made.
    pub(super) fn deferred(&mut self, deferred: DeferredSelect<Expr>) -> Value {
        match &deferred.ty {
            Type::Array(..) => return Value::Array(View::new(Shape::Deferred(deferred))),
            // A choice between arrays is made where an element is read. Scalars are chosen together: one function may compute all of them.
            Type::Tuple(parts) if deferred.ty.contains_array() => {
                return Value::Tuple((0..parts.len()).map(|i| self.deferred(deferred.field(i))).collect());
            }
            Type::Tuple(_) | Type::Scalar(_) => {}
        }
        match deferred.choice {
            Choice::Guard(conds, inside, outside) => {
                let cond = all(&self.of_vectors(read::unproved(conds, &self.facts)));
                let inside = |e: &mut Self| e.walk(Value::Array(inside), &deferred.path);
                self.choose(cond, inside, |e| e.filled(outside, &deferred.path))
            }
            Choice::Outside(conds, inside, f, [i, len]) => {
                let cond = all(&read::unproved(conds, &self.facts));
                let inside = |e: &mut Self| e.walk(Value::Array(inside), &deferred.path);
                let outside = |e: &mut Self| {
                    let value = e.outside(&f, &i, &len);
                    e.filled(value, &deferred.path)
                };
                self.choose(cond, inside, outside)
            }
            Choice::If(cond, a, b, env) => {
                let arm = |e: &mut Self, x: NodeId| {
                    let value = e.eval(x, &env);
                    e.walk(value, &deferred.path)
                };
                self.choose(cond, |e| arm(e, a), |e| arm(e, b))
            }
            Choice::Concat(i, parts) => self.one_of(&i, &parts, &deferred.path),
            Choice::Pick(i, elements, env) => self.pick(&i, &elements, 0, &env, &deferred.path),
        }
    }

    /// `i < 1 ? first : i < 2 ? second : …`
    fn pick(&mut self, i: &ArithExpr, elements: &[NodeId], first: i64, env: &Env, path: &[Path]) -> Value {
        let [element, rest @ ..] = elements else { bug!("an element of an empty array") };
        let value = |e: &mut Self| {
            let value = e.eval(*element, env);
            e.walk(value, path)
        };
        if rest.is_empty() {
            return value(self);
        }
        let cond = self.decided(Cond::Less(i.clone(), ArithExpr::cst(first + 1)));
        self.choose(cond, value, |e| e.pick(i, rest, first + 1, env, path))
    }

    /// `i < second start ? first[i] : i < third start ? second[i - second start] : …`
    fn one_of(&mut self, i: &ArithExpr, parts: &[(ArithExpr, View)], path: &[Path]) -> Value {
        let [(start, part), rest @ ..] = parts else { bug!("an element of no array") };
        let value = |e: &mut Self| {
            let element = e.element(part, &(i - start));
            e.walk(element, path)
        };
        let Some((next, _)) = rest.first() else { return value(self) };
        let cond = self.decided(Cond::Less(i.clone(), next.clone()));
        self.choose(cond, value, |e| e.one_of(i, rest, path))
    }

    fn walk(&mut self, value: Value, path: &[Path]) -> Value {
        path.iter().fold(value, |value, step| match (step, value) {
            (Path::Index(i), Value::Array(view)) => self.element(&view, i),
            (Path::Field(i), Value::Tuple(parts)) => parts[*i].clone(),
            (Path::Index(_) | Path::Field(_), _) => bug!("no such part"),
        })
    }

    /// What the filling of a region, a scalar or tuple, is at a path inside of it: only indices of arrays in its parts matter.
    fn filled(&mut self, value: Value, path: &[Path]) -> Value {
        path.iter().fold(value, |value, step| match (step, value) {
            (Path::Index(i), Value::Array(view)) => self.element(&view, i),
            (Path::Index(_), value) => value,
            (Path::Field(i), Value::Tuple(parts)) => parts[*i].clone(),
            (Path::Field(_), Value::Scalar(_) | Value::Array(_)) => bug!("a part of a scalar or an array"),
        })
    }

    /// The element of a type that is a scalar.
    pub(super) fn scalar_type(&self, id: NodeId) -> Scalar {
        match self.low.ty(id) {
            Type::Scalar(scalar) => *scalar,
            ty => bug!("{ty} is no scalar"),
        }
    }
}

/// All conditions; true if there are none.
fn all(conds: &[Cond]) -> Expr {
    Expr::all(conds).unwrap_or(Expr::Literal(Literal::Bool(true)))
}
