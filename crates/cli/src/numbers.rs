//! Numbers in arguments.

/// A number that is finite.
pub fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|x: &f64| x.is_finite())
}
/// This many values with commas between them.
pub fn list<T, const N: usize>(text: &str, one: impl Fn(&str) -> Option<T>) -> Option<[T; N]> {
    let all: Option<Vec<T>> = text.split(',').map(one).collect();
    all?.try_into().ok()
}
/// For options that are three numbers.
pub fn three(text: &str) -> Result<[f64; 3], String> {
    list(text, number).ok_or_else(|| format!("{text:?} is not three numbers X,Y,Z"))
}
