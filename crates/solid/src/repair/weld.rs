//! Welding of vertices that are near each other.
use crate::repair::RepairError;
use crate::repair::kernels::{FirstVertices, InsertPositions};
use glam::DVec3;
use ribbonmesh::{Buffer, array};
use ribbonmesh_mesh::OptionError;
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

/// Vertices that become others, on a device.
pub(crate) struct Welded {
    /// The vertex that each becomes.
    pub becomes: Buffer<u32>,
    /// 1 where that is another one, else 0.
    pub welded: Buffer<u32>,
}

/// Welds vertices on a device: as [`weld`].
///
/// With a distance of 0 each position gets a slot of a hash table, whose vertex becomes the first that is
/// there: about linear, and without a wait. Otherwise the host welds, since each vertex depends on those
/// before it.
pub(crate) fn welded(positions: &Buffer<DVec3>, distance: f64) -> Result<Welded, RepairError> {
    if !(distance >= 0.0 && distance.is_finite()) {
        return Err(OptionError::value("weld", distance, "a finite number, 0 or above").into());
    }
    let (device, n) = (positions.device().clone(), positions.len());
    let mut slots = device.unspecified::<u32>((2 * n).next_power_of_two())?;
    array::fill(&mut slots, NONE)?;
    let mut at = device.unspecified::<u32>(n)?;
    let insert = InsertPositions { positions: positions.view(), slots: slots.view_mut(), at: at.view_mut() };
    device.launch_each(n as u32, insert)?;
    let mut becomes = device.unspecified::<u32>(n)?;
    let mut welded = device.unspecified::<u32>(n)?;
    let first = FirstVertices {
        slots: slots.view(),
        at: at.view(),
        becomes: becomes.view_mut(),
        welded: welded.view_mut(),
    };
    device.launch_each(n as u32, first)?;
    if distance > 0.0 {
        let all = weld(&positions.read()?, distance);
        let others: Vec<u32> = (0..).zip(&all).map(|(v, &to)| u32::from(v != to)).collect();
        return Ok(Welded { becomes: device.upload(&all)?, welded: device.upload(&others)? });
    }
    Ok(Welded { becomes, welded })
}
