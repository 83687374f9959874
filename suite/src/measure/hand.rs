//! OpenCL written by hand, described so that the runtime launches it like a kernel of `lift!`: with the same buffers, the
//! same sizes as macros, and the same clock.

use lift::spec::{Check, Fact, Geometry, KernelSpec, Launch, Operation, Size, Slot, Variant};

/// A sweep over the result, written by hand: one launch, in which every work-item computes a block.
///
/// Its function takes the parameters of the low-level kernel in their order, and then the result. The sizes are macros
/// of the size variables' names.
#[derive(Clone, Copy)]
pub struct HandWritten {
    /// The text.
    pub source: &'static str,
    /// The function.
    pub entry: &'static str,
    /// The shape of a work-group: along a row first.
    pub local: &'static [usize],
    /// The block of a work-item, in the same order.
    pub block: &'static [usize],
    /// What divides the extents of the result, in the same order; the block if it must be whole.
    pub divisors: &'static [usize],
}

impl HandWritten {
    /// The extent of a block that takes all there is.
    pub const ALL: usize = 0;

    /// A function whose blocks must be whole.
    #[must_use]
    pub const fn new(
        source: &'static str,
        entry: &'static str,
        local: &'static [usize],
        block: &'static [usize],
    ) -> HandWritten {
        HandWritten { source, entry, local, block, divisors: block }
    }

    /// The same in work-groups of another shape.
    #[must_use]
    pub const fn local(self, local: &'static [usize]) -> HandWritten {
        HandWritten { local, ..self }
    }

    /// The same with other requirements on the extents.
    #[must_use]
    pub const fn divisors(self, divisors: &'static [usize]) -> HandWritten {
        HandWritten { divisors, ..self }
    }

    /// The shape, for reports: `block 4x2, group 64x4`.
    #[must_use]
    pub fn shape(&self) -> String {
        let text = |extents: &[usize]| {
            let each = extents.iter().map(|&n| if n == Self::ALL { "all".into() } else { n.to_string() });
            each.collect::<Vec<String>>().join("x")
        };
        format!("block {}, group {}", text(self.block), text(self.local))
    }

    /// The description for the runtime: the interface of `like`, with this text.
    #[must_use]
    pub fn spec(&self, like: &'static KernelSpec) -> &'static KernelSpec {
        let dims = like.results.first().map_or(&[][..], |result| result.dims);
        let mut groups = Vec::new();
        let mut checks = like.checks.to_vec();
        for (axis, dim) in dims.iter().rev().enumerate() {
            let at = |extents: &[usize]| extents.get(axis).copied().unwrap_or(1);
            let items = if at(self.block) == Self::ALL { Size::Const(1) } else { up(*dim, at(self.block)) };
            groups.push(up(items, at(self.local)));
            if at(self.divisors) > 1 {
                let fact = Fact::MultipleOf(*dim, Size::Const(at(self.divisors) as i64));
                let message =
                    "the hand-written kernel needs an extent that {right} divides, but it is {left}";
                checks.push(Check { fact, message });
            }
        }
        let local: Vec<Size> = (0..groups.len())
            .map(|axis| self.local.get(axis).map_or(1, |&n| n as i64))
            .map(Size::Const)
            .collect();
        let params = (0..like.params.len()).map(Slot::Param);
        let results = (0..like.results.len()).map(Slot::Result);
        let launch = Operation::Launch(Launch {
            entry: self.entry,
            args: leak(params.chain(results).collect()),
            geometry: Geometry::Groups { groups: leak(groups), local: leak(local) },
            local_bytes: Size::Const(0),
        });
        let variant = Variant {
            name: "hand-written",
            source: self.source,
            tunables: &[],
            temporaries: &[],
            operations: leak(vec![launch]),
            sites: &[],
            derivation: &[],
        };
        let order: &'static [&'static str] = &["hand-written"];
        let spec = KernelSpec {
            checks: leak(checks),
            variants: leak(vec![variant]),
            gpu_order: order,
            cpu_order: order,
            step: None,
            ..*like
        };
        Box::leak(Box::new(spec))
    }
}

/// A quotient, rounded up.
fn up(size: Size, divisor: usize) -> Size {
    let divisor = divisor as i64;
    let sum = Size::Sum(leak(vec![size, Size::Const(divisor - 1)]));
    Size::Div(Box::leak(Box::new([sum, Size::Const(divisor)])))
}

/// Descriptions are constants of a program: this one's live as long.
fn leak<T>(parts: Vec<T>) -> &'static [T] {
    parts.leak()
}
