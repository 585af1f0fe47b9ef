//! The store as kernels see it, and the way from a local element to its owner.
use crate::handle::Handle;
use crate::row::StoreRow;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{In, Out, Parameter, Quad};
use ribbonmesh_concurrent::{CuckooTable, Entry, ReadWords, Words};

/// Most steps from a patch's element to the patch that owns it. An element that moves adds a step at most;
/// one that has moved more often since the last cleanup is found by validation ([`Fault::Chain`]).
///
/// [`Fault::Chain`]: crate::Fault::Chain
pub const MOST_STEPS: u32 = 16;

/// A store that is read.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct StoreView<'a> {
    /// A [`StoreRow`] for each patch.
    pub rows: In<'a, u32>,
    /// EV: two local vertices in a word.
    pub ev: In<'a, u32>,
    /// FE: `edge << 1 | flipped`, three for each face.
    pub fe: In<'a, u16>,
    /// Masks of active and owned elements.
    pub masks: In<'a, u32>,
    /// Tables of ribbons.
    pub tables: In<'a, u32>,
    /// Patch stashes.
    pub stashes: In<'a, u32>,
    /// Number of patches.
    pub patches: u32,
    /// The largest number of local vertices that fits a patch.
    pub max_vertices: u32,
    /// The largest number of local edges that fits a patch.
    pub max_edges: u32,
    /// The largest number of local faces that fits a patch.
    pub max_faces: u32,
    /// Whether each entry of a table names the owner, so that nobody has to look there: no ownership has
    /// moved since the tables were made.
    pub settled: u32,
}

/// A store that is made or changed.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct StoreViewMut<'a> {
    /// As in [`StoreView`].
    pub rows: Out<'a, u32>,
    /// As in [`StoreView`].
    pub ev: Out<'a, u32>,
    /// As in [`StoreView`].
    pub fe: Out<'a, u16>,
    /// As in [`StoreView`].
    pub masks: Out<'a, u32>,
    /// As in [`StoreView`].
    pub tables: Out<'a, u32>,
    /// As in [`StoreView`].
    pub stashes: Out<'a, u32>,
    /// Number of patches.
    pub patches: u32,
    /// As in [`StoreView`].
    pub max_vertices: u32,
    /// As in [`StoreView`].
    pub max_edges: u32,
    /// As in [`StoreView`].
    pub max_faces: u32,
    /// The largest number of words of one table.
    pub max_table: u32,
    /// Where vertices have gone that patches gave away in a cut, as words of handles and 1, by place; 0 for
    /// others: until the cleanup after it. Empty otherwise.
    pub gone_vertices: Out<'a, u64>,
    /// The same of edges.
    pub gone_edges: Out<'a, u64>,
    /// The same of faces.
    pub gone_faces: Out<'a, u64>,
}

/// The memory of a store, to be read.
pub trait ReadStore: Copy {
    /// The row of a patch.
    fn row(self, patch: u32) -> StoreRow;
    /// Word `i` of EV.
    fn ev(self, i: u32) -> u32;
    /// Entry `i` of FE.
    fn fe(self, i: u32) -> u32;
    /// Word `i` of the masks.
    fn mask(self, i: u32) -> u32;
    /// Word `i` of the tables.
    fn table(self, i: u32) -> u32;
    /// Word `i` of the patch stashes.
    fn stash(self, i: u32) -> u32;
    /// Number of patches.
    fn patches(self) -> u32;
    /// Where the element of a place has gone in a cut.
    fn gone(self, kind: usize, place: u32) -> Option<Handle>;
    /// The most elements that fit a patch.
    fn limits(self) -> [u32; 3];

    /// Whether a patch owns its local element.
    #[inline(always)]
    fn owns(self, row: &StoreRow, kind: usize, local: u32) -> bool {
        bit(|w| self.mask(row.masks + row.owned_at(kind) + w), local)
    }
    /// Whether a patch has its local element: as an owned one or in its ribbon.
    #[inline(always)]
    fn has(self, row: &StoreRow, kind: usize, local: u32) -> bool {
        bit(|w| self.mask(row.masks + row.active_at(kind) + w), local)
    }
    /// The table of a patch for a kind.
    #[inline(always)]
    fn table_of(self, row: &StoreRow, kind: usize) -> CuckooTable<TableWords<Self>> {
        let (at, len) = (row.table_at(kind), row.table_words[kind]);
        CuckooTable::new(TableWords { store: self, at, len })
    }
    /// The owner of a local element and its local index there: by the patch's table, and from there by the
    /// tables of the patches that have owned it since. `None` if the chain ends nowhere, or after
    /// [`MOST_STEPS`]; whatever changes with a patch is compared before it is used as an index.
    #[inline(always)]
    fn owner(self, patch: u32, kind: usize, local: u32) -> Option<Owner> {
        let (mut patch, mut local, mut steps) = (patch, local, 0);
        loop {
            if patch >= self.patches() {
                return None;
            }
            let row = self.row(patch);
            if local >= row.count[kind] || local >= row.capacity[kind] {
                return None;
            }
            if self.owns(&row, kind, local) {
                return Some(Owner { patch, local, slot: row.first[kind] + local, steps });
            }
            if steps == MOST_STEPS {
                return None;
            }
            steps += 1;
            if let Some(handle) = self.gone(kind, row.first[kind] + local) {
                (patch, local) = (handle.patch(), handle.local());
                continue;
            }
            let entry = self.table_of(&row, kind).find(local)?;
            if entry.slot() >= row.neighbours || entry.slot() >= row.stash_room {
                return None;
            }
            (patch, local) = (self.stash(row.stash + entry.slot()), entry.index());
        }
    }
}

/// Where an element is owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    /// The patch.
    pub patch: u32,
    /// The local index there.
    pub local: u32,
    /// Its place in attributes.
    pub slot: u32,
    /// Entries of tables on the way.
    pub steps: u32,
}

#[inline(always)]
pub(crate) fn bit(word: impl Fn(u32) -> u32, i: u32) -> bool {
    word(i / 32) >> (i % 32) & 1 == 1
}

/// The words of one table of a patch.
#[derive(Clone, Copy)]
pub struct TableWords<S> {
    store: S,
    at: u32,
    len: u32,
}
impl<S: ReadStore> ReadWords for TableWords<S> {
    #[inline(always)]
    fn len(self) -> u32 {
        self.len
    }
    #[inline(always)]
    fn load(self, i: u32, _: Order) -> u32 {
        self.store.table(self.at + i)
    }
}

impl ReadStore for StoreView<'_> {
    #[inline(always)]
    fn row(self, patch: u32) -> StoreRow {
        let quad = |i: u32| self.rows.wide::<Quad>().get(StoreRow::WORDS / 4 * patch + i).0;
        let ([a, b, c, d], [e, f, g, h], [i, j, k, l]) = (quad(0), quad(1), quad(2));
        StoreRow::decode([a, b, c, d, e, f, g, h, i, j, k, l])
    }
    #[inline(always)]
    fn ev(self, i: u32) -> u32 {
        self.ev.get(i)
    }
    #[inline(always)]
    fn fe(self, i: u32) -> u32 {
        self.fe.get(i) as u32
    }
    #[inline(always)]
    fn mask(self, i: u32) -> u32 {
        self.masks.get(i)
    }
    #[inline(always)]
    fn table(self, i: u32) -> u32 {
        self.tables.get(i)
    }
    #[inline(always)]
    fn stash(self, i: u32) -> u32 {
        self.stashes.get(i)
    }
    #[inline(always)]
    fn gone(self, _: usize, _: u32) -> Option<Handle> {
        None
    }
    #[inline(always)]
    fn patches(self) -> u32 {
        self.patches
    }
    #[inline(always)]
    fn limits(self) -> [u32; 3] {
        [self.max_vertices, self.max_edges, self.max_faces]
    }
}

/// Rows, masks, tables and stashes are read as other blocks write them: by atomic loads, never from the
/// first-level cache. EV and FE of a patch are read by who has its lock.
impl ReadStore for StoreViewMut<'_> {
    #[inline(always)]
    fn row(self, patch: u32) -> StoreRow {
        let quad = |i: u32| self.rows.wide::<Quad>().get(StoreRow::WORDS / 4 * patch + i).0;
        // the first words never change while other blocks run
        let ([a, b, c, d], [e, f, g, h]) = (quad(0), quad(1));
        let at = |i: u32| load(self.rows, StoreRow::WORDS * patch + i);
        StoreRow::decode([a, b, c, d, e, f, g, h, at(8), at(9), at(10), at(11)])
    }
    #[inline(always)]
    fn ev(self, i: u32) -> u32 {
        self.ev.get(i)
    }
    #[inline(always)]
    fn fe(self, i: u32) -> u32 {
        self.fe.get(i) as u32
    }
    #[inline(always)]
    fn mask(self, i: u32) -> u32 {
        load(self.masks, i)
    }
    #[inline(always)]
    fn table(self, i: u32) -> u32 {
        load(self.tables, i)
    }
    #[inline(always)]
    fn stash(self, i: u32) -> u32 {
        load(self.stashes, i)
    }
    #[inline(always)]
    fn gone(self, kind: usize, place: u32) -> Option<Handle> {
        let handles = if kind == 0 {
            self.gone_vertices
        } else if kind == 1 {
            self.gone_edges
        } else {
            self.gone_faces
        };
        if handles.is_empty() {
            return None;
        }
        let word = handles.get(place);
        (word != 0).then(|| Handle::of_word(word - 1))
    }
    #[inline(always)]
    fn patches(self) -> u32 {
        self.patches
    }
    #[inline(always)]
    fn limits(self) -> [u32; 3] {
        [self.max_vertices, self.max_edges, self.max_faces]
    }
}

#[inline(always)]
fn load(memory: Out<'_, u32>, i: u32) -> u32 {
    atomic::load(memory, i, Order::Relaxed, Scope::Device)
}
#[inline(always)]
pub(crate) fn store(memory: Out<'_, u32>, i: u32, value: u32) {
    atomic::store(memory, i, value, Order::Relaxed, Scope::Device);
}

/// Writes the words of a row that change.
#[inline(always)]
pub(crate) fn put_row(to: StoreViewMut<'_>, patch: u32, row: StoreRow) {
    let (words, at) = (row.encode(), StoreRow::WORDS * patch);
    store(to.rows, at + 9, words[9]);
    put_count(to, patch, row);
}
/// Writes how many local indices are used, and not the number of patches around.
#[inline(always)]
pub(crate) fn put_count(to: StoreViewMut<'_>, patch: u32, row: StoreRow) {
    let (words, at) = (row.encode(), StoreRow::WORDS * patch);
    store(to.rows, at + 10, words[10]);
    store(to.rows, at + 11, words[11]);
}

/// The table of a patch that is changed, which has the patch's lock.
impl Words for TableWords<StoreViewMut<'_>> {
    #[inline(always)]
    fn store(self, i: u32, value: u32, _: Order) {
        store(self.store.tables, self.at + i, value);
    }
    #[inline(always)]
    fn compare_exchange(self, i: u32, current: u32, new: u32, order: Order) -> u32 {
        atomic::compare_exchange(self.store.tables, self.at + i, current, new, order, Scope::Device)
    }
    #[inline(always)]
    fn fetch_add(self, i: u32, value: u32, order: Order) -> u32 {
        atomic::fetch_add(self.store.tables, self.at + i, value, order, Scope::Device)
    }
    #[inline(always)]
    fn fetch_min(self, i: u32, value: u32, order: Order) -> u32 {
        atomic::fetch_min(self.store.tables, self.at + i, value, order, Scope::Device)
    }
    #[inline(always)]
    fn pause(self) {}
}

/// The most elements of a kind that a patch can have: keys of a table name them, and its room is a multiple
/// of eight.
pub const MOST_ELEMENTS: u32 = Entry::KEYS & !7;
/// The most patches around a patch.
pub const MOST_NEIGHBOURS: u32 = Entry::SLOTS;

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests;
