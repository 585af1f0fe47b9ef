//! Lengths of rows and patterns, against sets of neighbours.
use crate::common;
use crate::meshes::{self, Tets};
use ribbonmesh_fem::{Assembler, Form, RowLengths, Space};
use ribbonmesh_volume::{Relation, SimplexMesh};
use std::collections::{BTreeSet, HashMap};

/// The exponents of all nodes of a cell of an order by brute force, as sorted lists of (vertex, exponent)
/// without zeros: a node is the same in all cells with the same list.
fn nodes_of(cell: [u32; 4], order: u32) -> Vec<Vec<(u32, u32)>> {
    let mut all = vec![];
    for a in 0..=order {
        for b in 0..=order - a {
            for c in 0..=order - a - b {
                let powers = [a, b, c, order - a - b - c];
                let mut own: Vec<_> = cell.into_iter().zip(powers).filter(|(_, p)| *p > 0).collect();
                own.sort_unstable();
                all.push(own);
            }
        }
    }
    all
}
type Node = Vec<(u32, u32)>;
/// The neighbours of each node, itself included.
fn neighbours(tets: &Tets, order: u32) -> HashMap<Node, BTreeSet<Node>> {
    let mut rows: HashMap<_, BTreeSet<_>> = HashMap::new();
    for &cell in &tets.cells {
        let own = nodes_of(cell, order);
        for node in &own {
            rows.entry(node.clone()).or_default().extend(own.iter().cloned());
        }
    }
    rows
}
fn simplices(mesh: &SimplexMesh, relation: Relation) -> Vec<Vec<u32>> {
    let rows = mesh.relation(relation).expect("memory").download().expect("memory");
    (0..rows.len())
        .map(|i| {
            let mut own: Vec<u32> = rows.signed(i).map(|(v, _)| v).collect();
            own.sort_unstable();
            own
        })
        .collect()
}

suite! {
    /// Equation 4.6, for every row, and the sums of two meshes.
    fn lengths_are_those_of_sets(device) {
        let sums = |k: usize| [[23, 164, 700, 2225], [132, 1329, 6544, 22425]][k];
        for (k, tets) in meshes::all().into_iter().enumerate() {
            let mesh = tets.mesh(device);
            let (edges, faces) = (simplices(&mesh, Relation::EV), simplices(&mesh, Relation::FV));
            for order in 1..=4 {
                let lengths = RowLengths::new(&mesh, order).expect("memory");
                let rows = neighbours(&tets, order);
                let [v, e, f] = [lengths.vertices(), lengths.edges(), lengths.faces()].map(|b| b.read().expect("memory"));
                let mut counted = v.iter().filter(|&&n| n == 1).count();
                for (node, row) in &rows {
                    let vertices: Vec<u32> = node.iter().map(|(v, _)| *v).collect();
                    let found = match vertices.len() {
                        1 => v[vertices[0] as usize],
                        2 => e[edges.iter().position(|e| *e == vertices).expect("an edge")],
                        3 => f[faces.iter().position(|f| *f == vertices).expect("a face")],
                        _ => lengths.cell(),
                    };
                    assert_eq!(found as usize, row.len(), "{node:?} of {}, order {order}", tets.name);
                    counted += row.len();
                }
                assert_eq!(lengths.total().expect("memory"), counted as u64, "{}", tets.name);
                if k < 2 {
                    assert_eq!(counted, sums(k)[order as usize - 1]);
                }
            }
        }
    }
    /// Columns are the same as those of sets, ascend, and have no gap; the total is the closed form.
    fn patterns_are_those_of_sets(device) {
        for tets in meshes::all() {
            let mesh = tets.mesh(device);
            for order in 1..=3 {
                let space = Space::tetrahedra(&mesh, order).expect("a space");
                let assembler = Assembler::new(&space).expect("a pattern");
                let matrix = assembler.assemble::<f32>(Form::Mass { density: 1.0 }).expect("a matrix");
                let (blocks, supports) = (matrix.download().expect("memory"), space.supports().expect("memory"));
                let rows = neighbours(&tets, order);
                let mut total = 0;
                for (own, support) in blocks.rows.iter().zip(&supports) {
                    let found: BTreeSet<Vec<(u32, u32)>> =
                        own.iter().map(|(column, _)| supports[*column as usize].clone()).collect();
                    total += own.len();
                    assert!(own.windows(2).all(|w| w[0].0 < w[1].0), "{}", tets.name);
                    match rows.get(support) {
                        Some(expected) => assert_eq!(&found, expected, "{support:?} of {}, order {order}", tets.name),
                        None => assert_eq!(own.len(), 1),
                    }
                }
                assert_eq!(assembler.pattern().blocks(), total as u64);
                assert_eq!(rows.len() + supports.iter().filter(|s| !rows.contains_key(*s)).count(), space.nodes());
                let of = |relation| mesh.relation(relation).expect("memory").rows() as u64;
                let [v, e, f, c] = [mesh.vertices() as u64, of(Relation::EV), of(Relation::FE), of(Relation::CV)];
                let closed = [v + 2 * e, v + 7 * e + 12 * f + 6 * c, v + 14 * e + 55 * f + 92 * c];
                assert_eq!(total as u64, closed[order as usize - 1], "{}", tets.name);
            }
        }
    }
    fn patterns_of_hexahedra(device) {
        let space = meshes::hexes(device, [3, 2, 4], true);
        let blocks = Assembler::new(&space).expect("a pattern");
        let found = blocks.assemble::<f64>(Form::Mass { density: 1.0 }).expect("a matrix").download().expect("memory");
        for (row, own) in found.rows.iter().enumerate() {
            let at = |v: usize| [v % 4, v / 4 % 3, v / 12];
            let near = |u: usize| (0..3).all(|k| at(row)[k].abs_diff(at(u)[k]) <= 1);
            let expected: Vec<u32> = (0..60_u32).filter(|&u| near(u as usize)).collect();
            assert_eq!(own.iter().map(|(c, _)| *c).collect::<Vec<_>>(), expected);
        }
        // (3n + 1) products of the three directions
        assert_eq!(blocks.pattern().blocks(), 10 * 7 * 13);
    }
}
