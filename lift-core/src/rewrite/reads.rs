//! How often the scalars of a value are read, if it is computed anew for every read.
//!
//! What is read of the parts of an expression follows from what is read of the whole: an element of a `zip` may be
//! read once in one part and many times in another, where there are windows.

use std::collections::BTreeMap;

use crate::arith::Facts;
use crate::ir::{Arg, Expr, Kind, Lambda, Memory, Param, Prim, Type};

/// More than once, in a few places.
const MANY: u8 = 2;

/// Again and again: by a function that is applied to many elements, or by windows.
const REPEATED: u8 = 3;

/// How often each scalar in a value is read, by its place in the value's tuples: 0, 1, in a few places, or again and again. The
/// elements of an array are not told apart; of those that are read, this is how often each is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reads {
    /// All alike.
    All(u8),
    /// By the parts of a tuple.
    Parts(Vec<Reads>),
}

impl Reads {
    /// Not at all.
    pub const NONE: Reads = Reads::All(0);
    /// Once.
    pub const ONCE: Reads = Reads::All(1);
    /// Again and again.
    pub const OFTEN: Reads = Reads::All(REPEATED);

    /// Whether some scalar is read more than once.
    pub fn is_often(&self) -> bool {
        self.most() >= MANY
    }

    /// Whether some scalar is read again and again.
    pub fn is_repeated(&self) -> bool {
        self.most() >= REPEATED
    }

    fn most(&self) -> u8 {
        match self {
            Reads::All(n) => *n,
            Reads::Parts(parts) => parts.iter().map(Reads::most).max().unwrap_or(0),
        }
    }

    /// Those of a part.
    pub fn part(&self, i: usize) -> Reads {
        match self {
            Reads::All(n) => Reads::All(*n),
            Reads::Parts(parts) => parts.get(i).cloned().unwrap_or(Reads::NONE),
        }
    }

    /// Of a tuple with so many parts, only this one.
    pub fn only(self, i: usize, arity: usize) -> Reads {
        let mut parts = vec![Reads::NONE; arity];
        if let Some(part) = parts.get_mut(i) {
            *part = self;
        }
        Reads::Parts(parts)
    }

    fn map(&self, f: &dyn Fn(u8) -> u8) -> Reads {
        match self {
            Reads::All(n) => Reads::All(f(*n)),
            Reads::Parts(parts) => Reads::Parts(parts.iter().map(|part| part.map(f)).collect()),
        }
    }

    fn with(&self, other: &Reads, f: &dyn Fn(u8, u8) -> u8) -> Reads {
        match (self, other) {
            (Reads::All(n), Reads::All(m)) => Reads::All(f(*n, *m)),
            (Reads::Parts(parts), other) | (other, Reads::Parts(parts)) => {
                let parts = parts.iter().enumerate();
                Reads::Parts(parts.map(|(i, part)| part.with(&other.part(i), f)).collect())
            }
        }
    }

    /// First this, then that.
    fn plus(&self, other: &Reads) -> Reads {
        self.with(other, &|n, m| if n.max(m) == REPEATED { REPEATED } else { (n + m).min(MANY) })
    }

    /// This or that.
    fn or(&self, other: &Reads) -> Reads {
        self.with(other, &|n, m| n.max(m))
    }

    /// This, again and again.
    pub fn repeated(&self) -> Reads {
        self.map(&|n| if n > 0 { REPEATED } else { 0 })
    }

    /// What the parameter of a function takes, of this type. An application reads each of its scalars once, which has a name from then on: all
    /// together read it at most as often as the result is read, `result`. Where the result is an array, work-items may share out its elements: what
    /// all of them read is computed by each.
    fn named(&self, ty: &Type, result: u8, is_shared_out: bool) -> Reads {
        match ty {
            Type::Scalar(_) => self.map(&|n| if is_shared_out && n == REPEATED { n } else { n.min(result) }),
            Type::Array(..) => self.clone(),
            Type::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                Reads::Parts(parts.map(|(i, part)| self.part(i).named(part, result, is_shared_out)).collect())
            }
        }
    }
}

/// What is read of a variable in `body`, of which `reads` is read.
pub fn of_param(body: &Expr, param: &Param, reads: &Reads, facts: &Facts) -> Reads {
    let mut env = Env::from([(param.id, Reads::NONE)]);
    walk(body, reads, &mut env, facts);
    env.remove(&param.id).unwrap_or(Reads::NONE)
}

/// What is read of argument `i` of a primitive, which is no function, if `reads` is read of the result.
pub fn of_argument(prim: Prim, args: &[Arg], i: usize, reads: &Reads, facts: &Facts) -> Reads {
    let of_function = |f: &Lambda| {
        let param = f.params.last()?;
        let inside = inside(prim, reads);
        let own = of_param(&f.body, param, &inside, facts);
        Some(own.named(&param.ty, inside.most(), shares_out(prim, f)))
    };
    let element = args.iter().filter_map(Arg::fun).filter_map(of_function).reduce(|a, b| a.or(&b));
    given(prim, args, i, reads, element.as_ref(), facts)
}

/// What is read of the result of a primitive's function.
pub fn inside(prim: Prim, reads: &Reads) -> Reads {
    if prim.is_map() { reads.clone() } else { Reads::ONCE }
}

/// The same as [`of_argument`], when it is known what its function reads of an element.
fn given(prim: Prim, args: &[Arg], i: usize, reads: &Reads, element: Option<&Reads>, facts: &Facts) -> Reads {
    let is_last = i + 1 == args.len();
    match (prim, args) {
        (Prim::Zip, _) => reads.part(i),
        (Prim::Slide | Prim::SlideSeq, [Arg::Size(size), Arg::Size(step), _])
            if !facts.le(size, step).is_yes() =>
        {
            reads.repeated()
        }
        (Prim::Gather, _) if is_last => reads.repeated(),
        // All of them are there before one is read.
        (Prim::ReduceByKey(_), _)
            if matches!(args[i].expr().map(Expr::ty), Some(Type::Array(..))) && !is_last =>
        {
            Reads::ONCE
        }
        // Whoever reads them reads what was stored.
        (Prim::Store(Memory::Temporary | Memory::Local | Memory::Private), _) => reads.map(&|n| n.min(1)),
        _ => match (element, is_last) {
            (Some(element), true) => element.clone(),
            // A start, a number of rounds.
            (Some(_), false) => Reads::All(reads.most()),
            (None, _) => match args[i].expr() {
                Some(x) if matches!(x.ty(), Type::Scalar(_)) => Reads::All(reads.most().min(1)),
                _ => reads.clone(),
            },
        },
    }
}

/// The variables of interest, and what has been read of them so far.
type Env = BTreeMap<u32, Reads>;

fn walk(e: &Expr, reads: &Reads, env: &mut Env, facts: &Facts) {
    if *reads == Reads::NONE || env.is_empty() {
        return;
    }
    match e.kind() {
        Kind::Param(param) => {
            if let Some(known) = env.get_mut(&param.id) {
                *known = known.plus(reads);
            }
        }
        Kind::Literal(_) | Kind::Size(_) => {}
        Kind::Field(x, i) => walk(x, &reads.clone().only(*i, x.ty().arity()), env, facts),
        Kind::Tuple(parts) => {
            parts.iter().enumerate().for_each(|(i, x)| walk(x, &reads.part(i), env, facts));
        }
        Kind::ArrayLiteral(xs) => xs.iter().for_each(|x| walk(x, reads, env, facts)),
        Kind::Unary(..) | Kind::Binary(..) | Kind::Math(..) | Kind::Cast(..) => {
            e.children().into_iter().for_each(|x| walk(x, reads, env, facts));
        }
        Kind::If(c, a, b) => {
            walk(c, &Reads::ONCE, env, facts);
            let (mut then, mut otherwise) = (fresh(env), fresh(env));
            walk(a, reads, &mut then, facts);
            walk(b, reads, &mut otherwise, facts);
            for (id, known) in env {
                let [a, b] = [&then, &otherwise].map(|arm| arm.get(id).cloned().unwrap_or(Reads::NONE));
                *known = known.plus(&a.or(&b));
            }
        }
        Kind::Let(param, value, body) => {
            env.insert(param.id, Reads::NONE);
            walk(body, reads, env, facts);
            let own = env.remove(&param.id).unwrap_or(Reads::NONE);
            walk(value, &own, env, facts);
        }
        Kind::Prim(prim, args) => {
            let mut element: Option<Reads> = None;
            for f in args.iter().filter_map(Arg::fun) {
                let own = function(*prim, f, reads, env, facts);
                element = match (element, own) {
                    (Some(others), Some(own)) => Some(others.or(&own)),
                    (others, own) => own.or(others),
                };
            }
            for (i, arg) in args.iter().enumerate() {
                let Some(x) = arg.expr().filter(|_| arg.fun().is_none()) else { continue };
                walk(x, &given(*prim, args, i, reads, element.as_ref(), facts), env, facts);
            }
        }
    }
}

/// Walks through a function that is applied again and again; what each application reads of its last parameter.
fn function(prim: Prim, f: &Lambda, reads: &Reads, env: &mut Env, facts: &Facts) -> Option<Reads> {
    let mut own = fresh(env);
    own.extend(f.params.iter().map(|param| (param.id, Reads::NONE)));
    let inside = inside(prim, reads);
    walk(&f.body, &inside, &mut own, facts);
    let last = f.params.last();
    let element =
        last.and_then(|param| Some(own.get(&param.id)?.named(&param.ty, inside.most(), shares_out(prim, f))));
    for (id, known) in env {
        *known = known.plus(&own.get(id).unwrap_or(&Reads::NONE).repeated());
    }
    element
}

/// Whether work-items may share out what a function gives.
fn shares_out(prim: Prim, f: &Lambda) -> bool {
    prim.is_map() && matches!(f.body.ty(), Type::Array(..))
}

fn fresh(env: &Env) -> Env {
    env.keys().map(|id| (*id, Reads::NONE)).collect()
}

#[cfg(test)]
mod tests {
    use super::{Reads, of_param};
    use crate::ir::Kind;

    /// What is read of `f`'s only parameter, called `xs`.
    fn of(text: &str) -> Reads {
        let text =
            format!("#[kernel] fn K<N>(given: [f32; N]) -> [f32; N] {{ let xs = given.map(sqrt); {text} }}");
        let kernels = crate::pipeline::compile(text.parse().expect("tokens")).kernels;
        let kernel = &kernels.first().expect("a kernel").kernel;
        let Kind::Let(param, _, body) = kernel.body.kind() else { panic!("{}", kernel.body) };
        of_param(body, param, &Reads::ONCE, &kernel.facts)
    }

    #[test]
    fn what_lies_beside_windows_is_not_a_launch_of_its_own() {
        let text = "
            fn inside(i: usize, n: usize) -> i32 { (if i > 0 { 1 } else { 0 }) + (if i + 1 < n { 1 } else { 0 }) }
            #[kernel] fn Sound<N, M>(before: [[f32; M]; N], now: [[f32; M]; N]) -> [[f32; M]; N] {
                let neighbours = array2d(N, M, |i, j| inside(i, N) + inside(j, M));
                zip2d(before, now.pad2d(1, 1, constant(0.0)).slide2d(3, 1), neighbours)
                    .map2d(|b, w, n| if n < 4 { 0.5 * b } else { w[0][1] + w[1][0] - b * n as f32 })
            }";
        let kernels = crate::pipeline::compile(text.parse().expect("tokens")).kernels;
        let version = &kernels.first().expect("a kernel").versions[0];
        assert_eq!(version.generated.schedule.operations.len(), 1, "{}", version.generated.source);
    }

    #[test]
    fn windows_of_a_function_of_elements_read_the_elements_again() {
        let all = of("xs.map(|x| x * x).pad(1, 1, clamp).slide(3, 1).map(|w| w[0] + w[2])");
        assert_eq!(all, Reads::OFTEN);
        assert_eq!(of("xs.map(|x| x * x * x)"), Reads::ONCE);
    }

    #[test]
    fn what_windows_read_part_by_part_is_a_launch_of_its_own() {
        let text = "
            fn mean<H, W>(x: [[f32; W]; H]) -> [[f32; W]; H] {
                x.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w.join().reduce(add, 0.0) / 9.0)
            }
            #[kernel] fn Guided<H, W>(x: [[f32; W]; H]) -> [[f32; W]; H] {
                let both = zip2d(x, mean(x)).map2d(|v, m| { let a = v / (m + 1.0); (a, m - a * v) });
                zip2d(mean(both.map2d(|(a, _)| a)), mean(both.map2d(|(_, b)| b))).map2d(mul)
            }";
        let kernels = crate::pipeline::compile(text.parse().expect("tokens")).kernels;
        for version in &kernels.first().expect("a kernel").versions {
            assert_eq!(version.generated.schedule.operations.len(), 2, "{}", version.generated.source);
        }
    }

    #[test]
    fn windows_read_again_what_lies_beside_them_does_not() {
        assert_eq!(of("xs.map(|x| x * x)"), Reads::ONCE);
        assert_eq!(of("xs.pad(1, 1, clamp).slide(3, 1).map(|w| w[0] + w[2])"), Reads::OFTEN);
        assert!(!of("zip(xs, xs).map(|x, y| x * y)").is_repeated());
        assert_eq!(
            of("zip(xs, given.pad(1, 1, clamp).slide(3, 1)).map(|x, w| x.max(w[0] * w[2]))"),
            Reads::ONCE
        );
        assert_eq!(
            of("zip(given, xs.pad(1, 1, clamp).slide(3, 1)).map(|x, w| x.max(w[0] * w[2]))"),
            Reads::OFTEN
        );
        assert_eq!(of("zip(xs, given).map(|x, y| if x > y { x } else { x * y })"), Reads::ONCE);
        assert_eq!(of("given.map(|y| y + xs.reduce(max, f32::NEG_INFINITY))"), Reads::OFTEN);
        assert!(of("zip(xs, xs).map(|x, y| x * y)").is_often());
    }
}
