//! Files in the folder of a run in addition to meshes and pictures: its parameters, and the state from which
//! it can be resumed.
use super::Results;
use crate::failure::Failure;
use crate::frames::{begin_folder, cannot_write, frame};
use crate::session::Session;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_track::Progress;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file with the parameters of the run.
const PARAMETERS: &str = "track.json";
/// A line for each frame.
const FRAMES: &str = "frames.jsonl";
/// A line for each step.
pub const STEPS: &str = "steps.jsonl";

/// The state from which a run is resumed after a frame.
#[derive(Serialize, Deserialize)]
pub struct Saved {
    pub progress: Progress,
    pub results: Results,
}

/// The folder of a run.
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A new one; one that is there must be empty.
    pub fn begin(path: &Path, parameters: &Map<String, Value>) -> Result<Self, Failure> {
        begin_folder(path, "frames of two runs would be mixed (--resume goes on with one that ended early)")?;
        let folder = Self { path: path.to_owned() };
        let mut text = serde_json::to_string_pretty(parameters).unwrap_or_default();
        text.push('\n');
        folder.write(PARAMETERS, &text)?;
        Ok(folder)
    }
    /// Opens the folder of a run that was begun with the same parameters.
    pub fn open(path: &Path, parameters: &Map<String, Value>) -> Result<Self, Failure> {
        let folder = Self { path: path.to_owned() };
        let path = path.display();
        let text = fs::read_to_string(folder.file(PARAMETERS)).map_err(|cause| {
            Failure::Usage(format!("--resume: {path} has no run to go on with ({cause})"))
        })?;
        let before: Map<String, Value> = serde_json::from_str(&text)
            .map_err(|cause| Failure::Refused(format!("{path}/{PARAMETERS} cannot be read: {cause}")))?;
        let none = Value::Null;
        let names = before.keys().chain(parameters.keys().filter(|name| !before.contains_key(*name)));
        for name in names {
            let [was, is] = [&before, parameters].map(|map| map.get(name).unwrap_or(&none));
            if was != is {
                return Err(Failure::Usage(format!(
                    "--resume: {path} was begun with {name} {was}, and this command has {is}; give the same command"
                )));
            }
        }
        Ok(folder)
    }
    /// The last frame that can be read, and the state after it. Later lines are ignored.
    pub fn last(&self, session: &mut Session) -> Result<(TriangleMesh, Saved), Failure> {
        let text = fs::read_to_string(self.file(FRAMES)).unwrap_or_default();
        let mut lines: Vec<&str> = text.lines().collect();
        while let Some(line) = lines.last() {
            if let Ok(saved) = serde_json::from_str::<Saved>(line) {
                let name = frame(saved.results.steps, "ply");
                match ribbonmesh_io::read(self.file(&name)) {
                    Ok(loaded) => {
                        self.write(FRAMES, &joined(&lines))?;
                        self.forget_steps(saved.results.steps)?;
                        return Ok((loaded.mesh, saved));
                    }
                    Err(error) => session.warn(format!("{error}; going back to the frame before")),
                }
            }
            lines.pop();
        }
        let path = self.path.display();
        Err(Failure::Refused(format!("--resume: {path} has no frame that can be read")))
    }
    /// Leaves out the lines of later steps.
    fn forget_steps(&self, last: u64) -> Result<(), Failure> {
        let text = fs::read_to_string(self.file(STEPS)).unwrap_or_default();
        let of = |line: &&str| {
            let step: Option<Value> = serde_json::from_str(line).ok();
            step.and_then(|step| step["step"].as_u64()).is_some_and(|step| step <= last)
        };
        self.write(STEPS, &joined(&text.lines().filter(of).collect::<Vec<_>>()))
    }
    /// Notes a frame.
    pub fn add(&self, saved: &Saved) -> Result<(), Failure> {
        let path = self.file(FRAMES);
        let text = serde_json::to_string(saved).map_err(io::Error::from);
        let open = || File::options().create(true).append(true).open(&path);
        let written = text.and_then(|text| writeln!(open()?, "{text}"));
        written.map_err(|cause| cannot_write(&path, cause))
    }
    fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.file(name);
        fs::write(&path, text).map_err(|cause| cannot_write(&path, cause))
    }
    /// A file of it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
    /// The pictures, in the order of steps.
    pub fn pictures(&self) -> Result<Vec<PathBuf>, Failure> {
        let entries = fs::read_dir(&self.path).map_err(|cause| cannot_write(&self.path, cause))?;
        let is_picture = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with("frame-") && name.ends_with(".png")
        };
        let mut paths: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_picture).collect();
        paths.sort();
        Ok(paths)
    }
}

fn joined(lines: &[&str]) -> String {
    lines.iter().flat_map(|line| [line, "\n"]).collect()
}
