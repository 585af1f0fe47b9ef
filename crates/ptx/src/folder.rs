//! The folder `ptx` of a kernel crate: a file of PTX for each source file with kernels, and an index with the
//! hashes of the sources.

use crate::error::SourceError;
#[cfg(feature = "build")]
use crate::error::io;
use crate::files::{list, read};
use crate::hash::{TextsHash, own_source_hash, text_hash};
#[cfg(feature = "build")]
use crate::header::ANY_RELEASE;
use crate::header::{Header, Kernel};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// The name of the index.
pub(crate) const INDEX: &str = "index";

const FIRST: &str = "RibbonMesh PTX 2";

/// The sources and the compiler of a crate's PTX: the file `ptx/index`. It is apart from the PTX so that a
/// change of sources rewrites only the PTX of the kernels that change.
///
/// ```text
/// RibbonMesh PTX 2
/// package: my-kernels
/// own-sources: <64 digits>
/// sources: <64 digits>
/// files: <64 digits>
/// compiler: rustc 1.97.0-nightly (e50aa6fba 2026-05-19)
/// core: rust-src
/// flag: -Ctarget-cpu=sm_80
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Index {
    /// The package with the kernels.
    pub package: String,
    /// The hash of the package's own sources ([`own_source_hash`]).
    pub own_sources: String,
    /// The hash of all sources, including path dependencies ([`source_hash`](crate::source_hash)).
    pub sources: String,
    /// The hash of the names and contents of all files of PTX.
    pub files: String,
    /// The compiler's version line.
    pub compiler: String,
    /// The source of `core`.
    pub core: String,
    /// Compiler flags, features and settings of the profile.
    pub flags: Vec<String>,
}

impl Index {
    /// Reads the text of an index; `None` if it is none of this release.
    pub fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next()? != FIRST {
            return None;
        }
        let mut index = Self::default();
        for line in lines {
            let (key, value) = line.split_once(": ")?;
            let value = value.to_owned();
            match key {
                "package" => index.package = value,
                "own-sources" => index.own_sources = value,
                "sources" => index.sources = value,
                "files" => index.files = value,
                "compiler" => index.compiler = value,
                "core" => index.core = value,
                "flag" => index.flags.push(value),
                // a later release may say more
                _ => (),
            }
        }
        Some(index)
    }
}

impl fmt::Display for Index {
    /// The lines of the file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST}")?;
        let single = [
            ("package", &self.package),
            ("own-sources", &self.own_sources),
            ("sources", &self.sources),
            ("files", &self.files),
            ("compiler", &self.compiler),
            ("core", &self.core),
        ];
        for (key, value) in single.into_iter().chain(self.flags.iter().map(|flag| ("flag", flag))) {
            writeln!(f, "{key}: {value}")?;
        }
        Ok(())
    }
}

/// The PTX of a crate, as it is in its folder.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Folder {
    /// The sources and the compiler.
    pub index: Index,
    /// The contents of each file, by its name in the folder, with Unix line endings.
    pub files: BTreeMap<String, String>,
}

impl Folder {
    /// Reads a folder; `None` if it has no index.
    ///
    /// # Errors
    /// [`SourceError::Io`] where a file cannot be read.
    pub fn read(folder: impl AsRef<Path>) -> Result<Option<Self>, SourceError> {
        let folder = folder.as_ref();
        let Ok(index) = std::fs::read_to_string(folder.join(INDEX)) else { return Ok(None) };
        let Some(index) = Index::read(&index) else { return Ok(None) };
        let mut files = BTreeMap::new();
        for path in ptx_files(folder)? {
            files.insert(name_in(folder, &path), read(&path)?);
        }
        Ok(Some(Self { index, files }))
    }

    /// The first reason why this differs from the output of the compiler, if any.
    pub fn damage(&self) -> Option<String> {
        for (name, contents) in &self.files {
            match Header::split(contents) {
                None => return Some(format!("{name} has no header")),
                Some((header, text)) if header.text != text_hash(text) => {
                    return Some(format!("{name} was changed after it was compiled"));
                }
                Some(_) => (),
            }
        }
        (self.index.files != files_hash(&self.files))
            .then(|| "its files are not those that were compiled with its index".to_owned())
    }

    /// The kernels of all files, sorted by name.
    pub fn kernels(&self) -> Vec<Kernel> {
        let headers = self.files.values().filter_map(|contents| Header::split(contents));
        let mut kernels: Vec<_> = headers.flat_map(|(header, _)| header.kernels).collect();
        kernels.sort_by(|a, b| a.name.cmp(&b.name));
        kernels
    }
}

/// The hash of the names and contents of files.
pub(crate) fn files_hash(files: &BTreeMap<String, String>) -> String {
    let mut hash = TextsHash::default();
    for (name, contents) in files {
        hash.add(name);
        hash.add(contents);
    }
    hash.finish()
}

/// The PTX in a folder and its folders.
pub(crate) fn ptx_files(folder: &Path) -> Result<Vec<PathBuf>, SourceError> {
    let mut found = Vec::new();
    if folder.is_dir() {
        list(folder, "ptx", &mut found)?;
        found.sort();
    }
    Ok(found)
}

/// The name of a file in a folder, on every system the same.
fn name_in(folder: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(folder).unwrap_or(path);
    inside.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Whether the PTX of a crate matches its sources.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Freshness {
    /// The PTX was made from the current sources.
    Current,
    /// The PTX was made from other sources.
    Stale,
    /// The PTX differs from the compiled PTX, for this reason.
    Damaged(String),
    /// The crate has no PTX, or that of an earlier release.
    Missing,
}

/// Compares the PTX of the crate in this folder with its sources. It reads the folders `src` and `ptx`, and
/// needs neither cargo nor a nightly.
///
/// Changes of dependencies are not detected; [`source_hash`](crate::source_hash) detects them.
///
/// # Errors
/// [`SourceError::Io`] where a file cannot be read.
pub fn freshness(manifest_dir: impl AsRef<Path>) -> Result<Freshness, SourceError> {
    let manifest_dir = manifest_dir.as_ref();
    let Some(folder) = Folder::read(manifest_dir.join("ptx"))? else { return Ok(Freshness::Missing) };
    if let Some(damage) = folder.damage() {
        return Ok(Freshness::Damaged(damage));
    }
    let current = folder.index.own_sources == own_source_hash(manifest_dir)?;
    Ok(if current { Freshness::Current } else { Freshness::Stale })
}

/// Writes the files of a crate's PTX and its index to a folder, only the files that differ, and removes other
/// PTX of this library; returns the changes.
#[cfg(feature = "build")]
pub(crate) fn write(
    folder: &Path,
    files: &BTreeMap<String, String>,
    index: &Index,
) -> Result<Vec<PathBuf>, SourceError> {
    let mut changed = Vec::new();
    for path in ptx_files(folder)? {
        let is_ours = || read(&path).is_ok_and(|text| text.starts_with(ANY_RELEASE));
        if !files.contains_key(&name_in(folder, &path)) && is_ours() {
            std::fs::remove_file(&path).map_err(io(&path))?;
            // as long as they are empty
            let folders = path.ancestors().skip(1).take_while(|above| *above != folder);
            let _ = folders.map(std::fs::remove_dir).take_while(Result::is_ok).count();
            changed.push(path);
        }
    }
    let index = (INDEX, index.to_string());
    for (name, contents) in
        files.iter().map(|(name, text)| (name.as_str(), text)).chain([(index.0, &index.1)])
    {
        let path = folder.join(name);
        if std::fs::read_to_string(&path).is_ok_and(|before| before == *contents) {
            continue;
        }
        let above = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(above).map_err(io(above))?;
        std::fs::write(&path, contents).map_err(io(&path))?;
        changed.push(path);
    }
    Ok(changed)
}

#[cfg(all(test, feature = "build"))]
mod tests {
    use super::*;

    fn file(source: &str, text: &str) -> (String, String) {
        let header = Header { source: source.to_owned(), text: text_hash(text), ..Header::default() };
        (format!("{source}.ptx"), format!("{header}{text}"))
    }

    fn index(files: &BTreeMap<String, String>) -> Index {
        Index {
            package: "p".to_owned(),
            files: files_hash(files),
            compiler: "rustc 1.97.0-nightly (a: b)".to_owned(),
            core: "rust-src".to_owned(),
            flags: vec!["-Ca=b".to_owned(), "profile.lto=\"fat\"".to_owned()],
            ..Index::default()
        }
    }

    #[test]
    fn an_index_is_read_as_it_is_written() {
        let index = index(&BTreeMap::new());
        assert_eq!(Index::read(&index.to_string()), Some(index.clone()));
        assert_eq!(Index::read(&index.to_string().replace('\n', "\r\n")), Some(index.clone()));
        assert_eq!(Index::read(&format!("{index}colour: red\n")), Some(index));
        assert_eq!((Index::read(""), Index::read("// RibbonMesh PTX 1\n")), (None, None));
    }

    #[test]
    fn what_stays_is_not_written_again() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("ptx");
        let both = BTreeMap::from([file("lib", "one\n"), file("deep/er", "two\n")]);
        let names =
            |changed: Vec<PathBuf>| changed.iter().map(|path| name_in(&folder, path)).collect::<Vec<_>>();
        let write = |files: &BTreeMap<_, _>| names(write(&folder, files, &index(files)).expect("written"));
        assert_eq!(write(&both), ["deep/er.ptx", "lib.ptx", "index"]);
        assert_eq!(write(&both), [""; 0]);
        let read = Folder::read(&folder).expect("readable").expect("an index");
        assert_eq!((&read.files, read.damage()), (&both, None));
        std::fs::write(folder.join("of-others.ptx"), ".version 7.8\n").expect("a file");
        let one = BTreeMap::from([file("lib", "other\n")]);
        assert_eq!(write(&one), ["deep/er.ptx", "lib.ptx", "index"]);
        assert!(!folder.join("deep").exists() && folder.join("of-others.ptx").exists());
    }

    #[test]
    fn ptx_is_compared_with_its_sources() {
        let place = tempfile::tempdir().expect("a folder");
        let source = place.path().join("src/lib.rs");
        std::fs::create_dir_all(source.parent().expect("a folder")).expect("a folder");
        std::fs::write(&source, "fn a() {}\n").expect("a file");
        let ask = || freshness(place.path()).expect("readable");
        assert_eq!(ask(), Freshness::Missing);
        let files = BTreeMap::from([file("lib", ".version 7.8\n"), file("b", ".version 7.8\n")]);
        let own_sources = own_source_hash(place.path()).expect("a hash");
        let ptx = place.path().join("ptx");
        write(&ptx, &files, &Index { own_sources, ..index(&files) }).expect("written");
        assert_eq!(ask(), Freshness::Current);
        let lib = ptx.join("lib.ptx");
        std::fs::write(&lib, files["lib.ptx"].replace("7.8", "7.9")).expect("a file");
        assert_eq!(ask(), Freshness::Damaged("lib.ptx was changed after it was compiled".to_owned()));
        std::fs::remove_file(&lib).expect("is there");
        assert!(matches!(ask(), Freshness::Damaged(reason) if reason.contains("are not those")));
        std::fs::write(&lib, &files["lib.ptx"]).expect("a file");
        std::fs::write(&source, "fn b() {}\n").expect("a file");
        assert_eq!(ask(), Freshness::Stale);
    }
}
