//! Numbers and vectors that heat carries from vertex to vertex.
use bytemuck::Pod;
use ribbonmesh::device::In;
use ribbonmesh_linear::Value;

/// A vector of a tangent plane: its two coordinates; or a turn, as its cosine and its sine.
pub type Planar = [f64; 2];

/// Numbers, and vectors of tangent planes.
pub trait Carried: Value<Real = f64> + Pod {
    /// 0.
    const ZERO: Self;
    /// 1, or the first axis.
    const ONE: Self;
    /// The product with a number.
    fn times(self, by: f64) -> Self;
    /// Turned by the turn at a place. Numbers stay, and read none.
    fn turned(self, turns: In<'_, Planar>, place: u32) -> Self;
    /// Turned the other way.
    fn turned_back(self, turns: In<'_, Planar>, place: u32) -> Self;
}
impl Carried for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    #[inline(always)]
    fn times(self, by: f64) -> Self {
        by * self
    }
    #[inline(always)]
    fn turned(self, _: In<'_, Planar>, _: u32) -> Self {
        self
    }
    #[inline(always)]
    fn turned_back(self, _: In<'_, Planar>, _: u32) -> Self {
        self
    }
}
impl Carried for Planar {
    const ZERO: Self = [0.0; 2];
    const ONE: Self = [1.0, 0.0];
    #[inline(always)]
    fn times(self, by: f64) -> Self {
        [by * self[0], by * self[1]]
    }
    #[inline(always)]
    fn turned(self, turns: In<'_, Planar>, place: u32) -> Self {
        turn(self, turns.get(place))
    }
    #[inline(always)]
    fn turned_back(self, turns: In<'_, Planar>, place: u32) -> Self {
        let [cos, sin] = turns.get(place);
        turn(self, [cos, -sin])
    }
}

/// The product of two vectors as complex numbers.
#[inline(always)]
pub fn turn([a, b]: Planar, [c, d]: Planar) -> Planar {
    [a * c - b * d, a * d + b * c]
}
/// The direction of a vector of any length; 0 for 0.
#[inline(always)]
pub fn direction([x, y]: Planar) -> Planar {
    let (a, b) = (x.abs(), y.abs());
    let most = if a > b { a } else { b };
    if most > 0.0 {
        let (x, y) = (x / most, y / most);
        let length = libm::sqrt(x * x + y * y);
        [x / length, y / length]
    } else {
        [0.0; 2]
    }
}
