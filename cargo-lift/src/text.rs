//! Pages as plain text.

use std::fmt;

use crate::page::{Body, Page, Section};
use crate::table::aligned;

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Page { title, ty, place, sections } = self;
        writeln!(f, "{title}: {ty}\n{place}")?;
        for Section { title, body } in sections {
            write!(f, "\n{title}\n{}\n\n", "-".repeat(title.chars().count()))?;
            match body {
                Body::Table(rows) => f.write_str(&aligned(rows))?,
                Body::Text(text) => f.write_str(text)?,
            }
        }
        Ok(())
    }
}
