//! Simplification round by round.
use crate::cut::cut;
use crate::gather::{gather, spans};
use crate::goals::{deeper, goals, goals_by_costs};
use crate::join::join;
use crate::level::Level;
use crate::manifest::{LevelReport, Manifest, Request};
use crate::output::Output;
use crate::plan::{Plan, Room};
use crate::simplify::{SimplifyTiles, TilesReport, lock, read};
use crate::task::{About, Aim};
use crate::work::Work;
use crate::{Result, disk};
use ribbonmesh_io::{MeshStream, check_output};
use std::fs::File;
use std::path::{Path, PathBuf};

/// More levels than any mesh takes that becomes smaller with each one.
const LEVELS: u32 = 64;

/// A run of [`simplify`](crate::simplify()), whose tiles anyone may work on: threads, processes, or tasks of
/// a scheduler on other machines.
///
/// ```no_run
/// # use ribbonmesh_tiles::{Result, Run, SimplifyTiles, work_on};
/// # fn simplify(options: SimplifyTiles) -> Result<()> {
/// let mut run = Run::open("in.ply".as_ref(), "out.ply".as_ref(), options)?;
/// while let Some(tiles) = run.round(&mut |line| eprintln!("{line}"))? {
///     for tile in tiles {
///         // the bytes of the task and those of the result may travel
///         let result = work_on(&run.task(tile)?)?;
///         run.put(tile, &result)?;
///     }
/// }
/// run.finish()?;
/// # Ok(())
/// # }
/// ```
pub struct Run {
    output: PathBuf,
    options: SimplifyTiles,
    pub(crate) room: Room,
    pub(crate) state: Manifest,
    left_out: Vec<String>,
    resumed: bool,
    /// The work of the present round.
    work: Option<Work>,
    lock: File,
}

impl Run {
    /// Reads the input, or goes on with what an earlier run has left in the folder.
    /// # Errors
    /// [`TilesError`](crate::TilesError).
    pub fn open(from: &Path, output: &Path, options: SimplifyTiles) -> Result<Self> {
        options.check()?;
        let room = Room::new(options.memory, options.tile_faces)?;
        check_output(output)?;
        Output::format(output)?;
        let stream = MeshStream::open(from)?;
        std::fs::create_dir_all(&options.work).map_err(disk::failed(&options.work))?;
        let lock = lock(&options.work)?;
        let request = Request::new(from, options.text())?;
        let known = Manifest::load(&options.work, &request)?;
        let resumed = known.is_some();
        let state = match known {
            Some(known) => known,
            None => read(&stream, &options, request, &room)?,
        };
        let (output, left_out) = (output.into(), stream.left_out());
        Ok(Self { output, options, room, state, left_out, resumed, work: None, lock })
    }
    /// Whether the run goes on from what another one has left.
    pub fn resumed(&self) -> bool {
        self.resumed
    }
    /// Ends the round before, whose tiles must be done, and begins the next one: returns its tiles whose
    /// results are not there, or [`None`] when the mesh is as it should be. `say` gets a line for each level.
    /// # Errors
    /// [`TilesError`](crate::TilesError); of a round whose tiles are not done,
    /// [`Damaged`](crate::TilesError::Damaged).
    pub fn round(&mut self, say: &mut dyn FnMut(String)) -> Result<Option<Vec<usize>>> {
        match self.work.take() {
            Some(work) if work.about.aim == Aim::Tile => self.join(&work)?,
            Some(work) => {
                let plan = self.plan();
                let tiles = self.state.tiles.as_deref().unwrap_or_default();
                let goals = goals_by_costs(tiles, &work.costs()?, plan.goal);
                let about = About { aim: Aim::Tile, ..work.about };
                return self.begin(Work { goals, about, ..work }).map(Some);
            }
            None => {}
        }
        if self.state.complete {
            return Ok(None);
        }
        self.cut()?;
        let (plan, level) = (self.plan(), self.level());
        let tiles = self.state.tiles.as_deref().unwrap_or_default();
        let largest = tiles.iter().map(|tile| tile.faces).max().unwrap_or(0);
        let (number, count, faces) = (self.state.level, tiles.len(), self.state.sizes.faces);
        say(format!("level {number}: {faces} faces in {count} tiles of at most {largest}, to {}", plan.goal));
        let same = goals(tiles, plan.goal);
        let (aim, goals) = if plan.by_costs { (Aim::Costs, deeper(&same)) } else { (Aim::Tile, same) };
        let SimplifyTiles { feature_angle, curve_weight, max_turn, .. } = self.options;
        let about = About { aim, goal: 0, feature_angle, curve_weight, max_turn, frame: self.state.frame };
        self.begin(Work { level, spans: spans(tiles), goals, about }).map(Some)
    }
    /// The work on a tile of this round, as bytes for [`work_on`](crate::work_on()).
    /// # Errors
    /// The disk; [`TilesError::Task`](crate::TilesError::Task) for a tile that the round does not have.
    pub fn task(&self, tile: usize) -> Result<Vec<u8>> {
        Ok(self.work_of(tile)?.task(tile)?.bytes())
    }
    /// Keeps the result of a tile of this round.
    /// # Errors
    /// The disk; [`TilesError::Task`](crate::TilesError::Task) for a tile that the round does not have;
    /// [`TilesError::Damaged`](crate::TilesError::Damaged) for bytes that are no result.
    pub fn put(&self, tile: usize, result: &[u8]) -> Result<()> {
        self.work_of(tile)?.put(tile, result)
    }
    /// Works on all tiles of this round that are not done, by so many threads.
    /// # Errors
    /// Those of the first tile that fails.
    pub fn work(&self, threads: usize) -> Result<()> {
        self.work.as_ref().map_or(Ok(()), |work| work.run(threads))
    }
    /// Writes the output, and removes the folder unless it is to be kept.
    /// # Errors
    /// The disk; [`TilesError::Task`](crate::TilesError::Task) before the last round.
    pub fn finish(self) -> Result<TilesReport> {
        if !self.state.complete {
            return Err(crate::TilesError::Task);
        }
        let (level, sizes, frame, room) = (&self.level(), self.state.sizes, &self.state.frame, &self.room);
        Output { level, sizes, frame, normals: None, room }.write(&self.output)?;
        let Self { options, state, left_out, resumed, lock, .. } = self;
        drop(lock);
        if !options.keep {
            disk::remove_folder(&options.work)?;
        }
        Ok(TilesReport {
            before: state.input,
            after: state.sizes,
            target_faces: state.wanted,
            levels: state.levels,
            left_out,
            resumed,
        })
    }

    pub(crate) fn level(&self) -> Level {
        Level::new(&self.options.work, self.state.level)
    }
    fn plan(&self) -> Plan {
        Plan::new(self.state.sizes, self.state.wanted, &self.room)
    }
    fn work_of(&self, tile: usize) -> Result<&Work> {
        let work = self.work.as_ref().filter(|work| tile < work.spans.len());
        work.ok_or(crate::TilesError::Task)
    }
    fn begin(&mut self, work: Work) -> Result<Vec<usize>> {
        let mut missing = vec![];
        for tile in 0..work.spans.len() {
            if !work.is_done(tile)? {
                missing.push(tile);
            }
        }
        self.work = Some(work);
        Ok(missing)
    }
    /// Cuts the mesh of the level into tiles, if it is not cut.
    fn cut(&mut self) -> Result<()> {
        let (level, plan, state) = (self.level(), self.plan(), &mut self.state);
        if state.tiles.is_none() {
            disk::empty_folder(&level.results())?;
            let counts = cut(&level, state.sizes, &state.frame, plan.tile, &self.room)?;
            state.tiles = Some(gather(&level, state.sizes, &counts, &self.room)?);
            state.save(&self.options.work)?;
        }
        Ok(())
    }
    /// Joins the results of tiles to the mesh of the next level.
    fn join(&mut self, work: &Work) -> Result<()> {
        let (plan, state) = (self.plan(), &mut self.state);
        let tiles = state.tiles.take().unwrap_or_default();
        let next = Level::new(&self.options.work, state.level + 1);
        let sizes = join(&work.level, tiles.len(), &next)?;
        state.levels.push(LevelReport {
            faces: state.sizes.faces,
            vertices: state.sizes.vertices,
            tiles: tiles.len() as u64,
            goal: plan.goal,
            largest_tile: tiles.iter().map(|tile| tile.faces).max().unwrap_or(0),
            at_borders: tiles.iter().map(|tile| tile.stay).sum(),
            left: sizes.faces,
        });
        // nothing is gained by levels that change nothing, and a mesh may have no other edge to collapse
        let stuck = sizes.faces == state.sizes.faces || state.level >= LEVELS;
        state.complete = sizes.faces <= state.wanted || plan.last && tiles.len() == 1 || stuck;
        (state.level, state.sizes) = (state.level + 1, sizes);
        state.save(&self.options.work)?;
        if !self.options.keep || !state.complete { work.level.remove() } else { Ok(()) }
    }
}
