//! Inference for structs, which are tuples once everything is known.

use crate::ir::Expr;
use crate::span::Span;
use crate::syntax::term::Term;
use crate::text::near_name;
use crate::typecheck::env::{Build, Checked, Env};
use crate::typecheck::error;
use crate::typecheck::infer::Inferer;
use crate::typecheck::ty::Ty;

impl<'a> Inferer<'a, '_> {
    /// `Name { field: e, … }`
    pub(super) fn struct_value(&mut self, index: usize, values: &'a [Term], env: &Env<'a>) -> Checked<'a> {
        let found = self.struct_at(index);
        let mut builds: Vec<Build<'a>> = Vec::new();
        let mut wrong = false;
        for (i, term) in values.iter().enumerate() {
            let value = self.infer(term, env);
            if let Some((name, ty)) = found.as_ref().and_then(|s| s.fields.get(i))
                && self.solver.unify(ty, &value.ty).is_err()
            {
                let (expected, shown) = (self.solver.show(ty), self.solver.show(&value.ty));
                let owner = found.as_ref().map_or("", |s| &s.name);
                let d = error::field_value(self.blame(term.span), owner, name, &expected, &shown);
                let text = self.provenance.text(self.program, term);
                let numbers = [ty, &value.ty].map(|ty| matches!(self.solver.shallow(ty), Ty::Scalar(_)));
                let text = text.filter(|_| numbers == [true, true]);
                self.diags.push(d.help_if(text.map(|text| format!("convert it: `{text} as {expected}`"))));
                wrong = true;
            }
            builds.push(value.build);
        }
        match found {
            Some(found) if !wrong => Checked {
                ty: Ty::Struct(found),
                build: Box::new(move |s| Expr::tuple(builds.into_iter().map(|b| b(s)).collect())),
            },
            Some(found) => Checked { ty: Ty::Struct(found), ..self.wrong() },
            None => self.wrong(),
        }
    }

    /// `x.field`
    pub(super) fn named_field(&mut self, x: &'a Term, field: &str, env: &Env<'a>, span: Span) -> Checked<'a> {
        let x = self.infer(x, env);
        match self.solver.shallow(&x.ty) {
            Ty::Error => x,
            Ty::Struct(found) => match found.fields.iter().position(|(name, _)| name == field) {
                Some(index) => {
                    let (ty, build) = (found.fields[index].1.clone(), x.build);
                    Checked { ty, build: Box::new(move |s| Expr::field(build(s), index)) }
                }
                None => {
                    let names: Vec<&str> = found.fields.iter().map(|(name, _)| name.as_str()).collect();
                    let near = near_name(field, names.iter().copied());
                    self.fail(error::no_named_field(self.blame(span), &found.name, field, near, &names))
                }
            },
            other => {
                let shown = self.solver.show(&other);
                self.fail(error::no_named_field(self.blame(span), &shown, field, None, &[]))
            }
        }
    }
}
