//! Repair of a mesh with its attributes.
use crate::repair::run::repair_and_tell;
use crate::repair::{RepairOptions, RepairReport, Repaired, repair};
use ribbonmesh::{Device, Error, Surface};
use ribbonmesh_mesh::{Class, Classified, MeshError, OptionError, TriangleMesh};

/// Error of a mesh that was not repaired.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RepairError {
    /// It contradicts itself, or has too many elements.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The machine has failed.
    #[error(transparent)]
    Library(Error),
    /// An option is refused.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A list of values is shorter than the input.
    #[error("{what}: {found} where there must be at least {expected}")]
    Length {
        /// The values, as the message names them.
        what: &'static str,
        /// The length that is needed.
        expected: usize,
        /// The length that is given.
        found: usize,
    },
}

impl From<Error> for RepairError {
    fn from(error: Error) -> Self {
        match error {
            Error::Mesh(error) => Self::Mesh(error),
            error => Self::Library(error),
        }
    }
}

impl Classified for RepairError {
    fn class(&self) -> Class {
        match self {
            Self::Mesh(error) => error.class(),
            Self::Library(error) => error.class(),
            Self::Option(error) => error.class(),
            Self::Length { .. } => Class::data(),
        }
    }
}

/// Repairs a mesh in place, as [`repair`] does, with its attributes. New vertices have the position and the
/// attributes of their input. Faces are dropped with their rows, and the corners of a face that is turned
/// exchange their rows. Rows of edges stay with the first copies of their vertices. The attributes of a
/// vertex that is welded to another one are dropped.
///
/// # Errors
/// The errors of [`repair`]; [`MeshError`] if a column has too many or too few rows. The mesh is then
/// unchanged.
pub fn repair_mesh(
    device: &Device,
    mesh: &mut TriangleMesh,
    options: &RepairOptions,
) -> Result<Repaired, RepairError> {
    mesh.check()?;
    let done = repair(device, &mesh.positions, &mesh.faces, options)?;
    if done.report.is_empty() {
        return Ok(done);
    }
    let becomes = |v: u32| welded_to(&done.report, v);
    for edge in &mut mesh.edges {
        // an edge whose ends became one vertex still has a vertex that is dropped, so it is dropped, too
        let [a, b] = edge.map(becomes);
        if a != b {
            *edge = [a, b];
        }
    }
    let faces: Vec<(u32, [u32; 3])> =
        done.face_inputs.iter().copied().zip(done.faces.iter().copied()).collect();
    mesh.rebuild(&done.vertex_inputs, &faces)?;
    // rows of corners are in the order of the input's corners until here
    let turned = &done.report.faces_turned;
    for (face, input) in (0..).zip(&done.face_inputs) {
        if turned.binary_search(input).is_ok() {
            mesh.turn_rows(face);
        }
    }
    Ok(done)
}

/// Repairs a surface on its device, as [`repair_mesh`] does; positions and attributes do not go through the
/// host. Ids become the places of the output ([`Surface::put_in_order`]).
///
/// # Errors
/// The errors of [`repair`]; the mesh is then unchanged.
pub fn repair_surface(surface: &mut Surface, options: &RepairOptions) -> Result<RepairReport, RepairError> {
    Ok(repair_surface_and_tell(surface, options, false)?.0)
}

/// As [`repair_surface`]. If that is asked for, also finds the sides of the boundary of the result,
/// ascending.
pub(crate) fn repair_surface_and_tell(
    surface: &mut Surface,
    options: &RepairOptions,
    boundary: bool,
) -> Result<(RepairReport, Vec<u32>), RepairError> {
    surface.put_in_order()?;
    let faces = surface.triangles().faces().try_clone()?;
    let (done, open) = repair_and_tell(&surface.exact_positions()?, faces, options, None, boundary)?;
    let report = done.report;
    if !report.is_empty() {
        let faces = (&done.face_inputs, done.faces);
        surface.rebuild(&done.vertex_inputs, faces, &report.faces_turned, |v| welded_to(&report, v))?;
    }
    Ok((report, open))
}

/// The vertex as which a vertex goes on.
fn welded_to(report: &RepairReport, v: u32) -> u32 {
    let welded = &report.vertices_welded;
    welded.binary_search_by_key(&v, |pair| pair[0]).map_or(v, |at| welded[at][1])
}
