//! The small levels of multigrid, in common buffers.
use super::level::Level;
use ribbonmesh::device::{In, Out, Parameter};

/// Levels of which each is the next coarser one of that before. Their values follow each other in each array.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Tail<'a> {
    /// Cells of the first level along each axis.
    pub n: [u32; 3],
    /// Number of levels.
    pub levels: u32,
    /// As in [`Level`].
    pub x: In<'a, f32>,
    /// As in [`Level`].
    pub y: In<'a, f32>,
    /// As in [`Level`].
    pub z: In<'a, f32>,
    /// As in [`Level`].
    pub diagonal: In<'a, f32>,
    /// Right-hand sides.
    pub b: Out<'a, f32>,
    /// Solutions.
    pub values: Out<'a, f32>,
}
impl<'a> Tail<'a> {
    /// The cells of a level along each axis, and the place of its first value in each array.
    #[inline(always)]
    pub fn place(&self, l: u32) -> ([u32; 3], u32) {
        let (mut n, mut first, mut k) = (self.n, 0, 0);
        while k < l {
            first += n[0] * n[1] * n[2];
            n = n.map(|n| n.div_ceil(2));
            k += 1;
        }
        (n, first)
    }
    /// A level, and the place of its first value in [`b`](Self::b) and [`values`](Self::values).
    #[inline(always)]
    pub fn level(&self, l: u32) -> (Level<'a>, u32) {
        let (n, first) = self.place(l);
        let [x, y, z, diagonal] = [self.x, self.y, self.z, self.diagonal].map(|of| of.at(first));
        (Level { n, x, y, z, diagonal }, first)
    }
    /// Number of cells of a level.
    #[inline(always)]
    pub fn count(&self, l: u32) -> u32 {
        let [x, y, z] = self.place(l).0;
        x * y * z
    }
}
