//! `ribbonmesh volume smooth`.
use super::files::{self, Change};
use crate::failure::Failure;
use crate::serving::{Serving, Watched};
use crate::session::Session;
use crate::streams::input_name;
use clap::{Args, value_parser};
use ribbonmesh::array::gather;
use ribbonmesh::glam::DVec3;
use ribbonmesh_serve::Moment;
use ribbonmesh_volume::{CellKind, CellList, VolumeMesh, VolumeOptions};
use ribbonmesh_volume_io::VolumeData;
use serde::Serialize;

/// Smooth the inside of a volume
///
/// In each step every vertex inside moves to the mean of its neighbours, all at once; vertices of the surface
/// stay. This evens out cells, and may invert some where the surface has dents: the result is examined, and
/// says how many.
#[derive(Args)]
#[command(after_help = "\
Example:
  ribbonmesh volume smooth block.vtu -o smooth.vtu --steps 20")]
pub struct Smooth {
    /// Steps
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = value_parser!(u32).range(1..))]
    steps: u32,
    #[command(flatten)]
    change: Change,
    #[command(flatten)]
    serving: Serving,
}

#[derive(Serialize)]
struct Results {
    steps: u32,
    inverted_cells_before: usize,
    inverted_cells_after: usize,
    /// The longest way of a vertex.
    greatest_displacement: f64,
}

impl Smooth {
    pub fn run(&self, session: &mut Session) -> Result<(), Failure> {
        let (name, output) = self.change.names();
        let server = self.serving.begin(session, output)?;
        let (mut volume, mut mesh, encoded) = self.change.begin(session)?;
        let mut watched = self.serving.watched(server, mesh.device(), input_name(name).to_string())?;
        let origin = volume.local_origin();
        let before = mesh.defects()?.inverted_cells.count;
        session.phase("smooth", || {
            match &mut watched {
                None => mesh.smooth(self.steps as usize)?,
                Some(watched) => smooth_and_show(&mut mesh, &volume, self.steps, watched)?,
            }
            Ok::<_, Failure>(mesh.device().synchronize()?)
        })?;
        let after = mesh.defects()?.inverted_cells.count;
        let old = volume.positions.clone();
        volume.move_points_around(origin, &mesh.positions().read()?);
        if self.change.turns() {
            files::take_turned(session, &mut volume, &mesh)?;
        }
        let ways = old.iter().zip(&volume.positions).map(|(a, b)| a.distance(*b));
        let results = Results {
            steps: self.steps,
            inverted_cells_before: before,
            inverted_cells_after: after,
            greatest_displacement: ways.fold(0.0, f64::max),
        };
        session.results(&results);
        if after > before {
            session.warn(format!("{after} cells are inverted, {before} before"));
        }
        self.change.end(session, &volume, &encoded)?;
        if let Some(watched) = watched {
            watched.stay(session);
        }
        Ok(())
    }
}

/// Makes step by step, each of which is shown. The surface stays where it is, so what is seen is that of half
/// of the cells, whose middles are below the middle of the longest side of the box: the inside is bare there.
fn smooth_and_show(
    mesh: &mut VolumeMesh,
    volume: &VolumeData,
    steps: u32,
    watched: &mut Watched,
) -> Result<(), Failure> {
    let origin = volume.local_origin();
    let half = VolumeData { cells: half_of(volume), ..VolumeData::default() };
    let half = VolumeData { positions: volume.positions.clone(), ..half };
    let surface = half.upload(mesh.device(), origin, &VolumeOptions::default())?.surface()?;
    let (vertices, faces) = (surface.volume_vertices(), surface.corners());
    let start = gather(mesh.positions(), vertices)?;
    let mut moment = Moment::at(0.0).around(origin).faces(faces.try_clone()?);
    for step in 0..=steps {
        let now = gather(mesh.positions(), vertices)?;
        watched.show(moment.positions(now).of_vertices("start", start.try_clone()?))?;
        if step < steps {
            mesh.smooth(1)?;
        }
        moment = Moment::at(f64::from(step + 1));
    }
    Ok(())
}

/// The cells whose middle is below the middle of the longest side of the box.
fn half_of(volume: &VolumeData) -> CellList {
    let all = volume.positions.iter();
    let (low, high) = all.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)));
    let axis = (high - low).max_position();
    let middle = (0.5 * (low + high))[axis];
    let mut half = CellList::new();
    for cell in 0..volume.cells.len() {
        let (kind, words) = volume.cells.cell(cell);
        let vertices = match kind {
            CellKind::Polyhedron => corners_of_stream(words),
            _ => words.to_vec(),
        };
        let sum: f64 = vertices.iter().map(|&v| volume.positions[v as usize][axis]).sum();
        if sum <= middle * vertices.len() as f64 {
            half.push(kind, words);
        }
    }
    half
}

/// Corners of the faces in a polyhedron's stream: their number; for each the number of its corners, and
/// these.
fn corners_of_stream(stream: &[u32]) -> Vec<u32> {
    let (mut rest, mut all) = (stream.get(1..).unwrap_or_default(), vec![]);
    while let Some((&n, behind)) = rest.split_first() {
        let (corners, next) = behind.split_at((n as usize).min(behind.len()));
        all.extend_from_slice(corners);
        rest = next;
    }
    all
}
