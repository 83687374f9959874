//! Reductions in two launches: groups reduce their parts, and one more group what these leave. The steps go from a sum whose
//! items are mostly idle to one that reads as fast as memory gives (slides *Performance portable code through rewriting*,
//! after the seven parallel reductions of M. Harris).

use lift::prelude::*;

lift!(
    /// The last launch: one group reduces what the others left.
    fn finished<n>(f: fn(f32, f32) -> f32, z: f32, parts: [f32; n]) -> f32 {
        let total = materialize(
            parts.pad(0, (n + 255) / 256 * 256 - n, constant(z)).split((n + 255) / 256 * 256).map_workgroup(
                0,
                |parts| {
                    in_two_steps(f, z, to_local(parts.split(256).transpose().map_local(0, reduce_seq(f, z))))
                },
            ),
        );
        total[0]
    }

    /// 16 items reduce 16 sums each, and every item those.
    fn in_two_steps(f: fn(f32, f32) -> f32, z: f32, sums: [f32; 256]) -> f32 {
        to_local(sums.split(16).transpose().map_local(0, reduce_seq_unroll(f, z))).reduce_seq_unroll(f, z)
    }

    /// Every item of which the number is a multiple of twice the distance adds its neighbour at that distance.
    fn interleaved(distance: usize, sums: [f32; 256]) -> [f32; 256] {
        to_local(
            array(256, |i| {
                if i % (2 * distance) == 0 { sums[i] + sums[(i + distance).min(255)] } else { sums[i] }
            })
            .map_local(0, id),
        )
    }

    /// Each sum of two neighbours.
    fn neighbours<n>(sums: [f32; 2 * n]) -> [f32; n] {
        to_local(sums.split(2).map_local(0, reduce_seq_unroll(add, 0.0)))
    }

    /// The sums of an element of the first half and one of the other.
    fn halves<n>(sums: [f32; 2 * n]) -> [f32; n] {
        to_local(sums.split(n).transpose().map_local(0, reduce_seq_unroll(add, 0.0)))
    }

    /// Step 1: in every round, every other item of those that were left is idle.
    #[kernel]
    #[size(N % 256 == 0)]
    #[work_group(256)]
    pub fn Interleaved<N>(x: [f32; N]) -> f32 {
        let parts = x.split(256).map_workgroup(0, |x| {
            let sums =
                interleaved(16, interleaved(8, interleaved(4, interleaved(2, interleaved(1, to_local(x))))));
            interleaved(128, interleaved(64, interleaved(32, sums)))[0]
        });
        finished(add, 0.0, materialize(parts))
    }

    /// Step 2: the items that are left are neighbours, but what they read is far apart.
    #[kernel]
    #[size(N % 256 == 0)]
    #[work_group(256)]
    pub fn Neighbours<N>(x: [f32; N]) -> f32 {
        let parts = x.split(256).map_workgroup(0, |x| iterate(8, neighbours, to_local(x))[0]);
        finished(add, 0.0, materialize(parts))
    }

    /// Step 3: neighbours read neighbours.
    #[kernel]
    #[size(N % 256 == 0)]
    #[work_group(256)]
    pub fn Halves<N>(x: [f32; N]) -> f32 {
        let parts = x.split(256).map_workgroup(0, |x| iterate(8, halves, to_local(x))[0]);
        finished(add, 0.0, materialize(parts))
    }

    /// Step 4: every item adds two elements when it reads them.
    #[kernel]
    #[size(N % 512 == 0)]
    #[work_group(256)]
    pub fn FirstAdded<N>(x: [f32; N]) -> f32 {
        let parts = x.split(512).map_workgroup(0, |x| iterate(9, halves, x)[0]);
        finished(add, 0.0, materialize(parts))
    }

    /// Step 5: the last 32 sums are added without waiting.
    #[kernel]
    #[size(N % 512 == 0)]
    #[work_group(256)]
    pub fn LastUnrolled<N>(x: [f32; N]) -> f32 {
        let parts = x.split(512).map_workgroup(0, |x| iterate(4, halves, x).reduce_seq_unroll(add, 0.0));
        finished(add, 0.0, materialize(parts))
    }

    /// Step 6: all rounds are written out, and there are two.
    #[kernel]
    #[size(N % 512 == 0)]
    #[work_group(256)]
    pub fn Unrolled<N>(x: [f32; N]) -> f32 {
        let parts = x.split(512).map_workgroup(0, |x| in_two_steps(add, 0.0, halves(x)));
        finished(add, 0.0, materialize(parts))
    }

    /// Step 7, for any reduction: every item reads 16 fours, 1024 elements apart, before it waits for others.
    fn parts<T, n>(g: fn(T) -> f32, f: fn(f32, f32) -> f32, z: f32, x: [T; n]) -> [f32; n / 16384] {
        x.split(16384).map_workgroup(0, |x| {
            in_two_steps(
                f,
                z,
                to_local(x.split(4).split(256).transpose().map_local(0, |fours| {
                    fours.reduce_seq_unroll(
                        |sum, four| f(sum, to_private(four).map(g).reduce_seq_unroll(f, z)),
                        z,
                    )
                })),
            )
        })
    }

    /// The whole of a reduction: what does not fill a group is left to the second launch.
    fn whole<T, n>(g: fn(T) -> f32, f: fn(f32, f32) -> f32, z: f32, x: [T; n]) -> f32 {
        let full = materialize(parts(g, f, z, x.take(n / 16384 * 16384)));
        finished(f, z, concat(full, x.drop(n / 16384 * 16384).map(g)))
    }

    /// `Σ xᵢ`.
    #[kernel]
    #[work_group(256)]
    pub fn Sum<N>(x: [f32; N]) -> f32 {
        whole(id, add, 0.0, x)
    }

    /// `Σ |xᵢ|`.
    #[kernel]
    #[work_group(256)]
    pub fn Asum<N>(x: [f32; N]) -> f32 {
        whole(abs, add, 0.0, x)
    }

    /// The largest element.
    #[kernel]
    #[work_group(256)]
    pub fn Largest<N>(x: [f32; N]) -> f32 {
        whole(id, max, f32::NEG_INFINITY, x)
    }

    /// `Σ xᵢ·yᵢ`.
    #[kernel]
    #[work_group(256)]
    pub fn Dot<N>(x: [f32; N], y: [f32; N]) -> f32 {
        whole(mul, add, 0.0, zip(x, y))
    }
);
