//! Functions that the text needs where OpenCL C leaves open what Rust defines. Each is printed at most once,
//! and only if it is called. The name ends in the type: `div_int`.

use std::collections::BTreeMap;

use lift_spec::macros::{CLAIMS, UNCHECKED};

use crate::ir::{MathFn, Scalar};
use crate::opencl::lanes::vector_type;
use crate::opencl::{math, reserved, type_name};

/// The helpers that were asked for.
#[derive(Default)]
pub(super) struct Helpers {
    wanted: BTreeMap<String, String>,
}

impl Helpers {
    /// Signed arithmetic that wraps: in C it must not overflow.
    pub(super) fn wrapping(&mut self, op: char, scalar: Scalar) -> String {
        let stem = match op {
            '+' => "wrapping_add",
            '-' => "wrapping_sub",
            _ => "wrapping_mul",
        };
        let (ty, unsigned) = (type_name(scalar), type_name(scalar.unsigned()));
        let body = format!("return ({ty})(({unsigned})a {op} ({unsigned})b);");
        self.want(stem, scalar, ty, &format!("{ty} a, {ty} b"), &body)
    }

    /// A quotient or remainder that is 0 for the divisor 0, and wraps.
    pub(super) fn division(&mut self, op: char, scalar: Scalar) -> String {
        let (ty, unsigned) = (type_name(scalar), type_name(scalar.unsigned()));
        // Narrow types are divided as `int`.
        let overflow = match (op, scalar) {
            ('/', Scalar::I32 | Scalar::I64) => format!("b == -1 ? ({ty})(0u - ({unsigned})a) : "),
            ('%', Scalar::I32 | Scalar::I64) => "b == -1 ? 0 : ".to_string(),
            _ => String::new(),
        };
        let stem = if op == '/' { "div" } else { "rem" };
        let body = format!("return b == 0 ? 0 : {overflow}a {op} b;");
        self.want(stem, scalar, ty, &format!("{ty} a, {ty} b"), &body)
    }

    /// A method without a builtin function, on so many lanes.
    pub(super) fn math(&mut self, f: MathFn, scalar: Scalar, lanes: u8) -> String {
        let unsigned = match scalar {
            Scalar::F32 => Scalar::U32,
            Scalar::F64 => Scalar::U64,
            Scalar::F16 => Scalar::U16,
            integer => integer.unsigned(),
        };
        let (ty, unsigned) = (vector_type(scalar, lanes), vector_type(unsigned, lanes));
        let (params, body) = math::body(f, scalar, &ty, &unsigned);
        self.named(&format!("{}_{ty}", f.name()), &vector_type(f.result(scalar), lanes), &params, &body)
    }

    fn want(&mut self, stem: &str, scalar: Scalar, result: &str, params: &str, body: &str) -> String {
        self.named(&format!("{stem}_{}", type_name(scalar)), result, params, body)
    }

    fn named(&mut self, name: &str, result: &str, params: &str, body: &str) -> String {
        let body: String = body
            .lines()
            .map(|line| if line.starts_with('#') { format!("{line}\n") } else { format!("    {line}\n") })
            .collect();
        let text = format!("{result} {name}({params}) {{\n{body}}}\n");
        self.define(name, text);
        name.to_string()
    }

    /// Adds a definition. No variable may have its name.
    fn define(&mut self, name: &str, text: String) {
        if !reserved::is_helper(name) {
            crate::bug!("the name of the helper `{name}` is not reserved");
        }
        self.wanted.entry(name.to_string()).or_insert(text);
    }

    /// An index that is reported and replaced if it is out of range.
    pub(super) fn checked_index(&mut self) -> &'static str {
        let name = "checked_index";
        let text = format!(
            "\
ulong checked_index(
    ulong index, ulong length, ulong otherwise, int site, ulong position, global int* restrict status)
{{
#ifndef {UNCHECKED}
    if (index >= length) {{
        if (atomic_cmpxchg(&status[0], 0, site) == 0) {{
            status[1] = (int)(uint)position;
            status[2] = (int)(uint)index;
            status[3] = (int)(uint)(index >> 32);
            status[4] = (int)(uint)(position >> 32);
        }}
        return otherwise;
    }}
#endif
    return index;
}}
"
        );
        self.define(name, text);
        name
    }

    /// The type of a vector that may lie wherever its elements may.
    pub(super) fn unaligned(&mut self, scalar: Scalar, lanes: u8) -> String {
        let vector = format!("{}{lanes}", type_name(scalar));
        let name = format!("unaligned_{vector}");
        let text = format!("typedef {vector} {name} __attribute__((aligned({})));\n", scalar.bytes());
        self.define(&name, text);
        name
    }

    /// A vector that is written past the caches, where the compiler knows how and the place is a multiple of its size.
    pub(super) fn stream(&mut self, scalar: Scalar, lanes: u8) -> String {
        let (ty, bytes) = (type_name(scalar), scalar.bytes());
        let vector = format!("{ty}{lanes}");
        let name = format!("stream_{vector}");
        let text = format!(
            "\
void {name}(global {ty}* place, private const {vector}* value)
{{
#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
    if ((uintptr_t)place % sizeof({vector}) == 0) {{
        __builtin_nontemporal_store(*value, (global {vector}*)place);
        return;
    }}
#endif
#endif
    typedef {vector} anywhere __attribute__((aligned({bytes})));
    *(global anywhere*)place = *value;
}}
"
        );
        self.define(&name, text);
        name
    }

    /// A claim of an element; one that somebody else has claimed is reported.
    pub(super) fn claim_element(&mut self) -> &'static str {
        let name = "claim_element";
        let text = format!(
            "\
#ifdef {CLAIMS}
void claim_element(
    global int* restrict claims, ulong index, int site, uint position, global int* restrict status)
{{
    const uint other = atomic_cmpxchg(&claims[index], 0, (int)(position + 1));
    if (other != 0 && other != position + 1 && atomic_cmpxchg(&status[0], 0, -site) == 0) {{
        status[1] = (int)position;
        status[2] = (int)(uint)index;
        status[3] = (int)(uint)(index >> 32);
        status[4] = (int)(other - 1);
    }}
}}
#endif
"
        );
        self.define(name, text);
        name
    }

    /// Those that others asked for, too.
    pub(super) fn add(&mut self, others: Helpers) {
        self.wanted.extend(others.wanted);
    }

    /// The definitions.
    pub(super) fn text(&self) -> String {
        self.wanted.values().map(|text| format!("{text}\n")).collect()
    }
}
