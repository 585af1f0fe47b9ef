//! Measures of a mesh, and of its position relative to other meshes.
use super::{on_surface, spread, text, value, with_surface};
use crate::arrays::{give, points};
use crate::content::Content;
use crate::device::Turn;
use crate::dlpack::{DeviceArray, Source, taken};
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::options::parse;
use crate::watch::{self, Size};
use pyo3::prelude::*;
use rayon::prelude::*;
use ribbonmesh::bvh::{
    Bvh, Closest as ClosestPoint, ClosestArrays, Distance, DistanceOptions, Extent, SampledSurface,
};
use ribbonmesh::device::NONE;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Error, FlatTopology, StaticMesh, Surface};
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_mesh::quality::Quality;
use ribbonmesh_solid::inside::{InsideOptions, InsideReport};
use ribbonmesh_solid::intersections::{IntersectionOptions, SurfaceIntersections, intersections_of_two};
use serde_json::{Value, json};
use std::sync::Arc;

/// The figures of a mesh, as JSON.
#[pyfunction]
#[pyo3(signature = (mesh, intersections))]
pub fn info(py: Python<'_>, mesh: &NativeMesh, intersections: bool) -> PyResult<String> {
    let content = Arc::clone(&mesh.content);
    let size = Size::Faces(content.sizes[1]);
    watch::run(py, size, None, move |session| {
        session.turn(&content.device()?, |turn| Ok(text(&figures(&content, turn, intersections)?)))
    })
}

fn figures(content: &Content, turn: &Turn, intersections: bool) -> Result<Value, Failure> {
    let mesh = content.host_in(turn)?;
    let flat = FlatTopology::new(turn, mesh.positions.len(), &mesh.faces)?;
    let topology = flat.topology()?;
    let around: Vec<[f32; 3]> =
        mesh.points_around(mesh.local_origin()).into_iter().map(|point| point.to_array()).collect();
    let geometry = flat.geometry(&around)?;
    let patches = match StaticMesh::from_flat(&flat, &content.options) {
        Err(Error::PatchTooLarge { .. }) => None,
        patches => Some(patches?),
    };
    let ratio = patches.as_ref().and_then(|patches| {
        let n = patches.totals();
        let sum = |of: [u32; 3]| of.map(f64::from).iter().sum::<f64>();
        let owned = sum([n.v_owned, n.e_owned, n.f_owned]);
        let ribbon = sum([n.v_all, n.e_all, n.f_all]) - owned;
        (ribbon > 0.0).then(|| owned / ribbon)
    });
    let bytes = |patches: &StaticMesh| patches.topology_bytes() as f64 / patches.faces().max(1) as f64;
    let quality = turn.install(|| Quality::of(&mesh.positions, &mesh.faces, None));
    let mut figures = json!({
        "vertices": topology.vertices,
        "edges": topology.edges,
        "faces": topology.faces,
        "boundary_edges": topology.boundary_edges,
        "nonmanifold_edges": topology.nonmanifold_edges,
        "nonmanifold_vertices": topology.nonmanifold_vertices,
        "components": topology.components,
        "isolated_vertices": topology.isolated_vertices,
        "degenerate_faces": topology.degenerate_faces,
        "duplicate_faces": topology.duplicate_faces,
        "inconsistent_edges": topology.inconsistent_edges,
        "euler_characteristic": topology.euler_characteristic,
        "genus": topology.genus,
        "area": mesh.area(),
        "volume": mesh.volume(),
        "bounding_box": value(mesh.bounding_box()),
        "edge_length": spread(geometry.edge_length),
        "valence": spread(topology.valence),
        "angle": spread(geometry.angle),
        "quality": value(quality),
        "patches": patches.as_ref().map(StaticMesh::patches),
        "owned_ribbon_ratio": ratio,
        "bytes_per_face": patches.as_ref().map(bytes),
        "machine": turn.name(),
    });
    if intersections {
        let mut surface = Surface::new(turn, mesh, &content.options)?;
        let found =
            ribbonmesh_solid::intersections::intersections(&mut surface, &IntersectionOptions::default())?;
        figures["intersecting_pairs"] = found.report.pairs.into();
        figures["intersecting_faces"] = found.report.faces.into();
    }
    Ok(figures)
}

/// Pairs of faces that intersect, and their numbers.
#[pyfunction]
#[pyo3(signature = (mesh, other))]
pub fn intersections<'py>(
    py: Python<'py>,
    mesh: &NativeMesh,
    other: Option<&NativeMesh>,
) -> PyResult<(Bound<'py, PyAny>, String)> {
    let options = IntersectionOptions::default();
    let other = other.map(|other| Arc::clone(&other.content));
    let faces = mesh.content.sizes[1] + other.as_ref().map_or(0, |other| other.sizes[1]);
    let content = Arc::clone(&mesh.content);
    let (pairs, report) = watch::run(py, Size::Faces(faces), None, move |session| {
        // downloaded first, in a turn of its own device
        let other = match &other {
            None => None,
            Some(other) => Some((other.host(session)?, &other.options)),
        };
        with_surface(session, &content, |_, turn, mut surface| {
            let found = match other {
                None => ribbonmesh_solid::intersections::intersections(&mut surface, &options)?,
                Some((mesh, of_other)) => {
                    // on the device of the first, wherever it is to work itself
                    let mut second = Surface::new(turn, mesh, of_other)?;
                    intersections_of_two(&mut surface, &mut second, &options)?
                }
            };
            Ok((found.pairs()?, text(&counts(&found, other.is_some()))))
        })
    })?;
    let numbers: Vec<i64> = pairs.into_iter().flatten().map(i64::from).collect();
    Ok((give(py, numbers, 2)?, report))
}
fn counts(found: &SurfaceIntersections, two: bool) -> Value {
    let mut report =
        json!({"intersecting_pairs": found.report.pairs, "intersecting_faces": found.report.faces});
    if two {
        report["intersecting_faces_of_other"] = found.report.faces_of_second.into();
    }
    report
}

/// Flags and winding numbers of points, and how they were found.
type Told<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, String);

/// The points that are inside.
#[pyfunction]
#[pyo3(signature = (mesh, points_, method, beta, exact))]
pub fn inside<'py>(
    py: Python<'py>,
    mesh: &NativeMesh,
    points_: &Bound<'_, PyAny>,
    method: &str,
    beta: f32,
    exact: bool,
) -> PyResult<Told<'py>> {
    let (points, _) = points(points_, "points")?;
    let options = InsideOptions { method: parse("method", method)?, beta, exact };
    let size = Some(Size::Faces(mesh.content.sizes[1].saturating_add(points.len())));
    let (flags, winding, report) = on_surface(py, mesh, size, None, move |content, _, surface| {
        if content.sizes[1] == 0 {
            return Err(Error::NoFaces { what: "the mesh" }.into());
        }
        single(&points, surface.origin())?;
        let found = ribbonmesh_solid::inside::inside(&surface, &points, &options)?;
        Ok((found.inside, found.winding, told(&options, &found.report)))
    })?;
    Ok((give(py, flags, 1)?, give(py, winding, 1)?, report))
}

/// The same for points on the device of the mesh, with results there.
#[pyfunction]
#[pyo3(signature = (mesh, points_, method, beta, exact))]
pub fn inside_on_device<'py>(
    py: Python<'py>,
    mesh: &NativeMesh,
    points_: &Bound<'_, PyAny>,
    method: &str,
    beta: f32,
    exact: bool,
) -> PyResult<Told<'py>> {
    let options = InsideOptions { method: parse("method", method)?, beta, exact };
    let content = Arc::clone(&mesh.content);
    let device = content.device()?;
    let points = taken::vectors(py, &device, points_, "points")?;
    let size = content.quick(content.sizes[1].saturating_add(points.buffer().len()));
    let found = watch::run(py, size, None, move |session| {
        session.turn(&device, |turn| {
            if content.sizes[1] == 0 {
                return Err(Error::NoFaces { what: "the mesh" }.into());
            }
            let surface = content.lend(turn)?;
            let found = ribbonmesh_solid::inside::inside_arrays(&surface, points.buffer(), &options)?;
            Ok((found.inside, found.winding, told(&options, &found.report)))
        })
    })?;
    let (flags, winding, report) = found;
    let array = |source| lend(py, source);
    Ok((array(Source::Flags(flags.into()))?, array(Source::Floats(winding.into()))?, report))
}
/// An array on a device, as Python has it.
fn lend(py: Python<'_>, source: Source) -> PyResult<Bound<'_, PyAny>> {
    Ok(Bound::new(py, DeviceArray::new(source)?)?.into_any())
}
/// The report of a test, as JSON.
fn told(options: &InsideOptions, report: &InsideReport) -> String {
    text(&json!({
        "method": options.method.name(),
        "closed": report.closed,
        "points": report.points,
        "inside": report.inside,
    }))
}

/// The distance between two surfaces, as JSON.
#[pyfunction]
#[pyo3(signature = (mesh, other, samples, progress))]
pub fn distance(
    py: Python<'_>,
    mesh: &NativeMesh,
    other: &NativeMesh,
    samples: u32,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<String> {
    let (a, b) = (Arc::clone(&mesh.content), Arc::clone(&other.content));
    if samples > i32::MAX as u32 {
        return Err(Failure::argument(format!("samples is {samples}: at most {}", i32::MAX)).into());
    }
    let size = Size::Faces(a.sizes[1] + b.sizes[1] + samples as usize);
    watch::run(py, size, progress, move |session| {
        let (device, seed) = (a.device()?, a.options.seed);
        let options = DistanceOptions { samples, seed };
        if b.device()?.same(&device)
            && let Some(found) = session.turn(&device, |turn| measured(&a, &b, turn, &options))?
        {
            return Ok(text(&value(found)));
        }
        let (a, b) = (a.host(session)?, b.host(session)?);
        let origin = a.local_origin();
        let [x, y] = [a, b].map(|mesh| mesh.points_around(origin));
        let [of_a, of_b] = [SampledSurface::reach(&x, &a.faces), SampledSurface::reach(&y, &b.faces)];
        session.turn(&device, |turn| {
            let a = SampledSurface::beside(turn, &x, &a.faces, of_b)?;
            let b = SampledSurface::beside(turn, &y, &b.faces, of_a)?;
            Ok(text(&value(ribbonmesh::bvh::distance(&a, &b, &options)?)))
        })
    })
}
/// The distance between two meshes of one device, by the surfaces that they keep; `None` if these are
/// relative to different points.
fn measured(
    a: &Content,
    b: &Content,
    turn: &Turn,
    options: &DistanceOptions,
) -> Result<Option<Distance>, Failure> {
    // one after the other: both may be the same
    let extent = |of: &Content| -> Result<(DVec3, Extent), Failure> {
        let surface = of.lend(turn)?;
        Ok((surface.origin(), surface.measured()?))
    };
    let ((a_origin, of_a), (b_origin, of_b)) = (extent(a)?, extent(b)?);
    if a_origin != b_origin {
        return Ok(None);
    }
    let sampled_a = a.lend(turn)?.sampled_of(&of_a, of_b.reach())?;
    let sampled_b = b.lend(turn)?.sampled_of(&of_b, of_a.reach())?;
    Ok(Some(ribbonmesh::bvh::distance(&sampled_a, &sampled_b, options)?))
}

/// Closest points, faces, normals, distances and weights of corners.
type Closest<'py> = [Bound<'py, PyAny>; 5];

/// Closest points on the host: an entry for each point.
struct Found {
    points: Vec<[f64; 3]>,
    faces: Vec<i64>,
    normals: Vec<[f32; 3]>,
    distances: Vec<f32>,
    weights: Vec<[f64; 3]>,
}
impl Found {
    /// The closest point to each of `around`, which are relative to the origin of the tree.
    fn of(
        content: &Content,
        turn: &Turn,
        (tree, origin): (&Bvh, DVec3),
        around: &[Vec3],
    ) -> Result<Self, Failure> {
        let mut found = tree.closest(&turn.upload(around)?, None)?.read()?;
        let host = content.host_in(turn)?;
        // squares of the distances of points that far overflow: the tree is made anew, in their units
        let far: Vec<usize> = (0..found.len()).filter(|&i| found[i].face == NONE).collect();
        if !far.is_empty() {
            let points: Vec<Vec3> = far.iter().map(|&i| around[i]).collect();
            let reach = points.iter().fold(0.0, |most: f32, p| most.max(p.abs().max_element()));
            let local = host.points_around(origin);
            let beside = SampledSurface::beside(turn, &local, &host.faces, reach)?;
            let again = beside.bvh().closest(&turn.upload(&points)?, None)?.read()?;
            for (&i, again) in far.iter().zip(again) {
                if again.face == NONE {
                    return Err(too_far(i));
                }
                found[i] = again;
            }
        }
        // squares of single precision overflow where points are far
        let apart = |(p, c): (&Vec3, &ClosestPoint)| p.as_dvec3().distance(c.point.as_dvec3()) as f32;
        turn.install(|| {
            Ok(Self {
                points: found.par_iter().map(|c| (c.point.as_dvec3() + origin).to_array()).collect(),
                faces: found.par_iter().map(|c| i64::from(c.face)).collect(),
                normals: found.par_iter().map(|c| c.normal.to_array()).collect(),
                distances: around.par_iter().zip(&found).map(apart).collect(),
                weights: found.par_iter().map(|c| barycentric(c, host, origin)).collect(),
            })
        })
    }
}

/// The closest point of the surface to each point.
#[pyfunction]
#[pyo3(signature = (mesh, points_))]
pub fn closest<'py>(
    py: Python<'py>,
    mesh: &NativeMesh,
    points_: &Bound<'_, PyAny>,
) -> PyResult<Closest<'py>> {
    let (points, _) = points(points_, "points")?;
    let content = Arc::clone(&mesh.content);
    let size = Size::Faces(content.sizes[1].saturating_add(points.len()));
    let found = watch::run(py, size, None, move |session| {
        session.turn(&content.device()?, |turn| {
            let (tree, origin) = content.tree(turn)?;
            let around = turn.install(|| single(&points, origin))?;
            Found::of(&content, turn, (&tree, origin), &around)
        })
    })?;
    Ok([
        give(py, found.points.into_flattened(), 3)?,
        give(py, found.faces, 1)?,
        give(py, found.normals.into_flattened(), 3)?,
        give(py, found.distances, 1)?,
        give(py, found.weights.into_flattened(), 3)?,
    ])
}

/// The same for points on the device of the mesh, with results there.
#[pyfunction]
#[pyo3(signature = (mesh, points_))]
pub fn closest_on_device<'py>(
    py: Python<'py>,
    mesh: &NativeMesh,
    points_: &Bound<'_, PyAny>,
) -> PyResult<Closest<'py>> {
    let content = Arc::clone(&mesh.content);
    let device = content.device()?;
    let points = taken::vectors(py, &device, points_, "points")?;
    let size = content.quick(content.sizes[1].saturating_add(points.buffer().len()));
    let found = watch::run(py, size, None, move |session| {
        session.turn(&device, |turn| {
            let (tree, origin) = content.tree(turn)?;
            let found = tree.closest_to_arrays(points.buffer(), origin)?;
            if found.without.is_none() {
                return Ok(found);
            }
            let around: Vec<DVec3> = points.buffer().read()?.iter().map(|p| p.as_dvec3()).collect();
            let around = single(&around, origin)?;
            let found = Found::of(&content, turn, (&tree, origin), &around)?;
            let vectors = |of: &[[f64; 3]]| -> Result<Buffer<Vec3>, Error> {
                turn.upload(&of.iter().map(|of| DVec3::from(*of).as_vec3()).collect::<Vec<_>>())
            };
            Ok(ClosestArrays {
                points: vectors(&found.points)?,
                faces: turn.upload(&found.faces.iter().map(|face| *face as u32).collect::<Vec<_>>())?,
                normals: turn.upload(bytemuck::cast_slice(&found.normals))?,
                distances: turn.upload(&found.distances)?,
                weights: vectors(&found.weights)?,
                without: None,
            })
        })
    })?;
    let array = |source| lend(py, source);
    let ClosestArrays { points, faces, normals, distances, weights, .. } = found;
    Ok([
        array(Source::Vectors(points.into()))?,
        array(Source::Numbers(faces.into()))?,
        array(Source::Vectors(normals.into()))?,
        array(Source::Floats(distances.into()))?,
        array(Source::Vectors(weights.into()))?,
    ])
}

fn too_far(point: usize) -> Failure {
    Failure::argument(format!(
        "point {point} is too far away for single precision, in which distances are computed"
    ))
    .of_point(point)
}
/// Points relative to the origin of a surface, which single precision has to hold.
fn single(points: &[DVec3], origin: DVec3) -> Result<Vec<Vec3>, Failure> {
    if let Some(point) = points.par_iter().position_first(|p| !p.is_finite()) {
        return Err(Error::PointNotFinite { point }.into());
    }
    let around: Vec<Vec3> = points.par_iter().map(|p| (*p - origin).as_vec3()).collect();
    match around.par_iter().position_first(|p| !p.is_finite()) {
        Some(point) => Err(too_far(point)),
        None => Ok(around),
    }
}
/// The weights of the corners of its face for a closest point: not negative, 1 in all.
fn barycentric(found: &ClosestPoint, mesh: &TriangleMesh, origin: DVec3) -> [f64; 3] {
    let [a, b, c] = mesh.faces[found.face as usize].map(|v| mesh.positions[v as usize] - origin);
    let (u, v, w) = (b - a, c - a, found.point.as_dvec3() - a);
    let (uu, uv, vv, wu, wv) = (u.dot(u), u.dot(v), v.dot(v), w.dot(u), w.dot(v));
    let size = uu * vv - uv * uv;
    let (s, t) = match size > 1e-24 * uu * vv {
        true => ((vv * wu - uv * wv) / size, (uu * wv - uv * wu) / size),
        // a face that is a line: along its longer side
        false if uu >= vv && uu > 0.0 => (wu / uu, 0.0),
        false if vv > 0.0 => (0.0, wv / vv),
        false => (0.0, 0.0),
    };
    let weights = [1.0 - s - t, s, t].map(|x| x.clamp(0.0, 1.0));
    let sum: f64 = weights.iter().sum();
    weights.map(|x| x / sum)
}
