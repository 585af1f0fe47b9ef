//! Edges of the input within one intrinsic triangle.

/// How arcs of the input run through a triangle i j k: corners cut off, and arcs that end at a corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arcs {
    /// Arcs around each corner.
    pub cut: [i64; 3],
    /// Arcs from each corner to the opposite side: of one corner at most.
    pub from: [i64; 3],
}

/// A part of a triangle between arcs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region {
    /// Near a corner: behind so many of the arcs that cut it off, and before the next one.
    Corner(usize, i64),
    /// Beyond all of these; and behind so many of the arcs from a corner, counterclockwise around it.
    Middle(i64),
}

impl Arcs {
    /// Of the normal coordinates of i j, j k, k i.
    pub fn new(sides: [i64; 3]) -> Self {
        let [ij, jk, ki] = sides.map(|n| n.max(0));
        let from = [jk - ki - ij, ki - ij - jk, ij - jk - ki].map(|n| n.max(0));
        let around = [ij + ki - jk, jk + ij - ki, ki + jk - ij].map(|n| n.max(0));
        let cut = [0, 1, 2].map(|c| (around[c] - from[(c + 1) % 3] - from[(c + 2) % 3]) / 2);
        Self { cut, from }
    }
    /// The corner at which arcs end; the first one if they end at none.
    pub fn source(&self) -> usize {
        (0..3).find(|&c| self.from[c] > 0).unwrap_or(0)
    }
    /// Arcs that a line from each corner to a point of a region crosses.
    pub fn crossed(&self, region: Region) -> [i64; 3] {
        match region {
            Region::Corner(c, behind) => [0, 1, 2].map(|x| {
                if x == c { behind } else { self.cut[x] + self.cut[c] - behind + self.from[3 - x - c] }
            }),
            Region::Middle(behind) => {
                let (mut crossed, c) = (self.cut, self.source());
                crossed[(c + 1) % 3] += behind;
                crossed[(c + 2) % 3] += self.from[c] - behind;
                crossed
            }
        }
    }
    /// Arcs from each corner that lie before a line from it to a point of a region, counterclockwise.
    pub fn before(&self, region: Region) -> [i64; 3] {
        match region {
            Region::Corner(c, _) => [0, 1, 2].map(|x| if c == (x + 2) % 3 { self.from[x] } else { 0 }),
            Region::Middle(behind) => [0, 1, 2].map(|x| if self.from[x] > 0 { behind } else { 0 }),
        }
    }
}
