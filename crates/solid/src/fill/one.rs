//! Filling of one hole.
use crate::fill::ears::cut_ears;
use crate::fill::exact::{Least, Polygon};
use crate::fill::fair::{Corner, fair};
use crate::fill::refine::{Sizes, refine};
use crate::fill::region::Region;
use crate::fill::sheet::{Flip, Sheet};
use crate::fill::weight::degrees;
use crate::fill::{Filling, FlatBecause, Method, Triangulation};
use glam::DVec3;
use ribbonmesh::Result;

/// Rounds of refining and fairing after the coarse ones: the very first makes a thin plate of the flat
/// filling, and the others bend it.
const ROUNDS: u32 = 4;
/// Most vertices of a filling that is as dense as the surface around it; a larger filling is coarser in its
/// middle.
const DENSE: f64 = 20_000.0;
/// Vertices of a filling for the first round; each further one has four times as many.
const FIRST: f64 = 300.0;

/// Factor by which a filling may exceed its final limits between rounds.
const AMID: f64 = 2.0;

/// A hole to be filled, in coordinates of about 1.
pub(crate) struct Opening<'a> {
    /// The vertices of the loop, in the direction of the new faces.
    pub points: Vec<DVec3>,
    /// Unit normals of the faces across the side from each vertex to the next.
    pub outside: Vec<DVec3>,
    /// The faces at the vertices of the loop.
    pub around: &'a [[Corner; 3]],
    /// Mean length of the edges at each vertex of the loop; the target of refinement.
    pub sizes: Vec<f64>,
    /// Whether it is the outside of a single face.
    pub lone: bool,
    /// The faces of the strip, if the opening is the region between two loops.
    pub strip: Option<Vec<[u32; 3]>>,
    /// Number of vertices of the first loop; without a strip, of the only one.
    pub first: usize,
}

/// The part that stays of a filling of a hole for the next one, in which more edges are refused.
pub(crate) struct Again<'a> {
    /// The triangulations of least weight, once there are some.
    pub least: &'a mut Option<Least>,
    /// The edges that were legal for these, and no longer are, as indices into the loop.
    pub refused: Vec<[usize; 2]>,
}

/// Fills a hole. `legal` says whether two vertices of the loop may have an edge. A smooth filling that does
/// not converge, or leaves the surroundings of the loop, is replaced by the flat one.
pub(crate) fn fill_one(
    opening: Opening<'_>,
    method: Method,
    exact_up_to: u32,
    legal: &(impl Fn(u32, u32) -> bool + Sync),
    again: Option<Again<'_>>,
) -> Result<(Sheet, Filling)> {
    let Opening { mut points, outside, around, mut sizes, lone, strip, first } = opening;
    let rim = points.len();
    let allowed = |i: usize, j: usize| legal(i as u32, j as u32);
    let whole = || (0..rim as u32).collect::<Vec<u32>>();
    let (mut faces, left, mut triangulation) = if let Some(strip) = strip {
        (strip, vec![], Triangulation::Strip)
    } else if lone {
        (vec![], whole(), Triangulation::Centre)
    } else if rim <= exact_up_to as usize {
        let polygon = Polygon { points: &points, normals: &outside };
        let found = match again {
            Some(Again { least: Some(least), refused }) => {
                least.refuse(polygon, &refused);
                least.triangles()
            }
            Some(Again { least, .. }) => least.insert(Least::of(polygon, allowed)).triangles(),
            None => Least::of(polygon, allowed).triangles(),
        };
        match found {
            Some(faces) => (faces, vec![], Triangulation::Exact),
            None => (vec![], whole(), Triangulation::Centre),
        }
    } else {
        let ears = cut_ears(&points, &outside, allowed);
        (ears.triangles, ears.left, Triangulation::Ears)
    };
    if !left.is_empty() {
        triangulation = Triangulation::Centre;
        let places = || left.iter().map(|&i| i as usize);
        let count = left.len() as f64;
        points.push(places().map(|i| points[i]).sum::<DVec3>() / count);
        sizes.push(places().map(|i| sizes[i]).sum::<f64>() / count);
        let next = left.iter().cycle().skip(1);
        faces.extend(left.iter().zip(next).map(|(&a, &b)| [a, b, rim as u32]));
    }
    let mut sheet = Sheet::new(rim, points, faces, outside);
    if triangulation != Triangulation::Exact {
        sheet.flip_all(Flip::Sharpness, legal);
    }
    let mut converged = true;
    let mut flat_because = None;
    if method == Method::Smooth {
        let flat = sheet.clone();
        let region = Region::of(&flat, first);
        sheet.flip_all(Flip::Delaunay, legal);
        let mut sizes = Sizes::new(sizes);
        let expected = sizes.expected(&sheet);
        // from coarse to fine: conjugate gradients then begin near the result
        let levels = (expected.min(DENSE) / FIRST).max(1.0).log(4.0).ceil() as u32;
        let finest = (expected / DENSE).sqrt().max(1.0);
        for round in 0..levels + ROUNDS {
            let coarse = finest * f64::from(1 << levels.saturating_sub(round));
            refine(&mut sheet, &mut sizes, coarse, legal);
            let done = fair(&mut sheet, around, round > 0)?;
            sheet.flip_all(Flip::Delaunay, legal);
            if !region.holds(&sheet, AMID) {
                break;
            }
            match done {
                Some(done) => converged = done,
                // a failed later round leaves the result of the round before, which is smooth, too
                None => {
                    converged &= round > 0;
                    break;
                }
            }
        }
        if !region.holds(&sheet, 1.0) {
            flat_because = Some(FlatBecause::Bulged);
        } else if !converged {
            flat_because = Some(FlatBecause::NotConverged);
        }
        if flat_because.is_some() {
            sheet = flat;
        }
    }
    let filling = Filling {
        triangulation,
        faces: sheet.faces.len(),
        vertices: sheet.points.len() - rim,
        area: sheet.area(),
        max_dihedral_angle: degrees(sheet.least_cosine()),
        converged,
        flat_because,
    };
    Ok((sheet, filling))
}
