//! Valences and smoothing of a store as it is, for remeshing (thesis 5.4.3).
use crate::copy::{Owners, OwnersLayout, Topology, TopologyLayout};
use crate::query::{Rows, StoreQuery, Vf};
use crate::view::{ReadStore, StoreView};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::math::sqrt;
use ribbonmesh::device::{Arena, Block, In, Out, Shared, Vec3, kernel};
use ribbonmesh::features::triangle::{SLIVER, quality};

/// Greatest step of a vertex, in least heights of its triangles: if no vertex moves by half a height, no
/// triangle loses its area.
const ROOM: f32 = 0.45;

/// The number of faces of each edge of a patch's copy: exact for owned edges, and for those of owned
/// vertices. Collective, ends with a barrier.
#[inline(always)]
fn count_faces(block: &Block, t: Topology<'_>, degrees: Shared<'_, u32>) {
    block.for_each(t.row().count[1], |e| degrees.set(e, 0));
    block.for_each(t.row().count[2], |f| {
        if t.has(2, f) {
            for i in [0, 1, 2] {
                degrees.fetch_add(t.edge(f, i), 1);
            }
        }
    });
}

fn valence_memory(
    arena: &Arena,
    capacity: [u32; 3],
) -> (TopologyLayout<'_>, OwnersLayout<'_>, Shared<'_, u32>) {
    (Topology::layout(arena, capacity), Owners::layout(arena, capacity[0]), arena.take(capacity[1]))
}
/// Adds its valence to each place of vertices: the number of edges, and 1 more for each on the boundary,
/// since the best valence of a vertex there is less by 2. One block per patch.
#[kernel(threads = 256, shared = valence_memory(arena, store.limits()))]
pub fn count_valences<'a>(block: &Block, store: StoreView<'a>, valences: Out<'a, u32>) {
    let row = store.row(block.index());
    let (topology, owners, degrees) = valence_memory(block.arena(), row.capacity);
    let t = Topology::load(block, store, row, topology);
    let owners = Owners::expand(block, store, t, 0, store.settled != 0, owners);
    count_faces(block, t, degrees);
    t.for_each_owned_nosync(block, 1, |e| {
        let by = if degrees.get(e) == 1 { 2 } else { 1 };
        for v in t.ends(e) {
            atomic::fetch_add(valences, owners.slot(v), by, Relaxed, Device);
        }
    });
}

/// Shared memory of [`smooth_patches`].
#[derive(Clone, Copy)]
struct Memory<'b> {
    topology: TopologyLayout<'b>,
    owners: OwnersLayout<'b>,
    rows: Rows<'b>,
    degrees: Shared<'b, u32>,
    pinned: Shared<'b, u32>,
}
fn memory(arena: &Arena, capacity: [u32; 3]) -> Memory<'_> {
    Memory {
        topology: Topology::layout(arena, capacity),
        owners: Owners::layout(arena, capacity[0]),
        rows: Rows::layout(arena, Vf::transposed(capacity)),
        degrees: arena.take(capacity[1]),
        pinned: arena.take(capacity[0]),
    }
}
/// The new position `y` of each vertex: towards the mean of its triangles' centres, by area, in the plane of
/// its normal (Botsch and Kobbelt 2004, section 4), as far as no triangle can lose its area. Vertices at
/// edges of other than two faces stay. One block per patch.
#[kernel(threads = 256, shared = memory(arena, store.limits()))]
pub fn smooth_patches<'a>(block: &Block, store: StoreView<'a>, x: In<'a, Vec3>, y: Out<'a, Vec3>, step: f32) {
    let row = store.row(block.index());
    let memory = memory(block.arena(), row.capacity);
    let t = Topology::load(block, store, row, memory.topology);
    let owners = Owners::expand(block, store, t, 0, store.settled != 0, memory.owners);
    let rows = Vf::ask(block, t, memory.rows);
    block.for_each_nosync(row.count[0], |v| memory.pinned.set(v, 0));
    count_faces(block, t, memory.degrees);
    block.for_each(row.count[1], |e| {
        if t.has(1, e) && memory.degrees.get(e) != 2 {
            for v in t.ends(e) {
                memory.pinned.fetch_or(v, 1);
            }
        }
    });
    t.for_each_owned_nosync(block, 0, |v| {
        let p = x.get(row.first[0] + v);
        let (mut sum, mut weights, mut around, mut room) = (Vec3::ZERO, 0.0, Vec3::ZERO, f32::INFINITY);
        Vf::visit(t, rows, v, |f| {
            let corners = [t.corner(f, 0), t.corner(f, 1), t.corner(f, 2)];
            let [u, w] = if corners[0] == v {
                [corners[1], corners[2]]
            } else if corners[1] == v {
                [corners[2], corners[0]]
            } else {
                [corners[0], corners[1]]
            };
            let [a, b] = [u, w].map(|u| x.get(owners.slot(u)) - p);
            let n = a.cross(b);
            let weight = sqrt(n.length_squared());
            around += n;
            weights += weight;
            sum += weight * (a + b);
            let longest = a.length_squared().max(b.length_squared()).max((a - b).length_squared());
            if quality([Vec3::ZERO, a, b], n) > SLIVER {
                room = room.min(n.length_squared() / longest);
            }
        });
        let square = around.length_squared();
        let mut by = Vec3::ZERO;
        if memory.pinned.get(v) == 0 && weights > 0.0 && square > 0.0 {
            by = step / (3.0 * weights) * sum;
            by -= around * (by.dot(around) / square);
            let (length, most) = (sqrt(by.length_squared()), ROOM * sqrt(room));
            if length > most {
                by *= most / length;
            }
        }
        y.set(row.first[0] + v, p + by);
    });
}
