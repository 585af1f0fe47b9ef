//! A map from ids to local indices in shared memory: open addressing, one key a slot.
use crate::device::{Arena, Block, NONE, Shared};
use crate::kernels::construct::scramble;

/// Keys are inserted by all threads; values are set after a barrier, for keys that are there.
#[derive(Clone, Copy)]
pub struct IdMap<'b> {
    keys: Shared<'b, u32>,
    values: Shared<'b, u16>,
    mask: u32,
}
impl<'b> IdMap<'b> {
    /// Room for `n` keys at a load of at most 3/4.
    #[inline(always)]
    pub fn take(arena: &'b Arena, n: u32) -> Self {
        let slots = (n + n / 3 + 1).next_power_of_two();
        Self { keys: arena.take(slots), values: arena.take(slots), mask: slots - 1 }
    }
    /// Empties the map; no barrier.
    #[inline(always)]
    pub fn clear_nosync(&self, block: &Block) {
        block.for_each_nosync(self.mask + 1, |i| self.keys.set(i, NONE));
    }
    /// Whether the key is new.
    #[inline(always)]
    pub fn insert(&self, key: u32) -> bool {
        let mut slot = scramble(key, 0) & self.mask;
        loop {
            let old = self.keys.compare_exchange(slot, NONE, key);
            if old == NONE {
                return true;
            }
            if old == key {
                return false;
            }
            slot = (slot + 1) & self.mask;
        }
    }
    /// As [`IdMap::insert`] where there may be more keys than there is room for: `false` for a new one, too,
    /// if the map is full.
    #[inline(always)]
    pub fn try_insert(&self, key: u32) -> bool {
        let (mut slot, mut looked) = (scramble(key, 0) & self.mask, 0);
        while looked <= self.mask {
            let old = self.keys.compare_exchange(slot, NONE, key);
            if old == NONE || old == key {
                return old == NONE;
            }
            slot = (slot + 1) & self.mask;
            looked += 1;
        }
        false
    }
    #[inline(always)]
    fn slot(&self, key: u32) -> u32 {
        let mut slot = scramble(key, 0) & self.mask;
        while self.keys.get(slot) != key {
            slot = (slot + 1) & self.mask;
        }
        slot
    }
    /// Whether the key is there; the map is not full.
    #[inline(always)]
    pub fn has(&self, key: u32) -> bool {
        let mut slot = scramble(key, 0) & self.mask;
        loop {
            let found = self.keys.get(slot);
            if found == key || found == NONE {
                return found == key;
            }
            slot = (slot + 1) & self.mask;
        }
    }
    /// Gives a key that is there its value.
    #[inline(always)]
    pub fn set(&self, key: u32, value: u32) {
        self.values.set(self.slot(key), value as u16)
    }
    /// The value of a key that is there.
    #[inline(always)]
    pub fn get(&self, key: u32) -> u32 {
        self.values.get(self.slot(key)) as u32
    }
}
