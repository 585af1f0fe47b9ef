//! `ribbonmesh tiles render`.
use super::{Room, check, run};
use crate::failure::Failure;
use crate::render::{Look, Results, picture_name};
use crate::session::Session;
use clap::Args;
use ribbonmesh_tiles::{Shot, render};
use std::path::{Path, PathBuf};

/// Make a picture of a mesh larger than memory
///
/// The picture of `ribbonmesh render`, with the same bytes where single precision holds all coordinates. The
/// samples of the picture are in memory, 40 bytes each, 9 for each pixel: a picture of 1200x900 takes 389 MB.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh tiles render dragon.ply -o dragon.png
  ribbonmesh tiles render dragon.ply -o iso.png --view iso --size 400x300 --memory 200MB")]
pub struct Render {
    /// Mesh to read: binary PLY, OBJ, binary STL or GLB
    mesh: PathBuf,
    /// Picture to write: PNG
    #[arg(long, short, value_name = "PICTURE.png")]
    output: PathBuf,
    #[command(flatten)]
    look: Look,
    #[command(flatten)]
    room: Room,
}

impl Render {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        picture_name(&self.output)?;
        drawn(session, [&self.mesh, &self.output], &self.look, &self.room)
    }
}

/// The picture of a look.
pub fn shot(look: &Look) -> Shot {
    Shot { view: look.view, up: look.up, lens: look.lens(), style: look.style(), normals: look.normals }
}

/// Draws a file by parts.
pub fn drawn(
    session: &mut Session,
    [mesh, output]: [&Path; 2],
    look: &Look,
    room: &Room,
) -> Result<(), Failure> {
    look.check()?;
    check(session, mesh, Some(output))?;
    let (shot, options) = (shot(look), room.streaming(output));
    let picture = run(session, mesh, |say| render(mesh, &shot, &options, say))?;
    session.results(&Results {
        width: Some(picture.width()),
        height: Some(picture.height()),
        view: look.view.to_string(),
        up: look.up.to_string(),
        colouring: look.colouring(),
        scalar: None,
    });
    session.write_picture(output, &picture)
}
