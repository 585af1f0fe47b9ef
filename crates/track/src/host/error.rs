//! Errors of tracking.
use crate::collide::CollideError;
use ribbonmesh::Error;
use ribbonmesh_mesh::{AnyError, Class, Classified, ColumnError, Subject};

impl From<CollideError> for TrackError {
    fn from(error: CollideError) -> Self {
        match error {
            CollideError::Library(error) => error.into(),
            CollideError::Intersects { faces, pairs } => Self::Crossing { faces, pairs },
        }
    }
}

/// Reason for which a surface cannot be tracked, or not any farther.
#[derive(Debug, thiserror::Error)]
pub enum TrackError {
    /// An error of the library.
    #[error(transparent)]
    Library(#[from] Error),
    /// A velocity is not finite. The surface is unchanged.
    #[error("time {time}: the velocity of vertex {vertex} at {position:?} leads to no finite place")]
    NotFinite {
        /// The vertex, by the ids of the tracker's mesh.
        vertex: u32,
        /// Its position.
        position: [f32; 3],
        /// The time at which the step began.
        time: f64,
    },
    /// A velocity is too large for the time step. The surface is unchanged.
    #[error(
        "time {time}: vertex {vertex} at {position:?} would go farther than {most} mean edge lengths in one step: take shorter steps"
    )]
    TooFar {
        /// The vertex, by the ids of the tracker's mesh.
        vertex: u32,
        /// Its position.
        position: [f32; 3],
        /// The time at which the step began.
        time: f64,
        /// Greatest movement of a vertex, in mean edge lengths.
        most: f32,
    },
    /// The surface has vanished, or is smaller than can be measured.
    #[error("time {time}: the surface vanishes; {faces} faces with an area of {area:e} are left")]
    Vanished {
        /// The time at which the step ended.
        time: f64,
        /// Number of remaining faces.
        faces: u32,
        /// Their area.
        area: f64,
    },
    /// A surface with boundary, where a closed one is required.
    #[error(
        "{edges} edges are on the boundary; only closed surfaces can merge and part, or keep their volume"
    )]
    Open {
        /// Number of edges on the boundary.
        edges: u64,
    },
    /// A surface that intersects itself at the beginning.
    #[error("{pairs} pairs of faces intersect at the beginning; `resolve` them first")]
    Intersects {
        /// Number of pairs of faces.
        pairs: u64,
    },
    /// A surface that intersects itself at the beginning, although collisions are to be prevented.
    #[error(
        "faces {} and {} intersect at the beginning; {pairs} pairs do so; `resolve` them first",
        faces[0],
        faces[1]
    )]
    Crossing {
        /// The first pair, in the order of the input.
        faces: [u32; 2],
        /// Number of pairs of faces.
        pairs: u64,
    },
    /// Intersections that could not be resolved. The surface is unchanged.
    #[error("time {time}: {pairs} pairs of faces intersect and could not be resolved: {why}")]
    Tangled {
        /// The time to which the surface was moved.
        time: f64,
        /// Number of pairs of faces.
        pairs: u64,
        /// Reason for which the last attempt failed.
        why: String,
    },
    /// A component has turned inside out in one step. The surface is unchanged.
    #[error("time {time}: component {component} turns inside out in one step: take shorter steps")]
    InsideOut {
        /// The time to which the surface was moved.
        time: f64,
        /// The component.
        component: u32,
    },
    /// A column cannot be transferred with the surface.
    #[error("column {name:?}: {reason}")]
    Column {
        /// Its name.
        name: String,
        /// Reason for that.
        reason: &'static str,
    },
    /// Changes that are made elsewhere have failed: see [`Changes`](crate::Changes).
    #[error("{0}")]
    Changes(AnyError),
    /// A column of a mesh cannot be made.
    #[error(transparent)]
    Columns(#[from] ColumnError),
}

impl Classified for TrackError {
    fn class(&self) -> Class {
        match *self {
            Self::Library(ref error) => error.class(),
            Self::Columns(ref error) => error.class(),
            Self::Changes(ref error) => error.class(),
            Self::NotFinite { vertex, .. } | Self::TooFar { vertex, .. } => Class::data().vertex(vertex),
            Self::Vanished { .. } | Self::Tangled { .. } | Self::InsideOut { .. } => {
                Class::refused(Subject::Solution)
            }
            Self::Open { .. } | Self::Intersects { .. } => Class::mesh(),
            Self::Crossing { faces, .. } => Class::mesh().face(faces[0]),
            Self::Column { .. } => Class::data(),
        }
    }
}
