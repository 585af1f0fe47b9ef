//! Marks of edges.
#[cfg(not(target_arch = "nvptx64"))]
use ribbonmesh::device::BufferViewMut;
use ribbonmesh::device::{NONE, Out, Parameter};
use ribbonmesh_cavity::{Cavity, DynamicView, next, prev};

/// The word of an edge with a mark. The other bits are for plans.
pub const MARKED: u32 = 1 << 31;
/// Most vertices around a collapse for each of which a plan has a bit.
pub const MOST_AROUND: u32 = 31;

/// Marks of edges inside of the surface: those of features.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Marks<'a> {
    /// [`MARKED`] or 0 for each edge; of no meaning unless there are `some`.
    pub words: Out<'a, u32>,
    /// 1 if an edge has a mark, else 0.
    pub some: u32,
}
#[cfg(not(target_arch = "nvptx64"))]
impl<'a> MarksArguments<'a> {
    /// Of these words.
    pub fn new(words: BufferViewMut<'a, u32>, some: bool) -> Self {
        Self { words, some: some as u32 }
    }
}
impl<'a> Marks<'a> {
    /// Whether any edge has a mark.
    #[inline(always)]
    pub fn some(&self) -> bool {
        self.some != 0
    }
    /// Whether edge `e` has one.
    #[inline(always)]
    pub fn get(&self, e: u32) -> bool {
        self.some() && self.words.get(e) & MARKED != 0
    }
    /// Gives edge `e` a mark or none.
    #[inline(always)]
    pub fn set(&self, e: u32, mark: bool) {
        self.words.set(e, if mark { MARKED } else { 0 });
    }
    /// Whether half-edge `h` lies on a curve: on the boundary, or marked.
    #[inline(always)]
    pub fn of_curve(&self, mesh: DynamicView<'_>, h: u32) -> bool {
        let dart = mesh.dart(h);
        mesh.eh.get(dart ^ 1) == NONE || self.get(dart >> 1)
    }
    /// The neighbours on the curve of the start of `h`; none if there are not two.
    #[inline(always)]
    pub fn curve_neighbours(&self, mesh: DynamicView<'_>, h: u32) -> Option<[u32; 2]> {
        let (mut found, mut first, mut second) = (0, 0, 0);
        mesh.neighbours(h, |u, g| {
            if self.of_curve(mesh, g) {
                if found == 0 {
                    first = u;
                } else {
                    second = u;
                }
                found += 1;
            }
            true
        });
        (found == 2).then_some([first, second])
    }

    /// While the collapse of an edge with these ends is planned: finds the vertices of the loop with a marked edge to one
    /// of the ends. The seed's word keeps them until the filling is made. False if one of them has no bit there: it lies
    /// behind the first [`MOST_AROUND`].
    #[inline(always)]
    pub fn plan_collapse(&self, cavity: &Cavity<'_>, [a, b]: [u32; 2]) -> bool {
        let (mesh, mut bits, mut i) = (cavity.mesh(), 0, 0);
        while i < cavity.len() {
            let h = cavity.inside(i);
            let apex = mesh.opposite(h);
            if apex == a || apex == b {
                // the edge itself is the seed, if the apex is one end and the loop's vertex the other
                let mut look = |h: u32, place: u32| {
                    let e = mesh.dart(h) >> 1;
                    if e != cavity.seed && self.get(e) {
                        bits |= if place < MOST_AROUND { 1 << place } else { MARKED };
                    }
                };
                look(next(h), cavity.after(i));
                look(prev(h), i);
            }
            i += 1;
        }
        let good = bits & MARKED == 0;
        if good {
            self.words.set(cavity.seed, self.words.get(cavity.seed) & MARKED | bits);
        }
        good
    }
    /// Which new edges of a collapse that was planned get a mark: those to a vertex that had a marked edge to one of
    /// the ends. To be asked for before anything is made.
    #[inline(always)]
    pub fn of_collapse<'c>(
        &self,
        cavity: &'c Cavity<'c>,
        [a, b]: [u32; 2],
    ) -> impl Fn(u32, u32) -> bool + use<'a, 'c> {
        let bits = if self.some() { self.words.get(cavity.seed) & !MARKED } else { 0 };
        move |from: u32, to: u32| {
            // the hub is an end that stays, or no vertex of the loop
            let spoke = |u: u32| {
                let i = cavity.find(u);
                i < MOST_AROUND && bits >> i & 1 != 0
            };
            let hub_first = from == a || from == b;
            bits != 0 && spoke(if hub_first { to } else { from })
        }
    }
}
