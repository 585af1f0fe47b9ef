//! Colour maps.
use crate::Rgb;
use std::fmt;
use std::str::FromStr;

/// A colour map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colormap {
    /// Dark blue to yellow, lightness rising evenly. Source: van der Walt and Smith for matplotlib, 2015
    /// (CC0).
    #[default]
    Viridis,
    /// Black to pale yellow over red, lightness rising evenly. Source: as viridis.
    Magma,
    /// Blue to red over grey, for values on both sides of 0. Source: Moreland, *Diverging color maps for
    /// scientific visualization*, 2009.
    Coolwarm,
}

impl Colormap {
    /// All colour maps.
    pub const ALL: [Self; 3] = [Self::Viridis, Self::Magma, Self::Coolwarm];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Viridis => "viridis",
            Self::Magma => "magma",
            Self::Coolwarm => "coolwarm",
        }
    }
    /// Whether the map is diverging: its middle colour means 0.
    pub fn diverges(self) -> bool {
        self == Self::Coolwarm
    }
    /// The colour at `t`, clamped to 0 to 1. NaN counts as 0.
    pub fn at(self, t: f32) -> Rgb {
        let points = match self {
            Self::Viridis => &VIRIDIS,
            Self::Magma => &MAGMA,
            Self::Coolwarm => &COOLWARM,
        };
        let t = if t.is_nan() { 0.0 } else { t.clamp(0.0, 1.0) };
        let x = t * (points.len() - 1) as f32;
        let i = (x as usize).min(points.len() - 2);
        let f = x - i as f32;
        let (a, b) = (channels(points[i]), channels(points[i + 1]));
        [0, 1, 2].map(|k| (f32::from(a[k]) + (f32::from(b[k]) - f32::from(a[k])) * f).round() as u8)
    }
}

impl fmt::Display for Colormap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Colormap {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|map| map.name() == text);
        found.ok_or_else(|| format!("{text:?} is none of {}", Self::ALL.map(Self::name).join(", ")))
    }
}

/// The numbers at both ends of a colour map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// Number of the first colour.
    pub min: f32,
    /// Number of the last colour.
    pub max: f32,
}

impl Range {
    /// The range of the finite values; `None` without finite values. For a diverging map and values of both
    /// signs, the range is symmetric around 0.
    pub fn of(values: &[f32], map: Colormap) -> Option<Self> {
        let finite = values.iter().copied().filter(|v| v.is_finite());
        let (min, max) =
            finite.fold((f32::INFINITY, f32::NEG_INFINITY), |(min, max), v| (v.min(min), v.max(max)));
        if min > max {
            return None;
        }
        Some(Self { min, max }.around_zero(map))
    }
    /// The range extended to the same distance on both sides of 0, if the scale diverges and the range has
    /// numbers on both sides.
    pub fn around_zero(self, map: Colormap) -> Self {
        let far = self.max.max(-self.min);
        if map.diverges() && self.min < 0.0 && self.max > 0.0 { Self { min: -far, max: far } } else { self }
    }
    /// The position of a number on the map, 0 at the first colour and 1 at the last; 1/2 if both ends are
    /// equal.
    pub fn place(self, value: f32) -> f32 {
        let (min, max) = (f64::from(self.min), f64::from(self.max));
        if min == max { 0.5 } else { ((f64::from(value) - min) / (max - min)) as f32 }
    }
}

fn channels(colour: u32) -> Rgb {
    let [_, r, g, b] = colour.to_be_bytes();
    [r, g, b]
}

const VIRIDIS: [u32; 33] = [
    0x440154, 0x470d60, 0x48186a, 0x482374, 0x472d7b, 0x453681, 0x424086, 0x3f4989, 0x3b528b, 0x375a8d,
    0x33638d, 0x2f6a8e, 0x2c728e, 0x297a8e, 0x26818e, 0x23898e, 0x21908c, 0x1f988b, 0x1f9f88, 0x21a685,
    0x28ae80, 0x31b57b, 0x3ebc74, 0x4cc26c, 0x5dc963, 0x6ece58, 0x82d34c, 0x96d83f, 0xabdc32, 0xc0df24,
    0xd5e21a, 0xeae51a, 0xfde725,
];

const MAGMA: [u32; 33] = [
    0x000004, 0x030311, 0x0a0822, 0x130d33, 0x1d1146, 0x28115a, 0x36106a, 0x430f76, 0x50127c, 0x5d177f,
    0x691c81, 0x762181, 0x822681, 0x8f2a81, 0x9c2e7f, 0xa9327d, 0xb63779, 0xc33b75, 0xcf4170, 0xdb486a,
    0xe65163, 0xee5c5e, 0xf5695c, 0xf9785d, 0xfb8761, 0xfd9668, 0xfea571, 0xfeb47b, 0xfec387, 0xfed194,
    0xfde0a2, 0xfceeb0, 0xfcfdbf,
];

const COOLWARM: [u32; 33] = [
    0x3b4cc0, 0x445acc, 0x4d68d7, 0x5775e1, 0x6282ea, 0x6c8ef1, 0x779af7, 0x82a5fb, 0x8db0fe, 0x98b9ff,
    0xa3c2fe, 0xaec9fc, 0xb8d0f9, 0xc2d5f4, 0xccd9ee, 0xd5dbe6, 0xdddddd, 0xe5d8d1, 0xecd3c5, 0xf1ccb9,
    0xf4c4ad, 0xf7bba0, 0xf7b194, 0xf7a687, 0xf49a7b, 0xf18d6f, 0xec7f63, 0xe57058, 0xde604d, 0xd55042,
    0xcb3e38, 0xc0282f, 0xb40426,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_middle() {
        assert_eq!((Colormap::Viridis.at(0.0), Colormap::Viridis.at(1.0)), ([68, 1, 84], [253, 231, 37]));
        assert_eq!((Colormap::Magma.at(0.0), Colormap::Magma.at(1.0)), ([0, 0, 4], [252, 253, 191]));
        assert_eq!((Colormap::Coolwarm.at(0.0), Colormap::Coolwarm.at(1.0)), ([59, 76, 192], [180, 4, 38]));
        assert_eq!(Colormap::Coolwarm.at(0.5), [221; 3]);
        for map in Colormap::ALL {
            assert_eq!(
                [map.at(-3.0), map.at(f32::INFINITY), map.at(f32::NAN)],
                [map.at(0.0), map.at(1.0), map.at(0.0)]
            );
            assert_eq!(map.name().parse(), Ok(map));
        }
        assert!("jet".parse::<Colormap>().is_err_and(|e| e.contains("viridis, magma, coolwarm")));
    }

    #[test]
    fn lightness_rises() {
        let lightness = |[r, g, b]: Rgb| 2 * u32::from(r) + 7 * u32::from(g) + u32::from(b);
        for map in [Colormap::Viridis, Colormap::Magma] {
            let all: Vec<u32> = (0..=64).map(|i| lightness(map.at(i as f32 / 64.0))).collect();
            assert!(all.is_sorted(), "{map}: {all:?}");
        }
    }

    #[test]
    fn ranges() {
        let values = [f32::NAN, -1.0, 3.0, f32::INFINITY];
        assert_eq!(Range::of(&values, Colormap::Viridis), Some(Range { min: -1.0, max: 3.0 }));
        assert_eq!(Range::of(&values, Colormap::Coolwarm), Some(Range { min: -3.0, max: 3.0 }));
        assert_eq!(Range::of(&values[2..], Colormap::Coolwarm), Some(Range { min: 3.0, max: 3.0 }));
        assert_eq!(Range::of(&values[..1], Colormap::Viridis), None);
        let range = Range { min: -f32::MAX, max: f32::MAX };
        assert_eq!([-f32::MAX, 0.0, f32::MAX].map(|v| range.place(v)), [0.0, 0.5, 1.0]);
        assert_eq!(Range { min: 2.0, max: 2.0 }.place(2.0), 0.5);
    }
}
