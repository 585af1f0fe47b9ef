//! Resolving a part of a surface: each spot where something is deleted is filled for itself.
use crate::cut::{Cut, Kept};
use crate::gone::{Gone, Spot};
use crate::resolve::{edge_length, no_manifold, part};
use crate::spot::filled_spot;
use crate::{ResolveError, ResolveOptions, ResolveReport};
use glam::DVec3;
use rayon::prelude::*;
use ribbonmesh::device::NONE;
use ribbonmesh_fill::{FillError, FillOptions, Method};
use ribbonmesh_inside::InsideTest;
use ribbonmesh_intersections::intersections_with;
use ribbonmesh_mesh::{Sides, TriangleMesh};

/// What a region has become.
pub struct ResolvedRegion {
    /// The region, without attributes. Vertices without a face are left out.
    pub mesh: TriangleMesh,
    /// For each vertex the one of the region that it is, or is a copy of; none for a new one.
    pub vertices: Vec<Option<u32>>,
    /// What was done.
    pub report: ResolveReport,
}

/// Resolves intersections in a part of a closed surface: `region` has the faces that intersect, the `pairs` of them, and others around
/// them. Where it ends, its faces stay as they are, so that what is around it fits the result. `test` is one of the whole
/// surface, with positions around the same `origin`.
///
/// The result is a manifold with the same boundary; none of its new faces intersects another of its faces. It may intersect what is around
/// the region. Attributes are dropped; vertices that stay have their positions, to the bit. The options
/// `longest` and `most_deviation` do not matter.
///
/// Holes that lie apart are filled in parallel, and each is looked at for itself first: more is deleted around what intersects itself or
/// the faces around it, and it is filled again. When no hole is left that needs it, new faces are searched for on the device, among all
/// faces. So an attempt costs what is filled again, and a search only where all holes fit their surroundings.
/// # Errors
/// [`ResolveError::Reached`] where the region is too small; [`ResolveError::GaveUp`]; those of the device.
pub fn resolve_region(
    test: &InsideTest<'_>,
    region: &TriangleMesh,
    origin: DVec3,
    pairs: &[[u32; 2]],
    options: &ResolveOptions,
) -> Result<ResolvedRegion, ResolveError> {
    options.check()?;
    region.check()?;
    let sides = Sides::of(region.positions.len(), &region.faces);
    let Kept { faces: stay, inside } = Cut::new(region, origin, pairs, &sides).kept(test)?;
    let mut gone = Gone::new(region, &sides, &stay);
    for pair in pairs {
        let [a, b] = pair.map(|face| region.faces[face as usize][0]);
        gone.link(a, b);
    }
    let fill = FillOptions {
        method: Method::Flat,
        join: (!pairs.is_empty()).then(|| edge_length(region, pairs) * options.join),
        exact_up_to: options.exact_up_to,
        ..FillOptions::default()
    };
    let mut report = ResolveReport {
        intersecting_pairs: pairs.len() as u64,
        faces_inside: inside,
        ..ResolveReport::default()
    };
    let mut spots = vec![];
    let mut last = String::new();
    for attempt in 1..=options.attempts {
        let vertices = gone.reached();
        if !vertices.is_empty() {
            return Err(ResolveError::Reached { vertices });
        }
        report.attempts = attempt;
        if gone.len() == region.faces.len() && !region.faces.is_empty() {
            return Err(match attempt {
                1 => ResolveError::NothingLeft,
                _ => ResolveError::GaveUp { attempts: attempt - 1, last },
            });
        }
        spots = gone.spots(spots);
        spots.par_iter_mut().filter(|spot| spot.filled.is_none()).try_for_each(|spot| {
            spot.filled = Some(filled_spot(region, origin, &sides, spot, &fill)?);
            Ok::<_, FillError>(())
        })?;
        let mut hits = grow_alone(&mut gone, &spots);
        if hits == 0 {
            let left = gone.left();
            let whole = Assembled::new(region, &left, &spots);
            report.faces_cut = gone.len() - inside;
            report.faces_added = whole.mesh.faces.len() - left.len();
            let filled = || spots.iter().filter_map(|spot| spot.filled.as_ref());
            report.joined = filled().map(|filled| filled.joined).sum();
            report.filled = filled().map(|filled| filled.filled).sum();
            let positions = test.device().upload(&whole.mesh.points_around(origin))?;
            let hit = intersections_with(&positions, &whole.mesh.faces, &whole.not_searched(&spots))?;
            if hit.is_empty() {
                return finished(&whole, attempt, report);
            }
            hits = hit.len();
            // what has met nothing, or else goes
            spots.iter_mut().for_each(|spot| spot.searched = true);
            let met = hit.iter().flatten().filter_map(|face| whole.spot_of(*face));
            met.for_each(|spot| spots[spot].searched = false);
            grow_together(&mut gone, &spots, &whole, &left, &hit);
        }
        last = format!("{hits} pairs of faces intersect");
    }
    Err(ResolveError::GaveUp { attempts: options.attempts, last })
}

/// Deletes more at each spot whose new faces intersect each other or what is around them. The number of pairs.
fn grow_alone(gone: &mut Gone<'_>, spots: &[Spot]) -> usize {
    let mut hits = 0;
    for spot in spots {
        let Some(filled) = spot.filled.as_ref().filter(|filled| !filled.hit.is_empty()) else { continue };
        hits += filled.hit.len();
        let mut cut = vec![];
        for &face in filled.hit.iter().flatten() {
            match (face as usize).checked_sub(spot.collar.len()) {
                None => cut.push(spot.collar[face as usize]),
                Some(new) => cut.extend(gone.around(filled.vertices(new))),
            }
        }
        // what is near may have gone before
        if !gone.cut(cut) {
            gone.cut(gone.ring(spot));
        }
    }
    hits
}

/// Deletes more where new faces intersect others, and makes one spot of those of each pair.
fn grow_together(gone: &mut Gone<'_>, spots: &[Spot], whole: &Assembled, left: &[u32], hit: &[[u32; 2]]) {
    for pair in hit {
        let [a, b] = pair.map(|face| whole.vertices(face).next());
        if let (Some(a), Some(b)) = (a, b) {
            gone.link(a, b);
        }
    }
    for pair in hit {
        let mut cut = vec![];
        for &face in pair {
            match left.get(face as usize) {
                Some(&old) => cut.push(old),
                None => cut.extend(gone.around(whole.vertices(face))),
            }
        }
        if !gone.cut(cut) {
            let near: Vec<u32> = (pair.iter())
                .filter_map(|face| whole.spot_of(*face))
                .flat_map(|spot| gone.ring(&spots[spot]))
                .collect();
            gone.cut(near);
        }
    }
}

/// What is left of the assembled surface, if it is a manifold.
fn finished(whole: &Assembled, attempt: u32, report: ResolveReport) -> Result<ResolvedRegion, ResolveError> {
    let all: Vec<u32> = (0..whole.mesh.faces.len() as u32).collect();
    let (mesh, vertices) = part(&whole.mesh, &all)?;
    match no_manifold(&mesh)? {
        Some(what) => Err(ResolveError::GaveUp { attempts: attempt, last: what }),
        None => {
            let vertices = vertices.into_iter().map(|v| whole.old(v)).collect();
            Ok(ResolvedRegion { mesh, vertices, report })
        }
    }
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
    fn new(region: &TriangleMesh, left: &[u32], spots: &[Spot]) -> Self {
        let mut positions = region.positions.clone();
        let mut faces: Vec<[u32; 3]> = left.iter().map(|f| region.faces[*f as usize]).collect();
        let (mut starts, mut copied) = (vec![], vec![]);
        for filled in spots.iter().filter_map(|spot| spot.filled.as_ref()) {
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
    /// The vertex of the region that one is, or is a copy of.
    fn old(&self, v: u32) -> Option<u32> {
        let of = v.checked_sub(self.vertices).map_or(v, |at| self.copied[at as usize]);
        (of != NONE).then_some(of)
    }
    /// The vertices of the region that a face has, or has copies of.
    fn vertices(&self, face: u32) -> impl Iterator<Item = u32> {
        self.mesh.faces[face as usize].map(|v| self.old(v)).into_iter().flatten()
    }
    /// The spot of a new face.
    fn spot_of(&self, face: u32) -> Option<usize> {
        self.starts.partition_point(|start| *start <= face).checked_sub(1)
    }
    /// The new faces that were in no search.
    fn not_searched(&self, spots: &[Spot]) -> Vec<u32> {
        let ends = self.starts.iter().skip(1).copied().chain([self.mesh.faces.len() as u32]);
        let of = spots.iter().zip(self.starts.iter().copied().zip(ends));
        of.filter(|(spot, _)| !spot.searched).flat_map(|(_, (start, end))| start..end).collect()
    }
}
