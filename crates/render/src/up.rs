//! The upward axis of a mesh.
use glam::{DMat3, DVec3};
use std::fmt;
use std::str::FromStr;

/// The direction of the mesh's axes that points up in pictures. A mesh is turned by the shortest way from y
/// there: with z up, x stays on the right, and the front is seen from −y.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Up {
    /// +x; the front is seen from +z.
    X,
    /// +y; the front is seen from +z.
    #[default]
    Y,
    /// +z; the front is seen from −y.
    Z,
    /// −x; the front is seen from +z.
    MinusX,
    /// −y; the front is seen from −z.
    MinusY,
    /// −z; the front is seen from +y.
    MinusZ,
}

impl Up {
    /// All of them, with their names.
    pub const NAMED: [(&'static str, Self); 6] = [
        ("x", Self::X),
        ("y", Self::Y),
        ("z", Self::Z),
        ("-x", Self::MinusX),
        ("-y", Self::MinusY),
        ("-z", Self::MinusZ),
    ];

    /// The directions right, up and towards the viewer, seen from the front, in the mesh's axes, as columns.
    pub fn axes(self) -> DMat3 {
        let (right, up) = match self {
            Self::X => (DVec3::NEG_Y, DVec3::X),
            Self::Y => (DVec3::X, DVec3::Y),
            Self::Z => (DVec3::X, DVec3::Z),
            Self::MinusX => (DVec3::Y, DVec3::NEG_X),
            Self::MinusY => (DVec3::X, DVec3::NEG_Y),
            Self::MinusZ => (DVec3::X, DVec3::NEG_Z),
        };
        DMat3::from_cols(right, up, right.cross(up))
    }
}

impl fmt::Display for Up {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Self::NAMED.iter().find(|(_, up)| up == self).map_or("", |(name, _)| name);
        f.write_str(name)
    }
}

impl FromStr for Up {
    type Err = String;
    /// An axis, with or without a sign.
    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.strip_prefix('+').unwrap_or(text);
        let found = Self::NAMED.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let names = Self::NAMED.map(|(name, _)| name).join(", ");
        found.map(|(_, up)| *up).ok_or_else(|| format!("{text:?} is none of {names}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (name, up) in Up::NAMED {
            assert_eq!((name.parse(), up.to_string().as_str()), (Ok(up), name));
        }
        assert_eq!("+Z".parse(), Ok(Up::Z));
        for wrong in ["", "w", "xy", "--z", "0,0,1"] {
            assert!(wrong.parse::<Up>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn axes_are_turned_and_not_mirrored() {
        for (_, up) in Up::NAMED {
            let axes = up.axes();
            assert_eq!(axes.determinant(), 1.0, "{up}");
            assert_eq!(axes * axes.transpose(), DMat3::IDENTITY, "{up}");
        }
        assert_eq!(Up::Y.axes(), DMat3::IDENTITY);
        assert_eq!(Up::Z.axes().z_axis, DVec3::NEG_Y);
    }
}
