//! The state of a remesher at the beginning.
use super::deviate::{Compared, Tolerance};
use super::later::Later;
use super::lengths::{
    Held, Measures, SHARP_ANGLE, curve_tree, find_curves, find_sizes, grade, hold_lengths, survey,
};
use super::options::{Boundary, RemeshOptions};
use super::remesher::{Input, LOOK_AFTER, Remesher, SPLITS};
use super::report::RemeshReport;
use super::room::{check_room, covering};
use super::valences::Valences;
use super::values::Values;
use crate::check::Search;
use crate::remesh::values::{BITS, NO_COLLAPSE, NO_FLIP, NO_SPLIT};
use ribbonmesh::bvh::Bvh;
use ribbonmesh::device::ElementKind;
use ribbonmesh::dynamic::{DynamicAttribute, DynamicMesh, Gaps, Sizes};
use ribbonmesh::surface::{Extent, Seams, Surface};
use ribbonmesh::{Buffer, Result};
use std::time::Instant;

/// Room at the beginning, beyond what equilateral triangles of the target length need.
const SPARE: f64 = 1.6;
/// Most room at the beginning, in sizes of the input.
const MOST_SPARE: f64 = 16.0;

impl Remesher {
    /// As [`Remesher::new`], with the given target lengths of the surface's vertices, or with those by
    /// curvature.
    pub(super) fn with_lengths(
        surface: &mut Surface,
        options: &RemeshOptions,
        lengths: Option<Buffer<f32>>,
    ) -> Result<Self> {
        Self::with(surface, options, lengths, None)
    }
    /// The same for a part.
    pub(super) fn with(
        surface: &mut Surface,
        options: &RemeshOptions,
        lengths: Option<Buffer<f32>>,
        part: Option<&OfPart<'_>>,
    ) -> Result<Self> {
        options.check()?;
        let start = Instant::now();
        let Extent { diagonal, scale, .. } = surface.extent("the mesh to remesh")?;
        let measures = Measures { mean: surface.mean_edge_length(scale)?, diagonal: diagonal * scale };
        let [vertices, edges, faces] = surface.sizes()?.map(|n| n as u64);
        let length = measures.resolve("target length", options.length, scale)?;
        let finer = (measures.mean / length as f64).powi(2);
        let spare = (SPARE * finer - 1.0).clamp(SPARE - 1.0, MOST_SPARE);
        let (mut dynamic, x) = surface.to_dynamic(spare as f32, scale)?;
        let mut values = Values::new(&dynamic, x)?;
        values.length = length;
        if options.no_self_intersections {
            values.barred = Some(DynamicAttribute::zeros(&dynamic)?);
        }
        let mut seams = surface.seams(&mut dynamic)?;
        // the strip between two seams has a texture of its own, so features are merged only without seams
        let merges = seams.is_none();
        if let Some(part) = part {
            seams = Some(hold(surface, part, &dynamic, &mut values)?);
            part.set_lengths(surface, &mut dynamic, &mut values, scale)?;
        }
        let mut options = options.clone();
        let mut thin = part.is_some_and(|part| part.thin);
        if options.keep_sharp && options.feature_angle.is_none() {
            let found = survey(&mut dynamic, &mut values)?;
            options.feature_angle = found.sharp.then_some(SHARP_ANGLE);
            thin = found.thin;
        }
        if options.feature_angle.is_some() || thin {
            values.moved = Some(DynamicAttribute::zeros(&dynamic)?);
        }
        if options.feature_angle.is_some() && merges {
            values.merge = options.merge;
        }
        let options = &options;
        // features of parts are given
        let angle = options.feature_angle.filter(|_| part.is_none());
        let features = find_curves(&mut dynamic, &mut values, seams, (options, angle))?;
        let (mut tolerance, mut most_faces) = (None, None);
        if let Some(adaptive) = options.adaptive {
            let covering = match adaptive.most_faces {
                Some(_) => 0,
                None => covering(&mut dynamic, &mut values)? as u64,
            };
            most_faces = Some(adaptive.allowed(faces, covering));
            let distance = measures.resolve("tolerance", adaptive.tolerance, scale)?;
            match &lengths {
                Some(lengths) => {
                    values.size = Some(DynamicAttribute::from_buffer(&dynamic, lengths)?);
                    grade(&mut dynamic, &mut values)?;
                }
                None => {
                    find_sizes(&mut dynamic, &mut values, distance, adaptive.range.map(|l| l * length))?;
                }
            }
            let finest = [adaptive.range[0], adaptive.finest];
            tolerance = Some(Tolerance::new(distance, finest, length));
        }
        let held = match options.boundary {
            Boundary::Slide | Boundary::Free if part.is_none() => Held::default(),
            _ => hold_lengths(&mut dynamic, &mut values)?,
        };
        if options.iterations > 0 && part.is_none() {
            check_room(&mut dynamic, &mut values)?;
        }
        let mut input = None;
        if options.project || options.adaptive.is_some() {
            let positions = values.x.to_buffer(&dynamic)?;
            let curves = curve_tree(&mut dynamic, &mut values, &positions)?;
            values.near = Some(DynamicAttribute::zeros(&dynamic)?);
            let surface = match surface.tree()?.scaled(scale as f32) {
                Some(tree) => tree,
                None => Bvh::from_buffers(&positions, &dynamic.faces()?)?,
            };
            let compared = match (tolerance, &values.size) {
                (Some(tolerance), Some(size)) => {
                    let (faces, lengths) = (dynamic.faces()?, size.to_buffer(&dynamic)?);
                    Some(Compared { tolerance, x: positions, faces, lengths })
                }
                _ => None,
            };
            input = Some(Input { surface, curves, compared });
        }
        dynamic.device().synchronize()?;
        let before = Sizes { vertices, edges, faces };
        let report = RemeshReport {
            target_length: length as f64 / scale,
            features,
            kept_from: options.feature_angle,
            most_faces,
            held_back_by: held.edges,
            longest_fixed: held.longest as f64 / scale,
            tolerance: tolerance.map(|tolerance| tolerance.distance as f64 / scale),
            before,
            prepare_seconds: start.elapsed().as_secs_f64(),
            ..RemeshReport::default()
        };
        let options = options.clone();
        let (gaps, merged, rest, careful) = (Gaps::default(), 0, None, false);
        let searches = options.no_self_intersections;
        let look_after = if most_faces.is_some() { LOOK_AFTER } else { SPLITS };
        let (mesh, search) = (dynamic, Search::default());
        Ok(Self {
            mesh,
            values,
            options,
            input,
            report,
            scale,
            gaps,
            merged,
            rest,
            careful,
            searches,
            look_after,
            search,
            later: Later::default(),
            valences: Valences::default(),
        })
    }
}

/// Facts about a part, in the order of the output.
pub struct OfPart<'a> {
    /// Numbers of the vertices that stay, from 1 on, and 0 for others.
    pub numbers: &'a [u32],
    /// Sides of faces that are features, if there are any.
    pub features: &'a [[bool; 3]],
    /// Whether the mesh is one of long thin triangles.
    pub thin: bool,
    /// Target lengths of vertices, if they are not the same.
    pub lengths: &'a [f32],
}
impl OfPart<'_> {
    /// Sets the target lengths of a mesh whose positions were multiplied by `scale`.
    fn set_lengths(
        &self,
        surface: &Surface,
        mesh: &mut DynamicMesh,
        values: &mut Values,
        scale: f64,
    ) -> Result<()> {
        if self.lengths.is_empty() {
            return Ok(());
        }
        let places = surface.triangles().vertex_places()?.read()?;
        let length = |&place: &u32| (f64::from(self.lengths[place as usize]) * scale) as f32;
        let lengths: Vec<f32> = places.iter().map(length).collect();
        values.size = Some(DynamicAttribute::from_ids(mesh, &lengths)?);
        grade(mesh, values)
    }
}

/// Target lengths of a part's vertices by curvature, for a tolerance, from the shortest to the longest one.
pub fn lengths_of_part(
    surface: &mut Surface,
    options: &RemeshOptions,
    part: &OfPart<'_>,
    tolerance: f32,
    range: [f32; 2],
) -> Result<Vec<f32>> {
    let Extent { scale, .. } = surface.extent("the part")?;
    let (mut mesh, x) = surface.to_dynamic(0.0, scale)?;
    let mut values = Values::new(&mesh, x)?;
    let seams = Some(hold(surface, part, &mesh, &mut values)?);
    if options.feature_angle.is_some() || part.thin {
        values.moved = Some(DynamicAttribute::zeros(&mesh)?);
    }
    // features of parts are given
    find_curves(&mut mesh, &mut values, seams, (options, None))?;
    let scaled = |x: f32| (f64::from(x) * scale) as f32;
    find_sizes(&mut mesh, &mut values, scaled(tolerance), range.map(scaled))?;
    let found = values.size.as_ref().map_or(Ok(vec![]), |size| size.read(&mesh))?;
    let places = surface.triangles().vertex_places()?.read()?;
    let mut lengths = vec![range[1]; part.numbers.len()];
    for (&place, length) in places.iter().zip(found) {
        lengths[place as usize] = (f64::from(length) / scale) as f32;
    }
    Ok(lengths)
}

/// Bars the vertices that stay, and makes them corners, as the poles of seams; features are the seams.
fn hold(surface: &Surface, part: &OfPart<'_>, mesh: &DynamicMesh, values: &mut Values) -> Result<Seams> {
    let triangles = surface.triangles();
    let places = triangles.vertex_places()?.read()?;
    let bits = |number: u32| if number == 0 { 0 } else { NO_COLLAPSE | NO_FLIP | NO_SPLIT | number << BITS };
    let barred: Vec<u32> = places.iter().map(|&place| bits(part.numbers[place as usize])).collect();
    values.barred = Some(DynamicAttribute::from_ids(mesh, &barred)?);
    let poles: Vec<u32> = barred.iter().map(|&bits| if bits == 0 { 0 } else { 3 }).collect();
    let mut marks = vec![0; mesh.ids(ElementKind::Edge) as usize];
    if !part.features.is_empty() {
        let places = triangles.face_places()?.read()?;
        for (edges, &place) in mesh.read_sides()?.into_iter().zip(&places) {
            for (edge, is) in edges.into_iter().zip(part.features[place as usize]) {
                marks[edge as usize] |= u32::from(is);
            }
        }
    }
    let marks = DynamicAttribute::from_ids(mesh, &marks)?;
    Ok(Seams { marks, poles: surface.device().upload(&poles)? })
}
