//! The combination of meshes.
use crate::arrange::{Arrangement, Cells, Grid, Patches, Ranges, arrange};
use crate::boolean::BooleanError;
use crate::boolean::attributes::{NewFace, Row, assemble};
use crate::boolean::sheets::part_sheets;
use crate::inside::{InsideOptions, InsideTest};
use crate::intersections::{Triangles, intersections_with, self_intersections};
use glam::{DVec3, Vec3};
use rayon::prelude::*;
use ribbonmesh::Device;
use ribbonmesh_application::Choice;
use ribbonmesh_mesh::{Element, MeshError, Precision, TriangleMesh};
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

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
    fn holds(self, windings: &[i32]) -> bool {
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
        Self { operation: Operation::default(), rounds: 8, provenance: false }
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
/// positions; those where faces cross are rounded to single precision. The result is closed, and no faces of
/// it intersect: if rounding lets some, they are cut again.
///
/// If a mesh has holes, or faces of opposite orientation ([`BooleanReport::open`]), parts are chosen by
/// generalised winding numbers on both sides of them (Jacobson, Kavan and Sorkine-Hornung 2013): a place is
/// within a mesh that is wound around it by one half or more. Such a result may be open, but does not
/// intersect itself, either.
///
/// Where a result touches itself in an edge or at a vertex, vertices are doubled, or edges split, so that it
/// is an oriented manifold. Attributes follow their faces, within cut ones by interpolation. Pairs of faces
/// are searched on `device`; the rest runs on the host's threads. O(n log n).
/// # Errors
/// [`BooleanError::Open`] if nothing is left of the union of meshes of which one is open, such as a sheet;
/// [`BooleanError::Rounding`]; [`BooleanError::Nothing`]; errors of the mesh and of the device.
pub fn boolean(
    device: &Device,
    meshes: &[TriangleMesh],
    options: &BooleanOptions,
) -> Result<(TriangleMesh, BooleanReport), BooleanError> {
    let mut report = BooleanReport::default();
    let mut all = TriangleMesh::default();
    let mut starts = vec![0];
    for (i, mesh) in meshes.iter().enumerate() {
        if let Some(vertex) = mesh.positions.iter().position(|p| !p.is_finite()) {
            return Err(ribbonmesh::Error::NotFinite { vertex }.into());
        }
        let first = all.faces.len();
        report.columns_dropped.extend(all.append(mesh)?);
        if mesh.signed_volume() < 0.0 {
            (first..all.faces.len()).for_each(|face| {
                all.turn_face(face as u32);
            });
            report.turned.push(i);
        }
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
    let grid = Grid::new(all.points_around(origin));
    let (positions, faces) = (device.upload(&grid.points)?, device.upload(all.faces.as_flattened())?);
    let pairs = self_intersections(Triangles { positions: &positions, faces: &faces })?.pairs.read()?;
    drop((positions, faces));
    report.intersecting_pairs = pairs.len();
    let operation = (options.operation, 0);
    let mut combined = combine(device, (&all, grid, pairs), (starts, origin), operation, &mut report)?;
    while !combined.left.is_empty() {
        if report.rounds == options.rounds {
            return Err(BooleanError::Rounding { rounds: report.rounds, pairs: combined.left.len() });
        }
        report.rounds += 1;
        let Combined { mesh, grid, left, .. } = combined;
        let starts = vec![0, mesh.faces.len() as u32];
        let mut step = BooleanReport::default();
        let operation = (Operation::Union, report.rounds);
        combined = combine(device, (&mesh, grid, left), (starts, origin), operation, &mut step)?;
        combined.touched = vec![true; combined.mesh.positions.len()];
    }
    let Combined { mut mesh, touched, .. } = combined;
    if let (Operation::Union, true, Some(&Opening { mesh, at })) =
        (options.operation, mesh.faces.is_empty(), report.open.first())
    {
        return Err(BooleanError::Open { mesh, at });
    }
    report.vertices_doubled = part_sheets(&mut mesh, origin, &touched)?;
    report.columns_dropped.sort_unstable();
    report.columns_dropped.dedup();
    Ok((mesh, report))
}

/// A result.
struct Combined {
    mesh: TriangleMesh,
    /// Its positions.
    grid: Grid,
    /// Pairs of its faces that intersect.
    left: Vec<[u32; 2]>,
    /// The vertices of faces that were cut, and those that stand for several.
    touched: Vec<bool>,
}

/// Cuts all faces of which pairs intersect, and selects parts.
fn combine(
    device: &Device,
    (all, grid, pairs): (&TriangleMesh, Grid, Vec<[u32; 2]>),
    (starts, origin): (Vec<u32>, DVec3),
    (operation, round): (Operation, u32),
    report: &mut BooleanReport,
) -> Result<Combined, BooleanError> {
    let arrangement = arrange(grid, all.faces.clone(), &pairs).ok_or(BooleanError::Contradiction)?;
    let meshes = Ranges(starts);
    let patches = Patches::new(&arrangement, &meshes).ok_or(BooleanError::Contradiction)?;
    let cells = if patches.open.is_empty() {
        let (cells, count) = patches.cells(&arrangement, &meshes).ok_or(BooleanError::Contradiction)?;
        report.volumes = Some(count);
        cells
    } else {
        report.open.extend(patches.open.iter().map(|open| {
            let place = arrangement.points().place(open.ends[0]).at;
            Opening { mesh: open.mesh as usize, at: (origin + arrangement.grid.place(place)).to_array() }
        }));
        let points = patches.beside(&arrangement);
        let numbers = windings(device, &arrangement.grid.points, &all.faces, &meshes, &points)?;
        patches.with_numbers(&meshes, numbers)
    };
    report.vertices_added = arrangement.made.len();
    report.faces_cut = arrangement.faces_cut;
    let reach = if round == 0 { 0.0 } else { reach(&arrangement.grid.points, round) };
    let Selected { mesh, changed, touched, dropped } =
        select(all, origin, &arrangement, &cells, operation, reach)?;
    report.columns_dropped.extend(dropped);
    // on the same grid, so that faces that did not change meet others as before
    let grid = arrangement.grid.with(mesh.points_around(origin));
    let left = match changed.is_empty() {
        true => vec![],
        false => intersections_with(&device.upload(&grid.points)?, &mesh.faces, &changed)?,
    };
    Ok(Combined { mesh, grid, left, touched })
}

/// How often each mesh is wound around points, rounded, for each point a row: generalised winding numbers.
fn windings(
    device: &Device,
    positions: &[Vec3],
    faces: &[[u32; 3]],
    meshes: &Ranges,
    points: &[Vec3],
) -> Result<Vec<i32>, BooleanError> {
    let (positions, points) = (device.upload(positions)?, device.upload(points)?);
    let mut numbers = vec![0; points.len() * meshes.count()];
    for (mesh, range) in meshes.0.windows(2).enumerate() {
        let own = device.upload(faces[range[0] as usize..range[1] as usize].as_flattened())?;
        let mut test = InsideTest::new(Triangles { positions: &positions, faces: &own })?;
        let found = test.winding(&points, InsideOptions::default().beta)?.read()?;
        for (row, winding) in numbers.chunks_exact_mut(meshes.count()).zip(found) {
            row[mesh] = winding.round() as i32;
        }
    }
    Ok(numbers)
}

/// The parts between a volume of the result and another one, as a mesh.
struct Selected {
    mesh: TriangleMesh,
    /// Its faces that have a new vertex, or had one that became a point nearby.
    changed: Vec<u32>,
    /// The vertices of faces that were cut, and those that stand for several.
    touched: Vec<bool>,
    /// Columns that were dropped.
    dropped: Vec<String>,
}

/// Selects parts.
fn select(
    all: &TriangleMesh,
    origin: DVec3,
    arrangement: &Arrangement,
    cells: &Cells,
    operation: Operation,
    reach: f32,
) -> Result<Selected, BooleanError> {
    let selected = cells.select(|windings| operation.holds(windings));
    let faces_of_input = all.faces.len() as u32;
    let kept: Vec<(u32, bool)> =
        arrangement.parts().filter_map(|part| Some((part, cells.of_part(part, &selected)?))).collect();
    let (whole, cut) = kept.split_at(kept.partition_point(|kept| kept.0 < faces_of_input));
    let points = arrangement.points();
    let count = all.positions.len() as u32;
    // positions of points in the result
    let single = all.precision == Precision::Single;
    let place = |point: u32| {
        if point < count {
            return all.positions[point as usize];
        }
        let at = origin + arrangement.grid.place(points.place(point).at).as_vec3().as_dvec3();
        if single { at.as_vec3().as_dvec3() } else { at }
    };
    let rounded = |point: u32| (place(point) - origin).as_vec3();
    let used: Vec<AtomicBool> =
        (0..arrangement.point_count()).into_par_iter().map(|_| AtomicBool::new(false)).collect();
    kept.par_iter().for_each(|&(part, _)| {
        arrangement.corners(part).iter().for_each(|&p| used[p as usize].store(true, Relaxed));
    });
    let mut used: Vec<bool> = used.into_iter().map(AtomicBool::into_inner).collect();
    let mut candidates: Vec<u32> = cut
        .iter()
        .map(|&(part, _)| arrangement.corners(part))
        .filter(|corners| corners.iter().any(|&p| p >= count))
        .flatten()
        .collect();
    candidates.sort_unstable();
    candidates.dedup();
    let one = snapped(&candidates, count, reach, rounded);
    one.keys().for_each(|&point| used[point as usize] = false);
    let of_result: Vec<u32> = (0..used.len() as u32).filter(|&p| used[p as usize]).collect();
    let mut number = vec![u32::MAX; used.len()];
    (0..).zip(&of_result).for_each(|(i, &point)| number[point as usize] = i);
    let positions: Vec<DVec3> = of_result.par_iter().map(|&point| place(point)).collect();
    let mut rows: Vec<Row> = of_result.into_par_iter().map(Row::Old).collect();
    let mut touched = vec![false; positions.len()];
    for &vertex in arrangement.merged.iter().filter(|&&v| used[v as usize]) {
        touched[number[vertex as usize] as usize] = true;
    }
    let turned = |[a, b, c]: [u32; 3], turned: bool| if turned { [a, c, b] } else { [a, b, c] };
    let mut faces: Vec<NewFace> = whole
        .par_iter()
        .map(|&(face, turn)| {
            let vertices = arrangement.faces[face as usize].map(|point| number[point as usize]);
            NewFace { face, vertices: turned(vertices, turn), turned: turn }
        })
        .collect();
    let mut corners_of_cut = vec![];
    let mut changed = vec![];
    for &(number_of_part, turn) in cut {
        let (face, of_part) = (arrangement.face(number_of_part), arrangement.corners(number_of_part));
        let corners = of_part.map(|p| one.get(&p).copied().unwrap_or(p));
        let [a, b, c] = corners;
        if a == b || b == c || c == a {
            continue;
        }
        let source = all.faces[face as usize];
        let of_source = arrangement.faces[face as usize];
        let row = |point: u32| match of_source.iter().position(|&v| v == point) {
            Some(k) => (Row::Old(3 * face + k as u32), Row::Old(source[k])),
            None => {
                let weights = weights(source.map(|v| all.positions[v as usize]), place(point));
                (Row::Mean([0, 1, 2].map(|k| 3 * face + k), weights), Row::Mean(source, weights))
            }
        };
        let mut of_corners = corners.map(|point| {
            let (corner, vertex) = row(point);
            if point >= count {
                rows[number[point as usize] as usize] = vertex;
            }
            corner
        });
        if turn {
            of_corners.swap(1, 2);
        }
        let vertices = turned(corners.map(|point| number[point as usize]), turn);
        vertices.iter().for_each(|&v| touched[v as usize] = true);
        if of_part.iter().any(|&p| p >= count) {
            changed.push(faces.len() as u32);
        }
        faces.push(NewFace { face, vertices, turned: turn });
        corners_of_cut.push(of_corners);
    }
    let (mesh, dropped) = assemble(all, positions, &rows, &faces, &corners_of_cut)?;
    Ok(Selected { mesh, changed, touched, dropped })
}

/// The distance within which a new point becomes a point nearby, in a round of mending: four times as far in
/// each, from 2⁻²⁰ to 2⁻¹⁴ of the largest coordinate. Cutting slivers at rounded points would make thinner
/// ones.
fn reach(points: &[Vec3], round: u32) -> f32 {
    let largest = points.par_iter().map(|p| p.abs().max_element()).reduce(|| 0.0, f32::max);
    largest * f32::EPSILON * (2_u32 << (2 * round.min(4))) as f32
}

/// For new points, from number `first` on, that are within `reach` of an older vertex or an earlier new point
/// along each axis, the number of the nearest one.
fn snapped(points: &[u32], first: u32, reach: f32, at: impl Fn(u32) -> Vec3) -> FxHashMap<u32, u32> {
    let mut order: Vec<(Vec3, u32)> = points.iter().map(|&p| (at(p), p)).collect();
    order.sort_unstable_by(|a, b| a.0.x.total_cmp(&b.0.x).then(a.1.cmp(&b.1)));
    let mut place: Vec<usize> = (0..order.len()).collect();
    place.sort_unstable_by_key(|&i| order[i].1);
    let mut one = FxHashMap::default();
    for i in place.into_iter().filter(|&i| order[i].1 >= first) {
        let (here, point) = order[i];
        let after = order[i + 1..].iter().take_while(|other| other.0.x - here.x <= reach);
        let before = order[..i].iter().rev().take_while(|other| here.x - other.0.x <= reach);
        let near = after.chain(before).filter(|&&(there, other)| {
            other < point && !one.contains_key(&other) && (there - here).abs().max_element() <= reach
        });
        let distance = |there: Vec3| there.as_dvec3().distance_squared(here.as_dvec3());
        let least = near.min_by(|a, b| distance(a.0).total_cmp(&distance(b.0)).then(a.1.cmp(&b.1)));
        if let Some(&(_, other)) = least {
            one.insert(point, other);
        }
    }
    one
}

/// Barycentric coordinates of a point near a triangle.
fn weights([a, b, c]: [DVec3; 3], p: DVec3) -> [f64; 3] {
    let normal = (b - a).cross(c - a);
    let whole = normal.length_squared();
    if whole == 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let v = ((p - a).cross(c - a).dot(normal) / whole).clamp(0.0, 1.0);
    let w = ((b - a).cross(p - a).dot(normal) / whole).clamp(0.0, 1.0 - v);
    [1.0 - v - w, v, w]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_points_become_points_nearby() {
        let at = [0.0, 1.0, 0.25, 1.125, 0.25, 0.375];
        let place = |p: u32| Vec3::splat(at[p as usize]);
        let points: Vec<u32> = (0..6).collect();
        let sorted = |reach: f32| {
            let mut found: Vec<(u32, u32)> = snapped(&points, 2, reach, place).into_iter().collect();
            found.sort_unstable();
            found
        };
        assert_eq!(sorted(0.0), [(4, 2)]);
        // 5 is near 2, and 4 is 2 already
        assert_eq!(sorted(0.125), [(3, 1), (4, 2), (5, 2)]);
        assert_eq!(sorted(0.25), [(2, 0), (3, 1), (4, 0)]);
    }
}
