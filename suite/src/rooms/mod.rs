//! Sound in rooms of any shape (Stoltzfus's thesis, chapter 6): the air is a grid of points, the walls are lists of the
//! points next to them.

pub mod geometry;
pub mod impulse;
pub mod volume;
pub mod walls;
