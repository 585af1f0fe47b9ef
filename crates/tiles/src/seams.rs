//! Where tiles met, the result is as everywhere else.
use crate::disk;
use crate::gather::spans;
use crate::level::{Array, Level};
use crate::manifest::{Manifest, Request};
use crate::plan::Room;
use crate::simplify::{SimplifyTiles, read, step};
use glam::Vec3;
use ribbonmesh_io::{PlyStream, WriteOptions, write};
use ribbonmesh_mesh::shapes;
use ribbonmesh_remeshing::simplify::Target;
use std::collections::HashMap;

/// The vertices that several tiles of a level have.
fn borders(work: &std::path::Path, state: &Manifest) -> Vec<Vec3> {
    let Some(tiles) = &state.tiles else { return vec![] };
    let level = Level::new(work, state.level);
    let of_tile = |span: crate::gather::Span| {
        let [first, count] = span.vertices;
        let x: Vec<Vec3> = disk::read(&level.array(Array::Vertices), first, count as usize).expect("a file");
        let fixed: Vec<u8> = disk::read(&level.array(Array::Fixed), first, count as usize).expect("a file");
        x.into_iter().zip(fixed).filter(|&(_, fixed)| fixed != 0).map(|(p, _)| p)
    };
    spans(tiles).into_iter().flat_map(of_tile).collect()
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

/// Simplifies a sphere, and compares edges at the borders of each level with all others: lengths, and angles,
/// may differ by these parts.
fn compare(faces: u32, tile: u64, [of_lengths, of_angles]: [f32; 2]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("in.ply");
    write(&path, &shapes::bumpy_sphere(6, 1).expect("small"), &WriteOptions::default()).expect("a file");
    let usual = SimplifyTiles::new(Target::Faces(faces), folder.path().join("work"));
    let options = SimplifyTiles { tile_faces: Some(tile), workers: 2, ..usual };
    std::fs::create_dir_all(&options.work).expect("a folder");
    let room = Room::new(options.memory, options.tile_faces).expect("enough");
    let request = Request::new(&path, String::new()).expect("a file");
    let mut state = read(&PlyStream::open(&path).expect("a mesh"), &options, request).expect("a mesh");
    let mut old = vec![];
    while !state.complete {
        step(&mut state, &options, &room, &mut drop).expect("a manifold");
        let found = borders(&options.work, &state);
        old.extend((!found.is_empty()).then_some(found));
    }
    let level = Level::new(&options.work, state.level);
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
        let near = |m: &Vec3| border.iter().any(|p| p.distance_squared(*m) < 0.25 * mean * mean);
        let (at, elsewhere): (Vec<_>, Vec<_>) = edges.iter().partition(|(middle, _)| near(middle));
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

#[test]
fn no_seams_where_the_rest_fits() {
    compare(8_192, 6_000, [0.02, 0.07]);
}

#[test]
fn seams_are_bounded_where_even_the_result_does_not_fit() {
    // tiny tiles: a third of all edges are at borders
    compare(24_000, 1_000, [0.25, 0.1]);
}
