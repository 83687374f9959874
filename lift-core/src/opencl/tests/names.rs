//! Names that mean something to OpenCL C, to the printer or to nobody: whoever has them, the text uses none twice.

use std::collections::BTreeSet;

use crate::ir::{MathFn, Scalar};
use crate::opencl::math::{Spelling, spell};
use crate::opencl::{defines, reserved};
use crate::pipeline;

/// Beginnings and ends that have a meaning.
const PARTS: [&str; 34] = [
    "stream_",
    "unaligned_",
    "half_",
    "float",
    "uchar",
    "vload",
    "vstore",
    "get_",
    "as_",
    "convert_",
    "native_",
    "atomic_",
    "work_group_",
    "LIFT_",
    "CLK_",
    "TILE_X",
    "TILE_Y_1",
    "wrapping_add_",
    "div_",
    "rem_",
    "clamp_",
    "abs_diff_",
    "checked_index",
    "claim_element",
    "index_t",
    "status",
    "claims",
    "kernel",
    "main",
    "v_",
    "N_",
    "i",
    "row",
    "x",
];

fn names() -> Vec<String> {
    let ends = ["", "2", "4", "16", "_", "_2", "_int", "_float4", "int", "x", "é", "_SIZE"];
    let words =
        "restrict global NULL NAN INT_MAX sqrt fma min barrier linux unix l0 anywhere place value self_ é ß";
    let words = words.split_whitespace().map(str::to_string);
    let long = ["a".repeat(300), format!("stream_{}", "b".repeat(300))];
    let made = PARTS.iter().flat_map(|part| ends.map(|end| format!("{part}{end}")));
    words.chain(long).chain(made).collect()
}

fn text(source: &str) -> Vec<String> {
    let compilation = pipeline::compile(source.parse().expect("tokens"));
    let mistakes: Vec<String> = compilation.diagnostics.iter().map(|d| d.text()).collect();
    assert!(mistakes.is_empty(), "{source}\n{}", mistakes.join("\n"));
    let versions = compilation.kernels.iter().flat_map(|kernel| &kernel.versions);
    versions.map(|version| version.generated.source.clone()).collect()
}

/// The names that a text declares: parameters, and values with one.
fn declared(text: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let after = |word: &'static str| text.split(word).skip(1);
    let names = after("restrict ").chain(after("const float "));
    names.map(|rest| rest.split(|c| !is_name(c)).next().unwrap_or_default()).collect()
}

#[test]
fn parameters_and_variables_have_names_of_their_own() {
    for names in names().chunks(30) {
        let params: Vec<String> = names.iter().map(|name| format!("{name}: [f32; N]")).collect();
        let lets: String =
            names.iter().map(|name| format!("let {name} = {name}[position] / 2.0; ")).collect();
        let source = format!(
            "#[kernel] fn Named<N>({}) -> [f32; N] {{ array(N, |position| {{ {lets} ({}) * ({}) }}) }}",
            params.join(", "),
            names.join(" + "),
            names.join(" - "),
        );
        for text in text(&source) {
            let declared = declared(&text);
            assert!(declared.len() > names.len(), "{text}");
            for name in declared {
                assert!(!reserved::is_reserved(name), "`{name}` in {text}");
            }
        }
    }
}

#[test]
fn sizes_have_macros_of_their_own() {
    use crate::arith::Var;
    let all: Vec<Var> = (0..).zip(names()).map(|(id, name)| Var::new(id, &name)).collect();
    let defines = defines(&all);
    let distinct: BTreeSet<&String> = defines.iter().collect();
    assert_eq!(distinct.len(), all.len());
    for define in &defines {
        assert!(!reserved::is_reserved(define), "{define}");
    }
}

#[test]
fn a_size_may_be_called_like_a_tunable() {
    for name in ["TILE_X", "TILE_Y", "TILE_Z", "tile_x", "BLOCK"] {
        let source = format!(
            "#[kernel] fn Blur<{name}, M>(a: [[f32; M]; {name}]) -> [[f32; M]; {name}] {{
                 a.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w.join().reduce(add, 0.0))
             }}"
        );
        let texts = text(&source);
        assert!(texts.iter().any(|text| text.contains("TILE_X")), "no version has tiles");
    }
}

#[test]
fn builtin_functions_that_are_printed_are_reserved() {
    for scalar in Scalar::ALL {
        for f in MathFn::ALL.into_iter().filter(|f| f.accepts(scalar)) {
            if let Spelling::Builtin(name) | Spelling::Converted(name) = spell(f, scalar) {
                assert!(reserved::is_reserved(name), "{name}");
            }
        }
    }
}
