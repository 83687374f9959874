//! One work-item per element of the result.
//!
//! Before: a normalised expression. After: the outermost maps of the result, at most three, are
//! `map_global`, those inside them loops, and so are all reductions. Few elements side by side, such as the channels of a picture, are one work-item's.

use crate::explore::reason::{NO_NEST, Reason};
use crate::explore::registers::operations;
use crate::explore::variant::Variant;
use crate::ir::Expr;
use crate::machine::naive::MOST_TOGETHER;
use crate::machine::registers::LONGEST;
use crate::rewrite::layout::{Writer, as_map, replaced, writer};
use crate::rewrite::normal;
use crate::rewrite::position;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::collapse::COLLAPSE;
use crate::rewrite::rules::place;
use crate::rewrite::rules::store::LET_MAP;
use crate::rewrite::strategy::{Derivation, Position, Strategy};

/// The variant that a normalised expression becomes.
pub(super) fn variant(mut derivation: Derivation) -> Variant {
    without_definitions(&mut derivation);
    let root = written(&mut derivation);
    fewer_dims(&mut derivation, &root);
    let (outer, few) = derivation.get(&root).map_or((0, 0), |e| outer_and_few(&e));
    if few > 0 && outer <= place::GLOBAL.len() {
        // An item of its own for each of a few neighbours would leave most of a row of groups idle, and read alone what they share.
        in_dims(&mut derivation, &root, outer, &place::SEQ_UNROLL);
    } else {
        in_dims(&mut derivation, &root, place::GLOBAL.len(), &place::SEQ);
    }
    place::reduce_everything(&mut derivation);
    Variant::of("naive", derivation)
}

/// Inlines arrays of cheap elements that a function defines, if work-items can then have more dimensions: maps after a definition are loops of one item.
fn without_definitions(d: &mut Derivation) {
    let depth = |d: &Derivation| d.get(&replaced(d.expr())).map_or(0, |e| place::depth(&e));
    let mut inlined = d.clone();
    if Strategy::Rule(&LET_MAP).all().apply(&mut inlined) {
        normal::strategy(Strategy::once).apply(&mut inlined);
        if depth(&inlined) > depth(d) {
            *d = inlined;
        }
    }
}

/// Makes one map of the outermost ones, where there are more than items have dimensions: neighbours are then at neighbouring elements of the innermost one.
fn fewer_dims(d: &mut Derivation, root: &[usize]) -> Option<()> {
    let (path, Writer::Map) = writer(&d.get(root)?)? else { return None };
    let mut outermost = position::join(root, &path);
    let map = d.get(&outermost)?;
    let dims = place::depth(&map);
    let mut collapsed = d.clone();
    // A result without elements is not launched.
    map.ty().shape().0.iter().take(dims).skip(1).for_each(|n| collapsed.assume_some(n));
    for _ in place::GLOBAL.len()..dims {
        let [all] = collapsed.apply(&COLLAPSE, &outermost)?.focus()?;
        outermost = all;
    }
    if dims > place::GLOBAL.len() {
        *d = collapsed;
    }
    Some(())
}

/// Of the nest of maps that write an expression, how many there are around those that write a few elements together, and how many of these, if an element takes a
/// few operations.
fn outer_and_few(e: &Expr) -> (usize, usize) {
    let (mut lengths, mut current) = (Vec::new(), e);
    while let Some((path, Writer::Map)) = writer(current)
        && let Some((f, xs)) = current.below(&path).and_then(as_map)
    {
        lengths.push(xs.ty().length());
        current = &f.body;
    }
    let is_flat = lengths.len() == place::depth(e) && operations(current, LONGEST).is_some();
    let (mut few, mut elements) = (0, 1);
    while is_flat && few + 1 < lengths.len() {
        let Some(length @ 1..) = lengths[lengths.len() - 1 - few].as_const() else { break };
        elements *= length;
        if elements > MOST_TOGETHER {
            break;
        }
        few += 1;
    }
    (lengths.len() - few, few)
}

/// Places the maps that write the result.
pub(super) fn global(derivation: &mut Derivation) {
    global_and(derivation, &place::SEQ);
}

/// The same, with a rule for the maps inside those of work-items.
pub(super) fn global_and(derivation: &mut Derivation, deeper: &'static Rule) {
    global_in(derivation, place::GLOBAL.len(), deeper);
}

/// The same in so many dimensions at most.
pub(super) fn global_in(derivation: &mut Derivation, most: usize, deeper: &'static Rule) {
    let root = written(derivation);
    in_dims(derivation, &root, most, deeper);
}

/// Where the result stands, after everything in it is written by a map: which is done once, as arms of choices are written out for it.
fn written(derivation: &mut Derivation) -> Position {
    let root = replaced(derivation.expr());
    place::write_everything(derivation, &root);
    root
}

fn in_dims(derivation: &mut Derivation, root: &[usize], most: usize, deeper: &'static Rule) {
    let depth = derivation.get(root).map_or(0, |e| place::depth(&e));
    let dims = depth.min(most);
    place::nest(derivation, root, &outermost_first(&place::GLOBAL, dims), Some(deeper));
}

/// The rules for `dims` nested maps: the innermost gets dimension 0.
pub(super) fn outermost_first(rules: &'static [Rule; 3], dims: usize) -> Vec<&'static Rule> {
    rules[..dims].iter().rev().collect()
}

/// The maps around the innermost one of a nest are for work-groups, in other dimensions than its own.
pub(super) fn groups_around(d: &mut Derivation, path: &[usize], dims: usize) -> Result<(), Reason> {
    if dims == 1 {
        return Ok(());
    }
    let outer = &outermost_first(&place::WORKGROUP, dims)[..dims - 1];
    let placed = place::nest(d, path, outer, None);
    (placed.len() == dims - 1).then_some(()).ok_or(NO_NEST)
}

#[cfg(test)]
mod tests {
    use crate::explore;
    use crate::ir::{Kernel, Place, Prim};
    use crate::pipeline::Checked;
    use crate::program;

    fn kernel(text: &str) -> Kernel {
        let checked = Checked::of(text.parse().expect("tokens"));
        assert!(!checked.has_errors(), "{text}");
        checked.kernels[0].clone()
    }

    #[test]
    fn of_four_dimensions_the_outermost_are_one() {
        let text = "#[kernel] pub fn Pool<B, C, H, W>(x: [[[[f32; 2 * W]; 2 * H]; C]; B]) -> [[[[f32; W]; H]; C]; B] {
            x.map(|image| image.map(|plane| plane.slide2d(2, 2).map2d(|w| w[0][0] - w[1][1])))
        }";
        let naive = explore::explore(&kernel(text)).variants.remove(0);
        assert!((0..3).all(|dim| naive.body.contains(Prim::Map(Place::Global(dim)))));
        assert!(!naive.body.contains(Prim::Map(Place::Sequential)), "{}", naive.body);
    }

    #[test]
    fn windows_in_generated_arrays_are_read_where_they_are() {
        let text = "#[kernel] pub fn Moved<N, M>(f: [[[f32; M]; N]; 2]) -> [[f32; M]; N] {
            let g = array(2, |q| f[q].pad2d(1, 1, wrap).slide2d(3, 1));
            zip2d(g[0], g[1]).map2d(|a, b| a[1][0] - b[0][1])
        }";
        assert_eq!(program::cut(&kernel(text)).stages.len(), 1);
    }
}
