//! Welding of vertices that are near each other.
use crate::repair::RepairError;
use crate::repair::kernels::weld::{CELLS, FindNear, FirstVertices, HashCells, InsertPositions, MarkFirst};
use crate::repair::linked::set;
use glam::DVec3;
use ribbonmesh::{Buffer, array};
use ribbonmesh_mesh::{MeshError, OptionError};
use rustc_hash::FxHashMap;

/// No vertex.
const NONE: u32 = u32::MAX;
/// Most slots of a hash table.
const SLOTS: u64 = 1 << 31;

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
/// Each position gets a slot of a hash table, whose vertex becomes the first that is there: about linear, and
/// without a wait. With a distance above 0, cells are searched for positions near others, and the host welds
/// the vertices there, since each depends on those before it; others become the first at their position.
pub(crate) fn welded(positions: &Buffer<DVec3>, distance: f64) -> Result<Welded, RepairError> {
    if !(distance >= 0.0 && distance.is_finite()) {
        return Err(OptionError::value("weld", distance, "a finite number, 0 or above").into());
    }
    let (mut found, at) = first_at_places(positions)?;
    if distance > 0.0 {
        let list = near_others(positions, &at, &found.becomes, distance)?;
        let places = array::gather(positions, &list)?.read()?;
        let (list, to) = (list.read()?, weld(&places, distance));
        let becomes: Vec<u32> = to.into_iter().map(|to| list[to as usize]).collect();
        let others: Vec<u32> = list.iter().zip(&becomes).map(|(v, to)| u32::from(v != to)).collect();
        set(&mut found.becomes, &list, &becomes)?;
        set(&mut found.welded, &list, &others)?;
    }
    Ok(found)
}

/// Welds vertices at the same position. Also returns the slot of each position, [`NONE`] where it is not
/// finite.
pub(crate) fn first_at_places(positions: &Buffer<DVec3>) -> ribbonmesh::Result<(Welded, Buffer<u32>)> {
    let (device, n) = (positions.device().clone(), positions.len());
    // a slot is free, so that each search ends
    MeshError::at_most("vertices to weld", n, SLOTS - 1)?;
    let mut slots = device.unspecified::<u32>((2 * n).next_power_of_two().min(SLOTS as usize))?;
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
    Ok((Welded { becomes, welded }, at))
}

/// The vertices, ascending, at positions from which another position is at most `distance` away along each
/// axis. `at`: not [`NONE`] for finite positions; `first`: the first vertex at each position.
fn near_others(
    positions: &Buffer<DVec3>,
    at: &Buffer<u32>,
    first: &Buffer<u32>,
    distance: f64,
) -> ribbonmesh::Result<Buffer<u32>> {
    let (device, n) = (positions.device(), positions.len());
    let mut marks = device.unspecified::<u32>(n)?;
    let mark = MarkFirst { at: at.view(), becomes: first.view(), first: marks.view_mut() };
    device.launch_each(n as u32, mark)?;
    let list = array::select(&marks)?;
    let count = list.len() as u32;
    let mask = count.next_power_of_two() - 1;
    let mut buckets = device.unspecified::<u32>(list.len())?;
    let (vertices, places) = (list.view(), positions.view());
    let hash = HashCells { list: vertices, positions: places, distance, mask, buckets: buckets.view_mut() };
    device.launch_each(count, hash)?;
    let cells = array::group_by(&buckets, mask + 1)?;
    let mut near = device.zeros::<u32>(n)?;
    let find = FindNear {
        list: vertices,
        positions: places,
        distance,
        mask,
        cells: cells.view(),
        near: near.view_mut(),
    };
    device.launch_each(count, find)?;
    array::select(&array::gather(&near, first)?)
}
