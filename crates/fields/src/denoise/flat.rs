//! The filter of face normals, and Taubin's filter: the host's part.
use crate::denoise::adjacency::{Adjacency, FlatRows};
use crate::denoise::choice::Choice;
use crate::denoise::estimate::{Noise, noise};
use crate::denoise::faces::{MeasureFaces, ShapesArguments};
use crate::denoise::filtering::FilterNormals;
use crate::denoise::moving::{BoundArguments, FollowNormals, ScalePositions, Umbrella};
use crate::denoise::{DenoiseOptions, DenoiseReport, Method};
use ribbonmesh::device::{BufferViewMut, tiles};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, FlatTopology, Result, StaticMesh, Vertex};
use std::mem::swap;

type Vectors = Buffer<Vec3>;

/// Number of steps in which vertices follow filtered normals (Sun et al. 2007, section 5: 10 to 20).
pub const MOVES: u32 = 10;
/// λ and μ for few iterations: the pass band ends at 1 / λ + 1 / μ = 0.11 (Taubin 1995, section 4).
const FACTORS: [f64; 2] = [0.5, -0.53];
/// Number of iterations up to which [`FACTORS`] hold. With more iterations the pass band is narrower by the
/// same ratio: frequencies below its end grow in each iteration.
const FEW: f64 = 15.0;

/// λ and μ for this number of iterations.
fn factors(iterations: u32) -> [f32; 2] {
    let [lambda, mu] = FACTORS;
    let band = (1.0 / lambda + 1.0 / mu) * (FEW / f64::from(iterations)).min(1.0);
    [lambda as f32, (1.0 / (band - 1.0 / lambda)) as f32]
}

/// Data of a mesh for the estimate of noise and for both methods.
pub struct Flat {
    adjacency: Adjacency,
    boundary: Buffer<u32>,
    fixed: Buffer<u32>,
    /// The faces around each face, for normals.
    around: Option<FlatRows>,
}
impl Flat {
    /// Computes and stores the data; the faces around each face only if the options say that normals are
    /// filtered.
    pub fn new(mesh: &StaticMesh, options: &DenoiseOptions) -> Result<Self> {
        Self::with(Adjacency::new(mesh)?, mesh.boundary::<Vertex>()?, options)
    }
    /// As [`Flat::new`], for a mesh without patches.
    pub fn of_triangles(topology: &FlatTopology, options: &DenoiseOptions) -> Result<Self> {
        let (adjacency, boundary) = Adjacency::of_triangles(topology)?;
        Self::with(adjacency, boundary, options)
    }
    fn with(adjacency: Adjacency, boundary: Buffer<u32>, options: &DenoiseOptions) -> Result<Self> {
        let around = if options.method == Method::Normals { Some(adjacency.around()?) } else { None };
        let fixed =
            if options.fixed_boundary { boundary.try_clone()? } else { boundary.device().zeros(0)? };
        Ok(Self { adjacency, boundary, fixed, around })
    }
    /// Scales positions by a power of two, and chooses the parameters of a run.
    pub fn begin(
        &self,
        options: &DenoiseOptions,
        positions: &Buffer<Vec3>,
        size: f32,
        report: &mut DenoiseReport,
    ) -> Result<(Buffer<Vec3>, Choice)> {
        let mut x = positions.device().unspecified::<Vec3>(positions.len())?;
        scale(positions, 1.0 / size, x.view_mut())?;
        let noise = self.noise(&x)?;
        let choice = Choice::new(options, &noise);
        report.iterations = choice.iterations;
        report.mean_edge = Some(noise.mean_edge * f64::from(size));
        report.stairs = noise.stairs;
        report.noise = (noise.mean_edge > 0.0).then(|| noise.deviation() / noise.mean_edge);
        Ok((x, choice))
    }
    /// Runs the filter of normals or Taubin's filter; the positions are in units of their power of two.
    pub fn run(
        &self,
        method: Method,
        mut x: Buffer<Vec3>,
        choice: &Choice,
        size: f32,
        report: &mut DenoiseReport,
    ) -> Result<Buffer<Vec3>> {
        report.farthest = Some(choice.farthest * f64::from(size)).filter(|way| way.is_finite());
        if method == Method::Normals {
            report.similarity = Some(choice.similarity);
            report.moves = MOVES;
            self.filter_normals(&mut x, choice)?;
        } else {
            self.taubin(&mut x, choice)?;
        }
        Ok(x)
    }
    /// Estimates the noise of positions.
    fn noise(&self, x: &Buffer<Vec3>) -> Result<Noise> {
        noise(&self.adjacency, &self.boundary, x)
    }
    /// Bytes on the device.
    pub fn bytes(&self) -> u64 {
        let around = self.around.as_ref().map_or(0, FlatRows::bytes);
        (self.adjacency.bytes() + self.boundary.bytes() + self.fixed.bytes() + around) as u64
    }

    /// Filters the normals of faces, then moves vertices to them. Does not wait.
    fn filter_normals(&self, x: &mut Vectors, choice: &Choice) -> Result<()> {
        let (Some(around), device) = (&self.around, x.device().clone()) else { return Ok(()) };
        let (faces, n) = (self.adjacency.view(), x.len() as u32);
        let f = faces.n;
        let mut normals = device.unspecified::<Vec3>(f as usize)?;
        let mut next = device.unspecified::<Vec3>(f as usize)?;
        let mut centres = device.unspecified::<Vec3>(f as usize)?;
        let mut areas = device.unspecified::<f32>(f as usize)?;
        let kernel = MeasureFaces {
            faces,
            x: x.view(),
            normals: normals.view_mut(),
            centres: centres.view_mut(),
            areas: areas.view_mut(),
        };
        device.launch(tiles(f), kernel)?;
        let sharpness = (0.5 * std::f64::consts::LOG2_E / choice.similarity.powi(2)) as f32;
        for _ in 0..choice.iterations {
            let (normals_now, centres, areas) = (normals.view(), centres.view(), areas.view());
            let shapes = ShapesArguments { normals: normals_now, centres, areas };
            let kernel = FilterNormals { around: around.view(), shapes, sharpness, to: next.view_mut() };
            device.launch_each(f, kernel)?;
            swap(&mut normals, &mut next);
        }
        let first = x.try_clone()?;
        let mut y = x.try_clone()?;
        for _ in 0..MOVES {
            let kernel = FollowNormals {
                faces: self.adjacency.view(),
                normals: normals.view(),
                x: x.view(),
                bound: self.bound(&first, choice),
                y: y.view_mut(),
            };
            device.launch_each(n, kernel)?;
            swap(x, &mut y);
        }
        Ok(())
    }

    /// Runs Taubin's filter: in each iteration a step with λ and one with μ. Does not wait.
    fn taubin(&self, x: &mut Vectors, choice: &Choice) -> Result<()> {
        let (device, n) = (x.device().clone(), x.len() as u32);
        let factors = factors(choice.iterations);
        let first = x.try_clone()?;
        let mut y = x.try_clone()?;
        for step in 0..2 * choice.iterations as usize {
            let kernel = Umbrella {
                neighbours: self.adjacency.neighbours.view(),
                boundary: self.boundary.view(),
                factor: factors[step % 2],
                x: x.view(),
                bound: self.bound(&first, choice),
                y: y.view_mut(),
            };
            device.launch_each(n, kernel)?;
            swap(x, &mut y);
        }
        Ok(())
    }
    fn bound<'a>(&'a self, first: &'a Vectors, choice: &Choice) -> BoundArguments<'a> {
        BoundArguments { first: first.view(), fixed: self.fixed.view(), most: choice.farthest as f32 }
    }
}

/// Computes the positions times a factor.
pub fn scale(x: &Vectors, factor: f32, to: BufferViewMut<'_, Vec3>) -> Result<()> {
    x.device().launch(tiles(x.len() as u32), ScalePositions { factor, from: x.view(), to })
}

#[cfg(test)]
mod tests {
    use super::factors;

    #[test]
    fn more_iterations_do_not_grow() {
        // few iterations have Taubin's factors
        assert_eq!([1, 15].map(factors), [[0.5, -0.53]; 2]);
        for n in [16, 100, 10_000] {
            let [lambda, mu] = factors(n).map(f64::from);
            // the greatest growth of one frequency in all iterations
            let most = (1.0 + (lambda + mu).powi(2) / (-4.0 * lambda * mu)).powi(n as i32);
            assert!(mu < -lambda && most < 1.014, "{n}: {mu}, {most}");
        }
    }
}
