//! The work on tiles, each by itself.
use crate::blame::blame;
use crate::disk::{NO_QUADRIC, Row};
use crate::frame::Frame;
use crate::gather::{Span, Tile};
use crate::level::{Array, Level};
use crate::plan::SLOTS;
use crate::results::{self, Vertex};
use crate::{Result, TilesError, disk};
use glam::DVec3;
use ribbonmesh_remeshing::simplify::quadric::Quadric;
use ribbonmesh_remeshing::simplify::{Part, PartOptions, simplify_part};
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// The work on a level.
pub struct Work<'a> {
    pub level: &'a Level,
    pub frame: &'a Frame,
    /// The places of tiles in their arrays.
    pub spans: Vec<Span>,
    /// Faces that are to be left of each tile.
    pub goals: Vec<u64>,
    /// Options; the number of faces is that of a tile.
    pub options: PartOptions,
}

/// Faces that are to be left of each tile, `goal` altogether: all that stay, and the same part of the others
/// everywhere. Where more than the goal stay, the same part of all faces, which none can reach.
pub fn goals(tiles: &[Tile], goal: u64) -> Vec<u64> {
    let faces: u64 = tiles.iter().map(|tile| tile.faces).sum();
    let stay: u64 = tiles.iter().map(|tile| tile.stay).sum();
    // exact: the sum up to each tile is rounded, not each number
    let (mut before, mut given) = (0, 0);
    let share = |before: u64, [goal, of]: [u64; 2]| {
        (u128::from(before) * u128::from(goal) / u128::from(of.max(1))) as u64
    };
    tiles
        .iter()
        .map(|tile| {
            let (own, rest) =
                if goal > stay { (tile.stay, [goal - stay, faces - stay]) } else { (0, [goal, faces]) };
            before += tile.faces - own;
            let sum = share(before, rest);
            let part = sum - given;
            given = sum;
            own + part
        })
        .collect()
}

impl Work<'_> {
    /// Simplifies all tiles whose results are not there, `workers` of them at the same time.
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
        let path = self.level.result(tile);
        match results::read(&path) {
            Ok(Some(_)) => return Ok(()),
            // a machine that failed may have left a part of the file: the tile is done again
            Ok(None) | Err(TilesError::Damaged { .. }) => {}
            Err(error) => return Err(error),
        }
        let (part, ids) = self.load(tile)?;
        let options = PartOptions { faces: self.goals[tile].min(u32::MAX.into()) as u32, ..self.options };
        let Some(done) = simplify_part(part, &options)? else {
            return Err(blame(&self.load(tile)?.0, self.frame));
        };
        let vertex = |v: usize| Vertex {
            position: done.part.positions[v].to_array(),
            id: ids[done.sources[v] as usize],
            fixed: done.part.fixed[v].into(),
            quadric: row(&done.part.quadrics[v]),
        };
        let vertices: Vec<_> = (0..done.part.positions.len()).map(vertex).collect();
        results::write(&path, &vertices, &done.part.triangles)
    }
    fn load(&self, tile: usize) -> Result<(Part, Vec<u32>)> {
        let Span { faces: [face, faces], vertices: [vertex, vertices] } = self.spans[tile];
        let file = |array| self.level.array(array);
        let fixed: Vec<u8> = disk::read(&file(Array::Fixed), vertex, vertices as usize)?;
        let mut quadrics = vec![];
        if self.level.has_quadrics() {
            quadrics.reserve_exact(vertices as usize);
            disk::each_piece(&file(Array::Quadrics), [vertex, vertices], |rows: &[Row]| {
                quadrics.extend(rows.iter().map(quadric));
                Ok(())
            })?;
        }
        let part = Part {
            positions: disk::read(&file(Array::Vertices), vertex, vertices as usize)?,
            triangles: disk::read(&file(Array::Faces), face, faces as usize)?,
            fixed: fixed.into_iter().map(|fixed| fixed != 0).collect(),
            quadrics,
        };
        Ok((part, disk::read(&file(Array::Ids), vertex, vertices as usize)?))
    }
}

fn quadric(&[a0, a1, a2, a3, a4, a5, x, y, z, c, area, drift]: &Row) -> Quadric {
    Quadric { a: [a0, a1, a2, a3, a4, a5], b: DVec3::new(x, y, z), c, area, drift }
}
fn row(q: &Quadric) -> Row {
    if q.area == 0.0 {
        return NO_QUADRIC;
    }
    let ([a0, a1, a2, a3, a4, a5], b) = (q.a, q.b);
    [a0, a1, a2, a3, a4, a5, b.x, b.y, b.z, q.c, q.area, q.drift]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_exact_and_leave_what_stays() {
        let tiles: Vec<_> =
            (0..17).map(|i| Tile { faces: 1_000 + 37 * i, vertices: 0, stay: 10 * i }).collect();
        for goal in [2_000, 9_999, 20_000] {
            let goals = goals(&tiles, goal);
            assert_eq!(goals.iter().sum::<u64>(), goal);
            assert!(goals.iter().zip(&tiles).all(|(&goal, tile)| (tile.stay..=tile.faces).contains(&goal)));
        }
        assert_eq!(goals(&tiles, 100).iter().sum::<u64>(), 100);
    }
}
