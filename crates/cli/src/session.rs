//! A run of the program: what it says, measures and reports.
use crate::application::Told;
use crate::args::Globals;
use crate::encoding::Encoded;
use crate::failure::Failure;
use crate::paths::same_file;
use crate::report::{Input, Kernels, Machine, Phase, Report, Sizes};
use crate::shared::{Shared, Turn};
use crate::streams::{self, input_name, is_standard, output_name};
use indicatif::ProgressBar;
use ribbonmesh::{Device, DeviceChoice, Error, FlatTopology, Loading, MeshOptions, StaticMesh, Surface};
use ribbonmesh_application::{Need, counted};
use ribbonmesh_io::{Format, Loaded, Notes, ReadErrorKind, ReadOptions, TriangleMesh};
use ribbonmesh_mesh::{Column, Element};
use ribbonmesh_render::Image;
use ribbonmesh_volume_io::{VolumeData, VolumeFormat, VolumeNotes};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A run of the program.
pub struct Session {
    globals: Globals,
    start: Instant,
    progress: ProgressBar,
    report: Report,
    device: Option<Device>,
    /// Whether standard input was read.
    input_was_read: bool,
    /// Parts shared with other runs of a batch.
    shared: Option<Arc<Shared>>,
    /// Its turn to work, in a batch: from the machine to the output.
    turn: Option<Turn>,
    /// Prefix of its lines in a batch.
    label: String,
    /// Warnings that were not said.
    unsaid: Vec<String>,
    /// Work that is done when the report is written.
    afterwards: Option<Box<dyn FnOnce()>>,
}

impl Session {
    /// Begins; `--threads` holds from here on.
    pub fn new(globals: Globals) -> Result<Self, Failure> {
        if let Some(threads) = globals.threads.map(|n| n as usize) {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
            pool.map_err(|e| Error::Threads { threads, message: e.to_string() })?;
        }
        if globals.report.as_deref().is_some_and(is_standard) {
            return Err(Failure::Usage("--report -: a report is written to a file".into()));
        }
        let watched = io::stderr().is_terminal() && !globals.quiet;
        let report = Report {
            program: concat!("ribbonmesh ", env!("CARGO_PKG_VERSION")).into(),
            arguments: std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect(),
            patch_size: globals.patch_size,
            seed: globals.seed,
            ..Report::default()
        };
        let progress = if watched { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        Ok(Self::with(globals, progress, report))
    }
    /// One of several runs at a time, with its name in what it says. It has no progress, and writes no
    /// report.
    pub fn in_batch(globals: Globals, shared: Arc<Shared>, label: String) -> Self {
        let report = Report { patch_size: globals.patch_size, seed: globals.seed, ..Report::default() };
        Self { shared: Some(shared), label, ..Self::with(globals, ProgressBar::hidden(), report) }
    }
    fn with(globals: Globals, progress: ProgressBar, report: Report) -> Self {
        Self {
            globals,
            start: Instant::now(),
            progress,
            report,
            device: None,
            input_was_read: false,
            shared: None,
            turn: None,
            label: String::new(),
            unsaid: vec![],
            afterwards: None,
        }
    }
    /// Options of every command.
    pub fn globals(&self) -> &Globals {
        &self.globals
    }
    /// `--patch-size`.
    pub fn patch_size(&self) -> u32 {
        self.globals.patch_size
    }
    /// `--seed`.
    pub fn seed(&self) -> u64 {
        self.globals.seed
    }

    /// A line to standard error, unless `--quiet`.
    pub fn say(&self, line: impl std::fmt::Display) {
        if !self.globals.quiet {
            self.always_say(line);
        }
    }
    fn always_say(&self, line: impl std::fmt::Display) {
        let colon = if self.label.is_empty() { "" } else { ": " };
        // nobody is left to be told that standard error is closed
        self.progress.suspend(|| _ = writeln!(io::stderr(), "{}{colon}{line}", self.label));
    }
    /// A result that a command is asked for beside its `output`: said, and with `--quiet` on standard output
    /// instead, unless the output goes there.
    pub fn tell(&self, output: &Path, line: impl std::fmt::Display) {
        if !self.globals.quiet || self.shared.is_some() {
            self.say(line);
        } else if is_standard(output) {
            self.always_say(line);
        } else {
            // nobody is left to be told that standard output is closed
            self.progress.suspend(|| _ = writeln!(io::stdout(), "{line}"));
        }
    }
    /// Something that deserves attention: said and reported.
    pub fn warn(&mut self, line: String) {
        self.say(format_args!("warning: {line}"));
        if self.globals.quiet {
            self.unsaid.push(line.clone());
        }
        self.report.warnings.push(line);
    }
    /// A result that is not what was asked for: said even with `--quiet`, and reported.
    pub fn fall_short(&mut self, line: String) {
        self.always_say(format_args!("warning: {line}"));
        self.report.warnings.push(line);
    }
    /// Something that was changed or left out: said and reported.
    pub fn note(&mut self, line: String) {
        self.say(format_args!("note: {line}"));
        self.report.notes.push(line);
    }
    /// A line to standard error with `--verbose`.
    pub fn detail(&self, line: impl std::fmt::Display) {
        if self.globals.verbose {
            self.say(line);
        }
    }

    /// Does `work` under a name, with its time in the report.
    pub fn phase<T, E>(&mut self, name: &str, work: impl FnOnce() -> Result<T, E>) -> Result<T, Failure>
    where
        Failure: From<E>,
    {
        self.begin(name);
        let start = Instant::now();
        let done = work();
        self.end(name, start.elapsed().as_secs_f64());
        Ok(done?)
    }
    /// Shows that a phase has begun.
    pub fn begin(&mut self, name: &str) {
        self.progress.set_message(name.to_owned());
        self.progress.enable_steady_tick(Duration::from_millis(100));
    }
    /// Ends a phase, and puts its time into the report.
    pub fn end(&mut self, name: &str, seconds: f64) {
        self.progress.disable_steady_tick();
        self.progress.set_message("");
        self.took(name, seconds);
    }
    fn took(&mut self, name: &str, seconds: f64) {
        self.detail(format_args!("{name}: {seconds:.3} s"));
        self.report.phases.push(Phase { name: name.to_owned(), seconds, parts: vec![] });
    }
    /// The log of an application whose result goes to `output`.
    pub fn log<'a>(&'a mut self, output: &'a Path) -> Told<'a> {
        Told { session: self, output }
    }

    /// Refuses to write over one of `inputs`, or where nothing can be written.
    pub fn keep(&self, output: Option<&Path>, inputs: &[&Path]) -> Result<(), Failure> {
        for output in output.into_iter().chain(self.globals.report.as_deref()) {
            if inputs.iter().any(|input| same_file(input, output)) {
                let path = output.display();
                return Err(Failure::Usage(format!(
                    "{path} would be overwritten by something that is not a mesh"
                )));
            }
        }
        for output in
            output.into_iter().chain(self.globals.report.as_deref()).filter(|path| !is_standard(path))
        {
            ribbonmesh_io::check_output(output)?;
        }
        Ok(())
    }

    /// The machine of `--device`.
    pub fn device(&mut self) -> Result<Device, Failure> {
        let choice = self.globals.device;
        let device = match self.shared.clone() {
            None => self.phase("machine", || choice.open())?,
            Some(shared) => {
                self.turn = Some(self.turn.take().unwrap_or_else(|| shared.turn()));
                self.phase("machine", || shared.device(choice))?
            }
        };
        let name = device.name();
        match (choice, device.why_not_cuda()) {
            (DeviceChoice::Auto, Some(why)) => self.say(format_args!("machine: {name} ({why})")),
            (DeviceChoice::Auto, None) => self.say(format_args!("machine: {name}")),
            _ => self.detail(format_args!("machine: {name}")),
        }
        self.device = Some(device.clone());
        Ok(device)
    }
    /// The machine once more, for a thread of its own: a GPU has its own order of work and its own errors.
    pub fn another_device(&self) -> Result<Device, Failure> {
        Ok(self.globals.device.open()?)
    }
    /// Reads a mesh with its attributes.
    pub fn read(&mut self, file: &Path) -> Result<Loaded, Failure> {
        self.read_as(file, None)
    }
    /// Reads a mesh, in `format` or that of `--input-format` where its name says none.
    pub fn read_as(&mut self, file: &Path, format: Option<Format>) -> Result<Loaded, Failure> {
        let loaded = self.load("read", file, format, false)?;
        for note in in_words(&loaded.notes) {
            self.note(format!("{}: {note}", input_name(file)));
        }
        let input = || Input::Mesh {
            file: file.into(),
            format: loaded.format,
            vertices: loaded.mesh.positions.len(),
            faces: loaded.mesh.faces.len(),
            notes: loaded.notes.clone(),
        };
        self.report.input.get_or_insert_with(input);
        Ok(loaded)
    }
    /// Notes a volume that was read for the report.
    pub fn read_volume(
        &mut self,
        file: &Path,
        format: VolumeFormat,
        volume: &VolumeData,
        notes: VolumeNotes,
    ) {
        let (vertices, cells) = (volume.positions.len(), volume.cells.len());
        let (file, faces) = (file.into(), volume.cells.faces());
        let input = || Input::Volume { file, format, vertices, cells, faces, notes };
        self.report.input.get_or_insert_with(input);
    }
    /// Reads a mesh beside the one that is worked on, without notes.
    pub fn read_reference(&mut self, file: &Path) -> Result<TriangleMesh, Failure> {
        Ok(self.load("read reference", file, None, false)?.mesh)
    }
    /// Reads the vertices of a file, which need have no faces.
    pub fn read_points(&mut self, file: &Path) -> Result<TriangleMesh, Failure> {
        Ok(self.load("read points", file, None, true)?.mesh)
    }
    fn load(
        &mut self,
        phase: &str,
        file: &Path,
        format: Option<Format>,
        points: bool,
    ) -> Result<Loaded, Failure> {
        if is_standard(file) && std::mem::replace(&mut self.input_was_read, true) {
            return Err(Failure::Usage("standard input is named twice, and can be read once".into()));
        }
        let options = self.read_options(format, points);
        self.phase(phase, || read_file(file, &options))
    }
    fn read_options(&self, format: Option<Format>, points: bool) -> ReadOptions {
        let format = format.or(self.globals.input_format);
        ReadOptions { format, points, strict: self.globals.strict }
    }
    /// Reads a mesh that was read before, without notes and without a phase of the report.
    pub fn read_again(&self, file: &Path, format: Option<Format>) -> Result<TriangleMesh, Failure> {
        Ok(read_file(file, &self.read_options(format, false))?.mesh)
    }
    /// Notes that the attributes of these elements are left out of the result.
    pub fn left_out(&mut self, mesh: &TriangleMesh, elements: &[Element]) {
        let columns = elements.iter().flat_map(|&element| {
            let of = |column: &Column| format!("{element}.{}", column.name());
            mesh.attributes(element).iter().map(of).collect::<Vec<String>>()
        });
        let columns: Vec<String> = columns.collect();
        if !columns.is_empty() {
            self.note(format!("attributes left out: {}", columns.join(", ")));
        }
    }
    pub fn mesh_options(&self) -> MeshOptions {
        MeshOptions { patch_size: self.globals.patch_size, seed: self.globals.seed }
    }
    /// Builds the patches of a mesh.
    pub fn build(&mut self, device: &Device, mesh: &TriangleMesh) -> Result<StaticMesh, Failure> {
        let options = self.mesh_options();
        let vertices = mesh.positions.len();
        let built = self.phase("build", || StaticMesh::new(device, vertices, &mesh.faces, &options))?;
        self.note_build(&built, 0);
        Ok(built)
    }
    /// Builds the patches of a flat topology.
    pub fn build_from(&mut self, flat: &FlatTopology) -> Result<StaticMesh, Failure> {
        let options = self.mesh_options();
        let built = self.phase("build", || StaticMesh::from_flat(flat, &options))?;
        self.note_build(&built, flat.build_report().phases.len());
        Ok(built)
    }
    /// Notes what was built, and the parts of the last phase: those of construction but the first, which it
    /// does not have.
    fn note_build(&mut self, built: &StaticMesh, first: usize) {
        let report = built.build_report();
        let parts = report.phases[first..].iter().map(|&(name, seconds)| {
            self.detail(format_args!("  {name}: {seconds:.3} s"));
            Phase { name: name.to_owned(), seconds, parts: vec![] }
        });
        let parts = parts.collect();
        if let Some(phase) = self.report.phases.last_mut() {
            phase.parts = parts;
        }
        if let Some(why) = &report.on_cpu_because {
            self.warn(format!("the patches were built on the CPU: {why}"));
        }
        self.report.sizes = Some(Sizes {
            vertices: built.vertices(),
            edges: Some(built.edges()),
            faces: built.faces(),
            patches: Some(built.patches()),
            topology_bytes: Some(built.topology_bytes()),
        });
    }
    /// Uploads a mesh with its attributes, and computes the connectivity that is needed. Where a vertex has
    /// too many faces for a patch, there are edges instead of patches, which is said.
    pub fn surface(&mut self, device: &Device, mesh: &TriangleMesh, need: Need) -> Result<Surface, Failure> {
        let options = self.mesh_options();
        let mut surface = self.phase("upload", || Surface::new(device, mesh, &options))?;
        let (vertices, faces) = (mesh.positions.len(), mesh.faces.len());
        let mut sizes = Sizes { vertices, edges: None, faces, patches: None, topology_bytes: None };
        let mut edges = need == Need::Edges;
        if need == Need::Patches {
            match self.phase("build", || surface.patches().map(drop)) {
                Ok(()) => {
                    self.note_build(surface.have_patches()?.0, 0);
                    return Ok(surface);
                }
                Err(failure) => {
                    let Some(error @ Error::PatchTooLarge { .. }) = failure.library() else {
                        return Err(failure);
                    };
                    self.note(format!("{error}; flat arrays instead of patches"));
                    edges = true;
                }
            }
        }
        if edges {
            sizes.edges = Some(self.phase("build", || surface.sizes())?[1]);
        }
        self.report.sizes = Some(sizes);
        Ok(surface)
    }
    /// Downloads a surface, and notes what its attributes have lost.
    pub fn download(&mut self, surface: &Surface) -> Result<TriangleMesh, Failure> {
        let mesh = self.phase("download", || surface.download())?;
        for note in surface.notes() {
            self.note(note.to_string());
        }
        Ok(mesh)
    }
    /// Ends the work on the machine: in a batch, whoever waits may work now.
    pub fn leave_machine(&mut self) {
        self.turn = None;
    }
    /// Writes a mesh.
    pub fn write(&mut self, file: &Path, mesh: &TriangleMesh, encoded: &Encoded) -> Result<(), Failure> {
        self.leave_machine();
        if is_standard(file) {
            // the terminal may be the same
            self.progress.finish_and_clear();
        }
        let Encoded { format, options } = encoded;
        let losses = self.phase("write", || streams::write(file, *format, mesh, options))?;
        for loss in losses {
            self.note(format!("{}: {loss}", output_name(file)));
        }
        self.wrote(file);
        let (vertices, faces) = (mesh.positions.len(), mesh.faces.len());
        let (vertices, faces) = (counted(vertices as u64, "vertex"), counted(faces as u64, "face"));
        self.say(format_args!("wrote {}: {vertices}, {faces}", output_name(file)));
        Ok(())
    }
    /// Writes to a file, or else to standard output. `fill` writes large pieces.
    pub fn emit(
        &mut self,
        file: Option<&Path>,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let Some(file) = file.filter(|file| !is_standard(file)) else {
            // the terminal may be the same
            self.progress.finish_and_clear();
            let start = Instant::now();
            let mut out = io::stdout().lock();
            let written = fill(&mut out).and_then(|()| out.flush()).map_err(Failure::Stdout);
            self.took("write", start.elapsed().as_secs_f64());
            return written;
        };
        self.phase("write", || ribbonmesh_io::write_file(file, fill))?;
        self.wrote(file);
        self.say(format_args!("wrote {}", file.display()));
        Ok(())
    }
    /// Writes a picture.
    pub fn write_picture(&mut self, file: &Path, picture: &Image) -> Result<(), Failure> {
        if is_standard(file) {
            return self.emit(None, |out| picture.encode_png(out));
        }
        self.phase("write", || picture.write_png(file))?;
        self.wrote(file);
        self.say(format_args!("wrote {}: {} × {} pixels", file.display(), picture.width(), picture.height()));
        Ok(())
    }
    /// Notes an output for the report.
    pub fn wrote(&mut self, file: &Path) {
        self.report.outputs.push(file.into());
    }
    /// Report that `--report` would write if the run ended here.
    pub fn report_so_far(&mut self) -> String {
        self.complete();
        // as for results, this cannot fail
        serde_json::to_string(&self.report).unwrap_or_default()
    }
    /// Puts into the report what is known at any time.
    fn complete(&mut self) {
        self.report.machine = self.device.as_ref().map(|device| Machine {
            name: device.name(),
            kind: device.kind().name(),
            threads: rayon::current_num_threads(),
            kernels: kernels(device),
            sharing: device.sharing().map(Into::into),
            why_not_cuda: device.why_not_cuda().map(str::to_owned),
        });
        self.report.seconds = self.start.elapsed().as_secs_f64();
    }
    /// The command's results, for the report.
    pub fn results(&mut self, results: &impl Serialize) {
        // the types of this program have no maps with other keys than text, so that this cannot fail
        self.report.results = serde_json::to_value(results).unwrap_or_default();
    }

    /// Has something done when the report is written, if all went well; until then files are complete.
    pub fn afterwards(&mut self, work: impl FnOnce() + 'static) {
        self.say("serving the result until Ctrl-C");
        self.afterwards = Some(Box::new(work));
    }
    /// Work that is to be done after the end.
    pub fn take_afterwards(&mut self) -> Box<dyn FnOnce()> {
        self.afterwards.take().unwrap_or_else(|| Box::new(|| ()))
    }

    /// Ends a run of a batch: the report, and warnings that were not said.
    pub fn close(mut self, outcome: &Result<(), Failure>) -> (Report, Vec<String>) {
        self.complete();
        self.report.error = outcome.as_ref().err().map(ToString::to_string);
        self.report.exit_status = outcome.as_ref().err().map_or(0, Failure::status);
        (self.report, self.unsaid)
    }
    /// Ends the run: writes the report, and gives back what went wrong.
    pub fn finish(mut self, outcome: Result<(), Failure>) -> Result<(), Failure> {
        self.progress.finish_and_clear();
        let Some(file) = self.globals.report.clone() else { return outcome };
        if let Err(Failure::Usage(_)) = &outcome {
            return outcome;
        }
        self.complete();
        self.report.error = outcome.as_ref().err().map(ToString::to_string);
        self.report.exit_status = outcome.as_ref().err().map_or(0, Failure::status);
        let written = ribbonmesh_io::write_file(&file, |out| {
            let mut text = serde_json::to_vec_pretty(&self.report)?;
            text.push(b'\n');
            out.write_all(&text)
        });
        match (outcome, written) {
            (Ok(()), written) => Ok(written?),
            (Err(failure), Ok(())) => Err(failure),
            (Err(failure), Err(error)) => {
                // it may be the reason
                if failure.to_string() != error.to_string() {
                    self.say(format_args!("error: {error}"));
                }
                Err(failure)
            }
        }
    }
}

/// Describes what reading changed or passed over.
fn in_words(notes: &Notes) -> Vec<String> {
    let mut words = vec![];
    if notes.polygons_triangulated > 0 {
        let polygons = counted(notes.polygons_triangulated, "polygon");
        words.push(format!("{polygons} cut into {}", counted(notes.triangles_from_polygons, "triangle")));
    }
    let first =
        notes.left_out_first.as_deref().map_or(String::new(), |place| format!(", the first at {place}"));
    let bad = [
        (notes.vertices_left_out, "vertex", "not finite"),
        (notes.faces_left_out, "face", "of fewer than three corners, or with such a vertex"),
    ];
    for (count, name, why) in bad.into_iter().filter(|(count, ..)| *count > 0) {
        words.push(format!("{} left out ({why}){first}; --strict refuses", counted(count, name)));
    }
    if notes.normals_left_out > 0 {
        let normals = counted(notes.normals_left_out, "normal");
        words.push(format!("{normals} not finite: 0 0 0; --strict refuses"));
    }
    if notes.colours_of_bytes > 0 {
        words.push(format!("{} from 0 to 255 divided by 255", counted(notes.colours_of_bytes, "colour")));
    }
    if notes.unknown_skipped > 0 {
        let lines = counted(notes.unknown_skipped, "line");
        words.push(format!("{lines} of no known kind passed over; --strict refuses"));
    }
    if notes.corners_welded > 0 {
        words.push(format!("{} welded to earlier ones", counted(notes.corners_welded, "corner")));
    }
    if notes.points_and_lines_skipped > 0 {
        words.push(format!("{} passed over", counted(notes.points_and_lines_skipped, "point or line")));
    }
    if notes.curves_and_surfaces_skipped > 0 {
        words.push(format!("{} passed over", counted(notes.curves_and_surfaces_skipped, "curve or surface")));
    }
    if !notes.statements_skipped.is_empty() {
        words.push(format!("passed over: {}", notes.statements_skipped.join(", ")));
    }
    if notes.weights_skipped > 0 {
        words.push(format!("weights of {} passed over", counted(notes.weights_skipped, "vertex")));
    }
    if notes.values_skipped > 0 {
        words.push(format!("{} that belong to nothing passed over", counted(notes.values_skipped, "value")));
    }
    if notes.uncoloured > 0 {
        words.push(format!("{} without a colour: white", counted(notes.uncoloured, "element")));
    }
    if !notes.libraries_missing.is_empty() {
        words.push(format!(
            "files of materials or pictures not found: {}",
            notes.libraries_missing.join(", ")
        ));
    }
    if !notes.elements_skipped.is_empty() {
        words.push(format!("elements passed over: {}", notes.elements_skipped.join(", ")));
    }
    if !notes.properties_skipped.is_empty() {
        words.push(format!("properties passed over: {}", notes.properties_skipped.join(", ")));
    }
    if notes.end_missing {
        words.push("ends without endsolid: more faces may be missing".into());
    }
    if notes.trailing_bytes > 0 {
        words.push(format!("{} after the end passed over", counted(notes.trailing_bytes, "byte")));
    }
    words
}

fn kernels(device: &Device) -> Kernels {
    let Loading { compiled, from_machine_code, seconds, rejected } = device.loading();
    let cache = if compiled > 0 { Loading::cache() } else { None };
    Kernels { compiled, from_machine_code, seconds, cache, rejected }
}

/// A file's mesh.
fn read_file(file: &Path, options: &ReadOptions) -> Result<Loaded, Failure> {
    streams::read(file, options).map_err(|error| match error.kind {
        ReadErrorKind::UnknownContent => Failure::Refused(format!(
            "{}: the content does not show its format; --input-format says it",
            input_name(file)
        )),
        _ => error.into(),
    })
}
