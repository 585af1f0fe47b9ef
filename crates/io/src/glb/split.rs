//! Vertices become several where their corners differ, as glTF has no attributes of corners.

use ribbonmesh_mesh::{Column, NONE, TriangleMesh};

/// Vertices of the file.
pub(super) struct Split {
    /// Vertex of the mesh of each; the mesh's own come first, in their order.
    pub vertices: Vec<u32>,
    /// A corner of the mesh with the attributes of each; [`NONE`] where no face has the vertex.
    pub corners: Vec<u32>,
    /// Vertex of the file of each corner.
    pub indices: Vec<u32>,
}

impl Split {
    /// Splits the vertices of a mesh whose corners have these columns.
    pub fn of(mesh: &TriangleMesh, columns: &[&Column]) -> Self {
        let count = mesh.positions.len();
        let mut split = Self {
            vertices: (0..count as u32).collect(),
            corners: vec![NONE; count],
            indices: Vec::with_capacity(3 * mesh.faces.len()),
        };
        if columns.is_empty() {
            split.indices.extend(mesh.faces.as_flattened());
            return split;
        }
        let same = |a: u32, b: u32| {
            columns.iter().all(|column| {
                let row = column.scalar().size() * column.width();
                let bytes = column.scalars().bytes();
                let of = |corner: u32| &bytes[corner as usize * row..(corner as usize + 1) * row];
                of(a) == of(b)
            })
        };
        // the next vertex of the file that belongs to the same vertex of the mesh
        let mut next = vec![NONE; count];
        for (corner, &vertex) in (0..).zip(mesh.faces.as_flattened()) {
            let mut at = vertex;
            loop {
                let known = split.corners[at as usize];
                if known == NONE {
                    split.corners[at as usize] = corner;
                    break;
                }
                if same(known, corner) {
                    break;
                }
                if next[at as usize] == NONE {
                    next[at as usize] = split.vertices.len() as u32;
                    split.vertices.push(vertex);
                    split.corners.push(NONE);
                    next.push(NONE);
                }
                at = next[at as usize];
            }
            split.indices.push(at);
        }
        split
    }
}
