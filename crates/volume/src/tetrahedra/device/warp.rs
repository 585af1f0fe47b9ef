//! Warping of sites that are too near to a cut point: they move there (Labelle and Shewchuk 2007, section
//! 3.3).
use super::cuts::{Cuts, WARPED};
use super::lattice::{EDGES, Lattice, Site, is_long};
use ribbonmesh::device::{Block, Each, In, Out, Parameter, kernel};

/// Flags the sites at ends of cut edges. Blocks: tiles.
#[kernel(threads = 128)]
pub fn mark_near<'a>(block: &Block, lattice: Lattice, states: In<'a, u32>, flags: Out<'a, u32>) {
    block.for_each_of_tile(lattice.sites(), |number| {
        let (site, state) = (lattice.site(number), states.get(number));
        let (mut near, mut edge) = (false, 0);
        while edge < EDGES && !near {
            let other = lattice.neighbour(site, edge).map(|other| states.get(lattice.number(other)));
            near = other.is_some_and(|other| other != state);
            edge += 1;
        }
        flags.set(number, near as u32);
    });
}

/// Cut points, and the limits below which they are too near to a site.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Limits<'a> {
    /// The cuts.
    pub cuts: Cuts<'a>,
    /// The part of a long edge below which a cut violates a site, in halves of parts.
    pub long: u32,
    /// The part of a short edge below which a cut violates a site, in halves of parts.
    pub short: u32,
}
impl Limits<'_> {
    /// The squared distance of a cut point that violates a site from that site, times four, in halves of
    /// parts of a long edge; `None` if the edge has no such cut. An edge has a cut as long as neither of its
    /// ends is on the surface.
    #[inline(always)]
    fn violates(&self, lattice: &Lattice, site: Site, edge: u32) -> Option<u64> {
        let owned = lattice.owned(site, edge)?;
        let place = self.cuts.place(self.cuts.of(owned.site, owned.bit));
        let away = if owned.reversed { (2 << self.cuts.depth) - place } else { place };
        let (limit, times) = if is_long(edge) { (self.long, 4) } else { (self.short, 3) };
        (away < limit).then_some(times * away as u64 * away as u64)
    }
}
/// Whether an edge between sites in these states has a cut.
#[inline(always)]
fn is_cut(state: u32, other: u32) -> bool {
    state < WARPED && other < WARPED && state != other
}

/// Flags the listed sites that some cut point violates. Blocks: tiles.
#[kernel(threads = 128)]
pub fn mark_violated<'a>(
    i: Each,
    sites: In<'a, u32>,
    lattice: Lattice,
    limits: Limits<'a>,
    states: In<'a, u32>,
    flags: Out<'a, u32>,
) {
    let number = sites.get(i);
    let (site, state) = (lattice.site(number), states.get(number));
    let (mut violated, mut edge) = (false, 0);
    while edge < EDGES && !violated {
        violated = lattice.neighbour(site, edge).is_some_and(|other| {
            is_cut(state, states.get(lattice.number(other)))
                && limits.violates(&lattice, site, edge).is_some()
        });
        edge += 1;
    }
    flags.set(number, violated as u32);
}

/// Warps the listed sites of one colour: each to the nearest cut point that violates it. No two sites of a
/// colour are neighbours, so warping one colour after the other gives the same as one site after the other.
/// If `patient` is 1, a site is not warped along an edge whose other end is violated, too, by another cut.
/// Blocks: tiles.
#[kernel(threads = 128)]
pub fn warp<'a>(
    i: Each,
    sites: In<'a, u32>,
    lattice: Lattice,
    colour: u32,
    patient: u32,
    limits: Limits<'a>,
    violated: In<'a, u32>,
    states: Out<'a, u32>,
) {
    let number = sites.get(i);
    let site = lattice.site(number);
    if site.colour() != colour {
        return;
    }
    let state = states.get(number);
    let (mut best, mut to, mut edge) = (u64::MAX, EDGES, 0);
    while edge < EDGES {
        if let Some(other) = lattice.neighbour(site, edge) {
            let other = lattice.number(other);
            if is_cut(state, states.get(other))
                && !(patient == 1 && violated.get(other) == 1)
                && let Some(squared) = limits.violates(&lattice, site, edge)
                && squared < best
            {
                (best, to) = (squared, edge);
            }
        }
        edge += 1;
    }
    if to < EDGES {
        states.set(number, WARPED + to);
    }
}
