//! Fillings as dense as the surface around them.
use crate::sheet::{Flip, Sheet};

/// A face is divided if its corners are farther from its middle than this part of their edges' length, inverted: √2
/// (Liepa 2003).
const ALPHA: f64 = std::f64::consts::SQRT_2;
/// Vertices that a filling of the density of its rim may have; a larger one gets coarser towards its middle.
const DENSE: f64 = 50_000.0;
/// How much longer the edges become there, each time that a face is divided.
const GROWTH: f64 = 1.25;
/// Most rounds; each makes edges shorter by about a half.
const ROUNDS: usize = 40;
/// Most faces of a filling.
const FACES: usize = 1 << 24;

/// Divides faces until their edges are about as long as those around them, and flips edges to Delaunay (Liepa 2003).
/// `sizes` has the mean length of the edges at each vertex, and grows with the sheet.
pub(crate) fn refine(sheet: &mut Sheet, sizes: &mut Vec<f64>, legal: &impl Fn(u32, u32) -> bool) {
    let mean = sizes.iter().sum::<f64>() / sizes.len().max(1) as f64;
    // a vertex for two faces of √3/4 mean²
    let expected = sheet.area() / (mean * mean * 0.87);
    let growth = if expected > DENSE { GROWTH } else { 1.0 };
    for _ in 0..ROUNDS {
        let mut divided = false;
        for face in 0..sheet.faces.len() {
            if sheet.faces.len() > FACES {
                return;
            }
            let corners = sheet.corners(face);
            let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
            let around = sheet.faces[face].map(|v| sizes[v as usize]);
            let size = growth * (around[0] + around[1] + around[2]) / 3.0;
            let far = |i: usize| {
                let distance = ALPHA * corners[i].distance(middle);
                distance > size && distance > around[i]
            };
            if (0..3).all(far) {
                sheet.divide(face, middle);
                sizes.push(size);
                divided = true;
            }
        }
        if !divided {
            return;
        }
        sheet.flip_all(Flip::Delaunay, legal);
    }
}
