//! What layouts are as views: index functions of the arrays that they are applied to.

use crate::arith::ArithExpr;
use crate::bug;
use crate::imp::ast::Expr;
use crate::imp::emit::{Closure, Emitter, Env, Value, View};
use crate::ir::Prim;
use crate::low::{Arg, Boundary, Layout, NodeId};
use crate::view::{Edge, Gathered, Pad, Shape};

impl Emitter<'_> {
    /// The value of a node that is a layout of these arrays.
    pub(super) fn layout(&mut self, id: NodeId, layout: &Layout, xs: &[NodeId], env: &Env) -> Value {
        let low = self.low;
        let ty = low.ty(id);
        let of = |e: &mut Self| e.eval_array(xs[0], env);
        let shape = match (layout.prim, layout.args.as_slice()) {
            (Prim::Zip, _) => Shape::Zipped(xs.iter().map(|x| self.eval_array(*x, env)).collect()),
            (Prim::Unzip, _) => {
                let of = of(self);
                let part = |i| Value::Array(View::new(Shape::Part(i, of.clone())));
                return Value::Tuple((0..ty.arity()).map(part).collect());
            }
            (Prim::Concat, _) => {
                let mut start = ArithExpr::zero();
                let mut views = Vec::new();
                for part in xs {
                    views.push((start.clone(), self.eval_array(*part, env)));
                    start = start + low.ty(*part).length();
                }
                let Some((element, _)) = ty.as_array() else { bug!("{ty} is strung together") };
                Shape::Concat(views, element.clone())
            }
            (Prim::Split, [Arg::Size(step)]) | (Prim::Slide, [_, Arg::Size(step)]) => {
                Shape::Pieces(step.clone(), of(self))
            }
            (Prim::Join, _) => Shape::Joined(low.row(xs[0]), of(self)),
            (Prim::Transpose, _) => Shape::Transposed(of(self)),
            (Prim::Drop, [Arg::Size(k)]) => Shape::Shifted(k.clone(), of(self)),
            (Prim::Take, _) => return Value::Array(of(self)),
            (Prim::Gather, [Arg::Data(idx)]) => {
                let idx = self.eval_array(*idx, env);
                Shape::Gathered(Gathered { node: id, idx, len: low.ty(xs[0]).length(), of: of(self) })
            }
            (Prim::Reorder, [Arg::Fun(p)]) => {
                let p = Closure { f: p.clone(), env: env.clone() };
                Shape::Reordered(p, ty.length(), of(self))
            }
            (Prim::Pad, [Arg::Size(left), _, Arg::Boundary(boundary)]) => {
                let edge = self.edge(boundary, env);
                let inside = of(self);
                let Some((element, _)) = ty.as_array() else { bug!("a padded {ty}") };
                let (left, len, element) = (left.clone(), low.ty(xs[0]).length(), element.clone());
                Shape::Padded(Pad { left, len, edge, inside, element })
            }
            _ => bug!("{layout} is not read through"),
        };
        Value::Array(View::new(shape))
    }

    fn edge(&mut self, boundary: &Boundary, env: &Env) -> Edge<Expr> {
        let constant = |e: &mut Self, c: &NodeId| {
            let value = e.eval(*c, env);
            e.constants("outside", value)
        };
        boundary.map(self, constant, |_, f| Closure { f: f.clone(), env: env.clone() })
    }
}
