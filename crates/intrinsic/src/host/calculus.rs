//! A triangulation with its Laplacian, and integrals over its triangles.
use super::laplacian::{Laplacian, Parts, triangulation};
use super::options::{LaplacianOptions, Mass};
use super::triangulation::Triangulation;
use crate::device::flow::{Diverge, FlowOfDirections};
use ribbonmesh::{Buffer, Error, Result, Surface};

/// A triangulation, its Laplacian, and the divergence of fields that are constant on its triangles.
///
/// ```
/// use ribbonmesh::mesh::shapes;
/// use ribbonmesh::{Device, MeshOptions, Surface};
/// use ribbonmesh_intrinsic::{Calculus, LaplacianOptions};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let device = Device::auto();
/// let surface = Surface::new(&device, &shapes::icosphere(2)?, &MeshOptions::default())?;
/// let calculus = Calculus::new(&surface, &LaplacianOptions::default())?;
/// // what flows out of some vertices flows into others
/// let heights: Vec<f64> = surface.exact_positions()?.read()?.iter().map(|p| p.z).collect();
/// let out = calculus.divergence_of_directions(&device.upload(&heights)?)?.read()?;
/// assert!(out.iter().sum::<f64>().abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
pub struct Calculus {
    triangulation: Triangulation,
    laplacian: Laplacian,
    parts: Parts,
}

impl Calculus {
    /// The triangulation and the Laplacian that [`laplacian`](crate::laplacian()) makes.
    /// # Errors
    /// As [`laplacian`](crate::laplacian()).
    pub fn new(surface: &Surface, options: &LaplacianOptions) -> Result<Self> {
        Self::of(triangulation(surface, options)?, options.mass)
    }
    /// The Laplacian of a triangulation as it is.
    /// # Errors
    /// As [`Laplacian::of`].
    pub fn of(triangulation: Triangulation, mass: Mass) -> Result<Self> {
        let (laplacian, parts) = Laplacian::assembled(&triangulation, mass)?;
        Ok(Self { triangulation, laplacian, parts })
    }
    /// The Laplacian and the masses.
    pub fn laplacian(&self) -> &Laplacian {
        &self.laplacian
    }
    /// The triangulation.
    pub fn triangulation(&self) -> &Triangulation {
        &self.triangulation
    }
    /// Of a positive function, whose logarithm each vertex has: the divergence of the field that has length 1
    /// and the direction against the slope on each triangle, as the integral at each vertex of the field
    /// times the gradient of the function that is 1 there. The Laplacian of a function whose gradient is this
    /// field is equal to it. A triangle without a slope adds nothing. Two passes; does not wait.
    ///
    /// Logarithms tell the direction however small the function is: within a triangle, values count as parts
    /// of the greatest one. −∞ stands for 0.
    /// # Errors
    /// [`Error::Length`] unless there is a number for each vertex; [`Error::OtherDevice`]; out of memory;
    /// errors of the driver.
    pub fn divergence_of_directions(&self, logarithms: &Buffer<f64>) -> Result<Buffer<f64>> {
        let (of, device) = (&self.triangulation, self.triangulation.device());
        let (expected, found) = (of.vertices(), logarithms.len());
        if found != expected {
            return Err(Error::Length { what: "the logarithms", expected, found });
        }
        if !logarithms.device().same(device) {
            return Err(Error::OtherDevice { what: "the logarithms" });
        }
        let n = of.twin.len();
        let mut flows = device.unspecified::<f64>(n)?;
        let flow = FlowOfDirections {
            mesh: of.view(),
            cotangents: self.parts.cotangents.view(),
            logarithms: logarithms.view(),
            flows: flows.view_mut(),
        };
        device.launch_each(n as u32, flow)?;
        let mut out = device.unspecified::<f64>(expected)?;
        let diverge = Diverge {
            share: of.share(),
            stars: self.parts.stars(of),
            next: of.next.view(),
            flows: flows.view(),
            out: out.view_mut(),
        };
        device.launch_each(of.vertices, diverge)?;
        Ok(out)
    }
}
