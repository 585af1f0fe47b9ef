//! Access for recording, planning and filling cavities: a mesh that is written, and the claims of a round.
use crate::device::atomic::{self, Order, Scope};
use crate::device::{Dart, EdgeId, FaceId, NONE, Quad, VertexId};
use crate::dynamic::control;
use crate::dynamic::mesh::MeshRef;
use crate::dynamic::rounds::Rounds;
use crate::dynamic::view::Tables;

/// A mesh that fillings are written to. Only the cavity that owns a face writes its words.
pub trait MeshWrite: MeshRef {
    /// The darts of a face.
    fn darts(self, f: FaceId) -> [Dart; 3];
    /// The patch that a face has in the cache of patches.
    fn cached_patch(self, f: FaceId) -> u32;
    /// Whether a vertex is deleted: 1, else 0.
    fn set_dead(self, v: VertexId, dead: u32);
    /// The half-edge of a dart.
    fn set_half_edge(self, dart: Dart, h: u32);
    /// An edge without faces.
    fn clear_edge(self, e: EdgeId);
    /// Vertices and patch, darts and pass of a face.
    fn set_face(self, f: FaceId, vertices: [u32; 4], darts: [u32; 4]);
}

impl MeshWrite for Tables<'_> {
    #[inline(always)]
    fn darts(self, f: FaceId) -> [Dart; 3] {
        let Quad([a, b, c, _]) = self.fe.wide::<Quad>().get(f.index());
        [Dart::new(a), Dart::new(b), Dart::new(c)]
    }
    #[inline(always)]
    fn cached_patch(self, f: FaceId) -> u32 {
        self.fv.get(4 * f.index() + 3)
    }
    #[inline(always)]
    fn set_dead(self, v: VertexId, dead: u32) {
        self.dead.set(v.index(), dead);
    }
    #[inline(always)]
    fn set_half_edge(self, dart: Dart, h: u32) {
        self.eh.set(dart.index(), h);
    }
    #[inline(always)]
    fn clear_edge(self, e: EdgeId) {
        self.eh.wide::<[u32; 2]>().set(e.index(), [NONE; 2]);
    }
    #[inline(always)]
    fn set_face(self, f: FaceId, vertices: [u32; 4], darts: [u32; 4]) {
        self.fv.wide::<Quad>().set(f.index(), Quad(vertices));
        self.fe.wide::<Quad>().set(f.index(), Quad(darts));
    }
}

/// A mesh with the claims of a round.
pub trait Site: Copy {
    /// The mesh.
    type Mesh: MeshWrite;
    /// The mesh.
    fn mesh(self) -> Self::Mesh;
    /// The claim of a face.
    fn claim(self, f: FaceId) -> u64;
    /// Number of slots for claims of what is to be, a power of two.
    fn slots(self) -> u32;
    /// Claims a slot: the greatest claim stays.
    fn claim_slot(self, slot: u32, word: u64);
    /// Whether a slot has this claim.
    fn has_slot(self, slot: u32, word: u64) -> bool;
    /// Notes that the cavity at a seed was filled otherwise than planned.
    fn note_other_filling(self, seed: u32);
}

impl<'a> Site for Rounds<'a> {
    type Mesh = Tables<'a>;
    #[inline(always)]
    fn mesh(self) -> Tables<'a> {
        self.mesh
    }
    #[inline(always)]
    fn claim(self, f: FaceId) -> u64 {
        self.claims.get(f.index())
    }
    #[inline(always)]
    fn slots(self) -> u32 {
        self.slots.len() as u32
    }
    #[inline(always)]
    fn claim_slot(self, slot: u32, word: u64) {
        atomic::fetch_max(self.slots, slot, word, Order::Relaxed, Scope::Device);
    }
    #[inline(always)]
    fn has_slot(self, slot: u32, word: u64) -> bool {
        self.slots.get(slot) == word
    }
    #[inline(always)]
    fn note_other_filling(self, seed: u32) {
        atomic::fetch_max(self.control, control::DIFFERED, seed + 1, Order::Relaxed, Scope::Device);
    }
}
