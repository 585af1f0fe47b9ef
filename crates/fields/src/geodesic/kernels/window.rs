//! The window of levels that an iteration updates.

/// The lowest and the highest of some levels, as minima for atomics: the lower half has the lowest level, the
/// upper half all ones minus the highest.
pub type Bounds = u64;
/// The bounds of no level.
pub const NOTHING: Bounds = u64::MAX;

/// The bounds of one level.
#[inline(always)]
pub fn bounds_of(level: u32) -> Bounds {
    level as u64 | (!level as u64) << 32
}
/// The bounds of both sets of levels.
#[inline(always)]
pub fn together(a: Bounds, b: Bounds) -> Bounds {
    let (low, high) = ((a as u32).min(b as u32), ((a >> 32) as u32).min((b >> 32) as u32));
    low as u64 | (high as u64) << 32
}
#[inline(always)]
fn lowest(b: Bounds) -> u32 {
    b as u32
}
#[inline(always)]
fn highest(b: Bounds) -> u32 {
    !((b >> 32) as u32)
}

/// The window of an iteration.
///
/// Its lower end is one level below the lowest in which a distance changed in the last two iterations: the
/// last changes have to reach their neighbours, and the changes before have to be written to both states. The
/// window grows by a level when no distances changed except in its uppermost level: distances that are not
/// final yet are not passed on, since everything computed from them would be computed again.
#[repr(C)]
#[derive(Clone, Copy, ribbonmesh::device::Parameter)]
pub struct Window {
    levels: u32,
    /// End of the levels that have distances, or get them in this iteration.
    end: u32,
    /// The level that gets them in this iteration; 0 if there is none.
    touched: u32,
    last: Bounds,
    before: Bounds,
}
impl Window {
    /// The window of the first iteration: the sources and the level around them, of `levels` in all.
    #[inline(always)]
    pub fn first(levels: u32) -> Self {
        let (last, before) = (bounds_of(0), bounds_of(0));
        Self { levels, end: if levels < 2 { levels } else { 2 }, touched: 1, last, before }
    }
    /// The window of the next iteration, given the levels in which distances changed; `None` if all are
    /// final.
    #[inline(always)]
    pub fn next(self, changed: Bounds) -> Option<Self> {
        let more = self.end < self.levels;
        if changed == NOTHING && !more {
            return None;
        }
        let settled = changed == NOTHING || lowest(changed) + 1 >= self.end;
        let (end, touched) = if settled && more { (self.end + 1, self.end) } else { (self.end, 0) };
        Some(Self { end, touched, last: changed, before: self.last, ..self })
    }
    /// Its levels: the first one, and the end.
    #[inline(always)]
    pub fn range(self) -> (u32, u32) {
        let changed = together(self.last, self.before);
        if changed == NOTHING {
            return (self.touched, self.end);
        }
        let (low, high) = (lowest(changed), highest(changed) + 2);
        let top = if self.touched > 0 || high > self.end { self.end } else { high };
        (if low > 0 { low - 1 } else { 0 }, top)
    }
    /// Whether a level gets its first distances in this iteration.
    #[inline(always)]
    pub fn touches(self, level: u32) -> bool {
        level > 0 && level == self.touched
    }
}
