//! Options of denoising.
use crate::denoise::Method;
use crate::denoise::ball::Rule;
use crate::normals::Weight;
use ribbonmesh::{Error, Result};
use ribbonmesh_application::{Choice, Options};

/// The edge length at a vertex that defines σc.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Radius {
    /// The shortest edge (thesis 4.5.3).
    #[default]
    Shortest,
    /// The mean of the edges.
    Mean,
    /// The longest edge.
    Longest,
}
/// Options of denoising. Options that are `None` are chosen by the noise of the mesh.
#[derive(Options, Clone, Copy, Debug, PartialEq)]
#[options(check)]
pub struct DenoiseOptions {
    /// Method: normals (of faces, filtered; keeps edges), bilateral (offsets of neighbours), taubin (keeps no
    /// edges)
    #[option(unit = "normals|bilateral|taubin")]
    pub method: Method,
    /// Standard deviation of the noise in mean edge lengths, 0 to 10
    #[option(unit = "SIGMA", default = "estimated")]
    pub noise: Option<f32>,
    /// Iterations
    ///
    /// Of the filter of normals, or of pairs of Taubin's steps, where these are the method. 0 moves nothing.
    #[option(default = "by the noise", most = MOST_ITERATIONS as u64)]
    pub iterations: Option<u32>,
    /// With `--method normals`: differences of unit normals beyond it are edges, above 0, at most 2
    #[option(unit = "SIGMA", default = "by the noise")]
    pub similarity: Option<f32>,
    /// With `--method bilateral`: edge length at each vertex by which the size of its neighbourhood goes
    pub radius: Radius,
    /// With `--method bilateral`: σc in those lengths; neighbours are those within 2σc
    #[option(unit = "FACTOR")]
    pub scale: f32,
    /// Leave vertices on the boundary where they are
    pub fixed_boundary: bool,
    /// Move vertices less far where faces would intersect others
    pub no_self_intersections: bool,
    /// Method `Bilateral`: weights of faces for vertex normals.
    #[option(skip)]
    pub normals: Weight,
    /// Method `Bilateral`: number of stored rings, 0 to 4; further rings are searched when needed. None:
    /// chosen by radius and scale. Does not change the result.
    #[option(skip)]
    pub stored_rings: Option<u32>,
}
impl Default for DenoiseOptions {
    fn default() -> Self {
        Self {
            method: Method::Normals,
            noise: None,
            iterations: None,
            similarity: None,
            radius: Radius::Shortest,
            scale: 1.0,
            fixed_boundary: false,
            no_self_intersections: false,
            normals: Weight::Area,
            stored_rings: None,
        }
    }
}
impl DenoiseOptions {
    /// Refuses values that are out of range; [`Error::Option`] names the option.
    pub(crate) fn check(&self) -> Result<()> {
        let wrong = |option, value: String, expected| Err(Error::Option { option, value, expected });
        match self.iterations {
            Some(n) if n > MOST_ITERATIONS => return wrong("iterations", n.to_string(), "0 to 10000"),
            _ => {}
        }
        match self.noise {
            Some(noise) if !(0.0..=10.0).contains(&noise) => {
                return wrong("noise", noise.to_string(), "0 to 10 mean edges");
            }
            _ => {}
        }
        match self.similarity {
            Some(sigma) if !(sigma > 0.0 && sigma <= 2.0) => {
                return wrong("similarity", sigma.to_string(), "above 0, at most 2");
            }
            _ => {}
        }
        if !(self.scale > 0.0 && self.scale <= 100.0) {
            return wrong("scale", self.scale.to_string(), "above 0, at most 100");
        }
        match self.stored_rings {
            Some(rings) if rings > MOST_RINGS => wrong("stored rings", rings.to_string(), "0 to 4"),
            _ => Ok(()),
        }
    }
    /// The number of rings to store: one more than a ball reaches, so that the last one has no vertex in the
    /// ball. This is for regular meshes, whose rings are 0.87 of an edge apart, if the shortest edge is an
    /// edge of the mesh and the others are somewhat longer.
    pub(crate) fn rings(&self) -> u32 {
        let longer = match self.radius {
            Radius::Shortest => 1.0,
            Radius::Mean => 1.35,
            Radius::Longest => 1.7,
        };
        let reached = (2.0 * self.scale * longer / 0.87) as u32;
        self.stored_rings.unwrap_or((reached + 1).clamp(1, MOST_RINGS))
    }
    pub(crate) fn rule(&self) -> Rule {
        let from = match self.radius {
            Radius::Shortest => Rule::SHORTEST,
            Radius::Mean => Rule::MEAN,
            Radius::Longest => Rule::LONGEST,
        };
        Rule { from, scale: self.scale }
    }
}

const MOST_ITERATIONS: u32 = 10_000;
const MOST_RINGS: u32 = 4;
