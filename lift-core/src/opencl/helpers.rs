//! Functions that the text needs where OpenCL C leaves open what Rust defines. Each is printed at most once,
//! and only if it is called.

use std::collections::BTreeMap;

/// Names of all helpers.
pub(super) const NAMES: [&str; 10] = [
    "checked_index",
    "wrapping_add",
    "wrapping_sub",
    "wrapping_mul",
    "div_int",
    "rem_int",
    "div_uchar",
    "rem_uchar",
    "div_ulong",
    "rem_ulong",
];

/// The helpers that were asked for.
#[derive(Default)]
pub(super) struct Helpers {
    wanted: BTreeMap<&'static str, String>,
}

impl Helpers {
    /// Signed arithmetic that wraps: in C it must not overflow.
    pub(super) fn wrapping(&mut self, op: char) -> &'static str {
        let name = match op {
            '+' => "wrapping_add",
            '-' => "wrapping_sub",
            _ => "wrapping_mul",
        };
        let text = format!("int {name}(int a, int b) {{\n    return (int)((uint)a {op} (uint)b);\n}}\n");
        self.wanted.insert(name, text);
        name
    }

    /// A quotient or remainder that is 0 for the divisor 0, and wraps.
    pub(super) fn division(&mut self, op: char, ty: &str) -> &'static str {
        let name = match (op, ty) {
            ('/', "int") => "div_int",
            ('%', "int") => "rem_int",
            ('/', "uchar") => "div_uchar",
            ('%', "uchar") => "rem_uchar",
            ('/', _) => "div_ulong",
            _ => "rem_ulong",
        };
        let overflow = match (op, ty) {
            ('/', "int") => "b == -1 ? (int)(0u - (uint)a) : ",
            ('%', "int") => "b == -1 ? 0 : ",
            _ => "",
        };
        let text =
            format!("{ty} {name}({ty} a, {ty} b) {{\n    return b == 0 ? 0 : {overflow}a {op} b;\n}}\n");
        self.wanted.insert(name, text);
        name
    }

    /// An index that is reported and replaced if it is out of range.
    pub(super) fn checked_index(&mut self) -> &'static str {
        let name = "checked_index";
        let text = "\
ulong checked_index(
    ulong index, ulong length, ulong otherwise, int site, int position, global int* restrict status)
{
#ifndef LIFT_UNCHECKED
    if (index >= length) {
        if (atomic_cmpxchg(&status[0], 0, site) == 0) {
            status[1] = position;
            status[2] = (int)(uint)index;
            status[3] = (int)(uint)(index >> 32);
        }
        return otherwise;
    }
#endif
    return index;
}
";
        self.wanted.insert(name, text.to_string());
        name
    }

    /// The definitions.
    pub(super) fn text(&self) -> String {
        self.wanted.values().map(|text| format!("{text}\n")).collect()
    }
}
