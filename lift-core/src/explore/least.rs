//! How large extents should be for a version to pay.

use crate::arith::ArithExpr;

/// Extents, and how large each should be, at least.
pub(crate) type Least = Vec<(ArithExpr, i64)>;

/// Those of the extents that are not known, each once; nothing if one is known to be less than it should be, so that there is no such version.
pub(super) fn unknown(all: impl IntoIterator<Item = (ArithExpr, i64)>) -> Option<Least> {
    let open = open(all);
    open.iter().all(|(extent, _)| extent.as_const().is_none()).then_some(open)
}

/// Those of the extents that are not known to be large enough, each once. Where one is known to be less, the version is there, and launches try the others first.
pub(super) fn open(all: impl IntoIterator<Item = (ArithExpr, i64)>) -> Least {
    let mut found = Least::new();
    for (extent, least) in all {
        let holds = extent.as_const().is_some_and(|n| n >= least);
        if !holds && !found.contains(&(extent.clone(), least)) {
            found.push((extent, least));
        }
    }
    found
}

/// That an extent should be no larger than a bound, as a condition of this kind: the bound divided by it is at least 1.
pub(super) fn at_most(extent: &ArithExpr, most: i64) -> (ArithExpr, i64) {
    (ArithExpr::cst(most).div(extent), 1)
}

/// What should be how large for one of these to hold: what is cut without need takes little longer.
pub(crate) fn any(mut all: Vec<Least>) -> Least {
    if all.len() == 1 {
        return all.remove(0);
    }
    let room = |one: &Least| {
        let each = one.iter().map(|(extent, least)| extent - &ArithExpr::cst(*least));
        each.reduce(|a, b| ArithExpr::min(&a, &b))
    };
    // One that always holds is enough.
    let rooms: Option<Vec<ArithExpr>> = all.iter().map(room).collect();
    let most = rooms.and_then(|rooms| rooms.into_iter().reduce(|a, b| ArithExpr::max(&a, &b)));
    most.map(|most| (most, 0)).into_iter().collect()
}

/// The condition that at least half of all elements are read and written by launches whose own conditions hold. Where all launches have the same
/// condition, it is that one.
pub(crate) fn of_most(launches: &[(ArithExpr, Least)]) -> Least {
    let Some((_, first)) = launches.first() else { return Least::new() };
    if launches.iter().all(|(_, least)| least == first) {
        return first.clone();
    }
    // 1 if it is large enough, and else 0.
    let holds = |(extent, least): &(ArithExpr, i64)| {
        let room = extent - &ArithExpr::cst(least - 1);
        ArithExpr::min(&ArithExpr::max(&room, &ArithExpr::cst(0)), &ArithExpr::cst(1))
    };
    let all: ArithExpr = launches.iter().map(|(elements, _)| elements.clone()).sum();
    let large = launches.iter().map(|(elements, least)| elements * &least.iter().map(holds).product());
    let large: ArithExpr = large.sum();
    vec![(&large + &large - &all, 0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::Var;

    /// Whether what should be large enough is, at these sizes.
    fn holds(least: &Least, sizes: [i128; 2]) -> bool {
        let value = |var: &Var| Some(sizes[var.id() as usize]);
        least.iter().all(|(extent, least)| extent.eval(&value).is_some_and(|n| n >= i128::from(*least)))
    }

    #[test]
    fn the_launch_that_most_elements_belong_to_decides() {
        let [n, m] = [(0, "n"), (1, "m")].map(|(id, name)| ArithExpr::var(&Var::new(id, name)));
        let of = |extent: &ArithExpr| vec![(extent.clone(), 100)];
        let both = of_most(&[(&n * &m, of(&n)), (n.clone(), of(&m))]);
        assert!([[100, 10], [1000, 1], [100, 100]].iter().all(|sizes| holds(&both, *sizes)));
        assert!([[99, 1000], [10, 10]].iter().all(|sizes| !holds(&both, *sizes)));
        // One that asks for nothing is content, and what all ask for is asked for as it is.
        let one = of_most(&[(m.clone(), Least::new()), (n.clone(), of(&m))]);
        assert!(holds(&one, [10, 10]) && holds(&one, [1000, 100]) && !holds(&one, [1000, 10]));
        assert_eq!(of_most(&[(n, of(&m)), (m.clone(), of(&m))]), of(&m));
        assert_eq!(of_most(&[]), Least::new());
    }
}
