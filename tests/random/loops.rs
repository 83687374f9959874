//! What random placed programs do beside maps: copies in registers and local memory, loops, branches, vectors, tiles.

use super::generate::{Scope, Variable};
use super::placed::{At, Placer};
use super::types::{Len, Scalar, Ty};

impl Placer<'_> {
    /// A copy in registers.
    pub fn kept(
        &mut self,
        at: &At,
        scope: &Scope,
        x: &Variable,
        room: usize,
        fuel: usize,
    ) -> Option<(String, Ty)> {
        let (value, ty) = match self.make.choices.below(3) {
            0 => (x.name.clone(), x.ty.clone()),
            _ => self.stored(&at.alone(), scope, x, room, fuel.min(2)),
        };
        Placer::fits_registers(&ty)
            .then(|| self.read(at, scope, format!("to_private({value})"), ty, room, fuel))
    }

    /// A copy in local memory.
    pub fn shared(
        &mut self,
        at: &At,
        scope: &Scope,
        x: &Variable,
        room: usize,
        fuel: usize,
    ) -> Option<(String, Ty)> {
        if !at.has_local() {
            return None;
        }
        let (value, ty) = match self.make.choices.below(5) {
            0 => (x.name.clone(), x.ty.clone()),
            _ => self.stored(&at.shared(), scope, x, room, fuel.min(4)),
        };
        let local = self.stored_locally(&value, &ty);
        (ty.scalars(&[5, 7]) <= 2000).then(|| self.read(at, scope, local, ty, room, fuel))
    }

    /// What is stored in local memory, perhaps with room beside it.
    fn stored_locally(&mut self, value: &str, ty: &Ty) -> String {
        let room = match ty.rank() {
            0 => "",
            1 => self.make.choices.of(&["", "", ".increase(2, 3)", ".increase(0, 1)"]),
            _ => self.make.choices.of(&["", "", ".increase(1, 0)", ".increase2d(1, 0, 2, 3)"]),
        };
        format!("to_local({value}){room}")
    }

    /// All elements, one after the other.
    pub fn reduced(
        &mut self,
        at: &At,
        scope: &Scope,
        x: &Variable,
        room: usize,
        fuel: usize,
    ) -> Option<(String, Ty)> {
        let Ty::Array(element, len) = &x.ty else { return None };
        match &**element {
            Ty::Scalar(scalar) => {
                let text = self.reduction(&x.name, *scalar, *len);
                Some((text, Ty::Scalar(*scalar)))
            }
            // Row by row, before anything is stored.
            Ty::Array(inner, m) => {
                let Ty::Scalar(scalar) = **inner else { return None };
                let name = self.make.name();
                let body = self.reduction(&name, scalar, *m);
                let rows = format!("{}.map(|{name}| {body})", x.name);
                Some(self.bound(at, scope, rows, Ty::array(Ty::Scalar(scalar), *len), room, fuel))
            }
            Ty::Tuple(_) => None,
        }
    }

    fn reduction(&mut self, xs: &str, scalar: Scalar, len: Len) -> String {
        let loops: &[&str] = if len.factor == 0 && len.constant <= 12 {
            &["reduce_seq", "reduce_seq_unroll", "reduce"]
        } else {
            &["reduce_seq", "reduce"]
        };
        let reduce = self.make.choices.of(loops);
        match scalar {
            Scalar::F32 => format!("{xs}.{reduce}(add, 0.0)"),
            Scalar::I32 => format!("{xs}.{reduce}({}, 0)", self.make.choices.of(&["add", "max"]))
                .replace("max, 0", "max, i32::MIN"),
            Scalar::U8 => format!("{xs}.{reduce}(max, 0)"),
            Scalar::Usize => format!("{xs}.{reduce}(add, 0)"),
            Scalar::Bool => format!("{xs}.{reduce}(|a, b| a || b, false)"),
        }
    }

    /// One of two, as a parameter or data decides.
    pub fn branch(
        &mut self,
        at: &At,
        scope: &Scope,
        x: &Variable,
        room: usize,
        fuel: usize,
    ) -> Option<(String, Ty)> {
        let uniform = self.make.choices.once_in(2);
        let (condition, at) = if uniform {
            (self.make.choices.of(&["_k > 3", "N > 2", "_k % 2 == 0 && M > 1"]).to_string(), at.clone())
        } else {
            (self.make.scalar(&vec![x.clone()], Scalar::Bool, 2), at.apart())
        };
        let (a, ty) = self.stored(&at, scope, x, room, fuel);
        let b = (0..4).find_map(|_| {
            let (b, other) = self.stored(&at, scope, x, room, fuel.min(2));
            (other == ty).then_some(b)
        });
        let b = b.or_else(|| (ty == x.ty).then(|| x.name.clone()));
        Some((b.map_or_else(|| a.clone(), |b| format!("if {condition} {{ {a} }} else {{ {b} }}")), ty))
    }

    /// Partial results.
    pub fn scanned(&mut self, x: &Variable) -> Option<(String, Ty)> {
        let Ty::Array(element, _) = &x.ty else { return None };
        let (f, z) = match &**element {
            Ty::Scalar(Scalar::I32) => self.make.choices.of(&[("add", "0"), ("|a, b| a * 3 - b", "7")]),
            Ty::Scalar(Scalar::F32) => self.make.choices.of(&[("add", "0.0"), ("|a, b| a * 0.5 + b", "1.0")]),
            Ty::Scalar(Scalar::U8) => ("add", "0"),
            Ty::Scalar(Scalar::Usize | Scalar::Bool) | Ty::Array(..) | Ty::Tuple(_) => return None,
        };
        Some((format!("{}.scan_seq({f}, {z})", x.name), x.ty.clone()))
    }

    /// A window in registers that moves along, perhaps over what was computed from windows.
    pub fn marching(
        &mut self,
        at: &At,
        scope: &Scope,
        x: &Variable,
        room: usize,
        fuel: usize,
    ) -> Option<(String, Ty)> {
        let Ty::Array(element, len) = &x.ty else { return None };
        if len.least() < 1 {
            return None;
        }
        let mut levels = Vec::new();
        let mut steps = 1;
        for _ in 0..self.make.choices.of(&[1, 1, 2, 3]) {
            let step = self.make.choices.of(&[1, 1, 1, 2, 3]);
            // A shorter window needs fewer elements than there are.
            let size = step.max(2) + self.make.choices.below(4) as i64;
            if len.is_multiple_if_sizes_are(self.unit(), steps * step) {
                steps *= step;
                levels.push((size, step));
            }
        }
        let (last, before) = levels.split_last()?;
        let missing = levels.iter().rev().fold(0, |missing, (size, step)| missing * step + size - step);
        let b = self.make.boundary(element, *len);
        let left = self.make.choices.below(missing as usize + 1) as i64;
        let mut text = format!("{}.pad({left}, {}, {b})", x.name, missing - left);
        let mut element = Ty::clone(element);
        let mut ring = false;
        if at.has_local() && self.make.choices.once_in(2) {
            let y = Variable { name: self.make.name(), ty: element, below: None };
            let (body, result) = self.ring(at, scope, &y, room, fuel)?;
            text = format!("{text}.map_seq(|{}| {body})", y.name);
            (element, ring) = (result, true);
        }
        for (size, step) in before {
            let y = self.window(element, *size, room, ring)?;
            ring = at.has_local() && self.make.choices.once_in(2);
            let (body, result) = if ring {
                self.ring(at, scope, &y, room, fuel)?
            } else {
                self.value(&[scope.as_slice(), std::slice::from_ref(&y)].concat(), &y)
            };
            text = format!("{text}.slide_seq({size}, {step}).map_seq(|{}| {body})", y.name);
            element = result;
        }
        let len = len.divided_by(steps);
        let kind = self.make.choices.of(&["map_seq", "map_seq", "map_seq_unroll"]);
        let kind = if len.factor == 0 && len.constant <= 8 { kind } else { "map_seq" };
        let (size, step) = last;
        let y = self.window(element, *size, room, ring)?;
        let inner = [scope.as_slice(), std::slice::from_ref(&y)].concat();
        let (body, result) = if y.ty.rank() < room && (ring || self.make.choices.once_in(3)) {
            let at = if ring { at.shared() } else { at.alone() };
            self.stored(&at, &inner, &y, room - 1, fuel.min(2))
        } else {
            self.value(&inner, &y)
        };
        Some((
            format!("{text}.slide_seq({size}, {step}).{kind}(|{}| {body})", y.name),
            Ty::array(result, len),
        ))
    }

    /// An element of a stream that all items of a group store together.
    fn ring(
        &mut self,
        at: &At,
        scope: &Scope,
        x: &Variable,
        room: usize,
        fuel: usize,
    ) -> Option<(String, Ty)> {
        let inner = [scope.as_slice(), std::slice::from_ref(x)].concat();
        let (value, ty) = self.stored(&at.shared(), &inner, x, room.checked_sub(1)?, fuel.min(2));
        (ty.scalars(&[5, 7]) <= 200).then(|| (self.stored_locally(&value, &ty), ty))
    }

    /// A window of so many elements, if it fits: in a ring in local memory, or in registers.
    fn window(&mut self, element: Ty, size: i64, room: usize, ring: bool) -> Option<Variable> {
        let ty = Ty::array(element, Len::constant(size));
        let fits = (ring || Placer::fits_registers(&ty)) && ty.rank() <= room;
        fits.then(|| Variable { name: self.make.name(), ty, below: None })
    }

    /// Several elements at once.
    pub fn lanes(&mut self, at: &At, x: &Variable) -> Option<(String, Ty)> {
        let Ty::Array(element, len) = &x.ty else { return None };
        let width = self.make.choices.of(&[4, 2, 8, 3, 16]);
        if !matches!(**element, Ty::Scalar(_)) || !len.is_multiple_if_sizes_are(self.unit(), width) {
            return None;
        }
        let name = self.make.name();
        let y = Variable { name: name.clone(), ty: (**element).clone(), below: None };
        let (body, result) = self.value(&Vec::new(), &y);
        let text = match self.make.choices.below(3) {
            0 => format!("{}.vectorize({width}, |{name}| {body})", x.name),
            1 => {
                let (place, _) = self.place(at, len.divided_by(width));
                format!("{}.split({width}).{place}map_vec(|{name}| {body})).join()", x.name)
            }
            _ => {
                let (place, _) = self.place(at, len.divided_by(width));
                format!("{}.as_vector({width}).{place}map_seq_unroll(|{name}| {body})).as_scalar()", x.name)
            }
        };
        Some((text, Ty::array(result, *len)))
    }

    /// Blocks and their borders, also where the length is no multiple of the block.
    pub fn tiles(&mut self, at: &At, scope: &Scope, x: &Variable) -> Option<(String, Ty)> {
        let Ty::Array(row, n) = &x.ty else { return None };
        // Windows of a tile are greater than the borders of nothing.
        if n.least() < 1 || matches!(&**row, Ty::Array(_, m) if m.least() < 1) {
            return None;
        }
        let b = self.make.boundary(row, *n);
        let r = 1 + self.make.choices.below(2) as i64;
        match &**row {
            Ty::Scalar(_) => {
                let k = self.make.choices.of(&[4, 2, 3]);
                let (place, inside) = self.place(at, blocks(*n, k));
                let (body, result) =
                    self.tile(&inside, scope, &Ty::array((**row).clone(), Len::constant(k + 2 * r)), r);
                let text = format!(
                    "{}.pad({r}, {r} + ({n} + {up}) / {k} * {k} - ({n}), {b}).slide({}, {k}).{place}{body}).join().take({n})",
                    x.name,
                    k + 2 * r,
                    up = k - 1,
                );
                Some((text, Ty::array(result, *n)))
            }
            Ty::Array(cell, m) if matches!(**cell, Ty::Scalar(_)) => {
                let (p, q) = (self.make.choices.of(&[2, 1, 3]), self.make.choices.of(&[4, 2, 3]));
                let (rows, inner) = self.place(at, blocks(*n, p));
                let (columns, inside) = self.place(&inner, blocks(*m, q));
                let tile = Ty::array(
                    Ty::array((**cell).clone(), Len::constant(q + 2 * r)),
                    Len::constant(p + 2 * r),
                );
                let (body, result) = self.tile(&inside, scope, &tile, r);
                let text = format!(
                    "{}.pad2d({r}, {r} + ({n} + {}) / {p} * {p} - ({n}), {r}, {r} + ({m} + {}) / {q} * {q} - ({m}), {b}, {b})
                    .slide2d({}, {p}, {}, {q}).{rows}{columns}{body})).join2d().take({n}).map(take({m}))",
                    x.name, p - 1, q - 1, p + 2 * r, q + 2 * r,
                );
                Some((text, Ty::array(Ty::array(result, *m), *n)))
            }
            Ty::Array(..) | Ty::Tuple(_) => None,
        }
    }

    /// A function of a tile with a border of `r`: all its windows, from registers, local memory or as they are.
    fn tile(&mut self, at: &At, scope: &Scope, ty: &Ty, r: i64) -> (String, Ty) {
        let (name, w) = (self.make.name(), self.make.name());
        let window = (0..ty.rank()).fold(ty.leaf().clone(), |ty, _| Ty::array(ty, Len::constant(2 * r + 1)));
        let y = Variable { name: w.clone(), ty: window, below: None };
        let (body, result) = self.value(scope, &y);
        let kept = match self.make.choices.below(3) {
            0 if Placer::fits_registers(ty) => format!("to_private({name})"),
            1 if at.has_local() => {
                let copy = self.make.choices.of(&["", ".map_seq(id)", "LOCAL"]);
                let copy = match (copy, at.free_local()) {
                    ("LOCAL", Some(d)) => format!(".map_local({d}, id)"),
                    ("LOCAL", None) => String::new(),
                    (copy, _) => copy.to_string(),
                };
                self.stored_locally(&format!("{name}{copy}"), ty)
            }
            _ => name.clone(),
        };
        let Ty::Array(row, len) = ty else { return (format!("|{name}| {name}"), ty.clone()) };
        let (outer, inside) = self.place(at, len.plus(-2 * r));
        let text = match &**row {
            Ty::Array(_, columns) => {
                let (inner, _) = self.place(&inside, columns.plus(-2 * r));
                format!("|{name}| {kept}.slide2d({}, 1).{outer}{inner}|{w}| {body}))", 2 * r + 1)
            }
            Ty::Scalar(_) | Ty::Tuple(_) => {
                format!("|{name}| {kept}.slide({}, 1).{outer}|{w}| {body})", 2 * r + 1)
            }
        };
        (text, result)
    }

    /// The same again.
    pub fn rounds(
        &mut self,
        at: &At,
        scope: &Scope,
        x: &Variable,
        room: usize,
        fuel: usize,
    ) -> Option<(String, Ty)> {
        let name = self.make.name();
        let y = Variable { name: name.clone(), ty: x.ty.clone(), below: None };
        let mut inner = scope.clone();
        inner.push(y.clone());
        let (body, ty) = self.copied(at, &inner, &y, room, fuel.min(3))?;
        let times = self.make.choices.of(&["2", "1", "3", "(_k & 3) as usize"]);
        // Only what is small goes through rounds of any number, and only the host counts those of whole arrays.
        let small = Placer::fits_registers(&x.ty) && x.ty.scalars(&[8, 8]) <= 256;
        let times = if small && at.is_inside() { times } else { "3" };
        // What ends early ends for each work-item by itself.
        let is_early = small && at.is_inside() && !at.has_local() && self.make.choices.once_in(2);
        (ty == x.ty).then(|| {
            let rounds = if is_early {
                let done = self.make.scalar(&vec![y], Scalar::Bool, 2);
                format!("iterate_until({times}, |{name}| {done}, |{name}| {body}, {})", x.name)
            } else {
                format!("iterate({times}, |{name}| {body}, {})", x.name)
            };
            self.bound(at, scope, rounds, ty, room, fuel)
        })
    }

    /// A copy of what is computed, wherever there is room.
    fn copied(
        &mut self,
        at: &At,
        scope: &Scope,
        x: &Variable,
        room: usize,
        fuel: usize,
    ) -> Option<(String, Ty)> {
        if at.has_local() {
            let (text, ty) = self.stored(&at.shared(), scope, x, room, fuel);
            return Some((self.stored_locally(&text, &ty), ty));
        }
        let (text, ty) = self.stored(&at.alone(), scope, x, room, fuel);
        Placer::fits_registers(&ty).then(|| (format!("to_private({text})"), ty))
    }

    /// A reduction whose result is an array, in registers.
    pub fn accumulated(
        &mut self,
        at: &At,
        scope: &Scope,
        x: &Variable,
        room: usize,
        fuel: usize,
    ) -> Option<(String, Ty)> {
        let Ty::Array(row, _) = &x.ty else { return None };
        let (acc, y, a, b) = (self.make.name(), self.make.name(), self.make.name(), self.make.name());
        let (scalar, len) = match &**row {
            Ty::Scalar(scalar) => (*scalar, Len::constant(1 + self.make.choices.below(4) as i64)),
            Ty::Array(cell, len) => match **cell {
                Ty::Scalar(scalar) => (scalar, *len),
                Ty::Array(..) | Ty::Tuple(_) => return None,
            },
            Ty::Tuple(_) => return None,
        };
        let zero = self.make.literal(scalar);
        let each = match scalar {
            Scalar::F32 => format!("{a} * 0.5 + {b}"),
            Scalar::I32 => format!("{a} * 3 - {b}"),
            Scalar::U8 | Scalar::Usize => format!("max({a}, {b})"),
            Scalar::Bool => format!("{a} != {b}"),
        };
        let ty = Ty::array(Ty::Scalar(scalar), len);
        if !Placer::fits_registers(&ty) {
            return None;
        }
        let order = self.make.choices.of(&["", ".reverse()"]);
        // Each work-item keeps all of it, or the elements that it goes on with.
        if self.make.choices.once_in(2) || !order.is_empty() {
            let body = match &**row {
                Ty::Array(..) => format!("zip({acc}{order}, {y}).map_seq_unroll(|({a}, {b})| {each})"),
                Ty::Scalar(_) | Ty::Tuple(_) => {
                    format!("{acc}{order}.map_seq(|{a}| {{ let {b} = {y}; {each} }})")
                }
            };
            let sums = format!("{}.reduce_seq(|{acc}, {y}| {body}, repeat({len}, {zero}))", x.name);
            return Some(self.read(at, scope, sums, ty, room, fuel));
        }
        let (place, _) = self.place(at, len);
        let body = match &**row {
            Ty::Array(..) => format!("zip({acc}, {y}).{place}|({a}, {b})| {each})"),
            Ty::Scalar(_) | Ty::Tuple(_) => format!("{acc}.{place}|{a}| {{ let {b} = {y}; {each} }})"),
        };
        let sums = format!("{}.reduce_seq(|{acc}, {y}| {body}, repeat({len}, {zero}))", x.name);
        let each = Variable { name: a.clone(), ty: Ty::Scalar(scalar), below: None };
        let (value, result) = self.value(scope, &each);
        Some((format!("{sums}.{place}|{a}| {value})"), Ty::array(result, len)))
    }
}

/// A name for the number of blocks of `k` that cover `n` elements.
fn blocks(n: Len, k: i64) -> Len {
    Len { divisor: n.divisor * 1000 + k, ..n }
}
