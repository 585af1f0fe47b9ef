//! Handles: a patch and a local index lead to the owner.
use crate::model::Model;
use ribbonmesh::device::{Element, ElementKind, Face, Vertex};
use ribbonmesh_dynamic::{Handle, StoreOptions};
use ribbonmesh_suite::{meshes, suite};

const KINDS: [ElementKind; 3] = [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face];

suite! {
    /// Each local element of each patch, owned or in the ribbon, leads to one owner; owners lead to
    /// themselves, and handles that name nothing lead nowhere.
    fn every_local_element_has_an_owner(device) {
        for case in [meshes::torus(14), meshes::mobius(15), meshes::soup(40, 300, 8)] {
            let model = Model::new(device, &case, 32, &StoreOptions::default());
            let store = &model.store;
            let rows = store.read_rows().expect("rows");
            for kind in KINDS {
                let handles = store.handles(kind).expect("handles");
                let owned: Vec<Handle> = handles.iter().copied().flatten().collect();
                assert_eq!(owned.len(), store.count(kind), "{}", model.name);
                let themselves: Vec<_> = owned.iter().copied().map(Some).collect();
                assert_eq!(store.owners(kind, &owned).expect("owners"), themselves);
                for (p, row) in rows.iter().enumerate() {
                    let all: Vec<_> = (0..row.count[kind as usize] as u16).map(|l| Handle::new(p as u32, l)).collect();
                    let found = store.owners(kind, &all).expect("owners");
                    assert!(found.iter().all(|owner| owner.is_some_and(|owner| themselves.contains(&Some(owner)))));
                }
                let nothing = [Handle::new(rows.len() as u32, 0), Handle::new(0, u16::MAX)];
                assert_eq!(store.owners(kind, &nothing).expect("owners"), [None, None]);
            }
        }
    }
    /// The place of an owner is its row's first place and its local index.
    fn places_are_rows_and_local_indices(device) {
        let model = Model::new(device, &meshes::icosphere(3), 64, &StoreOptions::default());
        let rows = model.store.read_rows().expect("rows");
        for kind in [Vertex::KIND, Face::KIND] {
            for (place, handle) in model.store.handles(kind).expect("handles").into_iter().enumerate() {
                let Some(handle) = handle else { continue };
                let row = rows[handle.patch() as usize];
                assert_eq!(row.first[kind as usize] + handle.local(), place as u32);
            }
        }
    }
}
