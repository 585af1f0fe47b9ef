//! As-rigid-as-possible energy as a function of positions: rotations follow them.
use crate::device::arap::{Arap, ArapArguments, FitRotations, RestOfTriangles};
use crate::device::energy::Energy;
use crate::host::elements::Elements;
use crate::host::error::{EnergyError, Result};
use crate::host::objective::{Objective, Rooms};
use ribbonmesh::Buffer;
use ribbonmesh::device::{BufferView, NONE};
use ribbonmesh_multigrid::{Blocks, Pattern};
use std::sync::Arc;

/// The energy of a surface with its rest, and rotations of vertices.
pub struct Rigid<'a> {
    elements: &'a Elements,
    rest: &'a Buffer<f64>,
    rotations: Buffer<f64>,
    rooms: Rooms,
}
impl<'a> Rigid<'a> {
    /// How triangles rest at `x`.
    /// # Errors
    /// [`EnergyError::Flat`] names a face without area; out of memory; errors of the driver.
    pub fn rest(elements: &Elements, x: &Buffer<f64>) -> Result<Buffer<f64>> {
        let device = elements.device();
        let mut rest = device.unspecified::<f64>(9 * elements.len())?;
        let mut wrong = device.upload(&[NONE])?;
        let kernel = RestOfTriangles {
            corners: elements.corners().view(),
            x: x.view(),
            rest: rest.view_mut(),
            wrong: wrong.view_mut(),
        };
        device.launch_each(elements.len() as u32, kernel)?;
        let wrong = wrong.read()?[0];
        if wrong == NONE { Ok(rest) } else { Err(EnergyError::Flat { face: wrong as usize }) }
    }
    /// The energy of triangles that rest so.
    /// # Errors
    /// Out of memory.
    pub fn new(elements: &'a Elements, rest: &'a Buffer<f64>) -> Result<Self> {
        let none = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        let rotations = elements.device().upload(&none.repeat(elements.vertices()))?;
        Ok(Self { elements, rest, rotations, rooms: Rooms::new(elements)? })
    }
    /// The rotations that fit best at `x`.
    pub fn fit(&mut self, x: &Buffer<f64>) -> Result<()> {
        let kernel = FitRotations {
            groups: self.elements.groups().view(),
            corners: self.elements.corners().view(),
            rest: self.rest.view(),
            x: x.view(),
            to: self.rotations.view_mut(),
        };
        Ok(self.elements.device().launch_each(self.elements.vertices() as u32, kernel)?)
    }
    /// The gradient with the rotations as they are.
    pub fn gradient_as_turned(
        &mut self,
        x: &Buffer<f64>,
        fixed: &Buffer<u32>,
        to: &mut Buffer<f64>,
    ) -> Result<f64> {
        let Self { elements, rest, rotations, rooms } = self;
        let energy = energy(elements, rest, rotations);
        rooms.gradient(elements, energy, (x, fixed), BufferView::empty(), to)
    }
}
fn energy<'a>(
    elements: &'a Elements,
    rest: &'a Buffer<f64>,
    rotations: &'a Buffer<f64>,
) -> ArapArguments<'a> {
    ArapArguments { corners: elements.corners().view(), rest: rest.view(), rotations: rotations.view() }
}
impl Objective for Rigid<'_> {
    fn fixed(&self, fixed: &Buffer<u32>) -> Result<Buffer<u32>> {
        self.elements.fixed::<<Arap<'_> as Energy>::Shape>(fixed)
    }
    fn value(&mut self, x: &Buffer<f64>) -> Result<f64> {
        self.fit(x)?;
        let Self { elements, rest, rotations, rooms } = self;
        rooms.value(elements, energy(elements, rest, rotations), x)
    }
    fn gradient(&mut self, x: &Buffer<f64>, fixed: &Buffer<u32>, to: &mut Buffer<f64>) -> Result<f64> {
        self.fit(x)?;
        self.gradient_as_turned(x, fixed, to)
    }
    fn pattern(&self) -> &Arc<Pattern> {
        self.elements.pattern()
    }
    /// The Hessian with the rotations as they are: the Laplacian of cotangents, three times.
    fn hessian(
        &mut self,
        x: &Buffer<f64>,
        fixed: &Buffer<u32>,
        shift: f64,
        project: bool,
        to: &mut Blocks<f64>,
    ) -> Result<()> {
        let Self { elements, rest, rotations, rooms } = self;
        let energy = energy(elements, rest, rotations);
        rooms.hessian(elements, energy, (x, fixed), (shift, project), to)
    }
    fn longest_step(&mut self, _: &Buffer<f64>, _: &Buffer<f64>) -> Result<f64> {
        Ok(f64::INFINITY)
    }
}
