//! Row of 12 words that a store keeps for each patch, encoded and decoded only here.
use ribbonmesh::device::{hi, lo, pack};

/// The row of a patch: where its parts of the arrays begin, their room, and how much of it is used. Arrays of
/// three are about vertices, edges and faces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreRow {
    /// The place of local element 0 in every attribute. EV of local edge `l` is at `first[1] + l`, FE of
    /// local face `l` at `3 (first[2] + l)`.
    pub first: [u32; 3],
    /// The word at which its masks begin: active, then owned, each for vertices, edges, faces.
    pub masks: u32,
    /// The word at which its three tables begin.
    pub tables: u32,
    /// The word at which its patch stash begins.
    pub stash: u32,
    /// Local indices that fit.
    pub capacity: [u32; 3],
    /// Words of its tables.
    pub table_words: [u32; 3],
    /// Patches that its stash has room for.
    pub stash_room: u32,
    /// Local indices that are used: every local element is below.
    pub count: [u32; 3],
    /// Patches in its stash.
    pub neighbours: u32,
}

impl StoreRow {
    /// Words of a row.
    pub const WORDS: u32 = 12;
    /// The words from here on change with the patch, the others never.
    pub const CHANGING: u32 = 10;

    /// From the words of a row.
    #[inline(always)]
    pub fn decode(w: [u32; 12]) -> Self {
        Self {
            first: [w[0], w[1], w[2]],
            masks: w[3],
            tables: w[4],
            stash: w[5],
            capacity: [lo(w[6]), hi(w[6]), lo(w[7])],
            stash_room: hi(w[7]),
            table_words: [lo(w[8]), hi(w[8]), lo(w[9])],
            neighbours: hi(w[9]),
            count: [lo(w[10]), hi(w[10]), w[11]],
        }
    }
    /// The words of the row.
    #[inline(always)]
    pub fn encode(&self) -> [u32; 12] {
        let Self { first: [v, e, f], capacity, table_words: t, count, .. } = *self;
        [
            v,
            e,
            f,
            self.masks,
            self.tables,
            self.stash,
            pack(capacity[0], capacity[1]),
            pack(capacity[2], self.stash_room),
            pack(t[0], t[1]),
            pack(t[2], self.neighbours),
            pack(count[0], count[1]),
            count[2],
        ]
    }
    /// Words of one mask of elements of a kind.
    #[inline(always)]
    pub fn mask_words(&self, kind: usize) -> u32 {
        self.capacity[kind].div_ceil(32)
    }
    /// Words of its six masks.
    #[inline(always)]
    pub fn all_mask_words(&self) -> u32 {
        mask_words(self.capacity)
    }
    /// Where the mask of active elements of a kind begins, counted from `masks`.
    #[inline(always)]
    pub fn active_at(&self, kind: usize) -> u32 {
        let before = [0, self.mask_words(0), self.mask_words(0) + self.mask_words(1)];
        before[kind]
    }
    /// Where the mask of owned elements of a kind begins, counted from `masks`.
    #[inline(always)]
    pub fn owned_at(&self, kind: usize) -> u32 {
        self.all_mask_words() / 2 + self.active_at(kind)
    }
    /// The word at which the table of a kind begins.
    #[inline(always)]
    pub fn table_at(&self, kind: usize) -> u32 {
        let [v, e, _] = self.table_words;
        self.tables + [0, v, v + e][kind]
    }
}

/// Words of the six masks of a patch with this room.
#[inline(always)]
pub fn mask_words(capacity: [u32; 3]) -> u32 {
    2 * (capacity[0].div_ceil(32) + capacity[1].div_ceil(32) + capacity[2].div_ceil(32))
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;

    #[test]
    fn each_word_is_one_number() {
        let words: [u32; 12] =
            core::array::from_fn(|i| 0x101 * (i as u32 + 1) + if i < 11 { 0x50_0000 } else { 0 });
        let row = StoreRow::decode(words);
        assert_eq!(row.encode(), words);
        assert_eq!(StoreRow::default().encode(), [0; 12]);
    }
    #[test]
    fn masks_and_tables_follow_each_other() {
        let row = StoreRow {
            capacity: [33, 64, 65],
            table_words: [10, 20, 30],
            tables: 100,
            ..StoreRow::default()
        };
        assert_eq!([0, 1, 2].map(|k| row.active_at(k)), [0, 2, 4]);
        assert_eq!([0, 1, 2].map(|k| row.owned_at(k)), [7, 9, 11]);
        assert_eq!(row.all_mask_words(), 14);
        assert_eq!([0, 1, 2].map(|k| row.table_at(k)), [100, 110, 130]);
    }
}
