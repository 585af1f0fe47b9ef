//! What to write beside positions and faces, and how.

use crate::Property;

/// Encodings of PLY. All three keep every `f32` exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlyEncoding {
    /// Text.
    Ascii,
    /// Binary, least significant byte first.
    #[default]
    Little,
    /// Binary, most significant byte first.
    Big,
}

/// Encodings of STL. Both keep every `f32` exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StlEncoding {
    /// Text.
    Ascii,
    /// Binary, 50 bytes per triangle.
    #[default]
    Binary,
}

/// What [`write`](crate::write()) puts into a file beside positions and faces, and how. The default is
/// nothing, in binary where the format has a binary form.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WriteOptions {
    /// Values per vertex. PLY only.
    pub vertex_properties: Vec<Property>,
    /// Values per face. PLY only.
    pub face_properties: Vec<Property>,
    /// A normal per vertex, finite. Not STL, whose normals belong to faces and are always written.
    pub normals: Option<Vec<[f32; 3]>>,
    /// Encoding of PLY.
    pub ply_encoding: PlyEncoding,
    /// Encoding of STL.
    pub stl_encoding: StlEncoding,
    /// Lines of comment at the head of OBJ, PLY and OFF files; STL and GLB have no place for them and go
    /// without.
    pub comments: Vec<String>,
}
