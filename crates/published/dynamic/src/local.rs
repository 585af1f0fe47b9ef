//! Local indices by owner, in shared memory.
use crate::draft::OWNER;
use ribbonmesh::device::{Arena, Block, NONE, Shared};

/// The local index is not known yet.
pub const PENDING: u32 = (1 << 13) - 1;

/// A hash table from an owner, as a word of a working copy names it, to the local index of the element in
/// the copy: the way back from the tables of ribbons. By linear probing; an owner and an index share a word.
#[derive(Clone, Copy)]
pub struct LocalIndices<'b> {
    words: Shared<'b, u32>,
}
impl<'b> LocalIndices<'b> {
    /// Carves its shared memory: 6 to 12 bytes for each of `n` elements.
    #[inline(always)]
    pub fn layout(arena: &'b Arena, n: u32) -> Self {
        Self { words: arena.take((n + n / 2).next_power_of_two()) }
    }
    /// Empties it. Collective, ends with a barrier.
    #[inline(always)]
    pub fn clear(&self, block: &Block) {
        block.for_each(self.words.len(), |i| self.words.set(i, NONE));
    }
    /// Puts a local index under its owner; whether the owner was not there.
    #[inline(always)]
    pub fn insert(&self, word: u32, local: u32) -> bool {
        let (hash, key) = (self.words, word & OWNER);
        let mut at = scrambled(key) & (hash.len() - 1);
        let mut tried = 0;
        while tried < hash.len() {
            let before = hash.compare_exchange(at, NONE, key << 13 | local);
            if before == NONE {
                return true;
            }
            if before >> 13 == key {
                return false;
            }
            at = (at + 1) & (hash.len() - 1);
            tried += 1;
        }
        false
    }
    /// Gives an owner that is there without its local index that index.
    #[inline(always)]
    pub fn settle(&self, word: u32, local: u32) {
        let (hash, key) = (self.words, word & OWNER);
        let mut at = scrambled(key) & (hash.len() - 1);
        let mut tried = 0;
        while tried < hash.len() {
            if hash.compare_exchange(at, key << 13 | PENDING, key << 13 | local) >> 13 == key {
                return;
            }
            at = (at + 1) & (hash.len() - 1);
            tried += 1;
        }
    }
    /// The local index of an owner that is there.
    #[inline(always)]
    pub fn find(&self, word: u32) -> u32 {
        let (hash, key) = (self.words, word & OWNER);
        let mut at = scrambled(key) & (hash.len() - 1);
        let mut tried = 0;
        while hash.get(at) >> 13 != key && tried < hash.len() {
            at = (at + 1) & (hash.len() - 1);
            tried += 1;
        }
        hash.get(at) & PENDING
    }
}

/// A number that looks random.
#[inline(always)]
pub fn scrambled(key: u32) -> u32 {
    let hash = key.wrapping_mul(0x9E37_79B1);
    hash ^ hash >> 15
}
