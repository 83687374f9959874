//! Which versions the compiler derives of every program of the suite, at least; and that all of them are measured.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use lift::Kernel;
use lift::spec::{KernelSpec, Operation};
use lift_suite::blas::{Asum, Dot, Gemm, GemmNt, GemmTn, GemmTt, Gemv, Scal};
use lift_suite::cluster::NearestCentre;
use lift_suite::finance::BlackScholes;
use lift_suite::fractal::Mandelbrot;
use lift_suite::measure::ROWS;
use lift_suite::physics::{MolecularDynamics, NBody};
use lift_suite::reduce::{Largest, Sum, SumOfIntegers};
use lift_suite::rooms::impulse::Listen;
use lift_suite::rooms::volume::Volume;
use lift_suite::rooms::walls::{FdMm, FiMm};
use lift_suite::stencils::acoustic::Acoustic;
use lift_suite::stencils::convolution::{
    Blur, Convolution, ConvolveColumns, ConvolveRows, SeparableConvolution,
};
use lift_suite::stencils::gaussian::Gaussian;
use lift_suite::stencils::gradient::Gradient;
use lift_suite::stencils::heat::Heat;
use lift_suite::stencils::hotspot::{Hotspot2d, Hotspot3d, IteratedHotspot2d};
use lift_suite::stencils::jacobi::{
    IteratedJacobi2d, IteratedJacobi3d, Jacobi2d5, Jacobi2d9, Jacobi3d7, Jacobi3d13, Jacobi3d19Dense,
    Jacobi3d19Leggy, Jacobi3d27, SixSteps2d, ThreeSteps3d,
};
use lift_suite::stencils::life::Life;
use lift_suite::stencils::poisson::Poisson;
use lift_suite::stencils::shoc::Stencil2d;
use lift_suite::stencils::srad::{Srad, Srad1, Srad2};

/// What a program must have.
#[derive(Debug, Clone, Copy)]
enum Need {
    /// A version of one of these names.
    Version(&'static [&'static str]),
    /// A first launch that reduces chunks and a second one that reduces what these give, in every version.
    TwoStages,
}

/// Blocks of results in registers.
const REGISTERS: Need = Need::Version(&["registers"]);

/// Blocks of results in registers inside of tiles, for windows that are too large for registers by themselves.
const WINDOW_ROWS: Need = Need::Version(&["window_rows"]);

/// Tiles in local memory.
const TILED: Need = Need::Version(&["tiled"]);

/// A loop through the planes, whose last ones stay in registers.
const MARCHING: Need = Need::Version(&["marching", "planes"]);

/// Rows first and columns afterwards.
const SEPARATED: Need = Need::Version(&["separated", "rows_first"]);

/// Several steps in one launch.
const PASSES: Need = Need::Version(&["passes"]);

/// Products in blocks.
const BLOCKED: Need = Need::Version(&["blocked"]);

/// A stencil in a plane.
const PLANE: &[Need] = &[REGISTERS];

/// The same, again and again.
const PLANE_IN_TIME: &[Need] = &[REGISTERS, PASSES];

/// A stencil with windows along one dimension, of many points.
const LINE: &[Need] = &[REGISTERS, TILED];

/// A stencil in a volume.
const VOLUME: &[Need] = &[REGISTERS, MARCHING];

/// The same, again and again.
const VOLUME_IN_TIME: &[Need] = &[REGISTERS, MARCHING, PASSES];

/// Windows that are too deep for blocks: the loop through the planes keeps in registers what can be kept.
const DEEP_VOLUME: &[Need] = &[MARCHING, TILED];

/// A reduction of whole arrays.
const REDUCTION: &[Need] = &[Need::TwoStages];

/// A product of matrices.
const PRODUCT: &[Need] = &[BLOCKED];

/// Every work-item computes what is its own.
const PLAIN: &[Need] = &[];

fn spec<K: Kernel>() -> &'static KernelSpec {
    K::SPEC
}

/// All programs; with types of its own each.
fn programs() -> Vec<(&'static KernelSpec, &'static [Need])> {
    vec![
        (spec::<Scal<f32>>(), PLAIN),
        (spec::<Scal<f64>>(), PLAIN),
        (spec::<Asum<f32>>(), REDUCTION),
        (spec::<Asum<f64>>(), REDUCTION),
        (spec::<Dot<f32>>(), REDUCTION),
        (spec::<Dot<f64>>(), REDUCTION),
        (spec::<Gemv<f32>>(), PLAIN),
        (spec::<Gemv<f64>>(), PLAIN),
        (spec::<Gemm<f32>>(), PRODUCT),
        // Blocks of 8 × 8 doubles do not fit into registers.
        (spec::<Gemm<f64>>(), &[Need::Version(&["blocked_64"])]),
        (spec::<GemmTn>(), PRODUCT),
        (spec::<GemmNt>(), PRODUCT),
        (spec::<GemmTt>(), PRODUCT),
        (spec::<Sum<f32>>(), REDUCTION),
        (spec::<Sum<f64>>(), REDUCTION),
        (spec::<SumOfIntegers>(), REDUCTION),
        (spec::<Largest<f32>>(), REDUCTION),
        (spec::<Largest<f64>>(), REDUCTION),
        (spec::<NearestCentre>(), PLAIN),
        (spec::<BlackScholes<f32>>(), PLAIN),
        (spec::<BlackScholes<f64>>(), PLAIN),
        (spec::<Mandelbrot>(), PLAIN),
        (spec::<NBody>(), PLAIN),
        (spec::<MolecularDynamics>(), PLAIN),
        (spec::<Listen>(), PLAIN),
        (spec::<Volume>(), VOLUME),
        (spec::<FiMm>(), PLAIN),
        (spec::<FdMm>(), PLAIN),
        (spec::<Acoustic<f32>>(), VOLUME),
        (spec::<Acoustic<f64>>(), VOLUME),
        (spec::<Convolution>(), &[TILED, WINDOW_ROWS]),
        (spec::<ConvolveColumns>(), LINE),
        (spec::<ConvolveRows>(), LINE),
        // Its own text says what the two passes are.
        (spec::<SeparableConvolution>(), LINE),
        // The passes keep blocks in registers; whole windows do not fit.
        (spec::<Blur>(), &[TILED, SEPARATED]),
        (spec::<Gaussian>(), &[REGISTERS, SEPARATED]),
        (spec::<Gradient>(), PLANE),
        (spec::<Heat>(), VOLUME),
        (spec::<Hotspot2d>(), PLANE),
        (spec::<IteratedHotspot2d>(), PLANE_IN_TIME),
        (spec::<Hotspot3d>(), VOLUME),
        (spec::<Jacobi2d5<f32>>(), PLANE),
        (spec::<Jacobi2d5<f64>>(), PLANE),
        (spec::<IteratedJacobi2d<f32>>(), PLANE_IN_TIME),
        (spec::<IteratedJacobi2d<f64>>(), PLANE_IN_TIME),
        (spec::<SixSteps2d>(), PLANE_IN_TIME),
        (spec::<ThreeSteps3d>(), VOLUME_IN_TIME),
        (spec::<IteratedJacobi3d>(), VOLUME_IN_TIME),
        (spec::<Jacobi2d9>(), PLANE),
        (spec::<Jacobi3d7<f32>>(), VOLUME),
        (spec::<Jacobi3d7<f64>>(), VOLUME),
        (spec::<Jacobi3d13>(), DEEP_VOLUME),
        (spec::<Jacobi3d19Leggy>(), DEEP_VOLUME),
        (spec::<Jacobi3d19Dense>(), VOLUME),
        (spec::<Jacobi3d27>(), VOLUME),
        (spec::<Life>(), PLANE),
        (spec::<Poisson>(), VOLUME),
        (spec::<Stencil2d>(), PLANE),
        // A mean of the whole image comes between two steps, so that no launch can compute several.
        (spec::<Srad>(), PLANE),
        (spec::<Srad1>(), PLANE),
        (spec::<Srad2>(), PLANE),
    ]
}

/// The name of a program, whatever its types.
fn name(spec: &KernelSpec) -> &str {
    spec.name.split('<').next().unwrap_or_default()
}

/// What a program lacks.
fn lacking(spec: &KernelSpec, needs: &[Need]) -> Vec<String> {
    let names: Vec<&str> = spec.variants.iter().map(|variant| &*variant.name).collect();
    let launches = |operations: &[Operation]| {
        operations.iter().filter(|operation| matches!(operation, Operation::Launch(_))).count()
    };
    let is_there = |need: &Need| match need {
        Need::Version(any) => any.iter().any(|name| names.contains(name)),
        Need::TwoStages => spec.variants.iter().all(|variant| launches(&variant.operations) == 2),
    };
    let all = [&[Need::Version(&["naive"])], needs].concat();
    let missing = all.into_iter().filter(|need| !is_there(need));
    missing.map(|need| format!("{}: {need:?} is not among {names:?}", spec.name)).collect()
}

#[test]
fn every_program_has_its_versions() {
    let missing: Vec<String> =
        programs().into_iter().flat_map(|(spec, needs)| lacking(spec, needs)).collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// How often every kernel of a file is made: once for each of its types.
fn kernels(text: &str) -> Vec<(String, usize)> {
    let parts = text.split("#[kernel]").skip(1);
    let named = parts.map(|part| {
        let (attributes, rest) = part.split_once("pub fn ").expect("a function after `#[kernel]`");
        let types = attributes.split_once("#[types(").map_or("", |(_, types)| types);
        let name = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        (name.to_string(), 1 + types.matches(',').count())
    });
    named.collect()
}

/// The kernels below a folder, but for those in the low-level language, which are what they are, in one version, and those that users write, whose
/// versions have no names to keep.
fn written(folder: &Path, found: &mut BTreeMap<String, usize>) {
    for entry in fs::read_dir(folder).expect("the suite's sources") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true if path.ends_with("low") || path.ends_with("natural") => {}
            true => written(&path, found),
            false => found.extend(kernels(&fs::read_to_string(&path).expect("a text"))),
        }
    }
}

#[test]
fn no_program_is_left_out() {
    let mut written_down = BTreeMap::new();
    written(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut written_down);
    let mut listed: BTreeMap<String, usize> = BTreeMap::new();
    for (spec, _) in programs() {
        *listed.entry(name(spec).to_string()).or_default() += 1;
    }
    assert_eq!(listed, written_down);
}

#[test]
fn every_program_is_measured() {
    let measured: BTreeSet<&str> = ROWS.iter().map(|row| name(row.algorithmic.spec)).collect();
    let programs = programs();
    let missing: BTreeSet<&str> =
        programs.iter().map(|(spec, _)| name(spec)).filter(|name| !measured.contains(name)).collect();
    assert!(missing.is_empty(), "there are no rows for {missing:?}");
}
