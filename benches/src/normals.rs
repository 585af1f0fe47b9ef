//! Times of vertex normals, with and without a stored ring.
use crate::rxmesh;
use crate::subject::Subject;
use crate::timed::{Clock, Origin, Timed};
use anyhow::Result;
use ribbonmesh::glam::Vec3;
use ribbonmesh::ring::Ring;
use ribbonmesh::{Attribute, StaticMesh, Vertex};
use ribbonmesh_fields::denoise::normals_with_ring_into;
use ribbonmesh_fields::normals::Weight;
use ribbonmesh_patches::{normals_floor_bytes as floor_bytes, normals_into};
use std::cell::RefCell;

const WEIGHTS: [(&str, Weight); 3] = [("area", Weight::Area), ("angle", Weight::Angle), ("max", Weight::Max)];

/// Times every weighting of the faces' normals; `mesh` is of `subject`.
pub fn measure(mesh: &StaticMesh, subject: &Subject, from: Origin, clock: Clock) -> Result<Vec<Timed>> {
    let positions: Vec<Vec3> = subject.points();
    let positions = Attribute::from_input(mesh, &positions)?;
    let normals = RefCell::new(Attribute::<Vertex, Vec3>::zeros(mesh)?);
    let ring = Ring::new(mesh)?;
    let mut times = Vec::new();
    for (name, weight) in WEIGHTS {
        // RXMesh has the weights of Max
        let peer = rxmesh::normals_ms(mesh.faces()).filter(|_| weight == Weight::Max);
        let floor = floor_bytes(mesh, None);
        times.push(clock.time(mesh, from, format!("weights by {name}"), floor, peer, || {
            normals_into(mesh, &positions, weight, &mut normals.borrow_mut())
        })?);
        let floor = floor_bytes(mesh, Some(&ring));
        times.push(clock.time(mesh, from, format!("weights by {name}, stored ring"), floor, peer, || {
            normals_with_ring_into(mesh, &ring, &positions, weight, &mut normals.borrow_mut())
        })?);
    }
    Ok(times)
}
