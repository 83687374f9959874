//! The types of elements.

use std::fmt;

use crate::code::choice;

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
    /// All scalar types.
    pub const ALL: [ScalarType; 13] = [
        ScalarType::F32,
        ScalarType::F64,
        ScalarType::F16,
        ScalarType::I8,
        ScalarType::I16,
        ScalarType::I32,
        ScalarType::I64,
        ScalarType::U8,
        ScalarType::U16,
        ScalarType::U32,
        ScalarType::U64,
        ScalarType::Bool,
        ScalarType::Usize,
    ];

    /// The Rust name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            ScalarType::F32 => "f32",
            ScalarType::F64 => "f64",
            ScalarType::F16 => "f16",
            ScalarType::I8 => "i8",
            ScalarType::I16 => "i16",
            ScalarType::I32 => "i32",
            ScalarType::I64 => "i64",
            ScalarType::U8 => "u8",
            ScalarType::U16 => "u16",
            ScalarType::U32 => "u32",
            ScalarType::U64 => "u64",
            ScalarType::Bool => "bool",
            ScalarType::Usize => "usize",
        }
    }

    /// The type of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<ScalarType> {
        ScalarType::ALL.into_iter().find(|s| s.name() == name)
    }

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

    /// The same as symbolic sizes count.
    #[must_use]
    pub fn bytes(self) -> i64 {
        self.size() as i64
    }

    /// Whether indices are computed with it: `usize`, and `i64` for what may be negative on the way.
    #[must_use]
    pub fn counts(self) -> bool {
        matches!(self, ScalarType::Usize | ScalarType::I64)
    }

    /// Whether arithmetic is defined.
    #[must_use]
    pub fn is_number(self) -> bool {
        self != ScalarType::Bool
    }

    /// Whether this is a float type.
    #[must_use]
    pub fn is_float(self) -> bool {
        matches!(self, ScalarType::F32 | ScalarType::F64 | ScalarType::F16)
    }

    /// Whether this is an integer type.
    #[must_use]
    pub fn is_integer(self) -> bool {
        self.range().is_some()
    }

    /// Whether values may be negative.
    #[must_use]
    pub fn is_signed(self) -> bool {
        self.is_float() || self.range().is_some_and(|(low, _)| low < 0)
    }

    /// Whether devices may lack it.
    #[must_use]
    pub fn is_optional(self) -> bool {
        matches!(self, ScalarType::F64 | ScalarType::F16)
    }

    /// The unsigned integer type of the same width.
    #[must_use]
    pub fn unsigned(self) -> ScalarType {
        match self {
            ScalarType::I8 => ScalarType::U8,
            ScalarType::I16 => ScalarType::U16,
            ScalarType::I32 => ScalarType::U32,
            ScalarType::I64 => ScalarType::U64,
            ScalarType::F32
            | ScalarType::F64
            | ScalarType::F16
            | ScalarType::U8
            | ScalarType::U16
            | ScalarType::U32
            | ScalarType::U64
            | ScalarType::Bool
            | ScalarType::Usize => self,
        }
    }

    /// The smallest and the largest value of an integer type.
    #[must_use]
    pub fn range(self) -> Option<(i128, i128)> {
        match self {
            ScalarType::I8 => Some((i8::MIN.into(), i8::MAX.into())),
            ScalarType::I16 => Some((i16::MIN.into(), i16::MAX.into())),
            ScalarType::I32 => Some((i32::MIN.into(), i32::MAX.into())),
            ScalarType::I64 => Some((i64::MIN.into(), i64::MAX.into())),
            ScalarType::U8 => Some((0, u8::MAX.into())),
            ScalarType::U16 => Some((0, u16::MAX.into())),
            ScalarType::U32 => Some((0, u32::MAX.into())),
            ScalarType::U64 | ScalarType::Usize => Some((0, u64::MAX.into())),
            ScalarType::F32 | ScalarType::F64 | ScalarType::F16 | ScalarType::Bool => None,
        }
    }
}

impl fmt::Display for ScalarType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
