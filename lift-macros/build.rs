//! Names the compiler by its sources, for what it keeps between builds in this script's folder.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The folders of the compiler's sources, where they lie beside each other. Packages from a registry are named by their versions.
const SOURCES: [&str; 3] = ["src", "../lift-core/src", "../lift-spec/src"];

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut hasher = DefaultHasher::new();
    env::var("CARGO_PKG_VERSION").ok().hash(&mut hasher);
    for folder in SOURCES {
        let folder = root.join(folder);
        if folder.exists() {
            println!("cargo::rerun-if-changed={}", folder.display());
            read(&folder, &mut hasher);
        }
    }
    println!("cargo::rustc-env=LIFT_COMPILER={:016x}", hasher.finish());
}

/// Adds the names and contents of all files in a folder.
fn read(folder: &Path, hasher: &mut DefaultHasher) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            read(&path, hasher);
        } else {
            path.hash(hasher);
            fs::read(&path).ok().hash(hasher);
        }
    }
}
