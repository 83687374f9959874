use lift::prelude::*;

lift!(
    struct Particle {
        position: (f32, f32),
        mass: f32,
    }

    fn weight(p: Particle) -> f32 {
        p.mas * 9.81
    }

    #[kernel]
    pub fn Weights<N>(x: [f32; N]) -> [f32; N] {
        x.map(|v| weight(Particle { mass: v }))
    }
);

fn main() {}
