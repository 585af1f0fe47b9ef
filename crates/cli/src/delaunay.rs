//! `ribbonmesh delaunay`.
use crate::changing::{Measured, repaired};
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::session::Session;
use crate::words::counted;
use clap::Args;
use ribbonmesh_delaunay::{DelaunayOptions, DelaunayReport, delaunay};
use ribbonmesh_repair::{RepairReport, manifold_violations};
use serde::Serialize;
use std::path::PathBuf;

/// Flip edges until a mesh is Delaunay
///
/// An edge is flipped where its two opposite angles add up to more than 180 degrees. Vertices keep their place and their
/// order; a face stands where the one stood of which it was made. The mesh has to be an oriented manifold, with or without
/// boundary; --repair makes one of any mesh first.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh delaunay dragon.ply -o delaunay.ply --repair
  ribbonmesh delaunay dragon.ply -o delaunay.ply --repair --max-normal-deviation 30")]
pub struct Delaunay {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// File to write: OBJ, PLY, OFF, STL, GLB or glTF; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Flip no edge if a face's normal would turn by more
    #[arg(long, value_name = "DEGREES")]
    max_normal_deviation: Option<f32>,
    /// Make an oriented manifold of the mesh first, as `ribbonmesh repair` does
    #[arg(long)]
    repair: bool,
    /// Check the result before it is written
    #[arg(long)]
    validate: bool,
    #[command(flatten)]
    encoding: Encoding,
}

#[derive(Serialize)]
struct Results {
    #[serde(flatten)]
    flips: DelaunayReport,
    #[serde(skip_serializing_if = "Option::is_none")]
    repair: Option<RepairReport>,
    #[serde(flatten)]
    measured: Measured,
}

impl Delaunay {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let options = self.encoding.options(&self.output)?;
        session.keep(None, &[&self.mesh, &self.output])?;
        let mut before = session.read(&self.mesh)?.mesh;
        let mut changes = None;
        if self.repair {
            changes = Some(repaired(session, &mut before)?);
        } else {
            let found =
                session.phase("check", || manifold_violations(before.positions.len(), &before.faces))?;
            if !found.is_empty() {
                return Err(Failure::NotManifold { file: self.mesh.clone(), found: Box::new(found) });
            }
        }
        let device = session.device()?;
        let mut surface = session.triangles(&device, &before)?;
        let chosen = DelaunayOptions {
            max_normal_deviation: self.max_normal_deviation,
            validate: self.validate,
            ..DelaunayOptions::default()
        };
        let flips = session.phase("flips", || delaunay(&mut surface, &chosen))?;
        let after = session.download(&surface)?;
        let seed = session.seed();
        let measured = session.phase("measure", || Measured::of(&device, seed, [&before, &after], None))?;
        session.say(format_args!(
            "{} flipped; {} not Delaunay and blocked",
            counted(flips.flips, "edge"),
            counted(flips.non_delaunay_after.into(), "edge"),
        ));
        measured.say(session, "--max-normal-deviation 30 keeps it nearer");
        session.results(&Results { flips, repair: changes, measured });
        session.write(&self.output, &after, &options)
    }
}
