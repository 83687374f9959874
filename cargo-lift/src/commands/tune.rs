//! `cargo lift tune`: the fastest version of a kernel, among those that the compiler makes and those that steps lead to.
//!
//! The search runs in a process of its own. A version that ends it, or hangs, is noted as such in the journal, and the next process goes on with the
//! others.

use std::io::{IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use cargo_lift::chain_compiler::ChainCompiler;
use lift::Tuning;
use lift::tune::{Algorithm, Chains, Journal};

use crate::Result;
use crate::case::{Case, Subject, folder, journal};
use crate::ceilings;

/// Names the process that searches.
const SEARCHES: &str = "LIFT_TUNE_SEARCHES";

/// Looks for the fastest version of a kernel, on a device and at sizes of yours: among all versions, the values of their tunables, and versions that
/// chains of steps lead to. Every version is compared with `naive`. What is found goes to `lift-tune.toml` beside `Cargo.toml`, and is used from the next
/// build on; what was measured is kept in `target/lift-tune`, so that a second run goes on where the first one stopped.
#[derive(clap::Args)]
#[command(after_help = "Example: cargo lift tune Blur --size H=4096,W=4096 --seconds 60")]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
    /// Stops after so long.
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
    /// Stops after so many measurements, if that is earlier.
    #[arg(long, value_name = "N")]
    trials: Option<usize>,
    /// Stops at a version that moves the arguments and results, each once, at so many percent of the speed of a large copy.
    #[arg(long, value_name = "PERCENT")]
    enough: Option<f64>,
    /// How the next version is chosen.
    #[arg(long, value_name = "ALGORITHM", default_value_t)]
    search: Algorithm,
    /// Other random choices for every seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Floats may differ from those of `naive` by so much of the largest of them.
    #[arg(long)]
    tolerance: Option<f64>,
    /// Only versions that the compiler makes by itself.
    #[arg(long)]
    no_chains: bool,
    /// Measures everything again.
    #[arg(long)]
    fresh: bool,
    /// Leaves `lift-tune.toml` as it is.
    #[arg(long)]
    dry_run: bool,
    /// Writes the report as a page with plots, too.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// A version that takes so many seconds, with its build, is given up.
    #[arg(long, value_name = "N", default_value_t = 60)]
    give_up: u64,
}

/// Tunes: watches a process that searches, or is that process.
pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    if std::env::var_os(SEARCHES).is_some() {
        return search(args, &args.subject.case()?, left()?, out);
    }
    let journal = journal(&args.subject.source()?);
    if args.fresh && journal.exists() {
        std::fs::remove_file(&journal)?;
    }
    let start = Instant::now();
    let budget = Duration::from_secs(args.seconds);
    loop {
        let left = budget.saturating_sub(start.elapsed());
        let program = std::env::current_exe()?;
        let mut child = Command::new(program)
            .args(std::env::args_os().skip(1))
            .env(SEARCHES, left.as_millis().to_string())
            .spawn()?;
        let Some(status) = watched(&mut child, &journal, Duration::from_secs(args.give_up))? else {
            abandon(&journal, &format!("it took more than {} seconds (`--give-up`)", args.give_up))?;
            continue;
        };
        match status.code() {
            Some(0) => return Ok(()),
            // It has said why.
            Some(1) => std::process::exit(1),
            // Where no time is left, the next process keeps what the journal has.
            _ => abandon(&journal, &format!("the process ended: {status}"))?,
        }
    }
}

/// How long the process that searches may take.
fn left() -> Result<Duration> {
    let text = std::env::var(SEARCHES)?;
    Ok(Duration::from_millis(text.parse()?))
}

/// Waits for the end of a process; one that measures nothing for so long is ended.
fn watched(child: &mut Child, journal: &Path, give_up: Duration) -> Result<Option<ExitStatus>> {
    let changed = || std::fs::metadata(journal).and_then(|file| file.modified()).ok();
    let (mut last, mut since) = (changed(), Instant::now());
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if changed() != last {
            (last, since) = (changed(), Instant::now());
        }
        if since.elapsed() > give_up {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        sleep(Duration::from_millis(20));
    }
}

/// Notes that what was begun did not end.
fn abandon(journal: &Path, why: &str) -> Result<()> {
    match Journal::open(journal)?.abandon(why)? {
        // No version is to blame, and the next process would end as well.
        0 => Err(format!("the process that measures ended, while it measured nothing: {why}").into()),
        _ => Ok(()),
    }
}

fn search(args: &Args, case: &Case, left: Duration, out: &mut impl Write) -> Result<()> {
    let mut tuning = Tuning::new()
        .budget(left)
        .search(args.search)
        .seed(args.seed)
        .journal(journal(&case.source))
        .progress(std::io::stderr().is_terminal());
    if let Some(trials) = args.trials {
        tuning = tuning.trials(trials);
    }
    if let Some(percent) = args.enough {
        tuning = tuning.good_enough(ceilings::copy(case.launcher.device())? * percent / 100.0);
    }
    if let Some(tolerance) = args.tolerance {
        tuning = tuning.tolerance(tolerance);
    }
    let call = &case.source.call;
    let chains = ChainCompiler::of(call.tokens.clone(), &case.source.compiled, case.launcher.device());
    let chains: Option<&dyn Chains> = if args.no_chains { None } else { Some(&chains) };
    let report = case.run(&tuning, chains)?;
    let mut text = report.to_string();
    if let Some(page) = &args.html {
        report.html(page)?;
        text += &format!("The page is {}.\n", page.display());
    }
    if !args.dry_run && report.best().is_some() {
        let folder = folder(&case.source);
        let file = folder.join("lift-tune.toml");
        let is_new = !file.exists();
        report.save(&folder)?;
        if is_new {
            // Cargo does not know of it until the source is compiled again.
            let source = std::fs::File::options().append(true).open(&case.source.call.file.path)?;
            source.set_modified(SystemTime::now())?;
        }
        text += &format!("It is in {}, and used from the next build on.\n", file.display());
    }
    write!(out, "{text}")?;
    Ok(())
}
