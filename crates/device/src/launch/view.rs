//! Buffers as arguments of a launch.
use super::{Argument, Lowering, MachineId, Parameter, Reborrow};
use crate::{ElementKind, In, Out, Pod};

/// The kind of elements and the mesh to which values belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Kind of the elements.
    pub kind: ElementKind,
    /// A number that only this mesh has, while it lives.
    pub mesh: usize,
}

/// Refuses, at compile time, elements that no buffer holds.
const fn assert_aligned<T>() {
    assert!(align_of::<T>() <= 64, "elements of buffers are aligned to 64 bytes at most");
}

/// A buffer that a kernel will read, borrowed. Its elements cannot be read here: they may be on a GPU.
pub struct BufferView<'a, T> {
    view: In<'a, T>,
    machine: Option<MachineId>,
    column: Option<Column>,
}
impl<T> Clone for BufferView<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for BufferView<'_, T> {}

/// A buffer that a kernel will write, borrowed exclusively.
pub struct BufferViewMut<'a, T> {
    view: Out<'a, T>,
    machine: Option<MachineId>,
    column: Option<Column>,
}

impl<'a, T: Pod> BufferView<'a, T> {
    /// `len` elements at `ptr` in the memory of `machine`.
    /// # Safety
    /// As [`In::new`], for that machine.
    pub unsafe fn new(ptr: *const T, len: usize, machine: MachineId) -> Self {
        const { assert_aligned::<T>() };
        // SAFETY: the same contract.
        Self { view: unsafe { In::new(ptr, len) }, machine: Some(machine), column: None }
    }
    /// No elements, on every machine.
    pub const fn empty() -> Self {
        Self { view: In::empty(), machine: None, column: None }
    }
    /// The same as values of a mesh's elements.
    #[must_use]
    pub fn of_column(self, column: Column) -> Self {
        Self { column: Some(column), ..self }
    }
    /// The same memory as elements of another size; the length is rounded down. The mesh is forgotten.
    pub fn wide<U: Pod>(&self) -> BufferView<'a, U> {
        BufferView { view: self.view.wide(), machine: self.machine, column: None }
    }
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.view.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
impl<'a, T: Pod> BufferViewMut<'a, T> {
    /// `len` elements at `ptr` in the memory of `machine`.
    /// # Safety
    /// As [`Out::new`], for that machine; nothing else uses the memory during `'a`.
    pub unsafe fn new(ptr: *mut T, len: usize, machine: MachineId) -> Self {
        const { assert_aligned::<T>() };
        // SAFETY: the same contract.
        Self { view: unsafe { Out::new(ptr, len) }, machine: Some(machine), column: None }
    }
    /// No elements, on every machine.
    pub const fn empty() -> Self {
        Self { view: Out::empty(), machine: None, column: None }
    }
    /// The same as values of a mesh's elements.
    #[must_use]
    pub fn of_column(self, column: Column) -> Self {
        Self { column: Some(column), ..self }
    }
    /// Lends the buffer to one of several launches.
    pub fn reborrow(&mut self) -> BufferViewMut<'_, T> {
        Reborrow::reborrow(self)
    }
    /// The same memory as elements of another size; the length is rounded down. The mesh is forgotten.
    pub fn wide<U: Pod>(self) -> BufferViewMut<'a, U> {
        BufferViewMut { view: self.view.wide(), machine: self.machine, column: None }
    }
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.view.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a, T: Pod> Reborrow for BufferView<'a, T> {
    type Lent<'b>
        = BufferView<'b, T>
    where
        Self: 'b;
    fn reborrow(&mut self) -> BufferView<'_, T> {
        *self
    }
}
impl<'a, T: Pod> Reborrow for BufferViewMut<'a, T> {
    type Lent<'b>
        = BufferViewMut<'b, T>
    where
        Self: 'b;
    fn reborrow(&mut self) -> BufferViewMut<'_, T> {
        BufferViewMut { view: self.view, machine: self.machine, column: self.column }
    }
}

macro_rules! arguments { ($($view:ident $host:ident;)*) => { $(
    // SAFETY: addresses only from `lower`.
    unsafe impl<'a, T: Pod> Parameter for $view<'a, T> {
        type Host = $host<'a, T>;
        fn holds(&self, address: usize) -> bool {
            address.wrapping_sub(self.address()) < self.len() * size_of::<T>()
        }
        fn absent(self) -> Self {
            $view::absent(self)
        }
    }
    // SAFETY: borrowed memory, by the contract of `new`; its machine is compared.
    unsafe impl<'a, T: Pod> Argument for $host<'a, T> {
        type Parameter = $view<'a, T>;
        fn lower(self, name: &'static str, lowering: &mut Lowering) -> Self::Parameter {
            if let Some(machine) = self.machine {
                lowering.check_machine(name, machine);
            }
            if let Some(column) = self.column {
                lowering.add_column(name, column);
            }
            self.view
        }
    }
)* } }
arguments! { In BufferView; Out BufferViewMut; }
