use lift::prelude::*;

lift!(
    fn sum(xs: [f32; 3]) -> f32 {
        let mut total = 0.0;
        for x in xs {
            total += x;
        }
        total
    }

    #[kernel]
    pub fn Sums<N>(xs: [f32; N]) -> [f32; N] {
        xs.pad(1, 1, clamp).slide(3, 1).map(sum)
    }
);

fn main() {}
