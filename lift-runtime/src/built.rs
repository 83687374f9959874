//! Functions that a device can run.

#[cfg(feature = "opencl")]
use std::sync::Mutex;

#[cfg(feature = "opencl")]
use crate::backend::opencl;
use crate::error::{Error, Result};
use crate::host;
use crate::spec::{KernelSpec, Operation, Variant};

/// What is checked of indices that come from the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Checks {
    /// Whether they are in range.
    pub(crate) range: bool,
    /// Whether those are distinct to which elements are scattered.
    pub(crate) duplicates: bool,
}

impl Default for Checks {
    fn default() -> Checks {
        Checks { range: true, duplicates: false }
    }
}

/// A variant that can be launched.
pub(crate) struct Built {
    /// Its kernel functions, each once.
    pub(crate) entries: Vec<(&'static str, Entry)>,
}

/// A kernel function that can be launched.
pub(crate) struct Entry {
    pub(crate) code: Code,
    /// How many work-items one group may have with this function.
    pub(crate) max_work_group_size: usize,
}

/// What is run.
pub(crate) enum Code {
    /// Setting arguments and launching is one step: two threads must not mix theirs.
    #[cfg(feature = "opencl")]
    OpenCl(Mutex<opencl::Kernel>),
    Host(&'static host::Entry),
}

impl Built {
    /// A variant that is compiled to Rust: its functions are among these.
    pub(crate) fn of_functions(
        spec: &'static KernelSpec,
        variant: &'static Variant,
        functions: &'static [host::Entry],
    ) -> Result<Built> {
        let entry = |name: &'static str| match functions.iter().find(|function| function.name == name) {
            Some(function) => Ok((name, Entry { code: Code::Host(function), max_work_group_size: 1 })),
            None => {
                let problem = format!("function `{name}` of variant `{}` does not exist", variant.name);
                Err(Error::Malformed { kernel: &spec.name, problem })
            }
        };
        Ok(Built { entries: entries(variant).into_iter().map(entry).collect::<Result<_>>()? })
    }

    /// The function of this name.
    pub(crate) fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|(entry, _)| *entry == name).map(|(_, entry)| entry)
    }
}

/// The functions that a variant launches, each once.
pub(crate) fn entries(variant: &'static Variant) -> Vec<&'static str> {
    let mut names = Vec::new();
    add_entries(&variant.operations, &mut names);
    names
}

fn add_entries(operations: &'static [Operation], names: &mut Vec<&'static str>) {
    for operation in operations {
        match operation {
            Operation::Launch(launch) if names.contains(&&*launch.entry) => {}
            Operation::Launch(launch) => names.push(&launch.entry),
            Operation::Repeat(_, operations) => add_entries(operations, names),
            Operation::Leave(_) | Operation::Swap(..) => {}
        }
    }
}
