//! Functions of all vertices, to be minimized.
use super::elements::Elements;
use super::error::{EnergyError, Result, length};
use super::kernels::EnergyKernels;
use crate::device::energy::Energy;
use ribbonmesh::device::BufferView;
use ribbonmesh::{Buffer, array};
use ribbonmesh_linear::{axpby, dot};
use ribbonmesh_multigrid::{Blocks, Pattern};
use std::sync::Arc;

/// A function of the coordinates of vertices, three numbers for each, with derivatives.
///
/// `fixed` has a word for each vertex; bit `c` says that coordinate `c` stays. There gradients are 0, and
/// rows and columns of the matrix those of the unit matrix.
pub trait Objective {
    /// The fixed unknowns, and those on which nothing depends.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; out of memory; errors of the driver.
    fn fixed(&self, fixed: &Buffer<u32>) -> Result<Buffer<u32>>;
    /// The value. Waits.
    /// # Errors
    /// [`ribbonmesh::Error::Length`]; out of memory; errors of the driver.
    fn value(&mut self, x: &Buffer<f64>) -> Result<f64>;
    /// The value, and the gradient into `to`. Waits.
    /// # Errors
    /// As [`Objective::value`].
    fn gradient(&mut self, x: &Buffer<f64>, fixed: &Buffer<u32>, to: &mut Buffer<f64>) -> Result<f64>;
    /// The blocks of its matrix.
    fn pattern(&self) -> &Arc<Pattern>;
    /// The Hessian plus `shift` on the diagonal, into a matrix with this pattern. Elements' parts have no
    /// negative eigenvalues if `project`.
    /// # Errors
    /// As [`Objective::value`].
    fn hessian(
        &mut self,
        x: &Buffer<f64>,
        fixed: &Buffer<u32>,
        shift: f64,
        project: bool,
        to: &mut Blocks<f64>,
    ) -> Result<()>;
    /// The largest step along `d` before the value is infinite. Waits.
    /// # Errors
    /// As [`Objective::value`].
    fn longest_step(&mut self, x: &Buffer<f64>, d: &Buffer<f64>) -> Result<f64>;
}

/// An energy of elements with memory for its derivatives: the sum of the energies, minus loads times
/// positions.
pub struct Potential<'a, E> {
    elements: &'a Elements,
    energy: E,
    loads: Option<&'a Buffer<f64>>,
    rooms: Rooms,
}
impl<'a, E: EnergyKernels<Energy: Energy<Real = f64>>> Potential<'a, E> {
    /// The energy of elements.
    /// # Errors
    /// [`EnergyError::OtherElements`]; out of memory.
    pub fn new(elements: &'a Elements, energy: E) -> Result<Self> {
        elements.check::<E>()?;
        Ok(Self { elements, energy, loads: None, rooms: Rooms::new(elements)? })
    }
    /// The same with forces at vertices, three numbers for each.
    /// # Errors
    /// [`ribbonmesh::Error::Length`].
    pub fn with_loads(mut self, loads: &'a Buffer<f64>) -> Result<Self> {
        length("numbers of loads", 3 * self.elements.vertices(), loads.len())?;
        self.loads = Some(loads);
        Ok(self)
    }
    /// Refuses positions at which an element's energy is not finite. Waits.
    /// # Errors
    /// [`EnergyError::NotFinite`] names the first such element; as [`Objective::value`].
    pub fn check(&mut self, x: &Buffer<f64>) -> Result<()> {
        self.rooms.value(self.elements, self.energy, x)?;
        let wrong = self.rooms.values.read()?.iter().position(|value| !value.is_finite());
        wrong.map_or(Ok(()), |element| Err(EnergyError::NotFinite { element }))
    }
    /// Loads times positions.
    fn work(&self, x: &Buffer<f64>) -> Result<f64> {
        self.loads.map_or(Ok(0.0), |loads| Ok(dot(self.elements.device(), loads, x)?))
    }
}
impl<E: EnergyKernels<Energy: Energy<Real = f64>>> Objective for Potential<'_, E> {
    fn fixed(&self, fixed: &Buffer<u32>) -> Result<Buffer<u32>> {
        self.elements.fixed::<<E::Energy as Energy>::Shape>(fixed)
    }
    fn value(&mut self, x: &Buffer<f64>) -> Result<f64> {
        Ok(self.rooms.value(self.elements, self.energy, x)? - self.work(x)?)
    }
    fn gradient(&mut self, x: &Buffer<f64>, fixed: &Buffer<u32>, to: &mut Buffer<f64>) -> Result<f64> {
        let loads = self.loads.map_or(BufferView::empty(), Buffer::view);
        let value = self.rooms.gradient(self.elements, self.energy, (x, fixed), loads, to)?;
        Ok(value - self.work(x)?)
    }
    fn pattern(&self) -> &Arc<Pattern> {
        self.elements.pattern()
    }
    fn hessian(
        &mut self,
        x: &Buffer<f64>,
        fixed: &Buffer<u32>,
        shift: f64,
        project: bool,
        to: &mut Blocks<f64>,
    ) -> Result<()> {
        self.rooms.hessian(self.elements, self.energy, (x, fixed), (shift, project), to)
    }
    fn longest_step(&mut self, x: &Buffer<f64>, d: &Buffer<f64>) -> Result<f64> {
        length("numbers of a direction", x.len(), d.len())?;
        let (at, values) = (self.elements.launch(), self.rooms.values.view_mut());
        self.energy.steps(at, x.view(), d.view(), values)?;
        Ok(array::min(&self.rooms.values)?.unwrap_or(f64::INFINITY))
    }
}

impl<E> std::fmt::Debug for Potential<'_, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Potential of {:?}", self.elements)
    }
}

/// Memory for what elements compute. Hessians get theirs when they are first asked for.
#[derive(Debug)]
pub struct Rooms {
    values: Buffer<f64>,
    numbers: Buffer<f64>,
    hessians: Option<Buffer<f64>>,
}
impl Rooms {
    pub fn new(elements: &Elements) -> Result<Self> {
        let device = elements.device();
        let (values, numbers) = (device.zeros(elements.len())?, device.zeros(0)?);
        Ok(Self { values, numbers, hessians: None })
    }
    /// The sum of the energies.
    pub fn value<E: EnergyKernels<Energy: Energy<Real = f64>>>(
        &mut self,
        elements: &Elements,
        energy: E,
        x: &Buffer<f64>,
    ) -> Result<f64> {
        elements.values(energy, x, &mut self.values)?;
        Ok(array::sum(&self.values)?)
    }
    /// The sum of the energies, and their gradient minus loads.
    pub fn gradient<E: EnergyKernels<Energy: Energy<Real = f64>>>(
        &mut self,
        elements: &Elements,
        energy: E,
        (x, fixed): (&Buffer<f64>, &Buffer<u32>),
        loads: BufferView<'_, f64>,
        to: &mut Buffer<f64>,
    ) -> Result<f64> {
        let [numbers, _] = elements.rooms::<<E::Energy as Energy>::Shape>();
        if self.numbers.len() != numbers {
            self.numbers = elements.device().unspecified(numbers)?;
        }
        elements.gradients(energy, x, &mut self.values, &mut self.numbers)?;
        elements.sum_gradients::<<E::Energy as Energy>::Shape>(&self.numbers, loads, fixed, to)?;
        Ok(array::sum(&self.values)?)
    }
    /// The sum of the Hessians.
    pub fn hessian<E: EnergyKernels<Energy: Energy<Real = f64>>>(
        &mut self,
        elements: &Elements,
        energy: E,
        (x, fixed): (&Buffer<f64>, &Buffer<u32>),
        (shift, project): (f64, bool),
        to: &mut Blocks<f64>,
    ) -> Result<()> {
        let [_, numbers] = elements.rooms::<<E::Energy as Energy>::Shape>();
        let hessians = match &mut self.hessians {
            Some(hessians) if hessians.len() == numbers => hessians,
            other => other.insert(elements.device().unspecified(numbers)?),
        };
        elements.hessians(energy, project, x, hessians)?;
        elements.sum_hessians::<<E::Energy as Energy>::Shape>(hessians, shift, fixed, to)
    }
}

/// `x + t d` into `to`.
pub fn moved(x: &Buffer<f64>, t: f64, d: &Buffer<f64>, to: &mut Buffer<f64>) -> Result<()> {
    to.copy_from(x)?;
    Ok(axpby(x.device(), t, d, 1.0, to)?)
}
