//! What tuning has found: the entries of the crate's `lift-tune.toml` about the kernels of one macro call.
//!
//! An entry names a version of a kernel that the compiler makes by itself, or the steps of one that it does not; then the kernel gets the
//! attribute `#[strategy(..)]` with these steps. The description of the kernel says for which device and sizes a launch takes which version.

use std::path::{Path, PathBuf};

use lift_core::syntax::annotate::with_strategies;
use lift_core::syntax::ast::Block;
use lift_core::syntax::reach::Items;
use lift_spec::{KernelSpec, List, Tuned};
use lift_tune::{Entry, FILE, TuneFile};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::warnings;

/// So many versions of a kernel come from entries at most: each is a text in the user's program.
const VERSIONS: usize = 6;

/// The entries, and what tells kernels apart that have changed since.
pub(crate) struct Tunings {
    items: Items,
    entries: Vec<Entry>,
    path: Option<PathBuf>,
    problem: Option<String>,
}

impl Tunings {
    /// Those of the crate that is compiled, for the body of a macro call.
    pub(crate) fn of(tokens: TokenStream) -> Tunings {
        let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        Tunings::at(folder.as_deref(), tokens)
    }

    /// Those of the crate in this folder.
    pub(crate) fn at(folder: Option<&Path>, tokens: TokenStream) -> Tunings {
        let path = folder.map(|folder| folder.join(FILE)).filter(|path| path.exists());
        let read = |path: &PathBuf| {
            let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
            TuneFile::parse(&text)
        };
        let (entries, problem) = match path.as_ref().map(read) {
            Some(Ok(file)) => (file.entries, None),
            Some(Err(problem)) => (Vec::new(), Some(problem)),
            None => (Vec::new(), None),
        };
        Tunings { items: Items::of(tokens), entries, path, problem }
    }

    /// The same without entries.
    pub(crate) fn without_entries(self) -> Tunings {
        Tunings { entries: Vec::new(), ..self }
    }

    /// The entries of a kernel as it is now.
    fn of_kernel(&self, name: &str) -> Vec<&Entry> {
        let all: Vec<&Entry> = self.entries.iter().filter(|entry| entry.kernel == name).collect();
        if all.is_empty() {
            return all;
        }
        let fingerprint = self.items.fingerprint(name);
        all.into_iter().filter(|entry| entry.fingerprint == fingerprint).collect()
    }

    /// The strategies of a kernel, each once, with the names of their versions.
    fn strategies(&self, name: &str) -> Vec<(String, String)> {
        let mut strategies: Vec<(String, String)> = Vec::new();
        for entry in self.of_kernel(name) {
            let is_new = strategies.iter().all(|(version, _)| *version != entry.version);
            if let Some(steps) = entry.strategy.as_ref().filter(|_| is_new && strategies.len() < VERSIONS) {
                strategies.push((entry.version.clone(), steps.clone()));
            }
        }
        strategies
    }

    /// Whether kernels get strategies.
    pub(crate) fn has_strategies(&self) -> bool {
        self.entries.iter().any(|entry| !self.strategies(&entry.kernel).is_empty())
    }

    /// The body of the macro call, in which kernels have the strategies that were found for them.
    pub(crate) fn with_strategies(&self, tokens: TokenStream) -> TokenStream {
        if self.entries.is_empty() {
            return tokens;
        }
        with_strategies(tokens, |kernel| self.strategies(kernel))
    }

    /// Adds to the description of a kernel what was found about it. Versions that were found are not the first choice elsewhere.
    pub(crate) fn describe(&self, spec: &mut KernelSpec) {
        spec.fingerprint = self.items.fingerprint(&spec.name).into();
        spec.tuned = self.known(&spec.name, &spec.sizes.iter().map(|size| &*size.name).collect::<Vec<_>>());
        let strategies = self.strategies(&spec.name);
        for order in [&mut spec.gpu_order, &mut spec.cpu_order] {
            order.to_mut().retain(|name| strategies.iter().all(|(version, _)| version != name));
        }
    }

    /// What was found about a kernel with these sizes, as its description has it.
    pub(crate) fn known(&self, name: &str, sizes: &[&str]) -> List<Tuned> {
        let tuned = self.of_kernel(name).into_iter().filter_map(|entry| {
            let value =
                |size: &&str| entry.sizes.iter().find(|(name, _)| name == size).map(|(_, value)| *value);
            let tunables = entry.tunables.iter().map(|(name, value)| (name.clone().into(), *value));
            Some(Tuned {
                device: entry.device.clone().into(),
                sizes: sizes.iter().map(value).collect::<Option<Vec<i64>>>()?.into(),
                variant: entry.version.clone().into(),
                tunables: tunables.collect(),
            })
        });
        tuned.collect()
    }

    /// What the description of a kernel depends on, besides its tokens.
    pub(crate) fn key(&self, name: &str) -> String {
        self.of_kernel(name).into_iter().map(|entry| format!("{entry}")).collect()
    }

    /// Has the crate compiled again when the file changes, and warns of what cannot be used.
    pub(crate) fn tokens(&self, block: &Block) -> TokenStream {
        let Some(path) = &self.path else { return TokenStream::new() };
        let file = path.display().to_string();
        let tracked = quote!(
            const _: &[u8] = ::core::include_bytes!(#file);
        );
        let kernels = block.functions.iter().filter(|function| function.kernel);
        let names = kernels.filter_map(|function| function.surface.ident.as_ref());
        let stale = |name: &Ident| {
            let entries = self.entries.iter().filter(|entry| name == entry.kernel.as_str()).count();
            if entries == 0 || entries == self.of_kernel(&name.to_string()).len() {
                return TokenStream::new();
            }
            let text = format!(
                "`{name}` is not the kernel any more that was tuned, so that launches choose versions as if nobody had tuned it; tune it \
                 again, or remove its entries from {FILE}"
            );
            warnings::plain(&text, name.span())
        };
        let stale: TokenStream = names.map(stale).collect();
        let unread = self
            .problem
            .as_ref()
            .map(|problem| warnings::plain(&format!("{file} cannot be used: {problem}"), Span::call_site()));
        quote!(#tracked #stale #unread)
    }

    /// Warns that versions which tuning found cannot be made any more.
    pub(crate) fn unusable(&self) -> TokenStream {
        let text = format!(
            "the compiler does not accept the strategies in {FILE} any more; tune again, or remove them"
        );
        warnings::plain(&text, Span::call_site())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expand::tuned_compilation;

    const KERNEL: &str =
        "/// Adds one.\n#[kernel] pub fn Next<N>(xs: [f32; N]) -> [f32; N] { xs.map(|x| x + 1.0) }";

    /// A folder with this file.
    fn folder(name: &str, text: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("lift-tuned-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(FILE), text).unwrap();
        folder
    }

    fn entry(fingerprint: &str, version: &str, strategy: Option<&str>) -> Entry {
        Entry {
            kernel: "Next".into(),
            fingerprint: fingerprint.into(),
            device: "A GPU".into(),
            sizes: vec![("N".into(), 1000)],
            version: version.into(),
            strategy: strategy.map(str::to_string),
            tunables: vec![("TILE".into(), 64)],
            ..Entry::default()
        }
    }

    fn fingerprint(text: &str) -> String {
        Items::of(text.parse().unwrap()).fingerprint("Next")
    }

    #[test]
    fn kernels_are_described_with_what_was_found() {
        let mut file = TuneFile::default();
        file.insert(entry(&fingerprint(KERNEL), "tuned_1", Some("coarsen(4)")));
        let folder = folder("found", &file.to_string());
        let tunings = Tunings::at(Some(&folder), KERNEL.parse().unwrap());
        let tokens = tunings.with_strategies(KERNEL.parse().unwrap()).to_string();
        assert!(tokens.replace(' ', "").contains("#[strategy(tuned_1:coarsen(4))]#[kernel]"), "{tokens}");
        let mut spec = KernelSpec {
            name: "Next".into(),
            sizes: vec![lift_spec::SizeVar { name: "N".into(), define: "N".into() }].into(),
            gpu_order: vec!["tuned_1".into(), "naive".into()].into(),
            ..KernelSpec::INVALID
        };
        tunings.describe(&mut spec);
        assert_eq!(*spec.gpu_order, ["naive"]);
        assert_eq!(spec.tuned.len(), 1);
        assert_eq!((&*spec.tuned[0].variant, &*spec.tuned[0].sizes), ("tuned_1", &[1000][..]));
        assert_eq!(spec.fingerprint, fingerprint(KERNEL));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn comments_and_spaces_do_not_change_a_kernel_and_numbers_do() {
        let same =
            "#[kernel]\npub fn Next <N> (xs: [f32; N])\n-> [f32; N] { /* more */ xs.map( |x| x+1.0 ) }";
        assert_eq!(fingerprint(KERNEL), fingerprint(same));
        assert_ne!(fingerprint(KERNEL), fingerprint(&KERNEL.replace("1.0", "2.0")));
        // It stands in files, and is the same on all machines and of all releases.
        assert_eq!(fingerprint("#[kernel] fn Next() {}"), "843fb8de7260d7f1");
    }

    #[test]
    fn what_was_found_of_another_kernel_is_told() {
        let mut file = TuneFile::default();
        file.insert(entry("0123456789abcdef", "tuned_1", Some("coarsen(4)")));
        let folder = folder("stale", &file.to_string());
        let tunings = Tunings::at(Some(&folder), KERNEL.parse().unwrap());
        assert!(!tunings.has_strategies());
        let block = lift_core::pipeline::Checked::of(KERNEL.parse().unwrap()).block;
        let text = tunings.tokens(&block).to_string();
        assert!(text.contains("`Next` is not the kernel any more that was tuned"), "{text}");
        assert!(text.contains("include_bytes"), "{text}");
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_that_is_none_is_told() {
        let folder = folder("damaged", "[[tuned]\n");
        let tunings = Tunings::at(Some(&folder), KERNEL.parse().unwrap());
        let block = lift_core::pipeline::Checked::of(KERNEL.parse().unwrap()).block;
        let text = tunings.tokens(&block).to_string();
        assert!(text.contains("cannot be used"), "{text}");
        let nothing = Tunings::at(None, KERNEL.parse().unwrap());
        assert!(nothing.tokens(&block).is_empty());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn steps_that_the_compiler_does_not_know_do_not_stop_a_build() {
        let mut file = TuneFile::default();
        file.insert(entry(&fingerprint(KERNEL), "tuned_1", Some("of_another_compiler(4)")));
        let folder = folder("unknown", &file.to_string());
        let tokens: TokenStream = KERNEL.parse().unwrap();
        let tunings = Tunings::at(Some(&folder), tokens.clone());
        let (compilation, kernels, told) = tuned_compilation(tokens, tunings, None);
        assert!(compilation.diagnostics.is_empty(), "{:?}", compilation.diagnostics);
        assert_eq!(kernels.len(), 1);
        assert!(told.to_string().contains("does not accept the strategies"), "{told}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
