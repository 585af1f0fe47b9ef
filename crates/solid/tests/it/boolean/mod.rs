//! Tests of Booleans: volumes by counting cubes, identities of volumes, results that are closed and free of
//! intersections.
use glam::{DMat3, DVec3};
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_mesh::SplitMix64 as Random;
use ribbonmesh_mesh::{Element, Role, Scalars, TriangleMesh, shapes};
use ribbonmesh_solid::boolean::{
    BooleanError, BooleanOptions, BooleanReport, INPUT_FACE, INPUT_MESH, Operation, boolean, boolean_surface,
};
use ribbonmesh_solid::intersections::{Triangles, self_intersections};
use ribbonmesh_suite::{size, suite};

mod families;
mod mending;
mod pairs;

use pairs::{ALL, block, sound};

fn moved(mesh: &TriangleMesh, by: f64, way: DVec3) -> TriangleMesh {
    let mut moved = mesh.clone();
    moved.positions.iter_mut().for_each(|p| *p = (*p * by + way).as_vec3().as_dvec3());
    moved
}
fn volume(mesh: &TriangleMesh) -> f64 {
    mesh.volume().expect("closed")
}
/// Combines surfaces, with the same result as of meshes.
fn same_of_surfaces(
    device: &Device,
    meshes: &[TriangleMesh],
    operation: Operation,
    result: &(TriangleMesh, BooleanReport),
) {
    let options = BooleanOptions { operation, ..BooleanOptions::default() };
    let surface = |mesh| Surface::new(device, mesh, &MeshOptions::default()).expect("memory");
    let mut first = surface(&meshes[0]);
    let others = meshes[1..].iter().map(surface).collect();
    let report = boolean_surface(&mut first, others, &options).expect("combined");
    assert_eq!(report, result.1);
    let mesh = first.download().expect("memory");
    assert!(mesh == result.0, "{operation:?}");
}
/// Combines meshes, and makes the checks that hold for every result.
fn checked(device: &Device, meshes: &[TriangleMesh], operation: Operation) -> (TriangleMesh, BooleanReport) {
    let (mesh, report) = valid(device, meshes, operation);
    assert!(mesh.faces.is_empty() || volume(&mesh) > 0.0, "{operation:?} {:?} {report:?}", mesh.volume());
    (mesh, report)
}
/// The result of an operation: closed, an oriented manifold, without intersections, but maybe flat.
fn valid(device: &Device, meshes: &[TriangleMesh], operation: Operation) -> (TriangleMesh, BooleanReport) {
    sound(device, meshes, operation).expect("sound")
}
/// The volumes of all operations.
fn volumes(device: &Device, meshes: &[TriangleMesh]) -> [f64; 4] {
    ALL.map(|operation| {
        let (mesh, _) = checked(device, meshes, operation);
        if mesh.faces.is_empty() { 0.0 } else { volume(&mesh) }
    })
}
/// Compares the volumes of two meshes that do not pass through themselves with each other.
fn identities(device: &Device, a: &TriangleMesh, b: &TriangleMesh, tolerance: f64) -> [f64; 4] {
    let [union, intersection, difference, xor] = volumes(device, &[a.clone(), b.clone()]);
    let (a, b) = (volume(a), volume(b));
    let near = |x: f64, y: f64| assert!((x - y).abs() <= tolerance * (a + b), "{x} {y}");
    near(union + intersection, a + b);
    near(difference + intersection, a);
    near(xor + 2.0 * intersection, a + b);
    [union, intersection, difference, xor]
}

/// The volumes of all operations on boxes with integer corners, by counting unit cubes.
fn counted(boxes: &[[[i32; 3]; 2]]) -> [f64; 4] {
    let mut counts = [0; 4];
    for x in 0..8 {
        for y in 0..8 {
            for z in 0..8 {
                let at = [x, y, z];
                let inside: Vec<bool> = boxes
                    .iter()
                    .map(|[low, high]| (0..3).all(|i| low[i] <= at[i] && at[i] < high[i]))
                    .collect();
                let any = inside.iter().any(|&x| x);
                let all = inside.iter().all(|&x| x);
                let first = inside[0] && !inside[1..].iter().any(|&x| x);
                let odd = inside.iter().filter(|&&x| x).count() % 2 == 1;
                for (count, holds) in counts.iter_mut().zip([any, all, first, odd]) {
                    *count += i32::from(holds);
                }
            }
        }
    }
    counts.map(f64::from)
}

suite! {
    fn two_balls(device) {
        let ball = shapes::icosphere(4).expect("small");
        for d in [0.1, 0.5, 1.0, 1.5] {
            let other = moved(&ball, 1.0, DVec3::new(0.6, 0.64, 0.48) * d);
            let [_, lens, ..] = identities(device, &ball, &other, 1e-6);
            let exact = std::f64::consts::PI * (4.0 + d) * (2.0 - d) * (2.0 - d) / 12.0;
            assert!((lens / exact - 1.0).abs() < 0.02, "{d}: {lens} {exact}");
        }
    }
    fn meshes_that_coincide_are_apart_or_within_each_other(device) {
        let ball = shapes::icosphere(3).expect("small");
        let own = volume(&ball);
        let near = |found: [f64; 4], expected: [f64; 4]| {
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected * own).abs() < 1e-5, "{found} {expected}");
            }
        };
        near(volumes(device, &[ball.clone(), ball.clone()]), [1.0, 1.0, 0.0, 0.0]);
        let apart = moved(&ball, 1.0, DVec3::new(3.0, 0.0, 0.0));
        near(volumes(device, &[ball.clone(), apart]), [2.0, 0.0, 1.0, 2.0]);
        let within = moved(&ball, 0.5, DVec3::new(0.1, 0.0, 0.0));
        near(volumes(device, &[ball.clone(), within.clone()]), [1.0, 0.125, 0.875, 0.875]);
        near(volumes(device, &[within, ball.clone()]), [1.0, 0.125, 0.0, 0.875]);
        near(volumes(device, std::slice::from_ref(&ball)), [1.0, 1.0, 1.0, 1.0]);
    }
    fn boxes_on_a_grid(device) {
        // faces in one plane, edges on edges and faces, corners at corners: nothing is in general position
        let mut random = Random::new(7);
        for round in 0..ribbonmesh_suite::size(400, 20) {
            let count = if round % 4 == 0 { 3 + random.below(3) } else { 2 };
            let size = 2 + random.below(5) as i32;
            let boxes: Vec<[[i32; 3]; 2]> = (0..count)
                .map(|_| {
                    let mut ends = [(); 3].map(|()| {
                        let low = random.below(size as u32) as i32;
                        [low, low + 1 + random.below((size - low) as u32) as i32]
                    });
                    ends.iter_mut().for_each(|end| end[1] = end[1].min(8));
                    [ends.map(|end| end[0]), ends.map(|end| end[1])]
                })
                .collect();
            let meshes: Vec<TriangleMesh> =
                boxes.iter().map(|&[low, high]| block(low, high, 1 + random.below(3) as i32)).collect();
            for (found, expected) in volumes(device, &meshes).into_iter().zip(counted(&boxes)) {
                assert!((found - expected).abs() < 1e-4, "{round} {boxes:?}: {found} {expected}");
            }
        }
    }
    fn tetrahedra_with_corners_on_a_small_grid(device) {
        let mut random = Random::new(11);
        let mut rounds = 0;
        while rounds < 400 {
            let size = 2 + random.below(5);
            let mut next = || {
                let p = [(); 4].map(|()| DVec3::from_array([(); 3].map(|()| f64::from(random.below(size)))));
                let [a, b, c, d] = p;
                let volume = (b - a).cross(c - a).dot(d - a);
                let faces = vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
                let mut mesh = TriangleMesh::from_f32(p.map(|p| p.as_vec3().to_array()), faces);
                if volume < 0.0 {
                    (0..4).for_each(|f| assert!(mesh.turn_face(f)));
                }
                (volume != 0.0).then_some(mesh)
            };
            let (Some(a), Some(b)) = (next(), next()) else { continue };
            identities(device, &a, &b, 1e-5);
            rounds += 1;
        }
    }
    fn turned_shapes(device) {
        let mut random = Random::new(5);
        let knot = shapes::torus_knot(2, 3, 12, 90).expect("small");
        let sizes = knot.bounding_box().expect("some").diagonal();
        let shapes = [
            block([0; 3], [2, 3, 4], 2),
            shapes::icosphere(2).expect("small"),
            moved(&knot, 3.0 / sizes, DVec3::ZERO),
            shapes::bumpy_sphere(3, 4).expect("small"),
        ];
        for round in 0..60 {
            let mut turn = || {
                let angle = |x: f64| x * std::f64::consts::TAU;
                DMat3::from_rotation_x(angle(random.unit())) * DMat3::from_rotation_z(angle(random.unit()))
            };
            let turns = [turn(), turn()];
            let pair = [round % 4, round / 4 % 4].map(|i| shapes[i].clone());
            let mut far = DVec3::ZERO;
            let [a, b]: [TriangleMesh; 2] = std::array::from_fn(|i| {
                let mut mesh = pair[i].clone();
                mesh.positions.iter_mut().for_each(|p| *p = (turns[i] * *p + far).as_vec3().as_dvec3());
                far = DVec3::new(random.unit(), random.unit(), random.unit()) * 0.7;
                mesh
            });
            identities(device, &a, &b, 1e-5);
        }
    }
    fn a_mesh_that_passes_through_itself(device) {
        let ball = shapes::icosphere(3).expect("small");
        let other = moved(&ball, 1.0, DVec3::new(0.7, 0.2, 0.1));
        let (apart, _) = checked(device, &[ball.clone(), other.clone()], Operation::Union);
        let mut both = ball.clone();
        both.append(&other).expect("alike");
        let (one, _) = checked(device, &[both], Operation::Union);
        assert!((volume(&one) - volume(&apart)).abs() < 1e-6);
        // a mesh that is inside out is turned
        let mut inward = other.clone();
        (0..inward.faces.len() as u32).for_each(|f| assert!(inward.turn_face(f)));
        let (turned, report) = checked(device, &[ball, inward], Operation::Union);
        assert_eq!(report.turned, [1]);
        assert!((volume(&turned) - volume(&apart)).abs() < 1e-6);
    }
    fn a_tube_through_itself(device) {
        // a ring of overlapping ends: the curve runs one and a quarter times around, on a slight spiral
        let (around, along, radius) = (32_u32, 180_u32, 0.3);
        let mut positions = vec![];
        for i in 0..along {
            let t = f64::from(i) / f64::from(along - 1) * 2.5 * std::f64::consts::PI;
            let out = DVec3::new(t.cos(), t.sin(), 0.0);
            // the end passes through the beginning at an angle
            let middle = out * (1.0 + 0.05 * t) + DVec3::Z * 0.02 * t;
            for j in 0..around {
                let a = f64::from(j) / f64::from(around) * std::f64::consts::TAU;
                positions.push(middle + radius * (a.cos() * out + a.sin() * DVec3::Z));
            }
        }
        let mut faces = vec![];
        for i in 0..along - 1 {
            for j in 0..around {
                let at = |i: u32, j: u32| i * around + j % around;
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                faces.extend([[a, b, c], [a, c, d]]);
            }
        }
        // lids
        for (first, turned) in [(0, false), ((along - 1) * around, true)] {
            let middle = positions.len() as u32;
            let of = |k: u32| positions[(first + k) as usize];
            positions.push((0..around).map(of).sum::<DVec3>() / f64::from(around));
            for j in 0..around {
                let [a, b] = [first + j, first + (j + 1) % around];
                faces.push(if turned { [b, a, middle] } else { [a, b, middle] });
            }
        }
        let mut tube = TriangleMesh::new(positions, faces);
        if tube.volume().expect("closed") < 0.0 {
            tube.faces.iter_mut().for_each(|face| face.swap(0, 1));
        }
        let before = tube.volume().expect("closed");
        let (resolved, report) = checked(device, std::slice::from_ref(&tube), Operation::Union);
        let after = volume(&resolved);
        // the overlap, which was counted twice, is counted once
        assert!(after < before && after > 0.5 * before, "{after} {before}");
        assert!(report.volumes == Some(3) && report.faces_cut > 0);
    }
    fn many_in_one_mesh(device) {
        let ball = shapes::icosphere(3).expect("small");
        let part = volume(&ball) / (4.0 / 3.0 * std::f64::consts::PI);
        let mut random = ribbonmesh_suite::Random(7);
        let mut number = || f64::from(random.next()) / f64::from(1_u32 << 31);
        for case in 0..4 {
            let mut all = TriangleMesh::default();
            let mut balls = vec![];
            for _ in 0..20 {
                let (radius, middle) = (0.6 + 0.4 * number(), DVec3::new(number(), number(), number()) * 4.3);
                all.append(&moved(&ball, radius, middle)).expect("consistent");
                balls.push((radius, middle));
            }
            // the volume, estimated with random points
            let (points, side) = (100_000, 6.5);
            let mut within = || {
                let p = DVec3::new(number(), number(), number()) * side - 1.1;
                balls.iter().any(|(radius, middle)| p.distance(*middle) < *radius)
            };
            let hits = (0..points).filter(|_| within()).count();
            let expected = part * side.powi(3) * hits as f64 / f64::from(points);
            let found = volume(&checked(device, std::slice::from_ref(&all), Operation::Union).0);
            assert!((0.98..1.02).contains(&(found / expected)), "{case}: {found} {expected}");
        }
    }
    fn voids_stay_and_what_is_apart_keeps_its_vertices(device) {
        let ball = shapes::icosphere(4).expect("small");
        let mut void = moved(&ball, 0.3, DVec3::ZERO);
        void.faces.iter_mut().for_each(|face| face.swap(0, 1));
        let other = moved(&ball, 1.0, DVec3::new(1.5, 0.0, 0.0));
        let mut hollow = ball.clone();
        hollow.append(&void).expect("consistent");
        let (with, _) = checked(device, &[hollow.clone(), other.clone()], Operation::Union);
        let (without, _) = checked(device, &[ball.clone(), other.clone()], Operation::Union);
        let difference = volume(&without) - volume(&with);
        assert!((difference / -void.volume().expect("closed") - 1.0).abs() < 1e-6, "{difference}");
        let apart = moved(&ball, 1.0, DVec3::new(2.5, 0.0, 0.0));
        let (both, report) = checked(device, &[ball.clone(), apart.clone()], Operation::Union);
        let n = ball.positions.len();
        assert_eq!((&both.positions[..n], &both.positions[n..]), (&ball.positions[..], &apart.positions[..]));
        assert_eq!(both.faces[..ball.faces.len()], ball.faces);
        assert_eq!((report.intersecting_pairs, report.volumes), (0, Some(3)));
    }
    fn an_edge_whose_sheets_are_connected_around_both_ends(device) {
        // two columns that touch in an edge, between a floor and a ceiling; then a ring of columns
        let slab = |low, high| block([0, 0, low], [4, 4, high], 1);
        let column = |x: i32, y: i32| block([x, y, 1], [x + 1, y + 1, 2], 1);
        for columns in [vec![[1, 1], [2, 2]], vec![[1, 1], [2, 2], [1, 3], [0, 2], [3, 1], [2, 0]]] {
            let mut meshes = vec![slab(0, 1), slab(2, 3)];
            meshes.extend(columns.iter().map(|&[x, y]| column(x, y)));
            let (mesh, report) = checked(device, &meshes, Operation::Union);
            assert_eq!(volume(&mesh), 32.0 + columns.len() as f64);
            assert!(report.vertices_doubled >= 2);
        }
    }
    fn attributes_follow(device) {
        let mut ball = shapes::icosphere(3).expect("small");
        let heights: Vec<f32> = ball.positions.iter().map(|p| p.z as f32).collect();
        let numbers: Vec<u32> = (0..ball.faces.len() as u32).collect();
        let at: Vec<[f32; 2]> = ball
            .faces
            .iter()
            .flat_map(|face| face.map(|v| ball.positions[v as usize]))
            .map(|p| [p.x as f32, p.y as f32])
            .collect();
        ball.vertices_mut().insert("height", heights).expect("rows");
        ball.faces_of_mut().insert("number", numbers).expect("rows");
        ball.corners_mut()
            .insert_column(ribbonmesh_mesh::Column::with_role("at", Role::TextureCoordinate(0), at))
            .expect("rows");
        let mut other = ball.clone();
        other.positions.iter_mut().for_each(|p| *p = (*p + DVec3::new(0.5, 0.25, 0.0)).as_vec3().as_dvec3());
        let meshes = [ball.clone(), other.clone()];
        let result = checked(device, &meshes, Operation::Difference);
        same_of_surfaces(device, &meshes, Operation::Difference, &result);
        let (mesh, report) = result;
        assert!(report.columns_dropped.is_empty(), "{report:?}");
        let heights = mesh.attributes(Element::Vertex).get::<f32>("height").expect("kept");
        for (p, z) in mesh.positions.iter().zip(heights) {
            assert!((p.z - f64::from(*z)).abs() < 1e-5);
        }
        let numbers = mesh.faces_of().get::<u32>("number").expect("kept");
        let at = mesh.corners().get::<[f32; 2]>("at").expect("kept");
        for (f, face) in mesh.faces.iter().enumerate() {
            let way = |mesh: &TriangleMesh, face: [u32; 3]| {
                let [a, b, c] = face.map(|v| mesh.positions[v as usize]);
                ((b - a).cross(c - a), a)
            };
            let (normal, p) = way(&mesh, *face);
            let normal = normal.normalize();
            // on the plane of the face that it names, of the first ball or, turned, of the other one
            let source = ball.faces[numbers[f] as usize];
            let of_first = way(&ball, source);
            let of_other = way(&other, source);
            let fits = |(n, q): (DVec3, DVec3), sign: f64| {
                (n.normalize() * sign - normal).length() < 1e-2 && (p - q).dot(n.normalize()).abs() < 1e-5
            };
            let first = fits(of_first, 1.0);
            assert!(first || fits(of_other, -1.0) || normal.is_nan(), "{f}");
            let moved = if first { DVec3::ZERO } else { DVec3::new(0.5, 0.25, 0.0) };
            for (k, v) in face.iter().enumerate() {
                let p = mesh.positions[*v as usize] - moved;
                let [x, y] = at[3 * f + k].map(f64::from);
                assert!((p.x - x).abs() + (p.y - y).abs() < 1e-4, "{f}");
            }
        }
    }
    fn normals_follow(device) {
        let mut ball = shapes::icosphere(3).expect("small");
        let of_vertices: Vec<[f32; 3]> = ball.positions.iter().map(|p| p.as_vec3().to_array()).collect();
        let of_corners: Vec<[f32; 3]> =
            ball.faces.as_flattened().iter().map(|&v| of_vertices[v as usize]).collect();
        let column = |name: &str, rows| ribbonmesh_mesh::Column::with_role(name, Role::Normal, rows);
        ball.vertices_mut().insert_column(column("normal", of_vertices)).expect("rows");
        ball.corners_mut().insert_column(column("of_corner", of_corners)).expect("rows");
        let mut other = ball.clone();
        other.positions.iter_mut().for_each(|p| *p = (*p + DVec3::X * 0.5).as_vec3().as_dvec3());
        let meshes = [ball.clone(), other.clone()];
        let result = checked(device, &meshes, Operation::Difference);
        same_of_surfaces(device, &meshes, Operation::Difference, &result);
        let (mesh, _) = result;
        let of_vertices = mesh.vertices().get::<[f32; 3]>("normal").expect("kept");
        let of_corners = mesh.corners().get::<[f32; 3]>("of_corner").expect("kept");
        let mut turned = 0;
        for (f, face) in mesh.faces.iter().enumerate() {
            let [a, b, c] = face.map(|v| mesh.positions[v as usize]);
            let normal = (b - a).cross(c - a).normalize();
            turned += usize::from(normal.dot((a + b + c) / 3.0) < 0.0);
            for (k, &v) in face.iter().enumerate() {
                let normals = [of_vertices[v as usize], of_corners[3 * f + k]];
                let [of_vertex, of_corner] = normals.map(|n| DVec3::from_array(n.map(f64::from)));
                assert!(normal.is_nan() || normal.dot(of_corner) > 0.9, "{f}");
                assert!((of_vertex.length() - 1.0).abs() < 1e-5);
            }
        }
        assert!(turned > 100);
    }
    fn surfaces_that_nearly_coincide_are_mended(device) {
        let mut random = Random::new(5);
        let mut ball = shapes::icosphere(4).expect("small");
        let noise = |p: &mut DVec3, by: f64, random: &mut Random| {
            *p = (*p * (1.0 + by * (random.unit() - 0.5))).as_vec3().as_dvec3();
        };
        ball.positions.iter_mut().for_each(|p| noise(p, 0.02, &mut random));
        let own = volume(&ball);
        let mut rounds = 0;
        for by in [1e-3, 1e-5, 1e-6] {
            let mut other = ball.clone();
            other.positions.iter_mut().for_each(|p| noise(p, by, &mut random));
            for operation in [Operation::Union, Operation::Intersection] {
                let meshes = [ball.clone(), other.clone()];
                let result = checked(device, &meshes, operation);
                same_of_surfaces(device, &meshes, operation, &result);
                let (mesh, report) = result;
                assert!((volume(&mesh) / own - 1.0).abs() < 4.0 * by, "{by} {operation:?}");
                rounds = rounds.max(report.rounds);
            }
        }
        assert!(rounds > 0);
    }
    fn faces_name_the_face_of_which_they_are_a_part(device) {
        let ball = shapes::icosphere(2).expect("small");
        let meshes =
            [ball.clone(), moved(&ball, 0.75, DVec3::new(0.5, 0.25, 0.125)), moved(&ball, 1.0, DVec3::X)];
        let operation = Operation::Xor;
        let options = BooleanOptions { operation, provenance: true, ..BooleanOptions::default() };
        let (mesh, _) = boolean(device, &meshes, &options).expect("combined");
        let column = |name| mesh.attributes(Element::Face).column(name).expect("a column").scalars().clone();
        let (of_mesh, of_face) = (column(INPUT_MESH), column(INPUT_FACE));
        let mut parts = [0; 3];
        for (f, corners) in mesh.faces.iter().enumerate() {
            let number = |column: &Scalars| column.as_f64(f).expect("a number") as usize;
            let (i, face) = (number(&of_mesh), number(&of_face));
            let [a, b, c] = meshes[i].faces[face].map(|v| meshes[i].positions[v as usize]);
            let normal = (b - a).cross(c - a).normalize();
            for p in corners.map(|v| mesh.positions[v as usize]) {
                assert!((p - a).dot(normal).abs() < 1e-6, "{f}");
                assert!((p - (a + b + c) / 3.0).length() < 0.7 * (b - a).length().max((c - a).length()));
            }
            parts[i] += 1;
        }
        assert!(parts.iter().all(|&count| count > 100), "{parts:?}");
    }
    fn parts_of_open_meshes_are_chosen_by_winding_numbers(device) {
        let ball = shapes::icosphere(4).expect("small");
        let other = moved(&ball, 1.0, DVec3::new(0.6, 0.32, 0.24));
        // a hole in the part that is outside of the other ball; and faces of the wrong orientation
        let mut open = ball.clone();
        open.faces.retain(|face| face.iter().any(|&v| ball.positions[v as usize].x > -0.98));
        assert!((1..100).contains(&(ball.faces.len() - open.faces.len())));
        let mut turned = ball.clone();
        for face in (0..turned.faces.len() as u32).step_by(500) {
            assert!(turned.turn_face(face));
        }
        for operation in ALL {
            let options = BooleanOptions { operation, ..BooleanOptions::default() };
            let closed = [ball.clone(), other.clone()];
            let (whole, report) = boolean(device, &closed, &options).expect("combined");
            assert!(report.open.is_empty() && report.volumes.is_some_and(|count| count == 4));
            for [first, second] in [[&open, &other], [&other, &open], [&turned, &other]] {
                let meshes = [first.clone(), second.clone()];
                if operation == Operation::Difference && meshes[1].faces.len() < ball.faces.len() {
                    continue;
                }
                let missing = ball.faces.len() - meshes[0].faces.len().min(meshes[1].faces.len());
                let (mesh, report) = boolean(device, &meshes, &options).expect("combined");
                let index = usize::from(meshes[1].faces.len() < ball.faces.len());
                assert!(report.open.len() == 1 && report.open[0].mesh == index, "{:?}", report.open);
                assert_eq!(report.volumes, None);
                // the same faces but for the hole
                let missing = if operation == Operation::Intersection { 0 } else { missing };
                assert_eq!(mesh.faces.len() + missing, whole.faces.len(), "{operation:?}");
                let (positions, faces) = (mesh.points_around(DVec3::ZERO), mesh.faces.as_flattened());
                let (positions, faces) =
                    (device.upload(&positions).expect("memory"), device.upload(faces).expect("memory"));
                let pairs =
                    self_intersections(Triangles { positions: &positions, faces: &faces }).expect("pairs");
                assert!(pairs.pairs.is_empty());
            }
        }
        assert!(matches!(boolean(device, &[], &BooleanOptions::default()), Err(BooleanError::Nothing)));
    }
}
