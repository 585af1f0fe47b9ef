//! Search for holes, and their filling.
use crate::fill::around::{NONE, before, behind, start};
use crate::fill::attributes::{Added, extend};
use crate::fill::border::outer;
use crate::fill::exact_kernels::frame;
use crate::fill::fair::Corner;
use crate::fill::loops::{Loop, Loops, limit_vertices, loops};
use crate::fill::on_device::fill_on_device;
use crate::fill::one::{Again, Opening, fill_one};
use crate::fill::pair::{Pair, pairs};
use crate::fill::plan::Plan;
use crate::fill::ring::{Rim, nearest, rings};
use crate::fill::strip::strip;
use crate::fill::surroundings::{OnHost, Surroundings, Whole};
use crate::fill::weight::normal;
use crate::fill::{FillError, FillOptions, FillReport, Filling, Hole, HoleReport, Left, NotJoined, Why};
use crate::repair::{Looked, look_for_holes};
use glam::DVec3;
use rayon::prelude::*;
use ribbonmesh::{Buffer, Device, Surface};
use ribbonmesh_mesh::{BoundingBox, MeshError, Precision, Rest, TriangleMesh, UnionFind};
use rustc_hash::{FxHashMap, FxHashSet};

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
/// paired first (Chentanez and others 2016). [`HoleReport::joined`] says which.
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

/// The part around holes with their fillings behind.
pub(crate) struct Grown {
    pub mesh: TriangleMesh,
    /// The first new vertex and the first new face.
    first: [usize; 2],
    /// Vertices of the new faces, by their numbers in the whole mesh.
    corners: Vec<[u32; 3]>,
    /// Corners of the whole mesh that get copies of vertices, and these.
    moved: [Vec<u32>; 2],
}
impl Grown {
    fn rest(&self) -> Rest<'_> {
        let Self { mesh, first: [vertices, faces], corners, moved: [of, to] } = self;
        Rest { mesh, vertices: *vertices, faces: *faces, corners, moved: [of, to] }
    }
}

/// Result for one hole.
#[derive(Clone, Default)]
pub(crate) struct Done {
    left: Option<Left>,
    joined: Option<usize>,
    /// Whether it was to be joined, but no strip was legal.
    no_strip: Option<[usize; 2]>,
    filling: Option<(Added, Filling)>,
}

/// Result of the search for the holes of a mesh.
struct Search {
    part: Surroundings,
    found: Loops,
    holes: Vec<Hole>,
    /// Properties of the rims of the loops, if they are needed.
    rims: Vec<Rim>,
    /// Which loops are the borders of open surfaces, if that matters.
    outer: Vec<bool>,
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

/// As [`fill`], when the holes are known.
fn fill_part(
    search: Search,
    device: &Device,
    options: &FillOptions,
    chosen: impl Fn(&[u32]) -> bool,
    refused: impl Fn([u32; 2]) -> bool + Sync,
) -> Result<(FillReport, Option<Grown>), FillError> {
    let Search { mut part, found, holes, rims, outer } = search;
    let mut plan = Plan::new(options, &holes, are_chosen(&part, &found, chosen), &outer);
    let not_joined = plan_pairs(&part, &found, &rims, &mut plan);
    let filler = Filler::of(&part, &found, &refused);
    let groups = groups(&part, &found, &plan);
    let of_group = |group: &Vec<usize>| filler.fill_group(group, &plan, None);
    let all: Vec<Vec<(usize, Done)>> = device.install(|| groups.par_iter().map(of_group).collect());
    let mesh = std::mem::take(&mut part.mesh);
    put_together(&part, mesh, &found, &holes, all.into_iter().flatten(), not_joined)
}

/// Which loops a function chooses, which gets their vertices in the whole mesh.
pub(crate) fn are_chosen(part: &Surroundings, found: &Loops, chosen: impl Fn(&[u32]) -> bool) -> Vec<bool> {
    let n = part.vertices.len();
    let input = |&v: &u32| part.vertex((v as usize).checked_sub(n).map_or(v, |copy| found.copies[copy]));
    let is_chosen = |boundary: &Loop| chosen(&boundary.vertices.iter().map(input).collect::<Vec<_>>());
    found.loops.iter().map(is_chosen).collect()
}

/// Adds the pairs of loops that are to be joined. Returns those that do not fit.
pub(crate) fn plan_pairs(
    part: &Surroundings,
    found: &Loops,
    rims: &[Rim],
    plan: &mut Plan,
) -> Vec<NotJoined> {
    let positions = positions(part, found);
    let place = |v: u32| positions[v as usize];
    let (list, not_joined) = if let Some(distance) = plan.options.join {
        let skipped = |i: usize| plan.largest == Some(i) || !plan.chosen[i];
        pairs(&found.loops, skipped, place, distance)
    } else if plan.options.rings {
        let pair = |loops: [usize; 2]| {
            let places = |i: usize| found.loops[i].vertices.iter().map(|&v| place(v));
            let [first, second] = loops.map(|i| places(i).collect::<Vec<DVec3>>());
            Pair { loops, start: [0, nearest(&first, &second)] }
        };
        (rings(rims, |i| plan.is_no_ring(i)).into_iter().map(pair).collect(), vec![])
    } else {
        (vec![], vec![])
    };
    for pair in list {
        let [i, j] = pair.loops;
        (plan.joined[i], plan.joined[j]) = (Some(j), Some(i));
        plan.partners.insert(i, pair);
    }
    not_joined
}

/// Positions of the vertices of a part, then those of copies.
fn positions(part: &Surroundings, found: &Loops) -> Vec<DVec3> {
    let copies = found.copies.iter().map(|&v| part.mesh.positions[v as usize]);
    part.mesh.positions.iter().copied().chain(copies).collect()
}

/// The report of the fillings of holes, and the new elements behind `mesh`, which is that of the part.
pub(crate) fn put_together(
    part: &Surroundings,
    mesh: TriangleMesh,
    found: &Loops,
    holes: &[Hole],
    all: impl Iterator<Item = (usize, Done)>,
    not_joined: Vec<NotJoined>,
) -> Result<(FillReport, Option<Grown>), FillError> {
    let mut report = FillReport { not_joined, ..FillReport::default() };
    let mut done: Vec<Done> = vec![];
    done.resize_with(holes.len(), Done::default);
    for (i, one) in all {
        done[i] = one;
    }
    let mut added: Vec<Added> = vec![];
    let mut counts = [part.whole + found.copies.len(), part.whole_faces];
    for (hole, Done { left, joined, no_strip, filling }) in holes.iter().cloned().zip(done) {
        report.joined += usize::from(no_strip.is_none() && joined.is_some() && filling.is_some());
        report.not_joined.extend(no_strip.map(|holes| NotJoined { holes, why: Why::NoStrip }));
        let filling = match filling {
            None => None,
            Some((new, done)) => {
                report.faces_added += done.faces;
                report.vertices_added += done.vertices;
                report.area_added += done.area;
                counts = [counts[0] + new.points.len(), counts[1] + new.sheet.faces.len()];
                limit_vertices(counts[0])?;
                limit_faces(counts[1])?;
                added.push(new);
                Some(done)
            }
        };
        report.holes.push(HoleReport { hole, left, joined, filling });
    }
    report.not_joined.sort_by_key(|refused| refused.holes);
    report.left = report.holes.iter().filter(|hole| hole.left.is_some()).count();
    report.filled = report.holes.len() - report.left;
    let mut copies: FxHashMap<u32, u32> = FxHashMap::default();
    found.copies.iter().for_each(|&v| *copies.entry(part.vertex(v)).or_default() += 1);
    report.vertices_split = copies.into_iter().collect();
    report.vertices_split.sort_unstable();
    let grown = grow(part, mesh, found, &mut added, &mut report)?;
    Ok((report, grown))
}

/// Appends the new elements to the part, with their attributes.
fn grow(
    part: &Surroundings,
    mut mesh: TriangleMesh,
    found: &Loops,
    added: &mut [Added],
    report: &mut FillReport,
) -> Result<Option<Grown>, FillError> {
    if added.is_empty() && found.copies.is_empty() {
        return Ok(None);
    }
    let first = [mesh.positions.len(), mesh.faces.len()];
    let mut moved = [vec![], vec![]];
    if let Some(faces) = &found.faces {
        let now = faces.as_flattened().iter();
        for (corner, (_, &v)) in
            (0..).zip(mesh.faces.as_flattened().iter().zip(now)).filter(|(_, (a, b))| a != b)
        {
            moved[0].push(part.corner(corner));
            moved[1].push(part.vertex(v));
        }
        let vertices: Vec<u32> = (0..first[0] as u32).chain(found.copies.iter().copied()).collect();
        let faces: Vec<(u32, [u32; 3])> = (0..).zip(faces.iter().copied()).collect();
        mesh.rebuild(&vertices, &faces)?;
    }
    let mut next = mesh.positions.len() as u32;
    for new in added.iter_mut() {
        new.number(next);
        next += new.points.len() as u32;
    }
    report.columns_dropped = extend(&mut mesh, added)?;
    let corners = mesh.faces[first[1]..].iter().map(|face| face.map(|v| part.vertex(v))).collect();
    Ok(Some(Grown { mesh, first, corners, moved }))
}

/// Sets of loops that have common vertices, or are to be joined: filling one may forbid an edge across
/// another of its set, but no other edge. The loops of a set ascend.
pub(crate) fn groups(part: &Surroundings, found: &Loops, plan: &Plan) -> Vec<Vec<usize>> {
    let mut sets = UnionFind::new(found.loops.len());
    let mut first = vec![NONE; part.vertices.len() + found.copies.len()];
    for (i, boundary) in (0..).zip(&found.loops) {
        for &v in &boundary.vertices {
            match &mut first[v as usize] {
                none @ &mut NONE => *none = i,
                &mut other => _ = sets.join(other, i),
            }
        }
    }
    for pair in plan.partners.values() {
        let [i, j] = pair.loops.map(|i| i as u32);
        sets.join(i, j);
    }
    let mut groups: Vec<Vec<usize>> = vec![vec![]; found.loops.len()];
    for (i, root) in sets.roots().into_iter().enumerate() {
        groups[root as usize].push(i);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Describes the loops as holes.
pub(crate) fn describe(part: &Surroundings, found: &Loops) -> Vec<Hole> {
    let positions = &part.mesh.positions;
    let input = |v: u32| (v as usize).checked_sub(positions.len()).map_or(v, |copy| found.copies[copy]);
    let hole = |boundary: &Loop| {
        let vertices = boundary.vertices.iter().map(|&v| input(v));
        let places: Vec<DVec3> = vertices.clone().map(|v| positions[v as usize]).collect();
        let next = places.iter().cycle().skip(1);
        let vertex = vertices.min().unwrap_or(NONE);
        Hole {
            edges: places.len(),
            vertex: part.vertex(vertex),
            perimeter: places.iter().zip(next).map(|(a, b)| a.distance(*b)).sum(),
            bounding_box: places.iter().copied().fold(BoundingBox::EMPTY, BoundingBox::with),
            component: part.components[vertex as usize],
        }
    };
    found.loops.iter().map(hole).collect()
}

/// Properties of the rims of the loops.
fn rims(part: &Surroundings, found: &Loops, holes: &[Hole]) -> Vec<Rim> {
    let (positions, n) = (&part.mesh.positions, part.vertices.len());
    let faces = found.faces.as_deref().unwrap_or(&part.mesh.faces);
    let input = |v: u32| (v as usize).checked_sub(n).map_or(v, |copy| found.copies[copy]);
    let place = |v: u32| positions[input(v) as usize];
    let rim = |(boundary, hole): (&Loop, &Hole)| Rim::of(boundary, faces, place, hole.component);
    found.loops.par_iter().zip(holes).map(rim).collect()
}

/// Filling of one hole after the other, within a set of holes.
pub(crate) struct Filler<'a> {
    part: &'a Surroundings,
    /// Positions, including those of copies.
    positions: Vec<DVec3>,
    /// Faces with these copies.
    faces: &'a [[u32; 3]],
    found: &'a Loops,
    /// Tells which edges are refused.
    refused: &'a (dyn Fn([u32; 2]) -> bool + Sync),
}

/// Edges of fillings between vertices of boundary loops, the lesser first.
type Edges = FxHashSet<[u32; 2]>;

impl<'a> Filler<'a> {
    pub fn of(
        part: &'a Surroundings,
        found: &'a Loops,
        refused: &'a (dyn Fn([u32; 2]) -> bool + Sync),
    ) -> Self {
        let faces = found.faces.as_deref().unwrap_or(&part.mesh.faces);
        Self { part, positions: positions(part, found), faces, found, refused }
    }
    /// Fills the holes of a set, which ascend. `again` is for a set of one hole that is filled again.
    pub fn fill_group(
        &self,
        group: &[usize],
        plan: &Plan,
        mut again: Option<Again<'_>>,
    ) -> Vec<(usize, Done)> {
        let mut edges = Edges::default();
        let mut joined: FxHashMap<usize, Option<usize>> =
            group.iter().map(|&i| (i, plan.joined[i])).collect();
        let mut all = vec![];
        for &i in group {
            let boundary = &self.found.loops[i];
            let (mut between, mut done) = (None, Done::default());
            if let Some(pair) = plan.partners.get(&i) {
                let [_, j] = pair.loops;
                between = self.join(boundary, &self.found.loops[j], pair.start, &edges);
                if between.is_none() {
                    done.no_strip = Some(pair.loops);
                    joined.extend([(i, None), (j, None)]);
                }
            }
            done.joined = joined.get(&i).copied().flatten();
            done.left = if done.joined.is_some() { None } else { plan.left[i] };
            let done_before = done.joined.is_some_and(|other| other < i);
            if done.left.is_none() && !done_before {
                let (new, filling) = match between {
                    Some((both, faces)) => {
                        self.fill(&both, Some((boundary.vertices.len(), faces)), &plan.options, &edges, None)
                    }
                    None => self.fill(boundary, None, &plan.options, &edges, again.take()),
                };
                if group.len() > 1 {
                    take(&mut edges, &new);
                }
                done.filling = Some((new, filling));
            }
            all.push((i, done));
        }
        all
    }
    /// Whether there is an edge between two vertices of boundaries.
    fn is_there(&self, [a, b]: [u32; 2], edges: &Edges) -> bool {
        let (around, faces) = (&self.found.around, self.faces);
        let (of, to) = (around.corners(a), around.corners(b));
        let (corners, other) = if of.len() <= to.len() { (of, b) } else { (to, a) };
        let leads =
            |&corner: &u32| start(faces, behind(corner)) == other || start(faces, before(corner)) == other;
        corners.iter().any(leads) || edges.contains(&[a.min(b), a.max(b)])
    }
    /// Whether two vertices may get an edge across a hole.
    fn is_legal(&self, [a, b]: [u32; 2], edges: &Edges) -> bool {
        let vertex = |v: u32| self.part.vertex(v);
        !self.is_there([a, b], edges) && !(self.refused)([vertex(a.min(b)), vertex(a.max(b))])
    }
    /// Joins two loops to one, and makes the strip between them; `None` if there is no legal strip.
    fn join(&self, a: &Loop, b: &Loop, start: [usize; 2], edges: &Edges) -> Option<(Loop, Vec<[u32; 3]>)> {
        let places =
            |of: &Loop| of.vertices.iter().map(|&v| self.positions[v as usize]).collect::<Vec<DVec3>>();
        let vertices: Vec<u32> = a.vertices.iter().chain(&b.vertices).copied().collect();
        // refused edges are allowed here: holes that can be joined must not be filled separately
        let faces = strip(&places(a), &places(b), start, &self.between(a, b, edges))?;
        let across = a.across.iter().chain(&b.across).copied().collect();
        Some((Loop { vertices, across }, faces))
    }
    /// For each vertex of a loop the vertices of another one, as indices into it, to which there is an edge.
    fn between(&self, a: &Loop, b: &Loop, edges: &Edges) -> Vec<Vec<u32>> {
        let place = |of: &Loop| of.vertices.iter().copied().zip(0..).collect::<FxHashMap<u32, u32>>();
        let (in_a, in_b) = (place(a), place(b));
        let neighbours = |v: &u32| -> Vec<u32> {
            let corners = self.found.around.corners(*v).iter();
            let ends = corners.flat_map(|&corner| [behind(corner), before(corner)]);
            ends.filter_map(|corner| in_b.get(&start(self.faces, corner)).copied()).collect()
        };
        let mut between: Vec<Vec<u32>> = a.vertices.iter().map(neighbours).collect();
        for [p, q] in edges.iter().flat_map(|&[p, q]| [[p, q], [q, p]]) {
            if let (Some(i), Some(j)) = (in_a.get(&p), in_b.get(&q)) {
                between[*i as usize].push(*j);
            }
        }
        between
    }
    /// Fills a loop, or, with `strip`, the region between two loops that these faces make.
    fn fill(
        &self,
        boundary: &Loop,
        strip: Option<(usize, Vec<[u32; 3]>)>,
        options: &FillOptions,
        edges: &Edges,
        again: Option<Again<'_>>,
    ) -> (Added, Filling) {
        let Loop { vertices, across } = boundary;
        let at = |v: u32| self.positions[v as usize];
        // coordinates of about 1, whose squares neither overflow nor underflow
        let around = vertices.iter().map(|&v| at(v)).fold(BoundingBox::EMPTY, BoundingBox::with);
        let (middle, unit) = frame(around.low, around.high);
        let place = |v: u32| (at(v) - middle) / unit;
        let corners = |face: u32| self.faces[face as usize].map(place);
        let own: FxHashMap<u32, u32> = vertices.iter().copied().zip(0..).collect();
        let mut around: Vec<u32> = vec![];
        let mut sizes = vec![];
        for &v in vertices {
            let corners = self.found.around.corners(v);
            around.extend(corners.iter().map(|corner| corner / 3));
            let length = |u: u32| place(v).distance(place(u));
            // each inner edge is a side of two of these faces, in different directions
            let out = corners.iter().map(|&corner| length(start(self.faces, behind(corner))));
            let last = corners.iter().map(|&corner| length(start(self.faces, before(corner))));
            let (sum, count) = (out.chain(last).sum::<f64>(), 2 * corners.len());
            sizes.push(sum / count.max(1) as f64);
        }
        around.sort_unstable();
        around.dedup();
        let corner = |v: u32| own.get(&v).map_or_else(|| Corner::Outside(place(v)), |&i| Corner::Own(i));
        let around: Vec<[Corner; 3]> =
            around.iter().map(|&face| self.faces[face as usize].map(corner)).collect();
        let (in_first, strip) = strip.map_or((vertices.len(), None), |(n, faces)| (n, Some(faces)));
        let opening = Opening {
            points: vertices.iter().map(|&v| place(v)).collect(),
            outside: across.iter().map(|&face| normal(corners(face)).0).collect(),
            around: &around,
            sizes,
            strip,
            first: in_first,
            lone: across.len() == 3 && across[0] == across[1] && across[1] == across[2],
        };
        let legal = |i: u32, j: u32| self.is_legal([i, j].map(|i| vertices[i as usize]), edges);
        let (sheet, mut filling) = fill_one(opening, options.method, options.exact_up_to, &legal, again);
        filling.area *= unit * unit;
        let round = |p: DVec3| match self.part.mesh.precision {
            Precision::Single => p.as_vec3().as_dvec3(),
            Precision::Double => p,
        };
        let points = sheet.points[sheet.rim..].iter().map(|&p| round(p * unit + middle)).collect();
        let new = Added {
            rim: vertices.clone(),
            first: in_first,
            corners: vertices.iter().map(|&v| self.found.around.corners(v)[0]).collect(),
            sources: sheet.nearest_sides().into_iter().map(|side| across[side as usize]).collect(),
            across: across.clone(),
            faces: vec![],
            points,
            sheet,
        };
        (new, filling)
    }
}

/// Notes the edges of a filling between vertices of its loop.
fn take(edges: &mut Edges, new: &Added) {
    let rim = new.rim.len() as u32;
    for side in 0..new.sheet.across.len() as u32 {
        let ends = new.sheet.ends(side);
        if ends.iter().all(|&i| i < rim) {
            let [a, b] = ends.map(|i| new.rim[i as usize]);
            edges.insert([a.min(b), a.max(b)]);
        }
    }
}
