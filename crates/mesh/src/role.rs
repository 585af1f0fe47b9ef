//! What columns mean, and how they follow changes of the mesh.

use std::fmt;

use crate::Scalar;

/// Which curve the numbers of a colour follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColourSpace {
    /// That of sRGB, as in pictures and in most PLY, OFF and OBJ files.
    Srgb,
    /// Proportional to light, as in GLB files.
    Linear,
}

/// What the values of a column mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Unit vectors; 0 0 0 stands for none.
    Normal,
    /// Three or four channels: red, green, blue, opacity. Integers from 0 to their type's greatest, floating point from
    /// 0 to 1.
    Colour(ColourSpace),
    /// Coordinates in textures, of the set of that number. NaN stands for none.
    TextureCoordinate(u32),
    /// A number that tells good from bad, as scanners write it.
    Quality,
    /// A row of [`Tables::materials`](crate::Tables::materials), or [`NONE`](crate::NONE).
    Material,
    /// A row of [`Tables::groups`](crate::Tables::groups), or [`NONE`](crate::NONE).
    Group,
    /// A row of [`Tables::objects`](crate::Tables::objects), or [`NONE`](crate::NONE).
    Object,
    /// The number of a smoothing group; 0 stands for none.
    Smoothing,
    /// Anything else.
    Custom,
}

/// How the values of a column follow when elements of the mesh are made or moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Policy {
    /// What is made from an element gets its value.
    Copy,
    /// What is made between elements gets the mean of their values, weighted by distance. Normals are made unit
    /// vectors again.
    Interpolate,
    /// What is made between elements gets the value of the nearest.
    Nearest,
    /// Values are computed from the new mesh. Until that is done, the column is missing.
    Recompute,
    /// The column goes when the mesh changes.
    Drop,
}

impl Role {
    /// The policy of a column that has been given none: normals are recomputed; colours, texture coordinates, quality
    /// and other floating point are interpolated; indices and labels, as all other integers, are taken from the nearest.
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

/// A kind of elements.
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
