//! Extraction of the surface where the field changes its sign, by marching tetrahedra.
use crate::wrap::field::Field;
use crate::wrap::grid::{BLOCK, NODES, number};
use glam::{DVec3, Vec3};
use rayon::prelude::*;

/// Least distance of a vertex from a node, as a part of its edge.
const NEAR: f32 = 0.05;
/// Nodes along an edge of a block, including the first nodes of the next one.
const WIDE: usize = BLOCK + 1;

/// The six tetrahedra of a cube by Kuhn, oriented. The corners of each are those on a path along the axes
/// from corner 0 to corner 7. Bits of a corner are its x, y, z.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];
/// The other corners of a tetrahedron, counterclockwise as seen from outside across from each.
const OTHERS: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// A vertex: the edge on which it is, `8 n + d` for the edge from node `n` in the direction of the bits of
/// `d`, and its position on the edge.
type Key = u64;
/// Vertices, ascending, and faces by the places of their vertices.
type Part = (Vec<(Key, f32)>, Vec<[u32; 3]>);

/// Extracts the surface on which a field is 0: vertices, and faces oriented towards its positive side (Doi
/// and Koide 1991). Each triangle is within a tetrahedron, and meets its sides in the same segments as its
/// neighbours, so the surface is a closed oriented manifold without self-intersections. No vertex is nearer
/// to a node than a twentieth of its edge.
pub(crate) fn extract(field: &Field) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let grid = &field.grid;
    // cubes at the end of a block have nodes of the next blocks
    let mut blocks: Vec<usize> = field
        .near
        .iter()
        .flat_map(|&block| {
            (0..8).map(move |i| [i & 1, i >> 1 & 1, i >> 2].map(|i: isize| -i)).map(move |way| (block, way))
        })
        .filter_map(|(block, way)| grid.beside(block, way))
        .collect();
    blocks.par_sort_unstable();
    blocks.dedup();
    let parts: Vec<Part> = blocks.par_iter().map(|&block| of_block(field, block)).collect();
    let mut vertices: Vec<(Key, f32)> =
        parts.par_iter().flat_map_iter(|(vertices, _)| vertices.iter().copied()).collect();
    vertices.par_sort_unstable_by_key(|(key, _)| *key);
    vertices.dedup_by_key(|(key, _)| *key);
    let place = |(key, _): &(Key, f32)| place_of(&vertices, *key);
    let faces: Vec<[u32; 3]> = parts
        .par_iter()
        .flat_map_iter(|(of_block, faces)| {
            let places: Vec<u32> = of_block.iter().map(place).collect();
            faces.iter().map(move |face| face.map(|v| places[v as usize]))
        })
        .collect();
    let [nx, ny, _] = grid.blocks.map(|n| (n * BLOCK) as u64);
    let position = |&(key, part): &(Key, f32)| {
        let (node, way) = (key / 8, key % 8);
        let from = [node % nx, node / nx % ny, node / nx / ny].map(|i| i as f64);
        let way = DVec3::new((way & 1) as f64, (way >> 1 & 1) as f64, (way >> 2) as f64);
        grid.at((DVec3::from(from) + f64::from(part) * way).to_array())
    };
    (vertices.par_iter().map(position).collect(), faces)
}

/// The place of a vertex among ascending ones.
fn place_of(vertices: &[(Key, f32)], key: Key) -> u32 {
    vertices.partition_point(|(other, _)| *other < key) as u32
}

/// The vertices and faces of the cubes of a block.
fn of_block(field: &Field, block: usize) -> Part {
    let grid = &field.grid;
    let mut values = [0.0_f32; WIDE * WIDE * WIDE];
    let behind: [Option<usize>; 8] =
        std::array::from_fn(|i| grid.beside(block, [i & 1, i >> 1 & 1, i >> 2].map(|i| i as isize)));
    let (mut some, mut all) = (false, true);
    for (at, value) in values.iter_mut().enumerate() {
        let place = [at % WIDE, at / WIDE % WIDE, at / WIDE / WIDE];
        let over = (0..3).map(|axis| (place[axis] / BLOCK) << axis).sum::<usize>();
        // nodes past the end of the grid are outside
        *value = behind[over].map_or(1.0, |block| field.value(block, number(place.map(|i| i % BLOCK))));
        some |= *value <= 0.0;
        all &= *value <= 0.0;
    }
    if all || !some {
        return (vec![], vec![]);
    }
    let (mut vertices, mut faces) = (vec![], vec![]);
    let [nx, ny, _] = grid.blocks.map(|n| (n * BLOCK) as u64);
    for cube in 0..NODES {
        let [i, j, k] = [cube % BLOCK, cube / BLOCK % BLOCK, cube / BLOCK / BLOCK];
        let corner = |c: usize| (i + (c & 1)) + WIDE * ((j + (c >> 1 & 1)) + WIDE * (k + (c >> 2)));
        let of: [f32; 8] = std::array::from_fn(|c| values[corner(c)]);
        let signs = of.map(|value| value <= 0.0);
        if signs == [signs[0]; 8] {
            continue;
        }
        let first = grid.node(block, cube);
        let mut between = |a: usize, b: usize| {
            // of two corners of a tetrahedron one has all bits of the other
            let (a, b) = (a.min(b), a.max(b));
            let from: [u64; 3] = std::array::from_fn(|axis| (first[axis] + (a >> axis & 1)) as u64);
            let key = 8 * (from[0] + nx * (from[1] + ny * from[2])) + (b - a) as u64;
            let part = of[a] / (of[a] - of[b]);
            vertices.push((key, if part.is_finite() { part.clamp(NEAR, 1.0 - NEAR) } else { 0.5 }));
            key
        };
        for corners in TETRAHEDRA {
            let inside = |i: usize| signs[corners[i]];
            let count = (0..4).filter(|&i| inside(i)).count();
            if count == 0 || count == 4 {
                continue;
            }
            let mut edge = |i: usize, j: usize| between(corners[i], corners[j]);
            let alone = |side: bool| (0..4).find(|&i| inside(i) == side).unwrap_or(0);
            let (ring, outwards): (Vec<Key>, bool) = match count {
                1 => {
                    let i = alone(true);
                    (OTHERS[i].map(|j| edge(i, j)).to_vec(), true)
                }
                3 => {
                    let i = alone(false);
                    (OTHERS[i].map(|j| edge(i, j)).to_vec(), false)
                }
                _ => {
                    let i = alone(true);
                    // the other two in the order in which all four are oriented
                    let j = (i + 1..4).find(|&j| inside(j)).unwrap_or(0);
                    let [k, l] = match (i, j) {
                        (0, 1) => [2, 3],
                        (0, 2) => [3, 1],
                        (0, 3) => [1, 2],
                        (1, 2) => [0, 3],
                        (1, 3) => [2, 0],
                        _ => [0, 1],
                    };
                    (vec![edge(i, k), edge(i, l), edge(j, l), edge(j, k)], true)
                }
            };
            for third in 2..ring.len() {
                let [a, b, c] = [ring[0], ring[third - 1], ring[third]];
                faces.push(if outwards { [a, b, c] } else { [a, c, b] });
            }
        }
    }
    vertices.sort_unstable_by_key(|(key, _)| *key);
    vertices.dedup_by_key(|(key, _)| *key);
    let place = |face: &[Key; 3]| face.map(|key| place_of(&vertices, key));
    let faces = faces.iter().map(place).collect();
    (vertices, faces)
}
