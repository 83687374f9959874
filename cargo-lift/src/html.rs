//! Pages as HTML: one file that needs no other one.

use lift::tune::escaped;

use crate::page::{Body, Page, Section};

const STYLE: &str = "\
:root { color-scheme: light dark; --line: #ccc; --shade: #f4f4f4; --faint: #666 }
@media (prefers-color-scheme: dark) { :root { --line: #444; --shade: #222; --faint: #999 } }
body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
h1, h2, code, pre { overflow-wrap: anywhere }
pre { padding: 0.75rem; overflow-x: auto; overflow-wrap: normal; background: var(--shade); font-size: 0.85rem; line-height: 1.35 }
div { overflow-x: auto }
table { border-collapse: collapse }
th, td { padding: 0.25rem 1rem 0.25rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top }
nav, p { color: var(--faint) }
";

/// The whole file.
pub(crate) fn html(page: &Page) -> String {
    let Page { title, ty, place, sections } = page;
    let (title, ty, place) = (escaped(title), escaped(ty), escaped(place));
    let numbered = || sections.iter().enumerate();
    let links: String = numbered()
        .map(|(i, it)| format!("<li><a href=\"#s{i}\">{}</a></li>\n", escaped(&it.title)))
        .collect();
    let sections: String = numbered().map(|(i, it)| section(i, it)).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>{title}</h1>\n<pre>{ty}</pre>\n<p>{place}</p>\n<nav><ul>\n{links}</ul></nav>\n{sections}</body>\n</html>\n"
    )
}

fn section(number: usize, Section { title, body }: &Section) -> String {
    let body = match body {
        Body::Text(text) => format!("<pre>{}</pre>", escaped(text)),
        Body::Table(rows) => {
            let rows = rows.iter().enumerate().map(|(i, cells)| {
                let tag = if i == 0 { "th" } else { "td" };
                let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell)));
                format!("<tr>{}</tr>\n", cells.collect::<String>())
            });
            format!("<div><table>\n{}</table></div>", rows.collect::<String>())
        }
    };
    format!("<h2 id=\"s{number}\">{}</h2>\n{body}\n", escaped(title))
}
