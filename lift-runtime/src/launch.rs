//! Launching: from arguments to a result.
//!
//! The steps are always the same:
//!
//! 1. The extents of the arguments bind the sizes, and everything that can be wrong with them is reported ([`solve`](crate::solve)).
//! 2. A variant is chosen whose groups and local memory fit the device, and is built or found among the built ones
//!    ([`plan`](crate::plan)).
//! 3. The device is asked to do it ([`enqueue`](crate::enqueue())).

use std::fmt;
use std::sync::Arc;

use ndarray::{Dim, Dimension};

use crate::args::{DeviceArg, DeviceKind, DeviceOut, HostArg, Seen, ShapeArg};
use crate::array::{Host, elements};
use crate::buffer::Buffer;
use crate::built::Checks;
use crate::device::Device;
use crate::enqueue::{Input, enqueue};
use crate::error::{Error, Result};
use crate::explain::Explanation;
use crate::host;
use crate::kernel::Kernel;
use crate::plan::{self, Choice, Plan};
use crate::queue::{Event, Queue};
use crate::ranks::Ranks;
use crate::results::{Finished, Leaves, Outputs};
use crate::scalar::Scalar;
#[cfg(feature = "tune")]
use crate::select::Candidate;
use crate::select::Selection;
use crate::solve::{ArgShape, Sizes, check_result, solve};
use crate::spec::{Access, KernelSpec, Output, ScalarType, Variant};

/// A kernel on a device: the untyped half of every launcher that `lift!` writes. Cheap to clone.
///
/// ```
/// # fn main() -> lift_runtime::Result<()> {
/// use lift_runtime::{Device, HostArg, Launcher, spec::*};
///
/// let double = Box::leak(Box::new(KernelSpec {
///     name: "Double".into(),
///     ty: "[f32; N] -> [f32; N]".into(),
///     sizes: vec![SizeVar { name: "N".into(), define: "N".into() }].into(),
///     params: vec![Param {
///         name: "x".into(),
///         elem: ScalarType::F32,
///         dims: vec![Size::Var(0)].into(),
///         shown: vec!["N".into()].into(),
///         access: Access::Read,
///     }]
///     .into(),
///     results: vec![Output {
///         name: "out".into(),
///         elem: ScalarType::F32,
///         dims: vec![Size::Var(0)].into(),
///         shown: vec!["N".into()].into(),
///     }]
///     .into(),
///     variants: vec![Variant {
///         source: Source::plain(
///             "__kernel void twice(__global const float *x, __global float *out) {
///                  const index_t i = get_global_id(0);
///                  if (i < N) out[i] = 2.0f * x[i];
///              }",
///         ),
///         operations: vec![Operation::Launch(Launch {
///             entry: "twice".into(),
///             args: vec![Slot::Param(0), Slot::Result(0)].into(),
///             geometry: Geometry::Items(vec![Size::Var(0)].into()),
///             local_bytes: Size::Const(0),
///         })]
///         .into(),
///         ..Variant::NAIVE
///     }]
///     .into(),
///     ..KernelSpec::INVALID
/// }));
///
/// // The last device is the CPU without OpenCL, which does not run such texts.
/// if let [device, _, ..] = &Device::all()?[..] {
///     // SAFETY: the text reads and writes the elements below `N`, and its arguments have so many.
///     let double = unsafe { Launcher::new(double, device)? };
///     let x = vec![1.0f32, 2.0, 3.0];
///     let result = double.run::<f32, 1>(&[HostArg::array(&&x)])?;
///     assert_eq!(result, ndarray::arr1(&[2.0, 4.0, 6.0]));
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Launcher {
    spec: &'static KernelSpec,
    device: Device,
    selection: Selection,
    /// The functions that are compiled to Rust.
    functions: &'static [host::Entry],
    checks: Checks,
    specialise: Option<bool>,
    /// Where the parts of a simulation are; none if it is not divided.
    parts: Vec<Device>,
    /// After how many steps they exchange their halos.
    exchanges: Option<usize>,
    /// How many rows each of the parts gets, in proportion to the others; none to find out.
    shares: Vec<f64>,
    /// The processes that compute simulations together.
    ranks: Ranks,
}

/// What is on the device for one launch.
pub(crate) struct Bound {
    /// The device's copies of the arrays among the arguments.
    pub(crate) inputs: Vec<Option<Arc<Buffer>>>,
    /// The extents of the result.
    pub(crate) extents: Vec<Vec<usize>>,
    /// Buffers for its leaves.
    pub(crate) results: Vec<Option<Arc<Buffer>>>,
}

impl Launcher {
    /// The kernel `K` on this device.
    ///
    /// # Errors
    ///
    /// [`Error::MissingType`], [`Error::NoHostVersion`], [`Error::NoOpenClVersion`], or when the device cannot be opened.
    pub fn of<K: Kernel>(device: &Device) -> Result<Launcher> {
        // SAFETY: the description of a `Kernel` describes its texts.
        Ok(unsafe { Launcher::new(K::SPEC, device)? }.with_functions(K::HOST))
    }

    /// The same kernel with the functions of its versions that are compiled to Rust. They are safe, whatever the description says
    /// of them.
    #[doc(hidden)]
    #[must_use]
    pub fn with_functions(self, functions: &'static [host::Entry]) -> Launcher {
        Launcher { functions, ..self }
    }

    /// The kernel that `spec` describes, on this device. Opens the device; nothing is built before the sizes are known.
    ///
    /// # Errors
    ///
    /// [`Error::MissingType`], [`Error::NoHostVersion`], [`Error::NoOpenClVersion`], or when the device cannot be opened.
    ///
    /// # Safety
    ///
    /// The description must be true of the texts in it. Each function takes the arguments that are listed for it. It accesses only
    /// elements which these have, with all sizes that pass the checks, and whatever the data.
    pub unsafe fn new(spec: &'static KernelSpec, device: &Device) -> Result<Launcher> {
        if spec.variants.is_empty() && spec.host.is_empty() {
            let problem = "it has no variants".to_string();
            return Err(Error::Malformed { kernel: &spec.name, problem });
        }
        if let Some(&missing) = spec.needs.iter().find(|scalar| !device.supports(**scalar)) {
            return Err(missing_type(spec, missing, device));
        }
        if device.is_host() && spec.host.is_empty() {
            return Err(Error::NoHostVersion { kernel: &spec.name, others: others(true) });
        }
        if !device.is_host() && spec.variants.is_empty() {
            let (kernel, device) = (&*spec.name, device.label().to_string());
            return Err(Error::NoOpenClVersion { kernel, device, others: others(false) });
        }
        device.context()?;
        Ok(Launcher {
            spec,
            device: device.clone(),
            selection: Selection::new(spec, device.is_host()),
            functions: &[],
            checks: Checks::default(),
            specialise: None,
            parts: Vec::new(),
            exchanges: None,
            shares: Vec::new(),
            ranks: Ranks::alone(),
        })
    }

    /// The same kernel, always launched in this variant.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownVariant`], or what [`Launcher::with`] reports when the variant does not have the
    /// tunables that were set before.
    pub fn variant(&self, name: &str) -> Result<Launcher> {
        Ok(Launcher { selection: self.selection.variant(name)?, ..self.clone() })
    }

    /// The same kernel with a tunable set. When no variant is selected, only variants that have all tunables
    /// which were set are used.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownTunable`] or [`Error::TunableOutOfRange`].
    pub fn with(&self, tunable: &str, value: i64) -> Result<Launcher> {
        Ok(Launcher { selection: self.selection.with(tunable, value)?, ..self.clone() })
    }

    /// The same kernel without checks of indices that come from the data.
    ///
    /// ```compile_fail,E0133
    /// fn faster(kernel: &lift_runtime::Launcher) -> lift_runtime::Launcher {
    ///     kernel.unchecked() // needs `unsafe`
    /// }
    /// ```
    ///
    /// # Safety
    ///
    /// In every launch, every such index must be in range. One that is not is an out-of-bounds access to the
    /// device's memory, which on a CPU is the program's own.
    #[must_use]
    pub unsafe fn unchecked(&self) -> Launcher {
        Launcher { checks: Checks { range: false, duplicates: false }, ..self.clone() }
    }

    /// The same kernel with or without a check that indices are distinct to which it scatters. This costs an atomic
    /// operation for each, and a number for each element of what they index. A launcher made here does not check;
    /// typed ones do in programs that are built with debug assertions.
    #[must_use]
    pub fn check_duplicates(&self, check: bool) -> Launcher {
        Launcher { checks: Checks { duplicates: check, ..self.checks }, ..self.clone() }
    }

    /// The same kernel, built anew for the sizes of every launch, or once for all sizes. A program that was built for its sizes has them as
    /// constants and is a little faster; a build takes a tenth of a second up to a second. Without being told, the first sizes are
    /// built for, other sizes share a program, and those on which much work is done are built for, too. Results are the same.
    ///
    /// Variants with arrays whose extents depend on the sizes are always built for these.
    #[must_use]
    pub fn specialise(&self, specialise: bool) -> Launcher {
        Launcher { specialise: Some(specialise), ..self.clone() }
    }

    /// The same kernel, whose simulations are computed in so many parts on the device: some rows of the arrays each, which exchange those that
    /// others read after every step. The results are the same bits. A simulation reports [`Error::Parts`] where that cannot be done.
    #[must_use]
    pub fn parts(&self, parts: usize) -> Launcher {
        self.over(&vec![self.device.clone(); parts])
    }

    /// The same with a part on each of these devices. A device may occur several times. If they are of different kinds, each gets as many rows as
    /// it computes in the same time as the others, which is measured at the start.
    #[must_use]
    pub fn over(&self, devices: &[Device]) -> Launcher {
        Launcher { parts: devices.to_vec(), ..self.clone() }
    }

    /// The same with halos that parts exchange after so many steps: they are as many times as wide, and their rows are computed by both
    /// neighbours. Without being told, it depends on how many rows a part has.
    #[must_use]
    pub fn exchange_every(&self, steps: usize) -> Launcher {
        Launcher { exchanges: Some(steps), ..self.clone() }
    }

    /// The same with parts whose rows are in these proportions.
    #[must_use]
    pub fn shares(&self, shares: &[f64]) -> Launcher {
        Launcher { shares: shares.to_vec(), ..self.clone() }
    }

    /// The proportions of the rows of parts, if somebody said them.
    ///
    /// # Errors
    ///
    /// [`Error::Parts`] if they are not one number for each part.
    pub(crate) fn part_shares(&self) -> Result<&[f64]> {
        let (found, parts) = (&self.shares, self.part_devices().len());
        let problem = match found.iter().find(|share| !(share.is_finite() && **share >= 0.0)) {
            Some(share) => format!("{share} is no share of the rows"),
            None if !found.is_empty() && found.len() != parts => {
                let found = match found.len() {
                    1 => "there is 1 share".to_string(),
                    found => format!("there are {found} shares"),
                };
                format!("{found} of the rows; each part needs one")
            }
            None => return Ok(found),
        };
        Err(Error::Parts { kernel: &self.spec.name, parts, problem })
    }

    /// The same kernel, whose simulations are computed by all these ranks together. Each has as many parts as its launcher says, on
    /// the devices that it says.
    #[must_use]
    pub fn across(&self, ranks: &Ranks) -> Launcher {
        Launcher { ranks: ranks.clone(), ..self.clone() }
    }

    /// The processes that compute simulations together.
    pub(crate) fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    /// The version that is selected, for other ranks.
    pub(crate) fn version(&self) -> String {
        let mut version = self.selected().unwrap_or_default().to_string();
        for (name, value) in &self.selection.tunables {
            version.push_str(&format!(" {name}={value}"));
        }
        version
    }

    /// The same kernel in the version that another rank has selected, if it is one of this device's.
    pub(crate) fn in_version(&self, version: &str) -> Option<Launcher> {
        let mut words = version.split(' ');
        let selected =
            Launcher { selection: Selection::new(self.spec, self.device.is_host()), ..self.clone() };
        let selected = selected.variant(words.next()?).ok()?;
        words.try_fold(selected, |selected, word| {
            let (name, value) = word.split_once('=')?;
            selected.with(name, value.parse().ok()?).ok()
        })
    }

    /// After how many steps parts exchange their halos, if somebody said so.
    pub(crate) fn exchanges(&self) -> Option<usize> {
        self.exchanges
    }

    /// Where the parts of a simulation are; one if it is not divided.
    pub(crate) fn part_devices(&self) -> Vec<Device> {
        if self.parts.is_empty() { vec![self.device.clone()] } else { self.parts.clone() }
    }

    /// The same kernel in the version that a launch with such arguments takes.
    pub(crate) fn chosen(&self, sizes: &Sizes, args: &[HostArg<'_>]) -> Result<Launcher> {
        let shapes: Vec<ArgShape<'_>> = args.iter().map(HostArg::shape).collect();
        // Nobody needs the program for these sizes.
        let Some(plan) = self.specialise(false).plan(&shapes, sizes)? else { return Ok(self.clone()) };
        let names = plan.variant.tunables.iter().map(|tunable| &*tunable.name);
        let values = names.zip(plan.tunables.iter().copied());
        values
            .clone()
            .try_fold(self.variant(&plan.variant.name)?, |chosen, (name, value)| chosen.with(name, value))
    }

    /// The same kernel on another device, in the version that is selected if there is one there.
    pub(crate) fn on(&self, device: &Device) -> Result<Launcher> {
        if *device == self.device {
            return Ok(self.clone());
        }
        // SAFETY: the description is the one that was promised to be true.
        let there = unsafe { Launcher::new(self.spec, device)? };
        let there = Launcher { checks: self.checks, specialise: self.specialise, ..there };
        let there = there.with_functions(self.functions);
        match self.selection.variant.map(|variant| there.variant(&variant.name)) {
            Some(Ok(selected)) => {
                let set = self.selection.tunables.iter();
                set.clone().try_fold(selected, |there, (name, value)| there.with(name, *value))
            }
            Some(Err(_)) | None => Ok(there),
        }
    }

    /// The same kernel for many launches at one size.
    pub(crate) fn for_steps(&self) -> Launcher {
        self.specialise(self.specialise.unwrap_or(true))
    }

    /// Whether a variant was selected or a tunable set.
    #[cfg(feature = "save")]
    pub(crate) fn selects(&self) -> bool {
        self.selection.variant.is_some() || !self.selection.tunables.is_empty()
    }

    /// The variants that a launch at these sizes tries, in this order, with the values of their tunables, as if nobody had tuned.
    #[cfg(feature = "tune")]
    pub(crate) fn untuned(&self, sizes: &[i64]) -> Vec<Candidate> {
        self.selection.untuned_for(self.device.is_gpu(), sizes)
    }

    /// The value that a tunable was set to.
    #[cfg(feature = "tune")]
    pub(crate) fn tunable(&self, name: &str) -> Option<i64> {
        self.selection.tunables.iter().find(|(set, _)| *set == name).map(|(_, value)| *value)
    }

    /// The names of the variants that the device can run, in the order of the description.
    #[must_use]
    pub fn variant_names(&self) -> Vec<&'static str> {
        self.variants().iter().map(|variant| &*variant.name).collect()
    }

    /// The variant that was selected, if one was.
    #[must_use]
    pub fn selected(&self) -> Option<&'static str> {
        self.selection.variant.map(|variant| &*variant.name)
    }

    /// The OpenCL text of the variant that a launch would try first; empty for one that is compiled to Rust.
    #[must_use]
    pub fn source(&self) -> String {
        self.candidates().first().map(|variant| variant.source.to_string()).unwrap_or_default()
    }

    /// What there is to know about the kernel on this device, to be printed.
    #[must_use]
    pub fn explain(&self) -> Explanation {
        let (is_gpu, tuned) = (self.device.is_gpu(), self.selection.tuned_on(self.device.name()));
        Explanation::of(self, &self.candidates(), &tuned, &self.selection.reason(is_gpu))
    }

    /// The kernel's description.
    #[must_use]
    pub fn spec(&self) -> &'static KernelSpec {
        self.spec
    }

    /// The device.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// How many kernels this launcher's device has built so far, by whichever launcher.
    #[doc(hidden)]
    #[must_use]
    pub fn built_on_device(&self) -> usize {
        #[cfg(feature = "opencl")]
        return self.device.programs().len();
        #[cfg(not(feature = "opencl"))]
        0
    }

    /// The variants that the device can run.
    pub(crate) fn variants(&self) -> &'static [Variant] {
        self.selection.variants()
    }

    fn candidates(&self) -> Vec<&'static Variant> {
        self.selection.candidates(self.device.is_gpu())
    }

    /// Runs the kernel on host data and returns the result, one array, to the host.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the arguments, the build or the run.
    pub fn run<T: Scalar, const D: usize>(&self, args: &[HostArg<'_>]) -> Result<Host<T, D>>
    where
        Dim<[usize; D]>: Dimension,
    {
        self.check_result::<T>(D)?;
        self.finished(self.compute(args)?, Vec::new()).array()
    }

    /// The same for a kernel whose result is a single value.
    ///
    /// # Errors
    ///
    /// Those of [`Launcher::run`].
    pub fn run_scalar<T: Scalar>(&self, args: &[HostArg<'_>]) -> Result<T> {
        self.check_result::<T>(0)?;
        self.finished(self.compute(args)?, Vec::new()).scalar()
    }

    /// Runs the kernel on host data. The results are taken, and updated arrays stored, afterwards.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the arguments or the build.
    pub fn call<'a>(&self, args: Vec<HostArg<'a>>) -> Result<Finished<'a>> {
        let bound = self.compute(&args)?;
        Ok(self.finished(bound, args))
    }

    fn finished<'a>(&self, bound: Bound, args: Vec<HostArg<'a>>) -> Finished<'a> {
        let leaves = Leaves::new(self.spec, bound.extents);
        Finished::new(&self.device, leaves, bound.results, args, bound.inputs)
    }

    fn compute(&self, args: &[HostArg<'_>]) -> Result<Bound> {
        let (bound, plan, inputs) = self.bind(args, false)?;
        if let Some(plan) = plan {
            let results: Vec<Arc<Buffer>> = bound.results.iter().flatten().cloned().collect();
            enqueue(&self.device, self.device.queue()?.inner(), &plan, &inputs, &results)?;
        }
        Ok(bound)
    }

    /// Checks host data, plans a launch on it, and copies it to the device. No plan when there is nothing to
    /// compute. `keep` says that all arrays stay on the device, so that the host's need not be changed.
    pub(crate) fn bind<'a>(
        &self,
        args: &'a [HostArg<'_>],
        keep: bool,
    ) -> Result<(Bound, Option<Plan>, Vec<Input<'a>>)> {
        let shape = |arg: &HostArg<'_>| arg.shape().is_mut || keep;
        let shapes: Vec<ArgShape<'_>> =
            args.iter().map(|arg| ArgShape { is_mut: shape(arg), ..arg.shape() }).collect();
        let sizes = solve(self.spec, &shapes, None)?;
        let seen = self.spec.params.iter().zip(args).map(|(param, arg)| arg.see(&param.name));
        let seen = seen.collect::<Result<Vec<_>>>()?;
        let plan = self.plan(&shapes, &sizes)?;
        if plan.is_none() && !keep {
            let (inputs, results) = (vec![None; args.len()], vec![None; sizes.results.len()]);
            let bound = Bound { inputs, results, extents: sizes.results };
            return Ok((bound, None, Vec::new()));
        }
        let mut bound =
            Bound { inputs: Vec::new(), results: self.results(&sizes, keep)?, extents: sizes.results };
        let mut inputs = Vec::new();
        for ((leaf, param), seen) in self.spec.params.iter().enumerate().zip(seen) {
            // What is over when it is started need not have a copy of what it reads.
            let lies = |bytes: &[u8]| bytes.as_ptr().addr().is_multiple_of(param.elem.size());
            let stays = |plan: &Plan| !keep && self.device.is_host() && plan.only_reads(leaf);
            let (input, buffer) = match seen {
                Seen::Scalar(value) => (Input::Scalar(value), None),
                Seen::Array(bytes) if lies(&bytes) && plan.as_ref().is_some_and(stays) => {
                    (Input::Borrowed(bytes), None)
                }
                Seen::Array(_) | Seen::Device(_) => {
                    let buffer = seen.upload(&self.device)?;
                    (Input::Buffer(self.some(buffer.as_ref())?), buffer)
                }
            };
            inputs.push(input);
            bound.inputs.push(buffer);
        }
        Ok((bound, plan, inputs))
    }

    /// Memory for the leaves of a result, also for those without elements. `keep` says that they stay on the device.
    fn results(&self, sizes: &Sizes, keep: bool) -> Result<Vec<Option<Arc<Buffer>>>> {
        let leaves = self.spec.results.iter().zip(&sizes.results);
        let memory = |(leaf, extents): (&Output, &Vec<usize>)| {
            let bytes = plan::bytes(leaf.elem, elements(extents)?);
            match keep {
                true => Buffer::new(&self.device, bytes),
                false => Buffer::for_host(&self.device, leaf.elem, bytes).map(Some),
            }
        };
        leaves.map(memory).collect()
    }

    /// Starts the kernel on device arrays and returns at once; there is an array for every leaf of the result.
    /// Later uses of these arrays, on whatever queue, wait for it; a leaf that is a single value has rank 0.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the arguments or the build. What goes wrong on the device is reported by the
    /// event, and by downloads of what the kernel writes.
    pub fn launch(&self, queue: &Queue, args: &[DeviceArg<'_>], outs: &[DeviceOut<'_>]) -> Result<Event> {
        let kernel = &*self.spec.name;
        let outputs: Vec<ArgShape<'_>> = outs.iter().map(DeviceOut::shape).collect();
        self.device.expect_same(queue.device(), kernel, "the queue")?;
        for (result, out) in self.spec.results.iter().zip(outs) {
            self.device.expect_same(out.data().device, kernel, &format!("`{}`", result.name))?;
        }
        for (param, arg) in self.spec.params.iter().zip(args) {
            if let DeviceKind::Array(data) = arg.kind() {
                self.device.expect_same(data.device, kernel, &format!("`{}`", param.name))?;
            }
        }
        let shapes: Vec<ArgShape<'_>> = args.iter().map(DeviceArg::shape).collect();
        let sizes = solve(self.spec, &shapes, Some(&outputs))?;
        let Some(plan) = self.plan(&shapes, &sizes)? else {
            let variant = self.candidates().first().map_or("", |it| &*it.name);
            return Ok(Event::new(None, kernel, variant, Vec::new()));
        };
        let inputs = args.iter().map(|arg| match arg.kind() {
            DeviceKind::Array(data) => Ok(Input::Buffer(self.some(data.buffer)?)),
            DeviceKind::Scalar(value) => Ok(Input::Scalar(*value)),
        });
        let inputs = inputs.collect::<Result<Vec<_>>>()?;
        let results = outs.iter().map(|out| self.some(out.data().buffer)).collect::<Result<Vec<_>>>()?;
        enqueue(&self.device, queue.inner(), &plan, &inputs, &results)
    }

    /// The result for arguments of these shapes: its extents, or memory for it.
    ///
    /// # Errors
    ///
    /// When the shapes do not fit the kernel.
    pub fn outputs(&self, args: &[ShapeArg]) -> Result<Outputs> {
        let shapes: Vec<ArgShape<'_>> = args.iter().map(ShapeArg::shape).collect();
        let leaves = Leaves::new(self.spec, solve(self.spec, &shapes, None)?.results);
        Ok(Outputs { device: self.device.clone(), leaves })
    }

    /// Chooses and builds a variant; nothing when there is nothing to compute.
    pub(crate) fn plan(&self, shapes: &[ArgShape<'_>], sizes: &Sizes) -> Result<Option<Plan>> {
        let updated = self.spec.params.iter().zip(shapes).filter(|(param, _)| param.access == Access::Update);
        let updated = updated.filter_map(|(_, shape)| shape.extents);
        if sizes.results.iter().map(Vec::as_slice).chain(updated).all(|extents| extents.contains(&0)) {
            return Ok(None);
        }
        let params: Vec<Option<&[usize]>> = shapes.iter().map(|shape| shape.extents).collect();
        let mut unfit = None;
        let (is_gpu, device) = (self.device.is_gpu(), self.device.name());
        for (variant, tunables) in self.selection.candidates_for(is_gpu, device, &sizes.values) {
            let (tunables, checks) = (tunables.as_slice(), self.checks);
            let choice = Choice {
                spec: self.spec,
                variant,
                functions: self.functions,
                tunables,
                checks,
                #[cfg(feature = "opencl")]
                specialise: self.specialise,
            };
            match plan::plan(&choice, sizes, &params, &self.device) {
                Ok(plan) => return Ok(Some(plan)),
                // The next one may want less; if none does, the preferred one's reason is reported.
                Err(error @ (Error::TooManyLocalBytes { .. } | Error::WorkGroupTooLarge { .. })) => {
                    unfit = unfit.or(Some(error));
                }
                Err(error) => return Err(error),
            }
        }
        Err(unfit.unwrap_or_else(|| self.malformed("no variant can be launched")))
    }

    /// What is passed for an array: if it has no elements, memory that nobody uses.
    fn some(&self, buffer: Option<&Arc<Buffer>>) -> Result<Arc<Buffer>> {
        match buffer {
            Some(buffer) => Ok(Arc::clone(buffer)),
            None => Buffer::some(&self.device, size_of::<u64>()),
        }
    }

    /// Whether the result is one leaf of this type.
    fn check_result<T: Scalar>(&self, rank: usize) -> Result<()> {
        match &*self.spec.results {
            [result] => check_result(self.spec, result, T::TYPE, rank),
            results => {
                let problem = format!("its result has {} parts, but one was asked for", results.len());
                Err(Error::Arguments { kernel: &self.spec.name, problem })
            }
        }
    }

    pub(crate) fn malformed(&self, problem: &str) -> Error {
        Error::Malformed { kernel: &self.spec.name, problem: problem.to_string() }
    }
}

/// The devices of OpenCL, or those without it.
fn others(opencl: bool) -> Vec<String> {
    let devices = Device::all().unwrap_or_default().into_iter();
    devices.filter(|other| other.is_host() != opencl).map(|other| other.label().to_string()).collect()
}

fn missing_type(spec: &'static KernelSpec, ty: ScalarType, device: &Device) -> Error {
    let params = spec.params.iter().map(|param| (&*param.name, param.elem));
    let leaves = params.chain(spec.results.iter().map(|result| (&*result.name, result.elem)));
    let used = leaves.filter(|(_, elem)| *elem == ty).map(|(name, _)| name).collect();
    let devices = Device::all().unwrap_or_default().into_iter();
    let others = devices.filter(|other| other.supports(ty)).map(|other| other.label().to_string()).collect();
    Error::MissingType { kernel: &spec.name, ty, device: device.label().to_string(), used, others }
}

impl fmt::Debug for Launcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.spec.name, self.device.label())?;
        if let Some(variant) = self.selection.variant {
            write!(f, ", variant {}", variant.name)?;
        }
        let tunables = &self.selection.tunables;
        tunables.iter().try_for_each(|(name, value)| write!(f, ", {name} = {value}"))
    }
}
