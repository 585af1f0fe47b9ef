//! Options of simplification as an application.
use crate::simplify::{Bound, Order, SimplifyOptions, Target, Topology};
use ribbonmesh::Result;
use ribbonmesh_application::Options;

/// Options of the application.
#[derive(Options, Clone, Debug, PartialEq)]
#[options(any_of(faces, ratio, max_error), check)]
pub struct SimplifyChoice {
    /// Number of faces
    #[option(positional, conflicts(ratio))]
    pub faces: Option<u32>,
    /// Number of faces as a part of those of the input, 0 to 1
    #[option(unit = "SHARE")]
    pub ratio: Option<f64>,
    /// How far the surfaces may be from each other: in the units of the positions, or 0.1%: of the input's
    /// diagonal
    pub max_error: Option<Bound>,
    /// Treatment of components, holes and tunnels: keep; or free: holes and tunnels close, small
    /// components vanish or are joined where that is needed, so that any number of faces is reached
    pub topology: Topology,
    /// Keep edges whose faces' normals have a greater angle than this
    #[option(unit = "DEGREES", default = "none")]
    pub feature_angle: Option<f32>,
    /// Keep the vertices of the boundary where they are
    pub fixed_boundary: bool,
    /// How much the shape of boundary and features counts, beside that of faces
    #[option(unit = "FACTOR")]
    pub curve_weight: f32,
    /// Largest angle by which a collapse may turn a face
    #[option(unit = "DEGREES")]
    pub max_turn: f32,
    /// Order of the collapses
    pub order: Order,
    /// In rounds: collapse at most this share of the faces, as edges, before costs are looked at again
    #[option(unit = "SHARE")]
    pub share: f32,
    /// Take collapses back whose faces would intersect others; intersections of the input stay
    pub no_self_intersections: bool,
    /// Check the mesh after every stage
    pub validate: bool,
}
impl Default for SimplifyChoice {
    fn default() -> Self {
        let usual = SimplifyOptions::default();
        Self {
            faces: None,
            ratio: None,
            max_error: usual.max_error,
            topology: usual.topology,
            feature_angle: usual.feature_angle,
            fixed_boundary: usual.fixed_boundary,
            curve_weight: usual.curve_weight,
            max_turn: usual.max_turn,
            order: usual.order,
            share: usual.share,
            no_self_intersections: usual.no_self_intersections,
            validate: usual.validate,
        }
    }
}
impl SimplifyChoice {
    /// The options of the library.
    pub fn options(&self) -> SimplifyOptions {
        SimplifyOptions {
            target: self.faces.map(Target::Faces).or(self.ratio.map(Target::Ratio)),
            max_error: self.max_error,
            topology: self.topology,
            feature_angle: self.feature_angle,
            fixed_boundary: self.fixed_boundary,
            curve_weight: self.curve_weight,
            max_turn: self.max_turn,
            order: self.order,
            share: self.share,
            no_self_intersections: self.no_self_intersections,
            validate: self.validate,
            ..SimplifyOptions::default()
        }
    }
    fn check(&self) -> Result<()> {
        self.options().check()
    }
}
