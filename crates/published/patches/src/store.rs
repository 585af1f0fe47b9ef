//! The neighbours around each vertex of a store of patches, in the form that geodesic distances read (thesis
//! 5.4.1): a block per patch, and the tables of ribbons give the places of neighbours.
use ribbonmesh::device::{Arena, Block, NONE, Shared, kernel};
use ribbonmesh_dynamic::copy::{Owners, OwnersLayout, Topology, TopologyLayout};
use ribbonmesh_dynamic::query::{Rows, StoreQuery, Vf};
use ribbonmesh_dynamic::view::{ReadStore, StoreView};
use ribbonmesh_fields::geodesic::stored::{BREAK, NewRing};

/// The faces of the vertices of a patch.
#[derive(Clone, Copy)]
struct Fans<'b> {
    faces: Rows<'b>,
    /// Three local vertices for each face.
    corners: Shared<'b, u16>,
}
impl Fans<'_> {
    /// The other two vertices of face `i` of a vertex, in the order of the face. Of a face that has the
    /// vertex twice: the other one, twice.
    #[inline(always)]
    fn others(self, v: u32, i: u32) -> [u32; 2] {
        let face = self.faces.entry(v, i);
        let [a, b, c] = [0, 1, 2].map(|i| self.corners.get(3 * face + i) as u32);
        let [p, q] = if a == v {
            [b, c]
        } else if b == v {
            [c, a]
        } else {
            [a, b]
        };
        if p == v {
            [q, q]
        } else if q == v {
            [p, p]
        } else {
            [p, q]
        }
    }
    /// The face of a vertex with the neighbour `u` first, or with `LAST` last; [`NONE`] if there is none.
    #[inline(always)]
    fn with<const LAST: bool>(self, v: u32, u: u32) -> u32 {
        let (mut i, n) = (0, self.faces.len(v));
        while i < n {
            if self.others(v, i)[LAST as usize] == u {
                return i;
            }
            i += 1;
        }
        NONE
    }
    /// Walks around a vertex from a face on: the number of faces that are passed, and the face that comes
    /// then, which is the first one again or, at the boundary, [`NONE`].
    #[inline(always)]
    fn walk(self, v: u32, first: u32) -> (u32, u32) {
        let (mut at, mut passed, n) = (first, 0, self.faces.len(v));
        while passed < n {
            passed += 1;
            at = self.with::<false>(v, self.others(v, at)[1]);
            if at == first || at == NONE {
                break;
            }
        }
        (passed, at)
    }
    /// The face at which a walk around a vertex begins; [`NONE`] if no walk passes all of its faces once.
    #[inline(always)]
    fn begin(self, v: u32) -> u32 {
        let n = self.faces.len(v);
        let (passed, end) = self.walk(v, 0);
        if end != NONE {
            return if passed == n && end == 0 { 0 } else { NONE };
        }
        // from the boundary
        let (mut first, mut back) = (0, 0);
        while back < n {
            let before = self.with::<true>(v, self.others(v, first)[0]);
            if before == NONE {
                break;
            }
            first = before;
            back += 1;
        }
        if self.walk(v, first) == (n, NONE) { first } else { NONE }
    }
}

#[derive(Clone, Copy)]
struct Memory<'b> {
    topology: TopologyLayout<'b>,
    owners: OwnersLayout<'b>,
    rows: Rows<'b>,
    corners: Shared<'b, u16>,
}
fn memory(arena: &Arena, capacity: [u32; 3]) -> Memory<'_> {
    Memory {
        topology: Topology::layout(arena, capacity),
        owners: Owners::layout(arena, capacity[0]),
        rows: Rows::layout(arena, Vf::transposed(capacity)),
        corners: arena.take(3 * capacity[2]),
    }
}
/// Writes the rows of the vertices that a patch owns. One block per patch.
#[kernel(threads = 256, shared = memory(arena, store.limits()))]
pub fn ring_of_store<'a>(block: &Block, store: StoreView<'a>, ring: NewRing<'a>) {
    let row = store.row(block.index());
    let memory = memory(block.arena(), row.capacity);
    let t = Topology::load(block, store, row, memory.topology);
    let owners = Owners::expand(block, store, t, 0, store.settled != 0, memory.owners);
    let corners = memory.corners;
    block.for_each_nosync(row.count[2], |f| {
        if t.has(2, f) {
            [0, 1, 2].into_iter().for_each(|i| corners.set(3 * f + i, t.corner(f, i) as u16));
        }
    });
    // with a barrier
    let faces = Vf::ask(block, t, memory.rows);
    let fans = Fans { faces, corners };
    t.for_each_owned_nosync(block, 0, |v| {
        let (id, n) = (row.first[0] + v, faces.len(v));
        if n == 0 {
            return ring.rows.set(id, 0);
        }
        // a face has as many corners as there are entries of it, whoever owns them
        let mut to = ring.row(id, 3 * row.first[2] + faces.start(v));
        let mut at = fans.begin(v);
        if at == NONE {
            if ring.refuses() {
                return;
            }
            let mut i = 0;
            while i < n {
                let [a, b] = fans.others(v, i);
                to.put(owners.slot(a), 0);
                to.put(owners.slot(b), BREAK);
                i += 1;
            }
        } else {
            let (mut passed, mut end) = (0, v);
            while passed < n {
                let [a, b] = fans.others(v, at);
                to.put(owners.slot(a), 0);
                (end, passed) = (b, passed + 1);
                at = fans.with::<false>(v, b);
            }
            to.put(owners.slot(end), BREAK);
        }
        ring.rows.set(id, to.end());
    });
}
