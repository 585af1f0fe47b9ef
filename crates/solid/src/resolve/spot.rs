//! Filling of one spot.
use crate::fill::{Few, FillOptions, FillReport};
use crate::intersections::intersections_of_some;
use crate::resolve::ResolveError;
use crate::resolve::gone::Spot;
use glam::{DVec3, Vec3};
use ribbonmesh::Error;
use ribbonmesh::device::NONE;
use ribbonmesh_mesh::{Sides, TriangleMesh, UnionFind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Number of times that the holes of a spot are filled, each time without edges of faces that intersected.
const FILLINGS: u32 = 12;

/// The filling of the holes of a spot. Vertices are numbered for the spot alone.
pub(crate) struct Filled {
    /// For each vertex, the vertex of the region that it is, or is a copy of; [`NONE`] for a new one.
    pub of: Vec<u32>,
    /// Whether each vertex is that vertex itself.
    pub own: Vec<bool>,
    /// The faces of the collar, then the new ones, with the attributes of the region.
    pub mesh: TriangleMesh,
    /// Faces of the collar whose corners were replaced by copies, with the new corners.
    pub changed: Vec<(u32, [u32; 3])>,
    pub joined: usize,
    pub filled: usize,
    /// Attributes for which new elements get no values.
    pub columns_dropped: Vec<String>,
    /// The pairs of faces that intersect, of which at least one is new; faces of the collar have the first
    /// numbers.
    pub hit: Vec<[u32; 2]>,
    /// Whether the faces at each vertex of the holes, and at each other one of new faces, are one fan all
    /// around it.
    pub is_manifold: bool,
}

/// Fills the holes of a spot. Positions are those of the region around `origin`.
pub(crate) fn filled_spot(
    region: &TriangleMesh,
    origin: DVec3,
    sides: &Sides,
    spot: &Spot,
    fill: &FillOptions,
) -> Result<Filled, ResolveError> {
    let removed = spot.removed.iter().flat_map(|f| region.faces[*f as usize]);
    let mut number: FxHashMap<u32, u32> = FxHashMap::default();
    let mut of = vec![];
    for v in removed {
        number.entry(v).or_insert_with(|| {
            of.push(v);
            of.len() as u32 - 1
        });
    }
    let hole = of.len() as u32;
    // at the border of the collar, each fan of faces has a vertex of its own
    let mut fans = UnionFind::new(3 * spot.collar.len());
    let place = |f: u32| spot.collar.binary_search(&f).ok();
    for (i, &f) in spot.collar.iter().enumerate() {
        let corners = region.faces[f as usize];
        for (side, other) in sides.across(f).into_iter().enumerate() {
            let Some((other, j)) = other.and_then(|other| Some((other, place(other)?))) else { continue };
            for k in [side, (side + 1) % 3] {
                let there = region.faces[other as usize].iter().position(|v| *v == corners[k]);
                if let Some(l) = there {
                    fans.join((3 * i + k) as u32, (3 * j + l) as u32);
                }
            }
        }
    }
    let mut of_fan: FxHashMap<u32, u32> = FxHashMap::default();
    let mut faces = Vec::with_capacity(spot.collar.len());
    for (i, &f) in spot.collar.iter().enumerate() {
        let mut corners = region.faces[f as usize];
        for (k, v) in corners.iter_mut().enumerate() {
            *v = match number.get(v) {
                Some(at) => *at,
                None => *of_fan.entry(fans.root((3 * i + k) as u32)).or_insert_with(|| {
                    of.push(*v);
                    of.len() as u32 - 1
                }),
            };
        }
        faces.push((f, corners));
    }
    let surroundings = region.part(&of, &faces)?;
    let few = Few::new(surroundings, fill, |around| around.iter().all(|v| *v < hole))?;
    let (mesh, report, hit) = best_filling(few, origin, [of.len(), faces.len()])?;
    // copies of vertices where surfaces touch, then new vertices
    let given = of.len();
    let copies: usize = report.vertices_split.iter().map(|(_, copies)| *copies as usize).sum();
    let mut own = vec![true; given];
    of.resize(mesh.positions.len(), NONE);
    own.resize(mesh.positions.len(), false);
    let mut changed = vec![];
    for ((f, before), after) in faces.iter().zip(&mesh.faces).filter(|((_, a), b)| a != *b) {
        for (a, b) in before.iter().zip(after) {
            if *b as usize >= given && (*b as usize) < given + copies {
                of[*b as usize] = of[*a as usize];
            }
        }
        changed.push((*f, *after));
    }
    let sides = Sides::of(mesh.positions.len(), &mesh.faces);
    let is_manifold =
        (0..hole).chain(given as u32..mesh.positions.len() as u32).all(|v| one_fan(&sides, v, &mesh));
    let FillReport { joined, filled, columns_dropped, .. } = report;
    let filled = filled - 2 * joined;
    Ok(Filled { of, own, mesh, changed, joined, filled, columns_dropped, hit, is_manifold })
}

/// Positions around an origin, as [`TriangleMesh::points_around`] on the calling thread: others have spots of
/// their own.
pub(crate) fn points_around(mesh: &TriangleMesh, origin: DVec3) -> Vec<Vec3> {
    mesh.positions.iter().map(|position| (*position - origin).as_vec3()).collect()
}

/// Whether the faces at a vertex are one fan all around it, or none.
fn one_fan(sides: &Sides, v: u32, mesh: &TriangleMesh) -> bool {
    let around = sides.around(v);
    let Some(&first) = around.first() else { return true };
    let (mut face, mut passed) = (first, 0);
    loop {
        let Some(side) = mesh.faces[face as usize].iter().position(|u| *u == v) else { return false };
        let Some(next) = sides.across(face)[side] else { return false };
        (face, passed) = (next, passed + 1);
        if face == first || passed > around.len() {
            return passed == around.len();
        }
    }
}

/// Fills holes. Where new faces intersect others, the longest edge across the hole of one face of each pair
/// is refused, and the holes there are filled again, a few times. Returns the filling with the fewest
/// intersections, and these. Vertices and faces of the collar are `given`.
fn best_filling(
    few: Few,
    origin: DVec3,
    [given, old]: [usize; 2],
) -> Result<(TriangleMesh, FillReport, Vec<[u32; 2]>), ResolveError> {
    let mut search = Search { old, given, ..Search::default() };
    let (mut left, mut around) = (FILLINGS, None);
    let mut best: Option<(TriangleMesh, FillReport, Vec<[u32; 2]>)> = None;
    few.fill(|mesh, report| {
        search.again(&mesh, origin);
        let hit = search.hit.clone();
        left -= 1;
        let mut refused = vec![];
        if left > 0 && !hit.is_empty() {
            let around = around.get_or_insert_with(|| edges_of(&mesh.faces[..old]));
            refused = longest_across(&mesh, old, around, &hit);
        }
        if best.as_ref().is_none_or(|(_, _, least)| hit.len() < least.len()) {
            best = Some((mesh, report, hit));
        }
        refused
    })?;
    best.ok_or_else(|| Error::Invalid("no attempt to fill holes".into()).into())
}

/// The edges of some faces, the lesser vertex first.
fn edges_of(faces: &[[u32; 3]]) -> FxHashSet<[u32; 2]> {
    faces.iter().flat_map(|face| edges(*face)).collect()
}
/// The edges of a face, the lesser vertex first.
fn edges([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)])
}

/// For each pair of faces, the longest edge of those that are not `old`, except edges `around` the holes.
fn longest_across(
    mesh: &TriangleMesh,
    old: usize,
    around: &FxHashSet<[u32; 2]>,
    hit: &[[u32; 2]],
) -> Vec<[u32; 2]> {
    let length = |[a, b]: [u32; 2]| mesh.positions[a as usize].distance_squared(mesh.positions[b as usize]);
    let across =
        |face: u32| edges(mesh.faces[face as usize]).into_iter().filter(|edge| !around.contains(edge));
    let longest = |pair: &[u32; 2]| {
        let new = pair.iter().filter(|face| **face as usize >= old);
        new.flat_map(|face| across(*face)).max_by(|a, b| length(*a).total_cmp(&length(*b)))
    };
    hit.iter().filter_map(longest).collect()
}

/// The search for intersections of fillings that follow each other.
#[derive(Default)]
struct Search {
    /// Number of faces of the collar.
    old: usize,
    /// Number of vertices that are the same in all fillings.
    given: usize,
    /// The faces of the last filling that were searched, with their numbers.
    known: FxHashMap<[u32; 3], u32>,
    /// Their pairs that intersect.
    hit: Vec<[u32; 2]>,
}
impl Search {
    /// Searches another filling: only for pairs with a face that the last one has not.
    fn again(&mut self, mesh: &TriangleMesh, origin: DVec3) {
        let numbered = || (0_u32..).zip(&mesh.faces).skip(self.old);
        // positions of new vertices change
        let stays = |face: &[u32; 3]| face.iter().all(|v| (*v as usize) < self.given);
        let is_known = |face: &[u32; 3]| stays(face) && self.known.contains_key(face);
        let fresh: Vec<bool> = numbered().map(|(_, face)| !is_known(face)).collect();
        let wanted = |f: u32| (f as usize).checked_sub(self.old).is_some_and(|f| fresh[f]);
        let mut hit = intersections_of_some(&points_around(mesh, origin), &mesh.faces, wanted);
        // the numbers of faces that were known
        let now: FxHashMap<u32, u32> =
            numbered().filter(|(_, face)| is_known(face)).map(|(f, face)| (self.known[face], f)).collect();
        let number = |f: u32| if (f as usize) < self.old { Some(f) } else { now.get(&f).copied() };
        let kept = self.hit.iter().filter_map(|&[f, g]| Some([number(f)?, number(g)?]));
        hit.extend(kept.map(|[f, g]| [f.min(g), f.max(g)]));
        hit.sort_unstable();
        self.known = numbered().map(|(f, face)| (*face, f)).collect();
        self.hit = hit;
    }
}

impl Filled {
    /// The vertices of the region that a face has, or of which it has copies.
    pub fn vertices(&self, face: u32) -> impl Iterator<Item = u32> {
        self.mesh.faces[face as usize].map(|v| self.of[v as usize]).into_iter().filter(|v| *v != NONE)
    }
}
