//! Small helpers for texts.

/// The candidate closest to `wanted`, when it is close enough to have been meant: above all one that differs in
/// capitals alone.
pub fn did_you_mean<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    if let Some(same) = candidates.iter().find(|c| c.eq_ignore_ascii_case(wanted)) {
        return Some(same);
    }
    let limit = (wanted.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|c| (strsim::damerau_levenshtein(wanted, c), c))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, c)| c)
}

/// The same, but any two letters are alike: one is meant by another only if they differ in capitals alone.
pub fn near_name<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    did_you_mean(wanted, candidates).filter(|near| near.len() > 1 || near.eq_ignore_ascii_case(wanted))
}

/// The question whether a name that is near is meant.
pub fn meant(near: Option<&str>) -> Option<String> {
    near.map(|near| format!("did you mean `{near}`?"))
}

/// `1 argument`, `2 arguments`.
pub fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// `` `a`, `b` and `c` ``.
pub fn list<S: AsRef<str>>(names: &[S], joiner: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|n| format!("`{}`", n.as_ref())).collect();
    match quoted.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} {joiner} {last}", rest.join(", ")),
    }
}

/// `a, b and c`
pub fn words<S: AsRef<str>>(parts: &[S]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.as_ref().to_string(),
        [rest @ .., last] => {
            let rest: Vec<&str> = rest.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", rest.join(", "), last.as_ref())
        }
    }
}

/// Reports a bug of the compiler. The macro's entry catches it and asks the user to report it.
#[macro_export]
#[doc(hidden)]
macro_rules! bug {
    ($($text:tt)*) => { ::std::panic!("internal error: {}", ::std::format_args!($($text)*)) };
}
