//! The ring of triangles without patches.
use crate::geodesic::stored::{BREAK, NewRing, NewRow};
use ribbonmesh::corners::{FlatMesh, after, before};
use ribbonmesh::device::{Block, NONE, kernel};

/// A walk around a vertex, from face to face across the sides that end in it.
#[derive(Clone, Copy)]
struct Walk<'a> {
    mesh: FlatMesh<'a>,
    vertex: u32,
    /// Number of corners of the vertex.
    corners: u32,
}

/// A face of a walk: its corner at the vertex, and the side through which the walk leaves it.
#[derive(Clone, Copy)]
struct Stand {
    corner: u32,
    leave: u32,
}
impl Stand {
    /// The same face, walked through in the other direction.
    #[inline(always)]
    fn turned(self) -> Self {
        let leave = if self.leave == self.corner { before(self.corner) } else { self.corner };
        Self { leave, ..self }
    }
}

/// Reason for which a walk ends.
#[derive(Clone, Copy, PartialEq)]
enum End {
    /// The walk has reached the boundary.
    Open,
    /// The walk is back at its beginning.
    Closed,
    /// The walk has reached an edge of more than two faces.
    Branch,
}

impl Walk<'_> {
    #[inline(always)]
    fn at(&self, corner: u32) -> u32 {
        self.mesh.corners.faces.get(corner)
    }
    /// The other end of a side of the vertex.
    #[inline(always)]
    fn other(&self, side: u32) -> u32 {
        let start = self.at(side);
        if start == self.vertex { self.at(after(side)) } else { start }
    }
    /// Walks from face to face. Returns the number of faces, the last of them, and the reason for the end.
    #[inline(always)]
    fn run(&self, first: Stand, mut each: impl FnMut(Stand)) -> (u32, Stand, End) {
        let (mut stand, mut faces) = (first, 1);
        loop {
            each(stand);
            let side = self.mesh.ring.get(stand.leave);
            if side == stand.leave {
                return (faces, stand, End::Open);
            }
            if self.mesh.ring.get(side) != stand.leave || faces > self.corners {
                return (faces, stand, End::Branch);
            }
            // the side begins in the vertex, or ends there if the faces are of different orientation
            let corner = if self.at(side) == self.vertex { side } else { after(side) };
            let next = Stand { corner, leave: side }.turned();
            if corner == first.corner {
                return (faces, stand, End::Closed);
            }
            (stand, faces) = (next, faces + 1);
        }
    }
    /// Writes the neighbours in the order of the walk, and returns true; false if one walk does not meet all
    /// faces.
    #[inline(always)]
    fn write(&self, corner: u32, row: &mut NewRow<'_>) -> bool {
        // backwards to the boundary where an open walk begins
        let (_, last, end) = self.run(Stand { corner, leave: corner }, |_| ());
        if end == End::Branch {
            return false;
        }
        let first = if end == End::Open { last.turned() } else { Stand { corner, leave: before(corner) } };
        row.put(self.other(first.turned().leave), 0);
        let mut left = NONE;
        let (faces, _, again) = self.run(first, |stand| {
            if left != NONE {
                row.put(left, 0);
            }
            left = self.other(stand.leave);
        });
        row.put(left, BREAK);
        faces == self.corners && again == end
    }
}

/// Makes the ring of any triangles: `mesh` has all corners, also those of faces that have a vertex twice.
/// Linear in the corners.
#[kernel(threads = 128)]
pub fn ring_of_triangles<'a>(block: &Block, n: u32, mesh: FlatMesh<'a>, ring: NewRing<'a>) {
    block.for_each_of_tile(n, |v| {
        let (start, end) = mesh.corners.corners.range(v);
        let corner = |k: u32| mesh.corners.corners.places.get(k);
        let (mut k, mut whole) = (start, true);
        while k < end {
            whole &= mesh.is_whole(corner(k));
            k += 1;
        }
        if start == end {
            return ring.rows.set(v, 0);
        }
        let walk = Walk { mesh, vertex: v, corners: end - start };
        let mut row = ring.row(v, start);
        if whole && walk.write(corner(start), &mut row) {
            return ring.rows.set(v, row.end());
        }
        if ring.refuses() {
            return;
        }
        row = ring.row(v, start);
        let mut k = start;
        while k < end {
            let (a, b) = (walk.at(after(corner(k))), walk.at(before(corner(k))));
            // in a face that has a vertex twice, the other vertex counts for both
            let (a, b) = if a == v || a == b {
                (b, b)
            } else if b == v {
                (a, a)
            } else {
                (a, b)
            };
            row.put(a, 0);
            row.put(b, BREAK);
            k += 1;
        }
        ring.rows.set(v, row.end());
    });
}
