//! A mesh as argument of a launch.
use super::{Argument, BufferView, Lowering, MachineId, Parameter, Reborrow};
use crate::{Counts, MeshView};

/// The arrays of [`MeshView`], whose fields these are.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct MeshArrays<'a> {
    pub rows: BufferView<'a, u32>,
    pub general_rows: BufferView<'a, u32>,
    pub ev: BufferView<'a, u32>,
    pub fe: BufferView<'a, u16>,
    pub ribbon_v: BufferView<'a, u32>,
    pub ribbon_e: BufferView<'a, u32>,
    pub ribbon_f: BufferView<'a, u32>,
}
/// The numbers of [`MeshView`], whose fields these are.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct MeshNumbers {
    pub patches: u32,
    pub vertices: u32,
    pub edges: u32,
    pub faces: u32,
    pub flags: u32,
    pub max: Counts,
}

/// The patches of a mesh, borrowed for a launch.
#[derive(Clone, Copy)]
pub struct MeshArgument<'a> {
    arrays: MeshArrays<'a>,
    numbers: MeshNumbers,
    keys: [usize; 3],
}
impl<'a> MeshArgument<'a> {
    /// A mesh of these arrays. `keys` are the numbers by which values of its vertices, edges and faces know
    /// it ([`Column::mesh`](super::Column::mesh)).
    /// # Safety
    /// The arrays hold patches as `StaticMesh` builds them: every index in them is in bounds of what it leads
    /// to.
    pub unsafe fn new(arrays: MeshArrays<'a>, numbers: MeshNumbers, keys: [usize; 3]) -> Self {
        Self { arrays, numbers, keys }
    }
    /// The view that kernels get, for the host; `None` if the mesh is not in the host's memory.
    pub fn on_host(self) -> Option<MeshView<'a>> {
        // SAFETY: no barrier.
        let mut lowering = unsafe { Lowering::new(MachineId::HOST, core::ptr::null_mut()) };
        let view = self.lower("mesh", &mut lowering);
        lowering.finish().ok().map(|()| view)
    }
    /// Whether every edge has at most two faces and no face has the same vertex twice.
    pub fn edge_manifold(&self) -> bool {
        self.numbers.flags & MeshView::EDGE_MANIFOLD != 0
    }
    /// Its numbers.
    pub fn numbers(&self) -> &MeshNumbers {
        &self.numbers
    }
}

impl<'a> Reborrow for MeshArgument<'a> {
    type Lent<'b>
        = MeshArgument<'b>
    where
        Self: 'b;
    fn reborrow(&mut self) -> MeshArgument<'_> {
        *self
    }
}
// SAFETY: addresses only from `lower`.
unsafe impl<'a> Parameter for MeshView<'a> {
    type Host = MeshArgument<'a>;
    fn holds(&self, address: usize) -> bool {
        let words = [self.rows, self.general_rows, self.ev, self.ribbon_v, self.ribbon_e, self.ribbon_f];
        self.fe.holds(address) || words.iter().any(|view| view.holds(address))
    }
    fn absent(self) -> Self {
        Self {
            rows: self.rows.absent(),
            general_rows: self.general_rows.absent(),
            ev: self.ev.absent(),
            fe: self.fe.absent(),
            ribbon_v: self.ribbon_v.absent(),
            ribbon_e: self.ribbon_e.absent(),
            ribbon_f: self.ribbon_f.absent(),
            ..self
        }
    }
}
// SAFETY: every array is lowered.
unsafe impl<'a> Argument for MeshArgument<'a> {
    type Parameter = MeshView<'a>;
    fn lower(self, name: &'static str, lowering: &mut Lowering) -> MeshView<'a> {
        lowering.add_mesh(self.keys);
        let (a, n) = (self.arrays, self.numbers);
        MeshView {
            rows: a.rows.lower(name, lowering),
            general_rows: a.general_rows.lower(name, lowering),
            ev: a.ev.lower(name, lowering),
            fe: a.fe.lower(name, lowering),
            ribbon_v: a.ribbon_v.lower(name, lowering),
            ribbon_e: a.ribbon_e.lower(name, lowering),
            ribbon_f: a.ribbon_f.lower(name, lowering),
            patches: n.patches,
            vertices: n.vertices,
            edges: n.edges,
            faces: n.faces,
            flags: n.flags,
            max: n.max,
        }
    }
}
