//! Applications of the registry.
use super::{text, value};
use crate::arrays::give;
use crate::content::Content;
use crate::device::Session;
use crate::dlpack::{Copied, DeviceArray, Source, count};
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::watch::{self, Size};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Buffer, Surface};
use ribbonmesh_application::{
    Added, AddedKind, AnyApplication, Curve, Finished, Given, Kind, Meshes, Need, OptionSchema, OptionValue,
    Run, Schema, Surfaces, Work,
};
use ribbonmesh_applications::{APPLICATIONS, explained, find, no_faces, repaired};
use ribbonmesh_mesh::{Scalar, Scalars, TriangleMesh};
use serde_json::{Map, Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// The text of a value; `None` for a flag that is not set.
fn text_of(option: &OptionSchema, value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let wrong = |expected: &str| -> PyErr {
        let found = value.get_type().name().map_or_else(|_| "value".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("{} is a {found}: {expected} is needed", option.name))
    };
    let number = |expected| match value.is_instance_of::<PyBool>() {
        true => Err(wrong(expected)),
        false => value.extract::<f64>().map(|number| number.to_string()).map_err(|_| wrong(expected)),
    };
    let text = match option.kind {
        Kind::Flag => {
            let given: bool = value.extract().map_err(|_| wrong("True or False"))?;
            return Ok(given.then(|| "true".to_owned()));
        }
        Kind::Whole { .. } => {
            value.extract::<u64>().map(|number| number.to_string()).map_err(|_| wrong("a whole number"))?
        }
        Kind::Number => number("a number")?,
        Kind::Measure => match value.extract::<String>() {
            Ok(text) => text,
            Err(_) => number("a number, or text such as '1%',")?,
        },
        Kind::Pair => {
            let [a, b]: [f64; 2] = value.extract().map_err(|_| wrong("two numbers"))?;
            format!("{a},{b}")
        }
        Kind::Vertices => {
            let numbers: Vec<u32> = value.extract().map_err(|_| wrong("a list of whole numbers"))?;
            match numbers.text() {
                Some(text) => text,
                None => return Ok(None),
            }
        }
        Kind::Places | Kind::Choice(_) => value.extract().map_err(|_| wrong("text"))?,
    };
    Ok(Some(text))
}

/// A value for each vertex.
enum Values {
    /// Vectors on the device.
    Vectors(Arc<Buffer<Vec3>>),
    /// Numbers on the device.
    Floats(Arc<Buffer<f32>>),
    /// Numbers of double precision on the device.
    Doubles(Arc<Buffer<f64>>),
    /// Anything on the host.
    Host(Scalars, usize),
}
impl Values {
    /// As an array of Python.
    fn array(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let source = match self {
            Self::Vectors(values) => Source::Vectors(values),
            Self::Floats(values) => Source::Floats(values),
            Self::Doubles(values) => Source::Doubles(values),
            Self::Host(Scalars::F32(numbers), width) => return give(py, numbers, width),
            Self::Host(Scalars::F64(numbers), width) => return give(py, numbers, width),
            Self::Host(Scalars::I32(numbers), width) => {
                return give::<i64>(py, numbers.into_iter().map(i64::from).collect(), width);
            }
            Self::Host(..) => return Err(Failure::of_place().into()),
        };
        Ok(Bound::new(py, DeviceArray::new(source)?)?.into_any())
    }
}

/// The attributes that an application has added to a mesh of the host.
fn added_to_mesh(added: &Added, mesh: &TriangleMesh) -> Vec<(&'static str, Values)> {
    let of = |&(name, _): &(&'static str, AddedKind)| {
        let column = mesh.vertices().column(name)?;
        Some((name, Values::Host(column.scalars().clone(), column.width())))
    };
    added.attributes.iter().filter_map(of).collect()
}

/// The attributes that an application has added to a surface, where the arrays of the mesh live. Those of
/// vertices are for the host.
fn added_to_surface(
    added: &Added,
    surface: &mut Surface,
    resident: bool,
) -> Result<Vec<(&'static str, Values)>, Failure> {
    let mut values_of = vec![];
    for &(name, kind) in added.attributes {
        if !surface.vertices().names().any(|known| known == name) {
            continue;
        }
        if !(resident && kind != AddedKind::Vertices) {
            count(Copied::ToHost);
        }
        let is_double = surface.vertices().info(name)?.scalar == Scalar::F64;
        let values = match (kind, resident) {
            (AddedKind::Normals, true) => Values::Vectors(Arc::new(surface.take_of_vertices(name)?)),
            (AddedKind::Numbers, true) if is_double => {
                Values::Doubles(Arc::new(surface.take_of_vertices(name)?))
            }
            (AddedKind::Numbers, false) if is_double => {
                Values::Host(Scalars::F64(surface.take_of_vertices(name)?.read()?), 1)
            }
            (AddedKind::Numbers, true) => Values::Floats(Arc::new(surface.take_of_vertices(name)?)),
            (AddedKind::Normals, false) => {
                let vectors = surface.take_of_vertices::<Vec3>(name)?.read()?;
                Values::Host(Scalars::F32(vectors.into_iter().flat_map(|v| v.to_array()).collect()), 3)
            }
            (AddedKind::Numbers, false) => {
                Values::Host(Scalars::F32(surface.take_of_vertices(name)?.read()?), 1)
            }
            (AddedKind::Vertices, _) => {
                Values::Host(Scalars::I32(surface.take_of_vertices(name)?.read()?), 1)
            }
        };
        values_of.push((name, values));
    }
    Ok(values_of)
}

/// The report of a run, which becomes text when somebody asks for it: that of a thousand holes takes
/// milliseconds.
#[pyclass(frozen, module = "ribbonmesh._native")]
pub struct NativeReport {
    done: Mutex<Box<dyn Finished>>,
    /// Entries beside its own.
    rest: Map<String, Value>,
}
#[pymethods]
impl NativeReport {
    /// As JSON.
    fn text(&self) -> String {
        let mut report = self.done.lock().unwrap_or_else(PoisonError::into_inner).report();
        report.extend(self.rest.clone());
        text(&report.into())
    }
}

/// The result of a run.
struct Outcome {
    /// The mesh, unless the application adds attributes, or only looks.
    mesh: Option<Content>,
    added: Vec<(&'static str, Values)>,
    curves: Vec<Vec<f64>>,
    report: NativeReport,
}
impl Outcome {
    /// Without a mesh and attributes; with entries beside those of the report.
    fn of(done: Box<dyn Finished>, rest: Map<String, Value>) -> Self {
        let numbers = |curve: &Curve| curve.points.iter().flat_map(|p| p.to_array()).collect();
        Self {
            mesh: None,
            added: vec![],
            curves: done.curves().iter().map(numbers).collect(),
            report: NativeReport { done: Mutex::new(done), rest },
        }
    }
}

/// The options of an application.
pub fn given(schema: &Schema, options: &Bound<'_, PyDict>) -> PyResult<Given> {
    let mut given = Given::default();
    for option in &schema.options {
        if let Some(value) = options.get_item(option.name)?.filter(|value| !value.is_none())
            && let Some(text) = text_of(option, &value)?
        {
            schema.give(&mut given, option.name, &text).map_err(Failure::from)?;
        }
    }
    Ok(given)
}

/// A mesh if there is one, attributes by name, points of curves, and a report.
type Told<'py> = (Option<NativeMesh>, Bound<'py, PyDict>, Vec<Bound<'py, PyAny>>, NativeReport);

/// Runs an application of the registry on a mesh, or on several.
#[pyfunction]
#[pyo3(signature = (name, mesh, others, options, progress))]
pub fn run<'py>(
    py: Python<'py>,
    name: &str,
    mesh: &NativeMesh,
    others: Vec<PyRef<'_, NativeMesh>>,
    options: &Bound<'_, PyDict>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Told<'py>> {
    let missing = || Failure::argument(format!("{name} is not an application"));
    let application = find(name).ok_or_else(missing)?;
    let told = application.description();
    let given = given(told.schema, options)?;
    let repair = match options.get_item("repair")? {
        Some(repair) if told.traits.repairs => repair.extract()?,
        _ => false,
    };
    told.schema.check(&given).map_err(Failure::from)?;
    let failed = move |failure| Failure::from(failure).of_options(told.schema);
    let content = Arc::clone(&mesh.content);
    let others: Vec<Arc<Content>> = others.iter().map(|other| Arc::clone(&other.content)).collect();
    let [vertices, faces] = content.sizes;
    if let Some((option, vertex)) = told.schema.missing_vertex(&given, vertices).map_err(failed)? {
        let name = option.name;
        return Err(Failure::argument(format!(
            "{name} is {vertex}: the mesh has {vertices} vertices, numbered from 0"
        ))
        .into());
    }
    let need = application.need(&given).map_err(failed)?;
    let looks = told.traits.looks.is_some_and(|option| given.has(option));
    for (place, mesh) in std::iter::once(&content).chain(&others).enumerate() {
        no_faces(&told, mesh.sizes[1]).map_err(|failure| match told.traits.several {
            true => Failure::from(failure).of_mesh(place),
            false => failure.into(),
        })?;
    }
    let size = match application.long(&given).map_err(failed)? {
        true => Size::Long,
        false if told.traits.quick => content.quick(faces),
        false => Size::Faces(faces),
    };
    let outcome = watch::run(py, size, progress, move |session| {
        let mut nobody = ();
        let mut run = Run::new(content.options.seed, &mut nobody);
        let mut work = match need {
            Need::Host => Work::Mesh(content.host(session)?.clone()),
            Need::Anywhere if content.is_on_gpu() => {
                return on_surface(session, &content, &others, application, &given, &mut run, repair);
            }
            Need::Anywhere => {
                let mesh = content.host(session)?.clone();
                // each may live on another device, and has its turn there
                let of_host = |content: &Arc<Content>| content.host(session).cloned();
                let others = others.iter().map(of_host).collect::<Result<_, _>>()?;
                Work::Meshes(Meshes { device: content.device()?, mesh, others })
            }
            _ => return on_surface(session, &content, &others, application, &given, &mut run, repair),
        };
        let mut done = || application.run(&mut work, &given, &mut run).map_err(failed);
        let done = match need {
            Need::Host => done()?,
            _ => session.turn(&content.device()?, |_| done())?,
        };
        let outcome = Outcome::of(done, Map::new());
        let (Work::Mesh(mesh) | Work::Meshes(Meshes { mesh, .. })) = work else {
            return Err(Failure::of_place());
        };
        if looks {
            return Ok(outcome);
        }
        match told.traits.adds {
            Some(added) => Ok(Outcome { added: added_to_mesh(&added, &mesh), ..outcome }),
            None => Ok(Outcome { mesh: Some(content.like(session, mesh)?), ..outcome }),
        }
    })?;
    let attributes = PyDict::new(py);
    for (name, values) in outcome.added {
        attributes.set_item(name, values.array(py)?)?;
    }
    let curves = outcome.curves.into_iter().map(|numbers| give(py, numbers, 3)).collect::<PyResult<_>>()?;
    Ok((outcome.mesh.map(NativeMesh::new), attributes, curves, outcome.report))
}

/// Runs an application on a surface, and others.
fn on_surface(
    session: &mut Session,
    content: &Content,
    others: &[Arc<Content>],
    application: &'static dyn AnyApplication,
    given: &Given,
    run: &mut Run<'_>,
    repair: bool,
) -> Result<Outcome, Failure> {
    let traits = application.description().traits;
    let looks = traits.looks.is_some_and(|option| given.has(option));
    let device = content.device()?;
    // those of another device come by way of the host
    let mut moved = vec![];
    for other in others {
        moved.push(match other.device()?.same(&device) {
            true => None,
            false => Some(other.host(session)?.clone()),
        });
    }
    session.turn(&device, |turn| {
        let mut changes = Value::Null;
        let surface = if repair {
            let mut mesh = content.host_in(turn)?.clone();
            changes = value(repaired(&mut mesh)?);
            Surface::new(turn, &mesh, &content.options)?
        } else {
            content.surface(turn)?
        };
        let mut work = match traits.several {
            false => Work::Surface(surface),
            true => {
                let of = |(other, moved): (&Arc<Content>, &Option<TriangleMesh>)| match moved {
                    Some(mesh) => Ok(Surface::new(turn, mesh, &content.options)?),
                    None => other.surface(turn),
                };
                let others = others.iter().zip(&moved).map(of).collect::<Result<_, Failure>>()?;
                Work::Surfaces(Surfaces { surface, others })
            }
        };
        let done = match application.run(&mut work, given, run) {
            Ok(done) => done,
            Err(failure) => {
                let failure = Failure::from(explained(failure, content.host_in(turn)?));
                return Err(failure.of_options(application.description().schema));
            }
        };
        let (Work::Surface(mut surface) | Work::Surfaces(Surfaces { mut surface, .. })) = work else {
            return Err(Failure::of_place());
        };
        let mut rest = Map::new();
        if traits.repairs {
            rest.insert("repaired".to_owned(), changes);
        }
        if let Some(added) = traits.adds {
            let added = added_to_surface(&added, &mut surface, content.resident)?;
            return Ok(Outcome { added, ..Outcome::of(done, rest) });
        }
        let notes: Vec<String> = surface.notes().iter().map(ToString::to_string).collect();
        rest.insert("notes".to_owned(), notes.into());
        let outcome = Outcome::of(done, rest);
        if looks {
            return Ok(outcome);
        }
        Ok(Outcome { mesh: Some(content.after(surface)?), ..outcome })
    })
}

/// The applications with their options, as JSON.
#[pyfunction]
pub fn applications() -> String {
    let of = |option: &OptionSchema| {
        let choices = match option.kind {
            Kind::Choice(names) => names.iter().map(|choice| choice.name).collect(),
            _ => vec![],
        };
        json!({"name": option.name, "default": option.default, "choices": choices, "flag": option.is_flag()})
    };
    let all: Vec<Value> = APPLICATIONS
        .iter()
        .map(|application| {
            let told = application.description();
            let options: Vec<Value> = told.schema.options.iter().map(of).collect();
            json!({"name": told.name, "repairs": told.traits.repairs, "options": options})
        })
        .collect();
    Value::Array(all).to_string()
}
