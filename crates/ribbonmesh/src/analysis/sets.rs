//! Disjoint sets whose members are on one of two sides.

/// Disjoint sets of the numbers below a length, at most 2³¹; each member is on one of two sides of its set,
/// as a face has one of two orientations.
///
/// Tarjan and van Leeuwen, *Worst-case analysis of set union algorithms*, 1984: path halving.
pub(super) struct Sets {
    /// `parent << 1 | other side than the parent`; a root is its own parent.
    links: Vec<u32>,
    sets: usize,
}
impl Sets {
    /// Each number alone.
    pub fn new(len: usize) -> Self {
        Self { links: (0..len as u32).map(|i| i << 1).collect(), sets: len }
    }
    /// Number of sets.
    pub fn count(&self) -> usize {
        self.sets
    }
    /// The set's root, and 1 if `x` is on the other side than it.
    fn find(&mut self, mut x: u32) -> (u32, u32) {
        let mut side = 0;
        loop {
            let link = self.links[x as usize];
            if link >> 1 == x {
                return (x, side);
            }
            let up = self.links[(link >> 1) as usize];
            let turn = (link ^ up) & 1;
            self.links[x as usize] = up & !1 | turn;
            side ^= turn;
            x = up >> 1;
        }
    }
    /// Puts the sets of `a` and `b` together, so that the two are on the same side, or on opposite ones.
    /// False if they are together already, but the other way.
    pub fn join(&mut self, a: u32, b: u32, opposite: bool) -> bool {
        let ((a, side_a), (b, side_b)) = (self.find(a), self.find(b));
        let turn = side_a ^ side_b ^ u32::from(opposite);
        if a == b {
            return turn == 0;
        }
        self.links[a.max(b) as usize] = a.min(b) << 1 | turn;
        self.sets -= 1;
        true
    }
}
