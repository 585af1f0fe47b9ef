//! Areas of vertices.
use ribbonmesh_application::Choice;

/// Definition of a vertex's area.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Area {
    /// A third of each face.
    Barycentric,
    /// Meyer et al. 2003, Figure 4: the Voronoi cell in faces that are not obtuse; in an obtuse face, half of
    /// its area at the obtuse corner and a quarter at the others. More accurate on irregular meshes.
    #[default]
    Mixed,
}
