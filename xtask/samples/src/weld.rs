//! Welds the vertices of a mesh.

use anyhow::Result;
use ribbonmesh_io::{TriangleMesh, WriteOptions, read, write};
use std::collections::HashMap;
use std::path::Path;

/// Reads a mesh, and writes it with a comment and one vertex at each place.
pub fn run(from: &Path, to: &Path, comment: &str) -> Result<()> {
    let mesh = weld(&read(from)?.mesh);
    write(to, &mesh, &WriteOptions { comments: vec![comment.to_owned()], ..WriteOptions::default() })?;
    Ok(())
}

/// Makes one vertex of all vertices with the same coordinates, and drops the faces that lose a corner by it.
/// Vertices keep the order of their first appearance.
fn weld(mesh: &TriangleMesh) -> TriangleMesh {
    let mut welded = TriangleMesh::default();
    let mut seen = HashMap::new();
    let mut new_index = Vec::with_capacity(mesh.positions.len());
    for position in &mesh.positions {
        // Adding zero makes one of the two zeros.
        let key = position.to_array().map(|x| (x + 0.0).to_bits());
        let index = *seen.entry(key).or_insert_with(|| {
            welded.positions.push(*position);
            welded.positions.len() as u32 - 1
        });
        new_index.push(index);
    }
    let faces = mesh.faces.iter().map(|face| face.map(|v| new_index[v as usize]));
    welded.faces = faces.filter(|[a, b, c]| a != b && b != c && c != a).collect();
    welded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_positions_become_one_vertex() {
        let positions =
            vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-0.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
        let faces = vec![[0, 1, 2], [3, 1, 4], [0, 3, 4]];
        let welded = weld(&TriangleMesh::from_f32(positions, faces));
        let places: Vec<[f64; 3]> = welded.positions.iter().map(|p| p.to_array()).collect();
        assert_eq!(places, [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]]);
        assert_eq!(welded.faces, [[0, 1, 2], [0, 1, 3]]);
    }
}
