//! Levels of detail: any cut is a surface without cracks, as near to the input as it says.
use ribbonmesh::bvh::{DistanceOptions, SampledSurface, distance};
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, FlatTopology, Topology};
use ribbonmesh_mesh::{Classified, ErrorKind, Subject, TriangleMesh, shapes};
use ribbonmesh_tiles::lod::{Cut, Levels, LevelsOptions, MOST_TRIANGLES, MOST_VERTICES, NO_GROUP};
use std::collections::BTreeSet;

fn build(mesh: &TriangleMesh) -> Levels {
    Levels::build(mesh, &LevelsOptions::default()).expect("a manifold")
}

fn topology(mesh: &TriangleMesh) -> Topology {
    let flat = FlatTopology::new(&Device::cpu(), mesh.positions.len(), &mesh.faces).expect("indices");
    flat.topology().expect("a mesh")
}

/// The largest distance in both directions.
fn apart(a: &TriangleMesh, b: &TriangleMesh) -> f64 {
    let (device, origin) = (Device::cpu(), a.local_origin());
    let tree = |mesh: &TriangleMesh| SampledSurface::new(&device, &mesh.points_around(origin), &mesh.faces);
    let [a, b] = [a, b].map(|mesh| tree(mesh).expect("a tree"));
    let found = distance(&a, &b, &DistanceOptions::default()).expect("a distance");
    found.symmetric.hausdorff
}

/// Errors that are as many steps apart from the least to the largest one.
fn errors(levels: &Levels, steps: usize) -> Vec<f64> {
    let finite = levels.groups().iter().map(|group| f64::from(group.bound.error)).filter(|e| e.is_finite());
    let mut all: Vec<f64> = finite.filter(|&error| error > 0.0).collect();
    all.sort_unstable_by(f64::total_cmp);
    (0..=steps).map(|i| all[i * (all.len() - 1) / steps]).collect()
}

/// Points of view: far, near, on the surface, inside.
fn views(levels: &Levels, mesh: &TriangleMesh) -> Vec<Cut> {
    let bounds = mesh.bounding_box().expect("faces");
    let (middle, diagonal) = (0.5 * (bounds.low + bounds.high), levels.about().diagonal());
    let far = [10.0, 1.0, 0.6].map(|far| middle + far * diagonal * DVec3::new(0.6, 0.48, 0.64));
    let points = far.into_iter().chain([mesh.positions[7], middle]);
    let slopes = [1e-3, 0.01, 0.1];
    points.flat_map(|from| slopes.map(|slope| Cut::View { from, slope })).collect()
}

/// A cut has the same topology as the input, and is a manifold as that is.
fn assert_whole(mesh: &TriangleMesh, known: &Topology, cut: &Cut) {
    let found = topology(mesh);
    let sizes = |t: &Topology| {
        let defects = [t.nonmanifold_edges, t.nonmanifold_vertices, t.inconsistent_edges, t.degenerate_faces];
        (defects, t.components, t.euler_characteristic, t.isolated_vertices, t.genus)
    };
    assert_eq!(sizes(&found), sizes(known), "{cut:?}");
    assert_eq!(found.boundary_edges > 0, known.boundary_edges > 0, "{cut:?}");
}

/// Checks the graph, and that cuts are whole and as near as they say.
fn check(mesh: &TriangleMesh, steps: usize) -> Levels {
    let levels = build(mesh);
    assert_graph(&levels);
    let known = topology(mesh);
    let mut sizes = vec![];
    for error in errors(&levels, steps) {
        let cut = Cut::Error(error);
        let surface = levels.mesh(&cut).expect("levels");
        assert_whole(&surface, &known, &cut);
        let far = apart(mesh, &surface);
        sizes.push(surface.faces.len());
        assert!(far <= 1.1 * error + 1e-6 * levels.about().diagonal(), "{far} {error}");
    }
    assert!(sizes.windows(2).all(|two| two[0] >= two[1]), "{sizes:?}");
    let mut counts = BTreeSet::new();
    for cut in views(&levels, mesh) {
        let surface = levels.mesh(&cut).expect("levels");
        assert_whole(&surface, &known, &cut);
        counts.insert(surface.faces.len());
    }
    assert!(counts.len() > 3, "{counts:?}");
    levels
}

/// Errors and spheres grow from below, and each meshlet has those of its groups.
fn assert_graph(levels: &Levels) {
    let groups = levels.groups();
    for meshlet in levels.meshlets() {
        assert!(meshlet.above.is_above(&meshlet.own), "{meshlet:?}");
        assert_eq!(meshlet.above, groups[meshlet.group as usize].bound);
        if meshlet.made_by == NO_GROUP {
            assert_eq!(meshlet.own.error, 0.0);
        } else {
            // made before, so that it is behind in the file
            assert!(meshlet.made_by > meshlet.group);
            assert_eq!(meshlet.own, groups[meshlet.made_by as usize].bound);
        }
        assert!((1..=MOST_TRIANGLES).contains(&(meshlet.triangles as usize)));
        assert!((1..=MOST_VERTICES).contains(&(meshlet.vertices as usize)));
    }
    for (i, group) in groups.iter().enumerate() {
        let of_group = &levels.meshlets()[group.first as usize..][..group.meshlets as usize];
        assert!(
            of_group.iter().all(|meshlet| meshlet.group == i as u32 && levels.level(meshlet) < group.level)
        );
    }
    let all: usize = groups.iter().map(|group| group.meshlets as usize).sum();
    assert_eq!(all, levels.meshlets().len());
}

#[test]
fn cuts_are_watertight_and_near() {
    let mesh = shapes::bumpy_sphere(5, 1).expect("small");
    let levels = check(&mesh, 8);
    let about = levels.about();
    assert!(about.levels.len() > 6, "{:?}", about.levels);
    // half as many triangles in each level, down to a single meshlet
    assert!(about.levels.windows(2).all(|two| 3 * two[1].triangles < 2 * two[0].triangles));
    assert_eq!(about.levels.last().map(|level| level.meshlets), Some(1));
    // most meshlets are full
    let full = about.levels[0].triangles as f64 / about.levels[0].meshlets as f64;
    assert!(full > 0.9 * MOST_TRIANGLES as f64, "{full}");
}

#[test]
fn the_finest_cut_is_the_input() {
    let mesh = shapes::bumpy_sphere(4, 1).expect("small");
    let found = build(&mesh).mesh(&Cut::Error(0.0)).expect("levels");
    assert_eq!(found.positions, mesh.positions);
    let sorted = |mesh: &TriangleMesh| mesh.faces.iter().copied().collect::<BTreeSet<_>>();
    assert_eq!(sorted(&found), sorted(&mesh));
    let levels = found.faces_of().get::<u32>("level").expect("an attribute");
    assert!(levels.iter().all(|&level| level == 0));
}

#[test]
fn holes_stay_holes_and_boundaries_stay() {
    let torus = shapes::torus(60, 1).expect("small");
    check(&torus, 4);
    // flat: each cut is the same square
    let grid = shapes::grid(120, 3).expect("small");
    let levels = build(&grid);
    assert_graph(&levels);
    let (known, area) = (topology(&grid), grid.area());
    for error in [0.0, 1e-6, 1e-3] {
        let cut = Cut::Error(error);
        let surface = levels.mesh(&cut).expect("levels");
        assert_whole(&surface, &known, &cut);
        assert_eq!(surface.bounding_box(), grid.bounding_box());
        assert!((surface.area() / area - 1.0).abs() < 1e-4 + error, "{error}");
    }
}

/// Many spheres, of 80 faces each.
fn spheres() -> TriangleMesh {
    let one = shapes::icosphere(1).expect("small");
    let mut all = TriangleMesh::default();
    for i in 0..150_u32 {
        let first = all.positions.len() as u32;
        let by = 3.0 * DVec3::new(f64::from(i % 5), f64::from(i / 5 % 5), f64::from(i / 25));
        all.positions.extend(one.positions.iter().map(|p| (*p + by).as_vec3().as_dvec3()));
        all.faces.extend(one.faces.iter().map(|corners| corners.map(|v| v + first)));
    }
    all.precision = one.precision;
    all
}

#[test]
fn small_components_come_together() {
    let mesh = spheres();
    let levels = check(&mesh, 4);
    let coarse = levels.about().levels.last().expect("levels").triangles;
    // tetrahedra or little more
    assert!(coarse < 150 * 20, "{coarse}");
}

#[test]
fn coordinates_in_double_precision_keep_their_place() {
    let mut mesh = shapes::bumpy_sphere(4, 1).expect("small");
    mesh.positions.iter_mut().for_each(|p| *p += DVec3::new(4.5e6, 1.25e5 + 0.1, 0.0));
    mesh.precision = ribbonmesh_mesh::Precision::Double;
    let levels = build(&mesh);
    let cut = Cut::Error(0.05);
    let surface = levels.mesh(&cut).expect("levels");
    assert!(surface.faces.len() < mesh.faces.len() && apart(&mesh, &surface) < 0.06);
    let near = Cut::View { from: mesh.positions[0] + 5.0 * DVec3::X, slope: 0.02 };
    let count = levels.chosen(&near).len();
    assert!(count > 1 && count < levels.chosen(&Cut::Error(0.0)).len(), "{count}");
}

#[test]
fn threads_do_not_change_levels() {
    let mesh = shapes::bumpy_sphere(5, 1).expect("small");
    let of = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| build(&mesh))
    };
    let known = of(1);
    assert!([2, 5].into_iter().all(|threads| of(threads) == known));
}

#[test]
fn files_hold_all_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("levels.json");
    let mesh = shapes::bumpy_sphere(5, 1).expect("small");
    let levels = build(&mesh);
    let data = levels.write(&path).expect("files");
    assert_eq!(data, folder.path().join("levels.bin"));
    let found = Levels::open(&path).expect("levels");
    assert_eq!((found.groups(), found.meshlets()), (levels.groups(), levels.meshlets()));
    for cut in [Cut::Error(0.0), Cut::Error(0.01), Cut::View { from: mesh.positions[0], slope: 0.01 }] {
        let [a, b] = [&levels, &found].map(|levels| levels.mesh(&cut).expect("levels"));
        assert!(a == b && a.faces.len() > 100);
    }
    // the coarsest surface is the first page
    let first = &found.groups()[0];
    assert!(first.offset == 0 && first.bound.error == f32::INFINITY);
    // what is not as it was written is named
    let refused = |levels: &Levels| levels.mesh(&Cut::Error(0.0)).expect_err("refused").to_string();
    let known = std::fs::read(&data).expect("a file");
    let mut bytes = known.clone();
    *bytes.last_mut().expect("bytes") ^= 1;
    std::fs::write(&data, &bytes).expect("a file");
    let error = refused(&Levels::open(&path).expect("tables"));
    assert!(error.ends_with("levels.bin: a page is not as it was written"), "{error}");
    bytes.clone_from(&known);
    bytes[60] ^= 1;
    std::fs::write(&data, &bytes).expect("a file");
    let error = Levels::open(&path).expect_err("refused").to_string();
    assert!(error.ends_with("levels.bin: the tables are not as they were written"), "{error}");
    std::fs::write(&data, &known[..known.len() - 4]).expect("a file");
    let error = Levels::open(&path).expect_err("refused").to_string();
    assert!(error.contains("levels.bin: not as long as "), "{error}");
    std::fs::write(&path, "{}").expect("a file");
    let error = Levels::open(&path).expect_err("refused").to_string();
    assert!(error.contains("levels.json: no levels of detail"), "{error}");
    let error = levels.write(&folder.path().join("levels.glb")).expect_err("refused").to_string();
    assert!(error.contains("a name that ends in .json"), "{error}");
}

#[test]
fn defects_are_named_by_their_elements() {
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)];
    let few = |faces: Vec<_>| TriangleMesh::new(corners.to_vec(), faces);
    let mut mesh = shapes::bumpy_sphere(4, 1).expect("small");
    let [a, b, c] = mesh.faces[700];
    mesh.faces[700] = [a, c, b];
    for (mesh, text) in [
        // of two faces there is one meshlet, which nothing simplifies
        (&few(vec![[0, 1, 2], [1, 2, 3]]), "faces 0 and 1 have opposite orientations at edge 1-2"),
        (&few(vec![[0, 1, 2], [2, 1, 3], [1, 2, 0]]), "face 2 has the same vertices as face 0"),
        (&mesh, "faces 689 and 700 have opposite orientations at edge 509-2427; in all 3 inconsistent edges"),
    ] {
        let refused = Levels::build(mesh, &LevelsOptions::default()).expect_err("no manifold");
        assert!(refused.to_string().starts_with(text), "{refused}");
        assert_eq!(refused.class().kind, ErrorKind::Refused(Subject::NotManifold));
    }
    let none = Levels::build(&TriangleMesh::default(), &LevelsOptions::default()).expect("levels");
    assert!(none.meshlets().is_empty() && none.mesh(&Cut::Error(1.0)).expect("levels").faces.is_empty());
    let wrong = LevelsOptions { max_turn: -1.0, ..LevelsOptions::default() };
    assert!(Levels::build(&mesh, &wrong).is_err());
}
