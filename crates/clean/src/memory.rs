//! Memory that cleaning takes.
use crate::CleanError;
use ribbonmesh_application::{Kind, OptionValue};
use std::fmt;

/// Bytes that the steps take at most at one time for each vertex and each face of the input, with the input
/// and the result, and those of any mesh; an eighth more than was measured.
const PER_VERTEX: u64 = 80;
const PER_FACE: u64 = 530;
const ANY: u64 = 40_000_000;

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub u64);

/// Units, in their order.
const UNITS: [(&str, u64); 4] =
    [("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000)];

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = UNITS.iter().rev().find(|unit| self.0 >= unit.1);
        match unit {
            // rounded up, so that a bound that is written is enough
            Some(&(name, bytes)) => write!(f, "{} {name}", self.0.div_ceil(bytes / 100) as f64 / 100.0),
            None => write!(f, "{} B", self.0),
        }
    }
}
impl OptionValue for Bytes {
    const KIND: Kind = Kind::Measure;
    /// `2500000000`, `2500MB`, `2.5GB`, `2.5G`.
    fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        // the letters at the end are the unit; those of `2.5e9` are followed by a digit
        let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = text[number.len()..].to_ascii_lowercase();
        let known = UNITS.iter().find(|(name, _)| {
            let name = name.to_ascii_lowercase();
            unit == name || unit == name[..1]
        });
        let bytes = if unit.is_empty() || unit == "b" { Some(1) } else { known.map(|unit| unit.1) };
        let number = number.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
        match number.zip(bytes) {
            Some((number, bytes)) => Ok(Self((number * bytes as f64) as u64)),
            None => Err("a number of bytes is needed, such as 2500MB or 2.5GB".into()),
        }
    }
    fn text(&self) -> Option<String> {
        Some(self.0.to_string())
    }
}

/// The memory that cleaning takes at most, for an input of so many vertices and faces.
pub(crate) fn needed([vertices, faces]: [usize; 2]) -> Bytes {
    let [vertices, faces] = [vertices, faces].map(|n| n as u64);
    Bytes(
        ANY.saturating_add(PER_VERTEX.saturating_mul(vertices))
            .saturating_add(PER_FACE.saturating_mul(faces)),
    )
}

/// Refuses a mesh for which a bound is not enough.
pub(crate) fn check(sizes: [usize; 2], bound: Option<Bytes>) -> Result<(), CleanError> {
    let needed = needed(sizes);
    match bound {
        Some(bound) if needed > bound => {
            let [vertices, faces] = sizes;
            Err(CleanError::Memory { vertices, faces, needed, bound })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_written() {
        let read = |text: &str| Bytes::parse(text).ok().map(|bytes| bytes.0);
        let same = ["2500000000", "2.5e9", "2500MB", "2.5GB", " 2.5 gb ", "2.5G", "2500m", "0.0025tb"];
        assert!(same.iter().all(|text| read(text) == Some(2_500_000_000)), "{:?}", same.map(read));
        assert!(["", "GB", "-1", "1 pint", "nan", "2.5 G B"].iter().all(|text| read(text).is_none()));
        let texts = [999, 1_000, 2_500_000, 2_345_678_901].map(|bytes| Bytes(bytes).to_string());
        assert_eq!(texts, ["999 B", "1 kB", "2.5 MB", "2.35 GB"]);
        for bytes in [1_234_567, 2_345_678_901] {
            let text = Bytes(bytes).to_string();
            assert!(read(&text) >= Some(bytes), "{text}");
        }
    }
}
