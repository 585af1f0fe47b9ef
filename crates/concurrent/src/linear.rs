//! A hash table in which a key is stored at its own place or at the first free one behind it: linear probing.
use crate::{Entry, TableFull, Words};
use ribbonmesh_device::atomic::Order::Relaxed;

/// Owners of the elements of a ribbon, by local index, as [`CuckooTable`](crate::CuckooTable): by linear
/// probing.
///
/// Threads insert at the same time, or find at the same time, with a barrier between. A key is inserted once.
/// An insertion fails only where all words are taken.
#[derive(Clone, Copy, Debug)]
pub struct LinearTable<W> {
    words: W,
}

impl<W: Words> LinearTable<W> {
    /// Number of words of a table of `n` entries with a load of 0.8.
    pub const fn words_for(n: u32) -> u32 {
        n + n.div_ceil(4)
    }
    /// A table in words that [`clear`](Self::clear) has been called for.
    #[inline(always)]
    pub fn new(words: W) -> Self {
        Self { words }
    }
    /// Frees word `i`, before anybody uses the table.
    #[inline(always)]
    pub fn clear(&self, i: u32) {
        self.words.store(i, Entry::FREE, Relaxed);
    }
    #[inline(always)]
    fn place(&self, key: u32) -> u32 {
        let hash = (key + 1).wrapping_mul(0x9E37_79B1);
        let mixed = (hash ^ hash >> 15).wrapping_mul(0x2C1B_3C6D);
        ((mixed as u64 * self.words.len() as u64) >> 32) as u32
    }
    #[inline(always)]
    fn after(&self, place: u32) -> u32 {
        if place + 1 < self.words.len() { place + 1 } else { 0 }
    }
    /// Inserts an entry, with a key that is not there.
    /// # Errors
    /// [`TableFull`]: nothing was inserted.
    #[inline(always)]
    pub fn insert(&self, entry: Entry) -> Result<(), TableFull> {
        let (mut place, mut tried) = (self.place(entry.key()), 0);
        while tried < self.words.len() {
            if self.words.compare_exchange(place, Entry::FREE, entry.word(), Relaxed) == Entry::FREE {
                return Ok(());
            }
            place = self.after(place);
            tried += 1;
        }
        Err(TableFull)
    }
    /// The entry of a key, if there is one.
    #[inline(always)]
    pub fn find(&self, key: u32) -> Option<Entry> {
        let (mut place, mut tried) = (self.place(key), 0);
        while tried < self.words.len() {
            let entry = Entry::of_word(self.words.load(place, Relaxed))?;
            if entry.key() == key {
                return Some(entry);
            }
            place = self.after(place);
            tried += 1;
        }
        None
    }
}
