//! Where tiles met, the result is as everywhere else.
use crate::Job;
use crate::disk;
use crate::gather::spans;
use crate::level::{Array, Level};
use crate::manifest::Manifest;
use crate::remesh::RemeshTiles;
use crate::run::Run;
use crate::simplify::SimplifyTiles;
use glam::Vec3;
use ribbonmesh_io::{WriteOptions, write};
use ribbonmesh_mesh::shapes;
use ribbonmesh_remeshing::remesh::{Adaptive, Length};
use ribbonmesh_remeshing::simplify::Target;
use std::collections::HashMap;
use std::path::PathBuf;

/// The vertices that several tiles of a level have, and those of one tile.
fn borders(level: &Level, state: &Manifest) -> [Vec<Vec3>; 2] {
    let mut found = [vec![], vec![]];
    for span in spans(state.tiles.as_deref().unwrap_or_default()) {
        let [first, count] = span.vertices;
        let x: Vec<Vec3> = disk::read(&level.array(Array::Vertices), first, count as usize).expect("a file");
        let fixed: Vec<u8> = disk::read(&level.array(Array::Fixed), first, count as usize).expect("a file");
        x.into_iter().zip(fixed).for_each(|(p, fixed)| found[usize::from(fixed == 0)].push(p));
    }
    found
}

/// Points by the cells of a grid.
struct Near {
    side: f32,
    cells: HashMap<[i32; 3], Vec<Vec3>>,
}
impl Near {
    fn new(points: &[Vec3], side: f32) -> Self {
        let mut cells: HashMap<_, Vec<Vec3>> = HashMap::new();
        points.iter().for_each(|&p| cells.entry(Self::cell(p, side)).or_default().push(p));
        Self { side, cells }
    }
    fn cell(p: Vec3, side: f32) -> [i32; 3] {
        (p / side).floor().as_ivec3().to_array()
    }
    /// Whether a point is as near as a cell is long.
    fn has(&self, p: Vec3) -> bool {
        let [i, j, k] = Self::cell(p, self.side);
        let around = (0..27).map(|n| [i + n % 3 - 1, j + n / 3 % 3 - 1, k + n / 9 - 1]);
        let near = |q: &Vec3| q.distance_squared(p) < self.side * self.side;
        around.filter_map(|cell| self.cells.get(&cell)).flatten().any(near)
    }
}

/// Mean and root mean square of lengths of edges, and of angles between normals of faces at edges.
fn statistics<'a>(edges: impl Iterator<Item = &'a [f32; 2]>) -> [f32; 4] {
    let (mut n, mut sums) = (0.0, [0.0; 4]);
    for &[length, angle] in edges {
        n += 1.0;
        for (sum, value) in sums.iter_mut().zip([length, length * length, angle, angle * angle]) {
            *sum += value;
        }
    }
    let [a, b, c, d] = sums.map(|sum: f32| sum / n);
    [a, b.sqrt(), c, d.sqrt()]
}

/// Works on a sphere, and compares edges at the borders of each level with others: lengths, and angles, may
/// differ by these parts. Short edges are nearer to vertices than long ones; so the others are those that are
/// as near to vertices of the same level inside of tiles.
fn compare(job: impl FnOnce(PathBuf) -> Job, [of_lengths, of_angles]: [f32; 2]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("in.ply");
    write(&path, &shapes::bumpy_sphere(6, 1).expect("small"), &WriteOptions::default()).expect("a file");
    let work = folder.path().join("work");
    let mut run = Run::open(&path, &folder.path().join("out.ply"), job(work)).expect("a mesh");
    let (mut old, mut last) = (vec![], None);
    while run.round(&mut drop).expect("a manifold").is_some() {
        // a level may have two rounds
        if last != Some(run.state.level) {
            let found = borders(&run.level(), &run.state);
            old.extend((!found[0].is_empty()).then_some(found));
            last = Some(run.state.level);
        }
        run.work(2).expect("a manifold");
    }
    let (state, level) = (&run.state, run.level());
    let x: Vec<Vec3> = disk::read(&level.vertices(), 0, state.sizes.vertices as usize).expect("a file");
    let triangles: Vec<[u32; 3]> = disk::read(&level.faces(), 0, state.sizes.faces as usize).expect("a file");
    let normal = |f: usize| {
        let [a, b, c] = triangles[f].map(|v| x[v as usize]);
        (b - a).cross(c - a).normalize_or_zero()
    };
    let mut sides = HashMap::new();
    let mut edges = vec![];
    for (f, &[a, b, c]) in triangles.iter().enumerate() {
        for (v, w) in [(a, b), (b, c), (c, a)] {
            sides.insert((v, w), f);
            if let Some(&g) = sides.get(&(w, v)) {
                let (p, q) = (x[v as usize], x[w as usize]);
                let angle = normal(f).dot(normal(g)).clamp(-1.0, 1.0).acos();
                edges.push((0.5 * (p + q), [p.distance(q), angle]));
            }
        }
    }
    assert_eq!(2 * edges.len(), 3 * triangles.len());
    let [mean, ..] = statistics(edges.iter().map(|(_, edge)| edge));
    for (i, border) in old.iter().enumerate() {
        let [border, inside] = border.each_ref().map(|points| Near::new(points, 0.5 * mean));
        let (at, others): (Vec<_>, Vec<_>) = edges.iter().partition(|(middle, _)| border.has(*middle));
        let elsewhere: Vec<_> = others.into_iter().filter(|(middle, _)| inside.has(*middle)).collect();
        let of = |edges: &[(Vec3, [f32; 2])]| statistics(edges.iter().map(|(_, edge)| edge));
        let (here, there) = (of(&at), of(&elsewhere));
        eprintln!(
            "level {i}, {} edges at borders: {here:?}, {} elsewhere: {there:?}",
            at.len(),
            elsewhere.len()
        );
        let tolerances = [of_lengths, of_lengths, of_angles, of_angles];
        for ((a, b), tolerance) in here.into_iter().zip(there).zip(tolerances) {
            assert!((a / b - 1.0).abs() < tolerance, "level {i}: {here:?} {there:?}");
        }
    }
    assert!(!old.is_empty());
}

fn simplified(faces: u32, tile: u64, tolerances: [f32; 2]) {
    let job = |work| {
        let usual = SimplifyTiles::new(Target::Faces(faces), work);
        SimplifyTiles { tile_faces: Some(tile), workers: 2, ..usual }.into()
    };
    compare(job, tolerances);
}

fn remeshed(length: f32, tile: u64, tolerances: [f32; 2]) {
    remeshed_to(None, length, tile, tolerances);
}

fn remeshed_to(adaptive: Option<Adaptive>, length: f32, tile: u64, tolerances: [f32; 2]) {
    let job = |work| {
        let length = Length::Mean(length);
        RemeshTiles { length, adaptive, tile_faces: Some(tile), workers: 2, ..RemeshTiles::new(work) }.into()
    };
    compare(job, tolerances);
}

#[test]
fn no_seams_where_the_rest_fits() {
    simplified(8_192, 6_000, [0.02, 0.07]);
}

#[test]
fn seams_are_bounded_where_even_the_result_does_not_fit() {
    // tiny tiles: a third of all edges are at borders
    simplified(24_000, 1_000, [0.08, 0.06]);
}

#[test]
fn even_triangles_have_no_seams() {
    remeshed(1.0, 2_000, [0.02, 0.04]);
}

#[test]
fn lengths_of_smaller_triangles_have_no_seams() {
    // edges of the first borders are split by the second level alone
    remeshed(0.5, 4_000, [0.02, 0.12]);
}

#[test]
fn lengths_by_curvature_have_no_seams() {
    // one attempt: others begin with lengths that depend on the first
    let adaptive = Adaptive { refinements: 0, ..Adaptive::default() };
    remeshed_to(Some(adaptive), 1.0, 3_000, [0.03, 0.06]);
}
