//! `ribbonmesh intersections`.
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::session::Session;
use crate::streams::is_standard;
use clap::Args;
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Buffer, Device, array};
use ribbonmesh_io::{Format, TriangleMesh};
use ribbonmesh_mesh::{ColourSpace, Column, Element, Role};
use ribbonmesh_solid::intersections::{
    Intersections as Found, Triangles, intersections_between, self_intersections,
};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Find triangles that intersect, of one mesh or of two
///
/// Exact for the positions in single precision, relative to a local origin. Two faces without a common vertex
/// intersect if they touch; two with a common vertex if they have another common point, two with a common
/// edge if they are folded onto each other. Faces with the same three vertices intersect. Vertices at the
/// same position are common, whatever their indices, so that an STL file need not be welded. Of two meshes,
/// only faces of different meshes count.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh intersections dragon.ply
  ribbonmesh intersections dragon.ply --pairs pairs.txt -o marked.ply
  ribbonmesh render marked.ply -o marked.png --scalar intersects --colormap coolwarm
  ribbonmesh intersections dragon.ply marked.ply --json > intersections.json")]
pub struct Intersections {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// Second mesh: only pairs of a face of the first mesh and a face of this one
    other: Option<PathBuf>,
    /// File for the pairs: a line with two faces for each, from 0, ascending; - is standard output
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// Write the first mesh with its faces and their vertices marked (property intersects, 1 or 0); faces get
    /// colours if the mesh has none; - is standard output
    #[arg(long, short, value_name = "OUT.ply")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    encoding: Encoding,
}

/// Counts of intersecting faces.
#[derive(Serialize)]
pub struct Counts {
    /// Pairs of faces.
    pub intersecting_pairs: u64,
    /// Faces (of the first mesh) in at least one pair.
    pub intersecting_faces: u64,
}

#[derive(Serialize)]
struct Results<'a> {
    mesh: &'a Path,
    faces: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<&'a Path>,
    #[serde(skip_serializing_if = "Option::is_none")]
    faces_of_other: Option<usize>,
    #[serde(flatten)]
    counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    intersecting_faces_of_other: Option<u64>,
    first_pairs: Vec<[u32; 2]>,
}

/// Pairs that the results name.
const NAMED: usize = 8;
/// Colours of faces that intersect, and of the others.
const COLOURS: [[u8; 3]; 2] = [[220, 30, 30], [204, 198, 190]];

impl Intersections {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let encoded = match &self.output {
            None => None,
            Some(output) => {
                let options = self.encoding.options(output)?;
                if self.encoding.format(output)? != Format::Ply {
                    let path = output.display();
                    return Err(Failure::Usage(format!("{path}: only PLY carries properties of faces")));
                }
                Some((output, options))
            }
        };
        let inputs: Vec<&Path> =
            std::iter::once(&self.mesh).chain(&self.other).map(PathBuf::as_path).collect();
        session.keep(self.pairs.as_deref(), &inputs)?;
        let streamed = [&self.pairs, &self.output].map(|file| file.as_deref().is_some_and(is_standard));
        if streamed == [true, true] || (self.json && streamed.contains(&true)) {
            return Err(Failure::Usage("standard output is for one of --pairs, -o and --json".into()));
        }
        let mut mesh = session.read(&self.mesh)?.mesh;
        let other =
            self.other.as_deref().map(|file| session.read(file)).transpose()?.map(|loaded| loaded.mesh);
        let device = session.device()?;
        let origin = mesh.local_origin();
        let found = session.phase("intersections", || match &other {
            None => of_one(&device, &mesh, origin),
            Some(other) => {
                let [a, b] = [upload(&device, &mesh, origin)?, upload(&device, other, origin)?];
                intersections_between(triangles(&a), triangles(&b))
            }
        })?;
        let pairs = found.pairs.read()?;
        let results = Results {
            mesh: &self.mesh,
            faces: mesh.faces.len(),
            other: self.other.as_deref(),
            faces_of_other: other.as_ref().map(|other| other.faces.len()),
            counts: Counts::of(&found)?,
            intersecting_faces_of_other: match &other {
                None => None,
                Some(_) => Some(array::sum(&found.marks_of_second)?),
            },
            first_pairs: pairs[..pairs.len().min(NAMED)].to_vec(),
        };
        session.results(&results);
        if !streamed.contains(&true) {
            let text = match self.json {
                true => serde_json::to_string_pretty(&results).map_err(|e| Failure::Stdout(e.into()))? + "\n",
                false => results.text(),
            };
            session.emit(None, |out| out.write_all(text.as_bytes()))?;
        }
        if let Some(file) = &self.pairs {
            session.emit(Some(file), |out| {
                pairs.chunks(1 << 16).try_for_each(|pairs| {
                    let mut text = String::new();
                    pairs.iter().for_each(|[a, b]| _ = writeln!(text, "{a} {b}"));
                    out.write_all(text.as_bytes())
                })
            })?;
        }
        if let Some((output, options)) = encoded {
            mark(&mut mesh, found.marks.read()?)?;
            session.write(output, &mesh, &options)?;
        }
        Ok(())
    }
}

impl Counts {
    /// The counts of the first mesh.
    pub fn of(found: &Found) -> ribbonmesh::Result<Self> {
        let intersecting_faces = array::sum(&found.marks)?;
        Ok(Self { intersecting_pairs: found.pairs.len() as u64, intersecting_faces })
    }
}

/// The intersections of a mesh with itself, with positions relative to `origin`.
pub fn of_one(device: &Device, mesh: &TriangleMesh, origin: DVec3) -> ribbonmesh::Result<Found> {
    self_intersections(triangles(&upload(device, mesh, origin)?))
}

type Buffers = (Buffer<ribbonmesh::glam::Vec3>, Buffer<u32>);

fn upload(device: &Device, mesh: &TriangleMesh, origin: DVec3) -> ribbonmesh::Result<Buffers> {
    let points = device.install(|| mesh.points_around(origin));
    Ok((device.upload(&points)?, device.upload(mesh.faces.as_flattened())?))
}
fn triangles((positions, faces): &Buffers) -> Triangles<'_> {
    Triangles { positions, faces }
}

/// Marks faces, and the vertices that they have.
fn mark(mesh: &mut TriangleMesh, marks: Vec<u32>) -> Result<(), Failure> {
    let mut of_vertices = vec![0_u32; mesh.positions.len()];
    for (face, _) in mesh.faces.iter().zip(&marks).filter(|(_, mark)| **mark == 1) {
        face.iter().for_each(|&v| of_vertices[v as usize] = 1);
    }
    let is_coloured = [Element::Vertex, Element::Face, Element::Corner]
        .iter()
        .any(|&element| mesh.attributes(element).iter().any(|c| matches!(c.role(), Role::Colour(_))));
    if !is_coloured {
        let colours: Vec<[u8; 3]> = marks.iter().map(|mark| COLOURS[usize::from(*mark == 0)]).collect();
        let role = Role::Colour(ColourSpace::Srgb);
        mesh.faces_of_mut().insert_column(Column::with_role("colour", role, colours))?;
    }
    mesh.faces_of_mut().insert_column(Column::new("intersects", marks))?;
    mesh.vertices_mut().insert_column(Column::new("intersects", of_vertices))?;
    Ok(())
}

impl Results<'_> {
    fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: &dyn std::fmt::Display| _ = writeln!(text, "{name:<22}{value}");
        line("intersecting pairs", &self.counts.intersecting_pairs);
        let of = |n: u64, all: usize| format!("{n} of {all}");
        let faces = of(self.counts.intersecting_faces, self.faces);
        match (self.intersecting_faces_of_other, self.faces_of_other) {
            (Some(n), Some(all)) => {
                line("faces of the first", &faces);
                line("faces of the second", &of(n, all));
            }
            _ => line("faces", &faces),
        }
        if !self.first_pairs.is_empty() {
            let pairs: Vec<String> = self.first_pairs.iter().map(|[a, b]| format!("{a} {b}")).collect();
            let more = if self.counts.intersecting_pairs > NAMED as u64 { ", …" } else { "" };
            line("first pairs", &format_args!("{}{more}", pairs.join(", ")));
        }
        text
    }
}
