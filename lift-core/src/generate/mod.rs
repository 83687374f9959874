//! From a version of a program to its text: the driver of the back end.
//!
//! Before: a program, and a variant of each of its launches. After: the functions as statements and as text, and what is launched.

pub mod passes;

mod schedule;
mod specialise;

use crate::arith::ArithExpr;
use crate::explore::variant::Variant;
use crate::imp::scaled_ids::are_scaled;
use crate::low::Geometry;
use crate::opencl::{self, Case, Printed};
use crate::program::Program;
use crate::program::schedule::{Schedule, Site, Slot};
use crate::{bug, host, imp};

/// One version of a kernel, compiled.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// Complete OpenCL C.
    pub source: String,
    /// For people: what each launch does with memory.
    pub plan: String,
    /// What is launched, in order.
    pub schedule: Schedule,
    /// The functions by their names, as statements.
    pub functions: Vec<(String, imp::Kernel)>,
    /// The places whose indices are checked while the kernel runs.
    pub sites: Vec<Site>,
    /// Whether an index is a multiple of a work-item's number.
    pub scales_ids: bool,
    /// Upper bounds, over sizes and tunables, of the absolute value of all that is computed in `index_t`.
    pub widest: Vec<ArithExpr>,
    /// The functions of which there are several, and what chooses between them.
    pub cases: Vec<Case>,
    /// Whether sizes may be arguments of the functions.
    pub takes_sizes: bool,
    /// The functions as Rust, for a version for the host; it has no OpenCL text.
    pub host: Vec<host::Function>,
}

/// Compiles one version of a program, given by a variant of each of its stages. The names of its sizes in the text are
/// [`opencl::defines`] of them; a tunable's macro is its name.
pub fn compile(title: &str, program: &Program, variants: &[Variant]) -> Compiled {
    let stages = program.stages.iter().zip(variants);
    let kernels = stages.map(|(kernel, variant)| specialise::function(kernel, variant)).collect();
    let Planned { kernels, sites, schedule } = planned(title, program, kernels);
    let Printed { source, plan, widest, cases, takes_sizes } = opencl::print(title, &kernels);
    let scales_ids = kernels.iter().any(are_scaled);
    let functions = kernels.into_iter().map(|kernel| (opencl::entry(&kernel.name), kernel)).collect();
    let host = Vec::new();
    Compiled { source, plan, schedule, functions, sites, scales_ids, widest, cases, takes_sizes, host }
}

/// Longer functions take rustc seconds: there is a shorter variant, or none.
const MOST_TEXT: usize = 150 << 10;

/// The same for the host: of each launch, the first of several variants that it can run. Nothing if it can run none of them.
pub fn compile_for_host(
    title: &str,
    program: &Program,
    variants: &[Vec<Variant>],
) -> Option<(Compiled, Vec<Variant>)> {
    let (mut functions, mut printed, mut chosen) = (Vec::new(), Vec::new(), Vec::new());
    for (kernel, variants) in program.stages.iter().zip(variants) {
        let function = |variant: &Variant| {
            let function = passes::host_function(kernel, variant);
            let printed = host::print(&function).filter(|it| it.text.len() <= MOST_TEXT)?;
            Some((function, printed, variant.clone()))
        };
        let (function, text, variant) = variants.iter().find_map(function)?;
        printed.push((text, function.first_site));
        functions.push(function);
        chosen.push(variant);
    }
    let Planned { kernels, sites, mut schedule } = planned(title, program, functions);
    // A text says which place with checked indices was wrong.
    let numbered = |(kernel, (text, first_site)): (&imp::Kernel, (host::Function, usize))| {
        if kernel.sites.is_empty() || kernel.first_site == first_site {
            Some(text)
        } else {
            host::print(kernel)
        }
    };
    let host = kernels.iter().zip(printed).map(numbered).collect::<Option<Vec<_>>>()?;
    // Of several dimensions one is left.
    schedule.for_each_launch(&mut |launch| {
        if let Some(function) = host.iter().find(|function| function.entry == launch.entry) {
            launch.geometry = Geometry::Items(vec![function.items.clone()]);
            launch.local_bytes = ArithExpr::zero();
        }
    });
    let functions = kernels.into_iter().map(|kernel| (opencl::entry(&kernel.name), kernel)).collect();
    let (source, plan, widest, cases) = (String::new(), String::new(), Vec::new(), Vec::new());
    let (scales_ids, takes_sizes) = (false, true);
    let compiled =
        Compiled { source, plan, schedule, functions, sites, scales_ids, widest, cases, takes_sizes, host };
    Some((compiled, chosen))
}

/// Functions whose places with checked indices are numbered, and what is launched.
struct Planned {
    kernels: Vec<imp::Kernel>,
    sites: Vec<Site>,
    schedule: Schedule,
}

fn planned(title: &str, program: &Program, mut kernels: Vec<imp::Kernel>) -> Planned {
    let mut sites = Vec::new();
    for (stage, kernel) in kernels.iter_mut().enumerate() {
        kernel.first_site = sites.len() + 1;
        for aligned in &mut kernel.aligned {
            aligned.kernel.first_site = kernel.first_site;
        }
        let own = kernel.sites.iter();
        sites.extend(own.map(|site| Site { source: schedule::source(site, stage, program), ..site.clone() }));
    }
    let mut temporaries = program.temporaries.clone();
    if cfg!(debug_assertions)
        && let Some(kernel) = kernels.first()
    {
        let extents = temporaries.iter().flat_map(|temporary| &temporary.dims);
        if let Err(fault) = imp::check::check_sizes(extents, &kernel.facts) {
            bug!("{title}: {fault}");
        }
    }
    let scratch: Vec<Vec<Slot>> =
        kernels.iter().map(|kernel| schedule::scratch(kernel, &mut temporaries)).collect();
    let operations = schedule::operations(program, (&kernels, &scratch), &program.steps);
    let schedule = Schedule { temporaries, operations };
    Planned { kernels, sites, schedule }
}
