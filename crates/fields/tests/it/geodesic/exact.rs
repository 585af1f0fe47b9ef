//! Tests of exact distances and shortest paths against closed forms, references, and properties of all of
//! them.
mod oracle;
mod parts;
use parts::Part;
use ribbonmesh::Error;
use ribbonmesh::glam::{DVec2, DVec3, Vec3};
use ribbonmesh_fields::geodesic::exact::{Exact, GeodesicPath, Place};
use ribbonmesh_io::Format;
use ribbonmesh_mesh::shapes;
use std::f64::consts::{PI, TAU};

fn solve(part: &Part, sources: &[u32]) -> Exact {
    let mut exact = Exact::new(&part.0, &part.1).expect("a mesh");
    exact.run(sources).expect("distances");
    exact
}
fn near(a: f64, b: f64, tolerance: f64) -> bool {
    a == b || (a - b).abs() <= tolerance * a.max(b)
}
fn shape(mesh: Result<ribbonmesh_mesh::TriangleMesh, shapes::ShapeError>) -> Part {
    let mesh = mesh.expect("small");
    (mesh.positions, mesh.faces)
}
fn scan() -> Part {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/scans/nefertiti.ply");
    let mesh = ribbonmesh_io::read(std::path::Path::new(file)).expect("a scan").mesh;
    (mesh.positions, mesh.faces)
}
fn all() -> Vec<(&'static str, Part)> {
    vec![
        ("plate", parts::plate(4, 3, 10)),
        ("thick plate", parts::thick_plate(3, 2, 12)),
        ("grid plate", parts::grid_plate(24, 6, 3, 1.0)),
        ("stretched grid plate", parts::grid_plate(24, 6, 4, 5.0)),
        ("bracket", parts::bracket()),
        ("gear", parts::gear(12)),
        ("cube", parts::cube()),
        ("bumpy sphere", shape(shapes::bumpy_sphere(3, 4))),
        ("knot", shape(shapes::torus_knot(2, 3, 8, 60))),
        ("Möbius strip", shape(shapes::mobius(40, 5))),
    ]
}

#[test]
fn references() {
    let files: [(&str, &[u8]); 6] = [
        ("sphere", include_bytes!("exact/sphere.ply")),
        ("bumpy sphere", include_bytes!("exact/bumpy-sphere.ply")),
        ("torus", include_bytes!("exact/torus.ply")),
        ("grid", include_bytes!("exact/grid.ply")),
        ("knot", include_bytes!("exact/knot.ply")),
        ("mobius", include_bytes!("exact/mobius.ply")),
    ];
    for (name, bytes) in files {
        let mesh = ribbonmesh_io::read_from(bytes, Format::Ply, name).expect("a mesh").mesh;
        let column = mesh.vertices().column("distance").expect("distances").scalars();
        let found = solve(&(mesh.positions.clone(), mesh.faces.clone()), &[0]);
        for (v, d) in found.distances().iter().enumerate() {
            let expected = column.as_f64(v).expect("a number");
            assert!(near(*d, expected, 1e-6), "vertex {v} of {name}: {d}, {expected}");
        }
    }
}

#[test]
fn plane_with_holes() {
    // straight lines between the source, the holes' corners and the target
    let (n, period, hole, stretch) = (24, 6, 3, 2.0);
    let part = parts::grid_plate(n, period, hole, stretch);
    let grid = |p: DVec3| DVec2::new(p.x * n as f64 / stretch, p.y * n as f64).round();
    let first = (period - hole) / 2;
    let corners = |i: usize| (i * period + first) as f64;
    let holes: Vec<DVec2> =
        (0..16).map(|i| DVec2::new(corners(i % (n / period)), corners(i / (n / period)))).collect();
    let clear = |p: DVec2, q: DVec2| {
        holes.iter().all(|h| {
            let (mut from, mut to, d) = (0.0f64, 1.0f64, q - p);
            for k in 0..2 {
                let (low, high) = (h[k] - p[k], h[k] + hole as f64 - p[k]);
                if d[k] == 0.0 {
                    if low >= 0.0 || high <= 0.0 {
                        return true;
                    }
                } else {
                    from = from.max((low / d[k]).min(high / d[k]));
                    to = to.min((low / d[k]).max(high / d[k]));
                }
            }
            from >= to - 1e-12
        })
    };
    let length = |p: DVec2, q: DVec2| ((q - p) * DVec2::new(stretch, 1.0) / n as f64).length();
    let size = hole as f64;
    let at = |h: &DVec2| [(0.0, 0.0), (size, 0.0), (0.0, size), (size, size)].map(|c| *h + DVec2::from(c));
    for source in [0, 100] {
        let mut nodes = vec![grid(part.0[source])];
        nodes.extend(holes.iter().flat_map(at));
        let mut distances = vec![f64::INFINITY; nodes.len()];
        distances[0] = 0.0;
        let mut open: Vec<usize> = (0..nodes.len()).collect();
        while !open.is_empty() {
            open.sort_by(|a, b| distances[*b].total_cmp(&distances[*a]));
            let i = open.pop().expect("a node");
            for &j in &open {
                if clear(nodes[i], nodes[j]) {
                    distances[j] = distances[j].min(distances[i] + length(nodes[i], nodes[j]));
                }
            }
        }
        let found = solve(&part, &[source as u32]);
        for (v, d) in found.distances().iter().enumerate() {
            let target = grid(part.0[v]);
            let seen = nodes.iter().zip(&distances).filter(|(node, _)| clear(**node, target));
            let expected = seen.map(|(node, d)| d + length(*node, target)).fold(f64::INFINITY, f64::min);
            assert!(near(*d, expected, 1e-12), "vertex {v} from {source}: {d}, {expected}");
        }
    }
}

#[test]
fn cylinder_unfolded() {
    // a prism without ends, of squares cut in two
    let (sides, rows, width, height) = (9, 12, 0.7, 0.25);
    let radius = width / (2.0 * (PI / sides as f64).sin());
    let at = |i: usize| {
        let angle = TAU * (i % sides) as f64 / sides as f64;
        DVec3::new(radius * angle.cos(), radius * angle.sin(), height * (i / sides) as f64)
    };
    let faces = (0..sides * (rows - 1)).flat_map(|i| {
        let (row, column) = (i / sides * sides, i % sides);
        let (a, b) = ((row + column) as u32, (row + (column + 1) % sides) as u32);
        [[a, b, b + sides as u32], [a, b + sides as u32, a + sides as u32]]
    });
    let part: Part = ((0..sides * rows).map(at).collect(), faces.collect());
    for source in [0, 40] {
        let found = solve(&part, &[source as u32]);
        for (v, d) in found.distances().iter().enumerate() {
            let steps = (v % sides).abs_diff(source % sides);
            let around = width * steps.min(sides - steps) as f64;
            let along = height * (v / sides).abs_diff(source / sides) as f64;
            assert!(near(*d, around.hypot(along), 1e-12), "{v} from {source}: {d}");
        }
    }
}

/// Rings of `n` places around an apex in the origin, the inner of length 1, with `angle` between neighbours
/// measured at the apex. They are on a round cone if the angles add up to less than a full turn; otherwise
/// they go up and down.
fn cone(n: usize, angle: f64, rings: usize) -> Part {
    let chord = 2.0 * (angle / 2.0).sin();
    let flat = |lift: f64| (1.0 - lift * lift).max(0.0).sqrt();
    let place =
        |lift: f64, i: usize| (flat(lift) * DVec2::from_angle(TAU * i as f64 / n as f64)).extend(lift);
    let round = chord / (2.0 * (PI / n as f64).sin());
    let corner: Vec<DVec3> = if round <= 1.0 {
        (0..n).map(|i| place(flat(round), i)).collect()
    } else {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..100 {
            let lift = 0.5 * (low + high);
            let less = place(lift, 0).distance(place(-lift, 1)) < chord;
            (low, high) = if less { (lift, high) } else { (low, lift) };
        }
        (0..n).map(|i| place(if i.is_multiple_of(2) { low } else { -low }, i)).collect()
    };
    let mut positions = vec![DVec3::ZERO];
    positions.extend((1..=rings).flat_map(|ring| corner.iter().map(move |p| *p * ring as f64)));
    let id = |ring: usize, i: usize| (1 + (ring - 1) * n + i % n) as u32;
    let mut faces: Vec<[u32; 3]> = (0..n).map(|i| [0, id(1, i), id(1, i + 1)]).collect();
    for ring in 1..rings {
        for i in 0..n {
            let [a, b, c, d] = [id(ring, i), id(ring, i + 1), id(ring + 1, i), id(ring + 1, i + 1)];
            faces.extend([[a, c, d], [a, d, b]]);
        }
    }
    (positions, faces)
}

#[test]
fn cone_unfolded() {
    // round, flat, and with more than a full turn around the apex
    for (n, angle) in [(12, 0.3), (24, 0.1), (8, TAU / 8.0), (12, 0.7), (20, 0.6)] {
        let (rings, source) = (4, 1 + n as u32 + 1);
        let found = solve(&cone(n, angle, rings), &[source]);
        for ring in 1..=rings {
            for i in 0..n {
                let steps = i.abs_diff(1).min(n - i.abs_diff(1));
                let (a, b, turn) = (2.0, ring as f64, steps as f64 * angle);
                let straight = (a * a + b * b - 2.0 * a * b * turn.cos()).sqrt();
                // otherwise the path passes through the apex
                let expected = if turn < PI { straight } else { a + b };
                let d = found.distances()[1 + (ring - 1) * n + i];
                assert!(near(d, expected, 1e-9), "{n} × {angle}: ring {ring}, {i}: {d}, {expected}");
            }
        }
    }
}

#[test]
fn cube() {
    let found = solve(&parts::cube(), &[0]);
    let mut distances = found.distances().to_vec();
    distances.sort_by(f64::total_cmp);
    let (one, two, five) = (1.0, 2f64.sqrt(), 5f64.sqrt());
    for (d, expected) in distances.iter().zip([0.0, one, one, one, two, two, two, five]) {
        assert!(near(*d, expected, 1e-15), "{d}, {expected}");
    }
}

/// Lengths along edges are an upper bound, straight lines in space a lower bound; along one edge both apply.
#[test]
fn bounds() {
    for (name, part) in all().into_iter().chain([("scan", scan())]) {
        let n = part.0.len() as u32;
        let sources = [n / 3];
        let exact = solve(&part, &sources);
        let d = exact.distances();
        let x: Vec<Vec3> = part.0.iter().map(|p| p.as_vec3()).collect();
        let most = if n < 3000 {
            oracle::along_edges(&x, &part.1, &sources)
        } else {
            vec![f64::INFINITY; n as usize]
        };
        for v in 0..n as usize {
            let least = part.0[v].distance(part.0[sources[0] as usize]);
            assert!(d[v] >= least * (1.0 - 1e-12), "{name}: vertex {v}: {}, {least}", d[v]);
            assert!(d[v] <= most[v] * (1.0 + 1e-6), "{name}: vertex {v}: {}, {}", d[v], most[v]);
        }
        for f in &part.1 {
            for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                let (a, b) = (f[a] as usize, f[b] as usize);
                let length = part.0[a].distance(part.0[b]);
                assert!((d[a] - d[b]).abs() <= length * (1.0 + 1e-9), "{name}: edge {a} {b}");
            }
        }
    }
}

#[test]
fn the_same_there_and_back() {
    for (name, part) in all() {
        let n = part.0.len() as u32;
        for (a, b) in [(0, n - 1), (n / 2, n / 5), (1, n / 3)] {
            let there = solve(&part, &[a]).distances()[b as usize];
            let back = solve(&part, &[b]).distances()[a as usize];
            assert!(near(there, back, 1e-11), "{name}: {a} to {b}: {there}, back {back}");
        }
    }
}

#[test]
fn the_nearest_of_several_sources() {
    for (name, part) in all() {
        let n = part.0.len() as u32;
        let sources = [n - 1, n / 2, 0, n / 2];
        let mut exact = Exact::new(&part.0, &part.1).expect("a mesh");
        let report = exact.run(&sources).expect("distances");
        assert_eq!((report.sources, report.reached, report.unreachable), (3, n as usize, 0), "{name}");
        let alone = sources.map(|s| solve(&part, &[s]));
        for v in 0..n as usize {
            let expected = alone.iter().map(|e| e.distances()[v]).fold(f64::INFINITY, f64::min);
            let found = exact.distances()[v];
            assert!(near(found, expected, 1e-11), "{name}: vertex {v}: {found}, {expected}");
        }
    }
}

/// Whether two places are in one face.
fn in_a_face(faces: &[[u32; 3]], a: &Place, b: &Place) -> bool {
    let corners = |p: &Place| match p {
        Place::Vertex(v) => vec![*v],
        Place::Edge(ends, _) => ends.to_vec(),
    };
    let both = [corners(a), corners(b)].concat();
    faces.iter().any(|f| both.iter().all(|v| f.contains(v)))
}

#[test]
fn paths_have_the_length_of_the_distance() {
    for (name, part) in all().into_iter().chain([("scan", scan())]) {
        let n = part.0.len();
        let exact = solve(&part, &[n as u32 / 4, 1]);
        for v in (0..n).step_by((n / 100).max(1)) {
            let path: GeodesicPath = exact.path_to(v as u32).expect("a path");
            let d = exact.distances()[v];
            assert!(near(path.length(), d, 1e-9), "{name}: to {v}: {}, {d}", path.length());
            assert_eq!(path.places.last(), Some(&Place::Vertex(v as u32)), "{name}");
            assert!(path.source().is_some_and(|s| [n as u32 / 4, 1].contains(&s)), "{name}");
            for pair in path.places.windows(2) {
                assert!(in_a_face(&part.1, &pair[0], &pair[1]), "{name}: to {v}: {pair:?}");
            }
        }
    }
}

#[test]
fn three_sheets_at_an_edge() {
    // strips of squares that share their first column of vertices
    let (rows, columns, sheets) = (8, 4, 3);
    let id = |sheet: usize, i: usize, j: usize| {
        if i == 0 { j as u32 } else { (rows + (sheet * columns + i - 1) * rows + j) as u32 }
    };
    let mut positions = vec![DVec3::ZERO; rows + sheets * columns * rows];
    let mut faces = vec![];
    for sheet in 0..sheets {
        let direction = DVec2::from_angle(TAU * sheet as f64 / sheets as f64);
        for i in 0..=columns {
            for j in 0..rows {
                positions[id(sheet, i, j) as usize] = (direction * i as f64).extend(j as f64);
                if i < columns && j + 1 < rows {
                    let [a, b] = [id(sheet, i, j), id(sheet, i + 1, j)];
                    let [c, d] = [id(sheet, i, j + 1), id(sheet, i + 1, j + 1)];
                    faces.extend(if sheet == 1 { [[a, d, b], [a, c, d]] } else { [[a, b, d], [a, d, c]] });
                }
            }
        }
    }
    let source = id(0, 3, 1);
    let part = (positions, faces);
    let exact = solve(&part, &[source]);
    for sheet in 0..sheets {
        for i in 0..=columns {
            for j in 0..rows {
                let v = id(sheet, i, j);
                let across = if sheet == 0 { (i as f64 - 3.0).abs() } else { i as f64 + 3.0 };
                let expected = across.hypot(j as f64 - 1.0);
                let found = exact.distances()[v as usize];
                assert!(near(found, expected, 1e-12), "sheet {sheet}, {i}, {j}: {found}, {expected}");
                let length = exact.path_to(v).expect("a path").length();
                assert!(near(length, expected, 1e-9), "sheet {sheet}, {i}, {j}: path of {length}");
            }
        }
    }
}

#[test]
fn faces_without_area_and_without_neighbours() {
    // a square whose halves are joined by a face without area, at a vertex in the middle of the diagonal
    let mut positions: Vec<DVec3> = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.5, 0.5)]
        .map(|(x, y)| DVec3::new(x, y, 0.0))
        .into();
    let mut faces = vec![[0, 1, 2], [0, 2, 4], [0, 4, 3], [4, 2, 3]];
    let n = positions.len();
    // faces that do not count, isolated vertices, another component, a position that is not a number
    positions.extend([DVec3::splat(2.0), DVec3::splat(3.0), DVec3::splat(4.0), DVec3::NAN, DVec3::X]);
    faces.extend([[0, 0, 1], [1, 1, 1], [6, 7, 9], [0, 1, 8]]);
    let part = (positions, faces);
    for source in 0..n as u32 {
        let exact = solve(&part, &[source]);
        for v in 0..n {
            let expected = part.0[v].distance(part.0[source as usize]);
            let found = exact.distances()[v];
            assert!(near(found, expected, 1e-12), "{v} from {source}: {found}, {expected}");
            assert!(near(exact.path_to(v as u32).expect("a path").length(), expected, 1e-9));
        }
        assert!(exact.distances()[n..].iter().all(|d| *d == f64::INFINITY), "{:?}", exact.distances());
        assert!(exact.path_to(n as u32).is_none() && exact.path_to(99).is_none());
    }
}

#[test]
fn edges_of_faces_that_have_a_vertex_twice() {
    // two triangles, joined by a face that is an edge
    let at = |x: f64, y: f64| DVec3::new(x, y, 0.0);
    let positions = vec![at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0), at(3.0, 0.0), at(4.0, 0.0), at(3.0, 1.0)];
    let exact = solve(&(positions, vec![[0, 1, 2], [3, 4, 5], [1, 3, 3]]), &[2]);
    let expected = [1.0, 2f64.sqrt(), 0.0, 2f64.sqrt() + 2.0, 2f64.sqrt() + 3.0, 2f64.sqrt() + 3.0];
    for (v, (d, expected)) in exact.distances().iter().zip(expected).enumerate() {
        assert!(near(*d, expected, 1e-15), "{v}: {d}, {expected}");
        assert!(near(exact.path_to(v as u32).expect("a path").length(), expected, 1e-15));
    }
}

#[test]
fn refused() {
    let (positions, faces) = parts::cube();
    let mut exact = Exact::new(&positions, &faces).expect("a mesh");
    assert!(matches!(exact.run(&[]), Err(Error::Option { option: "source", .. })));
    assert!(matches!(exact.run(&[0, 8]), Err(Error::Option { option: "source", .. })));
    assert!(exact.run(&[7]).is_ok());
    let bad = Exact::new(&positions, &[[0, 1, 2], [3, 4, 8]]);
    assert!(matches!(bad, Err(Error::IndexOutOfRange { face: 1, vertex: 8, vertices: 8 })));
    assert!(Exact::new(&[], &[]).is_ok());
}
