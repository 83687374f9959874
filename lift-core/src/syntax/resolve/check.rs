//! What can be said once everything is resolved: recursion, and names that nobody uses.

use super::{Node, Resolver};
use crate::span::Span;
use crate::syntax::ast::{Block, TypeKind};
use crate::syntax::error_name as error;

impl Resolver {
    /// Notes that what is being resolved uses another function or constant.
    pub(super) fn uses(&mut self, node: Node, span: Span) {
        if let Some(current) = self.current {
            self.edges.push((current, node, span));
        }
    }

    /// Notes functions that look like kernels in a block that has none.
    pub(super) fn lint_kernels(&mut self, block: &Block) {
        if block.result.is_some() || block.functions.iter().any(|function| function.kernel) {
            return;
        }
        for function in &block.functions {
            let name = &function.name;
            let public = !function.surface.visibility.is_empty();
            let arrays = function.params.iter().any(|param| matches!(param.ty.kind, TypeKind::Array(..)));
            if public && arrays && name.name.starts_with(char::is_uppercase) {
                self.lints.push(error::no_kernel(name.span, &name.name));
            }
        }
    }

    /// Reports functions and constants that need themselves, once per circle, and returns all of them.
    pub(super) fn recursion(&mut self) -> Vec<Node> {
        let mut guilty: Vec<Node> = Vec::new();
        for i in 0..self.edges.len() {
            let (from, to, span) = self.edges[i];
            if guilty.contains(&from) {
                continue;
            }
            if let Some(circle) = self.circle(from, to) {
                let names: Vec<String> = circle.iter().map(|node| self.node_name(*node)).collect();
                self.report(error::recursion(span, &names));
                guilty.extend(circle);
            }
        }
        guilty
    }

    /// The way back from `to` to `from`, `from` first.
    fn circle(&self, from: Node, to: Node) -> Option<Vec<Node>> {
        // Breadth first, so that the shortest circle is shown.
        let mut seen: Vec<(Node, usize)> = vec![(to, 0)];
        let mut next = 0;
        while next < seen.len() {
            let (node, _) = seen[next];
            if node == from {
                let mut path = Vec::new();
                let mut at = next;
                while at != 0 {
                    at = seen[at].1;
                    path.push(seen[at].0);
                }
                path.reverse();
                let mut circle = vec![from];
                circle.extend(path);
                return Some(circle);
            }
            for (_, target, _) in self.edges.iter().filter(|(source, ..)| *source == node) {
                if seen.iter().all(|(other, _)| other != target) {
                    seen.push((*target, next));
                }
            }
            next += 1;
        }
        None
    }

    fn node_name(&self, node: Node) -> String {
        match node {
            Node::Function(i) => self.signatures[i].name.clone(),
            Node::Const(i) => {
                let name = self.consts.iter().find(|(_, index)| **index == i).map(|(name, _)| name.clone());
                name.unwrap_or_default()
            }
        }
    }
}
