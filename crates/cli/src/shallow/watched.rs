//! The water in a browser: the surface of water and dry land, with depths and speeds.
use super::Shallow;
use super::ground::Land;
use crate::failure::Failure;
use crate::serving::Watched;
use ribbonmesh::glam::DVec3;
use ribbonmesh_render::Up;
use ribbonmesh_serve::{HeightMap, HeightMoment, Server};
use ribbonmesh_shallow::{Seen, Water};
use std::time::Instant;

impl Shallow {
    /// The water as it is at the beginning, if that is asked for.
    pub(super) fn watched(
        &self,
        server: Option<Server>,
        land: &Land,
        water: &Water,
    ) -> Result<Option<Watched<HeightMap>>, Failure> {
        let terrain = &land.terrain;
        let title = (format!("shallow {}", self.terrain.name()), Up::Z);
        let lowest = terrain.heights().iter().fold(f32::INFINITY, |low, &height| low.min(height));
        let origin = DVec3::new(0.0, 0.0, lowest.into());
        let size = [terrain.columns(), terrain.rows()];
        let seen = || Ok(HeightMap::new(water.device(), size, terrain.spacing(), origin)?);
        let mut watched = self.serving.watched_as(server, title, seen)?;
        watched.as_mut().map_or(Ok(()), |watched| show(watched, water))?;
        Ok(watched)
    }
}

/// Seconds of steps between two looks at who comes, while nobody watches.
const UNSEEN: f64 = 0.05;

/// Simulates until a time, and returns the seconds that it took. Each step is shown to those who watch, who
/// may pause it; steps are the same ones without them.
pub fn advance(
    water: &mut Water,
    until: f64,
    watched: &mut Option<Watched<HeightMap>>,
) -> Result<f64, Failure> {
    let (mut seconds, mut unseen) = (0.0, 1);
    while water.progress().time < until {
        let most = match watched {
            None => u32::MAX,
            Some(watched) if watched.has_clients() => 1,
            Some(_) => unseen,
        };
        let (start, before) = (Instant::now(), water.progress().steps);
        let after = water.advance_towards(until, most)?.steps;
        let taken = start.elapsed().as_secs_f64();
        unseen = (UNSEEN / taken * f64::from(after - before)).max(1.0) as u32;
        seconds += taken;
        watched.as_mut().map_or(Ok(()), |watched| show(watched, water))?;
    }
    Ok(seconds)
}

/// Shows the present step, and waits while a client has paused.
fn show(watched: &mut Watched<HeightMap>, water: &Water) -> Result<(), Failure> {
    let Seen { heights, depths, velocities, speeds, levels } = water.seen()?;
    let moment = HeightMoment::new(water.progress().time, heights)
        .of_cells("depth", depths)
        .of_cells("level", levels)
        .of_cells("speed", speeds)
        .of_cells("velocity", velocities);
    watched.show(moment)
}
