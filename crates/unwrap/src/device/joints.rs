//! Regions of faces and what is along their borders.
use ribbonmesh::device::{Each, In, NONE, Out, Parameter, kernel};

/// The corner after another one around its face.
#[inline(always)]
pub fn after(corner: u32) -> u32 {
    if corner % 3 == 2 { corner - 2 } else { corner + 1 }
}

/// For each corner, the corner on the other side of its side's edge: where the edge has two faces that agree
/// in orientation, both with three different vertices. [`NONE`] elsewhere.
#[kernel(threads = 256, requires(
    faces.len() >= count as usize && ring.len() >= count as usize && twins.len() >= count as usize,
))]
pub fn pair_sides<'a>(i: Each, faces: In<'a, u32>, ring: In<'a, u32>, twins: Out<'a, u32>) {
    let whole = |corner: u32| {
        let first = corner - corner % 3;
        let [a, b, c] = [0, 1, 2].map(|k| faces.get(first + k));
        a != b && b != c && c != a
    };
    let other = ring.get(i);
    let two = other != i && ring.get(other) == i;
    let agree = two && faces.get(other) == faces.get(after(i)) && faces.get(i) == faces.get(after(other));
    twins.set(i, if agree && whole(i) && whole(other) { other } else { NONE });
}

/// Regions of faces.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Regions<'a> {
    /// The corner on the other side of each corner's side.
    pub twins: In<'a, u32>,
    /// The region of each face: a face of it.
    pub labels: In<'a, u32>,
}
impl Regions<'_> {
    /// The region beyond a side; [`NONE`] beyond the boundary.
    #[inline(always)]
    pub fn beyond(&self, side: u32) -> u32 {
        let twin = self.twins.get(side);
        if twin == NONE { NONE } else { self.labels.get(twin / 3) }
    }
    /// The next side of a region's border, after a side of it: the fan of its faces at the end of the side
    /// ends there.
    #[inline(always)]
    pub fn next_of_border(&self, side: u32, region: u32) -> u32 {
        let mut next = after(side);
        while self.beyond(next) == region {
            next = after(self.twins.get(next));
        }
        next
    }
    /// Whether the border that two regions have in common goes on at the end of a side of it: the same two
    /// sides follow each other along both borders.
    #[inline(always)]
    pub fn goes_on(&self, side: u32) -> bool {
        let twin = self.twins.get(side);
        let (own, other) = (self.labels.get(side / 3), self.labels.get(twin / 3));
        let next = self.next_of_border(side, own);
        self.beyond(next) == other && self.next_of_border(self.twins.get(next), other) == twin
    }
}
