//! Kinds of errors, from which interfaces derive exit statuses and exceptions.
//!
//! An error type implements [`Classified`] beside its definition; one that wraps another gives the class of
//! the other. Interfaces match kinds, never error types.
use std::borrow::Cow;
use std::error::Error;
use std::path::PathBuf;

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The input or the request is refused. Another input or another request helps.
    Refused(Subject),
    /// The machine does not do the work. Another machine helps.
    Device(Resource),
    /// A mistake of this library, or of a kernel or an operator that it runs.
    Bug,
}

/// The part of a request that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// An option, or its value.
    Option,
    /// Points, values, counts or columns that were given.
    Data,
    /// A mesh.
    Mesh,
    /// A mesh that has to be an oriented manifold and is none.
    NotManifold,
    /// An amount of work for which the memory would not suffice, refused before it begins.
    Amount,
    /// A motion or a problem that is accepted, and whose solution then fails.
    Solution,
    /// The content of a file.
    Content,
    /// A file that cannot be read.
    Source,
    /// A file that cannot be written.
    Output,
}

/// The part of a machine that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resource {
    /// The device or its driver: it is missing, too old, or reports an error.
    Driver,
    /// The memory of the device.
    Memory,
}

/// The element, file or option that an error names. Elements are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Culprit {
    /// A vertex.
    Vertex(u64),
    /// A face.
    Face(u64),
    /// An edge, by its ends.
    Edge([u32; 2]),
    /// A cell of a volume.
    Cell(u64),
    /// A point of a list.
    Point(u64),
    /// A mesh of a list.
    Mesh(u64),
    /// A file.
    File(PathBuf),
    /// An option with what is wrong with it. The message is the name, a blank and `why`, so that an interface
    /// can spell the name in its own way.
    Option {
        /// The name.
        name: Cow<'static, str>,
        /// The rest of the message.
        why: String,
    },
}

/// A part of a sentence that says what helps. Interfaces spell the names in their own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phrase {
    /// Words.
    Text(&'static str),
    /// An option of the work that failed, by its name.
    Option(&'static str),
    /// An application, by its name.
    Application(&'static str),
}

/// The kind of an error, what it names, and what helps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The kind.
    pub kind: ErrorKind,
    /// The elements, the file or the option that the message names; empty if it names none.
    pub culprits: Vec<Culprit>,
    /// A sentence that says what helps; empty if nothing is known.
    pub remedy: &'static [Phrase],
}

impl Class {
    /// Sentence for meshes that are not oriented manifolds.
    const MEND: &'static [Phrase] = &[
        Phrase::Application("repair"),
        Phrase::Text(" makes it an oriented manifold (so does "),
        Phrase::Option("repair"),
        Phrase::Text(", where there is this option), "),
        Phrase::Application("clean"),
        Phrase::Text(" a closed one"),
    ];

    /// Refusal of a part of the request.
    pub fn refused(subject: Subject) -> Self {
        let remedy = if subject == Subject::NotManifold { Self::MEND } else { &[] };
        Self { kind: ErrorKind::Refused(subject), culprits: vec![], remedy }
    }
    /// Refusal of a mesh.
    pub fn mesh() -> Self {
        Self::refused(Subject::Mesh)
    }
    /// Refusal of points, values, counts or columns.
    pub fn data() -> Self {
        Self::refused(Subject::Data)
    }
    /// Refusal of an option: the message is its name, a blank and `why`.
    pub fn option(name: impl Into<Cow<'static, str>>, why: impl Into<String>) -> Self {
        Self::refused(Subject::Option).with(Culprit::Option { name: name.into(), why: why.into() })
    }
    /// Failure of the machine.
    pub fn device(resource: Resource) -> Self {
        Self { kind: ErrorKind::Device(resource), culprits: vec![], remedy: &[] }
    }
    /// Mistake of the library.
    pub fn bug() -> Self {
        Self { kind: ErrorKind::Bug, culprits: vec![], remedy: &[] }
    }

    /// The same with an element, a file or an option that the message names.
    pub fn with(mut self, culprit: Culprit) -> Self {
        self.culprits.push(culprit);
        self
    }
    /// The same with a vertex that the message names.
    pub fn vertex(self, vertex: impl TryInto<u64>) -> Self {
        self.numbered(Culprit::Vertex, vertex)
    }
    /// The same with a face that the message names.
    pub fn face(self, face: impl TryInto<u64>) -> Self {
        self.numbered(Culprit::Face, face)
    }
    /// The same with a cell that the message names.
    pub fn cell(self, cell: impl TryInto<u64>) -> Self {
        self.numbered(Culprit::Cell, cell)
    }
    /// The same with an edge that the message names.
    pub fn edge(self, ends: [u32; 2]) -> Self {
        self.with(Culprit::Edge(ends))
    }
    /// The same with a sentence that says what helps.
    pub fn helped(mut self, remedy: &'static [Phrase]) -> Self {
        self.remedy = remedy;
        self
    }
    /// All numbers of elements fit.
    fn numbered(self, culprit: fn(u64) -> Culprit, number: impl TryInto<u64>) -> Self {
        match number.try_into() {
            Ok(number) => self.with(culprit(number)),
            Err(_) => self,
        }
    }
}

/// An error with a class.
pub trait Classified: Error {
    /// The kind of the error, what it names, and what helps.
    fn class(&self) -> Class;
}

/// Any error with a class.
pub type AnyError = Box<dyn Classified + Send + Sync>;

/// An option that is refused, by the name that the struct of options has for it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{option} {why}")]
pub struct OptionError {
    /// The name.
    pub option: Cow<'static, str>,
    /// The rest of the message.
    pub why: String,
}

impl OptionError {
    /// A refusal whose message is the name, a blank and `why`.
    pub fn new(option: impl Into<Cow<'static, str>>, why: impl Into<String>) -> Self {
        Self { option: option.into(), why: why.into() }
    }
    /// A refused value, with those that are allowed.
    pub fn value(option: impl Into<Cow<'static, str>>, value: impl ToString, expected: &str) -> Self {
        Self::new(option, format!("is {}: {expected}", value.to_string()))
    }
}

impl Classified for OptionError {
    fn class(&self) -> Class {
        Class::option(self.option.clone(), self.why.clone())
    }
}
