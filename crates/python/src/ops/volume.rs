//! Volumes: cells instead of faces, their surfaces, and computations on them.
use super::energy::Kept;
use super::{in_turn, text, value};
use crate::arrays::{give, points};
use crate::content::Content;
use crate::device::Choice;
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::options::{parse, parse_some, word};
use crate::watch::{self, Size};
use numpy::{PyReadonlyArray2, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use ribbonmesh::MeshOptions;
use ribbonmesh::glam::DVec3;
use ribbonmesh_fem::elasticity::{
    Load, Material, ModeOptions, Options, Precision, Preconditioner, Problem, Support, Vibration,
};
use ribbonmesh_mesh::{BoundingBox, Precision as Stored, Scalars};
use ribbonmesh_volume::tetrahedra::{
    CellSize, InsideRule, TetrahedraOptions, tetrahedralize as fill_with_cells,
};
use ribbonmesh_volume::{CellKind, CellList, Orientation, VolumeMesh, VolumeOptions};
use ribbonmesh_volume_io::{
    DataArray, MshVersion, VolumeData, VolumeFormat, VolumeLoss, VolumeWriteOptions, VtkVersion,
};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;

const KINDS: [(CellKind, &str); 4] = [
    (CellKind::Tetrahedron, "tetrahedra"),
    (CellKind::Pyramid, "pyramids"),
    (CellKind::Wedge, "wedges"),
    (CellKind::Hexahedron, "hexahedra"),
];

/// A volume that does not change.
#[pyclass(frozen, module = "ribbonmesh._native")]
pub struct NativeVolume {
    pub(super) data: Arc<VolumeData>,
    pub(super) choice: Choice,
    /// The elements with these Lamé parameters.
    pub(super) energy: Arc<Kept<[f64; 2]>>,
}

/// A resulting volume, and a report.
type Made = (NativeVolume, String);

fn losses_of(losses: &[VolumeLoss]) -> Vec<String> {
    losses.iter().map(ToString::to_string).collect()
}

/// The numbers of an array of any shape of one or two axes, with a row for each element.
fn data_of(name: &str, array: &Bound<'_, PyAny>, rows: usize) -> PyResult<DataArray> {
    let sizes: Vec<usize> = array.getattr("shape")?.extract()?;
    let width = match sizes[..] {
        [n] if n == rows => 1,
        [n, width] if n == rows && width > 0 => width,
        _ => {
            let text =
                format!("the data {name:?} have the shape {sizes:?}: ({rows},) or ({rows}, k) is needed");
            return Err(Failure::argument(text).into());
        }
    };
    macro_rules! of_type {
        ($($type:ty),*) => {
            $(if let Ok(array) = array.extract::<PyReadonlyArrayDyn<'_, $type>>() {
                Scalars::from(array.as_array().iter().copied().collect::<Vec<$type>>())
            } else)* {
                let text = format!("the data {name:?} are no integers or real numbers of 8 to 64 bits");
                return Err(Failure::argument(text).into());
            }
        };
    }
    let scalars = of_type!(f32, f64, u8, i8, u16, i16, u32, i32, u64, i64);
    Ok(DataArray::of_width(name, width, scalars))
}
/// Data as an array, a copy.
fn array_of<'py>(py: Python<'py>, data: &DataArray) -> PyResult<Bound<'py, PyAny>> {
    macro_rules! of_type {
        ($($variant:ident),*) => {
            match &data.scalars {
                $(Scalars::$variant(numbers) => give(py, numbers.clone(), data.width),)*
            }
        };
    }
    of_type!(U8, I8, U16, I16, U32, I32, U64, I64, F32, F64)
}

impl NativeVolume {
    fn new(data: VolumeData, choice: Choice) -> Self {
        Self { data: Arc::new(data), choice, energy: Arc::default() }
    }
    pub(super) fn size(&self) -> Size {
        Size::Faces(self.data.cells.len())
    }
    fn arrays(&self, of: &str) -> Result<&[DataArray], Failure> {
        let all = [
            ("point", &self.data.point_data),
            ("cell", &self.data.cell_data),
            ("face", &self.data.face_data),
        ];
        let found = all.into_iter().find(|(name, _)| *name == of);
        found
            .map(|(_, arrays)| &arrays[..])
            .ok_or_else(|| Failure::argument(format!("{of:?}: one of point, cell, face")))
    }
    /// Work on the mesh of the device, with the volume.
    fn on_mesh<T: Send + 'static>(
        &self,
        py: Python<'_>,
        turn_inverted: bool,
        work: impl FnOnce(&VolumeData, VolumeMesh) -> Result<T, Failure> + Send + 'static,
    ) -> PyResult<T> {
        let data = Arc::clone(&self.data);
        let orientation = if turn_inverted { Orientation::ByVolume } else { Orientation::AsGiven };
        in_turn(py, self.choice, self.size(), None, move |device| {
            let mesh = data.upload(device, data.local_origin(), &VolumeOptions { orientation })?;
            work(&data, mesh)
        })
    }
}

/// The volume with the cells as the mesh has turned them.
fn turned(data: &VolumeData, mesh: &VolumeMesh) -> Result<VolumeData, Failure> {
    let mut data = data.clone();
    let given = std::mem::replace(&mut data.cells, mesh.to_cells()?);
    data.cells.set_faces_of(&given);
    Ok(data)
}

#[pymethods]
impl NativeVolume {
    /// A volume of positions, and of cells by kind, each an array of int64 (m, 4 to 8).
    #[staticmethod]
    fn of_arrays(points_: &Bound<'_, PyAny>, cells: &Bound<'_, PyDict>, device: &str) -> PyResult<Self> {
        let choice = device.parse()?;
        let (positions, precision) = points(points_, "points")?;
        let mut list = CellList::new();
        for (name, array) in cells {
            let name: String = name.extract()?;
            let kind: CellKind = word("the kind of cells", KINDS, &name)?;
            let width = kind.vertices().unwrap_or(0);
            let array: PyReadonlyArray2<'_, i64> = array.extract()?;
            if array.shape()[1] != width {
                let text = format!("{name} have the shape {:?}: (m, {width}) is needed", array.shape());
                return Err(Failure::argument(text).into());
            }
            for (cell, row) in array.as_array().rows().into_iter().enumerate() {
                let there = |v: &i64| u32::try_from(*v).ok().filter(|v| (*v as usize) < positions.len());
                let vertices: Option<Vec<u32>> = row.iter().map(there).collect();
                let vertices = vertices.ok_or_else(|| {
                    let n = positions.len();
                    Failure::argument(format!(
                        "{name}: cell {cell} has a vertex that is not there; there are {n}, numbered from 0"
                    ))
                })?;
                list.push(kind, &vertices);
            }
        }
        if let Some(vertex) = positions.iter().position(|p| !p.is_finite()) {
            return Err(Failure::from(ribbonmesh::Error::NotFinite { vertex }).into());
        }
        Ok(Self::new(VolumeData { positions, precision, cells: list, ..VolumeData::default() }, choice))
    }
    /// Reads a file; also returns the changes of reading, in words.
    #[staticmethod]
    #[pyo3(signature = (path, device, format))]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        device: &str,
        format: Option<&str>,
    ) -> PyResult<(Self, Vec<String>)> {
        let (choice, format) = (device.parse()?, parse_some::<VolumeFormat>("format", format)?);
        let loaded =
            watch::run(py, Size::Long, None, move |_| Ok(ribbonmesh_volume_io::read_as(path, format)?))?;
        Ok((Self::new(loaded.volume, choice), loaded.notes.in_words()))
    }
    /// Writes a file; returns the data that the format cannot hold, in words.
    #[pyo3(signature = (path, format, ascii, old))]
    fn write(
        &self,
        py: Python<'_>,
        path: PathBuf,
        format: Option<&str>,
        ascii: bool,
        old: bool,
    ) -> PyResult<Vec<String>> {
        let format = match parse_some::<VolumeFormat>("format", format)? {
            Some(format) => format,
            None => VolumeFormat::from_path(&path)
                .map_err(|unknown| Failure::argument(format!("{}: {unknown}", path.display())))?,
        };
        let mut options = VolumeWriteOptions { ascii, ..VolumeWriteOptions::default() };
        if old {
            (options.vtk_version, options.msh_version) = (VtkVersion::V3, MshVersion::V2);
        }
        let data = Arc::clone(&self.data);
        let losses = watch::run(py, Size::Long, None, move |_| {
            Ok(ribbonmesh_volume_io::write_as(path, format, &data, &options)?)
        })?;
        Ok(losses_of(&losses))
    }
    /// Vertices and cells.
    #[getter]
    fn sizes(&self) -> (usize, usize) {
        (self.data.positions.len(), self.data.cells.len())
    }
    /// Positions, a copy.
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = || self.data.positions.iter().flat_map(|p| p.to_array());
        match self.data.precision {
            Stored::Single => give::<f32>(py, all().map(|x| x as f32).collect(), 3),
            Stored::Double => give::<f64>(py, all().collect(), 3),
        }
    }
    /// For each kind in the volume: its name, its cells' numbers, and their vertices. Polyhedra have none of
    /// these.
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Vec<CellsOf<'py>>> {
        let cells = &self.data.cells;
        let mut found = vec![];
        for (kind, name) in KINDS {
            let ids: Vec<usize> = (0..cells.len()).filter(|&cell| cells.cell(cell).0 == kind).collect();
            if ids.is_empty() {
                continue;
            }
            let of = |&cell: &usize| cells.cell(cell).1.iter().map(|v| *v as i32).collect::<Vec<_>>();
            let vertices: Vec<i32> = ids.iter().flat_map(of).collect();
            let width = kind.vertices().unwrap_or(1);
            let ids = ids.into_iter().map(|cell| cell as i64).collect::<Vec<i64>>();
            found.push((name, give(py, ids, 1)?, give(py, vertices, width)?));
        }
        Ok(found)
    }
    /// Names of the data of points, cells or faces.
    fn data_names(&self, of: &str) -> PyResult<Vec<String>> {
        Ok(self.arrays(of)?.iter().map(|array| array.name.clone()).collect())
    }
    /// Data, as a copy.
    fn data<'py>(&self, py: Python<'py>, of: &str, name: &str) -> PyResult<Bound<'py, PyAny>> {
        match self.arrays(of)?.iter().find(|array| array.name == name) {
            Some(array) => array_of(py, array),
            None => Err(pyo3::exceptions::PyKeyError::new_err(name.to_owned())),
        }
    }
    /// Names of regions: dimension, number, name.
    #[getter]
    fn regions(&self) -> Vec<(u8, i32, String)> {
        self.data.regions.iter().map(|r| (r.dimension, r.tag, r.name.clone())).collect()
    }
    /// The same with data of points or cells added, or removed if the value is None.
    fn with_data(&self, point: &Bound<'_, PyDict>, cell: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut data = VolumeData::clone(&self.data);
        let (points, cells) = (data.positions.len(), data.cells.len());
        for (given, arrays, rows) in
            [(point, &mut data.point_data, points), (cell, &mut data.cell_data, cells)]
        {
            for (name, array) in given {
                let name: String = name.extract()?;
                let made = if array.is_none() { None } else { Some(data_of(&name, &array, rows)?) };
                arrays.retain(|known| known.name != name);
                arrays.extend(made);
            }
        }
        Ok(Self::new(data, self.choice))
    }
    /// The figures, as JSON.
    fn info(&self, py: Python<'_>, turn_inverted: bool) -> PyResult<String> {
        self.on_mesh(py, turn_inverted, |data, mesh| Ok(text(&figures(data, &mesh)?)))
    }
    /// The surface as triangles, and the data that did not fit.
    fn surface(&self, py: Python<'_>, turn_inverted: bool) -> PyResult<(NativeMesh, Vec<String>)> {
        let choice = self.choice;
        self.on_mesh(py, turn_inverted, move |data, mesh| {
            let (surface, losses) = data.surface(&mesh)?;
            let content = Content::of_host(surface, choice, MeshOptions::default());
            Ok((NativeMesh::new(content), losses_of(&losses)))
        })
    }
    /// Subdivides `levels` times; also returns the names of data that were not transferred.
    fn subdivide(&self, py: Python<'_>, levels: u32, turn_inverted: bool) -> PyResult<(Self, Vec<String>)> {
        let choice = self.choice;
        self.on_mesh(py, turn_inverted, move |data, mut mesh| {
            let (mut data, mut told, origin) = (data.clone(), vec![], data.local_origin());
            for _ in 0..levels {
                let finer = mesh.subdivide()?;
                let (level, losses) = data.subdivided(&mesh, &finer, origin)?;
                told.extend(losses_of(&losses));
                (data, mesh) = (level, finer);
            }
            Ok((Self::new(data, choice), told))
        })
    }
    /// Moves the vertices inside to the means of their neighbours, `steps` times; returns a report.
    fn smooth(&self, py: Python<'_>, steps: u32, turn_inverted: bool) -> PyResult<Made> {
        let choice = self.choice;
        self.on_mesh(py, turn_inverted, move |data, mut mesh| {
            let before = mesh.defects()?.inverted_cells.count;
            mesh.smooth(steps as usize)?;
            mesh.device().synchronize()?;
            let after = mesh.defects()?.inverted_cells.count;
            let mut moved = if turn_inverted { turned(data, &mesh)? } else { data.clone() };
            moved.move_points_around(data.local_origin(), &mesh.positions().read()?);
            let ways = data.positions.iter().zip(&moved.positions).map(|(a, b)| a.distance(*b));
            let report = json!({
                "steps": steps,
                "inverted_cells_before": before,
                "inverted_cells_after": after,
                "greatest_displacement": ways.fold(0.0, f64::max),
            });
            Ok((Self::new(moved, choice), text(&report)))
        })
    }
    /// Solves for the displacement under loads: the volume with displacement, reaction and stresses, and a
    /// report. Or finds so many modes.
    #[pyo3(signature = (fix, moves, load, traction, pressure, gravity, density, young, poisson, material, order, tolerance, max_iterations, precision, preconditioner, large, modes, turn_inverted, progress))]
    #[expect(clippy::too_many_arguments, reason = "they are the command's options")]
    fn elasticity(
        &self,
        py: Python<'_>,
        fix: Vec<String>,
        moves: Vec<(String, [Option<f64>; 3])>,
        load: Vec<(String, [f64; 3])>,
        traction: Vec<(String, [f64; 3])>,
        pressure: Vec<(String, f64)>,
        gravity: [f64; 3],
        density: f64,
        young: f64,
        poisson: f64,
        material: Vec<(String, f64, f64, Option<f64>)>,
        order: u32,
        tolerance: Option<f64>,
        max_iterations: Option<usize>,
        precision: &str,
        preconditioner: &str,
        large: bool,
        modes: Option<usize>,
        turn_inverted: bool,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Made> {
        let (usual, of_modes) = (Options::default(), ModeOptions::default());
        let tolerance =
            tolerance.unwrap_or(if modes.is_some() { of_modes.tolerance } else { usual.tolerance });
        if !(tolerance > 0.0 && tolerance < 1.0) {
            return Err(Failure::argument(format!("tolerance is {tolerance}: above 0 and below 1")).into());
        }
        let mut problem =
            Problem { young, poisson, density, gravity: DVec3::from(gravity), ..Problem::default() };
        for at in &fix {
            problem.supports.push(Support { at: parse("fix", at)?, values: [Some(0.0); 3] });
        }
        for (at, values) in &moves {
            problem.supports.push(Support { at: parse("move", at)?, values: *values });
        }
        for (at, total) in &load {
            problem.loads.push(Load::Force { at: parse("load", at)?, total: DVec3::from(*total) });
        }
        for (at, force) in &traction {
            problem.loads.push(Load::Traction { at: parse("traction", at)?, force: DVec3::from(*force) });
        }
        for (at, of) in &pressure {
            problem.loads.push(Load::Pressure { at: parse("pressure", at)?, pressure: *of });
        }
        for (at, young, poisson, density) in &material {
            let (at, density) = (parse("material", at)?, *density);
            problem.materials.push(Material { at, young: *young, poisson: *poisson, density });
        }
        let options = Options {
            order,
            tolerance,
            max_iterations: max_iterations.unwrap_or(usual.max_iterations),
            precision: word(
                "precision",
                [(Precision::Mixed, "mixed"), (Precision::Double, "double")],
                precision,
            )?,
            preconditioner: word(
                "preconditioner",
                [
                    (Preconditioner::Automatic, "automatic"),
                    (Preconditioner::Multigrid, "multigrid"),
                    (Preconditioner::Blocks, "blocks"),
                ],
                preconditioner,
            )?,
            large,
        };
        let (data, choice) = (Arc::clone(&self.data), self.choice);
        in_turn(py, choice, Size::Long, progress, move |device| {
            let mut data = VolumeData::clone(&data);
            if turn_inverted {
                let orientation = Orientation::ByVolume;
                let mesh = data.upload(device, data.local_origin(), &VolumeOptions { orientation })?;
                data = turned(&data, &mesh)?;
            }
            if let Some(count) = modes {
                let max_iterations = max_iterations.unwrap_or(of_modes.max_iterations);
                let options = ModeOptions { count, order, tolerance, max_iterations };
                let found = ribbonmesh_fem::elasticity::modes(device, &data, &problem, &options)?;
                found.store(&mut data);
                return Ok((Self::new(data, choice), text(&frequencies(&found, order))));
            }
            let solution = ribbonmesh_fem::elasticity::solve(device, &data, &problem, &options)?;
            let r = &solution.report;
            let held = problem.supports.iter().zip(&r.support_reactions);
            let held: Vec<Value> = held
                .zip(&r.support_moments)
                .map(|((support, force), moment)| {
                    json!({
                        "at": support.at.to_string(),
                        "reaction": force.to_array(),
                        "moment": moment.to_array(),
                    })
                })
                .collect();
            let loaded = problem.loads.iter().zip(&r.loads);
            let loaded: Vec<Value> = loaded
                .map(|(load, sum)| {
                    json!({
                        "at": load.at().to_string(),
                        "area": sum.area,
                        "force": sum.force.to_array(),
                        "moment": sum.moment.to_array(),
                    })
                })
                .collect();
            let place = |at: &ribbonmesh_fem::elasticity::Place| json!({"vertex": at.vertex, "position": at.position.to_array()});
            let report = json!({
                "order": order,
                "material_cells": r.material_cells,
                "unknowns": r.unknowns,
                "fixed": r.fixed,
                "blocks": r.blocks,
                "matrix_bytes": r.matrix_bytes,
                "padding": r.padding,
                "levels": r.levels,
                "multigrid_bytes": r.multigrid_bytes,
                "iterations": r.iterations,
                "newton_steps": r.newton_steps,
                "stages": r.stages,
                "residual": r.residual,
                "true_residual": r.true_residual,
                "rounding": r.rounding,
                "converged": r.converged,
                "fallbacks": r.fallbacks,
                "strain_energy": r.strain_energy,
                "work": r.work,
                "load": r.load.to_array(),
                "load_moment": r.load_moment.to_array(),
                "reaction": r.reaction.to_array(),
                "reaction_moment": r.reaction_moment.to_array(),
                "supports": held,
                "loads": loaded,
                "volume": r.volume,
                "mass": r.mass,
                "greatest_displacement": r.greatest_displacement,
                "greatest_displacement_at": place(&r.greatest_displacement_at),
                "greatest_von_mises": r.greatest_von_mises,
                "greatest_von_mises_at": place(&r.greatest_von_mises_at),
                "greatest_cell_von_mises": r.greatest_cell_von_mises,
                "greatest_cell": r.greatest_cell,
                "greatest_principal": r.greatest_principal,
                "greatest_principal_at": place(&r.greatest_principal_at),
                "least_principal": r.least_principal,
                "least_principal_at": place(&r.least_principal_at),
                "estimated_error": r.estimated_error,
                "isolated_vertices": r.isolated_vertices,
            });
            solution.store(&mut data);
            Ok((Self::new(data, choice), text(&report)))
        })
    }
}

/// The report of vibrations, as `ribbonmesh elasticity --modes` has it.
fn frequencies(found: &Vibration, order: u32) -> Value {
    let r = &found.report;
    json!({
        "order": order,
        "frequencies": found.frequencies,
        "free_motions": r.free_motions,
        "unknowns": r.unknowns,
        "fixed": r.fixed,
        "mass": r.mass,
        "material_cells": r.material_cells,
        "levels": r.levels,
        "block": r.block,
        "iterations": r.iterations,
        "residual": r.residual,
        "converged": r.converged,
        "isolated_vertices": r.isolated_vertices,
    })
}

/// The name of a kind of cells, the numbers of its cells, and their vertices.
type CellsOf<'py> = (&'static str, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// As `ribbonmesh volume info --json` has them.
fn figures(data: &VolumeData, mesh: &VolumeMesh) -> Result<Value, Failure> {
    let defects = mesh.defects()?;
    let volumes = mesh.volumes()?.read()?;
    let of = |kind| (0..data.cells.len()).filter(|&cell| data.cells.cell(cell).0 == kind).count();
    let named = |arrays: &[DataArray]| -> Vec<Value> {
        arrays.iter().map(|a| json!({"name": a.name, "type": a.type_name()})).collect()
    };
    let found = |f: &ribbonmesh_volume::Found| json!({"count": f.count, "first": f.first});
    let regions: Vec<Value> = data
        .regions
        .iter()
        .map(|r| json!({"dimension": r.dimension, "tag": r.tag, "name": r.name}))
        .collect();
    Ok(json!({
        "vertices": mesh.vertices(),
        "edges": mesh.edges(),
        "faces": mesh.faces(),
        "cells": mesh.cells(),
        "tetrahedra": of(CellKind::Tetrahedron),
        "pyramids": of(CellKind::Pyramid),
        "wedges": of(CellKind::Wedge),
        "hexahedra": of(CellKind::Hexahedron),
        "polyhedra": of(CellKind::Polyhedron),
        "boundary_faces": defects.boundary_faces.count,
        "sound": defects.is_sound(),
        "dangling_faces": found(&defects.dangling_faces),
        "crowded_faces": found(&defects.crowded_faces),
        "same_side_faces": found(&defects.same_side_faces),
        "duplicate_cells": found(&defects.duplicate_cells),
        "inverted_cells": found(&defects.inverted_cells),
        "flat_cells": found(&defects.flat_cells),
        "isolated_vertices": found(&defects.isolated_vertices),
        "total_volume": volumes.iter().sum::<f64>(),
        "smallest_cell": volumes.iter().copied().reduce(f64::min),
        "largest_cell": volumes.iter().copied().reduce(f64::max),
        "bounding_box": BoundingBox::around(data.positions.iter().copied()),
        "vertex_data": named(&data.point_data),
        "cell_data": named(&data.cell_data),
        "face_data": named(&data.face_data),
        "regions": regions,
        "title": data.title,
        "machine": mesh.device().name(),
    }))
}

/// Fills a closed surface with tetrahedra; a report.
#[pyfunction]
#[pyo3(signature = (mesh, size, cells, inside, faces, no_checks, progress))]
#[expect(clippy::too_many_arguments, reason = "they are the command's options")]
pub fn tetrahedralize(
    py: Python<'_>,
    mesh: &NativeMesh,
    size: Option<f64>,
    cells: Option<u64>,
    inside: &str,
    faces: bool,
    no_checks: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Made> {
    let size = match (size, cells) {
        (Some(length), None) => CellSize::Length(length),
        (None, Some(cells)) => CellSize::Cells(cells),
        _ => return Err(Failure::argument("one of size and cells is needed").into()),
    };
    let inside: InsideRule = parse("inside", inside)?;
    let options = TetrahedraOptions { size, inside, find_intersections: !no_checks };
    let choice = mesh.content.choice;
    super::on_surface(py, mesh, Some(Size::Long), progress, move |content, turn, surface| {
        if content.sizes[1] == 0 {
            return Err(ribbonmesh::Error::NoFaces { what: "the mesh" }.into());
        }
        let precision = content.host_in(turn)?.precision;
        let found = fill_with_cells(&surface, &options)?;
        let (mut list, mut positions) = (found.to_cells()?, found.positions()?);
        if precision == Stored::Single {
            positions.iter_mut().for_each(|p| *p = p.as_vec3().as_dvec3());
        }
        let mut data = VolumeData { positions, precision, ..VolumeData::default() };
        if faces {
            let around = found.to_mesh()?.surface()?;
            let nearest = found.nearest_faces(&around, &surface)?;
            let (corners, vertices) = (around.corners().read()?, around.volume_vertices().read()?);
            for face in corners.as_chunks::<3>().0 {
                list.push_face(&face.map(|v| vertices[v as usize]));
            }
            let nearest: Vec<i32> = nearest.into_iter().map(|face| face as i32).collect();
            data.face_data.push(DataArray::new("surface_face", nearest));
        }
        data.cells = list;
        let report = found.report();
        let quality = report.quality;
        let report = json!({
            "size": report.size,
            "lattice_points": report.sites,
            "cut_edges": report.cut_edges,
            "warped_points": report.warped,
            "vertices": report.vertices,
            "tetrahedra": report.tetrahedra,
            "least_angle": quality.least,
            "greatest_angle": quality.greatest,
            "mean_least_angle": quality.mean_smallest,
            "smallest_angles": value(quality.smallest),
            "largest_angles": value(quality.largest),
            "volume": quality.volume,
            "surface_volume": report.enclosed_volume,
            "self_intersections": report.self_intersections,
        });
        Ok((NativeVolume::new(data, choice), text(&report)))
    })
}
