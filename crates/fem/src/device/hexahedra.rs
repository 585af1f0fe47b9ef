//! Hexahedra of order 1: products of linear functions, integrated at 2 × 2 × 2 Gauss points.
use super::element::Element;
use super::real::{Entry, Real, Vector, cross, difference, dot};
use super::space::Hexahedron;
use super::tetrahedra::Lame;
use bytemuck::{Pod, Zeroable};
use core::marker::PhantomData;
use glam::Vec3;

/// The trilinear map of the unit cube to a hexahedron: the coefficients of ξ, η, ζ, ξη, ηζ, ζξ, ξηζ.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Trilinear<S> {
    /// The coefficients.
    pub terms: [Vector<S>; 7],
}
// SAFETY: 21 numbers of a kind, no padding.
unsafe impl<S: Real> Zeroable for Trilinear<S> {}
// SAFETY: as above.
unsafe impl<S: Real> Pod for Trilinear<S> {}

/// A Gauss point of one direction: (1 ∓ 1/√3) / 2.
#[inline(always)]
fn gauss<S: Real>(upper: bool) -> S {
    S::of(if upper { 0.788_675_134_594_812_9 } else { 0.211_324_865_405_187_1 })
}
/// Whether a corner is at the upper end of each direction.
#[inline(always)]
const fn upper(corner: u32) -> [bool; 3] {
    [(corner ^ corner >> 1) & 1 == 1, corner >> 1 & 1 == 1, corner >> 2 & 1 == 1]
}
/// The corner's function of one direction at `x`, and its derivative.
#[inline(always)]
fn linear<S: Real>(upper: bool, x: S) -> (S, S) {
    if upper { (x, S::of(1.0)) } else { (S::of(1.0) - x, S::of(-1.0)) }
}
#[inline(always)]
fn plus<S: Real>(a: Vector<S>, b: Vector<S>) -> Vector<S> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}
#[inline(always)]
fn scaled<S: Real>(a: Vector<S>, by: S) -> Vector<S> {
    [a[0] * by, a[1] * by, a[2] * by]
}

/// The map's derivative at a point.
#[derive(Clone, Copy)]
pub struct Jacobian<S> {
    point: [S; 3],
    /// The determinant.
    pub determinant: S,
    /// Rows of the cofactors: the inverse transposed times the determinant, column by column.
    cofactors: [Vector<S>; 3],
}
impl<S: Real> Jacobian<S> {
    /// The function of a corner.
    #[inline(always)]
    fn value(&self, corner: u32) -> S {
        let [a, b, c] = upper(corner);
        linear(a, self.point[0]).0 * linear(b, self.point[1]).0 * linear(c, self.point[2]).0
    }
    /// Its gradient, times the determinant.
    #[inline(always)]
    pub fn gradient(&self, corner: u32) -> Vector<S> {
        let [a, b, c] = upper(corner);
        let ((u, du), (v, dv), (w, dw)) =
            (linear(a, self.point[0]), linear(b, self.point[1]), linear(c, self.point[2]));
        let [x, y, z] = self.cofactors;
        plus(plus(scaled(x, du * v * w), scaled(y, u * dv * w)), scaled(z, u * v * dw))
    }
}

impl<S: Real> Trilinear<S> {
    /// The trilinear map of a cell with eight corners in VTK's order.
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    pub fn new(corner: impl Fn(u32) -> Vec3) -> Self {
        let origin = corner(0);
        let at = |k: u32| difference::<S>(corner(k), origin);
        let minus = |a: Vector<S>, b: Vector<S>| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let (x, xy, y) = (at(1), at(2), at(3));
        let (z, xz, all, yz) = (at(4), at(5), at(6), at(7));
        let both = minus(minus(xy, x), y);
        let (upper, side) = (minus(minus(yz, y), z), minus(minus(xz, z), x));
        let last = minus(minus(minus(minus(minus(minus(all, x), y), z), both), upper), side);
        Self { terms: [x, y, z, both, upper, side, last] }
    }
    /// The derivative at a point of the unit cube.
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    pub fn jacobian(&self, point: [S; 3]) -> Jacobian<S> {
        let ([x, y, z], [a, b, c, ab, bc, ca, abc]) = (point, self.terms);
        let along = |t: Vector<S>, p: Vector<S>, u: S, q: Vector<S>, v: S| {
            plus(plus(t, plus(scaled(p, u), scaled(q, v))), scaled(abc, u * v))
        };
        let (i, j, k) = (along(a, ab, y, ca, z), along(b, ab, x, bc, z), along(c, bc, y, ca, x));
        let cofactors = [cross(j, k), cross(k, i), cross(i, j)];
        Jacobian { point, determinant: dot(i, cofactors[0]), cofactors }
    }
    /// The derivative at a Gauss point, 0 to 7. All weights are 1/8.
    #[inline(always)]
    pub fn at_gauss(&self, k: u32) -> Jacobian<S> {
        self.jacobian([gauss(k & 1 == 1), gauss(k >> 1 & 1 == 1), gauss(k >> 2 & 1 == 1)])
    }
    /// The integral of the outer product of the gradients of two corners.
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    pub fn outer(&self, i: u32, j: u32) -> [Vector<S>; 3] {
        let mut sum = [[S::ZERO; 3]; 3];
        let mut k = 0;
        while k < 8 {
            let jacobian = self.at_gauss(k);
            let (g, h) = (jacobian.gradient(i), jacobian.gradient(j));
            let by = S::of(0.125) / jacobian.determinant;
            let mut r = 0;
            while r < 3 {
                sum[r] = plus(sum[r], scaled(h, g[r] * by));
                r += 1;
            }
            k += 1;
        }
        sum
    }
    /// The outer product of the integrals of the gradients of two corners, by the volume:
    /// [`Trilinear::outer`] of the mean gradients.
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    pub fn outer_of_means(&self, i: u32, j: u32) -> [Vector<S>; 3] {
        let (mut g, mut h, mut volume) = ([S::ZERO; 3], [S::ZERO; 3], S::ZERO);
        let mut k = 0;
        while k < 8 {
            let jacobian = self.at_gauss(k);
            g = plus(g, jacobian.gradient(i));
            h = plus(h, jacobian.gradient(j));
            volume += jacobian.determinant;
            k += 1;
        }
        let by = S::of(0.125) / volume;
        [scaled(h, g[0] * by), scaled(h, g[1] * by), scaled(h, g[2] * by)]
    }
    /// The block of stiffness of two corners. Where the material is nearly incompressible, the change of
    /// volume is the mean of the cell's (Nagtegaal, Parks and Rice 1974; Hughes 1980), without which the
    /// eight conditions of the Gauss points leave a cell hardly a way to deform.
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    pub fn stiffness<E: Entry<Scalar = S>>(&self, material: &Lame, i: u32, j: u32) -> E {
        let g = self.outer(i, j);
        if material.is_nearly_incompressible() {
            material.block_of(self.outer_of_means(i, j), g)
        } else {
            material.block(g)
        }
    }
    /// The integral of the product of the functions of two corners.
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    pub fn product(&self, i: u32, j: u32) -> S {
        let (mut sum, mut k) = (S::ZERO, 0);
        while k < 8 {
            let jacobian = self.at_gauss(k);
            sum += jacobian.determinant * (jacobian.value(i) * jacobian.value(j));
            k += 1;
        }
        S::of(0.125) * sum
    }
    /// The integral of the function of a corner.
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    pub fn integral(&self, i: u32) -> S {
        let (mut sum, mut k) = (S::ZERO, 0);
        while k < 8 {
            let jacobian = self.at_gauss(k);
            sum += jacobian.determinant * jacobian.value(i);
            k += 1;
        }
        S::of(0.125) * sum
    }
}

/// Linear elasticity on hexahedra.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HexElasticity<S> {
    /// The material.
    pub material: Lame,
    /// The precision.
    pub precision: PhantomData<S>,
}
impl<S: Real> Element for HexElasticity<S>
where
    [S; 9]: Entry<Scalar = S>,
{
    type Shape = Hexahedron;
    type Entry = [S; 9];
    type Data = Trilinear<S>;
    #[inline(always)]
    fn data(&self, _: u32, corner: impl Fn(u32) -> Vec3) -> Trilinear<S> {
        Trilinear::new(corner)
    }
    #[inline(always)]
    fn block(&self, map: &Trilinear<S>, i: u32, j: u32) -> [S; 9] {
        map.stiffness(&self.material, i, j)
    }
}

/// The Laplacian, ∫ k ∇u · ∇v, on hexahedra.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HexLaplacian<S> {
    /// k, the same everywhere.
    pub conductivity: f64,
    /// The precision.
    pub precision: PhantomData<S>,
}
impl<S: Real> Element for HexLaplacian<S>
where
    [S; 1]: Entry<Scalar = S>,
{
    type Shape = Hexahedron;
    type Entry = [S; 1];
    type Data = Trilinear<S>;
    #[inline(always)]
    fn data(&self, _: u32, corner: impl Fn(u32) -> Vec3) -> Trilinear<S> {
        Trilinear::new(corner)
    }
    #[inline(always)]
    fn block(&self, map: &Trilinear<S>, i: u32, j: u32) -> [S; 1] {
        let g = map.outer(i, j);
        [S::of(self.conductivity) * (g[0][0] + g[1][1] + g[2][2])]
    }
}

/// Masses, ∫ ρ u v, on hexahedra.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HexMass<S> {
    /// ρ, the same everywhere.
    pub density: f64,
    /// The precision.
    pub precision: PhantomData<S>,
}
impl<S: Real> Element for HexMass<S>
where
    [S; 1]: Entry<Scalar = S>,
{
    type Shape = Hexahedron;
    type Entry = [S; 1];
    type Data = Trilinear<S>;
    #[inline(always)]
    fn data(&self, _: u32, corner: impl Fn(u32) -> Vec3) -> Trilinear<S> {
        Trilinear::new(corner)
    }
    #[inline(always)]
    fn block(&self, map: &Trilinear<S>, i: u32, j: u32) -> [S; 1] {
        [S::of(self.density) * map.product(i, j)]
    }
}
