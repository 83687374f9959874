//! A second launch that joins what several groups have computed of each result.

use lift_suite::measure::{HandWritten, Opponent, Stage, Work};

/// Bytes that such a GPU's memory moves in a cycle.
const BYTES_A_CYCLE: usize = 1700;

/// Cycles until a second launch runs.
const CYCLES_OF_A_LAUNCH: usize = 5000;

/// So many results keep a GPU busy if each is a work-item's.
const MANY: usize = 1 << 16;

/// How parts of results are joined.
pub(super) struct Join {
    /// The element type, in OpenCL.
    pub(super) element: &'static str,
    /// A function of two elements: the body of a macro of `a` and `b`.
    pub(super) function: &'static str,
    /// The element that changes no other.
    pub(super) start: &'static str,
    /// Arrays of results.
    pub(super) fields: usize,
    /// Elements of each.
    pub(super) count: usize,
    /// Parts of each element.
    pub(super) parts: usize,
}

impl Join {
    /// The macros that both launches know.
    pub(super) fn macros(&self) -> Vec<(&'static str, String)> {
        let [line, turns] = self.local();
        vec![
            ("R", self.element.into()),
            ("JOIN(a, b)", self.function.into()),
            ("START", self.start.into()),
            ("FIELDS", self.fields.to_string()),
            ("COUNT", self.count.to_string()),
            ("PARTS", self.parts.to_string()),
            ("LINE", line.to_string()),
            ("TURNS", turns.to_string()),
        ]
    }

    /// Where results are few, their parts are shared.
    fn local(&self) -> [usize; 2] {
        if self.count >= MANY { [256, 1] } else { [32, 8] }
    }

    /// Elements between the launches.
    fn between(&self) -> usize {
        self.parts * self.fields * self.count
    }

    /// About how many cycles it takes, and whether there is room for the parts.
    pub(super) fn cost(&self, bytes: usize) -> Option<usize> {
        let room = self.between() < 1 << 28;
        let moved = 2 * self.between() * bytes / BYTES_A_CYCLE;
        if self.parts > 1 { room.then_some(CYCLES_OF_A_LAUNCH + moved) } else { Some(0) }
    }
}

/// A launch of so many groups, and one more where there are parts to join.
pub(super) fn opponent(
    name: String,
    text: String,
    entry: &'static str,
    local: &[usize],
    groups: &[usize],
    join: &Join,
) -> Opponent {
    let stage = |entry, local: &[usize], groups: &[usize]| Stage {
        entry,
        local: local.to_vec().leak(),
        work: Work::Groups(groups.to_vec().leak()),
    };
    let last = stage("join", &join.local(), &[join.count.div_ceil(join.local()[0]), 1]);
    let is_split = join.parts > 1;
    let text = if is_split { text + "\n" + LAST_TEXT } else { text };
    let program = HandWritten {
        first: stage(entry, local, groups),
        second: is_split.then_some((last, join.between())),
        ..HandWritten::sweep(text.leak(), entry, &[], &[])
    };
    let name = if is_split { format!("{name}, {} parts", join.parts) } else { name };
    Opponent { name, program }
}

/// The last launch.
const LAST_TEXT: &str = include_str!("join.cl");
