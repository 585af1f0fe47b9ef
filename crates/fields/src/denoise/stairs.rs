//! Stairs: surfaces of voxels, whose noise is the rounding to a grid.
//!
//! On such a surface most edges are flat and the others are right angles, so that estimates of noise take it
//! for a machine part with sharp edges. Three facts distinguish the two: vertices are on a grid whose cells
//! are as large as the faces; many edges are folds; and folds go inwards nearly as often as outwards.
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Result, array};

/// Number of faces that are tested first.
const LOOKS: usize = 1024;
/// Greatest part of the faces that may be larger than two cells of the grid.
const OTHERS: f64 = 0.01;
/// Greatest distance of a coordinate from the grid, in cells.
const NEAR: f64 = 0.02;
/// The least part of edges that are folds, and the least part of folds that go inwards.
const FOLDS: f64 = 0.15;
const INWARDS: f64 = 0.2;
/// The cosine of the angle between normals from which an edge is a fold.
const FOLDED: f32 = 0.9;

/// Whether the faces are stairs. Gathers the corners of a thousand faces; if these are on a grid, downloads
/// the mesh and sorts its sides.
pub fn are_stairs(corners: &Buffer<u32>, x: &Buffer<Vec3>) -> Result<bool> {
    let faces = corners.len() / 3;
    if faces == 0 {
        return Ok(false);
    }
    let looks = (0..faces).step_by(faces.div_ceil(LOOKS).max(1));
    let places: Vec<u32> = looks.flat_map(|f| [3 * f, 3 * f + 1, 3 * f + 2].map(|c| c as u32)).collect();
    let ids = array::gather(corners, &x.device().upload(&places)?)?;
    let seen = array::gather(x, &ids)?.read()?;
    if !on_a_grid(seen.as_chunks().0) {
        return Ok(false);
    }
    let (faces, x) = (corners.read()?, x.read()?);
    Ok(fold_both_ways(faces.as_chunks().0, &x))
}

/// Whether triangles are on a grid along the axes, whose cells are as large as the triangles.
fn on_a_grid(triangles: &[[Vec3; 3]]) -> bool {
    let Some([first, ..]) = triangles.first() else { return false };
    let sides = |t: &[Vec3; 3]| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
    let all = || triangles.iter().flat_map(sides);
    let longest = all().map(|d| d.abs().max_element()).fold(0.0, f32::max);
    let cell = [0, 1, 2].map(|axis| {
        let lengths = all().map(|d| d[axis].abs()).filter(|d| *d > 1e-3 * longest);
        f64::from(lengths.fold(f32::INFINITY, f32::min))
    });
    let whole = |x: f64| (x - x.round()).abs() < NEAR;
    let fits = |t: &&[Vec3; 3]| {
        [0, 1, 2].into_iter().all(|axis| {
            let at = |p: Vec3| (f64::from(p[axis]) - f64::from(first[axis])) / cell[axis];
            let of = t.map(at);
            let extent = of.iter().fold(f64::NEG_INFINITY, |a, b| a.max(*b))
                - of.iter().fold(f64::INFINITY, |a, b| a.min(*b));
            of.into_iter().all(whole) && extent < 2.5
        })
    };
    let others = triangles.len() - triangles.iter().filter(fits).count();
    cell.iter().all(|c| c.is_finite()) && others as f64 <= OTHERS * triangles.len() as f64
}

/// Whether many edges are folds, and these go inwards about as often as outwards.
fn fold_both_ways(faces: &[[u32; 3]], x: &[Vec3]) -> bool {
    let point = |v: u32| x[v as usize];
    let normal = |f: u32| {
        let [a, b, c] = faces[f as usize].map(point);
        (b - a).cross(c - a).normalize_or_zero()
    };
    let sides = |(f, &[a, b, c]): (u32, &[u32; 3])| {
        [[a, b, c], [b, c, a], [c, a, b]].map(|[p, q, opposite]| ([p.min(q), p.max(q)], f, opposite))
    };
    let mut all: Vec<_> = (0..).zip(faces).flat_map(sides).collect();
    all.sort_unstable();
    let (mut edges, mut folds, mut inwards) = (0_u64, 0_u64, 0_u64);
    for pair in all.chunk_by(|a, b| a.0 == b.0) {
        let &[(ends, f, _), (_, g, opposite)] = pair else { continue };
        let (n, m) = (normal(f), normal(g));
        edges += 1;
        if n.dot(m) < FOLDED {
            folds += 1;
            inwards += u64::from(n.dot(point(opposite) - point(ends[0])) > 0.0);
        }
    }
    let outwards = folds - inwards;
    folds as f64 >= FOLDS * edges as f64 && inwards.min(outwards) as f64 >= INWARDS * folds as f64
}

#[cfg(test)]
mod tests {
    use super::{fold_both_ways, on_a_grid};
    use ribbonmesh::glam::{DVec3, Vec3};
    use ribbonmesh_mesh::TriangleMesh;
    use std::collections::BTreeMap;

    /// The surface of the cells of this size for which `inside` is true.
    fn voxels(n: i32, size: DVec3, inside: impl Fn(i32, i32, i32) -> bool) -> TriangleMesh {
        let inside = |p: [i32; 3]| p.iter().all(|c| (0..n).contains(c)) && inside(p[0], p[1], p[2]);
        let (mut ids, mut faces) = (BTreeMap::new(), vec![]);
        for i in 0..n.pow(3) {
            let p = [i % n, i / n % n, i / n / n];
            if !inside(p) {
                continue;
            }
            for axis in 0..3 {
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                for side in [0, 1] {
                    let mut next = p;
                    next[axis] += 2 * side - 1;
                    if inside(next) {
                        continue;
                    }
                    let corner = |s: i32, t: i32| {
                        let mut q = p;
                        q[axis] += side;
                        q[u] += s;
                        q[v] += t;
                        q
                    };
                    let mut quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                    if side == 0 {
                        quad.reverse();
                    }
                    let next = |ids: &BTreeMap<_, _>| ids.len() as u32;
                    let quad = quad.map(|q| {
                        let id = next(&ids);
                        *ids.entry(q).or_insert(id)
                    });
                    faces.extend([[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]);
                }
            }
        }
        let mut positions = vec![DVec3::ZERO; ids.len()];
        for (q, id) in ids {
            positions[id as usize] = DVec3::from(q.map(f64::from)) * size;
        }
        TriangleMesh::new(positions, faces)
    }
    fn told(mesh: &TriangleMesh) -> [bool; 2] {
        let x = mesh.points();
        let triangles: Vec<[Vec3; 3]> = mesh.faces.iter().map(|f| f.map(|v| x[v as usize])).collect();
        [on_a_grid(&triangles), fold_both_ways(&mesh.faces, &x)]
    }

    #[test]
    fn voxels_are_stairs_and_blocks_are_none() {
        let ball = |n: i32| {
            move |x: i32, y: i32, z: i32| {
                let d = [x, y, z].map(|c| 2 * c + 1 - n);
                d.iter().map(|d| d * d).sum::<i32>() < n * n
            }
        };
        for size in [DVec3::ONE, DVec3::new(0.37, 0.37, 1.9)] {
            assert_eq!(told(&voxels(14, size, ball(14))), [true, true]);
            assert_eq!(told(&voxels(30, size, ball(30))), [true, true]);
            // a block and an angle of two plates have edges, not stairs
            assert_eq!(told(&voxels(6, size, |_, _, _| true)), [true, false]);
            assert_eq!(told(&voxels(9, size, |x, y, _| x < 2 || y < 2)), [true, false]);
        }
    }
    #[test]
    fn other_shapes_are_on_no_grid() {
        let ball = ribbonmesh_mesh::shapes::icosphere(3).expect("small");
        assert!(!told(&ball)[0]);
        let mut noisy = voxels(12, DVec3::ONE, |x, y, z| x + y + z < 14);
        assert!(told(&noisy)[0]);
        noisy.positions.iter_mut().enumerate().for_each(|(i, p)| p.x += 0.1 * f64::from(i as u32 % 3));
        assert!(!told(&noisy)[0]);
    }
}
