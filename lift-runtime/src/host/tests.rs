//! What generated code counts on.

use super::*;

/// The bytes of an array.
fn bytes<T: Element>(elements: &mut [T]) -> &mut [u8] {
    // SAFETY: elements are plain bytes, and any bytes are elements.
    unsafe { elements.align_to_mut().1 }
}

fn scalar(bytes: &[u8], elem: ScalarType) -> Argument<'static> {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    Argument::Scalar(all, elem)
}

fn call(items: usize, arguments: Vec<Argument<'_>>) -> Call<'_> {
    Call { items, sizes: &[], tunables: &[], arguments }
}

/// Runs a function on threads of its own: the main thread of a test does not wait for those that all share.
fn on_threads<R: Send>(threads: usize, f: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    pool.install(f)
}

/// Adds to each element of the rows of its items what says whose it is.
struct Rows;

impl Function for Rows {
    #[inline(always)]
    fn run(part: &mut Part<'_>) {
        let (first, last) = part.items();
        let n: u32 = part.scalar(1);
        let (rows, start) = part.own::<u32>(0);
        assert_eq!(start, first * n as isize);
        for (row, item) in rows.chunks_mut(n as usize).zip(first..last) {
            for (x, column) in row.iter_mut().zip(0..) {
                *x += item as u32 * n + column + 1;
            }
        }
    }
}

const ROWS: Entry = Entry::new::<Rows>("rows");

#[test]
fn parts_cover_all_items_once() {
    for (items, n) in [(1, 1), (7, 3), (1000, 17), (40_000, 1), (33, 700), (64, 16_384 / 64), (5_000, 5)] {
        if cfg!(miri) && items * n > 20_000 {
            continue;
        }
        let mut rows = vec![0_u32; items * n];
        let n_bytes = (n as u32).to_ne_bytes();
        let arguments =
            vec![Argument::Own(bytes(&mut rows), ScalarType::U32, n), scalar(&n_bytes, ScalarType::U32)];
        assert_eq!(on_threads(3, || launch(&ROWS, call(items, arguments))), Ok(()));
        assert!(rows.iter().zip(1..).all(|(&x, wanted)| x == wanted), "{items} times {n}");
    }
}

#[test]
fn boundaries_lie_between_lines() {
    for (items, each) in
        [(1_000_000, 1), (4096, 4096), (12_345, 3), (100, 100_000), (65, 1 << 20), (16_384, 1)]
    {
        let mut array = vec![0_u8; (items * each).min(1 << 20)];
        let arguments = vec![Argument::Own(&mut array, ScalarType::F32, each)];
        let parts = on_threads(4, || split::Parts::of(&call(items, arguments), (1, 1)));
        let ranges: Vec<_> = (0..parts.count()).map(|part| parts.items(part)).collect();
        assert!((1..=64).contains(&ranges.len()));
        assert_eq!((ranges[0].0, ranges[ranges.len() - 1].1), (0, items));
        for pair in ranges.windows(2) {
            assert_eq!(pair[0].1, pair[1].0);
            assert!(pair[0].0 < pair[0].1);
            assert_eq!(pair[0].1 * each * 4 % 64, 0, "{items} of {each}");
        }
    }
    // Where there are few items, parts are more important.
    let (mut few, much) = (vec![0_u8; 4 * 32], vec![0; 1 << 20]);
    let arguments = vec![Argument::Own(&mut few, ScalarType::F32, 1), Argument::Read(&much, ScalarType::U8)];
    assert_eq!(on_threads(4, || split::Parts::of(&call(32, arguments), (1, 1)).count()), 32);
}

#[test]
fn parts_have_whole_blocks() {
    let much = vec![0; 1 << 24];
    for (items, count) in [(1, 1), (3, 1), (4, 1), (7, 1), (8, 2), (64, 4), (67, 4), (100_000, 32)] {
        let mut rows = vec![0_u8; 12 * items];
        let arguments =
            vec![Argument::Own(&mut rows, ScalarType::F32, 3), Argument::Read(&much, ScalarType::U8)];
        let parts = on_threads(2, || split::Parts::of(&call(items, arguments), (1, 4)));
        assert_eq!(parts.count(), count, "{items}");
        for part in 0..parts.count() {
            let (first, last) = parts.items(part);
            assert!(first % 4 == 0 && (last - first >= 4 || items < 4), "{items}: {first} to {last}");
        }
    }
}

/// Adds to each element of the columns of its items, one by one, in vectors and in pieces, what says whose it is.
struct Columnwise;

impl Function for Columnwise {
    #[inline(always)]
    fn run(part: &mut Part<'_>) {
        let (first, last) = part.items();
        let (each, rows): (u32, u32) = (part.scalar(1), part.scalar(2));
        let array: &mut Columns<'_, u32> = &mut part.columns(0);
        let (first, last) = (first * each as isize, last * each as isize);
        for row in 0..rows as isize {
            let mut column = first;
            while column + 4 <= last {
                let more = simd::V([0, 1, 2, 3].map(|lane| column as u32 + lane));
                let vector = array.load::<4>(row, column) + more;
                array.store(row, column, vector);
                array.piece::<2>(row, column).iter_mut().for_each(|x| *x += 1);
                array.piece::<2>(row, column + 2)[1] += 1;
                array.set(row, column + 2, array.get(row, column + 2) + 1);
                array.prefetch(row + 4, column, 4);
                column += 4;
            }
            (column..last).for_each(|c| array.set(row, c, array.get(row, c) + c as u32 + 1));
        }
    }
}

#[test]
fn columns_are_cut_into_parts() {
    for (items, each, rows) in [(1, 1, 1), (7, 3, 5), (600, 1, 9), (3, 300, 4), (257, 2, 3), (40, 1, 0)] {
        let width = items * each;
        let mut array = vec![0_u32; width * rows];
        let [each_bytes, rows_bytes] = [each, rows].map(|n| (n as u32).to_ne_bytes());
        let arguments = vec![
            Argument::Columns(bytes(&mut array), ScalarType::U32, each, width),
            scalar(&each_bytes, ScalarType::U32),
            scalar(&rows_bytes, ScalarType::U32),
        ];
        let entry = Entry::new::<Columnwise>("columns").in_parts(5);
        assert_eq!(on_threads(3, || launch(&entry, call(items, arguments))), Ok(()));
        let wanted = (0..rows).flat_map(|_| 1..=width as u32);
        assert!(array.iter().copied().eq(wanted), "{items} of {each} in {rows} rows");
    }
}

/// Accesses a column that is another item's, or none.
struct Beyond;

impl Function for Beyond {
    #[inline(always)]
    fn run(part: &mut Part<'_>) {
        let (row, column): (i32, i32) = (part.scalar(1), part.scalar(2));
        let array: &mut Columns<'_, u8> = &mut part.columns(0);
        array.store(row as isize, column as isize, simd::V([1, 2]));
    }
}

#[test]
fn columns_of_others_are_out_of_reach() {
    let run = |row: i32, column: i32, items: usize| {
        let mut array = [0_u8; 24];
        let arguments = vec![
            Argument::Columns(&mut array, ScalarType::U8, 4, 8),
            scalar(&row.to_ne_bytes(), ScalarType::I32),
            scalar(&column.to_ne_bytes(), ScalarType::I32),
        ];
        on_threads(1, || launch(&Entry::new::<Beyond>("beyond"), call(items, arguments))).is_ok()
    };
    assert!(run(0, 0, 1) && run(2, 6, 1) && run(1, 3, 1));
    for (row, column) in
        [(3, 0), (-1, 0), (0, -1), (0, 7), (0, 8), (i32::MIN, 0), (0, i32::MAX), (0, i32::MIN)]
    {
        assert!(!run(row, column, 1), "{row} {column}");
    }
    // Two items have a part each if they are told to.
    let mut array = [0_u8; 24];
    let arguments = vec![
        Argument::Columns(&mut array, ScalarType::U8, 4, 8),
        scalar(&0_i32.to_ne_bytes(), ScalarType::I32),
        scalar(&3_i32.to_ne_bytes(), ScalarType::I32),
    ];
    let entry = Entry::new::<Beyond>("beyond").in_parts(2);
    assert!(on_threads(1, || launch(&entry, call(2, arguments))).is_err());
    assert_eq!(array, [0; 24]);
}

/// Counts the items of parts, and the elements that they own.
struct Count;

impl Function for Count {
    #[inline(always)]
    fn run(part: &mut Part<'_>) {
        let (first, last) = part.items();
        let (own, start) = part.own::<u8>(0);
        let own_items = part.shared::<i64>(1);
        own_items.set(0, own_items.get(0) + (last - first) as i64);
        own_items.set(1, own_items.get(1) + own.len() as i64);
        own_items.set(2, own_items.get(2).max((start as i64) + own.len() as i64));
        own.fill(1);
    }
}

fn count(items: usize, len: usize, each: usize) -> [i64; 3] {
    let (mut array, mut counts) = (vec![0_u8; len], [0; 3]);
    let arguments = vec![
        Argument::Own(&mut array, ScalarType::Bool, each),
        Argument::Shared(bytes(&mut counts), ScalarType::I64),
    ];
    let entry = Entry::new::<Count>("count");
    // One thread, since nobody else may count at the same time.
    assert_eq!(on_threads(1, || launch(&entry, call(items, arguments))), Ok(()));
    assert!(items == 0 || array.iter().all(|&x| x == 1));
    counts
}

#[test]
fn arrays_end_early_or_late() {
    assert_eq!(count(0, 0, 4), [0, 0, 0]);
    assert_eq!(count(0, 100, 4), [0, 0, 0]);
    assert_eq!(count(5, 0, 4), [5, 0, 0]);
    assert_eq!(count(5, 13, 4), [5, 13, 13]);
    assert_eq!(count(5, 13, 0), [5, 13, 13]);
    assert_eq!(count(5, 13, usize::MAX), [5, 13, 13]);
    // In several parts.
    let len = 70_000;
    assert_eq!(count(1000, len, 70), [1000, len as i64, len as i64]);
    assert_eq!(count(1000, len, 3), [1000, len as i64, len as i64]);
    assert_eq!(count(1000, len, 3000), [1000, len as i64, len as i64]);
    assert_eq!(count(1000, len, 0), [1000, len as i64, len as i64]);
    assert_eq!(count(usize::MAX >> 1, len, usize::MAX), [i64::MAX, len as i64, len as i64]);
}

/// Reads values of all kinds, and asks for the one that a size says as what another one says.
struct Ask;

impl Function for Ask {
    #[inline(always)]
    fn run(part: &mut Part<'_>) {
        let position = part.size(0) as usize;
        match part.tunable(0) {
            0 => assert!(part.scalar::<f32>(position) == 1.5),
            1 => assert!(part.scalar::<bool>(position)),
            2 => assert!(part.scalar::<usize>(position) == 7),
            3 => assert!(part.read::<u8>(position).len() == 8),
            4 => assert!(part.read::<f32>(position).len() == 2),
            5 => assert!(part.own::<f32>(position).0.len() == 2),
            6 => assert!(part.shared::<i16>(position).get(3) == 0),
            7 => assert!(part.status(position).checked_index(1, 2, 0, 1, 0) == 1),
            8 => assert!(part.claims(position).is_none()),
            9 => assert!(part.own::<f32>(position).0.len() == part.own::<f32>(position).0.len()),
            10 => assert!(part.shared::<i16>(position).get(4) == 0),
            11 => assert!(part.shared::<i16>(position).get(-1) == 0),
            _ => std::panic::panic_any(1),
        }
    }
}

fn ask(position: i64, what: i64) -> Result<(), Fault> {
    let (sizes, tunables) = ([position], [what]);
    let (mut own, mut shared, mut status, read) = ([0_f32; 2], [0_i16; 4], [0_i32; 5], [0_u64; 1]);
    let mut read = read;
    let read: &[u8] = bytes(&mut read);
    let arguments = vec![
        scalar(&1.5_f32.to_ne_bytes(), ScalarType::F32),
        scalar(&[3], ScalarType::Bool),
        scalar(&7_u64.to_ne_bytes(), ScalarType::Usize),
        Argument::Read(read, ScalarType::Bool),
        Argument::Read(read, ScalarType::F32),
        Argument::Own(bytes(&mut own), ScalarType::F32, 1),
        Argument::Shared(bytes(&mut shared), ScalarType::I16),
        Argument::Status(bytes(&mut status)),
        Argument::Claims(None),
    ];
    launch(&Entry::new::<Ask>("ask"), Call { items: 1, sizes: &sizes, tunables: &tunables, arguments })
}

#[test]
fn arguments_are_what_they_are() {
    for what in 0..9 {
        assert_eq!(ask(what, what), Ok(()), "{what}");
    }
    for position in 0..10 {
        for what in 0..9 {
            let answer = ask(position, what);
            assert_eq!(answer.is_ok(), position == what, "{position} as {what}: {answer:?}");
        }
    }
    let said = |position, what| match ask(position, what) {
        Err(Fault::Panic(text)) => text,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        said(4, 3),
        "argument 4 is an array of f32 that is read, but the function wants an array to read of u8"
    );
    assert_eq!(
        said(5, 9),
        "argument 5 is one that it has already, but the function wants an array in parts of f32"
    );
    assert_eq!(said(6, 10), "index 4 in an array of length 4");
    assert_eq!(said(6, 11), "index -1 in an array of length 4");
    assert_eq!(said(0, 12), "a panic without a text");
}

#[test]
fn arguments_are_checked_before_anything_runs() {
    let mut memory = [0_u64; 4];
    let memory = bytes(&mut memory);
    let refused = |argument: Argument<'_>| {
        let arguments = vec![Argument::Claims(None), argument];
        launch(&Entry::new::<Ask>("ask"), call(1, arguments)) == Err(Fault::Argument(1))
    };
    assert!(refused(Argument::Read(&memory[1..5], ScalarType::F32)));
    assert!(refused(Argument::Read(&memory[..5], ScalarType::F32)));
    assert!(refused(Argument::Own(&mut memory[4..12], ScalarType::F64, 1)));
    assert!(refused(Argument::Shared(&mut memory[1..5], ScalarType::I16)));
    assert!(refused(Argument::Shared(&mut memory[..7], ScalarType::Usize)));
    assert!(refused(Argument::Status(&mut memory[..16])));
    assert!(refused(Argument::Claims(Some(&mut memory[..3]))));
}

/// Panics in every part but the first one.
struct Panics;

impl Function for Panics {
    #[inline(always)]
    fn run(part: &mut Part<'_>) {
        let (first, _) = part.items();
        let (own, _) = part.own::<u8>(0);
        own.fill(1);
        assert!(first == 0, "item {first}");
    }
}

#[test]
fn the_first_panic_comes_back_and_all_parts_run() {
    let mut array = vec![0_u8; 70_000];
    for threads in [1, 3] {
        array.fill(0);
        let arguments = vec![Argument::Own(&mut array, ScalarType::U8, 1)];
        let parts = split::Parts::of(&call(70_000, arguments), (1, 1));
        let arguments = vec![Argument::Own(&mut array, ScalarType::U8, 1)];
        let result = on_threads(threads, || launch(&Entry::new::<Panics>("panics"), call(70_000, arguments)));
        assert_eq!(result, Err(Fault::Panic(format!("item {}", parts.items(1).0))));
        assert!(array.iter().all(|&x| x == 1));
    }
}

/// Each part writes elements that another one reads, and claims as many elements.
struct Scatter;

impl Function for Scatter {
    #[inline(always)]
    fn run(part: &mut Part<'_>) {
        let (first, last) = part.items();
        let (indices, len) = (part.read::<u64>(0), part.size(0));
        let result = part.shared::<f64>(1);
        let (status, claims) = (part.status(2), part.claims(3));
        for position in first..last {
            let index = status.checked_index(indices[position as usize], len, 0, 3, position);
            if let Some(claims) = claims {
                claims.claim(index, 4, position, &status);
            }
            result.set(index, result.get(index) + position as f64);
        }
    }
}

fn scatter(indices: &mut [u64], distinct: bool) -> (Vec<f64>, [i32; 5]) {
    let (len, mut status) = (indices.len(), [0_i32; 5]);
    let (mut result, mut claims) = (vec![0_f64; len], vec![0_i32; len]);
    let claims = distinct.then_some(bytes(&mut claims));
    let sizes = [len as i64];
    let arguments = vec![
        Argument::Read(bytes(indices), ScalarType::U64),
        Argument::Shared(bytes(&mut result), ScalarType::F64),
        Argument::Status(bytes(&mut status)),
        Argument::Claims(claims),
    ];
    let call = Call { items: len, sizes: &sizes, tunables: &[], arguments };
    assert_eq!(on_threads(2, || launch(&Entry::new::<Scatter>("scatter"), call)), Ok(()));
    (result, status)
}

#[test]
fn threads_share_arrays_and_record_the_first_wrong_index() {
    let len = if cfg!(miri) { 1000 } else { 100_000 };
    let other = len as i32 - 100;
    let mut indices: Vec<u64> = (0..len).rev().collect();
    let (result, status) = scatter(&mut indices, true);
    assert!(result.iter().rev().zip(0..).all(|(&x, wanted)| x == f64::from(wanted)));
    assert_eq!(status, [0; 5]);
    // Out of range.
    indices[77] = (5 << 32) + 6;
    assert_eq!(scatter(&mut indices, false).1, [3, 77, 6, 5, 0]);
    indices[77] = u64::MAX;
    assert_eq!(scatter(&mut indices, false).1, [3, 77, -1, -1, 0]);
    // Twice; who claims it first is open.
    indices[77] = indices[other as usize];
    let status = scatter(&mut indices, true).1;
    let index = indices[77] as i32;
    assert!([[-4, 77, index, 0, other], [-4, other, index, 0, 77]].contains(&status), "{status:?}");
    assert_eq!(scatter(&mut indices, false).1, [0; 5]);
}

#[test]
fn positions_have_64_bits() {
    let mut words = [0_u32; 5];
    let Some(cells) = element::typed_mut::<std::sync::atomic::AtomicU32>(bytes(&mut words)) else { panic!() };
    let Some(five) = cells.first_chunk::<5>() else { panic!() };
    let status = Status::new(five);
    assert_eq!(status.checked_index(4, 5, 9, 1, 0), 4);
    assert_eq!(status.checked_index(5, 5, 9, 1, (7 << 32) + 8), 9);
    // Only the first one counts.
    assert_eq!(status.checked_index(6, 5, 9, 2, 0), 9);
    assert_eq!(words, [1, 8, 5, 0, 7]);
}

#[test]
fn a_worker_of_a_pool_may_launch() {
    let threads = |n: usize| on_threads(n, || rayon::join(rows_of_one, rows_of_one));
    assert_eq!(threads(1), threads(4));
}

fn rows_of_one() -> Vec<u32> {
    let mut rows = vec![0_u32; 20_000];
    let arguments =
        vec![Argument::Own(bytes(&mut rows), ScalarType::U32, 1), scalar(&[1, 0, 0, 0], ScalarType::U32)];
    let little_endian = u32::from_ne_bytes([1, 0, 0, 0]) == 1;
    assert!(!little_endian || launch(&ROWS, call(20_000, arguments)) == Ok(()));
    rows
}

/// Sums that are rounded otherwise if products are.
struct Sums;

impl Function for Sums {
    #[inline(always)]
    fn run(part: &mut Part<'_>) {
        let xs = part.read::<f32>(0);
        let (sums, start) = part.own::<f32>(1);
        for (sum, i) in sums.iter_mut().zip(start as usize..) {
            *sum = xs[i] * xs[i] + xs[xs.len() - 1 - i].mul_add(xs[i], 0.1);
        }
    }
}

#[test]
fn all_instructions_compute_the_same() {
    let len = if cfg!(miri) { 100 } else { 100_000 };
    let mut xs: Vec<f32> = (0..len).map(|i| (i as f32 + 0.3) / 7.0).collect();
    let mut sums = |isa| {
        let mut sums = vec![0_f32; len];
        let arguments = vec![
            Argument::Read(bytes(&mut xs), ScalarType::F32),
            Argument::Own(bytes(&mut sums), ScalarType::F32, 1),
        ];
        assert_eq!(
            on_threads(2, || launch(&Entry::new::<Sums>("sums").at_most(isa), call(len, arguments))),
            Ok(())
        );
        sums
    };
    let baseline = sums(Isa::Baseline);
    assert_eq!(sums(Isa::Avx2), baseline);
    assert_eq!(sums(Isa::Avx512), baseline);
    assert!(Isa::detected() <= Isa::Avx512 && !Isa::detected().name().is_empty());
}
