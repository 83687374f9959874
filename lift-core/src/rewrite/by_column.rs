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
    // A loop of the host becomes a fold only if that fold is one of columns: a state that no work-item can keep needs the launches.
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

#[cfg(test)]
mod tests {
    use crate::pipeline::{self, Compiled};

    fn compiled(signature: &str, body: &str) -> Compiled {
        let text = format!("#[kernel] pub fn Rows<N, M>{signature} {{ {body} }}");
        let found = pipeline::compile(text.parse().unwrap_or_default());
        assert!(found.kernels.len() == 1, "{:?}", found.diagnostics);
        found.kernels.into_iter().next().unwrap_or_else(|| unreachable!())
    }

    #[test]
    fn a_fold_of_rows_is_one_launch() {
        let folded = compiled(
            "(z: [f32; M], w: [f32; N], x: [[f32; M]; N]) -> [f32; M]",
            "zip(x, w).fold(|a, (row, w)| zip(a, row).map(|(a, v)| a + w * v), z)",
        );
        let naive = folded.versions.iter().find(|version| version.name == "naive");
        assert_eq!(naive.map(|version| version.generated.schedule.operations.len()), Some(1));
    }

    #[test]
    fn sums_of_rows_have_the_versions_of_sums_of_columns() {
        let has = |compiled: &Compiled, name| compiled.versions.iter().any(|version| version.name == name);
        for start in ["z", "[0.0; M]"] {
            let body = format!("x.reduce(|a, b| zip(a, b).map(add), {start})");
            let sums = compiled("(z: [f32; M], x: [[f32; M]; N]) -> [f32; M]", &body);
            assert!(has(&sums, "two_stage") && has(&sums, "few_columns"), "{start}");
        }
        let by_key = "x.reduce_by_key(M, |a, b| zip(a, b).map(add), [0.0; 3], keys)";
        let sums = compiled("(keys: [u32; N], z: [f32; M], x: [[f32; 3]; N]) -> [[f32; 3]; M]", by_key);
        assert!(has(&sums, "few_columns"));
    }
}
