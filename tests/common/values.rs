//! Random values, their leaves, and what counts as equal; without a device.

use std::collections::BTreeMap;

use lift_core::arith::{ArithExpr, Var};
use lift_core::ir::{Kernel, Kind, Literal, MathFn, Output, Param, Scalar, Type};
use lift_laws::interp::Value;

/// A generator of test data: every value is different from its neighbours, and most are not round.
pub struct Data(u64);

impl Data {
    /// Always the same sequence for the same seed.
    pub fn new(seed: u64) -> Data {
        Data(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// The next number.
    #[expect(clippy::should_implement_trait, reason = "there is always one")]
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Between -1 and 1.
    pub fn f32(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    fn scalar(&mut self, scalar: Scalar) -> Value {
        Value::Scalar(match scalar {
            Scalar::F32 | Scalar::F64 | Scalar::F16 => Literal::float(self.f32().into(), scalar),
            Scalar::I32 | Scalar::I64 => Literal::int(i128::from(self.next() >> 40) - (1 << 23), scalar),
            Scalar::Usize => Literal::int((self.next() >> 50).into(), scalar),
            Scalar::Bool => Literal::Bool(self.next() & 64 != 0),
            // All values of the narrow types, and large ones of the others.
            Scalar::I8 | Scalar::I16 | Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 => {
                Literal::int((self.next() >> 30).into(), scalar)
            }
        })
    }

    /// An array of these extents.
    pub fn value(&mut self, scalar: Scalar, dims: &[usize]) -> Value {
        match dims {
            [] => self.scalar(scalar),
            [n, rest @ ..] => Value::Array((0..*n).map(|_| self.value(scalar, rest)).collect()),
        }
    }
}

/// The value of an extent.
pub fn extent(n: &ArithExpr, sizes: &BTreeMap<Var, i64>) -> usize {
    n.eval(&|v| sizes.get(v).map(|n| i128::from(*n))).expect("a size") as usize
}

/// A value of this type.
pub fn random(ty: &Type, sizes: &BTreeMap<Var, i64>, data: &mut Data) -> Value {
    fn value(ty: &Type, sizes: &BTreeMap<Var, i64>, data: &mut Data) -> Value {
        match ty {
            Type::Scalar(scalar) => data.scalar(*scalar),
            Type::Array(element, n) => {
                Value::Array((0..extent(n, sizes)).map(|_| value(element, sizes, data)).collect())
            }
            Type::Tuple(parts) => Value::Tuple(parts.iter().map(|part| value(part, sizes, data)).collect()),
        }
    }
    match ty {
        // As often is something done, for example.
        Type::Scalar(Scalar::Usize) => Value::Scalar(Literal::int((data.next() % 12).into(), Scalar::Usize)),
        _ => value(ty, sizes, data),
    }
}

/// The scalars of each leaf of a value, in row-major order.
pub fn columns(value: &Value, ty: &Type) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new(); ty.leaves().len()];
    append(value, ty, &mut all);
    all
}

/// Appends the scalars of a value to those of its leaves.
fn append(value: &Value, ty: &Type, leaves: &mut [Vec<Value>]) {
    match (value, ty) {
        (Value::Tuple(values), Type::Tuple(parts)) => {
            let mut rest = leaves;
            for (value, part) in values.iter().zip(parts.iter()) {
                let (own, others) = rest.split_at_mut(part.leaves().len());
                append(value, part, own);
                rest = others;
            }
        }
        (Value::Array(values), Type::Array(element, _)) => {
            values.iter().for_each(|value| append(value, element, leaves));
        }
        (scalar, _) => leaves[0].push(scalar.clone()),
    }
}

/// For each leaf of the parameters whether the kernel replaces it.
pub fn updated_leaves(kernel: &Kernel) -> Vec<bool> {
    let params = kernel.params.iter().enumerate();
    let leaves = |(i, param): (usize, &Param)| {
        vec![kernel.outputs.contains(&Output::Update(i)); param.ty.leaves().len()]
    };
    params.flat_map(leaves).collect()
}

/// The leaves of what a kernel computes: those of its results, and then those of the parameters that it replaces.
pub fn expected_leaves(kernel: &Kernel, value: &Value) -> Vec<Vec<Value>> {
    let parts: Vec<(Value, Type)> = match (kernel.outputs.as_slice(), value, kernel.body.ty()) {
        ([_], value, ty) => vec![(value.clone(), ty.clone())],
        (_, Value::Tuple(values), Type::Tuple(types)) => {
            values.iter().cloned().zip(types.iter().cloned()).collect()
        }
        (outputs, ..) => panic!("{} outputs", outputs.len()),
    };
    let mut results = Vec::new();
    let mut updates = BTreeMap::new();
    for ((value, ty), output) in parts.iter().zip(&kernel.outputs) {
        match output {
            Output::Result => results.extend(columns(value, ty)),
            Output::Update(i) => {
                updates.insert(*i, columns(value, ty));
            }
        }
    }
    results.into_iter().chain(updates.into_values().flatten()).collect()
}

/// How much floats may differ. Everything else is equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exactness {
    /// By no bit; but a NaN is a NaN.
    Bits,
    /// By rounding.
    Nearly,
}

impl Exactness {
    /// What a version promises: bits, unless sums are regrouped or functions occur of which devices compute no more than most digits. Devices
    /// compute with 16-bit floats by way of wider ones.
    pub fn of(kernel: &Kernel, regroups: bool) -> Exactness {
        let mut exact = !regroups;
        kernel.body.visit(&mut |e| {
            exact &= match e.kind() {
                Kind::Math(f, args) => {
                    is_exact(*f) || args[0].ty().as_scalar().is_some_and(Scalar::is_integer)
                }
                _ => true,
            } && e.ty().as_scalar() != Some(Scalar::F16);
        });
        if exact { Exactness::Bits } else { Exactness::Nearly }
    }
}

/// Whether all values are those that are expected.
pub fn assert_close(found: &[Value], expected: &[Value], exactness: Exactness, place: &str) {
    assert_eq!(found.len(), expected.len(), "number of elements of {place}");
    if exactness == Exactness::Bits {
        for (i, (f, e)) in found.iter().zip(expected).enumerate() {
            assert!(f == e, "element {i}: found {f:?}, expected exactly {e:?} in {place}");
        }
        return;
    }
    let float = |v: &Value| v.as_scalar().and_then(Literal::as_float);
    let scale = expected.iter().filter_map(float).filter(|x| x.is_finite()).fold(1.0, |m, x| x.abs().max(m));
    for (i, (f, e)) in found.iter().zip(expected).enumerate() {
        let equal = match (f, e) {
            (Value::Scalar(Literal::Float(f, s)), Value::Scalar(Literal::Float(e, t))) => {
                let precision = match s {
                    Scalar::F64 => 1e-13,
                    Scalar::F16 => 1e-2,
                    _ => 1e-5,
                };
                s == t && (f == e || (f - e).abs() <= precision * scale || (f.is_nan() && e.is_nan()))
            }
            _ => f == e,
        };
        assert!(equal, "element {i}: found {f:?}, expected {e:?} in {place}");
    }
}

/// Whether its result is the same on every device: that of real numbers, rounded once, or made of such results in one way. Of the others,
/// OpenCL and Rust say how much they may be off.
fn is_exact(f: MathFn) -> bool {
    !matches!(
        f,
        MathFn::Cbrt
            | MathFn::Exp
            | MathFn::Exp2
            | MathFn::ExpM1
            | MathFn::Ln
            | MathFn::Ln1p
            | MathFn::Log2
            | MathFn::Log10
            | MathFn::Sin
            | MathFn::Cos
            | MathFn::Tan
            | MathFn::Asin
            | MathFn::Acos
            | MathFn::Atan
            | MathFn::Atan2
            | MathFn::Sinh
            | MathFn::Cosh
            | MathFn::Tanh
            | MathFn::Asinh
            | MathFn::Acosh
            | MathFn::Atanh
            | MathFn::Hypot
            | MathFn::Powf
            | MathFn::Powi
    )
}
