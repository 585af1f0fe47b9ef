//! Numbers by words of 16 bytes.
use super::value::{Read, Real, Value, Write};
use bytemuck::Pod;
use ribbonmesh::device::{In, Out, Quad};

/// Numbers that come in words of 16 bytes.
pub trait Packs: Real {
    /// The numbers of a word.
    type Pack: Value<Real = Self> + Pod;
    /// The number of values.
    const LANES: u32;
    /// A word of these numbers.
    fn pack(number: impl Fn(u32) -> Self) -> Self::Pack;
    /// Runs `f` for each number of a word.
    fn for_each(pack: Self::Pack, f: impl Fn(u32, Self));
}
impl Packs for f32 {
    type Pack = [f32; 4];
    const LANES: u32 = 4;
    #[inline(always)]
    fn pack(number: impl Fn(u32) -> f32) -> [f32; 4] {
        [number(0), number(1), number(2), number(3)]
    }
    #[inline(always)]
    fn for_each([a, b, c, d]: [f32; 4], f: impl Fn(u32, f32)) {
        f(0, a);
        f(1, b);
        f(2, c);
        f(3, d);
    }
}
impl Packs for f64 {
    type Pack = [f64; 2];
    const LANES: u32 = 2;
    #[inline(always)]
    fn pack(number: impl Fn(u32) -> f64) -> [f64; 2] {
        [number(0), number(1)]
    }
    #[inline(always)]
    fn for_each([a, b]: [f64; 2], f: impl Fn(u32, f64)) {
        f(0, a);
        f(1, b);
    }
}

/// A vector of `n` numbers by words of 16 bytes. In the last word, numbers beyond the end are 0 and are not
/// written.
#[derive(Clone, Copy)]
pub struct Packed<V> {
    memory: V,
    n: u32,
}
impl<V> Packed<V> {
    /// The first `n` numbers of an array, which begins at a multiple of 16 bytes.
    #[inline(always)]
    pub fn new(memory: V, n: u32) -> Self {
        Self { memory, n }
    }
    /// The first number of word `i`, and how many it has.
    #[inline(always)]
    fn range<R: Packs>(&self, i: u32) -> (u32, u32) {
        let first = R::LANES * i;
        (first, self.n - first)
    }
}
macro_rules! reads { ($($view:ident)*) => { $(
    impl<R: Packs> Read for Packed<$view<'_, R>> {
        type Value = R::Pack;
        #[inline(always)]
        fn get(self, i: u32) -> R::Pack {
            let (first, rest) = self.range::<R>(i);
            if rest >= R::LANES {
                return bytemuck::cast(self.memory.wide::<Quad>().get(i).0);
            }
            R::pack(|k| if k < rest { self.memory.get(first + k) } else { R::ZERO })
        }
    }
)* } }
reads!(In Out);
impl<R: Packs> Write for Packed<Out<'_, R>> {
    #[inline(always)]
    fn set(self, i: u32, pack: R::Pack) {
        let (first, rest) = self.range::<R>(i);
        if rest >= R::LANES {
            return self.memory.wide::<Quad>().set(i, Quad(bytemuck::cast(pack)));
        }
        R::for_each(pack, |k, number| {
            if k < rest {
                self.memory.set(first + k, number);
            }
        });
    }
}
