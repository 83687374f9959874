//! The example `room` on the ranks that MPI has started. The recording is the same, bit by bit.
//!
//! ```text
//! cargo build --release --package lift-mpi --example room_on_ranks
//! mpirun -n 4 target/release/examples/room_on_ranks --size 240
//! ```

use std::process::ExitCode;

use clap::Parser as _;

#[path = "../../examples/room.rs"]
#[allow(dead_code, reason = "its `main` is for one process")]
#[allow(unreachable_pub, reason = "it is a program of its own, too")]
mod room;

fn main() -> ExitCode {
    let args = room::Args::parse();
    lift_mpi::run(|ranks| {
        let device = match args.common.device {
            Some(_) => args.common.device()?,
            None => lift_mpi::device()?,
        };
        room::run(&args, ranks, &device)
    })
}
