//! Vectors on a device.
use super::error::{Result, SparseError, at_most, length};
use super::layout::VectorLayout;
use super::numbers::Numbers;
use crate::device::components::{assemble, components, for_each_component};
use crate::device::stored::{ReadArguments, WrittenArguments};
use crate::{Element, Real};
use ribbonmesh::device::{BufferView, BufferViewMut};
use ribbonmesh::{Buffer, Device, Error};
use ribbonmesh_linear as linear;

/// A vector on a device: elements as they are (AoS), or component by component (SoA).
///
/// Several vectors of n elements that a matrix multiplies at once are one of n times as many: element `i` of
/// vector `j` of `many` is stored at `i many + j`.
#[derive(Debug)]
pub struct Vector<T: Element> {
    memory: Memory<T>,
    len: usize,
}
#[derive(Debug)]
enum Memory<T: Element> {
    Aos(Buffer<T>),
    Soa(Buffer<T::Real>),
}

impl<T: Element<Real: Numbers>> Vector<T> {
    /// Zeros.
    /// # Errors
    /// [`SparseError::TooMany`] beyond 2³² numbers; out of memory.
    pub fn zeros(device: &Device, len: usize, layout: VectorLayout) -> Result<Self> {
        let numbers = numbers::<T>(len)?;
        let memory = match layout {
            VectorLayout::Aos => Memory::Aos(device.zeros(len)?),
            VectorLayout::Soa => Memory::Soa(device.zeros(numbers)?),
        };
        Ok(Self { memory, len })
    }
    /// Uploads elements.
    /// # Errors
    /// As [`Vector::zeros`]; errors of the driver.
    pub fn upload(device: &Device, elements: &[T], layout: VectorLayout) -> Result<Self> {
        let (count, len) = (numbers::<T>(elements.len())?, elements.len());
        let memory = match layout {
            VectorLayout::Aos => Memory::Aos(device.upload(elements)?),
            VectorLayout::Soa => {
                let mut parts = vec![T::Real::ZERO; count];
                for (i, &element) in elements.iter().enumerate() {
                    for_each_component::<T, T::Real>(element, |c, x| parts[c as usize * len + i] = x);
                }
                Memory::Soa(device.upload(&parts)?)
            }
        };
        Ok(Self { memory, len })
    }
    /// The elements on the host, whatever the layout; waits.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn download(&self) -> Result<Vec<T>> {
        match &self.memory {
            Memory::Aos(elements) => Ok(elements.read()?),
            Memory::Soa(parts) => {
                let (parts, len) = (parts.read()?, self.len);
                let element = |i: usize| assemble::<T, T::Real>(|c| parts[c as usize * len + i]);
                Ok((0..len).map(element).collect())
            }
        }
    }
    /// A vector of a buffer of elements. No copy.
    /// # Errors
    /// [`SparseError::TooMany`] beyond 2³² numbers.
    pub fn from_buffer(elements: Buffer<T>) -> Result<Self> {
        numbers::<T>(elements.len())?;
        let len = elements.len();
        Ok(Self { memory: Memory::Aos(elements), len })
    }
    /// The elements as a buffer; none in the layout SoA.
    pub fn buffer(&self) -> Option<&Buffer<T>> {
        match &self.memory {
            Memory::Aos(elements) => Some(elements),
            Memory::Soa(_) => None,
        }
    }
    /// The elements as a buffer, without a copy; the vector itself in the layout SoA.
    /// # Errors
    /// The vector, if its layout is SoA.
    pub fn into_buffer(self) -> std::result::Result<Buffer<T>, Self> {
        match self.memory {
            Memory::Aos(elements) => Ok(elements),
            memory => Err(Self { memory, len: self.len }),
        }
    }
    /// A copy on the same device.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn try_clone(&self) -> Result<Self> {
        let memory = match &self.memory {
            Memory::Aos(elements) => Memory::Aos(elements.try_clone()?),
            Memory::Soa(parts) => Memory::Soa(parts.try_clone()?),
        };
        Ok(Self { memory, len: self.len })
    }
    /// Sets all numbers to 0. Does not wait.
    /// # Errors
    /// Errors of the driver.
    pub fn clear(&mut self) -> Result<()> {
        match &mut self.memory {
            Memory::Aos(elements) => Ok(elements.clear()?),
            Memory::Soa(parts) => Ok(parts.clear()?),
        }
    }
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.len
    }
    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// The order of the numbers.
    pub fn layout(&self) -> VectorLayout {
        match self.memory {
            Memory::Aos(_) => VectorLayout::Aos,
            Memory::Soa(_) => VectorLayout::Soa,
        }
    }
    /// The device that holds it.
    pub fn device(&self) -> &Device {
        match &self.memory {
            Memory::Aos(elements) => elements.device(),
            Memory::Soa(parts) => parts.device(),
        }
    }

    /// `self = a x + b self`; the old values are not read if `b` is 0. One pass; does not wait.
    /// # Errors
    /// [`SparseError::Length`] or [`SparseError::Variant`] unless both have the same length and layout;
    /// [`Error::OtherDevice`]; errors of the driver.
    pub fn axpby(&mut self, a: T::Real, x: &Self, b: T::Real) -> Result<()> {
        x.check_like(self, "x")?;
        let device = self.device().clone();
        Ok(linear::axpby(&device, a, x, b, self)?)
    }
    /// The sum of the products of all numbers, in `f64`: for complex numbers and quaternions the real part of
    /// the scalar product. The same bits in every run on a machine. One pass; waits.
    /// # Errors
    /// As [`Vector::axpby`]; errors of earlier kernels.
    pub fn dot(&self, other: &Self) -> Result<f64> {
        other.check_like(self, "the other vector")?;
        Ok(linear::dot(self.device(), self, other)?)
    }

    /// Refuses a vector of another device, length or layout.
    pub(crate) fn check_like(&self, other: &Self, what: &'static str) -> Result<()> {
        self.check(other.device(), other.len, other.layout(), what)
    }
    /// Refuses the vector unless it is as described.
    pub(crate) fn check(
        &self,
        device: &Device,
        len: usize,
        layout: VectorLayout,
        what: &'static str,
    ) -> Result<()> {
        if !self.device().same(device) {
            return Err(Error::OtherDevice { what }.into());
        }
        length(what, len, self.len)?;
        if self.layout() != layout {
            let reason = "a vector's layout is that of the matrix or of the other vector";
            return Err(SparseError::Variant { variant: what.into(), reason });
        }
        Ok(())
    }
    /// As an argument that a kernel reads.
    pub(crate) fn read(&self) -> ReadArguments<'_, T, T::Real> {
        let stride = self.len as u32;
        match &self.memory {
            Memory::Aos(elements) => {
                ReadArguments { whole: elements.view(), parts: BufferView::empty(), stride, split: 0 }
            }
            Memory::Soa(parts) => {
                ReadArguments { whole: BufferView::empty(), parts: parts.view(), stride, split: 1 }
            }
        }
    }
    /// As an argument that a kernel writes.
    pub(crate) fn written(&mut self) -> WrittenArguments<'_, T, T::Real> {
        let stride = self.len as u32;
        match &mut self.memory {
            Memory::Aos(elements) => WrittenArguments {
                whole: elements.view_mut(),
                parts: BufferViewMut::empty(),
                stride,
                split: 0,
            },
            Memory::Soa(parts) => {
                WrittenArguments { whole: BufferViewMut::empty(), parts: parts.view_mut(), stride, split: 1 }
            }
        }
    }
}

/// All numbers, in the order of the layout.
impl<T: Element<Real: Numbers>> linear::Vector for Vector<T> {
    type Real = T::Real;
    fn numbers(&self) -> BufferView<'_, T::Real> {
        match &self.memory {
            Memory::Aos(elements) => elements.view().wide(),
            Memory::Soa(parts) => parts.view(),
        }
    }
    fn numbers_mut(&mut self) -> BufferViewMut<'_, T::Real> {
        match &mut self.memory {
            Memory::Aos(elements) => elements.view_mut().wide(),
            Memory::Soa(parts) => parts.view_mut(),
        }
    }
}

/// The numbers of `len` elements, if 32 bits count them.
fn numbers<T: Element>(len: usize) -> Result<usize> {
    let numbers = len as u64 * u64::from(components::<T, T::Real>());
    at_most("numbers of a vector", numbers, u64::from(u32::MAX))?;
    Ok(numbers as usize)
}
