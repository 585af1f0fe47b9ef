//! File formats of volumes and their names.

use std::{fmt, path::Path, str::FromStr};

use ribbonmesh_io::{
    UnknownFormat,
    core::{format_extension, format_named},
};

/// A file format of volumes, named by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum VolumeFormat {
    /// VTK legacy, ASCII or binary.
    Vtk,
    /// VTK XML, unstructured grid.
    Vtu,
    /// Gmsh MSH, 4.1 and 2, ASCII or binary.
    Msh,
    /// MEDIT, ASCII.
    Mesh,
    /// OpenVolumeMesh, ASCII.
    Ovm,
}

impl VolumeFormat {
    /// All formats.
    pub const ALL: [Self; 5] = [Self::Vtk, Self::Vtu, Self::Msh, Self::Mesh, Self::Ovm];

    /// The extension, without the dot, in lower case.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Vtk => "vtk",
            Self::Vtu => "vtu",
            Self::Msh => "msh",
            Self::Mesh => "mesh",
            Self::Ovm => "ovm",
        }
    }

    /// The format of a path's extension, in upper or lower case; for a compressed file (`part.vtk.gz`), of
    /// the extension before the last.
    ///
    /// # Errors
    /// [`UnknownFormat`] if the path has no extension or an unknown one.
    pub fn from_path(path: &Path) -> Result<Self, UnknownFormat> {
        format_extension(path).parse()
    }

    /// The format with which bytes begin.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        let head = bytes.trim_ascii_start();
        let marks: [(&[u8], Self); 6] = [
            (b"# vtk", Self::Vtk),
            (b"<?xml", Self::Vtu),
            (b"<VTKFile", Self::Vtu),
            (b"$MeshFormat", Self::Msh),
            (b"MeshVersionFormatted", Self::Mesh),
            (b"OVM", Self::Ovm),
        ];
        marks.into_iter().find_map(|(mark, format)| head.starts_with(mark).then_some(format))
    }
}

impl FromStr for VolumeFormat {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        format_named(name, "volume format", &Self::ALL, Self::extension)
    }
}

impl fmt::Display for VolumeFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Vtk => "VTK",
            Self::Vtu => "VTU",
            Self::Msh => "MSH",
            Self::Mesh => "MEDIT",
            Self::Ovm => "OpenVolumeMesh",
        })
    }
}
