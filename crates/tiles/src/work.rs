//! The work on tiles, each by itself.
use crate::disk::Row;
use crate::gather::Span;
use crate::level::{Array, Level};
use crate::plan::SLOTS;
use crate::results;
use crate::task::{About, Aim, Task};
use crate::{Result, TilesError, disk};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// The work on the tiles of a level.
pub struct Work {
    pub level: Level,
    /// The places of tiles in their arrays.
    pub spans: Vec<Span>,
    /// Faces that are to be left of each tile; empty where it is not simplified.
    pub goals: Vec<u64>,
    /// The numbers of a task, without the goal of a tile.
    pub about: About,
}

impl Work {
    /// Does the work on all tiles whose results are not there, `workers` of them at the same time.
    /// # Errors
    /// Those of the first tile that fails.
    pub fn run(&self, workers: usize) -> Result<()> {
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let error = Mutex::new(None);
        let take = || {
            while !failed.load(Ordering::Relaxed) {
                let tile = next.fetch_add(1, Ordering::Relaxed);
                if tile >= self.spans.len() {
                    break;
                }
                if let Err(reason) = self.tile(tile) {
                    failed.store(true, Ordering::Relaxed);
                    if let Ok(mut error) = error.lock() {
                        // of several, that of the first tile
                        if error.as_ref().is_none_or(|&(known, _)| tile < known) {
                            *error = Some((tile, reason));
                        }
                    }
                }
            }
        };
        let workers = workers.min(SLOTS as usize).min(self.spans.len());
        thread::scope(|scope| {
            let threads: Vec<_> = (1..workers).map(|_| scope.spawn(take)).collect();
            take();
            for thread in threads {
                if let Err(panic) = thread.join() {
                    resume_unwind(panic);
                }
            }
        });
        match error.into_inner() {
            Ok(Some((_, reason))) => Err(reason),
            _ => Ok(()),
        }
    }
    fn tile(&self, tile: usize) -> Result<()> {
        if self.is_done(tile)? { Ok(()) } else { self.put(tile, &self.task(tile)?.run()?) }
    }
    fn path(&self, tile: usize) -> PathBuf {
        match self.about.aim {
            Aim::Costs(_) => self.level.costs(tile),
            Aim::Simplify(_) | Aim::Remesh { .. } => self.level.result(tile),
        }
    }
    /// Whether the result of a tile is there.
    pub fn is_done(&self, tile: usize) -> Result<bool> {
        let path = self.path(tile);
        if let Aim::Costs(_) = self.about.aim {
            return path.try_exists().map_err(disk::failed(&path));
        }
        match results::read(&path) {
            Ok(found) => Ok(found.is_some()),
            // a machine that failed may have left a part of the file: the tile is done again
            Err(TilesError::Damaged { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }
    /// Keeps the result of a tile.
    pub fn put(&self, tile: usize, bytes: &[u8]) -> Result<()> {
        match self.about.aim {
            Aim::Costs(_) => disk::write_whole(&self.path(tile), &[bytes], true),
            Aim::Simplify(_) | Aim::Remesh { .. } => results::write(&self.path(tile), bytes),
        }
    }
    /// The work on a tile.
    pub fn task(&self, tile: usize) -> Result<Task> {
        let Span { faces: [face, faces], vertices: [vertex, vertices] } = self.spans[tile];
        let file = |array| self.level.array(array);
        let quadrics: Vec<Row> = match self.level.has_quadrics() {
            true => disk::read(&file(Array::Quadrics), vertex, vertices as usize)?,
            false => vec![],
        };
        let lengths: Vec<f32> = match self.level.has_lengths() {
            true => disk::read(&file(Array::Lengths), vertex, vertices as usize)?,
            false => vec![],
        };
        Ok(Task {
            about: self.about_tile(tile),
            positions: disk::read(&file(Array::Vertices), vertex, vertices as usize)?,
            faces: disk::read(&file(Array::Faces), face, faces as usize)?,
            fixed: disk::read(&file(Array::Fixed), vertex, vertices as usize)?,
            ids: disk::read(&file(Array::Ids), vertex, vertices as usize)?,
            quadrics,
            lengths,
        })
    }
    fn about_tile(&self, tile: usize) -> About {
        let mut about = self.about;
        if let Aim::Costs(shape) | Aim::Simplify(shape) = &mut about.aim {
            shape.goal = self.goals[tile].min(u32::MAX.into()) as u32;
        }
        about
    }
    /// The costs of all tiles.
    pub fn costs(&self) -> Result<Vec<Vec<u32>>> {
        let read = |path: &Path| {
            let bytes = std::fs::read(path).map_err(disk::failed(path))?;
            Ok(bytemuck::pod_collect_to_vec(&bytes))
        };
        (0..self.spans.len()).map(|tile| read(&self.level.costs(tile))).collect()
    }
}
