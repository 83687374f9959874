//! The types of elements.

use std::fmt;

use crate::constant::{Constant, choice};

choice! {
    /// A scalar type as it travels between host and device.
    #[derive(Copy, PartialOrd, Ord)]
    pub enum ScalarType {
        /// 32-bit float.
        F32,
        /// 64-bit float; not every device has it.
        F64,
        /// 16-bit float; not every device has it.
        F16,
        /// 8-bit signed integer.
        I8,
        /// 16-bit signed integer.
        I16,
        /// 32-bit signed integer.
        I32,
        /// 64-bit signed integer.
        I64,
        /// Byte.
        U8,
        /// 16-bit unsigned integer.
        U16,
        /// 32-bit unsigned integer.
        U32,
        /// 64-bit unsigned integer.
        U64,
        /// Truth value; one byte, 0 or 1, on the device.
        Bool,
        /// Index or size; 64 bits on the device.
        Usize,
    }
}

impl ScalarType {
    /// Bytes of one value on the device.
    ///
    /// ```
    /// assert_eq!(lift_spec::ScalarType::Usize.size(), 8);
    /// ```
    #[must_use]
    pub fn size(self) -> usize {
        match self {
            ScalarType::I8 | ScalarType::U8 | ScalarType::Bool => 1,
            ScalarType::F16 | ScalarType::I16 | ScalarType::U16 => 2,
            ScalarType::F32 | ScalarType::I32 | ScalarType::U32 => 4,
            ScalarType::F64 | ScalarType::I64 | ScalarType::U64 | ScalarType::Usize => 8,
        }
    }
}

impl fmt::Display for ScalarType {
    /// The name in Rust.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("{self:?}").to_lowercase())
    }
}
