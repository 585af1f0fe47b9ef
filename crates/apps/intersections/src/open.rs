//! Pairs of faces whose boxes meet and that single precision leaves open.
use crate::find::Triangles;
use crate::kernels::{Decide, FoundArguments, OpenArguments, TRIANGLES};
use ribbonmesh::{Buffer, Device, Error, Result};

/// Room for pairs, for each face: in a plane, about nine faces that follow after a face meet its box.
const EACH: u32 = 12;
/// Most blocks that decide.
const BLOCKS: u32 = 4096;

/// In what order the faces of a pair are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As they were found.
    Same,
    /// The second one first.
    Turned,
    /// The lesser one first.
    Ascending,
}

/// Room for open pairs, and how many there were.
pub struct OpenPairs {
    pairs: Buffer<[u32; 2]>,
    count: Buffer<u64>,
    /// Whether a search has used it.
    used: bool,
}
impl OpenPairs {
    /// Room for [`EACH`] pairs for each of `n` faces.
    pub fn new(device: &Device, n: u32) -> Result<Self> {
        let room = n.saturating_mul(EACH) as usize;
        Ok(Self { pairs: device.unspecified(room)?, count: device.zeros(1)?, used: false })
    }
    /// An empty list. If a search has counted more pairs than there is room for, the room becomes larger; waits then.
    pub fn begin(&mut self) -> Result<OpenArguments<'_>> {
        if self.used {
            let device = self.pairs.device().clone();
            let count = self.count.read()?[0];
            if count > self.pairs.len() as u64 {
                let (what, limit) = ("pairs of faces near each other", u64::from(u32::MAX));
                if count > limit {
                    return Err(Error::TooMany { what, count, limit });
                }
                self.pairs = device.zeros(0)?;
                device.check_room(count, what, 8 * count)?;
                self.pairs = device.unspecified(count as usize)?;
            }
            self.count = device.zeros(1)?;
        }
        self.used = true;
        Ok(OpenArguments { pairs: self.pairs.view_mut(), count: self.count.view_mut() })
    }
    /// Finds which pairs intersect, of a face of the first and one of the second of `of`. Does not wait.
    pub fn decide(&self, of: [Triangles<'_>; 2], order: Order, found: FoundArguments<'_>) -> Result<()> {
        let [first, second] = [of[0].view(), of[1].view()];
        let order = order as u32;
        let (open, count) = (self.pairs.view(), self.count.view());
        let blocks = (self.pairs.len() as u32).div_ceil(TRIANGLES).min(BLOCKS);
        self.pairs.device().launch(blocks, Decide { first, second, open, count, order, found })
    }
}
