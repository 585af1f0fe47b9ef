//! Positions in double precision.
use glam::{DVec3, Vec3};
use ribbonmesh::device::{Each, In, Out, kernel};

/// Positions as points and as numbers.
#[kernel(threads = 256)]
pub fn widen_positions<'a>(v: Each, x: In<'a, Vec3>, points: Out<'a, DVec3>, numbers: Out<'a, f64>) {
    let x = x.get(v);
    let [x, y, z] = [x.x as f64, x.y as f64, x.z as f64];
    points.set(v, DVec3::new(x, y, z));
    numbers.set(3 * v, x);
    numbers.set(3 * v + 1, y);
    numbers.set(3 * v + 2, z);
}
/// Numbers as positions.
#[kernel(threads = 256)]
pub fn narrow_positions<'a>(v: Each, numbers: In<'a, f64>, x: Out<'a, Vec3>) {
    let at = |k: u32| numbers.get(3 * v + k) as f32;
    x.set(v, Vec3::new(at(0), at(1), at(2)));
}
