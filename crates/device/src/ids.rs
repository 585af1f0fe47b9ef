//! Element kinds and ids.
use bytemuck::{Pod, Zeroable};

/// No element: a missing face beside a boundary edge, the padding of a fixed-length result.
pub const NONE: u32 = u32::MAX;

macro_rules! ids { ($($(#[$doc:meta])* $name:ident)*) => { $(
    $(#[$doc])*
    #[repr(transparent)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct $name(u32);
    // SAFETY: one word, of which every value is allowed.
    unsafe impl Zeroable for $name {}
    // SAFETY: as above.
    unsafe impl Pod for $name {}
    impl $name {
        /// No element. It is stored in memory where there is no element; [`Self::some`] makes an option of
        /// it.
        pub const NONE: Self = Self(NONE);
        /// The id with this number.
        #[inline(always)]
        pub const fn new(index: u32) -> Self {
            Self(index)
        }
        /// Its number.
        #[inline(always)]
        pub const fn index(self) -> u32 {
            self.0
        }
        /// `None` if this is [`Self::NONE`].
        #[inline(always)]
        pub const fn some(self) -> Option<Self> {
            if self.0 == NONE { None } else { Some(self) }
        }
    }
)* } }
ids! {
    /// Id of a vertex: its place in every vertex attribute. Vertices owned by a patch are contiguous.
    VertexId
    /// Id of an edge: its place in every edge attribute.
    EdgeId
    /// Id of a face: its place in every face attribute.
    FaceId
    /// A side of a face, `4 face + corner`: it leads from that corner to the next one, with the face on its
    /// left.
    HalfEdge
    /// An edge with a direction, `2 edge + direction`. At most one half-edge has it.
    Dart
}
impl EdgeId {
    /// The edge in its own direction (0), or against it (1).
    #[inline(always)]
    pub const fn dart(self, direction: u32) -> Dart {
        Dart(2 * self.0 + direction)
    }
}
impl FaceId {
    /// Its side that begins at this corner: 0, 1 or 2.
    #[inline(always)]
    pub const fn half_edge(self, corner: u32) -> HalfEdge {
        HalfEdge(4 * self.0 + corner)
    }
}
impl HalfEdge {
    /// The face that it is a side of.
    #[inline(always)]
    pub const fn face(self) -> FaceId {
        FaceId(self.0 >> 2)
    }
    /// The corner of the face where it begins: 0, 1 or 2.
    #[inline(always)]
    pub const fn corner(self) -> u32 {
        self.0 & 3
    }
    /// The next side of the face, counter-clockwise.
    #[inline(always)]
    pub const fn next(self) -> Self {
        Self(if self.0 & 3 == 2 { self.0 - 2 } else { self.0 + 1 })
    }
    /// The previous side of the face.
    #[inline(always)]
    pub const fn prev(self) -> Self {
        Self(if self.0 & 3 == 0 { self.0 + 2 } else { self.0 - 1 })
    }
}
impl Dart {
    /// The edge.
    #[inline(always)]
    pub const fn edge(self) -> EdgeId {
        EdgeId(self.0 >> 1)
    }
    /// The same edge in the other direction.
    #[inline(always)]
    pub const fn reversed(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// The id of an element: [`VertexId`], [`EdgeId`] or [`FaceId`].
pub trait ElementId: Pod + Eq {
    /// The id with this number.
    fn new(index: u32) -> Self;
    /// Its number.
    fn index(self) -> u32;
}
macro_rules! element_ids { ($($name:ident)*) => { $(
    impl ElementId for $name {
        #[inline(always)]
        fn new(index: u32) -> Self {
            Self(index)
        }
        #[inline(always)]
        fn index(self) -> u32 {
            self.0
        }
    }
)* } }
element_ids! { VertexId EdgeId FaceId }

/// The vertices of a mesh, as a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vertex;
/// The edges of a mesh, as a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge;
/// The faces of a mesh, as a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face;

/// The kinds of elements.
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
    /// The id of such an element.
    type Id: ElementId;
}
impl Element for Vertex {
    const KIND: ElementKind = ElementKind::Vertex;
    type Id = VertexId;
}
impl Element for Edge {
    const KIND: ElementKind = ElementKind::Edge;
    type Id = EdgeId;
}
impl Element for Face {
    const KIND: ElementKind = ElementKind::Face;
    type Id = FaceId;
}
