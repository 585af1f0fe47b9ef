//! Which holes are joined.
use crate::Holes;
use crate::kernels::cells::{CellsArguments, CountNear, ListNear, LoopsArguments, NumberCells};
use crate::kernels::pairs::{PairHoles, PairsArguments, SplitPairs};
use crate::sides::bits;
use ribbonmesh::array::{self, Groups};
use ribbonmesh::device::{GridArgument, tiles};
use ribbonmesh::{Buffer, Error};

/// Pairs of near holes, by ascending scores; of equal scores by their numbers.
pub(crate) struct Near {
    holes: Buffer<[u32; 2]>,
    scores: Buffer<u64>,
}
impl Near {
    pub fn view(&self) -> PairsArguments<'_> {
        PairsArguments { holes: self.holes.view(), scores: self.scores.view() }
    }
}

/// The vertices of holes by the cells of a grid.
struct Cells {
    side: f64,
    reach: f64,
    groups: Groups,
}
impl Cells {
    fn view(&self) -> CellsArguments<'_> {
        CellsArguments { side: self.side, reach: self.reach, groups: self.groups.view() }
    }
}

impl Holes<'_> {
    pub(crate) fn loops(&self) -> LoopsArguments<'_> {
        LoopsArguments {
            starts: self.starts.view(),
            order: self.order.view(),
            holes: self.of.view(),
            positions: self.sides.mesh.positions.view(),
        }
    }
    /// The pairs of holes that have vertices near each other.
    pub(crate) fn near(&self, distance: f32) -> Result<Near, Error> {
        let (device, n) = (self.sides.mesh.device(), self.order.len() as u32);
        let side = f64::from(distance) * (1.0 + 1e-6);
        let numbers_of_cells = 2 * n.clamp(1, 1 << 29).next_power_of_two();
        let mut numbers = device.unspecified::<u32>(n as usize)?;
        let (mask, to) = (numbers_of_cells - 1, numbers.view_mut());
        device.launch_each(n, NumberCells { loops: self.loops(), side, mask, numbers: to })?;
        let groups = array::group_by(&numbers, numbers_of_cells)?;
        let cells = Cells { side, reach: f64::from(distance) * f64::from(distance), groups };
        let mut firsts = device.unspecified::<u32>(n as usize)?;
        let count = CountNear { loops: self.loops(), cells: cells.view(), counts: firsts.view_mut() };
        device.launch_each(n, count)?;
        let total = array::exclusive_scan(&mut firsts)? as usize;
        let (bits, vertices) = (bits(self.len() as usize), bits(n as usize));
        let mut pairs = device.unspecified::<u64>(total)?;
        let mut counts = device.unspecified::<u32>(total)?;
        let list = ListNear {
            loops: self.loops(),
            cells: cells.view(),
            bits,
            firsts: firsts.view(),
            pairs: pairs.view_mut(),
            counts: counts.view_mut(),
        };
        device.launch_each(n, list)?;
        array::sort_pairs(&mut pairs, &mut counts, 2 * bits)?;
        let found = array::sum_by_key(&pairs, &counts)?;
        let (mut scores, count) = (found.sums, found.keys.len() as u32);
        let mut order = array::count_up(device, count)?;
        // a score is at most the number of pairs of vertices
        array::sort_pairs(&mut scores, &mut order, (2 * vertices).min(64))?;
        let keys = array::gather(&found.keys, &order)?;
        let mut holes = device.unspecified::<[u32; 2]>(count as usize)?;
        device.launch_each(count, SplitPairs { keys: keys.view(), bits, holes: holes.view_mut() })?;
        Ok(Near { holes, scores })
    }
    /// For each hole 1 plus the number of its pair, or 0.
    pub(crate) fn pair(&self, near: &Near, share: f32) -> Result<Buffer<u32>, Error> {
        let device = self.sides.mesh.device();
        let mut guesses = device.unspecified::<u32>(self.len() as usize)?;
        let mut chosen = device.zeros::<u32>(self.len() as usize)?;
        let mut taken = device.zeros::<u32>(1)?;
        let pair = PairHoles {
            grid: GridArgument::default(),
            pairs: near.view(),
            starts: self.starts.view(),
            share,
            guesses: guesses.view_mut(),
            chosen: chosen.view_mut(),
            taken: taken.view_mut(),
        };
        let blocks = tiles(near.scores.len() as u32).min(device.multiprocessors());
        device.launch_resident(blocks, pair)?;
        Ok(chosen)
    }
}
