//! All relations against brute force.
use crate::common::{self, cases};
use crate::meshes;
use crate::oracle::{Oracle, Signed};
use ribbonmesh::Device;
use ribbonmesh_volume::{Relation, Tcsr, TcsrRows, VolumeError, VolumeMesh, VolumeOptions, encode, shapes};

fn build(device: &Device, case: &meshes::Case) -> VolumeMesh {
    VolumeMesh::new(device, &case.x, &case.cells, &VolumeOptions::default()).expect("a mesh")
}
fn sorted(rows: &TcsrRows) -> Signed {
    let row = |i| {
        let mut row: Vec<(u32, i32)> = rows.signed(i).collect();
        row.sort_unstable();
        row
    };
    (0..rows.len()).map(row).collect()
}
/// The relations whose rows have the order of the element.
fn ordered(relation: Relation) -> bool {
    use Relation::{CF, EV, FE, FV};
    matches!(relation, EV | FE | FV | CF)
}

suite! {
    fn every_relation_of_every_class(device) {
        for case in cases(meshes::all()) {
            let (mesh, oracle) = (build(device, &case), Oracle::new(case.x.len(), &case.cells));
            mesh.validate().expect("a mesh");
            assert_eq!(mesh.vertices(), oracle.vertices, "{}", case.name);
            assert_eq!(mesh.edges(), oracle.edges.len(), "{}", case.name);
            assert_eq!(mesh.faces(), oracle.faces.len(), "{}", case.name);
            assert_eq!(mesh.cells(), oracle.cells.len(), "{}", case.name);
            for relation in Relation::ALL {
                let found = mesh.relation(relation).expect("memory").download().expect("memory");
                let expected = oracle.relation(relation);
                assert_eq!(sorted(&found), expected, "{relation} of {}", case.name);
                // rows without an order of their own ascend
                for (row, entries) in expected.iter().enumerate().filter(|_| !ordered(relation)) {
                    let own: Vec<i32> = entries.iter().map(|&(column, sign)| encode(column, sign < 0)).collect();
                    assert_eq!(found.row(row), own, "{relation} of {}", case.name);
                }
            }
            // vertices of faces along their cycles, and edge i leaves vertex i
            let [fv, fe, ev] = [Relation::FV, Relation::FE, Relation::EV]
                .map(|r| mesh.relation(r).expect("memory").download().expect("memory"));
            for (face, cycle) in oracle.faces.iter().enumerate() {
                let cycle: Vec<i32> = cycle.iter().map(|&v| v as i32).collect();
                assert_eq!(fv.row(face), cycle, "{}", case.name);
                let begins = |(edge, sign): (u32, i32)| {
                    let ends: Vec<(u32, i32)> = ev.signed(edge as usize).collect();
                    ends[usize::from(sign < 0)].0 as i32
                };
                assert_eq!(fe.signed(face).map(begins).collect::<Vec<_>>(), cycle, "{}", case.name);
            }
        }
    }
    /// The boundary of a boundary is empty, with integers.
    fn boundaries_have_no_boundary(device) {
        for case in cases(meshes::all()) {
            let mesh = build(device, &case);
            let [ev, fe, cf] = [Relation::EV, Relation::FE, Relation::CF]
                .map(|r| mesh.relation(r).expect("memory").download().expect("memory"));
            for (first, second) in [(&fe, &ev), (&cf, &fe)] {
                for row in 0..first.len() {
                    let mut sums = std::collections::BTreeMap::<u32, i32>::new();
                    for (middle, outer) in first.signed(row) {
                        for (column, inner) in second.signed(middle as usize) {
                            *sums.entry(column).or_default() += outer * inner;
                        }
                    }
                    assert!(!sums.is_empty() && sums.values().all(|&sum| sum == 0), "row {row} of {}", case.name);
                }
            }
        }
    }
    /// The printed matrices of Mueller-Roemer 2020, figure 3.5.
    fn printed_operators(device) {
        let (x, cells) = meshes::two_tetrahedra();
        let mesh = VolumeMesh::new(device, &x, &cells, &VolumeOptions::default()).expect("a mesh");
        let by_column = |relation| {
            let rows = sorted(&mesh.relation(relation).expect("memory").download().expect("memory"));
            rows.concat().into_iter().map(|(column, sign)| encode(column, sign < 0)).collect::<Vec<_>>()
        };
        let edges = [0, -2, 4, 0, -3, 5, 0, -4, 6, 1, -3, 7, 1, -4, 8, 4, -6, 7, 4, -7, 8];
        assert_eq!(by_column(Relation::FE), edges);
        assert_eq!(by_column(Relation::CF), [0, -2, 3, -6, -1, 2, -5, 6]);
        assert_eq!(by_column(Relation::VE), [-1, -2, -3, -4, 0, -5, -6, -7, 1, 4, -8, -9, 2, 5, 7, 3, 6, 8]);
        assert_eq!(by_column(Relation::CE), [0, 1, 2, 4, 5, 7, 0, 1, 3, 4, 6, 8]);
        assert_eq!(by_column(Relation::CV), [0, 1, 2, 3, 0, 1, 2, 4]);
    }
    /// Replacing an operator frees what depends on it, and nothing else.
    fn relations_follow_their_operators(device) {
        let (x, cells) = shapes::mixed_grid([4, 2, 1]).expect("a size");
        let mut mesh = VolumeMesh::new(device, &x, &cells, &VolumeOptions::default()).expect("a mesh");
        for operator in [Relation::EV, Relation::FE, Relation::CF] {
            for relation in Relation::ALL {
                mesh.relation(relation).expect("memory");
            }
            assert!(Relation::ALL.into_iter().all(|r| mesh.has(r)) && mesh.relation_bytes() > 0);
            // moved vertices change no relation
            mesh.set_positions(&x).expect("positions");
            assert!(Relation::ALL.into_iter().all(|r| mesh.has(r)));
            let same = mesh.relation(operator).expect("memory").try_clone().expect("memory");
            mesh.replace_operator(operator, same).expect("the same operator");
            for relation in Relation::ALL {
                let stored = matches!(relation, Relation::EV | Relation::FE | Relation::CF);
                let stays = stored || !relation.depends_on().contains(&operator);
                assert_eq!(mesh.has(relation), stays, "{relation} after {operator}");
            }
        }
        mesh.forget_relations();
        assert_eq!(mesh.relation_bytes(), 0);
    }
    /// A replaced operator is what relations are made from; one that gives no mesh is refused, and changes
    /// nothing.
    fn replaced_operators_are_used_or_refused(device) {
        let (x, cells) = shapes::kuhn_grid([2, 1, 1]).expect("a size");
        let fresh = || VolumeMesh::new(device, &x, &cells, &VolumeOptions::default()).expect("a mesh");
        let rows = |mesh: &VolumeMesh, r| mesh.relation(r).expect("memory").download().expect("memory");
        // columns are renumbered
        for (operator, permuted) in [(Relation::EV, 0), (Relation::FE, 1), (Relation::CF, 2)] {
            let turn = |rows: TcsrRows, columns: u32| -> TcsrRows {
                let entries = rows.entries.iter().map(|&entry| {
                    let (column, sign) = ribbonmesh_volume::decode(entry);
                    encode((column + 1) % columns, sign < 0)
                });
                TcsrRows { entries: entries.collect(), ..rows }
            };
            let mut mesh = fresh();
            let before: Vec<TcsrRows> = Relation::ALL.into_iter().map(|r| rows(&mesh, r)).collect();
            let columns = [mesh.vertices(), mesh.edges(), mesh.faces()][permuted] as u32;
            let turned = turn(rows(&mesh, operator), columns);
            let given = Tcsr::new(device, columns as usize, &turned.starts, &turned.entries).expect("a matrix");
            if operator == Relation::EV {
                // vertices have other numbers: still a mesh
                mesh.replace_operator(operator, given).expect("a mesh");
                for (relation, before) in Relation::ALL.into_iter().zip(&before) {
                    let differs = rows(&mesh, relation) != *before;
                    assert_eq!(differs, relation.depends_on().contains(&operator), "{relation} on {operator}");
                }
            } else {
                // the rows no longer close: refused, and nothing has changed
                let error = mesh.replace_operator(operator, given).expect_err("no mesh");
                assert!(matches!(error, VolumeError::NotABoundary { relation, .. } if relation == operator), "{error}");
                for (relation, before) in Relation::ALL.into_iter().zip(&before) {
                    assert!(rows(&mesh, relation) == *before, "{relation}");
                }
            }
        }
        // edges turned round: FE with the signs changed alone is not a cycle; cells turned inside out are
        // still cells
        let mut mesh = fresh();
        let flipped = rows(&mesh, Relation::CF);
        let entries: Vec<i32> = flipped.entries.iter().map(|entry| !entry).collect();
        let given = Tcsr::new(device, mesh.faces(), &flipped.starts, &entries).expect("a matrix");
        let (before, volumes) = (rows(&mesh, Relation::FC), mesh.volumes().expect("memory").read().expect("memory"));
        mesh.replace_operator(Relation::CF, given).expect("a mesh");
        let after = rows(&mesh, Relation::FC);
        assert!(after.entries.iter().zip(&before.entries).all(|(a, b)| *a == !b));
        let turned = mesh.volumes().expect("memory").read().expect("memory");
        assert!(turned.iter().zip(&volumes).all(|(a, b)| *a == -b));
    }
}
