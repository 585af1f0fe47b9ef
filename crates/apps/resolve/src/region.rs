//! Resolving a part of a surface: each spot where something is deleted is filled for itself.
use crate::clusters::Sides;
use crate::cut::{Cut, Kept};
use crate::resolve::{edge_length, no_manifold, part};
use crate::sets::Sets;
use crate::{ResolveError, ResolveOptions, ResolveReport};
use glam::DVec3;
use rayon::prelude::*;
use ribbonmesh::device::NONE;
use ribbonmesh_fill::{FillError, FillOptions, Method, fill_holes_where};
use ribbonmesh_inside::InsideTest;
use ribbonmesh_intersections::intersections_with;
use ribbonmesh_mesh::TriangleMesh;
use rustc_hash::FxHashMap;
use std::collections::HashMap;
use std::sync::Arc;

/// Resolves intersections in a part of a closed surface: `region` has the faces that intersect, the `pairs` of them, and others around
/// them. Where it ends, its faces stay as they are, so that what is around it fits the result. `test` is one of the whole
/// surface, with positions around the same `origin`.
///
/// The result is a manifold with the same boundary; none of its new faces intersects another of its faces. It may intersect what is around
/// the region. Attributes are dropped, and so are vertices without a face; vertices that stay have their positions, to the bit. The options
/// `longest` and `most_deviation` do not matter.
///
/// Holes that lie apart are filled in parallel, and only those again whose new faces intersect something: an attempt costs a walk over the
/// region, a search on the device, and what is filled.
/// # Errors
/// [`ResolveError::Reached`] where the region is too small; [`ResolveError::GaveUp`]; those of the device.
pub fn resolve_region(
    test: &InsideTest<'_>,
    region: &TriangleMesh,
    origin: DVec3,
    pairs: &[[u32; 2]],
    options: &ResolveOptions,
) -> Result<(TriangleMesh, ResolveReport), ResolveError> {
    options.check()?;
    region.check()?;
    let sides = Sides::of(region.positions.len(), &region.faces);
    let mut cut = Cut::new(region, origin, pairs, &sides);
    let fill = FillOptions {
        method: Method::Flat,
        join: (!pairs.is_empty()).then(|| edge_length(region, pairs) * options.join),
        exact_up_to: options.exact_up_to,
        ..FillOptions::default()
    };
    let mut report = ResolveReport { intersecting_pairs: pairs.len() as u64, ..ResolveReport::default() };
    let first = |face: u32| region.faces[face as usize][0];
    let mut links: Vec<[u32; 2]> = pairs.iter().map(|pair| pair.map(first)).collect();
    let mut known: HashMap<Vec<u32>, Arc<Filled>> = HashMap::new();
    let mut last = String::new();
    for attempt in 1..=options.attempts {
        let Kept { faces: left, inside, within } = cut.kept(test)?;
        if !within {
            return Err(ResolveError::Reached);
        }
        report.attempts = attempt;
        report.faces_inside = inside;
        report.faces_cut = region.faces.len() - left.len() - inside;
        if left.is_empty() && !region.faces.is_empty() {
            return Err(match attempt {
                1 => ResolveError::NothingLeft,
                _ => ResolveError::GaveUp { attempts: attempt - 1, last },
            });
        }
        let spots = spots(region, &left, &links);
        let filled: Vec<(bool, Arc<Filled>)> = (spots.par_iter())
            .map(|spot| match known.get(&spot.removed) {
                Some(filled) => Ok((false, filled.clone())),
                None => Ok((true, Arc::new(filled_spot(region, &sides, spot, &fill)?))),
            })
            .collect::<Result<_, FillError>>()?;
        let whole = Assembled::new(region, &left, filled.iter().map(|(_, filled)| &**filled));
        report.faces_added = whole.mesh.faces.len() - left.len();
        report.joined = filled.iter().map(|(_, filled)| filled.joined).sum();
        report.filled = filled.iter().map(|(_, filled)| filled.filled).sum();
        let new: Vec<u32> = (filled.iter().zip(&whole.starts))
            .filter(|((new, _), _)| *new)
            .flat_map(|((_, filled), start)| *start..start + filled.new.len() as u32)
            .collect();
        let positions = test.device().upload(&whole.mesh.points_around(origin))?;
        let hit = intersections_with(&positions, &whole.mesh.faces, &new)?;
        if hit.is_empty() {
            let all: Vec<u32> = (0..whole.mesh.faces.len() as u32).collect();
            let mesh = part(&whole.mesh, &all)?.0;
            return match no_manifold(&mesh)? {
                Some(what) => Err(ResolveError::GaveUp { attempts: attempt, last: what }),
                None => Ok((mesh, report)),
            };
        }
        last = format!("{} pairs of faces intersect", hit.len());
        known = spots.into_iter().zip(filled).map(|(spot, (_, filled))| (spot.removed, filled)).collect();
        // holes whose faces meet others belong together
        links.extend(hit.iter().filter_map(|pair| {
            let [a, b] = pair.map(|face| whole.vertices(face).next());
            Some([a?, b?])
        }));
        cut.more(&hit, &left, |face| whole.vertices(face));
    }
    Err(ResolveError::GaveUp { attempts: options.attempts, last })
}

/// Holes that lie near each other, with the faces around them.
struct Spot {
    /// The faces that are deleted, ascending.
    removed: Vec<u32>,
    /// The faces that stay with a vertex of one that does not, ascending.
    collar: Vec<u32>,
}

/// The spots of what is not `left`. The collars of two spots have no vertex in common, and `links` connect no two.
fn spots(region: &TriangleMesh, left: &[u32], links: &[[u32; 2]]) -> Vec<Spot> {
    let mut stays = vec![false; region.faces.len()];
    left.iter().for_each(|f| stays[*f as usize] = true);
    let mut at_hole = vec![false; region.positions.len()];
    let gone = region.faces.iter().zip(&stays).filter(|(_, stays)| !**stays);
    gone.for_each(|(face, _)| face.iter().for_each(|v| at_hole[*v as usize] = true));
    let mut sets = Sets::new(region.positions.len());
    let near: Vec<u32> = (0..region.faces.len() as u32)
        .filter(|f| region.faces[*f as usize].iter().any(|v| at_hole[*v as usize]))
        .collect();
    for &f in &near {
        let [a, b, c] = region.faces[f as usize];
        sets.unite(a, b);
        sets.unite(b, c);
    }
    links.iter().for_each(|[a, b]| sets.unite(*a, *b));
    let mut places: FxHashMap<u32, usize> = FxHashMap::default();
    let mut spots: Vec<Spot> = vec![];
    for f in near {
        let root = sets.root(region.faces[f as usize][0]);
        let place = *places.entry(root).or_insert_with(|| {
            spots.push(Spot { removed: vec![], collar: vec![] });
            spots.len() - 1
        });
        let list = &mut spots[place];
        if stays[f as usize] { &mut list.collar } else { &mut list.removed }.push(f);
    }
    spots
}

/// What fills the holes of a spot. Vertices are numbered for the spot alone.
struct Filled {
    /// The vertex of the region that each vertex is, or is a copy of; [`NONE`] for a new one.
    of: Vec<u32>,
    /// Whether it is the vertex itself.
    own: Vec<bool>,
    positions: Vec<DVec3>,
    /// Faces of the collar that have got copies, with their corners.
    changed: Vec<(u32, [u32; 3])>,
    new: Vec<[u32; 3]>,
    joined: usize,
    filled: usize,
}

fn filled_spot(
    region: &TriangleMesh,
    sides: &Sides,
    spot: &Spot,
    fill: &FillOptions,
) -> Result<Filled, FillError> {
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
    // where the collar ends, each fan of faces has a vertex of its own
    let mut fans = Sets::new(3 * spot.collar.len());
    let place = |f: u32| spot.collar.binary_search(&f).ok();
    for (i, &f) in spot.collar.iter().enumerate() {
        let corners = region.faces[f as usize];
        for (side, &other) in sides.of_face(f as usize).iter().enumerate() {
            let Some(j) = place(other) else { continue };
            for k in [side, (side + 1) % 3] {
                let there = region.faces[other as usize].iter().position(|v| *v == corners[k]);
                there.into_iter().for_each(|l| fans.unite((3 * i + k) as u32, (3 * j + l) as u32));
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
        faces.push(corners);
    }
    let positions = of.iter().map(|v| region.positions[*v as usize]).collect();
    let mut mesh = TriangleMesh::new(positions, faces.clone());
    let report = fill_holes_where(&mut mesh, fill, |around| around.iter().all(|v| *v < hole))?;
    // copies of vertices where surfaces touch, then new vertices
    let given = of.len();
    let copies: usize = report.vertices_split.iter().map(|(_, copies)| *copies as usize).sum();
    let mut own = vec![true; given];
    of.resize(mesh.positions.len(), NONE);
    own.resize(mesh.positions.len(), false);
    let (old, new) = mesh.faces.split_at(faces.len());
    let mut changed = vec![];
    for ((&f, before), after) in spot.collar.iter().zip(&faces).zip(old).filter(|((_, a), b)| a != b) {
        for (a, b) in before.iter().zip(after) {
            if *b as usize >= given && (*b as usize) < given + copies {
                of[*b as usize] = of[*a as usize];
            }
        }
        changed.push((f, *after));
    }
    let new = new.to_vec();
    let filled = report.filled - 2 * report.joined;
    Ok(Filled { of, own, positions: mesh.positions, changed, new, joined: report.joined, filled })
}

/// The region with all that fills it: its vertices, then others; the faces that are left, then new ones.
struct Assembled {
    mesh: TriangleMesh,
    /// The first new face of each spot.
    starts: Vec<u32>,
    /// The vertex of the region that each of the others is a copy of, or [`NONE`].
    copied: Vec<u32>,
    vertices: u32,
}
impl Assembled {
    fn new<'f>(region: &TriangleMesh, left: &[u32], all: impl Iterator<Item = &'f Filled>) -> Self {
        let mut positions = region.positions.clone();
        let mut faces: Vec<[u32; 3]> = left.iter().map(|f| region.faces[*f as usize]).collect();
        let (mut starts, mut copied) = (vec![], vec![]);
        for filled in all {
            let number = |((&of, &own), &p): ((&u32, &bool), &DVec3)| {
                if own {
                    return of;
                }
                positions.push(p);
                copied.push(of);
                positions.len() as u32 - 1
            };
            let numbers: Vec<u32> =
                filled.of.iter().zip(&filled.own).zip(&filled.positions).map(number).collect();
            let renumbered = |face: &[u32; 3]| face.map(|v| numbers[v as usize]);
            for (f, corners) in &filled.changed {
                if let Ok(at) = left.binary_search(f) {
                    faces[at] = renumbered(corners);
                }
            }
            starts.push(faces.len() as u32);
            faces.extend(filled.new.iter().map(renumbered));
        }
        let vertices = region.positions.len() as u32;
        Self { mesh: TriangleMesh::new(positions, faces), starts, copied, vertices }
    }
    /// The vertices of the region that a face has, or has copies of.
    fn vertices(&self, face: u32) -> impl Iterator<Item = u32> {
        let of = |v: u32| v.checked_sub(self.vertices).map_or(v, |at| self.copied[at as usize]);
        self.mesh.faces[face as usize].map(of).into_iter().filter(|v| *v != NONE)
    }
}
