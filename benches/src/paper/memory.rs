//! Bytes of the topology per face, compared with the thesis's analysis (4.4.1, and 5.4.1 for the dynamic
//! structure).
use ribbonmesh::StaticMesh;
use ribbonmesh_baselines::Pde;
use serde::Serialize;

/// The thesis's analysis: names, and bytes per face.
pub const THESIS: [(&str, f64); 4] = [
    ("PDE", 42.0),
    ("RXMesh, static, with owners", 45.4),
    ("RXMesh, static, first-order queries only", 33.4),
    ("RXMesh, dynamic", 18.75),
];

/// One mesh.
#[derive(Serialize)]
pub struct Memory {
    pub mesh: String,
    pub faces: usize,
    /// Ribbons and tables included, the maps to input order left out.
    pub ours: f64,
    /// The maps to input order.
    pub input_order: f64,
    pub pde: f64,
}

/// Counts the bytes.
pub fn of(name: &str, mesh: &StaticMesh, pde: &Pde) -> Memory {
    let per_face = |bytes: usize| bytes as f64 / mesh.faces().max(1) as f64;
    Memory {
        mesh: name.to_owned(),
        faces: mesh.faces(),
        ours: per_face(mesh.topology_bytes()),
        input_order: per_face(mesh.vertex_inputs().bytes() + mesh.face_inputs().bytes()),
        pde: per_face(pde.topology_bytes()),
    }
}
