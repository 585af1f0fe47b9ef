//! Data of a mesh that a writer keeps, and data that it loses.

use ribbonmesh_mesh::{Element, TriangleMesh};

use crate::Loss;

/// Data of a mesh that have not been written so far. Data that remain at the end are lost.
pub(crate) struct Losses<'m> {
    mesh: &'m TriangleMesh,
    attributes: Vec<(Element, &'m str)>,
    remarks: Vec<&'m str>,
    names: [(&'static str, usize); 3],
    materials: usize,
    edges: usize,
    others: Vec<Loss>,
}

impl<'m> Losses<'m> {
    /// Nothing is written yet.
    pub fn new(mesh: &'m TriangleMesh) -> Self {
        let elements = [Element::Vertex, Element::Face, Element::Corner, Element::Edge];
        let named =
            |element| mesh.attributes(element).iter().map(move |column: &'m _| (element, column.name()));
        let tables = &mesh.tables;
        let definitions = tables.materials.iter().filter(|material| material.gltf.is_some()).count();
        Self {
            mesh,
            attributes: elements.into_iter().flat_map(named).collect(),
            remarks: tables.remarks.iter().map(|remark| remark.key.as_str()).collect(),
            names: [
                ("materials", tables.materials.len()),
                ("groups", tables.groups.len()),
                ("objects", tables.objects.len()),
            ],
            // the images of libraries are the same
            materials: match definitions {
                0 => tables.libraries.iter().filter(|library| library.bytes.is_some()).count(),
                definitions => definitions,
            },
            edges: mesh.edges.len(),
            others: vec![],
        }
    }
    /// A column is in the file.
    pub fn keep(&mut self, element: Element, name: &str) {
        self.attributes.retain(|known| *known != (element, name));
    }
    /// A column is in the file, with values that are not quite the same.
    pub fn round(&mut self, element: Element, name: &str) {
        self.keep(element, name);
        let loss = Loss::Rounded { element, name: name.into() };
        if !self.others.contains(&loss) {
            self.others.push(loss);
        }
    }
    /// Remarks of that key are in the file.
    pub fn keep_remark(&mut self, key: &str) {
        self.remarks.retain(|known| *known != key);
    }
    /// Names of materials are in the file.
    pub fn keep_materials(&mut self) {
        self.names[0].1 = 0;
    }
    /// Definitions of materials are in the file or beside it.
    pub fn keep_definitions(&mut self) {
        self.materials = 0;
    }
    /// Names of groups are in the file.
    pub fn keep_groups(&mut self) {
        self.names[1].1 = 0;
    }
    /// Names of objects are in the file.
    pub fn keep_objects(&mut self) {
        self.names[2].1 = 0;
    }
    /// Edges are in the file.
    pub fn keep_edges(&mut self) {
        self.edges = 0;
    }
    /// Something else is lost.
    pub fn add(&mut self, loss: Loss) {
        self.others.push(loss);
    }
    /// The lost data.
    pub fn finish(self) -> Vec<Loss> {
        let attributes = self.attributes.into_iter();
        let mut losses: Vec<Loss> =
            attributes.map(|(element, name)| Loss::Attribute { element, name: name.into() }).collect();
        if self.edges > 0 {
            losses.push(Loss::Edges { count: self.mesh.edges.len() });
        }
        let names = self.names.into_iter().filter(|(_, count)| *count > 0);
        losses.extend(names.map(|(what, count)| Loss::Names { what, count }));
        if self.materials > 0 {
            losses.push(Loss::Materials { count: self.materials });
        }
        if !self.remarks.is_empty() {
            losses.push(Loss::Remarks { count: self.remarks.len() });
        }
        losses.extend(self.others);
        losses
    }
}
