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

/// The remedy in the spelling of the command.
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

#[cfg(test)]
mod tests {
    use super::{ErrorKind, Failure, Subject};
    use ErrorKind::{Bug, Device, Refused};
    use ribbonmesh::{Defect, Error};
    use ribbonmesh_application::Schema;
    use ribbonmesh_clean::CleanError;
    use ribbonmesh_fem::FemError;
    use ribbonmesh_fem::elasticity::{ElasticityError, SelectionError};
    use ribbonmesh_io::{Format, Place, ReadError, ReadErrorKind, WriteError, WriteErrorKind};
    use ribbonmesh_mesh::shapes::ShapeError;
    use ribbonmesh_mesh::{ColumnError, Element, MeshError, OptionError, Resource};
    use ribbonmesh_render::RenderError;
    use ribbonmesh_shallow::ShallowError;
    use ribbonmesh_solid::boolean::BooleanError;
    use ribbonmesh_solid::fill::FillError;
    use ribbonmesh_solid::repair::{RepairError, Violation, manifold_violations};
    use ribbonmesh_track::TrackError;
    use ribbonmesh_volume::VolumeError;
    use ribbonmesh_volume::tetrahedra::TetrahedraError;
    use ribbonmesh_volume_io::VolumeFormat;
    use std::path::Path;

    const OUT_OF_MEMORY: fn() -> Error = || Error::OutOfMemory { needed: 2, free: 1, total: 1 };
    const TWICE: fn() -> Error = || Error::NotManifold(Defect::Face { face: 3 });

    fn read(kind: ReadErrorKind) -> Failure {
        ReadError { file: "a".into(), place: Place::File, kind }.into()
    }

    #[test]
    fn status_follows_from_the_kind() {
        let option = || OptionError::value("ratio", 2, "0 to 1");
        let column = || ColumnError::Missing { element: Element::Vertex, name: "a".into(), known: vec![] };
        let index = || MeshError::FaceIndex { face: 0, index: 9, vertices: 3 };
        let violations =
            || manifold_violations(&ribbonmesh::Device::cpu(), 3, &[[0, 0, 1]]).expect("indices in range");
        let loose = ElasticityError::Loose { cell: 0, motions: 6 };
        let value = ElasticityError::Value { what: "density", value: -1.0, expected: "above 0" };
        let place = [0.0; 3];
        let cases: Vec<(Failure, ErrorKind, u8)> = vec![
            // the library
            (Error::NoDriver.into(), Device(Resource::Driver), 1),
            (Error::Threads { threads: 1, message: "no".into() }.into(), Device(Resource::Driver), 1),
            (OUT_OF_MEMORY().into(), Device(Resource::Memory), 1),
            (
                Error::WouldNotFit { count: 1, what: "pairs", needed: 2, free: 1, total: 1 }.into(),
                Refused(Subject::Amount),
                3,
            ),
            (Error::Invalid("a patch".into()).into(), Bug, 1),
            (Error::StalePatches.into(), Bug, 1),
            (Error::BrokenMesh { faults: vec![], after: None }.into(), Bug, 1),
            (Error::NoFaces { what: "it" }.into(), Refused(Subject::Mesh), 3),
            (Error::NotFinite { vertex: 1 }.into(), Refused(Subject::Mesh), 3),
            (Error::PointNotFinite { point: 1 }.into(), Refused(Subject::Data), 3),
            (Error::TooMany { what: "faces", count: 2, limit: 1 }.into(), Refused(Subject::Data), 3),
            (Error::OtherMesh { what: "it" }.into(), Refused(Subject::Data), 3),
            (TWICE().into(), Refused(Subject::NotManifold), 3),
            (Error::NonManifoldEdges { count: 1, example: 0 }.into(), Refused(Subject::NotManifold), 3),
            (
                Error::Option { option: "k", value: "0".into(), expected: "more" }.into(),
                Refused(Subject::Option),
                2,
            ),
            (Error::Mesh(index()).into(), Refused(Subject::Mesh), 3),
            (Error::Stopped.into(), Refused(Subject::Solution), 1),
            // meshes, files, pictures
            (option().into(), Refused(Subject::Option), 2),
            (column().into(), Refused(Subject::Data), 3),
            (index().into(), Refused(Subject::Mesh), 3),
            (MeshError::Column(column()).into(), Refused(Subject::Data), 3),
            (ShapeError::NotAKnot { p: 2, q: 2 }.into(), Refused(Subject::Option), 2),
            (
                ShapeError::IndexOutOfRange { face: 0, index: 9, vertices: 3 }.into(),
                Refused(Subject::Mesh),
                3,
            ),
            (RenderError::TooManyFaces(1).into(), Refused(Subject::Data), 3),
            ("a".parse::<Format>().expect_err("no format").into(), Refused(Subject::Option), 2),
            ("a".parse::<VolumeFormat>().expect_err("no format").into(), Refused(Subject::Option), 2),
            (read(ReadErrorKind::Missing), Refused(Subject::Source), 1),
            (read(ReadErrorKind::Empty), Refused(Subject::Content), 3),
            (read(ReadErrorKind::Directory), Refused(Subject::Source), 1),
            (
                WriteError { file: "a".into(), kind: WriteErrorKind::Directory }.into(),
                Refused(Subject::Output),
                1,
            ),
            // applications; those that wrap an error have its kind
            (ribbonmesh_application::Failure::of(TWICE()).into(), Refused(Subject::NotManifold), 3),
            (ribbonmesh_application::Failure::NothingLeft.into(), Refused(Subject::Mesh), 3),
            (violations().into(), Refused(Subject::NotManifold), 3),
            (
                Violation::DegenerateFace { face: 0, corners: [0, 0, 1] }.into(),
                Refused(Subject::NotManifold),
                3,
            ),
            (RepairError::Option(option()).into(), Refused(Subject::Option), 2),
            (FillError::NotManifold(Box::new(violations())).into(), Refused(Subject::NotManifold), 3),
            (
                CleanError::Fill(FillError::NotManifold(Box::new(violations()))).into(),
                Refused(Subject::NotManifold),
                3,
            ),
            (CleanError::Library(OUT_OF_MEMORY()).into(), Device(Resource::Memory), 1),
            (CleanError::NotResolved("no".into()).into(), Refused(Subject::Mesh), 3),
            (BooleanError::Open { mesh: 0, at: [0.0; 3] }.into(), Refused(Subject::NotManifold), 3),
            (BooleanError::Rounding { rounds: 1, pairs: 1 }.into(), Refused(Subject::Mesh), 3),
            (TrackError::Library(OUT_OF_MEMORY()).into(), Device(Resource::Memory), 1),
            (TrackError::Open { edges: 1 }.into(), Refused(Subject::Mesh), 3),
            (
                TrackError::NotFinite { vertex: 0, position: [0.0; 3], time: 0.0 }.into(),
                Refused(Subject::Data),
                3,
            ),
            (TrackError::Vanished { time: 0.0, faces: 0, area: 0.0 }.into(), Refused(Subject::Solution), 1),
            (ShallowError::TooHigh { column: 0, row: 0, highest: 1.0 }.into(), Refused(Subject::Solution), 1),
            (ShallowError::Library(OUT_OF_MEMORY()).into(), Device(Resource::Memory), 1),
            (TetrahedraError::TooCoarse { size: 1.0, extent: place }.into(), Refused(Subject::Mesh), 3),
            (TetrahedraError::Library(OUT_OF_MEMORY()).into(), Device(Resource::Memory), 1),
            (VolumeError::BadFace { face: 0 }.into(), Refused(Subject::Mesh), 3),
            (VolumeError::Shape { size: [0; 3] }.into(), Refused(Subject::Option), 2),
            (FemError::Breakdown { iteration: 1 }.into(), Refused(Subject::Solution), 1),
            (loose.into(), Refused(Subject::Mesh), 3),
            (value.into(), Refused(Subject::Option), 2),
            (ElasticityError::Fem(FemError::Library(OUT_OF_MEMORY())).into(), Device(Resource::Memory), 1),
            (SelectionError("a".into()).into(), Refused(Subject::Option), 2),
        ];
        for (failure, kind, status) in cases {
            let Failure::Told(told) = &failure else { panic!("{failure} is an error of a library") };
            assert_eq!((told.class.kind, failure.status()), (kind, status), "{failure}");
        }
    }

    #[test]
    fn messages_are_in_the_spelling_of_the_command() {
        let file = Path::new("a.ply");
        let mend = "`ribbonmesh repair` makes it an oriented manifold (so does --repair, where there is this option), \
                    `ribbonmesh clean` a closed one";
        assert_eq!(
            Failure::of_file(file, TWICE()).to_string(),
            format!("a.ply: face 3 has a vertex twice; {mend}")
        );
        // the machine's errors and those about options are not about the file
        assert!(Failure::of_file(file, OUT_OF_MEMORY()).to_string().starts_with("out of device memory"));
        let loose = ElasticityError::Loose { cell: 0, motions: 6 };
        let text = Failure::of_file(file, loose).to_string();
        assert!(text.starts_with("a.ply: ") && text.ends_with("; --fix or --move holds it"), "{text}");
        let hinge = ElasticityError::Hinge { cell: 0, cells: 1, vertex: 0, vertices: 1, motions: 1 };
        let text = Failure::from(hinge).to_string();
        assert!(text.contains("`ribbonmesh volume tetrahedralize` with --keep-largest leaves"), "{text}");
        let files = ["a.ply".into(), "b.ply".into()];
        let open = BooleanError::Open { mesh: 1, at: [0.0; 3] };
        let text = Failure::of_files(&files, open).to_string();
        assert!(text.starts_with("b.ply: nothing is left: mesh 1 does not enclose a volume"), "{text}");
    }

    #[test]
    fn options_are_spelled_as_arguments() {
        let schema: &Schema =
            ribbonmesh_applications::find("simplify").expect("an application").description().schema;
        let of = |option| Error::Option { option, value: "-1".into(), expected: "0 or more" };
        assert_eq!(
            Failure::from(of("max error")).of_options(schema).to_string(),
            "--max-error is -1: 0 or more"
        );
        assert_eq!(Failure::from(of("max error")).to_string(), "max error is -1: 0 or more");
        assert_eq!(
            Failure::from(of("elsewhere")).of_options(schema).to_string(),
            "elsewhere is -1: 0 or more"
        );
    }

    #[test]
    fn work_that_had_begun_has_failed() {
        let failed = TrackError::NotFinite { vertex: 0, position: [0.0; 3], time: 0.0 };
        let failure = Failure::from(failed).midway("; frames are there");
        assert_eq!((failure.status(), failure.to_string().ends_with("; frames are there")), (1, true));
        let option = Error::Option { option: "time step", value: "0".into(), expected: "above 0" };
        assert_eq!(Failure::from(option).midway("; frames are there").status(), 2);
    }
}
