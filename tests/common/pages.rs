//! The kernels of the pages of derivations.

#[path = "../../lift-core/laws/src/tests/program/texts.rs"]
mod texts;

use super::cases::Case;

/// Values of one, two and three size variables, in the order in which a kernel declares them. Drivers take long for kernels in three
/// dimensions.
const SIZES: [&[&[i64]]; 3] = [&[&[1], &[70], &[1027]], &[&[5, 7], &[34, 70]], &[&[9, 3, 35]]];

/// Kernels with versions that no other cases have.
pub const WATCHED: [&str; 3] = ["jacobi1d", "planes", "room_volume"];

/// Every page's kernel, and the one with which the last page ends.
pub fn cases() -> Vec<Case> {
    let pages = texts::PAGES.iter().map(|page| case(page.file, page.text));
    let room = |name, sum| case(name, texts::room(sum).leak());
    let rooms = [room("room_weights", texts::WEIGHTED), room("room_points", texts::NAMED)];
    pages.chain(rooms).collect()
}

fn case(name: &'static str, text: &'static str) -> Case {
    let (_, kernel) = text.split_once("#[kernel]").expect("a kernel");
    let (_, declared) = kernel.split_once('<').expect("its sizes");
    let (names, _) = declared.split_once('>').expect("the end of its sizes");
    let names: Vec<&str> = names.split(", ").collect();
    let sizes = SIZES[names.len() - 1].iter().map(|values| -> &[(&str, i64)] {
        names.iter().copied().zip(values.iter().copied()).collect::<Vec<_>>().leak()
    });
    Case { name, text, sizes: sizes.collect::<Vec<_>>().leak() }
}
