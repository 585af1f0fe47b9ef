//! The meaning of columns, and how they follow changes of the mesh.

use std::fmt;

use crate::Scalar;

/// Encoding of the channels of a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColourSpace {
    /// sRGB, as in pictures and in most PLY, OFF and OBJ files.
    Srgb,
    /// Linear light, as in GLB files.
    Linear,
}

/// The meaning of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Unit vectors; 0 0 0 means none.
    Normal,
    /// Three or four channels: red, green, blue, opacity. Integers from 0 to the largest of their type,
    /// floating point from 0 to 1.
    Colour(ColourSpace),
    /// Texture coordinates; the number is the index of their set. NaN means none.
    TextureCoordinate(u32),
    /// A quality or confidence value of a scanner.
    Quality,
    /// A row of [`Tables::materials`](crate::Tables::materials), or [`NONE`](crate::NONE).
    Material,
    /// A row of [`Tables::groups`](crate::Tables::groups), or [`NONE`](crate::NONE).
    Group,
    /// A row of [`Tables::objects`](crate::Tables::objects), or [`NONE`](crate::NONE).
    Object,
    /// The number of a smoothing group; 0 means none.
    Smoothing,
    /// Any other meaning.
    Custom,
}

/// Policies for a column's values at new or moved elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Policy {
    /// A new element gets the value of the element from which it is made.
    Copy,
    /// A new element gets the interpolated value at its location. Normals are normalised again.
    Interpolate,
    /// A new element gets the value of the nearest old element.
    Nearest,
    /// Values must be recomputed from the new mesh. Until then the column is missing.
    Recompute,
    /// The column is dropped when the mesh changes.
    Drop,
}

impl Role {
    /// The default policy of a role: normals are recomputed; colours, texture coordinates, quality and other
    /// floating-point values are interpolated; indices, labels and other integers are taken from the nearest
    /// element.
    pub fn policy(self, scalar: Scalar) -> Policy {
        match self {
            Self::Normal => Policy::Recompute,
            Self::Colour(_) | Self::TextureCoordinate(_) | Self::Quality => Policy::Interpolate,
            Self::Material | Self::Group | Self::Object | Self::Smoothing => Policy::Nearest,
            Self::Custom if scalar.is_integer() => Policy::Nearest,
            Self::Custom => Policy::Interpolate,
        }
    }
}

/// A kind of element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// Vertices.
    Vertex,
    /// Faces.
    Face,
    /// Corners of faces: corner i of face f is row 3 f + i.
    Corner,
    /// The pairs of [`TriangleMesh::edges`](crate::TriangleMesh::edges).
    Edge,
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Vertex => "vertex",
            Self::Face => "face",
            Self::Corner => "corner",
            Self::Edge => "edge",
        })
    }
}
