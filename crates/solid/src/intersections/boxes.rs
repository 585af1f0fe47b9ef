//! A grid of the boxes around some faces.
use glam::{UVec3, Vec3};

/// Width of a cell, in mean extents of the boxes.
const WIDTH: f32 = 1.5;
/// Most cells for each box.
const EACH: u64 = 4;
/// Most cells that a box meets in the mean.
const MET: u64 = 16;
/// Most cells along an axis.
const MOST: u32 = 1 << 16;

/// The box around a face.
#[derive(Clone, Copy)]
pub(crate) struct Around {
    pub low: Vec3,
    pub high: Vec3,
    pub face: u32,
}
impl Around {
    /// The box of a face with these corners; `None` if one of them is not finite.
    pub fn of(face: u32, corners: [Vec3; 3]) -> Option<Self> {
        let [a, b, c] = corners;
        let finite = corners.iter().all(|p| p.is_finite());
        finite.then(|| Self { low: a.min(b).min(c), high: a.max(b).max(c), face })
    }
    fn meets(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }
}

/// Boxes by the cells of a grid that they meet.
pub(crate) struct Cells {
    boxes: Vec<Around>,
    /// The box around all.
    low: Vec3,
    high: Vec3,
    /// Cells per unit of length, and their numbers along the axes.
    scale: f32,
    size: UVec3,
    /// The place in `list` of the first box of each cell, and the end.
    starts: Vec<u32>,
    list: Vec<u32>,
}

impl Cells {
    /// Sorts boxes into cells. Linear in them, and in the cells that they meet.
    pub fn of(boxes: Vec<Around>) -> Self {
        let (low, high) = boxes.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), of| {
            (low.min(of.low), high.max(of.high))
        });
        let (scale, size) = layout(&boxes, low, high - low);
        let mut cells = Self { boxes, low, high, scale, size, starts: vec![], list: vec![] };
        let mut starts = vec![0_u32; count(size) as usize + 1];
        for of in &cells.boxes {
            cells.each(of, |cell| starts[cell] += 1);
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut list = vec![0; sum as usize];
        // from the last box on, so that the places end as the starts
        for (i, of) in cells.boxes.iter().enumerate().rev() {
            cells.each(of, |cell| {
                starts[cell] -= 1;
                list[starts[cell] as usize] = i as u32;
            });
        }
        (cells.starts, cells.list) = (starts, list);
        cells
    }
    /// The number of boxes.
    pub fn len(&self) -> usize {
        self.boxes.len()
    }
    /// Whether there are no boxes.
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }
    /// Whether a box meets the box around all.
    pub fn meet(&self, own: &Around) -> bool {
        self.low.cmple(own.high).all() && own.low.cmple(self.high).all()
    }
    /// Calls a function with the face of each box that one meets; with its own, too, if it is one of them.
    pub fn each_near(&self, own: &Around, mut f: impl FnMut(u32)) {
        let from = self.cell(own.low);
        each_cell(from, self.cell(own.high), |at| {
            let cell = self.number(at);
            for i in &self.list[self.starts[cell] as usize..self.starts[cell + 1] as usize] {
                let other = &self.boxes[*i as usize];
                // of the cells that both meet, the first counts
                if own.meets(other) && from.max(self.cell(other.low)) == at {
                    f(other.face);
                }
            }
        });
    }
    /// The cell of a point; the nearest one for a point outside. It never decreases with a coordinate.
    fn cell(&self, point: Vec3) -> UVec3 {
        cell(point, self.low, self.scale, self.size)
    }
    fn number(&self, at: UVec3) -> usize {
        (at.z as usize * self.size.y as usize + at.y as usize) * self.size.x as usize + at.x as usize
    }
    fn each(&self, of: &Around, mut f: impl FnMut(usize)) {
        each_cell(self.cell(of.low), self.cell(of.high), |at| f(self.number(at)));
    }
}

/// Calls a function for each cell of a block of them.
fn each_cell(from: UVec3, to: UVec3, mut f: impl FnMut(UVec3)) {
    for z in from.z..=to.z {
        for y in from.y..=to.y {
            for x in from.x..=to.x {
                f(UVec3::new(x, y, z));
            }
        }
    }
}

/// The cell of a point, with this many cells per unit of length behind the lowest corner.
fn cell(point: Vec3, low: Vec3, scale: f32, size: UVec3) -> UVec3 {
    ((point - low) * scale).as_uvec3().min(size - 1)
}

/// The cells per unit of length, and their numbers along the axes, for boxes within this extent: about the
/// size of a box each, but wider if there were many more than boxes, or if boxes met many of them.
fn layout(boxes: &[Around], low: Vec3, extent: Vec3) -> (f32, UVec3) {
    let one = (0.0, UVec3::ONE);
    let n = boxes.len() as u64;
    let mean = boxes.iter().map(|of| (of.high - of.low).max_element() / n as f32).sum::<f32>();
    let mut width = WIDTH * mean;
    if !(width > 0.0 && extent.is_finite()) {
        return one;
    }
    while width.is_finite() {
        let scale = 1.0 / width;
        let size = (extent * scale).as_uvec3().min(UVec3::splat(MOST)) + 1;
        let met = |of: &Around| count(cell(of.high, low, scale, size) - cell(of.low, low, scale, size) + 1);
        let few = scale.is_finite() && count(size) <= EACH * n;
        if few && boxes.iter().map(met).sum::<u64>() <= MET * n {
            return (scale, size);
        }
        width *= 2.0;
    }
    one
}
fn count(size: UVec3) -> u64 {
    u64::from(size.x) * u64::from(size.y) * u64::from(size.z)
}
