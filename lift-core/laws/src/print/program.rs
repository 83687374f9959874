//! Programs as text, for people: what is launched, on what, in which order.

use std::fmt;

use lift_core::program::schedule::{Count, Slot};
use lift_core::program::{Program, Step};

use crate::print::Shown;

impl fmt::Display for Shown<'_, Program> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.0;
        for (i, temporary) in program.temporaries.iter().enumerate() {
            let start = temporary.scalar.to_string();
            let ty = temporary.dims.iter().rev().fold(start, |ty, n| format!("[{ty}; {n}]"));
            writeln!(f, "{}: {ty}", slot(&Slot::Temporary(i)))?;
        }
        steps(program, &program.steps, 0, f)?;
        for stage in &program.stages {
            let params: Vec<String> = stage.params.iter().map(|p| format!("{}: {}", p.name, p.ty)).collect();
            writeln!(f, "\n{}({}) -> {} =", stage.name, params.join(", "), stage.body.ty())?;
            writeln!(f, "    {}", stage.body.to_string().replace('\n', "\n    "))?;
        }
        Ok(())
    }
}

fn steps(program: &Program, all: &[Step], indent: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let pad = "    ".repeat(indent);
    for step in all {
        match step {
            Step::Launch(launch) => {
                let list = |slots: &[Slot]| slots.iter().map(slot).collect::<Vec<_>>().join(", ");
                let name = &program.stages[launch.stage].name;
                writeln!(f, "{pad}{} = {name}({})", list(&launch.outputs), list(&launch.inputs))?;
            }
            Step::Repeat(count, inner) => {
                match count {
                    Count::Size(n) => writeln!(f, "{pad}repeat {n} times")?,
                    Count::Param(leaf) => writeln!(f, "{pad}repeat {} times", slot(&Slot::Param(*leaf)))?,
                    Count::Whole(leaf, n) => {
                        writeln!(f, "{pad}repeat {} / {n} times", slot(&Slot::Param(*leaf)))?
                    }
                    Count::Rest(leaf, n) => {
                        writeln!(f, "{pad}repeat {} % {n} times", slot(&Slot::Param(*leaf)))?
                    }
                }
                steps(program, inner, indent + 1, f)?;
            }
            Step::Leave(id) => writeln!(f, "{pad}leave if {}", slot(&Slot::Temporary(*id)))?,
            Step::Swap(a, b) => {
                writeln!(f, "{pad}swap {}, {}", slot(&Slot::Temporary(*a)), slot(&Slot::Temporary(*b)))?;
            }
        }
    }
    Ok(())
}

fn slot(slot: &Slot) -> String {
    match slot {
        Slot::Param(i) => format!("param{i}"),
        Slot::Result(i) => format!("result{i}"),
        Slot::Temporary(i) => format!("temp{i}"),
        Slot::Status => "status".to_string(),
        Slot::Claims(i) => format!("claims{i}"),
    }
}
