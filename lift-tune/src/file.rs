//! What tuning found, as a file that is kept with a crate's sources.

use std::fmt::{self, Write as _};

use toml::de::{DeTable, DeValue};

/// The file's name. It lies beside `Cargo.toml`.
pub const FILE: &str = "lift-tune.toml";

/// What stands first in a file.
const HEAD: &str = "\
# The fastest versions of kernels that tuning found, by device and sizes. `lift!` reads this file while the crate is built, and launches take
# these versions on these devices at sizes that are not more than twice as large or half as large. Remove an entry to undo it.
";

/// The contents of a `lift-tune.toml`.
///
/// ```
/// use lift_tune::{Entry, TuneFile};
///
/// let mut file = TuneFile::default();
/// file.insert(Entry {
///     kernel: "Mean".into(),
///     fingerprint: "00112233445566aa".into(),
///     device: "A GPU".into(),
///     sizes: vec![("H".into(), 4096), ("W".into(), 4096)],
///     version: "tiled".into(),
///     tunables: vec![("TILE_X".into(), 64)],
///     microseconds: 81.5,
///     untuned: 90.25,
///     ..Entry::default()
/// });
/// assert_eq!(TuneFile::parse(&file.to_string()).unwrap(), file);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TuneFile {
    /// In the order of the file.
    pub entries: Vec<Entry>,
}

/// The fastest version of a kernel on a device at certain sizes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Entry {
    /// The kernel's name.
    pub kernel: String,
    /// Names the tokens that it was compiled from; with others, the entry says nothing.
    pub fingerprint: String,
    /// The device's name.
    pub device: String,
    /// Its driver, for people.
    pub driver: String,
    /// The values of the kernel's size variables.
    pub sizes: Vec<(String, i64)>,
    /// The version's name; for one that the compiler does not make by itself, what it is called.
    pub version: String,
    /// The steps of a version that the compiler does not make by itself, as in `#[strategy(..)]`.
    pub strategy: Option<String>,
    /// Values of its tunables, by name.
    pub tunables: Vec<(String, i64)>,
    /// How long it took.
    pub microseconds: f64,
    /// How long the version took that a launch takes without tuning.
    pub untuned: f64,
}

impl TuneFile {
    /// Reads the text of a file.
    ///
    /// # Errors
    ///
    /// What is wrong, with its line.
    pub fn parse(text: &str) -> Result<TuneFile, String> {
        let table = DeTable::parse(text).map_err(|error| error.to_string().trim_end().to_string())?;
        let line = |at: usize| text.get(..at).map_or(1, |before| before.matches('\n').count() + 1);
        let mut entries = Vec::new();
        for (key, value) in table.get_ref() {
            let here = line(key.span().start);
            let DeValue::Array(list) = value.get_ref() else {
                return Err(format!("line {here}: `{}` is not `[[tuned]]`", key.get_ref()));
            };
            if key.get_ref() != "tuned" {
                return Err(format!("line {here}: there is no `[[{}]]`, only `[[tuned]]`", key.get_ref()));
            }
            for item in list.iter() {
                let here = line(item.span().start);
                let DeValue::Table(table) = item.get_ref() else {
                    return Err(format!("line {here}: `tuned` is not a table"));
                };
                entries.push(Entry::read(table).map_err(|problem| format!("line {here}: {problem}"))?);
            }
        }
        Ok(TuneFile { entries })
    }

    /// Adds an entry, in the place of one of the same kernel for the same device and sizes; entries of this kernel as it was before are removed.
    /// Entries are sorted by kernel, device and sizes, so that files of different people can be merged.
    pub fn insert(&mut self, entry: Entry) {
        let is_old = |other: &Entry| {
            let is_same = other.device == entry.device && other.sizes == entry.sizes;
            other.kernel == entry.kernel && (is_same || other.fingerprint != entry.fingerprint)
        };
        self.entries.retain(|other| !is_old(other));
        self.entries.push(entry);
        self.entries.sort_by(|a, b| (&a.kernel, &a.device, &a.sizes).cmp(&(&b.kernel, &b.device, &b.sizes)));
    }

    /// The entries of a kernel.
    pub fn of<'a>(&'a self, kernel: &'a str) -> impl Iterator<Item = &'a Entry> {
        self.entries.iter().filter(move |entry| entry.kernel == kernel)
    }
}

impl Entry {
    fn read(table: &DeTable<'_>) -> Result<Entry, String> {
        let mut entry = Entry::default();
        for (key, value) in table {
            let (key, value) = (&**key.get_ref(), value.get_ref());
            match key {
                "kernel" => entry.kernel = text(key, value)?,
                "fingerprint" => entry.fingerprint = text(key, value)?,
                "device" => entry.device = text(key, value)?,
                "driver" => entry.driver = text(key, value)?,
                "version" => entry.version = text(key, value)?,
                "strategy" => entry.strategy = Some(text(key, value)?),
                "sizes" => entry.sizes = numbers(key, value)?,
                "tunables" => entry.tunables = numbers(key, value)?,
                "microseconds" => entry.microseconds = float(key, value)?,
                "untuned" => entry.untuned = float(key, value)?,
                _ => return Err(format!("there is no key `{key}`")),
            }
        }
        let needed = [("kernel", &entry.kernel), ("device", &entry.device), ("version", &entry.version)];
        match needed.iter().find(|(_, value)| value.is_empty()) {
            Some((key, _)) => Err(format!("`{key}` is missing")),
            None => Ok(entry),
        }
    }
}

fn text(key: &str, value: &DeValue<'_>) -> Result<String, String> {
    value.as_str().map(str::to_string).ok_or_else(|| format!("`{key}` is not a string"))
}

fn integer(key: &str, value: &DeValue<'_>) -> Result<i64, String> {
    let number = value.as_integer().and_then(|it| i64::from_str_radix(it.as_str(), it.radix()).ok());
    number.ok_or_else(|| format!("`{key}` is not an integer of 64 bits"))
}

fn float(key: &str, value: &DeValue<'_>) -> Result<f64, String> {
    let number = match value {
        DeValue::Integer(_) => return integer(key, value).map(|it| it as f64),
        _ => value.as_float().and_then(|it| it.as_str().parse().ok()),
    };
    number.ok_or_else(|| format!("`{key}` is not a number"))
}

fn numbers(key: &str, value: &DeValue<'_>) -> Result<Vec<(String, i64)>, String> {
    let DeValue::Table(table) = value else { return Err(format!("`{key}` is not a table of integers")) };
    let number = |(name, value): (&toml::Spanned<toml::de::DeString<'_>>, &toml::Spanned<DeValue<'_>>)| {
        Ok((name.get_ref().to_string(), integer(&format!("{key}.{}", name.get_ref()), value.get_ref())?))
    };
    let mut numbers = table.iter().map(number).collect::<Result<Vec<_>, String>>()?;
    numbers.sort();
    Ok(numbers)
}

impl fmt::Display for TuneFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HEAD)?;
        self.entries.iter().try_for_each(|entry| write!(f, "\n{entry}"))
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Entry { kernel, fingerprint, device, driver, version, strategy, .. } = self;
        writeln!(f, "[[tuned]]")?;
        let mut line = |key: &str, value: &str| writeln!(f, "{key} = {}", Quoted(value));
        line("kernel", kernel)?;
        line("fingerprint", fingerprint)?;
        line("device", device)?;
        line("driver", driver)?;
        line("version", version)?;
        if let Some(strategy) = strategy {
            line("strategy", strategy)?;
        }
        for (key, numbers) in [("sizes", &self.sizes), ("tunables", &self.tunables)] {
            let all: Vec<String> =
                numbers.iter().map(|(name, value)| format!("{} = {value}", Key(name))).collect();
            let all = if all.is_empty() { String::new() } else { format!(" {} ", all.join(", ")) };
            writeln!(f, "{key} = {{{all}}}")?;
        }
        writeln!(f, "microseconds = {:?}\nuntuned = {:?}", self.microseconds, self.untuned)
    }
}

/// A key of TOML.
struct Key<'a>(&'a str);

impl fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_bare = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '-';
        match !self.0.is_empty() && self.0.chars().all(is_bare) {
            true => f.write_str(self.0),
            false => Quoted(self.0).fmt(f),
        }
    }
}

/// A string of TOML.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for character in self.0.chars() {
            match character {
                '"' | '\\' => write!(f, "\\{character}")?,
                control if control.is_control() => write!(f, "\\u{:04X}", u32::from(control))?,
                other => f.write_char(other)?,
            }
        }
        f.write_char('"')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kernel: &str, device: &str, size: i64) -> Entry {
        Entry {
            kernel: kernel.into(),
            fingerprint: "1".into(),
            device: device.into(),
            version: "naive".into(),
            sizes: vec![("N".into(), size)],
            ..Entry::default()
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut file = TuneFile::default();
        let strange = "a \"device\" \\ of\nλ\u{7f}\u{1}";
        file.insert(Entry {
            driver: strange.into(),
            strategy: Some("tile2d(8, 32).to_local()".into()),
            tunables: vec![("TILE_X".into(), -3), ("TILE_Y".into(), i64::MAX), ("π \"r\"".into(), 1)],
            microseconds: 1.5e-3,
            untuned: 1e9,
            ..entry("Mean", strange, 7)
        });
        file.insert(Entry { sizes: Vec::new(), ..entry("Sum", "other", 1) });
        let text = file.to_string();
        assert_eq!(TuneFile::parse(&text), Ok(file), "{text}");
    }

    #[test]
    fn entries_replace_those_that_they_are_better_than() {
        let mut file = TuneFile::default();
        file.insert(entry("B", "d", 2));
        file.insert(entry("A", "d", 2));
        file.insert(entry("A", "d", 1));
        file.insert(Entry { version: "tiled".into(), ..entry("A", "d", 2) });
        let kept: Vec<(&str, i64, &str)> =
            file.entries.iter().map(|it| (&*it.kernel, it.sizes[0].1, &*it.version)).collect();
        assert_eq!(kept, [("A", 1, "naive"), ("A", 2, "tiled"), ("B", 2, "naive")]);
        // The kernel has changed.
        file.insert(Entry { fingerprint: "2".into(), ..entry("A", "other", 5) });
        assert_eq!(file.of("A").count(), 1);
        assert_eq!(file.of("B").count(), 1);
    }

    #[test]
    fn mistakes_are_told_with_their_lines() {
        let problem = |text: &str| TuneFile::parse(text).unwrap_err();
        assert_eq!(problem("[[tuned]]\nkernel = 1\n"), "line 1: `kernel` is not a string");
        assert_eq!(problem("\n[[best]]\n"), "line 2: there is no `[[best]]`, only `[[tuned]]`");
        assert_eq!(problem("tuned = 1"), "line 1: `tuned` is not `[[tuned]]`");
        assert_eq!(problem("[[tuned]]\nspeed = 1\n"), "line 1: there is no key `speed`");
        assert_eq!(problem("[[tuned]]\nkernel = \"K\"\n"), "line 1: `device` is missing");
        let sizes = "[[tuned]]\nsizes = { N = 1.5 }\n";
        assert_eq!(problem(sizes), "line 1: `sizes.N` is not an integer of 64 bits");
        assert!(problem("[[tuned]\n").contains("line 1"));
        assert_eq!(TuneFile::parse(""), Ok(TuneFile::default()));
    }
}
