//! The mesh that files hold.

use crate::ReadErrorKind;

/// Triangles that share vertices: `positions` has one row per vertex, in the file's units, and `faces` one
/// row per triangle, of three indices into `positions`.
///
/// What [`read`](crate::read) returns has at least one vertex and one face, at most 2³² − 1 vertices, finite
/// positions, and indices in range. Nothing else holds: vertices may be isolated, faces degenerate or
/// doubled.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TriangleMesh {
    /// Coordinates x, y, z of each vertex.
    pub positions: Vec<[f32; 3]>,
    /// Vertices of each triangle, in the file's order of rotation.
    pub faces: Vec<[u32; 3]>,
}

/// Adds a vertex, if 32-bit indices can name it.
#[inline(always)]
pub(crate) fn push_vertex(positions: &mut Vec<[f32; 3]>, position: [f32; 3]) -> Result<(), ReadErrorKind> {
    if positions.len() >= u32::MAX as usize {
        return Err(ReadErrorKind::TooManyVertices { count: positions.len() as u64 + 1 });
    }
    positions.push(position);
    Ok(())
}
