//! Sound in rooms of any shape for CPUs: the air row by row in vectors, the walls in stretches of points.

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

    /// A function of 16 points of which some may be inside.
    fn inside_of<T>(f: fn(T, i32) -> f32, points: [(T, i32); 16]) -> [f32; 16] {
        if points.map(|(x, n)| n).reduce_seq_unroll(max, 0) > 0 {
            points.map_vec(f)
        } else {
            repeat(16, 0.0).map_vec(id)
        }
    }

    /// A branch of a material, and its state at a point of the wall.
    struct Branch {
        b: f32,
        d: f32,
        i: f32,
        f: f32,
        g: f32,
        v: f32,
    }

    /// What a branch takes away from the pressure.
    fn taken(branch: Branch) -> f32 {
        branch.b * (2.0 * branch.d * branch.v - branch.f * branch.g)
    }

    /// How fast a branch moves after the pressure has risen by so much.
    fn velocity(rise: f32, branch: Branch) -> f32 {
        branch.b * (rise + branch.i * branch.v - 2.0 * branch.f * branch.g)
    }

    /// The state of a branch after the pressure has risen by so much.
    fn moved(rise: f32, old: Branch) -> (f32, f32) {
        let v = velocity(rise, old);
        (old.g + 0.5 * (v + old.v), v)
    }

    /// The pressure at a wall that absorbs by `beta`.
    fn absorb(courant: f32, next: f32, previous: f32, neighbours: i32, beta: f32) -> f32 {
        let c = 0.5 * courant * (6 - neighbours) as f32 * beta;
        (next + c * previous) / (1.0 + c)
    }

    /// The pressure at a wall that absorbs by `beta`, and whose branches take `taken`.
    fn resonate(courant: f32, taken: f32, next: f32, previous: f32, neighbours: i32, beta: f32) -> f32 {
        let exposed = courant * (6 - neighbours) as f32;
        absorb(courant, next - exposed * taken, previous, neighbours, beta)
    }

    /// The pressure one step later, as if walls reflected everything: a row an item, of which the first and the last vector look
    /// at its ends.
    #[kernel]
    #[size(O >= 32)]
    #[work_group(1)]
    pub fn Volume<N, M, O>(
        courant_squared: f32,
        absorption: f32,
        previous: [[[f32; O]; M]; N],
        current: [[[f32; O]; M]; N],
        neighbours: [[[i32; O]; M]; N],
    ) -> [[[f32; O]; M]; N] {
        let before = previous.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1);
        let now = current.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1);
        zip3d(zip3d(before, now), neighbours).map_global2d(|row| {
            let step = |(before, now), n| pressure(courant_squared, absorption, before, now, n);
            concat(
                row.take(16).vectorize(16, step),
                row.drop(16).take((O / 16 - 2) * 16).split(16).map_seq(inside_of(step)).join(),
                row.drop((O / 16 - 1) * 16).take(16).vectorize(16, step),
                row.drop(O / 16 * 16).map_seq(step),
            )
        })
    }

    /// Walls that absorb all frequencies alike, in groups that take 4096 points one after the other.
    #[kernel]
    #[work_group(4096)]
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
        scatter_to(next, index, points.map_global(0, absorb(courant)));
    }

    /// Walls whose materials have 3 branches each, in groups of 4096 points: an item reads everything at a point, and then
    /// replaces it.
    #[kernel]
    #[work_group(4096)]
    pub fn FdMm<N, K, M>(
        courant: f32,
        beta: [f32; M],
        b: [[f32; 3]; M],
        d: [[f32; 3]; M],
        i: [[f32; 3]; M],
        f: [[f32; 3]; M],
        index: [i32; K],
        neighbours: [i32; K],
        material: [i32; K],
        previous: [f32; N],
        next: &mut [f32; N],
        g: &mut [[f32; K]; 3],
        v: &mut [[f32; K]; 3],
    ) {
        let coefficients = zip(b, d, i, f).map(|(b, d, i, f)| zip(b, d, i, f)).gather(material);
        let branches = zip2d(coefficients, g.transpose(), v.transpose())
            .map2d(|((b, d, i, f), g, v)| Branch { b, d, i, f, g, v });
        let points =
            zip(branches, next.gather(index), previous.gather(index), neighbours, beta.gather(material));
        let (after, positions, velocities) = points
            .map_global(0, |(branches, next, previous, neighbours, beta)| {
                let own = to_private(branches);
                let taken = own.map(taken).reduce_seq_unroll(add, 0.0);
                let after = resonate(courant, taken, next, previous, neighbours, beta);
                let (positions, velocities) = own.map_seq_unroll(moved(after - previous)).unzip();
                (after, positions, velocities)
            })
            .unzip();
        scatter_to(next, index, after);
        write_to(g, positions.transpose());
        write_to(v, velocities.transpose());
    }
);
