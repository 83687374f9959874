//! Stencils of one array in two or three dimensions, with factors of their own for each point of some of them.

use lift_suite::input::Random;
use lift_suite::measure::Opponent;

use super::pick;
use crate::case::Program;
use crate::opponents::stencils::opponents;

/// Which points a stencil reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Those along the axes.
    Star,
    /// All up to the radius in every direction.
    Box,
}

/// What is outside of the array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boundary {
    /// The nearest element.
    Clamp,
    /// The other side.
    Wrap,
    /// Zeros.
    Zero,
    /// Nothing: the result is smaller.
    None,
}

/// `out = grids · Σ weight · point`; of two results, the second one has its own weights.
#[derive(Debug, Clone)]
pub struct Stencil {
    /// Dimensions: 2 or 3.
    pub dims: usize,
    /// Which points.
    pub shape: Shape,
    /// How far they are.
    pub radius: usize,
    /// Arrays that are read at the point itself.
    pub grids: usize,
    /// Results: 1 or 2.
    pub results: usize,
    /// The boundary.
    pub boundary: Boundary,
    /// `f64` in place of `f32`.
    pub double: bool,
    /// The extents of the array, outermost first.
    pub extents: Vec<usize>,
}

impl Stencil {
    /// One in two dimensions.
    pub fn in_plane(random: &mut Random) -> Stencil {
        let mut stencil = Stencil::random(random, 2, 4, 3);
        stencil.extents = super::two_sizes(random, 20.0, 25.0, 9.0).to_vec();
        stencil
    }

    /// One in three dimensions.
    pub fn in_volume(random: &mut Random) -> Stencil {
        let mut stencil = Stencil::random(random, 3, 4, 2);
        let [planes, rows] = super::two_sizes(random, 12.0, 16.0, 5.0);
        stencil.extents = vec![planes, rows, super::size(random, 6.0, 9.5)];
        stencil
    }

    fn random(random: &mut Random, dims: usize, star: usize, cube: usize) -> Stencil {
        let shape = pick(random, &[Shape::Star, Shape::Star, Shape::Box]);
        let most = if shape == Shape::Star { star } else { cube };
        Stencil {
            dims,
            shape,
            radius: 1 + random.below(most),
            grids: pick(random, &[0, 0, 1, 2]),
            results: pick(random, &[1, 1, 1, 2]),
            boundary: pick(
                random,
                &[Boundary::Clamp, Boundary::Clamp, Boundary::Wrap, Boundary::Zero, Boundary::None],
            ),
            double: random.below(5) == 0,
            extents: Vec::new(),
        }
    }

    /// The points, relative to the one that is computed, outermost dimension first.
    #[must_use]
    pub fn points(&self) -> Vec<Vec<isize>> {
        let r = self.radius as isize;
        let mut all: Vec<Vec<isize>> = vec![Vec::new()];
        for _ in 0..self.dims {
            all = all.iter().flat_map(|point| (-r..=r).map(|d| [point.clone(), vec![d]].concat())).collect();
        }
        if self.shape == Shape::Star {
            all.retain(|point| point.iter().filter(|d| **d != 0).count() <= 1);
        }
        all
    }

    /// The factor of a point, by its number, in a result.
    #[must_use]
    pub fn weight(&self, point: usize, result: usize) -> f64 {
        f64::from((point * 7 + result * 5) as u32 % 11 + 1) / 64.0
    }

    /// The element type.
    #[must_use]
    pub fn element(&self) -> &'static str {
        if self.double { "f64" } else { "f32" }
    }
}

impl Program for Stencil {
    fn name(&self) -> String {
        let Stencil { shape, radius, grids, results, boundary, .. } = self;
        format!("{shape:?} {radius}, {grids} grids, {results} results, {boundary:?}, {}", self.element())
            .to_lowercase()
    }

    fn text(&self) -> String {
        let (dims, r, t) = (self.dims, self.radius, self.element());
        let names = &["N", "M", "O"][..dims];
        let array = |shrunk: bool| {
            names.iter().rev().fold(t.to_string(), |inner, name| {
                match shrunk && self.boundary == Boundary::None {
                    true => format!("[{inner}; {name} - {}]", 2 * r),
                    false => format!("[{inner}; {name}]"),
                }
            })
        };
        let grids: Vec<String> = (0..self.grids).map(|i| format!("c{i}")).collect();
        let params: String = grids.iter().map(|c| format!(", {c}: {}", array(true))).collect();
        let result = match self.results {
            1 => array(true),
            _ => format!("({0}, {0})", array(true)),
        };
        let radii = vec![r.to_string(); dims].join(", ");
        let pad = match self.boundary {
            Boundary::Clamp => format!(".pad{dims}d({radii}, clamp)"),
            Boundary::Wrap => format!(".pad{dims}d({radii}, wrap)"),
            Boundary::Zero => format!(".pad{dims}d({radii}, constant(0.0))"),
            Boundary::None => String::new(),
        };
        let windows = format!("x{pad}.slide{dims}d({}, 1)", 2 * r + 1);
        let points = self.points();
        let sum = |result: usize| {
            let term = |(i, point): (usize, &Vec<isize>)| {
                let place: String = point.iter().map(|d| format!("[{}]", d + r as isize)).collect();
                format!("{:?} * w{place}", self.weight(i, result))
            };
            let terms: Vec<String> = points.iter().enumerate().map(term).collect();
            // Longer chains are nested too deeply.
            let sum = match terms.len() {
                0..=64 => terms.join(" + "),
                _ => terms
                    .chunks(25)
                    .map(|part| format!("({})", part.join(" + ")))
                    .collect::<Vec<_>>()
                    .join(" + "),
            };
            grids.iter().fold(format!("({sum})"), |sum, c| format!("{c} * {sum}"))
        };
        let value = match self.results {
            1 => sum(0),
            _ => format!("({}, {})", sum(0), sum(1)),
        };
        let mapped = match self.grids {
            0 => format!("{windows}.map{dims}d(|w| {value})"),
            _ => format!(
                "zip{dims}d({windows}, {}).map{dims}d(|w, {}| {value})",
                grids.join(", "),
                grids.join(", ")
            ),
        };
        let parts = if self.results == 1 { String::new() } else { format!(".unzip{dims}d()") };
        format!(
            "#[kernel] fn Case<{}>(x: {}{params}) -> {result} {{ {mapped}{parts} }}",
            names.join(", "),
            array(false)
        )
    }

    fn sizes(&self) -> Vec<usize> {
        self.extents.clone()
    }

    fn small(&self) -> Vec<usize> {
        [19, 45, 70][3 - self.dims..].to_vec()
    }

    fn operations(&self, sizes: &[usize]) -> f64 {
        let each = self.results * (2 * self.points().len() - 1 + self.grids);
        sizes.iter().product::<usize>() as f64 * each as f64
    }

    fn opponents(&self, sizes: &[usize]) -> Vec<Opponent> {
        opponents(self, sizes)
    }
}
