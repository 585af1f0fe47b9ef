//! Remeshing by clusters.
use super::lloyd;
use super::options::{ClusterOptions, Density};
use super::report::ClusterReport;
use super::stage::{Stage, not_manifold};
use crate::check::Search;
use crate::remesh::cluster::Grid;
use crate::remesh::cluster::seed::KeepLong;
use crate::remesh::host::lengths::{Measures, find_curves};
use crate::remesh::host::phases;
use crate::remesh::host::undo::{self, Before};
use crate::remesh::host::values::{Flips, Values};
use crate::remesh::values::NO_FLIP;
use crate::remesh::{Boundary, Length, RemeshOptions, Remesher};
use glam::Vec3;
use ribbonmesh::device::tiles;
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, Gaps, Limits, Sizes};
use ribbonmesh::surface::{Changed, Extent, Surface, Vertices};
use ribbonmesh::{Buffer, FlatTopology, Result, Vertex, array};
use std::time::Instant;

/// The area per vertex in a mesh of equilateral triangles with edges of length 1.
const OF_VERTEX: f64 = 0.866_025_403_784;

/// If more than this part of the area ...
const MUCH: f64 = 0.2;
/// ... is in faces with a side longer than this part of the target length, ...
const LONG: f64 = 0.9;
/// ... edges are split that are longer than this part of it.
const SPLIT: f64 = 0.7;
/// Most passes of flips, and steps of smoothing, of one improvement.
const FLIPS: u32 = 10;
const STEPS: u32 = 3;

/// Remeshes by clusters: the vertices of the surface are put into as many clusters as the result is to have
/// vertices, by Lloyd's algorithm, and clusters that meet are joined to triangles (S. Valette, J.-M.
/// Chassery, *Approximated centroidal Voronoi diagrams for uniform polygonal mesh coarsening*, 2004). A
/// vertex is placed where the planes of its cluster's faces meet, if they do. Clusters are divided until the
/// result is a manifold, with the holes and the components of the surface, so it may have more vertices than
/// requested ([`ClusterReport::added`]). Then edges are flipped and vertices smoothed as [`Remesher`] does
/// it. A handle within a cluster, or a tunnel through one, vanishes.
///
/// If the surface has long edges, they are split first.
///
/// Much faster than [`remesh`](crate::remesh::remesh()) where the result is a lot coarser than the surface:
/// each round reads the vertices' neighbours once. Columns are transferred ([`Surface::replace`]). Clusters
/// and their triangles do not depend on the order in which threads run. Waits.
/// # Errors
/// [`Error::NotManifold`](ribbonmesh::Error::NotManifold) names an element in input order;
/// [`Error::NotFinite`](ribbonmesh::Error::NotFinite); [`Error::NoFaces`](ribbonmesh::Error::NoFaces);
/// [`Error::Option`](ribbonmesh::Error::Option) for no vertices; out of memory; errors of the driver.
pub fn remesh_by_clusters(surface: &mut Surface, options: &ClusterOptions) -> Result<ClusterReport> {
    let start = Instant::now();
    let Extent { diagonal, scale, low } = options.accept(surface)?;
    let [vertices, edges, faces] = surface.sizes()?.map(|n| n as u64);
    let before = Sizes { vertices, edges, faces };
    let measures = Measures { mean: surface.mean_edge_length(scale)?, diagonal: diagonal * scale };
    let mut report = ClusterReport { before, ..ClusterReport::default() };
    let grid = Grid { low, scale: scale as f32 };
    let (topology, x) = surface.flat_topology()?;
    let (areas, area) = lloyd::area(topology, x, grid)?;
    let of_count = |n: u32| (n, (area / (OF_VERTEX * f64::from(n))).sqrt());
    let (count, length) = match options.density {
        Density::Vertices(n) => of_count(n),
        Density::Ratio(ratio) => of_count((ratio * vertices as f64).clamp(1.0, f64::from(u32::MAX)) as u32),
        Density::Length(length) => {
            let length = measures.resolve("target length", length, scale)? as f64;
            ((area / (OF_VERTEX * length * length)).clamp(1.0, f64::from(u32::MAX)) as u32, length)
        }
    };
    report.asked = u64::from(count);
    report.target_length = length / scale;
    if is_coarse(topology, x, grid, areas, area, length)? {
        report.split = split(surface, length / scale)?;
    }
    let (flat, x) = surface.flat_topology()?;
    let device = flat.device().clone();
    device.synchronize()?;
    report.prepare_seconds = start.elapsed().as_secs_f64();
    let Stage { topology, positions, sources } = Stage::of(flat, x, grid, count, options, &mut report)?;
    report.added = (topology.vertices() as u64).saturating_sub(report.asked);
    report.after = Sizes {
        vertices: topology.vertices() as u64,
        edges: topology.edges() as u64,
        faces: topology.faces() as u64,
    };
    let start = Instant::now();
    let mut mesh = DynamicMesh::from_flat(&topology, 0.0)?;
    let mut positions = DynamicAttribute::from_buffer(&mesh, &positions)?;
    positions.scale(grid.scale)?;
    let values = improve(&mut mesh, positions, options, &mut report)?;
    device.synchronize()?;
    report.improve_seconds = start.elapsed().as_secs_f64();
    let (positions, curves) = (values.x, values.marks);

    let start = Instant::now();
    let sources = Some(sources);
    surface.replace(Changed {
        mesh,
        positions,
        scale,
        vertices: Vertices::Others,
        curves,
        seams_kept: false,
        sources,
    })?;
    device.synchronize()?;
    report.finish_seconds = start.elapsed().as_secs_f64();
    Ok(report)
}

impl ClusterOptions {
    /// Refuses options that are not valid, and surfaces that cannot be remeshed; measures the surface. Waits.
    pub(crate) fn accept(&self, surface: &mut Surface) -> Result<Extent> {
        self.check()?;
        let extent = surface.extent("the mesh to remesh")?;
        let (topology, _) = surface.flat_topology()?;
        if topology.non_manifold_edges() > 0 || topology.inconsistent_edges() > 0 {
            return Err(not_manifold(topology));
        }
        Ok(extent)
    }
}

/// Whether faces with a long side have so much of the area that there would be too few vertices for the
/// clusters, or clusters of uneven size. `areas`: areas of all faces.
fn is_coarse(
    topology: &FlatTopology,
    x: &Buffer<Vec3>,
    grid: Grid,
    mut areas: Buffer<f32>,
    area: f64,
    length: f64,
) -> Result<bool> {
    let device = topology.device();
    let keep = KeepLong {
        x: x.view(),
        faces: topology.face_vertices().view().wide(),
        scale: grid.scale,
        length: (LONG * length) as f32,
        areas: areas.view_mut(),
    };
    device.launch(tiles(topology.faces() as u32), keep)?;
    Ok(array::sum(&areas)? > MUCH * area)
}
/// Splits long edges for a target length in the units of the positions; returns the number of splits.
fn split(surface: &mut Surface, length: f64) -> Result<u64> {
    // edges longer than 4/3 of a target length are split
    let length = Length::Absolute((0.75 * SPLIT * length) as f32);
    let boundary = Boundary::Slide;
    let options = RemeshOptions { length, boundary, keep_sharp: false, ..RemeshOptions::default() };
    let mut remesher = Remesher::new(surface, &options)?;
    let split = remesher.split()?.executed;
    remesher.finish_into(surface)?;
    Ok(split)
}

/// Flips edges towards valence 6, and moves vertices within the surface; features and the boundary stay.
fn improve(
    mesh: &mut DynamicMesh,
    x: DynamicAttribute<Vertex, Vec3>,
    options: &ClusterOptions,
    report: &mut ClusterReport,
) -> Result<Values> {
    let mut values = Values::new(mesh, x)?;
    let choice =
        RemeshOptions { feature_angle: options.feature_angle, smoothing: STEPS, ..RemeshOptions::default() };
    report.features = find_curves(mesh, &mut values, None, (&choice, choice.feature_angle))?;
    if options.no_self_intersections {
        values.barred = Some(DynamicAttribute::zeros(mesh)?);
    }
    let mut search = Search::default();
    for _ in 0..options.improvements {
        report.flips += match options.no_self_intersections {
            false => improve_once(mesh, &mut values, &choice)?.0,
            true => improve_apart(mesh, &mut values, &choice, &mut search, report)?,
        };
    }
    Ok(values)
}
/// Flips edges and moves vertices; returns the number of flips, and the positions before the moves.
fn improve_once(
    mesh: &mut DynamicMesh,
    values: &mut Values,
    choice: &RemeshOptions,
) -> Result<(u64, Option<Buffer<Vec3>>)> {
    phases::count_excess(mesh, values)?;
    let flips = mesh.run(&mut Flips(values), Limits::passes(FLIPS))?.executed;
    let rest = values.barred.is_some().then(|| values.x.to_buffer(mesh)).transpose()?;
    phases::smooth(mesh, values, choice)?;
    Ok((flips, rest))
}
/// As [`improve_once`], without making faces intersect others: moves are held back, and if flips have made
/// such faces, all is taken back and repeated without these flips.
fn improve_apart(
    mesh: &mut DynamicMesh,
    values: &mut Values,
    choice: &RemeshOptions,
    search: &mut Search,
    report: &mut ClusterReport,
) -> Result<u64> {
    let before = Before::new(mesh, values, Gaps::default(), 0)?;
    loop {
        let pass = mesh.pass();
        let (flips, rest) = improve_once(mesh, values, choice)?;
        let (held, crossing) = undo::crossing(search, mesh, values, rest, pass, NO_FLIP)?;
        if !crossing {
            report.held += held;
            return Ok(flips);
        }
        before.restore(mesh, values)?;
        report.repeats += 1;
    }
}
