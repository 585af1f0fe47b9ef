//! Energies of meshes with their derivatives.
use super::in_turn;
use super::laplacian::{Arrays, Numbers};
use super::volume::NativeVolume;
use crate::arrays::{give, points};
use crate::device::Turn;
use crate::dlpack::{Copied, DeviceArray, Source, count, taken};
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::options::word;
use crate::watch;
use pyo3::prelude::*;
use ribbonmesh::Buffer;
use ribbonmesh::glam::DVec3;
use ribbonmesh_energies::{MeshEnergy, SurfaceEnergy, coordinates};
use ribbonmesh_fem::Lame;
use ribbonmesh_mesh::{Class, OptionError};
use ribbonmesh_volume::{CellKind, CellList};
use std::sync::{Arc, Mutex, PoisonError};

/// The elements of a mesh with the energy that was last asked for, which the next call needs again.
pub struct Kept<K>(Mutex<Option<(K, Arc<MeshEnergy>)>>);
impl<K> Default for Kept<K> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}
impl<K: PartialEq> Kept<K> {
    /// The elements, made if others are kept. In a turn on the device.
    pub fn get(
        &self,
        key: K,
        make: impl FnOnce() -> Result<MeshEnergy, Failure>,
    ) -> Result<Arc<MeshEnergy>, Failure> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some((known, energy)) if *known == key => Ok(energy.clone()),
            _ => {
                let made = Arc::new(make()?);
                *kept = Some((key, made.clone()));
                Ok(made)
            }
        }
    }
}

/// Positions as they were given.
pub enum Given {
    Host(Vec<DVec3>),
    Lent(taken::Coordinates),
}
impl Given {
    /// Positions of the host, a row for each vertex.
    pub fn of_host(object: &Bound<'_, PyAny>, vertices: usize) -> PyResult<Self> {
        let (rows, _) = points(object, "positions")?;
        Self::Host(rows).check(vertices)
    }
    fn check(self, vertices: usize) -> PyResult<Self> {
        let rows = match &self {
            Self::Host(rows) => rows.len(),
            Self::Lent(taken::Coordinates::Single(rows)) => rows.buffer().len(),
            Self::Lent(taken::Coordinates::Double(numbers)) => numbers.buffer().len() / 3,
        };
        if rows == vertices {
            return Ok(self);
        }
        let text = format!("positions have {rows} rows, and the mesh has {vertices} vertices");
        Err(Failure::argument(text).into())
    }
    /// An energy at these positions, with its derivatives.
    pub fn found(
        &self,
        turn: &Turn,
        of: &MeshEnergy,
        hessian: Option<bool>,
        on_device: bool,
    ) -> Result<Found, Failure> {
        let own;
        let x = match self {
            Self::Lent(taken::Coordinates::Double(lent)) => lent.buffer(),
            Self::Lent(taken::Coordinates::Single(lent)) => {
                own = coordinates(lent.buffer())?;
                &own
            }
            Self::Host(rows) => {
                count(Copied::ToDevice);
                own = turn.upload(bytemuck::cast_slice(rows))?;
                &own
            }
        };
        let found = of.derivatives(x, hessian)?;
        let rows = match found.hessian {
            None => None,
            Some((starts, columns, values)) => Some([
                Numbers::of(starts, on_device)?,
                Numbers::of(columns, on_device)?,
                Numbers::of_doubles(values, on_device)?,
            ]),
        };
        let gradient = match on_device {
            true => Gradient::Device(found.gradient),
            false => Gradient::Host(found.gradient.read()?),
        };
        Ok(Found { value: found.value, gradient, rows })
    }
}
/// Three numbers for each vertex, where arrays of Python live.
enum Gradient {
    Host(Vec<f64>),
    Device(Buffer<f64>),
}
/// An energy, its gradient, and the rows, columns and entries of its Hessian.
pub struct Found {
    value: f64,
    gradient: Gradient,
    rows: Option<[Numbers; 3]>,
}
/// The same as Python has it.
pub type Derivatives<'py> = (f64, Bound<'py, PyAny>, Option<Arrays<'py>>);
impl Found {
    pub fn arrays(self, py: Python<'_>) -> PyResult<Derivatives<'_>> {
        let gradient = match self.gradient {
            Gradient::Host(numbers) => give(py, numbers, 3)?,
            Gradient::Device(buffer) => {
                let source = Source::DoubleVectors(Arc::new(buffer));
                Bound::new(py, DeviceArray::new(source)?)?.into_any()
            }
        };
        let rows = match self.rows {
            None => None,
            Some([starts, columns, values]) => {
                Some((starts.array(py)?, columns.array(py)?, values.array(py)?))
            }
        };
        Ok((self.value, gradient, rows))
    }
}

/// An energy of a surface: its value, its gradient, and the rows, columns and entries of its Hessian.
#[pyfunction]
#[pyo3(signature = (mesh, name, positions, stiffness, hessian, project))]
pub fn energy<'py>(
    py: Python<'py>,
    mesh: &NativeMesh,
    name: &str,
    positions: &Bound<'py, PyAny>,
    stiffness: f64,
    hessian: bool,
    project: bool,
) -> PyResult<Derivatives<'py>> {
    let names = [
        (SurfaceEnergy::Springs { stiffness }, "springs"),
        (SurfaceEnergy::SymmetricDirichlet, "symmetric-dirichlet"),
        (SurfaceEnergy::Arap, "arap"),
    ];
    let energy = word("name", names, name)?;
    let (content, on_device) = (Arc::clone(&mesh.content), mesh.content.resident);
    let [vertices, faces] = content.sizes;
    let given = match on_device {
        true => {
            let lent = taken::coordinates(py, &content.device()?, positions, "positions")?;
            Given::Lent(lent).check(vertices)?
        }
        false => Given::of_host(positions, vertices)?,
    };
    let found = watch::run(py, content.quick(faces), None, move |session| {
        session.turn(&content.device()?, |turn| {
            let make = || Ok(MeshEnergy::of_surface(&mut content.surface(turn)?, energy)?);
            let of = content.energy.get(energy, make)?;
            given.found(turn, &of, hessian.then_some(project), on_device)
        })
    })?;
    found.arrays(py)
}

/// The energy of a volume of neo-Hookean tetrahedra, the same.
#[pyfunction]
#[pyo3(signature = (volume, positions, young, poisson, hessian, project))]
pub fn volume_energy<'py>(
    py: Python<'py>,
    volume: &NativeVolume,
    positions: &Bound<'py, PyAny>,
    young: f64,
    poisson: f64,
    hessian: bool,
    project: bool,
) -> PyResult<Derivatives<'py>> {
    let moduli = moduli(young, poisson)?;
    let given = Given::of_host(positions, volume.data.positions.len())?;
    let (data, kept) = (Arc::clone(&volume.data), Arc::clone(&volume.energy));
    let found = in_turn(py, volume.choice, volume.size(), None, move |turn| {
        let make = || {
            let origin = data.local_origin();
            let still: Vec<DVec3> = data.positions.iter().map(|x| *x - origin).collect();
            let still = turn.upload(bytemuck::cast_slice(&still))?;
            Ok(MeshEnergy::of_tetrahedra(&still, &tetrahedra(&data.cells)?, moduli)?)
        };
        given.found(turn, &*kept.get(moduli, make)?, hessian.then_some(project), false)
    })?;
    found.arrays(py)
}
/// μ and λ.
fn moduli(young: f64, poisson: f64) -> Result<[f64; 2], Failure> {
    let refuse = |option, value: f64, expected| Err(OptionError::value(option, value, expected).into());
    if !(young > 0.0 && young.is_finite()) {
        return refuse("young", young, "a finite number above 0");
    }
    if !(poisson > -1.0 && poisson < 0.5) {
        return refuse("poisson", poisson, "a number above -1 and below 0.5");
    }
    let Lame { lambda, mu } = Lame::of(young, poisson);
    Ok([mu, lambda])
}
/// The vertices of cells that are all tetrahedra.
fn tetrahedra(cells: &CellList) -> Result<Vec<[u32; 4]>, Failure> {
    let of = |cell| match cells.cell(cell) {
        (CellKind::Tetrahedron, vertices) => Ok(std::array::from_fn(|k| vertices[k])),
        (kind, _) => {
            let text = format!("cell {cell} is a {kind}: neo-Hookean energies are those of tetrahedra");
            Err(Failure::new(Class::mesh().cell(cell), text))
        }
    };
    (0..cells.len()).map(of).collect()
}
