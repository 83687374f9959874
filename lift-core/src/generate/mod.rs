//! From a version of a program to its text: the driver of the back end.
//!
//! Before: a program, and a variant of each of its launches. After: the functions as statements and as text, and what is launched.

pub mod passes;

mod schedule;
mod specialise;

use crate::arith::ArithExpr;
use crate::explore::variant::Variant;
use crate::imp::scaled_ids::are_scaled;
use crate::opencl::{self, Case, Printed};
use crate::program::Program;
use crate::program::schedule::{Schedule, Site, Slot};
use crate::{bug, imp};

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
}

/// Compiles one version of a program, given by a variant of each of its stages. The names of its sizes in the text are
/// [`opencl::defines`] of them; a tunable's macro is its name.
pub fn compile(title: &str, program: &Program, variants: &[Variant]) -> Compiled {
    let stages = program.stages.iter().zip(variants);
    let mut kernels: Vec<imp::Kernel> =
        stages.map(|(kernel, variant)| specialise::function(kernel, variant)).collect();
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
    let Printed { source, plan, widest, cases, takes_sizes } = opencl::print(title, &kernels);
    let scales_ids = kernels.iter().any(are_scaled);
    let functions = kernels.into_iter().map(|kernel| (opencl::entry(&kernel.name), kernel)).collect();
    Compiled { source, plan, schedule, functions, sites, scales_ids, widest, cases, takes_sizes }
}
