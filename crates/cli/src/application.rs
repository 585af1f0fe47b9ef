//! The commands of the registry of applications.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::session::Session;
use crate::streams::input_name;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{
    Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand, value_parser,
};
use ribbonmesh::TriangleMesh;
use ribbonmesh_application::{
    AnyApplication, Compared, Description, Given, Line, Log, Need, OptionSchema, Run, Seen, Work, counted,
    distance_from, sampled,
};
use ribbonmesh_applications::{APPLICATIONS, REPAIR, explained, find, no_faces, repaired};
use serde_json::Value;
use std::path::{Path, PathBuf};

const MESH: &str = "Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input";
const OUTPUT: &str = "File to write: OBJ, PLY, OFF, STL, GLB or glTF; - is standard output";

/// An application with its options and files.
pub struct Applied {
    application: &'static dyn AnyApplication,
    given: Given,
    mesh: PathBuf,
    output: PathBuf,
    repair: bool,
    reference: Option<PathBuf>,
    encoding: Encoding,
}

/// The argument of an option.
fn argument(option: &'static OptionSchema) -> Arg {
    let help = option.help.replace('`', "");
    let help = help.strip_suffix('.').unwrap_or(&help);
    let help = match option.default_words {
        Some(words) => format!("{help} [default: {words}]"),
        None => help.to_owned(),
    };
    let argument = Arg::new(option.name).long(option.flag()).help(help);
    let argument = match option.is_flag() {
        true => argument.action(ArgAction::SetTrue),
        false => argument
            .value_name(option.placeholder())
            .allow_hyphen_values(option.negative)
            .value_parser(move |text: &str| option.accept(text).map(|()| text.to_owned())),
    };
    let argument = match &option.default {
        Some(default) => argument.default_value(default.clone()),
        None => argument,
    };
    argument.requires_all(option.requires).conflicts_with_all(option.conflicts)
}

/// The command of an application.
fn command(application: &Description) -> Command {
    let docs = application.docs;
    let mut help = String::new();
    if !docs.notes.is_empty() {
        help = format!("{}\n\n", docs.notes);
    }
    help += "Examples:";
    docs.examples.iter().for_each(|example| help += &format!("\n  {example}"));
    let mut command = Command::new(application.name)
        .arg(
            Arg::new("mesh")
                .required(true)
                .help(MESH)
                .value_name("MESH")
                .value_parser(value_parser!(PathBuf)),
        )
        .arg(
            Arg::new("output")
                .long("output")
                .short('o')
                .required(true)
                .value_name("OUT")
                .help(OUTPUT)
                .value_parser(value_parser!(PathBuf)),
        )
        .args(application.schema.options.iter().map(argument));
    if application.traits.repairs {
        command = command.arg(Arg::new("repair").long("repair").action(ArgAction::SetTrue).help(REPAIR));
    }
    if let Some(help) = application.traits.reference {
        let reference = Arg::new("reference").long("reference").value_name("FILE").help(help);
        command = command.arg(reference.value_parser(value_parser!(PathBuf)));
    }
    if !application.schema.any_of.is_empty() {
        let wanted = ArgGroup::new("wanted").required(true).multiple(true);
        command = command.group(wanted.args(application.schema.any_of));
    }
    let about = format!("{}\n\n{}", docs.title, docs.about);
    Encoding::augment_args(command).about(docs.title).long_about(about).after_help(help)
}

impl Subcommand for Applied {
    fn augment_subcommands(parent: Command) -> Command {
        parent.subcommands(APPLICATIONS.iter().map(|application| command(&application.description())))
    }
    fn augment_subcommands_for_update(parent: Command) -> Command {
        Self::augment_subcommands(parent)
    }
    fn has_subcommand(name: &str) -> bool {
        find(name).is_some()
    }
}

impl FromArgMatches for Applied {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let missing = || Error::new(ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let application = find(name).ok_or_else(missing)?;
        let path = |name| matches.get_one::<PathBuf>(name).cloned();
        let told = application.description();
        let mut given = Given::default();
        for option in &told.schema.options {
            if matches.value_source(option.name) == Some(ValueSource::CommandLine) {
                let text = if option.is_flag() { None } else { matches.get_one::<String>(option.name) };
                given.set(option.name, text.map_or("true", String::as_str));
            }
        }
        Ok(Self {
            application,
            given,
            mesh: path("mesh").ok_or_else(missing)?,
            output: path("output").ok_or_else(missing)?,
            repair: told.traits.repairs && matches.get_flag("repair"),
            reference: if told.traits.reference.is_some() { path("reference") } else { None },
            encoding: Encoding::from_arg_matches(matches)?,
        })
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Applied {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let encoded = self.encoding.options(&self.output)?;
        let application = self.application.description();
        let failed = |failure| Failure::of_application(&self.mesh, failure);
        let need = self.application.need(&self.given).map_err(failed)?;
        let files: Vec<&Path> =
            [&self.mesh, &self.output].into_iter().chain(&self.reference).map(PathBuf::as_path).collect();
        session.keep(None, &files)?;
        let mut before = session.read(&self.mesh)?.mesh;
        no_faces(&application, before.faces.len()).map_err(failed)?;
        let repair = match self.repair {
            true => Some(session.phase("repair", || repaired(&mut before).map_err(failed))?),
            false => None,
        };
        let reference = match &self.reference {
            Some(file) => Some(self.read_reference(session, file, before.positions.len())?),
            None => None,
        };
        let device = if need == Need::Host { None } else { Some(session.device()?) };
        let mut work = match (&device, need) {
            (None, _) | (_, Need::Host) => Work::Mesh(before.clone()),
            (Some(device), need) => Work::Surface(session.surface(device, &before, need)?),
        };
        let whole = match &work {
            // an error is one about the result that cannot be measured
            Work::Surface(surface) if application.traits.compared => {
                session.phase("measure input", || Ok::<_, Failure>(Some(sampled(surface))))?
            }
            _ => None,
        };
        let seed = session.seed();
        let mut log = session.log(&self.output);
        let mut run = Run::new(seed, &mut log);
        let done = self.application.run(&mut work, &self.given, &mut run);
        let measured = run.measured.take();
        let done = done.map_err(|failure| failed(explained(failure, &before)))?;
        let (after, surface) = match work {
            Work::Mesh(mesh) => (mesh, None),
            Work::Surface(surface) => (session.download(&surface)?, Some(surface)),
        };
        let compared = match (&surface, whole) {
            (Some(surface), Some(whole)) => Some(session.phase("measure", || {
                let distance = match measured {
                    None => distance_from(whole?.as_ref(), surface, seed)?,
                    measured => measured,
                };
                let meshes = [&before, &after];
                Ok::<_, Failure>(Compared::new(surface.device(), meshes, done.target_length(), distance))
            })?),
            _ => None,
        };
        let seen = Seen {
            before: &before,
            after: &after,
            reference: reference.as_ref(),
            compared: compared.as_ref(),
        };
        let mut log = session.log(&self.output);
        let more = done.summarize(&seen, &mut Run::new(seed, &mut log));
        let mut results = done.report();
        if application.traits.repairs {
            results.insert("repaired".to_owned(), as_json(&repair));
        }
        if let Value::Object(entries) = as_json(&compared) {
            results.extend(entries);
        }
        results.extend(more);
        session.results(&results);
        session.write(&self.output, &after, &encoded)
    }
    /// The mesh with which the result is compared, which must have as many vertices.
    fn read_reference(
        &self,
        session: &mut Session,
        file: &Path,
        vertices: usize,
    ) -> Result<TriangleMesh, Failure> {
        let reference = session.read_reference(file)?;
        let found = reference.positions.len();
        if found != vertices {
            return Err(Failure::Refused(format!(
                "{}: {}, but {} has {vertices}; a reference has the same vertices",
                input_name(file),
                counted(found as u64, "vertex"),
                input_name(&self.mesh)
            )));
        }
        Ok(reference)
    }
}

/// A report as JSON. The libraries' reports have no maps with other keys than text, so that this cannot fail.
fn as_json(report: &impl serde::Serialize) -> Value {
    serde_json::to_value(report).unwrap_or_default()
}

/// The log of a run whose result goes to `output`.
pub struct Told<'a> {
    pub session: &'a mut Session,
    pub output: &'a Path,
}
impl Log for Told<'_> {
    fn line(&mut self, line: Line) {
        match line {
            Line::Result(line) => self.session.say(line),
            Line::Told(line) => self.session.tell(self.output, line),
            Line::Detail(line) => self.session.detail(line),
            Line::Note(line) => self.session.note(line),
            Line::Warning(line) => self.session.warn(line),
            Line::Short(line) => self.session.fall_short(line),
        }
    }
    fn begin(&mut self, phase: &str) {
        self.session.begin(phase);
    }
    fn end(&mut self, phase: &str, seconds: f64) {
        self.session.end(phase, seconds);
    }
}
