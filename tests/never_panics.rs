//! Whatever tokens the compiler is given, it answers with diagnostics and does not panic.

use std::collections::BTreeMap;

use lift_core::pipeline;
use proptest::prelude::*;

const WORDS: &[&str] = &[
    "fn",
    "#[kernel]",
    "pub",
    "const",
    "let",
    "if",
    "else",
    "as",
    "f32",
    "i32",
    "u8",
    "bool",
    "usize",
    "N",
    "M",
    "x",
    "y",
    "map",
    "reduce",
    "zip",
    "split",
    "join",
    "transpose",
    "slide",
    "pad",
    "map2d",
    "slide2d",
    "pad2d",
    "array",
    "take",
    "drop",
    "crop",
    "clamp",
    "mirror",
    "wrap",
    "constant",
    "add",
    "mul",
    "sub",
    "min",
    "id",
    "sqrt",
    "f",
    "g",
    "Kernel",
    "0",
    "1",
    "2",
    "17",
    "0.0",
    "1.5",
    "255u8",
    "true",
    "+",
    "-",
    "*",
    "/",
    "%",
    "<",
    "<<",
    "==",
    "&&",
    "!",
    "->",
    "=>",
    ":",
    ";",
    ",",
    ".",
    "=",
    "|",
    "_",
    "&",
    "#[size(N % 2 == 0)]",
    "'a",
    "\"text\"",
    "for",
    "loop",
    "match",
    "return",
    "mut",
];

fn tokens() -> impl Strategy<Value = String> {
    let word = prop::sample::select(WORDS).prop_map(str::to_string);
    let leaf = prop::collection::vec(word, 0..6).prop_map(|w| w.join(" "));
    leaf.prop_recursive(5, 64, 5, |inner| {
        (prop::collection::vec(inner, 1..5), 0..4).prop_map(|(parts, kind)| {
            let text = parts.join(" ");
            match kind {
                0 => format!("({text})"),
                1 => format!("[{text}]"),
                2 => format!("{{{text}}}"),
                _ => text,
            }
        })
    })
}

/// Programs that are right but for one token exchanged, left out or doubled.
fn nearly_right() -> impl Strategy<Value = String> {
    let programs = vec![
        "fn f ( w : [ f32 ; 3 ] ) -> f32 { w [ 0 ] + w . reduce ( add , 0.0 ) } \
         # [ kernel ] pub fn K < N > ( x : [ f32 ; N ] ) -> [ f32 ; N ] { x . pad ( 1 , 1 , clamp ) . slide ( 3 , 1 ) . map ( f ) }",
        "# [ kernel ] pub fn K < N , M > ( w : [ f32 ; 9 ] , x : [ [ u8 ; M ] ; N ] ) -> [ [ f32 ; M ] ; N ] { \
         x . pad2d ( 1 , 1 , constant ( 0 ) ) . slide2d ( 3 , 1 ) . map2d ( | nbh | zip ( w , nbh . join ( ) ) . \
         map ( | ( a , b ) | a * ( b as f32 ) ) . reduce ( add , 0.0 ) ) }",
        "{ fn f ( nbh : [ [ f32 ; 17 ] ; 17 ] ) -> f32 { ( reduce ( add , 0.0 ) . join ) ( nbh ) / 289.0 } \
         map ( map ( f ) ) . slide2d ( 17 , 1 ) . pad2d ( 8 , 8 , clamp ) }",
        "# [ kernel ] fn K ( n : usize , x : [ i32 ; N ] ) -> [ usize ; N ] { let ( a , b ) = ( n , 2 ) ; \
         array ( N , | i | if x [ N - 1 - i ] > 0 { i * a } else { b . max ( i ) } ) }",
    ];
    (prop::sample::select(programs), any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..4)
        .prop_map(|(program, at, word, what)| {
            let mut words: Vec<&str> = program.split_whitespace().collect();
            let at = at.index(words.len());
            match what {
                0 => words[at] = WORDS[word.index(WORDS.len())],
                1 => drop(words.remove(at)),
                2 => words.insert(at, words[at]),
                _ => {
                    let other = word.index(words.len());
                    words.swap(at, other);
                }
            }
            words.join(" ")
        })
}

fn compiles_or_complains(text: &str) {
    // What is not even tokens never reaches a macro.
    let Ok(tokens) = text.parse() else { return };
    let compilation = pipeline::compile(tokens);
    let mut lines = BTreeMap::new();
    for d in &compilation.diagnostics {
        assert!(!d.message.is_empty() && d.code.starts_with('L'), "{d:?}");
        *lines.entry(d.text()).or_insert(0) += 1;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, max_shrink_iters: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn on_random_tokens(text in tokens()) {
        compiles_or_complains(&text);
    }

    #[test]
    fn on_nearly_right_programs(text in nearly_right()) {
        compiles_or_complains(&text);
    }
}

#[test]
fn on_deep_nesting() {
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("-", ""), ("map(", ")"), ("|x|", "")] {
        compiles_or_complains(&format!("{}x{}", open.repeat(2000), close.repeat(2000)));
    }
    compiles_or_complains(&format!("x{}", ".join()".repeat(3000)));
    compiles_or_complains(&format!("x{}", " + x".repeat(3000)));
}

#[test]
fn on_what_is_wrong_in_part_only() {
    compiles_or_complains(
        "const F: f32 = 2.0; #[kernel] fn K(xs: [f32; F]) -> f32 { xs.reduce(add, [nothing]) }",
    );
    compiles_or_complains("#[kernel] fn K<N>(xs: [f32; N]) -> [(f32, f32); N] { xs.map(|x| (x, nothing)) }");
}

#[test]
fn on_products_beside_many_matrices() {
    let names: Vec<String> = (0..40).map(|i| format!("c{i}")).collect();
    let params: Vec<String> = names.iter().map(|name| format!("{name}: [[f32; N]; N]")).collect();
    let text = format!(
        "fn dot(x: [f32; N], y: [f32; N]) -> f32 {{ zip(x, y).map(mul).reduce(add, 0.0) }}
         #[kernel] fn K<N>(a: [[f32; N]; N], b: [[f32; N]; N], {params}) -> [[f32; N]; N] {{
             zip(a, {all}).map(|row, {all}| zip(b.transpose(), {all}).map(|column, {all}| dot(row, column) + {sum}))
         }}",
        params = params.join(", "),
        all = names.join(", "),
        sum = names.join(" + "),
    );
    let compilation = pipeline::compile(text.parse().expect("tokens"));
    assert!(compilation.diagnostics.is_empty(), "{:?}", compilation.diagnostics);
}
