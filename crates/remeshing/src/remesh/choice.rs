//! Options of remeshing as an application.
use crate::remesh::{Adaptive, Boundary, ClusterOptions, Density, Length, RemeshOptions, Weights};
use ribbonmesh::Result;
use ribbonmesh_application::Options;

/// Options of the application: options of isotropic remeshing and of remeshing by clusters.
#[derive(Options, Clone, Debug, PartialEq)]
#[options(check)]
pub struct RemeshChoice {
    /// Target length of edges
    #[option(positional, default = "1x, at most 5%; with --fast 3x", conflicts(vertices, ratio))]
    pub target_length: Option<Length>,
    /// Iterations
    #[option(default = "3")]
    pub iterations: Option<u32>,
    /// Keep edges whose faces' normals have a greater angle than this, 180: none
    #[option(unit = "DEGREES", default = "30 where such edges form curves; with --fast 50")]
    pub feature_angle: Option<f32>,
    /// Merge two features where edges between them are shorter than this many target lengths, 0 to 0.2: none
    /// goes farther than a tenth of the target length
    #[option(unit = "SHARE", default = "0.12", requires(feature_angle), conflicts(fast))]
    pub merge_features: Option<f32>,
    /// The boundary stays as it is (fixed), its vertices move along it (slide), or to the middle of their
    /// neighbours
    pub boundary: Boundary,
    /// Move vertices back to the surface of the input
    pub project: bool,
    /// Put vertices into clusters, and join these to triangles (Valette and Chassery 2004), for a result that
    /// is a lot coarser than the input; `--iterations` are rounds of Lloyd's algorithm
    #[option(default = "10", conflicts(boundary, project, adaptive, smoothing, step, weights, validate))]
    pub fast: bool,
    /// Number of vertices, instead of a target length
    #[option(requires(fast))]
    pub vertices: Option<u32>,
    /// Number of vertices as a part of those of the input, instead of a target length
    #[option(unit = "R", requires(fast), conflicts(vertices))]
    pub ratio: Option<f64>,
    /// Shorter edges where the surface bends, and where the surfaces would be farther apart than
    /// `--tolerance`; vertices are moved back to the surface of the input
    pub adaptive: bool,
    /// How far the surfaces before and after may be from each other
    #[option(default = "0.2%", requires(adaptive))]
    pub tolerance: Option<Length>,
    /// Shortest and longest target length, in target lengths
    #[option(
        unit = "SHORTEST,LONGEST",
        default = "0.25,4, and shorter where --tolerance needs it",
        requires(adaptive)
    )]
    pub range: Option<[f32; 2]>,
    /// Give `--tolerance` up where it takes more faces than this, about
    #[option(
        default = "four times those of the input, or of the target length everywhere",
        requires(adaptive)
    )]
    pub most_faces: Option<u64>,
    /// Steps of smoothing in an iteration
    pub smoothing: u32,
    /// How much of the way a vertex goes in a step of smoothing, 0 to 1
    #[option(unit = "SHARE")]
    pub step: f32,
    /// How smoothing weights triangles
    pub weights: Weights,
    /// Take back collapses, flips and moves that would make faces intersect others
    pub no_self_intersections: bool,
    /// Check the mesh after every phase
    pub validate: bool,
}
impl Default for RemeshChoice {
    fn default() -> Self {
        let usual = RemeshOptions::default();
        Self {
            target_length: None,
            iterations: None,
            feature_angle: usual.feature_angle,
            merge_features: None,
            boundary: usual.boundary,
            project: usual.project,
            fast: false,
            vertices: None,
            ratio: None,
            adaptive: false,
            tolerance: None,
            range: None,
            most_faces: None,
            smoothing: usual.smoothing,
            step: usual.step,
            weights: usual.weights,
            no_self_intersections: usual.no_self_intersections,
            validate: usual.validate,
        }
    }
}
impl RemeshChoice {
    /// The options of isotropic remeshing.
    pub fn options(&self) -> RemeshOptions {
        let adaptive = self.adaptive.then(|| {
            let default = Adaptive::default();
            Adaptive {
                tolerance: self.tolerance.unwrap_or(default.tolerance),
                range: self.range.unwrap_or(default.range),
                // an explicit range takes precedence over the default
                finest: self.range.map_or(default.finest, |[shortest, _]| shortest),
                most_faces: self.most_faces,
                ..default
            }
        });
        let default = RemeshOptions::default();
        RemeshOptions {
            length: self.target_length.unwrap_or(default.length),
            iterations: self.iterations.unwrap_or(default.iterations),
            feature_angle: self.feature_angle,
            merge: self.merge_features.unwrap_or(default.merge),
            boundary: self.boundary,
            project: self.project,
            adaptive,
            smoothing: self.smoothing,
            step: self.step,
            weights: self.weights,
            no_self_intersections: self.no_self_intersections,
            validate: self.validate,
            ..default
        }
    }
    /// The options of remeshing by clusters.
    pub fn cluster_options(&self) -> ClusterOptions {
        let default = ClusterOptions::default();
        ClusterOptions {
            density: match (self.vertices, self.ratio, self.target_length) {
                (Some(n), ..) => Density::Vertices(n),
                (None, Some(ratio), _) => Density::Ratio(ratio),
                (None, None, Some(length)) => Density::Length(length),
                (None, None, None) => default.density,
            },
            iterations: self.iterations.unwrap_or(default.iterations),
            feature_angle: self.feature_angle.or(default.feature_angle),
            no_self_intersections: self.no_self_intersections,
            ..default
        }
    }
    fn check(&self) -> Result<()> {
        if self.fast { self.cluster_options().check() } else { self.options().check() }
    }
}
