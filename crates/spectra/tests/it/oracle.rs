//! Spectra by a dense solver, and what is common to tests.
use faer::{Mat, Side};
use ribbonmesh::{Device, MeshOptions, Surface, TriangleMesh};
use ribbonmesh_intrinsic::{LaplacianOptions, laplacian};
use ribbonmesh_spectra::{Spectrum, SpectrumOptions, spectrum};

/// The spectrum of a mesh on a device.
pub fn of(device: &Device, mesh: &TriangleMesh, count: usize) -> Spectrum {
    let surface = Surface::new(device, mesh, &MeshOptions::default()).expect("a surface");
    let options = SpectrumOptions { count, tolerance: 1e-8, ..SpectrumOptions::default() };
    let found = spectrum(&surface, &options).expect("a spectrum");
    assert_eq!(found.report().converged, count, "{:?}", found.report());
    found
}
/// The Laplacian of a mesh, row by row, and its masses.
pub struct Plain {
    pub matrix: Mat<f64>,
    pub mass: Vec<f64>,
}
impl Plain {
    pub fn of(mesh: &TriangleMesh) -> Self {
        let surface = Surface::new(&Device::cpu(), mesh, &MeshOptions::default()).expect("a surface");
        let found = laplacian(&surface, &LaplacianOptions::default()).expect("a Laplacian");
        let mass = found.mass().read().expect("memory");
        let mut matrix = Mat::zeros(mass.len(), mass.len());
        for (row, column, value) in found.to_csr().expect("a matrix").triplets() {
            matrix[(row as usize, column as usize)] = value;
        }
        Self { matrix, mass }
    }
    /// All eigenvalues.
    pub fn values(&self) -> Vec<f64> {
        let live: Vec<usize> = (0..self.mass.len()).filter(|&v| self.mass[v] > 0.0).collect();
        let scaled = Mat::from_fn(live.len(), live.len(), |i, j| {
            self.matrix[(live[i], live[j])] / (self.mass[live[i]] * self.mass[live[j]]).sqrt()
        });
        scaled.self_adjoint_eigenvalues(Side::Lower).expect("finite numbers")
    }
    /// Compares a spectrum with the dense one: eigenvalues, residuals, products of functions.
    pub fn check(&self, found: &Spectrum) {
        let (count, n) = (found.values().len(), self.mass.len());
        let (expected, vectors) = (self.values(), found.vectors().read().expect("memory"));
        let scale = expected[count - 1].max(1e-3 * expected.last().copied().unwrap_or(1.0));
        for (k, (value, expected)) in found.values().iter().zip(&expected).enumerate() {
            assert!((value - expected).abs() <= 1e-9 * scale, "{k}: {value}, not {expected}");
        }
        let functions = Mat::from_fn(n, count, |v, k| vectors[v * count + k]);
        let weighted = Mat::from_fn(n, count, |v, k| self.mass[v] * vectors[v * count + k]);
        let (products, image) = (functions.transpose() * &weighted, &self.matrix * &functions);
        for k in 0..count {
            for j in 0..count {
                let unit = f64::from(u8::from(j == k));
                assert!((products[(j, k)] - unit).abs() < 1e-9, "{j}, {k}: {}", products[(j, k)]);
            }
            for v in 0..n {
                let left = image[(v, k)] - found.values()[k] * weighted[(v, k)];
                assert!(left.abs() < 1e-5 * scale * self.mass[v].sqrt().max(1e-12), "{k} at {v}: {left}");
            }
        }
    }
}
