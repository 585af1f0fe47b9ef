//! Surfaces behind each other, and normals of faces that are turned.
use super::column::Column;
use super::kept::Kept;
use super::surface::{Edges, Surface};
use crate::surface::kernels::order::{PutBehind, ReverseRows};
use crate::{Attribute, Buffer, Error, Result};
use bytemuck::Pod;
use glam::{DVec3, Vec3};
use ribbonmesh_mesh::{Element, Policy, Precision, Role, Scalar};

impl Surface {
    /// Appends the vertices and faces of another surface, on the device. Columns that both have with one type
    /// and role are appended; others are dropped, and so are those of edges. Returns the names of these.
    /// Positions stay relative to the first origin. Ids become the places of the output
    /// ([`Surface::put_in_order`]).
    /// # Errors
    /// [`Error::OtherDevice`]; [`Error::TooMany`]; out of memory; errors of the driver. The mesh is as it was
    /// then, but for its ids.
    pub fn append(&mut self, mut other: Self) -> Result<Vec<String>> {
        if !other.device.same(&self.device) {
            return Err(Error::OtherDevice { what: "the other surface" });
        }
        self.put_in_order()?;
        other.put_in_order()?;
        let ([n, f], [m, g]) = (self.numbers(), other.numbers());
        crate::static_mesh::build::check_numbers(n + m, f + g)?;
        let mut dropped = vec![];
        for surface in [&*self, &other] {
            let of_edges = surface.edges.columns.iter();
            dropped.extend(of_edges.map(|column| format!("{}.{}", Element::Edge, column.name())));
        }
        let (tables, others) = (&self.tables, &other.tables);
        let same_names = tables.materials == others.materials
            && tables.groups == others.groups
            && tables.objects == others.objects
            && tables.gltf == others.gltf;
        let same_origin = tables.texture_origin == others.texture_origin;
        let alike = |a: &Column, b: &Column| {
            let (a, b) = (&a.head, &b.head);
            let names = matches!(a.role, Role::Material | Role::Group | Role::Object);
            let textures = matches!(a.role, Role::TextureCoordinate(_));
            (a.role, a.scalar, a.width) == (b.role, b.scalar, b.width)
                && (same_names || !names)
                && (same_origin || !textures)
        };
        let mut join = |element: Element, own: &[Column], others: &[Column]| -> Result<Vec<Column>> {
            let mut joined = vec![];
            let find = |columns: &'_ [Column], name: &str| columns.iter().position(|c| c.head.name == name);
            for column in own {
                match find(others, &column.head.name).map(|i| &others[i]).filter(|other| alike(column, other))
                {
                    Some(other) => {
                        let rows = behind(&column.rows, &other.rows, 0)?;
                        joined.push(Column { head: column.head.clone(), rows, rule: column.rule.clone() });
                    }
                    None => dropped.push(format!("{element}.{}", column.head.name)),
                }
            }
            let only = others.iter().filter(|column| find(own, &column.head.name).is_none());
            dropped.extend(only.map(|column| format!("{element}.{}", column.head.name)));
            Ok(joined)
        };
        let of_vertices = join(Element::Vertex, &self.of_vertices, &other.of_vertices)?;
        let of_faces = join(Element::Face, &self.of_faces, &other.of_faces)?;
        let of_corners = join(Element::Corner, &self.of_corners, &other.of_corners)?;
        let normals: Vec<String> =
            self.normals.iter().filter(|name| other.normals.contains(name)).cloned().collect();
        let pending = self.normals.iter().chain(&other.normals).filter(|name| !normals.contains(name));
        dropped.extend(pending.map(|name| format!("{}.{name}", Element::Vertex)));
        let exact = match self.exact.is_some() || other.exact.is_some() {
            true => Some([self.exact_positions()?.read()?, other.exact_positions()?.read()?].concat()),
            false => None,
        };
        let moved;
        let points = match &exact {
            Some(exact) if other.origin != self.origin => {
                let around = |p: &DVec3| (*p - self.origin).as_vec3();
                moved = self.device.upload(&exact[n..].iter().map(around).collect::<Vec<Vec3>>())?;
                &moved
            }
            _ => other.positions.buffer(),
        };
        let positions = Attribute::of_no_mesh(behind(self.positions.buffer(), points, 0)?)?;
        let faces = behind(&self.faces, &other.faces, n as u32)?;
        // nothing can fail from here on
        (self.of_vertices, self.of_faces, self.of_corners) = (of_vertices, of_faces, of_corners);
        (self.normals, self.exact, self.edges) = (normals, exact, Edges::default());
        self.notes.extend(other.notes);
        if other.precision == Precision::Double {
            self.precision = Precision::Double;
        }
        (self.positions, self.faces, self.kept) = (positions, faces.into(), Kept::default());
        Ok(dropped)
    }
    /// Renews normals after some faces were turned and others were added: those of corners of `turned` faces,
    /// by their places in the output, are reversed, and those of vertices are computed at the download. Ids
    /// become these places.
    /// # Errors
    /// [`Error::Index`] for a face that is not there, which on a GPU a later call returns; out of memory;
    /// errors of the driver.
    pub fn renew_normals(&mut self, turned: &[u32]) -> Result<()> {
        self.put_in_order()?;
        let list = self.device.upload(turned)?;
        for column in &mut self.of_corners {
            let (head, words) = (&column.head, column.head.words() as u32);
            let double = match head.scalar {
                Scalar::F32 => 0,
                Scalar::F64 => 1,
                _ => continue,
            };
            if head.role == Role::Normal && !turned.is_empty() {
                let rows = column.rows.view_mut();
                let reverse = ReverseRows { list: list.view(), words, double, rows };
                self.device.launch_each(turned.len() as u32, reverse)?;
            }
        }
        let stale =
            |column: &Column| column.head.role == Role::Normal && column.head.policy == Policy::Recompute;
        let names = self.of_vertices.iter().filter(|column| stale(column)).map(|c| c.head.name.clone());
        self.normals.extend(names);
        self.of_vertices.retain(|column| !stale(column));
        Ok(())
    }
}

/// The elements of a buffer with others behind them, to each word of which a number is added.
fn behind<T: Pod>(from: &Buffer<T>, others: &Buffer<T>, add: u32) -> Result<Buffer<T>> {
    let device = from.device();
    let mut both = device.unspecified::<T>(from.len() + others.len())?;
    let words = |buffer: &Buffer<T>| (buffer.bytes() / 4) as u32;
    for (part, first, add) in [(from, 0, 0), (others, words(from), add)] {
        let to = both.view_mut().wide();
        device.launch_each(words(part), PutBehind { from: part.view().wide(), first, add, to })?;
    }
    Ok(both)
}
