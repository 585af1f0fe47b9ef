//! Collecting, sorting and marking the pairs that kernels find in any order.
use crate::intersections::find::Intersections;
use crate::intersections::kernels::{AGAIN, FEW, SortFewPairs, SplitPairs, TakeKeys};
use crate::intersections::parts::FoundArguments;
use ribbonmesh::{Buffer, Device, Error, Result, array};

/// Bytes on the device for each pair: the number that is sorted, its copy in sorting, the pair.
const BYTES_PER_PAIR: u64 = 8 + 8 + 8;

/// Numbers of faces from which the first and the second faces of pairs come.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// Of the first mesh, or the only one.
    pub first: u32,
    /// Of the second mesh, or again the only one.
    pub second: u32,
}
impl Wanted {
    /// The number of bits of the faces' numbers.
    fn bits(self) -> [u32; 2] {
        [self.first, self.second].map(|n| u32::BITS - n.saturating_sub(1).leading_zeros())
    }
}

/// Marks of the faces that intersect.
pub struct Marks {
    of_first: Buffer<u32>,
    of_second: Buffer<u32>,
}
impl Marks {
    /// None, of one mesh or of two.
    /// # Errors
    /// Out of memory.
    pub fn new(device: &Device, first: u32, second: Option<u32>) -> Result<Self> {
        Ok(Self {
            of_first: device.zeros(first as usize)?,
            of_second: device.zeros(second.unwrap_or(0) as usize)?,
        })
    }
    /// Together with the pairs; no pairs if a search had none.
    /// # Errors
    /// Out of memory.
    pub fn with(self, pairs: Option<Buffer<[u32; 2]>>) -> Result<Intersections> {
        let pairs = match pairs {
            Some(pairs) => pairs,
            None => self.of_first.device().zeros(0)?,
        };
        Ok(Intersections { pairs, marks: self.of_first, marks_of_second: self.of_second })
    }
}

/// Output of a search.
pub struct Room<'a> {
    keys: Buffer<u64>,
    count: Buffer<u64>,
    shift: u32,
    marks: &'a mut Marks,
}
impl Room<'_> {
    /// The output for kernels; each launch of a search gets it anew.
    pub fn found(&mut self) -> FoundArguments<'_> {
        FoundArguments {
            pairs: self.keys.view_mut(),
            count: self.count.view_mut(),
            shift: self.shift,
            marks: self.marks.of_first.view_mut(),
            others: self.marks.of_second.view_mut(),
        }
    }
}

/// The pairs that `search` finds, ascending; `None` if it returns false. It searches again where there was no
/// room for all, or where the count has become 2⁶³ or more. Waits.
/// # Errors
/// [`Error::TooMany`] for more pairs than 32 bits count; [`Error::WouldNotFit`]; those of `search`; out of
/// memory; errors of the driver.
pub fn collect(
    device: &Device,
    wanted: Wanted,
    marks: &mut Marks,
    mut search: impl FnMut(&mut Room<'_>) -> Result<bool>,
) -> Result<Option<Buffer<[u32; 2]>>> {
    let [_, shift] = wanted.bits();
    let mut len = FEW.max(wanted.first / 2) as usize;
    loop {
        let (keys, count) = (device.unspecified::<u64>(len)?, device.zeros::<u64>(1)?);
        let mut room = Room { keys, count, shift, marks };
        if !search(&mut room)? {
            return Ok(None);
        }
        let Room { keys, count, .. } = room;
        let (count, what) = (count.read()?[0], "pairs of faces that intersect");
        if count >= AGAIN {
            continue;
        }
        if count <= len as u64 {
            return sorted(device, keys, count as u32, wanted).map(Some);
        }
        let limit = u64::from(u32::MAX);
        if count > limit {
            return Err(Error::TooMany { what, count, limit });
        }
        drop(keys);
        device.check_room(count, what, BYTES_PER_PAIR * count)?;
        len = count as usize;
    }
}

/// Sorts the first `n` numbers, and splits each into two faces.
fn sorted(device: &Device, mut keys: Buffer<u64>, n: u32, wanted: Wanted) -> Result<Buffer<[u32; 2]>> {
    let [first, shift] = wanted.bits();
    let mut pairs = device.unspecified::<[u32; 2]>(n as usize)?;
    if n == 0 {
        return Ok(pairs);
    }
    if n <= FEW {
        device.launch(1, SortFewPairs { keys: keys.view(), n, shift, pairs: pairs.view_mut() })?;
        return Ok(pairs);
    }
    if keys.len() != n as usize {
        let mut taken = device.unspecified::<u64>(n as usize)?;
        device.launch_each(n, TakeKeys { keys: keys.view(), taken: taken.view_mut() })?;
        keys = taken;
    }
    array::sort(&mut keys, (first + shift).max(1))?;
    device.launch_each(n, SplitPairs { keys: keys.view(), shift, pairs: pairs.view_mut() })?;
    Ok(pairs)
}
