//! The dynamic mesh as kernels see it: flat arrays, each word of which belongs to one face.
use crate::control;
use ribbonmesh::device::{NONE, Out, Parameter, Quad};

/// The next half-edge of the face: `4 face + corner`.
#[inline(always)]
pub fn next(h: u32) -> u32 {
    if h & 3 == 2 { h - 2 } else { h + 1 }
}
/// The previous half-edge of the face.
#[inline(always)]
pub fn prev(h: u32) -> u32 {
    if h & 3 == 0 { h + 2 } else { h - 1 }
}

/// A dynamic mesh as kernels see it.
///
/// A *half-edge* `4 f + i` is the side of face f that begins at its i-th vertex; a *dart* `2 e + d` is an edge with a
/// direction. Each half-edge has a dart, each dart at most one half-edge.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct DynamicView<'a> {
    /// Three vertices and the patch of each face; the vertices of a deleted face are `NONE`.
    pub fv: Out<'a, u32>,
    /// Three darts of each face, and the pass that made it.
    pub fe: Out<'a, u32>,
    /// The half-edge of each dart, or `NONE`; an edge with none on either side is deleted.
    pub eh: Out<'a, u32>,
    /// 1 for deleted vertices.
    pub dead: Out<'a, u32>,
    /// A half-edge that begins at each vertex, or `NONE`: true after `begin_vertices` and `least_half_edges`, until
    /// the mesh changes.
    pub vh: Out<'a, u32>,
    /// Claims of faces.
    pub claims: Out<'a, u64>,
    /// Claims of edges to be, by a hash of their ends; a power of two of them.
    pub slots: Out<'a, u64>,
    /// One bit per seed: out of this pass.
    pub out: Out<'a, u32>,
    /// One bit per edge: to be looked at in even passes.
    pub look_even: Out<'a, u32>,
    /// One bit per edge: to be looked at in odd passes.
    pub look_odd: Out<'a, u32>,
    /// For each seed where the record of its cavity begins, plus 1; 0 for none.
    pub place: Out<'a, u32>,
    /// Candidates of even rounds: seed; what is kept of its priority, and above that the number of its faces, 16 bits
    /// each.
    pub even: Out<'a, [u32; 2]>,
    /// Candidates of odd rounds.
    pub odd: Out<'a, [u32; 2]>,
    /// Records of cavities.
    pub records: Out<'a, u32>,
    /// Per tile of seeds: new vertices, edges and faces, then where they begin.
    pub needs: Out<'a, u32>,
    /// Counters, see `control`.
    pub control: Out<'a, u32>,
    /// Vertices that there is room for.
    pub most_vertices: u32,
    /// Edges that there is room for.
    pub most_edges: u32,
    /// Faces that there is room for.
    pub most_faces: u32,
}

impl DynamicView<'_> {
    /// The dart of half-edge `h`.
    #[inline(always)]
    pub fn dart(&self, h: u32) -> u32 {
        self.fe.get(h)
    }
    /// The half-edge on the other side, or `NONE`.
    #[inline(always)]
    pub fn twin(&self, h: u32) -> u32 {
        self.eh.get(self.fe.get(h) ^ 1)
    }
    /// Where half-edge `h` begins.
    #[inline(always)]
    pub fn from(&self, h: u32) -> u32 {
        self.fv.get(h)
    }
    /// Where half-edge `h` ends.
    #[inline(always)]
    pub fn to(&self, h: u32) -> u32 {
        self.fv.get(next(h))
    }
    /// The two half-edges of edge `e`, `NONE` where there is no face.
    #[inline(always)]
    pub fn sides(&self, e: u32) -> [u32; 2] {
        self.eh.wide::<[u32; 2]>().get(e)
    }
    /// The vertices of face `f`, and its patch.
    #[inline(always)]
    pub fn corners(&self, f: u32) -> [u32; 4] {
        self.fv.wide::<Quad>().get(f).0
    }
    /// The number of this pass.
    #[inline(always)]
    pub fn pass(&self) -> u32 {
        self.control.get(control::PASS)
    }
    /// The pass that made the face of half-edge `h`; 0 if none did.
    #[inline(always)]
    pub fn made(&self, h: u32) -> u32 {
        self.fe.get(h | 3)
    }
    /// The two ends of edge `e`, which lives.
    #[inline(always)]
    pub fn ends(&self, e: u32) -> [u32; 2] {
        self.ends_of(self.sides(e))
    }
    /// The two ends of the edge with these half-edges, one of them at least.
    #[inline(always)]
    pub fn ends_of(&self, [h0, h1]: [u32; 2]) -> [u32; 2] {
        if h0 != NONE { [self.from(h0), self.to(h0)] } else { [self.to(h1), self.from(h1)] }
    }
    /// The two ends of the edge with these half-edges, and the vertices opposite of it: a b c d, with faces a b c and
    /// b a d.
    #[inline(always)]
    pub fn diamond(&self, [g, h]: [u32; 2]) -> [u32; 4] {
        [self.from(g), self.to(g), self.opposite(g), self.opposite(h)]
    }
    /// The vertices across an edge from its half-edge.
    #[inline(always)]
    pub fn opposite(&self, h: u32) -> u32 {
        self.fv.get(prev(h))
    }

    /// Visits the half-edges that begin at the start of half-edge `h`: `h` itself, then counter-clockwise to the
    /// boundary or around, then clockwise from `h`. Ends when `f` says false; returns whether it came to the end.
    ///
    /// What is not visited: the edge at which the last face before the boundary arrives, which has no half-edge that
    /// begins here; see [`DynamicView::neighbours`].
    #[inline(always)]
    pub fn star(&self, h: u32, mut f: impl FnMut(u32) -> bool) -> bool {
        let mut g = h;
        loop {
            // loaded beside what `f` loads, not after it
            let t = self.twin(prev(g));
            if !f(g) {
                return false;
            }
            if t == NONE {
                break;
            }
            if t == h {
                return true;
            }
            g = t;
        }
        let mut t = self.twin(h);
        while t != NONE {
            let g = next(t);
            t = self.twin(g);
            if !f(g) {
                return false;
            }
        }
        true
    }
    /// Visits the neighbours of the start of `h`, each once: `f(vertex, half-edge from here or to here)`. Ends when
    /// `f` says false; returns whether it came to the end.
    #[inline(always)]
    pub fn neighbours(&self, h: u32, mut f: impl FnMut(u32, u32) -> bool) -> bool {
        let mut g = h;
        loop {
            let back = prev(g);
            let t = self.twin(back);
            if !f(self.to(g), g) {
                return false;
            }
            if t == NONE {
                if !f(self.from(back), back) {
                    return false;
                }
                break;
            }
            if t == h {
                return true;
            }
            g = t;
        }
        let mut t = self.twin(h);
        while t != NONE {
            let g = next(t);
            t = self.twin(g);
            if !f(self.to(g), g) {
                return false;
            }
        }
        true
    }
    /// Whether the start of `h` lies on the boundary.
    #[inline(always)]
    pub fn on_boundary(&self, h: u32) -> bool {
        let mut g = h;
        loop {
            let t = self.twin(prev(g));
            if t == NONE {
                return true;
            }
            if t == h {
                return false;
            }
            g = t;
        }
    }
}
