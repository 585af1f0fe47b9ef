//! An operator's decision about a cavity, kept in the cavity's record.
use crate::device::{Dart, EdgeId, FaceId, HalfEdge, VertexId};
use glam::Vec3;

/// A plain value of whole words: the result of [`crate::dynamic::Operator::decide`], stored in the cavity's
/// record. `()` takes no space. `#[derive(Decision)]` makes a struct of such values one.
pub trait Decision: Copy {
    /// Words of the record.
    const WORDS: u32;
    /// Hands its words to `put`, one after the other.
    fn store(&self, put: &mut impl FnMut(u32));
    /// Made of the words that `get` gives, in the same order.
    fn load(get: &mut impl FnMut() -> u32) -> Self;
}

impl Decision for () {
    const WORDS: u32 = 0;
    #[inline(always)]
    fn store(&self, _: &mut impl FnMut(u32)) {}
    #[inline(always)]
    fn load(_: &mut impl FnMut() -> u32) -> Self {}
}

macro_rules! words { ($($type:ty: |$value:ident| $store:expr, |$word:ident| $load:expr;)*) => { $(
    impl Decision for $type {
        const WORDS: u32 = 1;
        #[inline(always)]
        fn store(&self, put: &mut impl FnMut(u32)) {
            let $value = *self;
            put($store)
        }
        #[inline(always)]
        fn load(get: &mut impl FnMut() -> u32) -> Self {
            let $word = get();
            $load
        }
    }
)* } }
words! {
    u32: |x| x, |w| w;
    i32: |x| x as u32, |w| w as i32;
    f32: |x| x.to_bits(), |w| f32::from_bits(w);
    bool: |x| x as u32, |w| w != 0;
    VertexId: |x| x.index(), |w| Self::new(w);
    EdgeId: |x| x.index(), |w| Self::new(w);
    FaceId: |x| x.index(), |w| Self::new(w);
    HalfEdge: |x| x.index(), |w| Self::new(w);
    Dart: |x| x.index(), |w| Self::new(w);
}

impl<T: Decision, const N: usize> Decision for [T; N] {
    const WORDS: u32 = N as u32 * T::WORDS;
    #[inline(always)]
    fn store(&self, put: &mut impl FnMut(u32)) {
        _ = self.map(|value| value.store(put));
    }
    #[inline(always)]
    fn load(get: &mut impl FnMut() -> u32) -> Self {
        [(); N].map(|()| T::load(get))
    }
}

impl Decision for Vec3 {
    const WORDS: u32 = 3;
    #[inline(always)]
    fn store(&self, put: &mut impl FnMut(u32)) {
        self.to_array().store(put);
    }
    #[inline(always)]
    fn load(get: &mut impl FnMut() -> u32) -> Self {
        Self::from_array(Decision::load(get))
    }
}
