//! A mesh and its oracle: ids translated to the input's indices.
use super::meshes::Case;
use super::oracle::{Key, Oracle, key};
use ribbonmesh::{Device, MeshOptions, Op, StaticMesh};

pub struct Pair {
    pub name: String,
    pub mesh: StaticMesh,
    pub oracle: Oracle,
    /// Input index of each vertex id.
    pub vertex: Vec<u32>,
    /// Input index of each face id.
    pub face: Vec<u32>,
    /// The two input vertices of each edge id.
    pub edge: Vec<Key>,
}
impl Pair {
    pub fn new(device: &Device, case: &Case, patch_size: u32) -> Self {
        let name = format!("{}, patches of {patch_size}", case.name);
        let options = MeshOptions { patch_size, ..MeshOptions::default() };
        let mesh = StaticMesh::new(device, case.vertices, &case.faces, &options);
        let mesh = mesh.unwrap_or_else(|e| panic!("{name}: {e}"));
        let (vertex, face) =
            (mesh.vertex_inputs().read().expect("ids"), mesh.face_inputs().read().expect("ids"));
        let ends = mesh.query(Op::EV).and_then(|r| r.download()).expect("EV");
        let edge = ends.iter().map(|e| key(vertex[e[0] as usize], vertex[e[1] as usize])).collect();
        Self { name, mesh, oracle: Oracle::new(case), vertex, face, edge }
    }
    pub fn v(&self, id: u32) -> u32 {
        self.vertex[id as usize]
    }
    pub fn f(&self, id: u32) -> u32 {
        self.face[id as usize]
    }
    pub fn e(&self, id: u32) -> Key {
        self.edge[id as usize]
    }
}

/// Sorted.
pub fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort_unstable();
    items
}
