//! A hash table with four places for each key: cuckoo hashing.
use crate::{Entry, ReadWords, TableFull, Words};
use ribbonmesh_device::atomic::Order::Relaxed;

/// Places of a key.
const PLACES: u32 = 4;
/// Entries that are moved for one insertion, at most.
const MOVES: u32 = 64;
const FACTORS: [u32; PLACES as usize] = [0x9E37_79B1, 0x85EB_CA77, 0xC2B2_AE3D, 0x27D4_EB2F];

/// Owners of the elements of a ribbon, by local index: the hash table of section 5.3.1, by cuckoo hashing
/// with four places and a stash (Alcantara et al. 2009).
///
/// Threads insert at the same time, or find and remove at the same time, with a barrier between. A key is
/// inserted once.
#[derive(Clone, Copy, Debug)]
pub struct CuckooTable<W> {
    words: W,
    places: u32,
}

impl<W: ReadWords> CuckooTable<W> {
    /// Words behind the places, for entries that find none: looked through one after the other.
    pub const STASH: u32 = 8;

    /// Number of words of a table of `n` entries with a load of 0.8.
    pub const fn words_for(n: u32) -> u32 {
        n + n.div_ceil(4) + Self::STASH
    }
    /// A table in words that [`clear`](Self::clear) has been called for.
    #[inline(always)]
    pub fn new(words: W) -> Self {
        Self { words, places: words.len().saturating_sub(Self::STASH) }
    }
    /// Place `j` of a key.
    #[inline(always)]
    fn place(&self, key: u32, j: u32) -> u32 {
        let hash = (key + 1).wrapping_mul(FACTORS[(j % PLACES) as usize]);
        let mixed = (hash ^ hash >> 15).wrapping_mul(0x2C1B_3C6D);
        ((mixed as u64 * self.places as u64) >> 32) as u32
    }
    /// The entry of a key, and its index.
    #[inline(always)]
    fn search(&self, key: u32) -> Option<(Entry, u32)> {
        let at = |i: u32| Entry::of_word(self.words.load(i, Relaxed)).filter(|entry| entry.key() == key);
        if self.places > 0 {
            let mut j = 0;
            while j < PLACES {
                let place = self.place(key, j);
                if let Some(entry) = at(place) {
                    return Some((entry, place));
                }
                j += 1;
            }
        }
        let mut i = self.places;
        while i < self.words.len() {
            if let Some(entry) = at(i) {
                return Some((entry, i));
            }
            i += 1;
        }
        None
    }
    /// The entry of a key, if there is one.
    #[inline(always)]
    pub fn find(&self, key: u32) -> Option<Entry> {
        self.search(key).map(|(entry, _)| entry)
    }
    /// Number of entries in the stash.
    #[inline(always)]
    pub fn stashed(&self) -> u32 {
        let (mut i, mut n) = (self.places, 0);
        while i < self.words.len() {
            n += (self.words.load(i, Relaxed) != Entry::FREE) as u32;
            i += 1;
        }
        n
    }
    /// Number of words.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.words.len()
    }
    /// Whether there are none, so that nothing can be inserted.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
    /// The entry in word `i`, for those who want all entries.
    #[inline(always)]
    pub fn entry(&self, i: u32) -> Option<Entry> {
        Entry::of_word(self.words.load(i, Relaxed))
    }
}
impl<W: Words> CuckooTable<W> {
    /// Frees word `i`, before anybody uses the table.
    #[inline(always)]
    pub fn clear(&self, i: u32) {
        self.words.store(i, Entry::FREE, Relaxed);
    }
    /// Inserts an entry, with a key that is not there.
    /// # Errors
    /// [`TableFull`]: an entry, of this or another key, is not there now. The table is to be made again, with
    /// more words.
    #[inline(always)]
    pub fn insert(&self, entry: Entry) -> Result<(), TableFull> {
        let homeless = if self.places > 0 { self.settle(entry) } else { Some(entry) };
        let Some(entry) = homeless else { return Ok(()) };
        let mut i = self.places;
        while i < self.words.len() {
            if self.words.compare_exchange(i, Entry::FREE, entry.word(), Relaxed) == Entry::FREE {
                return Ok(());
            }
            i += 1;
        }
        Err(TableFull)
    }
    /// Puts an entry to one of its places; returns the one that has none in the end.
    #[inline(always)]
    fn settle(&self, mut entry: Entry) -> Option<Entry> {
        // in few places a long chain comes round to where it was
        let most = if self.places < MOVES / 4 { 4 * self.places } else { MOVES };
        let (mut first, mut moves) = (0, 0);
        loop {
            // a free place of the four, beginning behind the one that it was moved from; else the first of
            // these is taken
            let place = self.place(entry.key(), first);
            let (mut seen, mut j) = (Entry::FREE, 0);
            while j < PLACES {
                let at = self.place(entry.key(), first + j);
                let before = self.words.compare_exchange(at, Entry::FREE, entry.word(), Relaxed);
                if before == Entry::FREE {
                    return None;
                }
                if j == 0 {
                    seen = before;
                }
                j += 1;
            }
            if moves == most {
                return Some(entry);
            }
            moves += 1;
            loop {
                let before = self.words.compare_exchange(place, seen, entry.word(), Relaxed);
                if before == seen {
                    break;
                }
                seen = before;
            }
            entry = Entry::of_word(seen)?;
            first = 1;
            while first < PLACES && self.place(entry.key(), first - 1) != place {
                first += 1;
            }
        }
    }
    /// Removes the entry of a key, and returns it. Two threads may not remove the same one.
    #[inline(always)]
    pub fn remove(&self, key: u32) -> Option<Entry> {
        let (entry, place) = self.search(key)?;
        self.words.store(place, Entry::FREE, Relaxed);
        Some(entry)
    }
}
