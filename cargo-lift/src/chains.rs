//! Chains of steps with numbers, from which tuning makes versions of a kernel.
//!
//! Which of them a kernel can have, the compiler says: steps that do not apply are refused. So nothing is asked about the kernel here.

use std::collections::BTreeSet;

use lift::tune::{Alternative, Parameter};

/// A chain of steps. Names in it stand for numbers.
struct Recipe {
    steps: &'static str,
    parameters: &'static [(&'static str, &'static [i64])],
    /// Which numbers make sense together.
    makes_sense: fn(&[i64]) -> bool,
}

const fn recipe(
    steps: &'static str,
    parameters: &'static [(&'static str, &'static [i64])],
    makes_sense: fn(&[i64]) -> bool,
) -> Recipe {
    Recipe { steps, parameters, makes_sense }
}

/// Rows and columns of a block for a work-item, and lanes of vectors.
const FEW: &[i64] = &[1, 2, 4, 8];
const ROW: &[i64] = &[1, 2, 4, 8, 16];
const LANES: &[i64] = &[2, 4, 8];
/// Rows and columns of a tile for a work-group.
const TILE: &[i64] = &[4, 8, 16, 32];
const WIDE: &[i64] = &[16, 32, 64, 128];
/// Elements of a tile in one dimension.
const LINE: &[i64] = &[128, 256, 512, 1024, 2048];
/// How far a loop goes.
const FAR: &[i64] = &[4, 8, 16, 32];
/// Work-items of a group.
const ITEMS: &[i64] = &[32, 64, 128, 256];

const RECIPES: &[Recipe] = &[
    // Elements and windows in one dimension.
    recipe("coarsen(n).unroll()", &[("n", &[2, 4, 8, 16])], |_| true),
    recipe("vectorize(v)", &[("v", LANES)], |_| true),
    recipe("vectorize(v).coarsen(n).unroll()", &[("v", LANES), ("n", &[2, 4, 8])], |_| true),
    recipe("tile(n).to_private()", &[("n", &[2, 4, 8, 16])], |_| true),
    recipe("tile(n).to_private().vectorize(v)", &[("n", &[2, 4, 8, 16]), ("v", LANES)], |it| it[1] <= it[0]),
    recipe("tile(n).to_local()", &[("n", LINE)], |_| true),
    recipe("tile(n).to_local().coarsen(c).unroll()", &[("n", LINE), ("c", &[2, 4, 8])], |it| {
        it[0] / it[1] >= 64
    }),
    // Two dimensions: blocks in registers, loops along columns, tiles in local memory.
    recipe("tile2d(r, c).to_private()", &[("r", FEW), ("c", ROW)], |it| it[0] * it[1] > 1),
    recipe("tile2d(r, c).to_private().vectorize(v)", &[("r", FEW), ("c", ROW), ("v", LANES)], |it| {
        it[2] <= it[1]
    }),
    recipe(
        "tile2d(r, c).to_private().vectorize(v).work_group(x, y)",
        &[("r", FEW), ("c", ROW), ("v", LANES), ("x", &[16, 32, 64]), ("y", &[2, 4, 8])],
        |it| it[2] <= it[1] && it[3] * it[4] <= 512,
    ),
    recipe("tile2d(r, c).unroll()", &[("r", FEW), ("c", ROW)], |it| it[0] * it[1] > 1),
    recipe(
        "tile2d(r, c).unroll().work_group(x, y)",
        &[("r", FEW), ("c", FEW), ("x", &[16, 32, 64]), ("y", &[2, 4, 8])],
        |it| it[0] * it[1] > 1 && it[2] * it[3] <= 512,
    ),
    recipe("tile2d(r, c).march()", &[("r", FAR), ("c", FEW)], |_| true),
    recipe("tile2d(r, c).march().vectorize(v)", &[("r", FAR), ("c", ROW), ("v", LANES)], |it| it[2] <= it[1]),
    recipe("tile2d(y, x).to_local()", &[("y", TILE), ("x", WIDE)], |it| it[0] * it[1] <= 2048),
    recipe(
        "tile2d(y, x).to_local().tile2d(r, c).to_private()",
        &[("y", TILE), ("x", WIDE), ("r", FEW), ("c", FEW)],
        |it| it[2] * it[3] > 1 && (it[0] * it[1]) / (it[2] * it[3]) >= 32 && it[0] % it[2] == 0,
    ),
    recipe(
        "tile2d(y, x).to_local().tile2d(r, c).share_rows()",
        &[("y", TILE), ("x", WIDE), ("r", FEW), ("c", FEW)],
        |it| (it[0] * it[1]) / (it[2] * it[3]) >= 32 && it[0] % it[2] == 0,
    ),
    recipe("tile2d(y, x).to_local().separate()", &[("y", TILE), ("x", WIDE)], |it| it[0] * it[1] <= 2048),
    recipe(
        "tile2d(y, x).to_local().coarsen(c).unroll()",
        &[("y", TILE), ("x", WIDE), ("c", &[2, 4])],
        |it| it[1] / it[2] >= 16,
    ),
    recipe("interior().vectorize(v)", &[("v", LANES)], |_| true),
    recipe("stream(n)", &[("n", &[8, 16, 32, 64])], |_| true),
    // Three dimensions.
    recipe("tile3d(z, y, x).to_private()", &[("z", FEW), ("y", FEW), ("x", ROW)], |it| {
        it[0] * it[1] * it[2] > 1
    }),
    recipe(
        "tile3d(z, y, x).to_private().vectorize(v)",
        &[("z", FEW), ("y", FEW), ("x", ROW), ("v", LANES)],
        |it| it[3] <= it[2],
    ),
    recipe(
        "tile3d(z, y, x).to_private().vectorize(v).work_group(a, b, 1)",
        &[("z", FEW), ("y", FEW), ("x", ROW), ("v", LANES), ("a", &[16, 32, 64]), ("b", &[2, 4, 8])],
        |it| it[3] <= it[2] && it[4] * it[5] <= 512,
    ),
    recipe("tile3d(z, y, x).unroll()", &[("z", FEW), ("y", FEW), ("x", FEW)], |it| it[0] * it[1] * it[2] > 1),
    recipe(
        "tile3d(z, y, x).unroll().work_group(a, b, 1)",
        &[("z", FEW), ("y", FEW), ("x", FEW), ("a", &[16, 32, 64]), ("b", &[2, 4, 8])],
        |it| it[0] * it[1] * it[2] > 1 && it[3] * it[4] <= 512,
    ),
    recipe("tile3d(z, y, x).march()", &[("z", FAR), ("y", FEW), ("x", FEW)], |_| true),
    recipe(
        "tile3d(z, y, x).march().vectorize(v)",
        &[("z", FAR), ("y", &[1, 2]), ("x", ROW), ("v", LANES)],
        |it| it[3] <= it[2],
    ),
    recipe(
        "tile3d(z, y, x).to_local()",
        &[("z", &[2, 4, 8]), ("y", &[2, 4, 8]), ("x", &[16, 32, 64])],
        |it| it[0] * it[1] * it[2] <= 1024,
    ),
    // Anything that maps write.
    recipe("work_group(x, 1)", &[("x", ITEMS)], |_| true),
    recipe("work_group(x, y)", &[("x", &[8, 16, 32, 64]), ("y", &[2, 4, 8, 16])], |it| it[0] * it[1] <= 1024),
    // Reductions and products.
    recipe("reduce_by_group()", &[], |_| true),
    recipe("product()", &[], |_| true),
    recipe("rows()", &[], |_| true),
    recipe("panels()", &[], |_| true),
];

/// The chains that a kernel can have.
pub struct Applicable(Vec<&'static Recipe>);

impl Applicable {
    /// Those of which `is_accepted` takes the steps with some numbers.
    #[must_use]
    pub fn of(is_accepted: impl Fn(&str) -> bool) -> Applicable {
        let applies = |recipe: &&Recipe| recipe.examples().iter().any(|steps| is_accepted(steps));
        Applicable(RECIPES.iter().filter(applies).collect())
    }

    /// What there is to choose from.
    #[must_use]
    pub fn alternatives(&self) -> Vec<Alternative> {
        let alternative = |recipe: &&Recipe| Alternative {
            name: recipe.steps.to_string(),
            parameters: recipe
                .parameters
                .iter()
                .map(|(name, values)| Parameter { name: (*name).to_string(), values: values.to_vec() })
                .collect(),
        };
        self.0.iter().map(alternative).collect()
    }

    /// The steps of a chain with numbers in it, if these make sense.
    #[must_use]
    pub fn steps(&self, chain: usize, values: &[i64]) -> Option<String> {
        let recipe = self.0.get(chain)?;
        (recipe.makes_sense)(values).then(|| recipe.filled(values))
    }
}

impl Recipe {
    /// The steps with all names replaced by numbers.
    fn filled(&self, values: &[i64]) -> String {
        let mut filled = String::new();
        let mut word = String::new();
        for character in self.steps.chars().chain([' ']) {
            if character.is_alphanumeric() || character == '_' {
                word.push(character);
                continue;
            }
            match self.parameters.iter().position(|(name, _)| *name == word) {
                Some(at) => filled.push_str(&values[at].to_string()),
                None => filled.push_str(&word),
            }
            word.clear();
            filled.push(character);
        }
        filled.trim_end().to_string()
    }

    /// The steps with the smallest numbers that make sense, the largest, and some between.
    fn examples(&self) -> BTreeSet<String> {
        let at = |share: usize| -> Vec<i64> {
            self.parameters.iter().map(|(_, values)| values[(values.len() - 1) * share / 4]).collect()
        };
        let examples = (0..=4).map(at).filter(|values| (self.makes_sense)(values));
        examples.map(|values| self.filled(&values)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_replace_names() {
        let chains = Applicable::of(|steps| {
            steps.starts_with("tile2d") && steps.contains("vectorize") && steps.contains("work_group")
        });
        assert_eq!(chains.alternatives().len(), 1);
        let steps = chains.steps(0, &[2, 4, 4, 32, 8]);
        assert_eq!(steps.as_deref(), Some("tile2d(2, 4).to_private().vectorize(4).work_group(32, 8)"));
        assert_eq!(chains.steps(0, &[2, 4, 8, 32, 8]), None);
    }

    #[test]
    fn every_chain_makes_sense_with_some_numbers_and_no_name_is_left() {
        for recipe in RECIPES {
            let examples = recipe.examples();
            assert!(!examples.is_empty(), "{}", recipe.steps);
            for steps in examples {
                let words = steps.split(|it: char| !it.is_alphanumeric() && it != '_');
                let is_name = |word: &str| recipe.parameters.iter().any(|(name, _)| *name == word);
                assert!(!words.into_iter().any(is_name), "{steps}");
            }
        }
    }
}
