//! The stack of a traversal.
use crate::bvh::morton::KEY_BITS;
use crate::bvh::node::Reference;
use core::mem::MaybeUninit;

/// Most levels of a tree: each splits at another bit of the Morton code, or, where codes are equal, of the
/// index.
const LEVELS: usize = (KEY_BITS + u32::BITS) as usize;

/// Nodes that are still to be visited, with squared distances. A traversal puts off at most one child per
/// level, so that it is never full.
pub(crate) struct Stack {
    /// Distance in the high half, reference in the low one: 8 bytes, one access. Not initialised, since a
    /// thread of the GPU would write all of it for every point.
    entries: [MaybeUninit<u64>; LEVELS],
    len: usize,
}

impl Stack {
    #[inline(always)]
    pub fn new() -> Self {
        Self { entries: [const { MaybeUninit::uninit() }; LEVELS], len: 0 }
    }
    #[inline(always)]
    pub fn push(&mut self, distance_squared: f32, reference: Reference) {
        debug_assert!(self.len < LEVELS);
        let entry = (distance_squared.to_bits() as u64) << 32 | reference.0 as u64;
        // SAFETY: fewer entries than levels, see above
        unsafe { self.entries.get_unchecked_mut(self.len) }.write(entry);
        self.len += 1;
    }
    /// The last one that is at most as far as `bound`; farther ones are dropped.
    #[inline(always)]
    pub fn pop(&mut self, bound: f32) -> Option<Reference> {
        while self.len > 0 {
            self.len -= 1;
            // SAFETY: below `len`, so it was pushed
            let entry = unsafe { self.entries.get_unchecked(self.len).assume_init() };
            if f32::from_bits((entry >> 32) as u32) <= bound {
                return Some(Reference(entry as u32));
            }
        }
        None
    }
}

/// As [`Stack`], without distances.
pub(crate) struct References {
    entries: [MaybeUninit<u32>; LEVELS],
    len: usize,
}

impl References {
    #[inline(always)]
    pub fn new() -> Self {
        Self { entries: [const { MaybeUninit::uninit() }; LEVELS], len: 0 }
    }
    #[inline(always)]
    pub fn push(&mut self, reference: Reference) {
        debug_assert!(self.len < LEVELS);
        // SAFETY: fewer entries than levels, see [`Stack`]
        unsafe { self.entries.get_unchecked_mut(self.len) }.write(reference.0);
        self.len += 1;
    }
    /// The last one.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<Reference> {
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        // SAFETY: below `len`, so it was pushed
        Some(Reference(unsafe { self.entries.get_unchecked(self.len).assume_init() }))
    }
}
