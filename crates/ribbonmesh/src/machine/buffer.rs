//! Buffers: typed memory on a machine.
use super::foreign::{Adopted, HostMemory};
use super::{Device, Machine, cuda};
use crate::{Error, Result};
use bytemuck::Pod;
use rayon::prelude::*;
use ribbonmesh_device::{BufferView, BufferViewMut};
use std::marker::PhantomData;

/// An array of elements in the memory of a device. Its address is a multiple of 64 bytes; for adopted memory
/// ([`Device::adopt`]) a multiple of 16. Elements with a greater alignment are refused where the program is
/// compiled:
///
/// ```compile_fail,E0080
/// # use ribbonmesh::{Device, device::bytemuck::{Pod, Zeroable}};
/// #[repr(C, align(128))]
/// #[derive(Clone, Copy)]
/// struct Page([u8; 128]);
/// // SAFETY: plain bytes.
/// unsafe impl Zeroable for Page {}
/// // SAFETY: plain bytes.
/// unsafe impl Pod for Page {}
/// let _ = Device::cpu().upload(&[Page([0; 128])]);
/// ```
pub struct Buffer<T> {
    device: Device,
    memory: Memory,
    len: usize,
    of: PhantomData<T>,
}
enum Memory {
    Host(Lines),
    /// Memory of the host that others own.
    Foreign(HostMemory),
    Cuda(cuda::Memory),
}
/// Bytes of the host from a multiple of [`LINE`] on.
///
/// Words are aligned as the allocator aligns everything, so that it gives fresh pages as they are: a vector
/// with a greater alignment would be zeroed by the thread that makes it.
struct Lines {
    words: Vec<u64>,
    /// Bytes before the first line.
    skipped: usize,
    len: usize,
}
impl Lines {
    /// Zeros, rounded up to whole lines; also for no bytes an aligned address.
    fn zeroed(bytes: usize) -> std::result::Result<Self, ()> {
        let len =
            bytes.checked_next_multiple_of(LINE).filter(|&len| len < isize::MAX as usize / 2).ok_or(())?;
        let words: Vec<u64> = bytemuck::allocation::try_zeroed_vec((len + LINE) / size_of::<u64>())?;
        let skipped = words.as_ptr().cast::<u8>().align_offset(LINE);
        Ok(Self { words, skipped, len })
    }
    fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[self.skipped..self.skipped + self.len]
    }
    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut bytemuck::cast_slice_mut(&mut self.words)[self.skipped..self.skipped + self.len]
    }
}
impl Memory {
    /// The bytes on the host; bytes of own memory are rounded up to whole lines.
    fn host(&self) -> &[u8] {
        match self {
            Memory::Host(lines) => lines.bytes(),
            Memory::Foreign(memory) => memory.bytes(),
            Memory::Cuda(_) => unreachable!("memory of the buffer's own machine"),
        }
    }
    fn host_mut(&mut self) -> &mut [u8] {
        match self {
            Memory::Host(lines) => lines.bytes_mut(),
            Memory::Foreign(memory) => memory.bytes_mut(),
            Memory::Cuda(_) => unreachable!("memory of the buffer's own machine"),
        }
    }
}
/// Bytes that one thread copies at a time.
const PART: usize = 1 << 18;
/// Bytes to multiples of which memory of the host is aligned.
const LINE: usize = 64;

impl<T: Pod> Buffer<T> {
    pub(super) fn zeros(device: &Device, len: usize) -> Result<Self> {
        Self::zeros_with_room(device, len, len)
    }
    /// Zeros, of which several cards divide the first `used` evenly.
    pub(super) fn zeros_with_room(device: &Device, used: usize, len: usize) -> Result<Self> {
        let mut buffer = Self::with_room(device, used, len)?;
        if let (Machine::Cuda(m), Memory::Cuda(memory)) = (&device.0.machine, &mut buffer.memory) {
            m.zero(memory)?;
        }
        Ok(buffer)
    }
    pub(super) fn upload(device: &Device, data: &[T]) -> Result<Self> {
        let mut buffer = Self::unspecified(device, data.len())?;
        buffer.write(data)?;
        Ok(buffer)
    }
    /// Zeros on the CPU; on the GPU whatever is there.
    pub(super) fn unspecified(device: &Device, len: usize) -> Result<Self> {
        Self::with_room(device, len, len)
    }
    fn with_room(device: &Device, used: usize, len: usize) -> Result<Self> {
        const { assert!(align_of::<T>() <= LINE, "elements of buffers are aligned to 64 bytes at most") };
        let Some(bytes) = len.checked_mul(size_of::<T>()) else {
            return Err(super::free::refused(u64::MAX, device.free_memory()));
        };
        let memory = match &device.0.machine {
            Machine::Cpu(_) => {
                let refused = |()| super::free::refused(bytes as u64, device.free_memory());
                Memory::Host(Lines::zeroed(bytes).map_err(refused)?)
            }
            Machine::Cuda(m) => Memory::Cuda(m.alloc(bytes, used.saturating_mul(size_of::<T>()))?),
        };
        Ok(Self { device: device.clone(), memory, len, of: PhantomData })
    }
    /// The same memory as elements of another type; bytes that make no whole element are left out.
    pub(crate) fn cast<U: Pod>(self) -> Buffer<U> {
        const {
            assert!(
                size_of::<U>() > 0 && align_of::<U>() <= LINE,
                "elements of buffers are aligned to 64 bytes at most"
            )
        };
        let len = self.bytes() / size_of::<U>();
        Buffer { device: self.device, memory: self.memory, len, of: PhantomData }
    }
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }
    /// Whether the buffer has no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// The device that holds the buffer.
    pub fn device(&self) -> &Device {
        &self.device
    }
    /// Size of all elements in bytes.
    pub fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }
    /// A buffer in memory of others.
    pub(super) fn adopted(device: &Device, memory: Adopted, len: usize) -> Self {
        let memory = match memory {
            Adopted::Host(memory) => Memory::Foreign(memory),
            Adopted::Cuda(memory) => Memory::Cuda(memory),
        };
        Self { device: device.clone(), memory, len, of: PhantomData }
    }
    pub(super) fn view_address(&self) -> *const u8 {
        match (&self.memory, &self.device.0.machine) {
            (Memory::Cuda(memory), Machine::Cuda(m)) => m.address(memory),
            (memory, _) => memory.host().as_ptr(),
        }
    }
    pub(super) fn view_address_mut(&mut self) -> *mut u8 {
        match (&mut self.memory, &self.device.0.machine) {
            (Memory::Cuda(memory), Machine::Cuda(m)) => m.address_mut(memory),
            (memory, _) => memory.host_mut().as_mut_ptr(),
        }
    }
    /// The elements, if they are in the memory of the host, as they are on the CPU.
    pub fn host_slice(&self) -> Option<&[T]> {
        match &self.memory {
            Memory::Cuda(_) => None,
            memory => Some(bytemuck::cast_slice(&memory.host()[..self.bytes()])),
        }
    }
    /// As [`Buffer::host_slice`], to be changed.
    pub fn host_slice_mut(&mut self) -> Option<&mut [T]> {
        let bytes = self.bytes();
        match &mut self.memory {
            Memory::Cuda(_) => None,
            memory => Some(bytemuck::cast_slice_mut(&mut memory.host_mut()[..bytes])),
        }
    }
    /// The buffer as an argument that a kernel reads.
    pub fn view(&self) -> BufferView<'_, T> {
        let ptr = self.view_address();
        // SAFETY: the buffer's own memory, which lives and is not written during the view's lifetime.
        unsafe { BufferView::new(ptr.cast(), self.len, self.device.memory()) }
    }
    /// The buffer as an argument that a kernel writes.
    pub fn view_mut(&mut self) -> BufferViewMut<'_, T> {
        let ptr = self.view_address_mut();
        // SAFETY: the buffer's own memory, which lives and is borrowed exclusively during the view's
        // lifetime.
        unsafe { BufferViewMut::new(ptr.cast(), self.len, self.device.memory()) }
    }
    /// Copies all elements to the host. Waits for all earlier work.
    /// # Errors
    /// Errors of earlier kernels or of the driver.
    pub fn read(&self) -> Result<Vec<T>> {
        self.read_range(0, self.len)
    }
    /// Copies `len` elements from index `at` on to the host. Waits for all earlier work.
    /// # Errors
    /// [`Error::Length`] if the range exceeds the buffer; errors of earlier kernels or of the driver.
    pub fn read_range(&self, at: usize, len: usize) -> Result<Vec<T>> {
        if at.checked_add(len).is_none_or(|end| end > self.len) {
            return Err(Error::Length {
                what: "part of a buffer",
                expected: at.saturating_add(len),
                found: self.len,
            });
        }
        let mut data = bytemuck::allocation::zeroed_vec::<T>(len);
        self.read_into(at, &mut data)?;
        Ok(data)
    }
    /// Copies the elements from index `at` on to memory of the host, which needs no allocation. Waits for all
    /// earlier work. From a GPU this takes the least time to memory of [`Device::host_buffer`], or that other
    /// libraries have pinned.
    /// # Errors
    /// [`Error::Length`] if the range exceeds the buffer; errors of earlier kernels or of the driver.
    pub fn read_into(&self, at: usize, data: &mut [T]) -> Result<()> {
        let end = at.saturating_add(data.len());
        if end > self.len {
            return Err(Error::Length { what: "part of a buffer", expected: end, found: self.len });
        }
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(data);
        match (&self.memory, &self.device.0.machine) {
            (Memory::Cuda(memory), Machine::Cuda(m)) => {
                let status = m.read_with_status(memory, at * size_of::<T>(), bytes)?;
                self.device.check(status)?;
            }
            (memory, _) => {
                let from = &memory.host()[at * size_of::<T>()..][..bytes.len()];
                self.device.install(|| copy(from, bytes));
            }
        }
        Ok(())
    }
    /// Replaces all elements.
    /// # Errors
    /// [`Error::Length`] unless `data` has the length of the buffer; errors of the driver.
    pub fn write(&mut self, data: &[T]) -> Result<()> {
        if data.len() != self.len {
            return Err(Error::Length { what: "data for a buffer", expected: self.len, found: data.len() });
        }
        self.write_range(0, data)
    }
    /// Replaces the elements from index `at` on.
    /// # Errors
    /// [`Error::Length`] if `data` exceeds the buffer; errors of the driver.
    pub fn write_range(&mut self, at: usize, data: &[T]) -> Result<()> {
        if at.checked_add(data.len()).is_none_or(|end| end > self.len) {
            let expected = at.saturating_add(data.len());
            return Err(Error::Length { what: "part of a buffer", expected, found: self.len });
        }
        let (at, bytes): (usize, &[u8]) = (at * size_of::<T>(), bytemuck::cast_slice(data));
        match (&mut self.memory, &self.device.0.machine) {
            (Memory::Cuda(memory), Machine::Cuda(m)) => m.write(memory, at, bytes),
            (memory, _) => {
                let to = &mut memory.host_mut()[at..at + bytes.len()];
                self.device.install(|| copy(bytes, to));
                Ok(())
            }
        }
    }
    /// A copy on any device.
    /// # Errors
    /// [`Error::OutOfMemory`], or errors of a driver.
    pub fn to_device(&self, device: &Device) -> Result<Self> {
        if self.device.same(device) { self.try_clone() } else { device.upload(&self.read()?) }
    }
    /// Sets all bytes to zero.
    /// # Errors
    /// Errors of the driver.
    pub fn clear(&mut self) -> Result<()> {
        match (&mut self.memory, &self.device.0.machine) {
            (Memory::Cuda(memory), Machine::Cuda(m)) => m.zero(memory),
            (memory, _) => {
                memory.host_mut().fill(0);
                Ok(())
            }
        }
    }
    /// A copy on the same device.
    /// # Errors
    /// [`Error::OutOfMemory`], or errors of the driver.
    pub fn try_clone(&self) -> Result<Self> {
        let mut copy = Self::unspecified(&self.device, self.len)?;
        copy.copy_from(self)?;
        Ok(copy)
    }
    /// Replaces all elements by the elements of another buffer of the same device.
    /// # Errors
    /// [`Error::Length`] for different lengths; [`Error::OtherDevice`]; errors of the driver.
    pub fn copy_from(&mut self, from: &Buffer<T>) -> Result<()> {
        if !self.device.same(&from.device) {
            return Err(Error::OtherDevice { what: "the buffer to copy from" });
        }
        if from.len != self.len {
            return Err(Error::Length { what: "buffer to copy from", expected: self.len, found: from.len });
        }
        let bytes = self.bytes();
        match (&from.memory, &mut self.memory, &self.device.0.machine) {
            (Memory::Cuda(from), Memory::Cuda(to), Machine::Cuda(m)) => m.copy(from, to, bytes)?,
            (from, to, _) => {
                let (from, to) = (&from.host()[..bytes], &mut to.host_mut()[..bytes]);
                self.device.install(|| copy(from, to));
            }
        }
        Ok(())
    }
}

impl<T: Pod + std::fmt::Debug> std::fmt::Debug for Buffer<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer of {} on {:?}", self.len, self.device)
    }
}

/// Copies bytes by all threads: most of the time of a large copy is that its memory is touched for the first
/// time.
pub(super) fn copy(from: &[u8], to: &mut [u8]) {
    to.par_chunks_mut(PART).zip(from.par_chunks(PART)).for_each(|(to, from)| to.copy_from_slice(from));
}
