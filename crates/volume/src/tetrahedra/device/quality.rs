//! Measures of the shapes of tetrahedra.
use glam::{DVec3, Vec3};
use ribbonmesh::device::{Each, In, Out, kernel};

/// The cosine of the dihedral angle at the edge from `a` to `b`, between the faces to `c` and `d`; 1 without
/// an angle.
#[inline(always)]
fn cosine(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let (m, n) = ((b - a).cross(c - a), (b - a).cross(d - a));
    let lengths = libm::sqrt(m.length_squared() * n.length_squared());
    if lengths > 0.0 { m.dot(n) / lengths } else { 1.0 }
}

/// Measures the smallest and the largest dihedral angle of each tetrahedron, in degrees, and its volume.
/// Blocks: tiles.
#[kernel(threads = 128)]
pub fn measure<'a>(
    cell: Each,
    x: In<'a, Vec3>,
    cells: In<'a, [u32; 4]>,
    least: Out<'a, f32>,
    greatest: Out<'a, f32>,
    volumes: Out<'a, f64>,
) {
    let [a, b, c, d] = cells.get(cell).map(|v| x.get(v).as_dvec3());
    let cosines = [
        cosine(a, b, c, d),
        cosine(a, c, b, d),
        cosine(a, d, b, c),
        cosine(b, c, a, d),
        cosine(b, d, a, c),
        cosine(c, d, a, b),
    ];
    let (mut low, mut high) = (1.0, -1.0);
    for cosine in cosines {
        low = if cosine < low { cosine } else { low };
        high = if cosine > high { cosine } else { high };
    }
    let degrees = |cosine: f64| libm::acos(cosine.clamp(-1.0, 1.0)).to_degrees() as f32;
    least.set(cell, degrees(high));
    greatest.set(cell, degrees(low));
    volumes.set(cell, (b - a).cross(c - a).dot(d - a) / 6.0);
}
