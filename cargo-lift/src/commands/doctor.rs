//! `cargo lift doctor`: what there is to run on, and what to do if something is missing.

use std::io::Write;
use std::time::Duration;

use lift::spec::ScalarType;
use lift::{Device, Error};
use lift_core::text::words;

use crate::Result;
use crate::adapters::adapters;
use crate::ceilings::{self, Best};
use crate::loader::{self, Driver, Place};
use crate::table::{aligned, row};

/// What there is to run kernels on, and what to install if something is missing.
///
/// It looks for the library of OpenCL, for drivers, and for devices, and says which one a program takes. For example
/// `cargo lift doctor --measure --device gpu`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Measures how fast a device copies and computes at best, which takes some seconds.
    #[arg(long)]
    measure: bool,
    /// The device that is measured: a part of its name, `gpu`, `cpu`, or its number. By default the best.
    #[arg(long, value_name = "NAME", requires = "measure")]
    device: Option<String>,
}

/// Prints what there is.
///
/// # Errors
///
/// When there is no device at all, or the one that is to be measured fails.
pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    // Asking for a GPU loads the library, and tells what is wrong if there is none.
    let gpu = Device::find("gpu");
    let problem = match &gpu {
        Err(Error::DeviceNotFound { problem, .. }) => problem.as_deref(),
        _ => None,
    };
    library(problem, out)?;
    devices(out)?;
    match (&gpu, problem) {
        (Ok(_), _) => {}
        (Err(_), Some(problem)) => writeln!(out, "There is no GPU for OpenCL: {problem}.")?,
        (Err(_), None) => writeln!(out, "There is no GPU for OpenCL{}.", without_driver(&adapters()))?,
    }
    if args.measure {
        let device = match &args.device {
            Some(name) => Device::find(name)?,
            None => Device::best()?,
        };
        measure(&device, out)?;
    }
    Ok(())
}

/// Prints which library is used, and the drivers that it is told of.
fn library(problem: Option<&Error>, out: &mut impl Write) -> Result<()> {
    let state = match (problem, loader::loaded("libOpenCL")) {
        (Some(Error::NoLibrary), _) => "not found".to_string(),
        (_, Some(path)) => format!("loaded from {}", path.display()),
        (_, None) => "loaded".to_string(),
    };
    writeln!(out, "The OpenCL library: {state}")?;
    // Other systems have no such files.
    if cfg!(target_os = "linux") {
        let drivers = loader::drivers();
        let count = if drivers.is_empty() { ": none" } else { "" };
        writeln!(out, "\nDrivers that {} names{count}", loader::searched())?;
        let rows: Vec<_> = drivers.iter().map(driver).collect();
        write!(out, "{}", aligned(&rows))?;
    }
    Ok(())
}

fn driver(driver: &Driver) -> Vec<String> {
    let place = match &driver.place {
        Place::Loaded(path) => format!("in use, {}", path.display()),
        Place::Found(path) => format!("not in use, although {} exists", path.display()),
        Place::Nowhere => "missing: no such file is in the folders of libraries".to_string(),
    };
    row(["  ", &driver.from, &driver.library, &place])
}

/// Prints all devices, and which one a program takes.
fn devices(out: &mut impl Write) -> Result<()> {
    writeln!(out, "\nDevices")?;
    for device in Device::all()? {
        writeln!(out, "    {device}\n{}", aligned(&facts(&device)))?;
    }
    let asked = std::env::var("LIFT_DEVICE").ok().filter(|name| !name.trim().is_empty());
    let why = match asked {
        Some(name) => format!("because LIFT_DEVICE is `{name}`"),
        None => "unless it asks for another one".to_string(),
    };
    match Device::best() {
        Ok(best) => writeln!(out, "A program takes {} ({}), {why}.", best.label(), best.name())?,
        Err(error) => writeln!(out, "A program finds no device, {why}: {error}.")?,
    }
    Ok(())
}

/// What a device says of itself beside what it prints.
fn facts(device: &Device) -> Vec<Vec<String>> {
    let lacks = ScalarType::ALL.into_iter().filter(|scalar| !device.supports(*scalar));
    let types = match lacks.map(ScalarType::name).collect::<Vec<_>>().as_slice() {
        [] => "all".to_string(),
        lacks => format!("all but {}", words(lacks)),
    };
    let mut facts = vec![
        ("platform", format!("{}, by {}", device.platform(), device.vendor())),
        ("compute units", device.compute_units().to_string()),
        ("memory", bytes(device.global_mem_bytes())),
        ("types", types),
    ];
    // Functions of Rust know no groups.
    if device.max_work_group_size() > 1 {
        let sizes: Vec<String> = device.max_work_item_sizes().iter().map(usize::to_string).collect();
        let group = format!("up to {} work-items, {}", device.max_work_group_size(), sizes.join(" × "));
        facts.extend([("local memory", bytes(device.local_mem_bytes())), ("work-groups", group)]);
    }
    facts.into_iter().map(|(name, fact)| row(["      ", name, &fact])).collect()
}

fn bytes(bytes: u64) -> String {
    match bytes {
        0 => "unknown".to_string(),
        1..0x4000_0000 => format!("{} KiB", bytes >> 10),
        _ => format!("{:.1} GiB", bytes as f64 / f64::from(1u32 << 30)),
    }
}

/// The GPUs that the machine has nevertheless.
fn without_driver(adapters: &[String]) -> String {
    match adapters {
        // Nobody has asked other systems.
        [] if !cfg!(target_os = "linux") => String::new(),
        [] => ", and this machine seems to have none".to_string(),
        some => format!(
            ", although this machine has one: {}; install the driver of its maker, with its part for OpenCL",
            some.join(", ")
        ),
    }
}

/// Prints the ceilings of a device.
fn measure(device: &Device, out: &mut impl Write) -> Result<()> {
    writeln!(out, "\nWhat {} does at best, in the middle of several launches", device.label())?;
    out.flush()?;
    let found = ceilings::measure(device)?;
    let megabytes = |best: &Best| format!("{:.1} MB read and written", best.amount / 1e6);
    let micros = |time: Duration| format!("{:.1} µs", time.as_secs_f64() * 1e6);
    let giga = |best: &Best, unit: &str| format!("{:.1} {unit}", best.rate() / 1e9);
    let rows = [
        ("copy", giga(&found.copy, "GB/s"), megabytes(&found.copy), found.copy.version),
        ("copy in caches", giga(&found.cached, "GB/s"), megabytes(&found.cached), found.cached.version),
        (
            "multiply-adds in f32",
            giga(&found.multiply_adds, "GFLOP/s"),
            "two operations each".to_string(),
            found.multiply_adds.version,
        ),
        ("launch of one element", micros(found.launch), "on the device".to_string(), ""),
        ("the same", micros(found.waited), "until the program goes on".to_string(), ""),
    ];
    let rows = rows.map(|(what, value, remark, version)| row(["  ", what, &value, &remark, version]));
    write!(out, "{}", aligned(&rows))?;
    Ok(())
}
