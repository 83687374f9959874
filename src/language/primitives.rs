//! The primitives: for each its page of the reference, what editors show of it, and its signature as a method.

use super::{AnyBoundary, AnyFunction, AnyValue, Arguments, Array, Nat};

/// The functions, by name and as methods. The last parameter of each, the array to work on, is what the method is called on. All arguments of a
/// function are one, because it may be applied to some of them; so are those of methods that take different numbers of them.
///
/// Editors read the text that stands here, and documentation is the page, which several functions may share.
macro_rules! primitives {
    ($(
        $(@page $page:literal)?
        $(@see $see:literal)?
        $(#[doc = $about:literal])*
        $name:ident($($param:tt)*) -> $result:ty { $body:expr }: $type:ty;
    )*) => {
        $(
            $(#[cfg_attr(not(doc), doc = $about)])*
            #[cfg_attr(doc, doc = include_str!("../links.md"))]
            $(#[cfg_attr(any(doc, doctest), doc = include_str!(concat!("../../docs/language/", $page, ".md")))])?
            // Its examples are tested once.
            $(#[cfg_attr(all(doc, not(doctest)), doc = include_str!(concat!("../../docs/language/", $see, ".md")))])?
            pub fn $name<A: Arguments<$type>, U, N>(arguments: A) -> $type {
                arguments.result()
            }
        )*

        /// The primitives as methods of what they are applied to: `xs.slide(3, 1)` is `slide(3, 1, xs)`.
        #[allow(unused_variables, reason = "these are signatures")]
        pub trait Primitives: Sized {
            $(
                $(#[doc = $about])*
                fn $name<U, N>($($param)*) -> $result { $body }
            )*
        }
    };
}

#[cfg_attr(not(doc), doc = "The array whose element `i` is `f(i)`, computed where it is read.")]
#[cfg_attr(not(doc), doc = "")]
#[cfg_attr(not(doc), doc = "```text")]
#[cfg_attr(not(doc), doc = "array(n: Nat, f: fn(usize) -> T) -> [T; n]")]
#[cfg_attr(not(doc), doc = "")]
#[cfg_attr(not(doc), doc = "array(n, f)[i] = f(i)")]
#[cfg_attr(not(doc), doc = "")]
#[cfg_attr(not(doc), doc = "array(4, |i| 10 * i)    0 10 20 30")]
#[cfg_attr(not(doc), doc = "```")]
#[cfg_attr(doc, doc = include_str!("../links.md"))]
#[cfg_attr(any(doc, doctest), doc = include_str!("../../docs/language/array.md"))]
pub fn array<A: Arguments<Array<U, N>>, U, N>(arguments: A) -> Array<U, N> {
    arguments.result()
}

#[cfg_attr(not(doc), doc = "The array whose element `[i][j]` is `f(i, j)`.")]
#[cfg_attr(not(doc), doc = "")]
#[cfg_attr(not(doc), doc = "```text")]
#[cfg_attr(not(doc), doc = "array2d(n: Nat, m: Nat, f: fn(usize, usize) -> T) -> [[T; m]; n]")]
#[cfg_attr(not(doc), doc = "```")]
#[cfg_attr(doc, doc = include_str!("../links.md"))]
#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../../docs/language/array.md"))]
pub fn array2d<A: Arguments<Array<U, N>>, U, N>(arguments: A) -> Array<U, N> {
    arguments.result()
}

#[cfg_attr(not(doc), doc = "The array whose element `[i][j][k]` is `f(i, j, k)`.")]
#[cfg_attr(not(doc), doc = "")]
#[cfg_attr(not(doc), doc = "```text")]
#[cfg_attr(
    not(doc),
    doc = "array3d(n: Nat, m: Nat, o: Nat, f: fn(usize, usize, usize) -> T) -> [[[T; o]; m]; n]"
)]
#[cfg_attr(not(doc), doc = "```")]
#[cfg_attr(doc, doc = include_str!("../links.md"))]
#[cfg_attr(all(doc, not(doctest)), doc = include_str!("../../docs/language/array.md"))]
pub fn array3d<A: Arguments<Array<U, N>>, U, N>(arguments: A) -> Array<U, N> {
    arguments.result()
}

primitives! {
    @page "map"
    /// Applies `f` to every element. The only source of parallelism.
    ///
    /// ```text
    /// map(f: fn(T) -> U, xs: [T; n]) -> [U; n]
    ///
    /// map(f, xs)[i] = f(xs[i])
    ///
    /// xs              a    b    c
    /// map(f)        f(a) f(b) f(c)
    /// ```
    map(self, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "map"
    /// `map` over rows and their elements.
    ///
    /// ```text
    /// map2d(f: fn(T) -> U, xs: [[T; m]; n]) -> [[U; m]; n]
    /// ```
    map2d(self, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "map"
    /// `map` over planes, rows and elements.
    ///
    /// ```text
    /// map3d(f: fn(T) -> U, xs: [[[T; o]; m]; n]) -> [[[U; o]; m]; n]
    /// ```
    map3d(self, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "reduce"
    /// Combines all elements with `f`, which is associative and commutative and has the identity `z`.
    ///
    /// ```text
    /// reduce(f: fn(T, T) -> T, z: T, xs: [T; n]) -> T
    ///
    /// reduce(f, z, [a, b, c]) = f(f(f(z, a), b), c), in any order
    ///
    /// xs               a b c
    /// reduce(add, 0)   0 + a + b + c
    /// ```
    reduce(self, f: impl AnyFunction, z: U) -> U { z }: U;

    @see "reduce"
    /// Combines all elements of all rows.
    ///
    /// ```text
    /// reduce2d(f: fn(T, T) -> T, z: T, xs: [[T; m]; n]) -> T
    /// ```
    reduce2d(self, f: impl AnyFunction, z: U) -> U { z }: U;

    @see "reduce"
    /// Combines all elements of all planes.
    ///
    /// ```text
    /// reduce3d(f: fn(T, T) -> T, z: T, xs: [[[T; o]; m]; n]) -> T
    /// ```
    reduce3d(self, f: impl AnyFunction, z: U) -> U { z }: U;

    @page "argmin"
    /// The index of the smallest element, the first of several, and its value.
    ///
    /// ```text
    /// argmin(xs: [T; n]) -> (usize, T)
    ///
    /// argmin(xs) = (i, xs[i]) with the smallest xs[i], and of these the smallest i
    ///
    /// xs         7 3 5 3
    /// argmin     (1, 3)
    /// ```
    argmin(self) -> (usize, Array<U, N>) { (0, Array::NEW) }: U;

    @see "argmin"
    /// The index of the largest element, the first of several, and its value.
    ///
    /// ```text
    /// argmax(xs: [T; n]) -> (usize, T)
    /// ```
    argmax(self) -> (usize, Array<U, N>) { (0, Array::NEW) }: U;

    @page "fold"
    /// Combines all elements with any `f`, strictly left to right, starting with `z`.
    ///
    /// ```text
    /// fold(f: fn(U, T) -> U, z: U, xs: [T; n]) -> U
    ///
    /// fold(f, z, [a, b, c]) = f(f(f(z, a), b), c), in this order
    /// ```
    fold(self, f: impl AnyFunction, z: U) -> U { z }: U;

    @page "scan"
    /// All inclusive prefixes, combined with `f`, which is associative and has the identity `z`.
    ///
    /// ```text
    /// scan(f: fn(T, T) -> T, z: T, xs: [T; n]) -> [T; n]
    ///
    /// scan(f, z, xs)[i] = reduce(f, z, take(i + 1, xs))
    ///
    /// xs              a  b    c
    /// scan(add, 0)    a  a+b  a+b+c
    /// ```
    scan(self, f: impl AnyFunction, z: impl AnyValue) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "scan_right"
    /// All inclusive suffixes, combined with `f`: `scan` from the end.
    ///
    /// ```text
    /// scan_right(f: fn(T, T) -> T, z: T, xs: [T; n]) -> [T; n]
    ///
    /// scan_right(f, z, xs) = reverse(scan(f, z, reverse(xs)))
    ///
    /// xs                    a      b    c
    /// scan_right(add, 0)    a+b+c  b+c  c
    /// ```
    scan_right(self, f: impl AnyFunction, z: impl AnyValue) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "scan_with"
    /// What any `f` makes of each element and a state, strictly left to right, starting with `z`: `f` gives the next state and an element.
    ///
    /// ```text
    /// scan_with(f: fn(S, T) -> (S, U), z: S, xs: [T; n]) -> [U; n]
    ///
    /// (s[i + 1], scan_with(f, z, xs)[i]) = f(s[i], xs[i]), where s[0] = z
    /// ```
    scan_with(self, f: impl AnyFunction, z: impl AnyValue) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "scan_with"
    /// `scan_with` from the end.
    ///
    /// ```text
    /// scan_right_with(f: fn(S, T) -> (S, U), z: S, xs: [T; n]) -> [U; n]
    /// ```
    scan_right_with(self, f: impl AnyFunction, z: impl AnyValue) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "iterate"
    /// Applies `f` `k` times.
    ///
    /// ```text
    /// iterate(k: usize, f: fn(T) -> T, x: T) -> T
    ///
    /// iterate(k, f, x) = f(f(… f(x))), k times
    /// ```
    iterate(self, k: Nat, f: impl AnyFunction) -> Self { self }: U;

    @page "iterate_until"
    /// Applies `f` until `done` holds, at most `k` times.
    ///
    /// ```text
    /// iterate_until(k: usize, done: fn(T) -> bool, f: fn(T) -> T, x: T) -> T
    ///
    /// iterate_until(k, done, f, x) = the first of x, f(x), f(f(x)), … that is done, or the k-th
    /// ```
    iterate_until(self, k: Nat, done: impl AnyFunction, f: impl AnyFunction) -> Self { self }: U;

    @page "zip"
    /// Pairs the elements of two arrays of one length, or more.
    ///
    /// ```text
    /// zip(a: [A; n], b: [B; n]) -> [(A, B); n]
    ///
    /// zip(a, b)[i] = (a[i], b[i]),  unzip(xs).0[i] = xs[i].0
    ///
    /// a           1     2
    /// b           3     4
    /// zip(a, b)  (1, 3) (2, 4)
    /// ```
    zip(self, arguments: impl AnyValue) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "zip"
    /// Pairs the elements of arrays of one shape in two dimensions.
    ///
    /// ```text
    /// zip2d(a: [[A; m]; n], b: [[B; m]; n]) -> [[(A, B); m]; n]
    /// ```
    zip2d(self, arguments: impl AnyValue) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "zip"
    /// Pairs the elements of arrays of one shape in three dimensions.
    ///
    /// ```text
    /// zip3d(a: [[[A; o]; m]; n], b: [[[B; o]; m]; n]) -> [[[(A, B); o]; m]; n]
    /// ```
    zip3d(self, arguments: impl AnyValue) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "zip"
    /// An array for each part of the tuples in an array.
    ///
    /// ```text
    /// unzip(xs: [(A, B); n]) -> ([A; n], [B; n])
    /// ```
    unzip(self) -> (Array<U, N>, Array<U, N>) { (Array::NEW, Array::NEW) }: U;

    @see "zip"
    /// `unzip` in two dimensions.
    ///
    /// ```text
    /// unzip2d(xs: [[(A, B); m]; n]) -> ([[A; m]; n], [[B; m]; n])
    /// ```
    unzip2d(self) -> (Array<U, N>, Array<U, N>) { (Array::NEW, Array::NEW) }: U;

    @see "zip"
    /// `unzip` in three dimensions.
    ///
    /// ```text
    /// unzip3d(xs: [[[(A, B); o]; m]; n]) -> ([[[A; o]; m]; n], [[[B; o]; m]; n])
    /// ```
    unzip3d(self) -> (Array<U, N>, Array<U, N>) { (Array::NEW, Array::NEW) }: U;

    @page "concat"
    /// Two arrays one after the other, or more.
    ///
    /// ```text
    /// concat(a: [T; n], b: [T; m]) -> [T; n + m]
    ///
    /// concat(a, b)[i] = if i < n { a[i] } else { b[i - n] }
    ///
    /// a, b            1 2, 3
    /// concat(a, b)    1 2 3
    /// ```
    concat(self, arguments: impl AnyValue) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "split"
    /// Cuts an array into pieces of `m` elements.
    ///
    /// ```text
    /// split(m: Nat, xs: [T; n]) -> [[T; m]; n / m]
    ///
    /// split(m, xs)[i][j] = xs[i * m + j],  join(xs)[i * m + j] = xs[i][j]
    ///
    /// xs          a b c d
    /// split(2)   [a b] [c d]
    /// join        a b c d
    /// ```
    split(self, m: Nat) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "split"
    /// Cuts an array into tiles.
    ///
    /// ```text
    /// split2d(rows: Nat, columns: Nat, xs: [[T; m]; n]) -> [[[[T; columns]; rows]; m / columns]; n / rows]
    /// ```
    split2d(self, rows: Nat, columns: Nat) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "split"
    /// Cuts an array into blocks.
    ///
    /// ```text
    /// split3d(planes: Nat, rows: Nat, columns: Nat, xs: [[[T; o]; m]; n]) -> [[[[[[T; columns]; rows]; planes]; o / columns]; m / rows]; n / planes]
    /// ```
    split3d(self, planes: Nat, rows: Nat, columns: Nat) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "split"
    /// Strings the rows of a two-dimensional array together.
    ///
    /// ```text
    /// join(xs: [[T; m]; n]) -> [T; n * m]
    /// ```
    join(self) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "split"
    /// Puts tiles together.
    ///
    /// ```text
    /// join2d(xs: [[[[T; b]; a]; m]; n]) -> [[T; m * b]; n * a]
    /// ```
    join2d(self) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "split"
    /// Puts blocks together.
    ///
    /// ```text
    /// join3d(xs: [[[[[[T; c]; b]; a]; o]; m]; n]) -> [[[T; o * c]; m * b]; n * a]
    /// ```
    join3d(self) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "transpose"
    /// Swaps the two outermost dimensions.
    ///
    /// ```text
    /// transpose(xs: [[T; m]; n]) -> [[T; n]; m]
    ///
    /// transpose(xs)[j][i] = xs[i][j]
    ///
    /// xs          [a b c] [d e f]
    /// transpose   [a d] [b e] [c f]
    /// ```
    transpose(self) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "slide"
    /// All windows of `size` neighbours, each `step` after the one before.
    ///
    /// ```text
    /// slide(size: Nat, step: Nat, xs: [T; n]) -> [[T; size]; (n - size + step) / step]
    ///
    /// slide(size, step, xs)[i][j] = xs[i * step + j]
    ///
    /// xs            a b c d e
    /// slide(3, 1)  [a b c] [b c d] [c d e]
    /// slide(3, 2)  [a b c] [c d e]
    /// ```
    slide(self, size: Nat, step: Nat) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "slide"
    /// All windows of rows and columns: a window is an array of rows.
    ///
    /// ```text
    /// slide2d(size: Nat, step: Nat, xs: [[T; m]; n])
    /// slide2d(size_y: Nat, step_y: Nat, size_x: Nat, step_x: Nat, xs: [[T; m]; n])
    /// ```
    slide2d(self, arguments: impl AnyValue) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "slide"
    /// All windows of planes, rows and columns.
    ///
    /// ```text
    /// slide3d(size: Nat, step: Nat, xs: [[[T; o]; m]; n])
    /// slide3d(size_z: Nat, step_z: Nat, size_y: Nat, step_y: Nat, size_x: Nat, step_x: Nat, xs: [[[T; o]; m]; n])
    /// ```
    slide3d(self, arguments: impl AnyValue) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "pad"
    /// Adds `l` elements before and `r` after, which the boundary `b` defines.
    ///
    /// ```text
    /// pad(l: Nat, r: Nat, b: Boundary<T>, xs: [T; n]) -> [T; l + n + r]
    ///
    /// pad(l, r, boundary, xs)[i] = xs[i - l] inside, and what the boundary says outside
    ///
    /// xs                   a b c
    /// pad(1, 1, clamp)   a a b c c
    /// ```
    pad(self, l: Nat, r: Nat, boundary: impl AnyBoundary) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "pad"
    /// Adds rows and columns around an array, which boundaries define.
    ///
    /// ```text
    /// pad2d(rows: Nat, columns: Nat, b: Boundary<T>, xs: [[T; m]; n])
    /// pad2d(top: Nat, bottom: Nat, left: Nat, right: Nat, by: Boundary<T>, bx: Boundary<T>, xs: [[T; m]; n])
    /// ```
    pad2d(self, arguments: impl AnyValue) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "pad"
    /// Adds planes, rows and columns around an array, which boundaries define.
    ///
    /// ```text
    /// pad3d(planes: Nat, rows: Nat, columns: Nat, b: Boundary<T>, xs: [[[T; o]; m]; n])
    /// pad3d(front: Nat, back: Nat, top: Nat, bottom: Nat, left: Nat, right: Nat, bz: Boundary<T>, by: Boundary<T>, bx: Boundary<T>, xs: [[[T; o]; m]; n])
    /// ```
    pad3d(self, arguments: impl AnyValue) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "repeat"
    /// `e`, `n` times.
    ///
    /// ```text
    /// repeat(n: Nat, e: T) -> [T; n]
    ///
    /// repeat(n, e)[i] = e
    ///
    /// repeat(3, a)    a a a
    /// ```
    repeat(self, n: Nat) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "at"
    /// Element `i`, also written `xs[i]`. `i` must be provably in range.
    ///
    /// ```text
    /// at(i: usize, xs: [T; n]) -> T
    /// ```
    at(self, i: usize) -> Array<U, N> { Array::NEW }: U;

    @page "take"
    /// The first `k` elements.
    ///
    /// ```text
    /// take(k: Nat, xs: [T; n]) -> [T; k]
    ///
    /// take(k, xs)[i] = xs[i],  drop(k, xs)[i] = xs[i + k],  crop(l, r, xs)[i] = xs[i + l]
    ///
    /// xs            a b c d e
    /// take(2)       a b
    /// drop(2)           c d e
    /// crop(1, 1)      b c d
    /// ```
    take(self, k: Nat) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "take"
    /// All but the first `k` elements.
    ///
    /// ```text
    /// drop(k: Nat, xs: [T; n]) -> [T; n - k]
    /// ```
    drop(self, k: Nat) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "take"
    /// All but `l` elements at the start and `r` at the end.
    ///
    /// ```text
    /// crop(l: Nat, r: Nat, xs: [T; n]) -> [T; n - l - r]
    /// ```
    crop(self, l: Nat, r: Nat) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "reorder"
    /// Element `i` is element `p(i, n)`; `p` is a permutation of the indices.
    ///
    /// ```text
    /// reorder(p: fn(usize, usize) -> usize, xs: [T; n]) -> [T; n]
    ///
    /// reorder(p, xs)[i] = xs[p(i, n)],  scatter(p, xs)[p(i, n)] = xs[i]
    ///
    /// xs          a b c d
    /// reverse     d c b a
    /// stride(2)   a c b d
    /// ```
    reorder(self, p: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "reorder"
    /// Element `i` becomes element `p(i, n)`; `p` is a permutation of the indices.
    ///
    /// ```text
    /// scatter(p: fn(usize, usize) -> usize, xs: [T; n]) -> [T; n]
    /// ```
    scatter(self, p: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "reorder"
    /// The elements from the last to the first.
    ///
    /// ```text
    /// reverse(xs: [T; n]) -> [T; n]
    /// ```
    reverse(self) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "reorder"
    /// Every `s`-th element, then those one further, and so on.
    ///
    /// ```text
    /// stride(s: Nat, xs: [T; n]) -> [T; n]
    /// ```
    stride(self, s: Nat) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "gather"
    /// The elements at the indices `idx`, which are integers.
    ///
    /// ```text
    /// gather(idx: [I; k], xs: [T; n]) -> [T; k]
    ///
    /// gather(idx, xs)[i] = xs[idx[i]]
    ///
    /// idx, xs     2 0 2,  a b c
    /// gather      c a c
    /// ```
    gather(self, idx: impl AnyValue) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "write_to"
    /// The new contents of a parameter, at the end of a kernel that updates it in place.
    ///
    /// ```text
    /// write_to(dst: [T; n], xs: [T; n])
    ///
    /// scatter_to(dst, idx, xs)[idx[i]] = xs[i], and dst elsewhere
    /// ```
    write_to(self, dst: impl AnyValue) -> () { () }: U;

    @see "write_to"
    /// The array `dst` with `xs` at the indices `idx`, which are distinct integers.
    ///
    /// ```text
    /// scatter_to(dst: [T; n], idx: [I; k], xs: [T; k]) -> [T; n]
    /// ```
    scatter_to(self, dst: impl AnyValue, idx: impl AnyValue) -> () { () }: U;

    @page "reduce_by_key"
    /// For every key below `bins` all elements with this key, combined with `f`, which is associative and commutative and has the identity `z`.
    ///
    /// ```text
    /// reduce_by_key(bins: Nat, f: fn(T, T) -> T, z: T, keys: [I; n], xs: [T; n]) -> [T; bins]
    ///
    /// reduce_by_key(bins, f, z, keys, xs)[k] = the reduction of all xs[i] with keys[i] = k
    ///
    /// keys                   0 2 0
    /// xs                     a b c
    /// reduce_by_key(3, …)    a+c z b
    /// ```
    reduce_by_key(self, bins: Nat, f: impl AnyFunction, z: impl AnyValue, keys: impl AnyValue) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "reduce_by_key"
    /// How many keys there are of each number below `bins`.
    ///
    /// ```text
    /// histogram(bins: Nat, keys: [I; n]) -> [u32; bins]
    /// ```
    histogram(self, bins: Nat) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "materialize"
    /// Stores its argument in global memory: what reads it is another launch.
    ///
    /// ```text
    /// materialize(x: T) -> T
    ///
    /// materialize(xs) = xs
    /// ```
    materialize(self) -> Self { self }: U;

    @page "map_vec"
    /// `map`, all elements at once, in the lanes of vectors. The length is 2, 3, 4, 8 or 16.
    ///
    /// ```text
    /// map_vec(f: fn(T) -> U, xs: [T; n]) -> [U; n]
    ///
    /// vectorize(w, f, xs) = map(f, xs)
    /// ```
    map_vec(self, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "map_vec"
    /// Cuts an array into vectors.
    ///
    /// ```text
    /// as_vector(w: Nat, xs: [T; n]) -> [[T; w]; n / w]
    /// ```
    as_vector(self, w: Nat) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "map_vec"
    /// Puts vectors together.
    ///
    /// ```text
    /// as_scalar(xs: [[T; m]; n]) -> [T; n * m]
    /// ```
    as_scalar(self) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "map_vec"
    /// `map` by vectors of `w` elements, and what fills none of them one by one.
    ///
    /// ```text
    /// vectorize(w: Nat, f: fn(T) -> U, xs: [T; n]) -> [U; n]
    /// ```
    vectorize(self, w: Nat, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "map_global"
    /// `map`, one global work-item of dimension `d` per element.
    ///
    /// ```text
    /// map_global(d: Nat, f: fn(T) -> U, xs: [T; n]) -> [U; n]
    ///
    /// map_global(d, f, xs) = map(f, xs)
    /// ```
    map_global(self, d: Nat, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "map_global"
    /// `map_global` in two dimensions: 1 for rows, 0 for columns.
    ///
    /// ```text
    /// map_global2d(f: fn(T) -> U, xs: [[T; m]; n]) -> [[U; m]; n]
    /// ```
    map_global2d(self, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "map_global"
    /// `map_global` in three dimensions: 2 for planes, 1 for rows, 0 for columns.
    ///
    /// ```text
    /// map_global3d(f: fn(T) -> U, xs: [[[T; o]; m]; n]) -> [[[U; o]; m]; n]
    /// ```
    map_global3d(self, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "map_workgroup"
    /// `map`, one work-group of dimension `d` per element.
    ///
    /// ```text
    /// map_workgroup(d: Nat, f: fn(T) -> U, xs: [T; n]) -> [U; n]
    ///
    /// map_workgroup(d, f, xs) = map_local(d, f, xs) = map(f, xs)
    /// ```
    map_workgroup(self, d: Nat, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "map_workgroup"
    /// `map_workgroup` in two dimensions: 1 for rows, 0 for columns.
    ///
    /// ```text
    /// map_workgroup2d(f: fn(T) -> U, xs: [[T; m]; n]) -> [[U; m]; n]
    /// ```
    map_workgroup2d(self, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "map_workgroup"
    /// `map_workgroup` in three dimensions: 2 for planes, 1 for rows, 0 for columns.
    ///
    /// ```text
    /// map_workgroup3d(f: fn(T) -> U, xs: [[[T; o]; m]; n]) -> [[[U; o]; m]; n]
    /// ```
    map_workgroup3d(self, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "map_workgroup"
    /// `map`, the work-items of one work-group share the elements in dimension `d`.
    ///
    /// ```text
    /// map_local(d: Nat, f: fn(T) -> U, xs: [T; n]) -> [U; n]
    /// ```
    map_local(self, d: Nat, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "map_workgroup"
    /// `map_local` in two dimensions: 1 for rows, 0 for columns.
    ///
    /// ```text
    /// map_local2d(f: fn(T) -> U, xs: [[T; m]; n]) -> [[U; m]; n]
    /// ```
    map_local2d(self, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "map_workgroup"
    /// `map_local` in three dimensions: 2 for planes, 1 for rows, 0 for columns.
    ///
    /// ```text
    /// map_local3d(f: fn(T) -> U, xs: [[[T; o]; m]; n]) -> [[[U; o]; m]; n]
    /// ```
    map_local3d(self, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "map_warp"
    /// `map`, the warps of one work-group share the elements: each is 32 neighbours in dimension 0.
    ///
    /// ```text
    /// map_warp(f: fn(T) -> U, xs: [T; n]) -> [U; n]
    ///
    /// map_warp(f, xs) = map_lane(f, xs) = map(f, xs)
    /// ```
    map_warp(self, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "map_warp"
    /// `map`, the work-items of one warp share the elements.
    ///
    /// ```text
    /// map_lane(f: fn(T) -> U, xs: [T; n]) -> [U; n]
    /// ```
    map_lane(self, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "map_seq"
    /// `map` as a loop.
    ///
    /// ```text
    /// map_seq(f: fn(T) -> U, xs: [T; n]) -> [U; n]
    ///
    /// map_seq(f, xs) = map_seq_unroll(f, xs) = map(f, xs)
    /// ```
    map_seq(self, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "map_seq"
    /// `map`, written out element by element. The length is a number.
    ///
    /// ```text
    /// map_seq_unroll(f: fn(T) -> U, xs: [T; n]) -> [U; n]
    /// ```
    map_seq_unroll(self, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "map_seq"
    /// `map_seq_unroll` over rows and their elements.
    ///
    /// ```text
    /// map_seq_unroll2d(f: fn(T) -> U, xs: [[T; m]; n]) -> [[U; m]; n]
    /// ```
    map_seq_unroll2d(self, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "map_seq"
    /// `map_seq_unroll` over planes, rows and elements.
    ///
    /// ```text
    /// map_seq_unroll3d(f: fn(T) -> U, xs: [[[T; o]; m]; n]) -> [[[U; o]; m]; n]
    /// ```
    map_seq_unroll3d(self, f: impl AnyFunction) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "reduce_seq"
    /// `reduce` as a loop, strictly left to right.
    ///
    /// ```text
    /// reduce_seq(f: fn(U, T) -> U, z: U, xs: [T; n]) -> U
    ///
    /// reduce_seq(f, z, xs) = fold(f, z, xs)
    /// ```
    reduce_seq(self, f: impl AnyFunction, z: U) -> U { z }: U;

    @see "reduce_seq"
    /// `reduce`, written out element by element. The length is a number.
    ///
    /// ```text
    /// reduce_seq_unroll(f: fn(U, T) -> U, z: U, xs: [T; n]) -> U
    /// ```
    reduce_seq_unroll(self, f: impl AnyFunction, z: U) -> U { z }: U;

    @page "reduce_part"
    /// Reduces to `k` elements, in place of one.
    ///
    /// ```text
    /// reduce_part(f: fn(T, T) -> T, z: T, k: Nat, xs: [T; n]) -> [T; k]
    ///
    /// reduce(f, z, reduce_part(f, z, k, xs)) = reduce(f, z, xs)
    /// ```
    reduce_part(self, f: impl AnyFunction, z: impl AnyValue, k: Nat) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "scan_seq"
    /// `scan` as a loop that stores as it goes, with any `f`.
    ///
    /// ```text
    /// scan_seq(f: fn(U, T) -> U, z: U, xs: [T; n]) -> [U; n]
    ///
    /// scan_seq(f, z, xs) = scan(f, z, xs)
    /// ```
    scan_seq(self, f: impl AnyFunction, z: impl AnyValue) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "slide_seq"
    /// `slide` for a loop: what a window shares with the one before is kept, not read again.
    ///
    /// ```text
    /// slide_seq(size: Nat, step: Nat, xs: [T; n]) -> [[T; size]; (n - size + step) / step]
    ///
    /// slide_seq(size, step, xs) = slide(size, step, xs)
    /// ```
    slide_seq(self, size: Nat, step: Nat) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @page "to_private"
    /// Stores its argument in the registers of the work-item.
    ///
    /// ```text
    /// to_private(x: T) -> T
    ///
    /// to_private(x) = to_local(x) = x
    /// ```
    to_private(self) -> Self { self }: U;

    @see "to_private"
    /// Stores its argument in local memory.
    ///
    /// ```text
    /// to_local(x: T) -> T
    /// ```
    to_local(self) -> Self { self }: U;

    @page "to_global"
    /// Stores its argument in global memory, where every work-group has a part of its own.
    ///
    /// ```text
    /// to_global(x: T) -> T
    ///
    /// to_global(x) = x
    /// ```
    to_global(self) -> Self { self }: U;

    @page "increase"
    /// The same array, with room for `l` more elements before and `r` after it in local memory.
    ///
    /// ```text
    /// increase(l: Nat, r: Nat, xs: [T; n]) -> [T; n]
    ///
    /// increase(l, r, xs) = xs
    /// ```
    increase(self, l: Nat, r: Nat) -> Array<U, N> { Array::NEW }: Array<U, N>;

    @see "increase"
    /// The same rows, with room for `t` more before and `b` after them in local memory, and for `l` and `r` more elements in each.
    ///
    /// ```text
    /// increase2d(t: Nat, b: Nat, l: Nat, r: Nat, xs: [[T; m]; n]) -> [[T; m]; n]
    /// ```
    increase2d(self, t: Nat, b: Nat, l: Nat, r: Nat) -> Array<U, N> { Array::NEW }: Array<U, N>;
}
