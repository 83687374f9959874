//! `cargo lift bench`: how long every version of a kernel takes.

use std::io::Write;
use std::time::Duration;

use lift::Tuning;

use crate::Result;
use crate::case::Subject;

/// Times every version of a kernel as it is, without looking for others.
#[derive(clap::Args)]
#[command(after_help = "Example: cargo lift bench Blur --size H=4096,W=4096")]
pub(crate) struct Args {
    #[command(flatten)]
    subject: Subject,
}

/// Times every version.
pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let case = args.subject.case()?;
    let tuning = Tuning::new().budget(Duration::from_secs(600)).defaults().progress(true);
    let report = case.run(&tuning, None)?;
    write!(out, "{report}")?;
    Ok(())
}
