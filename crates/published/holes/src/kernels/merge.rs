//! Paired holes become one: a quad between their closest legal edges (3.7).
use crate::kernels::cells::{Loops, squared};
use crate::kernels::pairs::Pairs;
use crate::kernels::sides::{edge_ends, edge_key};
use ribbonmesh::device::bytemuck::{Pod, Zeroable};
use ribbonmesh::device::{Block, Each, In, NONE, Out, Parameter, kernel};

/// The edges between vertices of holes.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Edges<'a> {
    /// The edges, ascending.
    pub keys: In<'a, u64>,
    /// Bits of a vertex in them.
    pub bits: u32,
}
impl Edges<'_> {
    /// Whether the mesh has an edge between two vertices of holes.
    #[inline(always)]
    fn has(&self, a: u32, b: u32) -> bool {
        let key = edge_key(a, b, self.bits);
        let (mut low, mut high) = (0, self.keys.len() as u32);
        while low < high {
            let middle = (low + high) / 2;
            if self.keys.get(middle) < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        self.keys.try_get(low) == Some(key)
    }
}

/// The quad that joins two holes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[bytemuck(crate = "ribbonmesh::device::bytemuck")]
pub struct Bridge {
    /// The bits of the sum of the squared lengths of its two new sides; those of infinity if there is none.
    pub cost: u64,
    /// The vertex of the first hole at which its edge begins, counted from the hole's first one.
    pub from: u32,
    /// The same in the second hole.
    pub to: u32,
    /// 0 if the diagonal is between these vertices, 1 if it is between the ends of both edges.
    pub diagonal: u32,
    /// The second hole.
    pub hole: u32,
}
impl Bridge {
    /// No quad.
    pub const NONE: Self =
        Self { cost: f64::INFINITY.to_bits(), from: NONE, to: NONE, diagonal: 0, hole: NONE };
    /// Whether there is a quad.
    #[inline(always)]
    pub fn is_some(&self) -> bool {
        self.hole != NONE
    }
    /// Whether this quad comes first: it is shorter, or its edges have smaller numbers.
    #[inline(always)]
    fn before(&self, other: &Self) -> bool {
        let key = |of: &Self| (of.cost, (of.from as u64) << 32 | of.to as u64);
        key(self) < key(other)
    }
}

/// Holes, and what is to be known for joining them.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Joined<'a> {
    /// The holes.
    pub loops: Loops<'a>,
    /// Pairs of holes.
    pub pairs: Pairs<'a>,
    /// 1 plus the pair of each hole, or 0.
    pub chosen: In<'a, u32>,
}
impl Joined<'_> {
    /// The first and the second hole of the pair of a hole; twice the hole if it has none.
    #[inline(always)]
    fn pair(&self, hole: u32) -> [u32; 2] {
        let pair = self.chosen.get(hole);
        if pair == 0 { [hole, hole] } else { self.pairs.holes.get(pair - 1) }
    }
    /// The vertex of a hole after `i` others, counted around it.
    #[inline(always)]
    fn place(&self, hole: u32, i: u32) -> u32 {
        let (n, start) = (self.loops.len(hole), self.loops.starts.get(hole));
        start + if i < n { i } else { i - n }
    }
    /// The places of the corners of the quad between an edge of each hole, in the order of a face: the edge
    /// of the first hole, then that of the second one.
    #[inline(always)]
    fn quad(&self, [a, b]: [u32; 2], from: u32, to: u32) -> [u32; 4] {
        [self.place(a, from), self.place(a, from + 1), self.place(b, to), self.place(b, to + 1)]
    }
}

/// Finds the closest legal edges of each pair: a block for each hole, which works if its hole is the first of
/// a pair. The edges are legal if the two new sides of the quad and a diagonal are no edges of the mesh; the
/// shorter of two legal diagonals is taken.
#[kernel(threads = 256)]
pub fn find_bridges<'a>(block: &Block, joined: Joined<'a>, edges: Edges<'a>, bridges: Out<'a, Bridge>) {
    let hole = block.index();
    let pair = joined.pair(hole);
    if pair[0] != hole || pair[1] == hole {
        block.single_nosync(|| bridges.set(hole, Bridge::NONE));
        return;
    }
    let (loops, lengths) = (joined.loops, pair.map(|hole| joined.loops.len(hole)));
    let of_edge = |from: u32| {
        let (mut found, mut to) = (Bridge::NONE, 0);
        while to < lengths[1] {
            let quad = joined.quad(pair, from, to);
            let [p, after_p, q, after_q] = quad.map(|place| loops.point(place));
            let cost = squared(after_p, q) + squared(after_q, p);
            if cost < f64::from_bits(found.cost) {
                let [v, after_v, w, after_w] = quad.map(|place| loops.order.get(place));
                if !edges.has(after_v, w) && !edges.has(after_w, v) {
                    let legal = [!edges.has(v, w), !edges.has(after_v, after_w)];
                    let other = squared(after_p, after_q) < squared(p, q);
                    let diagonal = (legal[1] && (other || !legal[0])) as u32;
                    if legal[0] || legal[1] {
                        found = Bridge { cost: cost.to_bits(), from, to, diagonal, hole: pair[1] };
                    }
                }
            }
            to += 1;
        }
        found
    };
    let first = |a: Bridge, b: Bridge| if b.before(&a) { b } else { a };
    let found = block.reduce(lengths[0], Bridge::NONE, of_edge, first);
    block.single_nosync(|| bridges.set(hole, found));
}
/// Counts the vertices of each hole after joining: the second of two has none.
#[kernel(threads = 128)]
pub fn count_joined<'a>(hole: Each, joined: Joined<'a>, bridges: In<'a, Bridge>, counts: Out<'a, u32>) {
    let [a, b] = joined.pair(hole);
    let n = joined.loops.len(hole);
    let apart = !bridges.get(a).is_some();
    let count = if apart {
        n
    } else if hole == a {
        n + joined.loops.len(b)
    } else {
        0
    };
    counts.set(hole, count);
}

/// The lists of holes after joining.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Lists<'a> {
    /// The vertices.
    pub order: Out<'a, u32>,
    /// The hole of each.
    pub holes: Out<'a, u32>,
    /// The place of each vertex of the mesh that is in a hole.
    pub places: Out<'a, u32>,
    /// Room for the new faces of each hole, one for each of its vertices.
    pub faces: Out<'a, [u32; 3]>,
    /// 1 for each of these that is a face.
    pub flags: Out<'a, u32>,
}

/// Lists the vertices of holes after joining, and adds the two faces of each quad behind the room of those
/// that fill the hole. A block for each hole.
#[kernel(threads = 128)]
pub fn join_holes<'a>(
    block: &Block,
    joined: Joined<'a>,
    bridges: In<'a, Bridge>,
    starts: In<'a, u32>,
    lists: Lists<'a>,
) {
    let (hole, loops) = (block.index(), joined.loops);
    let (bridge, start) = (bridges.get(hole), starts.get(hole));
    let n = starts.get(hole + 1) - start;
    let (own, is_joined) = (loops.len(hole), bridge.is_some());
    block.for_each_nosync(n, |k| {
        let from = if !is_joined {
            joined.place(hole, k)
        } else if k < own {
            joined.place(hole, (bridge.from + 1 + k) % own)
        } else {
            let other = loops.len(bridge.hole);
            joined.place(bridge.hole, (bridge.to + 1 + k - own) % other)
        };
        let v = loops.order.get(from);
        lists.order.set(start + k, v);
        lists.holes.set(start + k, hole);
        lists.places.set(v, start + k);
    });
    block.single_nosync(|| {
        if is_joined {
            let places = joined.quad([hole, bridge.hole], bridge.from, bridge.to);
            let [v, after_v, w, after_w] = places.map(|place| loops.order.get(place));
            let faces = if bridge.diagonal == 0 {
                [[v, after_v, w], [v, w, after_w]]
            } else {
                [[after_v, w, after_w], [v, after_v, after_w]]
            };
            for (k, face) in faces.into_iter().enumerate() {
                lists.faces.set(start + n - 2 + k as u32, face);
                lists.flags.set(start + n - 2 + k as u32, 1);
            }
        }
    });
}

/// Chords of holes that no triangulation may use.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Chords<'a> {
    /// The hole of each; the number of holes if it is none.
    pub holes: Out<'a, u32>,
    /// The vertices of the hole, counted from its first one, ascending.
    pub ends: Out<'a, [u32; 2]>,
}
/// Lists chords that are edges of the mesh, of which the first `edges` may be some, or diagonals of quads:
/// one for each hole. `starts` and `places` are those after joining.
#[kernel(threads = 256)]
pub fn list_chords<'a>(
    i: Each,
    edges: Edges<'a>,
    bridges: In<'a, Bridge>,
    before: Loops<'a>,
    starts: In<'a, u32>,
    holes: In<'a, u32>,
    places: In<'a, u32>,
    chords: Chords<'a>,
) {
    let count = edges.keys.len() as u32;
    let all = bridges.len() as u32;
    chords.holes.set(i, all);
    let places = if i < count {
        edge_ends(edges.keys.get(i), edges.bits).map(|v| places.get(v))
    } else {
        let bridge = bridges.get(i - count);
        if !bridge.is_some() {
            return;
        }
        let vertex = |hole: u32, k: u32| {
            let n = before.len(hole);
            let k = if k < n { k } else { k - n };
            places.get(before.order.get(before.starts.get(hole) + k))
        };
        [vertex(i - count, bridge.from + bridge.diagonal), vertex(bridge.hole, bridge.to + bridge.diagonal)]
    };
    let [a, b] = [places[0].min(places[1]), places[0].max(places[1])];
    let hole = holes.get(a);
    let start = starts.get(hole);
    let is_side = b == a + 1 || (a == start && b + 1 == starts.get(hole + 1));
    if hole == holes.get(b) && !is_side {
        chords.holes.set(i, hole);
        chords.ends.set(i, [a - start, b - start]);
    }
}
