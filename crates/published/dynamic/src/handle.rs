//! Handles of elements.

/// An element of a store: a patch and a local index there, of the owner or of a patch with the element in its
/// ribbon. In 64 bits: 48 for the patch, 16 for the local index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Handle(u64);

impl Handle {
    /// The handle of a local element of a patch.
    #[inline(always)]
    pub const fn new(patch: u32, local: u16) -> Self {
        Self((patch as u64) << 16 | local as u64)
    }
    /// From the number that [`Self::word`] gives.
    #[inline(always)]
    pub const fn of_word(word: u64) -> Self {
        Self(word)
    }
    /// Its number, as memory of a device has it.
    #[inline(always)]
    pub const fn word(self) -> u64 {
        self.0
    }
    /// The patch.
    #[inline(always)]
    pub const fn patch(self) -> u32 {
        (self.0 >> 16) as u32
    }
    /// The local index there.
    #[inline(always)]
    pub const fn local(self) -> u32 {
        (self.0 & 0xffff) as u32
    }
}
