//! An entry of a ribbon's table, in a word.

/// Owner of an element of a ribbon: its patch, as a position in the list of neighbouring patches (the patch
/// stash of section 5.3.1), and under which local index there. The key is the local index here.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Entry(u32);

impl Entry {
    /// Number of keys: 13 bits except for one value, which marks a free entry.
    pub const KEYS: u32 = (1 << 13) - 1;
    /// Number of patches of a stash.
    pub const SLOTS: u32 = 1 << 6;
    /// Number of indices in an owner.
    pub const INDICES: u32 = 1 << 13;
    /// A word that is none: the table has nothing there.
    pub(crate) const FREE: u32 = u32::MAX;

    /// The entry of a key, a place in the stash and an index in the owner; `None` if one is out of range.
    #[inline(always)]
    pub const fn new(key: u32, slot: u32, index: u32) -> Option<Self> {
        if key < Self::KEYS && slot < Self::SLOTS && index < Self::INDICES {
            Some(Self(key << 19 | slot << 13 | index))
        } else {
            None
        }
    }
    /// Local index in the patch with the ribbon, below [`Entry::KEYS`].
    #[inline(always)]
    pub const fn key(self) -> u32 {
        self.0 >> 19
    }
    /// Place of the owner in the patch stash, below [`Entry::SLOTS`].
    #[inline(always)]
    pub const fn slot(self) -> u32 {
        self.0 >> 13 & (Self::SLOTS - 1)
    }
    /// Local index in the patch that owns it, below [`Entry::INDICES`].
    #[inline(always)]
    pub const fn index(self) -> u32 {
        self.0 & (Self::INDICES - 1)
    }
    /// The word of a table that stores it.
    #[inline(always)]
    pub(crate) const fn word(self) -> u32 {
        self.0
    }
    /// The entry that a word of a table stores; `None` if the word is free.
    #[inline(always)]
    pub(crate) const fn of_word(word: u32) -> Option<Self> {
        if word == Self::FREE { None } else { Some(Self(word)) }
    }
}

impl core::fmt::Debug for Entry {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Entry")
            .field("key", &self.key())
            .field("slot", &self.slot())
            .field("index", &self.index())
            .finish()
    }
}
