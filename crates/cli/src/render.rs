//! `ribbonmesh render`.
use crate::encoding::Reading;
use crate::failure::Failure;
use crate::patch_colours::{self, PatchColours};
use crate::session::Session;
use crate::streams::{input_name, is_standard};
use crate::words::counted;
use clap::Args;
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_mesh::{Column, Role};
use ribbonmesh_render::{
    Background, Camera, Colormap, Colouring, Image, Legend, Lens, Page, Range, Scene, Style, View,
};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Make a picture of a mesh, or a page that shows it
///
/// Drawn on the CPU; only --patches uses the machine. Y is up, the front is seen from +z, and the mesh fills the picture.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh render dragon.ply -o dragon.png
  ribbonmesh render dragon.ply -o patches.png --patches --view iso --size 800x600
  ribbonmesh render dragon.ply -o height.png --scalar y --colormap coolwarm --perspective
  ribbonmesh render dragon.ply -o edges.png --edges --view -30,20 --transparent
  ribbonmesh render dragon.ply --html dragon.html --scalar y")]
pub struct Render {
    /// Mesh: OBJ, PLY, OFF, STL or GLB; - is standard input
    mesh: PathBuf,
    /// Picture to write: PNG; - is standard output
    #[arg(long, short, value_name = "PICTURE.png", required_unless_present = "html")]
    output: Option<PathBuf>,
    /// Page to write: the mesh in WebGL, to be turned in a browser, with this run's report; it needs no network
    #[arg(long, value_name = "PAGE.html")]
    html: Option<PathBuf>,
    /// Colour by a scalar attribute of the vertices, with a legend
    #[arg(long, value_name = "PROPERTY", conflicts_with_all = ["patches", "normals"])]
    scalar: Option<String>,
    /// Colours of numbers; those of coolwarm have 0 in their middle where there are numbers on both sides of it
    #[arg(long, value_name = "viridis|magma|coolwarm", default_value_t, requires = "scalar")]
    colormap: Colormap,
    /// Numbers at the ends of the colours [default: the least and the greatest]
    #[arg(long, value_name = "MIN,MAX", requires = "scalar", allow_hyphen_values = true)]
    range: Option<Ends>,
    /// Colour by patches; those that share a vertex differ
    #[arg(long, conflicts_with = "normals")]
    patches: bool,
    /// Lighten the faces that are in ribbons of other patches
    #[arg(long, requires = "patches")]
    ribbons: bool,
    /// Colour by the direction of the normal: x, y, z as red, green, blue
    #[arg(long)]
    normals: bool,
    /// Draw the edges
    #[arg(long)]
    edges: bool,
    /// Shade every face by its own normal
    #[arg(long)]
    flat: bool,
    /// Pixels of the picture
    #[arg(long, value_name = "WxH", default_value = "1200x900")]
    size: Pixels,
    /// Where it is seen from: front, back, left, right, top, bottom, iso, or degrees to the right of the front and above
    /// the horizon
    #[arg(long, value_name = "NAME|AZIMUTH,ELEVATION", default_value_t, allow_hyphen_values = true)]
    view: View,
    /// What is nearer looks larger
    #[arg(long)]
    perspective: bool,
    /// Leave the background out, instead of white
    #[arg(long)]
    transparent: bool,
    #[command(flatten)]
    reading: Reading,
}

/// `WxH`.
#[derive(Clone, Copy)]
struct Pixels([u32; 2]);
impl FromStr for Pixels {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let pair = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
        match pair {
            Some(pair) if pair.iter().all(|n| (1..=16384).contains(n)) => Ok(Self(pair)),
            _ => Err(format!("{text:?} is not two numbers from 1 to 16384 such as 1200x900")),
        }
    }
}

/// `MIN,MAX`.
#[derive(Clone, Copy)]
struct Ends(Range);
impl FromStr for Ends {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<f32>().ok().filter(|x| x.is_finite());
        match text.split_once(',').and_then(|(a, b)| Some((number(a)?, number(b)?))) {
            Some((min, max)) if min < max => Ok(Self(Range { min, max })),
            _ => Err(format!("{text:?} is not two numbers such as 0,1.5, the first the lower")),
        }
    }
}

#[derive(Serialize)]
struct Results<'a> {
    /// Pixels of the picture; none without one.
    width: Option<u32>,
    height: Option<u32>,
    view: String,
    colouring: &'static str,
    scalar: Option<&'a ScalarResults>,
}

#[derive(Serialize)]
struct ScalarResults {
    property: String,
    /// Numbers at the ends of the colours; none where no vertex has a finite number.
    min: Option<f32>,
    max: Option<f32>,
    /// Vertices without a finite number.
    not_finite: usize,
}

impl Render {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        self.check_outputs(session)?;
        let loaded = session.read_as(&self.mesh, self.reading.format)?;
        let mesh = &loaded.mesh;
        let values = self.scalar.as_deref().map(|name| numbers(&self.mesh, mesh, name)).transpose()?;
        let scalar = match (&self.scalar, &values) {
            (Some(name), Some(values)) => Some(self.scalar(session, name, values)),
            _ => None,
        };
        let patches = if self.patches { Some(self.patches(session, mesh)?) } else { None };
        let (colouring, kind) = match (&values, &scalar, &patches) {
            (Some(values), Some((_, legend)), _) => {
                let range = legend.as_ref().map_or(Range { min: 0.0, max: 1.0 }, |legend| legend.range);
                (Colouring::Scalar { values, map: self.colormap, range }, "scalar")
            }
            (_, _, Some(colours)) => (Colouring::Faces(colours), "patches"),
            _ if self.normals => (Colouring::Normals, "normals"),
            _ => (Colouring::default(), "plain"),
        };
        let scene = Scene::new(&mesh.positions, &mesh.faces).coloured(colouring);
        let legend = scalar.as_ref().and_then(|(_, legend)| legend.as_ref());
        let picture = match &self.output {
            Some(_) => Some(session.phase("render", || self.picture(&scene, legend))?),
            None => None,
        };
        session.results(&Results {
            width: picture.as_ref().map(Image::width),
            height: picture.as_ref().map(Image::height),
            view: self.view.to_string(),
            colouring: kind,
            scalar: scalar.as_ref().map(|(results, _)| results),
        });
        if let (Some(output), Some(picture)) = (&self.output, &picture) {
            session.write_picture(output, picture)?;
        }
        match &self.html {
            Some(file) => self.page(session, file, scene, legend),
            None => Ok(()),
        }
    }
    /// Refuses outputs of other kinds, and such that would overwrite something.
    fn check_outputs(&self, session: &Session) -> Result<(), Failure> {
        let named =
            |path: &Path, ending: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending));
        if let Some(path) = self.output.as_deref().filter(|path| !named(path, "png") && !is_standard(path)) {
            let path = path.display();
            return Err(Failure::Usage(format!("{path}: pictures are PNG files, whose names end in .png")));
        }
        if let Some(path) = self.html.as_deref().filter(|path| !named(path, "html") && !named(path, "htm")) {
            return Err(Failure::Usage(format!("{}: names of pages end in .html", path.display())));
        }
        self.style().check().map_err(|e| Failure::Usage(e.to_string()))?;
        for output in [&self.output, &self.html].into_iter().flatten() {
            session.keep(Some(output), &[&self.mesh])?;
            session.keep(None, &[output])?;
        }
        Ok(())
    }
    fn page(
        &self,
        session: &mut Session,
        file: &Path,
        scene: Scene<'_>,
        legend: Option<&Legend>,
    ) -> Result<(), Failure> {
        let title = match self.mesh.file_name() {
            Some(name) if !is_standard(&self.mesh) => name.to_string_lossy().into_owned(),
            _ => input_name(&self.mesh).to_string(),
        };
        session.wrote(file);
        let report = session.report_so_far();
        let style = self.style();
        let page = Page {
            title: &title,
            scene,
            view: self.view,
            lens: self.lens(),
            style: &style,
            legend,
            report: Some(&report),
        };
        page.check()?;
        session.phase("page", || page.write(file))?;
        session.say(format_args!("wrote {}: {} faces", file.display(), scene.faces.len()));
        Ok(())
    }
    fn lens(&self) -> Lens {
        if self.perspective { Lens::Perspective } else { Lens::Orthographic }
    }
    fn style(&self) -> Style {
        let Pixels([width, height]) = self.size;
        let background =
            if self.transparent { Background::Transparent } else { Background::Colour([255; 3]) };
        // fewer samples where the picture is large
        let samples = if u64::from(width) * u64::from(height) <= 1 << 24 { 3 } else { 2 };
        let edges = if self.edges { 1.0 } else { 0.0 };
        Style { width, height, samples, background, smooth: !self.flat, edges, ..Style::default() }
    }
    fn picture(&self, scene: &Scene<'_>, legend: Option<&Legend>) -> Result<Image, Failure> {
        let mut style = self.style();
        if let Some(legend) = legend {
            let width = legend.width(style.height);
            style.width =
                style.width.checked_sub(width).filter(|w| *w > 0).ok_or_else(|| {
                    Failure::Usage(format!("--size: the legend alone is {width} pixels wide"))
                })?;
        }
        let camera = Camera::fit(scene, self.view, self.lens(), &style)?;
        let picture = scene.render(&camera, &style)?;
        Ok(match legend {
            Some(legend) => legend.beside(&picture, style.background),
            None => picture,
        })
    }
    /// What the report says of the numbers, and the legend; none where there is no finite number.
    fn scalar(&self, session: &mut Session, name: &str, values: &[f32]) -> (ScalarResults, Option<Legend>) {
        let not_finite = values.iter().filter(|v| !v.is_finite()).count();
        if not_finite > 0 {
            let vertices = counted(not_finite as u64, "vertex");
            session.warn(format!("{vertices} without a finite {name}: their faces are grey"));
        }
        let range = self.range.map(|Ends(range)| range).or_else(|| Range::of(values, self.colormap));
        let (min, max) = (range.map(|r| r.min), range.map(|r| r.max));
        let results = ScalarResults { property: name.into(), min, max, not_finite };
        let legend = range.map(|range| Legend { name: name.into(), map: self.colormap, range });
        (results, legend)
    }
    fn patches(&self, session: &mut Session, mesh: &TriangleMesh) -> Result<PatchColours, Failure> {
        let device = session.device()?;
        let built = session.build(&device, mesh)?;
        session.phase("colours", || patch_colours::of(&built, mesh, self.ribbons))
    }
}

/// The numbers of a scalar attribute of vertices, rounded to 32 bits: `x`, `y` and `z` are the coordinates, `name_x` and the
/// like the parts of a vector.
fn numbers(file: &Path, mesh: &TriangleMesh, name: &str) -> Result<Vec<f32>, Failure> {
    if let Some(axis) = ["x", "y", "z"].iter().position(|axis| *axis == name) {
        return Ok(mesh.positions.iter().map(|position| position[axis] as f32).collect());
    }
    let part = |column: &Column, part: usize| -> Vec<f32> {
        let rows = (0..column.rows()).map(|row| column.scalars().as_f64(row * column.width() + part));
        rows.map(|value| value.unwrap_or(f64::NAN) as f32).collect()
    };
    let parts = |column: &Column| -> Vec<String> {
        match (column.role(), column.width()) {
            (_, 1) => vec![column.name().to_owned()],
            (Role::Normal, 3) => ["nx", "ny", "nz"].map(str::to_owned).to_vec(),
            (Role::Colour(_), width) => {
                ["red", "green", "blue", "alpha"].into_iter().take(width).map(str::to_owned).collect()
            }
            (_, width) => ["_x", "_y", "_z", "_w"][..width]
                .iter()
                .map(|ending| format!("{}{ending}", column.name()))
                .collect(),
        }
    };
    let mut known = vec!["x".to_owned(), "y".to_owned(), "z".to_owned()];
    for column in mesh.vertices() {
        let parts = parts(column);
        if let Some(found) = parts.iter().position(|part| part == name) {
            return Ok(part(column, found));
        }
        known.extend(parts);
    }
    Err(Failure::Refused(format!(
        "{}: the vertices have no scalar property {name:?}; they have {}",
        input_name(file),
        known.join(", ")
    )))
}
