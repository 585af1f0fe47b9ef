//! All eight queries, straight from the store, against the oracle.
use crate::model::Model;
use ribbonmesh::device::NONE;
use ribbonmesh_dynamic::{StoreOp, StoreOptions};
use ribbonmesh_suite::adjacency::sides;
use ribbonmesh_suite::ids::sorted;
use ribbonmesh_suite::{cases, meshes, suite};

/// Every input element has a row, once.
fn places(model: &Model) {
    let (name, o) = (&model.name, &model.oracle);
    let used = |places: &[u32]| sorted(places.iter().copied().filter(|&i| i != NONE));
    assert_eq!(used(&model.vertex), (0..o.vertices as u32).collect::<Vec<_>>(), "vertices of {name}");
    assert_eq!(used(&model.face), (0..o.faces.len() as u32).collect::<Vec<_>>(), "faces of {name}");
    let edges = sorted(model.edge.iter().flatten().copied());
    assert_eq!(edges, sorted(o.edges.keys().copied()), "EV of {name}");
}
fn of_vertices(model: &Model) {
    let (name, o) = (&model.name, &model.oracle);
    let (vv, ve, vf) = (model.rows(StoreOp::VV), model.rows(StoreOp::VE), model.rows(StoreOp::VF));
    for (place, &v) in model.vertex.iter().enumerate() {
        if v == NONE {
            assert!(
                vv.row(place).is_empty() && ve.row(place).is_empty() && vf.row(place).is_empty(),
                "{name}"
            );
            continue;
        }
        let found = sorted(vv.row(place).iter().map(|&u| model.v(u)));
        assert_eq!(found, sorted(o.neighbours(v)), "VV of vertex {v} of {name}");
        let found = sorted(ve.row(place).iter().map(|&e| model.e(e)));
        assert_eq!(found, sorted(o.vertex_edges[v as usize].iter().copied()), "VE of vertex {v} of {name}");
        let found = sorted(vf.row(place).iter().map(|&f| model.f(f)));
        assert_eq!(found, sorted(o.vertex_faces[v as usize].iter().copied()), "VF of vertex {v} of {name}");
    }
}
fn of_edges(model: &Model) {
    let ef = model.rows(StoreOp::EF);
    for (place, k) in model.edge.iter().enumerate() {
        let found = sorted(ef.row(place).iter().map(|&f| model.f(f)));
        let expected = k.map(|k| sorted(model.oracle.edges[&k].iter().copied())).unwrap_or_default();
        assert_eq!(found, expected, "EF of edge {k:?} of {}", model.name);
    }
}
fn of_faces(model: &Model) {
    let (name, o) = (&model.name, &model.oracle);
    let (fv, fe, ff) = (model.rows(StoreOp::FV), model.rows(StoreOp::FE), model.rows(StoreOp::FF));
    for (place, &f) in model.face.iter().enumerate() {
        if f == NONE {
            assert!(
                fv.row(place).is_empty() && fe.row(place).is_empty() && ff.row(place).is_empty(),
                "{name}"
            );
            continue;
        }
        let corners = o.faces[f as usize];
        let found: Vec<u32> = fv.row(place).iter().map(|&v| model.v(v)).collect();
        assert_eq!(found, corners, "FV of face {f} of {name}");
        let found: Vec<_> = fe.row(place).iter().map(|&e| model.e(e)).collect();
        assert_eq!(found, sides(corners), "FE of face {f} of {name}");
        let found = sorted(ff.row(place).iter().map(|&g| model.f(g)));
        assert_eq!(found, sorted(o.face_neighbours(f)), "FF of face {f} of {name}");
    }
}

/// All queries of a store.
pub fn all(model: &Model) {
    places(model);
    of_vertices(model);
    of_edges(model);
    of_faces(model);
}

suite! {
    /// Manifold, non-manifold and non-orientable meshes, degenerate and duplicate faces, isolated vertices.
    fn as_the_oracle(device) {
        for case in cases(meshes::all()) {
            for patch_size in [32, 512] {
                let model = Model::new(device, &case, patch_size, &StoreOptions::still());
                let report = model.store.validate().unwrap_or_else(|e| panic!("{}: {e}", model.name));
                let o = &model.oracle;
                assert_eq!(report.owned, [o.vertices, o.edges.len(), o.faces.len()].map(|n| n as u32), "{}", model.name);
                assert_eq!(report.longest_chain, 1);
                all(&model);
            }
        }
    }
    /// With room and free patches, and with tables of another load, nothing else is found.
    fn room_changes_nothing(device) {
        for options in [
            StoreOptions::default(),
            StoreOptions { room: 1.5, spare: 2.0, load: 0.9 },
            StoreOptions { load: 0.3, ..StoreOptions::still() },
        ] {
            for case in [meshes::torus(14), meshes::book(40), meshes::mobius(15)] {
                let model = Model::new(device, &case, 32, &options);
                model.store.validate().unwrap_or_else(|e| panic!("{}: {e}", model.name));
                all(&model);
            }
        }
    }
}
