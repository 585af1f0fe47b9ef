//! The part of a thread of a cycle: a number, or four neighbouring ones where lanes are a multiple of four,
//! for which it reads what they share once.
use ribbonmesh::device::{In, Out, Quad};
use ribbonmesh_linear::Real;

/// Numbers of neighbouring lanes, in double precision. Place `i` of a vector is its number `i`, or its
/// numbers `4 i` to `4 i + 3`.
pub trait Together: Copy {
    /// Zeros.
    const ZERO: Self;
    /// Reads a place.
    fn read<V: Real>(of: In<'_, V>, i: u32) -> Self;
    /// Reads a place of what is written, too.
    fn read_written<V: Real>(of: Out<'_, V>, i: u32) -> Self;
    /// Writes a place.
    fn write<V: Real>(self, to: Out<'_, V>, i: u32);
    /// `self + by b`.
    fn add(self, by: f64, b: Self) -> Self;
    /// `by self`.
    fn times(self, by: f64) -> Self;
}
impl Together for f64 {
    const ZERO: Self = 0.0;
    #[inline(always)]
    fn read<V: Real>(of: In<'_, V>, i: u32) -> Self {
        of.get(i).to_f64()
    }
    #[inline(always)]
    fn read_written<V: Real>(of: Out<'_, V>, i: u32) -> Self {
        of.get(i).to_f64()
    }
    #[inline(always)]
    fn write<V: Real>(self, to: Out<'_, V>, i: u32) {
        to.set(i, V::from_f64(self));
    }
    #[inline(always)]
    fn add(self, by: f64, b: Self) -> Self {
        self + by * b
    }
    #[inline(always)]
    fn times(self, by: f64) -> Self {
        by * self
    }
}
impl Together for [f64; 4] {
    const ZERO: Self = [0.0; 4];
    #[inline(always)]
    fn read<V: Real>(of: In<'_, V>, i: u32) -> Self {
        let quads = of.wide::<Quad>();
        if size_of::<V>() == 4 {
            singles(quads.get(i))
        } else {
            doubles(quads.get(2 * i), quads.get(2 * i + 1))
        }
    }
    #[inline(always)]
    fn read_written<V: Real>(of: Out<'_, V>, i: u32) -> Self {
        let quads = of.wide::<Quad>();
        if size_of::<V>() == 4 {
            singles(quads.get(i))
        } else {
            doubles(quads.get(2 * i), quads.get(2 * i + 1))
        }
    }
    #[inline(always)]
    fn write<V: Real>(self, to: Out<'_, V>, i: u32) {
        let (quads, [a, b, c, d]) = (to.wide::<Quad>(), self);
        if size_of::<V>() == 4 {
            quads.set(i, Quad(bytemuck::cast([a as f32, b as f32, c as f32, d as f32])));
        } else {
            quads.set(2 * i, Quad(bytemuck::cast([a, b])));
            quads.set(2 * i + 1, Quad(bytemuck::cast([c, d])));
        }
    }
    #[inline(always)]
    fn add(self, by: f64, b: Self) -> Self {
        [self[0] + by * b[0], self[1] + by * b[1], self[2] + by * b[2], self[3] + by * b[3]]
    }
    #[inline(always)]
    fn times(self, by: f64) -> Self {
        [by * self[0], by * self[1], by * self[2], by * self[3]]
    }
}
#[inline(always)]
fn singles(of: Quad) -> [f64; 4] {
    let [a, b, c, d] = bytemuck::cast::<[u32; 4], [f32; 4]>(of.0);
    [a as f64, b as f64, c as f64, d as f64]
}
#[inline(always)]
fn doubles(first: Quad, second: Quad) -> [f64; 4] {
    let [a, b] = bytemuck::cast::<[u32; 4], [f64; 2]>(first.0);
    let [c, d] = bytemuck::cast::<[u32; 4], [f64; 2]>(second.0);
    [a, b, c, d]
}
