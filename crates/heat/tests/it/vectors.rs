//! Transport, logarithmic maps and signed distances, against closed forms.
use ribbonmesh::Error;
use ribbonmesh::glam::{DVec2, DVec3};
use ribbonmesh_heat::VectorHeat;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_suite::Random;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A sphere of rings and meridians; vertex 0 and the last one are the poles, ring 1 begins at vertex 1.
fn globe(rings: u32, meridians: u32) -> TriangleMesh {
    let mut x = vec![DVec3::Z];
    for ring in 1..=rings {
        let polar = PI * f64::from(ring) / f64::from(rings + 1);
        x.extend((0..meridians).map(|m| {
            let azimuth = TAU * f64::from(m) / f64::from(meridians);
            DVec3::new(polar.sin() * azimuth.cos(), polar.sin() * azimuth.sin(), polar.cos())
        }));
    }
    x.push(-DVec3::Z);
    let (at, last) = (|ring: u32, m: u32| 1 + (ring - 1) * meridians + m % meridians, x.len() as u32 - 1);
    let mut faces = vec![];
    for m in 0..meridians {
        faces.push([0, at(1, m), at(1, m + 1)]);
        for ring in 1..rings {
            let [a, b, c, d] = [at(ring, m), at(ring + 1, m), at(ring + 1, m + 1), at(ring, m + 1)];
            // in turn, so that no direction is preferred
            match (ring + m) % 2 {
                0 => faces.extend([[a, b, c], [a, c, d]]),
                _ => faces.extend([[a, b, d], [b, c, d]]),
            }
        }
        faces.push([at(rings, m), last, at(rings, m + 1)]);
    }
    TriangleMesh::new(x, faces)
}
/// A square of random points in a grid.
fn plane(n: u32) -> TriangleMesh {
    let mut random = Random(7);
    let mut shift = || 0.4 * (f64::from(random.below(1000)) / 1000.0 - 0.5);
    let x = (0..n * n).map(|i| DVec3::new(f64::from(i % n) + shift(), f64::from(i / n) + shift(), 0.0));
    let x: Vec<_> = x.collect();
    let faces = (0..n - 1).flat_map(|j| {
        (0..n - 1).flat_map(move |i| {
            let a = n * j + i;
            [[a, a + 1, a + n + 1], [a, a + n + 1, a + n]]
        })
    });
    TriangleMesh::new(x, faces.collect())
}
fn method(shape: &TriangleMesh) -> VectorHeat {
    VectorHeat::new(&shape.positions, &shape.faces, 1.0).expect("factors")
}

#[test]
fn a_plane_carries_vectors_unchanged() {
    let shape = plane(24);
    let vector = DVec3::new(2.0, -1.0, 0.0);
    let found = method(&shape).transport(&[(100, vector)]).expect("vectors");
    assert!(found.iter().all(|x| x.distance(vector) < 1e-9), "{:?}", &found[..3]);
    // two of different lengths: each vertex has about that of the nearer source
    let two = method(&shape).transport(&[(0, vector), (24 * 24 - 1, -3.0 * vector)]).expect("vectors");
    assert!(two[25].distance(vector) < 1e-6 && two[24 * 23 - 2].distance(-3.0 * vector) < 1e-6);
    // very far: heat sinks by 2.6 with each edge
    let n = 900;
    let x = (0..2 * n).map(|i| DVec3::new(f64::from(i / 2), f64::from(i % 2), 0.0)).collect();
    let faces = (0..n - 1).flat_map(|i| [[2 * i, 2 * i + 2, 2 * i + 3], [2 * i, 2 * i + 3, 2 * i + 1]]);
    let strip = TriangleMesh::new(x, faces.map(|f| f.map(|v| v as u32)).collect());
    let found = method(&strip).transport(&[(0, vector)]).expect("vectors");
    assert!(found.iter().all(|x| x.distance(vector) < 1e-9), "{:?}", found.last());
}

#[test]
fn meridians_carry_vectors() {
    let shape = globe(31, 64);
    let found = method(&shape).transport(&[(0, DVec3::X)]).expect("vectors");
    for (x, found) in shape.positions.iter().zip(&found).filter(|(x, _)| x.z.abs() < 0.95) {
        // along a meridian, the angle with it stays
        let east = DVec3::Z.cross(*x).normalize();
        let south = east.cross(*x);
        let azimuth = x.y.atan2(x.x);
        let expected = azimuth.cos() * south - azimuth.sin() * east;
        assert!(found.distance(expected) < 0.03, "{x}: {found} {expected}");
    }
}

#[test]
fn logarithmic_maps() {
    let shape = plane(31);
    let (source, solver) = (15 * 31 + 15, method(&shape));
    let map = solver.logarithmic_map(source).expect("a map");
    assert_eq!(map.reached, 31 * 31);
    let [a, b] = solver.basis(source).expect("a basis");
    let (mut sum, mut most, mut turned) = (0.0, 0.0_f64, 0.0);
    for (x, found) in shape.positions.iter().zip(&map.coordinates) {
        let way = *x - shape.positions[source as usize];
        let expected = DVec2::new(a.dot(way), b.dot(way));
        let error = found.distance(expected);
        (sum, most) = (sum + error, most.max(error));
        turned += if expected == DVec2::ZERO { 0.0 } else { found.angle_to(expected).abs() };
    }
    println!("plane: mean error {}, largest {most}, mean angle {}", sum / 961.0, turned / 961.0);
    assert!(most < 1e-6);

    let shape = globe(31, 64);
    let (source, solver) = (0, method(&shape));
    let map = solver.logarithmic_map(source).expect("a map");
    let [a, b] = solver.basis(source).expect("a basis");
    for (x, found) in shape.positions.iter().zip(&map.coordinates).filter(|(x, _)| x.z > -0.9 && x.z < 0.99) {
        let way = DVec3::new(x.x, x.y, 0.0).normalize();
        let expected = DVec2::new(a.dot(way), b.dot(way)) * x.z.acos();
        assert!(found.distance(expected) < 0.06 * x.z.acos(), "{x}: {found} {expected}");
    }
}

#[test]
fn signed_distances() {
    // the equator, to the east: the south is on its right
    let shape = globe(31, 64);
    let equator: Vec<u32> = (0..64).map(|m| 1 + 15 * 64 + m).collect();
    let found = method(&shape).signed_distances(&equator).expect("distances");
    assert!(found.closed && found.reached == shape.positions.len());
    for (x, found) in shape.positions.iter().zip(&found.distances) {
        assert!((found - (x.z.acos() - FRAC_PI_2)).abs() < 0.04, "{x}: {found}");
    }
    // half of it, and the other way round
    let half: Vec<u32> = equator[..40].iter().rev().copied().collect();
    let found = method(&shape).signed_distances(&half).expect("distances");
    assert!(!found.closed);
    for (x, found) in shape.positions.iter().zip(&found.distances).filter(|(x, _)| x.y > 0.6) {
        assert!((found + x.z.acos() - FRAC_PI_2).abs() < 0.1, "{x}: {found}");
    }
    // a square counterclockwise in a plane, and a triangle by itself
    let mut shape = plane(21);
    let n = shape.positions.len() as u32;
    shape.positions.extend([DVec3::X, DVec3::Y, DVec3::Z].map(|x| x + 100.0));
    shape.faces.push([n, n + 1, n + 2]);
    let at = |i: u32, j: u32| 21 * j + i;
    let sides = [
        (0..10).map(|k| at(5 + k, 5)).collect::<Vec<_>>(),
        (0..10).map(|k| at(15, 5 + k)).collect(),
        (0..10).map(|k| at(15 - k, 15)).collect(),
        (0..10).map(|k| at(5, 15 - k)).collect(),
    ];
    let found = method(&shape).signed_distances(&sides.concat()).expect("distances");
    assert!(found.closed && found.reached == n as usize);
    assert!(found.distances[n as usize].is_infinite());
    assert!(found.distances[at(10, 10) as usize] < -3.5 && found.distances[at(1, 10) as usize] > 3.0);
}

#[test]
fn what_is_refused() {
    let shape = plane(4);
    let solver = method(&shape);
    let refused = |error: Error| matches!(error, Error::Option { option: "source", .. });
    assert!(refused(solver.transport(&[]).expect_err("none")));
    assert!(refused(solver.transport(&[(16, DVec3::X)]).expect_err("no vertex")));
    assert!(refused(solver.logarithmic_map(16).expect_err("no vertex")));
    for curve in [vec![], vec![3], vec![0, 2], vec![0, 99]] {
        assert!(refused(solver.signed_distances(&curve).expect_err("no curve")));
    }
    let zero = solver.transport(&[(3, DVec3::Z)]).expect("vectors");
    assert!(zero.iter().all(|x| *x == DVec3::ZERO));
    assert!(VectorHeat::new(&shape.positions, &shape.faces, 0.0).is_err());
    let turned = [[0, 1, 5], [0, 1, 4]];
    assert!(matches!(VectorHeat::new(&shape.positions, &turned, 1.0), Err(Error::NotManifold(_))));
    let bow = [[0, 1, 4], [1, 2, 6]];
    assert!(matches!(VectorHeat::new(&shape.positions, &bow, 1.0), Err(Error::NotManifold(_))));
}
