//! Pairs of faces whose boxes meet, and that single precision leaves open.
use crate::intersections::find::Triangles;
use crate::intersections::kernels::{Decide, DecideListed, OpenArguments};
use crate::intersections::parts::{FoundArguments, TRIANGLES};
use ribbonmesh::{Buffer, Device, Error, Result};

/// Room for pairs per face: in a plane, about nine faces that follow a face meet its box.
const EACH: u32 = 12;
/// Greatest room, if that is enough for one pair per face.
const MOST: u32 = 1 << 26;
/// Most blocks that decide.
const BLOCKS: u32 = 4096;

/// Order in which the faces of a pair are stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The order in which they were found.
    Same,
    /// The second one first.
    Turned,
    /// The lesser one first.
    Ascending,
}

/// Memory for open pairs, and their number.
pub struct OpenPairs {
    pairs: Buffer<[u32; 2]>,
    count: Buffer<u64>,
    /// Most faces of a search.
    at_once: u32,
    /// Whether a search has used the memory.
    used: bool,
}
impl OpenPairs {
    /// Reserves room for [`EACH`] pairs for each of `n` faces, but at most [`MOST`], and at least one pair
    /// for each of `second` faces.
    pub fn new(device: &Device, n: u32, second: u32) -> Result<Self> {
        let room = n.saturating_mul(EACH).min(MOST).max(second) as usize;
        Ok(Self { pairs: device.unspecified(room)?, count: device.zeros(1)?, at_once: n, used: false })
    }
    /// Finds the open pairs of `n` faces, and decides which of them intersect. `find` is launched for a
    /// number of faces from a first one on, [`Self::decide`] for the pairs that it has found. Each face has
    /// fewer partners than there is room for.
    ///
    /// The first call is for all faces, and does not wait; if there is no room, the count of found pairs gets
    /// [`AGAIN`](crate::intersections::kernels::AGAIN). Later calls wait, and take fewer faces at a time if
    /// there is no room for all.
    pub fn search(
        &mut self,
        n: u32,
        find: impl Fn(OpenArguments<'_>, u32, u32) -> Result<()>,
        mut decide: impl FnMut(&Self) -> Result<()>,
    ) -> Result<()> {
        let device = self.pairs.device().clone();
        let mut first = 0;
        while first < n {
            let faces = self.at_once.min(n - first);
            if self.used {
                self.count = device.zeros(1)?;
            }
            find(OpenArguments { pairs: self.pairs.view_mut(), count: self.count.view_mut() }, first, faces)?;
            if self.used && self.count.read()?[0] > self.pairs.len() as u64 {
                self.at_once = faces / 2;
                if self.at_once == 0 {
                    return Err(Error::Invalid("a face met more faces than there are".into()));
                }
                continue;
            }
            self.used = true;
            decide(self)?;
            first += faces;
        }
        Ok(())
    }
    /// Decides which pairs of a face of the first and a face of the second of `of` intersect. Does not wait.
    pub fn decide(&self, of: [Triangles<'_>; 2], order: Order, found: FoundArguments<'_>) -> Result<()> {
        let [first, second] = [of[0].view(), of[1].view()];
        let order = order as u32;
        let (open, count) = (self.pairs.view(), self.count.view());
        let blocks = (self.pairs.len() as u32).div_ceil(TRIANGLES).min(BLOCKS);
        self.pairs.device().launch(blocks, Decide { first, second, open, count, order, found })
    }
    /// Decides which faces of a list intersect another one; the first faces of open pairs are places in the
    /// list. Does not wait.
    pub fn decide_listed(
        &self,
        mesh: Triangles<'_>,
        listed: &Buffer<u32>,
        found: &mut Buffer<u32>,
        counts: &mut Buffer<u32>,
    ) -> Result<()> {
        let decide = DecideListed {
            faces: mesh.view(),
            listed: listed.view(),
            open: self.pairs.view(),
            count: self.count.view(),
            found: found.view_mut(),
            counts: counts.view_mut(),
        };
        let blocks = (self.pairs.len() as u32).div_ceil(TRIANGLES).min(BLOCKS);
        self.pairs.device().launch(blocks, decide)
    }
}

#[cfg(test)]
mod tests {
    use crate::intersections::few::intersections_of_few;
    use crate::intersections::find::{Triangles, intersections_between, self_intersections};
    use glam::Vec3;
    use ribbonmesh::Device;

    #[test]
    fn faces_are_searched_in_parts_where_most_pairs_stay_open() {
        // triangles in one plane, each across most others: about 45,000 pairs, and room for 3,600
        let device = Device::cpu();
        let turned = |i: u32, k: u32| {
            let (s, c) = (0.07 * i as f32 + 2.1 * k as f32).sin_cos();
            Vec3::new(c, s, 0.0)
        };
        let corners = |n: u32| -> Vec<Vec3> { (0..3 * n).map(|v| turned(v / 3, v % 3)).collect() };
        let buffers = |n: u32| {
            let faces: Vec<u32> = (0..3 * n).collect();
            (device.upload(&corners(n)).expect("memory"), device.upload(&faces).expect("memory"))
        };
        let (x, faces) = buffers(300);
        let all = Triangles { positions: &x, faces: &faces };
        // as the host finds them
        let few = |n: u32, from: usize| {
            let faces: Vec<[u32; 3]> = (0..n).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
            let points: Vec<Vec3> = corners(n.min(300)).into_iter().chain(corners(n - n.min(300))).collect();
            intersections_of_few(&points, &faces, from)
        };
        let found = self_intersections(all).expect("pairs").pairs.read().expect("memory");
        assert!(found.len() > 40_000, "{}", found.len());
        assert_eq!(found, few(300, 0));
        let (x, faces) = buffers(200);
        let some = Triangles { positions: &x, faces: &faces };
        let mut pairs: Vec<[u32; 2]> =
            few(500, 300).into_iter().filter(|[a, _]| *a < 300).map(|[a, b]| [a, b - 300]).collect();
        for (a, b) in [(all, some), (some, all)] {
            let found = intersections_between(a, b).expect("pairs").pairs.read().expect("memory");
            assert!(found.len() > 40_000, "{}", found.len());
            assert_eq!(found, pairs);
            pairs.iter_mut().for_each(|pair| pair.reverse());
            pairs.sort_unstable();
        }
    }
}
