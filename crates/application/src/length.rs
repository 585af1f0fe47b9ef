//! Lengths that depend on the mesh.
use crate::{Kind, OptionValue};
use ribbonmesh::{Result, Surface};
use ribbonmesh_mesh::TriangleMesh;
use std::fmt;

/// A length, absolute or relative to the input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    /// In the units of the positions.
    Absolute(f32),
    /// In mean edge lengths of the input.
    Mean(f32),
    /// In diagonals of the input's box.
    Diagonal(f32),
    /// The mean edge length of the input, or a twentieth of the diagonal where that is shorter: coarse
    /// triangles, such as those of CAD, say nothing of the length that is wanted.
    Usual,
}
impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absolute(l) => write!(f, "{l}"),
            Self::Mean(l) => write!(f, "{l}x"),
            Self::Diagonal(l) => write!(f, "{}%", 100.0 * l),
            Self::Usual => f.write_str("usual"),
        }
    }
}
impl Length {
    /// The largest usual length, in diagonals.
    pub const USUAL: f64 = 0.05;

    /// The length in the units of a mesh's positions. Vertices that no face has do not count. Sorts the sides
    /// for mean edge lengths.
    ///
    /// # Panics
    /// If an index of a face is out of range.
    pub fn in_units(self, mesh: &TriangleMesh) -> f64 {
        match self {
            Self::Absolute(length) => length.into(),
            Self::Mean(share) => {
                let sides = mesh.sides();
                let long =
                    |&[a, b]: &[u32; 2]| mesh.positions[a as usize].distance(mesh.positions[b as usize]);
                f64::from(share) * sides.iter().map(long).sum::<f64>() / sides.len().max(1) as f64
            }
            Self::Diagonal(share) => {
                f64::from(share) * mesh.bounding_box().map_or(0.0, |bounds| bounds.diagonal())
            }
            Self::Usual => {
                let [mean, part] = [Self::Mean(1.0), Self::Diagonal(Self::USUAL as f32)];
                mean.in_units(mesh).min(part.in_units(mesh))
            }
        }
    }

    /// As [`Length::in_units`], of a surface, with edges and boxes in single precision around its origin.
    ///
    /// # Errors
    /// As [`Surface::extent`] and [`Surface::mean_edge_length`].
    pub fn of_surface(self, surface: &mut Surface) -> Result<f64> {
        Ok(match self {
            Self::Absolute(length) => length.into(),
            Self::Mean(share) => f64::from(share) * surface.mean_edge_length(1.0)?,
            Self::Diagonal(share) => f64::from(share) * surface.extent("the mesh")?.diagonal,
            Self::Usual => {
                let [mean, part] = [Self::Mean(1.0), Self::Diagonal(Self::USUAL as f32)];
                mean.of_surface(surface)?.min(part.of_surface(surface)?)
            }
        })
    }
}
impl OptionValue for Length {
    const KIND: Kind = Kind::Measure;
    /// `0.01`, `0.8x` (of the mean edge length), `1%` (of the diagonal).
    fn parse(text: &str) -> std::result::Result<Self, String> {
        let number = |text: &str| match text.trim().parse::<f32>() {
            Ok(l) if l.is_finite() && l > 0.0 => Ok(l),
            _ => Err("a number above 0 is needed, such as 0.01, 0.8x of the mean edge length, or 1% of the \
                      diagonal"
                .to_owned()),
        };
        if let Some(share) = text.strip_suffix('%') {
            Ok(Self::Diagonal(number(share)? / 100.0))
        } else if let Some(share) = text.strip_suffix('x') {
            Ok(Self::Mean(number(share)?))
        } else {
            Ok(Self::Absolute(number(text)?))
        }
    }
    fn text(&self) -> Option<String> {
        (*self != Self::Usual).then(|| self.to_string())
    }
}

/// A length, or 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LengthOrZero(pub Length);
impl OptionValue for LengthOrZero {
    const KIND: Kind = Kind::Measure;
    fn parse(text: &str) -> std::result::Result<Self, String> {
        match text.trim().parse::<f32>() {
            Ok(0.0) => Ok(Self(Length::Absolute(0.0))),
            _ => Length::parse(text).map(Self),
        }
    }
    fn text(&self) -> Option<String> {
        self.0.text()
    }
}
