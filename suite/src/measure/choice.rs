//! What is measured, and where: the part of the command line that all programs have.

use lift::Device;

use super::{ROWS, Result, Row};

/// A device, and some of the rows.
#[derive(Debug, clap::Args)]
pub struct Choice {
    /// The device: a part of its name, `gpu`, `cpu`, or its number. By default the best.
    #[arg(short, long, value_name = "NAME")]
    device: Option<String>,
    /// Only the rows whose name or size has this part; may be given several times.
    #[arg(short, long, value_name = "SUBSTRING")]
    only: Vec<String>,
    /// Sizes that are computed in a moment: tries the program, measures nothing of interest.
    #[arg(short, long)]
    quick: bool,
}

impl Choice {
    /// The device.
    pub fn device(&self) -> Result<Device> {
        Ok(match &self.device {
            Some(name) => Device::find(name)?,
            None => Device::best()?,
        })
    }

    /// The rows.
    pub fn rows(&self) -> Vec<&'static Row> {
        let has_part = |row: &&Row| self.only.iter().any(|part| row.title().contains(part.as_str()));
        ROWS.iter().filter(|row| self.only.is_empty() || has_part(row)).collect()
    }

    /// The sizes of a row.
    pub fn sizes(&self, row: &Row) -> &'static [usize] {
        if self.quick { row.quick } else { row.sizes }
    }
}
