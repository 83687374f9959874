//! `cargo lift`: what there is to run kernels on, what the compiler makes of those in a package, and which version of one is the fastest.
//!
//! ```text
//! cargo install --path cargo-lift
//! cargo lift doctor
//! cargo lift show Blur --opencl
//! cargo lift tune Blur --size H=4096,W=4096
//! ```

mod commands;

// Where kernels are, and what they become.
mod compile;
mod package;
mod source;

// What is shown of them.
mod html;
mod page;
mod table;
mod text;

// What is tried of them.
mod case;

// What there is to run them on.
mod adapters;
mod ceilings;
mod loader;

use std::error::Error;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use commands::{bench, doctor, explain, show, tune};

pub(crate) use cargo_lift::Result;

/// Kernels of `lift!`: what they can run on, what the compiler makes of them, which version is the fastest, and what errors mean.
#[derive(Parser)]
#[command(name = "cargo-lift", bin_name = "cargo lift", version)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Doctor(doctor::Args),
    Show(Box<show::Args>),
    Tune(Box<tune::Args>),
    Bench(bench::Args),
    Explain(explain::Args),
}

fn main() -> ExitCode {
    // Cargo passes the name of the command, too.
    let mut words: Vec<_> = std::env::args_os().collect();
    if words.get(1).is_some_and(|word| word == "lift") {
        words.remove(1);
    }
    let args = Args::parse_from(words);
    let out = &mut io::stdout().lock();
    let done = match &args.command {
        Command::Doctor(args) => doctor::run(args, out),
        Command::Show(args) => show::run(args, out),
        Command::Tune(args) => tune::run(args, out),
        Command::Bench(args) => bench::run(args, out),
        Command::Explain(args) => explain::run(args, out),
    };
    match done.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever read this has seen enough.
        Err(error) if is_closed_pipe(&*error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}
