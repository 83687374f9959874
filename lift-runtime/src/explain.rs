//! What is known about a kernel on a device, as a text for people.

use std::fmt;

use crate::launch::Launcher;
use crate::select::Candidate;
use crate::spec::{KernelSpec, Missing, Size, Step, Tuned, Variant};

/// What is known about a kernel on a device. Printed, it is a text of several pages:
///
/// - the type of the kernel's expression after every step;
/// - which variant a launch takes and why, and why there are no others;
/// - of each variant the derivation, what it does with memory, and its OpenCL.
///
/// ```no_run
/// # fn explain<K: lift_runtime::Kernel>(kernel: &K) {
/// println!("{}", kernel.launcher().explain());
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Explanation {
    spec: &'static KernelSpec,
    device: String,
    choice: String,
    /// The variants, in the order in which a launch tries them, and then the others.
    variants: Vec<&'static Variant>,
}

impl Explanation {
    pub(crate) fn of(
        launcher: &Launcher,
        candidates: &[&'static Variant],
        tuned: &[(&'static Tuned, Candidate)],
        why: &str,
    ) -> Explanation {
        let spec = launcher.spec();
        let names: Vec<&str> = candidates.iter().map(|variant| &*variant.name).collect();
        let choice = match names.as_slice() {
            [] => format!("No variant can be launched: {why}."),
            [only] => format!("A launch takes {only}: {why}."),
            [first, others @ ..] => {
                format!(
                    "A launch takes {first}: {why}. Where the device cannot run it, {} follow.",
                    others.join(", ")
                )
            }
        };
        let choice =
            [choice].into_iter().chain(candidates.iter().filter_map(|variant| condition(spec, variant)));
        let choice = choice.chain(tuned.iter().map(|(tuned, found)| by_tuning(spec, tuned, found)));
        let choice = choice.collect::<Vec<_>>().join(" ");
        let left = launcher.variants().iter().filter(|variant| !names.contains(&&*variant.name));
        let variants = candidates.iter().copied().chain(left).collect();
        Explanation { spec, device: launcher.device().label().to_string(), choice, variants }
    }

    /// The type of the kernel's expression after every step.
    #[must_use]
    pub fn types(&self) -> &'static str {
        &self.spec.types
    }

    /// Which variant a launch takes, and why.
    #[must_use]
    pub fn choice(&self) -> &str {
        &self.choice
    }

    /// The variants that the compiler makes of other kernels, and why there are none of this kernel.
    #[must_use]
    pub fn missing(&self) -> &'static [Missing] {
        &self.spec.missing
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {}\non {}. {}", self.spec.name, self.spec.ty, self.device, self.choice)?;
        if let Some(parts) = self.spec.in_parts() {
            writeln!(f, "{parts}")?;
        }
        section(f, "The expression, with the type after every step", &self.spec.types)?;
        if !self.spec.missing.is_empty() {
            section(f, "Variants that there are not, and why", "")?;
            for Missing { name, reason } in self.spec.missing.iter() {
                writeln!(f, "{name}: {reason}.")?;
            }
        }
        for Variant { name, derivation, plan, source, regroups, .. } in &self.variants {
            section(f, &format!("Variant {name}: how it was derived"), "")?;
            if *regroups {
                writeln!(
                    f,
                    "Sums are regrouped: the last bits of floats may differ from those of other variants."
                )?;
            }
            for Step { rule, law, after } in derivation.iter() {
                if !rule.is_empty() {
                    writeln!(f, "= {{ {rule}: {law} }}")?;
                }
                if !after.is_empty() {
                    writeln!(f, "    {}", after.replace('\n', "\n    "))?;
                }
            }
            section(f, &format!("Variant {name}: work, memory and barriers"), plan)?;
            if !source.text.is_empty() {
                section(f, &format!("Variant {name}: OpenCL"), &source.text())?;
            }
        }
        Ok(())
    }
}

/// What tuning found.
fn by_tuning(spec: &KernelSpec, tuned: &Tuned, (variant, values): &Candidate) -> String {
    let list = |all: Vec<String>, none: &str| if all.is_empty() { none.to_string() } else { all.join(", ") };
    let sizes = spec.sizes.iter().zip(tuned.sizes.iter()).map(|(size, n)| format!("{} = {n}", size.name));
    let sizes = list(sizes.collect(), "any sizes");
    let tunables = variant.tunables.iter().zip(values).map(|(it, value)| format!("{} = {value}", it.name));
    let tunables = list(tunables.collect(), "");
    let with = if tunables.is_empty() { String::new() } else { format!(" with {tunables}") };
    format!("At {sizes} and sizes near it, tuning found {}{with} to be the fastest.", variant.name)
}

/// At which sizes a launch tries a variant before those that suit all sizes, if not at all of them.
fn condition(spec: &KernelSpec, variant: &Variant) -> Option<String> {
    if variant.least.is_empty() {
        return None;
    }
    let plain = |(extent, least): &(Size, i64)| match extent {
        Size::Var(position) => Some(format!("{} is at least {least}", spec.sizes.get(*position)?.name)),
        _ => None,
    };
    let when = match variant.least.iter().map(plain).collect::<Option<Vec<String>>>() {
        Some(all) => all.join(" and "),
        None => {
            return Some(format!("It tries {} first only at sizes for which that is faster.", variant.name));
        }
    };
    Some(format!("It tries {} first only if {when}.", variant.name))
}

fn section(f: &mut fmt::Formatter<'_>, title: &str, text: &str) -> fmt::Result {
    write!(f, "\n{title}\n{}\n\n{text}", "-".repeat(title.chars().count()))
}
