//! Several cards that are one device: their streams, the order of their work, and their memory.
use super::super::cards::{Cards, Order, Sharing, Streams, eighths, owner, pieces};
use super::range::{Range, Ranges};
use super::{failed, lock};
use crate::{Error, Result};
use cudarc::driver::{CudaContext, CudaEvent, CudaStream, DriverError, result, sys};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};

/// The cards of a device. The first one has the status record, all small buffers, and all copies between
/// host and device.
pub struct Group {
    pub cards: Vec<Card>,
    order: Mutex<Order>,
    ranges: Mutex<Ranges>,
    least_blocks: u32,
    least_bytes: u64,
    /// Whether other libraries have the first card's stream, and may give it work at any time.
    foreign: AtomicBool,
    shared: AtomicU64,
    small: AtomicU64,
    pub texts: AtomicU64,
}

/// One of several cards.
pub struct Card {
    pub context: Arc<CudaContext>,
    pub stream: Arc<CudaStream>,
    /// Recorded when others are to wait for the stream; recorded again the next time. A wait is for what it
    /// was recorded for when the wait was queued.
    done: CudaEvent,
}
impl Card {
    /// A card with a stream of its own.
    pub fn new(context: Arc<CudaContext>, stream: Arc<CudaStream>) -> std::result::Result<Self, DriverError> {
        let done = context.new_event(None)?;
        Ok(Self { context, stream, done })
    }
}

/// The right to queue work: no other thread's comes in between.
pub type Turn<'g> = MutexGuard<'g, Order>;

struct OfCards<'g>(&'g [Card]);
impl Streams for OfCards<'_> {
    type Error = DriverError;
    fn mark(&mut self, card: usize) -> std::result::Result<(), DriverError> {
        let card = &self.0[card];
        card.done.record(&card.stream)
    }
    fn wait(&mut self, card: usize, other: usize) -> std::result::Result<(), DriverError> {
        let (card, other) = (&self.0[card], &self.0[other]);
        card.context.bind_to_thread()?;
        let (stream, event) = (card.stream.cu_stream(), other.done.cu_event());
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: a stream and an event of the group; the driver keeps what the event was recorded for.
        unsafe { result::stream::wait_event(stream, event, flags) }
    }
}

impl Group {
    /// The cards with these ordinals, the first of which is open. Refused by name if they cannot use each
    /// other's memory.
    pub fn new(cards: Vec<Card>, of: &Cards) -> Result<Self> {
        let ordinals: Vec<usize> = cards.iter().map(|card| card.context.ordinal()).collect();
        for (i, card) in cards.iter().enumerate() {
            let others = cards[..i].iter().filter(|other| other.context.ordinal() != card.context.ordinal());
            others.into_iter().try_for_each(|other| check(other, card).and_then(|()| check(card, other)))?;
        }
        let doing = || failed("to map memory of several cards");
        let first = &cards[0];
        first.context.bind_to_thread().map_err(doing())?;
        let ranges = Ranges::new(&ordinals).map_err(doing())?;
        // SAFETY: the device of a context.
        let pool = unsafe { result::device::get_default_mem_pool(first.context.cu_device()) };
        pool.and_then(|pool| ranges.open_pool(pool, ordinals[0])).map_err(doing())?;
        let (order, foreign) = (Mutex::new(Order::new(cards.len())), AtomicBool::new(false));
        let [shared, small, texts] = [(); 3].map(|()| AtomicU64::new(0));
        let (least_blocks, least_bytes) = (of.least_blocks.max(1), of.least_bytes);
        let ranges = Mutex::new(ranges);
        Ok(Self { cards, order, ranges, least_blocks, least_bytes, foreign, shared, small, texts })
    }
    /// How launches were shared so far.
    pub fn sharing(&self) -> Sharing {
        let [shared, small, texts] =
            [&self.shared, &self.small, &self.texts].map(|count| count.load(Relaxed));
        Sharing { cards: self.cards.len(), shared, small, texts }
    }
    /// Whether blocks of all cards can wait for each other: one GPU that plays several may not have room for
    /// them.
    pub fn waits_across(&self) -> bool {
        self.cards[1..].iter().all(|card| card.context.ordinal() != self.cards[0].context.ordinal())
    }
    /// Bytes of a buffer from which on each card has parts of it.
    pub fn least_bytes(&self) -> usize {
        self.least_bytes as usize
    }
    /// Whether all cards run a launch of so many blocks.
    pub fn is_enough(&self, blocks: u32) -> bool {
        blocks >= self.least_blocks
    }
    /// The same; counts the launch.
    pub fn shares(&self, blocks: u32) -> bool {
        let shares = self.is_enough(blocks);
        if shares { &self.shared } else { &self.small }.fetch_add(1, Relaxed);
        shares
    }
    /// Before work on the first card's stream, while the result lives.
    pub fn alone(&self) -> std::result::Result<Turn<'_>, DriverError> {
        let mut order = lock(&self.order);
        order.alone(&mut OfCards(&self.cards))?;
        self.cards[0].context.bind_to_thread()?;
        Ok(order)
    }
    /// Work on all cards: `work` queues that of each. A card's context is current during its work.
    pub fn together(
        &self,
        mut work: impl FnMut(usize, &Card) -> std::result::Result<(), DriverError>,
    ) -> std::result::Result<(), DriverError> {
        let mut order = lock(&self.order);
        order.together(&mut OfCards(&self.cards))?;
        for (i, card) in self.cards.iter().enumerate() {
            card.context.bind_to_thread()?;
            work(i, card)?;
        }
        if self.foreign.load(Relaxed) {
            // work that others give the first card's stream later is in order, too
            order.alone(&mut OfCards(&self.cards))?;
        }
        Ok(())
    }
    /// From now on others may give the first card's stream work at any time.
    pub fn open_to_others(&self) -> std::result::Result<(), DriverError> {
        self.foreign.store(true, Relaxed);
        self.alone().map(drop)
    }
    /// Waits for all work.
    pub fn synchronize(&self) -> std::result::Result<(), DriverError> {
        drop(self.alone()?);
        self.cards[0].stream.synchronize()
    }

    /// Memory with parts on each card, equal ones of the `used` bytes and of the rest; `None` for so few
    /// bytes that the first card has them all.
    pub fn alloc(&self, bytes: usize, used: usize) -> std::result::Result<Option<Range>, DriverError> {
        if (bytes as u64) < self.least_bytes {
            return Ok(None);
        }
        self.cards[0].context.bind_to_thread()?;
        let used = eighths(used, bytes);
        let taken = lock(&self.ranges).take(bytes as u64, used);
        match taken {
            Err(e) if e.0 == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY && self.release()? => {
                lock(&self.ranges).take(bytes as u64, used).map(Some)
            }
            taken => taken.map(Some),
        }
    }
    /// Frees the ranges that no buffer has; whether there were any.
    pub fn release(&self) -> std::result::Result<bool, DriverError> {
        self.synchronize()?;
        Ok(lock(&self.ranges).release())
    }
    pub fn give_back(&self, range: Range) {
        lock(&self.ranges).give_back(range);
    }
    /// Bytes that the ranges which no buffer has keep.
    pub fn kept(&self) -> u64 {
        lock(&self.ranges).kept()
    }
    /// Sets bytes of a range to zero, those of each card by itself.
    pub fn zero(&self, range: &Range, bytes: usize) -> std::result::Result<(), DriverError> {
        self.on_own_parts(range, bytes as u64, |at, len, stream| {
            // SAFETY: bytes of the range, used in the order of the group's work alone.
            unsafe { result::memset_d8_async(range.address + at, 0, len, stream) }
        })
    }
    /// Copies bytes to a range, those of each card by itself; `from` may be on several cards, too.
    pub fn copy(
        &self,
        (from, parts): (u64, Option<&[u64]>),
        to: &Range,
        bytes: usize,
    ) -> std::result::Result<(), DriverError> {
        self.on_own_parts(to, bytes as u64, |at, len, stream| {
            let whole = [0, bytes as u64];
            for (_, piece) in pieces(parts.unwrap_or(&whole), at..at + len as u64) {
                let len = (piece.end - piece.start) as usize;
                // SAFETY: as in `zero`, for both; the caller's bytes of `from`.
                unsafe {
                    result::memcpy_dtod_async(to.address + piece.start, from + piece.start, len, stream)?
                }
            }
            Ok(())
        })
    }
    /// Calls `work` with the places and lengths of each card's parts of a range, and its stream.
    fn on_own_parts(
        &self,
        range: &Range,
        bytes: u64,
        work: impl Fn(u64, usize, sys::CUstream) -> std::result::Result<(), DriverError>,
    ) -> std::result::Result<(), DriverError> {
        self.together(|i, card| {
            let own = |(part, _): &(usize, _)| owner(*part, self.cards.len()) == i;
            pieces(&range.bounds, 0..bytes).filter(own).try_for_each(|(_, piece)| {
                work(piece.start, (piece.end - piece.start) as usize, card.stream.cu_stream())
            })
        })
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // what fails here leaves the memory allocated
        let _ = self.release();
    }
}

/// Whether a card can be the same device as another, whose memory it is to use.
fn check(card: &Card, other: &Card) -> Result<()> {
    use sys::CUdevice_P2PAttribute as Between;
    use sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED as MAPS;
    let name = |card: &Card| -> Result<String> {
        let name = card.context.name().map_err(failed("to ask for the name of a device"))?;
        Ok(format!("CUDA:{} {name}", card.context.ordinal()))
    };
    let refuse = |why| Err(Error::CardsApart { first: name(card)?, second: name(other)?, why });
    let doing = || failed("to ask what two cards can do together");
    let chip = |card: &Card| card.context.compute_capability().map_err(doing());
    let has = |attribute| card.context.attribute(attribute).map_err(doing());
    if chip(card)? != chip(other)? {
        return refuse("they are of different kinds, so their results may have different bits");
    }
    use sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED as POOLS;
    if has(MAPS)? == 0 || has(POOLS)? == 0 {
        return refuse("the driver cannot map memory of the first for others");
    }
    let between = |attribute| {
        let (mut value, devices) = (0, [card, other].map(|card| card.context.cu_device()));
        // SAFETY: writes one number; two devices of contexts.
        let code = unsafe { sys::cuDeviceGetP2PAttribute(&mut value, attribute, devices[0], devices[1]) };
        code.result().map(|()| value != 0).map_err(doing())
    };
    if !between(Between::CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED)? {
        return refuse("the first cannot use the memory of the second (no peer access)");
    }
    if !between(Between::CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED)? {
        return refuse("the first has no atomic operations on the memory of the second");
    }
    Ok(())
}
