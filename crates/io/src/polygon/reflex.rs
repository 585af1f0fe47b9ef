//! The corners of a polygon that can lie in its ears.

use glam::DVec2;

/// A tree of points in the plane, each of which can be taken out: half of the points on either side of a
/// node's point, along the axis on which they extend farther.
pub(super) struct Reflex {
    /// Points with their numbers; a node is the middle of its range.
    points: Vec<(DVec2, u32)>,
    /// For each node, how many points of its range are left.
    left: Vec<u32>,
    /// For each node, its axis.
    axes: Vec<u8>,
    /// For each number, the node.
    nodes: Vec<u32>,
    /// The least and greatest coordinates.
    bounds: [DVec2; 2],
}

const NONE: u32 = u32::MAX;
/// Most ranges that wait while a tree of 2³² points is walked, one for each level, and two more.
const DEPTH: usize = 36;

impl Reflex {
    /// A tree of some of `all` points, by their numbers. Takes O(n log n).
    pub fn of(all: &[DVec2], numbers: impl Iterator<Item = u32>) -> Self {
        let mut points: Vec<(DVec2, u32)> = numbers.map(|number| (all[number as usize], number)).collect();
        let whole = bounds(&points);
        let (mut left, mut axes) = (vec![0; points.len()], vec![0; points.len()]);
        let mut ranges = vec![(0, points.len())];
        while let Some((low, high)) = ranges.pop() {
            if low == high {
                continue;
            }
            let middle = (low + high) / 2;
            let [least, greatest] = bounds(&points[low..high]);
            let extent = greatest - least;
            let axis = usize::from(extent.y > extent.x);
            points[low..high].select_nth_unstable_by(middle - low, |a, b| a.0[axis].total_cmp(&b.0[axis]));
            (left[middle], axes[middle]) = ((high - low) as u32, axis as u8);
            ranges.extend([(low, middle), (middle + 1, high)]);
        }
        let mut nodes = vec![NONE; all.len()];
        for (node, (_, number)) in (0..).zip(&points) {
            nodes[*number as usize] = node;
        }
        Self { points, left, axes, nodes, bounds: whole }
    }

    /// Takes a point out, if it is there. Takes O(log n).
    pub fn take(&mut self, number: u32) {
        let node = std::mem::replace(&mut self.nodes[number as usize], NONE);
        if node == NONE {
            return;
        }
        let (mut low, mut high) = (0, self.points.len());
        loop {
            let middle = (low + high) / 2;
            self.left[middle] -= 1;
            match (node as usize).cmp(&middle) {
                std::cmp::Ordering::Less => high = middle,
                std::cmp::Ordering::Greater => low = middle + 1,
                std::cmp::Ordering::Equal => return,
            }
        }
    }

    /// Whether `test` holds for some point. A range of points is passed over if `far` holds for a box that
    /// they lie in. Takes one from `work` for each node that it visits.
    pub fn any(
        &self,
        work: &mut u64,
        far: impl Fn([DVec2; 2]) -> bool,
        mut test: impl FnMut(u32) -> bool,
    ) -> bool {
        let mut ranges = [(0, 0, self.bounds); DEPTH];
        let mut waiting = 1;
        ranges[0] = (0, self.points.len(), self.bounds);
        while waiting > 0 {
            waiting -= 1;
            let (low, high, bounds) = ranges[waiting];
            let middle = (low + high) / 2;
            if low == high || self.left[middle] == 0 {
                continue;
            }
            *work = work.saturating_sub(1);
            if far(bounds) {
                continue;
            }
            let (point, number) = self.points[middle];
            if self.nodes[number as usize] != NONE && test(number) {
                return true;
            }
            let axis = usize::from(self.axes[middle]);
            let [mut below, mut above] = [bounds; 2];
            (below[1][axis], above[0][axis]) = (point[axis], point[axis]);
            ranges[waiting] = (low, middle, below);
            ranges[waiting + 1] = (middle + 1, high, above);
            waiting += 2;
        }
        false
    }
}

/// The least and greatest coordinates of points.
fn bounds(points: &[(DVec2, u32)]) -> [DVec2; 2] {
    let start = [DVec2::INFINITY, DVec2::NEG_INFINITY];
    points.iter().fold(start, |[low, high], (p, _)| [low.min(*p), high.max(*p)])
}
