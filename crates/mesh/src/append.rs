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
}
