//! How what moves elements passes `map`, and other movements: a table.
//!
//! A row is an equation between two compositions of layers. A layer is a primitive that moves elements, or a function of the elements, below
//! so many maps. The left side is compared layer by layer, from the outermost on, and binds what the layers are given: sizes, a boundary, an
//! order, a function. The right side is put together from these. Nothing else is said about a rule anywhere, and tests take their programs
//! from the same table.

use lift_core::arith::{ArithExpr, Facts};
use lift_core::ir::{Arg, Boundary, Expr, Kind, Lambda, Prim};
use lift_core::rewrite::layout::as_map;
use lift_core::rewrite::rule::Rule;
use lift_core::rewrite::scope::occurrences;

/// An equation.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    equation: &'static str,
    /// What must hold, in words.
    when: &'static str,
    /// The layers, the outermost first.
    pub(crate) left: &'static [Layer],
    right: &'static [Layer],
    /// Whether it is known to hold.
    holds: fn(&Match) -> bool,
}

/// A primitive that moves elements, with its sizes, below so many maps; a function of the elements in the innermost, if there is none. Of
/// boundaries, only those that are elements.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Layer {
    pub(crate) below: usize,
    pub(crate) prim: Option<Prim>,
    pub(crate) sizes: &'static [Size],
}

/// A size of a layer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Size {
    /// One that is bound where it occurs first.
    Is(usize),
    /// One that follows from those that are bound.
    Of(fn(&Match) -> ArithExpr),
}

/// What the left side binds.
pub(crate) struct Match<'a> {
    sizes: [ArithExpr; 3],
    function: Option<Lambda>,
    boundary: Option<Boundary>,
    order: Option<Lambda>,
    /// The array below all layers.
    array: &'a Expr,
    /// The whole left side.
    whole: &'a Expr,
    facts: &'a Facts,
}

impl Match<'_> {
    /// The extent of the array in a dimension.
    fn len(&self, dim: usize) -> ArithExpr {
        match self.array.ty().shape().0.get(dim) {
            Some(len) => ArithExpr::clone(len),
            None => lift_core::bug!("{} has no dimension {dim}", self.array.ty()),
        }
    }

    /// The extent of the whole.
    fn whole(&self) -> ArithExpr {
        match self.whole.ty().as_array() {
            Some((_, len)) => len.clone(),
            None => lift_core::bug!("{} is no array", self.whole.ty()),
        }
    }

    /// Whether `n` is a multiple of `m`, which is not 0.
    fn divides(&self, m: &ArithExpr, n: &ArithExpr) -> bool {
        self.facts.nonneg(&(m - 1)).is_yes() && self.facts.multiple_of(n, m).is_yes()
    }
}

impl Layer {
    /// The primitive of an array, with these sizes, and with a boundary or an order if it takes one.
    pub(crate) fn of(
        &self,
        sizes: impl Iterator<Item = ArithExpr>,
        boundary: Option<Boundary>,
        order: Option<Lambda>,
        xs: Expr,
    ) -> Expr {
        let Some(prim) = self.prim else { lift_core::bug!("a function that nothing binds") };
        let given = match prim {
            Prim::Pad => boundary.map(Arg::Boundary),
            Prim::Reorder => order.map(Arg::Fun),
            _ => None,
        };
        Expr::prim(prim, sizes.map(Arg::Size).chain(given).chain([Arg::Data(xs)]).collect())
    }
}

/// One layer of the table.
const fn layer(below: usize, prim: Prim, sizes: &'static [Size]) -> Layer {
    Layer { below, prim: Some(prim), sizes }
}

/// A function of the elements in so many maps.
const fn function(below: usize) -> Layer {
    Layer { below, prim: None, sizes: &[] }
}

const A: Size = Size::Is(0);
const B: Size = Size::Is(1);
const C: Size = Size::Is(2);

/// So many times, or so often.
const A_TIMES_B: Size = Size::Of(|m| &m.sizes[0] * &m.sizes[1]);
const A_OVER_B: Size = Size::Of(|m| m.sizes[0].div(&m.sizes[1]));
const B_OVER_A: Size = Size::Of(|m| m.sizes[1].div(&m.sizes[0]));
const A_PLUS_B: Size = Size::Of(|m| &m.sizes[0] + &m.sizes[1]);

const F: Layer = function(1);
const FF: Layer = function(2);
const T: Layer = layer(0, Prim::Transpose, &[]);
const MAP_T: Layer = layer(1, Prim::Transpose, &[]);
const J: Layer = layer(0, Prim::Join, &[]);
const MAP_J: Layer = layer(1, Prim::Join, &[]);
const S: Layer = layer(0, Prim::Split, &[A]);
const MAP_S: Layer = layer(1, Prim::Split, &[A]);
const TAKE: Layer = layer(0, Prim::Take, &[A]);
const MAP_TAKE: Layer = layer(1, Prim::Take, &[A]);
const DROP: Layer = layer(0, Prim::Drop, &[A]);
const MAP_DROP: Layer = layer(1, Prim::Drop, &[A]);
const SLIDE: Layer = layer(0, Prim::Slide, &[A, B]);
const MAP_SLIDE: Layer = layer(1, Prim::Slide, &[A, B]);
const PAD: Layer = layer(0, Prim::Pad, &[A, B]);
const MAP_PAD: Layer = layer(1, Prim::Pad, &[A, B]);
const ORDER: Layer = layer(0, Prim::Reorder, &[]);
const MAP_ORDER: Layer = layer(1, Prim::Reorder, &[]);

/// An equation that holds always.
const fn always(
    name: &'static str,
    equation: &'static str,
    left: &'static [Layer],
    right: &'static [Layer],
) -> Row {
    Row { name, equation, when: "", left, right, holds: |_| true }
}

impl Row {
    /// The same with what its letters stand for.
    const fn for_(self, when: &'static str) -> Row {
        Row { when, ..self }
    }
}

const COUNT: usize = 55;

/// The equations. What is one from left to right and from right to left has two rows.
#[rustfmt::skip]
pub(crate) static TABLE: [Row; COUNT] = [
    // Functions of the elements.
    always("maps_split", "map(map(f)) . split(m) = split(m) . map(f)", &[FF, S], &[S, F]),
    always("join_map", "join . map(map(f)) = map(f) . join", &[J, FF], &[F, J]),
    always("map_transpose", "map(map(f)) . transpose = transpose . map(map(f))", &[FF, T], &[T, FF]),
    always("transpose_map", "transpose . map(map(f)) = map(map(f)) . transpose", &[T, FF], &[FF, T]),
    always("map_take", "map(f) . take(k) = take(k) . map(f)", &[F, TAKE], &[TAKE, F]),
    always("map_drop", "map(f) . drop(k) = drop(k) . map(f)", &[F, DROP], &[DROP, F]),
    always("drop_map", "drop(k) . map(f) = map(f) . drop(k)", &[DROP, F], &[F, DROP]),
    always("map_slide", "map(map(f)) . slide(n, s) = slide(n, s) . map(f)", &[FF, SLIDE], &[SLIDE, F]),
    always("slide_map", "slide(n, s) . map(f) = map(map(f)) . slide(n, s)", &[SLIDE, F], &[FF, SLIDE]),
    always("map_pad", "map(f) . pad(l, r, b) = pad(l, r, b) . map(f)", &[F, PAD], &[PAD, F]).for_("for b that is an element"),
    always("pad_map", "pad(l, r, b) . map(f) = map(f) . pad(l, r, b)", &[PAD, F], &[F, PAD]).for_("for b that is an element"),
    always("map_reorder", "map(f) . reorder(p) = reorder(p) . map(f)", &[F, ORDER], &[ORDER, F]),
    always("reorder_map", "reorder(p) . map(f) = map(f) . reorder(p)", &[ORDER, F], &[F, ORDER]),
    // Rows and columns.
    always("transpose_take", "transpose . take(k) = map(take(k)) . transpose", &[T, TAKE], &[MAP_TAKE, T]),
    always("each_take_transpose", "map(take(k)) . transpose = transpose . take(k)", &[MAP_TAKE, T], &[T, TAKE]),
    always("take_transpose", "take(k) . transpose = transpose . map(take(k))", &[TAKE, T], &[T, MAP_TAKE]),
    always("transpose_each_take", "transpose . map(take(k)) = take(k) . transpose", &[T, MAP_TAKE], &[TAKE, T]),
    always("transpose_drop", "transpose . drop(k) = map(drop(k)) . transpose", &[T, DROP], &[MAP_DROP, T]),
    always("each_drop_transpose", "map(drop(k)) . transpose = transpose . drop(k)", &[MAP_DROP, T], &[T, DROP]),
    always("drop_transpose", "drop(k) . transpose = transpose . map(drop(k))", &[DROP, T], &[T, MAP_DROP]),
    always("transpose_each_drop", "transpose . map(drop(k)) = drop(k) . transpose", &[T, MAP_DROP], &[DROP, T]),
    always("transpose_pad", "transpose . pad(l, r, b) = map(pad(l, r, b)) . transpose", &[T, PAD], &[MAP_PAD, T]).for_("for b that is an element"),
    always("each_pad_transpose", "map(pad(l, r, b)) . transpose = transpose . pad(l, r, b)", &[MAP_PAD, T], &[T, PAD]).for_("for b that is an element"),
    always("pad_transpose", "pad(l, r, b) . transpose = transpose . map(pad(l, r, b))", &[PAD, T], &[T, MAP_PAD]).for_("for b that is an element"),
    always("transpose_each_pad", "transpose . map(pad(l, r, b)) = pad(l, r, b) . transpose", &[T, MAP_PAD], &[PAD, T]).for_("for b that is an element"),
    always("transpose_reorder", "transpose . reorder(p) = map(reorder(p)) . transpose", &[T, ORDER], &[MAP_ORDER, T]),
    always("each_reorder_transpose", "map(reorder(p)) . transpose = transpose . reorder(p)", &[MAP_ORDER, T], &[T, ORDER]),
    always("reorder_transpose", "reorder(p) . transpose = transpose . map(reorder(p))", &[ORDER, T], &[T, MAP_ORDER]),
    always("transpose_each_reorder", "transpose . map(reorder(p)) = reorder(p) . transpose", &[T, MAP_ORDER], &[ORDER, T]),
    always("transpose_each_split", "transpose . map(split(m)) = map(transpose) . split(m) . transpose", &[T, MAP_S], &[MAP_T, S, T]),
    always("split_transpose", "split(m) . transpose = map(transpose) . transpose . map(split(m))", &[S, T], &[MAP_T, T, MAP_S]),
    always("each_split_transpose", "map(split(m)) . transpose = transpose . map(transpose) . split(m)", &[MAP_S, T], &[T, MAP_T, S]),
    always("each_transpose_split", "map(transpose) . split(m) = transpose . map(split(m)) . transpose", &[MAP_T, S], &[T, MAP_S, T]),
    always("transpose_join", "transpose . join = map(join) . transpose . map(transpose)", &[T, J], &[MAP_J, T, MAP_T]),
    always("transpose_each_slide", "transpose . map(slide(n, s)) = map(transpose) . slide(n, s) . transpose", &[T, MAP_SLIDE], &[MAP_T, SLIDE, T]),
    always("slide_transpose", "slide(n, s) . transpose = map(transpose) . transpose . map(slide(n, s))", &[SLIDE, T], &[MAP_T, T, MAP_SLIDE]),
    always("each_slide_transpose", "map(slide(n, s)) . transpose = transpose . map(transpose) . slide(n, s)", &[MAP_SLIDE, T], &[T, MAP_T, SLIDE]),
    // Pieces.
    always("join_join", "join . join = join . map(join)", &[J, J], &[J, MAP_J]),
    always("join_each_join", "join . map(join) = join . join", &[J, MAP_J], &[J, J]),
    always("split_split", "split(m) . split(k) = map(split(k)) . split(m * k)", &[S, layer(0, Prim::Split, &[B])], &[layer(1, Prim::Split, &[B]), layer(0, Prim::Split, &[A_TIMES_B])]),
    Row {
        name: "each_split_split",
        equation: "map(split(k)) . split(m) = split(m / k) . split(k)",
        when: "if k divides m",
        left: &[layer(1, Prim::Split, &[B]), S],
        right: &[layer(0, Prim::Split, &[A_OVER_B]), layer(0, Prim::Split, &[B])],
        holds: |m| m.divides(&m.sizes[1], &m.sizes[0]),
    },
    Row {
        name: "split_take",
        equation: "split(m) . take(k) = take(k / m) . split(m)",
        when: "on a multiple of m elements",
        left: &[S, layer(0, Prim::Take, &[B])],
        right: &[layer(0, Prim::Take, &[B_OVER_A]), S],
        holds: |m| m.divides(&m.sizes[0], &m.len(0)) && m.divides(&m.sizes[0], &m.sizes[1]),
    },
    always("take_split", "take(k) . split(m) = split(m) . take(k * m)", &[layer(0, Prim::Take, &[B]), S], &[S, layer(0, Prim::Take, &[A_TIMES_B])]),
    Row {
        name: "split_drop",
        equation: "split(m) . drop(k) = drop(k / m) . split(m)",
        when: "if m divides k",
        left: &[S, layer(0, Prim::Drop, &[B])],
        right: &[layer(0, Prim::Drop, &[B_OVER_A]), S],
        holds: |m| m.divides(&m.sizes[0], &m.len(0)) && m.divides(&m.sizes[0], &m.sizes[1]),
    },
    always("drop_split", "drop(k) . split(m) = split(m) . drop(k * m)", &[layer(0, Prim::Drop, &[B]), S], &[S, layer(0, Prim::Drop, &[A_TIMES_B])]),
    Row {
        name: "take_join",
        equation: "take(k) . join = join . take(k / m)",
        when: "on rows of m elements, if m divides k",
        left: &[TAKE, J],
        right: &[J, layer(0, Prim::Take, &[Size::Of(|m| m.sizes[0].div(&m.len(1)))])],
        holds: |m| m.divides(&m.len(1), &m.sizes[0]),
    },
    always("join_take", "join . take(k) = take(k * m) . join", &[J, TAKE], &[layer(0, Prim::Take, &[Size::Of(|m| &m.sizes[0] * &m.len(1))]), J]).for_("on rows of m elements"),
    Row {
        name: "drop_join",
        equation: "drop(k) . join = join . drop(k / m)",
        when: "on rows of m elements, if m divides k",
        left: &[DROP, J],
        right: &[J, layer(0, Prim::Drop, &[Size::Of(|m| m.sizes[0].div(&m.len(1)))])],
        holds: |m| m.divides(&m.len(1), &m.sizes[0]),
    },
    always("join_drop", "join . drop(k) = drop(k * m) . join", &[J, DROP], &[layer(0, Prim::Drop, &[Size::Of(|m| &m.sizes[0] * &m.len(1))]), J]).for_("on rows of m elements"),
    // Windows.
    Row {
        name: "slide_take",
        equation: "slide(n, s) . take(k) = take((k - n) / s + 1) . slide(n, s)",
        when: "if s divides len - n",
        left: &[SLIDE, layer(0, Prim::Take, &[C])],
        right: &[layer(0, Prim::Take, &[Size::Of(|m| m.whole())]), SLIDE],
        holds: |m| m.divides(&m.sizes[1], &(m.len(0) - &m.sizes[0])),
    },
    Row {
        name: "take_slide",
        equation: "take(k) . slide(n, s) = slide(n, s) . take((k - 1) * s + n)",
        when: "if k >= 1",
        left: &[layer(0, Prim::Take, &[C]), SLIDE],
        right: &[SLIDE, layer(0, Prim::Take, &[Size::Of(|m| (&m.sizes[2] - 1) * &m.sizes[1] + &m.sizes[0])])],
        holds: |m| m.facts.nonneg(&(&m.sizes[2] - 1)).is_yes(),
    },
    Row {
        name: "slide_drop",
        equation: "slide(n, s) . drop(k) = drop(k / s) . slide(n, s)",
        when: "if s divides k",
        left: &[SLIDE, layer(0, Prim::Drop, &[C])],
        right: &[layer(0, Prim::Drop, &[Size::Of(|m| m.sizes[2].div(&m.sizes[1]))]), SLIDE],
        holds: |m| m.divides(&m.sizes[1], &m.sizes[2]),
    },
    Row {
        name: "drop_slide",
        equation: "drop(k) . slide(n, s) = slide(n, s) . drop(k * s)",
        when: "if some windows are left",
        left: &[layer(0, Prim::Drop, &[C]), SLIDE],
        right: &[SLIDE, layer(0, Prim::Drop, &[Size::Of(|m| &m.sizes[2] * &m.sizes[1])])],
        holds: |m| m.facts.nonneg(&(m.whole() - 1)).is_yes(),
    },
    // Parts of parts.
    always("take_take", "take(j) . take(k) = take(j)", &[TAKE, layer(0, Prim::Take, &[B])], &[TAKE]),
    always("drop_drop", "drop(j) . drop(k) = drop(j + k)", &[DROP, layer(0, Prim::Drop, &[B])], &[layer(0, Prim::Drop, &[A_PLUS_B])]),
];

/// The rule of a row.
const fn rule<const ROW: usize>() -> Rule {
    let Row { name, equation, when, .. } = TABLE[ROW];
    Rule { name, about: "", equation, when, apply: |e, cx| TABLE[ROW].applied(e, cx.facts) }
}

/// A rule for each of these rows.
macro_rules! rules {
    ($($row:literal)*) => { [$(&rule::<$row>()),*] };
}

/// A rule for every row.
pub static MOVEMENTS: [&Rule; COUNT] = rules![
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27
    28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54
];

impl Row {
    fn applied(&self, e: &Expr, facts: &Facts) -> Option<Expr> {
        let mut found = Match {
            sizes: [ArithExpr::zero(), ArithExpr::zero(), ArithExpr::zero()],
            function: None,
            boundary: None,
            order: None,
            array: e,
            whole: e,
            facts,
        };
        for layer in self.left {
            found.array = found.below(layer.below, layer, found.array)?;
        }
        if !(self.holds)(&found) {
            return None;
        }
        let layers = self.right.iter().rev();
        Some(layers.fold(found.array.clone(), |xs, layer| found.put(layer.below, layer, xs)))
    }
}

impl<'a> Match<'a> {
    /// The array that a layer works on, below so many maps. What the layer is given belongs to no element of these.
    fn below(&mut self, maps: usize, layer: &Layer, e: &'a Expr) -> Option<&'a Expr> {
        let Some(below) = maps.checked_sub(1) else { return self.taken(layer, e) };
        let (f, xs) = as_map(e)?;
        let [x] = f.params.as_slice() else { return None };
        if let (None, 0) = (layer.prim, below) {
            self.function = Some(f.clone());
            return Some(xs);
        }
        let inner = self.below(below, layer, &f.body)?;
        let given =
            [self.function.as_ref().map(|f| &f.body), self.order.as_ref().map(|p| &p.body), self.outside()];
        let is_free = given.into_iter().flatten().all(|e| occurrences(e, x.id).count == 0);
        (is_free && matches!(inner.kind(), Kind::Param(p) if p == x)).then_some(xs)
    }

    /// The function of a boundary.
    fn outside(&self) -> Option<&Expr> {
        match &self.boundary {
            Some(Boundary::Index(f)) => Some(&f.body),
            _ => None,
        }
    }

    /// The array that a primitive works on, and what else it is given.
    fn taken(&mut self, layer: &Layer, e: &'a Expr) -> Option<&'a Expr> {
        let (prim, args) = e.as_prim()?;
        let (xs, args) = args.split_last()?;
        if layer.prim != Some(prim) {
            return None;
        }
        let mut sizes = layer.sizes.iter();
        for arg in args {
            match arg {
                Arg::Size(found) => {
                    if let Size::Is(i) = sizes.next()? {
                        self.sizes[*i] = found.clone();
                    }
                }
                Arg::Boundary(boundary @ (Boundary::Fold(_) | Boundary::Index(_))) => {
                    self.boundary = Some(boundary.clone());
                }
                Arg::Fun(order) => self.order = Some(order.clone()),
                Arg::Data(_) | Arg::Boundary(_) => return None,
            }
        }
        xs.data()
    }

    /// A layer of an array.
    fn put(&self, maps: usize, layer: &Layer, xs: Expr) -> Expr {
        if let Some(below) = maps.checked_sub(1) {
            return match (layer.prim, &self.function) {
                (None, Some(f)) if below == 0 => Expr::map(f.clone(), xs),
                _ => Expr::map_with("row", xs, |row| self.put(below, layer, row)),
            };
        }
        let sizes = layer.sizes.iter().map(|size| match size {
            Size::Is(i) => self.sizes[*i].clone(),
            Size::Of(f) => self.facts.simplify(&f(self)),
        });
        layer.of(sizes, self.boundary.clone(), self.order.clone(), xs)
    }
}
