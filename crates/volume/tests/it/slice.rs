//! Plane sections.
use crate::meshes;
use crate::oracle::Oracle;
use ribbonmesh::Device;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_suite::{Random, cases, suite};
use ribbonmesh_volume::{Plane, VolumeMesh, VolumeOptions, VolumeSlice, shapes};

fn build(device: &Device, x: &[Vec3], cells: &ribbonmesh_volume::CellList) -> VolumeMesh {
    VolumeMesh::new(device, x, cells, &VolumeOptions::default()).expect("a mesh")
}

/// Planes along axes, some through vertices, and others.
fn planes(middle: Vec3, size: f32) -> Vec<Plane> {
    let mut random = Random(11);
    let mut number = || random.below(1 << 16) as f32 / (1 << 15) as f32 - 1.0;
    let mut all = vec![];
    for axis in Vec3::AXES {
        for at in [0.0, 0.25, -0.31] {
            all.push(Plane { normal: axis, offset: f64::from(axis.dot(middle) + at * size) });
        }
    }
    for _ in 0..6 {
        let normal = 3.0 * Vec3::new(number(), number(), number());
        all.push(Plane { normal, offset: f64::from(normal.dot(middle + 0.2 * size * number())) });
    }
    all
}

fn beyond(plane: &Plane, p: DVec3) -> f64 {
    plane.normal.as_dvec3().dot(p) - plane.offset
}

/// The area of the section of a box, which is a convex polygon, by angles around its middle.
fn area_in_box(plane: &Plane, size: DVec3) -> f64 {
    let corner = |k: usize| DVec3::from([0, 1, 2].map(|i| if k >> i & 1 == 1 { size[i] } else { 0.0 }));
    let mut points = vec![];
    for (k, i) in (0..8).flat_map(|k| [(k, 1), (k, 2), (k, 4)]).filter(|(k, i)| k & i == 0) {
        let (p, q) = (corner(k), corner(k | i));
        let (a, b) = (beyond(plane, p), beyond(plane, q));
        if (a < 0.0) != (b < 0.0) {
            points.push(p + (q - p) * (a / (a - b)));
        }
    }
    let normal = plane.normal.as_dvec3().normalize();
    let (u, v) = normal.any_orthonormal_pair();
    let middle = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
    points.sort_by(|p, q| {
        let angle = |p: &DVec3| (*p - middle).dot(v).atan2((*p - middle).dot(u));
        angle(p).total_cmp(&angle(q))
    });
    let next = |i: usize| points[(i + 1) % points.len()] - middle;
    (0..points.len()).map(|i| (points[i] - middle).cross(next(i)).length() / 2.0).sum()
}

struct Read {
    x: Vec<Vec3>,
    corners: Vec<[u32; 3]>,
    cells: Vec<u32>,
    ends: Vec<[u32; 2]>,
    shares: Vec<f32>,
}
fn read(slice: &VolumeSlice) -> Read {
    let pairs = slice.volume_vertices().read().expect("memory");
    Read {
        x: slice.positions().read().expect("memory"),
        corners: slice.corners().read().expect("memory").as_chunks().0.to_vec(),
        cells: slice.volume_cells().read().expect("memory"),
        ends: pairs.as_chunks().0.to_vec(),
        shares: slice.shares().read().expect("memory"),
    }
}

suite! {
    /// Areas, directions, places in their cells, and values that are linear.
    fn sections_of_grids(device) {
        for n in [1_u32, 3, 4] {
            let size = DVec3::splat(f64::from(n));
            // a mixed grid has a pyramid on top of its box
            for (shape, is_box) in [
                (shapes::kuhn_grid([n; 3]), true),
                (shapes::hexahedral_grid([n; 3]), true),
                (shapes::mixed_grid([n; 3]), false),
            ] {
                let (x, cells) = shape.expect("a size");
                let mesh = build(device, &x, &cells);
                let oracle = Oracle::new(x.len(), &cells);
                let linear = |p: Vec3| 2.0 * p.x - p.y + 0.5 * p.z + 7.0;
                let values: Vec<f32> = x.iter().map(|p| linear(*p)).collect();
                let values = device.upload(&values).expect("memory");
                for plane in planes(0.5 * size.as_vec3(), size.x as f32) {
                    let slice = mesh.slice(&plane).expect("a slice");
                    let all = read(&slice);
                    let length = f64::from(plane.normal.length());
                    assert!(all.x.iter().all(|p| beyond(&plane, p.as_dvec3()).abs() < 1e-5 * length));
                    let mut area = 0.0;
                    for ([a, b, c], cell) in all.corners.iter().zip(&all.cells) {
                        let [a, b, c] = [a, b, c].map(|v| all.x[*v as usize].as_dvec3());
                        let twice = (b - a).cross(c - a).dot(plane.normal.as_dvec3()) / length;
                        assert!(twice > -1e-5, "turned around: {twice}");
                        area += twice / 2.0;
                        let own: Vec<DVec3> = oracle.cells[*cell as usize].iter()
                            .flat_map(|(face, _)| &oracle.faces[*face as usize])
                            .map(|v| x[*v as usize].as_dvec3())
                            .collect();
                        let low = own.iter().fold(DVec3::INFINITY, |low, p| low.min(*p)) - 1e-5;
                        let high = own.iter().fold(DVec3::NEG_INFINITY, |high, p| high.max(*p)) + 1e-5;
                        assert!([a, b, c].iter().all(|p| p.cmpge(low).all() && p.cmple(high).all()));
                    }
                    let expected = area_in_box(&plane, size);
                    let fits = (area - expected).abs() < 1e-4 * size.x * size.x;
                    assert!(fits || !is_box && area > expected, "{plane:?}: {area}, {expected}");
                    let found = slice.of_vertices(&values).expect("memory").read().expect("memory");
                    assert!(found.iter().zip(&all.x).all(|(value, p)| (value - linear(*p)).abs() < 1e-4));
                }
            }
        }
    }
    /// Points on the edges that are cut, two triangles less than cut edges for each cell; the CPU's bits.
    fn sections_of_every_class(device) {
        let cpu = Device::cpu();
        for case in cases(meshes::all()) {
            let (mesh, oracle) = (build(device, &case.x, &case.cells), Oracle::new(case.x.len(), &case.cells));
            let other = build(&cpu, &case.x, &case.cells);
            let middle = case.x.iter().sum::<Vec3>() / case.x.len().max(1) as f32;
            for plane in planes(middle, 0.8) {
                let slice = read(&mesh.slice(&plane).expect("a slice"));
                let below = |v: u32| beyond(&plane, case.x[v as usize].as_dvec3()) < 0.0;
                let cut: Vec<[u32; 2]> =
                    oracle.edges.iter().copied().filter(|[a, b]| below(*a) != below(*b)).collect();
                assert_eq!(slice.ends, cut, "{}", case.name);
                for (([a, b], share), p) in slice.ends.iter().zip(&slice.shares).zip(&slice.x) {
                    let [a, b] = [a, b].map(|v| case.x[*v as usize].as_dvec3());
                    let place = a + (b - a) * f64::from(*share);
                    assert!((0.0..=1.0).contains(share) && place.distance(p.as_dvec3()) < 1e-5);
                }
                let mut counts = vec![0; oracle.cells.len()];
                slice.cells.iter().for_each(|cell| counts[*cell as usize] += 1);
                assert!(slice.cells.is_sorted());
                for (cell, count) in counts.iter().enumerate() {
                    let mut sides: Vec<[u32; 2]> = vec![];
                    for (face, _) in &oracle.cells[cell] {
                        let cycle = &oracle.faces[*face as usize];
                        let next = cycle.iter().cycle().skip(1);
                        sides.extend(cycle.iter().zip(next).map(|(a, b)| [*a.min(b), *a.max(b)]));
                    }
                    sides.sort_unstable();
                    sides.dedup();
                    let cut = sides.iter().filter(|[a, b]| below(*a) != below(*b)).count();
                    assert_eq!(*count, cut.saturating_sub(2), "{} {plane:?} cell {cell}", case.name);
                }
                let expected = read(&other.slice(&plane).expect("a slice"));
                assert!(slice.x == expected.x && slice.shares == expected.shares);
                assert!(slice.corners == expected.corners && slice.cells == expected.cells);
            }
        }
    }
    fn refusals(device) {
        let (x, cells) = shapes::kuhn_grid([1; 3]).expect("a size");
        let mesh = build(device, &x, &cells);
        for (normal, offset) in [(Vec3::ZERO, 0.0), (Vec3::X, f64::NAN), (Vec3::NAN, 0.0)] {
            let error = mesh.slice(&Plane { normal, offset }).expect_err("no plane").to_string();
            assert!(error.contains("slice") && error.contains("a normal that is not 0"), "{error}");
        }
        let plane = Plane { normal: Vec3::X, offset: 0.5 };
        let slice = mesh.slice(&plane).expect("a slice");
        let three = device.upload(&[0.0; 3]).expect("memory");
        let error = slice.of_vertices(&three).expect_err("8 vertices").to_string();
        assert!(error.contains("values of vertices"), "{error}");
        let nothing = mesh.slice(&Plane { normal: Vec3::X, offset: -1.0 }).expect("a slice");
        assert_eq!(nothing.triangles(), 0);
        assert_eq!(format!("{nothing:?}").split(" on ").next(), Some("VolumeSlice of 0 triangles"));
    }
}
