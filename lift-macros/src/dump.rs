//! What the compiler made of each kernel, as files, for those who ask for it with `LIFT_DUMP`.

use std::path::PathBuf;

use lift_core::pipeline::Compiled;
use proc_macro2::TokenStream;

use crate::report;

/// The variable of the environment that names a folder.
const FOLDER: &str = "LIFT_DUMP";

/// The folder, if one is wanted.
pub(crate) fn folder() -> Option<PathBuf> {
    std::env::var_os(FOLDER).filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

/// Writes a file for each kernel into a folder; what goes wrong is an error of the build.
pub(crate) fn dump(kernels: &[Compiled], folder: Option<PathBuf>) -> TokenStream {
    let Some(folder) = folder else { return TokenStream::new() };
    let name = std::env::var("CARGO_CRATE_NAME").unwrap_or_else(|_| "crate".into());
    let written = std::fs::create_dir_all(&folder).and_then(|()| {
        kernels.iter().try_for_each(|compiled| {
            let file = folder.join(format!("{name}.{}.txt", compiled.kernel.name));
            std::fs::write(file, compiled.to_string())
        })
    });
    match written {
        Ok(()) => TokenStream::new(),
        Err(error) => {
            report::build_error(&format!("{FOLDER}={}: cannot be written: {error}", folder.display()))
        }
    }
}
