//! Kernels of energies, and how the host launches them.
use crate::device::energy::Energy;
use ribbonmesh::device::{BufferView, BufferViewMut, tiles};
use ribbonmesh::{Device, Result};

/// Arguments of an energy's launches. Only elements make them, after they have been checked.
#[derive(Clone, Copy)]
pub struct Launch<'a> {
    pub(crate) device: &'a Device,
    pub(crate) elements: u32,
    pub(crate) corners: BufferView<'a, u32>,
}
impl<'a> Launch<'a> {
    /// The device.
    pub fn device(&self) -> &'a Device {
        self.device
    }
    /// The number of elements.
    pub fn elements(&self) -> u32 {
        self.elements
    }
    /// Vertices of elements.
    pub fn corners(&self) -> BufferView<'a, u32> {
        self.corners
    }
    /// Blocks for all elements.
    pub fn blocks(&self) -> u32 {
        tiles(self.elements)
    }
}

type Real<E> = <<E as EnergyKernels>::Energy as Energy>::Real;

/// An energy as the host has it, with its kernels: [`energy_kernels!`](crate::energy_kernels) writes this.
pub trait EnergyKernels: Copy {
    /// The energy in kernels.
    type Energy: Energy;
    /// Computes the energy of each element.
    /// # Errors
    /// Errors of [`Device::launch`].
    fn values(
        self,
        at: Launch<'_>,
        x: BufferView<'_, Real<Self>>,
        to: BufferViewMut<'_, Real<Self>>,
    ) -> Result<()>;
    /// Computes energies, and gradients by the variables of elements.
    /// # Errors
    /// Errors of [`Device::launch`].
    fn gradients(
        self,
        at: Launch<'_>,
        x: BufferView<'_, Real<Self>>,
        values: BufferViewMut<'_, Real<Self>>,
        to: BufferViewMut<'_, Real<Self>>,
    ) -> Result<()>;
    /// Computes packed Hessians by the variables of elements, without negative eigenvalues if `project`.
    /// # Errors
    /// Errors of [`Device::launch`].
    fn hessians(
        self,
        at: Launch<'_>,
        project: bool,
        x: BufferView<'_, Real<Self>>,
        to: BufferViewMut<'_, Real<Self>>,
    ) -> Result<()>;
    /// Computes the largest step of each element along `d`.
    /// # Errors
    /// Errors of [`Device::launch`].
    fn steps(
        self,
        at: Launch<'_>,
        x: BufferView<'_, Real<Self>>,
        d: BufferView<'_, Real<Self>>,
        to: BufferViewMut<'_, Real<Self>>,
    ) -> Result<()>;
}
