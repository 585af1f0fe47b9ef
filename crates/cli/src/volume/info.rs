//! `ribbonmesh volume info`.
use super::files::{self, Reading, Turning};
use crate::failure::Failure;
use crate::session::Session;
use clap::Args;
use ribbonmesh::glam::DVec3;
use ribbonmesh_application::short;
use ribbonmesh_mesh::BoundingBox;
use ribbonmesh_volume::{CellKind, Found, VolumeMesh};
use ribbonmesh_volume_io::{DataArray, Region, VolumeData};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

/// Describe a volume: sizes, kinds of cells, defects, data
///
/// Boundary faces belong to one cell, dangling ones to none, crowded ones to more than two. Where two cells
/// are on the same side of a face, one is inverted, a duplicate, or they overlap. Volumes and the bounding
/// box are in the units of the file; cells that are inverted have a negative volume.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh volume info block.vtu
  ribbonmesh volume info block.vtu --json > block.json")]
pub struct Info {
    /// Volume: VTK, VTU, MSH, MESH or OVM; - is standard input
    volume: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    turning: Turning,
    #[command(flatten)]
    reading: Reading,
}

#[derive(Serialize)]
struct Figures {
    vertices: usize,
    edges: usize,
    faces: usize,
    cells: usize,
    tetrahedra: usize,
    pyramids: usize,
    wedges: usize,
    hexahedra: usize,
    polyhedra: usize,
    boundary_faces: usize,
    /// Nothing of the next seven.
    sound: bool,
    dangling_faces: Elements,
    crowded_faces: Elements,
    same_side_faces: Elements,
    duplicate_cells: Elements,
    inverted_cells: Elements,
    flat_cells: Elements,
    isolated_vertices: Elements,
    /// The volume of all cells, in units of the file.
    total_volume: f64,
    smallest_cell: Option<f64>,
    largest_cell: Option<f64>,
    /// The box around all vertices.
    bounding_box: Option<BoundingBox>,
    vertex_data: Vec<Data>,
    cell_data: Vec<Data>,
    face_data: Vec<Data>,
    regions: Vec<Named>,
    title: String,
    machine: String,
}

/// The number of elements with a property, and the smallest of them.
#[derive(Serialize)]
struct Elements {
    count: usize,
    first: Option<u32>,
}
impl From<Found> for Elements {
    fn from(Found { count, first }: Found) -> Self {
        Self { count, first }
    }
}

#[derive(Serialize)]
struct Data {
    name: String,
    r#type: String,
}
#[derive(Serialize)]
struct Named {
    dimension: u8,
    tag: i32,
    name: String,
}

impl Info {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        session.keep(None, &[&self.volume])?;
        let volume = files::read(session, &self.volume, &self.reading)?;
        let mesh = files::upload(session, &volume, &self.turning)?;
        let figures = session.phase("examine", || figures(&volume, &mesh))?;
        session.results(&figures);
        let text = if self.json {
            serde_json::to_string_pretty(&figures).unwrap_or_default() + "\n"
        } else {
            figures.in_words()
        };
        session.emit(None, |out| out.write_all(text.as_bytes()))
    }
}

fn figures(volume: &VolumeData, mesh: &VolumeMesh) -> ribbonmesh_volume::Result<Figures> {
    let defects = mesh.defects()?;
    let volumes = mesh.volumes()?.read()?;
    let of = |kind| (0..volume.cells.len()).filter(|&cell| volume.cells.cell(cell).0 == kind).count();
    let data = |arrays: &[DataArray]| {
        arrays.iter().map(|a| Data { name: a.name.clone(), r#type: a.type_name() }).collect()
    };
    let named = |r: &Region| Named { dimension: r.dimension, tag: r.tag, name: r.name.clone() };
    Ok(Figures {
        vertices: mesh.vertices(),
        edges: mesh.edges(),
        faces: mesh.faces(),
        cells: mesh.cells(),
        tetrahedra: of(CellKind::Tetrahedron),
        pyramids: of(CellKind::Pyramid),
        wedges: of(CellKind::Wedge),
        hexahedra: of(CellKind::Hexahedron),
        polyhedra: of(CellKind::Polyhedron),
        boundary_faces: defects.boundary_faces.count,
        sound: defects.is_sound(),
        dangling_faces: defects.dangling_faces.into(),
        crowded_faces: defects.crowded_faces.into(),
        same_side_faces: defects.same_side_faces.into(),
        duplicate_cells: defects.duplicate_cells.into(),
        inverted_cells: defects.inverted_cells.into(),
        flat_cells: defects.flat_cells.into(),
        isolated_vertices: defects.isolated_vertices.into(),
        total_volume: volumes.iter().sum(),
        smallest_cell: volumes.iter().copied().reduce(f64::min),
        largest_cell: volumes.iter().copied().reduce(f64::max),
        bounding_box: BoundingBox::around(volume.positions.iter().copied()),
        vertex_data: data(&volume.point_data),
        cell_data: data(&volume.cell_data),
        face_data: data(&volume.face_data),
        regions: volume.regions.iter().map(named).collect(),
        title: volume.title.clone(),
        machine: mesh.device().name(),
    })
}

impl Figures {
    fn in_words(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: String| _ = writeln!(text, "{name:<21} {value}");
        line("vertices", self.vertices.to_string());
        line("edges", self.edges.to_string());
        line("faces", self.faces.to_string());
        line("cells", self.cells.to_string());
        let kinds = [
            ("  tetrahedra", self.tetrahedra),
            ("  pyramids", self.pyramids),
            ("  wedges", self.wedges),
            ("  hexahedra", self.hexahedra),
            ("  polyhedra", self.polyhedra),
        ];
        for (name, count) in kinds.into_iter().filter(|(_, count)| *count > 0) {
            line(name, count.to_string());
        }
        line("boundary faces", self.boundary_faces.to_string());
        let defects = [
            ("dangling faces", &self.dangling_faces),
            ("crowded faces", &self.crowded_faces),
            ("same-side faces", &self.same_side_faces),
            ("duplicate cells", &self.duplicate_cells),
            ("inverted cells", &self.inverted_cells),
            ("flat cells", &self.flat_cells),
            ("isolated vertices", &self.isolated_vertices),
        ];
        for (name, found) in defects {
            let first = found.first.map_or_else(String::new, |first| format!(", the first is {first}"));
            line(name, format!("{}{first}", found.count));
        }
        line("volume", short(self.total_volume));
        if let (Some(low), Some(high)) = (self.smallest_cell, self.largest_cell) {
            line("volumes of cells", format!("{} to {}", short(low), short(high)));
        }
        if let Some(bounds) = &self.bounding_box {
            let point = |p: DVec3| p.to_array().map(|x| x.to_string()).join(" ");
            line("bounding box", format!("from {} to {}", point(bounds.low), point(bounds.high)));
            let (size, diagonal) =
                (bounds.size().to_array().map(short).join(" × "), short(bounds.diagonal()));
            line("size of the box", format!("{size}, diagonal {diagonal}"));
        }
        for (of, arrays) in
            [("vertex", &self.vertex_data), ("cell", &self.cell_data), ("face", &self.face_data)]
        {
            for Data { name, r#type } in arrays {
                line(&format!("{of} data"), format!("{name}: {type}"));
            }
        }
        for Named { dimension, tag, name } in &self.regions {
            let what = ["of points", "of lines", "of faces", "of cells"].get(*dimension as usize);
            line("region", format!("{tag} {}: {name}", what.unwrap_or(&"")));
        }
        if !self.title.is_empty() {
            line("title", self.title.clone());
        }
        text
    }
}
