//! Making a filling.
use crate::device::{Dart, Element, NONE, VertexId};
use crate::dynamic::cavity::{Cavity, Filled};
use crate::dynamic::fill::{Corner, Fill, NewFace, Side};
use crate::dynamic::operator::Operator;
use crate::dynamic::probe::Probe;
use crate::dynamic::site::{MeshWrite, Site};

/// Writes what an operator makes: ids of deleted elements are used again first, then ids from `first` on.
struct Write<'a, 'c, E, M> {
    mesh: M,
    /// The cavity as it will be, with what was planned: vertices, edges and faces. More would be written over
    /// what others own.
    filled: &'c Filled<'a, E>,
    pass: u32,
    patch: u32,
    vertices: u32,
    edges: u32,
    faces: u32,
}
impl<E: Element, M: MeshWrite> Fill for Write<'_, '_, E, M> {
    #[inline(always)]
    fn vertex(&mut self) -> Corner {
        let i = self.vertices;
        self.vertices += 1;
        if i >= self.filled.made[0] {
            return self.filled.vertex(0).into();
        }
        let v = self.filled.new_vertex(i);
        self.mesh.set_dead(v, 0);
        v.into()
    }
    #[inline(always)]
    fn edge(&mut self, from: impl Into<Corner>, to: impl Into<Corner>) -> Side {
        let (from, to) = (from.into(), to.into());
        let i = self.edges;
        self.edges += 1;
        if i >= self.filled.made[1] {
            return Side { dart: self.filled.dart(0).index(), from, to };
        }
        let e = self.filled.new_edge(i);
        self.mesh.clear_edge(e);
        Side { dart: 2 * e.index(), from, to }
    }
    #[inline(always)]
    fn face(&mut self, sides: [Side; 3]) -> NewFace {
        let i = self.faces;
        self.faces += 1;
        if i >= self.filled.made[2] {
            return NewFace(self.filled.deleted_face(0).index());
        }
        let face = self.filled.new_face(i);
        let ([a, b, c], f) = (sides, face.index());
        let vertices = [a.from.0, b.from.0, c.from.0, self.patch];
        self.mesh.set_face(face, vertices, [a.dart, b.dart, c.dart, self.pass]);
        self.mesh.set_half_edge(Dart::new(a.dart), 4 * f);
        self.mesh.set_half_edge(Dart::new(b.dart), 4 * f + 1);
        self.mesh.set_half_edge(Dart::new(c.dart), 4 * f + 2);
        NewFace(f)
    }
    #[inline(always)]
    fn exclusive(&mut self, _: VertexId) {}
    #[inline(always)]
    fn made(&self) -> [u32; 3] {
        [self.vertices, self.edges, self.faces]
    }
}

/// Fills a cavity as `planned`; new elements beyond the number of deleted ones get the ids from `first` on.
/// An operator that makes something else than it planned is noted.
#[inline(always)]
pub fn write<O: Operator>(
    m: impl Site,
    operator: O,
    cavity: &Cavity<'_, O::Seed>,
    planned: [u32; 3],
    first: [u32; 3],
    pass: u32,
) {
    let mesh = m.mesh();
    let decision = cavity.decision::<O::Decision>();
    let patch = mesh.cached_patch(cavity.deleted_face(0));
    // vertices of the loop that had no other faces, and got none
    let mut i = 0;
    while i < cavity.len() {
        if cavity.open(i) && cavity.open(cavity.before(i)) {
            let mut probe = Probe::of_loop(cavity, i);
            let made = O::fill(cavity, &decision, &mut probe);
            if made.is_ok() && probe.faces == 0 {
                mesh.set_dead(cavity.vertex(i), 1);
            }
        }
        i += 1;
    }
    let gathered = operator.gather(cavity, &decision);
    // a side that no new face gets is on the boundary
    let mut i = 0;
    while i < cavity.len() {
        mesh.set_half_edge(cavity.dart(i), NONE);
        i += 1;
    }
    let filled = Filled { cavity: *cavity, first, made: planned };
    let mut writing = Write { mesh, filled: &filled, pass, patch, vertices: 0, edges: 0, faces: 0 };
    let made = O::fill(cavity, &decision, &mut writing);
    let [vertices, edges, faces] = writing.made();
    let Ok(made) = made else { return m.note_other_filling(cavity.seed) };
    if [vertices, edges, faces] != planned {
        return m.note_other_filling(cavity.seed);
    }
    operator.scatter(&filled, &decision, gathered, &made);
    let mut i = edges;
    while i < cavity.deleted_edges() {
        mesh.clear_edge(cavity.deleted_edge(i));
        i += 1;
    }
    let mut i = faces;
    while i < cavity.deleted_faces() {
        mesh.set_face(cavity.deleted_face(i), [NONE; 4], [NONE, NONE, NONE, pass]);
        i += 1;
    }
    let mut i = vertices;
    while i < cavity.deleted_vertices() {
        mesh.set_dead(cavity.deleted_vertex(i), 1);
        i += 1;
    }
}
