//! `ribbonmesh repair`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::session::Session;
use crate::words::counted;
use clap::Args;
use ribbonmesh_repair::{RepairOptions, RepairReport, manifold_violations, repair_mesh};
use serde::Serialize;
use std::path::PathBuf;

/// Make an oriented manifold of a mesh
///
/// Drops degenerate and duplicate faces, splits edges of more than two faces and vertices where several fans meet, turns
/// faces so that neighbours agree, and cuts what cannot be oriented. What survives keeps its order and its place; copies
/// of vertices come last. Attributes follow their elements as far as the format of the output holds them. The report lists every
/// change by the input's numbers, from 0. No machine is used.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh repair dragon.ply -o repaired.ply
  ribbonmesh repair dragon.ply -o repaired.obj --remove-isolated --report changes.json
  ribbonmesh repair dragon.ply --check")]
pub struct Repair {
    /// Mesh: OBJ, PLY, OFF, STL or GLB
    mesh: PathBuf,
    /// Mesh to write: PLY, OBJ, OFF, STL or GLB
    #[arg(long, short, value_name = "OUT", required_unless_present = "check")]
    output: Option<PathBuf>,
    /// Remove vertices without a face
    #[arg(long)]
    remove_isolated: bool,
    /// Only say what needs repair: exit status 3 if anything does
    #[arg(long, conflicts_with_all = ["output", "remove_isolated", "ascii"])]
    check: bool,
    #[command(flatten)]
    encoding: Encoding,
}

#[derive(Serialize)]
struct Results<'a> {
    vertices: usize,
    faces: usize,
    isolated_vertices: u64,
    #[serde(flatten)]
    report: &'a RepairReport,
}

impl Repair {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let Some(output) = &self.output else { return self.check(session) };
        let options = self.encoding.options(output)?;
        session.keep(None, &[&self.mesh, output])?;
        let mut mesh = session.read(&self.mesh)?.mesh;
        let choice = RepairOptions { remove_isolated: self.remove_isolated };
        let done = session.phase("repair", || repair_mesh(&mut mesh, &choice))?;
        if done.faces.is_empty() {
            return Err(Failure::NothingLeft(self.mesh.clone()));
        }
        let isolated_vertices = done.isolated_vertices();
        session.say(summary(&done.report, isolated_vertices));
        let (vertices, faces) = (mesh.positions.len(), mesh.faces.len());
        session.results(&Results { vertices, faces, isolated_vertices, report: &done.report });
        session.write(output, &mesh, &options)
    }
    fn check(&self, session: &mut Session) -> Result<(), Failure> {
        session.keep(None, &[&self.mesh])?;
        let mesh = session.read(&self.mesh)?.mesh;
        let found = session.phase("check", || manifold_violations(mesh.positions.len(), &mesh.faces))?;
        if !found.is_empty() {
            return Err(Failure::NotManifold { file: self.mesh.clone(), found: Box::new(found) });
        }
        session.emit(None, |out| writeln!(out, "{}: an oriented manifold", self.mesh.display()))
    }
}

/// The changes, counted, in words.
fn summary(report: &RepairReport, isolated: u64) -> String {
    let counts = report.counts().into_iter();
    let words: Vec<String> =
        counts.map(|(n, one, many)| format!("{n} {}", if n == 1 { one } else { many })).collect();
    let done =
        if words.is_empty() { "nothing to repair".into() } else { format!("repaired: {}", words.join(", ")) };
    if isolated == 0 {
        return done;
    }
    format!("{done}; {} without a face kept (--remove-isolated removes them)", counted(isolated, "vertex"))
}
