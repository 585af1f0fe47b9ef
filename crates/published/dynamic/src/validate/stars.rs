//! Whether each patch has all that is around its elements.
use super::{Check, Findings, each_once};
use crate::copy::{Topology, TopologyLayout};
use crate::fault::Fault;
use crate::view::{ReadStore, StoreView};
use ribbonmesh::device::{Arena, Block, Shared, kernel};

/// Shared memory of [`validate_stars`].
#[derive(Clone, Copy)]
struct StarMemory<'b> {
    broken: Shared<'b, u32>,
    topology: TopologyLayout<'b>,
    vertex_edges: Shared<'b, u32>,
    vertex_faces: Shared<'b, u32>,
    edge_faces: Shared<'b, u32>,
    of_owned: Shared<'b, u32>,
}
fn star_memory(arena: &Arena, capacity: [u32; 3]) -> StarMemory<'_> {
    let [v, e, _] = capacity;
    StarMemory {
        broken: arena.take(1),
        topology: Topology::layout(arena, capacity),
        vertex_edges: arena.take(v),
        vertex_faces: arena.take(v),
        edge_faces: arena.take(e),
        of_owned: arena.take(e),
    }
}

/// Checks that each patch has all edges and faces of its owned vertices, and all faces of its owned edges and
/// of the edges of its owned faces; after [`validate_patches`](super::validate_patches) has found no fault.
/// One block per patch.
#[kernel(threads = 256, shared = star_memory(arena, store.limits()))]
pub fn validate_stars<'a>(block: &Block, store: StoreView<'a>, findings: Findings<'a>) {
    let row = store.row(block.index());
    let memory = star_memory(block.arena(), row.capacity);
    let check = Check { patch: block.index(), broken: memory.broken, findings };
    let StarMemory { vertex_edges, vertex_faces, edge_faces, of_owned, .. } = memory;
    block.for_each_nosync(row.count[0], |v| {
        vertex_edges.set(v, 0);
        vertex_faces.set(v, 0);
    });
    block.for_each_nosync(row.count[1], |e| {
        edge_faces.set(e, 0);
        of_owned.set(e, 0);
    });
    let t = Topology::load(block, store, row, memory.topology);
    block.for_each_nosync(row.count[1], |e| {
        if t.has(1, e) {
            let [a, b] = t.ends(e);
            vertex_edges.fetch_add(a, 1);
            if a != b {
                vertex_edges.fetch_add(b, 1);
            }
        }
    });
    block.for_each(row.count[2], |f| {
        if t.has(2, f) {
            each_once([0, 1, 2].map(|i| t.corner(f, i)), |v| _ = vertex_faces.fetch_add(v, 1));
            each_once([0, 1, 2].map(|i| t.edge(f, i)), |e| {
                edge_faces.fetch_add(e, 1);
                if t.owns(2, f) {
                    of_owned.fetch_or(e, 1);
                }
            });
        }
    });
    t.for_each_owned_nosync(block, 0, |v| {
        let all = vertex_edges.get(v) == findings.vertex_edges.get(row.first[0] + v)
            && vertex_faces.get(v) == findings.vertex_faces.get(row.first[0] + v);
        check.expect(all, Fault::Star, 0, v);
    });
    block.for_each_nosync(row.count[1], |e| {
        if t.owns(1, e) || of_owned.get(e) != 0 {
            let slot = store.owner(block.index(), 1, e).map(|owner| owner.slot);
            let all = slot.is_some_and(|slot| edge_faces.get(e) == findings.edge_faces.get(slot));
            check.expect(all, Fault::Star, 1, e);
        }
    });
}
