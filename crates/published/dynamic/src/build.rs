//! Patches of a static mesh into a store.
use crate::neighbours::{Neighbours, first_of, owner};
use crate::row::StoreRow;
use crate::view::{ReadStore, StoreViewMut};
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{
    Arena, Block, Elements, In, MeshView, Out, Parameter, ResolveRibbon, Shared, kernel,
};
use ribbonmesh_concurrent::{CuckooTable, Entry, First};

/// Numbers of a patch that [`measure`] finds.
pub const MEASURES: u32 = 4;

/// Numbers of local vertices, edges, faces and neighbouring patches of each patch: [`MEASURES`] words. One
/// block per patch.
#[kernel(threads = 128, shared = Neighbours::layout(arena))]
pub fn measure<'a>(block: &Block, mesh: MeshView<'a>, numbers: Out<'a, u32>) {
    let p = mesh.patch(block.index());
    let n = Neighbours::layout(block.arena()).collect(block, mesh, &p);
    block.single_nosync(|| {
        let at = MEASURES * block.index();
        numbers.set(at, p.counts.v_all);
        numbers.set(at + 1, p.counts.e_all);
        numbers.set(at + 2, p.counts.f_all);
        numbers.set(at + 3, n);
    });
}

/// Input indices of vertices and faces, by id and by place in the store.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Inputs<'a> {
    /// The input index of each vertex id.
    pub vertices: In<'a, u32>,
    /// The input index of each face id.
    pub faces: In<'a, u32>,
    /// The same by place.
    pub vertex_places: Out<'a, u32>,
    /// The same by place.
    pub face_places: Out<'a, u32>,
    /// The first id of vertices without faces.
    pub isolated: u32,
    /// Such vertices in each of the patches that have them.
    pub points: u32,
}

fn memory<'b>(arena: &'b Arena, table: u32) -> (Neighbours<'b>, Shared<'b, u32>) {
    (Neighbours::layout(arena), arena.take(table))
}

/// Writes all of a store, whose rows are there: the patches of the mesh, patches of isolated vertices, and
/// patches that are free. `full[0]` becomes 1 if some table has no room. One block per patch.
#[kernel(threads = 128, shared = memory(arena, store.max_table))]
pub fn fill<'a>(
    block: &Block,
    mesh: MeshView<'a>,
    store: StoreViewMut<'a>,
    inputs: Inputs<'a>,
    full: Out<'a, u32>,
) {
    let (neighbours, words) = memory(block.arena(), store.max_table);
    let at = block.index();
    let row = store.row(at);
    if at >= mesh.patches {
        let points = at - mesh.patches;
        masks(block, store, &row, row.count);
        block.for_each_nosync(row.count[0], |l| {
            let id = inputs.isolated + points * inputs.points + l;
            inputs.vertex_places.set(row.first[0] + l, inputs.vertices.get(id));
        });
        let all = row.table_words[0] + row.table_words[1] + row.table_words[2];
        let table = CuckooTable::new(First::new(words, all.min(1)));
        // one free word, copied to all of them
        block.for_each(all.min(1), |i| table.clear(i));
        block.for_each_nosync(all, |i| store.tables.set(row.tables + i, words.get(0)));
        return;
    }
    let p = mesh.patch(at);
    let n = neighbours.collect(block, mesh, &p);
    block.for_each_nosync(n, |i| store.stashes.set(row.stash + i, neighbours.get(i)));
    masks(block, store, &row, [p.v.owned, p.e.owned, p.f.owned]);
    block.for_each_nosync(row.count[1], |e| store.ev.set(row.first[1] + e, p.ev.get(e)));
    block.for_each_nosync(3 * row.count[2], |i| {
        // edge, slot and direction there; edge and direction here
        let side = p.fe.get(i) as u32;
        store.fe.set(3 * row.first[2] + i, (side >> 1 & !1 | side & 1) as u16);
    });
    block.for_each_nosync(p.v.owned, |l| {
        inputs.vertex_places.set(row.first[0] + l, inputs.vertices.get(p.v.first + l));
    });
    block.for_each_nosync(p.f.owned, |l| {
        inputs.face_places.set(row.first[2] + l, inputs.faces.get(p.f.first + l));
    });
    let table = |kind: u32, all: u32, elements: Elements<'_>| {
        let (len, to) = (row.table_words[kind as usize], row.table_at(kind as usize));
        let table = CuckooTable::new(First::new(words, len));
        block.for_each(len, |i| table.clear(i));
        block.for_each(all - elements.owned, |i| {
            let (key, id) = (elements.owned + i, elements.global(elements.owned + i));
            let q = owner(mesh, kind, id);
            let entry = Entry::new(key, neighbours.find(q, n), id - first_of(mesh, kind, q));
            if entry.is_none_or(|entry| table.insert(entry).is_err()) {
                atomic::fetch_max(full, 0, 1, Relaxed, Device);
            }
        });
        block.for_each(len, |i| store.tables.set(to + i, words.get(i)));
    };
    table(0, row.count[0], p.v);
    table(1, row.count[1], p.e);
    table(2, row.count[2], p.f);
}

/// Masks of a new patch: its local elements are active, the first of them owned.
#[inline(always)]
pub(crate) fn masks(block: &Block, store: StoreViewMut<'_>, row: &StoreRow, owned: [u32; 3]) {
    for kind in [0, 1, 2] {
        let first = |n: u32, word: u32| match n.saturating_sub(32 * word) {
            left if left < 32 => (1 << left) - 1,
            _ => u32::MAX,
        };
        let (active_at, owned_at) = (row.masks + row.active_at(kind), row.masks + row.owned_at(kind));
        block.for_each_nosync(row.mask_words(kind), |w| {
            store.masks.set(active_at + w, first(row.count[kind], w));
            store.masks.set(owned_at + w, first(owned[kind], w));
        });
    }
}
