//! Tests of repair on random triangles, on meshes of every class and on real meshes, against brute force.
use crate::repair::oracle::{Face, edges, wrongs};
use glam::DVec3;
use proptest::prelude::*;
use ribbonmesh::{Device, MeshOptions, StaticMesh};
use ribbonmesh_mesh::{MeshError, shapes};
use ribbonmesh_solid::repair::{RepairError, RepairOptions, Repaired, manifold_violations};
use ribbonmesh_suite::meshes::{self, Case};
use std::collections::BTreeSet;

const KEEP: RepairOptions = RepairOptions {
    weld: None,
    remove_zero_area: false,
    remove_components: 0,
    remove_isolated: false,
    keep_touching: false,
};
const REMOVE: RepairOptions = RepairOptions { remove_isolated: true, ..KEEP };

/// Positions without a pattern.
fn places(vertices: usize) -> Vec<DVec3> {
    let mut random = ribbonmesh_suite::Random(vertices as u64);
    let mut coordinate = || f64::from(random.next()) / f64::from(1 << 30);
    (0..vertices).map(|_| DVec3::new(coordinate(), coordinate(), coordinate())).collect()
}

/// Repairs faces of vertices at such positions.
fn repair(vertices: usize, faces: &[Face], options: &RepairOptions) -> Result<Repaired, RepairError> {
    ribbonmesh_solid::repair::repair(&Device::cpu(), &places(vertices), faces, options)
}

/// Repairs, and checks everything that holds for every input.
fn repaired(vertices: usize, faces: &[Face], options: &RepairOptions) -> Repaired {
    let done = repair(vertices, faces, options).expect("repaired");
    let wrongs = wrongs(&done.faces);
    assert!(wrongs.is_empty(), "{wrongs:?}: {faces:?} became {done:?}");
    let violations = manifold_violations(&Device::cpu(), done.vertices(), &done.faces).expect("checked");
    assert!(violations.is_empty(), "{violations}");

    // the same faces in the same order, turned where the report says so
    assert!(done.face_inputs.is_sorted_by(|a, b| a < b));
    let report = &done.report;
    let turned: BTreeSet<u32> = report.faces_turned.iter().copied().collect();
    for (face, &input) in done.faces.iter().zip(&done.face_inputs) {
        let [a, b, c] = faces[input as usize];
        let expected = if turned.contains(&input) { [a, c, b] } else { [a, b, c] };
        assert_eq!(face.map(|v| done.vertex_inputs[v as usize]), expected, "face {input}");
    }
    let kept: BTreeSet<u32> = done.face_inputs.iter().copied().collect();
    let dropped: BTreeSet<u32> = (0..faces.len() as u32).filter(|f| !kept.contains(f)).collect();
    let duplicates = report.duplicate_faces_dropped.iter().map(|pair| pair[0]);
    let folded = report.folded_faces_dropped.iter().copied();
    let listed: BTreeSet<u32> =
        report.degenerate_faces_dropped.iter().copied().chain(duplicates).chain(folded).collect();
    assert_eq!(dropped, listed);
    for &f in &report.degenerate_faces_dropped {
        assert!(BTreeSet::from(faces[f as usize]).len() < 3);
    }
    let same = |f: u32, g: u32| BTreeSet::from(faces[f as usize]) == BTreeSet::from(faces[g as usize]);
    for &[face, stays] in &report.duplicate_faces_dropped {
        assert!(same(face, stays) && kept.contains(&stays));
        assert_eq!(BTreeSet::from(faces[face as usize]).len(), 3);
    }
    for &face in &report.folded_faces_dropped {
        let all = || (0..faces.len() as u32).filter(|&f| same(f, face));
        let [a, b, c] = faces[face as usize];
        let along = |f: &u32| [[a, b, c], [b, c, a], [c, a, b]].contains(&faces[*f as usize]);
        assert_eq!(2 * all().filter(along).count(), all().count());
        assert!(all().all(|f| !kept.contains(&f)));
    }

    // vertices of the input first, in their order; then copies
    let own = vertices - report.isolated_vertices_removed.len();
    assert!(done.vertex_inputs[..own].is_sorted_by(|a, b| a < b));
    let copies: BTreeSet<(u32, u32)> = report
        .vertices_split
        .iter()
        .flat_map(|split| split.copies.iter().map(|&copy| (copy, split.vertex)))
        .collect();
    assert_eq!(copies.len(), done.vertices() - own);
    assert!(copies.iter().all(|&(copy, v)| done.vertex_inputs[copy as usize] == v));
    assert!(report.vertices_split.iter().all(|split| split.vertex < vertices as u32));

    // edges of more than two of the faces that are left
    let left: Vec<Face> = done.face_inputs.iter().map(|&f| faces[f as usize]).collect();
    let crowded: Vec<_> = edges(&left).into_iter().filter(|(_, of)| of.len() > 2).collect();
    assert_eq!(report.edges_split.len(), crowded.len());
    for (split, (edge, of)) in report.edges_split.iter().zip(crowded) {
        let of: Vec<u32> = of.into_iter().map(|f| done.face_inputs[f as usize]).collect();
        assert_eq!((split.edge, &split.faces), (edge, &of));
        // the report's neighbours are neighbours in the result, and no others are
        let input = |v: u32| done.vertex_inputs[v as usize];
        let mut joined: Vec<[u32; 2]> = edges(&done.faces)
            .into_iter()
            .filter(|(ends, of)| of.len() == 2 && BTreeSet::from(ends.map(input)) == BTreeSet::from(edge))
            .map(|(_, of)| [of[0], of[1]].map(|f| done.face_inputs[f as usize]))
            .collect();
        joined.sort_unstable();
        assert_eq!(split.joined, joined);
    }
    // an edge is cut only where neighbours disagree, and no other edge is cut except those that have to be
    for cut in &report.edges_cut {
        let [f, g] = cut.faces.map(|f| faces[f as usize]);
        let along = |f: Face| (0..3).any(|i| [f[i], f[(i + 1) % 3]] == cut.edge);
        let against = |f: Face| (0..3).any(|i| [f[(i + 1) % 3], f[i]] == cut.edge);
        assert!(along(f) && along(g) || against(f) && against(g), "{cut:?}");
    }
    assert_eq!(report.nonorientable_components > 0, !report.edges_cut.is_empty());
    let cut: BTreeSet<[u32; 2]> = report.edges_cut.iter().map(|cut| cut.edge).collect();
    let after = edges(&done.faces);
    for (edge, of) in edges(&left) {
        if of.len() == 2 && !cut.contains(&edge) {
            let whole = after.iter().any(|(ends, faces)| {
                let input = ends.map(|v| done.vertex_inputs[v as usize]);
                [input[0].min(input[1]), input[0].max(input[1])] == edge && *faces == of
            });
            assert!(whole, "{edge:?} was taken apart");
        }
    }

    let again = repair(done.vertices(), &done.faces, options).expect("repaired");
    assert!(again.report.is_empty() && again.faces == done.faces, "repaired twice: {:?}", again.report);
    assert!(again.vertex_inputs.iter().copied().eq(0..done.vertices() as u32));
    done
}

fn both(case: &Case) -> Repaired {
    repaired(case.vertices, &case.faces, &REMOVE);
    repaired(case.vertices, &case.faces, &KEEP)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]
    #[test]
    fn soups(vertices in 1_u32..14, corners in prop::collection::vec(any::<[u32; 3]>(), 0..40), remove: bool) {
        let faces: Vec<Face> = corners.iter().map(|face| face.map(|v| v % vertices)).collect();
        repaired(vertices as usize, &faces, &RepairOptions { remove_isolated: remove, ..KEEP });
    }
    /// Faces of a surface of which some are turned or removed, and some vertices are merged: similar to the
    /// content of files.
    #[test]
    fn broken_surfaces(
        n in 4_u32..9,
        kind in 0..3,
        turned in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        gone in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        welded in prop::collection::vec(any::<[prop::sample::Index; 2]>(), 0..4),
    ) {
        let shape = match kind {
            0 => shapes::torus(n, 1),
            1 => shapes::grid(n, 1),
            _ => shapes::mobius(2 * n, 2),
        };
        let shape = shape.expect("small");
        let (vertices, mut faces) = (shape.positions.len(), shape.faces);
        turned.iter().for_each(|i| i.get_mut(&mut faces).swap(0, 1));
        for i in gone {
            faces.swap_remove(i.index(faces.len()));
        }
        for [a, b] in welded {
            let (a, b) = (a.index(vertices) as u32, b.index(vertices) as u32);
            faces.iter_mut().flatten().filter(|v| **v == a).for_each(|v| *v = b);
        }
        repaired(vertices, &faces, &KEEP);
    }
    /// The violations are those that brute force finds; there are violations exactly if repair changes the
    /// mesh.
    #[test]
    fn violations(vertices in 1_u32..14, corners in prop::collection::vec(any::<[u32; 3]>(), 0..20)) {
        let faces: Vec<Face> = corners.iter().map(|face| face.map(|v| v % vertices)).collect();
        let found = manifold_violations(&Device::cpu(), vertices as usize, &faces).expect("checked");
        let topology = StaticMesh::new(&Device::cpu(), vertices as usize, &faces, &MeshOptions::default())
            .and_then(|mesh| mesh.topology()).expect("topology");
        assert_eq!(found.degenerate_faces.count, topology.degenerate_faces);
        assert_eq!(found.isolated_vertices, topology.isolated_vertices);
        assert_eq!(found.is_empty(), wrongs(&faces).is_empty(), "{found}: {faces:?}");
        let done = repair(vertices as usize, &faces, &KEEP).expect("repaired");
        assert_eq!(found.is_empty(), done.report.is_empty());
        // the library's analysis counts degenerate faces' sides and vertices as well
        if topology.degenerate_faces == 0 {
            assert_eq!(found.duplicate_faces.count, topology.duplicate_faces);
            assert_eq!(found.nonmanifold_edges.count, topology.nonmanifold_edges);
            assert_eq!(found.inconsistent_edges.count, topology.inconsistent_edges);
            assert_eq!(found.nonmanifold_vertices.count, topology.nonmanifold_vertices);
        }
    }
}

#[test]
fn every_class() {
    for case in meshes::all() {
        both(&case);
    }
    for seed in 0..40 {
        both(&meshes::soup(100, 300, seed));
    }
}

#[test]
fn clean_meshes_come_back() {
    let torus = shapes::torus(30, 1).expect("small");
    let sphere = shapes::icosphere(3).expect("small");
    let grid = shapes::grid(20, 1).expect("small");
    for shape in [torus, sphere, grid] {
        let done = repaired(shape.positions.len() + 2, &shape.faces, &KEEP);
        assert!(done.report.is_empty(), "{:?}", done.report);
        assert_eq!(done.faces, shape.faces);
        assert_eq!(done.vertex_values(&[0; 9999]).expect("values").len(), shape.positions.len() + 2);
        let done = repaired(shape.positions.len() + 2, &shape.faces, &REMOVE);
        let n = shape.positions.len() as u32;
        assert_eq!(done.report.isolated_vertices_removed, [n, n + 1]);
        assert_eq!(done.faces, shape.faces);
    }
}

#[test]
fn a_fin_comes_off_and_the_rest_stays() {
    let torus = shapes::torus(9, 1).expect("small");
    let (n, [a, b, _]) = (torus.positions.len() as u32, torus.faces[5]);
    let faces: Vec<Face> = torus.faces.iter().copied().chain([[a, b, n]]).collect();
    let done = repaired(n as usize + 1, &faces, &KEEP);
    assert_eq!(done.faces[..torus.faces.len()], torus.faces);
    let fin = done.faces[torus.faces.len()];
    assert_eq!(fin.map(|v| done.vertex_inputs[v as usize]), [a, b, n]);
    assert!(fin[0] > n && fin[1] > n && done.report.edges_split.len() == 1);
}

#[test]
fn one_turned_face_is_turned_back() {
    let mut sphere = shapes::icosphere(2).expect("small");
    let whole = sphere.faces.clone();
    sphere.faces[7].swap(1, 2);
    let done = repaired(sphere.positions.len(), &sphere.faces, &KEEP);
    assert_eq!((done.faces, done.report.faces_turned), (whole, vec![7]));
}

#[test]
fn a_mobius_strip_is_cut_across() {
    let (length, width) = (40, 3);
    let strip = shapes::mobius(length, width).expect("small");
    let done = repaired(strip.positions.len(), &strip.faces, &KEEP);
    let report = &done.report;
    assert_eq!((report.nonorientable_components, report.faces_turned.len()), (1, 0));
    assert!(report.edges_cut.len() <= width as usize, "{:?}", report.edges_cut);
    assert_eq!(done.vertices(), strip.positions.len() + report.edges_cut.len() + 1);
    // one component, a disc
    let mesh = StaticMesh::new(&Device::cpu(), done.vertices(), &done.faces, &MeshOptions::default());
    let topology = mesh.and_then(|mesh| mesh.topology()).expect("topology");
    assert_eq!((topology.components, topology.euler_characteristic, topology.genus), (1, 1, Some(0)));
}

#[test]
fn fans_of_a_large_vertex() {
    // two closed fans of many faces at vertex 0, and a face alone
    let n = 200_000;
    let fan = |first: u32| (0..n).map(move |i| [0, first + i, first + (i + 1) % n]);
    let mut faces: Vec<Face> = fan(1).chain(fan(n + 1)).collect();
    faces.push([0, 2 * n + 1, 2 * n + 2]);
    let done = repair(2 * n as usize + 3, &faces, &KEEP).expect("repaired");
    assert_eq!(done.report.vertices_split.len(), 1);
    assert_eq!(done.report.vertices_split[0].copies, [2 * n + 3, 2 * n + 4]);
    // an edge of many faces
    let faces: Vec<Face> = (0..n).map(|i| [1, 0, i + 2]).collect();
    let page = |i: u32| (2.4 * f64::from(i)).sin_cos();
    let pages = (0..n).map(page).map(|(sine, cosine)| DVec3::new(cosine, sine, 0.5));
    let positions: Vec<DVec3> = [DVec3::ZERO, DVec3::Z].into_iter().chain(pages).collect();
    let done = ribbonmesh_solid::repair::repair(&Device::cpu(), &positions, &faces, &KEEP).expect("repaired");
    let split = &done.report.edges_split[0];
    assert_eq!(split.faces.len() as u32, n);
    // two faces of a pair have four vertices, a face alone three; nearly all are in pairs
    let pairs = split.joined.len();
    assert_eq!(done.vertices(), 3 * n as usize - 2 * pairs);
    assert!(pairs as u32 > n / 2 - n / 100, "{pairs} pairs");
}

#[test]
fn messages_name_elements() {
    let says = |vertices: usize, faces: &[Face]| {
        manifold_violations(&Device::cpu(), vertices, faces).expect("checked").to_string()
    };
    assert_eq!(says(3, &[[0, 1, 2]]), "an oriented manifold");
    assert_eq!(says(5, &[[3, 1, 4], [2, 0, 2]]), "face 1 has a vertex twice (2 0 2)");
    let twice = [[0, 1, 2], [2, 1, 0]];
    assert_eq!(says(3, &twice), "face 1 has the same vertices as face 0 (2 1 0)");
    let book = |n: u32| (0..n).map(|i| [i + 8, 7, 3]).collect::<Vec<Face>>();
    let three = "edge 3-7 has 3 faces (0, 1, 2)";
    assert_eq!(says(11, &book(3)), three);
    assert_eq!(says(30, &book(20)), "edge 3-7 has 20 faces (0, 1, 2, 3, 4, 5, 6, 7, …)");
    assert_eq!(says(4, &[[0, 1, 2], [0, 1, 3]]), "faces 0 and 1 have opposite orientations at edge 0-1");
    assert_eq!(says(5, &[[0, 1, 2], [0, 3, 4]]), "vertex 0 has 2 fans of faces, at faces 0, 1");
    let several = [book(3), vec![[3, 0, 1], [0, 1, 2]]].concat();
    assert_eq!(
        says(11, &several),
        format!("{three}; in all 1 non-manifold edge, 1 inconsistent edge, 1 non-manifold vertex")
    );
}

#[test]
fn indices_out_of_range_are_refused() {
    let faces = [[0, 1, 2], [0, 2, 3]];
    let violations = manifold_violations(&Device::cpu(), 3, &faces).map(|_| ()).map_err(RepairError::from);
    for refused in [repair(3, &faces, &KEEP).map(|_| ()), violations] {
        let error = refused.expect_err("3 vertices");
        assert!(
            matches!(error, RepairError::Mesh(MeshError::FaceIndex { face: 1, index: 3, vertices: 3 })),
            "{error}"
        );
    }
    assert_eq!(repair(0, &[], &KEEP).expect("nothing"), Repaired::default());
    let done = repair(3, &faces[..1], &KEEP).expect("a face");
    assert!(matches!(done.vertex_values(&[1, 2]), Err(RepairError::Length { expected: 3, found: 2, .. })));
}

#[test]
fn threads_do_not_matter() {
    let case = meshes::soup(3000, 6000, 5);
    let results = [1, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| repair(case.vertices, &case.faces, &KEEP).expect("repaired"))
    });
    assert_eq!(results[0], results[1]);
}

#[test]
fn real_meshes() {
    for case in meshes::real() {
        let done = repair(case.vertices, &case.faces, &REMOVE).expect("repaired");
        let violations = manifold_violations(&Device::cpu(), done.vertices(), &done.faces).expect("checked");
        assert!(violations.is_empty(), "{}: {violations}", case.name);
    }
}
