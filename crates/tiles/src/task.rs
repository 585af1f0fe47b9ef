//! The work on a tile, as bytes that any machine takes and gives.
use crate::blame::blame;
use crate::disk::{NO_QUADRIC, Row};
use crate::frame::Frame;
use crate::results::{self, Vertex};
use crate::{Result, TilesError};
use bytemuck::Pod;
use glam::{DVec3, Vec3};
use ribbonmesh_remeshing::simplify::quadric::Quadric;
use ribbonmesh_remeshing::simplify::{Part, PartOptions, simplify_part};
use serde::{Deserialize, Serialize};

/// The aim of the work on a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Aim {
    /// The costs of its collapses.
    Costs,
    /// The tile with fewer faces.
    Tile,
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
}

/// The numbers of a task.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct About {
    pub aim: Aim,
    /// Faces that are to be left.
    pub goal: u32,
    pub feature_angle: Option<f32>,
    pub curve_weight: f32,
    pub max_turn: f32,
    pub frame: Frame,
}

/// Sizes of the arrays behind the numbers.
#[derive(Serialize, Deserialize)]
struct Head {
    about: About,
    vertices: usize,
    faces: usize,
    quadrics: usize,
}

/// Simplifies the tile of a task that [`Run::task`](crate::Run::task) has given, for
/// [`Run::put`](crate::Run::put): the same bytes on any machine. It takes about 400 bytes for each face.
/// # Errors
/// [`TilesError::NotManifold`]; [`TilesError::Task`] for bytes that are no task.
pub fn work_on(task: &[u8]) -> Result<Vec<u8>> {
    Task::parse(task).ok_or(TilesError::Task)?.run()
}

impl Task {
    /// Does the work: the bytes of the result.
    pub fn run(self) -> Result<Vec<u8>> {
        let Self { about, positions, faces, fixed, ids, quadrics } = self;
        let About { aim, goal, feature_angle, curve_weight, max_turn, frame } = about;
        let options = PartOptions { faces: goal, max_error: None, feature_angle, curve_weight, max_turn };
        let fixed: Vec<bool> = fixed.into_iter().map(|fixed| fixed != 0).collect();
        let part = Part {
            positions: positions.clone(),
            triangles: faces.clone(),
            fixed: fixed.clone(),
            quadrics: quadrics.iter().map(quadric).collect(),
        };
        drop(quadrics);
        let Some(done) = simplify_part(part, &options)? else {
            let part = Part { positions, triangles: faces, fixed, quadrics: vec![] };
            return Err(blame(&part, &frame));
        };
        if aim == Aim::Costs {
            return Ok(bytemuck::cast_slice(&done.removed).to_vec());
        }
        let vertex = |v: usize| Vertex {
            position: done.part.positions[v].to_array(),
            id: ids[done.sources[v] as usize],
            fixed: done.part.fixed[v].into(),
            quadric: row(&done.part.quadrics[v]),
        };
        let vertices: Vec<_> = (0..done.part.positions.len()).map(vertex).collect();
        Ok(results::encode(&vertices, &done.part.triangles))
    }
    /// As bytes: numbers as a line of JSON, and the arrays.
    pub fn bytes(&self) -> Vec<u8> {
        let (vertices, faces, quadrics) = (self.positions.len(), self.faces.len(), self.quadrics.len());
        let head = Head { about: self.about, vertices, faces, quadrics };
        // numbers have a text
        let mut bytes = serde_json::to_vec(&head).unwrap_or_default();
        bytes.push(b'\n');
        bytes.extend_from_slice(bytemuck::cast_slice(&self.positions));
        bytes.extend_from_slice(bytemuck::cast_slice(&self.faces));
        bytes.extend_from_slice(&self.fixed);
        bytes.extend_from_slice(bytemuck::cast_slice(&self.ids));
        bytes.extend_from_slice(bytemuck::cast_slice(&self.quadrics));
        bytes
    }
    fn parse(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|&byte| byte == b'\n')?;
        let Head { about, vertices, faces, quadrics } = serde_json::from_slice(&bytes[..end]).ok()?;
        let mut rest = &bytes[end + 1..];
        let task = Self {
            about,
            positions: array(&mut rest, vertices)?,
            faces: array(&mut rest, faces)?,
            fixed: array(&mut rest, vertices)?,
            ids: array(&mut rest, vertices)?,
            quadrics: array(&mut rest, quadrics)?,
        };
        let within = task.faces.as_flattened().iter().all(|&v| (v as usize) < vertices);
        (rest.is_empty() && within && [0, vertices].contains(&quadrics)).then_some(task)
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
