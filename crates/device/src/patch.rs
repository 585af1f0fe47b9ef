//! Patches with their ribbons, as kernels see them (thesis 4.2.2.5, 4.3.1).
//!
//! Elements owned by a patch are numbered contiguously: the id of local element `l < owned` is `first + l`.
//! Ribbon elements follow, with a table of ids. Local elements are ordered by need, so that a query walks a
//! prefix:
//! * faces: owned | with an owned vertex | across an edge from an owned face or edge;
//! * edges: owned | of an owned face | with an owned vertex | of a face with an owned vertex | others;
//! * vertices: owned | of the faces above that are owned or have an owned vertex | others.
//!
//! Within each of these groups ribbon elements ascend by id.
use crate::In;
use crate::patch_row::PatchRow;

/// Counts of a patch: lengths of the prefixes above, and of its results with rows of different lengths.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Counts {
    /// Owned vertices.
    pub v_owned: u32,
    /// Vertices that are owned, or of faces that are owned or have an owned vertex.
    pub v_near: u32,
    /// All vertices.
    pub v_all: u32,
    /// Owned edges.
    pub e_owned: u32,
    /// ... and those of owned faces.
    pub e_of_f: u32,
    /// ... and those with an owned vertex.
    pub e_of_v: u32,
    /// ... and those of faces with an owned vertex.
    pub e_near: u32,
    /// All edges.
    pub e_all: u32,
    /// Owned faces.
    pub f_owned: u32,
    /// ... and those with an owned vertex.
    pub f_of_v: u32,
    /// ... and those across an edge from an owned face, or beside an owned edge: all.
    pub f_all: u32,
    /// Entries of the result of VV.
    pub vv: u32,
    /// Entries of the result of VE.
    pub ve: u32,
    /// Entries of the result of VF.
    pub vf: u32,
    /// Entries of the result of EF, where it has rows of different lengths.
    pub ef: u32,
    /// Entries of the result of FF, where it has rows of different lengths.
    pub ff: u32,
    /// Entries of the result of EE, where it has rows of different lengths.
    pub ee: u32,
}
impl Counts {
    /// The larger of each number: what sizes a launch over several patches.
    pub fn max(self, other: Self) -> Self {
        let (a, b): ([u32; 17], [u32; 17]) = (bytemuck::cast(self), bytemuck::cast(other));
        let mut m = a;
        for (m, b) in m.iter_mut().zip(b) {
            *m = (*m).max(b);
        }
        bytemuck::cast(m)
    }
}

/// Maps local elements to ids; all that a query needs to know of how ribbons are stored.
pub trait ResolveRibbon: Copy {
    /// Id of local element `l`.
    fn global(&self, l: u32) -> u32;
}

/// One kind of element of a patch.
#[derive(Clone, Copy)]
pub struct Elements<'a> {
    /// Id of local element 0.
    pub first: u32,
    /// Number of owned elements.
    pub owned: u32,
    /// Ids of the ribbon elements.
    pub ribbon: In<'a, u32>,
}
impl ResolveRibbon for Elements<'_> {
    #[inline(always)]
    fn global(&self, l: u32) -> u32 {
        if l < self.owned { self.first + l } else { self.ribbon.get(l - self.owned) }
    }
}

/// A mesh as kernels see it. Plain addresses and numbers; made by the host's mesh.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct MeshView<'a> {
    /// One [`PatchRow`] per patch.
    pub rows: In<'a, u32>,
    /// For each patch with rows of different lengths: where its part of EF, FF and EE begins, and 0. Empty
    /// when every edge has at most two faces.
    pub general_rows: In<'a, u32>,
    /// EV per local edge: two local vertices, [`pack`]ed.
    pub ev: In<'a, u32>,
    /// FE per local face, three: `edge << 2 | slot << 1 | reversed`. Slot: which of its edge's two faces this
    /// is (0 where the edge has more).
    pub fe: In<'a, u16>,
    /// Ids of ribbon vertices.
    pub ribbon_v: In<'a, u32>,
    /// Ids of ribbon edges.
    pub ribbon_e: In<'a, u32>,
    /// Ids of ribbon faces.
    pub ribbon_f: In<'a, u32>,
    /// Number of patches.
    pub patches: u32,
    /// Number of vertices.
    pub vertices: u32,
    /// Number of edges.
    pub edges: u32,
    /// Number of faces.
    pub faces: u32,
    /// [`MeshView::EDGE_MANIFOLD`] and the others.
    pub flags: u32,
    /// The largest of each number over all patches.
    pub max: Counts,
}

/// One patch, as a kernel sees it.
#[derive(Clone, Copy)]
pub struct Patch<'a> {
    /// Vertices.
    pub v: Elements<'a>,
    /// Edges.
    pub e: Elements<'a>,
    /// Faces.
    pub f: Elements<'a>,
    /// EV of this patch.
    pub ev: In<'a, u32>,
    /// FE of this patch.
    pub fe: In<'a, u16>,
    /// Its numbers.
    pub counts: Counts,
    /// Offset of the patch's part in the result of VV.
    pub vv_base: u32,
    /// Offset of its part in the result of VE.
    pub ve_base: u32,
    /// Offset of its part in the result of VF.
    pub vf_base: u32,
    /// The mesh's flags.
    pub flags: u32,
}
impl Patch<'_> {
    /// Whether every edge of the mesh has at most two faces and no face has the same vertex twice.
    #[inline(always)]
    pub fn edge_manifold(&self) -> bool {
        self.flags & MeshView::EDGE_MANIFOLD != 0
    }
    /// Whether some face of the mesh has the same vertex twice.
    #[inline(always)]
    pub fn degenerate_faces(&self) -> bool {
        self.flags & MeshView::DEGENERATE_FACES != 0
    }
}

/// The lower 16 bits.
#[inline(always)]
pub fn lo(w: u32) -> u32 {
    w & 0xffff
}
/// The upper 16 bits.
#[inline(always)]
pub fn hi(w: u32) -> u32 {
    w >> 16
}
/// Two 16-bit numbers in a word: `a` in the lower half.
#[inline(always)]
pub fn pack(a: u32, b: u32) -> u32 {
    a | b << 16
}
/// The vertex at which a face's side begins: `fe` is the entry of FE, `ev` that of its edge in EV (Listing
/// 4.2, corrected: the edge's first vertex, or the second if the side runs against the edge).
#[inline(always)]
pub fn tail(fe: u32, ev: u32) -> u32 {
    if fe & 1 == 0 { lo(ev) } else { hi(ev) }
}

impl<'a> MeshView<'a> {
    /// Flag: every edge has at most two faces and no face has the same vertex twice, so that EF, FF and EE
    /// have rows of fixed length.
    pub const EDGE_MANIFOLD: u32 = 1;
    /// Flag: some face has the same vertex twice.
    pub const DEGENERATE_FACES: u32 = 2;

    /// Whether every edge has at most two faces and no face has the same vertex twice.
    #[inline(always)]
    pub fn edge_manifold(&self) -> bool {
        self.flags & Self::EDGE_MANIFOLD != 0
    }
    /// Whether some face has the same vertex twice.
    #[inline(always)]
    pub fn degenerate_faces(&self) -> bool {
        self.flags & Self::DEGENERATE_FACES != 0
    }
    /// Patch `p`: five 16-byte loads.
    #[inline(always)]
    #[track_caller]
    pub fn patch(&self, p: u32) -> Patch<'a> {
        let rows = self.rows.wide::<crate::Quad>();
        let at = PatchRow::GROUPS * p;
        // no closure: a patch that is not there is the caller's fault, whose line the error names
        let row = PatchRow::decode([
            rows.get(at).0,
            rows.get(at + 1).0,
            rows.get(at + 2).0,
            rows.get(at + 3).0,
            rows.get(at + 4).0,
        ]);
        let counts = row.counts;
        Patch {
            v: Elements {
                first: row.first[0],
                owned: counts.v_owned,
                ribbon: self.ribbon_v.at(row.ribbon[0]),
            },
            e: Elements {
                first: row.first[1],
                owned: counts.e_owned,
                ribbon: self.ribbon_e.at(row.ribbon[1]),
            },
            f: Elements {
                first: row.first[2],
                owned: counts.f_owned,
                ribbon: self.ribbon_f.at(row.ribbon[2]),
            },
            ev: self.ev.at(row.ev),
            fe: self.fe.at(row.fe),
            counts,
            vv_base: row.bases[0],
            ve_base: row.bases[1],
            vf_base: row.bases[2],
            flags: self.flags,
        }
    }
    /// For patch `p` of a mesh that is not edge-manifold: where its parts of EF, FF and EE begin, and their
    /// lengths.
    #[inline(always)]
    pub fn general(&self, p: u32) -> [(u32, u32); 3] {
        let at = |k: u32| self.general_rows.get(3 * p + k);
        let part = |k: u32| (at(k), at(3 + k) - at(k));
        [part(0), part(1), part(2)]
    }
}
