//! The static mesh (thesis chapter 4).
mod build;
mod options;

pub use options::MeshOptions;

use crate::{Buffer, Device};
use ribbonmesh_device::{Counts, MeshView};

/// A triangle mesh whose connectivity does not change: patches with ribbons (thesis 4.2, 4.3.1).
///
/// Vertices, edges and faces have ids, numbered so that those owned by a patch are contiguous. The input's own
/// order is kept beside it: [`StaticMesh::vertex_inputs`] and [`StaticMesh::face_inputs`] map an id to the place
/// in the input.
pub struct StaticMesh {
    device: Device,
    rows: Buffer<u32>,
    general_rows: Buffer<u32>,
    ev: Buffer<u32>,
    fe: Buffer<u16>,
    ribbon_v: Buffer<u32>,
    ribbon_e: Buffer<u32>,
    ribbon_f: Buffer<u32>,
    /// Input index of each vertex id.
    vertex_inputs: Buffer<u32>,
    /// Input index of each face id.
    face_inputs: Buffer<u32>,
    patches: u32,
    vertices: u32,
    edges: u32,
    faces: u32,
    flags: u32,
    max: Counts,
    total: Counts,
}

impl StaticMesh {
    /// What kernels see.
    pub fn view(&self) -> MeshView<'_> {
        MeshView {
            rows: self.rows.view(),
            general_rows: self.general_rows.view(),
            ev: self.ev.view(),
            fe: self.fe.view(),
            ribbon_v: self.ribbon_v.view(),
            ribbon_e: self.ribbon_e.view(),
            ribbon_f: self.ribbon_f.view(),
            patches: self.patches,
            vertices: self.vertices,
            edges: self.edges,
            faces: self.faces,
            flags: self.flags,
            max: self.max,
        }
    }
    /// The machine it lives on.
    pub fn device(&self) -> &Device {
        &self.device
    }
    /// Number of vertices, isolated ones included.
    pub fn vertices(&self) -> usize {
        self.vertices as usize
    }
    /// Number of edges: unordered pairs of vertices that some face has as a side.
    pub fn edges(&self) -> usize {
        self.edges as usize
    }
    /// Number of faces.
    pub fn faces(&self) -> usize {
        self.faces as usize
    }
    /// Number of patches.
    pub fn patches(&self) -> usize {
        self.patches as usize
    }
    /// For each vertex id, the vertex's place in the input.
    pub fn vertex_inputs(&self) -> &Buffer<u32> {
        &self.vertex_inputs
    }
    /// For each face id, the face's place in the input.
    pub fn face_inputs(&self) -> &Buffer<u32> {
        &self.face_inputs
    }
    /// The numbers of all patches added up: entries of results, ribbon sizes.
    pub fn totals(&self) -> Counts {
        self.total
    }
}
