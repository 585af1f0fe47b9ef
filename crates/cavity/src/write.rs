//! Making a filling.
use crate::cavity::{Cavity, Side};
use crate::control::{self, Refusal};
use crate::fill::Fill;
use crate::operator::Operator;
use crate::probe::Probe;
use crate::view::DynamicView;
use ribbonmesh::device::atomic::{self, Order, Scope};
use ribbonmesh::device::{NONE, Quad};

/// Writes what an operator makes: ids of what is deleted are used again first, then those from `first` on.
struct Write<'a, 'c> {
    mesh: DynamicView<'a>,
    cavity: &'c Cavity<'a>,
    first: [u32; 3],
    pass: u32,
    patch: u32,
    /// What was planned: vertices, edges and faces. More would be written over what others own.
    planned: [u32; 3],
    vertices: u32,
    edges: u32,
    faces: u32,
}
impl Fill for Write<'_, '_> {
    #[inline(always)]
    fn vertex(&mut self) -> u32 {
        let i = self.vertices;
        self.vertices += 1;
        if i >= self.planned[0] {
            return self.cavity.vertex(0);
        }
        let n = self.cavity.deleted_vertices();
        let v = if i < n { self.cavity.deleted_vertex(i) } else { self.first[0] + (i - n) };
        self.mesh.dead.set(v, 0);
        v
    }
    #[inline(always)]
    fn edge(&mut self, from: u32, to: u32) -> Side {
        let i = self.edges;
        self.edges += 1;
        if i >= self.planned[1] {
            return Side { dart: self.cavity.dart(0), from, to };
        }
        let n = self.cavity.deleted_edges();
        let e = if i < n { self.cavity.deleted_edge(i) } else { self.first[1] + (i - n) };
        self.mesh.eh.wide::<[u32; 2]>().set(e, [NONE; 2]);
        Side { dart: 2 * e, from, to }
    }
    #[inline(always)]
    fn face(&mut self, sides: [Side; 3]) -> u32 {
        let i = self.faces;
        self.faces += 1;
        if i >= self.planned[2] {
            return self.cavity.deleted_face(0);
        }
        let n = self.cavity.deleted_faces();
        let f = if i < n { self.cavity.deleted_face(i) } else { self.first[2] + (i - n) };
        let [a, b, c] = sides;
        self.mesh.fv.wide::<Quad>().set(f, Quad([a.from, b.from, c.from, self.patch]));
        self.mesh.fe.wide::<Quad>().set(f, Quad([a.dart, b.dart, c.dart, self.pass]));
        self.mesh.eh.set(a.dart, 4 * f);
        self.mesh.eh.set(b.dart, 4 * f + 1);
        self.mesh.eh.set(c.dart, 4 * f + 2);
        f
    }
    #[inline(always)]
    fn refuse(&mut self, _: Refusal) {}
    #[inline(always)]
    fn consider(&mut self, _: impl FnOnce() -> Option<Refusal>) {}
    #[inline(always)]
    fn write(&mut self, f: impl FnOnce()) {
        f()
    }
}

/// Fills a cavity as `planned`; new elements beyond those deleted get the ids from `first` on. An operator that makes
/// something else than it planned is noted.
#[inline(always)]
pub fn write<O: Operator>(
    mesh: DynamicView<'_>,
    operator: O,
    cavity: &Cavity<'_>,
    planned: [u32; 3],
    first: [u32; 3],
    pass: u32,
) {
    let patch = mesh.fv.get(4 * cavity.deleted_face(0) + 3);
    // vertices of the loop that had no other faces, and got none
    let mut i = 0;
    while i < cavity.len() {
        if cavity.open(i) && cavity.open(cavity.before(i)) {
            let mut probe = Probe::of_loop(cavity, i);
            operator.fill(cavity, &mut probe);
            if probe.faces == 0 {
                mesh.dead.set(cavity.vertex(i), 1);
            }
        }
        i += 1;
    }
    let mut i = 0;
    while i < cavity.len() {
        mesh.eh.set(cavity.dart(i), NONE);
        i += 1;
    }
    let mut filling = Write { mesh, cavity, first, pass, patch, planned, vertices: 0, edges: 0, faces: 0 };
    operator.fill(cavity, &mut filling);
    let Write { vertices, edges, faces, .. } = filling;
    if [vertices, edges, faces] != planned {
        atomic::fetch_max(mesh.control, control::DIFFERED, cavity.seed + 1, Order::Relaxed, Scope::Device);
        return;
    }
    let mut i = edges;
    while i < cavity.deleted_edges() {
        mesh.eh.wide::<[u32; 2]>().set(cavity.deleted_edge(i), [NONE; 2]);
        i += 1;
    }
    let mut i = faces;
    while i < cavity.deleted_faces() {
        mesh.fv.wide::<Quad>().set(cavity.deleted_face(i), Quad([NONE; 4]));
        mesh.fe.wide::<Quad>().set(cavity.deleted_face(i), Quad([NONE, NONE, NONE, pass]));
        i += 1;
    }
    let mut i = vertices;
    while i < cavity.deleted_vertices() {
        mesh.dead.set(cavity.deleted_vertex(i), 1);
        i += 1;
    }
}
