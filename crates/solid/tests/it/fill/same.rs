//! Filling on devices finds what a sequential search finds, and gives the same on a surface as on the host.
use glam::{DVec2, DVec3, Vec2, Vec3};
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_mesh::{
    ColourSpace, Column, Element, Policy, Precision, Role, TriangleMesh, UnionFind, shapes,
};
use ribbonmesh_solid::fill::{
    FillError, FillOptions, FillReport, Left, Method, Triangulation, fill_holes, fill_holes_where,
    fill_surface, holes,
};
use ribbonmesh_suite::{Random, cases, size, suite};
use std::collections::{BTreeMap, BTreeSet};

/// Two meshes as one, the second moved.
fn joined(a: &TriangleMesh, b: &TriangleMesh, by: DVec3) -> TriangleMesh {
    let mut both = a.clone();
    let mut other = b.clone();
    other.positions.iter_mut().for_each(|p| *p += by);
    other.precision = Precision::Double;
    both.append(&other).expect("appended");
    both
}

/// A shape of which vertices, faces, a slice or balls are gone, or which is not a manifold; some have
/// attributes.
fn damaged(i: u32, random: &mut Random) -> TriangleMesh {
    let mut mesh = match i % 9 {
        0 => shapes::icosphere(2 + random.below(2)).expect("small"),
        1 => shapes::bumpy_sphere(3, u64::from(i)).expect("small"),
        2 => shapes::grid(6 + random.below(20), u64::from(i)).expect("small"),
        3 => shapes::torus(8 + random.below(12), u64::from(i)).expect("small"),
        4 => shapes::torus_knot(2, 3, 8, 60).expect("small"),
        5 => joined(
            &shapes::icosphere(2).expect("small"),
            &shapes::grid(8, 1).expect("small"),
            DVec3::splat(0.4),
        ),
        6 => joined(
            &shapes::icosphere(2).expect("small"),
            &shapes::icosphere(2).expect("small"),
            DVec3::X * 0.05,
        ),
        7 => shapes::mobius(20, 4).expect("small"),
        _ => shapes::icosphere(4).expect("small"),
    };
    let n = mesh.faces.len() as u32;
    match (i / 9) % 6 {
        0 => {}
        1 => {
            for _ in 0..random.below(30) {
                let v = random.below(mesh.positions.len() as u32);
                mesh.faces.retain(|face| !face.contains(&v));
            }
        }
        2 => {
            let mut gone: Vec<u32> = (0..random.below(n / 3)).map(|_| random.below(n)).collect();
            gone.sort_unstable();
            gone.dedup();
            gone.iter().rev().for_each(|&face| _ = mesh.faces.remove(face as usize));
        }
        3 => {
            let (low, high) =
                (f64::from(random.below(100)) / 100.0 - 0.5, f64::from(random.below(50)) / 100.0);
            let places = mesh.positions.clone();
            mesh.faces.retain(|face| {
                let x = face.iter().map(|&v| places[v as usize].x).sum::<f64>() / 3.0;
                x < low || x > low + high
            });
        }
        4 => {
            let places = mesh.positions.clone();
            let at: Vec<DVec3> = (0..1 + random.below(6))
                .map(|_| places[random.below(places.len() as u32) as usize])
                .collect();
            let radius = 0.05 + f64::from(random.below(40)) / 100.0;
            mesh.faces.retain(|face| at.iter().all(|at| places[face[0] as usize].distance(*at) > radius));
        }
        _ => {
            for _ in 0..random.below(3) {
                let f = random.below(mesh.faces.len() as u32) as usize;
                let g = random.below(mesh.faces.len() as u32) as usize;
                match random.below(5) {
                    0 => mesh.faces[f].swap(0, 1),
                    1 => mesh.faces.push(mesh.faces[f]),
                    2 => mesh.faces[f][0] = mesh.faces[f][1],
                    3 => mesh.faces[f][0] = mesh.faces[g][1],
                    _ => mesh.positions[f % 7].x = f64::NAN,
                }
            }
            let v = random.below(mesh.positions.len() as u32);
            mesh.faces.retain(|face| !face.contains(&v));
        }
    }
    if i % 4 == 1 {
        let reds: Vec<[u8; 3]> =
            mesh.positions.iter().map(|p| [200, (100.0 + 50.0 * p.z) as u8, 255]).collect();
        let heights: Vec<f64> = mesh.positions.iter().map(|p| p.z).collect();
        let normals: Vec<Vec3> = mesh.positions.iter().map(|p| p.as_vec3().normalize_or_zero()).collect();
        let sides: Vec<u16> = mesh.positions.iter().map(|p| if p.x > 0.0 { 7 } else { 9 }).collect();
        let labels: Vec<u8> = (0..mesh.faces.len()).map(|f| f as u8).collect();
        let of_corners: Vec<u32> = mesh.faces.as_flattened().to_vec();
        let uv: Vec<Vec2> =
            of_corners.iter().map(|&v| mesh.positions[v as usize].truncate().as_vec2()).collect();
        let mut columns = mesh.vertices_mut();
        columns
            .insert_column(Column::with_role("colour", Role::Colour(ColourSpace::Srgb), reds))
            .expect("rows");
        columns.insert("height", heights.clone()).expect("rows");
        columns.insert("side", sides).expect("rows");
        columns.insert_column(Column::with_role("normal", Role::Normal, normals)).expect("rows");
        columns.insert_column(Column::new("scratch", heights).with_policy(Policy::Drop)).expect("rows");
        mesh.faces_of_mut().insert("label", labels).expect("rows");
        let mut columns = mesh.corners_mut();
        columns.insert("vertex", of_corners).expect("rows");
        columns.insert_column(Column::with_role("uv", Role::TextureCoordinate(0), uv)).expect("rows");
        if !mesh.faces.is_empty() {
            mesh.edges = vec![[mesh.faces[0][0], mesh.faces[0][1]]];
            mesh.edges_of_mut().insert("crease", vec![1_u8]).expect("rows");
        }
    }
    mesh
}

/// Options of all kinds.
fn options(i: u32, faces: usize) -> FillOptions {
    FillOptions {
        method: if i.is_multiple_of(3) && faces < 2000 { Method::Smooth } else { Method::Flat },
        up_to: (i % 7 == 3).then_some(8),
        perimeter: (i % 11 == 5).then_some(0.7),
        keep_largest: i % 5 == 2,
        borders: i % 2 == 1,
        rings: i % 4 != 2,
        join: (i % 8 == 6).then_some(0.3),
        exact_up_to: if i % 10 == 9 { 5 } else { 800 },
    }
}

/// Compares the filling of a mesh, and of its surface, with that of the host. Returns the report.
fn compare(
    device: &Device,
    mesh: &TriangleMesh,
    options: &FillOptions,
    name: &str,
) -> Result<FillReport, FillError> {
    let mut expected = mesh.clone();
    // holes that a function chooses are always filled on the host
    let of_host = fill_holes_where(&Device::cpu(), &mut expected, options, |_| true);
    let mut beside = mesh.clone();
    let found = fill_holes(device, &mut beside, options);
    let mut surface = Surface::new(device, mesh, &MeshOptions::default()).expect("uploaded");
    let of_surface = fill_surface(&mut surface, options);
    match (&of_host, &found, &of_surface) {
        (Ok(a), Ok(b), Ok(c)) => {
            assert_eq!(a, b, "{name}");
            assert_eq!(a, c, "{name}");
        }
        (Err(a), Err(b), Err(c)) => {
            assert_eq!(a.to_string(), b.to_string(), "{name}");
            assert_eq!(a.to_string(), c.to_string(), "{name}");
        }
        results => panic!("{name}: {results:?}"),
    }
    let filled = surface.download().expect("downloaded");
    assert_eq!(beside.faces, expected.faces, "{name}");
    assert_eq!(filled.faces, expected.faces, "{name}");
    // what is not a number does not equal itself
    let whole = expected.positions.iter().all(|p| p.is_finite());
    assert!(!whole || (beside == expected && filled == expected), "{name}");
    of_host
}

/// The loops by maps: for each its vertices from the first on, and the first vertex of its component. `None`
/// if a vertex is passed twice, so that the order matters.
fn loops(mesh: &TriangleMesh) -> Option<BTreeMap<u32, (Vec<u32>, u32)>> {
    let sides = |face: &[u32; 3]| [0, 1, 2].map(|i| (face[i], face[(i + 1) % 3]));
    let all: BTreeSet<(u32, u32)> = mesh.faces.iter().flat_map(sides).collect();
    let mut next = BTreeMap::new();
    for &(a, b) in all.iter().filter(|(a, b)| !all.contains(&(*b, *a))) {
        // against the direction of the side
        if next.insert(b, a).is_some() {
            return None;
        }
    }
    let mut components = UnionFind::new(mesh.positions.len());
    components.join_faces(&mesh.faces);
    let mut loops = BTreeMap::new();
    while let Some((first, mut at)) = next.pop_first() {
        let mut vertices = vec![first];
        while at != first {
            vertices.push(at);
            at = next.remove(&at)?;
        }
        loops.insert(first, (vertices, components.root(first)));
    }
    Some(loops)
}

/// The area of the faces of a component, and its extent along a direction.
fn measures(mesh: &TriangleMesh, component: u32, normal: DVec3) -> (f64, f64) {
    let mut components = UnionFind::new(mesh.positions.len());
    components.join_faces(&mesh.faces);
    let mut is = |v: u32| components.root(v) == component;
    let of_face = |face: &[u32; 3]| {
        let [a, b, c] = face.map(|v| mesh.positions[v as usize]);
        0.5 * (b - a).cross(c - a).length()
    };
    let area = mesh.faces.iter().filter(|face| is(face[0])).map(of_face).sum();
    let heights = (0..).zip(&mesh.positions).filter(|(v, _)| is(*v)).map(|(_, p)| p.dot(normal));
    let [low, high] = heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], h| [a.min(h), b.max(h)]);
    (area, high - low)
}

suite! {
    fn loops_and_components(device) {
        let (mut random, mut compared) = (Random(5), 0);
        for i in cases(0..120) {
            let mesh = damaged(i, &mut random);
            let (Ok(found), Some(expected)) = (holes(device, &mesh), loops(&mesh)) else { continue };
            assert_eq!(found.len(), expected.len(), "{i}");
            for (hole, (first, (vertices, component))) in found.iter().zip(&expected) {
                assert_eq!((hole.vertex, hole.edges), (*first, vertices.len()), "{i}");
                assert_eq!(hole.component, *component, "{i}");
            }
            compared += expected.len();
        }
        assert!(compared > size(30, 2), "{compared}");
    }
    fn outer_borders(device) {
        // a terrain whose relief grows, with a hole; beside it a ball without a cap
        let (mut borders, mut holes) = (0, 0);
        for i in cases(0..24) {
            let mut terrain = shapes::grid(20, 3).expect("small");
            let middle = terrain.positions.iter().map(|p| p.truncate()).sum::<DVec2>()
                / terrain.positions.len() as f64;
            terrain.positions.iter_mut().for_each(|p| p.z = 0.03 * f64::from(i) * (9.0 * p.x).sin() * p.y);
            let away = |v: &u32| terrain.positions[*v as usize].truncate().distance_squared(middle);
            let gone = (0..terrain.positions.len() as u32).min_by(|a, b| away(a).total_cmp(&away(b)));
            terrain.faces.retain(|face| !face.contains(&gone.expect("vertices")));
            let mut ball = shapes::icosphere(3).expect("small");
            let high = |v: u32, ball: &TriangleMesh| ball.positions[v as usize].z > 0.9;
            let whole = ball.clone();
            ball.faces.retain(|face| !face.iter().all(|&v| high(v, &whole)));
            let mesh = joined(&terrain, &ball, DVec3::splat(3.0));
            let mut filled = mesh.clone();
            let flat = FillOptions { method: Method::Flat, ..FillOptions::default() };
            let report = fill_holes(device, &mut filled, &flat).expect("a manifold");
            assert_eq!(report.holes.len(), 3, "{i}");
            let edge = loops(&mesh).expect("simple")[&0].0.clone();
            let places: Vec<DVec3> = edge.iter().map(|&v| mesh.positions[v as usize]).collect();
            let next = places.iter().cycle().skip(1);
            let across: DVec3 =
                0.5 * places.iter().zip(next).map(|(a, b)| (*a - places[0]).cross(*b - places[0])).sum::<DVec3>();
            let (area, extent) = measures(&mesh, 0, across.normalize());
            let radius = (across.length() / std::f64::consts::PI).sqrt();
            let open = area <= 2.0 * across.length() && extent <= 0.8 * radius;
            assert!(!open || report.holes[0].left == Some(Left::Border), "{i}");
            assert!(open || report.holes[0].left.is_none(), "{i}");
            assert_eq!(report.holes[2].left, None);
            borders += usize::from(open);
            holes += usize::from(!open);
        }
        assert!(borders > 0 && holes > 0, "{borders} {holes}");
    }
    fn surfaces_are_filled_as_meshes(device) {
        let mut random = Random(6);
        for i in cases(0..108) {
            let mut mesh = damaged(i, &mut random);
            if i % 5 == 1 {
                mesh = TriangleMesh::from_f32(mesh.points_as_arrays(), mesh.faces);
            }
            let options = options(i, mesh.faces.len());
            let mut expected = mesh.clone();
            let report = fill_holes(&Device::cpu(), &mut expected, &options);
            let mut beside = mesh.clone();
            let on_device = fill_holes(device, &mut beside, &options);
            let mut surface = Surface::new(device, &mesh, &MeshOptions::default()).expect("uploaded");
            if i % 3 == 1 {
                // gives other ids, if it can
                _ = surface.patches();
            }
            let of_surface = fill_surface(&mut surface, &options);
            let filled = surface.download().expect("downloaded");
            match (report, on_device, of_surface) {
                (Ok(a), Ok(b), Ok(c)) => {
                    assert_eq!(a, b, "{i}");
                    assert_eq!(a, c, "{i}");
                }
                (Err(a), Err(b), Err(c)) => {
                    assert_eq!(a.to_string(), b.to_string());
                    assert_eq!(a.to_string(), c.to_string());
                }
                results => panic!("{i}: {results:?}"),
            }
            // what is not a number does not equal itself
            let whole = expected.positions.iter().all(|p| p.is_finite());
            assert!(!whole || beside == expected, "{i}");
            assert!(!whole || filled == expected, "{i}");
        }
    }
    fn flat_fillings_of_the_device(device) {
        let (mut random, mut exact, mut longest) = (Random(7), 0, 0);
        for i in cases(0..324) {
            let mut mesh = damaged(i, &mut random);
            if i % 3 > 0 {
                let columns = [Element::Vertex, Element::Face, Element::Corner];
                columns.into_iter().for_each(|element| mesh.attributes_mut(element).retain(|_| false));
            }
            if i % 5 == 1 {
                mesh = TriangleMesh::from_f32(mesh.points_as_arrays(), mesh.faces);
            }
            let options = FillOptions { method: Method::Flat, join: None, ..options(i, 2000) };
            let Ok(report) = compare(device, &mesh, &options, &i.to_string()) else { continue };
            let filled = report.holes.iter().filter(|hole| hole.filling.is_some());
            let fillings = filled.filter(|hole| {
                hole.filling.as_ref().is_some_and(|filling| filling.triangulation == Triangulation::Exact)
            });
            let edges: Vec<usize> = fillings.map(|hole| hole.hole.edges).collect();
            exact += edges.len();
            longest = edges.into_iter().chain([longest]).max().unwrap_or(0);
        }
        assert!(exact > size(500, 10) && longest > size(60, 5), "{exact} {longest}");
    }
    fn holes_of_all_lengths(device) {
        // bowls with rims of 3 to 140 edges that are not flat
        let mut random = Random(8);
        for n in cases(3..140) {
            let angle = |i: u32| 2.0 * std::f64::consts::PI * f64::from(i) / f64::from(n);
            let mut noise = || 0.4 * f64::from(random.below(1000)) / 1000.0;
            let mut positions = vec![DVec3::new(0.1, 0.2, -2.0)];
            positions.extend((0..n).map(|i| {
                let (x, y) = (angle(i).cos(), angle(i).sin());
                DVec3::new(x + noise(), y + noise(), noise())
            }));
            let faces = (0..n).map(|i| [0, 1 + (i + 1) % n, 1 + i]).collect();
            let mesh = TriangleMesh::new(positions, faces);
            let borders = FillOptions { method: Method::Flat, borders: true, ..FillOptions::default() };
            let report = compare(device, &mesh, &borders, &n.to_string()).expect("a manifold");
            assert_eq!((report.filled, report.faces_added), (1, n as usize - 2), "{n}");
        }
    }
    fn special_holes(device) {
        let flat = FillOptions { method: Method::Flat, borders: true, ..FillOptions::default() };
        // no holes; no faces; one face, whose outside gets a vertex; vertices that are not finite at a hole,
        // across from it, and nowhere
        let ball = shapes::icosphere(3).expect("small");
        assert_eq!(compare(device, &ball, &flat, "closed").expect("a manifold").holes.len(), 0);
        let empty = TriangleMesh::new(vec![DVec3::ZERO; 3], vec![]);
        assert_eq!(compare(device, &empty, &flat, "empty").expect("a manifold").holes.len(), 0);
        let one = TriangleMesh::new(vec![DVec3::X, DVec3::Y, DVec3::Z], vec![[0, 1, 2]]);
        let report = compare(device, &one, &flat, "one face").expect("a manifold");
        assert_eq!(report.vertices_added, 1);
        let mut open = ball.clone();
        open.faces.retain(|face| !face.contains(&100));
        let at_hole = (0..ball.positions.len() as u32).find(|v| {
            ball.faces.iter().any(|face| face.contains(v) && face.contains(&100)) && *v != 100
        });
        let at_hole = at_hole.expect("neighbours");
        let across = open.faces.iter().find(|face| face.contains(&at_hole));
        let across = *across.expect("faces").iter().find(|v| {
            !ball.faces.iter().any(|face| face.contains(v) && face.contains(&100))
        }).expect("a vertex beside the hole");
        for (v, value) in [(at_hole, f64::NAN), (across, f64::NAN), (across, f64::INFINITY), (100, f64::NAN)] {
            let mut broken = open.clone();
            broken.positions[v as usize].x = value;
            let report = compare(device, &broken, &flat, &format!("{v} at {value}"));
            assert_eq!(report.is_err(), v == at_hole, "{v}");
        }
        // far away and tiny, and holes of no extent
        for (scale, by) in [(1e-30, 0.0), (1e30, 0.0), (1.0, 1e9), (0.0, 3.0)] {
            let mut moved = open.clone();
            moved.precision = Precision::Double;
            moved.positions.iter_mut().for_each(|p| *p = *p * scale + DVec3::splat(by));
            compare(device, &moved, &flat, &format!("{scale} {by}")).expect("a manifold");
        }
    }
    fn many_holes(device) {
        for (fineness, every) in [(5, 40), (5, 7), (6, 100)] {
            let mut mesh = shapes::bumpy_sphere(size(fineness, 3), 1).expect("small");
            mesh.faces.retain(|face| face.iter().all(|v| v % every != 0));
            for flat in [false, true] {
                let borders = FillOptions { method: Method::Flat, borders: flat, ..FillOptions::default() };
                compare(device, &mesh, &borders, &format!("{fineness} {every}")).expect("a manifold");
            }
        }
    }
}
