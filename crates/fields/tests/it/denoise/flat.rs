//! Tests of the methods that work on flat topology, against plain loops in `f64`, and for the same bits on
//! every machine.
use crate::denoise::oracle::Model;
use crate::denoise::plain::{filtered, taubin};
use crate::{noisy, noisy_shapes};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, Vertex};
use ribbonmesh_fields::denoise::{DenoiseOptions, Method};
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{cases, meshes, size, suite};

fn options(method: Method, iterations: u32) -> DenoiseOptions {
    DenoiseOptions { method, iterations: Some(iterations), ..DenoiseOptions::default() }
}
fn close(name: &str, found: &[Vec3], expected: &[ribbonmesh::glam::DVec3], edge: f64) {
    for (v, (a, b)) in found.iter().zip(expected).enumerate() {
        assert!(a.as_dvec3().distance(*b) < 1e-3 * edge, "vertex {v} of {name}: {a}, not {b}");
    }
}

suite! {
    fn as_plain_loops_say(device) {
        for (name, shape) in cases(noisy_shapes()) {
            let model = Model::new(device, name, shape.points(), &shape.faces, 64);
            for iterations in [1, 3] {
                let chosen = DenoiseOptions { similarity: Some(0.4), noise: Some(10.0), ..options(Method::Normals, iterations) };
                let (found, report) = model.run(&chosen);
                assert_eq!((report.iterations, report.similarity.map(|s| s as f32)), (iterations, Some(0.4)));
                let edge = report.mean_edge.expect("a length");
                close(name, &found, &filtered(&model.x, &model.faces, iterations, 0.4, report.moves), edge);
                let chosen = DenoiseOptions { noise: Some(10.0), ..options(Method::Taubin, iterations) };
                let (found, _) = model.run(&chosen);
                close(name, &found, &taubin(&model.x, &model.faces, iterations), edge);
            }
        }
    }
    /// All products that become part of a sum are exact, so the rounding of machines does not matter.
    fn the_same_bits_on_every_machine(device) {
        let other = Device::cpu_with_threads(1).expect("a thread");
        for (name, shape) in cases(noisy_shapes()) {
            for method in [Method::Normals, Method::Taubin] {
                let run = |device: &Device| {
                    let model = Model::new(device, name, shape.points(), &shape.faces, 128);
                    let (found, report) = model.run(&DenoiseOptions { method, ..DenoiseOptions::default() });
                    let bits: Vec<_> = found.iter().map(|p| p.to_array().map(f32::to_bits)).collect();
                    (bits, report.noise.map(f64::to_bits), report)
                };
                assert!(run(device) == run(&other), "{name}, {method}");
            }
        }
    }
    /// Vertices move no farther than the bound; with 0 iterations, or noise of 0, they do not move.
    fn ways_are_bounded(device) {
        for (name, shape) in cases(noisy_shapes()) {
            let model = Model::new(device, name, shape.points(), &shape.faces, 512);
            for method in [Method::Normals, Method::Taubin] {
                let (found, report) = model.run(&DenoiseOptions { noise: Some(0.04), ..options(method, 30) });
                let most = report.farthest.expect("a bound");
                assert!((most / (3.0 * f64::from(0.04_f32) * report.mean_edge.expect("a length")) - 1.0).abs() < 1e-6);
                let ways: Vec<f64> = found.iter().zip(&model.x).map(|(a, b)| f64::from(a.distance(*b))).collect();
                let farthest = ways.iter().copied().fold(0.0, f64::max);
                assert!(farthest <= most * (1.0 + 1e-3) && farthest > 0.9 * most, "{name}: {farthest}, {most}");
                for none in [options(method, 0), DenoiseOptions { method, noise: Some(0.0), ..DenoiseOptions::default() }] {
                    let (found, report) = model.run(&none);
                    assert!(found == model.x && report.iterations == 0, "{name}");
                }
            }
        }
    }
    /// The faces of a hub do not all become neighbours of each other.
    fn hubs_cost_no_more(device) {
        let bytes = [300_u32, 3000].map(|n| {
            let mut x = vec![Vec3::ZERO];
            x.extend((0..n).map(|i| {
                let turn = i as f32 / n as f32 * 6.0;
                Vec3::new(turn.cos(), turn.sin(), (i % 3) as f32 * 0.1 / n as f32)
            }));
            let faces: Vec<[u32; 3]> = (1..n).map(|i| [0, i, i + 1]).collect();
            let model = Model::new(device, "fan", x, &faces, 512);
            let (found, report) = model.run(&options(Method::Normals, 3));
            assert!(found.iter().all(|p| p.is_finite()) && found != model.x, "{report:?}");
            report.stored_bytes
        });
        assert!(bytes[1] < 11 * bytes[0], "{bytes:?}");
    }
    fn a_fixed_boundary_stays(device) {
        let shape = noisy(shapes::grid(20, 1).expect("small"), 0.3);
        let model = Model::new(device, "grid", shape.points(), &shape.faces, 64);
        let flags = model.mesh.boundary::<Vertex>().and_then(|b| b.read()).expect("flags");
        let mut boundary = Attribute::<Vertex, u32>::zeros(&model.mesh).expect("flags");
        boundary.upload_by_id(&flags).expect("flags");
        let boundary = boundary.download().expect("flags");
        for method in [Method::Normals, Method::Taubin] {
            for fixed_boundary in [false, true] {
                let (found, _) = model.run(&DenoiseOptions { fixed_boundary, ..options(method, 3) });
                let moved = |on: u32| (0..found.len()).filter(|&v| boundary[v] == on && found[v] != model.x[v]).count();
                assert!(moved(0) > 250 && (moved(1) == 0) == fixed_boundary, "{method}");
            }
        }
    }
    fn never_a_nan(device) {
        let finite = |name: &str, x: Vec<Vec3>, faces: &[[u32; 3]]| {
            for method in Method::ALL {
                for iterations in [None, Some(3)] {
                    let options = DenoiseOptions { method, iterations, ..DenoiseOptions::default() };
                    let (found, _) = Model::new(device, name, x.clone(), faces, 16).run(&options);
                    assert!(found.iter().all(|v| v.is_finite()), "{name}, {method}: {found:?}");
                }
            }
        };
        let shape = shapes::bumpy_sphere(size(3, 2), 1).expect("small");
        for scale in cases([0.0, 1e-44, 1e-38, 1e-30, 1e-20, 1e10, 1e18, 1e30, 1e38]) {
            finite("sphere of some size", shape.points().into_iter().map(|p| p * scale).collect(), &shape.faces);
        }
        finite("a point", vec![Vec3::ONE; 4], &[[0, 1, 2], [1, 2, 3]]);
        finite("a line", vec![Vec3::ZERO, Vec3::ONE, Vec3::ONE * 2.0, Vec3::ONE * 5.0], &[[0, 1, 2], [1, 2, 3]]);
        finite("the same vertex twice", vec![Vec3::ZERO, Vec3::X, Vec3::Y], &[[0, 0, 1], [2, 1, 2], [1, 1, 1]]);
        finite("nothing", vec![], &[]);
        finite("points", vec![Vec3::X; 5], &[]);
        for (i, case) in (1..).zip(meshes::all()) {
            let x = (0..case.vertices).map(|v| Vec3::new((v % 7) as f32, (v * i % 5) as f32, (v % 3) as f32));
            finite(&case.name, x.collect(), &case.faces);
        }
    }
}
