//! Statements of OBJ files by keyword.

/// What a reader of meshes makes of a statement.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Statement {
    /// `v`: a position.
    Vertex,
    /// `f`, and the older `fo`: a polygon.
    Face,
    /// Attributes, names, materials and display settings: nothing is lost for the mesh.
    Ignored,
    /// `p`, `l`: points and lines.
    PointOrLine,
    /// Free-form geometry.
    CurveOrSurface,
    /// `call`, `csh`: another file or a shell command, whose geometry would be missing.
    Call,
    /// Not OBJ.
    Unknown,
}

impl Statement {
    pub fn of(keyword: &[u8]) -> Self {
        match keyword {
            b"v" => Self::Vertex,
            b"f" | b"fo" => Self::Face,
            b"vt" | b"vn" | b"vp" | b"o" | b"g" | b"s" | b"mg" | b"usemtl" | b"mtllib" | b"usemap"
            | b"maplib" | b"lod" | b"bevel" | b"c_interp" | b"d_interp" | b"shadow_obj" | b"trace_obj"
            | b"ctech" | b"stech" | b"deg" | b"bmat" | b"step" | b"cstype" | b"parm" | b"trim" | b"hole"
            | b"scrv" | b"sp" | b"end" | b"con" | b"res" => Self::Ignored,
            b"p" | b"l" => Self::PointOrLine,
            b"curv" | b"curv2" | b"surf" | b"bzp" | b"bsp" | b"cdc" | b"cdp" => Self::CurveOrSurface,
            b"call" | b"csh" => Self::Call,
            _ => Self::Unknown,
        }
    }
}
