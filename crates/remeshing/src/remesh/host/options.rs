//! Options of isotropic remeshing.
use ribbonmesh::dynamic::ExecutionMode;
use ribbonmesh::{Error, Result};
use ribbonmesh_application::{Choice, Length};
use serde::{Deserialize, Serialize};

/// Treatment of the boundary.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Boundary {
    /// Its vertices and edges stay exactly as they are.
    Fixed,
    /// Its edges are split and collapsed, its vertices move along it; corners stay.
    #[default]
    Slide,
    /// Its edges are split and collapsed, its vertices move to the middle of their neighbours on it; it gets
    /// rounder.
    Free,
}

/// Weights of the triangles at a vertex in smoothing.
#[derive(Choice, Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Weights {
    /// By area: evens out areas.
    #[default]
    Area,
    /// All the same.
    Uniform,
}

/// Target lengths by curvature, and by the measured distance from the input. Vertices are projected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// Greatest distance of the surfaces before and after from each other.
    pub tolerance: Length,
    /// Shortest and longest target length by curvature, in target lengths of the options.
    pub range: [f32; 2],
    /// The shortest target length where the measured distance is larger than the tolerance, in target lengths
    /// of the options.
    pub finest: f32,
    /// Greatest number of times that lengths are shortened by the measured distance and remeshing begins
    /// again.
    pub refinements: u32,
    /// Most faces, about. An attempt that gets more ends; then the attempt before it is kept, or the shortest
    /// target length is doubled. `None`: four times as many as the input has or as the target length
    /// everywhere would give, or 2,000, whichever is most.
    pub most_faces: Option<u64>,
}
impl Adaptive {
    /// A number of faces that is always allowed, whatever the input has.
    const FEW: u64 = 2_000;

    /// The most faces for an input of so many, where the target length everywhere gives `covering` faces.
    pub fn allowed(&self, faces: u64, covering: u64) -> u64 {
        self.most_faces.unwrap_or_else(|| 4 * faces.max(covering).max(Self::FEW))
    }
}
impl Default for Adaptive {
    /// A tolerance of 0.2 % of the diagonal; a quarter to four times the target length, a 64th where the
    /// tolerance needs it; 8 refinements.
    fn default() -> Self {
        Self {
            tolerance: Length::Diagonal(0.002),
            range: [0.25, 4.0],
            finest: 1.0 / 64.0,
            refinements: 8,
            most_faces: None,
        }
    }
}

/// Options of [`remesh`](crate::remesh::remesh()).
#[derive(Clone, Debug, PartialEq)]
pub struct RemeshOptions {
    /// The target length of edges.
    pub length: Length,
    /// Rounds of splitting, collapsing, flipping, smoothing.
    pub iterations: u32,
    /// Edges whose faces' normals have a greater angle than this, in degrees, are features: they are kept, as
    /// curves with corners. `None`: only the boundary is a feature, unless [`RemeshOptions::keep_sharp`]
    /// finds some.
    pub feature_angle: Option<f32>,
    /// Whether edges of 30° and more are features where no angle is given, if they form curves, as those of
    /// CAD do; and whether a mesh of long thin triangles is treated as one with features. See
    /// [`RemeshReport::kept_from`](crate::remesh::RemeshReport::kept_from).
    pub keep_sharp: bool,
    /// Edges between two features, or two parts of one, that are shorter than this, in target lengths, are
    /// collapsed to their middle, so that the two become one. Narrow strips such as small chamfers would
    /// otherwise leave slivers. Merging moves no feature by more than a tenth of the target length. 0
    /// disables it; it is also disabled if the mesh has attribute seams.
    pub merge: f32,
    /// Treatment of the boundary.
    pub boundary: Boundary,
    /// Whether vertices are projected to the input's surface at the end of each iteration, as they do with
    /// `adaptive`.
    pub project: bool,
    /// Target lengths by curvature; `None`: the same length everywhere.
    pub adaptive: Option<Adaptive>,
    /// Steps of smoothing in each iteration.
    pub smoothing: u32,
    /// Part of the way that a vertex moves in a step of smoothing, 0 to 1.
    pub step: f32,
    /// Weights of triangles in smoothing.
    pub weights: Weights,
    /// Whether collapses, flips and moves of vertices that would make faces intersect others are taken back.
    /// Faces of the input that intersect others may stay.
    pub no_self_intersections: bool,
    /// Whether to check the mesh after every phase.
    pub validate: bool,
    /// Order in which the phases of a round are launched; the result does not depend on it.
    pub mode: ExecutionMode,
}
impl Default for RemeshOptions {
    /// [`Length::Usual`], 3 iterations with 3 steps of smoothing, boundary vertices slide, sharp curves are
    /// kept, no projection.
    fn default() -> Self {
        Self {
            length: Length::Usual,
            iterations: 3,
            feature_angle: None,
            keep_sharp: true,
            merge: 0.12,
            boundary: Boundary::default(),
            project: false,
            adaptive: None,
            smoothing: 3,
            step: 1.0,
            weights: Weights::default(),
            no_self_intersections: false,
            validate: false,
            mode: ExecutionMode::Automatic,
        }
    }
}
impl RemeshOptions {
    /// Refuses values that are not valid.
    /// # Errors
    /// [`Error::Option`].
    pub fn check(&self) -> Result<()> {
        let refuse =
            |option, value: f32, expected| Err(Error::Option { option, value: value.to_string(), expected });
        if !(self.step >= 0.0 && self.step <= 1.0) {
            return refuse("step", self.step, "0 to 1");
        }
        if !(self.merge >= 0.0 && self.merge <= 0.2) {
            return refuse("merge features", self.merge, "0 to 0.2 target lengths");
        }
        if let Some(angle) = self.feature_angle
            && !(angle > 0.0 && angle <= 180.0)
        {
            return refuse("feature angle", angle, "degrees above 0, up to 180");
        }
        if let Some(Adaptive { range: [shortest, longest], finest, .. }) = self.adaptive {
            if !(finest > 0.0 && finest <= shortest) {
                return refuse("finest length", finest, "a number above 0, not above the shortest length");
            }
            if !(shortest > 0.0 && shortest.is_finite()) {
                return refuse("shortest length", shortest, "a number above 0");
            }
            if !(longest >= shortest && longest.is_finite()) {
                return refuse("longest length", longest, "not below the shortest length");
            }
        }
        Ok(())
    }
}
