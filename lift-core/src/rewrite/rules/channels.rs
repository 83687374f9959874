//! Few elements side by side as one element: the channels of a picture.

use crate::arith::ArithExpr;
use crate::ir::{Expr, Lambda};
use crate::machine::registers::MOST_CHANNELS;
use crate::rewrite::rule::Rule;
use crate::rewrite::rules::build::{array, at};
use crate::rewrite::rules::nd;
use crate::rewrite::rules::stencil::{Input, Stencil};

pub static CHANNELS: Rule = Rule {
    name: "channels",
    about: "A stencil in three dimensions whose rows are a few elements of a plane's point, each of which needs none of the others, is one in two dimensions.",
    equation: "map^3(f) . slide^3(n, s) = map^2(|w| array(k, |c| f(map^2(|x| array(1, |_| at(c, x)), w)))) . slide^2(n, s)",
    when: "on rows of k elements, a small number, with windows of one element along them; for arrays beside it that are read element by element, at(c, x)",
    apply: |e, _| {
        let stencil = Stencil::find(e).filter(|stencil| stencil.dims() == 3)?;
        let k = stencil.counts[2].as_const().filter(|k| (2..=MOST_CHANNELS).contains(k))?;
        let is_one =
            |(size, step): &(ArithExpr, ArithExpr)| size.as_const() == Some(1) && step.as_const() == Some(1);
        if !stencil.has_windows()
            || !stencil.inputs.iter().all(|input| input.windows.last().is_none_or(is_one))
        {
            return None;
        }
        let slid = |input: &Input| match input.windows.as_slice() {
            [outer @ .., _] => nd::slide_nd(outer, input.array.clone()),
            [] => input.array.clone(),
        };
        let mut parts: Vec<Expr> = stencil.inputs.iter().map(slid).collect();
        let is_zipped = stencil.of_one_array().is_none();
        let xs = if is_zipped { nd::zip_nd(2, parts) } else { parts.swap_remove(0) };
        let element = xs.ty().as_array()?.0.as_array()?.0.clone();
        let f = Lambda::unary("point", element, |point| {
            let channel = |c: Expr| {
                let own = |(i, input): (usize, &Input)| {
                    let part = if is_zipped { Expr::field(point.clone(), i) } else { point.clone() };
                    match input.windows.is_empty() {
                        true => at(c.clone(), part),
                        false => Expr::map_with("row", part, |row| {
                            Expr::map_with("x", row, |x| array(ArithExpr::one(), |_| at(c.clone(), x)))
                        }),
                    }
                };
                let mut own: Vec<Expr> = stencil.inputs.iter().enumerate().map(own).collect();
                stencil.f.apply(&[if is_zipped { Expr::tuple(own) } else { own.swap_remove(0) }])
            };
            array(k.into(), channel)
        });
        // The function may read a window several times.
        Some(nd::map_nd(2, f.with_body(f.body.refresh()), xs))
    },
};
