//! Options of tracking.
use super::error::TrackError;
use crate::sizing::Sizing;
use crate::values::{BUTTERFLY, Criteria, KEEP_BOUNDARY, KEEP_VOLUME, LABELS, RANKS, SHORTER, SIZED};
use ribbonmesh::Error;
use ribbonmesh::dynamic::ExecutionMode;

/// Treatment of surfaces that meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Surfaces pass through each other. For surfaces with or without boundary.
    #[default]
    Improve,
    /// Surfaces merge and part, so that no two faces intersect after a step, by an exact test (Chentanez,
    /// Müller, Macklin and Kim 2016). For closed surfaces.
    GridFree,
}

/// Method by which velocities are integrated over a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integration {
    /// Euler's method: first order.
    Euler,
    /// The classic Runge–Kutta method: fourth order, four evaluations.
    #[default]
    RungeKutta,
}

/// Treatment of the boundary. Its vertices move with the velocity always, and are never smoothed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Boundary {
    /// Its edges are split if they are too long, and collapsed if they are too short and its line stays.
    #[default]
    Refine,
    /// Its edges are neither split nor collapsed, and no edge that touches it is collapsed: as in El Topo.
    Keep,
}

/// Criterion for edges that are flipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flips {
    /// Edges that are not Delaunay.
    #[default]
    Delaunay,
    /// Edges that get shorter: as in El Topo.
    Shorter,
}

/// Position of the new vertex of a split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Subdivision {
    /// The middle of the edge.
    Middle,
    /// The point of the modified butterfly scheme, and the middle where the scheme does not apply.
    #[default]
    Butterfly,
}

/// Lengths that depend on curvature: L² = 6 ε / κ − 3 ε² for the curvature κ and the tolerance ε (Dunyach,
/// Vanderhaeghe, Barthe and Botsch 2013, equation 1), instead of the length of which
/// [`TrackOptions::shortest`] and [`TrackOptions::longest`] are parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// Greatest distance of edges from the surface: a part of the length.
    pub tolerance: f32,
    /// The least of these lengths and the largest: parts of the length.
    pub range: [f32; 2],
}
impl Default for Adaptive {
    fn default() -> Self {
        Self { tolerance: 0.02, range: [0.25, 2.0] }
    }
}

/// Options of tracking. Defaults are El Topo's parameters for the scenes of Brochu and Bridson 2009, if there
/// are any.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackOptions {
    /// Treatment of surfaces that meet.
    pub method: Method,
    /// Whether, with [`Method::Improve`], collisions are prevented, so that no two faces intersect after a
    /// step, by an exact test: surfaces that meet stay apart. For surfaces with or without boundary.
    pub collisions: bool,
    /// The integration of velocities.
    pub integration: Integration,
    /// The edge length to which other lengths are relative; `None`: the mean of the mesh at the beginning.
    pub length: Option<f32>,
    /// Edges shorter than this are collapsed: a part of the length.
    pub shortest: f32,
    /// Edges longer than this are split: a part of the length.
    pub longest: f32,
    /// Lengths that depend on curvature: shorter edges where the surface is curved, longer ones where it is
    /// flat; `None`: the same lengths everywhere.
    pub adaptive: Option<Adaptive>,
    /// The largest change of the enclosed volume by one operation: a part of the length's cube.
    pub volume_change: f32,
    /// The least area of a new face: a part of the length's square.
    pub least_area: f32,
    /// The least angle of a new face, in degrees.
    pub least_angle: f32,
    /// Criterion for edges that are flipped.
    pub flips: Flips,
    /// Position of the new vertices of splits.
    pub subdivision: Subdivision,
    /// Treatment of the boundary.
    pub boundary: Boundary,
    /// Whether vertices on ridges and corners are kept there (by eigenvalues of the normals around).
    pub ranks: bool,
    /// Whether collapses and smoothing keep the enclosed volume, as far as they can.
    pub keep_volume: bool,
    /// Whether each component is moved along its normals at the end of a step so that it encloses the volume
    /// that results from the motion alone. For closed surfaces.
    pub correct_volume: bool,
    /// Steps of null-space smoothing in each step.
    pub smoothing: u32,
    /// Part of the distance by which a step of smoothing moves vertices, 0 to 1.
    pub smoothing_step: f32,
    /// Greatest movement of a vertex in one step: a multiple of the length. A greater one is an error.
    pub farthest: f32,
    /// Whether the mesh is improved; otherwise a step only moves vertices.
    pub improve: bool,
    /// Whether each step measures the mesh: volume, angles, lengths.
    pub measure: bool,
    /// Whether each step checks the mesh.
    pub validate: bool,
    /// Whether the position of each vertex on the input is kept, for
    /// [`Tracker::input_vertices`](crate::Tracker::input_vertices): 16 bytes per vertex. It is kept in any
    /// case if columns need it.
    pub trace: bool,
    /// Room for new elements at the beginning: a part of the number of elements.
    pub spare: f32,
    /// Order in which phases of operators are launched; results do not depend on it.
    pub mode: ExecutionMode,
}
impl Default for TrackOptions {
    fn default() -> Self {
        Self {
            method: Method::default(),
            collisions: false,
            integration: Integration::default(),
            length: None,
            shortest: 0.5,
            longest: 1.5,
            adaptive: None,
            volume_change: 0.1,
            least_area: 1e-4,
            least_angle: 2.0,
            flips: Flips::default(),
            subdivision: Subdivision::default(),
            boundary: Boundary::default(),
            ranks: true,
            keep_volume: true,
            correct_volume: false,
            smoothing: 1,
            smoothing_step: 1.0,
            farthest: 10.0,
            improve: true,
            measure: true,
            validate: false,
            trace: false,
            spare: 0.5,
            mode: ExecutionMode::default(),
        }
    }
}
impl TrackOptions {
    /// Refuses values that are not valid.
    /// # Errors
    /// [`Error::Option`].
    pub fn check(&self) -> Result<(), TrackError> {
        let wrong = |option: &'static str, value: f32, expected: &'static str| {
            Err(Error::Option { option, value: value.to_string(), expected }.into())
        };
        let positive = |x: f32| x > 0.0 && x.is_finite();
        if let Some(length) = self.length
            && !(1e-9..1e9).contains(&length)
        {
            return wrong("length", length, "a length from 1e-9 to 1e9");
        }
        if self.collisions && self.method == Method::GridFree {
            let expected = "the method improve; by grid-free surfaces merge";
            return Err(Error::Option { option: "collisions", value: "true".into(), expected }.into());
        }
        if !(self.shortest > 0.0 && self.shortest <= 1.0) {
            return wrong("shortest", self.shortest, "a part of the length, above 0, at most 1");
        }
        // an edge that is halved must not be too short
        if !(self.longest >= 2.0 * self.shortest && self.longest >= 1.0 && self.longest <= 1e3) {
            return wrong("longest", self.longest, "at least 1 and twice the shortest length, at most 1000");
        }
        if let Some(Adaptive { tolerance, range: [least, most] }) = self.adaptive {
            if !(positive(tolerance) && tolerance <= 1.0) {
                return wrong("tolerance", tolerance, "a part of the length, above 0, at most 1");
            }
            if !((0.01..=1.0).contains(&least) && (1.0..=100.0).contains(&most)) {
                let value = format!("{least},{most}");
                let expected = "parts of the length, from 0.01 to 1 and from 1 to 100";
                return Err(Error::Option { option: "range", value, expected }.into());
            }
        }
        if !positive(self.volume_change) {
            return wrong("volume change", self.volume_change, "a positive number");
        }
        if !(0.0..=0.1).contains(&self.least_area) {
            return wrong("least area", self.least_area, "0 to 0.1");
        }
        if !(0.0..=30.0).contains(&self.least_angle) {
            return wrong("least angle", self.least_angle, "0 to 30 degrees");
        }
        if !(0.0..=1.0).contains(&self.smoothing_step) {
            return wrong("smoothing step", self.smoothing_step, "0 to 1");
        }
        if !positive(self.farthest) {
            return wrong("farthest", self.farthest, "a positive number");
        }
        if !(0.0..=16.0).contains(&self.spare) {
            return wrong("spare", self.spare, "0 to 16");
        }
        Ok(())
    }
    /// Whether vertices have the labels of their components.
    pub(super) fn has_components(&self) -> bool {
        self.method == Method::GridFree || self.correct_volume
    }
    /// The criteria for kernels, for a length.
    pub(super) fn criteria(&self, length: f32) -> Criteria {
        let flag = |on: bool, flag: u32| if on { flag } else { 0 };
        Criteria {
            shortest: self.shortest * length,
            longest: self.longest * length,
            volume: self.volume_change * length * length * length,
            area: self.least_area * length * length,
            sine: self.least_angle.to_radians().sin(),
            flags: flag(self.boundary == Boundary::Keep, KEEP_BOUNDARY)
                | flag(self.subdivision == Subdivision::Butterfly, BUTTERFLY)
                | flag(self.flips == Flips::Shorter, SHORTER)
                | flag(self.ranks, RANKS)
                | flag(self.keep_volume, KEEP_VOLUME)
                | flag(self.has_components(), LABELS)
                | flag(self.adaptive.is_some(), SIZED),
        }
    }
    /// The parameters of lengths that depend on curvature, for a length.
    pub(super) fn sizing(&self, length: f32) -> Option<Sizing> {
        let Adaptive { tolerance, range } = self.adaptive?;
        Some(Sizing { tolerance: tolerance * length, length, range })
    }
}
