//! Tutte's map of a large disk, by a factorization on the host.
use super::disk::Disk;
use super::matrix::{Matrix, neighbours};
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

    let (starts, columns) = neighbours(disk);
    let of_row = |(v, row): (usize, &[u32])| {
        let degree = f64::from(row[1] - row[0] - 1);
        let own = &columns[row[0] as usize..row[1] as usize];
        own.iter().map(move |&w| if v == w as usize { degree } else { -1.0 })
    };
    let values = starts.windows(2).enumerate().flat_map(of_row).collect();
    let matrix = Matrix::new(starts, columns, values)?;

    let factored = matrix.factored(places.iter().map(|place| *place >= 0.0).collect())?;
    factored.harmonic(on_circle)
}
