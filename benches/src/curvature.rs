//! Times of curvatures.
use crate::subject::Subject;
use crate::timed::{Clock, Origin, Timed};
use anyhow::Result;
use ribbonmesh::glam::Vec3;
use ribbonmesh::{Attribute, StaticMesh};
use ribbonmesh_fields::curvature::Area;
use ribbonmesh_patches::{Curvatures, curvature_floor_bytes as floor_bytes, curvatures_into};
use std::cell::RefCell;

/// Times both areas; `mesh` is of `subject`.
pub fn measure(mesh: &StaticMesh, subject: &Subject, from: Origin, clock: Clock) -> Result<Vec<Timed>> {
    let positions: Vec<Vec3> = subject.points();
    let positions = Attribute::from_input(mesh, &positions)?;
    let found = RefCell::new(Curvatures::zeros(mesh)?);
    let time = |area: Area| {
        clock.time(mesh, from, format!("{area} areas"), floor_bytes(mesh), None, || {
            curvatures_into(mesh, &positions, area, &mut found.borrow_mut())
        })
    };
    Area::ALL.into_iter().map(time).collect()
}
