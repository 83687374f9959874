//! `cargo lift explain`: what an error code means.

use std::io::Write;

use lift_core::text::list;

use crate::Result;
use crate::table::{aligned, row};

/// A section for each code, whose title begins with the code.
const PAGES: &str = include_str!("errors.md");

/// What an error code of `lift!` means, with an example of the mistake and one without it.
///
/// For example `cargo lift explain L0210`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The code, such as `L0210` or `210`. Without it, all codes are listed.
    code: Option<String>,
}

/// Prints the section of the code, or all titles.
///
/// # Errors
///
/// When there is no such code.
pub(crate) fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let Some(wanted) = &args.code else {
        let rows = pages().map(|page| row([page.code, page.title]));
        write!(out, "{}", aligned(&rows.collect::<Vec<_>>()))?;
        return Ok(());
    };
    let code = normal(wanted);
    match pages().find(|page| page.code == code) {
        Some(Page { code, title, text }) => {
            let heading = format!("{code} {title}");
            let line = "-".repeat(heading.chars().count());
            writeln!(out, "{heading}\n{line}\n\n{}", text.trim())?;
            Ok(())
        }
        None => {
            let near = match nearest(&code).as_slice() {
                [] => String::new(),
                codes => format!("the nearest are {}; ", list(codes, "and")),
            };
            Err(format!(
                "there is no error code `{wanted}`\nhelp: {near}`cargo lift explain` lists all codes"
            )
            .into())
        }
    }
}

/// What is said about a code.
struct Page {
    code: &'static str,
    title: &'static str,
    text: &'static str,
}

fn pages() -> impl Iterator<Item = Page> {
    PAGES.split("\n### ").skip(1).filter_map(|section| {
        let (heading, text) = section.split_once('\n')?;
        let (code, title) = heading.split_once(' ')?;
        // The heading of a group of codes follows the last one of the group before.
        let text = text.split("\n## ").next().unwrap_or_default();
        Some(Page { code, title, text })
    })
}

/// `L0210`, from `l0210`, `210` and `[L0210]`.
fn normal(code: &str) -> String {
    let code = code.trim_matches(['[', ']']).to_uppercase();
    let digits = code.strip_prefix('L').unwrap_or(&code);
    match digits.parse::<u32>() {
        Ok(number) => format!("L{number:04}"),
        Err(_) => code,
    }
}

/// Three codes with the nearest numbers: what is related has numbers beside each other.
fn nearest(code: &str) -> Vec<&'static str> {
    let number = |code: &str| code.strip_prefix('L')?.parse::<u32>().ok();
    let Some(wanted) = number(code) else { return Vec::new() };
    let mut codes: Vec<&str> = pages().map(|page| page.code).collect();
    codes.sort_by_key(|code| number(code).map_or(u32::MAX, |number| number.abs_diff(wanted)));
    codes.truncate(3);
    codes
}
