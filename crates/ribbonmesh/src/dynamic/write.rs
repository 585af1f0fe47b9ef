//! Making a filling.
use crate::device::atomic::{self, Order, Scope};
use crate::device::{Element, NONE, Quad, VertexId};
use crate::dynamic::cavity::{Cavity, Filled};
use crate::dynamic::control;
use crate::dynamic::fill::{Corner, Fill, NewFace, Side};
use crate::dynamic::operator::Operator;
use crate::dynamic::probe::Probe;
use crate::dynamic::rounds::Rounds;
use crate::dynamic::view::Tables;

/// Writes what an operator makes: ids of what is deleted are used again first, then those from `first` on.
struct Write<'a, 'c, E> {
    mesh: Tables<'a>,
    /// The cavity as it will be, with what was planned: vertices, edges and faces. More would be written over what others
    /// own.
    filled: &'c Filled<'a, E>,
    pass: u32,
    patch: u32,
    vertices: u32,
    edges: u32,
    faces: u32,
}
impl<E: Element> Fill for Write<'_, '_, E> {
    #[inline(always)]
    fn vertex(&mut self) -> Corner {
        let i = self.vertices;
        self.vertices += 1;
        if i >= self.filled.made[0] {
            return self.filled.vertex(0).into();
        }
        let v = self.filled.new_vertex(i);
        self.mesh.dead.set(v.index(), 0);
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
        let e = self.filled.new_edge(i).index();
        self.mesh.eh.wide::<[u32; 2]>().set(e, [NONE; 2]);
        Side { dart: 2 * e, from, to }
    }
    #[inline(always)]
    fn face(&mut self, sides: [Side; 3]) -> NewFace {
        let i = self.faces;
        self.faces += 1;
        if i >= self.filled.made[2] {
            return NewFace(self.filled.deleted_face(0).index());
        }
        let f = self.filled.new_face(i).index();
        let [a, b, c] = sides;
        self.mesh.fv.wide::<Quad>().set(f, Quad([a.from.0, b.from.0, c.from.0, self.patch]));
        self.mesh.fe.wide::<Quad>().set(f, Quad([a.dart, b.dart, c.dart, self.pass]));
        self.mesh.eh.set(a.dart, 4 * f);
        self.mesh.eh.set(b.dart, 4 * f + 1);
        self.mesh.eh.set(c.dart, 4 * f + 2);
        NewFace(f)
    }
    #[inline(always)]
    fn exclusive(&mut self, _: VertexId) {}
    #[inline(always)]
    fn made(&self) -> [u32; 3] {
        [self.vertices, self.edges, self.faces]
    }
}

/// Fills a cavity as `planned`; new elements beyond those deleted get the ids from `first` on. An operator that makes
/// something else than it planned is noted.
#[inline(always)]
pub fn write<O: Operator>(
    m: Rounds<'_>,
    operator: O,
    cavity: &Cavity<'_, O::Seed>,
    planned: [u32; 3],
    first: [u32; 3],
    pass: u32,
) {
    let mesh = m.mesh;
    let decision = cavity.decision::<O::Decision>();
    let patch = mesh.fv.get(4 * cavity.deleted_face(0).index() + 3);
    // vertices of the loop that had no other faces, and got none
    let mut i = 0;
    while i < cavity.len() {
        if cavity.open(i) && cavity.open(cavity.before(i)) {
            let mut probe = Probe::of_loop(cavity, i);
            let made = O::fill(cavity, &decision, &mut probe);
            if made.is_ok() && probe.faces == 0 {
                mesh.dead.set(cavity.vertex(i).index(), 1);
            }
        }
        i += 1;
    }
    let gathered = operator.gather(cavity, &decision);
    let mut i = 0;
    while i < cavity.len() {
        mesh.eh.set(cavity.dart(i).index(), NONE);
        i += 1;
    }
    let filled = Filled { cavity: *cavity, first, made: planned };
    let mut writing = Write { mesh, filled: &filled, pass, patch, vertices: 0, edges: 0, faces: 0 };
    let made = O::fill(cavity, &decision, &mut writing);
    let [vertices, edges, faces] = writing.made();
    let Ok(made) = made else { return differed(m, cavity) };
    if [vertices, edges, faces] != planned {
        return differed(m, cavity);
    }
    operator.scatter(&filled, &decision, gathered, &made);
    let mut i = edges;
    while i < cavity.deleted_edges() {
        mesh.eh.wide::<[u32; 2]>().set(cavity.deleted_edge(i).index(), [NONE; 2]);
        i += 1;
    }
    let mut i = faces;
    while i < cavity.deleted_faces() {
        let f = cavity.deleted_face(i).index();
        mesh.fv.wide::<Quad>().set(f, Quad([NONE; 4]));
        mesh.fe.wide::<Quad>().set(f, Quad([NONE, NONE, NONE, pass]));
        i += 1;
    }
    let mut i = vertices;
    while i < cavity.deleted_vertices() {
        mesh.dead.set(cavity.deleted_vertex(i).index(), 1);
        i += 1;
    }
}

#[inline(always)]
fn differed<E: Element>(m: Rounds<'_>, cavity: &Cavity<'_, E>) {
    atomic::fetch_max(m.control, control::DIFFERED, cavity.seed + 1, Order::Relaxed, Scope::Device);
}
