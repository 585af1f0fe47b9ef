//! How far a run has come.
use crate::frame::Frame;
use crate::gather::Tile;
use crate::level::Sizes;
use crate::{Result, TilesError, disk};
use ribbonmesh_remeshing::remesh::Attempts;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Version of the folder's files.
const VERSION: u32 = 3;

/// The options and the input on which a result depends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Version of the files.
    version: u32,
    /// The input's bytes and its time of change, in seconds and their billionths.
    pub input: [u64; 3],
    /// The options that change results, as text.
    pub options: String,
}
impl Request {
    /// For a file that is there.
    pub fn new(input: &Path, options: String) -> Result<Self> {
        let known = fs::metadata(input).map_err(disk::failed(input))?;
        let since = |time: std::time::SystemTime| time.duration_since(std::time::UNIX_EPOCH).ok();
        let changed = known.modified().ok().and_then(since).unwrap_or_default();
        let input = [known.len(), changed.as_secs(), changed.subsec_nanos().into()];
        Ok(Self { version: VERSION, input, options })
    }
}

/// The work done on a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelReport {
    /// Faces before.
    pub faces: u64,
    /// Vertices before.
    pub vertices: u64,
    /// Tiles.
    pub tiles: u64,
    /// Faces that were to be left; of remeshing, those that are expected.
    pub goal: u64,
    /// Faces of the largest tile.
    pub largest_tile: u64,
    /// Faces at the borders of tiles, which could not be changed.
    pub at_borders: u64,
    /// Faces after.
    pub left: u64,
    /// Vertices after, around which remeshing has to go on.
    pub waiting: u64,
}

/// Features of remeshing, as they are given or follow from the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sharp {
    /// Angle from which on edges are features, in degrees.
    pub angle: Option<f32>,
    /// Whether the input is a mesh of long thin triangles.
    pub thin: bool,
}

/// An attempt of remeshing that is the nearest to the input up to now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Nearest {
    /// Its number.
    pub attempt: u32,
    /// The level that is its result.
    pub level: u32,
    /// Sizes of that.
    pub sizes: Sizes,
    /// Its levels.
    pub levels: Vec<LevelReport>,
}

/// The state of remeshing to a tolerance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// The attempts before.
    pub attempts: Attempts,
    /// The tolerance, in the units of the frame.
    pub tolerance: f32,
    /// Faces from which on an attempt ends.
    pub most_faces: u64,
    /// The number of the present attempt.
    pub attempt: u32,
    /// About the number of faces that its target lengths give.
    pub expected: u64,
    /// The nearest attempt that was measured.
    pub nearest: Option<Nearest>,
}

/// The state of a run: `manifest.json` of its folder. It is written when a step is complete and on the disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The purpose of the run.
    pub request: Request,
    /// Units of positions on disk.
    pub frame: Frame,
    /// Faces of the input.
    pub input: Sizes,
    /// The wanted number of faces; of remeshing, about the number that is expected.
    pub wanted: u64,
    /// The target length of remeshing, in the units of the frame; else 0.
    pub length: f32,
    /// Features of remeshing.
    pub sharp: Sharp,
    /// Of remeshing to a tolerance.
    pub course: Option<Course>,
    /// The present level.
    pub level: u32,
    /// Sizes of the mesh of the level.
    pub sizes: Sizes,
    /// The tiles of the level, when they are cut.
    pub tiles: Option<Vec<Tile>>,
    /// The levels before.
    pub levels: Vec<LevelReport>,
    /// The tiles of the input, where it is kept for the result.
    pub of_input: Vec<Tile>,
    /// Whether the mesh of the level has to be projected to the input, and compared with it.
    pub ended: bool,
    /// Whether it is projected.
    pub projected: bool,
    /// Whether the mesh of the level is the result.
    pub complete: bool,
}
impl Manifest {
    fn path(work: &Path) -> PathBuf {
        work.join("manifest.json")
    }
    /// That of a folder, if there is one for the same request.
    /// # Errors
    /// It is for another request, or damaged.
    pub fn load(work: &Path, request: &Request) -> Result<Option<Self>> {
        let path = Self::path(work);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(disk::failed(&path)(error)),
        };
        let known: Self = serde_json::from_slice(&text)
            .map_err(|error| TilesError::Damaged { file: path, reason: error.to_string() })?;
        let what = if known.request.version != request.version {
            "version of this program"
        } else if known.request.input != request.input {
            "input"
        } else if known.request.options != request.options {
            "set of options"
        } else {
            return Ok(Some(known));
        };
        Err(TilesError::OtherWork { folder: work.into(), what })
    }
    /// Writes it to a folder.
    pub fn save(&self, work: &Path) -> Result<()> {
        let path = Self::path(work);
        let text = serde_json::to_vec(self).map_err(|error| disk::failed(&path)(error.into()))?;
        disk::write_whole(&path, &[&text], true)
    }
}
