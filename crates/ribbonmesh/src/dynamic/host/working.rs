//! The memory of runs beside the mesh: claims, lists of candidates, records of cavities.
use super::mesh::Capacity;
use crate::device::{Pod, tiles};
use crate::dynamic::phases::NEEDS;
use crate::{Buffer, Device, Result};

/// One seed in this many is expected to be a candidate.
const SEEDS: usize = 4;
/// Up to this many seeds may all be candidates, without a second try.
const FEW_SEEDS: usize = 300_000;
/// Words of the records of the densest round, per face: where one edge in six is flipped at once, flips take
/// 7. Few faces have as many at once.
const DENSE: usize = 8;
/// The number that counts as few faces.
const FEW_FACES: usize = 200_000;
/// Words of records that a mesh without faces has.
const LEAST: usize = 4096;

/// The memory of rounds beside the mesh. Lists of candidates begin with room for as many as are
/// expected; a round that needs more says so, and is run again with the room that it needs.
pub struct Working {
    pub claims: Buffer<u64>,
    pub slots: Buffer<u64>,
    pub place: Buffer<u32>,
    pub needs: Buffer<u32>,
    pub even: Buffer<[u32; 2]>,
    pub odd: Buffer<[u32; 2]>,
    pub records: Buffer<u32>,
    /// Room at the beginning for candidates and for words of records, instead of what is expected.
    pub first: Option<[usize; 2]>,
}

/// Candidates and words of records that a mesh begins with.
fn expected(capacity: Capacity, words_per_face: usize) -> [usize; 2] {
    let (seeds, faces) = (capacity.seeds(), capacity.faces as usize);
    let words = (words_per_face * faces).max(DENSE * faces.min(FEW_FACES));
    [(seeds / SEEDS).max(seeds.min(FEW_SEEDS)), words + LEAST]
}

impl Working {
    pub fn none(device: &Device) -> Result<Self> {
        Ok(Self {
            claims: device.zeros(0)?,
            slots: device.zeros(0)?,
            place: device.zeros(0)?,
            needs: device.zeros(0)?,
            even: device.zeros(0)?,
            odd: device.zeros(0)?,
            records: device.zeros(0)?,
            first: None,
        })
    }
    /// Bytes for a mesh of this capacity at least.
    pub fn bytes_of(capacity: Capacity, words_per_face: usize) -> u64 {
        let [candidates, words] = expected(capacity, words_per_face);
        let each = 8 * capacity.faces as usize + 4 * capacity.seeds() + 16 * capacity.vertices as usize;
        (each + 16 * candidates + 4 * words) as u64
    }
    /// Room for what is there for each element, of zeros where it is new: between two rounds.
    pub fn hold_tables(&mut self, device: &Device, ids: [u32; 3], capacity: Capacity) -> Result<()> {
        let faces = capacity.faces as usize;
        at_least(device, &mut self.claims, ids[2] as usize, faces)?;
        // which claims meet depends on the number of slots, so it is that of the capacity
        let slots = (2 * capacity.vertices as usize).next_power_of_two();
        if self.slots.len() != slots {
            self.slots = device.zeros(0)?;
        }
        at_least(device, &mut self.slots, 2 * ids[0] as usize, slots)?;
        let (used, seeds) = (ids.into_iter().max().unwrap_or(0), capacity.seeds());
        at_least(device, &mut self.place, used as usize, seeds)?;
        let words = NEEDS as usize * device.cards_of(u32::MAX) as usize * tiles(seeds as u32) as usize;
        let words = device.on_all_cards::<u32>(words);
        at_least(device, &mut self.needs, words, words)
    }
    /// Room for candidates and records with which a run begins.
    pub fn hold_lists(&mut self, device: &Device, capacity: Capacity, words_per_face: usize) -> Result<()> {
        let [candidates, words] = self.first.unwrap_or_else(|| expected(capacity, words_per_face));
        self.hold_candidates(device, candidates)?;
        self.hold_records(device, words)
    }
    /// Room for candidates of a round. The lists are empty then.
    pub fn hold_candidates(&mut self, device: &Device, candidates: usize) -> Result<()> {
        if self.even.len() < candidates || self.odd.len() < candidates {
            // both go first
            (self.even, self.odd) = (device.zeros(0)?, device.zeros(0)?);
            (self.even, self.odd) = (device.unspecified(candidates)?, device.unspecified(candidates)?);
        }
        Ok(())
    }
    /// Room for records of a round. There are none then.
    pub fn hold_records(&mut self, device: &Device, words: usize) -> Result<()> {
        if self.records.len() < words {
            self.records = device.zeros(0)?;
            self.records = device.unspecified(words)?;
        }
        Ok(())
    }
    pub fn bytes(&self) -> usize {
        let words = self.place.bytes() + self.needs.bytes() + self.records.bytes();
        words + self.claims.bytes() + self.slots.bytes() + self.even.bytes() + self.odd.bytes()
    }
}

/// Makes a buffer at least so long, of zeros, with room behind the first `used`; what it had goes first.
fn at_least<T: Pod>(device: &Device, buffer: &mut Buffer<T>, used: usize, len: usize) -> Result<()> {
    if buffer.len() < len {
        *buffer = device.zeros(0)?;
        *buffer = device.zeros_with_room(used, len)?;
    }
    Ok(())
}
