//! How far a stencil reads.

use lift_core::rewrite::normalise;
use lift_core::rewrite::rules::stencil::Stencil;
use lift_core::rewrite::rules::steps::reach::{Access, Halo, Reach};

use crate::testing::kernel;

#[test]
fn each_array_has_a_reach_of_its_own() {
    let kernel = kernel(
        "#[kernel] fn K<N>(x: [f32; N], y: [f32; N], z: [f32; N]) -> [f32; N] {
            zip(x.pad(1, 2, clamp).slide(4, 1), y.pad(3, 0, mirror).slide(4, 1), z)
                .map(|v, w, z| v[0] * v[3] + w[1] * z)
        }",
    );
    let stencil = Stencil::find(&normalise(&kernel)).unwrap();
    let accesses = stencil.inputs.iter().map(|input| Access::of(input, 1, &kernel.facts).unwrap());
    let reaches: Vec<(String, Option<Reach>)> = accesses
        .map(|access| (access.array.name.to_string(), access.halos.first().map(Halo::reach)))
        .collect();
    let reach = |before, after| Some(Reach { before, after });
    let expected = [("x", reach(1, 2)), ("y", reach(3, 3)), ("z", None)];
    assert_eq!(reaches, expected.map(|(name, reach)| (name.to_string(), reach)));
}
