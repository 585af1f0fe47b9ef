//! Memory of several cards in one range of addresses (CUDA driver API, virtual memory management), which
//! every card reads and writes.
use super::super::cards::{bounds, owner};
use cudarc::driver::{DriverError, sys};
use std::collections::HashMap;

type Result<T> = std::result::Result<T, DriverError>;

/// A range of addresses with memory of cards.
pub struct Range {
    pub address: u64,
    /// The places at which parts begin, and the end.
    pub bounds: Vec<u64>,
}

/// The ranges of a device of several cards. Freed ones are kept: to map one takes longer than most kernels
/// run.
pub struct Ranges {
    cards: Vec<i32>,
    /// Bytes of a page: memory of a card is a number of whole pages.
    page: u64,
    /// Freed ranges, by their bounds.
    kept: HashMap<Vec<u64>, Vec<Range>>,
}

impl Ranges {
    /// For cards of these ordinals. A context is current.
    pub fn new(cards: &[usize]) -> Result<Self> {
        let cards: Vec<i32> = cards.iter().map(|&card| card as i32).collect();
        let recommended = sys::CUmemAllocationGranularity_flags::CU_MEM_ALLOC_GRANULARITY_RECOMMENDED;
        let mut page = 1;
        for &card in &cards {
            let mut of_card = 0;
            // SAFETY: writes one number; the properties are those of memory of a device.
            unsafe { sys::cuMemGetAllocationGranularity(&mut of_card, &of(card), recommended) }.result()?;
            page = page.max(of_card as u64);
        }
        Ok(Self { cards, page, kept: HashMap::new() })
    }
    /// Bytes that are kept for the next ranges.
    pub fn kept(&self) -> u64 {
        self.kept.values().flatten().map(end).sum()
    }
    /// A range of so many bytes or more, with any contents: one that was freed, or a new one. Cards have
    /// equal parts of its first `used` eighths, and of the rest. A context is current.
    pub fn take(&mut self, bytes: u64, used: u64) -> Result<Range> {
        let bounds = bounds(bytes.max(1).next_multiple_of(self.page), used, self.cards.len(), self.page);
        match self.kept.get_mut(&bounds).and_then(Vec::pop) {
            Some(range) => Ok(range),
            None => self.map(bounds),
        }
    }
    /// Keeps a range for the next that needs its bounds. Work of its user may still be under way: all work is
    /// in the order of the calls.
    pub fn give_back(&mut self, range: Range) {
        self.kept.entry(range.bounds.clone()).or_default().push(range);
    }
    fn map(&self, bounds: Vec<u64>) -> Result<Range> {
        let mut range = Range { address: 0, bounds };
        let (bytes, page) = (end(&range) as usize, self.page as usize);
        // SAFETY: writes one address.
        unsafe { sys::cuMemAddressReserve(&mut range.address, bytes, page, 0, 0) }.result()?;
        let mapped = self.fill(&range);
        mapped.inspect_err(|_| unmap(&range))?;
        Ok(range)
    }
    /// Gives a range its memory, and all cards the right to use it.
    fn fill(&self, range: &Range) -> Result<()> {
        for (i, part) in range.bounds.windows(2).enumerate() {
            let (at, bytes) = (range.address + part[0], (part[1] - part[0]) as usize);
            if bytes == 0 {
                continue;
            }
            let card = self.cards[owner(i, self.cards.len())];
            let mut memory = 0;
            // SAFETY: writes one handle, of whole pages.
            unsafe { sys::cuMemCreate(&mut memory, bytes, &of(card), 0) }.result()?;
            // SAFETY: addresses that were reserved and have no memory yet, and whole pages of it.
            let mapped = unsafe { sys::cuMemMap(at, bytes, 0, memory, 0) }.result();
            // SAFETY: the handle from above; the memory lives as long as it is mapped.
            unsafe { sys::cuMemRelease(memory) }.result()?;
            mapped?;
        }
        let flags = sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        let of_card = |&card: &i32| sys::CUmemAccessDesc { location: of(card).location, flags };
        let mut cards = self.cards.clone();
        cards.dedup();
        let access: Vec<_> = cards.iter().map(of_card).collect();
        // SAFETY: the whole range has memory.
        unsafe { sys::cuMemSetAccess(range.address, end(range) as usize, access.as_ptr(), access.len()) }
            .result()
    }
    /// Frees what is kept; whether there was any. All work of all cards is done.
    pub fn release(&mut self) -> bool {
        let kept: Vec<Range> = self.kept.drain().flat_map(|(_, ranges)| ranges).collect();
        kept.iter().for_each(unmap);
        !kept.is_empty()
    }
    /// Lets cards use the memory that a pool of another card has.
    pub fn open_pool(&self, pool: sys::CUmemoryPool, owner: usize) -> Result<()> {
        let flags = sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        let others = self.cards.iter().filter(|&&card| card != owner as i32);
        let access: Vec<_> =
            others.map(|&card| sys::CUmemAccessDesc { location: of(card).location, flags }).collect();
        if access.is_empty() {
            return Ok(());
        }
        // SAFETY: a pool of the driver's, and as many rights as the list has.
        unsafe { sys::cuMemPoolSetAccess(pool, access.as_ptr(), access.len()) }.result()
    }
}

fn end(range: &Range) -> u64 {
    range.bounds.last().copied().unwrap_or_default()
}

/// Takes the memory of a range away, as far as it has some, and gives the addresses back. What fails here
/// leaves memory allocated.
fn unmap(range: &Range) {
    for part in range.bounds.windows(2).filter(|part| part[0] < part[1]) {
        // SAFETY: a part as it was mapped, which nothing uses any more; where nothing is mapped the driver
        // says so.
        let _ = unsafe { sys::cuMemUnmap(range.address + part[0], (part[1] - part[0]) as usize) };
    }
    // SAFETY: addresses as they were reserved.
    let _ = unsafe { sys::cuMemAddressFree(range.address, end(range) as usize) };
}

/// Memory of a card.
fn of(card: i32) -> sys::CUmemAllocationProp {
    let type_ = sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
    let flags = sys::CUmemAllocationProp_st__bindgen_ty_1 {
        compressionType: 0,
        gpuDirectRDMACapable: 0,
        usage: 0,
        reserved: [0; 4],
    };
    sys::CUmemAllocationProp {
        type_: sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
        requestedHandleTypes: sys::CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
        location: sys::CUmemLocation { type_, id: card },
        win32HandleMetaData: std::ptr::null_mut(),
        allocFlags: flags,
    }
}
