//! What layouts are as views: index functions of the arrays that they are applied to.

use crate::arith::ArithExpr;
use crate::bug;
use crate::imp::ast::Expr;
use crate::imp::emit::store::length;
use crate::imp::emit::{Closure, Emitter, Env, Value, View};
use crate::low::{Boundary, Layout, NodeId};
use crate::view::boundary::Fold;
use crate::view::{Edge, Gathered, Pad, Shape};

impl Emitter<'_> {
    /// The value of a node that is a layout of these arrays.
    pub(super) fn layout(&mut self, id: NodeId, layout: &Layout, xs: &[NodeId], env: &Env) -> Value {
        let ty = self.low.ty(id);
        let of = |e: &mut Self| e.eval_array(xs[0], env);
        let shape = match layout {
            Layout::Zip => Shape::Zipped(xs.iter().map(|x| self.eval_array(*x, env)).collect()),
            Layout::Unzip => {
                let of = of(self);
                let part = |i| Value::Array(View::new(Shape::Part(i, of.clone())));
                return Value::Tuple((0..ty.arity()).map(part).collect());
            }
            Layout::Concat => {
                let mut start = ArithExpr::zero();
                let mut views = Vec::new();
                for part in xs {
                    views.push((start.clone(), self.eval_array(*part, env)));
                    start = start + length(self.low.ty(*part));
                }
                let Some((element, _)) = ty.as_array() else { bug!("{ty} is strung together") };
                Shape::Concat(views, element.clone())
            }
            Layout::Split(step) | Layout::Slide(step) => Shape::Pieces(step.clone(), of(self)),
            Layout::Join(row) => Shape::Joined(row.clone(), of(self)),
            Layout::Transpose => Shape::Transposed(of(self)),
            Layout::Drop(k) => Shape::Shifted(k.clone(), of(self)),
            Layout::Take(_) => return Value::Array(of(self)),
            Layout::Gather { idx, len, .. } => {
                let idx = self.eval_array(*idx, env);
                Shape::Gathered(Gathered { node: id, idx, len: len.clone(), of: of(self) })
            }
            Layout::Reorder(p, len) => {
                let p = Closure { f: p.clone(), env: env.clone() };
                Shape::Reordered(p, len.clone(), of(self))
            }
            Layout::Pad { left, len, boundary } => {
                let edge = self.edge(boundary, env);
                let inside = of(self);
                let Some((element, _)) = ty.as_array() else { bug!("a padded {ty}") };
                let (left, len, element) = (left.clone(), len.clone(), element.clone());
                Shape::Padded(Pad { left, len, edge, inside, element })
            }
            Layout::Scatter(..) | Layout::Replace { .. } => bug!("what is scattered is not stored"),
        };
        Value::Array(View::new(shape))
    }

    fn edge(&mut self, boundary: &Boundary, env: &Env) -> Edge<Expr> {
        match boundary {
            Boundary::Clamp => Edge::Index(Fold::Clamp),
            Boundary::Mirror => Edge::Index(Fold::Mirror),
            Boundary::Reflect => Edge::Index(Fold::Reflect),
            Boundary::Wrap => Edge::Index(Fold::Wrap),
            Boundary::Index(f) => Edge::Remapped(Closure { f: f.clone(), env: env.clone() }),
            Boundary::Value(f) => Edge::Value(Closure { f: f.clone(), env: env.clone() }),
            Boundary::Constant(c) => {
                let value = self.eval(*c, env);
                Edge::Constant(self.constants("outside", value))
            }
        }
    }
}
