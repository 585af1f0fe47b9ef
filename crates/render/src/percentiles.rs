//! Numbers in order.

/// Finite numbers in order, of which shares can be asked for.
#[derive(Debug, Clone)]
pub struct Percentiles(Vec<f32>);

impl Percentiles {
    /// The percentiles of the finite ones among `values`; `None` if none is finite. Sorts them.
    pub fn of(values: &[f32]) -> Option<Self> {
        let mut sorted: Vec<f32> = values.iter().copied().filter(|v| v.is_finite()).collect();
        sorted.sort_unstable_by(f32::total_cmp);
        (!sorted.is_empty()).then_some(Self(sorted))
    }
    /// The number below which a share of all lies, from 0 (the least) to 1 (the greatest), between two of
    /// them by the straight line. Shares outside are taken for the nearest inside.
    pub fn at(&self, share: f64) -> f32 {
        let place = share.clamp(0.0, 1.0) * (self.0.len() - 1) as f64;
        let below = place.floor() as usize;
        let (low, high) = (f64::from(self.0[below]), f64::from(self.0[(below + 1).min(self.0.len() - 1)]));
        (low + (high - low) * (place - below as f64)) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares() {
        let numbers = Percentiles::of(&[4.0, f32::NAN, 0.0, 1.0, f32::INFINITY, 3.0, 2.0]).expect("numbers");
        for (share, number) in [(0.0, 0.0), (0.5, 2.0), (1.0, 4.0), (0.125, 0.5), (-1.0, 0.0), (2.0, 4.0)] {
            assert_eq!(numbers.at(share), number, "{share}");
        }
        assert_eq!(Percentiles::of(&[7.0]).expect("a number").at(0.98), 7.0);
        let far = Percentiles::of(&[f32::MIN, f32::MAX]).expect("numbers");
        assert_eq!(far.at(0.5), 0.0);
        assert!(Percentiles::of(&[f32::NAN]).is_none());
    }
}
