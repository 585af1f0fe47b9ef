//! Stitching: boundaries that meet except for rounding become one, at cracks and T-junctions.
use crate::repair::check::{NONE, degenerate, indices};
use crate::repair::judged::Judged;
use crate::repair::linked::{numbered_among, set};
use crate::repair::mesh::repair_surface_and_tell;
use crate::repair::rim::Rim;
use crate::repair::simple::Simple;
use crate::repair::{RepairError, RepairOptions, RepairReport, Repaired, repair_mesh, repair_surface};
use ribbonmesh::{Device, MeshOptions, Surface, array};
use ribbonmesh_mesh::{OptionError, TriangleMesh};
use rustc_hash::FxHashMap;
use serde::Serialize;

/// The default distance of [`stitch_mesh`], in diagonals of the box of the faces: a hundred times the
/// rounding of coordinates in single precision.
pub const STITCH: f64 = 1e-5;
/// Most rounds; each splits an edge once.
const ROUNDS: usize = 64;

/// Report of [`stitch_mesh`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StitchReport {
    /// Vertices of the boundary that became one with others.
    pub vertices_welded: usize,
    /// Number of times that an edge of the boundary was split at a vertex on it.
    pub edges_split: usize,
}

impl StitchReport {
    /// Whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Closes cracks and T-junctions of a mesh in place: vertices at edges of one face that are at most
/// `distance` apart, in the units of the positions, become one, and such edges are split at such vertices
/// that lie on them, up to the same distance. What lies elsewhere stays. Attributes follow as those of
/// [`TriangleMesh::split_edges_at`]. The boundary is found on `device`. The result may be no oriented
/// manifold where surfaces of opposite orientation, or more than two, meet.
///
/// Linear but for hashing, in each of a few rounds: as many as the logarithm of the vertices on an edge.
/// # Errors
/// [`OptionError`]: a distance that is negative or not finite; [`MeshError`](ribbonmesh_mesh::MeshError): an
/// index out of range, too many elements, a column with a row too many or too few. The mesh is then
/// unchanged.
pub fn stitch_mesh(
    device: &Device,
    mesh: &mut TriangleMesh,
    distance: f64,
) -> Result<StitchReport, RepairError> {
    check_distance(distance)?;
    mesh.check()?;
    device.install(|| indices(mesh.positions.len(), &mesh.faces))?;
    let mut report = StitchReport::default();
    let mut rim = Rim::of_mesh(device, mesh)?;
    if rim.sides.is_empty() {
        return Ok(report);
    }
    let mut done = mesh.clone();
    let pairs = rim.pairs(distance);
    report.vertices_welded = pairs.len();
    if !pairs.is_empty() {
        merge(&mut done, &pairs)?;
        rim = Rim::of_mesh(device, &done)?;
    }
    report.edges_split = split_edges(device, &mut done, rim, distance)?;
    if !report.is_empty() {
        *mesh = done;
    }
    Ok(report)
}

/// Splits edges of the boundary of a mesh at vertices that lie on them; `rim` is its boundary. Returns their
/// number.
fn split_edges(
    device: &Device,
    mesh: &mut TriangleMesh,
    mut rim: Rim,
    distance: f64,
) -> Result<usize, RepairError> {
    let mut split = 0;
    for _ in 0..ROUNDS {
        let found = device.install(|| rim.junctions(distance));
        if found.is_empty() {
            break;
        }
        split += found.len();
        let first = mesh.positions.len() as u32;
        let edges: Vec<([u32; 2], f64)> = found.iter().map(|&(edge, part, _)| (edge, part)).collect();
        mesh.split_edges_at(&edges)?;
        merge(mesh, &(first..).zip(&found).map(|(new, &(.., on))| (new, on)).collect())?;
        rim = Rim::of_mesh(device, mesh)?;
    }
    Ok(split)
}

/// As [`stitch_mesh`], of a surface on its device with a known boundary. The mesh goes through the host if
/// edges are split. Also returns a quick look at the result, if there was one. After an error, the surface is
/// of no use.
fn stitch_surface(
    surface: &mut Surface,
    open: &[u32],
    distance: f64,
) -> Result<(StitchReport, Option<Simple>), RepairError> {
    check_distance(distance)?;
    let mut report = StitchReport::default();
    let (mut rim, mut simple) = (Rim::of_sides(open, surface)?, None);
    let pairs = rim.pairs(distance);
    report.vertices_welded = pairs.len();
    if !pairs.is_empty() {
        merge_surface(surface, &pairs)?;
        (rim, simple) = Rim::of_surface(surface)?;
    }
    let device = surface.device().clone();
    if !device.install(|| rim.junctions(distance)).is_empty() {
        let mut mesh = surface.download()?;
        report.edges_split = split_edges(&device, &mut mesh, rim, distance)?;
        *surface = Surface::new(&device, &mesh, &MeshOptions::default())?;
        simple = None;
    }
    Ok((report, simple))
}

fn check_distance(distance: f64) -> Result<(), OptionError> {
    if distance >= 0.0 && distance.is_finite() {
        return Ok(());
    }
    Err(OptionError::value("stitch", distance, "a finite number, 0 or above"))
}

/// Repairs a mesh as [`repair_mesh`]. If a distance is given, also closes cracks and T-junctions as
/// [`stitch_mesh`], and repairs the joined surfaces. Returns the reports of the two repairs and of the
/// stitching. The second report has the numbers of the stitched mesh; it is `None` if nothing was stitched.
/// # Errors
/// The errors of these two functions.
pub fn repair_and_stitch(
    device: &Device,
    mesh: &mut TriangleMesh,
    options: &RepairOptions,
    distance: Option<f64>,
) -> Result<(Repaired, StitchReport, Option<RepairReport>), RepairError> {
    let first = before_stitching(options);
    let Some(distance) = distance else {
        return Ok((repair_mesh(device, mesh, options)?, StitchReport::default(), None));
    };
    let mut done = mesh.clone();
    let repaired = repair_mesh(device, &mut done, &first)?;
    let stitched = stitch_mesh(device, &mut done, distance)?;
    if stitched.is_empty() {
        if *options != first {
            return Ok((repair_mesh(device, mesh, options)?, stitched, None));
        }
        *mesh = done;
        return Ok((repaired, stitched, None));
    }
    let again = repair_mesh(device, &mut done, &RepairOptions { weld: None, ..*options })?;
    *mesh = done;
    Ok((repaired, stitched, Some(again.report)))
}

/// Repairs a surface on its device as [`repair_and_stitch`] does. Reads the boundary; the mesh goes through
/// the host if edges are split.
/// # Errors
/// As [`repair_and_stitch`]. The surface is then unchanged.
pub fn repair_and_stitch_surface(
    surface: &mut Surface,
    options: &RepairOptions,
    distance: Option<f64>,
) -> Result<(RepairReport, StitchReport, Option<RepairReport>), RepairError> {
    let Some(distance) = distance else {
        return Ok((repair_surface(surface, options)?, StitchReport::default(), None));
    };
    let mut done = surface.try_clone()?;
    let first = before_stitching(options);
    let (repaired, open) = repair_surface_and_tell(&mut done, &first, true)?;
    let (stitched, simple) = stitch_surface(&mut done, &open, distance)?;
    if stitched.is_empty() {
        if *options != first {
            return Ok((repair_surface(surface, options)?, stitched, None));
        }
        *surface = done;
        return Ok((repaired, stitched, None));
    }
    let options = RepairOptions { weld: None, ..*options };
    let again = match simple {
        Some(simple) if simple.is_enough(&options) => RepairReport::default(),
        _ => repair_surface(&mut done, &options)?,
    };
    *surface = done;
    Ok((repaired, stitched, Some(again)))
}

/// The options of a repair before stitching, which may join a small component to a larger one.
fn before_stitching(options: &RepairOptions) -> RepairOptions {
    RepairOptions { remove_components: 0, keep_touching: true, ..*options }
}

/// Makes vertices one with others, and drops faces that lose a side.
fn merge(mesh: &mut TriangleMesh, becomes: &FxHashMap<u32, u32>) -> Result<(), RepairError> {
    let to = |v: u32| becomes.get(&v).copied().unwrap_or(v);
    for edge in &mut mesh.edges {
        let [a, b] = edge.map(to);
        if a != b {
            *edge = [a, b];
        }
    }
    let vertices: Vec<u32> = (0..mesh.positions.len() as u32).filter(|v| !becomes.contains_key(v)).collect();
    let mut places = vec![NONE; mesh.positions.len()];
    (0..).zip(&vertices).for_each(|(place, &v)| places[v as usize] = place);
    let whole =
        (0..).zip(&mesh.faces).map(|(f, face)| (f, face.map(to))).filter(|(_, face)| !degenerate(*face));
    let faces: Vec<(u32, [u32; 3])> = whole.map(|(f, face)| (f, face.map(|v| places[v as usize]))).collect();
    mesh.rebuild(&vertices, &faces)?;
    Ok(())
}

/// The same of a surface on its device.
fn merge_surface(surface: &mut Surface, becomes: &FxHashMap<u32, u32>) -> Result<(), RepairError> {
    let device = surface.device().clone();
    let n = surface.triangles().positions().len();
    let (from, to): (Vec<u32>, Vec<u32>) = becomes.iter().unzip();
    let mut all = array::count_up(&device, n as u32)?;
    set(&mut all, &from, &to)?;
    let faces = array::gather(&all, surface.triangles().faces())?;
    let count = faces.len() as u32 / 3;
    let Judged { faces, dropped } = Judged::of(n, faces, None)?;
    let list = match dropped {
        Some(dropped) => dropped.stay,
        None => array::count_up(&device, count)?,
    };
    let mut stays = device.unspecified::<u32>(n)?;
    array::fill(&mut stays, 1)?;
    set(&mut stays, &from, &vec![0; from.len()])?;
    let vertices = array::select(&stays)?;
    let faces = numbered_among(&vertices, n, &faces)?;
    surface.rebuild(&vertices, (&list, faces), &[], |v| becomes.get(&v).copied().unwrap_or(v))?;
    Ok(())
}
