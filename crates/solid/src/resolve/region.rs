//! Resolving a part of a surface: each spot where faces are deleted is filled separately.
use crate::fill::{FillOptions, Method};
use crate::inside::InsideTest;
use crate::intersections::intersections_of_some;
use crate::resolve::cut::{Cut, cut};
use crate::resolve::gone::{Gone, Spot};
use crate::resolve::run::edge_length;
use crate::resolve::spot::{filled_spot, points_around};
use crate::resolve::{ResolveError, ResolveOptions, ResolveReport};
use glam::DVec3;
use rayon::prelude::*;
use ribbonmesh::device::NONE;
use ribbonmesh_mesh::{Element, Sides, TriangleMesh};
use std::time::Instant;

/// Result of resolving a region.
pub struct ResolvedRegion {
    /// The region. Vertices without a face are left out.
    pub mesh: TriangleMesh,
    /// For each vertex, the vertex of the region that it is, or is a copy of; `None` for a new one.
    pub vertices: Vec<Option<u32>>,
    /// For each face, the face of the region that it is, possibly with copies of its vertices; `None` for a
    /// new one.
    pub faces: Vec<Option<u32>>,
    /// Report of resolving.
    pub report: ResolveReport,
}

/// Resolves intersections in a part of a closed surface: `region` has the faces that intersect, the `pairs`
/// of them, and others around them. At its border its faces stay as they are, so that the surface around it
/// fits the result. `test` belongs to the whole surface, with positions around the same `origin`.
///
/// The result is a manifold with the same boundary; none of its new faces intersects another of its faces. It
/// may intersect the surface around the region. Vertices that stay keep their positions, to the bit.
/// Attributes are transferred: new faces and vertices get theirs as with
/// [`fill_holes`](crate::fill::fill_holes).
///
/// Separate spots are filled in parallel, and each is first checked alone: where its filling intersects
/// itself or the faces around it, more faces are deleted, and it is filled again. When no spot needs that any
/// more, the new faces are searched for intersections with all faces. So an attempt costs only the spots that
/// are filled again, and the search runs only if all fillings fit their surroundings.
/// # Errors
/// [`ResolveError::Reached`] if the region is too small; [`ResolveError::GaveUp`]; errors of the device.
pub fn resolve_region(
    test: &InsideTest<'_>,
    region: &TriangleMesh,
    origin: DVec3,
    pairs: &[[u32; 2]],
    options: &ResolveOptions,
) -> Result<ResolvedRegion, ResolveError> {
    options.check()?;
    region.check()?;
    let start = Instant::now();
    let sides = Sides::of(region.positions.len(), &region.faces);
    let Cut { gone, inside } = cut(region, &sides, origin, pairs, test)?;
    let delete_seconds = start.elapsed().as_secs_f64();
    let mut gone = Gone::new(region, &sides, &gone);
    for pair in pairs {
        let [a, b] = pair.map(|face| region.faces[face as usize][0]);
        gone.link(a, b);
    }
    let fill = FillOptions {
        method: Method::Flat,
        join: (!pairs.is_empty()).then(|| edge_length(region, pairs) * options.join),
        exact_up_to: options.exact_up_to,
        borders: true,
        rings: false,
        ..FillOptions::default()
    };
    let mut report = ResolveReport {
        intersecting_pairs: pairs.len() as u64,
        faces_inside: inside,
        delete_seconds,
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
            Ok::<_, ResolveError>(())
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
            let hit = whole.intersections(origin, &spots);
            if hit.is_empty() {
                if filled().any(|filled| !filled.is_manifold) {
                    last = "a filling is no oriented manifold".into();
                    return Err(ResolveError::GaveUp { attempts: attempt, last });
                }
                return finished(region, &left, &spots, &whole, report);
            }
            hits = hit.len();
            // all spots were searched, except those that the search has hit: these are filled again
            spots.iter_mut().for_each(|spot| spot.searched = true);
            let met = hit.iter().flatten().filter_map(|face| whole.spot_of(*face));
            met.for_each(|spot| spots[spot].searched = false);
            grow_together(&mut gone, &spots, &whole, &left, &hit);
        }
        last = format!("{hits} pairs of faces intersect");
    }
    Err(ResolveError::GaveUp { attempts: options.attempts, last })
}

/// Deletes more faces at each spot whose new faces intersect each other or the faces around them. Returns the
/// number of pairs.
fn grow_alone(gone: &mut Gone<'_>, spots: &[Spot]) -> usize {
    let mut hits = 0;
    for spot in spots {
        let Some(filled) = spot.filled.as_ref().filter(|filled| !filled.hit.is_empty()) else { continue };
        hits += filled.hit.len();
        let mut cut = vec![];
        for &face in filled.hit.iter().flatten() {
            match spot.collar.get(face as usize) {
                Some(old) => cut.push(*old),
                None => cut.extend(gone.around(filled.vertices(face))),
            }
        }
        // the faces near it may be deleted already
        if !gone.cut(cut) {
            gone.cut(gone.ring(spot));
        }
    }
    hits
}

/// Deletes more faces where new faces intersect others, and unites the spots of each pair.
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

/// The assembled surface with its attributes.
fn finished(
    region: &TriangleMesh,
    left: &[u32],
    spots: &[Spot],
    whole: &Assembled,
    mut report: ResolveReport,
) -> Result<ResolvedRegion, ResolveError> {
    let (mesh, vertices) = whole.compacted();
    let (mesh, dropped) = if has_attributes(region) {
        with_attributes(region, left, spots, whole, &mesh.faces, &vertices)?
    } else {
        (mesh, vec![])
    };
    report.columns_dropped = dropped;
    let vertices = vertices.into_iter().map(|v| whole.old(v)).collect();
    let mut faces: Vec<Option<u32>> = left.iter().copied().map(Some).collect();
    faces.resize(mesh.faces.len(), None);
    Ok(ResolvedRegion { mesh, vertices, faces, report })
}

fn has_attributes(mesh: &TriangleMesh) -> bool {
    [Element::Vertex, Element::Face, Element::Corner, Element::Edge]
        .into_iter()
        .any(|element| !mesh.attributes(element).is_empty())
}

/// The same surface with attributes: from the region, and from the filling of each spot. Also the columns
/// that are dropped.
fn with_attributes(
    region: &TriangleMesh,
    left: &[u32],
    spots: &[Spot],
    whole: &Assembled,
    faces: &[[u32; 3]],
    vertices: &[u32],
) -> Result<(TriangleMesh, Vec<String>), ResolveError> {
    let filled = || spots.iter().filter_map(|spot| Some((spot, spot.filled.as_ref()?)));
    let mut dropped = vec![];
    // the region, then all spots in their order; spots are joined in pairs, so that no spot is copied often
    let mut behind: Vec<TriangleMesh> = filled().map(|(_, filled)| filled.mesh.clone()).collect();
    while behind.len() > 1 {
        let mut joined = Vec::with_capacity(behind.len().div_ceil(2));
        let mut rest = behind.into_iter();
        while let Some(mut mesh) = rest.next() {
            if let Some(next) = rest.next() {
                dropped.extend(mesh.append(&next)?);
            }
            joined.push(mesh);
        }
        behind = joined;
    }
    let mut all = region.clone();
    let tables = std::mem::take(&mut all.tables);
    if let Some(mesh) = behind.first() {
        dropped.extend(all.append(mesh)?);
    }
    // the index of each vertex and face of the result in the joined mesh
    let mut from: Vec<u32> = (0..region.positions.len() as u32).collect();
    let mut faces_from: Vec<u32> = left.to_vec();
    let (mut vertex, mut face) = (region.positions.len() as u32, region.faces.len() as u32);
    for (spot, filled) in filled() {
        dropped.extend(filled.columns_dropped.iter().cloned());
        for ((v, of), own) in (vertex..).zip(&filled.of).zip(&filled.own) {
            if !own {
                from.push(if *of == NONE { v } else { *of });
            }
        }
        let new = spot.collar.len() as u32..filled.mesh.faces.len() as u32;
        faces_from.extend(new.map(|f| face + f));
        vertex += filled.mesh.positions.len() as u32;
        face += filled.mesh.faces.len() as u32;
    }
    debug_assert_eq!(from.len(), whole.mesh.positions.len());
    let vertices: Vec<u32> = vertices.iter().map(|v| from[*v as usize]).collect();
    let faces: Vec<(u32, [u32; 3])> = faces_from.into_iter().zip(faces.iter().copied()).collect();
    all.rebuild(&vertices, &faces)?;
    all.tables = tables;
    dropped.sort_unstable();
    dropped.dedup();
    Ok((all, dropped))
}

/// The region with all fillings: its vertices, then others; the remaining faces, then new ones.
struct Assembled {
    mesh: TriangleMesh,
    /// The first new face of each spot.
    starts: Vec<u32>,
    /// For each of the other vertices, the vertex of the region of which it is a copy, or [`NONE`].
    copied: Vec<u32>,
    vertices: u32,
}
impl Assembled {
    fn new(region: &TriangleMesh, left: &[u32], spots: &[Spot]) -> Self {
        let mut positions = region.positions.clone();
        let mut faces: Vec<[u32; 3]> = left.iter().map(|f| region.faces[*f as usize]).collect();
        let (mut starts, mut copied) = (vec![], vec![]);
        for (spot, filled) in spots.iter().filter_map(|spot| Some((spot, spot.filled.as_ref()?))) {
            let number = |((&of, &own), &p): ((&u32, &bool), &DVec3)| {
                if own {
                    return of;
                }
                positions.push(p);
                copied.push(of);
                positions.len() as u32 - 1
            };
            let numbers: Vec<u32> =
                filled.of.iter().zip(&filled.own).zip(&filled.mesh.positions).map(number).collect();
            let renumbered = |face: &[u32; 3]| face.map(|v| numbers[v as usize]);
            for (f, corners) in &filled.changed {
                if let Ok(at) = left.binary_search(f) {
                    faces[at] = renumbered(corners);
                }
            }
            starts.push(faces.len() as u32);
            faces.extend(filled.mesh.faces[spot.collar.len()..].iter().map(renumbered));
        }
        let vertices = region.positions.len() as u32;
        Self { mesh: TriangleMesh::new(positions, faces), starts, copied, vertices }
    }
    /// The mesh without vertices that no face has, and the numbers of its vertices here.
    fn compacted(&self) -> (TriangleMesh, Vec<u32>) {
        let TriangleMesh { positions, faces, .. } = &self.mesh;
        let mut numbers = vec![NONE; positions.len()];
        faces.as_flattened().iter().for_each(|&v| numbers[v as usize] = 0);
        let mut vertices = vec![];
        for (v, number) in (0_u32..).zip(&mut numbers).filter(|(_, number)| **number != NONE) {
            *number = vertices.len() as u32;
            vertices.push(v);
        }
        let positions = vertices.iter().map(|&v| positions[v as usize]).collect();
        let faces = faces.iter().map(|face| face.map(|v| numbers[v as usize])).collect();
        (TriangleMesh::new(positions, faces), vertices)
    }
    /// The vertex of the region that one is, or is a copy of.
    fn old(&self, v: u32) -> Option<u32> {
        let of = v.checked_sub(self.vertices).map_or(v, |at| self.copied[at as usize]);
        (of != NONE).then_some(of)
    }
    /// The vertices of the region that a face has, or of which it has copies.
    fn vertices(&self, face: u32) -> impl Iterator<Item = u32> {
        self.mesh.faces[face as usize].map(|v| self.old(v)).into_iter().flatten()
    }
    /// The spot of a new face.
    fn spot_of(&self, face: u32) -> Option<usize> {
        self.starts.partition_point(|start| *start <= face).checked_sub(1)
    }
    /// The pairs of faces that intersect, of which one at least is a new face that no search has covered:
    /// pairs of two such faces, then others with such a face first.
    fn intersections(&self, origin: DVec3, spots: &[Spot]) -> Vec<[u32; 2]> {
        let fresh = |f: u32| self.spot_of(f).is_some_and(|spot| !spots[spot].searched);
        let found = intersections_of_some(&points_around(&self.mesh, origin), &self.mesh.faces, fresh);
        let (mut hit, mut others): (Vec<_>, Vec<_>) =
            found.into_iter().partition(|pair| pair.map(fresh) == [true; 2]);
        others.iter_mut().filter(|pair| !fresh(pair[0])).for_each(|pair| pair.reverse());
        others.sort_unstable();
        hit.extend(others);
        hit
    }
}
