//! A program in which rank 1 does something else than the others, as its argument says.

use std::process::ExitCode;

use lift::prelude::*;

lift!(
    /// Heat that spreads.
    #[kernel]
    #[step(u)]
    fn Heat<H, W>(u: [[f32; W]; H], rate: f32) -> [[f32; W]; H] {
        u.pad2d(1, 1, clamp)
            .slide2d(3, 1)
            .map2d(|w| w[1][1] + rate * (w[0][1] + w[1][0] + w[1][2] + w[2][1] - 4.0 * w[1][1]))
    }
);

fn main() -> ExitCode {
    let how = std::env::args().nth(1).unwrap_or_default();
    lift_mpi::run(|ranks| {
        let u = lift::ndarray::Array2::<f32>::ones((1000, 1000));
        let mut sim = Heat::on(&Device::cpu())?.across(ranks).start(&u, 0.1)?;
        sim.run(10)?;
        match (how.as_str(), ranks.rank()) {
            ("first", 0) | ("last", 1) => return Ok(()),
            ("steps", 1) => {
                sim.u()?;
            }
            ("fail", 1) => return Err(lift::Error::Ranks { rank: 1, problem: "out of luck".into() }),
            ("panic", 1) => panic!("out of luck"),
            ("exit", 1) => std::process::exit(3),
            _ => {}
        }
        sim.run(10)?;
        sim.u()?;
        Ok::<_, lift::Error>(())
    })
}
