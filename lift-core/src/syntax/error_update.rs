//! What users are told about kernels that update parameters: one function per fault. Codes L0180–L0189.

use crate::diag::{Diagnostic, faults};
use crate::span::Span;
use crate::text::count;

faults! { pub(super),
    /// `&mut` in a function that is no kernel.
    "L0180" update_in_helper(name): "only a kernel can update a parameter, and `{name}` is none",
        help "take the array by value, return the new one, and `write_to` it in the kernel";
    /// `&mut` of something else than an array.
    "L0180" update_of_scalar(name): "`{name}` is no array: only arrays can be updated",
        help "return the value instead, or write `&mut [T; 1]`";
    /// Two updates of one parameter.
    "L0181" updated_twice(name): "`{name}` is updated twice",
        note "all that is read of it is what it contained before the kernel, so one of the two would be lost",
        help "compute the new contents in one expression, or use two kernels";
    /// No update of a parameter.
    "L0182" never_updated(name): "`{name}` is never updated",
        help "write `write_to({name}, …);`, or leave out the `&mut`";
    /// An update within an expression.
    "L0183" update_inside(): "an update cannot stand within an expression",
        help "it is a statement in the body of a kernel; compute the whole array here, and update there";
    /// `write_to` where a value is needed.
    "L0183" update_as_value(): "`write_to` is a statement and has no value",
        help "it stands in the body of a kernel, followed by `;`: `write_to(dst, e);`";
    /// A value at the end of a kernel without a result.
    "L0184" value_without_result(name): "this value goes nowhere: `{name}` has no result",
        help "say its type, `-> [f32; N]`, or write it to a parameter: `write_to(dst, …);`";
    /// No value at the end of a kernel with a result.
    "L0184" result_without_value(name): "`{name}` promises a result, but its body ends without a value",
        help "end it with the result, without `;`, or leave out the type after `->`";
    /// An update with too many or too few arguments.
    "L0110" update_arguments(name: &str, found: usize): "`{}` is the form of this update; here are {}"
        (if name == "write_to" { "write_to(dst, e)" } else { "scatter_to(dst, idx, vals)" }, count(found, "argument"));
}

/// The target of an update is no such parameter.
pub(super) fn not_updatable(span: Span, name: Option<&str>) -> Diagnostic {
    match name {
        Some(name) => Diagnostic::new("L0181", span, format!("`{name}` cannot be updated"))
            .help(format!("only what the kernel declares as `&mut` can: `{name}: &mut [f32; N]`")),
        None => {
            Diagnostic::new("L0181", span, "only a parameter of the kernel can be updated, not a part of one")
                .help("name a parameter that is declared as `&mut [f32; N]`")
        }
    }
}
