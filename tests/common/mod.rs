//! What several test files share: compiling a text as the macro would, and comparing what a device computes
//! with what the interpreter says.

#![allow(dead_code, reason = "each test file uses a part of this")]

pub mod algebra;
pub mod builtins;
pub mod cases;
pub mod channels;
pub mod contractions;
pub mod early;
pub mod empties;
pub mod forms;
pub mod groups;
pub mod in_order;
pub mod keys;
pub mod lanes;
pub mod large;
pub mod layouts;
pub mod low;
pub mod neighbours;
pub mod oclgrind;
pub mod pages;
pub mod passes;
pub mod programs;
pub mod quotients;
pub mod shared;
pub mod spec;
pub mod statements;
pub mod strategies;
pub mod streams;
pub mod values;
pub mod weights;
pub mod work;

use std::collections::{BTreeMap, BTreeSet};

use lift::__private::host::Entry;
use lift::spec::{KernelSpec, Variant};
use lift::{Device, HostArg, Launcher, f16};
use lift_core::arith::Var;
use lift_core::ir::{Literal, Scalar, Type};
use lift_core::pipeline::Compiled;
use lift_laws::effort;
use lift_laws::interp::{self, Value};
use ndarray::{ArrayD, IxDyn};

#[allow(unused_imports, reason = "each test file uses a part of this")]
pub use programs::{compile, to_opencl};
pub use values::{Data, Exactness, assert_close};
use values::{columns, expected_leaves, extent, random, updated_leaves};

/// The device of the tests: PoCL, or what `LIFT_DEVICE` says. Without a device, tests fail.
pub fn device() -> Device {
    let wanted = std::env::var("LIFT_DEVICE").unwrap_or_else(|_| "pocl".into());
    Device::find(&wanted).unwrap_or_else(|e| panic!("the tests need an OpenCL device: {e}"))
}

/// An argument with its Rust type: what the launcher takes.
enum Host {
    F32(ArrayD<f32>),
    F64(ArrayD<f64>),
    F16(ArrayD<f16>),
    I8(ArrayD<i8>),
    I16(ArrayD<i16>),
    I32(ArrayD<i32>),
    I64(ArrayD<i64>),
    U8(ArrayD<u8>),
    U16(ArrayD<u16>),
    U32(ArrayD<u32>),
    U64(ArrayD<u64>),
    Bool(ArrayD<bool>),
    Usize(ArrayD<usize>),
}

fn host(value: &Value, scalar: Scalar, dims: &[usize]) -> Host {
    let flat: Vec<Literal> = value.flat().iter().filter_map(Value::as_scalar).collect();
    macro_rules! array {
        ($host:ident, |$x:ident| $value:expr) => {
            Host::$host(
                ArrayD::from_shape_vec(IxDyn(dims), flat.into_iter().map(|$x| $value).collect())
                    .expect("as many elements as the dimensions say"),
            )
        };
    }
    match scalar {
        Scalar::F32 => array!(F32, |x| x.as_float().expect("a float") as f32),
        Scalar::F64 => array!(F64, |x| x.as_float().expect("a float")),
        Scalar::F16 => array!(F16, |x| f16::from_f64(x.as_float().expect("a float"))),
        Scalar::I8 => array!(I8, |x| x.as_int().expect("an integer") as i8),
        Scalar::I16 => array!(I16, |x| x.as_int().expect("an integer") as i16),
        Scalar::I32 => array!(I32, |x| x.as_int().expect("an integer") as i32),
        Scalar::I64 => array!(I64, |x| x.as_int().expect("an integer") as i64),
        Scalar::U8 => array!(U8, |x| x.as_int().expect("an integer") as u8),
        Scalar::U16 => array!(U16, |x| x.as_int().expect("an integer") as u16),
        Scalar::U32 => array!(U32, |x| x.as_int().expect("an integer") as u32),
        Scalar::U64 => array!(U64, |x| x.as_int().expect("an integer") as u64),
        Scalar::Bool => array!(Bool, |x| x == Literal::Bool(true)),
        Scalar::Usize => array!(Usize, |x| x.as_int().expect("an integer") as usize),
    }
}

/// The arrays in the ranks that the launcher's types know.
macro_rules! typed {
    ($array:expr, $host:path, $with:ident) => {
        match $array.ndim() {
            0 => $with!($array.clone().into_raw_vec_and_offset().0[0]),
            1 => $with!($array, 1, $host),
            2 => $with!($array, 2, $host),
            3 => $with!($array, 3, $host),
            4 => $with!($array, 4, $host),
            rank => panic!("rank {rank} in a test"),
        }
    };
}

impl Host {
    fn view(&self) -> View<'_> {
        macro_rules! view {
            ($x:expr) => {
                View::Scalar(Box::new(move || HostArg::scalar($x)))
            };
            ($array:expr, $rank:literal, $host:path) => {
                View::Array(Box::new(Owned::<_, $rank>::new($array, $host)))
            };
        }
        match self {
            Host::F32(a) => typed!(a, Host::F32, view),
            Host::F64(a) => typed!(a, Host::F64, view),
            Host::F16(a) => typed!(a, Host::F16, view),
            Host::I8(a) => typed!(a, Host::I8, view),
            Host::I16(a) => typed!(a, Host::I16, view),
            Host::I32(a) => typed!(a, Host::I32, view),
            Host::I64(a) => typed!(a, Host::I64, view),
            Host::U8(a) => typed!(a, Host::U8, view),
            Host::U16(a) => typed!(a, Host::U16, view),
            Host::U32(a) => typed!(a, Host::U32, view),
            Host::U64(a) => typed!(a, Host::U64, view),
            Host::Bool(a) => typed!(a, Host::Bool, view),
            Host::Usize(a) => typed!(a, Host::Usize, view),
        }
    }
}

impl Host {
    /// Its elements.
    fn values(&self) -> Vec<Value> {
        match self {
            Host::F32(a) => a.iter().map(|x| Value::from(*x)).collect(),
            Host::F64(a) => a.iter().map(|x| Value::from(*x)).collect(),
            Host::F16(a) => {
                a.iter().map(|x| Value::Scalar(Literal::float(x.to_f64(), Scalar::F16))).collect()
            }
            Host::I8(a) => a.iter().map(|x| Value::from(*x)).collect(),
            Host::I16(a) => a.iter().map(|x| Value::from(*x)).collect(),
            Host::I32(a) => a.iter().map(|x| Value::from(*x)).collect(),
            Host::I64(a) => a.iter().map(|x| Value::from(*x)).collect(),
            Host::U8(a) => a.iter().map(|x| Value::from(*x)).collect(),
            Host::U16(a) => a.iter().map(|x| Value::from(*x)).collect(),
            Host::U32(a) => a.iter().map(|x| Value::from(*x)).collect(),
            Host::U64(a) => a.iter().map(|x| Value::from(*x)).collect(),
            Host::Bool(a) => a.iter().map(|x| Value::from(*x)).collect(),
            Host::Usize(a) => a.iter().map(|x| Value::from(*x)).collect(),
        }
    }
}

enum View<'a> {
    Scalar(Box<dyn Fn() -> HostArg<'static> + 'a>),
    Array(Box<dyn AsArg + 'a>),
}

trait AsArg {
    fn arg(&self) -> HostArg<'_>;

    /// The same, to be replaced.
    fn update(&mut self) -> HostArg<'_>;

    /// What it contains.
    fn host(&self) -> Host;
}

/// A slice with a shape: one of the forms that `run` accepts.
struct Owned<T, const D: usize> {
    data: (Vec<T>, [usize; D]),
    host: fn(ArrayD<T>) -> Host,
}

impl<T: Clone, const D: usize> Owned<T, D> {
    fn new(array: &ArrayD<T>, host: fn(ArrayD<T>) -> Host) -> Owned<T, D> {
        let shape = std::array::from_fn(|i| array.shape()[i]);
        Owned { data: (array.iter().cloned().collect(), shape), host }
    }
}

impl<T: lift::Scalar, const D: usize> AsArg for Owned<T, D> {
    fn arg(&self) -> HostArg<'_> {
        HostArg::array::<T, D>(Box::leak(Box::new((self.data.0.as_slice(), self.data.1))))
    }

    fn update(&mut self) -> HostArg<'_> {
        HostArg::update::<T, D>(&mut self.data)
    }

    fn host(&self) -> Host {
        let (elements, shape) = self.data.clone();
        (self.host)(ArrayD::from_shape_vec(IxDyn(&shape), elements).expect("its shape"))
    }
}

/// The text of the macro in a file of kernels.
pub fn macro_text(file: &str) -> &str {
    let (_, rest) = file.split_once("lift!(").expect("a macro");
    let (text, _) = rest.rsplit_once(");").expect("its end");
    text
}

/// What runs a kernel.
#[derive(Clone, Copy)]
enum Executor<'a> {
    /// A device of OpenCL.
    Device(&'a Device),
    /// The CPU, with these functions.
    Host(&'static [Entry]),
}

impl Executor<'_> {
    /// The versions for it.
    fn variants(self, spec: &'static KernelSpec) -> &'static [Variant] {
        match self {
            Executor::Device(_) => &spec.variants,
            Executor::Host(_) => &spec.host,
        }
    }

    fn launcher(self, spec: &'static KernelSpec) -> lift::Result<Launcher> {
        let (device, functions) = match self {
            Executor::Device(device) => (device, [].as_slice()),
            Executor::Host(functions) => (&Device::cpu(), functions),
        };
        // SAFETY: the compiler made the description.
        Ok(unsafe { Launcher::new(spec, device) }?.with_functions(functions))
    }
}

/// Runs one kernel in every variant, and compares with the interpreter.
pub struct Comparison<'a> {
    /// The kernel.
    pub compiled: &'a Compiled,
    /// The same for the runtime: at the first sizes it is built for these, and at others for all.
    pub spec: &'static KernelSpec,
    /// Its size variables.
    pub sizes: &'a [(&'a str, i64)],
    /// Tunables to set, where the variant has them.
    pub tunables: &'a [(&'a str, i64)],
    /// Seed of the data.
    pub seed: u64,
}

impl Comparison<'_> {
    /// Runs everything; panics at the first difference.
    pub fn run(&self, device: &Device) {
        let ran = self.run_those(&[Executor::Device(device)], |_, _| true, |_| None);
        assert!(!ran.is_empty(), "{} has no version", self.compiled.kernel.name);
    }

    /// Runs the versions that are compiled to Rust, with each of these lists of their functions.
    pub fn run_on_host(&self, functions: &[&'static [Entry]]) {
        let executors: Vec<Executor<'_>> =
            functions.iter().map(|functions| Executor::Host(functions)).collect();
        let ran = self.run_those(&executors, |_, _| true, |_| None);
        assert!(!ran.is_empty(), "{} has no version for the host", self.compiled.kernel.name);
    }

    /// Runs the versions at the positions for which this holds and whose turn it is ([`effort`]), every other one of them built for all
    /// sizes, and says which of them the device had enough local memory for.
    pub fn run_in_turn(
        &self,
        device: &Device,
        turn: (usize, usize),
        is_chosen: impl Fn(usize) -> bool,
    ) -> BTreeSet<usize> {
        let wanted =
            |i: usize, _: &dyn Fn(&str) -> bool| is_chosen(i) && effort::has_turn(i, turn, self.seed);
        let specialise = |i: usize| (i as u64 + self.seed / 2).is_multiple_of(2).then_some(false);
        self.run_those(&[Executor::Device(device)], wanted, specialise)
    }

    /// Of the versions at the positions for which this holds, runs every other one of those that have one of the tunables; for the others nothing changes with them.
    pub fn run_tunable(&self, device: &Device, is_chosen: impl Fn(usize) -> bool) {
        let wanted = |i: usize, has: &dyn Fn(&str) -> bool| {
            is_chosen(i)
                && self.tunables.iter().any(|(name, _)| has(name))
                && effort::has_turn(i, (0, 2), self.seed)
        };
        self.run_those(&[Executor::Device(device)], wanted, |_| None);
    }

    /// Runs the versions for which this holds, given their position and the names of their tunables, and says which of them
    /// had enough local memory. Of each, whether it is built for the sizes, if the runtime does not choose.
    fn run_those(
        &self,
        executors: &[Executor<'_>],
        wanted: impl Fn(usize, &dyn Fn(&str) -> bool) -> bool,
        specialise: impl Fn(usize) -> Option<bool>,
    ) -> BTreeSet<usize> {
        let spec = self.spec;
        let wanted = |(i, variant): &(usize, &Variant)| {
            wanted(*i, &|name| variant.tunables.iter().any(|t| t.name == name))
        };
        let runs = executors.iter().flat_map(|executor| {
            let variants = executor.variants(spec).iter().enumerate().filter(wanted);
            variants.map(|(position, variant)| (*executor, position, variant))
        });
        let runs: Vec<(Executor<'_>, usize, &Variant)> = runs.collect();
        if runs.is_empty() {
            return BTreeSet::new();
        }
        let kernel = &self.compiled.kernel;
        let sizes: BTreeMap<Var, i64> = kernel
            .sizes
            .iter()
            .map(|v| {
                let size = self.sizes.iter().find(|(name, _)| name == &v.name());
                (v.clone(), size.unwrap_or_else(|| panic!("size {} is missing", v.name())).1)
            })
            .collect();
        let mut data = Data::new(self.seed);
        let (inputs, hosts): (Vec<Value>, Vec<Vec<Host>>) =
            kernel.params.iter().map(|p| with_hosts(&p.ty, &sizes, &mut data)).unzip();
        let expected = interp::run(kernel, &sizes, &inputs).expect("the interpreter's result");
        let updated: Vec<bool> = updated_leaves(kernel);
        let mut ran = BTreeSet::new();
        for (executor, position, variant) in runs {
            let mut launcher = executor
                .launcher(spec)
                .and_then(|launcher| launcher.variant(&variant.name))
                .expect("the variant")
                .check_duplicates(true);
            if let Some(specialise) = specialise(position) {
                launcher = launcher.specialise(specialise);
            }
            for (name, value) in self.tunables {
                if variant.tunables.iter().any(|t| t.name == *name) {
                    launcher = launcher.with(name, *value).expect("a legal tunable");
                }
            }
            let mut views: Vec<View<'_>> = hosts.iter().flatten().map(Host::view).collect();
            let args = views.iter_mut().zip(&updated).map(|(view, updated)| match view {
                View::Scalar(make) => make(),
                View::Array(array) => {
                    if *updated {
                        array.update()
                    } else {
                        array.arg()
                    }
                }
            });
            let args: Vec<HostArg<'_>> = args.collect();
            let mut found = match results(&launcher, args, &kernel.result_types()) {
                Ok(found) => found,
                // A device may have less local memory than PoCL; launchers take another version then.
                Err(lift::Error::TooManyLocalBytes { .. }) => continue,
                Err(e) => panic!("{} {}: {e}\n{}", spec.name, variant.name, variant.source),
            };
            ran.insert(position);
            for (view, updated) in views.iter().zip(&updated) {
                match view {
                    View::Array(array) if *updated => found.push(array.host().values()),
                    View::Scalar(_) | View::Array(_) => {}
                }
            }
            let place = format!(
                "{} ({}) with {:?} {:?}\n{}",
                spec.name, variant.name, self.sizes, self.tunables, variant.source
            );
            for (found, expected) in found.iter().zip(expected_leaves(kernel, &expected)) {
                let exactness = Exactness::of(kernel, variant.regroups);
                assert_close(found, &expected, exactness, &place);
            }
        }
        ran
    }
}

/// The leaves of what a version computes of these values, or why the device cannot run it.
pub fn run_version(
    compiled: &Compiled,
    spec: &'static KernelSpec,
    version: &'static str,
    device: &Device,
    inputs: &[Value],
) -> lift::Result<Vec<Vec<Value>>> {
    let mut hosts: Vec<Host> = Vec::new();
    for (value, param) in inputs.iter().zip(&compiled.kernel.params) {
        for ((dims, scalar), scalars) in param.ty.leaves().into_iter().zip(columns(value, &param.ty)) {
            hosts.push(host(&Value::Array(scalars.into()), scalar, &extents(value, dims.len())));
        }
    }
    let views: Vec<View<'_>> = hosts.iter().map(Host::view).collect();
    let args = views.iter().map(|view| match view {
        View::Scalar(make) => make(),
        View::Array(array) => array.arg(),
    });
    // SAFETY: the compiler made the description.
    let launcher = unsafe { Launcher::new(spec, device) }?.variant(version)?;
    results(&launcher, args.collect(), &compiled.kernel.result_types())
}

/// The extents of an array of scalars.
fn extents(value: &Value, rank: usize) -> Vec<usize> {
    match value {
        Value::Array(elements) if rank > 0 => {
            let rest = elements.first().map_or(vec![0; rank - 1], |x| extents(x, rank - 1));
            [vec![elements.len()], rest].concat()
        }
        _ => Vec::new(),
    }
}

/// A random value, and its leaves as they are passed.
fn with_hosts(ty: &Type, sizes: &BTreeMap<Var, i64>, data: &mut Data) -> (Value, Vec<Host>) {
    let value = random(ty, sizes, data);
    let leaves = ty.leaves().into_iter().zip(columns(&value, ty)).map(|((dims, scalar), scalars)| {
        host(
            &Value::Array(scalars.into()),
            scalar,
            &dims.iter().map(|n| extent(n, sizes)).collect::<Vec<_>>(),
        )
    });
    let leaves = leaves.collect();
    (value, leaves)
}

/// The leaves of what a launcher computes.
fn results(launcher: &Launcher, args: Vec<HostArg<'_>>, types: &[Type]) -> lift::Result<Vec<Vec<Value>>> {
    let mut finished = launcher.call(args)?;
    let leaves = types.iter().flat_map(Type::leaves);
    let leaves = leaves.map(|(dims, elem)| result(&mut finished, elem, dims.len()));
    let found = leaves.collect::<lift::Result<_>>()?;
    finished.commit()?;
    Ok(found)
}

fn result(finished: &mut lift::Finished<'_>, elem: Scalar, rank: usize) -> lift::Result<Vec<Value>> {
    macro_rules! of {
        ($t:ty, $value:expr) => {
            match rank {
                0 => finished.scalar::<$t>().map(|x| vec![$value(x)]),
                1 => finished.array::<$t, 1>().map(|a| a.into_iter().map($value).collect()),
                2 => finished.array::<$t, 2>().map(|a| a.into_iter().map($value).collect()),
                3 => finished.array::<$t, 3>().map(|a| a.into_iter().map($value).collect()),
                4 => finished.array::<$t, 4>().map(|a| a.into_iter().map($value).collect()),
                rank => panic!("rank {rank} in a test"),
            }
        };
    }
    match elem {
        Scalar::F32 => of!(f32, Value::from),
        Scalar::F64 => of!(f64, Value::from),
        Scalar::F16 => of!(f16, |x: f16| Value::Scalar(Literal::float(x.to_f64(), Scalar::F16))),
        Scalar::I8 => of!(i8, Value::from),
        Scalar::I16 => of!(i16, Value::from),
        Scalar::I32 => of!(i32, Value::from),
        Scalar::I64 => of!(i64, Value::from),
        Scalar::U8 => of!(u8, Value::from),
        Scalar::U16 => of!(u16, Value::from),
        Scalar::U32 => of!(u32, Value::from),
        Scalar::U64 => of!(u64, Value::from),
        Scalar::Bool => of!(bool, Value::from),
        Scalar::Usize => of!(usize, Value::from),
    }
}
