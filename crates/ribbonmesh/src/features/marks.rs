//! Marks of edges.
use crate::device::{Edge, EdgeId, HalfEdge, Parameter, ValuesMut, VertexId};
#[cfg(not(target_arch = "nvptx64"))]
use crate::dynamic::DynamicAttribute;
use crate::dynamic::{Cavity, Fan, Filled, MeshRef};

/// Most vertices around a collapse for each of which a plan has a bit.
pub const MOST_AROUND: u32 = 31;

/// Marks of edges inside of the surface: edges of features.
#[repr(C)]
#[derive(Clone, Copy, Parameter)]
pub struct Marks<'a> {
    /// 1 or 0 for each edge; of no meaning unless there are `some`.
    pub words: ValuesMut<'a, Edge, u32>,
    /// 1 if an edge has a mark, else 0.
    pub some: u32,
}
#[cfg(not(target_arch = "nvptx64"))]
impl<'a> MarksArguments<'a> {
    /// Marks in the words of an attribute; no edge is marked without one.
    pub fn new(words: Option<&'a mut DynamicAttribute<Edge, u32>>) -> Self {
        let some = words.is_some() as u32;
        Self { words: DynamicAttribute::view_mut_or_empty(words), some }
    }
}
impl Marks<'_> {
    /// Whether any edge has a mark.
    #[inline(always)]
    pub fn some(&self) -> bool {
        self.some != 0
    }
    /// Whether edge `e` has one.
    #[inline(always)]
    pub fn get(&self, e: EdgeId) -> bool {
        self.some() && self.words.get(e) != 0
    }
    /// Gives edge `e` a mark or none.
    #[inline(always)]
    pub fn set(&self, e: EdgeId, mark: bool) {
        self.words.set(e, mark as u32);
    }
    /// Whether half-edge `h` lies on a curve: on the boundary, or marked.
    #[inline(always)]
    pub fn of_curve(&self, mesh: impl MeshRef, h: HalfEdge) -> bool {
        let dart = mesh.dart(h);
        mesh.half_edge(dart.reversed()).is_none() || self.get(dart.edge())
    }
    /// The neighbours on the curve of the start of `h`; `None` if there are not two.
    #[inline(always)]
    pub fn curve_neighbours(&self, mesh: impl MeshRef, h: HalfEdge) -> Option<[VertexId; 2]> {
        let (mut found, mut first, mut second) = (0, VertexId::NONE, VertexId::NONE);
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

    /// The vertices of the loop with a marked edge to one of the ends of a collapse, as bits by their place.
    /// `None` if one of them has no bit: it is behind the first [`MOST_AROUND`].
    #[inline(always)]
    pub fn around_collapse(
        &self,
        mesh: impl MeshRef,
        cavity: &Cavity<'_, Edge>,
        [a, b]: [VertexId; 2],
    ) -> Option<u32> {
        let (mut bits, mut good, mut i) = (0u32, true, 0);
        while self.some() && i < cavity.len() {
            let h = cavity.inside(mesh, i)?;
            let apex = mesh.opposite(h);
            if apex == a || apex == b {
                // the edge itself is the seed, if the apex is one end and the loop's vertex the other
                let mut look = |h: HalfEdge, place: u32| {
                    let e = mesh.edge(h);
                    if e != cavity.seed() && self.get(e) {
                        good &= place < MOST_AROUND;
                        bits |= 1 << (place & 31);
                    }
                };
                look(h.next(), cavity.after(i));
                look(h.prev(), i);
            }
            i += 1;
        }
        good.then_some(bits)
    }
    /// Marks the new edges of a collapse that lead to vertices with a bit.
    #[inline(always)]
    pub fn mark_fan(&self, cavity: &Filled<'_, Edge>, fan: &Fan, bits: u32) {
        let mut k = 0;
        while self.some() && k < fan.edges {
            let place = fan.vertex(cavity, k);
            self.set(fan.edge(cavity, k), place < MOST_AROUND && bits >> place & 1 != 0);
            k += 1;
        }
    }
}
