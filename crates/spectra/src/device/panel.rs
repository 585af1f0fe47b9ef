//! Panels: many vectors as matrices of sixteen columns, row by row, one after the other. A row of a panel is
//! a line of the cache.
use ribbonmesh::device::{In, Out, Parameter, Quad};

/// Columns of a panel.
pub const LANES: u32 = 16;
/// Rows of sixteen bytes in a row of a panel.
pub const PAIRS: u32 = LANES / 2;

/// Numbers `4 i` to `4 i + 3`.
#[inline(always)]
pub fn four(of: In<'_, Quad>, i: u32) -> [f64; 4] {
    let [a, b] = bytemuck::cast::<[u32; 4], [f64; 2]>(of.get(2 * i).0);
    let [c, d] = bytemuck::cast::<[u32; 4], [f64; 2]>(of.get(2 * i + 1).0);
    [a, b, c, d]
}
/// Writes numbers `4 i` to `4 i + 3`.
#[inline(always)]
pub fn set_four(to: Out<'_, Quad>, i: u32, [a, b, c, d]: [f64; 4]) {
    to.set(2 * i, Quad(bytemuck::cast([a, b])));
    to.set(2 * i + 1, Quad(bytemuck::cast([c, d])));
}
#[inline(always)]
fn add([a, b, c, d]: [f64; 4], by: f64, [x, y, z, w]: [f64; 4]) -> [f64; 4] {
    [a + by * x, b + by * y, c + by * z, d + by * w]
}
/// The sum of `to` and the products of all pairs of numbers. Written out, so that all stay in registers.
#[inline(always)]
pub fn add_products([a, b, c, d]: [[f64; 4]; 4], u: [f64; 4], v: [f64; 4]) -> [[f64; 4]; 4] {
    [add(a, u[0], v), add(b, u[1], v), add(c, u[2], v), add(d, u[3], v)]
}
/// `to + by v`.
#[inline(always)]
pub fn add_four(to: [f64; 4], by: f64, v: [f64; 4]) -> [f64; 4] {
    add(to, by, v)
}

/// Columns Q that have converged, approximations X, last steps P and new directions W, all as panels of as
/// many rows.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Basis<'a> {
    /// Columns that have converged.
    pub q: In<'a, f64>,
    /// Approximations.
    pub x: In<'a, f64>,
    /// Last steps.
    pub p: In<'a, f64>,
    /// New directions.
    pub w: In<'a, f64>,
    /// Panels of Q.
    pub of_q: u32,
    /// Panels of X.
    pub of_x: u32,
    /// Panels of P.
    pub of_p: u32,
    /// Panels of W.
    pub of_w: u32,
}
impl<'a> Basis<'a> {
    /// All panels.
    #[inline(always)]
    pub fn panels(&self) -> u32 {
        self.of_q + self.of_x + self.of_p + self.of_w
    }
    /// A panel of `n` rows.
    #[inline(always)]
    pub fn panel(&self, n: u32, i: u32) -> In<'a, Quad> {
        let (of_x, of_p, of_w) = (self.of_q, self.of_q + self.of_x, self.of_q + self.of_x + self.of_p);
        if i < of_x {
            panel(self.q, n, i)
        } else if i < of_p {
            panel(self.x, n, i - of_x)
        } else if i < of_w {
            panel(self.p, n, i - of_p)
        } else {
            panel(self.w, n, i - of_w)
        }
    }
}
/// Panel `i` of those of `n` rows.
#[inline(always)]
pub fn panel<'a>(of: In<'a, f64>, n: u32, i: u32) -> In<'a, Quad> {
    of.wide::<Quad>().at(PAIRS * n * i)
}
