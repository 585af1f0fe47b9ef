//! The solution of a problem.
use super::body::Body;
use super::error::{ElasticityError, Result};
use super::held;
use super::iterate::{Equations, Found};
use super::large;
use super::materials::Materials;
use super::problem::{Load, Options, Precision, Problem};
use super::selection::{Chosen, Purpose, Selection};
use super::solution::{LoadSum, Place, Report, Solution, Times};
use super::stresses::{self, Law, Stresses, principal, von_mises};
use super::surface::{self, Face};
use crate::{Assembler, Form, Matrix, Space, Storage, Summation};
use ribbonmesh::Device;
use ribbonmesh::device::Pod;
use ribbonmesh::glam::DVec3;
use ribbonmesh_volume::{SimplexMesh, VolumeMesh, VolumeOptions};
use ribbonmesh_volume_io::VolumeData;
use std::time::Instant;

/// Finds the displacement of a body. Supports, loads and stresses are computed on the host, the matrix and
/// the solution on the device.
/// # Errors
/// [`ElasticityError`] for the volume, numbers of the problem, selections without elements, a body of which a
/// part is not held or is connected by hinges, and inverted cells. If the tolerance is not reached, that is
/// not an error: see [`Report::converged`].
pub fn solve(device: &Device, volume: &VolumeData, problem: &Problem, options: &Options) -> Result<Solution> {
    problem.check()?;
    let start = Instant::now();
    if options.large {
        options.check_large()?;
        return large::solve(device, volume, problem, options, start);
    }
    on_shape(device, volume, options.order, |body, mesh, space| {
        on_space(volume, problem, options, body, mesh, space, start)
    })
}

/// Does something with the cells of a volume, their faces, and functions of an order.
pub fn on_shape<T>(
    device: &Device,
    volume: &VolumeData,
    order: u32,
    work: impl FnOnce(&Body, &VolumeMesh, &Space<'_>) -> Result<T>,
) -> Result<T> {
    let x = volume.points_around(volume.local_origin());
    volume.cells.check(x.len())?;
    let body = Body::new(&volume.cells)?;
    // without the faces that the file lists separately, so that faces are numbered by the cells alone
    let mesh = VolumeMesh::new(device, &x, &body.list(), &VolumeOptions::default())?;
    match &body {
        Body::Tetrahedra(cells) => {
            let simplices = SimplexMesh::tetrahedra(device, &x, cells)?;
            work(&body, &mesh, &Space::tetrahedra(&simplices, order)?)
        }
        Body::Hexahedra(_) if order != 1 => Err(ElasticityError::HexOrder { order }),
        Body::Hexahedra(cells) => work(&body, &mesh, &Space::hexahedra(device, &x, cells)?),
    }
}

fn chosen(volume: &VolumeData, at: &Selection, parts: &[u32], ambiguous: &mut Vec<String>) -> Result<Chosen> {
    let mut chosen = at.choose(volume, Purpose::Surface);
    let name = at.to_string();
    if chosen.ambiguous && !ambiguous.contains(&name) {
        ambiguous.push(name);
    }
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
    ambiguous: &mut Vec<String>,
) -> Result<Vec<&'f Face>> {
    let chosen = chosen(volume, at, parts, ambiguous)?;
    let found: Vec<&Face> = faces.iter().filter(|face| chosen.has_face(&face.vertices)).collect();
    if found.is_empty() {
        return Err(ElasticityError::NoFaces { selection: at.to_string(), vertices: chosen.count() });
    }
    Ok(found)
}

/// Supports and loads of the nodes.
pub struct Nodes {
    supports: Vec<Vec<(u32, u32)>>,
    /// Bit `k` of a node's word: unknown `k` is fixed.
    pub fixed: Vec<u32>,
    /// The support that holds each unknown.
    holders: Vec<Option<u32>>,
    /// Number of supports.
    held: usize,
    /// Values of fixed unknowns.
    pub start: Vec<f64>,
    /// Forces at all unknowns.
    pub load: Vec<f64>,
    loads: Vec<LoadSum>,
    /// The forces of each load.
    shares: Vec<Vec<(u32, DVec3)>>,
    /// Vertices without a cell.
    pub isolated: usize,
    pub ambiguous: Vec<String>,
    /// Positions of the nodes, in the file's coordinates.
    points: Vec<DVec3>,
}
impl Nodes {
    /// The sum of forces, three numbers for each node, and their moment about the origin.
    fn sum(&self, forces: impl Iterator<Item = (usize, DVec3)>) -> (DVec3, DVec3) {
        forces.fold((DVec3::ZERO, DVec3::ZERO), |(sum, moment), (node, force)| {
            (sum + force, moment + self.points[node].cross(force))
        })
    }
    /// Moves the points of vertices, at which forces act.
    pub fn displace(&mut self, by: &[f64]) {
        for (point, by) in self.points.iter_mut().zip(by.as_chunks::<3>().0) {
            *point += DVec3::from_array(*by);
        }
        for (sum, share) in self.loads.iter_mut().zip(&self.shares) {
            sum.moment = share.iter().map(|(node, force)| self.points[*node as usize].cross(*force)).sum();
        }
    }
}
/// Finds supports and loads. Refuses a body that is not held, unless it `moves`.
pub fn nodes(
    volume: &VolumeData,
    problem: &Problem,
    (body, moves): (&Body, bool),
    mesh: &VolumeMesh,
    space: &Space<'_>,
    materials: &Materials,
) -> Result<Nodes> {
    let parts = held::parts(volume.positions.len(), body);
    let supports = space.supports()?;
    let order = f64::from(space.shape().order());
    let point = |own: &Vec<(u32, u32)>| -> DVec3 {
        own.iter().map(|&(v, w)| volume.positions[v as usize] * (f64::from(w) / order)).sum()
    };
    let points: Vec<DVec3> = supports.iter().map(point).collect();
    let mut ambiguous = materials.ambiguous.clone();
    let mut fixed = vec![0_u32; space.nodes()];
    let (mut start, mut load) = (vec![0.0; 3 * space.nodes()], vec![0.0; 3 * space.nodes()]);
    let mut holders = vec![None; 3 * space.nodes()];
    for (number, support) in (0_u32..).zip(&problem.supports) {
        let chosen = chosen(volume, &support.at, &parts, &mut ambiguous)?;
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
    if !moves {
        held::check(body, &parts, &points, &fixed, &mesh.parts()?)?;
    }
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
    let (mut loads, mut shares) = (vec![], vec![]);
    if !problem.loads.is_empty() {
        let faces = surface::faces(mesh)?;
        for each in &problem.loads {
            let own: Vec<(u32, DVec3)> = loaded(volume, each.at(), &parts, &faces, &mut ambiguous)?
                .iter()
                .flat_map(|face| face.shares(space, &volume.positions))
                .collect();
            let area: f64 = own.iter().map(|(_, share)| share.length()).sum();
            let (mut sum, mut forces) = (LoadSum { area, ..LoadSum::default() }, vec![]);
            for (node, share) in own {
                let force = match each {
                    Load::Force { total, .. } => *total * (share.length() / area),
                    Load::Traction { force, .. } => *force * share.length(),
                    Load::Pressure { pressure, .. } => share * -*pressure,
                };
                add(node as usize, force);
                sum.force += force;
                sum.moment += points[node as usize].cross(force);
                forces.push((node, force));
            }
            loads.push(sum);
            shares.push(forces);
        }
    }
    let held = problem.supports.len();
    Ok(Nodes { supports, fixed, holders, held, start, load, loads, shares, isolated, ambiguous, points })
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
    let nodes = nodes(volume, problem, (body, false), mesh, space, &materials)?;
    let prepare = start.elapsed().as_secs_f64();
    let device = space.device();
    let clock = |start: Instant| -> Result<f64> {
        device.synchronize()?;
        Ok(start.elapsed().as_secs_f64())
    };
    let now = Instant::now();
    // only one matrix is assembled, so it needs no lists and no memory for elements
    let assembler = Assembler::new(space)?.with(Summation::Inline);
    let pattern = clock(now)?;
    let now = Instant::now();
    let exact: Matrix<f64> = assembled(&assembler, &materials)?;
    let single: Option<Matrix<f32>> = match options.precision {
        Precision::Mixed => Some(assembled(&assembler, &materials)?),
        Precision::Double => None,
    };
    let assemble = clock(now)?;
    let equations = Equations {
        space,
        exact: &exact,
        single: single.as_ref(),
        fixed: &nodes.fixed,
        load: &nodes.load,
        start: &nodes.start,
    };
    let found = equations.solve(options)?;
    let now = Instant::now();
    let (u, vertices) = (device.upload(&found.u)?, space.vertices());
    let middles = space.gradients(3, &u)?.read()?;
    let law = Law::Linear(&middles);
    let stresses = stresses::all(&space.on_host::<3>(&u)?, law, &materials, vertices);
    let mut solution = evaluated(volume, problem, space, &nodes, &materials, found, stresses);
    let report = &mut solution.report;
    report.blocks = exact.pattern().blocks();
    // both matrices share the pattern
    report.matrix_bytes = exact.bytes() + single.map_or(0, |m| m.bytes() - m.pattern().bytes());
    report.padding = exact.pattern().padding();
    let evaluate = clock(now)?;
    report.times = Times { prepare, pattern, assemble, evaluate, ..report.times };
    Ok(solution)
}

/// The stiffness.
pub fn assembled<S: Storage>(assembler: &Assembler<'_>, materials: &Materials) -> Result<Matrix<S>>
where
    [S; 2]: Pod,
{
    match materials.same() {
        Some(material) => Ok(assembler.assemble::<S>(Form::Elasticity(material))?),
        None => {
            let all: Vec<[S; 2]> = materials.parameters().map(|m| m.map(S::of)).collect();
            Ok(assembler.assemble_materials(&assembler.space().device().upload(&all)?)?)
        }
    }
}

/// The index of the greatest number, the first of several, and that number.
fn greatest(numbers: impl Iterator<Item = f64>) -> (usize, f64) {
    let better = |most: (usize, f64), next: (usize, f64)| if next.1 > most.1 { next } else { most };
    numbers.enumerate().reduce(better).unwrap_or_default()
}

/// Evaluates the solution: computes reactions, sums and maxima.
pub fn evaluated(
    volume: &VolumeData,
    problem: &Problem,
    space: &Space<'_>,
    nodes: &Nodes,
    materials: &Materials,
    found: Found,
    stresses: Stresses,
) -> Solution {
    let (vertices, order) = (space.vertices(), f64::from(space.shape().order()));
    let (values, left) = (&found.u, &found.left);
    let displacement: Vec<DVec3> = values.chunks_exact(3).take(vertices).map(DVec3::from_slice).collect();
    let is_fixed = |i: usize| nodes.fixed[i / 3] >> (i % 3) & 1 == 1;
    let mut reaction = vec![DVec3::ZERO; vertices];
    let mut support_reactions = vec![DVec3::ZERO; nodes.held];
    let mut support_moments = vec![DVec3::ZERO; nodes.held];
    let (mut free, mut forces) = (0.0, 0.0);
    let mut held = vec![];
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
                let mut along = DVec3::ZERO;
                along[k] = left[i];
                support_reactions[support as usize] += along;
                support_moments[support as usize] += nodes.points[node].cross(along);
            }
        }
        held.push((node, force));
        own.iter().for_each(|(v, w)| reaction[*v as usize] += force * (f64::from(*w) / order));
    }
    let loads = nodes.load.chunks_exact(3).map(DVec3::from_slice).enumerate();
    let ((load, load_moment), (held, reaction_moment)) = (nodes.sum(loads), nodes.sum(held.into_iter()));
    let work: f64 = values.iter().zip(&nodes.load).map(|(u, b)| u * b).sum();
    let strain: f64 = values.iter().zip(left).zip(&nodes.load).map(|((u, left), b)| u * (left + b)).sum();
    let von: Vec<f64> = stresses.cells.iter().map(|s| von_mises(*s)).collect();
    let vertex_von_mises: Vec<f64> = stresses.vertices.iter().map(|s| von_mises(*s)).collect();
    let place = |(vertex, value): (usize, f64)| {
        let position = volume.positions.get(vertex).copied().unwrap_or_default();
        (value, Place { vertex, position })
    };
    let (greatest_displacement, greatest_displacement_at) =
        place(greatest(displacement.iter().map(|u| u.length())));
    let (greatest_von_mises, greatest_von_mises_at) = place(greatest(vertex_von_mises.iter().copied()));
    let (greatest_cell, greatest_cell_von_mises) = greatest(von.iter().copied());
    let principals: Vec<[f64; 3]> = stresses.vertices.iter().map(|s| principal(*s)).collect();
    let (greatest_principal, greatest_principal_at) = place(greatest(principals.iter().map(|p| p[0])));
    let (least, least_principal_at) = place(greatest(principals.iter().map(|p| -p[2])));
    let weigh = |(cell, volume): (usize, &f64)| volume * materials.density_of(cell);
    let strain_energy = found.energy.unwrap_or(0.5 * strain);
    let whole = strain_energy + stresses.difference;
    let report = Report {
        material_cells: materials.cells.clone(),
        unknowns: values.len(),
        fixed: (0..values.len()).filter(|&i| is_fixed(i)).count(),
        levels: found.levels,
        multigrid_bytes: found.multigrid_bytes,
        iterations: found.iterations,
        newton_steps: found.newton_steps,
        stages: found.stages,
        residual: found.residual,
        true_residual: if forces > 0.0 { (free / forces).sqrt() } else { 0.0 },
        rounding: found.rounding,
        converged: found.converged,
        fallbacks: found.fallbacks,
        ambiguous: nodes.ambiguous.clone(),
        strain_energy,
        work,
        load,
        load_moment,
        reaction: held,
        reaction_moment,
        support_reactions,
        support_moments,
        loads: nodes.loads.clone(),
        volume: stresses.volumes.iter().sum(),
        mass: stresses.volumes.iter().enumerate().map(weigh).sum(),
        greatest_displacement,
        greatest_displacement_at,
        greatest_von_mises,
        greatest_von_mises_at,
        greatest_cell_von_mises,
        greatest_cell,
        greatest_principal,
        greatest_principal_at,
        least_principal: -least,
        least_principal_at,
        safety_factor: problem.yield_stress.map(|s| s / greatest_von_mises).filter(|s| s.is_finite()),
        estimated_error: if whole > 0.0 { (stresses.difference / whole).sqrt() } else { 0.0 },
        greatest_poisson: materials.greatest_poisson,
        isolated_vertices: nodes.isolated,
        times: Times { precondition: found.precondition, solve: found.solve, ..Times::default() },
        ..Report::default()
    };
    let (stress, vertex_stress) = (stresses.cells, stresses.vertices);
    Solution { displacement, reaction, stress, von_mises: von, vertex_stress, vertex_von_mises, report }
}
