//! The body-centred cubic lattice: its sites, their edges, its tetrahedra (Labelle and Shewchuk 2007, section
//! 3.1).
use glam::Vec3;
use ribbonmesh::device::bytemuck::{self, Pod, Zeroable};

/// Edges of a site: six long ones to the sites of its own cubic grid, eight short ones to the other grid.
pub const EDGES: u32 = 14;
/// The first of the short edges.
const SHORT: u32 = 6;

/// Two cubic grids of side 1, each site of one in the centre of a cube of the other. Coordinates are exact in
/// single precision.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[bytemuck(crate = "bytemuck")]
pub struct Lattice {
    /// Sites of each grid along the axes.
    pub size: [u32; 3],
}

/// A site: its grid, 0 for corners and 1 for centres, and its indices there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The grid.
    pub grid: u32,
    /// The index along each axis.
    pub at: [u32; 3],
}

impl Site {
    /// One of four colours: neighbours have different ones.
    #[inline(always)]
    pub fn colour(self) -> u32 {
        2 * self.grid + self.parity()
    }
    /// Parity of a site: it differs between the ends of a long edge.
    #[inline(always)]
    pub fn parity(self) -> u32 {
        (self.at[0] + self.at[1] + self.at[2]) & 1
    }
    /// The vector along an edge, from end to end.
    #[inline(always)]
    pub fn way(edge: u32) -> Vec3 {
        if edge < SHORT {
            let length = if edge < 3 { 1.0 } else { -1.0 };
            let axis = edge % 3;
            let of = |a: u32| if a == axis { length } else { 0.0 };
            Vec3::new(of(0), of(1), of(2))
        } else {
            let of = |axis: u32| if (edge - SHORT) >> axis & 1 == 1 { 0.5 } else { -0.5 };
            Vec3::new(of(0), of(1), of(2))
        }
    }
}

/// Whether an edge is long.
#[inline(always)]
pub fn is_long(edge: u32) -> bool {
    edge < SHORT
}

/// An edge as seen from its owner, the end that stores its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owned {
    /// The site that owns it.
    pub site: u32,
    /// Its bit there: 0 to 2 for long edges in the directions of the axes, 3 to 10 for the short ones of a
    /// corner.
    pub bit: u32,
    /// Whether the edge begins at the other end than requested.
    pub reversed: bool,
}

/// The edge of a bit.
#[inline(always)]
pub fn edge_of(bit: u32) -> u32 {
    if bit < 3 { bit } else { bit + SHORT - 3 }
}

impl Lattice {
    /// Number of sites of one grid.
    #[inline(always)]
    pub fn of_grid(&self) -> u32 {
        self.size[0] * self.size[1] * self.size[2]
    }
    /// Number of sites of both grids.
    #[inline(always)]
    pub fn sites(&self) -> u32 {
        2 * self.of_grid()
    }
    /// The site with a number: corners first, x slowest.
    #[inline(always)]
    pub fn site(&self, number: u32) -> Site {
        let n = self.of_grid();
        let (grid, i) = if number < n { (0, number) } else { (1, number - n) };
        let [_, y, z] = self.size;
        Site { grid, at: [i / (y * z), i / z % y, i % z] }
    }
    /// The number of a site.
    #[inline(always)]
    pub fn number(&self, site: Site) -> u32 {
        let [i, j, k] = site.at;
        site.grid * self.of_grid() + (i * self.size[1] + j) * self.size[2] + k
    }
    /// The coordinate of index 0 of a grid along an axis. The origin is in the middle.
    #[inline(always)]
    pub fn first(&self, grid: u32, axis: usize) -> f32 {
        0.5 * grid as f32 - (self.size[axis] / 2) as f32
    }
    /// The position of a site.
    #[inline(always)]
    pub fn position(&self, site: Site) -> Vec3 {
        let of = |axis: usize| self.first(site.grid, axis) + site.at[axis] as f32;
        Vec3::new(of(0), of(1), of(2))
    }
    /// The site at the other end of an edge; `None` beyond the border of the lattice.
    #[inline(always)]
    pub fn neighbour(&self, site: Site, edge: u32) -> Option<Site> {
        let mut other = site;
        if edge < SHORT {
            let axis = (edge % 3) as usize;
            other.at[axis] = if edge < 3 { site.at[axis] + 1 } else { site.at[axis].wrapping_sub(1) };
        } else {
            other.grid = 1 - site.grid;
            let mut axis = 0;
            while axis < 3 {
                let up = (edge - SHORT) >> axis & 1;
                // a centre is half a side above the corner with the same indices
                other.at[axis as usize] = (site.at[axis as usize] + site.grid + up).wrapping_sub(1);
                axis += 1;
            }
        }
        let within = other.at[0] < self.size[0] && other.at[1] < self.size[1] && other.at[2] < self.size[2];
        within.then_some(other)
    }
    /// The owner of an edge; `None` if one of its ends is beyond the border.
    #[inline(always)]
    pub fn owned(&self, site: Site, edge: u32) -> Option<Owned> {
        let here = site.grid == 0 || edge < SHORT;
        if edge < 3 || (edge >= SHORT && here) {
            let bit = if edge < 3 { edge } else { edge - SHORT + 3 };
            return Some(Owned { site: self.number(site), bit, reversed: false });
        }
        let other = self.number(self.neighbour(site, edge)?);
        let bit = if edge < SHORT { edge - 3 } else { 3 + (7 - (edge - SHORT)) };
        Some(Owned { site: other, bit, reversed: true })
    }
    /// The edge from one site to a neighbour.
    #[inline(always)]
    pub fn between(&self, from: Site, to: Site) -> u32 {
        if from.grid == to.grid {
            let mut axis = 0;
            while axis < 2 && from.at[axis] == to.at[axis] {
                axis += 1;
            }
            return axis as u32 + if to.at[axis] > from.at[axis] { 0 } else { 3 };
        }
        let up = |axis: usize| {
            if from.grid == 0 { to.at[axis] == from.at[axis] } else { to.at[axis] != from.at[axis] }
        };
        SHORT + (up(0) as u32 | (up(1) as u32) << 1 | (up(2) as u32) << 2)
    }
    /// One of the twelve tetrahedra of a corner, 0 to 11: four around each of its long edges in the
    /// directions of the axes. The first two vertices are the ends of that edge, the other two are the ends
    /// of a long edge between centres. Positively oriented.
    #[inline(always)]
    pub fn tetrahedron(&self, corner: Site, which: u32) -> Option<[Site; 4]> {
        let axis = which / 4;
        let end = self.neighbour(corner, axis)?;
        // around the edge, counter-clockwise seen from its end
        let around = |k: u32| {
            let (b, c) = (k == 1 || k == 2, k >= 2);
            let (p, q) = ((axis + 1) % 3, (axis + 2) % 3);
            let up = 1 << axis | (b as u32) << p | (c as u32) << q;
            self.neighbour(corner, SHORT + up)
        };
        let k = which % 4;
        Some([corner, end, around(k)?, around((k + 1) % 4)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATTICE: Lattice = Lattice { size: [4, 5, 6] };

    #[test]
    fn numbers_and_edges() {
        for number in 0..LATTICE.sites() {
            let site = LATTICE.site(number);
            assert_eq!(LATTICE.number(site), number);
            for edge in 0..EDGES {
                let Some(other) = LATTICE.neighbour(site, edge) else { continue };
                assert_eq!(LATTICE.position(other) - LATTICE.position(site), Site::way(edge));
                assert_ne!(site.colour(), other.colour());
                assert_eq!(LATTICE.between(site, other), edge);
                let (one, two) =
                    (LATTICE.owned(site, edge), LATTICE.owned(other, LATTICE.between(other, site)));
                let (one, two) = (one.expect("within"), two.expect("within"));
                assert_eq!((one.site, one.bit), (two.site, two.bit));
                assert_ne!(one.reversed, two.reversed);
                let way = Site::way(edge_of(one.bit));
                assert_eq!(way, if one.reversed { -Site::way(edge) } else { Site::way(edge) });
                assert_eq!(is_long(edge), way.length_squared() == 1.0);
            }
        }
    }
    #[test]
    fn tetrahedra_fill_space() {
        let (mut volume, mut seen) = (0.0, std::collections::BTreeMap::new());
        for number in 0..LATTICE.of_grid() {
            for which in 0..12 {
                let Some(sites) = LATTICE.tetrahedron(LATTICE.site(number), which) else { continue };
                let x = sites.map(|site| LATTICE.position(site));
                let six = (x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0]);
                assert_eq!(six, 0.5);
                volume += six / 6.0;
                let mut numbers = sites.map(|site| LATTICE.number(site));
                numbers.sort_unstable();
                for out in 0..4 {
                    let face: Vec<u32> = (0..4).filter(|&i| i != out).map(|i| numbers[i]).collect();
                    *seen.entry(face).or_insert(0) += 1;
                }
            }
        }
        // each face belongs to at most two tetrahedra; inside, each cube has 12
        assert!(seen.values().all(|&n| n <= 2));
        assert!(volume > 12.0 * 2.0 / 12.0);
    }
}
