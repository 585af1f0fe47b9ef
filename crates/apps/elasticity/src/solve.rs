//! The solution of a problem.
use super::body::Body;
use super::error::{ElasticityError, Result};
use super::held;
use super::materials::Materials;
use super::problem::{Load, Options, Precision, Preconditioner, Problem};
use super::selection::{Chosen, Selection};
use super::solution::{Report, Solution, Times, stress, von_mises};
use super::surface::{self, Face};
use ribbonmesh::device::Pod;
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Buffer, Device, DeviceKind};
use ribbonmesh_fem::{
    Assembler, ConjugateGradients, FemError, Form, Lame, Multigrid, MultigridOptions, SolveOptions, Space,
    Storage, Summation,
};
use ribbonmesh_volume::{SimplexMesh, VolumeMesh, VolumeOptions};
use ribbonmesh_volume_io::VolumeData;
use std::time::Instant;

/// Finds the displacement of a body. Supports, loads and stresses are computed on the host, the matrix and the solution on the device.
/// # Errors
/// [`ElasticityError`]: the volume, the numbers of the problem, selections that select nothing, a body that is not held, cells that are inverted. That the tolerance is not
/// reached is no error: the report says so.
pub fn solve(device: &Device, volume: &VolumeData, problem: &Problem, options: &Options) -> Result<Solution> {
    problem.check()?;
    let start = Instant::now();
    let origin = volume.local_origin();
    let x = volume.points_around(origin);
    volume.cells.check(x.len())?;
    let body = Body::new(&volume.cells)?;
    // without the faces that the file lists by themselves: the numbers of faces are those of the cells alone
    let mesh = VolumeMesh::new(device, &x, &body.list(), &VolumeOptions::default())?;
    match &body {
        Body::Tetrahedra(cells) => {
            let simplices = SimplexMesh::tetrahedra(device, &x, cells)?;
            let space = Space::tetrahedra(&simplices, options.order)?;
            on_space(volume, problem, options, &body, &mesh, &space, start)
        }
        Body::Hexahedra(cells) => {
            if options.order != 1 {
                return Err(ElasticityError::HexOrder { order: options.order });
            }
            let space = Space::hexahedra(device, &x, cells)?;
            on_space(volume, problem, options, &body, &mesh, &space, start)
        }
    }
}

fn chosen(volume: &VolumeData, at: &Selection, parts: &[u32]) -> Result<Chosen> {
    let mut chosen = at.choose(volume);
    chosen.vertices.iter_mut().zip(parts).for_each(|(chosen, part)| *chosen &= *part != u32::MAX);
    if chosen.count() == 0 {
        let (selection, regions) = (at.to_string(), at.regions(volume));
        return Err(ElasticityError::NoVertices { selection, regions });
    }
    Ok(chosen)
}
/// The faces of a load.
fn loaded<'f>(
    volume: &VolumeData,
    at: &Selection,
    parts: &[u32],
    faces: &'f [Face],
) -> Result<Vec<&'f Face>> {
    let chosen = chosen(volume, at, parts)?;
    let found: Vec<&Face> = faces.iter().filter(|face| chosen.has_face(&face.vertices)).collect();
    if found.is_empty() {
        return Err(ElasticityError::NoFaces { selection: at.to_string(), vertices: chosen.count() });
    }
    Ok(found)
}

/// What holds and loads the nodes.
struct Nodes {
    supports: Vec<Vec<(u32, u32)>>,
    fixed: Vec<u32>,
    /// The support that holds each unknown.
    holders: Vec<Option<u32>>,
    /// How many supports there are.
    held: usize,
    start: Vec<f64>,
    load: Vec<f64>,
    isolated: usize,
}
fn nodes(
    volume: &VolumeData,
    problem: &Problem,
    body: &Body,
    mesh: &VolumeMesh,
    space: &Space<'_>,
    materials: &Materials,
) -> Result<Nodes> {
    let parts = held::parts(volume.positions.len(), body);
    let (supports, points) = (space.supports()?, space.points()?);
    let mut fixed = vec![0_u32; space.nodes()];
    let (mut start, mut load) = (vec![0.0; 3 * space.nodes()], vec![0.0; 3 * space.nodes()]);
    let mut holders = vec![None; 3 * space.nodes()];
    for (number, support) in (0_u32..).zip(&problem.supports) {
        let chosen = chosen(volume, &support.at, &parts)?;
        for (node, own) in supports.iter().enumerate() {
            if own.iter().all(|(v, _)| chosen.vertices[*v as usize]) {
                for (k, value) in support.values.iter().enumerate() {
                    if let Some(value) = value {
                        fixed[node] |= 1 << k;
                        start[3 * node + k] = *value;
                        holders[3 * node + k] = Some(number);
                    }
                }
            }
        }
    }
    let owner: Vec<u32> = supports.iter().map(|own| own[0].0).collect();
    held::check(body, &parts, &points, &owner, &fixed)?;
    let isolated = parts.iter().filter(|part| **part == u32::MAX).count();
    for (node, &vertex) in owner.iter().enumerate() {
        if parts[vertex as usize] == u32::MAX {
            fixed[node] = 7;
        }
    }
    let mut add = |node: usize, force: DVec3| {
        (0..3).for_each(|k| load[3 * node + k] += force[k]);
    };
    if problem.gravity != DVec3::ZERO {
        let (masses, by) = match materials.density() {
            [same] => (space.integrals()?, *same),
            all => (space.integrals_by(&space.device().upload(all)?)?, 1.0),
        };
        for (node, mass) in masses.read()?.into_iter().enumerate() {
            add(node, problem.gravity * (by * mass));
        }
    }
    if !problem.loads.is_empty() {
        let faces = surface::faces(mesh)?;
        for each in &problem.loads {
            let (Load::Force { at, .. } | Load::Traction { at, .. } | Load::Pressure { at, .. }) = each;
            let own: Vec<(u32, DVec3)> = loaded(volume, at, &parts, &faces)?
                .iter()
                .flat_map(|face| face.shares(space, &volume.positions))
                .collect();
            let area: f64 = own.iter().map(|(_, share)| share.length()).sum();
            for (node, share) in own {
                let force = match each {
                    Load::Force { total, .. } => *total * (share.length() / area),
                    Load::Traction { force, .. } => *force * share.length(),
                    Load::Pressure { pressure, .. } => share * -*pressure,
                };
                add(node as usize, force);
            }
        }
    }
    Ok(Nodes { supports, fixed, holders, held: problem.supports.len(), start, load, isolated })
}

fn on_space(
    volume: &VolumeData,
    problem: &Problem,
    options: &Options,
    body: &Body,
    mesh: &VolumeMesh,
    space: &Space<'_>,
    start: Instant,
) -> Result<Solution> {
    let materials = Materials::new(volume, problem, body)?;
    let nodes = nodes(volume, problem, body, mesh, space, &materials)?;
    let prepare = start.elapsed().as_secs_f64();
    match options.precision {
        Precision::Mixed => solved::<f32>(options, body, space, &nodes, &materials, prepare),
        Precision::Double => solved::<f64>(options, body, space, &nodes, &materials, prepare),
    }
}

fn solved<S: Storage>(
    options: &Options,
    body: &Body,
    space: &Space<'_>,
    nodes: &Nodes,
    materials: &Materials,
    prepare: f64,
) -> Result<Solution>
where
    [S; 2]: Pod,
{
    let device = space.device();
    let clock = |start: Instant| -> Result<f64> {
        device.synchronize()?;
        Ok(start.elapsed().as_secs_f64())
    };
    let now = Instant::now();
    // one matrix alone: no lists, no memory for elements
    let assembler = Assembler::new(space)?.with(Summation::Inline);
    let pattern = clock(now)?;
    let now = Instant::now();
    let matrix = match materials.same() {
        Some(material) => assembler.assemble::<S>(Form::Elasticity(material))?,
        None => {
            let all: Vec<[S; 2]> = materials.parameters().map(|m| m.map(S::of)).collect();
            assembler.assemble_materials(&device.upload(&all)?)?
        }
    };
    let assemble = clock(now)?;
    let now = Instant::now();
    let (fixed, load) = (device.upload(&nodes.fixed)?, device.upload(&nodes.load)?);
    let mut u: Buffer<f64> = device.upload(&nodes.start)?;
    let (mut levels, mut multigrid_bytes) = (vec![], 0);
    let by_levels = match options.preconditioner {
        Preconditioner::Automatic => device.kind() == DeviceKind::Cpu,
        Preconditioner::Multigrid => true,
        Preconditioner::Blocks => false,
    };
    let mut solver = if by_levels {
        let multigrid = Multigrid::new(&matrix, space, &fixed, &MultigridOptions::default())?;
        (levels, multigrid_bytes) = (multigrid.nodes().to_vec(), multigrid.bytes());
        ConjugateGradients::with_multigrid(&matrix, &fixed, multigrid)?
    } else {
        ConjugateGradients::new(&matrix, &fixed)?
    };
    let precondition = clock(now)?;
    let now = Instant::now();
    let solve_options = SolveOptions {
        tolerance: options.tolerance,
        max_iterations: options.max_iterations,
        ..SolveOptions::default()
    };
    let found = solver.solve(&load, &mut u, &solve_options)?;
    let solve = clock(now)?;
    let now = Instant::now();
    let left = solver.reactions(&load, &u)?;
    let mut stiff = device.zeros::<f64>(matrix.unknowns())?;
    matrix.multiply(&u, &mut stiff)?;
    let strain_energy = 0.5 * solver.dot(&u, &stiff)?;
    let work = solver.dot(&u, &load)?;
    let gradients = space.gradients(3, &u)?.read()?;
    let of_cell = |(cell, g)| {
        let Lame { lambda, mu } = materials.lame(cell);
        stress(g, lambda, mu)
    };
    let stress: Vec<[f64; 6]> = gradients.chunks_exact(9).enumerate().map(of_cell).collect();
    let von: Vec<f64> = stress.iter().map(|s| von_mises(*s)).collect();
    let (vertices, order) = (space.vertices(), f64::from(space.shape().order()));
    let values = u.read()?;
    let displacement: Vec<DVec3> = values.chunks_exact(3).take(vertices).map(DVec3::from_slice).collect();
    let is_fixed = |i: usize| nodes.fixed[i / 3] >> (i % 3) & 1 == 1;
    let mut reaction = vec![DVec3::ZERO; vertices];
    let mut support_reactions = vec![DVec3::ZERO; nodes.held];
    let (mut free, mut forces) = (0.0, 0.0);
    for (node, own) in nodes.supports.iter().enumerate() {
        let mut force = DVec3::ZERO;
        for k in 0..3 {
            let i = 3 * node + k;
            forces += left[i].powi(2) + nodes.load[i].powi(2);
            if is_fixed(i) {
                force[k] = left[i]
            } else {
                free += left[i].powi(2)
            }
            if let Some(support) = nodes.holders[i] {
                support_reactions[support as usize][k] += left[i];
            }
        }
        own.iter().for_each(|(v, w)| reaction[*v as usize] += force * (f64::from(*w) / order));
    }
    let mut around = vec![(0.0, 0_u32); vertices];
    for (cell, von) in von.iter().enumerate() {
        for &v in body.cell(cell) {
            let (sum, count) = &mut around[v as usize];
            (*sum, *count) = (*sum + von, *count + 1);
        }
    }
    let evaluate = clock(now)?;
    let report = Report {
        material_cells: materials.cells.clone(),
        unknowns: matrix.unknowns(),
        fixed: (0..matrix.unknowns()).filter(|&i| is_fixed(i)).count(),
        blocks: matrix.pattern().blocks(),
        matrix_bytes: matrix.bytes(),
        padding: matrix.pattern().padding(),
        levels,
        multigrid_bytes,
        iterations: found.iterations,
        residual: found.residual,
        true_residual: if forces > 0.0 { (free / forces).sqrt() } else { 0.0 },
        converged: found.converged,
        strain_energy,
        work,
        load: nodes.load.chunks_exact(3).map(DVec3::from_slice).sum(),
        reaction: reaction.iter().copied().sum(),
        support_reactions,
        greatest_displacement: displacement.iter().map(|u| u.length()).fold(0.0, f64::max),
        greatest_von_mises: von.iter().copied().fold(0.0, f64::max),
        isolated_vertices: nodes.isolated,
        times: Times { prepare, pattern, assemble, precondition, solve, evaluate },
    };
    let vertex_von_mises = around.iter().map(|(sum, count)| sum / f64::from((*count).max(1))).collect();
    Ok(Solution { displacement, reaction, stress, von_mises: von, vertex_von_mises, report })
}

impl ElasticityError {
    /// Whether a cell is turned inside out, or flat.
    pub fn is_inverted(&self) -> bool {
        matches!(self, Self::Fem(FemError::Inverted { .. }))
    }
    /// Whether the input is at fault, not the machine.
    pub fn is_refusal(&self) -> bool {
        !matches!(
            self,
            Self::Volume(ribbonmesh_volume::VolumeError::Device(_))
                | Self::Fem(FemError::Device(_) | FemError::Breakdown { .. })
        )
    }
}
