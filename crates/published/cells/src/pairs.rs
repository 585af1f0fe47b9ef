//! Kernels: the size of cells, faces into cells, tests of faces in common cells.
use crate::cells::{CellFacts, LARGEST, NOT_FINITE, OUT_OF_RANGE, Placed, SIZE, place};
use crate::table::CellTableView;
use glam::Vec3;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, In, Parameter, kernel};
use ribbonmesh_solid::intersections::{Faces, Found, Triangle, block_of, intersect};

/// Number of faces from which the size of cells is chosen.
const SAMPLES: u32 = 1024;
/// Number of these whose boxes are smaller than a cell. Larger faces take few cells of higher levels, but
/// each level is one more to search.
const SMALLER: u32 = SAMPLES / 2;
/// Ratio of a cell to the box of that rank: a power of two.
const LARGER: u32 = 0;

/// One mesh or two, the faces of the second one numbered after those of the first one.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Meshes<'a> {
    /// The only mesh, or the first one.
    pub first: Faces<'a>,
    /// The second mesh, or one without faces.
    pub second: Faces<'a>,
    /// Number of faces of the first one.
    pub split: u32,
    /// Number of faces of both.
    pub n: u32,
}
impl Meshes<'_> {
    #[inline(always)]
    fn corners(&self, face: u32) -> [Vec3; 3] {
        if face < self.split { self.first.corners(face) } else { self.second.corners(face - self.split) }
    }
    /// Whether a pair of two faces counts: any pair of one mesh; for two meshes, a pair of faces of both.
    #[inline(always)]
    fn counts(&self, a: u32, b: u32) -> bool {
        self.split == self.n || (a < self.split) != (b < self.split)
    }
}

/// The box of a triangle.
#[derive(Clone, Copy)]
struct Bounds {
    low: Vec3,
    high: Vec3,
}
impl Bounds {
    #[inline(always)]
    fn of([a, b, c]: [Vec3; 3]) -> Self {
        Self { low: a.min(b).min(c), high: a.max(b).max(c) }
    }
    #[inline(always)]
    fn meets(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }
    #[inline(always)]
    fn placed(&self, per_unit: f32) -> Placed<3> {
        Placed::new(places(self.low, per_unit), places(self.high, per_unit))
    }
}
#[inline(always)]
fn places(p: Vec3, per_unit: f32) -> [i32; 3] {
    [place(p.x, per_unit), place(p.y, per_unit), place(p.z, per_unit)]
}
/// Searches for coordinates that are not finite, and for the largest one. `second` is 1 for the positions of
/// the second mesh.
#[kernel(threads = 256)]
pub fn examine_positions<'a>(
    block: &Block,
    positions: In<'a, Vec3>,
    n: u32,
    second: u32,
    facts: CellFacts<'a>,
) {
    block.for_each_tile(n, |base, len| {
        let largest = block.reduce(
            len,
            0,
            |i| {
                let p = positions.get(base + i);
                if p.is_finite() {
                    p.abs().max_element().to_bits()
                } else {
                    atomic::fetch_max(facts.words, NOT_FINITE + second, !(base + i), Relaxed, Device);
                    0
                }
            },
            |a, b| if a < b { b } else { a },
        );
        block.single_nosync(|| {
            atomic::fetch_max(facts.words, LARGEST, largest, Relaxed, Device);
        });
    });
}
/// Searches for faces with vertices that do not exist.
#[kernel(threads = 256)]
pub fn examine_faces<'a>(block: &Block, meshes: Meshes<'a>, facts: CellFacts<'a>) {
    block.for_each_of_tile(meshes.n, |i| {
        let second = i >= meshes.split;
        let (faces, face) = if second { (meshes.second, i - meshes.split) } else { (meshes.first, i) };
        let [a, b, c] = faces.vertices.get(face);
        if a.max(b).max(c) as usize >= faces.positions.len() {
            atomic::fetch_max(facts.words, OUT_OF_RANGE + second as u32, !face, Relaxed, Device);
        }
    });
}
/// Chooses the size of cells by the boxes of some faces. One block.
#[kernel(threads = 256, shared = arena.take::<u32>(SAMPLES))]
pub fn choose_cells<'a>(block: &Block, meshes: Meshes<'a>, facts: CellFacts<'a>) {
    let exponents = block.shared::<u32>(SAMPLES);
    if !facts.is_well() || meshes.n == 0 {
        return;
    }
    let samples = if meshes.n < SAMPLES { meshes.n } else { SAMPLES };
    block.for_each(samples, |i| {
        let face = (i as u64 * meshes.n as u64 / samples as u64) as u32;
        let Bounds { low, high } = Bounds::of(meshes.corners(face));
        // the difference of large numbers may be infinite, the largest exponent
        exponents.set(i, (high - low).max_element().to_bits() >> 23);
    });
    block.sort(exponents, samples);
    block.single_nosync(|| {
        let at = (samples as u64 * SMALLER as u64 / SAMPLES as u64) as u32;
        let size = exponents.get(at) + LARGER;
        facts.words.set(SIZE, if size < 254 { size } else { 254 });
    });
}
/// Inserts each face into the cells of its level that its box covers.
#[kernel(threads = 256)]
pub fn insert_faces<'a>(block: &Block, meshes: Meshes<'a>, table: CellTableView<'a>, facts: CellFacts<'a>) {
    let (well, scale) = (facts.is_well(), facts.scale());
    block.for_each_tile(if well { meshes.n } else { 0 }, |base, len| {
        let of_face = |i: u32| {
            let placed = Bounds::of(meshes.corners(base + i)).placed(scale);
            facts.insert(table, &placed, base + i)
        };
        let levels = block.reduce(len, 0, of_face, |a, b| a | b);
        block.single_nosync(|| facts.inserted(levels));
    });
}
/// The pairs of faces that intersect: each face against those of its own level with a larger number and those
/// of higher levels, in the cells that its box covers. One block per
/// [`TRIANGLES`](ribbonmesh_solid::intersections::TRIANGLES).
#[kernel(threads = 128)]
pub fn find_in_cells<'a>(
    block: &Block,
    meshes: Meshes<'a>,
    table: CellTableView<'a>,
    facts: CellFacts<'a>,
    found: Found<'a>,
) {
    if !facts.is_well() {
        return;
    }
    let scale = facts.scale();
    let (base, len) = block_of(block, meshes.n);
    block.for_each_nosync(len, |i| {
        let face = base + i;
        let corners = meshes.corners(face);
        let bounds = Bounds::of(corners);
        let placed = bounds.placed(scale);
        let triangle = Triangle::new(corners);
        facts.visit(table, &placed, placed.level, |level, cell, entry, own| {
            let other = entry.face();
            if (level == placed.level && other <= face)
                || !meshes.counts(face, other)
                || !entry.is_first_with::<3>(own)
            {
                return;
            }
            let corners = meshes.corners(other);
            let of_other = Bounds::of(corners);
            if of_other.meets(&bounds)
                && entry.is_of(cell, places(of_other.low, scale))
                && intersect(&triangle, corners)
            {
                let (low, high) = if face < other { (face, other) } else { (other, face) };
                let second = if meshes.split == meshes.n { 0 } else { meshes.split };
                found.add(low, high - second);
            }
        });
    });
}
