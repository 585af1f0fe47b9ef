//! The table of queries: all that differs between them on the host.
use super::run::Memory;
use crate::kernels::query::Query;
use crate::kernels::query::edge::{Ee, Ef, Ev, EvDiamond};
use crate::kernels::query::face::{Fe, Ff, Fv};
use crate::kernels::query::fixed::{self, Fixed, Row};
use crate::kernels::query::general::{EeGeneral, EfGeneral, FfGeneral};
use crate::kernels::query::oriented::{Oriented, OrientedGeneral, OrientedGeneralTypes, OrientedTypes};
use crate::kernels::query::vertex::{self, OfVertices, Ve, Vf, Vv};
use crate::{Element, Result, StaticMesh};
use ribbonmesh_device::{Counts, ElementKind};

macro_rules! queries { ($($(#[$doc:meta])* $op:ident = $entry:expr;)*) => {
    /// A query (thesis Table 2.1, and two more of RXMesh). The first letter is the source, which has a row in
    /// the result; the second is the target, the elements in the row.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Op { $($(#[$doc])* $op),* }
    impl Op {
        /// All queries.
        pub const ALL: [Self; [$(stringify!($op)),*].len()] = [$(Self::$op),*];
        /// Name of the query, for example `VV`.
        pub fn name(self) -> &'static str {
            match self { $(Self::$op => stringify!($op)),* }
        }
        pub(super) fn entry(self) -> &'static Entry {
            match self { $(Self::$op => const { &$entry }),* }
        }
    }
} }
queries! {
    /// The neighbours of a vertex: each once, without the vertex itself.
    VV = Entry::of_vertices::<Vv>();
    /// The edges of a vertex.
    VE = Entry::of_vertices::<Ve>();
    /// The faces of a vertex.
    VF = Entry::of_vertices::<Vf>();
    /// The two vertices of an edge.
    EV = Entry::fixed::<Ev>().in_order(Order::Ascending);
    /// The faces of an edge.
    EF = Entry::fixed::<Ef>()
        .general(|c| c.ef, |mesh, m| mesh.each_patch(EfGeneral { mesh: mesh.view(), to: m.into() }));
    /// The three vertices of a face, in the order of the input.
    FV = Entry::fixed::<Fv>().in_order(Order::Given);
    /// The three edges of a face: edge `i` goes from vertex `i` to vertex `i + 1`.
    FE = Entry::fixed::<Fe>().in_order(Order::Given);
    /// The faces that share an edge with a face: on edge-manifold meshes entry `i` is the face across edge
    /// `i`.
    FF = Entry::fixed::<Ff>()
        .general(|c| c.ff, |mesh, m| mesh.each_patch(FfGeneral { mesh: mesh.view(), to: m.into() }));
    /// The edges that share a face with an edge: on edge-manifold meshes the next and the previous edge in
    /// each of its faces, so that an edge that shares two faces occurs twice.
    EE = Entry::fixed::<Ee>()
        .general(|c| c.ee, |mesh, m| mesh.each_patch(EeGeneral { mesh: mesh.view(), to: m.into() }));
    /// Four vertices of an edge: its first end, the opposite vertex in its first face, its second end, the
    /// opposite vertex in its second face. For edge-manifold meshes only.
    EVDiamond = Entry::fixed::<EvDiamond>().of_two_sides().in_order(Order::Crossed);
}

/// A launch of a query's kernel with the arrays of its result.
type Launch = fn(&StaticMesh, Memory<'_>) -> Result<()>;

/// The order of a row's entries that does not depend on ids: see [`Op::arrange`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Ascending, each once.
    Set,
    /// Ascending.
    Ascending,
    /// As the query gives them.
    Given,
    /// Two ends, and two entries opposite to them, in turn; each two ascend.
    Crossed,
}

/// A line of the table.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub source: ElementKind,
    pub target: ElementKind,
    /// As [`Query::NEAR`].
    pub near: fn(&Counts) -> u32,
    /// As [`Query::READS`].
    pub reads: fn(&Counts) -> [u32; 2],
    /// Entries of each row, if all have as many.
    width: Option<usize>,
    /// Entries of the result, if not.
    pub entries: fn(&Counts) -> u32,
    pub all: Launch,
    pub active: Launch,
    /// On edge-manifold meshes, and on others.
    pub oriented: Option<[Launch; 2]>,
    /// On meshes that are not edge-manifold.
    pub general: Option<Launch>,
    /// Whether it is refused where an edge is more than two sides of faces.
    pub two_sides: bool,
    pub order: Order,
}
impl Entry {
    const fn new<Q: Query>(all: Launch, active: Launch) -> Self {
        Self {
            source: Q::Source::KIND,
            target: Q::Target::KIND,
            near: Q::NEAR,
            reads: Q::READS,
            width: None,
            entries: |_| 0,
            all,
            active,
            oriented: None,
            general: None,
            two_sides: false,
            order: Order::Set,
        }
    }
    const fn of_vertices<Q>() -> Self
    where
        Q: OfVertices + vertex::WriteTypes + vertex::ActiveTypes + OrientedTypes + OrientedGeneralTypes,
    {
        let all: Launch = |mesh, Memory { offsets, values, .. }| {
            mesh.each_patch(vertex::Write { mesh: mesh.view(), offsets, values }.of::<Q>())
        };
        let active: Launch = |mesh, Memory { active, offsets, lengths, values, .. }| {
            let mesh_view = mesh.view();
            mesh.each_patch(vertex::Active { mesh: mesh_view, active, offsets, lengths, values }.of::<Q>())
        };
        let oriented: Launch = |mesh, Memory { offsets, values, problems, .. }| {
            mesh.each_patch(Oriented { mesh: mesh.view(), offsets, values, problems }.of::<Q>())
        };
        let oriented_general: Launch = |mesh, Memory { offsets, values, problems, .. }| {
            mesh.each_patch(OrientedGeneral { mesh: mesh.view(), offsets, values, problems }.of::<Q>())
        };
        let oriented = Some([oriented, oriented_general]);
        Self { entries: Q::ENTRIES, oriented, ..Self::new::<Q>(all, active) }
    }
    const fn fixed<Q: Fixed + fixed::WriteTypes + fixed::ActiveTypes>() -> Self {
        let all: Launch = |mesh, Memory { values, .. }| {
            mesh.each_patch(fixed::Write { mesh: mesh.view(), values }.of::<Q>())
        };
        let active: Launch = |mesh, Memory { active, values, .. }| {
            mesh.each_patch(fixed::Active { mesh: mesh.view(), active, values }.of::<Q>())
        };
        Self { width: Some(Q::Row::WIDTH as usize), ..Self::new::<Q>(all, active) }
    }
    /// On meshes that are not edge-manifold with rows of different lengths, by another kernel.
    const fn general(self, entries: fn(&Counts) -> u32, launch: Launch) -> Self {
        Self { entries, general: Some(launch), ..self }
    }
    const fn of_two_sides(self) -> Self {
        Self { two_sides: true, ..self }
    }
    const fn in_order(self, order: Order) -> Self {
        Self { order, ..self }
    }
    /// Entries of each row on such a mesh, if all have as many.
    pub fn width(&self, edge_manifold: bool) -> Option<usize> {
        self.width.filter(|_| edge_manifold || self.general.is_none())
    }
    /// Entries of all rows.
    pub fn all_entries(&self, rows: usize, edge_manifold: bool, totals: &Counts) -> usize {
        self.width(edge_manifold).map_or_else(|| (self.entries)(totals) as usize, |width| width * rows)
    }
}
