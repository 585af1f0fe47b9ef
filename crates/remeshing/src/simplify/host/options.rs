//! Options of simplification.
use crate::order::Order;
use ribbonmesh::dynamic::ExecutionMode;
use ribbonmesh::{Error, Result};
use ribbonmesh_application::{Choice, Kind, OptionValue, expected};
use std::fmt;
use std::str::FromStr;

/// The number of faces that is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// This number.
    Faces(u32),
    /// This share of the input's number, 0 to 1.
    Ratio(f64),
}

/// Greatest distance of the surfaces from each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// Distance in the units of the positions.
    Absolute(f32),
    /// Distance in diagonals of the input's box.
    Diagonal(f32),
}
impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absolute(l) => write!(f, "{l}"),
            Self::Diagonal(l) => write!(f, "{}%", 100.0 * l),
        }
    }
}
impl FromStr for Bound {
    type Err = Error;
    /// Parses `0.01`, or `0.1%` of the diagonal.
    fn from_str(s: &str) -> Result<Self> {
        let (number, percent) = match s.strip_suffix('%') {
            Some(number) => (number, true),
            None => (s, false),
        };
        match number.trim().parse::<f32>() {
            Ok(l) if l.is_finite() && l >= 0.0 => {
                Ok(if percent { Self::Diagonal(l / 100.0) } else { Self::Absolute(l) })
            }
            _ => Err(Error::Option {
                option: "max error",
                value: s.to_owned(),
                expected: "a number not below 0, such as 0.01, or 0.1% of the diagonal",
            }),
        }
    }
}

impl OptionValue for Bound {
    const KIND: Kind = Kind::Measure;
    fn parse(text: &str) -> std::result::Result<Self, String> {
        text.parse().map_err(expected)
    }
    fn text(&self) -> Option<String> {
        Some(self.to_string())
    }
}

/// Treatment of components, holes and tunnels.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Topology {
    /// They all stay: edges are collapsed where that keeps the surface an oriented manifold of the same
    /// topology. How few faces there can be depends on them.
    #[default]
    Keep,
    /// Where they are too many for the target, pairs of vertices are contracted, be they edges or only near
    /// each other: holes and tunnels close, small components vanish, components join. Any number of faces
    /// from 1 on is reached.
    Free,
}
/// Options of [`simplify`](crate::simplify::simplify).
#[derive(Clone, Debug, PartialEq)]
pub struct SimplifyOptions {
    /// The number of faces that is wanted; `None`: as few as the largest error allows.
    pub target: Option<Target>,
    /// Greatest distance of the two surfaces from each other; `None`: any distance.
    pub max_error: Option<Bound>,
    /// Treatment of components, holes and tunnels.
    pub topology: Topology,
    /// Edges whose faces' normals have a greater angle than this, in degrees, are features: they are kept, as
    /// curves with corners. `None`: only the boundary is a feature.
    pub feature_angle: Option<f32>,
    /// Whether vertices of the boundary stay as they are.
    pub fixed_boundary: bool,
    /// Weight of the planes through edges of the boundary and of features, relative to those of faces.
    pub curve_weight: f32,
    /// The largest angle by which one collapse may turn a face, in degrees.
    pub max_turn: f32,
    /// The order of collapses: in sequence, the cheapest edge first; in rounds, in stages. Either gives other
    /// triangles, of about the same error.
    pub order: Order,
    /// In rounds, at most this share of the faces, as edges, is collapsed in a stage before costs are looked
    /// at again, 0 to 1.
    pub share: f32,
    /// Whether collapses whose faces would intersect other faces are left out, or undone. Intersections of
    /// the input stay. The faces around them stay, too, if every collapse there makes other intersections.
    pub no_self_intersections: bool,
    /// Whether to check the mesh after every stage.
    pub validate: bool,
    /// Order in which the phases of collapses are launched; the result does not depend on it.
    pub mode: ExecutionMode,
}
impl Default for SimplifyOptions {
    /// Neither a target nor a largest error: one of them has to be set.
    fn default() -> Self {
        Self {
            target: None,
            max_error: None,
            topology: Topology::Keep,
            feature_angle: None,
            fixed_boundary: false,
            curve_weight: 10.0,
            max_turn: 75.0,
            order: Order::Auto,
            share: 0.125,
            no_self_intersections: false,
            validate: false,
            mode: ExecutionMode::default(),
        }
    }
}
impl SimplifyOptions {
    /// Refuses values that are not valid.
    /// # Errors
    /// [`Error::Option`].
    pub fn check(&self) -> Result<()> {
        let refuse = |option, value: String, expected| Err(Error::Option { option, value, expected });
        if self.target.is_none() && self.max_error.is_none() {
            let expected = "a number of faces, a ratio or a largest error";
            return refuse("target", "none".to_owned(), expected);
        }
        if let Some(Target::Ratio(ratio)) = self.target
            && !(0.0..=1.0).contains(&ratio)
        {
            return refuse("ratio", ratio.to_string(), "0 to 1");
        }
        if self.topology == Topology::Free {
            let fault = match self {
                Self { target: None | Some(Target::Faces(0)), .. } => {
                    Some("keep without at least one face as the target")
                }
                Self { max_error: Some(_), .. } => Some("keep where the error is limited"),
                Self { fixed_boundary: true, .. } => Some("keep where the boundary is fixed"),
                Self { no_self_intersections: true, .. } => Some("keep where no self-intersections may come"),
                _ => None,
            };
            if let Some(expected) = fault {
                return refuse("topology", self.topology.to_string(), expected);
            }
        }
        if let Some(angle) = self.feature_angle
            && !(angle > 0.0 && angle <= 180.0)
        {
            return refuse("feature angle", angle.to_string(), "degrees above 0, up to 180");
        }
        if let Some(Bound::Absolute(l) | Bound::Diagonal(l)) = self.max_error
            && !(l >= 0.0 && l.is_finite())
        {
            return refuse("max error", l.to_string(), "a number not below 0");
        }
        if !(self.curve_weight >= 0.0 && self.curve_weight <= 1e6) {
            return refuse("curve weight", self.curve_weight.to_string(), "0 to 1000000");
        }
        if !(self.max_turn > 0.0 && self.max_turn <= 90.0) {
            return refuse("max turn", self.max_turn.to_string(), "degrees above 0, up to 90");
        }
        if !(self.share > 0.0 && self.share <= 1.0) {
            return refuse("share", self.share.to_string(), "above 0, up to 1");
        }
        Ok(())
    }
}
