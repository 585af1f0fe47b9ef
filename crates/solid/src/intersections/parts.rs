//! Parts of a kernel that searches pairs of faces: triangles, and where pairs go.
use glam::Vec3;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Block, In, Out, Parameter};

/// Triangles of a block: one per thread, since a search waits for memory most of the time.
pub const TRIANGLES: u32 = 128;

/// Triangles by the indices of their vertices.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Faces<'a> {
    /// Positions of vertices.
    pub positions: In<'a, Vec3>,
    /// Vertices of faces.
    pub vertices: In<'a, [u32; 3]>,
    /// 1 if the tree has the corners of faces as they are, 0 if it has rounded some.
    pub in_tree: u32,
}

impl Faces<'_> {
    /// The corners of a face.
    #[inline(always)]
    pub fn corners(&self, face: u32) -> [Vec3; 3] {
        let [a, b, c] = self.vertices.get(face);
        [self.positions.get(a), self.positions.get(b), self.positions.get(c)]
    }
    /// The corners of a face that a tree gives these corners.
    #[inline(always)]
    pub(crate) fn exact(&self, face: u32, corners: [Vec3; 3]) -> [Vec3; 3] {
        if self.in_tree != 0 { corners } else { self.corners(face) }
    }
}

/// Where pairs are written, in no order.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Found<'a> {
    /// Two faces as a number: the first one from bit `shift` on.
    pub pairs: Out<'a, u64>,
    /// How many pairs there are, also where there is no room for them.
    pub count: Out<'a, u64>,
    /// The bits that the second face of a pair takes.
    pub shift: u32,
    /// For each face, 1 if it intersects another one.
    pub marks: Out<'a, u32>,
    /// The same for the faces of the second mesh; empty if there is none.
    pub others: Out<'a, u32>,
}

impl Found<'_> {
    /// Adds a pair.
    #[inline(always)]
    pub fn add(&self, first: u32, second: u32) {
        let at = atomic::fetch_add(self.count, 0, 1_u64, Relaxed, Device);
        if at < self.pairs.len() as u64 {
            self.pairs.set(at as u32, (first as u64) << self.shift | second as u64);
        }
        let of_second = if self.others.is_empty() { self.marks } else { self.others };
        atomic::store(self.marks, first, 1, Relaxed, Device);
        atomic::store(of_second, second, 1, Relaxed, Device);
    }
}

/// The first triangle of a block, and the number of its triangles, of `n` in all.
#[inline(always)]
pub fn block_of(block: &Block, n: u32) -> (u32, u32) {
    let base = TRIANGLES * block.index();
    (base, if n - base < TRIANGLES { n - base } else { TRIANGLES })
}
