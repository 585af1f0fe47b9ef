//! Stitching: boundaries that meet except for rounding become one, at cracks and T-junctions.
use crate::repair::check::{NONE, degenerate, indices};
use crate::repair::kernels::note;
use crate::repair::linked::{Judged, Linked, Side};
use crate::repair::weld::weld;
use crate::repair::{RepairError, RepairOptions, RepairReport, Repaired, repair_mesh, repair_surface};
use glam::{DVec3, I64Vec3};
use ribbonmesh::{Buffer, Device, MeshOptions, Surface, array};
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
    let mut rim = Rim::of_mesh(device, mesh)?;
    if rim.sides.is_empty() {
        return Ok(report);
    }
    let mut done = mesh.clone();
    for round in 0..ROUNDS {
        if round > 0 {
            rim = Rim::of_mesh(device, &done)?;
        } else {
            let pairs = rim.pairs(distance);
            report.vertices_welded = pairs.len();
            if !pairs.is_empty() {
                merge(&mut done, &pairs)?;
                continue;
            }
        }
        let found = rim.junctions(distance);
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
/// the host if something is stitched.
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
    let repaired = repair_surface(&mut done, &first)?;
    let mut stitched = StitchReport::default();
    let rim = Rim::of_surface(&done)?;
    if !(rim.pairs(distance).is_empty() && rim.junctions(distance).is_empty()) {
        let mut mesh = done.download()?;
        stitched = stitch_mesh(done.device(), &mut mesh, distance)?;
        done = Surface::new(done.device(), &mesh, &MeshOptions::default())?;
    }
    if stitched.is_empty() {
        if *options != first {
            return Ok((repair_surface(surface, options)?, stitched, None));
        }
        *surface = done;
        return Ok((repaired, stitched, None));
    }
    let again = repair_surface(&mut done, &RepairOptions { weld: None, ..*options })?;
    *surface = done;
    Ok((repaired, stitched, Some(again)))
}

/// The options of a repair before stitching, which may join a small component to a larger one.
fn before_stitching(options: &RepairOptions) -> RepairOptions {
    RepairOptions { remove_components: 0, keep_touching: true, ..*options }
}

/// The boundary of a mesh: the sides whose edges have no other face, in the order of edges, and their
/// vertices, ascending, with their positions.
struct Rim {
    sides: Vec<Side>,
    vertices: Vec<u32>,
    places: Vec<DVec3>,
}

impl Rim {
    fn of_mesh(device: &Device, mesh: &TriangleMesh) -> Result<Self, RepairError> {
        let faces = device.upload(mesh.faces.as_flattened())?;
        let places = |list: &[u32]| Ok(list.iter().map(|&v| mesh.positions[v as usize]).collect());
        Self::new(mesh.positions.len(), faces, places)
    }
    fn of_surface(surface: &Surface) -> Result<Self, RepairError> {
        let (device, triangles) = (surface.device(), surface.triangles());
        let places = |list: &[u32]| array::gather(&surface.exact_positions()?, &device.upload(list)?)?.read();
        Self::new(triangles.positions().len(), triangles.faces().try_clone()?, places)
    }
    fn new(
        vertices: usize,
        faces: Buffer<u32>,
        places: impl FnOnce(&[u32]) -> ribbonmesh::Result<Vec<DVec3>>,
    ) -> Result<Self, RepairError> {
        let faces = Judged::of(vertices, faces, None)?.faces;
        let mut sides = Linked::of(vertices, faces, note::OPEN)?.noted(None)?;
        sides.sort_unstable_by_key(Side::edge);
        let mut vertices: Vec<u32> = sides.iter().flat_map(|side| side.ends).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let places = if vertices.is_empty() { vec![] } else { places(&vertices)? };
        Ok(Self { sides, vertices, places })
    }
    /// The position of a vertex of the boundary.
    fn at(&self, v: u32) -> DVec3 {
        self.places[self.vertices.partition_point(|&other| other < v)]
    }
    /// The vertices with finite positions.
    fn finite(&self) -> impl Iterator<Item = (u32, DVec3)> {
        let all = self.vertices.iter().copied().zip(self.places.iter().copied());
        all.filter(|(_, place)| place.is_finite())
    }
    /// The vertices that become one with others within a distance, and these.
    fn pairs(&self, distance: f64) -> FxHashMap<u32, u32> {
        let (vertices, places): (Vec<u32>, Vec<DVec3>) = self.finite().unzip();
        let becomes = weld(&places, distance);
        let pairs = vertices.iter().zip(&becomes).map(|(&v, &to)| (v, vertices[to as usize]));
        pairs.filter(|(v, to)| v != to).collect()
    }
    /// Finds for each side the vertex of the boundary on it that is nearest to its middle, and farther than
    /// `distance` from its ends.
    fn junctions(&self, distance: f64) -> Vec<Junction> {
        let lengths = self.sides.iter().map(|Side { ends: [a, b], .. }| self.at(*a).distance(self.at(*b)));
        let mean = lengths.sum::<f64>() / self.sides.len().max(1) as f64;
        let size = mean.max(4.0 * distance);
        if !(size > 0.0 && size.is_finite()) {
            return vec![];
        }
        let cell = |p: DVec3| (p / size).floor().as_i64vec3();
        let mut cells: FxHashMap<I64Vec3, Vec<(u32, DVec3)>> = FxHashMap::default();
        self.finite().for_each(|(v, place)| cells.entry(cell(place)).or_default().push((v, place)));
        let on = |[a, b]: [u32; 2]| {
            let (from, to) = (self.at(a), self.at(b));
            let way = to - from;
            let long = way.length();
            if long.is_nan() || long <= 2.0 * distance {
                return None;
            }
            let mut best: Option<(f64, f64, u32)> = None;
            let mut look = |(v, place): (u32, DVec3)| {
                let part = (place - from).dot(way) / (long * long);
                let off = (place - from).distance(part * way);
                let within = |end: DVec3| place.distance(end) <= distance;
                if v == a || v == b || !(0.0..=1.0).contains(&part) || off > distance {
                    return;
                }
                if within(from) || within(to) {
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
                    cells.get(&middle.saturating_add(way)).into_iter().flatten().for_each(|&of| look(of));
                }
            }
            best.map(|(_, part, v)| ([a, b], part, v))
        };
        // a face's own third corner is not a vertex of another surface
        let found = self.sides.iter().filter_map(|side| on(side.ends).filter(|(.., v)| *v != side.apex));
        found.collect()
    }
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
