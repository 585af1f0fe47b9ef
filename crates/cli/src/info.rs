//! `ribbonmesh info`.
use crate::encoding::Reading;
use crate::failure::Failure;
use crate::intersections::{self, Counts};
use crate::session::Session;
use crate::tiles::{bytes, chosen};
use clap::Args;
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Device, Error, FlatTopology, Geometry, StaticMesh, Statistics, Topology};
use ribbonmesh_application::short;
use ribbonmesh_clean::Bytes;
use ribbonmesh_io::TriangleMesh;
use ribbonmesh_mesh::BoundingBox;
use ribbonmesh_mesh::quality::{Histogram, Quality};
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

/// Describe a mesh: sizes, defects, topology, shape
///
/// An edge is non-manifold if it is more than two sides of faces, a vertex if its faces form several fans.
/// Components are connected across edges. An edge is inconsistent if its two faces have opposite
/// orientations. The genus is that of all components together, for orientable manifolds. Area, volume and
/// bounding box are in the coordinates of the file; only a closed surface whose faces agree in orientation
/// has a volume, which is negative if they face inward.
#[derive(Args)]
#[command(after_help = "\
Examples:
  ribbonmesh info dragon.ply
  ribbonmesh info dragon.ply --intersections
  ribbonmesh info dragon.ply --json > dragon.json")]
pub struct Info {
    /// Mesh: OBJ, PLY, OFF, STL, GLB or glTF; - is standard input
    mesh: PathBuf,
    /// Also count the pairs of faces that intersect, and these faces, as `ribbonmesh intersections` does
    #[arg(long)]
    intersections: bool,
    /// Memory that the process may take: where the mesh does not fit, the work is done tile by tile on disk,
    /// as ribbonmesh tiles does it
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    memory: Option<Bytes>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    reading: Reading,
}

/// Bytes per face that the thesis states for its data structures (5.4.1, 4.4.1).
const THESIS: ThesisBytes = ThesisBytes { dynamic: 18.75, r#static: 45.4 };

#[derive(Serialize)]
struct ThesisBytes {
    dynamic: f64,
    r#static: f64,
}

#[derive(Serialize)]
struct Figures {
    vertices: u64,
    edges: u64,
    faces: u64,
    boundary_edges: u64,
    nonmanifold_edges: u64,
    nonmanifold_vertices: u64,
    components: u64,
    isolated_vertices: u64,
    degenerate_faces: u64,
    duplicate_faces: u64,
    inconsistent_edges: u64,
    euler_characteristic: i64,
    genus: Option<u64>,
    #[serde(flatten)]
    extent: Extent,
    edge_length: Option<Spread>,
    valence: Option<Spread>,
    angle: Option<Spread>,
    quality: Quality,
    /// On request.
    #[serde(flatten)]
    intersections: Option<Counts>,
    /// `None` if a vertex has too many faces for a patch, as the next two.
    patches: Option<usize>,
    owned_ribbon_ratio: Option<f64>,
    bytes_per_face: Option<f64>,
    thesis_bytes_per_face: ThesisBytes,
    machine: String,
}

/// The size of the surface, in the coordinates of the file.
#[derive(Serialize)]
struct Extent {
    area: f64,
    /// None unless the surface is closed and consistently oriented.
    volume: Option<f64>,
    /// Around the vertices of faces.
    bounding_box: Option<BoundingBox>,
}

#[derive(Serialize)]
struct Spread {
    count: u64,
    min: f64,
    max: f64,
    mean: f64,
    standard_deviation: f64,
}
impl From<Statistics> for Spread {
    fn from(s: Statistics) -> Self {
        let Statistics { count, min, max, mean, standard_deviation } = s;
        Self { count, min, max, mean, standard_deviation }
    }
}

impl Info {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let other = self.intersections.then_some("intersections").or(self.reading.format.map(|_| "format"));
        if chosen::info(session, &self.mesh, self.json, self.memory, other)? {
            return Ok(());
        }
        session.keep(None, &[&self.mesh])?;
        let loaded = session.read_as(&self.mesh, self.reading.format)?;
        let device = session.device()?;
        let flat = session
            .phase("edges", || FlatTopology::new(&device, loaded.mesh.positions.len(), &loaded.mesh.faces))?;
        let topology = session.phase("topology", || flat.topology())?;
        let around = loaded.mesh.points_around(loaded.mesh.local_origin());
        let around: Vec<[f32; 3]> = around.into_iter().map(|point| point.to_array()).collect();
        let geometry = session.phase("geometry", || flat.geometry(&around))?;
        let mesh = match session.build_from(&flat) {
            Ok(mesh) => Some(mesh),
            Err(failure) => {
                let Some(error @ Error::PatchTooLarge { .. }) = failure.library() else {
                    return Err(failure);
                };
                session.warn(format!("no patches: {error}"));
                None
            }
        };
        drop(flat);
        let quality = session.phase("quality", || {
            let TriangleMesh { positions, faces, .. } = &loaded.mesh;
            Ok::<_, Failure>(device.install(|| Quality::of(positions, faces, None)))
        })?;
        let intersections = match self.intersections {
            false => None,
            true => Some(session.phase("intersections", || {
                let found = intersections::of_one(&device, &loaded.mesh, loaded.mesh.local_origin())?;
                Counts::of(&found)
            })?),
        };
        let extent =
            session.phase("extent", || Ok::<_, Failure>(device.install(|| Extent::of(&loaded.mesh))))?;
        let figures = Figures {
            intersections,
            ..Figures::new(&device, mesh.as_ref(), topology, extent, geometry, quality)
        };
        session.results(&figures);
        let text = if self.json {
            serde_json::to_string_pretty(&figures).map_err(|e| Failure::Stdout(e.into()))? + "\n"
        } else {
            figures.text()
        };
        session.emit(None, |out| out.write_all(text.as_bytes()))
    }
}

impl Extent {
    fn of(mesh: &TriangleMesh) -> Self {
        Self { area: mesh.area(), volume: mesh.volume(), bounding_box: mesh.bounding_box() }
    }
}

impl Figures {
    /// Without a mesh, nothing about its patches.
    fn new(
        device: &Device,
        mesh: Option<&StaticMesh>,
        topology: Topology,
        extent: Extent,
        geometry: Geometry,
        quality: Quality,
    ) -> Self {
        let owned_ribbon_ratio = mesh.and_then(|mesh| {
            let n = mesh.totals();
            let owned = [n.v_owned, n.e_owned, n.f_owned].map(f64::from).iter().sum::<f64>();
            let ribbon = [n.v_all, n.e_all, n.f_all].map(f64::from).iter().sum::<f64>() - owned;
            (ribbon > 0.0).then(|| owned / ribbon)
        });
        Self {
            vertices: topology.vertices,
            edges: topology.edges,
            faces: topology.faces,
            boundary_edges: topology.boundary_edges,
            nonmanifold_edges: topology.nonmanifold_edges,
            nonmanifold_vertices: topology.nonmanifold_vertices,
            components: topology.components,
            isolated_vertices: topology.isolated_vertices,
            degenerate_faces: topology.degenerate_faces,
            duplicate_faces: topology.duplicate_faces,
            inconsistent_edges: topology.inconsistent_edges,
            euler_characteristic: topology.euler_characteristic,
            genus: topology.genus,
            extent,
            edge_length: geometry.edge_length.map(Spread::from),
            valence: topology.valence.map(Spread::from),
            angle: geometry.angle.map(Spread::from),
            quality,
            intersections: None,
            patches: mesh.map(StaticMesh::patches),
            owned_ribbon_ratio,
            bytes_per_face: mesh.map(|mesh| mesh.topology_bytes() as f64 / mesh.faces().max(1) as f64),
            thesis_bytes_per_face: THESIS,
            machine: device.name(),
        }
    }
    fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: &dyn std::fmt::Display| _ = writeln!(text, "{name:<22}{value}");
        line("vertices", &self.vertices);
        line("edges", &self.edges);
        line("faces", &self.faces);
        line("boundary edges", &self.boundary_edges);
        line("non-manifold edges", &self.nonmanifold_edges);
        line("non-manifold vertices", &self.nonmanifold_vertices);
        line("components", &self.components);
        line("isolated vertices", &self.isolated_vertices);
        line("degenerate faces", &self.degenerate_faces);
        line("duplicate faces", &self.duplicate_faces);
        line("inconsistent edges", &self.inconsistent_edges);
        line("Euler characteristic", &self.euler_characteristic);
        match self.genus {
            Some(genus) => line("genus", &genus),
            None => line("genus", &"not defined (not an orientable manifold)"),
        }
        line("area", &short(self.extent.area));
        match self.extent.volume {
            Some(volume) => line("volume", &short(volume)),
            None => line("volume", &"none (not closed, or not consistently oriented)"),
        }
        if let Some(bounds) = &self.extent.bounding_box {
            let point = |p: DVec3| p.to_array().map(|x| x.to_string()).join(" ");
            line("bounding box", &format_args!("from {} to {}", point(bounds.low), point(bounds.high)));
            line(
                "size of the box",
                &format_args!(
                    "{}, diagonal {}",
                    bounds.size().to_array().map(short).join(" × "),
                    short(bounds.diagonal())
                ),
            );
        }
        line("edge length", &spread(&self.edge_length, ""));
        line("valence", &spread(&self.valence, ""));
        line("angle", &spread(&self.angle, "°"));
        line("smallest angle", &of_faces(&self.quality.smallest_angle, "°"));
        line("aspect ratio", &of_faces(&self.quality.aspect_ratio, ""));
        match self.quality.valence.regular {
            Some(part) => line("interior of valence 6", &format_args!("{:.2} %", 100.0 * part)),
            None => line("interior of valence 6", &"no interior vertices"),
        }
        if let Some(Counts { intersecting_pairs, intersecting_faces }) = &self.intersections {
            line("intersecting pairs", intersecting_pairs);
            line("intersecting faces", intersecting_faces);
        }
        match self.patches {
            Some(patches) => line("patches", &patches),
            None => line("patches", &"none (a vertex has too many faces)"),
        }
        match self.owned_ribbon_ratio {
            Some(ratio) => line("owned / ribbon", &format_args!("{ratio:.2}")),
            None => line("owned / ribbon", &"no ribbons"),
        }
        let ThesisBytes { dynamic, r#static } = THESIS;
        if let Some(bytes) = self.bytes_per_face {
            line("bytes per face", &format_args!("{bytes:.2} (thesis: {dynamic} dynamic, {static} static)"));
        }
        line("machine", &self.machine);
        text
    }
}

/// A figure of faces.
fn of_faces(histogram: &Option<Histogram>, unit: &str) -> String {
    let of = |h: &Histogram| {
        let ribbonmesh_mesh::quality::Spread { count, min, max, mean, standard_deviation } = h.spread;
        Spread { count, min, max, mean, standard_deviation }
    };
    spread(&histogram.as_ref().map(of), unit)
}

fn spread(spread: &Option<Spread>, unit: &str) -> String {
    let Some(Spread { min, max, mean, standard_deviation, .. }) = spread else { return "none".into() };
    let [min, max, mean, deviation] = [min, max, mean, standard_deviation].map(|x| short(*x));
    format!("{mean}{unit} ± {deviation}{unit}, from {min}{unit} to {max}{unit}")
}
