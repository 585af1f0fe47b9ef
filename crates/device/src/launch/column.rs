//! Values of a mesh's elements as arguments of a launch.
use super::{Argument, BufferView, BufferViewMut, Lowering, Parameter, Reborrow};
use crate::{Element, Pod, Values, ValuesMut};
use core::marker::PhantomData;

macro_rules! columns { ($($(#[$doc:meta])* $name:ident $view:ident $values:ident $memory:ident;)*) => { $(
    $(#[$doc])*
    pub struct $name<'a, E, T> {
        memory: $view<'a, T>,
        of: PhantomData<E>,
    }
    impl<'a, E: Element, T: Pod> $name<'a, E, T> {
        /// The values in this memory, by id.
        pub fn new(memory: $view<'a, T>) -> Self {
            Self { memory, of: PhantomData }
        }
        /// No values, on every machine.
        pub const fn empty() -> Self {
            Self { memory: $view::empty(), of: PhantomData }
        }
        /// Lends the values to one of several launches.
        pub fn reborrow(&mut self) -> $name<'_, E, T> {
            Reborrow::reborrow(self)
        }
        /// The memory, for kernels that index it by numbers.
        pub fn memory(self) -> $view<'a, T> {
            self.memory
        }
    }
    // SAFETY: addresses only from `lower`.
    unsafe impl<'a, E: Element, T: Pod> Parameter for $values<'a, E, T> {
        type Host = $name<'a, E, T>;
        fn holds(&self, address: usize) -> bool {
            self.memory().holds(address)
        }
        fn absent(self) -> Self {
            $values::new(self.memory().absent())
        }
    }
    // SAFETY: the memory is lowered.
    unsafe impl<'a, E: Element, T: Pod> Argument for $name<'a, E, T> {
        type Parameter = $values<'a, E, T>;
        fn lower(self, name: &'static str, lowering: &mut Lowering) -> Self::Parameter {
            $values::new(self.memory.lower(name, lowering))
        }
    }
    impl<'a, E: Element, T: Pod> Reborrow for $name<'a, E, T> {
        type Lent<'b> = $name<'b, E, T> where Self: 'b;
        fn reborrow(&mut self) -> $name<'_, E, T> {
            $name::new(self.memory.reborrow())
        }
    }
)* } }
columns! {
    /// A value for each vertex, edge or face that a kernel will read, borrowed: from `Attribute::values`.
    ColumnView BufferView Values memory;
    /// A value for each vertex, edge or face that a kernel will write, borrowed exclusively: from
    /// `Attribute::values_mut`.
    ColumnViewMut BufferViewMut ValuesMut memory;
}
impl<E, T> Clone for ColumnView<'_, E, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<E, T> Copy for ColumnView<'_, E, T> {}
