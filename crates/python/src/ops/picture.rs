//! Pictures and pages.
use crate::content::Content;
use crate::device::{Session, Turn};
use crate::failure::Failure;
use crate::mesh::NativeMesh;
use crate::options::{parse, parse_some};
use crate::watch::{self, Size};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use ribbonmesh::StaticMesh;
use ribbonmesh_mesh::{Column, Role, TriangleMesh};
use ribbonmesh_render::{
    Background, Camera, Colormap, Colouring, Legend, Lens, PATCH_PALETTE, Page, Percentiles, Range, Rgb,
    Scene, Style, Up, View, Visibility, patch_colours, tint,
};
use std::sync::Arc;

/// An end of the range of colours: a number, or a percentage of the vertices.
#[derive(Clone, Copy)]
pub enum End {
    Number(f32),
    Share(f64),
}
impl<'py> FromPyObject<'_, 'py> for End {
    type Error = PyErr;
    fn extract(object: pyo3::Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(number) = object.extract::<f32>() {
            return Ok(Self::Number(number));
        }
        let text: String = object.extract()?;
        let share = text.trim().strip_suffix('%').and_then(|n| n.trim().parse::<f64>().ok());
        match share.filter(|share| (0.0..=100.0).contains(share)) {
            Some(share) => Ok(Self::Share(share / 100.0)),
            None => Err(Failure::argument(format!(
                "range: {text:?} is no number and no percentage such as \"2%\""
            ))
            .into()),
        }
    }
}

/// The amount by which ribbons are lighter.
const RIBBON: f32 = 0.6;

/// A picture as the bytes of a PNG file, or with `html` a page.
#[pyfunction]
#[pyo3(signature = (mesh, html, title, scalar, colormap, range, patches, ribbons, normals, edges, flat, size, view, up, perspective, transparent))]
#[expect(clippy::too_many_arguments, reason = "they are the command's options")]
pub fn render<'py>(
    py: Python<'py>,
    mesh: &NativeMesh,
    html: bool,
    title: String,
    scalar: Option<String>,
    colormap: Option<&str>,
    range: Option<[End; 2]>,
    patches: bool,
    ribbons: bool,
    normals: bool,
    edges: bool,
    flat: bool,
    size: (u32, u32),
    view: &str,
    up: &str,
    perspective: bool,
    transparent: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let picture = Picture {
        html,
        title,
        scalar,
        colormap: parse_some("colormap", colormap)?,
        range,
        patches,
        ribbons,
        normals,
        style: style(size, edges, flat, transparent)?,
        view: parse("view", view)?,
        up: parse("up", up)?,
        lens: if perspective { Lens::Perspective } else { Lens::Orthographic },
    };
    let content = Arc::clone(&mesh.content);
    let bytes = watch::run(py, Size::Long, None, move |session| picture.draw(session, &content))?;
    Ok(PyBytes::new(py, &bytes))
}

fn style((width, height): (u32, u32), edges: bool, flat: bool, transparent: bool) -> Result<Style, Failure> {
    if ![width, height].iter().all(|n| (1..=16384).contains(n)) {
        return Err(Failure::argument(format!("size is ({width}, {height}): two numbers from 1 to 16384")));
    }
    let background = if transparent { Background::Transparent } else { Background::Colour([255; 3]) };
    // fewer samples where the picture is large
    let samples = if u64::from(width) * u64::from(height) <= 1 << 24 { 3 } else { 2 };
    let edges = if edges { 1.0 } else { 0.0 };
    Ok(Style { width, height, samples, background, smooth: !flat, edges, ..Style::default() })
}

struct Picture {
    html: bool,
    title: String,
    scalar: Option<String>,
    colormap: Option<Colormap>,
    range: Option<[End; 2]>,
    patches: bool,
    ribbons: bool,
    normals: bool,
    style: Style,
    view: View,
    up: Up,
    lens: Lens,
}

impl Picture {
    fn draw(mut self, session: &mut Session, content: &Content) -> Result<Vec<u8>, Failure> {
        let mesh = content.host(session)?;
        let values = self.scalar.as_deref().map(|name| numbers(mesh, name)).transpose()?;
        let map = self.map();
        let legend = match (&self.scalar, &values) {
            (Some(name), Some(values)) => {
                self.ends(values, map)?.map(|range| Legend { name: name.clone(), map, range })
            }
            _ => None,
        };
        let colours = match self.patches {
            true => Some(session.turn(&content.device()?, |turn| self.of_patches(content, turn, mesh))?),
            false => None,
        };
        let colouring = match (&values, &colours) {
            (Some(values), _) => {
                let range = legend.as_ref().map_or(Range { min: 0.0, max: 1.0 }, |legend| legend.range);
                Colouring::Scalar { values, map, range }
            }
            (_, Some(colours)) => Colouring::Faces(colours),
            _ if self.normals => Colouring::Normals,
            _ => Colouring::default(),
        };
        let scene = Scene::new(&mesh.positions, &mesh.faces).coloured(colouring).standing(self.up);
        let mut bytes = vec![];
        let failed = |error: std::io::Error| Failure::bug(error.to_string());
        if self.html {
            let page = Page {
                title: &self.title,
                scene,
                view: self.view,
                lens: self.lens,
                style: &self.style,
                legend: legend.as_ref(),
                report: None,
            };
            page.check()?;
            page.encode(&mut bytes).map_err(failed)?;
            return Ok(bytes);
        }
        if let Some(legend) = &legend {
            let width = legend.width(self.style.height);
            let left = self.style.width.checked_sub(width).filter(|width| *width > 0);
            self.style.width = left
                .ok_or_else(|| Failure::argument(format!("size: the legend alone is {width} pixels wide")))?;
        }
        let camera = Camera::fit(&scene, self.view, self.lens, &self.style)?;
        let device = content.device()?;
        // the host shades, and others have their turn meanwhile
        let seen = session.turn(&device, |turn| Ok(Visibility::new(turn, &scene, &camera, &self.style)?))?;
        let picture = scene.shade(&camera, &self.style, &seen)?;
        match &legend {
            Some(legend) => legend.beside(&picture, self.style.background).encode_png(&mut bytes),
            None => picture.encode_png(&mut bytes),
        }
        .map_err(failed)?;
        Ok(bytes)
    }
    /// The colours of numbers.
    fn map(&self) -> Colormap {
        // curvatures have a sign that means something
        let curvature = |name: &str| name.ends_with("curvature") || name == "angle_defect";
        let usual = self.scalar.as_deref().filter(|name| curvature(name)).map(|_| Colormap::Coolwarm);
        self.colormap.or(usual).unwrap_or_default()
    }
    /// The numbers at the ends of the colours; `None` if no vertex has a finite number.
    fn ends(&self, values: &[f32], map: Colormap) -> Result<Option<Range>, Failure> {
        let Some(numbers) = Percentiles::of(values) else { return Ok(None) };
        let all = [End::Share(0.0), End::Share(1.0)];
        let most = [End::Share(0.02), End::Share(0.98)];
        let number = |end| match end {
            End::Number(number) => number,
            End::Share(share) => numbers.at(share),
        };
        let length = |[low, high]: [End; 2]| f64::from(number(high)) - f64::from(number(low));
        // where most numbers would have the same colour, the others are left out
        let usual = if length(most) > 0.0 && length(most) < length(all) / 5.0 { most } else { all };
        let ends = self.range.unwrap_or(usual);
        let range = Range { min: number(ends[0]), max: number(ends[1]) };
        if !(range.min.is_finite() && range.max.is_finite() && range.min <= range.max) {
            let text = format!("range: from {} to {}, the first is not the lower", range.min, range.max);
            return Err(Failure::argument(text));
        }
        let shares = ends.iter().all(|end| matches!(end, End::Share(_)));
        Ok(Some(if shares { range.around_zero(map) } else { range }))
    }
    /// A colour per face, by its patch.
    fn of_patches(&self, content: &Content, turn: &Turn, mesh: &TriangleMesh) -> Result<Vec<Rgb>, Failure> {
        let built = StaticMesh::new(turn, mesh.positions.len(), &mesh.faces, &content.options)?;
        let patch_of = built.face_patches()?;
        let count = PATCH_PALETTE.len();
        let colours = patch_colours(mesh.positions.len(), &mesh.faces, &patch_of, built.patches(), count);
        let mut of_faces: Vec<Rgb> =
            patch_of.iter().map(|&patch| PATCH_PALETTE[colours[patch as usize]]).collect();
        if self.ribbons {
            let mut lighter = vec![false; of_faces.len()];
            built.ribbon_faces()?.into_iter().flatten().for_each(|face| lighter[face as usize] = true);
            for (colour, _) in of_faces.iter_mut().zip(lighter).filter(|(_, lighter)| *lighter) {
                *colour = tint(*colour, RIBBON);
            }
        }
        Ok(of_faces)
    }
}

/// The numbers of a scalar attribute of vertices: `x`, `y`, `z`, an attribute of one number, or a component
/// of a vector.
fn numbers(mesh: &TriangleMesh, name: &str) -> Result<Vec<f32>, Failure> {
    let mut known = ["x", "y", "z"].map(str::to_owned).to_vec();
    if let Some(axis) = known.iter().position(|axis| axis == name) {
        return Ok(mesh.positions.iter().map(|position| position[axis] as f32).collect());
    }
    for column in mesh.vertices() {
        let parts = parts(column);
        if let Some(part) = parts.iter().position(|part| part == name) {
            let number = |row| column.scalars().as_f64(row * column.width() + part);
            return Ok((0..column.rows()).map(|row| number(row).unwrap_or(f64::NAN) as f32).collect());
        }
        known.extend(parts);
    }
    Err(Failure::argument(format!("scalar is {name:?}: the vertices have {}", known.join(", "))))
}
/// The names of the numbers of a column.
fn parts(column: &Column) -> Vec<String> {
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    match (column.role(), column.width()) {
        (_, 1) => vec![column.name().to_owned()],
        (Role::Normal, 3) => named(&["nx", "ny", "nz"]),
        (Role::Colour(_), width) => named(&["red", "green", "blue", "alpha"][..width]),
        (_, width) => {
            ["_x", "_y", "_z", "_w"][..width].iter().map(|end| format!("{}{end}", column.name())).collect()
        }
    }
}
