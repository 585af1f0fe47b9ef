//! Deletion of faces that intersect or are inside, and filling of the holes that this leaves.
use crate::fill::FillOptions;
use crate::inside::InsideTest;
use crate::intersections::{Triangles, self_intersections};
use crate::repair::manifold_violations;
use crate::resolve::cut::{Kept, kept};
use crate::resolve::deviation::deviation;
use crate::resolve::groups::groups;
use crate::resolve::refine::refine;
use crate::resolve::{ResolveError, ResolvedRegion, resolve_region};
use glam::{DVec3, Vec3};
use ribbonmesh::{Buffer, Device};
use ribbonmesh_mesh::{Sides, TriangleMesh};
use serde::Serialize;

/// Options of [`resolve`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResolveOptions {
    /// Most attempts; each deletes more faces around those that intersected in the one before. At least 1.
    pub attempts: u32,
    /// Greatest distance of vertices of holes that are joined, as a multiple of the mean length of the edges
    /// of faces that intersect.
    pub join: f64,
    /// Edges of faces that intersect are split until they are at most this long, in diagonals of the bounding
    /// box, before faces are deleted: meshes that are coarse relative to their shapes, such as CAD parts,
    /// then lose little. Infinite: no edge is split.
    pub longest: f64,
    /// Greatest distance of the outer surface of the input from the result, in diagonals of the bounding box.
    /// A greater one means that parts were lost, and is an error. Infinite: any distance.
    pub most_deviation: f64,
    /// Most edges of a hole that gets the triangulation of least weight; larger ones are filled by cutting
    /// ears: [`FillOptions::exact_up_to`].
    pub exact_up_to: u32,
}
impl ResolveOptions {
    pub(crate) fn check(&self) -> ribbonmesh::Result<()> {
        let refuse =
            |option, value: String, expected| Err(ribbonmesh::Error::Option { option, value, expected });
        if self.attempts == 0 {
            return refuse("attempts", "0".into(), "at least 1");
        }
        if !(self.join > 0.0 && self.join.is_finite()) {
            return refuse("join", self.join.to_string(), "a finite number above 0");
        }
        if self.longest.is_nan() || self.longest < 1e-5 {
            return refuse("longest", self.longest.to_string(), "a number, 0.00001 or above");
        }
        if self.most_deviation.is_nan() || self.most_deviation <= 0.0 {
            return refuse("most deviation", self.most_deviation.to_string(), "a number above 0");
        }
        Ok(())
    }
}
impl Default for ResolveOptions {
    fn default() -> Self {
        Self {
            attempts: 100,
            join: 2.5,
            longest: 0.01,
            most_deviation: 0.02,
            exact_up_to: FillOptions::default().exact_up_to,
        }
    }
}

/// Report of [`resolve`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ResolveReport {
    /// Pairs of faces that intersect, of each mesh with itself and with the result of the meshes before it.
    pub intersecting_pairs: u64,
    /// Number of attempts, the greatest of all meshes; 0 if no faces intersect.
    pub attempts: u32,
    /// Faces that were added by splitting long edges of faces that intersect.
    pub faces_split: usize,
    /// Faces deleted because they, or faces near them, intersect others.
    pub faces_cut: usize,
    /// Faces deleted because they are inside.
    pub faces_inside: usize,
    /// Faces added.
    pub faces_added: usize,
    /// Pairs of holes joined.
    pub joined: usize,
    /// Other holes filled.
    pub filled: usize,
    /// The greatest distance of some points of the outer surface of the input from the result, in the units
    /// of the positions; `None` if no faces intersect.
    pub deviation: Option<f64>,
    /// Attributes that were dropped because only some of the meshes have them, or because their policy says
    /// so.
    pub columns_dropped: Vec<String>,
}

impl ResolveReport {
    /// Adds the report of a further mesh.
    fn add(&mut self, step: Self) {
        self.intersecting_pairs += step.intersecting_pairs;
        self.attempts = self.attempts.max(step.attempts);
        self.faces_split += step.faces_split;
        self.faces_cut += step.faces_cut;
        self.faces_inside += step.faces_inside;
        self.faces_added += step.faces_added;
        self.joined += step.joined;
        self.filled += step.filled;
        self.columns_dropped.extend(step.columns_dropped);
        self.columns_dropped.sort_unstable();
        self.columns_dropped.dedup();
    }
}

/// Computes the surface of the volume within any of some closed surfaces, which may pass through themselves
/// and each other. Meshes that do neither, and contain no other, are returned unchanged, one after the other.
///
/// Components are resolved in groups of which no two members intersect, one group after the other. Vertices
/// without a face are dropped if the surface changes. Attributes are transferred: new faces and vertices get
/// theirs as with [`fill_holes`](crate::fill::fill_holes); attributes that only some of the meshes
/// have are dropped. Searches run on `device`, the rest on the host.
///
/// Volumes that overlap by less than the length of an edge may be cut apart or connected; the result is not
/// an exact union.
/// # Errors
/// [`ResolveError::Unfit`] names a mesh that is not closed, not an oriented manifold, or inside out;
/// [`ResolveError::GaveUp`] if no attempt gave a surface free of intersections;
/// [`ResolveError::NothingLeft`]; [`ResolveError::Lost`]; errors of the device.
pub fn resolve(
    device: &Device,
    meshes: &[TriangleMesh],
    options: &ResolveOptions,
) -> Result<(TriangleMesh, ResolveReport), ResolveError> {
    options.check()?;
    let mut all = TriangleMesh::default();
    let mut report = ResolveReport::default();
    for (i, mesh) in meshes.iter().enumerate() {
        fit(device, i, mesh)?;
        report.columns_dropped.extend(all.append(mesh)?);
    }
    if all.faces.is_empty() {
        return Ok((all, report));
    }
    let pairs = pairs_of(device, &all)?;
    report.faces_split = refine(device, &mut all, &pairs, options.longest)?;
    let pairs = if report.faces_split > 0 { pairs_of(device, &all)? } else { pairs };
    let whole = all.clone();
    let (mesh, mut report) = by_groups(device, all, &pairs, options, report)?;
    if report.attempts > 0 {
        let far = deviation(device, &whole, &mesh)?;
        if far > options.most_deviation * whole.bounding_box().map_or(0.0, |bounds| bounds.diagonal()) {
            return Err(ResolveError::Lost { distance: far });
        }
        report.deviation = Some(far);
    }
    Ok((mesh, report))
}

/// Resolves one group of components after the other: so where three surfaces meet, no two loops run along
/// each other.
fn by_groups(
    device: &Device,
    all: TriangleMesh,
    pairs: &[[u32; 2]],
    options: &ResolveOptions,
    mut report: ResolveReport,
) -> Result<(TriangleMesh, ResolveReport), ResolveError> {
    let groups = groups(&all, pairs);
    let last = groups.iter().copied().max().unwrap_or(0);
    if last == 0 {
        let (mesh, step) = resolve_all(device, all, options)?;
        report.add(step);
        return Ok((mesh, report));
    }
    let mut resolved = TriangleMesh::default();
    for group in 0..=last {
        let members: Vec<u32> = (0..groups.len() as u32).filter(|&f| groups[f as usize] == group).collect();
        resolved.append(&part(&all, &members)?.0)?;
        let step;
        (resolved, step) = resolve_all(device, resolved, options)?;
        report.add(step);
    }
    Ok((resolved, report))
}

/// Resolves the surfaces of one mesh together.
fn resolve_all(
    device: &Device,
    all: TriangleMesh,
    options: &ResolveOptions,
) -> Result<(TriangleMesh, ResolveReport), ResolveError> {
    let origin = all.local_origin();
    let buffers = upload(device, &all, origin)?;
    let triangles = Triangles { positions: &buffers.0, faces: &buffers.1 };
    let pairs = self_intersections(triangles)?.pairs.read()?;
    let test = InsideTest::new(triangles)?;
    if pairs.is_empty() {
        return without_inside(all, origin, &test);
    }
    let ResolvedRegion { mesh, report, .. } = resolve_region(&test, &all, origin, &pairs, options)?;
    let gave_up = |last| ResolveError::GaveUp { attempts: report.attempts, last };
    if let Some(what) = not_outward(&mesh) {
        return Err(gave_up(what));
    }
    // a last check, by a search among all faces
    match pairs_of(device, &mesh)?.len() {
        0 => Ok((mesh, report)),
        hits => Err(gave_up(format!("{hits} pairs of faces intersect"))),
    }
}

/// Removes the surfaces inside of others from surfaces that do not intersect.
fn without_inside(
    all: TriangleMesh,
    origin: DVec3,
    test: &InsideTest<'_>,
) -> Result<(TriangleMesh, ResolveReport), ResolveError> {
    let sides = Sides::of(all.positions.len(), &all.faces);
    let Kept { faces, inside } = kept(&all, origin, &[], &sides, test)?;
    let report = ResolveReport { faces_inside: inside, ..ResolveReport::default() };
    match faces.len() {
        left if left == all.faces.len() => Ok((all, report)),
        0 => Err(ResolveError::NothingLeft),
        _ => Ok((part(&all, &faces)?.0, report)),
    }
}

/// The pairs of faces that intersect.
fn pairs_of(device: &Device, mesh: &TriangleMesh) -> ribbonmesh::Result<Vec<[u32; 2]>> {
    let (positions, faces) = upload(device, mesh, mesh.local_origin())?;
    self_intersections(Triangles { positions: &positions, faces: &faces })?.pairs.read()
}
/// Refuses a mesh that is not a closed surface.
fn fit(device: &Device, place: usize, mesh: &TriangleMesh) -> Result<(), ResolveError> {
    mesh.check()?;
    if let Some(vertex) = mesh.positions.iter().position(|p| !p.is_finite()) {
        return Err(ribbonmesh::Error::NotFinite { vertex }.into());
    }
    wrong_with(device, mesh)?.map_or(Ok(()), |what| Err(ResolveError::Unfit { mesh: place, what }))
}
/// The reason for which a mesh is not a closed outward surface.
fn wrong_with(device: &Device, mesh: &TriangleMesh) -> Result<Option<String>, ResolveError> {
    let found = no_manifold(device, mesh)?;
    Ok(found.or_else(|| not_outward(mesh)))
}
/// The reason for which an oriented manifold is not a closed outward surface.
fn not_outward(mesh: &TriangleMesh) -> Option<String> {
    if !mesh.is_closed() {
        return Some("is not closed".into());
    }
    (mesh.volume().unwrap_or(0.0) < 0.0).then(|| "is inside out".into())
}
/// The reason for which a mesh is not an oriented manifold.
pub(crate) fn no_manifold(device: &Device, mesh: &TriangleMesh) -> Result<Option<String>, ResolveError> {
    let found = manifold_violations(device, mesh.positions.len(), &mesh.faces)?;
    Ok((!found.is_empty()).then(|| format!("is no oriented manifold: {found}")))
}

type Buffers = (Buffer<Vec3>, Buffer<u32>);

fn upload(device: &Device, mesh: &TriangleMesh, origin: DVec3) -> ribbonmesh::Result<Buffers> {
    Ok((device.upload(&mesh.points_around(origin))?, device.upload(mesh.faces.as_flattened())?))
}
/// A mesh of some faces, with their vertices and attributes; and the numbers that these vertices had.
pub(crate) fn part(all: &TriangleMesh, left: &[u32]) -> Result<(TriangleMesh, Vec<u32>), ResolveError> {
    let mut numbers = vec![u32::MAX; all.positions.len()];
    left.iter().flat_map(|&f| all.faces[f as usize]).for_each(|v| numbers[v as usize] = 0);
    let mut vertices = vec![];
    for (v, number) in (0..).zip(&mut numbers).filter(|(_, number)| **number == 0) {
        *number = vertices.len() as u32;
        vertices.push(v);
    }
    let renumbered = |&f: &u32| (f, all.faces[f as usize].map(|v| numbers[v as usize]));
    let faces: Vec<_> = left.iter().map(renumbered).collect();
    let mut mesh = all.clone();
    mesh.rebuild(&vertices, &faces)?;
    Ok((mesh, vertices))
}

/// The mean length of the edges of the faces of some pairs.
pub(crate) fn edge_length(mesh: &TriangleMesh, pairs: &[[u32; 2]]) -> f64 {
    let at = |v: u32| mesh.positions[v as usize];
    let around = |&f: &u32| {
        let [a, b, c] = mesh.faces[f as usize].map(at);
        a.distance(b) + b.distance(c) + c.distance(a)
    };
    let mut faces: Vec<u32> = pairs.iter().flatten().copied().collect();
    faces.sort_unstable();
    faces.dedup();
    faces.iter().map(around).sum::<f64>() / (3 * faces.len().max(1)) as f64
}
