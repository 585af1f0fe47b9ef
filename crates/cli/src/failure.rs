//! Why a command ended without success, and with which exit status.
use crate::args::Cli;
use crate::streams::input_name;
use clap::CommandFactory;
use ribbonmesh_application::Schema;
use ribbonmesh_mesh::{AnyError, Class, Classified, Culprit, ErrorKind, Phrase, Subject};
use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a command ended without success.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// An error of a library, in the words of the command.
    #[error("{0}")]
    Told(Box<Told>),
    /// A query that needs edges of at most two faces, with one that has more, named by its vertices.
    #[error(
        "{} more than two faces, for example {}-{}; {what} needs edges of at most two; {}",
        if *count == 1 { "1 edge has".into() } else { format!("{count} edges have") }, edge[0], edge[1],
        spelled(Class::refused(Subject::NotManifold).remedy)
    )]
    NonManifoldEdges { count: u32, edge: [u32; 2], what: &'static str },
    /// A mesh of points, where a surface is needed.
    #[error("{}: no faces", input_name(.0))]
    NoFaces(PathBuf),
    #[error("{0}")]
    Usage(String),
    /// An input that does not fit the others.
    #[error("{0}")]
    Refused(String),
    /// Some meshes of a batch failed.
    #[error("{} of {all} failed\n  {}", list.len(), list.join("\n  "))]
    Batch { all: String, list: Vec<String> },
    /// A mistake in this program.
    #[error("this program has made a mistake")]
    Panic,
    #[error("standard output cannot be written: {0}")]
    Stdout(io::Error),
}

/// An error of a library with what the command knows about it.
#[derive(Debug)]
pub struct Told {
    error: AnyError,
    class: Class,
    /// The file whose content is refused.
    file: Option<PathBuf>,
    /// The argument whose value is refused.
    argument: Option<String>,
    /// The end of the message of work that had already written something.
    after: Option<&'static str>,
}

impl<E: Classified + Send + Sync + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let class = error.class();
        Self::Told(Box::new(Told { error: Box::new(error), class, file: None, argument: None, after: None }))
    }
}

impl Failure {
    /// Failure of work on the content of a file.
    pub fn of_file(file: &Path, failure: impl Into<Self>) -> Self {
        failure.into().told(|told| told.file = Some(file.to_owned()))
    }
    /// Failure of work on the contents of files, of which the error may name one by its place.
    pub fn of_files(files: &[PathBuf], failure: impl Into<Self>) -> Self {
        failure.into().told(|told| {
            let place = told.class.culprits.iter().find_map(|culprit| match culprit {
                Culprit::Mesh(place) => usize::try_from(*place).ok(),
                _ => None,
            });
            told.file = place.and_then(|place| files.get(place)).cloned();
        })
    }
    /// The same in the spelling of the command, if it is about one of these options.
    pub fn of_options(self, schema: &Schema) -> Self {
        self.told(|told| {
            let option = told.class.culprits.iter().find_map(|culprit| match culprit {
                Culprit::Option { name, .. } => schema.named(name),
                _ => None,
            });
            told.argument = option.map(|option| match option.positional {
                true => option.flag().to_uppercase(),
                false => format!("--{}", option.flag()),
            });
        })
    }
    /// The same for work that had written something before it failed, which the end of the message says.
    pub fn midway(self, end: &'static str) -> Self {
        self.told(|told| match told.class.kind {
            ErrorKind::Refused(subject) if subject != Subject::Option => told.after = Some(end),
            _ => {}
        })
    }
    fn told(mut self, change: impl FnOnce(&mut Told)) -> Self {
        if let Self::Told(told) = &mut self {
            change(told);
        }
        self
    }
    /// The error of the main library that is the reason, if one is.
    pub fn library(&self) -> Option<&ribbonmesh::Error> {
        let Self::Told(told) = self else { return None };
        let error: &(dyn Error + 'static) = &*told.error;
        error.downcast_ref()
    }

    /// 0 success, 1 the work failed, 2 wrong usage, 3 the input was refused.
    pub fn status(&self) -> u8 {
        match self {
            // whoever reads has seen enough
            Self::Stdout(cause) if cause.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::Told(told) if told.after.is_some() => 1,
            Self::Told(told) => status_of(told.class.kind),
            Self::Usage(_) => 2,
            Self::NonManifoldEdges { .. } | Self::NoFaces(_) | Self::Refused(_) => 3,
            Self::Batch { .. } | Self::Panic | Self::Stdout(_) => 1,
        }
    }
}

/// The exit status for a kind of error.
pub fn status_of(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::Refused(subject) => match subject {
            Subject::Option => 2,
            Subject::Data | Subject::Mesh | Subject::NotManifold | Subject::Amount | Subject::Content => 3,
            Subject::Solution | Subject::Source | Subject::Output => 1,
        },
        ErrorKind::Device(_) | ErrorKind::Bug => 1,
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { error, class, file, argument, after } = self;
        let names_file = class.culprits.iter().any(|culprit| matches!(culprit, Culprit::File(_)));
        let of_input = matches!(class.kind, ErrorKind::Refused(subject) if subject != Subject::Option);
        if let (Some(file), true, false) = (file, of_input, names_file) {
            write!(f, "{}: ", input_name(file))?;
        }
        let why = class.culprits.iter().find_map(|culprit| match culprit {
            Culprit::Option { why, .. } => Some(why),
            _ => None,
        });
        match (argument, why) {
            (Some(argument), Some(why)) => write!(f, "{argument} {why}")?,
            _ => write!(f, "{error}")?,
        }
        if !class.remedy.is_empty() {
            write!(f, "; {}", spelled(class.remedy))?;
        }
        f.write_str(after.unwrap_or_default())
    }
}

/// What helps, in the spelling of the command.
fn spelled(remedy: &[Phrase]) -> String {
    let word = |phrase: &Phrase| match *phrase {
        Phrase::Text(text) => text.to_owned(),
        Phrase::Option(name) => format!("--{}", name.replace('_', "-")),
        Phrase::Application(name) => format!("`ribbonmesh {}`", path_of(name)),
    };
    remedy.iter().map(word).collect()
}

/// The words after `ribbonmesh` of the command with a name, which may belong to a group.
fn path_of(name: &str) -> String {
    let cli = Cli::command();
    let group = cli.get_subcommands().find(|group| group.find_subcommand(name).is_some());
    match (cli.find_subcommand(name), group) {
        (None, Some(group)) => format!("{} {name}", group.get_name()),
        _ => name.to_owned(),
    }
}
