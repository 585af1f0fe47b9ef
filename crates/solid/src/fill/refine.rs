//! Refinement of fillings to the density of the surface around them.
use crate::fill::sheet::Sheet;

/// Criterion to divide a face (Liepa 2003): √2 times the distance of each corner from its middle exceeds the
/// length of edges at the middle and at the corner.
const ALPHA: f64 = std::f64::consts::SQRT_2;
/// Greatest ratio of the edge length at a vertex to that at the vertices between which it was made.
const GROWTH: f64 = 1.5;
/// Most rounds; each makes edges shorter by about a half.
const ROUNDS: usize = 40;
/// Most faces of a filling.
const FACES: usize = 1 << 24;

/// Target lengths of edges.
pub(crate) struct Sizes {
    /// Target length at each vertex, interpolated from those at the vertices of the loop.
    fine: Vec<f64>,
    /// Factor by which edges may be longer there: larger towards the middle.
    factors: Vec<f64>,
}

impl Sizes {
    /// Starts from the mean length of the edges at each vertex that the sheet has.
    pub fn new(fine: Vec<f64>) -> Self {
        Self { factors: vec![1.0; fine.len()], fine }
    }
    /// Expected number of vertices of a sheet whose edges are as long as those around it.
    pub fn expected(&self, sheet: &Sheet) -> f64 {
        let mean = self.fine.iter().sum::<f64>() / self.fine.len().max(1) as f64;
        // one vertex for two faces of √3/4 mean²
        sheet.area() / (mean * mean * 0.87)
    }
    fn at(&self, v: u32, coarse: f64) -> f64 {
        self.fine[v as usize] * self.factors[v as usize].min(coarse)
    }
    fn push(&mut self, around: [u32; 3]) {
        let mean = |of: &[f64]| around.iter().map(|&v| of[v as usize]).sum::<f64>() / 3.0;
        let (fine, factor) = (mean(&self.fine), GROWTH * mean(&self.factors));
        self.fine.push(fine);
        self.factors.push(factor);
    }
}

/// Divides faces until their edges are about as long as those around the sheet, and flips edges to Delaunay
/// (Liepa 2003). Towards the middle, edges may become `coarse` times as long. `sizes` grows with the sheet.
pub(crate) fn refine(sheet: &mut Sheet, sizes: &mut Sizes, coarse: f64, legal: &impl Fn(u32, u32) -> bool) {
    let mut calm = vec![false; sheet.across.len()];
    for _ in 0..ROUNDS {
        let mut divided = false;
        for face in 0..sheet.faces.len() {
            if sheet.faces.len() > FACES {
                return;
            }
            let corners = sheet.corners(face);
            let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
            let around = sheet.faces[face].map(|v| sizes.at(v, coarse));
            let size = (around[0] + around[1] + around[2]) / 3.0 * GROWTH.min(coarse);
            let far = |i: usize| {
                let distance = ALPHA * corners[i].distance(middle);
                distance > size && distance > around[i]
            };
            if (0..3).all(far) {
                let vertices = sheet.faces[face];
                sheet.divide(face, middle);
                let new = sheet.faces.len() - 2;
                [face, new, new + 1].iter().for_each(|&face| sheet.disturb(face, &mut calm));
                sizes.push(vertices);
                divided = true;
            }
        }
        if !divided {
            return;
        }
        sheet.flip_again(&mut calm, legal);
    }
}
