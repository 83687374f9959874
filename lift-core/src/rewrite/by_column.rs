//! Programs that combine rows become programs that combine scalars, from which all families of versions start.
//!
//! Before: a normalised expression. After: the same, in which what combines rows element by element combines the elements of each column, and folds that
//! may be regrouped without another result are reductions.

use crate::rewrite::normal;
use crate::rewrite::position::ELEMENTS;
use crate::rewrite::rules::by_key_scalars::BY_KEY_SCALARS;
use crate::rewrite::rules::components::{COMPONENTS, COUNTED};
use crate::rewrite::rules::exact_folds::FOLD_EXACT;
use crate::rewrite::rules::fusion::MAP_MAP;
use crate::rewrite::rules::rows::ZIP_MAP;
use crate::rewrite::strategy::{Derivation, Strategy};

/// More reductions than any kernel has.
const MOST_REDUCTIONS: usize = 100;

/// Whether anything was rewritten.
pub fn by_column(d: &mut Derivation) -> bool {
    // A loop of launches that would become a loop in one of them is none of the others.
    let loops = Strategy::Seq(vec![Strategy::Rule(&COUNTED), Strategy::Rule(&COMPONENTS)]);
    let by_key = Strategy::Rule(&BY_KEY_SCALARS);
    let exact = Strategy::Rule(&FOLD_EXACT);
    let one = Strategy::OrElse(vec![by_key, Strategy::Rule(&COMPONENTS), loops, exact]).bottom_up();
    let count = (0..MOST_REDUCTIONS).take_while(|_| one.apply(d)).count();
    if count > 0 {
        // Results are computed where they are used, such as a sum to which something is added.
        let zipped = Strategy::Rule(&ZIP_MAP).at(vec![ELEMENTS]);
        Strategy::Seq(vec![zipped, Strategy::Rule(&MAP_MAP)]).bottom_up().repeat(count).apply(d);
        normal::strategy(Strategy::once).apply(d);
    }
    count > 0
}
