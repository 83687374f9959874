//! The size variables of a launch, from the extents of its arguments.
//!
//! Solving goes from certain to derived. First every extent that is a variable alone binds it; then an extent
//! that is linear in one unbound variable, such as `2 * R + 1`, is solved for it; and so on until nothing
//! changes. Whatever is bound is then compared with every extent, so that all contradictions are reported at
//! once, each against the parameter that came first.

use crate::array::elements;
use crate::error::{Binding, Error, Expected, Mismatch, Result};
use crate::spec::{Access, Env, Fact, Fault, KernelSpec, Output, Param, ScalarType, Size, Text};

/// The extents of one argument, and what its elements are. A scalar has no extents.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ArgShape<'a> {
    pub(crate) elem: ScalarType,
    pub(crate) extents: Option<&'a [usize]>,
    /// Whether the kernel may change it.
    pub(crate) is_mut: bool,
}

impl<'a> ArgShape<'a> {
    pub(crate) fn array(elem: ScalarType, extents: &'a [usize]) -> ArgShape<'a> {
        ArgShape { elem, extents: Some(extents), is_mut: false }
    }

    pub(crate) fn scalar(elem: ScalarType) -> ArgShape<'a> {
        ArgShape { elem, extents: None, is_mut: false }
    }
}

/// The sizes of one launch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sizes {
    /// Values of [`KernelSpec::sizes`].
    pub(crate) values: Vec<i64>,
    /// The extents of every leaf of the result.
    pub(crate) results: Vec<Vec<usize>>,
}

/// A partial solution.
struct Solver<'a> {
    spec: &'static KernelSpec,
    args: &'a [ArgShape<'a>],
    values: Vec<Option<i64>>,
    /// For each variable, the parameter that bound it.
    from: Vec<Option<usize>>,
    /// Extents (parameter, dimension) for which no value of the variable will do.
    failed: Vec<(usize, usize, usize)>,
}

/// Binds the size variables, compares all extents, checks all facts, and computes the extents of the result.
///
/// `outs` are the arrays that the caller has for the leaves of the result, if there are any already.
pub(crate) fn solve(
    spec: &'static KernelSpec,
    args: &[ArgShape<'_>],
    outs: Option<&[ArgShape<'_>]>,
) -> Result<Sizes> {
    check_arguments(spec, args)?;
    outs.map_or(Ok(()), |outs| check_outputs(spec, outs))?;
    let (values, from) = (vec![None; spec.sizes.len()], vec![None; spec.sizes.len()]);
    let mut solver = Solver { spec, args, values, from, failed: Vec::new() };
    while solver.bind_plain() || solver.bind_linear() {}
    solver.compare(outs.unwrap_or(&[]))?;
    let values = solver.values.iter().zip(spec.sizes.iter()).map(|(value, size)| {
        let unknown = || {
            let (what, problem) = (format!("the size `{}`", size.name), Fault::Unbound.problem().to_string());
            Error::Size { kernel: &spec.name, what, problem }
        };
        value.ok_or_else(unknown)
    });
    let values = values.collect::<Result<Vec<i64>>>()?;
    solver.check_facts()?;
    let results = spec.results.iter().map(|result| solver.result(result)).collect::<Result<Vec<_>>>()?;
    solver.check_empty(&results)?;
    Ok(Sizes { values, results })
}

/// Number, element types and ranks, which typed launchers get right.
fn check_arguments(spec: &'static KernelSpec, args: &[ArgShape<'_>]) -> Result<()> {
    let wrong = |problem: String| Err(Error::Arguments { kernel: &spec.name, problem });
    if args.len() != spec.params.len() {
        return wrong(format!("{} arguments were passed, but it takes {}", args.len(), spec.params.len()));
    }
    for (param, arg) in spec.params.iter().zip(args) {
        let rank = arg.extents.map_or(0, <[usize]>::len);
        let is_scalar = arg.extents.is_none();
        if arg.elem != param.elem || rank != param.dims.len() || is_scalar != param.dims.is_empty() {
            let (name, ty) = (&*param.name, type_of(param.elem, &param.shown));
            let found = if is_scalar {
                format!("a scalar {}", arg.elem)
            } else {
                format!("an array of rank {rank} of {}", arg.elem)
            };
            return wrong(format!("`{name}` is {ty}, but {found} was passed"));
        }
        if param.access == Access::Update && !arg.is_mut {
            return wrong(format!("`{}` is updated, but was not passed for that", param.name));
        }
    }
    Ok(())
}

/// Whether an argument that replaces an earlier one is of the same type and extents.
pub(crate) fn check_again(
    spec: &'static KernelSpec,
    param: &'static Param,
    extents: Option<&[usize]>,
    arg: &ArgShape<'_>,
) -> Result<()> {
    if arg.elem == param.elem && arg.extents == extents {
        return Ok(());
    }
    let shown = |elem, extents: Option<&[usize]>| match extents {
        Some(extents) => format!("{} of {elem}", crate::message::by(extents)),
        None => format!("a scalar {elem}"),
    };
    let (name, was, is) = (&*param.name, shown(param.elem, extents), shown(arg.elem, arg.extents));
    let problem = format!("`{name}` was {was} at the start, but is to become {is}");
    Err(Error::Arguments { kernel: &spec.name, problem })
}

fn check_outputs(spec: &'static KernelSpec, outs: &[ArgShape<'_>]) -> Result<()> {
    let wrong = |problem: String| Err(Error::Arguments { kernel: &spec.name, problem });
    if outs.len() != spec.results.len() {
        let (found, expected) = (outs.len(), spec.results.len());
        return wrong(format!("{found} arrays were passed for the result, but it has {expected}"));
    }
    for (result, out) in spec.results.iter().zip(outs) {
        check_result(spec, result, out.elem, out.extents.map_or(0, <[usize]>::len))?;
    }
    Ok(())
}

/// Whether a leaf of the result is made of `elem` and has `rank` dimensions.
pub(crate) fn check_result(
    spec: &'static KernelSpec,
    result: &Output,
    elem: ScalarType,
    rank: usize,
) -> Result<()> {
    let its = if spec.results.len() == 1 { "its result".to_string() } else { format!("`{}`", result.name) };
    let problem = if elem != result.elem {
        format!("{its} is made of {}, but {elem} was asked for", result.elem)
    } else if rank != result.dims.len() {
        format!("{its} has rank {}, but rank {rank} was asked for", result.dims.len())
    } else {
        return Ok(());
    };
    Err(Error::Arguments { kernel: &spec.name, problem })
}

fn texts(list: &'static [Text]) -> Vec<&'static str> {
    list.iter().map(|text| &**text).collect()
}

/// `[[f32; W]; H]`
fn type_of(elem: ScalarType, shown: &[Text]) -> String {
    shown.iter().rev().fold(elem.to_string(), |inner, extent| format!("[{inner}; {extent}]"))
}

impl Solver<'_> {
    fn env(&self) -> Env<'_> {
        Env { sizes: &self.values, tunables: &[] }
    }

    /// All extents of all parameters: parameter, dimension, its size, what was found.
    fn extents(&self) -> Vec<(usize, usize, &'static Size, i64)> {
        let mut all = Vec::new();
        for (position, (param, arg)) in self.spec.params.iter().zip(self.args).enumerate() {
            for (dimension, (size, found)) in param.dims.iter().zip(arg.extents.unwrap_or(&[])).enumerate() {
                // No array in memory has an extent beyond i64, except one without elements.
                all.push((position, dimension, size, i64::try_from(*found).unwrap_or(i64::MAX)));
            }
        }
        all
    }

    fn bind(&mut self, variable: usize, value: i64, param: usize) {
        if let (Some(slot), Some(from)) = (self.values.get_mut(variable), self.from.get_mut(variable)) {
            (*slot, *from) = (Some(value), Some(param));
        }
    }

    fn is_unbound(&self, variable: usize) -> bool {
        self.values.get(variable).is_some_and(Option::is_none)
    }

    /// Binds all variables that are extents by themselves.
    fn bind_plain(&mut self) -> bool {
        let mut progress = false;
        for (param, _, size, found) in self.extents() {
            if let Size::Var(variable) = size
                && self.is_unbound(*variable)
            {
                self.bind(*variable, found, param);
                progress = true;
            }
        }
        progress
    }

    /// Binds the first variable that a linear extent determines.
    fn bind_linear(&mut self) -> bool {
        for (param, dimension, size, found) in self.extents() {
            let mut unbound = Vec::new();
            size.variables(&mut unbound);
            unbound.retain(|variable| self.is_unbound(*variable));
            let &[variable] = unbound.as_slice() else { continue };
            let key = (param, dimension, variable);
            if !size.is_linear_in(variable) || self.failed.contains(&key) {
                continue;
            }
            match self.solve_linear(size, variable, found) {
                Some(value) => {
                    self.bind(variable, value, param);
                    return true;
                }
                None => self.failed.push(key),
            }
        }
        false
    }

    /// The value of at least zero with which the linear `size` equals `found`.
    fn solve_linear(&mut self, size: &Size, variable: usize, found: i64) -> Option<i64> {
        let mut at = |value: i64| {
            let slot = self.values.get_mut(variable)?;
            *slot = Some(value);
            let result = Env { sizes: &self.values, tunables: &[] }.wide(size).ok();
            self.values[variable] = None;
            result
        };
        // A straight line is known by two of its points.
        let (start, next) = (at(0)?, at(1)?);
        let slope = next.checked_sub(start)?;
        let rise = i128::from(found).checked_sub(start)?;
        if rise.checked_rem(slope)? != 0 {
            return None;
        }
        i64::try_from(rise.checked_div(slope)?).ok().filter(|value| *value >= 0)
    }

    /// Reports every argument, and every array for the result, whose extents are not those of its type.
    fn compare(&self, outs: &[ArgShape<'_>]) -> Result<()> {
        let mut mismatches = Vec::new();
        for (position, (param, arg)) in self.spec.params.iter().zip(self.args).enumerate() {
            let Some(found) = arg.extents else { continue };
            let unsolved = self
                .failed
                .iter()
                .find(|(param, _, variable)| *param == position && self.is_unbound(*variable));
            let expected = match unsolved {
                Some((_, dimension, variable)) => {
                    let size = self.spec.sizes.get(*variable).map_or("?", |size| &*size.name);
                    Expected::NoSolution { dimension: *dimension, size }
                }
                None => match self.values_of(&param.dims, &param.name)? {
                    Some(extents) if !agree(&extents, found) => Expected::Extents(extents),
                    _ => continue,
                },
            };
            let ty = type_of(param.elem, &param.shown);
            let (shown, sizes) = (texts(&param.shown), self.bindings(&param.dims));
            let (argument, found) = (&*param.name, found.to_vec());
            mismatches.push(Mismatch { argument, is_result: false, found, expected, ty, shown, sizes });
        }
        for (result, found) in self.spec.results.iter().zip(outs) {
            let found = found.extents.unwrap_or(&[]);
            // A negative extent is the fault of the sizes, and is reported as such.
            let extents = self.extents_of(result)?;
            if let Some(extents) = extents.filter(|extents| extents.iter().all(|extent| *extent >= 0))
                && !agree(&extents, found)
            {
                let (expected, ty) = (Expected::Extents(extents), type_of(result.elem, &result.shown));
                let (shown, sizes) = (texts(&result.shown), self.bindings(&result.dims));
                let (argument, found) = (&*result.name, found.to_vec());
                mismatches.push(Mismatch { argument, is_result: true, found, expected, ty, shown, sizes });
            }
        }
        if mismatches.is_empty() {
            return Ok(());
        }
        let arrays = self.args.iter().filter(|arg| arg.extents.is_some()).count();
        let arguments = arrays + outs.len();
        Err(Error::Shapes { kernel: &self.spec.name, arguments, mismatches })
    }

    /// The values of `dims`, unless they mention a variable that is unbound.
    fn values_of(&self, dims: &[Size], owner: &str) -> Result<Option<Vec<i64>>> {
        let mut values = Vec::with_capacity(dims.len());
        for size in dims {
            match self.env().eval(size) {
                Ok(value) => values.push(value),
                Err(Fault::Unbound) => return Ok(None),
                Err(fault @ (Fault::Overflow | Fault::DivisionByZero)) => {
                    let (what, problem) = (format!("an extent of {owner}"), fault.problem().to_string());
                    return Err(Error::Size { kernel: &self.spec.name, what, problem });
                }
            }
        }
        Ok(Some(values))
    }

    /// The bound variables in `dims` with their values and origins, in order of appearance.
    fn bindings(&self, dims: &[Size]) -> Vec<Binding> {
        let mut found = Vec::new();
        // Innermost last in the type, but users write and read rows first.
        dims.iter().for_each(|size| size.variables(&mut found));
        let binding = |variable: usize| {
            let size = &self.spec.sizes.get(variable)?.name;
            let from = self.from.get(variable).copied().flatten()?;
            let (value, from) =
                (self.values.get(variable).copied().flatten()?, &self.spec.params.get(from)?.name);
            Some(Binding { size, value, from })
        };
        found.into_iter().filter_map(binding).collect()
    }

    fn check_facts(&self) -> Result<()> {
        let env = self.env();
        for check in self.spec.checks.iter() {
            let (Fact::Equal(left, right) | Fact::AtMost(left, right) | Fact::MultipleOf(left, right)) =
                &check.fact;
            let value = |size: &Size| {
                env.eval(size).map_err(|fault| {
                    let message = check.message.replace("{left}", "?").replace("{right}", "?");
                    let message = message.replace("{sizes}", &self.sizes_in(&check.fact));
                    let message = format!("{message} (a size in it {})", fault.problem());
                    Error::Check { kernel: &self.spec.name, message }
                })
            };
            let (left, right) = (value(left)?, value(right)?);
            let holds = match check.fact {
                Fact::Equal(..) => left == right,
                Fact::AtMost(..) => left <= right,
                Fact::MultipleOf(..) if right == 0 => left == 0,
                Fact::MultipleOf(..) => left.checked_rem(right).unwrap_or(0) == 0,
            };
            if !holds {
                let message = check.message.replace("{left}", &left.to_string());
                let message = message.replace("{right}", &right.to_string());
                let message = message.replace("{sizes}", &self.sizes_in(&check.fact));
                return Err(Error::Check { kernel: &self.spec.name, message });
            }
        }
        Ok(())
    }

    /// ` (W = 100)`: the values of the variables in a fact, but for those that are a side of it.
    fn sizes_in(&self, fact: &Fact) -> String {
        let (Fact::Equal(left, right) | Fact::AtMost(left, right) | Fact::MultipleOf(left, right)) = fact;
        let mut found = Vec::new();
        for side in [left, right] {
            if !matches!(side, Size::Var(_)) {
                side.variables(&mut found);
            }
        }
        let value = |variable: &usize| {
            let (size, value) =
                (self.spec.sizes.get(*variable)?, self.values.get(*variable).copied().flatten()?);
            Some(format!("{} = {value}", size.name))
        };
        match found.iter().filter_map(value).collect::<Vec<_>>().join(", ").as_str() {
            "" => String::new(),
            values => format!(" ({values})"),
        }
    }

    /// The extents of a leaf of the result. One below 0 is 0 if nothing is written at all: there is no window in an array that is
    /// shorter than one.
    fn extents_of(&self, result: &Output) -> Result<Option<Vec<i64>>> {
        let extents = self.values_of(&result.dims, "the result")?;
        if extents.as_ref().is_none_or(|extents| extents.iter().all(|extent| *extent >= 0)) {
            return Ok(extents);
        }
        let mut updated = self.updated();
        let mut is_nothing = updated.all(|extents| extents.contains(&0));
        for result in self.spec.results.iter() {
            let extents = self.values_of(&result.dims, "the result")?;
            is_nothing &= extents.is_none_or(|extents| extents.iter().any(|extent| *extent <= 0));
        }
        Ok(extents.map(|extents| match is_nothing {
            true => extents.into_iter().map(|extent| extent.max(0)).collect(),
            false => extents,
        }))
    }

    /// The extents of all arguments that the kernel updates.
    fn updated(&self) -> impl Iterator<Item = &[usize]> {
        let args = self.spec.params.iter().zip(self.args);
        args.filter(|(param, _)| param.access == Access::Update).filter_map(|(_, arg)| arg.extents)
    }

    fn result(&self, result: &Output) -> Result<Vec<usize>> {
        let values = self.extents_of(result)?.unwrap_or_default();
        let mut extents = Vec::with_capacity(values.len());
        for (value, shown) in values.iter().zip(result.shown.iter()) {
            let Ok(extent) = usize::try_from(*value) else {
                let what = "the result".to_string();
                let from = self
                    .bindings(&result.dims)
                    .iter()
                    .map(|it| format!("{} = {}", it.size, it.value))
                    .collect::<Vec<_>>()
                    .join(", ");
                let problem = format!("would have {shown} = {value} elements, with {from}");
                return Err(Error::Size { kernel: &self.spec.name, what, problem });
            };
            extents.push(extent);
        }
        elements(&extents)?;
        Ok(extents)
    }

    /// Every size is at least 1, unless nothing is written at all: kernels are proved right for these.
    fn check_empty(&self, results: &[Vec<usize>]) -> Result<()> {
        let mut written = results.iter().map(Vec::as_slice).chain(self.updated());
        if written.all(|extents| extents.contains(&0)) {
            return Ok(());
        }
        let zero = self.values.iter().position(|value| *value == Some(0));
        let Some((size, from)) =
            zero.and_then(|zero| Some((self.spec.sizes.get(zero)?, self.from.get(zero)?)))
        else {
            return Ok(());
        };
        let (kernel, size) = (&*self.spec.name, &*size.name);
        let (param, arg) = from.and_then(|from| self.spec.params.iter().zip(self.args).nth(from)).unzip();
        let argument = param.map_or("", |param| &*param.name);
        if arg.and_then(|arg| arg.extents).is_some_and(|extents| extents.contains(&0)) {
            return Err(Error::Empty { kernel, argument, size: Some(size) });
        }
        let message = format!("{size} must be at least 1, but `{argument}` is so short that it is 0");
        Err(Error::Check { kernel, message })
    }
}

fn agree(expected: &[i64], found: &[usize]) -> bool {
    expected.len() == found.len()
        && expected.iter().zip(found).all(|(expected, found)| usize::try_from(*expected) == Ok(*found))
}
