//! Derivatives of elements by their own variables, before they are summed.
use super::elements::Elements;
use super::error::{Result, length};
use super::kernels::EnergyKernels;
use crate::device::energy::{Energy, address, room};
use crate::device::shape::Shape;
use ribbonmesh::Buffer;
use ribbonmesh::device::Pod;

/// The derivatives of elements by their own variables, on the host.
#[derive(Clone, Debug, PartialEq)]
pub struct Derivatives<R> {
    /// The energy of each element.
    pub values: Vec<R>,
    /// The gradient of each element.
    pub gradients: Vec<Vec<R>>,
    /// The packed Hessian of each element.
    pub hessians: Vec<Vec<R>>,
}
type Real<E> = <<E as EnergyKernels>::Energy as Energy>::Real;
type Of<E> = <<E as EnergyKernels>::Energy as Energy>::Shape;

impl Elements {
    /// The lengths of lists of gradients and of packed Hessians of all elements, which are interleaved by 32
    /// elements.
    pub fn rooms<S: Shape>(&self) -> [usize; 2] {
        [S::VARIABLES, S::PACKED].map(|numbers| room(self.len(), numbers))
    }
    /// The energy of each element. Does not wait.
    /// # Errors
    /// [`OtherElements`](super::error::EnergyError::OtherElements); [`ribbonmesh::Error::Length`]; errors of
    /// the driver.
    pub fn values<E>(&self, energy: E, x: &Buffer<Real<E>>, to: &mut Buffer<Real<E>>) -> Result<()>
    where
        E: EnergyKernels<Energy: Energy<Real: Pod>>,
    {
        self.check::<E>()?;
        length("coordinates of vertices", 3 * self.vertices(), x.len())?;
        length("energies of elements", self.len(), to.len())?;
        Ok(energy.values(self.launch(), x.view(), to.view_mut())?)
    }
    /// The energy of each element, and its gradient by its variables. Does not wait.
    /// # Errors
    /// As [`Elements::values`].
    pub fn gradients<E>(
        &self,
        energy: E,
        x: &Buffer<Real<E>>,
        values: &mut Buffer<Real<E>>,
        to: &mut Buffer<Real<E>>,
    ) -> Result<()>
    where
        E: EnergyKernels<Energy: Energy<Real: Pod>>,
    {
        self.check::<E>()?;
        length("coordinates of vertices", 3 * self.vertices(), x.len())?;
        length("energies of elements", self.len(), values.len())?;
        length("numbers of gradients", self.rooms::<Of<E>>()[0], to.len())?;
        Ok(energy.gradients(self.launch(), x.view(), values.view_mut(), to.view_mut())?)
    }
    /// The packed Hessian of each element by its variables, without negative eigenvalues if `project`. Does
    /// not wait.
    /// # Errors
    /// As [`Elements::values`].
    pub fn hessians<E>(
        &self,
        energy: E,
        project: bool,
        x: &Buffer<Real<E>>,
        to: &mut Buffer<Real<E>>,
    ) -> Result<()>
    where
        E: EnergyKernels<Energy: Energy<Real: Pod>>,
    {
        self.check::<E>()?;
        length("coordinates of vertices", 3 * self.vertices(), x.len())?;
        length("numbers of Hessians", self.rooms::<Of<E>>()[1], to.len())?;
        Ok(energy.hessians(self.launch(), project, x.view(), to.view_mut())?)
    }

    /// Energies of elements with their derivatives by their own variables, on the host: to look at, and for
    /// tests. Hessians are projected if `project`. Waits.
    /// # Errors
    /// As [`Elements::values`]; out of memory.
    pub fn derivatives<E>(
        &self,
        energy: E,
        x: &Buffer<Real<E>>,
        project: bool,
    ) -> Result<Derivatives<Real<E>>>
    where
        E: EnergyKernels<Energy: Energy<Real: Pod>>,
    {
        let (device, n) = (self.device(), self.len());
        let [of_gradients, of_hessians] = self.rooms::<Of<E>>();
        let mut values = device.unspecified(n)?;
        // rooms end with a warp of elements, of which some may be none
        let (mut gradients, mut hessians) = (device.zeros(of_gradients)?, device.zeros(of_hessians)?);
        self.gradients(energy, x, &mut values, &mut gradients)?;
        self.hessians(energy, project, x, &mut hessians)?;
        let split = |from: &Buffer<Real<E>>, of: usize| -> Result<Vec<Vec<_>>> {
            let all = from.read()?;
            let at = |element: usize, k: usize| all[address(element as u32, k as u32, of as u32) as usize];
            Ok((0..n).map(|element| (0..of).map(|k| at(element, k)).collect()).collect())
        };
        let gradients = split(&gradients, Of::<E>::VARIABLES)?;
        let hessians = split(&hessians, Of::<E>::PACKED)?;
        Ok(Derivatives { values: values.read()?, gradients, hessians })
    }
}
