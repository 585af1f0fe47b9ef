//! Quality statistics of a mesh.
use crate::quality::edges::Edges;
use crate::quality::face::FaceShape;
use crate::quality::histogram::Histogram;
use glam::DVec3;
use rayon::prelude::*;
use serde::Serialize;

/// Most edges of a vertex that have a count of their own.
const MOST_VALENCE: usize = 12;

/// Quality statistics of the triangles of a mesh.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Quality {
    /// The length by which edge lengths are divided: the target, or else the mean edge length. `None` without
    /// edges.
    pub target_length: Option<f64>,
    /// Lengths of edges divided by the target; bins from 0 to 2, each 0.1 wide.
    pub edge_length: Option<Histogram>,
    /// Fraction of the edges with lengths from 4/5 to 4/3 of the target, the aim of isotropic remeshing.
    /// `None` without edges.
    pub edges_near_target: Option<f64>,
    /// The smallest angle of each face, in degrees; bins from 0 to 60, each 5 wide.
    pub smallest_angle: Option<Histogram>,
    /// The largest angle of each face, in degrees; bins from 60 to 180, each 10 wide.
    pub largest_angle: Option<Histogram>,
    /// Circumradius of each face divided by twice the inradius, 1 for equilateral triangles; bins from 1 to
    /// 5, each 0.25 wide.
    pub aspect_ratio: Option<Histogram>,
    /// Numbers of edges at vertices.
    pub valence: Valence,
    /// Number of faces without area; they have no angles and no aspect ratio.
    pub faces_without_shape: u64,
}

/// Numbers of edges at interior vertices. All edges of an interior vertex have two faces.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Valence {
    /// Number of interior vertices.
    pub interior: u64,
    /// Numbers of interior vertices with 0, 1, 2, … edges; the last entry also counts vertices with more
    /// edges.
    pub counts: Vec<u64>,
    /// Fraction of interior vertices with six edges; `None` without interior vertices.
    pub regular: Option<f64>,
}

impl Quality {
    /// The statistics of `faces` on `positions`. `target` is the target length of edges, in the units of the
    /// positions. Any input is accepted: edges from a vertex to itself, elements with an index out of range
    /// or a coordinate that is not finite, and shapes of faces without area do not count. Sorts the sides of
    /// faces, otherwise linear; runs on all threads of the current pool.
    pub fn of(positions: &[DVec3], faces: &[[u32; 3]], target: Option<f64>) -> Self {
        let edges = Edges::of(positions.len(), faces);
        let length = |i: usize| {
            let [a, b] = edges.ends[i].map(|v| positions[v as usize]);
            Some((0..3).map(|k| (b[k] - a[k]).powi(2)).sum::<f64>().sqrt())
        };
        let n = edges.ends.len();
        let target = target.filter(|t| t.is_finite() && *t > 0.0);
        let mean = || Histogram::of(n, [0.0, 1.0], 1, length).map(|h| h.spread.mean).filter(|m| *m > 0.0);
        let target = target.or_else(mean);
        let edge_length = target
            .and_then(|target| Histogram::of(n, [0.0, 2.0], 20, |i| length(i).map(|length| length / target)));
        let near = target.filter(|_| n > 0).map(|target| {
            let near = |l: &f64| (0.8 * target..=4.0 / 3.0 * target).contains(l);
            (0..n).into_par_iter().filter_map(length).filter(near).count() as f64 / n as f64
        });

        let corner = |v: u32| positions.get(v as usize).copied();
        let shape = |f: &[u32; 3]| FaceShape::of([corner(f[0])?, corner(f[1])?, corner(f[2])?]);
        let shapes: Vec<Option<FaceShape>> = faces.par_iter().map(shape).collect();
        let of_faces = |range, bins, value: fn(&FaceShape) -> f64| {
            Histogram::of(shapes.len(), range, bins, |i| shapes[i].as_ref().map(value))
        };
        Self {
            target_length: target,
            edges_near_target: near,
            edge_length,
            smallest_angle: of_faces([0.0, 60.0], 12, |f| f.smallest_angle),
            largest_angle: of_faces([60.0, 180.0], 12, |f| f.largest_angle),
            aspect_ratio: of_faces([1.0, 5.0], 16, |f| f.aspect_ratio),
            valence: Valence::of(&edges),
            faces_without_shape: shapes.iter().filter(|s| s.is_none()).count() as u64,
        }
    }
}

impl Valence {
    fn of(edges: &Edges) -> Self {
        let mut counts = vec![0; MOST_VALENCE + 1];
        for (&valence, _) in edges.valence.iter().zip(&edges.irregular).filter(|(v, odd)| **v > 0 && !**odd) {
            counts[(valence as usize).min(MOST_VALENCE)] += 1;
        }
        let interior: u64 = counts.iter().sum();
        Self { interior, regular: (interior > 0).then(|| counts[6] as f64 / interior as f64), counts }
    }
}
