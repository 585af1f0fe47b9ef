//! Open fractions of faces: the part of a face that is outside of a closed mesh.
//!
//! A face is sampled at the middles of 8 × 8 squares, exactly: a point is inside if a ray from it along the
//! axis of its row crosses the mesh an odd number of times, as in `ribbonmesh_solid::inside`. A row of faces
//! along that axis has eight lines of points. The crossing of a line with a triangle is between two points:
//! all points before it change sides. So a row searches the tree once for each of its lines instead of once
//! for each point, and only if a face of the mesh is at the row at all.
use super::cells::Cells;
use glam::Vec3;
use ribbonmesh::bvh::BvhView;
use ribbonmesh::device::{Block, Each, In, Out, kernel};
use ribbonmesh_solid::inside::crossing;

/// Points along a side of a face.
pub const POINTS: u32 = 8;
/// Words of scratch memory for each face: a bit for each point.
pub const WORDS: u32 = 2;

/// A row of faces of component `d`: along the axis `a`, with lines that follow each other along the axis `b`.
#[derive(Clone, Copy)]
struct Row {
    cells: Cells,
    d: usize,
    a: usize,
    b: usize,
    /// Its first face.
    at: [u32; 3],
}
impl Row {
    /// Rows lead along y for faces that are normal to x, along z for those normal to y, along y for those
    /// normal to z, so that neighbouring threads have neighbouring memory.
    #[inline(always)]
    fn of(cells: Cells, d: usize, row: u32) -> Self {
        let (a, b) = if d == 1 { (2, 0) } else { (1, if d == 0 { 2 } else { 0 }) };
        let mut sizes = cells.n;
        sizes[d] += 1;
        sizes[a] = 1;
        let line = row / sizes[0];
        let at = [row - line * sizes[0], line % sizes[1], line / sizes[1]];
        Self { cells, d, a, b, at }
    }
    /// Point `q` of line `l`.
    #[inline(always)]
    fn point(&self, l: u32, q: u32) -> Vec3 {
        let part = self.cells.edge / POINTS as f32;
        let mut p = [0.0; 3];
        p[self.d] = self.at[self.d] as f32 * self.cells.edge;
        p[self.a] = (q as f32 + 0.5) * part;
        p[self.b] = ((self.at[self.b] * POINTS + l) as f32 + 0.5) * part;
        Vec3::from_array(p)
    }
    /// Number of points of a line.
    #[inline(always)]
    fn points(&self) -> u32 {
        POINTS * self.cells.n[self.a]
    }
    /// The index of a face of component 0 with the same coordinates.
    #[inline(always)]
    fn node(&self, along: u32) -> u32 {
        let mut at = self.at;
        at[self.a] = along;
        self.cells.node(at)
    }
    /// Coordinates with the row's axis first.
    #[inline(always)]
    fn turned(&self, p: Vec3) -> Vec3 {
        let p = p.to_array();
        Vec3::new(p[self.a], p[(self.a + 1) % 3], p[(self.a + 2) % 3])
    }
    /// Number of points of line `l` before its crossing with a triangle; 0 without one.
    #[inline(always)]
    fn before(&self, l: u32, corners: [Vec3; 3]) -> u32 {
        let [x, y, z] = corners;
        let corners = [self.turned(x), self.turned(y), self.turned(z)];
        let crosses = |q: u32| crossing(self.turned(self.point(l, q)), corners) != 0;
        if !crosses(0) {
            return 0;
        }
        let (mut low, mut high) = (1, self.points());
        while low < high {
            let middle = (low + high) / 2;
            if crosses(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// Number of rows of faces of component `d`.
#[cfg(not(target_arch = "nvptx64"))]
pub fn rows(cells: &Cells, d: usize) -> u32 {
    let mut sizes = cells.n;
    sizes[d] += 1;
    sizes[if d == 1 { 2 } else { 1 }] = 1;
    sizes.iter().product()
}

/// Bits 0 to q of a byte become those that a change at point q turns: all points up to it.
#[inline(always)]
fn up_to(mut bits: u32) -> u32 {
    // in each of four bytes
    bits ^= bits >> 1 & 0x7f7f_7f7f;
    bits ^= bits >> 2 & 0x3f3f_3f3f;
    bits ^ (bits >> 4 & 0x0f0f_0f0f)
}

/// Computes the open fractions of the faces of component `d`, a thread for each row. `end` is beyond the mesh
/// along each axis. 12 bytes for each face, and a search for each line of a row that is near the mesh.
#[kernel(threads = 64)]
pub fn open_fractions<'a>(
    block: &Block,
    cells: Cells,
    d: u32,
    rows: u32,
    bvh: BvhView<'a>,
    end: [f32; 3],
    turns: Out<'a, u32>,
    open: Out<'a, f32>,
) {
    block.for_each_of_tile(rows, |row| {
        let row = Row::of(cells, d as usize, row);
        let beyond = |p: Vec3| {
            let mut p = p.to_array();
            p[row.a] = end[row.a].max(p[row.a]);
            Vec3::from_array(p)
        };
        let last = beyond(row.point(POINTS - 1, 0));
        let near = bvh.meets([row.point(0, 0), last, last]);
        let n = cells.n[row.a];
        if near {
            let mut i = 0;
            while i < n {
                let at = WORDS * row.node(i);
                turns.set(at, 0);
                turns.set(at + 1, 0);
                i += 1;
            }
            let mut l = 0;
            while l < POINTS {
                let first = row.point(l, 0);
                let last = beyond(first);
                bvh.triangles_meeting([first, last, last], |_, corners| {
                    let before = row.before(l, corners);
                    if before > 0 {
                        let at = WORDS * row.node((before - 1) / POINTS) + l / 4;
                        let bit = (l % 4) * POINTS + (before - 1) % POINTS;
                        turns.set(at, turns.get(at) ^ 1 << bit);
                    }
                });
                l += 1;
            }
        }
        // a byte for each line: whether the points of the face before are inside
        let mut inside = [0_u32; 2];
        let mut i = n;
        while i > 0 {
            i -= 1;
            let node = row.node(i);
            let mut count = 0;
            if near {
                let mut w = 0;
                while w < 2 {
                    let bits = up_to(turns.get(WORDS * node + w as u32)) ^ inside[w];
                    count += bits.count_ones();
                    // the first point of each line is that next to the face before
                    inside[w] = (bits & 0x0101_0101) * 0xff;
                    w += 1;
                }
            }
            let points = POINTS * POINTS;
            open.set(d * cells.nodes() + node, (points - count) as f32 / points as f32);
        }
    });
}

/// Marks the faces that have a velocity: those that are open in part, and those on a side of the box that is
/// given. Bit d for component d. 16 bytes for each node.
#[kernel(threads = 256)]
pub fn mark_faces<'a>(block: &Block, cells: Cells, open: In<'a, f32>, marks: Out<'a, u32>) {
    let nodes = cells.nodes();
    block.for_each_of_tile(nodes, |node| {
        let at = cells.of_node(node);
        let (mut found, mut d) = (0, 0);
        while d < 3 {
            let counts = open.get(d as u32 * nodes + node) > 0.0 || cells.is_wall(d, at);
            if cells.has_face(d, at) && counts {
                found |= 1 << d;
            }
            d += 1;
        }
        marks.set(node, found);
    });
}

/// Moves vertices as a rigid body: a rotation, by columns, then a shift.
#[kernel(threads = 256)]
pub fn place_vertices<'a>(v: Each, rotation: [f32; 9], shift: Vec3, from: In<'a, Vec3>, to: Out<'a, Vec3>) {
    let column = |k: usize| Vec3::new(rotation[3 * k], rotation[3 * k + 1], rotation[3 * k + 2]);
    let p = from.get(v);
    to.set(v, shift + p.x * column(0) + p.y * column(1) + p.z * column(2));
}
