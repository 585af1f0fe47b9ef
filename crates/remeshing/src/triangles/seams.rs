//! Seams of a surface on the host.
use super::mesh::{MARKED, Mesh};
use ribbonmesh::Result;
use ribbonmesh::surface::{Seams, Surface};
use ribbonmesh_mesh::{Element, Role};

/// Seams, by the ids of the surface.
pub struct SeamSides {
    /// Whether each side of each face is marked.
    faces: Vec<[bool; 3]>,
    poles: Vec<u32>,
}
/// Finds the seams of a surface; without columns that could have some, it computes nothing.
pub fn seams(surface: &mut Surface) -> Result<Option<SeamSides>> {
    let mut some = false;
    for element in [Element::Face, Element::Corner] {
        // asks for the roles of all columns, and keeps them
        surface.retain(element, |_, role| {
            some |= match role {
                Role::Material | Role::Group | Role::Object | Role::Smoothing => element == Element::Face,
                Role::TextureCoordinate(_) => element == Element::Corner,
                _ => false,
            };
            true
        });
    }
    if !some {
        return Ok(None);
    }
    let (mut mesh, _) = surface.to_dynamic(0.0, 1.0)?;
    let Some(Seams { marks, poles }) = surface.seams(&mut mesh)? else { return Ok(None) };
    let (marks, poles) = (marks.read(&mesh)?, poles.read()?);
    let faces = mesh.read_sides()?.iter().map(|side| side.map(|e| marks[e as usize] != 0)).collect();
    Ok(Some(SeamSides { faces, poles }))
}
impl SeamSides {
    /// Marks the edges inside of the surface, and returns the counts to begin with at its vertices. The mesh
    /// has vertices and faces that have these ids on the surface.
    pub fn mark(self, mesh: &mut Mesh, [vertices, faces]: &[Vec<u32>; 2]) -> Vec<u32> {
        for (f, &id) in faces.iter().enumerate() {
            let marked = self.faces[id as usize];
            for (h, _) in Mesh::half_edges(f).into_iter().zip(marked).filter(|(_, marked)| *marked) {
                if let Some(twin) = mesh.twin(h) {
                    mesh.set(h, MARKED);
                    mesh.set(twin, MARKED);
                }
            }
        }
        vertices.iter().map(|&v| self.poles[v as usize]).collect()
    }
}
