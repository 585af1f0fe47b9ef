//! Parts of a mesh that are remeshed by themselves, so that they fit each other afterwards.
use super::begin::{self, OfPart};
use super::later::Later;
use super::options::{Boundary, RemeshOptions, Weights};
use super::remesher::Remesher;
use super::survey::is_sharp;
use super::valences::Valences;
use crate::remesh::values::BITS;
use crate::triangles::{Mesh, Sides};
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh::bvh::{Bvh, Closest};
use ribbonmesh::device::{HalfEdge, NONE};
use ribbonmesh::dynamic::ExecutionMode;
use ribbonmesh::features::kind::FREE;
use ribbonmesh::{Device, MeshOptions, Result, Surface};
use ribbonmesh_application::Length;
use serde::{Deserialize, Serialize};

/// Some of the faces of a mesh, with their vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// Positions.
    pub positions: Vec<Vec3>,
    /// Vertices of each face.
    pub triangles: Vec<[u32; 3]>,
    /// Whether each vertex has faces in other parts. These vertices stay where they are, and so do all edges
    /// between them on the boundary of the part; no edge at them is collapsed, and no edge between two of
    /// them is made. Of all other vertices the part must have all faces.
    pub fixed: Vec<bool>,
    /// Whether each vertex lies on a feature, as earlier work on the part has left it: edges between others
    /// are none. Empty: any edge may be a feature.
    pub on_feature: Vec<bool>,
    /// Whether each vertex is fixed, and later work is done around it, on parts cut in another way. Within
    /// [`PartOptions::unsmoothed`] edges of it no vertex is smoothed, so that none is smoothed twice. Empty:
    /// none.
    pub later: Vec<bool>,
    /// Target length at each vertex, in the units of the positions. Empty: [`PartOptions::length`]
    /// everywhere.
    pub lengths: Vec<f32>,
}

/// Options of [`remesh_part`]: those of [`RemeshOptions`] that a part can have.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartOptions {
    /// The target length of edges, in the units of the part's positions, where vertices have none of their
    /// own.
    pub length: f32,
    /// Rounds of splitting, collapsing, flipping, smoothing.
    pub iterations: u32,
    /// Angle from which on edges are features, in degrees.
    pub feature_angle: Option<f32>,
    /// Whether the mesh is one of long thin triangles ([`Survey::is_thin`](crate::remesh::Survey::is_thin)).
    pub thin: bool,
    /// Edges between two features that are shorter than this, in target lengths, are collapsed.
    pub merge: f32,
    /// Treatment of the boundary of the whole mesh.
    pub boundary: Boundary,
    /// Whether vertices are projected to the part as it was given.
    pub project: bool,
    /// Steps of smoothing in each iteration.
    pub smoothing: u32,
    /// Part of the way that a vertex moves in a step of smoothing, 0 to 1.
    pub step: f32,
    /// Weights of triangles in smoothing.
    pub weights: Weights,
    /// Steps along edges from vertices of [`Part::later`] within which vertices are not smoothed.
    pub unsmoothed: u32,
    /// Work ends where there are more faces than this; at most twice as many are made.
    pub most_faces: u64,
}
impl PartOptions {
    fn options(&self) -> RemeshOptions {
        let Self { length, iterations, feature_angle, merge, boundary, .. } = *self;
        RemeshOptions {
            length: Length::Absolute(length),
            iterations,
            feature_angle,
            keep_sharp: false,
            merge,
            boundary,
            project: self.project,
            adaptive: None,
            smoothing: self.smoothing,
            step: self.step,
            weights: self.weights,
            no_self_intersections: false,
            validate: false,
            mode: ExecutionMode::Automatic,
        }
    }
}

/// The result of [`remesh_part`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Remeshed {
    /// The part. Fixed vertices are where they were. Vertices of features include those of the boundary.
    /// Target lengths are those of the part as it was given, at the closest point of its surface.
    pub part: Part,
    /// For each fixed vertex its number in the part as it was given, else [`NONE`].
    pub sources: Vec<u32>,
    /// Whether all iterations were made, with all edges split that are too long: there were never more faces
    /// than [`PartOptions::most_faces`].
    pub finished: bool,
}

/// Remeshes a part on the CPU, with the operations and rules of [`remesh`](crate::remesh::remesh()). Where
/// edges stay that are much longer than the target length, triangles grow towards them. The result depends on
/// the part and the options, and on nothing else.
///
/// Returns [`None`] where the part is not an oriented manifold: a face has a vertex twice, two faces have a
/// side in common with the same direction, or the faces of a vertex that is not fixed are not one fan.
/// # Errors
/// [`Error::Option`](ribbonmesh::Error::Option); [`Error::NotFinite`](ribbonmesh::Error::NotFinite);
/// [`Error::Stopped`](ribbonmesh::Error::Stopped) by the watch of the thread.
pub fn remesh_part(part: &Part, options: &PartOptions) -> Result<Option<Remeshed>> {
    let Some((mut surface, opened)) = opened(part, options)? else { return Ok(None) };
    let Opened { numbers, features, on_feature, lengths, .. } = opened;
    let of_part = OfPart { numbers: &numbers, features: &features, thin: options.thin, lengths: &lengths };
    let mut remesher = Remesher::with(&mut surface, &options.options(), None, Some(&of_part))?;
    drop((surface, numbers, features, lengths));
    remesher.report.most_faces = Some(options.most_faces);
    remesher.look_after = 1;
    remesher.later = Later { vertices: part.later.clone(), steps: options.unsmoothed };
    let Remesher { mesh, values, .. } = &mut remesher;
    remesher.valences = Valences::new(mesh, values, part.positions.len())?;
    remesher.run()?;
    let report = &remesher.report.iterations;
    let whole = report.len() == options.iterations as usize;
    let finished = whole && report.last().is_none_or(|last| last.split.finished) && !remesher.exceeds();
    remesher.end()?;
    joined(&remesher, part, &on_feature, finished).map(Some)
}

/// Computes target lengths of a part's vertices by curvature, as [`Adaptive`](crate::remesh::Adaptive) has
/// them, for a tolerance and from the shortest to the longest one, in the units of the positions. Curvature
/// is not known at fixed vertices; lengths are those around them. Returns [`None`] as [`remesh_part`] does.
/// Linear.
/// # Errors
/// As [`remesh_part`].
pub fn lengths_of_part(
    part: &Part,
    options: &PartOptions,
    tolerance: f32,
    range: [f32; 2],
) -> Result<Option<Vec<f32>>> {
    let Some((mut surface, opened)) = opened(part, options)? else { return Ok(None) };
    let Opened { numbers, features, .. } = opened;
    let of_part = OfPart { numbers: &numbers, features: &features, thin: options.thin, lengths: &[] };
    let found = begin::lengths_of_part(&mut surface, &options.options(), &of_part, tolerance, range);
    let mut lengths = found?;
    // copies of fixed vertices follow them
    lengths.truncate(part.positions.len());
    Ok(Some(lengths))
}

/// The surface of a part that was opened, whose positions and triangles it has.
fn opened(part: &Part, options: &PartOptions) -> Result<Option<(Surface, Opened)>> {
    let Some(mut opened) = open(part, options) else { return Ok(None) };
    let device = Device::cpu();
    let x = device.upload(&std::mem::take(&mut opened.positions))?;
    let faces = device.upload(std::mem::take(&mut opened.triangles).as_flattened())?;
    Ok(Some((Surface::from_buffers(x, faces, &MeshOptions::default())?, opened)))
}

/// A part whose faces at each vertex are one fan.
struct Opened {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    /// The number of each fixed vertex in the part plus 1, else 0.
    numbers: Vec<u32>,
    /// Sides of triangles that are features.
    features: Vec<[bool; 3]>,
    /// Whether each vertex of the part lies on one.
    on_feature: Vec<bool>,
    /// Target lengths of vertices, if they differ.
    lengths: Vec<f32>,
}

/// The sides of triangles that are features; none where no angle is given.
fn features(mesh: &Mesh, part: &Part, options: &PartOptions) -> Vec<[bool; 3]> {
    let Some(degrees) = options.feature_angle else { return vec![] };
    let on = |v: u32| part.on_feature.get(v as usize).copied().unwrap_or(true);
    let is = |h: HalfEdge| on(mesh.from(h)) && on(mesh.to(h)) && is_sharp(mesh, &part.positions, h, degrees);
    (0..mesh.len()).into_par_iter().map(|f| Mesh::half_edges(f).map(is)).collect()
}

/// Whether each vertex lies on a feature, as it is known or as the sides that are features tell.
fn on_feature(features: &[[bool; 3]], part: &Part) -> Vec<bool> {
    if !part.on_feature.is_empty() {
        return part.on_feature.clone();
    }
    let mut on = vec![false; part.positions.len()];
    for (&[a, b, c], sides) in part.triangles.iter().zip(features) {
        for ([v, w], &is) in [[a, b], [b, c], [c, a]].into_iter().zip(sides) {
            on[v as usize] |= is;
            on[w as usize] |= is;
        }
    }
    on
}

/// Gives each fan of faces at a fixed vertex a vertex of its own.
fn open(part: &Part, options: &PartOptions) -> Option<Opened> {
    let sides = Sides::new(part.positions.len(), &part.triangles)?;
    let mesh = Mesh::new(&part.triangles, &sides)?;
    let number = |(v, &fixed): (usize, &bool)| if fixed { v as u32 + 1 } else { 0 };
    let features = features(&mesh, part, options);
    let on_feature = on_feature(&features, part);
    let mut opened = Opened {
        positions: part.positions.clone(),
        triangles: part.triangles.clone(),
        numbers: part.fixed.iter().enumerate().map(number).collect(),
        features,
        on_feature,
        lengths: part.lengths.clone(),
    };
    let mut seen: Vec<u32> = vec![];
    for v in 0..part.positions.len() {
        let of = sides.of(v as u32);
        seen.clear();
        for &[_, h] in of {
            if seen.len() == of.len() {
                break;
            }
            if seen.contains(&h) {
                continue;
            }
            let begin = seen.len();
            mesh.star(HalfEdge::new(h), |g| {
                seen.push(g.index());
                seen.len() <= of.len()
            });
            if begin == 0 {
                continue;
            }
            if !part.fixed[v] {
                return None;
            }
            let copy = opened.positions.len() as u32;
            opened.positions.push(part.positions[v]);
            opened.numbers.push(v as u32 + 1);
            opened.lengths.extend(part.lengths.get(v));
            for &g in &seen[begin..] {
                let g = HalfEdge::new(g);
                opened.triangles[g.face().index() as usize][g.corner() as usize] = copy;
            }
        }
    }
    Some(opened)
}

/// The mesh of a remesher, where copies of fixed vertices are one vertex again.
fn joined(remesher: &Remesher, part: &Part, on_feature: &[bool], finished: bool) -> Result<Remeshed> {
    let (mesh, values) = (&remesher.mesh, &remesher.values);
    let x = values.x.read(mesh)?;
    let barred = values.barred.as_ref().map_or(Ok(vec![0; x.len()]), |barred| barred.read(mesh))?;
    let kinds = values.kind.read(mesh)?;
    let (mut places, mut first) = (vec![0; x.len()], vec![NONE; part.positions.len()]);
    let mut done = Remeshed { finished, ..Remeshed::default() };
    let scale = (1.0 / remesher.scale) as f32;
    for (place, ((&x, &barred), &kind)) in places.iter_mut().zip(x.iter().zip(&barred).zip(&kinds)) {
        *place = done.sources.len() as u32;
        let number = barred >> BITS;
        let (mut at, mut source, mut on) = (x * scale, NONE, kind != FREE);
        if number > 0 {
            source = number - 1;
            on = on_feature[source as usize];
            at = part.positions[source as usize];
            let first = &mut first[source as usize];
            if *first != NONE {
                *place = *first;
                continue;
            }
            *first = *place;
        }
        done.part.positions.push(at);
        done.part.fixed.push(number > 0);
        done.part.on_feature.push(on);
        done.sources.push(source);
    }
    let corners = |corners: [u32; 3]| corners.map(|v| places[v as usize]);
    done.part.triangles = mesh.read_faces()?.into_iter().map(corners).collect();
    done.part.lengths = lengths_at(part, &done)?;
    Ok(done)
}

/// The target lengths of a part at the closest points of its surface.
fn lengths_at(part: &Part, Remeshed { part: done, sources, .. }: &Remeshed) -> Result<Vec<f32>> {
    if part.lengths.is_empty() || part.triangles.is_empty() {
        return Ok(vec![]);
    }
    let device = Device::cpu();
    let tree = Bvh::new(&device, &part.positions, &part.triangles)?;
    let closest = tree.closest(&device.upload(&done.positions)?, None)?.read()?;
    let length = |(&source, found): (&u32, &Closest)| match source {
        NONE => length_at(part, found.face, found.point),
        v => part.lengths[v as usize],
    };
    Ok(sources.iter().zip(&closest).map(length).collect())
}

/// The target length at a point of a face: by the areas of the triangles at the point, opposite the corners.
fn length_at(part: &Part, face: u32, point: Vec3) -> f32 {
    let corners = part.triangles[face as usize];
    let [a, b, c] = corners.map(|v| part.positions[v as usize] - point);
    let areas = [b.cross(c), c.cross(a), a.cross(b)].map(Vec3::length);
    let lengths = corners.map(|v| part.lengths[v as usize]);
    let (all, sum) = (areas.iter().sum::<f32>(), areas.iter().zip(lengths).map(|(w, l)| w * l).sum::<f32>());
    if all > 0.0 { sum / all } else { lengths.into_iter().fold(f32::INFINITY, f32::min) }
}
