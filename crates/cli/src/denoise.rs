//! `ribbonmesh denoise`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::session::Session;
use crate::streams::input_name;
use crate::words::counted;
use clap::{Args, value_parser};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_denoise::{DenoiseOptions, Deviation, Method, Radius, denoise};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Remove noise from a mesh and keep its edges
///
/// The noise of the mesh is estimated, and decides how much is done: nothing where there is none. The normals of faces are
/// filtered (Zheng et al. 2011), then vertices follow them; other methods by --method. Vertices and faces keep their order.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh denoise dragon.ply -o smooth.ply
  ribbonmesh denoise dragon.ply -o smooth.ply --noise 0.1
  ribbonmesh denoise dragon.ply -o smooth.ply --method bilateral --iterations 3 --radius mean --scale 1.5
  ribbonmesh convert dragon.ply noisy.ply --noise 0.2 && ribbonmesh denoise noisy.ply -o smooth.ply --reference dragon.ply")]
pub struct Denoise {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// File to write: OBJ, PLY, OFF, STL, GLB or glTF; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// Method: normals (of faces, filtered; keeps edges), bilateral (offsets of neighbours), taubin (keeps no edges)
    #[arg(long, value_name = "normals|bilateral|taubin", default_value_t)]
    method: Method,
    /// Standard deviation of the noise in mean edge lengths, 0 to 10 [default: estimated]
    #[arg(long, value_name = "SIGMA")]
    noise: Option<f32>,
    /// Iterations [default: by the noise]
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(0..=10_000))]
    iterations: Option<u32>,
    /// With --method normals: differences of unit normals beyond it are edges, above 0, at most 2 [default: by the noise]
    #[arg(long, value_name = "SIGMA")]
    similarity: Option<f32>,
    /// With --method bilateral: edge length at each vertex by which the size of its neighbourhood goes
    #[arg(long, value_name = "shortest|mean|longest", default_value_t)]
    radius: Radius,
    /// With --method bilateral: σc in those lengths; neighbours are those within 2σc
    #[arg(long, value_name = "FACTOR", default_value_t = DenoiseOptions::default().scale)]
    scale: f32,
    /// Leave vertices on the boundary where they are
    #[arg(long)]
    fixed_boundary: bool,
    /// Mesh without noise, of the same vertices: the report has the error before and after
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,
    #[command(flatten)]
    encoding: Encoding,
}

#[derive(Serialize)]
struct Results {
    method: &'static str,
    /// Standard deviation of the noise as estimated, in mean edge lengths, and that length.
    noise: Option<f64>,
    mean_edge: Option<f64>,
    /// Whether the mesh is the surface of voxels.
    stairs: bool,
    iterations: u32,
    /// Method normals: σs.
    similarity: Option<f64>,
    /// Methods normals and taubin: no vertex goes farther.
    farthest: Option<f64>,
    /// Method bilateral.
    radius: Option<&'static str>,
    scale: Option<f32>,
    /// Rings of each vertex that were stored, and the bytes of stored neighbours.
    stored_rings: u32,
    stored_bytes: u64,
    /// In each iteration, vertices whose neighbourhood went beyond; in all, those whose neighbourhood was cut.
    walked: Vec<u32>,
    cut: u32,
    /// How far vertices moved: root of the mean square, and the most.
    moved_rms: f64,
    moved_max: f64,
    before: Option<Error>,
    after: Option<Error>,
}

/// The difference from the reference.
#[derive(Serialize)]
struct Error {
    distance_rms: f64,
    distance_max: f64,
    /// Along the normals of the reference.
    offset_rms: f64,
    /// Mean angle between the normals of faces, in degrees.
    normal_angle: f64,
}
impl Error {
    fn of(d: Deviation) -> Self {
        let Deviation { distance_rms, distance_max, offset_rms, normal_angle } = d;
        Self { distance_rms, distance_max, offset_rms, normal_angle }
    }
}

impl Denoise {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let options = self.encoding.options(&self.output)?;
        let mut given = vec![self.mesh.as_path(), self.output.as_path()];
        given.extend(self.reference.as_deref());
        session.keep(None, &given)?;
        let mesh = session.read(&self.mesh)?.mesh;
        let vertices = mesh.positions.len();
        let origin = mesh.local_origin();
        let reference =
            self.reference.as_deref().map(|file| self.read_reference(session, file, vertices, origin));
        let reference = reference.transpose()?;
        let device = session.device()?;
        let mut surface = match self.method {
            Method::Bilateral => session.surface(&device, &mesh)?,
            Method::Normals | Method::Taubin => session.triangles(&device, &mesh)?,
        };
        let report = session.phase("denoise", || denoise(&mut surface, &self.options()))?;
        let done = match (report.noise, self.noise) {
            (_, Some(noise)) => format!("noise of {noise} mean edges as given"),
            (Some(noise), None) if report.stairs => {
                format!("noise of {noise:.3} mean edges: stairs of voxels")
            }
            (Some(noise), None) => format!("noise of {noise:.3} mean edges estimated"),
            (None, None) => "noise not estimated".to_owned(),
        };
        let similarity = report.similarity.map_or_else(String::new, |sigma| format!(", σs {sigma:.2}"));
        let iterations = counted(u64::from(report.iterations), "iteration");
        session.say(format_args!("{done}: {}, {iterations}{similarity}", report.method));
        if report.cut > 0 {
            let balls = counted(u64::from(report.cut), "neighbourhood");
            session.note(format!("{balls} cut: edges are very unequal, or --scale is large"));
        }
        let denoised = session.download(&surface)?;
        let (faces, before, after) =
            (&mesh.faces, mesh.points_around(origin), denoised.points_around(origin));
        let way = Deviation::between(faces, &before, &after);
        let error = |x: &[Vec3]| reference.as_ref().map(|r| Deviation::between(faces, r, x));
        let (before, after_error) = (error(&before), error(&after));
        if let (Some(a), Some(b)) = (before, after_error) {
            let told = format!(
                "from the reference: {:.3e} along its normals, was {:.3e}; faces turned by {:.2}°, was {:.2}°",
                b.offset_rms, a.offset_rms, b.normal_angle, a.normal_angle
            );
            session.tell(&self.output, told);
        }
        let bilateral = self.method == Method::Bilateral;
        session.results(&Results {
            method: report.method.name(),
            noise: report.noise,
            mean_edge: report.mean_edge,
            stairs: report.stairs,
            iterations: report.iterations,
            similarity: report.similarity,
            farthest: report.farthest,
            radius: bilateral.then_some(self.radius.name()),
            scale: bilateral.then_some(self.scale),
            stored_rings: report.stored_rings,
            stored_bytes: report.stored_bytes,
            walked: report.walked,
            cut: report.cut,
            moved_rms: way.distance_rms,
            moved_max: way.distance_max,
            before: before.map(Error::of),
            after: after_error.map(Error::of),
        });
        session.write(&self.output, &denoised, &options)
    }
    /// The positions of the reference, which must be as many.
    fn read_reference(
        &self,
        session: &mut Session,
        file: &Path,
        vertices: usize,
        origin: DVec3,
    ) -> Result<Vec<Vec3>, Failure> {
        let reference = session.read_reference(file)?;
        let found = reference.positions.len();
        if found != vertices {
            return Err(Failure::Refused(format!(
                "{}: {}, but {} has {vertices}; a reference has the same vertices",
                input_name(file),
                counted(found as u64, "vertex"),
                input_name(&self.mesh)
            )));
        }
        Ok(reference.points_around(origin))
    }
    fn options(&self) -> DenoiseOptions {
        DenoiseOptions {
            method: self.method,
            noise: self.noise,
            iterations: self.iterations,
            similarity: self.similarity,
            radius: self.radius,
            scale: self.scale,
            fixed_boundary: self.fixed_boundary,
            ..DenoiseOptions::default()
        }
    }
}
