//! The commands of the registry of applications.
use crate::encoding::Encoding;
use crate::failure::Failure;
#[cfg(feature = "patches")]
use crate::patches;
use crate::resolver;
use crate::session::Session;
use crate::streams::input_name;
use crate::tiles::chosen;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{
    Arg, ArgAction, ArgGroup, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand, value_parser,
};
use ribbonmesh::TriangleMesh;
use ribbonmesh_application::{
    Added, AnyApplication, Compared, Curve, Description, Failure as Reason, Given, Kind, Line, Log,
    Measuring, Meshes, Need, OptionSchema, Run, Seen, Surfaces, Work, counted,
};
use ribbonmesh_applications::{APPLICATIONS, REPAIR, explained, find, no_faces, repaired};
use ribbonmesh_clean::Bytes;
use ribbonmesh_io::Format;
use ribbonmesh_mesh::ErrorKind::Refused;
use ribbonmesh_mesh::{Classified, Subject};
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// An application with its options and files.
pub struct Applied {
    application: &'static dyn AnyApplication,
    given: Given,
    /// The meshes: one, unless the application takes several.
    meshes: Vec<PathBuf>,
    /// None if the application only looks.
    output: Option<PathBuf>,
    repair: bool,
    reference: Option<PathBuf>,
    curves: Option<PathBuf>,
    /// Memory from which on tiles do the work.
    memory: Option<Bytes>,
    encoding: Encoding,
    /// Whether patches do the work.
    patches: bool,
}

/// The argument of an option.
fn argument(application: &Description, option: &'static OptionSchema) -> Arg {
    let help = option.help.replace('`', "");
    let mut help = help.strip_suffix('.').unwrap_or(&help).to_owned();
    if option.kind == Kind::Vertices {
        help += "; repeatable";
    }
    if let Some(words) = option.default_words {
        help += &format!(" [default: {words}]");
    }
    let mut argument = Arg::new(option.name).long(option.flag()).help(help).required(option.required);
    argument = match option.kind {
        Kind::Flag => argument.action(ArgAction::SetTrue),
        kind => argument
            .value_name(option.placeholder())
            .allow_hyphen_values(option.negative)
            .action(if kind == Kind::Vertices { ArgAction::Append } else { ArgAction::Set })
            .value_parser(move |text: &str| option.accept(text).map(|()| text.to_owned())),
    };
    if let Some(default) = &option.default {
        argument = argument.default_value(default.clone()).hide_default_value(option.default_hidden);
    }
    if let Some(letter) = option.short {
        argument = argument.short(letter);
    }
    if application.traits.looks == Some(option.name) {
        argument = argument.conflicts_with_all(["output", "ascii"]);
    }
    if let Some(curves) = application.traits.curves.filter(|curves| curves.asked_by == option.name) {
        argument = argument.requires(curves.option);
    }
    argument.requires_all(option.requires).conflicts_with_all(option.conflicts)
}

/// The argument of the file to write.
fn output(application: &Description) -> Arg {
    let added = application.traits.adds;
    let (formats, value) = match added.map(|added| added.is_for_ply()) {
        None => ("OBJ, PLY, OFF, STL, GLB or glTF", "OUT"),
        Some(false) => ("OBJ, PLY, OFF, GLB or glTF", "OUT"),
        Some(true) => ("PLY", "OUT.ply"),
    };
    let argument = Arg::new("output")
        .long("output")
        .short('o')
        .value_name(value)
        .help(format!("File to write: {formats}; - is standard output"))
        .value_parser(value_parser!(PathBuf));
    match application.traits.looks {
        Some(option) => argument.required_unless_present(option),
        None => argument.required(true),
    }
}

/// The argument of the meshes.
fn meshes(application: &Description) -> Arg {
    let (name, what) = if application.traits.several { ("MESHES", "Meshes") } else { ("MESH", "Mesh") };
    let argument = Arg::new("meshes")
        .required(true)
        .value_name(name)
        .help(format!("{what}: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input"))
        .value_parser(value_parser!(PathBuf));
    if application.traits.several { argument.num_args(1..) } else { argument }
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
    let options = application.schema.options.iter().map(|option| argument(application, option));
    let mut command =
        Command::new(application.name).arg(meshes(application)).arg(output(application)).args(options);
    if application.traits.repairs {
        command = command.arg(Arg::new("repair").long("repair").action(ArgAction::SetTrue).help(REPAIR));
    }
    if let Some(help) = application.traits.reference {
        let reference = Arg::new("reference").long("reference").value_name("FILE").help(help);
        command = command.arg(reference.value_parser(value_parser!(PathBuf)));
    }
    if let Some(curves) = application.traits.curves {
        let file = Arg::new(curves.option).long(curves.option).value_name("OUT.obj").help(curves.help);
        command = command.arg(file.requires(curves.asked_by).value_parser(value_parser!(PathBuf)));
    }
    command = command.args(chosen::argument(application.name)).args(resolver::argument(application.name));
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
                let texts = match option.is_flag() {
                    true => vec!["true"],
                    false => matches
                        .get_many::<String>(option.name)
                        .into_iter()
                        .flatten()
                        .map(String::as_str)
                        .collect(),
                };
                given.set(option.name, texts.join(","));
            }
        }
        Ok(Self {
            application,
            given,
            meshes: matches.get_many("meshes").ok_or_else(missing)?.cloned().collect(),
            output: path("output"),
            repair: told.traits.repairs && matches.get_flag("repair"),
            reference: if told.traits.reference.is_some() { path("reference") } else { None },
            curves: told.traits.curves.and_then(|curves| path(curves.option)),
            memory: match chosen::argument(told.name) {
                Some(_) => matches.get_one(chosen::MEMORY).copied(),
                None => None,
            },
            encoding: Encoding::from_arg_matches(matches)?,
            patches: resolver::asks_for_patches(told.name, matches),
        })
    }
    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Applied {
    /// Whether it writes files beside its output.
    pub fn writes_more(&self) -> bool {
        self.curves.is_some()
    }
    /// The extension of results, if those of inputs do not hold them.
    pub fn extension(application: &str) -> Option<&'static str> {
        let added = find(application)?.description().traits.adds?;
        added.is_for_ply().then_some("ply")
    }
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let application = self.application.description();
        let encoded = match &self.output {
            Some(output) => {
                let encoded = self.encoding.options(output)?;
                application.traits.adds.map_or(Ok(()), |added| holds(&added, encoded.format, output))?;
                Some((output, encoded))
            }
            None => None,
        };
        if let (Some(file), Some(curves)) = (&self.curves, application.traits.curves)
            && Format::from_path(file) != Ok(Format::Obj)
        {
            let (file, what) = (file.display(), curves.option);
            return Err(Failure::Usage(format!("{file}: {what} are written as OBJ")));
        }
        let need = self.application.need(&self.given).map_err(|failure| self.failed(failure))?;
        let files: Vec<&Path> =
            (self.meshes.iter().chain(&self.output).chain(&self.reference)).map(PathBuf::as_path).collect();
        if self.patches {
            resolver::check(&application, &self.given, self.memory.map(|_| chosen::MEMORY))?;
        }
        if let Some((output, _)) = &encoded
            && self.by_tiles(session, &application, output)?
        {
            return Ok(());
        }
        session.keep(None, &files)?;
        session.keep(self.curves.as_deref(), &files)?;
        let mut meshes = vec![];
        for file in &self.meshes {
            let mesh = session.read(file)?.mesh;
            no_faces(&application, mesh.faces.len()).map_err(|failure| Failure::of_file(file, failure))?;
            meshes.push(mesh);
        }
        let mut meshes = meshes.into_iter();
        let (mut before, others) = (meshes.next().unwrap_or_default(), meshes.collect());
        self.has_vertices(&application, before.positions.len())?;
        let repair = match self.repair {
            true => Some(
                session.phase("repair", || repaired(&mut before).map_err(|failure| self.failed(failure)))?,
            ),
            false => None,
        };
        let reference = match &self.reference {
            Some(file) => Some(self.read_reference(session, file, before.positions.len())?),
            None => None,
        };
        #[cfg(feature = "patches")]
        if let (true, Some((output, encoded))) = (self.patches, &encoded) {
            let asked = (application.name, &self.given);
            let failed = |failure| Failure::of_file(self.input(), failure).of_options(application.schema);
            let (after, mut results) = patches::run(session, asked, &before, output).map_err(failed)?;
            results.insert("repaired".to_owned(), as_json(&repair));
            session.results(&results);
            return session.write(output, &after, encoded);
        }
        let device = if need == Need::Host { None } else { Some(session.device()?) };
        let mut work = match (&device, need) {
            (None, _) | (_, Need::Host) => Work::Mesh(before.clone()),
            (Some(device), Need::Anywhere) => {
                Work::Meshes(Meshes { device: device.clone(), mesh: before.clone(), others })
            }
            (Some(device), need) => Work::Surface(session.surface(device, &before, need)?),
        };
        let seed = session.seed();
        let shown = self.output.as_deref().unwrap_or(self.input());
        let mut log = session.log(shown);
        let mut run = Run::new(seed, &mut log);
        run.measuring = application.traits.compared.then(Measuring::default);
        let done = self.application.run(&mut work, &self.given, &mut run);
        let measuring = run.measuring.take();
        let done = done.map_err(|failure| self.failed(explained(failure, &before)))?;
        let Some((output, encoded)) = encoded else {
            let verdict = done.verdict().unwrap_or_default();
            return session.emit(None, |out| writeln!(out, "{}: {verdict}", input_name(self.input())));
        };
        let (after, surface) = match work {
            Work::Mesh(mesh) | Work::Meshes(Meshes { mesh, .. }) => (mesh, None),
            Work::Surface(surface) | Work::Surfaces(Surfaces { surface, .. }) => {
                (session.download(&surface)?, Some(surface))
            }
        };
        let compared = match (&surface, measuring.filter(|_| application.traits.compared)) {
            (Some(surface), Some(measuring)) => Some(session.phase("measure", || {
                let distance = measuring.distance(surface, seed)?;
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
        let mut log = session.log(output);
        let more = done.summarize(&seen, &mut Run::new(seed, &mut log));
        let mut results = done.report();
        if application.traits.several {
            results.insert("meshes".to_owned(), as_json(&self.meshes));
        }
        if application.traits.repairs {
            results.insert("repaired".to_owned(), as_json(&repair));
        }
        if let Value::Object(entries) = as_json(&compared) {
            results.extend(entries);
        }
        results.extend(more);
        session.results(&results);
        if let Some(file) = &self.curves {
            session.emit(Some(file), |out| out.write_all(written(done.curves()).as_bytes()))?;
        }
        session.write(output, &after, &encoded)
    }
    /// Does the work tile by tile if the mesh does not fit into the memory; false if it does.
    fn by_tiles(
        &self,
        session: &mut Session,
        application: &Description,
        output: &Path,
    ) -> Result<bool, Failure> {
        let Some(memory) = self.memory else { return Ok(false) };
        let others: Vec<&str> = application.schema.options.iter().map(|option| option.name).collect();
        let files = [self.input(), output];
        let flag = self.repair.then_some("repair").or(self.reference.is_some().then_some("reference"));
        let flag = flag.or(self.encoding.given());
        chosen::application(session, application.name, &self.given, files, memory, (&others, flag))
    }
    /// The first mesh.
    fn input(&self) -> &Path {
        self.meshes.first().map_or(Path::new(""), PathBuf::as_path)
    }
    /// Failure of the application, with the mesh that it names.
    fn failed(&self, failure: Reason) -> Failure {
        // a check has its answer, and needs no advice
        if self.output.is_none() && failure.class().kind == Refused(Subject::NotManifold) {
            return Failure::Refused(format!("{}: {failure}", input_name(self.input())));
        }
        let failure = match self.meshes.len() {
            1 => Failure::of_file(self.input(), failure),
            _ => Failure::of_files(&self.meshes, failure),
        };
        failure.of_options(self.application.description().schema)
    }
    /// Refuses vertices that the mesh does not have.
    fn has_vertices(&self, application: &Description, vertices: usize) -> Result<(), Failure> {
        let missing = application.schema.missing_vertex(&self.given, vertices);
        match missing.map_err(|failure| self.failed(failure))? {
            None => Ok(()),
            Some((option, vertex)) => Err(Failure::Usage(format!(
                "--{} {vertex}: {} has {}, numbered from 0",
                option.flag(),
                input_name(self.input()),
                counted(vertices as u64, "vertex")
            ))),
        }
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
                input_name(self.input())
            )));
        }
        Ok(reference)
    }
}

/// Refuses a format that does not hold what an application adds.
fn holds(added: &Added, format: Format, output: &Path) -> Result<(), Failure> {
    if added.is_for_ply() {
        return only_ply(format, output);
    }
    match format {
        Format::Stl => {
            Err(Failure::Usage(format!("{}: STL cannot carry normals of vertices", output.display())))
        }
        _ => Ok(()),
    }
}

/// Refuses a format that holds no properties of vertices.
pub fn only_ply(format: Format, output: &Path) -> Result<(), Failure> {
    match format {
        Format::Ply => Ok(()),
        _ => Err(Failure::Usage(format!("{}: only PLY carries properties of vertices", output.display()))),
    }
}

/// Curves as OBJ: for each, its points and one line through them.
fn written(curves: &[Curve]) -> String {
    let mut text = String::new();
    let mut count = 0;
    for curve in curves.iter().filter(|curve| !curve.points.is_empty()) {
        // writing into text cannot fail
        _ = writeln!(text, "o {}", curve.name);
        for p in &curve.points {
            _ = writeln!(text, "v {} {} {}", p.x, p.y, p.z);
        }
        text += "l";
        // a line has two ends, also where it is a point
        let numbers = count + 1..=count + curve.points.len();
        let twice = (curve.points.len() == 1).then_some(count + 1);
        for i in numbers.chain(twice) {
            _ = write!(text, " {i}");
        }
        text += "\n";
        count += curve.points.len();
    }
    text
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
