//! The programs of the project with tokens left out, doubled, exchanged and nested: whatever they become, they compile or there is
//! a message, and nothing panics or runs on and on.
//!
//! Those that are right by chance are compiled to the end, about one of a hundred.
//!
//! `LIFT_FUZZ=1000000 cargo test --test mutation -- --nocapture` tries so many, and `LIFT_FUZZ_SEED=7` others.
//! `LIFT_FUZZ_LAST=file` keeps the last program, for compilers that do not survive it.

#[path = "common/codes.rs"]
mod codes;
#[path = "common/corpus.rs"]
mod corpus;

use std::collections::BTreeMap;
use std::panic;
use std::time::{Duration, Instant};

use lift_core::diag::{Diagnostic, Severity};
use lift_core::pipeline;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// So many are checked without being told how many.
const CASES: u64 = 3_000;

/// Numbers at the edges of types, and other things that are easily forgotten.
const LITERALS: &str = "0 1 2 3 4 7 16 64 255 256 4096 4097 65536 2147483647 2147483648 4294967296 9223372036854775807 \
    9223372036854775808 18446744073709551616 340282366920938463463374607431768211456 0.0 1e400 1e-400 0.1f32 1f16 255u8 256u8 0xff \
    0b1 true false 'a' \"text\"";

/// Always the same numbers for a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit.max(1)
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

struct Mutator {
    random: Random,
    programs: Vec<TokenStream>,
    /// All tokens of all programs, groups too.
    words: Vec<TokenTree>,
    literals: Vec<TokenTree>,
}

impl Mutator {
    fn new(seed: u64) -> Mutator {
        let programs = corpus::programs();
        let mut words = Vec::new();
        programs.iter().for_each(|program| all(program.clone(), &mut words));
        let literals = LITERALS.parse::<TokenStream>().expect("tokens").into_iter().collect();
        let random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        Mutator { random, programs, words, literals }
    }

    /// A program with one to four mutations.
    fn next(&mut self) -> TokenStream {
        let mut tokens = self.random.of(&self.programs).clone();
        for _ in 0..=self.random.below(4) {
            let mut position = self.random.below(count(&tokens));
            let siblings = self.random.below(4);
            tokens = self.edited(tokens, &mut position, siblings);
        }
        tokens
    }

    /// The tokens with something else at a position, counted through all groups.
    fn edited(&mut self, tokens: TokenStream, position: &mut usize, siblings: usize) -> TokenStream {
        let mut list: Vec<TokenTree> = tokens.into_iter().collect();
        for i in 0..list.len() {
            if *position == 0 {
                *position = usize::MAX;
                self.edit(&mut list, i, siblings);
                break;
            }
            *position -= 1;
            if let TokenTree::Group(group) = &list[i] {
                let inside = self.edited(group.stream(), position, siblings);
                list[i] = TokenTree::Group(Group::new(group.delimiter(), inside));
                if *position == usize::MAX {
                    break;
                }
            }
        }
        list.into_iter().collect()
    }

    fn edit(&mut self, list: &mut Vec<TokenTree>, i: usize, siblings: usize) {
        match self.random.below(9) {
            0 => drop(list.remove(i)),
            1 => list.insert(i, list[i].clone()),
            2 => list[i] = self.random.of(&self.words).clone(),
            3 => list.insert(i, self.random.of(&self.words).clone()),
            4 => {
                let other = self.random.below(list.len());
                list.swap(i, other);
            }
            5 | 6 => {
                let literal = (i..list.len()).find(|i| matches!(list[*i], TokenTree::Literal(_)));
                list[literal.unwrap_or(i)] = self.random.of(&self.literals).clone();
            }
            // Some tokens of another program.
            7 => {
                let start = self.random.below(self.words.len());
                let some = self.words.iter().skip(start).take(siblings + 1).cloned();
                list.splice(i..=i, some);
            }
            _ => {
                let end = (i + siblings + 1).min(list.len());
                let inside: TokenStream = list[i..end].iter().cloned().collect();
                let kinds = [Delimiter::Parenthesis, Delimiter::Bracket, Delimiter::Brace];
                let kind = *self.random.of(&kinds);
                list.splice(i..end, [TokenTree::Group(Group::new(kind, inside))]);
            }
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

fn all(tokens: TokenStream, found: &mut Vec<TokenTree>) {
    for token in tokens {
        found.push(token.clone());
        if let TokenTree::Group(group) = token {
            all(group.stream(), found);
        }
    }
}

fn has_errors(found: &[Diagnostic]) -> bool {
    found.iter().any(|d| d.severity == Severity::Error)
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|e| panic!("{name}={text}: {e}")))
}

#[test]
fn mutated_programs_compile_or_there_is_a_message() {
    let (cases, seed) = (variable("LIFT_FUZZ").unwrap_or(CASES), variable("LIFT_FUZZ_SEED").unwrap_or(1));
    let mut mutator = Mutator::new(seed);
    assert!(mutator.programs.len() > 900, "{} programs", mutator.programs.len());
    let mut panics: BTreeMap<String, String> = BTreeMap::new();
    let (mut printed, mut slowest) = (0, (Duration::ZERO, String::new()));
    for _ in 0..cases {
        let tokens = mutator.next();
        let text = tokens.to_string();
        if let Ok(path) = std::env::var("LIFT_FUZZ_LAST") {
            std::fs::write(path, &text).expect("the last program");
        }
        let start = Instant::now();
        // Whether it was printed.
        let result = panic::catch_unwind(|| {
            !has_errors(&pipeline::check(tokens.clone()))
                && !has_errors(&pipeline::compile(tokens).diagnostics)
        });
        if start.elapsed() > slowest.0 {
            slowest = (start.elapsed(), text.clone());
        }
        match result {
            Ok(to_the_end) => printed += u64::from(to_the_end),
            Err(payload) => {
                let message = payload.downcast_ref::<String>().cloned();
                let message = message.or_else(|| payload.downcast_ref::<&str>().map(|text| text.to_string()));
                let message = message.unwrap_or_default();
                panics.entry(message.clone()).or_insert_with(|| {
                    println!("{message}\n    {text}");
                    text
                });
            }
        }
    }
    println!("{cases} programs, {printed} of them printed; the slowest took {:?}:\n{}", slowest.0, slowest.1);
    let panics: Vec<String> = panics.iter().map(|(message, text)| format!("{message}\n    {text}")).collect();
    assert!(panics.is_empty(), "{}", panics.join("\n\n"));
}
