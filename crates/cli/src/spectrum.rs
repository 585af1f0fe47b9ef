//! `ribbonmesh spectrum`.
use crate::application::only_ply;
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::numbers::number;
use crate::session::Session;
use clap::{Args, value_parser};
use ribbonmesh::Surface;
use ribbonmesh_application::{Need, counted};
use ribbonmesh_intrinsic::{LaplacianOptions, Mass};
use ribbonmesh_spectra::{
    Distance, Spectrum as Found, SpectrumOptions, SpectrumReport, insert_columns, spectrum,
};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Compute the lowest eigenvalues and eigenfunctions of a mesh's Laplacian
///
/// The Laplacian is that of `ribbonmesh laplacian`: any triangles will do. Eigenvalues are in the units of an
/// inverse area; there is a 0 for each component. The integral of the square of an eigenfunction is 1; its
/// sign has no meaning. They are found by LOBPCG (Knyazev 2001) with multigrid.
#[derive(Args)]
#[command(after_help = "\
Properties of the PLY file are eigenfunction_0, eigenfunction_1, …, and those that are asked for: hks_0, …
(Sun, Ovsjanikov and Guibas 2009), wks_0, … (Aubry, Schlickewei and Cremers 2011), spectral_distance.
Vertices and faces keep their order.

Examples:
  ribbonmesh spectrum dragon.ply -k 100 -o spectrum.ply --values eigenvalues.csv
  ribbonmesh spectrum dragon.ply -k 100 --values eigenvalues.csv
  ribbonmesh spectrum dragon.ply -o signatures.ply --functions 0 --hks 16 --wks 16
  ribbonmesh spectrum dragon.ply -o far.ply --functions 0 --source 250 --distance commute")]
pub struct Spectrum {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// File to write: PLY; - is standard output
    #[arg(long, short, value_name = "OUT.ply", required_unless_present = "values")]
    output: Option<PathBuf>,
    /// Eigenpairs, from the lowest on
    #[arg(long, short = 'k', value_name = "N", default_value_t = SpectrumOptions::default().count as u32,
          value_parser = value_parser!(u32).range(1..=10_000))]
    count: u32,
    /// Eigenfunctions that are written [default: all]
    #[arg(long, value_name = "N", requires = "output")]
    functions: Option<u32>,
    /// Also write the eigenvalues as text, a line for each
    #[arg(long, value_name = "OUT.csv")]
    values: Option<PathBuf>,
    /// Also write the heat that stays at each vertex, after so many times from short to long
    #[arg(long, value_name = "N", requires = "output", value_parser = value_parser!(u32).range(1..=10_000))]
    hks: Option<u32>,
    /// Also write the part of waves at each vertex, by so many energies from low to high
    #[arg(long, value_name = "N", requires = "output", value_parser = value_parser!(u32).range(1..=10_000))]
    wks: Option<u32>,
    /// Also write the distance of each vertex from this one in the space of eigenfunctions
    #[arg(long, value_name = "VERTEX", requires = "output")]
    source: Option<u32>,
    /// The distance: biharmonic, or that of a random walk there and back (commute)
    #[arg(long, value_name = "biharmonic|commute", default_value_t, requires = "source")]
    distance: Distance,
    /// The residual of each pair, as a part of its eigenvalue, above 0 and below 1
    #[arg(long, value_name = "PART", default_value_t = SpectrumOptions::default().tolerance,
          value_parser = part)]
    tolerance: f64,
    /// Iterations at most
    #[arg(long, value_name = "N", default_value_t = SpectrumOptions::default().iterations as u32)]
    max_iterations: u32,
    /// Masses of vertices: a third of each triangle (lumped), or the cells of nearest points (voronoi)
    #[arg(long, value_name = "lumped|voronoi", default_value_t)]
    masses: Mass,
    #[command(flatten)]
    encoding: Encoding,
}

fn part(text: &str) -> Result<f64, String> {
    number(text)
        .filter(|part| *part > 0.0 && *part < 1.0)
        .ok_or_else(|| "not a number above 0 and below 1".to_owned())
}

#[derive(Serialize)]
struct Results<'a> {
    mesh: &'a Path,
    masses: Mass,
    #[serde(flatten)]
    report: SpectrumReport,
    eigenvalues: &'a [f64],
    /// The times of the heat kernel's columns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    times: Vec<f64>,
}

impl Spectrum {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let encoded = match &self.output {
            Some(output) => {
                let encoded = self.encoding.options(output)?;
                only_ply(encoded.format, output)?;
                Some((output, encoded))
            }
            None => None,
        };
        session.keep(self.output.as_deref(), &[&self.mesh])?;
        let inputs: Vec<&Path> =
            [Some(&self.mesh), self.output.as_ref()].into_iter().flatten().map(|p| &**p).collect();
        session.keep(self.values.as_deref(), &inputs)?;
        let mesh = session.read(&self.mesh)?.mesh;
        if mesh.faces.is_empty() {
            return Err(Failure::NoFaces(self.mesh.clone()));
        }
        let vertices = mesh.positions.len();
        if let Some(source) = self.source.filter(|&source| source as usize >= vertices) {
            let vertices = counted(vertices as u64, "vertex");
            let name = self.mesh.display();
            return Err(Failure::Usage(format!("--source {source}: {name} has {vertices}, numbered from 0")));
        }
        if self.count as usize > vertices {
            let (count, vertices) = (self.count, counted(vertices as u64, "vertex"));
            let name = self.mesh.display();
            return Err(Failure::Usage(format!("--count {count}: {name} has {vertices}")));
        }
        let device = session.device()?;
        let mut surface = session.surface(&device, &mesh, Need::Triangles)?;
        let options = SpectrumOptions {
            count: self.count as usize,
            tolerance: self.tolerance,
            iterations: self.max_iterations as usize,
            laplacian: LaplacianOptions { mass: self.masses, ..LaplacianOptions::default() },
            ..SpectrumOptions::default()
        };
        let found = session.phase("spectrum", || spectrum(&surface, &options))?;
        let times = match self.hks {
            Some(hks) => found.heat_times(hks as usize)?,
            None => vec![],
        };
        if self.output.is_some() {
            session.phase("columns", || self.insert(&found, &times, &mut surface))?;
        }
        let (report, eigenvalues) = (*found.report(), found.values());
        session.results(&Results { mesh: &self.mesh, masses: self.masses, report, eigenvalues, times });
        tell(session, &found);
        if let Some(file) = &self.values {
            let text = table(eigenvalues);
            session.emit(Some(file), |out| out.write_all(text.as_bytes()))?;
        }
        match encoded {
            Some((output, encoded)) => {
                let after = session.download(&surface)?;
                session.write(output, &after, &encoded)
            }
            None => Ok(()),
        }
    }
    /// Whether it writes files in addition to its output.
    pub fn writes_more(&self) -> bool {
        self.values.is_some()
    }
    /// Gives the surface the columns that are asked for.
    fn insert(&self, found: &Found, times: &[f64], surface: &mut Surface) -> ribbonmesh::Result<()> {
        let names = |what: &str, count: usize| (0..count).map(|k| format!("{what}_{k}")).collect::<Vec<_>>();
        let count = found.values().len();
        let functions = self.functions.map_or(count, |functions| count.min(functions as usize));
        insert_columns(surface, found.vectors(), count, &names("eigenfunction", functions))?;
        if !times.is_empty() {
            let heat = found.heat_kernel(times)?;
            insert_columns(surface, &heat, times.len(), &names("hks", times.len()))?;
        }
        if let Some(count) = self.wks.map(|count| count as usize) {
            insert_columns(surface, &found.wave_kernel(count)?, count, &names("wks", count))?;
        }
        if let Some(source) = self.source {
            insert_columns(
                surface,
                &found.distances(source, self.distance)?,
                1,
                &["spectral_distance".into()],
            )?;
        }
        Ok(())
    }
}

/// A line for each eigenvalue, with the fewest digits that give the same number.
fn table(values: &[f64]) -> String {
    let mut text = "index,eigenvalue\n".to_owned();
    for (k, value) in values.iter().enumerate() {
        // text takes anything
        _ = writeln!(text, "{k},{value:?}");
    }
    text
}
fn tell(session: &mut Session, found: &Found) {
    let report = found.report();
    let left = report.count - report.converged;
    if left > 0 {
        let pairs = counted(left as u64, "eigenpair");
        let (iterations, residual) = (counted(report.iterations as u64, "iteration"), report.residual);
        session.fall_short(format!(
            "{pairs} not within the tolerance after {iterations}, residuals up to {residual:.1e}: \
             --max-iterations allows more"
        ));
    }
    let (pairs, iterations) =
        (counted(report.count as u64, "eigenpair"), counted(report.iterations as u64, "iteration"));
    let greatest = found.values().last().copied().unwrap_or(0.0);
    session.say(format_args!("{pairs} in {iterations}, eigenvalues from 0 to {greatest:.6e}"));
}
