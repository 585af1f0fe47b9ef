//! Floats as integers of the same order, for atomic minima and maxima.

/// A number whose order is that of `x`; not 0.
#[inline(always)]
pub fn ordered(x: f32) -> u32 {
    let bits = x.to_bits();
    bits ^ if bits >> 31 != 0 { u32::MAX } else { 1 << 31 }
}
/// The float of a number that [`ordered`] has made.
#[inline(always)]
pub fn from_ordered(key: u32) -> f32 {
    f32::from_bits(key ^ if key >> 31 != 0 { 1 << 31 } else { u32::MAX })
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;

    #[test]
    fn order_of_floats() {
        let ascending = [f32::MIN, -1.5, -1.0, -1e-40, 0.0, 1e-40, 2.0, f32::MAX];
        assert!(ascending.map(ordered).is_sorted());
        assert_eq!(ascending.map(|x| from_ordered(ordered(x))), ascending);
    }
}
