//! Jobs of a run.
use crate::Result;
use crate::plan::Room;
use crate::remesh::RemeshTiles;
use crate::simplify::SimplifyTiles;
use std::path::Path;

/// The work of a [`Run`](crate::Run), with its options.
#[derive(Clone, Debug, PartialEq)]
pub enum Job {
    /// Fewer faces.
    Simplify(SimplifyTiles),
    /// Even triangles.
    Remesh(RemeshTiles),
}
impl From<SimplifyTiles> for Job {
    fn from(options: SimplifyTiles) -> Self {
        Self::Simplify(options)
    }
}
impl From<RemeshTiles> for Job {
    fn from(options: RemeshTiles) -> Self {
        Self::Remesh(options)
    }
}
impl Job {
    pub(crate) fn check(&self) -> Result<()> {
        match self {
            Self::Simplify(options) => options.check(),
            Self::Remesh(options) => options.check(),
        }
    }
    pub(crate) fn room(&self) -> Result<Room> {
        match self {
            Self::Simplify(options) => Room::new(options.memory, options.tile_faces),
            Self::Remesh(options) => Room::of_remeshing(options.memory, options.tile_faces),
        }
    }
    /// The folder.
    pub(crate) fn work(&self) -> &Path {
        match self {
            Self::Simplify(options) => &options.work,
            Self::Remesh(options) => &options.work,
        }
    }
    /// Whether it stays.
    pub(crate) fn keep(&self) -> bool {
        match self {
            Self::Simplify(options) => options.keep,
            Self::Remesh(options) => options.keep,
        }
    }
    /// The options that change results.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Simplify(options) => options.text(),
            Self::Remesh(options) => options.text(),
        }
    }
    /// Whether the result is projected to the input, which is kept for that.
    pub(crate) fn projects(&self) -> bool {
        matches!(self, Self::Remesh(options) if options.projects())
    }
    /// Whether vertices carry marks instead of quadrics.
    pub(crate) fn has_marks(&self) -> bool {
        matches!(self, Self::Remesh(_))
    }
}
