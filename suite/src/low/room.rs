//! Sound in rooms of any shape: the air from register tiles, the walls a point an item.

use lift::prelude::*;

lift!(
    fn around(w: [[[f32; 3]; 3]; 3]) -> f32 {
        w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2]
    }

    fn pressure(
        courant_squared: f32,
        absorption: f32,
        previous: [[[f32; 3]; 3]; 3],
        current: [[[f32; 3]; 3]; 3],
        neighbours: i32,
    ) -> f32 {
        let n = neighbours as f32;
        let spread = courant_squared + absorption;
        let now = (2.0 - spread * n) * current[1][1][1] + spread * around(current);
        let before = (absorption * n - 1.0) * previous[1][1][1] - absorption * around(previous);
        if neighbours > 0 { now + before } else { 0.0 }
    }

    /// The pressure at a wall that absorbs by `beta`.
    fn reflect(courant: f32, next: f32, previous: f32, neighbours: i32, beta: f32) -> f32 {
        let c = 0.5 * courant * (6 - neighbours) as f32 * beta;
        (next + c * previous) / (1.0 + c)
    }

    /// The pressure one step later, as if walls reflected everything: 2 planes of 2 rows of 2.
    #[kernel]
    #[size(N % 2 == 0, M % 2 == 0, O % 2 == 0)]
    #[work_group(64, 2, 2)]
    pub fn Volume<N, M, O>(
        courant_squared: f32,
        absorption: f32,
        previous: [[[f32; O]; M]; N],
        current: [[[f32; O]; M]; N],
        neighbours: [[[i32; O]; M]; N],
    ) -> [[[f32; O]; M]; N] {
        let before = previous.pad3d(1, 1, 1, constant(0.0)).slide3d(4, 2);
        let now = current.pad3d(1, 1, 1, constant(0.0)).slide3d(4, 2);
        zip3d(before, now, neighbours.split3d(2, 2, 2))
            .map_global3d(|(before, now, neighbours)| {
                zip3d(to_private(before).slide3d(3, 1), to_private(now).slide3d(3, 1), to_private(neighbours))
                    .map_seq_unroll3d(pressure(courant_squared, absorption))
            })
            .join3d()
    }

    /// Walls that absorb all frequencies alike.
    #[kernel]
    #[work_group(128)]
    pub fn FiMm<N, K, M>(
        courant: f32,
        beta: [f32; M],
        index: [i32; K],
        neighbours: [i32; K],
        material: [i32; K],
        previous: [f32; N],
        next: &mut [f32; N],
    ) {
        let points = zip(next.gather(index), previous.gather(index), neighbours, beta.gather(material));
        scatter_to(next, index, points.map_global(0, reflect(courant)));
    }
);
