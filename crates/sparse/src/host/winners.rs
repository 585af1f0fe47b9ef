//! A file of the fastest variants, by GPU and class of matrices.
use super::class::MatrixClass;
use super::layout::Variant;
use super::tune::Tuned;
use super::{Csr, Launched};
use ribbonmesh::Device;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The fastest variants of matrices that were measured: what [`tune`](crate::tune()) finds, for each device
/// and class.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Winners(Vec<Winner>);

/// The fastest variant of a class on a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Winner {
    /// The name of the device, without its number.
    pub device: String,
    /// The class.
    pub class: MatrixClass,
    /// The variant.
    pub variant: Variant,
    /// The ratio of the time of the guess without measuring to the best time: 1 or more.
    pub guess_ratio: f64,
}

/// A file of winners that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WinnersError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ribbonmesh_io::ReadError),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] ribbonmesh_io::WriteError),
    /// It is not what it must be. The message names the line.
    #[error("{}: {message}", .file.display())]
    Content {
        /// The file.
        file: PathBuf,
        /// A description of the error.
        message: String,
    },
    /// A winner's variant is none.
    #[error("{}: {variant:?}, the variant of number {place}, is none", .file.display())]
    Variant {
        /// The file.
        file: PathBuf,
        /// The place in the list, from 0.
        place: usize,
        /// The name.
        variant: String,
    },
}

/// Content of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    version: u32,
    winners: Vec<Line>,
}
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    device: String,
    class: MatrixClass,
    variant: String,
    guess_ratio: f64,
}

impl Winners {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }
    /// The winners of a file that [`Winners::save`] has written.
    /// # Errors
    /// [`WinnersError`] names the file and what is wrong with it.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, WinnersError> {
        let path = path.as_ref();
        let bytes = ribbonmesh_io::read_bytes(path)?;
        let wrong = |message| WinnersError::Content { file: path.into(), message };
        let content: Content = serde_json::from_slice(&bytes).map_err(|error| wrong(error.to_string()))?;
        if content.version != 1 {
            return Err(wrong(format!("version {}, where 1 is known", content.version)));
        }
        let winner = |(place, line): (usize, Line)| {
            let Line { device, class, variant, guess_ratio } = line;
            let parsed = Variant::named(&variant).filter(|variant| variant.check().is_ok());
            let file = path.into();
            let variant = parsed.ok_or(WinnersError::Variant { file, place, variant })?;
            Ok(Winner { device, class, variant, guess_ratio })
        };
        Ok(Self(content.winners.into_iter().enumerate().map(winner).collect::<Result<_, WinnersError>>()?))
    }
    /// Writes a file of JSON, sorted by device and class, which replaces an older one once it is complete.
    /// # Errors
    /// [`WinnersError::Write`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), WinnersError> {
        let line = |winner: &Winner| Line {
            device: winner.device.clone(),
            class: winner.class.clone(),
            variant: winner.variant.to_string(),
            guess_ratio: winner.guess_ratio,
        };
        let mut winners: Vec<Line> = self.0.iter().map(line).collect();
        winners.sort_by(|a, b| (&a.device, &a.class).cmp(&(&b.device, &b.class)));
        let content = Content { version: 1, winners };
        Ok(ribbonmesh_io::write_file(path, |out| {
            let text = serde_json::to_string_pretty(&content)? + "\n";
            out.write_all(text.as_bytes())
        })?)
    }
    /// All winners.
    pub fn list(&self) -> &[Winner] {
        &self.0
    }
    /// Adds a tuned variant, which replaces the entry for this device and class.
    pub fn insert(&mut self, device: &Device, tuned: &Tuned) {
        let name = name_of(device);
        self.0.retain(|winner| (&winner.device, &winner.class) != (&name, &tuned.class));
        self.0.push(Winner {
            device: name,
            class: tuned.class.clone(),
            variant: tuned.best.variant,
            guess_ratio: tuned.guess_ratio(),
        });
    }
    /// The variant for a device and a class, if one was measured.
    pub fn get(&self, device: &Device, class: &MatrixClass) -> Option<Variant> {
        let name = name_of(device);
        self.0
            .iter()
            .find(|winner| winner.device == name && winner.class == *class)
            .map(|winner| winner.variant)
    }
    /// The variant for a matrix: the winner of its class, or else [`Variant::guess`].
    pub fn choose<E: Launched>(&self, device: &Device, matrix: &Csr<E>) -> Variant {
        self.get(device, &MatrixClass::of(matrix)).unwrap_or_else(|| Variant::guess(device, matrix))
    }
}

/// The name of a device without its number.
fn name_of(device: &Device) -> String {
    let name = device.name();
    match name.split_once(' ') {
        Some((number, model)) if number.starts_with("CUDA:") => model.to_owned(),
        _ => name,
    }
}
