//! Scenes: surfaces with known velocities.
use super::flow::{AlongNormals, ByCurvature, Flow, Motion};
use super::names::{by_name, name_of};
use super::options::{Method, TrackOptions};
use super::shapes;
use crate::fields::{CurlNoise, Enright, Rotation, Vortex};
use crate::scenes::{Deform, Drift, Rotate, Swirl};
use ribbonmesh::glam::DVec3;
use ribbonmesh::{Error, Result};
use ribbonmesh_mesh::{BoundingBox, ColourSpace, Column, ColumnError, Role, TriangleMesh};
use std::f64::consts::TAU;
use std::fmt;
use std::str::FromStr;

/// A scene by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneKind {
    /// A square sheet with a boundary in the curl of noise (thesis figure 5.13; El Topo's `open-curlnoise`).
    CurlNoise,
    /// A sphere in the curl of noise (El Topo's `curlnoise`).
    CurlNoiseSphere,
    /// A sphere that becomes a thin sheet and a sphere again (El Topo's `enright`).
    Enright,
    /// A sphere with a slot that is turned once (Zalesak 1979; Enright, Fedkiw, Ferziger and Mitchell 2002).
    Zalesak,
    /// A sphere in a vortex that turns back (LeVeque 1996).
    Vortex,
    /// An ellipsoid that is turned once.
    Rotation,
    /// A sphere that grows along its normals and shrinks again.
    NormalFlow,
    /// A dumbbell that moves by its mean curvature (El Topo's `meancurvature`): its handle pinches, and both
    /// ends vanish.
    MeanCurvature,
    /// Two spheres that grow along their normals, merge, shrink and part (El Topo's `faceoff`).
    TwoSpheres,
    /// Spheres at random places that grow along their normals, merge and shrink.
    Spheres,
    /// A sphere in the curl of noise for a long time (El Topo's `tangled`).
    Tangled,
}
impl SceneKind {
    /// All scenes, with their names.
    pub const ALL: [(Self, &'static str); 11] = [
        (Self::CurlNoise, "curl-noise"),
        (Self::CurlNoiseSphere, "curl-noise-sphere"),
        (Self::Enright, "enright"),
        (Self::Zalesak, "zalesak"),
        (Self::Vortex, "vortex"),
        (Self::Rotation, "rotation"),
        (Self::NormalFlow, "normal-flow"),
        (Self::MeanCurvature, "mean-curvature"),
        (Self::TwoSpheres, "two-spheres"),
        (Self::Spheres, "spheres"),
        (Self::Tangled, "tangled"),
    ];
    /// The default size: vertices along a side of the sheet; the part into which an edge of the icosahedron
    /// is divided; cells in a length of 1 for surfaces made of cells; the number of spheres.
    pub fn usual_size(self) -> u32 {
        match self {
            Self::CurlNoise => 60,
            Self::CurlNoiseSphere | Self::NormalFlow | Self::Tangled => 6,
            // edges of 0.1625 radii
            Self::TwoSpheres => 7,
            Self::Spheres => 100,
            // the number of faces that El Topo has, at most 25,000
            Self::Enright => 18,
            Self::Vortex | Self::Rotation => 8,
            Self::Zalesak => 80,
            Self::MeanCurvature => 25,
        }
    }
    fn least_size(self) -> u32 {
        match self {
            Self::CurlNoise => 2,
            Self::Zalesak => 40,
            Self::MeanCurvature => 12,
            _ => 1,
        }
    }
}
impl fmt::Display for SceneKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(name_of(&Self::ALL, self))
    }
}
impl FromStr for SceneKind {
    type Err = String;
    fn from_str(text: &str) -> std::result::Result<Self, String> {
        by_name(Self::ALL, text).map_err(|names| format!("{text:?} is not a scene; scenes are {names}"))
    }
}

/// A surface, and the flow that moves it.
pub struct Scene {
    /// The surface at the beginning, with a column of colours.
    pub mesh: TriangleMesh,
    /// The flow that moves it.
    pub flow: Box<dyn Flow>,
    /// The time step.
    pub dt: f64,
    /// Number of steps of the scene.
    pub steps: u64,
    /// The edge length to which criteria are relative; `None`: the mean.
    pub length: Option<f32>,
    /// Steps of improvement before the first one: surfaces made of cells have poor triangles.
    pub settle: u32,
    /// Whether it ends where the surface is about to pinch, unless by [`Method::GridFree`].
    pub ends_at_pinching: bool,
    /// The method for which the scene is made.
    pub method: Method,
}

/// Most vertices along a side of a sheet, and most parts of an edge.
const MOST: u32 = 10_000;

impl Scene {
    /// Builds a scene of a size, or of [`SceneKind::usual_size`]. `seed` determines the noise, and random
    /// positions.
    /// # Errors
    /// [`Error::Option`] for a size that is too small or too large.
    pub fn new(kind: SceneKind, size: Option<u32>, seed: u64) -> Result<Self> {
        let size = size.unwrap_or(kind.usual_size());
        if !(kind.least_size()..=MOST).contains(&size) {
            let expected = "at most 10000, and as many as the scene needs at least: 2 for curl-noise, 40 for zalesak, 12 for mean-curvature, else 1";
            return Err(Error::Option { option: "size", value: size.to_string(), expected });
        }
        let noise = CurlNoise {
            centre: [0.0, 1.0, 0.0],
            radius: 4.0,
            scale: 1.5,
            gain: 0.65,
            seed: (seed ^ (seed >> 32)) as u32,
        };
        let off_centre = DVec3::new(0.5, 0.75, 0.5);
        let once = Rotation { centre: [0.5, 0.5], speed: TAU as f32 };
        let cell = 1.0 / f64::from(size);
        let part = |n: u32, usual: u32| f64::from(usual) / f64::from(n.max(1));
        let (mut length, mut settle, mut ends_at_pinching) = (None, 0, false);
        let (mesh, flow, dt, steps): (_, Box<dyn Flow>, f64, u64) = match kind {
            // the same distance in each step, in edges, for every size
            SceneKind::CurlNoise => {
                (shapes::sheet(6.0, size), Box::new(noise), 0.05 * part(size, 60).min(1.0), 100)
            }
            SceneKind::CurlNoiseSphere => {
                (shapes::sphere(DVec3::Y, 1.0, size), Box::new(noise), 0.05 * part(size, 6).min(1.0), 100)
            }
            SceneKind::Enright => {
                let sphere = shapes::sphere(DVec3::splat(0.35), 0.15, size);
                (sphere, Box::new(Enright { period: 3.0 }), 0.01, 300)
            }
            SceneKind::Zalesak => {
                (length, settle) = (Some(cell as f32), 5);
                (shapes::slotted_sphere(cell), Box::new(once), 1.0 / 628.0, 628)
            }
            SceneKind::Vortex => {
                (shapes::sphere(off_centre, 0.15, size), Box::new(Vortex { period: 3.0 }), 0.01, 300)
            }
            SceneKind::Rotation => {
                let mut mesh = shapes::sphere(DVec3::ZERO, 1.0, size);
                let half = DVec3::new(0.15, 0.1, 0.12);
                mesh.positions.iter_mut().for_each(|p| *p = off_centre + *p * half);
                (mesh, Box::new(once), 0.01, 100)
            }
            SceneKind::NormalFlow => {
                let flow = InAndOut { speed: 0.2, turns: 1.0 };
                (shapes::sphere(DVec3::ZERO, 0.2, size), Box::new(flow), 0.005, 400)
            }
            SceneKind::MeanCurvature => {
                (length, settle, ends_at_pinching) = (Some(cell as f32), 5, true);
                let dt = 1e-4 * part(size, 25).powi(2).min(1.0);
                (shapes::dumbbell(cell), Box::new(ByCurvature { speed: 1.0 }), dt, 1000)
            }
            SceneKind::TwoSpheres => {
                let centres = [-0.25, 0.25].map(|x| DVec3::new(x, 0.0, 0.0));
                let flow = InAndOut { speed: 0.2, turns: 1.0 };
                (shapes::spheres(&centres, 0.2, size)?, Box::new(flow), 0.005, 400)
            }
            SceneKind::Spheres => {
                let radius = 0.25 / f64::from(size).cbrt();
                let flow = InAndOut { speed: radius as f32, turns: 1.0 };
                let centres = shapes::places(size, 2.2 * radius, seed);
                (shapes::spheres(&centres, radius, 3)?, Box::new(flow), 0.04, 50)
            }
            SceneKind::Tangled => {
                (shapes::sphere(DVec3::Y, 1.0, size), Box::new(noise), 0.05 * part(size, 6).min(1.0), 450)
            }
        };
        let method = match kind {
            SceneKind::TwoSpheres | SceneKind::Spheres | SceneKind::Tangled => Method::GridFree,
            _ => Method::Improve,
        };
        let mut scene = Self { mesh, flow, dt, steps, length, settle, ends_at_pinching, method };
        // these column names are free, so that this cannot fail
        _ = scene.colour();
        Ok(scene)
    }
    /// Options for the scene: the given ones, with the scene's length unless they have one.
    pub fn options(&self, given: &TrackOptions) -> TrackOptions {
        TrackOptions { length: given.length.or(self.length), ..given.clone() }
    }
    /// Colours vertices by their positions, so that pictures show their paths.
    /// # Errors
    /// [`ColumnError`] if there is a column `colour` already.
    pub fn colour(&mut self) -> std::result::Result<(), ColumnError> {
        let all = || self.mesh.positions.iter().copied();
        let around = all().fold(BoundingBox::EMPTY, BoundingBox::with);
        let size = around.size();
        let colour = |p: DVec3| {
            let at = (p - around.low) / size.max(DVec3::splat(1e-9 + 0.3 * size.max_element()));
            // lighter than the darkest colours of a screen
            (DVec3::splat(70.0) + 180.0 * at).to_array().map(|x| x.round() as u8)
        };
        let colours: Vec<[u8; 3]> = all().map(colour).collect();
        self.mesh.vertices_mut().insert_column(Column::with_role(
            "colour",
            Role::Colour(ColourSpace::Srgb),
            colours,
        ))
    }
}

/// Motion along the normals: outwards, and from a time on inwards.
struct InAndOut {
    speed: f32,
    turns: f64,
}
impl Flow for InAndOut {
    fn advance(&mut self, motion: &mut Motion<'_>) -> Result<()> {
        // half of a step before the turn is rounding
        let inwards = motion.time() > self.turns - 1e-9;
        AlongNormals { speed: if inwards { -self.speed } else { self.speed } }.advance(motion)
    }
}

macro_rules! flows { ($($velocity:ident $kernel:ident;)*) => { $(
    impl Flow for $velocity {
        fn advance(&mut self, motion: &mut Motion<'_>) -> Result<()> {
            let (device, blocks) = (motion.device(), motion.blocks());
            device.launch(blocks, $kernel { motion: motion.arguments(), velocity: *self })
        }
    }
)* } }
flows! {
    Rotation Rotate;
    Enright Deform;
    Vortex Swirl;
    CurlNoise Drift;
}
