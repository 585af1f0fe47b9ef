//! Groups of rows with about equally many entries.
use super::error::Result;
use crate::Entry;
use crate::device::multiply::capacity;
use ribbonmesh::{Buffer, Device};

/// Arguments of the blocks of a balanced product.
pub(crate) struct Balanced {
    /// For each block `[first row, rows, first entry, end]`; for a piece of a long row
    /// `[piece, 0, first entry, end]`.
    pub items: Buffer<[u32; 4]>,
    /// For each long row `[row, first piece, pieces, 0]`.
    pub long: Buffer<[u32; 4]>,
    /// The number of pieces.
    pub pieces: usize,
}
impl Balanced {
    /// The items of CSR with entries of type `E`.
    pub fn new<E: Entry>(device: &Device, starts: &[u32]) -> Result<Self> {
        let (items, long, pieces) = items(starts, capacity::<E::Element>());
        Ok(Self { items: device.upload(&items)?, long: device.upload(&long)?, pieces: pieces as usize })
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> usize {
        self.items.bytes() + self.long.bytes()
    }
}

/// Items of at most `capacity` entries and as many rows, long rows, and the number of their pieces.
fn items(starts: &[u32], capacity: u32) -> (Vec<[u32; 4]>, Vec<[u32; 4]>, u32) {
    let (mut items, mut long, mut pieces) = (vec![], vec![], 0);
    let rows = starts.len() as u32 - 1;
    let mut row = 0;
    while row < rows {
        let begin = starts[row as usize];
        let mut end = row;
        while end < rows && starts[end as usize + 1] - begin <= capacity && end - row < capacity {
            end += 1;
        }
        if end > row {
            items.push([row, end - row, begin, starts[end as usize]]);
            row = end;
            continue;
        }
        let last = starts[row as usize + 1];
        let count = (last - begin).div_ceil(capacity);
        long.push([row, pieces, count, 0]);
        for k in 0..count {
            let from = begin + k * capacity;
            items.push([pieces + k, 0, from, last.min(from.saturating_add(capacity))]);
        }
        pieces += count;
        row += 1;
    }
    (items, long, pieces)
}

#[cfg(test)]
mod tests {
    use super::items;

    #[test]
    fn every_entry_is_in_one_item() {
        // no rows; empty rows; short ones; a long row between; a row that just fits
        for lengths in [vec![], vec![0; 700], vec![3, 0, 5, 1000, 2, 256, 0, 257, 1], vec![1; 600]] {
            let mut starts = vec![0];
            starts.extend(lengths.iter().scan(0, |sum, n| {
                *sum += n;
                Some(*sum)
            }));
            let (items, long, pieces) = items(&starts, 256);
            let (mut entry, mut rows, mut piece) = (0, 0, 0);
            for [first, count, begin, end] in items {
                assert_eq!(begin, entry);
                assert!(end - begin <= 256 && count <= 256);
                entry = end;
                if count == 0 {
                    assert_eq!(first, piece);
                    piece += 1;
                } else {
                    // long rows between have no item of rows
                    rows += count;
                    assert_eq!((begin, end), (starts[first as usize], starts[(first + count) as usize]));
                }
            }
            assert_eq!((entry, piece), (starts[lengths.len()], pieces));
            assert_eq!(rows as usize + long.len(), lengths.len());
            let cut: Vec<usize> = (0..lengths.len()).filter(|&row| lengths[row] > 256).collect();
            assert_eq!(long.iter().map(|of| of[0] as usize).collect::<Vec<_>>(), cut);
        }
    }
}
