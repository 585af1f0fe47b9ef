//! Options of reading and writing.

use crate::Format;

/// Options of [`read_with`](crate::read_with) and [`read_stream_with`](crate::read_stream_with).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format where the extension names none. Default: the extension's or the content's.
    pub format: Option<Format>,
    /// Whether a file may have points alone, without a face. Default: false.
    pub points: bool,
    /// Whether elements that would be left out or changed with a note are errors: faces of fewer than three
    /// corners, coordinates and normals that are not finite, lines and words that the format does not have.
    /// Default: false.
    pub strict: bool,
}

/// Encodings of PLY. All three keep every number exactly.
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

/// Options of [`write`](crate::write()). The default is binary if the format has a binary form.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WriteOptions {
    /// Encoding of PLY.
    pub ply_encoding: PlyEncoding,
    /// Encoding of STL.
    pub stl_encoding: StlEncoding,
    /// Whether a mesh without faces, or even vertices, may be written: points alone, in PLY, which
    /// [`read_points`](crate::read_points) reads unless there are none. Default: false.
    pub points: bool,
    /// Comment lines at the head of OBJ, PLY and OFF files, before those of the mesh. STL and GLB cannot
    /// store comments.
    pub comments: Vec<String>,
}
