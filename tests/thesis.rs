//! The derivation of the thesis *Optimizing stencil computations with Lift*, sections 3.1 to 3.2.5: a 17 × 17 convolution,
//! which can be separated if its weights are products, from its definition to two launches with overlapped tiles in local memory, transposed, with rows of another
//! length and a loop that is written out (listings 2, 5 and 6 from listing 1; listings 8, 9, 11 to 13 and 16 from listing 17). Every step is interpreted,
//! what is derived runs on the device, and the rules are a reviewed snapshot.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use common::{Comparison, Data, Exactness, device};
use lift_core::arith::{ArithExpr, Var};
use lift_core::explore::Variant;
use lift_core::ir::walk::sizes;
use lift_core::ir::{Expr, Kernel, Memory, Prim, Type};
use lift_core::pipeline::{Compiled, Derivation as Printed, Version};
use lift_core::program::rows_first::Which;
use lift_core::rewrite::layout::writer;
use lift_core::rewrite::position;
use lift_core::rewrite::rules::stencil::OVERLAPPED_TILING;
use lift_core::rewrite::rules::{memory, place, simplify};
use lift_core::rewrite::{Derivation, Position, Rewrite, Rule, Strategy, Trace, normal};
use lift_core::{generate, opencl, program};
use lift_laws::interp::{self, Value};
use lift_laws::replay::{outline, replay};

/// Listing 1: any weights.
const LISTING_1: &str = "#[kernel]
fn Convolution<N, M>(weights: [f32; 17 * 17], input: [[f32; M]; N]) -> [[f32; M]; N] {
    input.pad2d(8, 8, clamp).slide2d(17, 1).map2d(|nbh| zip(nbh.join(), weights).map(mul).reduce(add, 0.0))
}";

/// Listing 17 is the same once more. What makes it separable is in the weights: they are numbers.
const LISTING_17: &str = "const SLOPE: [f32; 17] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0];
const WEIGHTS: [[f32; 17]; 17] = array(17, |i| array(17, |j| SLOPE[i] * SLOPE[j]));

#[kernel]
fn Separable<N, M>(input: [[f32; M]; N]) -> [[f32; M]; N] {
    input.pad2d(8, 8, clamp).slide2d(17, 1).map2d(|nbh| zip(nbh.join(), WEIGHTS.join()).map(mul).reduce(add, 0.0))
}";

/// A stretch of the way: what it leads to, and from which expression it starts.
struct Stretch {
    title: &'static str,
    about: &'static str,
    kernel: Kernel,
    trace: Trace,
    /// The extents of work-groups, dimension 0 first; none if no device has to run it.
    group: Option<Vec<i64>>,
}

fn stretch(
    title: &'static str,
    about: &'static str,
    kernel: &Kernel,
    d: Derivation,
    group: &[i64],
) -> Stretch {
    let group = Some(group.to_vec());
    Stretch { title, about, kernel: kernel.clone(), trace: d.trace().clone(), group }
}

/// The same launch, from the end of the stretch before.
fn further(d: &Derivation) -> Derivation {
    Derivation::new(d.expr(), d.facts())
}

fn apply(d: &mut Derivation, rule: &'static Rule, position: &[usize]) -> Rewrite {
    d.apply(rule, position).unwrap_or_else(|| panic!("{} does not apply", rule.name))
}

/// Where the map stands that writes the results.
fn root(d: &Derivation) -> Position {
    writer(d.expr()).expect("something that is written").0
}

fn normalised(kernel: &Kernel) -> Derivation {
    let mut d = Derivation::new(&kernel.body, &kernel.facts);
    normal::strategy(Strategy::once).apply(&mut d);
    d
}

fn nest(d: &mut Derivation, position: &[usize], rules: [&'static Rule; 2]) -> Position {
    let placed = place::nest(d, position, &rules, Some(&place::SEQ));
    placed.last().expect("maps in two dimensions").clone()
}

/// One work-item for each element.
fn global(d: &mut Derivation) {
    let root = root(d);
    nest(d, &root, [&place::GLOBAL[1], &place::GLOBAL[0]]);
    place::reduce_everything(d);
}

/// Overlapped tiles of these extents, innermost first, of which no place is said yet.
fn tiled(d: &mut Derivation, position: &[usize], tile: &[i64]) {
    cut(d, position, tile);
    normal::strategy(Strategy::once).apply(d);
}

fn cut(d: &mut Derivation, position: &[usize], tile: &[i64]) {
    let tiles = apply(d, &OVERLAPPED_TILING, position).sizes;
    for (var, extent) in tiles.iter().zip(tile) {
        d.choose(var, *extent);
    }
}

/// Work-groups for tiles, and work-items for what is inside. Returns where the map stands whose function computes a tile.
fn grouped(d: &mut Derivation) -> Position {
    let root = root(d);
    let groups = place::nest(d, &root, &[&place::WORKGROUP[1], &place::WORKGROUP[0]], None);
    let groups = groups.last().expect("tiles in two dimensions").clone();
    nest(d, &position::join(&groups, &[0]), [&place::LOCAL[1], &place::LOCAL[0]]);
    groups
}

/// Where the first primitive of a kind stands, outermost first.
fn find(e: &Expr, prim: Prim) -> Option<Position> {
    if matches!(e.as_prim(), Some((p, _)) if p == prim) {
        return Some(Vec::new());
    }
    e.children().into_iter().enumerate().find_map(|(i, x)| Some(position::join(&[i], &find(x, prim)?)))
}

fn kernel(text: &str) -> Kernel {
    let [one] = common::compile(text).try_into().expect("one kernel");
    one.kernel
}

/// All of the way.
fn stretches() -> Vec<Stretch> {
    let whole = kernel(LISTING_1);
    let mut all = Vec::new();

    let mut d = normalised(&whole);
    global(&mut d);
    all.push(stretch("Listing 2", "From listing 1: a work-item for each element.", &whole, d, &[]));

    let mut d = normalised(&whole);
    let position = root(&d);
    tiled(&mut d, &position, &[16, 16]);
    let mut unplaced = further(&d);
    grouped(&mut d);
    place::reduce_everything(&mut d);
    all.push(stretch("Listing 5", "A work-group for each of the overlapping tiles.", &whole, d, &[16, 16]));

    let root = root(&unplaced);
    let groups = place::nest(&mut unplaced, &root, &[&place::WORKGROUP[1], &place::WORKGROUP[0]], None);
    let groups = groups.last().expect("tiles in two dimensions").clone();
    in_local(&mut unplaced, &groups);
    place::reduce_everything(&mut unplaced);
    all.push(stretch("Listing 6", "The tile in local memory.", &whole, unplaced, &[16, 16]));

    let whole = kernel(LISTING_17);
    let apart = program::rows_first::cut(&whole, Which::All).expect("two passes").program;
    let trace = apart.trace.clone().expect("steps");
    all.push(Stretch {
        title: "Separated",
        about: "From listing 17: the weights are those of a column times those of a row, and what a window needs of its rows is stored by a launch of its own.",
        kernel: whole.clone(),
        trace,
        group: None,
    });
    let [rows, columns] = apart.stages.as_slice() else { panic!("{} launches", apart.stages.len()) };
    for (kernel, title, about) in [
        (rows, "Listing 8, rows", "The first launch, with a work-item for each element."),
        (columns, "Listing 8, columns", "The second launch, with a work-item for each element."),
    ] {
        let mut d = normalised(kernel);
        global(&mut d);
        all.push(stretch(title, about, kernel, d, &[]));
    }
    let tiles: [(_, _, _, [i64; 2], [i64; 2]); 3] = [
        (rows, "Listing 9, rows", "Tiles of 128 columns in local memory.", [128, 1], [128, 1]),
        (columns, "Listing 9, columns", "Tiles of 64 rows in local memory.", [1, 64], [1, 64]),
        (
            columns,
            "Listing 11",
            "Tiles of 16 columns: neighbours in memory belong to one group.",
            [16, 64],
            [16, 8],
        ),
    ];
    let mut last = None;
    for (kernel, title, about, tile, group) in tiles {
        let mut d = normalised(kernel);
        let position = self::root(&d);
        tiled(&mut d, &position, &tile);
        let root = self::root(&d);
        let groups = place::nest(&mut d, &root, &[&place::WORKGROUP[1], &place::WORKGROUP[0]], None);
        let groups = groups.last().expect("tiles in two dimensions").clone();
        apply(&mut d, &memory::TILE_TO_LOCAL, &groups);
        last = Some((further(&d), groups.clone(), group));
        in_places(&mut d, &groups, Copy::Rows);
        place::reduce_everything(&mut d);
        all.push(stretch(title, about, kernel, d, &group));
    }
    let (d, groups, group) = last.expect("tiles");
    columns_in_local(&mut all, columns, (d, groups, &group));
    all
}

/// What is done about a tile of columns in local memory.
fn columns_in_local(
    all: &mut Vec<Stretch>,
    kernel: &Kernel,
    (d, groups, group): (Derivation, Position, &[i64]),
) {
    let finished = |mut d: Derivation, copy: Copy| {
        in_places(&mut d, &groups, copy);
        place::reduce_everything(&mut d);
        d
    };
    let tile = |d: &Derivation| find(d.expr(), Prim::Store(Memory::Local)).expect("a tile in local memory");

    let mut transposed = further(&d);
    let copied = tile(&transposed);
    apply(&mut transposed, &simplify::MAP_ID, &position::join(&copied, &[0, 0]));
    apply(&mut transposed, &simplify::MAP_ID, &position::join(&copied, &[0]));
    apply(&mut transposed, &memory::TRANSPOSED_TILE, &copied);
    let about = "The tile is transposed on its way to local memory.";
    all.push(stretch("Listing 12", about, kernel, finished(further(&transposed), Copy::Columns), group));

    let mut wider = further(&transposed);
    let copied = tile(&wider);
    let apart = apply(&mut wider, &memory::WIDER_ROWS, &copied).sizes;
    wider.choose(&apart[0], 1);
    let about = "Its rows are one element apart, so that work-items that read a column use different banks.";
    all.push(stretch("Listing 13", about, kernel, finished(further(&wider), Copy::Columns), group));

    let mut chunks = further(&wider);
    // Below the copy and the map over its rows.
    let row = position::join(&tile(&chunks), &[0, 0]);
    cut(&mut chunks, &row, &[8]);
    Strategy::Rule(&simplify::SIZES).apply(&mut chunks);
    Strategy::any(&[&simplify::PAD_NONE, &simplify::TAKE_ALL]).once().repeat(2).at(row).apply(&mut chunks);
    let about =
        "Each row is copied in chunks of 8, one after the other, and what copies them is written out.";
    all.push(stretch("Listing 16", about, kernel, finished(chunks, Copy::Chunks), group));
}

/// How a tile is copied.
#[derive(Clone, Copy, PartialEq)]
enum Copy {
    /// Neighbours of a row by neighbours.
    Rows,
    /// Transposed, so that neighbours in global memory are still read by neighbours.
    Columns,
    /// The same, a chunk of each row at a time.
    Chunks,
}

/// The tile of a group to local memory, and everybody at work.
fn in_local(d: &mut Derivation, groups: &[usize]) {
    apply(d, &memory::TILE_TO_LOCAL, groups);
    in_places(d, groups, Copy::Rows);
}

fn in_places(d: &mut Derivation, groups: &[usize], copy: Copy) {
    let body = position::join(groups, &[0]);
    nest(d, &body, [&place::LOCAL[1], &place::LOCAL[0]]);
    let tile = find(d.expr(), Prim::Store(Memory::Local)).expect("a tile in local memory");
    let tile = position::join(&tile, &[0]);
    match copy {
        Copy::Rows => nest(d, &tile, [&place::LOCAL[1], &place::LOCAL[0]]),
        Copy::Columns => nest(d, &tile, [&place::LOCAL[0], &place::LOCAL[1]]),
        Copy::Chunks => {
            apply(d, &place::LOCAL[0], &tile);
            let row = position::join(&tile, &[0]);
            let chunks = position::join(&row, &writer(&d.get(&row).expect("a row")).expect("chunks").0);
            apply(d, &place::SEQ_UNROLL, &chunks);
            let chunk = position::join(&chunks, &[0]);
            apply(d, &place::LOCAL[1], &chunk);
            chunk
        }
    };
}

/// Every step of every stretch means what the launch means, and can be done again.
#[test]
fn every_step_is_interpreted() {
    for stretch in stretches() {
        let again = replay(&stretch.trace, &stretch.kernel.facts);
        let again = again.unwrap_or_else(|stray| panic!("{}: {stray}", stretch.title));
        assert_eq!(again.trace().rules(), stretch.trace.rules());
        for values in [[1, 1], [5, 3]] {
            let kernel = &stretch.kernel;
            let sizes: BTreeMap<Var, i64> = kernel.sizes.iter().cloned().zip(values).collect();
            let mut data = Data::new(7);
            let inputs: Vec<Value> = kernel.params.iter().map(|p| value(&p.ty, &sizes, &mut data)).collect();
            let expected = interp::run(kernel, &sizes, &inputs).expect("a value");
            let mut known = sizes.clone();
            for (rule, e) in stretch.trace.expressions() {
                let rule = rule.map_or("", |rule| rule.name);
                for (var, tile) in unknown(e, &sizes).into_iter().zip([3, 2]) {
                    known.insert(var, tile);
                }
                let step = Kernel { body: e.clone(), ..kernel.clone() };
                let found =
                    interp::run(&step, &known, &inputs).unwrap_or_else(|why| panic!("{rule}: {why}\n{e}"));
                let place = format!("{}, {rule} at {values:?}\n{e}", stretch.title);
                let exactness = Exactness::of(kernel, stretch.trace.regroups());
                common::assert_close(&found.flat(), &expected.flat(), exactness, &place);
            }
        }
    }
}

fn value(ty: &Type, sizes: &BTreeMap<Var, i64>, data: &mut Data) -> Value {
    match ty {
        Type::Array(element, len) => {
            let n = interp::Env::new(sizes).size(len).expect("a known length");
            Value::Array((0..n).map(|_| value(element, sizes, data)).collect())
        }
        Type::Scalar(_) | Type::Tuple(_) => Value::from(data.f32()),
    }
}

fn unknown(e: &Expr, known: &BTreeMap<Var, i64>) -> Vec<Var> {
    sizes(e).into_iter().filter(|var| !known.contains_key(var)).collect()
}

/// What each stretch ends with runs, and computes what the interpreter says.
#[test]
fn what_is_derived_runs() {
    let device = device();
    for stretch in stretches() {
        let Some(group) = &stretch.group else { continue };
        let program = program::cut(&stretch.kernel);
        assert_eq!(program.stages.len(), 1);
        let variant = Variant {
            name: "naive",
            body: stretch.trace.result().clone(),
            tunables: Vec::new(),
            local: group.iter().map(|n| ArithExpr::cst(*n)).collect(),
            blocks: Vec::new(),
            vectors: &[16, 8],
            narrow: None,
            least: Vec::new(),
            facts: stretch.kernel.facts.clone(),
            trace: stretch.trace.clone(),
        };
        let generated = generate::compile(&stretch.kernel.name, &program, std::slice::from_ref(&variant));
        let version = Version {
            name: "naive",
            tunables: Vec::new(),
            least: Vec::new(),
            facts: variant.facts,
            regroups: variant.trace.regroups(),
            derivation: Printed(Vec::new()),
            generated,
        };
        let compiled = Compiled {
            types: String::new(),
            defines: opencl::defines(&stretch.kernel.sizes),
            kernel: stretch.kernel,
            versions: vec![version],
            host: Vec::new(),
            gpu_order: vec!["naive"],
            cpu_order: vec!["naive"],
            left_out: Vec::new(),
            missing: Vec::new(),
            cuts: None,
            steps: [0; 2],
        };
        let spec = common::spec::leak(&compiled);
        for sizes in [[("N", 1), ("M", 1)], [("N", 66), ("M", 17)], [("N", 3), ("M", 131)]] {
            Comparison { compiled: &compiled, spec, sizes: &sizes, tunables: &[], seed: 3 }.run(&device);
        }
    }
}

/// The rules that lead from stretch to stretch. `LIFT_PAGE=thesis` writes all steps to `target/derivations/thesis.md`.
#[test]
fn the_rules_are_those_that_were_reviewed() {
    let stretches = stretches();
    if std::env::var("LIFT_PAGE").is_ok_and(|page| ["thesis", "all"].contains(&page.as_str())) {
        let mut text = format!(
            "# A convolution in two passes\n\nThe thesis *Optimizing stencil computations with Lift*, listings 1 to 17: from the definition of a convolution with 17 × 17 \
             weights to tiles in local memory, and, if the weights are numbers that are products, to two launches, of which the second keeps transposed \
             tiles in local memory. Each section goes on where one before ended.\n\n```text\n{LISTING_1}\n```\n\n```text\n{LISTING_17}\n```\n"
        );
        for Stretch { title, about, trace, .. } in &stretches {
            writeln!(text, "\n## {title}\n\n{about}\n\n```text\n{trace}```").expect("a text");
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/derivations");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("thesis.md"), text).expect("a file that can be written");
    }
    let outline: String =
        stretches.iter().map(|stretch| format!("{}: {}\n", stretch.title, outline(&stretch.trace))).collect();
    insta::assert_snapshot!(outline, @r"
    Listing 2: map_global(1), map_global(0), reduce_seq
    Listing 5: overlapped_tiling, TILE_X := 16, TILE_Y := 16, map_workgroup(1), map_workgroup(0), map_local(1), map_local(0), reduce_seq
    Listing 6: map_workgroup(1), map_workgroup(0), tile_to_local, map_local(1), map_local(0), map_local(1), map_local(0), reduce_seq
    Separated: constant ×2, zip_rows, join_outwards, reduce_each_row, map_map, let_once, low_rank, rows_stored, let_view, store
    Listing 8, rows: map_global(1), map_global(0), reduce_seq
    Listing 8, columns: map_global(1), map_global(0), reduce_seq
    Listing 9, rows: overlapped_tiling, TILE_X := 128, TILE_Y := 1, take_all, pad_none, map_workgroup(1), map_workgroup(0), tile_to_local, map_local(1), map_local(0), map_local(1), map_local(0), reduce_seq
    Listing 9, columns: overlapped_tiling, TILE_X := 1, TILE_Y := 64, take_all, map_id, pad_none, map_id, map_workgroup(1), map_workgroup(0), tile_to_local, map_local(1), map_local(0), map_local(1), map_local(0), reduce_seq
    Listing 11: overlapped_tiling, TILE_X := 16, TILE_Y := 64, map_workgroup(1), map_workgroup(0), tile_to_local, map_local(1), map_local(0), map_local(1), map_local(0), reduce_seq
    Listing 12: map_local(1), map_local(0) ×2, map_local(1), reduce_seq
    Listing 13: map_local(1), map_local(0) ×2, map_local(1), reduce_seq
    Listing 16: overlapped_tiling, TILE_X := 8, take_all, pad_none, map_local(1), map_local(0) ×2, map_seq_unroll, map_local(1), reduce_seq
    ");
}
