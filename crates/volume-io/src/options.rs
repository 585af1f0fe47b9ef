//! Options of writing.

/// Versions of VTK legacy files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VtkVersion {
    /// 3.0, which every program reads: each cell begins with the number of its vertices.
    V3,
    /// 5.1, of VTK 9: offsets and connectivity, 64 bits.
    #[default]
    V5,
}

/// Versions of Gmsh's MSH.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MshVersion {
    /// 2.2, which many programs read.
    V2,
    /// 4.1.
    #[default]
    V4,
}

/// The place of the data in a binary VTU file. All choices keep every number exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VtuData {
    /// In their elements, in base64.
    #[default]
    Inline,
    /// At the end of the file, as bytes: smaller, but no longer XML in the strict sense.
    Appended,
}

/// Options of [`write`](crate::write()). The default is binary if the format has a binary form.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VolumeWriteOptions {
    /// Text instead of binary data, for VTK, VTU and MSH.
    pub ascii: bool,
    /// The version of VTK legacy files.
    pub vtk_version: VtkVersion,
    /// The version of MSH files.
    pub msh_version: MshVersion,
    /// The place of the data in binary VTU files.
    pub vtu_data: VtuData,
    /// Binary VTU files without zlib compression. Default: false, compressed.
    pub uncompressed: bool,
}
