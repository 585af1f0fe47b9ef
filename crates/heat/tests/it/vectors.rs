//! Transport, logarithmic maps and signed distances, against closed forms, and by iterations against
//! factorizations.
use ribbonmesh::glam::{DVec2, DVec3};
use ribbonmesh::{Defect, Device, Error, MeshOptions, Surface};
use ribbonmesh_heat::{HeatReport, Solver, VectorHeat, VectorOptions};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_suite::{Random, size, suite};
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
fn by(device: &Device, shape: &TriangleMesh, solver: Solver) -> VectorHeat {
    let surface = Surface::new(device, shape, &MeshOptions::default()).expect("a surface");
    VectorHeat::new(&surface, &VectorOptions { solver, ..VectorOptions::default() }).expect("a Laplacian")
}
/// Runs `test` with iterations and with factorizations.
fn both(device: &Device, shape: &TriangleMesh, mut test: impl FnMut(VectorHeat)) {
    for solver in [Solver::Iterative, Solver::Direct] {
        let method = by(device, shape, solver);
        assert_eq!(method.chosen().solver, solver);
        test(method);
    }
}
fn transport(method: &VectorHeat, sources: &[(u32, DVec3)]) -> Vec<DVec3> {
    let (found, report) = method.transport(sources).expect("vectors");
    assert!(report.converged, "{report:?}");
    found.read().expect("memory")
}
fn map(method: &VectorHeat, source: u32) -> (Vec<DVec2>, HeatReport) {
    let found = method.logarithmic_map(source).expect("a map");
    let [x, y] = found.coordinates.map(|axis| axis.read().expect("memory"));
    let coordinates: Vec<DVec2> = x.into_iter().zip(y).map(DVec2::from).collect();
    let lengths = found.distances.read().expect("memory");
    let agrees = |(x, length): (&DVec2, &f64)| match x.is_nan() {
        true => *length == f64::INFINITY,
        false => (x.length() - length).abs() <= 1e-12 * length,
    };
    assert!(found.report.converged && coordinates.iter().zip(&lengths).all(agrees), "{:?}", found.report);
    (coordinates, found.report)
}
fn signed(method: &mut VectorHeat, curve: &[u32]) -> (Vec<f64>, bool, HeatReport) {
    let found = method.signed_distances(curve).expect("distances");
    assert!(found.report.converged && found.report.residual <= 1e-8, "{:?}", found.report);
    (found.distances.read().expect("memory"), found.closed, found.report)
}

suite! {
    fn a_plane_carries_vectors_unchanged(device) {
        let shape = plane(24);
        let vector = DVec3::new(2.0, -1.0, 0.0);
        both(device, &shape, |method| {
            let found = transport(&method, &[(100, vector)]);
            assert!(found.iter().all(|x| x.distance(vector) < 1e-8), "{:?}", &found[..3]);
            // two of different lengths: each vertex has about that of the nearer source
            let two = transport(&method, &[(0, vector), (24 * 24 - 1, -3.0 * vector)]);
            assert!(two[25].distance(vector) < 1e-6 && two[24 * 23 - 2].distance(-3.0 * vector) < 1e-6);
            // two at the same vertex: directions and lengths are means
            let same = transport(&method, &[(5, DVec3::X), (5, 3.0 * DVec3::Y)]);
            let expected = DVec3::new(1.0, 3.0, 0.0).normalize() * 2.0;
            assert!(same.iter().all(|x| x.distance(expected) < 1e-8), "{:?}", &same[..3]);
        });
        // very far: heat sinks by 2.6 with each edge, below what doubles hold
        let n = size(1600, 200);
        let x = (0..2 * n).map(|i| DVec3::new((i / 2) as f64, (i % 2) as f64, 0.0)).collect();
        let faces = (0..n - 1).flat_map(|i| [[2 * i, 2 * i + 2, 2 * i + 3], [2 * i, 2 * i + 3, 2 * i + 1]]);
        let strip = TriangleMesh::new(x, faces.map(|f| f.map(|v| v as u32)).collect());
        both(device, &strip, |method| {
            let found = transport(&method, &[(0, vector)]);
            assert!(found.iter().all(|x| x.distance(vector) < 1e-6), "{:?}", found.last());
            let (found, _) = map(&method, 0);
            let [a, b] = method.basis(0).expect("a basis");
            let expected = |x: &DVec3| DVec2::new(a.dot(*x), b.dot(*x));
            let wrong = strip.positions.iter().zip(&found).find(|(x, y)| y.distance(expected(x)) > 1e-5);
            assert!(wrong.is_none(), "{wrong:?}");
        });
    }
    fn meridians_carry_vectors(device) {
        let shape = globe(31, 64);
        both(device, &shape, |method| {
            let found = transport(&method, &[(0, DVec3::X)]);
            for (x, found) in shape.positions.iter().zip(&found).filter(|(x, _)| x.z.abs() < 0.95) {
                // along a meridian, the angle with it stays
                let east = DVec3::Z.cross(*x).normalize();
                let south = east.cross(*x);
                let azimuth = x.y.atan2(x.x);
                let expected = azimuth.cos() * south - azimuth.sin() * east;
                assert!(found.distance(expected) < 0.03, "{x}: {found} {expected}");
            }
        });
    }
    fn logarithmic_maps(device) {
        let shape = plane(31);
        let source = 15 * 31 + 15;
        both(device, &shape, |method| {
            let (found, report) = map(&method, source);
            assert_eq!((report.reached, report.unreachable), (31 * 31, 0));
            let [a, b] = method.basis(source).expect("a basis");
            for (x, found) in shape.positions.iter().zip(&found) {
                let way = *x - shape.positions[source as usize];
                let expected = DVec2::new(a.dot(way), b.dot(way));
                assert!(found.distance(expected) < 1e-6, "{x}: {found} {expected}");
            }
        });
        let shape = globe(31, 64);
        both(device, &shape, |method| {
            let (found, _) = map(&method, 0);
            let [a, b] = method.basis(0).expect("a basis");
            for (x, found) in
                shape.positions.iter().zip(&found).filter(|(x, _)| x.z > -0.9 && x.z < 0.99)
            {
                let way = DVec3::new(x.x, x.y, 0.0).normalize();
                let expected = DVec2::new(a.dot(way), b.dot(way)) * x.z.acos();
                assert!(found.distance(expected) < 0.06 * x.z.acos(), "{x}: {found} {expected}");
            }
        });
    }
    fn signed_distances(device) {
        // the equator, to the east: the south is on its right
        let shape = globe(31, 64);
        let equator: Vec<u32> = (0..64).map(|m| 1 + 15 * 64 + m).collect();
        // half of it, and the other way round
        let half: Vec<u32> = equator[..40].iter().rev().copied().collect();
        both(device, &shape, |mut method| {
            let (found, closed, report) = signed(&mut method, &equator);
            assert!(closed && report.reached == shape.positions.len() && report.sources == 64);
            for (x, found) in shape.positions.iter().zip(&found) {
                assert!((found - (x.z.acos() - FRAC_PI_2)).abs() < 0.04, "{x}: {found}");
            }
            let (found, closed, _) = signed(&mut method, &half);
            assert!(!closed);
            for (x, found) in shape.positions.iter().zip(&found).filter(|(x, _)| x.y > 0.6) {
                assert!((found + x.z.acos() - FRAC_PI_2).abs() < 0.1, "{x}: {found}");
            }
        });
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
        both(device, &shape, |mut method| {
            let (found, closed, report) = signed(&mut method, &sides.concat());
            assert!(closed && report.reached == n as usize && report.unreachable == 3);
            assert!(found[n as usize].is_infinite());
            assert!(found[at(10, 10) as usize] < -3.5 && found[at(1, 10) as usize] > 3.0);
            let (found, report) = map(&method, 0);
            assert!(found[n as usize].is_nan() && report.unreachable == 3);
            assert_eq!(transport(&method, &[(0, DVec3::X)])[n as usize], DVec3::ZERO);
        });
    }
    fn iterations_as_factorizations(device) {
        // handles, a boundary, slivers, and vertices without faces
        let mut noisy = shapes::torus(size(40, 16), 1).expect("small");
        shapes::add_noise(&mut noisy, 0.4, 3);
        let mut flat = shapes::icosphere(size(4, 2) as u32).expect("small");
        flat.positions.iter_mut().for_each(|x| x.z *= 0.02);
        let mut open = shapes::icosphere(size(4, 2) as u32).expect("small");
        open.faces.retain(|f| f.iter().any(|&v| open.positions[v as usize].z < 0.3));
        for (name, shape) in [("noisy", noisy), ("flat", flat), ("open", open)] {
            let mut iterative = by(device, &shape, Solver::Iterative);
            let mut direct = by(device, &shape, Solver::Direct);
            let first = shape.faces[0][0];
            let (found, report) = map(&iterative, first);
            let (expected, _) = map(&direct, first);
            let longest = expected.iter().filter(|x| !x.is_nan()).fold(0.0, |l: f64, x| l.max(x.length()));
            let mut worst = 0.0_f64;
            for (v, (x, y)) in found.iter().zip(&expected).enumerate() {
                assert!(x.is_nan() == y.is_nan(), "{name} {v}: {x} {y}");
                worst = if x.is_nan() { worst } else { worst.max(x.distance(*y)) };
            }
            println!("{name}: map {worst:.1e} of {longest:.2}, {report:?}");
            assert!(worst < 1e-6 * longest, "{name}: {worst}");
            let last = shape.faces[shape.faces.len() - 1][0];
            let [a, _] = direct.basis(first).expect("a basis");
            let [_, b] = direct.basis(last).expect("a basis");
            let sources = [(first, a), (last, 3.0 * b)];
            let (found, expected) = (transport(&iterative, &sources), transport(&direct, &sources));
            let worst = found.iter().zip(&expected).fold(0.0, |w: f64, (x, y)| w.max(x.distance(*y)));
            println!("{name}: transport {worst:.1e}");
            assert!(worst < 1e-6, "{name}: {worst}");
            let curve = shape.faces[shape.faces.len() / 2];
            let (found, _, report) = signed(&mut iterative, &curve);
            let (expected, _, _) = signed(&mut direct, &curve);
            let finite = |x: &&f64| x.is_finite();
            let longest = expected.iter().filter(finite).fold(0.0, |l: f64, x| l.max(x.abs()));
            let apart = |(x, y): (&f64, &f64)| if x == y { 0.0 } else { (x - y).abs() };
            let worst = found.iter().zip(&expected).map(apart).fold(0.0, f64::max);
            println!("{name}: signed {worst:.1e} of {longest:.2}, {report:?}");
            assert!(worst < 1e-6 * longest, "{name}: {worst}");
        }
    }
    fn several_at_once(device) {
        let mut shape = shapes::torus(24, 1).expect("small");
        shapes::add_noise(&mut shape, 0.3, 2);
        both(device, &shape, |mut method| {
            let solver = method.chosen().solver;
            let [a, b] = [3, 40].map(|v| method.basis(v).expect("a basis")[0]);
            // one vector, two of one length, two of different lengths
            let each: [&[(u32, DVec3)]; 3] = [&[(3, a)], &[(3, a), (40, b)], &[(3, a), (40, 5.0 * b)]];
            let together = method.transport_each(&each).expect("vectors");
            assert_eq!(together.len(), 3);
            for (sources, (found, report)) in each.into_iter().zip(together) {
                assert!(report.converged && report.chosen.solver == solver && report.sources == sources.len());
                let (found, alone) = (found.read().expect("memory"), transport(&method, sources));
                let worst = found.iter().zip(&alone).fold(0.0, |w: f64, (x, y)| w.max(x.distance(*y)));
                assert!(worst < 1e-9, "{solver}: {worst}");
            }
            let maps = method.logarithmic_maps(&[7, 0, 7]).expect("maps");
            for (source, found) in [7, 0, 7].into_iter().zip(&maps) {
                let (alone, _) = map(&method, source);
                let [x, y] = found.coordinates.each_ref().map(|axis| axis.read().expect("memory"));
                let apart = |(x, y): (DVec2, &DVec2)| match x.is_nan() && y.is_nan() {
                    true => 0.0,
                    false => x.distance(*y),
                };
                let worst = x.into_iter().zip(y).map(DVec2::from).zip(&alone).map(apart).fold(0.0, f64::max);
                assert!(worst < 1e-9, "{solver} {source}: {worst}");
            }
            let curve = shape.faces[9];
            signed(&mut method, &curve);
            let refused = |error: Option<Error>| matches!(error, Some(Error::Option { option: "source", .. }));
            assert!(refused(method.transport_each(&[]).err()) && refused(method.logarithmic_maps(&[]).err()));
            assert!(refused(method.transport_each(&[&[(3, a)], &[]]).err()));
            assert!(refused(method.logarithmic_maps(&[0, 10_000]).err()));
        });
    }
    fn the_same_bits(device) {
        let mut shape = shapes::torus(24, 1).expect("small");
        shapes::add_noise(&mut shape, 0.3, 2);
        let method = by(device, &shape, Solver::Iterative);
        let bits = || map(&method, 7).0.into_iter().map(|x| x.to_array().map(f64::to_bits)).collect::<Vec<_>>();
        assert!(bits() == bits());
    }
    fn what_is_refused(device) {
        let shape = plane(4);
        let mut solver = by(device, &shape, Solver::Auto);
        let refused = |error: Error| matches!(error, Error::Option { option: "source", .. });
        assert!(refused(solver.transport(&[]).expect_err("none")));
        assert!(refused(solver.transport(&[(16, DVec3::X)]).expect_err("no vertex")));
        assert!(refused(solver.logarithmic_map(16).err().expect("no vertex")));
        assert!(refused(solver.basis(16).expect_err("no vertex")));
        for curve in [vec![], vec![3], vec![0, 2], vec![0, 99], vec![0, 0]] {
            assert!(refused(solver.signed_distances(&curve).err().expect("no curve")));
        }
        assert!(transport(&solver, &[(3, DVec3::Z)]).iter().all(|x| *x == DVec3::ZERO));
        let of = |faces: &[[u32; 3]], options: VectorOptions| {
            let x = device.upload(&shape.positions).expect("memory");
            let faces = device.upload(faces.as_flattened()).expect("memory");
            VectorHeat::of(x, faces, &options).err()
        };
        let zero = VectorOptions { time: 0.0, ..VectorOptions::default() };
        assert!(matches!(of(&shape.faces, zero), Some(Error::Option { option: "time", .. })));
        let loose = VectorOptions { tolerance: 1.0, ..VectorOptions::default() };
        assert!(matches!(of(&shape.faces, loose), Some(Error::Option { option: "tolerance", .. })));
        for (faces, defect) in [
            (vec![[0, 1, 5], [0, 1, 4]], Defect::Edge { ends: [0, 1] }),
            (vec![[0, 1, 5], [1, 0, 4], [0, 1, 6]], Defect::Edge { ends: [0, 1] }),
            (vec![[0, 1, 4], [1, 2, 6]], Defect::Vertex { vertex: 1 }),
            (vec![[0, 1, 4], [2, 2, 6]], Defect::Face { face: 1 }),
        ] {
            let found = of(&faces, VectorOptions::default());
            assert!(matches!(found, Some(Error::NotManifold(found)) if found == defect), "{found:?}");
        }
    }
}
