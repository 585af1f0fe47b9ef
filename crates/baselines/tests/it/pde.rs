//! Parallel Directed Edges against the queries of patches: the same rows.
use crate::common;
use crate::suite;
use common::ids::{Pair, sorted};
use common::meshes::{self, Case};
use common::{Random, cases, size};
use ribbonmesh::{Device, Error, Op};
use ribbonmesh_baselines::{Pde, PdeError};

const EIGHT: [Op; 8] = [Op::VV, Op::VE, Op::VF, Op::FV, Op::FE, Op::FF, Op::EV, Op::EF];

/// The rows of a query, each sorted where its order is not determined.
fn rows(pde: &Pde, op: Op) -> Vec<Vec<u32>> {
    let values = pde.query(op).and_then(|r| r.values().read()).expect("a query");
    let row = |part: &[u32]| part.to_vec();
    match (pde.offsets(op), op) {
        (Some(offsets), _) => {
            let offsets = offsets.read().expect("offsets");
            assert_eq!((offsets[0], offsets[pde.vertices()] as usize), (0, values.len()));
            let part = |w: &[u32]| sorted(values[w[0] as usize..w[1] as usize].iter().copied());
            offsets.windows(2).map(part).collect()
        }
        (None, Op::EV | Op::EF) => values.chunks(2).map(row).collect(),
        (None, _) => values.chunks(3).map(row).collect(),
    }
}

/// Compares rows of the mesh's faces in the order of their ids, which number edges as directed edges do.
fn same_rows(device: &Device, case: &Case) {
    let pair = Pair::new(device, case, 64);
    let query = |op| pair.mesh.query(op).and_then(|r| r.download()).expect("a query");
    let faces: Vec<[u32; 3]> = query(Op::FV).iter().map(|f| [f[0], f[1], f[2]]).collect();
    let pde = Pde::new(device, case.vertices, &faces).unwrap_or_else(|e| panic!("{}: {e}", pair.name));
    assert_eq!(
        (pde.vertices(), pde.edges(), pde.faces()),
        (pair.mesh.vertices(), pair.mesh.edges(), pair.mesh.faces()),
        "{}",
        pair.name
    );
    for op in EIGHT {
        let (found, expected) = (rows(&pde, op), query(op));
        assert_eq!(found.len(), expected.len(), "{op} of {}", pair.name);
        for (i, row) in found.iter().enumerate() {
            let from_patches = match op {
                Op::VV | Op::VE | Op::VF => sorted(expected.entries(i).iter().copied()),
                _ => expected.entries(i).to_vec(),
            };
            assert_eq!(*row, from_patches, "{op}, row {i} of {}", pair.name);
        }
    }
}

fn refused(device: &Device, case: &Case) -> PdeError {
    let made = Pde::new(device, case.vertices, &case.faces);
    made.err().unwrap_or_else(|| panic!("{} was not refused", case.name))
}

suite! {
    fn as_the_queries_of_patches(device) {
        let isolated = Case::new("isolated vertices", 9, vec![[2, 4, 7], [4, 2, 8]]);
        let components = Case::new("two components", 9, vec![[0, 1, 2], [2, 3, 0], [5, 6, 7], [8, 7, 6]]);
        let cases = [
            Case::new("empty", 0, vec![]),
            Case::new("only points", 5, vec![]),
            Case::new("single face", 3, vec![[2, 0, 1]]),
            Case::new("pillow", 3, vec![[0, 1, 2], [0, 2, 1]]),
            isolated,
            components,
            meshes::icosphere(3).shuffled(3),
            meshes::torus(14),
            meshes::grid(20).shuffled(5),
            meshes::fan(size(1000, 101), true),
            meshes::fan(size(1000, 101), false),
        ];
        for case in cases {
            same_rows(device, &case);
        }
    }
    fn in_any_order_of_the_input(device) {
        // ids are the input's
        let case = meshes::torus(30).shuffled(8);
        let pair = Pair::new(device, &case, 100);
        let pde = Pde::new(device, case.vertices, &case.faces).expect("directed edges");
        let fv: Vec<u32> = rows(&pde, Op::FV).concat();
        assert_eq!(fv, case.faces.concat());
        let (vv, vf) = (rows(&pde, Op::VV), rows(&pde, Op::VF));
        for v in 0..case.vertices as u32 {
            assert_eq!(vv[v as usize], sorted(pair.oracle.neighbours(v)));
            assert_eq!(vf[v as usize], sorted(pair.oracle.vertex_faces[v as usize].iter().copied()));
        }
    }
    fn memory(device) {
        // closed: 3 half-edges of 12 bytes, half a vertex and a face of 4 bytes (thesis 4.4.1: 42 bytes per
        // face)
        let case = meshes::icosphere(4);
        let pde = Pde::new(device, case.vertices, &case.faces).expect("directed edges");
        assert_eq!(pde.topology_bytes(), 42 * case.faces.len() + 8);
    }
    fn refusals(device) {
        let inconsistent = meshes::mobius(15);
        assert!(matches!(refused(device, &inconsistent), PdeError::Inconsistent { .. }));
        match refused(device, &meshes::book(3)) {
            PdeError::NonManifoldEdge { from: 0, to: 1, sides: 3 } => {}
            other => panic!("{other}"),
        }
        let degenerate = Case::new("degenerate", 4, vec![[0, 1, 2], [3, 3, 1]]);
        assert!(matches!(refused(device, &degenerate), PdeError::DegenerateFace { face: 1 }));
        let range = Case::new("range", 3, vec![[0, 1, 2], [0, 2, 5]]);
        let error = refused(device, &range);
        let expected = |e: &PdeError| {
            matches!(e, PdeError::Machine(Error::IndexOutOfRange { face: 1, vertex: 5, vertices: 3 }))
        };
        assert!(expected(&error), "{error}");
        let bow_tie = Case::new("bow-tie", 5, vec![[0, 1, 2], [0, 3, 4]]);
        assert!(matches!(refused(device, &bow_tie), PdeError::NonManifoldVertex { vertex: 0 }));
        // two closed fans at vertex 0
        let tetrahedra = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [0, 2, 3]];
        let other = tetrahedra.map(|f| f.map(|v| if v == 0 { 0 } else { v + 3 }));
        let two = Case::new("two tetrahedra", 7, [tetrahedra, other].concat());
        assert!(matches!(refused(device, &two), PdeError::NonManifoldVertex { vertex: 0 }));
        let pde = Pde::new(device, 3, &[[0, 1, 2]]).expect("directed edges");
        for op in [Op::EE, Op::EVDiamond] {
            assert!(matches!(pde.query(op), Err(Error::Option { .. })));
        }
        let mut result = pde.result_for(Op::VV).expect("memory");
        let other = Pde::new(device, 4, &[[0, 1, 2], [0, 2, 3]]).expect("directed edges");
        assert!(matches!(other.query_into(&mut result), Err(Error::Length { .. })));
    }
    fn random_soups_are_refused_or_right(device) {
        let mut right = 0;
        for seed in cases(0..200) {
            let mut random = Random(seed);
            let case = meshes::soup(4 + random.below(300), 1 + random.below(9), seed);
            if Pde::new(device, case.vertices, &case.faces).is_ok() {
                same_rows(device, &case);
                right += 1;
            }
        }
        assert!((size(20, 1)..size(200, 20)).contains(&right), "{right}");
    }
}
