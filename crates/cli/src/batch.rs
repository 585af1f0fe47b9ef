//! `ribbonmesh batch`.
use crate::application::Applied;
use crate::args::{Cli, Globals};
use crate::failure::Failure;
use crate::paths::same_file;
use crate::report::Report;
use crate::session::Session;
use crate::shared::Shared;
use crate::streams::is_standard;
use clap::{Args, Parser};
use ribbonmesh_application::counted;
use ribbonmesh_applications::APPLICATIONS;
use ribbonmesh_io::{Compression, WriteError};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Instant;

/// Commands that read a mesh and write a file, in addition to the commands of the registry.
const OTHERS: [&str; 2] = ["convert", "render"];

/// Commands that read a mesh and write a file.
fn commands() -> Vec<&'static str> {
    let of_registry = APPLICATIONS.iter().map(|application| application.description().name);
    of_registry.chain(OTHERS).collect()
}

fn after_help() -> String {
    format!(
        "Commands: {}.\n
Examples:
  ribbonmesh batch dragon.ply --out results -- remesh --target-length 1%
  ribbonmesh batch '*.ply' --out pictures -- render --view iso --size 400x300
  ribbonmesh batch '*.ply' --out small --extension obj.gz -- simplify --ratio 0.1",
        commands().join(", ")
    )
}

/// Run a command on many meshes
///
/// Each result has the name of its input, in the folder --out. One mesh at a time is worked on; meanwhile the
/// next are read and the last are written. What fails does not keep the others from being done; at the end it
/// is listed, and the exit status is 1. A result that is there already, and not older than its input, is not
/// done again, so that a batch that was interrupted goes on where it was. Options that name further files to
/// write are refused.
#[derive(Args)]
#[command(after_help = after_help())]
pub struct Batch {
    /// Meshes to read: files, or patterns of names with *, ** and ?, in quotes
    #[arg(value_name = "MESH", required = true)]
    inputs: Vec<OsString>,
    /// Folder for the results; it is created if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Extension of the results, which names their format [default: that of the input; ply for curvature and
    /// geodesic, png for render]
    #[arg(long, value_name = "EXTENSION")]
    extension: Option<String>,
    /// Also repeat what was done before
    #[arg(long)]
    again: bool,
    /// Most meshes in memory at a time
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=64))]
    at_once: u32,
    /// The command with its options, without mesh and output
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// A mesh, and the command for it.
struct Job {
    input: PathBuf,
    output: PathBuf,
    cli: Cli,
}

#[derive(Serialize)]
struct Results {
    done: usize,
    skipped: usize,
    failed: usize,
    files: Vec<Outcome>,
}

/// The outcome of one mesh of a batch.
#[derive(Serialize)]
struct Outcome {
    input: PathBuf,
    output: PathBuf,
    /// `done`, `skipped`, `failed`.
    status: &'static str,
    /// From the beginning of reading to the end of writing, waiting for others included.
    seconds: f64,
    error: Option<String>,
    /// The report of the command, as `--report` writes it; `None` if the mesh was skipped.
    report: Option<Report>,
}

impl Batch {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let inputs = self.inputs()?;
        let given: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
        session.keep(None, &given)?;
        let jobs = self.jobs(inputs, session.globals())?;
        fs::create_dir_all(&self.out)
            .map_err(|cause| WriteError { file: self.out.clone(), kind: cause.into() })?;
        let (skipped, waiting): (Vec<Job>, Vec<Job>) =
            jobs.into_iter().partition(|job| !self.again && job.is_done());
        let mut files: Vec<Outcome> = skipped.into_iter().map(Outcome::skipped).collect();
        let skipped = files.len();
        if skipped > 0 {
            session.say(format_args!("{} done before", counted(skipped as u64, "result")));
        }
        let all = skipped + waiting.len();
        self.work(session, waiting, &mut files);
        let list: Vec<String> = files
            .iter()
            .filter_map(|file| Some(format!("{}: {}", file.input.display(), file.error.as_ref()?)))
            .collect();
        let failed = list.len();
        let done = all - skipped - failed;
        session.say(format_args!("{}: {done} done, {skipped} done before, {failed} failed", meshes(all)));
        session.results(&Results { done, skipped, failed, files });
        if list.is_empty() { Ok(()) } else { Err(Failure::Batch { all: meshes(all), list }) }
    }
    /// The files that are named, each once, in their order; the files of a pattern by name.
    fn inputs(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut inputs: Vec<PathBuf> = vec![];
        for given in &self.inputs {
            let path = Path::new(given);
            if is_standard(path) {
                return Err(Failure::Usage("a batch reads files, not standard input".into()));
            }
            let pattern = given.to_str().filter(|text| !path.exists() && text.contains(['*', '?', '[']));
            let Some(pattern) = pattern else {
                inputs.push(path.into());
                continue;
            };
            let found = glob::glob(pattern).map_err(|e| Failure::Usage(format!("{pattern}: {e}")))?;
            let before = inputs.len();
            inputs.extend(found.filter_map(Result::ok).filter(|path| path.is_file()));
            if inputs.len() == before {
                return Err(Failure::Usage(format!("no file has a name like {pattern}")));
            }
        }
        let mut seen = BTreeSet::new();
        inputs.retain(|path| seen.insert(path.clone()));
        Ok(inputs)
    }
    /// One job for each input, with its command line parsed and checked.
    fn jobs(&self, inputs: Vec<PathBuf>, globals: &Globals) -> Result<Vec<Job>, Failure> {
        let name = self.command.first().and_then(|name| name.to_str()).unwrap_or_default();
        if !commands().contains(&name) {
            return Err(Failure::Usage(format!("{name:?} is none of {}", commands().join(", "))));
        }
        let mut of_outputs: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
        let mut jobs = vec![];
        for input in inputs {
            let output = self.output(name, &input);
            if same_file(&input, &output) {
                return Err(Failure::Usage(format!(
                    "{} would be overwritten by its result",
                    input.display()
                )));
            }
            if let Some(other) = of_outputs.insert(output.clone(), input.clone()) {
                let (a, b, output) = (other.display(), input.display(), output.display());
                return Err(Failure::Usage(format!("{a} and {b} would both become {output}")));
            }
            let cli = self.parse(name, &input, &output, globals)?;
            jobs.push(Job { input, output, cli });
        }
        Ok(jobs)
    }
    /// The path of the result of `input`.
    fn output(&self, command: &str, input: &Path) -> PathBuf {
        let name = input.file_name().unwrap_or_default();
        let plain = if Compression::from_path(input).is_some() { input.file_stem() } else { None };
        let stem = Path::new(plain.unwrap_or(name)).file_stem().unwrap_or_default();
        let own = name.as_encoded_bytes().get(stem.len() + 1..).map(String::from_utf8_lossy);
        let extension = match (&self.extension, command) {
            (Some(extension), _) => extension.trim_start_matches('.').into(),
            (None, "render") => "png".into(),
            (None, command) => match Applied::extension(command) {
                Some(extension) => extension.into(),
                None => own.unwrap_or_default().into_owned(),
            },
        };
        let mut file = stem.to_owned();
        file.push(".");
        file.push(extension);
        self.out.join(file)
    }
    /// The command line for a mesh.
    fn parse(&self, name: &str, input: &Path, output: &Path, globals: &Globals) -> Result<Cli, Failure> {
        let mut words: Vec<OsString> = vec!["ribbonmesh".into()];
        words.extend(["--device".into(), globals.device.to_string().into()]);
        words.extend(["--seed".into(), globals.seed.to_string().into()]);
        words.extend(["--patch-size".into(), globals.patch_size.to_string().into()]);
        words.extend(self.command.iter().cloned());
        if name == "convert" {
            words.extend([OsStr::new("--"), input.as_os_str(), output.as_os_str()].map(OsStr::to_owned));
        } else {
            let places = [OsStr::new("--output"), output.as_os_str(), OsStr::new("--"), input.as_os_str()];
            words.extend(places.map(OsStr::to_owned));
        }
        // help is printed, and the process ends
        let mut cli = Cli::try_parse_from(words).unwrap_or_else(|error| error.exit());
        let own = &cli.globals;
        let refused = [
            (own.report.is_some(), "--report"),
            (own.threads.is_some(), "--threads"),
            (own.quiet, "--quiet"),
            (own.verbose, "--verbose"),
            (cli.command.writes_more(), "what names another file to write"),
        ];
        if let Some((_, what)) = refused.iter().find(|(given, _)| *given) {
            return Err(Failure::Usage(format!("{what} is not for each mesh of a batch")));
        }
        cli.globals.input_format = cli.globals.input_format.or(globals.input_format);
        (cli.globals.quiet, cli.globals.verbose) = (!globals.verbose, globals.verbose);
        Ok(cli)
    }
    /// Runs waiting jobs, several at a time, of which one works on the device; prints and collects their
    /// outcomes.
    fn work(&self, session: &mut Session, waiting: Vec<Job>, files: &mut Vec<Outcome>) {
        let (shared, next) = (Arc::new(Shared::default()), AtomicUsize::new(0));
        let (waiting, next, shared) = (&waiting, &next, &shared);
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..(self.at_once as usize).min(waiting.len()) {
                let sender = sender.clone();
                scope.spawn(move || {
                    while let Some(job) = waiting.get(next.fetch_add(1, Ordering::Relaxed)) {
                        // the receiver lives as long as this
                        _ = sender.send(job.run(shared));
                    }
                });
            }
            drop(sender);
            for (outcome, warnings) in receiver {
                let input = outcome.input.display();
                warnings.iter().for_each(|warning| session.warn(format!("{input}: {warning}")));
                match &outcome.error {
                    None => session.say(format_args!(
                        "{input}: {}, {:.2} s",
                        outcome.output.display(),
                        outcome.seconds
                    )),
                    Some(_) => session.say(format_args!("{input}: failed")),
                }
                if outcome.error.is_none() {
                    session.wrote(&outcome.output);
                }
                files.push(outcome);
            }
        });
    }
}

impl Job {
    /// Runs the job; returns its outcome, and the warnings that have not been printed yet.
    fn run(&self, shared: &Arc<Shared>) -> (Outcome, Vec<String>) {
        let start = Instant::now();
        let label = self.input.display().to_string();
        let mut session = Session::in_batch(self.cli.globals.clone(), Arc::clone(shared), label);
        let outcome = catch_unwind(AssertUnwindSafe(|| self.cli.command.run(&mut session)))
            .unwrap_or(Err(Failure::Panic));
        let error = outcome.as_ref().err().map(ToString::to_string);
        let (report, warnings) = session.close(&outcome);
        let outcome = Outcome {
            input: self.input.clone(),
            output: self.output.clone(),
            status: if error.is_some() { "failed" } else { "done" },
            seconds: start.elapsed().as_secs_f64(),
            error,
            report: Some(report),
        };
        (outcome, warnings)
    }
    /// Whether the result is there, and not older than the mesh.
    fn is_done(&self) -> bool {
        let changed = |path: &Path| fs::metadata(path).and_then(|file| file.modified());
        match (changed(&self.input), changed(&self.output)) {
            (Ok(input), Ok(output)) => input <= output,
            _ => false,
        }
    }
}

impl Outcome {
    fn skipped(job: Job) -> Self {
        let Job { input, output, .. } = job;
        Self { input, output, status: "skipped", seconds: 0.0, error: None, report: None }
    }
}

fn meshes(count: usize) -> String {
    if count == 1 { "1 mesh".into() } else { format!("{count} meshes") }
}
