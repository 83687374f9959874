//! What stands between the stages, as text, for people.

mod arena;
mod program;
mod statements;

/// What is shown.
pub struct Shown<'a, T>(pub &'a T);
