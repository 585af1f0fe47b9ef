//! A store with its oracle: places translated to the indices of the input.
use ribbonmesh::device::{Face, Vertex};
use ribbonmesh::{Device, MeshOptions};
use ribbonmesh_dynamic::{HostRows, PatchStore, StoreOp, StoreOptions};
use ribbonmesh_suite::adjacency::{Key, Oracle, key};
use ribbonmesh_suite::meshes::Case;

/// Store and oracle, and the inputs of the places.
pub struct Model {
    pub name: String,
    pub store: PatchStore,
    pub oracle: Oracle,
    /// Input index of each place of vertices.
    pub vertex: Vec<u32>,
    /// Input index of each place of faces.
    pub face: Vec<u32>,
    /// The two input vertices of each place of edges, if it is used.
    pub edge: Vec<Option<Key>>,
}

impl Model {
    pub fn new(device: &Device, case: &Case, patch_size: u32, options: &StoreOptions) -> Self {
        let name = format!("{}, patches of {patch_size}, {options:?}", case.name);
        let patches = MeshOptions { patch_size, ..MeshOptions::default() };
        let store = PatchStore::new(device, case.vertices, &case.faces, &patches, options);
        let store = store.unwrap_or_else(|e| panic!("{name}: {e}"));
        Self::of(name, store, case)
    }
    pub fn of(name: String, store: PatchStore, case: &Case) -> Self {
        let (vertex, face) =
            (store.inputs::<Vertex>().expect("inputs"), store.inputs::<Face>().expect("inputs"));
        Self::with(name, store, Oracle::new(case), vertex, face)
    }
    /// The mesh of a store as it is, numbered by places.
    pub fn now(name: &str, store: PatchStore) -> Self {
        let order = |op: StoreOp| store.order(op.source()).expect("an order");
        let (vertex, face) = (order(StoreOp::VV), order(StoreOp::FV));
        let vertices = store.count(StoreOp::VV.source());
        let case = Case::new(name.to_owned(), vertices, store.triangles().expect("faces"));
        Self::with(case.name.clone(), store, Oracle::new(&case), vertex, face)
    }
    fn with(name: String, store: PatchStore, oracle: Oracle, vertex: Vec<u32>, face: Vec<u32>) -> Self {
        let ends = store.query(StoreOp::EV).and_then(|rows| rows.download()).expect("EV");
        let handles = store.handles(StoreOp::EV.source()).expect("handles");
        let edge = (0..handles.len()).map(|place| {
            handles[place]?;
            let [a, b] = ends.row(place) else { panic!("ends of edge {place} of {name}") };
            Some(key(vertex[*a as usize], vertex[*b as usize]))
        });
        let edge = edge.collect();
        Self { name, store, oracle, vertex, face, edge }
    }
    pub fn v(&self, place: u32) -> u32 {
        self.vertex[place as usize]
    }
    pub fn f(&self, place: u32) -> u32 {
        self.face[place as usize]
    }
    pub fn e(&self, place: u32) -> Key {
        self.edge[place as usize].unwrap_or_else(|| panic!("{}: no edge at place {place}", self.name))
    }
    pub fn rows(&self, op: StoreOp) -> HostRows {
        let rows = self.store.query(op).and_then(|rows| rows.download());
        rows.unwrap_or_else(|e| panic!("{op:?} of {}: {e}", self.name))
    }
}
