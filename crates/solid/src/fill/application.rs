//! Filling holes as an application.
use crate::fill::{
    FillOptions, FillReport, FlatBecause, HoleReport, Left, Method, Why, fill_holes, fill_surface,
};
use ribbonmesh_application::{
    Application, Changes, Docs, Failure, Length, LengthOrZero, Log, Need, Options, Place, Run, Seen, Traits,
    Work, counted, short,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Options of the application, with lengths that may depend on the mesh.
#[derive(Options, Clone, Copy, Debug, PartialEq)]
pub struct FillChoice {
    /// Triangles between the vertices of the hole, or refined and faired ones that continue the surface's
    /// curvature
    pub method: Method,
    /// Leave holes of more edges
    #[option(unit = "EDGES")]
    pub up_to: Option<u32>,
    /// Leave holes with a longer boundary
    pub perimeter: Option<LengthOrZero>,
    /// Leave the hole with the longest boundary
    pub keep_largest: bool,
    /// Close the outer borders of open surfaces as well, such as that of a terrain
    pub borders: bool,
    /// Join pairs of holes whose boundaries lie near each other, at most this far apart, by a strip of faces,
    /// whatever their size
    pub join: Option<LengthOrZero>,
    /// Join no rims that face each other: each gets a lid
    ///
    /// The field is true where such rims are joined.
    #[option(name = "no_join", inverted, conflicts(join))]
    pub rings: bool,
}
impl Default for FillChoice {
    fn default() -> Self {
        let FillOptions { method, up_to, keep_largest, borders, rings, .. } = FillOptions::default();
        Self { method, up_to, perimeter: None, keep_largest, borders, join: None, rings }
    }
}
impl FillChoice {
    /// The options of the library; `units` turns lengths into the units of the positions.
    fn options<E>(&self, mut units: impl FnMut(Length) -> Result<f64, E>) -> Result<FillOptions, E> {
        let Self { method, up_to, perimeter, keep_largest, borders, join, rings } = *self;
        let mut length = |length: Option<LengthOrZero>| length.map(|length| units(length.0)).transpose();
        let (perimeter, join) = (length(perimeter)?, length(join)?);
        let usual = FillOptions::default();
        Ok(FillOptions { method, up_to, perimeter, keep_largest, borders, join, rings, ..usual })
    }
}

/// The application `fill`.
pub struct Fill;

/// The report of a run with its method.
#[derive(Serialize)]
pub struct Report {
    method: &'static str,
    #[serde(flatten)]
    report: FillReport,
}

impl Application for Fill {
    const NAME: &'static str = "fill";
    const DOCS: Docs = Docs {
        title: "Fill the holes of a mesh",
        about: "A hole is a boundary loop. The outer border of an open surface, such as a terrain, is none, and is left \
                (--borders closes it as well). Two rims that face each other, as where a ring of a tube is missing, are \
                one hole. New faces come behind the others, and so do new vertices; what was there keeps its place and \
                its order. The mesh has to be an oriented manifold, whose boundary loops may touch at vertices; \
                `ribbonmesh repair` makes one of any mesh.",
        notes: "A length is a number in the units of the positions, or 0.8x: of the input's mean edge length, or 1%: of the\n\
                diagonal of its box.",
        examples: &[
            "ribbonmesh fill dragon.ply -o filled.ply",
            "ribbonmesh fill dragon.ply -o filled.ply --up-to 100 --method flat",
            "ribbonmesh fill dragon.ply -o filled.ply --perimeter 5% --keep-largest --report holes.json",
            "ribbonmesh fill dragon.ply -o joined.ply --join 3x --up-to 0",
        ],
        python: &[
            ">>> import ribbonmesh as rm",
            r#">>> ball = rm.generate("icosphere", 2, device="cpu")"#,
            r#">>> rm.Mesh(ball.vertices, ball.faces[1:], "cpu").fill().info().boundary_edges"#,
            "0",
        ],
    };
    const TRAITS: Traits = Traits { oriented: true, faces: true, ..Traits::new(Changes::Triangles) };
    type Options = FillChoice;
    type Subject = Work;
    type Report = Report;

    fn need(_: &FillChoice) -> Need {
        Need::Anywhere
    }
    fn run(&self, work: &mut Work, options: &FillChoice, run: &mut Run<'_>) -> Result<Report, Failure> {
        let report = match work.place() {
            Place::Device(surface) => {
                let chosen = options.options(|length| length.of_surface(surface))?;
                run.phase("fill", || fill_surface(surface, &chosen))
            }
            Place::Host(device, mesh) => {
                let chosen = options.options(|length| Ok::<f64, Failure>(length.in_units(mesh)))?;
                run.phase("fill", || fill_holes(&device, mesh, &chosen))
            }
        };
        let report = report.map_err(Failure::of)?;
        Ok(Report { method: options.method.name(), report })
    }
    fn summarize(
        &self,
        _: &FillChoice,
        Report { report, .. }: &Report,
        seen: &Seen<'_>,
        run: &mut Run<'_>,
    ) -> Map<String, Value> {
        summarize(report, run.log());
        Map::from_iter([
            ("vertices".to_owned(), json!(seen.after.positions.len())),
            ("faces".to_owned(), json!(seen.after.faces.len())),
        ])
    }
}

/// Prints which holes were filled and which were left, in a few lines.
pub fn summarize(report: &FillReport, log: &mut dyn Log) {
    let mut run = Run::new(0, log);
    let count = |count: usize, what: &str| counted(count as u64, what);
    if report.holes.is_empty() {
        run.say("no holes");
    } else {
        run.say(format!(
            "{}: {} filled with {} and {}, area {}",
            count(report.holes.len(), "hole"),
            report.filled,
            count(report.faces_added, "face"),
            count(report.vertices_added, "new vertex"),
            short(report.area_added)
        ));
    }
    for (i, hole) in report.holes.iter().enumerate() {
        if let Some(other) = hole.joined.filter(|other| i < *other) {
            run.say(format!(
                "joined: the holes at vertices {} and {}",
                hole.hole.vertex, report.holes[other].hole.vertex
            ));
        }
    }
    for refused in &report.not_joined {
        let [a, b] = refused.holes.map(|hole| report.holes[hole].hole.vertex);
        let why = match refused.why {
            Why::Orientation => "their boundaries run in the same direction",
            Why::Touching => "they touch",
            Why::NoStrip => "each strip has an edge that is there already",
        };
        run.warn(format!("not joined: the holes at vertices {a} and {b}: {why}"));
    }
    let reasons = [
        (Left::TooManyEdges, "too many edges"),
        (Left::TooLong, "too long"),
        (Left::Largest, "the largest"),
        (Left::Border, "outer borders"),
    ];
    let left = reasons.into_iter().filter_map(|(reason, words)| {
        let holes = report.holes.iter().filter(|hole| hole.left == Some(reason)).count();
        (holes > 0).then(|| format!("{holes} {words}"))
    });
    let left: Vec<String> = left.collect();
    if !left.is_empty() {
        run.say(format!("{} left open: {}", count(report.left, "hole"), left.join(", ")));
    }
    if !report.vertices_split.is_empty() {
        let split = count(report.vertices_split.len(), "vertex");
        run.note(format!("{split} split, at which a boundary loop touches itself"));
    }
    if !report.columns_dropped.is_empty() {
        run.note(format!("attributes left out: {}", report.columns_dropped.join(", ")));
    }
    let borders = report.holes.iter().filter(|hole| hole.left == Some(Left::Border)).count();
    if borders > 0 {
        run.note(format!(
            "{} of open surfaces left as they are; --borders of `ribbonmesh fill` closes them",
            count(borders, "outer border")
        ));
    }
    let reasons = [
        (FlatBecause::Bulged, "smooth, new faces would bulge out by more than the size of the hole"),
        (FlatBecause::NotConverged, "fairing did not converge"),
    ];
    for (reason, words) in reasons {
        let of = |hole: &&HoleReport| {
            hole.filling.as_ref().is_some_and(|filling| filling.flat_because == Some(reason))
        };
        let flat = report.holes.iter().filter(of).count();
        if flat > 0 {
            run.fall_short(format!("{} filled flat: {words}", count(flat, "hole")));
        }
    }
}
