//! What the templates have in common: texts with their launches, one or two with memory between them, and macros before a text.

use lift_suite::measure::{HandWritten, Opponent, Stage, Work};

/// Streaming multiprocessors of the GPU that the templates are for.
pub(super) const PROCESSORS: usize = 132;

/// Definitions of macros, one a line.
pub(super) fn defined(macros: &[(&str, String)]) -> String {
    macros.iter().map(|(name, value)| format!("#define {name} {value}\n")).collect()
}

/// A launch of so many groups of this shape.
pub(super) fn launch(entry: &'static str, local: &[usize], groups: usize) -> Stage {
    let mut all = vec![1; local.len()];
    all[0] = groups;
    Stage { entry, local: local.to_vec().leak(), work: Work::Groups(all.leak()) }
}

/// An opponent of one launch.
pub(super) fn once(name: String, text: String, stage: Stage) -> Opponent {
    let program = HandWritten { first: stage, ..HandWritten::sweep(text.leak(), stage.entry, &[], &[]) };
    Opponent { name, program }
}

/// An opponent of two launches: the first writes so many elements for the second, which takes the parameters again.
pub(super) fn twice(name: String, text: String, stages: [Stage; 2], elements: usize) -> Opponent {
    let mut opponent = once(name, text, stages[0]);
    opponent.program.second = Some((stages[1], elements));
    opponent.program.again = true;
    opponent
}

/// The largest number of lanes, at most 16 bytes, that divides what is consecutive.
pub(super) fn lanes(double: bool, consecutive: usize) -> usize {
    let most = if double { 2 } else { 4 };
    [4, 2, 1].into_iter().find(|&lanes| lanes <= most && consecutive.is_multiple_of(lanes)).unwrap_or(1)
}

/// Macros for the types: `T1`, `I1` and `INT1` of single numbers, `Tv`, `Iv` and `INTv` of vectors; integers are as wide as numbers.
pub(super) fn types(double: bool, lanes: usize) -> Vec<(&'static str, String)> {
    let (real, whole) = if double { ("double", "long") } else { ("float", "int") };
    let vector = |of: &str| if lanes == 1 { of.to_string() } else { format!("{of}{lanes}") };
    let numbers = match lanes {
        1 => "0",
        2 => "(Iv)(0, 1)",
        _ => "(Iv)(0, 1, 2, 3)",
    };
    vec![
        ("T1", real.into()),
        ("Tv", vector(real)),
        ("I1", whole.into()),
        ("Iv", vector(whole)),
        ("INT1", "int".into()),
        ("INTv", vector("int")),
        ("TO_INT1(i)", "((int)(i))".into()),
        ("TO_INTv(i)", if lanes == 1 { "((int)(i))".into() } else { format!("convert_int{lanes}(i)") }),
        ("VEC", lanes.to_string()),
        ("LANES", numbers.into()),
    ]
}

/// The pragma that doubles need.
pub(super) const fn pragma(double: bool) -> &'static str {
    if double { "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" } else { "" }
}
