//! The end of an iteration of conjugate gradients over compound entries, with Jacobi's preconditioner.
use super::components::{combine, inner, load};
use super::entry::{Element, Entry, Real};
use super::stored::{Access, Parts, Read, Whole, Written};
use bytemuck::Pod;
use core::marker::PhantomData;
use ribbonmesh::device::{Block, In, Parameter};
use ribbonmesh_linear as linear;
use ribbonmesh_linear::{Moved, Part, Read as _, Scalars, Write as _};

/// Arguments of [`update`].
#[repr(C)]
#[derive(Parameter)]
pub struct Iterate<'a, E: Pod, T: Pod, R: Pod> {
    /// Elements of a vector.
    pub n: u32,
    /// 1 before the first iteration: solution and residual stay, and z and the scalars are made of the
    /// residual.
    pub first: u32,
    /// The inverse of the matrix's diagonal; without elements, z is the residual.
    pub inverse: In<'a, E>,
    /// The direction.
    pub p: Read<'a, T, R>,
    /// The product of the matrix with it.
    pub q: Read<'a, T, R>,
    /// The solution.
    pub x: Written<'a, T, R>,
    /// The residual.
    pub r: Written<'a, T, R>,
    /// The residual, preconditioned; not written without `inverse`.
    pub z: Written<'a, T, R>,
}
impl<E: Pod, T: Pod, R: Pod> Clone for Iterate<'_, E, T, R> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<E: Pod, T: Pod, R: Pod> Copy for Iterate<'_, E, T, R> {}

/// An element as the numbers that it consists of.
struct Numbers<T>(T);
impl<T: Copy> Clone for Numbers<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: Copy> Copy for Numbers<T> {}
impl<T: Element> linear::Value for Numbers<T> {
    type Real = T::Real;
    #[inline(always)]
    fn plus(self, by: T::Real, other: Self) -> Self {
        Self(combine(by, other.0, T::Real::ONE, self.0))
    }
    #[inline(always)]
    fn dot(self, other: Self) -> f64 {
        inner::<_, T::Real>(self.0, other.0)
    }
}
/// A vector in its layout.
struct By<A, V> {
    of: V,
    layout: PhantomData<A>,
}
impl<A, V> By<A, V> {
    #[inline(always)]
    fn new(of: V) -> Self {
        Self { of, layout: PhantomData }
    }
}
impl<A, V: Copy> Clone for By<A, V> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<A, V: Copy> Copy for By<A, V> {}
impl<A: Access, T: Element> linear::Read for By<A, Read<'_, T, T::Real>> {
    type Value = Numbers<T>;
    #[inline(always)]
    fn get(self, i: u32) -> Numbers<T> {
        Numbers(A::get(&self.of, i))
    }
}
impl<A: Access, T: Element> linear::Read for By<A, Written<'_, T, T::Real>> {
    type Value = Numbers<T>;
    #[inline(always)]
    fn get(self, i: u32) -> Numbers<T> {
        Numbers(A::reload(&self.of, i))
    }
}
impl<A: Access, T: Element> linear::Write for By<A, Written<'_, T, T::Real>> {
    #[inline(always)]
    fn set(self, i: u32, value: Numbers<T>) {
        A::set(&self.of, i, value.0)
    }
}

/// x += α p, r -= α q, z = M r; β and r·r. Blocks: tiles. Collective.
#[inline(always)]
pub fn update<E: Entry>(block: &Block, iterate: Iterate<'_, E, E::Element, E::Real>, scalars: Scalars<'_>) {
    match iterate.p.split {
        0 => update_by::<E, Whole>(block, iterate, scalars),
        _ => update_by::<E, Parts>(block, iterate, scalars),
    }
}
#[inline(always)]
fn update_by<E: Entry, A: Access>(
    block: &Block,
    iterate: Iterate<'_, E, E::Element, E::Real>,
    scalars: Scalars<'_>,
) {
    let Iterate { n, first, inverse, p, q, x, r, z } = iterate;
    let (x, r, z) = (By::<A, _>::new(x), By::<A, _>::new(r), By::<A, _>::new(z));
    let weigh = |i: u32, left: Numbers<E::Element>| {
        let square = linear::Value::dot(left, left);
        if inverse.is_empty() {
            return [square, square];
        }
        let better = Numbers(load(inverse, i).times(left.0));
        z.set(i, better);
        [square, linear::Value::dot(left, better)]
    };
    let part = Part::of_tile(block, n);
    if first != 0 {
        scalars.begin_relative(block, part.sum(block, |i| weigh(i, r.get(i))));
    } else {
        let moved = Moved { p: By::<A, _>::new(p), q: By::new(q), x, r };
        linear::advance(block, part, scalars, moved, weigh);
    }
}
