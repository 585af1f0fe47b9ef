//! Statements of OBJ files by keyword.

/// Kind of a statement, as a reader of meshes treats it.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Statement {
    /// `v`: a position.
    Vertex,
    /// `vt`: texture coordinates.
    Texture,
    /// `vn`: a normal.
    Normal,
    /// `f`, and the older `fo`: a polygon.
    Face,
    /// `g`: the groups of the following faces.
    Group,
    /// `o`: the object of the following faces.
    Object,
    /// `usemtl`: the material of the following faces.
    Material,
    /// `s`: the smoothing group of the following faces.
    Smoothing,
    /// `mtllib`: files of materials.
    Library,
    /// Display settings and details of free-form geometry.
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
            b"vt" => Self::Texture,
            b"vn" => Self::Normal,
            b"f" | b"fo" => Self::Face,
            b"g" => Self::Group,
            b"o" => Self::Object,
            b"usemtl" => Self::Material,
            b"s" => Self::Smoothing,
            b"mtllib" => Self::Library,
            b"vp" | b"mg" | b"usemap" | b"maplib" | b"lod" | b"bevel" | b"c_interp" | b"d_interp"
            | b"shadow_obj" | b"trace_obj" | b"ctech" | b"stech" | b"deg" | b"bmat" | b"step" | b"cstype"
            | b"parm" | b"trim" | b"hole" | b"scrv" | b"sp" | b"end" | b"con" | b"res" => Self::Ignored,
            b"p" | b"l" => Self::PointOrLine,
            b"curv" | b"curv2" | b"surf" | b"bzp" | b"bsp" | b"cdc" | b"cdp" => Self::CurveOrSurface,
            b"call" | b"csh" => Self::Call,
            _ => Self::Unknown,
        }
    }
}
