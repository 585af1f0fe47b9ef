//! The surfaces of the scenes.
use super::isosurface::isosurface;
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Error, Result};
use ribbonmesh_mesh::{SplitMix64, TriangleMesh, shapes};
use std::collections::HashMap;

/// A sphere of 20 n² faces: an icosahedron, each face divided into n² and lifted to the sphere. Its mean edge
/// is about 1.2 / n radii long.
pub fn sphere(centre: DVec3, radius: f64, n: u32) -> TriangleMesh {
    let Ok(icosahedron) = shapes::icosphere(0) else { return TriangleMesh::new(Vec::new(), Vec::new()) };
    let (mut ids, mut positions, mut faces) = (HashMap::new(), Vec::new(), Vec::new());
    for corners in &icosahedron.faces {
        // the vertex with weights i, j, n − i − j
        let mut at = |i: u32, j: u32| {
            let mut key: Vec<(u32, u32)> =
                corners.iter().copied().zip([i, j, n - i - j]).filter(|(_, weight)| *weight > 0).collect();
            key.sort_unstable();
            *ids.entry(key).or_insert_with_key(|key| {
                let sum: DVec3 = key
                    .iter()
                    .map(|(v, weight)| icosahedron.positions[*v as usize] * f64::from(*weight))
                    .sum();
                positions.push(centre + radius * sum.normalize());
                positions.len() as u32 - 1
            })
        };
        for i in 0..n {
            for j in 0..n - i {
                let [a, b, c] = [at(i, j), at(i + 1, j), at(i, j + 1)];
                faces.push([a, b, c]);
                if i + j + 2 <= n {
                    faces.push([b, at(i + 1, j + 1), c]);
                }
            }
        }
    }
    let mut mesh = TriangleMesh::new(positions, faces);
    if mesh.volume().is_some_and(|volume| volume < 0.0) {
        mesh.faces.iter_mut().for_each(|face| face.swap(1, 2));
    }
    mesh
}

/// Spheres of one radius as one mesh.
/// # Errors
/// [`Error::TooMany`] for more vertices than ids.
pub fn spheres(centres: &[DVec3], radius: f64, n: u32) -> Result<TriangleMesh> {
    let one = sphere(DVec3::ZERO, radius, n);
    let (vertices, count) = (one.positions.len() as u64, centres.len() as u64);
    let limit = u64::from(u32::MAX);
    if vertices * count > limit {
        return Err(Error::TooMany { what: "vertices", count: vertices * count, limit });
    }
    let positions = centres.iter().flat_map(|c| one.positions.iter().map(move |p| *p + *c)).collect();
    let firsts = (0..centres.len() as u32).map(|i| i * vertices as u32);
    let faces = firsts.flat_map(|first| one.faces.iter().map(move |face| face.map(|v| first + v)));
    Ok(TriangleMesh::new(positions, faces.collect()))
}

/// Random points in the cube of side 1, at least `apart` from each other. For each point, the first of
/// several candidates that is far enough is taken, or else the farthest one.
pub fn places(count: u32, apart: f64, seed: u64) -> Vec<DVec3> {
    let mut random = SplitMix64::new(seed);
    let mut places: Vec<DVec3> = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
        for _ in 0..200 {
            let p = DVec3::new(random.unit(), random.unit(), random.unit());
            let nearest = places.iter().map(|q| q.distance(p)).fold(f64::INFINITY, f64::min);
            if nearest > best.0 {
                best = (nearest, p);
            }
            if nearest >= apart {
                break;
            }
        }
        places.push(best.1);
    }
    places
}

/// A square of n × n vertices in the plane of x and z, seen from +y, with its centre at the origin.
pub fn sheet(side: f64, n: u32) -> TriangleMesh {
    let step = side / f64::from(n - 1);
    let along = |i: u32| -0.5 * side + step * f64::from(i);
    let positions = (0..n)
        .flat_map(|k| (0..n).map(move |i| (i, k)))
        .map(|(i, k)| DVec3::new(along(i), 0.0, along(k)))
        .collect();
    let mut faces = Vec::with_capacity(2 * (n as usize - 1).pow(2));
    for k in 0..n - 1 {
        for i in 0..n - 1 {
            let [a, b, c, d] = [k * n + i, k * n + i + 1, (k + 1) * n + i, (k + 1) * n + i + 1];
            if (i + k) % 2 == 0 {
                faces.extend([[a, c, d], [a, d, b]]);
            } else {
                faces.extend([[a, c, b], [b, c, d]]);
            }
        }
    }
    TriangleMesh::new(positions, faces)
}

/// A sphere with a slot from below (Enright, Fedkiw, Ferziger and Mitchell 2002, section 4.4, in the unit
/// cube), with edges of about this length. Its corners are cut off by the cells, which have this size.
pub fn slotted_sphere(edge: f64) -> TriangleMesh {
    let centre = DVec3::new(0.5, 0.75, 0.5);
    let f = |p: DVec3| {
        let ball = p.distance(centre) - 0.15;
        let slot = ((p.x - centre.x).abs() - 0.025).max(p.y - (centre.y - 0.025));
        ball.max(-slot)
    };
    isosurface(f, centre - DVec3::splat(0.18), centre + DVec3::splat(0.18), edge)
}

/// Two spheres with a cylinder between them, with edges of about this length.
pub fn dumbbell(edge: f64) -> TriangleMesh {
    let f = |p: DVec3| {
        let ball = |x: f64| p.distance(DVec3::new(x, 0.0, 0.0)) - 0.3;
        let handle = (p.y.hypot(p.z) - 0.1).max(p.x.abs() - 0.5);
        ball(-0.5).min(ball(0.5)).min(handle)
    };
    let half = DVec3::new(0.9, 0.4, 0.4);
    isosurface(f, -half, half, edge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_sphere() {
        for n in [1, 2, 5, 8] {
            let mesh = sphere(DVec3::new(1.0, 2.0, 3.0), 0.5, n);
            assert_eq!(
                (mesh.faces.len(), mesh.positions.len()),
                ((20 * n * n) as usize, (10 * n * n + 2) as usize)
            );
            assert!(mesh.is_closed());
            let volume = mesh.volume().expect("closed");
            let whole = std::f64::consts::PI / 6.0;
            assert!(volume < whole && volume > whole * (1.0 - 1.2 / f64::from(n * n)), "{volume}");
        }
    }
    #[test]
    fn solids() {
        for (mesh, volume) in [(slotted_sphere(0.02), 0.0128), (dumbbell(0.05), 0.24)] {
            let found = mesh.volume().expect("closed");
            assert!((found / volume - 1.0).abs() < 0.06, "{found}");
        }
    }
    #[test]
    fn many_spheres() {
        let apart = 2.2 * 0.25 / 1000_f64.cbrt();
        for seed in 0..3 {
            let places = places(1000, apart, seed);
            let inside = |p: &DVec3| p.cmpge(DVec3::ZERO).all() && p.cmple(DVec3::ONE).all();
            assert!(places.iter().all(inside));
            for (i, p) in places.iter().enumerate() {
                assert!(places[..i].iter().all(|q| q.distance(*p) >= apart));
            }
        }
        let mesh = spheres(&places(3, 0.3, 1), 0.1, 2).expect("few");
        assert_eq!((mesh.faces.len(), mesh.positions.len()), (240, 126));
        assert!(mesh.is_closed());
        assert!(places(2, 0.1, 1) != places(2, 0.1, 2));
    }
    #[test]
    fn a_sheet() {
        let mesh = sheet(6.0, 4);
        assert_eq!((mesh.positions.len(), mesh.faces.len()), (16, 18));
        assert!((mesh.area() - 36.0).abs() < 1e-9);
        for [a, b, c] in mesh.faces.iter().map(|f| f.map(|v| mesh.positions[v as usize])) {
            assert!((b - a).cross(c - a).y > 0.0);
        }
    }
}
