//! The combination of meshes.
use crate::boolean::BooleanError;
use crate::boolean::rounds::combine;
use crate::boolean::scene::{Scene, middle};
use glam::DVec3;
use rayon::prelude::*;
use ribbonmesh::{Device, Surface};
use ribbonmesh_application::Choice;
use ribbonmesh_mesh::{Element, MeshError, Role, TriangleMesh};
use serde::Serialize;

/// The volume that the result encloses.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Within any of the meshes.
    #[default]
    Union,
    /// Within all of them.
    Intersection,
    /// Within the first one, and in none of the others.
    Difference,
    /// Within an odd number of them.
    Xor,
}

impl Operation {
    /// Whether a volume is part of the result, by how often each mesh is wound around it.
    pub(crate) fn holds(self, windings: &[i32]) -> bool {
        let mut inside = windings.iter().map(|&w| w > 0);
        match self {
            Self::Union => inside.any(|inside| inside),
            Self::Intersection => inside.all(|inside| inside),
            Self::Difference => inside.next() == Some(true) && !inside.any(|inside| inside),
            Self::Xor => inside.filter(|&inside| inside).count() % 2 == 1,
        }
    }
}

/// Name of the column of a result's faces that has the index of the mesh of whose face each is a part.
pub const INPUT_MESH: &str = "input_mesh";
/// Name of the column of a result's faces that has the index of that face in its mesh.
pub const INPUT_FACE: &str = "input_face";

/// Options of [`boolean`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BooleanOptions {
    /// The volume that the result encloses.
    pub operation: Operation,
    /// Most rounds in which intersections that rounding made are mended.
    pub rounds: u32,
    /// Adds to the faces of the result [`INPUT_MESH`] and [`INPUT_FACE`].
    pub provenance: bool,
}
impl Default for BooleanOptions {
    fn default() -> Self {
        Self { operation: Operation::default(), rounds: 16, provenance: false }
    }
}

/// Report of [`boolean`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BooleanReport {
    /// Pairs of faces that intersect, of different meshes or of one.
    pub intersecting_pairs: usize,
    /// Faces that meet others, and are cut where they do.
    pub faces_cut: usize,
    /// Vertices made where faces cross.
    pub vertices_added: usize,
    /// Vertices added where the result touches itself.
    pub vertices_doubled: usize,
    /// Volumes into which the meshes part space, with the one outside of all; none if a mesh is open.
    pub volumes: Option<usize>,
    /// Meshes that are not closed, or whose faces are not oriented alike.
    pub open: Vec<Opening>,
    /// Meshes whose faces pointed inward, and that were turned, by their index.
    pub turned: Vec<usize>,
    /// Rounds in which intersections were mended that rounding had made.
    pub rounds: u32,
    /// The distance along each axis within which vertices near such intersections became one in the last of
    /// these rounds; 0 without any.
    pub merged: f32,
    /// The volume that these rounds have added to the result; 0 if a mesh is open.
    pub volume_changed: f64,
    /// Attributes that were dropped because only some of the meshes have them, or because their policy says
    /// so.
    pub columns_dropped: Vec<String>,
}

/// A mesh that encloses no volume.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Opening {
    /// Its index in the list.
    pub mesh: usize,
    /// A vertex of an edge at which its faces do not cancel.
    pub at: [f64; 3],
}

/// Combines the volumes within meshes. A volume is within a mesh if the mesh is wound around it once
/// or more, so that a mesh may pass through itself, and may have cavities.
///
/// All faces are cut along all that meets them, with exact predicates; the parts between volumes of which one
/// is part of the result are the result. Faces that coincide, meshes that touch, and faces in one plane need
/// no tolerance: a part of two coinciding faces is kept once, or not at all. Vertices of the input keep their
/// positions, but for coordinates below 2⁻³⁸ of the largest one, which are rounded to multiples of 2⁻⁶² of
/// it; those where faces cross are rounded to single precision. The result is closed, and no faces of it
/// intersect: if rounding lets some, vertices of these that are near each other are merged, and they are cut
/// again, at most [`BooleanOptions::rounds`] times. In the first of these rounds, near is 2⁻²² of the largest
/// coordinate, and edges and faces get vertices that are near them; the distance grows in each, up to 2⁻⁶. If
/// this changes the volume by more than 2⁻¹⁵ of the volumes within the meshes, and by more than that of a
/// layer on the cube around the origin and the largest coordinate that is 2⁻²³ of this thick, the result is
/// refused.
///
/// If a mesh has holes, or faces of opposite orientation ([`BooleanReport::open`]), parts are chosen by
/// generalised winding numbers on both sides of them (Jacobson, Kavan and Sorkine-Hornung 2013): a place is
/// within a mesh that is wound around it by one half or more. Such a result may be open, but does not
/// intersect itself, either.
///
/// Where a result touches itself in an edge or at a vertex, vertices are doubled, or edges split, so that it
/// is an oriented manifold. Attributes follow their faces, within cut ones by interpolation. Kernels on
/// `device` find the pairs of faces that meet, and decide about all faces that meet no others; the host cuts
/// the rest. O(n log n).
/// # Errors
/// [`BooleanError::Open`] if nothing is left of the union of meshes of which one is open, such as a sheet;
/// [`BooleanError::Rounding`]; [`BooleanError::Volume`]; [`BooleanError::Nothing`]; errors of the mesh and of
/// the device.
pub fn boolean(
    device: &Device,
    meshes: &[TriangleMesh],
    options: &BooleanOptions,
) -> Result<(TriangleMesh, BooleanReport), BooleanError> {
    let mut report = BooleanReport::default();
    let mut all = TriangleMesh::default();
    let mut starts = vec![0];
    for mesh in meshes {
        if let Some(vertex) = mesh.positions.par_iter().position_first(|p| !p.is_finite()) {
            return Err(ribbonmesh::Error::NotFinite { vertex }.into());
        }
        report.columns_dropped.extend(all.append(mesh)?);
        starts.push(all.faces.len() as u32);
    }
    if meshes.is_empty() {
        return Err(BooleanError::Nothing);
    }
    if options.provenance {
        let numbers = starts.windows(2).zip(0_u32..).flat_map(|(range, mesh)| {
            let faces = 0..range[1] - range[0];
            faces.map(move |face| [mesh, face])
        });
        let [of_mesh, of_face]: [Vec<u32>; 2] = numbers.map(|[mesh, face]| (mesh, face)).unzip().into();
        let mut columns = all.attributes_mut(Element::Face);
        for (name, values) in [(INPUT_MESH, of_mesh), (INPUT_FACE, of_face)] {
            report.columns_dropped.extend(columns.remove(name).map(|_| format!("{}.{name}", Element::Face)));
            columns.insert(name, values).map_err(MeshError::from)?;
        }
    }
    let origin = all.local_origin();
    let (positions, faces) = (device.upload(&all.positions)?, device.upload(all.faces.as_flattened())?);
    let scene = Scene::new(&positions, faces, starts, origin)?;
    drop(positions);
    let middles = meshes.iter().map(middle_of);
    let edges = all.edges_of().iter().map(|column| format!("{}.{}", Element::Edge, column.name()));
    report.columns_dropped.extend(edges);
    combine(&mut all, scene, &middles.collect::<Vec<_>>(), options, &mut report)?;
    Ok((all, report))
}

/// The middle of the box around a mesh; `None` if it has no vertices.
fn middle_of(mesh: &TriangleMesh) -> Option<DVec3> {
    let ends = mesh.positions.par_iter().map(|&p| (p, p));
    ends.reduce_with(|(a, b), (c, d)| (a.min(c), b.max(d))).map(|(low, high)| (low + high) / 2.0)
}

/// Combines the volumes within surfaces on a device as [`boolean`]. The result takes the place of the first
/// one; faces that meet no others do not go through the host. The origin of the first surface is that of the
/// result.
/// # Errors
/// As [`boolean`]; [`ribbonmesh::Error::OtherDevice`]. The surface is as it was then.
pub fn boolean_surface(
    surface: &mut Surface,
    others: Vec<Surface>,
    options: &BooleanOptions,
) -> Result<BooleanReport, BooleanError> {
    let mut report = BooleanReport::default();
    let mut all = surface.try_clone()?;
    let (mut starts, mut middles) = (vec![0], vec![]);
    let mut numbers: [Vec<u32>; 2] = Default::default();
    let device = all.device().clone();
    for (mesh, other) in (0..).zip([None].into_iter().chain(others.into_iter().map(Some))) {
        let of = other.as_ref().unwrap_or(&all);
        let (triangles, origin) = (of.triangles(), of.origin());
        let count = (triangles.faces().len() / 3) as u32;
        middles.push(middle(triangles.positions())?.map(|middle| origin + middle));
        starts.push(starts.last().map_or(0, |last| last + count));
        if options.provenance {
            numbers[0].extend(std::iter::repeat_n(mesh, count as usize));
            numbers[1].extend(0..count);
        }
        if let Some(other) = other {
            report.columns_dropped.extend(all.append(other)?);
        }
    }
    if options.provenance {
        for (name, values) in [INPUT_MESH, INPUT_FACE].into_iter().zip(numbers) {
            let known = all.faces().names().any(|known| known == name);
            report.columns_dropped.extend(known.then(|| format!("{}.{name}", Element::Face)));
            all.insert_of_faces(name, Role::Custom, &device.upload(&values)?)?;
        }
    }
    let faces = all.triangles().faces().try_clone()?;
    let scene = Scene::new(&all.exact_positions()?, faces, starts, all.origin())?;
    combine(&mut all, scene, &middles, options, &mut report)?;
    *surface = all;
    Ok(report)
}
