//! Explanations of lengths: which dimension differs, which step made it so, and what to write instead.

use crate::arith::ArithExpr;
use crate::diag::Diagnostic;
use crate::ir::{Order, Prim, UnaryOp};
use crate::span::Span;
use crate::syntax::ast::Literal;
use crate::syntax::term::{Arg, Function, Term, TermKind};
use crate::text::list;
use crate::typecheck::error;
use crate::typecheck::infer::Inferer;
use crate::typecheck::later::Later;
use crate::typecheck::provenance::{Amounts, Provenance, Step};
use crate::typecheck::ty::Ty;

/// A window in a chain, with the padding before it.
struct Stencil<'a> {
    window: Step<'a>,
    /// Size of the window in each dimension; it moves by one element.
    sizes: Vec<i64>,
    pad: Option<(Step<'a>, Amounts)>,
}

impl Stencil<'_> {
    /// Whether what is missing of the lengths is what the windows take away and no padding adds.
    fn explains(&self, want: &[ArithExpr], have: &[ArithExpr]) -> bool {
        let padding = |i: usize| self.pad.as_ref().and_then(|(_, amounts)| amounts.get(i));
        let shortage = |i: usize| {
            let added = padding(i).map_or(0, |(before, after)| before + after);
            self.sizes.get(i).map_or(0, |size| size - 1 - added)
        };
        want.iter().zip(have).enumerate().all(|(i, (want, have))| {
            (want - have).as_const() == Some(i.checked_sub(self.window.depth).map_or(0, shortage))
        })
    }

    /// The padding that makes as many windows as there are elements.
    fn right_padding(&self) -> String {
        let amounts: Vec<(i64, i64)> = self.sizes.iter().map(|s| ((s - 1) / 2, s / 2)).collect();
        let name = ["pad", "pad2d", "pad3d"].get(amounts.len() - 1).copied().unwrap_or("pad");
        let text = |list: Vec<i64>| list.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        match amounts.as_slice() {
            [(before, after)] => format!("pad({before}, {after}, clamp)"),
            many if many.iter().all(|(before, after)| before == after) => {
                format!("{name}({}, clamp)", text(many.iter().map(|(before, _)| *before).collect()))
            }
            many => {
                let all = text(many.iter().flat_map(|(before, after)| [*before, *after]).collect());
                format!("{name}({all}{})", ", clamp".repeat(many.len()))
            }
        }
    }
}

impl<'a> Inferer<'a, '_> {
    /// The lengths of an array, outermost first.
    pub(super) fn lengths(&self, ty: &Ty) -> Vec<ArithExpr> {
        match self.solver.shallow(ty) {
            Ty::Array(element, len) => {
                let mut lengths = vec![self.solver.simplified(&len)];
                lengths.extend(self.lengths(&element));
                lengths
            }
            Ty::Scalar(_) | Ty::Tuple(_) | Ty::Struct(_) | Ty::Unknown(_) | Ty::Error => Vec::new(),
        }
    }

    /// What an array is an array of, in all dimensions.
    pub(super) fn leaf(&self, ty: &Ty) -> Ty {
        match self.solver.shallow(ty) {
            Ty::Array(element, _) => self.leaf(&element),
            other @ (Ty::Scalar(_) | Ty::Tuple(_) | Ty::Struct(_) | Ty::Unknown(_) | Ty::Error) => other,
        }
    }

    /// The last window in the chain that made a value of `rank` dimensions, and the padding before it.
    fn stencil(&self, term: &'a Term, rank: usize) -> Option<Stencil<'a>> {
        let steps = self.provenance.steps(self.program, term);
        let at = steps.iter().rposition(|s| s.depth < rank && s.windows(self.program).is_some())?;
        let window = steps[at].clone();
        let amounts = window.windows(self.program)?;
        if amounts.iter().any(|(size, step)| *step != 1 || *size < 1) {
            return None;
        }
        let sizes: Vec<i64> = amounts.into_iter().map(|(size, _)| size).collect();
        let pad = steps[..at].iter().rev().find_map(|s| Some((s.clone(), s.padding(self.program)?)));
        let pad = pad.filter(|(s, amounts)| s.depth == window.depth && amounts.len() == sizes.len());
        Some(Stencil { window, sizes, pad })
    }

    /// A function returns something else than it promises.
    pub(super) fn result_mismatch(&self, function: &'a Function, declared: &Ty, found: &Ty) -> Diagnostic {
        let (d, f) = (self.solver.show(declared), self.solver.show(found));
        let base = error::result_type(function.body.span, &function.name, &f, &d);
        self.mismatch(base, &function.body, (declared, found), Some(format!("promise {f}")))
    }

    /// Why an array has other lengths than wanted; `otherwise` is what else may be done about it.
    pub(super) fn mismatch(
        &self,
        base: Diagnostic,
        term: &'a Term,
        (declared, found): (&Ty, &Ty),
        otherwise: Option<String>,
    ) -> Diagnostic {
        let or = otherwise.as_ref().map(|text| format!("or {text}"));
        if let Some(help) = self.explain_parts(term, declared, found) {
            return base.help(help).help_if(or);
        }
        let (want, have) = (self.lengths(declared), self.lengths(found));
        if want.len() != have.len() || want.is_empty() {
            return self.explain_rank(base, term, &want, &have);
        }
        if self.solver.show(&self.leaf(declared)) != self.solver.show(&self.leaf(found)) {
            return base;
        }
        if let Some(stencil) = self.stencil(term, want.len()).filter(|stencil| stencil.explains(&want, &have))
        {
            return self.explain_stencil(base, &stencil).help_if(or);
        }
        if let [w, h] = want.as_slice()
            && [h, w] == [&have[0], &have[1]]
        {
            let undo = self.provenance.steps(self.program, term).iter().any(|s| s.name == "transpose");
            let help = if undo { "leave out `transpose()`" } else { "add `.transpose()`" };
            return base.note("rows and columns are exchanged").help(help).help_if(or);
        }
        let words = dimension_words(want.len());
        let differing: Vec<usize> = (0..want.len()).filter(|i| want[*i] != have[*i]).collect();
        let differ = match differing.as_slice() {
            [i] if want.len() > 1 => {
                let (w, h) = (self.solver.show_size(&want[*i]), self.solver.show_size(&have[*i]));
                Some(format!("the {} differ: {h} instead of {w}", words[(*i).min(2)]))
            }
            _ => None,
        };
        base.note_if(differ).note_if(self.last_change(term)).help_if(otherwise)
    }

    /// The last step that changed a length, and what came of it.
    fn last_change(&self, body: &'a Term) -> Option<String> {
        let steps = self.provenance.steps(self.program, body);
        let keeps = |name: &str| name.starts_with("map") || name == "id";
        let step = steps.iter().rfind(|s| s.depth == 0 && !keeps(&s.name))?;
        let ty = self.provenance.types.get(&std::ptr::from_ref(step.term))?;
        let shown = self.solver.show(ty);
        let text = self.provenance.step(self.program, step);
        (!shown.contains('_')).then(|| format!("after `{text}` it is {shown}"))
    }

    /// Another number of dimensions than promised.
    fn explain_rank(
        &self,
        base: Diagnostic,
        body: &'a Term,
        want: &[ArithExpr],
        have: &[ArithExpr],
    ) -> Diagnostic {
        let base = base.note_if(self.last_change(body));
        match (want.len(), have.len()) {
            (0, 1) => base.help("to combine all elements into one, use `reduce`: `.reduce(add, 0.0)`"),
            (1, 2) => base.help("to string the rows together, use `join`"),
            (want, have) if want + 1 == have => {
                let element =
                    |(window, row)| format!("`{row}` is a row; an element is `{window}[row][column]`");
                base.help_if(self.row_of_window(body).map(element))
            }
            _ => base,
        }
    }

    /// `w` and `w[4]`, where that is what the last map makes of each element.
    fn row_of_window(&self, body: &'a Term) -> Option<(String, String)> {
        let steps = self.provenance.steps(self.program, body);
        let step = steps.iter().rfind(|step| step.depth == 0)?;
        let Some(Arg::Function(closure)) = step.args.first() else { return None };
        let TermKind::Prim(Prim::At, args) = &closure.body.kind else { return None };
        let [_, Arg::Data(window)] = args.as_slice() else { return None };
        Some((self.text(window)?, self.text(&closure.body)?))
    }

    /// Notes which element is meant by an index such as `-1`.
    pub(super) fn note_end(&mut self, (array, ty): &(&'a Term, Ty), index: &Term) {
        let TermKind::Unary(UnaryOp::Neg, back) = &index.kind else { return };
        let TermKind::Literal(Literal::Int(back, _)) = back.kind else { return };
        let (Some(len), Ok(back)) = (self.lengths(ty).first().cloned(), i64::try_from(back)) else { return };
        let place = self.solver.show_size(&(len - ArithExpr::cst(back)));
        let text = self.text(array).unwrap_or_else(|| "…".into());
        for question in &mut self.later {
            if let Later::Unary(UnaryOp::Neg, _, span, meant) = question
                && span.is(index.span)
            {
                *meant = Some(format!("{text}[{place}]"));
            }
        }
    }

    /// What to do where tuples stand for arrays, or numbers of one type for another.
    fn explain_parts(&self, term: &'a Term, declared: &Ty, found: &Ty) -> Option<String> {
        match (self.solver.shallow(declared), self.solver.shallow(found)) {
            (Ty::Tuple(wanted), Ty::Array(element, _)) => Some(match self.solver.shallow(&element) {
                Ty::Tuple(parts) if parts.len() == wanted.len() => {
                    "append `.unzip()`, which makes an array of each part of the tuples".into()
                }
                _ if matches!(term.kind, TermKind::ArrayLiteral(_)) => {
                    "write parentheses: `(a, b)` is a tuple, `[a, b]` an array".into()
                }
                _ => format!("return a tuple of {} parts, `(a, …)`", wanted.len()),
            }),
            (Ty::Array(_, n), Ty::Tuple(parts)) => {
                let same = self.solver.simplified(&n).as_const() == i64::try_from(parts.len()).ok();
                same.then(|| "write brackets: `[a, b]` is an array, `(a, b)` a tuple".into())
            }
            _ => self.explain_conversion(term, declared, found),
        }
    }

    /// The same array, or number, of another number type.
    fn explain_conversion(&self, term: &'a Term, declared: &Ty, found: &Ty) -> Option<String> {
        let (want, have) = (self.lengths(declared), self.lengths(found));
        let (Ty::Scalar(wanted), Ty::Scalar(is)) =
            (self.solver.shallow(&self.leaf(declared)), self.solver.shallow(&self.leaf(found)))
        else {
            return None;
        };
        if want != have || wanted == is || !wanted.is_number() || !is.is_number() {
            return None;
        }
        let steps = self.provenance.steps(self.program, term);
        let last = steps.iter().rfind(|step| step.depth == 0);
        let narrow = is.is_integer() && is.bytes() < wanted.bytes();
        Some(match (last, want.len()) {
            (Some(step), _)
                if narrow && matches!(step.name.as_str(), "reduce" | "scan" | "fold" | "reduce2d") =>
            {
                let map = if step.name == "reduce2d" { "map2d" } else { "map" };
                format!(
                    "convert the elements before, `.{map}(|x| x as {wanted})` in front of `{}`: afterwards, what does \
                     not fit into {is} is lost",
                    self.provenance.step(self.program, step)
                )
            }
            (_, 0) => match self.text(term) {
                Some(text) => format!("convert it: `{text} as {wanted}`"),
                None => format!("convert it: `… as {wanted}`"),
            },
            (_, 1) => format!("convert the elements: append `.map(|x| x as {wanted})`"),
            (_, n) => format!("convert the elements: append `.map{n}d(|x| x as {wanted})`"),
        })
    }

    /// What to do where the elements that are reduced are arrays.
    pub(super) fn reduce_rows(
        &self,
        prim: Prim,
        start: &'a Term,
        args: &'a [Arg],
        element: &Ty,
    ) -> Option<String> {
        let [Arg::Function(f), _, Arg::Data(xs)] = args else { return None };
        if let Some(help) = self.rows_of_image(&[xs]) {
            return Some(help);
        }
        let rank = self.lengths(element).len();
        let (name, f) = (prim.name(), Provenance::function(self.program, f));
        let (z, xs) = (self.text(start)?, self.text(xs).unwrap_or_default());
        let rows = format!("for each row by itself, `{xs}.map({name}({f}, {z}))`");
        match (prim, rank) {
            (_, 0) => None,
            (Prim::Reduce(Order::Any), 1 | 2) => Some(format!(
                "for all elements of all rows, write `{xs}.{name}{}d({f}, {z})`; {rows}",
                rank + 1
            )),
            _ => Some(rows),
        }
    }

    /// Where terms are parts of windows that were made of the rows of an image: what makes windows of its elements.
    pub(super) fn rows_of_image(&self, terms: &[&'a Term]) -> Option<String> {
        terms.iter().find_map(|term| {
            let mut base = *term;
            loop {
                base = match &base.kind {
                    TermKind::Prim(Prim::At, args) => match args.as_slice() {
                        [_, Arg::Data(xs)] => xs,
                        _ => return None,
                    },
                    TermKind::Binary(_, a, _) => a,
                    _ => break,
                };
            }
            let TermKind::Local(id) = &base.kind else { return None };
            let source = self.provenance.elements.get(id)?;
            // An element is a window of rows, or a row.
            if self.lengths(&source.ty).len() < 2 {
                return None;
            }
            let steps = self.provenance.steps(self.program, source.array);
            let whole = |step: &&Step<'_>| step.depth == 0 && matches!(step.name.as_str(), "slide" | "pad");
            let whole: Vec<&Step<'_>> = steps.iter().filter(whole).collect();
            if whole.is_empty() {
                let array = self.text(source.array)?;
                let name = self.text(base)?;
                let plain = matches!(source.array.kind, TermKind::Local(_));
                return plain.then(|| {
                    format!("or, since `{name}` is a row of `{array}`, go through its elements with `map2d`")
                });
            }
            let here: Vec<String> =
                whole.iter().map(|step| self.provenance.step(self.program, step)).collect();
            let there: Vec<String> = here.iter().map(|text| text.replacen('(', "2d(", 1)).collect();
            let verb = if here.len() == 1 { "works" } else { "work" };
            Some(format!(
                "{} {verb} on whole rows; for windows of an image, write {}",
                list(&here, "and"),
                list(&there, "and")
            ))
        })
    }

    /// A window looks past the edges, or a boundary adds more than it takes away.
    fn explain_stencil(&self, base: Diagnostic, stencil: &Stencil<'a>) -> Diagnostic {
        let window = self.provenance.step(self.program, &stencil.window);
        let right = stencil.right_padding();
        let reach = match stencil.sizes.as_slice() {
            [first, rest @ ..] if first % 2 == 1 && rest.iter().all(|s| s == first) => {
                format!("`{window}` looks {} past every edge", elements((first - 1) / 2))
            }
            _ => format!("`{window}` makes fewer windows than there are elements"),
        };
        match &stencil.pad {
            None => base.note(format!("{reach}, and no boundary is given")).help(format!(
                "say what lies outside: insert `{right}` before `{window}` (also: `mirror`, `reflect`, \
                 `wrap`, `constant(0.0)`)"
            )),
            Some((pad, amounts)) => {
                let pad = self.provenance.step(self.program, pad);
                let adds = match amounts.as_slice() {
                    [(n, _), ..] if amounts.iter().all(|(before, after)| before == n && after == n) => {
                        format!("`{pad}` adds {n} on each side")
                    }
                    _ => format!("`{pad}` adds another number of elements"),
                };
                base.note(format!("{reach}, but {adds}"))
                    .help(format!("write `{}`", with_boundary(&right, &pad)))
            }
        }
    }

    /// Arrays of different lengths, to be paired element by element in `dims` dimensions.
    pub(super) fn zip_mismatch(
        &self,
        span: Span,
        callee: &str,
        dims: usize,
        (a, a_ty): (&'a Term, &Ty),
        (b, b_ty): (&'a Term, &Ty),
    ) -> Diagnostic {
        let (mut left, mut right) = (self.lengths(a_ty), self.lengths(b_ty));
        left.truncate(dims);
        right.truncate(dims);
        let (a_name, b_name) =
            (self.provenance.describe(self.program, a), self.provenance.describe(self.program, b));
        let differing: Vec<usize> =
            (0..left.len().min(right.len())).filter(|i| left[*i] != right[*i]).collect();
        let show = |n: &ArithExpr| self.solver.show_size(n);
        let word = |i: usize| if dims == 1 { "elements" } else { dimension_words(dims)[i] };
        let (a_size, b_size) = match differing.as_slice() {
            [i] => (format!("has {} {}", show(&left[*i]), word(*i)), format!("has {}", show(&right[*i]))),
            _ => (format!("is {}", extents(&left, &show)), format!("is {}", extents(&right, &show))),
        };
        let same = if dims == 1 { "length" } else { "size" };
        let message = format!(
            "`{callee}` pairs arrays of the same {same}, but {a_name} {a_size} and {b_name} {b_size}"
        );
        let d = Diagnostic::new("L0210", span, message);
        // The shorter one is the one with a window.
        for (short, short_lengths, other, other_lengths) in [(a, &left, b, &right), (b, &right, a, &left)] {
            let stencil = self.stencil(short, dims);
            if let Some(stencil) = stencil.filter(|stencil| stencil.explains(other_lengths, short_lengths)) {
                return self.explain_zip_stencil(d, &stencil, other, dims);
            }
        }
        self.explain_zip(d, (a, &a_name, &left), (b, &b_name, &right))
    }

    fn explain_zip_stencil(
        &self,
        d: Diagnostic,
        stencil: &Stencil<'a>,
        other: &'a Term,
        dims: usize,
    ) -> Diagnostic {
        let window = self.provenance.step(self.program, &stencil.window);
        let padding = stencil.right_padding();
        if let Some((pad, _)) = &stencil.pad {
            let pad = self.provenance.step(self.program, pad);
            let padding = with_boundary(&padding, &pad);
            return d
                .note(format!("`{window}` takes away another number of elements than `{pad}` adds"))
                .help(format!("write `{padding}`"));
        }
        let fewer: Vec<String> = stencil.sizes.iter().map(|s| (s - 1).to_string()).collect();
        let less = match fewer.as_slice() {
            [_] => elements(stencil.sizes[0] - 1),
            [rows, columns] if rows != columns => format!("{rows} rows and {columns} columns"),
            [one, ..] => format!("{one} elements in every dimension"),
            [] => "some elements".into(),
        };
        let d = d.note(format!("`{window}` made it shorter, by {less}"));
        let text = self.provenance.text(self.program, other);
        let crop = match (dims, stencil.sizes.as_slice(), text) {
            (1, [size], Some(text)) => {
                let (l, r) = ((size - 1) / 2, size / 2);
                Some(format!("cut the other: `{text}.crop({l}, {r})`"))
            }
            (2, [rows, columns], Some(text)) => {
                let crop = |size: i64| format!("crop({}, {})", (size - 1) / 2, size / 2);
                Some(format!("cut the other: `{text}.{}.map({})`", crop(*rows), crop(*columns)))
            }
            _ => None,
        };
        let crop = crop.map_or(String::new(), |crop| format!(", or {crop}"));
        d.help(format!("write `{padding}` before `{window}`{crop}"))
    }

    /// Where the rows of an array are paired, and its columns would fit.
    fn columns(&self, row: &'a Term, own: &[ArithExpr], wanted: &[ArithExpr]) -> Option<String> {
        let TermKind::Local(id) = &row.kind else { return None };
        let source = self.provenance.elements.get(id)?;
        let ([own], [wanted]) = (own, wanted) else { return None };
        let lengths = self.lengths(&source.ty);
        if lengths.len() < 2 || lengths[0] != *wanted || lengths[1] != *own {
            return None;
        }
        let (array, name) = (self.text(source.array)?, self.text(row)?);
        Some(format!(
            "`{name}` is a row of `{array}`; for its columns, write `{array}.transpose().map(|{name}| …)`"
        ))
    }

    fn explain_zip(
        &self,
        d: Diagnostic,
        (a, a_name, left): (&'a Term, &str, &[ArithExpr]),
        (b, b_name, right): (&'a Term, &str, &[ArithExpr]),
    ) -> Diagnostic {
        if let Some(help) = self.columns(a, left, right).or_else(|| self.columns(b, right, left)) {
            return d.help(help);
        }
        if let ([a0, a1], [b0, b1]) = (left, right)
            && (a0, a1) == (b1, b0)
        {
            return d.help(format!("exchange rows and columns of one: {}", method(b_name, "transpose()")));
        }
        let differing: Vec<usize> =
            (0..left.len().min(right.len())).filter(|i| left[*i] != right[*i]).collect();
        let [i] = differing.as_slice() else { return d };
        let (n, m) = (self.solver.show_size(&left[*i]), self.solver.show_size(&right[*i]));
        if error::is_name(&n) && error::is_name(&m) {
            let declared = |term: &Term| match &term.kind {
                TermKind::Local(id) if self.provenance.params.contains(id) => {
                    let ty = self.provenance.param_types.get(id)?;
                    Some(format!("{}: {}", self.provenance.names.get(id)?, self.solver.show(ty)))
                }
                _ => None,
            };
            return match (declared(a), declared(b)) {
                (Some(first), Some(second)) => {
                    d.note(format!("{n} is set by `{first}` and {m} by `{second}`")).help(format!(
                        "if they are always equal, give them one name: `{}`",
                        rename(&second, &m, &n)
                    ))
                }
                _ => d.help(format!("if they are always equal, give them one name: use `{n}` in both types")),
            };
        }
        let Some(k) = (&left[*i] - &right[*i]).as_const() else { return d };
        let (longer, shorter) = if k > 0 { (a_name, &m) } else { (b_name, &n) };
        match i {
            0 => d.help(format!(
                "take as many elements of the longer: {}",
                method(longer, &format!("take({shorter})"))
            )),
            _ => d,
        }
    }
}

/// `` `xs.take(3)` ``, or `…` for what has no short text.
fn method(name: &str, call: &str) -> String {
    match name.strip_prefix('`').and_then(|n| n.strip_suffix('`')) {
        Some(name) => format!("`{name}.{call}`"),
        None => format!("`.{call}`"),
    }
}

/// The declaration with another name for a size.
fn rename(declaration: &str, from: &str, to: &str) -> String {
    let mut text = String::new();
    let mut word = String::new();
    for c in declaration.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        text.push_str(if word == from { to } else { &word });
        word.clear();
        text.push(c);
    }
    text.trim_end().to_string()
}

/// The padding `right` with the boundary of the padding that is there.
fn with_boundary(right: &str, there: &str) -> String {
    match there.rsplit_once(", ").map(|(_, last)| last.trim_end_matches(')')) {
        Some(boundary @ ("clamp" | "mirror" | "reflect" | "wrap")) => right.replace("clamp", boundary),
        Some(_) | None => right.to_string(),
    }
}

/// What the dimensions of an array are called, outermost first.
fn dimension_words(rank: usize) -> [&'static str; 3] {
    match rank {
        1 => ["elements", "elements", "elements"],
        2 => ["rows", "columns", "columns"],
        _ => ["planes", "rows", "columns"],
    }
}

/// `H × (W - 2)`
fn extents(lengths: &[ArithExpr], show: &dyn Fn(&ArithExpr) -> String) -> String {
    let parts: Vec<String> = lengths
        .iter()
        .map(|n| {
            let text = show(n);
            if text.contains(' ') { format!("({text})") } else { text }
        })
        .collect();
    parts.join(" × ")
}

fn elements(n: i64) -> String {
    crate::text::count(usize::try_from(n).unwrap_or(0), "element")
}
