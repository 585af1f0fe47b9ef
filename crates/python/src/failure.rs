//! Why a call failed, and the Python exception that says so.
use pyo3::prelude::*;
use pyo3::types::PyDict;
use ribbonmesh_application::Schema;
use ribbonmesh_mesh::{Class, Classified, Culprit, ErrorKind, Phrase, Resource, Subject};
use std::borrow::Cow;
use std::path::Path;

/// Why a call failed.
#[derive(Debug)]
pub struct Failure {
    class: Class,
    message: String,
    /// The exception that a function of the caller has raised.
    raised: Option<Box<PyErr>>,
}

impl<E: Classified> From<E> for Failure {
    fn from(error: E) -> Self {
        Self { class: error.class(), message: error.to_string(), raised: None }
    }
}

impl Failure {
    /// Why, in words.
    pub fn message(&self) -> &str {
        &self.message
    }
    pub fn new(class: Class, message: impl Into<String>) -> Self {
        Self { class, message: message.into(), raised: None }
    }
    pub fn argument(message: impl Into<String>) -> Self {
        Self::new(Class::data(), message)
    }
    /// Of a mesh that is refused.
    pub fn mesh(message: impl Into<String>) -> Self {
        Self::new(Class::mesh(), message)
    }
    /// Of a mistake of this package.
    pub fn bug(message: impl Into<String>) -> Self {
        Self::new(Class::bug(), message)
    }
    /// The failure of an application that has left a mesh in another place.
    pub fn of_place() -> Self {
        Self::bug("an application has left its mesh in another place")
    }
    /// The failure of a function of the caller, which raised this.
    pub fn raised(error: PyErr) -> Self {
        Self { raised: Some(Box::new(error)), ..Self::bug("a function of the caller failed") }
    }
    fn with(mut self, culprit: Culprit) -> Self {
        self.class.culprits.push(culprit);
        self
    }
    /// The same with the file that it is about.
    pub fn of_file(self, file: &Path) -> Self {
        self.with(Culprit::File(file.to_owned()))
    }
    /// The same with the point, of several that were given, that it is about.
    pub fn of_point(self, point: usize) -> Self {
        self.with(Culprit::Point(point as u64))
    }
    /// The same with the vertex that it is about.
    pub fn of_vertex(self, vertex: usize) -> Self {
        self.with(Culprit::Vertex(vertex as u64))
    }
    /// The same with the mesh of several that it is about.
    pub fn of_mesh(self, mesh: usize) -> Self {
        self.with(Culprit::Mesh(mesh as u64))
    }
    /// The same about the option that has another name in Python than in the library.
    pub fn of_option(mut self, option: &str) -> Self {
        for culprit in &mut self.class.culprits {
            if let Culprit::Option { name, why } = culprit {
                self.message = format!("{option} {why}");
                *name = Cow::Owned(option.to_owned());
            }
        }
        self
    }
    /// The same with the name that one of these options has there, if it is about one.
    pub fn of_options(self, schema: &Schema) -> Self {
        let option = self.class.culprits.iter().find_map(|culprit| match culprit {
            Culprit::Option { name, .. } => schema.named(name),
            _ => None,
        });
        match option {
            Some(option) => self.of_option(option.name),
            None => self,
        }
    }
}

/// The exception of `ribbonmesh._errors` for a kind of error.
fn exception_of(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Refused(subject) => match subject {
            Subject::Option | Subject::Data => "ArgumentError",
            Subject::Mesh | Subject::Solution => "MeshError",
            Subject::NotManifold => "NotManifoldError",
            Subject::Amount => "OutOfMemoryError",
            Subject::Content | Subject::Source => "ReadError",
            Subject::Output => "WriteError",
        },
        ErrorKind::Device(Resource::Driver) => "DeviceError",
        ErrorKind::Device(Resource::Memory) => "OutOfMemoryError",
        ErrorKind::Bug => "InternalError",
    }
}

/// The remedy in the spelling of Python.
fn spelled(remedy: &[Phrase]) -> String {
    let word = |phrase: &Phrase| match *phrase {
        Phrase::Text(text) => text.to_owned(),
        Phrase::Option(name) => format!("{name}="),
        // files are converted by reading and writing
        Phrase::Application("convert") => "write()".to_owned(),
        Phrase::Application(name) => format!(".{name}()"),
    };
    remedy.iter().map(word).collect()
}

/// Sets the attribute of an exception for an element, a file or an option.
fn set(named: &Bound<'_, PyDict>, culprit: &Culprit) -> PyResult<()> {
    match culprit {
        Culprit::Vertex(vertex) => named.set_item("vertex", vertex),
        Culprit::Face(face) => named.set_item("face", face),
        Culprit::Edge([a, b]) => named.set_item("edge", (a, b)),
        Culprit::Cell(cell) => named.set_item("cell", cell),
        Culprit::Point(point) => named.set_item("point", point),
        Culprit::Mesh(mesh) => named.set_item("mesh", mesh),
        Culprit::File(file) => named.set_item("file", file.display().to_string()),
        Culprit::Option { name, .. } => named.set_item("option", &**name),
    }
}

impl From<Failure> for PyErr {
    fn from(mut failure: Failure) -> Self {
        if let Some(error) = failure.raised.take() {
            return *error;
        }
        let Class { kind, culprits, remedy } = &failure.class;
        let mut message = failure.message;
        if !remedy.is_empty() {
            message += "; ";
            message += &spelled(remedy);
        }
        Python::attach(|py| {
            let made = || -> PyResult<PyErr> {
                let errors = py.import("ribbonmesh._errors")?;
                let named = PyDict::new(py);
                culprits.iter().try_for_each(|culprit| set(&named, culprit))?;
                let class = errors.getattr(exception_of(*kind))?;
                Ok(PyErr::from_value(class.call((message,), Some(&named))?))
            };
            made().unwrap_or_else(|error| error)
        })
    }
}
