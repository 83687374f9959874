//! What earlier builds made of kernels: descriptions as texts, in files named by what they were compiled from.
//!
//! The folder is that of this crate's build script, so `cargo clean` removes it. An entry says what it was made from and how long it is, so that
//! one of another kernel, or of a build that was interrupted, is as good as none. Entries are written under another name and renamed: builds
//! that run at the same time see whole ones.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use lift_core::diag::Severity;
use lift_core::ir::{Backends, Kernel};
use lift_core::pipeline::{Checked, Compilation};
use lift_core::syntax::ast::Block;
use lift_core::syntax::reach::Items;
use proc_macro2::TokenStream;

use crate::spec;
use crate::tuned::Tunings;

/// Beyond so many entries, the older half is removed.
const CAPACITY: usize = 4096;

/// What stands between a description and the functions for the host.
const APART: &str = "\n// host\n";

/// A kernel and its description.
pub(crate) struct Described {
    pub(crate) kernel: Kernel,
    /// Its description, as a text.
    pub(crate) description: String,
    /// Its functions for the host, as the body of a constant.
    pub(crate) host: String,
}

impl Described {
    /// A kernel that is not compiled, and never run.
    pub(crate) fn without_versions(kernel: Kernel) -> Described {
        Described { kernel, description: String::new(), host: String::new() }
    }
}

/// Compiles the body of one `lift!` call, but for kernels that earlier builds have compiled and left in the folder, if there is one. Of a body with
/// mistakes, no kernel is described.
pub(crate) fn compile(
    tokens: TokenStream,
    tunings: &Tunings,
    folder: Option<&Path>,
) -> (Compilation, Vec<Described>) {
    let mut checked = Checked::of(tokens.clone());
    // The folder is that of a build with these features.
    checked.restrict(Backends {
        opencl: cfg!(feature = "opencl"),
        host: cfg!(feature = "host"),
        written: None,
    });
    let cache = folder.filter(|_| !checked.has_errors()).map(|folder| Cache::at(folder, tokens));
    let typed = checked.kernels.clone();
    let entry =
        |kernel: &Kernel| Some((kernel.name.clone(), cache.as_ref()?.entry(kernel, &checked.block, tunings)));
    let entries: BTreeMap<String, Entry> = typed.iter().filter_map(entry).collect();
    let known = |(name, entry): (&String, &Entry)| Some((name.clone(), entry.description()?));
    let mut descriptions: BTreeMap<String, String> = entries.iter().filter_map(known).collect();
    let compilation = checked.compile(|kernel| !descriptions.contains_key(&kernel.name));
    for compiled in &compilation.kernels {
        let (name, description) = (&compiled.kernel.name, spec::description(compiled, tunings));
        let description = description + APART + &spec::host(compiled);
        if let (Some(cache), Some(entry)) = (&cache, entries.get(name)) {
            cache.keep(entry, &description);
        }
        descriptions.insert(name.clone(), description);
    }
    if compilation.diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return (compilation, Vec::new());
    }
    let described = typed.into_iter().filter_map(|kernel| {
        let text = descriptions.remove(&kernel.name)?;
        let (description, host) = text.split_once(APART).unwrap_or((&text, ""));
        Some(Described { kernel, description: description.to_string(), host: host.to_string() })
    });
    (compilation, described.collect())
}

/// A folder of descriptions.
struct Cache {
    folder: PathBuf,
    items: Items,
}

/// The place of a kernel's description.
struct Entry {
    file: PathBuf,
    /// What stands before the description in the file.
    header: String,
}

impl Cache {
    /// The cache for the kernels in these tokens.
    fn at(folder: &Path, tokens: TokenStream) -> Cache {
        Cache { folder: folder.join("kernels"), items: Items::of(tokens) }
    }

    /// The place for a kernel.
    fn entry(&self, kernel: &Kernel, block: &Block, tunings: &Tunings) -> Entry {
        let function = kernel.source.and_then(|i| block.functions[i].surface.ident.as_ref());
        let source = self.items.reached(&function.map(ToString::to_string).unwrap_or_default());
        let tuned = tunings.key(&kernel.name);
        let header = format!("{}\n{}\n{source}\n{tuned}", env!("LIFT_COMPILER"), kernel.name);
        let file = self.folder.join(format!("{:016x}", hash(&header)));
        Entry { file, header }
    }

    /// Writes a description. What goes wrong costs time in the next build, and nothing else.
    fn keep(&self, entry: &Entry, description: &str) {
        static WRITTEN: AtomicUsize = AtomicUsize::new(0);
        let text = format!("{:016x}\n{}{description}", hash(description), entry.header);
        let number = WRITTEN.fetch_add(1, Ordering::Relaxed);
        let other = entry.file.with_extension(format!("{}-{number}", std::process::id()));
        let written = fs::create_dir_all(&self.folder).and_then(|()| fs::write(&other, text));
        if written.and_then(|()| fs::rename(&other, &entry.file)).is_err() {
            let _ = fs::remove_file(&other);
        }
        if number == 0 {
            self.forget();
        }
    }

    /// Removes the older half of the entries if there are too many.
    fn forget(&self) {
        let files = || fs::read_dir(&self.folder).into_iter().flatten().flatten();
        if files().count() <= CAPACITY {
            return;
        }
        let changed = |file: &fs::DirEntry| file.metadata().and_then(|it| it.modified());
        let mut files: Vec<(SystemTime, PathBuf)> =
            files().filter_map(|file| Some((changed(&file).ok()?, file.path()))).collect();
        files.sort();
        for (_, file) in files.iter().take(CAPACITY / 2) {
            let _ = fs::remove_file(file);
        }
    }
}

impl Entry {
    /// The description that an earlier build wrote.
    fn description(&self) -> Option<String> {
        let text = fs::read_to_string(&self.file).ok()?;
        let (sum, rest) = text.split_once('\n')?;
        let description = rest.strip_prefix(&self.header)?;
        (sum == format!("{:016x}", hash(description))).then(|| description.to_string())
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
