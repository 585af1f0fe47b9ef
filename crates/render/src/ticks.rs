//! Round numbers along a scale.
use crate::Range;

/// Round numbers from the least to the greatest, with their texts: at most nine, at steps of 1, 2 or 5 times
/// a power of ten.
pub(crate) fn ticks(range: Range) -> Vec<(f32, String)> {
    let (min, max) = (f64::from(range.min.min(range.max)), f64::from(range.max.max(range.min)));
    let raw = (max - min) / 8.0;
    let magnitude = 10_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * magnitude).into_iter().find(|step| *step >= raw * 0.999);
    let (Some(step), true) = (step, raw > 0.0 && raw >= max.abs().max(min.abs()) * 1e-6) else {
        return vec![(range.min, text(min, min.abs()))];
    };
    let first = (min / step - 1e-6).ceil();
    let count = ((max / step + 1e-6).floor() - first) as usize + 1;
    let values = (0..count).map(|i| (first + i as f64) * step);
    let largest = max.abs().max(min.abs());
    values.map(|v| (v as f32, if v == 0.0 { "0".into() } else { in_steps(v, step, largest) })).collect()
}

/// The number with the digits that tell steps apart.
fn in_steps(value: f64, step: f64, largest: f64) -> String {
    if !(1e-3..1e5).contains(&largest) {
        let digits = (largest.log10().floor() - (step * 1.001).log10().floor()).clamp(0.0, 6.0) as usize;
        return format!("{value:.digits$e}");
    }
    let decimals = (-(step * 1.001).log10().floor()).max(0.0) as usize;
    format!("{value:.decimals$}")
}

fn text(value: f64, magnitude: f64) -> String {
    if value == 0.0 {
        "0".into()
    } else if (1e-3..1e5).contains(&magnitude) {
        let short = format!("{value:.4}");
        short.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.3e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(min: f32, max: f32) -> Vec<String> {
        ticks(Range { min, max }).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn round_numbers() {
        assert_eq!(texts(0.0, 1.0), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts(-1.0, 1.0), ["-1.0", "-0.5", "0", "0.5", "1.0"]);
        assert_eq!(texts(3.0, 47.0), ["10", "20", "30", "40"]);
        assert_eq!(texts(0.0, 5e6), ["0", "1e6", "2e6", "3e6", "4e6", "5e6"]);
        assert_eq!(texts(1e-6, 1.25e-6), ["1.00e-6", "1.05e-6", "1.10e-6", "1.15e-6", "1.20e-6", "1.25e-6"]);
    }

    #[test]
    fn one_number_and_extremes() {
        assert_eq!(texts(0.0, 0.0), ["0"]);
        assert_eq!(texts(2.5, 2.5), ["2.5"]);
        assert_eq!(texts(16_777_216.0, 16_777_217.0), ["1.678e7"]);
        for (min, max) in [(-f32::MAX, f32::MAX), (f32::MIN_POSITIVE, 2e-38), (0.0, 1e-45)] {
            let ticks = ticks(Range { min, max });
            assert!((1..=9).contains(&ticks.len()), "{ticks:?}");
        }
    }
}
