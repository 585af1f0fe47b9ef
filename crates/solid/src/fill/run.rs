//! Search for holes, and their filling.
use crate::fill::around::{NONE, before, behind, start};
use crate::fill::attributes::{Added, extend};
use crate::fill::border::borders;
use crate::fill::fair::Corner;
use crate::fill::loops::{Loop, Loops, limit_vertices, loops};
use crate::fill::one::{Opening, fill_one};
use crate::fill::pair::{Pair, pairs};
use crate::fill::ring::{Rim, rings};
use crate::fill::strip::strip;
use crate::fill::weight::normal;
use crate::fill::{FillError, FillOptions, FillReport, Hole, HoleReport, Left, NotJoined, Why};
use glam::DVec3;
use ribbonmesh_mesh::{BoundingBox, MeshError, Precision, TriangleMesh, UnionFind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Most faces of a mesh, as on devices.
const FACES: u64 = 400_000_000;

/// The holes of a mesh: its boundary loops, in the order of their first vertices. The border of a surface
/// that is not closed is in the list, too. Linear but for sorting; on rayon's pool.
/// # Errors
/// [`FillError::NotManifold`] unless the mesh is an oriented manifold, except that boundary loops may touch
/// at vertices; [`MeshError::FaceIndex`]; [`MeshError::TooMany`]; [`MeshError::NotFinite`] for a vertex of a
/// loop.
pub fn holes(mesh: &TriangleMesh) -> Result<Vec<Hole>, FillError> {
    mesh.check()?;
    let found = loops(&mesh.positions, &mesh.faces)?;
    Ok(describe(mesh, &found))
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
/// # Errors
/// The errors of [`holes`]; [`FillError::Option`]; [`MeshError`] if a column has too many or too few rows.
/// The mesh is then unchanged.
pub fn fill_holes(mesh: &mut TriangleMesh, options: &FillOptions) -> Result<FillReport, FillError> {
    fill_holes_where(mesh, options, |_| true)
}

/// Fills the holes of a mesh that a function chooses, otherwise as [`fill_holes`]. The function gets the
/// vertices of a hole in the direction of the faces that would fill it. Where holes touch, the vertices there
/// are those of the input.
/// # Errors
/// As [`fill_holes`].
pub fn fill_holes_where(
    mesh: &mut TriangleMesh,
    options: &FillOptions,
    chosen: impl Fn(&[u32]) -> bool,
) -> Result<FillReport, FillError> {
    fill_holes_without(mesh, options, chosen, |_| false)
}

/// Fills holes as [`fill_holes_where`], and avoids edges across holes that a function refuses, as far as
/// other edges allow it. The function gets the two vertices of an edge, the lesser first. Where touching
/// holes make copies of vertices, the edge has the numbers of the copies; these follow the vertices of the
/// mesh, and are always the same.
/// # Errors
/// As [`fill_holes`].
pub fn fill_holes_without(
    mesh: &mut TriangleMesh,
    options: &FillOptions,
    chosen: impl Fn(&[u32]) -> bool,
    refused: impl Fn([u32; 2]) -> bool + Sync,
) -> Result<FillReport, FillError> {
    options.check()?;
    mesh.check()?;
    let found = loops(&mesh.positions, &mesh.faces)?;
    let holes = describe(mesh, &found);
    let needed = !options.borders || (options.rings && options.join.is_none());
    let rims = if needed { rims(mesh, &found, &holes) } else { vec![] };
    let outer = if options.borders { vec![] } else { outer(mesh, &rims, &holes) };
    let n = mesh.positions.len();
    let input = |&v: &u32| (v as usize).checked_sub(n).map_or(v, |copy| found.copies[copy]);
    let chosen: Vec<bool> = (found.loops.iter())
        .map(|boundary| chosen(&boundary.vertices.iter().map(input).collect::<Vec<_>>()))
        .collect();
    let largest = if options.keep_largest {
        let by_length = |a: &(usize, &Hole), b: &(usize, &Hole)| a.1.perimeter.total_cmp(&b.1.perimeter);
        holes.iter().enumerate().max_by(by_length).map(|(i, _)| i)
    } else {
        None
    };
    let left = |i: usize, hole: &Hole| {
        let long = options.perimeter.is_some_and(|limit| hole.perimeter > limit);
        let many = options.up_to.is_some_and(|limit| hole.edges > limit as usize);
        let reasons = [
            (!chosen[i], Left::NotChosen),
            (largest == Some(i), Left::Largest),
            (many, Left::TooManyEdges),
            (long, Left::TooLong),
            (outer.get(i) == Some(&true), Left::Border),
        ];
        reasons.into_iter().find(|(holds, _)| *holds).map(|(_, reason)| reason)
    };
    let mut report = FillReport::default();
    let mut filler = Filler::of(mesh, &found, &refused);
    let mut added = vec![];
    let mut partners: FxHashMap<usize, Pair> = FxHashMap::default();
    let mut joined: Vec<Option<usize>> = vec![None; holes.len()];
    if let Some(distance) = options.join {
        let place = |v: u32| filler.positions[v as usize];
        let (list, refused) = pairs(&found.loops, |i| largest == Some(i) || !chosen[i], place, distance);
        report.not_joined = refused;
        for pair in list {
            let [i, j] = pair.loops;
            (joined[i], joined[j]) = (Some(j), Some(i));
            partners.insert(i, pair);
        }
    } else if options.rings {
        let skipped = |i: usize| left(i, &holes[i]).is_some_and(|reason| reason != Left::Border);
        for pair in rings(&rims, skipped) {
            let [i, j] = pair.loops;
            (joined[i], joined[j]) = (Some(j), Some(i));
            partners.insert(i, pair);
        }
    }
    for (i, (hole, boundary)) in holes.into_iter().zip(&found.loops).enumerate() {
        let mut between = None;
        if let Some(pair) = partners.get(&i) {
            let [_, j] = pair.loops;
            between = filler.join(boundary, &found.loops[j], pair.start);
            if between.is_none() {
                report.not_joined.push(NotJoined { holes: pair.loops, why: Why::NoStrip });
                (joined[i], joined[j]) = (None, None);
            }
            report.joined += usize::from(between.is_some());
        }
        let reason = if joined[i].is_some() { None } else { left(i, &hole) };
        let mut filling = None;
        let done_before = joined[i].is_some_and(|other| other < i);
        if reason.is_none() && !done_before {
            let (new, done) = match between {
                Some((both, faces)) => filler.fill(&both, Some((boundary.vertices.len(), faces)), options),
                None => filler.fill(boundary, None, options),
            };
            report.faces_added += done.faces;
            report.vertices_added += done.vertices;
            report.area_added += done.area;
            limit_vertices(filler.positions.len() + new.points.len())?;
            filler.take(&new);
            MeshError::at_most("faces", filler.face_count, FACES)?;
            added.push(new);
            filling = Some(done);
        }
        report.holes.push(HoleReport { hole, left: reason, joined: joined[i], filling });
    }
    report.not_joined.sort_by_key(|refused| refused.holes);
    report.left = report.holes.iter().filter(|hole| hole.left.is_some()).count();
    report.filled = report.holes.len() - report.left;
    let mut copies: FxHashMap<u32, u32> = FxHashMap::default();
    found.copies.iter().for_each(|&vertex| *copies.entry(vertex).or_default() += 1);
    report.vertices_split = copies.into_iter().collect();
    report.vertices_split.sort_unstable();
    let Loops { copies, faces, .. } = found;
    if let Some(faces) = faces {
        let vertices: Vec<u32> = (0..mesh.positions.len() as u32).chain(copies).collect();
        let faces: Vec<(u32, [u32; 3])> = (0..).zip(faces).collect();
        mesh.rebuild(&vertices, &faces)?;
    }
    report.columns_dropped = extend(mesh, &added)?;
    Ok(report)
}

/// Describes the loops as holes.
fn describe(mesh: &TriangleMesh, found: &Loops) -> Vec<Hole> {
    if found.loops.is_empty() {
        return vec![];
    }
    let input = |v: u32| (v as usize).checked_sub(mesh.positions.len()).map_or(v, |copy| found.copies[copy]);
    let components = components(mesh.positions.len(), &mesh.faces);
    let hole = |boundary: &Loop| {
        let vertices = boundary.vertices.iter().map(|&v| input(v));
        let places: Vec<DVec3> = vertices.clone().map(|v| mesh.positions[v as usize]).collect();
        let next = places.iter().cycle().skip(1);
        let vertex = vertices.min().unwrap_or(NONE);
        Hole {
            edges: places.len(),
            vertex,
            perimeter: places.iter().zip(next).map(|(a, b)| a.distance(*b)).sum(),
            bounding_box: places.iter().copied().fold(BoundingBox::EMPTY, BoundingBox::with),
            component: components[vertex as usize],
        }
    };
    found.loops.iter().map(hole).collect()
}

/// Properties of the rims of the loops.
fn rims(mesh: &TriangleMesh, found: &Loops, holes: &[Hole]) -> Vec<Rim> {
    let faces = found.faces.as_deref().unwrap_or(&mesh.faces);
    let n = mesh.positions.len();
    let input = |v: u32| (v as usize).checked_sub(n).map_or(v, |copy| found.copies[copy]);
    let place = |v: u32| mesh.positions[input(v) as usize];
    let rim = |(boundary, hole): (&Loop, &Hole)| Rim::of(boundary, faces, place, hole.component);
    found.loops.iter().zip(holes).map(rim).collect()
}

/// Decides which loops are outer borders.
fn outer(mesh: &TriangleMesh, rims: &[Rim], holes: &[Hole]) -> Vec<bool> {
    if !rims.iter().any(Rim::is_around) {
        return vec![];
    }
    let of: Vec<u32> = holes.iter().map(|hole| hole.component).collect();
    borders(mesh, rims, &of, &components(mesh.positions.len(), &mesh.faces))
}

/// The first vertex of the component of each vertex.
fn components(vertices: usize, faces: &[[u32; 3]]) -> Vec<u32> {
    let mut components = UnionFind::new(vertices);
    components.join_faces(faces);
    components.roots()
}

/// State of filling one hole after the other.
struct Filler<'a> {
    /// Positions, including those of copies.
    positions: Vec<DVec3>,
    /// Faces with these copies.
    faces: &'a [[u32; 3]],
    found: &'a Loops,
    /// Edges between vertices of boundary loops, the lesser first.
    edges: FxHashSet<[u32; 2]>,
    /// Tells which edges are refused.
    refused: &'a (dyn Fn([u32; 2]) -> bool + Sync),
    face_count: usize,
    precision: Precision,
}

impl<'a> Filler<'a> {
    fn of(mesh: &'a TriangleMesh, found: &'a Loops, refused: &'a (dyn Fn([u32; 2]) -> bool + Sync)) -> Self {
        let faces = found.faces.as_deref().unwrap_or(&mesh.faces);
        let copies = found.copies.iter().map(|&v| mesh.positions[v as usize]);
        let positions = mesh.positions.iter().copied().chain(copies).collect();
        let mut edges = FxHashSet::default();
        for &corner in found.around.all() {
            let v = start(faces, corner);
            for other in [start(faces, behind(corner)), start(faces, before(corner))] {
                if v < other && found.around.row(other).is_some() {
                    edges.insert([v, other]);
                }
            }
        }
        Self { positions, faces, found, edges, refused, face_count: faces.len(), precision: mesh.precision }
    }
    /// Whether there is an edge.
    fn is_there(&self, [a, b]: [u32; 2]) -> bool {
        self.edges.contains(&[a.min(b), a.max(b)])
    }
    /// Whether two vertices may get an edge across a hole.
    fn is_legal(&self, [a, b]: [u32; 2]) -> bool {
        !self.is_there([a, b]) && !(self.refused)([a.min(b), a.max(b)])
    }
    /// Joins two loops to one, and makes the strip between them; `None` if there is no legal strip.
    fn join(&self, a: &Loop, b: &Loop, start: [usize; 2]) -> Option<(Loop, Vec<[u32; 3]>)> {
        let places =
            |of: &Loop| of.vertices.iter().map(|&v| self.positions[v as usize]).collect::<Vec<DVec3>>();
        let vertices: Vec<u32> = a.vertices.iter().chain(&b.vertices).copied().collect();
        // refused edges are allowed here: holes that can be joined must not be filled separately
        let legal = |i: u32, j: u32| !self.is_there([i, j].map(|i| vertices[i as usize]));
        let faces = strip(&places(a), &places(b), start, legal)?;
        let across = a.across.iter().chain(&b.across).copied().collect();
        Some((Loop { vertices, across }, faces))
    }
    /// Fills a loop, or, with `strip`, the region between two loops that these faces make.
    fn fill(
        &self,
        boundary: &Loop,
        strip: Option<(usize, Vec<[u32; 3]>)>,
        options: &FillOptions,
    ) -> (Added, crate::fill::Filling) {
        let Loop { vertices, across } = boundary;
        let at = |v: u32| self.positions[v as usize];
        // coordinates of about 1, whose squares neither overflow nor underflow
        let around = vertices.iter().map(|&v| at(v)).fold(BoundingBox::EMPTY, BoundingBox::with);
        let middle = around.middle();
        let unit = (around.high / 2.0 - around.low / 2.0).max_element();
        let unit = if unit > 0.0 { unit } else { 1.0 };
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
        let legal = |i: u32, j: u32| self.is_legal([i, j].map(|i| vertices[i as usize]));
        let (sheet, mut filling) = fill_one(opening, options.method, options.exact_up_to, &legal);
        filling.area *= unit * unit;
        let round = |p: DVec3| match self.precision {
            Precision::Single => p.as_vec3().as_dvec3(),
            Precision::Double => p,
        };
        let points = sheet.points[sheet.rim..].iter().map(|&p| round(p * unit + middle)).collect();
        let first = self.positions.len() as u32;
        let rim = vertices.len() as u32;
        let number = |i: u32| if i < rim { vertices[i as usize] } else { first + i - rim };
        let faces = sheet.faces.iter().map(|face| face.map(number)).collect();
        let new = Added {
            rim: vertices.clone(),
            first: in_first,
            corners: vertices.iter().map(|&v| self.found.around.corners(v)[0]).collect(),
            sources: sheet.nearest_sides().into_iter().map(|side| across[side as usize]).collect(),
            across: across.clone(),
            faces,
            points,
            sheet,
        };
        (new, filling)
    }
    /// Updates the state with the new elements of a hole.
    fn take(&mut self, new: &Added) {
        self.positions.extend(&new.points);
        self.face_count += new.faces.len();
        let rim = new.rim.len() as u32;
        for side in 0..new.sheet.across.len() as u32 {
            let ends = new.sheet.ends(side);
            if ends.iter().all(|&i| i < rim) {
                let [a, b] = ends.map(|i| new.rim[i as usize]);
                self.edges.insert([a.min(b), a.max(b)]);
            }
        }
    }
}
