//! Cells of space in levels, the cells that a box covers, and the box in a cell as 64 bits.
//!
//! Cells of level 0 have a power of two as their side, those of each further level twice the side. A box
//! belongs to the first level at which it covers at most two cells along each axis, so that at most four
//! squares or eight cubes hold it, however large it is. Places are whole numbers, sixteenths of a cell of
//! level 0, so that computations with them are exact.

use crate::table::CellTableView;
use ribbonmesh::device::atomic::{self, Order::Relaxed, Scope::Device};
use ribbonmesh::device::{Out, Parameter};

/// Number of faces that an [`Entry`] can name.
#[cfg(not(target_arch = "nvptx64"))]
pub const MOST_FACES: u32 = 1 << FACE_BITS;
/// Most levels.
pub const LEVELS: u32 = 22;

const FACE_BITS: u32 = 29;
const LEVEL_AT: u32 = FACE_BITS;
const PARITY_AT: u32 = LEVEL_AT + 5;
const FIRST_AT: u32 = PARITY_AT + 3;
const ENDS_AT: u32 = FIRST_AT + 3;
/// Base-2 logarithm of the number of places of a cell of level 0 along each axis.
const PARTS: u32 = 4;
/// Most bits of the largest coordinate, in cells of level 0.
const CELL_BITS: u32 = 20;
const FARTHEST: f32 = (1 << 30) as f32;

/// Number of facts about triangles for their cells. All begin with 0 and only grow.
#[cfg(not(target_arch = "nvptx64"))]
pub const FACTS: usize = 7;
/// Bits of the largest absolute coordinate.
pub const LARGEST: u32 = 0;
/// The smallest vertex of the first mesh that is not finite, complemented; 0 if there is none. Then the same
/// of the second mesh.
pub const NOT_FINITE: u32 = 1;
/// The smallest face of the first mesh with an index out of range, complemented; 0 if there is none. Then the
/// same of the second mesh.
pub const OUT_OF_RANGE: u32 = 3;
/// The exponent of the side of a cell, as stored.
pub const SIZE: u32 = 5;
/// The levels that faces have, as bits, and `LOST`.
pub const USED: u32 = 6;
/// A face has found no slot.
const LOST: u32 = 1 << 31;

/// Facts about triangles, as kernels see them.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct CellFacts<'a> {
    /// The words.
    pub words: Out<'a, u32>,
}
impl CellFacts<'_> {
    /// The factor that turns coordinates into places.
    #[inline(always)]
    pub fn scale(&self) -> f32 {
        places_per_unit(self.words.get(SIZE), f32::from_bits(self.words.get(LARGEST)))
    }
    /// Whether the triangles can be read.
    #[inline(always)]
    pub fn is_well(&self) -> bool {
        let mut wrong = 0;
        let mut word = NOT_FINITE;
        while word < OUT_OF_RANGE + 2 {
            wrong |= self.words.get(word);
            word += 1;
        }
        wrong == 0
    }
    /// The levels that faces have, as bits; 0 if the table lacks some faces.
    #[inline(always)]
    pub fn levels(&self) -> u32 {
        let used = self.words.get(USED);
        if used & LOST != 0 { 0 } else { used }
    }
    /// Inserts a face into the cells of its level that its box covers. Returns bits for [`Self::inserted`].
    #[inline(always)]
    pub fn insert<const D: usize>(&self, table: CellTableView<'_>, placed: &Placed<D>, face: u32) -> u32 {
        let level = placed.level;
        let mut bits = 1 << level;
        placed.cells(level, |cell| {
            if !table.insert(hash(cell, level), placed.entry(face, level, cell).0) {
                bits |= LOST;
            }
        });
        bits
    }
    /// Records the result of inserting faces.
    #[inline(always)]
    pub fn inserted(&self, bits: u32) {
        atomic::fetch_or(self.words, USED, bits, Relaxed, Device);
    }
    /// Calls `visit` with the entries of a level and a cell whose boxes may meet a box there, each once, and
    /// with few others; and with the entry of the box itself.
    #[inline(always)]
    pub fn visit<const D: usize>(
        &self,
        table: CellTableView<'_>,
        placed: &Placed<D>,
        from_level: u32,
        mut visit: impl FnMut(u32, [i32; D], Entry, Entry),
    ) {
        let used = self.levels();
        let mut level = from_level;
        while level < LEVELS && used >> level != 0 {
            if used >> level & 1 == 1 {
                placed.cells(level, |cell| {
                    let own = placed.entry(0, level, cell);
                    table.visit(hash(cell, level), |entry| {
                        if Entry(entry).may_meet::<D>(own) {
                            visit(level, cell, Entry(entry), own);
                        }
                    });
                });
            }
            level += 1;
        }
    }
}

/// The factor that turns coordinates into places: a power of two. `size` is the exponent of the side of a
/// cell, as single precision stores it; it is increased if the largest coordinate needs it.
#[inline(always)]
pub fn places_per_unit(size: u32, largest: f32) -> f32 {
    let least = (largest.to_bits() >> 23) as i32 + 1 - CELL_BITS as i32;
    let size = (size as i32).max(least).max(1 + PARTS as i32);
    // 2 to the power of PARTS + 127 - size
    f32::from_bits(((2 * 127 + PARTS as i32 - size).max(1) as u32) << 23)
}
/// The place of a coordinate.
#[inline(always)]
pub fn place(x: f32, per_unit: f32) -> i32 {
    // farther than any place of a mesh
    let x = (x * per_unit).clamp(-FARTHEST, FARTHEST);
    let toward_zero = x as i32;
    toward_zero - (toward_zero as f32 > x) as i32
}

/// A box along `D` axes, by places, and its level.
#[derive(Clone, Copy)]
pub struct Placed<const D: usize> {
    low: [i32; D],
    high: [i32; D],
    /// The first level at which it covers at most two cells along each axis.
    pub level: u32,
}

impl<const D: usize> Placed<D> {
    /// The box between two places.
    #[inline(always)]
    pub fn new(low: [i32; D], high: [i32; D]) -> Self {
        let mut level = 0;
        while level + 1 < LEVELS && (0..D).any(|i| cell_of(high[i], level) - cell_of(low[i], level) > 1) {
            level += 1;
        }
        Self { low, high, level }
    }
    /// Calls `visit` with each cell of a level that it covers, at most two along each axis.
    #[inline(always)]
    pub fn cells(&self, level: u32, mut visit: impl FnMut([i32; D])) {
        let low: [i32; D] = self.low.map(|x| cell_of(x, level));
        let mut more = 0;
        for (i, low) in low.iter().enumerate() {
            more |= ((cell_of(self.high[i], level) != *low) as u32) << i;
        }
        // all subsets of the axes with a second cell
        let mut subset = 0;
        loop {
            let mut cell = low;
            for (i, x) in cell.iter_mut().enumerate() {
                *x += (subset >> i & 1) as i32;
            }
            visit(cell);
            if subset == more {
                return;
            }
            subset = (subset | !more).wrapping_add(1) & more;
        }
    }
    /// The entry of this face for a cell of a level.
    #[inline(always)]
    pub fn entry(&self, face: u32, level: u32, cell: [i32; D]) -> Entry {
        let mut bits = face as u64 | (level as u64) << LEVEL_AT;
        for (i, cell) in cell.into_iter().enumerate() {
            bits |= ((cell & 1) as u64) << (PARITY_AT + i as u32);
            bits |= ((cell_of(self.low[i], level) == cell) as u64) << (FIRST_AT + i as u32);
            // ends in sixteenths of the cell, of which it covers a part
            let end = |x: i32| ((x >> level) - (cell << PARTS)).clamp(0, (1 << PARTS) - 1) as u64;
            bits |= (end(self.low[i]) | end(self.high[i]) << PARTS) << (ENDS_AT + 2 * PARTS * i as u32);
        }
        Entry(bits)
    }
}

/// The cell of a place.
#[inline(always)]
pub fn cell_of(place: i32, level: u32) -> i32 {
    place >> (PARTS + level)
}

/// A number for a cell of a level that looks random.
#[inline(always)]
pub fn hash<const D: usize>(cell: [i32; D], level: u32) -> u32 {
    let mut bits = level as u64;
    for x in cell {
        bits = (bits ^ x as u32 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        bits ^= bits >> 32;
    }
    bits = bits.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (bits >> 32) as u32
}

/// A face in a cell: its number, the level, whether the cell's coordinates are odd, whether the cell is its
/// box's first one along each axis, and the ends of the box in sixteenths of the cell.
///
/// A box has at most two cells along each axis, one of them odd. Therefore an entry of a level whose box
/// covers a cell with the same parities belongs to this cell. This excludes entries that the table has
/// because the hash of another cell is the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry(pub u64);

impl Entry {
    /// The face.
    #[inline(always)]
    pub fn face(self) -> u32 {
        self.0 as u32 & ((1 << FACE_BITS) - 1)
    }
    /// Whether both entries are of the same level and of cells with the same parities, and their boxes may
    /// meet there.
    #[inline(always)]
    pub fn may_meet<const D: usize>(self, other: Self) -> bool {
        const SAME: u64 = ((1 << FIRST_AT) - 1) ^ ((1 << FACE_BITS) - 1);
        if (self.0 ^ other.0) & SAME != 0 {
            return false;
        }
        let ends = |bits: u64, i: usize| {
            let both = (bits >> (ENDS_AT + 2 * PARTS * i as u32)) as u32;
            (both & 15, both >> PARTS & 15)
        };
        (0..D).all(|i| {
            let ((low, high), (other_low, other_high)) = (ends(self.0, i), ends(other.0, i));
            low <= other_high && other_low <= high
        })
    }
    /// Whether the cell is the first of those that both boxes cover; exactly one cell of each pair is.
    #[inline(always)]
    pub fn is_first_with<const D: usize>(self, other: Self) -> bool {
        let all = ((1 << D) - 1) << FIRST_AT;
        (self.0 | other.0) & all == all
    }
    /// Whether the entry belongs to a cell of its level, given the lower corner of its box.
    #[inline(always)]
    pub fn is_of<const D: usize>(self, cell: [i32; D], low: [i32; D]) -> bool {
        let level = (self.0 >> LEVEL_AT) as u32 & 31;
        (0..D).all(|i| cell_of(low[i], level) + 1 == cell[i] + (self.0 >> (FIRST_AT + i as u32) & 1) as i32)
    }
}

#[cfg(all(test, not(target_arch = "nvptx64")))]
mod tests {
    use super::*;

    #[test]
    fn places_are_exact_and_ascend() {
        for (size, largest) in [(127, 1.0), (127 - 60, 1.0), (1, 1e-40), (254, f32::MAX), (1, f32::MAX)] {
            let per_unit = places_per_unit(size, largest);
            let at = |part: f32| place(largest * part, per_unit);
            let all = [-1.0, -0.5, -0.25, -1e-9, 0.0, 1e-9, 0.3, 0.5, 1.0].map(at);
            assert!(all.is_sorted(), "{size} {largest:e}: {all:?}");
            assert!(all[0] >= -(1 << (CELL_BITS + PARTS)) && all[8] <= 1 << (CELL_BITS + PARTS), "{all:?}");
            assert_eq!(at(0.0), 0);
        }
        // cells of side 1 with 16 places each
        let per_unit = places_per_unit(127, 100.0);
        assert_eq!([-1.0, -0.01, 0.0, 0.99, 1.0, 2.5].map(|x| place(x, per_unit)), [-16, -1, 0, 15, 16, 40]);
    }

    #[test]
    fn boxes_have_few_cells_and_share_one_first() {
        let mut random = 1_u32;
        let mut below = |n: i32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) as i32 % n
        };
        let most = 1 << (CELL_BITS + PARTS);
        for round in 0..20_000 {
            let spread = [40, 300, 5000, 2 * most][round % 4];
            let mut one = || {
                let low = [(); 3].map(|()| below(spread) - spread / 2);
                let high = low.map(|x| (x + below(spread)).min(most));
                Placed::new(low, high)
            };
            let (a, b) = (one(), one());
            let meet = (0..3).all(|i| a.low[i] <= b.high[i] && b.low[i] <= a.high[i]);
            let level = a.level.max(b.level);
            let mut firsts = 0;
            a.cells(level, |cell| {
                b.cells(level, |other| {
                    let [mine, of_b] = [a.entry(7, level, cell), b.entry(9, level, other)];
                    assert_eq!((mine.face(), of_b.face()), (7, 9));
                    assert!(of_b.is_of(other, b.low) && mine.is_of(cell, a.low));
                    if cell == other {
                        firsts += usize::from(mine.may_meet::<3>(of_b) && mine.is_first_with::<3>(of_b));
                    } else {
                        assert!(!of_b.is_of(cell, b.low));
                    }
                });
            });
            assert!(firsts == 1 || !meet, "{firsts}");
            let mut cells = vec![];
            a.cells(a.level, |cell| cells.push(cell));
            cells.sort_unstable();
            cells.dedup();
            assert!(cells.len() <= 8 && cells.contains(&a.high.map(|x| cell_of(x, a.level))));
        }
    }
}
