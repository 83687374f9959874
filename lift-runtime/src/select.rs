//! Which variant a launch uses: the user's choice, or the first that suits the device.

use crate::error::{Error, Result};
use crate::spec::{KernelSpec, Text, Tunable, Tuned, Variant};

/// A variant with values of its tunables.
pub(crate) type Candidate = (&'static Variant, Vec<i64>);

/// What the user has selected of a kernel.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    spec: &'static KernelSpec,
    /// The variants that its device can run.
    variants: &'static [Variant],
    is_host: bool,
    /// The variant, if one was selected.
    pub(crate) variant: Option<&'static Variant>,
    /// Tunables that were set, by name.
    pub(crate) tunables: Vec<(&'static str, i64)>,
}

impl Selection {
    /// Nothing is selected, on the host device or on another one.
    pub(crate) fn new(spec: &'static KernelSpec, is_host: bool) -> Selection {
        let variants = if is_host { &spec.host } else { &spec.variants };
        Selection { spec, variants, is_host, variant: None, tunables: Vec::new() }
    }

    /// The variants that can be selected.
    pub(crate) fn variants(&self) -> &'static [Variant] {
        self.variants
    }

    /// The same, with this variant only.
    pub(crate) fn variant(&self, name: &str) -> Result<Selection> {
        let Some(variant) = self.variants.iter().find(|variant| variant.name == name) else {
            let available = self.variants.iter().map(|variant| &*variant.name).collect();
            return Err(Error::UnknownVariant { kernel: &self.spec.name, name: name.to_string(), available });
        };
        for &(tunable, value) in &self.tunables {
            self.accepts(variant, tunable, value)?;
        }
        Ok(Selection { variant: Some(variant), ..self.clone() })
    }

    /// The same with a tunable set. When no variant is selected, only variants that have all tunables which
    /// were set are used.
    pub(crate) fn with(&self, tunable: &str, value: i64) -> Result<Selection> {
        let all = self.variants.iter();
        let variants: Vec<&'static Variant> = match self.variant {
            Some(variant) => vec![variant],
            None => all.filter(|variant| variant.tunables.iter().any(|it| it.name == tunable)).collect(),
        };
        let mut refused = None;
        for variant in variants {
            match self.accepts(variant, tunable, value) {
                Ok(known) => {
                    let mut new = self.clone();
                    new.tunables.retain(|(name, _)| *name != known.name);
                    new.tunables.push((&known.name, value));
                    // Each may be fine by itself without any variant having all.
                    if new.variant.is_some() || self.variants.iter().any(|it| new.takes_all(it)) {
                        return Ok(new);
                    }
                }
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        Err(refused.unwrap_or_else(|| self.unknown_tunable(self.variant, tunable)))
    }

    /// The tunable of `variant`, if the variant has it and the value is legal.
    fn accepts(&self, variant: &'static Variant, name: &str, value: i64) -> Result<&'static Tunable> {
        let Some(tunable) = variant.tunables.iter().find(|tunable| tunable.name == name) else {
            return Err(self.unknown_tunable(Some(variant), name));
        };
        let (kernel, variant, min, max) = (&*self.spec.name, &*variant.name, tunable.min, tunable.max);
        if (min..=max).contains(&value) {
            Ok(tunable)
        } else {
            Err(Error::TunableOutOfRange { kernel, variant, name: &tunable.name, value, min, max })
        }
    }

    fn takes_all(&self, variant: &'static Variant) -> bool {
        self.tunables.iter().all(|&(name, value)| self.accepts(variant, name, value).is_ok())
    }

    fn unknown_tunable(&self, variant: Option<&'static Variant>, name: &str) -> Error {
        let mut available: Vec<&'static str> = Vec::new();
        let variants = self.variants.iter();
        for variant in variants.filter(|it| variant.is_none_or(|variant| variant.name == it.name)) {
            for tunable in variant.tunables.iter() {
                if !available.contains(&&*tunable.name) {
                    available.push(&*tunable.name);
                }
            }
        }
        let (kernel, variant) = (&*self.spec.name, variant.map(|variant| &*variant.name));
        Error::UnknownTunable { kernel, variant, name: name.to_string(), available }
    }

    /// The variants that may be launched, the preferred first. Naive comes before what is not in the device's
    /// order, and needs nothing that a device might lack.
    pub(crate) fn candidates(&self, is_gpu: bool) -> Vec<&'static Variant> {
        if let Some(variant) = self.variant {
            return vec![variant];
        }
        let order: &[Text] = match (self.is_host, is_gpu) {
            // They are in order.
            (true, _) => &[],
            (false, true) => &self.spec.gpu_order,
            (false, false) => &self.spec.cpu_order,
        };
        let named = order.iter().filter_map(|name| self.variants.iter().find(|it| it.name == *name));
        let mut candidates: Vec<&'static Variant> = Vec::new();
        for variant in named.chain(self.variants.iter()) {
            if self.takes_all(variant) && candidates.iter().all(|earlier| earlier.name != variant.name) {
                candidates.push(variant);
            }
        }
        candidates
    }

    /// The same for a launch at these sizes, with the values of their tunables: what tuning found on the device comes first, and variants that are for
    /// larger extents come last.
    pub(crate) fn candidates_for(&self, is_gpu: bool, device: &str, sizes: &[i64]) -> Vec<Candidate> {
        self.tuned(device, sizes).into_iter().chain(self.untuned_for(is_gpu, sizes)).collect()
    }

    /// The same, as if nobody had tuned.
    pub(crate) fn untuned_for(&self, is_gpu: bool, sizes: &[i64]) -> Vec<Candidate> {
        let pays = |(variant, values): &Candidate| variant.pays(sizes, values);
        let all = self.candidates(is_gpu).into_iter().map(|variant| (variant, self.values(variant)));
        let (first, last): (Vec<_>, Vec<_>) = all.partition(pays);
        [first, last].concat()
    }

    /// What tuning found on the device at the nearest sizes, unless something was selected.
    fn tuned(&self, device: &str, sizes: &[i64]) -> Option<Candidate> {
        let known = self.tuned_on(device).into_iter();
        let near = known.filter_map(|(tuned, found)| Some((tuned.distance(sizes)?, found)));
        near.min_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, found)| found)
    }

    /// All that tuning found on the device and that the kernel still has.
    pub(crate) fn tuned_on(&self, device: &str) -> Vec<(&'static Tuned, Candidate)> {
        if self.variant.is_some() || !self.tunables.is_empty() {
            return Vec::new();
        }
        let known = self.spec.tuned.iter().filter(|tuned| tuned.device == device);
        let found = known.filter_map(|tuned| {
            let variant = self.variants.iter().find(|it| it.name == tuned.variant)?;
            let set = tuned.tunables.iter().try_fold(self.clone(), |set, (name, value)| {
                set.accepts(variant, name, *value).ok().map(|tunable| {
                    let tunables = [set.tunables, vec![(&*tunable.name, *value)]].concat();
                    Selection { tunables, ..set }
                })
            })?;
            Some((tuned, (variant, set.values(variant))))
        });
        found.collect()
    }

    /// Why the first candidate comes first.
    pub(crate) fn reason(&self, is_gpu: bool) -> String {
        let kind = match (self.is_host, is_gpu) {
            (true, _) => "the CPU without OpenCL",
            (false, true) => "a GPU",
            (false, false) => "a CPU",
        };
        let set: Vec<String> =
            self.tunables.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        match (self.variant, set.as_slice()) {
            (Some(_), _) => "it was selected".to_string(),
            (None, []) if self.variants.len() == 1 => "there is no other".to_string(),
            (None, []) => format!("of all, it comes first on {kind}"),
            (None, set) => format!("of those that have {}, it comes first on {kind}", set.join(", ")),
        }
    }

    /// The values of a variant's tunables.
    pub(crate) fn values(&self, variant: &'static Variant) -> Vec<i64> {
        let value = |tunable: &Tunable| {
            let set = self.tunables.iter().find(|(name, _)| *name == tunable.name);
            set.map_or(tunable.default, |(_, value)| *value)
        };
        variant.tunables.iter().map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow::Borrowed;

    use super::*;
    use crate::spec::Size;

    #[test]
    fn versions_for_long_rows_come_last_where_rows_are_short() {
        const ROWS: Variant =
            Variant { name: Borrowed("rows"), least: Borrowed(&[(Size::Var(0), 128)]), ..Variant::NAIVE };
        static SPEC: KernelSpec = KernelSpec {
            variants: Borrowed(&[Variant::NAIVE, ROWS]),
            gpu_order: Borrowed(&[Borrowed("rows"), Borrowed("naive")]),
            ..KernelSpec::INVALID
        };
        let selection = Selection::new(&SPEC, false);
        let names = |selection: &Selection, n: i64| -> Vec<&str> {
            selection.candidates_for(true, "", &[n]).into_iter().map(|(variant, _)| &*variant.name).collect()
        };
        assert_eq!(names(&selection, 128), ["rows", "naive"]);
        assert_eq!(names(&selection, 127), ["naive", "rows"]);
        // What was selected is what runs.
        assert!(selection.variant("rows").is_ok_and(|rows| names(&rows, 127) == ["rows"]));
    }
    #[test]
    fn what_tuning_found_comes_first_at_such_sizes_on_that_device() {
        const fn tuned(
            device: &'static str,
            sizes: &'static [i64],
            variant: &'static str,
            tile: i64,
        ) -> Tuned {
            // A constant for each value, since lists are borrowed.
            let tunables: &'static [(Text, i64)] = match tile {
                8 => &[(Borrowed("TILE"), 8)],
                1000 => &[(Borrowed("TILE"), 1000)],
                _ => &[],
            };
            Tuned {
                device: Borrowed(device),
                sizes: Borrowed(sizes),
                variant: Borrowed(variant),
                tunables: Borrowed(tunables),
            }
        }
        const TILED: Variant = Variant {
            name: Borrowed("tiled"),
            tunables: Borrowed(&[Tunable { name: Borrowed("TILE"), default: 16, min: 1, max: 64 }]),
            ..Variant::NAIVE
        };
        static SPEC: KernelSpec = KernelSpec {
            variants: Borrowed(&[Variant::NAIVE, TILED]),
            gpu_order: Borrowed(&[Borrowed("tiled"), Borrowed("naive")]),
            tuned: Borrowed(&[
                tuned("A", &[100], "tiled", 8),
                tuned("A", &[400], "naive", 0),
                // The kernel has changed since.
                tuned("A", &[4000], "gone", 0),
                tuned("A", &[9000], "tiled", 1000),
            ]),
            ..KernelSpec::INVALID
        };
        let selection = Selection::new(&SPEC, false);
        let first = |selection: &Selection, device: &str, n: i64| {
            let (variant, values) = selection.candidates_for(true, device, &[n]).remove(0);
            (variant.name.to_string(), values)
        };
        let (tiled, naive) = (|tile: i64| ("tiled".to_string(), vec![tile]), ("naive".to_string(), vec![]));
        assert_eq!(first(&selection, "A", 100), tiled(8));
        assert_eq!(first(&selection, "A", 50), tiled(8));
        assert_eq!(first(&selection, "A", 199), tiled(8));
        assert_eq!(first(&selection, "A", 201), naive);
        assert_eq!(first(&selection, "A", 800), naive);
        for (device, n) in [("A", 49), ("A", 801), ("A", 4000), ("A", 9000), ("A", 0), ("B", 100)] {
            assert_eq!(first(&selection, device, n), tiled(16), "{device} {n}");
        }
        // What was selected is what runs.
        assert!(selection.variant("tiled").is_ok_and(|it| first(&it, "A", 400) == tiled(16)));
        assert!(selection.with("TILE", 32).is_ok_and(|it| first(&it, "A", 400) == tiled(32)));
    }
}
