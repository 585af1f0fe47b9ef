//! Sizes that follow from a bound of memory.
use crate::error::Bound;
use crate::gather::Tile;
use crate::level::Sizes;
use crate::{Result, TilesError};

/// Tiles that may be simplified at the same time: the memory of each is this part of the bound. Results
/// depend on it through the size of tiles, so it does not depend on the number of workers.
pub const SLOTS: u64 = 8;
/// The least bound of memory, in bytes.
pub const LEAST_MEMORY: u64 = 128_000_000;
/// The fewest faces of a tile: in smaller ones, borders have too many of them.
pub const FEWEST_FACES: u64 = 1_000;

/// Bytes of a process that has done nothing yet, with its threads and the memory that their allocators hold.
const PROCESS: u64 = 64_000_000;
/// Bytes that simplification takes at most for a face, its arrays on disk and its result included.
const PER_FACE: u64 = 400;
/// The same of remeshing, for a face of the larger one of tile and result.
const PER_REMESHED: u64 = 1000;
/// Bytes for a vertex of a block: position, quadric, tile.
const PER_VERTEX: u64 = 12 + 96 + 4;
const PER_POSITION: u64 = 12;

/// Numbers that fit into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Faces that may be worked on as a whole.
    pub whole: u64,
    /// Faces of a tile.
    pub tile: u64,
    /// The option that bounds these two.
    pub bound: Bound,
    /// Bytes of buffers.
    pub buffers: u64,
    /// Bytes of a block of vertices.
    block: u64,
}
impl Room {
    /// For a bound of memory, and with at most `faces` faces in a tile, if that is given.
    /// # Errors
    /// [`TilesError::Option`] for bounds that are too small.
    pub fn new(memory: u64, faces: Option<u64>) -> Result<Self> {
        Self::with(memory, faces, PER_FACE)
    }
    /// The same for remeshing.
    /// # Errors
    /// As [`Room::new`].
    pub fn of_remeshing(memory: u64, faces: Option<u64>) -> Result<Self> {
        Self::with(memory, faces, PER_REMESHED)
    }
    fn with(memory: u64, faces: Option<u64>, per_face: u64) -> Result<Self> {
        let refuse = |option, value: u64, least: u64| {
            let expected = format!("{least} or more");
            Err(TilesError::Option { option, value: value.to_string(), expected })
        };
        if memory < LEAST_MEMORY {
            return refuse("memory", memory, LEAST_MEMORY);
        }
        let free = memory - PROCESS;
        let whole = free / per_face;
        let tile = match faces {
            Some(faces) if faces < FEWEST_FACES => return refuse("tile faces", faces, FEWEST_FACES),
            Some(faces) if faces > whole / SLOTS => {
                let expected = format!("at most {} with this memory", whole / SLOTS);
                return Err(TilesError::Option { option: "tile faces", value: faces.to_string(), expected });
            }
            Some(faces) => faces,
            None => whole / SLOTS,
        };
        // one tile is the smallest case of several, so that tests may have small ones
        let whole = faces.map_or(whole, |faces| whole.min(faces * SLOTS));
        let bound = if faces.is_some() { Bound::TileFaces } else { Bound::Memory };
        Ok(Self { whole, tile, bound, buffers: free / 8, block: free / 2 })
    }
    /// Bytes of a table of the input's vertices.
    pub fn weld(&self) -> u64 {
        self.block
    }
    /// Numbers of vertices that fit at the same time.
    pub fn numbers(&self) -> u64 {
        self.block / size_of::<u32>() as u64
    }
    /// Bytes of trees that are kept.
    pub fn trees(&self) -> u64 {
        self.block
    }
    /// Vertices whose positions fit at the same time.
    pub fn positions(&self) -> u64 {
        self.block / PER_POSITION
    }
    /// Vertices whose positions, quadrics and tiles fit at the same time.
    pub fn vertices(&self) -> u64 {
        self.block / PER_VERTEX
    }
}

/// The work on a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The most faces of a tile.
    pub tile: u64,
    /// The faces that are to be left.
    pub goal: u64,
    /// Whether nothing is to follow when the goal is reached.
    pub last: bool,
    /// Whether tiles share the goal by the costs of their collapses: the same ones are too expensive
    /// everywhere. Else, each tile leaves the same part of its faces.
    pub by_costs: bool,
    /// Faces of a tile at which remeshing ends.
    pub most_faces: u64,
}

/// Faces left for the last work on all of the mesh, where costs are compared everywhere, in those that are
/// wanted.
const AMPLE: u64 = 3;
/// Where that does not fit: the faces that the last cuts leave, in those that are wanted. The last steps are
/// small, so that what stays at their borders is hardly finer than the rest.
const NEAR: [f64; 6] = [2.0, 1.25, 1.1, 1.04, 1.015, 1.0];
/// Faces in those that are wanted, from which on costs are compared between tiles: for that, each is
/// simplified twice.
const SMALL: f64 = 4.0;
/// Faces at which remeshing of a tile ends, in those that a tile has or is expected to get: before the first
/// collapse there are more.
const MOST: u64 = 2;
/// A cut leaves less than it has by this factor at least.
const STEP: f64 = 1.01;

impl Plan {
    /// Of a level with these sizes, for a wanted number of faces.
    pub fn new(Sizes { faces, .. }: Sizes, wanted: u64, room: &Room) -> Self {
        let most_faces = u64::MAX;
        if faces <= room.whole {
            return Self { tile: room.whole, goal: wanted, last: true, by_costs: false, most_faces };
        }
        let ample = wanted.saturating_mul(AMPLE);
        // borders stay, which is why there is room for more
        if ample <= room.whole / 10 * 8 {
            let goal = ample.max(room.whole / 2).min(faces / 2);
            return Self { tile: room.tile, goal, last: goal <= wanted, by_costs: false, most_faces };
        }
        let left = faces as f64 / wanted as f64;
        let part = NEAR.into_iter().find(|part| left > STEP * part).unwrap_or(1.0);
        let goal = (part * wanted as f64) as u64;
        // the first cut finds the same shape everywhere, and takes most of the time
        Self { tile: room.tile, goal, last: goal <= wanted, by_costs: left <= SMALL, most_faces }
    }
    /// Of a level of remeshing with these sizes, which has about `expected` faces in the end.
    pub fn of_remeshing(Sizes { faces, .. }: Sizes, expected: u64, room: &Room) -> Self {
        let grown = expected.max(faces) as f64 / faces.max(1) as f64;
        let fits = |room: u64| (room as f64 / grown) as u64;
        let plan = Self { tile: 0, goal: expected, last: false, by_costs: false, most_faces: 0 };
        if faces <= fits(room.whole) {
            return Self { tile: room.whole, most_faces: MOST * room.whole, ..plan };
        }
        // fewer faces are too dense for a grid; what is too much for a tile then is done in the next level
        Self { tile: fits(room.tile).max(FEWEST_FACES), most_faces: MOST * room.tile, ..plan }
    }
    /// A line about the work on a level.
    pub fn line(&self, number: u32, Sizes { faces, .. }: Sizes, tiles: &[Tile]) -> String {
        let largest = tiles.iter().map(|tile| tile.faces).max().unwrap_or(0);
        let (count, to) = (tiles.len(), self.goal);
        format!("level {number}: {faces} faces in {count} tiles of at most {largest}, to {to}")
    }
}
