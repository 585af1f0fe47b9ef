//! A part of a surface on the host, elements that are appended to it, and elements that are copied.
use super::column::{Column, Head};
use super::kept::Kept;
use super::note::{Note, Why};
use super::order::inverse;
use super::surface::{Edges, Surface};
use crate::surface::kernels::order::{CornersInOrder, PutBehind, Widen};
use crate::{Attribute, Buffer, Error, Result, array};
use bytemuck::Pod;
use glam::{DVec3, Vec3};
use ribbonmesh_mesh::{Column as HostColumn, ColumnError, Element, MeshError, Policy, Rest, TriangleMesh};

impl Surface {
    /// Puts ids in the order of the output, if they have another one, so that the place of an element is its
    /// id. Drops quantities that are kept.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn put_in_order(&mut self) -> Result<()> {
        if self.order.is_some() {
            *self = self.try_clone()?;
        }
        Ok(())
    }
    /// Positions in the order of the output, in double precision, as [`Surface::download`] gives them.
    /// # Errors
    /// Out of memory; errors of the driver.
    pub fn exact_positions(&self) -> Result<Buffer<DVec3>> {
        let ordered;
        let points = match &self.order {
            None => self.positions.buffer(),
            Some(order) => {
                ordered = array::gather(self.positions.buffer(), &inverse(&order.vertices)?)?;
                &ordered
            }
        };
        if self.exact.is_some() {
            let points = points.read()?;
            let mut mesh = TriangleMesh::from_points_around(self.origin, &points, vec![], self.precision);
            self.restore_exact(&mut mesh, &points);
            return self.device.upload(&mesh.positions);
        }
        self.widened(points)
    }
    /// Positions around the origin in double precision.
    fn widened(&self, points: &Buffer<Vec3>) -> Result<Buffer<DVec3>> {
        let mut positions = self.device.unspecified::<DVec3>(points.len())?;
        let to = positions.view_mut().wide();
        let widen = Widen { origin: self.origin.to_array(), from: points.view(), to };
        self.device.launch_each(points.len() as u32, widen)?;
        Ok(positions)
    }
    /// Positions of some vertices, in double precision, as [`Surface::download`] gives them. Vertices are
    /// named by their places in the output, which are their ids ([`Surface::put_in_order`]). Waits if there
    /// are positions that single precision has rounded, which are on the host.
    /// # Errors
    /// [`Error::Index`] for a vertex that is not there, which on a GPU a later call returns; out of memory;
    /// errors of the driver.
    pub fn exact_positions_of(&mut self, vertices: &Buffer<u32>) -> Result<Buffer<DVec3>> {
        self.put_in_order()?;
        let points = array::gather(self.positions.buffer(), vertices)?;
        let Some(exact) = &self.exact else { return self.widened(&points) };
        let position = |(point, v): (Vec3, u32)| match exact[v as usize] {
            exact if (exact - self.origin).as_vec3() == point => exact,
            _ => self.origin + point.as_dvec3(),
        };
        let points = points.read()?.into_iter().zip(vertices.read()?);
        self.device.upload(&points.map(position).collect::<Vec<DVec3>>())
    }
    /// Gives vertices other positions. They are named by their places in the output, which become their ids
    /// ([`Surface::put_in_order`]). Call [`Surface::moved`] afterwards if columns depend on positions.
    /// # Errors
    /// [`Error::Length`] unless there is a position for each; [`Error::Index`] for a vertex that is not
    /// there, which on a GPU a later call returns; out of memory; errors of the driver. The mesh is as it was
    /// then.
    pub fn set_positions(&mut self, vertices: &[u32], positions: &[DVec3]) -> Result<()> {
        self.put_in_order()?;
        if vertices.len() != positions.len() {
            let (expected, found) = (vertices.len(), positions.len());
            return Err(Error::Length { what: "positions of vertices", expected, found });
        }
        let points: Vec<Vec3> = positions.iter().map(|&p| (p - self.origin).as_vec3()).collect();
        let mut all = self.positions.buffer().try_clone()?;
        array::scatter(&self.device.upload(&points)?, &self.device.upload(vertices)?, &mut all)?;
        self.positions = Attribute::of_no_mesh(all)?;
        if let Some(exact) = &mut self.exact {
            for (&v, &position) in vertices.iter().zip(positions) {
                if let Some(exact) = exact.get_mut(v as usize) {
                    *exact = position;
                }
            }
        }
        self.kept = Kept::default();
        Ok(())
    }
    /// Copies of some vertices and faces as a mesh on the host, with attributes, without edges and tables.
    /// Elements are named by their places in the output, which become their ids ([`Surface::put_in_order`]);
    /// `corners` has the vertices of the faces by their places in the list. Reads only these elements.
    /// # Errors
    /// [`Error::Index`] for an element that is not there; [`Error::Length`] unless `corners` has as many
    /// faces; out of memory; errors of the driver.
    pub fn part(&mut self, vertices: &[u32], faces: &[u32], corners: Vec<[u32; 3]>) -> Result<TriangleMesh> {
        self.put_in_order()?;
        if corners.len() != faces.len() {
            let (expected, found) = (faces.len(), corners.len());
            return Err(Error::Length { what: "faces of a part", expected, found });
        }
        let at = [self.device.upload(vertices)?, self.device.upload(faces)?];
        let points = array::gather(self.positions.buffer(), &at[0])?.read()?;
        let mut part = TriangleMesh::from_points_around(self.origin, &points, corners, self.precision);
        if let Some(exact) = &self.exact {
            for ((position, point), &v) in part.positions.iter_mut().zip(&points).zip(vertices) {
                let exact = exact[v as usize];
                if (exact - self.origin).as_vec3() == *point {
                    *position = exact;
                }
            }
        }
        let kinds = [
            (Element::Vertex, &self.of_vertices, &at[0], 1),
            (Element::Face, &self.of_faces, &at[1], 1),
            (Element::Corner, &self.of_corners, &at[1], 3),
        ];
        for (element, columns, at, of) in kinds {
            for column in columns {
                part.attributes_mut(element).insert_column(column.gather(at, of)?.download()?)?;
            }
        }
        Ok(part)
    }
    /// Appends vertices and faces with their attributes. Columns of vertices, faces and corners that the mesh
    /// lacks are dropped, with a note; edges of the host stay. What is there does not go through the host.
    /// Ids become the places of the output ([`Surface::put_in_order`]), which the new elements follow.
    /// # Errors
    /// [`Error::Mesh`] for a column of another type; [`Error::Length`] unless there are corners for each new
    /// face; [`Error::TooMany`]; out of memory; errors of the driver. The mesh is as it was then.
    pub fn append_rest(&mut self, rest: &Rest<'_>) -> Result<()> {
        self.put_in_order()?;
        let Rest { mesh, vertices, faces, corners, moved } = *rest;
        if mesh.faces.len() - faces != corners.len() {
            let (expected, found) = (mesh.faces.len() - faces, corners.len());
            return Err(Error::Length { what: "new faces", expected, found });
        }
        let [n, f] = self.numbers();
        crate::static_mesh::build::check_numbers(n + mesh.positions.len() - vertices, f + corners.len())?;
        let new = &mesh.positions[vertices..];
        let points: Vec<Vec3> = new.iter().map(|&p| (p - self.origin).as_vec3()).collect();
        let positions = extended(self.positions.buffer(), &points)?;
        let mut all = extended(&self.faces, corners.as_flattened())?;
        if !moved[0].is_empty() {
            array::scatter(&self.device.upload(moved[1])?, &self.device.upload(moved[0])?, &mut all)?;
        }
        let mut notes = vec![];
        let mut longer = |columns: &[Column], element: Element, first: usize| -> Result<Vec<Column>> {
            let mut longer = vec![];
            for column in columns {
                match mesh.attributes(element).column(&column.head.name) {
                    Some(other) => longer.push(column.extended(other, element, first)?),
                    None => {
                        let name = column.head.name.clone();
                        notes.push(Note { element, name, why: Why::Policy });
                    }
                }
            }
            Ok(longer)
        };
        let of_vertices = longer(&self.of_vertices, Element::Vertex, vertices)?;
        let of_faces = longer(&self.of_faces, Element::Face, faces)?;
        let of_corners = longer(&self.of_corners, Element::Corner, 3 * faces)?;
        let positions = Attribute::of_no_mesh(positions)?;
        // nothing can fail from here on
        (self.of_vertices, self.of_faces, self.of_corners) = (of_vertices, of_faces, of_corners);
        if let Some(exact) = &mut self.exact {
            exact.extend(new);
        }
        self.notes.extend(notes);
        (self.positions, self.faces, self.kept) = (positions, all.into(), Kept::default());
        Ok(())
    }
    /// Whether new faces between vertices that are there get no values: there are no columns of faces and
    /// corners, and none of vertices that goes when the mesh changes.
    pub fn has_bare_faces(&self) -> bool {
        let goes = |column: &Column| column.head.policy == Policy::Drop;
        self.of_faces.is_empty() && self.of_corners.is_empty() && !self.of_vertices.iter().any(goes)
    }
    /// Appends faces between vertices that are there, three vertices each by their ids, to a surface that has
    /// no values for faces ([`Surface::has_bare_faces`]). Ids become the places of the output
    /// ([`Surface::put_in_order`]), which the new faces follow. Nothing goes through the host.
    /// # Errors
    /// [`Error::Invalid`] if there are values for faces; [`Error::Length`] unless there are three vertices
    /// for each face; [`Error::IndexOutOfRange`]; [`Error::TooMany`]; out of memory; errors of the driver.
    /// The mesh is as it was then.
    pub fn append_faces(&mut self, faces: &Buffer<u32>) -> Result<()> {
        if !self.has_bare_faces() {
            return Err(Error::Invalid("faces without values for a surface that has some".into()));
        }
        self.put_in_order()?;
        let [n, f] = self.numbers();
        crate::static_mesh::build::check_numbers(n, f + faces.len() / 3)?;
        crate::flat::check_buffer(n, faces)?;
        let mut all = self.device.unspecified::<u32>(self.faces.len() + faces.len())?;
        let old = self.faces.len() as u32;
        array::copy_words(&self.device, old, self.faces.view(), all.view_mut())?;
        let behind = PutBehind { from: faces.view(), first: old, add: 0, to: all.view_mut() };
        self.device.launch_each(faces.len() as u32, behind)?;
        (self.faces, self.kept) = (all.into(), Kept::default());
        Ok(())
    }
    /// Replaces the connectivity: the new vertex i is a copy of the vertex `vertices[i]`, the new face i one
    /// of the face `of[i]` with three vertices from `faces`. Attributes are copied, and the second and the
    /// third corner of faces in `turned` exchange theirs. `becomes` gives the vertex as which a vertex goes
    /// on; edges then refer to its first copy, and edges with a vertex without a copy are dropped. Ids are
    /// the places of the output, before and after ([`Surface::put_in_order`]). Positions and attributes do
    /// not go through the host.
    /// # Errors
    /// [`Error::IndexOutOfRange`]; [`Error::Length`] unless there are three vertices for each face;
    /// [`Error::Index`] for an element that is not there, which on a GPU a later call returns;
    /// [`Error::TooMany`]; out of memory; errors of the driver. The mesh is as it was then.
    pub fn rebuild(
        &mut self,
        vertices: &Buffer<u32>,
        (of, faces): (&Buffer<u32>, Buffer<u32>),
        turned: &[u32],
        becomes: impl Fn(u32) -> u32,
    ) -> Result<()> {
        self.put_in_order()?;
        if faces.len() != 3 * of.len() {
            let (expected, found) = (3 * of.len(), faces.len());
            return Err(Error::Length { what: "vertices of the faces", expected, found });
        }
        crate::flat::check_buffer(vertices.len(), &faces)?;
        let mut columns: [Vec<Column>; 3] = Default::default();
        for (to, from, at) in [(0, &self.of_vertices, vertices), (1, &self.of_faces, of)] {
            columns[to] = from.iter().map(|column| column.gather(at, 1)).collect::<Result<_>>()?;
        }
        if !self.of_corners.is_empty() {
            let mut marks = self.device.zeros::<u32>(self.numbers()[1])?;
            if !turned.is_empty() {
                let ones = self.device.upload(&vec![1; turned.len()])?;
                array::scatter(&ones, &self.device.upload(turned)?, &mut marks)?;
            }
            let mut at = self.device.unspecified::<u32>(3 * of.len())?;
            let order = CornersInOrder { of: of.view(), turned: marks.view(), at: at.view_mut() };
            self.device.launch_each(of.len() as u32, order)?;
            columns[2] = self.of_corners.iter().map(|column| column.gather(&at, 1)).collect::<Result<_>>()?;
        }
        let positions = Attribute::of_no_mesh(array::gather(self.positions.buffer(), vertices)?)?;
        let read = self.exact.is_some() || !self.edges.pairs.is_empty();
        let inputs = if read { vertices.read()? } else { vec![] };
        let edges = if read { self.edges_of_copies(&inputs, becomes)? } else { Edges::default() };
        // nothing can fail from here on
        [self.of_vertices, self.of_faces, self.of_corners] = columns;
        if let Some(exact) = &mut self.exact {
            *exact = inputs.iter().map(|&v| exact[v as usize]).collect();
        }
        self.edges = edges;
        (self.positions, self.faces, self.kept) = (positions, faces.into(), Kept::default());
        Ok(())
    }
    /// The edges after their vertices became others, of which the new ones are copies.
    fn edges_of_copies(&self, inputs: &[u32], becomes: impl Fn(u32) -> u32) -> Result<Edges> {
        let mut mesh = TriangleMesh::new(vec![DVec3::ZERO; self.numbers()[0]], vec![]);
        mesh.edges.clone_from(&self.edges.pairs);
        for column in &self.edges.columns {
            mesh.edges_of_mut().insert_column(column.clone())?;
        }
        for edge in &mut mesh.edges {
            // an edge whose ends became one vertex still has a vertex that is dropped, so it is dropped, too
            let [a, b] = edge.map(&becomes);
            if a != b {
                *edge = [a, b];
            }
        }
        mesh.select_vertices(inputs)?;
        let columns = mesh.edges_of().iter().cloned().collect();
        Ok(Edges { pairs: mesh.edges, columns })
    }
}

impl Column {
    /// The column with the rows of one of the host from `first` on behind its own.
    fn extended(&self, other: &HostColumn, element: Element, first: usize) -> Result<Self> {
        let Head { name, scalar, width, .. } = &self.head;
        if (*scalar, *width) != (other.scalar(), other.width()) {
            return Err(MeshError::from(ColumnError::Type {
                element,
                name: name.clone(),
                expected: scalar.of_width(*width),
                found: other.type_name(),
            })
            .into());
        }
        let words = self.head.padded(other.scalars().bytes(), self.rows.device());
        let rows = extended(&self.rows, &words[first * self.head.words()..])?;
        Ok(Self { head: self.head.clone(), rows, rule: self.rule.clone() })
    }
}

/// The elements of a buffer and others behind them.
fn extended<T: Pod>(from: &Buffer<T>, by: &[T]) -> Result<Buffer<T>> {
    let device = from.device();
    let mut longer = device.unspecified::<T>(from.len() + by.len())?;
    let words = (from.bytes() / 4) as u32;
    array::copy_words(device, words, from.view().wide(), longer.view_mut().wide())?;
    longer.write_range(from.len(), by)?;
    Ok(longer)
}
