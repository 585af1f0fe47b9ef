//! Tests of surfaces that pass through each other, touch each other or fold, and of removal by options.
use crate::repair::oracle::{edges, wrongs};
use glam::DVec3;
use proptest::prelude::*;
use ribbonmesh::Device;
use ribbonmesh_mesh::shapes;
use ribbonmesh_mesh::{TriangleMesh, UnionFind};
use ribbonmesh_solid::repair::{RepairOptions, Repaired, repair, repair_mesh};
use std::collections::{BTreeMap, BTreeSet};

/// Triangles whose vertices are found by their positions on a lattice.
#[derive(Default)]
struct Lattice {
    vertices: BTreeMap<[i32; 3], u32>,
    mesh: TriangleMesh,
}

impl Lattice {
    fn vertex(&mut self, place: [i32; 3]) -> u32 {
        let next = self.mesh.positions.len() as u32;
        let vertex = *self.vertices.entry(place).or_insert(next);
        if vertex == next {
            self.mesh.positions.push(DVec3::from(place.map(f64::from)));
        }
        vertex
    }
    fn quad(&mut self, places: [[i32; 3]; 4]) {
        let [a, b, c, d] = places.map(|place| self.vertex(place));
        self.mesh.faces.extend([[a, b, c], [a, c, d]]);
    }
    /// A sheet of `long` squares along z and `wide` ones along a direction on both sides of the z-axis, or on
    /// one side.
    fn sheet(&mut self, [x, y]: [i32; 2], range: std::ops::Range<i32>, long: i32) {
        for i in range {
            for z in 0..long {
                let at = |i: i32, z: i32| [i * x, i * y, z];
                self.quad([at(i, z), at(i + 1, z), at(i + 1, z + 1), at(i, z + 1)]);
            }
        }
    }
    /// The boundary of a set of cubes, normals outward.
    fn cubes(cubes: &BTreeSet<[i32; 3]>) -> TriangleMesh {
        let mut lattice = Self::default();
        for &cube in cubes {
            for axis in 0..3 {
                for side in 0..2 {
                    let mut beyond = cube;
                    beyond[axis] += 2 * side - 1;
                    if cubes.contains(&beyond) {
                        continue;
                    }
                    let corner = |u: i32, v: i32| {
                        let mut corner = cube;
                        corner[axis] += side;
                        corner[(axis + 1) % 3] += u;
                        corner[(axis + 2) % 3] += v;
                        corner
                    };
                    let mut quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                    if side == 0 {
                        quad.reverse();
                    }
                    lattice.quad(quad);
                }
            }
        }
        lattice.mesh
    }
}

fn area(positions: &[DVec3], faces: &[[u32; 3]]) -> f64 {
    let corners = faces.iter().map(|face| face.map(|v| positions[v as usize]));
    corners.map(|[a, b, c]| (b - a).cross(c - a).length() / 2.0).sum()
}

/// Number of sets of faces connected across edges, whatever the number of faces of an edge.
fn components(faces: &[[u32; 3]]) -> usize {
    let mut sets = UnionFind::new(faces.len());
    for (_, at) in edges(faces) {
        at[1..].iter().for_each(|&face| _ = sets.join(at[0], face));
    }
    sets.count()
}

fn boundary(faces: &[[u32; 3]]) -> usize {
    edges(faces).into_iter().filter(|(_, of)| of.len() == 1).count()
}

/// Repairs, and checks that an oriented manifold of the same area is left, and that this needs no repair.
fn repaired(mesh: &TriangleMesh) -> Repaired {
    let options = RepairOptions::default();
    let done = repair(&Device::cpu(), &mesh.positions, &mesh.faces, &options).expect("repaired");
    assert_eq!(wrongs(&done.faces), [""; 0]);
    let positions = done.vertex_values(&mesh.positions).expect("positions");
    if done.report.duplicate_faces_dropped.is_empty() && done.report.folded_faces_dropped.is_empty() {
        let [before, after] = [area(&mesh.positions, &mesh.faces), area(&positions, &done.faces)];
        assert!((before - after).abs() <= 1e-12 * before, "area {before} became {after}");
        assert_eq!(done.faces.len(), mesh.faces.len());
    }
    let again = repair(&Device::cpu(), &positions, &done.faces, &options).expect("repaired");
    assert!(again.report.is_empty() && again.faces == done.faces);
    done
}

#[test]
fn two_sheets_pass_through_each_other() {
    for (second, turned) in
        [([0, 1], false), ([1, 1], false), ([2, 1], false), ([0, 1], true), ([1, 1], true)]
    {
        let mut lattice = Lattice::default();
        lattice.sheet([1, 0], -3..3, 4);
        let first = lattice.mesh.faces.len();
        lattice.sheet(second, -3..3, 4);
        if turned {
            // the half of the second sheet on one side of the first
            let all = lattice.mesh.faces.len();
            lattice.mesh.faces[(first + all) / 2..].iter_mut().for_each(|face| face.swap(0, 1));
        }
        let done = repaired(&lattice.mesh);
        assert_eq!(components(&done.faces), 2, "{second:?} {turned}");
        // 6 and 4 squares
        assert_eq!(boundary(&done.faces), 2 * 20);
        assert!(done.report.edges_split.iter().all(|split| split.joined.len() == 2));
        assert_eq!(done.report.faces_turned.len(), if turned { first / 2 } else { 0 });
        assert_eq!(done.vertices(), lattice.mesh.positions.len() + 5);
        // faces stay with their sheet
        let vertices = |faces: &[[u32; 3]]| faces.iter().flatten().copied().collect::<BTreeSet<u32>>();
        assert!(vertices(&done.faces[..first]).is_disjoint(&vertices(&done.faces[first..])));
    }
}

#[test]
fn three_sheets_pass_through_an_edge() {
    let mut lattice = Lattice::default();
    for direction in [[2, 0], [1, 2], [-1, 2]] {
        lattice.sheet(direction, -2..2, 3);
    }
    let done = repaired(&lattice.mesh);
    assert_eq!((components(&done.faces), boundary(&done.faces)), (3, 3 * 14));
    assert!(done.report.edges_split.iter().all(|split| (split.faces.len(), split.joined.len()) == (6, 3)));
}

#[test]
fn pages_of_a_book_go_in_pairs() {
    // the flattest two of three stay together
    let mut lattice = Lattice::default();
    lattice.sheet([1, 0], -3..3, 4);
    let sheet = lattice.mesh.faces.len() as u32;
    lattice.sheet([1, 3], 0..3, 4);
    let done = repaired(&lattice.mesh);
    assert_eq!(components(&done.faces), 2);
    for split in &done.report.edges_split {
        assert!(split.joined.len() == 1 && split.joined[0].iter().all(|&face| face < sheet), "{split:?}");
    }
    // pages that are all oriented the same way, at five angles: a pair with two of them turned, a pair, and
    // one alone
    let mut lattice = Lattice::default();
    for direction in [[4, 0], [1, 4], [-4, 3], [-3, -4], [2, -3]] {
        lattice.sheet(direction, 0..2, 3);
    }
    let done = repaired(&lattice.mesh);
    assert_eq!(components(&done.faces), 3);
    assert_eq!(done.report.faces_turned.len(), 2 * 12);
}

#[test]
fn fans_at_a_vertex_come_apart() {
    // three cones at one apex, and a sheet that ends there
    let mut mesh = TriangleMesh::default();
    mesh.positions.push(DVec3::ZERO);
    for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
        let first = mesh.positions.len() as u32;
        let (u, v) = axis.any_orthonormal_pair();
        for i in 0..8 {
            let (sine, cosine) = (f64::from(i) * std::f64::consts::TAU / 8.0).sin_cos();
            mesh.positions.push(3.0 * axis + cosine * u + sine * v);
            mesh.faces.push([0, first + i, first + (i + 1) % 8]);
        }
    }
    let done = repaired(&mesh);
    assert_eq!((components(&done.faces), done.vertices()), (3, mesh.positions.len() + 2));
    assert_eq!(done.report.vertices_split[0].copies, [25, 26]);
}

#[test]
fn bodies_that_touch_come_apart() {
    let two = Lattice::cubes(&[[0, 0, 0], [1, 1, 0]].into());
    let done = repaired(&two);
    assert_eq!((components(&two.faces), components(&done.faces), boundary(&done.faces)), (1, 2, 0));
    // along a line of edges, turned so that coordinates are rounded
    let row: BTreeSet<[i32; 3]> = (0..6).flat_map(|z| [[0, 0, z], [1, 1, z]]).collect();
    for step in 0..40 {
        let mut row = Lattice::cubes(&row);
        let turn = glam::DQuat::from_scaled_axis(f64::from(step) * DVec3::new(0.3, 1.1, -0.7));
        row.positions.iter_mut().for_each(|position| *position = turn * *position);
        let done = repaired(&row);
        assert_eq!((components(&done.faces), boundary(&done.faces)), (2, 0), "{step}");
    }
    // tetrahedra at an edge: whatever the angles, both are closed afterwards
    for angle in [0.2_f64, 1.0, 2.0, 3.0] {
        let [sine, cosine] = [(angle / 2.0).sin(), (angle / 2.0).cos()];
        let x = |x: f64, y: f64| DVec3::new(x, y, 0.5);
        let positions = vec![
            DVec3::ZERO,
            DVec3::Z,
            x(cosine, -sine),
            x(cosine, sine),
            x(-cosine, sine),
            x(-cosine, -sine),
        ];
        let body = |a, b, c, d| [[a, c, b], [a, b, d], [a, d, c], [b, c, d]];
        let mesh = TriangleMesh::new(positions, [body(0, 1, 2, 3), body(0, 1, 4, 5)].concat());
        let done = repaired(&mesh);
        assert_eq!((components(&done.faces), boundary(&done.faces)), (2, 0), "{angle}");
        assert!(done.report.faces_turned.is_empty());
    }
}

#[test]
fn wedges_that_touch_along_a_line_are_joined() {
    // two prisms, tip to tip: the flattest pairs connect one with the other
    let mut lattice = Lattice::default();
    let long = 6;
    for x in [4_i32, -4] {
        let tip = |z: i32| [0, 0, z];
        let left = |z: i32| [x, -x.signum(), z];
        let right = |z: i32| [x, x.signum(), z];
        for z in 0..long {
            lattice.quad([tip(z), tip(z + 1), left(z + 1), left(z)]);
            lattice.quad([left(z), left(z + 1), right(z + 1), right(z)]);
            lattice.quad([right(z), right(z + 1), tip(z + 1), tip(z)]);
        }
        for (z, turned) in [(0, true), (long, false)] {
            let [a, b, c] = [tip(z), left(z), right(z)].map(|place| lattice.vertex(place));
            lattice.mesh.faces.push(if turned { [a, b, c] } else { [a, c, b] });
        }
    }
    let done = repaired(&lattice.mesh);
    assert_eq!((components(&done.faces), boundary(&done.faces)), (1, 0));
    assert!(done.report.faces_turned.is_empty() && done.report.edges_split.len() == 6);
}

#[test]
fn bodies_that_touch_and_hang_together_stay_one() {
    // a ring of cubes that closes in an edge
    let ring =
        [[0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 1, 0], [2, 2, 0], [1, 2, 0], [0, 2, 0], [-1, 1, 0], [-1, 2, 0]];
    let mesh = Lattice::cubes(&ring.into());
    let done = repaired(&mesh);
    assert_eq!((done.report.edges_split.len(), components(&done.faces), boundary(&done.faces)), (1, 1, 0));
}

#[test]
fn folds_go_and_the_surface_closes() {
    let torus = shapes::torus(9, 1).expect("small");
    let n = torus.positions.len() as u32;
    let [a, b, c] = torus.faces[5];
    let mut mesh = torus.clone();
    mesh.positions.push(DVec3::new(7.0, 8.0, 9.0));
    mesh.faces.extend([[a, b, n], [b, a, n]]);
    let done = repaired(&mesh);
    assert_eq!((&done.faces, done.report.folded_faces_dropped.len()), (&torus.faces, 2));
    assert!(done.report.edges_split.is_empty());
    // a fold of two triangles, each at an edge of the torus
    mesh.faces.extend([[b, c, n], [c, b, n]]);
    assert_eq!(repaired(&mesh).faces, torus.faces);
    // one of three is not a fold: the remaining one is a fin
    let mut mesh = torus.clone();
    mesh.positions.push(DVec3::new(7.0, 8.0, 9.0));
    mesh.faces.extend([[a, b, n], [b, a, n], [a, b, n]]);
    let done = repaired(&mesh);
    let last = mesh.faces.len() as u32 - 1;
    assert_eq!(done.report.duplicate_faces_dropped, [[last - 1, last - 2], [last, last - 2]]);
    assert_eq!((done.faces.len(), components(&done.faces)), (torus.faces.len() + 1, 2));
    // a sheet that has faces on both sides stays, alone and where it hangs on a body by one edge
    let grid = shapes::grid(4, 1).expect("small");
    let mut both = grid.clone();
    both.faces.extend(grid.faces.iter().map(|&[a, b, c]| [a, c, b]));
    assert_eq!(repaired(&both).faces, grid.faces);
    let mut leaf = torus.clone();
    let first = leaf.positions.len() as u32;
    leaf.positions.extend(grid.positions.iter().map(|&position| position + DVec3::splat(5.0)));
    let stem = |v: u32| {
        if v == 0 {
            a
        } else if v == 1 {
            b
        } else {
            v + first
        }
    };
    leaf.faces.extend(both.faces.iter().map(|face| face.map(stem)));
    let done = repaired(&leaf);
    assert_eq!(done.faces.len(), torus.faces.len() + grid.faces.len());
}

#[test]
fn welding_closes_a_soup() {
    let sphere = shapes::icosphere(2).expect("small");
    let mut soup = TriangleMesh::default();
    for (i, face) in sphere.faces.iter().enumerate() {
        let shift = DVec3::splat(1e-4 * (i % 3) as f64);
        soup.positions.extend(face.map(|v| sphere.positions[v as usize] + shift));
        soup.faces.push([0, 1, 2].map(|corner| 3 * i as u32 + corner));
    }
    let tags: Vec<u32> = (0..soup.positions.len() as u32).collect();
    soup.vertices_mut().insert("tag", tags).expect("a row each");
    soup.edges = vec![[0, 1], [4, 5]];
    soup.edges_of_mut().insert("mark", vec![1_u8, 2]).expect("a row each");
    let options = RepairOptions { weld: Some(4e-4), ..RepairOptions::default() };
    let mut mesh = soup.clone();
    let done = repair_mesh(&Device::cpu(), &mut mesh, &options).expect("repaired");
    assert_eq!((mesh.positions.len(), mesh.faces.len()), (sphere.positions.len(), sphere.faces.len()));
    assert_eq!((components(&mesh.faces), boundary(&mesh.faces)), (1, 0));
    assert_eq!(done.report.vertices_welded.len(), soup.positions.len() - sphere.positions.len());
    let welded = &done.report.vertices_welded;
    assert!(welded.iter().all(|&[v, to]| to < v));
    let tags = mesh.vertices().get::<u32>("tag").expect("tags");
    assert_eq!(tags, done.vertex_inputs);
    for (v, &tag) in tags.iter().enumerate() {
        assert_eq!(mesh.positions[v], soup.positions[tag as usize]);
    }
    // edges follow
    assert_eq!(mesh.edges_of().get::<u8>("mark").expect("marks"), [1, 2]);
    let places = |mesh: &TriangleMesh, edge: usize| mesh.edges[edge].map(|v| mesh.positions[v as usize]);
    for edge in 0..2 {
        let [before, after] = [places(&soup, edge), places(&mesh, edge)];
        assert!(before[0].distance(after[0]) < 5e-4 && before[1].distance(after[1]) < 5e-4);
    }
    // too short a distance leaves triangles alone, 0 makes one of equal places, and 0 and −0 are equal
    let options = RepairOptions { weld: Some(1e-6), ..RepairOptions::default() };
    assert!(
        components(&repair(&Device::cpu(), &soup.positions, &soup.faces, &options).expect("repaired").faces)
            > 100
    );
    let options = RepairOptions { weld: Some(0.0), ..RepairOptions::default() };
    let places = [DVec3::ZERO, DVec3::X, DVec3::Y, -DVec3::ZERO, DVec3::Y, DVec3::NEG_X];
    let done = repair(&Device::cpu(), &places, &[[0, 1, 2], [3, 4, 5]], &options).expect("repaired");
    assert_eq!((done.faces, done.vertex_inputs), (vec![[0, 1, 2], [0, 2, 3]], vec![0, 1, 2, 5]));
    for weld in [-1.0, f64::NAN, f64::INFINITY] {
        let options = RepairOptions { weld: Some(weld), ..RepairOptions::default() };
        let error =
            repair(&Device::cpu(), &places, &[[0, 1, 2]], &options).expect_err("no distance").to_string();
        assert!(error.contains("weld"), "{error}");
    }
}

#[test]
fn small_components_go_on_request() {
    let mut mesh = shapes::icosphere(1).expect("small");
    let (sphere, faces) = (mesh.positions.len() as u32, mesh.faces.len() as u32);
    // a fin, a triangle elsewhere, a vertex of the sphere with a tetrahedron at it, and a vertex without a
    // face
    mesh.positions.extend((0..8).map(|i| DVec3::new(3.0, f64::from(i * i % 5), f64::from(i))));
    let [a, b, _] = mesh.faces[3];
    let n = sphere;
    let at_vertex = [[0, n + 4, n + 5], [0, n + 5, n + 6], [0, n + 6, n + 4], [n + 6, n + 5, n + 4]];
    mesh.faces.extend([[a, b, n], [n + 1, n + 2, n + 3]]);
    mesh.faces.extend(at_vertex);
    let with = |remove_components| {
        let options = RepairOptions { remove_components, ..RepairOptions::default() };
        let done = repair(&Device::cpu(), &mesh.positions, &mesh.faces, &options).expect("repaired");
        assert_eq!(wrongs(&done.faces), [""; 0]);
        done
    };
    for none in [0, 1] {
        let done = with(none);
        assert_eq!((components(&done.faces), done.report.components_removed.len()), (4, 0));
    }
    let done = with(4);
    assert_eq!(done.report.components_removed, [[faces], [faces + 1]]);
    assert_eq!(done.report.isolated_vertices_removed, [n, n + 1, n + 2, n + 3]);
    assert_eq!((components(&done.faces), done.isolated_vertices()), (2, 1));
    let done = with(5);
    assert_eq!(done.faces, mesh.faces[..faces as usize]);
    assert!(done.report.vertices_split.is_empty());
    assert_eq!(done.vertices() as u32, sphere + 1);
    assert!(with(1000).faces.is_empty());
}

#[test]
fn faces_without_area_go_on_request() {
    for scale in [1.0, 1e-9, 1e12] {
        let place = |x: f64, y: f64| scale * DVec3::new(x, y, 0.1 * x + 0.3 * y);
        // the third is between the first two but for rounding, the sixth near that line
        let positions = vec![
            place(0.1, 0.2),
            place(1.3, 2.3),
            place(0.7, 1.25),
            place(3.0, 0.0),
            place(0.1, 0.2),
            place(0.7, 1.25 + 1e-9),
        ];
        let faces = [[0, 1, 2], [0, 3, 1], [0, 4, 3], [2, 1, 0], [0, 1, 5]];
        let options = RepairOptions { remove_zero_area: true, ..RepairOptions::default() };
        let done = repair(&Device::cpu(), &positions, &faces, &options).expect("repaired");
        assert_eq!(done.report.zero_area_faces_dropped, [0, 2, 3], "{scale}");
        assert_eq!(done.face_inputs, [1, 4]);
        assert_eq!(wrongs(&done.faces), [""; 0]);
        let done = repair(&Device::cpu(), &positions, &faces, &RepairOptions::default()).expect("repaired");
        assert!(done.report.zero_area_faces_dropped.is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]
    /// Boundaries of random sets of cubes stay closed, with the same area; the normals stay.
    #[test]
    fn cubes(cubes in prop::collection::btree_set(prop::array::uniform3(0..4), 1..40)) {
        let mesh = Lattice::cubes(&cubes);
        let done = repaired(&mesh);
        prop_assert_eq!(boundary(&done.faces), 0);
        prop_assert!(done.report.faces_turned.is_empty());
        // each part that is connected by faces of cubes becomes one component, or more with hollows
        prop_assert!(components(&done.faces) <= 2 * cubes.len());
    }
    /// Random squares of a lattice, in random orientations: any number at an edge.
    #[test]
    fn squares(squares in prop::collection::btree_set((prop::array::uniform3(0..3), 0..3_usize), 1..40), turned: u64) {
        let mut lattice = Lattice::default();
        for (i, &(place, axis)) in squares.iter().enumerate() {
            let corner = |u: i32, v: i32| {
                let mut corner = place;
                corner[(axis + 1) % 3] += u;
                corner[(axis + 2) % 3] += v;
                corner
            };
            let mut quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
            if turned >> i & 1 == 1 {
                quad.reverse();
            }
            lattice.quad(quad);
        }
        let done = repaired(&lattice.mesh);
        // the halves of a square stay together
        prop_assert!(components(&done.faces) <= squares.len());
    }
    /// Vertices that stay are farther apart than the distance, and the others are near to those that they
    /// become.
    #[test]
    fn welds(
        places in prop::collection::vec(prop::array::uniform3(-8_i32..8), 3..60),
        distance in 0.0..3.0_f64,
        scale in prop::sample::select(vec![1.0, 1e-12, 1e12, 1e300]),
    ) {
        let positions: Vec<DVec3> = places.iter().map(|place| scale * DVec3::from(place.map(f64::from)) / 4.0).collect();
        let options = RepairOptions { weld: Some(distance * scale), ..RepairOptions::default() };
        let done = repair(&Device::cpu(), &positions, &[[0, 1, 2]], &options).expect("repaired");
        let welded: BTreeMap<u32, u32> = done.report.vertices_welded.iter().map(|&[v, to]| (v, to)).collect();
        let stay: Vec<u32> = (0..positions.len() as u32).filter(|v| !welded.contains_key(v)).collect();
        let away = |a: u32, b: u32| (positions[a as usize] / scale).distance(positions[b as usize] / scale);
        for (i, &a) in stay.iter().enumerate() {
            prop_assert!(stay[..i].iter().all(|&b| away(a, b) > distance * (1.0 - 1e-12)));
        }
        for (&v, &to) in &welded {
            prop_assert!(to < v && away(v, to) <= distance * (1.0 + 1e-12));
            prop_assert!(!welded.contains_key(&to));
        }
    }
}
