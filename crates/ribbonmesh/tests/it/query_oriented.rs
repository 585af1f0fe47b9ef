//! Circulation around vertices.
use ribbonmesh::{Error, Op};
use ribbonmesh_suite::{cases, check, ids::Pair, meshes, suite};

suite! {
    fn every_class(device) {
        for case in meshes::all() {
            for size in cases([16, 64, 512]) {
                check::oriented(&Pair::new(device, &case, size));
            }
        }
    }
    fn boundary_of_valence_three(device) {
        // a strip: its boundary vertices have two or three faces, valence 3 or 4; RXMesh gets half of them
        // wrong
        let n = 40;
        let faces = (0..n).flat_map(|i| [[2 * i, 2 * i + 2, 2 * i + 1], [2 * i + 1, 2 * i + 2, 2 * i + 3]]).collect();
        let strip = meshes::Case::new("strip", 2 * n as usize + 2, faces);
        for seed in cases(0..6) {
            check::oriented(&Pair::new(device, &strip.clone().shuffled(seed), 16));
        }
        let pair = Pair::new(device, &strip, 16);
        let rows = pair.mesh.query_oriented(Op::VV).and_then(|r| r.download()).expect("a query");
        assert!(rows.non_manifold().is_empty());
        assert!((0..rows.len()).filter(|&v| rows.entries(v).len() == 3).count() >= 2);
    }
    fn real_meshes(device) {
        for case in meshes::real() {
            check::oriented(&Pair::new(device, &case, 512));
        }
    }
    fn the_same_again(device) {
        // also with other interleavings of blocks and threads
        let pair = Pair::new(device, &meshes::torus(40), 64);
        let rows = |op| pair.mesh.query_oriented(op).and_then(|r| r.download()).expect("a query");
        for op in [Op::VV, Op::VE, Op::VF] {
            let first = rows(op);
            assert!((0..5).all(|_| rows(op) == first), "{op}");
        }
    }
    fn others_are_refused(device) {
        let pair = Pair::new(device, &meshes::grid(4), 16);
        assert!(matches!(pair.mesh.query_oriented(Op::EF), Err(Error::Option { .. })));
    }
}
