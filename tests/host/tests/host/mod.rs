//! The functions of kernels.

use lift::__private::host::Entry;
use lift_core::host::Function;
use lift_core::pipeline::Compiled;

/// The functions of a kernel, as rustc has compiled them beforehand.
pub fn functions(compiled: &Compiled) -> &'static [Entry] {
    let functions = compiled.host.iter().flat_map(|version| &version.generated.host);
    let found = functions.map(|function| {
        let (name, ty) = (function.entry.clone().leak(), Function::type_name(&function.entry));
        lift_host_tests::function(name, &function.text, &ty).unwrap_or_else(|| {
            panic!("{}: rustc has compiled no such function:\n{}", compiled.kernel.name, function.text)
        })
    });
    found.collect::<Vec<_>>().leak()
}
