//! All there is to know about a kernel, as a page: a title, and sections that are tables or texts.

use lift_core::pipeline::Version;
use lift_core::text::{did_you_mean, meant, words};

use crate::Result;
use crate::compile::Kernel;
use crate::source;
use crate::table::{row, with_contents};

/// A page.
pub(crate) struct Page {
    /// The kernel's name.
    pub(crate) title: String,
    /// Its type.
    pub(crate) ty: String,
    /// Where it is.
    pub(crate) place: String,
    pub(crate) sections: Vec<Section>,
}

/// A part of a page.
pub(crate) struct Section {
    pub(crate) title: String,
    pub(crate) body: Body,
}

/// What is in a section.
pub(crate) enum Body {
    /// Rows of cells, the first one of which are titles.
    Table(Vec<Vec<String>>),
    /// Lines that are kept as they are.
    Text(String),
}

/// Texts of a kernel, or of its versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The expression with the type after every step.
    Types,
    /// How a version was derived.
    Steps,
    /// What it does with memory.
    Plan,
    /// Its text in OpenCL C.
    OpenCl,
    /// Its functions in Rust.
    Rust,
}

impl Part {
    /// All texts of a version.
    pub(crate) const OF_VERSION: [Part; 4] = [Part::Steps, Part::Plan, Part::OpenCl, Part::Rust];
}

/// A page with these parts of all versions, or of the one with this name.
///
/// # Errors
///
/// When there is no such version.
pub(crate) fn page(
    place: &source::Kernel,
    kernel: &Kernel,
    parts: &[Part],
    version: Option<&str>,
) -> Result<Page> {
    let chosen: Vec<&Version> = match version {
        Some(name) => vec![find(kernel, name)?],
        None => ordered(kernel),
    };
    let mut sections = vec![table("Versions, and in which order launches try them", versions(kernel))];
    let missing = kernel.spec.missing.iter().map(|it| row([&it.name, &format!("{}.", it.reason)]));
    let missing: Vec<_> = missing.collect();
    if !missing.is_empty() {
        let head = row(["version", "why not"]);
        sections.push(table("Versions that there are not, and why", [vec![head], missing].concat()));
    }
    if let Some(parts) = kernel.spec.in_parts() {
        sections.push(text("Simulations in parts", &parts));
    }
    if parts.contains(&Part::Types) {
        sections.push(text("The expression, with the type after every step", &kernel.compiled.types));
    }
    for version in chosen {
        let of_version = parts.iter().filter_map(|part| Some((*part, part_of(version, *part)?)));
        sections.extend(of_version.map(|(part, body)| text(&heading(version, part), &body)));
    }
    let (ty, place) = (kernel.spec.ty.to_string(), place.to_string());
    Ok(Page { title: kernel.name.clone(), ty, place, sections })
}

fn table(title: &str, rows: Vec<Vec<String>>) -> Section {
    Section { title: title.to_string(), body: Body::Table(rows) }
}

fn text(title: &str, text: &str) -> Section {
    Section { title: title.to_string(), body: Body::Text(format!("{}\n", text.trim_end())) }
}

/// The versions in the order in which a launch on a GPU tries them, then those for the processor.
fn ordered(kernel: &Kernel) -> Vec<&Version> {
    let all = &kernel.compiled.versions;
    let first = kernel.compiled.gpu_order.iter();
    let first = first.filter_map(|name| all.iter().find(|version| version.name == *name));
    let mut ordered: Vec<&Version> = first.collect();
    ordered.extend(all.iter().filter(|version| !kernel.compiled.gpu_order.contains(&version.name)));
    ordered.extend(&kernel.compiled.host);
    ordered
}

fn find<'a>(kernel: &'a Kernel, name: &str) -> Result<&'a Version> {
    let all = ordered(kernel);
    if let Some(version) = all.iter().find(|version| version.name == name) {
        return Ok(version);
    }
    let title = &kernel.name;
    let missing = || kernel.spec.missing.iter();
    if let Some(missing) = missing().find(|missing| missing.name == name) {
        return Err(format!("{title} has no version `{name}`: {}", missing.reason).into());
    }
    let names: Vec<&str> = all.iter().map(|version| version.name).collect();
    let known = names.iter().copied().chain(missing().map(|missing| &*missing.name));
    let question = meant(did_you_mean(name, known)).map(|question| format!("\nhelp: {question}"));
    let question = question.unwrap_or_default();
    Err(format!("{title} has no version `{name}`; it has {}{question}", words(&names)).into())
}

/// Which versions there are, on which devices, when, and what may be set.
fn versions(kernel: &Kernel) -> Vec<Vec<String>> {
    let is_host = |version: &Version| kernel.compiled.host.iter().any(|host| host.name == version.name);
    let rank = |version: &Version, order: &[&str]| match order.iter().position(|name| *name == version.name) {
        _ if is_host(version) => String::new(),
        Some(rank) => (rank + 1).to_string(),
        None => "last".to_string(),
    };
    let mut rows =
        vec![row(["version", "on a GPU", "on a CPU", "without OpenCL", "first only if", "tunables", "sums"])];
    for version in ordered(kernel) {
        let gpu = rank(version, &kernel.compiled.gpu_order);
        let cpu = rank(version, &kernel.compiled.cpu_order);
        let host = kernel.compiled.host.iter().position(|host| host.name == version.name);
        let host = host.map(|rank| (rank + 1).to_string()).unwrap_or_default();
        let tunables = version.tunables.iter();
        let tunables =
            tunables.map(|it| format!("{} = {} in {}..={}", it.var.name(), it.default, it.min, it.max));
        let tunables = tunables.collect::<Vec<_>>().join(", ");
        let sums = if version.regroups { "regrouped" } else { "" };
        rows.push(row([version.name, &gpu, &cpu, &host, &condition(version), &tunables, sums]));
    }
    with_contents(&rows)
}

/// At which sizes a launch tries it before those that suit all sizes.
fn condition(version: &Version) -> String {
    let least = version.least.iter().map(|(extent, least)| format!("{extent} is at least {least}"));
    least.collect::<Vec<_>>().join(" and ")
}

/// The text of a version, if it has that.
fn part_of(version: &Version, part: Part) -> Option<String> {
    let text = match part {
        Part::Types => return None,
        Part::Steps => version.derivation.to_string(),
        Part::Plan => version.generated.plan.clone(),
        Part::OpenCl => version.generated.source.clone(),
        Part::Rust => version.generated.host.iter().map(|function| function.text.as_str()).collect(),
    };
    (!text.trim().is_empty()).then_some(text)
}

fn heading(version: &Version, part: Part) -> String {
    let name = version.name;
    match part {
        Part::Types => name.to_string(),
        Part::Steps => format!("Version {name}: how it was derived"),
        Part::Plan => format!("Version {name}: work, memory and barriers"),
        Part::OpenCl => format!("Version {name}: OpenCL"),
        Part::Rust => format!("Version {name}: Rust"),
    }
}
