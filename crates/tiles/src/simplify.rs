//! Simplification from file to file.
use crate::report::TilesReport;
use crate::run::{Run, run};
use crate::task::Shape;
use crate::{Result, TilesError, disk};
use ribbonmesh_remeshing::simplify::{SimplifyOptions, Target};
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
    /// Those of a tile, without its goal.
    pub(crate) fn shape(&self) -> Shape {
        let Self { feature_angle, curve_weight, max_turn, .. } = *self;
        Shape { goal: 0, feature_angle, curve_weight, max_turn }
    }
    /// Faces that are wanted of so many.
    pub(crate) fn wanted(&self, faces: u64) -> u64 {
        match self.target {
            Target::Faces(faces) => faces.into(),
            Target::Ratio(ratio) => (ratio * faces as f64).round() as u64,
        }
    }
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
    run(Run::open(from, output, options.clone())?, options.workers, say)
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
