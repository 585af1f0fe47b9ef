//! The header of a committed PTX file: comments before the text.

use std::fmt;

const FIRST: &str = "// RibbonMesh PTX 2";
const LAST: &str = "// end of header";

/// The first line of PTX of any release.
#[cfg(feature = "build")]
pub(crate) const ANY_RELEASE: &str = "// RibbonMesh PTX ";

/// A kernel in PTX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// The name of the entry point.
    pub name: String,
    /// A hash of the memory layout of its parameter, which loading compares with the host's; 0 where it was
    /// not made by `#[kernel]`.
    pub layout: u64,
}

/// The kernels in a file of PTX, as comment lines at its head.
///
/// ```text
/// // RibbonMesh PTX 2
/// // package: my-kernels
/// // source: src/kernels.rs
/// // text: <64 digits>
/// // kernel: smooth_once 90f1d2a4c5b60718
/// // end of header
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// The package with the kernels.
    pub package: String,
    /// The source file of the kernels below `src`, without its ending.
    pub source: String,
    /// The hash of the PTX after the header ([`text_hash`](crate::text_hash)).
    pub text: String,
    /// The kernels, sorted by name.
    pub kernels: Vec<Kernel>,
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
            match key {
                "package" => header.package = value.to_owned(),
                "source" => header.source = value.to_owned(),
                "text" => header.text = value.to_owned(),
                "kernel" => {
                    let (name, layout) = value.split_once(' ')?;
                    let layout = u64::from_str_radix(layout, 16).ok()?;
                    header.kernels.push(Kernel { name: name.to_owned(), layout });
                }
                // a later release may say more
                _ => (),
            }
        }
    }
}

impl fmt::Display for Header {
    /// The lines of the header, as in a file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { package, source, text, kernels } = self;
        writeln!(f, "{FIRST}\n// package: {package}\n// source: {source}\n// text: {text}")?;
        for Kernel { name, layout } in kernels {
            writeln!(f, "// kernel: {name} {layout:016x}")?;
        }
        writeln!(f, "{LAST}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text_hash;

    fn header() -> Header {
        let kernel = |name: &str, layout| Kernel { name: name.to_owned(), layout };
        Header {
            package: "p".to_owned(),
            source: "host/a".to_owned(),
            text: text_hash(".version 7.8\n"),
            kernels: vec![kernel("a", 0), kernel("b", u64::MAX - 1)],
        }
    }

    #[test]
    fn a_header_is_read_as_it_is_written() {
        let file = format!("{}.version 7.8\n", header());
        assert_eq!(Header::split(&file), Some((header(), ".version 7.8\n")));
        let (read, text) =
            Header::split(&file.replace('\n', "\r\n")).map(|(h, t)| (h, t.to_owned())).expect("CRLF");
        assert_eq!((read, text.as_str()), (header(), ".version 7.8\r\n"));
        let more = file.replace("// text:", "// colour: red\n// text:");
        assert_eq!(Header::split(&more), Some((header(), ".version 7.8\n")));
    }

    #[test]
    fn what_has_no_header_has_none() {
        let file = format!("{}.version 7.8\n", header());
        let damaged = file.replacen("// package: ", "package ", 1);
        for text in ["", ".version 7.8\n", &file[..file.len() / 2], &damaged, &file.replace(" ffff", " none")]
        {
            assert_eq!(Header::split(text), None, "{text}");
        }
    }
}
