//! `ribbonmesh denoise`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::session::Session;
use crate::streams::input_name;
use crate::words::counted;
use clap::{Args, value_parser};
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh_denoise::{DenoiseOptions, Deviation, Radius, denoise};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Remove noise from a mesh and keep its edges
///
/// Bilateral mesh denoising (Fleishman, Drori, Cohen-Or 2003): every vertex moves along its normal by a weighted mean of
/// its neighbours' offsets. Vertices without faces, or without a normal, stay. Vertices and faces keep their order.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh denoise dragon.ply -o smooth.ply
  ribbonmesh denoise dragon.ply -o smooth.ply --iterations 3 --radius mean --scale 1.5
  ribbonmesh convert dragon.ply noisy.ply --noise 0.2 && ribbonmesh denoise noisy.ply -o smooth.ply --reference dragon.ply")]
pub struct Denoise {
    /// Mesh: OBJ, PLY, OFF, STL or GLB; - is standard input
    mesh: PathBuf,
    /// File to write: OBJ, PLY, OFF, STL or GLB; - is standard output
    #[arg(long, short, value_name = "OUT")]
    output: PathBuf,
    /// How often all vertices move
    #[arg(long, value_name = "N", default_value_t = DenoiseOptions::default().iterations,
          value_parser = value_parser!(u32).range(0..=10_000))]
    iterations: u32,
    /// Edge length at each vertex by which the size of its neighbourhood goes
    #[arg(long, value_name = "shortest|mean|longest", default_value_t)]
    radius: Radius,
    /// σc in those lengths; neighbours are those within 2σc
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
    iterations: u32,
    radius: &'static str,
    scale: f32,
    /// Rings of each vertex that were stored, and their bytes.
    stored_rings: u32,
    stored_bytes: u64,
    /// In each iteration, vertices whose neighbourhood went beyond.
    walked: Vec<u32>,
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
        let mut surface = session.surface(&device, &mesh)?;
        let report = session.phase("denoise", || denoise(&mut surface, &self.options()))?;
        let denoised = session.download(&surface)?;
        let (faces, before, after) =
            (&mesh.faces, mesh.points_around(origin), denoised.points_around(origin));
        let way = Deviation::between(faces, &before, &after);
        let error = |x: &[Vec3]| reference.as_ref().map(|r| Deviation::between(faces, r, x));
        let (before, after_error) = (error(&before), error(&after));
        if let (Some(a), Some(b)) = (before, after_error) {
            session.say(format_args!(
                "from the reference: {:.3e} along its normals, was {:.3e}; faces turned by {:.2}°, was {:.2}°",
                b.offset_rms, a.offset_rms, b.normal_angle, a.normal_angle
            ));
        }
        session.results(&Results {
            iterations: report.iterations,
            radius: self.radius.name(),
            scale: self.scale,
            stored_rings: report.stored_rings,
            stored_bytes: report.stored_bytes,
            walked: report.walked,
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
            iterations: self.iterations,
            radius: self.radius,
            scale: self.scale,
            fixed_boundary: self.fixed_boundary,
            ..DenoiseOptions::default()
        }
    }
}
