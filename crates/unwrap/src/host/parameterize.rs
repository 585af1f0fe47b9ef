//! A disk to the plane as one chart.
use super::boundary_first;
use super::conformal::{least_squares, spectral};
use super::cut::{Cut, cut_graph};
use super::disk::{Disk, Glued};
use super::distortion::{Distortion, Sums, distortion};
use super::flatten::{Descent, Flat, Start, flattened};
use super::newton::{self, Descended};
use super::overlap::boundary_meets_itself;
use super::segment::twins_of;
use super::unwrap::{Frame, set_coordinates};
use glam::DVec2;
use ribbonmesh::device::NONE;
use ribbonmesh::mesh::{Class, Classified, Subject, TriangleMesh};
use ribbonmesh::{Device, Error, FlatTopology};
use ribbonmesh_application::Choice;
use serde::Serialize;

/// Maps of a disk to the plane.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// The symmetric Dirichlet energy is least: lengths are kept as well as they can be, nothing is turned
    /// over, and the boundary is free.
    #[default]
    Isometric,
    /// Each vertex in the middle of its neighbours, with the boundary on a circle: one to one always, and far
    /// from an isometry (Tutte 1963).
    Tutte,
    /// Angles are kept by least squares, between two vertices of the boundary that stay (Lévy and others
    /// 2002).
    Lscm,
    /// Angles are kept by least squares, with all of the boundary instead of two vertices: an eigenvector
    /// (Mullen and others 2008).
    Spectral,
    /// Boundary-first flattening: angles are kept, and along the boundary lengths (Sawhney and Crane 2017).
    Bff,
    /// Boundary-first flattening to a circle.
    BffDisk,
}
impl Method {
    /// Whether triangles may be turned over, which the report counts; other methods refuse such a mesh.
    fn may_fold(self) -> bool {
        !matches!(self, Self::Isometric | Self::Tutte)
    }
}

/// Options of [`parameterize`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterizeOptions {
    /// The map.
    pub method: Method,
    /// Steps of Newton's method at most, 1 to 10,000; of [`Method::Isometric`] alone, as the next one.
    pub steps: u32,
    /// The search ends with a step that gains less than this part of the energy above that of an isometry;
    /// 0 to 1.
    pub tolerance: f64,
    /// Cut a surface that is not a disk along short loops, so that it becomes one: closed, with handles, with
    /// several boundary loops. Default: false, which refuses it.
    pub cut: bool,
}
impl Default for ParameterizeOptions {
    fn default() -> Self {
        Self { method: Method::default(), steps: 200, tolerance: 1e-4, cut: false }
    }
}

/// Report of [`parameterize`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ParameterizeReport {
    /// Steps of Newton's method; systems solved for the eigenvector of [`Method::Spectral`].
    pub steps: u32,
    /// Whether they ended before their limit.
    pub converged: bool,
    /// The distortion of the map.
    #[serde(flatten)]
    pub distortion: Distortion,
    /// Triangles that are turned over on the texture, or have no area there: none of [`Method::Isometric`]
    /// and [`Method::Tutte`], which refuse such a mesh.
    pub flipped: u64,
    /// Those of them that the map turns over, or leaves without area, in double precision. The others are too
    /// small for the single precision of texture coordinates.
    pub turned_over: u64,
    /// Whether the boundary crosses itself in the plane, so that parts lie on each other.
    pub overlaps: bool,
    /// Units of texture per unit of length.
    pub scale: f64,
    /// Edges along which the surface was cut; 0 for a disk.
    pub cut_edges: usize,
    /// Their length.
    pub cut_length: f64,
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
    #[error("the mesh is closed: --cut cuts it open, and `ribbonmesh unwrap` makes several charts")]
    Closed,
    /// More than one boundary loop.
    #[error(
        "the mesh has {loops} boundary loops, a disk has one: --cut joins them, and `ribbonmesh unwrap` makes several \
         charts"
    )]
    Loops {
        /// Their number.
        loops: usize,
    },
    /// Handles.
    #[error(
        "the mesh has handles (Euler characteristic {characteristic}, 1 for a disk): --cut opens them, and \
         `ribbonmesh unwrap` makes several charts"
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
    /// A matrix that rounding makes singular.
    #[error(
        "the mesh is too irregular for this method in double precision; `--method isometric` does not need a \
         factor"
    )]
    Singular,
}
impl Classified for ParameterizeError {
    fn class(&self) -> Class {
        match self {
            Self::Library(error) => error.class(),
            Self::Degenerate { face } | Self::Parts { face } => {
                Class::refused(Subject::NotManifold).face(*face)
            }
            Self::Closed | Self::Loops { .. } | Self::Handles { .. } => Class::refused(Subject::NotManifold),
            Self::Folded | Self::Singular => Class::mesh(),
        }
    }
}

/// Maps a disk to the plane as one chart, or a surface that is cut to one, and scales it to the unit square.
/// The result is a column `texcoord` of corners.
///
/// [`Method::Isometric`] starts as Tutte's map to a circle. Newton's method with a line search then makes the
/// symmetric Dirichlet energy least; steps end before a triangle folds (Smith and Schaefer 2015). All methods
/// are the work of the host, and of one core where they factor: sparse matrices in double precision, of twice
/// as many unknowns as vertices for [`Method::Isometric`], [`Method::Lscm`] and [`Method::Spectral`], of as
/// many for the others. Where there is no factorization of the first, by rounding or for want of memory, one
/// block of a kernel minimises the energy by conjugate gradients. Conformal maps may turn triangles over,
/// which the report counts.
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
    let (positions, pieces, places) = (&*frame.positions, &*pieces, &*places);
    let glue = |twins| Glued { positions, faces: &faces, twins, pieces, places };
    let whole = glue(&twins);
    check_connected(&whole, n)?;
    let mut disk = Disk::new(&whole, places.to_vec());
    let cut = if options.cut { cut_graph(&whole, &disk) } else { Cut::default() };
    let opened = cut.opened(&twins);
    let glued = glue(&opened);
    if !cut.sides.is_empty() {
        disk = Disk::new(&glued, places.to_vec());
    }
    check_disk(&disk)?;
    let (flat, converged) = mapped(device, &glued, disk, options)?;
    let (placed, scale) = in_square(&flat);
    let flipped = folds(&flat, &placed);
    if flipped > 0 && !options.method.may_fold() {
        return Err(ParameterizeError::Folded);
    }
    let flats = [flat];
    let [flat] = &flats;
    let report = ParameterizeReport {
        steps: flat.steps,
        converged,
        distortion: distortion(&glued, &flats),
        flipped,
        turned_over: Sums::of(&glued, flat).folded.min(flipped),
        overlaps: boundary_meets_itself(&flat.disk.loops[0], &flat.positions),
        scale: scale / frame.unit,
        cut_edges: cut.sides.len(),
        cut_length: cut.length * frame.unit,
    };
    let coordinates = flat.disk.corners.as_flattened().iter().map(|&v| placed[v as usize]).collect();
    set_coordinates(mesh, coordinates)?;
    Ok(report)
}
/// The map that does not fold, and whether its steps ended before the limit.
fn descended(
    device: &Device,
    mesh: &Glued<'_>,
    disk: Disk,
    options: &ParameterizeOptions,
) -> Result<(Flat, bool), ParameterizeError> {
    let steps = if options.method == Method::Tutte { 0 } else { options.steps };
    let descent =
        Descent { steps, tolerance: options.tolerance, hopeless: f64::INFINITY, start: Start::Circle };
    let flat = match newton::descended(device, mesh, &disk, descent) {
        Some(Descended { positions, energy, steps }) => Some(Flat { disk, positions, energy, steps }),
        None => flattened(device, mesh, vec![disk], descent)?.pop(),
    };
    let flat = flat.filter(|flat| flat.energy.is_finite()).ok_or(ParameterizeError::Folded)?;
    let converged = flat.steps < options.steps;
    Ok((flat, converged))
}
/// The map of a method, and whether its steps ended before the limit. A conformal map gets the area of the
/// surface.
fn mapped(
    device: &Device,
    mesh: &Glued<'_>,
    disk: Disk,
    options: &ParameterizeOptions,
) -> Result<(Flat, bool), ParameterizeError> {
    let (positions, steps, converged) = match options.method {
        Method::Isometric | Method::Tutte => return descended(device, mesh, disk, options),
        Method::Lscm => (least_squares(mesh, &disk)?, 0, true),
        Method::Spectral => {
            let (positions, found) = spectral(mesh, &disk)?;
            (positions, found.steps, found.converged)
        }
        Method::Bff => (boundary_first::free(mesh, &disk)?, 0, true),
        Method::BffDisk => (boundary_first::circle(mesh, &disk)?, 0, true),
    };
    if !positions.iter().all(|p| p.is_finite()) {
        return Err(ParameterizeError::Singular);
    }
    let mut flat = Flat { disk, positions, energy: f64::INFINITY, steps };
    let factor = Sums::of(mesh, &flat).factor();
    flat.positions.iter_mut().for_each(|p| *p *= factor);
    Ok((flat, converged))
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
/// Refuses several parts.
fn check_connected(mesh: &Glued<'_>, faces: usize) -> Result<(), ParameterizeError> {
    let mut seen = vec![false; faces];
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
    Ok(())
}
/// Refuses what is not a disk.
fn check_disk(disk: &Disk) -> Result<(), ParameterizeError> {
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
/// Triangles that do not turn left in single precision.
fn folds(flat: &Flat, placed: &[[f32; 2]]) -> u64 {
    let at = |v: u32| DVec2::from(placed[v as usize].map(f64::from));
    let turns_left = |&[a, b, c]: &[u32; 3]| (at(b) - at(a)).perp_dot(at(c) - at(a)) > 0.0;
    flat.disk.corners.iter().filter(|face| !turns_left(face)).count() as u64
}
