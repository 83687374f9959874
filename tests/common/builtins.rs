//! Declarations of the functions of OpenCL C that a text calls.
//!
//! PoCL parses the declarations of all functions there are, eighteen thousand lines, before each text, which takes longer than building a small text without
//! optimisation. With `-D_OPENCL_H_` it leaves them out, and the text declares what it calls. What is missing here fails to build.

use std::collections::BTreeSet;
use std::fmt::Write;

const FLOATS: &[&str] = &["float", "double"];
const INTEGERS: &[&str] = &["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"];
const SIGNED: &[&str] = &["char", "short", "int", "long"];
const NUMBERS: [&[&str]; 2] = [FLOATS, INTEGERS];
const LANES: [&str; 6] = ["", "2", "3", "4", "8", "16"];

/// Functions without side effects: their names, the types that they are declared for, at every number of lanes, and the result and parameters. `T` is the type, `S` its
/// element, `U` the unsigned type, `N` an `int` for each lane, and `B` what comparisons give.
const FUNCTIONS: [(&str, &[&[&str]], &str); 13] = [
    (
        "fabs sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh floor ceil \
         round trunc rint rsqrt",
        &[FLOATS],
        "T(T)",
    ),
    ("pow atan2 hypot copysign fmod", &[FLOATS], "T(T, T)"),
    ("fmin fmax", &[FLOATS], "T(T, T) T(T, S)"),
    ("fma mad", &[FLOATS], "T(T, T, T)"),
    ("pown", &[FLOATS], "T(T, N)"),
    ("isnan isfinite isinf", &[FLOATS], "B(T)"),
    ("min max", &NUMBERS, "T(T, T) T(T, S)"),
    ("clamp", &NUMBERS, "T(T, T, T) T(T, S, S)"),
    ("add_sat sub_sat rotate mul_hi", &[INTEGERS], "T(T, T)"),
    ("popcount clz", &[INTEGERS], "T(T)"),
    ("all any", &[SIGNED], "int(T)"),
    ("abs", &[INTEGERS], "U(T)"),
    ("abs_diff", &[INTEGERS], "U(T, T)"),
];

/// What is known of a work-item.
const QUERIES: [&str; 6] =
    ["get_global_id", "get_local_id", "get_group_id", "get_global_size", "get_local_size", "get_num_groups"];

const ATOMICS: [&str; 8] = ["add", "sub", "xchg", "min", "max", "and", "or", "xor"];

const CONST: &str = "__attribute__((overloadable, const))";
const OTHER: &str = "__attribute__((overloadable))";

/// Whether the driver is told to leave its declarations out.
pub fn are_left_out() -> bool {
    std::env::var("POCL_EXTRA_BUILD_FLAGS").is_ok_and(|flags| flags.contains("-D_OPENCL_H_"))
}

/// The text after the declarations of what it calls, for drivers that define `LIFT_DECLARED`.
pub fn declared(text: &str) -> String {
    let mut all = String::from("#ifdef LIFT_DECLARED\n");
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let words: BTreeSet<&str> = words.collect();
    words.into_iter().for_each(|word| declare(word, &mut all).expect("a text takes everything"));
    all + "#endif\n" + text
}

/// Adds all declarations of a function, if the word is one.
fn declare(word: &str, out: &mut String) -> std::fmt::Result {
    for (names, types, signatures) in FUNCTIONS {
        if names.split(' ').any(|name| name == word) {
            types.concat().iter().try_for_each(|ty| overloads(word, ty, signatures, out))?;
        }
    }
    if QUERIES.contains(&word) {
        writeln!(out, "size_t {CONST} {word}(uint);")?;
    }
    if word == "barrier" {
        writeln!(out, "void __attribute__((overloadable, convergent)) barrier(cl_mem_fence_flags);")?;
    }
    if let Some(ty) = word.strip_prefix("as_") {
        writeln!(out, "#define {word}(x) __builtin_astype((x), {ty})")?;
    }
    if let Some(ty) = word.strip_prefix("convert_") {
        let ty = ty.trim_end_matches("_sat");
        let lanes = ty.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        for from in NUMBERS.concat() {
            writeln!(out, "{ty} {CONST} {word}({from}{lanes});")?;
        }
    }
    if let Some(f) = word.strip_prefix("atomic_") {
        for (ty, space) in [("int", "global"), ("int", "local"), ("uint", "global"), ("uint", "local")] {
            match f {
                "cmpxchg" => writeln!(out, "{ty} {OTHER} {word}(volatile {space} {ty}*, {ty}, {ty});")?,
                f if ATOMICS.contains(&f) => {
                    writeln!(out, "{ty} {OTHER} {word}(volatile {space} {ty}*, {ty});")?;
                }
                _ => {}
            }
        }
    }
    for (ty, space) in
        NUMBERS.concat().into_iter().flat_map(|ty| ["global", "local", "private"].map(|space| (ty, space)))
    {
        match word {
            "vload3" => writeln!(out, "{ty}3 {OTHER} vload3(size_t, const {space} {ty}*);")?,
            "vstore3" => writeln!(out, "void {OTHER} vstore3({ty}3, size_t, {space} {ty}*);")?,
            _ => {}
        }
    }
    Ok(())
}

/// Declares a function for a type at each number of lanes.
fn overloads(name: &str, ty: &str, signatures: &str, out: &mut String) -> std::fmt::Result {
    let unsigned = if ty.starts_with('u') { ty.to_string() } else { format!("u{ty}") };
    for lanes in LANES {
        for signature in signatures.split_inclusive(')').map(str::trim) {
            // Without lanes, both are the same.
            if lanes.is_empty() && signature.contains('S') {
                continue;
            }
            let (result, params) = signature.split_once('(').expect("a result and parameters");
            let spelled = |c: char| match c {
                'T' => format!("{ty}{lanes}"),
                'S' => ty.to_string(),
                'U' => format!("{unsigned}{lanes}"),
                'N' => format!("int{lanes}"),
                'B' if lanes.is_empty() || ty == "float" => format!("int{lanes}"),
                'B' => format!("long{lanes}"),
                c => c.to_string(),
            };
            let [result, params] = [result, params].map(|part| part.chars().map(spelled).collect::<String>());
            writeln!(out, "{result} {CONST} {name}({params};")?;
        }
    }
    Ok(())
}
