//! The result of a compilation, and the check of its text for paths.

use crate::folder::{self, INDEX, Index};
use crate::{Header, SourceError, SourcePtx, own_source_hash, source_hash, text_hash};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The result of compiling a kernel crate.
#[derive(Clone, Debug)]
pub struct Ptx {
    /// The package's name.
    pub package: String,
    /// The folder of the package.
    pub dir: PathBuf,
    /// The PTX itself, by source file; it contains no path of the machine that built it.
    pub files: Vec<SourcePtx>,
    /// The compiler's version line.
    pub compiler: String,
    /// The source of `core` ([`crate::CoreSource::fingerprint`]).
    pub core: String,
    /// The compiler flags, features and profile settings that shape the text.
    pub flags: Vec<String>,
    /// The compiler's output: warnings.
    pub log: String,
}

impl Ptx {
    /// The names of the kernels, sorted.
    pub fn kernels(&self) -> Vec<&str> {
        let mut names: Vec<_> =
            self.files.iter().flat_map(|file| &file.kernels).map(|kernel| kernel.name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// The contents of each file, by its name in the folder.
    pub fn contents(&self) -> BTreeMap<String, String> {
        let file = |file: &SourcePtx| {
            let header = Header {
                package: self.package.clone(),
                source: file.source.clone(),
                text: text_hash(&file.text),
                kernels: file.kernels.clone(),
            };
            (format!("{}.ptx", file.source), format!("{header}{}", file.text))
        };
        self.files.iter().map(file).collect()
    }

    /// Writes the files and their index to the folder `ptx` of the package; returns the files that have
    /// changed.
    ///
    /// # Errors
    /// [`SourceError`] if the sources cannot be read, or a file cannot be written.
    pub fn write(&self) -> Result<Vec<PathBuf>, SourceError> {
        let folder = self.dir.join("ptx");
        let is_first = !folder.join(INDEX).is_file();
        let changed = self.write_to(folder)?;
        if is_first {
            // the macro that includes PTX could name no file to cargo as yet
            let library = self.dir.join("src/lib.rs");
            let touched = std::fs::File::options().append(true).open(&library);
            _ = touched.and_then(|file| file.set_modified(std::time::SystemTime::now()));
        }
        Ok(changed)
    }

    /// Writes the files and their index to another folder: `ptx` in a build script's `OUT_DIR`.
    ///
    /// # Errors
    /// As [`Ptx::write`].
    pub fn write_to(&self, folder: impl AsRef<Path>) -> Result<Vec<PathBuf>, SourceError> {
        let files = self.contents();
        let index = Index {
            package: self.package.clone(),
            own_sources: own_source_hash(&self.dir)?,
            sources: source_hash(&self.dir)?,
            files: folder::files_hash(&files),
            compiler: self.compiler.clone(),
            core: self.core.clone(),
            flags: self.flags.clone(),
        };
        folder::write(folder.as_ref(), &files, &index)
    }
}

/// The text without the comments that name one of the folders.
pub(crate) fn strip_comments_naming(text: &str, folders: &[String]) -> String {
    let mut kept = String::with_capacity(text.len());
    for line in text.lines() {
        match line.split_once("//") {
            Some((code, comment)) if names_folder(comment, folders) => kept.push_str(code.trim_end()),
            _ => kept.push_str(line),
        }
        kept.push('\n');
    }
    kept
}

/// The first line that names one of the folders, as text or as the bytes of an initializer.
pub(crate) fn line_naming<'a>(text: &'a str, folders: &[String]) -> Option<&'a str> {
    let bytes: Vec<String> = folders.iter().map(|folder| as_initializer(folder)).collect();
    text.lines().find(|line| names_folder(line, folders) || names_folder(line, &bytes))
}

fn names_folder(text: &str, folders: &[String]) -> bool {
    folders.iter().any(|folder| text.contains(folder.as_str()))
}

/// A string as PTX writes constant bytes: `47, 104, 111`.
fn as_initializer(text: &str) -> String {
    text.bytes().map(|byte| byte.to_string()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_that_name_a_folder_go() {
        let folders = ["/home/me".to_owned()];
        let text = "add.s32 a, b, c; // /home/me/x.rs:1\n// elsewhere\n";
        assert_eq!(strip_comments_naming(text, &folders), "add.s32 a, b, c;\n// elsewhere\n");
    }

    #[test]
    fn folders_are_found_in_text_and_in_bytes() {
        let folders = ["/ab".to_owned()];
        assert_eq!(line_naming("x\n.file 1 \"/ab/lib.rs\"\n", &folders), Some(".file 1 \"/ab/lib.rs\""));
        assert_eq!(
            line_naming(".b8 s[4] = {47, 97, 98, 47};", &folders),
            Some(".b8 s[4] = {47, 97, 98, 47};")
        );
        assert_eq!(line_naming(".b8 s[3] = {47, 97, 99};", &folders), None);
    }
}
