//! Conversion from the units of a surface to those of the lattice, exactly the same on the GPU and the CPU.
use glam::{DVec3, Vec3};
use ribbonmesh::device::{Each, In, Out, kernel};

/// Computes positions relative to a centre, divided by the length of a lattice's side. Blocks: tiles.
#[kernel(threads = 256, requires(to.len() == x.len()))]
pub fn to_lattice<'a>(i: Each, x: In<'a, Vec3>, centre: [f64; 3], per_side: f64, to: Out<'a, Vec3>) {
    let way = x.get(i).as_dvec3() - DVec3::from_array(centre);
    to.set(i, (way * per_side).as_vec3());
}

/// Converts positions back. The product of two numbers of single precision is exact, so there is one
/// rounding, whether or not the device fuses the product with the sum. Blocks: tiles.
#[kernel(threads = 256, requires(to.len() == x.len()))]
pub fn from_lattice<'a>(i: Each, x: In<'a, Vec3>, centre: [f64; 3], side: f32, to: Out<'a, Vec3>) {
    to.set(i, place(x.get(i), DVec3::from_array(centre), side).as_vec3());
}

/// The position of a point of the lattice in the units of the surface.
#[inline(always)]
pub fn place(x: Vec3, centre: DVec3, side: f32) -> DVec3 {
    centre + x.as_dvec3() * side as f64
}

/// Computes the centroids of triangles. Blocks: tiles.
#[kernel(threads = 256, requires(to.len() == corners.len()))]
pub fn centroids<'a>(i: Each, x: In<'a, Vec3>, corners: In<'a, [u32; 3]>, to: Out<'a, Vec3>) {
    let [a, b, c] = corners.get(i).map(|v| x.get(v).as_dvec3());
    to.set(i, ((a + b + c) / 3.0).as_vec3());
}
