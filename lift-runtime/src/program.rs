//! Building: from a variant's text and the sizes of a launch to functions that the device can run.
//!
//! Tunables reach the text as macros. So do sizes, and the driver compiles with every extent known; or they are arguments, and one program
//! serves all sizes ([`history`](crate::history) decides). Each combination is built once per device, whichever launcher asks first; what an
//! earlier process built may be on disk ([`binaries`](crate::binaries)).

use std::collections::HashMap;
use std::ffi::CString;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex};

use crate::array::elements;
use crate::backend::opencl;
use crate::binaries::Entry as Kept;
use crate::built::{Built, Checks, Code, Entry, entries};
use crate::device::Device;
use crate::error::{BuildLine, Error, Result};
use crate::history::History;
use crate::plan::Choice;
use crate::scalar::ScalarValue;
use crate::solve::Sizes;
use crate::spec::{KernelSpec, Variant, macros};
use crate::workarounds;

/// So many kernels are kept for one device; a program that runs at ever new sizes must not grow for ever.
const CAPACITY: usize = 256;

/// What is built. Descriptions that say the same are the same, whoever made them and when.
#[derive(Debug, Clone, Copy)]
struct Described {
    spec: &'static KernelSpec,
    variant: &'static Variant,
}

impl PartialEq for Described {
    fn eq(&self, other: &Described) -> bool {
        // Most often, both are one constant.
        std::ptr::eq(self.variant, other.variant) && std::ptr::eq(self.spec, other.spec)
            || self.spec.sizes == other.spec.sizes && self.variant == other.variant
    }
}

impl Eq for Described {}

impl Hash for Described {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Texts are long, and few have one length.
        (&self.variant.name, self.variant.source.text.len()).hash(state);
    }
}

/// Everything a build depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct BuildKey {
    described: Described,
    /// None if they are arguments.
    sizes: Option<Vec<i64>>,
    tunables: Vec<i64>,
    /// For each function of which there are several, the number of the one for these sizes.
    cases: Vec<usize>,
    wide: bool,
    checks: Checks,
}

impl BuildKey {
    pub(crate) fn new(
        spec: &'static KernelSpec,
        variant: &'static Variant,
        sizes: &[i64],
        tunables: &[i64],
    ) -> BuildKey {
        let greatest = variant.greatest_index(sizes, tunables);
        let wide = greatest.is_none_or(|n| i32::try_from(n).is_err());
        let cases = variant.cases.iter().map(|case| case.number(sizes, tunables)).collect();
        let (sizes, tunables) = (Some(sizes.to_vec()), tunables.to_vec());
        let described = Described { spec, variant };
        BuildKey { described, sizes, tunables, cases, wide, checks: Checks::default() }
    }

    /// The same for all sizes.
    pub(crate) fn for_all_sizes(self) -> BuildKey {
        BuildKey { sizes: None, ..self }
    }

    /// The sizes as arguments, if they are arguments.
    pub(crate) fn arguments(&self, sizes: &[i64]) -> Vec<ScalarValue> {
        // What does not fit an index is not enqueued: the bounds of what the text computes say so.
        let narrow = |size: i64| i32::try_from(size).map_or(ScalarValue::new(size), ScalarValue::new);
        let value = |size: &i64| if self.wide { ScalarValue::new(*size) } else { narrow(*size) };
        if self.sizes.is_some() { Vec::new() } else { sizes.iter().map(value).collect() }
    }

    /// The same with these checks of indices.
    pub(crate) fn checks(self, checks: Checks) -> BuildKey {
        BuildKey { checks, ..self }
    }

    /// The options of the build. None of them lets the driver change what floating point means; where it may ask for quotients and square
    /// roots that are rounded correctly, it does. Warnings are about text that nobody wrote, and some drivers print on the terminal how many
    /// there were. PoCL does so with errors, too, where a build fails: its compiler's `-fno-caret-diagnostics` would keep it from that, and
    /// PoCL refuses the option.
    fn options(&self, rounds_quotients: bool) -> String {
        let Described { spec, variant } = self.described;
        let mut options = String::from("-cl-std=CL1.2 -w");
        let suffix = if self.wide { "L" } else { "" };
        for (size, value) in spec.sizes.iter().zip(self.sizes.iter().flatten()) {
            let _ = write!(options, " -D {}={value}{suffix}", size.define);
        }
        if self.sizes.is_none() {
            let _ = write!(options, " -D {}", macros::SIZES_ARE_ARGUMENTS);
        }
        for (case, number) in variant.cases.iter().zip(&self.cases) {
            let _ = write!(options, " -D {}={number}", case.define);
        }
        for (tunable, value) in variant.tunables.iter().zip(&self.tunables) {
            let _ = write!(options, " -D {}={value}", tunable.name);
        }
        let index = if self.wide { "long" } else { "int" };
        let _ = write!(options, " -D {}={index}", macros::INDEX);
        if rounds_quotients {
            options.push_str(" -cl-fp32-correctly-rounded-divide-sqrt");
        }
        if !self.checks.range {
            let _ = write!(options, " -D {}", macros::UNCHECKED);
        }
        if self.checks.duplicates {
            let _ = write!(options, " -D {}", macros::CLAIMS);
        }
        options
    }
}

/// The program of a launch, and the sizes that its functions take as arguments.
pub(crate) fn built(
    choice: &Choice<'_>,
    checks: Checks,
    sizes: &Sizes,
    params: &[Option<&[usize]>],
    device: &Device,
) -> Result<(Arc<Built>, Vec<ScalarValue>)> {
    let Choice { spec, variant, tunables, specialise, .. } = *choice;
    let key = BuildKey::new(spec, variant, &sizes.values, tunables).checks(checks);
    let general = key.clone().for_all_sizes();
    let specialised = !variant.takes_sizes
        || specialise.unwrap_or_else(|| {
            let extents = sizes.results.iter().map(Vec::as_slice).chain(params.iter().copied().flatten());
            let work = extents.filter_map(|extents| elements(extents).ok()).fold(0, usize::saturating_add);
            crate::lock(&device.programs().history).specialises(&general, &sizes.values, work)
        });
    let key = if specialised { key } else { general };
    let size_args = key.arguments(&sizes.values);
    Ok((device.programs().get(key, device, spec, variant)?, size_args))
}

/// A kernel that was built, or whose first user is building it.
type Slot = Arc<Mutex<Option<Arc<Built>>>>;

/// The kernels of one device.
#[derive(Default)]
pub(crate) struct ProgramCache {
    slots: Mutex<Slots>,
    /// Which sizes came how often.
    pub(crate) history: Mutex<History>,
}

#[derive(Default)]
struct Slots {
    /// Each with the time of its last use.
    by_key: HashMap<BuildKey, (Slot, u64)>,
    time: u64,
}

impl ProgramCache {
    /// The kernel for `key`, built if this is the first request.
    pub(crate) fn get(
        &self,
        key: BuildKey,
        device: &Device,
        spec: &'static KernelSpec,
        variant: &'static Variant,
    ) -> Result<Arc<Built>> {
        let more = workarounds::options(device.vendor(), key.wide, variant.scales_ids);
        let options = key.options(device.rounds_quotients()) + more;
        // Builds take long, so others may use the cache meanwhile; only those who want this kernel wait.
        let slot = crate::lock(&self.slots).slot(key);
        let mut built = crate::lock(&slot);
        if let Some(built) = &*built {
            return Ok(Arc::clone(built));
        }
        let new = Arc::new(build(device, spec, variant, &options)?);
        *built = Some(Arc::clone(&new));
        Ok(new)
    }

    /// How many kernels are built.
    pub(crate) fn len(&self) -> usize {
        let slots: Vec<Slot> =
            crate::lock(&self.slots).by_key.values().map(|(slot, _)| Arc::clone(slot)).collect();
        slots.iter().filter(|slot| crate::lock(slot).is_some()).count()
    }
}

impl Slots {
    fn slot(&mut self, key: BuildKey) -> Slot {
        self.time += 1;
        if self.by_key.len() >= CAPACITY
            && !self.by_key.contains_key(&key)
            && let Some(oldest) = self.by_key.iter().min_by_key(|(_, (_, time))| *time)
        {
            let oldest = oldest.0.clone();
            self.by_key.remove(&oldest);
        }
        let (slot, time) = self.by_key.entry(key).or_default();
        *time = self.time;
        Arc::clone(slot)
    }
}

pub(crate) fn build(
    device: &Device,
    spec: &'static KernelSpec,
    variant: &'static Variant,
    options: &str,
) -> Result<Built> {
    let in_kernel = |error: Error| error.in_kernel(&spec.name);
    let id = device.id().opencl()?;
    let options = text(spec, variant, options)?;
    let plain = variant.source.text();
    let source = workarounds::text(device.vendor(), device.is_gpu(), &plain);
    let kept = device.binaries().map(|folder| Kept::new(folder, device, &source, &options));
    if let Some(kept) = &kept
        && let Some(program) = kept.program(device, &options)
    {
        match functions(device, spec, variant, &program) {
            Ok(built) => return Ok(built),
            Err(_) => kept.remove(),
        }
    }
    let program = opencl::Program::new(device.context()?.opencl()?, &source).map_err(in_kernel)?;
    if let Err(error) = program.build(id, &options) {
        let log = program.log(id);
        // Without a log, the code is all there is, unless it says no more than "failed".
        if log.is_empty() && !matches!(error, Error::OpenCl { code: -11, .. }) {
            return Err(in_kernel(error));
        }
        let (kernel, lines) = (&*spec.name, find_lines(&log, &plain));
        let (variant, device) = (&*variant.name, device.label().to_string());
        return Err(Error::Build { kernel, variant, device, log, lines });
    }
    if let Some(kept) = &kept {
        kept.keep(&program);
    }
    functions(device, spec, variant, &program)
}

/// Text as drivers take it.
fn text(spec: &'static KernelSpec, variant: &Variant, text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::Malformed {
        kernel: &spec.name,
        problem: format!("a name in variant `{}` contains a NUL", variant.name),
    })
}

/// The functions of a program that was built.
fn functions(
    device: &Device,
    spec: &'static KernelSpec,
    variant: &'static Variant,
    program: &opencl::Program,
) -> Result<Built> {
    let in_kernel = |error: Error| error.in_kernel(&spec.name);
    let id = device.id().opencl()?;
    let entry = |name: &'static str| {
        let kernel = opencl::Kernel::new(program, &text(spec, variant, name)?).map_err(in_kernel)?;
        let max_work_group_size = if kernel.states_work_group(id) {
            device.max_work_group_size()
        } else {
            kernel.max_work_group_size(id).map_err(in_kernel)?.max(1)
        };
        Ok((name, Entry { code: Code::OpenCl(Mutex::new(kernel)), max_work_group_size }))
    };
    Ok(Built { entries: entries(variant).into_iter().map(entry).collect::<Result<_>>()? })
}

/// The errors in a build log with the lines they are about: at most eight, each line once.
///
/// Drivers that use clang (PoCL, NVIDIA, AMD, Intel) write `FILE:LINE:COLUMN: error: …`, with different ideas
/// of what the file is called; PoCL moves the `error: ` to the front.
pub(crate) fn find_lines(log: &str, source: &str) -> Vec<BuildLine> {
    let error = |text| ["error: ", "fatal error: "].iter().find_map(|word| str::strip_prefix(text, word));
    let mut lines: Vec<BuildLine> = Vec::new();
    for entry in log.lines() {
        let Some((line, column, rest)) = position(entry) else {
            continue;
        };
        let Some(message) = error(rest).or(error(entry).map(|_| rest)) else {
            continue;
        };
        let Some(text) = line.checked_sub(1).and_then(|index| source.lines().nth(index)) else {
            continue;
        };
        if lines.len() < 8 && lines.iter().all(|earlier| earlier.line != line) {
            lines.push(BuildLine { line, column, message: message.to_string(), text: text.to_string() });
        }
    }
    lines
}

/// Splits `FILE:LINE:COLUMN: MESSAGE`. The file may itself contain colons.
fn position(entry: &str) -> Option<(usize, usize, &str)> {
    entry.match_indices(':').find_map(|(colon, _)| {
        let (line, rest) = entry[colon + 1..].split_once(':')?;
        let (column, message) = rest.split_once(':')?;
        Some((line.parse().ok()?, column.parse().ok()?, message.trim_start()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow::Borrowed;

    use crate::spec::{Case, Operation, Size, SizeVar, Tunable};

    const TUNED: Variant = Variant {
        tunables: Borrowed(&[Tunable { name: Borrowed("TILE_X"), default: 32, min: 1, max: 64 }]),
        ..Variant::NAIVE
    };
    static VARIANT: Variant = TUNED;
    static SPEC: KernelSpec = KernelSpec {
        name: Borrowed("F"),
        sizes: Borrowed(&[SizeVar { name: Borrowed("n"), define: Borrowed("N") }]),
        ..KernelSpec::INVALID
    };

    #[test]
    fn sizes_and_tunables_become_macros() {
        let key = BuildKey::new(&SPEC, &VARIANT, &[4096], &[32]);
        assert_eq!(key.options(false), "-cl-std=CL1.2 -w -D N=4096 -D TILE_X=32 -D index_t=int");
        assert!(key.options(true).ends_with(" -cl-fp32-correctly-rounded-divide-sqrt"));
        assert_eq!(
            key.clone().for_all_sizes().options(false),
            "-cl-std=CL1.2 -w -D LIFT_SIZES_ARE_ARGUMENTS -D TILE_X=32 -D index_t=int"
        );
        let key = key.checks(Checks { range: false, duplicates: false });
        assert!(key.options(false).ends_with(" -D index_t=int -D LIFT_UNCHECKED"));
        let key = key.checks(Checks { range: true, duplicates: true });
        assert!(key.options(false).ends_with(" -D index_t=int -D LIFT_CLAIMS"));
    }

    #[test]
    fn descriptions_that_say_the_same_are_one() {
        let key = |variant: Variant| {
            let (spec, variant) = (Box::leak(Box::new(SPEC.clone())), Box::leak(Box::new(variant)));
            BuildKey::new(spec, variant, &[4096], &[32])
        };
        let owned = Variant { source: crate::spec::Source::plain(String::new()), ..TUNED };
        assert_eq!(key(owned), BuildKey::new(&SPEC, &VARIANT, &[4096], &[32]));
        assert_ne!(key(Variant { source: crate::spec::Source::plain(" "), ..TUNED }), key(TUNED));
        assert_ne!(key(Variant { operations: Borrowed(&[Operation::Swap(0, 1)]), ..TUNED }), key(TUNED));
    }

    #[test]
    fn indices_are_as_wide_as_their_bounds() {
        const N: Size = Size::Var(0);
        const INDEX: Size = Size::Sum(Borrowed(&[Size::Product(Borrowed(&[N, N])), Size::Tunable(0)]));
        const SMALL: Size = Size::Div(Borrowed(&[N, Size::Const(1 << 33)]));
        static WIDER: Variant = Variant { widest: Borrowed(&[SMALL, INDEX]), ..TUNED };
        let key = |n: i64| BuildKey::new(&SPEC, &WIDER, &[n], &[32]);
        let options = |n: i64| key(n).options(false);
        assert_eq!(options(46_340), "-cl-std=CL1.2 -w -D N=46340 -D TILE_X=32 -D index_t=int");
        assert_eq!(options(46_341), "-cl-std=CL1.2 -w -D N=46341L -D TILE_X=32 -D index_t=long");
        assert!(!key(46_340).wide && key(i64::MAX).wide);
        static UNKNOWN: Variant =
            Variant { widest: Borrowed(&[Size::Div(Borrowed(&[N, Size::Const(0)]))]), ..TUNED };
        assert!(BuildKey::new(&SPEC, &UNKNOWN, &[1], &[32]).wide);
        assert!(!BuildKey::new(&SPEC, &VARIANT, &[i64::MAX], &[32]).wide);
    }

    #[test]
    fn sizes_choose_between_functions() {
        const N: Size = Size::Var(0);
        const WIDER: Size = Size::Sum(Borrowed(&[N, Size::Const(2)]));
        static CASES: Variant = Variant {
            cases: Borrowed(&[
                Case {
                    define: Borrowed("LIFT_CASE_1"),
                    multiples: Borrowed(&[Borrowed(&[(N, 4), (WIDER, 2)]), Borrowed(&[(N, 2)])]),
                },
                Case { define: Borrowed("LIFT_CASE_2"), multiples: Borrowed(&[Borrowed(&[(WIDER, 4)])]) },
            ]),
            ..TUNED
        };
        let options = |n: i64| BuildKey::new(&SPEC, &CASES, &[n], &[32]).for_all_sizes().options(false);
        for (n, first, second) in [(8, 1, 0), (6, 2, 1), (7, 0, 0)] {
            let cases = format!(" -D LIFT_CASE_1={first} -D LIFT_CASE_2={second} ");
            assert!(options(n).contains(&cases), "{n}: {}", options(n));
        }
    }

    #[test]
    fn build_logs_of_all_drivers_have_positions() {
        let source = "one\ntwo foo\nthree";
        for log in [
            "error: /root/.cache/pocl/kcache/tempfile_6z94bk.cl:2:5: use of undeclared identifier 'foo'",
            "<kernel>:2:5: error: use of undeclared identifier 'foo'\ntwo foo\n    ^",
            "1:2:5: error: use of undeclared identifier 'foo'",
            "/tmp/comgr/input/CompileSource:2:5: error: use of undeclared identifier 'foo'\n1 error generated.",
        ] {
            let found = find_lines(log, source);
            assert_eq!(found.len(), 1, "{log}");
            assert_eq!((found[0].line, found[0].column, found[0].text.as_str()), (2, 5, "two foo"));
            assert_eq!(found[0].message, "use of undeclared identifier 'foo'");
            assert_eq!(found[0].to_string(), "  2 | two foo\n    |     ^ use of undeclared identifier 'foo'");
        }
    }

    #[test]
    fn warnings_and_foreign_lines_are_not_errors() {
        assert_eq!(find_lines("<kernel>:1:1: warning: hm\n<kernel>:99:1: error: where?\ntext", "one"), []);
        assert_eq!(find_lines("<kernel>:0:1: error: zero", "one"), []);
    }
}
