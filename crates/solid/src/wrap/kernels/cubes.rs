//! Marching tetrahedra: each node numbers the vertices on the edges that begin at it, each cube writes its
//! faces.
use crate::wrap::grid::{BLOCK, NODES, local, number};
use crate::wrap::kernels::{INSIDE, Values};
use glam::{DVec3, Vec3};
use ribbonmesh::device::{Arena, Block, In, Out, Shared, kernel};

/// Least distance of a vertex from a node, as a part of its edge.
const NEAR: f32 = 0.05;
/// Nodes along an edge of a block, including the first nodes of the next one.
const WIDE: u32 = BLOCK + 1;
/// All of these nodes of a block.
const ALL: u32 = WIDE * WIDE * WIDE;

/// The six tetrahedra of a cube by Kuhn, oriented. The corners of each are those on a path along the axes
/// from corner 0 to corner 7. Bits of a corner are its x, y, z.
const TETRAHEDRA: [[u32; 4]; 6] =
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];
/// The other corners of a tetrahedron, counterclockwise as seen from outside across from each.
const OTHERS: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// The offset of a corner in a table of all nodes of a block.
#[inline(always)]
fn corner(c: u32) -> u32 {
    (c & 1) + WIDE * ((c >> 1 & 1) + WIDE * (c >> 2))
}
/// The place of a node of a block in such a table.
#[inline(always)]
fn place(node: u32) -> u32 {
    let [x, y, z] = local(node);
    x + WIDE * (y + WIDE * z)
}
/// Loads the values of a block.
#[inline(always)]
fn load(block: &Block, field: &Values<'_>, of: u32, to: Shared<'_, f32>) {
    block.for_each(ALL, |at| {
        let [x, y, z] = [at % WIDE, at / WIDE % WIDE, at / WIDE / WIDE];
        let other = field.grid.beside(of, [x / BLOCK, y / BLOCK, z / BLOCK].map(|i| i as i32));
        to.set(at, field.of(other, number([x % BLOCK, y % BLOCK, z % BLOCK])));
    });
}
/// The corners of a cube that are inside, as bits.
#[inline(always)]
fn inside(values: Shared<'_, f32>, node: u32) -> u32 {
    let (at, mut bits, mut c) = (place(node), 0, 0);
    while c < 8 {
        bits |= ((values.get(at + corner(c)) <= 0.0) as u32) << c;
        c += 1;
    }
    bits
}
/// The edges from the first corner of a cube on which there is a vertex: bit `d` is the edge to corner `d`.
#[inline(always)]
fn crossed(inside: u32) -> u32 {
    if inside & 1 == 0 { inside } else { !inside & 0xff }
}
/// The corners of a tetrahedron that are inside, as bits.
#[inline(always)]
fn of_tetrahedron(inside: u32, corners: [u32; 4]) -> u32 {
    let [a, b, c, d] = corners.map(|c| inside >> c & 1);
    a | b << 1 | c << 2 | d << 3
}
/// Number of faces in a cube.
#[inline(always)]
fn faces_of(inside: u32) -> u32 {
    let (mut count, mut t) = (0, 0);
    while t < 6 && inside != 0 && inside != 0xff {
        count += match of_tetrahedron(inside, TETRAHEDRA[t]).count_ones() {
            0 | 4 => 0,
            2 => 2,
            _ => 1,
        };
        t += 1;
    }
    count
}

/// Counts the vertices and the faces of each block with values, and tells for each of its nodes the edges
/// with vertices. One block per slot.
#[kernel(threads = 128, shared = arena.take::<f32>(ALL))]
pub fn count_elements<'a>(
    block: &Block,
    field: Values<'a>,
    edges: Out<'a, u8>,
    vertices: Out<'a, u32>,
    faces: Out<'a, u32>,
) {
    let slot = block.index();
    let values = block.shared::<f32>(ALL);
    load(block, &field, field.near.get(slot), values);
    let counts = block.reduce(
        NODES,
        [0; 2],
        |node| {
            let inside = inside(values, node);
            let crossed = crossed(inside);
            edges.set(NODES * slot + node, crossed as u8);
            [crossed.count_ones(), faces_of(inside)]
        },
        |[a, b], [c, d]| [a + c, b + d],
    );
    block.single_nosync(|| {
        vertices.set(slot, counts[0]);
        faces.set(slot, counts[1]);
    });
}

fn tables(arena: &Arena) -> (Shared<'_, f32>, Shared<'_, u32>) {
    (arena.take(ALL), arena.take(NODES))
}
/// Places the vertices of each block with values, from `starts` on, and numbers the first of each node. One
/// block per slot.
#[kernel(threads = 128, shared = tables(arena))]
pub fn place_vertices<'a>(
    block: &Block,
    field: Values<'a>,
    edges: In<'a, u8>,
    starts: In<'a, u32>,
    first: Out<'a, u32>,
    positions: Out<'a, Vec3>,
) {
    let slot = block.index();
    let start = starts.get(slot);
    if start == starts.get(slot + 1) {
        return;
    }
    let (values, ranks) = tables(block.arena());
    let of = field.near.get(slot);
    load(block, &field, of, values);
    block.for_each(NODES, |node| ranks.set(node, (edges.get(NODES * slot + node) as u32).count_ones()));
    block.exclusive_scan(ranks, NODES);
    block.for_each_nosync(NODES, |node| {
        let (at, mut vertex) = (place(node), start + ranks.get(node));
        first.set(NODES * slot + node, vertex);
        let (crossed, mut d) = (edges.get(NODES * slot + node) as u32, 1);
        while d < 8 {
            if crossed >> d & 1 != 0 {
                let (a, b) = (values.get(at), values.get(at + corner(d)));
                let part = a / (a - b);
                let part = if part.is_finite() { part.clamp(NEAR, 1.0 - NEAR) } else { 0.5 };
                let way = DVec3::new((d & 1) as f64, (d >> 1 & 1) as f64, (d >> 2) as f64);
                positions.set(vertex, field.grid.at(field.grid.node(of, node) + part as f64 * way));
                vertex += 1;
            }
            d += 1;
        }
    });
}

/// Vertices of a cube.
struct Cube<'a> {
    edges: In<'a, u8>,
    first: In<'a, u32>,
    /// Places of the nodes that are its corners.
    nodes: [u32; 8],
}
impl Cube<'_> {
    /// The vertex on the edge between two corners of a tetrahedron, of which one has all bits of the other.
    #[inline(always)]
    fn vertex(&self, a: u32, b: u32) -> u32 {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        let node = self.nodes[a as usize];
        let before = self.edges.get(node) as u32 & ((1 << (b - a)) - 1);
        self.first.get(node) + before.count_ones()
    }
}

/// Writes the faces of each block with values, from `starts` on, oriented towards positive values. One block
/// per slot.
#[kernel(threads = 128, shared = tables(arena))]
pub fn write_faces<'a>(
    block: &Block,
    field: Values<'a>,
    edges: In<'a, u8>,
    first: In<'a, u32>,
    starts: In<'a, u32>,
    faces: Out<'a, [u32; 3]>,
) {
    let slot = block.index();
    let start = starts.get(slot);
    if start == starts.get(slot + 1) {
        return;
    }
    let (values, ranks) = tables(block.arena());
    let of = field.near.get(slot);
    load(block, &field, of, values);
    block.for_each(NODES, |node| ranks.set(node, faces_of(inside(values, node))));
    block.exclusive_scan(ranks, NODES);
    block.for_each_nosync(NODES, |node| {
        let inside = inside(values, node);
        if inside == 0 || inside == 0xff {
            return;
        }
        let [x, y, z] = local(node);
        let (mut nodes, mut c) = ([0; 8], 0);
        while c < 8 {
            let at = [x + (c & 1), y + (c >> 1 & 1), z + (c >> 2)];
            let slot = match field.grid.beside(of, at.map(|i| (i / BLOCK) as i32)) {
                Some(other) => field.states.get(other),
                None => INSIDE,
            };
            // no edge with a vertex begins in a block without values
            let known = if slot < INSIDE { slot } else { 0 };
            nodes[c as usize] = NODES * known + number(at.map(|i| i % BLOCK));
            c += 1;
        }
        let cube = Cube { edges, first, nodes };
        let (mut face, mut t) = (start + ranks.get(node), 0);
        while t < 6 {
            let corners = TETRAHEDRA[t];
            t += 1;
            let signs = of_tetrahedron(inside, corners);
            let count = signs.count_ones();
            if count == 0 || count == 4 {
                continue;
            }
            let edge = |i: usize, j: usize| cube.vertex(corners[i], corners[j]);
            if count == 2 {
                let i = signs.trailing_zeros() as usize;
                let j = (signs & (signs - 1)).trailing_zeros() as usize;
                // the other two in the order in which all four are oriented
                let [k, l] = match (i, j) {
                    (0, 1) => [2, 3],
                    (0, 2) => [3, 1],
                    (0, 3) => [1, 2],
                    (1, 2) => [0, 3],
                    (1, 3) => [2, 0],
                    _ => [0, 1],
                };
                let [a, b, c, d] = [edge(i, k), edge(i, l), edge(j, l), edge(j, k)];
                faces.set(face, [a, b, c]);
                faces.set(face + 1, [a, c, d]);
                face += 2;
            } else {
                let alone = if count == 1 { signs } else { !signs & 0xf };
                let i = alone.trailing_zeros() as usize;
                let [a, b, c] = OTHERS[i].map(|j| edge(i, j));
                faces.set(face, if count == 1 { [a, b, c] } else { [a, c, b] });
                face += 1;
            }
        }
    });
}
