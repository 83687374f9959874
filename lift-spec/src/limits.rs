//! Numbers that the compiler counts on and the runtime keeps.

/// The most work-items of one group, in each dimension, where the launcher chooses its shape.
pub const ITEMS_OF_CHOSEN_GROUP: i64 = 256;
