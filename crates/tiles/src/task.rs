//! The work on a tile, as bytes that any machine takes and gives.
use crate::blame::blame;
use crate::disk::{NO_QUADRIC, Row};
use crate::even::even;
use crate::frame::Frame;
use crate::level::SHARED;
use crate::results::{Done, Vertex};
use crate::{Result, TilesError};
use bytemuck::Pod;
use glam::{DVec3, Vec3};
use ribbonmesh_remeshing::remesh;
use ribbonmesh_remeshing::simplify::quadric::Quadric;
use ribbonmesh_remeshing::simplify::{Part, PartOptions, Simplified, simplify_part};
use serde::{Deserialize, Serialize};

/// The aim of the work on a tile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Aim {
    /// The costs of its collapses.
    Costs(Shape),
    /// The tile with fewer faces.
    Simplify(Shape),
    /// The tile with even triangles: everywhere, or around what has waited.
    Remesh { options: remesh::PartOptions, everywhere: bool },
}

/// Numbers of simplification.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// Faces that are to be left.
    pub goal: u32,
    pub feature_angle: Option<f32>,
    pub curve_weight: f32,
    pub max_turn: f32,
}

/// All that the work on a tile depends on.
pub struct Task {
    pub about: About,
    pub positions: Vec<Vec3>,
    pub faces: Vec<[u32; 3]>,
    pub fixed: Vec<u8>,
    pub ids: Vec<u32>,
    /// Empty where faces tell them.
    pub quadrics: Vec<Row>,
    /// Target lengths of vertices; empty where they are the same.
    pub lengths: Vec<f32>,
}

/// The numbers of a task.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct About {
    pub aim: Aim,
    pub frame: Frame,
}

/// Sizes of the arrays behind the numbers.
#[derive(Serialize, Deserialize)]
struct Head {
    about: About,
    vertices: usize,
    faces: usize,
    quadrics: usize,
    lengths: usize,
}

/// Works on the tile of a task that [`Run::task`](crate::Run::task) has given, for
/// [`Run::put`](crate::Run::put): the same bytes on any machine. It takes about 400 bytes for each face
/// to simplify, and 1000 to remesh.
/// # Errors
/// [`TilesError::NotManifold`]; [`TilesError::Task`] for bytes that are no task.
pub fn work_on(task: &[u8]) -> Result<Vec<u8>> {
    Task::parse(task).ok_or(TilesError::Task)?.run()
}

impl Task {
    /// Does the work: the bytes of the result.
    pub fn run(self) -> Result<Vec<u8>> {
        match self.about.aim {
            Aim::Costs(shape) => {
                let (done, _) = self.simplified(shape)?;
                Ok(bytemuck::cast_slice(&done.removed).to_vec())
            }
            Aim::Simplify(shape) => {
                let (done, ids) = self.simplified(shape)?;
                Ok(of_simplified(done, &ids).encode())
            }
            Aim::Remesh { options, everywhere } => Ok(even(&self, &options, everywhere)?.encode()),
        }
    }
    /// Whether other tiles have each vertex.
    pub fn shared(&self) -> Vec<bool> {
        self.fixed.iter().map(|bits| bits & SHARED != 0).collect()
    }
    /// The error of a tile that is no part of an oriented manifold.
    pub fn blame(&self) -> TilesError {
        blame(&self.positions, &self.faces, &self.shared(), &self.about.frame)
    }
    /// The simplified tile, and the numbers of its vertices before.
    fn simplified(mut self, shape: Shape) -> Result<(Simplified, Vec<u32>)> {
        let Shape { goal, feature_angle, curve_weight, max_turn } = shape;
        let options = PartOptions { faces: goal, max_error: None, feature_angle, curve_weight, max_turn };
        let part = Part {
            positions: self.positions.clone(),
            triangles: self.faces.clone(),
            fixed: self.shared(),
            quadrics: std::mem::take(&mut self.quadrics).iter().map(quadric).collect(),
        };
        match simplify_part(part, &options)? {
            Some(done) => Ok((done, self.ids)),
            None => Err(self.blame()),
        }
    }
    /// As bytes: numbers as a line of JSON, and the arrays.
    pub fn bytes(&self) -> Vec<u8> {
        let (vertices, faces, quadrics) = (self.positions.len(), self.faces.len(), self.quadrics.len());
        let head = Head { about: self.about, vertices, faces, quadrics, lengths: self.lengths.len() };
        // numbers have a text
        let mut bytes = serde_json::to_vec(&head).unwrap_or_default();
        bytes.push(b'\n');
        bytes.extend_from_slice(bytemuck::cast_slice(&self.positions));
        bytes.extend_from_slice(bytemuck::cast_slice(&self.faces));
        bytes.extend_from_slice(&self.fixed);
        bytes.extend_from_slice(bytemuck::cast_slice(&self.ids));
        bytes.extend_from_slice(bytemuck::cast_slice(&self.quadrics));
        bytes.extend_from_slice(bytemuck::cast_slice(&self.lengths));
        bytes
    }
    fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|&byte| byte == b'\n')?;
        let Head { about, vertices, faces, quadrics, lengths } =
            serde_json::from_slice(&bytes[..end]).ok()?;
        let mut rest = &bytes[end + 1..];
        let task = Self {
            about,
            positions: array(&mut rest, vertices)?,
            faces: array(&mut rest, faces)?,
            fixed: array(&mut rest, vertices)?,
            ids: array(&mut rest, vertices)?,
            quadrics: array(&mut rest, quadrics)?,
            lengths: array(&mut rest, lengths)?,
        };
        let within = task.faces.as_flattened().iter().all(|&v| (v as usize) < vertices);
        let of_vertices = [quadrics, lengths].into_iter().all(|count| [0, vertices].contains(&count));
        (rest.is_empty() && within && of_vertices).then_some(task)
    }
}

fn of_simplified(Simplified { part, sources, .. }: Simplified, ids: &[u32]) -> Done {
    let vertex = |v: usize| Vertex {
        position: part.positions[v].to_array(),
        id: ids[sources[v] as usize],
        fixed: part.fixed[v].into(),
    };
    Done {
        vertices: (0..part.positions.len()).map(vertex).collect(),
        quadrics: part.quadrics.iter().map(row).collect(),
        lengths: vec![],
        triangles: part.triangles,
    }
}

fn array<T: Pod>(rest: &mut &[u8], count: usize) -> Option<Vec<T>> {
    let (head, tail) = rest.split_at_checked(count.checked_mul(size_of::<T>())?)?;
    *rest = tail;
    Some(bytemuck::pod_collect_to_vec(head))
}

fn quadric(&[a0, a1, a2, a3, a4, a5, x, y, z, c, area, drift]: &Row) -> Quadric {
    Quadric { a: [a0, a1, a2, a3, a4, a5], b: DVec3::new(x, y, z), c, area, drift }
}
fn row(q: &Quadric) -> Row {
    if q.area == 0.0 {
        return NO_QUADRIC;
    }
    let ([a0, a1, a2, a3, a4, a5], b) = (q.a, q.b);
    [a0, a1, a2, a3, a4, a5, b.x, b.y, b.z, q.c, q.area, q.drift]
}
