use lift::prelude::*;

lift!(
    fn a(x: f32) -> f32 { x + 1 }
    fn b(x: f32) -> f32 { x + 1 }
    fn c(x: f32) -> f32 { x + 1 }
    fn d(x: f32) -> f32 { x + 1 }
    fn e(x: f32) -> f32 { x + 1 }
    fn f(x: f32) -> f32 { x + 1 }
    fn g(x: f32) -> f32 { x + 1 }
    fn h(x: f32) -> f32 { x + 1 }
    fn i(x: f32) -> f32 { x + 1 }
);

fn main() {}
