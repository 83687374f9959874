//! Programs that combine rows become programs that combine scalars, from which all families of versions start.
//!
//! Before: a normalised expression. After: the same, in which what combines rows element by element combines the elements of each column.

use crate::rewrite::normal;
use crate::rewrite::rules::components::{COMPONENTS, COUNTED};
use crate::rewrite::strategy::{Derivation, Strategy};

/// More reductions than any kernel has.
const MOST_REDUCTIONS: usize = 100;

/// Whether anything was rewritten.
pub fn by_column(d: &mut Derivation) -> bool {
    // A loop of launches that would become a loop in one of them is none of the others.
    let loops = Strategy::Seq(vec![Strategy::Rule(&COUNTED), Strategy::Rule(&COMPONENTS)]);
    let one = Strategy::OrElse(vec![Strategy::Rule(&COMPONENTS), loops]).bottom_up();
    let count = (0..MOST_REDUCTIONS).take_while(|_| one.apply(d)).count();
    if count > 0 {
        normal::strategy(Strategy::once).apply(d);
    }
    count > 0
}
