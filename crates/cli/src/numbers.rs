//! Numbers for readers.

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
