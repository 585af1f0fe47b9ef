//! Compressed files: gzip and Zstandard.

mod read;
mod write;

use std::{fmt, path::Path};

pub(crate) use read::contents;
pub(crate) use write::compressed;

/// The compression of a file: its last extension names it, as in `mesh.ply.gz`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compression {
    /// gzip, `.gz`.
    Gzip,
    /// Zstandard, `.zst`.
    Zstd,
}

impl Compression {
    /// The one that the last extension of a path names, in upper or lower case.
    pub fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        let all = [("gz", Self::Gzip), ("zst", Self::Zstd)];
        all.into_iter().find_map(|(name, kind)| extension.eq_ignore_ascii_case(name).then_some(kind))
    }

    /// The one that bytes begin with.
    pub(crate) fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x1f, 0x8b, 8, ..] => Some(Self::Gzip),
            // a frame, or a skippable frame
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstd => "Zstandard",
        })
    }
}
