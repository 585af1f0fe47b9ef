//! `ribbonmesh clean`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::repair;
use crate::session::Session;
use clap::{Args, value_parser};
use ribbonmesh_application::{Change, LengthOrZero, OptionValue, Parts, Shape, counted, short};
use ribbonmesh_clean::{CleanOptions, CleanReport, Weld, Wrapping, clean};
use ribbonmesh_fill::Method;
use ribbonmesh_wrap::WrapOptions;
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
  ribbonmesh clean dragon.ply -o exact.stl --wrap never --fill flat
  ribbonmesh clean dragon.ply -o one.ply --weld 0.01% --remove-components 100

A length is a number in the units of the positions, or 0.8x: of the input's mean edge length, or 1%: of the
diagonal of its box.")]
pub struct Clean {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// File to write: OBJ, PLY, OFF, STL, GLB or glTF; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Simplify to so many faces where there are more; an odd number is made even
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(4..))]
    faces: Option<u32>,
    /// First make vertices one that are at most this far apart, and split edges where the surface ends at vertices that lie on
    /// them; unless given, vertices at the same place become one, and where the surface ends those within 0.001% of the diagonal
    #[arg(long, value_name = "LENGTH", value_parser = LengthOrZero::parse, conflicts_with = "no_weld")]
    weld: Option<LengthOrZero>,
    /// Weld no vertices, and close no cracks
    #[arg(long)]
    no_weld: bool,
    /// Drop components of fewer faces than this, and their vertices
    #[arg(long, value_name = "BELOW", default_value_t = 0, hide_default_value = true)]
    remove_components: u32,
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

/// How to wrap.
#[derive(Args)]
struct WrapChoice {
    /// Cubes of the grid along the longest edge of the bounding box; 128 unless given
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(2..=1024))]
    resolution: Option<u32>,
    /// Distance of the surface from the triangles before it is drawn to them, in cubes, 0.5 to 8; gaps of less than twice this are closed
    #[arg(long, value_name = "CUBES", default_value_t = WrapOptions::default().offset)]
    offset: f64,
    /// Do not ask for winding numbers: only gaps are closed, not holes
    #[arg(long)]
    no_winding: bool,
}
impl WrapChoice {
    /// Whether a grid is asked for.
    fn is_asked(&self) -> bool {
        self.resolution.is_some()
    }
    /// As options of the library.
    fn options(&self) -> WrapOptions {
        let Self { offset, no_winding, .. } = *self;
        let resolution = self.resolution.unwrap_or(WrapOptions::default().resolution);
        WrapOptions { resolution, offset, winding: !no_winding, project: true }
    }
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
            weld: match self.weld {
                _ if self.no_weld => Weld::Never,
                None => Weld::Usual,
                Some(length) => Weld::Within(length.0.in_units(&mesh)),
            },
            remove_components: self.remove_components,
            filling: self.fill,
            wrapping: self.wrap,
            wrap: self.choice.options(),
            // a grid that is asked for is kept
            most_growth: if self.choice.is_asked() { None } else { CleanOptions::default().most_growth },
            ..CleanOptions::default()
        };
        let before = Shape::of(&mesh);
        let report = session.phase("clean", || clean(&device, &mut mesh, &options))?;
        self.say(session, &report);
        let change = Change::between(before, Shape::of(&mesh), None, Parts::Unite);
        change.warn(
            &mut session.log(&self.output),
            "look at it before you use it; the report says which step changed what",
        );
        session.results(&report);
        session.write(&self.output, &mesh, &encoded)
    }
    fn say(&self, session: &mut Session, report: &CleanReport) {
        if let Some(repair) = &report.repair {
            for (count, one, many) in repair.counts() {
                session.say(format_args!("{count} {}", if count == 1 { one } else { many }));
            }
        }
        if !report.stitched.is_empty() {
            session.say(repair::words_of(&report.stitched));
        }
        if let Some(filled) = &report.filling {
            let holes = counted(filled.holes as u64, "hole");
            let joined = match filled.joined {
                0 => String::new(),
                pairs => format!(", {} of them joined", counted(pairs as u64, "pair")),
            };
            session.say(format_args!("{holes} filled with {}{joined}", counted(filled.faces as u64, "face")));
            if filled.flat > 0 {
                let flat = counted(filled.flat as u64, "hole");
                session.warn(format!(
                    "{flat} filled flat: smooth, new faces would bulge out, or did not converge"
                ));
            }
        }
        if report.sheets_removed > 0 {
            let sheets = counted(report.sheets_removed as u64, "sheet");
            session.warn(format!("{sheets} left out that enclosed nothing, close to others"));
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
            session.warn(format!("wrapped with cubes of {}: {why}", short(wrap.cell)));
            if let Some(simplified) = &report.wrap_simplified {
                session.say(format_args!(
                    "the wrap's {} simplified to {}; --resolution or --faces ask for more",
                    counted(wrap.faces, "face"),
                    simplified.after.faces
                ));
            }
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
