//! Compresses long texts: repetitions become references to earlier parts (LZ77).

use lift_spec::{MARK, Source};

/// Shorter texts stay as they are.
const LONG: usize = 8 << 10;

/// Shorter repetitions are not worth their places.
const WORTH: usize = 24;

/// So many bytes are looked up at once.
const KEY: usize = 8;

/// How many bits numbers of entries have in the table of what came before.
const BITS: u32 = 16;

/// A text, shorter if it is long. Repetitions are found from left to right, each where its first bytes came last.
pub(super) fn pack(text: &str) -> Source {
    if text.len() < LONG || !text.is_ascii() {
        return Source::plain(text.to_string());
    }
    let bytes = text.as_bytes();
    let mut last = vec![usize::MAX; 1 << BITS];
    let mut packed = String::new();
    let (mut at, mut written) = (0, 0);
    while let Some(key) = bytes.get(at..).and_then(|rest| rest.first_chunk::<KEY>()) {
        let entry = &mut last[hash(*key)];
        let before = std::mem::replace(entry, at);
        let len = bytes.get(before..at).map_or(0, |known| {
            known.iter().zip(&bytes[at..]).take_while(|(known, new)| known == new).count()
        });
        if len < WORTH {
            at += 1;
            continue;
        }
        packed.push_str(&text[written..at]);
        packed.push_str(&format!("{MARK}{before},{len};"));
        for inside in at + 1..at + len {
            if let Some(key) = bytes[inside..].first_chunk::<KEY>() {
                last[hash(*key)] = inside;
            }
        }
        at += len;
        written = at;
    }
    packed.push_str(&text[written..]);
    Source { text: packed.into(), is_packed: true }
}

fn hash(key: [u8; KEY]) -> usize {
    (u64::from_le_bytes(key).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - BITS)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_texts_are_what_they_were() {
        let line =
            |i: usize| format!("    acc = fma(weights[{}], tile[{}][lx + {}], acc);\n", i, i % 7, i * i % 31);
        let long: String = (0..1000).map(line).collect();
        let twice = format!("{long}#else\n{long}#endif\n");
        let short = "kernel void f() {}".to_string();
        let named = format!("// {MARK}\n{long}");
        for (text, most) in [(&long, 0.6), (&twice, 0.35), (&short, 1.0), (&named, 1.0)] {
            let source = pack(text);
            assert_eq!(source.text(), text.as_str());
            let ratio = source.text.len() as f64 / text.len() as f64;
            assert!(ratio <= most, "{ratio} of {} bytes", text.len());
        }
    }
}
