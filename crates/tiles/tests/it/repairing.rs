//! Repair by tiles against repair in memory.
use crate::{Folder, bumpy};
use ribbonmesh::Device;
use ribbonmesh::glam::DVec3;
use ribbonmesh_io::{WriteOptions, read, write};
use ribbonmesh_mesh::{Classified, Phrase, SplitMix64, TriangleMesh, shapes};
use ribbonmesh_solid::repair::{RepairOptions, Repaired, repair as in_memory};
use ribbonmesh_tiles::{Bound, FEWEST_FACES, RepairTilesReport, Streaming, TilesError, repair};

/// Repairs a mesh by tiles and in memory; both results have to be the same. Returns the report.
fn compare(name: &str, mesh: &TriangleMesh, options: &RepairOptions) -> RepairTilesReport {
    let folder = Folder::with(mesh);
    let tiles = Streaming { tile_faces: Some(FEWEST_FACES), ..Streaming::new(folder.path("work")) };
    let (from, to) = (folder.path("in.ply"), folder.path("out.ply"));
    let report = repair(&from, &to, options, &tiles, &mut drop).expect("a mesh");
    assert!(!folder.path("work").exists());
    let found = folder.mesh();
    let known = in_memory(&Device::cpu(), &mesh.positions, &mesh.faces, options).expect("a mesh");
    let at: Vec<DVec3> = known.vertex_inputs.iter().map(|&v| mesh.positions[v as usize]).collect();
    assert!(found.positions == at, "{name}: {} {} {report:?}", found.positions.len(), at.len());
    assert!(found.faces == known.faces, "{name}: {report:?}");
    let sizes = [report.after.vertices, report.after.faces];
    assert_eq!(sizes, [at.len() as u64, known.faces.len() as u64], "{name}");
    assert_eq!(counts(&report), counts_of(&known), "{name}");
    report
}

fn counts(report: &RepairTilesReport) -> Vec<(u64, &'static str)> {
    report.counts().into_iter().map(|(count, _, words)| (count, words)).collect()
}
fn counts_of(known: &Repaired) -> Vec<(u64, &'static str)> {
    known.report.counts().into_iter().map(|(count, _, words)| (count as u64, words)).collect()
}

/// A position that files in single precision hold.
fn single(p: DVec3) -> DVec3 {
    p.as_vec3().as_dvec3()
}

/// The mesh with each of its defects about as often as `parts` says, in parts of all faces.
fn damaged(mesh: &TriangleMesh, parts: f64, seed: u64) -> TriangleMesh {
    let mut random = SplitMix64::new(seed);
    let mut mesh = TriangleMesh::new(mesh.positions.clone(), mesh.faces.clone());
    for i in 0..mesh.faces.len() {
        if random.unit() > parts {
            continue;
        }
        let [a, b, c] = mesh.faces[i];
        let other = mesh.faces[(random.unit() * mesh.faces.len() as f64) as usize];
        match (random.unit() * 7.0) as u32 {
            0 => mesh.faces[i] = [a, c, b],
            1 => mesh.faces.push([b, c, a]),
            2 => mesh.faces.push([a, c, b]),
            3 => mesh.faces[i] = [a, a, c],
            // a face that stands on an edge
            4 => {
                mesh.positions.push(single(mesh.positions[a as usize] * 1.1));
                mesh.faces.push([a, b, mesh.positions.len() as u32 - 1]);
            }
            // two vertices become one
            5 => mesh.faces[i] = [a, b, other[0]],
            _ => mesh.faces[i] = [other[1], b, c],
        }
    }
    mesh
}

#[test]
fn repaired_meshes_are_those_in_memory() {
    let all = RepairOptions { remove_components: 40, remove_isolated: true, ..RepairOptions::default() };
    let shapes = [
        ("sphere", bumpy(4)),
        ("grid", shapes::grid(60, 3).expect("small")),
        ("torus", shapes::torus(40, 1).expect("small")),
    ];
    let mut seed = 0;
    let mut total = RepairTilesReport::default();
    for (name, mesh) in &shapes {
        for parts in [0.003, 0.01, 0.2] {
            for options in [RepairOptions::default(), all] {
                seed += 1;
                let report = compare(name, &damaged(mesh, parts, seed), &options);
                assert!(report.tiles > 3 && !report.counts().is_empty(), "{report:?}");
                total.folded_faces_dropped += report.folded_faces_dropped;
                total.duplicate_faces_dropped += report.duplicate_faces_dropped;
                total.edges_cut += report.edges_cut;
                total.pairs_joined += report.pairs_joined;
                total.vertices_split += report.vertices_split;
                total.components_removed += report.components_removed;
                total.isolated_vertices_removed += report.isolated_vertices_removed;
            }
        }
    }
    let RepairTilesReport { edges_cut, folded_faces_dropped, duplicate_faces_dropped, .. } = total;
    assert!(edges_cut > 0 && folded_faces_dropped > 0 && duplicate_faces_dropped > 10, "{total:?}");
    assert!(total.components_removed > 10 && total.isolated_vertices_removed > 10, "{total:?}");
    assert!(total.pairs_joined > 10 && total.vertices_split > 10, "{total:?}");
}

#[test]
fn whole_sheets_are_turned_and_cut_as_in_memory() {
    // bands of a grid that disagree with their neighbours, wider and wider: most faces are turned
    let mut bands = shapes::grid(80, 3).expect("small");
    let n = bands.faces.len();
    for (i, face) in bands.faces.iter_mut().enumerate() {
        let part = i as f64 / n as f64;
        if (9.0 * part * part) as u32 % 2 == 1 {
            face.swap(1, 2);
        }
    }
    let report = compare("bands", &bands, &RepairOptions::default());
    assert!(report.faces_turned > 1_000 && report.faces_at_defects < n as u64 / 4, "{report:?}");
    // two components, one of which is small, with a defect each
    let (sphere, small) = (bumpy(4), bumpy(1));
    let mut two = TriangleMesh::new(small.positions, small.faces);
    let first = two.positions.len() as u32;
    two.positions.extend(sphere.positions.iter().map(|&p| single(p + DVec3::new(9.0, 0.0, 0.0))));
    two.faces.extend(sphere.faces.iter().map(|face| face.map(|v| v + first)));
    for turned in [vec![], vec![7], vec![7, 500]] {
        let mut mesh = TriangleMesh::new(two.positions.clone(), two.faces.clone());
        turned.iter().for_each(|&face: &usize| mesh.faces[face].swap(1, 2));
        for below in [0, 60, 81] {
            let options = RepairOptions { remove_components: below, ..RepairOptions::default() };
            let report = compare("two", &mesh, &options);
            assert_eq!(report.components_removed, u64::from(below == 81), "{report:?}");
        }
    }
    // a Moebius strip: every second row of vertices is the other edge of the strip at the seam
    let (along, across) = (300, 8);
    let point = |i: u32, j: u32| {
        let turn = f64::from(i) / f64::from(along) * std::f64::consts::TAU;
        let (far, up) = (f64::from(j) / f64::from(across - 1) - 0.5, turn / 2.0);
        let r = 3.0 + far * up.cos();
        single(DVec3::new(r * turn.cos(), r * turn.sin(), far * up.sin()))
    };
    let vertex = |i: u32, j: u32| if i == along { across - 1 - j } else { i * across + j };
    let mut strip = TriangleMesh::new(
        (0..along).flat_map(|i| (0..across).map(move |j| (i, j))).map(|(i, j)| point(i, j)).collect(),
        vec![],
    );
    for (i, j) in (0..along).flat_map(|i| (0..across - 1).map(move |j| (i, j))) {
        let [a, b, c, d] = [vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)];
        strip.faces.extend([[a, b, c], [a, c, d]]);
    }
    let report = compare("strip", &strip, &RepairOptions::default());
    assert_eq!((report.nonorientable_components, report.edges_cut), (1, 7), "{report:?}");
}

#[test]
fn faces_without_area_are_dropped_as_in_memory() {
    let mut mesh = bumpy(4);
    for i in (0..mesh.faces.len()).step_by(97) {
        let [a, b, c] = mesh.faces[i];
        mesh.positions[c as usize] = single((mesh.positions[a as usize] + mesh.positions[b as usize]) * 0.5);
        mesh.positions[b as usize] = mesh.positions[a as usize];
    }
    let options = RepairOptions { remove_zero_area: true, ..RepairOptions::default() };
    assert!(compare("flat", &mesh, &options).zero_area_faces_dropped > 10);
}

#[test]
fn a_manifold_stays_and_what_tiles_do_not_do_is_refused() {
    let mut mesh = bumpy(5);
    mesh.positions.push(DVec3::ZERO);
    let report = compare("sphere", &mesh, &RepairOptions::default());
    assert!(report.counts().is_empty() && report.faces_at_defects == 0, "{report:?}");
    let without = RepairOptions { remove_isolated: true, ..RepairOptions::default() };
    assert_eq!(compare("sphere", &mesh, &without).isolated_vertices_removed, 1);

    let folder = Folder::with(&mesh);
    let (from, to) = (folder.path("in.ply"), folder.path("out.ply"));
    let tiles = Streaming::new(folder.path("work"));
    let weld = RepairOptions { weld: Some(0.1), ..RepairOptions::default() };
    let refused = repair(&from, &to, &weld, &tiles, &mut drop).expect_err("refused");
    assert!(matches!(refused, TilesError::Option { option: "weld", .. }), "{refused}");
    // every face is at a defect
    mesh.faces.extend(mesh.faces.clone());
    write(&from, &mesh, &WriteOptions::default()).expect("a file");
    let small = Streaming { tile_faces: Some(FEWEST_FACES), ..tiles };
    let refused = repair(&from, &to, &RepairOptions::default(), &small, &mut drop).expect_err("refused");
    assert!(matches!(refused, TilesError::Defects { faces: 8_000, bound: Bound::TileFaces }), "{refused}");
    let remedy = refused.class().remedy;
    assert!(remedy.contains(&Phrase::Option("tile faces")) && !remedy.contains(&Phrase::Option("memory")));
    assert!(read(&to).is_err());
}
