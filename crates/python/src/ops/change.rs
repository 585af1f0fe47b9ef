//! What moves vertices or changes triangles.
use super::{changed, finished, on_surface, value};
use crate::content::Content;
use crate::device::Turn;
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::options::{parse, parse_some};
use pyo3::prelude::*;
use ribbonmesh::bvh::{DistanceOptions, SampledSurface, distance};
use ribbonmesh::{Device, Error, Surface};
use ribbonmesh_delaunay::DelaunayOptions;
use ribbonmesh_denoise::{DenoiseOptions, DenoiseReport};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_remesh::{Adaptive, ClusterOptions, Density, RemeshOptions, remesh_by_clusters};
use ribbonmesh_repair::{RepairOptions, manifold_violations, repair_mesh};
use ribbonmesh_simplify::{Bound as MaxError, SimplifyOptions, Target};
use ribbonmesh_smooth::{Mass, SmoothOptions, TimeStep};
use serde_json::{Value, json};

/// Smooths by mean curvature flow.
#[pyfunction]
#[pyo3(signature = (mesh, time_step, steps, weights, mass, solver, boundary, preconditioner, tolerance, max_iterations, keep_volume, progress))]
#[expect(clippy::too_many_arguments, reason = "they are the command's options")]
pub fn smooth(
    py: Python<'_>,
    mesh: &NativeMesh,
    time_step: Option<&str>,
    steps: usize,
    weights: &str,
    mass: &str,
    solver: &str,
    boundary: &str,
    preconditioner: &str,
    tolerance: f64,
    max_iterations: usize,
    keep_volume: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(NativeMesh, String)> {
    let mass: Mass = parse("mass", mass)?;
    let usual = if mass == Mass::Unit { TimeStep::Absolute(1.0) } else { TimeStep::Edges(1.0) };
    if !(0.0..1.0).contains(&tolerance) {
        return Err(Failure::argument(format!("tolerance is {tolerance}: at least 0 and less than 1")).into());
    }
    if steps == 0 {
        return Err(Failure::argument("steps is 0: at least 1").into());
    }
    let options = SmoothOptions {
        time_step: parse_some("time_step", time_step)?.unwrap_or(usual),
        steps,
        weights: parse("weights", weights)?,
        mass,
        solver: parse("solver", solver)?,
        boundary: parse("boundary", boundary)?,
        preconditioner: parse("preconditioner", preconditioner)?,
        tolerance,
        max_iterations,
        keep_volume,
        ..SmoothOptions::default()
    };
    changed(py, mesh, None, progress, move |surface| {
        let done = ribbonmesh_smooth::smooth(surface, &options)?;
        let steps: Vec<Value> = done
            .steps
            .iter()
            .map(|step| {
                json!({
                    "iterations": step.iterations,
                    "residual": step.residual,
                    "converged": step.converged,
                    "volumes": step.volume.map(|(before, after)| [before, after]),
                })
            })
            .collect();
        Ok(json!({
            "time_step": done.time_step,
            "mean_edge_length": done.mean_edge_length,
            "iterations": done.iterations(),
            "converged": done.converged(),
            "steps": steps,
        }))
    })
}

/// Removes noise.
#[pyfunction]
#[pyo3(signature = (mesh, method, noise, iterations, similarity, radius, scale, fixed_boundary, progress))]
#[expect(clippy::too_many_arguments, reason = "they are the command's options")]
pub fn denoise(
    py: Python<'_>,
    mesh: &NativeMesh,
    method: &str,
    noise: Option<f32>,
    iterations: Option<u32>,
    similarity: Option<f32>,
    radius: &str,
    scale: f32,
    fixed_boundary: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(NativeMesh, String)> {
    let options = DenoiseOptions {
        method: parse("method", method)?,
        noise,
        iterations,
        similarity,
        radius: parse("radius", radius)?,
        scale,
        fixed_boundary,
        ..DenoiseOptions::default()
    };
    if let Some(n) = iterations.filter(|n| *n > 10_000) {
        return Err(Failure::argument(format!("iterations is {n}: at most 10000")).into());
    }
    changed(py, mesh, None, progress, move |surface| {
        let done = ribbonmesh_denoise::denoise(surface, &options)?;
        let DenoiseReport {
            method,
            iterations,
            noise,
            mean_edge,
            stairs,
            similarity,
            farthest,
            stored_rings,
            walked,
            cut,
            ..
        } = done;
        Ok(json!({
            "method": method.name(),
            "iterations": iterations,
            "noise": noise,
            "mean_edge": mean_edge,
            "stairs": stairs,
            "similarity": similarity,
            "farthest": farthest,
            "stored_rings": stored_rings,
            "walked": walked,
            "cut": cut,
        }))
    })
}

/// A surface of the mesh, repaired if that is asked for, with the report of repair.
fn repaired(
    content: &Content,
    turn: &Turn,
    surface: Surface,
    repair: bool,
) -> Result<(Surface, Value), Failure> {
    if content.sizes[1] == 0 {
        return Err(Error::NoFaces { what: "the mesh" }.into());
    }
    if !repair {
        return Ok((surface, Value::Null));
    }
    drop(surface);
    let mut mesh = content.host_in(turn)?.clone();
    let done = repair_mesh(&mut mesh, &RepairOptions::default())?;
    if mesh.faces.is_empty() {
        return Err(Failure::new(crate::failure::Kind::Mesh, "all faces are degenerate"));
    }
    Ok((Surface::new(turn, &mesh, &content.options)?, value(done.report)))
}

/// The error, with all that is wrong with a mesh that is no oriented manifold.
fn refused(content: &Content, turn: &Turn, error: Error) -> Failure {
    if matches!(error, Error::NotManifold(_))
        && let Ok(mesh) = content.host_in(turn)
        && let Ok(found) = manifold_violations(mesh.positions.len(), &mesh.faces)
        && !found.is_empty()
    {
        return Failure::from(&found);
    }
    error.into()
}

/// A report with that of repair, if there was one.
fn with_repair(report: Value, repaired: Value) -> Value {
    let mut report = report;
    if let Value::Object(entries) = &mut report {
        entries.insert("repaired".into(), repaired);
    }
    report
}

/// Flips edges until the mesh is Delaunay.
#[pyfunction]
#[pyo3(signature = (mesh, max_normal_deviation, repair, validate, progress))]
pub fn delaunay(
    py: Python<'_>,
    mesh: &NativeMesh,
    max_normal_deviation: Option<f32>,
    repair: bool,
    validate: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(NativeMesh, String)> {
    let options = DelaunayOptions { max_normal_deviation, validate, ..DelaunayOptions::default() };
    let (after, report) = on_surface(py, mesh, None, progress, move |content, turn, surface| {
        let (mut surface, repaired) = repaired(content, turn, surface, repair)?;
        let done = ribbonmesh_delaunay::delaunay(&mut surface, &options);
        let done = done.map_err(|error| refused(content, turn, error))?;
        finished(content, surface, with_repair(value(done), repaired))
    })?;
    Ok((NativeMesh::new(after), report))
}

/// Remeshes: with `fast`, by clusters.
#[pyfunction]
#[pyo3(signature = (mesh, target_length, iterations, feature_angle, merge_features, boundary, project, fast, vertices, ratio, adaptive, tolerance, range, most_faces, smoothing, step, weights, repair, validate, progress))]
#[expect(clippy::too_many_arguments, reason = "they are the command's options")]
pub fn remesh(
    py: Python<'_>,
    mesh: &NativeMesh,
    target_length: Option<&str>,
    iterations: Option<u32>,
    feature_angle: Option<f32>,
    merge_features: Option<f32>,
    boundary: &str,
    project: bool,
    fast: bool,
    vertices: Option<u32>,
    ratio: Option<f64>,
    adaptive: bool,
    tolerance: Option<&str>,
    range: Option<[f32; 2]>,
    most_faces: Option<u64>,
    smoothing: u32,
    step: f32,
    weights: &str,
    repair: bool,
    validate: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(NativeMesh, String)> {
    let length = parse_some("target_length", target_length)?;
    let default = Adaptive::default();
    let adaptive = match (adaptive, parse_some("tolerance", tolerance)?) {
        (false, _) => None,
        (true, tolerance) => Some(Adaptive {
            tolerance: tolerance.unwrap_or(default.tolerance),
            range: range.unwrap_or(default.range),
            most_faces,
            // a range that is asked for holds
            finest: range.map_or(default.finest, |[shortest, _]| shortest),
            ..default
        }),
    };
    let default = RemeshOptions::default();
    let options = RemeshOptions {
        length: length.unwrap_or(default.length),
        iterations: iterations.unwrap_or(default.iterations),
        feature_angle,
        merge: merge_features.unwrap_or(default.merge),
        boundary: parse("boundary", boundary)?,
        project,
        adaptive,
        smoothing,
        step,
        weights: parse("weights", weights)?,
        validate,
        ..default
    };
    let default = ClusterOptions::default();
    let clusters = ClusterOptions {
        density: match (vertices, ratio, length) {
            (Some(n), ..) => Density::Vertices(n),
            (None, Some(ratio), _) => Density::Ratio(ratio),
            (None, None, Some(length)) => Density::Length(length),
            (None, None, None) => default.density,
        },
        iterations: iterations.unwrap_or(default.iterations),
        feature_angle: feature_angle.or(default.feature_angle),
        ..default
    };
    let (after, report) = on_surface(py, mesh, None, progress, move |content, turn, surface| {
        let (mut surface, repaired) = repaired(content, turn, surface, repair)?;
        let done = match fast {
            true => remesh_by_clusters(&mut surface, &clusters).map(value),
            false => ribbonmesh_remesh::remesh(&mut surface, &options).map(value),
        };
        let done = done.map_err(|error| refused(content, turn, error))?;
        finished(content, surface, with_repair(done, repaired))
    })?;
    Ok((NativeMesh::new(after), report))
}

/// Attempts to stay within `max_error`.
const ATTEMPTS: u32 = 4;
/// Random points of each surface by which their distance is estimated.
const SAMPLES: u32 = 100_000;

/// Simplifies. Where there is a largest distance, it is measured, and where it is exceeded, done again with a smaller one.
#[pyfunction]
#[pyo3(signature = (mesh, faces, ratio, max_error, topology, feature_angle, fixed_boundary, curve_weight, max_turn, share, no_self_intersections, repair, validate, progress))]
#[expect(clippy::too_many_arguments, reason = "they are the command's options")]
pub fn simplify(
    py: Python<'_>,
    mesh: &NativeMesh,
    faces: Option<u32>,
    ratio: Option<f64>,
    max_error: Option<&str>,
    topology: &str,
    feature_angle: Option<f32>,
    fixed_boundary: bool,
    curve_weight: f32,
    max_turn: f32,
    share: f32,
    no_self_intersections: bool,
    repair: bool,
    validate: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(NativeMesh, String)> {
    let mut options = SimplifyOptions {
        target: faces.map(Target::Faces).or(ratio.map(Target::Ratio)),
        max_error: parse_some("max_error", max_error)?,
        topology: parse("topology", topology)?,
        feature_angle,
        fixed_boundary,
        curve_weight,
        max_turn,
        share,
        no_self_intersections,
        validate,
        ..SimplifyOptions::default()
    };
    let (after, report) = on_surface(py, mesh, None, progress, move |content, turn, surface| {
        let (mut surface, repaired) = repaired(content, turn, surface, repair)?;
        if options.max_error.is_none() {
            let done = ribbonmesh_simplify::simplify(&mut surface, &options);
            let done = done.map_err(|error| refused(content, turn, error))?;
            return finished(content, surface, with_repair(value(done), repaired));
        }
        let before = surface.download()?;
        let mut wanted = None;
        let mut attempt = 1;
        loop {
            let mut surface = Surface::new(turn, &before, &content.options)?;
            let done = ribbonmesh_simplify::simplify(&mut surface, &options);
            let mut done = done.map_err(|error| refused(content, turn, error))?;
            let bound = done.max_error;
            done.max_error = *wanted.get_or_insert(bound);
            let measured = largest(turn, &before, &surface.download()?, content.options.seed)?;
            let next = match (bound, done.max_error, measured) {
                (Some(bound), Some(wanted), Some(found)) if found > wanted && attempt < ATTEMPTS => {
                    0.95 * bound * wanted / found
                }
                _ => {
                    let mut report = with_repair(value(done), repaired);
                    report["measured_distance"] = json!(measured);
                    return finished(content, surface, report);
                }
            };
            options.max_error = Some(MaxError::Absolute(next as f32));
            attempt += 1;
        }
    })?;
    Ok((NativeMesh::new(after), report))
}

/// The largest distance between two meshes, as far as points show it; none without faces.
fn largest(
    device: &Device,
    before: &TriangleMesh,
    after: &TriangleMesh,
    seed: u64,
) -> Result<Option<f64>, Failure> {
    if after.faces.is_empty() {
        return Ok(None);
    }
    let origin = before.local_origin();
    let [a, b] = [before, after].map(|mesh| (mesh.points_around(origin), &mesh.faces));
    let [of_a, of_b] = [&a, &b].map(|(points, faces)| SampledSurface::reach(points, faces));
    let a = SampledSurface::beside(device, &a.0, a.1, of_b)?;
    let b = SampledSurface::beside(device, &b.0, b.1, of_a)?;
    Ok(Some(distance(&a, &b, &DistanceOptions { samples: SAMPLES, seed })?.symmetric.hausdorff))
}
