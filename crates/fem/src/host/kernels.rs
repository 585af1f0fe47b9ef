//! Kernels of elements, and how the host launches them.
use super::error::Result;
use crate::device::assemble::PartsViewArguments;
use crate::device::element::Element;
use crate::device::matrix::{PatternViewArguments, ROWS, ValuesViewArguments};
use crate::device::real::Entry;
use crate::device::space::SpaceViewArguments;
use ribbonmesh::device::{BufferView, BufferViewMut, Vec3};
use ribbonmesh::{Device, Result as LaunchResult};

/// Arguments of an element's launches. Only an assembler makes them, after it has checked that all parts fit.
#[derive(Clone, Copy)]
pub struct Launch<'a> {
    pub(crate) device: &'a Device,
    pub(crate) cells: u32,
    pub(crate) space: SpaceViewArguments<'a>,
    pub(crate) x: BufferView<'a, Vec3>,
}
impl<'a> Launch<'a> {
    /// The device.
    pub fn device(&self) -> &'a Device {
        self.device
    }
    /// The number of cells.
    pub fn cells(&self) -> u32 {
        self.cells
    }
    /// Nodes of cells.
    pub fn space(&self) -> SpaceViewArguments<'a> {
        self.space
    }
    /// Positions of vertices.
    pub fn x(&self) -> BufferView<'a, Vec3> {
        self.x
    }
    /// Blocks for all cells.
    pub fn cell_blocks(&self) -> u32 {
        self.cells.div_ceil(ROWS)
    }
    /// Blocks for all rows.
    pub fn row_blocks(&self) -> u32 {
        self.space.nodes.div_ceil(ROWS)
    }
}

type Scalar<E> = <<E as Element>::Entry as Entry>::Scalar;

/// An element as the host has it, with its kernels: [`element_kernels!`](crate::element_kernels) writes this.
pub trait ElementKernels: Copy {
    /// The element in kernels.
    type Element: Element;
    /// Computes the data of cells.
    /// # Errors
    /// Errors of [`Device::launch`].
    fn data(
        self,
        at: Launch<'_>,
        to: BufferViewMut<'_, <Self::Element as Element>::Data>,
    ) -> LaunchResult<()>;
    /// Computes the matrices of cells.
    /// # Errors
    /// Errors of [`Device::launch`].
    fn matrices(
        self,
        at: Launch<'_>,
        to: BufferViewMut<'_, <Self::Element as Element>::Entry>,
    ) -> LaunchResult<()>;
    /// Sums matrices, per node.
    /// # Errors
    /// Errors of [`Device::launch`].
    fn nodes(
        at: Launch<'_>,
        pattern: PatternViewArguments<'_>,
        matrices: BufferView<'_, <Self::Element as Element>::Entry>,
        to: ValuesViewArguments<'_, Scalar<Self::Element>>,
    ) -> LaunchResult<()>;
    /// Sums without memory for elements.
    /// # Errors
    /// Errors of [`Device::launch`].
    fn inline(
        self,
        at: Launch<'_>,
        pattern: PatternViewArguments<'_>,
        to: ValuesViewArguments<'_, Scalar<Self::Element>>,
    ) -> LaunchResult<()>;
    /// Sums per entry.
    /// # Errors
    /// Errors of [`Device::launch`].
    fn entries(
        self,
        at: Launch<'_>,
        n: u32,
        rows: u32,
        parts: PartsViewArguments<'_>,
        data: BufferView<'_, <Self::Element as Element>::Data>,
        to: ValuesViewArguments<'_, Scalar<Self::Element>>,
    ) -> LaunchResult<()>;
}

/// A number that 32 bits count, or an error.
pub fn fits(what: &'static str, count: u64) -> Result<u32> {
    let limit = u64::from(u32::MAX) - 1;
    if count > limit {
        return Err(ribbonmesh::Error::TooMany { what, count, limit }.into());
    }
    Ok(count as u32)
}
