//! Directions of view.
use ribbonmesh_mesh::OptionError;
use std::fmt;
use std::str::FromStr;

/// The direction from the centre of the mesh to the camera. y is up; the front faces +z. With another axis up
/// ([`crate::Up`]), these are the axes of the turned mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// Degrees to the right of the front: 90 is the direction +x.
    pub azimuth: f64,
    /// Degrees above the horizon.
    pub elevation: f64,
}

impl View {
    /// From +z.
    pub const FRONT: Self = Self { azimuth: 0.0, elevation: 0.0 };
    /// From −z.
    pub const BACK: Self = Self { azimuth: 180.0, elevation: 0.0 };
    /// From −x.
    pub const LEFT: Self = Self { azimuth: -90.0, elevation: 0.0 };
    /// From +x.
    pub const RIGHT: Self = Self { azimuth: 90.0, elevation: 0.0 };
    /// From +y, with the front at the lower edge.
    pub const TOP: Self = Self { azimuth: 0.0, elevation: 90.0 };
    /// From −y, with the front at the upper edge.
    pub const BOTTOM: Self = Self { azimuth: 0.0, elevation: -90.0 };
    /// From (1, 1, 1): isometric, all axes have the same length.
    pub const ISO: Self = Self { azimuth: 45.0, elevation: 35.264_389_682_754_654 };

    /// The views with names.
    pub const NAMED: [(&'static str, Self); 7] = [
        ("front", Self::FRONT),
        ("back", Self::BACK),
        ("left", Self::LEFT),
        ("right", Self::RIGHT),
        ("top", Self::TOP),
        ("bottom", Self::BOTTOM),
        ("iso", Self::ISO),
    ];
}

impl Default for View {
    fn default() -> Self {
        Self::FRONT
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Self::NAMED.iter().find(|(_, view)| view == self) {
            Some((name, _)) => f.write_str(name),
            None => write!(f, "{},{}", self.azimuth, self.elevation),
        }
    }
}

impl FromStr for View {
    type Err = OptionError;
    /// A name, or `AZIMUTH,ELEVATION` in degrees, elevation from −90 to 90.
    fn from_str(text: &str) -> Result<Self, OptionError> {
        if let Some((_, view)) = Self::NAMED.iter().find(|(name, _)| *name == text) {
            return Ok(*view);
        }
        let degrees = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let angles = text.split_once(',').and_then(|(a, e)| Some((degrees(a)?, degrees(e)?)));
        match angles {
            Some((azimuth, elevation)) if elevation.abs() <= 90.0 => Ok(Self { azimuth, elevation }),
            Some(_) => Err(OptionError::value("view", text, "an elevation from -90 to 90")),
            None => {
                let names = Self::NAMED.map(|(name, _)| name).join(", ");
                Err(OptionError::value("view", text, &format!("{names}, or AZIMUTH,ELEVATION in degrees")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_angles() {
        for (name, view) in View::NAMED {
            assert_eq!((name.parse(), view.to_string().as_str()), (Ok(view), name));
        }
        let view = View { azimuth: -30.5, elevation: 20.0 };
        assert_eq!(("-30.5, 20".parse(), view.to_string().as_str()), (Ok(view), "-30.5,20"));
        for wrong in ["", "side", "1", "1,2,3", "nan,0", "0,91", "0,inf"] {
            assert!(wrong.parse::<View>().is_err(), "{wrong}");
        }
    }
}
