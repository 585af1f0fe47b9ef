//! Cleaning as an application.
use crate::{Bytes, CleanOptions, CleanReport, Weld, Wrapping, clean, clean_surface};
use ribbonmesh_application::{
    Application, Change, Changes, Docs, Failure, Length, LengthOrZero, Need, Options, Parts, Place, Run,
    Seen, Shape, Traits, Work, counted, short,
};
use ribbonmesh_solid::fill::{Method, stitched_in_words};
use ribbonmesh_solid::wrap::WrapOptions;
use serde_json::{Map, Value};

/// Options of the application, with lengths that may depend on the mesh.
#[derive(Options, Clone, Copy, Debug, PartialEq)]
#[options(check)]
pub struct CleanChoice {
    /// Simplify to at most this many faces; an odd number is made even
    #[option(least = 4)]
    pub faces: Option<u32>,
    /// First make vertices one that are at most this far apart, and split edges where the surface ends at
    /// vertices that lie on them; unless given, vertices at the same place become one, and where the surface
    /// ends those within 0.001% of the diagonal
    #[option(conflicts(no_weld))]
    pub weld: Option<LengthOrZero>,
    /// Weld no vertices, and close no cracks
    pub no_weld: bool,
    /// Drop components of fewer faces than this, and their vertices
    #[option(unit = "BELOW", default_hidden)]
    pub remove_components: u32,
    /// How holes are filled
    pub fill: Method,
    /// Wrap where repairing fails, always, or never
    pub wrap: Wrapping,
    /// Cubes of the grid along the longest edge of the bounding box
    #[option(
        least = 2,
        most = 1024,
        default = "128, or fewer where a wrap would have more than 50 times the faces of the mesh"
    )]
    pub resolution: Option<u32>,
    /// Distance of the surface from the triangles before it is drawn to them, in cubes, 0.5 to 8; gaps of
    /// less than twice this are closed
    #[option(unit = "CUBES")]
    pub offset: f64,
    /// Refuse a mesh for which this may not be enough, in bytes, MB or GB; with the input and the result
    #[option(unit = "SIZE")]
    pub memory: Option<Bytes>,
    /// Do not ask for winding numbers: only gaps are closed, not holes
    pub no_winding: bool,
}
impl Default for CleanChoice {
    fn default() -> Self {
        let usual = CleanOptions::default();
        Self {
            faces: usual.faces,
            weld: None,
            no_weld: false,
            remove_components: usual.remove_components,
            fill: usual.filling,
            wrap: usual.wrapping,
            resolution: None,
            offset: usual.wrap.offset,
            memory: usual.memory,
            no_winding: !usual.wrap.winding,
        }
    }
}
impl CleanChoice {
    /// The options, where a function turns lengths into units of the positions.
    /// # Errors
    /// Those of the function.
    pub fn options<E>(&self, in_units: impl FnOnce(Length) -> Result<f64, E>) -> Result<CleanOptions, E> {
        let usual = CleanOptions::default();
        Ok(CleanOptions {
            faces: self.faces,
            weld: match self.weld {
                _ if self.no_weld => Weld::Never,
                None => Weld::Usual,
                Some(length) => Weld::Within(in_units(length.0)?),
            },
            remove_components: self.remove_components,
            filling: self.fill,
            wrapping: self.wrap,
            wrap: self.wrap_options(),
            memory: self.memory,
            // a grid that is asked for is kept
            most_growth: if self.resolution.is_some() { None } else { usual.most_growth },
        })
    }
    fn wrap_options(&self) -> WrapOptions {
        let usual = WrapOptions::default();
        let resolution = self.resolution.unwrap_or(usual.resolution);
        WrapOptions { resolution, offset: self.offset, winding: !self.no_winding, ..usual }
    }
    fn check(&self) -> ribbonmesh::Result<()> {
        self.wrap_options().check()
    }
}

/// The application `clean`.
pub struct Clean;

impl Application for Clean {
    const NAME: &'static str = "clean";
    const DOCS: Docs = Docs {
        title: "Make any triangles a closed mesh without self-intersections",
        about: "Repairs, fills holes, resolves intersections, and simplifies to a number of faces, in one call. What is too \
                bad for that is wrapped, see `ribbonmesh wrap`. The result is a closed oriented manifold with outward \
                faces, free of intersections; the report has every step.",
        notes: "A length is a number in the units of the positions, or 0.8x: of the input's mean edge length, or 1%: of the\n\
                diagonal of its box.",
        examples: &[
            "ribbonmesh clean dragon.ply -o clean.ply",
            "ribbonmesh clean dragon.ply -o small.glb --faces 20000 --report steps.json",
            "ribbonmesh clean dragon.ply -o closed.ply --wrap always --resolution 64",
            "ribbonmesh clean dragon.ply -o exact.stl --wrap never --fill flat",
            "ribbonmesh clean dragon.ply -o one.ply --weld 0.01% --remove-components 100",
        ],
        python: &[
            ">>> import ribbonmesh as rm",
            r#">>> ball = rm.generate("icosphere", 2, device="cpu")"#,
            r#">>> cleaned = rm.Mesh(ball.vertices, ball.faces[5:, ::-1], "cpu").clean()"#,
            ">>> cleaned.info().volume > 0",
            "True",
        ],
    };
    const TRAITS: Traits = Traits { faces: true, long: true, ..Traits::new(Changes::Triangles) };
    type Options = CleanChoice;
    type Subject = Work;
    type Report = CleanReport;

    fn need(_: &CleanChoice) -> Need {
        Need::Anywhere
    }
    fn run(&self, work: &mut Work, options: &CleanChoice, run: &mut Run<'_>) -> Result<CleanReport, Failure> {
        let report = match work.place() {
            Place::Device(surface) => {
                let chosen = options.options(|length| length.of_surface(surface))?;
                run.phase("clean", || clean_surface(surface, &chosen))
            }
            Place::Host(device, mesh) => {
                let chosen = options.options(|length| Ok::<f64, Failure>(length.in_units(mesh)))?;
                run.phase("clean", || clean(&device, mesh, &chosen))
            }
        };
        report.map_err(Failure::of)
    }
    fn summarize(
        &self,
        options: &CleanChoice,
        report: &CleanReport,
        seen: &Seen<'_>,
        run: &mut Run<'_>,
    ) -> Map<String, Value> {
        say(options, report, run);
        // areas and volumes are known: those of triangles without common vertices take seconds
        let [before, after] = [(&report.before, seen.before), (&report.after, seen.after)]
            .map(|(sizes, mesh)| Shape::known(sizes.area, sizes.volume, mesh.bounding_box()));
        let change = Change::between(before, after, None, Parts::Unite);
        change.warn(run.log(), "look at it before you use it; the report says which step changed what");
        Map::new()
    }
}

/// Says what each step has done.
fn say(options: &CleanChoice, report: &CleanReport, run: &mut Run<'_>) {
    let count = |n: usize, what: &str| counted(n as u64, what);
    if let Some(repair) = &report.repair {
        for (count, one, many) in repair.counts() {
            run.say(format!("{count} {}", if count == 1 { one } else { many }));
        }
    }
    if !report.stitched.is_empty() {
        run.say(stitched_in_words(&report.stitched));
    }
    if let Some(filled) = &report.filling {
        let joined = match filled.joined {
            0 => String::new(),
            pairs => format!(", {} of them joined", count(pairs, "pair")),
        };
        run.say(format!(
            "{} filled with {}{joined}",
            count(filled.holes, "hole"),
            count(filled.faces, "face")
        ));
        if filled.flat > 0 {
            let flat = count(filled.flat, "hole");
            run.warn(format!("{flat} filled flat: smooth, new faces would bulge out, or did not converge"));
        }
    }
    if report.sheets_removed > 0 {
        let sheets = count(report.sheets_removed, "sheet");
        run.warn(format!("{sheets} left out that enclosed nothing, close to others"));
    }
    if report.turned > 0 {
        run.say(format!("{} turned outward", count(report.turned, "component")));
    }
    if let Some(resolved) = report.resolve.as_ref().filter(|r| r.intersecting_pairs > 0) {
        run.say(format!(
            "{} of faces intersected; {} cut there",
            count(resolved.intersecting_pairs, "pair"),
            count(resolved.faces_cut, "face")
        ));
    }
    if let (Some(why), Some(wrap)) = (&report.wrapped_because, &report.wrap) {
        run.warn(format!("wrapped with cubes of {}: {why}", short(wrap.cell)));
        if let Some(simplified) = &report.wrap_simplified {
            run.say(format!(
                "the wrap's {} simplified to {}; --resolution or --faces ask for more",
                counted(wrap.faces, "face"),
                simplified.after.faces
            ));
        }
    }
    if let Some(faces) = options.faces.filter(|faces| report.after.faces > *faces as usize) {
        let left = report.after.faces;
        run.warn(format!("{left} faces are left, not {faces}: fewer would change the topology or intersect"));
    }
    if report.intersecting_pairs > 0 {
        let pairs = counted(report.intersecting_pairs, "pair");
        run.warn(format!("{pairs} of faces intersect: coordinates were rounded"));
    }
    if !report.columns_dropped.is_empty() {
        run.note(format!("attributes left out: {}", report.columns_dropped.join(", ")));
    }
}
