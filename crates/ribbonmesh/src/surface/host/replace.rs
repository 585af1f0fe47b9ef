//! A surface becomes another one: columns follow.
use super::column::Column;
use super::note::{Note, Why};
use super::order::{Places, composed};
use super::surface::{Edges, State, Surface, follow_normal, lost};
use crate::bvh::Bvh;
use crate::device::{BufferView, ColumnView, ElementKind, Quad, tiles};
use crate::dynamic::{DynamicAttribute, DynamicMesh};
use crate::kernels::attribute::combine::{CombineF32, SCALE};
use crate::surface::kernels::locate::{
    BeforeArguments, ELEMENTS, LocateCorners, LocateFaces, LocateVertices,
};
use crate::surface::kernels::rows::{BlendRows, HEAVIEST, JoinCorners, MEAN, UNIT};
use crate::surface::kernels::seams::CurvesArguments;
use crate::{Attribute, Buffer, Edge, Op, Result, StaticMesh, Vertex};
use glam::Vec3;
use ribbonmesh_mesh::{Element, Policy, Role, Scalar};

/// A mesh that an application has made of a surface.
pub struct Changed {
    /// The mesh, with contiguous ids.
    pub mesh: DynamicMesh,
    /// Positions of its vertices, multiplied by `scale`.
    pub positions: DynamicAttribute<Vertex, Vec3>,
    /// A power of two.
    pub scale: f64,
    /// What has become of the vertices.
    pub vertices: Vertices,
    /// Edges that were kept, features and seams, are not 0; none if there are none.
    pub curves: Option<DynamicAttribute<Edge, u32>>,
    /// For each vertex and each face by id a place in the input order of the patches of the surface
    /// ([`StaticMesh::vertex_inputs`], [`StaticMesh::face_inputs`]), by which they stand in the result; none for the order of
    /// the ids.
    pub places: Option<[Buffer<u32>; 2]>,
}

/// What has become of the vertices of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vertices {
    /// They are where they were, with the same ids.
    Same,
    /// There are others, in other places.
    Others,
}

/// The surface before, as kernels ask it for places.
struct Source {
    tree: Bvh,
    faces: Buffer<u32>,
}
impl Source {
    fn before<'a>(&'a self, x: &'a Attribute<Vertex, Vec3>) -> BeforeArguments<'a> {
        BeforeArguments { tree: self.tree.view(), faces: self.faces.view(), x: x.buffer().view() }
    }
}

impl Surface {
    /// Takes a mesh that was made of this surface in its place. Columns follow by their policies:
    ///
    /// | policy | vertices | corners | faces |
    /// |---|---|---|---|
    /// | interpolate | the mean at the nearest place of the surface before, weighted by distance | the same, on their side of seams | the value of the nearest face |
    /// | copy, nearest | the value of the nearest vertex of the nearest face | the same | the value of the nearest face |
    /// | recompute | normals are computed anew, others go | normals are interpolated, others go | the column goes |
    /// | drop | the column goes | the column goes | the column goes |
    ///
    /// Columns of edges go. What goes stands in [`Surface::notes`]. Where nothing follows, nothing is computed. About three
    /// searches for a closest point for each vertex.
    /// # Errors
    /// [`Error::Invalid`](ribbonmesh::Error::Invalid) for a place that is not in the input order; out of memory; what the driver
    /// says. The surface is as it was then.
    pub fn replace(&mut self, mut changed: Changed) -> Result<()> {
        let State::Patches { mesh, positions, order } = &self.state else { return Err(lost()) };
        let [n, f] = [ElementKind::Vertex, ElementKind::Face].map(|kind| changed.mesh.ids(kind));
        if changed.scale != 1.0 {
            let factor = (1.0 / changed.scale) as f32;
            let (n, x) = (3 * n, changed.positions.view_mut().memory().wide());
            let (by, none) = (BufferView::empty(), BufferView::empty());
            let scale = CombineF32 { op: SCALE, n, a: factor, by, x: none, y: x };
            self.device.launch(tiles(n), scale)?;
        }
        let others = changed.vertices == Vertices::Others;
        let places: Option<Places> = match (changed.places.take(), order) {
            (Some(given), Some(order)) => Some(composed(mesh, order, &given)?),
            (given, _) => given,
        };
        let (mut notes, mut normals) = (vec![], self.normals.clone());
        let mut kept = |columns: &[Column], element| which_follow(columns, element, &mut normals, &mut notes);
        let of_vertices = kept(&self.of_vertices, Element::Vertex);
        let of_faces = kept(&self.of_faces, Element::Face);
        let of_corners = kept(&self.of_corners, Element::Corner);
        let vertices_follow = others && !of_vertices.is_empty();
        let mut following = Following::default();
        if vertices_follow || !of_faces.is_empty() || !of_corners.is_empty() {
            let source =
                Source { tree: Bvh::of_mesh(mesh, positions)?, faces: mesh.query(Op::FV)?.into_values() };
            let (columns, corners) = (&self.of_vertices, &self.of_corners);
            following.vertices_and_corners(
                (mesh, positions, &source),
                &mut changed,
                of_vertices.iter().filter(|_| others).map(|&i| &columns[i]).collect(),
                of_corners.iter().map(|&i| &corners[i]).collect(),
            )?;
            if !of_faces.is_empty() {
                let mut nearest = self.device.zeros::<u32>(f as usize)?;
                let locate = LocateFaces {
                    mesh: changed.mesh.view(),
                    n: f,
                    x: changed.positions.view(),
                    before: source.before(positions),
                    nearest: nearest.view_mut(),
                };
                self.device.launch(f.div_ceil(ELEMENTS), locate)?;
                for &i in &of_faces {
                    following.of_faces.push(self.of_faces[i].gather(&nearest, 1)?);
                }
            }
        }
        // nothing can fail from here on
        if others {
            self.of_vertices = following.of_vertices;
            self.exact = None;
        } else {
            let mut place = 0..;
            self.of_vertices.retain(|_| place.next().is_some_and(|i| of_vertices.contains(&i)));
        }
        (self.of_faces, self.of_corners) = (following.of_faces, following.of_corners);
        notes.extend(
            self.edges.columns.iter().map(|column| Note::new(Element::Edge, column, Why::EdgesChanged)),
        );
        self.edges = Edges::default();
        self.faces_of_input = None;
        self.notes.extend(notes);
        self.normals = normals;
        let Changed { mesh, positions, .. } = changed;
        self.state = State::Flat { mesh: Box::new(mesh), positions, places, others };
        Ok(())
    }
}

/// The places of the columns that follow. Normals of vertices are noted as to be computed, others as gone.
fn which_follow(
    columns: &[Column],
    element: Element,
    normals: &mut Vec<String>,
    notes: &mut Vec<Note>,
) -> Vec<usize> {
    let mut follow = |column: &Column| match (column.head.policy, column.head.role) {
        (Policy::Drop, _) => {
            notes.push(Note { element, name: column.head.name.clone(), why: Why::Policy });
            false
        }
        (Policy::Recompute, Role::Normal) if element == Element::Corner => true,
        (Policy::Recompute, _) => {
            follow_normal(column, element, normals, notes);
            false
        }
        _ => true,
    };
    (0..columns.len()).filter(|&i| follow(&columns[i])).collect()
}

/// Columns of the new mesh.
#[derive(Default)]
struct Following {
    of_vertices: Vec<Column>,
    of_faces: Vec<Column>,
    of_corners: Vec<Column>,
}

impl Following {
    fn vertices_and_corners(
        &mut self,
        (mesh, positions, source): (&StaticMesh, &Attribute<Vertex, Vec3>, &Source),
        changed: &mut Changed,
        of_vertices: Vec<&Column>,
        of_corners: Vec<&Column>,
    ) -> Result<()> {
        if of_vertices.is_empty() && of_corners.is_empty() {
            return Ok(());
        }
        let device = mesh.device();
        let [n, f] = [ElementKind::Vertex, ElementKind::Face].map(|kind| changed.mesh.ids(kind));
        let mut view = changed.mesh.refresh_view()?;
        let mut places = device.zeros::<Quad>(n as usize)?;
        let locate = LocateVertices {
            mesh: view.reborrow(),
            n,
            x: changed.positions.view(),
            before: source.before(positions),
            vertices: mesh.vertices() as u32,
            at: places.view_mut(),
        };
        device.launch(n.div_ceil(ELEMENTS), locate)?;
        for column in of_vertices {
            self.of_vertices.push(blend(column, &places, source, false)?);
        }
        if of_corners.is_empty() {
            return Ok(());
        }
        let marks = changed.curves.as_ref();
        let curves = || CurvesArguments { marks: marks.map_or(ColumnView::empty(), |marks| marks.view()) };
        let mut corner_places = device.zeros::<Quad>(3 * f as usize)?;
        let locate = LocateCorners {
            mesh: view.reborrow(),
            n: 3 * f,
            x: changed.positions.view(),
            before: source.before(positions),
            curves: curves(),
            of_vertices: places.view(),
            at: corner_places.view_mut(),
        };
        device.launch((3 * f).div_ceil(ELEMENTS), locate)?;
        for column in of_corners {
            let mut blended = blend(column, &corner_places, source, true)?;
            if marks.is_some() && matches!(column.head.scalar, Scalar::F32 | Scalar::F64) {
                let mut joined = column.zeros_like(3 * f as usize)?;
                let join = JoinCorners {
                    mesh: view.reborrow(),
                    n: 3 * f,
                    curves: curves(),
                    layout: column.head.layout(),
                    from: blended.rows.view(),
                    to: joined.rows.view_mut(),
                };
                device.launch(tiles(3 * f), join)?;
                blended = joined;
            }
            self.of_corners.push(blended);
        }
        Ok(())
    }
}

/// A column at places of the surface before.
fn blend(column: &Column, at: &Buffer<Quad>, source: &Source, corners: bool) -> Result<Column> {
    let n = at.len() as u32;
    let mut blended = column.zeros_like(at.len())?;
    let rule = match (column.head.policy, column.head.role) {
        (Policy::Copy | Policy::Nearest, _) => HEAVIEST,
        (_, Role::Normal) => UNIT,
        _ => MEAN,
    };
    let kernel = BlendRows {
        n,
        at: at.view(),
        faces: source.faces.view(),
        corners: corners as u32,
        rule,
        layout: column.head.layout(),
        from: column.rows.view(),
        to: blended.rows.view_mut(),
    };
    column.rows.device().launch(tiles(n), kernel)?;
    Ok(blended)
}
