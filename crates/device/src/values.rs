//! Attributes of elements as kernels see them: views of global memory that the right ids index.
use crate::{Element, ElementId, In, Out};
use bytemuck::Pod;
use core::marker::PhantomData;

macro_rules! values { ($($(#[$doc:meta])* $name:ident $view:ident)*) => { $(
    $(#[$doc])*
    #[repr(transparent)]
    pub struct $name<'a, E, T> {
        memory: $view<'a, T>,
        of: PhantomData<E>,
    }
    impl<E, T> Clone for $name<'_, E, T> {
        #[inline(always)]
        fn clone(&self) -> Self {
            *self
        }
    }
    impl<E, T> Copy for $name<'_, E, T> {}
    impl<'a, E: Element, T: Pod> $name<'a, E, T> {
        /// The values in this memory, by id.
        #[inline(always)]
        pub const fn new(memory: $view<'a, T>) -> Self {
            Self { memory, of: PhantomData }
        }
        /// The memory, for access by index.
        #[inline(always)]
        pub fn memory(&self) -> $view<'a, T> {
            self.memory
        }
        /// Number of values.
        #[inline(always)]
        pub fn len(&self) -> usize {
            self.memory.len()
        }
        /// Whether there are none.
        #[inline(always)]
        pub fn is_empty(&self) -> bool {
            self.memory.is_empty()
        }
        /// The value of an element.
        #[inline(always)]
        #[track_caller]
        pub fn get(&self, id: E::Id) -> T {
            self.memory.get(id.index())
        }
    }
)* } }
values! {
    /// A value for each vertex, edge or face, which nothing writes while the kernel runs.
    Values In
    /// A value for each vertex, edge or face, which the kernel writes; the rules of [`Out`] hold.
    ValuesMut Out
}
impl<E: Element, T: Pod> ValuesMut<'_, E, T> {
    /// Writes the value of an element.
    #[inline(always)]
    #[track_caller]
    pub fn set(&self, id: E::Id, value: T) {
        self.memory.set(id.index(), value);
    }
}
