//! Repair of triangles to an oriented manifold.
use crate::repair::check::indices;
use crate::repair::crowded::pair_crowded;
use crate::repair::distinct::{Distinct, distinct};
use crate::repair::linked::pairs;
use crate::repair::orient::Orientation;
use crate::repair::part::Left;
use crate::repair::rest::{Mesh, copies_of};
use crate::repair::simple::{Simple, look_simply};
use crate::repair::weld::{Welded, welded};
use crate::repair::{Part, RepairError, RepairReport, Repaired};
use glam::DVec3;
use ribbonmesh::{Buffer, Device, Error, array};

/// Options of repair. By default all faces stay that are neither degenerate nor duplicates.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RepairOptions {
    /// Before all else, make vertices one that are at most this far apart, in the units of the positions;
    /// with 0, vertices at the same position. `None`: no vertices are welded.
    pub weld: Option<f64>,
    /// Drop faces whose area is 0 but for the rounding of double precision. Where a neighbour remains, this
    /// leaves a boundary.
    pub remove_zero_area: bool,
    /// At the end, drop components of fewer faces than this, and their vertices.
    pub remove_components: u32,
    /// Remove vertices without a face, including vertices that lose their faces here.
    pub remove_isolated: bool,
    /// Do not split vertices at which only holes touch: vertices of which each fan has a boundary that the
    /// input has, too. This is for filling these holes afterwards; the result is an oriented manifold except
    /// for these vertices.
    pub keep_touching: bool,
}

impl RepairOptions {
    /// Whether faces and positions of an oriented manifold stay as they are.
    pub(crate) fn keep_manifolds(&self) -> bool {
        self.weld.is_none() && !self.remove_zero_area && self.remove_components <= 1
    }
}

/// Makes an oriented manifold of `faces`, each three of the vertices at `positions`; a mesh that is one comes
/// back as it is.
///
/// 1. Where that is asked for, vertices near each other become one, and faces of no area are dropped.
/// 2. Faces with a vertex twice are dropped; of faces with the same three vertices, all but one of the
///    orientation that more of them have, and of two pairs that fill the same flat square at an edge of more
///    than two faces, one. Two of opposite orientations are both dropped where they are a fold, which the
///    surface closes without.
/// 3. Faces are turned so that neighbours agree, as few as possible; where faces cannot be oriented, they are
///    cut along edges where neighbours disagreed.
/// 4. At edges of more than two faces, faces are paired, the flattest pairs first, so that sheets pass
///    through each other. All else is cut there: each fan of a vertex gets a vertex of its own (Guéziec,
///    Taubin, Lazarus and Horn, *Cutting and stitching: converting sets of polygons to manifold surfaces*,
///    2001). Pairs that would leave an edge of more than two faces are cut as well. Vertices at which only
///    holes touch stay where that is asked for.
/// 5. Where that is asked for, components of few faces and isolated vertices are removed.
///
/// Triangles are uploaded to `device`, and the result is read back; see [`repair_triangles`].
/// # Errors
/// [`FaceIndex`](ribbonmesh_mesh::MeshError::FaceIndex);
/// [`TooMany`](ribbonmesh_mesh::MeshError::TooMany): 400 million faces, or 2³² − 1 vertices, copies included;
/// [`OptionError`](ribbonmesh_mesh::OptionError): a distance that is negative or not finite; errors of the
/// device.
pub fn repair(
    device: &Device,
    positions: &[DVec3],
    faces: &[[u32; 3]],
    options: &RepairOptions,
) -> Result<Repaired, RepairError> {
    device.install(|| indices(positions.len(), faces))?;
    run(device, positions, faces, options, None)
}

/// As [`repair()`], of triangles whose indices are those of vertices.
pub(crate) fn run(
    device: &Device,
    positions: &[DVec3],
    faces: &[[u32; 3]],
    options: &RepairOptions,
    part: Option<&Part<'_>>,
) -> Result<Repaired, RepairError> {
    let uploaded = device.upload(faces.as_flattened())?;
    let (done, _) = repair_and_tell(&device.upload(positions)?, uploaded, options, part, false)?;
    if done.report.is_empty() {
        let (vertex_inputs, face_inputs) = (0..positions.len() as u32, 0..faces.len() as u32);
        return Ok(Repaired {
            faces: faces.to_vec(),
            vertex_inputs: vertex_inputs.collect(),
            face_inputs: face_inputs.collect(),
            report: done.report,
        });
    }
    Ok(Repaired {
        faces: done.faces.read()?.as_chunks().0.to_vec(),
        vertex_inputs: done.vertex_inputs.read()?,
        face_inputs: done.face_inputs.read()?,
        report: done.report,
    })
}

/// A repaired mesh on a device, with the members of [`Repaired`].
pub struct RepairedTriangles {
    /// Three vertices of each face.
    pub faces: Buffer<u32>,
    /// For each vertex, the vertex of the input whose position and attributes it has.
    pub vertex_inputs: Buffer<u32>,
    /// For each face, the face of the input that it was; ascending.
    pub face_inputs: Buffer<u32>,
    /// Report of the changes.
    pub report: RepairReport,
}

/// Repairs triangles in buffers, each three of the vertices at `positions`, as [`repair()`] does.
///
/// All that looks at every element runs as kernels. The host reads what the report lists, and decides about
/// elements one after the other only where more than two faces meet, where faces cannot be oriented, and at
/// vertices of several fans; it reads only these elements. A mesh that needs nothing waits three times, one
/// that needs every step about forty times.
/// # Errors
/// The errors of [`repair()`], [`Error::IndexOutOfRange`](ribbonmesh::Error::IndexOutOfRange) or
/// [`Error::Index`](ribbonmesh::Error::Index) for a vertex that is not there.
pub fn repair_triangles(
    positions: &Buffer<DVec3>,
    faces: Buffer<u32>,
    options: &RepairOptions,
) -> Result<RepairedTriangles, RepairError> {
    Ok(repair_and_tell(positions, faces, options, None, false)?.0)
}

/// As [`repair_triangles`], of all triangles or those of a part. If that is asked for, also finds the sides
/// of the boundary of the result, ascending.
pub(crate) fn repair_and_tell(
    positions: &Buffer<DVec3>,
    faces: Buffer<u32>,
    options: &RepairOptions,
    part: Option<&Part<'_>>,
    boundary: bool,
) -> Result<(RepairedTriangles, Vec<u32>), RepairError> {
    let (device, vertices) = (positions.device().clone(), positions.len());
    let mut report = RepairReport::default();
    if let Some(simple) = look(vertices, &faces, options)? {
        let vertex_inputs = array::count_up(&device, vertices as u32)?;
        let face_inputs = array::count_up(&device, faces.len() as u32 / 3)?;
        let open = if boundary { simple.open_sides()? } else { vec![] };
        return Ok((RepairedTriangles { faces, vertex_inputs, face_inputs, report }, open));
    }
    let (faces, welded) = match options.weld {
        None => (faces, None),
        Some(distance) => weld_vertices(positions, faces, distance, &mut report)?,
    };
    let Distinct { mut linked, inputs, crowded } = distinct(positions, faces, options, &mut report)?;
    let (small, meets) = (options.remove_components > 1, linked.disagrees || !crowded.is_empty());
    let orientation = if small || meets {
        let left = part.map(|part| Left::of(part, inputs.as_ref())).transpose()?;
        let mut orientation = Orientation::of(&mut linked, inputs.as_ref(), left, &mut report)?;
        if !crowded.is_empty() {
            pair_crowded(crowded, positions, &orientation, &mut linked, inputs.as_ref(), &mut report)?;
            orientation.unite(&linked)?;
        }
        Some(orientation)
    } else {
        None
    };
    let turned = orientation.as_ref().filter(|_| meets).map(Orientation::turned).transpose()?;
    let faces = linked.faces().try_clone()?;
    let mut mesh = Mesh { vertices, turned, inputs, faces, across: linked.across };
    let mut lost = vec![];
    if let Some(orientation) = orientation.filter(|_| small) {
        lost = mesh.remove_components(&orientation, options.remove_components, &mut report)?;
    }
    let copies = mesh.split(options.keep_touching, &report)?;
    mesh.turn(&mut report)?;
    let vertex_inputs = mesh.remove_vertices(options.remove_isolated, &lost, welded, &copies, &mut report)?;
    report.vertices_split = copies_of(vertex_inputs.len() - copies.len(), &copies);
    let open = if boundary { mesh.open_sides()?.read()? } else { vec![] };
    let face_inputs = match mesh.inputs {
        Some(inputs) => inputs,
        None => array::count_up(&device, mesh.faces.len() as u32 / 3)?,
    };
    Ok((RepairedTriangles { faces: mesh.faces, vertex_inputs, face_inputs, report }, open))
}

/// A quick look at triangles that may need nothing.
fn look(vertices: usize, faces: &Buffer<u32>, options: &RepairOptions) -> Result<Option<Simple>, Error> {
    if !options.keep_manifolds() {
        return Ok(None);
    }
    Ok(look_simply(vertices, faces)?.filter(|simple| simple.is_enough(options)))
}

/// Makes vertices one that are near each other.
fn weld_vertices(
    positions: &Buffer<DVec3>,
    faces: Buffer<u32>,
    distance: f64,
    report: &mut RepairReport,
) -> Result<(Buffer<u32>, Option<Welded>), RepairError> {
    let found = welded(positions, distance)?;
    let list = array::select(&found.welded)?;
    if list.is_empty() {
        return Ok((faces, None));
    }
    report.vertices_welded = pairs(&list, &found.becomes)?;
    Ok((array::gather(&found.becomes, &faces)?, Some(found)))
}
