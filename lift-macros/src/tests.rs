//! The whole expansion, outside a compiler: whatever the tokens are, it yields tokens and does not panic.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use crate::cache::{self, Described};
use crate::tuned::Tunings;
use crate::{dump, warnings};

fn expand(tokens: TokenStream) -> TokenStream {
    crate::expand::expand(tokens, None)
}

/// What an editor gets.
fn echo_of(tokens: TokenStream) -> String {
    crate::editor::expand(tokens).to_string()
}

/// The bodies of `lift!` in the programs with mistakes, and some without.
fn bodies() -> Vec<TokenStream> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/messages/tests/ui");
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

/// The programs in `tests/faults` and `tests/messages`, and the examples, wrong and right, of `docs/errors.md`.
fn programs() -> Vec<TokenStream> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/faults");
    let mut programs = bodies();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|e| e == "lift") {
            let text = std::fs::read_to_string(&path).expect("a text");
            // A case starts with a line `//// name`.
            let cases = text.split("//// ").skip(1).filter_map(|case| case.split_once('\n'));
            programs.extend(cases.map(|(_, source)| source.parse::<TokenStream>().expect("tokens")));
        }
    }
    let docs =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/errors.md")).expect("a text");
    let examples = docs.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next());
    programs.extend(examples.map(|source| source.parse::<TokenStream>().expect("tokens")));
    programs
}

/// The tokens with what `edit` makes of the one at `position`, counted through all groups.
fn edited(
    tokens: TokenStream,
    position: &mut usize,
    edit: &dyn Fn(TokenTree) -> Vec<TokenTree>,
) -> TokenStream {
    let mut result = Vec::new();
    for token in tokens {
        let here = *position == 0;
        *position = position.wrapping_sub(1);
        match token {
            token if here => result.extend(edit(token)),
            TokenTree::Group(group) => {
                let inner = edited(group.stream(), position, edit);
                result.push(TokenTree::Group(Group::new(group.delimiter(), inner)));
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => result.push(token),
        }
    }
    result.into_iter().collect()
}

/// All tokens, those within groups too.
fn all(tokens: TokenStream, found: &mut Vec<TokenTree>) {
    for token in tokens {
        found.push(token.clone());
        if let TokenTree::Group(group) = token {
            all(group.stream(), found);
        }
    }
}

fn count(tokens: &TokenStream) -> usize {
    let inside = |token: TokenTree| match token {
        TokenTree::Group(group) => 1 + count(&group.stream()),
        TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => 1,
    };
    tokens.clone().into_iter().map(inside).sum()
}

/// Whether more is asked for than a sample.
fn everything() -> bool {
    std::env::var("LIFT_TESTS").is_ok_and(|tests| tests == "all")
}

#[test]
fn every_program_expands_with_any_token_missing() {
    let bodies = bodies();
    assert!(bodies.len() > 20, "{}", bodies.len());
    // The programs are alike: one of four tokens of each, and every one if everything is asked for.
    let step = if everything() { 1 } else { 4 };
    for (number, body) in bodies.into_iter().enumerate() {
        assert!(!expand(body.clone()).is_empty());
        for position in (number % step..count(&body)).step_by(step) {
            expand(without(body.clone(), &mut position.clone()));
        }
    }
}

/// What an editor gets for every program is Rust, also of a program that lacks a token, and each name of the user's stands in it.
#[test]
fn every_program_has_an_echo_with_any_token_missing() {
    for (number, body) in bodies().into_iter().enumerate() {
        let echo = echo_of(body.clone());
        let tokens: Vec<TokenTree> = body.clone().into_iter().collect();
        let mut names = Vec::new();
        for triple in tokens.windows(3) {
            // Bodies of functions; structs are Rust.
            if let [before, _, TokenTree::Group(group)] = triple
                && group.delimiter() == Delimiter::Brace
                && before.to_string() != "struct"
            {
                all(group.stream(), &mut names);
            }
        }
        for name in names.into_iter().filter(|it| matches!(it, TokenTree::Ident(_))).map(|it| it.to_string())
        {
            assert!(echo.contains(&name), "{name} of {body} in {echo}");
        }
        for position in (number % 4..count(&body)).step_by(4) {
            echo_of(without(body.clone(), &mut position.clone()));
        }
    }
}

/// While a name is typed, all that stands before it stays as it is: editors ask twice, with the name and without it.
#[test]
fn an_echo_does_not_depend_on_types_before_its_end() {
    let text = "#[kernel] fn Sums<N, M>(x: [[f32; M]; N]) -> [f32; N] { let y = x.map(|row| row.pad(1, 1, clamp)); y.map(|row| row.reduce(add, 0.0)) }";
    let half = text.replace("y.map(|row| row.", "y.map(|row| row.half.");
    let (whole, half) = (echo_of(text.parse().expect("tokens")), echo_of(half.parse().expect("tokens")));
    let (before, after) = half.split_once("half . ").expect("the name");
    assert!(whole.starts_with(before), "{whole}");
    let (rest, _) = after.split_once("mod types").expect("an end");
    assert!(whole[before.len()..].starts_with(rest), "{whole}");
    assert!(whole.contains("lengths :: M_plus_2"), "{whole}");
}

/// rustc takes long to check thousands of values.
#[test]
fn a_description_is_one_literal() {
    let text = "#[kernel] fn Twice<N>(x: [f32; N]) -> [f32; N] { x.map(|v| 2.0 * v) }";
    let tokens = expand(text.parse().expect("tokens")).to_string();
    assert_eq!(tokens.matches("KernelSpec :: of_text (").count(), 1, "{tokens}");
    assert!(!tokens.contains("Variant {"), "{tokens}");
}

#[test]
fn a_program_with_mistakes_still_has_its_launchers() {
    let text = "#[kernel] pub fn Wrong<N>(x: [f32; N]) -> [f32; N] { x.mpa(|v| v) }";
    let tokens = expand(text.parse().expect("tokens")).to_string();
    assert!(tokens.contains("compile_error") && tokens.contains("L0101"), "{tokens}");
    assert!(tokens.contains("name : Wrong") && tokens.contains("x : (array f32 , 1"), "{tokens}");
}

#[test]
fn rustc_does_not_see_the_mistakes_again() {
    let text = "fn half(x: f32) -> f32 { x / 2 } fn half(x: f32) -> f32 { x } \
                #[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x.map(half) } \
                #[kernel] fn K<N>(x: [f32; N]) -> [f32; N] { x }";
    let tokens = expand(text.parse().expect("tokens")).to_string();
    assert!(tokens.contains("fn half (x : f32) -> f32 {"), "{tokens}");
    assert!(!tokens.contains("x / 2"), "{tokens}");
    assert_eq!(tokens.matches("fn half").count(), 1, "{tokens}");
    assert_eq!(tokens.matches("name : K").count(), 1, "{tokens}");
}

#[test]
fn every_program_expands_with_some_tokens_exchanged() {
    let programs = programs();
    assert!(programs.len() > 250, "{}", programs.len());
    let mut words = Vec::new();
    for program in &programs {
        all(program.clone(), &mut words);
    }
    // Always the same numbers, so that a failure can be looked at.
    let mut state = 0xD1B5_4A32_D192_ED03_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % below.max(1)
    };
    for program in programs {
        for _ in 0..if everything() { 24 } else { 8 } {
            let mut tokens = program.clone();
            for _ in 0..=random(2) {
                let (mut position, other) = (random(count(&tokens)), words[random(words.len())].clone());
                let kind = random(4);
                let edit = move |token: TokenTree| match kind {
                    0 => Vec::new(),
                    1 => vec![token.clone(), token],
                    2 => vec![other.clone()],
                    _ => vec![other.clone(), token],
                };
                tokens = edited(tokens, &mut position, &edit);
            }
            let text = tokens.to_string();
            let expanded = std::panic::catch_unwind(|| expand(tokens));
            assert!(expanded.is_ok(), "it panics:\n{text}");
        }
    }
}

#[test]
fn a_step_with_mistakes_still_has_its_simulation() {
    let text =
        "#[kernel] #[step(p)] pub fn Wrong<N>(p: [f32; N], x: &mut [f32; N]) { write_to(x, p.mpa(|v| v)); }";
    let tokens = expand(text.parse().expect("tokens")).to_string();
    assert!(tokens.contains("L0101"), "{tokens}");
    for part in ["x : (update array f32 , 1", "result : ()", "steps : WrongSteps", "p p_device", "set_x"] {
        assert!(tokens.contains(part), "{part}: {tokens}");
    }
}

#[test]
fn levels_hold_for_warnings_with_texts() {
    let text = "#[kernel] #[allow(lift::L0999)] #[expect(lift::L0998, unused)] #[warn(warnings)] \
                pub fn K<N>(xs: [f32; N], y: f32) -> [f32; N] { xs }";
    let mut compilation = lift_core::pipeline::compile(text.parse().expect("tokens"));
    compilation.diagnostics[0].code = "L0999";
    let tokens =
        warnings::warnings(&compilation.diagnostics, &compilation.block, &compilation.spans).to_string();
    let [levels, unmet] =
        ["# [allow (deprecated)] # [warn (warnings)] const _", "# [expect (deprecated)] const _ : () = () ;"];
    assert!(tokens.starts_with(levels) && tokens.ends_with(unmet), "{tokens}");
    assert!(tokens.contains("[L0999] parameter `y` is never used"), "{tokens}");
    assert_eq!(tokens.matches("expect").count(), 1, "{tokens}");
    let launcher = expand(text.parse().expect("tokens")).to_string();
    assert!(launcher.contains("attrs : [# [expect (unused)] # [warn (warnings)]"), "{launcher}");
}

#[test]
fn what_became_of_a_kernel_can_be_written_down() {
    let text = "#[kernel] fn Twice<N>(xs: [f32; N]) -> [f32; N] { xs.map_global(0, |x| 2.0 * x) }";
    let kernels = lift_core::pipeline::compile(text.parse().expect("tokens")).kernels;
    let folder = std::env::temp_dir().join(format!("lift-dump-{}", std::process::id()));
    assert!(dump::dump(&kernels, Some(folder.clone())).is_empty());
    let files: Vec<_> =
        std::fs::read_dir(&folder).expect("a folder").map(|e| e.expect("a file").path()).collect();
    let [file] = files.as_slice() else { panic!("{files:?}") };
    assert!(file.to_string_lossy().ends_with(".Twice.txt"), "{file:?}");
    let text = std::fs::read_to_string(file).expect("a text");
    for part in ["Twice: [f32; N] -> [f32; N]", "N work-items", "get_global_id(0)"] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // A file is no folder.
    let error = dump::dump(&kernels, Some(file.clone())).to_string();
    assert!(error.contains("compile_error") && error.contains("LIFT_DUMP="), "{error}");
    std::fs::remove_dir_all(folder).expect("its end");
}

/// Compiles kernels that nobody has tuned.
fn compile(
    text: &str,
    folder: Option<&std::path::Path>,
) -> (lift_core::pipeline::Compilation, Vec<Described>) {
    let tokens: TokenStream = text.parse().expect("tokens");
    cache::compile(tokens.clone(), &Tunings::at(None, tokens), folder)
}

/// A folder that goes when the test ends.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("lift-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Folder(folder)
    }

    fn files(&self) -> Vec<std::path::PathBuf> {
        let files = std::fs::read_dir(self.0.join("kernels")).into_iter().flatten();
        files.map(|entry| entry.expect("an entry").path()).collect()
    }

    /// The kernels that are compiled, and the descriptions of all.
    fn compile(&self, text: &str) -> (Vec<String>, Vec<String>) {
        let (compilation, described) = compile(text, Some(&self.0));
        let compiled = compilation.kernels.into_iter().map(|it| it.kernel.name).collect();
        (compiled, described.into_iter().map(|it| it.description).collect())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const TWO: &str = "const A: f32 = 2.0; fn f(x: f32) -> f32 { A * x } fn g(x: f32) -> f32 { x + 1.0 }
    #[kernel] fn First<N>(xs: [f32; N]) -> [f32; N] { xs.map(f) }
    #[kernel] fn Second<N>(xs: [f32; N]) -> [f32; N] { xs.map(g) }";

#[test]
fn only_kernels_that_changed_are_compiled_again() {
    let folder = Folder::new("kept");
    let (compiled, first) = folder.compile(TWO);
    assert_eq!((compiled.len(), folder.files().len()), (2, 2));
    assert_eq!(folder.compile(TWO), (Vec::new(), first.clone()));
    // Comments and what only other kernels use change nothing.
    let (compiled, second) = folder.compile(&format!("/* f */ {}", TWO.replace("2.0", "3.0")));
    assert_eq!(compiled, ["First"]);
    assert!(second[0] != first[0] && second[1] == first[1]);
    // With mistakes, nothing is described; what is right again is known.
    let (compiled, none) = folder.compile(&TWO.replace("xs.map(f)", "xs.map(h)"));
    assert_eq!((compiled.len(), none.len()), (0, 0));
    assert_eq!(folder.compile(TWO), (Vec::new(), first));
}

#[test]
fn warnings_are_given_for_kernels_that_are_known() {
    let folder = Folder::new("warned");
    let text = "#[kernel] fn K<N>(xs: [f32; N], y: f32) -> [f32; N] { xs }";
    for known in [false, true] {
        let (compilation, _) = compile(text, Some(&folder.0));
        assert_eq!(compilation.kernels.is_empty(), known);
        assert_eq!(compilation.diagnostics.len(), 1);
    }
}

#[test]
fn what_is_kept_may_be_broken() {
    let folder = Folder::new("broken");
    let (_, first) = folder.compile(TWO);
    let texts: Vec<Vec<u8>> =
        folder.files().iter().map(|file| std::fs::read(file).expect("a text")).collect();
    let breaks: [&dyn Fn(usize) -> Vec<u8>; 5] = [
        &|i| texts[i][..texts[i].len() / 2].to_vec(),
        &|_| Vec::new(),
        &|i| texts[1 - i].clone(),
        &|_| vec![0xFF; 1000],
        &|i| {
            let mut text = texts[i].clone();
            *text.last_mut().expect("a letter") ^= 1;
            text
        },
    ];
    for broken in breaks {
        folder
            .files()
            .iter()
            .enumerate()
            .for_each(|(i, file)| std::fs::write(file, broken(i)).expect("a file"));
        let (compiled, again) = folder.compile(TWO);
        assert_eq!((compiled.len(), &again), (2, &first));
        assert_eq!(folder.compile(TWO), (Vec::new(), first.clone()));
    }
    std::fs::remove_dir_all(&folder.0).expect("a folder");
    assert_eq!(folder.compile(TWO).1, first);
    // No folder can be made where a file is.
    std::fs::remove_dir_all(&folder.0).expect("a folder");
    std::fs::write(&folder.0, "").expect("a file");
    assert_eq!(folder.compile(TWO).1, first);
    std::fs::remove_file(&folder.0).expect("a file");
}

#[test]
fn builds_may_run_side_by_side() {
    let folder = Folder::new("parallel");
    let expected = folder.compile(TWO).1;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..10 {
                    assert_eq!(folder.compile(TWO).1, expected);
                    folder.files().iter().take(1).for_each(|file| drop(std::fs::remove_file(file)));
                }
            });
        }
    });
    assert!(folder.files().iter().all(|file| file.extension().is_none()), "{:?}", folder.files());
}

/// Texts that are written out repeat themselves: expansions of them would be hundreds of kilobytes long.
#[test]
fn expansions_of_large_windows_are_short() {
    let text = "fn weigh(weights: [[f32; 17]; 17], nbh: [[f32; 17]; 17]) -> f32 {
            zip(weights.join(), nbh.join()).map(mul).reduce(add, 0.0)
        }
        #[kernel] fn Convolve<H, W>(weights: [[f32; 17]; 17], image: [[f32; W]; H]) -> [[f32; W]; H] {
            image.pad2d(8, 8, clamp).slide2d(17, 1).map2d(weigh(weights))
        }";
    let expansion = expand(text.parse().expect("tokens")).to_string();
    assert!(expansion.len() < 200_000, "{} bytes", expansion.len());
}
