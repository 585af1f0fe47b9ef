//! Simplification by tiles against simplification in memory.
use ribbonmesh::bvh::{Distance, DistanceOptions, SampledSurface, distance};
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_io::{WriteOptions, read, write};
use ribbonmesh_mesh::{TriangleMesh, shapes};
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target, simplify as in_memory};
use ribbonmesh_solid::repair::manifold_violations;
use ribbonmesh_tiles::{
    Adaptive, Length, RemeshTiles, SimplifyTiles, TilesError, TilesReport, remesh, simplify,
};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::Duration;

mod distance;
mod formats;
mod lod;
mod remeshing;
mod rendering;
mod repairing;
mod streaming;

struct Folder(tempfile::TempDir);
impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }
    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    fn with(mesh: &TriangleMesh) -> Self {
        let folder = Self::new();
        write(folder.path("in.ply"), mesh, &WriteOptions::default()).expect("a file");
        folder
    }
    fn options(&self, faces: u32, tile: u64) -> SimplifyTiles {
        let usual = SimplifyTiles::new(Target::Faces(faces), self.path("work"));
        SimplifyTiles { tile_faces: Some(tile), workers: 2, ..usual }
    }
    fn run(&self, options: &SimplifyTiles) -> Result<TilesReport, TilesError> {
        simplify(&self.path("in.ply"), &self.path("out.ply"), options, &mut drop)
    }
    fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.path("out.ply")).expect("an output")
    }
    fn mesh(&self) -> TriangleMesh {
        read(self.path("out.ply")).expect("an output").mesh
    }
}

fn bumpy(k: u32) -> TriangleMesh {
    shapes::bumpy_sphere(k, 1).expect("small")
}

fn apart(a: &TriangleMesh, b: &TriangleMesh) -> Distance {
    let (device, origin) = (Device::cpu(), a.local_origin());
    let tree = |mesh: &TriangleMesh| SampledSurface::new(&device, &mesh.points_around(origin), &mesh.faces);
    let [a, b] = [a, b].map(|mesh| tree(mesh).expect("a tree"));
    distance(&a, &b, &DistanceOptions::default()).expect("a distance")
}

fn assert_closed_manifold(mesh: &TriangleMesh) {
    let violations = manifold_violations(&Device::cpu(), mesh.positions.len(), &mesh.faces).expect("indices");
    assert!(violations.is_empty(), "{violations:?}");
    assert!(mesh.is_closed());
}

/// The same simplified in memory.
fn whole(mesh: &TriangleMesh, faces: u32) -> TriangleMesh {
    let mut surface = Surface::new(&Device::cpu(), mesh, &MeshOptions::default()).expect("a surface");
    let target = Some(Target::Faces(faces));
    in_memory(&mut surface, &SimplifyOptions { target, ..SimplifyOptions::default() }).expect("a manifold");
    surface.download().expect("a mesh")
}

/// Simplifies by tiles and in memory, and compares the errors.
fn compare(input: &TriangleMesh, faces: u32, tile: u64) -> TilesReport {
    let folder = Folder::with(input);
    let report = folder.run(&folder.options(faces, tile)).expect("a manifold");
    let (tiled, whole) = (folder.mesh(), whole(input, faces));
    // each tile of the last level may leave one face less than it should
    let tiles = report.levels.last().map_or(1, |level| level.tiles);
    let missing = u64::from(faces).checked_sub(tiled.faces.len() as u64);
    assert!(missing.is_some_and(|missing| missing <= tiles), "{report:?}");
    assert_closed_manifold(&tiled);
    let [of_tiles, of_whole] = [&tiled, &whole].map(|mesh| apart(input, mesh).symmetric);
    eprintln!("{faces} faces, tiles of {tile}: {of_tiles:?}, in memory {of_whole:?}, {:?}", report.levels);
    for (a, b) in [(of_tiles.mean, of_whole.mean), (of_tiles.rms, of_whole.rms)] {
        assert!(a <= b.map(|b| 1.05 * b), "{of_tiles:?} {of_whole:?}");
    }
    assert!(!folder.path("work").exists());
    report
}

#[test]
fn as_good_as_in_memory_where_the_rest_fits() {
    let report = compare(&bumpy(6), 4_000, 4_000);
    assert!(report.levels.len() >= 2 && report.levels[0].tiles > 10, "{report:?}");
    assert_eq!(report.levels.last().map(|level| level.tiles), Some(1));
}

#[test]
fn as_good_as_in_memory_where_even_the_result_does_not_fit() {
    // 327,680 faces to a tenth, where tiles have 2,000 and 16,000 are the most at one time
    let report = compare(&bumpy(7), 32_768, 2_000);
    assert!(report.levels.iter().all(|level| level.tiles > 10), "{report:?}");
}

#[test]
fn what_fits_is_simplified_as_a_whole() {
    let report = compare(&bumpy(4), 500, 4_000);
    assert_eq!(report.levels.len(), 1);
}

#[test]
fn boundaries_stay_boundaries() {
    let folder = Folder::with(&shapes::grid(150, 3).expect("small"));
    folder.run(&folder.options(3_000, 3_000)).expect("a manifold");
    let mesh = folder.mesh();
    let device = Device::cpu();
    assert!(manifold_violations(&device, mesh.positions.len(), &mesh.faces).expect("indices").is_empty());
    // a disc whose corners are where they were
    let box_of = mesh.bounding_box().expect("faces");
    let known = read(folder.path("in.ply")).expect("a mesh").mesh;
    assert_eq!(Some(box_of), known.bounding_box());
    let euler = mesh.positions.len() as i64 - edges(&mesh) as i64 + mesh.faces.len() as i64;
    assert_eq!(euler, 1);
    assert!((mesh.area() / known.area() - 1.0).abs() < 1e-3, "{} {}", mesh.area(), known.area());
}

fn edges(mesh: &TriangleMesh) -> usize {
    let sides = mesh.faces.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    sides.map(|[a, b]| [a.min(b), a.max(b)]).collect::<std::collections::BTreeSet<_>>().len()
}

#[test]
fn coordinates_in_double_precision_keep_their_place() {
    let mut mesh = bumpy(5);
    let moved = mesh.positions.iter().map(|p| *p + ribbonmesh::glam::DVec3::new(4.5e6, 1.25e5 + 0.1, 0.0));
    mesh.positions = moved.collect();
    mesh.precision = ribbonmesh_mesh::Precision::Double;
    let folder = Folder::with(&mesh);
    folder.run(&folder.options(2_000, 2_000)).expect("a manifold");
    let far = apart(&mesh, &folder.mesh()).symmetric.hausdorff;
    assert!(far < 0.1, "{far}");
}

#[test]
fn workers_do_not_change_the_result() {
    let folder = Folder::with(&bumpy(5));
    let mut results = vec![];
    for workers in [1, 2, 5] {
        folder.run(&SimplifyTiles { workers, ..folder.options(3_000, 1_500) }).expect("a manifold");
        results.push(folder.bytes());
    }
    assert!(results.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn requests_are_refused_by_name() {
    let folder = Folder::with(&bumpy(4));
    let usual = folder.options(500, 1_000);
    let refused = |options: &SimplifyTiles| folder.run(options).expect_err("refused").to_string();
    assert!(
        refused(&SimplifyTiles { memory: 1, ..usual.clone() }).starts_with("memory is 1: 128000000 or more")
    );
    let tile = |faces| SimplifyTiles { tile_faces: Some(faces), ..usual.clone() };
    assert!(refused(&tile(10)).starts_with("tile faces is 10: 1000 or more"));
    assert!(refused(&tile(1 << 40)).contains("at most "));
    let ratio = SimplifyTiles { target: Target::Ratio(2.0), ..usual.clone() };
    assert!(refused(&ratio).contains("ratio"));
    // the folder of another request
    folder.run(&SimplifyTiles { keep: true, ..usual.clone() }).expect("a manifold");
    let other = folder.options(600, 1_000);
    assert!(refused(&other).contains("the folder has work on another set of options"));
    // a folder that is complete gives the result again
    let known = folder.bytes();
    let again = folder.run(&usual).expect("a result");
    assert!(again.resumed && folder.bytes() == known);
}

#[test]
fn defects_are_named_by_their_place() {
    let mut mesh = bumpy(5);
    let [a, b, c] = mesh.faces[7_000];
    mesh.faces[7_000] = [a, c, b];
    let folder = Folder::with(&mesh);
    let error = folder.run(&folder.options(2_000, 2_000)).expect_err("refused").to_string();
    let near = [a, b, c].map(|v| mesh.positions[v as usize].to_array());
    assert!(
        error.starts_with("an edge has more than two faces, or two that are turned differently, at ("),
        "{error}"
    );
    assert!(near.iter().any(|[x, y, z]| error.contains(&format!("({x}, {y}, {z})"))), "{error} {near:?}");
}

/// Runs in a process of its own, if one asks for it by the environment.
#[test]
fn child() {
    let Some(folder) = std::env::var_os("RIBBONMESH_TILES_FOLDER") else { return };
    let number = |name| std::env::var(name).expect("a variable").parse::<u32>().expect("a number");
    let folder = Path::new(&folder);
    let (faces, tile) = (number("RIBBONMESH_TILES_FACES"), number("RIBBONMESH_TILES_TILE"));
    let (memory, tile_faces, workers) = (128_000_000, (tile > 0).then_some(tile.into()), 2);
    let input = ["in.ply", "in.glb"].map(|name| folder.join(name)).into_iter().find(|path| path.exists());
    let (input, output, work) = (input.expect("an input"), folder.join("out.ply"), folder.join("work"));
    if faces <= 1 {
        let adaptive = (faces == 1).then(near);
        let options = RemeshTiles { adaptive, memory, tile_faces, workers, ..RemeshTiles::new(work) };
        remesh(&input, &output, &options, &mut drop).expect("a result");
        return;
    }
    let usual = SimplifyTiles::new(Target::Faces(faces), work);
    let options = SimplifyTiles { memory, tile_faces, workers, ..usual };
    simplify(&input, &output, &options, &mut drop).expect("a result");
}

/// A tolerance that takes several attempts of spheres.
fn near() -> Adaptive {
    Adaptive { tolerance: Length::Diagonal(0.001), ..Adaptive::default() }
}

/// A shell that becomes this program, and runs the test `child`: it remeshes where `faces` is 0, and to a
/// tolerance where it is 1.
fn start(folder: &Folder, limit: &str, faces: u32, tile: u32) -> Child {
    let program = std::env::current_exe().expect("a program");
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limit} exec '{}' --exact child --test-threads 1", program.display())]);
    command.env("RIBBONMESH_TILES_FOLDER", folder.0.path()).env("RAYON_NUM_THREADS", "2");
    command.env("RIBBONMESH_TILES_FACES", faces.to_string()).env("RIBBONMESH_TILES_TILE", tile.to_string());
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    command.spawn().expect("a shell")
}

#[cfg(unix)]
#[test]
fn a_run_that_was_killed_goes_on_with_the_same_bits() {
    let folder = Folder::with(&bumpy(6));
    killed(&folder, 6_000, 2_000);
}

#[cfg(unix)]
#[test]
fn a_run_of_remeshing_that_was_killed_goes_on_with_the_same_bits() {
    let folder = Folder::with(&bumpy(5));
    killed(&folder, 0, 3_000);
}

#[cfg(unix)]
#[test]
fn attempts_that_were_killed_go_on_with_the_same_bits() {
    let folder = Folder::with(&bumpy(5));
    killed(&folder, 1, 3_000);
}

#[cfg(unix)]
fn killed(folder: &Folder, faces: u32, tile: u32) {
    let started = std::time::Instant::now();
    assert!(start(folder, "", faces, tile).wait().expect("an end").success());
    let whole = started.elapsed();
    let known = folder.bytes();
    // at other moments in each trial, in parts of a run's time on this machine
    for mut first in [0.06, 0.11].map(|part| whole.mul_f64(part)) {
        loop {
            std::fs::remove_file(folder.path("out.ply")).expect("an output");
            let kills = run_with_kills(folder, faces, tile, first);
            assert!(folder.bytes() == known, "{first:?}: after {kills} kills");
            if kills >= 2 {
                break;
            }
            // the machine had other work during the whole run, and less now
            first /= 4;
        }
    }
}

/// Runs until a run comes to its end, kills the others after `first`, then later and later; their number.
#[cfg(unix)]
fn run_with_kills(folder: &Folder, faces: u32, tile: u32, first: Duration) -> u32 {
    let mut kills = 0_u32;
    loop {
        let mut child = start(folder, "", faces, tile);
        sleep(first.mul_f64(1.4_f64.powf(kills.into())));
        if let Some(status) = child.try_wait().expect("a state") {
            assert!(status.success());
            return kills;
        }
        child.kill().expect("SIGKILL");
        child.wait().expect("an end");
        kills += 1;
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded_by_the_operating_system() {
    // 1,310,720 faces: 24 MB as a file, and some 300 MB to simplify in memory; data of 128 MB are allowed
    let mesh = bumpy(8);
    let folder = Folder::with(&mesh);
    let limit = "ulimit -d 125000;";
    assert!(start(&folder, limit, 20_000, 0).wait().expect("an end").success());
    let small = folder.mesh();
    assert_eq!(small.faces.len(), 20_000);
    assert_closed_manifold(&small);
    // rows of GLB whose keys do not fit: they are welded by parts
    let known = folder.bytes();
    std::fs::remove_file(folder.path("in.ply")).expect("an input");
    write(folder.path("in.glb"), &mesh, &WriteOptions::default()).expect("a file");
    assert!(start(&folder, limit, 20_000, 0).wait().expect("an end").success());
    assert!(folder.bytes() == known);
}
