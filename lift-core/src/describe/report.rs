//! All there is to know about a compiled kernel, as one text for people.

use std::fmt;

use crate::pipeline::Compiled;

impl fmt::Display for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}", self.kernel.name, self.kernel.type_text())?;
        section(f, "The expression, with the type after every step", &self.types)?;
        if !self.missing.is_empty() {
            section(f, "Versions that there are not, and why", "")?;
            self.missing.iter().try_for_each(|(name, reason)| writeln!(f, "{name}: {reason}."))?;
        }
        for version in &self.versions {
            let name = version.name;
            section(f, &format!("Version {name}: how it was derived"), &version.derivation.to_string())?;
            section(f, &format!("Version {name}: work, memory and barriers"), &version.generated.plan)?;
            section(f, &format!("Version {name}: OpenCL"), &version.generated.source)?;
        }
        Ok(())
    }
}

fn section(f: &mut fmt::Formatter<'_>, title: &str, text: &str) -> fmt::Result {
    write!(f, "\n{title}\n{}\n\n{text}", "-".repeat(title.chars().count()))
}
