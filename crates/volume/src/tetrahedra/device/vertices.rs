//! The vertices of the result: sites and cut points.
use super::cuts::{Cuts, INSIDE, WARPED};
use super::lattice::{EDGES, Lattice, Site, edge_of};
use glam::Vec3;
use ribbonmesh::device::{Block, In, Out, Parameter, kernel};

/// The bit of a site itself, in addition to those of its edges.
pub const ITSELF: u32 = 11;

/// Marks the sites and the cuts of their edges that are vertices, as bits, and counts them. A site is a
/// vertex if it is inside, or on the surface with a neighbour inside; a cut is a vertex if neither end of its
/// edge was warped. Blocks: tiles.
#[kernel(threads = 256)]
pub fn mark_vertices<'a>(
    block: &Block,
    lattice: Lattice,
    masks: In<'a, u32>,
    states: In<'a, u32>,
    marks: Out<'a, u32>,
    counts: Out<'a, u32>,
) {
    block.for_each_of_tile(lattice.sites(), |number| {
        let (site, state) = (lattice.site(number), states.get(number));
        let other = |edge: u32| lattice.neighbour(site, edge).map(|other| states.get(lattice.number(other)));
        let mut used = state == INSIDE;
        if state >= WARPED {
            let mut edge = 0;
            while edge < EDGES && !used {
                used = other(edge) == Some(INSIDE);
                edge += 1;
            }
        }
        let (mut mask, mut marked) = (masks.get(number), (used as u32) << ITSELF);
        while mask != 0 {
            let bit = mask.trailing_zeros();
            mask &= mask - 1;
            if state < WARPED && other(edge_of(bit)).is_some_and(|other| other < WARPED) {
                marked |= 1 << bit;
            }
        }
        marks.set(number, marked);
        counts.set(number, marked.count_ones());
    });
}

/// Numbers of the vertices.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Vertices<'a> {
    /// For each site, the bits of its vertices.
    pub marks: In<'a, u32>,
    /// The first vertex of each site.
    pub firsts: In<'a, u32>,
}
impl Vertices<'_> {
    /// The vertex at a site.
    #[inline(always)]
    pub fn site(&self, site: u32) -> u32 {
        self.firsts.get(site)
    }
    /// The vertex on an edge.
    #[inline(always)]
    pub fn cut(&self, lattice: &Lattice, from: Site, to: Site) -> u32 {
        let edge = lattice.between(from, to);
        match lattice.owned(from, edge) {
            Some(owned) => {
                let marks = self.marks.get(owned.site);
                self.firsts.get(owned.site)
                    + (marks >> ITSELF)
                    + (marks & ((1 << owned.bit) - 1)).count_ones()
            }
            None => 0,
        }
    }
}

/// Computes the positions of all vertices. Blocks: tiles.
#[kernel(threads = 128)]
pub fn place_vertices<'a>(
    block: &Block,
    lattice: Lattice,
    cuts: Cuts<'a>,
    states: In<'a, u32>,
    vertices: Vertices<'a>,
    x: Out<'a, Vec3>,
) {
    block.for_each_of_tile(lattice.sites(), |number| {
        let mut marks = vertices.marks.get(number);
        if marks == 0 {
            return;
        }
        let site = lattice.site(number);
        let mut to = vertices.firsts.get(number);
        if marks >> ITSELF == 1 {
            let state = states.get(number);
            let mut place = lattice.position(site);
            if state >= WARPED
                && let Some(owned) = lattice.owned(site, state - WARPED)
            {
                let owner = lattice.site(owned.site);
                place = cuts.position(&lattice, owner, owned.bit, cuts.of(owned.site, owned.bit));
            }
            x.set(to, place);
            to += 1;
            marks &= !(1 << ITSELF);
        }
        while marks != 0 {
            let bit = marks.trailing_zeros();
            marks &= marks - 1;
            x.set(to, cuts.position(&lattice, site, bit, cuts.of(number, bit)));
            to += 1;
        }
    });
}
