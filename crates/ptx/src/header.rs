//! The header of a committed PTX file: comments before the text.

use crate::error::SourceError;
use crate::hash::{own_source_hash, text_hash};
use std::fmt;
use std::path::Path;

const FIRST: &str = "// RibbonMesh PTX 1";
const LAST: &str = "// end of header";

/// The sources and the content of PTX, as comment lines at the head of a file.
///
/// ```text
/// // RibbonMesh PTX 1
/// // package: my-kernels
/// // own-sources: <64 digits>
/// // sources: <64 digits>
/// // text: <64 digits>
/// // compiler: rustc 1.97.0-nightly (e50aa6fba 2026-05-19)
/// // core: rust-src
/// // flag: -Ctarget-cpu=sm_80
/// // kernel: smooth_once
/// // end of header
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// The package with the kernels.
    pub package: String,
    /// The hash of the package's own sources ([`own_source_hash`]).
    pub own_sources: String,
    /// The hash of all sources, including path dependencies ([`source_hash`](crate::source_hash)).
    pub sources: String,
    /// The hash of the PTX after the header ([`text_hash`]).
    pub text: String,
    /// The compiler's version line.
    pub compiler: String,
    /// The source of `core`.
    pub core: String,
    /// Compiler flags, features and settings of the profile.
    pub flags: Vec<String>,
    /// The names of the kernels, sorted.
    pub kernels: Vec<String>,
}

impl Header {
    /// Splits the text of a file into the header and the PTX after it; `None` if there is no header.
    pub fn split(file: &str) -> Option<(Self, &str)> {
        let (first, mut rest) = file.split_once('\n')?;
        if first.trim_end() != FIRST {
            return None;
        }
        let mut header = Self::default();
        loop {
            let (line, after) = rest.split_once('\n')?;
            rest = after;
            let line = line.trim_end_matches('\r');
            if line == LAST {
                return Some((header, rest));
            }
            let (key, value) = line.strip_prefix("// ")?.split_once(": ")?;
            let value = value.to_owned();
            match key {
                "package" => header.package = value,
                "own-sources" => header.own_sources = value,
                "sources" => header.sources = value,
                "text" => header.text = value,
                "compiler" => header.compiler = value,
                "core" => header.core = value,
                "flag" => header.flags.push(value),
                "kernel" => header.kernels.push(value),
                // a later release may say more
                _ => (),
            }
        }
    }
}

impl fmt::Display for Header {
    /// The lines of the header, as in a file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST}")?;
        let single = [
            ("package", &self.package),
            ("own-sources", &self.own_sources),
            ("sources", &self.sources),
            ("text", &self.text),
            ("compiler", &self.compiler),
            ("core", &self.core),
        ];
        let lists = [("flag", &self.flags), ("kernel", &self.kernels)];
        let several =
            lists.into_iter().flat_map(|(key, values)| values.iter().map(move |value| (key, value)));
        for (key, value) in single.into_iter().chain(several) {
            writeln!(f, "// {key}: {value}")?;
        }
        writeln!(f, "{LAST}")
    }
}

/// Whether a PTX file matches the sources of its crate.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Freshness {
    /// The PTX was made from the current sources.
    Current,
    /// The PTX was made from other sources.
    Stale,
    /// The PTX was edited after its compilation.
    Damaged,
    /// The file has no header, so its sources are unknown.
    Unknown,
}

/// Compares PTX with the sources of its crate. It reads the sources under `src`, and needs neither cargo nor a nightly.
///
/// Changes of dependencies are not detected; [`source_hash`](crate::source_hash) detects them.
///
/// # Errors
/// [`SourceError::Io`] where a source cannot be read.
pub fn freshness(manifest_dir: impl AsRef<Path>, file: &str) -> Result<Freshness, SourceError> {
    let Some((header, text)) = Header::split(file) else { return Ok(Freshness::Unknown) };
    if header.text != text_hash(text) {
        return Ok(Freshness::Damaged);
    }
    let current = header.own_sources == own_source_hash(manifest_dir)?;
    Ok(if current { Freshness::Current } else { Freshness::Stale })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            package: "p".to_owned(),
            own_sources: "1".to_owned(),
            sources: "2".to_owned(),
            text: text_hash(".version 7.8\n"),
            compiler: "rustc 1.97.0-nightly (a: b)".to_owned(),
            core: "rust-src".to_owned(),
            flags: vec!["-Ca=b".to_owned(), "profile.lto=\"fat\"".to_owned()],
            kernels: vec!["a".to_owned(), "b".to_owned()],
        }
    }

    #[test]
    fn a_header_is_read_as_it_is_written() {
        let file = format!("{}.version 7.8\n", header());
        assert_eq!(Header::split(&file), Some((header(), ".version 7.8\n")));
        let (read, text) =
            Header::split(&file.replace('\n', "\r\n")).map(|(h, t)| (h, t.to_owned())).expect("CRLF");
        assert_eq!((read, text.as_str()), (header(), ".version 7.8\r\n"));
        let more = file.replace("// core:", "// colour: red\n// core:");
        assert_eq!(Header::split(&more), Some((header(), ".version 7.8\n")));
    }

    #[test]
    fn what_has_no_header_has_none() {
        let file = format!("{}.version 7.8\n", header());
        for text in
            ["", ".version 7.8\n", &file[..file.len() / 2], &file.replacen("// package: ", "package ", 1)]
        {
            assert_eq!(Header::split(text), None, "{text}");
        }
    }

    #[test]
    fn ptx_is_compared_with_its_sources() {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join("src/lib.rs");
        std::fs::create_dir_all(source.parent().expect("a folder")).expect("a folder");
        std::fs::write(&source, "fn a() {}\n").expect("a file");
        let own_sources = own_source_hash(folder.path()).expect("a hash");
        let file = format!("{}.version 7.8\n", Header { own_sources, ..header() });
        let ask = |file: &str| freshness(folder.path(), file).expect("readable sources");
        assert_eq!(ask(&file), Freshness::Current);
        assert_eq!(ask(&file.replace("7.8", "7.9")), Freshness::Damaged);
        assert_eq!(ask(".version 7.8\n"), Freshness::Unknown);
        std::fs::write(&source, "fn b() {}\n").expect("a file");
        assert_eq!(ask(&file), Freshness::Stale);
    }
}
