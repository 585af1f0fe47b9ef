//! Elements of triangles of order 1, on surfaces: the Laplacian, whose entries are cotangents, and masses.
use super::element::Element;
use super::real::{Entry, Real, Vector, cross, difference, dot};
use super::space::Triangle;
use bytemuck::{Pod, Zeroable};
use core::marker::PhantomData;
use glam::Vec3;

/// The area of a triangle, and the cotangents of its angles.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Cotangents<S> {
    /// The area.
    pub area: S,
    /// The cotangent of the angle at each corner.
    pub cotangents: [S; 3],
}
// SAFETY: four numbers of a kind, no padding.
unsafe impl<S: Real> Zeroable for Cotangents<S> {}
// SAFETY: as above.
unsafe impl<S: Real> Pod for Cotangents<S> {}

/// The normal of a triangle, twice as long as its area is large.
#[inline(always)]
pub fn normal<S: Real>(corner: impl Fn(u32) -> Vec3) -> Vector<S> {
    let origin = corner(0);
    cross(difference(corner(1), origin), difference(corner(2), origin))
}
/// The length of a vector.
#[inline(always)]
pub fn length<S: Real>(v: Vector<S>) -> S {
    S::of(libm::sqrt(dot(v, v).to_f64()))
}
impl<S: Real> Cotangents<S> {
    /// The area and the cotangents of a triangle with three corners. The cotangents of a triangle without
    /// area are not finite.
    #[inline(always)]
    pub fn new(corner: impl Fn(u32) -> Vec3) -> Self {
        let edge = |a: u32, b: u32| difference::<S>(corner(b), corner(a));
        let double = length(normal::<S>(&corner));
        let by = S::of(1.0) / double;
        // the edges that leave a corner, by the sine of their angle
        let at = |k: u32, a: u32, b: u32| dot(edge(k, a), edge(k, b)) * by;
        Self { area: double * S::of(0.5), cotangents: [at(0, 1, 2), at(1, 2, 0), at(2, 0, 1)] }
    }
}

/// The Laplacian, ∫ k ∇u · ∇v, on triangles.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TriLaplacian<S> {
    /// k, the same everywhere.
    pub conductivity: f64,
    /// The precision.
    pub precision: PhantomData<S>,
}
impl<S: Real> Element for TriLaplacian<S>
where
    [S; 1]: Entry<Scalar = S>,
{
    type Shape = Triangle;
    type Entry = [S; 1];
    type Data = Cotangents<S>;
    #[inline(always)]
    fn data(&self, _: u32, corner: impl Fn(u32) -> Vec3) -> Cotangents<S> {
        Cotangents::new(corner)
    }
    #[inline(always)]
    fn block(&self, data: &Cotangents<S>, i: u32, j: u32) -> [S; 1] {
        let half = S::of(0.5 * self.conductivity);
        let [a, b, c] = data.cotangents;
        let at = |k: u32| {
            if k == 0 {
                a
            } else if k == 1 {
                b
            } else {
                c
            }
        };
        // beside the diagonal the angle that faces the edge; on it the two others
        [if i == j { half * (a + b + c - at(i)) } else { -(half * at(3 - i - j)) }]
    }
}

/// Masses, ∫ ρ u v, on triangles.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TriMass<S> {
    /// ρ, mass per area, the same everywhere.
    pub density: f64,
    /// The precision.
    pub precision: PhantomData<S>,
}
impl<S: Real> Element for TriMass<S>
where
    [S; 1]: Entry<Scalar = S>,
{
    type Shape = Triangle;
    type Entry = [S; 1];
    type Data = Cotangents<S>;
    #[inline(always)]
    fn data(&self, _: u32, corner: impl Fn(u32) -> Vec3) -> Cotangents<S> {
        Cotangents::new(corner)
    }
    #[inline(always)]
    fn block(&self, data: &Cotangents<S>, i: u32, j: u32) -> [S; 1] {
        [data.area * S::of(self.density * if i == j { 1.0 / 6.0 } else { 1.0 / 12.0 })]
    }
}
