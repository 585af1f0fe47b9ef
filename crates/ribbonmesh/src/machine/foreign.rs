//! Memory that other libraries share with this one.
use super::cuda;
use super::{Buffer, Device, Machine};
use crate::{Error, Result};
use bytemuck::Pod;
use ribbonmesh_device::{BufferView, BufferViewMut};
use std::sync::Mutex;

/// Where memory lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryAddress {
    /// In the memory of the host.
    Host(*mut u8),
    /// On a CUDA device: a `CUdeviceptr`, or the pointer that the CUDA runtime gives.
    Cuda(u64),
}

/// What other libraries of CUDA need to work with a [`Device`], as plain numbers.
///
/// They are valid as long as the device or a clone of it lives, which each [`Buffer`] holds. They belong to the device:
/// nobody else destroys them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CudaHandles {
    /// Which device: its ordinal.
    pub ordinal: usize,
    /// Its context, a `CUcontext`: the primary one, which the CUDA runtime, and so cuBLAS and PyTorch, use as well.
    pub context: usize,
    /// The stream on which all work of the [`Device`] is done in the order of the calls, a `CUstream` or `cudaStream_t`.
    pub stream: usize,
}

/// What an owner wants to be called when its memory is not used any more.
pub(super) struct Release(Mutex<Option<Box<dyn FnOnce() + Send>>>);
impl Drop for Release {
    fn drop(&mut self) {
        if let Some(release) = self.0.get_mut().unwrap_or_else(|e| e.into_inner()).take() {
            release();
        }
    }
}

/// Memory of the host that others own.
pub(super) struct HostMemory {
    at: *mut u8,
    bytes: usize,
    _release: Release,
}
// SAFETY: bytes that any thread may use, by the contract of `Device::adopt`.
unsafe impl Send for HostMemory {}
// SAFETY: as above; shared references only read.
unsafe impl Sync for HostMemory {}
impl HostMemory {
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: valid for reads while this lives, by the contract of `Device::adopt`.
        unsafe { std::slice::from_raw_parts(self.at, self.bytes) }
    }
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: valid for reads and writes, and used by nobody else, by the same contract.
        unsafe { std::slice::from_raw_parts_mut(self.at, self.bytes) }
    }
}

/// What [`Device::adopt`] has taken.
pub(super) enum Adopted {
    Host(HostMemory),
    Cuda(cuda::Memory),
}

/// Kernels load and store so many bytes at once.
const ALIGNMENT: usize = 16;

impl Device {
    /// What other libraries need to put their work on this device's stream; none on the CPU.
    ///
    /// Work that they put on this stream is done in order with this library's. Work on another stream is not: it waits
    /// for this one by an event, or after [`Device::synchronize`], and this one for it likewise.
    pub fn cuda_handles(&self) -> Option<CudaHandles> {
        match &self.0.machine {
            Machine::Cpu(_) => None,
            Machine::Cuda(m) => Some(m.handles()),
        }
    }
    /// A buffer in memory that others have allocated. `release` is called when the buffer is dropped, once all work of
    /// the device that was queued before is done; on a GPU the drop waits for that.
    ///
    /// The device does not free the memory: its owner does, in `release` or later.
    /// # Safety
    /// From now until `release` is called,
    /// * `address` is that of `len` elements of memory on this device (on the CPU, of this process), which stays allocated, and
    ///   holds values: on the CPU all of it has been written once;
    /// * nothing else reads or writes it, but in the order of the device's work: on the CPU between calls that use the
    ///   buffer, on a GPU on the stream of [`Device::cuda_handles`], or on another one that waits for it and is
    ///   waited for. Work that was queued on other streams before has ended, or this stream waits for it.
    /// # Errors
    /// [`Error::OtherDevice`] for an address of the other kind of machine; [`Error::Option`] for one that is null, or no
    /// multiple of 16 bytes and of the alignment of `T`; [`Error::OutOfMemory`] for a length that cannot be. Then `release` is
    /// called, too.
    pub unsafe fn adopt<T: Pod>(
        &self,
        address: MemoryAddress,
        len: usize,
        release: impl FnOnce() + Send + 'static,
    ) -> Result<Buffer<T>> {
        let release = Release(Mutex::new(Some(Box::new(release))));
        let bytes = self.check_address::<T>(address, len)?;
        let memory = match (address, &self.0.machine) {
            (MemoryAddress::Cuda(address), Machine::Cuda(m)) => {
                // SAFETY: by this function's contract.
                Adopted::Cuda(unsafe { m.adopt(address, bytes, release) }?)
            }
            (MemoryAddress::Host(at), Machine::Cpu(_)) => {
                let at = if bytes == 0 { std::ptr::without_provenance_mut(ALIGNMENT) } else { at };
                Adopted::Host(HostMemory { at, bytes, _release: release })
            }
            _ => return Err(other_kind()),
        };
        Ok(Buffer::adopted(self, memory, len))
    }
    /// Memory that others have allocated, as an argument that a kernel reads.
    /// # Safety
    /// As [`Device::adopt`], for `'a` and until all work of the device that was queued in `'a` is done; but others may read
    /// it, too.
    /// # Errors
    /// As [`Device::adopt`].
    pub unsafe fn borrow<'a, T: Pod>(&self, address: MemoryAddress, len: usize) -> Result<BufferView<'a, T>> {
        let at = self.borrowed::<T>(address, len)?;
        // SAFETY: by this function's contract.
        Ok(unsafe { BufferView::new(at, len, self.memory()) })
    }
    /// Memory that others have allocated, as an argument that a kernel writes.
    /// # Safety
    /// As [`Device::adopt`], for `'a` and until all work of the device that was queued in `'a` is done.
    /// # Errors
    /// As [`Device::adopt`].
    pub unsafe fn borrow_mut<'a, T: Pod>(
        &self,
        address: MemoryAddress,
        len: usize,
    ) -> Result<BufferViewMut<'a, T>> {
        let at = self.borrowed::<T>(address, len)?;
        // SAFETY: by this function's contract.
        Ok(unsafe { BufferViewMut::new(at, len, self.memory()) })
    }
    fn borrowed<T: Pod>(&self, address: MemoryAddress, len: usize) -> Result<*mut T> {
        self.check_address::<T>(address, len)?;
        match (address, &self.0.machine) {
            (MemoryAddress::Cuda(address), Machine::Cuda(_)) => {
                Ok(std::ptr::without_provenance_mut(address as usize))
            }
            (MemoryAddress::Host(at), Machine::Cpu(_)) => Ok(at.cast()),
            _ => Err(other_kind()),
        }
    }
    /// The bytes of `len` elements, if they can lie at this address.
    fn check_address<T: Pod>(&self, address: MemoryAddress, len: usize) -> Result<usize> {
        let address = match address {
            MemoryAddress::Host(at) => at.addr() as u64,
            MemoryAddress::Cuda(address) => address,
        };
        let Some(bytes) = len.checked_mul(size_of::<T>()).filter(|&bytes| bytes <= isize::MAX as usize)
        else {
            return Err(Error::OutOfMemory { needed: u64::MAX, free: 0, total: 0 });
        };
        let alignment = align_of::<T>().max(ALIGNMENT) as u64;
        if bytes > 0 && (address == 0 || !address.is_multiple_of(alignment)) {
            return Err(Error::Option {
                option: "address",
                value: format!("{address:#x}"),
                expected: "not null, a multiple of 16 bytes and of the elements' alignment",
            });
        }
        Ok(bytes)
    }
}
fn other_kind() -> Error {
    Error::OtherDevice { what: "the memory at the address" }
}

impl<T: Pod> Buffer<T> {
    /// Where the elements lie, for other libraries to read them.
    ///
    /// The memory belongs to the buffer, which frees it when it is dropped; until then the address stays the same.
    /// # Safety
    /// A function of its own for that what is done with the address keeps this contract:
    /// * the memory is used only while the buffer lives, and nobody else frees it;
    /// * it is read, not written, and in the order of the device's work: on the CPU, while no call writes the buffer; on a GPU
    ///   on the stream of [`Device::cuda_handles`], or on another one that waits for what was queued there, and for which this
    ///   one waits before the buffer is written or dropped.
    pub unsafe fn address(&self) -> MemoryAddress {
        self.raw(self.view_address().cast_mut())
    }
    /// Where the elements lie, for other libraries to read and write them.
    /// # Safety
    /// As [`Buffer::address`]; what is written is done, in the order of the device's work, before the buffer is used next.
    pub unsafe fn address_mut(&mut self) -> MemoryAddress {
        let at = self.view_address_mut();
        self.raw(at)
    }
    fn raw(&self, at: *mut u8) -> MemoryAddress {
        match self.device().0.machine {
            Machine::Cpu(_) => MemoryAddress::Host(at),
            Machine::Cuda(_) => MemoryAddress::Cuda(at.addr() as u64),
        }
    }
}
