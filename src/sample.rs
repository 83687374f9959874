//! What `lift!` makes: the launcher of a kernel, and that of a step in time. Documentation has this module alone.
//!
//! ```text
//! lift!(
//!     /// The mean of each pixel and its eight neighbours.
//!     #[kernel]
//!     pub fn Mean<H, W>(image: [[f32; W]; H]) -> [[f32; W]; H] {
//!         image.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w.join().reduce(add, 0.0) / 9.0)
//!     }
//!
//!     /// A step of the wave equation.
//!     #[kernel]
//!     #[step(now, before)]
//!     pub fn Wave<N>(now: [f32; N], before: [f32; N], speed: f32) -> [f32; N] { … }
//! );
//! ```

crate::lift!(
    /// The mean of each pixel and its eight neighbours.
    #[kernel]
    pub fn Mean<H, W>(image: [[f32; W]; H]) -> [[f32; W]; H] {
        image.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| w.join().reduce(add, 0.0) / 9.0)
    }

    /// A step of the wave equation.
    #[kernel]
    #[step(now, before)]
    pub fn Wave<N>(now: [f32; N], before: [f32; N], speed: f32) -> [f32; N] {
        let around = now.pad(1, 1, constant(0.0)).slide(3, 1);
        zip(around, before).map(|w, old| 2.0 * w[1] - old + speed * (w[0] - 2.0 * w[1] + w[2]))
    }
);
