//! Running the statements of a kernel instead of its text, and comparing with the interpreter. Indices fit the type that they are computed in,
//! which has as few bits as the declared bounds allow; no access is outside of an array; all work-items of a group come to the same
//! barriers, in whatever order they run; and what they access is ordered by these.

use std::collections::BTreeMap;

use lift_core::arith::{ArithExpr, Var};
use lift_core::imp::Kernel;
use lift_core::ir::{Output, Type};
use lift_core::pipeline::{Compiled, Version};
use lift_laws::effort;
use lift_laws::interp::{self, Value};
use lift_laws::run::program::{Leaf, Program, Ran, run_program};
use lift_laws::run::{Cell, Extreme, Options};

use super::cases::Case;
use super::values::{Data, Exactness, assert_close, columns, expected_leaves, random, updated_leaves};

/// Larger ones say nothing more about indices.
pub const MOST_ELEMENTS: i64 = 150;

/// Tiles of other sizes than the default.
const TILES: &[(&str, i64)] =
    &[("TILE_X", 5), ("TILE_Y", 3), ("TILE_Z", 2), ("TILE_X_1", 5), ("TILE_Y_2", 7)];

/// Runs every version of a kernel, of those at the positions for which this holds, at one of the first sizes that have few elements.
pub fn check(case: &Case, compiled: &Compiled, seed: u64, is_chosen: impl Fn(usize) -> bool) {
    let few = |sizes: &&&[(&str, i64)]| sizes.iter().map(|(_, n)| n).product::<i64>() <= MOST_ELEMENTS;
    let turns = case.sizes.iter().filter(few).take(2).count();
    for (i, sizes) in case.sizes.iter().filter(few).take(2).enumerate() {
        let tunables = if i == 1 { TILES } else { &[] };
        let statements = Statements { compiled, sizes, tunables, seed: 100 * seed + i as u64 };
        statements.check(|version| is_chosen(version) && effort::has_turn(version, (i, turns), seed));
    }
}

/// A kernel with values for its sizes and tunables.
pub struct Statements<'a> {
    /// The kernel.
    pub compiled: &'a Compiled,
    /// Its size variables.
    pub sizes: &'a [(&'a str, i64)],
    /// Tunables to set, where the version has them.
    pub tunables: &'a [(&'a str, i64)],
    /// Seed of the data, and of the order of work-items.
    pub seed: u64,
}

/// What was computed in `index_t`.
pub struct Indices {
    /// The greatest of the declared bounds.
    pub bound: i128,
    /// The greatest absolute value.
    pub greatest: i128,
    /// All values.
    pub extremes: Vec<Extreme>,
}

impl Statements<'_> {
    /// Runs the versions at these positions, with indices of as few bits as their bounds allow.
    pub fn check(&self, wanted: impl Fn(usize) -> bool) {
        // The launcher launches nothing.
        if self.is_refused() || self.computes_nothing() {
            return;
        }
        let wanted = |(position, _): &(usize, &Version)| wanted(*position);
        let versions: Vec<_> = self.compiled.versions.iter().enumerate().filter(wanted).collect();
        if versions.is_empty() {
            return;
        }
        let expected = self.expected();
        for (_, version) in versions {
            self.compare(version, &expected);
        }
    }

    /// Whether a result would have fewer elements than none.
    fn is_refused(&self) -> bool {
        let results = self.compiled.kernel.result_types();
        results.iter().flat_map(|ty| self.extents(ty)).flatten().any(|n| n < 0)
    }

    /// Whether there are results, none of which has elements, and nothing is updated.
    fn computes_nothing(&self) -> bool {
        let kernel = &self.compiled.kernel;
        let results = kernel.result_types();
        kernel.outputs.iter().all(|output| *output == Output::Result)
            && results.iter().flat_map(|ty| self.extents(ty)).all(|extents| extents.contains(&0))
    }

    /// The extents of every leaf of a type.
    fn extents(&self, ty: &Type) -> Vec<Vec<i128>> {
        let sizes = self.size_values();
        let extent = |n: ArithExpr| n.eval(&|v| sizes.get(v).map(|n| i128::from(*n)));
        ty.leaves().into_iter().map(|(dims, _)| dims.into_iter().filter_map(extent).collect()).collect()
    }

    /// Runs a version, with indices of as few bits as its bounds allow, and compares.
    pub fn run(&self, version: &Version) -> Indices {
        self.compare(version, &self.expected())
    }

    fn compare(&self, version: &Version, expected: &[Vec<Value>]) -> Indices {
        let kernel = &self.compiled.kernel;
        self.compare_in(version, bits(self.bound(version)), expected).unwrap_or_else(|e| {
            let (sizes, tunables, source) = (self.sizes, self.tunables, &version.generated.source);
            panic!("{e}\nin {} ({}) with {sizes:?} {tunables:?}\n{source}", kernel.name, version.name)
        })
    }

    /// The same with indices of so many bits. An error says what went wrong in the statements; a result that is
    /// not the interpreter's is a failure.
    pub fn run_in(&self, version: &Version, index_bits: u32) -> Result<Indices, String> {
        self.compare_in(version, index_bits, &self.expected())
    }

    fn compare_in(
        &self,
        version: &Version,
        index_bits: u32,
        expected: &[Vec<Value>],
    ) -> Result<Indices, String> {
        let kernel = &self.compiled.kernel;
        let ran = self.execute(version, &version.generated.functions, index_bits)?;
        let place = || {
            let (sizes, tunables, source) = (self.sizes, self.tunables, &version.generated.source);
            format!("{} ({}) with {sizes:?} {tunables:?}\n{source}", kernel.name, version.name)
        };
        let updated = ran.params.iter().zip(updated_leaves(kernel)).filter(|(_, updated)| *updated);
        let updated = updated.map(|(leaf, _)| match leaf {
            Leaf::Array(cells) => cells.clone(),
            Leaf::Scalar(_) => panic!("a scalar is updated"),
        });
        let found = ran.results.iter().cloned().chain(updated);
        for (found, expected) in found.zip(expected) {
            let found: Option<Vec<Value>> = found.into_iter().map(|x| x.map(Value::Scalar)).collect();
            let found = found.unwrap_or_else(|| panic!("an element is not written in {}", place()));
            let exactness = Exactness::of(kernel, version.regroups);
            assert_close(&found, expected, exactness, &place());
        }
        let extremes: Vec<Extreme> = ran.extremes.into_values().flatten().collect();
        let greatest = extremes.iter().map(|e| e.greatest.abs().max(e.least.abs())).max().unwrap_or(0);
        Ok(Indices { bound: self.bound(version), greatest, extremes })
    }

    /// How many operations the statements of a version take, and how many the kernel takes as it is written; each with one for every element
    /// of the result.
    pub fn work(&self, version: &Version) -> Result<[u64; 2], String> {
        let kernel = &self.compiled.kernel;
        let ran = self.execute(version, &version.generated.functions, 64)?;
        let (_, written) = interp::counted(kernel, &self.size_values(), &self.inputs())?;
        let results = ran.results.iter().map(|leaf| leaf.len() as u64).sum::<u64>();
        Ok([ran.counts.operations + results, written + results])
    }

    fn inputs(&self) -> Vec<Value> {
        let (sizes, mut data) = (self.size_values(), Data::new(self.seed));
        self.compiled.kernel.params.iter().map(|p| random(&p.ty, &sizes, &mut data)).collect()
    }

    /// What the interpreter computes.
    fn expected(&self) -> Vec<Vec<Value>> {
        let kernel = &self.compiled.kernel;
        let result = interp::run(kernel, &self.size_values(), &self.inputs());
        expected_leaves(kernel, &result.expect("the interpreter's result"))
    }

    /// What these functions leave in the place of those of a version.
    pub fn execute(
        &self,
        version: &Version,
        functions: &[(String, Kernel)],
        index_bits: u32,
    ) -> Result<Ran, String> {
        let kernel = &self.compiled.kernel;
        let values = |v: &Var| self.value(version, v);
        let inputs = self.inputs();
        let leaves = kernel.params.iter().zip(&inputs).flat_map(|(param, input)| {
            let leaves = param.ty.leaves().into_iter().zip(columns(input, &param.ty));
            leaves.map(|((dims, _), xs)| match (dims.as_slice(), cells(&xs).as_slice()) {
                ([], [Some(x)]) => Leaf::Scalar(*x),
                (_, xs) => Leaf::Array(xs.to_vec()),
            })
        });
        let leaves: Vec<Leaf> = leaves.collect();
        let elements = |dims: &[ArithExpr]| -> usize {
            // Of an array that is shorter than a window, there are none.
            dims.iter().map(|n| n.eval(&values).expect("an extent").max(0) as usize).product()
        };
        let results = kernel.result_types();
        let results = results.iter().flat_map(|ty| ty.leaves());
        let results: Vec<usize> = results.map(|(dims, _)| elements(&dims)).collect();
        let program = Program { functions, schedule: &version.generated.schedule };
        let options = Options { values: &values, index_bits, seed: self.seed };
        run_program(program, &leaves, &results, &options)
    }

    fn size_values(&self) -> BTreeMap<Var, i64> {
        self.compiled.kernel.sizes.iter().map(|v| (v.clone(), self.size(v))).collect()
    }

    /// The greatest bound of a version. A bound without a value, such as a quotient of empty rows, asks for 64 bits.
    pub fn bound(&self, version: &Version) -> i128 {
        let values = |v: &Var| self.value(version, v);
        let all = version.generated.widest.iter();
        all.map(|bound| bound.eval(&values).unwrap_or(i64::MAX.into())).max().unwrap_or(0)
    }

    fn size(&self, var: &Var) -> i64 {
        let size = self.sizes.iter().find(|(name, _)| *name == var.name());
        size.unwrap_or_else(|| panic!("size {} is missing", var.name())).1
    }

    fn value(&self, version: &Version, var: &Var) -> Option<i128> {
        if self.compiled.kernel.sizes.contains(var) {
            return Some(self.size(var).into());
        }
        let tunable = version.tunables.iter().find(|tunable| tunable.var == *var)?;
        let set = self.tunables.iter().find(|(name, _)| *name == tunable.var.name());
        Some(set.map_or(tunable.default, |(_, value)| *value).into())
    }
}

/// The fewest bits of a type that holds a number and its negative.
pub fn bits(bound: i128) -> u32 {
    (2..127).find(|bits| bound < 1 << (bits - 1)).expect("a bound below 2^126")
}

fn cells(xs: &[Value]) -> Vec<Cell> {
    xs.iter().map(|x| x.as_scalar()).collect()
}
