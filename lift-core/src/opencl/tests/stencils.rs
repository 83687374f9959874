//! Neighbourhoods, with every boundary, in one to three dimensions.

use super::build::*;
use crate::arith::ArithExpr;
use crate::explore::{Variant, explore};
use crate::ir::{Boundary, Expr, Kernel, Prim, Scalar};
use crate::opencl::compile;

fn three_points(boundary: Boundary) -> String {
    let mut b = Builder::new("ThreePoints");
    let len = b.size("N");
    let xs = b.param("xs", Scalar::F32, &[len]);
    let windows = Expr::slide(n(3), n(1), Expr::pad(n(1), n(1), boundary, xs));
    let body = global(0, "w", windows, sum);
    let (kernel, variant) = b.variant(body);
    compile(&kernel, &variant).source
}

#[test]
fn dump() {
    for b in [Boundary::Clamp, Boundary::Wrap, Boundary::Mirror, Boundary::Reflect, Boundary::Constant(f32(0.0))] {
        println!("{}", three_points(b));
    }
    for v in convolution() {
        println!("{}", compile(&v.0, &v.1).source);
    }
    println!("{}", jacobi2d(Boundary::Clamp));
    println!("{}", jacobi2d(Boundary::Constant(f32(0.0))));
    println!("{}", jacobi2d(Boundary::Wrap));
    println!("{}", jacobi3d(Boundary::Clamp));
    println!("{}", jacobi3d(Boundary::Constant(f32(0.0))));
}

fn convolution() -> Vec<(Kernel, Variant)> {
    let mut b = Builder::new("Convolve");
    let (rows, cols) = (b.size("N"), b.size("M"));
    let weights = b.param("weights", Scalar::F32, &[n(289)]);
    let image = b.param("image", Scalar::F32, &[rows, cols]);
    let windows = windows2d(17, pad2d(8, Boundary::Clamp, image));
    let body = Expr::map_with("row", windows, |row| {
        Expr::map_with("nbh", row, |nbh| {
            let products = Expr::map_with("p", zip(vec![weights.clone(), Expr::join(nbh)]), |p| {
                mul(Expr::field(p.clone(), 0), Expr::field(p, 1))
            });
            sum(products)
        })
    });
    let kernel = b.kernel(body);
    explore(&kernel).into_iter().map(|v| (kernel.clone(), v)).collect()
}

fn jacobi2d(boundary: Boundary) -> String {
    let mut b = Builder::new("Jacobi2D");
    let (rows, cols) = (b.size("N"), b.size("M"));
    let xs = b.param("xs", Scalar::F32, &[rows, cols]);
    let body = global2d("w", windows2d(3, pad2d(1, boundary, xs)), |w| {
        let p = |y: u64, x: u64| at(at(w.clone(), y), x);
        mul(f32(0.2), [p(1, 1), p(0, 1), p(2, 1), p(1, 0), p(1, 2)].into_iter().reduce(add).unwrap_or(f32(0.0)))
    });
    let (kernel, variant) = b.variant(body);
    compile(&kernel, &variant).source
}

fn jacobi3d(boundary: Boundary) -> String {
    let mut b = Builder::new("Jacobi3D");
    let dims: Vec<ArithExpr> = ["N", "M", "O"].into_iter().map(|name| b.size(name)).collect();
    let xs = b.param("xs", Scalar::F32, &dims);
    let body = global3d("w", windows3d(3, pad3d(1, boundary, xs)), |w| {
        let p = |z: u64, y: u64, x: u64| at(at(at(w.clone(), z), y), x);
        let taps = [p(1, 1, 1), p(0, 1, 1), p(2, 1, 1), p(1, 0, 1), p(1, 2, 1), p(1, 1, 0), p(1, 1, 2)];
        mul(f32(0.161), taps.into_iter().reduce(add).unwrap_or(f32(0.0)))
    });
    let (kernel, variant) = b.variant(body);
    compile(&kernel, &variant).source
}
