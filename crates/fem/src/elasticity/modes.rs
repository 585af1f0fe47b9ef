//! Vibrations: the lowest frequencies of a body, and its shapes as it vibrates.
use super::body::Body;
use super::error::{ElasticityError, Result};
use super::free;
use super::materials::Materials;
use super::problem::Problem;
use super::solution::{put, vectors as named};
use super::solve::{assembled, nodes, on_shape};
use crate::host::multigrid::{first_step, motions, rows};
use crate::{Assembler, FemError, Space, Summation};
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Buffer, Device, Error};
use ribbonmesh_spectra::{Found, Solid, SolidProblem, SpectrumOptions, lowest};
use ribbonmesh_volume::VolumeMesh;
use ribbonmesh_volume_io::VolumeData;
use std::f64::consts::TAU;
use std::time::Instant;

/// Options of [`modes`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModeOptions {
    /// Modes: the lowest ones, with all motions without strain; at least 1.
    pub count: usize,
    /// The order of the elements: 1, 2 or 3 on tetrahedra, 1 on hexahedra.
    pub order: u32,
    /// The residual of each mode, as a part of its ω², above 0 and below 1; what rounding leaves is small
    /// enough, too. The relative error of a frequency is about its square.
    pub tolerance: f64,
    /// Most iterations.
    pub max_iterations: usize,
}
impl Default for ModeOptions {
    fn default() -> Self {
        Self { count: 10, order: 1, tolerance: 1e-6, max_iterations: 200 }
    }
}

/// Frequencies of a body, and how it moves.
#[derive(Clone, Debug)]
pub struct Vibration {
    /// Frequencies, ascending: oscillations by the unit of time. Motions without strain have 0, exactly.
    pub frequencies: Vec<f64>,
    /// For each frequency the displacement of each vertex. The sum of masses times squared displacements of
    /// nodes is 1, that of the products of two modes 0. Signs have no meaning.
    pub shapes: Vec<Vec<DVec3>>,
    /// How they were found.
    pub report: ModeReport,
}
/// Report of [`modes`].
#[derive(Clone, Debug, Default)]
pub struct ModeReport {
    /// Number of unknowns, including fixed ones.
    pub unknowns: usize,
    /// Number of fixed unknowns.
    pub fixed: usize,
    /// Motions of the body and its parts without strain, which supports leave free: six of a body without
    /// supports. Those of hinges are not counted.
    pub free_motions: usize,
    /// The mass of the body.
    pub mass: f64,
    /// Number of nodes of each level of multigrid, from the finest.
    pub levels: Vec<usize>,
    /// Columns of the block; 0 if the matrix was solved as a dense one, or not at all.
    pub block: usize,
    /// Iterations.
    pub iterations: usize,
    /// The greatest residual of a mode, as a part of its ω².
    pub residual: f64,
    /// Modes within the tolerance, or as good as rounding allows.
    pub converged: usize,
    /// Number of cells of each of [`Problem::materials`].
    pub material_cells: Vec<usize>,
    /// Selections of regions that both faces and cells have.
    pub ambiguous: Vec<String>,
    /// Vertices that belong to no cell; they stay where they are.
    pub isolated_vertices: usize,
    /// Seconds of selections, of the matrix, and of the solution with its levels.
    pub prepare: f64,
    /// Seconds of the matrix.
    pub assemble: f64,
    /// Seconds of the solution with the levels of multigrid.
    pub solve: f64,
}
impl Vibration {
    /// Stores `mode_0`, `mode_1` and so on of vertices in a volume. Data with such names is replaced.
    pub fn store(&self, volume: &mut VolumeData) {
        for (k, shape) in self.shapes.iter().enumerate() {
            put(&mut volume.point_data, named(&format!("mode_{k}"), shape));
        }
    }
}

/// The lowest frequencies at which a body vibrates by itself, with small displacements: K u = ω² M u. Masses
/// are lumped: a node has the integral of its function, at order 1 a quarter of each tetrahedron. Supports
/// hold, wherever they would move; loads and gravity have no effect. A body needs no supports: motions
/// without strain come first.
/// # Errors
/// Those of [`solve`](crate::elasticity::solve) but those of bodies which are not held;
/// [`ElasticityError::Modes`]; [`ElasticityError::Value`] for a tolerance out of range, and for a density
/// that is 0. If the tolerance is not reached, that is not an error: see [`ModeReport::converged`].
pub fn modes(
    device: &Device,
    volume: &VolumeData,
    problem: &Problem,
    options: &ModeOptions,
) -> Result<Vibration> {
    problem.check()?;
    problem.check_dense("above 0 for a body that vibrates")?;
    if !(options.tolerance > 0.0 && options.tolerance < 1.0) {
        let (what, value) = ("the tolerance", options.tolerance);
        return Err(ElasticityError::Value { what, value, expected: "above 0 and below 1" });
    }
    let start = Instant::now();
    on_shape(device, volume, options.order, |body, mesh, space| {
        vibrate(volume, problem, options, (body, mesh, space), start)
    })
}

fn vibrate(
    volume: &VolumeData,
    problem: &Problem,
    options: &ModeOptions,
    (body, mesh, space): (&Body, &VolumeMesh, &Space<'_>),
    start: Instant,
) -> Result<Vibration> {
    let (materials, device) = (Materials::new(volume, problem, body)?, space.device());
    let held = Problem { loads: vec![], gravity: DVec3::ZERO, ..problem.clone() };
    let nodes = nodes(volume, &held, (body, true), mesh, space, &materials)?;
    let masses = materials.masses(space)?;
    let free_unknowns = nodes.fixed.iter().map(|word| 3 - word.count_ones() as usize).sum();
    if options.count == 0 || options.count > free_unknowns {
        return Err(ElasticityError::Modes { count: options.count, free: free_unknowns });
    }
    let prepare = start.elapsed().as_secs_f64();
    let now = Instant::now();
    let assembler = Assembler::new(space)?.with(Summation::Inline);
    let matrix = rows(&assembled::<f64>(&assembler, &materials)?)?;
    device.synchronize()?;
    let assemble = now.elapsed().as_secs_f64();
    let now = Instant::now();
    let of_nodes = masses.read()?;
    let parts = free::parts(volume, body, space)?;
    let motions_left = free::motions(&parts, &nodes.fixed, &of_nodes);
    let free_motions = motions_left.count;
    let solid = Solid {
        matrix,
        masses,
        fixed: device.upload(&nodes.fixed)?,
        free: motions_left,
        low: free::low(&parts, &of_nodes) * materials.least_ratio(),
        motions: motions(space)?,
        first: first_step(3, space, &nodes.fixed)?,
    };
    let mut solid = SolidProblem::new(solid).map_err(FemError::from)?;
    let wanted = SpectrumOptions {
        count: options.count,
        tolerance: options.tolerance,
        iterations: options.max_iterations,
        ..SpectrumOptions::default()
    };
    let found = lowest(&mut solid, &wanted).map_err(|error| refused(error, options, free_unknowns))?;
    let shapes = shapes(&found, space.vertices())?;
    let report = ModeReport {
        unknowns: 3 * space.nodes(),
        fixed: 3 * space.nodes() - free_unknowns,
        free_motions,
        mass: of_nodes.iter().sum(),
        levels: solid.hierarchy().levels.iter().map(|level| level.nodes).collect(),
        block: found.block,
        iterations: found.iterations,
        residual: found.residual,
        converged: found.converged,
        material_cells: materials.cells.clone(),
        ambiguous: nodes.ambiguous.clone(),
        isolated_vertices: nodes.isolated,
        prepare,
        assemble,
        solve: now.elapsed().as_secs_f64(),
    };
    let frequencies = found.values.iter().map(|value| value.max(0.0).sqrt() / TAU).collect();
    Ok(Vibration { frequencies, shapes, report })
}
/// An error about the number of pairs is one about that of modes.
fn refused(error: Error, options: &ModeOptions, free: usize) -> ElasticityError {
    match error {
        Error::Option { .. } => ElasticityError::Modes { count: options.count, free },
        other => other.into(),
    }
}
/// The displacements of vertices, which are the first nodes, of each mode.
fn shapes(found: &Found, vertices: usize) -> Result<Vec<Vec<DVec3>>> {
    let (vectors, count): (&Buffer<f64>, usize) = (&found.vectors, found.values.len());
    let numbers = vectors.read()?;
    let of =
        |mode: usize, v: usize| DVec3::from_array([0, 1, 2].map(|k| numbers[count * (3 * v + k) + mode]));
    Ok((0..count).map(|mode| (0..vertices).map(|v| of(mode, v)).collect()).collect())
}
