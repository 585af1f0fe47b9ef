//! Elements of tetrahedra with a constant metric, order 1 to 3 (Mueller-Roemer 2020, section 4.4.4):
//! elasticity, the Laplacian, masses.
use super::bernstein::{Powers, binomials, lowered, powers, scale};
use super::element::Element;
use super::real::{Entry, Real, Vector, cross, difference, dot};
use super::space::Tetrahedron;
use bytemuck::{Pod, Zeroable};
use core::marker::PhantomData;
use glam::Vec3;

/// The volume of a tetrahedron, and the gradients of the barycentric coordinates of its vertices 1, 2 and 3;
/// that of vertex 0 is minus their sum.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Metric<S> {
    /// The volume, negative if the cell is inverted.
    pub volume: S,
    /// The gradients.
    pub gradients: [Vector<S>; 3],
}
// SAFETY: ten numbers of a kind, no padding.
unsafe impl<S: Real> Zeroable for Metric<S> {}
// SAFETY: as above.
unsafe impl<S: Real> Pod for Metric<S> {}

impl<S: Real> Metric<S> {
    /// The metric of a cell with four corners in VTK's order. The gradients of a flat cell are not finite.
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    pub fn new(corner: impl Fn(u32) -> Vec3) -> Self {
        let origin = corner(0);
        let [a, b, c] = [1, 2, 3].map(|k| difference::<S>(corner(k), origin));
        let (bc, ca, ab) = (cross(b, c), cross(c, a), cross(a, b));
        let six = dot(a, bc);
        let by = S::of(1.0) / six;
        let gradients = [bc, ca, ab].map(|g| g.map(|x| x * by));
        Self { volume: six * S::of(1.0 / 6.0), gradients }
    }
    /// The gradient of the barycentric coordinate of a vertex.
    #[inline(always)]
    pub fn gradient(&self, vertex: u32) -> Vector<S> {
        let [b, c, d] = self.gradients;
        match vertex {
            0 => [-(b[0] + c[0] + d[0]), -(b[1] + c[1] + d[1]), -(b[2] + c[2] + d[2])],
            1 => b,
            2 => c,
            _ => d,
        }
    }
    /// The integral of the outer product of the gradients of two Bernstein polynomials of order `P`, by
    /// volume: for each pair of derivatives p² I(α - e_a, β - e_b) b_a b_bᵀ.
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    pub fn outer<const P: u32>(&self, i: u32, j: u32) -> [Vector<S>; 3] {
        let mut sum = [[S::ZERO; 3]; 3];
        let mut add = |a: u32, b: u32, weight: S| {
            let (g, h) = (self.gradient(a), self.gradient(b));
            let mut r = 0;
            while r < 3 {
                let w = weight * g[r];
                sum[r] = [sum[r][0] + w * h[0], sum[r][1] + w * h[1], sum[r][2] + w * h[2]];
                r += 1;
            }
        };
        if P == 1 {
            add(i, j, S::of(1.0));
            return sum;
        }
        let (alpha, beta) = (powers::<P>(i), powers::<P>(j));
        let factor = S::of((P * P) as f64 * scale(P - 1));
        each(alpha, |a, gamma| {
            each(beta, |b, delta| add(a, b, factor * S::of(binomials(gamma, delta) as f64)));
        });
        sum
    }
    /// The integral of the product of two Bernstein polynomials of order `P`.
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    pub fn product<const P: u32>(&self, i: u32, j: u32) -> S {
        let integral = binomials(powers::<P>(i), powers::<P>(j));
        self.volume * (S::of(scale(P)) * S::of(integral as f64))
    }
}
/// Runs `f` for each vertex whose exponent is not 0, with the exponents after a derivative.
#[inline(always)]
fn each(alpha: Powers, mut f: impl FnMut(u32, Powers)) {
    let mut vertex = 0;
    while vertex < 4 {
        if let Some(gamma) = lowered(alpha, vertex) {
            f(vertex, gamma);
        }
        vertex += 1;
    }
}

/// Lamé's parameters of an isotropic linear material: σ = 2 μ ε + λ tr(ε) I. The same everywhere.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lame {
    /// λ.
    pub lambda: f64,
    /// μ, the shear modulus.
    pub mu: f64,
}
impl Lame {
    /// Lamé's parameters from Young's modulus and Poisson's ratio.
    #[inline(always)]
    pub fn of(young: f64, poisson: f64) -> Self {
        let mu = young / (2.0 * (1.0 + poisson));
        Self { lambda: 2.0 * mu * poisson / (1.0 - 2.0 * poisson), mu }
    }
    /// Whether Poisson's ratio is above 0.45: fully integrated elements of order 1 lock.
    #[inline(always)]
    pub fn is_nearly_incompressible(&self) -> bool {
        self.lambda > 9.0 * self.mu
    }
    /// The block of stiffness of an integrated outer product of gradients G: λ G + μ (Gᵀ + tr(G) I).
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    pub fn block<S: Real, E: Entry<Scalar = S>>(&self, g: [Vector<S>; 3]) -> E {
        self.block_of(g, g)
    }
    /// The same with another outer product D for the change of volume: λ D + μ (Gᵀ + tr(G) I).
    #[cfg_attr(target_arch = "nvptx64", inline(always))]
    pub fn block_of<S: Real, E: Entry<Scalar = S>>(&self, d: [Vector<S>; 3], g: [Vector<S>; 3]) -> E {
        let (lambda, mu) = (S::of(self.lambda), S::of(self.mu));
        let trace = mu * (g[0][0] + g[1][1] + g[2][2]);
        E::of(|k| {
            let (r, c) = ((k / 3) as usize, (k % 3) as usize);
            let value = lambda * d[r][c] + mu * g[c][r];
            if r == c { value + trace } else { value }
        })
    }
}

/// Linear elasticity on tetrahedra of order `P`, in the precision of `S`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TetElasticity<const P: u32, S> {
    /// The material.
    pub material: Lame,
    /// The precision.
    pub precision: PhantomData<S>,
}
impl<const P: u32, S: Real> Element for TetElasticity<P, S>
where
    [S; 9]: Entry<Scalar = S>,
{
    type Shape = Tetrahedron<P>;
    type Entry = [S; 9];
    type Data = Metric<S>;
    #[inline(always)]
    fn data(&self, _: u32, corner: impl Fn(u32) -> Vec3) -> Metric<S> {
        Metric::new(corner)
    }
    #[inline(always)]
    fn block(&self, metric: &Metric<S>, i: u32, j: u32) -> [S; 9] {
        let v = metric.volume;
        self.material.block(metric.outer::<P>(i, j).map(|row| row.map(|x| v * x)))
    }
}

/// The Laplacian, ∫ k ∇u · ∇v, on tetrahedra of order `P`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TetLaplacian<const P: u32, S> {
    /// k, the same everywhere.
    pub conductivity: f64,
    /// The precision.
    pub precision: PhantomData<S>,
}
impl<const P: u32, S: Real> Element for TetLaplacian<P, S>
where
    [S; 1]: Entry<Scalar = S>,
{
    type Shape = Tetrahedron<P>;
    type Entry = [S; 1];
    type Data = Metric<S>;
    #[inline(always)]
    fn data(&self, _: u32, corner: impl Fn(u32) -> Vec3) -> Metric<S> {
        Metric::new(corner)
    }
    #[inline(always)]
    fn block(&self, metric: &Metric<S>, i: u32, j: u32) -> [S; 1] {
        let g = metric.outer::<P>(i, j);
        [S::of(self.conductivity) * (metric.volume * (g[0][0] + g[1][1] + g[2][2]))]
    }
}

/// Masses, ∫ ρ u v, on tetrahedra of order `P`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TetMass<const P: u32, S> {
    /// ρ, the same everywhere.
    pub density: f64,
    /// The precision.
    pub precision: PhantomData<S>,
}
impl<const P: u32, S: Real> Element for TetMass<P, S>
where
    [S; 1]: Entry<Scalar = S>,
{
    type Shape = Tetrahedron<P>;
    type Entry = [S; 1];
    type Data = Metric<S>;
    #[inline(always)]
    fn data(&self, _: u32, corner: impl Fn(u32) -> Vec3) -> Metric<S> {
        Metric::new(corner)
    }
    #[inline(always)]
    fn block(&self, metric: &Metric<S>, i: u32, j: u32) -> [S; 1] {
        [S::of(self.density) * metric.product::<P>(i, j)]
    }
}
