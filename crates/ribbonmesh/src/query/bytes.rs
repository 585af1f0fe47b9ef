//! Bytes that a query must move, the lower bound for its time.
use super::Op;
use crate::StaticMesh;

impl StaticMesh {
    /// Minimal number of bytes that the query must read and write: the stored topology that it needs, the ids
    /// of the ribbon elements in its result, the patches' rows, and the result. `oriented`: for
    /// [`StaticMesh::query_oriented`].
    pub fn floor_bytes(&self, op: Op, oriented: bool) -> u64 {
        let t = self.totals();
        let (vertices, edges, faces) = (self.vertices() as u64, self.edges() as u64, self.faces() as u64);
        let words = |n: u32| 4 * n as u64;
        // bytes of EV of `n` edges, of FE of `n` faces, and of the ids of the ribbon elements among `n`
        let (ev, fe) = (words, |n: u32| 6 * n as u64);
        let ids_v = |n: u32| words(n - t.v_owned);
        let ids_e = |n: u32| words(n - t.e_owned);
        let ids_f = |n: u32| words(n - t.f_owned);
        let rows = |n: u64, entries: u32| 4 * n + words(entries);
        let around = if oriented { ev(t.e_near) + fe(t.f_of_v) + 4 * vertices } else { ev(t.e_of_v) };
        let result = |n: u64, width: u64, entries: u32| {
            if self.edge_manifold() { 4 * n * width } else { rows(n, entries) }
        };
        let moved = match op {
            Op::VV => around + ids_v(t.v_near) + rows(vertices, t.vv),
            Op::VE => around + ids_e(t.e_of_v) + rows(vertices, t.ve),
            Op::VF => {
                let problems = if oriented { 4 * vertices } else { 0 };
                ev(t.e_near) + fe(t.f_of_v) + ids_f(t.f_of_v) + rows(vertices, t.vf) + problems
            }
            Op::EV => ev(t.e_owned) + ids_v(t.v_near) + 8 * edges,
            Op::FV => fe(t.f_owned) + ev(t.e_of_f) + ids_v(t.v_near) + 12 * faces,
            Op::FE => fe(t.f_owned) + ids_e(t.e_of_f) + 12 * faces,
            Op::EF => fe(t.f_all) + ids_f(t.f_all) + result(edges, 2, t.ef),
            Op::FF => fe(t.f_all) + ids_f(t.f_all) + result(faces, 3, t.ff),
            Op::EE => fe(t.f_all) + ids_e(t.e_all) + result(edges, 4, t.ee),
            Op::EVDiamond => fe(t.f_all) + ev(t.e_all) + ids_v(t.v_all) + 16 * edges,
        };
        moved + 80 * self.patches() as u64
    }
}
