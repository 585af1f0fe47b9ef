//! `ribbonmesh volume smooth`.
use super::files::{self, Change};
use crate::failure::Failure;
use crate::session::Session;
use clap::{Args, value_parser};
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
        let (mut volume, mut mesh, encoded) = self.change.begin(session)?;
        let origin = volume.local_origin();
        let before = mesh.defects()?.inverted_cells.count;
        session.phase("smooth", || {
            mesh.smooth(self.steps as usize)?;
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
        self.change.end(session, &volume, &encoded)
    }
}
