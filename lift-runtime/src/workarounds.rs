//! What drivers get wrong or lack, and how texts are built so that they get it right.

use std::borrow::Cow;

/// Options that a device's driver needs beside those that say what the text is; `wide` if indices have 64 bits, `scaled` if some of
/// them are multiples of a work-item's number.
///
/// - **NVIDIA** (seen with 580.159 on sm_90): a 32-bit index that begins with `get_global_id` is computed in 64 bits, as a
///   multiple of 2³² which is shifted down at its end. From three loads at `3 * i`, `3 * i + 1` and `3 * i + 2` the
///   assembler makes two, where it optimises: the sums with 2·2³² and 3·2³² become one. The same PTX is right without
///   optimisation. The maximum with 0, which changes no id, is a number of 32 bits, and so is what is computed from it. (Ids from those of
///   groups would be, too, but the last group may be smaller than `get_local_size` says of the others.)
pub(crate) fn options(vendor: &str, wide: bool, scaled: bool) -> &'static str {
    if scaled && !wide && vendor.contains("NVIDIA") {
        " -D get_global_id(d)=max((int)get_global_id(d),0)"
    } else {
        ""
    }
}

/// What is built of a text, which has the same lines.
///
/// - **NVIDIA** (seen with 580.159 on sm_90): of `max(max(-a, b), c)` for `int`, and of `min`, the assembler makes one instruction that leaves the
///   inner negation out. The PTX is right. With the offset of all ids, which no launch has and no compiler knows, a difference with 0 is a
///   sum of two numbers, and no negation. A clamped index that is compared with its bound, `max(min(i, N - 1), 0) == N - 1`, is compared wrongly where `N` is
///   an argument, unless nothing is known of that 0 either.
/// - **Intel**, for CPUs (seen with 2026.2.0): sums of floats in loops are regrouped, though no option allows that. A loop of `acc += a[i]`
///   is made one of vectors, whose lanes are added in the end. What it unrolls it regroups as well. Loops that stay as they are keep their
///   order; work-items become lanes all the same.
pub(crate) fn text<'a>(vendor: &str, is_gpu: bool, source: &'a str) -> Cow<'a, str> {
    const DIFFERENCE: &str = "((uint)a - (uint)b)";
    const PRODUCT: &str = "((uint)a * (uint)b)";
    const LOOP: &str = "for (";
    const UNROLL: &str = "#pragma unroll";
    let clamped = if vendor.contains("NVIDIA") { clamped_and_compared(source) } else { Vec::new() };
    if vendor.contains("NVIDIA")
        && (source.contains(DIFFERENCE) || source.contains(PRODUCT) || !clamped.is_empty())
    {
        let mut text = source.replace(DIFFERENCE, "((uint)a - (uint)b + (uint)get_global_offset(0))");
        text = text.replace(PRODUCT, "((uint)a * (uint)b + (uint)get_global_offset(0))");
        for bound in clamped {
            let clamped = format!(", {bound}){CLAMPED}");
            text = text.replace(&clamped, &format!(", {bound}), (index_t)get_global_offset(0))"));
        }
        Cow::Owned(text)
    } else if vendor.contains("Intel") && !is_gpu && source.contains(LOOP) {
        let source = source.replace(UNROLL, "//");
        Cow::Owned(source.replace(LOOP, "_Pragma(\"clang loop vectorize(disable) unroll(disable)\") for ("))
    } else {
        Cow::Borrowed(source)
    }
}

/// The end of an index that is clamped at 0, after its upper bound.
const CLAMPED: &str = ", (index_t)0)";

/// The upper bounds of clamped indices, `max(min(i, BOUND), 0)`, with which anything is compared in a text.
fn clamped_and_compared(source: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for (end, _) in source.match_indices(CLAMPED) {
        let before = source[..end].strip_suffix(')').and_then(|inner| inner.rsplit_once(", "));
        let Some((_, bound)) = before else { continue };
        if !found.contains(&bound) && source.contains(&format!(" == {bound}")) {
            found.push(bound);
        }
    }
    found
}

/// Whether the driver keeps on disk what it has built. Those of which that is not known are taken to keep nothing: what is kept twice costs some
/// space.
///
/// - **PoCL** (3.1) and **NVIDIA** (580.159) do, under `~/.cache/pocl` and `~/.nv`: a program that is started again builds as good as nothing.
/// - **Intel**, for CPUs (2026.2.0), does not: a second start took as long as the first, 2.7 s for 9 programs, and takes a tenth of that with
///   the programs on disk.
pub(crate) fn keeps_programs(platform: &str) -> bool {
    platform.contains("Portable Computing Language") || platform.contains("NVIDIA")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_no_negations() {
        let source = "int wrapping_sub_int(int a, int b) {\n    return (int)((uint)a - (uint)b);\n}\n";
        assert_eq!(text("AuthenticAMD", false, source), source);
        let other = text("NVIDIA Corporation", true, source);
        assert!(other.contains("(uint)b + (uint)get_global_offset(0));"), "{other}");
        // Errors are in the same lines.
        assert_eq!(other.lines().count(), source.lines().count());
        assert_eq!(text("NVIDIA Corporation", true, "kernel void f() {}"), "kernel void f() {}");
    }

    #[test]
    fn clamped_indices_are_compared_with_an_unknown_bound() {
        let source = "    const index_t r = max(min(i, N - 1), (index_t)0);\n    if (r == N - 1) {\n";
        assert_eq!(text("AuthenticAMD", false, source), source);
        let other = text("NVIDIA Corporation", true, source);
        assert!(other.contains("max(min(i, N - 1), (index_t)get_global_offset(0));"), "{other}");
        // Nothing is compared with it, or something else is.
        let (first, _) = source.split_once('\n').unwrap_or_default();
        for source in [first.to_string(), format!("{first}\n    if (lx == 0) {{\n")] {
            assert_eq!(text("NVIDIA Corporation", true, &source), source);
        }
    }

    #[test]
    fn loops_keep_their_order() {
        let source = "kernel void f() {\n    #pragma unroll 4\n    for (int i = 0; i < N; i++) {\n    }\n}\n";
        let intel = text("Intel(R) Corporation", false, source);
        assert!(
            intel.contains(" _Pragma(\"clang loop vectorize(disable) unroll(disable)\") for (int i"),
            "{intel}"
        );
        assert!(!intel.contains("#pragma unroll"), "{intel}");
        assert_eq!(intel.lines().count(), source.lines().count());
        assert_eq!(text("Intel(R) Corporation", true, source), source);
        assert_eq!(text("AuthenticAMD", false, source), source);
    }

    #[test]
    fn some_drivers_keep_programs() {
        assert!(keeps_programs("Portable Computing Language") && keeps_programs("NVIDIA CUDA"));
        assert!(!keeps_programs("Intel(R) OpenCL") && !keeps_programs(""));
    }

    #[test]
    fn only_who_needs_it_gets_it() {
        assert!(options("NVIDIA Corporation", false, true).starts_with(" -D get_global_id(d)=max((int)"));
        assert_eq!(options("NVIDIA Corporation", true, true), "");
        assert_eq!(options("NVIDIA Corporation", false, false), "");
        assert_eq!(options("AuthenticAMD", false, true), "");
        // An option ends at a space.
        assert_eq!(options("NVIDIA Corporation", false, true).matches(' ').count(), 2);
    }
}
