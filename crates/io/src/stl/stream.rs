//! Binary STL files that are read piece by piece.

use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use glam::DVec3;

use super::{is_binary_of_length, write::TITLE};
use crate::{
    ReadError, ReadErrorKind,
    fault::Fault,
    pieces::{Pieces, at, error, of_system},
    sniff::{STL_FACET, STL_HEAD},
};

/// A binary STL file that is never in memory as a whole: each pass reads it from its beginning, a mebibyte at
/// a time. Three corners are a face; corners with equal [keys](Self::each_corner) are one vertex. Normals
/// follow from the corners.
#[derive(Debug)]
pub struct StlStream {
    file: PathBuf,
    faces: u64,
    titled: bool,
}

impl StlStream {
    /// Reads the header.
    ///
    /// # Errors
    /// [`ReadError`]: the file cannot be read, is a text, has no faces, or ends before its last face.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        let path = path.as_ref();
        Self::opened(path).map_err(|fault| error(path, fault))
    }

    fn opened(path: &Path) -> Result<Self, Fault> {
        let mut file = File::open(path).map_err(of_system)?;
        let length = file.metadata().map_err(of_system)?.len();
        let mut head = vec![];
        Read::by_ref(&mut file).take(512).read_to_end(&mut head).map_err(of_system)?;
        if !is_binary_of_length(&head, length) {
            let what = "an STL file of text".into();
            return Err(at(0, ReadErrorKind::NotInPieces { what }));
        }
        let Some(&count) = head.get(80..STL_HEAD).and_then(|count| count.first_chunk::<4>()) else {
            return Err(at(head.len(), ReadErrorKind::Truncated { what: "the number of triangles" }));
        };
        let faces = u64::from(u32::from_le_bytes(count));
        let (needed, available) = (STL_FACET as u64 * faces, length - STL_HEAD as u64);
        if needed > available {
            let what = "triangles".into();
            return Err(at(80, ReadErrorKind::CountTooLarge { what, count: faces, needed, available }));
        }
        if faces == 0 {
            return Err(Fault { offset: None, kind: ReadErrorKind::NoVertices });
        }
        let title = head[..80].trim_ascii_end();
        let titled = title != TITLE.trim_ascii_end() && title.iter().any(|byte| *byte != 0);
        Ok(Self { file: path.into(), faces, titled })
    }

    /// Number of faces.
    pub fn faces(&self) -> u64 {
        self.faces
    }

    /// The contents that no pass gives. The 16 bits of each face are left out without a word.
    pub fn left_out(&self) -> Vec<String> {
        if self.titled { vec!["header".into()] } else { vec![] }
    }

    /// Gives each corner of each face to `visit`, in the order of the file: a key that is equal where the
    /// coordinates are, 0 and −0 the same, and the position.
    ///
    /// # Errors
    /// Those of `visit`; [`ReadError`]: the file cannot be read, or a coordinate is not finite.
    pub fn each_corner<E: From<ReadError>>(
        &self,
        mut visit: impl FnMut([u32; 3], DVec3) -> Result<(), E>,
    ) -> Result<(), E> {
        let told = |fault| E::from(error(&self.file, fault));
        let mut pieces = Pieces::open(&self.file, STL_HEAD as u64).map_err(told)?;
        for _ in 0..self.faces {
            let from = pieces.offset();
            let bytes = pieces.take(STL_FACET).map_err(told)?;
            for corner in bytes[12..48].as_chunks::<12>().0.iter().enumerate() {
                let (number, corner) = corner;
                let word = |axis: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| corner[4 * axis + byte]));
                let words = [0, 1, 2].map(word);
                let position = words.map(f32::from_bits);
                if let Some(axis) = position.iter().position(|value| !value.is_finite()) {
                    let text = position[axis].to_string();
                    let place = from + 12 + 12 * number + 4 * axis;
                    return Err(told(at(place, ReadErrorKind::NotFinite { text })));
                }
                let key = words.map(|word| if word == 1 << 31 { 0 } else { word });
                visit(key, DVec3::from_array(position.map(f64::from)))?;
            }
        }
        Ok(())
    }
}
