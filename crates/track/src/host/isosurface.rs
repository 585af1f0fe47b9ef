//! A surface from a function of space, by marching tetrahedra.
use ribbonmesh::glam::DVec3;
use ribbonmesh_mesh::TriangleMesh;
use std::collections::HashMap;

/// Least distance of a vertex from a node of the grid, as a part of its edge.
const NEAR: f64 = 0.05;

/// The six tetrahedra of a cube by Kuhn: the corners of each are those on a path along the axes from corner 0
/// to corner 7. Bits of a corner are its x, y, z.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

/// Extracts the surface on which `f` is 0 within a box, oriented towards its positive side, on a grid of
/// cubes with about this edge (Doi and Koide 1991). The result is an oriented manifold, and closed unless `f`
/// is 0 on the box.
pub fn isosurface(f: impl Fn(DVec3) -> f64, low: DVec3, high: DVec3, edge: f64) -> TriangleMesh {
    let cells = ((high - low) / edge).ceil().max(DVec3::ONE);
    let [nx, ny, nz] = cells.to_array().map(|n| n as usize + 1);
    let step = (high - low) / cells;
    let place = |node: usize| {
        let (i, j, k) = (node % nx, node / nx % ny, node / nx / ny);
        low + step * DVec3::new(i as f64, j as f64, k as f64)
    };
    let values: Vec<f64> = (0..nx * ny * nz).map(|node| f(place(node))).collect();
    let (mut ids, mut positions, mut faces) = (HashMap::new(), Vec::new(), Vec::new());
    for cell in 0..nx * ny * nz {
        let (i, j, k) = (cell % nx, cell / nx % ny, cell / nx / ny);
        if i + 1 == nx || j + 1 == ny || k + 1 == nz {
            continue;
        }
        let corner = |c: usize| cell + (c & 1) + nx * (c >> 1 & 1) + nx * ny * (c >> 2);
        for tetrahedron in TETRAHEDRA {
            let nodes = tetrahedron.map(corner);
            let (inside, outside): (Vec<usize>, Vec<usize>) =
                nodes.iter().partition(|node| values[**node] < 0.0);
            let mut between = |a: usize, b: usize| {
                *ids.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                    let t = (values[a] / (values[a] - values[b])).clamp(NEAR, 1.0 - NEAR);
                    positions.push(place(a).lerp(place(b), t));
                    positions.len() as u32 - 1
                })
            };
            let corners: Vec<u32> = match (&inside[..], &outside[..]) {
                (&[a], &[b, c, d]) => [b, c, d].map(|to| between(a, to)).to_vec(),
                (&[b, c, d], &[a]) => [b, c, d].map(|from| between(from, a)).to_vec(),
                (&[a, b], &[c, d]) => vec![between(a, c), between(a, d), between(b, d), between(b, c)],
                _ => continue,
            };
            let middle =
                |nodes: &[usize]| nodes.iter().map(|node| place(*node)).sum::<DVec3>() / nodes.len() as f64;
            let out = middle(&outside) - middle(&inside);
            for third in 2..corners.len() {
                let [a, b, c] = [corners[0], corners[third - 1], corners[third]];
                let [p, q, r] = [a, b, c].map(|v| positions[v as usize]);
                faces.push(if (q - p).cross(r - p).dot(out) > 0.0 { [a, b, c] } else { [a, c, b] });
            }
        }
    }
    TriangleMesh::new(positions, faces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ball() {
        let mesh = isosurface(|p| p.length() - 1.0, DVec3::splat(-1.3), DVec3::splat(1.3), 0.1);
        let volume = mesh.volume().expect("closed");
        assert!((volume / 4.18879 - 1.0).abs() < 0.02, "{volume}");
        assert!(mesh.positions.iter().all(|p| (p.length() - 1.0).abs() < 0.02));
    }
}
