//! Index expressions as views make them: flattened, regrouped, tiled, padded, slid over, transposed.

use super::Names;

/// Flattening a nest of arrays and splitting it again in any grouping leaves no division.
#[test]
fn regrouping_leaves_no_division() {
    let extents = ["N", "M + 2", "4", "K", "3"];
    let n = Names::new().with("1 <= N, 1 <= M, 1 <= K");
    let n = n.with("0 <= a <= N - 1, 0 <= b <= M + 1, 0 <= c <= 3, 0 <= d <= K - 1, 0 <= e <= 2");
    let vars = ["a", "b", "c", "d", "e"];
    // Every window of dimensions, in every order of two of them.
    for from in 0..5 {
        for to in from + 1..5 {
            for swapped in from..to {
                let mut order: Vec<usize> = (from..=to).collect();
                order.swap(swapped - from, swapped - from + 1);
                let flat = order
                    .iter()
                    .fold("0".to_owned(), |e, k| format!("({e})*({}) + {}", extents[*k], vars[*k]));
                let mut stride = "1".to_owned();
                for k in order.iter().rev() {
                    n.gives(&format!("(({flat}) / ({stride})) % ({})", extents[*k]), vars[*k]);
                    n.gives(&format!("(({flat}) % (({stride})*({}))) / ({stride})", extents[*k]), vars[*k]);
                    stride = format!("({stride})*({})", extents[*k]);
                }
                n.gives(&format!("({flat}) / ({stride})"), "0");
                n.gives(&format!("({flat}) % ({stride})"), &flat);
            }
        }
    }
}

/// An index of three dimensions that is a step's, whose remainders have lost multiples of 9 and of 3.
#[test]
fn digits_of_steps_come_together_again() {
    let n = Names::new().with("0 <= k, 0 <= l <= 15, 1 <= C, 0 <= o");
    n.gives("9*((16*k + l) / 9) + (16*k + l) % 9", "16*k + l");
    n.gives("(o*C + (16*k + l) / 9)*9 + ((16*k + l) % 9) / 3*3 + (16*k + l) % 3", "9*C*o + 16*k + l");
    n.gives(
        "9*((16*k + l) / 9) + 3*(((7*k + l) / 3 + 1) % 3) + (k + l) % 3",
        "9*((16*k + l) / 9) + (7*k + l + 3) % 9",
    );
}

#[test]
fn tiles_of_work_groups() {
    let n = Names::new().with("1 <= N, 1 <= M, 1 <= L, 0 <= g, 0 <= l <= L - 1, 0 <= k <= 2");
    n.gives("(g*L + l) / L", "g");
    n.gives("(g*L + l) % L", "l");
    n.gives("((g*L + l)*4 + k) / (4*L)", "g");
    n.gives("((g*L + l)*4 + k) % (4*L)", "4*l + k");
    // Coalesced order inside a tile.
    n.gives("(l + L*k) % L", "l");
    n.gives("(l + L*k) / L", "k");
    n.gives("((l + L*k) + g*3*L) / (3*L)", "g");
    n.gives("min(l + L*g, L*g + L - 1)", "l + L*g");
}

#[test]
fn padded_slid_and_clamped() {
    let n = Names::new()
        .with("1 <= N, 1 <= M, 0 <= R, 0 <= i <= N - 1, 0 <= j <= M - 1, 0 <= a <= 2*R, 0 <= b <= 2*R");
    let flat = "((i + a)*(M + 2*R) + j + b)";
    n.gives(&format!("{flat} / (M + 2*R)"), "i + a");
    n.gives(&format!("{flat} % (M + 2*R)"), "j + b");
    n.gives("max(min(i + a - R, N + R), 0 - R)", "i + a - R");
    n.gives("max(min(max(min(i + a - R, N - 1), 0), N - 1), 0)", "max(min(i + a - R, N - 1), 0)");
    n.gives(
        "(max(min(i + a - R, N - 1), 0)*M + max(min(j + b - R, M - 1), 0)) / M",
        "max(min(i + a - R, N - 1), 0)",
    );
    n.gives(
        "(max(min(i + a - R, N - 1), 0)*M + max(min(j + b - R, M - 1), 0)) % M",
        "max(min(j + b - R, M - 1), 0)",
    );
}

/// Index expressions as views compose them; only the periodic one keeps its remainder.
#[test]
fn typical_indices_lose_their_divisions() {
    let n = Names::new()
        .with("1 <= N, 1 <= M, 1 <= O, 0 <= i <= N - 1, 0 <= j <= M - 1, 0 <= k <= O - 1, 0 <= w <= 16");
    for (text, divides) in [
        ("i*M + j", false),
        ("(i*M + j) / M", false),
        ("(i*M + j) % M", false),
        ("((i*M + j)*O + k) / (M*O)", false),
        ("max(min(i + w - 8, N - 1), 0)*M + max(min(j + w - 8, M - 1), 0)", false),
        ("max(min(max(min(i + w - 8, N + 15), 0) - 8, N - 1), 0)*M + j", false),
        ("(((i + w - 8) % N) * M + j) / M", true),
        ("((i/32)*32 + i%32)*M + (j/32)*32 + j%32", false),
        ("(((i*M + j)*O + k) % (M*O)) / O", false),
    ] {
        let simple = n.facts().simplify(&n.e(text));
        assert_eq!(simple.has_division(), divides, "{text} => {simple}");
    }
}
