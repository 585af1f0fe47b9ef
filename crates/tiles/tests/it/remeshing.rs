//! Remeshing by tiles against remeshing in memory.
use crate::{Folder, apart, assert_closed_manifold, bumpy, edges, near};
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_remeshing::remesh::{Adaptive, RemeshOptions, RemeshReport, remesh as in_memory};
use ribbonmesh_solid::repair::manifold_violations;
use ribbonmesh_tiles::{GaveUp, Length, RemeshTiles, Run, TilesError, TilesReport, remesh, work_on};

fn options(folder: &Folder, length: f32, tile: u64) -> RemeshTiles {
    let length = Length::Mean(length);
    RemeshTiles { length, tile_faces: Some(tile), workers: 2, ..RemeshTiles::new(folder.path("work")) }
}

fn run(folder: &Folder, options: &RemeshTiles) -> Result<TilesReport, TilesError> {
    remesh(&folder.path("in.ply"), &folder.path("out.ply"), options, &mut |line| eprintln!("{line}"))
}

/// The same remeshed in memory.
fn whole(mesh: &TriangleMesh, options: &RemeshOptions) -> (TriangleMesh, RemeshReport) {
    let mut surface = Surface::new(&Device::cpu(), mesh, &MeshOptions::default()).expect("a surface");
    let report = in_memory(&mut surface, options).expect("a manifold");
    (surface.download().expect("a mesh"), report)
}

/// Lengths of all edges, in a length: mean, part of those from 4/5 to 4/3, shortest, longest.
fn lengths(mesh: &TriangleMesh, length: f64) -> [f64; 4] {
    let (mut n, mut sum, mut good, mut low, mut high) = (0.0, 0.0, 0.0, f64::INFINITY, 0.0_f64);
    for [a, b] in mesh.sides() {
        let l = mesh.positions[a as usize].distance(mesh.positions[b as usize]) / length;
        (n, sum, low, high) = (n + 1.0, sum + l, low.min(l), high.max(l));
        good += if (0.8..=4.0 / 3.0).contains(&l) { 1.0 } else { 0.0 };
    }
    [sum / n, good / n, low, high]
}

/// `most`: the mean distance from the input, in that of remeshing in memory.
fn compare(input: &TriangleMesh, length: f32, tile: u64, project: bool, most: f64) -> TilesReport {
    let folder = Folder::with(input);
    let report =
        run(&folder, &RemeshTiles { project, ..options(&folder, length, tile) }).expect("a manifold");
    let usual = RemeshOptions { length: Length::Mean(length), project, ..RemeshOptions::default() };
    let (tiled, (whole, _)) = (folder.mesh(), whole(input, &usual));
    assert_closed_manifold(&tiled);
    let euler = |mesh: &TriangleMesh| mesh.positions.len() as i64 - mesh.faces.len() as i64 / 2;
    assert_eq!(euler(&tiled), euler(input));
    let target = report.target_length.expect("a length");
    let [of_tiles, of_whole] = [&tiled, &whole].map(|mesh| lengths(mesh, target));
    let far = [&tiled, &whole].map(|mesh| apart(input, mesh).symmetric);
    eprintln!(
        "{length}x, tiles of {tile}: {of_tiles:?} {of_whole:?} {} {}",
        tiled.faces.len(),
        whole.faces.len()
    );
    eprintln!("{far:?} {:?}", report.levels);
    assert!(far[0].mean < far[1].mean.map(|far| most * far), "{far:?}");
    assert_eq!(report.levels.last().map(|level| level.waiting), Some(0));
    let faces = tiled.faces.len() as f64 / whole.faces.len() as f64;
    assert!((faces - 1.0).abs() < 0.04, "{faces}");
    assert!((of_tiles[0] / of_whole[0] - 1.0).abs() < 0.02, "{of_tiles:?} {of_whole:?}");
    assert!(of_tiles[1] > of_whole[1] - 0.006, "{of_tiles:?} {of_whole:?}");
    assert!(!folder.path("work").exists());
    report
}

#[test]
fn as_even_as_in_memory() {
    let report = compare(&bumpy(6), 1.0, 6_000, false, 1.02);
    assert!(report.levels[0].tiles > 10, "{report:?}");
}

#[test]
fn vertices_are_projected() {
    compare(&bumpy(6), 1.0, 6_000, true, 1.02);
    compare(&bumpy(6), 3.0, 4_000, true, 1.05);
    compare(&bumpy(5), 0.5, 6_000, true, 1.08);
}

#[test]
fn coarser() {
    compare(&bumpy(6), 3.0, 4_000, false, 1.25);
}

#[test]
fn finer_than_tiles_of_the_input_may_become() {
    let report = compare(&bumpy(5), 0.5, 6_000, false, 1.25);
    assert!(report.after.faces > 70_000, "{report:?}");
}

/// By curvature and to a tolerance of a part of the diagonal, by tiles and in memory.
fn adaptive(input: &TriangleMesh, length: f32, tile: u64, tolerance: f32) {
    let folder = Folder::with(input);
    let adaptive = Some(Adaptive { tolerance: Length::Diagonal(tolerance), ..Adaptive::default() });
    let options = RemeshTiles { adaptive, ..options(&folder, length, tile) };
    let report = run(&folder, &options).expect("a manifold");
    let usual = RemeshOptions { length: Length::Mean(length), adaptive, ..RemeshOptions::default() };
    let (tiled, (whole, of_whole)) = (folder.mesh(), whole(input, &usual));
    assert_closed_manifold(&tiled);
    let [far, of_memory] = [&tiled, &whole].map(|mesh| apart(input, mesh).symmetric);
    let (tolerance, deviation) = (report.tolerance.expect("one"), report.deviation.expect("one"));
    eprintln!(
        "{length}x, {tolerance}: {} {} {far:?} {of_memory:?} {report:?} {:?} {}",
        tiled.faces.len(),
        whole.faces.len(),
        of_whole.deviation,
        of_whole.refinements
    );
    assert!(report.refinements > Some(0) && report.levels[0].tiles > 10, "{report:?}");
    // as measured here from vertices and random points, and there from points of all faces
    assert!(far.hausdorff <= tolerance && deviation <= tolerance, "{far:?} {deviation} {tolerance}");
    assert!((deviation / of_whole.deviation.expect("one") - 1.0).abs() < 0.1, "{deviation}");
    assert!(far.mean <= of_memory.mean.map(|mean| 1.07 * mean), "{far:?} {of_memory:?}");
    let faces = tiled.faces.len() as f64 / whole.faces.len() as f64;
    assert!((faces - 1.0).abs() < 0.08, "{faces}");
    assert!(!folder.path("work").exists());
}

#[test]
fn a_tolerance_is_kept() {
    adaptive(&bumpy(6), 2.0, 6_000, 0.002);
}

#[test]
fn a_small_tolerance_is_kept() {
    adaptive(&bumpy(6), 2.0, 6_000, 0.001);
}

#[test]
fn a_tolerance_that_takes_too_many_faces_is_given_up() {
    let folder = Folder::with(&bumpy(5));
    let few = Adaptive { tolerance: Length::Diagonal(1e-4), most_faces: Some(30_000), ..Adaptive::default() };
    let options = RemeshTiles { adaptive: Some(few), ..options(&folder, 1.0, 3_000) };
    let report = run(&folder, &options).expect("a manifold");
    assert_eq!(report.gave_up, Some(GaveUp::Faces));
    assert!(report.after.faces <= 30_000 && report.deviation > report.tolerance, "{report:?}");
    assert_closed_manifold(&folder.mesh());
}

#[test]
fn workers_do_not_change_the_result_nor_does_their_place() {
    let folder = Folder::with(&bumpy(5));
    same_by_any_workers(&folder, &options(&folder, 1.0, 1_500));
    let report =
        same_by_any_workers(&folder, &RemeshTiles { adaptive: Some(near()), ..options(&folder, 1.0, 1_500) });
    assert!(report.refinements > Some(0), "{report:?}");
}

fn same_by_any_workers(folder: &Folder, options: &RemeshTiles) -> TilesReport {
    let mut results = vec![];
    for workers in [1, 2, 5] {
        run(folder, &RemeshTiles { workers, ..options.clone() }).expect("a manifold");
        results.push(folder.bytes());
    }
    let usual = options.clone();
    let mut tasks = Run::open(&folder.path("in.ply"), &folder.path("out.ply"), usual).expect("a mesh");
    while let Some(tiles) = tasks.round(&mut drop).expect("a round") {
        for tile in tiles.into_iter().rev() {
            let result = work_on(&tasks.task(tile).expect("a task")).expect("a manifold");
            tasks.put(tile, &result).expect("a disk");
        }
    }
    let report = tasks.finish().expect("a disk");
    results.push(folder.bytes());
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
    report
}

#[test]
fn boundaries_stay_boundaries() {
    let folder = Folder::with(&shapes::grid(150, 3).expect("small"));
    run(&folder, &options(&folder, 1.5, 3_000)).expect("a manifold");
    let mesh = folder.mesh();
    let device = Device::cpu();
    assert!(manifold_violations(&device, mesh.positions.len(), &mesh.faces).expect("indices").is_empty());
    let known = ribbonmesh_io::read(folder.path("in.ply")).expect("a mesh").mesh;
    assert_eq!(mesh.bounding_box(), known.bounding_box());
    let euler = mesh.positions.len() as i64 - edges(&mesh) as i64 + mesh.faces.len() as i64;
    assert_eq!(euler, 1);
    assert!((mesh.area() / known.area() - 1.0).abs() < 2e-3, "{} {}", mesh.area(), known.area());
}

#[test]
fn refusals() {
    let mut mesh = bumpy(5);
    let [a, b, c] = mesh.faces[7_000];
    mesh.faces[7_000] = [a, c, b];
    let folder = Folder::with(&mesh);
    let error = run(&folder, &options(&folder, 1.0, 2_000)).expect_err("refused").to_string();
    assert!(error.starts_with("an edge has more than two faces"), "{error}");
    let folder = Folder::with(&bumpy(4));
    let usual = options(&folder, 1.0, 1_000);
    let refused = |options: &RemeshTiles| run(&folder, options).expect_err("refused").to_string();
    assert!(refused(&RemeshTiles { step: 2.0, ..usual.clone() }).contains("step"));
    let length = Length::Diagonal(1e-8);
    assert!(refused(&RemeshTiles { length, ..usual.clone() }).contains("gives fewer vertices"));
}
