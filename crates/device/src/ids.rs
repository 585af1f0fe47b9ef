//! Element kinds and ids.

/// Id of a vertex: its place in every vertex attribute. Vertices owned by a patch are contiguous.
pub type VertexId = u32;
/// Id of an edge: its place in every edge attribute.
pub type EdgeId = u32;
/// Id of a face: its place in every face attribute.
pub type FaceId = u32;

/// No element: a missing face beside a boundary edge, the padding of a fixed-length result.
pub const NONE: u32 = u32::MAX;

/// The vertices of a mesh, as a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vertex;
/// The edges of a mesh, as a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge;
/// The faces of a mesh, as a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face;

/// Which kind of element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// 0-cells
    Vertex,
    /// 1-cells
    Edge,
    /// 2-cells
    Face,
}

/// A kind of element as a type: [`Vertex`], [`Edge`] or [`Face`].
pub trait Element: Copy + Send + Sync + 'static {
    /// The same as a value.
    const KIND: ElementKind;
}
impl Element for Vertex {
    const KIND: ElementKind = ElementKind::Vertex;
}
impl Element for Edge {
    const KIND: ElementKind = ElementKind::Edge;
}
impl Element for Face {
    const KIND: ElementKind = ElementKind::Face;
}
