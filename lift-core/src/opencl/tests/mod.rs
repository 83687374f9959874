//! The text of whole kernels. The terms are written by hand, as exploration yields them.

mod arrays;
mod build;
mod control;
mod lanes;
mod locals;
mod names;
mod scalars;
mod stencils;

use crate::explore::Variant;
use crate::generate::passes::function;
use crate::ir::Kernel;
use crate::opencl::print;

/// The text of one version of a kernel.
fn text(kernel: &Kernel, variant: &Variant) -> String {
    print(&kernel.name, &[function(kernel, variant)]).source
}

/// The text without its header.
fn code((kernel, variant): &(Kernel, Variant)) -> String {
    let text = text(kernel, variant);
    match text.split_once("#endif\n\n") {
        Some((_, code)) => code.to_string(),
        None => panic!("no header: {text}"),
    }
}

#[test]
fn the_header_names_the_macros() {
    let [_, (kernel, variant)] = stencils::convolution();
    insta::assert_snapshot!(text(&kernel, &variant).lines().take(16).collect::<Vec<_>>().join("\n"), @r"
    // Convolve
    //
    // Define index_t as long if int is too narrow for indices.
    // Define N, M, TILE_X, TILE_Y as numbers of that type.

    #pragma OPENCL FP_CONTRACT OFF

    #ifdef LIFT_SIZES_ARE_ARGUMENTS
    #define LIFT_SIZES , const index_t N, const index_t M
    #else
    #define LIFT_SIZES
    #endif
    #ifndef index_t
    #define index_t int
    #endif
    ");
}

#[test]
fn the_same_kernel_gives_the_same_text() {
    for (name, first) in stencils::all() {
        let again = stencils::all().into_iter().find(|(n, _)| *n == name);
        assert_eq!(again.map(|(_, kernel)| code(&kernel)), Some(code(&first)));
    }
}
