//! Options.
use crate::Method;
use crate::ball::Rule;
use ribbonmesh::{Error, Result};
use ribbonmesh_normals::Weight;
use std::fmt;
use std::str::FromStr;

/// The edge length at a vertex that defines σc.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Radius {
    /// The shortest edge (thesis 4.5.3).
    #[default]
    Shortest,
    /// The mean of the edges.
    Mean,
    /// The longest edge.
    Longest,
}
impl Radius {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Shortest, Self::Mean, Self::Longest];
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shortest => "shortest",
            Self::Mean => "mean",
            Self::Longest => "longest",
        }
    }
}
impl fmt::Display for Radius {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
impl FromStr for Radius {
    type Err = Error;
    /// Upper or lower case does not matter.
    fn from_str(s: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|r| r.name().eq_ignore_ascii_case(s));
        found.ok_or_else(|| Error::Option {
            option: "radius",
            value: s.to_owned(),
            expected: "shortest, mean or longest",
        })
    }
}

/// Options of denoising. What is none is chosen by the noise of the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DenoiseOptions {
    /// How vertices are moved.
    pub method: Method,
    /// Standard deviation of the noise in mean edge lengths, 0 to 10. None: estimated.
    pub noise: Option<f32>,
    /// Number of iterations, at most 10,000: of the filter of normals, or of pairs of Taubin's steps, where these are the
    /// method. 0 moves nothing. None: chosen by the noise; 0 if there is none.
    pub iterations: Option<u32>,
    /// Method `Normals`: σs, above 0 and at most 2: differences of unit normals beyond it are edges. None: chosen by the
    /// noise.
    pub similarity: Option<f32>,
    /// Method `Bilateral`: the edge length that defines σc.
    pub radius: Radius,
    /// Method `Bilateral`: σc divided by this length, above 0 and at most 100. The radius of the ball is 2σc.
    pub scale: f32,
    /// Whether vertices on the boundary stay.
    pub fixed_boundary: bool,
    /// Method `Bilateral`: weights of faces for vertex normals.
    pub normals: Weight,
    /// Method `Bilateral`: number of stored rings, 0 to 4; further rings are searched when needed. None: chosen by radius
    /// and scale. Does not change the result.
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
            normals: Weight::Area,
            stored_rings: None,
        }
    }
}
impl DenoiseOptions {
    /// [`Error::Option`] names what is out of range.
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
    /// One ring more than those that a ball reaches where the shortest edge is an edge of a regular mesh, whose rings are
    /// 0.87 of an edge apart, and the others are somewhat longer: the ring in which there is none.
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
