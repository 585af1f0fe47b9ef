//! A matrix and vectors in memory, in any layout.
//!
//! The outer layout is data: entry `k` of row `r` is stored at `first(r) + k step`. For CSR, `first` is the
//! row's offset and the step 1; for (sliced) ELLPACK-R, `first` is the offset of the row's slice plus the
//! row's place in it, and the step is the rows of a slice. Lengths of rows are stored, so that padding is
//! never read. The inner layout is data, too, except for arrays of structures, which are loaded as a whole.
use super::components::{assemble, combine, components, for_each_component, load, reload, store};
use super::entry::{Element, Entry, Real};
use bytemuck::Pod;
use ribbonmesh::device::{In, Out, Parameter};

/// A matrix in memory. `E` are its entries, `R` the numbers of these.
#[repr(C)]
#[derive(Parameter)]
pub struct Stored<'a, E: Pod, R: Pod> {
    /// Number of rows.
    pub rows: u32,
    /// Binary logarithm of the rows of a slice: 0 for CSR, 31 for a single slice.
    pub slice: u32,
    /// Places between two entries of a row.
    pub step: u32,
    /// Binary logarithm of the number of entries whose components are interleaved: 31 for all; 0 for whole
    /// entries.
    pub group: u32,
    /// Numbers between two components of an entry.
    pub stride: u32,
    /// Numbers between two components of an entry of the diagonal.
    pub diagonal_stride: u32,
    /// The first place of each slice, or for CSR of each row, and the end.
    pub starts: In<'a, u32>,
    /// The entries of each row; empty for CSR.
    pub lengths: In<'a, u32>,
    /// The columns of entries.
    pub columns: In<'a, u32>,
    /// Entries as arrays of structures; empty otherwise.
    pub whole: In<'a, E>,
    /// Entries component by component; empty otherwise.
    pub parts: In<'a, R>,
    /// The diagonal, if it is stored separately, as an array of structures.
    pub diagonal: In<'a, E>,
    /// The diagonal, if it is stored separately, component by component.
    pub diagonal_parts: In<'a, R>,
}
/// All rows are one slice, all entries one group.
#[cfg(not(target_arch = "nvptx64"))]
pub const ALL: u32 = 31;

/// Vectors that are multiplied: `y = A x`, or `y = alpha A x + beta y`. `T` are their elements, `R` the
/// numbers of these.
#[repr(C)]
#[derive(Parameter)]
pub struct Operands<'a, T: Pod, R: Pod> {
    /// The number of vectors, which are stored next to each other, row by row.
    pub many: u32,
    /// Whether `alpha` and `beta` count.
    pub scaled: u32,
    /// Factor of the product.
    pub alpha: R,
    /// Factor of the old values. They are not read if it is 0.
    pub beta: R,
    /// The vectors that are multiplied.
    pub x: Read<'a, T, R>,
    /// The product.
    pub y: Written<'a, T, R>,
}
/// A vector that is read: one of both arrays is empty.
#[repr(C)]
#[derive(Parameter)]
pub struct Read<'a, T: Pod, R: Pod> {
    /// The elements.
    pub whole: In<'a, T>,
    /// The elements component by component.
    pub parts: In<'a, R>,
    /// Numbers between two components.
    pub stride: u32,
    /// Whether it is `parts` that holds the vector.
    pub split: u32,
}
/// A vector that is written: one of both arrays is empty.
#[repr(C)]
#[derive(Parameter)]
pub struct Written<'a, T: Pod, R: Pod> {
    /// The elements.
    pub whole: Out<'a, T>,
    /// The elements component by component.
    pub parts: Out<'a, R>,
    /// Numbers between two components.
    pub stride: u32,
    /// Whether it is `parts` that holds the vector.
    pub split: u32,
}

macro_rules! copy { ($($name:ident)*) => { $(
    impl<T: Pod, R: Pod> Clone for $name<'_, T, R> {
        #[inline(always)]
        fn clone(&self) -> Self {
            *self
        }
    }
    impl<T: Pod, R: Pod> Copy for $name<'_, T, R> {}
)* } }
copy!(Stored Operands Read Written);

impl<E: Entry> Stored<'_, E, E::Real> {
    /// The place of the first entry of a row, and the number of its entries.
    #[inline(always)]
    pub fn row(&self, row: u32) -> (u32, u32) {
        let start = self.starts.get(row >> self.slice);
        if self.lengths.is_empty() {
            (start, self.starts.get(row + 1) - start)
        } else {
            (start + (row & ((1 << self.slice) - 1)), self.lengths.get(row))
        }
    }
    /// Whether the diagonal is stored separately.
    #[inline(always)]
    pub fn has_diagonal(&self) -> bool {
        !(self.diagonal.is_empty() && self.diagonal_parts.is_empty())
    }
    /// An entry by its components.
    #[inline(always)]
    fn of_parts(&self, parts: In<'_, E::Real>, stride: u32, place: u32) -> E {
        let group = place >> self.group;
        let base = group * (components::<E, E::Real>() << self.group) + (place & ((1 << self.group) - 1));
        assemble::<E, E::Real>(|c| parts.get(base + c * stride))
    }
}

/// The way of loading entries, known when the kernel is compiled.
pub trait Inner {
    /// The entry at a place.
    fn entry<E: Entry>(stored: &Stored<'_, E, E::Real>, place: u32) -> E;
    /// The entry of the diagonal.
    fn diagonal<E: Entry>(stored: &Stored<'_, E, E::Real>, row: u32) -> E;
}
/// As a whole: arrays of structures.
pub struct Whole;
/// Component by component.
pub struct Parts;
impl Inner for Whole {
    #[inline(always)]
    fn entry<E: Entry>(stored: &Stored<'_, E, E::Real>, place: u32) -> E {
        load(stored.whole, place)
    }
    #[inline(always)]
    fn diagonal<E: Entry>(stored: &Stored<'_, E, E::Real>, row: u32) -> E {
        load(stored.diagonal, row)
    }
}
impl Inner for Parts {
    #[inline(always)]
    fn entry<E: Entry>(stored: &Stored<'_, E, E::Real>, place: u32) -> E {
        stored.of_parts(stored.parts, stored.stride, place)
    }
    #[inline(always)]
    fn diagonal<E: Entry>(stored: &Stored<'_, E, E::Real>, row: u32) -> E {
        stored.of_parts(stored.diagonal_parts, stored.diagonal_stride, row)
    }
}

/// The way of loading and storing elements of vectors, known when the kernel is compiled.
pub trait Access {
    /// Element `i`.
    fn get<T: Element>(from: &Read<'_, T, T::Real>, i: u32) -> T;
    /// Element `i` of a vector that the kernel writes.
    fn reload<T: Element>(from: &Written<'_, T, T::Real>, i: u32) -> T;
    /// Writes element `i`.
    fn set<T: Element>(to: &Written<'_, T, T::Real>, i: u32, value: T);
}
impl Access for Whole {
    #[inline(always)]
    fn get<T: Element>(from: &Read<'_, T, T::Real>, i: u32) -> T {
        load(from.whole, i)
    }
    #[inline(always)]
    fn reload<T: Element>(from: &Written<'_, T, T::Real>, i: u32) -> T {
        reload::<T, T::Real>(from.whole, i)
    }
    #[inline(always)]
    fn set<T: Element>(to: &Written<'_, T, T::Real>, i: u32, value: T) {
        store::<T, T::Real>(to.whole, i, value);
    }
}
impl Access for Parts {
    #[inline(always)]
    fn get<T: Element>(from: &Read<'_, T, T::Real>, i: u32) -> T {
        assemble::<T, T::Real>(|c| from.parts.get(c * from.stride + i))
    }
    #[inline(always)]
    fn reload<T: Element>(from: &Written<'_, T, T::Real>, i: u32) -> T {
        assemble::<T, T::Real>(|c| from.parts.get(c * from.stride + i))
    }
    #[inline(always)]
    fn set<T: Element>(to: &Written<'_, T, T::Real>, i: u32, value: T) {
        for_each_component::<T, T::Real>(value, |c, x| to.parts.set(c * to.stride + i, x));
    }
}

impl<T: Element> Operands<'_, T, T::Real> {
    /// Writes an element of the product.
    #[inline(always)]
    pub fn put<A: Access>(&self, i: u32, product: T) {
        let value = if self.scaled == 0 {
            product
        } else if self.beta == T::Real::ZERO {
            scale(self.alpha, product)
        } else {
            combine(self.alpha, product, self.beta, A::reload(&self.y, i))
        };
        A::set(&self.y, i, value);
    }
}
/// `a x`, number by number.
#[inline(always)]
fn scale<T: Pod, R: Real>(a: R, x: T) -> T {
    let of_x = (&raw const x).cast::<R>();
    // SAFETY: within the value, which is plain bytes and may begin anywhere.
    assemble::<T, R>(|k| a * unsafe { of_x.add(k as usize).read_unaligned() })
}
