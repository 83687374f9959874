//! A compiled kernel as constant data: the tokens of a `KernelSpec`.

use lift_core::arith::{ArithExpr, Facts, Form, Var};
use lift_core::ir::{Check, Relation, Scalar, Type};
use lift_core::low::Geometry;
use lift_core::pipeline::{Compiled, Step, Version};
use proc_macro2::TokenStream;
use quote::quote;

/// The constant expression of type `KernelSpec`.
pub(crate) fn kernel(compiled: &Compiled) -> TokenStream {
    let kernel = &compiled.kernel;
    let name = &kernel.name;
    let ty = kernel.type_text();
    let names = Names { sizes: &kernel.sizes, tunables: &[], facts: &kernel.facts };
    let unchecked = kernel.unchecked_facts();
    let plain = Names { facts: &unchecked, ..names };
    let sizes = kernel.sizes.iter().zip(&compiled.defines).map(|(size, define)| {
        let name = size.name();
        quote!(::lift::__private::spec::SizeVar { name: #name, define: #define })
    });
    let params = kernel.params.iter().map(|param| {
        let name = &*param.name;
        let (elem, dims, shown) = data(&param.ty, &names);
        quote!(::lift::__private::spec::Param { name: #name, elem: #elem, dims: #dims, shown: #shown })
    });
    let (elem, dims, shown) = data(kernel.body.ty(), &names);
    let checks = kernel.checks.iter().map(|c| check(c, &plain));
    let needs = kernel.optional_scalars().into_iter().map(scalar);
    let variants = compiled.versions.iter().map(|v| variant(v, &names));
    let (gpu, cpu) = (&compiled.gpu_order, &compiled.cpu_order);
    quote! {
        ::lift::__private::spec::KernelSpec {
            name: #name,
            ty: #ty,
            sizes: &[#(#sizes),*],
            params: &[#(#params),*],
            result: ::lift::__private::spec::Output { elem: #elem, dims: #dims, shown: #shown },
            checks: &[#(#checks),*],
            needs: &[#(#needs),*],
            variants: &[#(#variants),*],
            gpu_order: &[#(#gpu),*],
            cpu_order: &[#(#cpu),*],
        }
    }
}

/// The position of each variable among the size variables or the tunables.
#[derive(Clone, Copy)]
struct Names<'a> {
    sizes: &'a [Var],
    tunables: &'a [Var],
    facts: &'a Facts,
}

impl Names<'_> {
    fn size(&self, size: &ArithExpr) -> TokenStream {
        // Every variable is a size here: there is nothing to factor by.
        self.form(&self.facts.simplify(size).form(self.facts, &|_| false))
    }

    fn list(&self, sizes: &[ArithExpr]) -> TokenStream {
        let sizes = sizes.iter().map(|s| self.size(s));
        quote!(&[#(#sizes),*])
    }

    fn form(&self, form: &Form) -> TokenStream {
        let pair = |a: &Form, b: &Form| {
            let (a, b) = (self.form(a), self.form(b));
            quote!(&[#a, #b])
        };
        let all = |forms: &[Form]| {
            let forms = forms.iter().map(|f| self.form(f));
            quote!(&[#(#forms),*])
        };
        match form {
            Form::Const(n) => quote!(::lift::__private::spec::Size::Const(#n)),
            Form::Var(var) => {
                if let Some(i) = self.sizes.iter().position(|v| v == var) {
                    quote!(::lift::__private::spec::Size::Var(#i))
                } else if let Some(i) = self.tunables.iter().position(|v| v == var) {
                    quote!(::lift::__private::spec::Size::Tunable(#i))
                } else {
                    lift_core::bug!("`{}` is neither a size nor a tunable", var.name())
                }
            }
            Form::Sum(terms) => {
                let terms = all(terms);
                quote!(::lift::__private::spec::Size::Sum(#terms))
            }
            Form::Product(factors) => {
                let factors = all(factors);
                quote!(::lift::__private::spec::Size::Product(#factors))
            }
            Form::Neg(x) => {
                let x = self.form(x);
                quote!(::lift::__private::spec::Size::Product(&[::lift::__private::spec::Size::Const(-1), #x]))
            }
            Form::Div(a, b) => {
                let pair = pair(a, b);
                quote!(::lift::__private::spec::Size::Div(#pair))
            }
            Form::Mod(a, b) => {
                let pair = pair(a, b);
                quote!(::lift::__private::spec::Size::Mod(#pair))
            }
            Form::Min(forms) => self.fold(forms, quote!(Min)),
            Form::Max(forms) => self.fold(forms, quote!(Max)),
        }
    }

    fn fold(&self, forms: &[Form], kind: TokenStream) -> TokenStream {
        let mut forms = forms.iter().map(|f| self.form(f));
        let Some(first) = forms.next() else { lift_core::bug!("an empty minimum") };
        forms.fold(first, |a, b| quote!(::lift::__private::spec::Size::#kind(&[#a, #b])))
    }
}

fn data(ty: &Type, names: &Names<'_>) -> (TokenStream, TokenStream, TokenStream) {
    let (dims, elem) = ty.shape();
    let shown = dims.iter().map(ArithExpr::to_string);
    let Some(elem) = elem.as_scalar() else { lift_core::bug!("{ty} crosses the border") };
    (scalar(elem), names.list(&dims), quote!(&[#(#shown),*]))
}

fn scalar(scalar: Scalar) -> TokenStream {
    let name = match scalar {
        Scalar::F32 => quote!(F32),
        Scalar::F64 => quote!(F64),
        Scalar::F16 => quote!(F16),
        Scalar::I8 => quote!(I8),
        Scalar::I16 => quote!(I16),
        Scalar::I32 => quote!(I32),
        Scalar::I64 => quote!(I64),
        Scalar::U8 => quote!(U8),
        Scalar::U16 => quote!(U16),
        Scalar::U32 => quote!(U32),
        Scalar::U64 => quote!(U64),
        Scalar::Bool => quote!(Bool),
        Scalar::Usize => quote!(Usize),
    };
    quote!(::lift::__private::spec::ScalarType::#name)
}

fn check(check: &Check, names: &Names<'_>) -> TokenStream {
    let (left, right) = (names.size(&check.left), names.size(&check.right));
    let relation = match check.relation {
        Relation::Equal => quote!(Equal),
        Relation::AtMost => quote!(AtMost),
    };
    let message = &check.message;
    quote! {
        ::lift::__private::spec::Check {
            fact: ::lift::__private::spec::Fact::#relation(#left, #right),
            message: #message,
        }
    }
}

fn variant(version: &Version, names: &Names<'_>) -> TokenStream {
    let vars: Vec<Var> = version.tunables.iter().map(|t| t.var.clone()).collect();
    let names = Names { sizes: names.sizes, tunables: &vars, facts: &version.facts };
    let launches = version.generated.schedule.launches();
    let [launch] = launches.as_slice() else { lift_core::bug!("a version of {} launches", launches.len()) };
    let name = version.name;
    let (source, entry) = (&version.generated.source, &launch.entry);
    let tunables = version.tunables.iter().map(|t| {
        let (name, default, min, max) = (t.var.name(), t.default, t.min, t.max);
        quote! {
            ::lift::__private::spec::Tunable { name: #name, default: #default, min: #min, max: #max }
        }
    });
    let geometry = match &launch.geometry {
        Geometry::Items(items) => {
            let items = names.list(items);
            quote!(::lift::__private::spec::Geometry::Items(#items))
        }
        Geometry::Groups { groups, local } => {
            let (groups, local) = (names.list(groups), names.list(local));
            quote!(::lift::__private::spec::Geometry::Groups { groups: #groups, local: #local })
        }
    };
    let local_bytes = names.size(&launch.local_bytes);
    let derivation = version.derivation.0.iter().map(|Step { rule, law, after }| {
        quote!(::lift::__private::spec::Step { rule: #rule, law: #law, after: #after })
    });
    quote! {
        ::lift::__private::spec::Variant {
            name: #name,
            source: #source,
            entry: #entry,
            tunables: &[#(#tunables),*],
            geometry: #geometry,
            local_bytes: #local_bytes,
            derivation: &[#(#derivation),*],
        }
    }
}
