//! Forms of kernels: over elements, with types, with numbers.
use ribbonmesh::device::{Block, Each, In, Out, Parameter, Pod, StatusCode, kernel};

/// `to[i]` = `by` · `from[i]`; elements that are 0 are left as they are.
#[kernel(threads = 256, requires(from.len() >= count as usize, to.len() >= count as usize, by > 0))]
pub fn multiply<'a>(i: Each, by: u32, from: In<'a, u32>, to: Out<'a, u32>) {
    if from.get(i) == 0 {
        return;
    }
    to.set(i, by * from.get(i));
}

/// Adds arguments whose names a loop over elements could have for its index.
#[kernel]
pub fn add_both<'a>(element: Each, i: u32, index: u32, to: Out<'a, u32>) {
    to.set(element, to.get(element) + i + index);
}

/// Records the element that is not what it should be.
#[kernel]
pub fn expect<'a>(i: Each, block: &Block, value: u32, from: In<'a, u32>) {
    if from.get(i) != value {
        block.status().record(StatusCode::Index, block.index(), i, from.get(i));
    }
}

/// A change of a number by a kernel.
pub trait Changing {
    /// Changes it.
    fn change(x: u32) -> u32;
}
/// Adds one.
pub struct AddOne;
impl Changing for AddOne {
    #[inline(always)]
    fn change(x: u32) -> u32 {
        x + 1
    }
}
/// Multiplies with a number.
pub struct Times<const N: u32>;
impl<const N: u32> Changing for Times<N> {
    #[inline(always)]
    fn change(x: u32) -> u32 {
        N * x
    }
}

/// Changes each element.
#[kernel(for C in [AddOne, Times<3>])]
pub fn change<'a, C: Changing>(i: Each, x: Out<'a, u32>) {
    x.set(i, C::change(x.get(i)));
}

/// A row of powers of each of two numbers, one type tells the other.
#[kernel(for (T, N) in [(f32, 2), (f64, 3), (u32, 2)], requires(to.len() >= N as usize * from.len()))]
pub fn powers<'a, T: Pod + core::ops::Mul<Output = T>, const N: u32>(
    block: &Block,
    from: In<'a, T>,
    to: Out<'a, T>,
) {
    block.for_each_of_tile(from.len() as u32, |i| {
        let (mut k, mut power) = (0, from.get(i));
        while k < N {
            to.set(N * i + k, power);
            power = power * from.get(i);
            k += 1;
        }
    });
}

/// Where terms come from.
pub trait Terms: Copy {
    /// The term of element `i`.
    fn term(self, i: u32) -> u32;
}
/// Terms in memory.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Stored<'a> {
    /// The terms.
    pub terms: In<'a, u32>,
}
impl Terms for Stored<'_> {
    #[inline(always)]
    fn term(self, i: u32) -> u32 {
        self.terms.get(i)
    }
}
/// Terms that are all the same.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Same {
    /// The term.
    pub term: u32,
}
impl Terms for Same {
    #[inline(always)]
    fn term(self, _: u32) -> u32 {
        self.term
    }
}

/// Adds terms to elements.
#[kernel(for T in [Stored<'a>, Same])]
pub fn add_terms<'a, T: Terms>(i: Each, terms: T, x: Out<'a, u32>) {
    x.set(i, x.get(i) + terms.term(i));
}
