//! A disk to the plane as one chart.
use super::disk::{Disk, Glued};
use super::distortion::{Distortion, Sums, distortion};
use super::flatten::{Descent, Flat, flattened};
use super::overlap::boundary_meets_itself;
use super::segment::twins_of;
use super::unwrap::{Frame, set_coordinates};
use glam::DVec2;
use ribbonmesh::device::NONE;
use ribbonmesh::mesh::{Class, Classified, Subject, TriangleMesh};
use ribbonmesh::{Device, Error, FlatTopology};
use ribbonmesh_application::Choice;
use serde::Serialize;

/// Quantities that a map makes least.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Energy {
    /// The symmetric Dirichlet energy: lengths are kept as well as they can be, and the boundary is free.
    #[default]
    Isometric,
    /// Sums of squared lengths of edges, with the boundary on a circle: one to one always, and far from an
    /// isometry (Tutte 1963).
    Tutte,
}

/// Options of [`parameterize`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterizeOptions {
    /// The quantity that is least in the result.
    pub energy: Energy,
    /// Steps of Newton's method at most, 1 to 10,000.
    pub steps: u32,
    /// The search ends with a step that gains less than this part of the energy above that of an isometry;
    /// 0 to 1.
    pub tolerance: f64,
}
impl Default for ParameterizeOptions {
    fn default() -> Self {
        Self { energy: Energy::default(), steps: 200, tolerance: 1e-4 }
    }
}

/// Report of [`parameterize`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ParameterizeReport {
    /// Steps of Newton's method.
    pub steps: u32,
    /// Whether they ended before the limit.
    pub converged: bool,
    /// The distortion of the map.
    #[serde(flatten)]
    pub distortion: Distortion,
    /// Triangles that are turned over: none.
    pub flipped: u64,
    /// Whether the boundary crosses itself in the plane, so that parts lie on each other.
    pub overlaps: bool,
    /// Units of texture per unit of length.
    pub scale: f64,
}

/// Why a mesh was not mapped to the plane as one chart.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParameterizeError {
    /// An error of the library.
    #[error(transparent)]
    Library(#[from] Error),
    /// A face that has a vertex twice.
    #[error("face {face} has a vertex twice: `ribbonmesh repair` removes it")]
    Degenerate {
        /// The face.
        face: usize,
    },
    /// Several parts.
    #[error("the mesh has several parts, glued along edges; face {face} is not of that of face 0")]
    Parts {
        /// A face of another part.
        face: usize,
    },
    /// No boundary.
    #[error("the mesh is closed: it has to be cut open, as `ribbonmesh unwrap` does")]
    Closed,
    /// More than one boundary loop.
    #[error("the mesh has {loops} boundary loops, a disk has one: `ribbonmesh unwrap` cuts it")]
    Loops {
        /// Their number.
        loops: usize,
    },
    /// Handles.
    #[error(
        "the mesh has handles (Euler characteristic {characteristic}, 1 for a disk): `ribbonmesh unwrap` cuts it"
    )]
    Handles {
        /// Vertices minus edges plus faces.
        characteristic: i64,
    },
    /// Triangles that double or single precision folds.
    #[error(
        "rounding folds triangles: the mesh is too large or too irregular for one chart; `ribbonmesh unwrap` makes \
         several"
    )]
    Folded,
}
impl Classified for ParameterizeError {
    fn class(&self) -> Class {
        match self {
            Self::Library(error) => error.class(),
            Self::Degenerate { face } | Self::Parts { face } => {
                Class::refused(Subject::NotManifold).face(*face)
            }
            Self::Closed | Self::Loops { .. } | Self::Handles { .. } => Class::refused(Subject::NotManifold),
            Self::Folded => Class::mesh(),
        }
    }
}

/// Maps a disk to the plane as one chart, without folding a triangle, and scales it to the unit square. The
/// result is a column `texcoord` of corners. It is the work of one block: [`unwrap`](super::unwrap()) is for
/// large meshes.
///
/// The map starts as Tutte's to a circle. Newton's method with a line search then makes the symmetric
/// Dirichlet energy least; steps end before a triangle folds (Smith and Schaefer 2015).
/// # Errors
/// [`ParameterizeError`]; [`Error::Option`] for a number out of its range.
pub fn parameterize(
    device: &Device,
    mesh: &mut TriangleMesh,
    options: &ParameterizeOptions,
) -> Result<ParameterizeReport, ParameterizeError> {
    check(options)?;
    let frame = Frame::of(mesh)?;
    let topology = FlatTopology::new(device, mesh.positions.len(), &mesh.faces)?;
    if let Some(face) = mesh.faces.iter().position(|[a, b, c]| a == b || b == c || c == a) {
        return Err(ParameterizeError::Degenerate { face });
    }
    if mesh.faces.is_empty() {
        return Err(Error::NoFaces { what: "the mesh" }.into());
    }
    let twins = twins_of(&topology)?.read()?;
    let n = mesh.faces.len();
    let (pieces, places): (Vec<u32>, Vec<u32>) = (vec![0; n], (0..n as u32).collect());
    let faces = mesh.faces.clone();
    let glued =
        Glued { positions: &frame.positions, faces: &faces, twins: &twins, pieces: &pieces, places: &places };
    let disk = Disk::new(&glued, places.clone());
    check_disk(&glued, &disk)?;
    let steps = if options.energy == Energy::Tutte { 0 } else { options.steps };
    let descent =
        Descent { steps, tolerance: options.tolerance, hopeless: f64::INFINITY, from_projection: false };
    let flats = flattened(device, &glued, vec![disk], descent)?;
    let flat = flats.first().filter(|flat| flat.energy.is_finite()).ok_or(ParameterizeError::Folded)?;
    let (placed, scale) = in_square(flat);
    if folds(flat, &placed) {
        return Err(ParameterizeError::Folded);
    }
    let report = ParameterizeReport {
        steps: flat.steps,
        converged: flat.steps < options.steps,
        distortion: distortion(&glued, &flats),
        flipped: Sums::of(&glued, flat).folded,
        overlaps: boundary_meets_itself(&flat.disk.loops[0], &flat.positions),
        scale: scale / frame.unit,
    };
    let coordinates = flat.disk.corners.as_flattened().iter().map(|&v| placed[v as usize]).collect();
    set_coordinates(mesh, coordinates)?;
    Ok(report)
}
fn check(options: &ParameterizeOptions) -> Result<(), Error> {
    let refuse = |option, value: String, expected| Err(Error::Option { option, value, expected });
    if !(1..=10_000).contains(&options.steps) {
        return refuse("steps", options.steps.to_string(), "a whole number from 1 to 10,000");
    }
    if !(0.0..=1.0).contains(&options.tolerance) {
        return refuse("tolerance", options.tolerance.to_string(), "a number from 0 to 1");
    }
    Ok(())
}
/// Refuses what is not a disk.
fn check_disk(mesh: &Glued<'_>, disk: &Disk) -> Result<(), ParameterizeError> {
    let mut seen = vec![false; disk.faces.len()];
    seen[0] = true;
    let mut stack = vec![0_u32];
    while let Some(face) = stack.pop() {
        for corner in 3 * face..3 * face + 3 {
            let twin = mesh.twins[corner as usize];
            if twin != NONE && !std::mem::replace(&mut seen[twin as usize / 3], true) {
                stack.push(twin / 3);
            }
        }
    }
    if let Some(face) = seen.iter().position(|seen| !seen) {
        return Err(ParameterizeError::Parts { face });
    }
    match disk.loops.len() {
        0 => Err(ParameterizeError::Closed),
        1 if disk.is_disk() => Ok(()),
        1 => Err(ParameterizeError::Handles { characteristic: disk.euler_characteristic() }),
        loops => Err(ParameterizeError::Loops { loops }),
    }
}
/// The positions in the unit square, and the scale.
fn in_square(flat: &Flat) -> (Vec<[f32; 2]>, f64) {
    let low = flat.positions.iter().fold(DVec2::INFINITY, |low, p| low.min(*p));
    let high = flat.positions.iter().fold(DVec2::NEG_INFINITY, |high, p| high.max(*p));
    let scale = 1.0 / (high - low).max_element();
    let add = 0.5 - 0.5 * scale * (low + high);
    let to = |p: &DVec2| (*p * scale + add).clamp(DVec2::ZERO, DVec2::ONE).as_vec2().to_array();
    (flat.positions.iter().map(to).collect(), scale)
}
/// Whether single precision folds triangles.
fn folds(flat: &Flat, placed: &[[f32; 2]]) -> bool {
    let at = |v: u32| DVec2::from(placed[v as usize].map(f64::from));
    flat.disk.corners.iter().any(|&[a, b, c]| (at(b) - at(a)).perp_dot(at(c) - at(a)) <= 0.0)
}
