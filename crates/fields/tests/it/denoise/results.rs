//! Tests of bilateral denoising against plain loops in `f64`, and on meshes whose noise is known.
use crate::denoise::oracle::{Model, neighbours};
use crate::{noisy, noisy_shapes};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, Error, Vertex};
use ribbonmesh_fields::denoise::{DenoiseOptions, Denoiser, Deviation, Method, Radius};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{Random, cases, meshes, size, suite};
use std::collections::BTreeSet;

fn random_positions(n: usize, seed: u64) -> Vec<Vec3> {
    let mut random = Random(seed);
    let mut unit = || random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0;
    (0..n).map(|_| Vec3::new(unit(), unit(), unit())).collect()
}
fn options(radius: Radius, scale: f32) -> DenoiseOptions {
    DenoiseOptions { radius, scale, ..bilateral(5) }
}
fn bilateral(iterations: u32) -> DenoiseOptions {
    DenoiseOptions { method: Method::Bilateral, iterations: Some(iterations), ..DenoiseOptions::default() }
}
suite! {
    fn shapes_of_every_kind(device) {
        for (name, shape) in cases(noisy_shapes()) {
            for size in cases([32, 768]) {
                let model = Model::new(device, name, shape.points(), &shape.faces, size);
                for radius in Radius::ALL {
                    let report = model.check(&options(radius, 1.0));
                    assert_eq!(report.walked.len(), 1);
                }
                model.check(&options(Radius::Shortest, 0.4));
            }
        }
    }
    fn balls_of_many_rings(device) {
        let shape = noisy(shapes::icosphere(3).expect("small"), 0.1);
        let model = Model::new(device, "sphere", shape.points(), &shape.faces, 100);
        for scale in cases([2.0, 3.5, 100.0]) {
            let report = model.check(&options(Radius::Mean, scale));
            assert!(report.walked[0] > 0, "{report:?}");
        }
    }
    fn nearly_all_balls_are_stored(device) {
        let shape = noisy(shapes::bumpy_sphere(size(5, 4), 1).expect("small"), 0.2);
        let model = Model::new(device, "bumpy sphere", shape.points(), &shape.faces, 768);
        for radius in [Radius::Shortest, Radius::Mean] {
            let (_, report) = model.run(&options(radius, 1.0));
            println!("{radius}: {report:?}");
            assert!(report.stored_bytes > 0);
            assert!(report.walked.iter().all(|&w| w < shape.positions.len() as u32 / 50), "{report:?}");
        }
    }
    /// A hub with many neighbours, one of which is far away: balls by the mean edge would have all vertices.
    fn balls_are_cut(device) {
        for n in [400_u32, 900] {
            let mut random = Random(n as u64);
            let mut x = vec![Vec3::ZERO];
            x.extend((0..n).map(|i| {
                let (turn, lift) = (i as f32 / n as f32 * 6.0, random.below(100) as f32 * 1e-3);
                Vec3::new(turn.cos(), turn.sin(), lift) * if i == 0 { 50.0 } else { 1.0 }
            }));
            let faces: Vec<[u32; 3]> = (1..n).map(|i| [0, i, i + 1]).collect();
            let model = Model::new(device, "fan", x, &faces, 512);
            let report = model.check(&options(Radius::Longest, 1.0));
            assert_eq!(report.cut > 0, n > 512, "{report:?}");
        }
        let shape = noisy(shapes::icosphere(4).expect("small"), 0.1);
        let model = Model::new(device, "sphere", shape.points(), &shape.faces, 512);
        let report = model.check(&options(Radius::Mean, 20.0));
        assert_eq!(report.cut as usize, model.x.len());
    }
    /// Ring 2 is far away, ring 3 is near again: it counts only if a vertex of ring 2 is in the ball, too.
    fn rings_beyond_a_far_vertex(device) {
        // strips that leave the middle and come back
        let (mut x, mut faces) = (vec![Vec3::ZERO], vec![]);
        for k in 0..6_u16 {
            let angle = f32::from(k) * 1.047 + 0.01;
            let out = Vec3::new(angle.cos(), angle.sin(), 0.0);
            let side = Vec3::new(-out.y, out.x, 0.0) * 0.3;
            let first = x.len() as u32;
            let lift = Vec3::Z * (0.05 + 0.01 * f32::from(k));
            let far = if k == 0 { 1.9 } else { 4.0 };
            x.extend([out - side, out + side + lift, out * far - side, out * far + side + lift]);
            x.extend([out * 1.1 - side + Vec3::Z * 0.2, out * 1.1 + side + Vec3::Z * 0.3]);
            let strip = [[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 5, 4], [4, 5, 6]];
            faces.extend(strip.map(|f| f.map(|v| if v == 0 { 0 } else { first + v - 1 })));
        }
        let model = Model::new(device, "strips", x, &faces, 16);
        for scale in [0.8, 1.0, 1.2] {
            model.check(&options(Radius::Shortest, scale));
        }
    }
    fn meshes_of_every_class(device) {
        for (i, case) in (1..).zip(meshes::all()) {
            for size in cases([16, 512]) {
                let model = Model::new(device, &case.name, random_positions(case.vertices, i), &case.faces, size);
                model.check(&options(Radius::Shortest, 1.0));
                model.check(&options(Radius::Mean, 0.5));
            }
        }
    }
    fn random_soups(device) {
        for seed in cases(0..20) {
            let mut random = Random(seed);
            let case = meshes::soup(1 + random.below(80), random.below(200), seed);
            let model = Model::new(device, &case.name, random_positions(case.vertices, seed), &case.faces, 16 + random.below(80));
            model.check(&options(Radius::ALL[seed as usize % 3], 0.6));
        }
    }
    /// The rings of the oracle agree with the library's query of k-rings.
    fn rings_are_those_of_the_query(device) {
        let shape = shapes::torus(20, 1).expect("small");
        let model = Model::new(device, "torus", shape.points(), &shape.faces, 64);
        let vv = neighbours(model.x.len(), &model.faces);
        let inputs = model.mesh.vertex_inputs().read().expect("the map");
        for k in 1..=size(4, 2) {
            let found = model.mesh.k_ring(k).and_then(|r| r.download()).expect("rings");
            for (id, &v) in inputs.iter().enumerate() {
                let mut seen = BTreeSet::from([v]);
                for _ in 0..k {
                    seen = seen.iter().flat_map(|&u| &vv[u as usize]).copied().chain(seen.iter().copied()).collect();
                }
                seen.remove(&v);
                let row: BTreeSet<u32> = found.row(id).map(|u| inputs[u as usize]).collect();
                assert_eq!(row, seen, "{k}-ring of vertex {v}");
            }
        }
    }
    fn noise_goes_and_edges_stay(device) {
        let clean = shapes::icosphere(5).expect("small");
        let noisy_sphere = noisy(clean.clone(), 0.2);
        let model = Model::new(device, "noisy sphere", noisy_sphere.points(), &clean.faces, 768);
        let (found, _) = model.run(&DenoiseOptions { iterations: Some(5), ..options(Radius::Mean, 1.0) });
        let before = Deviation::between(&clean.faces, &clean.points(), &model.x);
        let after = Deviation::between(&clean.faces, &clean.points(), &found);
        assert!(after.offset_rms < 0.5 * before.offset_rms, "{before:?} {after:?}");
        assert!(after.normal_angle < 0.35 * before.normal_angle, "{before:?} {after:?}");

        // a roof: two flat halves of a grid, at a right angle
        let grid = shapes::grid(60, 1).expect("small");
        let bend = |p: &[f32; 3]| {
            let m = p[0].abs() * std::f32::consts::FRAC_1_SQRT_2;
            Vec3::new(if p[0] < 0.0 { -m } else { m }, p[1], -m)
        };
        let flat = grid.points_as_arrays();
        let middle = flat.iter().map(|p| p[0]).sum::<f32>() / flat.len() as f32;
        let clean: Vec<Vec3> = flat.iter().map(|p| bend(&[p[0] - middle, p[1], p[2]])).collect();
        let roof = TriangleMesh::from_f32(clean.iter().map(|p| p.to_array()), grid.faces.clone());
        let model = Model::new(device, "noisy roof", noisy(roof, 0.1).points(), &grid.faces, 768);
        let (found, _) = model.run(&DenoiseOptions { iterations: Some(4), fixed_boundary: true, ..options(Radius::Mean, 1.0) });
        let before = Deviation::between(&grid.faces, &clean, &model.x);
        let after = Deviation::between(&grid.faces, &clean, &found);
        assert!(after.normal_angle < 0.6 * before.normal_angle, "{before:?} {after:?}");
    }
    fn several_iterations(device) {
        let shape = noisy(shapes::torus(24, 1).expect("small"), 0.2);
        let model = Model::new(device, "torus", shape.points(), &shape.faces, 100);
        let mut denoiser = Denoiser::new(&model.mesh, &bilateral(1)).expect("a denoiser");
        let mut step = model.positions.try_clone().expect("positions");
        for n in 0..size(5, 3) {
            let (found, report) = model.run(&bilateral(n));
            assert_eq!((report.iterations, report.walked.len()), (n, n as usize));
            assert!(found == step.download().expect("positions"), "{n} iterations");
            let from = step.try_clone().expect("positions");
            denoiser.denoise(&from, &mut step).expect("denoised");
        }
    }
    fn fixed_boundary(device) {
        let shape = noisy(shapes::grid(25, 1).expect("small"), 0.3);
        let model = Model::new(device, "grid", shape.points(), &shape.faces, 64);
        let flags = model.mesh.boundary::<Vertex>().and_then(|b| b.read()).expect("flags");
        let mut boundary = Attribute::<Vertex, u32>::zeros(&model.mesh).expect("flags");
        boundary.upload_by_id(&flags).expect("flags");
        let boundary = boundary.download().expect("flags");
        let moved = |fixed_boundary| {
            let (found, _) = model.run(&DenoiseOptions { fixed_boundary, ..bilateral(5) });
            let moved = |b: u32| found.iter().zip(&model.x).zip(&boundary).filter(|((a, x), on)| a != x && **on == b).count();
            (moved(1), moved(0))
        };
        let (free, fixed) = (moved(false), moved(true));
        assert!(free.0 > 50 && free.1 > 300, "{free:?}");
        assert!(fixed.0 == 0 && fixed.1 > 300, "{fixed:?}");
    }
    fn never_a_nan(device) {
        let finite = |name: &str, x: Vec<Vec3>, faces: &[[u32; 3]]| {
            for radius in cases(Radius::ALL) {
                let (found, _) = Model::new(device, name, x.clone(), faces, 16).run(&options(radius, 1.0));
                assert!(found.iter().all(|v| v.is_finite()), "{name}: {found:?}");
            }
        };
        let shape = shapes::bumpy_sphere(3, 1).expect("small");
        for scale in cases([0.0, 1e-44, 1e-38, 1e-30, 1e-20, 1e-10, 1e10, 1e18, 1e30, 1e38]) {
            finite("sphere of some size", shape.points().into_iter().map(|p| p * scale).collect(), &shape.faces);
        }
        finite("flat sphere", shape.points().into_iter().map(|p| p * Vec3::new(1.0, 0.0, 1.0)).collect(), &shape.faces);
        finite("a point", vec![Vec3::ONE; 4], &[[0, 1, 2], [1, 2, 3]]);
        finite("a line", vec![Vec3::ZERO, Vec3::ONE, Vec3::ONE * 2.0, Vec3::ONE * 5.0], &[[0, 1, 2], [1, 2, 3]]);
        finite("the same vertex twice", random_positions(3, 5), &[[0, 0, 1], [2, 1, 2], [1, 1, 1]]);
        finite("twice the same place", vec![Vec3::ZERO, Vec3::X, Vec3::X, Vec3::Y, Vec3::Y], &[[0, 1, 3], [2, 1, 4], [0, 2, 4]]);
        let x = vec![Vec3::ZERO, Vec3::X * 1e-20, Vec3::Y * 1e-20, Vec3::Y, Vec3::Z * 1e13, Vec3::X * 1e-38];
        finite("all sizes at one vertex", x, &[[0, 1, 2], [0, 3, 4], [0, 4, 5], [0, 2, 3]]);
    }
    fn isolated_vertices_stay(device) {
        let case = meshes::grid(9);
        let model = Model::new(device, "grid and three points", random_positions(case.vertices + 3, 1), &case.faces, 16);
        let (found, _) = model.run(&bilateral(5));
        assert_eq!(found[case.vertices..], model.x[case.vertices..]);
        assert!(found[..case.vertices] != model.x[..case.vertices]);
        let points = Model::new(device, "points", random_positions(5, 2), &[], 16);
        assert_eq!(points.run(&bilateral(5)).0, points.x);
        let nothing = Model::new(device, "nothing", vec![], &[], 16);
        assert!(nothing.run(&bilateral(5)).0.is_empty());
    }
    fn refusals(device) {
        let model = |device: &Device| Model::new(device, "grid", random_positions(81, 1), &meshes::grid(9).faces, 64);
        let (a, b) = (model(device), model(device));
        let elsewhere = model(&Device::cpu_with_threads(1).expect("a thread"));
        let run = |x: &Model, options: &DenoiseOptions| {
            let mut to = Attribute::zeros(&a.mesh)?;
            Denoiser::new(&a.mesh, options)?.denoise(&x.positions, &mut to).map(drop)
        };
        let mut wrong = a.positions.download().expect("positions");
        wrong[7].y = f32::NAN;
        let wrong = Attribute::from_input(&a.mesh, &wrong).expect("positions");
        for method in Method::ALL {
            let usual = DenoiseOptions { method, ..DenoiseOptions::default() };
            assert!(matches!(run(&b, &usual), Err(Error::OtherMesh { .. })));
            assert!(matches!(run(&elsewhere, &usual), Err(Error::OtherDevice { .. })));
            let mut denoiser = Denoiser::new(&a.mesh, &usual).expect("a denoiser");
            let mut to = Attribute::zeros(&b.mesh).expect("memory");
            assert!(matches!(denoiser.denoise(&a.positions, &mut to), Err(Error::OtherMesh { .. })));
            let mut to = Attribute::zeros(&elsewhere.mesh).expect("memory");
            assert!(matches!(denoiser.denoise(&a.positions, &mut to), Err(Error::OtherDevice { .. })));
            let mut to = Attribute::zeros(&a.mesh).expect("memory");
            assert!(matches!(denoiser.denoise(&wrong, &mut to), Err(Error::NotFinite { vertex: 7 })));
            denoiser.denoise(&a.positions, &mut to).expect("works on");
        }
        let usual = bilateral(5);
        for wrong in [
            DenoiseOptions { scale: 0.0, ..usual },
            DenoiseOptions { scale: f32::NAN, ..usual },
            DenoiseOptions { scale: 101.0, ..usual },
            DenoiseOptions { iterations: Some(10_001), ..usual },
            DenoiseOptions { stored_rings: Some(5), ..usual },
            DenoiseOptions { noise: Some(-0.1), ..usual },
            DenoiseOptions { noise: Some(f32::NAN), ..usual },
            DenoiseOptions { noise: Some(10.5), ..usual },
            DenoiseOptions { similarity: Some(0.0), ..usual },
            DenoiseOptions { similarity: Some(f32::NAN), ..usual },
            DenoiseOptions { similarity: Some(2.5), ..usual },
        ] {
            assert!(matches!(run(&a, &wrong), Err(Error::Option { .. })), "{wrong:?}");
        }
    }
}

#[test]
fn methods_by_name() {
    for method in Method::ALL {
        assert_eq!(method.to_string().to_uppercase().parse::<Method>().expect("its name"), method);
    }
    assert!(matches!("best".parse::<Method>(), Err(Error::Option { option: "method", .. })));
}

#[test]
fn radii_by_name() {
    for radius in Radius::ALL {
        assert_eq!(radius.to_string().to_uppercase().parse::<Radius>().expect("its name"), radius);
    }
    assert!(matches!("least".parse::<Radius>(), Err(Error::Option { option: "radius", .. })));
}
