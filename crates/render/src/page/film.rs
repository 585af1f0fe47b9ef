//! Pages that show pictures one after the other.
use super::{embed, escaped};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ribbonmesh_io::{WriteError, write_file};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

const SCRIPT: &str = include_str!("film.js");
const STYLES: &str = include_str!("film.css");
const BODY: &str = include_str!("film.html");
/// No sources other than the page itself, and no requests to others.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                      img-src data:; base-uri 'none'; form-action 'none'";

/// A picture of a film.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilmFrame {
    /// The text below it on the page.
    pub caption: String,
    /// A PNG file.
    pub picture: PathBuf,
}

/// Pictures in a self-contained HTML page, which loads nothing, to go through with a slider or the arrow
/// keys, or to play.
#[derive(Clone, Copy, Debug)]
pub struct Film<'a> {
    /// The title of the page.
    pub title: &'a str,
    /// The pictures, in their order.
    pub frames: &'a [FilmFrame],
}

impl Film<'_> {
    /// Writes the page to a new file that replaces the target when it is complete. A third more than the
    /// bytes of the pictures.
    /// # Errors
    /// [`WriteError`]: a picture cannot be read, or the page not be written.
    pub fn write(&self, path: &Path) -> Result<(), WriteError> {
        write_file(path, |out| self.encode(out))
    }
    /// Writes the page to a stream. One picture at a time is in memory.
    /// # Errors
    /// Errors of reading pictures, and of `out`.
    pub fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 16, out);
        let title = escaped(self.title);
        write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
             <style>\n{STYLES}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{BODY}"
        )?;
        for frame in self.frames {
            write!(out, "<script type=\"text/plain\" class=\"picture\">")?;
            out.write_all(STANDARD.encode(fs::read(&frame.picture)?).as_bytes())?;
            writeln!(out, "</script>")?;
        }
        let captions: Vec<&str> = self.frames.iter().map(|frame| &frame.caption[..]).collect();
        embed(&mut out, "captions", &serde_json::to_string(&captions)?)?;
        write!(out, "<script>\n{SCRIPT}</script>\n</body>\n</html>\n")?;
        out.flush()
    }
}
