//! File formats and their names.

use std::{borrow::Cow, fmt, path::Path, str::FromStr};

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
#[error("{} (known: {})", describe(what, name), known.join(", "))]
pub struct UnknownFormat {
    /// The kind of formats: file format, volume format.
    pub what: &'static str,
    /// The name or extension, without the dot; empty if a path has no extension.
    pub name: String,
    /// The extensions that are known.
    pub known: Vec<&'static str>,
}

impl Classified for UnknownFormat {
    fn class(&self) -> Class {
        Class::refused(Subject::Option)
    }
}

fn describe(what: &str, name: &str) -> String {
    if name.is_empty() { "no file extension".into() } else { format!("unknown {what} {name:?}") }
}

/// The extension that names the format of a path; of a compressed file (`mesh.ply.gz`), the one before the
/// last. Empty if there is none.
pub fn format_extension(path: &Path) -> Cow<'_, str> {
    let plain = path.file_stem().map(Path::new).filter(|_| Compression::from_path(path).is_some());
    let extension = plain.and_then(Path::extension).or(path.extension());
    extension.unwrap_or_default().to_string_lossy()
}

/// The format with an extension, in upper or lower case, among `all`; `what` is the kind of formats in
/// errors.
///
/// # Errors
/// [`UnknownFormat`] if none has it.
pub fn format_named<F: Copy>(
    name: &str,
    what: &'static str,
    all: &[F],
    extension: impl Fn(F) -> &'static str,
) -> Result<F, UnknownFormat> {
    let found = all.iter().find(|&&format| extension(format).eq_ignore_ascii_case(name));
    found.copied().ok_or_else(|| {
        let known = all.iter().map(|&format| extension(format)).collect();
        UnknownFormat { what, name: name.into(), known }
    })
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
        format_extension(path).parse()
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        format_named(name, "file format", &Self::ALL, Self::extension)
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
