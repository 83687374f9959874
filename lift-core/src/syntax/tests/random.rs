//! No tokens make the front end panic.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use proptest::prelude::*;

use super::compile_tokens;

fn words() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "fn",
        "let",
        "if",
        "else",
        "const",
        "type",
        "pub",
        "mut",
        "for",
        "in",
        "match",
        "return",
        "as",
        "kernel",
        "size",
        "f32",
        "i32",
        "usize",
        "Nat",
        "Boundary",
        "N",
        "M",
        "x",
        "y",
        "f",
        "g",
        "xs",
        "map",
        "reduce",
        "zip",
        "slide",
        "slide2d",
        "pad",
        "pad2d",
        "split",
        "join",
        "add",
        "mul",
        "sub",
        "min",
        "clamp",
        "constant",
        "sqrt",
        "map_global",
        "mapGlobal",
        "array",
        "at",
        "transpose",
        "unsafe",
        "struct",
        "use",
        "impl",
        "where",
        "move",
        "async",
        "dyn",
        "self",
        "true",
        "loop",
        "while",
    ])
}

fn leaf() -> impl Strategy<Value = TokenStream> {
    let puncts = prop::sample::select(vec![
        ".", ",", ";", ":", "::", "|", "||", "+", "-", "*", "/", "%", "<", ">", "<<", "=", "==", "->", "=>",
        "&", "!", "#", "?", "_", "..", "'",
    ]);
    prop_oneof![
        4 => words().prop_map(|word| TokenStream::from(TokenTree::Ident(Ident::new(word, Span::call_site())))),
        3 => puncts.prop_map(punct),
        2 => (0u64..20).prop_map(|n| TokenStream::from(TokenTree::Literal(Literal::u64_unsuffixed(n)))),
        1 => Just(TokenStream::from(TokenTree::Literal(Literal::f64_unsuffixed(1.5)))),
        1 => Just(TokenStream::from(TokenTree::Literal(Literal::string("s")))),
        3 => snippet(),
    ]
}

fn punct(text: &str) -> TokenStream {
    if text == "_" {
        return TokenTree::Ident(Ident::new("_", Span::call_site())).into();
    }
    let last = text.len() - 1;
    let spacing = |i| if i < last { Spacing::Joint } else { Spacing::Alone };
    let spacing = |i, c| if c == '\'' { Spacing::Joint } else { spacing(i) };
    text.chars().enumerate().map(|(i, c)| TokenTree::Punct(Punct::new(c, spacing(i, c)))).collect()
}

fn snippet() -> impl Strategy<Value = TokenStream> {
    prop::sample::select(vec![
        "fn f(x: f32) -> f32 { x * 2.0 }",
        "fn g<N>(xs: [f32; N]) -> [f32; N] { xs.map(f) }",
        "fn h(f: fn(f32) -> f32, n: Nat, x: f32) -> f32 { f(x) }",
        "#[kernel] pub fn K<N>(xs: [f32; N], ys: [f32; N]) -> [f32; N] { zip(xs, ys).map(mul) }",
        "#[size(N % 4 == 0)]",
        "map(f) . slide(3, 1) . pad(1, 1, clamp)",
        "|x, (y, z)| x + y",
        "xs.map(|x| x.sqrt())",
        "let p = map(f);",
        "let (a, b) = (1, 2);",
        "reduce(add, 0.0)",
        "xs: [f32; N]",
        "f << x",
        "type T = (T, f32);",
        "const C: usize = C + 1;",
        "if x > 1.0 { x } else { y }",
        "slide2d(3)",
        "f32::MAX",
    ])
    .prop_map(|text| text.parse().expect("the snippet consists of Rust tokens"))
}

fn tokens() -> impl Strategy<Value = TokenStream> {
    leaf().prop_recursive(5, 80, 12, |inner| {
        let delimiter = prop::sample::select(vec![
            Delimiter::Parenthesis,
            Delimiter::Parenthesis,
            Delimiter::Brace,
            Delimiter::Bracket,
            Delimiter::None,
        ]);
        prop_oneof![
            1 => (delimiter, prop::collection::vec(inner.clone(), 0..6)).prop_map(|(delimiter, parts)| {
                let stream: TokenStream = parts.into_iter().collect();
                TokenStream::from(TokenTree::Group(Group::new(delimiter, stream)))
            }),
            2 => prop::collection::vec(inner, 1..12).prop_map(|parts| parts.into_iter().collect()),
        ]
    })
}

fn survives(tokens: TokenStream) {
    compile_tokens(tokens);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_tokens_do_not_panic(tokens in tokens()) {
        survives(tokens);
    }

    #[test]
    fn random_bodies_do_not_panic(body in tokens()) {
        let head = "fn f(x: f32, y: f32) -> f32 { x } fn g<N>(xs: [f32; N], f: fn(f32) -> f32, n: Nat) -> [f32; N]";
        let mut all: TokenStream = head.parse().expect("Rust tokens");
        all.extend([TokenTree::Group(Group::new(Delimiter::Brace, body))]);
        survives(all);
    }
}

#[test]
fn deep_and_long_tokens_do_not_overflow_the_stack() {
    let long = 100_000;
    let nest = |open: &str, close: &str, n: usize| format!("{}x{}", open.repeat(n), close.repeat(n));
    let texts = [
        nest("(", ")", 127),
        nest("(", ")", 2000),
        nest("f(", ")", 127),
        nest("[", "]", 500),
        nest("{", "}", 127),
        nest("|x| {", "}", 120),
        format!("{}x", "-".repeat(long)),
        format!("{}x", "!".repeat(250)),
        format!("x{}", "+x".repeat(long)),
        format!("x{}", "-x".repeat(200)),
        format!("x{}", ".f()".repeat(long)),
        format!("x{}", ".sqrt()".repeat(500)),
        format!("x{}", ".0".repeat(long)),
        format!("x{}", " as f32".repeat(long)),
        format!("x{}", "[0]".repeat(long)),
        format!("{}x", "|x| ".repeat(long)),
        format!("{}x", "|x, y| - ".repeat(120)),
        format!("{}x", "return ".repeat(long)),
        format!("{}x", "if ".repeat(long)),
        format!("{}{{}}", "if x {} else ".repeat(long)),
        format!("{}{{x}}", "if x {x} else ".repeat(240)),
        format!("fn f(x: {}) -> f32 {{ x }}", "&".repeat(long)),
        format!("fn f(x: {}f32) -> f32 {{ x }}", "fn() -> ".repeat(long)),
        format!("fn f(x: {}f32{}) -> f32 {{ x }}", "Boundary<".repeat(long), ">".repeat(long)),
        format!("fn f(x: {}f32{}) -> f32 {{ x }}", "[".repeat(120), "; 3]".repeat(120)),
        format!("fn f(x: [f32; N{}]) -> f32 {{ x }}", " + 1".repeat(long)),
        format!("fn f(x: f32) -> f32 {{ {} x }}", "let x = x;".repeat(long)),
        format!("fn f(x: f32) -> f32 {{ {} x }}", "let x = x;".repeat(250)),
        format!("fn f(x: f32) -> f32 {{ let {}x{} = x; x }}", "(_,".repeat(120), ")".repeat(120)),
        "fn f(x: f32) -> f32 { x } ".repeat(2000),
    ];
    for text in texts {
        survives(text.parse().expect("the text consists of Rust tokens"));
    }
}

#[test]
fn substitution_does_not_explode() {
    let mut text = String::from("fn f(x: f32) -> f32 { let f0 = |x| x + x;");
    for i in 1..60 {
        text.push_str(&format!("let f{i} = |x| f{}(f{}(x));", i - 1, i - 1));
    }
    text.push_str("f59(x) }");
    survives(text.parse().expect("Rust tokens"));
    let mut text = String::new();
    for i in 0..60 {
        text.push_str(&format!("type T{i} = (T{}, T{});", i + 1, i + 1));
    }
    text.push_str("type T60 = f32; fn f(x: T0) -> f32 { x.0 }");
    survives(text.parse().expect("Rust tokens"));
}
