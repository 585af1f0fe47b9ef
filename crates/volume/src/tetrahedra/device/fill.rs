//! The tetrahedra of the result: the part of each tetrahedron of the lattice that is inside.
use super::cuts::{INSIDE, OUTSIDE};
use super::lattice::{Lattice, Site};
use super::stencil::{Corners, Point, stencil, tetrahedra_of};
use super::vertices::Vertices;
use glam::Vec3;
use ribbonmesh::device::{Block, In, Out, kernel};

/// Tetrahedra of a corner of the lattice.
const OF_CORNER: u32 = 12;

/// Side of a state: 1 inside, 0 on the surface, −1 outside.
#[inline(always)]
fn side(state: u32) -> i32 {
    match state {
        INSIDE => 1,
        OUTSIDE => -1,
        _ => 0,
    }
}
#[inline(always)]
fn sides_of(lattice: &Lattice, sites: [Site; 4], states: In<'_, u32>) -> [i32; 4] {
    sites.map(|site| side(states.get(lattice.number(site))))
}

/// Counts the tetrahedra that the twelve of each corner give. Blocks: tiles.
#[kernel(threads = 128)]
pub fn count_tetrahedra<'a>(block: &Block, lattice: Lattice, states: In<'a, u32>, counts: Out<'a, u32>) {
    block.for_each_of_tile(lattice.of_grid(), |number| {
        let corner = lattice.site(number);
        let (mut sum, mut which) = (0, 0);
        while which < OF_CORNER {
            if let Some(sites) = lattice.tetrahedron(corner, which) {
                let (mut inside, mut outside) = (0, 0);
                for side in sides_of(&lattice, sites, states) {
                    inside += (side > 0) as u32;
                    outside += (side < 0) as u32;
                }
                sum += tetrahedra_of(inside, outside);
            }
            which += 1;
        }
        counts.set(number, sum);
    });
}

/// A tetrahedron of the lattice, for its stencil.
struct Corner<'a> {
    lattice: Lattice,
    sites: [Site; 4],
    vertices: Vertices<'a>,
    x: In<'a, Vec3>,
}
impl Corner<'_> {
    #[inline(always)]
    fn site(&self, v: u32) -> Site {
        // no array access: registers cannot be indexed
        let [a, b, c, d] = self.sites;
        match v {
            0 => a,
            1 => b,
            2 => c,
            _ => d,
        }
    }
    #[inline(always)]
    fn vertex(&self, point: Point) -> u32 {
        match point.ends() {
            (v, None) => self.vertices.site(self.lattice.number(self.site(v))),
            (v, Some(n)) => self.vertices.cut(&self.lattice, self.site(v), self.site(n)),
        }
    }
    /// The squared distance of two vertices. Exact: coordinates have at most 24 bits.
    #[inline(always)]
    fn squared(&self, [a, b]: [Point; 2]) -> f64 {
        let way = self.x.get(self.vertex(a)).as_dvec3() - self.x.get(self.vertex(b)).as_dvec3();
        way.length_squared()
    }
}
impl Corners for Corner<'_> {
    /// The parity rule between the ends of a long edge, if both cuts are on short edges. Otherwise the
    /// diagonal ends at the cut of the long edge.
    #[inline(always)]
    fn begins_at(&self, p: u32, q: u32, n: u32) -> bool {
        let (p, q, n) = (self.site(p), self.site(q), self.site(n));
        if p.grid == q.grid { p.parity() == 0 } else { p.grid != n.grid }
    }
    #[inline(always)]
    fn nearer(&self, first: [Point; 2], second: [Point; 2]) -> bool {
        self.squared(first) <= self.squared(second)
    }
}
/// Writes the tetrahedra of each corner, beginning at its index. Blocks: tiles.
#[kernel(threads = 128)]
pub fn fill_tetrahedra<'a>(
    block: &Block,
    lattice: Lattice,
    states: In<'a, u32>,
    vertices: Vertices<'a>,
    x: In<'a, Vec3>,
    starts: In<'a, u32>,
    cells: Out<'a, [u32; 4]>,
) {
    block.for_each_of_tile(lattice.of_grid(), |number| {
        let (mut to, end) = (starts.get(number), starts.get(number + 1));
        if to == end {
            return;
        }
        let corner = lattice.site(number);
        let mut which = 0;
        while which < OF_CORNER {
            if let Some(sites) = lattice.tetrahedron(corner, which) {
                let sides = sides_of(&lattice, sites, states);
                let corners = Corner { lattice, sites, vertices, x };
                let stencil = stencil(sides, &corners);
                let mut i = 0;
                while i < stencil.len() {
                    cells.set(to, stencil.tetrahedron(i).map(|point| corners.vertex(point)));
                    to += 1;
                    i += 1;
                }
            }
            which += 1;
        }
    });
}
