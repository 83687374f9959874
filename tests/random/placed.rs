//! Random programs that say themselves where everything is computed and kept: legal by construction.
//!
//! An array in scope is taken, and something that stores is done with it: a map with a place, a loop, a copy in
//! registers or in local memory that what follows reads in another order. `At` knows which places may follow.

use super::choices::Choices;
use super::generate::{Generator, LARGEST, Scope, Variable, structs};
use super::types::{Len, Scalar, Ty};

/// A program with the sizes that fit it.
pub struct Placed {
    pub text: String,
    pub sizes: Vec<[i64; 2]>,
}

/// The largest rank of a result.
const DEEPEST: usize = 4;

/// The most scalars in registers.
const MOST_PRIVATE: i64 = 64;

/// The shapes of work-groups; none for a kernel that does not say.
const SHAPES: [&[i64]; 9] = [&[], &[], &[4], &[3], &[7, 2], &[1], &[5, 1, 2], &[8, 3], &[64]];

/// The dimensions of work-items.
const DIMENSIONS: [usize; 3] = [0, 1, 2];

/// Which parallel maps may stand somewhere.
#[derive(Debug, Clone)]
pub struct At {
    level: Level,
    /// The dimensions that `map_global` or `map_workgroup` may use.
    outer: Vec<usize>,
    /// The dimensions that `map_local` may use.
    local: Vec<usize>,
    /// Whether this is inside `map_workgroup`.
    group: bool,
    /// Whether all work-items of a group come by.
    pub together: bool,
    /// Whether something around has a place.
    inside: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Level {
    Items,
    Groups,
    /// Everything is computed by one work-item.
    One,
}

impl At {
    /// Whether this is inside a function of a map that says who computes it.
    pub fn is_inside(&self) -> bool {
        self.inside
    }

    /// What one work-item computes here alone.
    pub fn alone(&self) -> At {
        At { level: Level::One, outer: Vec::new(), local: Vec::new(), together: false, ..self.clone() }
    }

    /// The same place, where data decides who comes by.
    pub fn apart(&self) -> At {
        At { together: false, ..self.clone() }
    }

    /// What is kept in local memory here.
    pub fn shared(&self) -> At {
        At { outer: Vec::new(), ..self.clone() }
    }

    /// A dimension for `map_local`.
    pub fn free_local(&self) -> Option<usize> {
        self.local.first().copied()
    }

    /// Whether local memory may be used.
    pub fn has_local(&self) -> bool {
        self.group && self.together
    }
}

/// Makes programs.
pub struct Placer<'a> {
    pub make: Generator<'a>,
    /// Sizes are multiples of this.
    unit: i64,
    /// The number of groups of this launch in each dimension.
    groups: Vec<(usize, Len)>,
}

/// A kernel. The numbers decide everything.
pub fn program(numbers: &[u16]) -> Placed {
    let make = Generator { choices: Choices::new(numbers), names: 0 };
    Placer { make, unit: 1, groups: Vec::new() }.kernel()
}

impl Placer<'_> {
    fn kernel(mut self) -> Placed {
        if self.make.choices.once_in(3) {
            self.unit = 4;
        }
        let shape = self.make.choices.of(&SHAPES);
        let mut scope = self.inputs();
        let params: Vec<String> = scope.iter().map(|v| format!("{}: {}", v.name, v.ty)).collect();
        let mut body = String::new();
        let stages = 1 + usize::from(self.make.choices.once_in(4));
        let (mut result, mut ty) = self.launch(&scope, shape);
        for _ in 1..stages {
            let name = self.make.name();
            body.push_str(&format!("let {name} = materialize({result});\n"));
            if ty.rank() > 0 {
                scope.push(Variable { name, ty, below: None });
            }
            (result, ty) = self.launch(&scope, shape);
        }
        if self.make.choices.once_in(6) {
            let (other, other_ty) = self.launch(&scope, shape);
            (result, ty) = (format!("({result}, {other})"), Ty::Tuple(vec![ty, other_ty]));
        }
        let mut attributes = String::from("#[kernel]");
        let sizes = match self.unit {
            1 => vec![[1, 1], [2, 3], [5, 7]],
            _ => {
                attributes.push_str(" #[size(N % 4 == 0, M % 4 == 0)]");
                vec![[4, 4], [8, 4], [4, 12]]
            }
        };
        if !shape.is_empty() {
            let extents: Vec<String> = shape.iter().map(i64::to_string).collect();
            attributes.push_str(&format!(" #[work_group({})]", extents.join(", ")));
        }
        let text =
            format!("{attributes}\nfn Random<N, M>({}) -> {ty} {{\n{body}{result}\n}}", params.join(", "));
        let text = structs(&text).to_string() + &text;
        Placed { text, sizes }
    }

    fn inputs(&mut self) -> Scope {
        let scalar = self.make.choices.of(&[Scalar::F32, Scalar::I32, Scalar::U8]);
        let (n, m, c) = (Len::new(1, 0, 0), Len::new(1, 1, 0), Len::constant);
        let of = |dims: &[Len]| dims.iter().rev().fold(Ty::Scalar(scalar), |ty, len| Ty::array(ty, *len));
        let (x, y) = match self.make.choices.below(7) {
            0 => (of(&[n]), of(&[m])),
            1 => (of(&[n, m]), of(&[n, m])),
            2 => (of(&[n, c(8)]), of(&[m])),
            3 => (of(&[Len::new(12, 0, 0)]), of(&[m])),
            4 => (of(&[n, c(4), m]), of(&[n, m])),
            5 => (of(&[c(3), c(4), n]), of(&[m, c(4)])),
            _ => (of(&[n, m, c(4)]), of(&[n, m])),
        };
        let variable = |name: &str, ty: Ty| Variable { name: name.to_string(), ty, below: None };
        vec![variable("_k", Ty::Scalar(Scalar::I32)), variable("_y", y), variable("_x", x)]
    }

    /// What one launch stores.
    fn launch(&mut self, scope: &Scope, shape: &[i64]) -> (String, Ty) {
        self.groups.clear();
        let level = self.make.choices.of(&[Level::Items, Level::Groups]);
        let ranks = if shape.is_empty() { 3 } else { shape.len() };
        let at = At {
            level,
            outer: DIMENSIONS.to_vec(),
            local: (0..ranks).collect(),
            group: false,
            together: true,
            inside: false,
        };
        let arrays: Vec<&Variable> = scope.iter().rev().filter(|v| v.ty.rank() > 0).collect();
        let x = arrays[self.make.choices.below(arrays.len())].clone();
        let (text, ty) = self.stored(&at, scope, &x, DEEPEST, 7);
        if ty.scalars(&[5, 7]) > LARGEST { self.mapped(&at, scope, &x, DEEPEST, 0) } else { (text, ty) }
    }

    /// An expression over `x` that is stored here. It has no more than so many dimensions.
    pub fn stored(&mut self, at: &At, scope: &Scope, x: &Variable, room: usize, fuel: usize) -> (String, Ty) {
        if x.ty.rank() == 0 {
            return self.scalar(at, scope, x, fuel);
        }
        let kind = if fuel == 0 { 0 } else { self.make.choices.below(20) };
        let fuel = fuel.saturating_sub(1);
        let found = match kind {
            0..4 => None,
            4 | 5 => self.viewed(at, scope, x, room, fuel),
            6 | 7 => self.reduced(at, scope, x, room, fuel),
            8 | 9 => self.kept(at, scope, x, room, fuel),
            10..13 => self.shared(at, scope, x, room, fuel),
            13 => self.branch(at, scope, x, room, fuel),
            14 if at.is_inside() => self.scanned(x),
            15 => self.marching(at, scope, x, room, fuel),
            16 => self.lanes(at, x),
            17 => self.tiles(at, scope, x),
            18 => self.rounds(at, scope, x, room, fuel),
            _ => self.accumulated(at, scope, x, room, fuel),
        };
        found.unwrap_or_else(|| self.mapped(at, scope, x, room, fuel))
    }

    /// A scalar, or several, from one that is given.
    fn scalar(&mut self, at: &At, scope: &Scope, x: &Variable, fuel: usize) -> (String, Ty) {
        if fuel > 0 && self.make.choices.once_in(8) {
            let own = self.make.name();
            let (value, ty) = self.value(scope, x);
            let keep = if at.has_local() && self.make.choices.once_in(2) { "to_local" } else { "to_private" };
            let y = Variable { name: own.clone(), ty, below: None };
            let (rest, ty) = self.value(scope, &y);
            return (format!("{{ let {own} = {keep}({value}); {rest} }}"), ty);
        }
        self.value(scope, x)
    }

    /// Scalar code, mostly over `x` alone.
    pub fn value(&mut self, scope: &Scope, x: &Variable) -> (String, Ty) {
        let mut near: Scope = vec![x.clone()];
        if self.make.choices.once_in(3) {
            near.extend(scope.iter().rev().cloned());
        }
        let scalar = match x.ty.leaf() {
            Ty::Scalar(scalar) => *scalar,
            Ty::Tuple(parts) => match self.make.choices.of(parts) {
                Ty::Scalar(scalar) => scalar,
                Ty::Array(..) | Ty::Tuple(_) => Scalar::I32,
            },
            Ty::Array(..) => Scalar::I32,
        };
        let one = self.make.scalar(&near, scalar, 2);
        if self.make.choices.once_in(6) {
            let other = self.make.choices.of(&[Scalar::I32, Scalar::F32, Scalar::U8]);
            let two = self.make.scalar(&near, other, 1);
            return (format!("({one}, {two})"), Ty::Tuple(vec![Ty::Scalar(scalar), Ty::Scalar(other)]));
        }
        (one, Ty::Scalar(scalar))
    }

    /// A map over so many elements that may stand here, and what may stand inside it.
    pub fn place(&mut self, at: &At, len: Len) -> (String, At) {
        let inside = at.clone();
        if !self.make.choices.once_in(4) {
            let outer = match at.level {
                Level::Items => &at.outer,
                // Work-items that go their own way do not meet other groups.
                Level::Groups if at.group && !at.together => &Vec::new(),
                Level::Groups => &at.outer,
                Level::One => &Vec::new(),
            };
            let mut kinds: Vec<(bool, usize)> = outer.iter().map(|d| (true, *d)).collect();
            if at.group {
                kinds.splice(0..0, at.local.iter().map(|d| (false, *d)));
            }
            if !kinds.is_empty() {
                let (outer, d) = self.make.choices.of(&kinds);
                if let Some(found) = self.parallel(at, outer, d, len) {
                    return found;
                }
            }
        }
        let unrolled = len.factor == 0 && len.constant <= 8;
        let kinds: &[&str] =
            if unrolled { &["map_seq", "map", "map_seq_unroll"] } else { &["map_seq", "map"] };
        (format!("{}(", self.make.choices.of(kinds)), inside)
    }

    /// What sizes are multiples of.
    pub fn unit(&self) -> i64 {
        self.unit
    }

    fn parallel(&mut self, at: &At, outer: bool, d: usize, len: Len) -> Option<(String, At)> {
        let mut inside = At { inside: true, ..at.clone() };
        if !outer {
            inside.local.retain(|other| *other != d);
            inside.outer.clear();
            inside.together = false;
            return Some((format!("map_local({d}, "), inside));
        }
        inside.outer.retain(|other| *other != d);
        if at.level == Level::Items {
            return Some((format!("map_global({d}, "), inside));
        }
        if self.groups.iter().any(|(other, n)| *other == d && *n != len) {
            return None;
        }
        self.groups.push((d, len));
        inside.group = true;
        Some((format!("map_workgroup({d}, "), inside))
    }

    /// A map with a place.
    fn mapped(&mut self, at: &At, scope: &Scope, x: &Variable, room: usize, fuel: usize) -> (String, Ty) {
        let Ty::Array(element, len) = &x.ty else { return self.value(scope, x) };
        let (place, inside) = self.place(at, *len);
        let name = self.make.name();
        let y = Variable { name: name.clone(), ty: (**element).clone(), below: None };
        let mut inner = scope.clone();
        inner.push(y.clone());
        let (body, result) = self.stored(&inside, &inner, &y, room.saturating_sub(1), fuel);
        self.arranged(format!("{}.{place}|{name}| {body})", x.name), Ty::array(result, *len), room)
    }

    /// What is stored, perhaps elsewhere.
    pub fn arranged(&mut self, text: String, ty: Ty, room: usize) -> (String, Ty) {
        let Ty::Array(element, len) = &ty else { return (text, ty) };
        match (self.make.choices.below(12), &**element) {
            (8, Ty::Array(inner, m)) => {
                let ty = Ty::array(Ty::array((**inner).clone(), *len), *m);
                (format!("{text}.transpose()"), ty)
            }
            (9, Ty::Array(inner, m)) if len.product(*m).is_some() => {
                let all = len.product(*m).unwrap_or(*len);
                (format!("{text}.join()"), Ty::array((**inner).clone(), all))
            }
            (10, _) if len.least() > 0 => {
                let rest = len.plus(-1);
                let kind = self.make.choices.of(&["drop(1)".to_string(), format!("take({rest})")]);
                (format!("{text}.{kind}"), Ty::array((**element).clone(), rest))
            }
            (11, _) if ty.rank() < room && len.is_multiple_of(4) => {
                let piece = Ty::array((**element).clone(), Len::constant(4));
                (format!("{text}.split(4)"), Ty::array(piece, len.divided_by(4)))
            }
            _ => (text, ty),
        }
    }

    /// The array in another order or cut into pieces.
    fn view(&mut self, scope: &Scope, x: &Variable, room: usize) -> (String, Ty) {
        let Ty::Array(element, len) = &x.ty else { return (x.name.clone(), x.ty.clone()) };
        let m = self.make.choices.of(&[4, 2]);
        let unit = self.unit;
        let (text, ty) = match self.make.choices.below(4) {
            0 if len.is_multiple_if_sizes_are(unit, m) => {
                let piece = Ty::array((**element).clone(), Len::constant(m));
                (format!("{}.split({m})", x.name), Ty::array(piece, len.divided_by(m)))
            }
            1 => (format!("{}.reverse()", x.name), x.ty.clone()),
            _ => match self.make.step(scope, &x.name, &x.ty) {
                Some(found) => found,
                None => (format!("{}.reverse()", x.name), x.ty.clone()),
            },
        };
        let fits = ty.rank() <= room && ty.rank() > 0 && ty.scalars(&[5, 7]) <= LARGEST;
        if fits { (text, ty) } else { (format!("{}.reverse()", x.name), x.ty.clone()) }
    }

    fn viewed(
        &mut self,
        at: &At,
        scope: &Scope,
        x: &Variable,
        room: usize,
        fuel: usize,
    ) -> Option<(String, Ty)> {
        let (view, ty) = self.view(scope, x, room);
        Some(self.bound(at, scope, view, ty, room, fuel))
    }

    /// A value with a name, and what follows.
    pub fn bound(
        &mut self,
        at: &At,
        scope: &Scope,
        value: String,
        ty: Ty,
        room: usize,
        fuel: usize,
    ) -> (String, Ty) {
        let name = self.make.name();
        let y = Variable { name: name.clone(), ty, below: None };
        let mut inner = scope.clone();
        inner.push(y.clone());
        let (rest, ty) = self.stored(at, &inner, &y, room, fuel);
        (format!("{{ let {name} = {value}; {rest} }}"), ty)
    }

    /// A copy, and mostly another order of it at once.
    pub fn read(
        &mut self,
        at: &At,
        scope: &Scope,
        value: String,
        ty: Ty,
        room: usize,
        fuel: usize,
    ) -> (String, Ty) {
        let name = self.make.name();
        let y = Variable { name: name.clone(), ty, below: None };
        let mut inner = scope.clone();
        inner.push(y.clone());
        let (rest, ty) = if y.ty.rank() > 0 && !self.make.choices.once_in(3) {
            let (view, ty) = self.view(&inner, &y, room);
            self.bound(at, &inner, view, ty, room, fuel)
        } else {
            self.stored(at, &inner, &y, room, fuel)
        };
        (format!("{{ let {name} = {value}; {rest} }}"), ty)
    }

    /// Whether a work-item can keep it.
    pub fn fits_registers(ty: &Ty) -> bool {
        ty.has_fixed_lengths() && ty.scalars(&[1, 1]) <= MOST_PRIVATE
    }
}
