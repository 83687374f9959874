//! Places: who computes the elements of an array.
//!
//! Before: maps and reductions that say what. After `global` or its kin: every map on the way to the
//! result has a place. Maps beside that way have none: their elements are computed where they are read.

use crate::arith::ArithExpr;
use crate::ir::{Expr, Kind, Order, Place, Prim, Type};
use crate::machine::work::MOST_UNROLLED;
use crate::rewrite::layout::{Writer, as_map, as_output, scattered, writer};
use crate::rewrite::position;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::{by_key, nd};
use crate::rewrite::strategy::{Derivation, Position, Strategy};

/// By work-items, indexed by the dimension.
pub static GLOBAL: [Rule; 3] =
    [place::<0, 0>("map_global(0)"), place::<0, 1>("map_global(1)"), place::<0, 2>("map_global(2)")];

/// By work-groups.
pub static WORKGROUP: [Rule; 3] =
    [place::<1, 0>("map_workgroup(0)"), place::<1, 1>("map_workgroup(1)"), place::<1, 2>("map_workgroup(2)")];

/// By the work-items of a group.
pub static LOCAL: [Rule; 3] =
    [place::<2, 0>("map_local(0)"), place::<2, 1>("map_local(1)"), place::<2, 2>("map_local(2)")];

pub static SEQ: Rule = place::<3, 0>("map_seq");
pub static SEQ_UNROLL: Rule = place::<4, 0>("map_seq_unroll");

/// Who computes the elements of a map: what that is, when it can be, and about it.
const PLACES: [(Place, [&str; 3]); 5] = [
    (Place::Global(0), ["map(f) = map_global(d, f)", "", "The work-items share out the elements."]),
    (Place::Group(0), ["map(f) = map_workgroup(d, f)", "", "The work-groups share out the elements."]),
    (Place::Local(0), ["map(f) = map_local(d, f)", "", "The work-items of a group share out the elements."]),
    (Place::Sequential, ["map(f) = map_seq(f)", "", "A loop."]),
    (Place::Unrolled, ["map(f) = map_seq_unroll(f)", SHORT, "A loop that is written out."]),
];

const SHORT: &str = "for a length that is a number";

const fn place<const BY: usize, const D: usize>(name: &'static str) -> Rule {
    let (_, [equation, when, about]) = PLACES[BY];
    Rule {
        name,
        about,
        equation,
        when,
        apply: |e, _| {
            let (f, xs) = as_map(e)?;
            let place = PLACES[BY].0.with_dimension(D);
            let fits = place != Place::Unrolled || is_short(xs);
            fits.then(|| Expr::map_in(place, f.clone(), xs.clone()))
        },
    }
}

/// Vectors of 2, 4, 8 and 16 elements, in this order.
pub static VECTORS: [(i64, Rule); 4] = [
    (2, vectors::<2>("map_vec(2)")),
    (4, vectors::<4>("map_vec(4)")),
    (8, vectors::<8>("map_vec(8)")),
    (16, vectors::<16>("map_vec(16)")),
];

const fn vectors<const WIDTH: i64>(name: &'static str) -> Rule {
    Rule {
        name,
        about: "In the lanes of vectors.",
        equation: "map(f) = join . map(map_vec(f)) . split(w)",
        when: "for a length that is a multiple of w",
        apply: |e, cx| {
            let (f, xs) = as_map(e)?;
            let (_, len) = xs.ty().as_array()?;
            let width = ArithExpr::cst(WIDTH);
            if !cx.facts.multiple_of(len, &width).is_yes() {
                return None;
            }
            let lanes = |xs: Expr| Expr::map_in(Place::Lanes, f.clone(), xs);
            Some(Expr::join(Expr::map_with("lanes", Expr::split(width, xs.clone()), lanes)))
        },
    }
}

pub static REDUCE_SEQ_UNROLL: Rule = order::<0>("reduce_seq_unroll");
pub static REDUCE_SEQ: Rule = order::<1>("reduce_seq");
pub static FOLD_SEQ: Rule = order::<2>("fold_seq");
pub static SCAN_SEQ: Rule = order::<3>("scan_seq");
pub static SCAN_LEFT: Rule = order::<4>("scan_left");
pub static REDUCE_FOLD: Rule = order::<5>("fold");

/// In which other order elements may be combined: of which primitives and by which, and the same as above.
const ORDERS: [(&[Prim], Prim, [&str; 3]); 6] = {
    use Order::{Any, Left, Sequential, Unrolled};
    use Prim::{Reduce, Scan};
    [
        (
            &[Reduce(Any), Reduce(Left)],
            Reduce(Unrolled),
            [
                "reduce(f, z) = reduce_seq_unroll(f, z)",
                SHORT,
                "A loop with an accumulator that is written out.",
            ],
        ),
        (
            &[Reduce(Any)],
            Reduce(Sequential),
            ["reduce(f, z) = reduce_seq(f, z)", "", "A loop with an accumulator."],
        ),
        (
            &[Reduce(Left)],
            Reduce(Sequential),
            ["fold(f, z) = reduce_seq(f, z)", "", "The same for any function."],
        ),
        (
            &[Scan(Any), Scan(Left)],
            Scan(Sequential),
            ["scan(f, z) = scan_seq(f, z)", "", "A loop that stores as it goes."],
        ),
        (
            &[Scan(Sequential)],
            Scan(Left),
            [
                "scan_seq(f, z) = scan_left(f, z)",
                "",
                "The way back: what is stored decides which scans are loops.",
            ],
        ),
        (
            &[Reduce(Any)],
            Reduce(Left),
            ["reduce(f, z) = fold(f, z)", "", "A reduction in the order of the elements."],
        ),
    ]
};

const fn order<const BY: usize>(name: &'static str) -> Rule {
    let (_, _, [equation, when, about]) = ORDERS[BY];
    Rule {
        name,
        about,
        equation,
        when,
        apply: |e, _| {
            let ((from, to, _), (prim, args)) = (ORDERS[BY], e.as_prim()?);
            let fits = to != Prim::Reduce(Order::Unrolled) || is_short(args.last()?.data()?);
            (from.contains(&prim) && fits).then(|| Expr::prim(to, args.to_vec()))
        },
    }
}

fn is_short(xs: &Expr) -> bool {
    xs.ty().as_array().and_then(|(_, n)| n.as_const()).is_some_and(|n| n <= MOST_UNROLLED)
}

/// All reductions become loops.
pub fn reduce_everything(d: &mut Derivation) {
    Strategy::any(&[&REDUCE_SEQ, &FOLD_SEQ]).all().apply(d);
}

/// The same; those of a known length, which should be short, are written out.
pub fn unroll_reductions(d: &mut Derivation) {
    unroll_reductions_at(d, Position::new());
}

/// The same in what stands there.
pub fn unroll_reductions_at(d: &mut Derivation, position: Position) {
    Strategy::any(&[&REDUCE_SEQ_UNROLL, &REDUCE_SEQ, &FOLD_SEQ]).all().at(position).apply(d);
}

pub static COPY: Rule = Rule {
    name: "copy",
    about: "Elements that are only moved are copied, so that there is someone to write them.",
    equation: "e = map^d(id, e)",
    when: "for a d-dimensional e",
    apply: |e, cx| {
        let (lens, _) = e.ty().shape();
        (!lens.is_empty()).then(|| nd::copy_nd(lens.len(), cx.focus(e.clone())))
    },
};

/// Inserts copies on the way to the result of `position`, until a map or a scan writes every array.
pub fn write_everything(d: &mut Derivation, position: &[usize]) {
    write_from(d, position, Around::Nothing);
}

/// What is around an expression whose elements are to be written.
#[derive(Clone, Copy, PartialEq)]
enum Around {
    /// Neither a map nor a choice.
    Nothing,
    /// The function of a map.
    Map,
    /// An arm of a choice in such a function.
    Arm,
}

fn write_from(d: &mut Derivation, position: &[usize], around: Around) {
    let Some(e) = d.get(position) else { return };
    if around != Around::Nothing && is_choice_of_blocks(&e) {
        ARMS.iter().for_each(|arm| write_from(d, &position::join(position, &[*arm]), Around::Arm));
        return;
    }
    match writer(&e) {
        Some((path, Writer::Parts)) => {
            let parts = position::join(position, &path);
            let count = d.get(&parts).map_or(0, |parts| parts.children().len());
            (0..count).for_each(|i| write_from(d, &position::join(&parts, &[i]), around));
        }
        // The function is the first child of a map.
        Some((path, Writer::Map)) => {
            let map = position::join(position, &path);
            let is_of_literal = |e: &Expr| as_map(e).is_some_and(|(_, xs)| is_array_literal(xs));
            if around != Around::Nothing && d.get(&map).is_some_and(|map| is_of_literal(&map)) {
                Strategy::Rule(&SEQ_UNROLL).at(map.clone()).apply(d);
            }
            write_from(d, &position::body(&map), Around::Map);
        }
        Some((_, Writer::Loop)) => {}
        None => match (scattered(&e), array_literal(&e)) {
            (Some(path), _) => write_from(d, &position::join(position, &path), around),
            (None, Some(path)) if around != Around::Nothing => {
                write_out(d, &position::join(position, &path));
            }
            _ if !matches!(e.ty(), Type::Array(..)) || is_state(&e) => {}
            _ if around == Around::Arm && is_few(&e) => write_out(d, position),
            // What a block defines, it defines for all elements of the copy.
            _ => {
                Strategy::Rule(&COPY).at(position::join(position, &below_lets(&e))).apply(d);
            }
        },
    }
}

/// The way to what follows the definitions at the root.
fn below_lets(e: &Expr) -> Position {
    let mut position = Position::new();
    let mut current = e;
    while let Kind::Let(_, _, body) = current.kind() {
        position.push(1);
        current = body;
    }
    position
}

/// Where the array literal stands that is the value of `e`: below layout on the way out and inside `let`.
fn array_literal(e: &Expr) -> Option<Position> {
    let mut position = Position::new();
    let mut current = e;
    while !is_array_literal(current) {
        let child = match (current.kind(), as_output(current)) {
            (Kind::Let(..), _) => 1,
            (_, Some((child, _))) => child,
            _ => return None,
        };
        position.push(child);
        current = current.child(child)?;
    }
    Some(position)
}

/// Whether this is a short array literal with elements that are computed, each in its own way. A loop over them, or a work-item for each of
/// them, would have to choose which one to compute.
fn is_array_literal(e: &Expr) -> bool {
    is_few(e) && matches!(e.kind(), Kind::ArrayLiteral(elements) if !elements.iter().all(is_constant))
}

/// Whether each element of an array may have a statement of its own.
fn is_few(e: &Expr) -> bool {
    e.ty().small_count(&Clone::clone).is_some_and(|count| count <= MOST_UNROLLED)
}

fn is_constant(e: &Expr) -> bool {
    match e.kind() {
        Kind::Literal(_) => true,
        Kind::ArrayLiteral(elements) => elements.iter().all(is_constant),
        Kind::Unary(_, x) => is_constant(x),
        _ => false,
    }
}

/// One work-item writes all elements of the array that stands there, one after the other.
fn write_out(d: &mut Derivation, array: &[usize]) {
    Strategy::Rule(&COPY).at(array.to_vec()).apply(d);
    let mut map = array.to_vec();
    while d.apply(&SEQ_UNROLL, &map).is_some() {
        map = position::body(&map);
    }
}

/// The arms of a choice, among its children.
const ARMS: [usize; 2] = [1, 2];

/// Whether this is a choice between arrays of which one is a block or an array literal: what a block defines is computed once, and not for
/// each element.
fn is_choice_of_blocks(e: &Expr) -> bool {
    let is_block =
        |e: &Expr| matches!(e.kind(), Kind::Let(..)) || array_literal(e).is_some() || is_choice_of_blocks(e);
    match e.kind() {
        Kind::If(_, then, otherwise) => {
            matches!(e.ty(), Type::Array(..)) && (is_block(then) || is_block(otherwise))
        }
        _ => false,
    }
}

/// Whether the elements are all there at the end of one loop, which one work-item runs: it writes them, too.
fn is_state(e: &Expr) -> bool {
    match (e.kind(), as_output(e)) {
        (_, Some((_, x))) | (Kind::Let(_, _, x) | Kind::Field(x, _), None) => is_state(x),
        (Kind::Prim(Prim::Reduce(_) | Prim::Iterate | Prim::IterateUntil, _), None) => true,
        _ => false,
    }
}

/// Places the nest of maps that writes the result of `position`: the outermost by the first rule, and so on,
/// deeper ones by `rest`. Definitions inside the nest end it, because they belong to one work-item. Where
/// several nests stand side by side, the innermost map of each gets the last rule. Returns where the maps
/// stand that were placed by `rules`.
pub fn nest(
    d: &mut Derivation,
    position: &[usize],
    rules: &[&'static Rule],
    rest: Option<&'static Rule>,
) -> Vec<Position> {
    let mut placed = Vec::new();
    nest_from(d, position.to_vec(), (rules, rest), true, &mut placed);
    placed
}

fn nest_from(
    d: &mut Derivation,
    position: Position,
    (rules, deeper): (&[&'static Rule], Option<&'static Rule>),
    outermost: bool,
    placed: &mut Vec<Position>,
) {
    let Some(e) = d.get(&position) else { return };
    if !outermost && is_choice_of_blocks(&e) {
        // What a block defines belongs to one work-item.
        for arm in ARMS {
            nest_from(d, position::join(&position, &[arm]), (&[], deeper), outermost, placed);
        }
        return;
    }
    let Some((path, writer)) = writer(&e) else { return };
    let direct = outermost || !passes_let(&e, &path);
    let rules = if direct { rules } else { &rules[..0] };
    let there = position::join(&position, &path);
    match writer {
        Writer::Parts => {
            let Some(parts) = d.get(&there) else { return };
            for (i, part) in parts.children().into_iter().enumerate() {
                let own = depth_from(part, outermost).min(rules.len());
                let rules = &rules[rules.len() - own..];
                nest_from(d, position::join(&there, &[i]), (rules, deeper), outermost, placed);
            }
        }
        Writer::Loop => {
            if deeper.is_some() {
                Strategy::any(&[&SCAN_SEQ, &by_key::BY_KEY_SEQ]).at(there).apply(d);
            }
        }
        Writer::Map => {
            let (rule, rest) = match (rules.split_first(), deeper) {
                (Some((rule, rest)), _) => {
                    placed.push(there.clone());
                    (*rule, rest)
                }
                (None, Some(rule)) => (rule, rules),
                (None, None) => return,
            };
            Strategy::Rule(rule).at(there.clone()).apply(d);
            nest_from(d, position::body(&there), (rest, deeper), false, placed);
        }
    }
}

/// How many maps without a place, one directly in the other, write the elements of `e`; the most if there are several nests.
pub fn depth(e: &Expr) -> usize {
    depth_from(e, true)
}

fn depth_from(e: &Expr, outermost: bool) -> usize {
    let Some((path, writer)) = writer(e) else { return 0 };
    let (true, Some(there)) = (outermost || !passes_let(e, &path), e.below(&path)) else { return 0 };
    match writer {
        Writer::Loop => 0,
        // One that has its place, and those inside.
        Writer::Map if there.as_prim().is_none_or(|(prim, _)| prim != Prim::Map(Place::View)) => 0,
        Writer::Map => 1 + there.children().first().map_or(0, |body| depth_from(body, false)),
        Writer::Parts => there.children().into_iter().map(|x| depth_from(x, outermost)).max().unwrap_or(0),
    }
}

/// Whether the way from `e` leads into the body of a `let`.
fn passes_let(e: &Expr, path: &[usize]) -> bool {
    (0..path.len()).any(|n| e.below(&path[..n]).is_some_and(|x| matches!(x.kind(), Kind::Let(..))))
}
