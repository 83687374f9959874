//! Simulations on many machines: the ranks of a program that MPI has started.
//!
//! A program for one device needs three lines more:
//!
//! ```no_run
//! use lift::prelude::*;
//!
//! lift!(
//!     #[kernel]
//!     #[step(u)]
//!     fn Heat<H, W>(u: [[f32; W]; H]) -> [[f32; W]; H] {
//!         u.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| 0.25 * (w[0][1] + w[1][0] + w[1][2] + w[2][1]))
//!     }
//! );
//!
//! fn main() -> std::process::ExitCode {
//!     lift_mpi::run(|ranks| {
//!         let u = lift::ndarray::Array2::<f32>::ones((1000, 1000));
//!         let mut sim = Heat::on(&lift_mpi::device()?)?.across(ranks).start(&u)?;
//!         sim.run(100)?;
//!         let u = sim.u()?;
//!         if ranks.is_first() {
//!             println!("{}", u.sum());
//!         }
//!         Ok::<_, lift::Error>(())
//!     })
//! }
//! ```
//!
//! All ranks call the same methods of a simulation in the same order, and get the same from them. Without `mpirun`, there is one rank.

mod transport;

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use lift::{Device, Ranks};

use transport::Mpi;

/// Calls a program with the ranks that MPI has started, of which this process is one.
///
/// A rank that fails says why, and ends all others: nobody waits for it. So it does if it panics.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     lift_mpi::run(|ranks| {
///         println!("{} of {}", ranks.rank(), ranks.count());
///         Ok::<_, lift::Error>(())
///     })
/// }
/// ```
pub fn run<E: Display>(program: impl FnOnce(&Ranks) -> Result<(), E>) -> ExitCode {
    let (transport, server) = match Mpi::start() {
        Ok(started) => started,
        Err(problem) => {
            eprintln!("error: {problem}");
            return ExitCode::FAILURE;
        }
    };
    let rank = transport.own();
    let ranks = Ranks::new(transport);
    let result = catch_unwind(AssertUnwindSafe(|| program(&ranks)));
    drop(ranks);
    match result {
        Ok(Ok(())) => {
            server.finish();
            ExitCode::SUCCESS
        }
        Ok(Err(error)) => {
            // At once, so that nothing that other processes say stands in between.
            let message = format!("error: rank {rank}: {error}\n");
            eprint!("{message}");
            server.abort();
            ExitCode::FAILURE
        }
        // What it was is on the terminal.
        Err(_) => {
            server.abort();
            ExitCode::FAILURE
        }
    }
}

/// The device of this rank: the best one of its machine. Of several GPUs of one kind, each rank on the machine gets the next.
///
/// # Errors
///
/// Those of [`Device::best`].
pub fn device() -> lift::Result<Device> {
    let best = Device::best()?;
    let all = Device::all()?;
    let same = |other: &&Device| other.name() == best.name() && other.platform() == best.platform();
    let same: Vec<&Device> = all.iter().filter(same).collect();
    let turn = transport::rank_on_machine().checked_rem(same.len()).and_then(|turn| same.get(turn));
    Ok(turn.map_or(best.clone(), |device| (*device).clone()))
}
