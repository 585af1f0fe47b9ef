//! Kernels for positions on the grid, volumes, and vertices at one place.
use crate::boolean::kernels::{FLAT, WHOLE};
use crate::boolean::on_grid::on_grid;
use crate::intersections::{Along, turn};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::glam::{DVec3, Vec3};
use ribbonmesh::device::{Block, Each, In, Out, kernel};

/// Word of facts: bits of the largest coordinate relative to the origin, without its sign.
pub const LARGEST: u32 = 0;
/// Word of facts: the first vertex that is not finite, complemented; 0: none.
pub const NOT_FINITE: u32 = 1;
/// Word of facts: whether a position was rounded to the grid.
pub const ROUNDED: u32 = 2;

/// Looks for positions that are not finite, and for the largest coordinate. `facts` begin with 0.
#[kernel(threads = 256)]
pub fn measure_positions<'a>(
    block: &Block,
    positions: In<'a, DVec3>,
    origin: [f64; 3],
    n: u32,
    facts: Out<'a, u32>,
) {
    block.for_each_tile(n, |base, len| {
        let largest = block.reduce(
            len,
            0,
            |i| {
                let p = (positions.get(base + i) - DVec3::from_array(origin)).as_vec3();
                if p.is_finite() {
                    return p.abs().max_element().to_bits();
                }
                atomic::fetch_max(facts, NOT_FINITE, !(base + i), Relaxed, Device);
                0
            },
            |a, b| if a < b { b } else { a },
        );
        block.single_nosync(|| _ = atomic::fetch_max(facts, LARGEST, largest, Relaxed, Device));
    });
}
/// Rounds positions relative to the origin to a grid, and says in `facts` whether this changed one.
#[kernel(threads = 256)]
pub fn put_on_grid<'a>(
    v: Each,
    origin: [f64; 3],
    scale: f64,
    exact: In<'a, DVec3>,
    points: Out<'a, Vec3>,
    facts: Out<'a, u32>,
) {
    let point = (exact.get(v) - DVec3::from_array(origin)).as_vec3();
    let rounded = on_grid(point, scale);
    if rounded != point {
        atomic::store(facts, ROUNDED, 1, Relaxed, Device);
    }
    points.set(v, rounded);
}
/// Copies positions to double precision.
#[kernel(threads = 256)]
pub fn widen<'a>(v: Each, points: In<'a, Vec3>, exact: Out<'a, DVec3>) {
    exact.set(v, points.get(v).as_dvec3());
}
/// For each tile of the faces from `first` on the sum of the volumes between them and a point, times six.
#[kernel(threads = 256)]
pub fn sum_volumes<'a>(
    block: &Block,
    points: In<'a, Vec3>,
    faces: In<'a, [u32; 3]>,
    first: u32,
    n: u32,
    middle: [f32; 3],
    sums: Out<'a, f64>,
) {
    let middle = Vec3::from_array(middle).as_dvec3();
    block.for_each_tile(n, |base, len| {
        let sum = block.reduce(
            len,
            0.0_f64,
            |i| {
                let [a, b, c] = faces.get(first + base + i);
                let (a, b, c) =
                    (points.get(a).as_dvec3(), points.get(b).as_dvec3(), points.get(c).as_dvec3());
                (a - middle).dot((b - middle).cross(c - middle))
            },
            |a, b| a + b,
        );
        block.single_nosync(|| sums.set(block.index(), sum));
    });
}
/// Turns the faces of a range around.
#[kernel(threads = 256)]
pub fn turn_range<'a>(i: Each, first: u32, faces: Out<'a, [u32; 3]>) {
    let [a, b, c] = faces.get(first + i);
    faces.set(first + i, [a, c, b]);
}
/// Gives faces the first vertices at the places of theirs, and says which have an area.
#[kernel(threads = 128)]
pub fn weld_faces<'a>(
    f: Each,
    points: In<'a, Vec3>,
    becomes: In<'a, u32>,
    faces: Out<'a, [u32; 3]>,
    kinds: Out<'a, u32>,
) {
    let [a, b, c] = faces.get(f);
    let (a, b, c) = (becomes.get(a), becomes.get(b), becomes.get(c));
    faces.set(f, [a, b, c]);
    let has_area = a != b && b != c && c != a && has_area(points.get(a), points.get(b), points.get(c));
    kinds.set(f, if has_area { WHOLE } else { FLAT });
}
/// Whether three positions are not on a line.
#[inline(always)]
fn has_area(a: Vec3, b: Vec3, c: Vec3) -> bool {
    let (u, v) = (b.as_dvec3() - a.as_dvec3(), c.as_dvec3() - a.as_dvec3());
    let normal = u.cross(v).abs();
    // differences and products are rounded by far less
    if normal.max_element() > 1e-12 * (u.abs().max_element() * v.abs().max_element()) {
        return true;
    }
    turn(Along::X, a, b, c) != 0 || turn(Along::Y, a, b, c) != 0 || turn(Along::Z, a, b, c) != 0
}
