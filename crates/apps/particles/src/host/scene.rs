//! Scenes: a liquid and its surface.
use super::fill::fill;
use super::flow::LiquidFlow;
use super::options::{Ball, LiquidOptions, SurfaceOptions, Walls, wrong};
use crate::physics::Jet;
use glam::{DVec3, Vec3};
use ribbonmesh::Result;
use ribbonmesh_mesh::TriangleMesh;
use ribbonmesh_track::{Method, Scene, by_name, isosurface, name_of, sphere, spheres};
use std::fmt;
use std::str::FromStr;

/// Scenes of Chentanez, Müller, Macklin and Kim 2016 with particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParticleScene {
    /// Two balls of liquid collide in mid-air (figure 6).
    BallSplash,
    /// Four jets rise from a pool and fall back into it (figure 1).
    Fountain,
    /// A fast ball is shot through a ball of liquid (figure 7).
    Balloon,
}
impl ParticleScene {
    /// All scenes, with their names.
    pub const ALL: [(Self, &'static str); 3] =
        [(Self::BallSplash, "ball-splash"), (Self::Fountain, "fountain"), (Self::Balloon, "balloon")];
    /// The default size: particles along the diameter of a ball, or the side of the pool.
    pub fn usual_size(self) -> u32 {
        match self {
            Self::BallSplash => 24,
            Self::Balloon => 16,
            Self::Fountain => 20,
        }
    }
    /// Builds the scene in a size, or in [`ParticleScene::usual_size`]. `seed` determines the random
    /// displacement of the lattice of particles.
    /// # Errors
    /// [`ribbonmesh::Error::Option`] for a size below 8 or above 400.
    pub fn scene(self, size: Option<u32>, seed: u64) -> Result<Scene> {
        let size = size.unwrap_or(self.usual_size());
        if !(8..=400).contains(&size) {
            return Err(wrong("size", size, "8 to 400"));
        }
        match self {
            Self::BallSplash => ball_splash(size, seed),
            Self::Fountain => fountain(size, seed),
            Self::Balloon => balloon(size, seed),
        }
    }
}
impl fmt::Display for ParticleScene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name_of(&Self::ALL, self))
    }
}
impl FromStr for ParticleScene {
    type Err = String;
    fn from_str(text: &str) -> std::result::Result<Self, String> {
        by_name(Self::ALL, text)
            .map_err(|names| format!("{text:?} is not a scene of particles; these are {names}"))
    }
}

/// The radius of the balls of liquid, in metres.
const RADIUS: f64 = 0.25;
/// The length of edges of fine surfaces, in spacings: it gives the same ratio of triangles to particles as in
/// the paper.
const FINE: f64 = 0.6;
/// Greatest movement in a step, in spacings.
const FAR: f64 = 0.4;

/// A ball of liquid: its particles.
fn ball_of_liquid(centre: DVec3, spacing: f64, seed: u64) -> Vec<Vec3> {
    let half = DVec3::splat(RADIUS + spacing);
    let places = fill(|p| p.length() < RADIUS, -half, half, spacing, seed);
    places.into_iter().map(|p| p + centre.as_vec3()).collect()
}
/// The surface of a ball of liquid, with edges of about this length.
fn ball(centre: DVec3, edge: f64) -> TriangleMesh {
    sphere(centre, RADIUS, divided(edge))
}
/// Parts of an edge of the icosahedron for edges of about this length.
fn divided(edge: f64) -> u32 {
    (1.2 * RADIUS / edge).round().max(1.0) as u32
}
/// Duration of a step in which something with this speed moves by [`FAR`] spacings.
fn step(spacing: f64, speed: f64) -> f64 {
    FAR * spacing / speed
}

/// Makes the scene of a liquid whose surface has edges of a length; it ends after `seconds`.
fn scene(mesh: TriangleMesh, edge: f64, flow: LiquidFlow, options: &LiquidOptions, seconds: f64) -> Scene {
    let dt = f64::from(options.substep);
    let mut scene = Scene {
        mesh,
        flow: Box::new(flow),
        dt,
        steps: (seconds / dt).round() as u64,
        length: Some(edge as f32),
        settle: 0,
        ends_at_pinching: false,
        method: Method::GridFree,
    };
    // these column names are free, so that this cannot fail
    _ = scene.colour();
    scene
}

fn ball_splash(size: u32, seed: u64) -> Result<Scene> {
    const SPEED: f64 = 2.0;
    let spacing = 2.0 * RADIUS / f64::from(size);
    let (mut places, mut velocities) = (vec![], vec![]);
    // not head-on
    let centres = [-1.0, 1.0].map(|side| side * DVec3::new(0.35, 0.05, 0.0));
    for (centre, seed) in centres.into_iter().zip([seed, seed ^ 1]) {
        places.extend(ball_of_liquid(centre, spacing, seed));
        velocities.resize(places.len(), Vec3::new((-centre.x.signum() * SPEED) as f32, 0.0, 0.0));
    }
    let mesh = spheres(&centres, RADIUS, divided(spacing))?;
    let options =
        LiquidOptions { substep: step(spacing, 2.0 * SPEED) as f32, ..LiquidOptions::new(spacing as f32) };
    let flow = LiquidFlow::new(places, velocities, &options, &SurfaceOptions::default())?;
    Ok(scene(mesh, spacing, flow, &options, 0.4))
}

fn balloon(size: u32, seed: u64) -> Result<Scene> {
    const SPEED: f32 = 10.0;
    let spacing = 2.0 * RADIUS / f64::from(size);
    let edge = FINE * spacing;
    let places = ball_of_liquid(DVec3::ZERO, spacing, seed);
    let velocities = vec![Vec3::ZERO; places.len()];
    let options = LiquidOptions {
        substep: step(spacing, f64::from(SPEED)) as f32,
        ball: Some(Ball { centre: Vec3::new(-0.4, 0.02, 0.01), velocity: SPEED * Vec3::X, radius: 0.06 }),
        ..LiquidOptions::new(spacing as f32)
    };
    let flow = LiquidFlow::new(places, velocities, &options, &SurfaceOptions::default())?;
    Ok(scene(ball(DVec3::ZERO, edge), edge, flow, &options, 0.12))
}

fn fountain(size: u32, seed: u64) -> Result<Scene> {
    const SPEED: f64 = 2.5;
    const DEPTH: f64 = 0.2;
    let spacing = 1.0 / f64::from(size);
    let edge = FINE * spacing;
    // the floor is at 0, and the walls a half from the axis
    let (low, high) = (DVec3::new(-0.5, 0.0, -0.5), DVec3::new(0.5, DEPTH, 0.5));
    // a lattice with cells at the corner of the pool
    let cells = ((high - low) / spacing).round().max(DVec3::ONE);
    let within = |p: DVec3| p.cmpgt(DVec3::ZERO).all() && p.cmplt(spacing * cells).all();
    let places: Vec<Vec3> = fill(within, DVec3::ZERO, spacing * cells, spacing, seed)
        .into_iter()
        .map(|p| p + low.as_vec3())
        .collect();
    let velocities = vec![Vec3::ZERO; places.len()];
    let jet = |x: f32, z: f32| Jet {
        base: [0.25 * x, 0.0, 0.25 * z],
        axis: Vec3::new(-0.2 * x, 1.0, -0.2 * z).normalize().to_array(),
        length: (DEPTH - spacing) as f32,
        radius: 0.05_f32.max(1.5 * spacing as f32),
        speed: SPEED as f32,
        acceleration: 60.0,
    };
    let options = LiquidOptions {
        substep: step(spacing, SPEED) as f32,
        walls: Some(Walls { low: low.as_vec3(), high: high.as_vec3().with_y(f32::INFINITY) }),
        jets: vec![jet(-1.0, -1.0), jet(1.0, -1.0), jet(-1.0, 1.0), jet(1.0, 1.0)],
        ..LiquidOptions::new(spacing as f32)
    };
    // a box with round edges
    let (middle, half) = (0.5 * (low + low + spacing * cells), 0.5 * spacing * cells);
    let surface = |p: DVec3| {
        let off = (p - middle).abs() - (half - spacing);
        off.max(DVec3::ZERO).length() + off.max_element().min(0.0) - spacing
    };
    // tetrahedra cut cells into triangles with edges that are shorter; walls are not at the planes of cells
    let (cell, beyond) = (1.5 * edge, 2.05 * edge * DVec3::ONE);
    let mesh = isosurface(surface, middle - half - beyond, middle + half + beyond, cell);
    let flow = LiquidFlow::new(places, velocities, &options, &SurfaceOptions::default())?;
    Ok(Scene { settle: 5, ..scene(mesh, edge, flow, &options, 2.0) })
}
