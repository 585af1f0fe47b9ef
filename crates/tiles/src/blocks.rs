//! The vertices of a level in blocks that fit into memory.
use crate::level::{Level, Sizes};
use crate::spill::{Spill, starts};
use crate::{Result, disk};
use glam::Vec3;

/// Vertices that are in memory at the same time, by their numbers; and the faces by the block of their first
/// corner.
pub struct Blocks<'l> {
    level: &'l Level,
    sizes: Sizes,
    /// Vertices of a block.
    size: u32,
    /// Number of faces of each block.
    counts: Vec<u64>,
}
impl<'l> Blocks<'l> {
    /// Of at most so many vertices each. Where there are several, all faces are written once more, through
    /// buffers of `bytes`.
    pub fn new(level: &'l Level, sizes: Sizes, most: u64, bytes: u64) -> Result<Self> {
        let size = most.clamp(1, u32::MAX.into()) as u32;
        let mut counts = vec![0; sizes.vertices.div_ceil(size.into()) as usize];
        let block = |face: &[u32; 3]| (face[0] / size) as usize;
        if let [all] = &mut *counts {
            *all = sizes.faces;
        } else {
            disk::each_piece(&level.faces(), [0, sizes.faces], |faces: &[[u32; 3]]| {
                faces.iter().for_each(|face| counts[block(face)] += 1);
                Ok(())
            })?;
            let mut spill = Spill::create(level.blocks(), &counts, bytes)?;
            disk::each_piece(&level.faces(), [0, sizes.faces], |faces: &[[u32; 3]]| {
                faces.iter().try_for_each(|&face| spill.add(block(&face), face))
            })?;
            spill.finish()?;
        }
        Ok(Self { level, sizes, size, counts })
    }
    /// Gives each face with the position of its first corner, block by block.
    pub fn each_face(&self, mut visit: impl FnMut([u32; 3], Vec3) -> Result<()>) -> Result<()> {
        let file = if self.counts.len() > 1 { self.level.blocks() } else { self.level.faces() };
        for (block, (first_face, &faces)) in starts(&self.counts).into_iter().zip(&self.counts).enumerate() {
            let first = block as u64 * u64::from(self.size);
            let count = (self.sizes.vertices - first).min(self.size.into()) as usize;
            let x: Vec<Vec3> = disk::read(&self.level.vertices(), first, count)?;
            disk::each_piece(&file, [first_face, faces], |faces: &[[u32; 3]]| {
                faces.iter().try_for_each(|&face| visit(face, x[(u64::from(face[0]) - first) as usize]))
            })?;
        }
        Ok(())
    }
}
