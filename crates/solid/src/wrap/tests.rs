//! Comparison of the kernels with plain loops over all nodes and cubes.
use crate::inside::InsideTest;
use crate::intersections::Triangles;
use crate::wrap::cubes::extract;
use crate::wrap::field::{Field, Source};
use crate::wrap::grid::{BLOCK, Grid, NODES, SIDES, local, number};
use crate::wrap::kernels::{INSIDE, OUTSIDE};
use glam::{DVec3, Vec3};
use ribbonmesh::bvh::Bvh;
use ribbonmesh::{Device, TriangleMesh};
use ribbonmesh_mesh::{BoundingBox, shapes};
use ribbonmesh_suite::{Random, suite};
use std::collections::HashSet;

/// Values at all nodes of a grid.
struct Nodes {
    grid: Grid,
    values: Vec<f32>,
}
impl Nodes {
    /// The values of a field; 1 and −1 in blocks without values.
    fn of(field: &Field) -> Self {
        let (grid, states, stored) = field.read().expect("memory");
        let mut nodes = Self { grid, values: vec![] };
        let [nx, ny, nz] = nodes.size();
        for at in 0..nx * ny * nz {
            let (block, node) = nodes.split(at);
            nodes.values.push(match states[block as usize] {
                OUTSIDE => 1.0,
                INSIDE => -1.0,
                slot => stored[(NODES * slot + node) as usize],
            });
        }
        nodes
    }
    fn size(&self) -> [u32; 3] {
        self.grid.blocks.map(|n| n * BLOCK)
    }
    fn place(&self, at: u32) -> [u32; 3] {
        let [nx, ny, _] = self.size();
        [at % nx, at / nx % ny, at / nx / ny]
    }
    fn split(&self, at: u32) -> (u32, u32) {
        let place = self.place(at);
        let [i, j, k] = place.map(|i| i / BLOCK);
        let block = i + self.grid.blocks[0] * (j + self.grid.blocks[1] * k);
        (block, number(place.map(|i| i % BLOCK)))
    }
    /// The node of a block among all.
    fn joined(&self, block: u32, node: u32) -> u32 {
        let ([nx, ny, _], [i, j, k], [x, y, z]) = (self.size(), self.grid.block(block), local(node));
        (i * BLOCK + x) + nx * ((j * BLOCK + y) + ny * (k * BLOCK + z))
    }
    fn position(&self, at: u32) -> Vec3 {
        let (block, node) = self.split(at);
        self.grid.place(block, node)
    }
    /// The node at an offset, unless it is outside of the grid.
    fn beside(&self, at: u32, way: [i32; 3]) -> Option<u32> {
        let ([nx, ny, nz], [x, y, z]) = (self.size(), self.place(at));
        let x = x.checked_add_signed(way[0]).filter(|x| *x < nx)?;
        let y = y.checked_add_signed(way[1]).filter(|y| *y < ny)?;
        let z = z.checked_add_signed(way[2]).filter(|z| *z < nz)?;
        Some(x + nx * (y + ny * z))
    }
    fn value(&self, at: Option<u32>) -> f32 {
        at.map_or(1.0, |at| self.values[at as usize])
    }
    /// The nodes that are reached from the first one along edges.
    fn reached(&self) -> Vec<bool> {
        let (mut reached, mut list) = (vec![false; self.values.len()], vec![0]);
        reached[0] = true;
        while let Some(at) = list.pop() {
            for next in SIDES.iter().filter_map(|side| self.beside(at, *side)) {
                if self.values[next as usize] > 0.0 && !std::mem::replace(&mut reached[next as usize], true) {
                    list.push(next);
                }
            }
        }
        reached
    }
    /// The faces of marching tetrahedra, each by the two nodes of each of its vertices, in any order.
    fn faces(&self) -> HashSet<[[u32; 2]; 3]> {
        const PATHS: [[u32; 3]; 6] = [[0, 1, 2], [1, 0, 2], [1, 2, 0], [2, 1, 0], [2, 0, 1], [0, 2, 1]];
        let mut faces = HashSet::new();
        for at in 0..self.values.len() as u32 {
            for path in PATHS {
                // corners of a tetrahedron: along three axes
                let (mut corners, mut way) = (vec![Some(at)], [0; 3]);
                for axis in path {
                    way[axis as usize] = 1;
                    corners.push(self.beside(at, way));
                }
                // oriented alike
                if !matches!(path, [0, 1, 2] | [1, 2, 0] | [2, 0, 1]) {
                    corners.swap(1, 2);
                }
                let is_inside = |c: &usize| self.value(corners[*c]) <= 0.0;
                let (inside, outside): (Vec<usize>, Vec<usize>) = (0..4).partition(is_inside);
                if inside.is_empty() || outside.is_empty() {
                    continue;
                }
                let node = |c: usize| corners[c].expect("a surface within the grid");
                let edge = |a: usize, b: usize| [node(a).min(node(b)), node(a).max(node(b))];
                let mut add = |mut face: [[u32; 2]; 3]| {
                    face.sort_unstable();
                    assert!(faces.insert(face));
                };
                match (&inside[..], &outside[..]) {
                    (&[a], &[b, c, d]) | (&[b, c, d], &[a]) => add([edge(a, b), edge(a, c), edge(a, d)]),
                    (&[a, b], &[c, d]) => {
                        let [c, d] = if matches!((a, b), (0, 2) | (1, 3)) { [d, c] } else { [c, d] };
                        let [p, q, r, s] = [edge(a, c), edge(a, d), edge(b, d), edge(b, c)];
                        add([p, q, r]);
                        add([p, r, s]);
                    }
                    _ => {}
                }
            }
        }
        faces
    }
}

fn soup(seed: u64, n: usize, size: f64) -> TriangleMesh {
    let mut random = Random(seed);
    let mut number = || f64::from(random.next()) / f64::from(1_u32 << 31);
    let mut positions = vec![];
    for _ in 0..n {
        let middle = DVec3::new(number(), number(), 0.5 * number());
        positions.extend((0..3).map(|_| middle + size * DVec3::new(number(), number(), number())));
    }
    let faces = (0..n as u32).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
    TriangleMesh::new(positions, faces)
}
/// A ball within a ball with a hole, and random triangles of several sizes.
fn meshes() -> Vec<TriangleMesh> {
    let ball = shapes::icosphere(3).expect("small");
    let mut open = ball.clone();
    let positions = &open.positions;
    open.faces.retain(|face| face.iter().any(|&v| positions[v as usize].z < 0.6));
    let mut inner = ball.clone();
    inner.positions.iter_mut().for_each(|p| *p *= 0.6);
    open.append(&inner).expect("consistent");
    vec![ball, open, soup(1, 8, 1.0), soup(2, 60, 0.2), soup(3, 400, 0.05)]
}
/// A field of a mesh before cavities are closed.
fn field(device: &Device, mesh: &TriangleMesh, resolution: u32, offset: f64, winding: bool) -> Field {
    let positions = device.upload(&mesh.points()).expect("memory");
    let faces = device.upload(mesh.faces.as_flattened()).expect("memory");
    let test = InsideTest::new(Triangles { positions: &positions, faces: &faces }).expect("a tree");
    let bounds = bounds(mesh);
    let grid = Grid::around(&bounds, resolution, offset + 2.0);
    let corners = [bounds.low, bounds.high].map(|p| p.as_vec3());
    let mut source = Source::new(test, offset, corners, winding).expect("a border");
    Field::new(grid, &mut source).expect("a field")
}
/// The box of the faces.
fn bounds(mesh: &TriangleMesh) -> BoundingBox {
    let used = mesh.faces.as_flattened().iter().map(|&v| mesh.positions[v as usize]);
    let (low, high) = used.fold((DVec3::MAX, DVec3::MIN), |(low, high), p| (low.min(p), high.max(p)));
    BoundingBox { low, high }
}

suite! {
    fn values_are_distances(device) {
        for mesh in meshes() {
            for (resolution, offset) in [(13, 1.0), (24, 0.7), (20, 2.5)] {
                let field = field(device, &mesh, resolution, offset, false);
                let nodes = Nodes::of(&field);
                let points: Vec<Vec3> = (0..nodes.values.len() as u32).map(|at| nodes.position(at)).collect();
                let tree = Bvh::new(device, &mesh.points(), &mesh.faces).expect("a tree");
                let found = tree.closest(&device.upload(&points).expect("memory"), None).expect("points");
                let (_, states, _) = field.read().expect("memory");
                for (at, found) in found.read().expect("memory").iter().enumerate() {
                    let distance = f64::from(found.distance) / nodes.grid.cell;
                    let (block, _) = nodes.split(at as u32);
                    if states[block as usize] == OUTSIDE {
                        assert!(distance > offset + 2.0);
                        continue;
                    }
                    let expected = distance.min(offset + 2.0) - offset;
                    assert!((f64::from(nodes.values[at]) - expected).abs() < 1e-5 * (1.0 + distance));
                }
            }
        }
    }
    fn sides_are_those_of_winding_numbers(device) {
        let mut some = 0;
        for mesh in &meshes()[..4] {
            let positions = device.upload(&mesh.points()).expect("memory");
            let faces = device.upload(mesh.faces.as_flattened()).expect("memory");
            let test = InsideTest::new(Triangles { positions: &positions, faces: &faces }).expect("a tree");
            let bounds = bounds(mesh);
            for (resolution, offset) in [(16, 0.6), (26, 1.0)] {
                let mut field = field(device, mesh, resolution, offset, true);
                field.close_cavities().expect("closed");
                let nodes = Nodes::of(&field);
                let points: Vec<Vec3> = (0..nodes.values.len() as u32).map(|at| nodes.position(at)).collect();
                let buffer = device.upload(&points).expect("memory");
                let winding = test.winding_of_all(&buffer).expect("numbers").read().expect("memory");
                let found = test.tree().closest(&buffer, None).expect("points").read().expect("memory");
                for (i, (&value, w)) in nodes.values.iter().zip(&winding).enumerate() {
                    let distance = f64::from(found[i].distance) / nodes.grid.cell;
                    let p = points[i].as_dvec3();
                    let within = p.cmpge(bounds.low).all() && p.cmple(bounds.high).all();
                    if (distance - offset).abs() < 1e-5 || (w.abs() - 0.5).abs() < 0.06 {
                        continue;
                    }
                    let inside = distance < offset || within && w.abs() > 0.5;
                    // what is inside without need is a cavity
                    assert!(value <= 0.0 || !inside, "{value}, {distance}, {w}");
                    some += u32::from(distance > offset && inside);
                }
            }
        }
        assert!(some > 1000);
    }
    fn what_is_not_reached_is_inside(device) {
        for mesh in meshes() {
            for (resolution, winding) in [(13, true), (37, true), (37, false)] {
                let mut field = field(device, &mesh, resolution, 1.0, winding);
                let before = Nodes::of(&field);
                field.close_cavities().expect("closed");
                let after = Nodes::of(&field);
                for (at, reached) in before.reached().into_iter().enumerate() {
                    let value = before.values[at];
                    assert_eq!(after.values[at], if reached { value } else { -value.abs() });
                }
            }
        }
    }
    fn faces_of_all_tetrahedra(device) {
        for mesh in meshes() {
            for resolution in [12, 25] {
                let mut field = field(device, &mesh, resolution, 1.0, true);
                field.close_cavities().expect("closed");
                let nodes = Nodes::of(&field);
                let (positions, faces) = extract(&field).expect("a surface");
                let (positions, faces) = (positions.read().expect("memory"), faces.read().expect("memory"));
                // the edges of vertices, in the order of slots, nodes and corners
                let (_, states, _) = field.read().expect("memory");
                let mut near: Vec<u32> = (0..states.len() as u32).collect();
                near.retain(|block| states[*block as usize] < INSIDE);
                near.sort_by_key(|block| states[*block as usize]);
                let mut edges: Vec<[u32; 2]> = vec![];
                for (block, node) in near.into_iter().flat_map(|b| (0..NODES).map(move |node| (b, node))) {
                    let at = nodes.joined(block, node);
                    for d in 1..8 {
                        let way = [d & 1, d >> 1 & 1, d >> 2];
                        let to = nodes.beside(at, way);
                        let (a, b) = (nodes.value(Some(at)), nodes.value(to));
                        if (a <= 0.0) != (b <= 0.0) {
                            let part = (a / (a - b)).clamp(0.05, 0.95);
                            let place = DVec3::from(nodes.place(at).map(f64::from));
                            let way = DVec3::from(way.map(f64::from));
                            let p = nodes.grid.at(place + f64::from(part) * way);
                            // machines round alike but for the last bits
                            let away = (p - positions[edges.len()]).length();
                            assert!(f64::from(away) < 1e-4 * nodes.grid.cell);
                            edges.push([at, to.expect("within")]);
                        }
                    }
                }
                assert_eq!(edges.len(), positions.len());
                let edge = |v: &u32| edges[*v as usize];
                let mut found = HashSet::new();
                for face in faces.as_chunks::<3>().0 {
                    let mut face: [[u32; 2]; 3] = std::array::from_fn(|i| edge(&face[i]));
                    face.iter_mut().for_each(|edge| edge.sort_unstable());
                    face.sort_unstable();
                    assert!(found.insert(face));
                }
                assert!(found == nodes.faces());
            }
        }
    }
}
