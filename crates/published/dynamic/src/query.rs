//! The eight queries of Table 2.1, on a working copy in shared memory.
//!
//! Four of them are rows that a patch stores, or finds from these: EV, FE, FV, and FF by way of EF. The
//! others are transposed: VV and VE from EV, VF from FV, EF from FE. An edge may have any number of faces,
//! and faces any orientation.
use crate::copy::Topology;
use ribbonmesh::device::{Arena, Block, ElementKind, NONE, Shared};

/// Rows of local indices in shared memory; none for a query that needs no transposition.
#[derive(Clone, Copy)]
pub struct Rows<'b> {
    starts: Shared<'b, u32>,
    list: Shared<'b, u16>,
}
impl<'b> Rows<'b> {
    /// Carves memory for `rows` rows of `entries` entries in all.
    #[inline(always)]
    pub fn layout(arena: &'b Arena, [rows, entries]: [u32; 2]) -> Self {
        Self { starts: arena.take(rows + 1), list: arena.take(entries) }
    }
    /// Sorts entries into rows: `entries(i)`, for `i < n`, gives pairs of row and value, and those of row
    /// [`NONE`] are dropped. Two atomics for each. Collective, ends with a barrier.
    #[inline(always)]
    fn split<const K: usize>(
        self,
        block: &Block,
        rows: u32,
        n: u32,
        entries: impl Fn(u32) -> [(u32, u32); K],
    ) -> Self {
        let Self { starts, list } = self;
        block.for_each(rows + 1, |i| starts.set(i, 0));
        block.for_each(n, |i| {
            for (row, _) in entries(i) {
                if row != NONE {
                    starts.fetch_add(row + 1, 1);
                }
            }
        });
        block.exclusive_scan(starts, rows + 1);
        // the counter of row i is at index i + 1, so that it ends as the start of row i + 1
        block.for_each(n, |i| {
            for (row, value) in entries(i) {
                if row != NONE {
                    list.set(starts.fetch_add(row + 1, 1), value as u16);
                }
            }
        });
        self
    }
    /// Where a row begins among the entries of all.
    #[inline(always)]
    pub fn start(self, row: u32) -> u32 {
        self.starts.get(row)
    }
    /// The length of a row.
    #[inline(always)]
    pub fn len(self, row: u32) -> u32 {
        self.starts.get(row + 1) - self.starts.get(row)
    }
    /// Entry `i` of a row: a local index.
    #[inline(always)]
    pub fn entry(self, row: u32, i: u32) -> u32 {
        self.list.get(self.starts.get(row) + i) as u32
    }
    #[inline(always)]
    fn visit(self, row: u32, mut f: impl FnMut(u32)) {
        let (mut i, end) = (self.starts.get(row), self.starts.get(row + 1));
        while i < end {
            f(self.list.get(i) as u32);
            i += 1;
        }
    }
}

/// A query, as a type.
pub trait StoreQuery: Copy {
    /// The kind that has rows.
    const SOURCE: ElementKind;
    /// The kind in the rows.
    const TARGET: ElementKind;
    /// Rows and entries of its transposition in a patch of this room.
    fn transposed(capacity: [u32; 3]) -> [u32; 2];
    /// Transposes. Collective, ends with a barrier.
    fn ask<'b>(block: &Block, t: Topology<'b>, memory: Rows<'b>) -> Rows<'b>;
    /// Visits the row of an owned element: local indices.
    fn visit(t: Topology<'_>, rows: Rows<'_>, local: u32, f: impl FnMut(u32));
}

macro_rules! queries { ($($(#[$doc:meta])* $name:ident $source:ident $target:ident
    $transposed:expr, |$block:ident, $t:ident, $memory:ident| $ask:expr, |$u:ident, $rows:ident, $local:ident, $f:ident| $visit:expr;)*) => { $(
    $(#[$doc])*
    #[derive(Clone, Copy, Debug)]
    pub struct $name;
    impl StoreQuery for $name {
        const SOURCE: ElementKind = ElementKind::$source;
        const TARGET: ElementKind = ElementKind::$target;
        #[inline(always)]
        fn transposed(capacity: [u32; 3]) -> [u32; 2] {
            let of: fn([u32; 3]) -> [u32; 2] = $transposed;
            of(capacity)
        }
        #[inline(always)]
        #[allow(unused_variables)]
        fn ask<'b>($block: &Block, $t: Topology<'b>, $memory: Rows<'b>) -> Rows<'b> {
            $ask
        }
        #[inline(always)]
        #[allow(unused_variables, unused_mut)]
        fn visit($u: Topology<'_>, $rows: Rows<'_>, $local: u32, mut $f: impl FnMut(u32)) {
            $visit
        }
    }
)* } }
queries! {
    /// The neighbours of a vertex: each once, without the vertex itself.
    Vv Vertex Vertex |[v, e, _]| [v, 2 * e], |block, t, memory| of_edges(block, t, memory, |_, a, b| {
        if a == b { [(NONE, 0); 2] } else { [(a, b), (b, a)] }
    }), |_t, rows, v, f| rows.visit(v, f);
    /// The edges of a vertex, each once.
    Ve Vertex Edge |[v, e, _]| [v, 2 * e], |block, t, memory| of_edges(block, t, memory, |e, a, b| {
        [(a, e), (if a == b { NONE } else { b }, e)]
    }), |_t, rows, v, f| rows.visit(v, f);
    /// The faces of a vertex, each once.
    Vf Vertex Face |[v, _, f]| [v, 3 * f], |block, t, memory| of_faces(block, t, memory, 0, |f| {
        let [a, b, c] = [0, 1, 2].map(|i| t.corner(f, i));
        [a, if b == a { NONE } else { b }, if c == a || c == b { NONE } else { c }]
    }), |_t, rows, v, f| rows.visit(v, f);
    /// The two vertices of an edge, in its direction.
    Ev Edge Vertex |_| [0, 0], |block, t, memory| memory, |t, rows, e, f| {
        let [a, b] = t.ends(e);
        f(a);
        f(b);
    };
    /// The faces of an edge, each once.
    Ef Edge Face |[_, e, f]| [e, 3 * f], |block, t, memory| faces_of_edges(block, t, memory),
        |_t, rows, e, f| rows.visit(e, f);
    /// The three vertices of a face, in its order.
    Fv Face Vertex |_| [0, 0], |block, t, memory| memory, |t, rows, face, f| {
        f(t.corner(face, 0));
        f(t.corner(face, 1));
        f(t.corner(face, 2));
    };
    /// The three edges of a face: edge `i` goes from vertex `i` to the next.
    Fe Face Edge |_| [0, 0], |block, t, memory| memory, |t, rows, face, f| {
        f(t.edge(face, 0));
        f(t.edge(face, 1));
        f(t.edge(face, 2));
    };
    /// The faces that share an edge with a face, each once, without it.
    Ff Face Face |[_, e, f]| [e, 3 * f], |block, t, memory| faces_of_edges(block, t, memory),
    |t, rows, face, f| {
        let edges = [0, 1, 2].map(|i| t.edge(face, i));
        let mut i = 0;
        while i < 3 {
            rows.visit(edges[i as usize], |g| {
                if g != face && !shares_earlier(t, g, edges, i) {
                    f(g);
                }
            });
            i += 1;
        }
    };
}

/// Whether a face has one of the first `n` of these edges: it was visited there.
#[inline(always)]
fn shares_earlier(t: Topology<'_>, face: u32, edges: [u32; 3], n: u32) -> bool {
    let (mut found, mut i) = (false, 0);
    while i < 3 {
        let edge = t.edge(face, i);
        found |= (n > 0 && edge == edges[0]) | (n > 1 && edge == edges[1]);
        i += 1;
    }
    found
}

/// Rows of owned vertices from the edges `(edge, end, end)`.
#[inline(always)]
fn of_edges<'b>(
    block: &Block,
    t: Topology<'b>,
    memory: Rows<'b>,
    pairs: impl Fn(u32, u32, u32) -> [(u32, u32); 2],
) -> Rows<'b> {
    let [rows, edges, _] = t.row().count;
    memory.split(block, rows, edges, |e| {
        if !t.has(1, e) {
            return [(NONE, 0); 2];
        }
        let [a, b] = t.ends(e);
        pairs(e, a, b).map(|(v, x)| (if v != NONE && t.owns(0, v) { v } else { NONE }, x))
    })
}
/// Rows of all elements of a kind from faces: `of(face)` names the rows of a face, or [`NONE`].
#[inline(always)]
fn of_faces<'b>(
    block: &Block,
    t: Topology<'b>,
    memory: Rows<'b>,
    kind: usize,
    of: impl Fn(u32) -> [u32; 3],
) -> Rows<'b> {
    let count = t.row().count;
    memory.split(block, count[kind], count[2], |f| {
        let rows = if t.has(2, f) { of(f) } else { [NONE; 3] };
        rows.map(|row| (row, f))
    })
}
#[inline(always)]
fn faces_of_edges<'b>(block: &Block, t: Topology<'b>, memory: Rows<'b>) -> Rows<'b> {
    of_faces(block, t, memory, 1, |f| {
        let [a, b, c] = [0, 1, 2].map(|i| t.edge(f, i));
        [a, if b == a { NONE } else { b }, if c == a || c == b { NONE } else { c }]
    })
}
