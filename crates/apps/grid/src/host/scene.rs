//! Scenes: a liquid and its surface.
use super::flow::{GridFlow, SharedReport};
use super::options::GridOptions;
use super::shapes::Body;
use ribbonmesh::glam::{DVec3, Vec3};
use ribbonmesh::{Error, Result, TriangleMesh};
use ribbonmesh_mesh::{ColourSpace, Column, Role};
use ribbonmesh_track::{Method, Scene, by_name, name_of};
use std::fmt;
use std::str::FromStr;

/// The edge length of the surface, as a part of a cell's.
const LENGTH: f64 = 0.75;
/// Least depth of particles below the surface at the beginning, as a part of a cell's edge. A cell with one
/// particle is liquid as a whole, so that the liquid of the grid reaches about half a cell beyond the
/// particles. Without this depth, two bodies press on each other through a gap that stays open until their
/// surfaces are folded and meet in many places at the same time.
const DEPTH: f64 = 0.25;
/// Number of cells in the width of the box for each cell in its height.
const WIDTH: f64 = 1.5;
/// Fewest and most cells in the height.
const SIZES: std::ops::RangeInclusive<u32> = 12..=640;

/// A scene by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridScene {
    /// Two streams of liquid collide in mid-air, form a thin sheet and fall on the floor (Chentanez, Müller,
    /// Macklin and Kim 2016, figure 5).
    Jets,
    /// A column of liquid collapses, and runs against the walls.
    DamBreak,
}

/// The beginning of a scene.
struct Beginning {
    /// Bodies of liquid, with their velocities and colours.
    bodies: Vec<(Body, Vec3, [u8; 3])>,
    /// A speed that is typical of the scene: at this speed a quarter of a cell is passed in one step.
    speed: f64,
    /// Time at which the scene ends.
    end: f64,
}

/// A scene, and the report of its liquid.
pub struct Built {
    /// The scene.
    pub scene: Scene,
    /// The report of the liquid's steps.
    pub report: SharedReport,
}

impl GridScene {
    /// All scenes, with their names.
    pub const ALL: [(Self, &'static str); 2] = [(Self::Jets, "jets"), (Self::DamBreak, "dam-break")];
    /// The default size: cells in the height of the box.
    pub fn usual_size(self) -> u32 {
        64
    }
    /// Builds the scene in a box of 1.5 × 1 × 1 with `size` cells in its height, or
    /// [`usual_size`](Self::usual_size). `seed` determines the positions of particles in their cells.
    /// # Errors
    /// [`Error::Option`] for a size that is not from 12 to 640.
    pub fn build(self, size: Option<u32>, seed: u64) -> Result<Built> {
        let size = size.unwrap_or(self.usual_size());
        if !SIZES.contains(&size) {
            let expected = "12 to 640 cells";
            return Err(Error::Option { option: "size", value: size.to_string(), expected });
        }
        let edge = 1.0 / f64::from(size);
        let width = (WIDTH * f64::from(size)).round() as u32;
        let Beginning { bodies, speed, end } = self.beginning(edge);
        let dt = 0.25 * edge / speed;
        let (mut mesh, mut positions, mut velocities) = (TriangleMesh::default(), vec![], vec![]);
        let mut colours: Vec<[u8; 3]> = vec![];
        for (body, velocity, colour) in bodies {
            let surface = body.surface(LENGTH * edge);
            let first = mesh.positions.len() as u32;
            mesh.faces.extend(surface.faces.iter().map(|face| face.map(|v| first + v)));
            mesh.positions.extend(&surface.positions);
            colours.resize(mesh.positions.len(), colour);
            positions.extend(body.particles(edge, DEPTH * edge, seed));
            velocities.resize(positions.len(), velocity);
        }
        let colours = Column::with_role("colour", Role::Colour(ColourSpace::Srgb), colours);
        mesh.vertices_mut().insert_column(colours)?;
        let options = GridOptions { cells: [width, size, size], edge: edge as f32, ..GridOptions::default() };
        let flow = GridFlow::new(options, positions, velocities, dt)?;
        let report = flow.report();
        let scene = Scene {
            mesh,
            flow: Box::new(flow),
            dt,
            steps: (end / dt).ceil() as u64,
            length: Some((LENGTH * edge) as f32),
            settle: 0,
            ends_at_pinching: false,
            method: Method::GridFree,
        };
        Ok(Built { scene, report })
    }
    fn beginning(self, edge: f64) -> Beginning {
        match self {
            Self::Jets => {
                // their axes do not meet, so that the sheet is not flat
                let jet = |side: f64, colour| {
                    let centre =
                        DVec3::new(0.5 * WIDTH + 0.37 * side, 0.66 - 0.015 * side, 0.5 + 0.01 * side);
                    let half = DVec3::new(0.22, -0.02 * side, 0.0);
                    let body = Body::Capsule { ends: [centre - half, centre + half], radius: 0.12 };
                    (body, Vec3::new(-2.0 * side as f32, 0.18, 0.0), colour)
                };
                let bodies = vec![jet(-1.0, [214, 96, 77]), jet(1.0, [67, 147, 195])];
                Beginning { bodies, speed: 2.0, end: 0.75 }
            }
            Self::DamBreak => {
                let foot = DVec3::new(0.3, 0.25 * edge, 0.5);
                let body = Body::Column { foot, radius: 0.22, height: 0.6, edge: 0.06 };
                Beginning { bodies: vec![(body, Vec3::ZERO, [67, 147, 195])], speed: 2.5, end: 1.5 }
            }
        }
    }
}
impl fmt::Display for GridScene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name_of(&Self::ALL, self))
    }
}
impl FromStr for GridScene {
    type Err = String;
    fn from_str(text: &str) -> std::result::Result<Self, String> {
        by_name(Self::ALL, text).map_err(|names| format!("{text:?} is no scene; scenes are {names}"))
    }
}
