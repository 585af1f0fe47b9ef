//! Applications of the registry.
use super::{finished, text, value};
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::watch::{self, Size};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use ribbonmesh::Surface;
use ribbonmesh_application::{Given, Kind, Need, OptionSchema, Run, Work};
use ribbonmesh_applications::{APPLICATIONS, explained, find, no_faces, repaired};
use serde_json::{Value, json};
use std::sync::Arc;

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
        Kind::Choice(_) => value.extract().map_err(|_| wrong("text"))?,
    };
    Ok(Some(text))
}

/// Runs an application of the registry.
#[pyfunction]
#[pyo3(signature = (name, mesh, options, progress))]
pub fn run(
    py: Python<'_>,
    name: &str,
    mesh: &NativeMesh,
    options: &Bound<'_, PyDict>,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(NativeMesh, String)> {
    let missing = || Failure::argument(format!("{name} is not an application"));
    let application = find(name).ok_or_else(missing)?;
    let told = application.description();
    let mut given = Given::default();
    for option in &told.schema.options {
        if let Some(value) = options.get_item(option.name)?.filter(|value| !value.is_none())
            && let Some(text) = text_of(option, &value)?
        {
            told.schema.give(&mut given, option.name, &text).map_err(Failure::from)?;
        }
    }
    let repair = match options.get_item("repair")? {
        Some(repair) if told.traits.repairs => repair.extract()?,
        _ => false,
    };
    told.schema.check(&given).map_err(Failure::from)?;
    let need = application.need(&given).map_err(Failure::from)?;
    no_faces(&told, mesh.content.sizes[1]).map_err(Failure::from)?;
    let content = Arc::clone(&mesh.content);
    let size = if told.traits.long { Size::Long } else { Size::Faces(content.sizes[1]) };
    let (after, report) = watch::run(py, size, progress, move |session| {
        let mut nobody = ();
        let mut run = Run::new(content.options.seed, &mut nobody);
        if need == Need::Host {
            let mut work = Work::Mesh(content.host(session)?.clone());
            let report = application.run(&mut work, &given, &mut run)?.report();
            let Work::Mesh(mesh) = work else { return Err(Failure::of_place()) };
            return Ok((content.like(session, mesh)?, text(&report.into())));
        }
        session.turn(&content.device()?, |turn| {
            let mut changes = Value::Null;
            let surface = if repair {
                let mut mesh = content.host_in(turn)?.clone();
                changes = value(repaired(&mut mesh)?);
                Surface::new(turn, &mesh, &content.options)?
            } else {
                content.surface(turn)?
            };
            let mut work = Work::Surface(surface);
            let mut report = match application.run(&mut work, &given, &mut run) {
                Ok(done) => done.report(),
                Err(failure) => return Err(explained(failure, content.host_in(turn)?).into()),
            };
            let Work::Surface(surface) = work else { return Err(Failure::of_place()) };
            if told.traits.repairs {
                report.insert("repaired".to_owned(), changes);
            }
            finished(&content, surface, report.into())
        })
    })?;
    Ok((NativeMesh::new(after), report))
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
