//! Simplification from file to file.
use crate::cut::cut;
use crate::frame::Measured;
use crate::gather::{gather, spans};
use crate::join::join;
use crate::level::{Level, NewLevel, Sizes};
use crate::manifest::{LevelReport, Manifest, Request};
use crate::plan::{Plan, Room};
use crate::work::{Work, goals};
use crate::{Result, TilesError, disk, output};
use ribbonmesh_io::{PlyStream, check_output};
use ribbonmesh_remeshing::simplify::{PartOptions, SimplifyOptions, Target};
use serde::Serialize;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// Options of [`simplify`].
#[derive(Clone, Debug, PartialEq)]
pub struct SimplifyTiles {
    /// The number of faces that is wanted.
    pub target: Target,
    /// Bytes of memory that the process may take.
    pub memory: u64,
    /// The most faces of a tile; [`None`]: as many as the memory allows. The result depends on it.
    pub tile_faces: Option<u64>,
    /// Tiles that are simplified at the same time, at most [`SLOTS`](crate::SLOTS). The result does not
    /// depend on it.
    pub workers: usize,
    /// Edges whose faces' normals have a greater angle than this, in degrees, are features.
    pub feature_angle: Option<f32>,
    /// Weight of the planes through edges of the boundary and of features.
    pub curve_weight: f32,
    /// The largest angle by which one collapse may turn a face, in degrees.
    pub max_turn: f32,
    /// The folder of the work. A run that was ended goes on from what is there. It has room for about 60
    /// bytes for each face of the input.
    pub work: PathBuf,
    /// Whether the folder stays, with the tiles of the last level.
    pub keep: bool,
}
impl SimplifyTiles {
    /// The usual options for a target, in a folder.
    pub fn new(target: Target, work: PathBuf) -> Self {
        let usual = SimplifyOptions::default();
        Self {
            target,
            memory: 2_000_000_000,
            tile_faces: None,
            workers: 1,
            feature_angle: None,
            curve_weight: usual.curve_weight,
            max_turn: usual.max_turn,
            work,
            keep: false,
        }
    }
    fn part(&self) -> PartOptions {
        PartOptions {
            faces: 0,
            max_error: None,
            feature_angle: self.feature_angle,
            curve_weight: self.curve_weight,
            max_turn: self.max_turn,
        }
    }
    /// Those that change results.
    fn text(&self) -> String {
        let Self { target, memory, tile_faces, feature_angle, curve_weight, max_turn, .. } = self;
        format!("{:?}", (target, memory, tile_faces, feature_angle, curve_weight, max_turn))
    }
    fn check(&self) -> Result<()> {
        let options = SimplifyOptions {
            target: Some(self.target),
            feature_angle: self.feature_angle,
            curve_weight: self.curve_weight,
            max_turn: self.max_turn,
            ..SimplifyOptions::default()
        };
        Ok(options.check()?)
    }
}

/// Report of [`simplify`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TilesReport {
    /// Sizes of the input.
    pub before: Sizes,
    /// Sizes of the output.
    pub after: Sizes,
    /// Faces that were wanted.
    pub target_faces: u64,
    /// The levels.
    pub levels: Vec<LevelReport>,
    /// Contents of the file beside positions and faces, which were left out.
    pub left_out: Vec<String>,
    /// Whether the run went on from what another one had left.
    pub resumed: bool,
}

/// More levels than any mesh takes that becomes smaller with each one.
const LEVELS: u32 = 64;

/// Simplifies the mesh of a binary PLY file of triangles, and writes a binary PLY file, without ever having
/// more than a part of either in memory. The input must be an oriented manifold. Positions are kept, all
/// other attributes are left out, and so are vertices without faces. `say` gets a line for each step.
///
/// If the process is ended in between, whenever that is, the same call goes on from the folder of the work,
/// with the same result.
/// # Errors
/// [`TilesError`].
pub fn simplify(
    input: &Path,
    output: &Path,
    options: &SimplifyTiles,
    say: &mut dyn FnMut(String),
) -> Result<TilesReport> {
    options.check()?;
    let room = Room::new(options.memory, options.tile_faces)?;
    check_output(output)?;
    let stream = PlyStream::open(input)?;
    let work = &options.work;
    std::fs::create_dir_all(work).map_err(disk::failed(work))?;
    let lock = lock(work)?;
    let request = Request::new(input, options.text())?;
    let known = Manifest::load(work, &request)?;
    let resumed = known.is_some();
    let mut state = match known {
        Some(known) => {
            say(format!("goes on with level {} of the work in {}", known.level, work.display()));
            known
        }
        None => read(&stream, options, request)?,
    };
    while !state.complete {
        step(&mut state, options, &room, say)?;
    }
    output::write(&Level::new(work, state.level), state.sizes, &state.frame, output)?;
    let report = TilesReport {
        before: state.input,
        after: state.sizes,
        target_faces: state.wanted,
        levels: state.levels,
        left_out: stream.left_out(),
        resumed,
    };
    drop(lock);
    if !options.keep {
        disk::remove_folder(work)?;
    }
    Ok(report)
}

/// Locks a folder until the file is closed, also by the end of the process.
fn lock(work: &Path) -> Result<File> {
    let path = work.join("lock");
    let file = File::create(&path).map_err(disk::failed(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(TilesError::Busy(work.into())),
        Err(TryLockError::Error(cause)) => Err(disk::failed(&path)(cause)),
    }
}

/// Writes the input as level 0.
pub(crate) fn read(stream: &PlyStream, options: &SimplifyTiles, request: Request) -> Result<Manifest> {
    let mut measured = Measured::NOTHING;
    stream.each_vertex(|p| {
        measured.add(p);
        Ok::<_, TilesError>(())
    })?;
    let frame = measured.frame(stream.is_single());
    let level = Level::new(&options.work, 0);
    let mut out = NewLevel::create(&level)?;
    stream.each_vertex(|p| out.vertex(frame.inside(p), None))?;
    stream.each_face(|face| out.face(face))?;
    let sizes = out.finish()?;
    let wanted = match options.target {
        Target::Faces(faces) => faces.into(),
        Target::Ratio(ratio) => (ratio * sizes.faces as f64).round() as u64,
    };
    let state = Manifest {
        request,
        frame,
        input: sizes,
        wanted,
        level: 0,
        sizes,
        tiles: None,
        levels: vec![],
        complete: false,
    };
    state.save(&options.work)?;
    Ok(state)
}

/// Cuts the mesh of a level into tiles, or simplifies these and joins them.
pub(crate) fn step(
    state: &mut Manifest,
    options: &SimplifyTiles,
    room: &Room,
    say: &mut dyn FnMut(String),
) -> Result<()> {
    let level = Level::new(&options.work, state.level);
    let plan = Plan::new(state.sizes, state.wanted, room);
    let Some(tiles) = &state.tiles else {
        disk::empty_folder(&level.results())?;
        let counts = cut(&level, state.sizes, &state.frame, plan.tile, room)?;
        state.tiles = Some(gather(&level, state.sizes, &counts, room)?);
        return state.save(&options.work);
    };
    let (level_number, count) = (state.level, tiles.len());
    let largest = tiles.iter().map(|tile| tile.faces).max().unwrap_or(0);
    say(format!(
        "level {level_number}: {} faces in {count} tiles of at most {largest}, to {}",
        state.sizes.faces, plan.goal
    ));
    let goals = goals(tiles, plan.goal);
    let spans = spans(tiles);
    let work = Work { level: &level, frame: &state.frame, spans, goals, options: options.part() };
    work.run(options.workers)?;
    let next = Level::new(&options.work, state.level + 1);
    let sizes = join(&level, count, &next)?;
    state.levels.push(LevelReport {
        faces: state.sizes.faces,
        vertices: state.sizes.vertices,
        tiles: count as u64,
        goal: plan.goal,
        largest_tile: largest,
        at_borders: tiles.iter().map(|tile| tile.stay).sum(),
        left: sizes.faces,
    });
    // nothing is gained by levels that change nothing, and a mesh may have no other edge to collapse
    let stuck = sizes.faces == state.sizes.faces || state.level >= LEVELS;
    state.complete = sizes.faces <= state.wanted || plan.last && count == 1 || stuck;
    (state.level, state.sizes, state.tiles) = (state.level + 1, sizes, None);
    state.save(&options.work)?;
    if !options.keep || !state.complete { level.remove() } else { Ok(()) }
}
