//! Welding of vertices that are near each other.
use glam::DVec3;
use rustc_hash::FxHashMap;

/// No vertex.
const NONE: u32 = u32::MAX;
/// Number of cells beyond which cells are narrower than the rounding of the coordinates.
const CELLS: f64 = (1_u64 << 52) as f64;

/// A coordinate's cell, or the coordinate itself if cells are too narrow.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Cell {
    Number(i64),
    Exact(u64),
}

impl Cell {
    fn of(x: f64, distance: f64) -> Self {
        // 0 and −0 are the same coordinate
        let exact = Self::Exact(if x == 0.0 { 0 } else { x.to_bits() });
        let cell = (x / distance).floor();
        if distance > 0.0 && cell.abs() < CELLS { Self::Number(cell as i64) } else { exact }
    }
    /// The cells with coordinates at most a cell away.
    fn near(self) -> impl Iterator<Item = Self> {
        let numbers = match self {
            Self::Number(cell) => cell - 1..=cell + 1,
            Self::Exact(_) => 0..=0,
        };
        numbers.map(move |cell| if let Self::Number(_) = self { Self::Number(cell) } else { self })
    }
}

/// Finds for each vertex the one that it becomes: itself, or the nearest earlier vertex that stays and is at
/// most `distance` away, the first of several. Vertices that stay are farther apart than that. A vertex whose
/// position is not finite is not welded. About linear: a box as wide as the distance has few vertices that
/// stay.
pub(crate) fn weld(positions: &[DVec3], distance: f64) -> Vec<u32> {
    // the last vertex that stayed in each cell, and for each vertex the one that stayed before it in its cell
    let mut last: FxHashMap<[Cell; 3], u32> = FxHashMap::default();
    let mut previous = vec![NONE; positions.len()];
    let mut becomes: Vec<u32> = (0..positions.len() as u32).collect();
    for (v, &position) in positions.iter().enumerate().filter(|(_, position)| position.is_finite()) {
        let [x, y, z] = position.to_array().map(|x| Cell::of(x, distance));
        let mut nearest = (distance, NONE);
        for x in x.near() {
            for y in y.near() {
                for z in z.near() {
                    let mut other = last.get(&[x, y, z]).copied().unwrap_or(NONE);
                    while other != NONE {
                        let [x, y, z] = (position - positions[other as usize]).to_array();
                        // hypot, since squares of very great or small numbers overflow or underflow
                        let away = x.hypot(y).hypot(z);
                        if away <= distance && (away, other) < nearest {
                            nearest = (away, other);
                        }
                        other = previous[other as usize];
                    }
                }
            }
        }
        if nearest.1 == NONE {
            previous[v] = last.insert([x, y, z], v as u32).unwrap_or(NONE);
        } else {
            becomes[v] = nearest.1;
        }
    }
    becomes
}
