//! Vectors on a device, and steps over their numbers.
use crate::device::kernels::{AdvanceTypes, AxpbyTypes, ProductTypes, TurnTypes};
use crate::device::packed::Packs;
use ribbonmesh::device::{BufferView, BufferViewMut, Element, Vec3, tiles};
use ribbonmesh::{Attribute, Buffer};

/// Numbers that there are kernels for: `f32` and `f64`.
pub trait Numbers: Packs + AxpbyTypes + ProductTypes + TurnTypes + AdvanceTypes {}
impl Numbers for f32 {}
impl Numbers for f64 {}

/// A vector on a device: an array of numbers.
pub trait Vector {
    /// Its numbers.
    type Real: Numbers;
    /// All of them.
    fn numbers(&self) -> BufferView<'_, Self::Real>;
    /// All of them, to be written.
    fn numbers_mut(&mut self) -> BufferViewMut<'_, Self::Real>;
}
impl<R: Numbers> Vector for Buffer<R> {
    type Real = R;
    fn numbers(&self) -> BufferView<'_, R> {
        self.view()
    }
    fn numbers_mut(&mut self) -> BufferViewMut<'_, R> {
        self.view_mut()
    }
}
impl Vector for Buffer<Vec3> {
    type Real = f32;
    fn numbers(&self) -> BufferView<'_, f32> {
        self.view().wide()
    }
    fn numbers_mut(&mut self) -> BufferViewMut<'_, f32> {
        self.view_mut().wide()
    }
}
impl Vector for Buffer<[f32; 4]> {
    type Real = f32;
    fn numbers(&self) -> BufferView<'_, f32> {
        self.view().wide()
    }
    fn numbers_mut(&mut self) -> BufferViewMut<'_, f32> {
        self.view_mut().wide()
    }
}
impl<E: Element> Vector for Attribute<E, Vec3> {
    type Real = f32;
    fn numbers(&self) -> BufferView<'_, f32> {
        self.view().wide()
    }
    fn numbers_mut(&mut self) -> BufferViewMut<'_, f32> {
        self.view_mut().wide()
    }
}

/// Blocks whose sums are added by a pass over this many numbers.
pub fn blocks(numbers: usize) -> u32 {
    tiles(numbers as u32)
}
