//! Large displacements: a minimum of the energy of neo-Hookean tetrahedra.
use super::body::Body;
use super::error::{ElasticityError, Result};
use super::iterate::Found;
use super::materials::Materials;
use super::problem::{Options, Problem};
use super::solution::{Solution, Times};
use super::solve::{Nodes, evaluated, nodes, on_shape};
use super::stresses::{self, Law};
use crate::Space;
use ribbonmesh::device::BufferView;
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Buffer, Device};
use ribbonmesh_energies::{
    Elements, NeoHookeanArguments, Newton, NewtonOptions, Objective, Potential, carry,
};
use ribbonmesh_volume::VolumeMesh;
use ribbonmesh_volume_io::VolumeData;
use std::time::Instant;

/// Most steps of Newton's method: a search that takes more does not end.
pub const STEPS: usize = 500;

/// A body of tetrahedra, its surface as a mesh, and their vertices.
pub type Parts<'a> = (&'a Body, &'a VolumeMesh, &'a [[u32; 4]]);

/// Neo-Hookean tetrahedra on a device, with supports and loads. Positions are about the volume's local
/// origin.
pub struct Solid {
    pub elements: Elements,
    /// Facts of tetrahedra at rest.
    pub rest: Buffer<f64>,
    pub still: Buffer<f64>,
    pub loads: Buffer<f64>,
    pub fixed: Buffer<u32>,
    /// Where fixed unknowns go, and free ones begin.
    pub goals: Buffer<f64>,
    materials: Buffer<f64>,
    same: [f64; 2],
}
impl Solid {
    pub fn new(
        device: &Device,
        volume: &VolumeData,
        cells: &[[u32; 4]],
        materials: &Materials,
        nodes: &Nodes,
    ) -> Result<Self> {
        let origin = volume.local_origin();
        let x: Vec<f64> = volume.positions.iter().flat_map(|x| (*x - origin).to_array()).collect();
        let goals: Vec<f64> = x.iter().zip(&nodes.start).map(|(x, by)| x + by).collect();
        let elements = Elements::new(device, volume.positions.len(), cells)?;
        let still = device.upload(&x)?;
        let rest = elements.tetrahedra_at_rest(&still)?;
        let same = materials.same().map_or([0.0; 2], |lame| [lame.mu, lame.lambda]);
        let own: Vec<f64> = match materials.same() {
            Some(_) => vec![],
            None => materials.parameters().flat_map(|[lambda, mu]| [mu, lambda]).collect(),
        };
        Ok(Self {
            elements,
            rest,
            still,
            loads: device.upload(&nodes.load)?,
            fixed: device.upload(&nodes.fixed)?,
            goals: device.upload(&goals)?,
            materials: device.upload(&own)?,
            same,
        })
    }
    /// The energy of the strain minus the work of loads from rest.
    pub fn potential(&self) -> Result<Potential<'_, NeoHookeanArguments<'_, f64>>> {
        let Self { elements, loads, .. } = self;
        Ok(Potential::new(elements, self.energy())?.with_loads(loads)?)
    }
    /// The energy of the strain.
    pub fn strain(&self) -> Result<Potential<'_, NeoHookeanArguments<'_, f64>>> {
        Ok(Potential::new(&self.elements, self.energy())?)
    }
    fn energy(&self) -> NeoHookeanArguments<'_, f64> {
        let [mu, lambda] = self.same;
        let materials = if self.materials.is_empty() { BufferView::empty() } else { self.materials.view() };
        NeoHookeanArguments { mu, lambda, materials, rest: self.rest.view() }
    }
    /// Displacements of vertices at positions, on the host.
    pub fn displacements(&self, x: &Buffer<f64>) -> Result<Vec<f64>> {
        Ok(x.read()?.iter().zip(self.still.read()?).map(|(x, still)| x - still).collect())
    }
}

/// Finds the minimum near the body at rest: supports move to their places with the rest of the body, in
/// stages, then Newton's method.
pub fn solve(
    device: &Device,
    volume: &VolumeData,
    problem: &Problem,
    options: &Options,
    start: Instant,
) -> Result<Solution> {
    on_shape(device, volume, 1, |body, mesh, space| match body {
        Body::Hexahedra(_) => Err(ElasticityError::Large { what: "hexahedra" }),
        Body::Tetrahedra(cells) => minimum(volume, problem, options, (body, mesh, cells), space, start),
    })
}
fn minimum(
    volume: &VolumeData,
    problem: &Problem,
    options: &Options,
    (body, mesh, cells): Parts<'_>,
    space: &Space<'_>,
    start: Instant,
) -> Result<Solution> {
    let device = space.device();
    let materials = Materials::new(volume, problem, body)?;
    let mut nodes = nodes(volume, problem, (body, false), mesh, space, &materials)?;
    let solid = Solid::new(device, volume, cells, &materials, &nodes)?;
    let mut potential = solid.potential()?;
    let prepare = start.elapsed().as_secs_f64();
    let now = Instant::now();
    let fixed = potential.fixed(&solid.fixed)?;
    let mut newton = Newton::new(&potential, &fixed)?;
    let mut x = solid.still.try_clone()?;
    let stages = carry(&mut potential, &mut newton, &fixed, &mut x, &solid.goals)?;
    let search = NewtonOptions {
        tolerance: options.tolerance,
        iterations: options.max_iterations.min(STEPS),
        ..NewtonOptions::default()
    };
    let minimum = newton.minimize(&mut potential, &fixed, &mut x, &search)?;
    device.synchronize()?;
    let solved = now.elapsed().as_secs_f64();
    let now = Instant::now();
    let (none, mut left) = (device.zeros::<u32>(nodes.fixed.len())?, device.zeros::<f64>(x.len())?);
    potential.gradient(&x, &none, &mut left)?;
    let u = solid.displacements(&x)?;
    let gradients = &minimum.gradients;
    let (first, last) = (gradients[0], gradients[gradients.len() - 1]);
    let found = Found {
        left: left.read()?,
        iterations: minimum.linear_iterations,
        newton_steps: minimum.iterations,
        stages,
        energy: Some(solid.strain()?.value(&x)?),
        residual: if first > 0.0 { last / first } else { 0.0 },
        converged: minimum.converged,
        solve: solved,
        u,
        ..Found::default()
    };
    nodes.displace(&found.u);
    let (of, vertices) = (device.upload(&found.u)?, space.vertices());
    let middles = space.gradients(3, &of)?.read()?;
    let stresses = stresses::all(&space.on_host::<3>(&of)?, Law::NeoHookean(&middles), &materials, vertices);
    let mut solution = evaluated(volume, problem, space, &nodes, &materials, found, stresses);
    let report = &mut solution.report;
    let pattern = solid.elements.pattern();
    report.blocks = pattern.len() as u64;
    report.matrix_bytes = 72 * pattern.len() + pattern.bytes();
    report.times = Times { prepare, evaluate: now.elapsed().as_secs_f64(), ..report.times };
    Ok(solution)
}

/// Numbers of vertices as vectors.
pub fn vectors(numbers: &[f64]) -> Vec<DVec3> {
    numbers.chunks_exact(3).map(DVec3::from_slice).collect()
}
