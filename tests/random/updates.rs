//! Random programs whose one map has several results, each stored in a layout of its own, in the place of a parameter
//! or for itself.
//!
//! What a work-item reads may be what it replaces, what others replace, or neither.

use super::choices::Choices;
use super::generate::{Generator, Scope, Variable};
use super::types::{Len, Scalar, Ty};

/// What a part of an element is: a scalar, or so many.
#[derive(Clone, Copy)]
struct Part {
    scalar: Scalar,
    count: Option<Len>,
    layout: Layout,
}

/// How the parts of all elements lie.
#[derive(Clone, Copy)]
enum Layout {
    Plain,
    Transposed,
    Joined,
}

impl Part {
    fn ty(self) -> Ty {
        let scalar = Ty::Scalar(self.scalar);
        self.count.map_or(scalar.clone(), |n| Ty::array(scalar, n))
    }

    /// The type of the array.
    fn array(self) -> Ty {
        let n = Len::new(1, 0, 0);
        match (self.layout, self.count) {
            (Layout::Transposed, Some(c)) => Ty::array(Ty::array(Ty::Scalar(self.scalar), n), c),
            (Layout::Joined, Some(c)) => Ty::array(Ty::Scalar(self.scalar), Len::new(c.constant, 0, 0)),
            (Layout::Plain | Layout::Transposed | Layout::Joined, _) => Ty::array(self.ty(), n),
        }
    }

    /// The array by elements.
    fn read(self, name: &str) -> String {
        match (self.layout, self.count) {
            (Layout::Transposed, Some(_)) => format!("{name}.transpose()"),
            (Layout::Joined, Some(c)) => format!("{name}.split({c})"),
            (Layout::Plain | Layout::Transposed | Layout::Joined, _) => name.to_string(),
        }
    }

    /// The elements as they lie.
    fn written(self, name: &str) -> String {
        match (self.layout, self.count) {
            (Layout::Transposed, Some(_)) => format!("{name}.transpose()"),
            (Layout::Joined, Some(_)) => format!("{name}.join()"),
            (Layout::Plain | Layout::Transposed | Layout::Joined, _) => name.to_string(),
        }
    }
}

/// A kernel over `N` elements. The numbers decide everything.
pub fn program(numbers: &[u16]) -> String {
    let mut make = Generator { choices: Choices::new(numbers), names: 0 };
    let shape = make.choices.of(&["", " #[work_group(4)]", " #[work_group(64)]"]);
    let count = 2 + make.choices.below(3);
    let parts: Vec<Part> = (0..count).map(|_| part(&mut make)).collect();
    let updated: Vec<bool> = parts.iter().map(|_| !make.choices.once_in(3)).collect();
    let params: Vec<String> = (parts.iter().zip(&updated).enumerate())
        .map(|(i, (part, updated))| format!("p{i}: {}{}", if *updated { "&mut " } else { "" }, part.array()))
        .collect();
    // What is read: mostly the element that is replaced.
    let mut views = Vec::new();
    let mut scope: Scope = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let other = if make.choices.once_in(6) { ".reverse()" } else { "" };
        views.push(format!("{}{other}", part.read(&format!("p{i}"))));
        scope.push(Variable { name: format!("e{i}"), ty: part.ty(), below: None });
    }
    let names: Vec<String> = (0..count).map(|i| format!("e{i}")).collect();
    let (mut keep, scope) = kept(&mut make, scope);
    let mut values: Vec<String> = Vec::new();
    while let Some(part) = parts.get(values.len()) {
        match parts.get(values.len() + 1) {
            Some(next) if next.count == part.count && part.count.is_some() && make.choices.once_in(2) => {
                values.extend(pair(&mut make, &scope, [*part, *next], &mut keep));
            }
            Some(_) | None => values.push(value(&mut make, &scope, *part)),
        }
    }
    let results: Vec<String> = (0..count).map(|i| format!("r{i}")).collect();
    let mut text = format!(
        "let ({}) = zip({}).map_global(0, |({})| {{ {keep}({}) }}).unzip();\n",
        results.join(", "),
        views.join(", "),
        names.join(", "),
        values.join(", "),
    );
    let (mut own, mut types) = (Vec::new(), Vec::new());
    for ((i, part), updated) in parts.iter().enumerate().zip(&updated) {
        let stored = part.written(&format!("r{i}"));
        if *updated {
            text.push_str(&format!("write_to(p{i}, {stored});\n"));
        } else {
            own.push(stored);
            types.push(part.array().to_string());
        }
    }
    let (result, ty) = match own.as_slice() {
        [] => (String::new(), String::new()),
        [one] => (one.clone(), format!(" -> {}", types[0])),
        several => (format!("({})", several.join(", ")), format!(" -> ({})", types.join(", "))),
    };
    format!("#[kernel]{shape} fn Random<N, M>(_y: [u8; M], {}){ty} {{\n{text}{result}\n}}", params.join(", "))
}

fn part(make: &mut Generator<'_>) -> Part {
    let scalar = make.choices.of(&[Scalar::I32, Scalar::F32, Scalar::U8]);
    let counts = [
        None,
        Some(Len::constant(2)),
        Some(Len::constant(3)),
        Some(Len::constant(1)),
        Some(Len::new(1, 1, 0)),
    ];
    let count = make.choices.of(&counts);
    let layouts = [Layout::Plain, Layout::Transposed, Layout::Joined];
    // Whole rows of unknown length one after the other have a product of sizes for their length.
    let layout = make.choices.of(if count.is_none_or(is_number) { &layouts } else { &layouts[..2] });
    Part { scalar, count, layout }
}

fn is_number(count: Len) -> bool {
    count.factor == 0
}

/// Whether its elements can be counted in the text.
fn is_short(ty: &Ty) -> bool {
    matches!(ty, Ty::Array(_, len) if is_number(*len))
}

/// Arrays kept in registers, perhaps, and a name for a scalar.
fn kept(make: &mut Generator<'_>, scope: Scope) -> (String, Scope) {
    let mut text = String::new();
    let mut all = scope.clone();
    for x in &scope {
        if is_short(&x.ty) && make.choices.once_in(3) {
            let name = make.name();
            text.push_str(&format!("let {name} = to_private({}); ", x.name));
            all.push(Variable { name, ..x.clone() });
        }
    }
    if make.choices.once_in(3) {
        let (name, scalar) = (make.name(), make.choices.of(&[Scalar::I32, Scalar::F32]));
        let value = make.scalar(&all, scalar, 2);
        text.push_str(&format!("let {name} = {value}; "));
        all.push(Variable { name, ty: Ty::Scalar(scalar), below: None });
    }
    (text, all)
}

/// The new value of a part.
fn value(make: &mut Generator<'_>, scope: &Scope, part: Part) -> String {
    let Some(count) = part.count else { return make.scalar(scope, part.scalar, 2) };
    if is_number(count) && make.choices.once_in(5) {
        let elements: Vec<String> = (0..count.constant).map(|_| make.scalar(scope, part.scalar, 1)).collect();
        return format!("[{}]", elements.join(", "));
    }
    let source = like(make, scope, part);
    let name = make.name();
    let mut inner = scope.clone();
    inner.push(Variable { name: name.clone(), ty: Ty::Scalar(part.scalar), below: None });
    let map = map(make, count);
    format!("{source}.{map}(|{name}| {})", make.scalar(&inner, part.scalar, 2))
}

/// The new values of two parts from one map over both, which `keep` gets.
fn pair(make: &mut Generator<'_>, scope: &Scope, parts: [Part; 2], keep: &mut String) -> [String; 2] {
    let sources = parts.map(|part| like(make, scope, part));
    let names = parts.map(|_| make.name());
    let mut inner = scope.clone();
    for (name, part) in names.iter().zip(parts) {
        inner.push(Variable { name: name.clone(), ty: Ty::Scalar(part.scalar), below: None });
    }
    let map = map(make, parts[0].count.expect("both have one"));
    let values = parts.map(|part| make.scalar(&inner, part.scalar, 2));
    let results = parts.map(|_| make.name());
    keep.push_str(&format!(
        "let ({}) = zip({}).{map}(|({})| ({})).unzip(); ",
        results.join(", "),
        sources.join(", "),
        names.join(", "),
        values.join(", "),
    ));
    results
}

/// A row of the type of a part.
fn like(make: &mut Generator<'_>, scope: &Scope, part: Part) -> String {
    let rows: Vec<&Variable> = scope.iter().filter(|x| x.ty == part.ty()).collect();
    make.choices.of(&rows).name.clone()
}

/// A map over a row. A loop stores each element before it reads the next.
fn map(make: &mut Generator<'_>, count: Len) -> &'static str {
    let all = ["map_seq_unroll", "map_seq_unroll", "map", "map_seq"];
    make.choices.of(if is_number(count) { &all } else { &all[2..] })
}
