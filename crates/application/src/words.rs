//! Numbers in sentences.
use std::collections::BTreeMap;

/// `1 vertex`, `2 vertices`, `3 polygons`.
pub fn counted(count: u64, what: &str) -> String {
    match (count, what) {
        (1, _) => format!("1 {what}"),
        (_, "new vertex") => format!("{count} new vertices"),
        (_, "vertex") => format!("{count} vertices"),
        (_, "point or line") => format!("{count} points and lines"),
        (_, "curve or surface") => format!("{count} curves and surfaces"),
        _ => format!("{count} {what}s"),
    }
}

/// Five significant digits.
pub fn short(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-4..1e6).contains(&magnitude) {
        return format!("{value:.4e}");
    }
    let exponent = if magnitude == 0.0 { 0 } else { magnitude.log10().floor() as i32 };
    let decimals = usize::try_from(4 - exponent).unwrap_or(0);
    let digits = format!("{value:.decimals$}");
    let digits = if decimals > 0 { digits.trim_end_matches('0').trim_end_matches('.') } else { &digits };
    digits.to_owned()
}

/// Rejections by reason, as an end of a line.
pub fn rejections(rejected: &BTreeMap<&'static str, u64>) -> String {
    let mut text = String::new();
    for (i, (reason, n)) in rejected.iter().enumerate() {
        text += if i == 0 { "; rejected: " } else { ", " };
        text += &format!("{n} {}", reason.replace('_', " "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn five_significant_digits() {
        for (value, text) in [
            (0.0, "0"),
            (6.0, "6"),
            (60.000001, "60"),
            (1.257740077, "1.2577"),
            (0.00045344134, "0.00045344"),
            (179.9797588, "179.98"),
            (100000.0, "100000"),
            (123456.7, "123457"),
            (1.0011717e-8, "1.0012e-8"),
            (3.5e9, "3.5000e9"),
        ] {
            assert_eq!(short(value), text);
        }
    }
}
