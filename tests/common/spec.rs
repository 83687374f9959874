//! A compiled kernel as the runtime's data, made while the test runs instead of while it is compiled.

use lift::spec;
use lift_core::arith::{ArithExpr, Facts, Form, Var};
use lift_core::ir::{Relation, Scalar, Type};
use lift_core::low::Geometry;
use lift_core::pipeline::Compiled;

/// The specification, which lives as long as the test process.
pub fn leak(compiled: &Compiled) -> &'static spec::KernelSpec {
    let kernel = &compiled.kernel;
    let names = Names { sizes: &kernel.sizes, tunables: &[], facts: &kernel.facts };
    let unchecked = kernel.unchecked_facts();
    let plain = Names { facts: &unchecked, ..names };
    let params = kernel.params.iter().map(|p| {
        let (elem, dims, shown) = names.data(&p.ty);
        spec::Param { name: text(&p.name), elem, dims, shown }
    });
    let (elem, dims, shown) = names.data(kernel.body.ty());
    let checks = kernel.checks.iter().map(|c| {
        let (left, right) = (plain.size(&c.left), plain.size(&c.right));
        let fact = match c.relation {
            Relation::Equal => spec::Fact::Equal(left, right),
            Relation::AtMost => spec::Fact::AtMost(left, right),
        };
        spec::Check { fact, message: text(&c.message) }
    });
    let variants = compiled.versions.iter().map(|version| {
        let (variant, generated) = (version, &version.generated);
        let launches = generated.schedule.launches();
        let [launch] = launches.as_slice() else { panic!("one launch") };
        let tunables: Vec<Var> = variant.tunables.iter().map(|t| t.var.clone()).collect();
        let names = Names { tunables: &tunables, facts: &variant.facts, ..names };
        spec::Variant {
            name: variant.name,
            source: text(&generated.source),
            entry: text(&launch.entry),
            tunables: slice(variant.tunables.iter().map(|t| spec::Tunable {
                name: text(t.var.name()),
                default: t.default,
                min: t.min,
                max: t.max,
            })),
            geometry: match &launch.geometry {
                Geometry::Items(items) => spec::Geometry::Items(names.list(items)),
                Geometry::Groups { groups, local } => {
                    spec::Geometry::Groups { groups: names.list(groups), local: names.list(local) }
                }
            },
            local_bytes: names.size(&launch.local_bytes),
            derivation: &[],
        }
    });
    Box::leak(Box::new(spec::KernelSpec {
        name: text(&kernel.name),
        ty: text(&kernel.type_text()),
        sizes: slice(
            kernel
                .sizes
                .iter()
                .zip(&compiled.defines)
                .map(|(size, define)| spec::SizeVar { name: text(size.name()), define: text(define) }),
        ),
        params: slice(params),
        result: spec::Output { elem, dims, shown },
        checks: slice(checks),
        needs: slice(kernel.optional_scalars().into_iter().map(scalar)),
        variants: slice(variants),
        gpu_order: slice(compiled.gpu_order.iter().copied()),
        cpu_order: slice(compiled.cpu_order.iter().copied()),
    }))
}

fn scalar(scalar: Scalar) -> spec::ScalarType {
    match scalar {
        Scalar::F32 => spec::ScalarType::F32,
        Scalar::F64 => spec::ScalarType::F64,
        Scalar::F16 => spec::ScalarType::F16,
        Scalar::I8 => spec::ScalarType::I8,
        Scalar::I16 => spec::ScalarType::I16,
        Scalar::I32 => spec::ScalarType::I32,
        Scalar::I64 => spec::ScalarType::I64,
        Scalar::U8 => spec::ScalarType::U8,
        Scalar::U16 => spec::ScalarType::U16,
        Scalar::U32 => spec::ScalarType::U32,
        Scalar::U64 => spec::ScalarType::U64,
        Scalar::Bool => spec::ScalarType::Bool,
        Scalar::Usize => spec::ScalarType::Usize,
    }
}

fn text(text: &str) -> &'static str {
    Box::leak(text.to_string().into_boxed_str())
}

fn slice<T>(items: impl Iterator<Item = T>) -> &'static [T] {
    Box::leak(items.collect())
}

#[derive(Clone, Copy)]
struct Names<'a> {
    sizes: &'a [Var],
    tunables: &'a [Var],
    facts: &'a Facts,
}

impl Names<'_> {
    fn data(&self, ty: &Type) -> (spec::ScalarType, &'static [spec::Size], &'static [&'static str]) {
        let (dims, elem) = ty.shape();
        let elem = scalar(elem.as_scalar().expect("a scalar element"));
        (elem, self.list(&dims), slice(dims.iter().map(|d| text(&d.to_string()))))
    }

    fn list(&self, sizes: &[ArithExpr]) -> &'static [spec::Size] {
        slice(sizes.iter().map(|s| self.size(s)))
    }

    fn size(&self, size: &ArithExpr) -> spec::Size {
        self.form(&self.facts.simplify(size).form(self.facts, &|_| false))
    }

    fn form(&self, form: &Form) -> spec::Size {
        let pair = |a: &Form, b: &Form| -> &'static [spec::Size; 2] {
            Box::leak(Box::new([self.form(a), self.form(b)]))
        };
        let all = |forms: &[Form]| slice(forms.iter().map(|f| self.form(f)));
        let position = |vars: &[Var], var: &Var| vars.iter().position(|v| v == var);
        match form {
            Form::Const(n) => spec::Size::Const(*n),
            Form::Var(var) => match (position(self.sizes, var), position(self.tunables, var)) {
                (Some(i), _) => spec::Size::Var(i),
                (None, Some(i)) => spec::Size::Tunable(i),
                (None, None) => panic!("`{}` is neither a size nor a tunable", var.name()),
            },
            Form::Sum(terms) => spec::Size::Sum(all(terms)),
            Form::Product(factors) => spec::Size::Product(all(factors)),
            Form::Neg(x) => spec::Size::Product(slice([spec::Size::Const(-1), self.form(x)].into_iter())),
            Form::Div(a, b) => spec::Size::Div(pair(a, b)),
            Form::Mod(a, b) => spec::Size::Mod(pair(a, b)),
            Form::Min(forms) => self.fold(forms, spec::Size::Min),
            Form::Max(forms) => self.fold(forms, spec::Size::Max),
        }
    }

    fn fold(&self, forms: &[Form], join: fn(&'static [spec::Size; 2]) -> spec::Size) -> spec::Size {
        let forms = forms.iter().map(|f| self.form(f));
        forms.reduce(|a, b| join(Box::leak(Box::new([a, b])))).expect("at least one")
    }
}
