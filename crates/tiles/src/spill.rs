//! Faces that are distributed to parts of a file.
use crate::Result;
use crate::disk::Placed;
use std::path::PathBuf;

/// A file of faces in parts of known lengths, with a buffer for each part.
pub struct Spill {
    out: Placed,
    /// Where the next face of each part goes when its buffer is written.
    next: Vec<u64>,
    buffers: Vec<Vec<[u32; 3]>>,
    most: usize,
}
impl Spill {
    /// Parts of so many faces; buffers of `bytes` altogether.
    pub fn create(path: PathBuf, counts: &[u64], bytes: u64) -> Result<Self> {
        let each = bytes as usize / counts.len().max(1) / size_of::<[u32; 3]>();
        Ok(Self {
            out: Placed::create(path)?,
            next: starts(counts),
            buffers: vec![vec![]; counts.len()],
            most: each.clamp(64, 1 << 16),
        })
    }
    /// Adds a face to a part.
    #[inline]
    pub fn add(&mut self, part: usize, face: [u32; 3]) -> Result<()> {
        if self.buffers[part].len() == self.most {
            self.write(part)?;
        }
        let buffer = &mut self.buffers[part];
        if buffer.capacity() == 0 {
            buffer.reserve_exact(self.most);
        }
        buffer.push(face);
        Ok(())
    }
    fn write(&mut self, part: usize) -> Result<()> {
        let buffer = &mut self.buffers[part];
        self.out.put(self.next[part], buffer)?;
        self.next[part] += buffer.len() as u64;
        buffer.clear();
        Ok(())
    }
    /// Writes what is left.
    pub fn finish(mut self) -> Result<()> {
        (0..self.buffers.len()).try_for_each(|part| self.write(part))
    }
}

/// Where parts of these lengths begin, one after the other.
pub fn starts(counts: &[u64]) -> Vec<u64> {
    let next = |sum: &mut u64, &count: &u64| {
        let start = *sum;
        *sum += count;
        Some(start)
    };
    counts.iter().scan(0, next).collect()
}
