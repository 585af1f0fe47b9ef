//! The text of PTX: its entry points, and the check for paths.

use crate::{Header, SourceError, own_source_hash, source_hash, text_hash};
use std::path::PathBuf;

/// The result of compiling a kernel crate.
#[derive(Clone, Debug)]
pub struct Ptx {
    /// The package's name.
    pub package: String,
    /// The folder of the package.
    pub dir: PathBuf,
    /// The PTX itself; it contains no path of the machine that built it.
    pub text: String,
    /// The names of the kernels, sorted.
    pub entries: Vec<String>,
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
    /// The header of its file.
    ///
    /// # Errors
    /// [`SourceError`] if the sources cannot be read.
    pub fn header(&self) -> Result<Header, SourceError> {
        Ok(Header {
            package: self.package.clone(),
            own_sources: own_source_hash(&self.dir)?,
            sources: source_hash(&self.dir)?,
            text: text_hash(&self.text),
            compiler: self.compiler.clone(),
            core: self.core.clone(),
            flags: self.flags.clone(),
            kernels: self.entries.clone(),
        })
    }

    /// The text of its file: the header and the PTX.
    ///
    /// # Errors
    /// [`SourceError`] if the sources cannot be read.
    pub fn file(&self) -> Result<String, SourceError> {
        Ok(format!("{}{}", self.header()?, self.text))
    }
}

/// The names of the entry points in PTX, sorted.
pub fn entries(text: &str) -> Vec<String> {
    let mut names: Vec<String> = text
        .lines()
        .filter_map(|line| line.split("//").next()?.split_once(".entry"))
        .filter(|(before, after)| {
            before.chars().all(|c| c.is_whitespace() || c == '.' || c.is_ascii_lowercase())
                && after.starts_with(char::is_whitespace)
        })
        .map(|(_, after)| after.trim_start().chars().take_while(|c| is_name(*c)).collect())
        .filter(|name: &String| !name.is_empty())
        .collect();
    names.sort();
    names
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%')
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
    fn entries_are_found_and_sorted() {
        let text = ".version 7.8\n\
                    \t// .globl\tb_kernel\n\
                    .func helper()\n{\n}\n\
                    .visible .entry b_kernel(\n\t.param .u32 b_kernel_param_0\n)\n{\n\tret;\n}\n\
                    .entry a$1()\n{\n}\n\
                    .weak .entry weak_one (\n)\n\
                    // .visible .entry commented(\n\
                    .global .b8 x[6] = {46, 101};\n";
        assert_eq!(entries(text), ["a$1", "b_kernel", "weak_one"]);
    }

    #[test]
    fn ptx_without_kernels_has_no_entries() {
        assert!(entries(".version 7.8\n.func f()\n{\n}\n").is_empty());
        assert!(entries("").is_empty());
    }

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
