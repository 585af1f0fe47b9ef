//! A triangle on the picture, by whole numbers: a pixel on a side that two triangles share belongs to one of
//! them.
use super::camera::{Camera, Place, STEPS};
use super::exact::{between, greatest, least, mul};

/// A triangle, counter-clockwise, and the pixels whose middles are in the box around it.
#[derive(Clone, Copy)]
pub struct Drawn {
    a: Place,
    b: Place,
    c: Place,
    /// The first pixel of the box.
    pub x: u32,
    /// Its row.
    pub y: u32,
    /// Pixels across.
    pub across: u32,
    /// Rows.
    pub rows: u32,
}

/// Twice the area of the triangle from `a` to `b` to a point; positive to the left of the way.
#[inline(always)]
fn side(a: Place, b: Place, x: i32, y: i32) -> i64 {
    (b.x - a.x) as i64 * (y - a.y) as i64 - (b.y - a.y) as i64 * (x - a.x) as i64
}
/// Whether points on the way from `a` to `b` belong to the triangle at its left: ways down, and ways to the
/// left.
#[inline(always)]
fn owns(a: Place, b: Place) -> bool {
    b.y < a.y || (b.y == a.y && b.x < a.x)
}
/// The first and the number of the pixels with middles from `low` to `high`.
#[inline(always)]
fn span(low: i32, high: i32, limit: u32) -> (u32, u32) {
    let first = (low + (STEPS / 2 - 1)) >> 8;
    let last = (high - STEPS / 2) >> 8;
    let first = if first < 0 { 0 } else { first };
    let last = if last < limit as i32 { last } else { limit as i32 - 1 };
    (first as u32, if last < first { 0 } else { (last - first + 1) as u32 })
}
#[inline(always)]
fn extremes(a: i32, b: i32, c: i32) -> (i32, i32) {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    (if c < low { c } else { low }, if c > high { c } else { high })
}

impl Drawn {
    /// A triangle seen from either side; none if it has no pixel or no area.
    #[inline(always)]
    pub fn new(camera: &Camera, a: Place, b: Place, c: Place) -> Option<Self> {
        let (left, right) = extremes(a.x, b.x, c.x);
        let (low, high) = extremes(a.y, b.y, c.y);
        let (x, across) = span(left, right, camera.width);
        let (y, rows) = span(low, high, camera.height);
        if across == 0 || rows == 0 {
            return None;
        }
        let area = side(a, b, c.x, c.y);
        if area == 0 {
            return None;
        }
        let (b, c) = if area > 0 { (b, c) } else { (c, b) };
        Some(Self { a, b, c, x, y, across, rows })
    }
    /// Pixels of the box.
    #[inline(always)]
    pub fn pixels(&self) -> u32 {
        self.across * self.rows
    }
    /// The distance of the triangle in the middle of a pixel, if it covers that.
    #[inline(always)]
    pub fn away(&self, x: u32, y: u32) -> Option<f32> {
        let (x, y) = (x as i32 * STEPS + STEPS / 2, y as i32 * STEPS + STEPS / 2);
        let (a, b, c) = (self.a, self.b, self.c);
        let of_a = side(b, c, x, y);
        let of_b = side(c, a, x, y);
        let of_c = side(a, b, x, y);
        let covers = |side: i64, from: Place, to: Place| side > 0 || (side == 0 && owns(from, to));
        if !(covers(of_a, b, c) && covers(of_b, c, a) && covers(of_c, a, b)) {
            return None;
        }
        // what is linear on the picture is the quotient by the divisor
        let (p, q, r) = (mul(of_a as f32, a.q), mul(of_b as f32, b.q), mul(of_c as f32, c.q));
        let away = (mul(p, a.away) + mul(q, b.away) + mul(r, c.away)) / (p + q + r);
        let low = least(least(a.away, b.away), c.away);
        Some(between(away, low, greatest(greatest(a.away, b.away), c.away)))
    }
}
