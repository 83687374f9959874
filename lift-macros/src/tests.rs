//! The whole expansion, outside a compiler: whatever the tokens are, it yields tokens and does not panic.

use proc_macro2::{Group, TokenStream, TokenTree};

use crate::expand::expand;

/// The bodies of `lift!` in the programs with mistakes, and some without.
fn bodies() -> Vec<TokenStream> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/ui");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|e| e.expect("a file").path()).collect();
    files.sort();
    let mut bodies = Vec::new();
    for file in files.into_iter().filter(|f| f.extension().is_some_and(|e| e == "rs")) {
        let text = std::fs::read_to_string(&file).expect("a text");
        let tokens: Vec<TokenTree> = text.parse::<TokenStream>().expect("tokens").into_iter().collect();
        bodies.extend(tokens.windows(3).filter_map(|w| match w {
            [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Group(body)] if name == "lift" => {
                Some(body.stream())
            }
            _ => None,
        }));
    }
    let right = [
        "{ fn f(w: [f32; 3]) -> f32 { w.reduce(add, 0.0) } map(f) . slide(3, 1) . pad(1, 1, clamp) }",
        "const A: f32 = 1.0; const B: f32 = A + A; fn g(x: f32) -> f32 { x + B } #[kernel] pub fn K<N>(r#type: [f32; N], _: f32) -> [f32; N] { r#type.map(g) }",
    ];
    bodies.extend(right.map(|text| text.parse::<TokenStream>().expect("tokens")));
    bodies
}

/// The tokens without the one at `position`, counted through all groups.
fn without(tokens: TokenStream, position: &mut usize) -> TokenStream {
    let mut left = Vec::new();
    for token in tokens {
        let here = *position == 0;
        *position = position.wrapping_sub(1);
        match token {
            _ if here => {}
            TokenTree::Group(group) => {
                let inner = without(group.stream(), position);
                left.push(TokenTree::Group(Group::new(group.delimiter(), inner)));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => left.push(token),
        }
    }
    left.into_iter().collect()
}

fn count(tokens: &TokenStream) -> usize {
    let inside = |token: TokenTree| match token {
        TokenTree::Group(group) => 1 + count(&group.stream()),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => 1,
    };
    tokens.clone().into_iter().map(inside).sum()
}

#[test]
fn every_program_expands_with_any_token_missing() {
    let bodies = bodies();
    assert!(bodies.len() > 20, "{}", bodies.len());
    for body in bodies {
        assert!(!expand(body.clone()).is_empty());
        for position in 0..count(&body) {
            expand(without(body.clone(), &mut position.clone()));
        }
    }
}

#[test]
fn a_program_with_mistakes_still_has_its_launchers() {
    let text = "#[kernel] pub fn Wrong<N>(x: [f32; N]) -> [f32; N] { x.mpa(|v| v) }";
    let tokens = expand(text.parse().expect("tokens")).to_string();
    assert!(tokens.contains("compile_error") && tokens.contains("L0101"), "{tokens}");
    assert!(tokens.contains("name : Wrong") && tokens.contains("x : array f32 , 1"), "{tokens}");
}

#[test]
fn a_step_with_mistakes_still_has_its_simulation() {
    let text =
        "#[kernel] #[step(p)] pub fn Wrong<N>(p: [f32; N], x: &mut [f32; N]) { write_to(x, p.mpa(|v| v)); }";
    let tokens = expand(text.parse().expect("tokens")).to_string();
    assert!(tokens.contains("L0101"), "{tokens}");
    for part in ["x : update array f32 , 1", "result : ()", "steps : WrongSteps", "p p_device", "set_x"] {
        assert!(tokens.contains(part), "{part}: {tokens}");
    }
}
