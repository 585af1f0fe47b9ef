//! Deleting what intersects and what is inside, and closing what that opens.
use crate::ResolveError;
use crate::clusters::{clusters, drop_ears};
use glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device};
use ribbonmesh_fill::{FillOptions, Method, fill_holes};
use ribbonmesh_inside::InsideTest;
use ribbonmesh_intersections::{Triangles, self_intersections};
use ribbonmesh_mesh::{Precision, TriangleMesh};
use ribbonmesh_repair::manifold_violations;
use serde::Serialize;

/// Faces of a cluster that are asked whether they are inside (w of the paper).
const ASKED: usize = 9;
/// A cluster of at most this many faces that deletion has cut off is deleted, too.
const CRUMB: usize = 12;
/// How far in front of a face its outside is asked for, in lengths of its shortest edge.
const BEFORE: f64 = 0.05;

/// Options of [`resolve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolveOptions {
    /// Most attempts; each deletes one ring of faces more around those that intersect. At least 1.
    pub attempts: u32,
    /// Holes are joined whose vertices are at most this many times the mean edge length apart, plus as much again for each
    /// ring.
    pub join: f64,
}
impl Default for ResolveOptions {
    fn default() -> Self {
        Self { attempts: 8, join: 2.5 }
    }
}

/// What [`resolve`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ResolveReport {
    /// Pairs of faces that intersect, of each mesh with itself and with what the meshes before it became.
    pub intersecting_pairs: u64,
    /// Attempts, the most for a mesh; 0 where nothing intersects.
    pub attempts: u32,
    /// Faces deleted since they, or faces near them, intersect others.
    pub faces_cut: usize,
    /// Faces deleted since they are inside.
    pub faces_inside: usize,
    /// Faces added.
    pub faces_added: usize,
    /// Pairs of holes joined.
    pub joined: usize,
    /// Other holes filled.
    pub filled: usize,
}

impl ResolveReport {
    /// Adds what a further mesh took.
    fn add(&mut self, step: &Self) {
        self.intersecting_pairs += step.intersecting_pairs;
        self.attempts = self.attempts.max(step.attempts);
        self.faces_cut += step.faces_cut;
        self.faces_inside += step.faces_inside;
        self.faces_added += step.faces_added;
        self.joined += step.joined;
        self.filled += step.filled;
    }
}

/// The surface of the volume within any of some closed surfaces, which may pass through themselves and each other. Meshes
/// that do neither, and contain no other, are returned as they are, one behind the other. Meshes are taken one after the other.
/// Else vertices without a face are left
/// out, and so are all attributes. Runs searches on `device`, the rest on the host.
///
/// Volumes that only overlap by less than the length of an edge may be cut apart or connected; this is no exact union.
/// # Errors
/// [`ResolveError::Unfit`] names a mesh that is not closed, no oriented manifold, or inside out; [`ResolveError::GaveUp`] where
/// no attempt gave a surface free of intersections; [`ResolveError::NothingLeft`]; those of the device.
pub fn resolve(
    device: &Device,
    meshes: &[TriangleMesh],
    options: &ResolveOptions,
) -> Result<(TriangleMesh, ResolveReport), ResolveError> {
    if options.attempts == 0 || !(options.join > 0.0 && options.join.is_finite()) {
        let (option, value, expected) = match options.attempts {
            0 => ("attempts", "0".into(), "at least 1"),
            _ => ("join", options.join.to_string(), "a finite number above 0"),
        };
        return Err(ribbonmesh::Error::Option { option, value, expected }.into());
    }
    let (mut all, mut report) = (TriangleMesh::new(vec![], vec![]), ResolveReport::default());
    all.precision = precision(meshes);
    for (i, mesh) in meshes.iter().enumerate() {
        fit(i, mesh)?;
        // one after the other: where three surfaces meet, no two loops lie along each other
        append(&mut all, mesh)?;
        let step;
        (all, step) = resolve_all(device, all, options)?;
        report.add(&step);
    }
    Ok((all, report))
}

/// The same for the surfaces of one mesh.
fn resolve_all(
    device: &Device,
    all: TriangleMesh,
    options: &ResolveOptions,
) -> Result<(TriangleMesh, ResolveReport), ResolveError> {
    let origin = all.local_origin();
    let (pairs, _) = intersections(device, &all, origin)?;
    let mut report = ResolveReport { intersecting_pairs: pairs.len() as u64, ..ResolveReport::default() };
    let mut cut = vec![false; all.faces.len()];
    pairs.iter().flatten().for_each(|&face| cut[face as usize] = true);
    let scale = mean_edge_length(&all);
    let mut last = String::new();
    for attempt in 0..options.attempts {
        if attempt > 0 {
            grow(&all.faces, all.positions.len(), &mut cut);
        }
        let mut kept: Vec<bool> = cut.iter().map(|cut| !cut).collect();
        drop_ears(&all.faces, &mut kept);
        let inside = take_out_inside(device, &all, origin, &mut kept)?;
        let left: Vec<u32> = (0..all.faces.len() as u32).filter(|&f| kept[f as usize]).collect();
        if left.is_empty() && !all.faces.is_empty() {
            return Err(if attempt == 0 {
                ResolveError::NothingLeft
            } else {
                ResolveError::GaveUp { attempts: attempt, last }
            });
        }
        report.faces_inside = inside;
        report.faces_cut = all.faces.len() - left.len() - inside;
        if left.len() == all.faces.len() {
            return Ok((all, report));
        }
        let mut mesh = part(&all, &left);
        report.attempts = if report.intersecting_pairs > 0 { attempt + 1 } else { 0 };
        let fill = FillOptions {
            method: Method::Flat,
            join: Some(scale * (options.join + 2.0 * f64::from(attempt))),
            ..FillOptions::default()
        };
        match fill_holes(&mut mesh, &fill) {
            Ok(filled) => {
                (report.joined, report.faces_added) = (filled.joined, filled.faces_added);
                report.filled = filled.filled - 2 * filled.joined;
            }
            Err(error) => {
                last = error.to_string();
                continue;
            }
        }
        match wrong_with(&mesh)? {
            Some(what) => last = what,
            None => {
                let (pairs, _) = intersections(device, &mesh, origin)?;
                if pairs.is_empty() {
                    return Ok((mesh, report));
                }
                last = format!("{} pairs of faces intersect", pairs.len());
                // what the new faces ran into
                for &face in pairs.iter().flatten() {
                    if let Some(&face) = left.get(face as usize) {
                        cut[face as usize] = true;
                    }
                }
            }
        }
    }
    Err(ResolveError::GaveUp { attempts: options.attempts, last })
}

/// That of the meshes: double if one of them has it.
fn precision(meshes: &[TriangleMesh]) -> Precision {
    match meshes.iter().all(|mesh| mesh.precision == Precision::Single) {
        true => Precision::Single,
        false => Precision::Double,
    }
}
/// Refuses a mesh that is no closed surface.
fn fit(place: usize, mesh: &TriangleMesh) -> Result<(), ResolveError> {
    mesh.check()?;
    if let Some(vertex) = mesh.positions.iter().position(|p| !p.is_finite()) {
        return Err(ribbonmesh::Error::NotFinite { vertex }.into());
    }
    wrong_with(mesh)?.map_or(Ok(()), |what| Err(ResolveError::Unfit { mesh: place, what }))
}
/// Puts a mesh behind another one.
fn append(all: &mut TriangleMesh, mesh: &TriangleMesh) -> Result<(), ResolveError> {
    let count = all.positions.len() as u64 + mesh.positions.len() as u64;
    if count > u64::from(u32::MAX) {
        let (what, limit) = ("vertices", u64::from(u32::MAX));
        return Err(ribbonmesh::Error::TooMany { what, count, limit }.into());
    }
    let first = all.positions.len() as u32;
    all.positions.extend(&mesh.positions);
    all.faces.extend(mesh.faces.iter().map(|face| face.map(|v| first + v)));
    Ok(())
}

/// What keeps a mesh from being a closed outward surface.
fn wrong_with(mesh: &TriangleMesh) -> Result<Option<String>, ResolveError> {
    let found = manifold_violations(mesh.positions.len(), &mesh.faces)?;
    if !found.is_empty() {
        return Ok(Some(format!("is no oriented manifold: {found}")));
    }
    if !mesh.is_closed() {
        return Ok(Some("is not closed".into()));
    }
    let volume = mesh.volume().unwrap_or(0.0);
    Ok((volume < 0.0).then(|| "is inside out".into()))
}

type Buffers = (Buffer<Vec3>, Buffer<u32>);

fn upload(device: &Device, mesh: &TriangleMesh, origin: DVec3) -> ribbonmesh::Result<Buffers> {
    Ok((device.upload(&mesh.points_around(origin))?, device.upload(mesh.faces.as_flattened())?))
}
/// The pairs of faces that intersect.
fn intersections(
    device: &Device,
    mesh: &TriangleMesh,
    origin: DVec3,
) -> ribbonmesh::Result<(Vec<[u32; 2]>, Buffers)> {
    let buffers = upload(device, mesh, origin)?;
    let pairs = self_intersections(Triangles { positions: &buffers.0, faces: &buffers.1 })?.pairs.read()?;
    Ok((pairs, buffers))
}

/// Adds the faces that have a vertex with those that are cut.
fn grow(faces: &[[u32; 3]], vertices: usize, cut: &mut [bool]) {
    let mut near = vec![false; vertices];
    for (face, _) in faces.iter().zip(&*cut).filter(|(_, cut)| **cut) {
        face.iter().for_each(|&v| near[v as usize] = true);
    }
    for (face, cut) in faces.iter().zip(cut) {
        *cut |= face.iter().any(|&v| near[v as usize]);
    }
}

/// Takes out the clusters whose outside is inside of the volume, and those that are crumbs. The number of faces inside.
fn take_out_inside(
    device: &Device,
    all: &TriangleMesh,
    origin: DVec3,
    kept: &mut [bool],
) -> Result<usize, ResolveError> {
    let mut clusters = clusters(&all.faces, kept);
    clusters.retain(|(cluster, open)| {
        let crumb = *open && cluster.len() <= CRUMB;
        if crumb {
            cluster.iter().for_each(|&face| kept[face as usize] = false);
        }
        !crumb
    });
    // faces all over each cluster, and a point before each
    let corners = |face: u32| all.faces[face as usize].map(|v| all.positions[v as usize] - origin);
    let asked = |(cluster, _): &(Vec<u32>, bool)| -> Vec<u32> {
        let step = cluster.len().div_ceil(ASKED);
        cluster.iter().skip(step / 2).step_by(step).copied().collect()
    };
    let lists: Vec<Vec<u32>> = clusters.iter().map(asked).collect();
    let before = |&face: &u32| {
        let [a, b, c] = corners(face);
        let shortest = a.distance(b).min(b.distance(c)).min(c.distance(a));
        ((a + b + c) / 3.0 + BEFORE * shortest * (b - a).cross(c - a).normalize_or_zero()).as_vec3()
    };
    let points: Vec<Vec3> = lists.iter().flatten().map(before).collect();
    let (positions, faces) = upload(device, all, origin)?;
    let test = InsideTest::new(Triangles { positions: &positions, faces: &faces })?;
    let winding = test.cast(&device.upload(&points)?)?.winding.read()?;
    let mut winding = winding.into_iter();
    let mut inside = 0;
    for ((cluster, _), list) in clusters.iter().zip(&lists) {
        let votes = winding.by_ref().take(list.len()).filter(|w| *w != 0.0).count();
        if 2 * votes > list.len() {
            cluster.iter().for_each(|&face| kept[face as usize] = false);
            inside += cluster.len();
        }
    }
    Ok(inside)
}

/// Some faces, and the vertices that they have.
fn part(all: &TriangleMesh, left: &[u32]) -> TriangleMesh {
    let mut numbers = vec![u32::MAX; all.positions.len()];
    left.iter().flat_map(|&f| all.faces[f as usize]).for_each(|v| numbers[v as usize] = 0);
    let mut positions = vec![];
    for (v, number) in numbers.iter_mut().enumerate().filter(|(_, number)| **number == 0) {
        *number = positions.len() as u32;
        positions.push(all.positions[v]);
    }
    let faces = left.iter().map(|&f| all.faces[f as usize].map(|v| numbers[v as usize])).collect();
    let mut mesh = TriangleMesh::new(positions, faces);
    mesh.precision = all.precision;
    mesh
}

fn mean_edge_length(mesh: &TriangleMesh) -> f64 {
    let at = |v: u32| mesh.positions[v as usize];
    let around = |[a, b, c]: &[u32; 3]| {
        let [a, b, c] = [*a, *b, *c].map(at);
        a.distance(b) + b.distance(c) + c.distance(a)
    };
    mesh.faces.iter().map(around).sum::<f64>() / (3 * mesh.faces.len().max(1)) as f64
}
