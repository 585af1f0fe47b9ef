//! Unwrapping as applications.
use super::options::{UnwrapOptions, UnwrapReport};
use super::parameterize::{Method, ParameterizeOptions, ParameterizeReport, parameterize};
use super::unwrap::unwrap;
use ribbonmesh::mesh::TriangleMesh;
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_application::{
    Application, Changes, Docs, Failure, Need, Options, Place, Run, Traits, Work, counted,
};
use serde::Serialize;

/// Runs `work` on the mesh of the host, wherever it is.
fn on_host<T>(
    work: &mut Work,
    f: impl FnOnce(&Device, &mut TriangleMesh) -> Result<T, Failure>,
) -> Result<T, Failure> {
    match work.place() {
        Place::Host(device, mesh) => f(&device, mesh),
        Place::Device(surface) => {
            let (device, mut mesh) = (surface.device().clone(), surface.download()?);
            let done = f(&device, &mut mesh)?;
            *surface = Surface::new(&device, &mesh, &MeshOptions::default())?;
            Ok(done)
        }
    }
}

/// The application `unwrap`.
pub struct Unwrap;

impl Application for Unwrap {
    const NAME: &'static str = "unwrap";
    const DOCS: Docs = Docs {
        title: "Give a mesh texture coordinates: charts in a square, without overlap",
        about: "Faces merge to charts, each a disk; each chart is mapped to the plane so that no triangle is turned over \
                and lengths are kept as well as they can be; charts are packed into a square of texels. Any mesh will \
                do. Vertices and faces keep their place and their order; texture coordinates of the input are replaced.",
        notes: "OBJ, GLB and PLY hold texture coordinates.",
        examples: &[
            "ribbonmesh unwrap dragon.ply -o dragon.glb",
            "ribbonmesh unwrap dragon.ply -o dragon.obj --resolution 4096 --padding 8",
            "ribbonmesh unwrap dragon.ply -o textured.obj --density 100 --report charts.json",
        ],
        python: &[
            ">>> import ribbonmesh as rm",
            r#">>> ball = rm.generate("icosphere", 3, device="cpu").unwrap()"#,
            ">>> ball.report.flipped",
            "0",
        ],
    };
    const TRAITS: Traits = Traits { faces: true, long: true, ..Traits::new(Changes::Attributes) };
    type Options = UnwrapOptions;
    type Subject = Work;
    type Report = UnwrapReport;

    fn need(_: &UnwrapOptions) -> Need {
        Need::Anywhere
    }
    fn run(
        &self,
        work: &mut Work,
        options: &UnwrapOptions,
        run: &mut Run<'_>,
    ) -> Result<UnwrapReport, Failure> {
        let report =
            run.phase("unwrap", || on_host(work, |device, mesh| Ok(unwrap(device, mesh, options)?)))?;
        let UnwrapReport { charts, resolution, used, distortion, degenerate_faces, collapsed, .. } = report;
        run.say(format!(
            "{} on {resolution} x {resolution} texels, {:.0} % used; stretch {:.4}, at most {:.2}",
            counted(charts as u64, "chart"),
            100.0 * used,
            distortion.stretch,
            distortion.max_stretch,
        ));
        if degenerate_faces > 0 {
            let count = counted(degenerate_faces as u64, "face");
            run.note(format!("{count} with a vertex twice: their texture coordinates are 0 0"));
        }
        if collapsed > 0 {
            let count = counted(collapsed as u64, "triangle");
            run.note(format!(
                "{count} too small for the precision of texture coordinates: without area there"
            ));
        }
        Ok(report)
    }
}

/// Options of the application `parameterize`.
#[derive(Options, Clone, Copy, Debug, PartialEq)]
pub struct ParameterizeChoice {
    /// The map to the plane
    pub method: Method,
    /// Steps of Newton's method at most, 1 to 10,000; of `isometric` alone
    #[option(least = 1, most = 10_000)]
    pub steps: u32,
    /// Stop when a step gains less than this part of the energy that the map has above an isometry; of
    /// `isometric` alone
    pub tolerance: f64,
    /// Cut what is not a disk along short loops: closed meshes, handles, several boundary loops
    pub cut: bool,
}
impl Default for ParameterizeChoice {
    fn default() -> Self {
        let ParameterizeOptions { method, steps, tolerance, cut } = ParameterizeOptions::default();
        Self { method, steps, tolerance, cut }
    }
}

/// The application `parameterize`.
pub struct Parameterize;

/// The report of a run with its method.
#[derive(Serialize)]
pub struct Report {
    method: &'static str,
    #[serde(flatten)]
    report: ParameterizeReport,
}

impl Application for Parameterize {
    const NAME: &'static str = "parameterize";
    const DOCS: Docs = Docs {
        title: "Map a disk to the plane as one chart",
        about: "The mesh has to be a disk: connected, an oriented manifold with one boundary loop and no handles. With \
                `--cut`, one that is closed, has handles or several boundary loops is cut along short loops. The \
                result has texture coordinates in the unit square. Maps that keep lengths turn no \
                triangle over; those that keep angles may, which the report counts. `ribbonmesh unwrap` takes any mesh, which it cuts.",
        notes: "",
        examples: &[
            "ribbonmesh generate grid 20 -o sheet.ply",
            "ribbonmesh parameterize sheet.ply -o sheet.obj",
            "ribbonmesh parameterize sheet.ply -o disk.obj --method bff-disk --report distortion.json",
            "ribbonmesh parameterize closed.ply -o cut.obj --cut",
        ],
        python: &[
            ">>> import ribbonmesh as rm",
            r#">>> flat = rm.generate("grid", 20, device="cpu").parameterize()"#,
            ">>> flat.report.flipped",
            "0",
        ],
    };
    const TRAITS: Traits = Traits {
        faces: true,
        long: true,
        raises: &[("NotManifoldError", "The mesh is not a disk")],
        ..Traits::new(Changes::Attributes)
    };
    type Options = ParameterizeChoice;
    type Subject = Work;
    type Report = Report;

    fn need(_: &ParameterizeChoice) -> Need {
        Need::Anywhere
    }
    fn run(
        &self,
        work: &mut Work,
        options: &ParameterizeChoice,
        run: &mut Run<'_>,
    ) -> Result<Report, Failure> {
        let ParameterizeChoice { method, steps, tolerance, cut } = *options;
        let chosen = ParameterizeOptions { method, steps, tolerance, cut };
        let report = run.phase("parameterize", || {
            on_host(work, |device, mesh| parameterize(device, mesh, &chosen).map_err(Failure::of))
        })?;
        let ParameterizeReport { distortion, overlaps, flipped, turned_over, converged, cut_edges, .. } =
            report;
        if cut_edges > 0 {
            let edges = counted(cut_edges as u64, "edge");
            run.say(format!("cut along {edges}, {:.4} long", report.cut_length));
        }
        run.say(format!(
            "stretch {:.4}, at most {:.2}; angles {:.4}, areas {:.4}",
            distortion.stretch, distortion.max_stretch, distortion.angle, distortion.area,
        ));
        if turned_over > 0 {
            let count = counted(turned_over, "triangle");
            run.warn(format!("turned over: {count}, where the map is not one to one"));
        }
        if flipped > turned_over {
            let count = counted(flipped - turned_over, "triangle");
            run.warn(format!(
                "too small: {count} without area in the single precision of texture coordinates"
            ));
        }
        if !converged && method != Method::Isometric && method != Method::Tutte {
            run.warn("the method did not converge".to_owned());
        }
        if overlaps {
            run.warn("the boundary crosses itself: parts of the chart lie on each other".to_owned());
        }
        Ok(Report { method: method.name(), report })
    }
}
