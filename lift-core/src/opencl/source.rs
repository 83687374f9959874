//! The whole text of kernels that are launched together: macros, constant tables, helpers, and each kernel, perhaps with a
//! function for every kind of sizes.

use std::collections::{BTreeMap, BTreeSet};

use lift_spec::macros::{self, INDEX, SIZES_ARE_ARGUMENTS};

use crate::arith::ArithExpr;
use crate::imp::ast::{Kernel, Table};
use crate::imp::bounds::Widest;
use crate::ir::{Literal, Scalar, parallel};
use crate::memory::BufferId;
use crate::opencl::helpers::Helpers;
use crate::opencl::names::{self, Names};
use crate::opencl::print::{Printer, WIDTH};
use crate::opencl::type_name;

/// Kernels as text.
pub struct Printed {
    /// Complete OpenCL C.
    pub source: String,
    /// What each kernel function does with memory.
    pub plan: String,
    /// Upper bounds of all that is computed in `index_t`.
    pub widest: Vec<ArithExpr>,
    /// The functions of which there are several, and what chooses between them.
    pub cases: Vec<Case>,
    /// Whether sizes may be arguments of the functions.
    pub takes_sizes: bool,
}

/// A kernel function of which there are several, for different sizes.
#[derive(Debug, Clone)]
pub struct Case {
    /// The macro that says which one to compile: the number of the first whose sizes fit, counted from 1, or 0.
    pub define: String,
    /// What must be multiples of what numbers, for each but the last one.
    pub multiples: Vec<Vec<(ArithExpr, i64)>>,
}

/// A function that is to be printed.
struct Function<'a> {
    kernel: &'a Kernel,
    /// For which sizes it is.
    multiples: &'a [(ArithExpr, i64)],
    names: Names,
}

/// A function that was printed.
struct Done {
    condition: String,
    text: String,
    plan: String,
    widest: Widest,
    takes_sizes: bool,
    /// The names of the sizes and tunables.
    macros: Vec<String>,
    helpers: Helpers,
}

/// The complete text of kernels that are launched together; the same kernels always give the same text.
pub fn print(title: &str, kernels: &[Kernel]) -> Printed {
    let mut outside: BTreeSet<String> = kernels.iter().map(|kernel| names::entry(&kernel.name)).collect();
    let mut tables = Tables::default();
    let mut functions = Vec::new();
    for kernel in kernels {
        let aligned = kernel.aligned.iter().map(|aligned| (&aligned.kernel, aligned.multiples.as_slice()));
        for (kernel, multiples) in aligned.chain([(kernel, [].as_slice())]) {
            let names = Names::of(kernel, outside.clone(), tables.known(kernel));
            tables.define(kernel, &names, &mut outside);
            functions.push(Function { kernel, multiples, names });
        }
    }
    let mut texts = parallel::map(functions, Function::print).into_iter();
    let (mut macros, mut helpers, mut plan) = (Vec::new(), Helpers::default(), String::new());
    let mut widest = Widest::default();
    let (mut functions, mut cases, mut takes_sizes) = (Vec::new(), Vec::<Case>::new(), true);
    for kernel in kernels {
        let choices: Vec<Done> = texts.by_ref().take(kernel.aligned.len() + 1).collect();
        let define = macros::case(cases.len() + 1);
        functions.push(chosen(&choices, &define));
        if !kernel.aligned.is_empty() {
            let multiples = kernel.aligned.iter().map(|aligned| aligned.multiples.clone()).collect();
            cases.push(Case { define, multiples });
        }
        for text in choices {
            takes_sizes &= text.takes_sizes;
            plan.push_str(&text.plan);
            widest.add(text.widest);
            for name in text.macros {
                if !macros.contains(&name) {
                    macros.push(name);
                }
            }
            helpers.add(text.helpers);
        }
    }
    let sizes = kernels.first().map(|kernel| names::defines(&kernel.sizes)).unwrap_or_default();
    let (header, constants) = (header(title, &macros, &sizes, kernels), tables.text);
    let source = format!("{header}{constants}{}{}", helpers.text(), functions.join("\n"));
    Printed { source, plan, widest: widest.into_bounds(), cases, takes_sizes }
}

impl Function<'_> {
    fn print(self) -> Done {
        let Function { kernel, multiples, names } = self;
        let mut printer = Printer::new(kernel, names);
        let entry = names::entry(&kernel.name);
        printer.function(&entry);
        let condition = printer.multiples(multiples);
        let plan = printer.plan(&entry, &condition);
        let takes_sizes = !printer.declares_by_size();
        let macros = kernel.sizes.iter().chain(&kernel.tunables);
        let macros = macros.map(|var| printer.names.var(var.id()).to_string()).collect();
        let widest = Widest::of(&printer.forms);
        Done { condition, plan, widest, takes_sizes, macros, text: printer.text, helpers: printer.helpers }
    }
}

/// The text whose number a macro is; the last one is that of 0.
fn chosen(choices: &[Done], define: &str) -> String {
    let [several @ .., any] = choices else { return String::new() };
    if several.is_empty() {
        return any.text.clone();
    }
    let mut text = String::new();
    for (i, choice) in several.iter().enumerate() {
        let start = if i == 0 { "#if" } else { "#elif" };
        text.push_str(&format!("{start} {define} == {} // {}\n{}", i + 1, choice.condition, choice.text));
    }
    text + "#else\n" + &any.text + "#endif\n"
}

fn header(title: &str, macros: &[String], sizes: &[String], kernels: &[Kernel]) -> String {
    let arguments: String = sizes.iter().map(|size| format!(", const {INDEX} {size}")).collect();
    let arguments = match sizes {
        [] => String::new(),
        _ => format!(
            "#ifdef {SIZES_ARE_ARGUMENTS}\n#define LIFT_SIZES {arguments}\n#else\n#define LIFT_SIZES\n#endif\n"
        ),
    };
    let defined = match macros {
        [] => String::new(),
        macros => format!("// Define {} as numbers of that type.\n", macros.join(", ")),
    };
    let extensions: String = [(Scalar::F64, "cl_khr_fp64"), (Scalar::F16, "cl_khr_fp16")]
        .into_iter()
        .filter(|(scalar, _)| kernels.iter().any(|kernel| kernel.uses(*scalar)))
        .map(|(_, extension)| format!("#pragma OPENCL EXTENSION {extension} : enable\n\n"))
        .collect();
    let floats = [Scalar::F32, Scalar::F64, Scalar::F16];
    let contraction = match floats.iter().any(|scalar| kernels.iter().any(|kernel| kernel.uses(*scalar))) {
        true => "#pragma OPENCL FP_CONTRACT OFF\n\n",
        false => "",
    };
    format!(
        "// {title}\n//\n// Define {INDEX} as long if int is too narrow for indices.\n{defined}\n{extensions}{contraction}\
         {arguments}#ifndef {INDEX}\n#define {INDEX} int\n#endif\n\n",
    )
}

/// Arrays that are part of the program; the same array is printed once.
#[derive(Default)]
struct Tables {
    /// Their names, by what makes a table the same as another.
    names: BTreeMap<String, String>,
    text: String,
}

impl Tables {
    /// The tables of a kernel that have names already.
    fn known(&self, kernel: &Kernel) -> BTreeMap<BufferId, String> {
        let known = |table: &Table| Some((table.buffer, self.names.get(&key(kernel, table))?.clone()));
        kernel.tables.iter().filter_map(known).collect()
    }

    /// Prints the tables of a kernel that are new.
    fn define(&mut self, kernel: &Kernel, names: &Names, outside: &mut BTreeSet<String>) {
        for table in &kernel.tables {
            let name = names.array(table.buffer);
            if outside.insert(name.to_string()) {
                self.names.insert(key(kernel, table), name.to_string());
                self.text.push_str(&definition(kernel, table, name));
            }
        }
    }
}

/// What makes a table the same as another.
fn key(kernel: &Kernel, table: &Table) -> String {
    let buffer = kernel.buffer(table.buffer);
    format!("{:?} {:?} {:?} {}", buffer.scalar, buffer.dims, table.elements, buffer.name)
}

fn definition(kernel: &Kernel, table: &Table, name: &str) -> String {
    let buffer = kernel.buffer(table.buffer);
    let dims: Vec<i64> = buffer.dims.iter().filter_map(ArithExpr::as_const).collect();
    let extents: String = dims.iter().map(|n| format!("[{n}]")).collect();
    let start = format!("constant {} {}{extents} = ", type_name(buffer.scalar), name);
    let values = braces(&dims, &table.elements);
    if start.len() + values.len() < WIDTH {
        return format!("{start}{values};\n\n");
    }
    let inside = values.strip_prefix('{').and_then(|v| v.strip_suffix('}')).unwrap_or(&values);
    let mut text = format!("{start}{{");
    let mut width = WIDTH;
    for part in inside.split(", ") {
        if width + part.len() + 2 > WIDTH {
            text.push_str("\n    ");
            width = 4;
        } else {
            text.push(' ');
            width += 1;
        }
        text.push_str(part);
        text.push(',');
        width += part.len() + 1;
    }
    format!("{text}\n}};\n\n")
}

/// Initialisers with one pair of braces for each dimension.
fn braces(dims: &[i64], elements: &[Literal]) -> String {
    let parts: Vec<String> = match dims {
        [] | [_] => elements.iter().map(|x| super::expr::literal_text(*x).text).collect(),
        [n, inner @ ..] => {
            let rows = usize::try_from(*n).unwrap_or(1).max(1);
            elements.chunks(elements.len() / rows).map(|row| braces(inner, row)).collect()
        }
    };
    format!("{{{}}}", parts.join(", "))
}
