//! Memory of a GPU, or of several: buffers, copies, and what is free.
use super::super::cards::pieces;
use super::super::foreign::Release;
use super::super::staging::{self, Pinned, Staging};
use super::group::{Group, Turn};
use super::range::Range;
use super::{Cuda, failed, lock};
use crate::Result;
use cudarc::driver::{CudaContext, CudaSlice, DevicePtr, DriverError, result, sys};
use std::mem::ManuallyDrop;
use std::sync::{Arc, Mutex};

/// Memory on the device.
pub(in crate::machine) struct Memory {
    slice: ManuallyDrop<CudaSlice<u8>>,
    owner: Owner,
}
/// The owner of memory, who frees it. Small, since every buffer has one.
enum Owner {
    /// The driver, in the order of the stream.
    Stream,
    /// Others.
    Other(Box<Other>),
    /// The driver, behind the work of all cards.
    First(Arc<Group>),
    /// The cards that have parts of it.
    Cards(Arc<Group>, Option<Box<Range>>),
}
struct Other {
    /// Called when this is dropped.
    _release: Release,
    group: Option<Arc<Group>>,
}
impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: taken here alone.
        let slice = unsafe { ManuallyDrop::take(&mut self.slice) };
        // what fails here fails at the next call, too
        match &mut self.owner {
            Owner::Stream => {}
            Owner::Other(other) => {
                // its owner may free it: nothing uses it any more
                let _ = match &other.group {
                    Some(group) => group.synchronize(),
                    None => slice.stream().synchronize(),
                };
                slice.leak();
            }
            Owner::First(group) => {
                let turn = group.alone();
                drop(slice);
                drop(turn);
            }
            Owner::Cards(group, range) => {
                slice.leak();
                range.take().into_iter().for_each(|range| group.give_back(*range));
            }
        }
    }
}
impl Memory {
    fn address(&self) -> u64 {
        self.slice.device_ptr(self.slice.stream()).0
    }
    fn range(&self) -> Option<&Range> {
        match &self.owner {
            Owner::Cards(_, range) => range.as_deref(),
            _ => None,
        }
    }
    /// The addresses and lengths of the parts, on one card each, of bytes from `at` on.
    fn parts(&self, at: usize, len: usize) -> Vec<(u64, usize)> {
        let (from, to) = (at as u64, (at + len) as u64);
        let whole = [0, to];
        let bounds = self.range().map_or(&whole[..], |range| &range.bounds);
        pieces(bounds, from..to)
            .map(|(_, piece)| (self.address() + piece.start, (piece.end - piece.start) as usize))
            .collect()
    }
    /// The address of bytes from `at` on, if one card has them all.
    pub(super) fn on_one_card(&self, at: usize, len: usize) -> Option<u64> {
        match self.parts(at, len)[..] {
            [(address, _)] => Some(address),
            _ => None,
        }
    }
}

impl Cuda {
    /// The right to queue work on the stream, behind that of other cards.
    pub(super) fn turn(&self) -> std::result::Result<Option<Turn<'_>>, DriverError> {
        self.group.as_deref().map(Group::alone).transpose()
    }
    /// Memory of others.
    /// # Safety
    /// As `Device::adopt`.
    pub unsafe fn adopt(&self, address: u64, bytes: usize, release: Release) -> Result<Memory> {
        // SAFETY: by this function's contract; dropping the memory does not free it.
        let slice = unsafe { self.stream.upgrade_device_ptr(address, bytes) };
        let other = Other { _release: release, group: self.group.clone() };
        Ok(Memory { slice: ManuallyDrop::new(slice), owner: Owner::Other(Box::new(other)) })
    }
    /// Memory of so many bytes, of which several cards divide the first `used` evenly.
    pub fn alloc(&self, bytes: usize, used: usize) -> Result<Memory> {
        self.try_alloc(bytes.max(1), used).map_err(|e| {
            if e.0 == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY {
                return super::super::free::refused(bytes as u64, self.free_memory());
            }
            failed(format!("to allocate {bytes} bytes"))(e)
        })
    }
    fn try_alloc(&self, bytes: usize, used: usize) -> std::result::Result<Memory, DriverError> {
        // SAFETY: callers fill the memory, or are documented to return it with any contents.
        let one = || unsafe { self.stream.alloc::<u8>(bytes) }.map(ManuallyDrop::new);
        let Some(group) = &self.group else { return Ok(Memory { slice: one()?, owner: Owner::Stream }) };
        if let Some(range) = group.alloc(bytes, used)? {
            // SAFETY: as many bytes of the range; dropping the memory does not free it.
            let slice = unsafe { self.stream.upgrade_device_ptr(range.address, bytes) };
            let owner = Owner::Cards(group.clone(), Some(Box::new(range)));
            return Ok(Memory { slice: ManuallyDrop::new(slice), owner });
        }
        let in_turn = || {
            let _turn = group.alone()?;
            one()
        };
        let slice = match in_turn() {
            Err(e) if e.0 == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY && group.release()? => in_turn()?,
            slice => slice?,
        };
        Ok(Memory { slice, owner: Owner::First(group.clone()) })
    }
    /// Free memory of the driver and unused memory of the process; of several cards what all have, if each
    /// gives as much as the fullest.
    pub fn free_memory(&self) -> Option<crate::FreeMemory> {
        let (free, total) = self.context.mem_get_info().ok()?;
        let kept = unused_of_pool(&self.context).unwrap_or_default();
        let mut memory = crate::FreeMemory { free: free as u64 + kept, total: total as u64 };
        let Some(group) = self.group.as_ref().filter(|group| group.waits_across()) else {
            return Some(memory);
        };
        for card in &group.cards[1..] {
            let (free, total) = card.context.mem_get_info().ok()?;
            memory.free = memory.free.min(free as u64);
            memory.total = memory.total.min(total as u64);
        }
        let cards = group.cards.len() as u64;
        Some(crate::FreeMemory { free: memory.free * cards + group.kept(), total: memory.total * cards })
    }
    pub fn zero(&self, memory: &mut Memory) -> Result<()> {
        let bytes = memory.slice.num_bytes();
        if bytes == 0 {
            return Ok(());
        }
        let zeroed = match (&self.group, memory.range()) {
            (Some(group), Some(range)) => group.zero(range, bytes),
            _ => self.turn().and_then(|_turn| self.stream.memset_zeros(&mut *memory.slice)),
        };
        zeroed.map_err(failed("to clear memory"))
    }
    pub fn write(&self, memory: &mut Memory, at: usize, data: &[u8]) -> Result<()> {
        let mut rest = data;
        for (to, len) in memory.parts(at, data.len()) {
            let (part, behind) = rest.split_at(len);
            rest = behind;
            // SAFETY: bytes of this memory, which are used in the order of the device's work alone.
            unsafe { self.write_part(to, part) }.map_err(failed("to copy to the device"))?;
        }
        Ok(())
    }
    /// # Safety
    /// `to` leads to as many bytes, on one card, which are used in the order of the device's work alone.
    unsafe fn write_part(&self, to: u64, data: &[u8]) -> std::result::Result<(), DriverError> {
        let _turn = self.turn()?;
        if let Some(staging) = self.staging(data.len()) {
            // SAFETY: by this function's contract.
            return unsafe { lock(staging).upload(&self.stream, to, data) };
        }
        self.context.bind_to_thread()?;
        // SAFETY: by this function's contract; the driver has read pageable memory when it returns, and
        // pinned memory when it has been waited for below.
        unsafe { result::memcpy_htod_async(to, data, self.stream.cu_stream())? };
        if Pinned::has(data) { self.stream.synchronize() } else { Ok(()) }
    }
    /// Pinned memory of the host, if the driver gives some.
    pub fn pinned(&self, bytes: usize) -> Option<Pinned> {
        Pinned::new(&self.context, bytes).ok()
    }
    /// The staging buffer for copies of `bytes` bytes; `None` if the driver copies them itself.
    fn staging(&self, bytes: usize) -> Option<&Mutex<Staging>> {
        if bytes < staging::LEAST {
            return None;
        }
        self.staging.get_or_init(|| Staging::new(&self.context).ok().map(Mutex::new)).as_ref()
    }
    /// Copies bytes to the host, and waits.
    pub(super) fn read(&self, memory: &Memory, at: usize, data: &mut [u8]) -> Result<()> {
        let mut rest = data;
        for (from, len) in memory.parts(at, rest.len()) {
            let (part, behind) = rest.split_at_mut(len);
            rest = behind;
            // SAFETY: bytes of this memory, which are used in the order of the device's work alone.
            unsafe { self.read_part(from, part) }.map_err(failed("to copy from the device"))?;
            self.stream.synchronize().map_err(failed("while it ran kernels"))?;
        }
        Ok(())
    }
    /// Queues copies of bytes from place `at` on to pinned memory.
    /// # Safety
    /// `data` is not used before the stream has been waited for.
    pub(super) unsafe fn read_pinned(
        &self,
        memory: &Memory,
        at: usize,
        data: &mut [u8],
    ) -> std::result::Result<(), DriverError> {
        let _turn = self.turn()?;
        let mut rest = data;
        for (from, len) in memory.parts(at, rest.len()) {
            let (part, behind) = rest.split_at_mut(len);
            rest = behind;
            // SAFETY: bytes of this memory, which are used in the order of the device's work alone.
            unsafe { result::memcpy_dtoh_async(part, from, self.stream.cu_stream())? };
        }
        Ok(())
    }
    /// # Safety
    /// As for [`Cuda::write_part`]; `data` is not used before the stream has been waited for.
    unsafe fn read_part(&self, from: u64, data: &mut [u8]) -> std::result::Result<(), DriverError> {
        let _turn = self.turn()?;
        if let Some(staging) = self.staging(data.len()) {
            // SAFETY: by this function's contract.
            return unsafe { lock(staging).download(&self.stream, from, data) };
        }
        self.context.bind_to_thread()?;
        // SAFETY: by this function's contract.
        unsafe { result::memcpy_dtoh_async(data, from, self.stream.cu_stream()) }
    }
    pub fn copy(&self, from: &Memory, to: &mut Memory, bytes: usize) -> Result<()> {
        let doing = || failed("to copy on the device");
        if let (Some(group), Some(range)) = (&self.group, to.range()) {
            let parts = from.range().map(|range| &range.bounds[..]);
            return group.copy((from.address(), parts), range, bytes).map_err(doing());
        }
        let _turn = self.turn().map_err(doing())?;
        self.context.bind_to_thread().map_err(doing())?;
        for (at, len) in from.parts(0, bytes) {
            let to = to.address() + (at - from.address());
            // SAFETY: bytes of both, which are used in the order of the device's work alone.
            unsafe { result::memcpy_dtod_async(to, at, len, self.stream.cu_stream()) }.map_err(doing())?;
        }
        Ok(())
    }
    pub fn address(&self, memory: &Memory) -> *const u8 {
        memory.address() as *const u8
    }
    pub fn address_mut(&self, memory: &mut Memory) -> *mut u8 {
        memory.address() as *mut u8
    }
}

/// Freed memory stays with this process: giving it back at every wait costs more than most kernels.
pub(super) fn keep_freed_memory(context: &CudaContext) -> std::result::Result<(), DriverError> {
    use sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED as POOLS;
    use sys::CUmemPool_attribute_enum::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD as THRESHOLD;
    if context.attribute(POOLS)? == 0 {
        return Ok(());
    }
    let mut all = u64::MAX;
    // SAFETY: the context's own device has pools, and this attribute is a 64-bit number.
    unsafe {
        let pool = result::device::get_default_mem_pool(context.cu_device())?;
        result::mem_pool::set_attribute(pool, THRESHOLD, (&raw mut all).cast())
    }
}

/// Bytes that the process's pool keeps, and that no buffer has; 0 without a pool.
fn unused_of_pool(context: &CudaContext) -> std::result::Result<u64, DriverError> {
    use sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED as POOLS;
    use sys::CUmemPool_attribute_enum::{
        CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT as RESERVED, CU_MEMPOOL_ATTR_USED_MEM_CURRENT as USED,
    };
    if context.attribute(POOLS)? == 0 {
        return Ok(0);
    }
    let mut of = [0_u64; 2];
    for (attribute, number) in [RESERVED, USED].into_iter().zip(&mut of) {
        // SAFETY: the context's own device has pools, and both attributes are 64-bit numbers.
        unsafe {
            let pool = result::device::get_default_mem_pool(context.cu_device())?;
            result::mem_pool::get_attribute(pool, attribute, (&raw mut *number).cast())?;
        }
    }
    Ok(of[0].saturating_sub(of[1]))
}
