//! Kernels that exercise every path of the generators, with sizes chosen to be awkward.

/// A kernel and the sizes to try.
#[derive(Clone)]
pub struct Case {
    /// What it is.
    pub name: &'static str,
    /// The body of `lift!`.
    pub text: &'static str,
    /// Values of the size variables.
    pub sizes: &'static [&'static [(&'static str, i64)]],
}

const ONE_DIM: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 2)], &[("N", 3)], &[("N", 17)], &[("N", 257)]];

/// With two stretches of vectors and something left over, and with one and nothing.
const LINES: &[&[(&str, i64)]] =
    &[&[("N", 1)], &[("N", 2)], &[("N", 3)], &[("N", 17)], &[("N", 257)], &[("N", 1024)], &[("N", 2051)]];

/// The last with groups of vectors, one vector more, and something left over.
const ROWS: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 7), ("M", 61)], &[("N", 32), ("M", 64)], &[("N", 3), ("M", 213)]];

/// From one element to several chunks of a reduction.
const MANY: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 2)], &[("N", 61)], &[("N", 1100)], &[("N", 2049)]];

const TWO_DIM: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1)], &[("N", 2), ("M", 3)], &[("N", 7), ("M", 61)], &[("N", 32), ("M", 33)]];

/// Rows of no strip, of narrow ones, and of wide ones.
const WIDE: &[&[(&str, i64)]] = &[
    &[("N", 1), ("M", 1)],
    &[("N", 3), ("M", 15)],
    &[("N", 5), ("M", 61)],
    &[("N", 2), ("M", 131)],
    &[("N", 3), ("M", 530)],
];

const THREE_DIM: &[&[(&str, i64)]] =
    &[&[("N", 1), ("M", 1), ("O", 1)], &[("N", 2), ("M", 3), ("O", 5)], &[("N", 5), ("M", 9), ("O", 35)]];

/// A stencil of each dimension with one boundary.
macro_rules! stencils {
    ($boundary:literal) => {
        [
            Case {
                name: concat!("three points, ", $boundary),
                text: concat!(
                    "#[kernel] fn Line<N>(x: [f32; N]) -> [f32; N] {
                        x.pad(1, 1, ",
                    $boundary,
                    ").slide(3, 1).map(|w| 0.5 * w[0] + w[1] - 0.25 * w[2])
                    }"
                ),
                sizes: LINES,
            },
            Case {
                name: concat!("wide and uneven, ", $boundary),
                text: concat!(
                    "#[kernel] fn Wide<N>(x: [f32; N]) -> [f32; N] {
                        x.pad(5, 2, ",
                    $boundary,
                    ").slide(8, 1).map(|w| w[0] + 2.0 * w[3] - 3.0 * w[7])
                    }"
                ),
                sizes: LINES,
            },
            Case {
                name: concat!("image, ", $boundary),
                text: concat!(
                    "fn f(w: [[f32; 3]; 5]) -> f32 {
                        w.map(|row| row.reduce(add, 0.0)).reduce(add, 0.0) + 0.5 * w[0][2] - 2.0 * w[4][0]
                    }
                    #[kernel] fn Image<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                        x.pad2d(2, 1, ",
                    $boundary,
                    ").slide2d(5, 1, 3, 1).map2d(f)
                    }"
                ),
                sizes: TWO_DIM,
            },
            Case {
                name: concat!("volume, ", $boundary),
                text: concat!(
                    "#[kernel] fn Volume<N, M, O>(x: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
                        x.pad3d(1, 1, 1, ",
                    $boundary,
                    ").slide3d(3, 1).map3d(|w|
                            w[1][1][1] + 0.5 * w[0][1][1] - 0.25 * w[2][1][1] + 2.0 * w[1][0][1]
                                - 4.0 * w[1][2][1] + 8.0 * w[1][1][0] - 16.0 * w[1][1][2])
                    }"
                ),
                sizes: THREE_DIM,
            },
        ]
    };
}

/// The cases with boundaries.
pub fn stencils() -> Vec<Case> {
    let mut cases = Vec::new();
    cases.extend(stencils!("clamp"));
    cases.extend(stencils!("mirror"));
    cases.extend(stencils!("reflect"));
    cases.extend(stencils!("wrap"));
    cases.extend(stencils!("constant(0.5)"));
    cases
}

/// Every operation that a float type has.
macro_rules! floats {
    ($ty:literal $name:literal) => {
        Case {
            name: concat!("arithmetic of ", $ty),
            text: concat!(
                "#[kernel] fn ", $name, "<N>(x: [", $ty, "; N], y: [", $ty, "; N]) -> [", $ty, "; N] {
                    zip(x, y).map(|(a, b)| {
                        let c = a * b - a / (b + 2.5) + a % 0.3 - -b;
                        let d = a.min(b).max(-0.5).clamp(-0.25, 0.75) + a.abs().sqrt() + b.cbrt() + a.recip().atan();
                        let e = a.rem_euclid(0.3) + a.div_euclid(0.3) + b.fract() + a.copysign(b) + a.signum();
                        let f = a.exp_m1() + (a + 1.5).ln_1p() + a.to_radians() + a.to_degrees() * 0.01 + a.powi(3);
                        let g = a.mul_add(b, 1.0) + a.sin() + b.cos() + a.hypot(b) + (a + 2.0).powf(b) + a.asinh();
                        let h = (a * 10.0).round() + (b * 10.0).floor() + (a * 7.0).ceil() + (b * 7.0).trunc() + a.tanh();
                        let odd = (a / (b - b)).is_nan() || (a / (b - b)).is_infinite() && a.is_finite();
                        if a < b || odd && a > 0.5 { c + d - e } else { f + g - h + (a + 2.0).ln() + b.exp() }
                    })
                }"
            ),
            sizes: ONE_DIM,
        }
    };
}

/// Every operation that an integer type has.
macro_rules! integers {
    ($($ty:literal $name:literal $signed:literal;)*) => {
        [$(
            Case {
                name: concat!("arithmetic of ", $ty),
                text: concat!(
                    "#[kernel] fn ", $name, "<N>(x: [", $ty, "; N], y: [", $ty, "; N]) -> [", $ty, "; N] {
                        zip(x, y).map(|(a, b)| {
                            let c = (a * a - b + 7 * a) / (b % 7) + (a & b | !a ^ b) % (b + a / 3);
                            let d = a.min(b).max(5).clamp(3, 100) * a.wrapping_add(b).wrapping_mul(3);
                            let e = a.rem_euclid(b) - a.div_euclid(b % 5) + a.rem_euclid(b % 3);
                            let f = a.saturating_add(b).wrapping_sub(b.saturating_sub(a)) + a.pow(5);
                            let g = a.wrapping_shl(3) ^ b.wrapping_shr(2) ^ a.rotate_left(5) ^ b.rotate_right(1);
                            if a < b && a * b >= b || a == b + 1 { c + d - e * f ^ g } else { ", $signed, " - c * d + e - f - g }
                        })
                    }"
                ),
                sizes: ONE_DIM,
            },
            Case {
                name: concat!("bits of ", $ty),
                text: concat!(
                    "#[kernel] fn Bits", $name, "<N>(x: [", $ty, "; N], y: [", $ty, "; N]) -> [u32; N] {
                        zip(x, y).map(|(a, b)| {
                            let ones = a.count_ones() + 3 * a.leading_zeros() + 7 * b.trailing_zeros();
                            let edges = (a - a).leading_zeros() + (a - a).trailing_zeros();
                            ones.pow(3) + edges * (a.abs_diff(b) as u32) + (a == ", $ty, "::MAX || b > ", $ty,
                            "::MIN) as u32 + (a + ", $ty, "::MAX) as u32
                        })
                    }"
                ),
                sizes: ONE_DIM,
            },
            Case {
                name: concat!("conversions of ", $ty),
                text: concat!(
                    "#[kernel] fn As", $name, "<N>(x: [", $ty, "; N], f: [f32; N], d: [f64; N]) -> [f64; N] {
                        zip(x, f, d).map(|(a, f, d)| {
                            let g = f * 1e9 * f * f;
                            let n = (g as ", $ty, ") / 2 + ((d * 300.0) as ", $ty, ") / 2;
                            let s = (a as i8 as f64) + (a as u8 as f64) + (a as i16 as f64) + (a as u16 as f64);
                            let t = (a as i32 as f64) + (a as u32 as f64) + (a as i64 as f64) * 0.5 + (a as u64 as f64) * 0.25;
                            s + t + (n as f64) + (a as f32 as f64) + (a as usize as f64) * 0.125 + ((a > n) as ", $ty, " as f64)
                        })
                    }"
                ),
                sizes: ONE_DIM,
            },
        )*]
    };
}

/// The operations of all scalar types but `f16`, which devices rarely have.
pub fn scalars() -> Vec<Case> {
    let mut cases = Vec::new();
    cases.extend(integers! {
        "i8" "I8" "-a.abs() + a.signum()";
        "i16" "I16" "-a.abs() + a.signum()";
        "i32" "I32" "-a.abs() + a.signum()";
        "i64" "I64" "-a.abs() + a.signum()";
        "u8" "U8" "a";
        "u16" "U16" "a";
        "u32" "U32" "a";
        "u64" "U64" "a";
        "usize" "Usize" "a";
    });
    cases.extend([
        floats!("f32" "F32"),
        floats!("f64" "F64"),
        Case {
            name: "one kernel for several types",
            text: "fn square<T>(x: T) -> T { x * x }
            #[kernel] #[types(T = f32, i64, u16; U = f64, i8)]
            fn Several<T, U, N>(x: [T; N], scale: U) -> [U; N] {
                x.pad(1, 0, wrap).slide(2, 1).map(|w| square(w[0].max(w[1])) as U * scale)
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "f64 inside only",
            text: "#[kernel] fn Exact<N>(x: [f32; N]) -> f32 {
                x.map(|v| v as f64).reduce(add, 0.0) as f32
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "names that OpenCL keeps for itself, whatever their ending",
            text: "#[kernel] fn GetHalf<CLASSES>(half_x: f32, native_xs: [f32; CLASSES]) -> [f32; CLASSES] {
                let float = half_x + 1.0;
                native_xs.map(|int| { let get_y = int * float; get_y + int })
            }",
            sizes: &[&[("CLASSES", 1)], &[("CLASSES", 35)]],
        },
        Case {
            name: "extremes of negations",
            text: "#[kernel] fn Extremes<N>(x: [[i32; 4]; N]) -> ([i32; N], [i32; N], [i32; N]) {
                x.map(|v| (
                    max(max(-v[0], v[1]), -v[2]),
                    min(min(v[0], 0 - v[1]), v[2]),
                    v.fold(|a, b| max(a, b.wrapping_mul(-1)), i32::MIN),
                )).unzip()
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "literals of all types",
            text: "const STEPS: [f64; 4] = [0.1, -2.5e-300, 1e300, 3.0];
            const SMALL: [i16; 3] = [-32768, 7, 32767];
            #[kernel] fn Literals<N>(x: [i64; N]) -> [f64; N] {
                x.map(|v| {
                    let wide = v - 9223372036854775807 + i64::MIN + 5000000000i64;
                    let odd = v.wrapping_mul(-9223372036854775808) + (255u8 as i64) + (-128i8 as i64);
                    let k = (v as usize) % 3;
                    (wide as f64) * 1e-9 + STEPS[k] + (SMALL[k] as f64) + (odd as f64) + f64::EPSILON
                        + std::f64::consts::PI + (f64::MAX > 1e308) as u8 as f64 + (4000000000 * k as u32) as f64
                })
            }",
            sizes: ONE_DIM,
        },
    ]);
    cases
}

/// Kernels that need 16-bit floats.
pub fn halves() -> Vec<Case> {
    vec![
        floats!("f16" "F16"),
        Case {
            name: "halves",
            text: "#[kernel] fn Halves<N>(x: [f16; N], a: f16) -> [f16; N] {
                x.pad(1, 1, constant(0.5)).slide(3, 1).map(|w| w.reduce(add, 0.0) * a + (w[0] as f32 * 0.25) as f16)
            }",
            sizes: ONE_DIM,
        },
    ]
}

const LONG: &[&[(&str, i64)]] = &[&[("N", 1)], &[("N", 300)], &[("N", 5_003)]];

/// Kernels of several launches, and with several results.
pub fn programs() -> Vec<Case> {
    vec![
        Case {
            name: "a long dot product",
            text: "#[kernel] fn LongDot<N>(x: [i32; N], y: [i32; N]) -> i32 { zip(x, y).map(mul).reduce(add, 0) }",
            // With the last, every work-item has more than one element.
            sizes: &[&[("N", 1)], &[("N", 257)], &[("N", 300_001)]],
        },
        Case {
            name: "a sum of two dimensions",
            text: "#[kernel] fn Sum2D<N, M>(x: [[f32; M]; N]) -> f32 { x.map2d(|v| v * v).reduce2d(add, 0.0) }",
            sizes: TWO_DIM,
        },
        Case {
            name: "a short sum by one group",
            text: "#[kernel] fn Short(x: [i32; 1000]) -> i32 { x.reduce(min, 2147483647) }",
            sizes: &[&[]],
        },
        Case {
            name: "the best of all",
            text: "fn best(a: (f32, i32), b: (f32, i32)) -> (f32, i32) {
                if b.0 > a.0 || (b.0 == a.0 && b.1 < a.1) { b } else { a }
            }
            #[kernel] fn Best<N>(x: [f32; N]) -> i32 {
                zip(x, array(N, |i| i as i32)).reduce(best, (-1000.0, 2147483647)).1
            }",
            sizes: LONG,
        },
        Case {
            name: "normalised by the sum",
            text: "#[kernel] fn Normalise<N>(x: [f32; N]) -> [f32; N] {
                let sum = x.map(|v| v * v).reduce(add, 0.0);
                x.map(|v| v / sum)
            }",
            sizes: LONG,
        },
        Case {
            name: "a stencil of a stencil",
            text: "fn gradient(w: [[f32; 3]; 3]) -> f32 {
                let dx = w[1][2] - w[1][0];
                let dy = w[2][1] - w[0][1];
                (dx * dx + dy * dy).sqrt()
            }
            fn mean(w: [[f32; 3]; 3]) -> f32 { w.reduce2d(add, 0.0) / 9.0 }
            #[kernel] fn Edges<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                x.pad2d(1, 1, clamp).slide2d(3, 1).map2d(gradient).pad2d(1, 1, clamp).slide2d(3, 1).map2d(mean)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "rows, then columns",
            text: "fn weigh(weights: [f32; 5], w: [f32; 5]) -> f32 { zip(weights, w).map(mul).reduce(add, 0.0) }
            #[kernel] fn Separable<N, M>(weights: [f32; 5], x: [[f32; M]; N]) -> [[f32; M]; N] {
                let rows = x.map(|row| row.pad(2, 2, mirror).slide(5, 1).map(weigh(weights)));
                rows.transpose().map(|column| column.pad(2, 2, mirror).slide(5, 1).map(weigh(weights))).transpose()
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "so many rounds",
            text: "fn average(w: [[f32; 3]; 3]) -> f32 { 0.25 * (w[0][1] + w[1][0] + w[1][2] + w[2][1]) }
            #[kernel] fn Rounds<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
                iterate(5, |g| g.pad2d(1, 1, clamp).slide2d(3, 1).map2d(average), grid)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "stages that differ",
            text: "fn smooth<n, m>(g: [[f32; m]; n]) -> [[f32; m]; n] {
                g.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| 0.25 * (w[0][1] + w[1][0] + w[1][2] + w[2][1]))
            }
            fn slope(before: f32, w: [[f32; 3]; 2]) -> f32 { (w[1][2] - w[0][0]) * (w[0][2] - w[1][0]) + 0.5 * before }
            #[kernel] fn Stages<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
                let around = grid.smooth().pad2d(1, 0, 2, 0, mirror, constant(0.5)).slide2d(2, 1, 3, 1);
                zip2d(grid, around).map2d(slope)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "steps with boundaries that fold over",
            text: "fn point(w: [[f32; 4]; 4]) -> f32 { 0.5 * w[2][1] + 0.25 * w[0][1] - 0.125 * w[2][3] + 0.0625 * w[3][0] }
            #[kernel] fn Folded<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
                iterate(2, |g| g.pad2d(2, 1, 1, 2, mirror, reflect).slide2d(4, 1).map2d(point), grid)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "steps with something beside them",
            text: "fn heat(power: f32, w: [[f32; 3]; 3]) -> f32 { 0.5 * w[1][1] + power - 0.25 * w[0][0] + 0.125 * w[1][2] }
            #[kernel] fn Heated<N, M>(around: f32, power: [[f32; M]; N], grid: [[f32; M]; N]) -> [[f32; M]; N] {
                iterate(3, |g| zip2d(power, g.pad2d(1, 1, 1, 1, wrap, constant(around)).slide2d(3, 1)).map2d(heat), grid)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "steps of planes",
            text: "fn point(w: [[[f32; 3]; 3]; 3]) -> f32 {
                0.5 * w[1][1][1] + 0.25 * w[0][1][1] - 0.125 * w[1][0][2] + 0.0625 * w[2][1][1] - 0.375 * w[1][2][1]
            }
            #[kernel] fn Planes<N, M>(grid: [[[f32; M]; 3]; N]) -> [[[f32; M]; 3]; N] {
                iterate(2, |g| g.pad3d(1, 1, 1, clamp).slide3d(3, 1).map3d(point), grid)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "as many rounds as rows",
            text: "#[kernel] fn Sized<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
                iterate(N, |g| g.map(|row| row.pad(1, 1, wrap).slide(3, 1).map(|w| 0.5 * (w[0] + w[2]))), grid)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "two grids in turn",
            text: "#[kernel] fn Wave<N>(now: [f32; N], before: [f32; N]) -> [f32; N] {
                let (last, _) = iterate(
                    6,
                    |(u, v)| (zip(u.pad(1, 1, clamp).slide(3, 1), v).map(|(w, v)| 0.5 * (w[0] + w[2]) - 0.25 * v), u),
                    (now, before),
                );
                last
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "speckle reduction",
            text: "fn flux(q0: f32, w: [[f32; 3]; 3]) -> f32 {
                let d = w[0][1] + w[2][1] + w[1][0] + w[1][2] - 4.0 * w[1][1];
                let q = d / (w[1][1] + 4.0);
                1.0 / (1.0 + (q * q - q0) / (q0 * q0 + 10.0))
            }
            fn update(w: [[(f32, f32); 3]; 3]) -> f32 {
                let (c, v) = w[1][1];
                let (cs, vs) = w[2][1];
                let (ce, ve) = w[1][2];
                v + 0.125 * (cs * (vs - v) + ce * (ve - v) + c * v)
            }
            fn step<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
                let size = (N * M) as f32;
                let mean = image.reduce2d(add, 0.0) / size;
                let squares = image.map2d(|v| v * v).reduce2d(add, 0.0) / size;
                let q0 = (squares - mean * mean) / (mean * mean + 1.0);
                let c = image.pad2d(1, 1, clamp).slide2d(3, 1).map2d(flux(q0));
                zip2d(c, image).pad2d(1, 1, clamp).slide2d(3, 1).map2d(update)
            }
            #[kernel] fn Srad<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] { iterate(3, step, image) }",
            sizes: TWO_DIM,
        },
        Case {
            name: "a table in two launches",
            text: "const WEIGHTS: [f32; 3] = [0.25, 0.5, 0.25];
            fn weigh(w: [f32; 3]) -> f32 { zip(WEIGHTS, w).map(mul).reduce(add, 0.0) }
            #[kernel] fn Twice<N>(x: [f32; N]) -> [f32; N] {
                x.pad(1, 1, clamp).slide(3, 1).map(weigh).materialize().pad(1, 1, clamp).slide(3, 1).map(weigh)
            }",
            sizes: ONE_DIM,
        },
    ]
}

/// Kernels with several results or with tuples at the border.
pub fn borders() -> Vec<Case> {
    vec![
        Case {
            name: "rows of pairs",
            text: "#[kernel] fn LeapFrog<N, M, O>(old: [[[f32; O]; M]; N], u: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
                    zip3d(old, u.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1)).map3d(|(v, w)|
                        2.0 * w[1][1][1] - v + 0.25 * (w[0][1][1] + w[2][1][1] + w[1][0][1] - w[1][2][1] + w[1][1][0] - w[1][1][2]))
                }
                #[kernel] fn Skipping<N, M, O>(near: [[[i32; O]; M]; N], u: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
                    zip3d(near, u.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1)).map3d(|(n, w)|
                        if n > 0 { w[1][1][1] + (n as f32) * (w[0][1][1] - w[1][2][1] + w[1][1][2]) } else { 0.5 })
                }",
            sizes: &[
                &[("N", 2), ("M", 4), ("O", 6)],
                &[("N", 4), ("M", 6), ("O", 66)],
                &[("N", 3), ("M", 4), ("O", 10)],
                &[("N", 2), ("M", 3), ("O", 2)],
                &[("N", 2), ("M", 2), ("O", 8)],
                &[("N", 2), ("M", 5), ("O", 7)],
            ],
        },
        Case {
            name: "two results of one launch",
            text: "#[kernel] fn Both<N>(x: [f32; N]) -> ([f32; N], [i32; N]) {
                let windows = x.pad(1, 1, wrap).slide(3, 1);
                (windows.map(|w| w[0] + w[2]), windows.map(|w| if w[0] < w[2] { 1 } else { 0 }))
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "parts of tuples",
            text: "#[kernel] fn Polar<N, M>(x: [[f32; M]; N]) -> ([[f32; M]; N], [[f32; M]; N]) {
                let (a, b) = unzip(x.map(|row| unzip(row.map(|v| (v.sin(), v.cos())))));
                (a, b)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "results of all kinds",
            text: "#[kernel] fn All<N>(s: (f32, i32), x: [(f32, i32); N]) -> ([(i32, f32); N], f32, [f32; 3], i32) {
                let sum = x.map(|p| p.0).reduce(add, 0.0);
                (x.map(|(a, b)| (b, a * s.0)), sum, array(3, |i| i as f32 + sum), s.1)
            }",
            sizes: ONE_DIM,
        },
    ]
}

/// State from one step to the next, and arrays that are put together or taken apart.
pub fn control() -> Vec<Case> {
    vec![
        Case {
            name: "a fold to another type",
            text: "#[kernel] fn Fold<N>(x: [f32; N]) -> i32 {
                x.fold(|(count, last), v| if v > last { (count + 1, v) } else { (count, last) }, (0, -2.0)).0
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "folds of rows that are not associative",
            text: "#[kernel] fn Polynomials<N, M>(c: [[f32; M]; N], x: f32) -> [f32; N] {
                c.map(fold(|sum, c| sum * x + c, 0.0))
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "a number of times that is a parameter, with an early exit",
            text: "#[kernel] fn Escape<N>(k: usize, x: [f32; N]) -> [i32; N] {
                x.map(|c| iterate(k % 20, |(a, b, n)| {
                    if a * a + b * b < 4.0 { (a * a - b * b + c, 2.0 * a * b + c, n + 1) } else { (a, b, n) }
                }, (0.0, 0.0, 0)).2)
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "a number of times that is computed, and none at all",
            text: "#[kernel] fn Times<N>(x: [u8; N]) -> [f32; N] {
                x.map(|v| iterate((v % 4) as usize, |s| 0.5 * s + 1.0, 8.0) + iterate(0, |s| s * 3.0, 1.0)
                    + iterate(1, |s| s * 3.0, v as f32))
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "a number of times that is a size or a number",
            text: "#[kernel] fn Sized<N>(x: [f32; N]) -> [f32; N] {
                x.map(|v| iterate(N - 1, |s| 0.5 * s + v, 1.0) + iterate(5, |s| 0.25 * s, v))
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "an iteration that shrinks an array",
            text: "#[kernel] fn Shrink<N>(x: [f32; N + 3]) -> [f32; N] {
                iterate(3, |xs| xs.slide(2, 1).map(|w| w[0] + 0.5 * w[1]), x)
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "an iteration over rows, written out",
            text: "#[kernel] fn Blur<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                x.map(|row| iterate(2, |r| r.pad(1, 1, clamp).slide(3, 1).map(reduce(add, 0.0)), row))
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "a sum of vectors",
            text: "#[kernel] fn Vectors<N>(x: [[f32; 3]; N]) -> [f32; 3] {
                x.reduce(|a, b| zip(a, b).map(add), [0.0, 0.0, 0.0])
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "forces between bodies",
            text: "fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] { zip(a, b).map(sub) }
            #[kernel] fn Forces<N>(x: [[f32; 3]; N]) -> [[f32; 3]; N] {
                x.map(|p| x.fold(|f, q| {
                    let d = minus(q, p);
                    let r = 0.5 + d.map(|v| v * v).reduce(add, 0.0);
                    zip(f, d).map(|(f, d)| f + d / r)
                }, repeat(3, 0.0)))
            }",
            sizes: &[&[("N", 1)], &[("N", 2)], &[("N", 19)]],
        },
        Case {
            name: "powers of matrices",
            text: "#[kernel] fn Power<N>(k: usize, x: [[[f32; 3]; 3]; N]) -> [[[f32; 3]; 3]; N] {
                x.map(|m| {
                    let columns = m.transpose();
                    let one = array2d(3, 3, |i, j| if i == j { 1.0 } else { 0.0 });
                    iterate(k % 5, |p| p.map(|row| columns.map(|column| zip(row, column).map(mul).reduce(add, 0.0))), one)
                })
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "a histogram with its number of elements",
            text: "#[kernel] fn Histogram<N>(x: [u8; N]) -> [i32; 5] {
                let (counts, all) = x.fold(|(h, all), v| {
                    (array(4, |i| if i == (v % 4) as usize { h[i] + all } else { h[3 - i] }), all + h[0])
                }, (repeat(4, 0), 1));
                concat(counts, [all])
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "clusters",
            text: "fn distance(a: [f32; 2], b: [f32; 2]) -> f32 { zip(a, b).map(|(x, y)| (x - y) * (x - y)).reduce(add, 0.0) }
            #[kernel] fn Clusters<N>(centres: [[f32; 2]; 3], x: [[f32; 2]; N]) -> [[f32; 2]; 3] {
                x.fold(|sums, p| {
                    let best = zip(centres, array(3, |i| i)).fold(|best, (c, i)| {
                        let d = distance(c, p);
                        if d < best.0 { (d, i) } else { best }
                    }, (1000.0, 0)).1;
                    array2d(3, 2, |i, j| if i == best { sums[i][j] + p[j] } else { sums[i][j] })
                }, array2d(3, 2, |_, _| 0.0))
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "a scan",
            text: "#[kernel] fn Sums<N>(x: [i32; N]) -> [i32; N] { x.map(|v| v % 100).scan(add, 0) }",
            sizes: ONE_DIM,
        },
        Case {
            name: "a scan of pairs that are computed, and what is made of it",
            text: "#[kernel] fn Runs<N>(x: [i32; N]) -> [i32; N] {
                zip(x, x.map(|v| v % 7 == 0))
                    .scan(|a, b| if b.1 { b } else { (a.0.max(b.0), a.1) }, (i32::MIN, false))
                    .map(|(highest, _)| highest).pad(1, 1, clamp).slide(3, 1).map(|w| w[2] - w[0])
            }",
            sizes: LONG,
        },
        Case {
            name: "arrays that patterns take apart",
            text: "fn determinant(m: [[f32; 2]; 2]) -> f32 { let [[a, b], [c, d]] = m; a * d - b * c }
            #[kernel] fn Apart<N>(x: [[[f32; 2]; 2]; N + 2]) -> [f32; N] {
                x.map(determinant).slide(3, 1).map(|[a, b, c]| { let [sum, _] = [a + c, b]; sum - 2.0 * b })
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "start values that are not neutral, where any value will do",
            text: "#[kernel] fn Limits<N>(x: [i32; N]) -> (i32, i32, i32) {
                let least = x.map(|v| v.abs()).reduce(min, -3);
                (x.map(|v| -v.abs()).reduce(max, 7), least, x.map(|v| v % 8).reduce(|a, b| a | b, 64))
            }",
            sizes: LONG,
        },
        Case {
            name: "reductions over the same indices",
            text: "#[kernel] fn Moments<N, M>(x: [[i32; M]; N]) -> ([[i32; M]; N], i32, (i32, bool)) {
                let sum = x.reduce2d(add, 0);
                let squares = x.map2d(|v| v * v).reduce2d(add, 0);
                let best = zip(x.join(), x.join().map(|v| v > 3)).reduce(|a, b| (a.0.max(b.0), a.1 || b.1), (-5, false));
                (x.map2d(|v| v * sum - squares), sum, best)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "a scan of more than one chunk",
            text: "#[kernel] fn LongSums<N>(x: [i32; N]) -> ([i32; N], i32) { (x.scan(add, 0), x.scan(max, 7).reduce(add, 0)) }",
            sizes: LONG,
        },
        Case {
            name: "scans of rows, and what is made of them",
            text: "#[kernel] fn RowSums<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                x.map(|row| row.scan(add, 0.0).map(|s| 0.5 * s).map(|s| s.abs()))
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "scans of columns",
            text: "#[kernel] fn Down<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                x.transpose().map(|column| column.scan_seq(|s, v| 0.5 * s + v, 1.0)).transpose()
            }
            #[kernel] fn Below<N, M>(x: [[bool; M]; N]) -> [[bool; M]; N] {
                x.transpose().map(|column| column.scan(|a, b| a || b, false)).transpose()
            }
            #[kernel] fn Centred<N, M>(x: [[f32; M]; N], a: &mut [[f32; M]; N]) {
                write_to(a, zip2d(x, a).transpose().map(|column| {
                    let mean = column.map(|(v, w)| v - w).reduce(add, 0.0) / N as f32;
                    column.map(|(v, w)| v + 2.0 * w - mean)
                }).transpose())
            }
            #[kernel] fn Layers<N, M>(x: [[[i32; 3]; M]; N]) -> [[[i32; 3]; M]; N] {
                x.transpose().map(|rows| rows.transpose().map(scan(add, 0)).transpose()).transpose()
            }",
            sizes: WIDE,
        },
        Case {
            name: "every other element, and fields of pixels",
            text: "#[kernel] fn Half<N, M>(x: [[f32; 2 * M]; N]) -> [[f32; M]; N] {
                x.map(|row| row.pad(2, 1, clamp).slide(5, 2).map(|w| 0.5 * w[0] + w[1] - w[2] + 0.25 * w[3] - w[4]))
            }
            #[kernel] fn Grey<N, M>(x: [[[u8; 3]; M]; N]) -> [[u8; M]; N] {
                x.map2d(|p| (0.3 * p[0] as f32 + 0.59 * p[1] as f32 + 0.11 * p[2] as f32) as u8)
            }
            #[kernel] fn Chess<N, M>(x: [[i32; M]; N]) -> [[i32; M]; N] {
                array2d(N, M, |i, j| if (i + j) % 2 == 0 { x[i][j] } else { -x[i][(j + 1).min(M - 1)] })
            }
            #[kernel] fn Twice<N, M>(x: [[f32; M]; N]) -> [[f32; 2 * M]; N] {
                array2d(N, 2 * M, |i, j| x[i][j / 2] + 0.5 * x[i][(j / 2 + 1).min(M - 1)])
            }",
            sizes: WIDE,
        },
        Case {
            name: "sums of what neighbours in rows make",
            text: "#[kernel] fn Trapezoids<N, M>(t: [f32; M + 2], y: [[f32; M + 2]; N]) -> [f32; N] {
                y.map(|row| zip(row, t).slide(2, 1)
                    .map(|w| 0.5 * (w[0].0 + w[1].0) * (w[1].1 - w[0].1)).reduce(add, 0.0))
            }
            #[kernel] fn Bends<N, M>(y: [[f64; M + 2]; N]) -> f64 {
                y.map(|row| row.slide(3, 1).map(|w| (w[0] - 2.0 * w[1] + w[2]).abs()).reduce(max, f64::NEG_INFINITY))
                    .reduce(add, 0.0)
            }
            #[kernel] fn Variation<M>(y: [i32; M + 1]) -> i32 {
                y.slide(2, 1).map(|w| (w[1] - w[0]).abs()).reduce(add, 0)
            }",
            sizes: ROWS,
        },
        Case {
            name: "sums of rows that are looked up",
            text: "#[kernel] fn Bag<V, D, N, L>(table: [[f32; D]; V], words: [[u32; L]; N]) -> [[f32; D]; N] {
                words.map(|text| table.gather(text.map(|w| w % V as u32)).transpose().map(|c| c.reduce(add, 0.0)))
            }",
            sizes: &[
                &[("V", 1), ("D", 1), ("N", 1), ("L", 1)],
                &[("V", 7), ("D", 19), ("N", 5), ("L", 3)],
                &[("V", 9), ("D", 131), ("N", 2), ("L", 4)],
            ],
        },
        Case {
            name: "sums of rows that are used for their elements",
            text: "#[kernel] fn Norms<N, M>(x: [[f32; M]; N], gain: [f32; M]) -> [[f32; M]; N] {
                x.map(|row| {
                    let mean = row.reduce(add, 0.0) / M as f32;
                    let centred = row.map(|v| v - mean);
                    let scale = 1.0 / (centred.map(|v| v * v).reduce(add, 0.0) + 1.0).sqrt();
                    zip(centred, gain).map(|(v, g)| v * scale * g)
                })
            }
            #[kernel] fn Shares<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                x.map(|row| {
                    let top = row.reduce(max, f32::NEG_INFINITY);
                    let powers = row.map(|v| (v - top).exp());
                    let total = powers.reduce(add, 0.0);
                    powers.map(|p| p / total)
                })
            }",
            sizes: WIDE,
        },
        Case {
            name: "scans that are read",
            text: "#[kernel] fn Highest<N, M>(x: [[f32; M]; N]) -> [f32; N] {
                x.map(|row| row.scan(add, 0.0).reduce(max, -1000.0))
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "scans of windows",
            text: "#[kernel] fn Windows<N>(x: [f32; N + 3]) -> [f32; N] {
                x.slide(4, 1).map(|w| { let s = w.scan(add, 0.0); s[3] * s[1] - s.slide(2, 1).map(|p| p[1] * p[0]).reduce(add, 0.0) })
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "a scan of vectors",
            text: "#[kernel] fn Path<N>(x: [[f32; 2]; N]) -> [[f32; 2]; N] {
                x.scan(|a, b| zip(a, b).map(add), [0.0, 0.0])
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "arrays one after the other",
            text: "#[kernel] fn Parts<N>(x: [f32; N], y: [f32; 2]) -> [f32; N + 5] {
                concat(repeat(1, -1.0), x.map(|v| v * v), y, [1.5, x[0]])
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "arrays one after the other, as an input",
            text: "#[kernel] fn Joined<N>(x: [f32; N], y: [f32; 2]) -> [f32; N + 2] {
                concat(x, y).pad(2, 1, wrap).slide(4, 1).map(|w| w[0] + w[1] * w[2] - w[3])
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "rows one after the other, made of arrays one after the other",
            text: "#[kernel] fn Rows<N>(x: [[f32; 3]; N], y: [[f32; 3]; N + 2]) -> [[f32; 3]; 2 * N + 3] {
                concat(
                    x.map(|r| r.map(neg)),
                    repeat(1, [1.0, 2.0, 3.0]),
                    y.map(|r| concat(r.drop(1), [r.reduce(add, 0.0)])),
                )
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "a rim around a stencil",
            text: "#[kernel] fn Rim<N, M>(x: [[f32; M + 2]; N + 2]) -> [[f32; M + 2]; N + 2] {
                let middle = x.slide2d(3, 1).map2d(|w| w[0][1] + w[1][0] - 3.0 * w[1][1] + w[1][2] + w[2][1]);
                let rows = zip(x.crop(1, 1), middle).map(|(old, new)| concat(old.take(1), new, old.drop(M + 1)));
                concat(x.take(1), rows, x.drop(N + 1))
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "parts taken and dropped",
            text: "#[kernel] fn Halves<N>(x: [f32; N], y: [f32; N]) -> [f32; N] {
                let both = concat(x, y);
                zip(both.take(N), both.drop(N)).map(|(a, b)| a - 2.0 * b)
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "tuples taken apart",
            text: "#[kernel] fn Unzipped<N, M>(x: [[f32; M]; N], y: [[f32; M]; N]) -> [[f32; M]; N] {
                let (a, b) = zip2d(x, y).map2d(|(p, q)| (p + q, p - q)).unzip2d();
                let (c, _) = zip(a.join(), b.join()).unzip();
                zip2d(c.split(M), b).map2d(mul)
            }",
            sizes: TWO_DIM,
        },
    ]
}

/// Boundaries that are functions.
pub fn edges() -> Vec<Case> {
    let mut cases = Vec::new();
    cases.extend(stencils!("|i, n| if i < 0 { 0 } else { n - 1 }"));
    cases.extend(stencils!("|i, n| i.rem_euclid(n)"));
    cases.extend(stencils!("|i, n| (3 * i).clamp(0, n - 1)"));
    cases.extend(stencils!("value(|i, n| if i < 0 { 0.5 } else { (i - n) as f32 })"));
    cases.push(Case {
        name: "a boundary function with a name, and one of a parameter",
        text: "fn edge(i: i64, n: i64) -> i64 { let inside = i.max(0); inside.min(n - 1) }
        #[kernel] fn Named<N>(fill: f32, x: [f32; N]) -> [f32; N + 6] {
            x.pad(2, 1, edge).pad(1, 2, value(|i, n| if i < 0 { fill } else { fill * (n as f32) })).map(|v| 2.0 * v)
        }",
        sizes: ONE_DIM,
    });
    cases.push(Case {
        name: "a boundary function for rows",
        text: "#[kernel] fn Rows<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N + 3] {
            x.pad(2, 1, |i, n| if i < 0 { n - 1 } else { 0 }).map(|row| row.map(|v| v + 1.0))
        }",
        sizes: TWO_DIM,
    });
    cases
}

/// Choices whose other arm must not be touched: it would divide, or read what is not there.
pub fn lazy() -> Vec<Case> {
    vec![
        Case {
            name: "an arm in a reduction",
            text: "#[kernel] fn Lazy<N>(x: [f32; N]) -> [f32; N] {
                array(N, |k| array(N, |j| if j + k < N { x[j + k] } else { -x[j + k - N] * 0.5 }).reduce(add, 0.0))
            }",
            sizes: &[&[("N", 1)], &[("N", 2)], &[("N", 17)]],
        },
        Case {
            name: "arms that are arrays, in a pad and in a reduction",
            text: "#[kernel] fn Arrays<N, M>(flag: bool, x: [[f32; M]; N], y: [[f32; M]; N]) -> [f32; N] {
                zip(x, y).map(|(a, b)| {
                    let row = if a[0] > b[0] && flag { a } else { b.map(|v| v * v) };
                    row.pad(1, 1, constant(0.25)).slide(2, 1).map(|w| if w[0] < w[1] { w[0] } else { w[1] * 0.5 })
                        .reduce(add, 0.0)
                })
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "a shared value in two arms",
            text: "#[kernel] fn Shared<N>(x: [f32; N]) -> [f32; N] {
                x.map(|v| {
                    let sum = x.reduce(add, 0.0);
                    let (a, b) = if v < sum { (sum, v * v) } else { (v, x.fold(|s, w| 0.5 * s + w, 0.0)) };
                    a * b + sum
                })
            }",
            sizes: &[&[("N", 1)], &[("N", 2)], &[("N", 17)]],
        },
    ]
}

/// Everything else.
pub fn others() -> Vec<Case> {
    vec![
        Case {
            name: "a stage that reads nothing of what is before it",
            text: "fn level<n, m>(g: [[f32; m]; n]) -> [[f32; m]; n] { g.pad2d(1, 1, clamp).slide2d(3, 1).map2d(|w| 0.25 * 0.1) }
                fn slope(before: f32, w: [[f32; 3]; 2]) -> f32 { (w[1][2] - w[0][0]) * (w[0][2] - w[1][0]) + 0.5 * before }
                #[kernel] fn ReadsNothing<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
                    let around = grid.level().pad2d(1, 0, 2, 0, mirror, constant(0.5)).slide2d(2, 1, 3, 1);
                    zip2d(grid, around).map2d(slope)
                }",
            sizes: TWO_DIM,
        },
        Case {
            name: "steps in several blocks",
            text: "#[kernel] fn Blocks<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
                iterate(2, |g| g.pad2d(1, 2, 2, 1, reflect, mirror).slide2d(4, 1).map2d(|w| w[1][2] + 0.5 * (w[0][0] - w[3][1] + w[2][3])), grid)
            }",
            sizes: &[
                &[("N", 1), ("M", 1)],
                &[("N", 65), ("M", 3)],
                &[("N", 131), ("M", 2)],
                &[("N", 2), ("M", 37)],
            ],
        },
        Case {
            name: "steps with edges that functions say",
            text: "#[kernel] #[size(N >= 3, M >= 3)] fn Bent<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
                iterate(3, |g| g.pad2d(2, 2, |i, n| if i < 0 { -i } else { n - 3 }).slide2d(5, 1)
                    .map2d(|w| 0.5 * w[0][2] - 0.25 * w[2][0] + 0.125 * w[3][4] - w[4][1]), grid)
            }
            #[kernel] #[size(M >= 2)] fn Turned<N, M>(grid: [[[i32; M]; 3]; N]) -> [[[i32; M]; 3]; N] {
                iterate(2, |g| g.map(|p| p.map(|row| row.pad(1, 1, |i, n| if i < 0 { 1 } else { n - 1 })).pad(1, 1, |i, n| i.max(0).min(n - 1)))
                    .pad(0, 1, clamp).slide3d(2, 1, 3, 1, 3, 1).map3d(|w| w[0][1][1] + 3 * w[1][0][2] - 5 * w[0][2][0]), grid)
            }",
            sizes: &[&[("N", 3), ("M", 3)], &[("N", 5), ("M", 9)], &[("N", 67), ("M", 3)], &[("N", 4), ("M", 71)]],
        },
        Case {
            name: "steps in several blocks of planes",
            text: "#[kernel] fn Stacks<N, M>(grid: [[[f32; M]; 17]; N]) -> [[[f32; M]; 17]; N] {
                iterate(2, |g| g.map(|p| p.map(|row| row.pad(1, 1, clamp)).pad(1, 1, constant(2.0))).pad(1, 1, wrap).slide3d(3, 1)
                    .map3d(|w| w[1][1][1] + 0.5 * (w[0][1][2] - w[1][0][0]) - 0.25 * w[2][2][1]), grid)
            }",
            sizes: &[
                &[("N", 1), ("M", 1)],
                &[("N", 2), ("M", 5)],
                &[("N", 65), ("M", 3)],
                &[("N", 131), ("M", 2)],
                &[("N", 2), ("M", 37)],
            ],
        },
        Case {
            name: "planes of points that are not named",
            text: "#[kernel] fn Chosen<N, M, O>(x: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
                    x.pad3d(1, 1, 1, clamp).slide3d(3, 1).map3d(|w| w.map(|plane| plane[1][2])[0] - 2.0 * w[2][0][1])
                }
                #[kernel] fn Summed<N, M, O>(x: [[[i32; O]; M]; N]) -> [[[i32; O]; M]; N] {
                    x.pad3d(1, 1, 1, wrap).slide3d(3, 1).map3d(|w| w.join().join().reduce(add, 0) - 2 * w[0][1][2])
                }
                #[kernel] fn Two<N, M, O>(x: [[[f32; O]; M]; N], y: [[[f32; O + 1]; M + 1]; N + 1]) -> [[[f32; O]; M]; N] {
                    zip3d(x.pad3d(1, 1, 1, constant(1.0)).slide3d(3, 1), y.slide3d(2, 1))
                        .map3d(|w, v| w[0][1][1] + 0.5 * v[1][0][1] - w[2][2][0] * v[0][1][0])
                }",
            sizes: THREE_DIM,
        },
        Case {
            name: "a scalar parameter",
            text: "#[kernel] fn Saxpy<N>(a: f32, x: [f32; N], y: [f32; N]) -> [f32; N] {
                zip(x, y).map(|(x, y)| a * x + y)
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "a sum",
            text: "#[kernel] fn Sum<N>(x: [f32; N]) -> f32 { x.reduce(add, 0.0) }",
            sizes: ONE_DIM,
        },
        Case {
            name: "a dot product",
            text: "#[kernel] fn Dot<N>(x: [f32; N], y: [f32; N]) -> f32 { zip(x, y).map(mul).reduce(add, 0.0) }",
            sizes: ONE_DIM,
        },
        Case {
            name: "matrix times vector",
            text: "#[kernel] fn Gemv<N, M>(a: [[f32; M]; N], x: [f32; M]) -> [f32; N] {
                a.map(|row| zip(row, x).map(mul).reduce(add, 0.0))
            }",
            sizes: ROWS,
        },
        Case {
            name: "rows over their sums",
            text: "#[kernel] fn Shares<N, M>(a: [[f64; M]; N]) -> [[f64; M]; N] {
                a.map(|row| {
                    let sum = row.map(|x| x * x).reduce(add, 0.0);
                    let largest = row.reduce(max, -1.0);
                    row.map(|x| (x - largest) / (1.0 + sum))
                })
            }",
            sizes: ROWS,
        },
        Case {
            name: "matrix product",
            text: "#[kernel] fn Gemm<N, M, O>(a: [[f32; M]; N], b: [[f32; O]; M]) -> [[f32; O]; N] {
                let columns = b.transpose();
                a.map(|row| columns.map(|column| zip(row, column).map(mul).reduce(add, 0.0)))
            }",
            sizes: THREE_DIM,
        },
        Case {
            name: "transpose",
            text: "#[kernel] fn Transpose<N, M>(x: [[i32; M]; N]) -> [[i32; N]; M] { x.transpose() }",
            sizes: TWO_DIM,
        },
        Case {
            name: "split and join",
            text: "#[kernel] fn Chunks<N>(x: [i32; 4 * N]) -> [i32; 4 * N] {
                x.split(4).map(|c| c.map(|v| v - c[0])).join()
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "partial sums",
            text: "#[kernel] fn Rows<N, M>(x: [[i32; M]; N]) -> [i32; N] { x.map(reduce(add, 0)) }",
            sizes: TWO_DIM,
        },
        Case {
            name: "a symbolic window",
            text: "fn dot(w: [f32; K], x: [f32; K]) -> f32 { zip(w, x).map(mul).reduce(add, 0.0) }
            #[kernel] fn Smooth<R, N, M>(w: [f32; 2 * R + 1], x: [[u8; M]; N]) -> [[f32; M]; N] {
                x.pad2d(R, R, clamp).slide2d(2 * R + 1, 1).map2d(|window|
                    zip(w, window).map(|(v, row)| v * dot(w, row.map(|p| p as f32))).reduce(add, 0.0))
            }",
            sizes: &[
                &[("R", 1), ("N", 1), ("M", 1)],
                &[("R", 3), ("N", 2), ("M", 5)],
                &[("R", 8), ("N", 19), ("M", 37)],
            ],
        },
        Case {
            name: "a checked window",
            text: "#[kernel] #[size(K % 2 == 1)]
            fn Window<K, N>(w: [f32; K], x: [f32; N]) -> [f32; N] {
                x.pad(K / 2, K / 2, mirror).slide(K, 1).map(|v| zip(v, w).map(mul).reduce(add, 0.0))
            }",
            sizes: &[&[("K", 1), ("N", 1)], &[("K", 5), ("N", 2)], &[("K", 7), ("N", 53)]],
        },
        Case {
            name: "a stencil of a stencil",
            text: "#[kernel] fn Twice<N>(x: [f32; N]) -> [f32; N] {
                let once = x.pad(1, 1, constant(1.0)).slide(3, 1).map(|w| w[0] + w[1] * w[2]);
                once.pad(1, 1, clamp).slide(3, 1).map(|w| w.reduce(add, 0.0))
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "steps",
            text: "#[kernel] fn Steps<N>(x: [f32; 3 * N + 2]) -> [f32; N] { x.slide(5, 3).map(reduce(max, -1000.0)) }",
            sizes: ONE_DIM,
        },
        Case {
            name: "lazy arms",
            text: "#[kernel] fn Lazy<N>(x: [i32; N]) -> [i32; N] {
                x.map(|v| if v > 0 && v % 3 != 0 { 100 / v } else if v == 0 { 7 } else { v / 0 + 1 })
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "integers at their limits",
            text: "#[kernel] fn Wrap<N>(x: [i32; N], b: [u8; N]) -> [i32; N] {
                zip(x, b).map(|(v, u)| v * v * v + (u * u + 200) as i32 - (v / (u as i32)) + v % (u as i32 - 3))
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "bytes",
            text: "#[kernel] fn Bytes<N>(x: [f32; N], y: [u8; N]) -> [u8; N] {
                zip(x, y).map(|(v, u)| ((v * 300.0) as u8).max(u / 2) - u)
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "truth",
            text: "#[kernel] fn Truth<N>(x: [f32; N], b: [bool; N]) -> [bool; N] {
                zip(x, b).map(|(v, b)| (v < 0.25) == b || !b && v.abs() > 0.5)
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "functions of the standard library",
            text: "#[kernel] fn Math<N>(x: [f32; N]) -> [f32; N] {
                x.map(|v| v.abs().sqrt() + v.exp() * v.sin() - v.cos().mul_add(v, 2.0) + v.floor() + v.powi(3)
                    + v.clamp(-0.25, 0.5) + v.min(0.125).max(-0.5) + (v * 10.0).round() + v.hypot(1.0).ln())
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "generated arrays",
            text: "#[kernel] fn Grid<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                zip2d(x, array2d(N, M, |i, j| (i * M + j) as f32 / (N * M) as f32)).map2d(|(v, t)| v * t)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "indices as values",
            text: "#[kernel] fn Index<N>(x: [i32; N]) -> [usize; N] {
                array(N, |i| if x[N - 1 - i] > 0 { i * 3 } else { x[i.max(1) - 1] as usize % 5 })
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "a table",
            text: "const TABLE: [f32; 4] = [0.5, -1.5, 2.25, 4.0];
            #[kernel] fn Table<N>(x: [u8; N]) -> [f32; N] {
                x.map(|v| TABLE[(v as usize) % 4] + zip(TABLE, TABLE).map(mul).reduce(add, 0.0))
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "three arrays",
            text: "#[kernel] fn Three<N, M>(a: [[f32; M]; N], b: [[f32; M]; N], c: [[i32; M]; N]) -> [[f32; M]; N] {
                zip2d(a, b, c).map2d(|(x, y, z)| if z > 0 { x - 2.0 * y } else { x * z as f32 })
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "the smallest and the largest",
            text: "#[kernel] fn Extremes<N>(x: [f32; N]) -> ((usize, f32), (usize, f32), (usize, i8)) {
                let y = x.map(|v| (4.0 * v).round());
                (y.argmin(), y.map(|v| if v > 1.0 { f32::NAN } else { v }).argmax(), y.map(|v| v as i8).argmax())
            }",
            sizes: MANY,
        },
        Case {
            name: "the largest of each row",
            text: "#[kernel] fn Rows<N, M>(x: [[f32; M]; N]) -> ([usize; N], [f32; N], [i64; N]) {
                let (at, largest) = x.map(|row| row.map(|v| v.round()).argmax()).unzip();
                (at, largest, x.map(|row| row.map(|v| (2.0 * v) as i64).argmin().1))
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "mean and variance in one pass",
            text: "#[kernel] fn Welford<N>(x: [f32; N]) -> (f32, f32, f32) {
                x.map(|v| (1.0, v, 0.0)).reduce(|(n, mean, sum), (k, other, rest)| {
                    let (all, d) = (n + k, other - mean);
                    let part = if all == 0.0 { 0.0 } else { k / all };
                    (all, mean + d * part, sum + rest + d * d * n * part)
                }, (0.0, 0.0, 0.0))
            }",
            sizes: MANY,
        },
        Case {
            name: "sums of exponentials of rows",
            text: "#[kernel] fn Online<N, M>(x: [[f32; M]; N]) -> [f32; N] {
                x.map(|row| row.map(|v| (v, 1.0)).reduce(|(m, s), (n, t)| {
                    let most = m.max(n);
                    (most, s * (m - most).exp() + t * (n - most).exp())
                }, (-100.0, 0.0))).map(|m, s| m + s.ln())
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "suffixes",
            text: "#[kernel] fn Suffixes<N, M>(x: [[f32; M]; N]) -> ([[f32; M]; N], [[f32; M]; N], [[f32; M]; N], [f32; N]) {
                let scaled = x.map(|row| row.scan_right(max, -9.0).map(|v| 2.0 * v));
                let beside = x.map(|row| zip(row, row.scan_right(add, 0.0)).map(|v, s| v - s));
                (x.map(scan_right(min, 9.0)), scaled, beside, x.map(|row| row[0]).scan_right(max, -9.0))
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "suffixes of a whole array",
            text: "#[kernel] fn Whole<N>(x: [i32; N]) -> ([i32; N], [i32; N]) {
                (x.scan_right(|a, b| a ^ b, 0), zip(x, x.scan_right(add, 0)).map(sub))
            }",
            sizes: MANY,
        },
        Case {
            name: "sides of their own in three dimensions",
            text: "#[kernel] fn Sides<N, M, O>(x: [[[f32; O]; M]; N]) -> [[[f32; O + 1]; M + 3]; N + 2] {
                x.pad3d(1, 2, 0, 4, 2, 0, mirror, constant(0.5), wrap)
                    .slide3d(2, 1)
                    .map3d(|w| w[0][0][0] - 2.0 * w[1][1][1] + 3.0 * w[0][1][0])
            }",
            sizes: THREE_DIM,
        },
        Case {
            name: "bytes as indices",
            text: "#[kernel] fn Table<N>(table: [f32; 256], x: [i32; N]) -> [f32; N] {
                x.map(|v| {
                    let (byte, half) = (v as u8, (v as u16).wrapping_shr(8));
                    table[byte as usize] - 2.0 * table[(byte / 16) as usize] + table[(half & 15) as usize]
                })
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "a state of any length",
            text: "#[kernel] fn Distance<N, M>(a: [i32; N], b: [i32; M]) -> i32 {
                let first = array(M, |j| j as i32 + 1);
                let rows = zip(a, array(N, |i| i as i32));
                let last = rows.fold(|row, (x, i)| {
                    let left = row.pad(1, 0, value(|_, _| i)).take(M);
                    let steps = zip(row, left, b).map(|above, before, y| min(above + 1, before + if x % 3 == y % 3 { 0 } else { 1 }));
                    let best = zip(steps, array(M, |j| j as i32)).map(sub).scan(min, i + 2);
                    zip(best, array(M, |j| j as i32)).map(add)
                }, first);
                last[M - 1]
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "cases of numbers",
            text: "fn grade(k: i32) -> i32 { match k { 0 => 7, 1 | 2 => k + 1, -3..=-1 => -k, n if n > 100 => 1, _ => 2 * k } }
            #[kernel] fn Cases<N>(x: [i32; N]) -> [i32; N] {
                x.map(|v| grade(match v % 5 { 4 => v, k => k }) + match v > 3 { true => 1, false => 2 })
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "nine arrays",
            text: "#[kernel] fn Nine<N, M>(a: [[f32; M]; N], b: [[f32; M]; N], c: [[i32; M]; N]) -> [[f32; M]; N] {
                let all = zip2d(a, b, c, a.map(reverse), b, c.reverse(), a.transpose().transpose(), b, c);
                let (_, p, r, _, q, _, _, _, _) = all.map2d(|(a, b, c, d, e, f, g, h, i)| (a, b - d, c + f, e, g * h, i, a, b, c)).unzip2d();
                zip2d(p, q, r, all.map2d(|all| all.4)).map2d(|(x, y, z, w)| if z > 0 { x - 2.0 * y } else { x * w })
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "let and nested functions",
            text: "fn norm(x: f32, y: f32) -> f32 { let s = x * x + y * y; s.sqrt() + s }
            #[kernel] fn Nested<N>(x: [f32; N]) -> [f32; N] {
                let m = x.reduce(max, -2.0);
                x.map(|v| { let d = v - m; let (a, b) = (norm(d, v), d * d); a * b })
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "composition",
            text: "fn mean(w: [[f32; 3]; 3]) -> f32 { (reduce(add, 0.0) . join)(w) / 9.0 }
            #[kernel] fn Compose<N, M>(x: [[f32; M]; N]) -> [[f32; M]; N] {
                map(map(mean)) . slide2d(3, 1) . pad2d(1, 1, reflect) << x
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "take, drop and crop",
            text: "#[kernel] fn Parts<N>(x: [f32; N + 4]) -> [f32; N] {
                zip(x.take(N), x.drop(4), x.crop(2, 2)).map(|(a, b, c)| a + 2.0 * b - c)
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "helpers with types, sizes, functions and boundaries",
            text: "fn twice<T, n>(f: fn(T) -> T, xs: [T; n]) -> [T; n] { xs.map(f).map(f) }
            fn blocks<T, n>(k: Nat, xs: [T; n]) -> [[T; k]; n / k] { xs.split(k) }
            fn around<n>(b: Boundary<f32>, f: fn([f32; 3]) -> f32, xs: [f32; n]) -> [f32; n] {
                xs.pad(1, 1, b).slide(3, 1).map(f)
            }
            #[kernel] fn Helpers<N>(s: f32, x: [f32; 6 * N]) -> [f32; 3 * N] {
                let scale = mul(s);
                let smooth = around(wrap, |w| w[0] + scale(w[2]));
                blocks(2, x.twice(|v| v * 0.5 + 1.0)).map(|b| b[1] - b[0]).smooth()
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "arrays chosen by a condition",
            text: "#[kernel] fn Choose<N>(flag: bool, x: [f32; N], y: [f32; N]) -> [f32; N] {
                let z = if flag { x } else { y.map(|v| v + 1.0) };
                z.pad(1, 0, clamp).slide(2, 1).map(|w| if w[0] > w[1] { w } else { array(2, |i| w[1 - i]) }.reduce(add, 0.0))
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "an arm that is never chosen",
            text: "const R: usize = 0;
            #[kernel] fn Never<N>(x: [f32; N]) -> [f32; N + 2 * R] {
                array(N + 2 * R, |i| if i < R { x[R - 1 - i] } else { x[(i - R).min(N - 1)] })
            }",
            sizes: ONE_DIM,
        },
        Case {
            name: "tuples inside",
            text: "fn best(a: (f32, i32), b: (f32, i32)) -> (f32, i32) { if b.0 > a.0 { b } else { a } }
            #[kernel] fn ArgMax<N, M>(x: [[f32; M]; N]) -> [i32; N] {
                x.map(|row| zip(row, array(M, |j| j as i32)).reduce(best, (-1000.0, -1)).1)
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "structs",
            text: "type Real = f32;
            #[derive(Debug)]
            struct Particle { position: (Real, Real), mass: Real, kind: Kind }
            struct Kind { tag: i16, alive: bool }
            const NOBODY: Particle = Particle { position: (0.0, 0.0), mass: -1.0, kind: Kind { tag: -1, alive: false } };
            fn heavier(a: Particle, b: Particle) -> Particle { if b.mass > a.mass { b } else { a } }
            fn energy(p: Particle) -> f32 {
                let Particle { position: (x, y), mass, .. } = p;
                mass * (x * x + y * y) + if p.kind.alive { p.kind.tag as f32 } else { 0.5 }
            }
            #[kernel] fn Structs<N, M>(x: [[f32; M]; N], y: [[f32; M]; N]) -> [f32; N] {
                let particles = zip2d(x, y).map2d(|(x, y)| Particle {
                    mass: x + y,
                    position: (x, y),
                    kind: Kind { alive: x > 0.0, tag: (y * 100.0) as i16 },
                });
                particles.map(|row| {
                    let best = row.reduce(heavier, NOBODY);
                    row.map(|Particle { mass, kind: Kind { tag, .. }, .. }| mass * tag as f32).reduce(add, 0.0) + energy(best)
                })
            }",
            sizes: TWO_DIM,
        },
        Case {
            name: "four dimensions",
            text: "#[kernel] fn Four<N, M>(x: [[f32; M]; N]) -> [[[[f32; 2]; 3]; M]; N] {
                x.map(|row| row.map(|v| array(3, |i| array(2, |j| v * (i + 1) as f32 + j as f32))))
            }",
            sizes: TWO_DIM,
        },
    ]
}
