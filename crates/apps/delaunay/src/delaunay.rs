//! Flipping, on the host's side.
use crate::kernels::{CountBad, FlipDelaunay, TURNS};
use glam::Vec3;
use ribbonmesh::device::{ElementKind, tiles};
use ribbonmesh::{Attribute, Device, Error, MeshOptions, Result, StaticMesh, Vertex};
use ribbonmesh_dynamic::{
    Capacity, DynamicAttribute, DynamicMesh, ExecutionMode, Limits, Operation, rejections,
};
use serde::Serialize;
use std::time::Instant;

/// What to flip.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The largest angle, in degrees, between the normals of a face before and after its edge is flipped; none for any.
    pub max_normal_deviation: Option<f32>,
    /// Most passes.
    pub passes: u32,
    /// How the phases of a round follow each other; the result does not depend on it.
    pub mode: ExecutionMode,
}
impl Default for Options {
    /// Any angle, until nothing is left to flip.
    fn default() -> Self {
        let Limits { passes, mode } = Limits::default();
        Self { max_normal_deviation: None, passes, mode }
    }
}

/// Edges that are not Delaunay and may not be flipped, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Blocked {
    /// The edge across exists already.
    pub edge_exists: u32,
    /// A face would lie on another one, or what is left would not be a surface.
    pub topology: u32,
    /// Normals would turn too far.
    pub normals: u32,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Edges that were not Delaunay at the beginning.
    pub non_delaunay_before: u32,
    /// And at the end: those that are blocked, if it is finished.
    pub non_delaunay_after: u32,
    /// Flips.
    pub flips: u64,
    /// Passes over the mesh.
    pub passes: u32,
    /// Rounds within these.
    pub rounds: u32,
    /// Whether all was flipped that may be.
    pub finished: bool,
    /// Seconds of the flips, counts before and after left out.
    pub seconds: f64,
    /// Why the others were not.
    pub blocked: Blocked,
}

struct Flips<'m> {
    x: &'m DynamicAttribute<Vertex, Vec3>,
    least_cosine: f32,
}
impl Operation for Flips<'_> {
    type Operator<'a>
        = FlipDelaunay<'a>
    where
        Self: 'a;
    fn operator(&mut self) -> FlipDelaunay<'_> {
        FlipDelaunay { x: self.x.view(), least_cosine: self.least_cosine }
    }
    fn resize(&mut self, _: Capacity) -> Result<()> {
        Ok(())
    }
}

/// Flips edges until all are Delaunay, or blocked. Ids of faces and edges stay in use; those of vertices mean the same.
/// # Errors
/// [`Error::Option`]; as [`DynamicMesh::run`].
pub fn delaunay(
    mesh: &mut DynamicMesh,
    x: &DynamicAttribute<Vertex, Vec3>,
    options: &Options,
) -> Result<Report> {
    let least_cosine = match options.max_normal_deviation {
        None => -2.0,
        Some(degrees) if (0.0..=180.0).contains(&degrees) => degrees.to_radians().cos(),
        Some(degrees) => {
            let (option, expected) = ("max normal deviation", "0 to 180 degrees");
            return Err(Error::Option { option, value: degrees.to_string(), expected });
        }
    };
    let before = count(mesh, x)?;
    let limits = Limits { passes: options.passes, mode: options.mode };
    let start = Instant::now();
    let run = mesh.run(&mut Flips { x, least_cosine }, limits)?;
    let seconds = start.elapsed().as_secs_f64();
    let edge_exists = run.blocked_by(rejections::EDGE_EXISTS);
    let normals = run.blocked_by(TURNS);
    Ok(Report {
        non_delaunay_before: before,
        non_delaunay_after: count(mesh, x)?,
        flips: run.executed,
        passes: run.passes,
        rounds: run.rounds,
        finished: run.finished,
        seconds,
        blocked: Blocked {
            edge_exists,
            normals,
            topology: run.blocked.iter().sum::<u32>() - edge_exists - normals,
        },
    })
}

fn count(mesh: &mut DynamicMesh, x: &DynamicAttribute<Vertex, Vec3>) -> Result<u32> {
    let (device, edges) = (mesh.device().clone(), mesh.ids(ElementKind::Edge));
    let mut count = device.zeros::<u32>(1)?;
    let kernel = CountBad { mesh: mesh.refresh_view()?, edges, x: x.view(), count: count.view_mut() };
    device.launch(tiles(edges), kernel)?;
    Ok(count.read()?[0])
}

/// The same for indexed triangles: the faces afterwards, in whose order a face stands where the one was of which it
/// was made by flips.
/// # Errors
/// [`Error::NotManifold`], as [`DynamicMesh::new`]; as [`delaunay`] and [`StaticMesh::new`].
pub fn delaunay_faces(
    device: &Device,
    positions: &[Vec3],
    faces: &[[u32; 3]],
    options: &Options,
) -> Result<(Vec<[u32; 3]>, Report)> {
    let mesh = StaticMesh::new(device, positions.len(), faces, &MeshOptions::default())?;
    let x = Attribute::from_input(&mesh, positions)?;
    let mut dynamic = DynamicMesh::new(&mesh, 0.0)?;
    let x = DynamicAttribute::of_static(&dynamic, &x)?;
    let report = delaunay(&mut dynamic, &x, options)?;
    let (vertices, places) = (mesh.vertex_inputs().read()?, mesh.face_inputs().read()?);
    let mut result = vec![[0; 3]; faces.len()];
    for (face, place) in dynamic.read_faces()?.into_iter().zip(places) {
        result[place as usize] = face.map(|v| vertices[v as usize]);
    }
    Ok((result, report))
}
