//! Colours and their brightness.
use glam::Vec3;

/// A colour in sRGB: red, green, blue.
pub type Rgb = [u8; 3];

/// The colour, mixed with white: 0 leaves it, 1 is white.
pub fn tint(colour: Rgb, white: f32) -> Rgb {
    colour.map(|c| (f32::from(c) + (255.0 - f32::from(c)) * white.clamp(0.0, 1.0)).round() as u8)
}

/// One channel as an amount of light (IEC 61966-2-1).
fn decode(value: u8) -> f32 {
    let x = f32::from(value) / 255.0;
    if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
}

/// Amounts of light, to calculate with.
pub(crate) fn linear(colour: Rgb) -> Vec3 {
    Vec3::from_array(colour.map(decode))
}

/// An amount of light as one channel.
fn encode(x: f32) -> u8 {
    let x = x.clamp(0.0, 1.0);
    let y = if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 };
    (255.0 * y).round() as u8
}

/// The colour of these amounts of light.
pub(crate) fn srgb(light: Vec3) -> Rgb {
    light.to_array().map(encode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_and_back() {
        for value in 0..=255 {
            assert_eq!(srgb(linear([value; 3])), [value; 3]);
        }
        assert_eq!(srgb(Vec3::new(-1.0, 2.0, f32::NAN)), [0, 255, 0]);
    }

    #[test]
    fn tints() {
        assert_eq!(tint([10, 20, 30], 0.0), [10, 20, 30]);
        assert_eq!(tint([10, 20, 30], 1.0), [255; 3]);
        assert_eq!(tint([0, 255, 100], 0.2), [51, 255, 131]);
    }
}
