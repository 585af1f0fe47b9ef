//! `ribbonmesh tiles repair`.
use super::{Room, check, left_out, run};
use crate::failure::Failure;
use crate::session::Session;
use clap::Args;
use ribbonmesh_application::counted;
use ribbonmesh_tiles::{RepairOptions, repair};
use std::path::{Path, PathBuf};

/// Make an oriented manifold of a mesh larger than memory
///
/// As `ribbonmesh repair`, with the same result. Faces at vertices that need repair have to fit into memory.
/// Vertices are not welded, but for those of STL and GLB at the same place, and holes are not filled.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh tiles repair dragon.ply -o repaired.ply
  ribbonmesh tiles repair dragon.ply -o repaired.ply --remove-components 100 --memory 500MB")]
pub struct Repair {
    /// Mesh to read: binary PLY, OBJ, binary STL or GLB
    mesh: PathBuf,
    /// File to write: PLY, OBJ, STL or GLB
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Drop faces without area; where neighbours remain, this leaves a boundary
    #[arg(long)]
    remove_zero_area: bool,
    /// Drop components of fewer faces than this, and their vertices
    #[arg(long, value_name = "BELOW", default_value_t = 0)]
    remove_components: u32,
    /// Remove vertices without a face
    #[arg(long)]
    remove_isolated: bool,
    #[command(flatten)]
    room: Room,
}

impl Repair {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let options = RepairOptions {
            remove_zero_area: self.remove_zero_area,
            remove_components: self.remove_components,
            remove_isolated: self.remove_isolated,
            ..RepairOptions::default()
        };
        repaired(session, [&self.mesh, &self.output], &options, &self.room)
    }
}

/// Repairs a file by tiles.
pub fn repaired(
    session: &mut Session,
    [mesh, output]: [&Path; 2],
    how: &RepairOptions,
    room: &Room,
) -> Result<(), Failure> {
    check(session, mesh, Some(output))?;
    let options = room.streaming(output);
    let report = run(session, mesh, |say| repair(mesh, output, how, &options, say))?;
    session.wrote(output);
    session.results(&report);
    left_out(session, &report.left_out);
    let counts = report.counts();
    if counts.is_empty() {
        session.say("nothing to repair".to_owned());
    }
    for (count, one, several) in counts {
        session.say(format!("{count} {}", if count == 1 { one } else { several }));
    }
    let (vertices, faces) = (report.after.vertices, report.after.faces);
    session.say(format!("{}, {}", counted(vertices, "vertex"), counted(faces, "face")));
    session.say(format!("wrote {}", output.display()));
    Ok(())
}
