//! OpenCL written by hand, described so that the runtime launches it like a kernel of `lift!`: with the same buffers, the
//! same sizes as macros, and the same clock.

use lift::spec::{
    Check, Fact, Geometry, KernelSpec, Launch, List, Operation, Size, Slot, Temporary, Text, Variant,
};

/// What its only variant is called.
const NAME: &str = "hand-written";

/// A program written by hand: a launch, or two with memory between them.
///
/// The first function takes the workload's parameters in their order and writes the result; if there is a second one,
/// the first writes to the memory between them, and the second takes that, after the parameters if it takes these again.
/// The sizes are macros of the size variables' names.
#[derive(Clone, Copy)]
pub struct HandWritten {
    /// The text.
    pub source: &'static str,
    /// The launch.
    pub first: Stage,
    /// A launch that follows, and how many elements of the result's type the first writes for it.
    pub second: Option<(Stage, usize)>,
    /// Whether the second launch takes the parameters, too: they come first.
    pub again: bool,
    /// What divides the extents of what is shared, the one along a row first.
    pub divisors: &'static [usize],
    /// The parameter whose elements the work-items share; without one they share the result.
    pub shared: Option<&'static str>,
}

/// A launch. All extents begin with the one along a row.
#[derive(Clone, Copy)]
pub struct Stage {
    /// The function.
    pub entry: &'static str,
    /// The shape of a work-group.
    pub local: &'static [usize],
    /// How the result is shared.
    pub work: Work,
}

/// How the work-items of a launch share the result.
#[derive(Clone, Copy)]
pub enum Work {
    /// Each computes such a block.
    Item(&'static [usize]),
    /// Each group computes such a block.
    Group(&'static [usize]),
    /// There are so many groups.
    Groups(&'static [usize]),
}

impl HandWritten {
    /// The extent of a block that takes all there is.
    pub const ALL: usize = 0;

    /// A sweep: every work-item computes a block, and all blocks are whole.
    #[must_use]
    pub const fn sweep(
        source: &'static str,
        entry: &'static str,
        local: &'static [usize],
        block: &'static [usize],
    ) -> HandWritten {
        let first = Stage { entry, local, work: Work::Item(block) };
        HandWritten { source, first, second: None, again: false, divisors: block, shared: None }
    }

    /// The same in work-groups of another shape.
    #[must_use]
    pub const fn local(self, local: &'static [usize]) -> HandWritten {
        HandWritten { first: Stage { local, ..self.first }, ..self }
    }

    /// The same with other requirements on the extents.
    #[must_use]
    pub const fn divisors(self, divisors: &'static [usize]) -> HandWritten {
        HandWritten { divisors, ..self }
    }

    /// The same, where the work-items share the elements of a parameter.
    #[must_use]
    pub const fn sharing(self, parameter: &'static str) -> HandWritten {
        HandWritten { shared: Some(parameter), ..self }
    }

    /// The shape, for reports: `4x2 an item, groups of 64x4`.
    #[must_use]
    pub fn shape(&self) -> String {
        let text = |extents: &[usize]| {
            let each = extents.iter().map(|&n| if n == Self::ALL { "all".into() } else { n.to_string() });
            each.collect::<Vec<String>>().join("x")
        };
        let local = text(self.first.local);
        match self.first.work {
            Work::Item(block) => format!("{} an item, groups of {local}", text(block)),
            Work::Group(block) => format!("{} a group of {local}", text(block)),
            Work::Groups(groups) => format!("{} groups of {local}", text(groups)),
        }
    }

    /// The text, in which the functions say in which groups they run: drivers compile others for small ones.
    fn shaped(&self) -> String {
        let stages = [Some(self.first), self.second.map(|(stage, _)| stage)];
        stages.into_iter().flatten().fold(self.source.to_string(), |text, stage| {
            let extent = |axis: usize| stage.local.get(axis).copied().unwrap_or(1);
            let shape = format!("{}, {}, {}", extent(0), extent(1), extent(2));
            let plain = format!("__kernel void {}(", stage.entry);
            let told =
                format!("__kernel __attribute__((reqd_work_group_size({shape})))\nvoid {}(", stage.entry);
            text.replace(&plain, &told)
        })
    }

    /// The description for the runtime: the interface of `like`, with this text.
    #[must_use]
    pub fn spec(&self, like: &'static KernelSpec) -> &'static KernelSpec {
        let shared = match self.shared {
            Some(name) => like.params.iter().find(|param| param.name == name).map(|param| &param.dims),
            None => like.results.first().map(|result| &result.dims),
        };
        let dims: Vec<Size> = shared.into_iter().flat_map(|dims| dims.iter().rev()).cloned().collect();
        let mut checks = like.checks.to_vec();
        for (dim, &divisor) in dims.iter().zip(self.divisors) {
            let fact = Fact::MultipleOf(dim.clone(), Size::Const(divisor.max(1) as i64));
            let message = "the hand-written kernel needs an extent that {right} divides, but it is {left}";
            checks.push(Check { fact, message: message.into() });
        }
        let params = (0..like.params.len()).map(Slot::Param);
        let results = (0..like.results.len()).map(Slot::Result);
        let (mut operations, mut temporaries) = (Vec::new(), Vec::new());
        match (&self.second, like.results.first()) {
            (Some((second, elements)), Some(result)) => {
                let dims = vec![Size::Const(*elements as i64)].into();
                temporaries.push(Temporary { elem: result.elem, dims });
                let again = params.clone().filter(|_| self.again);
                operations.push(self.first.launch(&[], params.chain([Slot::Temporary(0)]).collect()));
                operations
                    .push(second.launch(&[], again.chain([Slot::Temporary(0)]).chain(results).collect()));
            }
            (Some(_) | None, _) => operations.push(self.first.launch(&dims, params.chain(results).collect())),
        }
        let variant = Variant {
            name: NAME.into(),
            source: lift::spec::Source::plain(self.shaped()),
            temporaries: temporaries.into(),
            operations: operations.into(),
            // Nobody who writes by hand knows what drivers get wrong, as long as the result is right.
            ..Variant::NAIVE
        };
        let order: List<Text> = vec![NAME.into()].into();
        let spec = KernelSpec {
            checks: checks.into(),
            variants: vec![variant].into(),
            gpu_order: order.clone(),
            host: List::default(),
            cpu_order: order,
            missing: Vec::new().into(),
            step: None,
            ..like.clone()
        };
        Box::leak(Box::new(spec))
    }
}

impl Stage {
    /// `dims` are the extents of what is shared, the one along a row first.
    fn launch(&self, dims: &[Size], args: Vec<Slot>) -> Operation {
        let axes = 0..self.local.len();
        let local: Vec<Size> = self.local.iter().map(|&n| Size::Const(n as i64)).collect();
        let blocks = |axis: usize, block: &[usize]| match (dims.get(axis), block.get(axis)) {
            (Some(dim), Some(&block)) if block != HandWritten::ALL => up(dim.clone(), block),
            (Some(dim), None) => dim.clone(),
            (Some(_), Some(_)) | (None, _) => Size::Const(1),
        };
        let groups: Vec<Size> = match self.work {
            Work::Item(block) => axes.map(|axis| up(blocks(axis, block), self.local[axis])).collect(),
            Work::Group(block) => axes.map(|axis| blocks(axis, block)).collect(),
            Work::Groups(groups) => groups.iter().map(|&n| Size::Const(n as i64)).collect(),
        };
        Operation::Launch(Launch {
            entry: self.entry.into(),
            args: args.into(),
            geometry: Geometry::Groups { groups: groups.into(), local: local.into() },
            local_bytes: Size::Const(0),
        })
    }
}

/// A quotient, rounded up.
fn up(size: Size, divisor: usize) -> Size {
    let divisor = divisor as i64;
    let sum = Size::Sum(vec![size, Size::Const(divisor - 1)].into());
    Size::Div(vec![sum, Size::Const(divisor)].into())
}
