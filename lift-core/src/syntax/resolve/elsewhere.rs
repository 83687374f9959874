//! Names of other languages and libraries, and what Lift has instead. `xs` in a proposal is the array that the
//! user's call works on; other words stand for the user's arguments where the row lists them after the name.

/// A name, with its arguments if the proposal names them, and what to write.
type Row = (&'static str, &'static str);

/// What the user calls the arguments of a call, as far as they are words.
#[derive(Debug, Default)]
pub(in crate::syntax) struct Wrote {
    /// The array that the call works on.
    pub(in crate::syntax) owner: Option<String>,
    /// Whether it stands before the dot.
    pub(in crate::syntax) is_method: bool,
    /// The arguments in parentheses.
    pub(in crate::syntax) args: Vec<Option<String>>,
}

/// What leaves an array as it is. It is left out, and the rest is read as if it were not there.
pub(in crate::syntax) const IDLE: &[Row] = &[
    ("iter", "arrays need no iterator: leave out `.iter()`"),
    ("into_iter", "arrays need no iterator: leave out `.into_iter()`"),
    ("iter_mut", "arrays need no iterator: leave out `.iter_mut()`"),
    ("par_iter", "everything is parallel where it can be: leave out `.par_iter()`"),
    ("collect", "leave it out: `xs.map(f)` is an array"),
    ("to_vec", "leave it out: arrays are values"),
    ("to_owned", "leave it out: arrays are values"),
    ("clone", "leave it out: arrays are values"),
    ("copied", "leave it out: arrays are values"),
    ("cloned", "leave it out: arrays are values"),
    ("as_slice", "leave it out: arrays are values"),
];

/// Functions and methods.
pub(in crate::syntax) const FUNCTIONS: &[Row] = &[
    // Rust.
    (
        "sum",
        "write `xs.reduce(add, 0.0)`, of integers `xs.reduce(add, 0)`; for each row, `xs.map(reduce(add, 0.0))`",
    ),
    ("product", "write `xs.reduce(mul, 1.0)`, of integers `xs.reduce(mul, 1)`"),
    ("windows(xs, size)", "write `xs.slide(size, 1)`"),
    ("chunks(xs, size)", "write `xs.split(size)`"),
    ("chunks_exact(xs, size)", "write `xs.split(size)`"),
    ("flatten", "write `xs.join()`"),
    ("flat_map", "write `xs.map(f).join()`"),
    ("skip(xs, k)", "write `xs.drop(k)`"),
    ("enumerate", "write `zip(array(N, |i| i), xs)`, where `N` is the length"),
    ("len", "name the length in the parameter's type, `xs: [f32; N]`, and use `N`"),
    ("is_empty", "name the length in the parameter's type, `xs: [f32; N]`: it is at least 1"),
    ("filter", "the length of an array is part of its type; choose with `if` within `map`"),
    ("filter_map", "the length of an array is part of its type; choose with `if` within `map`"),
    ("retain", "the length of an array is part of its type; choose with `if` within `map`"),
    ("dedup", "the length of an array is part of its type; choose with `if` within `map`"),
    ("push(xs, x)", "the length of an array is part of its type; write `concat(xs, [x])`"),
    ("pop", "the length of an array is part of its type; write `xs.take(N - 1)`, where `N` is the length"),
    ("insert", "the length of an array is part of its type; write `concat` of the parts"),
    ("extend(xs, ys)", "write `concat(xs, ys)`"),
    ("append(xs, ys)", "write `concat(xs, ys)`"),
    ("chain(xs, ys)", "write `concat(xs, ys)`"),
    ("for_each", "write `xs.map(f)`"),
    ("inspect", "nothing can be printed within a kernel; return the value as a second result"),
    ("println", "nothing can be printed within a kernel; return the value as a second result"),
    ("rev", "write `xs.reverse()`"),
    ("any", "write `xs.map(f).reduce(|a, b| a || b, false)`"),
    ("all", "write `xs.map(f).reduce(|a, b| a && b, true)`"),
    ("count", "write `xs.map(|x| if f(x) { 1 } else { 0 }).reduce(add, 0)`"),
    ("contains(xs, value)", "write `xs.map(|v| v == value).reduce(|a, b| a || b, false)`"),
    ("position", "write `zip(array(N, |i| i), xs).map(|(i, x)| if f(x) { i } else { N }).reduce(min, N)`"),
    (
        "find",
        "write `zip(array(N, |i| i), xs).map(|(i, x)| if f(x) { i } else { N }).reduce(min, N)`, the first index",
    ),
    ("first", "write `xs[0]`"),
    ("last", "name the length in the parameter's type, `xs: [f32; N]`, and write `xs[N - 1]`"),
    ("get(xs, i)", "write `xs[i]`: an index is always in range"),
    ("unwrap", "leave it out: a value is always there"),
    ("expect", "leave it out: a value is always there"),
    ("swap", "nothing changes in Lift; an array in another order is `xs.reorder(|i, n| …)`"),
    ("sort", SORT),
    ("sorted", SORT),
    ("sort_by", SORT),
    ("sort_by_key", SORT),
    ("sort_unstable", SORT),
    ("argsort", SORT),
    ("max_by", LARGEST),
    ("max_by_key", BY_LARGEST_KEY),
    ("maximum", LARGEST),
    ("amax", LARGEST),
    ("min_by", SMALLEST),
    ("min_by_key", BY_SMALLEST_KEY),
    ("minimum", SMALLEST),
    ("amin", SMALLEST),
    (
        "argsort",
        "nothing is sorted; the index of the smallest element is `xs.argmin().0`, of the largest `xs.argmax().0`",
    ),
    ("position_max", "write `xs.argmax().0`"),
    ("position_min", "write `xs.argmin().0`"),
    ("scanr(f, z, xs)", "write `xs.scan_right(f, z)`"),
    ("scanr1(f, xs)", "write `xs.scan_right(f, z)`, with a neutral `z`"),
    ("step_by(xs, step)", "write `xs.split(step).map(|part| part[0])`"),
    ("into(x)", "write `x as u32`, with the type that is wanted"),
    ("try_into(x)", "write `x as u8`, with the type that is wanted"),
    ("default", "write the value: `0.0`, or `repeat(N, 0.0)` for an array"),
    // NumPy and others for arrays.
    ("mean", "write `xs.reduce(add, 0.0) / N as f32`, where `N` is the length"),
    ("average", "write `xs.reduce(add, 0.0) / N as f32`, where `N` is the length"),
    ("dot(a, b)", "write `zip(a, b).map(mul).reduce(add, 0.0)`"),
    ("inner(a, b)", "write `zip(a, b).map(mul).reduce(add, 0.0)`"),
    ("matmul(a, b)", MATRIX_PRODUCT),
    ("mm(a, b)", MATRIX_PRODUCT),
    ("norm", "write `xs.map(|x| x * x).reduce(add, 0.0).sqrt()`"),
    ("zeros", "write `repeat(N, 0.0)`, where `N` is the length"),
    ("zeros_like", "write `repeat(N, 0.0)`, where `N` is the length"),
    ("ones", "write `repeat(N, 1.0)`, where `N` is the length"),
    ("ones_like", "write `repeat(N, 1.0)`, where `N` is the length"),
    ("full(N, x)", "write `repeat(N, x)`, where `N` is the length"),
    ("replicate(N, x)", "write `repeat(N, x)`, where `N` is the length"),
    ("arange", "write `array(N, |i| i)`, where `N` is the length"),
    ("iota", "write `array(N, |i| i)`, where `N` is the length"),
    ("linspace(a, b, N)", "write `array(N, |i| a + (b - a) * i as f32 / (N - 1) as f32)`"),
    ("clip", "write `clamp`, with both limits"),
    ("reshape", "write `xs.split(columns)` for rows, and `xs.join()` for one row of all"),
    ("ravel", "write `xs.join()`"),
    ("T", "write `xs.transpose()`"),
    ("shape", "name the extents in the parameter's type, `xs: [[f32; M]; N]`, and use `N` and `M`"),
    ("size", "name the length in the parameter's type, `xs: [f32; N]`, and use `N`"),
    ("length", "name the length in the parameter's type, `xs: [f32; N]`, and use `N`"),
    ("ndim", "the dimensions are part of the type: `[[f32; M]; N]` has two"),
    ("cumsum", "write `xs.scan(add, 0.0)`, of integers `xs.scan(add, 0)`"),
    ("cumprod", "write `xs.scan(mul, 1.0)`, of integers `xs.scan(mul, 1)`"),
    ("roll(xs, k)", "write `xs.pad(k, 0, wrap).take(N)`, where `N` is the length"),
    ("diff", "write `xs.slide(2, 1).map(|w| w[1] - w[0])`"),
    ("concatenate(a, b)", "write `concat(a, b)`"),
    ("stack(a, b)", "write `[a, b]`"),
    ("hstack(a, b)", "write `concat(a, b)`"),
    ("vstack(a, b)", "write `concat(a, b)`"),
    ("flip", "write `xs.reverse()`"),
    ("convolve(xs, weights)", CONVOLUTION),
    ("correlate(xs, weights)", CONVOLUTION),
    ("bincount", "count the elements of each value: `xs.histogram(bins)`"),
    ("array4d", "write `array(n, |i| array3d(a, b, c, |j, k, l| f(i, j, k, l)))`"),
    ("map4d", "write `xs.map(|x| x.map3d(f))`"),
    ("zip4d", "write `zip(xs, ys).map(|x, y| zip3d(x, y))`"),
    ("reduce4d", "write `xs.map(|x| x.reduce3d(add, 0.0)).reduce(add, 0.0)`"),
    ("reduce_by_index", BY_KEY),
    ("scatter_add", BY_KEY),
    ("index_add", BY_KEY),
    ("segment_sum", BY_KEY),
    ("groupby", BY_KEY),
    ("group_by", BY_KEY),
    ("astype", "write `xs.map(|x| x as f32)`"),
    ("select(b, a, c)", "write `if c { a } else { b }`"),
    // Haskell, Futhark and others.
    ("foldl(f, z, xs)", "write `xs.fold(f, z)`"),
    ("foldr(f, z, xs)", "write `xs.reverse().fold(f, z)`, where the function takes the state first"),
    ("zip_with(f, a, b)", "write `zip(a, b).map(f)`"),
    ("zipWith(f, a, b)", "write `zip(a, b).map(f)`"),
    ("map2(f, a, b)", "write `zip(a, b).map(f)`"),
    ("starmap(f, a, b)", "write `zip(a, b).map(f)`"),
    ("head", "write `xs[0]`"),
    ("tail", "write `xs.drop(1)`"),
    ("fst", "write `xs.0`"),
    ("snd", "write `xs.1`"),
    ("compose(f, g)", "write `f . g`, which applies `g` first"),
    // OpenCL and CUDA.
    ("get_global_id", WORK_ITEM),
    ("get_local_id", WORK_ITEM),
    ("get_group_id", WORK_ITEM),
    ("get_global_size", WORK_ITEM),
    ("get_local_size", WORK_ITEM),
    ("atomic_add", ATOMIC),
    ("atomicAdd", ATOMIC),
    ("atomic_inc", ATOMIC),
    ("fma(x, a, b)", "write `x.mul_add(a, b)`, which is `x * a + b` rounded once"),
    ("mad(x, a, b)", "write `x.mul_add(a, b)`, which is `x * a + b` rounded once"),
    ("fabs(x)", "write `x.abs()`"),
    ("fmin(x, y)", "write `x.min(y)`"),
    ("fmax(x, y)", "write `x.max(y)`"),
    ("fmod(x, y)", "write `x % y`"),
    ("rsqrt(x)", "write `x.sqrt().recip()`"),
    ("native_rsqrt(x)", "write `x.sqrt().recip()`"),
    ("sqrtf(x)", "write `x.sqrt()`"),
    ("expf(x)", "write `x.exp()`"),
    ("logf(x)", "write `x.ln()`"),
    ("log(x)", "write `x.ln()`, or `x.log2()` or `x.log10()`"),
    ("powf32(x, y)", "write `x.powf(y)`"),
    ("convert_float(x)", "write `x as f32`"),
    ("convert_int(x)", "write `x as i32`"),
];

/// Values.
pub(in crate::syntax) const VALUES: &[Row] = &[
    ("True", "write `true`"),
    ("False", "write `false`"),
    ("TRUE", "write `true`"),
    ("FALSE", "write `false`"),
    ("NULL", "a value is always there: write one"),
    ("null", "a value is always there: write one"),
    ("nullptr", "a value is always there: write one"),
    ("nil", "a value is always there: write one"),
    ("INFINITY", "write `f32::INFINITY`"),
    ("inf", "write `f32::INFINITY`"),
    ("NAN", "write `f32::NAN`"),
    ("nan", "write `f32::NAN`"),
    ("EPSILON", "write `f32::EPSILON`"),
    ("FLT_MAX", "write `f32::MAX`"),
    ("FLT_EPSILON", "write `f32::EPSILON`"),
    ("INT_MAX", "write `i32::MAX`"),
    ("INT_MIN", "write `i32::MIN`"),
    ("M_PI", "write `f32::consts::PI`"),
    ("pi", "write `f32::consts::PI`"),
    ("threadIdx", WORK_ITEM),
    ("blockIdx", WORK_ITEM),
    ("blockDim", WORK_ITEM),
    ("gridDim", WORK_ITEM),
    ("self", "functions of a block have no `self`: use the parameter's name"),
];

const SORT: &str =
    "Lift does not sort: do it on the host; the largest element alone is `xs.reduce(max, f32::NEG_INFINITY)`";
/// The largest element.
pub(in crate::syntax) const LARGEST: &str =
    "the largest element is `xs.reduce(max, f32::NEG_INFINITY)`, of integers `xs.reduce(max, i32::MIN)`";
/// The smallest element.
pub(in crate::syntax) const SMALLEST: &str =
    "the smallest element is `xs.reduce(min, f32::INFINITY)`, of integers `xs.reduce(min, i32::MAX)`";
const BY_LARGEST_KEY: &str = "reduce pairs of a key and an element: `xs.map(|x| (key(x), x)).reduce(|a, b| if b.0 > a.0 { b } else { a }, \
     (i32::MIN, 0)).1`, of float keys from `f32::NEG_INFINITY`";
const BY_SMALLEST_KEY: &str = "reduce pairs of a key and an element: `xs.map(|x| (key(x), x)).reduce(|a, b| if b.0 < a.0 { b } else { a }, \
     (i32::MAX, 0)).1`, of float keys from `f32::INFINITY`";
const MATRIX_PRODUCT: &str =
    "write `a.map(|row| b.transpose().map(|column| zip(row, column).map(mul).reduce(add, 0.0)))`";
const CONVOLUTION: &str = "write `xs.pad(1, 1, clamp).slide(3, 1).map(|window| zip(window, weights).map(mul)\
     .reduce(add, 0.0))`, here for three weights";
const BY_KEY: &str =
    "for the sum of the elements with each key, write `xs.reduce_by_key(bins, add, 0, keys)`";
const WORK_ITEM: &str = "elements are computed wherever the compiler chooses: `xs.map(|x| …)` gives each element, \
     `array(N, |i| …)` each index";
const ATOMIC: &str = "nothing changes in Lift: to combine elements, write `xs.reduce(add, 0)`, and \
     `xs.reduce_by_key(bins, add, 0, keys)` for those of each key";

/// Whether a name is one of another language.
pub(in crate::syntax) fn knows(name: &str) -> bool {
    IDLE.iter().chain(FUNCTIONS).any(|(form, _)| called(form) == name)
}

/// The proposal for a name, in the words of the user's call.
pub(in crate::syntax) fn proposal(rows: &[Row], name: &str, wrote: &Wrote) -> Option<String> {
    let (form, help) = rows.iter().find(|(form, _)| called(form) == name)?;
    let names: Vec<&str> =
        form[name.len()..].split(['(', ',', ')']).map(str::trim).filter(|name| !name.is_empty()).collect();
    let mut args: Vec<Option<&str>> = wrote.args.iter().map(Option::as_deref).collect();
    if wrote.is_method {
        let place = names.iter().position(|name| *name == "xs").unwrap_or(0);
        args.insert(place.min(args.len()), wrote.owner.as_deref());
    }
    Some(replaced(help, |word| match names.iter().position(|name| *name == word) {
        Some(i) => args.get(i).copied().flatten(),
        None => wrote.owner.as_deref().filter(|_| word == "xs"),
    }))
}

/// A proposal about the array that the user calls `owner`.
pub(in crate::syntax) fn about(help: &str, owner: Option<&str>) -> String {
    replaced(help, |word| owner.filter(|_| word == "xs"))
}

/// `dot` of `dot(a, b)`.
fn called(form: &'static str) -> &'static str {
    form.split('(').next().unwrap_or(form)
}

/// The words within backquotes that stand for something of the user's, replaced.
fn replaced<'a>(help: &str, meant: impl Fn(&str) -> Option<&'a str>) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut text = String::new();
    for (i, part) in help.split('`').enumerate() {
        if i > 0 {
            text.push('`');
        }
        let mut rest = part;
        while let Some(c) = rest.chars().next().filter(|_| i % 2 == 1) {
            let end = rest.find(|other| is_word(other) != is_word(c));
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            text.push_str(if is_word(c) { meant(word).unwrap_or(word) } else { word });
            rest = after;
        }
        text.push_str(rest);
    }
    text
}
