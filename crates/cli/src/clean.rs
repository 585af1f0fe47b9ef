//! `ribbonmesh clean`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::numbers::short;
use crate::session::Session;
use crate::shape::{Change, Parts, Shape};
use crate::words::counted;
use crate::wrap::WrapChoice;
use clap::{Args, value_parser};
use ribbonmesh_clean::{CleanError, CleanOptions, CleanReport, Wrapping, clean};
use ribbonmesh_fill::Method;
use std::path::PathBuf;

/// Make any triangles a closed mesh without self-intersections
///
/// Repairs, fills holes, resolves intersections, and simplifies to a number of faces, in one call. What is too bad for that is
/// wrapped, see `ribbonmesh wrap`. The result is a closed oriented manifold with outward faces, free of intersections; the
/// report has every step.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh clean dragon.ply -o clean.ply
  ribbonmesh clean dragon.ply -o small.glb --faces 20000 --report steps.json
  ribbonmesh clean dragon.ply -o closed.ply --wrap always --resolution 64
  ribbonmesh clean dragon.ply -o exact.stl --wrap never --fill flat")]
pub struct Clean {
    /// Mesh: OBJ, PLY, OFF, STL or GLB; - is standard input
    mesh: PathBuf,
    /// File to write: OBJ, PLY, OFF, STL or GLB; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Simplify to so many faces where there are more; an odd number is made even
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(4..))]
    faces: Option<u32>,
    /// Distance at which vertices become one, in the units of the mesh; the default welds those at the same place
    #[arg(long, value_name = "DISTANCE", default_value_t = 0.0, conflicts_with = "no_weld")]
    weld: f64,
    /// Weld no vertices
    #[arg(long)]
    no_weld: bool,
    /// How holes are filled
    #[arg(long, value_name = "flat|smooth", default_value_t)]
    fill: Method,
    /// Wrap where repairing fails, always, or never
    #[arg(long, value_name = "when-needed|always|never", default_value_t)]
    wrap: Wrapping,
    #[command(flatten)]
    choice: WrapChoice,
    #[command(flatten)]
    encoding: Encoding,
}

impl Clean {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let encoded = self.encoding.options(&self.output)?;
        session.keep(None, &[&self.mesh, &self.output])?;
        let mut mesh = session.read(&self.mesh)?.mesh;
        if mesh.faces.is_empty() {
            return Err(Failure::NoFaces(self.mesh.clone()));
        }
        let device = session.device()?;
        let options = CleanOptions {
            faces: self.faces,
            weld: (!self.no_weld).then_some(self.weld),
            filling: self.fill,
            wrapping: self.wrap,
            wrap: self.choice.options(),
            ..CleanOptions::default()
        };
        let refused = |error| match error {
            CleanError::Library(error) => Failure::Library(error),
            CleanError::Mesh(error) => Failure::Mesh(error),
            error => Failure::Refused(error.to_string()),
        };
        let before = Shape::of(&mesh);
        let report = session.phase("clean", || clean(&device, &mut mesh, &options).map_err(refused))?;
        self.say(session, &report);
        let change = Change::between(before, Shape::of(&mesh), None, Parts::Unite);
        change.warn(session, "look at it before you use it; the report says which step changed what");
        session.results(&report);
        session.write(&self.output, &mesh, &encoded)
    }
    fn say(&self, session: &mut Session, report: &CleanReport) {
        if let Some(repair) = &report.repair {
            for (count, one, many) in repair.counts() {
                session.say(format_args!("{count} {}", if count == 1 { one } else { many }));
            }
        }
        if let Some(filled) = &report.filling {
            let holes = counted(filled.holes as u64, "hole");
            session.say(format_args!("{holes} filled with {}", counted(filled.faces as u64, "face")));
        }
        if report.turned > 0 {
            session.say(format_args!("{} turned outward", counted(report.turned as u64, "component")));
        }
        if let Some(resolved) =
            report.resolve.as_ref().filter(|r| r.intersecting_pairs > 0 || r.faces_inside > 0)
        {
            session.say(format_args!(
                "{} of faces intersected; {} inside",
                counted(resolved.intersecting_pairs, "pair"),
                counted(resolved.faces_inside as u64, "face")
            ));
        }
        if let (Some(why), Some(wrap)) = (&report.wrapped_because, &report.wrap) {
            session.say(format_args!("wrapped with cubes of {}: {why}", short(wrap.cell)));
        }
        if let Some(faces) = self.faces.filter(|faces| report.after.faces > *faces as usize) {
            let left = report.after.faces;
            session.warn(format!(
                "{left} faces are left, not {faces}: fewer would change the topology or intersect"
            ));
        }
        if report.intersecting_pairs > 0 {
            let pairs = counted(report.intersecting_pairs, "pair");
            session.warn(format!("{pairs} of faces intersect: coordinates were rounded"));
        }
        if !report.columns_dropped.is_empty() {
            session.note(format!("attributes left out: {}", report.columns_dropped.join(", ")));
        }
    }
}
