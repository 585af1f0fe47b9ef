//! The state of a remesher at the beginning.
use super::deviate::{Compared, Tolerance};
use super::lengths::{
    Held, Measures, SHARP_ANGLE, curve_tree, find_curves, find_sizes, grade, hold_lengths, survey,
};
use super::options::{Boundary, RemeshOptions};
use super::remesher::{Input, Remesher};
use super::report::RemeshReport;
use super::room::{check_room, covering};
use super::values::Values;
use crate::check::Search;
use ribbonmesh::bvh::Bvh;
use ribbonmesh::dynamic::{DynamicAttribute, Gaps, Sizes};
use ribbonmesh::surface::{Extent, Surface};
use ribbonmesh::{Buffer, Result};
use std::time::Instant;

/// A number of faces that is always allowed, whatever the input has.
const FEW: u64 = 2_000;
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
        let seams = surface.seams(&mut dynamic)?;
        let mut options = options.clone();
        let mut thin = false;
        if options.keep_sharp && options.feature_angle.is_none() {
            let found = survey(&mut dynamic, &mut values)?;
            options.feature_angle = found.sharp.then_some(SHARP_ANGLE);
            thin = found.thin;
        }
        if options.feature_angle.is_some() || thin {
            values.moved = Some(DynamicAttribute::zeros(&dynamic)?);
        }
        if options.feature_angle.is_some() && seams.is_none() {
            // the strip between two seams has a texture of its own, so features are merged only without seams
            values.merge = options.merge;
        }
        let options = &options;
        let features = find_curves(&mut dynamic, &mut values, seams, options)?;
        let (mut tolerance, mut most_faces) = (None, None);
        if let Some(adaptive) = options.adaptive {
            most_faces = Some(match adaptive.most_faces {
                Some(faces) => faces,
                None => 4 * faces.max(covering(&mut dynamic, &mut values)? as u64).max(FEW),
            });
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
            tolerance = Some(Tolerance::new(distance, &adaptive, length));
        }
        let held = match options.boundary {
            Boundary::Fixed => hold_lengths(&mut dynamic, &mut values)?,
            _ => Held::default(),
        };
        if options.iterations > 0 {
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
        let (mesh, search) = (dynamic, Search::default());
        Ok(Self { mesh, values, options, input, report, scale, gaps, merged, rest, careful, search })
    }
}
