//! `ribbonmesh elasticity --modes`.
use super::{Elasticity, Watched};
use crate::encoding::Encoding as MeshEncoding;
use crate::failure::Failure;
use crate::serving;
use crate::session::Session;
use crate::volume::files::{self, Encoded};
use clap::{Args, value_parser};
use ribbonmesh::Device;
use ribbonmesh::glam::DVec3;
use ribbonmesh_application::{counted, short};
use ribbonmesh_fem::elasticity::{ElasticityError, ModeOptions, Problem, Vibration, modes};
use ribbonmesh_mesh::BoundingBox;
use ribbonmesh_serve::Moment;
use ribbonmesh_volume::VolumeOptions;
use ribbonmesh_volume_io::{DataArray, VolumeData};
use serde::Serialize;

/// The greatest displacement of a mode on the surface, as a part of the diagonal of the bounding box.
const SHOWN: f64 = 0.1;

/// Options of vibrations.
#[derive(Args)]
pub struct Vibrating {
    /// The lowest N frequencies at which the body vibrates by itself, and its shapes mode_0, mode_1, …; a
    /// body needs no support: motions without strain come first, with frequency 0
    #[arg(
        long,
        value_name = "N",
        value_parser = value_parser!(u32).range(1..=10_000),
        conflicts_with_all = [
            "large", "dynamic", "load", "traction", "pressure", "gravity", "yield_stress", "precision",
            "preconditioner",
        ]
    )]
    pub modes: Option<u32>,
    /// The mode of the surface, from 0 [default: the first with a frequency above 0]
    #[arg(long, value_name = "K", requires_all = ["modes", "surface"])]
    pub mode: Option<u32>,
}

#[derive(Serialize)]
struct Results {
    order: u32,
    /// Oscillations by the unit of time: Hz, if that is a second.
    frequencies: Vec<f64>,
    /// Motions without strain that supports leave free, whose frequencies are 0.
    free_motions: usize,
    unknowns: usize,
    fixed: usize,
    mass: f64,
    /// Cells of each --material.
    material_cells: Vec<usize>,
    /// Nodes of multigrid's levels.
    levels: Vec<usize>,
    /// Columns that were worked on; 0 for a dense matrix.
    block: usize,
    iterations: usize,
    /// The greatest, as a part of ω².
    residual: f64,
    /// Modes within the tolerance.
    converged: usize,
    isolated_vertices: usize,
    /// The mode of the surface.
    surface_mode: Option<usize>,
    /// Seconds of stages.
    prepare_seconds: f64,
    assemble_seconds: f64,
    solve_seconds: f64,
}

impl Elasticity {
    /// Finds frequencies and shapes; writes the shapes, and the surface as one of them deforms it.
    pub(super) fn vibrate(
        &self,
        session: &mut Session,
        device: &Device,
        mut volume: VolumeData,
        (problem, count): (&Problem, u32),
        encoded: &Encoded,
        watched: Option<Watched>,
    ) -> Result<(), Failure> {
        let defaults = ModeOptions::default();
        let options = ModeOptions {
            count: count as usize,
            order: self.order,
            tolerance: self.tolerance.unwrap_or(defaults.tolerance),
            max_iterations: self.max_iterations.map_or(defaults.max_iterations, |most| most as usize),
        };
        if let Some(mode) = self.vibrating.mode.filter(|&mode| mode >= count) {
            return Err(Failure::Usage(format!("--mode {mode}: there are 0 to {} of --modes", count - 1)));
        }
        let found = session.phase("solve", || {
            modes(device, &volume, problem, &options).map_err(|error| match error {
                ElasticityError::Modes { count, free } => Failure::Usage(format!(
                    "--modes {count}: 1 to {free}, the number of unknowns that no support holds"
                )),
                other => Failure::of_file(&self.volume, other),
            })
        })?;
        let first = found.report.free_motions.min(options.count - 1);
        let shown = self.vibrating.mode.map_or(first, |mode| mode as usize);
        let with_surface = self.surface.is_some() || watched.is_some();
        self.say_modes(session, &found, with_surface.then_some(shown));
        found.store(&mut volume);
        files::write(session, &self.output, &volume, encoded)?;
        if with_surface {
            let mesh = session
                .phase("build", || volume.upload(device, volume.local_origin(), &VolumeOptions::default()))?;
            let shape = scaled(&volume, &found.shapes[shown]);
            volume.point_data.push(DataArray::new("amplitude", lengths(&found.shapes[shown])));
            let (triangles, losses) = session.phase("surface", || self.deformed(volume, &shape, &mesh))?;
            if let Some(file) = &self.surface {
                files::say_losses(session, &losses);
                session.write(file, &triangles, &MeshEncoding::default().options(file)?)?;
            }
            if let Some((background, device)) = watched {
                background.update(Moment::of_mesh(&device, &triangles, 1.0)?)?;
                serving::stay(background, session);
            }
        }
        Ok(())
    }
    fn say_modes(&self, session: &mut Session, found: &Vibration, surface_mode: Option<usize>) {
        let (report, frequencies) = (&found.report, &found.frequencies);
        let modes = counted(frequencies.len() as u64, "mode");
        let iterations = counted(report.iterations as u64, "iteration");
        session.tell(&self.output, format_args!("{} unknowns, {modes} in {iterations}", report.unknowns));
        if report.free_motions > 0 {
            let motions = counted(report.free_motions as u64, "motion");
            session.tell(&self.output, format_args!("{motions} without strain, with frequency 0"));
        }
        for (k, frequency) in frequencies.iter().enumerate().skip(report.free_motions) {
            session.tell(&self.output, format_args!("mode {k}: frequency {}", short(*frequency)));
        }
        let left = frequencies.len() - report.converged;
        if left > 0 {
            let (modes, residual) = (counted(left as u64, "mode"), report.residual);
            session.fall_short(format!(
                "{modes} not within the tolerance after {iterations}, residuals up to {residual:.1e}: \
                 --max-iterations allows more"
            ));
        }
        self.say_ambiguous(session, &report.ambiguous);
        if report.isolated_vertices > 0 {
            session.note(format!("{} vertices belong to no cell and stay", report.isolated_vertices));
        }
        session.results(&Results {
            order: self.order,
            frequencies: frequencies.clone(),
            free_motions: report.free_motions,
            unknowns: report.unknowns,
            fixed: report.fixed,
            mass: report.mass,
            material_cells: report.material_cells.clone(),
            levels: report.levels.clone(),
            block: report.block,
            iterations: report.iterations,
            residual: report.residual,
            converged: report.converged,
            isolated_vertices: report.isolated_vertices,
            surface_mode,
            prepare_seconds: report.prepare,
            assemble_seconds: report.assemble,
            solve_seconds: report.solve,
        });
    }
}
fn lengths(shape: &[DVec3]) -> Vec<f64> {
    shape.iter().map(|u| u.length()).collect()
}
/// A shape whose greatest displacement is the part of the body's size that is shown.
fn scaled(volume: &VolumeData, shape: &[DVec3]) -> Vec<DVec3> {
    let greatest = lengths(shape).into_iter().fold(0.0, f64::max);
    let size = BoundingBox::around(volume.positions.iter().copied()).map_or(0.0, |own| own.diagonal());
    let by = if greatest > 0.0 { SHOWN * size / greatest } else { 0.0 };
    shape.iter().map(|u| *u * by).collect()
}
