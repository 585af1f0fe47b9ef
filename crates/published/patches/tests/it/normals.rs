//! Vertex normals.
use crate::model::{Model, each, random_positions};
use ribbonmesh::glam::Vec3;
use ribbonmesh::ring::Ring;
use ribbonmesh::{Attribute, Device, Error, MeshOptions, StaticMesh};
use ribbonmesh_fields::denoise::normals_with_ring_into;
use ribbonmesh_fields::normals::{Weight, normals_of_triangles};
use ribbonmesh_mesh::shapes;
use ribbonmesh_patches::{normals_floor_bytes, normals_into, normals_of};
use ribbonmesh_suite::{meshes, size, suite};

/// The normals from patches, from a stored ring and without patches, each the same twice.
fn normals(model: &Model, weight: Weight) -> [Vec<Vec3>; 3] {
    let plain = || normals_of(&model.mesh, &model.positions, weight)?.download();
    let ringed = || {
        let mut normals = Attribute::zeros(&model.mesh)?;
        normals_with_ring_into(&model.mesh, &model.ring, &model.positions, weight, &mut normals)?;
        normals.download()
    };
    let flat = || normals_of_triangles(model.topology.face_vertices(), &model.by_input, weight)?.read();
    let runs: [&dyn Fn() -> ribbonmesh::Result<Vec<Vec3>>; 3] = [&plain, &ringed, &flat];
    runs.map(|run| {
        let [a, b] = [(); 2].map(|()| run().expect("normals"));
        assert_eq!(a, b, "{weight} of {}", model.name);
        a
    })
}
fn check(model: &Model) {
    for weight in Weight::ALL {
        let [plain, ringed, flat] = normals(model, weight);
        for found in [plain, ringed] {
            assert_eq!(found.len(), flat.len());
            for (v, (a, b)) in found.iter().zip(&flat).enumerate() {
                assert!((*a - *b).length() < 2e-5, "{weight} of vertex {v} of {}: {a}, {b}", model.name);
            }
        }
    }
}

suite! {
    fn as_without_patches(device) {
        each(device, check);
    }
    fn tiny_and_huge_and_slivers(device) {
        let shape = shapes::bumpy_sphere(3, 1).expect("small");
        let scaled = |by: Vec3| shape.points().into_iter().map(|p| p * by).collect();
        for scale in [1e-36, 1e-20, 1e10, 1e37] {
            check(&Model::new(device, &format!("sphere of size {scale:e}"), scaled(Vec3::splat(scale)), &shape.faces, 100));
        }
        for flat in [1e-6, 1e-2, 1e-4] {
            let by = Vec3::new(1.0, flat, 1.0);
            check(&Model::new(device, &format!("sphere {flat:e} thick"), scaled(by), &shape.faces, 100));
        }
        let far = shape.points().into_iter().map(|p| p + Vec3::new(1000.0, -3000.0, 500.0)).collect();
        check(&Model::new(device, "sphere far away", far, &shape.faces, 100));
    }
    fn no_direction(device) {
        let zero = |name: &str, x: Vec<Vec3>, faces: &[[u32; 3]]| {
            let model = Model::new(device, name, x, faces, 16);
            for weight in Weight::ALL {
                for normals in normals(&model, weight) {
                    assert!(normals.iter().all(|n| *n == Vec3::ZERO), "{weight} of {name}: {normals:?}");
                }
            }
        };
        zero("both sides", random_positions(3, 4), &[[0, 1, 2], [0, 2, 1]]);
        zero("a line", vec![Vec3::ZERO, Vec3::ONE, Vec3::ONE * 2.0, Vec3::ONE * 5.0], &[[0, 1, 2], [1, 2, 3]]);
        zero("the same vertex twice", random_positions(3, 5), &[[0, 0, 1], [2, 1, 2], [1, 1, 1]]);
        zero("nothing", vec![], &[]);
        zero("points", random_positions(5, 6), &[]);
        zero("one not a number", vec![Vec3::NAN, Vec3::X, Vec3::Y], &[[0, 1, 2]]);
        zero("one infinite", vec![Vec3::INFINITY, Vec3::X, Vec3::Y], &[[0, 1, 2]]);
    }
    fn memory_used_again(device) {
        let case = meshes::grid(9);
        let model =
            Model::new(device, "grid and three points", random_positions(case.vertices + 3, 1), &case.faces, 16);
        // what was there does not matter, at isolated vertices either
        let mut again = Attribute::filled(&model.mesh, Vec3::NAN).expect("normals");
        normals_into(&model.mesh, &model.positions, Weight::Area, &mut again).expect("normals");
        assert_eq!(again.download().expect("normals"), normals(&model, Weight::Area)[0]);
        let points = Model::new(device, "points", random_positions(4, 1), &[], 16);
        let mut again = Attribute::filled(&points.mesh, Vec3::NAN).expect("normals");
        normals_into(&points.mesh, &points.positions, Weight::Area, &mut again).expect("normals");
        assert_eq!(again.download().expect("normals"), [Vec3::ZERO; 4]);
    }
    fn refusals(device) {
        let model = |device: &Device| Model::new(device, "grid", random_positions(81, 1), &meshes::grid(9).faces, 64);
        let (a, b) = (model(device), model(device));
        let elsewhere = model(&Device::cpu_with_threads(1).expect("a thread"));
        let normals = |x: &Model| normals_of(&a.mesh, &x.positions, Weight::Area);
        assert!(matches!(normals(&b), Err(Error::OtherMesh { .. })));
        assert!(matches!(normals(&elsewhere), Err(Error::OtherDevice { .. })));
        let mut mine = Attribute::zeros(&a.mesh).expect("normals");
        let with = normals_with_ring_into(&a.mesh, &b.ring, &a.positions, Weight::Area, &mut mine);
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
        assert!(normals_floor_bytes(&mesh, Some(&ring)) < normals_floor_bytes(&mesh, None));
        assert!(ring.belongs_to(&mesh));
    }
}
