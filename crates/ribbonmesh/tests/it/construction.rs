//! Construction: every invariant on every class of mesh, the same result everywhere, sizes, refusals.
use crate::common;
use crate::suite;
use common::meshes::{self, Case};
use common::{cases, size};
use proptest::prelude::*;
use ribbonmesh::device::ElementKind;
use ribbonmesh::{Device, Error, MeshOptions, Op, Result, StaticMesh};

fn build(device: &Device, case: &Case, patch_size: u32) -> Result<StaticMesh> {
    let options = MeshOptions { patch_size, ..MeshOptions::default() };
    StaticMesh::new(device, case.vertices, &case.faces, &options)
}
fn valid(device: &Device, case: &Case, patch_size: u32) -> StaticMesh {
    let mesh = build(device, case, patch_size).expect(&case.name);
    if let Err(e) = mesh.validate() {
        panic!("{}, patches of {patch_size}: {e}", case.name);
    }
    assert_eq!((mesh.vertices(), mesh.faces()), (case.vertices, case.faces.len()), "{}", case.name);
    mesh
}
/// The order of all elements in a mesh.
fn fingerprint(mesh: &StaticMesh) -> [Vec<u32>; 6] {
    let firsts = |kind| mesh.patch_firsts(kind).expect("a read");
    [
        mesh.vertex_inputs().read().expect("a read"),
        mesh.face_inputs().read().expect("a read"),
        firsts(ElementKind::Vertex),
        firsts(ElementKind::Edge),
        firsts(ElementKind::Face),
        mesh.query(Op::FE).expect("a query").values().read().expect("a read"),
    ]
}
fn tetrahedra(n: u32) -> Case {
    let one = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 3]];
    let faces = (0..n).flat_map(|k| one.map(|f| f.map(|v| v + 4 * k))).collect();
    Case::new(format!("{n} tetrahedra"), 4 * n as usize, faces)
}

suite! {
    fn every_invariant_of_every_class(device) {
        for case in meshes::all().iter().chain(&meshes::real()) {
            for size in cases([16, 100, 768, 4096]) {
                valid(device, case, size);
            }
        }
    }
    fn faces_of_a_patch_hang_together(device) {
        for case in [meshes::icosphere(4).shuffled(2), meshes::grid(40), meshes::torus(30)] {
            for size in cases([64, 16, 300]) {
                let mesh = valid(device, &case, size);
                let firsts = mesh.patch_firsts(ElementKind::Face).expect("a read");
                let ff = mesh.query(Op::FF).expect("a query").download().expect("a read");
                for w in firsts.windows(2) {
                    assert!(w[1] - w[0] <= size, "{}: {} faces, not {size}", case.name, w[1] - w[0]);
                    let (mut reached, mut stack) = (vec![false; (w[1] - w[0]) as usize], vec![w[0]]);
                    reached[0] = true;
                    while let Some(f) = stack.pop() {
                        for g in ff.row(f as usize).filter(|g| (w[0]..w[1]).contains(g)) {
                            if !std::mem::replace(&mut reached[(g - w[0]) as usize], true) {
                                stack.push(g);
                            }
                        }
                    }
                    assert!(reached.iter().all(|&r| r), "{}: a patch in pieces", case.name);
                }
            }
        }
    }
    fn one_seed_for_a_component_somewhat_larger_than_a_patch(device) {
        // the smallest meshes of which some seed covers all
        for n in cases(12..30) {
            valid(device, &meshes::grid(n), 300);
            valid(device, &meshes::torus(n), 300);
        }
    }
    fn more_components_than_a_patch_has_faces(device) {
        let n = size(5000, 501);
        let mesh = valid(device, &tetrahedra(n), 64);
        // small components share a patch
        assert!(mesh.patches() <= 4 * n as usize / 64 + 2, "{} patches", mesh.patches());
    }
    fn the_same_as_on_one_thread_of_the_cpu(device) {
        let one = Device::cpu_with_threads(1).expect("a thread");
        for case in meshes::all().iter().chain([&meshes::icosphere(size(5, 4)).shuffled(1), &tetrahedra(300)]) {
            for size in cases([32, 512]) {
                let expected = fingerprint(&build(&one, case, size).expect(&case.name));
                let found = fingerprint(&build(device, case, size).expect(&case.name));
                assert!(expected == found, "{}, patches of {size}", case.name);
                let again = fingerprint(&build(device, case, size).expect(&case.name));
                assert!(found == again, "{}, patches of {size}, again", case.name);
            }
        }
    }
    fn another_seed_gives_other_patches(device) {
        let case = meshes::icosphere(4);
        let with = |seed| {
            let options = MeshOptions { patch_size: 100, seed };
            let mesh = StaticMesh::new(device, case.vertices, &case.faces, &options).expect("a mesh");
            mesh.validate().expect("valid");
            fingerprint(&mesh)
        };
        assert!(with(1) != with(2) && with(1) != with(1 << 40));
    }
    fn at_most_20_bytes_per_face(device) {
        for case in [meshes::icosphere(size(6, 5)), meshes::torus(size(200, 99)).shuffled(4)] {
            let mesh = valid(device, &case, MeshOptions::default().patch_size);
            let bytes = mesh.topology_bytes() as f64 / mesh.faces() as f64;
            assert!(bytes <= 20.0, "{}: {bytes}", case.name);
        }
    }
    fn moved_to_another_machine(device) {
        let case = meshes::grid(20);
        let mesh = valid(device, &case, 64);
        let there = mesh.to_device(&Device::cpu()).expect("memory");
        there.validate().expect("valid");
        let back = there.to_device(device).expect("memory");
        back.validate().expect("valid");
        assert!(fingerprint(&back) == fingerprint(&mesh));
    }
    fn refusals_name_the_element(device) {
        let case = Case::new("", 4, vec![[0, 1, 2], [1, 2, 7], [9, 0, 0]]);
        match build(device, &case, 64) {
            Err(Error::IndexOutOfRange { face: 1, vertex: 7, vertices: 4 }) => {}
            other => panic!("{:?}", other.map(drop)),
        }
        for size in [0, 15, 4097] {
            assert!(matches!(build(device, &meshes::grid(3), size), Err(Error::Option { .. })));
        }
        match build(device, &meshes::fan(30_000, true), 512) {
            Err(e @ Error::PatchTooLarge { vertex: 0, faces: 30_000, limit: 16_384, .. }) => {
                assert!(e.to_string().contains("vertex 0 has 30000 faces"), "{e}");
            }
            other => panic!("{:?}", other.map(drop)),
        }
        let error = device.check_room(7, "faces", u64::MAX).expect_err("too much");
        assert!(matches!(error, Error::WouldNotFit { count: 7, needed: u64::MAX, .. }), "{error}");
        device.check_room(7, "faces", 1 << 10).expect("room");
        let memory = device.free_memory().expect("known on this system");
        assert!(memory.free > 0 && memory.free <= memory.total, "{memory:?}");
    }
    fn a_vertex_of_very_many_faces(device) {
        // more than a block of a GPU has shared memory for
        let mesh = valid(device, &meshes::fan(4500, true), 4096);
        assert_eq!(mesh.query(Op::VF).expect("a query").values().len(), 3 * 4500);
    }
    fn random_soups(device) {
        let soup = (1..40u32, 0..400usize).prop_flat_map(|(vertices, faces)| {
            let face = prop::array::uniform3(0..vertices);
            (Just(vertices), prop::collection::vec(face, faces), 16..80u32)
        });
        let config = ProptestConfig { cases: size(200, 10), failure_persistence: None, ..ProptestConfig::default() };
        let mut runner = prop::test_runner::TestRunner::new(config);
        let run = runner.run(&soup, |(vertices, faces, size)| {
            let case = Case::new("soup", vertices as usize, faces);
            let mesh = build(device, &case, size).map_err(|e| TestCaseError::fail(e.to_string()))?;
            mesh.validate().map_err(|e| TestCaseError::fail(e.to_string()))
        });
        if let Err(e) = run {
            panic!("{e}");
        }
    }
}
