//! Faces counted along the curve, and cut into tiles.
use crate::blocks::Blocks;
use crate::curve::{Grid, LEVELS};
use crate::disk::Writer;
use crate::error::Bound;
use crate::frame::Frame;
use crate::level::{Array, Level, Sizes};
use crate::plan::Room;
use crate::spill::Spill;
use crate::{Result, TilesError, disk};
use glam::Vec3;
use std::collections::BTreeMap;

/// Halvings of the grid on which faces are counted first, and those that are added where they are many.
const COARSE: u32 = 7;
const FINER: u32 = 2;
/// Tiles are filled by cells of at most a part of a tile.
const CELLS: u64 = 8;

/// Numbers of faces by cells of the curve: of coarse cells, and of finer ones in those that have many.
struct Cells {
    coarse: Vec<u64>,
    /// By halvings and the key of the cell that is divided.
    divided: BTreeMap<(u32, u64), Vec<u64>>,
}
impl Cells {
    fn empty() -> Self {
        Self { coarse: vec![0; 1 << (3 * COARSE)], divided: BTreeMap::new() }
    }
    /// Counts all faces on the coarse grid, or in cells divided at `levels`.
    fn count(&mut self, blocks: &Blocks<'_>, grid: &Grid, levels: u32) -> Result<()> {
        blocks.each_face(|_, p| {
            if levels == 0 {
                self.coarse[grid.key(p, COARSE) as usize] += 1;
                return Ok(());
            }
            let key = grid.key(p, levels + FINER);
            if let Some(cells) = self.divided.get_mut(&(levels, key >> (3 * FINER))) {
                cells[key as usize & ((1 << (3 * FINER)) - 1)] += 1;
            }
            Ok(())
        })
    }
    /// Divides the cells with more than `most` faces of the finest grid up to now; false if there are none.
    fn divide(&mut self, levels: u32, most: u64) -> bool {
        let large = |(key, &count): (usize, &u64)| (count > most).then_some(key as u64);
        let keys: Vec<u64> = if levels == COARSE {
            self.coarse.iter().enumerate().filter_map(large).collect()
        } else {
            let of_level = self.divided.range((levels - FINER, 0)..(levels, 0));
            let cells = |(&(_, key), cells): (&(u32, u64), &Vec<u64>)| {
                let keys: Vec<u64> = cells.iter().enumerate().filter_map(large).collect();
                keys.into_iter().map(move |cell| key << (3 * FINER) | cell)
            };
            of_level.flat_map(cells).collect()
        };
        self.divided.extend(keys.iter().map(|&key| ((levels, key), vec![0; 1 << (3 * FINER)])));
        !keys.is_empty()
    }
    /// Gives the cells with faces that are not divided, along the curve: the end of each on the finest grid,
    /// and its number of faces.
    fn each(&self, mut visit: impl FnMut(u64, u64)) {
        for (key, &count) in self.coarse.iter().enumerate() {
            self.each_in(COARSE, key as u64, count, &mut visit);
        }
    }
    fn each_in(&self, levels: u32, key: u64, count: u64, visit: &mut impl FnMut(u64, u64)) {
        match self.divided.get(&(levels, key)) {
            Some(cells) => {
                for (cell, &count) in cells.iter().enumerate() {
                    self.each_in(levels + FINER, key << (3 * FINER) | cell as u64, count, visit);
                }
            }
            None if count > 0 => visit((key + 1) << (3 * (LEVELS - levels)), count),
            None => {}
        }
    }
}

/// The tiles by the ends of their keys.
struct Ends {
    ends: Vec<u64>,
    /// Number of faces of each tile.
    counts: Vec<u64>,
    /// The tile of each coarse cell that is in one; else [`u32::MAX`].
    coarse: Vec<u32>,
}
impl Ends {
    fn new(cells: &Cells, faces: u64) -> Self {
        let (mut ends, mut counts): (Vec<u64>, Vec<u64>) = (vec![], vec![]);
        cells.each(|end, count| match (ends.last_mut(), counts.last_mut()) {
            (Some(last), Some(filled)) if *filled + count <= faces => {
                *last = end;
                *filled += count;
            }
            _ => {
                ends.push(end);
                counts.push(count);
            }
        });
        let tile_of = |key: u64| ends.partition_point(|&end| end <= key).min(ends.len() - 1) as u32;
        let shift = 3 * (LEVELS - COARSE);
        let of_cell = |cell: u64| {
            let tile = tile_of(cell << shift);
            if tile == tile_of(((cell + 1) << shift) - 1) { tile } else { u32::MAX }
        };
        let coarse = (0..cells.coarse.len() as u64).map(of_cell).collect();
        Self { ends, counts, coarse }
    }
    fn of(&self, grid: &Grid, p: Vec3) -> usize {
        match self.coarse[grid.key(p, COARSE) as usize] {
            u32::MAX => self.ends.partition_point(|&end| end <= grid.key(p, LEVELS)),
            tile => tile as usize,
        }
    }
}

/// Writes the faces of a level tile by tile, at most `faces` of them each, with corners by numbers in the
/// level. A face belongs to the tile of its first corner. Returns the numbers of faces of the tiles.
pub fn cut(level: &Level, sizes: Sizes, frame: &Frame, faces: u64, room: &Room) -> Result<Vec<u64>> {
    disk::empty_folder(&level.tiles())?;
    let grid = Grid::of_level(frame, level.number);
    let tiles = sizes.faces.div_ceil(faces);
    if tiles <= 1 {
        let mut out = Writer::create(level.array(Array::Corners))?;
        disk::each_piece(&level.faces(), [0, sizes.faces], |faces: &[[u32; 3]]| out.add(faces))?;
        out.finish()?;
        return Ok(vec![sizes.faces]);
    }
    let blocks = Blocks::new(level, sizes, room.positions(), room.buffers)?;
    // tiles of about equal size
    let wanted = sizes.faces.div_ceil(tiles) + faces.div_ceil(CELLS) / 2;
    let ends = {
        let mut cells = Cells::empty();
        cells.count(&blocks, &grid, 0)?;
        let mut levels = COARSE;
        while cells.divide(levels, faces.div_ceil(CELLS)) {
            if levels + FINER > LEVELS {
                return Err(dense(&blocks, &grid, &cells, frame, (faces, room.bound)));
            }
            cells.count(&blocks, &grid, levels)?;
            levels += FINER;
        }
        Ends::new(&cells, wanted.min(faces))
    };
    let mut spill = Spill::create(level.array(Array::Corners), &ends.counts, room.buffers)?;
    blocks.each_face(|face, p| spill.add(ends.of(&grid, p), face))?;
    spill.finish()?;
    Ok(ends.counts)
}

/// The error of a cell of the finest grid with too many faces.
fn dense(
    blocks: &Blocks<'_>,
    grid: &Grid,
    cells: &Cells,
    frame: &Frame,
    (faces, bound): (u64, Bound),
) -> TilesError {
    let mut at = Vec3::ZERO;
    let found = blocks.each_face(|_, p| {
        if cells.divided.contains_key(&(LEVELS, grid.key(p, LEVELS))) {
            at = p;
        }
        Ok(())
    });
    match found {
        Ok(()) => TilesError::Dense { faces: faces.div_ceil(CELLS), at: frame.outside(at).to_array(), bound },
        Err(error) => error,
    }
}
