//! `ribbonmesh repair`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::session::Session;
use crate::streams::input_name;
use clap::Args;
use ribbonmesh_application::{LengthOrZero, OptionValue, counted};
use ribbonmesh_fill::{FillOptions, FillReport, fill_holes};
use ribbonmesh_repair::{
    RepairOptions, RepairReport, STITCH, StitchReport, manifold_violations, repair_and_stitch, repair_mesh,
};
use serde::Serialize;
use std::path::PathBuf;

/// Make an oriented manifold of a mesh
///
/// Drops degenerate and duplicate faces and folds, turns faces so that neighbours agree, and cuts what cannot be oriented.
/// At edges of more than two faces, the flattest pairs of faces stay together, so that sheets pass through each other, and
/// the rest is cut apart; so are vertices where several fans meet. What survives keeps its order and its place; copies
/// of vertices come last. Attributes follow their elements as far as the format of the output holds them. The report lists
/// every change by the input's numbers, from 0. No machine is used.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh repair dragon.ply -o repaired.ply
  ribbonmesh repair dragon.ply -o repaired.obj --remove-isolated --report changes.json
  ribbonmesh repair dragon.ply -o repaired.ply --weld 0.01% --remove-components 10
  ribbonmesh repair dragon.ply -o repaired.ply --fill-holes 100
  ribbonmesh repair dragon.ply --check

A length is a number in the units of the positions, or 0.8x: of the input's mean edge length, or 1%: of the
diagonal of its box.")]
pub struct Repair {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// Mesh to write: PLY, OBJ, OFF, STL or GLB; - is standard output
    #[arg(long, short, value_name = "OUT", required_unless_present = "check")]
    output: Option<PathBuf>,
    /// First make vertices one that are at most this far apart; 0: those at the same place
    #[arg(long, value_name = "LENGTH", value_parser = LengthOrZero::parse)]
    weld: Option<LengthOrZero>,
    /// Drop faces without area; where neighbours remain, this leaves a boundary
    #[arg(long)]
    remove_zero_area: bool,
    /// Drop components of fewer faces than this, and their vertices
    #[arg(long, value_name = "BELOW", default_value_t = 0, hide_default_value = true)]
    remove_components: u32,
    /// Remove vertices without a face
    #[arg(long)]
    remove_isolated: bool,
    /// At the end, fill holes of at most this many edges, as `ribbonmesh fill` does; before that, close cracks and T-junctions, up to
    /// the distance of --weld or a hundred-thousandth of the diagonal
    #[arg(long, value_name = "UP-TO")]
    fill_holes: Option<u32>,
    /// Only say what needs repair: exit status 3 if anything does
    #[arg(long, conflicts_with_all = ["output", "weld", "remove_zero_area", "remove_components", "remove_isolated", "fill_holes", "ascii"])]
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
    /// None unless holes were to be filled; so are the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    stitched: Option<StitchReport>,
    /// What repair changed after cracks were closed and holes filled, by the numbers of then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repaired_again: Vec<RepairReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    filling: Option<&'a FillReport>,
}

impl Repair {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let Some(output) = &self.output else { return self.check(session) };
        let options = self.encoding.options(output)?;
        session.keep(None, &[&self.mesh, output])?;
        let mut mesh = session.read(&self.mesh)?.mesh;
        let choice = RepairOptions {
            weld: self.weld.map(|length| length.0.in_units(&mesh)),
            remove_zero_area: self.remove_zero_area,
            remove_components: self.remove_components,
            remove_isolated: self.remove_isolated,
            // filled one by one, holes that touch stay small
            keep_touching: self.fill_holes.is_some(),
        };
        let stitch = self.fill_holes.map(|_| match choice.weld {
            Some(distance) if distance > 0.0 => distance,
            _ => STITCH * mesh.bounding_box().map_or(0.0, |bounds| bounds.diagonal()),
        });
        let (done, stitched, again) =
            session.phase("repair", || repair_and_stitch(&mut mesh, &choice, stitch))?;
        let mut repaired_again: Vec<RepairReport> = again.into_iter().collect();
        if mesh.faces.is_empty() {
            let removed = |report: &RepairReport| {
                !(report.components_removed.is_empty() && report.zero_area_faces_dropped.is_empty())
            };
            if !removed(&done.report) && !repaired_again.iter().any(removed) {
                return Err(Failure::NothingLeft(self.mesh.clone()));
            }
            return Err(Failure::Refused(format!("{}: no face is left", input_name(&self.mesh))));
        }
        let isolated_vertices = isolated(&mesh);
        session.say(summary(&done.report, isolated_vertices));
        if !stitched.is_empty() {
            session.say(words_of(&stitched));
        }
        let filling = match self.fill_holes {
            None => None,
            Some(up_to) => {
                let options = FillOptions { up_to: Some(up_to), ..FillOptions::default() };
                Some(session.phase("fill", || fill_holes(&mut mesh, &options))?)
            }
        };
        if filling.as_ref().is_some_and(|report| report.left > 0) {
            // vertices at which holes touch that are left
            let options = RepairOptions::default();
            repaired_again.push(session.phase("repair", || repair_mesh(&mut mesh, &options))?.report);
        }
        repaired_again.retain(|report| !report.is_empty());
        for report in &repaired_again {
            session.say(format_args!("then {}", summary(report, 0)));
        }
        if let Some(report) = &filling {
            ribbonmesh_fill::summarize(
                report,
                &mut session.log(self.output.as_deref().unwrap_or(&self.mesh)),
            );
        }
        let (vertices, faces) = (mesh.positions.len(), mesh.faces.len());
        session.results(&Results {
            vertices,
            faces,
            isolated_vertices,
            report: &done.report,
            stitched: stitch.map(|_| stitched),
            repaired_again,
            filling: filling.as_ref(),
        });
        session.write(output, &mesh, &options)
    }
    fn check(&self, session: &mut Session) -> Result<(), Failure> {
        session.keep(None, &[&self.mesh])?;
        let mesh = session.read(&self.mesh)?.mesh;
        let found = session.phase("check", || manifold_violations(mesh.positions.len(), &mesh.faces))?;
        if !found.is_empty() {
            return Err(Failure::Refused(format!("{}: {found}", input_name(&self.mesh))));
        }
        session.emit(None, |out| writeln!(out, "{}: an oriented manifold", input_name(&self.mesh)))
    }
}

/// Vertices without a face.
fn isolated(mesh: &ribbonmesh_io::TriangleMesh) -> u64 {
    let mut used = vec![false; mesh.positions.len()];
    mesh.faces.as_flattened().iter().for_each(|&v| used[v as usize] = true);
    used.iter().filter(|used| !**used).count() as u64
}

/// What was stitched, in words.
pub fn words_of(stitched: &StitchReport) -> String {
    format!(
        "cracks closed: {} of boundaries welded, {} split",
        counted(stitched.vertices_welded as u64, "vertex"),
        counted(stitched.edges_split as u64, "edge")
    )
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
