//! The texts of errors, as far as a format string is not enough.

use std::fmt;

#[cfg(feature = "opencl")]
use opencl3::error_codes::error_text;

use crate::error::{BuildLine, Error, Expected, Mismatch};
use crate::install::{Missing, advice};
use crate::spec::ScalarType;

/// The name of an OpenCL error code.
#[cfg(feature = "opencl")]
pub(crate) fn name_of(code: i32) -> &'static str {
    match code {
        -2001 => "a function missing in this OpenCL library",
        _ => match error_text(code) {
            // The binding's word for what it does not know.
            "UNKNOWN_ERROR" => "an unknown code",
            name => name,
        },
    }
}

/// `512×500`, and `99` for one dimension.
pub(crate) fn by(extents: &[usize]) -> String {
    if extents.is_empty() {
        return "a single value".to_string();
    }
    extents.iter().map(usize::to_string).collect::<Vec<_>>().join("×")
}

/// The same with a unit where it reads better: `99 elements`.
pub(crate) fn shape(extents: &[usize]) -> String {
    match extents {
        [1] => "1 element".to_string(),
        [one] => format!("{one} elements"),
        _ => by(extents),
    }
}

pub(crate) fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

pub(crate) fn kernel_prefix(kernel: Option<&str>, entry: Option<&str>) -> String {
    match (kernel, entry) {
        (Some(kernel), Some(entry)) => format!("{kernel} (in `{entry}`): "),
        (Some(one), None) | (None, Some(one)) => format!("{one}: "),
        (None, None) => String::new(),
    }
}

/// What the user wrote, or else the name of the operation.
pub(crate) fn written_or<'a>(written: &'a str, operation: &'a str) -> &'a str {
    if written.is_empty() { operation } else { written }
}

/// `at[3]`, `columns[2][0]`
fn element(array: &str, position: &[u64]) -> String {
    let indices: String = position.iter().map(|index| format!("[{index}]")).collect();
    format!("`{array}{indices}`")
}

pub(crate) fn out_of_range(operation: &str, indices: &str, position: &[u64], index: i64, len: u64) -> String {
    match (indices, position) {
        ("", position) => {
            let number: Vec<String> = position.iter().map(u64::to_string).collect();
            format!("index {} of `{operation}` is {index}, but must be in 0..{len}", number.join(", "))
        }
        (array, position) => {
            format!("{} is {index}, but `{operation}` takes indices in 0..{len}", element(array, position))
        }
    }
}

pub(crate) fn duplicate(operation: &str, indices: &str, index: i64, positions: &[Vec<u64>; 2]) -> String {
    let [first, second] = positions;
    if indices.is_empty() {
        let number = |position: &[u64]| position.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        let (first, second) = (number(first), number(second));
        return format!(
            "indices {first} and {second} of `{operation}` are both {index}, but must be distinct"
        );
    }
    let (first, second) = (element(indices, first), element(indices, second));
    format!("{first} and {second} are both {index}, but `{operation}` takes distinct indices")
}

pub(crate) fn zero(size: Option<&str>) -> String {
    size.map(|size| format!(" ({size} = 0)")).unwrap_or_default()
}

pub(crate) fn no_platform(searched: &str, unregistered: Option<&str>) -> String {
    let start = format!("OpenCL is installed, but no driver is registered in `{searched}`");
    match unregistered {
        Some(library) => format!(
            "{start}, although `{library}` exists: its `.icd` file is missing, as happens in containers; or {}",
            advice(Missing::Driver)
        ),
        None => format!("{start}; {}", advice(Missing::Driver)),
    }
}

/// What there is to do about a type that a device does not have.
pub(crate) fn missing_type(ty: ScalarType, used: &[&str], others: &[String]) -> String {
    let place = match used {
        [] => "it occurs inside the kernel".to_string(),
        [one] => format!("`{one}` is made of it"),
        many => format!("{} are made of it", quoted(many)),
    };
    let devices = match others {
        [] => "no device here has it".to_string(),
        [one] => format!("{one} has it"),
        many => format!("{} have it", many.join(", ")),
    };
    let instead = if ty == ScalarType::F32 { "another type" } else { "`f32`" };
    format!(": {place}; compute with {instead}, or on a device that has it ({devices})")
}

pub(crate) fn there_are(available: &[String]) -> String {
    match available {
        [] => "are none".to_string(),
        [one] => format!("is only {one}"),
        many => format!("are {}", many.join(", ")),
    }
}

/// Why there are no devices but the CPU, as the rest of a sentence.
pub(crate) fn no_others(problem: Option<&Error>) -> String {
    problem.map(|problem| format!(" ({problem})")).unwrap_or_default()
}

/// Devices that a kernel can run on.
pub(crate) fn other_devices(others: &[String]) -> String {
    match others {
        [] => "OpenCL devices, of which there are none".to_string(),
        some => some.join(", "),
    }
}

/// Devices that a kernel without OpenCL can run on.
pub(crate) fn processor(others: &[String]) -> String {
    match others {
        [] => "the CPU without OpenCL, for which the feature `host` must be on".to_string(),
        some => format!("{}, which is `Device::cpu()`", some.join(", ")),
    }
}

pub(crate) fn unknown_tunable(kernel: &str, variant: Option<&str>, name: &str, available: &[&str]) -> String {
    let owner = match variant {
        Some(variant) => format!("variant `{variant}` of {kernel}"),
        None => kernel.to_string(),
    };
    match available {
        [] => format!("{owner} has no tunable `{name}`; it has none"),
        some => format!("{owner} has no tunable `{name}`; it has {}", quoted(some)),
    }
}

pub(crate) fn limit_of(limit: usize, item_limits: &[usize]) -> String {
    format!("{limit} work-items and at most {}", by(item_limits))
}

pub(crate) fn shapes(kernel: &str, arguments: usize, mismatches: &[Mismatch]) -> String {
    let each = mismatches.iter().map(|mismatch| mismatch.describe(kernel)).collect::<Vec<_>>().join("; ");
    match mismatches {
        [_] => format!("{kernel}: {each}"),
        many => format!("{kernel}: {} of {arguments} arguments do not fit: {each}", many.len()),
    }
}

impl Mismatch {
    fn describe(&self, kernel: &str) -> String {
        let name = self.argument;
        if let Expected::NoSolution { dimension, size } = &self.expected {
            let found = self.found.get(*dimension).copied().unwrap_or(0);
            let form = self.shown.get(*dimension).copied().unwrap_or("?");
            let verb = if self.found.len() == 1 { "has" } else { "is" };
            let shape = shape(&self.found);
            return format!("`{name}` {verb} {shape}, but no {size} makes {form} equal {found}");
        }
        let Expected::Extents(expected) = &self.expected else {
            return format!("`{name}`");
        };
        let plain = self.shown.iter().zip(expected).all(|(shown, value)| {
            shown.parse() == Ok(*value) || self.sizes.iter().any(|binding| binding.size == *shown)
        });
        if let ([found], [expected], [shown]) = (&self.found[..], &expected[..], &self.shown[..]) {
            let start = format!("`{name}` has {}, expected ", shape(&[*found]));
            if shown.parse() == Ok(*expected) {
                return format!("{start}{expected}");
            }
            let rest = if plain { self.origin() } else { self.given(", with ") };
            return format!("{start}{shown} = {expected}{rest}");
        }
        let verb = if self.is_result { "returns" } else { "takes" };
        let extents = expected.iter().map(i64::to_string).collect::<Vec<_>>().join("×");
        let value = if plain && !self.sizes.is_empty() { String::new() } else { format!(" = {extents}") };
        let ty = &self.ty;
        let given = self.given(" with ");
        format!("`{name}` is {}, but {kernel} {verb} {ty}{value}{given}", by(&self.found))
    }

    /// ` (from `x`)`, for a message that already has the value.
    fn origin(&self) -> String {
        self.sizes.first().map(|binding| format!(" (from `{}`)", binding.from)).unwrap_or_default()
    }

    /// `H = 512, W = 512 (from `image`)`: each origin once, after the last of its sizes.
    fn given(&self, start: &str) -> String {
        let mut text = String::new();
        for (position, binding) in self.sizes.iter().enumerate() {
            text.push_str(if position == 0 { start } else { ", " });
            text.push_str(&format!("{} = {}", binding.size, binding.value));
            if self.sizes.get(position + 1).is_none_or(|next| next.from != binding.from) {
                text.push_str(&format!(" (from `{}`)", binding.from));
            }
        }
        text
    }
}

pub(crate) fn build(kernel: &str, variant: &str, device: &str, log: &str, lines: &[BuildLine]) -> String {
    let mut text = format!("{kernel}: the driver of {device} could not build variant `{variant}`");
    if let Some(first) = lines.first() {
        text.push_str(&format!(": {}", first.message));
    }
    for line in lines {
        text.push_str(&format!("\n{line}"));
    }
    let log = if log.is_empty() { "(the driver said nothing)" } else { log };
    text.push_str(&format!("\nthe driver's log:\n{log}"));
    text
}

impl fmt::Display for BuildLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Tabs would move the caret.
        let text = self.text.replace('\t', " ");
        let (number, column) = (self.line, self.column.clamp(1, text.len() + 1));
        let margin = " ".repeat(number.to_string().len());
        writeln!(f, "  {number} | {text}")?;
        write!(f, "  {margin} | {}^ {}", " ".repeat(column - 1), self.message)
    }
}
