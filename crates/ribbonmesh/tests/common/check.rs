//! Every query of a mesh against the oracle.
use super::ids::{Pair, sorted};
use super::oracle::{key, sides};
use ribbonmesh::device::{Edge, Face, NONE, Vertex};
use ribbonmesh::{Error, Op, Rows};

fn rows(pair: &Pair, op: Op) -> Rows {
    let result = pair.mesh.query(op).unwrap_or_else(|e| panic!("{op} of {}: {e}", pair.name));
    let rows = result.download().expect("a result");
    // gapless, from 0 to the end
    if let Some(offsets) = result.offsets() {
        let offsets = offsets.read().expect("offsets");
        assert!(offsets.is_sorted() && offsets[0] == 0, "{op} of {}", pair.name);
        assert_eq!(*offsets.last().expect("an end") as usize, result.values().len(), "{op} of {}", pair.name);
    }
    rows
}

/// All ten queries and the boundary.
pub fn all(pair: &Pair) {
    vertices(pair);
    edges(pair);
    faces(pair);
    diamond(pair);
    boundary(pair);
}

pub fn vertices(pair: &Pair) {
    let (name, o) = (&pair.name, &pair.oracle);
    let (vv, ve, vf) = (rows(pair, Op::VV), rows(pair, Op::VE), rows(pair, Op::VF));
    assert_eq!(sorted(pair.vertex.iter().copied()), (0..o.vertices as u32).collect::<Vec<_>>(), "{name}");
    for id in 0..o.vertices {
        let v = pair.v(id as u32);
        let found = sorted(vv.row(id).map(|u| pair.v(u)));
        assert_eq!(found, sorted(o.neighbours(v)), "VV of vertex {v} of {name}");
        let found = sorted(ve.row(id).map(|e| pair.e(e)));
        assert_eq!(found, sorted(o.vertex_edges[v as usize].iter().copied()), "VE of vertex {v} of {name}");
        let found = sorted(vf.row(id).map(|f| pair.f(f)));
        assert_eq!(found, sorted(o.vertex_faces[v as usize].iter().copied()), "VF of vertex {v} of {name}");
    }
}

pub fn edges(pair: &Pair) {
    let (name, o) = (&pair.name, &pair.oracle);
    assert_eq!(sorted(pair.edge.iter().copied()), sorted(o.edges.keys().copied()), "EV of {name}");
    let (ef, ee) = (rows(pair, Op::EF), rows(pair, Op::EE));
    for id in 0..o.edges.len() {
        let k = pair.e(id as u32);
        let found = sorted(ef.row(id).map(|f| pair.f(f)));
        assert_eq!(found, sorted(o.edges[&k].iter().copied()), "EF of edge {k:?} of {name}");
        let (found, mut expected) = (sorted(ee.row(id).map(|e| pair.e(e))), o.edge_neighbours(k));
        if !o.edge_manifold {
            expected.dedup();
        }
        assert_eq!(found, expected, "EE of edge {k:?} of {name}");
        if o.edge_manifold {
            edge_by_slots(pair, id, ef.entries(id), ee.entries(id));
        }
    }
}
/// Slot by slot: the face, and the next and the previous edge in it.
fn edge_by_slots(pair: &Pair, id: usize, faces: &[u32], edges: &[u32]) {
    for slot in 0..2 {
        let two = &edges[2 * slot..2 * slot + 2];
        if faces[slot] == NONE {
            assert_eq!(two, [NONE, NONE], "EE of {}", pair.name);
            continue;
        }
        let sides = sides(pair.oracle.faces[pair.f(faces[slot]) as usize]);
        let i = sides.iter().position(|&k| k == pair.e(id as u32)).expect("the edge is a side");
        let found = [pair.e(two[0]), pair.e(two[1])];
        assert_eq!(found, [sides[(i + 1) % 3], sides[(i + 2) % 3]], "EE of {}", pair.name);
    }
}

pub fn faces(pair: &Pair) {
    let (name, o) = (&pair.name, &pair.oracle);
    assert_eq!(sorted(pair.face.iter().copied()), (0..o.faces.len() as u32).collect::<Vec<_>>(), "{name}");
    let (fv, fe, ff) = (rows(pair, Op::FV), rows(pair, Op::FE), rows(pair, Op::FF));
    for id in 0..o.faces.len() {
        let f = pair.f(id as u32);
        let corners = o.faces[f as usize];
        let found: Vec<u32> = fv.entries(id).iter().map(|&v| pair.v(v)).collect();
        assert_eq!(found, corners, "FV of face {f} of {name}");
        let found: Vec<_> = fe.entries(id).iter().map(|&e| pair.e(e)).collect();
        assert_eq!(found, sides(corners), "FE of face {f} of {name}");
        if o.edge_manifold {
            let found: Vec<_> =
                ff.entries(id).iter().map(|&g| if g == NONE { NONE } else { pair.f(g) }).collect();
            let across = |k| o.edges[&k].iter().copied().find(|&g| g != f).unwrap_or(NONE);
            assert_eq!(found, sides(corners).map(across), "FF of face {f} of {name}");
        } else {
            let found = sorted(ff.row(id).map(|g| pair.f(g)));
            assert_eq!(found, sorted(o.face_neighbours(f)), "FF of face {f} of {name}");
        }
    }
}

pub fn diamond(pair: &Pair) {
    let (name, o) = (&pair.name, &pair.oracle);
    if !o.non_manifold.is_empty() {
        match pair.mesh.query(Op::EVDiamond) {
            Err(Error::NonManifoldEdges { count, example }) => {
                assert_eq!(count as usize, o.non_manifold.len(), "{name}");
                assert!(o.non_manifold.contains(&pair.e(example)), "{name}");
                let first = (0..).position(|e| o.non_manifold.contains(&pair.e(e)));
                assert_eq!(Some(example as usize), first, "{name}");
            }
            other => panic!("EVDiamond of {name}: {other:?}"),
        }
        return;
    }
    let (ev, diamond) = (rows(pair, Op::EV), rows(pair, Op::EVDiamond));
    let ef = o.edge_manifold.then(|| rows(pair, Op::EF));
    for id in 0..o.edges.len() {
        let (k, d) = (pair.e(id as u32), diamond.entries(id));
        assert_eq!([d[0], d[2]], *ev.entries(id), "EVDiamond of edge {k:?} of {name}");
        let Some(ef) = &ef else { continue };
        for slot in 0..2 {
            let (face, opposite) = (ef.entries(id)[slot], d[2 * slot + 1]);
            if face == NONE {
                assert_eq!(opposite, NONE, "EVDiamond of edge {k:?} of {name}");
                continue;
            }
            let c = o.faces[pair.f(face) as usize];
            let i = (0..3).find(|&i| key(c[i], c[(i + 1) % 3]) == k).expect("the edge is a side");
            assert_eq!(pair.v(opposite), c[(i + 2) % 3], "EVDiamond of edge {k:?} of {name}");
        }
    }
}

pub fn boundary(pair: &Pair) {
    let (name, o, mesh) = (&pair.name, &pair.oracle, &pair.mesh);
    let flags = mesh.boundary::<Vertex>().and_then(|b| b.read()).expect("flags");
    let expected: Vec<u32> = (0..).take(o.vertices).map(|v| o.boundary_vertex(pair.v(v)) as u32).collect();
    assert_eq!(flags, expected, "boundary vertices of {name}");
    let flags = mesh.boundary::<Edge>().and_then(|b| b.read()).expect("flags");
    let expected: Vec<u32> = pair.edge.iter().map(|&k| o.boundary_edge(k) as u32).collect();
    assert_eq!(flags, expected, "boundary edges of {name}");
    let flags = mesh.boundary::<Face>().and_then(|b| b.read()).expect("flags");
    let expected: Vec<u32> = pair.face.iter().map(|&f| o.boundary_face(f) as u32).collect();
    assert_eq!(flags, expected, "boundary faces of {name}");
}

/// The three oriented queries.
pub fn oriented(pair: &Pair) {
    let (name, o) = (&pair.name, &pair.oracle);
    let rows = |op| pair.mesh.query_oriented(op).and_then(|r| r.download()).expect("an oriented query");
    let (vv, ve, vf) = (rows(Op::VV), rows(Op::VE), rows(Op::VF));
    let bad: Vec<u32> = (0..).take(o.vertices).filter(|&v| o.walk(pair.v(v)).is_none()).collect();
    for (op, rows) in [(Op::VV, &vv), (Op::VE, &ve), (Op::VF, &vf)] {
        assert_eq!(rows.non_manifold(), bad, "vertices that oriented {op} of {name} reports");
    }
    for id in 0..o.vertices {
        let v = pair.v(id as u32);
        let around: Vec<u32> = vv.row(id).map(|u| pair.v(u)).collect();
        let edges: Vec<_> = ve.row(id).map(|e| pair.e(e)).collect();
        let faces: Vec<u32> = vf.row(id).map(|f| pair.f(f)).collect();
        let Some((mut walk, closed)) = o.walk(v) else {
            assert_eq!(sorted(around), sorted(o.neighbours(v)), "vertex {v} of {name}");
            assert_eq!(
                sorted(edges),
                sorted(o.vertex_edges[v as usize].iter().copied()),
                "vertex {v} of {name}"
            );
            assert_eq!(
                sorted(faces),
                sorted(o.vertex_faces[v as usize].iter().copied()),
                "vertex {v} of {name}"
            );
            continue;
        };
        // a cycle may begin anywhere, but everywhere at the same place
        if let (true, Some(first)) = (closed, faces.first()) {
            let at =
                walk.iter().position(|w| w.2 == *first).unwrap_or_else(|| panic!("vertex {v} of {name}"));
            walk.rotate_left(at);
        }
        let mut expected: Vec<u32> = walk.iter().map(|w| w.0).collect();
        if !closed {
            expected.extend(walk.last().map(|w| w.1));
        }
        assert_eq!(around, expected, "oriented VV of vertex {v} of {name}");
        let expected: Vec<_> = expected.iter().map(|&u| key(u, v)).collect();
        assert_eq!(edges, expected, "oriented VE of vertex {v} of {name}");
        let expected: Vec<u32> = walk.iter().map(|w| w.2).collect();
        assert_eq!(faces, expected, "oriented VF of vertex {v} of {name}");
    }
}

/// The k-rings: ring by ring, each vertex once.
pub fn rings(pair: &Pair, k: u32) {
    let rows = pair.mesh.k_ring(k).and_then(|r| r.download()).expect("a k-ring");
    for id in 0..pair.oracle.vertices {
        let v = pair.v(id as u32);
        let found: Vec<u32> = rows.entries(id).iter().map(|&u| pair.v(u)).collect();
        let mut at = 0;
        for (j, ring) in pair.oracle.rings(v, k).into_iter().enumerate() {
            let part = found.get(at..at + ring.len()).unwrap_or_default();
            assert_eq!(
                sorted(part.iter().copied()),
                sorted(ring.clone()),
                "ring {} of vertex {v} of {}",
                j + 1,
                pair.name
            );
            at += ring.len();
        }
        assert_eq!(at, found.len(), "{k}-ring of vertex {v} of {}", pair.name);
    }
}

/// Queries about a random subset: its rows are the same as in the full query, the others are empty.
pub fn active(pair: &Pair, seed: u64) {
    let mut random = super::Random(seed);
    for op in Op::ALL {
        let Ok(full) = pair.mesh.query(op) else { continue };
        // stretches, so that whole patches are left out
        let active: Vec<u32> =
            (0..full.rows()).map(|i| (i / 50 % 3 == 1 && random.below(2) == 0) as u32).collect();
        let on_device = pair.mesh.device().upload(&active).expect("memory");
        let found = pair.mesh.query_active(op, &on_device).and_then(|r| r.download()).expect("a query");
        let full = full.download().expect("a result");
        for (i, &active) in active.iter().enumerate() {
            let expected = if active != 0 { sorted(full.row(i)) } else { vec![] };
            assert_eq!(sorted(found.row(i)), expected, "{op} of a subset of {}", pair.name);
        }
    }
}
