//! Rounds of contractions.
use super::complex::Complex;
use super::near::Near;
use crate::simplify::contract::NONE;
use crate::simplify::contract::apply::{
    APART, CANCELLED, CONTRACTED, COUNTS, ContractPairs, MERGED, MutableArguments, WinnersArguments,
};
use crate::simplify::contract::choose::{ClaimEnds, FlagWinners, ListEdges, ListLosses, SpreadRanks};
use crate::simplify::contract::price::{PAIRS, PricePairs};
use crate::simplify::host::report::{Contractions, Round};
use ribbonmesh::array::Groups;
use ribbonmesh::device::{Quad, tiles};
use ribbonmesh::{Buffer, Error, FlatTopology, Result, array};

/// Bits of a positive float.
const COST_BITS: u32 = 32;

/// All pairs of a round, with their costs.
struct Priced {
    pairs: Buffer<[u32; 2]>,
    /// Number of edges; they come first.
    edges: u32,
    places: Buffer<Quad>,
    /// The pairs by cost.
    order: Buffer<u32>,
}

impl Complex {
    /// Makes rounds until there are no more faces than `target`, which is not 0; at least one. `share`:
    /// greatest number of pairs in a round, as a part of the number of faces. `turn`: cosine of the angle by
    /// which a face should turn at most. Waits.
    pub fn contract(&mut self, target: u32, share: f32, turn: f32, report: &mut Contractions) -> Result<()> {
        while self.len() > target {
            let faces = self.len();
            let round = self.round(target, share, turn)?;
            if self.len() >= faces && round.contracted == 0 {
                return Err(Error::Invalid("contraction of pairs does not end".into()));
            }
            report.add(round);
        }
        Ok(())
    }
    fn round(&mut self, target: u32, share: f32, turn: f32) -> Result<Round> {
        let (device, f) = (self.faces.device().clone(), self.len());
        let corners = array::group_by(&self.faces, self.x.len() as u32)?;
        let priced = self.price(&corners, turn)?;
        let mut round = Round { faces: f.into(), pairs: priced.pairs.len() as u64, ..Round::default() };
        let count = ((share * f as f32).ceil() as u32).clamp(1, priced.order.len() as u32);
        let winners = self.winners(&corners, &priced, count)?;
        let mut losses = device.unspecified::<u32>(winners.len())?;
        let list = ListLosses {
            winners: winners.view(),
            order: priced.order.view(),
            places: priced.places.view(),
            losses: losses.view_mut(),
        };
        device.launch(tiles(winners.len() as u32), list)?;
        let total = array::exclusive_scan(&mut losses)?;
        let room = f - target;
        if total >= f && gone(&losses.read()?, room, total) >= f {
            round.cancelled = u64::from(f) - 1;
            round.contracted = 1;
            self.keep_largest()?;
            return Ok(round);
        }
        let mut kept = device.unspecified::<u32>(f as usize)?;
        array::fill(&mut kept, 1)?;
        let mut counts = device.zeros::<u32>(COUNTS as usize)?;
        let contract = ContractPairs {
            s: WinnersArguments {
                pairs: priced.pairs.view(),
                edges: priced.edges,
                places: priced.places.view(),
                order: priced.order.view(),
                winners: winners.view(),
                before: losses.view(),
                room,
            },
            corners: corners.view(),
            m: MutableArguments {
                x: self.x.view_mut(),
                quadrics: self.quadrics.view_mut(),
                kinds: self.kinds.view_mut(),
                inputs: self.inputs.view_mut(),
                faces: self.faces.view_mut(),
                kept: kept.view_mut(),
                counts: counts.view_mut(),
            },
        };
        device.launch(tiles(winners.len() as u32), contract)?;
        let counts = counts.read()?;
        round.contracted = counts[CONTRACTED as usize].into();
        round.apart = counts[APART as usize].into();
        round.cancelled = counts[CANCELLED as usize].into();
        round.merged = counts[MERGED as usize].into();
        self.keep(&kept)?;
        Ok(round)
    }
    /// Lists all edges and the pairs that are near each other, in the order of their costs.
    fn price(&self, corners: &Groups, turn: f32) -> Result<Priced> {
        let device = self.faces.device();
        let topology = FlatTopology::from_buffer(self.x.len(), self.faces.try_clone()?)?;
        let ends = topology.number_edges()?.ends;
        let near = Near::new(self, corners)?;
        let edges = ends.len() as u32;
        let n = edges + near.count;
        let mut pairs = device.unspecified::<[u32; 2]>(n as usize)?;
        device.launch(tiles(edges), ListEdges { ends: ends.view(), pairs: pairs.view_mut() })?;
        near.list(self, corners, edges, &mut pairs)?;
        let mut costs = device.unspecified::<u32>(n as usize)?;
        let mut places = device.unspecified::<Quad>(n as usize)?;
        let price = PricePairs {
            s: self.view(corners),
            pairs: pairs.view(),
            kinds: self.kinds.view(),
            turn,
            costs: costs.view_mut(),
            places: places.view_mut(),
        };
        device.launch(n.div_ceil(PAIRS), price)?;
        let order = array::order_of(&costs, COST_BITS)?;
        Ok(Priced { pairs, edges, places, order })
    }
    /// The pairs among the first `count` that come first around their ends, as indices into the order,
    /// ascending. The very first pair is always one of them. Waits.
    fn winners(&self, corners: &Groups, priced: &Priced, count: u32) -> Result<Buffer<u32>> {
        let (device, n) = (self.faces.device(), self.x.len());
        let mut least = device.unspecified::<u32>(n)?;
        array::fill(&mut least, NONE)?;
        let (pairs, order) = (priced.pairs.view(), priced.order.view());
        device.launch(tiles(count), ClaimEnds { pairs, order, count, least: least.view_mut() })?;
        let mut near = device.unspecified::<u32>(n)?;
        let spread = SpreadRanks {
            faces: self.faces.view(),
            corners: corners.view(),
            least: least.view(),
            near: near.view_mut(),
        };
        device.launch(tiles(n as u32), spread)?;
        let mut flags = device.unspecified::<u32>(count as usize)?;
        let near = near.view();
        device.launch(tiles(count), FlagWinners { pairs, order, near, flags: flags.view_mut() })?;
        array::select(&flags)
    }
    /// Keeps one face: the largest; of several, the first.
    fn keep_largest(&mut self) -> Result<()> {
        let (faces, x) = (self.faces.read()?, self.x.read()?);
        let area = |face: &[u32; 3]| {
            let [a, b, c] = face.map(|v| x[v as usize].as_dvec3());
            (b - a).cross(c - a).length_squared()
        };
        let areas = faces.as_chunks::<3>().0.iter().map(area);
        let largest =
            areas.enumerate().fold((0, -1.0), |most, (i, a)| if a > most.1 { (i, a) } else { most });
        let mut kept = vec![0_u32; faces.len() / 3];
        kept[largest.0] = 1;
        self.keep(&self.faces.device().upload(&kept)?)
    }
}

/// Number of faces that are removed by the winners that begin within the room. `before`: number of faces that
/// the winners before each winner remove; `total`: the number that all remove.
fn gone(before: &[u32], room: u32, total: u32) -> u32 {
    let begin = before.partition_point(|gone| *gone < room);
    before.get(begin).copied().unwrap_or(total)
}
