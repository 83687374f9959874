//! The sources of a package, and how a user names a kernel in them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use lift_core::text::{did_you_mean, list, meant};

use crate::Result;
use crate::source::{self, Call, Kernel};

/// Which sources are searched for kernels.
#[derive(Debug, clap::Args)]
pub(crate) struct Package {
    /// The package's `Cargo.toml`; without it, that of this folder or of the next one above. All Rust sources below its folder
    /// are searched.
    #[arg(long, value_name = "PATH")]
    manifest_path: Option<PathBuf>,
    /// Only this file, or the files below this folder. `FILE:LINE` takes the kernel whose name is in this line.
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
}

/// What is in the sources of a package.
pub(crate) struct Found {
    /// The calls, in the order of files and lines.
    pub(crate) calls: Vec<Rc<Call>>,
    /// Files that could not be read, and why.
    pub(crate) unreadable: Vec<String>,
    /// The only line that counts, if there is one.
    line: Option<usize>,
}

impl Found {
    /// The kernels, in the order of files and lines.
    pub(crate) fn kernels(&self) -> Vec<Kernel> {
        let all = self.calls.iter().flat_map(|call| call.kernels());
        all.filter(|kernel| self.line.is_none_or(|line| kernel.line == line)).collect()
    }
}

impl Package {
    /// All calls of `lift!`.
    ///
    /// # Errors
    ///
    /// When there is no such package or file.
    pub(crate) fn find(&self) -> Result<Found> {
        let (path, line) = match &self.file {
            Some(file) => place(file)?,
            None => (folder(self.manifest_path.as_deref())?, None),
        };
        let mut files = Vec::new();
        collect(&path, &mut files)?;
        let mut found = Found { calls: Vec::new(), unreadable: Vec::new(), line };
        for file in files {
            match source::calls(&file) {
                Ok(calls) => found.calls.extend(calls),
                Err(error) => found.unreadable.push(error.to_string()),
            }
        }
        Ok(found)
    }

    /// The kernel of this name.
    ///
    /// # Errors
    ///
    /// When there is none or more than one.
    pub(crate) fn kernel(&self, name: &str) -> Result<Kernel> {
        let found = self.find()?;
        let kernels = found.kernels();
        // `Blur` is `Blur<f32>` if there is no other.
        let instance = |kernel: &&Kernel| kernel.name.split('<').next() == Some(name);
        let mut named: Vec<&Kernel> = kernels.iter().filter(|kernel| kernel.name == name).collect();
        if named.is_empty() {
            named = kernels.iter().filter(instance).collect();
        }
        match named.as_slice() {
            [one] => Ok((*one).clone()),
            [] => {
                let names = || kernels.iter().map(|kernel| kernel.name.as_str());
                let problems = found.unreadable.iter().map(|problem| format!("\nnote: {problem}"));
                let hint = match meant(did_you_mean(name, names())) {
                    Some(question) => question,
                    None if kernels.is_empty() => "there is no kernel at all".to_string(),
                    None => "`cargo lift show` lists all kernels".to_string(),
                };
                Err(format!("there is no kernel `{name}`\nhelp: {hint}{}", problems.collect::<String>())
                    .into())
            }
            several => {
                let places: String =
                    several.iter().map(|kernel| format!("\n  {kernel}  {}", kernel.name)).collect();
                let mut names: Vec<&str> = several.iter().map(|kernel| kernel.name.as_str()).collect();
                names.dedup();
                let help = match names.as_slice() {
                    [_] => "choose one with `--file FILE` or `--file FILE:LINE`".to_string(),
                    names => format!("choose {}", list(names, "or")),
                };
                Err(format!("there are several kernels `{name}`:{places}\nhelp: {help}").into())
            }
        }
    }
}

/// A file or folder, and a line of it.
fn place(text: &str) -> Result<(PathBuf, Option<usize>)> {
    let path = PathBuf::from(text);
    if path.exists() {
        return Ok((path, None));
    }
    let line = text.rsplit_once(':').and_then(|(path, line)| Some((PathBuf::from(path), line.parse().ok()?)));
    match line {
        Some((path, line)) if path.is_file() => Ok((path, Some(line))),
        _ => Err(format!("there is no file `{text}`").into()),
    }
}

/// The folder of the manifest, relative to the current one if it is below that.
fn folder(manifest: Option<&Path>) -> Result<PathBuf> {
    if let Some(manifest) = manifest {
        return match manifest.parent() {
            Some(parent) if manifest.is_file() => Ok(parent.to_path_buf()),
            _ => Err(format!("there is no file `{}`", manifest.display()).into()),
        };
    }
    let here = env::current_dir().map_err(|error| format!("the current folder cannot be read: {error}"))?;
    let folder = here.ancestors().find(|folder| folder.join("Cargo.toml").is_file());
    match folder {
        Some(folder) if folder == here => Ok(PathBuf::new()),
        Some(folder) => Ok(folder.to_path_buf()),
        None => {
            Err("there is no `Cargo.toml` in this folder or above\nhelp: name one with `--manifest-path`"
                .into())
        }
    }
}

/// Adds the Rust sources below a folder, or the file itself, in order: not those that are hidden or in a folder for what is built.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_file() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    let folder = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let unreadable = |error| format!("the folder `{}` cannot be read: {error}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        // Links to folders are not followed: they may lead in circles.
        names.push((entry.file_name(), entry.file_type().map_err(unreadable)?.is_dir()));
    }
    names.sort();
    for (name, is_folder) in names {
        let inner = path.join(&name);
        if name.to_string_lossy().starts_with('.') {
            continue;
        }
        if is_folder {
            if !inner.join("CACHEDIR.TAG").exists() {
                collect(&inner, files)?;
            }
        } else if inner.extension().is_some_and(|extension| extension == "rs") {
            files.push(inner);
        }
    }
    Ok(())
}
