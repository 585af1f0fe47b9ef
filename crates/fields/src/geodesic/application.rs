//! Geodesic distances as an application.
use crate::geodesic::exact::{Exact, ExactReport, GeodesicPath};
use crate::geodesic::nearest::nearest_sources;
use crate::geodesic::run::{DISTANCE, NEAREST, Ordered, without_patches};
use crate::geodesic::vectors::{LOG, VectorReport, logarithmic, signed};
use crate::geodesic::{FlatGeodesic, GeodesicOptions, GeodesicReport, Order, vertex_places};
use ribbonmesh::mesh::{Element, Role};
use ribbonmesh::{Buffer, Error, Result, Surface, TriangleMesh};
use ribbonmesh_application::{
    Added, AddedKind, Application, Changes, Curve, Curves, Docs, Failure, Need, Options, Run, Traits, Work,
    counted,
};
use ribbonmesh_heat::{
    HeatMethod, HeatOptions, HeatReport, Solver, VectorHeat, VectorOptions, insert_distances,
    insert_distances_as,
};
use serde::Serialize;

/// Options of the application: those of propagation, and those of exact distances.
#[derive(Options, Clone, Debug, PartialEq)]
#[options(check)]
pub struct GeodesicChoice {
    /// Vertex of the input, from 0, from which distances are measured
    #[option(positional, required, short = 's')]
    pub source: Vec<u32>,
    /// The order in which the front passes over the mesh
    pub order: Order,
    /// A distance that would decrease by no more than this part of itself stays, 0 to 0.1
    #[option(unit = "PART")]
    pub tolerance: f32,
    /// Estimates, in a fraction of the time: no lengths of paths, and behind holes up to a fifth too small
    #[option(name = "estimate", inverted)]
    pub paths: bool,
    /// Exact distances, in double precision, on one core of the host: about two seconds for 100,000 faces
    #[option(conflicts(order, tolerance, estimate))]
    pub exact: bool,
    /// By the heat method: smooth distances in double precision, a few percent off, also below the exact ones
    #[option(conflicts(order, tolerance, estimate, exact, nearest))]
    pub heat: bool,
    /// With `--heat`: the time for which heat flows, in squared mean edge lengths; more is smoother, 0.01 to
    /// 1000000
    #[option(requires(heat), unit = "FACTOR")]
    pub time: f64,
    /// With `--heat`, `--signed` or `--log-map`: how systems are solved
    pub solver: Solver,
    /// With `--heat`: also the distances from each source by itself, as `distance_` and its number; they are
    /// solved for together
    #[option(requires(heat), command_only)]
    pub each: bool,
    /// Distances with a sign, from a curve along edges whose vertices the sources are, in order: positive on
    /// its right, outside if it goes counterclockwise. By the heat method, in double precision
    #[option(conflicts(order, tolerance, estimate, exact, heat, nearest))]
    pub signed: bool,
    /// The logarithmic map of one source: coordinates log_x and log_y of each vertex in its tangent plane. By
    /// the heat method, in double precision
    #[option(conflicts(order, tolerance, estimate, exact, heat, nearest, signed))]
    pub log_map: bool,
    /// With `--exact`: vertex to which a shortest path is wanted
    #[option(requires(exact))]
    pub path_to: Vec<u32>,
    /// Also which source is the nearest of each vertex, by walks along edges
    pub nearest: bool,
}
impl Default for GeodesicChoice {
    fn default() -> Self {
        let GeodesicOptions { tolerance, order, paths } = GeodesicOptions::default();
        let (source, path_to) = (vec![], vec![]);
        let HeatOptions { time, solver, .. } = HeatOptions::default();
        Self {
            source,
            order,
            tolerance,
            paths,
            exact: false,
            heat: false,
            time,
            solver,
            each: false,
            signed: false,
            log_map: false,
            path_to,
            nearest: false,
        }
    }
}
impl GeodesicChoice {
    fn options(&self) -> GeodesicOptions {
        GeodesicOptions { tolerance: self.tolerance, order: self.order, paths: self.paths }
    }
    fn heat_options(&self) -> HeatOptions {
        HeatOptions { time: self.time, solver: self.solver, ..HeatOptions::default() }
    }
    fn vector_options(&self) -> VectorOptions {
        VectorOptions { solver: self.solver, ..VectorOptions::default() }
    }
    fn check(&self) -> Result<()> {
        if self.solver != Solver::Auto && !(self.heat || self.signed || self.log_map) {
            let (value, expected) = (self.solver.to_string(), "auto without --heat, --signed or --log-map");
            return Err(Error::Option { option: "solver", value, expected });
        }
        self.options().check()?;
        self.heat_options().check()
    }
}

/// The application `geodesic`.
pub struct Geodesics;

/// The report of a run.
#[derive(Serialize)]
pub struct Report {
    #[serde(flatten)]
    found: Found,
    /// The distance of the farthest vertex that is reached.
    farthest: f64,
    mean: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    paths: Vec<PathReport>,
    #[serde(skip)]
    curves: Vec<Curve>,
}

/// The report of one of the methods.
#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    Front(GeodesicReport),
    Exact(ExactReport),
    Heat(HeatReport),
    Vector(VectorReport),
}

/// A shortest path.
#[derive(Serialize)]
struct PathReport {
    to: u32,
    /// The vertex at which it begins; none where no path leads.
    from: Option<u32>,
    length: Option<f64>,
    points: usize,
}

impl Application for Geodesics {
    const NAME: &'static str = "geodesic";
    const DOCS: Docs = Docs {
        title: "Compute the geodesic distance of every vertex from the nearest of some of them",
        about: "Distances are in the units of the mesh, infinite where no path leads. They are lengths of paths on the \
                mesh, found by front propagation (Romero et al. 2019), or with --exact the least that are possible \
                on these triangles (Mitchell, Mount and Papadimitriou 1987), or with --heat those of the heat method \
                (Crane, Weischedel and Wardetzky 2013). With --signed they have a sign (Feng and Crane 2024); with \
                --log-map vertices get coordinates in the tangent plane of one of them (Soliman and Sharp 2025).",
        notes: "The property of the PLY file is distance, and with --nearest also nearest_source, with --log-map log_x\n\
                and log_y. Vertices and faces keep their order. --signed and --log-map need an oriented manifold.",
        examples: &[
            "ribbonmesh geodesic dragon.ply --source 0 -o distance.ply",
            "ribbonmesh geodesic dragon.ply --source 0 --source 250 -o distance.ply --report distance.json",
            "ribbonmesh geodesic dragon.ply --exact --source 0 -o distance.ply --path-to 9 --paths path.obj",
            "ribbonmesh geodesic dragon.ply --heat --source 0 -o distance.ply",
            "ribbonmesh geodesic dragon.ply --signed --source 3 --source 4 --source 5 -o distance.ply",
            "ribbonmesh geodesic dragon.ply --log-map --source 0 -o coordinates.ply",
            "ribbonmesh render distance.ply -o distance.png --scalar distance",
        ],
        python: &[
            ">>> import ribbonmesh as rm",
            r#">>> found = rm.generate("icosphere", 3, device="cpu").geodesic(0)"#,
            ">>> bool(3.0 < found.distance.max() < 3.15)",
            "True",
        ],
    };
    const TRAITS: Traits = Traits {
        adds: Some(Added {
            attributes: &[
                (DISTANCE, AddedKind::Numbers),
                (NEAREST, AddedKind::Vertices),
                (LOG[0], AddedKind::Numbers),
                (LOG[1], AddedKind::Numbers),
            ],
            type_of_result: "Geodesic",
            result: "The distances, the paths that were asked for, and a report",
        }),
        curves: Some(Curves {
            option: "paths",
            help: "File for the paths of --path-to: OBJ, a line (l) for each",
            asked_by: "path_to",
        }),
        ..Traits::new(Changes::Attributes)
    };
    type Options = GeodesicChoice;
    type Subject = Work;
    type Report = Report;

    fn need(options: &GeodesicChoice) -> Need {
        match (options.exact, options.heat || options.signed || options.log_map) {
            (true, _) => Need::Host,
            (false, true) => Need::Triangles,
            // in sequence they are not needed
            (false, false) if matches!(options.order, Order::Auto | Order::Sequence) => Need::Triangles,
            (false, false) => Need::Edges,
        }
    }
    fn long(options: &GeodesicChoice) -> bool {
        options.exact
    }
    fn run(
        &self,
        work: &mut Work,
        options: &GeodesicChoice,
        run: &mut Run<'_>,
    ) -> std::result::Result<Report, Failure> {
        match work {
            Work::Surface(surface) if options.heat => heated(surface, options, run),
            Work::Surface(surface) if options.signed || options.log_map => by_vectors(surface, options, run),
            Work::Surface(surface) => without_patches(surface, |surface| propagated(surface, options, run)),
            Work::Mesh(mesh) => exact(mesh, options, run),
            Work::Meshes(_) | Work::Surfaces(_) => {
                Err(Error::Invalid("distances are computed on one mesh".into()).into())
            }
        }
    }
    fn curves(report: &Report) -> &[Curve] {
        &report.curves
    }
}

/// Distances by propagation, and the place of each vertex, by the ids of the surface.
struct Propagated {
    report: GeodesicReport,
    distances: Buffer<f32>,
    places: Buffer<u32>,
}

/// Computes distances by many threads.
fn in_rounds(surface: &mut Surface, options: &GeodesicChoice, run: &mut Run<'_>) -> Result<Propagated> {
    let chosen = options.options();
    let places = run.phase("edges", || vertex_places(surface))?;
    let (topology, positions) = surface.flat_topology()?;
    let mut solver = run.phase("ring", || FlatGeodesic::new(topology, positions, &places))?;
    run.phase("level sets", || solver.level_sets(&options.source))?;
    let report = run.phase("propagation", || solver.propagate(&chosen))?;
    let rounds = if chosen.paths { run.phase("paths", || solver.trace())? } else { 0 };
    let report = GeodesicReport { rounds, ..report };
    let distances = run.phase("distances", || solver.distances())?;
    drop(solver);
    Ok(Propagated { report, distances, places })
}

/// Computes distances by one thread.
fn in_sequence(surface: &Surface, options: &GeodesicChoice, run: &mut Run<'_>) -> Result<Propagated> {
    let input = run.phase("triangles", || Ordered::read(surface))?;
    let mut solver = run.phase("faces of vertices", || input.solver())?;
    let report = run.phase("front", || solver.run(&options.source, &options.options()))?;
    let device = surface.device();
    let distances = run.phase("distances", || device.upload(&input.by_id(solver.distances())))?;
    Ok(Propagated { report, distances, places: device.upload(&input.places)? })
}

/// Gives a surface distances by propagation.
fn propagated(
    surface: &mut Surface,
    options: &GeodesicChoice,
    run: &mut Run<'_>,
) -> std::result::Result<Report, Failure> {
    let found = match options.order.on(surface.device())? {
        Order::Sequence => in_sequence(surface, options, run)?,
        _ => in_rounds(surface, options, run)?,
    };
    let Propagated { report, distances, places } = found;
    surface.insert_of_vertices(DISTANCE, Role::Custom, &distances)?;
    // that of other sources
    surface.retain(Element::Vertex, |name, _| name != NEAREST);
    let values: Vec<f64> = distances.read()?.into_iter().map(f64::from).collect();
    if options.nearest {
        let nearest = run.phase("nearest", || nearest_on(surface, &values, &options.source, &places))?;
        surface.insert_owned_of_vertices(NEAREST, Role::Custom, nearest)?;
    }
    warn_of(report.unreachable, run);
    let (farthest, mean) = farthest_and_mean(&values, report.reached);
    let (levels, many) = (counted(report.levels as u64, "level"), report.iterations as u64);
    let work = match report.order {
        Order::Sequence => format!("{} in sequence", counted(many, "step")),
        _ => counted(many, "iteration"),
    };
    run.tell(format!("farthest {}; {levels}, {work}", farthest as f32));
    Ok(Report { found: Found::Front(report), farthest, mean, paths: vec![], curves: vec![] })
}

/// Gives a surface distances by the heat method.
fn heated(
    surface: &mut Surface,
    options: &GeodesicChoice,
    run: &mut Run<'_>,
) -> std::result::Result<Report, Failure> {
    let mut method = run.phase("systems", || HeatMethod::new(surface, &options.heat_options()))?;
    let mut lists = vec![&*options.source];
    let own: Vec<[u32; 1]> = options.source.iter().map(|&source| [source]).collect();
    // of one source, the distances from all sources are those from each
    if options.each && own.len() > 1 {
        lists.extend(own.iter().map(|source| &source[..]));
    }
    let found = run.phase("heat", || method.distances_of_each(&lists))?;
    drop(method);
    if options.each {
        let of_each = if own.len() > 1 { &found[1..] } else { &found[..] };
        for ([source], (distances, _)) in own.iter().zip(of_each) {
            insert_distances_as(surface, &format!("{DISTANCE}_{source}"), distances)?;
        }
    }
    let (distances, report) = &found[0];
    let values = distances.read()?;
    insert_distances(surface, distances)?;
    surface.retain(Element::Vertex, |name, _| name != NEAREST);
    let (farthest, mean) = told(report, &values, run);
    Ok(Report { found: Found::Heat(*report), farthest, mean, paths: vec![], curves: vec![] })
}

/// Gives a surface signed distances, or a logarithmic map.
fn by_vectors(
    surface: &mut Surface,
    options: &GeodesicChoice,
    run: &mut Run<'_>,
) -> std::result::Result<Report, Failure> {
    let mut method = run.phase("systems", || VectorHeat::new(surface, &options.vector_options()))?;
    let (report, distances) = run.phase("heat", || match options.signed {
        true => signed(surface, &mut method, &options.source),
        false => logarithmic(surface, &method, &options.source),
    })?;
    let lengths: Vec<f64> = distances.iter().map(|d| d.abs()).collect();
    let (farthest, mean) = told(&report.heat, &lengths, run);
    Ok(Report { found: Found::Vector(report), farthest, mean, paths: vec![], curves: vec![] })
}
/// Tells how the heat method went; the largest and the mean distance.
fn told(report: &HeatReport, distances: &[f64], run: &mut Run<'_>) -> (f64, f64) {
    warn_of(report.unreachable, run);
    if !report.converged {
        run.warn(format!("distances are not exact solutions: their residual is {:.1e}", report.residual));
    }
    let (farthest, mean) = farthest_and_mean(distances, report.reached);
    let how = match report.chosen.solver {
        Solver::Direct => "direct solver".to_owned(),
        _ => {
            let shells = counted(report.shells.into(), "shell");
            let many = if report.iterations > 0 { report.iterations } else { report.heat_iterations };
            format!("{shells}, {}", counted(many as u64, "iteration"))
        }
    };
    run.tell(format!("farthest {farthest}; {how}"));
    (farthest, mean)
}

/// The nearest sources of the vertices of a surface, in the order of its ids.
fn nearest_on(
    surface: &Surface,
    distance: &[f64],
    sources: &[u32],
    places: &Buffer<u32>,
) -> Result<Buffer<i32>> {
    let triangles = surface.triangles();
    let (x, corners) = (triangles.positions().read()?, triangles.faces().read()?);
    let places = places.read()?;
    let mut ids = vec![0; places.len()];
    (0..).zip(&places).for_each(|(id, &place)| ids[place as usize] = id);
    let sources: Vec<u32> = sources.iter().map(|&source| ids[source as usize]).collect();
    let length = |v: u32, w: u32| x[v as usize].as_dvec3().distance(x[w as usize].as_dvec3());
    let nearest = nearest_sources(corners.as_chunks::<3>().0, distance, &sources, length, |id| {
        places[id as usize] as i32
    });
    surface.device().upload(&nearest)
}

/// Gives a mesh of the host exact distances, and finds paths.
fn exact(
    mesh: &mut TriangleMesh,
    options: &GeodesicChoice,
    run: &mut Run<'_>,
) -> std::result::Result<Report, Failure> {
    let mut exact = run.phase("unfolding", || Exact::new(&mesh.positions, &mesh.faces))?;
    let report = run.phase("windows", || exact.run(&options.source))?;
    warn_of(report.unreachable, run);
    let (farthest, mean) = farthest_and_mean(exact.distances(), report.reached);
    run.tell(format!("farthest {farthest}; {}", counted(report.windows, "window")));
    let found: Vec<(u32, Option<GeodesicPath>)> =
        run.phase("paths", || options.path_to.iter().map(|&v| (v, exact.path_to(v))).collect());
    let (mut paths, mut curves) = (vec![], vec![]);
    for (to, path) in found {
        let points = path.as_ref().map_or(0, |path| path.points.len());
        let length = path.as_ref().map(GeodesicPath::length);
        match length {
            Some(length) => {
                run.tell(format!("path to {to}: {length} long, {}", counted(points as u64, "point")));
            }
            None => run.warn(format!("no path leads to vertex {to}")),
        }
        paths.push(PathReport { to, from: path.as_ref().and_then(GeodesicPath::source), length, points });
        let points = path.map(|path| path.points).unwrap_or_default();
        curves.push(Curve { name: format!("path_to_{to}"), points });
    }
    let distances = exact.distances().to_vec();
    mesh.vertices_mut().remove(NEAREST);
    if options.nearest {
        let x = &mesh.positions;
        let length = |v: u32, w: u32| x[v as usize].distance(x[w as usize]);
        let nearest = run.phase("nearest", || {
            nearest_sources(&mesh.faces, &distances, &options.source, length, |source| source as i32)
        });
        mesh.vertices_mut().insert(NEAREST, nearest).map_err(Error::from)?;
    }
    mesh.vertices_mut().insert(DISTANCE, distances).map_err(Error::from)?;
    Ok(Report { found: Found::Exact(report), farthest, mean, paths, curves })
}

/// Warns of vertices that are not reached.
fn warn_of(unreachable: usize, run: &mut Run<'_>) {
    if unreachable > 0 {
        let count = counted(unreachable as u64, "vertex");
        run.warn(format!("{count} that no path from a source leads to: inf"));
    }
}

/// The largest and the mean distance of the vertices that are reached.
fn farthest_and_mean(distances: &[f64], reached: usize) -> (f64, f64) {
    let finite = || distances.iter().filter(|d| d.is_finite());
    (finite().fold(0.0, |most: f64, d| most.max(*d)), finite().sum::<f64>() / reached as f64)
}
