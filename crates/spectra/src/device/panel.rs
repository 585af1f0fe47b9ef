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
/// Numbers `4 i` to `4 i + 3` of what is written, too.
#[inline(always)]
pub fn four_of(of: Out<'_, Quad>, i: u32) -> [f64; 4] {
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

/// Up to four parts of a basis, all as panels of as many rows.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Basis<'a> {
    /// The first part.
    pub a: In<'a, f64>,
    /// The second.
    pub b: In<'a, f64>,
    /// The third.
    pub c: In<'a, f64>,
    /// The fourth.
    pub d: In<'a, f64>,
    /// Panels of the first part.
    pub of_a: u32,
    /// Panels of the second.
    pub of_b: u32,
    /// Panels of the third.
    pub of_c: u32,
    /// Panels of the fourth.
    pub of_d: u32,
    /// 1 if each panel meets one panel of each part alone, that of its own number; parts have one panel then,
    /// or none.
    pub own: u32,
}
impl<'a> Basis<'a> {
    /// All panels that a panel meets.
    #[inline(always)]
    pub fn panels(&self) -> u32 {
        self.of_a + self.of_b + self.of_c + self.of_d
    }
    /// Panel `i`, of `n` rows, of those that panel `column` meets.
    #[inline(always)]
    pub fn panel(&self, n: u32, i: u32, column: u32) -> In<'a, Quad> {
        let (of_b, of_c) = (self.of_a, self.of_a + self.of_b);
        let (of_d, first) = (of_c + self.of_c, self.own * column);
        if i < of_b {
            panel(self.a, n, first + i)
        } else if i < of_c {
            panel(self.b, n, first + i - of_b)
        } else if i < of_d {
            panel(self.c, n, first + i - of_c)
        } else {
            panel(self.d, n, first + i - of_d)
        }
    }
}
/// Panel `i` of those of `n` rows.
#[inline(always)]
pub fn panel<'a>(of: In<'a, f64>, n: u32, i: u32) -> In<'a, Quad> {
    of.wide::<Quad>().at(PAIRS * n * i)
}
