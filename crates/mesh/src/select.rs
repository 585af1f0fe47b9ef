//! Changes of connectivity that carry attributes along.

use crate::columns::Columns;
use crate::threads::{first_where, mapped};
use crate::{Element, MeshError, NONE, TriangleMesh};

impl TriangleMesh {
    /// Keeps the faces in `kept`, in this order, with their attributes and those of their corners. A face may
    /// occur several times. Vertices and edges do not change.
    ///
    /// # Errors
    /// [`MeshError::Row`] for a face that does not exist; [`MeshError::Column`] for a column of another
    /// length. The mesh is then unchanged.
    pub fn select_faces(&mut self, kept: &[u32]) -> Result<(), MeshError> {
        self.check()?;
        in_range(Element::Face, kept, self.faces.len())?;
        self.faces = kept.iter().map(|&face| self.faces[face as usize]).collect();
        (self.of_faces, self.of_corners) = self.columns_of(kept);
        Ok(())
    }

    /// Replaces the vertices: the new vertex i is a copy of the old vertex `kept[i]`, with its position and
    /// attributes. Faces and edges then refer to the first copy of each of their vertices. Faces and edges
    /// with a vertex that is not kept are removed.
    ///
    /// # Errors
    /// [`MeshError::Row`] for a vertex that does not exist; [`MeshError::Column`] for a column of another
    /// length. The mesh is then unchanged.
    pub fn select_vertices(&mut self, kept: &[u32]) -> Result<(), MeshError> {
        self.check()?;
        in_range(Element::Vertex, kept, self.positions.len())?;
        let new = self.first_copies(kept);
        let whole = |corners: &[u32; 3]| corners.iter().all(|&v| new[v as usize] != NONE);
        let left: Vec<u32> = (0..).zip(&self.faces).filter(|(_, face)| whole(face)).map(|(i, _)| i).collect();
        if left.len() < self.faces.len() {
            self.select_faces(&left)?;
        }
        self.faces.as_flattened_mut().iter_mut().for_each(|v| *v = new[*v as usize]);
        self.move_edges(&new);
        self.take_vertices(kept);
        Ok(())
    }

    /// Replaces the connectivity: the new vertex i is a copy of the old vertex `vertices[i]`; the new face i
    /// is a copy of the old face `faces[i].0` with the vertices `faces[i].1`, and its corners are in the
    /// order of the old ones. Attributes are copied. Edges then refer to the first copies of their vertices;
    /// edges with a vertex without a copy are removed.
    ///
    /// # Errors
    /// [`MeshError::Row`] for a vertex or face that does not exist; [`MeshError::FaceIndex`] for a new face
    /// with a vertex that is out of range; [`MeshError::Column`] for a column of another length. The mesh is
    /// then unchanged.
    pub fn rebuild(&mut self, vertices: &[u32], faces: &[(u32, [u32; 3])]) -> Result<(), MeshError> {
        self.check()?;
        let part = self.part(vertices, faces)?;
        self.move_edges(&self.first_copies(vertices));
        (self.positions, self.faces) = (part.positions, part.faces);
        (self.of_vertices, self.of_faces, self.of_corners) =
            (part.of_vertices, part.of_faces, part.of_corners);
        Ok(())
    }

    /// Copies of some vertices and faces as a mesh of its own, with attributes, numbered as by
    /// [`rebuild`](Self::rebuild); without edges and without tables. Linear in the result.
    ///
    /// # Errors
    /// [`MeshError::Row`], [`MeshError::FaceIndex`] and [`MeshError::Column`] as for
    /// [`rebuild`](Self::rebuild).
    pub fn part(&self, vertices: &[u32], faces: &[(u32, [u32; 3])]) -> Result<Self, MeshError> {
        self.check_columns()?;
        in_range(Element::Vertex, vertices, self.positions.len())?;
        let inputs: Vec<u32> = mapped(faces, |(input, _)| *input);
        in_range(Element::Face, &inputs, self.faces.len())?;
        let wrong = |corners: &[u32; 3]| corners.iter().copied().find(|&v| v as usize >= vertices.len());
        if let Some(face) = first_where(faces, |(_, corners)| wrong(corners).is_some()) {
            let index = wrong(&faces[face].1).unwrap_or_default();
            return Err(MeshError::FaceIndex { face, index, vertices: vertices.len() });
        }
        let mut part = Self { precision: self.precision, ..Self::default() };
        part.positions = mapped(vertices, |&v| self.positions[v as usize]);
        part.faces = mapped(faces, |(_, corners)| *corners);
        let rows = || vertices.iter().map(|&v| v as usize);
        part.of_vertices = self.of_vertices.iter().map(|column| column.select(rows())).collect();
        (part.of_faces, part.of_corners) = self.columns_of(&inputs);
        Ok(part)
    }

    /// Reverses the orientation of a face: exchanges its second and third corner, with their attributes.
    /// Returns false for a face that does not exist.
    pub fn turn_face(&mut self, face: u32) -> bool {
        let Some(corners) = self.faces.get_mut(face as usize) else { return false };
        corners.swap(1, 2);
        self.turn_rows(face);
        true
    }

    /// Exchanges the attributes of the second and third corner of a face whose vertices have been exchanged
    /// already. Does nothing for a face that does not exist.
    pub fn turn_rows(&mut self, face: u32) {
        let (rows, face) = (3 * self.faces.len(), face as usize);
        if face >= self.faces.len() {
            return;
        }
        for column in self.of_corners.iter_mut().filter(|column| column.rows() == rows) {
            column.swap(3 * face + 1, 3 * face + 2);
        }
    }

    /// The columns of some faces and of their corners.
    fn columns_of(&self, faces: &[u32]) -> (Columns, Columns) {
        let rows = || faces.iter().map(|&face| face as usize);
        let corners = || (0..3 * faces.len()).map(|i| 3 * faces[i / 3] as usize + i % 3);
        let of_corners = self.of_corners.iter().map(|column| column.select(corners()));
        (self.of_faces.iter().map(|column| column.select(rows())).collect(), of_corners.collect())
    }

    /// For each vertex the first of `kept` that is a copy of it, or [`NONE`].
    fn first_copies(&self, kept: &[u32]) -> Vec<u32> {
        let mut new = vec![NONE; self.positions.len()];
        for (i, &old) in kept.iter().enumerate().rev() {
            new[old as usize] = i as u32;
        }
        new
    }

    /// Lets edges follow to new vertices, and drops edges that lose one.
    fn move_edges(&mut self, new: &[u32]) {
        let moved = |edge: usize| self.edges[edge].map(|v| new[v as usize]);
        let left: Vec<usize> = (0..self.edges.len()).filter(|&edge| !moved(edge).contains(&NONE)).collect();
        let edges = left.iter().map(|&edge| moved(edge)).collect();
        self.of_edges.iter_mut().for_each(|column| *column = column.select(left.iter().copied()));
        self.edges = edges;
    }

    fn take_vertices(&mut self, kept: &[u32]) {
        let rows = || kept.iter().map(|&vertex| vertex as usize);
        self.positions = rows().map(|vertex| self.positions[vertex]).collect();
        self.of_vertices.iter_mut().for_each(|column| *column = column.select(rows()));
    }
}

fn in_range(element: Element, rows: &[u32], count: usize) -> Result<(), MeshError> {
    match rows.iter().find(|&&row| row as usize >= count) {
        Some(&index) => Err(MeshError::Row { element, index, count }),
        None => Ok(()),
    }
}
