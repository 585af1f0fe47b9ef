//! Simplification from file to file.
use crate::level::{Level, Sizes};
use crate::manifest::{LevelReport, Manifest, Request};
use crate::plan::Room;
use crate::run::Run;
use crate::{Result, TilesError, disk, input};
use ribbonmesh_io::MeshStream;
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target};
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
    /// Those that change results.
    pub(crate) fn text(&self) -> String {
        let Self { target, memory, tile_faces, feature_angle, curve_weight, max_turn, .. } = self;
        format!("{:?}", (target, memory, tile_faces, feature_angle, curve_weight, max_turn))
    }
    pub(crate) fn check(&self) -> Result<()> {
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

/// Simplifies the mesh of a file (binary PLY of triangles, OBJ, binary STL, GLB), and writes a file (binary
/// PLY, OBJ, binary STL, GLB), without ever having more than a part of either in memory. The input must be an
/// oriented manifold. Positions are kept, all other attributes are left out, and so are vertices without
/// faces. `say` gets a line for each level. [`Run`] has the steps.
///
/// If the process is ended in between, whenever that is, the same call goes on from the folder of the work,
/// with the same result.
/// # Errors
/// [`TilesError`].
pub fn simplify(
    from: &Path,
    output: &Path,
    options: &SimplifyTiles,
    say: &mut dyn FnMut(String),
) -> Result<TilesReport> {
    let mut run = Run::open(from, output, options.clone())?;
    if run.resumed() {
        say(format!("goes on with the work in {}", options.work.display()));
    }
    while run.round(say)?.is_some() {
        run.work(options.workers)?;
    }
    run.finish()
}

/// Locks a folder until the file is closed, also by the end of the process.
pub(crate) fn lock(work: &Path) -> Result<File> {
    let path = work.join("lock");
    let file = File::create(&path).map_err(disk::failed(&path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(TilesError::Busy(work.into())),
        Err(TryLockError::Error(cause)) => Err(disk::failed(&path)(cause)),
    }
}

/// Writes the input as level 0.
pub(crate) fn read(
    stream: &MeshStream,
    options: &SimplifyTiles,
    request: Request,
    room: &Room,
) -> Result<Manifest> {
    let (frame, sizes) = input::read(stream, &Level::new(&options.work, 0), room)?;
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
