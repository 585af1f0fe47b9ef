//! The result of repair.
use crate::repair::RepairError;
use crate::repair::RepairReport;
use crate::repair::violations::isolated;

/// A repaired mesh: an oriented manifold, and the input's element of each of its elements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    /// Three vertices of each face. Faces are in the input's order; one that was turned keeps its first
    /// corner.
    pub faces: Vec<[u32; 3]>,
    /// For each vertex, the vertex of the input whose position and attributes it has. Vertices of the input
    /// come first, in their order; then copies.
    pub vertex_inputs: Vec<u32>,
    /// For each face, the face of the input that it was; ascending.
    pub face_inputs: Vec<u32>,
    /// Report of the changes.
    pub report: RepairReport,
}

impl Repaired {
    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.vertex_inputs.len()
    }
    /// Number of vertices without a face; linear.
    pub fn isolated_vertices(&self) -> u64 {
        isolated(self.vertex_inputs.len(), &self.faces)
    }
    /// Values of the vertices from those of the input's; linear.
    /// # Errors
    /// [`RepairError::Length`] where a vertex of the input has no value.
    pub fn vertex_values<T: Copy>(&self, input: &[T]) -> Result<Vec<T>, RepairError> {
        pick("values of vertices", &self.vertex_inputs, input)
    }
    /// Values of the faces from those of the input's; linear.
    /// # Errors
    /// [`RepairError::Length`] where a face of the input has no value.
    pub fn face_values<T: Copy>(&self, input: &[T]) -> Result<Vec<T>, RepairError> {
        pick("values of faces", &self.face_inputs, input)
    }
}

fn pick<T: Copy>(what: &'static str, from: &[u32], input: &[T]) -> Result<Vec<T>, RepairError> {
    let picked: Option<Vec<T>> = from.iter().map(|&i| input.get(i as usize).copied()).collect();
    let expected = from.iter().max().map_or(0, |&last| last as usize + 1);
    picked.ok_or(RepairError::Length { what, expected, found: input.len() })
}
