//! Stitching: boundaries that meet except for rounding become one, at cracks and T-junctions.
use crate::repair::check::{NONE, degenerate, indices};
use crate::repair::kernels::note;
use crate::repair::linked::{Judged, Linked, Side};
use crate::repair::weld::weld;
use crate::repair::{RepairError, RepairOptions, RepairReport, Repaired, repair_mesh};
use glam::{DVec3, I64Vec3};
use ribbonmesh::Device;
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
    if !(distance >= 0.0 && distance.is_finite()) {
        return Err(OptionError::value("stitch", distance, "a finite number, 0 or above").into());
    }
    mesh.check()?;
    device.install(|| indices(mesh.positions.len(), &mesh.faces))?;
    let mut report = StitchReport::default();
    let mut sides = open_sides(device, mesh)?;
    if sides.is_empty() {
        return Ok(report);
    }
    let mut done = mesh.clone();
    for round in 0..ROUNDS {
        if round > 0 {
            sides = open_sides(device, &done)?;
        }
        let mut rim: Vec<u32> = sides.iter().flatten().copied().collect();
        rim.sort_unstable();
        rim.dedup();
        rim.retain(|&v| done.positions[v as usize].is_finite());
        if round == 0 {
            let places: Vec<DVec3> = rim.iter().map(|&v| done.positions[v as usize]).collect();
            let becomes = weld(&places, distance);
            let pairs: FxHashMap<u32, u32> = (rim.iter().zip(&becomes))
                .map(|(&v, &to)| (v, rim[to as usize]))
                .filter(|(v, to)| v != to)
                .collect();
            report.vertices_welded = pairs.len();
            if !pairs.is_empty() {
                merge(&mut done, &pairs)?;
                continue;
            }
        }
        let found = junctions(&done, &sides, &rim, distance);
        if found.is_empty() {
            break;
        }
        report.edges_split += found.len();
        let first = done.positions.len() as u32;
        let edges: Vec<([u32; 2], f64)> = found.iter().map(|&(edge, part, _)| (edge, part)).collect();
        done.split_edges_at(&edges)?;
        merge(&mut done, &(first..).zip(&found).map(|(new, &(.., on))| (new, on)).collect())?;
    }
    if !report.is_empty() {
        *mesh = done;
    }
    Ok(report)
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
    // stitching may join a small component to a larger one
    let first = RepairOptions { remove_components: 0, keep_touching: true, ..*options };
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

/// The two vertices of each side whose edge has no other face, in the order of edges.
fn open_sides(device: &Device, mesh: &TriangleMesh) -> Result<Vec<[u32; 2]>, RepairError> {
    let vertices = mesh.positions.len();
    let faces = Judged::of(vertices, device.upload(mesh.faces.as_flattened())?, None)?.faces;
    let mut open = Linked::of(vertices, faces, note::OPEN)?.noted(None)?;
    open.sort_unstable_by_key(Side::edge);
    Ok(open.into_iter().map(|side| side.ends).collect())
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

/// A side of the boundary, the position of a vertex on it as a part of it, and that vertex.
type Junction = ([u32; 2], f64, u32);

/// Finds for each open side the vertex of `rim` on it that is nearest to its middle, and farther than
/// `distance` from its ends.
fn junctions(mesh: &TriangleMesh, sides: &[[u32; 2]], rim: &[u32], distance: f64) -> Vec<Junction> {
    let at = |v: u32| mesh.positions[v as usize];
    let length = |[a, b]: [u32; 2]| at(a).distance(at(b));
    let mean = sides.iter().map(|&side| length(side)).sum::<f64>() / sides.len().max(1) as f64;
    let size = mean.max(4.0 * distance);
    if !(size > 0.0 && size.is_finite()) {
        return vec![];
    }
    let cell = |p: DVec3| (p / size).floor().as_i64vec3();
    let mut cells: FxHashMap<I64Vec3, Vec<u32>> = FxHashMap::default();
    rim.iter().for_each(|&v| cells.entry(cell(at(v))).or_default().push(v));
    let on = |[a, b]: [u32; 2]| {
        let (from, way) = (at(a), at(b) - at(a));
        let long = way.length();
        if long.is_nan() || long <= 2.0 * distance {
            return None;
        }
        let mut best: Option<(f64, f64, u32)> = None;
        let mut look = |v: u32| {
            let to = at(v) - from;
            let part = to.dot(way) / (long * long);
            let off = to.distance(part * way);
            let within = |end: u32| at(v).distance(at(end)) <= distance;
            if v == a || v == b || !(0.0..=1.0).contains(&part) || off > distance || within(a) || within(b) {
                return;
            }
            let new = ((part - 0.5).abs(), part, v);
            if best.is_none_or(|best| (new.0, new.2) < (best.0, best.2)) {
                best = Some(new);
            }
        };
        // cells around points that are half a cell apart
        let steps = (2.0 * long / size).ceil().max(1.0) as u64;
        let mut last = None;
        for step in 0..=steps {
            let middle = cell(from + way * (step as f64 / steps as f64));
            if last.replace(middle) == Some(middle) {
                continue;
            }
            for i in 0..27 {
                let way = I64Vec3::new(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
                cells.get(&middle.saturating_add(way)).into_iter().flatten().for_each(|&v| look(v));
            }
        }
        best.map(|(_, part, v)| ([a, b], part, v))
    };
    // a face's own third corner is not a vertex of another surface
    let apexes = apexes(mesh, sides);
    let found = sides.iter().zip(apexes).filter_map(|(&side, apex)| on(side).filter(|(.., v)| *v != apex));
    found.collect()
}

/// The third corner of the face of each open side.
fn apexes(mesh: &TriangleMesh, sides: &[[u32; 2]]) -> Vec<u32> {
    let wanted: FxHashMap<[u32; 2], usize> = sides.iter().copied().zip(0..).collect();
    let mut apexes = vec![NONE; sides.len()];
    for &[a, b, c] in &mesh.faces {
        for (side, apex) in [([a, b], c), ([b, c], a), ([c, a], b)] {
            if let Some(&place) = wanted.get(&side) {
                apexes[place] = apex;
            }
        }
    }
    apexes
}
