//! `ribbonmesh laplacian`.
use crate::failure::Failure;
use crate::numbers::number;
use crate::session::Session;
use crate::streams::is_standard;
use clap::Args;
use ribbonmesh_application::{Need, counted};
use ribbonmesh_intrinsic::{LaplacianOptions, LaplacianReport, Mass, gradient, laplacian};
use ribbonmesh_sparse::{Csr, MarketOptions, Symmetry, write_market};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Write the Laplacian and the mass matrix of a mesh as Matrix Market files
///
/// Any triangles will do: with boundary, edges of several faces, not orientable, without area. Weights are
/// cotangents of an intrinsic Delaunay triangulation of the mesh's tufted cover (Sharp and Crane 2020), so
/// that none is negative. Rows and columns are vertices in the order of the file; the matrix is symmetric and
/// positive semidefinite.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh laplacian dragon.ply -o L.mtx --mass M.mtx
  ribbonmesh laplacian dragon.ply -o L.mtx --extrinsic --gradient G.mtx
  ribbonmesh laplacian dragon.ply -o L.mtx.gz --mass M.mtx --masses voronoi --report report.json")]
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
}

fn part(text: &str) -> Result<f64, String> {
    number(text)
        .filter(|part| (0.0..=1.0).contains(part))
        .ok_or_else(|| "not a number from 0 to 1".to_owned())
}

#[derive(Serialize)]
struct Results<'a> {
    mesh: &'a Path,
    masses: Mass,
    #[serde(flatten)]
    report: LaplacianReport,
}

impl Laplacian {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let outputs: Vec<&Path> = [Some(&self.output), self.mass.as_ref(), self.gradient.as_ref()]
            .into_iter()
            .flatten()
            .map(|p| &**p)
            .collect();
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
        let found = session.phase("laplacian", || laplacian(&surface, &options))?;
        let report = *found.report();
        let slopes = match &self.gradient {
            Some(file) => Some((file, session.phase("gradient", || gradient(&surface))?)),
            None => None,
        };
        session.results(&Results { mesh: &self.mesh, masses: self.masses, report });
        self.tell(session, &report);
        write(session, &self.output, &found.to_csr()?, Symmetry::Symmetric)?;
        if let Some(file) = &self.mass {
            write(session, file, &found.mass_csr()?, Symmetry::Symmetric)?;
        }
        if let Some((file, slopes)) = slopes {
            write(session, file, &slopes.to_csr()?, Symmetry::General)?;
        }
        Ok(())
    }
    /// Whether it writes files in addition to its output.
    pub fn writes_more(&self) -> bool {
        self.mass.is_some() || self.gradient.is_some()
    }
    fn tell(&self, session: &mut Session, report: &LaplacianReport) {
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
        let (flips, rounds) = (counted(report.flips, "flip"), counted(u64::from(report.rounds), "round"));
        session.say(format_args!("{flips} in {rounds}, edges longer by {:.3e}", report.longer));
    }
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
