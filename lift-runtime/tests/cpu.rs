//! What is special about the processor without OpenCL: exactly the work-items there are, owned and shared arrays, panics, and what it
//! cannot run.

#![allow(unsafe_code, reason = "descriptions are made here, without texts")]

mod kernels;

use std::borrow::Cow::Borrowed;
use std::time::Duration;

use kernels::Saxpy;
use kernels::programs::{Stages, Turns, Wrong};
use lift_runtime::host::{Entry, Function as Runs, Part};
use lift_runtime::spec::{
    Access, Function, Geometry, KernelSpec, Launch, Operation, Output, Param, ScalarType, Site, Size,
    SizeVar, Slot, Text, Tunable, Use, Variant,
};
use lift_runtime::{Device, DeviceArg, DeviceOut, Error, HostArg, Launcher};
use ndarray::{arr1, arr2};

const F32: ScalarType = ScalarType::F32;
const I32: ScalarType = ScalarType::I32;
const N: Size = Size::Var(0);
const M: Size = Size::Var(1);
const THREE: &[Size] = &[Size::Const(3)];

/// The rows of a matrix, each of which a work-item owns, with the sums of three neighbours along them; also the number of items.
struct Rows;

impl Runs for Rows {
    #[inline(always)]
    fn run(part: &mut Part<'_>) {
        let (x, m, scale) = (part.read::<f32>(0), part.size(1) as usize, part.tunable(0) as f32);
        let (out, start) = part.own::<f32>(1);
        for (k, out) in out.iter_mut().enumerate() {
            let (row, column) = ((start as usize + k) / m, (start as usize + k) % m);
            let near = column.saturating_sub(1)..(column + 2).min(m);
            *out = scale * near.map(|column| x[row * m + column]).sum::<f32>();
        }
    }
}

/// `out[at[i]] = x[i]`
struct Scatter;

impl Runs for Scatter {
    #[inline(always)]
    fn run(part: &mut Part<'_>) {
        let (at, x, out) = (part.read::<i32>(0), part.read::<f32>(1), part.shared::<f32>(2));
        let (status, claims, n) = (part.status(3), part.claims(4), part.size(0));
        let (first, last) = part.items();
        for i in first..last {
            let index = at[i as usize] as isize;
            let near = status.checked_index(index as u64, n, -1, 1, i);
            if near >= 0 {
                if let Some(claims) = claims {
                    claims.claim(near, 1, i, &status);
                }
                out.set(near, x[i as usize]);
            }
        }
    }
}

/// What it finds of its arrays.
struct Lengths;

impl Runs for Lengths {
    #[inline(always)]
    fn run(part: &mut Part<'_>) {
        let (x, (out, _)) = (part.read::<f32>(0), part.own::<f32>(1));
        let items = part.items();
        out.fill(x.len() as f32);
        assert!(x.len() < 5, "{} elements in {items:?}", x.len());
    }
}

/// Where it finds its result.
struct Address;

impl Runs for Address {
    #[inline(always)]
    fn run(part: &mut Part<'_>) {
        let (out, start) = part.own::<u64>(1);
        let first = out.as_ptr().addr() as u64 - 8 * start as u64;
        out.fill(first);
    }
}

/// Seven, as its second result.
struct Second;

impl Runs for Second {
    #[inline(always)]
    fn run(part: &mut Part<'_>) {
        part.own::<f32>(2).0.fill(7.0);
    }
}

const FUNCTIONS: &[Entry] = &[
    Entry::new::<Second>("second"),
    Entry::new::<Rows>("rows"),
    Entry::new::<Scatter>("scatter"),
    Entry::new::<Lengths>("lengths"),
    Entry::new::<Address>("address"),
];

fn size(name: &'static str) -> SizeVar {
    SizeVar { name: name.into(), define: name.into() }
}

fn param(name: &'static str, elem: ScalarType, dims: &'static [Size]) -> Param {
    let shown: Vec<Text> = dims.iter().map(|_| "N".into()).collect();
    Param { name: name.into(), elem, dims: Borrowed(dims), shown: shown.into(), access: Access::Read }
}

fn result(dims: &'static [Size]) -> Output {
    let shown: Vec<Text> = dims.iter().map(|_| "N".into()).collect();
    Output { name: "out".into(), elem: F32, dims: Borrowed(dims), shown: shown.into() }
}

fn version(
    entry: &'static str,
    args: &'static [Slot],
    uses: &'static [Use],
    items: &'static [Size],
) -> Variant {
    let launch = Launch {
        entry: entry.into(),
        args: Borrowed(args),
        geometry: Geometry::Items(Borrowed(items)),
        local_bytes: Size::Const(0),
    };
    Variant {
        operations: vec![Operation::Launch(launch)].into(),
        functions: vec![Function { entry: entry.into(), uses: Borrowed(uses) }].into(),
        ..Variant::NAIVE
    }
}

fn launcher(spec: KernelSpec) -> Launcher {
    let spec = Box::leak(Box::new(spec));
    // SAFETY: there are no texts.
    unsafe { Launcher::new(spec, &Device::cpu()) }.unwrap().with_functions(FUNCTIONS)
}

fn rows() -> KernelSpec {
    let factor = Tunable { name: "FACTOR".into(), default: 1, min: 1, max: 9 };
    KernelSpec {
        name: "Rows".into(),
        sizes: vec![size("N"), size("M")].into(),
        params: vec![param("x", F32, &[N, M])].into(),
        results: vec![result(&[N, M])].into(),
        host: vec![Variant {
            name: "rows".into(),
            tunables: vec![factor].into(),
            ..version("rows", &[Slot::Param(0), Slot::Result(0)], &[Use::Read(F32), Use::Own(F32, M)], &[N])
        }]
        .into(),
        ..KernelSpec::INVALID
    }
}

fn scatter() -> KernelSpec {
    const ARGS: &[Slot] = &[Slot::Param(0), Slot::Param(1), Slot::Result(0), Slot::Status, Slot::Claims(0)];
    const USES: &[Use] = &[Use::Read(I32), Use::Read(F32), Use::Shared(F32), Use::Status, Use::Claims];
    let site =
        Site { operation: "scatter_to".into(), written: "".into(), source: Some(0), len: N, distinct: true };
    KernelSpec {
        name: "Scatter".into(),
        sizes: vec![size("N")].into(),
        params: vec![param("at", I32, &[N]), param("x", F32, &[N])].into(),
        results: vec![result(&[N])].into(),
        host: vec![Variant { sites: vec![site].into(), ..version("scatter", ARGS, USES, &[N]) }].into(),
        ..KernelSpec::INVALID
    }
}

fn lengths(functions: &'static [Use]) -> KernelSpec {
    KernelSpec {
        name: "Lengths".into(),
        sizes: vec![size("N")].into(),
        params: vec![param("x", F32, &[N])].into(),
        results: vec![result(THREE)].into(),
        host: vec![version("lengths", &[Slot::Param(0), Slot::Result(0)], functions, THREE)].into(),
        ..KernelSpec::INVALID
    }
}

#[test]
fn work_items_own_rows() {
    let rows = launcher(rows());
    let x = arr2(&[[1.0_f32, 2.0, 3.0], [10.0, 20.0, 30.0]]);
    let run = |rows: &Launcher| rows.run::<f32, 2>(&[HostArg::array(&&x)]);
    let sums = arr2(&[[3.0, 6.0, 5.0], [30.0, 60.0, 50.0]]);
    assert_eq!(run(&rows).unwrap(), sums);
    assert_eq!(run(&rows.with("FACTOR", 2).unwrap()).unwrap(), sums.clone() * 2.0);
    assert_eq!(run(&rows.variant("rows").unwrap()).unwrap(), sums);
    // Many rows are computed in parts.
    let many = ndarray::Array2::from_shape_fn((5000, 7), |(i, j)| (i * 7 + j) as f32);
    let found = rows.run::<f32, 2>(&[HostArg::array(&&many)]).unwrap();
    assert_eq!(found[[4999, 3]], 3.0 * many[[4999, 3]]);
    assert_eq!(found[[2500, 6]], many[[2500, 5]] + many[[2500, 6]]);
}

#[test]
fn versions_are_those_of_the_processor() {
    let rows = launcher(rows());
    assert_eq!(rows.variant("naive").unwrap_err().to_string(), "Rows has no variant `naive`; it has `rows`");
    assert_eq!(rows.with("TILE", 1).unwrap_err().to_string(), "Rows has no tunable `TILE`; it has `FACTOR`");
    assert_eq!(rows.explain().choice(), "A launch takes rows: there is no other.");
    let text = rows.explain().to_string();
    assert!(text.contains("on host#0.") && !text.contains("OpenCL") && rows.source().is_empty(), "{text}");
    let turns = Turns::on(&Device::cpu()).unwrap();
    let choice = "A launch takes naive: of all, it comes first on the CPU without OpenCL. Where the device cannot run it, all, until follow.";
    assert_eq!(turns.explain().choice(), choice);
}

#[test]
fn scattered_indices_are_checked() {
    let scatter = launcher(scatter());
    let run = |scatter: &Launcher, at: &[i32]| {
        let x = [1.0_f32, 2.0, 3.0];
        scatter.run::<f32, 1>(&[HostArg::array(&at), HostArg::array(&x.as_slice())])
    };
    assert_eq!(run(&scatter, &[2, 0, 1]).unwrap(), arr1(&[2.0, 3.0, 1.0]));
    let error = run(&scatter, &[2, 3, 1]).unwrap_err();
    assert_eq!(error.to_string(), "Scatter: `at[1]` is 3, but `scatter_to` takes indices in 0..3");
    // Two of them at one place are found where that is looked for.
    run(&scatter, &[2, 2, 1]).unwrap();
    let checked = scatter.check_duplicates(true);
    assert_eq!(run(&checked, &[2, 0, 1]).unwrap(), arr1(&[2.0, 3.0, 1.0]));
    let error = run(&checked, &[2, 0, 2]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "Scatter: `at[0]` and `at[2]` are both 2, but `scatter_to` takes distinct indices"
    );
    assert_eq!(run(&checked, &[0, 1, 2]).unwrap(), arr1(&[1.0, 2.0, 3.0]));
}

const LENGTHS: &[Use] = &[Use::Read(F32), Use::Own(F32, Size::Const(1))];

#[test]
fn arrays_have_the_elements_they_have() {
    let device = Device::cpu();
    let (lengths, queue) = (launcher(lengths(LENGTHS)), device.queue().unwrap());
    for n in 1..5 {
        let x = device.upload(&vec![0.0_f32; n]).unwrap();
        let mut out = device.alloc::<f32, 1>([3]).unwrap();
        lengths.launch(&queue, &[DeviceArg::array(&x)], &[DeviceOut::array(&mut out)]).unwrap();
        assert_eq!(out.download().unwrap().to_vec(), [n as f32; 3]);
    }
}

#[test]
fn a_panic_is_an_error() {
    let device = Device::cpu();
    let (lengths, queue) = (launcher(lengths(LENGTHS)), device.queue().unwrap());
    let mut out = device.alloc::<f32, 1>([3]).unwrap();
    let mut run = |n: usize| {
        let x = device.upload(&vec![0.0_f32; n]).unwrap();
        lengths.launch(&queue, &[DeviceArg::array(&x)], &[DeviceOut::array(&mut out)])
    };
    let error = run(5).unwrap_err();
    assert_eq!(error.to_string(), "Lengths (in `lengths`): it panicked: 5 elements in (0, 3)");
    assert!(matches!(error, Error::Panicked { kernel: "Lengths", entry: "lengths", .. }));
    // Its arrays are as usable as before.
    run(4).unwrap();
    assert_eq!(out.download().unwrap(), arr1(&[4.0; 3]));
}

#[test]
fn descriptions_that_are_wrong_are_errors() {
    let device = Device::cpu();
    let (x, queue) = (device.upload(&[0.0_f32; 3]).unwrap(), device.queue().unwrap());
    let error = |launcher: Launcher| {
        let mut out = device.alloc::<f32, 1>([3]).unwrap();
        let launched = launcher.launch(&queue, &[DeviceArg::array(&x)], &[DeviceOut::array(&mut out)]);
        launched.unwrap_err().to_string()
    };
    let none = launcher(lengths(LENGTHS)).with_functions(&[]);
    assert!(error(none).ends_with("function `lengths` of variant `naive` does not exist"));
    let few = error(launcher(lengths(&[Use::Read(F32)])));
    assert!(
        few.ends_with("function `lengths` of variant `naive`: it takes another number of arguments"),
        "{few}"
    );
    let scalar = error(launcher(lengths(&[Use::Scalar(F32), Use::Own(F32, Size::Const(1))])));
    assert!(scalar.ends_with("argument 0 is not what its description says"), "{scalar}");
    let twice = launcher(KernelSpec {
        host: vec![version("lengths", &[Slot::Result(0), Slot::Result(0)], LENGTHS, THREE)].into(),
        ..lengths(LENGTHS)
    });
    assert_eq!(error(twice), "Lengths: it writes an array that is used at the same time");
    // What has other elements than the description says is refused by the function.
    let types = error(launcher(lengths(&[Use::Read(I32), Use::Own(F32, Size::Const(1))])));
    assert!(types.starts_with("Lengths (in `lengths`): it panicked: "), "{types}");
}

#[test]
fn kernels_without_a_version_say_so() {
    let error = Wrong::on(&Device::cpu()).unwrap_err();
    let start = "Wrong has no version for the CPU without OpenCL; it runs on ";
    assert!(error.to_string().starts_with(start), "{error}");
    assert!(matches!(error, Error::NoHostVersion { kernel: "Wrong", .. }));
}

#[test]
fn launches_are_timed_where_the_queue_is() {
    let device = Device::cpu();
    let saxpy = Saxpy::on(&device).unwrap();
    let x = device.upload(&vec![1.0; 100_000]).unwrap();
    let mut out = device.alloc([100_000]).unwrap();
    // One array may be read twice.
    let event = saxpy.launch(&device.queue().unwrap(), 2.0, &x, &x, &mut out).unwrap();
    event.wait().unwrap();
    let time = event.kernel_time().unwrap();
    assert!(time > Duration::ZERO && time < Duration::from_secs(60), "{time:?}");
    assert!(format!("{event:?}").ends_with(", done)"), "{event:?}");
    assert_eq!(out.download().unwrap()[99_999], 3.0);
    let event = saxpy.launch(&device.new_untimed_queue().unwrap(), 2.0, &x, &x, &mut out).unwrap();
    event.wait().unwrap();
    assert_eq!(
        event.kernel_time().unwrap_err().to_string(),
        "Saxpy: it was launched on a queue that measures no times"
    );
}

#[test]
#[cfg(feature = "save")]
fn simulations_are_saved() {
    let heat = kernels::programs::Heat::on(&Device::cpu()).unwrap();
    let folder = std::env::temp_dir().join(format!("lift-cpu-{}", std::process::id()));
    let mut sim = heat.start(&[0.0, 1.0, 0.0, 0.0], 0.25).unwrap();
    sim.source([2], &[1.0; 9]).unwrap();
    let probe = sim.probe([1]).unwrap();
    sim.run(3).unwrap();
    sim.save(&folder).unwrap();
    let mut same = heat.restore(&folder).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    sim.run(3).unwrap();
    same.run(3).unwrap();
    assert_eq!(same.p().unwrap(), sim.p().unwrap());
    assert_eq!(same.samples(same.probes::<f32>()[0]).unwrap(), sim.samples(probe).unwrap());
    assert_eq!(same.max_change().unwrap(), sim.max_change().unwrap());
}

#[test]
fn memory_has_an_end() {
    let device = Device::cpu();
    for bytes in [1 << 50, 1 << 55] {
        let error = device.alloc::<u8, 1>([bytes]).unwrap_err();
        assert!(matches!(error, Error::OutOfMemory { .. }), "{error}");
    }
    assert_eq!(device.alloc::<f32, 2>([100, 100]).unwrap().download().unwrap().sum(), 0.0);
}

#[test]
fn threads_launch_at_once() {
    let device = Device::cpu();
    let (saxpy, stages, queue) =
        (Saxpy::on(&device).unwrap(), Stages::on(&device).unwrap(), device.queue().unwrap());
    let x = device.upload(&(0..30_000).map(|i| (i % 5) as f32).collect::<Vec<_>>()).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (saxpy, stages, queue, x, device) = (&saxpy, &stages, &queue, &x, &device);
            scope.spawn(move || {
                let mut sums = device.alloc([29_999]).unwrap();
                let mut out = device.alloc([30_000]).unwrap();
                for _ in 0..50 {
                    stages.launch(queue, x, &mut sums).unwrap();
                    saxpy.launch(queue, thread as f32, x, x, &mut out).unwrap();
                }
                assert_eq!(sums.download().unwrap()[3], 25.0);
                assert_eq!(out.download().unwrap()[3], 3.0 * (1.0 + thread as f32));
            });
        }
    });
    queue.finish().unwrap();
}

#[test]
fn a_result_is_the_memory_that_the_kernel_wrote() {
    let launcher = launcher(KernelSpec {
        name: "Address".into(),
        sizes: vec![size("N")].into(),
        params: vec![param("x", F32, &[N])].into(),
        results: vec![Output { elem: ScalarType::U64, ..result(&[N]) }].into(),
        host: vec![version(
            "address",
            &[Slot::Param(0), Slot::Result(0)],
            &[Use::Read(F32), Use::Own(ScalarType::U64, Size::Const(1))],
            &[N],
        )]
        .into(),
        ..KernelSpec::INVALID
    });
    // Few elements, and so many that they lie on pages of their own.
    for len in [1, 1_000, 1 << 20] {
        let x = vec![0.0_f32; len];
        let out = launcher.run::<u64, 1>(&[HostArg::array(&&x)]).unwrap();
        let found = out.as_ptr().addr() as u64;
        assert_eq!(out.len(), len);
        assert!(out.iter().all(|address| *address == found), "{len} elements were copied");
    }
    // What stays on the device does not.
    let device = launcher.device();
    let (x, mut out) = (device.upload(&[0.0_f32]).unwrap(), device.alloc::<u64, 1>([1]).unwrap());
    let queue = device.queue().unwrap();
    launcher.launch(&queue, &[DeviceArg::array(&x)], &[DeviceOut::array(&mut out)]).unwrap();
    let copy = out.download().unwrap();
    assert_ne!(copy.as_ptr().addr() as u64, copy[0]);
}

#[test]
fn results_without_elements_are_passed_as_well() {
    const NONE: &[Size] = &[Size::Const(0)];
    let launcher = launcher(KernelSpec {
        name: "Parts".into(),
        sizes: vec![size("N")].into(),
        params: vec![param("x", F32, &[N])].into(),
        results: vec![result(NONE), result(THREE)].into(),
        host: vec![version(
            "second",
            &[Slot::Param(0), Slot::Result(0), Slot::Result(1)],
            &[Use::Read(F32), Use::Shared(F32), Use::Own(F32, Size::Const(1))],
            THREE,
        )]
        .into(),
        ..KernelSpec::INVALID
    });
    let mut results = launcher.call(vec![HostArg::array(&&[1.0_f32])]).unwrap();
    assert!(results.array::<f32, 1>().unwrap().is_empty());
    assert_eq!(results.array::<f32, 1>().unwrap(), arr1(&[7.0; 3]));
}
