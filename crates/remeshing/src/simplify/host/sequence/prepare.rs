//! The mesh before the first collapse, on the host: features, kinds of vertices, quadrics.
use super::begin::{Begin, Curves, begin, mark_features};
use super::collapse::Vertices;
use crate::order::Order;
use crate::simplify::host::contract::Counts;
use crate::simplify::host::options::{Bound, SimplifyOptions, Target, Topology};
use crate::simplify::host::report::{Contractions, SimplifyReport};
use crate::simplify::host::simplifier::AMPLE;
use crate::triangles::{Mesh, Reordered, Sides, not_a_manifold, seams};
use glam::Vec3;
use rayon::prelude::*;
use ribbonmesh::dynamic::Sizes;
use ribbonmesh::surface::{Extent, Lent, Surface};
use ribbonmesh::{Buffer, Error, Result};
use std::time::Instant;

/// Facts about the input beside its vertices and faces.
pub struct Prepared {
    /// Number of faces at which collapses end: the wanted number, or more if contraction of pairs follows.
    pub target: u32,
    /// Number of faces that is wanted.
    pub wanted: u32,
    /// The largest distance from the input, multiplied by `scale`.
    pub bound: Option<f32>,
    /// The factor by which positions were multiplied: a power of two.
    pub scale: f64,
    /// The smallest coordinates, multiplied by `scale`.
    pub low: Vec3,
    /// The ids of vertices and faces on the surface.
    pub ids: [Vec<u32>; 2],
    /// Whether edges are marked.
    pub marked: bool,
    /// The vertices without faces.
    pub alone: Vec<u32>,
}

/// Prepares a surface.
pub fn prepare(
    surface: &mut Surface,
    options: &SimplifyOptions,
) -> Result<(Mesh, Vertices, Prepared, SimplifyReport)> {
    let start = Instant::now();
    let device = surface.device().clone();
    let Extent { diagonal, scale, low } = surface.extent("the mesh to simplify")?;
    let seams = seams(surface)?;
    let contractions = match options.topology {
        Topology::Keep => None,
        Topology::Free => {
            let before = Counts::of(surface.flat_topology()?.0)?;
            Some(Contractions { before, after: before, ..Contractions::default() })
        }
    };
    let Input { triangles: Reordered { x, triangles, .. }, ids } = Input::read(surface, scale as f32)?;
    let made = device.install(|| {
        let sides = Sides::new(x.len(), &triangles)?;
        let mut mesh = Mesh::new(&triangles, &sides)?;
        let poles = seams.map(|seams| seams.mark(&mut mesh, &ids)).unwrap_or_default();
        if let Some(degrees) = options.feature_angle {
            mark_features(&mut mesh, &x, degrees);
        }
        let (fixed, weight) = (options.fixed_boundary, options.curve_weight);
        let curves = Curves { poles: &poles, fixed, weight, fixed_vertices: &[] };
        let begin = begin(&mesh, &sides, &x, &curves)?;
        let alone = (0..x.len() as u32).filter(|&v| sides.of(v).is_empty()).collect();
        Some((mesh, begin, alone))
    });
    let Some((mesh, Begin { quadrics, kinds, features }, alone)) = made else {
        return Err(not_a_manifold(surface));
    };
    let [v, f] = [x.len(), triangles.len()].map(|n| n as u64);
    let max_error = options.max_error.map(|bound| match bound {
        Bound::Absolute(l) => l as f64,
        Bound::Diagonal(l) => l as f64 * diagonal,
    });
    let wanted = match options.target {
        None => 0,
        Some(Target::Faces(n)) => n,
        Some(Target::Ratio(ratio)) => (ratio * f as f64).round() as u32,
    };
    let (wanted, target) = match &contractions {
        None => (wanted, wanted),
        Some(Contractions { before, .. }) => {
            let wanted = wanted.max(1);
            (wanted, (AMPLE * before.least_faces()).clamp(wanted.into(), u32::MAX.into()) as u32)
        }
    };
    let report = SimplifyReport {
        target_faces: options.target.map(|_| wanted.into()),
        contractions,
        max_error,
        order: Order::Sequence,
        features,
        before: Sizes { vertices: v, edges: (3 * f + features.boundary_edges) / 2, faces: f },
        prepare_seconds: start.elapsed().as_secs_f64(),
        ..SimplifyReport::default()
    };
    let prepared = Prepared {
        target,
        wanted,
        bound: max_error.map(|l| (l * scale) as f32),
        scale,
        low: low * scale as f32,
        ids,
        marked: features.edges > 0,
        alone,
    };
    let inputs = (0..x.len() as u32).collect();
    Ok((mesh, Vertices { x, quadrics, kinds, inputs }, prepared, report))
}

/// The input in an order of its own, which depends on the order in which the surface gives vertices and faces
/// out, and not on the ids that it has.
struct Input {
    triangles: Reordered,
    /// The ids of vertices and faces on the surface.
    ids: [Vec<u32>; 2],
}
impl Input {
    fn read(surface: &Surface, scale: f32) -> Result<Self> {
        let all = surface.triangles();
        let (mut x, corners) = (all.positions().read()?, all.faces().read()?);
        let places = |lent: Lent<'_, Buffer<u32>>| match lent {
            Lent::Owned(_) => Ok::<_, Error>(None),
            Lent::Borrowed(places) => places.read().map(Some),
        };
        let places = (places(all.vertex_places()?)?, places(all.face_places()?)?);
        Ok(surface.device().install(|| {
            x.par_iter_mut().for_each(|p| *p *= scale);
            let triangles = corners.as_chunks().0;
            let (Some(of_vertices), Some(of_faces)) = places else {
                let triangles = Reordered::new(&x, triangles);
                return Self { ids: [triangles.vertices.clone(), triangles.faces.clone()], triangles };
            };
            let at = [&of_vertices, &of_faces].map(|places| {
                let mut ids = vec![0; places.len()];
                places.iter().enumerate().for_each(|(id, &place)| ids[place as usize] = id as u32);
                ids
            });
            let x: Vec<_> = at[0].par_iter().map(|&v| x[v as usize]).collect();
            let triangle = |&f: &u32| triangles[f as usize].map(|v| of_vertices[v as usize]);
            let triangles: Vec<_> = at[1].par_iter().map(triangle).collect();
            let triangles = Reordered::new(&x, &triangles);
            let ids = |at: &[u32], of: &[u32]| of.par_iter().map(|&place| at[place as usize]).collect();
            Self { ids: [ids(&at[0], &triangles.vertices), ids(&at[1], &triangles.faces)], triangles }
        }))
    }
}
