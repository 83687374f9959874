//! Launching: from arguments to a result.
//!
//! The steps are always the same. The extents of the arguments bind the sizes, and everything that can be
//! wrong with them is reported ([`solve`](crate::solve)); a variant is chosen whose groups and local memory fit
//! the device ([`geometry`]); it is built, or found among the built ones
//! ([`program`](crate::program)); and only then the device is asked to do anything.

use std::fmt;
use std::sync::Arc;

use ndarray::{Dim, Dimension};

use crate::args::{DeviceArg, DeviceKind, HostArg, HostKind, ShapeArg};
use crate::array::{Host, elements, shaped};
use crate::buffer::{Buffer, DeviceArray, download};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::geometry::{self, IndexSpace};
use crate::program::{BuildKey, Built};
use crate::queue::{Event, Queue, Waits};
use crate::scalar::{Scalar, ScalarValue};
use crate::select::Selection;
use crate::size::Env;
use crate::solve::{ArgShape, Sizes, solve};
use crate::spec::{KernelSpec, Variant};

/// A kernel on a device: the untyped half of every launcher that `lift!` writes. Cheap to clone.
///
/// ```
/// # fn main() -> lift_runtime::Result<()> {
/// use lift_runtime::{Device, HostArg, Launcher, spec::*};
///
/// static DOUBLE: KernelSpec = KernelSpec {
///     name: "Double",
///     ty: "[f32; N] -> [f32; N]",
///     sizes: &[SizeVar { name: "N", define: "N" }],
///     params: &[Param { name: "x", elem: ScalarType::F32, dims: &[Size::Var(0)], shown: &["N"] }],
///     result: Output { elem: ScalarType::F32, dims: &[Size::Var(0)], shown: &["N"] },
///     checks: &[],
///     needs: &[],
///     variants: &[Variant {
///         name: "naive",
///         source: "__kernel void twice(__global const float *x, __global float *out) {
///                      const index_t i = get_global_id(0);
///                      if (i < N) out[i] = 2.0f * x[i];
///                  }",
///         entry: "twice",
///         tunables: &[],
///         geometry: Geometry::Items(&[Size::Var(0)]),
///         local_bytes: Size::Const(0),
///         derivation: &[],
///     }],
///     gpu_order: &["naive"],
///     cpu_order: &["naive"],
/// };
///
/// let double = Launcher::new(&DOUBLE, &Device::best()?)?;
/// let x = vec![1.0f32, 2.0, 3.0];
/// let result = double.run::<f32, 1>(&[HostArg::array(&&x)])?;
/// assert_eq!(result, ndarray::arr1(&[2.0, 4.0, 6.0]));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Launcher {
    spec: &'static KernelSpec,
    device: Device,
    selection: Selection,
}

/// A launch about which everything is known.
struct Plan {
    variant: &'static Variant,
    built: Arc<Built>,
    space: IndexSpace,
}

/// An argument as the device takes it.
enum Input {
    Buffer(Arc<Buffer>),
    Scalar(ScalarValue),
}

impl Launcher {
    /// The kernel on this device. Opens the device; nothing is built before the sizes are known.
    ///
    /// # Errors
    ///
    /// [`Error::MissingType`], or when the device cannot be opened.
    pub fn new(spec: &'static KernelSpec, device: &Device) -> Result<Launcher> {
        if spec.variants.is_empty() {
            let problem = "it has no variants".to_string();
            return Err(Error::Malformed { kernel: spec.name, problem });
        }
        if let Some(&missing) = spec.needs.iter().find(|scalar| !device.supports(**scalar)) {
            let device = device.label().to_string();
            return Err(Error::MissingType { kernel: spec.name, ty: missing, device });
        }
        device.context()?;
        Ok(Launcher { spec, device: device.clone(), selection: Selection::new(spec) })
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

    /// The variant that was selected, if one was.
    #[must_use]
    pub fn selected(&self) -> Option<&'static str> {
        self.selection.variant.map(|variant| variant.name)
    }

    /// The OpenCL text of the variant that a launch would try first.
    #[must_use]
    pub fn source(&self) -> &'static str {
        self.candidates().first().map_or("", |variant| variant.source)
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
        self.device.programs().len()
    }

    fn candidates(&self) -> Vec<&'static Variant> {
        self.selection.candidates(self.device.is_gpu())
    }

    /// Runs the kernel on host data and returns the result to the host.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the arguments, the build or the run.
    pub fn run<T: Scalar, const D: usize>(&self, args: &[HostArg<'_>]) -> Result<Host<T, D>>
    where
        Dim<[usize; D]>: Dimension,
    {
        let (extents, data) = self.run_flat::<T>(args)?;
        shaped(self.rank(&extents)?, data)
    }

    /// The same for a kernel whose result is a single value.
    ///
    /// # Errors
    ///
    /// Those of [`Launcher::run`].
    pub fn run_scalar<T: Scalar>(&self, args: &[HostArg<'_>]) -> Result<T> {
        let (extents, data) = self.run_flat::<T>(args)?;
        self.rank::<0>(&extents)?;
        data.first().copied().ok_or_else(|| self.malformed("a single value is not an array"))
    }

    fn run_flat<T: Scalar>(&self, args: &[HostArg<'_>]) -> Result<(Vec<usize>, Vec<T>)> {
        self.check_result::<T>()?;
        let shapes: Vec<ArgShape<'_>> = args.iter().map(HostArg::shape).collect();
        let sizes = solve(self.spec, &shapes, None)?;
        for (param, arg) in self.spec.params.iter().zip(args) {
            if let HostKind::Array { extents, data, .. } = arg.kind() {
                let (expected, found) = (elements(extents)?, data.len());
                if expected != found {
                    let (argument, shape) = (param.name.to_string(), extents.clone());
                    return Err(Error::SliceLength { argument, shape, expected, found });
                }
            }
        }
        let len = elements(&sizes.result)?;
        let Some(plan) = self.plan(&shapes, &sizes)? else {
            return Ok((sizes.result, Vec::new()));
        };
        let inputs = args.iter().map(|arg| match arg.kind() {
            HostKind::Array { data, .. } => {
                self.input(Buffer::holding(&self.device, &data.bytes())?.as_ref())
            }
            HostKind::Scalar(value) => Ok(Input::Scalar(*value)),
        });
        let inputs = inputs.collect::<Result<Vec<_>>>()?;
        let out = Buffer::new(&self.device, len * T::TYPE.size())?;
        let Some(out) = out else {
            return Ok((sizes.result, Vec::new()));
        };
        self.enqueue(&self.device.queue()?, &plan, inputs, &out)?;
        let data =
            download(&self.device, Some(&out), len).map_err(|error| error.in_kernel(self.spec.name))?;
        Ok((sizes.result, data))
    }

    /// Starts the kernel on device arrays and returns at once. Later uses of `out`, on whatever queue, wait for
    /// it; a result that is a single value has rank 0.
    ///
    /// # Errors
    ///
    /// Whatever is wrong with the arguments or the build. What goes wrong on the device is reported by the
    /// event, and by downloads of `out`.
    pub fn launch<T: Scalar, const D: usize>(
        &self,
        queue: &Queue,
        args: &[DeviceArg<'_>],
        out: &mut DeviceArray<T, D>,
    ) -> Result<Event> {
        self.check_result::<T>()?;
        let kernel = self.spec.name;
        self.device.expect_same(queue.device(), kernel, "the queue")?;
        self.device.expect_same(out.device(), kernel, "`out`")?;
        for (param, arg) in self.spec.params.iter().zip(args) {
            if let DeviceKind::Array { device, .. } = arg.kind() {
                self.device.expect_same(device, kernel, &format!("`{}`", param.name))?;
            }
        }
        let shapes: Vec<ArgShape<'_>> = args.iter().map(DeviceArg::shape).collect();
        let sizes = solve(self.spec, &shapes, Some(out.extents()))?;
        let (Some(plan), Some(out)) = (self.plan(&shapes, &sizes)?, out.buffer()) else {
            return Ok(Event::new(None, kernel, self.candidates().first().map_or("", |it| it.name)));
        };
        let inputs = args.iter().map(|arg| match arg.kind() {
            DeviceKind::Array { buffer, .. } => self.input(*buffer),
            DeviceKind::Scalar(value) => Ok(Input::Scalar(*value)),
        });
        self.enqueue(queue, &plan, inputs.collect::<Result<_>>()?, out)
    }

    /// The extents of the result for arguments of these shapes.
    ///
    /// # Errors
    ///
    /// When the shapes do not fit the kernel.
    pub fn output_shape<const D: usize>(&self, args: &[ShapeArg]) -> Result<[usize; D]> {
        let shapes: Vec<ArgShape<'_>> = args.iter().map(ShapeArg::shape).collect();
        self.rank(&solve(self.spec, &shapes, None)?.result)
    }

    /// Device memory for the result with arguments of these shapes.
    ///
    /// # Errors
    ///
    /// When the shapes do not fit the kernel, or the device has no memory left.
    pub fn output<T: Scalar, const D: usize>(&self, args: &[ShapeArg]) -> Result<DeviceArray<T, D>> {
        self.check_result::<T>()?;
        self.device.alloc(self.output_shape(args)?)
    }

    /// Chooses and builds a variant; nothing when there is nothing to compute.
    fn plan(&self, shapes: &[ArgShape<'_>], sizes: &Sizes) -> Result<Option<Plan>> {
        if elements(&sizes.result)? == 0 {
            return Ok(None);
        }
        let mut largest = elements(&sizes.result)?;
        let mut longest = sizes.result.iter().copied().max().unwrap_or(0);
        for extents in shapes.iter().filter_map(|shape| shape.extents) {
            largest = largest.max(elements(extents)?);
            longest = extents.iter().copied().fold(longest, usize::max);
        }
        let mut unfit = None;
        for variant in self.candidates() {
            match self.plan_variant(variant, sizes, (largest, longest)) {
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

    /// `largest` and `longest` array, in elements and in elements of one dimension.
    fn plan_variant(
        &self,
        variant: &'static Variant,
        sizes: &Sizes,
        (largest, longest): (usize, usize),
    ) -> Result<Plan> {
        let bound: Vec<Option<i64>> = sizes.values.iter().copied().map(Some).collect();
        let tunables = self.selection.values(variant);
        let env = Env { sizes: &bound, tunables: &tunables };
        let space = geometry::plan(self.spec, variant, &env, &self.device)?;
        let longest = space.global.iter().copied().fold(longest, usize::max);
        let key = BuildKey::new(self.spec, variant, &sizes.values, &tunables, largest as u64, longest as u64);
        let built = self.device.programs().get(key, &self.device, self.spec, variant)?;
        let space = space.fit(built.max_work_group_size, self.spec, variant, &self.device)?;
        Ok(Plan { variant, built, space })
    }

    fn enqueue(&self, queue: &Queue, plan: &Plan, inputs: Vec<Input>, out: &Arc<Buffer>) -> Result<Event> {
        let inner = queue.inner();
        let mut waits = Waits::default();
        let mut buffers = vec![Arc::clone(out)];
        out.wait_to_write(inner, &mut waits)?;
        for input in &inputs {
            if let Input::Buffer(buffer) = input {
                buffer.wait_to_read(inner, &mut waits)?;
                buffers.push(Arc::clone(buffer));
            }
        }
        let bytes = buffers.iter().fold(0usize, |sum, buffer| sum.saturating_add(buffer.bytes()));
        let event = {
            let kernel = crate::lock(&plan.built.kernel);
            let start = || {
                for (index, input) in inputs.iter().enumerate() {
                    match input {
                        Input::Buffer(buffer) => kernel.set_memory(index, buffer.memory())?,
                        Input::Scalar(value) => kernel.set_value(index, value.bytes())?,
                    }
                }
                kernel.set_memory(inputs.len(), out.memory())?;
                let IndexSpace { global, local, .. } = &plan.space;
                // SAFETY: all arguments are set, and agree in number, type and size with what the text was
                // compiled for.
                unsafe { inner.cl().launch(&kernel, global, local, &waits.list()) }
            };
            let started = inner.submit(buffers.clone(), start);
            let started = started.map_err(|error| self.device.explain_memory(error, bytes));
            started.map_err(|error| error.in_kernel(self.spec.name))?
        };
        out.note_write(inner, &event);
        for buffer in buffers.iter().skip(1) {
            buffer.note_read(inner, &event);
        }
        Ok(Event::new(Some(event), self.spec.name, plan.variant.name))
    }

    fn input(&self, buffer: Option<&Arc<Buffer>>) -> Result<Input> {
        // Inputs without elements were reported before, unless the result has none either.
        let buffer = buffer.ok_or_else(|| self.malformed("an input has no elements"))?;
        Ok(Input::Buffer(Arc::clone(buffer)))
    }

    fn check_result<T: Scalar>(&self) -> Result<()> {
        let elem = self.spec.result.elem;
        if T::TYPE == elem {
            return Ok(());
        }
        let problem = format!("its result is made of {elem}, but {} was asked for", T::TYPE);
        Err(Error::Arguments { kernel: self.spec.name, problem })
    }

    fn rank<const D: usize>(&self, extents: &[usize]) -> Result<[usize; D]> {
        <[usize; D]>::try_from(extents).map_err(|_| {
            let problem = format!("its result has rank {}, but rank {D} was asked for", extents.len());
            Error::Arguments { kernel: self.spec.name, problem }
        })
    }

    fn malformed(&self, problem: &str) -> Error {
        Error::Malformed { kernel: self.spec.name, problem: problem.to_string() }
    }
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
