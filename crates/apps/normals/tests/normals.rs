//! Tests of vertex normals against a plain loop in `f64`.
#[path = "../../../ribbonmesh/tests/common/mod.rs"]
mod common;
mod oracle;
use common::meshes::{self, Case};
use common::{Random, cases, sanitized, size};
use oracle::Model;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, Device, Error, MeshOptions, StaticMesh};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::shapes;
use ribbonmesh_normals::{Ring, Weight, floor_bytes, normals_into, normals_of, normals_with_ring};

fn random_positions(n: usize, seed: u64) -> Vec<Vec3> {
    let mut random = Random(seed);
    let mut unit = || random.below(1 << 24) as f32 / (1 << 23) as f32 - 1.0;
    (0..n).map(|_| Vec3::new(unit(), unit(), unit())).collect()
}
fn points(shape: &TriangleMesh) -> Vec<Vec3> {
    shape.points()
}
fn all_shapes() -> Vec<(&'static str, TriangleMesh)> {
    let mut shuffled = shapes::bumpy_sphere(4, 2).expect("small");
    shapes::shuffle(&mut shuffled, 9);
    vec![
        ("icosphere", shapes::icosphere(4).expect("small")),
        ("bumpy sphere", shapes::bumpy_sphere(4, 1).expect("small")),
        ("shuffled bumpy sphere", shuffled),
        ("torus", shapes::torus(40, 1).expect("small")),
        ("torus knot", shapes::torus_knot(2, 3, 12, 200).expect("small")),
        ("grid", shapes::grid(40, 1).expect("small")),
        ("mobius", shapes::mobius(60, 5).expect("small")),
    ]
}

suite! {
    fn shapes_of_every_kind(device) {
        for (name, shape) in cases(all_shapes()) {
            for size in cases([100, 16, 512, 2048]) {
                Model::new(device, name, points(&shape), &shape.faces, size).check();
            }
        }
    }
    fn meshes_of_every_class(device) {
        for (i, case) in (1..).zip(meshes::all()) {
            for size in cases([16, 64, 512]) {
                Model::new(device, &case.name, random_positions(case.vertices, i), &case.faces, size).check();
            }
        }
    }
    fn random_soups(device) {
        for seed in cases(0..60) {
            let mut random = Random(seed);
            let case = meshes::soup(1 + random.below(80), random.below(200), seed);
            Model::new(device, &case.name, random_positions(case.vertices, seed), &case.faces, 16 + random.below(80)).check();
        }
    }
    fn tiny_and_huge(device) {
        let shape = shapes::bumpy_sphere(3, 1).expect("small");
        for scale in cases([1e-36, 1e-30, 1e-20, 1e-10, 1e10, 1e18, 1e30, 1e37]) {
            let x = points(&shape).into_iter().map(|p| p * scale).collect();
            Model::new(device, &format!("sphere of size {scale:e}"), x, &shape.faces, 100).check();
        }
        // far from the origin
        let x = points(&shape).into_iter().map(|p| p + Vec3::new(1000.0, -3000.0, 500.0)).collect();
        Model::new(device, "sphere far away", x, &shape.faces, 100).check();
        // very different sizes in one mesh, and at one vertex
        let (mut x, mut faces) = (vec![], vec![]);
        for scale in [1e-30, 1e-20, 1.0, 1e18] {
            let n = x.len() as u32;
            x.extend(points(&shape).into_iter().map(|p| p * scale));
            faces.extend(shape.faces.iter().map(|f| f.map(|v| v + n)));
        }
        Model::new(device, "spheres of all sizes", x, &faces, 100).check();
        let x = vec![Vec3::ZERO, Vec3::X * 1e-20, Vec3::Y * 1e-20, Vec3::Y, Vec3::Z * 1e13, Vec3::X * 1e-38];
        Model::new(device, "all sizes at one vertex", x, &[[0, 1, 2], [0, 3, 4], [0, 4, 5], [0, 2, 3]], 16).check();
    }
    fn slivers(device) {
        let shape = shapes::bumpy_sphere(3, 1).expect("small");
        for flat in cases([1e-6, 1e-2, 1e-4, 1e-12]) {
            let x = points(&shape).into_iter().map(|p| p * Vec3::new(1.0, flat, 1.0)).collect();
            Model::new(device, &format!("sphere {flat:e} thick"), x, &shape.faces, 100).check();
            let x = points(&shape).into_iter().map(|p| p * Vec3::new(flat, 1.0, flat * 3.0)).collect();
            Model::new(device, &format!("sphere {flat:e} thin"), x, &shape.faces, 100).check();
        }
    }
    fn no_direction(device) {
        let zero = |name: &str, x: Vec<Vec3>, faces: &[[u32; 3]]| {
            let model = Model::new(device, name, x, faces, 16);
            for weight in Weight::ALL {
                for normals in model.normals(weight) {
                    assert!(normals.iter().all(|n| *n == Vec3::ZERO), "{weight} of {name}: {normals:?}");
                }
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
        let model = Model::new(device, "two faces to nowhere", x, &[[0, 1, 2], [0, 2, 3], [0, 4, 1]], 16);
        for weight in Weight::ALL {
            for normals in model.normals(weight) {
                assert_eq!(normals, [Vec3::Z, Vec3::Z, Vec3::Z, Vec3::ZERO, Vec3::ZERO], "{weight}");
            }
        }
    }
    fn max_is_exact_on_a_sphere(device) {
        let mut shape = shapes::bumpy_sphere(3, 1).expect("small");
        for p in &mut shape.positions {
            *p = p.as_vec3().normalize().as_dvec3();
        }
        let model = Model::new(device, "sphere", points(&shape), &shape.faces, 64);
        for normals in model.normals(Weight::Max) {
            for (n, p) in normals.iter().zip(&model.x) {
                assert!((*n - *p).length() < 1e-5, "{n} {p}");
            }
        }
    }
    fn the_dragon(device) {
        if sanitized() {
            return println!("skipped: too large for a sanitizer");
        }
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../assets/meshes");
        let folder = std::env::var("RIBBONMESH_MESHES").unwrap_or_else(|_| folder.to_owned());
        let path = std::path::Path::new(&folder).join("dragon.ply");
        if !path.exists() {
            println!("skipped: no {}", path.display());
            return;
        }
        let dragon = ribbonmesh_io::read(&path).expect("a readable mesh").mesh;
        let x = dragon.points();
        Model::new(device, "dragon", x, &dragon.faces, 512).check();
    }
    fn memory_used_again(device) {
        let case: Case = meshes::grid(9);
        let mut vertices = random_positions(case.vertices + 3, 1);
        let model = Model::new(device, "grid and three points", vertices.clone(), &case.faces, 16);
        // old values of the attribute do not matter, also at isolated vertices
        let mut normals = Attribute::filled(&model.mesh, Vec3::NAN).expect("normals");
        normals_into(&model.mesh, &model.positions, Weight::Area, &mut normals).expect("normals");
        let [plain, _, _] = model.normals(Weight::Area);
        assert_eq!(normals.download().expect("normals"), plain);
        vertices.truncate(4);
        let points = Model::new(device, "points", vertices, &[], 16);
        let mut normals = Attribute::filled(&points.mesh, Vec3::NAN).expect("normals");
        normals_into(&points.mesh, &points.positions, Weight::Area, &mut normals).expect("normals");
        assert_eq!(normals.download().expect("normals"), [Vec3::ZERO; 4]);
    }
    fn refusals(device) {
        let model = |device: &Device| Model::new(device, "grid", random_positions(81, 1), &meshes::grid(9).faces, 64);
        let (a, b) = (model(device), model(device));
        let elsewhere = model(&Device::cpu_with_threads(1).expect("a thread"));
        let normals = |x: &Model| normals_of(&a.mesh, &x.positions, Weight::Area);
        assert!(matches!(normals(&b), Err(Error::OtherMesh { .. })));
        assert!(matches!(normals(&elsewhere), Err(Error::OtherDevice { .. })));
        let with = normals_with_ring(&a.mesh, &b.ring, &a.positions, Weight::Area);
        assert!(matches!(with, Err(Error::OtherMesh { .. })));
        let mut other = Attribute::zeros(&b.mesh).expect("normals");
        let into = normals_into(&a.mesh, &a.positions, Weight::Area, &mut other);
        assert!(matches!(into, Err(Error::OtherMesh { .. })));
    }
    fn bytes_of_a_ring(device) {
        let shape = shapes::icosphere(size(5, 4)).expect("small");
        let mesh = StaticMesh::new(device, shape.positions.len(), &shape.faces, &MeshOptions::default()).expect("a mesh");
        let ring = Ring::new(&mesh).expect("a ring");
        // a closed chain for each vertex: one entry more than it has faces
        let entries = (3 * mesh.faces() + mesh.vertices()) * 2;
        let least = entries + 4 * mesh.vertices();
        assert!(ring.bytes() >= least && ring.bytes() <= least + 16 * mesh.patches(), "{}", ring.bytes());
        assert!(floor_bytes(&mesh, Some(&ring)) < floor_bytes(&mesh, None));
        assert!(ring.belongs_to(&mesh));
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
