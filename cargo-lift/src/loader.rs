//! The loader of OpenCL, `libOpenCL`, on Linux: which drivers it is told of, and whether they are there.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the loader looks for drivers unless a variable says where.
const FOLDER: &str = "/etc/OpenCL/vendors";

/// Variables that name a folder or file instead.
const VARIABLES: [&str; 2] = ["OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"];

/// A variable with the libraries of more drivers, separated by `:`.
const MORE: &str = "OCL_ICD_FILENAMES";

/// A driver that the loader is told of.
pub(crate) struct Driver {
    /// The file or variable that says so.
    pub(crate) from: String,
    /// The library.
    pub(crate) library: String,
    /// Where it is.
    pub(crate) place: Place,
}

/// Where a library is.
pub(crate) enum Place {
    /// This process uses it.
    Loaded(PathBuf),
    /// It is there and not used.
    Found(PathBuf),
    /// It is in no folder that libraries are loaded from.
    Nowhere,
}

/// The library that this process has loaded from a file with this name, if it has.
pub(crate) fn loaded(name: &str) -> Option<PathBuf> {
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    // The path is what comes behind five columns.
    let paths = maps.lines().filter_map(|line| line.find('/').map(|start| PathBuf::from(&line[start..])));
    let is_named = |path: &PathBuf| path.file_name().is_some_and(|it| it.to_string_lossy().starts_with(name));
    paths.into_iter().find(is_named)
}

/// Where the loader is told to look, and whether by a variable.
pub(crate) fn searched() -> String {
    match set() {
        Some((variable, path)) => format!("{} (${variable})", path.display()),
        None => FOLDER.to_string(),
    }
}

fn set() -> Option<(&'static str, PathBuf)> {
    VARIABLES.into_iter().find_map(|name| Some((name, env::var_os(name)?.into())))
}

/// The drivers, in the order of their files' names.
pub(crate) fn drivers() -> Vec<Driver> {
    let (variable, path) = set().unwrap_or(("", FOLDER.into()));
    let is_icd = |path: &Path| path.extension().is_some_and(|extension| extension == "icd");
    let mut found: Vec<Driver> = if path.is_dir() {
        let entries = fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut files: Vec<PathBuf> = entries.filter(|file| is_icd(file)).collect();
        files.sort();
        files.iter().filter_map(|file| announced(file)).collect()
    } else if is_icd(&path) {
        announced(&path).into_iter().collect()
    } else if path.is_file() {
        vec![driver(format!("${variable}"), path.display().to_string())]
    } else {
        Vec::new()
    };
    let more = env::var(MORE).unwrap_or_default();
    let more = more.split(':').filter(|library| !library.is_empty());
    found.extend(more.map(|library| driver(format!("${MORE}"), library.to_string())));
    found
}

/// The driver whose library is the first line of the file.
fn announced(file: &Path) -> Option<Driver> {
    let text = fs::read_to_string(file).ok()?;
    let library = text.lines().next().unwrap_or_default().trim();
    Some(driver(file.display().to_string(), library.to_string()))
}

fn driver(from: String, library: String) -> Driver {
    let place = place(&library);
    Driver { from, library, place }
}

fn place(library: &str) -> Place {
    let path = Path::new(library);
    let in_folders = || folders().into_iter().map(|folder| folder.join(path)).find(|path| path.is_file());
    // A path is taken as it is; a name is searched for.
    let found =
        if library.contains('/') { Some(path.to_path_buf()).filter(|it| it.is_file()) } else { in_folders() };
    let real = found.as_ref().and_then(|path| fs::canonicalize(path).ok());
    let names = [Some(path), real.as_deref()].into_iter().flatten().filter_map(Path::file_name);
    let mut names = names.map(|name| name.to_string_lossy().into_owned()).filter(|name| !name.is_empty());
    match (names.find_map(|name| loaded(&name)), found) {
        (Some(path), _) => Place::Loaded(path),
        (None, Some(path)) => Place::Found(path),
        (None, None) => Place::Nowhere,
    }
}

/// The folders that libraries are loaded from.
fn folders() -> Vec<PathBuf> {
    let own = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = env::split_paths(&own).collect();
    let files = fs::read_dir("/etc/ld.so.conf.d").into_iter().flatten().flatten();
    for file in files {
        let text = fs::read_to_string(file.path()).unwrap_or_default();
        folders.extend(text.lines().filter(|line| line.starts_with('/')).map(PathBuf::from));
    }
    folders.extend(["/lib", "/usr/lib", "/lib64", "/usr/lib64"].map(PathBuf::from));
    folders
}
