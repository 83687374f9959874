//! What the pages of derivations are about: data, which the tests with devices include, too.

/// A page.
pub(super) struct Page {
    /// The file, without its ending.
    pub(super) file: &'static str,
    /// What it is about, in a few words.
    pub(super) title: &'static str,
    /// What happens in it.
    pub(super) about: &'static str,
    /// The kernel.
    pub(super) text: &'static str,
    /// The versions that it shows; all of them, if none is named.
    pub(super) only: &'static [&'static str],
    /// At which sizes every step is interpreted.
    pub(super) sizes: &'static [&'static [i64]],
}

/// Every page.
pub(super) const PAGES: &[Page] = &[
    Page {
        file: "jacobi1d",
        title: "Three points in one dimension",
        about: "Overlapped tiling (paper 001, from listing 2 to listing 4): every tile shares two elements with the next one. The versions of the \
                compiler have tiles of a size that is chosen later, with the tile in local memory, or of numbers; `listing_4` has those of the paper, which \
                yield three elements each.",
        text: "#[kernel]
#[strategy(listing_4: tile(3))]
#[strategy(in_local_memory: tile(3).to_local())]
fn Jacobi<N>(a: [f32; N]) -> [f32; N] {
    a.pad(1, 1, clamp).slide(3, 1).map(reduce(add, 0.0))
}",
        only: &[],
        sizes: &[&[1], &[3], &[10]],
    },
    Page {
        file: "jacobi2d",
        title: "Five points in two dimensions",
        about: "A block of points for each work-item, loaded into registers with what is around it: overlapped tiling, whose \
                tiles are numbers.",
        text: "fn cross(w: [[f32; 3]; 3]) -> f32 {
    0.5 * w[1][1] + 0.125 * w[0][1] + 0.25 * w[2][1] + 0.375 * w[1][0] + 0.625 * w[1][2]
}

#[kernel]
fn Jacobi2d<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
    grid.pad2d(1, 1, clamp).slide2d(3, 1).map2d(cross)
}",
        only: &[],
        sizes: &[&[1, 1], &[5, 7], &[4, 8]],
    },
    Page {
        file: "convolution",
        title: "A convolution with a large window",
        about: "A work-group computes a tile, and keeps what it reads in local memory; inside of the tile, each work-item \
                computes a block, and meets every row of what the block needs once.",
        text: "#[kernel]
fn Blur<N, M>(weights: [f32; 7 * 7], image: [[f32; M]; N]) -> [[f32; M]; N] {
    image.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| zip(weights, w.join()).map(mul).reduce(add, 0.0))
}",
        only: &[],
        sizes: &[&[4, 5]],
    },
    Page {
        file: "separable",
        title: "A window of which each row is used by itself",
        about: "The largest of 7 × 7 points: rows first, which neighbours share, and columns afterwards, both in local memory.",
        text: "#[kernel]
fn Dilate<N, M>(image: [[i32; M]; N]) -> [[i32; M]; N] {
    image.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| w.join().reduce(max, i32::MIN))
}",
        only: &[],
        sizes: &[&[4, 5]],
    },
    Page {
        file: "gaussian",
        title: "A window whose weights are products",
        about: "A blur with constant weights: they are those of a column times those of a row, so that weighted sums of rows come first, and their weighted \
                sums afterwards.",
        text: "const BELL: [f32; 7] = [1.0, 6.0, 15.0, 20.0, 15.0, 6.0, 1.0];
const WEIGHTS: [[f32; 7]; 7] = array(7, |i| array(7, |j| BELL[i] * BELL[j]));

#[kernel]
fn Gaussian<N, M>(image: [[f32; M]; N]) -> [[f32; M]; N] {
    image.pad2d(3, 3, clamp).slide2d(7, 1).map2d(|w| zip(WEIGHTS.join(), w.join()).map(mul).reduce(add, 0.0) / 4096.0)
}",
        only: &[],
        sizes: &[&[4, 5]],
    },
    Page {
        file: "jacobi3d",
        title: "Thirteen points in three dimensions",
        about: "Points that are two away in every direction: blocks in registers, and rows that march through the planes.",
        text: "fn legs(w: [[[f32; 5]; 5]; 5]) -> f32 {
    let z = w[0][2][2] + 2.0 * w[1][2][2] + 3.0 * w[3][2][2] + 4.0 * w[4][2][2];
    let y = w[2][0][2] + 5.0 * w[2][1][2] + 6.0 * w[2][3][2] + 7.0 * w[2][4][2];
    let x = w[2][2][0] + 8.0 * w[2][2][1] + 9.0 * w[2][2][3] + 10.0 * w[2][2][4];
    w[2][2][2] + z + y + x
}

#[kernel]
fn Jacobi3d13<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
    grid.pad3d(2, 2, 2, clamp).slide3d(5, 1).map3d(legs)
}",
        only: &[],
        sizes: &[&[1, 1, 1], &[3, 2, 5]],
    },
    Page {
        file: "planes",
        title: "Seven points, in two and a half dimensions",
        about: "Parallel in two dimensions and a loop through the third (paper 001, section 5; thesis 004, section 5.7). In `planes`, a group goes through the \
                planes of a block, and the newest of them is in local memory. In `columns` there is no local memory: a work-item goes through a column by \
                itself, with the window that moves along in registers.",
        text: "fn faces(w: [[[f32; 3]; 3]; 3]) -> f32 {
    let z = w[0][1][1] + 2.0 * w[2][1][1];
    let y = w[1][0][1] + 3.0 * w[1][2][1];
    0.125 * (w[1][1][1] + z + y - w[1][1][0] - 5.0 * w[1][1][2])
}

#[kernel]
#[strategy(columns: tile3d(8, 1, 1).march())]
fn Jacobi3d7<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
    grid.pad3d(1, 1, 1, clamp).slide3d(3, 1).map3d(faces)
}",
        only: &["planes", "columns"],
        sizes: &[&[1, 1, 1], &[3, 2, 5], &[9, 1, 2]],
    },
    Page {
        file: "acoustic",
        title: "Sound in a room",
        about: "Two arrays, of which one is read by windows (paper 001, listing 3): each part of a `zip` is tiled by itself. A work-group goes \
                through planes, or a work-item through a column.",
        text: "fn pressure(before: f32, w: [[[f32; 3]; 3]; 3]) -> f32 {
    let around = w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2];
    0.5 * w[1][1][1] + 0.25 * around - before
}

#[kernel]
#[strategy(columns: tile3d(8, 1, 1).march())]
fn Acoustic<N, M, O>(before: [[[f32; O]; M]; N], now: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
    zip3d(before, now.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1)).map3d(pressure)
}",
        only: &[],
        sizes: &[&[1, 1, 1], &[3, 2, 5]],
    },
    Page {
        file: "jacobi2d_time",
        title: "Five points in two dimensions, six times",
        about: "Several steps in one launch, streamed through strips: one row of every step in each trip of a loop.",
        text: "fn cross(w: [[f32; 3]; 3]) -> f32 {
    0.5 * w[1][1] + 0.125 * w[0][1] + 0.25 * w[2][1] + 0.375 * w[1][0] + 0.625 * w[1][2]
}

fn step<n, m>(grid: [[f32; m]; n]) -> [[f32; m]; n] {
    grid.pad2d(1, 1, clamp).slide2d(3, 1).map2d(cross)
}

#[kernel]
fn Jacobi2d<N, M>(grid: [[f32; M]; N]) -> [[f32; M]; N] {
    iterate(6, step, grid)
}",
        only: &[],
        sizes: &[&[5, 7]],
    },
    Page {
        file: "jacobi3d_time",
        title: "Seven points in three dimensions, so many times",
        about: "Three steps in each launch, streamed through the planes of blocks; the steps that are left over are launches of one.",
        text: "fn faces(w: [[[f32; 3]; 3]; 3]) -> f32 {
    let z = w[0][1][1] + 2.0 * w[2][1][1];
    let y = w[1][0][1] + 3.0 * w[1][2][1];
    0.125 * (w[1][1][1] + z + y - w[1][1][0] - 5.0 * w[1][1][2])
}

fn step<n, m, o>(grid: [[[f32; o]; m]; n]) -> [[[f32; o]; m]; n] {
    grid.pad3d(1, 1, 1, mirror).slide3d(3, 1).map3d(faces)
}

#[kernel]
fn Jacobi3d<N, M, O>(steps: usize, grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
    iterate(steps, step, grid)
}",
        only: &[],
        sizes: &[&[2, 3, 4]],
    },
    Page {
        file: "jacobi3d27",
        title: "Twenty-seven points in three dimensions",
        about: "All points around a point (paper 001): a block in registers, planes that a work-group goes through, and columns that a work-item does.",
        text: "fn around(w: [[[f32; 3]; 3]; 3]) -> f32 {
    let below = w[0][0][0] + 2.0 * w[0][0][1] + w[0][0][2] + 3.0 * w[0][1][0] + w[0][1][1] + w[0][1][2] - w[0][2][0] + w[0][2][1] + w[0][2][2];
    let here = w[1][0][0] + w[1][0][1] + 4.0 * w[1][0][2] + w[1][1][0] + w[1][1][1] - w[1][1][2] + w[1][2][0] + w[1][2][1] + w[1][2][2];
    let above = w[2][0][0] + w[2][0][1] - w[2][0][2] + w[2][1][0] + 5.0 * w[2][1][1] + w[2][1][2] + w[2][2][0] + w[2][2][1] + w[2][2][2];
    below + 2.0 * here + 3.0 * above
}

#[kernel]
#[strategy(columns: tile3d(8, 1, 1).march())]
fn Jacobi3d27<N, M, O>(grid: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
    grid.pad3d(1, 1, 1, clamp).slide3d(3, 1).map3d(around)
}",
        only: &[],
        sizes: &[&[3, 2, 5]],
    },
    Page {
        file: "room",
        title: "A room with walls that reflect",
        about: "The room of thesis 004: two states of the air and the neighbours that are inside, in planes that a work-group goes through, and, in \
                `whole_columns`, with the window of a work-item in registers all the way through the room, as in listing 5.6. In `columns` it \
                goes through 8 planes, so that there are more work-items.",
        text: "fn inside(before: f32, w: [[[f32; 3]; 3]; 3], neighbours: f32) -> f32 {
    let loss = 0.01 * (6.0 - neighbours);
    let around = w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2];
    ((2.0 - neighbours / 3.0) * w[1][1][1] + around / 3.0 + (loss - 1.0) * before) / (1.0 + loss)
}

#[kernel]
#[strategy(whole_columns: march())]
#[strategy(columns: tile3d(8, 1, 1).march())]
fn Room<N, M, O>(
    before: [[[f32; O]; M]; N], now: [[[f32; O]; M]; N], neighbours: [[[f32; O]; M]; N],
) -> [[[f32; O]; M]; N] {
    zip3d(before, now.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1), neighbours).map3d(inside)
}",
        only: &[],
        sizes: &[&[2, 3, 5]],
    },
    Page {
        file: "room_volume",
        title: "A room whose air absorbs",
        about: "The volume of thesis 004 (listings 6.1 and 6.20): windows of two states, and nothing is computed outside of the room, where no neighbour is inside.",
        text: "fn around(w: [[[f32; 3]; 3]; 3]) -> f32 {
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

#[kernel]
fn Volume<N, M, O>(
    courant_squared: f32,
    absorption: f32,
    previous: [[[f32; O]; M]; N],
    current: [[[f32; O]; M]; N],
    neighbours: [[[i32; O]; M]; N],
) -> [[[f32; O]; M]; N] {
    let before = previous.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1);
    let now = current.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1);
    zip3d(before, now, neighbours).map3d(pressure(courant_squared, absorption))
}",
        only: &[],
        sizes: &[&[1, 1, 1], &[2, 3, 5]],
    },
    Page {
        file: "room_counted",
        title: "A room whose walls are counted where they are needed",
        about: "Thesis 004 computes how many neighbours of a point are inside of the room from where it is (listings 4.11 and 4.12), and reads what it needs of a \
                window (in listing 4.10 it sums all of it with weights). Here that is the array that a function of indices describes: nothing stores it, and inside of a \
                block most of it is known.",
        text: "fn open(i: usize, n: usize) -> f32 {
    (if i > 0 { 1.0 } else { 0.0 }) + (if i + 1 < n { 1.0 } else { 0.0 })
}

fn inside(before: f32, w: [[[f32; 3]; 3]; 3], neighbours: f32) -> f32 {
    let loss = 0.01 * (6.0 - neighbours);
    let around = w[0][1][1] + w[2][1][1] + w[1][0][1] + w[1][2][1] + w[1][1][0] + w[1][1][2];
    ((2.0 - neighbours / 3.0) * w[1][1][1] + around / 3.0 + (loss - 1.0) * before) / (1.0 + loss)
}

#[kernel]
fn Room<N, M, O>(before: [[[f32; O]; M]; N], now: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
    let neighbours = array(N, |z| array(M, |y| array(O, |x| open(z, N) + open(y, M) + open(x, O))));
    zip3d(before, now.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1), neighbours).map3d(inside)
}",
        only: &[],
        sizes: &[&[1, 1, 1], &[3, 2, 5]],
    },
    Page {
        file: "dot",
        title: "A dot product",
        about: "A reduction of a whole array is two launches: chunks by work-groups, each in local memory, and their results.",
        text: "#[kernel]
fn Dot<N>(x: [f32; N], y: [f32; N]) -> f32 {
    zip(x, y).map(mul).reduce(add, 0.0)
}",
        only: &[],
        sizes: &[&[1], &[5], &[700]],
    },
    Page {
        file: "asum",
        title: "A sum of magnitudes",
        about: "What is computed from each element is fused with its reduction: nothing is stored in between.",
        text: "#[kernel]
fn Asum<N>(x: [f32; N]) -> f32 {
    x.map(abs).reduce(add, 0.0)
}",
        only: &[],
        sizes: &[&[1], &[700]],
    },
    Page {
        file: "gemv",
        title: "A matrix and a vector",
        about: "A dot product for each row: by a work-item, or by a work-group, whose items read vectors side by side. What does not fill \
                a vector for each item is reduced by itself, so that every length is fine.",
        text: "#[kernel]
fn Gemv<N, M>(alpha: f32, a: [[f32; M]; N], x: [f32; M], beta: f32, y: [f32; N]) -> [f32; N] {
    zip(a, y).map(|(row, y)| alpha * zip(row, x).map(mul).reduce(add, 0.0) + beta * y)
}",
        only: &[],
        sizes: &[&[1, 1], &[3, 70], &[2, 1030]],
    },
    Page {
        file: "gemm",
        title: "A product of matrices",
        about: "A group computes 128 × 128 elements, an item 8 × 8 of them in registers; the group shares steps of 16 rows and columns in \
                local memory.",
        text: "#[kernel]
fn Gemm<N, M, K>(alpha: f32, a: [[f32; K]; N], b: [[f32; M]; K], beta: f32, c: [[f32; M]; N]) -> [[f32; M]; N] {
    let columns = b.transpose();
    zip(a, c).map(|(row, c)| zip(columns, c).map(|(column, c)| {
        alpha * zip(row, column).map(mul).reduce(add, 0.0) + beta * c
    }))
}",
        only: &[],
        sizes: &[&[1, 1, 1], &[3, 130, 35]],
    },
];

/// A room of which the points around a point are summed up.
const ROOM: &str = "fn open(i: usize, n: usize) -> f32 {
    (if i > 0 { 1.0 } else { 0.0 }) + (if i + 1 < n { 1.0 } else { 0.0 })
}

fn inside(before: f32, w: [[[f32; 3]; 3]; 3], neighbours: f32) -> f32 {
    let loss = 0.01 * (6.0 - neighbours);
    let around = AROUND;
    ((2.0 - neighbours / 3.0) * w[1][1][1] + around / 3.0 + (loss - 1.0) * before) / (1.0 + loss)
}

#[kernel]
fn Room<N, M, O>(before: [[[f32; O]; M]; N], now: [[[f32; O]; M]; N]) -> [[[f32; O]; M]; N] {
    let neighbours = array(N, |z| array(M, |y| array(O, |x| open(z, N) + open(y, M) + open(x, O))));
    zip3d(before, now.pad3d(1, 1, 1, constant(0.0)).slide3d(3, 1), neighbours).map3d(inside)
}";

const WEIGHTS: &str = "const WEIGHTS: [[[f32; 3]; 3]; 3] = [
    [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]],
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
    [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]],
];

";
/// The sum of listing 4.10 in thesis 004.
pub(super) const WEIGHTED: &str = "zip(w.join().join(), WEIGHTS.join().join()).map(mul).reduce(add, 0.0)";

/// The sum of listing 4.12.
pub(super) const NAMED: &str =
    "0.0 + w[0][1][1] + w[1][0][1] + w[1][1][0] + w[1][1][2] + w[1][2][1] + w[2][1][1]";

/// The room with one of these sums.
pub(super) fn room(sum: &str) -> String {
    let constants = if sum.contains("WEIGHTS") { WEIGHTS } else { "" };
    format!("{constants}{}", ROOM.replace("AROUND", sum))
}
