//! Filling of one spot.
use crate::fill::{FillOptions, FillReport, fill_few};
use crate::intersections::intersections_of_few;
use crate::resolve::ResolveError;
use crate::resolve::gone::Spot;
use glam::DVec3;
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
    let (mesh, report, hit) = best_filling(&surroundings, origin, hole, fill)?;
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

/// Fills the holes whose vertices are below `hole`. Where new faces intersect others, the longest edge across
/// the hole of one face of each pair is refused, and all holes are filled again, a few times. Returns the
/// filling with the fewest intersections, and these.
fn best_filling(
    surroundings: &TriangleMesh,
    origin: DVec3,
    hole: u32,
    fill: &FillOptions,
) -> Result<(TriangleMesh, FillReport, Vec<[u32; 2]>), ResolveError> {
    let old = surroundings.faces.len();
    let sorted = |a: u32, b: u32| [a.min(b), a.max(b)];
    let edges = |[a, b, c]: [u32; 3]| [sorted(a, b), sorted(b, c), sorted(c, a)];
    let mut refused: FxHashSet<[u32; 2]> = FxHashSet::default();
    let mut best: Option<(TriangleMesh, FillReport, Vec<[u32; 2]>)> = None;
    for _ in 0..FILLINGS {
        let chosen = |around: &[u32]| around.iter().all(|v| *v < hole);
        let (mesh, report) = fill_few(surroundings.clone(), fill, chosen, |edge| refused.contains(&edge))?;
        let hit = intersections_of_few(&mesh.points_around(origin), &mesh.faces, old);
        let known = refused.len();
        if !hit.is_empty() {
            let around: FxHashSet<[u32; 2]> =
                mesh.faces[..old].iter().flat_map(|face| edges(*face)).collect();
            let length =
                |[a, b]: [u32; 2]| mesh.positions[a as usize].distance_squared(mesh.positions[b as usize]);
            let across = |face: u32| {
                edges(mesh.faces[face as usize]).into_iter().filter(|edge| !around.contains(edge))
            };
            for pair in &hit {
                let new = pair.iter().filter(|face| **face as usize >= old);
                let longest =
                    new.flat_map(|face| across(*face)).max_by(|a, b| length(*a).total_cmp(&length(*b)));
                refused.extend(longest);
            }
        }
        let ends = hit.is_empty() || refused.len() == known;
        if best.as_ref().is_none_or(|(_, _, least)| hit.len() < least.len()) {
            best = Some((mesh, report, hit));
        }
        if ends {
            break;
        }
    }
    best.ok_or_else(|| Error::Invalid("no attempt to fill holes".into()).into())
}

impl Filled {
    /// The vertices of the region that a face has, or of which it has copies.
    pub fn vertices(&self, face: u32) -> impl Iterator<Item = u32> {
        self.mesh.faces[face as usize].map(|v| self.of[v as usize]).into_iter().filter(|v| *v != NONE)
    }
}
