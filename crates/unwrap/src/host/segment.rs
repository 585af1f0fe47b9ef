//! Charts by merging faces.
use crate::device::joints::{PairSides, RegionsArguments};
use crate::device::merge::{
    FlagBorders, FlagListed, KeySides, Limits, MeasureSides, MergePairs, OfferPairs, Relabel, StartRegions,
    SumsArguments,
};
use glam::{DVec3, DVec4};
use ribbonmesh::{Buffer, Device, FlatTopology, Result, array};

/// Rounds at most. Each merges a part of all regions; a few dozen end it.
const ROUNDS: u32 = 10_000;

/// For each corner, the corner on the other side of its edge, or [`NONE`](ribbonmesh::device::NONE): see
/// [`pair_sides`](crate::device::joints::pair_sides).
pub fn twins_of(topology: &FlatTopology) -> Result<Buffer<u32>> {
    let (device, corners) = (topology.device(), 3 * topology.faces());
    let mut twins = device.unspecified::<u32>(corners)?;
    let (faces, ring) = (topology.face_vertices().view(), topology.ring().view());
    device.launch_each(corners as u32, PairSides { faces, ring, twins: twins.view_mut() })?;
    Ok(twins)
}

/// The regions during the rounds.
struct Regions {
    labels: Buffer<u32>,
    normals: Buffer<DVec4>,
    borders: Buffer<f64>,
    counts: Buffer<u32>,
}
impl Regions {
    fn view<'a>(&'a self, twins: &'a Buffer<u32>) -> RegionsArguments<'a> {
        RegionsArguments { twins: twins.view(), labels: self.labels.view() }
    }
}
/// The sums of regions as an argument.
macro_rules! sums {
    ($regions:expr) => {
        SumsArguments {
            normals: $regions.normals.view_mut(),
            borders: $regions.borders.view_mut(),
            faces: $regions.counts.view_mut(),
        }
    };
}

/// Pairs of regions with a common border.
struct Pairs {
    keys: Buffer<u64>,
    counts: Buffer<u64>,
    lengths: Buffer<f64>,
}

/// Merges faces to regions until no two can be merged within the limits, and returns for each face a face
/// that stands for its region. Each region is a disk: two merge only where they have one piece of border in
/// common. Every round is a sort of the sides between regions, whose number falls with that of the regions.
/// Waits.
pub fn segments(
    topology: &FlatTopology,
    positions: &Buffer<DVec3>,
    twins: &Buffer<u32>,
    limits: Limits,
) -> Result<Buffer<u32>> {
    let (device, n) = (topology.device(), topology.faces());
    let faces = topology.face_vertices();
    let mut regions = Regions {
        labels: device.unspecified(n)?,
        normals: device.unspecified(n)?,
        borders: device.unspecified(n)?,
        counts: device.unspecified(n)?,
    };
    let start = StartRegions {
        faces: faces.view(),
        positions: positions.view(),
        labels: regions.labels.view_mut(),
        sums: sums!(regions),
    };
    device.launch_each(n as u32, start)?;
    let bits = (usize::BITS - n.leading_zeros()).max(1);
    let mut sides = borders(device, twins, &regions)?;
    let mut parents = array::count_up(device, n as u32)?;
    let mut best = device.unspecified::<u64>(n)?;
    for round in 0..ROUNDS {
        if sides.is_empty() {
            break;
        }
        let pairs = pairs(device, faces, positions, twins, &regions, &sides, bits)?;
        let limits = Limits { round, ..limits };
        if !merge(device, &mut regions, &pairs, &mut best, &mut parents, bits, limits)? {
            break;
        }
        let relabel = Relabel { parents: parents.view(), labels: regions.labels.view_mut() };
        device.launch_each(n as u32, relabel)?;
        sides = remaining(device, twins, &regions, &sides)?;
    }
    Ok(regions.labels)
}

/// The sides between regions, each edge once.
fn borders(device: &Device, twins: &Buffer<u32>, regions: &Regions) -> Result<Buffer<u32>> {
    let mut flags = device.unspecified::<u32>(twins.len())?;
    let kernel = FlagBorders { regions: regions.view(twins), flags: flags.view_mut() };
    device.launch_each(twins.len() as u32, kernel)?;
    array::select(&flags)
}
/// Those of some sides that are still between regions.
fn remaining(
    device: &Device,
    twins: &Buffer<u32>,
    regions: &Regions,
    sides: &Buffer<u32>,
) -> Result<Buffer<u32>> {
    let mut flags = device.unspecified::<u32>(sides.len())?;
    let kernel = FlagListed { regions: regions.view(twins), sides: sides.view(), flags: flags.view_mut() };
    device.launch_each(sides.len() as u32, kernel)?;
    array::gather(sides, &array::select(&flags)?)
}

/// The pairs of regions at some sides.
fn pairs(
    device: &Device,
    faces: &Buffer<u32>,
    positions: &Buffer<DVec3>,
    twins: &Buffer<u32>,
    regions: &Regions,
    sides: &Buffer<u32>,
    bits: u32,
) -> Result<Pairs> {
    let n = sides.len();
    let mut keys = device.unspecified::<u64>(n)?;
    let mut places = device.unspecified::<u32>(n)?;
    let kernel = KeySides {
        bits,
        regions: regions.view(twins),
        sides: sides.view(),
        keys: keys.view_mut(),
        places: places.view_mut(),
    };
    device.launch_each(n as u32, kernel)?;
    array::sort_pairs(&mut keys, &mut places, 2 * bits)?;
    let mut counts = device.unspecified::<u32>(n)?;
    let mut lengths = device.unspecified::<f64>(n)?;
    let kernel = MeasureSides {
        regions: regions.view(twins),
        faces: faces.view(),
        positions: positions.view(),
        sides: places.view(),
        counts: counts.view_mut(),
        lengths: lengths.view_mut(),
    };
    device.launch_each(n as u32, kernel)?;
    let counted = array::sum_by_key(&keys, &counts)?;
    let lengths = array::sum_by_key(&keys, &lengths)?.sums;
    Ok(Pairs { keys: counted.keys, counts: counted.sums, lengths })
}

/// Merges pairs that choose each other; whether there were any.
fn merge(
    device: &Device,
    regions: &mut Regions,
    pairs: &Pairs,
    best: &mut Buffer<u64>,
    parents: &mut Buffer<u32>,
    bits: u32,
    limits: Limits,
) -> Result<bool> {
    let n = pairs.keys.len();
    let mut offers = device.unspecified::<u64>(n)?;
    array::fill(best, u64::MAX)?;
    let offer = OfferPairs {
        bits,
        limits,
        keys: pairs.keys.view(),
        counts: pairs.counts.view(),
        lengths: pairs.lengths.view(),
        sums: sums!(regions),
        best: best.view_mut(),
        offers: offers.view_mut(),
    };
    device.launch_each(n as u32, offer)?;
    let mut merged = device.zeros::<u32>(1)?;
    let kernel = MergePairs {
        bits,
        keys: pairs.keys.view(),
        lengths: pairs.lengths.view(),
        best: best.view(),
        offers: offers.view(),
        sums: sums!(regions),
        parents: parents.view_mut(),
        merged: merged.view_mut(),
    };
    device.launch_each(n as u32, kernel)?;
    Ok(merged.read()?[0] > 0)
}
