//! Shapes as CAD programs triangulate them: with as few and as long triangles as possible.
use ribbonmesh_mesh::TriangleMesh;

/// The prism over an outline, counter-clockwise, whose triangles are given; from 0 to `height`.
pub fn prism(outline: &[[f64; 2]], triangles: &[[u32; 3]], height: f64) -> TriangleMesh {
    let n = outline.len() as u32;
    let level = |z: f64| outline.iter().map(move |&[x, y]| [x, y, z].into());
    let mut faces = Vec::new();
    for i in 0..n {
        let j = (i + 1) % n;
        faces.extend([[i, j, n + j], [i, n + j, n + i]]);
    }
    for &[a, b, c] in triangles {
        faces.extend([[a, c, b], [n + a, n + b, n + c]]);
    }
    TriangleMesh::new(level(0.0).chain(level(height)).collect(), faces)
}

/// The cube from -1 to 1 with chamfers of this width, measured along its sides: 6 sides, 12 chamfers, 8
/// corners.
pub fn chamfered_cube(width: f64) -> TriangleMesh {
    // vertex 3 s + a belongs to corner s, whose bits are the signs, on the side across axis a
    let at = |s: u32, axis: u32| 3 * s + axis;
    let mut positions = Vec::new();
    for s in 0..8u32 {
        for axis in 0..3 {
            let p = [0, 1, 2].map(|i| {
                let sign = if s >> i & 1 == 1 { 1.0 } else { -1.0 };
                sign * if i == axis { 1.0 } else { 1.0 - width }
            });
            positions.push(p.into());
        }
    }
    // around, as seen from outside for the first sign
    let mut faces: Vec<[u32; 3]> = Vec::new();
    let mut quad = |[a, b, c, d]: [u32; 4]| faces.extend([[a, b, c], [a, c, d]]);
    for axis in 0..3u32 {
        let (u, v) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
        let side = |s: u32| at(s, axis);
        let up = 1 << axis;
        quad([up, up | u, up | u | v, up | v].map(side));
        quad([0, v, u | v, u].map(side));
        // the chamfers along this axis, between the sides across the other two
        let [p, q] = [(axis + 1) % 3, (axis + 2) % 3];
        for corner in [0, u, v, u | v] {
            let ring = [at(corner, p), at(corner | up, p), at(corner | up, q), at(corner, q)];
            let [a, b, c, d] = ring;
            quad(if corner == 0 || corner == u | v { [a, d, c, b] } else { ring });
        }
    }
    for s in 0..8u32 {
        let [a, b, c] = [at(s, 0), at(s, 1), at(s, 2)];
        let odd = s.count_ones() % 2 == 1;
        faces.push(if odd { [a, b, c] } else { [a, c, b] });
    }
    TriangleMesh::new(positions, faces)
}
