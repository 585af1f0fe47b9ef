//! `ribbonmesh tiles distance`.
use super::{Room, check, run};
use crate::distance::Asked;
use crate::failure::Failure;
use crate::session::Session;
use clap::Args;
use ribbonmesh_tiles::distance;
use std::path::{Path, PathBuf};

/// Measure how far two surfaces are from each other that are larger than memory
///
/// As `ribbonmesh distance`, tile by tile. Distances of vertices are the same. Random points are others, so
/// that mean and root mean square differ as for another --seed.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh convert dragon.ply dragon.stl
  ribbonmesh tiles distance dragon.ply dragon.stl
  ribbonmesh tiles distance dragon.ply dragon.stl --memory 500MB --json > distance.json")]
pub struct Distance {
    /// First mesh: binary PLY, OBJ, binary STL or GLB
    a: PathBuf,
    /// Second mesh
    b: PathBuf,
    #[command(flatten)]
    asked: Asked,
    #[command(flatten)]
    room: Room,
}

impl Distance {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        measured(session, [&self.a, &self.b], &self.asked, &self.room)
    }
}

/// Measures the distance of two files by tiles.
pub fn measured(
    session: &mut Session,
    [a, b]: [&Path; 2],
    asked: &Asked,
    room: &Room,
) -> Result<(), Failure> {
    check(session, b, None)?;
    check(session, a, None)?;
    let (options, points) = (room.streaming(a), asked.options(session));
    let distances = run(session, a, |say| distance(a, b, &points, &options, say))?;
    asked.tell(session, [a, b], distances)
}
