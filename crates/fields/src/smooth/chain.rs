//! Walking along the chains of a stored ring.
use crate::smooth::cotangent::Corner;
use glam::Vec3;
use ribbonmesh::corners::BREAK;
use ribbonmesh::device::Shared;

/// Runs `f(corner, (a, z_a), (b, z_b))` for each corner of chains `s[start..end]` of the vertex at `at`; `x`
/// and `z` give a position and a value for a neighbour, once for each entry.
#[inline(always)]
pub fn for_each_corner<Z: Copy>(
    s: Shared<'_, u16>,
    (start, end): (u32, u32),
    at: Vec3,
    x: impl Fn(u32) -> Vec3,
    z: impl Fn(u32) -> Z,
    mut f: impl FnMut(Corner, (u32, Z), (u32, Z)),
) {
    if start >= end || s.get(start) == BREAK {
        return;
    }
    let first = s.get(start) as u32;
    let mut a = first;
    let (mut xa, mut za) = (x(first), z(first));
    let mut u = xa - at;
    let mut uu = u.dot(u);
    let (mut k, mut joined) = (start + 1, true);
    while k < end {
        let entry = s.get(k);
        k += 1;
        if entry == BREAK {
            joined = false;
            continue;
        }
        let b = entry as u32;
        let (xb, zb) = (x(b), z(b));
        let w = xb - at;
        let ww = w.dot(w);
        if joined {
            f(Corner::new(u, w, xb - xa, uu, ww), (a, za), (b, zb));
        }
        (a, xa, za, u, uu, joined) = (b, xb, zb, w, ww, true);
    }
}
