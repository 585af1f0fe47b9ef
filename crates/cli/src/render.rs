//! `ribbonmesh render`.
use crate::encoding::Reading;
use crate::failure::Failure;
use crate::patch_colours::{self, PatchColours};
use crate::session::Session;
use crate::streams::{input_name, is_standard};
use crate::tiles::{bytes, chosen};
use clap::Args;
use ribbonmesh::Device;
use ribbonmesh_application::counted;
use ribbonmesh_clean::Bytes;
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_mesh::{Column, Role};
use ribbonmesh_render::{
    Background, Camera, Colormap, Colouring, Image, Legend, Lens, Page, Percentiles, Range, Scene, Style, Up,
    View,
};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Make a picture of a mesh, or a page that shows it
///
/// The machine finds what each pixel shows, the CPU colours it: a picture is the same on all machines. Y is
/// up (--up says otherwise), the front is seen from +z, and the mesh fills the picture.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh render dragon.ply -o dragon.png
  ribbonmesh render dragon.ply -o patches.png --patches --view iso --size 800x600
  ribbonmesh render dragon.ply -o height.png --scalar y --colormap coolwarm --perspective
  ribbonmesh render dragon.ply -o standing.png --up z --scalar z --range 2%,98%
  ribbonmesh render dragon.ply -o edges.png --edges --view -30,20 --transparent
  ribbonmesh render dragon.ply --html dragon.html --scalar y")]
pub struct Render {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// Picture to write: PNG; - is standard output
    #[arg(long, short, value_name = "PICTURE.png", required_unless_present = "html")]
    output: Option<PathBuf>,
    /// Page to write: the mesh in WebGL, to be turned in a browser, with this run's report; it needs no
    /// network
    #[arg(long, value_name = "PAGE.html")]
    html: Option<PathBuf>,
    /// Colour by a scalar attribute of the vertices, with a legend
    #[arg(long, value_name = "PROPERTY", conflicts_with_all = ["patches", "normals"])]
    scalar: Option<String>,
    /// Colours of numbers; those of coolwarm have 0 in their middle where there are numbers on both sides of
    /// it [default: coolwarm for curvatures, else viridis]
    #[arg(long, value_name = "viridis|magma|coolwarm", requires = "scalar")]
    colormap: Option<Colormap>,
    /// Numbers at the ends of the colours; 2%: the number that this part of the vertices is below [default:
    /// 0%,100%, the least and the greatest; or 2%,98% where most numbers would have the same colour]
    #[arg(long, value_name = "MIN,MAX", requires = "scalar", allow_hyphen_values = true)]
    range: Option<Ends>,
    /// Colour by patches; those that share a vertex differ
    #[arg(long, conflicts_with = "normals")]
    patches: bool,
    /// Lighten the faces that are in ribbons of other patches
    #[arg(long, requires = "patches")]
    ribbons: bool,
    #[command(flatten)]
    look: Look,
    /// Memory that the process may take: where the mesh does not fit, the picture is made of parts of it on
    /// disk, as ribbonmesh tiles does it
    #[arg(long, value_name = "SIZE", value_parser = bytes, conflicts_with = "html")]
    memory: Option<Bytes>,
    #[command(flatten)]
    reading: Reading,
}

/// The look of a picture.
#[derive(Args)]
pub struct Look {
    /// Colour by the direction of the normal: x, y, z as red, green, blue
    #[arg(long)]
    pub normals: bool,
    /// Draw the edges
    #[arg(long)]
    edges: bool,
    /// Shade every face by its own normal
    #[arg(long)]
    flat: bool,
    /// Pixels of the picture
    #[arg(long, value_name = "WxH", default_value = "1200x900")]
    size: Pixels,
    /// Where it is seen from: front, back, left, right, top, bottom, iso, or degrees to the right of the
    /// front and above the horizon
    #[arg(long, value_name = "NAME|AZIMUTH,ELEVATION", default_value_t, allow_hyphen_values = true)]
    pub view: View,
    /// The axis that points up: x, y, z, -x, -y or -z; with z, the front is seen from -y
    #[arg(long, value_name = "AXIS", default_value_t, allow_hyphen_values = true)]
    pub up: Up,
    /// Draw in perspective: nearer parts look larger
    #[arg(long)]
    perspective: bool,
    /// Leave the background out, instead of white
    #[arg(long)]
    transparent: bool,
}

impl Look {
    /// The projection.
    pub fn lens(&self) -> Lens {
        if self.perspective { Lens::Perspective } else { Lens::Orthographic }
    }
    /// Size and style.
    pub fn style(&self) -> Style {
        let Pixels([width, height]) = self.size;
        let background =
            if self.transparent { Background::Transparent } else { Background::Colour([255; 3]) };
        // fewer samples where the picture is large
        let samples = if u64::from(width) * u64::from(height) <= 1 << 24 { 3 } else { 2 };
        let edges = if self.edges { 1.0 } else { 0.0 };
        Style { width, height, samples, background, smooth: !self.flat, edges, ..Style::default() }
    }
    /// Refuses too many pixels.
    pub fn check(&self) -> Result<(), Failure> {
        self.style().check().map_err(|e| Failure::Usage(e.to_string()))
    }
    /// The name of its colours, where they are not those of other options.
    pub fn colouring(&self) -> &'static str {
        if self.normals { "normals" } else { "plain" }
    }
}

/// `WxH`.
#[derive(Clone, Copy)]
pub struct Pixels(pub [u32; 2]);
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
struct Ends([End; 2]);
/// A number, or the one that a share of all is below.
#[derive(Clone, Copy)]
enum End {
    Number(f32),
    Share(f64),
}
impl Ends {
    /// The least and the greatest.
    const ALL: Self = Self([End::Share(0.0), End::Share(1.0)]);
    /// The ends without the numbers that are far from the others.
    const MOST: Self = Self([End::Share(0.02), End::Share(0.98)]);

    /// The range in numbers; `None` if it has shares and there are no numbers. If both ends are shares, 0 is
    /// in the middle of a scale that diverges.
    fn of(self, numbers: Option<&Percentiles>, map: Colormap) -> Option<Range> {
        let number = |end| match end {
            End::Number(number) => Some(number),
            End::Share(share) => numbers.map(|numbers| numbers.at(share)),
        };
        let range = Range { min: number(self.0[0])?, max: number(self.0[1])? };
        let both = self.0.iter().all(|end| matches!(end, End::Share(_)));
        Some(if both { range.around_zero(map) } else { range })
    }
    /// The ends that show something: all numbers, unless most are within a fifth of the way between the least
    /// and the greatest.
    fn usual(numbers: &Percentiles) -> Self {
        let length = |low: f64, high: f64| f64::from(numbers.at(high)) - f64::from(numbers.at(low));
        let most = length(0.02, 0.98);
        if most > 0.0 && most < length(0.0, 1.0) / 5.0 { Self::MOST } else { Self::ALL }
    }
}
impl FromStr for Ends {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let end = |text: &str| {
            let text = text.trim();
            let (number, share) = text.strip_suffix('%').map_or((text, false), |number| (number, true));
            let number = number.trim_end().parse::<f32>().ok().filter(|x| x.is_finite())?;
            let percent = (0.0..=100.0).contains(&number);
            match share {
                true => percent.then_some(End::Share(f64::from(number) / 100.0)),
                false => Some(End::Number(number)),
            }
        };
        let ends = text.split_once(',').and_then(|(a, b)| Some([end(a)?, end(b)?]));
        let ordered = |ends: &[End; 2]| match ends {
            [End::Number(min), End::Number(max)] => min < max,
            [End::Share(min), End::Share(max)] => min < max,
            _ => true,
        };
        ends.filter(ordered).map(Self).ok_or_else(|| {
            format!("{text:?} is not two numbers such as 0,1.5 or 2%,98%, the first the lower")
        })
    }
}

/// The report of a picture.
#[derive(Serialize)]
pub struct Results<'a> {
    /// Pixels of the picture; `None` without one.
    pub width: Option<u32>,
    pub height: Option<u32>,
    pub view: String,
    pub up: String,
    pub colouring: &'static str,
    pub scalar: Option<&'a ScalarResults>,
}

#[derive(Serialize)]
pub struct ScalarResults {
    property: String,
    colormap: &'static str,
    /// Numbers at the ends of the colours; `None` if no vertex has a finite number.
    min: Option<f32>,
    max: Option<f32>,
    /// Vertices without a finite number.
    not_finite: usize,
}

impl Render {
    /// Whether it writes files in addition to its output.
    pub fn writes_more(&self) -> bool {
        self.html.is_some()
    }
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        if let Some(output) = &self.output {
            picture_name(output)?;
            if chosen::render(session, [&self.mesh, output], &self.look, self.memory, self.other())? {
                return Ok(());
            }
        }
        self.check_outputs(session)?;
        let loaded = session.read_as(&self.mesh, self.reading.format)?;
        let mesh = &loaded.mesh;
        let values = self.scalar.as_deref().map(|name| numbers(&self.mesh, mesh, name)).transpose()?;
        let scalar = match (&self.scalar, &values) {
            (Some(name), Some(values)) => Some(self.scalar(session, name, values)?),
            _ => None,
        };
        // a page alone needs no machine
        let device = (self.patches || self.output.is_some()).then(|| session.device()).transpose()?;
        let patches = match &device {
            Some(device) if self.patches => Some(self.patches(session, device, mesh)?),
            _ => None,
        };
        let (colouring, kind) = match (&values, &scalar, &patches) {
            (Some(values), Some((_, legend)), _) => {
                let range = legend.as_ref().map_or(Range { min: 0.0, max: 1.0 }, |legend| legend.range);
                (Colouring::Scalar { values, map: self.colormap(), range }, "scalar")
            }
            (_, _, Some(colours)) => (Colouring::Faces(colours), "patches"),
            _ if self.look.normals => (Colouring::Normals, self.look.colouring()),
            _ => (Colouring::default(), self.look.colouring()),
        };
        let scene = Scene::new(&mesh.positions, &mesh.faces).coloured(colouring).standing(self.look.up);
        let legend = scalar.as_ref().and_then(|(_, legend)| legend.as_ref());
        let picture = match (&self.output, &device) {
            (Some(_), Some(device)) => {
                Some(session.phase("render", || self.picture(device, &scene, legend))?)
            }
            _ => None,
        };
        session.results(&Results {
            width: picture.as_ref().map(Image::width),
            height: picture.as_ref().map(Image::height),
            view: self.look.view.to_string(),
            up: self.look.up.to_string(),
            colouring: kind,
            scalar: scalar.as_ref().map(|(results, _)| results),
        });
        session.leave_machine();
        if let (Some(output), Some(picture)) = (&self.output, &picture) {
            session.write_picture(output, picture)?;
        }
        match &self.html {
            Some(file) => self.page(session, file, scene, legend),
            None => Ok(()),
        }
    }
    /// An option that was given and that tiles do not have.
    fn other(&self) -> Option<&'static str> {
        let given = [
            ("scalar", self.scalar.is_some()),
            ("patches", self.patches),
            ("format", self.reading.format.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }
    /// Refuses outputs of other kinds, and such that would overwrite something.
    fn check_outputs(&self, session: &Session) -> Result<(), Failure> {
        if let Some(path) = self.html.as_deref().filter(|path| !named(path, "html") && !named(path, "htm")) {
            return Err(Failure::Usage(format!("{}: names of pages end in .html", path.display())));
        }
        self.look.check()?;
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
        let style = self.look.style();
        let page = Page {
            title: &title,
            scene,
            view: self.look.view,
            lens: self.look.lens(),
            style: &style,
            legend,
            report: Some(&report),
        };
        page.check()?;
        session.phase("page", || page.write(file))?;
        session.say(format_args!("wrote {}: {} faces", file.display(), scene.faces.len()));
        Ok(())
    }
    fn picture(&self, device: &Device, scene: &Scene<'_>, legend: Option<&Legend>) -> Result<Image, Failure> {
        let mut style = self.look.style();
        if let Some(legend) = legend {
            let width = legend.width(style.height);
            style.width =
                style.width.checked_sub(width).filter(|w| *w > 0).ok_or_else(|| {
                    Failure::Usage(format!("--size: the legend alone is {width} pixels wide"))
                })?;
        }
        let camera = Camera::fit(scene, self.look.view, self.look.lens(), &style)?;
        let picture = scene.render(device, &camera, &style)?;
        Ok(match legend {
            Some(legend) => legend.beside(&picture, style.background),
            None => picture,
        })
    }
    /// Returns the report of the numbers, and the legend; `None` if no number is finite.
    fn scalar(
        &self,
        session: &mut Session,
        name: &str,
        values: &[f32],
    ) -> Result<(ScalarResults, Option<Legend>), Failure> {
        let not_finite = values.iter().filter(|v| !v.is_finite()).count();
        if not_finite > 0 {
            let vertices = counted(not_finite as u64, "vertex");
            session.warn(format!("{vertices} without a finite {name}: their faces are grey"));
        }
        let (numbers, map) = (Percentiles::of(values), self.colormap());
        let ends = self.range.or_else(|| numbers.as_ref().map(Ends::usual));
        let range = ends.and_then(|ends| ends.of(numbers.as_ref(), map));
        if let Some(Range { min, max }) = range.filter(|range| range.min > range.max) {
            return Err(Failure::Usage(format!("--range: from {min} to {max}, the first is not the lower")));
        }
        if let (None, Some(numbers), Some(shown)) = (self.range, &numbers, range)
            && ends.is_some_and(|Ends([first, _])| matches!(first, End::Share(share) if share > 0.0))
        {
            let (least, greatest) = (numbers.at(0.0), numbers.at(1.0));
            session.note(format!(
                "{name} is from {least} to {greatest}, most of it much nearer: the colours go from {} to {}; \
                 --range 0%,100% shows all",
                shown.min, shown.max
            ));
        }
        let (min, max) = (range.map(|r| r.min), range.map(|r| r.max));
        let results = ScalarResults { property: name.into(), colormap: map.name(), min, max, not_finite };
        let legend = range.map(|range| Legend { name: name.into(), map, range });
        Ok((results, legend))
    }
    /// The colours of numbers.
    fn colormap(&self) -> Colormap {
        // they have a sign that means something
        let curvature = |name: &str| name.ends_with("curvature") || name == "angle_defect";
        let usual = self.scalar.as_deref().filter(|name| curvature(name)).map(|_| Colormap::Coolwarm);
        self.colormap.or(usual).unwrap_or_default()
    }
    fn patches(
        &self,
        session: &mut Session,
        device: &Device,
        mesh: &TriangleMesh,
    ) -> Result<PatchColours, Failure> {
        let built = session.build(device, mesh)?;
        session.phase("colours", || patch_colours::of(&built, mesh, self.ribbons))
    }
}

/// Refuses names of pictures with other endings.
pub fn picture_name(path: &Path) -> Result<(), Failure> {
    if named(path, "png") || is_standard(path) {
        return Ok(());
    }
    Err(Failure::Usage(format!("{}: pictures are PNG files, whose names end in .png", path.display())))
}
fn named(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending))
}

/// The numbers of a scalar attribute of vertices, rounded to 32 bits: `x`, `y` and `z` are the coordinates,
/// `name_x` and the like the parts of a vector.
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
