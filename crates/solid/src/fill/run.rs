//! Search for holes, and their filling.
use crate::fill::border::outer;
use crate::fill::grow::Grown;
use crate::fill::loops::loops;
use crate::fill::on_device::fill_on_device;
use crate::fill::search::{Search, describe, fill_part, rims};
use crate::fill::surroundings::{OnHost, Surroundings, Whole};
use crate::fill::{FillError, FillOptions, FillReport, Hole};
use crate::repair::{Looked, look_for_holes};
use ribbonmesh::{Buffer, Device, Surface};
use ribbonmesh_mesh::{MeshError, TriangleMesh};

/// Most faces of a mesh, as on devices.
const FACES: u64 = 400_000_000;

/// Refuses more faces than a device can have.
pub(crate) fn limit_faces(faces: usize) -> Result<(), MeshError> {
    MeshError::at_most("faces", faces, FACES)
}

/// The holes of a mesh: its boundary loops, in the order of their first vertices. The border of a surface
/// that is not closed is in the list, too. Linear but for sorting; `device` looks for the boundary and for
/// components, and the host reads what is around the boundary.
/// # Errors
/// [`FillError::NotManifold`] unless the mesh is an oriented manifold, except that boundary loops may touch
/// at vertices; [`MeshError::FaceIndex`]; [`MeshError::TooMany`]; [`MeshError::NotFinite`] for a vertex of a
/// loop; errors of the device.
pub fn holes(device: &Device, mesh: &TriangleMesh) -> Result<Vec<Hole>, FillError> {
    mesh.check()?;
    let mut whole = OnHost { device, mesh };
    let looked = look(&whole)?;
    let part = Surroundings::of(&mut whole, looked)?;
    let found = loops(&part)?;
    Ok(describe(&part, &found))
}

/// Looks for the boundary of a mesh.
fn look(whole: &impl Whole) -> Result<Looked, FillError> {
    Ok(look_for_holes(whole.vertices(), whole.faces()?)?)
}

/// Fills holes of a mesh in place. Old vertices and faces keep their numbers, positions and attributes; new
/// ones come last.
///
/// A hole of few edges ([`FillOptions::exact_up_to`]) gets the triangulation of least weight: the sharpest
/// edge, then the area (Barequet and Sharir 1995, Liepa 2003). A larger one is filled by cutting ears, and
/// edges are then flipped. No new edge connects two vertices that have an edge already; where each
/// triangulation would do so, a vertex is added in the middle.
/// [`Method::Smooth`](crate::fill::Method::Smooth) then refines and fairs the new faces.
///
/// The outer border of an open surface, such as a terrain, is left unless [`FillOptions::borders`] asks for
/// it: a loop inside of which the surface lies, with at most twice its area. A smooth filling that does not
/// converge, or bulges out by more than about the hole's radius, becomes flat
/// ([`Filling::flat_because`](crate::fill::Filling::flat_because)).
///
/// Two rims that face each other, as where a ring of a tube is missing, are joined by a strip of faces
/// ([`FillOptions::rings`]). With [`FillOptions::join`], all holes whose boundaries lie near each other are
/// paired first (Chentanez and others 2016). [`HoleReport::joined`](crate::fill::HoleReport::joined) says
/// which.
///
/// A result in which all holes are filled is a closed oriented manifold. New faces may intersect the surface
/// and each other.
///
/// Kernels on `device` look for the boundary, for components and for outer borders. Flat fillings of holes of
/// at most 128 edges are kernels, too, if no hole to be filled is longer, touches itself, or touches another
/// one at several vertices, none is joined or needs a vertex in the middle, and faces have no attributes.
/// Otherwise the host fills the holes, and reads only what is around them. Holes without a common vertex are
/// filled in parallel.
/// # Errors
/// The errors of [`holes`]; [`FillError::Option`]; [`MeshError`] if a column has too many or too few rows.
/// The mesh is then unchanged.
pub fn fill_holes(
    device: &Device,
    mesh: &mut TriangleMesh,
    options: &FillOptions,
) -> Result<FillReport, FillError> {
    options.check()?;
    mesh.check()?;
    let (report, new) = fill_all(&mut OnHost { device, mesh }, options)?;
    match new {
        New::Nothing => {}
        New::Faces(faces) => mesh.faces.extend(faces.read()?.as_chunks::<3>().0),
        New::Rest(grown) => mesh.append_rest(&grown.rest())?,
    }
    Ok(report)
}

/// Fills holes as [`fill_holes`], of a surface on its device. Attributes follow in the same way; positions,
/// faces and attributes stay on the device, except for those around holes. Ids become the places of the
/// output ([`Surface::put_in_order`]).
/// # Errors
/// As [`fill_holes`]; the mesh is then unchanged.
pub fn fill_surface(surface: &mut Surface, options: &FillOptions) -> Result<FillReport, FillError> {
    options.check()?;
    surface.put_in_order()?;
    let (report, new) = fill_all(surface, options)?;
    match new {
        New::Nothing => {}
        New::Faces(faces) => surface.append_faces(&faces)?,
        New::Rest(grown) => surface.append_rest(&grown.rest())?,
    }
    Ok(report)
}

/// New elements of a mesh whose holes were filled.
enum New {
    Nothing,
    /// Three vertices of each new face, on the device.
    Faces(Buffer<u32>),
    Rest(Box<Grown>),
}

/// Fills all holes of a mesh, of which it changes nothing: on the device, or else on the host.
fn fill_all(whole: &mut impl Whole, options: &FillOptions) -> Result<(FillReport, New), FillError> {
    let looked = look(whole)?;
    if let Some((report, faces)) = fill_on_device(whole, &looked, options)? {
        return Ok((report, New::Faces(faces)));
    }
    let (report, grown) = fill(whole, looked, options, |_| true, |_| false)?;
    Ok((report, grown.map_or(New::Nothing, |grown| New::Rest(grown.into()))))
}

/// Fills the holes of a mesh that a function chooses, otherwise as [`fill_holes`]. The function gets the
/// vertices of a hole in the direction of the faces that would fill it. Where holes touch, the vertices there
/// are those of the input.
/// # Errors
/// As [`fill_holes`].
pub fn fill_holes_where(
    device: &Device,
    mesh: &mut TriangleMesh,
    options: &FillOptions,
    chosen: impl Fn(&[u32]) -> bool,
) -> Result<FillReport, FillError> {
    fill_holes_without(device, mesh, options, chosen, |_| false)
}

/// Fills holes as [`fill_holes_where`], and avoids edges across holes that a function refuses, as far as
/// other edges allow it. The function gets the two vertices of an edge, the lesser first. Where touching
/// holes make copies of vertices, the edge has the numbers of the copies; these follow the vertices of the
/// mesh, and are always the same.
/// # Errors
/// As [`fill_holes`].
pub fn fill_holes_without(
    device: &Device,
    mesh: &mut TriangleMesh,
    options: &FillOptions,
    chosen: impl Fn(&[u32]) -> bool,
    refused: impl Fn([u32; 2]) -> bool + Sync,
) -> Result<FillReport, FillError> {
    options.check()?;
    mesh.check()?;
    let mut whole = OnHost { device, mesh };
    let looked = look(&whole)?;
    let (report, grown) = fill(&mut whole, looked, options, chosen, refused)?;
    if let Some(grown) = grown {
        mesh.append_rest(&grown.rest())?;
    }
    Ok(report)
}

/// Fills holes of a mesh, of which it changes nothing. Returns the new elements, if there are any.
fn fill(
    whole: &mut impl Whole,
    looked: Looked,
    options: &FillOptions,
    chosen: impl Fn(&[u32]) -> bool,
    refused: impl Fn([u32; 2]) -> bool + Sync,
) -> Result<(FillReport, Option<Grown>), FillError> {
    let part = Surroundings::of(whole, looked)?;
    let found = loops(&part)?;
    let holes = describe(&part, &found);
    let needed = !options.borders || (options.rings && options.join.is_none());
    let of_all = || rims(&part, &found, &holes);
    let rims = if needed { whole.device().install(of_all) } else { vec![] };
    let outer = if options.borders { vec![] } else { outer(whole, part.on_device.as_ref(), &rims, &holes)? };
    let search = Search { part, found, holes, rims, outer };
    fill_part(search, whole.device(), options, chosen, refused)
}
