//! `cargo lift show`: the kernels of a package, and what the compiler makes of them.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use lift_core::text::count;

use crate::Result;
use crate::compile;
use crate::html::html;
use crate::package::{Found, Package};
use crate::page::{Part, page};

/// The kernels of a package, or all that the compiler makes of one of them.
///
/// Nothing of the package is built: its sources are searched for `lift!`, and what is found is compiled as the macro does it. For
/// example `cargo lift show Blur --version naive --opencl`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The kernel. Without it, all kernels are listed.
    kernel: Option<String>,
    /// Only this version of it; without a section, all about it.
    #[arg(long, value_name = "NAME", requires = "kernel")]
    version: Option<String>,
    #[command(flatten)]
    section: Section,
    /// Writes all about the kernel and its versions into a file that browsers show.
    #[arg(long, value_name = "FILE", requires = "kernel", conflicts_with_all = ["version", "Section"])]
    html: Option<PathBuf>,
    #[command(flatten)]
    package: Package,
}

/// What is shown of a kernel.
#[derive(clap::Args)]
#[group(multiple = false, requires = "kernel")]
struct Section {
    /// Shows the expression with the type after every step.
    #[arg(long)]
    types: bool,
    /// Shows how each version was derived, rule by rule.
    #[arg(long)]
    steps: bool,
    /// Shows the text of each version for OpenCL.
    #[arg(long)]
    opencl: bool,
    /// Shows the text of the version that runs without OpenCL.
    #[arg(long)]
    rust: bool,
}

impl Args {
    /// The parts that are wanted.
    fn parts(&self) -> Vec<Part> {
        let Section { types, steps, opencl, rust } = self.section;
        match () {
            () if types => vec![Part::Types],
            () if steps => vec![Part::Steps],
            () if opencl => vec![Part::OpenCl],
            () if rust => vec![Part::Rust],
            () if self.html.is_some() => [&[Part::Types], Part::OF_VERSION.as_slice()].concat(),
            () if self.version.is_some() => Part::OF_VERSION.to_vec(),
            () => vec![Part::Types],
        }
    }
}

/// Prints the list, or the page of a kernel.
///
/// # Errors
///
/// Unknown kernels and versions, and mistakes in the sources.
pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let Some(name) = &args.kernel else { return list(&args.package, out) };
    let found = args.package.kernel(name)?;
    let kernel = compile::kernel(&found)?;
    let page = page(&found, &kernel, &args.parts(), args.version.as_deref())?;
    match &args.html {
        Some(file) => {
            let failed = |error| format!("`{}` cannot be written: {error}", file.display());
            fs::write(file, html(&page)).map_err(failed)?;
            writeln!(out, "{} is in {}", page.title, file.display())?;
        }
        None => write!(out, "{page}")?,
    }
    Ok(())
}

/// Prints each kernel as soon as it is compiled. Mistakes in one call do not keep others from being listed.
fn list(package: &Package, out: &mut impl Write) -> Result<()> {
    let Found { calls, unreadable, .. } = &package.find()?;
    if calls.is_empty() && unreadable.is_empty() {
        writeln!(out, "There is no `lift!` in these sources.")?;
    }
    unreadable.iter().for_each(|problem| eprintln!("error: {problem}"));
    let mut wrong = unreadable.len();
    for call in calls {
        match compile::compiled(call, |_| true) {
            Ok(kernels) => {
                for kernel in &kernels {
                    let declared = call.kernels().into_iter().find(|it| it.name == kernel.name);
                    let line = declared.map_or(call.line, |kernel| kernel.line);
                    writeln!(out, "{}:{line}  {}", call.file.path.display(), kernel.name)?;
                    let versions = kernel.spec.variants.iter().chain(kernel.spec.host.iter());
                    let names: Vec<&str> = versions.map(|version| &*version.name).collect();
                    writeln!(out, "    {}\n    {}", kernel.spec.ty, names.join(", "))?;
                }
            }
            Err(mistakes) => {
                wrong += 1;
                eprintln!("error: {mistakes}\n");
            }
        }
    }
    match wrong {
        0 => Ok(()),
        wrong => Err(format!("there are mistakes in {}", count(wrong, "place")).into()),
    }
}
