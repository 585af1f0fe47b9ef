//! HTML pages that show a mesh.
mod arrays;
mod film;
mod net;

pub use film::{Film, FilmFrame};

use crate::ticks::ticks;
use crate::{Colouring, Legend, Lens, RenderError, Rgb, Scene, Style, View};
use arrays::{Arrays, Frame};
use ribbonmesh_io::{WriteError, write_file};
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// A mesh in a self-contained HTML page, which loads nothing. A browser with WebGL 2 shows the mesh, which
/// can be turned with the mouse, fingers or keys. The page follows the browser's light or dark setting.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// The title of the page.
    pub title: &'a str,
    /// The mesh and its colours.
    pub scene: Scene<'a>,
    /// The initial view.
    pub view: View,
    /// The initial projection.
    pub lens: Lens,
    /// The style. Only `smooth`, `edges`, `edge_colour` and `no_value` apply to pages.
    pub style: &'a Style,
    /// The legend of the colour map, for [`Colouring::Scalar`].
    pub legend: Option<&'a Legend>,
    /// JSON that the page shows as a table.
    pub report: Option<&'a str>,
}

/// Parts of the page for pages of other crates.
pub mod viewer {
    /// The function `orbit`, a camera with mouse, fingers and keys; strict.
    pub const ORBIT: &str = include_str!("orbit.js");
    /// Styles: colours of light and dark, a header, a picture with a legend, a panel.
    pub const STYLES: &str = include_str!("viewer.css");
}

/// Most bytes of arrays: as text they are a third more, and browsers hold strings of 512 MiB.
const LIMIT: u64 = 360 << 20;

const SCRIPT: &str = concat!(include_str!("orbit.js"), include_str!("viewer.js"));
const STYLES: &str = viewer::STYLES;
const BODY: &str = include_str!("viewer.html");
const VERTEX_SHADER: &str = include_str!("viewer.vert");
const FRAGMENT_SHADER: &str = include_str!("viewer.frag");
/// Nothing from outside, and no way out.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";

/// Data for the script in addition to the arrays.
#[derive(Serialize)]
struct Meta<'a> {
    title: &'a str,
    vertices: usize,
    faces: usize,
    view: ViewMeta,
    perspective: bool,
    edges: bool,
    flat: bool,
    plain: Rgb,
    no_value: Rgb,
    edge_colour: Rgb,
    colouring: ColouringMeta,
    legend: Option<LegendMeta<'a>>,
}

#[derive(Serialize)]
struct ViewMeta {
    azimuth: f64,
    elevation: f64,
    /// The directions right, up and towards the viewer, seen from the front.
    axes: [[f64; 3]; 3],
}

#[derive(Serialize)]
struct ColouringMeta {
    /// `plain`, `vertices`, `faces`, `scalar` or `normals`.
    kind: &'static str,
    /// In words.
    name: String,
    /// Colours of numbers, from the least to the greatest.
    scale: Vec<Rgb>,
}

#[derive(Serialize)]
struct LegendMeta<'a> {
    name: &'a str,
    /// Places from 0 to 1, and numbers.
    ticks: Vec<(f32, String)>,
}

impl Page<'_> {
    /// Writes the page to a new file that replaces the target when it is complete. About 24 bytes per face
    /// for a closed mesh in one colour.
    /// # Errors
    /// [`WriteError`]: the file cannot be written, or an error of [`Page::check`].
    pub fn write(&self, path: &Path) -> Result<(), WriteError> {
        write_file(path, |out| self.encode(out))
    }
    /// Checks that all lengths and indices are valid, and that the page is not too large for browsers.
    /// # Errors
    /// [`RenderError`].
    pub fn check(&self) -> Result<(), RenderError> {
        self.scene.check()?;
        let faces = self.scene.faces.len();
        let bytes = arrays::bytes(&self.scene);
        if bytes > LIMIT { Err(RenderError::PageTooLarge { faces, bytes, limit: LIMIT }) } else { Ok(()) }
    }
    /// Writes the page to a stream.
    /// # Errors
    /// Errors of `out` and of [`Page::check`].
    pub fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        self.check().map_err(io::Error::other)?;
        let mut out = BufWriter::with_capacity(1 << 16, out);
        let frame = Frame::of(&self.scene);
        let title = escaped(self.title);
        write!(
            out,
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
             <style>\n{STYLES}</style>\n</head>\n<body>\n{BODY}"
        )?;
        for (id, shader) in [("vertex-shader", VERTEX_SHADER), ("fragment-shader", FRAGMENT_SHADER)] {
            write!(out, "<script type=\"text/plain\" id=\"{id}\">\n{shader}</script>\n")?;
        }
        let meta = serde_json::to_string(&self.meta(&frame))?;
        embed(&mut out, "scene", &meta)?;
        if let Some(report) = self.report {
            embed(&mut out, "report", report)?;
        }
        Arrays { scene: &self.scene, frame: &frame }.write(&mut out)?;
        write!(out, "<script>\n{SCRIPT}</script>\n</body>\n</html>\n")?;
        out.flush()
    }
    fn meta(&self, frame: &Frame) -> Meta<'_> {
        let (kind, scale) = match self.scene.colouring {
            Colouring::Plain(_) => ("plain", vec![]),
            Colouring::Vertices(_) => ("vertices", vec![]),
            Colouring::Faces(_) => ("faces", vec![]),
            Colouring::Scalar { map, .. } => ("scalar", (0..=64).map(|i| map.at(i as f32 / 64.0)).collect()),
            Colouring::Normals => ("normals", vec![]),
        };
        let plain = match (self.scene.colouring, Colouring::default()) {
            (Colouring::Plain(colour), _) | (_, Colouring::Plain(colour)) => colour,
            _ => [200; 3],
        };
        let name = match (kind, self.legend) {
            ("scalar", Some(legend)) => legend.name.clone(),
            ("plain", _) => "one colour".into(),
            ("faces", _) => "of faces".into(),
            ("vertices", _) => "of vertices".into(),
            _ => kind.into(),
        };
        let legend = self.legend.map(|legend| {
            let ticks = ticks(legend.range).into_iter();
            let ticks = ticks.map(|(value, text)| (legend.range.place(value).clamp(0.0, 1.0), text));
            LegendMeta { name: &legend.name, ticks: ticks.collect() }
        });
        Meta {
            title: self.title,
            vertices: self.scene.positions.len(),
            faces: frame.shown.len(),
            view: ViewMeta {
                azimuth: self.view.azimuth,
                elevation: self.view.elevation,
                axes: self.scene.up.axes().to_cols_array_2d(),
            },
            perspective: self.lens == Lens::Perspective,
            edges: self.style.edges > 0.0,
            flat: !self.style.smooth,
            plain,
            no_value: self.style.no_value,
            edge_colour: self.style.edge_colour,
            colouring: ColouringMeta { kind, name, scale },
            legend,
        }
    }
}

/// JSON in a page, which must not look like the end of its element or like a comment.
fn embed(out: &mut dyn Write, id: &str, json: &str) -> io::Result<()> {
    let safe = json.replace('<', "\\u003c");
    writeln!(out, "<script type=\"application/json\" id=\"{id}\">{safe}</script>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
