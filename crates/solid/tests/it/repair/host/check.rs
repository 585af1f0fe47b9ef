//! Checks of the input.
use rayon::prelude::*;
use ribbonmesh_mesh::MeshError;

/// Most faces of a mesh, as on devices.
const FACES: u64 = 400_000_000;
/// Most vertices: one number is left for [`NONE`].
pub(crate) const VERTICES: u64 = u32::MAX as u64;

/// No vertex, side or face.
pub(crate) const NONE: u32 = u32::MAX;

/// Checks that numbers fit their types and that every index is that of a vertex.
pub(crate) fn indices(vertices: usize, faces: &[[u32; 3]]) -> Result<(), MeshError> {
    MeshError::at_most("faces", faces.len(), FACES)?;
    MeshError::at_most("vertices", vertices, VERTICES)?;
    let outside = |face: &[u32; 3]| face.iter().copied().find(|&v| v as usize >= vertices);
    let first =
        faces.par_iter().enumerate().find_map_first(|(face, corners)| Some((face, outside(corners)?)));
    match first {
        Some((face, index)) => Err(MeshError::FaceIndex { face, index, vertices }),
        None => Ok(()),
    }
}

/// Whether a face has a vertex twice.
pub(crate) fn degenerate([a, b, c]: [u32; 3]) -> bool {
    a == b || b == c || c == a
}
