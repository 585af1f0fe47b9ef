//! Filling of one hole after the other.
use crate::fill::around::{before, behind, start};
use crate::fill::attributes::Added;
use crate::fill::exact_kernels::frame;
use crate::fill::fair::Corner;
use crate::fill::grow::Done;
use crate::fill::loops::{Loop, Loops};
use crate::fill::one::{Again, Opening, fill_one};
use crate::fill::plan::Plan;
use crate::fill::search::positions;
use crate::fill::strip::strip;
use crate::fill::surroundings::Surroundings;
use crate::fill::weight::normal;
use crate::fill::{FillOptions, Filling};
use glam::DVec3;
use ribbonmesh::Result;
use ribbonmesh_mesh::{BoundingBox, Precision};
use rustc_hash::{FxHashMap, FxHashSet};

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
/// Strips of faces between two loops, by the first one, with both as one loop; `None` if none is legal.
pub(crate) type Strips = FxHashMap<usize, Option<(Loop, Vec<[u32; 3]>)>>;

impl<'a> Filler<'a> {
    pub fn of(
        part: &'a Surroundings,
        found: &'a Loops,
        refused: &'a (dyn Fn([u32; 2]) -> bool + Sync),
    ) -> Self {
        let faces = found.faces.as_deref().unwrap_or(&part.mesh.faces);
        Self { part, positions: positions(part, found), faces, found, refused }
    }
    /// Fills the holes of a set, which ascend. `again` is for a set of one hole that is filled again;
    /// `strips` keeps what does not depend on refused edges.
    /// # Errors
    /// Out of memory.
    pub fn fill_group(
        &self,
        group: &[usize],
        plan: &Plan,
        mut again: Option<Again<'_>>,
        strips: &mut Strips,
    ) -> Result<Vec<(usize, Done)>> {
        let mut edges = Edges::default();
        let mut joined: FxHashMap<usize, Option<usize>> =
            group.iter().map(|&i| (i, plan.joined[i])).collect();
        let mut all = vec![];
        for &i in group {
            let boundary = &self.found.loops[i];
            let (mut between, mut done) = (None, Done::default());
            if let Some(pair) = plan.partners.get(&i) {
                let [_, j] = pair.loops;
                let join = || self.join(boundary, &self.found.loops[j], pair.start, &edges);
                between =
                    if edges.is_empty() { strips.entry(i).or_insert_with(join).clone() } else { join() };
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
                        self.fill(&both, Some((boundary.vertices.len(), faces)), &plan.options, &edges, None)?
                    }
                    None => self.fill(boundary, None, &plan.options, &edges, again.take())?,
                };
                if group.len() > 1 {
                    take(&mut edges, &new);
                }
                done.filling = Some((new, filling));
            }
            all.push((i, done));
        }
        Ok(all)
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
    ) -> Result<(Added, Filling)> {
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
        let (sheet, mut filling) = fill_one(opening, options.method, options.exact_up_to, &legal, again)?;
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
        Ok((new, filling))
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
