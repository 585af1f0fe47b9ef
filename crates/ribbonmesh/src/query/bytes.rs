//! Bytes that a query must move, the lower bound for its time.
use super::Op;
use crate::StaticMesh;
use ribbonmesh_device::ElementKind;

impl StaticMesh {
    /// Minimal number of bytes that the query must read and write: the stored topology that it needs, the ids
    /// of the ribbon elements in its result, the patches' rows, and the result. `oriented`: for
    /// [`StaticMesh::query_oriented`].
    pub fn floor_bytes(&self, op: Op, oriented: bool) -> u64 {
        let (t, entry) = (self.totals(), op.entry());
        let words = |n: u32| 4 * n as u64;
        // a walk around a vertex needs the faces, and says whether there is one
        let [edges, faces] = if oriented { [t.e_near, t.f_of_v] } else { (entry.reads)(&t) };
        let owned = match entry.target {
            ElementKind::Vertex => t.v_owned,
            ElementKind::Edge => t.e_owned,
            ElementKind::Face => t.f_owned,
        };
        let (rows, ids) = (self.count(entry.source), (entry.near)(&t) - owned);
        let entries = entry.all_entries(rows, self.edge_manifold(), &t);
        let offsets = entry.width(self.edge_manifold()).map_or(rows, |_| 0);
        let result = 4 * (entries + offsets + if oriented { rows } else { 0 }) as u64;
        words(edges) + 6 * faces as u64 + words(ids) + result + 80 * self.patches() as u64
    }
}
