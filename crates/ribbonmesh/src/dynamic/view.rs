//! The flat arrays of a dynamic mesh, each word of which belongs to one face.
use crate::device::{Dart, EdgeId, FaceId, HalfEdge, In, Out, Parameter, Quad, VertexId};
use crate::dynamic::mesh::MeshRef;

macro_rules! arrays { ($($(#[$doc:meta])* $name:ident $memory:ident)*) => { $(
    $(#[$doc])*
    #[repr(C)]
    #[derive(Clone, Copy, Parameter)]
    pub struct $name<'a> {
        /// Three vertices and the patch of each face; the vertices of a deleted face are `NONE`.
        #[doc(hidden)]
        pub fv: $memory<'a, u32>,
        /// Three darts of each face, and the pass that made it.
        #[doc(hidden)]
        pub fe: $memory<'a, u32>,
        /// The half-edge of each dart, or `NONE`; an edge with none on either side is deleted.
        #[doc(hidden)]
        pub eh: $memory<'a, u32>,
        /// 1 for deleted vertices.
        #[doc(hidden)]
        pub dead: $memory<'a, u32>,
        /// A half-edge that begins at each vertex, or `NONE`.
        #[doc(hidden)]
        pub vh: $memory<'a, u32>,
    }
    impl MeshRef for $name<'_> {
        #[inline(always)]
        fn from(self, h: HalfEdge) -> VertexId {
            VertexId::new(self.fv.get(h.index()))
        }
        #[inline(always)]
        fn dart(self, h: HalfEdge) -> Dart {
            Dart::new(self.fe.get(h.index()))
        }
        #[inline(always)]
        fn half_edge(self, dart: Dart) -> Option<HalfEdge> {
            HalfEdge::new(self.eh.get(dart.index())).some()
        }
        #[inline(always)]
        fn half_edge_at(self, v: VertexId) -> Option<HalfEdge> {
            HalfEdge::new(self.vh.get(v.index())).some()
        }
        #[inline(always)]
        fn corners(self, f: FaceId) -> [VertexId; 3] {
            let Quad([a, b, c, _]) = self.fv.wide::<Quad>().get(f.index());
            [VertexId::new(a), VertexId::new(b), VertexId::new(c)]
        }
        // one load for both
        #[inline(always)]
        fn sides(self, e: EdgeId) -> [Option<HalfEdge>; 2] {
            let [g, h] = self.eh.wide::<[u32; 2]>().get(e.index());
            [HalfEdge::new(g).some(), HalfEdge::new(h).some()]
        }
    }
)* } }
arrays! {
    /// A dynamic mesh as kernels see it that do not change it. The half-edges of vertices are true after
    /// `refresh_view`, until the mesh changes.
    DynamicView In
    /// The same while it is changed.
    Tables Out
}

impl DynamicView<'_> {
    /// The vertices of a face; `None` if it is deleted.
    #[inline(always)]
    pub fn living_corners(self, f: FaceId) -> Option<[VertexId; 3]> {
        let [a, b, c] = self.corners(f);
        a.some().map(|a| [a, b, c])
    }
    /// Whether a vertex is not deleted.
    #[inline(always)]
    pub fn is_living(self, v: VertexId) -> bool {
        self.dead.get(v.index()) == 0
    }
    /// The pass that made the face of half-edge `h`, or deleted it; 0 if none did.
    #[inline(always)]
    pub fn changed_in(self, h: HalfEdge) -> u32 {
        self.fe.get(h.index() | 3)
    }
}
