//! Groups of neighbouring meshlets, which are simplified together.
use super::graph::Graph;
use super::meshlet::{Meshlet, split, vertices};
use super::sphere::up;
use crate::blame::blame;
use crate::curve::{Grid, LEVELS};
use crate::frame::Frame;
use crate::{Result, TilesError};
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh_remeshing::simplify::quadric::Quadric;
use ribbonmesh_remeshing::simplify::{Part, PartOptions, Simplified, simplify_part};

/// Meshlets of a group, about.
pub const SIZE: usize = 16;
/// How much longer an edge counts that stayed in the level before. It is inside of a group where that can be.
const STAYED: u32 = 4;
/// The distance of a surface from the input, in estimates at vertices and in the middles of edges: with which
/// [`simplify`](ribbonmesh_remeshing::simplify) bounds distances, too.
const RESERVE: f64 = 1.25;
/// A group has a greater error than all that it was made of by this part at least, so that comparisons in
/// single precision come to the same result.
const GROWTH: f64 = 1.0 + 1.0 / 1024.0;

/// The values of vertices, by numbers of the input.
pub struct Values {
    /// In the units of the frame.
    pub positions: Vec<Vec3>,
    /// Without area where no work was done on the vertex.
    pub quadrics: Vec<Quadric>,
}

/// Divides meshlets into groups of about `size`.
pub fn groups(meshlets: &[Meshlet], grid: &Grid, size: usize) -> Vec<Vec<u32>> {
    let key = |m: u32| grid.key(Vec3::from_array(meshlets[m as usize].around.centre), LEVELS);
    let mut order: Vec<u32> = (0..meshlets.len() as u32).collect();
    order.sort_by_cached_key(|&m| (key(m), m));
    let borders = |(place, &m): (usize, &u32)| {
        border(&meshlets[m as usize].triangles).into_iter().map(move |edge| (edge, place as u32))
    };
    let mut all: Vec<_> = order.par_iter().enumerate().flat_map_iter(borders).collect();
    all.par_sort_unstable();
    let made_by = |place: u32| meshlets[order[place as usize] as usize].made_by;
    let pair = |two: &[([u32; 2], u32)]| {
        let [a, b] = [two[0].1, two[1].1];
        let stayed = made_by(a) != made_by(b);
        (two[0].0 == two[1].0).then_some(([a, b], if stayed { STAYED } else { 1 }))
    };
    let pairs: Vec<_> = all.windows(2).filter_map(pair).collect();
    let mut parts = Graph::new(meshlets.len(), &pairs).parts(meshlets.len().div_ceil(size));
    parts.iter_mut().flatten().for_each(|place| *place = order[*place as usize]);
    parts
}

/// The edges with one triangle.
fn border(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]].map(|[a, b]| [a.min(b), a.max(b)]);
    let mut all: Vec<_> = triangles.iter().flat_map(sides).collect();
    all.sort_unstable();
    all.chunk_by(|a, b| a == b).filter(|same| same.len() == 1).map(|same| same[0]).collect()
}

/// Whether each vertex has triangles in several groups.
pub fn shared(meshlets: &[Meshlet], groups: &[Vec<u32>], vertices: usize) -> Vec<bool> {
    const NONE: u32 = u32::MAX;
    let (mut of, mut shared) = (vec![NONE; vertices], vec![false; vertices]);
    for (g, group) in groups.iter().enumerate() {
        let triangles = group.iter().flat_map(|&m| &meshlets[m as usize].triangles);
        for &v in triangles.flatten() {
            let of = &mut of[v as usize];
            shared[v as usize] |= *of != NONE && *of != g as u32;
            *of = g as u32;
        }
    }
    shared
}

/// A group with half of its triangles.
pub struct Made {
    /// New meshlets.
    pub pieces: Vec<Vec<[u32; 3]>>,
    /// New values of vertices.
    pub values: Vec<(u32, Vec3, Quadric)>,
    /// At least that of all that it was made of, in the units of the frame.
    pub error: f32,
}

/// Simplifies a group to half of its triangles, where vertices with triangles in others stay; [`None`] where
/// too much stays, unless it is the `only` one.
/// # Errors
/// The triangles are no oriented manifold.
pub fn simplified(
    (group, only): (&[&Meshlet], bool),
    values: &Values,
    shared: &[bool],
    (options, frame): (&PartOptions, &Frame),
) -> Result<Option<Made>> {
    let triangles: Vec<_> = group.iter().flat_map(|meshlet| meshlet.triangles.iter().copied()).collect();
    let ids = vertices(&triangles);
    // all are there
    let place = |v: u32| ids.partition_point(|&u| u < v) as u32;
    let part = || Part {
        positions: ids.iter().map(|&v| values.positions[v as usize]).collect(),
        triangles: triangles.iter().map(|corners| corners.map(place)).collect(),
        fixed: ids.iter().map(|&v| shared[v as usize]).collect(),
        quadrics: ids.iter().map(|&v| values.quadrics[v as usize]).collect(),
    };
    let options = PartOptions { faces: triangles.len() as u32 / 2, ..*options };
    let Some(done) = simplify_part(part(), &options)? else {
        let Part { positions, triangles, fixed, .. } = part();
        return Err(blame(&positions, &triangles, &fixed, frame));
    };
    let Simplified { part, sources, .. } = done;
    let left = part.triangles.len();
    let id = |v: u32| ids[sources[v as usize] as usize];
    let pieces = split(&part.triangles.iter().map(|corners| corners.map(id)).collect::<Vec<_>>());
    if pieces.len() >= group.len() || !only && 4 * left > 3 * triangles.len() {
        return Ok(None);
    }
    let below = group.iter().map(|meshlet| f64::from(meshlet.own.error)).fold(0.0, f64::max);
    let here = part.quadrics.iter().map(|quadric| RESERVE * quadric.drift).fold(0.0, f64::max);
    let all = sources.iter().zip(part.positions.iter().zip(&part.quadrics));
    Ok(Some(Made {
        pieces,
        values: all.map(|(&source, (&p, &q))| (ids[source as usize], p, q)).collect(),
        error: up(here.max(GROWTH * below)),
    }))
}

/// The options of the work on a group, with distances from the input.
pub fn options(usual: &super::LevelsOptions) -> Result<PartOptions> {
    let &super::LevelsOptions { feature_angle, curve_weight, max_turn } = usual;
    let checked = ribbonmesh_remeshing::simplify::SimplifyOptions {
        target: Some(ribbonmesh_remeshing::simplify::Target::Ratio(0.5)),
        feature_angle,
        curve_weight,
        max_turn,
        ..Default::default()
    };
    checked.check().map_err(TilesError::from)?;
    Ok(PartOptions { faces: 0, max_error: Some(f32::MAX), feature_angle, curve_weight, max_turn })
}
