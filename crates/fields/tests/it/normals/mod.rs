//! Tests of vertex normals against a plain loop in `f64`.
mod oracle;
use oracle::Model;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Device, Error};
use ribbonmesh_fields::normals::{Weight, normals_of_triangles};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes;
use ribbonmesh_suite::{Random, cases, meshes, sanitized, suite};

fn random_positions(n: usize, seed: u64) -> Vec<Vec3> {
    let mut random = Random(seed);
    let mut unit = || random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0;
    (0..n).map(|_| Vec3::new(unit(), unit(), unit())).collect()
}
fn points(shape: &TriangleMesh) -> Vec<Vec3> {
    shape.points()
}

suite! {
    fn shapes_of_every_kind(device) {
        for (name, shape) in cases([vec![("icosphere", shapes::icosphere(4).expect("small"))], crate::all_shapes()].concat()) {
            Model::new(device, name, points(&shape), &shape.faces).check();
        }
    }
    fn meshes_of_every_class(device) {
        for (i, case) in cases((1..).zip(meshes::all())) {
            Model::new(device, &case.name, random_positions(case.vertices, i), &case.faces).check();
        }
    }
    fn random_soups(device) {
        for seed in cases(0..60) {
            let mut random = Random(seed);
            let case = meshes::soup(1 + random.below(80), random.below(200), seed);
            Model::new(device, &case.name, random_positions(case.vertices, seed), &case.faces).check();
        }
    }
    fn tiny_and_huge(device) {
        let shape = shapes::bumpy_sphere(3, 1).expect("small");
        for scale in cases([1e-36, 1e-30, 1e-20, 1e-10, 1e10, 1e18, 1e30, 1e37]) {
            let x = points(&shape).into_iter().map(|p| p * scale).collect();
            Model::new(device, &format!("sphere of size {scale:e}"), x, &shape.faces).check();
        }
        // far from the origin
        let x = points(&shape).into_iter().map(|p| p + Vec3::new(1000.0, -3000.0, 500.0)).collect();
        Model::new(device, "sphere far away", x, &shape.faces).check();
        // very different sizes in one mesh, and at one vertex
        let (mut x, mut faces) = (vec![], vec![]);
        for scale in [1e-30, 1e-20, 1.0, 1e18] {
            let n = x.len() as u32;
            x.extend(points(&shape).into_iter().map(|p| p * scale));
            faces.extend(shape.faces.iter().map(|f| f.map(|v| v + n)));
        }
        Model::new(device, "spheres of all sizes", x, &faces).check();
        let x = vec![Vec3::ZERO, Vec3::X * 1e-20, Vec3::Y * 1e-20, Vec3::Y, Vec3::Z * 1e13, Vec3::X * 1e-38];
        Model::new(device, "all sizes at one vertex", x, &[[0, 1, 2], [0, 3, 4], [0, 4, 5], [0, 2, 3]]).check();
    }
    fn slivers(device) {
        let shape = shapes::bumpy_sphere(3, 1).expect("small");
        for flat in cases([1e-6, 1e-2, 1e-4, 1e-12]) {
            let x = points(&shape).into_iter().map(|p| p * Vec3::new(1.0, flat, 1.0)).collect();
            Model::new(device, &format!("sphere {flat:e} thick"), x, &shape.faces).check();
            let x = points(&shape).into_iter().map(|p| p * Vec3::new(flat, 1.0, flat * 3.0)).collect();
            Model::new(device, &format!("sphere {flat:e} thin"), x, &shape.faces).check();
        }
    }
    fn vertices_of_many_faces(device) {
        // cones, beside vertices of few faces; up to 32 corners are sorted by one thread
        for n in cases([31_u32, 32, 33, 200, 1500]) {
            let angle = |i: u32| std::f32::consts::TAU * i as f32 / n as f32;
            let place = |i| Vec3::new(angle(i).cos(), angle(i).sin(), 0.3 * (i % 3) as f32);
            let mut x: Vec<Vec3> = (0..n).map(place).collect();
            x.push(Vec3::Z);
            // not in the order around the apex
            let faces: Vec<[u32; 3]> = (0..n).map(|i| i * 7 % n).map(|i| [i, (i + 1) % n, n]).collect();
            Model::new(device, &format!("cone of {n} faces"), x, &faces).check();
        }
    }
    fn no_direction(device) {
        let zero = |name: &str, x: Vec<Vec3>, faces: &[[u32; 3]]| {
            let model = Model::new(device, name, x, faces);
            for weight in Weight::ALL {
                let normals = model.normals(weight);
                assert!(normals.iter().all(|n| *n == Vec3::ZERO), "{weight} of {name}: {normals:?}");
            }
        };
        zero("both sides", random_positions(3, 4), &[[0, 1, 2], [0, 2, 1]]);
        zero("both sides, far and small", random_positions(3, 4).iter().map(|p| *p * 1e-3 + 7.0).collect(), &[[0, 1, 2], [2, 1, 0]]);
        zero("a line", vec![Vec3::ZERO, Vec3::ONE, Vec3::ONE * 2.0, Vec3::ONE * 5.0], &[[0, 1, 2], [1, 2, 3]]);
        zero("a point", vec![Vec3::ONE; 4], &[[0, 1, 2], [1, 2, 3]]);
        zero("the same vertex twice", random_positions(3, 5), &[[0, 0, 1], [2, 1, 2], [1, 1, 1]]);
        zero("nothing", vec![], &[]);
        zero("points", random_positions(5, 6), &[]);
        zero("one not a number", vec![Vec3::NAN, Vec3::X, Vec3::Y], &[[0, 1, 2]]);
        zero("one infinite", vec![Vec3::INFINITY, Vec3::X, Vec3::Y], &[[0, 1, 2]]);
    }
    fn what_is_not_finite_is_left_out(device) {
        let x = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::NAN, Vec3::INFINITY];
        let model = Model::new(device, "two faces to nowhere", x, &[[0, 1, 2], [0, 2, 3], [0, 4, 1]]);
        for weight in Weight::ALL {
            assert_eq!(model.normals(weight), [Vec3::Z, Vec3::Z, Vec3::Z, Vec3::ZERO, Vec3::ZERO], "{weight}");
        }
    }
    fn max_is_exact_on_a_sphere(device) {
        let mut shape = shapes::bumpy_sphere(3, 1).expect("small");
        for p in &mut shape.positions {
            *p = p.as_vec3().normalize().as_dvec3();
        }
        let model = Model::new(device, "sphere", points(&shape), &shape.faces);
        for (n, p) in model.normals(Weight::Max).iter().zip(&model.x) {
            assert!((*n - *p).length() < 1e-5, "{n} {p}");
        }
    }
    fn the_dragon(device) {
        if sanitized() {
            return println!("skipped: too large for a sanitizer");
        }
        let Some(dragon) = crate::dragon() else { return };
        let x = dragon.points();
        Model::new(device, "dragon", x, &dragon.faces).check();
    }
    fn refusals(device) {
        let (faces, x) = (device.upload(&[0, 1, 2, 0]).expect("memory"), device.upload(&[Vec3::ZERO; 3]).expect("memory"));
        let normals = |faces, x| normals_of_triangles(faces, x, Weight::Area).map(drop);
        assert!(matches!(normals(&faces, &x), Err(Error::Length { .. })));
        let elsewhere = Device::cpu_with_threads(1).and_then(|device| device.upload(&[Vec3::ZERO; 3])).expect("memory");
        assert!(matches!(normals(&faces, &elsewhere), Err(Error::OtherDevice { .. })));
        let beyond = device.upload(&[0, 1, 3]).expect("memory");
        assert!(matches!(normals(&beyond, &x), Err(Error::Index { .. })));
    }
}

#[test]
fn weights_by_name() {
    for weight in Weight::ALL {
        assert_eq!(weight.to_string().parse::<Weight>().expect("its name"), weight);
        assert_eq!(weight.name().to_uppercase().parse::<Weight>().expect("its name"), weight);
    }
    assert!(matches!("areas".parse::<Weight>(), Err(Error::Option { option: "weight", .. })));
}
