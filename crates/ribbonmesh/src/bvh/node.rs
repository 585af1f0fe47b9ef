//! Nodes: two boxes and what is in them, in 64 bytes.
use crate::bvh::aabb::Aabb;
use crate::device::{Quad, Vec3};

/// Most triangles of a leaf.
pub(crate) const LEAF_SIZE: u32 = 4;

/// Content of a box: a node, or up to [`LEAF_SIZE`] consecutive triangles.
///
/// The highest bit tells them apart. A leaf has the number of its triangles, less one, in the next two, and
/// the first of them in the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference(pub u32);

impl Reference {
    const LEAF: u32 = 1 << 31;
    const FIRST_BITS: u32 = 29;

    /// Refers to the triangles from `first` to `last`: to `node` if they are too many for a leaf.
    #[inline(always)]
    pub fn of(first: u32, last: u32, node: u32) -> Self {
        let more = last - first;
        Self(if more < LEAF_SIZE { Self::LEAF | more << Self::FIRST_BITS | first } else { node })
    }
    /// The first triangle of a leaf and their number.
    #[inline(always)]
    pub fn leaf(self) -> Option<(u32, u32)> {
        let first = self.0 & ((1 << Self::FIRST_BITS) - 1);
        (self.0 & Self::LEAF != 0).then(|| (first, (self.0 >> Self::FIRST_BITS & 3) + 1))
    }
}

/// One of a node's two halves: a box and what is in it.
///
/// Two words of 16 bytes: lowest corner and reference, highest corner and height of what is below.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Child {
    pub aabb: Aabb,
    pub reference: Reference,
    pub height: u32,
}

impl Child {
    #[inline(always)]
    pub fn to_words(self) -> [Quad; 2] {
        let Aabb { lo, hi } = self.aabb;
        [pack(lo, self.reference.0), pack(hi, self.height)]
    }
    #[inline(always)]
    pub fn from_words([a, b]: [Quad; 2]) -> Self {
        let ((lo, reference), (hi, height)) = (unpack(a), unpack(b));
        Self { aabb: Aabb { lo, hi }, reference: Reference(reference), height }
    }
}

/// A vector and a word, in 16 bytes.
#[inline(always)]
pub(crate) fn pack(v: Vec3, word: u32) -> Quad {
    Quad([v.x.to_bits(), v.y.to_bits(), v.z.to_bits(), word])
}
/// The vector and the word.
#[inline(always)]
pub(crate) fn unpack(Quad([x, y, z, word]): Quad) -> (Vec3, u32) {
    (Vec3::new(f32::from_bits(x), f32::from_bits(y), f32::from_bits(z)), word)
}
