//! What goes wrong.
use ribbonmesh::Error;
use ribbonmesh_mesh::ColumnError;

/// Why a surface cannot be tracked, or not any farther.
#[derive(Debug, thiserror::Error)]
pub enum TrackError {
    /// An error of the library.
    #[error(transparent)]
    Library(#[from] Error),
    /// A velocity is not finite. The surface is as it was before the step.
    #[error("time {time}: the velocity of vertex {vertex} at {position:?} leads to no finite place")]
    NotFinite {
        /// The vertex, by the ids of the tracker's mesh.
        vertex: u32,
        /// Where it is.
        position: [f32; 3],
        /// The time at which the step began.
        time: f64,
    },
    /// A velocity is too large for the time step. The surface is as it was before the step.
    #[error(
        "time {time}: vertex {vertex} at {position:?} would go farther than {most} mean edge lengths in one step: take shorter steps"
    )]
    TooFar {
        /// The vertex, by the ids of the tracker's mesh.
        vertex: u32,
        /// Where it is.
        position: [f32; 3],
        /// The time at which the step began.
        time: f64,
        /// How far vertices may go.
        most: f32,
    },
    /// The surface has shrunk to nothing, or to less than can be measured.
    #[error("time {time}: the surface vanishes; {faces} faces with an area of {area:e} are left")]
    Vanished {
        /// The time at which the step ended.
        time: f64,
        /// Faces left.
        faces: u32,
        /// Their area.
        area: f64,
    },
    /// A column cannot follow the surface.
    #[error("column {name:?}: {reason}")]
    Column {
        /// Its name.
        name: String,
        /// Why.
        reason: &'static str,
    },
    /// A column of a mesh cannot be made.
    #[error(transparent)]
    Columns(#[from] ColumnError),
}
