//! File formats and their names.

use std::{fmt, path::Path, str::FromStr};

use ribbonmesh_mesh::{Class, Classified, Subject};

use crate::Compression;

/// A file format, named by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Wavefront OBJ.
    Obj,
    /// Polygon file format of Stanford, ASCII or binary.
    Ply,
    /// Object file format of Geomview.
    Off,
    /// Stereolithography, ASCII or binary.
    Stl,
    /// Binary glTF 2.0.
    Glb,
    /// glTF 2.0 as JSON; its buffers and images may be files beside it. Written with its data inside.
    Gltf,
}

/// An unknown name or extension of a format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{} (known: {})", describe(name), known())]
pub struct UnknownFormat {
    /// The name or extension, without the dot; empty if a path has no extension.
    pub name: String,
}

impl Classified for UnknownFormat {
    fn class(&self) -> Class {
        Class::refused(Subject::Option)
    }
}

fn describe(name: &str) -> String {
    if name.is_empty() { "no file extension".into() } else { format!("unknown file format {name:?}") }
}

fn known() -> String {
    Format::ALL.map(Format::extension).join(", ")
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 6] = [Self::Obj, Self::Ply, Self::Off, Self::Stl, Self::Glb, Self::Gltf];

    /// The extension, without the dot, in lower case.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Obj => "obj",
            Self::Ply => "ply",
            Self::Off => "off",
            Self::Stl => "stl",
            Self::Glb => "glb",
            Self::Gltf => "gltf",
        }
    }

    /// The format of a path's extension, in upper or lower case; for a compressed file (`mesh.ply.gz`), of
    /// the extension before the last.
    ///
    /// # Errors
    /// [`UnknownFormat`] if the path has no extension or an unknown one.
    pub fn from_path(path: &Path) -> Result<Self, UnknownFormat> {
        let plain = path.file_stem().map(Path::new).filter(|_| Compression::from_path(path).is_some());
        let extension = plain.and_then(Path::extension).or(path.extension());
        extension.unwrap_or_default().to_string_lossy().parse()
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Self::ALL
            .into_iter()
            .find(|format| format.extension().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownFormat { name: name.into() })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gltf => f.write_str("glTF"),
            format => f.write_str(&format.extension().to_ascii_uppercase()),
        }
    }
}
