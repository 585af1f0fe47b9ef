//! Symmetric matrices whose lowest eigenpairs are wanted.
use ribbonmesh::{Buffer, Device, Result};

/// Columns of a panel: vectors are stored as panels of this many, each row by row.
pub const LANES: usize = crate::device::panel::LANES as usize;

/// A symmetric positive semidefinite matrix A, scaled so that the mass matrix is the unit matrix: D K D,
/// where D has 1 by the roots of masses, and 0 where the mass is 0.
pub trait Problem {
    /// The device.
    fn device(&self) -> &Device;
    /// Rows of the matrix.
    fn unknowns(&self) -> usize;
    /// The roots of masses; 0 for unknowns that do not count.
    fn roots(&self) -> &Buffer<f64>;
    /// A small positive number beside eigenvalues: residuals of eigenvalues that are less count as if they
    /// had this one.
    fn shift(&self) -> f64;
    /// The length of A v that rounding leaves for a vector v that hardly varies: no residual can be much
    /// less.
    fn rounding(&self) -> f64;
    /// The number of eigenvectors that are known, all with eigenvalue 0.
    fn known(&self) -> usize;
    /// The first `count` of these: as many numbers for each unknown, next to each other. They are orthonormal
    /// in the product of masses, and 0 where the root is 0.
    /// # Errors
    /// Out of memory; errors of the driver.
    fn known_vectors(&self, count: usize) -> Result<Buffer<f64>>;
    /// Y = A X for panels. Does not wait.
    /// # Errors
    /// Errors of launches.
    fn multiply(&self, panels: usize, x: &Buffer<f64>, y: &mut Buffer<f64>) -> Result<()>;
    /// z = B r for one panel, where B is symmetric and positive definite, and nearly the inverse of K. Does
    /// not wait.
    /// # Errors
    /// Errors of launches.
    fn precondition(&mut self, r: &Buffer<f32>, z: &mut Buffer<f32>) -> Result<()>;
}
