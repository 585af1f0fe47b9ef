//! Validation finds what is broken.
use crate::model::Model;
use ribbonmesh::device::ElementKind;
use ribbonmesh::{Buffer, Device};
use ribbonmesh_dynamic::row::StoreRow;
use ribbonmesh_dynamic::{Broken, Fault, PatchStore, StoreError, StoreOptions, StoreParts};
use ribbonmesh_suite::{meshes, suite};

/// The row of a patch in the middle that has something of everything.
const PATCH: usize = 3;

fn set<T: ribbonmesh::device::Pod>(buffer: &mut Buffer<T>, at: u32, change: impl Fn(T) -> T) {
    let old = buffer.read_range(at as usize, 1).expect("a value")[0];
    buffer.write_range(at as usize, &[change(old)]).expect("written");
}
fn flip(masks: &mut Buffer<u32>, at: u32, bit: u32) {
    set(masks, at + bit / 32, |word| word ^ 1 << (bit % 32));
}

/// Owned elements of a kind: the first ones of a new patch.
fn owned(store: &PatchStore, kind: ElementKind) -> u32 {
    let of = |handle: &Option<ribbonmesh_dynamic::Handle>| handle.is_some_and(|h| h.patch() == PATCH as u32);
    store.handles(kind).expect("handles").iter().filter(|handle| of(handle)).count() as u32
}

fn found(device: &Device, change: impl Fn(&mut StoreParts<'_>, StoreRow, [u32; 3])) -> Broken {
    let mut model = Model::new(device, &meshes::torus(20), 64, &StoreOptions::default());
    let row = model.store.read_rows().expect("rows")[PATCH];
    let counts = [ElementKind::Vertex, ElementKind::Edge, ElementKind::Face].map(|k| owned(&model.store, k));
    model.store.validate().expect("whole at first");
    change(&mut model.store.parts_mut(), row, counts);
    match model.store.validate() {
        Err(StoreError::Broken(broken)) => broken,
        other => panic!("{other:?}"),
    }
}

suite! {
    fn counts_beyond_the_room(device) {
        for (word, value) in [(10, 0xffff), (11, 0xffff_ffff), (9, 65 << 16)] {
            let broken = found(device, |parts, _, _| {
                set(parts.rows, StoreRow::WORDS * PATCH as u32 + word, |old| old & 0xffff | value);
            });
            assert_eq!((broken.fault, broken.patch), (Fault::Count, PATCH as u32));
        }
    }
    fn masks_that_disagree(device) {
        for kind in [0, 1, 2] {
            // owned, not active
            let broken = found(device, |parts, row, _| flip(parts.masks, row.masks + row.active_at(kind), 5));
            assert_eq!(broken, Broken { fault: Fault::Mask, patch: PATCH as u32, kind: broken.kind, local: 5 });
            assert_eq!(broken.kind as usize, kind);
            // active, and beyond the count
            let broken = found(device, |parts, row, _| {
                flip(parts.masks, row.masks + row.active_at(kind), row.count[kind]);
            });
            assert_eq!(broken.fault, Fault::Mask);
        }
    }
    fn a_stash_that_names_no_neighbour(device) {
        for value in [1 << 20, PATCH as u32] {
            let broken = found(device, |parts, row, _| set(parts.stashes, row.stash + 1, |_| value));
            assert_eq!(broken, Broken { fault: Fault::Stash, patch: PATCH as u32, kind: ElementKind::Vertex, local: 1 });
        }
        let broken = found(device, |parts, row, _| {
            let first = parts.stashes.read_range(row.stash as usize, 1).expect("a word")[0];
            set(parts.stashes, row.stash + 2, |_| first);
        });
        assert_eq!((broken.fault, broken.local), (Fault::Stash, 2));
    }
    fn edges_and_faces_of_nothing(device) {
        let broken = found(device, |parts, row, _| set(parts.ev, row.first[1] + 4, |ev| ev | 0xffff));
        assert_eq!((broken.fault, broken.local), (Fault::Edge, 4));
        let broken = found(device, |parts, row, _| set(parts.fe, 3 * (row.first[2] + 7), |_| u16::MAX));
        assert_eq!((broken.fault, broken.local), (Fault::Face, 7));
        // a side turned around
        let broken = found(device, |parts, row, _| set(parts.fe, 3 * (row.first[2] + 7) + 1, |side| side ^ 1));
        assert_eq!((broken.fault, broken.local), (Fault::Face, 7));
        // an edge that is gone
        let broken = found(device, |parts, row, counts| {
            flip(parts.masks, row.masks + row.active_at(1), counts[1]);
        });
        assert!(matches!(broken.fault, Fault::Face | Fault::Edge), "{broken}");
    }
    fn tables_that_lack_or_repeat_entries(device) {
        for kind in [0, 1, 2] {
            // every entry of a table gone
            let broken = found(device, |parts, row, _| {
                for i in 0..row.table_words[kind] {
                    set(parts.tables, row.table_at(kind) + i, |_| u32::MAX);
                }
            });
            assert_eq!(broken.fault, Fault::Missing);
            assert_eq!(broken.kind as usize, kind);
            // an entry about an owned element
            let broken = found(device, |parts, row, _| {
                let words = parts.tables.read_range(row.table_at(kind) as usize, row.table_words[kind] as usize);
                let at = words.expect("words").iter().position(|&w| w != u32::MAX).expect("an entry") as u32;
                set(parts.tables, row.table_at(kind) + at, |word| word & 0x7ffff);
            });
            assert_eq!((broken.fault, broken.local), (Fault::Entry, 0));
            // one twice
            let broken = found(device, |parts, row, _| {
                let (at, len) = (row.table_at(kind), row.table_words[kind]);
                let words = parts.tables.read_range(at as usize, len as usize).expect("words");
                let free = words.iter().position(|&w| w == u32::MAX).expect("room") as u32;
                let entry = words.iter().copied().find(|&w| w != u32::MAX).expect("an entry");
                set(parts.tables, at + free, |_| entry);
            });
            assert_eq!(broken.fault, Fault::Entry);
        }
    }
    fn owners_that_are_not_there_or_not_alike(device) {
        for kind in [0, 1, 2] {
            let first_entry = |parts: &StoreParts<'_>, row: StoreRow| {
                let words = parts.tables.read_range(row.table_at(kind) as usize, row.table_words[kind] as usize);
                row.table_at(kind) + words.expect("words").iter().position(|&w| w != u32::MAX).expect("an entry") as u32
            };
            // a local index that the owner does not have
            let broken = found(device, |parts, row, _| {
                let at = first_entry(parts, row);
                set(parts.tables, at, |word| word | 0x1fff);
            });
            assert_eq!((broken.fault, broken.patch), (Fault::Chain, PATCH as u32), "{broken}");
            // another element of the owner
            let broken = found(device, |parts, row, _| {
                let at = first_entry(parts, row);
                set(parts.tables, at, |word| word ^ 1);
            });
            let faults = [Fault::Twice, Fault::Disagreement, Fault::Chain, Fault::Star];
            assert!(faults.contains(&broken.fault), "{broken}");
        }
        // two patches that send each other around
        let broken = found(device, |parts, row, _| {
            flip(parts.masks, row.masks + row.owned_at(0), 0);
        });
        assert_eq!(broken, Broken { fault: Fault::Missing, patch: PATCH as u32, kind: ElementKind::Vertex, local: 0 });
    }
    fn stars_that_are_not_whole(device) {
        // a face of the ribbon taken away, with its entry
        let broken = found(device, |parts, row, counts| {
            flip(parts.masks, row.masks + row.active_at(2), counts[2]);
        });
        assert_eq!((broken.fault, broken.patch), (Fault::Star, PATCH as u32), "{broken}");
        // an owned face: others miss their owner
        let broken = found(device, |parts, row, _| {
            for bit in 0..20 {
                flip(parts.masks, row.masks + row.active_at(2), bit);
                flip(parts.masks, row.masks + row.owned_at(2), bit);
            }
        });
        assert!(matches!(broken.fault, Fault::Chain | Fault::Star), "{broken}");
    }
}
