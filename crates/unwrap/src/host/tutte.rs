//! Tutte's map of a large disk, by a factorization on the host.
use super::disk::Disk;
use super::matrix::{Matrix, by_places};
use super::parameterize::ParameterizeError;
use crate::device::chart::area;
use glam::{DVec2, DVec3};

/// The boundary on a circle, by length, with the area of the surface within it; each other vertex in the
/// middle of its neighbours (Tutte, *How to draw a graph*, 1963). `shapes` are those of the faces, `places`
/// those of vertices on the boundary. Kernels find the same map by iterations, more where the disk is larger.
/// # Errors
/// [`ParameterizeError::Singular`] where rounding leaves no factorization; out of memory.
pub fn to_circle(disk: &Disk, shapes: &[DVec3], places: &[f64]) -> Result<Vec<DVec2>, ParameterizeError> {
    let radius = (shapes.iter().copied().map(area).sum::<f64>() / std::f64::consts::PI).sqrt();
    let on_circle = |v: usize| radius * DVec2::from_angle(std::f64::consts::TAU * places[v]);

    let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a], [b, a], [c, b], [a, c]];
    let all = disk.corners.iter().flat_map(sides).chain((0..disk.vertices as u32).map(|v| [v, v]));
    let sorted = by_places(disk.vertices, all.map(|edge| (edge, ())).collect());
    let mut edges: Vec<[u32; 2]> = sorted.into_iter().map(|(edge, ())| edge).collect();
    edges.dedup();
    let mut starts = vec![0; disk.vertices + 1];
    edges.iter().for_each(|[v, _]| starts[*v as usize + 1] += 1);
    for v in 0..disk.vertices {
        starts[v + 1] += starts[v];
    }
    let neighbours = |v: u32| f64::from(starts[v as usize + 1] - starts[v as usize] - 1);
    let values = edges.iter().map(|&[v, w]| if v == w { neighbours(v) } else { -1.0 }).collect();
    let matrix = Matrix::new(starts, edges.iter().map(|edge| edge[1]).collect(), values)?;

    let factored = matrix.factored(places.iter().map(|place| *place >= 0.0).collect())?;
    factored.harmonic(on_circle)
}
