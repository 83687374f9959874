//! Random programs: well-typed by construction, over all primitives, any rank, symbolic and constant lengths.

use super::choices::Choices;
use super::scalars::last;
use super::types::{Len, Scalar, Ty};

/// The values of `N` and `M` with which programs run. Where one is 1, arrays of one element less are empty.
pub const EXTENTS: [[i64; 2]; 5] = [[1, 1], [2, 3], [5, 7], [1, 4], [3, 1]];

/// No array has more scalars than this.
pub const LARGEST: i64 = 6_000;

/// No array has more dimensions than this.
pub const DEEPEST: usize = 4;

/// Boundaries that repeat elements.
const BOUNDARIES: [&str; 5] = ["clamp", "mirror", "reflect", "wrap", "|i, n| if i < 0 { n - 1 } else { 0 }"];

/// A variable of the program.
#[derive(Debug, Clone)]
pub struct Variable {
    pub name: String,
    pub ty: Ty,
    /// For an index, the length of the arrays it is an index of.
    pub below: Option<Len>,
}

/// The variables that may be used, innermost last.
pub type Scope = Vec<Variable>;

/// Makes one program.
pub struct Generator<'a> {
    pub choices: Choices<'a>,
    pub names: usize,
}

/// The text of a kernel. The numbers decide everything.
pub fn program(numbers: &[u16]) -> String {
    let mut generator = Generator { choices: Choices::new(numbers), names: 0 };
    generator.kernel()
}

/// The structs that a program needs.
pub fn structs(program: &str) -> &'static str {
    if program.contains("Held") { "struct Held { values: [i32; 3], last: (i32, bool) }\n" } else { "" }
}

impl Generator<'_> {
    /// A new name.
    pub fn name(&mut self) -> String {
        self.names += 1;
        format!("v{}", self.names)
    }

    fn kernel(&mut self) -> String {
        let mut scope = self.inputs();
        let params: Vec<String> = scope.iter().map(|v| format!("{}: {}", v.name, v.ty)).collect();
        let mut body = String::new();
        for _ in 0..=self.choices.below(3) {
            let (value, ty) = self.array(&scope, 3);
            let name = self.name();
            body.push_str(&format!("let {name} = {value};\n"));
            scope.push(Variable { name, ty, below: None });
        }
        let Some(last) = scope.last().cloned() else { return String::new() };
        let (result, ty) = match (self.choices.below(6), &last.ty) {
            (5, _) => {
                let other = scope[self.choices.below(scope.len())].clone();
                let ty = Ty::Tuple(vec![last.ty.clone(), other.ty.clone()]);
                (format!("({}, {})", last.name, other.name), ty)
            }
            (4, Ty::Array(element, _)) if matches!(**element, Ty::Scalar(_)) => {
                let Ty::Scalar(scalar) = **element else { return String::new() };
                (self.reduction(&last.name, scalar), Ty::Scalar(scalar))
            }
            _ => (last.name.clone(), last.ty.clone()),
        };
        format!(
            "{}#[kernel] fn Random<N, M>({}) -> {ty} {{\n{body}{result}\n}}",
            structs(&body),
            params.join(", ")
        )
    }

    /// Every size variable occurs in the type of an input.
    fn inputs(&mut self) -> Scope {
        let scalar = self.choices.of(&Scalar::OF_ARRAYS);
        let (n, m) = (Len::new(1, 0, 0), Len::new(1, 1, 0));
        let of = |dims: &[Len]| dims.iter().rev().fold(Ty::Scalar(scalar), |ty, len| Ty::array(ty, *len));
        let less = |len: Len| len.plus(-1);
        let (x, y) = match self.choices.below(7) {
            5 => (of(&[less(n)]), of(&[m, less(n)])),
            6 => (of(&[n, less(m)]), of(&[n])),
            0 => (of(&[n]), of(&[m])),
            1 => (of(&[Len::new(12, 0, 0)]), of(&[m])),
            2 => (of(&[n, m]), of(&[n, m])),
            3 => (of(&[n, Len::new(6, 1, 0)]), of(&[Len::constant(4)])),
            _ => (of(&[n, m, Len::constant(3)]), of(&[n, m])),
        };
        let variable = |name: &str, ty: Ty| Variable { name: name.to_string(), ty, below: None };
        vec![variable("_k", Ty::Scalar(Scalar::I32)), variable("_y", y), variable("_x", x)]
    }

    /// An array: one in scope after so many steps at most.
    pub fn array(&mut self, scope: &Scope, depth: usize) -> (String, Ty) {
        let arrays: Vec<&Variable> = scope.iter().rev().filter(|v| v.ty.rank() > 0).collect();
        let Some(variable) = arrays.get(self.choices.below(arrays.len())) else {
            let element = self.literal(Scalar::I32);
            return (
                format!("array(3, |_| {element})"),
                Ty::array(Ty::Scalar(Scalar::I32), Len::constant(3)),
            );
        };
        let (mut text, mut ty) = (variable.name.clone(), variable.ty.clone());
        for _ in 0..depth {
            if self.choices.is_empty() {
                break;
            }
            if let Some((next, next_ty)) = self.step(scope, &text, &ty)
                && next_ty.rank() <= DEEPEST
                && EXTENTS.iter().all(|sizes| next_ty.scalars(sizes) <= LARGEST)
            {
                (text, ty) = (next, next_ty);
            }
        }
        (text, ty)
    }

    /// One step, if it fits the array.
    pub fn step(&mut self, scope: &Scope, xs: &str, ty: &Ty) -> Option<(String, Ty)> {
        let Ty::Array(element, len) = ty else { return None };
        let (element, len) = (&**element, *len);
        match self.choices.below(21) {
            0 | 1 => self.map(scope, xs, element, len),
            2 | 3 => self.stencil(scope, xs, element, len),
            4 => {
                let (l, r) = (self.choices.below(4) as i64, self.choices.below(4) as i64);
                let b = self.boundary(element, len);
                Some((format!("{xs}.pad({l}, {r}, {b})"), Ty::array(element.clone(), len.plus(l + r))))
            }
            5 => {
                let m = self.choices.of(&[2, 3, 4, 1, 6]);
                len.is_multiple_of(m).then(|| {
                    let piece = Ty::array(element.clone(), Len::constant(m));
                    (format!("{xs}.split({m})"), Ty::array(piece, len.divided_by(m)))
                })
            }
            6 => {
                let Ty::Array(inner, m) = element else { return None };
                let len = len.product(*m)?;
                Some((format!("{xs}.join()"), Ty::array((**inner).clone(), len)))
            }
            7 => {
                let Ty::Array(inner, m) = element else { return None };
                Some((format!("{xs}.transpose()"), Ty::array(Ty::array((**inner).clone(), len), *m)))
            }
            8 => self.windows(xs, element, len),
            9 => {
                let k = self.choices.of(&[1, 2, 0]);
                (len.least() >= k).then(|| match self.choices.below(3) {
                    0 => (format!("{xs}.drop({k})"), Ty::array(element.clone(), len.plus(-k))),
                    1 => (format!("{xs}.take({})", len.plus(-k)), Ty::array(element.clone(), len.plus(-k))),
                    _ => (format!("{xs}.crop({k}, 0)"), Ty::array(element.clone(), len.plus(-k))),
                })
            }
            10 => self.zip(scope, xs, element, len),
            11 => self.generated(scope, xs, element, len),
            12 => {
                let c = self.scalar(scope, Scalar::Bool, 2);
                let other = self.same_type(xs, element, len)?;
                Some((format!("if {c} {{ {xs} }} else {{ {other} }}"), Ty::array(element.clone(), len)))
            }
            13 => {
                let other = self.same_type(xs, element, len)?;
                Some((format!("concat({xs}, {other})"), Ty::array(element.clone(), len.sum(len)?)))
            }
            14 => Some((format!("{xs}.reverse()"), Ty::array(element.clone(), len))),
            15 => {
                let (k, i) = (1 + self.choices.below(5) as i64, self.name());
                let index = match self.choices.below(3) {
                    0 => format!("({i} * 3 + 1) % ({len})"),
                    1 if len.least() > 0 => format!("min({i}, {})", last(len)),
                    _ => format!("({i} + {k}) % ({len})"),
                };
                let few = if len.least() > 0 { Len::constant(k) } else { len };
                let wanted = self.choices.of(&[few, len]);
                let idx = format!("array({wanted}, |{i}| {index})");
                Some((format!("gather({idx}, {xs})"), Ty::array(element.clone(), wanted)))
            }
            16 => match element {
                Ty::Scalar(Scalar::I32) => {
                    if self.choices.once_in(3) {
                        let scan = self.choices.of(&["scan_with", "scan_right_with"]);
                        let f = self.choices.of(&[
                            "((v, n + 1), s.wrapping_sub(v) * n as i32)",
                            "((s * 3 - v, n), s + n as i32)",
                        ]);
                        return Some((
                            format!("{xs}.{scan}(|(s, n), v| {f}, (1, 2u8))"),
                            Ty::array(element.clone(), len),
                        ));
                    }
                    let (f, z) = self.choices.of(&[("add", "0"), ("max", "i32::MIN"), ("mul", "1")]);
                    let scan = self.choices.of(&["scan", "scan_right"]);
                    Some((format!("{xs}.{scan}({f}, {z})"), Ty::array(element.clone(), len)))
                }
                _ => None,
            },
            17 => {
                let s = self.choices.of(&[2, 3]);
                len.is_multiple_of(s).then(|| (format!("{xs}.stride({s})"), Ty::array(element.clone(), len)))
            }
            18 => {
                let Ty::Tuple(parts) = element else { return None };
                let field = self.choices.below(parts.len());
                Some((format!("{xs}.unzip().{field}"), Ty::array(parts[field].clone(), len)))
            }
            19 => self.by_key(xs, element, len),
            _ => {
                let name = self.name();
                let inner =
                    vec![Variable { name: name.clone(), ty: Ty::array(element.clone(), len), below: None }];
                let (body, ty) = self.array(&inner, 1);
                let times = self.choices.below(3);
                if ty != Ty::array(element.clone(), len) {
                    return None;
                }
                // Inside of functions, a work-item keeps the state.
                let is_small = ty.scalars(&[1, 1]) == ty.scalars(&[9, 11]) && ty.scalars(&[1, 1]) <= 64;
                let text = if is_small && self.choices.once_in(2) {
                    let done = self.scalar(&inner, Scalar::Bool, 2);
                    format!("iterate_until({times}, |{name}| {done}, |{name}| {body}, {xs})")
                } else {
                    format!("iterate({times}, |{name}| {body}, {xs})")
                };
                Some((text, ty))
            }
        }
    }

    /// Integers by keys that are computed from their indices, or from themselves.
    fn by_key(&mut self, xs: &str, element: &Ty, len: Len) -> Option<(String, Ty)> {
        let Ty::Scalar(Scalar::I32) = element else { return None };
        let (f, z) = self.choices.of(&[
            ("add", "0"),
            ("max", "i32::MIN"),
            ("mul", "1"),
            ("min", "i32::MAX"),
            ("|a, b| a ^ b", "0"),
        ]);
        let name = self.name();
        let few = Len::constant(self.choices.of(&[3, 1, 7]));
        let (bins, keys) = match self.choices.below(4) {
            0 => (few, format!("{xs}.map(|{name}| {name}.rem_euclid({few}))")),
            1 => (few, format!("array({len}, |_| {})", last(few))),
            2 if len.least() > 0 => (len, format!("array({len}, |{name}| ({name} * 3 + 1) % ({len}))")),
            _ => (few, format!("array({len}, |{name}| {name} % ({few}))")),
        };
        let value = if self.choices.once_in(4) {
            format!("{keys}.histogram({bins}).map(|{name}| {name} as i32)")
        } else {
            format!("reduce_by_key({bins}, {f}, {z}, {keys}, {xs})")
        };
        Some((value, Ty::array(element.clone(), bins)))
    }

    fn map(&mut self, scope: &Scope, xs: &str, element: &Ty, len: Len) -> Option<(String, Ty)> {
        if *element == Ty::Scalar(Scalar::I32) && self.choices.once_in(8) {
            return Some((self.held(xs), Ty::array(element.clone(), len)));
        }
        let name = self.name();
        let (body, result) = self.function(scope, &name, element);
        Some((format!("{xs}.map(|{name}| {body})"), Ty::array(result, len)))
    }

    /// Integers in structs with arrays, and out of them again.
    fn held(&mut self, xs: &str) -> String {
        let (v, h) = (self.name(), self.name());
        let [a, b] = [0, 1].map(|_| self.literal(Scalar::I32));
        let c = self.literal(Scalar::Bool);
        let made = |v: &str| format!("Held {{ values: [{v}, {a}, {v} * {b}], last: ({v}, {c}) }}");
        let moved = match self.choices.below(4) {
            0 => ".reverse()".to_string(),
            1 => format!(
                ".pad(1, 1, constant({})).slide(3, 1).map(|w| if w[0].last.1 {{ w[2] }} else {{ w[1] }})",
                made("3")
            ),
            2 => format!(".pad(2, 0, constant({})).crop(1, 1)", made("1")),
            _ => String::new(),
        };
        let back = match self.choices.below(3) {
            0 => format!("{h}.values.reduce(add, 0) - {h}.last.0"),
            1 => format!("if {h}.last.1 {{ {h}.values[1] }} else {{ {h}.values.reverse()[0] }}"),
            _ => format!("{h}.values.fold(|s, x| 2 * s + x, {h}.last.0)"),
        };
        format!("{xs}.map(|{v}| {}){moved}.map(|{h}| {back})", made(&v))
    }

    /// The body of a function of one variable.
    fn function(&mut self, scope: &Scope, name: &str, ty: &Ty) -> (String, Ty) {
        let mut inner = scope.clone();
        inner.push(Variable { name: name.to_string(), ty: ty.clone(), below: None });
        match ty {
            Ty::Array(element, _) => match (self.choices.below(3), &**element) {
                (0, Ty::Scalar(scalar)) => (self.reduction(name, *scalar), (**element).clone()),
                (1, _) => self.array(&inner, 2),
                _ => {
                    let scalar = self.choices.of(&Scalar::OF_ARRAYS);
                    (self.scalar(&inner, scalar, 2), Ty::Scalar(scalar))
                }
            },
            Ty::Scalar(_) | Ty::Tuple(_) => {
                let scalar = self.choices.of(&Scalar::OF_ARRAYS);
                let one = self.scalar(&inner, scalar, 3);
                if self.choices.once_in(4) {
                    let other = self.choices.of(&Scalar::OF_ARRAYS);
                    let two = self.scalar(&inner, other, 2);
                    (format!("({one}, {two})"), Ty::Tuple(vec![Ty::Scalar(scalar), Ty::Scalar(other)]))
                } else {
                    (one, Ty::Scalar(scalar))
                }
            }
        }
    }

    fn stencil(&mut self, scope: &Scope, xs: &str, element: &Ty, len: Len) -> Option<(String, Ty)> {
        // A window does not fit into its own border.
        if len.least() < 1 {
            return None;
        }
        let (l, r) = (1 + self.choices.below(3) as i64, self.choices.below(3) as i64);
        let (size, b, name) = (l + r + 1, self.boundary(element, len), self.name());
        let window = Ty::array(element.clone(), Len::constant(size));
        let (body, result) = self.function(scope, &name, &window);
        Some((
            format!("{xs}.pad({l}, {r}, {b}).slide({size}, 1).map(|{name}| {body})"),
            Ty::array(result, len),
        ))
    }

    fn windows(&mut self, xs: &str, element: &Ty, len: Len) -> Option<(String, Ty)> {
        let size = self.choices.of(&[2, 3, 1]);
        let step = self.choices.of(&[1, 2, 3]);
        let rest = len.plus(-size);
        // That there are never any is a mistake.
        let may_be = rest.value(&[1 << 20; 2]) >= 0;
        if rest.least() < 0 && may_be && *element == Ty::Scalar(Scalar::I32) {
            return Some(self.few_windows(xs, size, len));
        }
        (rest.least() >= 0 && rest.is_multiple_of(step)).then(|| {
            let window = Ty::array(element.clone(), Len::constant(size));
            (format!("{xs}.slide({size}, {step})"), Ty::array(window, rest.divided_by(step).plus(1)))
        })
    }

    /// What windows have in common, of which there may be none.
    fn few_windows(&mut self, xs: &str, size: i64, len: Len) -> (String, Ty) {
        let (w, z) = (self.name(), self.literal(Scalar::I32));
        let windows = format!("{xs}.slide({size}, 1).map(|{w}| {w}[0] - 2 * {w}[{}])", size - 1);
        let reduced = match self.choices.below(3) {
            0 => format!("{windows}.reduce(max, {z})"),
            1 => format!("{windows}.pad(1, 0, constant({z})).reduce(add, 0)"),
            _ => format!("{windows}.fold(|s, v| 3 * s + v, {z})"),
        };
        (format!("repeat({len}, {reduced})"), Ty::array(Ty::Scalar(Scalar::I32), len))
    }

    /// A boundary of so many elements; of none, if there may be none.
    pub fn boundary(&mut self, element: &Ty, len: Len) -> String {
        let is_signed = matches!(element.leaf(), Ty::Scalar(Scalar::I32 | Scalar::F32));
        if is_signed && len.least() > 0 && self.choices.once_in(6) {
            return format!("negated({})", self.choices.of(&BOUNDARIES[..4]));
        }
        let from = if len.least() > 0 { 0 } else { BOUNDARIES.len() };
        match from + self.choices.below(BOUNDARIES.len() + 2 - from) {
            i if i < BOUNDARIES.len() => BOUNDARIES[i].to_string(),
            i if i == BOUNDARIES.len() => {
                let (before, after) = (self.constant(element.leaf()), self.constant(element.leaf()));
                format!("value(|i, n| if i < n {{ {before} }} else {{ {after} }})")
            }
            _ => format!("constant({})", self.constant(element.leaf())),
        }
    }

    fn constant(&mut self, leaf: &Ty) -> String {
        match leaf {
            Ty::Scalar(scalar) => self.literal(*scalar),
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|part| self.constant(part)).collect();
                format!("({})", parts.join(", "))
            }
            Ty::Array(element, _) => self.constant(element),
        }
    }

    /// The array in another order.
    fn same_type(&mut self, xs: &str, element: &Ty, len: Len) -> Option<String> {
        let name = self.name();
        Some(match self.choices.below(3) {
            0 => format!("{xs}.reverse()"),
            1 => {
                let b = self.boundary(element, len);
                format!("{xs}.pad(1, 0, {b}).take({len})")
            }
            _ => format!("array({len}, |{name}| {xs}[{name}])"),
        })
    }

    fn zip(&mut self, scope: &Scope, xs: &str, element: &Ty, len: Len) -> Option<(String, Ty)> {
        let mates: Vec<&Variable> =
            scope.iter().filter(|v| matches!(&v.ty, Ty::Array(_, n) if *n == len)).collect();
        let (other, ty) = match self.choices.below(mates.len() + 2) {
            0 => {
                let i = self.name();
                (format!("array({len}, |{i}| {i} as i32)"), Ty::Scalar(Scalar::I32))
            }
            1 => (self.same_type(xs, element, len)?, element.clone()),
            i => {
                let Ty::Array(element, _) = &mates[i - 2].ty else { return None };
                (mates[i - 2].name.clone(), (**element).clone())
            }
        };
        // Tuples of scalars only, so that boundaries and results stay simple.
        let scalars = matches!((element, &ty), (Ty::Scalar(_), Ty::Scalar(_)));
        if !scalars {
            return None;
        }
        let (zipped, parts) = match self.choices.below(6) {
            0 => (format!("zip({xs}, {other}, {xs})"), vec![element.clone(), ty, element.clone()]),
            _ => (format!("zip({xs}, {other})"), vec![element.clone(), ty]),
        };
        Some((zipped, Ty::array(Ty::Tuple(parts), len)))
    }

    fn generated(&mut self, scope: &Scope, xs: &str, element: &Ty, len: Len) -> Option<(String, Ty)> {
        let i = self.name();
        Some(match self.choices.below(4) {
            0 => (format!("array({len}, |{i}| {xs}[{} - {i}])", last(len)), Ty::array(element.clone(), len)),
            1 => {
                let mut inner = scope.clone();
                let ty = Ty::Scalar(Scalar::Usize);
                inner.push(Variable { name: i.clone(), ty, below: Some(len) });
                let scalar = self.choices.of(&Scalar::OF_ARRAYS);
                let body = self.scalar(&inner, scalar, 3);
                (format!("array({len}, |{i}| {body})"), Ty::array(Ty::Scalar(scalar), len))
            }
            2 => {
                let k = 1 + self.choices.below(4) as i64;
                let row = Ty::array(element.clone(), len);
                (format!("repeat({k}, {xs})"), Ty::array(row, Len::constant(k)))
            }
            _ => (
                format!("array({len}, |{i}| {xs}[({i} * 2 + 1) % ({len})])"),
                Ty::array(element.clone(), len),
            ),
        })
    }
}
