//! Checks of the input.
use rayon::prelude::*;
use ribbonmesh::{Error, Result};

/// Most faces of a mesh, as for [`ribbonmesh::StaticMesh`].
const FACES: u64 = 400_000_000;
/// Most vertices: one number is left for [`NONE`].
pub(crate) const VERTICES: u64 = u32::MAX as u64;

/// No vertex, side or face.
pub(crate) const NONE: u32 = u32::MAX;

/// Checks that numbers fit their types and that every index is that of a vertex.
pub(crate) fn indices(vertices: usize, faces: &[[u32; 3]]) -> Result<()> {
    too_many("faces", faces.len(), FACES)?;
    too_many("vertices", vertices, VERTICES)?;
    let outside = |face: &[u32; 3]| face.iter().copied().find(|&v| v as usize >= vertices);
    let first =
        faces.par_iter().enumerate().find_map_first(|(face, corners)| Some((face, outside(corners)?)));
    match first {
        Some((face, vertex)) => Err(Error::IndexOutOfRange { face, vertex, vertices }),
        None => Ok(()),
    }
}

/// Refuses a number greater than `limit`.
pub(crate) fn too_many(what: &'static str, count: usize, limit: u64) -> Result<()> {
    let count = count as u64;
    if count > limit { Err(Error::TooMany { what, count, limit }) } else { Ok(()) }
}

/// Whether a face has a vertex twice.
pub(crate) fn degenerate([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}
