//! Warping of sites onto the surface.
use super::lattice::Placed;
use super::signs::CutEdges;
use crate::tetrahedra::device::cuts::WARPED;
use crate::tetrahedra::device::warp::{LimitsArguments, MarkNear, MarkViolated, Warp};
use ribbonmesh::device::tiles;
use ribbonmesh::{Buffer, Result, array};

/// Parts of a long and of a short edge below which a cut point violates a site. With these, dihedral angles
/// are between 10.7 and 164.8 degrees (Labelle and Shewchuk 2007, section 4).
const ALPHA: [f64; 2] = [0.24999, 0.41189];
/// Number of rounds in which sites wait for others that are violated, too.
const PATIENT: u32 = 2;

/// Warps sites, colour after colour, until no cut point violates a site; returns the number of warped sites.
/// Waits.
pub fn warp(placed: &Placed, cuts: &CutEdges, states: &mut Buffer<u32>) -> Result<u64> {
    let (device, lattice) = (states.device().clone(), placed.lattice);
    let mut flags = device.unspecified::<u32>(lattice.sites() as usize)?;
    let mark = MarkNear { lattice, states: states.view(), flags: flags.view_mut() };
    device.launch(tiles(lattice.sites()), mark)?;
    let near = array::select(&flags)?;
    let n = near.len() as u32;
    let [long, short] = ALPHA.map(|alpha| (alpha * f64::from(2_u32 << placed.depth)).ceil() as u32);
    for round in 0..=PATIENT {
        for colour in 0..4 {
            let mark = MarkViolated {
                sites: near.view(),
                lattice,
                limits: LimitsArguments { cuts: cuts.view(), long, short },
                states: states.view(),
                flags: flags.view_mut(),
            };
            device.launch_each(n, mark)?;
            let warp = Warp {
                sites: near.view(),
                lattice,
                colour,
                patient: u32::from(round < PATIENT),
                limits: LimitsArguments { cuts: cuts.view(), long, short },
                violated: flags.view(),
                states: states.view_mut(),
            };
            device.launch_each(n, warp)?;
        }
    }
    let moved = array::gather(states, &near)?.read()?;
    Ok(moved.into_iter().filter(|&state| state >= WARPED).count() as u64)
}
