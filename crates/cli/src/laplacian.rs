//! `ribbonmesh laplacian`.
use crate::encoding::Encoding as MeshEncoding;
use crate::failure::Failure;
use crate::numbers::number;
use crate::session::Session;
use crate::streams::is_standard;
use clap::Args;
use ribbonmesh::Surface;
use ribbonmesh_application::{Need, counted};
use ribbonmesh_intrinsic::{
    Correspondence, LaplacianOptions, LaplacianReport, Mass, RefineOptions, RefineReport, Subdivision,
    gradient, laplacian,
};
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_sparse::{Csr, MarketOptions, Symmetry, write_market};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Write the Laplacian and the mass matrix of a mesh as Matrix Market files
///
/// Any triangles will do: with boundary, edges of several faces, not orientable, without area. Weights are
/// cotangents of an intrinsic Delaunay triangulation of the mesh's tufted cover (Sharp and Crane 2020), so
/// that none is negative. Rows and columns are vertices in the order of the file; the matrix is symmetric and
/// positive semidefinite. With --min-angle, rows of new vertices follow; --subdivision and --interpolation
/// carry what has a number for each row to a mesh.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh laplacian dragon.ply -o L.mtx --mass M.mtx
  ribbonmesh laplacian dragon.ply -o L.mtx --extrinsic --gradient G.mtx
  ribbonmesh laplacian dragon.ply -o L.mtx.gz --mass M.mtx --masses voronoi --report report.json
  ribbonmesh laplacian dragon.ply -o L.mtx --min-angle 25 --subdivision S.ply --interpolation P.mtx")]
pub struct Laplacian {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// File for the Laplacian: Matrix Market, also compressed (.mtx.gz, .mtx.zst)
    #[arg(long, short, value_name = "L.mtx")]
    output: PathBuf,
    /// Also write the mass matrix, which is diagonal
    #[arg(long, value_name = "M.mtx")]
    mass: Option<PathBuf>,
    /// Also write the gradient: rows 3 f, 3 f + 1, 3 f + 2 are x, y, z in face f of the mesh
    #[arg(long, value_name = "G.mtx")]
    gradient: Option<PathBuf>,
    /// Masses of vertices: a third of each triangle (lumped), or the cells of nearest points (voronoi)
    #[arg(long, value_name = "lumped|voronoi", default_value_t)]
    masses: Mass,
    /// Least length by which two sides of a triangle exceed the third, as a part of the mean length of edges,
    /// 0 to 1: all lengths grow by the same
    #[arg(
        long,
        value_name = "PART",
        default_value_t = LaplacianOptions::default().mollify,
        value_parser = part
    )]
    mollify: f64,
    /// Cotangents of the triangles as they are, which may give negative weights: no longer lengths, no flips
    #[arg(long, conflicts_with = "mollify")]
    extrinsic: bool,
    /// Most rounds of flips
    #[arg(
        long,
        value_name = "N",
        default_value_t = LaplacianOptions::default().rounds,
        conflicts_with = "extrinsic"
    )]
    max_rounds: u32,
    /// Least angle of the triangulation in degrees, 0 to 30: new vertices within the same surface, at
    /// circumcentres, until all angles are as large; 0 adds none
    #[arg(
        long,
        value_name = "DEGREES",
        default_value_t = 0.0,
        hide_default_value = true,
        value_parser = angle,
        conflicts_with_all = ["extrinsic", "max_rounds"]
    )]
    min_angle: f64,
    /// Most new vertices
    #[arg(
        long,
        value_name = "N",
        default_value_t = RefineOptions::default().max_insertions,
        requires = "min_angle"
    )]
    max_insertions: usize,
    /// Also write the common subdivision: triangles that are each in one of the mesh and in one of the
    /// triangulation; its first vertices are the rows of the Laplacian
    #[arg(long, value_name = "S.ply", conflicts_with_all = ["extrinsic", "max_rounds"])]
    subdivision: Option<PathBuf>,
    /// Also write the matrix that carries values at the triangulation's vertices to those of the subdivision
    #[arg(long, value_name = "P.mtx", conflicts_with_all = ["extrinsic", "max_rounds"])]
    interpolation: Option<PathBuf>,
}

fn part(text: &str) -> Result<f64, String> {
    number(text)
        .filter(|part| (0.0..=1.0).contains(part))
        .ok_or_else(|| "not a number from 0 to 1".to_owned())
}

fn angle(text: &str) -> Result<f64, String> {
    number(text)
        .filter(|angle| (0.0..=30.0).contains(angle))
        .ok_or_else(|| "not a number from 0 to 30".to_owned())
}

/// Results of a triangulation that keeps its correspondence with the mesh.
#[derive(Clone, Copy, Serialize)]
struct Refined {
    #[serde(flatten)]
    report: RefineReport,
    /// Crossings of its edges with edges of the mesh, in both sheets of a cover.
    crossings: u64,
}

#[derive(Serialize)]
struct Results<'a> {
    mesh: &'a Path,
    masses: Mass,
    #[serde(flatten)]
    report: LaplacianReport,
    #[serde(flatten)]
    refined: Option<Refined>,
}

impl Laplacian {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let outputs: Vec<&Path> = self.outputs().collect();
        for (i, output) in outputs.iter().enumerate() {
            if is_standard(output) {
                return Err(Failure::Usage("matrices are written to files, not to standard output".into()));
            }
            if outputs[..i].contains(output) {
                return Err(Failure::Usage(format!("{} is named twice", output.display())));
            }
            session.keep(Some(output), &[&self.mesh])?;
        }
        let mesh = session.read(&self.mesh)?.mesh;
        if mesh.faces.is_empty() {
            return Err(Failure::NoFaces(self.mesh.clone()));
        }
        let device = session.device()?;
        let surface = session.surface(&device, &mesh, Need::Triangles)?;
        let options = LaplacianOptions {
            extrinsic: self.extrinsic,
            mollify: self.mollify,
            mass: self.masses,
            rounds: self.max_rounds,
        };
        let (found, both) = match self.corresponds() {
            true => {
                let (both, report) = session.phase("refine", || self.refined(&surface))?;
                let found = session.phase("laplacian", || both.laplacian(&device, self.masses))?;
                (found, Some((both, report)))
            }
            false => (session.phase("laplacian", || laplacian(&surface, &options))?, None),
        };
        let report = *found.report();
        let refined =
            both.as_ref().map(|(both, report)| Refined { report: *report, crossings: both.crossings() });
        let slopes = match &self.gradient {
            Some(file) => Some((file, session.phase("gradient", || gradient(&surface))?)),
            None => None,
        };
        session.results(&Results { mesh: &self.mesh, masses: self.masses, report, refined });
        self.tell(session, &report, refined.as_ref());
        write(session, &self.output, &found.to_csr()?, Symmetry::Symmetric)?;
        if let Some(file) = &self.mass {
            write(session, file, &found.mass_csr()?, Symmetry::Symmetric)?;
        }
        if let Some((file, slopes)) = slopes {
            write(session, file, &slopes.to_csr()?, Symmetry::General)?;
        }
        if let Some((both, _)) = both.filter(|_| self.subdivision.is_some() || self.interpolation.is_some()) {
            let subdivision = session.phase("subdivision", || both.subdivision())?;
            if let Some(file) = &self.interpolation {
                write(session, file, &subdivision.interpolation(both.vertices())?, Symmetry::General)?;
            }
            if let Some(file) = &self.subdivision {
                let encoded = MeshEncoding::default().options(file)?;
                session.write(file, &as_mesh(subdivision, &mesh), &encoded)?;
            }
        }
        Ok(())
    }
    fn outputs(&self) -> impl Iterator<Item = &Path> {
        let more = [&self.mass, &self.gradient, &self.subdivision, &self.interpolation];
        std::iter::once(&*self.output).chain(more.into_iter().flatten().map(|file| &**file))
    }
    /// Whether the triangulation knows where it is on the mesh.
    fn corresponds(&self) -> bool {
        self.min_angle > 0.0 || self.subdivision.is_some() || self.interpolation.is_some()
    }
    fn refined(&self, surface: &Surface) -> ribbonmesh::Result<(Correspondence, RefineReport)> {
        let mut both = Correspondence::of(surface, self.mollify)?;
        let options = RefineOptions { min_angle: self.min_angle, max_insertions: self.max_insertions };
        let report = both.refine(&options)?;
        Ok((both, report))
    }
    /// Whether it writes files in addition to its output.
    pub fn writes_more(&self) -> bool {
        self.outputs().count() > 1
    }
    fn tell(&self, session: &mut Session, report: &LaplacianReport, refined: Option<&Refined>) {
        if report.degenerate_faces > 0 {
            let faces = counted(report.degenerate_faces as u64, "face");
            session.note(format!("{faces} with a vertex twice left out"));
        }
        if report.flat_triangles > 0 {
            let triangles = counted(report.flat_triangles as u64, "triangle");
            session.warn(format!("{triangles} without area: their cotangents count as 0"));
        }
        if !report.delaunay && !self.extrinsic {
            session.fall_short(format!(
                "the triangulation is not Delaunay after {}: weights may be negative; --max-rounds allows more",
                counted(u64::from(report.rounds), "round")
            ));
        }
        if let Some(Refined { report: refined, crossings }) = refined {
            if !refined.refined {
                let least = refined.least_angle.unwrap_or_default();
                let inserted = counted(refined.inserted as u64, "new vertex");
                session.fall_short(match refined.inserted == self.max_insertions {
                    true => format!(
                        "the least angle is {least:.1}° after {inserted}; --max-insertions allows more"
                    ),
                    false => format!(
                        "the least angle is {least:.1}° after {inserted}: rounding hides the place of more"
                    ),
                });
            }
            let (flips, crossings) = (counted(report.flips, "flip"), counted(*crossings, "crossing"));
            let inserted = counted(refined.inserted as u64, "new vertex");
            let least =
                refined.least_angle.map_or(String::new(), |least| format!(", least angle {least:.1}°"));
            session.say(format_args!("{flips}, {inserted}{least}, {crossings} with edges of the mesh"));
            return;
        }
        let (flips, rounds) = (counted(report.flips, "flip"), counted(u64::from(report.rounds), "round"));
        session.say(format_args!("{flips} in {rounds}, edges longer by {:.3e}", report.longer));
    }
}

/// The subdivision as a mesh with the precision of another one.
fn as_mesh(subdivision: Subdivision, of: &TriangleMesh) -> TriangleMesh {
    let mut mesh = TriangleMesh::new(subdivision.of_input(&of.positions), subdivision.faces);
    mesh.precision = of.precision;
    mesh
}
/// Writes a matrix.
fn write(session: &mut Session, file: &Path, matrix: &Csr<f64>, symmetry: Symmetry) -> Result<(), Failure> {
    let options = MarketOptions { symmetry, ..MarketOptions::default() };
    session.phase("write", || write_market(file, matrix, &options))?;
    session.wrote(file);
    let (rows, numbers) = (counted(matrix.rows() as u64, "row"), counted(matrix.len() as u64, "number"));
    session.say(format_args!("wrote {}: {rows}, {numbers}", file.display()));
    Ok(())
}
