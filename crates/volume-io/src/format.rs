//! File formats of volumes and their names.

use std::{fmt, path::Path, str::FromStr};

use ribbonmesh_io::Compression;
use ribbonmesh_mesh::{Class, Classified, Subject};

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

/// An unknown name or extension of a format of volumes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} (known: {})", describe(name), VolumeFormat::ALL.map(VolumeFormat::extension).join(", "))]
pub struct UnknownVolumeFormat {
    /// The name or extension, without the dot; empty if a path has no extension.
    pub name: String,
}

impl Classified for UnknownVolumeFormat {
    fn class(&self) -> Class {
        Class::refused(Subject::Option)
    }
}

fn describe(name: &str) -> String {
    if name.is_empty() { "no file extension".into() } else { format!("unknown volume format {name:?}") }
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
    /// [`UnknownVolumeFormat`] if the path has no extension or an unknown one.
    pub fn from_path(path: &Path) -> Result<Self, UnknownVolumeFormat> {
        let plain = path.file_stem().map(Path::new).filter(|_| Compression::from_path(path).is_some());
        let extension = plain.and_then(Path::extension).or(path.extension());
        extension.unwrap_or_default().to_string_lossy().parse()
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
    type Err = UnknownVolumeFormat;

    fn from_str(name: &str) -> Result<Self, UnknownVolumeFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.extension().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownVolumeFormat { name: name.into() })
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
