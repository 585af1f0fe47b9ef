//! Memory of the host to which a device copies without a detour.
use super::{Device, Machine, cuda};
use crate::Result;
use bytemuck::Pod;
use std::ops::{Deref, DerefMut};

/// An array of elements in memory of the host that a device reads and writes by itself: pinned memory of a
/// GPU's driver, ordinary memory on the CPU. It is used as a slice.
///
/// [`Buffer::read_into`](crate::Buffer::read_into) copies straight into it; into other memory of the host
/// large copies take several times as long, since the driver's memory is in between, and processors copy from
/// there. Programs that read as much again and again keep one: to pin memory takes longer than a copy, and
/// the system has less for others as long as it is pinned.
///
/// ```
/// # use ribbonmesh::{Device, array};
/// # fn main() -> ribbonmesh::Result<()> {
/// # let device = Device::cpu();
/// let mut frame = device.zeros::<f32>(1 << 20)?;
/// let mut here = device.host_buffer::<f32>(frame.len())?;
/// for step in 0..3 {
///     array::fill(&mut frame, step as f32)?;
///     frame.read_into(0, &mut here)?;
///     assert_eq!(here[0], step as f32);
/// }
/// # Ok(())
/// # }
/// ```
pub struct HostBuffer<T> {
    memory: Memory<T>,
}
enum Memory<T> {
    Ordinary(Vec<T>),
    /// This many elements from its beginning on.
    Pinned(cuda::Pinned, usize),
}

impl Device {
    /// Memory of the host for `len` elements, all bytes zero. Where the driver gives no pinned memory it is
    /// ordinary memory ([`HostBuffer::is_pinned`]). To pin it takes some milliseconds for 10 MB.
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory).
    pub fn host_buffer<T: Pod>(&self, len: usize) -> Result<HostBuffer<T>> {
        let refused = |bytes| super::free::refused(bytes, super::free::of_host());
        let bytes = len.checked_mul(size_of::<T>()).ok_or_else(|| refused(u64::MAX))?;
        let pinned = match &self.0.machine {
            Machine::Cuda(m) if bytes > 0 => m.pinned(bytes),
            _ => None,
        };
        let memory = match pinned {
            Some(memory) => Memory::Pinned(memory, len),
            None => {
                let zeros = bytemuck::allocation::try_zeroed_vec(len);
                Memory::Ordinary(zeros.map_err(|()| refused(bytes as u64))?)
            }
        };
        Ok(HostBuffer { memory })
    }
}

impl<T> HostBuffer<T> {
    /// Whether a GPU's driver has pinned the memory.
    pub fn is_pinned(&self) -> bool {
        matches!(self.memory, Memory::Pinned(..))
    }
}

impl<T: Pod> Deref for HostBuffer<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        match &self.memory {
            Memory::Ordinary(elements) => elements,
            Memory::Pinned(memory, len) => bytemuck::cast_slice(&memory.bytes()[..len * size_of::<T>()]),
        }
    }
}
impl<T: Pod> DerefMut for HostBuffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.memory {
            Memory::Ordinary(elements) => elements,
            Memory::Pinned(memory, len) => {
                bytemuck::cast_slice_mut(&mut memory.bytes_mut()[..*len * size_of::<T>()])
            }
        }
    }
}

/// Ordinary memory with these elements.
impl<T> From<Vec<T>> for HostBuffer<T> {
    fn from(elements: Vec<T>) -> Self {
        Self { memory: Memory::Ordinary(elements) }
    }
}
impl<T: Pod + std::fmt::Debug> std::fmt::Debug for HostBuffer<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}
