//! A surface becomes another one: columns follow.
use super::charts::{Charts, is_texture};
use super::column::Column;
use super::follow::Located;
use super::isolated;
use super::kept::Kept;
use super::note::{Note, Why};
use super::order::{Order, ranked};
use super::surface::{Edges, Surface, follow_normal};
use crate::bvh::Bvh;
use crate::device::{ColumnView, ElementKind, Quad, tiles};
use crate::dynamic::{DynamicAttribute, DynamicMesh};
use crate::flat::{FlatTopology, check_buffer};
use crate::surface::kernels::locate::{
    BeforeArguments, ELEMENTS, LocateCorners, LocateFaces, LocateVertices,
};
use crate::surface::kernels::rows::{BlendRows, HEAVIEST, JoinCorners, MEAN, UNIT};
use crate::surface::kernels::seams::CurvesArguments;
use crate::{Attribute, Buffer, Edge, Error, Result, Vertex, array};
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
    /// Whether the vertices are those of the surface before.
    pub vertices: Vertices,
    /// Edges that were kept, features and seams, are not 0; `None` if there are none.
    pub curves: Option<DynamicAttribute<Edge, u32>>,
    /// Whether the seams of the surface ([`Surface::seams`]) are among the curves, as they are now. If not,
    /// texture coordinates of each face end at the nearest seam of the surface before.
    pub seams_kept: bool,
    /// For each vertex and each face by id, the id of one of the surface before, in whose place it stands in
    /// the result. If there are none, [`Vertices::Same`] keeps the places by id, and [`Vertices::Others`]
    /// takes the order of the ids.
    pub sources: Option<[Buffer<u32>; 2]>,
}

/// Relation of the vertices to those of the surface before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vertices {
    /// They are where they were, with the same ids.
    Same,
    /// There are others, in other places.
    Others,
}

/// The surface before, as kernels ask it for places.
pub(super) struct Source<'a> {
    tree: &'a Bvh,
    faces: &'a Buffer<u32>,
    positions: &'a Buffer<Vec3>,
    /// Where texture coordinates follow that jump.
    charts: Option<Charts>,
}
impl Source<'_> {
    pub fn before(&self) -> BeforeArguments<'_> {
        BeforeArguments { tree: self.tree.view(), faces: self.faces.view(), x: self.positions.view() }
    }
}

impl Surface {
    /// Takes a mesh that was made of this surface in its place. Columns follow by their policies:
    ///
    /// | policy | vertices | corners | faces |
    /// |---|---|---|---|
    /// | interpolate | the mean at the nearest place of the surface before, weighted by distance | the same, on their side of seams; those of a face in one chart of the texture | the value of the nearest face |
    /// | copy, nearest | the value of the nearest vertex of the nearest face | the same | the value of the nearest face |
    /// | recompute | normals are computed anew, others go | normals are interpolated, others go | the column goes |
    /// | drop | the column goes | the column goes | the column goes |
    /// | a rule of the user ([`Surface::follow_by`]) | as the rule says | | |
    ///
    /// Columns of edges go. What goes stands in [`Surface::notes`]. Where nothing follows, nothing is
    /// computed. About three searches for a closest point for each vertex.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::OtherMesh`] and [`Error::OtherNumbering`] for positions or curves of
    /// another mesh, or from before a renumbering; [`Error::Length`] for other numbers of sources than of
    /// elements, or of vertices that are the [same](Vertices::Same); [`Error::Index`] for a source that is no
    /// id of the surface before, which on a GPU a later call returns; out of memory; errors of the driver.
    /// The surface is as it was then.
    pub fn replace(&mut self, mut changed: Changed) -> Result<()> {
        self.check_change(&changed)?;
        changed.mesh.free_working_memory()?;
        let f = changed.mesh.ids(ElementKind::Face);
        if changed.scale != 1.0 {
            changed.positions.scale((1.0 / changed.scale) as f32)?;
        }
        let others = changed.vertices == Vertices::Others;
        let order = self.order_after(changed.sources.take(), others)?;
        let (mut notes, mut normals) = (vec![], self.normals.clone());
        let mut kept = |columns: &[Column], element| which_follow(columns, element, &mut normals, &mut notes);
        let of_vertices = kept(&self.of_vertices, Element::Vertex);
        let of_faces = kept(&self.of_faces, Element::Face);
        let of_corners = kept(&self.of_corners, Element::Corner);
        let vertices_follow = others && !of_vertices.is_empty();
        let mut following = Following::default();
        if vertices_follow || !of_faces.is_empty() || !of_corners.is_empty() {
            let charts = Charts::of(self)?;
            let (faces, positions) = (&*self.faces, self.positions.buffer());
            let source = Source { tree: self.tree()?, faces, positions, charts };
            let (columns, corners) = (&self.of_vertices, &self.of_corners);
            following.vertices_and_corners(
                &source,
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
                    before: source.before(),
                    nearest: nearest.view_mut(),
                };
                self.device.launch(f.div_ceil(ELEMENTS), locate)?;
                for &i in &of_faces {
                    following.of_faces.push(self.of_faces[i].gather(&nearest, 1)?);
                }
            }
        }
        let Changed { mesh, positions, .. } = changed;
        let positions = Attribute::of_no_mesh(positions.to_buffer(&mesh)?)?;
        let faces = mesh.faces()?;
        check_buffer(positions.len(), &faces)?;
        // nothing can fail from here on
        if !others {
            following.of_vertices = self.take_of_vertices_that(&of_vertices);
        }
        let exact = if others { None } else { self.exact.take() };
        self.put(following, notes, normals);
        (self.positions, self.faces, self.order, self.exact) = (positions, faces.into(), order, exact);
        // patches from before make those of the new mesh
        self.kept.changed = mesh.is_cut().then(|| Box::new(mesh));
        Ok(())
    }
    /// Takes triangles that were made of this surface in its place: as [`Self::replace`] with other vertices,
    /// without edges where no column follows. `faces` has three vertices for each.
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::Length`]; [`Error::IndexOutOfRange`]; [`Error::TooMany`]; where
    /// columns follow, those of [`DynamicMesh::from_flat`]; out of memory; errors of the driver. The surface
    /// is as it was then.
    pub fn replace_triangles(&mut self, positions: Buffer<Vec3>, faces: Buffer<u32>) -> Result<()> {
        for (what, device) in [("the positions", positions.device()), ("the faces", faces.device())] {
            if !device.same(&self.device) {
                return Err(Error::OtherDevice { what });
            }
        }
        let (mut notes, mut normals) = (vec![], self.normals.clone());
        let mut follow = |columns: &[Column], element| {
            !which_follow(columns, element, &mut normals, &mut notes).is_empty()
        };
        let follows = [
            follow(&self.of_vertices, Element::Vertex),
            follow(&self.of_faces, Element::Face),
            follow(&self.of_corners, Element::Corner),
        ];
        if follows.contains(&true) {
            let flat = FlatTopology::from_buffer(positions.len(), faces)?;
            let mesh = DynamicMesh::from_flat(&flat, 0.0)?;
            let positions = DynamicAttribute::from_buffer(&mesh, &positions)?;
            return self.replace(Changed {
                mesh,
                positions,
                scale: 1.0,
                vertices: Vertices::Others,
                curves: None,
                seams_kept: false,
                sources: None,
            });
        }
        check_buffer(positions.len(), &faces)?;
        let positions = Attribute::of_no_mesh(positions)?;
        self.put(Following::default(), notes, normals);
        (self.positions, self.faces, self.order, self.exact) = (positions, faces.into(), None, None);
        Ok(())
    }
    /// Takes the columns of vertices with these places out.
    pub(super) fn take_of_vertices_that(&mut self, follow: &[usize]) -> Vec<Column> {
        let mut place = 0..;
        self.of_vertices.retain(|_| place.next().is_some_and(|i| follow.contains(&i)));
        std::mem::take(&mut self.of_vertices)
    }
    /// Takes columns that follow, and forgets what belongs to the triangles before.
    pub(super) fn put(&mut self, following: Following, notes: Vec<Note>, normals: Vec<String>) {
        self.of_vertices = following.of_vertices;
        (self.of_faces, self.of_corners) = (following.of_faces, following.of_corners);
        let edges = self.edges.columns.iter();
        self.notes.extend(notes);
        self.notes.extend(edges.map(|column| Note::new(Element::Edge, column, Why::EdgesChanged)));
        self.edges = Edges::default();
        self.normals = normals;
        self.kept = Kept::default();
    }
}

impl Surface {
    /// Refuses what does not belong together.
    fn check_change(&self, changed: &Changed) -> Result<()> {
        let Changed { mesh, positions, curves, sources, vertices, .. } = changed;
        if !mesh.device().same(&self.device) {
            return Err(Error::OtherDevice { what: "the changed mesh" });
        }
        positions.require_mesh(mesh)?;
        curves.iter().try_for_each(|curves| curves.require_mesh(mesh))?;
        let [v, f] = [ElementKind::Vertex, ElementKind::Face].map(|kind| mesh.ids(kind) as usize);
        let length = |what: &'static str, expected: usize, found: usize| {
            if expected == found { Ok(()) } else { Err(Error::Length { what, expected, found }) }
        };
        let [before_v, before_f] = self.numbers();
        if *vertices == Vertices::Same {
            length("vertices that are the same", before_v, v)?;
        }
        match sources {
            Some([of_v, of_f]) => {
                length("sources of vertices", v, of_v.len())?;
                length("sources of faces", f, of_f.len())
            }
            None if *vertices == Vertices::Same => length("faces that replace others", before_f, f),
            None => Ok(()),
        }
    }
    /// The order after a change.
    fn order_after(&self, sources: Option<[Buffer<u32>; 2]>, others: bool) -> Result<Option<Order>> {
        let turn = others || self.order.as_ref().is_some_and(|order| order.turn);
        Ok(match (&self.order, sources) {
            (Some(order), Some([of_v, of_f])) => {
                let v = ranked(&array::gather(&order.vertices, &of_v)?)?;
                let f = ranked(&array::gather(&order.faces, &of_f)?)?;
                Some(Order { vertices: v.into(), faces: f.into(), turn })
            }
            (None, Some([v, f])) => {
                Some(Order { vertices: ranked(&v)?.into(), faces: ranked(&f)?.into(), turn })
            }
            (Some(order), None) if !others => Some(order.clone()),
            (_, None) => None,
        })
    }
}

/// The places of the columns that follow. Normals of vertices are noted as to be computed, others as gone.
pub(super) fn which_follow(
    columns: &[Column],
    element: Element,
    normals: &mut Vec<String>,
    notes: &mut Vec<Note>,
) -> Vec<usize> {
    let mut follow = |column: &Column| match (column.head.policy, column.head.role) {
        _ if column.rule.is_some() => true,
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
pub(super) struct Following {
    pub(super) of_vertices: Vec<Column>,
    pub(super) of_faces: Vec<Column>,
    pub(super) of_corners: Vec<Column>,
}

impl Following {
    fn vertices_and_corners(
        &mut self,
        source: &Source<'_>,
        changed: &mut Changed,
        of_vertices: Vec<&Column>,
        of_corners: Vec<&Column>,
    ) -> Result<()> {
        if of_vertices.is_empty() && of_corners.is_empty() {
            return Ok(());
        }
        let device = source.positions.device();
        let [n, f] = [ElementKind::Vertex, ElementKind::Face].map(|kind| changed.mesh.ids(kind));
        let isolated = isolated::ids(source.positions.len(), source.faces)?;
        let ranks = isolated::ranks(&mut changed.mesh)?;
        let mut view = changed.mesh.refresh_view()?;
        let mut places = device.zeros::<Quad>(n as usize)?;
        let locate = LocateVertices {
            mesh: view.reborrow(),
            n,
            x: changed.positions.view(),
            before: source.before(),
            ranks: ranks.view(),
            isolated: isolated.view(),
            at: places.view_mut(),
        };
        device.launch(n.div_ceil(ELEMENTS), locate)?;
        let located = Located { device, vertices: n, at: places.view(), faces: source.faces.view() };
        for column in of_vertices {
            self.of_vertices.push(match column.ruled(located)? {
                Some(new) => new,
                None => blend(column, &places, source, false)?,
            });
        }
        if of_corners.is_empty() {
            return Ok(());
        }
        // normals of corners may differ at features within a chart
        let by_charts = |column: &Column| source.charts.is_some() && is_texture(column);
        let in_charts = match &source.charts {
            Some(charts) => Some(charts.locate(source, changed, &places)?),
            None => None,
        };
        let mut aside = None;
        if of_corners.iter().any(|column| !by_charts(column)) {
            let marks = changed.curves.as_ref();
            let marks = marks.map_or(ColumnView::empty(), |marks| marks.view());
            let mut corner_places = device.zeros::<Quad>(3 * f as usize)?;
            let locate = LocateCorners {
                mesh: changed.mesh.refresh_view()?,
                n: 3 * f,
                x: changed.positions.view(),
                before: source.before(),
                curves: CurvesArguments { marks },
                of_vertices: places.view(),
                at: corner_places.view_mut(),
            };
            device.launch((3 * f).div_ceil(ELEMENTS), locate)?;
            aside = Some(corner_places);
        }
        let joins = changed.curves.is_some() || source.charts.is_some();
        let mut view = changed.mesh.refresh_view()?;
        for column in of_corners {
            let found = if by_charts(column) { &in_charts } else { &aside };
            let Some(corner_places) = found else { continue };
            let mut blended = blend(column, corner_places, source, true)?;
            if joins && matches!(column.head.scalar, Scalar::F32 | Scalar::F64) {
                let mut joined = column.zeros_like(3 * f as usize)?;
                let join = JoinCorners {
                    mesh: view.reborrow(),
                    n: 3 * f,
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
fn blend(column: &Column, at: &Buffer<Quad>, source: &Source<'_>, corners: bool) -> Result<Column> {
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
