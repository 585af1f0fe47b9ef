//! Shapes with sides, bends and parts.
use ribbonmesh_mesh::TriangleMesh;
use std::collections::BTreeMap;

/// A grid of n × n squares over the unit square, lifted: `lift` gives the position of each of its points.
/// Diagonals take turns.
pub fn sheet(n: u32, lift: impl Fn(f64, f64) -> [f64; 3]) -> TriangleMesh {
    let at = |i: u32, j: u32| (n + 1) * i + j;
    let corner = |k: u32| [k / (n + 1), k % (n + 1)].map(|i| i as f64 / n as f64);
    let positions = (0..(n + 1) * (n + 1)).map(corner).map(|[x, y]| lift(x, y).map(|c| c as f32));
    let cells = (0..n * n).map(|k| (k / n, k % n));
    let faces = cells
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            if (i + j) % 2 == 0 { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
        })
        .collect();
    TriangleMesh::from_f32(positions, faces)
}

/// The boundary of [−1, 1]³, each side of n × n squares.
pub fn cube(n: u32) -> TriangleMesh {
    let mut index = BTreeMap::new();
    let (mut positions, mut faces) = (vec![], vec![]);
    let mut vertex = |p: [u32; 3]| {
        *index.entry(p).or_insert_with(|| {
            positions.push(p.map(|c| 2.0 * c as f32 / n as f32 - 1.0));
            positions.len() as u32 - 1
        })
    };
    for axis in 0..3 {
        for side in [0, n] {
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let mut at = |i: u32, j: u32| {
                    let mut p = [0; 3];
                    (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (side, i, j);
                    vertex(p)
                };
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                let two = if side == n { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
                faces.extend(two);
            }
        }
    }
    TriangleMesh::from_f32(positions, faces)
}

/// Several shapes as one, without touching each other's vertices.
pub fn joined(shapes: &[TriangleMesh]) -> TriangleMesh {
    shapes.iter().cloned().fold(TriangleMesh::default(), beside)
}

/// A shape scaled, then moved.
pub fn moved(mut shape: TriangleMesh, scale: f32, by: [f32; 3]) -> TriangleMesh {
    for p in &mut shape.positions {
        let moved: [f32; 3] = std::array::from_fn(|i| scale * p[i] as f32 + by[i]);
        *p = moved.map(f64::from).into();
    }
    shape
}

/// Two shapes as one, the second one's vertices and faces after those of the first.
pub fn beside(mut a: TriangleMesh, b: TriangleMesh) -> TriangleMesh {
    let n = a.positions.len() as u32;
    a.positions.extend(b.positions);
    a.faces.extend(b.faces.iter().map(|f| f.map(|v| v + n)));
    a
}
