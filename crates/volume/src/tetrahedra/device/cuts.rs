//! Cut points: where the surface crosses edges of the lattice (Labelle and Shewchuk 2007, section 3.2).
use super::lattice::{Lattice, Site, edge_of};
use glam::Vec3;
use ribbonmesh::device::{Block, Each, In, Out, Parameter, kernel};

/// States of sites: outside, inside; then on the surface, with the edge along which the site has been warped.
pub const OUTSIDE: u32 = 0;
/// Inside.
pub const INSIDE: u32 = 1;
/// On the surface, warped along edge 0.
pub const WARPED: u32 = 2;

/// Marks the edges that a site owns and that the surface crosses, as bits, and counts them. Blocks: tiles.
#[kernel(threads = 256)]
pub fn mark_cuts<'a>(
    block: &Block,
    lattice: Lattice,
    states: In<'a, u32>,
    masks: Out<'a, u32>,
    counts: Out<'a, u32>,
) {
    block.for_each_of_tile(lattice.sites(), |number| {
        let (site, state) = (lattice.site(number), states.get(number));
        let (mut mask, mut bit) = (0, 0);
        while bit < if site.grid == 0 { 11 } else { 3 } {
            if let Some(other) = lattice.neighbour(site, edge_of(bit)) {
                mask |= (states.get(lattice.number(other)) != state) as u32 * (1 << bit);
            }
            bit += 1;
        }
        masks.set(number, mask);
        counts.set(number, mask.count_ones());
    });
}

/// Lists the cut edges: sites that own them, and their bits. Blocks: tiles.
#[kernel(threads = 256)]
pub fn list_cuts<'a>(
    block: &Block,
    lattice: Lattice,
    masks: In<'a, u32>,
    starts: In<'a, u32>,
    sites: Out<'a, u32>,
    bits: Out<'a, u32>,
) {
    block.for_each_of_tile(lattice.sites(), |number| {
        let (mut mask, mut to) = (masks.get(number), starts.get(number));
        while mask != 0 {
            sites.set(to, number);
            bits.set(to, mask.trailing_zeros());
            mask &= mask - 1;
            to += 1;
        }
    });
}

/// Positions of the surface's crossings on the listed edges.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Cuts<'a> {
    /// Bits of the cut edges of each site.
    pub masks: In<'a, u32>,
    /// The first cut of each site.
    pub starts: In<'a, u32>,
    /// For each cut the lower end of its interval, measured from the owner, in parts of the edge.
    pub lows: In<'a, u32>,
    /// Number of bits of these: an edge has 2 to the power of this parts.
    pub depth: u32,
}
impl Cuts<'_> {
    /// The cut of an edge of a site.
    #[inline(always)]
    pub fn of(&self, site: u32, bit: u32) -> u32 {
        self.starts.get(site) + (self.masks.get(site) & ((1 << bit) - 1)).count_ones()
    }
    /// Position of a cut on its edge, measured from the owner, in halves of parts: the middle of its
    /// interval. In the first and the last interval it is the end of the edge, so that points of the surface
    /// that coincide with sites stay there.
    #[inline(always)]
    pub fn place(&self, cut: u32) -> u32 {
        let low = self.lows.get(cut);
        if low == 0 {
            0
        } else if low + 1 == 1 << self.depth {
            2 << self.depth
        } else {
            2 * low + 1
        }
    }
    /// The position of a cut in the lattice. Exact: the caller chooses the depth for that.
    #[inline(always)]
    pub fn position(&self, lattice: &Lattice, site: Site, bit: u32, cut: u32) -> Vec3 {
        let part = self.place(cut) as f32 / (2 << self.depth) as f32;
        lattice.position(site) + Site::way(edge_of(bit)) * part
    }
}

/// Computes the middles of the intervals of the cuts; their length is `half` times 2. Blocks: tiles.
#[kernel(threads = 256)]
pub fn middles<'a>(
    cut: Each,
    lattice: Lattice,
    sites: In<'a, u32>,
    bits: In<'a, u32>,
    lows: In<'a, u32>,
    depth: u32,
    half: u32,
    points: Out<'a, Vec3>,
) {
    let part = (lows.get(cut) + half) as f32 / (1 << depth) as f32;
    let site = lattice.site(sites.get(cut));
    points.set(cut, lattice.position(site) + Site::way(edge_of(bits.get(cut))) * part);
}

/// Keeps the half of each interval whose ends are on different sides of the surface. Blocks: tiles.
#[kernel(threads = 256)]
pub fn halve<'a>(
    cut: Each,
    sites: In<'a, u32>,
    states: In<'a, u32>,
    winding: In<'a, f32>,
    odd: In<'a, u32>,
    by_odd: u32,
    half: u32,
    lows: Out<'a, u32>,
) {
    let inside = if by_odd == 1 { odd.get(cut) == 1 } else { winding.get(cut) != 0.0 };
    if inside == (states.get(sites.get(cut)) == INSIDE) {
        lows.set(cut, lows.get(cut) + half);
    }
}
