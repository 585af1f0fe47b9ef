//! One mesh behind another.
use crate::{Column, Element, MeshError, Precision, Role, TriangleMesh};

impl TriangleMesh {
    /// Appends the vertices, faces and edges of another mesh; its indices are moved on. Columns stay that
    /// both meshes have, with the same name, role, type and width, and in which no row names a row of tables,
    /// unless the tables of both are equal; texture coordinates only if both begin at the same side. The
    /// precision becomes double unless both are single. Returns the names of the columns that were dropped,
    /// as `vertex.colour`. Comments of the other mesh are left out.
    ///
    /// # Errors
    /// [`MeshError::TooMany`] vertices; the others where one of the meshes contradicts itself. The mesh is
    /// then unchanged.
    pub fn append(&mut self, other: &Self) -> Result<Vec<String>, MeshError> {
        self.check()?;
        other.check()?;
        let first = self.positions.len();
        MeshError::at_most("vertices", first + other.positions.len(), u64::from(u32::MAX))?;
        if self.positions.is_empty() && self.faces.is_empty() {
            *self = other.clone();
            return Ok(vec![]);
        }
        let same_tables = self.tables.materials == other.tables.materials
            && self.tables.groups == other.tables.groups
            && self.tables.objects == other.tables.objects
            && self.tables.gltf == other.tables.gltf;
        let same_origin = self.tables.texture_origin == other.tables.texture_origin;
        let joined = |a: &Column, b: &Column| {
            let alike = a.role() == b.role() && a.width() == b.width();
            let names = matches!(a.role(), Role::Material | Role::Group | Role::Object);
            let mut scalars = a.scalars().clone();
            let textures = matches!(a.role(), Role::TextureCoordinate(_));
            if !alike || (names && !same_tables) || (textures && !same_origin) || !scalars.append(b.scalars())
            {
                return None;
            }
            let column = Column::from_scalars(a.name(), a.role(), a.width(), scalars)?;
            Some(column.with_policy(a.policy()))
        };
        let mut dropped = vec![];
        let mut all: [Vec<Column>; 4] = Default::default();
        let elements = [Element::Vertex, Element::Face, Element::Corner, Element::Edge];
        for (element, columns) in elements.into_iter().zip(&mut all) {
            let (own, others) = (self.attributes(element), other.attributes(element));
            // a mesh without such elements has nothing to say about them
            let (none, none_of_others) = (own.rows() == 0, others.rows() == 0);
            for column in own {
                let found = match others.column(column.name()) {
                    _ if none_of_others => Some(column.clone()),
                    Some(other) => joined(column, other),
                    None => None,
                };
                match found {
                    Some(column) => columns.push(column),
                    None => dropped.push(format!("{element}.{}", column.name())),
                }
            }
            for column in others.into_iter().filter(|column| own.column(column.name()).is_none()) {
                if none {
                    columns.push(column.clone());
                } else {
                    dropped.push(format!("{element}.{}", column.name()));
                }
            }
        }
        let moved = |v: u32| first as u32 + v;
        self.positions.extend(&other.positions);
        self.faces.extend(other.faces.iter().map(|face| face.map(moved)));
        self.edges.extend(other.edges.iter().map(|edge| edge.map(moved)));
        [self.of_vertices, self.of_faces, self.of_corners, self.of_edges] = all;
        if other.precision == Precision::Double {
            self.precision = Precision::Double;
        }
        Ok(dropped)
    }

    /// Appends vertices and faces with their attributes. Columns of vertices, faces and corners that their
    /// mesh does not have are dropped; edges stay. Linear in what is appended.
    ///
    /// # Errors
    /// [`MeshError::TooMany`] vertices; [`MeshError::Column`] for a column of another type or length. The
    /// mesh is then unchanged.
    ///
    /// # Panics
    /// If a corner that is moved does not exist.
    pub fn append_rest(&mut self, rest: &Rest<'_>) -> Result<(), MeshError> {
        let Rest { mesh: other, vertices, faces, corners, moved } = *rest;
        other.check_columns()?;
        let new = other.positions.len();
        MeshError::at_most("vertices", self.positions.len() + new - vertices, u64::from(u32::MAX))?;
        let more = faces + corners.len();
        let kinds = [
            (Element::Vertex, vertices, new),
            (Element::Face, faces, more),
            (Element::Corner, 3 * faces, 3 * more),
        ];
        for (element, ..) in kinds {
            let others = other.attributes(element);
            for column in self.attributes(element) {
                if let Some(other) = others.column(column.name()) {
                    column.require_type_of(other, element)?;
                }
            }
        }
        for (element, first, end) in kinds {
            let others = other.attributes(element);
            let columns = self.attributes_mut(element).columns;
            columns.retain_mut(|column| match others.column(column.name()) {
                Some(other) => column.append_rows(other, first..end),
                None => false,
            });
        }
        for (&corner, &vertex) in moved[0].iter().zip(moved[1]) {
            self.faces.as_flattened_mut()[corner as usize] = vertex;
        }
        self.positions.extend(&other.positions[vertices..]);
        self.faces.extend(corners);
        Ok(())
    }
}

/// Vertices and faces that are appended to a mesh: those of a part of it that has grown.
#[derive(Clone, Copy, Debug)]
pub struct Rest<'a> {
    /// The part, with new vertices and faces last.
    pub mesh: &'a TriangleMesh,
    /// The first new vertex of the part.
    pub vertices: usize,
    /// The first new face of the part.
    pub faces: usize,
    /// Vertices of each new face, by their numbers in the whole mesh.
    pub corners: &'a [[u32; 3]],
    /// Corners of the whole mesh that get other vertices, and these vertices.
    pub moved: [&'a [u32]; 2],
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ColourSpace;
    use glam::DVec3;

    #[test]
    fn columns_of_both_stay() {
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let solid = TriangleMesh::new(corners, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]);
        let (mut a, mut b) = (solid.clone(), solid);
        let colours = |mesh: &mut TriangleMesh, value: u8| {
            let column = Column::with_role("colour", Role::Colour(ColourSpace::Srgb), vec![[value; 3]; 4]);
            mesh.vertices_mut().insert_column(column).expect("4 rows");
        };
        colours(&mut a, 1);
        colours(&mut b, 2);
        a.vertices_mut().insert("own", vec![0.5_f32; 4]).expect("4 rows");
        a.faces_of_mut().insert("kind", vec![1_i32; 4]).expect("4 rows");
        b.faces_of_mut().insert("kind", vec![1.0_f32; 4]).expect("4 rows");
        b.edges = vec![[0, 1]];
        b.edges_of_mut().insert("crease", vec![0.25_f32]).expect("a row");
        let material = Column::with_role("material", Role::Material, vec![0_u32; 4]);
        for mesh in [&mut a, &mut b] {
            mesh.faces_of_mut().insert_column(material.clone()).expect("4 rows");
        }
        let mut both = a.clone();
        let dropped = both.append(&b).expect("consistent");
        assert_eq!(dropped, ["vertex.own", "face.kind"]);
        assert_eq!((both.positions.len(), both.faces.len()), (8, 8));
        assert_eq!(both.faces[5], b.faces[1].map(|v| v + 4));
        assert_eq!(both.vertices().get::<[u8; 3]>("colour").expect("kept")[3..5], [[1; 3], [2; 3]]);
        assert_eq!(
            (&both.edges[..], both.edges_of().get::<f32>("crease").expect("kept")),
            (&[[4, 5]][..], &[0.25][..])
        );
        assert_eq!(both.faces_of().get::<u32>("material").expect("equal tables").len(), 8);
        both.check().expect("consistent");
        // other tables: numbers of materials would mean something else
        a.tables.groups = vec!["left".into()];
        assert!(a.append(&b).expect("consistent").contains(&"face.material".to_owned()));
        // to nothing
        let mut none = TriangleMesh::default();
        assert!(none.append(&b).expect("consistent").is_empty());
        assert_eq!(none, b);
    }
    #[test]
    fn the_rest_of_a_part() {
        let corners = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let mut mesh = TriangleMesh::new(corners, vec![[0, 2, 1], [0, 1, 3]]);
        mesh.vertices_mut().insert("heat", vec![0.0_f32, 1.0, 2.0, 3.0]).expect("4 rows");
        mesh.faces_of_mut().insert("kind", vec![7_u8, 8]).expect("2 rows");
        mesh.corners_mut().insert("corner", vec![0_i32, 1, 2, 3, 4, 5]).expect("6 rows");
        mesh.corners_mut().insert("other", vec![0_i32; 6]).expect("6 rows");
        let mut old = mesh.part(&[1, 3, 2], &[(1, [0, 1, 2])]).expect("in range");
        old.corners_mut().remove("other");
        let part = old.part(&[0, 1, 2, 0], &[(0, [0, 1, 2]), (0, [2, 1, 3])]).expect("in range");
        let corners = [[2, 3, 4]];
        let rest = Rest { mesh: &part, vertices: 3, faces: 1, corners: &corners, moved: [&[0], &[4]] };
        mesh.append_rest(&rest).expect("the same columns");
        mesh.check().expect("consistent");
        assert_eq!((mesh.positions[4], mesh.faces[2]), (DVec3::X, [2, 3, 4]));
        assert_eq!(mesh.faces[0], [4, 2, 1]);
        assert_eq!(mesh.vertices().get::<f32>("heat").expect("kept"), [0.0, 1.0, 2.0, 3.0, 1.0]);
        assert_eq!(mesh.faces_of().get::<u8>("kind").expect("kept"), [7, 8, 8]);
        assert_eq!(mesh.corners().get::<i32>("corner").expect("kept")[6..], [3, 4, 5]);
        assert!(mesh.corners().column("other").is_none());
        let mut part = part.clone();
        part.faces_of_mut().insert("kind", vec![1.0_f32; 2]).expect("2 rows");
        let before = mesh.clone();
        let rest = Rest { mesh: &part, ..rest };
        assert!(matches!(mesh.append_rest(&rest), Err(MeshError::Column(_))));
        assert_eq!(mesh, before);
    }
}
